//! Othello: proofs written with plain search are accepted, whatever the board, the bounds and the
//! options, and claim what the rules say.

use std::collections::HashMap;
use std::fs;

use upstar_games::othello::{Opening, start};
use upstar_games::{Cells, Color, Game, Grid, Othello, Position, Random, Rules};
use upstar_jobs::{Budget, Unwatched};
use upstar_proof::othello::{Claim, Plain, WriteOptions, write, write_file};
use upstar_proof::{AnyClaim, CheckOptions, Refusal, WriteError, check_file};

use crate::checked;

fn options(leaf_empties: u32) -> WriteOptions {
    WriteOptions {
        leaf_empties,
        block_nodes: 100,
    }
}

fn written(claim: &Claim, leaf_empties: u32) -> Result<Vec<u8>, WriteError> {
    let mut oracle = Plain::new(claim).unwrap();
    let mut file = Vec::new();
    let options = options(leaf_empties);
    let written = write(
        &mut file,
        claim,
        &mut oracle,
        &options,
        &Budget::unlimited(),
        &Unwatched,
    )?;
    assert_eq!(written.bytes, file.len() as u64);
    Ok(file)
}

/// A claim whose bounds are both this score for Black.
fn exactly(rules: &Othello<u64>, position: &Position<u64>, score: i32) -> Claim {
    Claim {
        setup: rules.setup(position),
        to_move: position.to_move,
        empties_to_winner: false,
        at_least: Some(score),
        at_most: Some(score),
    }
}

/// Proves and checks a score, exactly and as a win, and fails to prove more.
fn prove(claim: &Claim, leaf_empties: u32) {
    let score = claim.at_least.unwrap();
    let bounds = |at_least, at_most| Claim {
        at_least,
        at_most,
        ..claim.clone()
    };
    let mut claims = vec![claim.clone()];
    if score != 0 {
        let (least, most) = ((score > 0).then_some(1), (score < 0).then_some(-1));
        claims.push(bounds(least, most));
    }
    for claim in &claims {
        let file = written(claim, leaf_empties).unwrap_or_else(|error| panic!("{error}"));
        let checked = checked(&file, &CheckOptions::default());
        let checked = checked.unwrap_or_else(|refusal| panic!("{claim:?}: {refusal}"));
        assert_eq!(checked.claim, AnyClaim::Othello(claim.clone()));
    }
    for wrong in [bounds(Some(score + 1), None), bounds(None, Some(score - 1))] {
        let written = written(&wrong, leaf_empties);
        let size = claim.setup.board.cells().len() as i32;
        if score.abs() == size {
            continue;
        }
        assert!(
            matches!(written, Err(WriteError::Unreached(..))),
            "{wrong:?}"
        );
    }
}

fn rules(size: &str) -> (Othello<u64>, Grid) {
    let grid: Grid = size.parse().unwrap();
    (Othello::new(grid), grid)
}

/// Scores as docs/othello.md has them, and as plain search found them for other openings.
#[test]
fn boards_are_proved() {
    for (size, opening, score) in [
        ("2x2", Opening::DIAGONAL, 0),
        ("2x6", Opening::DIAGONAL, 0),
        ("3x3", Opening::DIAGONAL, -9),
        ("3x4", Opening::DIAGONAL, 12),
        ("3x7", Opening::DIAGONAL, 21),
        ("4x4", Opening::DIAGONAL, -8),
        ("4x5", Opening::DIAGONAL, 16),
        ("5x4", Opening::DIAGONAL, 16),
        ("4x6", Opening::DIAGONAL, 16),
    ] {
        let (rules, grid) = rules(size);
        let position = rules
            .position(&start(grid, opening).unwrap(), Color::Black)
            .unwrap();
        let claim = exactly(&rules, &position, score);
        for leaf in [0, 5, 10] {
            if leaf == 0 && grid.len() > 20 {
                continue;
            }
            prove(&claim, leaf);
        }
    }
}

