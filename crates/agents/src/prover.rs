//! Solvers as agents use them: a position in, a verdict out, and what was found stays known.

use std::sync::Arc;
use std::time::Duration;

use upstar_games::othello;
use upstar_games::{Board, Cells, Clobber, Game, Othello, Position, Rules, clobber};
use upstar_jobs::Budget;
use upstar_solve::clobber::{Kind, Settings, Solver, Unwatched, ValueTable};
use upstar_solve::othello::{Question, plain};
use upstar_solve::{Outcome, Verdict};

use crate::playable::Playable;
use crate::resources::Resources;
use crate::word::WordError;

/// Who wins a position, with proof, if the budget lasts.
pub trait Prover<G: Game>: Send {
    /// Who wins, and by which move, if that is found within so many positions and the budget.
    fn prove(&mut self, position: &G::Position, most: u64, budget: &Budget) -> Verdict<G::Move>;

    /// Who wins, if that is found within so many positions and the budget.
    fn outcome(&mut self, position: &G::Position, most: u64, budget: &Budget) -> Option<Outcome> {
        self.prove(position, most, budget).outcome
    }
}

/// All moves of a position with the results of best play after them, for the side that moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedMoves<M>(Vec<(M, Outcome)>);

impl<M: Copy + PartialEq> JudgedMoves<M> {
    /// The result of best play; `None` without moves.
    #[must_use]
    pub fn best(&self) -> Option<Outcome> {
        self.0.iter().map(|(_, outcome)| *outcome).max()
    }

    /// The result after a move; `None` if there is no such move.
    #[must_use]
    pub fn after(&self, mv: M) -> Option<Outcome> {
        let judged = self.0.iter().find(|(judged, _)| *judged == mv);
        judged.map(|(_, outcome)| *outcome)
    }

    /// The moves that keep the result of best play.
    pub fn keeping(&self) -> impl Iterator<Item = M> {
        let best = self.best();
        let keeping = self.0.iter().filter(move |(_, it)| Some(*it) == best);
        keeping.map(|(mv, _)| *mv)
    }

    /// All moves, with the results after them.
    #[must_use]
    pub fn into_moves(self) -> Vec<(M, Outcome)> {
        self.0
    }

    /// Whether this one does.
    #[must_use]
    pub fn keeps(&self, mv: M) -> bool {
        self.keeping().any(|keeping| keeping == mv)
    }

    /// Whether some move does not: a result could be thrown away.
    #[must_use]
    pub fn is_decision(&self) -> bool {
        self.keeping().count() < self.0.len()
    }
}

/// Judges all moves of a position. `None` if it takes more
/// than this many positions, of which each move gets the same share, if there is no hope that they are enough, or if
/// somebody says stop.
pub fn judged_moves<G: Playable>(
    game: &G,
    prover: &mut dyn Prover<G>,
    position: &G::Position,
    most: u64,
    stop: &dyn Fn() -> bool,
) -> Option<JudgedMoves<G::Move>> {
    let budget = Budget::unlimited();
    let each = most / game.moves(position).count().max(1) as u64;
    if game.is_hopeless(position, each) {
        return None;
    }
    let judged = game.moves(position).map(|mv| {
        if stop() {
            return None;
        }
        let next = game.play_unchecked(position, mv);
        let outcome = match game.score(&next) {
            Some(score) => Outcome::of_score(score),
            None => prover.outcome(&next, each, &budget)?,
        };
        Some((mv, outcome.reversed()))
    });
    judged.collect::<Option<_>>().map(JudgedMoves)
}

/// Where there is no value table yet, one for this much memory is made: that takes a tenth of a second.
const SMALL: usize = 64 << 20;

/// The memory that a search can make use of in this time, in bytes: fresh memory takes time itself.
pub(crate) fn memory_for(time: Duration) -> usize {
    const EACH_SECOND: f64 = (64 << 20) as f64;
    const LEAST: usize = 1 << 20;
    ((time.as_secs_f64() * EACH_SECOND) as usize).max(LEAST)
}

/// The same budget for at most so many positions.
fn limited(budget: &Budget, most: u64) -> Budget {
    match most {
        u64::MAX => budget.clone(),
        _ => budget.clone().with_nodes(most),
    }
}

fn no_room(memory: usize, error: &std::io::Error) -> WordError {
    let megabytes = memory >> 20;
    WordError(format!(
        "there is no room for a table of {megabytes} MB: {error}"
    ))
}

/// Clobber, by sums of components.
pub(crate) struct ClobberProver<B> {
    game: Clobber<B>,
    solver: Solver<B>,
}

