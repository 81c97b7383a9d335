//! The checker: believes nothing that the file says but the replies, and those only if they work.
//!
//! First the frame of the file (blocks, checksums, totals), then the lemmas in their order, then the
//! nodes, blocks in parallel. Hashes of the nodes and of the sums that replies lead to are collected;
//! in the end every one of the latter must be among the former. Where memory does not suffice for
//! all hashes, the nodes are gone through several times, each time for another share of the hashes.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use upstar_games::Color;

use crate::arena::Arena;
use crate::coder::Decoder;
use crate::format::{Block, Claim, Header, Kind, MAGIC, MAX_STACK, Model, Trailer, read_magic};
use crate::hash::Key;
use crate::lemmas::Lemmas;
use crate::piece::Piece;
use crate::refusal::Refusal;
use crate::search::Search;
use crate::sum::Sum;

/// What a check may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// Bytes for the hashes of nodes, and again as many for lemmas. Less memory means more passes.
    pub memory: u64,
    /// Positions that one plain search, of a leaf or a lemma, may look at.
    pub effort: u64,
    /// Threads that check blocks.
    pub threads: usize,
}

impl Default for CheckOptions {
    /// A gigabyte, ten million positions, one thread.
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            effort: 10_000_000,
            threads: 1,
        }
    }
}

/// What a check is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading the file once, in bytes.
    Reading,
    /// Verifying lemmas.
    Lemmas,
    /// Checking nodes, counted over all passes.
    Nodes,
}

/// How far a check is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckProgress {
    /// What is being done.
    pub stage: Stage,
    /// How much of it has been done.
    pub done: u64,
    /// How much there is to do.
    pub total: u64,
}

/// Told how far a check is; may stop it.
pub type CheckWatcher<'a> = &'a mut (dyn FnMut(CheckProgress) -> ControlFlow<()> + Send);

/// A proof that was found correct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What has been proved.
    pub claim: Claim,
    /// The winner's first move, if the winner begins.
    pub first: Option<String>,
    /// Nodes of the proof.
    pub nodes: u64,
    /// Lemmas that were verified.
    pub lemmas: u64,
    /// Leaves that were decided by plain search.
    pub leaves: u64,
    /// Sums with up to this many stones were leaves.
    pub leaf_stones: u32,
    /// Positions that all searches looked at.
    pub positions: u64,
    /// How often the nodes were gone through for want of memory.
    pub passes: u64,
    /// The size of the file.
    pub bytes: u64,
}

/// Checks a proof in a file; see [`check`].
///
/// # Errors
/// If it cannot be read or is not a correct proof.
pub fn check_file(
    path: &Path,
    options: &CheckOptions,
    watcher: CheckWatcher<'_>,
) -> Result<Checked, Refusal> {
    check(File::open(path)?, options, watcher)
}

/// Checks a proof by the rules of Clobber alone.
///
/// # Errors
/// If it cannot be read or is not a correct proof.
pub fn check<R: Read + Seek + Send>(
    reader: R,
    options: &CheckOptions,
    watcher: CheckWatcher<'_>,
) -> Result<Checked, Refusal> {
    let mut reader = BufReader::with_capacity(1 << 16, reader);
    let outline = Outline::read(&mut reader, watcher)?;
    let Header {
        claim,
        first,
        leaf_stones,
    } = outline.header;
    let arena =
        Arena::new(claim.variant, &claim.setup.board).ok_or(Refusal::Malformed("no Clobber"))?;
    let key = Key::fresh();
    let threads = options.threads.max(1);
    let mut searches: Vec<Search> = (0..threads).map(|_| Search::new(key, 20)).collect();

    let mut lemmas = Lemmas::new(key);
    if outline.totals.lemmas.saturating_mul(Lemmas::BYTES) > options.memory {
        return Err(Refusal::ManyLemmas(outline.totals.lemmas));
    }
    reader.seek(SeekFrom::Start(outline.lemmas_at))?;
    let mut verifier = Verifier {
        arena: &arena,
        lemmas: &mut lemmas,
        searches: &mut searches,
        effort: options.effort,
        watcher,
        done: 0,
        total: outline.totals.lemmas,
    };
    verifier.run(&mut reader, outline.lemma_blocks)?;

    let start = match (&first, claim.winner == claim.to_move) {
        (None, false) => claim.setup.clone(),
        (Some(first), true) => claim.after(first).ok_or(Refusal::FirstMove)?,
        _ => return Err(Refusal::FirstMove),
    };
    let mut pieces = Vec::new();
    lemmas.push_simplified(&arena.setup_pieces(&start), &mut pieces);
    let root = Sum::new(&arena, pieces);

    let nodes = outline.totals.nodes;
    let passes = nodes
        .saturating_mul(BYTES_PER_HASH)
        .div_ceil(options.memory.max(1 << 12))
        .max(1);
    let mut leaves = 0;
    for pass in 0..passes {
        let checking = Checking {
            arena: &arena,
            lemmas: &lemmas,
            key,
            loser: claim.loser(),
            leaf_stones,
            effort: options.effort,
            searching: pass == 0,
            earlier: pass * nodes,
            total: passes * nodes,
        };
        let mut hashes = Hashes::new(key, nodes, pass, passes);
        let mut found = Found::default();
        checking.arrive(&root, &mut searches[0], &mut found)?;
        hashes.add(&found)?;
        leaves += found.leaves;
        reader.seek(SeekFrom::Start(outline.nodes_at))?;
        leaves += checking.run(
            &mut reader,
            outline.node_blocks,
            &mut searches,
            &mut hashes,
            watcher,
        )?;
        if !hashes.awaited.is_empty() {
            return Err(Refusal::Missing(hashes.awaited.len() as u64));
        }
    }
    Ok(Checked {
        claim,
        first,
        nodes,
        lemmas: outline.totals.lemmas,
        leaves,
        leaf_stones,
        positions: searches.iter().map(|search| search.positions).sum(),
        passes,
        bytes: outline.bytes,
    })
}

