//! A tournament as its file describes it, in TOML:
//!
//! ```toml
//! game = "clobber"
//! position = ["6x6", "8x8"]   # one or several; x or o to move may follow: "xox|oxo o"
//! kind = "round-robin"        # or "gauntlet": the first player against all others
//! games = 100                 # for each two players at each position
//! swap = true                 # pairs with the same opening and exchanged colours
//! openings = 4                # random plies, or a file: "openings.txt"
//! seed = 2015
//! threads = 2
//! time = "60s+1s"
//! anchor = "chance"           # the player whose rating is 0
//!
//! [[players]]
//! name = "chance"
//! agent = "random"
//!
//! [[players]]
//! name = "uct"
//! agent = "mcts:1000"
//! ```

mod error;

pub use error::ConfigError;

use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use toml::Value;
use upstar_agents::AgentSpec;
use upstar_games::{AnyGame, Random, Variant, excerpt};

use crate::clock::TimeControl;
use crate::openings::{MOST_PLIES, Openings};
use crate::record::{no_game_for_two, start_and_side};
use crate::runner::Contestant;
use upstar_jobs::MOST_THREADS;

/// The most players, positions and games for two players that a tournament has, and the longest file.
const MOST_PLAYERS: usize = 200;
const MOST_POSITIONS: usize = 1000;
const MOST_GAMES: u64 = 10_000_000;
const LONGEST_FILE: u64 = 16 << 20;

/// What is played in a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The game.
    pub game: Variant,
    /// Where it begins, as the file says, one after the other.
    pub positions: Vec<String>,
    /// Who meets whom.
    pub kind: TournamentFormat,
    /// How many games each two players have at each position.
    pub games: u64,
    /// Whether colours are exchanged; else the one who is listed first is always Black.
    pub swap: bool,
    /// How games begin.
    pub openings: Openings,
    /// The seed of all randomness.
    pub seed: u64,
    /// How many games are played at the same time.
    pub threads: usize,
    /// The time that players have.
    pub time: TimeControl,
    /// The player whose rating is 0; else the mean is.
    pub anchor: Option<usize>,
    /// Who plays.
    pub players: Vec<Contestant>,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentFormat {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

/// The file as it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    game: Value,
    position: Value,
    kind: Option<Value>,
    games: Value,
    swap: Option<Value>,
    openings: Option<Value>,
    seed: Option<Value>,
    threads: Option<Value>,
    time: Option<Value>,
    anchor: Option<Value>,
    players: Vec<Player>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Player {
    name: Option<String>,
    agent: String,
}

impl Config {
    /// Reads a tournament's file, and the file of openings if it names one: that is looked for beside
    /// it.
    ///
    /// # Errors
    /// If a file cannot be read, or does not describe a tournament.
    pub fn read(path: &Path) -> Result<(Self, String), ConfigError> {
        let text = read_text(path).map_err(|what| ConfigError::file(path, what))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let config = Self::parse(&text, |name| read_text(&folder.join(name)));
        let config = config.map_err(|error| error.in_file(path))?;
        Ok((config, text))
    }

    /// Reads the text of a tournament's file; `openings` finds the file of openings that it names.
    ///
    /// # Errors
    /// If it does not describe a tournament.
    pub fn parse(
        text: &str,
        openings: impl FnOnce(&str) -> Result<String, String>,
    ) -> Result<Self, ConfigError> {
        let page: Page = toml::from_str(text).map_err(|error| ConfigError::syntax(text, &error))?;
        let players = players(&page.players)?;
        let game = game(&page.game)?;
        let config = Self {
            game,
            positions: positions(game, &page.position)?,
            kind: kind(page.kind.as_ref())?,
            games: number("games", &page.games, 1..=MOST_GAMES, "games = 100")?,
            swap: match page.swap {
                None => true,
                Some(Value::Boolean(swap)) => swap,
                Some(_) => {
                    return Err(ConfigError::key(
                        "swap",
                        "it is true or false",
                        "swap = true",
                    ));
                }
            },
            openings: match page.openings {
                None => Openings::None,
                Some(Value::String(name)) => {
                    let text = openings(&name).map_err(|what| {
                        let what = format!("'{}': {what}", excerpt(&name));
                        ConfigError::key("openings", &what, OPENINGS)
                    })?;
                    Openings::Listed(text)
                }
                Some(value) => {
                    let plies = number("openings", &value, 0..=MOST_PLIES.into(), OPENINGS)?;
                    Openings::Random(plies as u32)
                }
            },
            seed: match &page.seed {
                None => Random::DEFAULT_SEED,
                Some(value) => number("seed", value, 0..=u64::MAX >> 1, "seed = 2015")?,
            },
            threads: match &page.threads {
                None => 1,
                Some(value) => {
                    number("threads", value, 1..=MOST_THREADS as u64, "threads = 2")? as usize
                }
            },
            time: time(page.time.as_ref())?,
            anchor: anchor(page.anchor.as_ref(), &players)?,
            players,
        };
        Ok(config)
    }

    /// Whether both describe the same games: only the number of threads may differ.
    #[must_use]
    pub fn same_games(&self, other: &Self) -> bool {
        let threads = other.threads;
        let same = Self {
            threads,
            ..self.clone()
        };
        same == *other
    }

    /// The game at one of its positions.
    ///
    /// # Errors
    /// If it cannot begin there.
    pub fn open(&self, position: usize) -> Result<AnyGame, ConfigError> {
        open(self.game, &self.positions[position])
    }

    /// Who meets whom, in order.
    #[must_use]
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let players = self.players.len();
        match self.kind {
            TournamentFormat::Gauntlet => (1..players).map(|other| [0, other]).collect(),
            TournamentFormat::RoundRobin => (0..players)
                .flat_map(|first| (first + 1..players).map(move |second| [first, second]))
                .collect(),
        }
    }
}

