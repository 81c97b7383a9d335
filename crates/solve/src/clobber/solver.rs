//! The solver for Clobber that users meet: positions in, verdicts out.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use upstar_games::clobber::Move;
use upstar_games::{Cells, Clobber, Color, Game, Position, Rules, Variant};
use upstar_proof::clobber::{Arena, Claim, WriteOptions, write_file};
use upstar_proof::{WriteError, Written};

use super::engine::{Engine, Plan, engine};
use super::finding;
use super::model::Model;
use super::proving::Proving;
use super::samples::Samples;
use super::technique::Technique;
use super::value_table::ValueTable;
use super::weights::Weights;
use crate::answer::{Algorithm, Answer, Outcome};
use crate::error::SolveError;
use crate::journal::SearchName;
use crate::key::Key;
use crate::prover::{Look, LookedMove};
use upstar_jobs::{Budget, Finding, Ledger, MemoryLease, Unwatched, Watch};

/// How a solver is to work.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The most memory to use, in bytes, the value table included.
    pub memory: usize,
    /// How many threads search.
    pub threads: usize,
    /// The order in which moves are tried; `None` for the weights that come with the program.
    pub weights: Option<Weights>,
    /// A technique to do without, to see what it is worth.
    pub without: Option<Technique>,
    /// Where the memory of the search is leased.
    pub ledger: Ledger,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            threads: 1,
            weights: None,
            without: None,
            ledger: Ledger::unlimited(),
        }
    }
}

/// How many positions each move is tried with first when a winning move is looked for.
const FIRST_TRY: u64 = 16;

/// A solver for positions on one board. It remembers what it has found.
pub struct Solver<B> {
    rules: Clobber<B>,
    values: Arc<ValueTable>,
    engine: Box<dyn Engine>,
    lease: Arc<MemoryLease>,
}

impl<B: Cells> Solver<B> {
    /// A solver for positions of these rules with at most this many stones.
    ///
    /// # Errors
    /// If the value table is not about this board and these rules, or there is not enough memory.
    pub fn new(
        rules: &Clobber<B>,
        stones: usize,
        values: Arc<ValueTable>,
        settings: &Settings,
    ) -> Result<Self, SolveError> {
        // What the search needs apart from its two tables.
        const REST: usize = 16 << 20;
        const LEAST: usize = 1 << 16;
        if !values.serves(rules.board(), rules.is_cannibal()) {
            return Err(SolveError::OtherTable(values.kind()));
        }
        let memory = settings.memory.saturating_sub(values.bytes() + REST);
        // Small positions do not fill large tables, and fresh memory costs time.
        let exponent = match values.kind().rows {
            1 => stones / 3 + 6,
            2 => stones * 3 / 4 + 1,
            _ => stones.saturating_sub(2),
        };
        let enough = 1usize.checked_shl(exponent as u32).unwrap_or(usize::MAX);
        let model = match (settings.without, &settings.weights) {
            (Some(Technique::Order), _) => Arc::new(Model::new(&Weights::none())),
            (_, Some(weights)) => Arc::new(Model::new(weights)),
            (_, None) => Model::shipped(values.kind()),
        };
        let memory = memory.min(enough).max(LEAST);
        let lease = settings.ledger.up_to(memory, LEAST)?;
        let plan = Plan {
            memory: lease.bytes(),
            threads: settings.threads,
            model,
            without: settings.without,
        };
        Ok(Self {
            rules: rules.clone(),
            values: Arc::clone(&values),
            engine: engine(rules.board(), values, rules.is_cannibal(), &plan)
                .map_err(|error| SolveError::NoRoom(plan.memory, error))?,
            lease: Arc::new(lease),
        })
    }

