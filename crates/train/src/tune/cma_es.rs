//! Covariance matrix adaptation (CMA-ES), after N. Hansen, "The CMA Evolution Strategy: A Tutorial" (2016).
//!
//! Points are drawn from a normal distribution. The better half of each generation moves its mean, its
//! shape and its width. Points come from the Cholesky factor of the covariance instead of its symmetric
//! root (Krause, Arbonès and Igel, 2016): no eigenvectors are needed. Only ranks count.

use upstar_agents::puct::normal;
use upstar_games::Random;

type Vector = Vec<f64>;
type Matrix = Vec<Vector>;

/// The distribution from which the next generation is drawn.
#[derive(Clone, Debug)]
pub(super) struct CmaEs {
    mean: Vector,
    /// The width of the distribution, called sigma.
    step: f64,
    covariance: Matrix,
    /// The lower triangle whose square is the covariance.
    factor: Matrix,
    /// The evolution path that widens the covariance in the direction of the last means.
    path: Vector,
    /// The evolution path that controls the step.
    step_path: Vector,
    /// Those of the better half of a generation, the best first.
    weights: Vec<f64>,
    generation: i32,
}

/// The widest step: beyond it the reflected coordinates of a space are as good as uniform.
const WIDEST: f64 = 1.0;

impl CmaEs {
    /// Begins around a mean, for generations of at least two points.
    pub(super) fn new(mean: Vector, step: f64, population: usize) -> Self {
        let half = (population / 2).max(1);
        let weight = |place: usize| (population as f64 / 2.0 + 0.5).ln() - (place as f64).ln();
        let mut weights: Vec<f64> = (1..=half).map(weight).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        let size = mean.len();
        let mut identity = vec![vec![0.0; size]; size];
        (0..size).for_each(|i| identity[i][i] = 1.0);
        Self {
            step,
            covariance: identity.clone(),
            factor: identity,
            path: vec![0.0; size],
            step_path: vec![0.0; size],
            weights,
            generation: 0,
            mean,
        }
    }

    /// Draws independent normal numbers, which [`CmaEs::point`] makes a point of.
    pub(super) fn draw(&self, random: &mut Random) -> Vector {
        self.mean.iter().map(|_| normal(random)).collect()
    }

    /// The point that belongs to a draw.
    pub(super) fn point(&self, draw: &[f64]) -> Vector {
        let direction = times(&self.factor, draw);
        let moved = self.mean.iter().zip(direction);
        moved.map(|(mean, by)| mean + self.step * by).collect()
    }

