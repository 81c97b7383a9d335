//! The interval of a share.

/// Wilson's score interval of `part` in `whole`, this many standard deviations of the normal distribution wide to each
/// side.
#[must_use]
pub fn wilson(part: f64, whole: f64, sigmas: f64) -> [f64; 2] {
    if whole <= 0.0 {
        return [0.0, 1.0];
    }
    let share = part / whole;
    let square = sigmas * sigmas / whole;
    let centre = (share + square / 2.0) / (1.0 + square);
    let half =
        sigmas / (1.0 + square) * (share * (1.0 - share) / whole + square / (4.0 * whole)).sqrt();
    // At the ends the interval touches 0 or 1, but for rounding.
    let low = if part <= 0.0 { 0.0 } else { centre - half };
    let high = if part >= whole { 1.0 } else { centre + half };
    [low.max(0.0), high.min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_agrees_with_a_table() {
        const SIGMAS: f64 = 2.575_829_303_548_901;
        // R: binom::binom.wilson(50, 100, 0.99) and binom::binom.wilson(0, 20, 0.99).
        let close = |[low, high]: [f64; 2], [right_low, right_high]: [f64; 2]| {
            assert!((low - right_low).abs() < 1e-4 && (high - right_high).abs() < 1e-4);
        };
        close(wilson(50.0, 100.0, SIGMAS), [0.3753, 0.6247]);
        close(wilson(0.0, 20.0, SIGMAS), [0.0, 0.2491]);
        assert_eq!(wilson(20.0, 20.0, SIGMAS)[1], 1.0);
        assert_eq!(wilson(0.0, 0.0, SIGMAS), [0.0, 1.0]);
    }
}
