//! Tests: damaged and dishonest files are refused, also when all their checksums are right.

use std::io::Cursor;

use proptest::prelude::*;
use upstar_games::{Color, Grid, Random, Setup, Variant, clobber};
use upstar_jobs::{Budget, Unwatched};

use super::format::{Header, Model};
use crate::clobber::{Arena, Claim, Oracle, Piece, Plain, Sum, WriteOptions, write};
use crate::coder::Encoder;
use crate::frame::testing::{blocks, sealed};
use crate::frame::{Block, Kind, MAGIC, MAX_COUNT};
use crate::{AnyClaim, CheckOptions, Checked, Refusal, check};

/// Small leaves and blocks, so that small boards have many nodes and blocks.
const OPTIONS: WriteOptions = WriteOptions {
    leaf_stones: 3,
    lemma_stones: 4,
    lemma_effort: 10_000,
    block_nodes: 20,
};

fn claim(text: &str, to_move: Color) -> (Plain, Claim) {
    let setup: Setup = text.parse().unwrap();
    let arena = Arena::new(Variant::Clobber, &setup.board).unwrap();
    let mut oracle = Plain::new(arena);
    let claim = oracle.claim(Variant::Clobber, setup, to_move);
    (oracle, claim)
}

fn proof(text: &str, to_move: Color) -> Vec<u8> {
    let (mut oracle, claim) = claim(text, to_move);
    written(&claim, &mut oracle)
}

