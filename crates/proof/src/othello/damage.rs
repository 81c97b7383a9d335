//! Files that prove nothing: damaged, incomplete, about something else, or false.

use std::io::Cursor;

use proptest::prelude::*;
use upstar_games::othello::{Opening, start};
use upstar_games::{Cell, Color, Othello, Position, Random, Rules, Setup};
use upstar_jobs::{Budget, Unwatched};

use super::format::{Header, Model};
use super::{Claim, Oracle, Plain, WriteOptions, write};
use crate::coder::Encoder;
use crate::frame::testing::{blocks, sealed};
use crate::frame::{Block, Kind, MAGIC, MAX_COUNT};
use crate::{AnyClaim, CheckOptions, Checked, Refusal, WriteError, check};

/// Small leaves and blocks, so that small boards have many nodes and blocks.
const OPTIONS: WriteOptions = WriteOptions {
    leaf_empties: 3,
    block_nodes: 5,
};

/// The score of 4×4 is −8.
fn claim(at_least: Option<i32>, at_most: Option<i32>) -> Claim {
    Claim {
        setup: start("4x4".parse().unwrap(), Opening::DIAGONAL).unwrap(),
        to_move: Color::Black,
        empties_to_winner: false,
        at_least,
        at_most,
    }
}

fn exact() -> Claim {
    claim(Some(-8), Some(-8))
}

fn written(claim: &Claim, oracle: &mut dyn Oracle) -> Result<Vec<u8>, WriteError> {
    let mut file = Vec::new();
    write(
        &mut file,
        claim,
        oracle,
        &OPTIONS,
        &Budget::unlimited(),
        &Unwatched,
    )?;
    Ok(file)
}

fn proof(claim: &Claim) -> Vec<u8> {
    written(claim, &mut Plain::new(claim).unwrap()).unwrap()
}

fn checked(file: &[u8]) -> Result<Checked, Refusal> {
    let options = CheckOptions {
        effort: 100_000,
        ..CheckOptions::default()
    };
    check(
        Cursor::new(file),
        &options,
        &Budget::unlimited(),
        &Unwatched,
    )
}

#[test]
fn sealing_restores_a_file() {
    let file = proof(&exact());
    assert_eq!(sealed(&blocks(&file)), file);
    let kinds: Vec<Kind> = blocks(&file).iter().map(|block| block.kind).collect();
    assert!(kinds.contains(&Kind::Black) && kinds.contains(&Kind::White) && kinds.len() > 6);
    assert_eq!(checked(&file).unwrap().claim, AnyClaim::Othello(exact()));
}

#[test]
fn every_changed_bit_is_refused() {
    for claim in [exact(), claim(None, Some(-1))] {
        let file = proof(&claim);
        for place in 0..file.len() * 8 {
            let mut changed = file.clone();
            changed[place / 8] ^= 1 << (place % 8);
            assert!(checked(&changed).is_err(), "bit {place}");
        }
    }
}

#[test]
fn every_truncated_file_is_refused() {
    let file = proof(&exact());
    for length in 0..file.len() {
        assert!(checked(&file[..length]).is_err(), "{length} bytes");
    }
    let longer = [&file[..], b"\n"].concat();
    assert!(matches!(checked(&longer), Err(Refusal::Malformed(_))));
}

#[test]
fn lengths_that_lie_are_refused() {
    let file = proof(&exact());
    let mut blocks = blocks(&file);
    blocks[1].count = MAX_COUNT;
    assert!(checked(&sealed(&blocks)).is_err());
}

