//! The writer: walks from the claimed position through all moves of the loser and one reply to each,
//! which an oracle names, and writes down the replies.
//!
//! Nodes go to the file block by block as they are found; in memory are the hashes of all of them
//! and those sums that still wait. Lemmas are asked for when a piece is met for the first time, used
//! from then on, and written last.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use upstar_games::Color;
use upstar_runs::replace;

use super::arena::{Arena, Step};
use super::format::{Claim, Header, Model};
use super::lemmas::Lemmas;
use super::piece::Piece;
use super::search::Search;
use super::sum::Sum;
use crate::coder::Encoder;
use crate::frame::{Block, Kind, MAX_COUNT, MAX_STACK};
use crate::hash::Key;
use crate::write::{Output, WriteError, Written};
use upstar_jobs::{Budget, Watch};

/// Who knows the replies.
pub trait Oracle {
    /// An equal, simpler sum for this piece: as few stones as possible, no more than the piece has.
    /// `None` leaves the piece as it is. Asked once for a piece and its negative.
    fn simpler(&mut self, piece: &Piece) -> Option<Vec<Piece>>;

    /// The index of one of these sums that the side to move loses; `None` if it knows of none.
    /// Sums that need no nodes of their own are asked for first, so `None` need not be the last word.
    fn lost(&mut self, to_move: Color, sums: &[Sum]) -> Option<usize>;
}

/// How a proof is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// Sums with up to this many stones are left to the checker's search.
    pub leaf_stones: u32,
    /// The oracle is asked to simplify pieces with up to this many stones.
    pub lemma_stones: u32,
    /// Positions that the search verifying a lemma may look at; beyond, the lemma is left out. The
    /// checker's limit should be far higher, for it may have forgotten what the writer remembers.
    pub lemma_effort: u64,
    /// Nodes in a block, up to 16,384.
    pub block_nodes: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            leaf_stones: 8,
            lemma_stones: 8,
            lemma_effort: 20_000,
            block_nodes: 8192,
        }
    }
}

/// Writes a proof into a file, which appears under its name only when it is complete; see [`write()`].
///
/// # Errors
/// If the file cannot be written or the oracle does not know enough. Nothing is left behind then.
pub fn write_file(
    path: &Path,
    claim: &Claim,
    oracle: &mut dyn Oracle,
    options: &WriteOptions,
    budget: &Budget,
    watch: &dyn Watch,
) -> Result<Written, WriteError> {
    replace(path, |out| {
        write(out, claim, oracle, options, budget, watch)
    })
}

/// Writes a proof of a claim with an oracle's help. What an oracle says is not believed blindly in
/// lemmas; whether its replies are right, the checker finds out.
///
/// # Errors
/// If `out` fails or the oracle does not know enough.
pub fn write(
    out: impl Write,
    claim: &Claim,
    oracle: &mut dyn Oracle,
    options: &WriteOptions,
    budget: &Budget,
    watch: &dyn Watch,
) -> Result<Written, WriteError> {
    let arena = Arena::new(claim.variant, &claim.setup.board)
        .filter(|_| claim.setup.sides() <= 2)
        .ok_or(WriteError::NotClobber)?;
    let mut writer = Writer {
        claim,
        oracle,
        options,
        lemmas: Lemmas::new(Key::FIXED),
        found: Vec::new(),
        met: HashSet::with_hasher(Key::FIXED),
        search: Search::new(Key::FIXED, 18, budget),
        visited: HashSet::with_hasher(Key::FIXED),
        waiting: Vec::new(),
        output: Output::new(out, budget, watch),
        arena,
    };
    writer.run()
}

struct Writer<'a, W> {
    claim: &'a Claim,
    oracle: &'a mut dyn Oracle,
    options: &'a WriteOptions,
    arena: Arena,
    lemmas: Lemmas,
    /// The lemmas to write.
    found: Vec<(Piece, Sum)>,
    /// The pieces that the oracle has been asked about.
    met: HashSet<Piece, Key>,
    search: Search,
    /// Hashes of the sums that are nodes or wait to be.
    visited: HashSet<u128, Key>,
    waiting: Vec<Sum>,
    output: Output<'a, W>,
}

