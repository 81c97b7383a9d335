//! How much a search explores: c·√(2 ln N) for every number N of visits, from a table.

/// The table: exact for small numbers, and for others that of the number with the same nine leading
/// bits, which is less than 0.04 % below. It is computed with operations that are exact by IEEE 754
/// only, so that every machine has the same table.
pub(super) struct Exploration {
    scales: Vec<f32>,
}

impl Exploration {
    pub(super) fn new(c: f64) -> Self {
        let places = place(u32::MAX) + 1;
        let scale = |place| (c * (2.0 * logarithm(number(place))).sqrt()) as f32;
        Self {
            scales: (0..places).map(scale).collect(),
        }
    }

    /// The scale of widths after so many visits.
    #[inline(always)]
    pub(super) fn scale(&self, visits: u32) -> f32 {
        self.scales[place(visits)]
    }
}

const BITS: u32 = 8;

#[inline(always)]
fn place(visits: u32) -> usize {
    let shift = (visits | 1 << BITS).ilog2() - BITS;
    ((shift << BITS) + (visits >> shift)) as usize
}

/// The least number of visits at a place.
fn number(place: usize) -> f64 {
    let shift = (place >> BITS).saturating_sub(1);
    ((place - (shift << BITS)) as u64 * (1 << shift)) as f64
}

/// The natural logarithm of a number ≥ 1; 0 below.
fn logarithm(number: f64) -> f64 {
    let (mut halvings, mut mantissa) = (0.0, number.max(1.0));
    while mantissa >= 2.0 {
        mantissa /= 2.0;
        halvings += 1.0;
    }
    // ln m = 2 artanh((m − 1) / (m + 1)), whose series ends fast.
    let z = (mantissa - 1.0) / (mantissa + 1.0);
    let (mut power, mut sum) = (z, 0.0);
    for odd in (1..60).step_by(2) {
        sum += power / f64::from(odd);
        power *= z * z;
    }
    halvings * std::f64::consts::LN_2 + 2.0 * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_follows_the_formula() {
        let table = Exploration::new(0.7);
        let mut last = 0.0;
        for visits in (1..3000).chain([10_000, 99_999, 1 << 20, 1 << 30, u32::MAX]) {
            let exact = 0.7 * (2.0 * f64::from(visits).ln()).sqrt();
            let scale = f64::from(table.scale(visits));
            assert!(
                (exact - scale).abs() <= 4e-4 * exact + 1e-9,
                "{visits}: {exact} {scale}"
            );
            assert!(scale >= last, "{visits}");
            last = scale;
        }
        assert_eq!(table.scale(0), 0.0);
    }
}
