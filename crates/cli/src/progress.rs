//! Progress of long work, on standard error and only where that is a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
