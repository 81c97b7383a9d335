#![doc = include_str!("../README.md")]

mod clock;
mod config;
mod elo;
mod game;
mod grade;
mod import;
mod interval;
pub mod log;
mod match_game;
mod matches;
mod openings;
pub mod othello;
mod ratings;
mod record;
mod referee;
mod results;
mod runner;
mod several;
mod sprt;
mod standings;

mod team;
mod tournament;

pub use clock::{Bank, Clocks, TimeControl, TimeError};
pub use config::{Config, ConfigError, TournamentFormat};
pub use elo::{Counts, CountsError, Estimate, Results, elo_of_score, score_of_elo};
pub use game::{CannotBegin, Duel, Ending, PlayedGame, generators};
pub use grade::{Grade, Grading, Marks, Mistake};
pub use import::{ImportError, ImportedGame, import, import_bytes};
pub use interval::wilson;
pub use log::{Log, LogError};
pub use match_game::{MatchGame, MatchGames};
pub use matches::{Match, MatchResult};
pub use openings::{Book, MOST_PLIES, Opening, OpeningError, OpeningOf, Openings};
pub use ratings::{CrossTable, Rating, ratings};
pub use record::{Proved, Reason, Record, Thought, Winner, micros, start_and_side};
pub use referee::Referee;
pub use results::{MOST_PLAYERS, TooManyPlayers, cross_table, results_between};
pub use runner::{Contestant, Finished, Place, Players, RunError};
pub use several::{AgentResult, SeveralError, SeveralMatch, SeveralResult, StonesLeft};
pub use sprt::{Hypothesis, Sprt, SprtError, SprtState};
pub use standings::{GameResult, Standing, Standings};
pub use team::Team;
pub use tournament::{Tournament, TournamentError};
