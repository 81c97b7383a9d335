//! A long solve: what is asked, how far the search is, and the answer.

use std::path::Path;

use serde::{Deserialize, Serialize};
use upstar_jobs::quantity::{counted, grouped};
use upstar_solve::run::{PROGRESS, SESSIONS, SolveConfig, SolveProgress, SolveSession, unfinished};

use super::chart::{Chart, Scale, drawn};
use super::detail::{Fact, RunDetail, spent};
use super::entry::{Entry, Reader};
use super::progress::State;

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
    /// The sessions that have ended.
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

/// What all sessions of a solve have come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Total {
    pub(super) nodes: u64,
    pub(super) seconds: f64,
    /// First moves that are known to lose, and all.
    pub(super) first_moves: Option<(usize, usize)>,
}

impl Total {
    /// Of sessions that have ended, and of those that were killed or go on.
    pub(super) fn of(sessions: &[SolveSession], progress: &[SolveProgress]) -> Self {
        let ended = sessions.iter().map(|it| (it.nodes, it.seconds));
        let others = unfinished(progress, sessions).map(|it| (it.nodes, it.seconds));
        let (nodes, seconds) = ended
            .chain(others)
            .fold((0, 0.0), |all, it| (all.0 + it.0, all.1 + it.1));
        let counted =
            |refuted: Option<usize>, of: Option<usize>| Some((refuted?, of.filter(|&of| of > 0)?));
        let mut ended = sessions.iter().rev();
        let ended = ended.find_map(|it| counted(it.first_moves_refuted, it.first_moves));
        let last = unfinished(progress, sessions).last();
        let last = last.and_then(|it| counted(it.first_moves_refuted, it.first_moves));
        Self {
            nodes,
            seconds,
            first_moves: last.or(ended),
        }
    }
}

/// Shows the sessions of a solve, and how far the last one is.
pub(super) fn show(detail: &mut RunDetail, entry: &Entry, reader: &mut Reader, config: &str) {
    let sessions = entry.lines(&mut reader.sessions, SESSIONS, &mut detail.remarks);
    let progress = entry.lines(&mut reader.progress, PROGRESS, &mut detail.remarks);
    let Ok(config) = toml::from_str::<SolveConfig>(config) else {
        let remark = "The configuration cannot be read.";
        detail.remarks.push(remark.to_owned());
        return;
    };
    let answer = answer(&entry.path);
    let total = Total::of(sessions, progress);
    let mut fact = |name: &str, value: String| detail.facts.push(Fact::new(name, value));
    fact("Time", spent(total.seconds));
    if total.seconds > 0.0 {
        let speed = grouped((total.nodes as f64 / total.seconds) as u64);
        fact("Speed", format!("{speed} a second"));
    }
    fact("Threads", config.threads.to_string());
    let gibibytes = |bytes: usize| format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30));
    match progress.last() {
        None => fact("Memory", gibibytes(config.memory)),
        Some(last) => {
            let (used, of) = (gibibytes(last.memory), gibibytes(config.memory));
            fact("Memory", format!("{used} of {of}"));
            fact("Table", format!("{:.0} % full", 100.0 * last.fill));
            fact("Decided", counted(last.decided, "subproblem"));
        }
    }
    detail.charts = match progress.len() {
        // Runs of older programs tell nothing until a session ends.
        0 => session_charts(sessions),
        _ => progress_charts(sessions, progress),
    };
    if detail.run.state == State::Running {
        detail.left = progress.last().and_then(|last| last.left);
    }
    detail.solve = Some(SolveDetail {
        game: config.game,
        position: config.position,
        to_move: config.to_move,
        winner: answer.as_ref().and_then(|answer| answer.winner.clone()),
        score: answer.as_ref().and_then(|answer| answer.score),
        best: answer.and_then(|answer| answer.best),
        refuted: total.first_moves.map(|(refuted, _)| refuted),
        first_moves: total.first_moves.map(|(_, of)| of),
        nodes: total.nodes,
        seconds: total.seconds,
        sessions: sessions.to_vec(),
    });
}

