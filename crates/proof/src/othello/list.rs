//! The nodes of a file as texts, or only counted.

use std::io::{Read, Seek, SeekFrom};

use upstar_games::{Color, Position};

use super::arena::Arena;
use super::format::Header;
use super::read::{Reading, Visit};
use crate::check::Watched;
use crate::file::{Entry, Line, Node, Sizes};
use crate::frame::{Block, Outline};
use crate::refusal::Refusal;

/// Counts the nodes by their empty cells, and tells `each` entry if there is somebody to tell.
pub(crate) fn list<R: Read + Seek>(
    reader: &mut R,
    outline: &Outline,
    watched: Watched<'_>,
    each: Option<&mut dyn FnMut(Entry)>,
) -> Result<Sizes, Refusal> {
    let header = Header::read(&outline.header)?;
    let arena = header
        .claim
        .arena()
        .ok_or(Refusal::Malformed("the claim"))?;
    let mut lister = Lister {
        each,
        arena: &arena,
        prover: Color::Black,
        node: None,
        line: Line::default(),
        sizes: Sizes::default(),
    };
    let total = outline.sections.iter().map(|section| section.count).sum();
    let mut done = 0;
    for (section, prover) in outline.sections.iter().zip([Color::Black, Color::White]) {
        lister.prover = prover;
        let reading = Reading {
            arena: &arena,
            prover,
            leaf_empties: header.leaf_empties,
        };
        reader.seek(SeekFrom::Start(section.at))?;
        for _ in 0..section.blocks {
            let block = Block::read(reader)?;
            reading.block(&block, &mut lister)?;
            lister.finish();
            done += u64::from(block.count);
            watched.report(done, total)?;
        }
    }
    Ok(lister.sizes)
}

struct Lister<'a, 'e> {
    each: Option<&'e mut dyn FnMut(Entry)>,
    arena: &'a Arena,
    prover: Color,
    /// The node whose lines are being read, and the line at hand.
    node: Option<Node>,
    line: Line,
    sizes: Sizes,
}

impl Lister<'_, '_> {
    fn finish(&mut self) {
        if let (Some(each), Some(node)) = (&mut self.each, self.node.take()) {
            each(Entry::Node(node));
        }
    }

    fn end_line(&mut self, leaf: bool) {
        if let Some(node) = &mut self.node {
            let line = std::mem::take(&mut self.line);
            node.lines.push(Line { leaf, ..line });
        }
    }
}

impl Visit for Lister<'_, '_> {
    fn node(&mut self, node: &Position<u64>) {
        self.finish();
        let size = self.sizes.entry(self.arena.empties(node)).or_default();
        size[self.prover.index()] += 1;
        self.node = self.each.is_some().then(|| Node {
            prover: self.prover,
            position: self.arena.text(node),
            to_move: node.to_move,
            lines: Vec::new(),
        });
    }

    fn challenge(&mut self, after: &Position<u64>) {
        if self.node.is_some() {
            self.line.after = Some(self.arena.text(after));
        }
    }

    fn reply(&mut self, _: &Position<u64>, after: &Position<u64>) {
        if self.node.is_some() {
            self.line.replies.push(self.arena.text(after));
        }
    }

    fn leaf(&mut self, _: &Position<u64>) -> Result<(), Refusal> {
        self.end_line(true);
        Ok(())
    }

    fn listed(&mut self, _: &Position<u64>, _: bool) {
        self.end_line(false);
    }

    fn left_over(&mut self, _: &Position<u64>) {}
}
