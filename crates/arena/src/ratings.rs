//! Ratings of many players from all their games together: the model of Bradley and Terry (1952).
//!
//! The chance to win depends on the difference of two ratings as Elo's formula says; a draw counts as
//! half a win and half a loss. Ratings of greatest likelihood are found by Newton's method, errors come from the
//! information matrix. They exist only among players who are linked by points in both
//! directions (Ford 1957); who stands outside has scored all or nothing against them, and gets a bound.

use serde::{Deserialize, Serialize};

use crate::elo::{Counts, SIGMAS};

/// Elo points of one unit of log-odds.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The results of every player against every other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossTable {
    players: usize,
    /// The results of row against column, all rows in a line.
    cells: Vec<Counts>,
}

impl CrossTable {
    /// A table of so many players without games.
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self {
            players,
            cells: vec![Counts::default(); players * players],
        }
    }

    /// How many players there are.
    #[must_use]
    pub fn players(&self) -> usize {
        self.players
    }

    /// Counts a game: 2 half points are a win of the first player, 1 a draw, 0 a loss.
    pub fn add(&mut self, player: usize, opponent: usize, half_points: u8) {
        self.cells[player * self.players + opponent].add(half_points);
        self.cells[opponent * self.players + player].add(2 - half_points);
    }

    /// Counts all of these games of the first player.
    pub fn add_all(&mut self, player: usize, opponent: usize, counts: Counts) {
        self.cells[player * self.players + opponent].merge(counts);
        self.cells[opponent * self.players + player].merge(counts.reversed());
    }

    /// The results of a player against another.
    #[must_use]
    pub fn between(&self, player: usize, opponent: usize) -> Counts {
        self.cells[player * self.players + opponent]
    }

    /// The results of a player against all others.
    #[must_use]
    pub fn of(&self, player: usize) -> Counts {
        let row = &self.cells[player * self.players..][..self.players];
        let mut all = Counts::default();
        row.iter().for_each(|&cell| all.merge(cell));
        all
    }
}

/// How strong a player is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Rating {
    /// So strong.
    Known {
        /// The rating.
        elo: f64,
        /// Half the width of its 95 % interval.
        error: f64,
    },
    /// Stronger than all who are rated: it has lost no point to them.
    Above {
        /// It is stronger than this, with 97.5 % confidence, if it has met them.
        bound: Option<f64>,
    },
    /// Weaker than all who are rated: it has won no point from them.
    Below {
        /// It is weaker than this, with 97.5 % confidence, if it has met them.
        bound: Option<f64>,
    },
    /// Nothing links it with those who are rated.
    Apart,
}

impl Rating {
    /// The number to sort by: greater is stronger.
    #[must_use]
    pub fn order(&self) -> (i8, f64) {
        match *self {
            Self::Above { bound } => (2, bound.unwrap_or(0.0)),
            Self::Known { elo, .. } => (1, elo),
            Self::Below { bound } => (0, bound.unwrap_or(0.0)),
            Self::Apart => (-1, 0.0),
        }
    }
}

/// The ratings of all players: that of `anchor` is 0, or the mean of all rated ones.
///
/// Rated are the players linked with the anchor by points in both directions; without an anchor the
/// largest such group, and of several equally large ones that of the first player.
///
/// # Panics
/// If there is no such anchor.
#[must_use]
pub fn ratings(table: &CrossTable, anchor: Option<usize>) -> Vec<Rating> {
    let players = table.players;
    assert!(
        anchor.is_none_or(|anchor| anchor < players),
        "an anchor is a player"
    );
    let reach = reach(table);
    let group = |player: usize| -> Vec<usize> {
        let linked =
            |&other: &usize| other == player || reach[player][other] && reach[other][player];
        (0..players).filter(linked).collect()
    };
    let chosen = match anchor {
        Some(anchor) => group(anchor),
        None => (0..players)
            .map(group)
            .reduce(|best, next| if next.len() > best.len() { next } else { best })
            .unwrap_or_default(),
    };
    let strengths = strengths(table, &chosen);
    let covariance = covariance(table, &chosen, &strengths);
    let base = anchor.and_then(|anchor| chosen.iter().position(|&player| player == anchor));
    let zero = base.map_or(0.0, |base| strengths[base]);
    let elos: Vec<f64> = strengths.iter().map(|s| SCALE * (s - zero)).collect();
    (0..players)
        .map(
            |player| match chosen.iter().position(|&other| other == player) {
                Some(place) => {
                    let mut variance = covariance[place][place];
                    if let Some(base) = base {
                        variance += covariance[base][base] - 2.0 * covariance[place][base];
                    }
                    Rating::Known {
                        elo: elos[place],
                        error: SIGMAS * SCALE * variance.max(0.0).sqrt(),
                    }
                }
                None => {
                    let first = chosen[0];
                    let met = chosen
                        .iter()
                        .zip(&elos)
                        .map(|(&other, &elo)| (elo, table.between(player, other).games() as f64));
                    let met: Vec<(f64, f64)> = met.filter(|&(_, games)| games > 0.0).collect();
                    if reach[player][first] {
                        Rating::Above {
                            bound: bound(&met, 1.0),
                        }
                    } else if reach[first][player] {
                        Rating::Below {
                            bound: bound(&met, -1.0),
                        }
                    } else {
                        Rating::Apart
                    }
                }
            },
        )
        .collect()
}

