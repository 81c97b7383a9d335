//! What every player can do: choose a move.

use upstar_games::{Game, Random};
use upstar_jobs::Budget;
use upstar_solve::Outcome;

/// A player of one game on one board, made for its rules.
pub trait Agent<G: Game>: Send {
    /// A new game begins: the agent forgets everything of earlier games that could change what it
    /// chooses. Called before every game, the first included; an agent that has not been asked for a
    /// move since it was made has nothing to forget. Afterwards the agent chooses as a new one would,
    /// so that results do not depend on which thread played which game.
    ///
    /// # Errors
    /// If the agent cannot begin anew, as when there is no memory.
    fn begin_game(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    /// Chooses a legal move; the game must not be over. All randomness comes from `random`: the same
    /// turn and the same generator give the same choice, unless the agent's own limit is a time.
    ///
    /// # Errors
    /// If the agent cannot go on, as when an outside program has ended, or gives up. The game is lost then.
    fn choose(&mut self, turn: &Turn<'_, G>, random: &mut Random)
    -> Result<Choice<G::Move>, Fault>;

    /// Thinks while the other side is to move, until the turn's budget is over or there is nothing left to
    /// think about. It makes later choices better, and nothing else. Agents that remember nothing do not.
    fn ponder(&mut self, _turn: &Turn<'_, G>) {}
}

/// What an agent is told when it is to move: the whole game so far, so that it may keep what it
/// knows from one turn to the next, or notice that a move was taken back.
pub struct Turn<'a, G: Game> {
    /// Where the game began.
    pub start: &'a G::Position,
    /// The moves since then.
    pub moves: &'a [G::Move],
    /// The position now.
    pub position: &'a G::Position,
    /// What may be spent at most, beside the agent's own limit: the clock, or somebody who says stop.
    pub budget: &'a Budget,
}

/// A move, and what its agent thinks of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<M> {
    /// The move.
    pub mv: M,
    /// What it leads to for the side that plays it, if the agent has an opinion.
    pub evaluation: Option<Evaluation>,
    /// How many playouts, simulations or positions it took.
    pub effort: u64,
    /// What a user should know, like a proof that was given up.
    pub remark: Option<String>,
}

impl<M> Choice<M> {
    /// A move without opinion.
    pub fn of(mv: M) -> Self {
        Self {
            mv,
            evaluation: None,
            effort: 0,
            remark: None,
        }
    }
}

/// What a move leads to, for the side that plays it. What is proved and what is guessed look
/// different.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evaluation {
    /// The result of best play, with proof.
    Proved(Outcome),
    /// The mean result to be expected, from −1 (lost) to 1 (won).
    Expected(f64),
}

/// Why an agent cannot go on. One who gives the game up is not to blame: see [`Fault::resignation`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fault(pub String);

impl Fault {
    /// What a resignation says, and nothing else.
    const RESIGNS: &str = "the player resigns";

    /// The game is given up.
    #[must_use]
    pub fn resignation() -> Self {
        Self(Self::RESIGNS.to_owned())
    }

    /// Whether the game was given up, and nothing went wrong.
    #[must_use]
    pub fn is_resignation(&self) -> bool {
        self.0 == Self::RESIGNS
    }
}