    /// Learns from the draws of a whole generation, the best first.
    pub(super) fn learn(&mut self, ranked: &[&Vector]) {
        let size = self.mean.len();
        let n = size as f64;
        let selected = 1.0 / self.weights.iter().map(|w| w * w).sum::<f64>();
        let path_rate = (4.0 + selected / n) / (n + 4.0 + 2.0 * selected / n);
        let step_rate = (selected + 2.0) / (n + selected + 5.0);
        let one_rate = 2.0 / ((n + 1.3).powi(2) + selected);
        let many_rate = 2.0 * (selected - 2.0 + 1.0 / selected) / ((n + 2.0).powi(2) + selected);
        let many_rate = many_rate.min(1.0 - one_rate);
        let damping =
            1.0 + 2.0 * (((selected - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + step_rate;
        let usual_length = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));

        let mut draw = vec![0.0; size];
        for (weight, other) in self.weights.iter().zip(ranked) {
            add(&mut draw, *weight, other);
        }
        let direction = times(&self.factor, &draw);
        add(&mut self.mean, self.step, &direction);

        let fresh = (step_rate * (2.0 - step_rate) * selected).sqrt();
        scale(&mut self.step_path, 1.0 - step_rate);
        add(&mut self.step_path, fresh, &draw);
        self.generation += 1;
        let length = self.step_path.iter().map(|x| x * x).sum::<f64>().sqrt();
        let settled = (1.0 - (1.0 - step_rate).powi(2 * self.generation)).sqrt();
        // A long path means that the step is too small; the covariance must not grow because of that.
        let is_stalled = length / settled / usual_length >= 1.4 + 2.0 / (n + 1.0);
        scale(&mut self.path, 1.0 - path_rate);
        let mut lost = path_rate * (2.0 - path_rate);
        if !is_stalled {
            add(&mut self.path, (lost * selected).sqrt(), &direction);
            lost = 0.0;
        }

        for row in &mut self.covariance {
            scale(row, 1.0 - one_rate - many_rate + one_rate * lost);
        }
        add_square(&mut self.covariance, one_rate, &self.path);
        for (weight, draw) in self.weights.iter().zip(ranked) {
            let direction = times(&self.factor, draw);
            add_square(&mut self.covariance, many_rate * weight, &direction);
        }
        self.factor = cholesky(&self.covariance);
        let growth = (step_rate / damping * (length / usual_length - 1.0)).exp();
        self.step = (self.step * growth).min(WIDEST);
    }
}

fn times(matrix: &Matrix, vector: &[f64]) -> Vector {
    let product = |row: &Vector| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.iter().map(product).collect()
}

fn scale(vector: &mut [f64], by: f64) {
    vector.iter_mut().for_each(|x| *x *= by);
}

fn add(vector: &mut [f64], weight: f64, other: &[f64]) {
    for (x, y) in vector.iter_mut().zip(other) {
        *x += weight * y;
    }
}

/// Adds the product of a vector with itself.
fn add_square(matrix: &mut Matrix, weight: f64, vector: &[f64]) {
    for (row, x) in matrix.iter_mut().zip(vector) {
        add(row, weight * x, vector);
    }
}

/// The lower triangle whose product with its transpose is this matrix.
fn cholesky(matrix: &Matrix) -> Matrix {
    let size = matrix.len();
    let mut lower = vec![vec![0.0; size]; size];
    for i in 0..size {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            let rest = matrix[i][j] - known;
            lower[i][j] = match i == j {
                // Positive but for rounding.
                true => rest.max(1e-20).sqrt(),
                false => rest / lower[j][j],
            };
        }
    }
    lower
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ellipsoid, turned so that coordinates depend on each other; its minimum is 0 at 0.3 everywhere.
    fn ellipsoid(point: &[f64]) -> f64 {
        let moved: Vec<f64> = point.iter().map(|x| x - 0.3).collect();
        let sum: f64 = moved.iter().sum();
        let squares = moved.iter().enumerate();
        let squares = squares.map(|(i, x)| 10f64.powi(i as i32) * x * x);
        squares.sum::<f64>() + 100.0 * sum * sum
    }

    /// The valley of Rosenbrock with its minimum 0 where all are 1.
    fn valley(point: &[f64]) -> f64 {
        let pairs = point.windows(2);
        let pair = |w: &[f64]| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2);
        pairs.map(pair).sum()
    }

    fn minimum(function: fn(&[f64]) -> f64, evaluations: usize, seed: u64) -> f64 {
        let population = 10;
        let mut search = CmaEs::new(vec![0.5; 4], 0.3, population);
        let mut random = Random::new(seed);
        let mut best = f64::INFINITY;
        for _ in 0..evaluations / population {
            let draws = (0..population).map(|_| search.draw(&mut random));
            let value = |draw: Vector| (function(&search.point(&draw)), draw);
            let mut ranked: Vec<(f64, Vector)> = draws.map(value).collect();
            ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
            best = best.min(ranked[0].0);
            search.learn(&ranked.iter().map(|(_, draw)| draw).collect::<Vec<_>>());
        }
        best
    }

    /// Random search in the unit cube is the plain version.
    #[test]
    fn known_minima_are_found_where_random_search_fails() {
        for function in [ellipsoid, valley] {
            for seed in 0..5 {
                let mut random = Random::new(seed);
                let point = |_| (0..4).map(|_| random.unit()).collect::<Vector>();
                let values = (0..3000).map(point).map(|point| function(&point));
                let plain = values.fold(f64::INFINITY, f64::min);
                let found = minimum(function, 3000, seed);
                assert!(found < 1e-8 && plain > 1e-3, "{seed}: {found} {plain}");
            }
        }
    }

    #[test]
    fn the_factor_is_a_root() {
        let matrix = vec![
            vec![4.0, 2.0, 0.6],
            vec![2.0, 5.0, 1.0],
            vec![0.6, 1.0, 3.0],
        ];
        let root = cholesky(&matrix);
        for i in 0..3 {
            for j in 0..3 {
                let product: f64 = (0..3).map(|k| root[i][k] * root[j][k]).sum();
                assert!((product - matrix[i][j]).abs() < 1e-12);
            }
        }
    }
}
