//! The board as GTP shows it, with the names that its moves have.

use upstar_agents::gtp_names::Coordinates;
use upstar_games::{AnyGame, Color, Grid};

use super::{difference, score};

/// The board with its coordinates, and whose turn it is; it begins on a line of its own.
pub(super) fn board(game: &AnyGame, grid: &Grid, coordinates: Coordinates) -> String {
    let setup = game.setup();
    let name = |row, col| {
        let name = coordinates.vertex(grid, grid.cell(row, col));
        let name = name.expect("cells have names");
        let digits = name.find(|letter: char| letter.is_ascii_digit());
        let (letters, number) = name.split_at(digits.expect("names have a number"));
        (letters.to_owned(), number.to_owned())
    };
    let letters: Vec<String> = (0..grid.cols()).map(|col| name(0, col).0).collect();
    let head = format!("   {}", letters.join(" "));
    let mut lines = vec![String::new(), head.clone()];
    for row in 0..grid.rows() {
        let number = name(row, 0).1;
        let cells = (0..grid.cols()).map(|col| setup.letter(grid.cell(row, col)).to_string());
        let cells: Vec<String> = cells.collect();
        lines.push(format!("{number:>2} {} {number}", cells.join(" ")));
    }
    lines.push(head);
    lines.push(match game.result() {
        Some(result) => format!("over: {}", difference(score(result))),
        None if game.side_to_move() == Color::Black => "black (x) to move".to_owned(),
        None => "white (o) to move".to_owned(),
    });
    lines.join("\n")
}
