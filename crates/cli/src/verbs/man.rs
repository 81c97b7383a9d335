//! `man`: the manual page, or those of all verbs into a folder.

use std::path::PathBuf;
use std::process::ExitCode;

use clap_mangen::Man;
use serde::Serialize;

use crate::failure::{Done, Failure, shown};
use crate::output::Output;
use crate::usage;

/// Where to.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write a page for the program and one for each verb into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct Manual {
    page: String,
}

#[derive(Serialize)]
struct Written {
    folder: String,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let command = usage::command();
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command, folder))
            .map_err(|error| Failure::file(folder, &error))?;
        let written = Written {
            folder: shown(folder),
        };
        output.print(&written, |written| format!("written to {}", written.folder))?;
    } else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        let manual = Manual {
            page: String::from_utf8_lossy(&page).into_owned(),
        };
        output.print(&manual, |manual| manual.page.trim_end().to_owned())?;
    }
    Ok(ExitCode::SUCCESS)
}
