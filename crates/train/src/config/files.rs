//! Files that a configuration names, put into its text: so a run's folder holds all that the run needs.

use std::fs::File;
use std::io::Read;

use toml::{Table, Value};
use upstar_games::{Setup, excerpt};

use super::ConfigError;

/// The longest file, in bytes: a configuration with it is still read.
const LONGEST: u64 = 1 << 19;

/// How a board names the file of a graph.
pub(super) const GRAPH: &str = "graph:";

/// The configuration `text` with the graph of `board = "graph:FILE"` and the lines of `openings = "FILE"` in the
/// place of their files; `file` is its name in messages. A text that names no such file stays as it is.
///
/// # Errors
/// If a file cannot be read, or is not a graph.
pub fn with_files(text: &str, file: &str) -> Result<String, ConfigError> {
    let Ok(mut config) = toml::from_str::<Table>(text) else {
        // Whoever reads the configuration says what is wrong with it, and in which line.
        return Ok(text.to_owned());
    };
    let graph = config.get("board").and_then(Value::as_str);
    let graph = graph.and_then(|board| board.strip_prefix(GRAPH));
    let openings = config.get("openings").and_then(Value::as_str);
    if graph.is_none() && openings.is_none() {
        return Ok(text.to_owned());
    }
    let wrong = |key: &str, name: &str, why: &dyn std::fmt::Display, example: &str| ConfigError {
        sentence: format!("{file}, {key}, '{}': {why}", excerpt(name)),
        example: example.to_owned(),
    };
    let graph = graph.map(|name| {
        let example = "a file with the lines 'a=x b=o c=x' and 'a-b b-c'";
        let text = read(name).map_err(|why| wrong("board", name, &why, example))?;
        let setup = Setup::from_graph_text(&text);
        setup.map_err(|why| wrong("board", name, &why, example))
    });
    let graph = graph.transpose()?;
    let openings = openings.map(|name| {
        let example =
            "openings = \"openings.txt\", with a line like 'xox|oxo x' or 'a1a2 b3b2' for each";
        let text = read(name).map_err(|why| wrong("openings", name, &why, example))?;
        Ok(text.lines().map(Value::from).collect::<Vec<Value>>())
    });
    let openings = openings.transpose()?;
    if let Some(graph) = graph {
        config.insert("board".to_owned(), Value::from(graph.to_string()));
    }
    if let Some(openings) = openings {
        config.insert("openings".to_owned(), Value::from(openings));
    }
    Ok(toml::to_string(&config).expect("it was read from such a text"))
}

fn read(name: &str) -> Result<String, String> {
    let file = File::open(name).map_err(|error| error.to_string())?;
    let mut text = String::new();
    let read = file.take(LONGEST + 1).read_to_string(&mut text);
    read.map_err(|error| error.to_string())?;
    match text.len() as u64 > LONGEST {
        true => Err(format!("the file is longer than {LONGEST} bytes")),
        false => Ok(text),
    }
}
