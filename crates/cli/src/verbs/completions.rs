//! `completions`: a script that completes commands in the user's shell.

use std::io;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::failure::Done;

/// For which shell.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> Done {
    let mut script = Vec::new();
    let mut command = crate::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "upstar", &mut script);
    io::Write::write_all(&mut io::stdout(), &script)?;
    Ok(ExitCode::SUCCESS)
}
