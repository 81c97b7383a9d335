//! stub
use crate::{Board, Playout, Random, Tally};
#[derive(Clone, Debug)]
pub(super) struct Edges;
impl Edges {
    pub(super) fn new(_: &Board) -> Option<Self> {
        None
    }
    pub(super) fn playout(&self, _: u128, _: u128, _: &mut Random) -> Playout {
        unreachable!()
    }
    pub(super) fn playouts(&self, _: u128, _: u128, _: u64, _: &mut Random) -> Tally {
        unreachable!()
    }
}
