//! Clobber as a sum of components.

mod anywhere;
mod bounds;
mod census;
mod engine;
mod expand;
mod learn;
mod lookup;
mod model;
mod play;
mod proving;
mod search;
mod shapes;
mod solved;
mod solver;
mod space;
mod sum;
mod technique;
mod value_table;
mod value_tables;
mod values;
mod weights;
mod worth;

pub use search::{Unwatched, Watch};
pub use solved::Solved;
pub use solver::{Settings, Solver};
pub use technique::Technique;
pub use value_table::{Kind, TableError, ValueTable};
pub use value_tables::ValueTables;
pub use weights::Weights;
pub use worth::{Component, Worth};
