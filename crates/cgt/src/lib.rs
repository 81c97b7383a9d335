//! Short partizan games: canonical forms, their algebra and order, names, thermographs, atomic weights.
//!
//! Everything lives in an arena, [`Games`]; a [`Value`] is a handle into it, and two handles are equal
//! exactly when the games are.
//!
//! ```
//! use upstar_cgt::{Games, Outcome, Value};
//!
//! let mut games = Games::new();
//! let star = games.canonical(&[Value::ZERO], &[Value::ZERO]);
//! let up = games.canonical(&[Value::ZERO], &[star]);
//!
//! let sum = games.sum(up, up);
//! assert_eq!(games.name(sum).to_string(), "2·↑");
//! assert_eq!(games.outcome(sum), Outcome::L);
//! assert_eq!(games.compare(up, star), None); // confused
//! assert_eq!(games.atomic_weight(sum), Some(games.integer(2)));
//!
//! let hot = games.parse("{3|1} + ↑*")?;
//! assert_eq!(games.name(hot).to_string(), "{3↑*|1↑*}");
//! let thermograph = games.thermograph(hot).unwrap();
//! assert_eq!(thermograph.mean().to_string(), "2");
//! assert_eq!(thermograph.temperature().to_string(), "1");
//! assert!(thermograph.svg().starts_with("<svg"));
//! # Ok::<(), upstar_cgt::ParseError>(())
//! ```
//!
//! Many games may be simplified at a time, since that only reads the arena; see [`Games::simplify`].
//!
//! The crate knows no board and no rules. It does no input or output and starts no thread.
//! Recursion goes as deep as birthdays do. The theory and its names are those of Aaron Siegel,
//! *Combinatorial Game Theory* (2013), and of Berlekamp, Conway and Guy, *Winning Ways*.

mod atomic_weight;
mod comparison;
mod dyadic;
mod families;
mod games;
mod hash;
mod landmarks;
mod name;
mod number;
mod option_sets;
mod parse;
mod simplification;
mod sum;
mod svg;
mod thermograph;
mod value;
mod wall;

pub use comparison::Comparisons;
pub use dyadic::Dyadic;
pub use families::NumberUpStar;
pub use games::Games;
pub use name::Name;
pub use parse::{MAX_INTEGER, MAX_NESTING, MAX_NIMBER, MAX_TEXT, MAX_UPS, ParseError};
pub use thermograph::{Thermograph, Thermographs};
pub use value::{Outcome, Value};
pub use wall::Wall;
