//! A solved board of Othello as examples for a network, and how well a network sorts its moves (cammel2015,
//! chapter 4).
//!
//! What counts are the nodes of the game tree: a position that is reached in several ways is learned
//! and counted as often. A network *misses* a node if its children, in the order of the network's
//! predictions, contradict the order of their true results. The result is *good* if the best-rated
//! child is as good as any. Shares are of all nodes but those with one child, ends of games included:
//! 105,013 on 4x4, by which the numbers of misses in the text (2,709 and 3,883) are the percentages
//! of the tables (97.42 and 96.30).

use upstar_games::othello::Opening;
use upstar_games::{Cells, Color, Game, Grid, Othello, Position, Random, Rules, Variant};
use upstar_jobs::Budget;
use upstar_nets::{Encoder, Initial, Judge, Network, Shape};
use upstar_train::solved;

use crate::misses::{Comparison, Pattern};
use crate::procedure::Problem;
use crate::row::Row;

/// Boards with more positions take too long.
const MOST: usize = 2_000_000;

/// Presentations between two looks at whether to go on.
const BUNDLE: u64 = 100_000;

/// How a network learns examples.
pub(crate) struct Lesson {
    pub(crate) hidden: usize,
    pub(crate) initial: Initial,
    pub(crate) rate: f32,
    pub(crate) presentations: u64,
}

/// A solved board: its positions as inputs, and which are children of which.
pub(crate) struct SolvedBoard {
    pub(crate) game: Othello<u64>,
    shape: Shape,
    inputs: Vec<Vec<f32>>,
    targets: Vec<f32>,
    /// How many nodes of the tree each of these positions is.
    ways: Vec<u32>,
    pub(crate) parents: Vec<Parent>,
    /// How many nodes shares are of.
    counted: u32,
}

/// A position with several moves.
pub(crate) struct Parent {
    pub(crate) position: Position<u64>,
    /// Its own place among the examples; the start has none.
    place: Option<usize>,
    /// How many nodes of the tree it is.
    pub(crate) ways: u32,
    to_move: Color,
    empty: u32,
    /// The places of its children, in the order of moves.
    children: Vec<usize>,
    pub(crate) pattern: Pattern,
}

/// How well a network does.
pub(crate) struct Judged {
    error: f64,
    good: f64,
    sorted: f64,
    /// Which parents are missed.
    pub(crate) missed: Vec<bool>,
    /// Of these, which between a corner and another cell.
    pub(crate) corner: Vec<bool>,
    /// Which parents have a best-rated child that is worse than another.
    pub(crate) bad: Vec<bool>,
    /// The move of each parent whose child is rated best, by its number among the moves.
    pub(crate) chosen: Vec<usize>,
}

impl Judged {
    /// The share of these misses that the other network misses too, in percent.
    pub(crate) fn overlap(&self, board: &SolvedBoard, other: &Self) -> f64 {
        let pairs = self.missed.iter().zip(&other.missed);
        let both: Vec<bool> = pairs.map(|(a, b)| *a && *b).collect();
        let [both, ours] = [&both, &self.missed].map(|missed| board.nodes(missed));
        100.0 * f64::from(both) / f64::from(ours.max(1))
    }

    /// The share of its misses that are positions with so many empty cells, in percent.
    pub(crate) fn share_of_misses(&self, board: &SolvedBoard, empty: u32) -> f64 {
        let parents = board.parents.iter().zip(&self.missed);
        let here: Vec<bool> = parents
            .map(|(parent, missed)| *missed && parent.empty == empty)
            .collect();
        let [here, all] = [&here, &self.missed].map(|missed| board.nodes(missed));
        100.0 * f64::from(here) / f64::from(all.max(1))
    }

    /// What the thesis calls by this name.
    pub(crate) fn value(&self, board: &SolvedBoard, quantity: &str) -> f64 {
        match quantity {
            "mean_absolute_error" => self.error,
            "good_result_percent" => self.good,
            "misses" => f64::from(board.nodes(&self.missed)),
            _ => self.sorted,
        }
    }

