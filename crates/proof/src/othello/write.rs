//! The writer: walks from the claimed position through all placements of one side and one reply to
//! each, which an oracle names, and writes down the replies; then, if both bounds are claimed, the other
//! way round.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use upstar_games::{Cell, Cells, Color, Position};
use upstar_runs::replace;

use super::arena::{Arena, Choice, Reply, hash};
use super::format::{Claim, Header, Model, kind};
use super::search::Search;
use crate::coder::Encoder;
use crate::frame::{Block, MAX_COUNT, MAX_STACK};
use crate::hash::Key;
use crate::write::{Output, WriteError, Written};
use upstar_jobs::{Budget, Watch};

/// Who knows the replies.
pub trait Oracle {
    /// A cell on which the side to move places a disc and then gets at least `goal`, whatever the other
    /// side does; `None` if it knows of none. Only asked where a disc can be placed.
    fn reply(&mut self, position: &Position<u64>, goal: i32) -> Option<Cell>;
}

/// How a proof is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// Positions with up to this many empty cells are left to the checker's search.
    pub leaf_empties: u32,
    /// Nodes in a block, up to 16,384.
    pub block_nodes: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            leaf_empties: 12,
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

/// Writes a proof of a claim with an oracle's help. Whether its replies are right, the checker finds
/// out. An oracle is asked, or a search made, about every line of the challenger, so with an honest one
/// nothing false is written.
///
/// # Errors
/// If `out` fails, the claim is false, or the oracle does not know enough.
pub fn write(
    out: impl Write,
    claim: &Claim,
    oracle: &mut dyn Oracle,
    options: &WriteOptions,
    budget: &Budget,
    watch: &dyn Watch,
) -> Result<Written, WriteError> {
    let arena = claim.arena().ok_or(WriteError::NotOthello)?;
    let root = arena.normal(&arena.start(&claim.setup, claim.to_move));
    let mut output = Output::new(out, budget, watch);
    let header = Header {
        claim: claim.clone(),
        leaf_empties: options.leaf_empties,
    };
    output.begin(&header.block())?;
    for prover in [Color::Black, Color::White] {
        if let Some(goal) = claim.goal(prover) {
            let mut writer = Writer {
                arena: &arena,
                oracle,
                options,
                prover,
                goal,
                search: Search::new(budget),
                visited: HashSet::with_hasher(Key::FIXED),
                waiting: Vec::new(),
                output: &mut output,
            };
            writer.run(&root)?;
        }
    }
    output.end()
}

struct Writer<'a, 'w, W> {
    arena: &'a Arena,
    oracle: &'a mut dyn Oracle,
    options: &'a WriteOptions,
    prover: Color,
    goal: i32,
    search: Search,
    /// Hashes of the positions that are nodes or wait to be.
    visited: HashSet<u128, Key>,
    waiting: Vec<Position<u64>>,
    output: &'a mut Output<'w, W>,
}

/// A block of nodes in the making.
struct OpenBlock {
    encoder: Encoder,
    model: Model,
    stack: Vec<Position<u64>>,
    nodes: u32,
}

impl<W: Write> Writer<'_, '_, W> {
    /// Writes the strategy of one side.
    fn run(&mut self, root: &Position<u64>) -> Result<(), WriteError> {
        if self.is_leaf(root) {
            return self.leaf(root);
        }
        self.visited.insert(hash(&Key::FIXED, root));
        self.waiting.push(*root);
        while !self.waiting.is_empty() {
            self.block()?;
        }
        Ok(())
    }

