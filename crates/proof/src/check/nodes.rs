//! The nodes of a file: every move of the loser, the winner's reply, and where it leads.

use std::collections::HashSet;
use std::io::Read;
use std::sync::Mutex;

use upstar_games::Color;

use super::{CheckWatcher, Stage, in_parallel, report};
use crate::arena::Arena;
use crate::coder::Decoder;
use crate::format::{Block, MAX_STACK, Model};
use crate::hash::Key;
use crate::lemmas::Lemmas;
use crate::piece::Piece;
use crate::refusal::Refusal;
use crate::search::Search;
use crate::sum::Sum;

/// What the check of a block yields.
#[derive(Default)]
pub(super) struct Found {
    nodes: Vec<u128>,
    replies: Vec<u128>,
    pub(super) leaves: u64,
}

/// The share of hashes that belongs to one pass.
pub(super) struct Hashes {
    pass: u128,
    passes: u128,
    listed: HashSet<u128, Key>,
    pub(super) awaited: HashSet<u128, Key>,
    most: usize,
}

impl Hashes {
    pub(super) fn new(key: Key, nodes: u64, pass: u64, passes: u64) -> Self {
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

    pub(super) fn add(&mut self, found: &Found) -> Result<(), Refusal> {
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

/// One pass over the nodes.
pub(super) struct Checking<'a> {
    pub(super) arena: &'a Arena,
    pub(super) lemmas: &'a Lemmas,
    pub(super) key: Key,
    pub(super) loser: Color,
    pub(super) leaf_stones: u32,
    pub(super) effort: u64,
    /// Leaves are searched in the first pass only.
    pub(super) searching: bool,
    /// Nodes of earlier passes, and of all.
    pub(super) earlier: u64,
    pub(super) total: u64,
}

impl Checking<'_> {
    /// Goes through all blocks; returns the number of leaves.
    pub(super) fn run<R: Read + Send>(
        &self,
        reader: &mut R,
        blocks: u64,
        searches: &mut [Search],
        hashes: &mut Hashes,
        watcher: CheckWatcher<'_>,
    ) -> Result<u64, Refusal> {
        let input = Mutex::new((reader, blocks));
        let output = Mutex::new((hashes, watcher, 0, self.earlier));
        in_parallel(searches, blocks as usize, |search| {
            let block = {
                let (reader, left) = &mut *input.lock().expect("no thread has panicked");
                if *left == 0 {
                    return Ok(false);
                }
                *left -= 1;
                Block::read(*reader)?
            };
            let found = self.block(&block, search)?;
            let (hashes, watcher, leaves, done) =
                &mut *output.lock().expect("no thread has panicked");
            hashes.add(&found)?;
            *leaves += found.leaves;
            *done += u64::from(block.count);
            report(*watcher, Stage::Nodes, *done, self.total)?;
            Ok(true)
        })?;
        let (_, _, leaves, _) = output.into_inner().expect("no thread has panicked");
        Ok(leaves)
    }

    fn block(&self, block: &Block, search: &mut Search) -> Result<Found, Refusal> {
        let mut found = Found::default();
        let mut decoder = Decoder::new(&block.content);
        let mut model = Model::new();
        let mut stack: Vec<Sum> = Vec::new();
        for _ in 0..block.count {
            let node = match stack.pop() {
                Some(node) => node,
                None => self.coded_node(&mut decoder, &mut model)?,
            };
            found.nodes.push(self.key.sum(&node));
            self.node(
                &node,
                &mut decoder,
                &mut model,
                search,
                &mut stack,
                &mut found,
            )?;
            if !decoder.is_sound() || stack.len() > MAX_STACK {
                return Err(Refusal::Malformed("a block of nodes"));
            }
        }
        if !decoder.is_at_end() {
            return Err(Refusal::Malformed("the length of a block of nodes"));
        }
        found
            .replies
            .extend(stack.iter().map(|sum| self.key.sum(sum)));
        Ok(found)
    }

    fn coded_node(&self, decoder: &mut Decoder<'_>, model: &mut Model) -> Result<Sum, Refusal> {
        let malformed = Refusal::Malformed("a coded node");
        let Some(pieces) = model.sum(decoder, self.arena, &[]) else {
            return Err(malformed);
        };
        if pieces.iter().map(Piece::len).sum::<u32>() > 128 || !decoder.is_sound() {
            return Err(malformed);
        }
        let mut simple = Vec::new();
        self.lemmas.push_simplified(&pieces, &mut simple);
        let node = Sum::new(self.arena, simple);
        if node.pieces() != pieces {
            return Err(Refusal::NotSimplified(node.to_string()));
        }
        Ok(node)
    }

    /// Goes through all moves of the loser in a node.
    fn node(
        &self,
        node: &Sum,
        decoder: &mut Decoder<'_>,
        model: &mut Model,
        search: &mut Search,
        stack: &mut Vec<Sum>,
        found: &mut Found,
    ) -> Result<(), Refusal> {
        let (mut steps, mut replies) = (Vec::new(), Vec::new());
        let mut seen = Vec::new();
        self.arena.steps(node, self.loser, &mut steps);
        for &step in &steps {
            let after = self.arena.play(node, self.loser, step, self.lemmas);
            let hash = self.key.sum(&after);
            if seen.contains(&hash) {
                continue;
            }
            seen.push(hash);
            if after.len() <= self.leaf_stones {
                self.leaf(&after, !self.loser, search, found)?;
                continue;
            }
            self.arena.steps(&after, !self.loser, &mut replies);
            let no_reply = || Refusal::NoReply(after.to_string());
            if replies.is_empty() {
                return Err(no_reply());
            }
            let reply = model.reply(decoder, replies.len(), 0);
            let reply = *replies.get(reply).ok_or_else(no_reply)?;
            let next = self.arena.play(&after, !self.loser, reply, self.lemmas);
            if next.len() <= self.leaf_stones {
                self.leaf(&next, self.loser, search, found)?;
            } else if model.new_sum(decoder, next.len(), false) {
                stack.push(next);
            } else {
                found.replies.push(self.key.sum(&next));
            }
        }
        Ok(())
    }

    /// The sum that the proof begins with: a leaf, or to be listed.
    pub(super) fn arrive(
        &self,
        root: &Sum,
        search: &mut Search,
        found: &mut Found,
    ) -> Result<(), Refusal> {
        if root.len() <= self.leaf_stones {
            self.leaf(root, self.loser, search, found)
        } else {
            found.replies.push(self.key.sum(root));
            Ok(())
        }
    }

    /// Decides a small sum, which the loser must lose.
    fn leaf(
        &self,
        sum: &Sum,
        to_move: Color,
        search: &mut Search,
        found: &mut Found,
    ) -> Result<(), Refusal> {
        if !self.searching {
            return Ok(());
        }
        found.leaves += 1;
        match search.wins(self.arena, self.lemmas, sum, to_move, self.effort) {
            Ok(wins) if wins == (to_move != self.loser) => Ok(()),
            Ok(_) => Err(Refusal::Leaf {
                sum: sum.to_string(),
                to_move,
            }),
            Err(_) => Err(Refusal::TooHard(sum.to_string())),
        }
    }
}
