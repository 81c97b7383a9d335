//! Monte Carlo tree search with the UCT formula (Kocsis and Szepesvári, 2006; etoeharnowo2017, section
//! 4.3): go where mean + c·√(2 ln N / n) is highest, play a random game from the first new position,
//! and add its result all the way up.
//!
//! Finished games and what follows from them are proved results, backed up as in MCTS-Solver (Winands,
//! Björnsson and Saito, 2008). [`Uct`] is the search that front ends can watch, [`MctsAgent`] the player.

mod agent;
mod amaf;
mod descent;
mod explore;
mod simulation;
mod tree;
mod worker;

pub use agent::MctsAgent;
pub(crate) use agent::opinion;

use std::sync::Arc;

use upstar_games::Random;
use upstar_jobs::{Budget, MemoryLease};
use upstar_machine::Isa;
use upstar_solve::Outcome;

use crate::options::Limit;
use crate::playable::Playable;
use crate::resources::Resources;
use crate::spec::AgentSpecError;
use descent::{ByRules, Descent, OnEdges};
use explore::Exploration;
use simulation::Workplace;
use tree::{Below, Entry, Tree};
use upstar_solve::Prover;
use worker::{Ground, Share, Worker, WorkerThread};

/// How to search.
#[derive(Clone, Debug, PartialEq)]
pub struct Mcts {
    /// How much to think about one move; a number is that of the simulations.
    pub limit: Limit,
    /// Whether a number of simulations is one for each legal move, as flat Monte Carlo counts.
    pub each: bool,
    /// How much to explore: the c of the formula.
    pub c: f64,
    /// Which move is played in the end.
    pub final_choice: FinalChoice,
    /// Whether results are proved.
    pub solve: bool,
    /// Whether the tree is kept from one move to the next.
    pub reuse: bool,
    /// With at most so many stones (Clobber) or empty cells (Othello) left a leaf is solved instead of
    /// played out, unless that takes too long; 0 for never.
    pub exact: u32,
    /// The visits at which results of all moves as first have half of the weight; 0 for no such results.
    pub amaf: u32,
    /// How many trees grow at the same time, each with its share of the simulations. For one number of
    /// threads results repeat; for another they are different.
    pub threads: usize,
    /// The most memory for all trees together, in bytes. Where it is full, random games begin at the leaves
    /// that there are.
    pub memory: usize,
}

impl Mcts {
    /// The usual way to search, with this limit.
    #[must_use]
    pub fn new(limit: Limit) -> Self {
        Self {
            limit,
            each: false,
            c: std::f64::consts::FRAC_1_SQRT_2,
            final_choice: FinalChoice::Mean,
            solve: true,
            reuse: false,
            exact: 0,
            amaf: 0,
            threads: 1,
            memory: 256 << 20,
        }
    }
}

/// Which move a search plays, if no win is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalChoice {
    /// The one with the best mean result: the formula without exploration.
    Mean,
    /// The one visited most.
    Visits,
}

/// What a search knows of a move, for the side that plays it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveStatistics<M> {
    /// The move.
    pub mv: M,
    /// How many simulations began with it.
    pub visits: u64,
    /// Their mean result from −1 (lost) to 1 (won); 0 without visits.
    pub mean: f64,
    /// What it leads to, if that is proved.
    pub proved: Option<Outcome>,
}

/// A search in one position at a time. It goes on for as long as it is run, and can be read in between.
pub struct Uct<G: Playable> {
    ground: Arc<Ground<G>>,
    root: Option<G::Position>,
    /// The first works on the caller's thread, each other one on its own.
    workers: Vec<Worker<G>>,
    threads: Vec<WorkerThread<G>>,
    /// For the solvers at the leaves.
    resources: Resources,
    /// What the trees take.
    _lease: MemoryLease,
}

/// Trees that get less are not worth growing.
const LEAST_MEMORY: usize = 1 << 20;

/// The memory of a solver at the leaves.
const LEAF_MEMORY: usize = 16 << 20;

