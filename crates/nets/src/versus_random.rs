//! Learning from games against Random, very fast (leiden2018, chapter 5): the network plays the
//! move it values most, and after each game learns the positions it chose, in playing order.
//!
//! This is plain backpropagation, reordered so that little is computed twice; see `game.rs` for how.
//! It is there for networks that see Clobber as leiden2018 does, with one hidden layer of
//! rectifiers, or two small ones (`two_layers.rs`); [`Plain`] does the same for every network, a
//! position at a time.

mod board;
mod children;
mod game;
mod group;
mod plain;
mod two_layers;

use std::ops::Range;

use upstar_games::{Board, Cells, Clobber, Color, Position, Random, Rules, Variant};
use upstar_machine::{Isa, Kernel, Machine};

use crate::encoder::Encoder;
use crate::lanes::LANES;
use crate::network::{Network, isa};
use board::Slots;
use game::Games;
use two_layers::TwoLayers;

pub use plain::Plain;

/// How to learn from a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// The step of backpropagation.
    pub learning_rate: f32,
    /// The value of a won game; a lost one has the same with a minus.
    pub target: f32,
    /// The step grows by this share after each position, and is reset for the next game.
    pub temporal_rate: f32,
}

/// Games that were played, and how much was learned from them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The number of games.
    pub games: u64,
    /// Those that the network won.
    pub wins: u64,
    /// The positions that it chose.
    pub positions: u64,
    /// The positions that were learned with a gradient that is not zero.
    pub live: u64,
    /// The choices between moves of different value; counted only when nothing is learned.
    pub opinions: u64,
}

impl Record {
    /// The share of positions from which something was learned.
    #[must_use]
    pub fn live_gradient_share(&self) -> f64 {
        self.live as f64 / self.positions.max(1) as f64
    }

    /// The share of games won.
    #[must_use]
    pub fn win_rate(&self) -> f64 {
        self.wins as f64 / self.games.max(1) as f64
    }

    /// Whether the network has no opinion at all: it values all moves alike in every position, and
    /// plays the first of the list. Only for games from which nothing was learned.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.opinions == 0
    }

    /// Counts other games too.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.wins += other.wins;
        self.positions += other.positions;
        self.live += other.live;
        self.opinions += other.opinions;
    }
}

/// A network with one hidden layer of rectifiers, or with two of at most 32 nodes, that plays Clobber
/// against Random.
#[derive(Clone, Debug)]
pub struct VersusRandom {
    network: Network,
    choice: Choice,
    isa: Isa,
}

/// Boards by the number of their directed edges and cells, in words of 64; each is compiled for every
/// block and machine, so there are few.
#[derive(Clone, Debug)]
enum Choice {
    One(Box<Games<u64, 1>>),
    Two(Box<Games<u64, 2>>),
    Eight(Box<Games<u128, 8>>),
    /// The same for two hidden layers.
    OneDeep(Box<TwoLayers<u64, 1, DEEP>>),
    TwoDeep(Box<TwoLayers<u64, 2, DEEP>>),
    EightDeep(Box<TwoLayers<u128, 8, DEEP>>),
}

/// The groups of each of two hidden layers: enough for the 20 nodes of leiden2018, tables 5.7 and 5.8.
const DEEP: usize = 2;

macro_rules! with_games {
    ($choice:expr, |$games:ident| $body:expr) => {
        match $choice {
            Choice::One($games) => $body,
            Choice::Two($games) => $body,
            Choice::Eight($games) => $body,
            Choice::OneDeep($games) => $body,
            Choice::TwoDeep($games) => $body,
            Choice::EightDeep($games) => $body,
        }
    };
}

impl VersusRandom {
    /// Games from `start` in which the network has this colour. `None` if the network is not of
    /// the kind described above, or not for this game and board; then [`Plain`] can do it.
    #[must_use]
    pub fn new<B: Cells>(
        network: Network,
        game: &Clobber<B>,
        start: &Position<B>,
        color: Color,
    ) -> Option<Self> {
        Self::on(isa(), network, game, start, color)
    }

