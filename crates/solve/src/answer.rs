//! What a solver has to say: the result of best play, or as much of it as was proved in time.

use std::fmt;

use upstar_games::{Color, Rules};

use crate::classic;

/// The result of best play for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The side to move loses.
    Loss,
    /// Neither side wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Outcome {
    /// The result of a finished game for the side with this score.
    #[must_use]
    pub fn of_score(score: i32) -> Self {
        match score {
            ..0 => Self::Loss,
            0 => Self::Draw,
            1.. => Self::Win,
        }
    }

    /// The result as a number for whoever has it: 1, 0 or -1.
    #[must_use]
    pub fn sign(self) -> i32 {
        match self {
            Self::Loss => -1,
            Self::Draw => 0,
            Self::Win => 1,
        }
    }

    /// The same result seen by the other side.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// The winner, where this side is to move: `x`, `o` or `draw`.
    #[must_use]
    pub fn winner(self, to_move: Color) -> &'static str {
        let winner = match self {
            Self::Draw => return "draw",
            Self::Win => to_move,
            Self::Loss => !to_move,
        };
        match winner {
            Color::Black => "x",
            Color::White => "o",
        }
    }
}

/// What is to be proved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Question {
    /// Who wins, or that neither side does.
    #[default]
    Winner,
    /// By how many discs; Clobber has no score, and is asked for the winner.
    Score,
}

/// How a position was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Clobber as a sum of components.
    Sums,
    /// Alpha-beta.
    AlphaBeta,
    /// One of the textbook algorithms.
    Classic(classic::Algorithm),
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sums => f.pad("sums"),
            Self::AlphaBeta => f.pad("alpha-beta"),
            Self::Classic(algorithm) => algorithm.fmt(f),
        }
    }
}

/// The answer of a solver, with moves by name, or as the rules have them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<M = String> {
    /// The side to move.
    pub to_move: Color,
    /// The proved result for the side to move; `None` if the budget was spent first.
    pub outcome: Option<Outcome>,
    /// Discs of `x` less those of `o` at the end, if that was asked for and proved.
    pub score: Option<i32>,
    /// What is proved of that score: it is at least the first and at most the second.
    pub bounds: Option<(i32, i32)>,
    /// A move that reaches the result, if there is one and it was found.
    pub best: Option<M>,
    /// Best play to the end, passes included, where the algorithm tells it; shorter if the budget was
    /// spent on the way. When only the winner is asked for, the loser's moves in it are arbitrary.
    pub line: Vec<M>,
    /// How many positions were searched.
    pub nodes: u64,
    /// Whether what was asked is proved.
    pub proved: bool,
    /// How it was found.
    pub algorithm: Algorithm,
}

impl<M> Answer<M> {
    /// An answer about the winner only.
    pub(crate) fn of_outcome(
        to_move: Color,
        algorithm: Algorithm,
        outcome: Option<Outcome>,
        best: Option<M>,
        nodes: u64,
    ) -> Self {
        Self {
            to_move,
            outcome,
            score: None,
            bounds: None,
            best,
            line: Vec::new(),
            nodes,
            proved: outcome.is_some(),
            algorithm,
        }
    }

    /// The winner: `x`, `o` or `draw`; `None` if that is not proved.
    #[must_use]
    pub fn winner(&self) -> Option<&'static str> {
        self.outcome.map(|outcome| outcome.winner(self.to_move))
    }

    /// The same answer with moves by name.
    #[must_use]
    pub fn named<R: Rules<Move = M>>(self, rules: &R) -> Answer
    where
        M: Copy,
    {
        let name = |&mv: &M| rules.move_name(mv);
        Answer {
            best: self.best.as_ref().map(name),
            line: self.line.iter().map(name).collect(),
            to_move: self.to_move,
            outcome: self.outcome,
            score: self.score,
            bounds: self.bounds,
            nodes: self.nodes,
            proved: self.proved,
            algorithm: self.algorithm,
        }
    }
}

/// The exact result of one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveAnswer<M = String> {
    /// The move.
    pub mv: M,
    /// What is proved of the position after it, where the other side is to move.
    pub answer: Answer<M>,
}

impl<M: Copy> MoveAnswer<M> {
    /// The same with moves by name.
    #[must_use]
    pub fn named<R: Rules<Move = M>>(self, rules: &R) -> MoveAnswer {
        MoveAnswer {
            mv: rules.move_name(self.mv),
            answer: self.answer.named(rules),
        }
    }
}
