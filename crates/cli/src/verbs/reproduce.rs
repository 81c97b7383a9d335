//! `reproduce`: runs the papers' experiments again, and compares number by number.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use serde_json::Value;
use upstar_agents::Resources;
use upstar_games::excerpt;
use upstar_lab::{
    Cell, Experiment, Folder, Plan, Problem, Progress, Reading, Shard, Summary, find_all, tables,
};

use super::report::write_page;
use crate::failure::{Done, Failure, in_full, warn};
use crate::output::{Output, unless_closed};
use crate::progress;
use crate::search::budget;
use crate::values;

const EXAMPLE: &str = "upstar reproduce leiden2018/5.4 --scale 0.01";

/// Which tables, and how much of them.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Tables like leiden2018/5.4, or whole papers
    #[arg(value_name = "PAPER/TABLE")]
    names: Vec<String>,
    /// All tables of all papers
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// Only the cells whose names have all these words, as they are printed: 'learning_rate=2e-5 target=150.0',
    /// or one word for a row or a column; may be given several times
    #[arg(long, value_name = "WORDS", conflicts_with = "list")]
    cell: Vec<String>,
    /// Run the tables under this reading of the paper; under all their readings with 'all', and with 'plain' without
    /// the reading that is their default; --list names them
    #[arg(long, value_name = "NAME")]
    reading: Option<String>,
    /// List the tables, and run nothing
    #[arg(long)]
    list: bool,
    /// Multiply all numbers of games by this
    #[arg(long, value_name = "F", default_value = "1", allow_negative_numbers = true, value_parser = scale)]
    scale: f64,
    /// Repeat every run with K seeds; 16 show how much trainings vary
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    seeds: u64,
    /// Do only part I of N of the work; slurm.sh in the folder of --out is an example for clusters
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    #[command(flatten)]
    threads: values::ThreadsOption,
    /// Keep results and a report in this folder; runs that are in it are not repeated
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

fn scale(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|number: &f64| (1e-6..=1e3).contains(number))
        .ok_or_else(|| {
            let text = excerpt(text);
            format!("'{text}' is not a factor from 0.000001 to 1000, for example --scale 0.01")
        })
}

/// A line of the list.
#[derive(Serialize)]
struct Listed {
    table: String,
    title: String,
    cells: usize,
    runs: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    readings: Vec<Reading>,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let chosen = chosen(arguments)?;
    if arguments.list {
        return list(&chosen, output);
    }
    for words in &arguments.cell {
        check_cell(&chosen, words)?;
    }
    let plan = Plan {
        tables: chosen,
        cells: arguments.cell.clone(),
        scale: arguments.scale,
        seeds: arguments.seeds,
        shard: arguments.shard,
        threads: arguments.threads.number(),
        // Value tables of the user do not matter to a result.
        resources: Resources::default(),
    };
    // Without a folder of the user's there is one for as long as it takes.
    let (path, _kept) = match &arguments.out {
        Some(path) => (path.clone(), None),
        None => {
            let folder = tempfile::tempdir()?;
            (folder.path().to_owned(), Some(folder))
        }
    };
    let wrong = |why: &dyn std::fmt::Display| Failure::input(why, format!("{EXAMPLE} --out DIR"));
    let folder = Folder::open(&path, plan.scale, plan.shard).map_err(|error| wrong(&error))?;
    warn_of_open_cells(&plan);
    let bar = progress::Progress::new(plan.len(), "runs");
    let (mut all, mut told) = (Vec::new(), Ok(()));
    let complete = plan.run(&folder, &budget(None), &mut |progress| match progress {
        Progress::Done(_) => bar.step(),
        Progress::Cells(cells) => {
            for cell in cells {
                let printed = output.print(cell, |cell| text(cell, plan.tables.len() > 1));
                if told.is_ok() {
                    told = unless_closed(printed);
                }
            }
            all.extend(cells.to_vec());
        }
    });
    bar.finish();
    told?;
    let complete = complete.map_err(|problem: Problem| wrong(&problem))?;
    if let Some(out) = &arguments.out {
        folder.gather().map_err(|error| wrong(&error))?;
        write_page(out)?;
    }
    if !output.is_json() {
        output.print(&(), |()| summary(&all, complete, arguments))?;
    }
    Ok(ExitCode::from(u8::from(!complete)))
}

/// Says before they are run what cells will stay open.
fn warn_of_open_cells(plan: &Plan) {
    let trained = plan.tables.iter().any(Experiment::scatters);
    if trained && plan.scale < 1.0 {
        warn(
            "with --scale below 1 trainings are others than the paper's, so their cells stay open",
        );
    } else if trained && plan.seeds < Plan::FEWEST_SEEDS {
        let fewest = Plan::FEWEST_SEEDS;
        warn(&format!(
            "trainings vary: with fewer than --seeds {fewest} their cells stay open"
        ));
    }
}

