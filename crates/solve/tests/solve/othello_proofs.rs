//! Proof files of Othello, written by the solver and accepted by a checker that does not know it.

use std::path::Path;

use upstar_games::othello::{Opening, start};
use upstar_games::{Cells, Color, Grid, Othello, Position, Random, Rules};
use upstar_jobs::Budget;
use upstar_proof::othello::WriteOptions;
use upstar_proof::{AnyClaim, CheckOptions, WriteError, check_file};
use upstar_solve::othello::Solver;
use upstar_solve::{Question, Unwatched};

type Bounds = (Option<i32>, Option<i32>);

fn options(leaf_empties: u32) -> WriteOptions {
    WriteOptions {
        leaf_empties,
        ..WriteOptions::default()
    }
}

/// Writes and checks a proof; the number of nodes.
fn prove(
    solver: &Solver,
    position: &Position<u64>,
    bounds: Bounds,
    leaf_empties: u32,
    file: &Path,
) -> Result<u64, WriteError> {
    let (options, budget) = (options(leaf_empties), Budget::unlimited());
    let written = solver.prove(position, bounds, file, &options, &budget, &Unwatched)?;
    let checked = check_file(
        file,
        &CheckOptions::default(),
        &Budget::unlimited(),
        &Unwatched,
    );
    let checked = checked.unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(
        (checked.nodes, checked.bytes),
        (written.nodes, written.bytes)
    );
    let AnyClaim::Othello(claim) = checked.claim else {
        panic!("a proof of Othello")
    };
    assert_eq!((claim.at_least, claim.at_most), bounds);
    Ok(checked.nodes)
}

fn board(size: &str) -> (Othello<u64>, Grid) {
    let grid: Grid = size.parse().unwrap();
    (Othello::new(grid), grid)
}

/// Scores as docs/othello.md has them.
#[test]
fn boards_are_proved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proof");
    for (size, score, leaf) in [
        ("2x4", 0, 0),
        ("3x3", -9, 2),
        ("3x7", 21, 4),
        ("4x4", -8, 0),
        ("4x5", 16, 0),
        ("5x4", 16, 3),
        ("4x6", 16, 0),
        ("5x5", 13, 8),
        ("4x7", 24, 9),
        ("4x8", 29, 12),
        ("5x6", 10, 12),
    ] {
        let (rules, grid) = board(size);
        let position = rules
            .position(&start(grid, Opening::DIAGONAL).unwrap(), Color::Black)
            .unwrap();
        let solver = Solver::new(&rules, 64 << 20, 1).unwrap();
        let budget = Budget::unlimited();
        let solved = solver.solve(&position, Question::Score, &budget, &Unwatched);
        assert_eq!(solved.score, Some(score), "{size}");
        prove(&solver, &position, (Some(score), Some(score)), leaf, &file).unwrap();
        prove(&solver, &position, (None, Some(score)), leaf, &file).unwrap();
        if score.unsigned_abs() as usize == grid.len() {
            continue;
        }
        for wrong in [(Some(score + 1), None), (None, Some(score - 1))] {
            let written = prove(&solver, &position, wrong, leaf, &file);
            assert!(matches!(written, Err(WriteError::Unreached(..))), "{size}");
        }
    }
}

#[test]
#[ignore = "half a minute"]
fn white_wins_6x6() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proof");
    let (rules, grid) = board("6x6");
    let position = rules
        .position(&start(grid, Opening::DIAGONAL).unwrap(), Color::Black)
        .unwrap();
    let solver = Solver::new(&rules, 1 << 30, 1).unwrap();
    solver.solve(
        &position,
        Question::Winner,
        &Budget::unlimited(),
        &Unwatched,
    );
    let leaf = WriteOptions::default().leaf_empties;
    prove(&solver, &position, (None, Some(-1)), leaf, &file).unwrap();
    assert!(std::fs::metadata(&file).unwrap().len() < 100_000);
}

/// Without a search before, on a fresh table, with one too small, and with several threads.
#[test]
fn tables_change_the_way_and_not_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proof");
    let (rules, grid) = board("5x6");
    let position = rules
        .position(&start(grid, Opening::DIAGONAL).unwrap(), Color::Black)
        .unwrap();
    for (memory, threads, solve) in [
        (16 << 20, 1, false),
        (1 << 12, 1, true),
        (16 << 20, 2, true),
    ] {
        let solver = Solver::new(&rules, memory, threads).unwrap();
        if solve {
            solver.solve(
                &position,
                Question::Winner,
                &Budget::unlimited(),
                &Unwatched,
            );
        }
        assert!(prove(&solver, &position, (Some(1), None), 8, &file).unwrap() > 100);
    }
}

#[test]
fn late_positions_are_proved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proof");
    let mut random = Random::new(77);
    // Positions with White to move, forced passes at once, draws, many nodes.
    let mut seen = [0; 4];
    for round in 0..120 {
        let (rules, grid) = board(["6x6", "8x8"][round % 2]);
        let empties = 6 + random.below(9);
        let mut position = rules
            .position(&start(grid, Opening::DIAGONAL).unwrap(), Color::Black)
            .unwrap();
        while grid.cells().len() - position.occupied().len() > empties {
            let moves: Vec<_> = rules.moves(&position).collect();
            let Some(&mv) = moves.get(random.below(moves.len().max(1) as u32) as usize) else {
                break;
            };
            position = rules.play_unchecked(&position, mv);
        }
        if round % 3 == 0 {
            position = Position {
                own: position.opponent,
                opponent: position.own,
                to_move: !position.to_move,
            };
        }
        let mut solver = Solver::new(&rules, 1 << 20, 1).unwrap();
        if round % 5 == 0 {
            solver = solver.with_empties_to_winner();
        }
        let solved = solver.solve(&position, Question::Score, &Budget::unlimited(), &Unwatched);
        let score = solved.score.unwrap();
        seen[0] += u32::from(position.to_move == Color::White);
        seen[1] += u32::from(rules.placements(&position) == 0);
        seen[2] += u32::from(score == 0);
        let leaf = [0, 4, 8][round % 3];
        let bounds = (Some(score), Some(score));
        let nodes = prove(&solver, &position, bounds, leaf, &file).unwrap();
        seen[3] += u32::from(nodes > 1000);
    }
    assert!(seen.iter().all(|&count| count > 2), "{seen:?}");
}

#[test]
fn a_spent_budget_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proof");
    let (rules, grid) = board("6x6");
    let position = rules
        .position(&start(grid, Opening::DIAGONAL).unwrap(), Color::Black)
        .unwrap();
    let solver = Solver::new(&rules, 1 << 20, 1).unwrap();
    let budget = Budget::unlimited().with_nodes(10_000);
    let bounds = (None, Some(-1));
    let written = solver.prove(&position, bounds, &file, &options(12), &budget, &Unwatched);
    assert!(matches!(written, Err(WriteError::Stopped)));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
