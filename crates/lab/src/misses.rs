//! The positions in which networks sort moves wrongly, by their patterns (cammel2015, section 4.6).
//!
//! The thesis says that all misses follow one of two patterns: Black has more corners, more stones and more stones
//! beside empty cells, and the side to move, whichever it is, has more moves. [`Misses::find`] trains networks on all
//! positions of the solved board and lists what all of them miss.

use serde::Serialize;
use upstar_games::{Color, Game, Random, Rules, svg};
use upstar_jobs::Budget;
use upstar_nets::Initial;

use crate::procedure::Problem;
use crate::row::Row;
use crate::solved_board::{Judged, Lesson, SolvedBoard};

/// Which side has more of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Comparison {
    /// Black.
    Black,
    /// Neither.
    Equal,
    /// White.
    White,
}

impl Comparison {
    /// What an input of the thesis says: 0, 0.5 or 1.
    pub(crate) fn of_input(input: f32) -> Self {
        match input {
            0.0 => Self::Black,
            1.0 => Self::White,
            _ => Self::Equal,
        }
    }

    /// In a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::Equal => "equal",
            Self::White => "white",
        }
    }
}

/// What a position is like: the five characteristics of section 4.6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Who has more corners.
    pub corners: Comparison,
    /// Who has more stones.
    pub stones: Comparison,
    /// Who has more stones beside empty cells.
    pub takeable: Comparison,
    /// Who has more moves.
    pub moves: Comparison,
    /// Whose turn it is.
    pub to_move: Color,
}

impl Pattern {
    /// The names of patterns: the two of the thesis, and all others together.
    pub const NAMES: [&str; 3] = ["first", "second", "neither"];

    /// Which of the patterns of the thesis it is.
    #[must_use]
    pub fn name(self) -> &'static str {
        let black = [self.corners, self.stones, self.takeable];
        match (self.to_move, self.moves) {
            _ if black != [Comparison::Black; 3] => "neither",
            (Color::White, Comparison::White) => "first",
            (Color::Black, Comparison::Black) => "second",
            _ => "neither",
        }
    }
}

/// What to look for.
#[derive(Clone, Debug)]
pub struct MissesQuery {
    /// How many inputs the networks have: 17, 22 or 24.
    pub inputs: u32,
    /// The hidden neurons of each network.
    pub hidden: Vec<usize>,
    /// How many examples each learns from.
    pub examples: u64,
    /// The seed of all randomness.
    pub seed: u64,
}

/// What all networks miss.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Misses {
    /// The nodes of the tree with several moves.
    pub nodes: u32,
    /// How many of them all networks miss.
    pub misses: u32,
    /// Of these, how many between a corner and another cell.
    pub corner_choices: u32,
    /// The misses by pattern, the most frequent first.
    pub patterns: Vec<MissedPattern>,
    /// The positions, the most frequent first.
    pub positions: Vec<MissedPosition>,
}

/// The misses of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MissedPattern {
    /// Which of the thesis' patterns it is: `first`, `second` or `neither`.
    pub pattern: &'static str,
    /// Who has more corners.
    pub corners: Comparison,
    /// Who has more stones.
    pub stones: Comparison,
    /// Who has more stones beside empty cells.
    pub takeable: Comparison,
    /// Who has more moves.
    pub moves: Comparison,
    /// Whose turn it is.
    pub to_move: char,
    /// The misses.
    pub misses: u32,
    /// All nodes of this pattern.
    pub nodes: u32,
}

/// A position that all networks miss.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissedPosition {
    /// The position.
    pub position: String,
    /// Whose turn it is.
    pub to_move: char,
    /// How many nodes of the tree it is.
    pub nodes: u32,
    /// Which of the thesis' patterns it is.
    pub pattern: &'static str,
    /// Whether the wrong order is between a corner and another cell.
    pub corner_choice: bool,
    /// The moves that keep the result of best play.
    pub best: Vec<String>,
    /// The move that the first network rates best.
    pub chosen: String,
    /// Whether that move throws the result away.
    pub consequential: bool,
    /// The position as a picture, with the move that was chosen.
    #[serde(skip)]
    pub picture: String,
}

