//! The prover's replies on the board: a placement that leads to a node again, or to a leaf.

use std::collections::HashSet;
use std::io::{Read, Seek, SeekFrom};

use upstar_games::{AnyGame, Cells, Color, Position};

use super::arena::{Arena, Choice, hash};
use super::format::Header;
use super::read::{Reading, Visit};
use super::search::Search;
use crate::check::Watched;
use crate::frame::{Block, Outline};
use crate::hash::Key;
use crate::refusal::Refusal;
use crate::strategy::color;

/// The positions of one side's strategy in a checked proof.
pub(crate) struct OthelloStrategy {
    arena: Arena,
    key: Key,
    nodes: HashSet<u128, Key>,
    search: Search,
    effort: u64,
    prover: Color,
    goal: i32,
    leaf_empties: u32,
}

impl OthelloStrategy {
    /// Takes up the nodes of this side.
    pub(crate) fn read<R: Read + Seek>(
        reader: &mut R,
        outline: &Outline,
        prover: Color,
        effort: u64,
        watched: Watched<'_>,
    ) -> Result<Self, Refusal> {
        let Header {
            claim,
            leaf_empties,
        } = Header::read(&outline.header)?;
        let arena = claim.arena().ok_or(Refusal::Malformed("the claim"))?;
        let goal = claim.goal(prover).ok_or(Refusal::NoStrategy(prover))?;
        let section = outline.sections[prover.index()];
        let key = Key::fresh();
        let mut collected = Collected {
            key,
            nodes: HashSet::with_hasher(key),
        };
        let reading = Reading {
            arena: &arena,
            prover,
            leaf_empties,
        };
        reader.seek(SeekFrom::Start(section.at))?;
        for _ in 0..section.blocks {
            reading.block(&Block::read(reader)?, &mut collected)?;
            watched.report(collected.nodes.len() as u64, section.count)?;
        }
        Ok(Self {
            key,
            nodes: collected.nodes,
            search: Search::new(watched.budget),
            effort,
            prover,
            goal,
            leaf_empties,
            arena,
        })
    }

    /// The name of the reply that keeps what was proved.
    pub(crate) fn reply(
        &mut self,
        options: &[(String, AnyGame)],
    ) -> Result<Option<String>, Refusal> {
        for (name, next) in options {
            let position = self.arena.start(&next.setup(), color(next));
            if self.keeps(position)? {
                return Ok(Some(name.clone()));
            }
        }
        Ok(None)
    }

    /// Whether the proof says that the prover gets what is claimed from here.
    fn keeps(&mut self, position: Position<u64>) -> Result<bool, Refusal> {
        let choice = self.arena.choice(&position);
        let over = matches!(choice, Choice::Over(_));
        if over || self.arena.empties(&position) <= self.leaf_empties {
            let Self { arena, search, .. } = self;
            let kept = search.keeps(arena, &position, self.prover, self.goal, self.effort);
            return kept.map_err(|_| Refusal::TooHard(arena.text(&position)));
        }
        match choice {
            Choice::Place(placements) if position.to_move == self.prover => {
                for cell in placements.iter() {
                    if self.keeps(self.arena.after(&position, cell))? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Choice::Pass(passed) => self.keeps(passed),
            _ => {
                let node = self.arena.normal(&position);
                Ok(self.nodes.contains(&hash(&self.key, &node)))
            }
        }
    }
}

/// The hashes of all nodes.
struct Collected {
    key: Key,
    nodes: HashSet<u128, Key>,
}

impl Visit for Collected {
    fn node(&mut self, node: &Position<u64>) {
        self.nodes.insert(hash(&self.key, node));
    }

    fn challenge(&mut self, _: &Position<u64>) {}

    fn reply(&mut self, _: &Position<u64>, _: &Position<u64>) {}

    fn leaf(&mut self, _: &Position<u64>) -> Result<(), Refusal> {
        Ok(())
    }

    fn listed(&mut self, _: &Position<u64>, _: bool) {}

    fn left_over(&mut self, _: &Position<u64>) {}
}
