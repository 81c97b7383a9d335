//! The networks that come with the program.

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
    NETWORKS
        .iter()
        .map(|bytes| DeepNetwork::from_bytes(bytes).expect("shipped networks are whole"))
        .find(|network| game.is_variant(network.design().game))
}
