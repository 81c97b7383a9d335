//! The solver that users meet: any game named at run time, any position, several clients at once.

use std::any::Any;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use upstar_games::{AnyGame, Board, Cells, Rules, with_game};
use upstar_jobs::{Budget, Finding, KeepsSpare, Ledger, Watch};
use upstar_proof::{CheckOptions, Checked, Written, check_file};

use crate::answer::{Algorithm, Answer, MoveAnswer, Outcome, Question};
use crate::classic;
use crate::clobber::{PositionValue, TableError, Technique, ValueTables, Weights};
use crate::error::SolveError;
use crate::journal::SearchName;
use crate::othello;
use crate::prover::{Prover, Solvable};

/// How a solver works.
#[derive(Clone)]
pub struct Settings {
    /// The most memory for the tables of one search, in bytes, value tables included.
    pub memory: usize,
    /// The most threads of one search. Where other searches of the ledger run, it may get fewer.
    pub threads: usize,
    /// Where value tables are kept.
    pub tables: ValueTables,
    /// What all clients of the process may use together.
    pub ledger: Ledger,
    /// Whether a large value table that is not there is made, which takes minutes, unless the budget is
    /// short; otherwise a small one.
    pub patient: bool,
    /// The order in which Clobber's moves are tried; `None` for what comes with the program.
    pub clobber_weights: Option<Weights>,
    /// The same for Othello.
    pub othello_weights: Option<Arc<[othello::weights::Weights]>>,
    /// A technique of Clobber's search to do without, to see what it is worth.
    pub without: Option<Technique>,
}

impl Default for Settings {
    /// A gigabyte, one thread, tables in memory, no other limit.
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            threads: 1,
            tables: ValueTables::in_memory(),
            ledger: Ledger::unlimited(),
            patient: false,
            clobber_weights: None,
            othello_weights: None,
            without: None,
        }
    }
}

impl Settings {
    /// Whether there is time to make a large table.
    pub(crate) fn is_patient(&self, budget: &Budget) -> bool {
        const HURRY: Duration = Duration::from_secs(59);
        self.patient && budget.time_left().is_none_or(|time| time > HURRY)
    }
}

/// What is asked of a solver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Who wins, or by how many discs.
    pub question: Question,
    /// Othello: cells that stay empty count for the winner, as in tournaments.
    pub empties_to_winner: bool,
    /// How to search; `None` for the best way.
    pub algorithm: Option<Algorithm>,
    /// Another limit of memory than that of the solver's settings.
    pub memory: Option<usize>,
}

impl Query {
    /// Who wins?
    #[must_use]
    pub fn winner() -> Self {
        Self::default()
    }

    /// By how many discs? Clobber answers who wins.
    #[must_use]
    pub fn score() -> Self {
        Self {
            question: Question::Score,
            ..Self::default()
        }
    }
}

/// A solver for positions of any game. Clones share their memory of what was proved, and any number of
/// threads may ask at a time.
#[derive(Clone, Default)]
pub struct Solver(Arc<Shared>);

#[derive(Default)]
struct Shared {
    settings: Settings,
    /// Boards that were made ready and are not in use, the last used last.
    idle: Mutex<Vec<Idle>>,
}

/// Idle boards make room for whoever finds no memory.
impl KeepsSpare for Shared {
    fn give_back(&self) -> bool {
        let mut idle = self.idle();
        let spare = (!idle.is_empty()).then(|| idle.remove(0));
        drop(idle);
        spare.is_some()
    }
}

