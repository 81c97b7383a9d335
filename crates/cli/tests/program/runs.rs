//! Folders of runs: listed, gone on with by kind, and not trusted when they come from elsewhere.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::run::{json, upstar};

const TOURNAMENT: &str = r#"
game = "clobber"
position = "3x3"
games = 2
[[players]]
name = "a"
agent = "random"
[[players]]
name = "b"
agent = 'engine:"touch ran"'
"#;

#[test]
fn a_flipped_bit_of_a_result_is_never_another_result() {
    let folder = tempdir().unwrap();
    let begin = ["solve", "clobber", "3x4", "--out", "run"];
    let (right, status) = json(&begin, folder.path());
    assert_eq!(status, 0);
    let file = folder.path().join("run/result.json");
    let sealed = fs::read(&file).unwrap();
    // A step that has no common factor with 8 meets every bit of a byte somewhere.
    for bit in (0..8 * sealed.len()).step_by(53) {
        let mut changed = sealed.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(&file, changed).unwrap();
        let ran = upstar(&["resume", "run", "--json"], folder.path(), b"");
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(
            ran.stderr.contains("continues from its journal"),
            "{bit}: {}",
            ran.stderr
        );
        let found: Value = serde_json::from_str(&ran.stdout).unwrap();
        for key in ["winner", "score", "move", "proved"] {
            assert_eq!(found[key], right[0][key], "{bit}");
        }
    }
    assert_eq!(json(&["resume", "run"], folder.path()).1, 0);
}

#[test]
fn results_that_are_not_sealed_are_searched_again() {
    let folder = tempdir().unwrap();
    let begin = ["solve", "clobber", "3x4", "--out", "run"];
    let (right, _) = json(&begin, folder.path());
    let file = folder.path().join("run/result.json");
    let mut old: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    old.as_object_mut().unwrap().remove("checksum");
    let other = if right[0]["winner"] == "x" { "o" } else { "x" };
    old["winner"] = other.into();
    fs::write(&file, old.to_string()).unwrap();
    let ran = upstar(&["resume", "run"], folder.path(), b"");
    assert!(ran.stderr.contains("is not sealed"), "{}", ran.stderr);
    assert!(!ran.stdout.starts_with(other), "{}", ran.stdout);
    // Now it is.
    let ran = upstar(&["resume", "run"], folder.path(), b"");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
}

#[test]
fn commands_of_a_configuration_need_a_yes() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("cup.toml"), TOURNAMENT).unwrap();
    fs::create_dir(folder.path().join("run")).unwrap();
    fs::write(folder.path().join("run/config.toml"), TOURNAMENT).unwrap();
    let train = "game = \"clobber\"\nboard = \"3x3\"\ngames = 2\n[network]\nencoder = \"leiden2018\"\nhidden = [4]\n[opponent]\nagent = 'engine:\"touch ran\"'\n[learning]\nrate = 0.1\n";
    fs::write(folder.path().join("train.toml"), train).unwrap();
    // A trial of a search has a configuration of its own.
    fs::create_dir_all(folder.path().join("tune/trials/00000")).unwrap();
    fs::write(folder.path().join("tune/config.toml"), "[space]\n").unwrap();
    fs::write(folder.path().join("tune/trials/00000/config.toml"), train).unwrap();
    for command in [
        &["tournament", "cup.toml"][..],
        &["resume", "run"],
        &["train", "train.toml"],
        &["resume", "tune"],
    ] {
        let ran = upstar(command, folder.path(), b"");
        assert_eq!(ran.status, 2, "{command:?}");
        let said = ran.stderr.lines().next().unwrap();
        assert!(said.contains("runs the command \"engine:"), "{said}");
        assert!(ran.stderr.contains("--trust"), "{}", ran.stderr);
        assert!(!folder.path().join("ran").exists(), "{command:?}");
    }
    upstar(&["tournament", "cup.toml", "--trust"], folder.path(), b"");
    assert!(folder.path().join("ran").exists());
}

#[test]
fn files_outside_the_folder_are_not_overwritten_without_a_yes() {
    let folder = tempdir().unwrap();
    let begin = ["solve", "clobber", "3x3", "--out", "run", "--nodes", "1"];
    upstar(&begin, folder.path(), b"");
    fs::write(folder.path().join("mine"), "mine").unwrap();
    // A stranger's folder has a manifest that fits, or none.
    fs::remove_file(folder.path().join("run/manifest.json")).unwrap();
    let config = folder.path().join("run/config.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, format!("proof = \"mine\"\n{text}")).unwrap();
    let ran = upstar(&["resume", "run"], folder.path(), b"");
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("writes \"mine\""), "{}", ran.stderr);
    assert_eq!(fs::read(folder.path().join("mine")).unwrap(), b"mine");
    // In the folder it may.
    fs::write(&config, format!("proof = \"run/proof\"\n{text}")).unwrap();
    let ran = upstar(&["resume", "run"], folder.path(), b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(folder.path().join("run/proof").exists());
}

