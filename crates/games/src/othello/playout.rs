//! stub
use crate::{Grid, Playout, Random, Tally};
#[derive(Clone, Debug)]
pub(super) struct Playouts;
impl Playouts {
    pub(super) fn new(_: &Grid) -> Self {
        Self
    }
    pub(super) fn playout(&self, _: u64, _: u64, _: &mut Random) -> Playout {
        unreachable!()
    }
    pub(super) fn playouts(&self, _: u64, _: u64, _: u64, _: &mut Random) -> Tally {
        unreachable!()
    }
}
