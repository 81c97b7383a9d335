//! The one solver: any game, several clients, one limit of memory.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use upstar_games::AnyGame;
use upstar_jobs::quantity::MOST_THREADS;
use upstar_solve::classic;
use upstar_solve::clobber::ValueTables;
use upstar_solve::{
    Algorithm, Budget, Ledger, Outcome, Query, Settings, SolveError, Solver, Unwatched, Watch,
};

fn open(game: &str, start: &str) -> AnyGame {
    let variant = game.parse().expect("a game");
    AnyGame::open(variant, &start.parse().expect("a start"), None).expect("a position")
}

fn limited(memory: usize) -> Solver {
    let ledger = Ledger::new(memory, MOST_THREADS);
    Solver::new(Settings {
        memory,
        tables: ValueTables::in_memory().with_ledger(&ledger),
        ledger,
        ..Settings::default()
    })
}

#[test]
fn every_game_for_two_is_solved() {
    let solver = limited(256 << 20);
    for (game, start, winner, score) in [
        ("clobber", "4x5", "x", None),
        ("clobber", "1x9", "x", None),
        ("clobber:cannibal", "3x3", "x", None),
        ("othello", "4x4", "o", Some(-8)),
        ("othello", "4x5", "x", Some(16)),
        ("othello:reversi", "4x4", "o", Some(-8)),
    ] {
        let game_at = open(game, start);
        let answer = solver
            .solve(&game_at, &Query::score(), &Budget::unlimited(), &Unwatched)
            .expect("an answer");
        assert!(answer.proved, "{game} {start}");
        if game != "othello:reversi" {
            assert_eq!(answer.winner(), Some(winner), "{game} {start}");
            assert_eq!(answer.score, score, "{game} {start}");
        }
        let moves = solver
            .moves(&game_at, &Query::score(), &Budget::unlimited(), &Unwatched)
            .expect("moves");
        let best = moves
            .iter()
            .filter_map(|judged| judged.answer.outcome)
            .min();
        assert_eq!(
            best.map(Outcome::reversed),
            answer.outcome,
            "{game} {start}"
        );
    }
    let refused = |game: &str| {
        let (budget, query) = (Budget::unlimited(), Query::winner());
        solver.solve(&open(game, "3x3"), &query, &budget, &Unwatched)
    };
    assert!(matches!(
        refused("clobber:solitaire"),
        Err(SolveError::NotForTwo)
    ));
}

#[test]
fn what_was_proved_is_remembered_until_it_is_forgotten() {
    let (solver, game) = (limited(256 << 20), open("clobber", "4x6"));
    let ask = || {
        let answer = solver.solve(&game, &Query::winner(), &Budget::unlimited(), &Unwatched);
        answer.expect("an answer").nodes
    };
    let first = ask();
    assert!(ask() < first / 10);
    solver.forget();
    assert_eq!(ask(), first);
}

/// The moves as they are told.
#[derive(Default)]
struct Listener(Mutex<Vec<String>>);

impl Watch for Listener {
    fn judged(&self, mv: &str, winner: Option<&str>, _: Option<i32>) {
        let line = format!("{mv} {}", winner.unwrap_or("?"));
        self.0.lock().unwrap().push(line);
    }
}

#[test]
fn moves_are_told_as_they_are_found() {
    let (solver, listener) = (limited(256 << 20), Listener::default());
    let game = open("clobber", "3x3");
    let budget = Budget::unlimited();
    let moves = solver.moves(&game, &Query::winner(), &budget, &listener);
    let lines: Vec<String> = moves
        .expect("moves")
        .iter()
        .map(|judged| format!("{} {}", judged.mv, judged.answer.winner().unwrap_or("?")))
        .collect();
    assert_eq!(listener.0.into_inner().unwrap(), lines);
    assert!(!lines.is_empty());
}

