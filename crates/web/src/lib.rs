#![doc = include_str!("../README.md")]

mod agents;
mod assets;
mod board;
mod connections;
mod error;
mod export;
mod guard;
mod import;
mod jobs;
mod puzzles;
mod server;
mod tabs;
mod view;

pub use server::{Listening, Options, ServeError, Server};
