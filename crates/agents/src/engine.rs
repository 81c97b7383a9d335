//! Another program as a player, over the Go Text Protocol, version 2 (Farnebäck, 2002).
//!
//! A program that knows the command `upstar-game` is told game, position and side to move in one line; any
//! other must be content with `boardsize` and `clear_board`, which mean the start position of a square
//! board. Whatever goes wrong (silence, an illegal move, an end) is a fault that names what the program said;
//! `resign` is a resignation.
//!
//! Where time is limited the program is told before every move how much there is for that move:
//! `upstar-time MILLISECONDS` if it knows that command, else `time_left COLOR SECONDS 1` in whole seconds, one
//! at least, after a `time_settings 0 SECONDS 1` at the beginning of the game.
//!
//! Cells are named as the game's players expect ([`Coordinates::usual`]) unless the specification says
//! otherwise. A program that knows `upstar-coordinates` is told which names they are.

mod program;

use std::time::Duration;

use upstar_games::{Board, Grid, Random, excerpt};
use upstar_jobs::Budget;

use self::program::Program;
use crate::agent::{Agent, Choice, Fault, Turn};
use crate::gtp_names::{self, Coordinates};
use crate::playable::Playable;
use crate::resources::Resources;
use crate::spec::AgentSpecError;

/// What is kept of the time for a move for the way of the answer, at most; a tenth of short times.
const MOST_RESERVE: Duration = Duration::from_millis(20);

/// Which program, and how it names cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The command that starts it.
    pub command: String,
    /// Where its names of cells are counted from; `None` for what is usual for the game.
    pub coordinates: Option<Coordinates>,
}

impl EngineSpec {
    /// A program with the usual coordinates.
    #[must_use]
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            coordinates: None,
        }
    }
}

/// A program that plays, started for one game and kept from move to move.
pub struct Engine<G: Playable> {
    game: G,
    /// As it was given.
    spec: EngineSpec,
    coordinates: Coordinates,
    /// The command, short enough for a message.
    command: String,
    resources: Resources,
    program: Program,
    /// The commands that it knows, of those that it need not know.
    known: Known,
    /// Why it cannot be asked any more: after a command without an answer, the next one could be the wrong
    /// one's.
    lost: Option<Fault>,
    /// The start and the moves that it has been told.
    told: Option<(G::Position, Vec<G::Move>)>,
    /// Whether it was asked for a move.
    played: bool,
}

impl<G: Playable> Engine<G> {
    /// Starts the program, waits until it is ready, and asks what it knows, so that no game's clock runs
    /// meanwhile. The command is split at blanks outside of quotes; no shell is involved. A program that does not
    /// answer is at fault on its first turn.
    ///
    /// # Errors
    /// If there is no such program.
    pub fn start(
        game: &G,
        spec: &EngineSpec,
        resources: &Resources,
    ) -> Result<Self, AgentSpecError> {
        let shown = excerpt(&spec.command);
        let words = shlex::split(&spec.command).ok_or_else(|| {
            AgentSpecError(format!("a quote is not closed in the command '{shown}'"))
        })?;
        let Some((name, arguments)) = words.split_first() else {
            return Err(AgentSpecError(
                "the command of an engine is empty".to_owned(),
            ));
        };
        let program = Program::start(name, arguments);
        let program = program.map_err(|error| {
            AgentSpecError(format!("'{}' cannot be started: {error}", excerpt(name)))
        })?;
        let mut engine = Self {
            game: game.clone(),
            spec: spec.clone(),
            coordinates: spec
                .coordinates
                .unwrap_or_else(|| Coordinates::usual(game.variant())),
            command: shown,
            resources: resources.clone(),
            program,
            known: Known::default(),
            lost: None,
            told: None,
            played: false,
        };
        if let Ok(answer) = engine.ask("list_commands", &Budget::unlimited()) {
            engine.known = Known::listed(&answer.unwrap_or_default());
        }
        Ok(engine)
    }

    fn fault(&self, what: &str) -> Fault {
        Fault(format!("engine '{}' {what}", self.command))
    }

    /// Sends a command and waits for the answer, without its sign.
    fn ask(&mut self, command: &str, budget: &Budget) -> Result<Result<String, String>, Fault> {
        if let Some(fault) = &self.lost {
            return Err(fault.clone());
        }
        let answer = self.program.ask(command, self.resources.patience, budget);
        answer.map_err(|what| {
            let fault = self.fault(&format!("{what} after the command '{}'", excerpt(command)));
            self.lost = Some(fault.clone());
            fault
        })
    }

    /// The same for a command that must succeed.
    fn tell(&mut self, command: &str, budget: &Budget) -> Result<String, Fault> {
        self.ask(command, budget)?.map_err(|refusal| {
            let (command, refusal) = (excerpt(command), excerpt(&refusal));
            self.fault(&format!("refused the command '{command}': {refusal}"))
        })
    }

