//! Clobber as a sum of components.

mod anywhere;
mod bounds;
mod census;
mod diamond;
mod digests;
mod engine;
mod expand;
mod finding;
mod fit;
mod lookup;
mod model;
mod play;
mod position_value;
mod prover;
mod proving;
mod regression;
mod sample;
mod samples;
mod search;
mod shapes;
mod solver;
mod space;
mod sum;
mod technique;
mod value_table;
mod value_tables;
mod values;
mod weights;

pub use fit::{Boards, FitError, FittedRound, Recipe, fit};
pub use position_value::{Component, PositionValue, parts};
pub use regression::FitErrors;
pub use solver::{Settings, Solver};
pub use technique::Technique;
pub use value_table::{TableError, TableKind, ValueTable};
pub use value_tables::{Need, ValueTables};
pub use weights::Weights;