/// The score for the side to move, by the trait's own words.
fn minimax(
    rules: &Othello<u64>,
    position: &Position<u64>,
    known: &mut HashMap<Position<u64>, i32>,
) -> i32 {
    if let Some(score) = rules.score(position) {
        return score;
    }
    if let Some(&score) = known.get(position) {
        return score;
    }
    let moves = rules.moves(position);
    let scores = moves.map(|mv| -minimax(rules, &rules.play_unchecked(position, mv), known));
    let score = scores.max().unwrap();
    known.insert(*position, score);
    score
}

/// A position with this many empty cells from random play, if the game gets there.
fn late(
    rules: &Othello<u64>,
    grid: Grid,
    empties: u32,
    random: &mut Random,
) -> Option<Position<u64>> {
    let openings = [Opening::DIAGONAL, Opening::ANTI, Opening::PARALLEL];
    let opening = openings[random.below(3) as usize];
    let mut position = rules
        .position(&start(grid, opening).unwrap(), Color::Black)
        .unwrap();
    while grid.cells().len() - position.occupied().len() > empties {
        let moves: Vec<_> = rules.moves(&position).collect();
        if moves.is_empty() {
            return None;
        }
        position =
            rules.play_unchecked(&position, moves[random.below(moves.len() as u32) as usize]);
    }
    Some(position)
}

#[test]
fn late_positions_are_proved() {
    let mut random = Random::new(5);
    // Positions with White to move, forced passes at once, draws.
    let mut seen = [0; 3];
    for round in 0..160 {
        let (rules, grid) = rules(["6x6", "8x8", "5x7", "7x5"][round % 4]);
        let empties = 3 + random.below(6);
        let Some(mut position) = late(&rules, grid, empties, &mut random) else {
            continue;
        };
        if round % 3 == 0 {
            // The same discs with the other side to move, where some must pass.
            position = Position {
                own: position.opponent,
                opponent: position.own,
                to_move: !position.to_move,
            };
        }
        let score = minimax(&rules, &position, &mut HashMap::new());
        let score = position.to_move.sign() * score;
        seen[0] += u32::from(position.to_move == Color::White);
        seen[1] += u32::from(rules.placements(&position) == 0);
        seen[2] += u32::from(score == 0);
        let claim = exactly(&rules, &position, score);
        prove(&claim, [0, 3, 12][round % 3]);
        let counted = Claim {
            empties_to_winner: true,
            ..claim
        };
        let score = Plain::new(&counted).unwrap().score(&position);
        let score = position.to_move.sign() * score;
        let counted = Claim {
            at_least: Some(score),
            at_most: Some(score),
            ..counted
        };
        prove(&counted, 2);
    }
    assert!(seen[0] > 40 && seen[1] > 5 && seen[2] > 2, "{seen:?}");
}

#[test]
fn holes_and_odd_shapes_are_proved() {
    for text in [
        "#...|.ox.|.xo.|...#",
        "xo......",
        "x",
        "..|..",
        "ooox.|xxxx.|.....",
    ] {
        for to_move in [Color::Black, Color::White] {
            let mut claim = Claim {
                setup: text.parse().unwrap(),
                to_move,
                empties_to_winner: false,
                at_least: None,
                at_most: None,
            };
            let upstar_games::Board::Grid(grid) = claim.setup.board else {
                unreachable!("all are grids")
            };
            let rules = Othello::<u64>::new(grid);
            let position = rules.position(&claim.setup, to_move).unwrap();
            let score = minimax(&rules, &position, &mut HashMap::new());
            let score = if to_move == Color::Black {
                score
            } else {
                -score
            };
            (claim.at_least, claim.at_most) = (Some(score), Some(score));
            prove(&claim, 0);
            prove(&claim, 4);
        }
    }
}

