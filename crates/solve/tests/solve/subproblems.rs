//! Parts of a solve as jobs: done anywhere, in any order, twice, they find what the solver finds.

use std::sync::LazyLock;

use upstar_games::AnyGame;
use upstar_jobs::job::{self, Done, PerformError};
use upstar_solve::run::{SolveConfig, SolveRun};
use upstar_solve::{
    Budget, Query, Settings, Solver, Subproblem, SubproblemAnswer, SubproblemError, Unwatched,
};

const MEMORY: usize = 32 << 20;
const LEAST: u64 = 4;

/// All searches share one value table, which takes time to make.
fn settings() -> Settings {
    static SETTINGS: LazyLock<Settings> = LazyLock::new(|| Settings {
        memory: MEMORY,
        ..Settings::default()
    });
    SETTINGS.clone()
}

/// One for each first move.
fn parts(game: &AnyGame) -> Vec<Subproblem> {
    let part = |mv: String| {
        let part = Subproblem::new(game, &[mv], &Query::winner(), MEMORY, &settings());
        Subproblem {
            least: LEAST,
            ..part.unwrap()
        }
    };
    game.legal().into_iter().map(part).collect()
}

fn performed(part: &Subproblem) -> Done<Subproblem, SubproblemAnswer> {
    let line = serde_json::to_string(part).unwrap();
    let done = job::perform::<_, Subproblem>(&line, &settings(), &Budget::unlimited());
    serde_json::from_str(&done.unwrap().unwrap()).unwrap()
}

fn config(game: &AnyGame) -> SolveConfig {
    SolveConfig {
        game: game.variant().to_string(),
        position: game.to_string(),
        to_move: 'x',
        threads: 1,
        memory: MEMORY,
        proof: None,
        exact: false,
        empties_to_winner: false,
    }
}

#[test]
fn parts_solved_elsewhere_in_any_order_and_twice_help_the_whole() {
    for (variant, position) in [("clobber", "4x5"), ("othello", "4x4")] {
        let game = AnyGame::parse(variant, position).unwrap();
        let (budget, query) = (Budget::unlimited(), Query::winner());
        let solve = |solver: &Solver, game: &AnyGame| {
            solver.solve(game, &query, &budget, &Unwatched).unwrap()
        };
        let alone = solve(&Solver::new(settings()), &game);

        let folder = tempfile::tempdir().unwrap();
        let run = SolveRun::create(folder.path(), config(&game)).unwrap();
        let mut outcomes = Vec::new();
        for part in parts(&game).iter().rev() {
            let done = performed(part);
            assert_eq!((&done.job, done.result.proved), (part, true));
            // The solver says the same of this position.
            let after = game.play(&part.moves[0]).unwrap();
            let answer = solve(&Solver::new(settings()), &after);
            assert_eq!(done.result.winner.as_deref(), answer.winner());
            let again = performed(part);
            assert_eq!(again, done, "equal jobs have equal results");
            let (search, records) = (part.search, &done.result.records);
            run.accept(search, records).unwrap();
            assert_eq!(run.accept(search, &again.result.records).unwrap(), 0);
            outcomes.push(done.result.winner);
        }
        let wins = outcomes.iter().any(|winner| winner.as_deref() == Some("x"));
        assert_eq!(wins, alone.winner() == Some("x"), "{variant}");

        let solver = Solver::new(settings());
        let answer = run
            .solve(&solver, &game, &query, &budget, &Unwatched)
            .unwrap();
        assert_eq!((answer.outcome, answer.proved), (alone.outcome, true));
        assert!(answer.nodes < alone.nodes, "{variant}: {answer:?}");
    }
}

#[test]
fn a_part_of_another_search_is_refused() {
    let game = AnyGame::parse("clobber", "4x4").unwrap();
    let other = AnyGame::parse("othello", "4x4").unwrap();
    let mut part = parts(&game).remove(0);
    part.search = parts(&other).remove(0).search;
    let line = serde_json::to_string(&part).unwrap();
    let refused = job::perform::<_, Subproblem>(&line, &settings(), &Budget::unlimited());
    let other = PerformError::Job(SubproblemError::OtherSearch);
    assert_eq!(refused.unwrap_err().to_string(), other.to_string());
}

#[test]
fn a_limit_of_nodes_leaves_a_part_open() {
    let game = AnyGame::parse("clobber", "8x8").unwrap();
    let part = Subproblem {
        nodes: Some(5000),
        ..parts(&game).remove(0)
    };
    let done = performed(&part);
    assert!(!done.result.proved && done.result.winner.is_none());
    assert_eq!(performed(&part), done);
}
