//! The Othello solver against known results, brute force, and its limits.
//!
//! Slow proofs are ignored and named by the time that one thread takes in the release profile.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use upstar_games::othello::{Arrangement, Middle, Move, Opening, Reversi, start};
use upstar_games::{Cells, Color, Game, Grid, Othello, Position, Random, Rules, random_move};
use upstar_solve::othello::{
    Effort, FitConfig, FitError, Midgame, Recipe, Solver, bench, fit, plain, weights,
};
use upstar_solve::{Answer, Budget, Finding, Outcome, Question, Unwatched, Watch};

const MEGABYTE: usize = 1 << 20;

fn board(size: &str) -> (Grid, Othello<u64>) {
    let grid: Grid = size.parse().expect("a size");
    (grid, Othello::new(grid))
}

fn first(size: &str, opening: Opening) -> (Othello<u64>, Position<u64>) {
    let (grid, game) = board(size);
    let setup = start(grid, opening).expect("a board with a middle");
    let position = game.position(&setup, Color::Black).unwrap();
    (game, position)
}

fn solve(size: &str, opening: Opening, question: Question) -> Answer<Move> {
    let (game, position) = first(size, opening);
    let solver = Solver::new(&game, 256 * MEGABYTE, 1).expect("memory");
    let solved = solver.solve(&position, question, &Budget::unlimited(), &Unwatched);
    check_line(&game, &position, &solved);
    solved
}

/// The line is play by the rules to the end of the game, and reaches the score.
fn check_line<G: Game<Move = Move>>(game: &G, position: &G::Position, solved: &Answer<Move>) {
    let end = solved.line.iter().fold(*position, |position, &mv| {
        game.play(&position, mv).expect("a legal move")
    });
    let score = game.score(&end).expect("the end of the game");
    let black = if game.to_move(&end) == Color::Black {
        score
    } else {
        -score
    };
    if let Some(expected) = solved.score {
        assert_eq!(black, expected);
    }
    let mover = if game.to_move(position) == Color::Black {
        black
    } else {
        -black
    };
    assert_eq!(solved.outcome, Some(outcome(mover)));
    assert_eq!(solved.best, solved.line.first().copied());
}

fn outcome(score: i32) -> Outcome {
    match score {
        1.. => Outcome::Win,
        0 => Outcome::Draw,
        _ => Outcome::Loss,
    }
}

fn check_score(size: &str, opening: Opening, score: i32) {
    assert_eq!(
        solve(size, opening, Question::Score).score,
        Some(score),
        "{size}"
    );
    let solved = solve(size, opening, Question::Winner);
    assert_eq!(solved.outcome, Some(outcome(score)), "{size}");
}

/// Results known from several programs; 4×4 to 5×6 also from cammel2015, table 1.
#[test]
fn scores_of_small_boards() {
    for cols in 2..=8 {
        check_score(&format!("2x{cols}"), Opening::DIAGONAL, 0);
        check_score(&format!("{cols}x2"), Opening::DIAGONAL, 0);
    }
    check_score("3x3", Opening::DIAGONAL, -9);
    check_score("3x3", Opening::ANTI, 9);
    for cols in 4..=9 {
        check_score(&format!("3x{cols}"), Opening::DIAGONAL, 3 * cols);
    }
    check_score("4x4", Opening::DIAGONAL, -8);
    check_score("4x5", Opening::DIAGONAL, 16);
    check_score("5x4", Opening::DIAGONAL, 16);
    check_score("4x6", Opening::DIAGONAL, 16);
    check_score("4x7", Opening::DIAGONAL, 24);
    check_score("5x5", Opening::DIAGONAL, 13);
    check_score("5x5", Opening::ANTI, 20);
}

