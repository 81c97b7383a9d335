#![doc = include_str!("../README.md")]

mod cell;
mod cells_csv;
mod claim;
mod experiment;
mod folder;
mod interval;
mod library;
mod misses;
mod paper;
mod pending;
mod plan;
mod procedure;
mod reading;
mod row;
mod sample;
mod solved_board;
mod table_test;

pub use cell::{Cell, Summary, Verdict};
pub use cells_csv::csv as cells_csv;
pub use claim::{Claim, ClaimResult, Finding};
pub use experiment::{CellId, Chart, Experiment, Kind, Measure};
pub use folder::{Folder, FolderError, TableResults};
pub use library::{UnknownTable, find_all, papers, tables};
pub use misses::{Comparison, MissedPattern, MissedPosition, Misses, MissesQuery, Pattern};
pub use paper::{NOT_RUN, Paper, Section, filled};
pub use pending::Unfinished;
pub use plan::{Plan, Progress, Shard, ShardError};
pub use procedure::{Problem, Procedure};
pub use reading::{Reading, ReadingResults};
pub use row::Row;
pub use sample::{Measured, Sample};
pub use table_test::TableTest;
