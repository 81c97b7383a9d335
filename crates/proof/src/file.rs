//! A proof file as its reader sees it: what it claims, how large it is, and all that it says.
//! Checksums are compared; whether the replies work is for the checker to say.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use upstar_games::{Color, Variant};
use upstar_jobs::{Budget, Watch};

use crate::check::{AnyClaim, Watched};
use crate::frame::Outline;
use crate::refusal::Refusal;
use crate::{clobber, othello};

/// A file with the frame of a proof, whose checksums are right.
pub struct ProofFile<R> {
    reader: R,
    outline: Outline,
}

/// How many nodes there are by size, stones in Clobber, empty cells in Othello: first those with
/// Black's replies, then those with White's.
pub type Sizes = BTreeMap<u32, [u64; 2]>;

/// What a proof is about and how large it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// What it claims.
    pub claim: AnyClaim,
    /// Clobber: the winner's first move, if the winner begins.
    pub first: Option<String>,
    /// The largest leaf: stones in Clobber, empty cells in Othello.
    pub leaf: u32,
    /// Its nodes by size.
    pub sizes: Sizes,
    /// Its lemmas.
    pub lemmas: u64,
    /// The size of the file.
    pub bytes: u64,
}

/// A lemma or a node of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Clobber: a piece and the sum that it is said to equal.
    Lemma {
        /// The piece.
        piece: String,
        /// The sum.
        equal: String,
    },
    /// A position with all replies.
    Node(Node),
}

/// A position of a proof, with what is answered to each move of the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Whose replies these are.
    pub prover: Color,
    /// The position in normal form: in Clobber pieces joined by plus signs.
    pub position: String,
    /// Who is to move.
    pub to_move: Color,
    /// A line for each different move of the other side.
    pub lines: Vec<Line>,
}

/// A move and the answer to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The position after the move; `None` if the prover is to move in the node.
    pub after: Option<String>,
    /// The positions after the prover's replies: several if the other side has to pass, none in leaves.
    pub replies: Vec<String>,
    /// Whether the line ends in a leaf, which search decides, or else in another node.
    pub leaf: bool,
}

impl ProofFile<BufReader<File>> {
    /// Opens a file and compares its checksums.
    ///
    /// # Errors
    /// Why this is not a proof, or a damaged one.
    pub fn open(file: &Path, budget: &Budget, watch: &dyn Watch) -> Result<Self, Refusal> {
        Self::new(BufReader::new(File::open(file)?), budget, watch)
    }
}

impl<R: Read + Seek> ProofFile<R> {
    /// Reads the frame and compares its checksums.
    ///
    /// # Errors
    /// Why this is not a proof, or a damaged one.
    pub fn new(mut reader: R, budget: &Budget, watch: &dyn Watch) -> Result<Self, Refusal> {
        let watched = Watched { budget, watch };
        let outline = Outline::read(&mut reader, |at, total| watched.report(at, total))?;
        Ok(Self { reader, outline })
    }

    /// What it claims and how large it is.
    ///
    /// # Errors
    /// If the file does not say what its format wants.
    pub fn summary(&mut self, budget: &Budget, watch: &dyn Watch) -> Result<Summary, Refusal> {
        let sizes = self.list(budget, watch, None)?;
        let (claim, first, leaf) = self.claim()?;
        let [_, second] = self.outline.sections;
        let lemmas = match claim {
            AnyClaim::Clobber(_) => second.count,
            AnyClaim::Othello(_) => 0,
        };
        Ok(Summary {
            claim,
            first,
            leaf,
            sizes,
            lemmas,
            bytes: self.outline.bytes,
        })
    }

    /// Tells `each` lemma and node, in the order of the file but lemmas first.
    ///
    /// # Errors
    /// If the file does not say what its format wants.
    pub fn entries(
        &mut self,
        budget: &Budget,
        watch: &dyn Watch,
        each: &mut dyn FnMut(Entry),
    ) -> Result<(), Refusal> {
        self.list(budget, watch, Some(each)).map(|_| ())
    }

    fn list(
        &mut self,
        budget: &Budget,
        watch: &dyn Watch,
        each: Option<&mut dyn FnMut(Entry)>,
    ) -> Result<Sizes, Refusal> {
        let watched = Watched { budget, watch };
        match self.outline.game {
            Variant::Othello(_) => othello::list(&mut self.reader, &self.outline, watched, each),
            _ => clobber::list(&mut self.reader, &self.outline, watched, each),
        }
    }

    /// What the header says: the claim, Clobber's first move, the largest leaf.
    fn claim(&self) -> Result<(AnyClaim, Option<String>, u32), Refusal> {
        let header = &self.outline.header;
        Ok(match self.outline.game {
            Variant::Othello(_) => {
                let header = othello::format::Header::read(header)?;
                (AnyClaim::Othello(header.claim), None, header.leaf_empties)
            }
            _ => {
                let header = clobber::format::Header::read(header)?;
                let claim = AnyClaim::Clobber(header.claim);
                (claim, header.first, header.leaf_stones)
            }
        })
    }

    /// The parts, for those who read more.
    pub(crate) fn parts(&mut self) -> (&mut R, &Outline) {
        (&mut self.reader, &self.outline)
    }
}