/// Who has a corner of 3x3 at the start wins (cammel2015, section 3.3). The
/// start to the right of an odd middle is a mirror image of `anti` to the left of it.
#[test]
fn the_middle_of_odd_boards_decides() {
    for (size, arrangement, scores) in [
        ("3x3", Arrangement::Diagonal, [-9, 9, 9, -9]),
        ("3x3", Arrangement::Anti, [9, -9, -9, 9]),
        ("4x4", Arrangement::Diagonal, [-8; 4]),
        ("4x5", Arrangement::Diagonal, [16; 4]),
    ] {
        for (middle, score) in Middle::ALL.into_iter().zip(scores) {
            check_score(size, Opening::new(arrangement, middle), score);
        }
    }
}

/// If a side is even, the start and `anti` are mirror images.
#[test]
fn anti_is_a_mirror_image_where_a_side_is_even() {
    for (size, score) in [
        ("3x4", 12),
        ("4x4", -8),
        ("4x5", 16),
        ("5x4", 16),
        ("4x6", 16),
    ] {
        check_score(size, Opening::ANTI, score);
    }
}

#[test]
fn scores_of_3x10_4x8_and_5x6() {
    check_score("3x10", Opening::DIAGONAL, 30);
    check_score("4x8", Opening::DIAGONAL, 29);
    check_score("5x6", Opening::DIAGONAL, 10);
}

#[test]
#[ignore = "0.2 minutes"]
fn score_of_5x7() {
    check_score("5x7", Opening::DIAGONAL, 25);
}

#[test]
#[ignore = "0.3 minutes"]
fn black_wins_5x8() {
    let solved = solve("5x8", Opening::DIAGONAL, Question::Winner);
    assert_eq!(solved.outcome, Some(Outcome::Win));
}

#[test]
#[ignore = "0.3 minutes"]
fn white_wins_6x6() {
    let solved = solve("6x6", Opening::DIAGONAL, Question::Winner);
    assert_eq!(solved.outcome, Some(Outcome::Loss));
}

/// J. Feinstein, Amenor wins world 6×6 championships, 1993.
#[test]
#[ignore = "1 minute"]
fn score_of_6x6() {
    assert_eq!(
        solve("6x6", Opening::DIAGONAL, Question::Score).score,
        Some(-4)
    );
}

/// Scores for the side to move, by brute force.
struct Brute<'a, G: Game> {
    game: &'a G,
    to_winner: bool,
    known: HashMap<G::Position, i32>,
}

impl<G: Game> Brute<'_, G> {
    fn score(&mut self, position: &G::Position) -> i32 {
        if let Some(&score) = self.known.get(position) {
            return score;
        }
        let score = match self.game.score(position) {
            Some(score) if self.to_winner => {
                let setup = self.game.setup(position);
                let discs = setup.occupied();
                score + score.signum() * (setup.board.cells() & !discs).len() as i32
            }
            Some(score) => score,
            None => {
                let next = |mv| self.game.play_unchecked(position, mv);
                let children: Vec<_> = self.game.moves(position).map(next).collect();
                let scores = children.iter().map(|child| -self.score(child));
                scores.max().expect("a game that is not over has moves")
            }
        };
        self.known.insert(*position, score);
        score
    }
}

/// A position of a random game with so many empty cells, or fewer if the game ended before.
fn random_position(
    game: &Othello<u64>,
    grid: Grid,
    opening: Opening,
    empties: u32,
    random: &mut Random,
) -> Position<u64> {
    let setup = start(grid, opening).expect("a middle");
    let mut position = game.position(&setup, Color::Black).unwrap();
    while (u64::from_wide(grid.cells()) & !position.occupied()).len() > empties
        && let Some(mv) = random_move(game, &position, random)
    {
        position = game.play_unchecked(&position, mv);
    }
    position
}

