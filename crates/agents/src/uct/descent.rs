//! How a search goes down the tree: on positions by the rules, whatever the game, or on sets of edges,
//! which is faster for Clobber on small boards.

use upstar_games::clobber::{EdgeBoard, EdgePosition};
use upstar_games::{Playout, Random};
use upstar_machine::Machine;

use super::tree::Tree;
use crate::playable::Playable;

/// A game as the tree sees it.
pub(super) trait Descent<G: Playable>: Sync {
    /// A position.
    type State: Copy;

    /// The state of a position.
    fn state(&self, position: &G::Position) -> Self::State;

    /// The code of a move in the tree.
    fn code(&self, mv: G::Move) -> u16;

    /// The state after the move of this code.
    fn play(&self, state: &Self::State, code: u16) -> Self::State;

    /// A block for the moves of a state; none if memory is full. `codes` is for use in between.
    fn open(&self, tree: &mut Tree, state: &Self::State, codes: &mut Vec<u16>) -> Option<usize>;

    /// A child of a block that was never tried, each equally likely.
    fn untried<M: Machine>(
        &self,
        tree: &mut Tree,
        block: usize,
        state: &Self::State,
        random: &mut Random,
    ) -> Untried;

    /// A random game.
    fn playout(&self, state: &Self::State, random: &mut Random) -> Playout;

    /// The position, if the state has kept it.
    fn position(state: &Self::State) -> Option<&G::Position>;
}

/// What there is to try in a block.
pub(super) enum Untried {
    /// This child.
    Child(usize),
    /// Something, but there is no room for it.
    NoRoom,
    /// Nothing: all children were tried.
    Nothing,
}

/// By the rules.
pub(super) struct ByRules<'a, G>(pub(super) &'a G);

impl<G: Playable> Descent<G> for ByRules<'_, G> {
    type State = G::Position;

    fn state(&self, position: &G::Position) -> G::Position {
        *position
    }

    fn code(&self, mv: G::Move) -> u16 {
        G::encode(mv)
    }

    #[inline(always)]
    fn play(&self, position: &G::Position, code: u16) -> G::Position {
        self.0.play_unchecked(position, G::decode(code))
    }

    #[inline(always)]
    fn open(&self, tree: &mut Tree, position: &G::Position, codes: &mut Vec<u16>) -> Option<usize> {
        codes.clear();
        // Measured: much faster than to extend by an iterator.
        let moves = self.0.moves(position);
        moves.for_each(|mv| codes.push(G::encode(mv)));
        let block = tree.open(codes.len(), codes.len().div_ceil(8))?;
        tree.list(block, codes);
        Some(block)
    }

    #[inline(always)]
    fn untried<M: Machine>(
        &self,
        tree: &mut Tree,
        block: usize,
        _: &G::Position,
        random: &mut Random,
    ) -> Untried {
        match tree.untried(block, |below| random.below(below)) {
            Some(child) => Untried::Child(child),
            None => Untried::Nothing,
        }
    }

    #[inline(always)]
    fn playout(&self, position: &G::Position, random: &mut Random) -> Playout {
        self.0.playout(position, random)
    }

    fn position(position: &G::Position) -> Option<&G::Position> {
        Some(position)
    }
}

/// On sets of edges. Moves are not listed: a block grows with the moves that were tried.
pub(super) struct OnEdges<'a>(pub(super) &'a EdgeBoard);

impl<G: Playable> Descent<G> for OnEdges<'_> {
    type State = EdgePosition;

    fn state(&self, position: &G::Position) -> EdgePosition {
        let [own, opponent] = G::stones(position);
        self.0.load(own, opponent)
    }

    fn code(&self, mv: G::Move) -> u16 {
        G::edge(self.0, mv).expect("every move is an edge") as u16
    }

    #[inline(always)]
    fn play(&self, position: &EdgePosition, code: u16) -> EdgePosition {
        self.0.play(position, code.into())
    }

    #[inline(always)]
    fn open(&self, tree: &mut Tree, position: &EdgePosition, _: &mut Vec<u16>) -> Option<usize> {
        tree.open(position.moves().count_ones() as usize, 1)
    }

    #[inline(always)]
    fn untried<M: Machine>(
        &self,
        tree: &mut Tree,
        block: usize,
        position: &EdgePosition,
        random: &mut Random,
    ) -> Untried {
        if tree.tried(block) == tree.children(block) {
            return Untried::Nothing;
        }
        if !tree.has_room(block) {
            return Untried::NoRoom;
        }
        let moves = position.moves() & !tree.tried_set(block);
        let drawn = M::nth(moves, random.below(moves.count_ones()));
        Untried::Child(tree.add(block, drawn.trailing_zeros()))
    }

    #[inline(always)]
    fn playout(&self, position: &EdgePosition, random: &mut Random) -> Playout {
        self.0.playout(position, random)
    }

    fn position(_: &EdgePosition) -> Option<&G::Position> {
        None
    }
}