/// The solver of one worker, if leaves are solved.
fn leaf_prover<G: Playable>(
    game: &G,
    options: &Mcts,
    resources: &Resources,
) -> Result<Option<Box<dyn Prover<G>>>, AgentSpecError> {
    match options.exact {
        0 => Ok(None),
        _ => game.prover(resources, LEAF_MEMORY).map(Some),
    }
}

impl<G: Playable> Uct<G> {
    /// A search with these options; its limit does not matter here. Where others have taken most of the
    /// memory, its trees get less.
    ///
    /// # Errors
    /// If there is no memory for trees, or for a solver where exact results are wanted, or a thread cannot be
    /// started.
    pub fn new(game: &G, options: &Mcts, resources: &Resources) -> Result<Self, AgentSpecError> {
        Self::on(Isa::best(), game, options, resources)
    }

    fn on(
        isa: Isa,
        game: &G,
        options: &Mcts,
        resources: &Resources,
    ) -> Result<Self, AgentSpecError> {
        let threads = options.threads.max(1);
        let least = options.memory.min(LEAST_MEMORY);
        let lease = resources.ledger().up_to(options.memory, least);
        let lease = lease.map_err(|error| AgentSpecError(error.to_string()))?;
        let options = &Mcts {
            memory: lease.bytes(),
            ..options.clone()
        };
        let worker = |_| {
            let prover = leaf_prover(game, options, resources)?;
            // Where a tree is kept it is copied, which takes as much again.
            let arenas = threads * if options.reuse { 2 } else { 1 };
            Ok(Worker {
                tree: Tree::new(options.memory / arenas, options.amaf).map_err(|_| {
                    let megabytes = options.memory >> 20;
                    AgentSpecError(format!(
                        "there is no memory for trees of {megabytes} MB; try memory=256M"
                    ))
                })?,
                workplace: Workplace::new(options.amaf > 0, prover),
            })
        };
        let workers = (0..threads).map(worker).collect::<Result<_, _>>()?;
        let ground = Arc::new(Ground {
            game: game.clone(),
            isa,
            exploration: Exploration::new(options.c),
            // Positions are needed for exact results, and their moves for all moves as first.
            edges: if options.exact == 0 && options.amaf == 0 {
                game.edges()
            } else {
                None
            },
            options: options.clone(),
        });
        let thread = |_| WorkerThread::start(&ground);
        Ok(Self {
            threads: (1..threads).map(thread).collect::<Result<_, _>>()?,
            root: None,
            workers,
            ground,
            resources: resources.clone(),
            _lease: lease,
        })
    }

    /// Forgets every position searched so far, so that the next search is that of a new [`Uct`].
    ///
    /// # Errors
    /// If there is no room for a new solver at the leaves.
    pub fn forget(&mut self) -> Result<(), AgentSpecError> {
        if self.root.take().is_none() {
            return Ok(());
        }
        let Ground { game, options, .. } = &*self.ground;
        for Worker { workplace, .. } in &mut self.workers {
            // A new table of zero pages is cheaper than clearing the old one.
            workplace.prover = leaf_prover(game, options, &self.resources)?;
        }
        Ok(())
    }

    /// Begins anew in this position, where the game must not be over.
    pub fn begin(&mut self, position: &G::Position) {
        let moves = self.ground.game.count_moves(position) as usize;
        let codes: Vec<u16> = match self.ground.edges {
            Some(_) => Vec::new(),
            None => self.ground.game.moves(position).map(G::encode).collect(),
        };
        for Worker { tree, .. } in &mut self.workers {
            tree.clear(moves);
            tree.list(tree.root(), &codes);
        }
        self.root = Some(*position);
    }

    /// The code of a move in the trees.
    fn code(&self, mv: G::Move) -> u16 {
        match &self.ground.edges {
            Some(edges) => Descent::<G>::code(&OnEdges(edges), mv),
            None => ByRules(&self.ground.game).code(mv),
        }
    }

