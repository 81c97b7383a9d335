//! Games between two agents.
//!
//! The row has the specifications of `black` and `white`, or of `player` and `against` with `agent_colour`; in
//! them `{column}` stands for a column's value.

use upstar_agents::{Agent, AgentSpec, Playable, Resources};
use upstar_arena::{Contestant, Match, MatchResult, Openings, Place, Players, TimeControl};
use upstar_games::{AnyGame, Game, Variant, with_game};

use super::{Lot, Problem};
use crate::row::Row;
use crate::sample::{Found, Measured};

pub(super) fn run(lot: &Lot<'_>) -> Result<Found, Problem> {
    let row = lot.row();
    let [black, white] = words(row)?;
    // Where the paper has a handful of games, ours are more, so that at least we know.
    let games: u64 = row.read(row.get("games_column").unwrap_or("games"))?;
    let games = lot.scaled(games.max(row.read_or("least_games", 0)?));
    let board = row.board()?;
    let start = board.parse().map_err(Problem::new)?;
    let opened = AnyGame::open(Variant::Clobber, &start, None).map_err(Problem::new)?;
    let result = with_game!(
        &opened,
        |game, start| {
            let words = [black, white];
            let players = |which: usize| -> Result<Box<dyn Agent<_>>, String> {
                agent(&words[which], game, lot.resources)
            };
            let names = words.each_ref().map(ToString::to_string);
            play(lot, game, start, &players, [&names[0], &names[1]], games)?
        },
        return Err(Problem::new("agents play games of two players"))
    );
    Ok(Found::values(vec![Measured::games(
        result.black_wins,
        result.games,
    )]))
}

/// The agents of Black and White.
fn words(row: &Row) -> Result<[AgentSpec; 2], Problem> {
    let spec = |column: &str| -> Result<AgentSpec, Problem> {
        // Papers' columns say pick_first.
        let text = row.filled(row.text(column)?)?.replace('_', "-");
        text.parse().map_err(Problem::new)
    };
    if row.get("black").is_some() {
        return Ok([spec("black")?, spec("white")?]);
    }
    let (player, against) = (spec("player")?, spec("against")?);
    match row.text("agent_colour")? {
        "black" => Ok([player, against]),
        "white" => Ok([against, player]),
        other => Err(Problem::new(format!("agent_colour is '{other}'"))),
    }
}

pub(super) fn agent<G: Playable>(
    spec: &AgentSpec,
    game: &G,
    resources: &Resources,
) -> Result<Box<dyn Agent<G>>, String> {
    let made = spec.agent(game, resources);
    made.map_err(|error| error.to_string())
}

/// Plays games of this seed; the first player is always Black.
pub(super) fn play<G: Game>(
    lot: &Lot<'_>,
    game: &G,
    start: &G::Position,
    players: &impl Players<G>,
    names: [&str; 2],
    games: u64,
) -> Result<MatchResult, Problem> {
    let contest = contest(lot, names, games);
    let place = Place {
        game,
        start,
        variant: Variant::Clobber,
        position: "",
    };
    let result = contest
        .play(&place, players, lot.budget, None, &mut |_| {})
        .map_err(Problem::new)?;
    if !result.complete {
        return Err(Problem::Stopped);
    }
    if result.a_forfeits + result.b_forfeits > 0 {
        return Err(Problem::new("an agent could not go on"));
    }
    Ok(result)
}

/// Games of this seed between players of these names; the first is always Black.
pub(super) fn contest(lot: &Lot<'_>, names: [&str; 2], games: u64) -> Match {
    Match {
        players: Contestant::two(names[0], names[1]),
        games,
        swap: false,
        openings: Openings::None,
        sprt: None,
        seed: lot.seed,
        threads: 1,
        time: TimeControl::NONE,
    }
}
