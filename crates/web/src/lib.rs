#![doc = include_str!("../README.md")]

pub mod games;
pub mod papers;
pub mod report;
pub mod runs;
