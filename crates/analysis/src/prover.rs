//! Who proves: the one solver, asked again and again with more positions.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use upstar_agents::{Playable, ProofPlan, Wanted};
use upstar_games::{AnyGame, Cells, Color, with_game};
use upstar_jobs::{Budget, Watch};
use upstar_solve::{Answer, Outcome, Query, SolveError, Solver};

use crate::knowledge::Knowledge;
use crate::proved_results::ProvedResults;
use crate::state::State;

/// About so many positions a second are searched in Othello, to see whether there is hope.
const EACH_SECOND: f64 = 5e6;
/// Without a limit a proof may take about so long.
const LONG: Duration = Duration::from_secs(3600);

/// Whether the results of this game are scores.
pub(crate) fn has_score(game: &AnyGame) -> bool {
    fn discs<G: Playable>(_: &G) -> bool {
        G::HAS_DISCS
    }
    with_game!(game, |rules, _start| discs(rules), false)
}

/// How much of the game is left: stones, or empty cells.
pub(crate) fn left(game: &AnyGame) -> u32 {
    with_game!(game, |rules, start| rules.left(start), 0)
}

/// Whether a proof may be found in time. With n empty cells it takes about 2^n positions.
pub(crate) fn is_hopeful(game: &AnyGame, budget: &Budget) -> bool {
    if !has_score(game) {
        return true;
    }
    let time = budget.time_left().map_or(LONG, |time| time.min(LONG));
    let positions = (EACH_SECOND * time.as_secs_f64()).max(1.0);
    f64::from(left(game)) <= positions.log2() + 1.0
}

pub(crate) struct Prover<'a> {
    pub(crate) solver: &'a Solver,
    pub(crate) memory: usize,
    pub(crate) game: &'a AnyGame,
    pub(crate) state: &'a State,
    pub(crate) proved: Option<&'a ProvedResults>,
}

impl Prover<'_> {
    /// Proves as much as the budget allows.
    pub(crate) fn run(&self, budget: &Budget) -> Result<(), SolveError> {
        match has_score(self.game) {
            true => self.prove_scores(budget),
            false => self.prove_winners(budget),
        }
    }

    /// The position and its moves in rounds, each with four times the positions of the last.
    fn prove_winners(&self, budget: &Budget) -> Result<(), SolveError> {
        let query = Query {
            memory: Some(self.memory),
            ..Query::winner()
        };
        let moves = self.game.legal();
        // All results are worth the same, and nothing is known of their price: so there are rounds.
        let wanted = |key| Wanted {
            key,
            interest: 1.0,
            expected: 0.0,
        };
        let mut plan = ProofPlan::new();
        while !self.state.is_proved() && !budget.is_over() {
            let root = self.state.root().outcome.is_none().then_some(None);
            let open = self.state.open_moves();
            let place = |mv: &String| moves.iter().position(|other| other == mv);
            let keys = root.into_iter().chain(open.iter().map(place));
            let Some((key, nodes)) = plan.begin(keys.map(wanted), u64::MAX) else {
                break;
            };
            let limited = budget.clone().with_nodes(nodes);
            match key {
                None => self.prove_root(&query, &limited)?,
                Some(place) => self.prove_move(&moves[place], &query, &limited)?,
            }
            // What is proved is not wanted again.
            plan.end(key, nodes, false);
        }
        Ok(())
    }

    /// The score of the position, then of each other move.
    fn prove_scores(&self, budget: &Budget) -> Result<(), SolveError> {
        let query = Query {
            memory: Some(self.memory),
            ..Query::score()
        };
        self.prove_root(&query, budget)?;
        for mv in self.state.open_moves() {
            if budget.is_over() {
                break;
            }
            self.prove_move(&mv, &query, budget)?;
        }
        Ok(())
    }

    fn prove_root(&self, query: &Query, budget: &Budget) -> Result<(), SolveError> {
        let watch = Bounds {
            state: self.state,
            size: self.game.board().cells().len() as i32,
            nodes: AtomicU64::new(0),
        };
        let answer = self.solver.solve(self.game, query, budget, &watch)?;
        let known = known(&answer, self.game);
        let new = known.outcome.is_some() || known.at_least.is_some() || known.at_most.is_some();
        self.state.prove_root(&known);
        if let Some(best) = answer.best.filter(|_| answer.proved) {
            let line = match answer.line.first() == Some(&best) {
                true => answer.line,
                false => vec![best.clone()],
            };
            self.state.prove_move(&best, &known, line);
        }
        if let Some(proved) = self.proved.filter(|_| new) {
            proved.keep(self.game, &known);
        }
        Ok(())
    }

    fn prove_move(&self, mv: &str, query: &Query, budget: &Budget) -> Result<(), SolveError> {
        if self.state.is_move_proved(mv) {
            return Ok(());
        }
        let next = self.game.play(mv).expect("the move is legal");
        let (known, line) = match next.result() {
            Some(_) => (ended(&next), Vec::new()),
            None => {
                let watch = Count(self.state, AtomicU64::new(0));
                let answer = self.solver.solve(&next, query, budget, &watch)?;
                (known(&answer, &next), answer.line)
            }
        };
        if let Some(proved) = self.proved
            && (known.outcome.is_some() || known.at_least.is_some() || known.at_most.is_some())
        {
            proved.keep(&next, &known);
        }
        let line = std::iter::once(mv.to_owned()).chain(line).collect();
        self.state.prove_move(mv, &known.reversed(), line);
        Ok(())
    }
}