#[test]
fn brute_force_agrees_on_random_positions() {
    let sizes = [
        "3x3", "3x5", "4x4", "5x5", "4x7", "7x4", "5x7", "6x6", "5x8", "7x7", "8x8", "3x11",
        "2x20", "16x4", "7x9",
    ];
    let mut random = Random::new(1);
    let mut seen = [0; 3];
    for size in sizes {
        let (grid, game) = board(size);
        for to_winner in [false, true] {
            let solver = Solver::new(&game, MEGABYTE, 1).expect("memory");
            let solver = if to_winner {
                solver.with_empties_to_winner()
            } else {
                solver
            };
            for round in 0..24 {
                let opening = [Opening::DIAGONAL, Opening::ANTI, Opening::PARALLEL][round % 3];
                let position =
                    random_position(&game, grid, opening, 1 + round as u32 % 9, &mut random);
                let score = Brute {
                    game: &game,
                    to_winner,
                    known: HashMap::new(),
                }
                .score(&position);
                let shown = || format!("{} {}", game.setup(&position), position.to_move);
                let black = if position.to_move == Color::Black {
                    score
                } else {
                    -score
                };
                for question in [Question::Winner, Question::Score] {
                    let solved =
                        solver.solve(&position, question, &Budget::unlimited(), &Unwatched);
                    assert_eq!(solved.outcome, Some(outcome(score)), "{}", shown());
                    if question == Question::Score {
                        assert_eq!(solved.score, Some(black), "{}", shown());
                    }
                    if !to_winner {
                        check_line(&game, &position, &solved);
                    }
                }
                seen[outcome(score) as usize] += 1;
            }
        }
    }
    assert!(
        seen.iter().all(|&seen| seen > 10),
        "losses, draws and wins: {seen:?}"
    );
}

/// Discs anywhere, holes too, on boards that no game from the start reaches.
#[test]
fn brute_force_agrees_on_strange_boards() {
    let mut random = Random::new(2);
    for round in 0..120 {
        let size = ["1x12", "2x9", "3x6", "4x5", "5x5", "6x4"][round % 6];
        let grid: Grid = size.parse().expect("a size");
        let holes = u128::from(random.bits() & random.bits() & random.bits());
        let grid = grid.with_holes(holes);
        let game = Othello::<u64>::new(grid);
        let board = u64::from_wide(grid.cells());
        let mut empty = board;
        while empty.len() > 8 {
            empty &= random.bits() | random.bits() | random.bits();
        }
        let own = random.bits() & board & !empty;
        let opponent = board & !empty & !own;
        let position = Position {
            own,
            opponent,
            to_move: Color::White,
        };
        let score = Brute {
            game: &game,
            to_winner: false,
            known: HashMap::new(),
        }
        .score(&position);
        let solver = Solver::new(&game, 0, 1).expect("memory");
        let solved = solver.solve(&position, Question::Score, &Budget::unlimited(), &Unwatched);
        assert_eq!(solved.score, Some(-score), "{}", game.setup(&position));
        check_line(&game, &position, &solved);
    }
}

/// The larger half of the search, with table and ordering, against the plain search.
#[test]
fn plain_search_agrees_on_larger_positions() {
    let mut random = Random::new(3);
    for size in ["4x4", "4x5", "5x5", "3x7", "6x6", "8x8", "7x9"] {
        let (grid, game) = board(size);
        let solver = Solver::new(&game, MEGABYTE, 1).expect("memory");
        for _ in 0..6 {
            let position = random_position(&game, grid, Opening::DIAGONAL, 12, &mut random);
            let expected = plainly(
                &game,
                &position,
                Question::Score,
                8 * MEGABYTE,
                &Budget::unlimited(),
            );
            check_line(&game, &position, &expected);
            let solved = solver.solve(&position, Question::Score, &Budget::unlimited(), &Unwatched);
            assert_eq!(solved.score, expected.score, "{}", game.setup(&position));
            let solved = solver.solve(
                &position,
                Question::Winner,
                &Budget::unlimited(),
                &Unwatched,
            );
            assert_eq!(
                solved.outcome,
                expected.outcome,
                "{}",
                game.setup(&position)
            );
        }
    }
}

#[test]
fn threads_prove_the_same() {
    let (game, position) = first("5x5", Opening::DIAGONAL);
    for threads in 1..=4 {
        let solver = Solver::new(&game, 16 * MEGABYTE, threads).expect("memory");
        let solved = solver.solve(&position, Question::Score, &Budget::unlimited(), &Unwatched);
        assert_eq!(solved.score, Some(13), "{threads} threads");
        check_line(&game, &position, &solved);
    }
}

