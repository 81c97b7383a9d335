//! A network that learns, with all that its learning needs from one game to the next.

use upstar_agents::Playable;
use upstar_games::othello::{Reversi, ReversiPosition};
use upstar_games::{Board, Clobber, Color, Othello, Position, Random, Symmetry};
use upstar_nets::{Adam, Eligibility, Judge, Misfit, Network, Perspective, VersusRandom, Visible};

use crate::config::{LearningConfig, Method};

/// A game that networks see and agents play, and whose positions can be turned and mirrored as far as
/// the board allows.
pub trait Learnable: Visible + Playable {
    /// The position on the turned or mirrored board.
    fn turned(&self, position: &Self::Position, symmetry: &Symmetry) -> Self::Position;

    /// The fast way to learn against Random, where there is one for such a network.
    fn versus_random(
        &self,
        _network: &Network,
        _start: &Self::Position,
        _color: Color,
    ) -> Option<VersusRandom> {
        None
    }
}

/// Agents play on words of two lengths.
macro_rules! learnable {
    ($word:ty) => {
        impl Learnable for Clobber<$word> {
            fn turned(&self, position: &Position<$word>, symmetry: &Symmetry) -> Position<$word> {
                position.under(symmetry)
            }

            fn versus_random(
                &self,
                network: &Network,
                start: &Position<$word>,
                color: Color,
            ) -> Option<VersusRandom> {
                VersusRandom::new(network.clone(), self, start, color)
            }
        }

        impl Learnable for Othello<$word> {
            fn turned(&self, position: &Position<$word>, symmetry: &Symmetry) -> Position<$word> {
                position.under(symmetry)
            }
        }

        impl Learnable for Reversi<$word> {
            fn turned(
                &self,
                position: &ReversiPosition<$word>,
                symmetry: &Symmetry,
            ) -> ReversiPosition<$word> {
                ReversiPosition {
                    discs: position.discs.under(symmetry),
                    ..*position
                }
            }
        }
    };
}

learnable!(u64);
learnable!(u128);

/// The network and its helpers.
pub(crate) struct Student<G: Learnable> {
    pub(crate) network: Network,
    pub(crate) judge: Judge,
    pub(crate) adam: Option<Adam>,
    /// What TD(lambda) keeps for each colour: traces, if there is a lambda, and the last value said.
    traces: Vec<Eligibility>,
    said: [Option<f32>; 2],
    symmetries: Vec<Symmetry>,
    /// Whether errors are multiplied by the slope of the output.
    output_derivative: bool,
    /// Positions seen and those with a gradient.
    pub(crate) presented: u64,
    pub(crate) live: u64,
    game: G,
}

impl<G: Learnable> Student<G> {
    pub(crate) fn new(
        network: Network,
        game: &G,
        start: &G::Position,
        learning: &LearningConfig,
    ) -> Result<Self, Misfit> {
        let symmetries = match (learning.symmetry, game.setup(start).board) {
            (true, Board::Grid(grid)) => Symmetry::all(&grid),
            _ => Vec::new(),
        };
        Ok(Self {
            judge: Judge::new(&network, game, start)?,
            adam: (learning.method == Method::Adam).then(|| Self::adam(&network, learning)),
            traces: match learning.lambda {
                Some(_) => vec![Eligibility::new(&network); 2],
                None => Vec::new(),
            },
            said: [None; 2],
            symmetries,
            output_derivative: learning.output_derivative,
            presented: 0,
            live: 0,
            game: game.clone(),
            network,
        })
    }

    /// The same network, only to play with.
    pub(crate) fn at_play(&self) -> Self {
        Self {
            network: self.network.clone(),
            judge: self.judge.clone(),
            adam: None,
            traces: Vec::new(),
            said: [None; 2],
            symmetries: Vec::new(),
            output_derivative: self.output_derivative,
            presented: 0,
            live: 0,
            game: self.game.clone(),
        }
    }

    /// A new Adam for this network.
    pub(crate) fn adam(network: &Network, learning: &LearningConfig) -> Adam {
        let mut adam = Adam::new(network, learning.rate);
        adam.objective = learning.objective;
        adam
    }

    /// The target of a game with this result for Black, from the mover's side.
    pub(crate) fn target(&self, black_score: i32, mover: Color, learning: &LearningConfig) -> f32 {
        let judged_for = match self.network.shape().encoder.perspective() {
            Perspective::Mover => mover,
            Perspective::White => Color::White,
        };
        let score = judged_for.sign() * black_score;
        match score {
            1.. => learning.win,
            0 => learning.draw,
            _ => learning.loss,
        }
    }

    /// Learns a position that `mover` has moved to, and returns what the network had said of it.
    pub(crate) fn learn(
        &mut self,
        position: &G::Position,
        mover: Color,
        target: f32,
        rate: f32,
        random: &mut Random,
    ) -> f32 {
        let turned = match self.symmetries.len() {
            0 | 1 => *position,
            count => {
                let symmetry = &self.symmetries[random.below(count as u32) as usize];
                self.game.turned(position, symmetry)
            }
        };
        let trace = self.judge.look(&self.network, &self.game, &turned, mover);
        let output = trace.output();
        self.presented += 1;
        self.live += u64::from(match &mut self.adam {
            Some(adam) => adam.add(&mut self.network, trace, target),
            None if self.output_derivative => self.network.learn(trace, target, rate),
            None => self.network.learn_without_slope(trace, target, rate),
        });
        output
    }

    /// Makes a step if the batch is full, or if it must not wait any longer.
    pub(crate) fn step(&mut self, batch: u32, rate: f32, now: bool) {
        if let Some(adam) = &mut self.adam
            && (adam.examples() >= batch || now)
        {
            adam.rate = rate;
            adam.step(&mut self.network);
        }
    }

    /// A new game begins.
    pub(crate) fn begin_game(&mut self) {
        self.said = [None; 2];
        self.traces.iter_mut().for_each(Eligibility::clear);
    }

    /// TD(lambda): `mover` has moved to this position.
    pub(crate) fn say(&mut self, position: &G::Position, mover: Color, lambda: f32, rate: f32) {
        let side = mover.index();
        let value = self
            .judge
            .look(&self.network, &self.game, position, mover)
            .output();
        if let Some(before) = self.said[side] {
            self.traces[side].apply(&mut self.network, rate * (value - before));
        }
        let trace = self.judge.look(&self.network, &self.game, position, mover);
        self.said[side] = Some(trace.output());
        self.presented += 1;
        let live = self.traces[side].add(&mut self.network, trace, lambda);
        self.live += u64::from(live);
    }

    /// TD(lambda): the game is over for this side.
    pub(crate) fn end_game(&mut self, target: f32, mover: Color, rate: f32) {
        let side = mover.index();
        if let Some(before) = self.said[side].take() {
            self.traces[side].apply(&mut self.network, rate * (target - before));
        }
    }
}
