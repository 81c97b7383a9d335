//! Minimax as it is first taught: one function for the side that began, one for the other, each
//! calling the other.
//!
//! All results are meant for the side that began, who looks for the highest and the other for the
//! lowest. Either stops at its first winning move: the report's charts show minimax and negamax as
//! one line, so both must have done the same.

use upstar_games::Game;

use super::walk::{Halt, Proof, Walk};
use crate::answer::Outcome;

/// Solves the position for the side to move.
pub(super) fn solve<G: Game>(
    walk: &mut Walk<'_, G>,
    position: &G::Position,
) -> Result<Proof<G::Move>, Halt> {
    maximize(walk, position)
}

/// The best that the side that began can reach when it is to move.
fn maximize<G: Game>(
    walk: &mut Walk<'_, G>,
    position: &G::Position,
) -> Result<Proof<G::Move>, Halt> {
    walk.visit()?;
    let mut highest: Option<Proof<G::Move>> = None;
    for mv in walk.game.moves(position) {
        let next = walk.game.play_unchecked(position, mv);
        let outcome = minimize(walk, &next)?.outcome;
        if highest.is_none_or(|highest| outcome > highest.outcome) {
            let best = Some(mv);
            highest = Some(Proof { outcome, best });
        }
        if outcome == Outcome::Win {
            break;
        }
    }
    Ok(highest.unwrap_or_else(|| Proof {
        outcome: walk.result(position),
        best: None,
    }))
}

/// The worst that can happen to the side that began when the other is to move.
fn minimize<G: Game>(
    walk: &mut Walk<'_, G>,
    position: &G::Position,
) -> Result<Proof<G::Move>, Halt> {
    walk.visit()?;
    let mut lowest: Option<Proof<G::Move>> = None;
    for mv in walk.game.moves(position) {
        let next = walk.game.play_unchecked(position, mv);
        let outcome = maximize(walk, &next)?.outcome;
        if lowest.is_none_or(|lowest| outcome < lowest.outcome) {
            let best = Some(mv);
            lowest = Some(Proof { outcome, best });
        }
        if outcome == Outcome::Loss {
            break;
        }
    }
    Ok(lowest.unwrap_or_else(|| Proof {
        outcome: walk.result(position).reversed(),
        best: None,
    }))
}
