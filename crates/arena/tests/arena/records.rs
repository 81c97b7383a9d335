//! Files of records: whole, cut off, damaged.

use std::fs;

use upstar_agents::{Agent, RandomMover};
use upstar_arena::{
    Contestant, Finished, Log, Match, Openings, Place, Reason, Record, Referee, TimeControl,
    Winner, log,
};
use upstar_games::{AnyGame, Start, Variant, with_game};
use upstar_jobs::Budget;

fn record(index: u64) -> Record {
    Record {
        game: "clobber".into(),
        position: "1x2".into(),
        black: "a".into(),
        white: "bé\n\"".into(),
        black_agent: Some("random".into()),
        white_agent: Some("random".into()),
        black_network: None,
        white_network: None,
        time: TimeControl::NONE,
        seed: 1,
        index,
        round: index,
        pair: index,
        opening: vec![],
        start: "xo".into(),
        to_move: 'x',
        moves: vec!["a1b1".into()],
        thoughts: vec![],
        winner: Some(Winner::Black),
        score: None,
        reason: Reason::Rules,
        text: None,
        seconds: 0.5,
    }
}

#[test]
fn a_half_written_line_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let mut log = Log::open(&path, |_| Ok(())).unwrap();
    for index in 0..3 {
        log.add(&record(index)).unwrap();
    }
    drop(log);
    let bytes = fs::read(&path).unwrap();
    let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').collect();
    assert_eq!(ends.len(), 3);
    for cut in 0..=bytes.len() {
        fs::write(&path, &bytes[..cut]).unwrap();
        // Complete but for its end, a line is as good as any.
        let whole = ends.iter().filter(|&&end| cut >= end).count() as u64;
        let read: Vec<Record> = log::read(&path).unwrap().map(Result::unwrap).collect();
        assert_eq!(read, (0..whole).map(record).collect::<Vec<_>>(), "{cut}");
        // What is added stands on a line of its own.
        let mut seen = 0;
        let mut log = Log::open(&path, |_| {
            seen += 1;
            Ok(())
        })
        .unwrap();
        assert_eq!(seen, whole);
        log.add(&record(7)).unwrap();
        let read: Vec<Record> = log::read(&path).unwrap().map(Result::unwrap).collect();
        assert_eq!(read.len() as u64, whole + 1);
        assert_eq!(read.last(), Some(&record(7)));
    }
}

#[test]
fn damage_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let line = serde_json::to_string(&record(0)).unwrap();
    let check = |text: String, sentence: &str| {
        fs::write(&path, text).unwrap();
        let error = log::read(&path)
            .unwrap()
            .find_map(Result::err)
            .unwrap()
            .to_string();
        assert!(
            error.starts_with(&format!("{}, {sentence}", path.display())),
            "{error}"
        );
        assert_eq!(Log::open(&path, |_| Ok(())).unwrap_err().to_string(), error);
    };
    check(
        format!("{line}\nnonsense\n{line}\n"),
        "line 2: it is damaged: ",
    );
    check(
        format!("{line}\n{}\n{line}\n", &line[..50]),
        "line 2: it is damaged: ",
    );
    check(
        format!("{line}\n{{}}\n"),
        "line 2: it is damaged: missing field `game`",
    );
    check(line.replace('c', "\u{0}") + "\n", "line 1: it is damaged: ");
    check(
        "x".repeat(3 << 20),
        "line 1: it is longer than 1048576 bytes",
    );
    fs::write(&path, format!("\n{line}\n\n{line}\n")).unwrap();
    assert_eq!(log::read(&path).unwrap().count(), 2);
    assert!(log::read(&folder.path().join("none")).is_err());
}

#[test]
fn only_one_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let log = Log::open(&path, |_| Ok(())).unwrap();
    let error = Log::open(&path, |_| Ok(())).unwrap_err().to_string();
    assert!(error.ends_with(": another program writes to it"), "{error}");
    drop(log);
    assert!(Log::open(&path, |_| Ok(())).is_ok());
}

