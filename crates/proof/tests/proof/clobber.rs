//! Clobber: proofs written with plain search are accepted, whatever the board, the variant and the options.

use std::fs;

use upstar_games::{Color, Setup, Start, Variant, clobber};
use upstar_jobs::{Budget, Unwatched};
use upstar_proof::clobber::{Arena, Claim, Plain, WriteOptions, write, write_file};
use upstar_proof::{AnyClaim, CheckOptions, Checked, Refusal, WriteError, check_file};

use crate::checked;

fn options(leaf_stones: u32, lemma_stones: u32) -> WriteOptions {
    WriteOptions {
        leaf_stones,
        lemma_stones,
        block_nodes: 100,
        ..WriteOptions::default()
    }
}

fn setup(text: &str) -> Setup {
    match text.parse().unwrap() {
        Start::Size(grid) => clobber::checkerboard(grid),
        Start::Given(setup) => setup,
        Start::Random { .. } => unreachable!("no test is random"),
    }
}

fn prove(variant: Variant, text: &str, to_move: Color, options: &WriteOptions) -> (Claim, Vec<u8>) {
    let setup = setup(text);
    let mut oracle = Plain::new(Arena::new(variant, &setup.board).unwrap());
    let claim = oracle.claim(variant, setup, to_move);
    let mut file = Vec::new();
    let written = write(
        &mut file,
        &claim,
        &mut oracle,
        options,
        &Budget::unlimited(),
        &Unwatched,
    );
    assert_eq!(written.unwrap().bytes, file.len() as u64);
    (claim, file)
}

fn proved(checked: &Checked) -> &Claim {
    match &checked.claim {
        AnyClaim::Clobber(claim) => claim,
        AnyClaim::Othello(_) => panic!("a proof of Clobber"),
    }
}

#[test]
fn proofs_of_many_boards_are_accepted() {
    for text in [
        "xo",
        ".",
        "xx.o",
        "2x2",
        "2x3",
        "3x3",
        "2x5",
        "3x4",
        "1x11",
        "xo#x|ox.o|x##x|oxox",
        "xxoo|xoxo|o.xx",
        "a=x,b=o,c=x,d=o,e=x,a-b,b-c,c-d,d-e,e-a,a-c",
        "1=x,2=o,3=o,4=x,5=x,6=o,7=x,8=o,1-2,2-3,3-4,4-1,5-6,6-7,7-8,8-5,1-5,2-6,3-7,4-8",
    ] {
        for variant in [Variant::Clobber, Variant::Cannibal] {
            for to_move in [Color::Black, Color::White] {
                for (leaf, lemma) in [(0, 0), (3, 4), (6, 0)] {
                    if variant == Variant::Cannibal && text == "3x4" && leaf == 0 {
                        continue;
                    }
                    let (claim, file) = prove(variant, text, to_move, &options(leaf, lemma));
                    let checked = checked(&file, &CheckOptions::default());
                    let checked = checked.unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
                    assert_eq!(proved(&checked), &claim, "{text}");
                    assert_eq!(checked.first.is_some(), claim.winner == to_move, "{text}");
                }
            }
        }
    }
}

#[test]
fn pieces_of_more_than_64_cells_are_proved() {
    let row = format!("{}o", "x".repeat(79));
    let mut rectangle = vec!["x".repeat(16); 8];
    rectangle[0].replace_range(0..1, "o");
    rectangle[7].replace_range(14..15, "o");
    for text in [row, rectangle.join("|")] {
        for to_move in [Color::Black, Color::White] {
            let (claim, file) = prove(Variant::Clobber, &text, to_move, &options(6, 2));
            let checked = checked(&file, &CheckOptions::default()).unwrap();
            assert_eq!(proved(&checked), &claim);
        }
    }
}

/// A file of version 1 stays a proof.
#[test]
fn a_proof_of_old_is_accepted() {
    let file = include_bytes!("../data/3x4.proof");
    let checked = checked(file, &CheckOptions::default()).unwrap();
    assert_eq!(proved(&checked).setup, setup("3x4"));
    assert_eq!(proved(&checked).winner, Color::White);
    assert!(checked.nodes > 50 && checked.lemmas > 10);
}

