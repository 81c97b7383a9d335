//! Short partizan games.

mod comparison;
mod dyadic;
mod families;
mod games;
mod hash;
mod landmarks;
mod number;
mod option_sets;
mod simplification;
mod sum;
mod value;

pub use comparison::Comparisons;
pub use dyadic::Dyadic;
pub use families::NumberUpStar;
pub use games::Games;
pub use value::{Outcome, Value};
