//! The networks that come with the program.

use upstar_games::Variant;
use upstar_nets::deep::{Acting, DeepNetwork};

/// Stands for the network that comes with the program, in place of a file.
pub const DEFAULT: &str = "default";

const NETWORKS: [&[u8]; 2] = [
    include_bytes!("../../models/clobber.safetensors"),
    include_bytes!("../../models/othello.safetensors"),
];

/// The network that comes with the program for this game, if there is one.
///
/// # Panics
/// Never: the networks are whole.
pub fn shipped<G: Acting>(game: &G) -> Option<DeepNetwork> {
    networks().find(|network| game.is_variant(network.design().game))
}

/// The same for a game named at run time.
///
/// # Panics
/// Never: the networks are whole.
#[must_use]
pub fn shipped_for(variant: Variant) -> Option<DeepNetwork> {
    networks().find(|network| network.design().game == variant)
}

fn networks() -> impl Iterator<Item = DeepNetwork> {
    let read = |bytes: &&[u8]| DeepNetwork::from_bytes(bytes).expect("shipped networks are whole");
    NETWORKS.iter().map(read)
}
