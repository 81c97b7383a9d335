//! How far long work is, told while it runs: one trait for searches, tables, proofs, trainings, reviews.
//!
//! What work brings forth before it ends (a game, a line of a log, an analysis so far) has a type of its
//! own, and goes to a closure called `told` instead.
//!
//! Every method has an empty default, so a watcher implements only what it wants to hear. Calls come
//! from any thread, and often: they must be cheap.

/// Told how long work goes.
pub trait Watch: Sync {
    /// This many positions were searched so far, by all threads.
    fn nodes(&self, _nodes: u64) {}

    /// This share of the work is done, from 0 to 1, where that is known: making a table, checking a
    /// proof.
    fn progress(&self, _share: f64) {}

    /// So many pieces of the work are done, of how many; `what` they are: games, batches, positions.
    fn pieces(&self, _what: &str, _done: u64, _of: u64) {}

    /// Clobber: this many of the first moves are refuted, of how many.
    fn first_moves(&self, _refuted: usize, _of: usize) {}

    /// Othello: the search asks now whether the score of the side to move is above this.
    fn above(&self, _score: i32) {}

    /// Othello: the score of the side to move at the root is proved to lie between these.
    fn bounds(&self, _lower: i32, _upper: i32) {}

    /// This share of the transposition table is in use.
    fn fill(&self, _share: f64) {}

    /// The result of a move is known, or known to stay open: `winner` is `x`, `o` or `draw`.
    fn judged(&self, _mv: &str, _winner: Option<&str>, _score: Option<i32>) {}

    /// This much of a proof is written.
    fn written(&self, _nodes: u64, _waiting: u64, _lemmas: u64) {}

    /// From how many nodes on a finding is worth keeping.
    fn least(&self) -> u64 {
        u64::MAX
    }

    /// A position below the root was decided after at least [`Watch::least`] nodes.
    fn found(&self, _finding: Finding) {}

    /// Whether others, who share no memory with this search, work on the same problem: then
    /// [`Watch::is_taken`] is asked.
    fn is_shared(&self) -> bool {
        false
    }

    /// Whether one of them is at work on the position with this key; then other moves are tried first.
    fn is_taken(&self, _key: u128) -> bool {
        false
    }

    /// The budget was spent here: the keys of the positions from the root to there.
    fn stopped_at(&self, _path: &[u128]) {}
}

/// A watcher that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}

/// A decided position as the journal of a long search keeps it. Only a search of the same kind can
/// read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Finding {
    /// The key of the position.
    pub key: u128,
    /// What was found, packed.
    pub found: u64,
}
