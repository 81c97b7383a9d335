#![doc = include_str!("../README.md")]

mod activation;
mod adam;
mod bench;
mod convolution;
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

pub use activation::{Activation, ActivationError, exp};
pub use adam::{Adam, Objective};
pub use bench::{Bench, Measured};
pub use eligibility::Eligibility;
pub use encoder::{Encoder, EncoderError, Eyes, Perspective, View, Visible};
pub use file::FileError;
pub use judge::{Best, Judge, Misfit, OnePly, one_ply};
pub use network::{Network, Trace};
pub use shape::{Initial, MOST_LAYERS, MOST_NODES, Shape, ShapeError};
pub use versus_random::{Lesson, Plain, Record, VersusRandom};