    /// Goes on in the position after this move with what is known of it; says whether anything is. If not,
    /// the search has to begin anew. The trees are copied, into as much memory again; with the option
    /// `reuse` both together stay within the limit.
    pub fn advance(&mut self, mv: G::Move) -> bool {
        let Some(root) = self.root.take() else {
            return false;
        };
        let code = self.code(mv);
        for Worker { tree, .. } in &mut self.workers {
            let mut entries = (0..tree.tried(tree.root())).map(|i| tree.entry(tree.root(), i));
            let entry = entries.find(|entry| entry.code == code);
            match entry.map(|entry| (entry.below, entry.visits)) {
                Some((Below::Block(block), visits)) => tree.keep(block, visits),
                _ => return false,
            }
        }
        self.root = Some(self.ground.game.play_unchecked(&root, mv));
        true
    }

    /// The position that is searched.
    #[must_use]
    pub fn position(&self) -> Option<&G::Position> {
        self.root.as_ref()
    }

    /// Makes at most so many simulations, fewer if the budget is spent or the result is proved, but one
    /// at least for each tree. Returns how many.
    ///
    /// # Panics
    /// If no search was begun.
    pub fn run(&mut self, simulations: u64, budget: &Budget, random: &mut Random) -> u64 {
        G::simulate(self, simulations, budget, random)
    }

    /// The same, compiled for each game by [`Playable::simulate`].
    pub(crate) fn simulate(
        &mut self,
        simulations: u64,
        budget: &Budget,
        random: &mut Random,
    ) -> u64 {
        let root = self.root.expect("a search was begun");
        let workers = self.workers.len() as u64;
        let share = |index: u64, random: Random| Share {
            root,
            simulations: simulations / workers + u64::from(index < simulations % workers),
            workers,
            budget: budget.clone(),
            random,
        };
        let [here, others @ ..] = &mut self.workers[..] else {
            unreachable!("there is a worker")
        };
        if others.is_empty() {
            let mut share = share(0, random.clone());
            let made = self.ground.grow(here, &mut share);
            *random = share.random;
            return made;
        }
        let mut first = share(0, Random::new(random.bits()));
        let others: Vec<Worker<G>> = self.workers.drain(1..).collect();
        for ((index, worker), thread) in (1..).zip(others).zip(&self.threads) {
            thread.begin(worker, share(index, Random::new(random.bits())));
        }
        let mut made = self.ground.grow(&mut self.workers[0], &mut first);
        for thread in &self.threads {
            let (worker, more) = thread.end();
            self.workers.push(worker);
            made += more;
        }
        made
    }

    /// How many simulations the trees hold.
    #[must_use]
    pub fn simulations(&self) -> u64 {
        let visits = |worker: &Worker<G>| u64::from(worker.tree.visits);
        self.workers.iter().map(visits).sum()
    }

