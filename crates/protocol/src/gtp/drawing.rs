//! The board as GTP shows it: row 1 at the bottom, no column I.

use upstar_agents::gtp_names;
use upstar_games::{Board, Color};

use super::difference;
use crate::table::Table;

/// The board with its coordinates, and whose turn it is; it begins on a line of its own.
pub(super) fn board(table: &dyn Table) -> String {
    let setup = table.setup();
    let Board::Grid(grid) = &setup.board else {
        unreachable!("graphs are refused")
    };
    let letter = |col: usize| {
        let name = gtp_names::vertex(grid, grid.cell(0, col)).expect("columns have names");
        name[..1].to_owned()
    };
    let letters: Vec<String> = (0..grid.cols()).map(letter).collect();
    let head = format!("   {}", letters.join(" "));
    let mut lines = vec![String::new(), head.clone()];
    for row in 0..grid.rows() {
        let number = grid.rows() - row;
        let cells = (0..grid.cols()).map(|col| setup.letter(grid.cell(row, col)).to_string());
        let cells: Vec<String> = cells.collect();
        lines.push(format!("{number:>2} {} {number}", cells.join(" ")));
    }
    lines.push(head);
    lines.push(match (table.score(), table.to_move()) {
        (Some(score), _) => format!("over: {}", difference(score)),
        (None, Color::Black) => "black (x) to move".to_owned(),
        (None, Color::White) => "white (o) to move".to_owned(),
    });
    lines.join("\n")
}
