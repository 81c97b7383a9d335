//! Dirichlet noise, and the normal distribution that it is made from.

use upstar_games::Random;

/// A point of the Dirichlet distribution with `count` equal parameters: positive numbers whose sum is 1.
pub(super) fn dirichlet(alpha: f64, count: usize, random: &mut Random) -> Vec<f64> {
    let mut parts: Vec<f64> = (0..count).map(|_| gamma(alpha, random)).collect();
    let sum: f64 = parts.iter().sum();
    if sum > 0.0 {
        parts.iter_mut().for_each(|part| *part /= sum);
    } else {
        // With a tiny parameter all of them may be too small to tell from nothing.
        parts.fill(1.0 / count as f64);
    }
    parts
}

/// A gamma-distributed number (Marsaglia and Tsang, 2000).
fn gamma(alpha: f64, random: &mut Random) -> f64 {
    if alpha < 1.0 {
        let scale = (1.0 - random.unit()).powf(1.0 / alpha);
        return gamma(alpha + 1.0, random) * scale;
    }
    let d = alpha - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(random);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && (1.0 - random.unit()).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// A normally distributed number with mean 0 and variance 1 (Box and Muller, 1958).
pub fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - random.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.unit()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean 1/n and variance (n − 1) / (n² (nα + 1)) of each part.
    #[test]
    fn has_the_moments_of_its_distribution() {
        for (alpha, count) in [(0.25, 3), (1.0, 5), (3.0, 2)] {
            let mut random = Random::new(7);
            let draws = 40_000;
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..draws {
                let parts = dirichlet(alpha, count, &mut random);
                assert!((parts.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                sum += parts[0];
                squares += parts[0] * parts[0];
            }
            let mean = sum / f64::from(draws);
            let variance = squares / f64::from(draws) - mean * mean;
            let n = count as f64;
            assert!((mean - 1.0 / n).abs() < 0.01, "{mean}");
            let expected = (n - 1.0) / (n * n * (n * alpha + 1.0));
            assert!(
                (variance / expected - 1.0).abs() < 0.05,
                "{variance} {expected}"
            );
        }
    }

    #[test]
    fn tiny_parameters_do_no_harm() {
        let parts = dirichlet(1e-9, 4, &mut Random::new(1));
        assert!(parts.iter().all(|part| part.is_finite()));
    }
}
