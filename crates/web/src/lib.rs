#![doc = include_str!("../README.md")]

mod agents;
mod answers;
pub mod article;
mod assets;
mod board;
mod bundle;
mod connections;
mod error;
mod export;
pub mod games;
mod guard;
mod gzip;
mod import;
mod jobs;
mod page;
pub mod papers;
mod puzzles;
pub mod report;
pub mod runs;
mod server;
mod tabs;
mod view;

pub use server::{Listening, Options, ServeError, Server};
