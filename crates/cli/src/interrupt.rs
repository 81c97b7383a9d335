//! Ctrl-C, termination and hang-up. A signal that the program was started to ignore stays ignored, as
//! `nohup` and shells' background jobs expect.

/// Calls `action` for every signal that asks this program to end, on a thread of its own.
#[cfg(unix)]
pub(crate) fn listen(mut action: impl FnMut() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let ignored = ignored();
    let is_heard = |signal: &i32| ignored >> (signal - 1) & 1 == 0;
    let heard = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(is_heard);
    let Ok(mut signals) = Signals::new(heard) else {
        return;
    };
    let thread = std::thread::Builder::new().name("signals".to_owned());
    // Where no thread can be started, signals end the program as they do by default.
    let _ = thread.spawn(move || {
        for _ in signals.forever() {
            action();
        }
    });
}

/// Calls `action` when Ctrl-C is pressed, on a thread of its own.
#[cfg(not(unix))]
pub(crate) fn listen(action: impl FnMut() + Send + 'static) {
    let _ = ctrlc::set_handler(action);
}

/// The signals that this process ignores, one bit each, where the system tells them in `/proc`.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(0)
}
