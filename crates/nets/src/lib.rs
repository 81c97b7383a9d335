//! Networks that judge positions of small board games: forward, backward, and as files.
//!
//! A [`Shape`] says what a network is made for and of, a [`Network`] adds the weights. [`Judge`]
//! looks at all children of a position; [`VersusRandom`] is the experiment of leiden2018, very fast.
//!
//! [`deep`] has large networks with policy and value.
//!
//! The same seed gives the same weights of a small network on every machine, bit for bit.

mod activation;
mod adam;
mod bench;
pub mod deep;
mod eligibility;
mod encoder;
mod file;
mod judge;
mod lanes;
mod lines;
mod network;
mod patterns;
mod shape;
mod shapes;
mod versus_random;

pub use activation::{Activation, ActivationError, LEAK};
pub use adam::{Adam, Objective};
pub use bench::{Bench, Measured};
pub use eligibility::Eligibility;
pub use encoder::{Encoder, EncoderError, Eyes, Perspective, View, Visible};
pub use file::FileError;
pub use judge::{Best, Judge, Misfit, OnePly, one_ply};
pub use network::{Network, Trace};
pub use shape::{Initial, MOST_LAYERS, MOST_NODES, Shape, ShapeError};
pub use versus_random::{Lesson, Plain, Record, VersusRandom};
