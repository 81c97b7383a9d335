//! Proofs that are read: summaries, entries, and replies on the board.

use std::io::Cursor;

use proptest::prelude::*;
use upstar_games::othello::{Opening, start};
use upstar_games::{AnyGame, Color, Grid, Random, Setup, Variant, clobber};
use upstar_jobs::{Budget, Unwatched};
use upstar_proof::{CheckOptions, Entry, ProofFile, Refusal, Strategy as Replies, Summary};

/// Small leaves, so that small boards have many nodes and lemmas.
fn clobber_proof(variant: Variant, setup: &Setup, to_move: Color) -> Vec<u8> {
    use upstar_proof::clobber::{Arena, Plain, WriteOptions, write};
    let options = WriteOptions {
        leaf_stones: 2,
        lemma_stones: 6,
        ..WriteOptions::default()
    };
    let mut oracle = Plain::new(Arena::new(variant, &setup.board).unwrap());
    let claim = oracle.claim(variant, setup.clone(), to_move);
    let mut file = Vec::new();
    let budget = Budget::unlimited();
    write(
        &mut file,
        &claim,
        &mut oracle,
        &options,
        &budget,
        &Unwatched,
    )
    .unwrap();
    file
}

/// The score of 4×4 is −8.
fn othello_proof() -> Vec<u8> {
    use upstar_proof::othello::{Claim, Plain, WriteOptions, write};
    let claim = Claim {
        setup: start("4x4".parse().unwrap(), Opening::DIAGONAL).unwrap(),
        to_move: Color::Black,
        empties_to_winner: false,
        at_least: Some(-8),
        at_most: Some(-8),
    };
    let options = WriteOptions {
        leaf_empties: 3,
        ..WriteOptions::default()
    };
    let mut file = Vec::new();
    let mut oracle = Plain::new(&claim).unwrap();
    let budget = Budget::unlimited();
    write(
        &mut file,
        &claim,
        &mut oracle,
        &options,
        &budget,
        &Unwatched,
    )
    .unwrap();
    file
}

fn replies(file: &[u8], prover: Option<Color>) -> Result<Replies, Refusal> {
    let options = CheckOptions::default();
    let budget = Budget::unlimited();
    Replies::read(Cursor::new(file), prover, &options, &budget, &Unwatched)
}

/// Plays a game in which the other side plays at random; returns the end.
fn played(replies: &mut Replies, random: &mut Random) -> AnyGame {
    let mut game = replies.start();
    while !game.is_over() {
        let name = if game.side_to_move().letter() == replies.prover().letter() {
            replies.reply(&game).unwrap()
        } else {
            let legal = game.legal();
            legal[random.below(legal.len() as u32) as usize].clone()
        };
        game = game.play(&name).unwrap();
    }
    game
}

#[test]
fn replies_keep_a_win_of_clobber_whatever_is_played() {
    let random = &mut Random::new(7);
    for board in ["xoxo|oxox|xoxo", "xoxox|oxoxo|xoxox"] {
        let file = clobber_proof(Variant::Clobber, &board.parse().unwrap(), Color::Black);
        for _ in 0..60 {
            let mut replies = replies(&file, None).unwrap();
            let end = played(&mut replies, random);
            // Who cannot move loses.
            assert_ne!(
                end.side_to_move().letter(),
                replies.prover().letter(),
                "{board}"
            );
        }
    }
}

#[test]
fn replies_keep_a_score_of_othello_whatever_is_played() {
    let file = othello_proof();
    let random = &mut Random::new(3);
    for prover in [Color::Black, Color::White] {
        for _ in 0..40 {
            let mut replies = replies(&file, Some(prover)).unwrap();
            let end = played(&mut replies, random).setup();
            let discs = |color| end.stones(color).count_ones() as i32;
            let score = discs(Color::Black) - discs(Color::White);
            match prover {
                Color::Black => assert!(score >= -8, "{end}"),
                Color::White => assert!(score <= -8, "{end}"),
            }
        }
    }
}

