//! How often Black makes a perfect move against Random (cammel2015, section 5.3): one that keeps the score of best
//! play, disc by disc. Passes are not counted, forced moves are: so a random Black has the share that is printed
//! for it.
//!
//! Black is a network after the row's `stages`, with learning off, or random if there are none.

use std::collections::HashMap;

use upstar_agents::{Agent, AgentSpec, NetAgent};
use upstar_arena::Place;
use upstar_games::othello::Opening;
use upstar_games::{Color, Game, Othello, Position, Rules, Variant};
use upstar_train::solved;

use super::matches::{agent, contest};
use super::{Lot, Problem, training};
use crate::sample::{Found, Measured};

/// Boards with more positions take too long.
const MOST: usize = 2_000_000;

pub(super) fn run(lot: &Lot<'_>) -> Result<Found, Problem> {
    let row = lot.row();
    let (game, start) = row.othello()?;
    let networks = match row.get("stages") {
        Some(_) => training::networks(lot, &game, &start)?,
        None => Vec::new(),
    };
    let players = |which: usize| -> Result<Box<dyn Agent<Othello<u64>>>, String> {
        match networks.first() {
            Some(network) if which == Color::Black.index() => {
                let player = NetAgent::new(game.clone(), &start, network.clone());
                Ok(Box::new(player.map_err(|misfit| misfit.to_string())?))
            }
            _ => agent(&AgentSpec::Random, &game, lot.resources),
        }
    };
    let games = lot.scaled(row.read("evaluation_games")?);
    let contest = contest(lot, ["black", "white"], games);
    let place = Place {
        game: &game,
        start: &start,
        variant: Variant::Othello(Opening::DIAGONAL),
        position: "",
    };
    let scores = scores(&game, &start)?;
    let (mut perfect, mut made) = (0_u32, 0_u32);
    for index in 0..games {
        let record = contest.play_one(&place, &players, lot.budget, index);
        let record = record.map_err(Problem::new)?.ok_or(Problem::Stopped)?;
        let mut position = start;
        for name in &record.moves {
            let mv = game.legal_move(&position, name).map_err(Problem::new)?;
            let next = game.play_unchecked(&position, mv);
            let is_pass = (next.own | next.opponent) == (position.own | position.opponent);
            if game.to_move(&position) == Color::Black && !is_pass {
                made += 1;
                perfect += u32::from(scores[&next] == scores[&position]);
            }
            position = next;
        }
    }
    let percent = 100.0 * f64::from(perfect) / f64::from(made.max(1));
    Ok(Found::values(vec![Measured::Number(percent)]))
}

/// The score of best play, as Black counts, in all positions.
fn scores(
    game: &Othello<u64>,
    start: &Position<u64>,
) -> Result<HashMap<Position<u64>, i32>, Problem> {
    let examples = solved(game, start, MOST);
    let examples = examples.ok_or_else(|| Problem::new("the board is too large"))?;
    let mut scores: HashMap<Position<u64>, i32> = examples
        .iter()
        .map(|example| (example.position, example.black_score))
        .collect();
    // The start is not among what somebody has moved to.
    let after = game
        .moves(start)
        .map(|mv| scores[&game.play_unchecked(start, mv)]);
    let best = match game.to_move(start) {
        Color::Black => after.max(),
        Color::White => after.min(),
    };
    scores.extend(best.map(|best| (*start, best)));
    Ok(scores)
}