    pub(crate) fn on<B: Cells>(
        isa: Isa,
        network: Network,
        game: &Clobber<B>,
        start: &Position<B>,
        color: Color,
    ) -> Option<Self> {
        let shape = network.shape();
        let Board::Grid(grid) = game.board() else {
            return None;
        };
        let fits = shape.game == Variant::Clobber
            && !game.is_cannibal()
            && (shape.grid.rows(), shape.grid.cols()) == (grid.rows(), grid.cols())
            && shape.encoder == Encoder::Leiden2018
            && match shape.hidden[..] {
                [_] => true,
                [first, second] => first.max(second) <= DEEP * LANES,
                _ => false,
            }
            && shape.activation.leak().is_some()
            && shape.output.leak().is_some();
        if !fits {
            return None;
        }
        let stones: [u128; 2] = start.stones().map(Into::into);
        let [own, opponent] = match color {
            Color::Black => stones,
            Color::White => [stones[1], stones[0]],
        };
        let first = start.to_move == color;
        let slots = Slots::list(game);
        let stones = [own, opponent];
        macro_rules! games {
            ($cells:ty, $games:ident) => {{
                let slots = Slots::new(&slots, grid.len());
                let stones = stones.map(<$cells>::from_wide);
                Box::new($games::new(slots, &network, stones, first))
            }};
        }
        let words = match slots.len() {
            0..=64 if grid.len() <= 64 => 1,
            65..=128 if grid.len() <= 64 => 2,
            _ => 8,
        };
        let choice = match (words, shape.hidden.len()) {
            (1, 1) => Choice::One(games!(u64, Games)),
            (2, 1) => Choice::Two(games!(u64, Games)),
            (_, 1) => Choice::Eight(games!(u128, Games)),
            (1, _) => Choice::OneDeep(games!(u64, TwoLayers)),
            (2, _) => Choice::TwoDeep(games!(u64, TwoLayers)),
            _ => Choice::EightDeep(games!(u128, TwoLayers)),
        };
        Some(Self {
            network,
            choice,
            isa,
        })
    }

    /// Plays these games of the run with the given seed, and learns after each.
    pub fn learn(&mut self, lesson: &Lesson, seed: u64, games: Range<u64>) -> Record {
        self.play(Some(lesson), seed, games)
    }

    /// Plays these games and learns nothing.
    pub fn evaluate(&mut self, seed: u64, games: Range<u64>) -> Record {
        self.play(None, seed, games)
    }

    fn play(&mut self, lesson: Option<&Lesson>, seed: u64, games: Range<u64>) -> Record {
        let mut record = with_games!(&mut self.choice, |choice| self.isa.run(Run {
            games: &mut **choice,
            lesson,
            seed,
            range: games,
        }));
        if lesson.is_some() {
            record.opinions = 0;
        }
        record
    }

    /// The network as it is now.
    pub fn network(&mut self) -> &Network {
        with_games!(&self.choice, |games| games.write(&mut self.network));
        &self.network
    }

    /// The network as it is now.
    #[must_use]
    pub fn into_network(mut self) -> Network {
        self.network();
        self.network
    }
}

struct Run<'a, G> {
    games: &'a mut G,
    lesson: Option<&'a Lesson>,
    seed: u64,
    range: Range<u64>,
}

impl<B: Cells, const W: usize> Kernel for Run<'_, Games<B, W>> {
    type Output = Record;

    #[inline(always)]
    fn run<M: Machine>(self) -> Record {
        match (self.games.width(), self.games.is_half()) {
            (2, true) => M::call(RunGroups::<_, W, 2, true>(self)),
            (2, false) => M::call(RunGroups::<_, W, 2, false>(self)),
            (4, false) => M::call(RunGroups::<_, W, 4, false>(self)),
            (7, true) => M::call(RunGroups::<_, W, 7, true>(self)),
            (13, true) => M::call(RunGroups::<_, W, 13, true>(self)),
            (_, true) => M::call(RunGroups::<_, W, 0, true>(self)),
            (_, false) => M::call(RunGroups::<_, W, 0, false>(self)),
        }
    }
}

/// The same with rows of G groups, or of any number if G is 0, the last of them perhaps half padding.
struct RunGroups<'a, B, const W: usize, const G: usize, const HALF: bool>(Run<'a, Games<B, W>>);

impl<B: Cells, const W: usize, const G: usize, const HALF: bool> Kernel
    for RunGroups<'_, B, W, G, HALF>
{
    type Output = Record;

    #[inline(always)]
    fn run<M: Machine>(self) -> Record {
        let Run {
            games,
            lesson,
            seed,
            range,
        } = self.0;
        let mut record = Record::default();
        games.begin::<M, G, HALF>();
        for index in range {
            let mut random = Random::for_game(seed, index);
            games.play::<M, G, HALF>(&mut random, &mut record);
            if let Some(lesson) = lesson {
                games.learn::<M, G, HALF>(lesson, &mut record);
            }
        }
        record
    }
}

