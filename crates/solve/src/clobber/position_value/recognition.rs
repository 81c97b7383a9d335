//! Values that search proves: G is 0 if whoever begins loses, and G is V if whoever begins loses G − V.
//!
//! Some boards are far too large for their options to be valued, and yet worth 0, ∗ or a few ups.
//! For n·↑ there is a row of stones: x…xo with n + 1 of x is n·↑ for odd n and n·↑∗ for even n.

use upstar_cgt::{Dyadic, NumberUpStar, Outcome};
use upstar_games::{Board, Clobber, Color, Grid, Rules, Setup};

use super::super::solver::{Settings, Solver};
use super::super::value_tables::{Need, ValueTables};
use upstar_jobs::{Budget, Ledger, Unwatched};

/// Bytes for the search, beside its table of values.
const MEMORY: usize = 256 << 20;

/// Search on any board, with what it needs.
pub(super) struct Recognition {
    cannibal: bool,
    tables: ValueTables,
    ledger: Ledger,
}

impl Recognition {
    pub(super) fn new(cannibal: bool, tables: ValueTables, ledger: Ledger) -> Self {
        Self {
            cannibal,
            tables,
            ledger,
        }
    }

    /// Who wins, if that is found in time.
    pub(super) fn outcome(&mut self, setup: &Setup, budget: &Budget) -> Option<Outcome> {
        let stones = setup.occupied().count_ones() as usize;
        let rules = if self.cannibal {
            Clobber::<u128>::cannibal(setup.board.clone())
        } else {
            Clobber::new(setup.board.clone())
        };
        // A table that is there already, or else one that is made within about a second.
        let need = Need {
            board: &setup.board,
            stones,
            cannibal: self.cannibal,
            memory: usize::MAX,
            patient: false,
        };
        let table = self.tables.serving(need, budget, &Unwatched).ok()?;
        let settings = Settings {
            memory: table.bytes() + MEMORY.min(self.ledger.free() / 4),
            ledger: self.ledger.clone(),
            ..Settings::default()
        };
        let mut solver = Solver::new(&rules, stones, table, &settings).ok()?;
        let mut wins = |color| {
            let position = rules.position(setup, color).ok()?;
            solver.wins(&position, budget, &Unwatched).0
        };
        Some(match (wins(Color::Black)?, wins(Color::White)?) {
            (true, true) => Outcome::N,
            (true, false) => Outcome::L,
            (false, true) => Outcome::R,
            (false, false) => Outcome::P,
        })
    }

    /// The value of a position with this outcome, if it is n·↑ or n·↑∗ and that is proved in time.
    pub(super) fn value(
        &mut self,
        setup: &Setup,
        outcome: Outcome,
        budget: &Budget,
    ) -> Option<NumberUpStar> {
        let ups = |ups: i32, star: u32| NumberUpStar {
            number: Dyadic::ZERO,
            ups,
            star,
        };
        if outcome == Outcome::P {
            return Some(ups(0, 0));
        }
        // A cannibal's rows of stones are worth something else.
        let Board::Grid(grid) = setup.board else {
            return None;
        };
        if self.cannibal {
            return None;
        }
        let mut minus = |value| {
            let difference = with_negative(setup, &grid, value)?;
            self.outcome(&difference, budget)
        };
        let sign = match outcome {
            Outcome::L => 1,
            Outcome::R => -1,
            Outcome::N | Outcome::P => {
                let candidates = [ups(0, 1), ups(1, 1), ups(-1, 1)];
                return candidates
                    .into_iter()
                    .find(|&value| minus(value) == Some(Outcome::P));
            }
        };
        for count in 1.. {
            let candidates = [0, 1].map(|star| ups(sign * count, star));
            for value in candidates {
                match minus(value)? {
                    Outcome::P => return Some(value),
                    // Still worth more, or confused with it.
                    difference if difference == outcome || difference == Outcome::N => {}
                    _ => return None,
                }
            }
        }
        None
    }
}

/// A position and, beside it, the negative of n·↑ or n·↑∗; `None` if there is no room.
fn with_negative(setup: &Setup, grid: &Grid, value: NumberUpStar) -> Option<Setup> {
    let count = value.ups.unsigned_abs() as usize;
    let color = match value.ups > 0 {
        true => Color::White,
        false => Color::Black,
    };
    let mut row: Vec<Option<Color>> = Vec::new();
    if count > 0 {
        row.extend(vec![Some(color); count + 1]);
        row.push(Some(!color));
    }
    let has_star = count > 0 && count.is_multiple_of(2);
    if has_star != (value.star == 1) {
        row.extend([None, Some(Color::Black), Some(Color::White)]);
    }
    // To the right or below, where less board is needed.
    let right = (grid.rows(), grid.cols() + 1 + row.len(), 0, grid.cols() + 1);
    let below = (
        grid.rows() + 2,
        grid.cols().max(row.len()),
        grid.rows() + 1,
        0,
    );
    let (rows, cols, at_row, at_col) = [right, below].into_iter().min_by_key(|b| b.0 * b.1)?;
    let larger = Grid::new(rows, cols).ok()?;
    let mut sum = Setup::new(larger);
    for (row, col) in (0..grid.rows()).flat_map(|row| (0..grid.cols()).map(move |col| (row, col))) {
        if let Some(color) = setup.stone(grid.cell(row, col)) {
            sum.put(larger.cell(row, col), color);
        }
    }
    for (index, stone) in row.into_iter().enumerate() {
        if let Some(color) = stone {
            sum.put(larger.cell(at_row, at_col + index), color);
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::super::valuation::Valuation;
    use super::*;

    #[test]
    fn a_value_and_its_negative_are_nothing() {
        let mut valuation = Valuation::new(false, usize::MAX);
        for text in [".", "..|..|..|..|..", "........."] {
            let empty: Setup = text.parse().unwrap();
            let Board::Grid(grid) = empty.board else {
                unreachable!("a grid")
            };
            for ups in -4..=4 {
                for star in [0, 1] {
                    let value = NumberUpStar {
                        number: Dyadic::ZERO,
                        ups,
                        star,
                    };
                    let setup = with_negative(&empty, &grid, value).unwrap();
                    let found = valuation.value(&setup, &|| false).unwrap();
                    let negative = valuation.games().negative(found);
                    assert_eq!(
                        valuation.games().to_number_up_star(negative),
                        Some(value),
                        "{setup}"
                    );
                }
            }
        }
    }

    #[test]
    fn simple_values_are_recognised_and_no_others() {
        let (mut valuation, mut recognition) = (
            Valuation::new(false, usize::MAX),
            Recognition::new(false, ValueTables::in_memory(), Ledger::unlimited()),
        );
        let budget = Budget::unlimited();
        for text in [
            "xxo|.xo",
            "xxxxo",
            "xxo.xxo|....xo.",
            "ooxo|o..x",
            "xoxo",
            "xoxox",
            "xoxoxo",
            "xxoo",
        ] {
            let setup: Setup = text.parse().unwrap();
            let value = valuation.value(&setup, &|| false).unwrap();
            let outcome = recognition.outcome(&setup, &budget).unwrap();
            assert_eq!(outcome, valuation.games().outcome(value), "{text}");
            let found = recognition.value(&setup, outcome, &budget);
            assert_eq!(found, valuation.games().to_number_up_star(value), "{text}");
        }
    }
}
