//! The comparison with the papers as a CSV file.

use serde_json::Value;

use crate::cell::Cell;

/// The cells as comma-separated values.
#[must_use]
pub fn csv(cells: &[Cell]) -> String {
    let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    let count = |count: Option<usize>| count.map_or(String::new(), |count| count.to_string());
    let mut lines = ::csv::Writer::from_writer(Vec::new());
    let head = "table,cell,paper,ours,low,high,verdict,seeds,games,lowest,highest,median,live_gradient_share,dead,exploded,seconds";
    let written = lines.write_record(head.split(','));
    written.expect("a line is written to memory");
    for cell in cells {
        let written = lines.write_record([
            cell.table.clone(),
            cell.cell.clone(),
            plain(&cell.paper),
            plain(&cell.ours),
            number(cell.low),
            number(cell.high),
            cell.verdict.to_string(),
            cell.seeds.to_string(),
            cell.games.map_or(String::new(), |games| games.to_string()),
            number(cell.lowest),
            number(cell.highest),
            number(cell.median),
            number(cell.live_gradient_share),
            count(cell.dead),
            count(cell.exploded),
            format!("{:.3}", cell.seconds),
        ]);
        written.expect("a line is written to memory");
    }
    let lines = lines.into_inner().expect("memory takes it");
    String::from_utf8(lines).expect("fields are text")
}

/// A value without quotes; nothing for none.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
