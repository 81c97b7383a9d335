//! A tournament in its folder: `config.toml` says what is played, `manifest.json` with which program on
//! which machine, `games.jsonl` has a line per game, and `table.json` the table when it is over.
//!
//! Killed at any moment it loses at most the games in progress; the games that are not in the record
//! are played when it goes on, and the table is the same as if nothing had happened.
//!
//! Boards of different sizes are different types, so whoever runs a tournament enters each position
//! by himself:
//!
//! ```
//! # use std::path::Path;
//! # use upstar_agents::{Agent, RandomMover};
//! # use upstar_arena::{Tournament, TournamentError};
//! # use upstar_games::with_game;
//! # use upstar_jobs::Budget;
//! # fn run(folder: &Path, file: &Path, budget: &Budget) -> Result<(), TournamentError> {
//! let mut tournament = Tournament::begin(folder, file)?;
//! for position in 0..tournament.config().positions.len() {
//!     let any = tournament.open(position)?;
//!     with_game!(
//!         &any,
//!         |game, start| {
//!             let players = |_which: usize| Ok(Box::new(RandomMover(game.clone())) as Box<dyn Agent<_>>);
//!             tournament.play(position, game, start, &players, budget, &mut |_| {})?;
//!         },
//!         unreachable!("tournaments are for two players")
//!     );
//! }
//! let table = tournament.finish()?;
//! # Ok(())
//! # }
//! ```

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use upstar_games::{AnyGame, Game, with_game};
use upstar_jobs::Budget;

use crate::config::{Config, ConfigError, read_text};
use crate::log::{Log, LogError};
use crate::match_game::MatchGame;
use crate::openings::{Book, OpeningError, Openings};
use crate::record::Record;
use crate::runner::{Earlier, Expected, Finished, Fixture, Place, Players, RunError, Runner};
use crate::standings::{GameResult, Standings};
use upstar_jobs::Pool;
use upstar_runs::{CONFIG, FolderError, Kind, Manifest, RunFolder};

/// A tournament that is being played.
#[derive(Debug)]
pub struct Tournament {
    config: Config,
    pairings: Vec<[usize; 2]>,
    folder: RunFolder,
    log: Log,
    played: Earlier,
}

impl Tournament {
    /// Begins the tournament of this file in a folder, or goes on with it if it is there already.
    ///
    /// # Errors
    /// If the file describes no tournament, or the folder holds another one or is in use.
    pub fn begin(folder: &Path, file: &Path) -> Result<Self, TournamentError> {
        let (config, text) = Config::read(file)?;
        let here = RunFolder::take(folder)?;
        if here.path(CONFIG).exists() {
            let held = held(&here)?;
            if !held.same_games(&config) {
                let what = format!(
                    "it holds another tournament: its config.toml differs from {}",
                    file.display()
                );
                return Err(TournamentError::folder(folder, what));
            }
        } else if here.path("games.jsonl").exists() {
            let what = "it holds games, but no config.toml that says of what".to_owned();
            return Err(TournamentError::folder(folder, what));
        } else {
            // The configuration comes last: where it is, all is.
            if let Openings::Listed(text) = &config.openings {
                here.write("openings.txt", text)?;
            }
            let manifest = Manifest::new(Kind::Tournament).with_seed(config.seed);
            here.begin(manifest, &text)?;
        }
        Self::go_on(here, config)
    }

    /// Goes on with the tournament in this folder.
    ///
    /// # Errors
    /// If there is none, or it is in use or damaged.
    pub fn resume(folder: &Path) -> Result<Self, TournamentError> {
        if !folder.join("config.toml").is_file() {
            let what = "it holds no tournament: there is no config.toml".to_owned();
            return Err(TournamentError::folder(folder, what));
        }
        let here = RunFolder::take(folder)?;
        let config = held(&here)?;
        Self::go_on(here, config)
    }

    fn go_on(folder: RunFolder, config: Config) -> Result<Self, TournamentError> {
        let pairings = config.pairings();
        let schedule = Schedule::new(&config, pairings.len());
        let mut played = Earlier::new();
        let take = |record: &Record| {
            let (position, fixture) = schedule
                .fixture(&pairings, record.index)
                .ok_or_else(|| format!("there is no game {} in this tournament", record.index))?;
            expected(&config, position).take(record, &fixture, &mut played)
        };
        let log = Log::open(&folder.path("games.jsonl"), take)?;
        Ok(Self {
            config,
            pairings,
            folder,
            log,
            played,
        })
    }

    /// What is played.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Plays this many games at the same time from now on.
    pub fn set_threads(&mut self, threads: usize) {
        self.config.threads = threads;
    }

    /// How many games there are to be.
    #[must_use]
    pub fn games(&self) -> u64 {
        Schedule::new(&self.config, self.pairings.len()).games()
    }

