//! Games that were played: records of matches and tournaments, self-play and tests of AlphaZero.
//!
//! A log of games may be long, so of each line only a few numbers and its place in the file are kept; the moves
//! are read when somebody wants to see them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use upstar_arena::{Contestant, GameResult, Reason, Record, Standings, Winner};
use upstar_runs::LONGEST_LINE;
use upstar_train::alphazero::{LevelGame, Played};

use crate::runs::tail::{Placed, Tail};

/// The most games that one request is answered with.
const MOST_GAMES: usize = 200;

/// Games of one kind in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameSet {
    /// Its name in requests: `games`, `step-12`, `tests-12`.
    pub set: String,
    /// Its name for people.
    pub title: String,
    /// The step that they belong to, if they do.
    pub step: Option<u64>,
}

/// Which games are wanted.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct GameFilter {
    /// Of which set; of the first if it is empty.
    pub set: String,
    /// Only those of this player.
    pub player: String,
    /// Only those against this player too.
    pub opponent: String,
    /// Only those that `x`, `o` or nobody (`draw`) won.
    pub winner: String,
    /// The place of the first one, from 0.
    pub from: usize,
    /// How many.
    pub count: Option<usize>,
}

/// Some games of many.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GamePage {
    /// The set that they are of.
    pub set: String,
    /// How many there are in all.
    pub total: usize,
    /// The place of the first one.
    pub from: usize,
    /// The games.
    pub games: Vec<GameRow>,
    /// Why there are none, if that is known.
    pub remark: Option<String>,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameRow {
    /// Its place in its set, from 0.
    pub place: usize,
    /// Its number in the log, from 0.
    pub index: u64,
    /// The game's name.
    pub game: String,
    /// Where it begins.
    pub position: String,
    /// The side to move there.
    pub to_move: char,
    /// All moves from there, those of the opening too.
    pub moves: Vec<String>,
    /// How many of the moves are the opening's.
    pub opening: usize,
    /// Who played `x`.
    pub black: String,
    /// Who played `o`.
    pub white: String,
    /// `x`, `o`, `draw`, or nothing if it is not finished.
    pub winner: Option<Winner>,
    /// Othello: discs of `x` less those of `o`.
    pub score: Option<i32>,
    /// How it ended.
    pub reason: Reason,
    /// What the players thought, one for each move after the opening, or none at all.
    pub thoughts: Vec<GameThought>,
}

/// What a player thought of its move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameThought {
    /// The proved result for the side that moves: `win`, `draw`, `loss`.
    pub proved: Option<String>,
    /// The result to be expected for it, from −1 to 1.
    pub expected: Option<f64>,
    /// Playouts, simulations or positions that it took.
    pub effort: u64,
    /// How long it took.
    pub seconds: f64,
}

/// Which kind of lines a log of games has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Records.
    Records,
    /// Self-play of AlphaZero in this game.
    SelfPlay(String),
    /// Tests of AlphaZero in this game after this step.
    Tests(String, u64),
}

/// What is kept of a line.
#[derive(Clone, Copy, Debug)]
struct Entry {
    begin: u64,
    seats: [u32; 2],
    winner: Option<Winner>,
    reason: Reason,
    /// Whether it belongs to the set.
    counts: bool,
}

/// The names of players, each once.
#[derive(Debug, Default)]
struct Names {
    players: Vec<Contestant>,
    numbers: HashMap<String, u32>,
}

impl Names {
    fn number(&mut self, name: &str, agent: Option<&str>) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.players.len() as u32;
        let agent = agent.unwrap_or_default().to_owned();
        self.players.push(Contestant {
            name: name.to_owned(),
            agent,
            network: None,
        });
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

/// A log of games that may still grow.
#[derive(Debug)]
pub(crate) struct GameLog {
    path: PathBuf,
    source: Source,
    tail: Tail<Entry>,
    names: Names,
}

/// As much of a record as the table needs.
#[derive(Deserialize)]
struct Head {
    black: String,
    white: String,
    black_agent: Option<String>,
    white_agent: Option<String>,
    winner: Option<Winner>,
    reason: Reason,
}

/// As much of a game of self-play.
#[derive(Deserialize)]
struct PlayedHead {
    black: i32,
    #[serde(rename = "plies")]
    _plies: Vec<IgnoredAny>,
}

impl GameLog {
    pub(crate) fn new(path: PathBuf, source: Source) -> Self {
        Self {
            tail: Tail::new(path.clone()),
            names: Names::default(),
            path,
            source,
        }
    }

