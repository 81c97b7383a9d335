//! Clobber as a sum of components.

mod anywhere;
mod bounds;
mod census;
mod digests;
mod engine;
mod expand;
mod finding;
mod learn;
mod lookup;
mod model;
mod play;
mod position_value;
mod prover;
mod proving;
mod sample;
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

pub use position_value::{Component, PositionValue, parts};
pub use solver::{Settings, Solver};
pub use technique::Technique;
pub use value_table::{TableError, TableKind, ValueTable};
pub use value_tables::{Need, ValueTables};
pub use weights::Weights;
