//! Files of records: whole, cut off, damaged.

use std::fs;

use upstar_arena::{Log, Reason, Record, TimeControl, Winner, log};

fn record(index: u64) -> Record {
    Record {
        game: "clobber".into(),
        position: "1x2".into(),
        black: "a".into(),
        white: "bé\n\"".into(),
        black_agent: Some("random".into()),
        white_agent: Some("random".into()),
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
        "line 2: it is no record: ",
    );
    check(
        format!("{line}\n{}\n{line}\n", &line[..50]),
        "line 2: it is no record: ",
    );
    check(
        format!("{line}\n{{}}\n"),
        "line 2: it is no record: missing field `game`",
    );
    check(
        line.replace('c', "\u{0}") + "\n",
        "line 1: it is no record: ",
    );
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
