//! Another program as a player, over the Go Text Protocol, version 2 (Farnebäck, 2002).
//!
//! A program that knows the command `upstar-game` is told game, position and side to move in one line; any
//! other must be content with `boardsize` and `clear_board`, which mean the start position of a square
//! board. Whatever goes wrong (silence, an illegal move, an end) is a fault that names what the program said.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use upstar_games::{Board, Grid, Random, excerpt};
use upstar_solve::Budget;

use crate::agent::{Agent, Choice, Fault, Turn};
use crate::gtp_names;
use crate::playable::Playable;
use crate::resources::Resources;
use crate::word::WordError;

/// The longest line that is read from a program, in bytes.
const LONGEST_LINE: u64 = 1 << 16;
/// The most lines of an answer.
const MOST_LINES: usize = 10_000;
/// How often the clock is looked at while a program thinks.
const GLANCE: Duration = Duration::from_millis(20);
/// How long a program may take to end when it is told to.
const FAREWELL: Duration = Duration::from_millis(200);

/// A program that plays, started for one game and kept from move to move.
pub struct Engine<G: Playable> {
    game: G,
    command: String,
    patience: Duration,
    program: Program,
    /// Whether it knows `upstar-game`; asked once.
    knows_games: Option<bool>,
    /// The start and the moves that it has been told.
    told: Option<(G::Position, Vec<G::Move>)>,
}

impl<G: Playable> Engine<G> {
    /// Starts the program. The command is split at blanks outside of quotes; no shell is involved.
    ///
    /// # Errors
    /// If there is no such program, or the board has no names in its protocol.
    pub fn start(game: &G, command: &str, resources: &Resources) -> Result<Self, WordError> {
        let shown = excerpt(command);
        let words = words(command)
            .ok_or_else(|| WordError(format!("a quote is not closed in the command '{shown}'")))?;
        let Some((name, arguments)) = words.split_first() else {
            return Err(WordError("the command of an engine is empty".to_owned()));
        };
        let program = Program::start(name, arguments);
        let program = program.map_err(|error| {
            WordError(format!("'{}' cannot be started: {error}", excerpt(name)))
        })?;
        Ok(Self {
            game: game.clone(),
            command: shown,
            patience: resources.patience,
            program,
            knows_games: None,
            told: None,
        })
    }

    fn fault(&self, what: &str) -> Fault {
        Fault(format!("engine '{}' {what}", self.command))
    }

    /// Sends a command and waits for the answer, without its sign.
    fn ask(&mut self, command: &str, budget: &Budget) -> Result<Result<String, String>, Fault> {
        let patience = self.patience;
        self.program
            .ask(command, patience, budget)
            .map_err(|what| self.fault(&format!("{what} after the command '{}'", excerpt(command))))
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
        let knows_games = match self.knows_games {
            Some(knows) => knows,
            None => {
                let commands = self.ask("list_commands", budget)?.unwrap_or_default();
                commands.lines().any(|line| line.trim() == "upstar-game")
            }
        };
        self.knows_games = Some(knows_games);
        let setup = self.game.setup(start);
        if knows_games {
            let (variant, to_move) = (self.game.variant(), self.game.to_move(start));
            self.tell(&format!("upstar-game {variant} {setup} {to_move}"), budget)?;
            return Ok(());
        }
        let usual = upstar_games::AnyGame::open(
            self.game.variant(),
            &upstar_games::Start::Size(*grid),
            None,
        );
        let usual = usual.is_ok_and(|usual| {
            upstar_games::with_rules!(&usual, |rules, first| {
                use upstar_games::Rules;
                rules.setup(first) == setup
                    && rules.letter_to_move(first) == self.game.letter_to_move(start)
            })
        });
        if grid.rows() != grid.cols() || !usual {
            let what = "does not know the command upstar-game, and can begin only at the start of a square board";
            return Err(self.fault(what));
        }
        self.tell(&format!("boardsize {}", grid.rows()), budget)?;
        self.tell("clear_board", budget)?;
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
                let name = gtp_names::move_name(&self.game, grid, mv);
                let name = name.expect("the board has names");
                self.tell(&format!("play {color} {name}"), turn.budget)?;
            }
            position = self.game.play_unchecked(&position, mv);
        }
        Ok(())
    }
}

