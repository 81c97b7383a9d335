//! From questions about a position to searches with null windows, by one thread or several.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use upstar_games::othello::Move;
use upstar_games::{Grid, Othello, Position};
use upstar_machine::Isa;
use upstar_proof::othello::{Claim, WriteOptions, write_file};
use upstar_proof::{WriteError, Written};

use super::crew::Crew;
use super::discs::Discs;
use super::midgame::{Effort, Midgame, grid};
use super::order::{Judge, Order, choices};
use super::patterns::{DISC, Evaluation};
use super::probcut::ProbCut;
use super::proving::Proving;
use super::search::{Above, Search};
use super::space::Space;
use super::table::{NONE, Table, key};
use super::weights::{self, Fitted, Weights};
use super::{Question, answer, finding, line};
use crate::answer::Answer;
use crate::journal::SearchName;
use upstar_jobs::thread::{STACK, start};
use upstar_jobs::{Budget, Finding, Unwatched, Watch};

/// With fewer nodes than this a hard proof is out of reach, and nothing is prepared.
const FEWEST_NODES: u64 = 1 << 22;
/// The most memory for what prepares a proof.
const MOST_SCOUT_MEMORY: usize = 128 << 20;
/// How surely that searches, one after the other.
const SCOUT_LEVELS: [u8; 2] = [0, 1];
/// How many plies ahead the first guess at a score looks.
const LOOK_AHEAD: u32 = 6;

/// Solves positions on one board. What it has proved it remembers from one to the next.
pub struct Solver {
    pub(super) grid: Grid,
    pub(super) space: Space,
    pub(super) order: Order,
    table: Table,
    /// The selective search that prepares hard proofs, made when it is needed.
    scout: Mutex<Option<Midgame>>,
    /// Its margins, and how much memory it may have.
    probcut: ProbCut,
    scout_memory: usize,
    threads: usize,
    isa: Isa,
    /// How many positions were asked about, to know old results from new ones.
    asked: AtomicU8,
    looked: AtomicU64,
}

/// What is proved about a position's score, for the side to move, and a move that reaches the lower
/// bound if one is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
    pub(super) best: u8,
}

