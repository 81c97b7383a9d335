//! Analyses, reviews and puzzles beside plain negamax.

use std::sync::Arc;
use std::time::Duration;

use upstar_agents::Resources;
use upstar_analysis::{
    Analyser, Analysis, AnalysisError, AnalysisLine, CheckedPuzzle, Grade, GradedMove, PlayedGame,
    ProvedResults, Puzzle, PuzzleCheck, PuzzleFault, PuzzleMaker, Review, Seen,
};
use upstar_games::{AnyGame, Color};
use upstar_jobs::{Budget, Unwatched};
use upstar_solve::{Algorithm, Outcome, Query, Solver, classic};

fn game(name: &str, position: &str) -> AnyGame {
    AnyGame::parse(name, position).unwrap()
}

fn analysed(analyser: &Analyser, game: &AnyGame, milliseconds: u64) -> Analysis {
    let budget = Budget::unlimited().with_time(Duration::from_millis(milliseconds));
    analyser.run(game, &budget, &mut |_| {}).unwrap()
}

/// The result of a position for the side to move, by negamax.
fn plainly(game: &AnyGame) -> Outcome {
    if let Some(result) = game.result() {
        return match result.winner() {
            Some(side) if side == game.side_to_move() => Outcome::Win,
            Some(_) => Outcome::Loss,
            None => Outcome::Draw,
        };
    }
    let query = Query {
        algorithm: Some(Algorithm::Classic(classic::Algorithm::Negamax)),
        ..Query::winner()
    };
    let budget = Budget::unlimited();
    let answer = Solver::default().solve(game, &query, &budget, &Unwatched);
    answer.unwrap().outcome.unwrap()
}

#[test]
fn small_positions_are_proved_as_negamax_proves_them() {
    for (name, position) in [
        ("clobber", "3x4"),
        ("clobber", "xo.ox|oxxo."),
        ("clobber:cannibal", "2x4"),
        ("clobber", "xoxo"),
        ("othello", "xxo.|ooxo|xoo.|xo.."),
        ("othello:reversi", "xxo.|ooxo|xoo.|xo.."),
    ] {
        let Ok(game) = AnyGame::parse(name, position) else {
            continue;
        };
        let analysis = analysed(&Analyser::default(), &game, 60_000);
        assert!(analysis.is_proved(), "{name} {position}");
        assert_eq!(analysis.moves.len(), game.legal().len());
        for graded in &analysis.moves {
            let next = game.play(&graded.mv).unwrap();
            let plain = plainly(&next).reversed();
            assert_eq!(
                graded.known.outcome,
                Some(plain),
                "{position} {}",
                graded.mv
            );
        }
        let best = analysis.moves[0].known.outcome;
        assert_eq!(best, Some(plainly(&game)), "{position}");
        assert_eq!(analysis.known.outcome, best);
        let scores = analysis.moves.iter().map(|graded| graded.known.score());
        assert!(scores.is_sorted_by(|a, b| a >= b), "{position}");
    }
}

#[test]
fn something_is_said_of_every_move_at_once() {
    for (name, position) in [
        ("clobber", "6x6"),
        ("clobber", "10x10"),
        ("clobber", "1x30"),
        ("clobber:cannibal", "8x8"),
        ("othello", "8x8"),
        ("othello", "10x10"),
        ("othello:reversi", "8x8"),
    ] {
        let game = game(name, position);
        let budget = Budget::unlimited();
        let mut first: Option<Analysis> = None;
        let told = &mut |analysis: &Analysis| {
            if first.is_none() {
                first = Some(analysis.clone());
            }
            budget.cancel();
        };
        let last = Analyser::default().run(&game, &budget, told).unwrap();
        for analysis in [first.unwrap(), last] {
            assert_eq!(analysis.moves.len(), game.legal().len());
            for graded in &analysis.moves {
                let known = &graded.known;
                assert!(known.grade() >= Grade::Estimated, "{name} {position}");
                assert!((0.0..=1.0).contains(&known.win().unwrap()));
                assert_eq!(graded.line[0], graded.mv);
                assert!(game.play_all(&graded.line).is_ok());
            }
        }
    }
}

#[test]
fn what_was_proved_stays_proved_and_no_estimate_hides_it() {
    let game = game("clobber", "4x5");
    let mut proved = std::collections::HashMap::new();
    let told = &mut |analysis: &Analysis| {
        for graded in &analysis.moves {
            if let Some(old) = proved.get(&graded.mv) {
                assert_eq!(graded.known.outcome, Some(*old));
            }
            if let Some(outcome) = graded.known.outcome {
                assert_eq!(graded.known.grade(), Grade::Proved);
                proved.insert(graded.mv.clone(), outcome);
            }
        }
        let line = AnalysisLine::new(analysis, &game, usize::MAX);
        for mv in &line.moves {
            assert!(mv.known.proved.is_none() || mv.known.win.is_none());
        }
    };
    let analyser = Analyser {
        every: Duration::from_millis(1),
        ..Analyser::default()
    };
    let analysis = analyser.run(&game, &Budget::unlimited(), told).unwrap();
    assert!(analysis.is_proved());
}

