//! How far a solve is, a line every few seconds: what a killed session had done is known up to its last line.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use upstar_jobs::Ledger;
use upstar_runs::Log;

use super::SolveSession;

/// How far a session was at some moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveProgress {
    /// Which session of the run, from 1.
    pub session: u64,
    /// How long it has searched.
    pub seconds: f64,
    /// How many nodes.
    pub nodes: u64,
    /// Subproblems in the journal, of all sessions.
    pub decided: u64,
    /// Clobber: first moves that are known to lose.
    pub first_moves_refuted: Option<usize>,
    /// Clobber: all first moves.
    pub first_moves: Option<usize>,
    /// The share of the transposition table that is in use.
    pub fill: f64,
    /// Bytes of tables.
    pub memory: usize,
    /// How many more seconds it takes at most, if the other first moves take as long as those refuted so far;
    /// an estimate.
    pub left: Option<f64>,
}

/// The last lines of sessions that have ended without a word, or go on.
pub fn unfinished<'a>(
    progress: &'a [SolveProgress],
    sessions: &[SolveSession],
) -> impl Iterator<Item = &'a SolveProgress> {
    let ended: Vec<u64> = sessions.iter().map(|session| session.session).collect();
    let last = progress.chunk_by(|one, next| one.session == next.session);
    last.filter_map(<[SolveProgress]>::last)
        .filter(move |line| !ended.contains(&line.session))
}

/// What a search has told.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) nodes: AtomicU64,
    pub(super) decided: AtomicU64,
    refuted: AtomicUsize,
    first_moves: AtomicUsize,
    /// In millionths.
    fill: AtomicU64,
}

impl Told {
    pub(super) fn first_moves(&self, refuted: usize, of: usize) {
        self.first_moves.store(of, Ordering::Relaxed);
        self.refuted.store(refuted, Ordering::Relaxed);
    }

    pub(super) fn fill(&self, share: f64) {
        self.fill.store((share * 1e6) as u64, Ordering::Relaxed);
    }
}

/// Writes lines while a session goes on.
pub(super) struct Recorder<'a> {
    pub(super) log: Option<Log>,
    pub(super) session: u64,
    /// What earlier sessions took.
    pub(super) earlier: f64,
    pub(super) told: &'a Told,
    pub(super) ledger: &'a Ledger,
}

impl Recorder<'_> {
    /// Does the work, and writes how far it is until it is done, and once more then.
    pub(super) fn during<T>(mut self, work: impl FnOnce() -> T) -> T {
        thread::scope(|scope| {
            let (done, wait) = mpsc::channel::<()>();
            let writer = thread::Builder::new().name("progress".to_owned());
            // Without a thread for it nothing is written, and the search goes on.
            let _ = writer.spawn_scoped(scope, move || {
                let begun = Instant::now();
                let mut pause = pause(Duration::ZERO);
                while wait.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                    self.write(begun.elapsed());
                    pause = self::pause(begun.elapsed());
                }
                self.write(begun.elapsed());
            });
            let result = work();
            drop(done);
            result
        })
    }

    fn write(&mut self, time: Duration) {
        let line = self.line(time.as_secs_f64());
        // What cannot be written is lost, and the search goes on.
        if let Some(log) = &mut self.log {
            let _ = log.add(&line);
        }
    }

    fn line(&self, seconds: f64) -> SolveProgress {
        let count = |number: &AtomicUsize| number.load(Ordering::Relaxed);
        let (refuted, of) = (count(&self.told.refuted), count(&self.told.first_moves));
        let pace = (self.earlier + seconds) / refuted as f64;
        SolveProgress {
            session: self.session,
            seconds,
            nodes: self.told.nodes.load(Ordering::Relaxed),
            decided: self.told.decided.load(Ordering::Relaxed),
            first_moves_refuted: (of > 0).then_some(refuted),
            first_moves: (of > 0).then_some(of),
            fill: self.told.fill.load(Ordering::Relaxed) as f64 / 1e6,
            memory: self.ledger.limit() - self.ledger.free(),
            // The two counts are not read at the same moment.
            left: (refuted > 0).then(|| pace * of.saturating_sub(refuted) as f64),
        }
    }
}

/// How long to wait for the next line: two seconds at first, and a minute in sessions that last for hours.
fn pause(time: Duration) -> Duration {
    (time / 200).clamp(Duration::from_secs(2), Duration::from_secs(60))
}