fn written(claim: &Claim, oracle: &mut dyn Oracle) -> Vec<u8> {
    let mut file = Vec::new();
    write(
        &mut file,
        claim,
        oracle,
        &OPTIONS,
        &Budget::unlimited(),
        &Unwatched,
    )
    .unwrap();
    file
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

const BOARD: &str = "xoxo|oxox|xoxo";

#[test]
fn sealing_restores_a_file() {
    let file = proof(BOARD, Color::Black);
    assert_eq!(sealed(&blocks(&file)), file);
    let checked = checked(&file).unwrap();
    assert!(checked.nodes > 80 && checked.lemmas > 10 && checked.leaves > 0);
}

#[test]
fn every_changed_byte_is_refused() {
    let file = proof(BOARD, Color::Black);
    for place in 0..file.len() {
        let mut changed = file.clone();
        changed[place] ^= 1 << (place % 8);
        assert!(checked(&changed).is_err(), "byte {place}");
    }
}

/// A header that leaves a whole board to plain search is refused, and a search ends with its budget.
#[test]
fn a_header_cannot_make_a_check_endless() {
    let honest = blocks(&proof(BOARD, Color::Black));
    let forged = |leaf_stones: u32| {
        let mut header = Header::read(&honest[0]).unwrap();
        header.claim.setup = upstar_games::clobber::checkerboard("8x8".parse().unwrap());
        header.claim.winner = Color::White;
        header.first = None;
        header.leaf_stones = leaf_stones;
        sealed(&[header.block()])
    };
    let refused = checked(&forged(u32::MAX)).unwrap_err().to_string();
    assert!(
        refused.ends_with("leaf-stones is more than 64"),
        "{refused}"
    );
    let begun = std::time::Instant::now();
    let budget = Budget::unlimited().with_time(std::time::Duration::from_millis(300));
    let file = forged(64);
    let stopped = check(
        Cursor::new(&file),
        &CheckOptions::default(),
        &budget,
        &Unwatched,
    );
    assert!(matches!(stopped, Err(Refusal::Stopped)), "{stopped:?}");
    assert!(begun.elapsed() < std::time::Duration::from_secs(3));
}

#[test]
fn every_truncated_file_is_refused() {
    let file = proof("xoxo|oxox", Color::Black);
    for length in 0..file.len() {
        assert!(checked(&file[..length]).is_err(), "{length} bytes");
    }
    let longer = [&file[..], b"\n"].concat();
    assert!(matches!(checked(&longer), Err(Refusal::Malformed(_))));
}

#[test]
fn other_files_and_versions_are_named_as_such() {
    let mut file = proof("xo", Color::Black);
    assert!(matches!(checked(b"x"), Err(Refusal::NoProof)));
    assert!(matches!(
        checked(b"xoxo|oxox|xoxo|oxox"),
        Err(Refusal::NoProof)
    ));
    file[13] = b'2';
    assert!(matches!(checked(&file), Err(Refusal::Version)));
}

#[test]
fn lengths_that_lie_are_refused() {
    let file = proof("xoxo|oxox", Color::Black);
    for place in 1..9 {
        let mut changed = file.clone();
        changed[MAGIC.len() + place] = 0xff;
        assert!(checked(&changed).is_err());
    }
    let mut blocks = blocks(&file);
    blocks[1].count = MAX_COUNT;
    assert!(checked(&sealed(&blocks)).is_err());
}

#[test]
fn a_proof_of_something_else_is_refused() {
    // White wins 3x4, whoever begins.
    let (_, claim) = claim(BOARD, Color::Black);
    assert_eq!(claim.winner, Color::White);
    let file = proof(BOARD, Color::Black);
    let honest = blocks(&file);
    let header = Header::read(&honest[0]).unwrap();
    let refused = |change: &dyn Fn(&mut Header)| {
        let mut header = header.clone();
        change(&mut header);
        let mut blocks = honest.clone();
        blocks[0] = header.block();
        checked(&sealed(&blocks)).unwrap_err()
    };
    refused(&|header| header.claim.winner = Color::Black);
    refused(&|header| header.claim.to_move = Color::White);
    refused(&|header| header.first = Some("a1a2".into()));
    refused(&|header| header.leaf_stones = 0);
    refused(&|header| header.leaf_stones = 4);
    refused(&|header| header.leaf_stones = u32::MAX);
    refused(&|header| header.claim.variant = Variant::Cannibal);
    refused(&|header| header.claim.variant = Variant::Solitaire);
    let missing = refused(&|header| header.claim.setup = "xoxo|oxoo|xoxo".parse().unwrap());
    assert!(matches!(missing, Refusal::Missing(_)), "{missing}");
    let first = refused(&|header| {
        header.claim.winner = Color::Black;
        header.first = Some("a1b2".into());
    });
    assert!(matches!(first, Refusal::FirstMove), "{first}");
}

#[test]
fn a_missing_block_of_nodes_is_refused() {
    let file = proof(BOARD, Color::Black);
    let honest = blocks(&file);
    let nodes = honest.iter().filter(|block| block.kind == Kind::Nodes);
    assert!(nodes.count() > 3);
    for index in (1..honest.len()).filter(|&index| honest[index].kind == Kind::Nodes) {
        let mut blocks = honest.clone();
        blocks.remove(index);
        let refusal = checked(&sealed(&blocks)).unwrap_err();
        assert!(matches!(refusal, Refusal::Missing(_)), "{refusal}");
    }
}

#[test]
fn a_missing_block_is_found_in_whichever_pass() {
    let (mut oracle, claim) = claim("xoxo|oxox|xoxo|oxox", Color::Black);
    let options = WriteOptions {
        lemma_stones: 0,
        ..OPTIONS
    };
    let mut file = Vec::new();
    write(
        &mut file,
        &claim,
        &mut oracle,
        &options,
        &Budget::unlimited(),
        &Unwatched,
    )
    .unwrap();
    let honest = blocks(&file);
    for threads in [1, 2] {
        let options = CheckOptions {
            memory: 5000,
            threads,
            ..CheckOptions::default()
        };
        let checked = |file: &[u8]| {
            check(
                Cursor::new(file),
                &options,
                &Budget::unlimited(),
                &Unwatched,
            )
        };
        assert!(checked(&file).unwrap().passes > 5);
        for index in (1..honest.len()).step_by(7) {
            let mut blocks = honest.clone();
            blocks.remove(index);
            let refusal = checked(&sealed(&blocks)).unwrap_err();
            assert!(matches!(refusal, Refusal::Missing(_)), "{refusal}");
        }
    }
}

#[test]
fn the_order_of_blocks_of_nodes_and_extra_nodes_do_not_matter() {
    let file = proof(BOARD, Color::Black);
    let mut blocks = blocks(&file);
    blocks.swap(1, 2);
    blocks.insert(1, blocks[2].clone());
    assert!(checked(&sealed(&blocks)).is_ok());
}

/// A block of one lemma.
fn lemma(piece: &str, equal: &[&str]) -> Block {
    let arena = Arena::on_grids(false);
    let piece_of = |text: &&str| arena.sum(&text.parse().unwrap()).pieces()[0];
    let equal: Vec<Piece> = equal.iter().map(piece_of).collect();
    let (mut encoder, mut model) = (Encoder::new(), Model::new());
    model.piece(&mut encoder, &arena, Some(&piece_of(&piece)));
    model.sum(&mut encoder, &arena, &equal);
    Block {
        kind: Kind::Lemmas,
        count: 1,
        content: encoder.finish(),
    }
}

#[test]
fn false_and_circular_lemmas_are_refused() {
    let verdict = |lemmas: Vec<Block>| {
        let (mut oracle, claim) = claim("xo|ox", Color::Black);
        let mut blocks = blocks(&written(&claim, &mut oracle));
        blocks.retain(|block| block.kind == Kind::Header);
        let mut header = Header::read(&blocks[0]).unwrap();
        header.leaf_stones = 4;
        blocks[0] = header.block();
        blocks.extend(lemmas);
        checked(&sealed(&blocks)).map(|checked| checked.lemmas)
    };
    // xo is *, and so is xo|ox; xoo is not; xoxoxo is 0, and xoxo is not.
    assert_eq!(verdict(vec![]).unwrap(), 0);
    assert_eq!(verdict(vec![lemma("xo|ox", &["xo"])]).unwrap(), 1);
    for (piece, equal) in [
        ("xo", &[][..]),
        ("xoo", &["xo"]),
        ("xo|ox", &[]),
        ("xoxo", &[]),
    ] {
        let refusal = verdict(vec![lemma(piece, equal)]).unwrap_err();
        assert!(matches!(refusal, Refusal::FalseLemma(_)), "{refusal}");
    }
    let itself = verdict(vec![lemma("xo", &["xo"])]).unwrap_err();
    assert!(matches!(itself, Refusal::LemmaOrder(_)), "{itself}");
    let larger = verdict(vec![lemma("xo", &["xoo"])]).unwrap_err();
    assert!(matches!(larger, Refusal::LemmaOrder(_)), "{larger}");
    let (small, large) = (lemma("xo|ox", &["xo"]), lemma("xoxoxo", &[]));
    assert_eq!(verdict(vec![small.clone(), large.clone()]).unwrap(), 2);
    let order = verdict(vec![large, small]).unwrap_err();
    assert!(matches!(order, Refusal::LemmaOrder(_)), "{order}");
}

/// An oracle that says anything.
struct Liar(Random);

impl Oracle for Liar {
    fn simpler(&mut self, piece: &Piece) -> Option<Vec<Piece>> {
        // The writer finds out.
        let smaller = Arena::on_grids(false).pieces(1, 2, 1, 2);
        (self.0.below(2) == 0 && piece.len() > 2).then_some(smaller)
    }

    fn lost(&mut self, _: Color, sums: &[Sum]) -> Option<usize> {
        Some(self.0.below(sums.len() as u32) as usize)
    }
}

#[test]
fn what_is_false_cannot_be_proved() {
    let (mut plain, _) = claim("xo", Color::Black);
    let mut proofs = [0, 0];
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let grid: Grid = ["2x3", "3x3", "2x4", "1x8"][random.below(4) as usize]
            .parse()
            .unwrap();
        let setup = clobber::random_stones(grid, 2, 0.9, &mut random);
        let to_move = Color::ALL[random.below(2) as usize];
        let truth = plain.claim(Variant::Clobber, setup, to_move);
        for winner in [Color::Black, Color::White] {
            let claim = Claim {
                winner,
                ..truth.clone()
            };
            let mut file = Vec::new();
            let mut liar = Liar(random.clone());
            let result = write(
                &mut file,
                &claim,
                &mut liar,
                &OPTIONS,
                &Budget::unlimited(),
                &Unwatched,
            );
            if result.is_ok() && checked(&file).is_ok() {
                assert_eq!(claim, truth);
                proofs[0] += 1;
            } else {
                proofs[1] += 1;
            }
        }
    }
    assert!(proofs[0] > 50 && proofs[1] > 250, "{proofs:?}");
}

