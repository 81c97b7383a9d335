//! What to prove next: the position that promises most for its price, with more and more work each time.
//!
//! A search gives out positions with the interest that it takes in them, a plan says which of them a prover
//! tries next and how hard. What was tried in vain costs four times as much the next time.

/// A position whose proof is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted<K> {
    /// Which position.
    pub key: K,
    /// How much its result is worth, as against others.
    pub interest: f64,
    /// About how many positions a proof takes, if there is an idea of it.
    pub expected: f64,
}

/// What was tried already.
pub struct ProofPlan<K> {
    tried: Vec<Tried<K>>,
}

struct Tried<K> {
    key: K,
    /// This many positions were not enough.
    nodes: u64,
    /// A prover is at work on it, or it is proved.
    closed: bool,
}

/// The first try takes at least this many positions.
const FIRST: u64 = 1 << 12;
/// The first try takes this many times what is expected, so that most succeed.
const GENEROUS: f64 = 3.0;
/// Each try takes this many times as much as the last.
const GROWTH: u64 = 4;

impl<K: Copy + PartialEq> Default for ProofPlan<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Copy + PartialEq> ProofPlan<K> {
    /// Nothing was tried.
    #[must_use]
    pub fn new() -> Self {
        Self { tried: Vec::new() }
    }

    /// What to try next, and how many positions it may take: at most `most`, or it is not tried. Among equals
    /// the first. Nobody else gets it until [`ProofPlan::end`].
    pub fn begin(
        &mut self,
        wanted: impl IntoIterator<Item = Wanted<K>>,
        most: u64,
    ) -> Option<(K, u64)> {
        let mut best: Option<(f64, K, u64)> = None;
        for Wanted {
            key,
            interest,
            expected,
        } in wanted
        {
            let nodes = match self.tried.iter().find(|tried| tried.key == key) {
                Some(tried) if tried.closed => continue,
                Some(tried) => tried.nodes.saturating_mul(GROWTH),
                None => ((expected * GENEROUS) as u64).max(FIRST),
            };
            let worth = interest / nodes as f64;
            if nodes <= most && best.is_none_or(|(most, ..)| worth > most) {
                best = Some((worth, key, nodes));
            }
        }
        let (_, key, nodes) = best?;
        match self.tried.iter_mut().find(|tried| tried.key == key) {
            Some(tried) => tried.closed = true,
            None => self.tried.push(Tried {
                key,
                nodes: 0,
                closed: true,
            }),
        }
        Some((key, nodes))
    }

    /// A try has ended that took so many positions.
    pub fn end(&mut self, key: K, nodes: u64, proved: bool) {
        if let Some(tried) = self.tried.iter_mut().find(|tried| tried.key == key) {
            tried.nodes = nodes.max(1);
            tried.closed = proved;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(all: &[(char, f64, f64)]) -> Vec<Wanted<char>> {
        let one = |&(key, interest, expected): &(char, f64, f64)| Wanted {
            key,
            interest,
            expected,
        };
        all.iter().map(one).collect()
    }

    #[test]
    fn equals_are_tried_in_rounds() {
        let all = wanted(&[('a', 1.0, 0.0), ('b', 1.0, 0.0)]);
        let mut plan = ProofPlan::new();
        let tried = (0..5).map(|_| {
            let (key, nodes) = plan.begin(all.clone(), u64::MAX).unwrap();
            plan.end(key, nodes, false);
            (key, nodes)
        });
        let tried: Vec<_> = tried.collect();
        let (first, then) = (FIRST, FIRST * GROWTH);
        let rounds = [('a', first), ('b', first), ('a', then), ('b', then)];
        assert_eq!(tried[..4], rounds);
        assert_eq!(tried[4], ('a', then * GROWTH));
    }

    #[test]
    fn interest_is_weighed_against_the_price() {
        let all = wanted(&[('a', 9.0, 1e6), ('b', 2.0, 1e4), ('c', 1.0, 1e4)]);
        let mut plan = ProofPlan::new();
        assert_eq!(plan.begin(all.clone(), u64::MAX), Some(('b', 30_000)));
        // Others take what is next.
        assert_eq!(plan.begin(all.clone(), u64::MAX), Some(('c', 30_000)));
        assert_eq!(plan.begin(all.clone(), 1 << 20), None);
        plan.end('b', 30_000, true);
        plan.end('c', 30_000, false);
        assert_eq!(plan.begin(all.clone(), 1 << 20), Some(('c', 120_000)));
        assert_eq!(plan.begin(all, u64::MAX), Some(('a', 3_000_000)));
    }
}