/// However deep the engine looks, and even to the end, what it says is an estimate.
#[test]
fn the_engine_estimates_and_never_proves() {
    let mut game = game("othello", "4x4");
    for _ in 0..5 {
        game = game.play(&game.legal()[0]).unwrap();
    }
    let analyser = Analyser {
        prove: false,
        agent: Some("ab:60".parse().unwrap()),
        ..Analyser::default()
    };
    let mut told = 0;
    let tell = &mut |analysis: &Analysis| {
        told += 1;
        for graded in &analysis.moves {
            assert_eq!(graded.known.grade(), Grade::Estimated, "{}", graded.mv);
        }
        assert_eq!(analysis.known.grade(), Grade::Estimated);
    };
    let last = analyser.run(&game, &Budget::unlimited(), tell);
    assert_eq!(last.unwrap().known.estimate.unwrap().by, "ab");
    assert!(told > 0);
}

/// Of moves with the same estimate the one that was searched to the end is first.
#[test]
fn the_first_move_is_the_one_that_was_searched() {
    let mut game = game("othello", "8x8");
    while game.setup().to_string().matches('.').count() > 15 {
        game = game.play(&game.legal()[0]).unwrap();
    }
    let analyser = Analyser {
        prove: false,
        ..Analyser::default()
    };
    let last = analyser
        .run(&game, &Budget::unlimited(), &mut |_| {})
        .unwrap();
    let work = |graded: &GradedMove| graded.known.estimate.as_ref().unwrap().work;
    let most = last.moves.iter().map(work).max();
    assert_eq!(Some(work(&last.moves[0])), most);
    assert_eq!(most, Some(15));
}

#[test]
fn othello_scores_lie_between_their_bounds() {
    let game = game("othello", "5x5");
    let exact = Solver::default()
        .solve(&game, &Query::score(), &Budget::unlimited(), &Unwatched)
        .unwrap();
    let score = exact.score.unwrap();
    let told = &mut |analysis: &Analysis| {
        let line = AnalysisLine::new(analysis, &game, usize::MAX);
        assert!(line.known.at_least.is_none_or(|low| low <= score));
        assert!(line.known.at_most.is_none_or(|high| high >= score));
    };
    let analyser = Analyser {
        every: Duration::from_millis(1),
        ..Analyser::default()
    };
    let analysis = analyser.run(&game, &Budget::unlimited(), told).unwrap();
    let line = AnalysisLine::new(&analysis, &game, usize::MAX);
    assert_eq!(
        (line.known.score, line.known.grade),
        (Some(score), "proved")
    );
}

