//! Ctrl-C, termination and hang-up, and the end of a parent that wants its children to end with it. A signal that the program was started to ignore stays ignored, as
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

/// Calls `action` when standard input ends, on a thread of its own, if `UPSTAR_STOP_AT_EOF` is set: whoever
/// started this program holds the other end, and when it is gone nobody wants the work any more.
pub(crate) fn listen_for_end(action: impl FnOnce() + Send + 'static) {
    if std::env::var_os("UPSTAR_STOP_AT_EOF").is_none() {
        return;
    }
    let thread = std::thread::Builder::new().name("parent".to_owned());
    let _ = thread.spawn(move || {
        // An error is an end too.
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        action();
    });
}

/// Calls `before` when this program is to be suspended, and `after` when it goes on, also where nobody could
/// say that it would be suspended.
#[cfg(unix)]
pub(crate) fn around_suspension(
    before: impl Fn() + Send + 'static,
    after: impl Fn() + Send + 'static,
) {
    use signal_hook::consts::{SIGCONT, SIGTSTP};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let Ok(mut signals) = Signals::new([SIGTSTP, SIGCONT]) else {
        return;
    };
    let thread = std::thread::Builder::new().name("suspension".to_owned());
    // Where no thread can be started the terminal stays as it is.
    let _ = thread.spawn(move || {
        for signal in signals.forever() {
            if signal == SIGCONT {
                after();
            } else {
                before();
                // This stops the process; what fails leaves it running.
                let _ = emulate_default_handler(SIGTSTP);
            }
        }
    });
}

/// There is no suspension here.
#[cfg(not(unix))]
pub(crate) fn around_suspension(_: impl Fn() + Send + 'static, _: impl Fn() + Send + 'static) {}

/// The signals that this process ignores, one bit each, where the system tells them in `/proc`.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(0)
}