impl<B: Cells, const W: usize> Kernel for Run<'_, TwoLayers<B, W, DEEP>> {
    type Output = Record;

    #[inline(always)]
    fn run<M: Machine>(self) -> Record {
        match self.games.is_half() {
            true => M::call(RunTwoLayers::<_, W, true>(self)),
            false => M::call(RunTwoLayers::<_, W, false>(self)),
        }
    }
}

/// The same for two layers, the last group of their rows perhaps half padding.
struct RunTwoLayers<'a, B, const W: usize, const HALF: bool>(Run<'a, TwoLayers<B, W, DEEP>>);

impl<B: Cells, const W: usize, const HALF: bool> Kernel for RunTwoLayers<'_, B, W, HALF> {
    type Output = Record;

    #[inline(always)]
    fn run<M: Machine>(self) -> Record {
        let Run {
            games,
            lesson,
            seed,
            range,
        } = self.0;
        let mut record = Record::default();
        for index in range {
            let mut random = Random::for_game(seed, index);
            games.play::<M, HALF>(&mut random, &mut record);
            if let Some(lesson) = lesson {
                games.learn::<M, HALF>(lesson, &mut record);
            }
        }
        record
    }
}

#[cfg(test)]
mod tests {
    use upstar_games::{Grid, Rules, clobber};

    use super::*;
    use crate::activation::Activation;
    use crate::shape::{Initial, Shape};

    fn network(grid: Grid, hidden: usize, activation: Activation, seed: u64) -> Network {
        let shape = Shape {
            game: Variant::Clobber,
            grid,
            encoder: Encoder::Leiden2018,
            hidden: vec![hidden],
            activation,
            output: activation,
        };
        Network::new(shape, Initial::LEIDEN2018, &mut Random::new(seed))
    }

    fn farthest(a: &Network, b: &Network) -> f32 {
        let distance = |(a, b): (&f32, &f32)| (a - b).abs() / a.abs().max(1.0);
        a.weights
            .iter()
            .zip(&*b.weights)
            .map(distance)
            .fold(0.0, f32::max)
    }

    /// Backpropagation by the book (leiden2018, section 4.4), in double precision.
    struct Exact {
        hidden: Vec<Vec<f64>>,
        output: Vec<f64>,
        leak: f64,
    }

    impl Exact {
        fn new(network: &Network) -> Self {
            let (layer, layout) = (network.layout().layers[0], network.layout());
            let numbers = |range: Range<usize>| {
                network.weights[range]
                    .iter()
                    .map(|&weight| f64::from(weight))
            };
            let output = numbers(layout.output.clone()).take(layer.nodes);
            Self {
                hidden: (0..=layer.inputs)
                    .map(|input| numbers(layer.row(input)).take(layer.nodes).collect())
                    .collect(),
                output: output
                    .chain([f64::from(network.weights[layout.output_bias()])])
                    .collect(),
                leak: network.shape().activation.leak().unwrap().into(),
            }
        }

        fn value(&self, sum: f64) -> f64 {
            if sum > 0.0 { sum } else { self.leak * sum }
        }

        fn slope(&self, sum: f64) -> f64 {
            if sum > 0.0 { 1.0 } else { self.leak }
        }

        fn sums(&self, inputs: &[f64]) -> (Vec<f64>, f64) {
            let nodes = self.output.len() - 1;
            let sum = |node: usize| {
                inputs
                    .iter()
                    .zip(&self.hidden)
                    .map(|(x, row)| x * row[node])
                    .sum()
            };
            let sums: Vec<f64> = (0..nodes).map(sum).collect();
            let output = sums
                .iter()
                .zip(&self.output)
                .map(|(&sum, weight)| self.value(sum) * weight);
            let output = output.sum::<f64>() + self.output[nodes];
            (sums, output)
        }

        /// The largest relative difference of a weight.
        fn distance(&self, other: &Self) -> f64 {
            let numbers = |exact: &Self| [exact.hidden.concat(), exact.output.clone()].concat();
            let pairs = numbers(self).into_iter().zip(numbers(other));
            pairs
                .map(|(a, b)| (a - b).abs() / a.abs().max(1.0))
                .fold(0.0, f64::max)
        }

