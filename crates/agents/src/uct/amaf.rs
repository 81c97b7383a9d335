//! All moves as first, or RAVE (Gelly and Silver, 2011): what a move is worth wherever it was played in
//! the games from here on, mixed with what it is worth right now while that is little known.

/// How results of all moves count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amaf {
    /// The number of visits at which both kinds of results have equal weight.
    equivalence: f32,
}

impl Amaf {
    pub(super) fn new(equivalence: u32) -> Self {
        Self {
            equivalence: equivalence as f32,
        }
    }

    /// Value and width of a move of which nothing is known: to be tried before those that lose.
    pub(super) fn fresh(&self) -> (f32, f32) {
        (1.0, 1.0)
    }

    /// The value of a move with these visits and points, and those of all moves as first. The weight of the
    /// latter is √(k / (3n + k)) after n visits.
    #[inline(always)]
    pub(super) fn value(&self, visits: u32, points: u32, all_visits: u32, all_points: u32) -> f32 {
        let mean = |points: u32, visits: u32| points as f32 / (2 * visits) as f32;
        match (visits, all_visits) {
            (0, 0) => self.fresh().0,
            (0, _) => mean(all_points, all_visits),
            (_, 0) => mean(points, visits),
            _ => {
                let k = self.equivalence;
                let weight = (k / (3.0 * visits as f32 + k)).sqrt();
                weight * mean(all_points, all_visits) + (1.0 - weight) * mean(points, visits)
            }
        }
    }
}
