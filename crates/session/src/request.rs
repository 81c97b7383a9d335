//! What can be asked of a session, and how that is written in JSON: one object with a `command`, its
//! arguments, and an `id`, which comes back with every event about it.

use std::time::Duration;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use upstar_agents::puct::DEFAULT;
use upstar_agents::{AgentSpec, AlphaZero, Limit};
use upstar_games::excerpt;

use crate::game_tree::NodeId;
use crate::refusal::Refusal;

/// All commands by name.
pub const COMMANDS: [&str; 21] = [
    "hello",
    "ping",
    "position",
    "edit",
    "legal",
    "play",
    "undo",
    "redo",
    "variations",
    "go",
    "delete",
    "promote",
    "solve",
    "moves",
    "value",
    "analyse",
    "review",
    "network",
    "choose",
    "cancel",
    "quit",
];

/// Something asked of a session.
#[derive(Clone, Debug)]
pub struct Request {
    /// Any value; events about this request have the same.
    pub id: Value,
    /// What to do.
    pub command: Command,
}

/// What a session can do.
#[derive(Clone, Debug)]
pub enum Command {
    /// Tell who is there.
    Hello,
    /// Answer at once.
    Ping,
    /// Begin a game.
    Position(Opening),
    /// Begin with a changed board.
    Edit(Edit),
    /// List the legal moves.
    Legal,
    /// Make this move.
    Play(String),
    /// Go back a move.
    Undo,
    /// Go forward again.
    Redo,
    /// List all variations.
    Variations,
    /// Go to a position of the variations.
    Go(NodeId),
    /// Delete a position and all that follows it.
    Delete(NodeId),
    /// Make the line to a position the main one.
    Promote(NodeId),
    /// Begin a job, which takes time.
    Job(Job),
    /// End a job, or all of them.
    Cancel(Option<Value>),
    /// End the session.
    Quit,
}

/// What takes time: it runs beside everything else, tells how far it is, and can be cancelled.
#[derive(Clone, Debug)]
pub enum Job {
    /// Prove who wins.
    Solve(Exact),
    /// Prove the result of every move.
    Moves(Exact),
    /// Find the combinatorial value of a Clobber position.
    Value(Valuation),
    /// Tell what is known of every move: proved, bounded or estimated.
    Analyse(Analyse),
    /// Find the mistakes of the game that led here.
    Review(ReviewRequest),
    /// Ask a network alone, without search.
    Network(NetworkRequest),
    /// Ask an agent for a move.
    Choose(Choose),
}

/// Where a game begins.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The game: `clobber`, `othello:reversi`, …
    pub game: String,
    /// A size, a position text, `random:…`, or a graph.
    pub position: String,
    /// The side to move: `x`, `o`, `black` or `white`.
    pub to_move: Option<String>,
    /// Moves to play from there.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// Changes of the board in front of us, from which a new game begins.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// What is to stand on a cell: `x`, `o`, or `.` for nothing.
    #[serde(default)]
    pub cells: BTreeMap<String, String>,
    /// The side to move; without it the same as before.
    pub to_move: Option<String>,
}

/// What is to be proved, within which limits.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exact {
    /// The most time.
    #[serde(default, deserialize_with = "time")]
    pub time_limit: Option<Duration>,
    /// The most positions.
    pub nodes: Option<u64>,
    /// The most memory for tables, in bytes.
    #[serde(default, deserialize_with = "memory")]
    pub memory: Option<usize>,
    /// Whether the score is asked for and not only the winner.
    pub exact: Option<bool>,
}

/// How a value is looked for and written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Valuation {
    /// The most time.
    #[serde(default, deserialize_with = "time")]
    pub time_limit: Option<Duration>,
    /// The most characters of a name; longer ones are cut.
    pub name_length: Option<usize>,
    /// Whether canonical forms, other notations, thermographs and cells are asked for.
    #[serde(default)]
    pub detail: bool,
}

/// How to analyse.
#[derive(Clone, Debug, Default)]
pub struct Analyse {
    /// An agent whose search is watched, without the solver; `None` for the solver and the best estimates
    /// that the program has.
    pub agent: Option<AgentSpec>,
    /// The most simulations; then the solver is not asked either.
    pub simulations: Option<u64>,
    /// The most time.
    pub time: Option<Duration>,
    /// How often to tell what is known.
    pub every: Option<Duration>,
    /// How many moves to tell of; in Othello as many are searched to the full depth.
    pub multi: Option<usize>,
    /// Makes chance repeat.
    pub seed: Option<u64>,
}

/// How to review a game.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    /// The time for each position; a second if nothing is said.
    #[serde(default, deserialize_with = "time")]
    pub time: Option<Duration>,
}

/// Which network to ask.
#[derive(Clone, Debug)]
pub struct NetworkRequest {
    /// The agent that searches with it; the network that comes with the program if nothing is said.
    pub network: AlphaZero,
}