const OPENINGS: &str = "openings = 4 or openings = \"openings.txt\"";
const PLAYERS: &str = "[[players]] with name = \"uct\" and agent = \"mcts:1000\", twice or more";

/// The text of a file that is no longer than any needs to be.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let read = file.take(LONGEST_FILE + 1).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err(format!("it has more than {LONGEST_FILE} bytes"));
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}

fn number(
    key: &'static str,
    value: &Value,
    range: std::ops::RangeInclusive<u64>,
    example: &'static str,
) -> Result<u64, ConfigError> {
    let found = value
        .as_integer()
        .and_then(|number| u64::try_from(number).ok());
    found
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            let (least, most) = range.into_inner();
            let what = format!(
                "{} is not a number from {least} to {most}",
                excerpt(&value.to_string())
            );
            ConfigError::key(key, &what, example)
        })
}

fn game(value: &Value) -> Result<Variant, ConfigError> {
    let refused = |what: &str| ConfigError::key("game", what, "game = \"clobber\"");
    let name = value.as_str().ok_or_else(|| refused("it is a text"))?;
    name.parse().map_err(|error| refused(&format!("{error}")))
}

fn positions(game: Variant, value: &Value) -> Result<Vec<String>, ConfigError> {
    let refused = |what: &str| {
        let example = format!("position = \"{}\"", game.example());
        ConfigError::key("position", what, &example)
    };
    let texts = match value {
        Value::Array(values) => values.iter().collect(),
        single => vec![single],
    };
    if !(1..=MOST_POSITIONS).contains(&texts.len()) {
        return Err(refused(&format!(
            "there are 1 to {MOST_POSITIONS} positions"
        )));
    }
    let mut positions: Vec<String> = Vec::new();
    for text in texts {
        let text = text
            .as_str()
            .ok_or_else(|| refused("a position is a text"))?;
        open(game, text)?;
        if positions.iter().any(|other| other == text) {
            return Err(refused(&format!("'{}' is there twice", excerpt(text))));
        }
        positions.push(text.to_owned());
    }
    Ok(positions)
}