impl Shared {
    fn idle(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A board made ready for search: a `Box<dyn Prover<G>>`.
struct Idle {
    place: Place,
    stones: usize,
    memory: usize,
    bytes: usize,
    prover: Box<dyn Any + Send>,
}

/// What a search is about.
#[derive(PartialEq, Eq)]
struct Place {
    board: Board,
    rules: &'static str,
    empties_to_winner: bool,
}

/// What finds the answer for a position.
type Judge<'a, G> =
    dyn FnMut(&<G as Rules>::Position, &dyn Watch) -> Answer<<G as Rules>::Move> + 'a;

/// Refuses algorithms that do not suit the game.
fn check_algorithm(query: &Query, own: Algorithm) -> Result<(), SolveError> {
    match query.algorithm {
        Some(other) if other != own => Err(SolveError::Unsuitable(other)),
        _ => Ok(()),
    }
}

impl Solver {
    /// A solver with these settings.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let shared = Arc::new(Shared {
            settings,
            idle: Mutex::default(),
        });
        let keeper: Arc<dyn KeepsSpare> = shared.clone();
        shared.settings.ledger.add_keeper(Arc::downgrade(&keeper));
        Self(shared)
    }

    /// How it works.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// Who wins the position of this game, and how. What the budget did not suffice for is open in the
    /// answer.
    ///
    /// # Errors
    /// If the game does not have two sides, there is no memory, or a value table cannot be used.
    pub fn solve(
        &self,
        game: &AnyGame,
        query: &Query,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Answer, SolveError> {
        with_game!(
            game,
            |rules, start| {
                let answer = self.solve_typed(rules, start, query, budget, watch)?;
                Ok(answer.named(rules))
            },
            Err(SolveError::NotForTwo)
        )
    }

    /// [`Solver::solve`] where the types are known.
    ///
    /// # Errors
    /// As for [`Solver::solve`].
    pub fn solve_typed<G: Solvable>(
        &self,
        game: &G,
        position: &G::Position,
        query: &Query,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Answer<G::Move>, SolveError> {
        if let Some(Algorithm::Classic(algorithm)) = query.algorithm {
            let memory = query.memory.unwrap_or(self.settings().memory);
            let lease = self.settings().ledger.up_to(memory, memory.min(1 << 20))?;
            let memory = lease.bytes();
            return classic::solve(algorithm, game, position, memory, budget);
        }
        let answer = self.with(game, position, query, budget, watch, |prover| {
            Ok(prover.solve(position, query.question, budget, watch))
        });
        open_if_stopped(answer, || {
            let mover = game.to_move(position);
            Answer::of_outcome(mover, G::ALGORITHM, None, None, 0)
        })
    }

    /// The exact result of every move, in the order of moves. The watch is told of each as it is found.
    ///
    /// # Errors
    /// As for [`Solver::solve`].
    pub fn moves(
        &self,
        game: &AnyGame,
        query: &Query,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Vec<MoveAnswer>, SolveError> {
        with_game!(
            game,
            |rules, start| {
                let moves = self.moves_typed(rules, start, query, budget, watch)?;
                Ok(moves.into_iter().map(|mv| mv.named(rules)).collect())
            },
            Err(SolveError::NotForTwo)
        )
    }

    /// [`Solver::moves`] where the types are known.
    ///
    /// # Errors
    /// As for [`Solver::solve`].
    pub fn moves_typed<G: Solvable>(
        &self,
        game: &G,
        position: &G::Position,
        query: &Query,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Vec<MoveAnswer<G::Move>>, SolveError> {
        let open = |position: &G::Position| {
            let mover = game.to_move(position);
            Answer::of_outcome(mover, G::ALGORITHM, None, None, 0)
        };
        let all = |judge: &mut Judge<'_, G>| {
            let mut before = 0;
            let each = |mv: G::Move| {
                let next = game.play_unchecked(position, mv);
                let answer = match game.score(&next) {
                    Some(score) if !query.empties_to_winner => ended(game, &next, score, query),
                    _ if budget.is_over() => open(&next),
                    _ => judge(&next, &After { watch, before }),
                };
                before += answer.nodes;
                watch.nodes(before);
                watch.judged(&game.move_name(mv), answer.winner(), answer.score);
                MoveAnswer { mv, answer }
            };
            game.moves(position).map(each).collect::<Vec<_>>()
        };
        let answers = self.with(game, position, query, budget, watch, |prover| {
            Ok(all(&mut |next, watch| {
                prover.judge(next, query.question, budget, watch)
            }))
        });
        open_if_stopped(answers, || all(&mut |next, _| open(next)))
    }

    /// The combinatorial value of a Clobber position, of its components and of their sum. What the
    /// budget did not suffice for is open.
    ///
    /// # Errors
    /// If the game has no values, or there is no memory or no thread.
    pub fn value(
        &self,
        game: &AnyGame,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<PositionValue, SolveError> {
        let (setup, cannibal) = match game {
            AnyGame::Clobber64(rules, start) => (rules.setup(start), rules.is_cannibal()),
            AnyGame::Clobber128(rules, start) => (rules.setup(start), rules.is_cannibal()),
            _ => return Err(SolveError::NoValues),
        };
        let Settings { tables, ledger, .. } = self.settings();
        PositionValue::of(&setup, cannibal, tables, ledger, budget, watch)
    }

    /// Writes a proof of what is asked into a file, and has it checked by code that knows only the
    /// rules. The file appears only when it is whole. It is quick after the position was solved. Tells what
    /// was written, and what the checker accepted.
    ///
    /// # Errors
    /// If the budget is spent first, the file cannot be written, or there are no proofs of this game.
    pub fn prove(
        &self,
        game: &AnyGame,
        query: &Query,
        file: &Path,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<(Written, Checked), SolveError> {
        let written = with_game!(
            game,
            |rules, start| self.with(rules, start, query, budget, watch, |prover| {
                let answer = prover.solve(start, query.question, budget, watch);
                if !answer.proved {
                    return Err(SolveError::Open);
                }
                prover.write_proof(start, &answer, file, budget, watch)
            }),
            Err(SolveError::NotForTwo)
        )?;
        let options = CheckOptions {
            memory: self.settings().memory as u64,
            threads: self.settings().threads,
            ..CheckOptions::default()
        };
        let checked = check_file(file, &options, budget, watch)?;
        Ok((written, checked))
    }

    /// Makes the board ready, with the value table that it needs, so that the next answer takes no
    /// time for that.
    ///
    /// # Errors
    /// As for [`Solver::solve`]; also if the budget is spent first.
    pub fn prepare(
        &self,
        game: &AnyGame,
        query: &Query,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<(), SolveError> {
        if matches!(query.algorithm, Some(Algorithm::Classic(_))) {
            return Ok(());
        }
        with_game!(
            game,
            |rules, start| self.with(rules, start, query, budget, watch, |_| Ok(())),
            Err(SolveError::NotForTwo)
        )
    }

    /// The searches whose findings this one can take over; `None` if it keeps none.
    ///
    /// # Errors
    /// As for [`Solver::prepare`].
    pub fn search_name(
        &self,
        game: &AnyGame,
        query: &Query,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Option<SearchName>, SolveError> {
        with_game!(
            game,
            |rules, start| self.with(rules, start, query, budget, watch, |prover| {
                Ok(prover.search_name())
            }),
            Err(SolveError::NotForTwo)
        )
    }

    /// Takes over what an earlier search of the same name has told its watch.
    ///
    /// # Errors
    /// As for [`Solver::prepare`].
    pub fn remember(
        &self,
        game: &AnyGame,
        query: &Query,
        findings: &[Finding],
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<(), SolveError> {
        with_game!(
            game,
            |rules, start| self.with(rules, start, query, budget, watch, |prover| {
                prover.remember(start, findings);
                Ok(())
            }),
            Err(SolveError::NotForTwo)
        )
    }

    /// Forgets what was proved: the next answers take as many nodes as the first ones.
    pub fn forget(&self) {
        self.0.idle().clear();
    }

    /// A prover for an agent: of all positions of this game, on one thread, with at most this much
    /// memory. It is the agent's own and shares value tables only.
    ///
    /// # Errors
    /// If there is no memory, or a value table cannot be used.
    pub fn prover<G: Solvable>(
        &self,
        game: &G,
        board: &Board,
        memory: usize,
    ) -> Result<Box<dyn Prover<G>>, SolveError> {
        let settings = Settings {
            memory,
            threads: 1,
            patient: false,
            ..self.settings().clone()
        };
        let stones = board.cells().len() as usize;
        let (query, budget) = (Query::winner(), Budget::unlimited());
        let unwatched = upstar_jobs::Unwatched;
        game.prepare(stones, &settings, &query, &budget, &unwatched)
    }

    /// Does something with a board that is made ready: one that is idle, or a new one.
    fn with<G: Solvable, T>(
        &self,
        game: &G,
        position: &G::Position,
        query: &Query,
        budget: &Budget,
        watch: &dyn Watch,
        work: impl FnOnce(&mut dyn Prover<G>) -> Result<T, SolveError>,
    ) -> Result<T, SolveError> {
        check_algorithm(query, G::ALGORITHM)?;
        let settings = self.settings();
        let setup = game.setup(position);
        let stones = setup.occupied().len() as usize;
        let memory = query.memory.unwrap_or(settings.memory);
        let memory = game.affordable(memory, budget);
        let place = Place {
            board: setup.board,
            rules: game.rules_name(),
            empties_to_winner: query.empties_to_winner,
        };
        let found = {
            let mut idle = self.0.idle();
            let fits = |it: &Idle| {
                let enough = it.stones >= stones && it.memory >= memory;
                it.place == place && enough && it.prover.is::<Box<dyn Prover<G>>>()
            };
            let index = idle.iter().position(fits);
            index.map(|index| idle.remove(index))
        };
        let mut ready = match found {
            Some(ready) => ready,
            None => {
                // One that is too small for this position makes room for one that is not.
                self.0.idle().retain(|it| it.place != place);
                let query = Query {
                    memory: Some(memory),
                    ..query.clone()
                };
                let prover = game.prepare(stones, settings, &query, budget, watch)?;
                Idle {
                    place,
                    stones,
                    memory,
                    bytes: prover.bytes(),
                    prover: Box::new(prover),
                }
            }
        };
        let prover = ready.prover.downcast_mut::<Box<dyn Prover<G>>>();
        let prover = prover.expect("its type was compared");
        let threads = settings.ledger.threads(settings.threads);
        prover.use_threads(threads.threads());
        let done = work(&mut **prover);
        drop(threads);
        let mut idle = self.0.idle();
        idle.push(ready);
        // What is idle takes no more than a search may.
        while idle.len() > 1 && idle.iter().map(|it| it.bytes).sum::<usize>() > settings.memory {
            idle.remove(0);
        }
        done
    }
}

/// What the rules say of a position in which the game is over.
fn ended<G: Solvable>(
    game: &G,
    position: &G::Position,
    score: i32,
    query: &Query,
) -> Answer<G::Move> {
    let (mover, outcome) = (game.to_move(position), Outcome::of_score(score));
    let score = mover.sign() * score;
    let score = Some(score)
        .filter(|_| query.question == Question::Score && G::ALGORITHM == Algorithm::AlphaBeta);
    Answer {
        score,
        bounds: score.map(|score| (score, score)),
        ..Answer::of_outcome(mover, G::ALGORITHM, Some(outcome), None, 0)
    }
}

/// A budget that was spent before the search began leaves everything open.
fn open_if_stopped<T>(
    answer: Result<T, SolveError>,
    open: impl FnOnce() -> T,
) -> Result<T, SolveError> {
    match answer {
        Err(SolveError::Table(TableError::Stopped)) => Ok(open()),
        other => other,
    }
}

/// A watch of several searches, one after the other.
struct After<'a> {
    watch: &'a dyn Watch,
    /// The nodes of those before.
    before: u64,
}

impl Watch for After<'_> {
    fn nodes(&self, nodes: u64) {
        self.watch.nodes(self.before + nodes);
    }

    fn above(&self, score: i32) {
        self.watch.above(score);
    }

    fn fill(&self, share: f64) {
        self.watch.fill(share);
    }

    fn first_moves(&self, refuted: usize, of: usize) {
        self.watch.first_moves(refuted, of);
    }
}