    /// Reads what is new.
    pub(crate) fn refresh(&mut self) {
        let (names, source) = (&mut self.names, &self.source);
        self.tail.refresh(|Placed { line, begin }| {
            let wrong = |error: serde_json::Error| error.to_string();
            let (seats, winner, reason, counts) = match source {
                Source::Records => {
                    let head: Head = serde_json::from_slice(line).map_err(wrong)?;
                    let black = names.number(&head.black, head.black_agent.as_deref());
                    let white = names.number(&head.white, head.white_agent.as_deref());
                    ([black, white], head.winner, head.reason, true)
                }
                Source::SelfPlay(_) => {
                    let head: PlayedHead = serde_json::from_slice(line).map_err(wrong)?;
                    let number = names.number(SELF, None);
                    let winner = Winner::of_score(head.black);
                    ([number; 2], Some(winner), Reason::Rules, true)
                }
                Source::Tests(_, step) => {
                    let game: LevelGame = serde_json::from_slice(line).map_err(wrong)?;
                    let [black, white] = seats_of(&game).map(|name| names.number(&name, None));
                    let winner = winner_of(&game);
                    (
                        [black, white],
                        Some(winner),
                        Reason::Rules,
                        game.step == *step,
                    )
                }
            };
            Ok(Entry {
                begin,
                seats,
                winner,
                reason,
                counts,
            })
        });
    }

    /// What is wrong with the log, if something is.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.tail.fault()
    }

    /// Whether the log is there.
    pub(crate) fn exists(&self) -> bool {
        self.path.exists()
    }

    /// How many games there are.
    pub(crate) fn len(&self) -> usize {
        self.tail
            .items()
            .iter()
            .filter(|entry| entry.counts)
            .count()
    }

    /// The table of all finished games.
    pub(crate) fn standings(&self, anchor: Option<&str>, of: Option<u64>) -> Standings {
        let anchor = anchor.and_then(|name| self.names.numbers.get(name));
        let games = self.tail.items().iter().filter_map(|entry| {
            let [black, white] = entry.seats.map(|seat| seat as usize);
            (black != white).then_some(GameResult {
                seats: [black, white],
                winner: entry.winner?,
                reason: entry.reason,
            })
        });
        let of = of.unwrap_or(self.len() as u64);
        let anchor = anchor.map(|&number| number as usize);
        Standings::of_games(&self.names.players, games, anchor, of)
    }

    /// The games that are wanted. A player that is not there has none.
    pub(crate) fn page(&self, filter: &GameFilter) -> Result<GamePage, String> {
        let known = |name: &str| self.names.numbers.get(name).copied().unwrap_or(u32::MAX);
        let [player, opponent] =
            [&filter.player, &filter.opponent].map(|name| (!name.is_empty()).then(|| known(name)));
        let is_wanted = |(_, entry): &(usize, &Entry)| {
            let plays = |player: Option<u32>| player.is_none_or(|it| entry.seats.contains(&it));
            let winner = match entry.winner {
                Some(Winner::Black) => "x",
                Some(Winner::White) => "o",
                Some(Winner::Draw) => "draw",
                None => "none",
            };
            let by_winner = filter.winner.is_empty() || filter.winner == winner;
            plays(player) && plays(opponent) && by_winner
        };
        let set = self.tail.items().iter().filter(|entry| entry.counts);
        let wanted: Vec<(usize, &Entry)> = set.enumerate().filter(is_wanted).collect();
        let count = filter.count.unwrap_or(50).min(MOST_GAMES);
        let chosen = wanted.iter().skip(filter.from).take(count);
        let row = |&(place, entry): &(usize, &Entry)| {
            let row = self.row(entry)?;
            Ok(GameRow { place, ..row })
        };
        let games: Result<Vec<GameRow>, String> = chosen.map(row).collect();
        Ok(GamePage {
            set: filter.set.clone(),
            total: wanted.len(),
            from: filter.from,
            games: games?,
            remark: None,
        })
    }

