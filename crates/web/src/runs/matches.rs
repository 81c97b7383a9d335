//! Matches and tournaments: the table, and the games.

use std::path::Path;

use upstar_arena::Standings;
use upstar_runs::CONFIG;

use super::detail::RunDetail;
use super::entry::{Entry, Reader};
use super::game_sets;
use crate::games::GameLog;

/// Shows the table.
pub(super) fn show(detail: &mut RunDetail, entry: &Entry, reader: &mut Reader, config: &str) {
    let set = game_sets::all_games();
    let log = reader.game_log(entry, &set);
    log.refresh();
    detail.standings = Some(standings(log, &entry.path, config));
    detail.remarks.extend(log.fault().map(str::to_owned));
    detail.games.push(set);
}

fn standings(log: &GameLog, path: &Path, config: &str) -> Standings {
    let table: toml::Table = toml::from_str(config).unwrap_or_default();
    let anchor = table.get("anchor").and_then(toml::Value::as_str);
    let read = upstar_arena::Config::read(&path.join(CONFIG)).ok();
    log.standings(anchor, read.map(|(config, _)| config.all_games()))
}
