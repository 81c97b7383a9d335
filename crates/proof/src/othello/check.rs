//! The checker of Othello: every placement of the challenger, the prover's reply, and where it leads.

use std::io::{Read, Seek};
use std::sync::Mutex;

use upstar_games::{Cells, Color, Position};

use super::arena::{Arena, Choice, hash};
use super::format::{Header, Model};
use super::search::Search;
use crate::check::{AnyClaim, CheckOptions, Checked, Watched};
use crate::coder::Decoder;
use crate::frame::{Block, MAX_STACK, Outline};
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
            arena: &arena,
            key: Key::fresh(),
            prover,
            goal,
            leaf_empties,
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
    arena: &'a Arena,
    key: Key,
    prover: Color,
    /// What the prover must get at least.
    goal: i32,
    leaf_empties: u32,
    effort: u64,
    watched: Watched<'a>,
    /// The claimed position in normal form.
    root: Position<u64>,
    /// Where the prover's reply in the claimed position leads.
    first: Mutex<Option<Position<u64>>>,
}

/// A block on its way through the checker.
struct OpenBlock<'a, 's> {
    decoder: Decoder<'a>,
    model: Model,
    stack: Vec<Position<u64>>,
    /// Leaves are searched in the first pass only.
    search: Option<&'s mut Search>,
    found: Found,
}

impl Checking<'_> {
    /// The claimed position: decided by itself, or to be listed.
    fn arrive(&self, search: &mut Search, found: &mut Found) -> Result<(), Refusal> {
        let over = matches!(self.arena.choice(&self.root), Choice::Over(_));
        if over || self.arena.empties(&self.root) <= self.leaf_empties {
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
            decoder: Decoder::new(&block.content),
            model: Model::new(),
            stack: Vec::new(),
            search: wanted.then_some(search),
            found: Found::default(),
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
            open.found.nodes.push(hash(&self.key, &node));
            self.node(&node, &mut open)?;
            if !open.decoder.is_sound() || open.stack.len() > MAX_STACK {
                return Err(Refusal::Malformed("a block of nodes"));
            }
        }
        if !open.decoder.is_at_end() {
            return Err(Refusal::Malformed("the length of a block of nodes"));
        }
        let rest = open.stack.iter().map(|position| hash(&self.key, position));
        open.found.replies.extend(rest);
        Ok(open.found)
    }

    /// Goes through all placements of the challenger, if it is to move and there are any.
    fn node(&self, node: &Position<u64>, open: &mut OpenBlock<'_, '_>) -> Result<(), Refusal> {
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

    /// Goes on until the challenger has a choice, and the position must be a node, or until the
    /// position can be decided.
    fn follow(
        &self,
        mut position: Position<u64>,
        open: &mut OpenBlock<'_, '_>,
    ) -> Result<(), Refusal> {
        let mut replies = Vec::new();
        loop {
            let empties = self.arena.empties(&position);
            let choice = self.arena.choice(&position);
            if matches!(choice, Choice::Over(_)) || empties <= self.leaf_empties {
                let Some(search) = &mut open.search else {
                    return Ok(());
                };
                open.found.leaves += 1;
                return self.leaf(&position, search);
            }
            match choice {
                Choice::Place(placements) if position.to_move == self.prover => {
                    self.arena.replies(&position, placements, &mut replies);
                    let OpenBlock { decoder, model, .. } = open;
                    let reply = model.reply(decoder, replies.len(), 0);
                    let no_reply = || Refusal::NoReply(self.arena.text(&position));
                    let after = replies.get(reply).ok_or_else(no_reply)?.after;
                    if position == self.root {
                        *self.first.lock().expect("no thread has panicked") = Some(after);
                    }
                    position = after;
                }
                Choice::Place(_) => {
                    let OpenBlock { decoder, model, .. } = open;
                    let node = self.arena.normal(&position);
                    if model.is_new(decoder, empties, false) {
                        open.stack.push(node);
                    } else {
                        open.found.replies.push(hash(&self.key, &node));
                    }
                    return Ok(());
                }
                Choice::Pass(passed) => position = passed,
                Choice::Over(_) => unreachable!("a game that is over has been decided"),
            }
        }
    }

    /// Decides a position with few empty cells, in which the prover must get what is claimed.
    fn leaf(&self, position: &Position<u64>, search: &mut Search) -> Result<(), Refusal> {
        let proves = position.to_move == self.prover;
        let goal = if proves { self.goal } else { 1 - self.goal };
        match search.reaches(self.arena, position, goal, self.effort) {
            Ok(reaches) if reaches == proves => Ok(()),
            Ok(_) => Err(Refusal::Score {
                position: self.arena.text(position),
                to_move: position.to_move,
                prover: self.prover,
                goal: self.goal,
            }),
            Err(_) => Err(self.watched.too_hard(self.arena.text(position))),
        }
    }
}