/// Whether points lead from a player to another: it has scored against her, or against one who has, …
fn reach(table: &CrossTable) -> Vec<Vec<bool>> {
    let players = table.players;
    let scored = |a, b| table.between(a, b).points() > 0.0;
    let mut reach: Vec<Vec<bool>> = (0..players)
        .map(|a| (0..players).map(|b| scored(a, b)).collect())
        .collect();
    for middle in 0..players {
        let onward = reach[middle].clone();
        for row in &mut reach {
            if row[middle] {
                row.iter_mut()
                    .zip(&onward)
                    .for_each(|(to, &further)| *to |= further);
            }
        }
    }
    reach
}

/// The rating at which winning all of these games, `(opponent's rating, number)`, has a chance of
/// 2.5 %; with sign −1 the one at which losing all has.
fn bound(met: &[(f64, f64)], sign: f64) -> Option<f64> {
    let (first, _) = met.first()?;
    let log_chance = |elo: f64| -> f64 {
        let log =
            |&(other, games): &(f64, f64)| -games * (-sign * (elo - other) / SCALE).exp().ln_1p();
        met.iter().map(log).sum()
    };
    let (mut weak, mut strong) = (first - sign * 10_000.0, first + sign * 10_000.0);
    for _ in 0..100 {
        let middle = 0.5 * (weak + strong);
        if log_chance(middle) < 0.025f64.ln() {
            weak = middle;
        } else {
            strong = middle;
        }
    }
    Some(weak)
}

/// The log-odds of greatest likelihood for players who are all linked; their mean is 0.
fn strengths(table: &CrossTable, group: &[usize]) -> Vec<f64> {
    let count = group.len();
    let mut strengths = vec![0.0; count];
    let mut likelihood = log_likelihood(table, group, &strengths);
    for _ in 0..200 {
        let gradient: Vec<f64> = (0..count)
            .map(|i| {
                let against = |j: usize| {
                    let cell = table.between(group[i], group[j]);
                    cell.points() - cell.games() as f64 * chance(strengths[i] - strengths[j])
                };
                (0..count).filter(|&j| j != i).map(against).sum()
            })
            .collect();
        let step: Vec<f64> = covariance(table, group, &strengths)
            .iter()
            .map(|row| row.iter().zip(&gradient).map(|(c, g)| c * g).sum())
            .collect();
        let greatest = step
            .iter()
            .fold(0.0, |most: f64, s: &f64| most.max(s.abs()));
        if greatest < 1e-12 {
            break;
        }
        // The likelihood is concave: a step that was too long is halved until it helps.
        let mut share = (2.0 / greatest).min(1.0);
        let moved = loop {
            let moved: Vec<f64> = strengths
                .iter()
                .zip(&step)
                .map(|(s, d)| s + share * d)
                .collect();
            let reached = log_likelihood(table, group, &moved);
            if reached > likelihood || share < 1e-6 {
                likelihood = reached;
                break moved;
            }
            share /= 2.0;
        };
        strengths = moved;
    }
    let mean = strengths.iter().sum::<f64>() / count.max(1) as f64;
    strengths.iter_mut().for_each(|s| *s -= mean);
    strengths
}

fn log_likelihood(table: &CrossTable, group: &[usize], strengths: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (i, &player) in group.iter().enumerate() {
        for (j, &opponent) in group.iter().enumerate() {
            let points = table.between(player, opponent).points();
            if points > 0.0 {
                sum -= points * (strengths[j] - strengths[i]).exp().ln_1p();
            }
        }
    }
    sum
}

fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The inverse of the information matrix among ratings whose sum is fixed.
fn covariance(table: &CrossTable, group: &[usize], strengths: &[f64]) -> Vec<Vec<f64>> {
    let count = group.len();
    // Adding the same to every entry makes the matrix regular; it is taken away again below.
    let even = 1.0 / count.max(1) as f64;
    let mut matrix = vec![vec![even; count]; count];
    for i in 0..count {
        for j in 0..count {
            if i != j {
                let p = chance(strengths[i] - strengths[j]);
                let weight = table.between(group[i], group[j]).games() as f64 * p * (1.0 - p);
                matrix[i][j] -= weight;
                matrix[i][i] += weight;
            }
        }
    }
    let mut inverse = inverse(matrix);
    inverse
        .iter_mut()
        .flatten()
        .for_each(|entry| *entry -= even);
    inverse
}

