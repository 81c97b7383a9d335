//! The pictures of a table: heat maps of grids, learning curves, and how work grows.

use std::collections::BTreeMap;

use super::svg::{Fields, Lines, short};
use crate::cell::Cell;
use crate::experiment::{CellId, Experiment};
use crate::procedure::Procedure;
use crate::sample::Sample;

/// The most curves in one picture.
const MOST_CURVES: usize = 16;

/// The paper's grid and ours, side by side.
pub(super) fn heat_maps(table: &Experiment, cells: &[Cell]) -> String {
    let Some([down, right]) = &table.grid else {
        return String::new();
    };
    let cell_of: BTreeMap<&str, &Cell> = cells
        .iter()
        .map(|cell| (cell.cell.as_str(), cell))
        .collect();
    let (mut rows, mut columns) = (Vec::new(), Vec::new());
    let mut places: Vec<(usize, usize, &Cell, CellId)> = Vec::new();
    for id in table.cells() {
        let value = |column| table.row(id).get(column).unwrap_or_default().to_owned();
        let (row, column) = (place_in(&mut rows, value(down)), {
            place_in(&mut columns, value(right))
        });
        if let Some(cell) = cell_of.get(table.cell_name(id).as_str()) {
            places.push((row, column, cell, id));
        }
    }
    let draw = |title: &str, number: &dyn Fn(&Cell) -> Option<f64>| {
        let mut fields = vec![None; rows.len() * columns.len()];
        for &(row, column, cell, id) in &places {
            let unit = table.measure(id).unit(table.games_of(id)).unwrap_or(1.0);
            fields[row * columns.len() + column] =
                number(cell).map(|number| (number / unit, short(number)));
        }
        let fields = Fields {
            title,
            down: (down, &rows),
            right: (right, &columns),
            fields: &fields,
        };
        fields.draw()
    };
    let spread = |cell: &Cell| Some(cell.highest? - cell.lowest?).filter(|_| cell.seeds > 1);
    let mut text = draw("paper", &|cell| cell.paper.as_f64());
    text += &draw("ours", &|cell| cell.ours.as_f64());
    if cells.iter().any(|cell| spread(cell).is_some()) {
        text += &draw("highest less lowest seed", &spread);
    }
    text
}

/// The place of a name in a list; a new one goes to its end.
fn place_in(names: &mut Vec<String>, name: String) -> usize {
    names
        .iter()
        .position(|other| *other == name)
        .unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        })
}

/// Games won in training, as it goes on.
pub(super) fn learning_curves(table: &Experiment, samples: &[Sample]) -> String {
    let mut lines: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for sample in samples.iter().filter(|sample| sample.curve.len() > 1) {
        let id = table.cells().find(|id| id.run == sample.run);
        let Some(id) = id else { continue };
        let points = sample
            .curve
            .iter()
            .map(|&(games, share)| (games as f64, share));
        lines.push((table.run_name(id), points.collect()));
    }
    let pictures = lines.chunks(MOST_CURVES).map(|lines| {
        let picture = Lines {
            title: "learning curves of the first seed",
            right: "games learned from",
            up: "share of games won",
            lines,
            logarithmic: false,
        };
        picture.draw()
    });
    pictures.collect()
}

/// The work of several algorithms against the length of the board.
pub(super) fn growth(table: &Experiment, cells: &[Cell]) -> String {
    if table.procedure != Procedure::Classic {
        return String::new();
    }
    let mut lines: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for id in table.cells() {
        let row = table.row(id);
        let name = table.cell_name(id);
        let length = row.get("length").and_then(|text| text.parse().ok());
        let ours = cells
            .iter()
            .find(|cell| cell.cell == name)
            .and_then(|cell| cell.ours.as_f64());
        let (Some(length), Some(ours)) = (length, ours) else {
            continue;
        };
        let algorithm = row.get("algorithm").unwrap_or_default();
        match lines.iter_mut().find(|(name, _)| name == algorithm) {
            Some((_, points)) => points.push((length, ours)),
            None => lines.push((algorithm.to_owned(), vec![(length, ours)])),
        }
    }
    let picture = Lines {
        title: "positions visited",
        right: "stones in the row",
        up: "positions",
        lines: &lines,
        logarithmic: true,
    };
    picture.draw()
}
