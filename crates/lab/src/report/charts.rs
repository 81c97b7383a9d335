//! The pictures of a table: heat maps of grids, learning curves, and lines over a column.

use std::collections::BTreeMap;

use super::svg::{Fields, Lines, Scale, short};
use crate::cell::Cell;
use crate::experiment::{CellId, Experiment};
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
    for sample in samples.iter().filter(|sample| !sample.curve.is_empty()) {
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
            scale: Scale::Share,
        };
        picture.draw()
    });
    pictures.collect()
}

/// What was measured over a column of the table, and perhaps how long it took.
pub(super) fn lines(table: &Experiment, cells: &[Cell]) -> String {
    let Some(chart) = &table.chart else {
        return String::new();
    };
    let cell_of: BTreeMap<&str, &Cell> = cells
        .iter()
        .map(|cell| (cell.cell.as_str(), cell))
        .collect();
    let draw = |title: &str, up: &dyn Fn(CellId, &Cell) -> Option<f64>| {
        let mut lines: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
        for id in table.cells() {
            let row = table.row(id);
            let right = row.get(&chart.right).and_then(|text| text.parse().ok());
            let cell = cell_of.get(table.cell_name(id).as_str());
            let up = cell.and_then(|cell| up(id, cell));
            let (Some(right), Some(up)) = (right, up) else {
                continue;
            };
            let mut words: Vec<&str> = Vec::new();
            words.extend(chart.lines.as_ref().and_then(|column| row.get(column)));
            if table.measures.len() > 1 {
                words.push(&table.measure(id).column);
            }
            let name = words.join(" ");
            match lines.iter_mut().find(|(other, _)| *other == name) {
                Some((_, points)) => points.push((right, up)),
                None => lines.push((name, vec![(right, up)])),
            }
        }
        let picture = Lines {
            title,
            right: &chart.right.replace('_', " "),
            up: "",
            lines: &lines,
            scale: match chart.logarithmic {
                true => Scale::Logarithmic,
                false => Scale::Linear,
            },
        };
        picture.draw()
    };
    let columns: Vec<String> = table
        .measures
        .iter()
        .map(|measure| measure.column.replace('_', " "))
        .collect();
    let mut text = draw(&columns.join(", "), &|_, cell| cell.ours.as_f64());
    if chart.seconds {
        // A run may be of several boards, and there may be several seeds.
        text += &draw("seconds per board", &|id, cell| {
            cell.ours.as_f64()?;
            let boards = table
                .row(id)
                .get("boards")
                .and_then(|text| text.parse().ok());
            Some(cell.seconds / cell.seeds as f64 / boards.unwrap_or(1.0))
        });
    }
    text
}
