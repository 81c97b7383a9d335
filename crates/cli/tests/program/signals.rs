//! Signals: the first one ends a search cleanly, and one that is ignored stays ignored.
#![cfg(unix)]

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// A search that takes minutes, started by a shell after `before`.
fn long_search(before: &str) -> Child {
    let upstar = env!("CARGO_BIN_EXE_upstar");
    let script = format!("{before} exec '{upstar}' solve clobber 6x7 --algorithm id-tt --json");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]);
    shell.stdin(Stdio::null()).stdout(Stdio::piped());
    let child = shell.stderr(Stdio::null()).spawn().expect("sh runs");
    // Until it has begun to listen.
    thread::sleep(Duration::from_millis(500));
    child
}

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status();
    assert!(sent.expect("kill runs").success());
}

/// Whether this process, and so each program that it starts, ignores a signal: a job in the background
/// ignores the interrupt.
pub(crate) fn is_ignored(signal: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[test]
fn the_first_signal_ends_a_search_with_what_it_knows() {
    for (signal, number) in [("-HUP", 1), ("-INT", 2), ("-TERM", 15)] {
        if is_ignored(number) {
            continue;
        }
        let mut child = long_search("");
        send(signal, &child);
        let status = child.wait().expect("it ends");
        let mut text = String::new();
        let mut out = child.stdout.take().expect("it is piped");
        out.read_to_string(&mut text).expect("it is text");
        assert_eq!(status.code(), Some(1), "{signal}");
        assert!(text.contains("\"proved\":false"), "{signal}: {text}");
    }
}

#[test]
fn an_ignored_hang_up_stays_ignored() {
    for (name, signal) in [("HUP", "-HUP"), ("INT", "-INT")] {
        let mut child = long_search(&format!("trap '' {name};"));
        send(signal, &child);
        thread::sleep(Duration::from_millis(300));
        let ended = child.try_wait().expect("it can be asked");
        assert_eq!(ended, None, "{name}");
        send("-TERM", &child);
        assert_eq!(child.wait().expect("it ends").code(), Some(1), "{name}");
    }
}

/// What the page starts ends with the page's server, however that ends: the system closes its end of the pipe.
#[test]
fn the_end_of_standard_input_ends_a_search_that_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_upstar"));
    command.args(["solve", "clobber", "7x7", "--memory", "64M", "--out", "run"]);
    command.current_dir(folder.path());
    command.env(
        "UPSTAR_CACHE",
        concat!(env!("CARGO_TARGET_TMPDIR"), "/tables"),
    );
    command.env("UPSTAR_STOP_AT_EOF", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.stderr(Stdio::null()).spawn().expect("it starts");
    let run = folder.path().join("run");
    // Each line stands there as soon as it is written, also if the session were killed.
    let lines = || {
        let text = std::fs::read_to_string(run.join("progress.jsonl")).unwrap_or_default();
        text.lines().count()
    };
    while lines() < 2 {
        assert_eq!(child.try_wait().expect("it can be asked"), None);
        thread::sleep(Duration::from_millis(20));
    }
    drop(child.stdin.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    let sessions = std::fs::read_to_string(run.join("sessions.jsonl")).expect("it has ended well");
    assert_eq!(sessions.lines().count(), 1);
    assert!(sessions.contains("\"session\":1"), "{sessions}");
}
