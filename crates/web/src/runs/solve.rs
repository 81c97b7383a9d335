//! A long solve: what is asked, how far the search is, and the answer.

use std::path::Path;

use serde::{Deserialize, Serialize};
use upstar_jobs::quantity::{counted, grouped};
use upstar_solve::run::{SolveConfig, SolveSession};

use super::chart::{Chart, Scale, drawn};
use super::{Fact, RunDetail, spent};

/// What is known of a solve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolveDetail {
    /// The game.
    pub game: String,
    /// The position.
    pub position: String,
    /// The side to move.
    pub to_move: char,
    /// The side that wins with best play, `draw`, or nothing as long as that is not proved.
    pub winner: Option<String>,
    /// Othello: by how many discs the first player wins.
    pub score: Option<i32>,
    /// A move that leads to it.
    pub best: Option<String>,
    /// Clobber: first moves that are known to lose, in the last session.
    pub refuted: Option<usize>,
    /// Clobber: all first moves.
    pub first_moves: Option<usize>,
    /// Positions searched in all sessions.
    pub nodes: u64,
    /// Seconds of all sessions.
    pub seconds: f64,
    /// The sessions.
    pub sessions: Vec<SolveSession>,
}

/// The answer as it is sealed in the folder.
#[derive(Deserialize)]
struct Answer {
    winner: Option<String>,
    score: Option<i32>,
    #[serde(rename = "move")]
    best: Option<String>,
    proved: bool,
}

/// Shows the sessions of a solve.
pub(super) fn show(detail: &mut RunDetail, folder: &Path, config: &str, sessions: &[SolveSession]) {
    let Ok(config) = toml::from_str::<SolveConfig>(config) else {
        let remark = "The configuration cannot be read.";
        detail.remarks.push(remark.to_owned());
        return;
    };
    // An answer that is damaged or not sealed says nothing.
    let looked = upstar_runs::RunFolder::look(folder).ok();
    let answer = looked.and_then(|folder| folder.unseal::<Answer>("result.json").ok()?);
    let answer = answer.filter(|answer| answer.proved);
    let nodes: u64 = sessions.iter().map(|session| session.nodes).sum();
    let seconds: f64 = sessions.iter().map(|session| session.seconds).sum();
    let counts = sessions.iter().rev().find_map(|session| {
        let of = session.first_moves.filter(|&of| of > 0)?;
        Some((session.first_moves_refuted?, of))
    });
    detail
        .facts
        .push(Fact::new("Searched", counted(nodes, "position")));
    detail.facts.push(Fact::new("Time", spent(seconds)));
    if seconds > 0.0 {
        let speed = grouped((nodes as f64 / seconds) as u64);
        detail
            .facts
            .push(Fact::new("Speed", format!("{speed} a second")));
    }
    let threads = config.threads.to_string();
    detail.facts.push(Fact::new("Threads", threads));
    let memory = format!("{:.1} GiB", config.memory as f64 / f64::from(1 << 30));
    detail.facts.push(Fact::new("Table", memory));
    let numbered = || (1u32..).map(f64::from).zip(sessions);
    detail.charts = drawn(vec![
        Chart::new("Speed", "positions per second", "session", Scale::Linear).with(
            "",
            numbered().map(|(number, session)| {
                let speed = session.nodes as f64 / session.seconds.max(1e-9);
                (number, Some(speed))
            }),
        ),
        Chart::new(
            "Searched",
            "positions, all sessions",
            "session",
            Scale::Linear,
        )
        .with(
            "",
            numbered().scan(0, |all, (number, session)| {
                *all += session.nodes;
                Some((number, Some(*all as f64)))
            }),
        ),
        Chart::new(
            "First moves refuted",
            "known to lose",
            "session",
            Scale::Linear,
        )
        .with(
            "",
            numbered().map(|(number, session)| {
                (
                    number,
                    session.first_moves_refuted.map(|refuted| refuted as f64),
                )
            }),
        ),
    ]);
    // One session is no curve.
    if sessions.len() < 2 {
        detail.charts.clear();
    }
    detail.solve = Some(SolveDetail {
        game: config.game,
        position: config.position,
        to_move: config.to_move,
        winner: answer.as_ref().and_then(|answer| answer.winner.clone()),
        score: answer.as_ref().and_then(|answer| answer.score),
        best: answer.and_then(|answer| answer.best),
        refuted: counts.map(|(refuted, _)| refuted),
        first_moves: counts.map(|(_, of)| of),
        nodes,
        seconds,
        sessions: sessions.to_vec(),
    });
}