/// The bytes that a hash may take up in a set that has just grown.
const BYTES_PER_HASH: u64 = 48;

/// The frame of a file whose checksums are right.
struct Outline {
    header: Header,
    nodes_at: u64,
    node_blocks: u64,
    lemmas_at: u64,
    lemma_blocks: u64,
    totals: Trailer,
    bytes: u64,
}

impl Outline {
    fn read<R: Read + Seek>(reader: &mut R, watcher: CheckWatcher<'_>) -> Result<Self, Refusal> {
        let total = reader.seek(SeekFrom::End(0))?;
        reader.seek(SeekFrom::Start(0))?;
        read_magic(reader)?;
        let mut totals = Trailer::default();
        let block = Block::read(reader)?;
        if block.kind != Kind::Header {
            return Err(Refusal::Malformed("no header"));
        }
        let header = Header::read(&block)?;
        totals.add(&block);
        let mut at = MAGIC.len() as u64 + block.bytes();
        let (nodes_at, mut lemmas_at) = (at, at);
        let (mut node_blocks, mut lemma_blocks) = (0, 0);
        loop {
            let block = Block::read(reader)?;
            at += block.bytes();
            match block.kind {
                Kind::Nodes if lemma_blocks == 0 => {
                    node_blocks += 1;
                    lemmas_at = at;
                }
                Kind::Lemmas => lemma_blocks += 1,
                Kind::Trailer if totals.block().content == block.content => break,
                Kind::Trailer => return Err(Refusal::Malformed("totals")),
                _ => return Err(Refusal::Malformed("the order of blocks")),
            }
            totals.add(&block);
            report(watcher, Stage::Reading, at, total)?;
        }
        if at != total {
            return Err(Refusal::Malformed("something after the end"));
        }
        Ok(Self {
            header,
            nodes_at,
            node_blocks,
            lemmas_at,
            lemma_blocks,
            totals,
            bytes: total,
        })
    }
}

fn report(
    watcher: &mut (dyn FnMut(CheckProgress) -> ControlFlow<()> + Send),
    stage: Stage,
    done: u64,
    total: u64,
) -> Result<(), Refusal> {
    match watcher(CheckProgress { stage, done, total }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Refusal::Stopped),
    }
}

/// A lemma as read: a piece and what it is said to equal.
type Lemma = (Piece, Vec<Piece>);

fn lemma_text(arena: &Arena, (piece, equal): &Lemma) -> String {
    format!("{piece} = {}", Sum::new(arena, equal.clone()))
}

/// Verifies lemmas, those with equally many stones at a time: they do not use each other.
struct Verifier<'a, 'w> {
    arena: &'a Arena,
    lemmas: &'a mut Lemmas,
    searches: &'a mut [Search],
    effort: u64,
    watcher: CheckWatcher<'w>,
    done: u64,
    total: u64,
}

impl Verifier<'_, '_> {
    fn run(&mut self, reader: &mut impl Read, blocks: u64) -> Result<(), Refusal> {
        let mut batch: Vec<Lemma> = Vec::new();
        for _ in 0..blocks {
            let block = Block::read(reader)?;
            let mut decoder = Decoder::new(&block.content);
            let mut model = Model::new();
            for _ in 0..block.count {
                let lemma = self.next(&mut decoder, &mut model)?;
                if let Some(last) = batch.last() {
                    if last.0.rank() >= lemma.0.rank() {
                        return Err(Refusal::LemmaOrder(lemma_text(self.arena, &lemma)));
                    }
                    if last.0.len() < lemma.0.len() {
                        self.verify(&batch)?;
                        batch.clear();
                    }
                }
                batch.push(lemma);
            }
            if !decoder.is_at_end() {
                return Err(Refusal::Malformed("the length of a block of lemmas"));
            }
        }
        self.verify(&batch)
    }

