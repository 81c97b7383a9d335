//! Exact results for whoever watches: solvers of all games with the number of nodes while they run, and
//! the score where a game has one.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use upstar_agents::{Playable, Resources};
use upstar_games::othello::{self, Reversi};
use upstar_games::{Board, Cells, Clobber, Game, Othello, Position, Rules, clobber};
use upstar_jobs::Budget;
use upstar_solve::clobber::{Kind, Settings, Solver, ValueTable};
use upstar_solve::othello::{Progress, Question, Solved, plain};
use upstar_solve::{Outcome, Verdict};

use crate::refusal::Refusal;

/// What was found.
pub(crate) struct Found<M> {
    /// Who wins, and by which move.
    pub(crate) verdict: Verdict<M>,
    /// Discs of `x` less those of `o` at the end, if that was asked for and proved.
    pub(crate) score: Option<i32>,
    /// Best play to the end, where the solver tells it.
    pub(crate) line: Vec<M>,
}

/// A solver that remembers what it has found.
pub(crate) trait Expert<G: Game>: Send {
    /// Solves a position in which the game is not over.
    fn solve(
        &mut self,
        position: &G::Position,
        question: Question,
        budget: &Budget,
        count: &Count,
    ) -> Found<G::Move>;
}

/// A game with an expert.
pub(crate) trait Solvable: Playable {
    /// The name of the way it is solved, as `upstar solve` gives it.
    const ALGORITHM: &'static str;

    /// An expert for positions of at most so many stones (Clobber), with this much memory.
    fn expert(
        &self,
        stones: usize,
        resources: &Resources,
        memory: usize,
    ) -> Result<Box<dyn Expert<Self>>, Refusal>;
}

/// How many positions were looked at so far, for another thread to read.
#[derive(Default)]
pub(crate) struct Count {
    /// In searches that have ended.
    before: AtomicU64,
    now: AtomicU64,
}

impl Count {
    pub(crate) fn nodes(&self) -> u64 {
        self.before.load(Ordering::Relaxed) + self.now.load(Ordering::Relaxed)
    }

    /// A search has ended after so many nodes.
    fn add(&self, nodes: u64) {
        self.now.store(0, Ordering::Relaxed);
        self.before.fetch_add(nodes, Ordering::Relaxed);
    }
}

impl upstar_solve::clobber::Watch for Count {
    fn nodes(&self, nodes: u64) {
        self.now.store(nodes, Ordering::Relaxed);
    }
}

impl upstar_solve::othello::Watch for Count {
    fn progress(&self, progress: Progress) {
        self.now.store(progress.nodes, Ordering::Relaxed);
    }
}

fn no_room(memory: usize, error: &io::Error) -> Refusal {
    let megabytes = memory >> 20;
    Refusal(format!(
        "there is no room for a table of {megabytes} MB: {error}"
    ))
}

/// Where there is no value table yet, one for this much memory is made: that takes a tenth of a second,
/// and nobody who waits for an answer waits for minutes.
const SMALL: usize = 64 << 20;

impl<B: Cells> Solvable for Clobber<B>
where
    Self: Playable,
{
    const ALGORITHM: &'static str = "sums";

    fn expert(
        &self,
        stones: usize,
        resources: &Resources,
        memory: usize,
    ) -> Result<Box<dyn Expert<Self>>, Refusal> {
        let (board, cannibal) = (self.board(), self.is_cannibal());
        let values = match board {
            Board::Graph(_) => Arc::new(ValueTable::of_graph(board, cannibal)),
            Board::Grid(grid) => {
                let tables = &resources.value_tables;
                let serving = |memory| Kind::serving(grid.rows(), stones, cannibal, memory);
                let mut kind = serving(memory);
                if !tables.has(kind) {
                    kind = serving(memory.min(SMALL));
                }
                tables.open(kind, 1, &mut |_| {}).map_err(Refusal::new)?
            }
        };
        let settings = Settings {
            memory,
            ..Settings::default()
        };
        let solver = Solver::new(self, stones, values, &settings);
        Ok(Box::new(solver.map_err(|error| no_room(memory, &error))?))
    }
}

impl<B: Cells> Expert<Clobber<B>> for Solver<B> {
    fn solve(
        &mut self,
        position: &Position<B>,
        _: Question,
        budget: &Budget,
        count: &Count,
    ) -> Found<clobber::Move> {
        let verdict = Self::solve(self, position, budget, count);
        count.add(verdict.nodes);
        // Every move of a lost position loses: none of them is an answer.
        let line = match verdict.outcome {
            Some(Outcome::Win) => verdict.best.into_iter().collect(),
            _ => Vec::new(),
        };
        Found {
            verdict,
            score: None,
            line,
        }
    }
}

fn found(solved: Solved, count: &Count) -> Found<othello::Move> {
    count.add(solved.verdict.nodes);
    Found {
        verdict: solved.verdict,
        score: solved.score,
        line: solved.line,
    }
}

impl Solvable for Othello<u64> {
    const ALGORITHM: &'static str = "alpha-beta";

    fn expert(
        &self,
        _: usize,
        _: &Resources,
        memory: usize,
    ) -> Result<Box<dyn Expert<Self>>, Refusal> {
        let solver = upstar_solve::othello::Solver::new(self, memory, 1);
        Ok(Box::new(solver.map_err(|error| no_room(memory, &error))?))
    }
}

impl Expert<Othello<u64>> for upstar_solve::othello::Solver {
    fn solve(
        &mut self,
        position: &Position<u64>,
        question: Question,
        budget: &Budget,
        count: &Count,
    ) -> Found<othello::Move> {
        found(Self::solve(self, position, question, budget, count), count)
    }
}

/// For boards and variants of Othello that the fast solver does not know.
struct Plain<G> {
    game: G,
    memory: usize,
}

impl<G: Game<Move = othello::Move>> Expert<G> for Plain<G> {
    fn solve(
        &mut self,
        position: &G::Position,
        question: Question,
        budget: &Budget,
        count: &Count,
    ) -> Found<othello::Move> {
        let Self { game, memory } = self;
        found(
            plain::solve(game, position, question, false, *memory, budget),
            count,
        )
    }
}

macro_rules! plainly {
    () => {
        const ALGORITHM: &'static str = "alpha-beta";

        fn expert(
            &self,
            _: usize,
            _: &Resources,
            memory: usize,
        ) -> Result<Box<dyn Expert<Self>>, Refusal> {
            let game = self.clone();
            Ok(Box::new(Plain { game, memory }))
        }
    };
}

impl Solvable for Othello<u128> {
    plainly!();
}

impl Solvable for Reversi<u64> {
    plainly!();
}

impl Solvable for Reversi<u128> {
    plainly!();
}