/// What the rules say of a finished game, for the side to move.
pub(crate) fn ended(game: &AnyGame) -> Knowledge {
    let Some(result) = game.result() else {
        return Knowledge::default();
    };
    let mover = game.side_to_move();
    if let Some(score) = result.score() {
        let black = mover.color() == Some(Color::Black);
        return Knowledge::of_score(if black { score } else { -score });
    }
    Knowledge::of_outcome(match result.winner() {
        Some(side) if side == mover => Outcome::Win,
        Some(_) => Outcome::Loss,
        None => Outcome::Draw,
    })
}

/// What an answer proves, for the side to move.
pub(crate) fn known(answer: &Answer, game: &AnyGame) -> Knowledge {
    let mut known = Knowledge {
        outcome: answer.outcome,
        ..Knowledge::default()
    };
    let size = game.board().cells().len() as i32;
    let bounds = answer.score.map(|score| (score, score)).or(answer.bounds);
    if let Some((low, high)) = bounds.filter(|_| has_score(game)) {
        let (low, high) = match game.side_to_move().color() == Some(Color::Black) {
            true => (low, high),
            false => (-high, -low),
        };
        let proved =
            |bound: i32, trivial: i32| Some(bound).filter(|_| bound != trivial || low == high);
        known.bound(proved(low, -size), proved(high, size));
    }
    known
}

/// Hears the bounds of the position while they are found, and how many positions that took.
struct Bounds<'a> {
    state: &'a State,
    size: i32,
    nodes: AtomicU64,
}

impl Watch for Bounds<'_> {
    fn nodes(&self, nodes: u64) {
        let before = self.nodes.fetch_max(nodes, Ordering::Relaxed);
        self.state.add_nodes(nodes.saturating_sub(before));
    }

    fn bounds(&self, lower: i32, upper: i32) {
        let mut known = Knowledge::default();
        let lower = Some(lower).filter(|&lower| lower > -self.size);
        let upper = Some(upper).filter(|&upper| upper < self.size);
        known.bound(lower, upper);
        self.state.prove_root(&known);
    }
}

/// Counts positions.
struct Count<'a>(&'a State, AtomicU64);

impl Watch for Count<'_> {
    fn nodes(&self, nodes: u64) {
        let before = self.1.fetch_max(nodes, Ordering::Relaxed);
        self.0.add_nodes(nodes.saturating_sub(before));
    }
}