#[test]
fn hardly_any_memory_is_enough() {
    let (game, position) = first("4x5", Opening::DIAGONAL);
    let solver = Solver::new(&game, 0, 1).expect("memory");
    let solved = solver.solve(&position, Question::Score, &Budget::unlimited(), &Unwatched);
    assert_eq!(solved.score, Some(16));
}

#[test]
fn reversi_and_boards_beyond_64_cells_are_solved_plainly() {
    for size in ["3x3", "3x4", "4x3"] {
        let game = Reversi::<u64>::new(size.parse().expect("a size")).expect("a middle");
        let empty = upstar_games::Setup::new(size.parse::<Grid>().expect("a size"));
        let position = game.position(&empty, Color::Black).unwrap();
        let score = Brute {
            game: &game,
            to_winner: false,
            known: HashMap::new(),
        }
        .score(&position);
        for question in [Question::Winner, Question::Score] {
            let solved = plainly(&game, &position, question, MEGABYTE, &Budget::unlimited());
            assert_eq!(solved.outcome, Some(outcome(score)), "{size}");
            check_line(&game, &position, &solved);
        }
    }
    let grid: Grid = "2x40".parse().expect("a size");
    let game = Othello::<u128>::new(grid);
    let position = game
        .position(
            &start(grid, Opening::DIAGONAL).expect("a middle"),
            Color::Black,
        )
        .unwrap();
    let solved = plainly(
        &game,
        &position,
        Question::Score,
        MEGABYTE,
        &Budget::unlimited(),
    );
    assert_eq!(solved.score, Some(0));
}

/// The first twenty-five problems of the French federation's test, 14 to 19 empty cells.
#[test]
fn ffo_problems() {
    let mut right = 0;
    bench::run(
        &bench::problems(),
        1..=25,
        16 * MEGABYTE,
        1,
        &Budget::unlimited(),
        &mut |attempt| {
            assert_eq!(attempt.is_right(), Some(true), "#{}", attempt.number);
            right += 1;
        },
    )
    .expect("memory");
    assert_eq!(right, 25);
}

/// The six by which solvers compare themselves, 20 to 24 empty cells.
#[test]
#[ignore = "0.5 minutes"]
fn ffo_problems_40_to_45() {
    let mut nodes = 0;
    bench::run(
        &bench::problems(),
        40..=45,
        512 * MEGABYTE,
        1,
        &Budget::unlimited(),
        &mut |attempt| {
            assert_eq!(attempt.is_right(), Some(true), "#{}", attempt.number);
            nodes += attempt.answer.nodes;
        },
    )
    .expect("memory");
    assert!(nodes < 450_000_000, "{nodes}");
}

#[test]
fn what_is_not_proved_in_time_stays_open() {
    let (game, position) = first("8x8", Opening::DIAGONAL);
    for threads in [1, 2] {
        let solver = Solver::new(&game, 16 * MEGABYTE, threads).expect("memory");
        let begun = Instant::now();
        let budget = Budget::unlimited().with_time(Duration::from_millis(100));
        let solved = solver.solve(&position, Question::Winner, &budget, &Unwatched);
        assert!(
            begun.elapsed() < Duration::from_millis(1000),
            "{:?}",
            begun.elapsed()
        );
        assert_eq!(
            (solved.outcome, solved.best, solved.score),
            (None, None, None)
        );
        assert!(
            solved.bounds.unwrap().0 <= 0
                && solved.bounds.unwrap().1 >= 0
                && solved.line.is_empty()
        );

        let budget = Budget::unlimited().with_nodes(100_000);
        let solved = solver.solve(&position, Question::Score, &budget, &Unwatched);
        assert_eq!(solved.score, None);
        assert!(solved.nodes < 1_000_000, "{}", solved.nodes);

        let budget = Budget::unlimited();
        budget.stop_flag().store(true, Ordering::Relaxed);
        let solved = solver.solve(&position, Question::Score, &budget, &Unwatched);
        assert_eq!(solved.outcome, None);
    }
    let budget = Budget::unlimited().with_nodes(1000);
    let solved = plainly(&game, &position, Question::Winner, MEGABYTE, &budget);
    assert_eq!((solved.outcome, solved.nodes), (None, 1000));
}

