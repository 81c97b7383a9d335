//! Positions that a search has solved, as what the models see of them.

use super::diamond::{self, DIAMONDS, WINDOWS};
use super::model::{Feature, WEIGHTS, WINDOW_CLASSES};
use crate::key::Key;

/// Positions that took fewer nodes are plentiful, so only one in eight is kept.
const FEW_NODES: u64 = 6;

/// Solved positions: their features, and how they were solved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    /// One position's after the other's.
    features: Vec<u32>,
    solved: Vec<Solved>,
}

/// How a position was solved.
#[derive(Clone, Copy, Debug)]
struct Solved {
    /// Where its features end.
    end: usize,
    win: bool,
    nodes: u32,
}

/// A solved position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample<'a> {
    /// Numbers of features: places of weights, then diamonds, or classes of diamonds.
    pub(crate) features: &'a [u32],
    /// Whether the side to move wins.
    pub(crate) win: bool,
    /// How many nodes it took to find out.
    pub(crate) nodes: u32,
}

impl Samples {
    /// Whether a position is kept.
    pub(crate) fn wants(key: Key, nodes: u64) -> bool {
        nodes >= FEW_NODES || key >> 40 & 7 == 0
    }

    /// Notes a feature of the position that [`Self::solved`] is going to name.
    #[inline(always)]
    pub(crate) fn feature(&mut self, feature: Feature) {
        let number = match feature {
            Feature::Place(place) => place,
            Feature::Diamond(diamond) => WEIGHTS + diamond,
        };
        self.features.push(number as u32);
    }

    /// Notes how the position with these features was solved.
    pub(crate) fn solved(&mut self, win: bool, nodes: u64) {
        self.solved.push(Solved {
            end: self.features.len(),
            win,
            nodes: u32::try_from(nodes).unwrap_or(u32::MAX),
        });
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.solved.len()
    }

    /// The sample with this index.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> Sample<'_> {
        let Solved { end, win, nodes } = self.solved[index];
        let begin = match index {
            0 => 0,
            _ => self.solved[index - 1].end,
        };
        Sample {
            features: &self.features[begin..end],
            win,
            nodes,
        }
    }

    /// Adds others.
    pub(crate) fn append(&mut self, others: &Self) {
        let before = self.features.len();
        self.features.extend(&others.features);
        self.solved
            .extend(others.solved.iter().map(|solved| Solved {
                end: solved.end + before,
                ..*solved
            }));
    }

    /// The same with diamonds replaced by their classes.
    pub(crate) fn classed(mut self, classes: &Classes) -> Self {
        for feature in &mut self.features {
            *feature = classes.feature(*feature);
        }
        self
    }
}

/// For each diamond its class, and the numbers of the classes in ascending order.
pub(crate) struct Classes {
    of: Vec<u32>,
    /// The least diamond of each class.
    pub(crate) least: Vec<u32>,
}

impl Classes {
    pub(crate) fn new() -> Self {
        let (mut of, mut least) = (vec![u32::MAX; DIAMONDS], Vec::new());
        for diamond in 0..DIAMONDS {
            if diamond::middle(diamond) != 0 && of[diamond] == u32::MAX {
                for image in diamond::images(diamond) {
                    of[image] = least.len() as u32;
                }
                least.push(diamond as u32);
            }
        }
        Self { of, least }
    }

    /// A feature with the class in the place of the diamond.
    pub(crate) fn feature(&self, feature: u32) -> u32 {
        match (feature as usize).checked_sub(WEIGHTS) {
            None => feature,
            Some(diamond) => WEIGHTS as u32 + self.of[diamond],
        }
    }

    /// The places of the weights of the windows in each class.
    pub(crate) fn windows(&self) -> Vec<u16> {
        let window = |&diamond: &u32| WINDOW_CLASSES[diamond as usize % WINDOWS];
        self.least.iter().map(window).collect()
    }
}
