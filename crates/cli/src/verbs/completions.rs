//! `completions`: a script that completes commands in the user's shell.

use std::process::ExitCode;

use clap_complete::Shell;
use serde::Serialize;

use crate::failure::Done;
use crate::output::Output;
use crate::usage;

/// For which shell.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

#[derive(Serialize)]
struct Completions {
    shell: String,
    script: String,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let mut script = Vec::new();
    let mut command = usage::command();
    clap_complete::generate(arguments.shell, &mut command, "upstar", &mut script);
    let completions = Completions {
        shell: arguments.shell.to_string(),
        script: String::from_utf8_lossy(&script).into_owned(),
    };
    output.print(&completions, |completions| {
        completions.script.trim_end().to_owned()
    })?;
    Ok(ExitCode::SUCCESS)
}
