//! Networks that learn positions of a solved board, and how well they sort moves (cammel2015,
//! chapter 4).
//!
//! What counts are the nodes of the game tree: a position that is reached in several ways is learned
//! and counted as often. A network *misses* a node if its children, in the order of the network's
//! predictions, contradict the order of their true results. The result is *good* if the best-rated
//! child is as good as any. Shares are of all nodes but those with one child, ends of games included:
//! 105,013 on 4x4, by which the numbers of misses in the text (2,709 and 3,883) are the percentages
//! of the tables (97.42 and 96.30).

use upstar_games::othello::Opening;
use upstar_games::{Cells, Color, Game, Grid, Position, Random, Rules, Variant};
use upstar_nets::{Encoder, Initial, Judge, Network, Shape};
use upstar_train::solved;

use super::{Lot, Problem};
use crate::row::Row;
use crate::sample::{Found, Measured};

/// Boards with more positions take too long.
const MOST: usize = 2_000_000;

/// Presentations between two looks at whether to go on.
const BUNDLE: u64 = 100_000;

pub(super) fn run(lot: &Lot<'_>) -> Result<Found, Problem> {
    let board = Board::new(lot.row())?;
    let mut seeds = Random::new(lot.seed);
    let mut train = |row: &Row, extra: &[bool]| -> Result<Judged, Problem> {
        let mut random = Random::new(seeds.bits());
        let network = board.train(lot, row, extra, &mut random)?;
        board.judge(&network)
    };
    let values = match lot.row().get("mode") {
        Some("overlap") => {
            let row = |hidden: u32| {
                let mut row = lot.row().clone();
                row.0
                    .insert("hidden_neurons".to_owned(), hidden.to_string());
                row
            };
            let judged = (1..=10).map(|hidden| train(&row(hidden), &[]));
            let judged: Vec<Judged> = judged.collect::<Result<_, _>>()?;
            let overlap = |row: &&Row| -> Result<Measured, Problem> {
                let of = |column| -> Result<&Judged, Problem> {
                    Ok(&judged[row.read::<usize>(column)? - 1])
                };
                let (base, other) = (of("row_hidden_neurons")?, of("column_hidden_neurons")?);
                Ok(Measured::Number(base.overlap(&board, other)))
            };
            lot.rows.iter().map(overlap).collect::<Result<_, _>>()?
        }
        Some("by-empty-cells") => {
            let judged = train(lot.row(), &[])?;
            let share = |row: &&Row| -> Result<Measured, Problem> {
                let empty = row.read("empty_cells")?;
                Ok(Measured::Number(judged.share_of_misses(&board, empty)))
            };
            lot.rows.iter().map(share).collect::<Result<_, _>>()?
        }
        mode => {
            let first = lot.rows.iter().map(|row| train(row, &[]));
            let mut judged: Vec<Judged> = first.collect::<Result<_, _>>()?;
            if mode == Some("common-misses") {
                let missed = (0..board.parents.len())
                    .map(|parent| judged.iter().all(|judged| judged.missed[parent]));
                let missed: Vec<bool> = missed.collect();
                let again = lot.rows.iter().map(|row| train(row, &missed));
                judged = again.collect::<Result<_, _>>()?;
            }
            let measures = &lot.table.measures;
            judged
                .iter()
                .zip(&lot.rows)
                .flat_map(|(judged, row)| {
                    measures.iter().map(|measure| {
                        let quantity = row.get("quantity").unwrap_or(&measure.column);
                        judged.value(&board, quantity)
                    })
                })
                .collect()
        }
    };
    Ok(Found::values(values))
}

/// A solved board: its positions as inputs, and which are children of which.
struct Board {
    shape: Shape,
    inputs: Vec<Vec<f32>>,
    targets: Vec<f32>,
    /// How many nodes of the tree each of these positions is.
    ways: Vec<u32>,
    parents: Vec<Parent>,
    /// How many nodes shares are of.
    counted: u32,
}

/// A position with several moves.
struct Parent {
    /// Its own place among the examples; the start has none.
    place: Option<usize>,
    /// How many nodes of the tree it is.
    ways: u32,
    to_move: Color,
    empty: u32,
    children: Vec<usize>,
}