/// Whom to ask for a move.
#[derive(Clone, Debug)]
pub struct Choose {
    /// The agent.
    pub agent: AgentSpec,
    /// Makes chance repeat.
    pub seed: Option<u64>,
    /// The most time, whatever the agent's own limit is.
    pub time: Option<Duration>,
}

/// A request that is not carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// The id of the request.
    pub id: Value,
    /// Why not.
    pub why: Refusal,
    /// A request as it should be.
    pub right: Value,
}

impl Request {
    /// Reads a request from JSON.
    ///
    /// # Errors
    /// If it is not a request, with a sentence and an example.
    pub fn read(text: &str) -> Result<Self, Refused> {
        let refused = |id: Value, sentence: String| Refused {
            id,
            why: Refusal(sentence),
            right: right("hello"),
        };
        let Ok(Value::Object(mut rest)) = serde_json::from_str(text) else {
            let sentence = "the line is not a JSON object".to_owned();
            return Err(refused(Value::Null, sentence));
        };
        let id = rest.remove("id").unwrap_or_default();
        let name = match rest.remove("command") {
            Some(Value::String(name)) => name,
            Some(_) => return Err(refused(id, "the command is not a text".to_owned())),
            None => return Err(refused(id, "there is no command".to_owned())),
        };
        match Command::read(&name, rest) {
            Ok(Some(command)) => Ok(Self { id, command }),
            Ok(None) => {
                let all = COMMANDS.join(", ");
                let name = excerpt(&name);
                let sentence = format!("'{name}' is not a command; there are {all}");
                Err(refused(id, sentence))
            }
            Err(why) => Err(Refused {
                id,
                why,
                right: right(&name),
            }),
        }
    }

    /// The refusal of this request.
    #[must_use]
    pub fn refused(&self, why: Refusal) -> Refused {
        Refused {
            id: self.id.clone(),
            why,
            right: right(self.command.name()),
        }
    }
}

impl Command {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hello => "hello",
            Self::Ping => "ping",
            Self::Position(_) => "position",
            Self::Edit(_) => "edit",
            Self::Legal => "legal",
            Self::Play(_) => "play",
            Self::Undo => "undo",
            Self::Redo => "redo",
            Self::Variations => "variations",
            Self::Go(_) => "go",
            Self::Delete(_) => "delete",
            Self::Promote(_) => "promote",
            Self::Job(Job::Solve(_)) => "solve",
            Self::Job(Job::Moves(_)) => "moves",
            Self::Job(Job::Value(_)) => "value",
            Self::Job(Job::Analyse(_)) => "analyse",
            Self::Job(Job::Review(_)) => "review",
            Self::Job(Job::Network(_)) => "network",
            Self::Job(Job::Choose(_)) => "choose",
            Self::Cancel(_) => "cancel",
            Self::Quit => "quit",
        }
    }

    /// The command of this name; `None` if there is none.
    fn read(name: &str, rest: Map<String, Value>) -> Result<Option<Self>, Refusal> {
        fn from<T: DeserializeOwned>(rest: Map<String, Value>) -> Result<T, Refusal> {
            serde_json::from_value(Value::Object(rest)).map_err(Refusal::new)
        }
        let alone = |command: Self| move |Nothing {}| command;
        let node = |Place { node }: Place| node;
        Ok(Some(match name {
            "hello" => from(rest).map(alone(Self::Hello))?,
            "ping" => from(rest).map(alone(Self::Ping))?,
            "position" => Self::Position(from(rest)?),
            "edit" => Self::Edit(from(rest)?),
            "legal" => from(rest).map(alone(Self::Legal))?,
            "play" => Self::Play(from::<Play>(rest)?.r#move),
            "undo" => from(rest).map(alone(Self::Undo))?,
            "redo" => from(rest).map(alone(Self::Redo))?,
            "variations" => from(rest).map(alone(Self::Variations))?,
            "go" => Self::Go(from(rest).map(node)?),
            "delete" => Self::Delete(from(rest).map(node)?),
            "promote" => Self::Promote(from(rest).map(node)?),
            "solve" => Self::Job(Job::Solve(from(rest)?)),
            "moves" => Self::Job(Job::Moves(from(rest)?)),
            "value" => Self::Job(Job::Value(from(rest)?)),
            "analyse" => Self::Job(Job::Analyse(from::<AnalyseText>(rest)?.try_into()?)),
            "review" => Self::Job(Job::Review(from(rest)?)),
            "network" => Self::Job(Job::Network(from::<NetworkText>(rest)?.try_into()?)),
            "choose" => {
                let ChooseText { agent, seed, time } = from(rest)?;
                let agent = agent.parse().map_err(Refusal::new)?;
                Self::Job(Job::Choose(Choose { agent, seed, time }))
            }
            "cancel" => Self::Cancel(from::<Cancel>(rest)?.target),
            "quit" => from(rest).map(alone(Self::Quit))?,
            _ => return Ok(None),
        }))
    }
}

