//! Progress of long work, on standard error: bars where that is a terminal, and for runs that take hours
//! lines where it is not.

use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use upstar_jobs::Watch;

use crate::output::grouped;

/// Work that ends sooner than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar that appears once the work turns out to be long.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar for this many steps.
    pub(crate) fn new(steps: u64, what: &'static str) -> Self {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}, {eta} left");
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden());
        bar.set_style(style.expect("the template is right"));
        Self(bar.with_message(what))
    }

    /// One more step is done.
    pub(crate) fn step(&self) {
        if self.0.is_hidden() && self.0.elapsed() > PATIENCE {
            self.0.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.0.inc(1);
    }

    /// All is done, and the bar goes.
    pub(crate) fn finish(self) {
        self.0.finish_and_clear();
    }
}

/// A bar for work of which only the share that is done is known.
pub(crate) struct Share {
    bar: ProgressBar,
}

impl Watch for Share {
    fn progress(&self, share: f64) {
        self.set(share);
    }
}

impl Share {
    const STEPS: f64 = 1000.0;

    pub(crate) fn new(what: &'static str) -> Self {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {percent} %");
        let bar =
            ProgressBar::with_draw_target(Some(Self::STEPS as u64), ProgressDrawTarget::hidden());
        bar.set_style(style.expect("the template is right"));
        Self {
            bar: bar.with_message(what),
        }
    }

    /// This share is done.
    pub(crate) fn set(&self, share: f64) {
        if self.bar.is_hidden() && share < 1.0 {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position((share * Self::STEPS) as u64);
    }

    /// All is done, and the bar goes.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// The steps of a run, with what the last one came to. Where there is no terminal, a line is written now
/// and then.
pub(crate) struct Steps {
    bar: ProgressBar,
    /// When the last line was written.
    told: Mutex<Instant>,
}

impl Steps {
    /// The time between lines.
    const PAUSE: Duration = Duration::from_secs(10);

    /// So many steps, of which some were done in an earlier session.
    pub(crate) fn new(steps: u64, done: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}, {eta} left{msg}");
        bar.set_style(style.expect("the template is right"));
        bar.set_position(done);
        bar.reset_eta();
        Self {
            bar,
            told: Mutex::new(Instant::now()),
        }
    }

    /// So many steps are done, and this is to be said about them.
    pub(crate) fn at(&self, step: u64, message: String) {
        if self.bar.is_hidden() {
            let mut told = self.told.lock().expect("nobody panicked with it");
            if told.elapsed() > Self::PAUSE {
                *told = Instant::now();
                let steps = self.bar.length().unwrap_or_default();
                self.line(&format!("{step}/{steps}{message}"));
            }
        }
        self.bar.set_position(step);
        self.bar.set_message(message);
    }

    /// So much is done of a part of a step: only for the bar.
    pub(crate) fn part(&self, done: u64, of: u64, message: String) {
        self.bar.set_length(of);
        self.bar.set_position(done);
        self.bar.set_message(message);
    }

    /// A line that stays.
    pub(crate) fn line(&self, text: &str) {
        if self.bar.is_hidden() {
            // Who does not listen does not stop the work.
            let _ = writeln!(std::io::stderr(), "{text}");
        } else {
            self.bar.println(text);
        }
    }

    /// All is done, and the bar goes.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// What a search has to tell while it runs.
#[derive(Default)]
pub(crate) struct SearchProgress {
    nodes: AtomicU64,
    /// How much of the table is in use, in thousandths.
    fill: AtomicUsize,
    refuted: AtomicUsize,
    first_moves: AtomicUsize,
    /// Othello: the question in work is whether the mover's score is above this.
    is_othello: AtomicBool,
    above: AtomicI32,
    /// How much of a value table is made, or of a proof checked, in thousandths.
    share: AtomicUsize,
    /// Positions of a proof that are written and that wait, and lemmas.
    written: [AtomicU64; 3],
}

impl Watch for SearchProgress {
    fn first_moves(&self, refuted: usize, of: usize) {
        self.refuted.store(refuted, Ordering::Relaxed);
        self.first_moves.store(of, Ordering::Relaxed);
    }

    fn nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    fn fill(&self, share: f64) {
        self.fill
            .store((share * 1000.0) as usize, Ordering::Relaxed);
    }

    fn above(&self, score: i32) {
        self.above.store(score, Ordering::Relaxed);
        self.is_othello.store(true, Ordering::Relaxed);
    }

    fn progress(&self, share: f64) {
        self.share
            .store((share * 1000.0) as usize, Ordering::Relaxed);
    }

    fn written(&self, nodes: u64, waiting: u64, lemmas: u64) {
        let numbers = [nodes, waiting, lemmas];
        for (place, number) in self.written.iter().zip(numbers) {
            place.store(number, Ordering::Relaxed);
        }
    }
}

impl SearchProgress {
    /// Does the work; if it takes long, shows a line about it until it is done.
    pub(crate) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        thread::scope(|scope| {
            let (done, wait) = mpsc::channel::<()>();
            scope.spawn(move || {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
                let style = ProgressStyle::with_template("{spinner} {msg}");
                bar.set_style(style.expect("the template is right"));
                while wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    if bar.is_hidden() {
                        bar.set_draw_target(ProgressDrawTarget::stderr());
                    }
                    bar.set_message(self.line(begun.elapsed()));
                    bar.tick();
                }
                bar.finish_and_clear();
            });
            let result = work();
            drop(done);
            result
        })
    }

    /// How many of the first moves are refuted, and how many there are.
    pub(crate) fn first_moves_refuted(&self) -> (usize, usize) {
        (
            self.refuted.load(Ordering::Relaxed),
            self.first_moves.load(Ordering::Relaxed),
        )
    }

    /// Where the search is.
    fn line(&self, time: Duration) -> String {
        let [written, waiting, lemmas] = [0, 1, 2].map(|i| self.written[i].load(Ordering::Relaxed));
        if written > 0 {
            return format!(
                "proof: {} positions written, {} waiting, {} lemmas",
                grouped(written),
                grouped(waiting),
                grouped(lemmas)
            );
        }
        let nodes = self.nodes.load(Ordering::Relaxed);
        let share = self.share.load(Ordering::Relaxed);
        if nodes == 0 && share > 0 {
            return format!("values of small components: {} %", share / 10);
        }
        let rate = grouped((nodes as f64 / time.as_secs_f64()) as u64);
        let mut line = format!("{} nodes, {rate} a second", grouped(nodes));
        let fill = self.fill.load(Ordering::Relaxed);
        if fill > 0 {
            line += &format!(", table {} % full", fill / 10);
        }
        if self.is_othello.load(Ordering::Relaxed) {
            let above = self.above.load(Ordering::Relaxed);
            line += &format!(", asking whether the score is above {above}");
        }
        let (refuted, of) = self.first_moves_refuted();
        if of > 0 {
            line += &format!(", {refuted} of {of} first moves refuted");
            if refuted > 0 {
                // Only if the others take as long, and none of them wins.
                let rest = time.mul_f64((of - refuted) as f64 / refuted as f64);
                line += &format!(", at this pace {} s more at most", rest.as_secs());
            }
        }
        line
    }
}
