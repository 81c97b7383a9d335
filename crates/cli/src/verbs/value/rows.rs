//! Values in rows: as text, as CSV, as a table of LaTeX.

use std::io::Write as _;

use clap::Args;
use serde::Serialize;
use upstar_cgt::{Dyadic, Games, Value};
use upstar_proof::clobber::Arena;
use upstar_solve::clobber::ValueTable;

use crate::failure::Failure;
use crate::notation::NameOptions;
use crate::output::Output;

/// How rows are written.
#[derive(Args)]
#[group(multiple = false)]
pub(crate) struct RowFormat {
    /// Write rows as CSV
    #[arg(long)]
    csv: bool,
    /// Write rows as a LaTeX tabular
    #[arg(long)]
    tabular: bool,
}

impl RowFormat {
    /// Whether the user wants rows.
    pub(crate) fn is_given(&self) -> bool {
        self.csv || self.tabular
    }

    /// How names are written in such rows.
    pub(crate) fn names(&self, names: &NameOptions) -> NameOptions {
        match self.tabular {
            true => names.for_latex(),
            false => names.clone(),
        }
    }
}

/// What is said of a position.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) position: String,
    pub(crate) outcome: String,
    pub(crate) value: String,
    /// Absent for values that are not all-small, and for unknown ones.
    pub(crate) atomic_weight: Option<String>,
    #[serde(serialize_with = "super::as_number")]
    pub(crate) temperature: Option<Dyadic>,
    #[serde(flatten)]
    pub(crate) sizes: Sizes,
}

/// How large a canonical form is, if it is known.
#[derive(Clone, Copy, Default, Serialize)]
pub(crate) struct Sizes {
    birthday: Option<u32>,
    /// How many different positions it has.
    followers: Option<usize>,
}

impl Sizes {
    pub(crate) fn of(games: &Games, value: Value) -> Self {
        Self {
            birthday: Some(games.birthday(value)),
            followers: Some(games.followers(value).len()),
        }
    }
}

/// Rows on their way to standard output.
pub(crate) struct Rows<'a> {
    format: &'a RowFormat,
    output: &'a Output,
    begun: bool,
}

const HEADER: [&str; 7] = [
    "position",
    "outcome",
    "value",
    "atomic_weight",
    "temperature",
    "birthday",
    "followers",
];

impl<'a> Rows<'a> {
    pub(crate) fn new(format: &'a RowFormat, output: &'a Output) -> Self {
        Self {
            format,
            output,
            begun: false,
        }
    }

    /// The most characters of a name: a file may have long ones.
    pub(crate) fn longest(&self) -> usize {
        match self.format.csv || self.output.is_json() {
            true => 100_000,
            false => 60,
        }
    }

    /// Writes one row.
    pub(crate) fn push(&mut self, row: Row) -> Result<(), Failure> {
        self.begin()?;
        if self.output.is_json() {
            return Ok(self.output.print(&row, |_| "")?);
        }
        fn text(known: Option<impl ToString>) -> String {
            known.map_or_else(String::new, |known| known.to_string())
        }
        let cells = [
            row.position,
            row.outcome,
            row.value,
            text(row.atomic_weight),
            text(row.temperature),
            text(row.sizes.birthday),
            text(row.sizes.followers),
        ];
        let line = if self.format.csv {
            cells.map(|cell| quoted(&cell)).join(",")
        } else if self.format.tabular {
            tabular_row(&cells)
        } else {
            let [position, outcome, value, weight, temperature, _, followers] = cells;
            let weight = if weight.is_empty() { "-" } else { &weight };
            format!(
                "{position:<12} {outcome}  {value}  (weight {weight}, temperature {temperature}, {followers} followers)"
            )
        };
        Ok(self.output.verbatim(&(line + "\n"))?)
    }

    /// Writes all components of a table that have so many stones, or all, each once up to turning and
    /// mirroring.
    pub(crate) fn push_table(
        &mut self,
        table: &ValueTable,
        stones: Option<usize>,
        names: &NameOptions,
    ) -> Result<(), Failure> {
        let mut games = table.games();
        let arena = Arena::on_grids(table.kind().cannibal);
        for (setup, index) in table.components() {
            let value: Value = games.value(index).expect("a table's values are its games");
            let text = setup.to_string();
            let size = text.chars().filter(|c| "xo".contains(*c)).count();
            // A component is listed in the one of its images that is in normal form; single stones and
            // those without a move are none.
            if stones.is_some_and(|stones| stones != size) || arena.sum(&setup).to_string() != text
            {
                continue;
            }
            let longest = self.longest();
            let weight = games.atomic_weight(value);
            let weight = weight.map(|weight| names.write(&games, weight, longest));
            self.push(Row {
                position: text,
                outcome: games.outcome(value).to_string(),
                value: names.write(&games, value, longest)?,
                atomic_weight: weight.transpose()?,
                temperature: games.temperature(value),
                sizes: Sizes::of(&games, value),
            })?;
        }
        Ok(())
    }

    /// Writes what comes before the first row.
    fn begin(&mut self) -> Result<(), Failure> {
        if std::mem::replace(&mut self.begun, true) || self.output.is_json() {
            return Ok(());
        }
        let head = if self.format.csv {
            HEADER.join(",") + "\n"
        } else if self.format.tabular {
            let titles = HEADER.map(|title| title.replace('_', " ")).join(" & ");
            format!("\\begin{{tabular}}{{lclllrr}}\n{titles} \\\\\n\\hline\n")
        } else {
            String::new()
        };
        Ok(self.output.verbatim(&head)?)
    }

    /// Writes what comes after the last row.
    pub(crate) fn end(&mut self) -> Result<(), Failure> {
        self.begin()?;
        if self.format.tabular && !self.output.is_json() {
            self.output.verbatim("\\end{tabular}\n")?;
        }
        std::io::stdout().flush()?;
        Ok(())
    }
}

/// A cell of CSV.
fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

/// A row of LaTeX: positions as they are typed, values in mathematical mode.
fn tabular_row(cells: &[String; 7]) -> String {
    let [
        position,
        outcome,
        value,
        weight,
        temperature,
        birthday,
        followers,
    ] = cells;
    let typed = typed(position);
    let math = |text: &String| match text.as_str() {
        "" => String::new(),
        text => format!("${text}$"),
    };
    let [value, weight, temperature] = [value, weight, temperature].map(math);
    format!(
        "\\texttt{{{typed}}} & {outcome} & {value} & {weight} & {temperature} & {birthday} & {followers} \\\\"
    )
}

/// A text as it is typed, also the name of a file.
fn typed(text: &str) -> String {
    let mut typed = String::new();
    for letter in text.chars() {
        match letter {
            '\\' => typed += "\\textbackslash{}",
            '~' => typed += "\\textasciitilde{}",
            '^' => typed += "\\textasciicircum{}",
            '#' | '_' | '%' | '&' | '$' | '{' | '}' => typed.extend(['\\', letter]),
            letter => typed.push(letter),
        }
    }
    typed
}
