//! The checker: believes nothing that the file says but the replies, and those only if they work.
//!
//! First the frame of the file (blocks, checksums, totals), then the lemmas in their order, then the
//! nodes, blocks in parallel. Hashes of the nodes and of the sums that replies lead to are collected;
//! in the end every one of the latter must be among the former. Where memory does not suffice for
//! all hashes, the nodes are gone through several times, each time for another share of the hashes.

mod lemmas;
mod nodes;

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::arena::Arena;
use crate::format::{Block, Claim, Header, Kind, MAGIC, Trailer, read_magic};
use crate::hash::Key;
use crate::lemmas::Lemmas;
use crate::refusal::Refusal;
use crate::search::Search;
use crate::sum::Sum;
use lemmas::Verifier;
use nodes::{Checking, Found, Hashes};

/// What a check may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// Bytes for the hashes of nodes, and again as many for lemmas. Less memory means more passes.
    /// Each thread's search takes 16 MB besides.
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
