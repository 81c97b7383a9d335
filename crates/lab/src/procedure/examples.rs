//! Networks that learn positions of a solved board, and how well they sort moves (cammel2015,
//! chapter 4).
//!
//! A network *misses* a position if its children, in the order of the network's predictions,
//! contradict the order of their true results. The result is *good* if the best-rated child is as
//! good as any.

use upstar_games::othello::{self, Opening};
use upstar_games::{Cells, Color, Game, Grid, Othello, Position, Random, Rules, Variant};
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
                Ok(Measured::Number(base.overlap(other)))
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
                .flat_map(|judged| measures.iter().map(|measure| judged.value(&measure.column)))
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
    parents: Vec<Parent>,
}

/// A position with moves.
struct Parent {
    /// Its own place among the examples; the start has none.
    place: Option<usize>,
    to_move: Color,
    empty: u32,
    children: Vec<usize>,
}

/// How well a network does.
struct Judged {
    error: f64,
    good: f64,
    missed: Vec<bool>,
}

impl Judged {
    fn sorted(&self) -> f64 {
        let sorted = self.missed.iter().filter(|missed| !**missed).count();
        100.0 * sorted as f64 / self.missed.len() as f64
    }

    /// The share of these misses that the other network misses too, in percent.
    fn overlap(&self, other: &Self) -> f64 {
        let pairs = self.missed.iter().zip(&other.missed);
        let both = pairs.filter(|(a, b)| **a && **b).count();
        let ours = self.missed.iter().filter(|missed| **missed).count();
        100.0 * both as f64 / ours.max(1) as f64
    }

    /// The share of its misses that are positions with so many empty cells, in percent.
    fn share_of_misses(&self, board: &Board, empty: u32) -> f64 {
        let parents = board.parents.iter().zip(&self.missed);
        let missed = parents.filter(|(_, missed)| **missed);
        let (mut here, mut all) = (0u32, 0u32);
        for (parent, _) in missed {
            here += u32::from(parent.empty == empty);
            all += 1;
        }
        100.0 * f64::from(here) / f64::from(all.max(1))
    }

    fn value(&self, column: &str) -> Measured {
        Measured::Number(match column {
            "mean_absolute_error" => self.error,
            "good_result_percent" => self.good,
            _ => self.sorted(),
        })
    }
}

impl Board {
    fn new(row: &Row) -> Result<Self, Problem> {
        let grid: Grid = row.board()?.parse().map_err(Problem::new)?;
        let game = Othello::<u64>::new(grid);
        let setup = othello::start(grid, Opening::Diagonal)
            .ok_or_else(|| Problem::new(format!("there is no start on {grid}")))?;
        let start = game.position(&setup, 0);
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
        let all = std::iter::once((None, start)).chain(
            examples
                .iter()
                .enumerate()
                .map(|(place, example)| (Some(place), example.position)),
        );
        let parents = all.filter(|(_, position)| !game.is_over(position));
        let parents = parents.map(|(place, position)| Parent {
            place,
            to_move: game.to_move(&position),
            empty: grid.len() as u32 - (position.own | position.opponent).len(),
            children: game
                .moves(&position)
                .map(|mv| places[&game.play_unchecked(&position, mv)])
                .collect(),
        });
        Ok(Self {
            shape,
            inputs,
            targets: targets.collect(),
            parents: parents.collect(),
        })
    }

    /// Presents examples drawn at random; those that are `missed` are in the urn three times.
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
        let mut urn: Vec<usize> = (0..self.inputs.len()).collect();
        let missed = self.parents.iter().zip(missed);
        for place in missed.filter_map(|(parent, missed)| parent.place.filter(|_| *missed)) {
            urn.extend([place; 2]);
        }
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
        let errors = outputs.iter().zip(&self.targets);
        let error: f64 = errors
            .map(|(output, target)| f64::from((output - target).abs()))
            .sum();
        let missed = self.parents.iter().map(|parent| {
            parent.children.iter().any(|&a| {
                let worse =
                    |&b: &usize| self.targets[a] < self.targets[b] && outputs[a] > outputs[b];
                parent.children.iter().any(worse)
            })
        });
        let good = self.parents.iter().filter(|parent| {
            let sign = match parent.to_move {
                Color::Black => -1.0,
                Color::White => 1.0,
            };
            let best = |numbers: &[f32]| {
                let worth = parent.children.iter().map(|&child| sign * numbers[child]);
                worth.fold(f32::NEG_INFINITY, f32::max)
            };
            let (rated, optimum) = (best(&outputs), best(&self.targets));
            let chosen = parent
                .children
                .iter()
                .find(|&&child| sign * outputs[child] == rated);
            chosen.is_some_and(|&child| sign * self.targets[child] == optimum)
        });
        Ok(Judged {
            error: error / outputs.len() as f64,
            good: 100.0 * good.count() as f64 / self.parents.len() as f64,
            missed: missed.collect(),
        })
    }
}