/// The answer, if the run has come to it; one that is damaged or not sealed says nothing.
fn answer(folder: &Path) -> Option<Answer> {
    let folder = upstar_runs::RunFolder::look(folder).ok()?;
    let answer = folder.unseal::<Answer>("result.json").ok()?;
    answer.filter(|answer| answer.proved)
}

/// A moment of a run.
struct Moment<'a> {
    /// Seconds and nodes of all sessions until then.
    seconds: f64,
    nodes: u64,
    /// Nodes a second since the line before.
    speed: Option<f64>,
    line: &'a SolveProgress,
}

/// Curves over the time that all sessions took.
fn progress_charts(sessions: &[SolveSession], progress: &[SolveProgress]) -> Vec<Chart> {
    // Sessions of older programs, which wrote no lines on their way, come first.
    let earlier = sessions.iter().filter(|session| session.session == 0);
    let (mut nodes, mut seconds) = earlier.fold((0, 0.0), |all, session| {
        (all.0 + session.nodes, all.1 + session.seconds)
    });
    let mut moments = Vec::new();
    for lines in progress.chunk_by(|one, next| one.session == next.session) {
        let mut before = (0, 0.0);
        for line in lines {
            let time = line.seconds - before.1;
            let searched = line.nodes.saturating_sub(before.0);
            moments.push(Moment {
                seconds: seconds + line.seconds,
                nodes: nodes + line.nodes,
                // The last line may come right after the one before.
                speed: (time > 0.5 || before.1 == 0.0).then(|| searched as f64 / time.max(1e-9)),
                line,
            });
            before = (line.nodes, line.seconds);
        }
        let ended = sessions.iter().find(|it| it.session == lines[0].session);
        let end = ended.map_or(before, |session| (session.nodes, session.seconds));
        (nodes, seconds) = (nodes + end.0, seconds + end.1);
    }
    let (unit, right) = match seconds {
        0.0..600.0 => (1.0, "seconds"),
        600.0..36_000.0 => (60.0, "minutes"),
        _ => (3600.0, "hours"),
    };
    let chart = |title: &str, what: &str, scale: Scale, of: &dyn Fn(&Moment<'_>) -> Option<f64>| {
        let points = moments.iter();
        Chart::new(title, what, right, scale)
            .with("", points.map(|moment| (moment.seconds / unit, of(moment))))
    };
    drawn(vec![
        chart("Searched", "positions", Scale::Linear, &|moment| {
            Some(moment.nodes as f64)
        }),
        chart("Speed", "positions per second", Scale::Linear, &|moment| {
            moment.speed
        }),
        chart(
            "First moves refuted",
            "known to lose",
            Scale::Linear,
            &|moment| moment.line.first_moves_refuted.map(|count| count as f64),
        ),
        chart(
            "Subproblems decided",
            "in the journal",
            Scale::Linear,
            &|moment| Some(moment.line.decided as f64),
        ),
        chart("Table", "in use", Scale::Share, &|moment| {
            Some(moment.line.fill)
        }),
    ])
}

/// Curves over sessions. One session is no curve.
fn session_charts(sessions: &[SolveSession]) -> Vec<Chart> {
    if sessions.len() < 2 {
        return Vec::new();
    }
    let chart = |title: &str, unit: &str, of: &mut dyn FnMut(&SolveSession) -> Option<f64>| {
        let numbered = (1u32..).map(f64::from).zip(sessions);
        let points: Vec<_> = numbered
            .map(|(number, session)| (number, of(session)))
            .collect();
        Chart::new(title, unit, "session", Scale::Linear).with("", points)
    };
    let mut all = 0;
    drawn(vec![
        chart("Speed", "positions per second", &mut |session| {
            Some(session.nodes as f64 / session.seconds.max(1e-9))
        }),
        chart("Searched", "positions, all sessions", &mut |session| {
            all += session.nodes;
            Some(all as f64)
        }),
        chart("First moves refuted", "known to lose", &mut |session| {
            session.first_moves_refuted.map(|refuted| refuted as f64)
        }),
    ])
}
