//! The folder of a run: begun once, held by one process, checked for damage and for links.

use std::fs;
use std::path::{Path, PathBuf};

use upstar_runs::{Checksums, FolderError, Kind, Manifest, RunFolder, STATE};

#[derive(serde::Deserialize, serde::Serialize)]
struct Line {
    games: u64,
}

fn begun() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let run = RunFolder::create(&path, Manifest::new(Kind::Train), "games = 1\n").unwrap();
    run.write("network", "weights").unwrap();
    let files = Checksums::from([("network".to_owned(), run.checksum_of("network").unwrap())]);
    run.write_state(&5_u64, files).unwrap();
    (folder, path)
}

#[test]
fn a_changed_bit_of_the_state_is_noticed() {
    let (_folder, path) = begun();
    let run = RunFolder::open(&path).unwrap();
    assert_eq!(run.state::<u64>().unwrap().unwrap().0, 5);
    let right = fs::read(run.path(STATE)).unwrap();
    for bit in 0..8 * right.len() {
        let mut changed = right.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(run.path(STATE), changed).unwrap();
        let refused = run.state::<u64>();
        assert!(matches!(refused, Err(FolderError::Damaged { .. })), "{bit}");
    }
    fs::write(run.path(STATE), right).unwrap();
    fs::write(run.path("network"), "weighty").unwrap();
    let refused = run.state::<u64>().unwrap_err();
    assert_eq!(refused, FolderError::CheckpointChanged(run.path("network")));
}

#[test]
fn a_run_is_begun_in_an_empty_folder_only_and_by_one_process() {
    let (folder, path) = begun();
    let create = |path: &Path| RunFolder::create(path, Manifest::new(Kind::Train), "").map(drop);
    assert_eq!(create(&path), Err(FolderError::NotEmpty(path.clone())));
    let held = RunFolder::open(&path).unwrap();
    assert!(RunFolder::is_busy(&path));
    assert_eq!(
        RunFolder::open(&path).unwrap_err(),
        FolderError::Busy(path.clone())
    );
    assert!(RunFolder::look(&path).unwrap().is_read_only());
    drop(held);
    assert!(!RunFolder::is_busy(&path));
    let nowhere = folder.path().join("nowhere");
    assert_eq!(
        RunFolder::open(&nowhere).unwrap_err(),
        FolderError::NoRun(nowhere.clone())
    );
    assert!(!nowhere.exists());
}

#[test]
fn drafts_of_a_killed_program_are_gone_when_the_run_goes_on() {
    let (_folder, path) = begun();
    fs::write(path.join("state.json.99.0.part"), "half").unwrap();
    drop(RunFolder::look(&path).unwrap());
    assert!(path.join("state.json.99.0.part").exists());
    drop(RunFolder::open(&path).unwrap());
    assert!(!path.join("state.json.99.0.part").exists());
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_the_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let (folder, path) = begun();
    let secret = folder.path().join("secret");
    fs::write(&secret, "mine").unwrap();
    symlink("network", path.join("inside")).unwrap();
    drop(RunFolder::open(&path).unwrap());
    fs::create_dir(path.join("trials")).unwrap();
    for (target, link) in [
        (secret.clone(), path.join("results.jsonl")),
        (secret.clone(), path.join("trials/results.jsonl")),
        (PathBuf::from("../secret"), path.join("lock2")),
        (folder.path().join("not there"), path.join("result.json")),
        (folder.path().to_owned(), path.join("above")),
    ] {
        symlink(&target, &link).unwrap();
        for refused in [RunFolder::open(&path), RunFolder::look(&path)] {
            let refused = refused.unwrap_err();
            assert!(matches!(refused, FolderError::LeadsOut { .. }), "{refused}");
        }
        fs::remove_file(&link).unwrap();
    }
    assert_eq!(fs::read(&secret).unwrap(), b"mine");
}

#[test]
fn logs_lose_a_line_that_was_cut_off_and_no_other() {
    let (_folder, path) = begun();
    let run = RunFolder::open(&path).unwrap();
    assert!(run.lines::<Line>("log").unwrap().is_empty());
    for games in 0..3 {
        run.append("log", &Line { games }).unwrap();
    }
    let whole = fs::read(run.path("log")).unwrap();
    let each = whole.len() / 3;
    for length in 2 * each..=whole.len() {
        fs::write(run.path("log"), &whole[..length]).unwrap();
        let lines = run.lines::<Line>("log").unwrap();
        // A line that lacks only its end counts.
        assert_eq!(lines.len(), (length + 1) / each);
        assert_eq!(
            fs::read(run.path("log")).unwrap(),
            whole[..each * lines.len()]
        );
    }
    run.cut("log", 2).unwrap();
    let games = run.lines::<Line>("log").unwrap();
    let games: Vec<u64> = games.into_iter().map(|line| line.games).collect();
    assert_eq!(games, [0, 1]);
    assert!(matches!(
        run.cut("log", 3),
        Err(FolderError::LinesMissing { found: 2, .. })
    ));
    fs::write(run.path("log"), "[0]\nnonsense\n[1]\n").unwrap();
    let FolderError::Log(error) = run.lines::<[u64; 1]>("log").unwrap_err() else {
        panic!("another error");
    };
    assert_eq!(error.line, Some(2));
}

#[test]
fn a_damaged_line_in_the_middle_of_a_log_is_noticed() {
    let (_folder, path) = begun();
    let run = RunFolder::open(&path).unwrap();
    // The first two are of an older program, whose lines have no seal.
    let mut right = "{\"games\":1}\n{\"games\":2}\n".to_owned();
    fs::write(run.path("log.jsonl"), &right).unwrap();
    for games in 3..6 {
        run.append("log.jsonl", &Line { games }).unwrap();
    }
    let games = |run: &RunFolder| -> Result<Vec<u64>, FolderError> {
        let lines: Vec<Line> = run.lines("log.jsonl")?;
        Ok(lines.into_iter().map(|line| line.games).collect())
    };
    assert_eq!(games(&run).unwrap(), [1, 2, 3, 4, 5]);
    run.cut("log.jsonl", 5).unwrap();
    right = fs::read_to_string(run.path("log.jsonl")).unwrap();
    for (from, to, what) in [
        ("\"games\":4", "\"games\":6", "its seal is broken"),
        (
            "\"games\":4,\"seal",
            "\"games\":4,\"sead",
            "its seal is missing",
        ),
    ] {
        fs::write(run.path("log.jsonl"), right.replace(from, to)).unwrap();
        let sentence = format!("log.jsonl, line 4: it is damaged: {what}");
        let read = games(&run).unwrap_err().to_string();
        assert!(read.ends_with(&sentence), "{read}");
        let cut = run.cut("log.jsonl", 5).unwrap_err().to_string();
        assert!(cut.ends_with(&sentence), "{cut}");
        // A line behind the last checkpoint is written again anyway.
        run.cut("log.jsonl", 3).unwrap();
    }
}