#[test]
fn records_are_put_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let mut log = Log::open(&path, |_| Ok(())).unwrap();
    for index in [3, 1, 0, 9, 2] {
        log.add(&record(index)).unwrap();
    }
    log.sort(4).unwrap();
    let read: Vec<Record> = log::read(&path).unwrap().map(Result::unwrap).collect();
    assert_eq!(read, (0..4).map(record).collect::<Vec<_>>());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Records of random players: games of this variant on this board.
fn played(variant: &str, position: &str, openings: Openings) -> Vec<Record> {
    let variant: Variant = variant.parse().unwrap();
    let start: Start = position.parse().unwrap();
    let any = AnyGame::open(variant, &start, None).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    with_game!(
        &any,
        |game, start| {
            let players = |_: usize| Ok(Box::new(RandomMover(game.clone())) as Box<dyn Agent<_>>);
            let place = Place {
                game,
                start,
                variant,
                position,
            };
            let settings = Match {
                players: Contestant::two("random", "random"),
                games: 6,
                swap: true,
                openings,
                sprt: None,
                seed: 5,
                threads: 1,
                time: TimeControl::NONE,
            };
            let mut watch = |_: &Finished<'_>| {};
            let budget = Budget::unlimited();
            let result = settings.play(&place, &players, &budget, Some(&path), &mut watch);
            assert_eq!(result.unwrap().games, 6);
        },
        unreachable!()
    );
    log::read(&path).unwrap().map(Result::unwrap).collect()
}

#[test]
fn what_was_played_is_played_again() {
    let mut referee = Referee::new();
    for (variant, position) in [
        ("clobber", "3x4"),
        ("clobber", "9x9"),
        ("clobber:cannibal", "3x3"),
        ("clobber", "a=x,b=o,c=x,d=o,a-b,b-c,c-d,d-a"),
        ("othello", "4x4"),
        ("othello", "10x10"),
        ("othello", "random:6x6,seed=4"),
        ("othello:anti", "4x6"),
        ("othello:reversi", "4x4"),
        ("othello:reversi", "10x10"),
    ] {
        for plies in [0, 1, 2, 5] {
            for record in played(variant, position, Openings::Random(plies)) {
                let checked = referee.check(&record);
                assert_eq!(checked, Ok(()), "{variant} {position} {plies}");
                // A move less, and it is not over; the other winner, and it is wrong.
                let mut shorter = record.clone();
                if shorter.moves.pop().is_some() {
                    shorter.thoughts.pop();
                    assert!(referee.check(&shorter).is_err());
                    (shorter.winner, shorter.score) = (None, None);
                    shorter.reason = Reason::Unfinished;
                    assert_eq!(referee.check(&shorter), Ok(()));
                }
                let mut flipped = record;
                flipped.winner = match flipped.winner {
                    Some(Winner::Black) => Some(Winner::White),
                    _ => Some(Winner::Black),
                };
                assert!(referee.check(&flipped).is_err());
            }
        }
    }
    let listed = Openings::Listed("xox|ox. o\na1b1\n".to_owned());
    for record in played("clobber", "2x3", listed) {
        assert_eq!(referee.check(&record), Ok(()));
    }
}