#[test]
fn a_proof_of_something_else_is_refused() {
    let file = proof(&exact());
    let honest = blocks(&file);
    let header = Header::read(&honest[0]).unwrap();
    let refused = |change: &dyn Fn(&mut Header)| {
        let mut header = header.clone();
        change(&mut header);
        let mut blocks = honest.clone();
        blocks[0] = header.block();
        checked(&sealed(&blocks)).unwrap_err()
    };
    for better in [-7, -6, 0, 1, 16, 17, i32::MAX, i32::MIN] {
        refused(&|header| header.claim.at_least = Some(better));
        refused(&|header| header.claim.at_most = Some(-16 - better.clamp(-7, 17)));
    }
    // A weaker bound has other leaves to check, and is as true; a bound without its strategy is not
    // proved, nor is a strategy without a bound.
    refused(&|header| header.claim.at_least = None);
    refused(&|header| header.claim.at_most = None);
    refused(&|header| (header.claim.at_least, header.claim.at_most) = (None, None));
    refused(&|header| header.claim.to_move = Color::White);
    refused(&|header| header.leaf_empties = 0);
    refused(&|header| header.leaf_empties = 5);
    let missing = refused(&|header| {
        header.claim.setup = "....|.oxx|.xo.|....".parse().unwrap();
    });
    assert!(matches!(missing, Refusal::Missing(_)), "{missing}");
    let large = refused(&|header| {
        header.claim.setup = start("9x9".parse().unwrap(), Opening::DIAGONAL).unwrap();
    });
    assert!(matches!(large, Refusal::Malformed(_)), "{large}");
    refused(&|header| header.claim.setup = "xoxo|oxot".parse().unwrap());
    refused(&|header| header.claim.setup = "a=x,b=o,a-b".parse().unwrap());
    // All cells are empty enough to search at once, but not with so little effort.
    let hard = refused(&|header| {
        header.claim = Claim {
            setup: start("8x8".parse().unwrap(), Opening::DIAGONAL).unwrap(),
            ..claim(Some(1), None)
        };
        header.leaf_empties = 64;
    });
    assert!(matches!(hard, Refusal::TooHard(_)), "{hard}");
    let absurd = refused(&|header| header.leaf_empties = 65);
    assert!(matches!(absurd, Refusal::Malformed(_)), "{absurd}");
    // Another game, or none.
    for game in ["clobber", "othello:reversi", "othello:anti", "chess"] {
        let mut blocks = honest.clone();
        let text = String::from_utf8(blocks[0].content.clone()).unwrap();
        blocks[0].content = text.replace("othello", game).into_bytes();
        assert!(checked(&sealed(&blocks)).is_err(), "{game}");
    }
}

#[test]
fn a_missing_or_foreign_block_is_refused() {
    let file = proof(&exact());
    let honest = blocks(&file);
    for index in 1..honest.len() {
        let mut blocks = honest.clone();
        blocks.remove(index);
        let refusal = checked(&sealed(&blocks)).unwrap_err();
        assert!(matches!(refusal, Refusal::Missing(_)), "{refusal}");
        let mut blocks = honest.clone();
        blocks[index].kind = Kind::Nodes;
        assert!(checked(&sealed(&blocks)).is_err());
    }
    // Black's nodes do not prove White's bound.
    let mut blocks = honest.clone();
    for block in &mut blocks {
        if block.kind == Kind::White {
            block.kind = Kind::Black;
        }
    }
    assert!(checked(&sealed(&blocks)).is_err());
}

#[test]
fn the_order_of_blocks_and_extra_nodes_do_not_matter() {
    let mut blocks = blocks(&proof(&exact()));
    blocks.swap(1, 2);
    blocks.insert(1, blocks[2].clone());
    assert!(checked(&sealed(&blocks)).is_ok());
}

/// A file of one node that says nothing about the claimed position, in which the challenger cannot
/// move.
#[test]
fn a_node_without_moves_proves_nothing() {
    for (text, to_move) in [
        // Black has to pass, then White takes all.
        ("xxxo.", Color::Black),
        ("oxxx.....|.........", Color::White),
        // Neither can move.
        ("oo..", Color::Black),
    ] {
        let claim = Claim {
            setup: text.parse().unwrap(),
            to_move,
            empties_to_winner: false,
            at_least: Some(1),
            at_most: None,
        };
        let truth = truth(&claim);
        for prover_moves in [false, true] {
            let arena = claim.arena().unwrap();
            let mut node = arena.normal(&arena.start(&claim.setup, to_move));
            if prover_moves {
                node.to_move = Color::Black;
            }
            let (mut encoder, mut model) = (Encoder::new(), Model::new());
            model.position(&mut encoder, &arena, Color::Black, Some(&node));
            let header = Header {
                claim: claim.clone(),
                leaf_empties: 0,
            };
            let nodes = Block {
                kind: Kind::Black,
                count: 1,
                content: encoder.finish(),
            };
            let verdict = checked(&sealed(&[header.block(), nodes]));
            assert!(verdict.is_err() || truth >= 1, "{text}");
        }
    }
}

