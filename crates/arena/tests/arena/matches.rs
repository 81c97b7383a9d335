//! The same seed gives the same match, whatever the number of threads; and the fast way of random
//! games is as good as the plain one.

use std::path::Path;
use std::time::Instant;

use upstar_arena::{Match, MatchResult, Openings, Place, Reason, Record, log, results_between};
use upstar_games::{Clobber, Color, Variant};
use upstar_jobs::Budget;

use crate::common::{Board, Words, board, match_of, place, text};

fn play(
    board: &Board,
    words: [&'static str; 2],
    settings: &Match,
    records: Option<&Path>,
) -> MatchResult {
    let text = text(board);
    let place = place(board, &text);
    let players = Words(&board.0, words.to_vec());
    let mut seen = 0;
    let result = settings.play(
        &place,
        &players,
        &Budget::unlimited(),
        records,
        &mut |finished| {
            assert_eq!(finished.index, seen);
            seen += 1;
        },
    );
    let result = result.unwrap();
    assert_eq!(seen, result.games);
    result
}

fn timeless(mut result: MatchResult) -> MatchResult {
    result.seconds = 0.0;
    result
}

fn records(path: &Path) -> Vec<Record> {
    let all: Result<Vec<Record>, _> = log::read(path).unwrap().collect();
    all.unwrap().into_iter().map(Record::timeless).collect()
}

#[test]
fn threads_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let board = board("5x5");
    let words = ["dabbler", "random"];
    for sprt in [None, Some("0,100".parse().unwrap())] {
        let mut seen = Vec::new();
        for threads in [1, 2, 7] {
            let settings = Match {
                threads,
                sprt,
                openings: Openings::Random(3),
                ..match_of(words, 400)
            };
            let path = folder.path().join(format!("{threads}-{}", sprt.is_some()));
            let recorded = play(&board, words, &settings, Some(&path));
            let bare = play(&board, words, &settings, None);
            assert_eq!(timeless(recorded.clone()), timeless(bare));
            seen.push((timeless(recorded), records(&path)));
        }
        assert!(seen.windows(2).all(|two| two[0] == two[1]));
        let (result, records) = &seen[0];
        assert_eq!(records.len() as u64, result.games);
        assert!(
            (0..)
                .zip(records)
                .all(|(index, record)| record.index == index)
        );
        assert_eq!(result.games < 400, sprt.is_some());
        assert_eq!(result.a_wins + result.b_wins + result.draws, result.games);
        assert_eq!(
            result.black_wins + result.white_wins + result.draws,
            result.games
        );
        assert!(result.elo.unwrap() > 0.0);
        for record in records {
            assert_eq!(record.opening.len(), 3);
            assert_eq!(record.thoughts.len(), record.moves.len());
            assert_eq!(record.reason, Reason::Rules);
            // The moves are those of a game from there to its end.
            assert_eq!(record.positions().unwrap().len(), record.moves.len() + 1);
        }
        // Any game can be played again alone.
        let text = text(&board);
        let place = place(&board, &text);
        let settings = Match {
            openings: Openings::Random(3),
            ..match_of(words, 400)
        };
        let players = Words(&board.0, words.to_vec());
        let again = settings.play_one(&place, &players, &Budget::unlimited(), 33);
        assert_eq!(again.unwrap().unwrap().timeless(), records[33]);
        // What the records say is what the match said.
        let between = results_between(records.clone(), "dabbler", "random");
        assert_eq!(between.counts.wins, result.a_wins);
        assert_eq!(between.pairs, result.pairs);
        assert_eq!(between.estimate().elo, result.elo);
        for two in records.chunks(2) {
            assert_eq!(two[0].start, two[1].start);
            assert_eq!(two[0].black, two[1].white);
        }
    }
}

#[test]
fn without_swap_a_is_black() {
    let board = board("4x4");
    let settings = Match {
        swap: false,
        ..match_of(["dabbler", "random"], 101)
    };
    let result = play(&board, ["dabbler", "random"], &settings, None);
    assert_eq!(
        (result.a_wins, result.b_wins),
        (result.black_wins, result.white_wins)
    );
    assert_eq!(result.pairs, None);
    let swapped = play(
        &board,
        ["dabbler", "random"],
        &match_of(["dabbler", "random"], 101),
        None,
    );
    // Half a pair is left over.
    assert_eq!(swapped.pairs.unwrap().iter().sum::<u64>(), 50);
    assert_eq!(swapped.games, 101);
}