#[test]
fn the_winner_of_an_exact_score_replies() {
    let prover = replies(&othello_proof(), None).unwrap().prover();
    assert_eq!(prover, Color::White);
}

#[test]
fn a_side_without_replies_is_refused() {
    let board: Setup = "xoxo|oxox|xoxo".parse().unwrap();
    let file = clobber_proof(Variant::Clobber, &board, Color::Black);
    let winner = replies(&file, None).unwrap().prover();
    let refused = replies(&file, Some(!winner)).err().unwrap();
    assert!(matches!(refused, Refusal::NoStrategy(_)), "{refused}");
}

fn summary(file: &[u8]) -> Summary {
    let budget = Budget::unlimited();
    let mut file = ProofFile::new(Cursor::new(file), &budget, &Unwatched).unwrap();
    file.summary(&budget, &Unwatched).unwrap()
}

#[test]
fn summaries_and_entries_agree_with_the_check() {
    let board: Setup = "xoxo|oxox|xoxo".parse().unwrap();
    for file in [
        clobber_proof(Variant::Clobber, &board, Color::Black),
        othello_proof(),
    ] {
        let summary = summary(&file);
        let budget = Budget::unlimited();
        let checked = replies(&file, None).unwrap().checked().clone();
        let (mut nodes, mut lemmas) = (0, 0);
        let mut opened = ProofFile::new(Cursor::new(&file), &budget, &Unwatched).unwrap();
        let mut each = |entry| match entry {
            Entry::Lemma { .. } => lemmas += 1,
            Entry::Node(node) => {
                nodes += 1;
                assert!(!node.lines.is_empty(), "{node:?}");
            }
        };
        opened.entries(&budget, &Unwatched, &mut each).unwrap();
        assert_eq!((nodes, lemmas), (checked.nodes, checked.lemmas));
        assert_eq!(summary.sizes.values().flatten().sum::<u64>(), nodes);
        assert_eq!(summary.lemmas, lemmas);
        assert_eq!(summary.claim, checked.claim);
    }
}

/// A short text used to be called a proof that ends too early.
#[test]
fn a_file_that_is_not_a_proof_is_called_that() {
    let budget = Budget::unlimited();
    let opened = |text: &[u8]| ProofFile::new(Cursor::new(text), &budget, &Unwatched).err();
    for text in [
        "",
        "hello",
        "hello\n",
        "a longer text, with more than a line\n",
    ] {
        let refused = opened(text.as_bytes()).unwrap();
        assert!(matches!(refused, Refusal::NoProof), "{text:?}: {refused}");
    }
    assert!(matches!(opened(b"upstar-pr"), Some(Refusal::Truncated)));
    assert!(matches!(
        opened(b"upstar-proof 2\n"),
        Some(Refusal::Version)
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Pieces that lemmas replaced, that cancelled, or that others may take: the board is not the sum.
    #[test]
    fn replies_win_on_any_board(
        size in (1usize..4, 2usize..5), density in 0.6..1.0, seed in any::<u64>(),
        cannibal in any::<bool>(), white in any::<bool>(),
    ) {
        let random = &mut Random::new(seed);
        let setup = clobber::random_stones(Grid::new(size.0, size.1).unwrap(), 2, density, random);
        let variant = if cannibal { Variant::Cannibal } else { Variant::Clobber };
        let stones = setup.stones(Color::Black).count_ones() + setup.stones(Color::White).count_ones();
        prop_assume!(stones <= if cannibal { 8 } else { 11 });
        let file = clobber_proof(variant, &setup, Color::ALL[usize::from(white)]);
        for _ in 0..8 {
            let mut replies = replies(&file, None).unwrap();
            let end = played(&mut replies, random);
            prop_assert_ne!(end.side_to_move().letter(), replies.prover().letter());
        }
    }
}
