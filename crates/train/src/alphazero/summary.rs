//! From what happened in a step to its line in the log.

use std::collections::VecDeque;

use super::actor::Effort;
use super::config::AlphaZeroConfig;
use super::evaluation::Levels;
use super::log::{Cache, Evaluated, Outcomes, Statistics};
use super::record::Played;
use super::settings::Settings;

impl Cache {
    pub(super) fn of(effort: &Effort, seconds: f64) -> Self {
        let (size, max_size) = effort.remembered;
        let hits = effort.requests - effort.judged;
        Self {
            size: size as u64,
            max_size: max_size as u64,
            usage: size as f64 / max_size.max(1) as f64,
            requests: effort.requests,
            requests_per_s: effort.requests as f64 / seconds,
            hits,
            misses: effort.judged,
            misses_per_s: effort.judged as f64 / seconds,
            hit_rate: hits as f64 / effort.requests.max(1) as f64,
        }
    }
}

impl Evaluated {
    pub(super) fn of(levels: &Levels) -> Self {
        Self {
            count: levels.count,
            results: levels.means(),
            games: levels.windows.iter().map(VecDeque::len).collect(),
        }
    }
}

impl Outcomes {
    pub(super) fn of(games: &[Played]) -> Self {
        let count = |black: i32| games.iter().filter(|played| played.black == black).count() as u64;
        Self {
            counts: [count(1), count(-1), count(0)],
            names: ["Player1", "Player2", "Draw"].map(str::to_owned),
        }
    }
}

/// How often each number up to this one is there. OpenSpiel's analysis wants the same length in every line.
pub(super) fn histogram(numbers: impl Iterator<Item = usize>, most: usize) -> Vec<u64> {
    let mut counts = vec![0; most + 1];
    for number in numbers {
        counts[number.min(most)] += 1;
    }
    counts
}

/// For each stage of a game, the point i / (L − 1), whether the search knew who would win, and how sure it
/// was of itself.
pub(super) fn by_stage(games: &[Played], stages: usize) -> (Vec<Statistics>, Vec<Statistics>) {
    let at = |played: &Played, stage: usize| {
        let last = played.plies.len() - 1;
        let place = (stage * last) / (stages - 1).max(1);
        let black = if (played.opening.len() + place).is_multiple_of(2) {
            played.black
        } else {
            -played.black
        };
        (played.plies[place].value, black as f32)
    };
    let played = || games.iter().filter(|played| !played.plies.is_empty());
    let accuracy = |stage| {
        Statistics::of(played().map(|game| {
            let (value, result) = at(game, stage);
            f64::from(u8::from(
                value * result > 0.0 || (value == 0.0 && result == 0.0),
            ))
        }))
    };
    let prediction =
        |stage| Statistics::of(played().map(|game| f64::from(at(game, stage).0.abs())));
    (
        (0..stages).map(accuracy).collect(),
        (0..stages).map(prediction).collect(),
    )
}

/// `config.json`, in OpenSpiel's keys.
pub(super) fn openspiel_config(
    config: &AlphaZeroConfig,
    settings: &Settings,
    path: &str,
) -> serde_json::Value {
    let grids = config.grids().expect("it was read");
    let grid = grids[0];
    let actions = config.design().actions(&grid);
    let game = match config.game.starts_with("clobber") {
        true => format!("clobber(rows={},columns={})", grid.rows(), grid.cols()),
        false => config.game.clone(),
    };
    let mut value = serde_json::to_value(settings).expect("it is plain data");
    let more = serde_json::json!({
        "game": game,
        "boards": config.boards,
        "path": path,
        "seed": config.seed,
        "observation_shape": [3, grid.rows(), grid.cols()],
        "output_size": actions,
        "quiet": true,
    });
    let map = value.as_object_mut().expect("settings are a table");
    map.extend(more.as_object().expect("a table").clone());
    value
}