/// How well a network does.
struct Judged {
    error: f64,
    good: f64,
    sorted: f64,
    missed: Vec<bool>,
}

impl Judged {
    /// The share of these misses that the other network misses too, in percent.
    fn overlap(&self, board: &Board, other: &Self) -> f64 {
        let pairs = self.missed.iter().zip(&other.missed);
        let both: Vec<bool> = pairs.map(|(a, b)| *a && *b).collect();
        let [both, ours] = [&both, &self.missed].map(|missed| board.nodes(missed));
        100.0 * f64::from(both) / f64::from(ours.max(1))
    }

    /// The share of its misses that are positions with so many empty cells, in percent.
    fn share_of_misses(&self, board: &Board, empty: u32) -> f64 {
        let parents = board.parents.iter().zip(&self.missed);
        let here: Vec<bool> = parents
            .map(|(parent, missed)| *missed && parent.empty == empty)
            .collect();
        let [here, all] = [&here, &self.missed].map(|missed| board.nodes(missed));
        100.0 * f64::from(here) / f64::from(all.max(1))
    }

    fn value(&self, board: &Board, quantity: &str) -> Measured {
        Measured::Number(match quantity {
            "mean_absolute_error" => self.error,
            "good_result_percent" => self.good,
            "misses" => f64::from(board.nodes(&self.missed)),
            _ => self.sorted,
        })
    }
}

impl Board {
    fn new(row: &Row) -> Result<Self, Problem> {
        let grid: Grid = row.board()?.parse().map_err(Problem::new)?;
        let (game, start) = row.othello()?;
        let encoder = match row.text("inputs")? {
            "17" => Encoder::Cammel2015Cells,
            "22" => Encoder::Cammel2015Comparisons,
            _ => Encoder::Cammel2015,
        };
        let activation = row.read("activation")?;
        let shape = Shape {
            game: Variant::Othello(Opening::Diagonal),
            grid,
            encoder,
            hidden: vec![1],
            activation,
            output: activation,
        };
        let examples =
            solved(&game, &start, MOST).ok_or_else(|| Problem::new("the board is too large"))?;
        let places: std::collections::HashMap<Position<u64>, usize> = examples
            .iter()
            .enumerate()
            .map(|(place, example)| (example.position, place))
            .collect();
        // Any network of this kind sees the same.
        let network = Network::new(shape.clone(), Initial::Scaled, &mut Random::new(0));
        let mut judge = Judge::new(&network, &game, &start).map_err(Problem::new)?;
        let inputs = examples.iter().map(|example| {
            let trace = judge.look(&network, &game, &example.position, example.mover);
            trace.inputs.clone()
        });
        let inputs = inputs.collect();
        let targets = examples.iter().map(|example| match example.black_score {
            1.. => 0.0,
            0 => 0.5,
            _ => 1.0,
        });
        let children = |position: &Position<u64>| -> Vec<usize> {
            let next = |mv| places[&game.play_unchecked(position, mv)];
            game.moves(position).map(next).collect()
        };
        // Children are listed before their parents, so that from the end on all ways to a position are known.
        let mut ways = vec![0; examples.len()];
        let mut parents = Vec::new();
        let mut counted = 0;
        let places = (0..examples.len()).rev().map(Some);
        for place in std::iter::once(None).chain(places) {
            let position = place.map_or(start, |place| examples[place].position);
            let (own, children) = (place.map_or(1, |place| ways[place]), children(&position));
            children.iter().for_each(|&child| ways[child] += own);
            if children.len() != 1 {
                counted += own;
            }
            if children.len() > 1 {
                parents.push(Parent {
                    place,
                    ways: own,
                    to_move: game.to_move(&position),
                    empty: grid.len() as u32 - (position.own | position.opponent).len(),
                    children,
                });
            }
        }
        Ok(Self {
            shape,
            inputs,
            targets: targets.collect(),
            ways,
            parents,
            counted,
        })
    }

    /// How many nodes these parents are.
    fn nodes(&self, chosen: &[bool]) -> u32 {
        let parents = self.parents.iter().zip(chosen);
        let chosen = parents.filter(|(_, chosen)| **chosen);
        chosen.map(|(parent, _)| parent.ways).sum()
    }

