//! A match: many games of A against B, and what they say about the two.
//!
//! The same seed gives the same games whatever the number of threads, unless an agent's limit or the
//! clock is a time. Games count in the order of their index, so an early stop repeats too.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use upstar_games::{AnyGame, Color, Game, Random, with_game};
use upstar_jobs::Budget;

use crate::clock::TimeControl;
use crate::elo::{Counts, Results};
use crate::log::Log;
use crate::match_game::{MatchGame, MatchGames};
use crate::openings::{Book, Openings};
use crate::record::{Reason, Record, Winner, half_points};
use crate::runner::{
    Contestant, Earlier, Expected, Finished, Fixture, Place, Players, RunError, Runner, forfeited,
};
use crate::sprt::{Sprt, SprtState};
use upstar_jobs::Pool;

/// A against B.
#[derive(Clone, Debug)]
pub struct Match {
    /// A and B. Players make them as numbers 0 and 1.
    pub players: [Contestant; 2],
    /// How many games.
    pub games: u64,
    /// Whether games come in pairs with the same opening and exchanged colours; else A is always
    /// Black.
    pub swap: bool,
    /// Where games begin.
    pub openings: Openings,
    /// Whether to stop as soon as this is decided.
    pub sprt: Option<Sprt>,
    /// The seed of all randomness.
    pub seed: u64,
    /// How many games are played at the same time. Where clocks run, these should not be more than
    /// there are processors.
    pub threads: usize,
    /// The time that players have.
    pub time: TimeControl,
}

/// What came of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// Games that A won.
    pub a_wins: u64,
    /// Games that B won.
    pub b_wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that the side with the stones `x` won.
    pub black_wins: u64,
    /// Games that the side with the stones `o` won.
    pub white_wins: u64,
    /// All games.
    pub games: u64,
    /// Pairs of games in which A made 0, ½, 1, 1½ and 2 points, if colours were exchanged.
    pub pairs: Option<[u64; 5]>,
    /// Games that A lost by its time, an illegal move or a fault.
    pub a_forfeits: u64,
    /// Games that B lost by its time, an illegal move or a fault.
    pub b_forfeits: u64,
    /// By how much A is stronger; nothing if one side won all games.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// The lower end of that interval; there is one even if A won all games.
    pub elo_low: Option<f64>,
    /// The upper end of that interval; there is one even if B won all games.
    pub elo_high: Option<f64>,
    /// How sure A is the stronger one, from 0 to 1.
    pub los: Option<f64>,
    /// How long it took since it was begun or resumed.
    pub seconds: f64,
    /// The state of the test, if there is one.
    pub sprt: Option<SprtState>,
    /// Whether all games were played or the test has ended; false if somebody said stop.
    pub complete: bool,
}

/// Random games are so short that they are handed out in bundles.
const BUNDLE: u64 = 512;

