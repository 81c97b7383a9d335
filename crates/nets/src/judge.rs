//! One-ply play: all children of a position are judged, and the best is chosen.
//!
//! The sums of the first layer are computed once for the position; each child changes them by the
//! few inputs in which it differs. Several children are judged together, so that one need not wait for
//! another. Nothing is allocated once there is room for all moves of a position.

use std::sync::Arc;

use upstar_games::{Board, Color};
use upstar_machine::{Isa, Kernel, Machine};

use crate::encoder::{Eyes, Perspective, Visible};
use crate::lanes::Aligned;
use crate::network::{Network, Trace};
use crate::patterns::Sight;
use crate::shape::Shape;

/// What judging needs beside a network: eyes for the board, and room. Good for every network of the
/// same shape.
#[derive(Clone, Debug)]
pub struct Judge {
    shape: Arc<Shape>,
    eyes: Eyes,
    sight: Sight,
    trace: Trace,
    /// The first layer's sums of the position whose children are judged.
    base: Aligned,
    /// The inputs in which each child differs from it, and by how much; and where those of a child end.
    changes: Vec<(usize, f32)>,
    ends: Vec<usize>,
    /// The first layer of some children, one after the other.
    sums: Aligned,
    values: Aligned,
    /// The output's sum of each child, and the output.
    output_sums: Vec<f32>,
    outputs: Vec<f32>,
}

/// How many children are judged together.
const TOGETHER: usize = 4;

/// A chosen move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best<M> {
    /// The first move of the highest value for the side that makes it.
    pub mv: M,
    /// Its value, as the network put it out.
    pub value: f32,
    /// The highest and the lowest value of all moves, for the side that makes them: the same if the
    /// network has no opinion.
    pub highest: f32,
    /// See `highest`.
    pub lowest: f32,
}

impl Judge {
    /// A judge of the positions of this game on the board of `start`.
    ///
    /// # Errors
    /// If the network is for another game or board.
    pub fn new<G: Visible>(
        network: &Network,
        game: &G,
        start: &G::Position,
    ) -> Result<Self, Misfit> {
        let shape = network.shape();
        if !game.is_variant(shape.game) {
            return Err(Misfit(format!("this network is for {}", shape.game)));
        }
        let board = game.setup(start).board;
        let grid = match (&board, network.graph()) {
            (Board::Grid(grid), None)
                if (grid.rows(), grid.cols()) == (shape.grid.rows(), shape.grid.cols()) =>
            {
                *grid
            }
            (Board::Graph(graph), Some(known)) if graph == known => shape.grid,
            (Board::Graph(graph), Some(known)) if graph.len() == known.len() => {
                return Err(Misfit(format!(
                    "this network is for {} on another graph of {} vertices",
                    shape.game,
                    graph.len()
                )));
            }
            (_, known) => {
                let made_for = match known {
                    Some(graph) => Board::from(graph.clone()),
                    None => Board::from(shape.grid),
                };
                return Err(Misfit(format!(
                    "this network is for {} {made_for}, not for {board}",
                    shape.game
                )));
            }
        };
        let trace = network.trace();
        let width = network.layout().layers[0].width;
        Ok(Self {
            shape: Arc::clone(network.shared_shape()),
            eyes: Eyes::new(grid, shape.encoder),
            sight: Sight::default(),
            base: Aligned::zeros(width),
            changes: Vec::new(),
            ends: Vec::new(),
            sums: Aligned::zeros(TOGETHER * width),
            values: Aligned::zeros(TOGETHER * width),
            output_sums: Vec::new(),
            outputs: Vec::new(),
            trace,
        })
    }

    /// Computes the network's output for a position that `mover` has moved to.
    pub fn look<G: Visible>(
        &mut self,
        network: &Network,
        game: &G,
        position: &G::Position,
        mover: Color,
    ) -> &mut Trace {
        self.see(network, game, position, mover);
        network.forward(&mut self.trace);
        &mut self.trace
    }

    /// Puts the inputs for a position that `mover` has moved to into the trace.
    pub(crate) fn see<G: Visible>(
        &mut self,
        network: &Network,
        game: &G,
        position: &G::Position,
        mover: Color,
    ) -> &mut Trace {
        let shape = network.shared_shape();
        assert!(
            Arc::ptr_eq(shape, &self.shape) || *shape == self.shape,
            "the network it was made for"
        );
        let encoder = self.shape.encoder;
        let view = game.view(position, mover, encoder);
        match &self.eyes.patterns {
            Some(patterns) => {
                patterns.see(&view, &mut self.sight);
                self.trace.rows.clear();
                self.trace.rows.extend(self.sight.inputs());
            }
            None => encoder.encode(&self.eyes, &view, &mut self.trace.inputs),
        }
        &mut self.trace
    }

