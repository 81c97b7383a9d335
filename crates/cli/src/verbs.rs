//! The verbs, one file each: its arguments, what it does, what it prints.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod engine;
pub(crate) mod fit;
pub(crate) mod games;
pub(crate) mod gtp;
pub(crate) mod legal;
pub(crate) mod man;
pub(crate) mod matches;
pub(crate) mod moves;
pub(crate) mod nboard;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod resume;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod statistics;
pub(crate) mod table;
pub(crate) mod tournament;
pub(crate) mod tree;
pub(crate) mod value;
