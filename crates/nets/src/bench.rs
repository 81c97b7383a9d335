//! How fast networks learn against Random: those of leiden2018, and with sigmoids those of etoeharnowo2017.

use std::time::Duration;

use upstar_games::{Cells, Clobber, Color, Grid, Position, Random, Rules, Variant};

use crate::activation::Activation;
use crate::encoder::Encoder;
use crate::network::Network;
use crate::shape::{Initial, Shape};
use crate::versus_random::{Lesson, Plain, Record, VersusRandom};

/// The least time of a piece of which the speed is told.
const PIECE: Duration = Duration::from_millis(100);

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bench {
    /// The nodes of the hidden layer.
    pub hidden: usize,
    /// Their activation, and the output's.
    pub activation: Activation,
    /// The seed of weights and games.
    pub seed: u64,
}

impl Default for Bench {
    fn default() -> Self {
        Self {
            hidden: 100,
            activation: Activation::LEAKY_RELU,
            seed: Random::DEFAULT_SEED,
        }
    }
}

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Training games.
    pub games: u64,
    /// The time they took, by the caller's clock.
    pub seconds: f64,
    /// Games per second.
    pub games_per_second: f64,
    /// The same in the fastest tenth of a second: what others do on the machine disturbs it less.
    pub fastest_games_per_second: f64,
    /// The share of positions from which something was learned: a dead network only looks fast.
    pub live_gradient_share: f64,
    /// Whether the fast way was taken, not the plain one.
    pub fast: bool,
}

impl Bench {
    /// How to learn on a board of so many cells without killing the network: smaller steps on larger
    /// boards, as in leiden2018. A bounded output would run to its bound after a target of 100, where it
    /// has no slope: such a network learns as in etoeharnowo2017.
    fn lesson(&self, cells: usize) -> Lesson {
        match self.is_bounded() {
            true => Lesson {
                learning_rate: 0.02,
                target: 1.0,
                temporal_rate: 0.1,
                output_derivative: true,
                all_positions: true,
            },
            false => Lesson {
                learning_rate: if cells <= 20 { 2e-5 } else { 2e-6 },
                target: 100.0,
                temporal_rate: 0.0,
                output_derivative: true,
                all_positions: false,
            },
        }
    }

    fn is_bounded(&self) -> bool {
        matches!(
            self.activation,
            Activation::Sigmoid { .. } | Activation::Tanh
        )
    }

    /// The encoder and the initial weights, those of the lab's experiments.
    fn beginning(&self) -> (Encoder, Initial) {
        let both_signs = Initial::Uniform {
            low: -0.5,
            high: 0.5,
            bias: None,
        };
        match self.is_bounded() {
            true => (Encoder::Etoeharnowo2017, both_signs),
            false => (Encoder::Leiden2018, Initial::LEIDEN2018),
        }
    }

    /// Trains from `start` until `clock`, which tells the time since some beginning, has advanced by
    /// `limit`; as Black. `None` if the shape is out of bounds or the board no grid.
    pub fn run<B: Cells>(
        &self,
        game: &Clobber<B>,
        start: &Position<B>,
        limit: Duration,
        mut clock: impl FnMut() -> Duration,
    ) -> Option<Measured> {
        let upstar_games::Board::Grid(grid) = *game.board() else {
            return None;
        };
        let (encoder, initial) = self.beginning();
        let shape = Shape {
            game: if game.is_cannibal() {
                Variant::Cannibal
            } else {
                Variant::Clobber
            },
            grid: Grid::new(grid.rows(), grid.cols()).ok()?,
            encoder,
            convolutions: Vec::new(),
            hidden: vec![self.hidden],
            activation: self.activation,
            output: self.activation,
        };
        let shape = shape.checked().ok()?;
        let lesson = self.lesson(grid.len());
        let network = Network::new(shape, initial, &mut Random::new(self.seed));
        let mut fast = VersusRandom::new(network.clone(), game, start, Color::Black);
        let mut plain = match fast {
            Some(_) => None,
            None => Some(Plain::new(network, game.clone(), *start, Color::Black).ok()?),
        };
        let mut record = Record::default();
        let begun = clock();
        let (mut piece, mut fastest) = ((0, begun), 0.0);
        loop {
            let games = record.games..record.games + 1000;
            record.merge(&match (&mut fast, &mut plain) {
                (Some(fast), _) => fast.learn(&lesson, self.seed, games),
                (None, Some(plain)) => plain.learn(&lesson, self.seed, games),
                (None, None) => unreachable!("one of them was made"),
            });
            let now = clock();
            let rate = |(games, since): (u64, Duration)| {
                let seconds = now.saturating_sub(since).as_secs_f64();
                (record.games - games) as f64 / seconds.max(1e-9)
            };
            if now.saturating_sub(piece.1) >= PIECE {
                fastest = rate(piece).max(fastest);
                piece = (record.games, now);
            }
            if now.saturating_sub(begun) >= limit {
                let games_per_second = rate((0, begun));
                return Some(Measured {
                    games: record.games,
                    seconds: now.saturating_sub(begun).as_secs_f64(),
                    games_per_second,
                    fastest_games_per_second: games_per_second.max(fastest),
                    live_gradient_share: record.live_gradient_share(),
                    fast: fast.is_some(),
                });
            }
        }
    }
}
