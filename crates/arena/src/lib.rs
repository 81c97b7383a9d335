//! Games between agents: matches, tournaments, their records, and what they say about strength.

mod clock;
mod config;
mod crew;
mod elo;
mod folder;
mod game;
pub mod log;
mod matches;
mod openings;
mod ratings;
mod record;
mod session;
mod sprt;
mod table;
mod tournament;

pub use clock::{Bank, TimeControl, TimeError};
pub use config::{Config, ConfigError, Kind};
pub use crew::MOST_THREADS;
pub use elo::{Counts, CountsError, Estimate, Results, elo_of_score, score_of_elo};
pub use game::{Duel, Ending, Played, generators};
pub use log::{Log, LogError};
pub use matches::{Match, MatchResult};
pub use openings::{Book, MOST_PLIES, Opening, OpeningError, OpeningOf, Openings};
pub use ratings::{CrossTable, Rating, ratings};
pub use record::{Proved, Reason, Record, Thought, Winner};
pub use session::{Contestant, Finished, Place, Players, RunError};
pub use sprt::{Hypothesis, Sprt, SprtError, SprtState};
pub use table::{Standing, Table};
pub use tournament::{Tournament, TournamentError};
