//! The servers, talked to as their clients would: scripted sessions and whatever else may be sent.

mod anything;
mod conversation;
mod games;
mod gtp;
mod json;
mod nboard;
