//! `man`: the manual page, or those of all verbs into a folder.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_mangen::Man;

use crate::failure::{Done, Failure};

/// Where to.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write a page for the program and one for each verb into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Done {
    let command = crate::Arguments::command();
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command, folder))
            .map_err(|error| Failure::file(folder, &error))?;
    } else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        io::Write::write_all(&mut io::stdout(), &page)?;
    }
    Ok(ExitCode::SUCCESS)
}
