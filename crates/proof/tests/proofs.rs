//! Proofs written with plain search are accepted, whatever the board, the variant and the options.

use std::fs;
use std::io::Cursor;
use std::ops::ControlFlow::{Break, Continue};

use upstar_games::{Color, Setup, Start, Variant, clobber};
use upstar_proof::{
    Arena, CheckOptions, Checked, Claim, Plain, Refusal, WriteError, WriteOptions, check,
    check_file, write, write_file,
};

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
    let written = write(&mut file, &claim, &mut oracle, options, &mut |_| {
        Continue(())
    });
    assert_eq!(written.unwrap().bytes, file.len() as u64);
    (claim, file)
}

fn checked(file: &[u8], options: &CheckOptions) -> Result<Checked, Refusal> {
    check(Cursor::new(file), options, &mut |_| Continue(()))
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
                    assert_eq!(checked.claim, claim, "{text}");
                    assert_eq!(checked.first.is_some(), claim.winner == to_move, "{text}");
                }
            }
        }
    }
}

#[test]
fn known_winners_are_proved() {
    // Second player wins 2x2 and 3x4; first player wins 1x4, 4x4 (Griebel and Uiterwijk 2016).
    for (text, first_wins) in [("2x2", false), ("3x4", false), ("1x4", true), ("4x4", true)] {
        let (claim, file) = prove(Variant::Clobber, text, Color::Black, &options(6, 5));
        let checked = checked(&file, &CheckOptions::default()).unwrap();
        assert_eq!(checked.claim.winner == Color::Black, first_wins, "{text}");
        assert_eq!(checked.claim, claim);
    }
}

#[test]
fn memory_and_threads_change_the_way_and_not_the_result() {
    let (_, file) = prove(Variant::Clobber, "4x4", Color::White, &options(5, 5));
    let plain = checked(&file, &CheckOptions::default()).unwrap();
    assert_eq!(plain.passes, 1);
    for (memory, threads) in [(20_000, 1), (1 << 30, 3), (40_000, 2)] {
        let options = CheckOptions {
            memory,
            threads,
            ..CheckOptions::default()
        };
        if plain.lemmas * 320 > memory {
            let refusal = checked(&file, &options).unwrap_err();
            assert!(matches!(refusal, Refusal::ManyLemmas(_)));
            continue;
        }
        let checked = checked(&file, &options).unwrap();
        assert_eq!(checked.passes > 1, memory < 1 << 20);
        assert_eq!(
            (checked.nodes, checked.lemmas, checked.leaves),
            (plain.nodes, plain.lemmas, plain.leaves)
        );
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

    let stopped = write_file(&path, &claim, &mut oracle, &options, &mut |_| Break(()));
    assert!(matches!(stopped, Err(WriteError::Stopped)));
    let false_claim = Claim {
        winner: !claim.winner,
        ..claim.clone()
    };
    let silent = write_file(&path, &false_claim, &mut oracle, &options, &mut |_| {
        Continue(())
    });
    assert!(matches!(silent, Err(WriteError::Silent(..))));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);

    write_file(&path, &claim, &mut oracle, &options, &mut |_| Continue(())).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let checked = check_file(&path, &CheckOptions::default(), &mut |_| Continue(()));
    assert_eq!(checked.unwrap().claim, claim);
    let stopped = check_file(&path, &CheckOptions::default(), &mut |_| Break(()));
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
        &mut |_| Continue(()),
    );
    assert!(matches!(result, Err(WriteError::NotClobber)));
}
