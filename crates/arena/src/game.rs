//! One game between two agents.
//!
//! Whoever oversteps the time, makes an illegal move or cannot go on has lost; that is a result like
//! any other.

use std::time::Instant;

use upstar_agents::{Agent, Turn};
use upstar_games::{Color, Game, Random};
use upstar_solve::Budget;

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
pub struct Played<M> {
    /// The moves after the opening.
    pub moves: Vec<M>,
    /// One for each of them, if they were kept.
    pub thoughts: Vec<Thought>,
    /// How it ended.
    pub ending: Ending,
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
    fn lost(side: Color, reason: Reason, text: String) -> Self {
        Self {
            winner: (!side).into(),
            score: None,
            reason,
            text: Some(text),
        }
    }
}

/// The generators of the players of Black and White in this game of a run. The opening has its own.
#[must_use]
pub fn generators(seed: u64, index: u64) -> [Random; 2] {
    let mut random = Random::for_game(seed, index);
    [Random::new(random.bits()), Random::new(random.bits())]
}

impl<G: Game> Duel<'_, G> {
    /// Plays the game to its end; nothing comes of it if somebody says stop.
    ///
    /// # Panics
    /// If the opening is not legal.
    pub fn play(
        &self,
        [black, white]: [&mut dyn Agent<G>; 2],
        mut random: [Random; 2],
    ) -> Option<Played<G::Move>> {
        let game = self.game;
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
            if game.is_over(&position) {
                break by_rules(game, &position);
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
                return None;
            }
            let choice = match chosen {
                Ok(choice) => choice,
                Err(fault) => {
                    let reason = match fault.is_resignation() {
                        true => Reason::Resigned,
                        false => Reason::Fault,
                    };
                    break Ending::lost(side, reason, fault.to_string());
                }
            };
            if !clocks.spend(side, used) {
                let text = format!("{:.3} s for a move was too long", used.as_secs_f64());
                break Ending::lost(side, Reason::Time, text);
            }
            let Ok(next) = game.play(&position, choice.mv) else {
                let text = format!("{} is not legal here", game.move_name(choice.mv));
                break Ending::lost(side, Reason::Illegal, text);
            };
            if self.thoughts {
                thoughts.push(Thought::new(&choice, used.as_secs_f64()));
            }
            moves.push(choice.mv);
            position = next;
        };
        moves.drain(..self.opening.len());
        Some(Played {
            moves,
            thoughts,
            ending,
        })
    }
}

/// The result of a finished game.
fn by_rules<G: Game>(game: &G, position: &G::Position) -> Ending {
    let score = game.score(position).expect("the game is over");
    let score = match game.to_move(position) {
        Color::Black => score,
        Color::White => -score,
    };
    Ending {
        winner: Winner::of_score(score),
        score: Some(score),
        reason: Reason::Rules,
        text: None,
    }
}