fn plainly<G: Game<Move = Move> + Clone>(
    game: &G,
    position: &G::Position,
    question: Question,
    memory: usize,
    budget: &Budget,
) -> Answer<Move> {
    let mut solver = plain::Solver::new(game, false, memory).expect("memory");
    solver.solve(position, question, memory, budget)
}

#[derive(Default)]
struct Onlooker {
    most: AtomicU64,
    findings: Mutex<Vec<Finding>>,
}

impl Watch for Onlooker {
    fn above(&self, score: i32) {
        assert!((-25..25).contains(&score));
    }

    fn nodes(&self, nodes: u64) {
        self.most.fetch_max(nodes, Ordering::Relaxed);
    }

    fn least(&self) -> u64 {
        1000
    }

    fn found(&self, finding: Finding) {
        self.findings.lock().unwrap().push(finding);
    }
}

/// A search that goes on with what an earlier one has found comes to the same end sooner.
#[test]
fn progress_and_findings_are_told() {
    let (game, position) = first("5x5", Opening::DIAGONAL);
    let solve = |solver: &Solver, watch: &dyn Watch| {
        solver.solve(&position, Question::Score, &Budget::unlimited(), watch)
    };
    let solver = || Solver::new(&game, MEGABYTE, 1).expect("memory");
    let onlooker = Onlooker::default();
    let first = solve(&solver(), &onlooker);
    assert_eq!(onlooker.most.into_inner(), first.nodes);
    let mut findings = onlooker.findings.into_inner().unwrap();
    // The last one is the answer.
    findings.truncate(findings.len() / 2);
    let second = solver();
    second.remember(&position, &findings);
    let again = solve(&second, &Unwatched);
    assert_eq!(again.score, first.score);
    assert!(again.nodes < first.nodes * 2 / 3);
}

/// When the game is over, when one must pass, and when one side or both have no discs.
#[test]
fn small_ends() {
    let (_, game) = board("2x4");
    let ask = |text: &str, to_move: Color| {
        let position = game
            .position(&text.parse().expect("a position"), to_move)
            .unwrap();
        let solver = Solver::new(&game, 0, 1).expect("memory");
        let solved = solver.solve(&position, Question::Score, &Budget::unlimited(), &Unwatched);
        let line: Vec<String> = solved.line.iter().map(|&mv| game.move_name(mv)).collect();
        (solved.score, line.join(" "))
    };
    assert_eq!(ask("xxxo|....", Color::White), (Some(2), String::new()));
    assert_eq!(ask("xxx.|....", Color::Black), (Some(3), String::new()));
    assert_eq!(ask("....|....", Color::Black), (Some(0), String::new()));
    assert_eq!(ask("xoo.|....", Color::Black), (Some(4), "d1".to_owned()));
    assert_eq!(
        ask("xoo.|....", Color::White),
        (Some(4), "pass d1".to_owned())
    );
}