        fn learn(&mut self, inputs: &[f64], target: f64, rate: f64) {
            let (sums, output) = self.sums(inputs);
            let delta = (target - self.value(output)) * self.slope(output);
            for (node, &sum) in sums.iter().enumerate() {
                let share = self.slope(sum) * self.output[node] * delta;
                for (input, row) in inputs.iter().zip(&mut self.hidden) {
                    row[node] += rate * input * share;
                }
            }
            for (node, &sum) in sums.iter().enumerate() {
                self.output[node] += rate * self.value(sum) * delta;
            }
            *self.output.last_mut().unwrap() += rate * delta;
        }

        fn game(
            &mut self,
            game: &Clobber<u128>,
            start: &Position<u128>,
            lesson: &Lesson,
            seed: u64,
            index: u64,
        ) {
            let mut random = Random::for_game(seed, index);
            let (mut position, mut chosen) = (*start, Vec::new());
            let cells = self.hidden.len() - 1;
            // Black has moved, so White is to move and Black's stones are the opponent's.
            let inputs = |position: &Position<u128>| -> Vec<f64> {
                let bit = |stones: u128, cell: usize| f64::from((stones >> cell & 1) as u32);
                let cell = |cell| bit(position.opponent, cell) - bit(position.own, cell);
                (0..cells).map(cell).chain([1.0]).collect()
            };
            loop {
                let mv = if position.to_move == Color::Black {
                    let value =
                        |mv| self.value(self.sums(&inputs(&game.play_unchecked(&position, mv))).1);
                    game.moves(&position).first_max(value)
                } else {
                    upstar_games::random_move(game, &position, &mut random)
                };
                let Some(mv) = mv else { break };
                position = game.play_unchecked(&position, mv);
                if position.to_move == Color::White {
                    chosen.push(inputs(&position));
                }
            }
            let sign = if position.to_move == Color::White {
                1.0
            } else {
                -1.0
            };
            let mut rate = f64::from(lesson.learning_rate);
            for inputs in chosen {
                self.learn(&inputs, sign * f64::from(lesson.target), rate);
                rate *= 1.0 + f64::from(lesson.temporal_rate);
            }
        }
    }

    trait FirstMax: Iterator {
        /// The first element of the highest value.
        fn first_max(self, value: impl Fn(Self::Item) -> f64) -> Option<Self::Item>;
    }

    impl<I: Iterator<Item: Copy>> FirstMax for I {
        fn first_max(self, value: impl Fn(I::Item) -> f64) -> Option<I::Item> {
            let mut best: Option<(I::Item, f64)> = None;
            for item in self {
                let value = value(item);
                if best.is_none_or(|(_, highest)| value > highest) {
                    best = Some((item, value));
                }
            }
            best.map(|(item, _)| item)
        }
    }

    #[test]
    fn fast_learning_is_exact_but_for_rounding() {
        let lesson = Lesson {
            learning_rate: 2e-6,
            target: 20.0,
            temporal_rate: 0.1,
        };
        for (size, hidden) in [("4x4", 20), ("6x6", 100), ("9x9", 40)] {
            let grid: Grid = size.parse().unwrap();
            let game = Clobber::<u128>::new(grid);
            let start = game
                .position(&clobber::checkerboard(grid), Color::Black)
                .unwrap();
            for activation in [Activation::Relu, Activation::LeakyRelu] {
                let network = network(grid, hidden, activation, 6);
                let mut exact = Exact::new(&network);
                let mut plain =
                    Plain::new(network.clone(), game.clone(), start, Color::Black).unwrap();
                let mut fast = VersusRandom::new(network, &game, &start, Color::Black).unwrap();
                for index in 0..40 {
                    fast.learn(&lesson, 3, index..index + 1);
                    plain.learn(&lesson, 3, index..index + 1);
                    exact.game(&game, &start, &lesson, 3, index);
                    let ours = exact.distance(&Exact::new(fast.network()));
                    let theirs = exact.distance(&Exact::new(plain.network()));
                    let text = format!("{size} {activation}, game {index}: {ours:e} {theirs:e}");
                    // Rounding adds up from game to game; the plain way rounds more often.
                    assert!(ours < 1e-6 || index >= 10, "{text}");
                    assert!(ours < 1.5 * theirs, "{text}");
                }
            }
        }
    }

