//! Threads that search together: each runs the whole search on the shared table, but does not begin
//! a move, unless it is a position's first, while another thread is at it (Kerrigan's simplification
//! of ABDADA, Weill 1996). Who comes to the end first ends the work of all.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};

use crate::key::Key;
use upstar_jobs::{Budget, Watch};

/// What the threads of one search share, beside the table.
pub(super) struct Crew<'a> {
    pub(super) threads: usize,
    budget: &'a Budget,
    pub(super) watch: &'a dyn Watch,
    /// From so many nodes on the watch wants to know what was found.
    pub(super) worth_telling: u64,
    nodes: AtomicU64,
    looked: AtomicU64,
    done: AtomicBool,
    above: AtomicI32,
    /// The positions that are being searched; two that fall on the same place do no harm.
    busy: Vec<AtomicU64>,
}

const PLACES: usize = 1 << 12;

impl<'a> Crew<'a> {
    pub(super) fn new(threads: usize, budget: &'a Budget, watch: &'a dyn Watch) -> Self {
        Self {
            threads,
            budget,
            watch,
            worth_telling: watch.least(),
            nodes: AtomicU64::new(0),
            looked: AtomicU64::new(0),
            done: AtomicBool::new(false),
            above: AtomicI32::new(0),
            busy: (0..PLACES).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The same crew after it has visited this many positions.
    pub(super) fn after(self, nodes: u64) -> Self {
        self.nodes.store(nodes, Ordering::Relaxed);
        self
    }

    /// Says what is asked now, of the position at the root.
    pub(super) fn ask(&self, alpha: i32) {
        self.above.store(alpha, Ordering::Relaxed);
    }

    /// All visited positions that threads have reported.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Adds positions that were looked at only to order moves.
    pub(super) fn look(&self, more: u64) {
        self.looked.fetch_add(more, Ordering::Relaxed);
    }

    /// All positions that were looked at only to order moves.
    pub(super) fn looked(&self) -> u64 {
        self.looked.load(Ordering::Relaxed)
    }

    /// Adds visited positions; whether the search has to end.
    pub(super) fn must_stop(&self, more: u64) -> bool {
        let nodes = self.nodes.fetch_add(more, Ordering::Relaxed) + more;
        self.watch.nodes(nodes);
        self.watch.above(self.above.load(Ordering::Relaxed));
        // The budget reads its clock at multiples of 256 only.
        self.is_done() || self.budget.is_spent(nodes & !255)
    }

    /// Ends the work of all.
    pub(super) fn finish(&self) {
        self.done.store(true, Ordering::Relaxed);
    }

    fn is_done(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }

    fn place(&self, key: Key) -> &AtomicU64 {
        &self.busy[key as usize % PLACES]
    }

    /// Whether another thread is at this position.
    pub(super) fn is_busy(&self, key: Key) -> bool {
        self.place(key).load(Ordering::Relaxed) == key as u64
    }

    /// Says that a thread is at this position, until what is returned goes away.
    pub(super) fn enter(&'a self, key: Key) -> Presence<'a> {
        let place = self.place(key);
        place.store(key as u64, Ordering::Relaxed);
        Presence { place }
    }
}

/// A thread's work on one position.
pub(super) struct Presence<'a> {
    place: &'a AtomicU64,
}

impl Drop for Presence<'_> {
    fn drop(&mut self) {
        self.place.store(0, Ordering::Relaxed);
    }
}
