//! Games that the engine plays against itself, and what their positions were worth in the end.
//!
//! A game begins at random, some more of its moves are chosen at random and others by the evaluation; from
//! then on the engine plays as well as its depth allows, and near the end every position is solved. The
//! positions after the last random move learn the score that the engine reached, the solved ones their own.

use upstar_games::othello::{Move, Opening, start};
use upstar_games::{Cells, Color, Grid, Othello, Position, Random, Rules, random_move};
use upstar_jobs::{Budget, Unwatched};

use super::crew::Crew;
use super::discs::Discs;
use super::midgame::{Effort, Midgame};
use super::solver::Solver;
use super::weights::{Fitted, Weights};

/// A position and its score for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    pub(super) discs: Discs,
    pub(super) score: i8,
}

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Play {
    /// How many plies ahead; 0 for random moves.
    pub(super) depth: u32,
    /// From so many empty cells on positions are solved.
    pub(super) solved_from: u32,
}

/// Who plays: a search and a solver for one board.
pub(super) struct Player {
    grid: Grid,
    game: Othello<u64>,
    midgame: Option<Midgame>,
    solver: Solver,
}

/// Enough for the searches of a few plies.
const MEMORY: usize = 1 << 16;
/// So many first plies are random, and of the next ones at most this share.
const OPENING: u32 = 7;
const MOST_WILD: f64 = 0.6;
/// Games stop to be wild with at least so many plies before the solved part.
const PLAYED: u32 = 1;

impl Player {
    /// With the weights so far.
    pub(super) fn new(grid: Grid, weights: Option<&Weights>) -> Self {
        let game = Othello::<u64>::new(grid);
        let fitted = weights.and_then(|weights| Fitted::new(weights, &grid));
        let solver = Solver::new(&game, 1 << 20, 1).expect("a megabyte");
        let evaluation = fitted.as_ref().map(|fitted| fitted.evaluation.clone());
        Self {
            grid,
            midgame: fitted
                .map(|fitted| Midgame::of(&grid, fitted, MEMORY).expect("little memory")),
            solver: solver.with_evaluation(evaluation),
            game,
        }
    }

    /// Plays a game and returns its samples. They depend on the weights, the way of play and the generator only.
    pub(super) fn samples(&mut self, play: Play, random: &mut Random) -> Vec<Sample> {
        if let Some(midgame) = &mut self.midgame {
            midgame.forget();
        }
        let setup =
            start(self.grid, Opening::DIAGONAL).expect("a board with patterns has a middle");
        let to_move = Color::ALL[random.below(2) as usize];
        let position = self.game.position(&setup, to_move);
        let mut position = position.expect("the start is on this board");
        let board = self.solver.space.board;
        let empties = |position: &Position<u64>| (board & !position.occupied()).len();
        let all = empties(&position);
        let last = play.solved_from + PLAYED;
        // The later the last wild move, the more different the positions, and the more like those of weak players;
        // of early ones there are few anyway.
        let spread = all.saturating_sub(last + 2).max(1);
        let share = match random.below(4) {
            0 => random.unit() * random.unit(),
            _ => 1.0 - 0.75 * random.unit(),
        };
        let wild_until = all.saturating_sub(2 + (f64::from(spread) * share) as u32);
        let opening = all.saturating_sub(OPENING.min(spread));
        let wildness = MOST_WILD * random.unit();
        let mut samples = Vec::new();
        let mut played = Vec::new();
        loop {
            let left = empties(&position);
            if left <= play.solved_from {
                break;
            }
            let is_wild = left > wild_until.min(opening);
            let depth = match is_wild {
                true if left > opening || random.unit() < wildness => 0,
                true => play.depth.min(1),
                false => play.depth,
            };
            if !is_wild || play.depth == 0 {
                played.push(position);
            }
            let chosen = (depth > 0)
                .then(|| best(self.midgame.as_mut(), &position, depth))
                .flatten();
            let Some(mv) = chosen.or_else(|| random_move(&self.game, &position, random)) else {
                return samples;
            };
            position = self.game.play_unchecked(&position, mv);
        }
        // The solved part: each position by itself, so that nothing depends on which of several best moves
        // a solver finds first.
        let unlimited = Budget::unlimited();
        let crew = Crew::new(1, &unlimited, &Unwatched);
        let discs = discs_of(&position);
        self.solver.prepare(&position);
        let mut search = self.solver.search(&crew, discs, 0);
        let seems = |midgame: &mut Midgame| midgame.score(discs, Effort::plies(2), 0, &unlimited);
        let guess = self.midgame.as_mut().and_then(seems).unwrap_or(0);
        let mut score = self.solver.exact_score(&mut search, discs, guess);
        for earlier in played {
            let sign = if earlier.to_move == position.to_move {
                1
            } else {
                -1
            };
            samples.push(Sample {
                discs: discs_of(&earlier),
                score: (sign * score) as i8,
            });
        }
        samples.push(Sample {
            discs,
            score: score as i8,
        });
        while let Some(mv) = random_move(&self.game, &position, random) {
            let chosen = match random.below(3) {
                0 => None,
                _ => best(self.midgame.as_mut(), &position, 2),
            };
            position = self.game.play_unchecked(&position, chosen.unwrap_or(mv));
            let discs = discs_of(&position);
            if self.game.moves(&position).next().is_none() {
                break;
            }
            score = self.solver.exact_score(&mut search, discs, -score);
            samples.push(Sample {
                discs,
                score: score as i8,
            });
        }
        samples
    }
}

/// The move that looks best so many plies ahead; `None` if there is no way to judge, or the end is nearer.
fn best(midgame: Option<&mut Midgame>, position: &Position<u64>, depth: u32) -> Option<Move> {
    let midgame = midgame.filter(|midgame| midgame.empties(position) > depth)?;
    let effort = Effort {
        level: Effort::SURE,
        ..Effort::plies(depth)
    };
    let found = midgame.estimate(position, effort, None, &Budget::unlimited());
    found?.line.first().copied()
}

pub(super) fn discs_of(position: &Position<u64>) -> Discs {
    Discs {
        own: position.own,
        opponent: position.opponent,
    }
}
