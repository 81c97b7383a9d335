//! What a file says, without a judgement: its nodes with every placement of the challenger and the
//! prover's replies. Checker, listing and strategy all read by this.

use upstar_games::{Cells, Color, Position};

use super::arena::{Arena, Choice};
use super::format::Model;
use crate::coder::Decoder;
use crate::frame::{Block, MAX_STACK};
use crate::refusal::Refusal;

/// How nodes are to be read.
pub(crate) struct Reading<'a> {
    pub(crate) arena: &'a Arena,
    pub(crate) prover: Color,
    pub(crate) leaf_empties: u32,
}

/// What hears of the nodes of a block.
pub(crate) trait Visit {
    /// A node in normal form begins.
    fn node(&mut self, node: &Position<u64>);
    /// The challenger places a disc, which leads here.
    fn challenge(&mut self, after: &Position<u64>);
    /// The prover replies.
    fn reply(&mut self, from: &Position<u64>, after: &Position<u64>);
    /// Search is to decide this position.
    fn leaf(&mut self, position: &Position<u64>) -> Result<(), Refusal>;
    /// This position, in normal form, is a node; one that is stacked follows in the block, or is left
    /// over at its end.
    fn listed(&mut self, node: &Position<u64>, stacked: bool);
    /// A node is left over at the end of the block.
    fn left_over(&mut self, node: &Position<u64>);
}

/// A block that is being read.
struct OpenBlock<'a> {
    decoder: Decoder<'a>,
    model: Model,
    stack: Vec<Position<u64>>,
}

impl Reading<'_> {
    /// Whether search decides a position.
    pub(crate) fn is_leaf(&self, position: &Position<u64>) -> bool {
        self.arena.empties(position) <= self.leaf_empties
            || matches!(self.arena.choice(position), Choice::Over(_))
    }

    /// Reads the nodes of a block.
    pub(crate) fn block(&self, block: &Block, visit: &mut impl Visit) -> Result<(), Refusal> {
        let mut open = OpenBlock {
            decoder: Decoder::new(&block.content),
            model: Model::new(),
            stack: Vec::new(),
        };
        for _ in 0..block.count {
            let node = match open.stack.pop() {
                Some(node) => node,
                None => {
                    let OpenBlock { decoder, model, .. } = &mut open;
                    let coded = model.position(decoder, self.arena, self.prover, None);
                    self.arena.normal(&coded)
                }
            };
            visit.node(&node);
            self.node(&node, &mut open, visit)?;
            if !open.decoder.is_sound() || open.stack.len() > MAX_STACK {
                return Err(Refusal::Malformed("a block of nodes"));
            }
        }
        if !open.decoder.is_at_end() {
            return Err(Refusal::Malformed("the length of a block of nodes"));
        }
        for node in &open.stack {
            visit.left_over(node);
        }
        Ok(())
    }

    /// Goes through all placements of the challenger, if it is to move and there are any.
    fn node(
        &self,
        node: &Position<u64>,
        open: &mut OpenBlock<'_>,
        visit: &mut impl Visit,
    ) -> Result<(), Refusal> {
        match self.arena.choice(node) {
            Choice::Place(placements) if node.to_move != self.prover => {
                for cell in placements.iter() {
                    let after = self.arena.after(node, cell);
                    visit.challenge(&after);
                    self.follow(after, open, visit)?;
                }
                Ok(())
            }
            _ => self.follow(*node, open, visit),
        }
    }

    /// Goes on until the challenger has a choice, and the position must be a node, or until the
    /// position can be decided.
    fn follow(
        &self,
        mut position: Position<u64>,
        open: &mut OpenBlock<'_>,
        visit: &mut impl Visit,
    ) -> Result<(), Refusal> {
        let mut replies = Vec::new();
        loop {
            let empties = self.arena.empties(&position);
            let choice = self.arena.choice(&position);
            if matches!(choice, Choice::Over(_)) || empties <= self.leaf_empties {
                return visit.leaf(&position);
            }
            let OpenBlock { decoder, model, .. } = open;
            match choice {
                Choice::Place(placements) if position.to_move == self.prover => {
                    self.arena.replies(&position, placements, &mut replies);
                    let reply = model.reply(decoder, replies.len(), 0);
                    let no_reply = || Refusal::NoReply(self.arena.text(&position));
                    let after = replies.get(reply).ok_or_else(no_reply)?.after;
                    visit.reply(&position, &after);
                    position = after;
                }
                Choice::Place(_) => {
                    let node = self.arena.normal(&position);
                    let stacked = model.is_new(decoder, empties, false);
                    visit.listed(&node, stacked);
                    if stacked {
                        open.stack.push(node);
                    }
                    return Ok(());
                }
                Choice::Pass(passed) => position = passed,
                Choice::Over(_) => unreachable!("a game that is over has been decided"),
            }
        }
    }
}
