//! Learning which move to try first, from positions that the search has solved.

use super::model::{Model, UNIT};

/// How many solved positions make a lesson.
const LESSON: usize = 1 << 14;
/// How far a position moves the weights: on single rows each as far, elsewhere one that took e³ nodes
/// so far, and others in proportion to the logarithm of their nodes.
const RATE_IN_ROWS: f32 = 0.005;
const RATE: f32 = 0.002;
/// The share of the latest weights in the average that the search uses, at least.
const LATEST: f32 = 0.02;

/// Weights that follow what the search finds: logistic regression for who wins, least squares for the
/// work on lost positions, by stochastic gradient. The search uses averages over many lessons, which are
/// steadier than the weights themselves.
pub(crate) struct Learner {
    weights: Vec<[f32; 2]>,
    average: Vec<[f32; 2]>,
    lessons: u32,
    /// Whether it learns about single rows.
    rows: bool,
    /// The features of the positions since the last lesson, one after the other.
    features: Vec<u16>,
    solved: Vec<Solved>,
}

struct Solved {
    /// Where its features end.
    end: usize,
    win: bool,
    /// The logarithm of the nodes it took.
    work: f32,
}

impl Learner {
    pub(crate) fn new(weights: &[[i32; 2]], rows: bool) -> Self {
        let real = |weight: i32| weight as f32 / UNIT as f32;
        let weights: Vec<[f32; 2]> = weights.iter().map(|pair| pair.map(real)).collect();
        Self {
            average: weights.clone(),
            weights,
            lessons: 0,
            rows,
            features: Vec::new(),
            solved: Vec::new(),
        }
    }

    /// Notes a feature of the position that [`Self::solved`] is going to name.
    pub(crate) fn feature(&mut self, place: usize) {
        self.features.push(place as u16);
    }

    /// Notes how a position was solved; when there are enough of them, gives the new model.
    pub(crate) fn solved(&mut self, win: bool, nodes: u64) -> Option<Model> {
        let work = (nodes as f32).ln();
        let end = self.features.len();
        self.solved.push(Solved { end, win, work });
        (self.solved.len() >= LESSON).then(|| self.lesson())
    }

    fn lesson(&mut self) -> Model {
        let mut begin = 0;
        for solved in &self.solved {
            let places = &self.features[begin..solved.end];
            begin = solved.end;
            let weights = places.iter().map(|&place| self.weights[usize::from(place)]);
            let (odds, work) =
                weights.fold((0.0, 0.0), |(odds, work), [o, w]| (odds + o, work + w));
            let likely = 1.0 / (1.0 + f32::exp(-odds));
            let rate = if self.rows {
                RATE_IN_ROWS
            } else {
                RATE * (solved.work / 3.0).max(0.1)
            };
            let odds = rate * (f32::from(u8::from(solved.win)) - likely);
            let work = if solved.win {
                0.0
            } else {
                rate * (solved.work - work)
            };
            for &place in places {
                let [o, w] = &mut self.weights[usize::from(place)];
                *o += odds;
                *w += work;
            }
        }
        self.features.clear();
        self.solved.clear();
        self.lessons += 1;
        let share = (2.0 / self.lessons as f32).max(LATEST);
        for (average, latest) in self
            .average
            .iter_mut()
            .flatten()
            .zip(self.weights.iter().flatten())
        {
            *average += share.min(1.0) * (latest - *average);
        }
        Model::new(self.weights())
    }

    /// The weights as a model has them.
    pub(crate) fn weights(&self) -> Vec<[i32; 2]> {
        let whole = |weight: f32| (weight * UNIT as f32).round() as i32;
        self.average.iter().map(|pair| pair.map(whole)).collect()
    }
}
