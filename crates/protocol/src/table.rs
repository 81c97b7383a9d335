//! A game in progress, whichever it is: the one place where servers go from text to types.
//!
//! [`open`] enters the game once; behind the trait [`Table`], in `seats.rs`, every type is known.

mod seats;

use std::time::{Duration, Instant};

use upstar_agents::{Evaluation, Mcts, Resources, Word};
use upstar_games::{AnyGame, Color, Random, Setup, Start, Variant, excerpt, with_game};
use upstar_jobs::Budget;
use upstar_solve::{Outcome, Query, Question};

use self::seats::Seats;
use crate::count::Count;
use crate::refusal::Refusal;

/// How moves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    /// As everywhere in this program.
    Own,
    /// As in the Go Text Protocol.
    Vertices,
}

/// A game in progress.
pub(crate) trait Table: Send {
    /// The stones on the board.
    fn setup(&self) -> Setup;
    /// The side to move.
    fn to_move(&self) -> Color;
    /// Whether sides pass that cannot move, as in Othello.
    fn has_passes(&self) -> bool;
    /// Whether the side to move can only pass.
    fn must_pass(&self) -> bool;
    /// The legal moves in their order.
    fn legal(&self, notation: Notation) -> Vec<String>;
    /// The result for Black, once the game is over.
    fn score(&self) -> Option<i32>;
    /// How many plies there may be still.
    fn plies_left(&self) -> u32;

    /// Plays a move; an implied one goes when the next is taken back.
    fn play(&mut self, name: &str, notation: Notation, implied: bool) -> Result<(), Unplayable>;
    /// Notes a pass after the end of the game, which changes nothing.
    fn idle(&mut self);
    /// Takes the last move back, if there is one.
    fn undo(&mut self) -> bool;
    /// Goes back to the start.
    fn reset(&mut self);

    /// Makes this agent, if it is not here already, so that it takes no time of the first move.
    fn seat(&mut self, word: &Word, resources: &Resources) -> Result<(), Refusal>;

    /// What an agent would play here. The game must not be over.
    fn choose(
        &mut self,
        word: &Word,
        notation: Notation,
        setting: Setting<'_>,
    ) -> Result<Chosen, Refusal>;

    /// Who wins, with proof.
    fn solve(
        &mut self,
        demand: Demand,
        notation: Notation,
        budget: &Budget,
        count: &Count,
        resources: &Resources,
    ) -> Result<Solved, Refusal>;

    /// The exact result of every move.
    fn judge(
        &mut self,
        demand: Demand,
        budget: &Budget,
        count: &Count,
        resources: &Resources,
    ) -> Result<Vec<Judged>, Refusal>;

    /// Searches until the limit and tells what it knows every so often. The game must not be over.
    fn analyse(
        &mut self,
        limits: &Limits,
        setting: Setting<'_>,
        tell: &mut dyn FnMut(Analysis),
    ) -> Result<Analysis, Refusal>;
}

/// What an agent needs beside the position.
pub(crate) struct Setting<'a> {
    pub(crate) resources: &'a Resources,
    pub(crate) budget: &'a Budget,
    pub(crate) random: &'a mut Random,
}

/// What is to be proved, with how much memory.
#[derive(Clone, Copy)]
pub(crate) struct Demand {
    pub(crate) question: Question,
    pub(crate) memory: usize,
}

impl Demand {
    pub(crate) fn query(self) -> Query {
        Query {
            question: self.question,
            memory: Some(self.memory),
            ..Query::default()
        }
    }
}

/// How long an analysis goes on.
pub(crate) struct Limits {
    pub(crate) options: Mcts,
    /// The most simulations.
    pub(crate) simulations: u64,
    /// When it ends at the latest.
    pub(crate) deadline: Option<Instant>,
    /// How often it tells what it knows.
    pub(crate) every: Duration,
}

/// Why a move is not played.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unplayable {
    /// The text names no move on this board.
    NoMove,
    /// The rules do not allow it.
    Illegal,
}

/// What an agent has chosen.
pub(crate) struct Chosen {
    pub(crate) name: String,
    pub(crate) evaluation: Option<Evaluation>,
    pub(crate) effort: u64,
    pub(crate) remark: Option<String>,
}

/// What a solver has found.
pub(crate) struct Solved {
    /// `Some(None)` is a draw.
    pub(crate) winner: Option<Option<Color>>,
    pub(crate) score: Option<i32>,
    pub(crate) best: Option<String>,
    pub(crate) nodes: u64,
    pub(crate) algorithm: String,
    pub(crate) line: Vec<String>,
}

/// The exact result of a move.
pub(crate) struct Judged {
    pub(crate) name: String,
    pub(crate) winner: Option<Option<Color>>,
    pub(crate) score: Option<i32>,
}

/// What a tree search knows.
pub(crate) struct Analysis {
    pub(crate) simulations: u64,
    /// The result of best play for the side to move, if that is proved.
    pub(crate) outcome: Option<Outcome>,
    /// Best first.
    pub(crate) moves: Vec<Statistics>,
}

/// What a tree search knows of a move.
pub(crate) struct Statistics {
    pub(crate) name: String,
    pub(crate) visits: u64,
    pub(crate) mean: f64,
    pub(crate) proved: Option<Outcome>,
    /// How the search thinks the game goes on, this move first.
    pub(crate) line: Vec<String>,
}

/// A table for a game at its start.
pub(crate) fn open(
    variant: Variant,
    start: &Start,
    to_move: Option<char>,
) -> Result<Box<dyn Table>, Refusal> {
    let game = AnyGame::open(variant, start, to_move).map_err(Refusal::new)?;
    with_game!(
        game,
        |game, start| Ok(Box::new(Seats::new(game, start))),
        Err(Refusal(format!(
            "{variant} has no two sides that move in turn"
        )))
    )
}

/// The side that a word or a letter names.
pub(crate) fn side(text: &str) -> Result<char, Refusal> {
    let mut letters = text.chars();
    match (text, letters.next(), letters.next()) {
        ("black", ..) => Ok('x'),
        ("white", ..) => Ok('o'),
        (_, Some(letter), None) => Ok(letter),
        _ => Err(Refusal(format!(
            "'{}' is no side: x, o, black or white",
            excerpt(text)
        ))),
    }
}
