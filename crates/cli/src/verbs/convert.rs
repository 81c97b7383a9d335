//! `convert`: games from one format to another.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use clap::ValueEnum;
use serde::Serialize;
use upstar_arena::othello::{FormatError, ggf, records};
use upstar_arena::{Record, log};
use upstar_games::{Grid, Variant};

use crate::failure::{Done, Failure, shown};
use crate::input;
use crate::output::{Output, write_file};
use crate::values;

/// What, and into what.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The file with games; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The format to write
    #[arg(long, value_enum)]
    to: Format,
    /// The format of the file [default: by its extension, .jsonl, .ggf, .obf, .txt]
    #[arg(long, value_enum)]
    from: Option<Format>,
    /// Transcripts: the game
    #[arg(long, value_name = "GAME", default_value = "othello", value_parser = input::GameParser, hide_possible_values = true)]
    game: Variant,
    /// Transcripts: the board
    #[arg(long, value_name = "SIZE", default_value = "8x8", value_parser = values::option(Grid::from_str, "--size 8x8"))]
    size: Grid,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// How games are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Records of this program, a JSON object per line
    Jsonl,
    /// The Generic Game Format (Othello)
    Ggf,
    /// Positions in OBF (Othello)
    Obf,
    /// Moves in a row, f5d6c3, a game per line (Othello)
    Transcript,
}

/// What was written into a file.
#[derive(Serialize)]
struct Converted {
    games: usize,
    file: String,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let from = match arguments.from {
        Some(from) => from,
        None => by_ending(&arguments.file)?,
    };
    if let Some(out) = &arguments.out
        && let (Ok(out), Ok(file)) = (out.canonicalize(), arguments.file.canonicalize())
        && out == file
    {
        let sentence = format!("{} cannot be read and written at once", shown(&file));
        return Err(Failure::input(sentence, "another name for --out"));
    }
    let records = arguments.read(from)?;
    let mut text = String::new();
    for record in &records {
        let refused = |error: FormatError| {
            let place = format!("{} game {}", shown(&arguments.file), record.index + 1);
            Failure::input(format!("{place}: {error}"), "--to jsonl")
        };
        match arguments.to {
            Format::Jsonl => {
                text += &serde_json::to_string(record).expect("a record has only text and numbers");
            }
            Format::Ggf => text += ggf::write(record).map_err(refused)?.trim_end(),
            Format::Obf => text += records::to_obf(record).map_err(refused)?.trim_end(),
            Format::Transcript => {
                text += records::to_transcript(record).map_err(refused)?.trim_end();
            }
        }
        text.push('\n');
    }
    let Some(file) = &arguments.out else {
        output.verbatim(&text)?;
        return Ok(ExitCode::SUCCESS);
    };
    write_file(file, text)?;
    let converted = Converted {
        games: records.len(),
        file: shown(file),
    };
    output.print(&converted, |done| {
        format!("{} games in {}", done.games, done.file)
    })?;
    Ok(ExitCode::SUCCESS)
}

fn by_ending(file: &Path) -> Result<Format, Failure> {
    let ending = file.extension().and_then(|ending| ending.to_str());
    Ok(match ending {
        Some("jsonl" | "json") => Format::Jsonl,
        Some("ggf") => Format::Ggf,
        Some("obf") => Format::Obf,
        Some("txt") => Format::Transcript,
        _ => {
            let sentence = match file == Path::new("-") {
                true => "the format of standard input is not known".to_owned(),
                false => format!("the format of {} cannot be told from its name", shown(file)),
            };
            return Err(Failure::input(sentence, "--from ggf"));
        }
    })
}

impl Arguments {
    fn is_standard_input(&self) -> bool {
        self.file == Path::new("-")
    }

    fn read(&self, from: Format) -> Result<Vec<Record>, Failure> {
        const MOST: u64 = 256 << 20;
        let file = &self.file;
        if from == Format::Jsonl {
            let refused =
                |error: log::LogError| Failure::input(error, "a file of records, a line each");
            let records: Result<Vec<_>, _> = match self.is_standard_input() {
                true => log::read_from(io::stdin().lock(), file).collect(),
                false => log::read(file).and_then(Iterator::collect),
            };
            return records.map_err(refused);
        }
        let bytes = match self.is_standard_input() {
            true => input::read_at_most(io::stdin().lock(), file, MOST)?,
            false => input::read_file(file, MOST)?,
        };
        let text = String::from_utf8(bytes).map_err(|_| Failure::file(file, &"it is not UTF-8"))?;
        let (read, right) = match from {
            Format::Ggf => (
                ggf::read(&text),
                "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 …]B[d3]W[c3];)",
            ),
            Format::Obf => (
                records::from_obf(&text),
                "64 cells, the side to move, and ';'",
            ),
            _ => (
                records::from_transcripts(&text, self.game, self.size),
                "f5d6c3d3c4",
            ),
        };
        read.map_err(|error| Failure::input(format!("{}: {error}", shown(file)), right))
    }
}
