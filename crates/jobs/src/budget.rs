//! How long a search may go on: until a time, a number of nodes, or until somebody says stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a search may spend. Without a limit it goes on to the end.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    nodes: Option<u64>,
    stop: Arc<AtomicBool>,
}

impl Budget {
    /// No limit at all.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// The same budget, but spent after this time from now.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Self {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// The same budget, but spent after this time from now at the latest: the earlier of both deadlines.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let own = Instant::now().checked_add(time);
        Self {
            deadline: self.deadline.into_iter().chain(own).min(),
            ..self.clone()
        }
    }

    /// The same budget, but spent after this many nodes.
    #[must_use]
    pub fn with_nodes(mut self, nodes: u64) -> Self {
        self.nodes = Some(nodes);
        self
    }

    /// The most nodes, if they are limited.
    #[must_use]
    pub fn node_limit(&self) -> Option<u64> {
        self.nodes
    }

    /// Ends the search, of all clones of this budget too.
    pub fn cancel(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The flag that ends the search when it is set, by Ctrl-C for instance.
    #[must_use]
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Whether the search has to end, after this many nodes. The clock is read every 256th node, and
    /// then only.
    #[inline]
    #[must_use]
    pub fn is_spent(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|most| nodes >= most) || nodes.is_multiple_of(256) && self.is_over()
    }

    /// How much time is left, if that is limited.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        let now = Instant::now();
        self.deadline
            .map(|deadline| deadline.saturating_duration_since(now))
    }

    /// Whether somebody said stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether time is up or somebody said stop.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let late = |deadline| Instant::now() >= deadline;
        self.is_stopped() || self.deadline.is_some_and(late)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_ends_the_search() {
        assert!(!Budget::unlimited().is_spent(1 << 40));
        assert!(Budget::unlimited().with_nodes(10).is_spent(10));
        assert!(!Budget::unlimited().with_nodes(10).is_spent(9));
        assert!(Budget::unlimited().with_time(Duration::ZERO).is_spent(256));
        let budget = Budget::unlimited();
        budget.stop_flag().store(true, Ordering::Relaxed);
        assert!(budget.clone().is_spent(512));
        assert!(budget.within(Duration::from_secs(9)).is_stopped());
    }

    #[test]
    fn the_earlier_deadline_counts() {
        let second = Duration::from_secs(1);
        let budget = Budget::unlimited();
        assert_eq!(budget.time_left(), None);
        assert_eq!(budget.within(Duration::MAX).time_left(), None);
        let left = |budget: Budget| budget.time_left().unwrap();
        for budget in [
            budget.within(5 * second),
            budget.within(5 * second).within(9 * second),
            budget.within(9 * second).within(5 * second),
        ] {
            let left = left(budget);
            assert!(left <= 5 * second && left > 4 * second, "{left:?}");
        }
        assert_eq!(left(budget.within(Duration::ZERO)), Duration::ZERO);
    }
}