#[cfg(unix)]
#[test]
fn links_out_of_a_run_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = tempdir().unwrap();
    let begin = ["solve", "clobber", "4x5", "--out", "run", "--nodes", "1000"];
    upstar(&begin, folder.path(), b"");
    let secret = folder.path().join("secret");
    fs::write(&secret, "mine").unwrap();
    let log = folder.path().join("run/sessions.jsonl");
    fs::remove_file(&log).unwrap();
    symlink(&secret, &log).unwrap();
    for verb in ["resume", "report"] {
        let ran = upstar(&[verb, "run"], folder.path(), b"");
        assert_eq!(ran.status, 2, "{}", ran.stderr);
        assert!(
            ran.stderr.contains("leads out of the folder"),
            "{}",
            ran.stderr
        );
    }
    assert_eq!(fs::read(&secret).unwrap(), b"mine");
}

#[test]
fn runs_are_listed_by_kind() {
    let folder = tempdir().unwrap();
    let ran = upstar(&["runs"], folder.path(), b"");
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "no runs\n"));
    upstar(
        &["solve", "clobber", "3x4", "--out", "long/done"],
        folder.path(),
        b"",
    );
    upstar(
        &[
            "solve",
            "clobber",
            "5x5",
            "--out",
            "long/open",
            "--nodes",
            "1000",
        ],
        folder.path(),
        b"",
    );
    let cup = TOURNAMENT.replace("'engine:\"touch ran\"'", "\"random\"");
    fs::write(folder.path().join("cup.toml"), cup).unwrap();
    upstar(&["tournament", "cup.toml"], folder.path(), b"");
    let (runs, status) = json(&["runs"], folder.path());
    assert_eq!(status, 0);
    let told: Vec<[&str; 3]> = runs
        .iter()
        .map(|run| ["folder", "kind", "state"].map(|key| run[key].as_str().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            ["./cup", "tournament", "finished"],
            ["./long/done", "solve", "finished"],
            ["./long/open", "solve", "interrupted"],
        ]
    );
    let ran = upstar(&["runs", "long"], folder.path(), b"");
    assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
    assert_eq!(upstar(&["runs", "nowhere"], folder.path(), b"").status, 2);
}

/// The runs that came with earlier versions.
#[test]
fn older_folders_are_known() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (runs, status) = json(&["runs", "runs", "results"], &root);
    assert_eq!(status, 0);
    let kinds = |kind: &str| runs.iter().filter(|run| run["kind"] == kind).count();
    assert_eq!(kinds("solve"), 3);
    assert_eq!(kinds("alphazero"), 8);
    assert_eq!(kinds("reproduce"), 1);
    let finished = |run: &&Value| run["kind"] == "alphazero" && run["state"] == "finished";
    assert_eq!(runs.iter().filter(finished).count(), 7);
}

fn copied(from: &str, folder: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::create_dir(folder).unwrap();
    for entry in fs::read_dir(root.join(from)).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
}

#[test]
fn older_runs_go_on() {
    let folder = tempdir().unwrap();
    for run in ["othello-6x7", "5x7"] {
        copied(&format!("runs/{run}"), &folder.path().join(run));
        let resume = ["resume", run, "--nodes", "1000"];
        let (found, status) = json(&resume, folder.path());
        assert_eq!((found[0]["proved"].as_bool(), status), (Some(false), 1));
        // What earlier sessions took is not forgotten.
        assert!(found[0]["nodes"].as_u64() > Some(100_000_000));
    }
    copied(
        "results/alphazero/clobber-4x4-seed2",
        &folder.path().join("az"),
    );
    let ran = upstar(&["report", "az"], folder.path(), b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(folder.path().join("az/report.html").exists());
}

#[cfg(unix)]
#[test]
fn names_of_folders_cannot_talk_to_the_terminal() {
    let folder = tempdir().unwrap();
    let name = "red\u{1b}[31m";
    assert_eq!(
        json(&["solve", "clobber", "2x2", "--out", name], folder.path()).1,
        0
    );
    let ran = upstar(&["runs"], folder.path(), b"");
    assert_eq!(ran.status, 0);
    assert!(!ran.stdout.contains('\u{1b}'), "{:?}", ran.stdout);
    assert!(ran.stdout.contains("red\\u{1b}[31m"), "{}", ran.stdout);
    // Programs get the name as it is.
    let (runs, _) = json(&["runs"], folder.path());
    assert_eq!(runs[0]["folder"], format!("./{name}"));
}
