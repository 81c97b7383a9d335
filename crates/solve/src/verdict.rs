//! What a solver has to say: the result of best play, or that it was not found in time.

/// The result of best play for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The side to move loses.
    Loss,
    /// Nobody wins.
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
}

/// The answer of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict<M> {
    /// The proved result, `None` if the budget was spent first.
    pub outcome: Option<Outcome>,
    /// A move that reaches it, if there is a move and a result.
    pub best: Option<M>,
    /// How many positions were looked at.
    pub nodes: u64,
}