#[test]
fn what_is_proved_is_remembered_and_a_damaged_file_refused() {
    let folder = std::env::temp_dir().join(format!("upstar-proved-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("clobber.jsonl");
    let _ = std::fs::remove_file(&file);
    let start = game("clobber", "4x4");
    let with_file = || Analyser {
        proved: Some(Arc::new(ProvedResults::open(&file).unwrap())),
        ..Analyser::default()
    };
    let first = analysed(&with_file(), &start, 60_000);
    assert!(first.is_proved() && first.nodes > 0);
    let again = analysed(&with_file(), &start, 60_000);
    assert!(again.is_proved());
    assert_eq!(again.nodes, 0, "everything stands in the file");
    let outcomes = |analysis: &Analysis| {
        let mut all: Vec<_> = analysis
            .moves
            .iter()
            .map(|it| (it.mv.clone(), it.known.outcome))
            .collect();
        all.sort();
        all
    };
    assert_eq!(outcomes(&first), outcomes(&again));
    let text = std::fs::read_to_string(&file).unwrap();
    let lie = match text.contains("\"win\"") {
        true => text.replacen("\"win\"", "\"loss\"", 1),
        false => text.replacen("\"loss\"", "\"win\"", 1),
    };
    assert_ne!(text, lie);
    std::fs::write(&file, lie).unwrap();
    assert!(ProvedResults::open(&file).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_cannot_be_analysed_is_refused() {
    let refused = |game: &AnyGame, analyser: &Analyser| {
        let run = analyser.run(game, &Budget::unlimited(), &mut |_| {});
        run.unwrap_err()
    };
    let usual = Analyser::default();
    let over = refused(&game("clobber", "xx"), &usual);
    assert!(matches!(over, AnalysisError::Over));
    let solitaire = refused(&game("clobber:solitaire", "3x3"), &usual);
    assert!(matches!(solitaire, AnalysisError::NotForTwo(_)));
    let greedy = Analyser {
        agent: Some("greedy".parse().unwrap()),
        ..usual
    };
    let other = refused(&game("clobber", "3x3"), &greedy);
    assert!(matches!(other, AnalysisError::NotWatchable(_)));
}

#[test]
fn a_review_finds_the_moves_that_negamax_calls_mistakes() {
    let start = game("clobber", "3x4");
    // Always the first legal move, which is not always a good one.
    let (mut now, mut moves) = (start.clone(), Vec::new());
    while !now.is_over() {
        let mv = now.legal().remove(0);
        now = now.play(&mv).unwrap();
        moves.push(mv);
    }
    let played = PlayedGame {
        start,
        moves,
        players: ["a".to_owned(), "b".to_owned()],
    };
    let (analyser, budget) = (Analyser::default(), Budget::unlimited());
    let time = Duration::from_secs(60);
    let review = Review::new(&played, &analyser, time, &budget, &Unwatched).unwrap();
    let positions = played.positions().unwrap();
    let mut mistakes = 0;
    for (reviewed, two) in review.moves.iter().zip(positions.windows(2)) {
        let (before, after) = (plainly(&two[0]), plainly(&two[1]).reversed());
        let proved = reviewed.mistake.is_some_and(|mistake| mistake.proved);
        assert_eq!(proved, after < before, "move {}", reviewed.ply);
        mistakes += usize::from(proved);
        if proved {
            let better = two[0].play(&reviewed.better[0]).unwrap();
            assert_eq!(plainly(&better).reversed(), before);
        }
    }
    assert!(mistakes > 0, "the game is worth a review");
    assert_eq!(review.mistakes().len(), mistakes);
    let of = |side| review.accuracy(side);
    let (black, white) = (of(Color::Black), of(Color::White));
    assert_eq!(black.proved + white.proved, mistakes);
    assert!(review.svg().starts_with("<svg"));
}

#[test]
fn puzzles_have_one_right_move_and_do_not_depend_on_threads() {
    let made = |threads| {
        let maker = PuzzleMaker {
            start: game("clobber", "4x4"),
            left: (7, 10),
            seed: 7,
            threads,
            resources: Resources::default(),
        };
        maker.make(5, &Budget::unlimited(), &mut |_, _| {}).unwrap()
    };
    let puzzles = made(1);
    assert_eq!(puzzles.len(), 5);
    assert_eq!(puzzles, made(2));
    puzzles.iter().for_each(is_unique);
}

/// Checks a puzzle by negamax alone.
fn is_unique(puzzle: &Puzzle) {
    let game = puzzle.open().unwrap();
    let keeps = |mv: &String| plainly(&game.play(mv).unwrap()) == Outcome::Loss;
    let winning: Vec<String> = game.legal().into_iter().filter(keeps).collect();
    assert_eq!(
        winning,
        std::slice::from_ref(&puzzle.solution),
        "{}",
        puzzle.position
    );
}

#[test]
fn shipped_puzzles_are_different_and_small_ones_right() {
    let shipped = Puzzle::shipped();
    let mut seen = Seen::default();
    for puzzle in &shipped {
        assert!(seen.is_new(puzzle), "{}", puzzle.position);
        assert!((1..=5).contains(&puzzle.level));
        let game = puzzle.open().unwrap();
        assert!(game.legal().contains(&puzzle.solution));
    }
    // Too many for negamax are left; proofs are checked below.
    let small = |puzzle: &&Puzzle| puzzle.left <= 9;
    shipped.iter().filter(small).take(20).for_each(is_unique);
}

/// What the check by proofs says of these puzzles.
fn checked(puzzles: &[Puzzle]) -> Vec<CheckedPuzzle> {
    let folder = tempfile::tempdir().unwrap();
    let check = PuzzleCheck {
        solver: Solver::default(),
        folder: folder.path(),
        keep: false,
        threads: 2,
    };
    let mut all = Vec::new();
    let told = &mut |_: &Puzzle, checked| all.push(checked);
    assert!(check.check(puzzles, &Budget::unlimited(), told).unwrap());
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    all
}

#[test]
fn shipped_puzzles_are_proved_move_by_move() {
    let shipped = Puzzle::shipped();
    assert_eq!(shipped.len(), 500);
    for (puzzle, right) in shipped.iter().zip(checked(&shipped)) {
        assert_eq!(right.fault, None, "{}", puzzle.position);
        assert_eq!(right.proofs + right.ended, puzzle.moves);
    }
}

#[test]
fn a_wrong_puzzle_is_noticed() {
    let shipped = Puzzle::shipped();
    let of = |game: &str| shipped.iter().find(|puzzle| puzzle.game == game).unwrap();
    // Every other move as the solution: that move does not win, or the solution wins too.
    for right in [of("clobber"), of("othello")] {
        let others = right.open().unwrap().legal().into_iter();
        let others = others.filter(|mv| *mv != right.solution);
        let wrong: Vec<Puzzle> = others
            .map(|solution| Puzzle {
                solution,
                ..right.clone()
            })
            .collect();
        for (puzzle, found) in wrong.iter().zip(checked(&wrong)) {
            let faults = [
                PuzzleFault::DoesNotWin(puzzle.solution.clone()),
                PuzzleFault::WinsToo(right.solution.clone()),
            ];
            assert!(faults.contains(&found.fault.unwrap()), "{puzzle:?}");
        }
    }
    let nonsense = Puzzle {
        solution: "z9z8".to_owned(),
        ..shipped[0].clone()
    };
    let fault = checked(&[nonsense]).remove(0).fault;
    assert_eq!(fault, Some(PuzzleFault::Illegal("z9z8".to_owned())));
}
