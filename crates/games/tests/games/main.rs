//! Tests of the games as a library's user meets them, in one binary. Data and their sources are in
//! `tests/data`.

mod any_games;
mod common;
mod laws;
mod openspiel;
mod oracles;
mod playouts;
mod positions;
mod tables;
mod texts;
