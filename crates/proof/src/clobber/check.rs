//! The checker of Clobber: first the lemmas in their order, then the nodes.

mod lemmas;
mod nodes;

use std::io::{Read, Seek, SeekFrom};

use super::arena::Arena;
use super::format::Header;
use super::lemmas::Lemmas;
use super::read::Reading;
use super::search::Search;
use crate::check::{AnyClaim, CheckOptions, Checked, Watched};
use crate::frame::Outline;
use crate::hash::Key;
use crate::listing::{Found, Listing};
use crate::refusal::Refusal;
use lemmas::Verifier;
use nodes::Checking;

/// Checks a proof by the rules of Clobber alone.
pub(crate) fn check<R: Read + Seek + Send>(
    reader: &mut R,
    outline: &Outline,
    options: &CheckOptions,
    watched: Watched<'_>,
) -> Result<Checked, Refusal> {
    let [nodes, proved] = outline.sections;
    let Header {
        claim,
        first,
        leaf_stones,
    } = Header::read(&outline.header)?;
    let arena =
        Arena::new(claim.variant, &claim.setup.board).ok_or(Refusal::Malformed("no Clobber"))?;
    let key = Key::fresh();
    let threads = options.threads.max(1);
    let mut searches: Vec<Search> = (0..threads)
        .map(|_| Search::new(key, 20, watched.budget))
        .collect();

    let mut lemmas = Lemmas::new(key);
    if proved.count.saturating_mul(Lemmas::BYTES) > options.memory {
        return Err(Refusal::ManyLemmas(proved.count));
    }
    reader.seek(SeekFrom::Start(proved.at))?;
    let mut verifier = Verifier {
        arena: &arena,
        lemmas: &mut lemmas,
        searches: &mut searches,
        effort: options.effort,
        watched,
        done: 0,
        total: proved.count,
    };
    verifier.run(reader, proved.blocks)?;

    let start = match (&first, claim.winner == claim.to_move) {
        (None, false) => claim.setup.clone(),
        (Some(first), true) => claim.after(first).ok_or(Refusal::FirstMove)?,
        _ => return Err(Refusal::FirstMove),
    };
    let root = lemmas.simplified(&arena, &arena.setup_pieces(&start));

    let passes = Listing::passes(nodes.count, options.memory);
    let checking = Checking {
        reading: Reading {
            arena: &arena,
            lemmas: &lemmas,
            key,
            loser: claim.loser(),
            leaf_stones,
        },
        effort: options.effort,
        watched,
    };
    let mut found = Found::default();
    checking.arrive(&root, &mut searches[0], &mut found)?;
    let listing = Listing {
        section: nodes,
        key,
        passes,
        earlier: 0,
        total: passes * nodes.count,
    };
    let leaves = listing.check(
        reader,
        &mut searches,
        watched,
        &found,
        |block, search, pass| checking.block(block, search, pass == 0),
    )?;
    Ok(Checked {
        claim: AnyClaim::Clobber(claim),
        first,
        nodes: nodes.count,
        lemmas: proved.count,
        leaves,
        positions: searches.iter().map(|search| search.positions).sum(),
        passes,
        bytes: outline.bytes,
    })
}
