//! What the users of networks rely on.

mod backward;
mod bench;
mod burn;
mod course;
mod deep;
mod encoders;
mod files;
mod patterns;
mod play;
