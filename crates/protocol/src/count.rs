//! How many positions were searched so far, for another thread to read.

use std::sync::atomic::{AtomicU64, Ordering};

use upstar_solve::Watch;

/// Counts the nodes of a search while it runs.
#[derive(Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) fn nodes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Watch for Count {
    fn nodes(&self, nodes: u64) {
        self.0.store(nodes, Ordering::Relaxed);
    }
}
