//! Progress of long work, on standard error: a bar where that is a terminal, and a line every half minute
//! where it is not.

use std::io::{Write, stderr};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use upstar_jobs::Watch;

use crate::output::grouped;

/// Work that ends sooner than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time between lines where there is no terminal.
const PAUSE: Duration = Duration::from_secs(30);

/// Says every half minute how far the work is, until it is dropped; nothing where standard error is a terminal.
pub(crate) struct Teller {
    talk: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

impl Teller {
    /// Says what `line` returns.
    pub(crate) fn new(line: impl Fn() -> String + Send + 'static) -> Self {
        match ProgressDrawTarget::stderr().is_hidden() {
            true => Self::every(PAUSE, stderr(), line),
            false => Self { talk: None },
        }
    }

    fn every(
        pause: Duration,
        mut out: impl Write + Send + 'static,
        line: impl Fn() -> String + Send + 'static,
    ) -> Self {
        let (done, wait) = mpsc::channel();
        let talk = move || {
            while wait.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                // The work goes on if nothing can be said.
                let _ = writeln!(out, "{}", line());
            }
        };
        // Without a thread the work is silent.
        let thread = thread::Builder::new().spawn(talk).ok();
        Self {
            talk: thread.map(|thread| (done, thread)),
        }
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.talk.take() {
            drop(done);
            let _ = thread.join();
        }
    }
}

/// A bar that appears once the work turns out to be long.
pub(crate) struct Progress {
    bar: ProgressBar,
    _teller: Teller,
}

impl Watch for Progress {
    /// The pieces are the steps, of one work or of several, one after the other.
    fn pieces(&self, _: &str, _: u64, _: u64) {
        self.step();
    }
}

impl Progress {
    /// A bar for this many steps.
    pub(crate) fn new(steps: u64, what: &'static str) -> Self {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}, {eta} left");
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden());
        bar.set_style(style.expect("the template is right"));
        let told = bar.clone();
        let line = move || format!("{what}: {} of {steps}", told.position());
        Self {
            _teller: Teller::new(line),
            bar: bar.with_message(what),
        }
    }

    /// One more step is done.
    pub(crate) fn step(&self) {
        if self.bar.is_hidden() && self.bar.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(1);
    }

    /// All is done, and the bar goes.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for work of which only the share that is done is known.
pub(crate) struct Share {
    bar: ProgressBar,
    _teller: Teller,
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
        let told = bar.clone();
        let percent = move || told.position() as f64 * 100.0 / Self::STEPS;
        Self {
            _teller: Teller::new(move || format!("{what}: {:.1} %", percent())),
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

/// The steps of a run, with what the last one came to.
pub(crate) struct Steps {
    bar: ProgressBar,
    _teller: Teller,
}

impl Watch for Steps {
    fn pieces(&self, what: &str, done: u64, of: u64) {
        self.bar.set_length(of);
        self.bar.set_position(done);
        let message = format!(", {what}");
        if self.bar.message() != message {
            // Pieces of another kind take another time.
            self.bar.set_message(message);
            self.bar.reset_eta();
        }
    }
}

impl Steps {
    /// So many steps, of which some were done in an earlier session.
    pub(crate) fn new(steps: u64, done: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}, {eta} left{msg}");
        bar.set_style(style.expect("the template is right"));
        bar.set_position(done);
        bar.reset_eta();
        let told = bar.clone();
        let line = move || {
            let (done, of) = (told.position(), told.length().unwrap_or_default());
            format!("{done}/{of}{}", told.message())
        };
        Self {
            bar,
            _teller: Teller::new(line),
        }
    }

    /// So many steps are done, and this is to be said about them.
    pub(crate) fn at(&self, step: u64, message: String) {
        self.bar.set_position(step);
        self.bar.set_message(message);
    }

    /// A line that stays.
    pub(crate) fn line(&self, text: &str) {
        if self.bar.is_hidden() {
            // The work goes on if nothing can be said.
            let _ = writeln!(stderr(), "{text}");
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
                let mut told = begun;
                while wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    if bar.is_hidden() {
                        bar.set_draw_target(ProgressDrawTarget::stderr());
                    }
                    bar.set_message(self.line(begun.elapsed()));
                    bar.tick();
                    if bar.is_hidden() && told.elapsed() >= PAUSE {
                        told = Instant::now();
                        let _ = writeln!(stderr(), "{}", bar.message());
                    }
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

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn redirected_work_says_how_far_it_is_until_it_ends() {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let teller = Teller::every(Duration::from_millis(5), writer, || "games: 7 of 9".into());
        let mut first = [0; 28];
        reader.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"games: 7 of 9\ngames: 7 of 9\n");
        // The thread ends with it, so the pipe does too.
        drop(teller);
        reader.read_to_end(&mut Vec::new()).unwrap();
    }
}