    /// Sets up the start of the game.
    fn set_up(&mut self, start: &G::Position, grid: &Grid, budget: &Budget) -> Result<(), Fault> {
        let setup = self.game.setup(start);
        if self.known.coordinates {
            self.tell(&format!("upstar-coordinates {}", self.coordinates), budget)?;
        }
        if self.known.games {
            let (variant, to_move) = (self.game.variant(), self.game.to_move(start));
            self.tell(&format!("upstar-game {variant} {setup} {to_move}"), budget)?;
            return self.set_clock(budget);
        }
        let usual = upstar_games::AnyGame::open(
            self.game.variant(),
            &upstar_games::Start::Size(*grid),
            None,
        );
        let usual = usual.is_ok_and(|usual| {
            usual.setup() == setup && usual.side_to_move() == self.game.side_to_move(start)
        });
        if grid.rows() != grid.cols() || !usual {
            let what = "does not know the command upstar-game, and can begin only at the start of a square board";
            return Err(self.fault(what));
        }
        self.tell(&format!("boardsize {}", grid.rows()), budget)?;
        self.tell("clear_board", budget)?;
        self.set_clock(budget)
    }

    /// Says that moves have a time, at the beginning of a game in which they have one.
    fn set_clock(&mut self, budget: &Budget) -> Result<(), Fault> {
        if let Some(left) = budget.time_left()
            && self.known.time_settings
            && !self.known.time
        {
            // A program that cannot have it so still plays.
            let _ = self.ask(&format!("time_settings 0 {} 1", seconds(left)), budget)?;
        }
        Ok(())
    }

    /// Says how much time there is for the next move.
    fn tell_time(&mut self, color: &str, budget: &Budget) -> Result<(), Fault> {
        let Some(left) = budget.time_left() else {
            return Ok(());
        };
        let command = if self.known.time {
            let left = left - MOST_RESERVE.min(left / 10);
            format!("upstar-time {}", left.as_millis().max(1))
        } else if self.known.time_left {
            format!("time_left {color} {} 1", seconds(left))
        } else {
            return Ok(());
        };
        let _ = self.ask(&command, budget)?;
        Ok(())
    }

    /// Tells the program what has happened since it was last asked.
    fn catch_up(&mut self, turn: &Turn<'_, G>, grid: &Grid) -> Result<(), Fault> {
        let told = self
            .told
            .take()
            .filter(|(start, moves)| start == turn.start && turn.moves.starts_with(moves));
        let known = match told {
            Some((_, moves)) => moves.len(),
            None => {
                self.set_up(turn.start, grid, turn.budget)?;
                0
            }
        };
        let mut position = *turn.start;
        for (place, &mv) in turn.moves.iter().enumerate() {
            if place >= known {
                let color = gtp_names::color_name(self.game.to_move(&position));
                let name = self.coordinates.write(grid, &self.game.move_name(mv));
                let name = name.expect("the board has names");
                self.tell(&format!("play {color} {name}"), turn.budget)?;
            }
            position = self.game.play_unchecked(&position, mv);
        }
        Ok(())
    }
}

impl<G: Playable> Agent<G> for Engine<G> {
    /// What another program remembers is not known, so that it is started again.
    fn begin_game(&mut self) -> Result<(), Fault> {
        if self.played {
            let again = Self::start(&self.game, &self.spec, &self.resources);
            *self = again.map_err(|error| Fault(error.to_string()))?;
        }
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, G>, _: &mut Random) -> Result<Choice<G::Move>, Fault> {
        self.played = true;
        let board = self.game.setup(turn.position).board;
        let grid = match &board {
            Board::Grid(grid) if self.coordinates.has_names(&board) => *grid,
            _ => {
                let most = gtp_names::MOST_COLUMNS;
                return Err(self.fault(&format!("plays only on grids of at most {most} columns")));
            }
        };
        self.catch_up(turn, &grid)?;
        let color = gtp_names::color_name(self.game.to_move(turn.position));
        self.tell_time(color, turn.budget)?;
        let answer = self.tell(&format!("genmove {color}"), turn.budget)?;
        let answer = answer.trim();
        if answer.eq_ignore_ascii_case("resign") {
            return Err(Fault::resignation());
        }
        let name = self.coordinates.read(&grid, answer);
        let Some(mv) = name.and_then(|name| self.game.move_named(&name)) else {
            return Err(self.fault(&format!(
                "answered '{}', which is not a move",
                excerpt(answer)
            )));
        };
        if self.game.play(turn.position, mv).is_err() {
            let what = format!("played {}, which is not legal", excerpt(answer));
            return Err(self.fault(&what));
        }
        let mut moves = turn.moves.to_vec();
        moves.push(mv);
        self.told = Some((*turn.start, moves));
        Ok(Choice::of(mv))
    }
}

/// Commands that not every program knows.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// `upstar-game`
    games: bool,
    /// `upstar-coordinates`
    coordinates: bool,
    /// `upstar-time`
    time: bool,
    /// `time_settings`
    time_settings: bool,
    /// `time_left`
    time_left: bool,
}

impl Known {
    /// Those of a list with one on each line.
    fn listed(commands: &str) -> Self {
        let knows = |name: &str| commands.lines().any(|line| line.trim() == name);
        Self {
            games: knows("upstar-game"),
            coordinates: knows("upstar-coordinates"),
            time: knows("upstar-time"),
            time_settings: knows("time_settings"),
            time_left: knows("time_left"),
        }
    }
}

/// Whole seconds as the protocol has them; 0 would mean something else.
fn seconds(time: Duration) -> u64 {
    time.as_secs().max(1)
}