    fn block(&mut self) -> Result<(), WriteError> {
        let most = self.options.block_nodes.clamp(1, MAX_COUNT);
        let mut open = OpenBlock {
            encoder: Encoder::new(),
            model: Model::new(),
            stack: Vec::new(),
            nodes: 0,
        };
        while open.nodes < most {
            let node = match open.stack.pop() {
                Some(node) => node,
                None => {
                    let Some(node) = self.waiting.pop() else {
                        break;
                    };
                    let OpenBlock { encoder, model, .. } = &mut open;
                    model.position(encoder, self.arena, self.prover, Some(&node));
                    node
                }
            };
            self.node(&node, &mut open)?;
            open.nodes += 1;
        }
        self.waiting.append(&mut open.stack);
        self.output.written.nodes += u64::from(open.nodes);
        self.output.written.waiting = self.waiting.len() as u64;
        self.output.put(&Block {
            kind: kind(self.prover),
            count: open.nodes,
            content: open.encoder.finish(),
        })
    }

    fn node(&mut self, node: &Position<u64>, open: &mut OpenBlock) -> Result<(), WriteError> {
        match self.arena.choice(node) {
            Choice::Place(placements) if node.to_move != self.prover => {
                for cell in placements.iter() {
                    self.follow(self.arena.after(node, cell), open)?;
                }
                Ok(())
            }
            _ => self.follow(*node, open),
        }
    }

    /// Goes on until the challenger has a choice or the position can be decided.
    fn follow(
        &mut self,
        mut position: Position<u64>,
        open: &mut OpenBlock,
    ) -> Result<(), WriteError> {
        let mut replies = Vec::new();
        let mut replied = false;
        loop {
            if self.is_leaf(&position) {
                return match replied {
                    true => Ok(()),
                    false => self.leaf(&position),
                };
            }
            let OpenBlock { encoder, model, .. } = open;
            match self.arena.choice(&position) {
                Choice::Place(placements) if position.to_move == self.prover => {
                    self.arena.replies(&position, placements, &mut replies);
                    let chosen = self.reply(&position, &replies)?;
                    model.reply(encoder, replies.len(), chosen);
                    position = replies[chosen].after;
                    replied = true;
                }
                Choice::Place(_) => {
                    let node = self.arena.normal(&position);
                    let new = self.visited.insert(hash(&Key::FIXED, &node));
                    let push = new && open.stack.len() < MAX_STACK;
                    model.is_new(encoder, self.arena.empties(&position), push);
                    if push {
                        open.stack.push(node);
                    } else if new {
                        self.waiting.push(node);
                    }
                    return Ok(());
                }
                Choice::Pass(passed) => position = passed,
                Choice::Over(_) => unreachable!("a game that is over is a leaf"),
            }
        }
    }

    /// Which reply to write: preferably one that leads to a node.
    fn reply(&mut self, position: &Position<u64>, replies: &[Reply]) -> Result<usize, WriteError> {
        let known = |reply: &Reply| {
            let node = self.arena.normal(&reply.after);
            self.visited.contains(&hash(&Key::FIXED, &node))
        };
        if let Some(chosen) = replies.iter().position(known) {
            return Ok(chosen);
        }
        let cell = self.oracle.reply(position, self.goal);
        let chosen = cell.and_then(|cell| replies.iter().position(|reply| reply.cell == cell));
        chosen.ok_or_else(|| self.unreached(position))
    }

    /// Whether the checker decides this position by itself.
    fn is_leaf(&self, position: &Position<u64>) -> bool {
        self.arena.empties(position) <= self.options.leaf_empties
            || matches!(self.arena.choice(position), Choice::Over(_))
    }

    /// Decides a leaf to which no reply of the oracle has led.
    fn leaf(&mut self, position: &Position<u64>) -> Result<(), WriteError> {
        let proves = position.to_move == self.prover;
        if proves && matches!(self.arena.choice(position), Choice::Place(_)) {
            let reply = self.oracle.reply(position, self.goal);
            return match reply {
                Some(_) => Ok(()),
                None => Err(self.unreached(position)),
            };
        }
        let goal = if proves { self.goal } else { 1 - self.goal };
        match self.search.reaches(self.arena, position, goal, u64::MAX) {
            Ok(reaches) if reaches == proves => Ok(()),
            _ => Err(self.unreached(position)),
        }
    }

    fn unreached(&self, position: &Position<u64>) -> WriteError {
        WriteError::Unreached(self.arena.text(position), self.prover)
    }
}
