//! Games between agents: matches, tournaments, their records, and what they say about strength.
//!
//! A [`Match`] is many games of two players, a [`Tournament`] of many, in a folder. Whoever starts one
//! says how agents are made ([`Players`]); everything else is decided by the seed and the index of a game, so the
//! number of threads changes nothing.
//!
//! ```
//! use upstar_agents::{Agent, PickFirst, RandomMover};
//! use upstar_arena::{Contestant, Match, Openings, Place, TimeControl};
//! use upstar_games::{Clobber, Color, Grid, Rules, Variant, clobber};
//! use upstar_jobs::Budget;
//!
//! let grid: Grid = "4x5".parse()?;
//! let game = Clobber::<u64>::new(grid);
//! let start = game.position(&clobber::checkerboard(grid), Color::Black).unwrap();
//! let players = |which: usize| -> Result<Box<dyn Agent<_>>, String> {
//!     Ok(match which {
//!         0 => Box::new(RandomMover(game.clone())),
//!         _ => Box::new(PickFirst(game.clone())),
//!     })
//! };
//! let place = Place {
//!     game: &game,
//!     start: &start,
//!     variant: Variant::Clobber,
//!     position: "4x5",
//! };
//! let settings = Match {
//!     players: Contestant::two("random", "pick-first"),
//!     games: 200,
//!     swap: true,
//!     openings: Openings::Random(2),
//!     sprt: None,
//!     seed: 1,
//!     threads: 2,
//!     time: TimeControl::NONE,
//! };
//! let result = settings.play(&place, &players, &Budget::unlimited(), None, &mut |_| {})?;
//! assert_eq!(result.games, 200);
//! println!("{:?} ± {:?} Elo", result.elo, result.elo_error);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It prints nothing. What it writes are files of records ([`log`]) and the folders of tournaments.

mod clock;
mod config;
mod elo;
mod game;
mod grade;
mod interval;
pub mod log;
mod matches;
mod openings;
pub mod othello;
mod ratings;
mod record;
mod referee;
mod results;
mod session;
mod sprt;
mod table;
mod tournament;

pub use clock::{Bank, Clocks, TimeControl, TimeError};
pub use config::{Config, ConfigError, Kind};
pub use elo::{Counts, CountsError, Estimate, Results, elo_of_score, score_of_elo};
pub use game::{CannotBegin, Duel, Ending, Played, generators};
pub use grade::{Grade, Grading, Marks, Mistake};
pub use interval::wilson;
pub use log::{Log, LogError};
pub use matches::{Match, MatchResult};
pub use openings::{Book, MOST_PLIES, Opening, OpeningError, OpeningOf, Openings};
pub use ratings::{CrossTable, Rating, ratings};
pub use record::{Proved, Reason, Record, Thought, Winner, micros};
pub use referee::Referee;
pub use results::{MOST_PLAYERS, TooManyPlayers, cross_table, results_between};
pub use session::{Contestant, Finished, Place, Players, RunError};
pub use sprt::{Hypothesis, Sprt, SprtError, SprtState};
pub use table::{Standing, Table};
pub use tournament::{Tournament, TournamentError};
