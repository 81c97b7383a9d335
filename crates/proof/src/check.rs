//! The checker: believes nothing that the file says but the replies, and those only if they work.
//!
//! First the frame of the file (blocks, checksums, totals), then what the game's own checker says.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use upstar_games::Variant;
use upstar_jobs::{Budget, Watch, thread};

use crate::frame::Outline;
use crate::refusal::Refusal;
use crate::{clobber, othello};

/// What a check may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// Bytes for the hashes of nodes, and again as many for lemmas. Less memory means more passes.
    /// Each thread's search takes 16 MB besides.
    pub memory: u64,
    /// Positions that one plain search, of a leaf or a lemma, may look at.
    pub effort: u64,
    /// Threads that check blocks.
    pub threads: usize,
}

impl Default for CheckOptions {
    /// A gigabyte, ten million positions, one thread.
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            effort: 10_000_000,
            threads: 1,
        }
    }
}

/// What a proof proves, of whichever game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyClaim {
    /// Who wins a position of Clobber.
    Clobber(clobber::Claim),
    /// Bounds of a score in Othello.
    Othello(othello::Claim),
}

/// A proof that was found correct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What has been proved.
    pub claim: AnyClaim,
    /// The move with which the side that begins gets what is claimed for it, if the proof has one.
    pub first: Option<String>,
    /// Nodes of the proof.
    pub nodes: u64,
    /// Lemmas that were verified.
    pub lemmas: u64,
    /// Leaves that were decided by plain search.
    pub leaves: u64,
    /// Positions that all searches looked at.
    pub positions: u64,
    /// How often the nodes were gone through for want of memory.
    pub passes: u64,
    /// The size of the file.
    pub bytes: u64,
}

/// Checks a proof in a file; see [`check`].
///
/// # Errors
/// If it cannot be read or is not a correct proof.
pub fn check_file(
    path: &Path,
    options: &CheckOptions,
    budget: &Budget,
    watch: &dyn Watch,
) -> Result<Checked, Refusal> {
    check(File::open(path)?, options, budget, watch)
}

/// Checks a proof by the rules of its game alone.
///
/// # Errors
/// If it cannot be read or is not a correct proof.
pub fn check<R: Read + Seek + Send>(
    reader: R,
    options: &CheckOptions,
    budget: &Budget,
    watch: &dyn Watch,
) -> Result<Checked, Refusal> {
    let mut reader = BufReader::with_capacity(1 << 16, reader);
    let watched = Watched { budget, watch };
    let outline = Outline::read(&mut reader, |at, total| watched.report(at, total))?;
    match outline.game {
        Variant::Othello(_) => othello::check(&mut reader, &outline, options, watched),
        _ => clobber::check(&mut reader, &outline, options, watched),
    }
}

/// What ends a check, and who is told how far it is.
#[derive(Clone, Copy)]
pub(crate) struct Watched<'a> {
    pub(crate) budget: &'a Budget,
    pub(crate) watch: &'a dyn Watch,
}

impl Watched<'_> {
    /// Tells how much of a stage is done: reading, lemmas, nodes.
    pub(crate) fn report(self, done: u64, total: u64) -> Result<(), Refusal> {
        self.watch.progress(done as f64 / total.max(1) as f64);
        match self.budget.is_over() {
            false => Ok(()),
            true => Err(Refusal::Stopped),
        }
    }

    /// Why a search came to no end.
    pub(crate) fn too_hard(self, text: String) -> Refusal {
        match self.budget.is_over() {
            false => Refusal::TooHard(text),
            true => Refusal::Stopped,
        }
    }
}

/// Lets each search do shares of the work in a thread of its own until there is none left or one
/// refuses. A single one, or a single share, needs no thread.
pub(crate) fn in_parallel<S: Send>(
    searches: &mut [S],
    shares: usize,
    work: impl Fn(&mut S) -> Result<bool, Refusal> + Sync,
) -> Result<(), Refusal> {
    let stop = AtomicBool::new(false);
    let worker = |search: &mut S| -> Result<(), Refusal> {
        while !stop.load(Ordering::Relaxed) {
            match work(search) {
                Ok(true) => {}
                Ok(false) => break,
                Err(refusal) => {
                    stop.store(true, Ordering::Relaxed);
                    return Err(refusal);
                }
            }
        }
        Ok(())
    };
    if searches.len() == 1 || shares <= 1 {
        return worker(&mut searches[0]);
    }
    std::thread::scope(|scope| {
        let worker = &worker;
        let start = |search| thread::start(scope, thread::STACK, move || worker(search));
        let threads: Vec<_> = searches.iter_mut().map(start).collect();
        if threads.iter().any(Result::is_err) {
            stop.store(true, Ordering::Relaxed);
        }
        let results = threads.into_iter().map(|thread| match thread?.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        // All threads are waited for; then the first refusal counts.
        results.collect::<Vec<_>>().into_iter().collect()
    })
}
