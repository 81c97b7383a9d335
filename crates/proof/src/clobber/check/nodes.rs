//! The nodes of a file: every move of the loser, the winner's reply, and where it leads.

use upstar_games::Color;

use crate::check::Watched;
use crate::clobber::arena::Arena;
use crate::clobber::format::Model;
use crate::clobber::lemmas::Lemmas;
use crate::clobber::piece::Piece;
use crate::clobber::search::Search;
use crate::clobber::sum::Sum;
use crate::coder::Decoder;
use crate::frame::{Block, MAX_STACK};
use crate::hash::Key;
use crate::listing::Found;
use crate::refusal::Refusal;

/// What the check of a node needs to know.
pub(super) struct Checking<'a> {
    pub(super) arena: &'a Arena,
    pub(super) lemmas: &'a Lemmas,
    pub(super) key: Key,
    pub(super) loser: Color,
    pub(super) leaf_stones: u32,
    pub(super) effort: u64,
    pub(super) watched: Watched<'a>,
}

impl Checking<'_> {
    /// Checks a block; leaves are searched if so wanted.
    pub(super) fn block(
        &self,
        block: &Block,
        search: &mut Search,
        searching: bool,
    ) -> Result<Found, Refusal> {
        let mut search = searching.then_some(search);
        let mut found = Found::default();
        let mut decoder = Decoder::new(&block.content);
        let mut model = Model::new();
        let mut stack: Vec<Sum> = Vec::new();
        for _ in 0..block.count {
            let node = match stack.pop() {
                Some(node) => node,
                None => self.coded_node(&mut decoder, &mut model)?,
            };
            found.nodes.push(node.hash(&self.key));
            self.node(
                &node,
                &mut decoder,
                &mut model,
                &mut search,
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
            .extend(stack.iter().map(|sum| sum.hash(&self.key)));
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
        search: &mut Option<&mut Search>,
        stack: &mut Vec<Sum>,
        found: &mut Found,
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
                found.replies.push(next.hash(&self.key));
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
            self.leaf(root, self.loser, &mut Some(search), found)
        } else {
            found.replies.push(root.hash(&self.key));
            Ok(())
        }
    }

    /// Decides a small sum, which the loser must lose.
    fn leaf(
        &self,
        sum: &Sum,
        to_move: Color,
        search: &mut Option<&mut Search>,
        found: &mut Found,
    ) -> Result<(), Refusal> {
        let Some(search) = search else {
            return Ok(());
        };
        found.leaves += 1;
        match search.wins(self.arena, self.lemmas, sum, to_move, self.effort) {
            Ok(wins) if wins == (to_move != self.loser) => Ok(()),
            Ok(_) => Err(Refusal::Leaf {
                sum: sum.to_string(),
                to_move,
            }),
            Err(_) => Err(self.watched.too_hard(sum.to_string())),
        }
    }
}