    /// Judges all children of a position: `each` is told the move and the network's output for the
    /// position after it.
    pub fn children<G: Visible>(
        &mut self,
        network: &Network,
        game: &G,
        position: &G::Position,
        mut each: impl FnMut(G::Move, f32),
    ) {
        let mover = game.to_move(position);
        self.see(network, game, position, mover);
        Isa::best().run(Children {
            network,
            game,
            position,
            judge: self,
        });
        for (mv, &value) in game.moves(position).zip(&self.outputs) {
            each(mv, value);
        }
    }

    /// The move of the highest value for the side to move, the first of them on equal values; `None`
    /// if the game is over.
    pub fn best<G: Visible>(
        &mut self,
        network: &Network,
        game: &G,
        position: &G::Position,
    ) -> Option<Best<G::Move>> {
        let sign = self.sign(game.to_move(position));
        let mut best: Option<Best<G::Move>> = None;
        self.children(network, game, position, |mv, value| {
            let worth = sign * value;
            match &mut best {
                None => {
                    best = Some(Best {
                        mv,
                        value,
                        highest: worth,
                        lowest: worth,
                    });
                }
                Some(best) => {
                    // What is not a number loses against every number.
                    if worth > best.highest || (best.highest.is_nan() && !worth.is_nan()) {
                        (best.mv, best.value, best.highest) = (mv, value, worth);
                    }
                    if worth < best.lowest {
                        best.lowest = worth;
                    }
                }
            }
        });
        best
    }

    /// 1 if a high output is good for this side when it moves, −1 if a low one is.
    #[must_use]
    pub fn sign(&self, mover: Color) -> f32 {
        match (self.shape.encoder.perspective(), mover) {
            (Perspective::White, Color::Black) => -1.0,
            _ => 1.0,
        }
    }
}

/// Finds the outputs of all children of a position that the judge has seen.
struct Children<'a, G: Visible> {
    network: &'a Network,
    game: &'a G,
    position: &'a G::Position,
    judge: &'a mut Judge,
}

impl<G: Visible> Kernel for Children<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Self {
            network,
            game,
            position,
            judge,
        } = self;
        network.first_sums(&mut judge.trace);
        let width = judge.base.len();
        judge.base.copy_from_slice(&judge.trace.sums[..width]);
        judge.list_changes(game, position);
        judge.judge_changes(network);
    }
}

impl Judge {
    /// Lists the inputs in which the children differ from their parent.
    #[inline(always)]
    fn list_changes<G: Visible>(&mut self, game: &G, position: &G::Position) {
        let Self {
            shape,
            eyes,
            sight,
            changes,
            ends,
            ..
        } = self;
        let (mover, encoder) = (game.to_move(position), shape.encoder);
        let before = game.view(position, mover, encoder);
        changes.clear();
        ends.clear();
        for mv in game.moves(position) {
            let child = game.play_unchecked(position, mv);
            let after = game.view(&child, mover, encoder);
            let list = |input, change| changes.push((input, change));
            match &eyes.patterns {
                Some(patterns) => patterns.changes(sight, [&before, &after], list),
                None => encoder.changes(eyes, [&before, &after], list),
            }
            ends.push(changes.len());
        }
    }

    /// Finds the outputs of the children whose changes are listed.
    #[inline(always)]
    fn judge_changes(&mut self, network: &Network) {
        let (shape, width) = (network.shape(), self.base.len());
        let mut begin = 0;
        self.output_sums.clear();
        for ends in self.ends.chunks(TOGETHER) {
            let together = ends.len() * width;
            for (&end, sums) in ends.iter().zip(self.sums.chunks_exact_mut(width)) {
                network.changed_sums(&self.base, &self.changes[begin..end], sums);
                begin = end;
            }
            let values = &mut self.values[..together];
            shape.activation.values(&self.sums[..together], values);
            for values in values.chunks_exact(width) {
                let Trace {
                    sums: room_for_sums,
                    values: room_for_values,
                    ..
                } = &mut self.trace;
                let room = [&mut room_for_sums[width..], &mut room_for_values[width..]];
                self.output_sums.push(network.output_sum(values, room));
            }
        }
        self.outputs.resize(self.output_sums.len(), 0.0);
        shape.output.values(&self.output_sums, &mut self.outputs);
    }
}

/// What a network thinks of the moves of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct OnePly<M> {
    /// The best move; `None` if the game is over.
    pub best: Option<Best<M>>,
    /// All moves, in their order, with the network's output.
    pub values: Vec<(M, f32)>,
}

/// Judges a position, for those who ask once: see [`Judge`] for those who ask often.
///
/// # Errors
/// If the network is for another game or board.
pub fn one_ply<G: Visible>(
    network: &Network,
    game: &G,
    position: &G::Position,
) -> Result<OnePly<G::Move>, Misfit> {
    let mut judge = Judge::new(network, game, position)?;
    let mut values = Vec::new();
    judge.children(network, game, position, |mv, value| {
        values.push((mv, value));
    });
    let best = judge.best(network, game, position);
    Ok(OnePly { best, values })
}

/// Why a network cannot judge a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Misfit(pub(crate) String);