    /// How many bytes the trees take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.workers.iter().map(|worker| worker.tree.bytes()).sum()
    }

    /// The result of best play for the side to move, if that is proved.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let known = self.workers.iter().find_map(|worker| worker.tree.outcome);
        // Together the trees may have proved what none has alone.
        known.or_else(|| {
            let moves = self.moves();
            let win = |found: &MoveStatistics<_>| found.proved == Some(Outcome::Win);
            if moves.iter().any(win) {
                return Some(Outcome::Win);
            }
            let proved = moves.iter().map(|found| found.proved);
            proved.collect::<Option<Vec<_>>>()?.into_iter().max()
        })
    }

    /// What is known of each move, in the order of moves.
    #[must_use]
    pub fn moves(&self) -> Vec<MoveStatistics<G::Move>> {
        let Some(root) = &self.root else {
            return Vec::new();
        };
        let fresh = |mv| MoveStatistics {
            mv,
            visits: 0,
            mean: 0.0,
            proved: None,
        };
        let mut moves: Vec<_> = self.ground.game.moves(root).map(fresh).collect();
        let mut points = vec![0u64; moves.len()];
        let codes: Vec<u16> = moves.iter().map(|found| self.code(found.mv)).collect();
        for Worker { tree, .. } in &self.workers {
            for child in 0..tree.tried(tree.root()) {
                let entry = tree.entry(tree.root(), child);
                let place = codes.iter().position(|&code| code == entry.code);
                let place = place.expect("the tree has legal moves");
                moves[place].visits += u64::from(entry.visits);
                points[place] += u64::from(entry.points);
                if let Below::Known(outcome) = entry.below {
                    moves[place].proved = Some(outcome);
                }
            }
        }
        for (found, points) in moves.iter_mut().zip(points) {
            if found.visits > 0 {
                found.mean = points as f64 / found.visits as f64 - 1.0;
            }
        }
        moves
    }

    /// How the search thinks the game goes on after this move, which comes first: the moves visited most,
    /// other than those proved to lose, as far as the tree goes.
    #[must_use]
    pub fn line(&self, mv: G::Move) -> Vec<G::Move> {
        let mut line = vec![mv];
        let Some(mut position) = self.root else {
            return line;
        };
        let first = self.code(mv);
        let found = self.workers.iter().filter_map(|Worker { tree, .. }| {
            let mut entries = tree.entries(tree.root());
            Some((tree, entries.find(|entry| entry.code == first)?))
        });
        let Some((tree, mut entry)) = found.max_by_key(|(_, entry)| entry.visits) else {
            return line;
        };
        position = self.ground.game.play_unchecked(&position, mv);
        let rank = |entry: &Entry| (entry.below != Below::Known(Outcome::Loss), entry.visits);
        while let Below::Block(block) = entry.below
            && let Some(next) = tree.entries(block).max_by_key(rank)
            && next.visits > 0
        {
            let mut moves = self.ground.game.moves(&position);
            let mv = moves.find(|&mv| self.code(mv) == next.code);
            drop(moves);
            let mv = mv.expect("the tree has legal moves");
            line.push(mv);
            position = self.ground.game.play_unchecked(&position, mv);
            entry = next;
        }
        line
    }

    /// The move to play: a proved win, else the best of those not proved to lose; where all lose, the one
    /// that was hardest to refute.
    #[must_use]
    pub fn best(&self) -> Option<MoveStatistics<G::Move>> {
        self.root.as_ref()?;
        let rank = |found: &MoveStatistics<G::Move>| {
            let (visits, mean) = (found.visits as f64, found.mean);
            let choice = match self.ground.options.final_choice {
                FinalChoice::Mean => (mean, visits),
                FinalChoice::Visits => (visits, mean),
            };
            match found.proved {
                Some(Outcome::Win) => (3, (0.0, 0.0)),
                Some(Outcome::Loss) => (0, (mean, visits)),
                // What is proved is known without visits.
                Some(Outcome::Draw) if self.ground.options.final_choice == FinalChoice::Mean => {
                    (2, (0.0, visits))
                }
                _ if found.visits == 0 => (1, (0.0, 0.0)),
                _ => (2, choice),
            }
        };
        // Among equals the one tried first, which is any of them: the order of moves would prefer a corner.
        let moves = self.moves();
        let tree = &self.workers[0].tree;
        let tried = (0..tree.tried(tree.root())).map(|child| tree.entry(tree.root(), child).code);
        let first = tried.filter_map(|code| moves.iter().find(|found| self.code(found.mv) == code));
        let better = |a, b| if rank(b) > rank(a) { b } else { a };
        first.chain(&moves).reduce(better).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upstar_games::{AnyGame, with_game};

    /// What a seed gives does not depend on the processor.
    #[test]
    fn every_machine_grows_the_same_tree() {
        for (game, start) in [("clobber", "5x5"), ("clobber", "8x8"), ("othello", "8x8")] {
            let game = AnyGame::open(game.parse().unwrap(), &start.parse().unwrap(), None);
            with_game!(
                &game.unwrap(),
                |game, start| {
                    let grown = Isa::available().into_iter().map(|isa| {
                        let options = Mcts::new(Limit::Count(1));
                        let resources = Resources::default();
                        let mut search = Uct::on(isa, game, &options, &resources).unwrap();
                        search.begin(start);
                        search.run(5000, &Budget::unlimited(), &mut Random::new(7));
                        search.moves()
                    });
                    let grown: Vec<_> = grown.collect();
                    assert!(grown.windows(2).all(|pair| pair[0] == pair[1]));
                },
                unreachable!()
            );
        }
    }
}