/// The score for Black.
fn truth(claim: &Claim) -> i32 {
    let rules = Othello::<u64>::new(match claim.setup.board {
        upstar_games::Board::Grid(grid) => grid,
        upstar_games::Board::Graph(_) => unreachable!("Othello is played on grids"),
    });
    let position = rules.position(&claim.setup, claim.to_move).unwrap();
    let score = Plain::new(claim).unwrap().score(&position);
    claim.to_move.sign() * score
}

/// An oracle that says anything.
struct Liar(Random, Othello<u64>);

impl Oracle for Liar {
    fn reply(&mut self, position: &Position<u64>, _: i32) -> Option<Cell> {
        let moves: Vec<_> = self.1.moves(position).collect();
        match moves[self.0.below(moves.len() as u32) as usize] {
            upstar_games::othello::Move::Place(cell) => Some(cell),
            upstar_games::othello::Move::Pass => None,
        }
    }
}

#[test]
fn what_is_false_cannot_be_proved() {
    let mut proofs = [0, 0];
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let grid = ["3x4", "4x4", "2x5", "3x3"][random.below(4) as usize];
        let grid = grid.parse().unwrap();
        let rules = Othello::<u64>::new(grid);
        let mut position = rules
            .position(&start(grid, Opening::DIAGONAL).unwrap(), Color::Black)
            .unwrap();
        for _ in 0..random.below(7) {
            let moves: Vec<_> = rules.moves(&position).collect();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len() as u32) as usize];
            position = rules.play_unchecked(&position, mv);
        }
        let setup: Setup = rules.setup(&position);
        let mut claim = Claim {
            setup,
            to_move: position.to_move,
            empties_to_winner: random.below(2) == 0,
            at_least: None,
            at_most: None,
        };
        let truth = truth(&claim);
        let off = random.below(5) as i32 - 2;
        let bound = (truth + off).clamp(-9, 9);
        if random.below(2) == 0 {
            claim.at_least = Some(bound);
        } else {
            claim.at_most = Some(bound);
        }
        let is_true = claim.at_least.is_none_or(|least| least <= truth)
            && claim.at_most.is_none_or(|most| most >= truth);
        // An honest oracle writes what is true and nothing else.
        let honest = written(&claim, &mut Plain::new(&claim).unwrap());
        assert_eq!(honest.is_ok(), is_true, "{claim:?}");
        if let Ok(file) = honest {
            assert!(checked(&file).is_ok(), "{claim:?}");
        }
        let lied = written(&claim, &mut Liar(random.clone(), rules));
        if lied.is_ok_and(|file| checked(&file).is_ok()) {
            assert!(is_true, "{claim:?}");
            proofs[0] += 1;
        } else {
            proofs[1] += 1;
        }
    }
    assert!(proofs[0] > 50 && proofs[1] > 200, "{proofs:?}");
}

proptest! {
    /// A change of the content may happen to make another correct proof, but of the same.
    #[test]
    fn changed_content_with_right_checksums_proves_nothing_else(
        block in any::<prop::sample::Index>(),
        bytes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        thread_local! {
            static FILE: Vec<u8> = proof(&exact());
        }
        let mut blocks = FILE.with(|file| blocks(file));
        let content = &mut block.get_mut(&mut blocks).content;
        for (place, byte) in bytes {
            *place.get_mut(content) = byte;
        }
        if let Ok(Checked { claim: AnyClaim::Othello(claim), .. }) = checked(&sealed(&blocks)) {
            prop_assert_eq!(claim, exact());
        }
    }

    #[test]
    fn any_content_is_checked_or_refused(
        kinds in prop::collection::vec(
            (any::<bool>(), 0u32..300, prop::collection::vec(any::<u8>(), 0..200)), 1..4),
    ) {
        let mut header = Header::read(&blocks(&proof(&exact()))[0]).unwrap();
        // False both.
        (header.claim.at_least, header.claim.at_most) = (Some(-7), Some(-9));
        let mut all = vec![header.block()];
        all.extend(kinds.into_iter().map(|(black, count, content)| Block {
            kind: if black { Kind::Black } else { Kind::White },
            count,
            content,
        }));
        all[1..].sort_by_key(|block| block.kind == Kind::White);
        prop_assert!(checked(&sealed(&all)).is_err());
    }

    #[test]
    fn any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(checked(&[&MAGIC[..], &bytes].concat()).is_err());
    }
}
