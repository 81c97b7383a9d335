//! The sets of games that a run has, and the logs that they are in.

use std::fs;
use std::path::Path;

use super::detail::RunKind;
use super::entry::Entry;
use crate::games::{GameLog, GamePage, GameSet, Source};

/// The set of a match's or tournament's games.
const GAMES: &str = "games";
/// The beginnings of the names of AlphaZero's: games against itself, and tests.
const SELF_PLAY: &str = "step-";
const TESTS: &str = "tests-";

/// All games of a match or a tournament.
pub(super) fn all_games() -> GameSet {
    GameSet {
        set: GAMES.to_owned(),
        title: "all games".to_owned(),
        step: None,
    }
}

/// The games of AlphaZero: those of the replay buffer's steps, and the tests after each step.
pub(super) fn of_alphazero(folder: &Path, steps: u64) -> Vec<GameSet> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    // The file of a step that has only begun may be empty.
    let is_filled = |entry: &fs::DirEntry| entry.metadata().is_ok_and(|data| data.len() > 0);
    let names = entries
        .filter(is_filled)
        .filter_map(|entry| entry.file_name().into_string().ok());
    let step = |name: String| {
        let step = name.strip_prefix("games-")?.strip_suffix(".jsonl")?;
        step.parse::<u64>().ok()
    };
    let mut played: Vec<u64> = names.filter_map(step).collect();
    played.sort_unstable();
    let played = played.into_iter().rev().map(|step| GameSet {
        set: format!("{SELF_PLAY}{step}"),
        title: format!("self-play of step {step}"),
        step: Some(step),
    });
    let has_tests = folder.join("evaluations.jsonl").is_file();
    let tested = (1..=steps).rev().filter(|_| has_tests);
    let tests = tested.map(|step| GameSet {
        set: format!("{TESTS}{step}"),
        title: format!("against MCTS after step {step}"),
        step: Some(step),
    });
    played.chain(tests).collect()
}

/// What is answered where a run drops the games of its steps, and somebody asks for some that are gone or have
/// not been played yet: none, and why. Nothing for other sets.
pub(super) fn dropped(kind: RunKind, set: &str) -> Option<GamePage> {
    let step = [SELF_PLAY, TESTS]
        .iter()
        .find_map(|begin| set.strip_prefix(begin)?.parse::<u64>().ok());
    let is_alphazero = kind == RunKind::Folder(upstar_runs::Kind::Alphazero);
    let step = step.filter(|_| is_alphazero)?;
    Some(GamePage {
        set: set.to_owned(),
        total: 0,
        from: 0,
        games: Vec::new(),
        remark: Some(format!("The games of step {step} are not kept.")),
    })
}

/// A new reader of the log that has these games. The name of a set was compared with those that there are.
pub(super) fn log_of(entry: &Entry, set: &GameSet) -> GameLog {
    let game = || {
        let config: toml::Table = toml::from_str(&entry.config()).unwrap_or_default();
        let game = config.get("game").and_then(toml::Value::as_str);
        game.unwrap_or_default().to_owned()
    };
    let (file, source) = match (entry.kind, set.step) {
        (RunKind::Match, _) => (entry.path.clone(), Source::Records),
        (RunKind::Folder(_), None) => (entry.path.join("games.jsonl"), Source::Records),
        (RunKind::Folder(_), Some(step)) if set.set.starts_with(TESTS) => (
            entry.path.join("evaluations.jsonl"),
            Source::Tests(game(), step),
        ),
        (RunKind::Folder(_), Some(step)) => {
            let file = entry.path.join(format!("games-{step:06}.jsonl"));
            (file, Source::SelfPlay(game()))
        }
    };
    GameLog::new(file, source)
}
