//! The lemmas and nodes of a file as texts, or only counted.

use std::io::{Read, Seek, SeekFrom};

use super::arena::Arena;
use super::format::Header;
use super::lemmas::Lemmas;
use super::read::{Next, Reading, Visit, each_lemma, take_up};
use super::sum::Sum;
use crate::check::Watched;
use crate::file::{Entry, Line, Node, Sizes};
use crate::frame::{Block, Outline};
use crate::hash::Key;
use crate::refusal::Refusal;

/// Counts the nodes by their stones, and tells `each` entry if there is somebody to tell.
pub(crate) fn list<R: Read + Seek>(
    reader: &mut R,
    outline: &Outline,
    watched: Watched<'_>,
    each: Option<&mut dyn FnMut(Entry)>,
) -> Result<Sizes, Refusal> {
    let header = Header::read(&outline.header)?;
    let claim = &header.claim;
    let arena =
        Arena::new(claim.variant, &claim.setup.board).ok_or(Refusal::Malformed("no Clobber"))?;
    let [nodes, proved] = outline.sections;
    let mut lister = Lister {
        each,
        node: None,
        sizes: Sizes::default(),
        prover: claim.winner,
    };
    let mut lemmas = Lemmas::new(Key::FIXED);
    reader.seek(SeekFrom::Start(proved.at))?;
    each_lemma(reader, proved.blocks, &arena, |lemma| {
        take_up(&arena, &mut lemmas, &lemma);
        if let Some(each) = &mut lister.each {
            each(Entry::Lemma {
                piece: lemma.0.to_string(),
                equal: Sum::new(&arena, lemma.1).to_string(),
            });
        }
        Ok(())
    })?;
    let reading = Reading {
        arena: &arena,
        lemmas: &lemmas,
        key: Key::fresh(),
        loser: claim.loser(),
        leaf_stones: header.leaf_stones,
    };
    reader.seek(SeekFrom::Start(nodes.at))?;
    let mut done = 0;
    for _ in 0..nodes.blocks {
        let block = Block::read(reader)?;
        reading.block(&block, &mut lister)?;
        lister.finish();
        done += u64::from(block.count);
        watched.report(done, nodes.count)?;
    }
    Ok(lister.sizes)
}

struct Lister<'a> {
    each: Option<&'a mut dyn FnMut(Entry)>,
    /// The node whose lines are being read.
    node: Option<Node>,
    sizes: Sizes,
    prover: upstar_games::Color,
}

impl Lister<'_> {
    fn finish(&mut self) {
        if let (Some(each), Some(node)) = (&mut self.each, self.node.take()) {
            each(Entry::Node(node));
        }
    }
}

impl Visit for Lister<'_> {
    fn node(&mut self, node: &Sum) {
        self.finish();
        self.sizes.entry(node.len()).or_default()[self.prover.index()] += 1;
        self.node = self.each.is_some().then(|| Node {
            prover: self.prover,
            position: node.to_string(),
            to_move: !self.prover,
            lines: Vec::new(),
        });
    }

    fn line(&mut self, after: &Sum, reply: Option<(&Sum, Next)>) -> Result<(), Refusal> {
        if let Some(node) = &mut self.node {
            node.lines.push(Line {
                after: Some(after.to_string()),
                replies: reply.iter().map(|(next, _)| next.to_string()).collect(),
                leaf: reply.is_none_or(|(_, next)| next == Next::Leaf),
            });
        }
        Ok(())
    }

    fn left_over(&mut self, _: &Sum) {}
}
