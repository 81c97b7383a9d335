#![doc = include_str!("../README.md")]

mod cell;
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
