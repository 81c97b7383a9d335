//! Tells the program from which commit it is built, where git knows that.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // What changes with every commit. Where there is no git, or none of its files, nothing is told.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"])
        && std::path::Path::new(&log).exists()
    {
        println!("cargo:rerun-if-changed={log}");
        if let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) {
            println!("cargo:rustc-env=UPSTAR_COMMIT={commit}");
        }
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let ran = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(ran.stdout).ok()?;
    let text = text.trim();
    (ran.status.success() && !text.is_empty()).then(|| text.to_owned())
}
