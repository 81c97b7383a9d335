//! Learning from games against Random, very fast (leiden2018, chapter 5; etoeharnowo2017, section 5.2):
//! the network plays the move it values most, and after each game learns the positions it chose, or all,
//! in playing order.
//!
//! This is plain backpropagation, reordered so that little is computed twice; see `game.rs` for how.
//! It is there for networks that see Clobber as leiden2018 does, with one hidden layer of rectifiers or
//! two small ones (`two_layers.rs`), and for those with one of sigmoids, which may see it as
//! etoeharnowo2017 does (`sigmoids.rs`); [`Plain`] does the same for every network, a position at a time.

mod board;
mod children;
mod game;
mod group;
mod plain;
mod sigmoids;
mod two_layers;

use std::ops::Range;

use upstar_games::{Board, Cells, Clobber, Color, Position, Random, Rules, Variant};
use upstar_machine::{Isa, Kernel, Machine};

use crate::activation::Activation;
use crate::encoder::Encoder;
use crate::lanes::LANES;
use crate::network::Network;
use crate::shape::Shape;
use board::Slots;
use game::Games;
use sigmoids::Sigmoids;
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
    /// Whether the error is multiplied by the slope of the output node, as backpropagation says. Some programs
    /// leave it out; a rectified output then learns below its kink too.
    pub output_derivative: bool,
    /// Whether the positions after the opponent's moves are learned too, from the network's side.
    pub all_positions: bool,
}

/// Games that were played, and how much was learned from them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The number of games.
    pub games: u64,
    /// Those that the network won.
    pub wins: u64,
    /// The positions that it chose; those that are learned, if these are all.
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

/// A network with one hidden layer of rectifiers or sigmoids, or with two of at most 32 rectifiers, that
/// plays Clobber against Random.
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
    /// The same for sigmoids.
    OneSmooth(Box<Sigmoids<u64, 1>>),
    TwoSmooth(Box<Sigmoids<u64, 2>>),
    EightSmooth(Box<Sigmoids<u128, 8>>),
}

/// The groups of each of two hidden layers: enough for the 20 nodes of leiden2018, tables 5.7 and 5.8.
const DEEP: usize = 2;

/// What the networks are made of.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Rectifiers,
    TwoLayers,
    Sigmoids,
}

impl Kind {
    fn of(shape: &Shape) -> Option<Self> {
        let activations = [shape.activation, shape.output];
        let are_sigmoids =
            activations.map(|activation| matches!(activation, Activation::Sigmoid { .. }));
        let are_rectifiers = activations.map(|activation| activation.leak().is_some());
        match (
            are_rectifiers,
            are_sigmoids,
            shape.encoder,
            &shape.hidden[..],
        ) {
            ([true, true], _, Encoder::Leiden2018, [_]) => Some(Self::Rectifiers),
            ([true, true], _, Encoder::Leiden2018, &[first, second])
                if first.max(second) <= DEEP * LANES =>
            {
                Some(Self::TwoLayers)
            }
            (_, [true, true], Encoder::Leiden2018 | Encoder::Etoeharnowo2017, [_]) => {
                Some(Self::Sigmoids)
            }
            _ => None,
        }
    }
}

macro_rules! with_games {
    ($choice:expr, |$games:ident| $body:expr) => {
        match $choice {
            Choice::One($games) => $body,
            Choice::Two($games) => $body,
            Choice::Eight($games) => $body,
            Choice::OneDeep($games) => $body,
            Choice::TwoDeep($games) => $body,
            Choice::EightDeep($games) => $body,
            Choice::OneSmooth($games) => $body,
            Choice::TwoSmooth($games) => $body,
            Choice::EightSmooth($games) => $body,
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
        Self::on(Isa::best(), network, game, start, color)
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
        let kind = Kind::of(shape)?;
        let fits = shape.game == Variant::Clobber
            && !game.is_cannibal()
            && (shape.grid.rows(), shape.grid.cols()) == (grid.rows(), grid.cols())
            && shape.convolutions.is_empty();
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
            ($cells:ty, $games:ident $(, $more:expr)*) => {{
                let slots = Slots::new(&slots, grid.len());
                let stones = stones.map(<$cells>::from_wide);
                Box::new($games::new(slots, &network, stones, first $(, $more)*))
            }};
        }
        let words = match slots.len() {
            0..=64 if grid.len() <= 64 => 1,
            65..=128 if grid.len() <= 64 => 2,
            _ => 8,
        };
        let inverted = shape.encoder == Encoder::Etoeharnowo2017 && color == Color::White;
        let choice = match (words, kind) {
            (1, Kind::Rectifiers) => Choice::One(games!(u64, Games)),
            (2, Kind::Rectifiers) => Choice::Two(games!(u64, Games)),
            (_, Kind::Rectifiers) => Choice::Eight(games!(u128, Games)),
            (1, Kind::TwoLayers) => Choice::OneDeep(games!(u64, TwoLayers)),
            (2, Kind::TwoLayers) => Choice::TwoDeep(games!(u64, TwoLayers)),
            (_, Kind::TwoLayers) => Choice::EightDeep(games!(u128, TwoLayers)),
            (1, Kind::Sigmoids) => Choice::OneSmooth(games!(u64, Sigmoids, inverted)),
            (2, Kind::Sigmoids) => Choice::TwoSmooth(games!(u64, Sigmoids, inverted)),
            (_, Kind::Sigmoids) => Choice::EightSmooth(games!(u128, Sigmoids, inverted)),
        };
        Some(Self {
            network,
            choice,
            isa,
        })
    }

    /// Whether it can learn so. Only sigmoids learn all positions; [`Plain`] can do it for others.
    #[must_use]
    pub fn can_learn(&self, lesson: &Lesson) -> bool {
        let smooth = matches!(
            self.choice,
            Choice::OneSmooth(_) | Choice::TwoSmooth(_) | Choice::EightSmooth(_)
        );
        smooth || !lesson.all_positions
    }

    /// Plays these games of the run with the given seed, and learns after each.
    ///
    /// # Panics
    /// If it cannot learn so.
    pub fn learn(&mut self, lesson: &Lesson, seed: u64, games: Range<u64>) -> Record {
        assert!(self.can_learn(lesson), "a lesson that it can learn");
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

impl<B: Cells, const W: usize> Kernel for Run<'_, Sigmoids<B, W>> {
    type Output = Record;

    #[inline(always)]
    fn run<M: Machine>(self) -> Record {
        let Self {
            games,
            lesson,
            seed,
            range,
        } = self;
        let all = lesson.is_some_and(|lesson| lesson.all_positions);
        let mut record = Record::default();
        games.begin::<M>();
        for index in range {
            let mut random = Random::for_game(seed, index);
            games.play::<M>(all, &mut random, &mut record);
            if let Some(lesson) = lesson {
                games.learn::<M>(lesson, &mut record);
            }
        }
        record
    }
}

#[cfg(test)]
mod tests;
