//! Networks that judge positions: forward, backward, and as files.

mod activation;
mod encoder;
mod lanes;
mod network;
mod shape;
mod versus_random;

pub use activation::{Activation, ActivationError, LEAK};
pub use encoder::{Encoder, EncoderError, Eyes, Perspective, View, Visible};
pub use network::{Network, Trace};
pub use shape::{Initial, MOST_LAYERS, MOST_NODES, Shape, ShapeError};
pub use versus_random::{Lesson, Plain, Record, VersusRandom};
