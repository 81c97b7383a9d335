//! Running the program as a user does.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run of the program left behind.
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `upstar` with these words in this folder, with this standard input.
pub(crate) fn upstar(words: &[&str], folder: &Path, input: &[u8]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_upstar"))
        .args(words)
        .current_dir(folder)
        // Tables of values go where all tests find them, and nowhere else.
        .env(
            "UPSTAR_CACHE",
            concat!(env!("CARGO_TARGET_TMPDIR"), "/tables"),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("upstar starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    // A program that refuses its input early closes the pipe, which is not a failure of the test.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().expect("upstar ends");
    Ran {
        status: output
            .status
            .code()
            .expect("upstar exits and is not killed"),
        stdout: String::from_utf8(output.stdout).expect("the output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("the messages are UTF-8"),
    }
}

/// The folder of the whole project.
pub(crate) fn project() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    folder.canonicalize().expect("the project's folder exists")
}

/// Runs `upstar` with `--json` and returns the objects it prints and its exit status.
pub(crate) fn json(words: &[&str], folder: &Path) -> (Vec<serde_json::Value>, i32) {
    let words: Vec<&str> = words.iter().copied().chain(["--json"]).collect();
    let ran = upstar(&words, folder, b"");
    let object =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    (ran.stdout.lines().map(object).collect(), ran.status)
}
