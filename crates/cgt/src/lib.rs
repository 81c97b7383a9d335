#![doc = include_str!("../README.md")]
//!
//! Many games may be simplified at a time, since that only reads the arena; see [`Games::simplify`].
//! Recursion goes as deep as birthdays do. Other sources are Berlekamp, Conway and Guy, *Winning Ways*.

mod atomic_weight;
mod comparison;
mod dyadic;
mod expression;
mod families;
mod games;
mod hash;
mod incentives;
mod landmarks;
mod name;
mod number;
mod option_sets;
mod parse;
mod reduced;
mod reductions;
mod simplification;
mod sum;
mod svg;
mod thermograph;
mod value;
mod wall;

pub use comparison::Comparisons;
pub use dyadic::Dyadic;
pub use expression::{Expression, Operator};
pub use families::NumberUpStar;
pub use games::Games;
pub use name::Name;
pub use parse::{MAX_INTEGER, MAX_NESTING, MAX_NIMBER, MAX_TEXT, MAX_UPS, ParseError};
pub use reductions::Fate;
pub use thermograph::{Thermograph, Thermographs};
pub use value::{Outcome, Value};
pub use wall::Wall;