proptest! {
    /// A change of the content may happen to make another correct proof, but of the same.
    #[test]
    fn changed_content_with_right_checksums_proves_nothing_else(
        block in any::<prop::sample::Index>(),
        bytes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        thread_local! {
            static FILE: Vec<u8> = proof(BOARD, Color::White);
        }
        let (_, truth) = claim(BOARD, Color::White);
        let mut blocks = FILE.with(|file| blocks(file));
        let content = &mut block.get_mut(&mut blocks).content;
        for (place, byte) in bytes {
            *place.get_mut(content) = byte;
        }
        if let Ok(checked) = checked(&sealed(&blocks)) {
            prop_assert_eq!(checked.claim, AnyClaim::Clobber(truth));
        }
    }

    #[test]
    fn any_content_is_checked_or_refused(
        kinds in prop::collection::vec(
            (any::<bool>(), 0u32..300, prop::collection::vec(any::<u8>(), 0..200)), 1..4),
    ) {
        let file = proof("xoxo|oxox", Color::White);
        let mut blocks = blocks(&file)[..1].to_vec();
        blocks.extend(kinds.into_iter().map(|(nodes, count, content)| Block {
            kind: if nodes { Kind::Nodes } else { Kind::Lemmas },
            count,
            content,
        }));
        prop_assert!(checked(&sealed(&blocks)).is_err());
    }

    #[test]
    fn any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(checked(&bytes).is_err());
        prop_assert!(checked(&[&MAGIC[..], &bytes].concat()).is_err());
    }
}