#[test]
fn another_seed_gives_other_games() {
    let board = board("5x5");
    let words = ["random", "random"];
    let result = |seed| {
        timeless(play(
            &board,
            words,
            &Match {
                seed,
                ..match_of(words, 500)
            },
            None,
        ))
    };
    assert_eq!(result(1), result(1));
    assert_ne!(result(1), result(2));
}

/// Random games by playouts and by agents: the chance of Black to win is the same.
#[test]
fn random_games_are_random_games() {
    let folder = tempfile::tempdir().unwrap();
    let board = board("3x4");
    let words = ["random", "random"];
    let settings = Match {
        swap: false,
        ..match_of(words, 4000)
    };
    let fast = play(&board, words, &settings, None);
    let plain = play(&board, words, &settings, Some(&folder.path().join("plain")));
    let share = |result: &MatchResult| result.black_wins as f64 / result.games as f64;
    let deviation = (0.5f64 / 4000.0).sqrt();
    assert!((share(&fast) - share(&plain)).abs() < 4.0 * deviation);
    for threads in [1, 2, 5] {
        let again = play(
            &board,
            words,
            &Match {
                threads,
                ..settings.clone()
            },
            None,
        );
        assert_eq!(timeless(again), timeless(fast.clone()));
    }
}

#[test]
fn many_random_games_take_no_time() {
    let grid = "10x10".parse().unwrap();
    let game = Clobber::<u128>::new(grid);
    let start = upstar_games::Rules::position(
        &game,
        &upstar_games::clobber::checkerboard(grid),
        Color::Black,
    );
    let start = start.unwrap();
    let place = Place {
        game: &game,
        start: &start,
        variant: Variant::Clobber,
        position: "10x10",
    };
    let begun = Instant::now();
    let players = |_: usize| Err("nobody is asked".to_owned());
    let settings = Match {
        threads: 2,
        ..match_of(["random", "random"], 100_000)
    };
    let result = settings.play(&place, &players, &Budget::unlimited(), None, &mut |_| {});
    assert_eq!(result.unwrap().games, 100_000);
    // A tenth of it without anything else on the machine.
    assert!(begun.elapsed().as_secs_f64() < 2.0, "{:?}", begun.elapsed());
}

#[test]
fn a_match_goes_on_where_it_was_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let board = board("4x4");
    let words = ["dabbler", "random"];
    let settings = Match {
        threads: 2,
        openings: Openings::Random(2),
        ..match_of(words, 60)
    };
    let whole = timeless(play(&board, words, &settings, Some(&path)));
    let all = records(&path);
    let bytes = std::fs::read(&path).unwrap();
    for cut in [
        0,
        1,
        bytes.len() / 3,
        bytes.len() / 2,
        bytes.len() - 1,
        bytes.len(),
    ] {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        assert_eq!(
            timeless(play(&board, words, &settings, Some(&path))),
            whole,
            "{cut}"
        );
        assert_eq!(records(&path), all, "{cut}");
    }
    // Other games are not mixed with these.
    let other = Match {
        seed: 8,
        ..settings.clone()
    };
    let text = text(&board);
    let place = place(&board, &text);
    let players = Words(&board.0, words.to_vec());
    let refused = |other: &Match| {
        let played = other.play(
            &place,
            &players,
            &Budget::unlimited(),
            Some(&path),
            &mut |_| {},
        );
        played.unwrap_err().to_string()
    };
    assert!(refused(&other).ends_with(
        "games.jsonl, line 1: it belongs to another run: game 0 of this one is clobber on xoxo|oxox|xoxo|oxox with seed 8 \
         and time none, dabbler against random"
    ));
    let other = Match {
        openings: Openings::Random(3),
        ..settings.clone()
    };
    assert!(refused(&other).ends_with("line 1: its opening is another one"));
    let other = Match {
        games: 10,
        ..settings
    };
    assert!(refused(&other).ends_with("line 11: it has number 10, and this match has 10 games"));
}
