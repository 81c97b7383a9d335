//! What the writers of all games share: blocks that are counted on their way into a file.

use std::io::{self, Write};

use upstar_games::Color;
use upstar_jobs::{Budget, Watch};

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

/// Where blocks go.
pub(crate) struct Output<'a, W> {
    out: W,
    budget: &'a Budget,
    watch: &'a dyn Watch,
    totals: Trailer,
    pub(crate) written: Written,
}

impl<'a, W: Write> Output<'a, W> {
    pub(crate) fn new(out: W, budget: &'a Budget, watch: &'a dyn Watch) -> Self {
        Self {
            out,
            budget,
            watch,
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

    /// Writes a block, unless the budget is spent.
    pub(crate) fn put(&mut self, block: &Block) -> Result<(), WriteError> {
        block.write(&mut self.out)?;
        self.totals.add(block);
        self.written.bytes += block.bytes();
        let Written {
            nodes,
            waiting,
            lemmas,
            ..
        } = self.written;
        self.watch.written(nodes, waiting, lemmas);
        match self.budget.is_over() {
            false => Ok(()),
            true => Err(WriteError::Stopped),
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
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file could not be written.
    #[error("the proof cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The claim is not about Clobber for two.
    #[error("only Clobber for two can be proved")]
    NotClobber,
    /// The claim is not about Othello on a grid of at most 64 cells, or claims nothing.
    #[error("only a bound of a score in Othello on at most 64 cells can be proved")]
    NotOthello,
    /// The oracle knows no winning move of this side in this position.
    #[error("no winning move of {1} is known in {0}")]
    Silent(String, Color),
    /// This side does not get what is claimed in this position, or the oracle does not know how.
    #[error("how {1} reaches the score in {0} is not known")]
    Unreached(String, Color),
    /// The budget was spent.
    #[error("the writing was stopped")]
    Stopped,
}
