//! Depth-first search for who wins a sum, by one or several workers.
//!
//! All workers walk the same tree and share the table of results. At every position with enough
//! stones a worker first takes moves that no other is at work on, and helps with the others only then.
//! Now and then it looks whether somebody has solved a position on its way, and goes back to there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use upstar_machine::{Isa, Kernel, Machine, Portable};

use super::expand::{Child, Expand, Expansion};
use super::finding;
use super::model::{Model, features};
use super::play::Play;
use super::samples::Samples;
use super::space::Space;
use super::sum::{Ground, Sum};
use crate::key::Key;
use crate::transposition_table::TranspositionTable;
use upstar_jobs::thread::{STACK, start};
use upstar_jobs::{Budget, Watch};

/// Components with fewer stones in all are not worth sharing the work.
const SHARED_STONES: u32 = 12;
/// How often a worker looks at the clock, in nodes, and how often at what the others have done.
/// The first nodes of a large table take milliseconds each, for the system has to find the memory.
const LOOK_AT_CLOCK: u64 = 16;
const LOOK_UP: u64 = 512;
const LOOK_AT_TABLE: u64 = 1 << 20;

/// What the workers of a search have in common.
pub(crate) struct Search<'a, S: Space> {
    pub(crate) ground: &'a Ground<S>,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) budget: &'a Budget,
    pub(crate) workers: usize,
    pub(crate) watch: &'a dyn Watch,
    /// Whether others work on the same problem, here or elsewhere.
    shared: bool,
    busy: Busy,
    /// Nodes of all workers, counted now and then.
    nodes: AtomicU64,
    done: AtomicBool,
}

impl<'a, S: Space> Search<'a, S> {
    pub(crate) fn new(
        ground: &'a Ground<S>,
        table: &'a TranspositionTable,
        budget: &'a Budget,
        workers: usize,
        watch: &'a dyn Watch,
    ) -> Self {
        Self {
            ground,
            table,
            budget,
            workers,
            watch,
            shared: workers > 1 || watch.is_shared(),
            busy: Busy::new(),
            nodes: AtomicU64::new(0),
            done: AtomicBool::new(false),
        }
    }

    /// Whether somebody else is at work on this position.
    fn is_busy(&self, key: Key) -> bool {
        self.busy.has(key) || self.watch.is_taken(key)
    }

    /// Whether `mover` wins `sum`, and after how many nodes; `None` if the budget is spent first.
    pub(crate) fn wins(
        &self,
        sum: &Sum<S::Set>,
        mover: usize,
        learners: &mut [Worker<S>],
    ) -> (Option<bool>, u64)
    where
        S: Sync,
    {
        let run = |worker: &mut Worker<S>| {
            worker.nodes = 0;
            worker.told = 0;
            let win = worker.wins(self, sum, mover, 0);
            if win.is_some() {
                self.done.store(true, Ordering::Relaxed);
            }
            (win, worker.nodes)
        };
        match learners {
            [worker] => run(worker),
            // One works on this thread, so that the search goes on where the system starts no other.
            [first, others @ ..] => std::thread::scope(|scope| {
                let run = &run;
                let running: Vec<_> = others
                    .iter_mut()
                    .filter_map(|worker| start(scope, STACK, move || run(worker)).ok())
                    .collect();
                let own = run(first);
                let results = running
                    .into_iter()
                    .map(|r| r.join().expect("no worker panics"));
                results.fold(own, |(win, nodes), (w, n)| (win.or(w), nodes + n))
            }),
            [] => unreachable!("there is a worker"),
        }
    }
}

/// Which positions workers are at work on; forgetful, for it only serves to part them.
struct Busy(Vec<AtomicU64>);

impl Busy {
    const SLOTS: usize = 1 << 12;

