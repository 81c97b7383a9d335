//! What the users of networks rely on.

mod backward;
mod encoders;
mod files;
mod patterns;
mod play;
