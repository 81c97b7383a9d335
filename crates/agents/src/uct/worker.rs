//! Who makes the trees grow: a worker for each tree, on threads that stay from one search to the next,
//! because starting one takes as long as thousands of simulations.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};

use upstar_games::Random;
use upstar_games::clobber::EdgeBoard;
use upstar_jobs::Budget;
use upstar_machine::Isa;

use super::Mcts;
use super::descent::{ByRules, Descent, OnEdges};
use super::explore::Exploration;
use super::simulation::{Simulations, Workplace};
use super::tree::Tree;
use crate::playable::Playable;
use crate::spec::AgentSpecError;

/// What all workers share.
pub(super) struct Ground<G> {
    pub(super) game: G,
    pub(super) options: Mcts,
    pub(super) isa: Isa,
    pub(super) exploration: Exploration,
    /// The game on edges, if that serves.
    pub(super) edges: Option<EdgeBoard>,
}

/// One tree and what it takes to make it grow. Aligned, so that threads do not write into the same lines of
/// the cache.
#[repr(align(128))]
pub(super) struct Worker<G: Playable> {
    pub(super) tree: Tree,
    pub(super) workplace: Workplace<G>,
}

/// What one worker is to do.
pub(super) struct Share<P> {
    pub(super) root: P,
    pub(super) simulations: u64,
    /// How many work on the same search.
    pub(super) workers: u64,
    pub(super) budget: Budget,
    pub(super) random: Random,
}

/// A tree's most simulations: its counters have 32 bits, and a win is two points.
const MOST_VISITS: u64 = (1 << 31) - 1;

impl<G: Playable> Ground<G> {
    /// Makes the simulations of a share, or fewer if the budget is spent or the result is proved;
    /// returns how many.
    pub(super) fn grow(&self, worker: &mut Worker<G>, share: &mut Share<G::Position>) -> u64 {
        match &self.edges {
            Some(edges) => self.grow_by(&OnEdges(edges), worker, share),
            None => self.grow_by(&ByRules(&self.game), worker, share),
        }
    }

    fn grow_by<D: Descent<G>>(
        &self,
        descent: &D,
        worker: &mut Worker<G>,
        share: &mut Share<G::Position>,
    ) -> u64 {
        let room = MOST_VISITS - u64::from(worker.tree.visits);
        let most = share.simulations.min(room);
        let root = descent.state(&share.root);
        let budget = &share.budget;
        let mut made = 0;
        // Short at first, then so long that looking at the clock costs nothing.
        let mut slice = 16;
        while made < most {
            let begun = Instant::now();
            let count = slice.min(most - made);
            let simulations = Simulations {
                game: &self.game,
                descent,
                root,
                tree: &mut worker.tree,
                exploration: &self.exploration,
                workplace: &mut worker.workplace,
                random: &mut share.random,
                solve: self.options.solve,
                exact: self.options.exact,
                budget,
                count,
            };
            let more = self.isa.run(simulations);
            made += more;
            if more < count || budget.is_over() || budget.is_spent(made * share.workers) {
                break;
            }
            if begun.elapsed() < Duration::from_micros(200) {
                slice *= 2;
            }
        }
        made
    }
}

/// A thread that lends its hand to a search whenever it is asked.
pub(super) struct WorkerThread<G: Playable> {
    tasks: Sender<(Worker<G>, Share<G::Position>)>,
    done: Receiver<(Worker<G>, u64)>,
}

impl<G: Playable> WorkerThread<G> {
    /// Starts it. It ends when this is dropped.
    pub(super) fn start(ground: &Arc<Ground<G>>) -> Result<Self, AgentSpecError> {
        let ground = Arc::clone(ground);
        let (tasks, next) = channel();
        let (result, done) = channel();
        let work = move || {
            while let Some((mut worker, mut share)) = receive(&next) {
                let made = ground.grow(&mut worker, &mut share);
                if result.send((worker, made)).is_err() {
                    break;
                }
            }
        };
        let started = std::thread::Builder::new().spawn(work);
        started.map_err(|error| AgentSpecError(format!("a thread cannot be started: {error}")))?;
        Ok(Self { tasks, done })
    }

    /// Lets it work.
    pub(super) fn begin(&self, worker: Worker<G>, share: Share<G::Position>) {
        self.tasks.send((worker, share)).expect(ALIVE);
    }

    /// Waits until it is done.
    pub(super) fn end(&self) -> (Worker<G>, u64) {
        receive(&self.done).expect(ALIVE)
    }
}

const ALIVE: &str = "a search does not panic";

/// How long to look for news before sleeping: what sleeps takes as long to wake up.
const AWAKE: Duration = Duration::from_micros(200);

/// The next thing that is sent; `None` if there is nobody left to send it.
fn receive<T>(from: &Receiver<T>) -> Option<T> {
    let begun = Instant::now();
    while begun.elapsed() < AWAKE {
        match from.try_recv() {
            Ok(sent) => return Some(sent),
            Err(TryRecvError::Empty) => std::hint::spin_loop(),
            Err(TryRecvError::Disconnected) => return None,
        }
    }
    from.recv().ok()
}