/// A block of nodes in the making.
struct OpenBlock {
    encoder: Encoder,
    model: Model,
    stack: Vec<Sum>,
    nodes: u32,
}

impl<W: Write> Writer<'_, W> {
    fn run(&mut self) -> Result<Written, WriteError> {
        let (first, root) = self.root()?;
        let header = Header {
            claim: self.claim.clone(),
            first,
            leaf_stones: self.options.leaf_stones,
        };
        self.output.begin(&header.block())?;
        if root.len() > self.options.leaf_stones {
            self.visited.insert(root.hash(&Key::FIXED));
            self.waiting.push(root);
        }
        while !self.waiting.is_empty() {
            self.nodes()?;
        }
        self.put_lemmas()?;
        self.output.end()
    }

    /// The winner's first move, if there is one, and the sum with the loser to move.
    fn root(&mut self) -> Result<(Option<String>, Sum), WriteError> {
        let claim = self.claim;
        if claim.winner != claim.to_move {
            return Ok((None, self.simplified(&claim.setup.clone())));
        }
        let mut names = claim.first_moves();
        let mut sums = Vec::new();
        for name in &names {
            let setup = claim.after(name).expect("listed moves are legal");
            sums.push(self.simplified(&setup));
        }
        let (chosen, _) = self.reply(&sums).ok_or_else(|| {
            WriteError::Silent(self.arena.sum(&claim.setup).to_string(), claim.winner)
        })?;
        Ok((Some(names.swap_remove(chosen)), sums.swap_remove(chosen)))
    }

    fn simplified(&mut self, setup: &upstar_games::Setup) -> Sum {
        let parts = self.arena.setup_pieces(setup);
        self.meet(&parts);
        let mut pieces = Vec::new();
        self.lemmas.push_simplified(&parts, &mut pieces);
        Sum::new(&self.arena, pieces)
    }

    /// Writes one block of nodes.
    fn nodes(&mut self) -> Result<(), WriteError> {
        let most = self.options.block_nodes.clamp(1, MAX_COUNT);
        let mut block = OpenBlock {
            encoder: Encoder::new(),
            model: Model::new(),
            stack: Vec::new(),
            nodes: 0,
        };
        while block.nodes < most {
            let node = match block.stack.pop() {
                Some(node) => node,
                None => {
                    let Some(node) = self.waiting.pop() else {
                        break;
                    };
                    let OpenBlock { encoder, model, .. } = &mut block;
                    model.sum(encoder, &self.arena, node.pieces());
                    node
                }
            };
            self.node(&node, &mut block)?;
            block.nodes += 1;
        }
        self.waiting.append(&mut block.stack);
        self.output.written.nodes += u64::from(block.nodes);
        self.put(&Block {
            kind: Kind::Nodes,
            count: block.nodes,
            content: block.encoder.finish(),
        })
    }

    fn node(&mut self, node: &Sum, block: &mut OpenBlock) -> Result<(), WriteError> {
        let loser = self.claim.loser();
        let leaf_stones = self.options.leaf_stones;
        let mut seen = Vec::new();
        for after in self.options_of(node, loser) {
            let hash = after.hash(&Key::FIXED);
            if seen.contains(&hash) {
                continue;
            }
            seen.push(hash);
            if after.len() <= leaf_stones {
                continue;
            }
            let replies = self.options_of(&after, !loser);
            let (chosen, new) = self
                .reply(&replies)
                .ok_or_else(|| WriteError::Silent(after.to_string(), !loser))?;
            let next = &replies[chosen];
            let OpenBlock { encoder, model, .. } = block;
            model.reply(encoder, replies.len(), chosen);
            if next.len() <= leaf_stones {
                continue;
            }
            let push = new && block.stack.len() < MAX_STACK;
            model.new_sum(encoder, next.len(), push);
            if new {
                self.visited.insert(next.hash(&Key::FIXED));
                let waiting = if push {
                    &mut block.stack
                } else {
                    &mut self.waiting
                };
                waiting.push(next.clone());
            }
        }
        Ok(())
    }

    /// Which of these sums, the loser to move, is lost, and whether it is a new node: preferably one
    /// that is a node already, then a leaf.
    fn reply(&mut self, sums: &[Sum]) -> Option<(usize, bool)> {
        let known = |sum: &Sum| self.visited.contains(&sum.hash(&Key::FIXED));
        if let Some(chosen) = sums.iter().position(known) {
            return Some((chosen, false));
        }
        let loser = self.claim.loser();
        let leaf_stones = self.options.leaf_stones;
        for leaves in [true, false] {
            let places = (0..sums.len()).filter(|&i| (sums[i].len() <= leaf_stones) == leaves);
            let places: Vec<usize> = places.collect();
            let asked: Vec<Sum> = places.iter().map(|&i| sums[i].clone()).collect();
            if asked.is_empty() {
                continue;
            }
            if let Some(chosen) = self.oracle.lost(loser, &asked) {
                return places.get(chosen).map(|&place| (place, !leaves));
            }
        }
        None
    }

    /// The sums after each move of this side, in the order of moves.
    fn options_of(&mut self, sum: &Sum, color: Color) -> Vec<Sum> {
        let mut steps = Vec::new();
        self.arena.steps(sum, color, &mut steps);
        steps
            .iter()
            .map(|&step| self.play(sum, color, step))
            .collect()
    }

    fn play(&mut self, sum: &Sum, color: Color, step: Step) -> Sum {
        let mut parts = Vec::new();
        let piece = &sum.pieces()[step.piece];
        self.arena
            .push_moved(piece, color, step.from, step.to, &mut parts);
        self.meet(&parts);
        self.arena.replaced(sum, step.piece, &parts, &self.lemmas)
    }

    /// Asks the oracle about pieces that are met for the first time and about all that can become of
    /// them, so that every sum in which they occur is simplified as far as it will ever be.
    fn meet(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            if piece.len() > self.options.lemma_stones || self.met.contains(piece) {
                continue;
            }
            let negative = self.arena.negative(piece);
            self.met.insert(*piece);
            self.met.insert(negative);
            let piece = *piece.min(&negative);
            self.meet_options(&piece);
            let Some(equal) = self.oracle.simpler(&piece) else {
                continue;
            };
            if equal.iter().any(|part| part.rank() >= piece.rank()) {
                continue;
            }
            self.meet(&equal);
            let mut parts = Vec::new();
            self.lemmas.push_simplified(&equal, &mut parts);
            let equal = Sum::new(&self.arena, parts);
            let before = equal.pieces().iter().all(|part| part.rank() < piece.rank());
            if !before || equal.len() > piece.len() {
                continue;
            }
            let effort = self.options.lemma_effort;
            let verified =
                self.search
                    .equal(&self.arena, &self.lemmas, &piece, equal.pieces(), effort);
            if verified == Ok(true) {
                self.lemmas.insert(&self.arena, piece, equal.pieces());
                self.found.push((piece, equal));
                self.output.written.lemmas += 1;
            } else {
                self.output.written.unconfirmed += 1;
            }
        }
    }

    fn meet_options(&mut self, piece: &Piece) {
        let alone = Sum::new(&self.arena, vec![*piece]);
        let (mut steps, mut parts) = (Vec::new(), Vec::new());
        for color in [Color::Black, Color::White] {
            self.arena.steps(&alone, color, &mut steps);
            for step in &steps {
                self.arena
                    .push_moved(piece, color, step.from, step.to, &mut parts);
            }
        }
        parts.sort_unstable();
        parts.dedup();
        self.meet(&parts);
    }

    fn put_lemmas(&mut self) -> Result<(), WriteError> {
        /// Lemmas of a block.
        const SHARE: usize = 1 << 14;
        self.found
            .sort_unstable_by(|(a, _), (b, _)| a.rank().cmp(&b.rank()));
        let found = std::mem::take(&mut self.found);
        for share in found.chunks(SHARE) {
            let mut encoder = Encoder::new();
            let mut model = Model::new();
            for (piece, equal) in share {
                model.piece(&mut encoder, &self.arena, Some(piece));
                model.sum(&mut encoder, &self.arena, equal.pieces());
            }
            self.put(&Block {
                kind: Kind::Lemmas,
                count: share.len() as u32,
                content: encoder.finish(),
            })?;
        }
        Ok(())
    }

    fn put(&mut self, block: &Block) -> Result<(), WriteError> {
        self.output.written.waiting = self.waiting.len() as u64;
        self.output.put(block)
    }
}
