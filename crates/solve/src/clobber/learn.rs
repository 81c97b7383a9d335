//! Learning which move to try first, from positions that the search has solved.

use super::model::{Model, UNIT, WEIGHTS};

/// How many solved positions make a lesson.
const LESSON: usize = 1 << 14;
/// How far a position moves the weights.
const RATE: f32 = 0.005;

/// Weights that follow what the search finds: logistic regression for who wins, least squares for the
/// work on lost positions, by stochastic gradient.
pub(crate) struct Learner {
    weights: Vec<[f32; 2]>,
    /// The features of the positions since the last lesson, one after the other.
    features: Vec<u16>,
    solved: Vec<Solved>,
}

struct Solved {
    features: usize,
    win: bool,
    work: f32,
}

impl Learner {
    pub(crate) fn new(weights: &[[i32; 2]]) -> Self {
        let real = |weight: i32| weight as f32 / UNIT as f32;
        Self {
            weights: weights.iter().map(|pair| pair.map(real)).collect(),
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
        self.solved.push(Solved { features: self.features.len(), win, work });
        (self.solved.len() >= LESSON).then(|| self.lesson())
    }

    fn lesson(&mut self) -> Model {
        let mut begin = 0;
        for solved in &self.solved {
            let places = &self.features[begin..solved.features];
            begin = solved.features;
            let weights = places.iter().map(|&place| self.weights[usize::from(place)]);
            let (odds, work) = weights.fold((0.0, 0.0), |(odds, work), [o, w]| (odds + o, work + w));
            let likely = 1.0 / (1.0 + f32::exp(-odds));
            let odds = RATE * (f32::from(u8::from(solved.win)) - likely);
            let work = if solved.win { 0.0 } else { RATE * (solved.work - work) };
            for &place in places {
                let [o, w] = &mut self.weights[usize::from(place)];
                *o += odds;
                *w += work;
            }
        }
        self.features.clear();
        self.solved.clear();
        Model::new(self.weights())
    }

    /// The weights as a model has them.
    pub(crate) fn weights(&self) -> Vec<[i32; 2]> {
        let whole = |weight: f32| (weight * UNIT as f32).round() as i32;
        debug_assert_eq!(self.weights.len(), WEIGHTS);
        self.weights.iter().map(|pair| pair.map(whole)).collect()
    }
}
