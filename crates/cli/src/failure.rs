//! Why a command could not do its work, and what the user is told.

use std::error::Error;
use std::io;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

/// What a verb returns: the exit status, or why there is no result.
pub(crate) type Done = Result<ExitCode, Failure>;

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The user's input; exit status 2.
    Input {
        /// One sentence that names the input and the limit.
        sentence: String,
        /// A command that would have been right.
        example: String,
    },
    /// Reading or writing failed; exit status 2.
    Io(String),
    /// Nobody reads our output any more, which is no failure at all.
    ClosedPipe,
}

impl Failure {
    pub(crate) fn input(why: impl std::fmt::Display, example: impl Into<String>) -> Self {
        Self::Input {
            sentence: why.to_string(),
            example: example.into(),
        }
    }

    /// A failure to read or write this file.
    pub(crate) fn file(path: &std::path::Path, error: &dyn Error) -> Self {
        Self::Io(format!("{}: {error}", path.display()))
    }

    /// Tells the user and gives the exit status.
    pub(crate) fn report(self) -> ExitCode {
        let red = Style::new().fg_color(Some(AnsiColor::Red.into())).bold();
        match self {
            Self::Input { sentence, example } => {
                anstream::eprintln!("{red}error{red:#}: {sentence}\n  right: {example}");
            }
            Self::Io(sentence) => anstream::eprintln!("{red}error{red:#}: {sentence}"),
            Self::ClosedPipe => return ExitCode::SUCCESS,
        }
        ExitCode::from(2)
    }
}

/// A failure to write to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Io(error.to_string()),
        }
    }
}