impl Solver {
    /// A solver with this many bytes for its table and this many threads, one at least. Each thread
    /// takes another quarter of a megabyte while it searches, and an evaluation up to three.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn new(game: &Othello<u64>, memory: usize, threads: usize) -> io::Result<Self> {
        let grid = grid(game);
        let space = Space::new(&grid, false);
        let fitted = weights::shipped(&grid);
        let scout_memory = (memory / 8).min(MOST_SCOUT_MEMORY);
        Ok(Self {
            probcut: fitted.as_ref().map(|it| it.probcut).unwrap_or_default(),
            order: Order::new(fitted.map(|it| it.evaluation), space.size),
            grid,
            space,
            table: Table::new(memory - scout_memory)?,
            scout: Mutex::new(None),
            scout_memory,
            threads: threads.max(1),
            isa: Isa::best(),
            asked: AtomicU8::new(0),
            looked: AtomicU64::new(0),
        })
    }

    /// The same solver for the tournament count, in which cells that stay empty go to the winner.
    #[must_use]
    pub fn with_empties_to_winner(mut self) -> Self {
        self.space.empties_to_winner = true;
        self
    }

    /// The same solver with other weights to order moves by, if some of them are for this board.
    #[must_use]
    pub fn with_weights(mut self, weights: &[Weights]) -> Option<Self> {
        let mut weights = weights.iter();
        let fitted = weights.find_map(|weights| Fitted::new(weights, &self.grid))?;
        self.probcut = fitted.probcut;
        Some(self.with_evaluation(Some(fitted.evaluation)))
    }

    /// The same solver with this evaluation, or with none.
    pub(super) fn with_evaluation(mut self, evaluation: Option<Arc<Evaluation>>) -> Self {
        self.order = Order::new(evaluation, self.space.size);
        self
    }

    /// Searches with this many threads from now on, one at least.
    pub fn use_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// The searches whose findings are of use to this one.
    #[must_use]
    pub fn search_name(&self) -> SearchName {
        let (rows, cols) = (self.grid.rows(), self.grid.cols());
        let holes = self.grid.holes() as u64;
        finding::search_name(rows, cols, holes, self.space.empties_to_winner)
    }

    /// How many positions were looked at so far only to order moves: those beside the nodes of answers.
    #[must_use]
    pub fn looked(&self) -> u64 {
        self.looked.load(Ordering::Relaxed)
    }

    fn look(&self, more: u64) {
        self.looked.fetch_add(more, Ordering::Relaxed);
    }

    /// Remembers what an earlier search for this position has found.
    pub fn remember(&self, position: &Position<u64>, findings: &[Finding]) {
        self.prepare(position);
        let age = self.asked.load(Ordering::Relaxed);
        for finding in findings {
            let found = finding::unpack(finding);
            self.table.put(finding.key, found, self.space.size, age);
        }
    }

    /// Uses as much of the table as this position needs.
    pub(super) fn prepare(&self, position: &Position<u64>) {
        let empty = self.space.board & !position.occupied();
        // Fresh memory takes longer than what a larger table would find.
        self.table.prepare(self.doublings(empty.count_ones()) - 3.0);
    }

    /// How often the lines of a table are to double for a search with so many empty cells.
    fn doublings(&self, empties: u32) -> f64 {
        f64::from(empties) * choices(self.space.size)
    }

    /// Solves a position.
    pub fn solve(
        &self,
        position: &Position<u64>,
        question: Question,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Answer<Move> {
        let age = self.asked.fetch_add(1, Ordering::Relaxed);
        let discs = Discs {
            own: position.own,
            opponent: position.opponent,
        };
        self.prepare(position);
        // Another thread that has the scout gets along with it; this one does without.
        let mut scout = self.scout.try_lock().ok();
        let scouted = match &mut scout {
            Some(scout) => self.scouted(scout, discs, budget),
            None => None,
        };
        let hints = match (&scout, scouted) {
            (Some(scout), Some(_)) => scout.as_ref().map(Midgame::estimates),
            _ => None,
        };
        let scouted_nodes = scouted.map_or(0, |(_, nodes)| nodes);
        let crew = Crew::new(self.threads, budget, watch).after(scouted_nodes);
        let guess = scouted.map_or_else(|| self.guess(discs), |(score, _)| score);
        let work = || {
            let mut search = self.search(&crew, discs, age);
            search.hints = hints;
            let bounds = self.bounds(&mut search, discs, question, guess);
            if !search.stopped {
                crew.finish();
            }
            search.report();
            bounds
        };
        let mut all: Vec<Bounds> = Vec::new();
        if self.threads == 1 {
            all.push(work());
        } else {
            let found = Mutex::new(&mut all);
            let keep = || {
                let bounds = work();
                found.lock().expect("no thread panics").push(bounds);
            };
            // One works on this thread, so that the search goes on where the system starts no other.
            std::thread::scope(|scope| {
                for _ in 1..self.threads {
                    let _ = start(scope, STACK, keep);
                }
                keep();
            });
        }
        let tightest = |a: Bounds, b: Bounds| Bounds {
            best: if b.lower > a.lower { b.best } else { a.best },
            lower: a.lower.max(b.lower),
            upper: a.upper.min(b.upper),
        };
        let bounds = all.into_iter().reduce(tightest).expect("there is a thread");
        let spent = crew.nodes();
        self.look(crew.looked());
        let crew = Crew::new(1, budget, watch).after(spent);
        let mut search = self.search(&crew, discs, age);
        let line = line::best_play(self, &mut search, discs, bounds, question);
        search.report();
        self.look(crew.looked());
        let proved = (bounds.lower, bounds.upper);
        answer(question, position.to_move, proved, line, crew.nodes())
    }

    /// Writes a proof that the score, discs of `x` less those of `o`, is at least the first bound and at
    /// most the second into a file, which appears only when it is whole. It is quick after the position
    /// was solved, with the same table.
    ///
    /// # Errors
    /// If the budget is spent first, a bound is wrong, or the file cannot be written.
    pub fn prove(
        &self,
        position: &Position<u64>,
        (at_least, at_most): (Option<i32>, Option<i32>),
        file: &Path,
        options: &WriteOptions,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Written, WriteError> {
        let claim = Claim {
            setup: position.setup(&self.grid.into()),
            to_move: position.to_move,
            empties_to_winner: self.space.empties_to_winner,
            at_least,
            at_most,
        };
        let discs = Discs {
            own: position.own,
            opponent: position.opponent,
        };
        // What the search before has found is not old.
        let age = self.asked.load(Ordering::Relaxed).wrapping_sub(1);
        let crew = Crew::new(1, budget, &Unwatched);
        let mut oracle = Proving::new(self, self.search(&crew, discs, age));
        let written = write_file(file, &claim, &mut oracle, options, budget, watch);
        match written {
            Err(WriteError::Unreached(..)) if oracle.is_stopped() => Err(WriteError::Stopped),
            written => written,
        }
    }

    pub(super) fn search<'a>(&'a self, crew: &'a Crew<'a>, root: Discs, age: u8) -> Search<'a> {
        Search::new(&self.space, &self.table, &self.order, crew, root, age)
    }

    /// Whether the score is above `alpha`: a lower bound if it is, an upper bound if it is not, and
    /// nothing if the search was stopped.
    pub(super) fn above(&self, search: &mut Search<'_>, discs: Discs, alpha: i32) -> Option<i32> {
        search.crew.ask(alpha);
        search.best = NONE;
        let score = self.isa.run(Above {
            search: &mut *search,
            discs,
            alpha,
        });
        (!search.stopped).then_some(score)
    }

    /// The moves that did best in this position, if it is remembered.
    pub(super) fn remembered(&self, discs: Discs) -> Vec<u8> {
        let facts = |discs: Discs| self.table.get(key(discs.own, discs.opponent));
        let own = facts(discs).map_or([NONE; 2], |facts| facts.moves);
        let mirror = &self.space.mirror;
        let normal = facts(mirror.normal(discs)).map_or([NONE; 2], |facts| facts.moves);
        let known = |&cell: &u8| cell != NONE;
        let origins = normal
            .into_iter()
            .filter(known)
            .flat_map(|cell| mirror.origins(discs, cell));
        own.into_iter().filter(known).chain(origins).collect()
    }

    /// The score, without a limit. The closer the guess, the sooner it is found.
    pub(super) fn exact_score(&self, search: &mut Search<'_>, discs: Discs, guess: i32) -> i32 {
        search.begin(discs);
        self.bounds(search, discs, Question::Score, guess).lower
    }

    /// As much as the question needs, or as the budget allows.
    fn bounds(
        &self,
        search: &mut Search<'_>,
        discs: Discs,
        question: Question,
        guess: i32,
    ) -> Bounds {
        let size = self.space.size;
        let mut bounds = Bounds {
            lower: -size,
            upper: size,
            best: NONE,
        };
        if size == 0 {
            // There are no cells, only holes.
            return bounds;
        }
        let mut alpha = match question {
            Question::Winner if guess > 0 => 0,
            Question::Winner => -1,
            Question::Score => (guess - 1).clamp(-size, size - 1),
        };
        let (mut steps, mut further) = (0, 0);
        while let Some(score) = self.above(search, discs, alpha) {
            let rose = score > alpha;
            if rose {
                bounds.lower = bounds.lower.max(score);
                bounds.best = search.best;
            } else {
                bounds.upper = bounds.upper.min(score);
            }
            let Bounds { lower, upper, .. } = bounds;
            search.crew.watch.bounds(lower, upper);
            alpha = match question {
                Question::Winner if lower > 0 || upper < 0 || lower == upper => break,
                Question::Winner => -1 - alpha,
                Question::Score if lower == upper => break,
                // The same way again, further if it goes on, until the score lies between two bounds.
                Question::Score if rose && upper == size => (lower + further).min(size - 1),
                Question::Score if !rose && lower == -size => (upper - 1 - further).max(-size),
                Question::Score if rose => lower,
                Question::Score => upper - 1,
            };
            steps += 1;
            further = if steps < 4 {
                0
            } else {
                1 << (steps - 2).min(6)
            };
        }
        bounds
    }

    /// What a selective search to the end says of a hard position, and how many positions that took. Its table has
    /// the order of moves for the proof.
    fn scouted(
        &self,
        scout: &mut Option<Midgame>,
        discs: Discs,
        budget: &Budget,
    ) -> Option<(i32, u64)> {
        let evaluation = self.order.evaluation.as_ref()?;
        let empties = (self.space.board & !(discs.own | discs.opponent)).count_ones();
        let limited = budget.node_limit().is_some_and(|most| most < FEWEST_NODES);
        if limited || !self.order.is_hard(empties) {
            return None;
        }
        if scout.is_none() {
            let fitted = Fitted {
                evaluation: Arc::clone(evaluation),
                probcut: self.probcut,
            };
            *scout = Midgame::of(&self.grid, fitted, self.scout_memory).ok();
        }
        let scout = scout.as_mut()?;
        // As large as the table for proofs.
        scout.estimates().prepare(self.doublings(empties) - 3.0);
        scout.count_empties_to_winner(self.space.empties_to_winner);
        let before = (scout.nodes(), scout.looked());
        let mut guess = self.guess(discs);
        let plies = (4..=empties / 2)
            .step_by(2)
            .map(|depth| (depth, SCOUT_LEVELS[1]));
        let endings = SCOUT_LEVELS.map(|level| (empties, level));
        for (depth, level) in plies.chain(endings) {
            let effort = Effort {
                depth,
                level,
                threads: self.threads,
            };
            guess = scout.score(discs, effort, guess, budget)?;
        }
        self.look(scout.looked() - before.1);
        Some((guess, scout.nodes() - before.0))
    }

    /// The score as far as it can be told without proof.
    fn guess(&self, discs: Discs) -> i32 {
        let Some(evaluation) = &self.order.evaluation else {
            return 0;
        };
        let space = &self.space;
        let empty = space.board & !(discs.own | discs.opponent);
        let depth = LOOK_AHEAD - 2 * u32::from(empty.count_ones() > 24);
        let window = i32::MAX;
        let judge = Judge {
            space,
            evaluation,
            discs,
            features: &evaluation.layout.features(discs),
            depth,
            alpha: -window,
            beta: window,
            looked: &mut 0,
        };
        let score = (f64::from(self.isa.run(judge)) / f64::from(DISC)).round() as i32;
        // Most games end with a full board, and then the score is as odd as its size.
        let score = score + (score + self.space.size).rem_euclid(2);
        score.clamp(-self.space.size, self.space.size)
    }

    /// A move as the rules name it.
    pub(super) fn named(&self, cell: u8) -> Move {
        Move::Place(upstar_games::Cell::new(cell.into()))
    }
}
