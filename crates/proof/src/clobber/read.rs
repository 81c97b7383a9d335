//! What a file says, without a judgement: its lemmas, and its nodes with every move of the loser and
//! the winner's reply. Checker, listing and strategy all read by this.

use std::io::Read;

use upstar_games::Color;

use super::arena::Arena;
use super::format::Model;
use super::lemmas::Lemmas;
use super::piece::Piece;
use super::sum::Sum;
use crate::coder::Decoder;
use crate::frame::{Block, MAX_STACK};
use crate::hash::Key;
use crate::refusal::Refusal;

/// How nodes are to be read.
pub(crate) struct Reading<'a> {
    pub(crate) arena: &'a Arena,
    pub(crate) lemmas: &'a Lemmas,
    pub(crate) key: Key,
    pub(crate) loser: Color,
    pub(crate) leaf_stones: u32,
}

/// Where a reply leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// To a sum that search decides.
    Leaf,
    /// To a node that follows in the block, or is left over at its end.
    Stacked,
    /// To a node somewhere in the file.
    Elsewhere,
}

/// What hears of the nodes of a block.
pub(crate) trait Visit {
    /// A node begins.
    fn node(&mut self, node: &Sum);
    /// A move of the loser leads to `after`; the reply to it, unless search is to decide.
    fn line(&mut self, after: &Sum, reply: Option<(&Sum, Next)>) -> Result<(), Refusal>;
    /// A sum is left over at the end of the block.
    fn left_over(&mut self, sum: &Sum);
}

impl Reading<'_> {
    /// Reads the nodes of a block.
    pub(crate) fn block(&self, block: &Block, visit: &mut impl Visit) -> Result<(), Refusal> {
        let mut decoder = Decoder::new(&block.content);
        let mut model = Model::new();
        let mut stack: Vec<Sum> = Vec::new();
        for _ in 0..block.count {
            let node = match stack.pop() {
                Some(node) => node,
                None => self.coded_node(&mut decoder, &mut model)?,
            };
            visit.node(&node);
            self.node(&node, &mut decoder, &mut model, &mut stack, visit)?;
            if !decoder.is_sound() || stack.len() > MAX_STACK {
                return Err(Refusal::Malformed("a block of nodes"));
            }
        }
        if !decoder.is_at_end() {
            return Err(Refusal::Malformed("the length of a block of nodes"));
        }
        for sum in &stack {
            visit.left_over(sum);
        }
        Ok(())
    }

    fn coded_node(&self, decoder: &mut Decoder<'_>, model: &mut Model) -> Result<Sum, Refusal> {
        let malformed = Refusal::Malformed("a coded node");
        let Some(pieces) = model.sum(decoder, self.arena, &[]) else {
            return Err(malformed);
        };
        if pieces.iter().map(Piece::len).sum::<u32>() > 128 || !decoder.is_sound() {
            return Err(malformed);
        }
        let node = self.lemmas.simplified(self.arena, &pieces);
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
        stack: &mut Vec<Sum>,
        visit: &mut impl Visit,
    ) -> Result<(), Refusal> {
        let (mut steps, mut replies) = (Vec::new(), Vec::new());
        let mut seen = Vec::new();
        self.arena.steps(node, self.loser, &mut steps);
        for &step in &steps {
            let after = self.arena.play(node, self.loser, step, self.lemmas);
            let hash = after.hash(&self.key);
            if seen.contains(&hash) {
                continue;
            }
            seen.push(hash);
            if after.len() <= self.leaf_stones {
                visit.line(&after, None)?;
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
                visit.line(&after, Some((&next, Next::Leaf)))?;
            } else if model.new_sum(decoder, next.len(), false) {
                visit.line(&after, Some((&next, Next::Stacked)))?;
                stack.push(next);
            } else {
                visit.line(&after, Some((&next, Next::Elsewhere)))?;
            }
        }
        Ok(())
    }
}

/// A lemma as read: a piece and what it is said to equal.
pub(crate) type Lemma = (Piece, Vec<Piece>);

pub(crate) fn lemma_text(arena: &Arena, (piece, equal): &Lemma) -> String {
    format!("{piece} = {}", Sum::new(arena, equal.clone()))
}

/// Reads the lemmas of these many blocks, which must be in order.
pub(crate) fn each_lemma(
    reader: &mut impl Read,
    blocks: u64,
    arena: &Arena,
    mut visit: impl FnMut(Lemma) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut last: Option<Piece> = None;
    for _ in 0..blocks {
        let block = Block::read(reader)?;
        let mut decoder = Decoder::new(&block.content);
        let mut model = Model::new();
        for _ in 0..block.count {
            let lemma = next_lemma(arena, &mut decoder, &mut model)?;
            if last.is_some_and(|last| last.rank() >= lemma.0.rank()) {
                return Err(Refusal::LemmaOrder(lemma_text(arena, &lemma)));
            }
            last = Some(lemma.0);
            visit(lemma)?;
        }
        if !decoder.is_at_end() {
            return Err(Refusal::Malformed("the length of a block of lemmas"));
        }
    }
    Ok(())
}

/// Takes up a lemma, itself simplified by those before it.
pub(crate) fn take_up(arena: &Arena, lemmas: &mut Lemmas, (piece, equal): &Lemma) {
    let equal = lemmas.simplified(arena, equal);
    lemmas.insert(arena, *piece, equal.pieces());
}

/// Reads a lemma and compares its form: what replaces a piece has no more stones and comes before.
fn next_lemma(
    arena: &Arena,
    decoder: &mut Decoder<'_>,
    model: &mut Model,
) -> Result<Lemma, Refusal> {
    let malformed = || Refusal::Malformed("a lemma");
    let piece = model.piece(decoder, arena, None).ok_or_else(malformed)?;
    let equal = model.sum(decoder, arena, &[]).ok_or_else(malformed)?;
    if !decoder.is_sound() {
        return Err(malformed());
    }
    let stones: u32 = equal.iter().map(Piece::len).sum();
    let before = equal.iter().all(|part| part.rank() < piece.rank());
    let lemma = (piece, equal);
    if !before || stones > lemma.0.len() {
        return Err(Refusal::LemmaOrder(lemma_text(arena, &lemma)));
    }
    Ok(lemma)
}
