//! The experiments of the papers, run again and compared number by number.
//!
//! An [`Experiment`] is one table: data, not code. It names a [`Procedure`], the rows of the table
//! and the columns that were measured. A [`Plan`] says how much of it to run; a [`Folder`] keeps what
//! was run, line by line, so that it can be stopped and shared between processes; [`Cell`]s compare
//! what the paper prints with what came out, and a report shows them.
//!
//! ```
//! use upstar_lab::Experiment;
//!
//! let table = Experiment::find("leiden2018/5.4")?;
//! assert_eq!(table.runs().len(), 24);
//! assert_eq!(table.cells().count(), 24);
//! # Ok::<(), upstar_lab::UnknownTable>(())
//! ```
//!
//! Results depend on the table, the run and the seed, never on the number of threads or processes.

mod cell;
mod csv;
mod experiment;
mod folder;
mod interval;
mod library;
mod plan;
mod procedure;
mod report;
mod row;
mod sample;

pub use cell::{Cell, Summary, Verdict};
pub use experiment::{CellId, Chart, Experiment, Kind, Measure};
pub use folder::{Folder, FolderError};
pub use library::{UnknownTable, find_all, papers, tables};
pub use plan::{Plan, Progress, Shard, ShardError};
pub use procedure::{Problem, Procedure};
pub use report::{alphazero_html, csv as cells_csv, html, learning_html, tuning_html};
pub use row::Row;
pub use sample::{Measured, Sample};