impl Match {
    /// Plays the match.
    ///
    /// With a file of records, each game is added to it when it ends, and games that are in it from
    /// an earlier session are not played again; at the end its lines are in order. Without one, and
    /// without a clock, two `random` players are not asked for their moves: their games are
    /// [`Game::playout`]s, which have the same distribution (every move equally likely), but are
    /// other games than those that would be recorded with the same seed.
    ///
    /// # Errors
    /// If an agent cannot be made, or the openings or the file of records are not in order.
    pub fn play<G: Game, P: Players<G>>(
        &self,
        place: &Place<'_, G>,
        players: &P,
        budget: &Budget,
        records: Option<&Path>,
        told: &mut dyn FnMut(&Finished<'_>),
    ) -> Result<MatchResult, RunError> {
        self.play_for(None, place, players, budget, records, told)
    }

    /// The same, but when this time is over the match ends with the game that has just ended, or the pair;
    /// later ones do not count. What the games in the file of records have taken, shared among the threads,
    /// is spent already. Players do not know of this limit: it does not change their games.
    ///
    /// # Errors
    /// As for [`Self::play`].
    pub fn play_for<G: Game, P: Players<G>>(
        &self,
        time: Option<Duration>,
        place: &Place<'_, G>,
        players: &P,
        budget: &Budget,
        records: Option<&Path>,
        told: &mut dyn FnMut(&Finished<'_>),
    ) -> Result<MatchResult, RunError> {
        let begun = Instant::now();
        let rounds = self.rounds();
        let book = Book::new(place.game, place.start, &self.openings, self.seed, rounds)?;
        let mut score = Score::new(self, time);
        let random = self.players.iter().all(|player| player.agent == "random");
        let complete = if random && records.is_none() && self.time.is_none() {
            self.play_random(place, &book, budget, &mut score, told)?
        } else {
            let runner = self.runner(place, players, records.is_some());
            self.play_games(&runner, &book, budget, records, &mut score, told)?
        };
        Ok(score.result(complete, begun.elapsed().as_secs_f64()))
    }

    /// Plays only the game with this index, as it is played in the match, and returns its record; nothing
    /// comes of it if somebody says stop.
    ///
    /// # Errors
    /// If an agent cannot be made or the openings are not in order.
    pub fn play_one<G: Game, P: Players<G>>(
        &self,
        place: &Place<'_, G>,
        players: &P,
        budget: &Budget,
        index: u64,
    ) -> Result<Option<Record>, RunError> {
        let fixture = self.fixture(index);
        let rounds = fixture.round + 1;
        let book = Book::new(place.game, place.start, &self.openings, self.seed, rounds)?;
        let runner = self.runner(place, players, true);
        runner.play_one(&fixture, &book.opening(place.game, fixture.round), budget)
    }

    /// The games of this match as jobs, which any machine may play.
    ///
    /// # Errors
    /// If the game does not have two sides, or the openings are not in order.
    pub fn jobs(&self, game: &AnyGame) -> Result<MatchGames, RunError> {
        let (variant, position) = (game.variant(), game.to_string());
        let common = (self.seed, self.time);
        with_game!(
            game,
            |game, start| {
                let place = Place {
                    game,
                    start,
                    variant,
                    position: &position,
                };
                let book = Book::new(game, start, &self.openings, self.seed, self.rounds())?;
                let job = |index| {
                    let fixture = self.fixture(index);
                    let opening = book.opening(game, fixture.round);
                    MatchGame::new(&place, &self.players, &fixture, &opening, common)
                };
                Ok(MatchGames::new((0..self.games).map(job).collect()))
            },
            Err(RunError::NotForTwo(variant))
        )
    }

    fn rounds(&self) -> u64 {
        match self.swap {
            true => self.games.div_ceil(2),
            false => self.games,
        }
    }

    fn runner<'a, G: Game, P: Players<G>>(
        &'a self,
        place: &'a Place<'a, G>,
        players: &'a P,
        recorded: bool,
    ) -> Runner<'a, G, P> {
        Runner {
            place,
            players,
            contestants: &self.players,
            seed: self.seed,
            time: self.time,
            recorded,
        }
    }

    fn fixture(&self, index: u64) -> Fixture {
        let (pair, swapped) = if self.swap {
            (index / 2, index % 2 == 1)
        } else {
            (index, false)
        };
        Fixture {
            index,
            round: pair,
            pair,
            seats: if swapped { [1, 0] } else { [0, 1] },
        }
    }