/// The inverse of a positive definite matrix, by elimination.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    let unit = |i: usize| (0..count).map(|j| f64::from(u8::from(i == j))).collect();
    let mut inverse: Vec<Vec<f64>> = (0..count).map(unit).collect();
    for pivot in 0..count {
        let scale = 1.0 / matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|entry| *entry *= scale);
        inverse[pivot].iter_mut().for_each(|entry| *entry *= scale);
        let (row, inverse_row) = (matrix[pivot].clone(), inverse[pivot].clone());
        for i in (0..count).filter(|&i| i != pivot) {
            let factor = matrix[i][pivot];
            if factor != 0.0 {
                let take = |(entry, by): (&mut f64, &f64)| *entry -= factor * by;
                matrix[i].iter_mut().zip(&row).for_each(take);
                inverse[i].iter_mut().zip(&inverse_row).for_each(take);
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::Results;

    fn table(players: usize, results: &[(usize, usize, &str)]) -> CrossTable {
        let mut table = CrossTable::new(players);
        for &(a, b, counts) in results {
            table.add_all(a, b, counts.parse().unwrap());
        }
        table
    }

    fn known(rating: Rating) -> (f64, f64) {
        match rating {
            Rating::Known { elo, error } => (elo, error),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn two_players_differ_as_their_score_says() {
        let table = table(2, &[(0, 1, "+60 -40")]);
        let anchored = ratings(&table, Some(1));
        let estimate = Results::from(table.between(0, 1)).estimate();
        let (elo, error) = known(anchored[0]);
        assert!((elo - estimate.elo.unwrap()).abs() < 1e-9);
        assert!((error - estimate.error.unwrap()).abs() < 3.0, "{error}");
        assert_eq!(known(anchored[1]), (0.0, 0.0));
        let centred = ratings(&table, None);
        assert!((known(centred[0]).0 - elo / 2.0).abs() < 1e-9);
        assert!((known(centred[1]).0 + elo / 2.0).abs() < 1e-9);
        assert!((known(centred[0]).1 - error / 2.0).abs() < 1e-9);
    }

    /// At the maximum every player's points are those that the ratings expect.
    #[test]
    fn points_are_as_expected() {
        let results = [
            (0, 1, "+7 -3 =2"),
            (0, 2, "+30 -1"),
            (1, 2, "+5 -5 =1"),
            (2, 3, "+900 -1"),
            (3, 0, "+1 -99"),
        ];
        let table = table(4, &results);
        let elo: Vec<f64> = ratings(&table, None)
            .into_iter()
            .map(|r| known(r).0)
            .collect();
        assert!(elo.iter().sum::<f64>().abs() < 1e-6);
        for i in 0..4 {
            let expected: f64 = (0..4)
                .map(|j| table.between(i, j).games() as f64 * chance((elo[i] - elo[j]) / SCALE))
                .sum();
            assert!((expected - table.of(i).points()).abs() < 1e-6, "{i}");
        }
    }

    #[test]
    fn who_always_wins_or_loses_gets_a_bound() {
        let results = [(0, 1, "+10"), (0, 2, "+10"), (1, 2, "+5 -5"), (1, 3, "+3")];
        let mut all = table(6, &results);
        all.add(4, 5, 1);
        let rated = ratings(&all, None);
        let (first, second) = (known(rated[1]).0, known(rated[2]).0);
        assert!((first - second).abs() < 1e-9);
        let Rating::Above { bound: Some(bound) } = rated[0] else {
            panic!("{:?}", rated[0]);
        };
        // 0.025^(1/20) = 0.83157
        assert!((bound - first - 277.387).abs() < 0.1, "{bound}");
        let Rating::Below { bound: Some(bound) } = rated[3] else {
            panic!("{:?}", rated[3]);
        };
        // 0.025^(1/3) = 0.29240
        assert!((bound - first - 153.5).abs() < 0.1, "{bound}");
        assert_eq!(rated[4], Rating::Apart);
        // An anchor moves to its own group.
        assert!(matches!(ratings(&all, Some(5))[4], Rating::Known { elo, .. } if elo == 0.0));
        let order: Vec<_> = rated.iter().map(Rating::order).collect();
        assert!(order[0] > order[1] && order[1] > order[3] && order[3] > order[4]);
    }

    #[test]
    fn no_games_and_no_players() {
        assert_eq!(ratings(&CrossTable::new(0), None), []);
        let lonely = ratings(&CrossTable::new(2), None);
        assert_eq!(known(lonely[0]), (0.0, 0.0));
        assert_eq!(lonely[1], Rating::Apart);
    }
}
