//! Incentives: what a player gains by a move, Gᴸ − G for Left and G − Gᴿ for Right (Siegel, II.3).

use crate::{Games, Value};

impl Games {
    /// Left's incentives and Right's, without those that others dominate; `None` if the sums take more
    /// than `budget` sums of followers.
    ///
    /// ```
    /// # use upstar_cgt::Games;
    /// let mut games = Games::new();
    /// let star = games.nimber(1);
    /// // Whoever moves in ∗ makes it 0 and gains 0 − ∗ = ∗.
    /// assert_eq!(games.incentives(star, 100), Some([vec![star], vec![star]]));
    /// ```
    pub fn incentives(&mut self, value: Value, budget: usize) -> Option<[Vec<Value>; 2]> {
        let mut budget = budget;
        let negative = self.negative(value);
        let mut gains = [Vec::new(), Vec::new()];
        for option in self.left(value).to_vec() {
            gains[0].push(self.sum_within(option, negative, &mut budget)?);
        }
        for option in self.right(value).to_vec() {
            let opposite = self.negative(option);
            gains[1].push(self.sum_within(value, opposite, &mut budget)?);
        }
        Some(gains.map(|gains| {
            let mut kept: Vec<Value> = Vec::new();
            for &gain in &gains {
                let better = |&other: &Value| other != gain && self.le(gain, other);
                if !gains.iter().any(better) && !kept.contains(&gain) {
                    kept.push(gain);
                }
            }
            kept
        }))
    }
}