impl<B: Cells> ClobberProver<B> {
    pub(crate) fn new(
        game: &Clobber<B>,
        resources: &Resources,
        memory: usize,
    ) -> Result<Self, WordError> {
        let (board, cannibal) = (game.board(), game.is_cannibal());
        let stones = board.cells().len() as usize;
        let values = match board {
            Board::Graph(_) => Arc::new(ValueTable::of_graph(board, cannibal)),
            Board::Grid(grid) => {
                let tables = &resources.value_tables;
                let serving = |memory| Kind::serving(grid.rows(), stones, cannibal, memory);
                let mut kind = serving(memory);
                if !tables.has(kind) {
                    kind = serving(memory.min(SMALL));
                }
                let opened = tables.open(kind, 1, &mut |_| {});
                opened.map_err(|error| WordError(error.to_string()))?
            }
        };
        let settings = Settings {
            memory,
            ..Settings::default()
        };
        let solver = Solver::new(game, stones, values, &settings);
        let solver = solver.map_err(|error| no_room(memory, &error))?;
        let game = game.clone();
        Ok(Self { game, solver })
    }
}

impl<B: Cells> ClobberProver<B> {
    /// A move that wins a won position, and after how many more positions. Most often it is known and costs
    /// nothing; if it was forgotten, all moves are tried with more and more effort, so that a hard one is
    /// not in the way of an easy one.
    fn winning_move(
        &mut self,
        position: &Position<B>,
        budget: &Budget,
    ) -> (Option<clobber::Move>, u64) {
        let moves: Vec<clobber::Move> = self.game.moves(position).collect();
        let (mut nodes, mut each) = (0, 16u64);
        loop {
            for &mv in &moves {
                let next = self.game.play_unchecked(position, mv);
                if self.game.is_over(&next) {
                    return (Some(mv), nodes);
                }
                let budget = limited(budget, each);
                let (win, more) = self.solver.wins(&next, &budget, &Unwatched);
                nodes += more;
                if win == Some(false) {
                    return (Some(mv), nodes);
                }
            }
            if budget.is_over() {
                return (None, nodes);
            }
            each = each.saturating_mul(4);
        }
    }
}

impl<B: Cells> Prover<Clobber<B>> for ClobberProver<B> {
    fn prove(
        &mut self,
        position: &Position<B>,
        most: u64,
        budget: &Budget,
    ) -> Verdict<clobber::Move> {
        let (win, nodes) = self
            .solver
            .wins(position, &limited(budget, most), &Unwatched);
        let (best, more) = match win {
            Some(true) => self.winning_move(position, budget),
            Some(false) => (self.game.moves(position).next(), 0),
            None => (None, 0),
        };
        // A win without its move is of no use to a player.
        let win = win.filter(|_| best.is_some());
        Verdict {
            outcome: win.map(outcome),
            best,
            nodes: nodes + more,
        }
    }

    fn outcome(&mut self, position: &Position<B>, most: u64, budget: &Budget) -> Option<Outcome> {
        let budget = limited(budget, most);
        let (win, _) = self.solver.wins(position, &budget, &Unwatched);
        win.map(outcome)
    }
}

fn outcome(win: bool) -> Outcome {
    if win { Outcome::Win } else { Outcome::Loss }
}

/// Othello on at most 64 cells.
pub(crate) struct OthelloProver(upstar_solve::othello::Solver);

impl OthelloProver {
    pub(crate) fn new(game: &Othello<u64>, memory: usize) -> Result<Self, WordError> {
        let solver = upstar_solve::othello::Solver::new(game, memory, 1);
        solver.map(Self).map_err(|error| no_room(memory, &error))
    }
}

impl Prover<Othello<u64>> for OthelloProver {
    fn prove(
        &mut self,
        position: &Position<u64>,
        most: u64,
        budget: &Budget,
    ) -> Verdict<othello::Move> {
        let nobody = upstar_solve::othello::Unwatched;
        let budget = limited(budget, most);
        let solved = self.0.solve(position, Question::Winner, &budget, &nobody);
        solved.verdict
    }
}

/// Games with Othello's moves that the fast search does not know.
pub(crate) struct PlainProver<G> {
    game: G,
    memory: usize,
}

impl<G: Clone> PlainProver<G> {
    #[expect(clippy::unnecessary_wraps, reason = "made like the other provers")]
    pub(crate) fn new(game: &G, memory: usize) -> Result<Self, WordError> {
        let game = game.clone();
        Ok(Self { game, memory })
    }
}

impl<G: Game<Move = othello::Move>> Prover<G> for PlainProver<G> {
    fn prove(
        &mut self,
        position: &G::Position,
        most: u64,
        budget: &Budget,
    ) -> Verdict<othello::Move> {
        // Its table is made anew each time, so it is no larger than it has to be: it is filled before the
        // search begins.
        const LEAST: u64 = 1 << 20;
        const EACH: u64 = 256;
        let enough = most.saturating_mul(EACH).max(LEAST);
        let enough = usize::try_from(enough).unwrap_or(usize::MAX);
        let affordable = budget.time_left().map_or(usize::MAX, memory_for);
        let memory = self.memory.min(enough).min(affordable);
        let budget = limited(budget, most);
        let question = Question::Winner;
        plain::solve(&self.game, position, question, false, memory, &budget).verdict
    }
}