    fn play_games<G: Game, P: Players<G>>(
        &self,
        runner: &Runner<'_, G, P>,
        book: &Book<G>,
        budget: &Budget,
        records: Option<&Path>,
        score: &mut Score,
        told: &mut dyn FnMut(&Finished<'_>),
    ) -> Result<bool, RunError> {
        let mut earlier = Earlier::new();
        let expected = Expected {
            variant: runner.place.variant,
            position: runner.place.position,
            seed: self.seed,
            time: self.time,
            contestants: &self.players,
        };
        let mut spent = 0.0;
        let take = |record: &Record| {
            if record.index >= self.games {
                return Err(format!(
                    "it has number {}, and this match has {} games",
                    record.index, self.games
                ));
            }
            let fixture = self.fixture(record.index);
            spent += record.seconds;
            expected.take(record, &fixture, &mut earlier)?;
            runner.check_opening(record, &book.opening(runner.place.game, fixture.round))
        };
        let mut log = match records {
            Some(path) => Some(Log::open(path, take)?),
            None => None,
        };
        // What the file says is not trusted.
        let spent = Duration::try_from_secs_f64(spent / self.threads.max(1) as f64);
        score.spend(spent.unwrap_or_default());
        let known = (0..self.games).take_while(|index| earlier.contains_key(index));
        let pool = Pool {
            threads: self.threads,
            jobs: match score.is_late() {
                true => known.count() as u64,
                false => self.games,
            },
            budget,
        };
        let complete = runner.run(
            &pool,
            book,
            |index| self.fixture(index),
            &earlier,
            |record| log.as_mut().map_or(Ok(()), |log| log.add(record)),
            |fixture, finished| {
                told(finished);
                let flow = score.add(fixture, finished.winner, finished.reason);
                match finished.earlier {
                    true => flow,
                    false => score.in_time(flow),
                }
            },
        )?;
        if let Some(log) = log {
            // Games that ended after the test did not count.
            log.sort(if complete { score.games } else { u64::MAX })?;
        }
        Ok(complete)
    }

    fn play_random<G: Game>(
        &self,
        place: &Place<'_, G>,
        book: &Book<G>,
        budget: &Budget,
        score: &mut Score,
        told: &mut dyn FnMut(&Finished<'_>),
    ) -> Result<bool, RunError> {
        let game = place.game;
        let one = |index: u64| {
            let start = book.opening(game, self.fixture(index).round).end(game);
            let playout = game.playout(&start, &mut Random::for_game(self.seed, index));
            match game.to_move(&start) {
                Color::Black => Winner::of_score(playout.score),
                Color::White => Winner::of_score(-playout.score),
            }
        };
        let pool = Pool {
            threads: self.threads,
            jobs: self.games.div_ceil(BUNDLE),
            budget,
        };
        pool.work(
            || (),
            |(), bundle, _| {
                let first = bundle * BUNDLE;
                let games = first..self.games.min(first + BUNDLE);
                Ok(Some(games.map(one).collect::<Vec<Winner>>()))
            },
            |_, _| Ok(()),
            |bundle, winners| {
                for (index, winner) in (bundle * BUNDLE..).zip(winners) {
                    let fixture = self.fixture(index);
                    let flow = score.add(&fixture, winner, Reason::Rules);
                    told(&Finished {
                        index,
                        black: fixture.seats[0],
                        white: fixture.seats[1],
                        winner,
                        reason: Reason::Rules,
                        earlier: false,
                        record: None,
                    });
                    if flow.is_break() {
                        return flow;
                    }
                }
                score.in_time(ControlFlow::Continue(()))
            },
        )
    }
}

/// The results so far, game by game in their order.
struct Score {
    results: Results,
    black_wins: u64,
    white_wins: u64,
    forfeits: [u64; 2],
    games: u64,
    /// A's half points in the first game of a pair.
    first: Option<u8>,
    test: Option<Sprt>,
    state: Option<SprtState>,
    /// When the time for the match is over.
    deadline: Option<Instant>,
}

impl Score {
    fn new(of: &Match, time: Option<Duration>) -> Self {
        let results = Results {
            counts: Counts::default(),
            pairs: of.swap.then_some([0; 5]),
        };
        Self {
            results,
            black_wins: 0,
            white_wins: 0,
            forfeits: [0; 2],
            games: 0,
            first: None,
            test: of.sprt,
            state: of.sprt.map(|sprt| sprt.state(&results)),
            deadline: time.and_then(|time| Instant::now().checked_add(time)),
        }
    }

    /// So much of the time was spent in earlier sessions.
    fn spend(&mut self, time: Duration) {
        let sooner = |deadline: Instant| deadline.checked_sub(time).unwrap_or_else(Instant::now);
        self.deadline = self.deadline.map(sooner);
    }

    fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// What comes next, unless time is over and no pair is only half played.
    fn in_time(&self, next: ControlFlow<()>) -> ControlFlow<()> {
        match self.first.is_none() && self.is_late() {
            true => ControlFlow::Break(()),
            false => next,
        }
    }

    fn add(&mut self, fixture: &Fixture, winner: Winner, reason: Reason) -> ControlFlow<()> {
        self.games += 1;
        match winner {
            Winner::Black => self.black_wins += 1,
            Winner::White => self.white_wins += 1,
            Winner::Draw => {}
        }
        if let Some(side) = forfeited(winner, reason) {
            self.forfeits[fixture.seats[side.index()]] += 1;
        }
        let a = if fixture.seats[0] == 0 {
            Color::Black
        } else {
            Color::White
        };
        let points = half_points(winner, a);
        self.results.counts.add(points);
        if let Some(pairs) = &mut self.results.pairs {
            // Half a pair says nothing yet.
            let Some(first) = self.first.take() else {
                self.first = Some(points);
                return ControlFlow::Continue(());
            };
            pairs[usize::from(first + points)] += 1;
        }
        self.state = self.test.map(|sprt| sprt.state(&self.results));
        match self.state.and_then(|state| state.accepted) {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    fn result(&self, complete: bool, seconds: f64) -> MatchResult {
        let Counts {
            wins,
            draws,
            losses,
        } = self.results.counts;
        let estimate = self.results.estimate();
        MatchResult {
            a_wins: wins,
            b_wins: losses,
            draws,
            black_wins: self.black_wins,
            white_wins: self.white_wins,
            games: self.games,
            pairs: self.results.pairs,
            a_forfeits: self.forfeits[0],
            b_forfeits: self.forfeits[1],
            elo: estimate.elo,
            elo_error: estimate.error,
            elo_low: estimate.low,
            elo_high: estimate.high,
            los: estimate.los,
            seconds,
            sprt: self.state,
            complete,
        }
    }
}