impl<G: Playable> Agent<G> for Engine<G> {
    fn choose(&mut self, turn: &Turn<'_, G>, _: &mut Random) -> Result<Choice<G::Move>, Fault> {
        let board = self.game.setup(turn.position).board;
        let grid = match &board {
            Board::Grid(grid) if gtp_names::has_names(&board) => *grid,
            _ => {
                let most = gtp_names::MOST_COLUMNS;
                return Err(self.fault(&format!("plays only on grids of at most {most} columns")));
            }
        };
        self.catch_up(turn, &grid)?;
        let color = gtp_names::color_name(self.game.to_move(turn.position));
        let answer = self.tell(&format!("genmove {color}"), turn.budget)?;
        let answer = answer.trim();
        let named = gtp_names::move_named(&self.game, &grid, answer);
        let Some(mv) = named else {
            return Err(self.fault(&format!("answered '{}', which is no move", excerpt(answer))));
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

/// A running program that answers commands.
struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Program {
    fn start(name: &str, arguments: &[String]) -> std::io::Result<Self> {
        let mut child = Command::new(name)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("the output is piped");
        // A program that writes without end fills this up and waits.
        let (sender, lines) = sync_channel(64);
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                let read = (&mut output)
                    .take(LONGEST_LINE)
                    .read_until(b'\n', &mut line);
                let text = String::from_utf8_lossy(&line).into_owned();
                if !read.is_ok_and(|count| count > 0) || sender.send(text).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            child,
            input,
            lines,
        })
    }

    /// Sends a command and reads its answer: `= text` or `? text`, up to an empty line.
    fn ask(
        &mut self,
        command: &str,
        patience: Duration,
        budget: &Budget,
    ) -> Result<Result<String, String>, String> {
        let ended = || "has ended".to_owned();
        let input = self.input.as_mut().ok_or_else(ended)?;
        let sent = writeln!(input, "{command}").and_then(|()| input.flush());
        sent.map_err(|_| ended())?;
        let deadline = Instant::now().checked_add(patience);
        let mut answer: Vec<String> = Vec::new();
        loop {
            let line = self.line(deadline, patience, budget)?;
            let line = line.trim_end();
            match (answer.is_empty(), line.is_empty()) {
                // Empty lines before an answer mean nothing.
                (true, true) => {}
                (true, false) if !line.starts_with(['=', '?']) => {
                    return Err(format!("said '{}', which is no answer,", excerpt(line)));
                }
                (false, true) => break,
                _ if answer.len() >= MOST_LINES => {
                    return Err("answered without end".to_owned());
                }
                _ => answer.push(line.to_owned()),
            }
        }
        let text = answer.join("\n");
        let (sign, text) = text.split_at(1);
        let text = text.trim().to_owned();
        Ok(if sign == "=" { Ok(text) } else { Err(text) })
    }

    fn line(
        &mut self,
        deadline: Option<Instant>,
        patience: Duration,
        budget: &Budget,
    ) -> Result<String, String> {
        loop {
            match self.lines.recv_timeout(GLANCE) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err("has ended".to_owned()),
                Err(RecvTimeoutError::Timeout) if budget.is_over() => {
                    return Err("has not answered in the time of the game".to_owned());
                }
                Err(RecvTimeoutError::Timeout) => {
                    if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                        let seconds = patience.as_secs_f64();
                        return Err(format!("has not answered for {seconds} seconds"));
                    }
                }
            }
        }
    }
}

impl Drop for Program {
    /// Lets the program end by itself for a moment, then ends it.
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            let _ = writeln!(input, "quit");
        }
        let until = Instant::now() + FAREWELL;
        while Instant::now() < until {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The words of a command: split at blanks, except within single or double quotes. None if a quote is not
/// closed.
fn words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in command.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_outside_of_quotes() {
        let split = |text: &str| words(text).map(|words| words.join("|"));
        assert_eq!(split("a  b c ").unwrap(), "a|b|c");
        assert_eq!(
            split("'my program' --name=\"x y\" ''").unwrap(),
            "my program|--name=x y|"
        );
        assert_eq!(split("it's"), None);
        assert_eq!(split("").unwrap(), "");
    }
}
