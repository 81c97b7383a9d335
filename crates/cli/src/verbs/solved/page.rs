//! The solved positions as tables in Markdown, for a page of documentation.

use std::fmt::Write as _;
use std::path::Path;

use upstar_games::Grid;

use super::row::Row;
use crate::failure::Failure;
use crate::markdown::replace_parts;
use crate::output::grouped;

/// Writes the tables into a file, between their comments if it has them.
pub(super) fn write(file: &Path, rows: &[Row]) -> Result<(), Failure> {
    replace_parts(file, &[("solved", tables(rows))])
}

/// A table for each game, boards first and then graphs and other positions, in the order of the rows.
fn tables(rows: &[Row]) -> String {
    let mut games: Vec<&str> = Vec::new();
    for row in rows {
        if !games.contains(&row.game.as_str()) {
            games.push(&row.game);
        }
    }
    let mut text = String::new();
    for game in games {
        for boards in [true, false] {
            let of_kind = |row: &&Row| row.game == game && is_board(row) == boards;
            let rows: Vec<&Row> = rows.iter().filter(of_kind).collect();
            if !rows.is_empty() {
                let kind = if boards {
                    "boards"
                } else {
                    "graphs and other positions"
                };
                let _ = writeln!(text, "\n### {game}: {kind}\n");
                text += &table(&rows);
            }
        }
    }
    text
}

fn is_board(row: &Row) -> bool {
    row.position.parse::<Grid>().is_ok()
}

fn table(rows: &[&Row]) -> String {
    let mut text = String::from(
        "| position | begins | result | nodes | seconds | proof: positions | lemmas | bytes | SHA-256 |\n\
         |---|---|---|---:|---:|---:|---:|---:|---|\n",
    );
    for row in rows {
        let proof = match &row.proof {
            None => " | | |".to_owned(),
            Some(proof) => {
                let [positions, lemmas, bytes] =
                    [proof.positions, proof.lemmas, proof.bytes].map(grouped);
                format!("{positions} | {lemmas} | {bytes} | `{}`", proof.sha256)
            }
        };
        let name = row.name.as_ref().unwrap_or(&row.position);
        let (to_move, result, nodes) = (row.to_move, row.result(), grouped(row.nodes));
        let seconds = row.seconds;
        let confirmed = row
            .confirmed
            .as_ref()
            .map_or(String::new(), |how| format!(" ({how})"));
        let _ = writeln!(
            text,
            "| {name} | {to_move} | {result}{confirmed} | {nodes} | {seconds:.2} | {proof} |"
        );
    }
    text
}