fn open(game: Variant, position: &str) -> Result<AnyGame, ConfigError> {
    let refused = |what: &dyn fmt::Display| {
        let example = format!("position = \"{}\"", game.example());
        ConfigError::key("position", &what.to_string(), &example)
    };
    // A side to move may follow, as in the lists of openings.
    let (start, side) = start_and_side(position).map_err(|error| refused(&error))?;
    let any = AnyGame::open(game, &start, side).map_err(|error| refused(&error))?;
    if game.is_for_two() {
        Ok(any)
    } else {
        let what = no_game_for_two(&game.to_string());
        Err(ConfigError::key("game", &what, "game = \"clobber\""))
    }
}

fn kind(value: Option<&Value>) -> Result<TournamentFormat, ConfigError> {
    match value.map(|value| value.as_str().unwrap_or_default()) {
        None | Some("round-robin") => Ok(TournamentFormat::RoundRobin),
        Some("gauntlet") => Ok(TournamentFormat::Gauntlet),
        Some(other) => {
            let what = format!("'{}' is neither round-robin nor gauntlet", excerpt(other));
            Err(ConfigError::key("kind", &what, "kind = \"round-robin\""))
        }
    }
}

fn time(value: Option<&Value>) -> Result<TimeControl, ConfigError> {
    let Some(value) = value else {
        return Ok(TimeControl::NONE);
    };
    let text = value.as_str().unwrap_or_default();
    text.parse().map_err(|error| {
        let what = format!("{error}");
        ConfigError::key("time", &what, "time = \"60s+1s\"")
    })
}

fn anchor(value: Option<&Value>, players: &[Contestant]) -> Result<Option<usize>, ConfigError> {
    let Some(value) = value else {
        return Ok(None);
    };
    let name = value.as_str().unwrap_or_default();
    let place = players.iter().position(|player| player.name == name);
    place.map(Some).ok_or_else(|| {
        let what = format!("'{}' is not a player", excerpt(name));
        let example = format!("anchor = \"{}\"", excerpt(&players[0].name));
        ConfigError::key("anchor", &what, &example)
    })
}

