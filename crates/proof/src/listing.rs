//! That every position which a section's nodes lead to is a node of the section itself.
//!
//! Blocks are checked in parallel. Hashes of the nodes and of the positions that replies lead to are
//! collected; in the end every one of the latter must be among the former. Where memory does not
//! suffice for all hashes, the nodes are gone through several times, each time for another share of
//! the hashes.

use std::collections::HashSet;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Mutex;

use crate::check::{Watched, in_parallel};
use crate::frame::{Block, Section};
use crate::hash::Key;
use crate::refusal::Refusal;

/// The bytes that a hash may take up in a set that has just grown.
const BYTES_PER_HASH: u64 = 48;

/// What the check of a block yields.
#[derive(Default)]
pub(crate) struct Found {
    /// Hashes of its nodes.
    pub(crate) nodes: Vec<u128>,
    /// Hashes of what must be a node somewhere.
    pub(crate) replies: Vec<u128>,
    /// Leaves that were searched.
    pub(crate) leaves: u64,
}

/// The nodes of one section.
#[derive(Clone, Copy)]
pub(crate) struct Listing {
    pub(crate) section: Section,
    pub(crate) key: Key,
    /// How often the nodes are gone through.
    pub(crate) passes: u64,
    /// Nodes of earlier sections and of all, over all passes, to tell how far the check is.
    pub(crate) earlier: u64,
    pub(crate) total: u64,
}

impl Listing {
    /// How often nodes must be gone through with this many bytes for hashes.
    pub(crate) fn passes(nodes: u64, memory: u64) -> u64 {
        nodes
            .saturating_mul(BYTES_PER_HASH)
            .div_ceil(memory.max(1 << 12))
            .max(1)
    }

    /// Goes through all blocks; returns the number of leaves. `root` is what must be listed first of
    /// all. A block is checked with the number of the pass: leaves need not be searched again.
    pub(crate) fn check<R: Read + Seek + Send, S: Send>(
        &self,
        reader: &mut R,
        searches: &mut [S],
        watched: Watched<'_>,
        root: &Found,
        check: impl Fn(&Block, &mut S, u64) -> Result<Found, Refusal> + Sync,
    ) -> Result<u64, Refusal> {
        let Section { at, blocks, count } = self.section;
        let mut leaves = root.leaves;
        for pass in 0..self.passes {
            let mut hashes = Hashes::new(self.key, count, pass, self.passes);
            hashes.add(root)?;
            reader.seek(SeekFrom::Start(at))?;
            let input = Mutex::new((&mut *reader, blocks));
            let output = Mutex::new((&mut hashes, &mut leaves, self.earlier + pass * count));
            in_parallel(searches, blocks as usize, |search| {
                let block = {
                    let (reader, left) = &mut *input.lock().expect("no thread has panicked");
                    if *left == 0 {
                        return Ok(false);
                    }
                    *left -= 1;
                    Block::read(*reader)?
                };
                let found = check(&block, search, pass)?;
                let (hashes, leaves, done) = &mut *output.lock().expect("no thread has panicked");
                hashes.add(&found)?;
                **leaves += found.leaves;
                *done += u64::from(block.count);
                watched.report(*done, self.total)?;
                Ok(true)
            })?;
            if !hashes.awaited.is_empty() {
                return Err(Refusal::Missing(hashes.awaited.len() as u64));
            }
        }
        Ok(leaves)
    }
}

/// The share of hashes that belongs to one pass.
struct Hashes {
    pass: u128,
    passes: u128,
    listed: HashSet<u128, Key>,
    awaited: HashSet<u128, Key>,
    most: usize,
}

impl Hashes {
    fn new(key: Key, nodes: u64, pass: u64, passes: u64) -> Self {
        let share = nodes / passes;
        Self {
            pass: pass.into(),
            passes: passes.into(),
            listed: HashSet::with_hasher(key),
            awaited: HashSet::with_hasher(key),
            // Shares vary by about the root of their size; ten times that never happens.
            most: (share + 10 * share.isqrt() + 100) as usize,
        }
    }

    fn add(&mut self, found: &Found) -> Result<(), Refusal> {
        let mine = |hash: &&u128| (**hash >> 64) % self.passes == self.pass;
        for &hash in found.nodes.iter().filter(mine) {
            self.awaited.remove(&hash);
            self.listed.insert(hash);
        }
        for &hash in found.replies.iter().filter(mine) {
            if !self.listed.contains(&hash) {
                self.awaited.insert(hash);
            }
        }
        // What is awaited must be listed in the end, so a correct file never has more than its nodes.
        if self.listed.len() + self.awaited.len() > self.most {
            return Err(Refusal::Missing(1));
        }
        Ok(())
    }
}
