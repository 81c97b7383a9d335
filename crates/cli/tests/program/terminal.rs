//! The terminal board in a real terminal: a pseudo-terminal whose other end a test holds.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Termios, Winsize, tcgetattr, tcsetwinsize};
use tempfile::tempdir;

use crate::signals::is_ignored;

/// Longer than anything takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program in a terminal.
struct Terminal {
    child: Child,
    keyboard: File,
    /// The program's end of it.
    line: OwnedFd,
    /// All that was shown.
    shown: Arc<Mutex<Vec<u8>>>,
    before: Termios,
}

impl Terminal {
    /// Starts the program in a window of 80 columns and 24 rows.
    fn start(words: &[&str], folder: &Path, variables: &[(&str, &str)]) -> Self {
        let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there is a pty");
        grantpt(&keyboard).expect("it is ours");
        unlockpt(&keyboard).expect("it can be unlocked");
        let name = ptsname(&keyboard, Vec::new()).expect("it has a name");
        let flags = OFlags::RDWR | OFlags::NOCTTY;
        let line = rustix::fs::open(name, flags, Mode::empty()).expect("it can be opened");
        let size = Winsize {
            ws_row: 24,
            ws_col: 80,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&line, size).expect("it has a size");
        let before = tcgetattr(&line).expect("it has modes");
        let end = || line.try_clone().expect("there are enough files");
        let mut command = Command::new(env!("CARGO_BIN_EXE_upstar"));
        command.args(words).current_dir(folder);
        for inherited in ["NO_COLOR", "LC_CTYPE", "CI", "CLICOLOR_FORCE"] {
            command.env_remove(inherited);
        }
        command
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8");
        command.env(
            "UPSTAR_CACHE",
            concat!(env!("CARGO_TARGET_TMPDIR"), "/tables"),
        );
        command.envs(variables.iter().copied());
        command.stdin(end()).stdout(end()).stderr(end());
        let child = command.spawn().expect("upstar starts");
        let keyboard = File::from(keyboard);
        let shown = Arc::new(Mutex::new(Vec::new()));
        let (mut screen, seen) = (
            keyboard.try_clone().expect("it is a file"),
            Arc::clone(&shown),
        );
        thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(read @ 1..) = screen.read(&mut piece) {
                seen.lock().expect("no panic").extend(&piece[..read]);
            }
        });
        Self {
            child,
            keyboard,
            line,
            shown,
            before,
        }
    }

    fn send(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("it reads");
    }

    /// A click, as terminals report it: columns and rows counted from 1.
    fn click(&mut self, column: usize, row: usize) {
        self.send(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status();
        assert!(sent.expect("kill runs").success());
    }

    fn bytes(&self) -> String {
        String::from_utf8_lossy(&self.shown.lock().expect("no panic")).into_owned()
    }

    /// All that was shown, without styles and motions of the cursor.
    fn text(&self) -> String {
        let bytes = self.bytes();
        let mut text = String::new();
        for (number, piece) in bytes.split("\x1b[").enumerate() {
            let skipped = match number {
                0 => 0,
                _ => piece
                    .find(|letter: char| letter.is_ascii_alphabetic())
                    .map_or(0, |at| at + 1),
            };
            text += &piece[skipped..];
        }
        text
    }

    fn wait_until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !is_so(self) {
            assert!(begun.elapsed() < PATIENCE, "no {what}:\n{}", self.text());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until this has been shown.
    fn wait_for(&self, part: &str) {
        self.wait_until(part, |it| it.text().contains(part));
    }

    fn modes(&self) -> LocalModes {
        tcgetattr(&self.line).expect("it has modes").local_modes
    }

    /// Whether the terminal is as the program found it.
    fn is_restored(&self) -> bool {
        let bytes = self.bytes();
        let last = |sequence: &str| bytes.rfind(sequence);
        let off = |on: &str, off: &str| last(off) > last(on);
        self.modes() == self.before.local_modes
            && off("\x1b[?1049h", "\x1b[?1049l")
            && off("\x1b[?1006h", "\x1b[?1006l")
            && off("\x1b[?1000h", "\x1b[?1000l")
            && off("\x1b[?25l", "\x1b[?25h")
    }

    /// Waits for the end of the program, which has to leave the terminal as it was.
    fn end(&mut self) -> ExitStatus {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("it can be asked") {
                break status;
            }
            assert!(begun.elapsed() < PATIENCE, "it goes on:\n{}", self.text());
            thread::sleep(Duration::from_millis(10));
        };
        self.wait_until("end of the screen", Self::is_restored);
        status
    }
}