    /// Who wins a position, and by which move.
    pub fn solve(
        &mut self,
        position: &Position<B>,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Answer<Move> {
        let (win, mut nodes) = self.wins(position, budget, watch);
        let best = match win {
            None => None,
            Some(false) => self.rules.moves(position).next(),
            Some(true) => {
                let known = {
                    let mut moves = self.rules.moves(position);
                    moves.find(|&mv| self.known(position, mv) == Some(false))
                };
                known.or_else(|| {
                    // Forgotten, or so simple that it was not noted: then it is soon found again.
                    let left = budget.node_limit().map(|most| most.saturating_sub(nodes));
                    let most = left.unwrap_or(u64::MAX);
                    let (best, more) = self.winning_move(position, most, budget);
                    nodes += more;
                    best
                })
            }
        };
        let outcome = win.map(|win| if win { Outcome::Win } else { Outcome::Loss });
        Answer {
            // Every move of a lost position loses: none of them is a line worth telling.
            line: best.filter(|_| win == Some(true)).into_iter().collect(),
            ..Answer::of_outcome(position.to_move, Algorithm::Sums, outcome, best, nodes)
        }
    }

    /// A move that wins a won position, and after how many more positions. Most often it is known and
    /// costs nothing; if it was forgotten, all moves are tried with more and more effort, so that a hard
    /// one is not in the way of an easy one. Only the first try of each move, [`FIRST_TRY`] positions, may
    /// exceed `most`.
    pub(crate) fn winning_move(
        &mut self,
        position: &Position<B>,
        most: u64,
        budget: &Budget,
    ) -> (Option<Move>, u64) {
        let moves: Vec<Move> = self.rules.moves(position).collect();
        let (mut nodes, mut each) = (0, FIRST_TRY);
        loop {
            for &mv in &moves {
                let next = self.rules.play_unchecked(position, mv);
                if self.rules.is_over(&next) {
                    return (Some(mv), nodes);
                }
                let left = most.saturating_sub(nodes);
                let share = budget.clone().with_nodes(each.min(left.max(FIRST_TRY)));
                let (win, more) = self.wins(&next, &share, &Unwatched);
                nodes += more;
                if win == Some(false) {
                    return (Some(mv), nodes);
                }
                if each > FIRST_TRY && nodes >= most {
                    return (None, nodes);
                }
            }
            if budget.is_over() || nodes >= most {
                return (None, nodes);
            }
            each = each.saturating_mul(4);
        }
    }

    /// Empties the table of results, so that the system has found its memory before the first search.
    pub fn warm(&mut self) {
        self.engine.table().clear();
    }

    /// Another solver with the same table of results: what one finds the other knows.
    #[must_use]
    pub fn share(&self) -> Self {
        Self {
            rules: self.rules.clone(),
            values: Arc::clone(&self.values),
            engine: self.engine.share(),
            lease: Arc::clone(&self.lease),
        }
    }

    /// Whether the side to move wins, if that is known without a search.
    pub(crate) fn known_result(&self, position: &Position<B>) -> Option<bool> {
        let stones = position.stones().map(Into::into);
        self.engine.known_result(stones, position.to_move.index())
    }

    /// What can be said of a position without a search.
    #[must_use]
    pub fn look(&self, position: &Position<B>) -> Look<Position<B>> {
        let stones = position.stones().map(Into::into);
        let idle = B::from_wide(self.engine.idle(stones));
        let left = Position {
            own: position.own & !idle,
            opponent: position.opponent & !idle,
            to_move: position.to_move,
        };
        let moves: Vec<[usize; 2]> = self
            .rules
            .moves(&left)
            .map(|mv| [mv.from.index(), mv.to.index()])
            .collect();
        let (stones, mover) = (left.stones().map(Into::into), left.to_move.index());
        let sight = self.engine.look(stones, mover, &moves);
        let outcome = |win: bool| if win { Outcome::Win } else { Outcome::Loss };
        let mut first = HashMap::with_capacity(moves.len());
        let is_looked_at = sight.moves.len() == moves.len();
        let mut best = is_looked_at.then_some(Outcome::Loss);
        let looked = |(index, &(key, win)): (usize, &(Key, Option<bool>))| {
            let found = win.map(|win| outcome(!win));
            best = match (best, found) {
                (Some(Outcome::Win), _) | (_, Some(Outcome::Win)) => Some(Outcome::Win),
                (None, _) | (_, None) => None,
                (best, _) => best,
            };
            LookedMove {
                same_as: *first.entry(key).or_insert(index),
                outcome: found,
            }
        };
        let moves = sight.moves.iter().enumerate().map(looked).collect();
        Look {
            position: left,
            moves,
            outcome: sight.win.map(outcome).or(best),
            expected: sight.expected,
        }
    }

    /// The rules by which it solves.
    pub(crate) fn rules(&self) -> &Clobber<B> {
        &self.rules
    }

    /// Whether the side to move wins, and after how many nodes.
    pub fn wins(
        &mut self,
        position: &Position<B>,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> (Option<bool>, u64) {
        let stones = position.stones().map(Into::into);
        self.engine
            .wins(stones, position.to_move.index(), budget, watch)
    }

    /// Whether the side then to move wins after this move, if that has been found.
    fn known(&self, position: &Position<B>, mv: Move) -> Option<bool> {
        let next = self.rules.play_unchecked(position, mv);
        if self.rules.score(&next).is_some() {
            return Some(false);
        }
        let stones = next.stones().map(Into::into);
        let key = self.engine.key(stones, next.to_move.index());
        self.engine.table().get(key)
    }

    /// Writes a proof that `winner` wins this position into a file, which appears only when it is whole.
    ///
    /// # Errors
    /// If the budget is spent first, the claim is wrong, or the file cannot be written.
    pub fn prove(
        &mut self,
        position: &Position<B>,
        winner: Color,
        file: &Path,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Written, WriteError> {
        let cannibal = self.rules.is_cannibal();
        let claim = Claim {
            variant: if cannibal {
                Variant::Cannibal
            } else {
                Variant::Clobber
            },
            setup: self.rules.setup(position),
            to_move: position.to_move,
            winner,
        };
        let board = self.rules.board();
        let arena = Arena::new(claim.variant, board).expect("this is Clobber");
        let values = Arc::clone(&self.values);
        let mut oracle = Proving::new(&mut *self.engine, board, values, arena, budget);
        // Measured: larger lemmas save positions, and cost more to check, except where shapes are few.
        let options = WriteOptions {
            leaf_stones: 12,
            lemma_stones: if self.values.kind().rows <= 2 { 10 } else { 8 },
            ..WriteOptions::default()
        };
        write_file(file, &claim, &mut oracle, &options, budget, watch)
    }

    /// Takes over a result that was found before; see [`Watch::found`].
    pub fn remember(&mut self, finding: &Finding) {
        let (win, nodes) = finding::unpack(finding);
        self.engine.table().put(finding.key, win, nodes);
    }

    /// The searches whose findings are of use to this one.
    #[must_use]
    pub fn search_name(&self) -> SearchName {
        finding::search_name(self.values.kind())
    }

    /// Searches with this many threads from now on, at least one and at most as many as the settings say.
    pub fn use_threads(&mut self, threads: usize) {
        self.engine.use_threads(threads);
    }

    /// The bytes of its table of results.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.lease.bytes()
    }

    /// The share of the table of results that is in use.
    #[must_use]
    pub fn fill(&self) -> f64 {
        self.engine.table().fill()
    }

    /// From now on keeps what the first thread solves.
    pub(crate) fn collect(&mut self) {
        self.engine.collect();
    }

    /// What was kept since the last call.
    pub(crate) fn collected(&mut self) -> Samples {
        self.engine.collected()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clobber::{Need, ValueTables};
    use upstar_games::AnyGame;

    /// The search for a winning move of a position that is far too hard.
    fn winning_move(most: u64, budget: &Budget) -> (bool, u64, usize) {
        let game = AnyGame::parse("clobber", "8x8").unwrap();
        let AnyGame::Clobber64(rules, start) = &game else {
            unreachable!("64 cells fit into a word")
        };
        let need = Need {
            board: rules.board(),
            stones: 64,
            cannibal: false,
            memory: 64 << 20,
            patient: false,
        };
        let values = ValueTables::in_memory().serving(need, &Budget::unlimited(), &Unwatched);
        let settings = Settings {
            memory: 64 << 20,
            ..Settings::default()
        };
        let mut solver = Solver::new(rules, 64, values.unwrap(), &settings).unwrap();
        let (mv, nodes) = solver.winning_move(start, most, budget);
        (mv.is_some(), nodes, rules.moves(start).count())
    }

    #[test]
    fn the_search_for_a_winning_move_obeys_the_budget() {
        for most in [0, 1000, 20_000] {
            let (found, nodes, moves) = winning_move(most, &Budget::unlimited());
            let limit = most.max(FIRST_TRY * moves as u64) + FIRST_TRY;
            assert!(!found && nodes <= limit, "{most}: {nodes} positions");
        }
        let cancelled = Budget::unlimited();
        cancelled.cancel();
        let (found, nodes, moves) = winning_move(u64::MAX, &cancelled);
        assert!(
            !found && nodes <= FIRST_TRY * moves as u64,
            "{nodes} positions"
        );
    }
}
