//! Some entries of a value table, found again from the rules alone: a table of a kind whose checksums
//! are not known may have been changed and sealed again.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use upstar_cgt::Games;
use upstar_games::{Board, Color, Grid, Random, Setup};

use super::position_value::Valuation;
use super::value_table::ValueTable;
use super::values::Value;

/// How many entries are found again.
const ENTRIES: u64 = 64;

/// Whether these entries are right. Which ones they are cannot be foreseen.
pub(super) fn is_right(table: &ValueTable) -> bool {
    let mut random = Random::new(RandomState::new().hash_one(0));
    let shapes: Vec<_> = table.shapes().collect();
    let mut valuation = Valuation::new(table.kind().cannibal, usize::MAX);
    let mut known = HashMap::new();
    (0..ENTRIES).all(|_| {
        let (cells, base) = shapes[random.below(shapes.len() as u32) as usize];
        let colouring = random.below(1 << cells.len()) as usize;
        let entry = table.value(base + colouring);
        let rows = cells.iter().map(|cell| usize::from(cell.0) + 1).max();
        let cols = cells.iter().map(|cell| usize::from(cell.1) + 1).max();
        let Ok(grid) = Grid::new(rows.unwrap_or(1), cols.unwrap_or(1)) else {
            return false;
        };
        let mut setup = Setup::new(Board::Grid(grid));
        for (index, &(row, col)) in cells.iter().enumerate() {
            let color = Color::ALL[usize::from(colouring >> index & 1 == 0)];
            setup.put(grid.cell(row.into(), col.into()), color);
        }
        let value = valuation.value(&setup, &|| false);
        value.is_some_and(|value| copied(table, entry, valuation.games(), &mut known) == value)
    })
}

/// A value of the table among these games.
fn copied(
    table: &ValueTable,
    value: Value,
    games: &mut Games,
    known: &mut HashMap<Value, upstar_cgt::Value>,
) -> upstar_cgt::Value {
    if let Some(&copied) = known.get(&value) {
        return copied;
    }
    let [left, right] = [0, 1].map(|mover| {
        let options = table.values.options(mover, value);
        let mut options: Vec<upstar_cgt::Value> = options
            .iter()
            .map(|&option| copied(table, option, games, known))
            .collect();
        options.sort_unstable();
        options
    });
    let made = games.canonical(&left, &right);
    known.insert(value, made);
    made
}
