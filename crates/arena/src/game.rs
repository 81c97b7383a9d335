//! One game between two agents.
//!
//! Whoever oversteps the time, makes an illegal move or cannot go on has lost; that is a result like
//! any other.

use std::time::{Duration, Instant};

use upstar_agents::{Agent, Choice, Fault, Turn};
use upstar_games::{Color, Game, Random};
use upstar_jobs::Budget;

use crate::clock::{Clocks, TimeControl};
use crate::record::{Reason, Thought, Winner};

/// Where and how a game is played.
pub struct Duel<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Where the game begins.
    pub start: &'a G::Position,
    /// Moves that are made for the players, all legal.
    pub opening: &'a [G::Move],
    /// The time that the sides have.
    pub time: TimeControl,
    /// What ends the game from outside: a stop flag, or a deadline for all of it.
    pub budget: &'a Budget,
    /// Whether thoughts are kept. Without them and without a time control no clock is read.
    pub thoughts: bool,
}

/// How a game went.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame<M> {
    /// The moves after the opening.
    pub moves: Vec<M>,
    /// One for each of them, if they were kept.
    pub thoughts: Vec<Thought>,
    /// How it ended.
    pub ending: Ending,
}

/// An agent that cannot begin a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannotBegin {
    /// Its side.
    pub side: Color,
    /// Why not.
    pub fault: Fault,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who has won.
    pub winner: Winner,
    /// The result for Black by the rules, if it was played to its end.
    pub score: Option<i32>,
    /// How it came to that.
    pub reason: Reason,
    /// What there is to say about it.
    pub text: Option<String>,
}

impl Ending {
    /// A game that this side has lost before its end.
    #[must_use]
    pub fn lost(side: Color, reason: Reason, text: Option<String>) -> Self {
        Self {
            winner: (!side).into(),
            score: None,
            reason,
            text,
        }
    }

    /// A game that this side has lost because its agent made no move: it gave up, or something went
    /// wrong.
    #[must_use]
    pub fn without_move(side: Color, fault: &Fault) -> Self {
        if fault.is_resignation() {
            return Self::lost(side, Reason::Resigned, None);
        }
        Self::lost(side, Reason::Fault, Some(fault.to_string()))
    }

    /// A game that this side has lost because it thought for so long.
    #[must_use]
    pub fn too_late(side: Color, used: Duration) -> Self {
        let text = format!("{:.3} s for a move was too long", used.as_secs_f64());
        Self::lost(side, Reason::Time, Some(text))
    }

    /// A game that this side has lost by a move that is not legal.
    #[must_use]
    pub fn illegal<G: Game>(side: Color, game: &G, mv: G::Move) -> Self {
        let text = format!("{} is not legal here", game.move_name(mv));
        Self::lost(side, Reason::Illegal, Some(text))
    }

    /// The end by the rules, if the game is over.
    pub fn by_rules<G: Game>(game: &G, position: &G::Position) -> Option<Self> {
        let score = game.black_score(position)?;
        Some(Self {
            winner: Winner::of_score(score),
            score: Some(score),
            reason: Reason::Rules,
            text: None,
        })
    }
}

/// The generators of the players of Black and White in this game of a run. The opening has its own.
#[must_use]
pub fn generators(seed: u64, index: u64) -> [Random; 2] {
    let mut random = Random::for_game(seed, index);
    [Random::new(random.bits()), Random::new(random.bits())]
}

impl<G: Game> Duel<'_, G> {
    /// Plays the game to its end, with agents that forget earlier games first; nothing comes of it
    /// if somebody says stop.
    ///
    /// # Errors
    /// If an agent cannot begin a game, as when there is no memory. That is not a lost game.
    ///
    /// # Panics
    /// If the opening is not legal.
    pub fn play(
        &self,
        agents: [&mut dyn Agent<G>; 2],
        random: [Random; 2],
    ) -> Result<Option<PlayedGame<G::Move>>, CannotBegin> {
        self.play_watched(agents, random, |_, _| {})
    }

    /// The same; each move is told when it is made, with the time that it took.
    ///
    /// # Errors
    /// As for [`Duel::play`].
    ///
    /// # Panics
    /// As for [`Duel::play`].
    pub fn play_watched(
        &self,
        [black, white]: [&mut dyn Agent<G>; 2],
        mut random: [Random; 2],
        mut told: impl FnMut(&Choice<G::Move>, Duration),
    ) -> Result<Option<PlayedGame<G::Move>>, CannotBegin> {
        let game = self.game;
        for (side, agent) in [(Color::Black, &mut *black), (Color::White, &mut *white)] {
            let begun = agent.begin_game();
            begun.map_err(|fault| CannotBegin { side, fault })?;
        }
        let mut position = *self.start;
        let mut moves = Vec::with_capacity(game.plies_left(&position) as usize);
        for &mv in self.opening {
            position = game.play(&position, mv).expect("openings are legal");
            moves.push(mv);
        }
        let mut thoughts = Vec::new();
        let mut clocks = Clocks::new(self.time);
        let timed = self.thoughts || !self.time.is_none();
        let ending = loop {
            let side = game.to_move(&position);
            if let Some(ending) = Ending::by_rules(game, &position) {
                break ending;
            }
            let allotted = clocks.allotment(side, game.plies_left(&position));
            let limited = allotted.map(|time| self.budget.clone().with_time(time));
            let turn = Turn {
                start: self.start,
                moves: &moves,
                position: &position,
                budget: limited.as_ref().unwrap_or(self.budget),
            };
            let begun = timed.then(Instant::now);
            let agent = match side {
                Color::Black => &mut *black,
                Color::White => &mut *white,
            };
            let chosen = agent.choose(&turn, &mut random[side.index()]);
            let used = begun.map(|begun| begun.elapsed()).unwrap_or_default();
            if self.budget.is_over() {
                return Ok(None);
            }
            let choice = match chosen {
                Ok(choice) => choice,
                Err(fault) => break Ending::without_move(side, &fault),
            };
            if !clocks.spend(side, used) {
                break Ending::too_late(side, used);
            }
            let Ok(next) = game.play(&position, choice.mv) else {
                break Ending::illegal(side, game, choice.mv);
            };
            if self.thoughts {
                thoughts.push(Thought::new(&choice, used.as_secs_f64()));
            }
            told(&choice, used);
            moves.push(choice.mv);
            position = next;
        };
        moves.drain(..self.opening.len());
        Ok(Some(PlayedGame {
            moves,
            thoughts,
            ending,
        }))
    }
}