fn players(listed: &[Player]) -> Result<Vec<Contestant>, ConfigError> {
    if !(2..=MOST_PLAYERS).contains(&listed.len()) {
        let what = format!("there are {}, and 2 to {MOST_PLAYERS} can be", listed.len());
        return Err(ConfigError::key("players", &what, PLAYERS));
    }
    let mut names = HashSet::new();
    let mut players = Vec::new();
    for player in listed {
        let spec: AgentSpec = player.agent.parse().map_err(|error| {
            let what = format!("agent: {error}");
            ConfigError::key("players", &what, PLAYERS)
        })?;
        let agent = spec.to_string();
        let name = player.name.clone().unwrap_or_else(|| agent.clone());
        if name.trim().is_empty() || name.len() > 100 {
            let what = "a name has 1 to 100 bytes";
            return Err(ConfigError::key("players", what, PLAYERS));
        }
        if !names.insert(name.clone()) {
            let what = format!(
                "two players are called '{}'; names tell them apart",
                excerpt(&name)
            );
            return Err(ConfigError::key("players", &what, PLAYERS));
        }
        players.push(Contestant::new(name, agent));
    }
    Ok(players)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: &str = r#"
game = "clobber"
position = "4x4"
games = 10

[[players]]
name = "a"
agent = "random"

[[players]]
agent = "pick-first"
"#;

    fn parse(text: &str) -> Result<Config, ConfigError> {
        Config::parse(text, |name| match name {
            "list" => Ok("a1a2".to_owned()),
            _ => Err("there is no such file".to_owned()),
        })
    }

    #[test]
    fn a_file_is_read() {
        let config = parse(RIGHT).unwrap();
        assert_eq!(config.positions, ["4x4"]);
        assert!(config.swap);
        assert_eq!(
            (config.seed, config.threads, config.kind),
            (2015, 1, TournamentFormat::RoundRobin)
        );
        assert_eq!(config.players[1].name, "pick-first");
        let more = format!(
            "kind = \"gauntlet\"\nopenings = \"list\"\ntime = \"1m+1s\"\nanchor = \"a\"\nthreads = 7{RIGHT}"
        );
        let other = parse(&more).unwrap();
        assert_eq!(other.openings, Openings::Listed("a1a2".to_owned()));
        assert_eq!(other.anchor, Some(0));
        assert!(!config.same_games(&other));
        let threads = parse(&format!("threads = 7{RIGHT}")).unwrap();
        assert!(config.same_games(&threads));
    }

    /// The file of this page's head, but for an agent that not every version has.
    #[test]
    fn the_example_is_right() {
        let page = include_str!("config.rs").lines().skip(2);
        let lines = page
            .take_while(|line| *line != "//! ```")
            .filter_map(|line| line.strip_prefix("//! ").filter(|line| *line != "```toml"));
        let text = lines
            .collect::<Vec<_>>()
            .join("\n")
            .replace("mcts:1000", "random");
        let config = parse(&text).unwrap();
        assert_eq!(config.positions.len(), 2);
        assert_eq!(config.openings, Openings::Random(4));
    }

    #[test]
    fn who_meets_whom() {
        let third = format!("{RIGHT}\n[[players]]\nname = \"c\"\nagent = \"random\"\n");
        let config = parse(&third).unwrap();
        assert_eq!(config.pairings(), [[0, 1], [0, 2], [1, 2]]);
        let gauntlet = parse(&format!("kind = \"gauntlet\"{third}")).unwrap();
        assert_eq!(gauntlet.pairings(), [[0, 1], [0, 2]]);
    }

    #[test]
    fn errors_name_the_key_and_show_an_example() {
        let check = |from: &str, to: &str, sentence: &str| {
            let text = RIGHT.replacen(from, to, 1);
            assert_ne!(text, RIGHT);
            assert_eq!(parse(&text).unwrap_err().to_string(), sentence);
        };
        check(
            "games = 10",
            "",
            "missing field `games` (right is games = 100)",
        );
        check(
            "games = 10",
            "games = 0",
            "games: 0 is not a number from 1 to 10000000 (right is games = 100)",
        );
        check(
            "games = 10",
            "games = 10\ngamse = 3",
            "line 5: unknown field `gamse`, expected one of `game`, `position`, `kind`, `games`, `swap`, \
             `openings`, `seed`, `threads`, `time`, `anchor`, `players` (right is a file with game, \
             position, games and players)",
        );
        check(
            "games = 10",
            "games = 10\ntime = \"fast\"",
            "time: 'fast' is not a time control, like 100ms/move, 60s+1s, 5m or none (right is time = \
             \"60s+1s\")",
        );
        check(
            "games = 10",
            "games = 10\nswap = 1",
            "swap: it is true or false (right is swap = true)",
        );
        check(
            "games = 10",
            "games = 10\nopenings = \"none.txt\"",
            "openings: 'none.txt': there is no such file (right is openings = 4 or openings = \
             \"openings.txt\")",
        );
        check(
            "games = 10",
            "games = 10\nkind = \"swiss\"",
            "kind: 'swiss' is neither round-robin nor gauntlet (right is kind = \"round-robin\")",
        );
        check(
            "4x4",
            "4y4",
            "position: '4y4' is not a size ROWSxCOLS (right is position = \"5x6\")",
        );
        check(
            "\"clobber\"",
            "\"clobber:solitaire\"",
            "game: clobber:solitaire is not a game of two players (right is game = \"clobber\")",
        );
        check(
            "\"pick-first\"",
            "\"random\"\nname = \"a\"",
            "players: two players are called 'a'; names tell them apart (right is [[players]] with name = \
             \"uct\" and agent = \"mcts:1000\", twice or more)",
        );
        let unknown = RIGHT.replace("pick-first", "magic");
        assert!(
            parse(&unknown)
                .unwrap_err()
                .to_string()
                .starts_with("players: agent: ")
        );
        assert!(parse("").is_err());
        assert!(
            parse("game = [")
                .unwrap_err()
                .to_string()
                .starts_with("line 1: ")
        );
    }
}
