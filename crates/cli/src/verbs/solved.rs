//! `solved`: the boards that are solved, as data that comes with the program, and the command that checks any row
//! of it again.

mod page;
mod row;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use serde::Serialize;
use upstar_games::Variant;
use upstar_jobs::quantity;

use self::row::Row;
use crate::failure::{Done, Failure, shown};
use crate::input::{self, read_file};
use crate::output::{Output, counted, write_file};
use crate::search::SearchArguments;

/// The rows that come with the program.
const SHIPPED: &str = include_str!("../../data/solved.jsonl");
/// How long the search of a row may have taken for it to be checked when nothing is named.
const PATIENCE: Duration = Duration::from_secs(10);

const RIGHT: &str = "upstar solved --check clobber 4x5";

/// Which rows, and what to do with them.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only this game
    #[arg(value_name = "GAME", value_parser = input::GameParser, hide_possible_values = true)]
    game: Option<Variant>,
    /// Only this position: a size, a position text, or a name in the list
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// Only rows whose search took at most this long [default with --check and no POSITION: 10s]
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    within: Option<Duration>,
    /// Solve the rows again, with proofs, have these checked, and compare
    #[arg(long, conflicts_with_all = ["add", "markdown"])]
    check: bool,
    /// Solve this position and add it to the file of --data, or replace its row there
    #[arg(long, requires_all = ["game", "position", "data"], conflicts_with_all = ["markdown", "within"])]
    add: bool,
    /// What to call the position that is added
    #[arg(long, value_name = "NAME", requires = "add")]
    name: Option<String>,
    /// The side to move in the position that is added [default: x]
    #[arg(long, value_name = "STONE", value_parser = input::stone, requires = "add")]
    to_move: Option<char>,
    /// The position that is added is Othello: find out by how many discs
    #[arg(long, requires = "add")]
    exact: bool,
    /// Write the rows as tables into this file, between its comments
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Another file of rows than the one that comes with the program
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    #[command(flatten)]
    search: SearchArguments,
}

/// What came of checking a row.
#[derive(Serialize)]
struct Verdict<'a> {
    #[serde(flatten)]
    row: &'a Row,
    /// Whether the result is the same; null if the search did not come to an end.
    agrees: Option<bool>,
    /// Whether the file of the proof is the same, byte for byte.
    same_proof: Option<bool>,
    /// How long search, proof and check took.
    check_seconds: f64,
}

impl Verdict<'_> {
    fn text(&self) -> String {
        let row = self.row;
        let proof = match (&row.proof, self.same_proof) {
            (None, _) => "",
            (Some(_), Some(true)) => ", the same proof",
            (Some(_), _) => ", another proof, which was accepted",
        };
        let seconds = self.check_seconds;
        match self.agrees {
            Some(true) => format!("agrees: {}{proof}, {seconds:.1} s", row.sentence()),
            Some(false) => format!("DIFFERS: {}, {seconds:.1} s", row.sentence()),
            None => format!("?: {}, not found in {seconds:.1} s", row.sentence()),
        }
    }
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let Arguments { data, search, .. } = arguments;
    let given = search.given().next();
    if let Some(option) = given.filter(|_| !arguments.check && !arguments.add) {
        let sentence = format!("{option} is for --check and --add");
        return Err(Failure::input(sentence, RIGHT));
    }
    let mut rows = read(data.as_deref(), arguments.add)?;
    if arguments.add {
        return add(arguments, &mut rows, output);
    }
    rows.retain(|row| arguments.is_meant(row));
    if rows.is_empty() {
        let sentence = "none of the solved positions is meant";
        return Err(Failure::input(sentence, "upstar solved clobber"));
    }
    if let Some(file) = &arguments.markdown {
        page::write(file, &rows)?;
        return Ok(ExitCode::SUCCESS);
    }
    if !arguments.check {
        for row in &rows {
            output.print(row, Row::sentence)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut agreed = true;
    let count = rows.len();
    for row in &rows {
        let begun = std::time::Instant::now();
        let again = row.again(search)?;
        let agrees = again.as_ref().map(|again| row.agrees(again));
        agreed &= agrees == Some(true);
        let sum = |row: &Row| row.proof.as_ref().map(|proof| proof.sha256.clone());
        let verdict = Verdict {
            row,
            agrees,
            same_proof: again.and_then(|again| Some(sum(&again)? == sum(row)?)),
            check_seconds: begun.elapsed().as_secs_f64(),
        };
        output.print(&verdict, Verdict::text)?;
    }
    if !output.is_json() && agreed && count > 1 {
        output.verbatim(&format!(
            "{} checked, all agree\n",
            counted(count as u64, "position")
        ))?;
    }
    Ok(ExitCode::from(u8::from(!agreed)))
}

impl Arguments {
    /// Whether this row is one of those that are meant.
    fn is_meant(&self, row: &Row) -> bool {
        let game = self.game.is_none_or(|game| game.to_string() == row.game);
        let position = self.position.as_ref();
        let position =
            position.is_none_or(|it| *it == row.position || Some(it) == row.name.as_ref());
        let unnamed = self.check && self.position.is_none();
        let within = self.within.or(unnamed.then_some(PATIENCE));
        game && position && within.is_none_or(|time| row.seconds <= time.as_secs_f64())
    }
}

/// The rows of a file, or those that come with the program. A file that is not there yet has none where one is to be
/// added.
fn read(file: Option<&Path>, is_new: bool) -> Result<Vec<Row>, Failure> {
    let text = match file {
        None => SHIPPED.to_owned(),
        Some(file) if is_new && !file.exists() => String::new(),
        Some(file) => String::from_utf8_lossy(&read_file(file, 64 << 20)?).into_owned(),
    };
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let rows = lines.map(|(number, line)| {
        serde_json::from_str(line).map_err(|error| {
            let file = file.map_or("the program's data".to_owned(), |file| {
                shown(file).to_string()
            });
            let sentence = format!("{file}, line {}: {error}", number + 1);
            Failure::input(
                sentence,
                "a file that 'upstar solved --add … --data FILE' wrote",
            )
        })
    });
    rows.collect()
}

/// Solves the position that is meant, and keeps the row.
fn add(arguments: &Arguments, rows: &mut Vec<Row>, output: &Output) -> Done {
    let (Some(game), Some(position), Some(file)) =
        (arguments.game, &arguments.position, &arguments.data)
    else {
        unreachable!("clap requires them");
    };
    let asked = Row::asked(game, position, arguments.to_move, arguments.name.as_deref());
    let found = asked.solve(arguments.exact, &arguments.search)?;
    let Some(found) = found else {
        let sentence = format!("{} was not solved within the limits", asked.place());
        return Err(Failure::input(sentence, "a longer --time-limit"));
    };
    match rows.iter_mut().find(|row| row.is_about(&found)) {
        Some(row) => *row = found.clone(),
        None => rows.push(found.clone()),
    }
    let lines = rows.iter().map(serde_json::to_string);
    let lines: Vec<String> = lines.collect::<Result<_, _>>().expect("text and numbers");
    write_file(file, lines.join("\n") + "\n")?;
    output.print(&found, Row::sentence)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_that_come_with_the_program_are_read_and_different() {
        let rows = read(None, false).unwrap_or_else(|_| panic!("they can be read"));
        assert!(rows.len() > 50, "{}", rows.len());
        for (index, row) in rows.iter().enumerate() {
            let twice = rows[..index].iter().any(|earlier| earlier.is_about(row));
            assert!(!twice, "{} stands there twice", row.place());
            row.open()
                .unwrap_or_else(|_| panic!("{} is a position", row.place()));
        }
    }
}