    /// How many games have been played, earlier sessions included.
    #[must_use]
    pub fn played(&self) -> u64 {
        self.played.len() as u64
    }

    /// The game at one of its positions.
    ///
    /// # Errors
    /// If it cannot begin there.
    pub fn open(&self, position: usize) -> Result<AnyGame, TournamentError> {
        Ok(self.config.open(position)?)
    }

    /// Plays the games at one of the positions that are not in the record yet. The hook sees all games
    /// there, in their order. False if somebody said stop.
    ///
    /// # Errors
    /// If an agent cannot be made, an opening is none, or the record cannot be written.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn play<G: Game, P: Players<G>>(
        &mut self,
        position: usize,
        game: &G,
        start: &G::Position,
        players: &P,
        budget: &Budget,
        told: &mut dyn FnMut(&Finished<'_>),
    ) -> Result<bool, TournamentError> {
        let config = &self.config;
        let schedule = Schedule::new(config, self.pairings.len());
        let place = Place {
            game,
            start,
            variant: config.game,
            position: &config.positions[position],
        };
        let book = Book::new(
            game,
            start,
            &config.openings,
            config.seed,
            schedule.rounds(),
        );
        let book = book.map_err(|error: OpeningError| RunError::from(error))?;
        let runner = Runner {
            place: &place,
            players,
            contestants: &config.players,
            seed: config.seed,
            time: config.time,
            recorded: true,
        };
        let pool = Pool {
            threads: config.threads,
            jobs: schedule.games_at_a_position(),
            budget,
        };
        let first = position as u64 * pool.jobs;
        let fixture = |number: u64| {
            let fixture = schedule.fixture(&self.pairings, first + number);
            fixture.expect("its number is below that of all games").1
        };
        let mut new = Vec::new();
        let complete = runner.run(
            &pool,
            &book,
            fixture,
            &self.played,
            |record| {
                self.log.add(record)?;
                let winner = record.winner.expect("the game has ended");
                new.push((record.index, (winner, record.reason)));
                Ok(())
            },
            |_, finished| {
                told(finished);
                ControlFlow::Continue(())
            },
        );
        self.played.extend(new);
        Ok(complete?)
    }

    /// The games that are not in the record yet, as jobs, which any machine may play.
    ///
    /// # Errors
    /// If the game cannot begin at a position, or an opening is not one.
    pub fn jobs(&self) -> Result<Vec<MatchGame>, TournamentError> {
        let config = &self.config;
        let schedule = Schedule::new(config, self.pairings.len());
        let mut jobs = Vec::new();
        for (number, position) in config.positions.iter().enumerate() {
            let (any, rounds) = (self.open(number)?, schedule.rounds());
            let each = schedule.games_at_a_position();
            let first = number as u64 * each;
            with_game!(
                &any,
                |game, start| {
                    let place = Place {
                        game,
                        start,
                        variant: config.game,
                        position,
                    };
                    let book = Book::new(game, start, &config.openings, config.seed, rounds);
                    let book = book.map_err(RunError::from)?;
                    let missing = |index: &u64| !self.played.contains_key(index);
                    for index in (first..first + each).filter(missing) {
                        let (_, fixture) = schedule
                            .fixture(&self.pairings, index)
                            .expect("its number is below that of all games");
                        let opening = book.opening(game, fixture.round);
                        let common = (config.seed, config.time);
                        let players = &config.players;
                        jobs.push(MatchGame::new(&place, players, &fixture, &opening, common));
                    }
                },
                return Err(RunError::NotForTwo(config.game).into())
            );
        }
        Ok(jobs)
    }

    /// Takes the record of a game of [`Tournament::jobs`] that was played elsewhere; `false` if there is one
    /// already.
    ///
    /// # Errors
    /// If it is not the record of this game, or cannot be written.
    pub fn accept(&mut self, job: &MatchGame, record: &Record) -> Result<bool, TournamentError> {
        if self.played.contains_key(&job.index) {
            return Ok(false);
        }
        job.check(record)?;
        let schedule = Schedule::new(&self.config, self.pairings.len());
        let of_another = |what: String| RunError::Game {
            index: job.index,
            what,
        };
        let (position, fixture) = schedule
            .fixture(&self.pairings, job.index)
            .ok_or_else(|| of_another("there is no such game in this tournament".to_owned()))?;
        let mut played = Earlier::new();
        let taken = expected(&self.config, position).take(record, &fixture, &mut played);
        taken.map_err(of_another)?;
        self.log.add(record)?;
        self.played.extend(played);
        Ok(true)
    }

    /// The table as it stands.
    #[must_use]
    pub fn table(&self) -> Standings {
        let schedule = Schedule::new(&self.config, self.pairings.len());
        let games = self.played.iter().map(|(&index, &(winner, reason))| {
            let (_, fixture) = schedule
                .fixture(&self.pairings, index)
                .expect("the game was played");
            GameResult {
                seats: fixture.seats,
                winner,
                reason,
            }
        });
        let Config {
            players, anchor, ..
        } = &self.config;
        Standings::of_games(players, games, *anchor, schedule.games())
    }

