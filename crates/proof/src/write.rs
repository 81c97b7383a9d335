//! What the writers of all games share: blocks that are counted on their way into a file.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::{error, fmt};

use upstar_games::Color;

use crate::frame::{Block, MAGIC, Trailer};

/// How far a writer is, and in the end what it has written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Nodes written.
    pub nodes: u64,
    /// Positions that wait to become nodes.
    pub waiting: u64,
    /// Lemmas found.
    pub lemmas: u64,
    /// Simplifications that the oracle named and search did not confirm: false, or too hard.
    pub unconfirmed: u64,
    /// Bytes written.
    pub bytes: u64,
}

/// Told how far the writer is; may stop it.
pub type WriteWatcher<'a> = &'a mut dyn FnMut(Written) -> ControlFlow<()>;

/// Where blocks go.
pub(crate) struct Output<'a, W> {
    out: W,
    watcher: WriteWatcher<'a>,
    totals: Trailer,
    pub(crate) written: Written,
}

impl<'a, W: Write> Output<'a, W> {
    pub(crate) fn new(out: W, watcher: WriteWatcher<'a>) -> Self {
        Self {
            out,
            watcher,
            totals: Trailer::default(),
            written: Written::default(),
        }
    }

    /// Begins the file.
    pub(crate) fn begin(&mut self, header: &Block) -> Result<(), WriteError> {
        self.out.write_all(MAGIC)?;
        self.written.bytes += MAGIC.len() as u64;
        self.put(header)
    }

    /// Writes a block; the watcher may stop the writing then.
    pub(crate) fn put(&mut self, block: &Block) -> Result<(), WriteError> {
        block.write(&mut self.out)?;
        self.totals.add(block);
        self.written.bytes += block.bytes();
        match (self.watcher)(self.written) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(WriteError::Stopped),
        }
    }

    /// Ends the file.
    pub(crate) fn end(&mut self) -> Result<Written, WriteError> {
        self.put(&self.totals.block())?;
        self.out.flush()?;
        Ok(self.written)
    }
}

/// Why no proof was written.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The file could not be written.
    Io(io::Error),
    /// The claim is not about Clobber for two.
    NotClobber,
    /// The claim is not about Othello on a grid of at most 64 cells, or claims nothing.
    NotOthello,
    /// The oracle knows no winning move of this side in this position.
    Silent(String, Color),
    /// This side does not get what is claimed in this position, or the oracle does not know how.
    Unreached(String, Color),
    /// The caller wanted no more.
    Stopped,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the proof cannot be written: {error}"),
            Self::NotClobber => write!(f, "only Clobber for two can be proved"),
            Self::NotOthello => write!(
                f,
                "only a bound of a score in Othello on at most 64 cells can be proved"
            ),
            Self::Silent(sum, side) => {
                write!(f, "no winning move of {side} is known in {sum}")
            }
            Self::Unreached(position, side) => {
                write!(f, "how {side} reaches the score in {position} is not known")
            }
            Self::Stopped => write!(f, "the writing was stopped"),
        }
    }
}

impl error::Error for WriteError {}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
