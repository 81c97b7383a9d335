//! A table as a whole: are there more cells outside of their intervals than chance would put there, and do the
//! printed numbers rank rows and columns as ours do?

use std::collections::BTreeMap;

use serde::Serialize;

use crate::cell::{Cell, Verdict};
use crate::experiment::Experiment;
use crate::interval::mean;

/// How often a cell is outside of its interval by chance: they are 99 % intervals.
const OUTSIDE: f64 = 0.01;
/// With fewer numbers a rank correlation says nothing.
const FEWEST: usize = 4;

/// What the cells of a table say together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TableTest {
    /// Cells that could be compared: neither open nor without a printed number.
    pub compared: usize,
    /// Cells outside of their 99 % intervals, doubtful ones included.
    pub outside: usize,
    /// How many chance would put there.
    pub expected: f64,
    /// How likely chance puts so many or more there, if cells were independent of each other. (Cells of the same
    /// run are not, so a small number says less than it seems.)
    pub chance: f64,
    /// Spearman's rank correlation of printed numbers and ours, over all cells of the first measure.
    pub ranks: Option<f64>,
    /// The same for the means of rows, in tables that are a grid.
    pub row_ranks: Option<f64>,
    /// The same for the means of columns.
    pub column_ranks: Option<f64>,
}

impl TableTest {
    /// Tests the cells of a table.
    #[must_use]
    pub fn of(table: &Experiment, cells: &[Cell]) -> Self {
        let compared = cells.iter().filter(|cell| is_compared(cell));
        let (mut count, mut outside) = (0, 0);
        for cell in compared {
            count += 1;
            outside += usize::from(cell.verdict != Verdict::Agrees);
        }
        let pairs = pairs(table, cells);
        let numbers: Vec<[f64; 2]> = pairs.iter().map(|(_, pair)| *pair).collect();
        let along = |direction: usize| {
            let column = &table.grid.as_ref()?[direction];
            let mut groups: BTreeMap<&str, Vec<[f64; 2]>> = BTreeMap::new();
            for (id, pair) in &pairs {
                let value = table.row(*id).get(column)?;
                groups.entry(value).or_default().push(*pair);
            }
            let means = groups.values().map(|pairs| {
                let side = |which: usize| pairs.iter().map(|pair| pair[which]).collect::<Vec<_>>();
                [mean(&side(0)), mean(&side(1))]
            });
            rank_correlation(&means.collect::<Vec<_>>())
        };
        Self {
            compared: count,
            outside,
            expected: OUTSIDE * count as f64,
            chance: at_least(outside, count),
            ranks: rank_correlation(&numbers),
            row_ranks: along(0),
            column_ranks: along(1),
        }
    }
}

fn is_compared(cell: &Cell) -> bool {
    !matches!(cell.verdict, Verdict::Open(_) | Verdict::Unprinted)
}

/// Printed number and ours of each cell of the first measure.
fn pairs(table: &Experiment, cells: &[Cell]) -> Vec<(crate::CellId, [f64; 2])> {
    let by_name: BTreeMap<&str, &Cell> = cells
        .iter()
        .map(|cell| (cell.cell.as_str(), cell))
        .collect();
    let of_first = table.cells().filter(|id| id.measure == 0);
    let numbers = of_first.filter_map(|id| {
        let cell = by_name.get(table.cell_name(id).as_str())?;
        Some((id, [cell.paper.as_f64()?, cell.ours.as_f64()?]))
    });
    numbers.collect()
}

/// The chance of so many or more of `count` independent cells outside.
fn at_least(outside: usize, count: usize) -> f64 {
    // From the chance of none to that of one more, and so on.
    let mut exactly = (1.0 - OUTSIDE).powi(count as i32);
    let mut fewer = 0.0;
    for number in 0..outside {
        fewer += exactly;
        let next = (count - number) as f64 / (number + 1) as f64;
        exactly *= next * OUTSIDE / (1.0 - OUTSIDE);
    }
    // Far out the sum of the others has no digits left for it.
    let mut rest = 0.0;
    for number in outside..=count {
        rest += exactly;
        let next = (count - number) as f64 / (number + 1) as f64;
        exactly *= next * OUTSIDE / (1.0 - OUTSIDE);
    }
    if fewer < 0.5 { 1.0 - fewer } else { rest }
}

/// Spearman's: the correlation of ranks, equal numbers sharing theirs. `None` where there are too few numbers, or
/// all of one side are the same.
fn rank_correlation(pairs: &[[f64; 2]]) -> Option<f64> {
    if pairs.len() < FEWEST {
        return None;
    }
    let ranks = [0, 1].map(|side| ranks(pairs.iter().map(|pair| pair[side])));
    let middle = (pairs.len() as f64 - 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter()
            .zip(b)
            .map(|(a, b)| (a - middle) * (b - middle))
            .sum()
    };
    let [printed, ours] = &ranks;
    let size = (product(printed, printed) * product(ours, ours)).sqrt();
    (size > 0.0).then(|| product(printed, ours) / size)
}

fn ranks(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let numbers: Vec<f64> = numbers.collect();
    let rank = |number: &f64| {
        let below = numbers.iter().filter(|other| *other < number).count();
        let equal = numbers.iter().filter(|other| *other == number).count();
        below as f64 + (equal as f64 - 1.0) / 2.0
    };
    numbers.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the sum of all ways, for small numbers.
    #[test]
    fn chance_is_that_of_the_binomial_distribution() {
        let choose =
            |n: usize, k: usize| (0..k).fold(1.0, |all, i| all * (n - i) as f64 / (i + 1) as f64);
        for count in [1, 10, 60] {
            for outside in 0..=count.min(12) {
                let exact: f64 = (outside..=count)
                    .map(|k| {
                        let rest = (count - k) as i32;
                        choose(count, k) * OUTSIDE.powi(k as i32) * (1.0 - OUTSIDE).powi(rest)
                    })
                    .sum();
                let ours = at_least(outside, count);
                assert!(
                    (ours / exact - 1.0).abs() < 1e-6,
                    "{outside} of {count}: {ours} {exact}"
                );
            }
        }
        assert_eq!(at_least(0, 0), 1.0);
    }

    #[test]
    fn ranks_agree_or_are_turned_round() {
        let same = [[1.0, 10.0], [2.0, 20.0], [3.0, 21.0], [9.0, 22.0]];
        assert!((rank_correlation(&same).unwrap() - 1.0).abs() < 1e-12);
        let turned = same.map(|[a, b]| [a, -b]);
        assert!((rank_correlation(&turned).unwrap() + 1.0).abs() < 1e-12);
        assert_eq!(rank_correlation(&same[..3]), None);
        assert_eq!(rank_correlation(&same.map(|[a, _]| [a, 1.0])), None);
        // Two that share a rank have the one between.
        assert_eq!(ranks([5.0, 1.0, 5.0].into_iter()), [1.5, 0.0, 1.5]);
    }
}
