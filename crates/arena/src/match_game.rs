//! One game of a match or tournament as a job: plain data with all that decides the game, so that it may
//! be played on any machine and its record accepted in any order, or twice.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use upstar_agents::{AgentSpec, Resources};
use upstar_games::{AnyGame, Color, Game, Rules, Setup, Start, Variant, with_game};
use upstar_jobs::{Budget, Job, Schedule};

use crate::clock::TimeControl;
use crate::openings::{Opening, OpeningOf};
use crate::record::{Record, sentence};
use crate::referee::Referee;
use crate::runner::{Contestant, Fixture, Place, RunError, Runner};
use crate::team::Team;

/// A game that is to be played. Equal games have equal records, apart from the time that they took,
/// unless an agent's limit or the clock is a time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MatchGame {
    /// The game by name: `clobber`, `othello:anti`, …
    pub game: String,
    /// Where games of the run begin, as the user wrote it.
    pub position: String,
    /// The board before the opening.
    pub start: String,
    /// The side to move there, `x` or `o`.
    pub to_move: char,
    /// The moves of the opening, by name.
    pub opening: Vec<String>,
    /// Who plays `x`.
    pub black: Contestant,
    /// Who plays `o`.
    pub white: Contestant,
    /// The time that the players have.
    pub time: TimeControl,
    /// The seed of the run.
    pub seed: u64,
    /// The game's number in the run.
    pub index: u64,
    /// The round of the run.
    pub round: u64,
    /// The number of the pair of games with exchanged colours.
    pub pair: u64,
}

impl MatchGame {
    pub(crate) fn new<G: Game>(
        place: &Place<'_, G>,
        contestants: &[Contestant],
        fixture: &Fixture,
        opening: &OpeningOf<G>,
        (seed, time): (u64, TimeControl),
    ) -> Self {
        let [black, white] = fixture.seats.map(|seat| contestants[seat].clone());
        let names = opening.moves.iter().map(|&mv| place.game.move_name(mv));
        Self {
            game: place.variant.to_string(),
            position: place.position.to_owned(),
            start: place.game.setup(&opening.start).to_string(),
            to_move: place.game.to_move(&opening.start).letter(),
            opening: names.collect(),
            black,
            white,
            time,
            seed,
            index: fixture.index,
            round: fixture.round,
            pair: fixture.pair,
        }
    }

    /// Whether this is a record of this game, by the rules.
    ///
    /// # Errors
    /// If it is not, and why.
    pub fn check(&self, record: &Record) -> Result<(), RunError> {
        let same = (&record.game, &record.position) == (&self.game, &self.position)
            && (record.seed, record.index) == (self.seed, self.index)
            && (record.round, record.pair) == (self.round, self.pair)
            && (record.time, &record.opening) == (self.time, &self.opening)
            && (&record.black, &record.black_agent)
                == (&self.black.name, &Some(self.black.agent.clone()))
            && (&record.white, &record.white_agent)
                == (&self.white.name, &Some(self.white.agent.clone()))
            && record.black_network == self.black.network
            && record.white_network == self.white.network;
        if !same || record.winner.is_none() {
            let what = "it is the record of another game".to_owned();
            return Err(self.refused(what));
        }
        let checked = Referee::new().check(record);
        checked.map_err(|what| self.refused(what))
    }

    fn refused(&self, what: String) -> RunError {
        let index = self.index;
        RunError::Game { index, what }
    }

    /// The agents' specifications, if this machine may play them.
    fn specs(&self) -> Result<[AgentSpec; 2], RunError> {
        let read = |player: &Contestant| {
            let refused = |what: String| RunError::Player {
                name: player.name.clone(),
                what,
            };
            let spec: AgentSpec = player.agent.parse().map_err(sentence).map_err(refused)?;
            if matches!(spec, AgentSpec::Engine(..) | AgentSpec::Human) {
                let what = "jobs start no other programs and ask no people".to_owned();
                return Err(refused(what));
            }
            if spec.network_checksum() != player.network {
                return Err(refused("the network's file is another one".to_owned()));
            }
            Ok(spec)
        };
        Ok([read(&self.black)?, read(&self.white)?])
    }
}

impl Job<Resources> for MatchGame {
    type Output = Record;
    type Error = RunError;

    fn run(&self, resources: &Resources, budget: &Budget) -> Result<Option<Record>, RunError> {
        let specs = self.specs()?;
        let refused = |what| self.refused(what);
        let variant: Variant = self.game.parse().map_err(sentence).map_err(refused)?;
        let setup: Setup = self.start.parse().map_err(sentence).map_err(refused)?;
        let any = AnyGame::open(variant, &Start::Given(setup), Some(self.to_move));
        let any = any.map_err(sentence).map_err(refused)?;
        let contestants = [self.black.clone(), self.white.clone()];
        with_game!(
            &any,
            |game, start| {
                let mut moves = Vec::new();
                let mut at = *start;
                for name in &self.opening {
                    let illegal = || self.refused(format!("the opening's {name} is not legal"));
                    let mv = game.move_named(name).ok_or_else(illegal)?;
                    at = game.play(&at, mv).map_err(|_| illegal())?;
                    moves.push(mv);
                }
                let opening = Opening {
                    start: *start,
                    moves,
                };
                let place = Place {
                    game,
                    start,
                    variant,
                    position: &self.position,
                };
                let team = Team {
                    game,
                    specs: &specs,
                    resources,
                };
                let runner = Runner {
                    place: &place,
                    players: &team,
                    contestants: &contestants,
                    seed: self.seed,
                    time: self.time,
                    recorded: true,
                };
                let fixture = Fixture {
                    index: self.index,
                    round: self.round,
                    pair: self.pair,
                    seats: [Color::Black.index(), Color::White.index()],
                };
                runner.play_one(&fixture, &opening, budget)
            },
            Err(RunError::NotForTwo(variant))
        )
    }
}

/// The games of a match that are still to be played, and the records of those that were.
#[derive(Debug, Default)]
pub struct MatchGames {
    games: BTreeMap<u64, MatchGame>,
    waiting: VecDeque<u64>,
    records: BTreeMap<u64, Record>,
}

impl MatchGames {
    pub(crate) fn new(games: Vec<MatchGame>) -> Self {
        Self {
            waiting: games.iter().map(|game| game.index).collect(),
            games: games.into_iter().map(|game| (game.index, game)).collect(),
            records: BTreeMap::new(),
        }
    }

    /// The games without a record, in their order.
    pub fn missing(&self) -> impl Iterator<Item = &MatchGame> {
        let missing = |game: &&MatchGame| !self.records.contains_key(&game.index);
        self.games.values().filter(missing)
    }

    /// The records that were accepted, in the order of their games.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.records.values()
    }
}

impl Schedule<Resources> for MatchGames {
    type Job = MatchGame;

    fn next(&mut self) -> Option<MatchGame> {
        while let Some(index) = self.waiting.pop_front() {
            if !self.records.contains_key(&index) {
                return self.games.get(&index).cloned();
            }
        }
        None
    }

    fn accept(&mut self, job: &MatchGame, record: Record) -> Result<bool, RunError> {
        if self.games.get(&job.index) != Some(job) {
            return Err(job.refused("it is not a game of this match".to_owned()));
        }
        if self.records.contains_key(&job.index) {
            return Ok(false);
        }
        job.check(&record)?;
        self.records.insert(job.index, record);
        Ok(true)
    }
}
