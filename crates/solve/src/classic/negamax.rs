//! Negamax: what is good for one side is bad for the other, so one function serves both. The first
//! winning move ends the search of a position.
//!
//! With a table it is the report's second solver: the table holds nothing but the outcome of each
//! position with its side to move, and moves are tried in the fixed order of the game.

use upstar_games::Game;

use super::table::Table;
use super::walk::{Halt, Proof, Walk};
use crate::answer::Outcome;

/// Solves the position without remembering anything.
pub(super) fn solve<G: Game>(
    walk: &mut Walk<'_, G>,
    position: &G::Position,
) -> Result<Proof<G::Move>, Halt> {
    Negamax { walk, table: None }.search(position, 0)
}

/// Solves the position with a table of this many bytes.
pub(super) fn solve_with_table<G: Game>(
    walk: &mut Walk<'_, G>,
    position: &G::Position,
    memory: usize,
) -> Result<Proof<G::Move>, Halt> {
    let table = Some(Table::new(memory)?);
    Negamax { walk, table }.search(position, 0)
}

struct Negamax<'s, 'a, G: Game> {
    walk: &'s mut Walk<'a, G>,
    table: Option<Table<G::Position, Outcome>>,
}

impl<G: Game> Negamax<'_, '_, G> {
    /// The result for the side to move, `ply` moves after the root. The best move is left out where
    /// the table knows the result, which is never the root.
    fn search(&mut self, position: &G::Position, ply: u32) -> Result<Proof<G::Move>, Halt> {
        self.walk.visit()?;
        let known = self.table.as_ref().and_then(|table| table.find(position));
        if let Some(&outcome) = known {
            let best = None;
            return Ok(Proof { outcome, best });
        }
        let mut highest: Option<Proof<G::Move>> = None;
        for mv in self.walk.game.moves(position) {
            let next = self.walk.game.play_unchecked(position, mv);
            let outcome = self.search(&next, ply + 1)?.outcome.reversed();
            if highest.is_none_or(|highest| outcome > highest.outcome) {
                let best = Some(mv);
                highest = Some(Proof { outcome, best });
            }
            if outcome == Outcome::Win {
                break;
            }
        }
        let proof = highest.unwrap_or_else(|| Proof {
            outcome: self.walk.result(position),
            best: None,
        });
        if let Some(table) = &mut self.table {
            table.store(position, ply, proof.outcome)?;
        }
        Ok(proof)
    }
}