    fn row(&self, entry: &Entry) -> Result<GameRow, String> {
        let mut line = Vec::new();
        let read = || -> std::io::Result<Vec<u8>> {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(entry.begin))?;
            let reader = BufReader::new(file);
            reader.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
            Ok(line)
        };
        let line = read().map_err(|_| "the log of games cannot be read".to_owned())?;
        let wrong = |error: serde_json::Error| format!("a game cannot be read: {error}");
        match &self.source {
            Source::Records => of_record(serde_json::from_slice(&line).map_err(wrong)?),
            Source::SelfPlay(game) => Ok(of_self_play(
                game,
                serde_json::from_slice(&line).map_err(wrong)?,
            )),
            Source::Tests(game, _) => Ok(of_test(
                game,
                entry.begin,
                serde_json::from_slice(&line).map_err(wrong)?,
            )),
        }
    }
}

/// The name of both players of self-play.
const SELF: &str = "network";

fn seats_of(game: &LevelGame) -> [String; 2] {
    let other = format!("mcts:{}", game.simulations);
    match game.network {
        'x' => [SELF.to_owned(), other],
        _ => [other, SELF.to_owned()],
    }
}

fn winner_of(game: &LevelGame) -> Winner {
    Winner::of_score(match game.network {
        'x' => game.result,
        _ => -game.result,
    })
}

fn of_record(record: Record) -> Result<GameRow, String> {
    let (position, to_move) = record.before_opening()?;
    let thoughts = record.thoughts.into_iter().map(|thought| GameThought {
        proved: thought.proved.map(|proved| proved.to_string()),
        expected: thought.expected,
        effort: thought.effort,
        seconds: thought.seconds,
    });
    Ok(GameRow {
        place: 0,
        index: record.index,
        game: record.game,
        position,
        to_move,
        opening: record.opening.len(),
        moves: [record.opening, record.moves].concat(),
        black: record.black,
        white: record.white,
        winner: record.winner,
        score: record.score,
        reason: record.reason,
        thoughts: thoughts.collect(),
    })
}

fn of_self_play(game: &str, played: Played) -> GameRow {
    let thoughts = played.plies.iter().map(|ply| GameThought {
        proved: ply.exact.map(|exact| {
            let word = match exact {
                1.. => "win",
                0 => "draw",
                _ => "loss",
            };
            word.to_owned()
        }),
        expected: Some(f64::from(ply.value)),
        effort: 0,
        seconds: 0.0,
    });
    let thoughts = thoughts.collect();
    let opening = played.opening.len();
    let moves = played.opening.into_iter();
    GameRow {
        place: 0,
        index: played.game,
        game: game.to_owned(),
        position: played.board,
        to_move: 'x',
        moves: moves
            .chain(played.plies.into_iter().map(|ply| ply.mv))
            .collect(),
        opening,
        black: SELF.to_owned(),
        white: SELF.to_owned(),
        winner: Some(Winner::of_score(played.black)),
        score: None,
        reason: Reason::Rules,
        thoughts,
    }
}

fn of_test(game: &str, index: u64, played: LevelGame) -> GameRow {
    let [black, white] = seats_of(&played);
    GameRow {
        place: 0,
        index,
        game: game.to_owned(),
        winner: Some(winner_of(&played)),
        position: played.board,
        to_move: 'x',
        moves: played.moves,
        opening: 0,
        black,
        white,
        score: None,
        reason: Reason::Rules,
        thoughts: Vec::new(),
    }
}