    /// Fast against plain: boards for each width of words, rows of one block and of several of each
    /// length, both activations, both colours.
    #[test]
    fn fast_learning_is_plain_backpropagation() {
        let lesson = Lesson {
            learning_rate: 2e-6,
            target: 20.0,
            temporal_rate: 0.1,
        };
        for (size, hidden) in [
            ("4x4", 20),
            ("1x9", 3),
            ("3x5", 200),
            ("4x5", 120),
            ("4x6", 60),
            ("5x6", 33),
            ("8x8", 16),
            ("9x9", 40),
        ] {
            let grid: Grid = size.parse().unwrap();
            let game = Clobber::<u128>::new(grid);
            let start = game
                .position(&clobber::checkerboard(grid), Color::Black)
                .unwrap();
            for activation in [Activation::Relu, Activation::LeakyRelu] {
                for color in [Color::Black, Color::White] {
                    let network = network(grid, hidden, activation, 5);
                    let mut plain =
                        Plain::new(network.clone(), game.clone(), start, color).unwrap();
                    let mut fast = VersusRandom::new(network, &game, &start, color).unwrap();
                    let what = format!("{size} {activation} {color}");
                    for games in [0..3, 3..30] {
                        let expected = plain.learn(&lesson, 3, games.clone());
                        let mut record = fast.learn(&lesson, 3, games.clone());
                        record.opinions = expected.opinions;
                        assert_eq!(record, expected, "{what}");
                        let distance = farthest(fast.network(), plain.network());
                        assert!(distance < 1e-6 || games.start > 0, "{what}: {distance}");
                    }
                    let games = 100..130;
                    assert_eq!(fast.evaluate(3, games.clone()), plain.evaluate(3, games));
                }
            }
        }
    }

    #[test]
    fn same_seed_same_weights_on_every_machine() {
        let grid: Grid = "5x5".parse().unwrap();
        let game = Clobber::<u64>::new(grid);
        let start = game
            .position(&clobber::checkerboard(grid), Color::Black)
            .unwrap();
        let lesson = Lesson {
            learning_rate: 2e-5,
            target: 50.0,
            temporal_rate: 0.0,
        };
        let learned = Isa::available().into_iter().map(|isa| {
            let network = network(grid, 30, Activation::LeakyRelu, 1);
            let mut versus = VersusRandom::on(isa, network, &game, &start, Color::Black).unwrap();
            versus.learn(&lesson, 7, 0..500);
            versus.into_network()
        });
        let learned: Vec<Network> = learned.collect();
        assert!(learned.windows(2).all(|pair| pair[0] == pair[1]));
    }

    /// A game learned in two parts is as good as in one.
    #[test]
    fn learning_can_stop_and_go_on() {
        let grid: Grid = "4x5".parse().unwrap();
        let game = Clobber::<u64>::new(grid);
        let start = game
            .position(&clobber::checkerboard(grid), Color::Black)
            .unwrap();
        let lesson = Lesson {
            learning_rate: 2e-5,
            target: 50.0,
            temporal_rate: 0.0,
        };
        let begin = |network| VersusRandom::new(network, &game, &start, Color::Black).unwrap();
        let mut whole = begin(network(grid, 20, Activation::Relu, 2));
        whole.learn(&lesson, 9, 0..2000);
        let mut first = begin(network(grid, 20, Activation::Relu, 2));
        first.learn(&lesson, 9, 0..777);
        let mut second = begin(first.into_network());
        second.learn(&lesson, 9, 777..2000);
        assert_eq!(second.network(), whole.network());
    }

    /// leiden2018, table 5.4: what is learned wins, and the network that dies plays like Pick First,
    /// 34.3 % on 4x4 (table 5.1).
    #[test]
    fn networks_learn_or_die_as_in_the_thesis() {
        let grid: Grid = "4x4".parse().unwrap();
        let game = Clobber::<u64>::new(grid);
        let start = game
            .position(&clobber::checkerboard(grid), Color::Black)
            .unwrap();
        let trained = |learning_rate: f32| {
            let network = network(grid, 20, Activation::Relu, 4);
            let mut versus = VersusRandom::new(network, &game, &start, Color::Black).unwrap();
            let lesson = Lesson {
                learning_rate,
                target: 100.0,
                temporal_rate: 0.0,
            };
            let learned = versus.learn(&lesson, 4, 0..200_000);
            (learned, versus.evaluate(4, 200_000..220_000))
        };
        let (learned, evaluated) = trained(2e-5);
        assert!(learned.live_gradient_share() > 0.95 && evaluated.win_rate() > 0.8);
        assert!(!evaluated.is_dead());
        let (learned, evaluated) = trained(2e-3);
        assert!(learned.live_gradient_share() < 0.1 && evaluated.is_dead());
        assert!((evaluated.win_rate() - 0.343).abs() < 0.015);
    }
}
