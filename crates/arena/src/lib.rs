//! Games between agents: matches, tournaments, their records, and what they say about strength.

mod clock;
mod elo;
mod game;
pub mod log;
mod ratings;
mod record;
mod sprt;

pub use clock::{Bank, TimeControl, TimeError};
pub use elo::{Counts, CountsError, Estimate, Results, elo_of_score, score_of_elo};
pub use game::{Duel, Ending, Played, generators};
pub use log::{Log, LogError};
pub use ratings::{CrossTable, Rating, ratings};
pub use record::{Proved, Reason, Record, Thought, Winner};
pub use sprt::{Hypothesis, Sprt, SprtError, SprtState};