#[test]
fn weights_depend_on_nothing_but_the_recipe() {
    let recipe = Recipe {
        rounds: 2,
        games: 20_000,
        depth: 2,
        solved_from: 7,
        ..Recipe::default()
    };
    let grid: Grid = "5x5".parse().expect("a size");
    let config = FitConfig {
        boards: vec![grid],
        recipe,
    };
    let budget = Budget::unlimited();
    let mut told = Vec::new();
    let first = fit(grid, &recipe, 1, None, &budget, &mut |round| {
        told.push(round);
    });
    let first = weights::write(&[first.expect("patterns")]);
    let rounds: Vec<u32> = told.iter().map(|fitted| fitted.round).collect();
    assert_eq!(rounds, [1, 2]);
    assert!(told[1].positions > 10_000, "{}", told[1].positions);
    let (square, held_out) = told[1].errors[2];
    assert!(held_out > 100 && square < 100.0, "{square} of {held_out}");
    // By more threads, in a folder, and again from what is kept there.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run");
    let run = config.begin(&path).expect("a new folder");
    let kept = fit(grid, &recipe, 3, Some(&run), &budget, &mut |_| {});
    assert_eq!(weights::write(&[kept.expect("patterns")]), first);
    drop(run);
    let damaged = path.join("games-5x5-2-0.bin");
    let mut bytes = std::fs::read(&damaged).expect("a piece of games");
    bytes[20] ^= 1;
    std::fs::write(&damaged, bytes).expect("the same file");
    let (read, run) = FitConfig::open(&path).expect("the run");
    assert_eq!(read, config);
    let resumed = fit(grid, &recipe, 2, Some(&run), &budget, &mut |_| {});
    assert_eq!(weights::write(&[resumed.expect("patterns")]), first);
    let small = "2x5".parse().expect("a size");
    let small = fit(small, &recipe, 1, None, &budget, &mut |_| {});
    assert!(matches!(small, Err(FitError::NoPatterns(_))));
    budget.cancel();
    let stopped = fit(grid, &recipe, 1, None, &budget, &mut |_| {});
    assert!(matches!(stopped, Err(FitError::Stopped)));
}

/// Endings of 8×8 with 1 to 10 empty cells.
fn check_endings(count: u32) {
    let (grid, game) = board("8x8");
    let solver = Solver::new(&game, MEGABYTE, 1).expect("memory");
    let mut midgame = Midgame::new(&game, MEGABYTE).expect("memory");
    let mut random = Random::new(77);
    for round in 0..count {
        let empties = 1 + round % 10;
        let position = random_position(&game, grid, Opening::DIAGONAL, empties, &mut random);
        let score = Brute {
            game: &game,
            to_winner: false,
            known: HashMap::new(),
        }
        .score(&position);
        let budget = Budget::unlimited();
        let solved = solver.solve(&position, Question::Score, &budget, &Unwatched);
        assert_eq!(solved.score, Some(position.to_move.sign() * score));
        // Without cuts the engine's search to the end finds the same.
        let effort = Effort {
            level: Effort::SURE,
            ..Effort::plies(60)
        };
        let found = midgame.estimate(&position, effort, None, &budget);
        let found = found.expect("no limit");
        assert_eq!(found.discs, f64::from(score), "{}", game.setup(&position));
        if let Some(&mv) = found.line.first() {
            let next = game.play_unchecked(&position, mv);
            let mut brute = Brute {
                game: &game,
                to_winner: false,
                known: HashMap::new(),
            };
            assert_eq!(-brute.score(&next), score, "{}", game.setup(&position));
        }
    }
}

#[test]
fn endings_have_the_score_of_brute_force() {
    check_endings(100);
}

#[test]
#[ignore = "1 minute"]
fn two_thousand_endings_have_the_score_of_brute_force() {
    check_endings(2000);
}

/// A hard position is scouted by a selective search first, and proved all the same.
#[test]
fn scouted_positions_are_proved() {
    let (grid, game) = board("8x8");
    let mut random = Random::new(5);
    let position = random_position(&game, grid, Opening::DIAGONAL, 17, &mut random);
    let mut solver = Solver::new(&game, 16 * MEGABYTE, 1).expect("memory");
    let budget = Budget::unlimited();
    let alone = solver.solve(&position, Question::Score, &budget, &Unwatched);
    check_line(&game, &position, &alone);
    solver.use_threads(3);
    let together = solver.solve(&position, Question::Score, &budget, &Unwatched);
    assert_eq!(together.score, alone.score);
    // With few nodes it is not scouted.
    let solver = Solver::new(&game, 16 * MEGABYTE, 1).expect("memory");
    let budget = Budget::unlimited().with_nodes((1 << 22) - 1);
    let plain = solver.solve(&position, Question::Score, &budget, &Unwatched);
    assert!(plain.score.is_none_or(|score| Some(score) == alone.score));
}
