//! Positions of many games that a network plays against itself, with the results of best play where
//! a solver knows them.
//!
//! The network stays as it is while the games are played, and each game has its own generator: so
//! it does not matter how many threads share the games, nor which is faster.

use std::sync::Mutex;

use upstar_agents::{Prover, Resources};
use upstar_arena::Book;
use upstar_games::{Color, Random, random_move};
use upstar_jobs::{Budget, Ledger, Pool};
use upstar_nets::{Judge, Network};

use crate::config::Config;
use crate::examples::Example;
use crate::folder::RunError;
use crate::learner::{Block, Seat};
use crate::recorded::{Recorded, RecordedGame};
use crate::student::Learnable;

/// The solvers of a run, one for each thread. Their memory is leased from the ledger.
pub(crate) struct Solvers<G: Learnable>(Vec<Box<dyn Prover<G>>>);

/// The memory of each solver, in bytes.
const MEMORY: usize = 128 << 20;

impl<G: Learnable> Solvers<G> {
    /// So many solvers, one at least.
    pub(crate) fn new(game: &G, threads: usize, resources: &Resources) -> Result<Self, RunError> {
        let solvers = (0..threads.max(1)).map(|_| game.prover(resources, MEMORY));
        let solvers = solvers.collect::<Result<_, _>>();
        solvers
            .map(Self)
            .map_err(|error| RunError::of(format!("exact results: {error}")))
    }

    /// All of them.
    pub(crate) fn each(&mut self) -> impl Iterator<Item = &mut Box<dyn Prover<G>>> {
        self.0.iter_mut()
    }
}

/// The result for Black of best play from here. When somebody says stop it is not a result, and what is
/// made of it is thrown away.
pub(crate) fn black_score<G: Learnable>(
    game: &G,
    solver: &mut dyn Prover<G>,
    position: &G::Position,
    budget: &Budget,
) -> i32 {
    let score = game.score(position).unwrap_or_else(|| {
        // Whatever was solved before, an unlimited search ends with the same result.
        match solver.outcome(position, u64::MAX, budget) {
            Some(outcome) => outcome.sign(),
            None => {
                assert!(budget.is_over(), "an unlimited search has a result");
                0
            }
        }
    });
    game.to_move(position).sign() * score
}

/// Plays these games of the run, and returns their positions in the order of the games; or those of
/// some of them, if somebody says stop.
pub(crate) fn gather<G: Learnable>(
    game: &G,
    (book, recorded): (&Book<G>, &Recorded<G::Position>),
    config: &Config,
    (network, judge): (&Network, &Judge),
    (solvers, ledger, budget): (&mut Solvers<G>, &Ledger, &Budget),
    games: std::ops::Range<u64>,
    block: &mut Block,
) -> Result<Vec<Example<G::Position>>, RunError> {
    let threads = ledger.threads(solvers.0.len());
    let pool = Pool {
        threads: threads.threads(),
        jobs: games.end - games.start,
        budget,
    };
    let solvers: Mutex<Vec<_>> = Mutex::new(solvers.0.iter_mut().collect());
    let player = || {
        let solver = solvers.lock().expect("no player panics").pop();
        Player {
            game,
            book,
            recorded,
            config,
            network,
            judge: judge.clone(),
            solver: &mut **solver.expect("there is one for each thread"),
            budget,
        }
    };
    let played = pool.collect(player, |player, number, _| -> Result<_, RunError> {
        Ok(Some(player.play(games.start + number)))
    })?;
    let mut examples = Vec::new();
    for game in played {
        block.count(game.black_score, [Seat::Student(0); 2]);
        block.choices += game.choices;
        block.opinions += game.opinions;
        for (best, played) in game.results {
            block.compare(best, played, [true, false]);
        }
        examples.extend(game.examples);
    }
    Ok(examples)
}

/// One of several that play at the same time.
struct Player<'a, G: Learnable> {
    game: &'a G,
    book: &'a Book<G>,
    recorded: &'a Recorded<G::Position>,
    config: &'a Config,
    network: &'a Network,
    judge: Judge,
    solver: &'a mut dyn Prover<G>,
    budget: &'a Budget,
}

/// A game that was played.
struct Game<P> {
    examples: Vec<Example<P>>,
    black_score: i32,
    choices: u64,
    opinions: u64,
    /// The result of best play for the mover before and after each move that is looked at.
    results: Vec<(i32, i32)>,
}

impl<G: Learnable> Player<'_, G> {
    fn play(&mut self, index: u64) -> Game<G::Position> {
        if let Some(RecordedGame { path, black_score }) = self.recorded.game(index) {
            return Game {
                examples: self.labelled(path, *black_score),
                black_score: *black_score,
                choices: 0,
                opinions: 0,
                results: Vec::new(),
            };
        }
        let learning = &self.config.learning;
        let mut random = Random::for_game(self.config.seed, index);
        let random_moves = f64::from(self.config.random_moves(index));
        let opening = random.below(learning.random_plies + 1);
        let start = self.book.opening(self.game, self.config.round(index));
        let (mut position, mut path) = (start.end(self.game), Vec::new());
        let (mut choices, mut opinions, mut results) = (0, 0, Vec::new());
        for ply in 0.. {
            let chance = ply < opening || random.unit() < random_moves;
            let mv = if chance {
                if learning.after_random {
                    // How the game goes on says little about what was before.
                    path.retain(|(position, _)| self.is_exact(position));
                }
                random_move(self.game, &position, &mut random)
            } else {
                let best = self.judge.best(self.network, self.game, &position);
                best.map(|best| {
                    if self.game.count_moves(&position) > 1 {
                        choices += 1;
                        opinions += u64::from(best.lowest < best.highest);
                    }
                    best.mv
                })
            };
            let Some(mv) = mv else {
                break;
            };
            let mover = self.game.to_move(&position);
            let before = position;
            position = self.game.play_unchecked(&position, mv);
            if !chance && self.game.left(&before) <= self.config.perfect_moves(false) {
                let [best, played] = [before, position].map(|position| {
                    mover.sign() * black_score(self.game, self.solver, &position, self.budget)
                });
                results.push((best, played));
            }
            path.push((position, mover));
        }
        let end = self.game.black_score(&position).expect("the game is over");
        Game {
            examples: self.labelled(&path, end),
            black_score: end,
            choices,
            opinions,
            results,
        }
    }

    fn is_exact(&self, position: &G::Position) -> bool {
        self.game.left(position) <= self.config.learning.exact
    }

    /// A position's label is its exact result, or that of the first position after it that has one.
    fn labelled(&mut self, path: &[(G::Position, Color)], end: i32) -> Vec<Example<G::Position>> {
        let mut label = end;
        let mut examples = Vec::with_capacity(path.len());
        // From the end, where what is found helps with what is before.
        for &(position, mover) in path.iter().rev() {
            if self.is_exact(&position) {
                label = black_score(self.game, self.solver, &position, self.budget);
            }
            examples.push(Example {
                position,
                mover,
                black_score: label,
            });
        }
        examples.reverse();
        examples
    }
}
