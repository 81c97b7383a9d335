//! The values of a Clobber position's components, where they are found while somebody looks at it.

use std::time::Duration;

use upstar_cgt::{Games, Outcome, Value};
use upstar_games::{AnyGame, Cells, Color, Variant};
use upstar_jobs::{Budget, Unwatched};
use upstar_solve::Solver;
use upstar_solve::clobber::{PositionValue, parts};

/// What a position is worth.
pub(super) struct Worth {
    /// The position.
    pub(super) of: AnyGame,
    /// The values of the components and their sum, and the same in ASCII; `None` if they were not found.
    pub(super) values: Option<[String; 2]>,
    /// Who wins when it is the turn of the side to move.
    pub(super) winner: Option<Color>,
}

/// The most stones of a component that is valued: more may take long.
const LARGEST: u32 = 10;
/// The most components of a position that is valued.
const MOST: usize = 8;
/// How long a user can be kept waiting.
const PATIENCE: Duration = Duration::from_millis(60);
/// The longest name of a value.
const NAME: usize = 20;

impl Worth {
    /// What a position is worth; nothing is known where finding it could take long, or there are no values.
    pub(super) fn of(game: &AnyGame, solver: &Solver) -> Self {
        let found = is_cheap(game).then(|| {
            let budget = Budget::unlimited().with_time(PATIENCE);
            solver.value(game, &budget, &Unwatched).ok()
        });
        let Some(worth) = found.flatten().filter(PositionValue::is_exact) else {
            return Self {
                of: game.clone(),
                values: None,
                winner: None,
            };
        };
        let mover = game.side_to_move().color();
        Self {
            of: game.clone(),
            winner: worth.outcome.and_then(|outcome| match outcome {
                Outcome::N => mover,
                Outcome::P => mover.map(|mover| !mover),
                Outcome::L => Some(Color::Black),
                Outcome::R => Some(Color::White),
            }),
            values: Some([false, true].map(|ascii| written(&worth, ascii))),
        }
    }
}

/// Whether the game goes on and all components are small.
fn is_cheap(game: &AnyGame) -> bool {
    let cannibal = match game.variant() {
        _ if game.is_over() => return false,
        Variant::Clobber => false,
        Variant::Cannibal => true,
        _ => return false,
    };
    let parts = parts(&game.setup(), cannibal);
    parts.len() <= MOST && parts.iter().all(|part| part.len() <= LARGEST)
}

/// The values of all components, and their sum if that is something else.
fn written(worth: &PositionValue, ascii: bool) -> String {
    let name = |value: Value| name(&worth.games, value, ascii);
    let values = worth.components.iter().filter_map(|part| part.value);
    let values: Vec<String> = values.map(name).collect();
    let sum = worth.value.map_or(String::new(), name);
    match values.len() {
        0 | 1 => sum,
        _ => format!("{} = {sum}", values.join(" + ")),
    }
}

fn name(games: &Games, value: Value, ascii: bool) -> String {
    let name = games.name(value);
    let name = if ascii { name.ascii() } else { name };
    name.cut(NAME).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use upstar_solve::Query;

    #[test]
    fn values_are_named_and_say_who_wins() {
        let solver = Solver::default();
        let check = |position: &str, values: &str, ascii: &str| {
            let game = AnyGame::parse("clobber", position).unwrap();
            let worth = Worth::of(&game, &solver);
            assert_eq!(worth.values, Some([values, ascii].map(str::to_owned)));
            // The search finds the same winner by other means.
            let query = Query::winner();
            let answer = solver.solve(&game, &query, &Budget::unlimited(), &Unwatched);
            let wins = answer.unwrap().outcome == Some(upstar_solve::Outcome::Win);
            let winner = if wins { Color::Black } else { Color::White };
            assert_eq!(worth.winner, Some(winner), "{position}");
        };
        check("xo", "*", "*");
        check("xxo.xo", "↑ + * = ↑*", "^ + * = ^*");
        check("xo.xo", "* + * = 0", "* + * = 0");
    }

    #[test]
    fn what_takes_long_or_is_over_is_not_tried() {
        for (game, position) in [("clobber", "6x6"), ("clobber", "x.o"), ("othello", "4x4")] {
            let game = AnyGame::parse(game, position).unwrap();
            let worth = Worth::of(&game, &Solver::default());
            assert!(worth.values.is_none() && worth.winner.is_none());
        }
    }
}