    /// The share of nodes without these, in percent.
    fn share_without(&self, chosen: &[bool]) -> f64 {
        100.0 - 100.0 * f64::from(self.nodes(chosen)) / f64::from(self.counted)
    }

    /// Presents nodes drawn at random; those that are `missed` are in the urn three times.
    fn train(
        &self,
        lot: &Lot<'_>,
        row: &Row,
        missed: &[bool],
        random: &mut Random,
    ) -> Result<Network, Problem> {
        let shape = Shape {
            hidden: vec![row.read("hidden_neurons")?],
            ..self.shape.clone()
        };
        let shape = shape.checked().map_err(Problem::new)?;
        let initial: Initial = row.read("initial")?;
        let rate: f32 = row.read("learning_rate")?;
        let mut network = Network::new(shape, initial, random);
        let mut trace = network.trace();
        let mut times = self.ways.clone();
        let missed = self.parents.iter().zip(missed);
        for place in missed.filter_map(|(parent, missed)| parent.place.filter(|_| *missed)) {
            times[place] *= 3;
        }
        let places = times.iter().enumerate();
        let urn = places.flat_map(|(place, &times)| std::iter::repeat_n(place, times as usize));
        let urn: Vec<usize> = urn.collect();
        let presentations = lot.scaled(row.read("used_examples")?);
        for presentation in 0..presentations {
            if presentation % BUNDLE == 0 {
                lot.check()?;
            }
            let place = urn[random.below(urn.len() as u32) as usize];
            trace.inputs.copy_from_slice(&self.inputs[place]);
            network.forward(&mut trace);
            network.learn(&mut trace, self.targets[place], rate);
        }
        Ok(network)
    }

    fn judge(&self, network: &Network) -> Result<Judged, Problem> {
        let mut trace = network.trace();
        let outputs = self.inputs.iter().map(|inputs| {
            trace.inputs.copy_from_slice(inputs);
            network.forward(&mut trace)
        });
        let outputs: Vec<f32> = outputs.collect();
        let errors = outputs.iter().zip(&self.targets).zip(&self.ways);
        let error: f64 = errors
            .map(|((output, target), &ways)| f64::from(ways) * f64::from((output - target).abs()))
            .sum();
        let missed = self.parents.iter().map(|parent| {
            parent.children.iter().any(|&a| {
                let worse =
                    |&b: &usize| self.targets[a] < self.targets[b] && outputs[a] > outputs[b];
                parent.children.iter().any(worse)
            })
        });
        let missed: Vec<bool> = missed.collect();
        let bad = self.parents.iter().map(|parent| {
            let sign = -parent.to_move.sign() as f32;
            let best = |numbers: &[f32]| {
                let worth = parent.children.iter().map(|&child| sign * numbers[child]);
                worth.fold(f32::NEG_INFINITY, f32::max)
            };
            let (rated, optimum) = (best(&outputs), best(&self.targets));
            let mut children = parent.children.iter();
            let chosen = children.find(|&&child| sign * outputs[child] == rated);
            chosen.is_none_or(|&child| sign * self.targets[child] != optimum)
        });
        let bad: Vec<bool> = bad.collect();
        let nodes: u32 = self.ways.iter().sum();
        Ok(Judged {
            error: error / f64::from(nodes),
            good: self.share_without(&bad),
            sorted: self.share_without(&missed),
            missed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_those_of_the_tree_that_the_thesis_counts() {
        let row = [
            ("board", "4x4"),
            ("inputs", "17"),
            ("activation", "sigmoid"),
        ];
        let row = Row(row
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into());
        let board = Board::new(&row).unwrap();
        // With the start 224,821; the thesis says 224,822.
        assert_eq!(board.ways.iter().sum::<u32>(), 224_820);
        assert_eq!(board.counted, 105_013);
        let printed =
            |misses: f64| format!("{:.2}", 100.0 - 100.0 * misses / f64::from(board.counted));
        assert_eq!(printed(2709.0), "97.42");
        assert_eq!(printed(3883.0), "96.30");
    }
}