fn chosen(arguments: &Arguments) -> Result<Vec<Experiment>, Failure> {
    let names = if arguments.all || (arguments.list && arguments.names.is_empty()) {
        tables()
    } else if arguments.names.is_empty() {
        let sentence = "a table is missing, or --all; upstar reproduce --list lists the tables";
        return Err(Failure::input(sentence, EXAMPLE));
    } else {
        arguments.names.clone()
    };
    let mut chosen = Vec::new();
    for name in names {
        chosen.extend(find_all(&name).map_err(|error| Failure::input(error, EXAMPLE))?);
    }
    chosen.dedup_by_key(|table| table.name());
    match &arguments.reading {
        _ if arguments.list => Ok(chosen),
        Some(reading) if reading == Reading::PLAIN => Ok(chosen),
        Some(reading) => under(&chosen, reading),
        None => Ok(chosen.into_iter().map(Experiment::by_default).collect()),
    }
}

/// The tables that have this reading, under it; under each of their readings for `all`.
fn under(tables: &[Experiment], reading: &str) -> Result<Vec<Experiment>, Failure> {
    let each = tables.iter().flat_map(|table| {
        let named = table.readings().iter().map(|reading| &reading.name);
        let named = named.filter(|name| reading == "all" || *name == reading);
        named.filter_map(|name| table.under(name))
    });
    let each: Vec<Experiment> = each.collect();
    if !each.is_empty() {
        return Ok(each);
    }
    let mut known: Vec<&str> = tables
        .iter()
        .flat_map(|table| table.readings().iter().map(|reading| reading.name.as_str()))
        .collect();
    known.sort_unstable();
    known.dedup();
    let known = match known.is_empty() {
        true => "these tables have no other readings".to_owned(),
        false => format!("there are {}", known.join(", ")),
    };
    Err(Failure::input(
        format!(
            "'{}' is not a reading of these tables; {known}",
            excerpt(reading)
        ),
        "upstar reproduce cammel2015/10 --reading errors-after",
    ))
}

/// Refuses words that no cell has.
fn check_cell(tables: &[Experiment], words: &str) -> Result<(), Failure> {
    let found = tables.iter().any(|table| {
        let mut cells = table.cells();
        !words.trim().is_empty() && cells.any(|cell| table.has_words(cell, words))
    });
    let first = tables.iter().find_map(|table| {
        let name = table.cell_name(table.cells().next()?);
        Some(format!("upstar reproduce {} --cell '{name}'", table.name()))
    });
    match found {
        true => Ok(()),
        false => Err(Failure::input(
            format!("no cell has the words '{}'", excerpt(words)),
            first.unwrap_or_else(|| EXAMPLE.to_owned()),
        )),
    }
}

fn list(tables: &[Experiment], output: &Output) -> Done {
    for table in tables {
        let listed = Listed {
            table: table.name(),
            title: table.title.clone(),
            cells: table.cells().count(),
            runs: table.runs().len(),
            readings: table.readings().to_vec(),
        };
        output.print(&listed, |listed| {
            let Listed {
                table,
                title,
                cells,
                readings,
                ..
            } = listed;
            let mut text = format!("{table:<26} {cells:>4} cells  {title}");
            for Reading {
                name,
                about,
                default,
                ..
            } in readings
            {
                let default = if *default { " (default)" } else { "" };
                text += &format!("\n    --reading {name:<24} {about}{default}");
            }
            text
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A cell as a line.
pub(super) fn text(cell: &Cell, many: bool) -> String {
    let plain = |value: &Value| match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.clone(),
        number => number.to_string(),
    };
    let mut table = match many {
        true => format!("{} ", cell.table),
        false => String::new(),
    };
    if let Some(reading) = &cell.reading {
        table += &format!("under {reading}, ");
    }
    let between = match (cell.low, cell.high) {
        (Some(low), Some(high)) => format!(" ({low} to {high})"),
        _ => String::new(),
    };
    let mut dead = String::new();
    for (count, what) in [(cell.dead, "dead"), (cell.exploded, "exploded")] {
        if let Some(count) = count.filter(|&count| count > 0) {
            dead += &format!(", {count} of {} {what}", cell.seeds);
        }
    }
    format!(
        "{table}{}: paper {}, ours {}{between}{dead}: {}",
        cell.cell,
        plain(&cell.paper),
        plain(&cell.ours),
        cell.verdict
    )
}

fn summary(cells: &[Cell], complete: bool, arguments: &Arguments) -> String {
    let mut lines = vec![Summary::of(cells).to_string()];
    if let Some(out) = &arguments.out {
        lines.push(format!("report: {}", in_full(&out.join("report.html"))));
    }
    if !complete {
        lines.push(match &arguments.out {
            Some(_) => "stopped before the end; the same command goes on".to_owned(),
            None => {
                "stopped before the end; with --out DIR the same command could go on".to_owned()
            }
        });
    }
    lines.join("\n")
}