    /// Ends the session: if all games are played, their records are put in order and the table is
    /// written. Returns it in any case.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(self) -> Result<Standings, TournamentError> {
        let table = self.table();
        if table.games == table.of {
            self.log.sort(u64::MAX)?;
            let json = serde_json::to_string_pretty(&table).expect("text and numbers");
            self.folder.write("table.json", json + "\n")?;
        }
        Ok(table)
    }
}

impl Config {
    /// How many games there are in all.
    #[must_use]
    pub fn all_games(&self) -> u64 {
        Schedule::new(self, self.pairings().len()).games()
    }
}

/// What the records of games at this position have in common.
fn expected(config: &Config, position: usize) -> Expected<'_> {
    Expected {
        variant: config.game,
        position: &config.positions[position],
        seed: config.seed,
        time: config.time,
        contestants: &config.players,
    }
}

/// The configuration that a folder holds.
fn held(folder: &RunFolder) -> Result<Config, TournamentError> {
    let file = folder.path(CONFIG);
    let text = read_text(&file).map_err(|what| TournamentError::folder(&file, what))?;
    let openings = |_: &str| read_text(&folder.path("openings.txt"));
    Config::parse(&text, openings).map_err(|error| error.in_file(&file).into())
}

/// Which game is which: position by position, round by round, so that after each round everybody has played
/// equally many games.
struct Schedule {
    positions: u64,
    pairings: u64,
    games: u64,
    swap: bool,
}

impl Schedule {
    fn new(config: &Config, pairings: usize) -> Self {
        Self {
            positions: config.positions.len() as u64,
            pairings: pairings as u64,
            games: config.games,
            swap: config.swap,
        }
    }

    fn rounds(&self) -> u64 {
        if self.swap {
            self.games.div_ceil(2)
        } else {
            self.games
        }
    }

    fn games_at_a_position(&self) -> u64 {
        self.pairings * self.games
    }

    fn games(&self) -> u64 {
        self.positions * self.games_at_a_position()
    }

    /// The position and the game with this index, if there is one.
    fn fixture(&self, pairings: &[[usize; 2]], index: u64) -> Option<(usize, Fixture)> {
        if index >= self.games() {
            return None;
        }
        let (position, rest) = (
            index / self.games_at_a_position(),
            index % self.games_at_a_position(),
        );
        let in_round = if self.swap {
            2 * self.pairings
        } else {
            self.pairings
        };
        let (round, rest) = (rest / in_round, rest % in_round);
        // An odd number of games leaves one for the last round.
        let single = !self.swap || 2 * round + 1 == self.games;
        let (pairing, swapped) = if single {
            (rest, false)
        } else {
            (rest / 2, rest % 2 == 1)
        };
        let [first, second] = pairings[pairing as usize];
        let fixture = Fixture {
            index,
            round,
            pair: (position * self.rounds() + round) * self.pairings + pairing,
            seats: if swapped {
                [second, first]
            } else {
                [first, second]
            },
        };
        Some((position as usize, fixture))
    }
}

/// Why a tournament cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TournamentError {
    /// Its file.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Its folder.
    #[error("{}: {what}", path.display())]
    Folder {
        /// Which one.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The files in it.
    #[error(transparent)]
    Files(#[from] FolderError),
    /// Its games.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl TournamentError {
    fn folder(path: &Path, what: String) -> Self {
        Self::Folder {
            path: path.to_owned(),
            what,
        }
    }
}

impl From<LogError> for TournamentError {
    fn from(error: LogError) -> Self {
        Self::Run(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pairing_has_its_games() {
        for (games, swap) in [(1, true), (2, true), (5, true), (6, true), (3, false)] {
            let schedule = Schedule {
                positions: 2,
                pairings: 3,
                games,
                swap,
            };
            let pairings = [[0, 1], [0, 2], [1, 2]];
            let mut count = [[[0u64; 3]; 3]; 2];
            let mut last = 0;
            for index in 0..schedule.games() {
                let (position, fixture) = schedule.fixture(&pairings, index).unwrap();
                let [black, white] = fixture.seats;
                count[position][black][white] += 1;
                assert!(fixture.round < schedule.rounds());
                assert!(fixture.pair == last || fixture.pair == last + 1);
                last = fixture.pair;
            }
            for at in count {
                for [a, b] in pairings {
                    let (first, second) = (at[a][b], at[b][a]);
                    assert_eq!(first + second, games);
                    assert_eq!(second, if swap { games / 2 } else { 0 });
                }
            }
            assert!(schedule.fixture(&pairings, schedule.games()).is_none());
        }
    }
}