#[test]
fn known_winners_are_proved() {
    // As plain search found them; among alternating rows that of six is the exception.
    for (text, first_wins) in [
        ("1x4", true),
        ("1x6", false),
        ("1x8", true),
        ("3x4", false),
        ("4x4", true),
    ] {
        let (claim, file) = prove(Variant::Clobber, text, Color::Black, &options(6, 5));
        let checked = checked(&file, &CheckOptions::default()).unwrap();
        assert_eq!(
            proved(&checked).winner == Color::Black,
            first_wins,
            "{text}"
        );
        assert_eq!(proved(&checked), &claim);
    }
}

#[test]
fn memory_and_threads_change_the_way_and_not_the_result() {
    let with = |file: &[u8], memory, threads| {
        let options = CheckOptions {
            memory,
            threads,
            ..CheckOptions::default()
        };
        checked(file, &options)
    };
    for (lemma_stones, memory, threads) in [(5, 1 << 20, 3), (0, 8000, 1), (0, 8000, 2)] {
        let options = options(4, lemma_stones);
        let (_, file) = prove(Variant::Clobber, "4x4", Color::White, &options);
        let plain = with(&file, 1 << 20, 1).unwrap();
        let found = with(&file, memory, threads).unwrap();
        assert_eq!((plain.passes, found.passes > 1), (1, memory == 8000));
        assert_eq!(
            (found.nodes, found.lemmas, found.leaves),
            (plain.nodes, plain.lemmas, plain.leaves)
        );
        if plain.lemmas > 64 {
            assert!(matches!(with(&file, 8000, 1), Err(Refusal::ManyLemmas(_))));
        }
    }
}

#[test]
fn a_search_beyond_the_limit_is_refused() {
    let (_, file) = prove(Variant::Clobber, "4x4", Color::White, &options(10, 0));
    let options = CheckOptions {
        effort: 20,
        ..CheckOptions::default()
    };
    assert!(matches!(checked(&file, &options), Err(Refusal::TooHard(_))));
}

#[test]
fn files_appear_complete_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("3x4.proof");
    let setup = setup("3x4");
    let arena = Arena::new(Variant::Clobber, &setup.board).unwrap();
    let mut oracle = Plain::new(arena);
    let claim = oracle.claim(Variant::Clobber, setup, Color::Black);
    let options = options(3, 3);

    let stopped = write_file(
        &path,
        &claim,
        &mut oracle,
        &options,
        &stopped_budget(),
        &Unwatched,
    );
    assert!(matches!(stopped, Err(WriteError::Stopped)));
    let false_claim = Claim {
        winner: !claim.winner,
        ..claim.clone()
    };
    let silent = write_file(
        &path,
        &false_claim,
        &mut oracle,
        &options,
        &Budget::unlimited(),
        &Unwatched,
    );
    assert!(matches!(silent, Err(WriteError::Silent(..))));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);

    write_file(
        &path,
        &claim,
        &mut oracle,
        &options,
        &Budget::unlimited(),
        &Unwatched,
    )
    .unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let checked = check_file(
        &path,
        &CheckOptions::default(),
        &Budget::unlimited(),
        &Unwatched,
    );
    assert_eq!(proved(&checked.unwrap()), &claim);
    let stopped = check_file(
        &path,
        &CheckOptions::default(),
        &stopped_budget(),
        &Unwatched,
    );
    assert!(matches!(stopped, Err(Refusal::Stopped)));
}

#[test]
fn other_games_are_not_proved() {
    let mut oracle = Plain::new(Arena::on_grids(false));
    let claim = Claim {
        variant: Variant::Solitaire,
        setup: setup("2x2"),
        to_move: Color::Black,
        winner: Color::Black,
    };
    let result = write(
        Vec::new(),
        &claim,
        &mut oracle,
        &WriteOptions::default(),
        &Budget::unlimited(),
        &Unwatched,
    );
    assert!(matches!(result, Err(WriteError::NotClobber)));
}

/// A budget that is spent from the beginning.
fn stopped_budget() -> Budget {
    let budget = Budget::unlimited();
    budget.cancel();
    budget
}
