//! What can be asked, read from JSON with sentences about what is wrong.

use std::time::Duration;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use upstar_agents::Limit;
use upstar_games::excerpt;

use crate::lines::LONGEST;
use crate::refusal::Refusal;

pub(super) const COMMANDS: [&str; 12] = [
    "hello", "ping", "position", "legal", "play", "undo", "solve", "moves", "analyse", "choose",
    "cancel", "quit",
];

/// A request before its arguments are looked at.
pub(super) struct Request {
    pub(super) id: Value,
    pub(super) command: String,
    rest: Map<String, Value>,
}

/// A refusal, and to what.
pub(super) struct Refused {
    pub(super) id: Value,
    pub(super) why: Refusal,
    pub(super) right: Value,
}

impl Request {
    pub(super) fn read(line: &str) -> Result<Self, Refused> {
        let refused = |id: Value, sentence: String| Refused {
            id,
            why: Refusal(sentence),
            right: right("hello"),
        };
        let Ok(Value::Object(mut rest)) = serde_json::from_str(line) else {
            let sentence = "the line is no JSON object".to_owned();
            return Err(refused(Value::Null, sentence));
        };
        let id = rest.remove("id").unwrap_or_default();
        let command = match rest.remove("command") {
            Some(Value::String(command)) => command,
            Some(_) => return Err(refused(id, "the command is no text".to_owned())),
            None => return Err(refused(id, "there is no command".to_owned())),
        };
        if !COMMANDS.contains(&&command[..]) {
            let sentence = format!(
                "'{}' is no command; there are {}",
                excerpt(&command),
                COMMANDS.join(", ")
            );
            return Err(refused(id, sentence));
        }
        Ok(Self { id, command, rest })
    }

    pub(super) fn too_long() -> Refused {
        Refused {
            id: Value::Null,
            why: Refusal(format!("a line is longer than {LONGEST} bytes")),
            right: right("hello"),
        }
    }

    /// The arguments of the command.
    pub(super) fn arguments<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        serde_json::from_value(Value::Object(self.rest.clone())).map_err(Refusal::new)
    }

    pub(super) fn refused(&self, why: Refusal) -> Refused {
        Refused {
            id: self.id.clone(),
            why,
            right: right(&self.command),
        }
    }
}

/// A command as it should be.
pub(super) fn right(command: &str) -> Value {
    match command {
        "position" => json!({"id": 1, "command": command, "game": "clobber", "position": "4x5"}),
        "play" => json!({"id": 1, "command": command, "move": "a1b1"}),
        "solve" | "moves" => {
            json!({"id": 1, "command": command, "exact": true, "memory": "512M", "time_limit": "10s"})
        }
        "analyse" => {
            json!({"id": 1, "command": command, "agent": "mcts:1000,c=0.7", "simulations": 10_000, "every": "1s"})
        }
        "choose" => json!({"id": 1, "command": command, "agent": "mcts:1000"}),
        _ => json!({"id": 1, "command": command}),
    }
}

/// A command that takes nothing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    pub(super) game: String,
    pub(super) position: String,
    pub(super) to_move: Option<String>,
    #[serde(default)]
    pub(super) moves: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Play {
    pub(super) r#move: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Exact {
    #[serde(default, deserialize_with = "time")]
    pub(super) time_limit: Option<Duration>,
    pub(super) nodes: Option<u64>,
    #[serde(default, deserialize_with = "memory")]
    pub(super) memory: Option<usize>,
    pub(super) exact: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Analyse {
    pub(super) agent: Option<String>,
    pub(super) simulations: Option<u64>,
    #[serde(default, deserialize_with = "time")]
    pub(super) time: Option<Duration>,
    #[serde(default, deserialize_with = "time")]
    pub(super) every: Option<Duration>,
    pub(super) seed: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Choose {
    pub(super) agent: String,
    pub(super) seed: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cancel {
    pub(super) target: Option<Value>,
}

/// A number, or a text with a unit.
#[derive(Deserialize)]
#[serde(untagged)]
enum Quantity {
    Number(f64),
    Text(String),
}

/// Reads seconds, or a time like 500ms.
fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    let wrong =
        || D::Error::custom("a time is seconds or a text like \"500ms\", from 1 ms to 24 h");
    let quantity = Option::<Quantity>::deserialize(from).map_err(|_| wrong())?;
    let time = match quantity {
        None => return Ok(None),
        Some(Quantity::Number(seconds)) => Duration::try_from_secs_f64(seconds).ok(),
        Some(Quantity::Text(text)) => match text.parse() {
            Ok(Limit::Time(time)) => Some(time),
            _ => None,
        },
    };
    let possible = Duration::from_millis(1)..=Limit::LONGEST;
    let time = time.filter(|time| possible.contains(time));
    time.map(Some).ok_or_else(wrong)
}

/// Reads bytes, or a size like 512M.
fn memory<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    let wrong = || D::Error::custom("memory is bytes or a text like \"512M\", from 32M to 1000G");
    let quantity = Option::<Quantity>::deserialize(from).map_err(|_| wrong())?;
    let units = [("K", 10), ("M", 20), ("G", 30)];
    let bytes = match quantity {
        None => return Ok(None),
        Some(Quantity::Number(bytes)) => Some(bytes),
        Some(Quantity::Text(text)) => units.into_iter().find_map(|(unit, shift)| {
            let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
            Some(number * f64::from(1u32 << shift))
        }),
    };
    let possible = f64::from(32u32 << 20)..=1000.0 * f64::from(1u32 << 30);
    let bytes = bytes.filter(|bytes| possible.contains(bytes));
    bytes.map(|bytes| Some(bytes as usize)).ok_or_else(wrong)
}
