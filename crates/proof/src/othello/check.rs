//! The checker of Othello: every placement of the challenger, the prover's reply, and where it leads.

use std::io::{Read, Seek};
use std::sync::Mutex;

use upstar_games::{Color, Position};

use super::arena::hash;
use super::format::Header;
use super::read::{Reading, Visit};
use super::search::Search;
use crate::check::{AnyClaim, CheckOptions, Checked, Watched};
use crate::frame::{Block, Outline};
use crate::hash::Key;
use crate::listing::{Found, Listing};
use crate::refusal::Refusal;

/// Checks a proof by the rules of Othello alone.
pub(crate) fn check<R: Read + Seek + Send>(
    reader: &mut R,
    outline: &Outline,
    options: &CheckOptions,
    watched: Watched<'_>,
) -> Result<Checked, Refusal> {
    let Header {
        claim,
        leaf_empties,
    } = Header::read(&outline.header)?;
    let arena = claim.arena().ok_or(Refusal::Malformed("the claim"))?;
    let start = arena.start(&claim.setup, claim.to_move);
    let root = arena.normal(&start);
    let threads = options.threads.max(1);
    let mut searches: Vec<Search> = (0..threads).map(|_| Search::new(watched.budget)).collect();

    let passes = |count: u64| Listing::passes(count, options.memory);
    let counts = outline.sections.map(|section| section.count);
    let total = counts.iter().map(|&count| passes(count) * count).sum();
    let (mut leaves, mut earlier, mut first) = (0, 0, None);
    for (section, prover) in outline
        .sections
        .into_iter()
        .zip([Color::Black, Color::White])
    {
        let Some(goal) = claim.goal(prover) else {
            if section.blocks > 0 {
                return Err(Refusal::Malformed("a strategy for nothing"));
            }
            continue;
        };
        let checking = Checking {
            reading: Reading {
                arena: &arena,
                prover,
                leaf_empties,
            },
            key: Key::fresh(),
            goal,
            effort: options.effort,
            watched,
            root,
            first: Mutex::new(None),
        };
        let mut found = Found::default();
        checking.arrive(&mut searches[0], &mut found)?;
        let listing = Listing {
            section,
            key: checking.key,
            passes: passes(section.count),
            earlier,
            total,
        };
        leaves += listing.check(
            reader,
            &mut searches,
            watched,
            &found,
            |block, search, pass| checking.block(block, search, pass == 0),
        )?;
        earlier += listing.passes * section.count;
        let reply = checking.first.into_inner().expect("no thread has panicked");
        if let Some(after) = reply {
            first = arena.move_between(&start, &after);
        }
    }
    Ok(Checked {
        claim: AnyClaim::Othello(claim),
        first,
        nodes: counts.iter().sum(),
        lemmas: 0,
        leaves,
        positions: searches.iter().map(|search| search.positions).sum(),
        passes: counts.into_iter().map(passes).max().unwrap_or(1),
        bytes: outline.bytes,
    })
}

/// What the check of a node needs to know.
struct Checking<'a> {
    reading: Reading<'a>,
    key: Key,
    /// What the prover must get at least.
    goal: i32,
    effort: u64,
    watched: Watched<'a>,
    /// The claimed position in normal form.
    root: Position<u64>,
    /// Where the prover's reply in the claimed position leads.
    first: Mutex<Option<Position<u64>>>,
}

/// A block on its way through the checker.
struct OpenBlock<'a, 's> {
    checking: &'a Checking<'a>,
    /// Leaves are searched in the first pass only.
    search: Option<&'s mut Search>,
    found: Found,
}

impl Checking<'_> {
    /// The claimed position: decided by itself, or to be listed.
    fn arrive(&self, search: &mut Search, found: &mut Found) -> Result<(), Refusal> {
        if self.reading.is_leaf(&self.root) {
            found.leaves += 1;
            self.leaf(&self.root, search)
        } else {
            found.replies.push(hash(&self.key, &self.root));
            Ok(())
        }
    }

    /// Checks a block; leaves are searched if so wanted.
    fn block(&self, block: &Block, search: &mut Search, wanted: bool) -> Result<Found, Refusal> {
        let mut open = OpenBlock {
            checking: self,
            search: wanted.then_some(search),
            found: Found::default(),
        };
        self.reading.block(block, &mut open)?;
        Ok(open.found)
    }

    /// Decides a position with few empty cells, in which the prover must get what is claimed.
    fn leaf(&self, position: &Position<u64>, search: &mut Search) -> Result<(), Refusal> {
        let Reading { arena, prover, .. } = self.reading;
        match search.keeps(arena, position, prover, self.goal, self.effort) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Refusal::Score {
                position: arena.text(position),
                to_move: position.to_move,
                prover,
                goal: self.goal,
            }),
            Err(_) => Err(self.watched.too_hard(arena.text(position))),
        }
    }
}

impl Visit for OpenBlock<'_, '_> {
    fn node(&mut self, node: &Position<u64>) {
        self.found.nodes.push(hash(&self.checking.key, node));
    }

    fn challenge(&mut self, _: &Position<u64>) {}

    fn reply(&mut self, from: &Position<u64>, after: &Position<u64>) {
        if *from == self.checking.root {
            *self.checking.first.lock().expect("no thread has panicked") = Some(*after);
        }
    }

    fn leaf(&mut self, position: &Position<u64>) -> Result<(), Refusal> {
        let Some(search) = &mut self.search else {
            return Ok(());
        };
        self.found.leaves += 1;
        self.checking.leaf(position, search)
    }

    fn listed(&mut self, node: &Position<u64>, stacked: bool) {
        if !stacked {
            self.left_over(node);
        }
    }

    fn left_over(&mut self, node: &Position<u64>) {
        self.found.replies.push(hash(&self.checking.key, node));
    }
}
