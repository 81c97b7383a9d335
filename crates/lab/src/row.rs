//! One row of a table: what was varied and what was measured, by the names of the columns.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use upstar_games::othello::{self, Opening};
use upstar_games::{Color, Grid, Othello, Position, Rules};

use crate::procedure::Problem;

/// Values by the names of their columns, as they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row(pub(crate) BTreeMap<String, String>);

impl Row {
    /// The value of a column; `None` if there is none, or it is empty.
    #[must_use]
    pub fn get(&self, column: &str) -> Option<&str> {
        let value = self.0.get(column).map(String::as_str);
        value.filter(|value| !value.is_empty() && *value != "not_stated")
    }

    /// Whether all these columns have these values.
    pub(crate) fn has(&self, values: &BTreeMap<String, String>) -> bool {
        let here = |(column, value): (&String, &String)| self.get(column) == Some(value);
        values.iter().all(here)
    }

    /// The value of a column that must be there.
    pub(crate) fn text(&self, column: &str) -> Result<&str, Problem> {
        self.get(column)
            .ok_or_else(|| Problem::new(format!("there is no {column} in this row")))
    }

    /// The value of a column that must be there, read as something else.
    pub(crate) fn read<T: FromStr<Err: Display>>(&self, column: &str) -> Result<T, Problem> {
        let text = self.text(column)?;
        text.parse()
            .map_err(|error| Problem::new(format!("{column} is '{text}': {error}")))
    }

    /// The same, or something else if there is none.
    pub(crate) fn read_or<T: FromStr<Err: Display>>(
        &self,
        column: &str,
        otherwise: T,
    ) -> Result<T, Problem> {
        match self.get(column) {
            Some(_) => self.read(column),
            None => Ok(otherwise),
        }
    }

    /// The board, `4x5`.
    pub(crate) fn board(&self) -> Result<String, Problem> {
        if let Some(board) = self.get("board") {
            return Ok(board.to_owned());
        }
        let (rows, cols) = match self.get("board_rows") {
            Some(rows) => (rows, self.text("board_cols")?),
            None => (self.text("board_height")?, self.text("board_width")?),
        };
        Ok(format!("{rows}x{cols}"))
    }

    /// Othello on the board, and its start.
    pub(crate) fn othello(&self) -> Result<(Othello<u64>, Position<u64>), Problem> {
        let grid: Grid = self.board()?.parse().map_err(Problem::new)?;
        let game = Othello::new(grid);
        let setup = othello::start(grid, Opening::DIAGONAL)
            .ok_or_else(|| Problem::new(format!("there is no start on {grid}")))?;
        let start = game.position(&setup, Color::Black).map_err(Problem::new)?;
        Ok((game, start))
    }

    /// A text in which `{column}` stands for that column's value.
    pub(crate) fn filled(&self, pattern: &str) -> Result<String, Problem> {
        let mut text = String::new();
        let mut rest = pattern;
        while let Some((before, after)) = rest.split_once('{') {
            let (column, after) = after
                .split_once('}')
                .ok_or_else(|| Problem::new(format!("'{pattern}' lacks a closing brace")))?;
            text += before;
            text += self.text(column)?;
            rest = after;
        }
        Ok(text + rest)
    }
}
