//! The server as browsers and strangers meet it, over real connections.

mod client;
mod jobs;
mod pages;
mod runs;
mod safety;