/// A search, another and a value at once, under one limit, each cancelled at once.
#[test]
fn clients_share_one_limit_and_are_cancelled_at_once() {
    const LIMIT: usize = 512 << 20;
    let solver = limited(LIMIT);
    let budget = Budget::unlimited();
    std::thread::scope(|scope| {
        let (solver, budget) = (&solver, &budget);
        let solve = |game: &'static str, start: &'static str| {
            scope.spawn(move || {
                let game = open(game, start);
                solver.solve(&game, &Query::score(), budget, &Unwatched)
            })
        };
        let value = scope.spawn(|| solver.value(&open("clobber", "6x7"), budget, &Unwatched));
        let searches = [solve("clobber", "8x8"), solve("othello", "8x8")];
        std::thread::sleep(Duration::from_millis(1500));
        assert!(solver.settings().ledger.free() < LIMIT);
        let begun = Instant::now();
        budget.cancel();
        for search in searches {
            match search.join().expect("no panic") {
                Ok(answer) => assert!(!answer.proved),
                // The other had all the memory: a sentence, and no more memory.
                Err(error) => assert!(error.to_string().contains("of the limit of 512 MB")),
            }
        }
        if let Ok(value) = value.join().expect("no panic") {
            assert!(!value.is_exact());
        }
        // 100 ms on a machine that has nothing else to do.
        assert!(
            begun.elapsed() < Duration::from_millis(1000),
            "{:?}",
            begun.elapsed()
        );
    });
    solver.forget();
}

#[test]
fn without_memory_there_is_a_sentence() {
    let ledger = Ledger::new(64 << 20, 1);
    let solver = Solver::new(Settings {
        memory: 64 << 20,
        tables: ValueTables::in_memory().with_ledger(&ledger),
        ledger: ledger.clone(),
        ..Settings::default()
    });
    let _all = ledger.memory(64 << 20).expect("all of it");
    let game = open("clobber", "4x5");
    let refused = solver.solve(&game, &Query::winner(), &Budget::unlimited(), &Unwatched);
    let sentence = refused.expect_err("there is no memory").to_string();
    assert!(
        sentence.ends_with("0 MB of the limit of 64 MB are free"),
        "{sentence}"
    );
}

#[test]
fn a_proof_is_checked_before_it_is_called_one() {
    let folder = tempfile::tempdir().unwrap();
    let solver = limited(256 << 20);
    for (game, start) in [("clobber", "6x3"), ("othello", "4x4")] {
        let file = folder.path().join(game);
        let (game, budget) = (open(game, start), Budget::unlimited());
        let written = solver.prove(&game, &Query::winner(), &file, &budget, &Unwatched);
        let (written, checked) = written.expect("a proof");
        assert_eq!(written.bytes, file.metadata().unwrap().len());
        assert_eq!(checked.bytes, written.bytes);
    }
    let stopped = Budget::unlimited();
    stopped.cancel();
    let file = folder.path().join("none");
    let game = open("clobber", "5x5");
    assert!(
        solver
            .prove(&game, &Query::winner(), &file, &stopped, &Unwatched)
            .is_err()
    );
    assert!(!file.exists());
}

/// Boards that wait for the next question must not starve a network's search or anybody else.
#[test]
fn idle_boards_make_room_for_other_clients() {
    let solver = limited(64 << 20);
    let ledger = solver.settings().ledger.clone();
    for start in ["4x4", "4x5", "3x5"] {
        let game = open("clobber", start);
        let answer = solver.solve(&game, &Query::winner(), &Budget::unlimited(), &Unwatched);
        assert!(answer.expect("an answer").proved);
    }
    let before = ledger.free();
    assert!(before < 64 << 20, "{before}");
    assert!(ledger.memory(before + 1).is_ok());
}

#[test]
fn a_search_gets_only_the_threads_that_others_leave() {
    let game = open("clobber", "4x6");
    let nodes = |threads: usize, leased: usize| {
        let ledger = Ledger::new(256 << 20, threads);
        let solver = Solver::new(Settings {
            memory: 256 << 20,
            threads,
            ledger: ledger.clone(),
            ..Settings::default()
        });
        let _others = ledger.threads(leased);
        let answer = solver.solve(&game, &Query::winner(), &Budget::unlimited(), &Unwatched);
        let answer = answer.expect("an answer");
        assert!(answer.proved);
        answer.nodes
    };
    // Only a search on one thread has the same number of nodes each time.
    assert_eq!(nodes(4, 4), nodes(1, 1));
}

/// Proof-number search and the searches with a table take their memory as it is needed.
#[test]
fn textbook_searches_stay_within_their_memory() {
    let solver = limited(64 << 20);
    let game = open("clobber", "3x4");
    for algorithm in classic::Algorithm::ALL {
        let query = Query {
            algorithm: Some(Algorithm::Classic(algorithm)),
            ..Query::winner()
        };
        let answer = solver.solve(&game, &query, &Budget::unlimited(), &Unwatched);
        assert!(answer.expect("an answer").proved, "{algorithm}");
    }
    assert_eq!(solver.settings().ledger.free(), 64 << 20);
}