/// The moves of the only game of a file of records.
fn moves(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("the game was kept");
    let record: serde_json::Value = serde_json::from_str(&text).expect("it is one record");
    serde_json::from_value(record["moves"].clone()).expect("moves are texts")
}

const TWO_PEOPLE: [&str; 7] = [
    "play",
    "clobber",
    "3x3",
    "--white",
    "human",
    "--records",
    "games",
];

#[test]
fn a_game_is_played_with_the_mouse() {
    let folder = tempdir().unwrap();
    let mut terminal = Terminal::start(&TWO_PEOPLE, folder.path(), &[]);
    terminal.wait_for("1 │[●]│ ○ │ ● │");
    terminal.wait_for("stones x 5, o 4; components 1");
    assert!(!terminal.modes().contains(LocalModes::ICANON));
    // The stone at a1, and where it goes.
    terminal.click(7, 5);
    terminal.wait_for("1 │[●]│<○>│ ● │");
    terminal.click(11, 5);
    terminal.wait_for("1. >a1b1");
    terminal.send("b3c3\r");
    terminal.wait_for("1.  a1b1 >b3c3");
    // The wheel goes back, a click in the list forward.
    terminal.send("\x1b[<64;5;5M");
    terminal.wait_for("after move 1 of 2");
    terminal.send("\x1b[6~");
    terminal.wait_until("last position", |it| {
        it.text().rfind(">b3c3") > it.text().rfind(">a1b1")
    });
    terminal.send("\x11");
    terminal.wait_for("the game is not finished: ^Q again leaves it");
    terminal.send("\x11");
    let status = terminal.end();
    assert_eq!(status.code(), Some(1));
    assert_eq!(moves(&folder.path().join("games")), ["a1b1", "b3c3"]);
    terminal.wait_for("x to move\r\nthe game is not finished\r\n");
}

#[test]
fn a_signal_gives_the_terminal_back_and_keeps_the_game() {
    for (signal, number) in [("-TERM", 15), ("-HUP", 1)] {
        if is_ignored(number) {
            continue;
        }
        let folder = tempdir().unwrap();
        let mut terminal = Terminal::start(&TWO_PEOPLE, folder.path(), &[]);
        terminal.wait_for("x: to move");
        terminal.send("a1b1\r");
        terminal.wait_for("1. >a1b1");
        terminal.signal(signal);
        assert_eq!(terminal.end().code(), Some(1), "{signal}");
        assert_eq!(moves(&folder.path().join("games")), ["a1b1"]);
    }
}

#[test]
fn a_suspended_game_gives_the_terminal_back_and_goes_on() {
    let folder = tempdir().unwrap();
    let mut terminal = Terminal::start(&TWO_PEOPLE, folder.path(), &[]);
    terminal.wait_for("x: to move");
    terminal.signal("-TSTP");
    terminal.wait_until("suspension", Terminal::is_restored);
    let before = terminal.bytes().len();
    terminal.signal("-CONT");
    terminal.wait_until("board again", |it| {
        !it.is_restored() && it.bytes()[before..].contains("stones")
    });
    terminal.send("a1b1\r");
    terminal.wait_for("1. >a1b1");
    terminal.send("\x03");
    assert_eq!(terminal.end().code(), Some(1));
}

#[test]
fn letters_where_the_terminal_has_no_discs() {
    let folder = tempdir().unwrap();
    for variable in [("NO_COLOR", "1"), ("LC_ALL", "C")] {
        let mut terminal = Terminal::start(&TWO_PEOPLE, folder.path(), &[variable]);
        terminal.wait_for("1 |[x]| o | x |");
        terminal.send("\x03");
        terminal.end();
        assert!(terminal.text().is_ascii(), "{variable:?}");
    }
    // Where no cursor can be moved the game goes by lines.
    let mut terminal = Terminal::start(&TWO_PEOPLE, folder.path(), &[("TERM", "dumb")]);
    terminal.wait_for("x human, o human, seed 2015");
    terminal.wait_for("x to move");
    terminal.send("quit\n");
    terminal.wait_for("the game is not finished");
    assert!(!terminal.bytes().contains("\x1b["));
    assert_eq!(terminal.child.wait().unwrap().code(), Some(1));
}
