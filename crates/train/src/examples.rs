//! All positions of a small board with the result of best play, by brute force.

use std::collections::HashMap;

use upstar_games::{Color, Game};

/// A position that somebody has moved to, with the result of best play from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example<P> {
    /// The position.
    pub position: P,
    /// Who has moved there.
    pub mover: Color,
    /// The result for Black: above 0 Black wins.
    pub black_score: i32,
}

/// All positions that can be reached from `start`, itself not counted; `None` if there are more than
/// `most`.
pub fn solved<G: Game>(
    game: &G,
    start: &G::Position,
    most: usize,
) -> Option<Vec<Example<G::Position>>> {
    let mut seen = HashMap::new();
    let mut found = Vec::new();
    explore(game, start, most, &mut seen, &mut found)?;
    found.pop();
    Some(found)
}

/// The result for the side to move. Children are listed before their parents.
fn explore<G: Game>(
    game: &G,
    position: &G::Position,
    most: usize,
    seen: &mut HashMap<G::Position, i32>,
    found: &mut Vec<Example<G::Position>>,
) -> Option<i32> {
    if let Some(&score) = seen.get(position) {
        return Some(score);
    }
    if seen.len() > most {
        return None;
    }
    let score = match game.score(position) {
        Some(score) => score,
        None => {
            let mut best = i32::MIN;
            for mv in game.moves(position) {
                let child = game.play_unchecked(position, mv);
                best = best.max(-explore(game, &child, most, seen, found)?);
            }
            best
        }
    };
    seen.insert(*position, score);
    let to_move = game.to_move(position);
    found.push(Example {
        position: *position,
        mover: !to_move,
        black_score: to_move.sign() * score,
    });
    Some(score)
}