    /// The share of its misses that have a pattern, and that of all nodes with several moves, in percent. A choice
    /// between a corner and another cell counts as a pattern of misses; of nodes there is none.
    pub(crate) fn pattern_shares(
        &self,
        board: &SolvedBoard,
        pattern: &str,
    ) -> Result<[f64; 2], Problem> {
        let percent = |part: &[bool], whole: &[bool]| {
            let [part, whole] = [part, whole].map(|chosen| board.nodes(chosen));
            100.0 * f64::from(part) / f64::from(whole.max(1))
        };
        if pattern == "corner-choice" {
            return Ok([percent(&self.corner, &self.missed), 0.0]);
        }
        if !Pattern::NAMES.contains(&pattern) {
            return Err(Problem::new(format!("there is no pattern '{pattern}'")));
        }
        let parents = board.parents.iter();
        let here: Vec<bool> = parents
            .map(|parent| parent.pattern.name() == pattern)
            .collect();
        let pairs = here.iter().zip(&self.missed);
        let missed: Vec<bool> = pairs.map(|(here, missed)| *here && *missed).collect();
        let all = vec![true; here.len()];
        Ok([percent(&missed, &self.missed), percent(&here, &all)])
    }
}

impl SolvedBoard {
    pub(crate) fn new(row: &Row) -> Result<Self, Problem> {
        let grid: Grid = row.board()?.parse().map_err(Problem::new)?;
        let (game, start) = row.othello()?;
        let encoder = match row.text("inputs")? {
            "17" => Encoder::Cammel2015Cells,
            "22" => Encoder::Cammel2015Comparisons,
            _ => Encoder::Cammel2015,
        };
        let activation = row.read("activation")?;
        let shape = |encoder| Shape {
            game: Variant::Othello(Opening::DIAGONAL),
            grid,
            encoder,
            convolutions: Vec::new(),
            hidden: vec![1],
            activation,
            output: activation,
        };
        // Any network of a kind sees the same.
        let seeing = |encoder| Network::new(shape(encoder), Initial::Scaled, &mut Random::new(0));
        let examples =
            solved(&game, &start, MOST).ok_or_else(|| Problem::new("the board is too large"))?;
        let places: std::collections::HashMap<Position<u64>, usize> = examples
            .iter()
            .enumerate()
            .map(|(place, example)| (example.position, place))
            .collect();
        let network = seeing(encoder);
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
        let comparing = seeing(Encoder::Cammel2015Comparisons);
        let judge = Judge::new(&comparing, &game, &start).map_err(Problem::new)?;
        let mut comparisons = Comparisons { comparing, judge };
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
                    position,
                    pattern: comparisons.pattern(&game, &position),
                    place,
                    ways: own,
                    to_move: game.to_move(&position),
                    empty: grid.len() as u32 - (position.own | position.opponent).len(),
                    children,
                });
            }
        }
        Ok(Self {
            shape: shape(encoder),
            game,
            inputs,
            targets: targets.collect(),
            ways,
            parents,
            counted,
        })
    }

    /// How many nodes these parents are.
    pub(crate) fn nodes(&self, chosen: &[bool]) -> u32 {
        let parents = self.parents.iter().zip(chosen);
        let chosen = parents.filter(|(_, chosen)| **chosen);
        chosen.map(|(parent, _)| parent.ways).sum()
    }

    /// The share of nodes without these, in percent.
    fn share_without(&self, chosen: &[bool]) -> f64 {
        100.0 - 100.0 * f64::from(self.nodes(chosen)) / f64::from(self.counted)
    }

    /// Presents nodes drawn at random; those that are `missed` are in the urn three times.
    pub(crate) fn train(
        &self,
        lesson: &Lesson,
        missed: &[bool],
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Network, Problem> {
        let shape = Shape {
            hidden: vec![lesson.hidden],
            ..self.shape.clone()
        };
        let shape = shape.checked().map_err(Problem::new)?;
        let mut network = Network::new(shape, lesson.initial, random);
        let mut trace = network.trace();
        let mut times = self.ways.clone();
        let missed = self.parents.iter().zip(missed);
        for place in missed.filter_map(|(parent, missed)| parent.place.filter(|_| *missed)) {
            times[place] *= 3;
        }
        let places = times.iter().enumerate();
        let urn = places.flat_map(|(place, &times)| std::iter::repeat_n(place, times as usize));
        let urn: Vec<usize> = urn.collect();
        for presentation in 0..lesson.presentations {
            if presentation % BUNDLE == 0 && budget.is_stopped() {
                return Err(Problem::Stopped);
            }
            let place = urn[random.below(urn.len() as u32) as usize];
            trace.inputs.copy_from_slice(&self.inputs[place]);
            network.forward(&mut trace);
            network.learn(&mut trace, self.targets[place], lesson.rate);
        }
        Ok(network)
    }

    /// How well a network does.
    pub(crate) fn judge(&self, network: &Network) -> Judged {
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
        let corners = corners(self.shape.grid);
        let (mut missed, mut corner) = (Vec::new(), Vec::new());
        let (mut bad, mut chosen) = (Vec::new(), Vec::new());
        for parent in &self.parents {
            let children = &parent.children;
            let taken = self.taken(parent);
            let contradicts = |&(a, b): &(usize, usize)| {
                let [a, b] = [children[a], children[b]];
                self.targets[a] < self.targets[b] && outputs[a] > outputs[b]
            };
            let all = 0..children.len();
            let pairs = || all.clone().flat_map(|a| all.clone().map(move |b| (a, b)));
            missed.push(pairs().any(|pair| contradicts(&pair)));
            corner.push(pairs().filter(contradicts).any(|(a, b)| {
                let [a, b] = [taken[a], taken[b]].map(|cell| cell & corners != 0);
                a != b
            }));
            let sign = -parent.to_move.sign() as f32;
            let best = |numbers: &[f32]| {
                let worth = children.iter().map(|&child| sign * numbers[child]);
                worth.fold(f32::NEG_INFINITY, f32::max)
            };
            let (rated, optimum) = (best(&outputs), best(&self.targets));
            let choice = children
                .iter()
                .position(|&child| sign * outputs[child] == rated);
            let is_best = |place: usize| sign * self.targets[children[place]] == optimum;
            bad.push(choice.is_none_or(|place| !is_best(place)));
            chosen.push(choice.unwrap_or(0));
        }
        let nodes: u32 = self.ways.iter().sum();
        Judged {
            error: error / f64::from(nodes),
            good: self.share_without(&bad),
            sorted: self.share_without(&missed),
            missed,
            corner,
            bad,
            chosen,
        }
    }

    /// The cell that each move of a parent fills; none for a pass.
    fn taken(&self, parent: &Parent) -> Vec<u64> {
        let position = &parent.position;
        let before = position.own | position.opponent;
        let moves = self.game.moves(position);
        let after = moves.map(|mv| self.game.play_unchecked(position, mv));
        after
            .map(|next| (next.own | next.opponent) & !before)
            .collect()
    }

    /// The moves of a parent that keep the result of best play, by their numbers.
    pub(crate) fn best_moves(&self, parent: &Parent) -> Vec<usize> {
        let sign = -parent.to_move.sign() as f32;
        let worth = |&child: &usize| sign * self.targets[child];
        let best = parent.children.iter().map(worth).fold(f32::MIN, f32::max);
        let places = 0..parent.children.len();
        places
            .filter(|&place| worth(&parent.children[place]) == best)
            .collect()
    }
}

