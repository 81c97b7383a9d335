//! The words of commands and answers: sides, times, numbers and scores.

use std::time::Duration;

use upstar_agents::gtp_names;
use upstar_games::{Color, GameResult, excerpt};
use upstar_session::Refusal;

/// The longest time that can be asked for, in seconds.
const LONGEST_TIME: f64 = 1e7;

pub(super) fn refused<T>(sentence: &str) -> Result<T, Refusal> {
    Err(Refusal::new(sentence))
}

pub(super) fn color_named(name: &str) -> Result<Color, Refusal> {
    let sentence = || {
        Refusal(format!(
            "'{}' is not a side: b, black, w or white",
            excerpt(name)
        ))
    };
    gtp_names::color_named(name).ok_or_else(sentence)
}

pub(super) fn seconds(text: &str) -> Result<Duration, Refusal> {
    let number = text.parse::<f64>().ok();
    let possible = number.filter(|seconds| (0.0..=LONGEST_TIME).contains(seconds));
    possible.map(Duration::from_secs_f64).ok_or_else(|| {
        Refusal(format!(
            "'{}' is not a number of seconds from 0 to {LONGEST_TIME}",
            excerpt(text)
        ))
    })
}

pub(super) fn milliseconds(text: &str) -> Result<Duration, Refusal> {
    const LONGEST: u64 = 1000 * LONGEST_TIME as u64;
    let number = text.parse().ok();
    let possible = number.filter(|number| (1..=LONGEST).contains(number));
    possible.map(Duration::from_millis).ok_or_else(|| {
        Refusal(format!(
            "'{}' is not a whole number of milliseconds from 1 to {LONGEST}",
            excerpt(text)
        ))
    })
}

pub(super) fn number(text: &str) -> Result<u32, Refusal> {
    let sentence = |_| Refusal(format!("'{}' is not a number of stones", excerpt(text)));
    text.parse().map_err(sentence)
}

/// A score as Go players write it.
pub(super) fn difference(score: i32) -> String {
    match score {
        1.. => format!("B+{score}"),
        0 => "0".to_owned(),
        _ => format!("W+{}", -score),
    }
}

/// A command as it should be.
pub(super) fn right(command: &str) -> &'static str {
    match command {
        "boardsize" => "boardsize 8 or boardsize ROWS COLS",
        "komi" => "komi 0",
        "play" => "play b A1, play w pass, or in Clobber play b A1-B1",
        "genmove" => "genmove b",
        "reg_genmove" => "reg_genmove b",
        "time_settings" => "time_settings 300 10 1",
        "time_left" => "time_left b 120 0",
        "upstar-game" => "upstar-game clobber 4x5 x",
        "upstar-coordinates" => "upstar-coordinates go or upstar-coordinates own",
        "upstar-solve" => "upstar-solve 10",
        "upstar-time" => "upstar-time 100",
        _ => "the command alone",
    }
}

/// The result of a game for Black.
pub(super) fn score(result: GameResult) -> i32 {
    let winner = || match result.winner() {
        Some(side) if side == Color::Black => 1,
        Some(_) => -1,
        None => 0,
    };
    result.score().unwrap_or_else(winner)
}