/// A file of version 1 stays a proof.
#[test]
fn a_proof_of_old_is_accepted() {
    let file = include_bytes!("../data/othello-4x4.proof");
    let checked = checked(file, &CheckOptions::default()).unwrap();
    let AnyClaim::Othello(claim) = checked.claim else {
        panic!("a proof of Othello")
    };
    assert_eq!((claim.at_least, claim.at_most), (Some(-8), Some(-8)));
    assert!(checked.nodes > 20 && checked.first.is_some());
}

#[test]
fn memory_and_threads_change_the_way_and_not_the_result() {
    let (rules, grid) = rules("4x5");
    let position = rules
        .position(&start(grid, Opening::DIAGONAL).unwrap(), Color::Black)
        .unwrap();
    let file = written(&exactly(&rules, &position, 16), 2).unwrap();
    let with = |memory, threads| {
        let options = CheckOptions {
            memory,
            threads,
            ..CheckOptions::default()
        };
        checked(&file, &options).unwrap()
    };
    let plain = with(1 << 20, 1);
    assert!(plain.nodes > 300, "{}", plain.nodes);
    for (memory, threads) in [(1 << 20, 3), (4096, 1), (4096, 2)] {
        let found = with(memory, threads);
        assert_eq!((plain.passes, found.passes > 1), (1, memory == 4096));
        assert_eq!(
            (found.nodes, found.leaves, &found.first),
            (plain.nodes, plain.leaves, &plain.first)
        );
    }
}

#[test]
fn a_first_move_is_one_that_reaches_the_score() {
    let (rules, grid) = rules("4x5");
    let position = rules
        .position(&start(grid, Opening::DIAGONAL).unwrap(), Color::Black)
        .unwrap();
    let file = written(&exactly(&rules, &position, 16), 6).unwrap();
    let first = checked(&file, &CheckOptions::default()).unwrap().first;
    let mv = rules.move_named(&first.unwrap()).unwrap();
    let after = rules.play(&position, mv).unwrap();
    let claim = exactly(&rules, &after, 16);
    prove(&claim, 6);
}

#[test]
fn files_appear_complete_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("4x4.proof");
    let (rules, grid) = rules("4x4");
    let position = rules
        .position(&start(grid, Opening::DIAGONAL).unwrap(), Color::Black)
        .unwrap();
    let claim = exactly(&rules, &position, -8);
    let mut oracle = Plain::new(&claim).unwrap();
    let options = options(4);
    let stopped = write_file(
        &path,
        &claim,
        &mut oracle,
        &options,
        &stopped_budget(),
        &Unwatched,
    );
    assert!(matches!(stopped, Err(WriteError::Stopped)));
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
    assert!(
        check_file(
            &path,
            &CheckOptions::default(),
            &Budget::unlimited(),
            &Unwatched
        )
        .is_ok()
    );
    let stopped = check_file(
        &path,
        &CheckOptions::default(),
        &stopped_budget(),
        &Unwatched,
    );
    assert!(matches!(stopped, Err(Refusal::Stopped)));
}

#[test]
fn what_is_no_claim_is_not_written() {
    let (rules, grid) = rules("4x4");
    let position = rules
        .position(&start(grid, Opening::DIAGONAL).unwrap(), Color::Black)
        .unwrap();
    let claim = exactly(&rules, &position, -8);
    let mut oracle = Plain::new(&claim).unwrap();
    let large = "9x9".parse().unwrap();
    for wrong in [
        Claim {
            at_least: None,
            at_most: None,
            ..claim.clone()
        },
        Claim {
            at_most: Some(17),
            ..claim.clone()
        },
        Claim {
            setup: start(large, Opening::DIAGONAL).unwrap(),
            ..claim.clone()
        },
    ] {
        let written = write(
            Vec::new(),
            &wrong,
            &mut oracle,
            &options(4),
            &Budget::unlimited(),
            &Unwatched,
        );
        assert!(matches!(written, Err(WriteError::NotOthello)), "{wrong:?}");
    }
}

/// A budget that is spent from the beginning.
fn stopped_budget() -> Budget {
    let budget = Budget::unlimited();
    budget.cancel();
    budget
}
