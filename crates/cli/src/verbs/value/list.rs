//! Values of many positions: ranges of sizes, lines of a file, all components of some size.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;
use upstar_games::{AnyGame, Grid, Variant};
use upstar_solve::clobber::{TableKind, ValueTable};

use super::rows::Sizes;
use super::{Arguments, Row, Rows, Valued, Valuer, describe};
use crate::failure::{Done, Failure, shown, warn};
use crate::input::{self, GameArguments};
use crate::output::Output;
use crate::progress::{Progress, Share};
use crate::search::budget;
use crate::values;

/// A position as the user wrote it.
type Item = (String, Result<AnyGame, Failure>);

/// A line of JSON: what `value` says of a position, and which one it is.
#[derive(Serialize)]
struct Line<'a> {
    position: &'a str,
    #[serde(flatten)]
    valued: Option<&'a Valued>,
    #[serde(flatten)]
    sizes: Sizes,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The start positions of all sizes from one to another.
pub(super) fn range(
    arguments: &Arguments,
    game: Variant,
    from: Grid,
    to: Grid,
    output: &Output,
) -> Done {
    let [rows, cols] = [from.rows()..=to.rows(), from.cols()..=to.cols()];
    if rows.is_empty() || cols.is_empty() || (rows.clone().count() > 1 && cols.clone().count() > 1)
    {
        let [low, high] = [from, to].map(|size| format!("{}x{}", size.rows(), size.cols()));
        let is_backwards = match (from.rows() == to.rows(), from.cols() == to.cols()) {
            (true, false) => from.cols() > to.cols(),
            (false, true) => from.rows() > to.rows(),
            _ => false,
        };
        return Err(match is_backwards {
            true => Failure::input(
                format!("{low}..{high} goes backwards: the smaller size comes first"),
                format!("upstar value {game} {high}..{low}"),
            ),
            false => Failure::input(
                format!("{low}..{high} changes rows and columns: one of them must stay the same"),
                format!("upstar value {game} 2x1..2x8"),
            ),
        });
    }
    let sizes = rows.flat_map(|rows| cols.clone().map(move |cols| format!("{rows}x{cols}")));
    let items = sizes.map(|size| {
        let game = GameArguments::new(game, &size, None, &arguments.play).open();
        (size, game)
    });
    print(arguments, items.collect(), output)
}

/// The positions of a file. What is wrong with a line is said, and the others are valued.
pub(super) fn batch(arguments: &Arguments, variant: Variant, file: &Path, output: &Output) -> Done {
    // Some million positions.
    const MOST: u64 = 64 << 20;
    let bytes = if file == Path::new("-") {
        input::read_at_most(io::stdin().lock(), file, MOST)?
    } else {
        input::read_file(file, MOST)?
    };
    let text = String::from_utf8(bytes).map_err(|_| Failure::file(file, &"it is not UTF-8"))?;
    let mut items = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        // A position may begin with a hole.
        let is_row = line.len() > 1 && line.chars().all(|c| "xo.#|".contains(c));
        if line.is_empty() || line.starts_with('#') && !is_row {
            continue;
        }
        let game = match line {
            "-" => Err(Failure::input("standard input is not a position here", "")),
            line => GameArguments::new(variant, line, None, &[]).open(),
        };
        let place = format!("{} line {}", shown(file), number + 1);
        let wrong = |failure: Failure| {
            let right = format!("a line like xxo.xo, for upstar value {variant} --batch FILE");
            failure.at(&place).with_example(right)
        };
        items.push((line.to_owned(), game.map_err(wrong)));
    }
    print(arguments, items, output)
}

/// Values these positions, one after the other.
pub(super) fn print(arguments: &Arguments, items: Vec<Item>, output: &Output) -> Done {
    let names = arguments.rows.names(&arguments.names);
    let mut rows = Rows::new(&arguments.rows, output);
    let valuer = Valuer::new();
    let ends = budget(None);
    let bar = Progress::new(items.len() as u64, "values");
    let (mut all_found, mut all_right) = (true, true);
    for (position, game) in items {
        if ends.is_over() {
            all_found = false;
            break;
        }
        let budget = ends.clone().with_time(arguments.time_limit);
        let valued = game.and_then(|game| {
            let mut worth = valuer.value(&game, &budget)?;
            let valued = describe(&names, &mut worth, rows.longest())?;
            let sizes = worth.value.map(|value| Sizes::of(&worth.games, value));
            let sizes = sizes.unwrap_or_default();
            all_found &= worth.is_exact();
            Ok((valued, sizes))
        });
        match valued {
            Ok((valued, sizes)) if output.is_json() => {
                let line = Line {
                    position: &position,
                    valued: Some(&valued),
                    sizes,
                    error: None,
                };
                output.print(&line, |_| "")?;
            }
            Ok((valued, sizes)) => rows.push(Row {
                position,
                outcome: valued.outcome.unwrap_or_else(|| "?".to_owned()),
                value: valued.sum.value.unwrap_or_else(|| "?".to_owned()),
                atomic_weight: valued.sum.atomic_weight,
                temperature: valued.sum.temperature,
                sizes,
            })?,
            Err(Failure::Input { sentence, example }) => {
                all_right = false;
                if output.is_json() {
                    let line = Line {
                        position: &position,
                        valued: None,
                        sizes: Sizes::default(),
                        error: Some(sentence),
                    };
                    output.print(&line, |_| "")?;
                } else {
                    warn(&format!("{sentence}\n  right: {example}"));
                }
            }
            Err(failure) => return Err(failure),
        }
        bar.step();
    }
    bar.finish();
    rows.end()?;
    Ok(match (all_right, all_found) {
        (false, _) => ExitCode::from(2),
        (true, false) => ExitCode::from(1),
        (true, true) => ExitCode::SUCCESS,
    })
}

/// All components of so many stones, from a table made for them.
pub(super) fn components(
    arguments: &Arguments,
    game: Variant,
    stones: usize,
    output: &Output,
) -> Done {
    let kind = TableKind {
        rows: stones,
        stones,
        cannibal: game == Variant::Cannibal,
    };
    let bar = Share::new("values of small components");
    let table = ValueTable::make(kind, values::all_cores(), &budget(None), &bar);
    bar.finish();
    let table = table.map_err(|error| Failure::input(error, "--stones 4"))?;
    let mut rows = Rows::new(&arguments.rows, output);
    rows.push_table(
        &table,
        Some(stones),
        &arguments.rows.names(&arguments.names),
    )?;
    rows.end()?;
    Ok(ExitCode::SUCCESS)
}