    fn new() -> Self {
        Self((0..Self::SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, key: Key) -> &AtomicU64 {
        &self.0[(key >> 64) as usize % Self::SLOTS]
    }

    fn has(&self, key: Key) -> bool {
        self.slot(key).load(Ordering::Relaxed) == key as u64
    }

    fn enter(&self, key: Key) {
        self.slot(key).store(key as u64, Ordering::Relaxed);
    }

    fn leave(&self, key: Key) {
        let _ =
            self.slot(key)
                .compare_exchange(key as u64, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// One thread's part in a search.
pub(crate) struct Worker<S: Space> {
    isa: Isa,
    model: Arc<Model>,
    /// What it has solved, if that is kept.
    pub(crate) samples: Option<Samples>,
    nodes: u64,
    /// How many of them the others know of.
    told: u64,
    /// The keys of the positions from the root to here.
    path: Vec<Key>,
    /// The depth to go back to, since somebody has solved the position there.
    back_to: Option<usize>,
    /// The lists of children, one per depth.
    lists: Vec<Vec<Child>>,
    space: std::marker::PhantomData<S>,
}

struct Note<'a, S: Space> {
    ground: &'a Ground<S>,
    sum: &'a Sum<S::Set>,
    mover: usize,
    samples: &'a mut Samples,
}

impl<S: Space> Kernel for Note<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        features::<S, M>(self.ground, self.sum, self.mover, |feature| {
            self.samples.feature(feature);
        });
    }
}

impl<S: Space> Worker<S> {
    pub(crate) fn new(model: Arc<Model>) -> Self {
        Self {
            isa: Isa::best(),
            model,
            samples: None,
            nodes: 0,
            told: 0,
            path: Vec::new(),
            back_to: None,
            lists: Vec::new(),
            space: std::marker::PhantomData,
        }
    }

    /// How late to try a move that leads to `sum`, with `mover` then to move.
    pub(crate) fn rank(&self, ground: &Ground<S>, sum: &Sum<S::Set>, mover: usize) -> i32 {
        let survey = self.model.survey::<S, Portable>(ground, sum, mover);
        self.model.rank(survey)
    }

    /// Another worker with the same order of moves.
    pub(crate) fn alike(&self) -> Self {
        Self::new(Arc::clone(&self.model))
    }

    /// About how many positions it takes to find out whether `mover` wins `sum`.
    pub(crate) fn expected(&self, ground: &Ground<S>, sum: &Sum<S::Set>, mover: usize) -> f64 {
        let survey = self.model.survey::<S, Portable>(ground, sum, mover);
        self.model.expected(survey)
    }

    /// Whether `mover` wins `sum`; `None` if the budget is spent or this worker is to go back.
    fn wins(
        &mut self,
        search: &Search<'_, S>,
        sum: &Sum<S::Set>,
        mover: usize,
        depth: usize,
    ) -> Option<bool> {
        let key = sum.keys[mover];
        if let Some(win) = search.table.get(key) {
            return Some(win);
        }
        let before = self.nodes;
        if self.lists.len() <= depth {
            self.lists.push(Vec::new());
        }
        let mut children = std::mem::take(&mut self.lists[depth]);
        self.path.push(key);
        let win = loop {
            let win = self.search(search, sum, mover, depth, &mut children);
            if win.is_none() && self.back_to == Some(depth) {
                self.back_to = None;
                // Somebody else's result, unless it has been forgotten since.
                if let Some(win) = search.table.get(key) {
                    break Some(win);
                }
            } else {
                break win;
            }
        };
        self.path.pop();
        self.lists[depth] = children;
        let (win, nodes) = (win?, self.nodes - before);
        search.table.put(key, win, nodes);
        if nodes >= search.watch.least() {
            search.watch.found(finding::pack(key, win, nodes));
        }
        // In single rows most positions are sums of values, and the order of moves in them matters;
        // elsewhere they would only distract.
        if let Some(samples) = &mut self.samples
            && (search.ground.lookup.is_of_rows()
                || !sum.large.is_empty() && Samples::wants(key, nodes))
        {
            let ground = search.ground;
            self.isa.run(Note {
                ground,
                sum,
                mover,
                samples,
            });
            samples.solved(win, nodes);
        }
        Some(win)
    }

    fn search(
        &mut self,
        search: &Search<'_, S>,
        sum: &Sum<S::Set>,
        mover: usize,
        depth: usize,
        children: &mut Vec<Child>,
    ) -> Option<bool> {
        self.nodes += 1;
        if self.is_stopped(search) {
            return None;
        }
        let expand = Expand {
            ground: search.ground,
            table: search.table,
            model: &self.model,
            sum,
            mover,
            children,
        };
        if let Expansion::Won = self.isa.run(expand) {
            return Some(true);
        }
        let shared = search.shared && sum.stones() >= SHARED_STONES;
        let mut refuted = 0;
        // First what nobody is at work on, then the rest.
        let rounds = if shared { 2 } else { 1 };
        for round in 1..=rounds {
            for i in 0..children.len() {
                let Child {
                    key, step, done, ..
                } = children[i];
                if done || round < rounds && search.is_busy(key) {
                    continue;
                }
                let play = Play {
                    ground: search.ground,
                    sum,
                    mover,
                    step,
                };
                let next = self.isa.run(play);
                debug_assert_eq!(next.keys[1 - mover], key);
                if shared {
                    search.busy.enter(key);
                }
                let win = self.wins(search, &next, 1 - mover, depth + 1);
                if shared {
                    search.busy.leave(key);
                }
                if !win? {
                    return Some(true);
                }
                children[i].done = true;
                refuted += 1;
                if depth == 0 {
                    search.watch.first_moves(refuted, children.len());
                }
            }
        }
        Some(false)
    }

    /// Whether to stop here, because the search is over or somebody has solved a position on the way.
    #[inline(always)]
    fn is_stopped(&mut self, search: &Search<'_, S>) -> bool {
        let over = || search.done.load(Ordering::Relaxed) || search.budget.is_over();
        if self.nodes.is_multiple_of(LOOK_AT_CLOCK) && over() {
            return true;
        }
        if search.workers == 1 && search.budget.is_spent(self.nodes) {
            search.watch.stopped_at(&self.path);
            return true;
        }
        if !self.nodes.is_multiple_of(LOOK_UP) {
            return false;
        }
        let new = self.nodes - self.told;
        self.told = self.nodes;
        let all = search.nodes.fetch_add(new, Ordering::Relaxed) + new;
        search.watch.nodes(all);
        if self.nodes.is_multiple_of(LOOK_AT_TABLE) {
            search.watch.fill(search.table.fill());
        }
        if search.budget.is_spent(all) {
            return true;
        }
        if search.workers > 1 {
            self.back_to = self.path[..self.path.len() - 1]
                .iter()
                .position(|&key| search.table.get(key).is_some());
        }
        self.back_to.is_some()
    }
}