/// The corners of a board.
fn corners(grid: Grid) -> u64 {
    let (last_row, last_col) = (grid.rows() - 1, grid.cols() - 1);
    let places = [(0, 0), (0, last_col), (last_row, 0), (last_row, last_col)];
    let bits = places.map(|(row, col)| 1 << grid.cell(row, col).index());
    bits.into_iter().fold(0, |all, bit: u64| all | bit)
}

/// The comparisons of both sides that the thesis has as inputs.
struct Comparisons {
    comparing: Network,
    judge: Judge,
}

impl Comparisons {
    fn pattern(&mut self, game: &Othello<u64>, position: &Position<u64>) -> Pattern {
        let to_move = game.to_move(position);
        let trace = self.judge.look(&self.comparing, game, position, !to_move);
        let [corners, stones, _, moves, takeable] = trace
            .inputs
            .last_chunk()
            .expect("there are five comparisons")
            .map(Comparison::of_input);
        Pattern {
            corners,
            stones,
            takeable,
            moves,
            to_move,
        }
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
        let board = SolvedBoard::new(&row).unwrap();
        // With the start 224,821; the thesis says 224,822.
        assert_eq!(board.ways.iter().sum::<u32>(), 224_820);
        assert_eq!(board.counted, 105_013);
        let printed =
            |misses: f64| format!("{:.2}", 100.0 - 100.0 * misses / f64::from(board.counted));
        assert_eq!(printed(2709.0), "97.42");
        assert_eq!(printed(3883.0), "96.30");
    }
}