impl Misses {
    /// Trains the networks on 4x4, and collects what all of them miss.
    ///
    /// # Errors
    /// If the budget is over, or there can be no such networks.
    pub fn find(query: &MissesQuery, budget: &Budget) -> Result<Self, Problem> {
        let inputs = query.inputs.to_string();
        let row = [
            ("board", "4x4"),
            ("inputs", &inputs),
            ("activation", "sigmoid"),
        ];
        let row = row.map(|(column, value)| (column.to_owned(), value.to_owned()));
        let board = SolvedBoard::new(&Row(row.into()))?;
        // As in the tables of chapter 4.
        let initial: Initial = "uniform:-0.5,0.5".parse().map_err(Problem::new)?;
        let mut seeds = Random::new(query.seed);
        let judged = query.hidden.iter().map(|&hidden| {
            let lesson = Lesson {
                hidden,
                initial,
                rate: 0.2,
                presentations: query.examples,
            };
            let mut random = Random::new(seeds.bits());
            let network = board.train(&lesson, &[], &mut random, budget)?;
            Ok(board.judge(&network))
        });
        let judged: Vec<Judged> = judged.collect::<Result<_, Problem>>()?;
        Ok(Self::of(&board, &judged))
    }

    fn of(board: &SolvedBoard, judged: &[Judged]) -> Self {
        let by_all = |of: fn(&Judged) -> &Vec<bool>| -> Vec<bool> {
            let parents = 0..board.parents.len();
            let each = parents.map(|parent| judged.iter().all(|judged| of(judged)[parent]));
            each.collect()
        };
        let missed = by_all(|judged| &judged.missed);
        let corner = by_all(|judged| &judged.corner);
        let mut positions = Vec::new();
        let mut patterns: Vec<(Pattern, u32, u32)> = Vec::new();
        for (place, parent) in board.parents.iter().enumerate() {
            let count = |missed: bool| if missed { parent.ways } else { 0 };
            let misses = count(missed[place]);
            match patterns.iter_mut().find(|it| it.0 == parent.pattern) {
                Some(known) => {
                    known.1 += misses;
                    known.2 += parent.ways;
                }
                None => patterns.push((parent.pattern, misses, parent.ways)),
            }
            if !missed[place] {
                continue;
            }
            let setup = board.game.setup(&parent.position);
            let moves: Vec<_> = board.game.moves(&parent.position).collect();
            let name = |place: usize| board.game.move_name(moves[place]);
            let chosen = judged[0].chosen[place];
            let best = board.best_moves(parent).into_iter().map(name);
            positions.push(MissedPosition {
                position: setup.to_string(),
                to_move: board.game.to_move(&parent.position).letter(),
                nodes: parent.ways,
                pattern: parent.pattern.name(),
                corner_choice: corner[place],
                best: best.collect(),
                chosen: name(chosen),
                consequential: judged[0].bad[place],
                picture: svg::draw(&setup, board.game.path(moves[chosen])),
            });
        }
        positions.sort_by_key(|position| std::cmp::Reverse(position.nodes));
        patterns.sort_by_key(|&(_, misses, _)| std::cmp::Reverse(misses));
        patterns.retain(|&(_, misses, _)| misses > 0);
        let pattern = |(pattern, misses, nodes): (Pattern, u32, u32)| MissedPattern {
            pattern: pattern.name(),
            corners: pattern.corners,
            stones: pattern.stones,
            takeable: pattern.takeable,
            moves: pattern.moves,
            to_move: pattern.to_move.letter(),
            misses,
            nodes,
        };
        Self {
            nodes: board.nodes(&vec![true; board.parents.len()]),
            misses: board.nodes(&missed),
            corner_choices: board.nodes(&corner),
            patterns: patterns.into_iter().map(pattern).collect(),
            positions,
        }
    }

    /// The misses of one of [`Pattern::NAMES`].
    #[must_use]
    pub fn of_pattern(&self, name: &str) -> u32 {
        let patterns = self.patterns.iter();
        let named = patterns.filter(|pattern| pattern.pattern == name);
        named.map(|pattern| pattern.misses).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misses_are_those_of_all_networks() {
        let find = |hidden: &[usize]| {
            let query = MissesQuery {
                inputs: 22,
                hidden: hidden.to_vec(),
                examples: 20_000,
                seed: 3,
            };
            Misses::find(&query, &Budget::unlimited()).unwrap()
        };
        let (one, both) = (find(&[4]), find(&[4, 6]));
        assert!(both.misses > 0 && both.misses < one.misses);
        assert!(both.corner_choices < both.misses);
        let sum = |misses: &Misses| misses.positions.iter().map(|it| it.nodes).sum::<u32>();
        assert_eq!((sum(&one), sum(&both)), (one.misses, both.misses));
        let by_pattern = Pattern::NAMES.map(|name| both.of_pattern(name));
        assert_eq!(by_pattern.iter().sum::<u32>(), both.misses);
        for position in &both.positions {
            let chosen_is_best = position.best.contains(&position.chosen);
            let consequential = one
                .positions
                .iter()
                .find(|it| it.position == position.position && it.to_move == position.to_move);
            let consequential = consequential
                .expect("the first network misses it too")
                .consequential;
            assert_eq!(chosen_is_best, !consequential, "{position:?}");
        }
    }
}
