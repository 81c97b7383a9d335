//! A board as others write it.

use serde::Serialize;
use upstar_arena::Record;
use upstar_arena::othello::{ggf, records};
use upstar_games::{AnyGame, Board as AnyBoard, Cell, Variant};

use crate::board::Board;
use crate::error::Refused;

/// A text, and how a file of it is called.
#[derive(Serialize)]
pub(crate) struct Exported {
    text: String,
    file: &'static str,
    mime: &'static str,
}

pub(crate) fn export(board: &Board, format: &str) -> Result<Exported, Refused> {
    let now = board.now();
    let exported = |text: String, file, mime| Exported { text, file, mime };
    let plain = |text, file| Ok(exported(text, file, "text/plain"));
    match format {
        "text" => plain(position_text(now), "position.txt"),
        "svg" => {
            let svg = now.svg(None).map_err(Refused::input)?;
            Ok(exported(svg, "position.svg", "image/svg+xml"))
        }
        "latex" => plain(latex(now), "position.tex"),
        "cgsuite" => plain(cgsuite(now)?, "position.cgs"),
        "obf" => {
            let mut last = record(board);
            last.start = now.to_string();
            last.position.clone_from(&last.start);
            last.to_move = now.side_to_move().letter();
            last.moves.clear();
            last.winner = None;
            plain(
                records::to_obf(&last).map_err(Refused::input)?,
                "position.obf",
            )
        }
        "ggf" => plain(
            ggf::write(&record(board)).map_err(Refused::input)?,
            "game.ggf",
        ),
        "transcript" => {
            let text = records::to_transcript(&record(board)).map_err(Refused::input)?;
            plain(text, "game.txt")
        }
        "openspiel" => plain(openspiel(board)?, "history.txt"),
        _ => Err(Refused::input(
            "formats are text, svg, latex, cgsuite, obf, ggf, transcript and openspiel",
        )),
    }
}

/// One word of a shell after another, as verbs take them.
fn position_text(game: &AnyGame) -> String {
    let side = game.side_to_move().letter();
    match side {
        'x' => game.to_string(),
        side => format!("{game} --to-move {side}"),
    }
}

/// The board as an array of LaTeX.
fn latex(game: &AnyGame) -> String {
    let setup = game.setup();
    let AnyBoard::Grid(grid) = &setup.board else {
        return format!("\\texttt{{{}}}", game.to_string().replace('#', "\\#"));
    };
    let symbol = |cell: Cell| match setup.letter(cell) {
        'x' => r"\bullet",
        'o' => r"\circ",
        '.' => r"\cdot",
        '#' => "",
        't' => r"\triangle",
        's' => r"\square",
        'd' => r"\diamond",
        _ => r"\star",
    };
    let row = |row| {
        let cells = (0..grid.cols()).map(|col| symbol(grid.cell(row, col)));
        cells.collect::<Vec<_>>().join(" & ")
    };
    let rows: Vec<String> = (0..grid.rows()).map(row).collect();
    let columns = "c".repeat(grid.cols());
    format!(
        "$\\begin{{array}}{{{columns}}}\n{}\n\\end{{array}}$\n",
        rows.join(" \\\\\n")
    )
}

/// The position in CGSuite's own game of Clobber.
fn cgsuite(game: &AnyGame) -> Result<String, Refused> {
    let grid = matches!(game.board(), AnyBoard::Grid(_));
    match game.variant() {
        Variant::Clobber if grid && !game.to_string().contains('#') => {
            Ok(format!("game.grid.Clobber(\"{game}\")"))
        }
        _ => Err(Refused::input(
            "CGSuite has Clobber on boards without holes only",
        )),
    }
}

/// A record of the game on the board.
fn record(board: &Board) -> Record {
    let (start, now) = (board.start(), board.now());
    let (moves, side) = (board.moves.clone(), start.side_to_move());
    Record::of_moves(start.variant(), &start.setup(), side, moves, now.result())
}

/// The number of a move, if it has one.
type Action = fn(&AnyGame, &str) -> Option<usize>;

/// The game as OpenSpiel has it: its name of the game, and the history as numbers of actions. There
/// Clobber's `o` begins, with the colours exchanged, and rows count from the bottom, which numbers do not show.
fn openspiel(board: &Board) -> Result<String, Refused> {
    let start = board.start();
    let refused = |sentence: &str| Err(Refused::input(sentence));
    let AnyBoard::Grid(grid) = start.board() else {
        return refused("OpenSpiel has grids only");
    };
    let size = format!("{}x{}", grid.rows(), grid.cols());
    let usual = AnyGame::parse(&start.variant().to_string(), &size);
    if usual.ok().as_ref() != Some(start) {
        return refused("OpenSpiel knows games from the usual start only");
    }
    let (name, action): (String, Action) = match start.variant() {
        Variant::Clobber => (
            format!("clobber(rows={},columns={})", grid.rows(), grid.cols()),
            clobber_action,
        ),
        _ if start.variant().to_string() == "othello" && size == "8x8" => {
            ("othello".to_owned(), othello_action)
        }
        _ => return refused("OpenSpiel has Clobber and Othello on 8x8"),
    };
    let actions = board.moves.iter().map(|mv| action(start, mv));
    let actions: Option<Vec<usize>> = actions.collect();
    let Some(actions) = actions else {
        return refused("a move has no number in OpenSpiel");
    };
    let actions: Vec<String> = actions.iter().map(ToString::to_string).collect();
    Ok(format!("{name}\n{}\n", actions.join(" ")))
}

/// ((row from the top × columns) + column) × 4 + direction: up, right, down, left.
fn clobber_action(game: &AnyGame, mv: &str) -> Option<usize> {
    let AnyBoard::Grid(grid) = game.board() else {
        return None;
    };
    let (from, to) = game.path(mv)?;
    let ((row, col), (to_row, to_col)) = (grid.row_and_col(from), grid.row_and_col(to));
    let direction = match (to_row.cmp(&row), to_col.cmp(&col)) {
        (std::cmp::Ordering::Less, _) => 0,
        (_, std::cmp::Ordering::Greater) => 1,
        (std::cmp::Ordering::Greater, _) => 2,
        _ => 3,
    };
    Some((row * grid.cols() + col) * 4 + direction)
}

fn othello_action(game: &AnyGame, mv: &str) -> Option<usize> {
    match mv {
        "pass" => Some(64),
        mv => game.path(mv).map(|(cell, _)| cell.index()),
    }
}
