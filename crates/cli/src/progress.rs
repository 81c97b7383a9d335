//! Progress of long work, on standard error and only where that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for this many steps. It shows nothing elsewhere than in a terminal.
pub(crate) fn bar(steps: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}, {eta} left");
    let bar = ProgressBar::new(steps).with_message(what);
    bar.set_style(style.expect("the template is right"));
    bar
}