    /// Reads a lemma and compares its form: what replaces a piece has no more stones and comes before.
    fn next(&self, decoder: &mut Decoder<'_>, model: &mut Model) -> Result<Lemma, Refusal> {
        let malformed = || Refusal::Malformed("a lemma");
        let piece = model
            .piece(decoder, self.arena, None)
            .ok_or_else(malformed)?;
        let equal = model.sum(decoder, self.arena, &[]).ok_or_else(malformed)?;
        if !decoder.is_sound() {
            return Err(malformed());
        }
        let stones: u32 = equal.iter().map(Piece::len).sum();
        let before = equal.iter().all(|part| part.rank() < piece.rank());
        let lemma = (piece, equal);
        if !before || stones > piece.len() {
            return Err(Refusal::LemmaOrder(lemma_text(self.arena, &lemma)));
        }
        Ok(lemma)
    }

    fn verify(&mut self, batch: &[Lemma]) -> Result<(), Refusal> {
        /// Lemmas that a thread takes at a time.
        const SHARE: usize = 64;
        let shares: Vec<&[Lemma]> = batch.chunks(SHARE).collect();
        let next = AtomicUsize::new(0);
        let (arena, lemmas, effort) = (self.arena, &*self.lemmas, self.effort);
        let watched = Mutex::new((&mut *self.watcher, &mut self.done));
        let total = self.total;
        in_parallel(self.searches, shares.len(), |search| {
            let Some(share) = shares.get(next.fetch_add(1, Ordering::Relaxed)) else {
                return Ok(false);
            };
            for lemma in *share {
                let text = || lemma_text(arena, lemma);
                match search.equal(arena, lemmas, &lemma.0, &lemma.1, effort) {
                    Ok(true) => {}
                    Ok(false) => return Err(Refusal::FalseLemma(text())),
                    Err(_) => return Err(Refusal::TooHard(text())),
                }
            }
            let (watcher, done) = &mut *watched.lock().expect("no thread has panicked");
            **done += share.len() as u64;
            report(*watcher, Stage::Lemmas, **done, total)?;
            Ok(true)
        })?;
        for (piece, equal) in batch {
            let mut parts = Vec::new();
            self.lemmas.push_simplified(equal, &mut parts);
            let equal = Sum::new(self.arena, parts);
            self.lemmas.insert(self.arena, *piece, equal.pieces());
        }
        Ok(())
    }
}

/// Lets each search do shares of the work in a thread of its own until there is none left or one
/// refuses. A single one, or a single share, needs no thread.
fn in_parallel(
    searches: &mut [Search],
    shares: usize,
    work: impl Fn(&mut Search) -> Result<bool, Refusal> + Sync,
) -> Result<(), Refusal> {
    let stop = AtomicBool::new(false);
    let worker = |search: &mut Search| -> Result<(), Refusal> {
        while !stop.load(Ordering::Relaxed) {
            match work(search) {
                Ok(true) => {}
                Ok(false) => break,
                Err(refusal) => {
                    stop.store(true, Ordering::Relaxed);
                    return Err(refusal);
                }
            }
        }
        Ok(())
    };
    if searches.len() == 1 || shares <= 1 {
        return worker(&mut searches[0]);
    }
    thread::scope(|scope| {
        let threads: Vec<_> = searches
            .iter_mut()
            .map(|search| scope.spawn(|| worker(search)))
            .collect();
        let results = threads.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        // All threads are waited for; then the first refusal counts.
        results.collect::<Vec<_>>().into_iter().collect()
    })
}

/// What the check of a block yields.
#[derive(Default)]
struct Found {
    nodes: Vec<u128>,
    replies: Vec<u128>,
    leaves: u64,
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

/// One pass over the nodes.
struct Checking<'a> {
    arena: &'a Arena,
    lemmas: &'a Lemmas,
    key: Key,
    loser: Color,
    leaf_stones: u32,
    effort: u64,
    /// Leaves are searched in the first pass only.
    searching: bool,
    /// Nodes of earlier passes, and of all.
    earlier: u64,
    total: u64,
}

impl Checking<'_> {
    /// Goes through all blocks; returns the number of leaves.
    fn run<R: Read + Send>(
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
    fn arrive(&self, root: &Sum, search: &mut Search, found: &mut Found) -> Result<(), Refusal> {
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