#[test]
fn records_that_contradict_themselves_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let check = |change: &dyn Fn(&mut Record), sentence: &str| {
        let (sound, mut forged) = (record(0), record(1));
        change(&mut forged);
        let lines = [sound, forged].map(|record| serde_json::to_string(&record).unwrap());
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        let error = log::read(&path).unwrap().find_map(Result::err).unwrap();
        let expected = format!("{}, line 2: {sentence}", path.display());
        assert_eq!(error.to_string(), expected);
        let error = Log::open(&path, |_| Ok(())).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    check(
        &|record| record.winner = Some(Winner::White),
        "it says o won, but by its moves x won",
    );
    check(
        &|record| record.winner = None,
        "it says nobody has won yet, but by its moves x won",
    );
    check(
        &|record| record.score = Some(7),
        "it says that the score is +7, but by its moves it is +1",
    );
    check(
        &|record| record.moves = vec!["b1a1".into()],
        "move 1, 'b1a1', is not legal",
    );
    check(
        &|record| record.moves.push("a1b1".into()),
        "move 2, 'a1b1', is not legal",
    );
    check(
        &|record| record.moves.clear(),
        "it says that the game is over, but after its moves it is not",
    );
    check(
        &|record| record.reason = Reason::Time,
        "it does not say so, but after its moves the game is over and x won",
    );
    check(
        &|record| {
            record.moves.clear();
            record.reason = Reason::Unfinished;
        },
        "it says x won, but also that the game has not ended",
    );
    for reason in [
        Reason::Time,
        Reason::Illegal,
        Reason::Fault,
        Reason::Resigned,
    ] {
        check(
            &|record| {
                record.moves.clear();
                record.reason = reason;
            },
            "it says x won, but it was the turn of x, not of the loser",
        );
    }
    check(
        &|record| {
            record.moves.clear();
            (record.reason, record.winner) = (Reason::Resigned, None);
        },
        "it says that the game has ended, but not who won",
    );
    check(
        &|record| {
            record.moves.clear();
            (record.reason, record.winner) = (Reason::Time, Some(Winner::Draw));
        },
        "it says that the game was drawn, but also that somebody lost",
    );
    check(
        &|record| {
            record.moves.clear();
            (record.reason, record.score) = (Reason::Agreed, Some(-4));
        },
        "it says x won, but also that the score is -4",
    );
    check(
        &|record| record.opening = vec!["a1b1".into()],
        "opening: move 1, 'a1b1', is not legal",
    );
    check(
        &|record| {
            record.position = "1x3".into();
            record.opening = vec!["c1b1".into(), "b1a1".into()];
        },
        "opening: move 2, 'b1a1', is not legal",
    );
    check(
        &|record| {
            (record.position, record.to_move) = ("1x3".into(), 'o');
            (record.opening, record.moves) = (vec!["c1b1".into()], vec!["b1a1".into()]);
            record.winner = Some(Winner::White);
        },
        "its opening does not lead from 1x3 to xo with o to move",
    );
    check(
        &|record| record.thoughts = vec![upstar_arena::Thought::default(); 3],
        "there are 1 moves and 3 thoughts",
    );
    check(
        &|record| record.start = "xoq".into(),
        "'q' is not a stone: x and o are stones, . is empty, # is a hole",
    );
    check(
        &|record| record.to_move = 't',
        "'t' cannot be to move in a game of x, o",
    );
    check(
        &|record| record.game = "clobber:solitaire".into(),
        "clobber:solitaire is not a game of two players",
    );
}

/// Other programs know more ways to end a game than ours.
#[test]
fn whoever_plays_elsewhere_may_resign_at_any_time() {
    let mut resigned = record(0);
    resigned.moves.clear();
    resigned.reason = Reason::Resigned;
    assert!(Referee::new().check(&resigned).is_err());
    resigned.white_agent = None;
    assert_eq!(Referee::new().check(&resigned), Ok(()));
    resigned.reason = Reason::Agreed;
    assert_eq!(Referee::new().check(&resigned), Ok(()));
}

#[test]
fn a_copied_line_is_left_out_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let line = |index| serde_json::to_string(&record(index)).unwrap();
    let lines = [line(0), line(1), line(0), line(2), line(0) + " ", line(2)];
    fs::write(&path, lines.join("\n")).unwrap();
    assert_eq!(log::read(&path).unwrap().count(), 6);
    let mut records = log::read(&path).unwrap().without_repeats();
    let read: Vec<u64> = records
        .by_ref()
        .map(|record| record.unwrap().index)
        .collect();
    assert_eq!((read, records.repeats()), (vec![0, 1, 2], 3));
}

/// What is not a beginning of a record is somebody else's text, and stays.
#[test]
fn foreign_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    for text in [
        "My thesis notes",
        "{\"a\":1}",
        "{\"game\":\"clobber\"}",
        "{\"ga\": ",
    ] {
        std::fs::write(&path, text).unwrap();
        assert!(Log::open(&path, |_| Ok(())).is_err(), "{text}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    std::fs::write(&path, "{\"game\":\"clob").unwrap();
    drop(Log::open(&path, |_| Ok(())).unwrap());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
}