/// A request with this command as it should be.
#[must_use]
pub fn right(command: &str) -> Value {
    match command {
        "position" => json!({"id": 1, "command": command, "game": "clobber", "position": "4x5"}),
        "edit" => {
            json!({"id": 1, "command": command, "cells": {"a1": "x", "b1": "."}, "to_move": "o"})
        }
        "play" => json!({"id": 1, "command": command, "move": "a1b1"}),
        "go" | "delete" | "promote" => json!({"id": 1, "command": command, "node": 1}),
        "solve" | "moves" => {
            json!({"id": 1, "command": command, "exact": true, "memory": "512M", "time_limit": "10s"})
        }
        "value" => json!({"id": 1, "command": command, "time_limit": "10s"}),
        "analyse" => {
            json!({"id": 1, "command": command, "time": "5s", "every": "1s", "multi": 3})
        }
        "review" => json!({"id": 1, "command": command, "time": "1s"}),
        "choose" => json!({"id": 1, "command": command, "agent": "mcts:1000"}),
        _ => json!({"id": 1, "command": command}),
    }
}

/// A command that takes nothing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Play {
    r#move: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    node: NodeId,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cancel {
    target: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChooseText {
    agent: String,
    seed: Option<u64>,
    #[serde(default, deserialize_with = "time")]
    time: Option<Duration>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnalyseText {
    agent: Option<String>,
    simulations: Option<u64>,
    #[serde(default, deserialize_with = "time")]
    time: Option<Duration>,
    #[serde(default, deserialize_with = "time")]
    every: Option<Duration>,
    multi: Option<usize>,
    seed: Option<u64>,
}

impl TryFrom<AnalyseText> for Analyse {
    type Error = Refusal;

    fn try_from(text: AnalyseText) -> Result<Self, Refusal> {
        let agent = text.agent.map(|agent| agent.parse::<AgentSpec>());
        let agent = agent.transpose().map_err(Refusal::new)?;
        if let Some(other) = &agent
            && !matches!(
                other,
                AgentSpec::Mcts(_) | AgentSpec::AlphaZero(_) | AgentSpec::Best(_)
            )
        {
            let sentence =
                format!("{other} cannot be watched; analyse takes mcts:…, az:… and best");
            return Err(Refusal(sentence));
        }
        Ok(Self {
            agent,
            simulations: text.simulations,
            time: text.time,
            every: text.every,
            multi: text.multi,
            seed: text.seed,
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NetworkText {
    agent: Option<String>,
}

impl TryFrom<NetworkText> for NetworkRequest {
    type Error = Refusal;

    fn try_from(text: NetworkText) -> Result<Self, Refusal> {
        let agent = text.agent.unwrap_or_else(|| format!("az:{DEFAULT}"));
        match agent.parse().map_err(Refusal::new)? {
            AgentSpec::AlphaZero(network) => Ok(Self { network }),
            other => Err(Refusal(format!(
                "{other} has no policy; network takes az:…"
            ))),
        }
    }
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
        Some(Quantity::Text(text)) => upstar_jobs::quantity::duration(&text).ok(),
    };
    let possible = Duration::from_millis(1)..=Limit::LONGEST;
    let time = time.filter(|time| possible.contains(time));
    time.map(Some).ok_or_else(wrong)
}

/// Reads bytes, or a size like 512M.
fn memory<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    use upstar_jobs::quantity::{self, LEAST_MEMORY, MOST_MEMORY};
    let wrong = || D::Error::custom("memory is bytes or a text like \"512M\", from 32M to 1000G");
    let quantity = Option::<Quantity>::deserialize(from).map_err(|_| wrong())?;
    let possible = LEAST_MEMORY as f64..=MOST_MEMORY as f64;
    let bytes = match quantity {
        None => return Ok(None),
        Some(Quantity::Number(bytes)) => possible.contains(&bytes).then_some(bytes as usize),
        Some(Quantity::Text(text)) => quantity::memory(&text).ok(),
    };
    bytes.map(Some).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_of_a_right_request_is_read() {
        for command in COMMANDS {
            let text = right(command).to_string();
            let request = Request::read(&text).unwrap_or_else(|refused| panic!("{refused:?}"));
            assert_eq!(request.command.name(), command);
            assert_eq!(request.id, json!(1));
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_an_example() {
        let check = |text: &str, sentence: &str, example: &str| {
            let refused = Request::read(text).unwrap_err();
            assert!(refused.why.0.contains(sentence), "{text}: {}", refused.why);
            assert_eq!(refused.right["command"], example, "{text}");
        };
        check("[1]", "not a JSON object", "hello");
        check(r#"{"command":3}"#, "the command is not a text", "hello");
        check(r#"{"command":"sove"}"#, "'sove' is not a command", "hello");
        check(r#"{"command":"go"}"#, "missing field `node`", "go");
        check(r#"{"command":"go","node":-1}"#, "invalid value", "go");
        check(r#"{"command":"undo","x":1}"#, "unknown field", "undo");
        check(
            r#"{"command":"value","time_limit":0}"#,
            "a time is seconds",
            "value",
        );
        check(
            r#"{"command":"analyse","agent":"random"}"#,
            "cannot be watched",
            "analyse",
        );
    }
}
