//! Why a command could not do its work, and what the user is told.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use upstar_games::{excerpt, printable};

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
    /// Nobody reads our output any more, which is not a failure at all.
    ClosedPipe,
}

impl Failure {
    pub(crate) fn input(why: impl Display, example: impl Into<String>) -> Self {
        Self::Input {
            sentence: why.to_string(),
            example: example.into(),
        }
    }

    /// A failure to read or write this file.
    pub(crate) fn file(path: &Path, error: &dyn Display) -> Self {
        let right = "the name of a file that may be read, or written where the command writes it";
        Self::input(format!("{}: {error}", shown(path)), right)
    }

    /// The same failure at this place of a file.
    pub(crate) fn at(self, place: &str) -> Self {
        match self {
            Self::Input { sentence, example } => Self::Input {
                sentence: format!("{place}: {sentence}"),
                example,
            },
            other => other,
        }
    }

    /// The same failure with something else that would have been right.
    pub(crate) fn with_example(self, example: impl Into<String>) -> Self {
        match self {
            Self::Input { sentence, .. } => Self::Input {
                sentence,
                example: example.into(),
            },
            other => other,
        }
    }

    /// Tells the user and gives the exit status.
    pub(crate) fn report(self) -> ExitCode {
        let red = Style::new().fg_color(Some(AnsiColor::Red.into())).bold();
        let message = match self {
            Self::Input { sentence, example } => format!("{sentence}\n  right: {example}"),
            Self::Io(sentence) => sentence,
            Self::ClosedPipe => return ExitCode::SUCCESS,
        };
        // Where even this cannot be written there is nobody to tell.
        let _ = writeln!(anstream::stderr(), "{red}error{red:#}: {message}");
        ExitCode::from(2)
    }
}

/// Tells the user something that does not stop the work.
pub(crate) fn warn(sentence: &str) {
    let yellow = Style::new().fg_color(Some(AnsiColor::Yellow.into())).bold();
    // Where this cannot be written there is no user to tell.
    let _ = writeln!(anstream::stderr(), "{yellow}warning{yellow:#}: {sentence}");
}

/// A path, fit to be shown.
pub(crate) fn shown(path: &Path) -> String {
    excerpt(&path.to_string_lossy())
}

/// A path in full, fit to be printed.
pub(crate) fn in_full(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// A failure to write to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Io(format!("standard output: {error}")),
        }
    }
}
