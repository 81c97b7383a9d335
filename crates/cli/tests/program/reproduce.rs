//! The papers' tables, as users run them.

use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::run::{json, upstar};

fn keys(object: &Value) -> Vec<&String> {
    object
        .as_object()
        .expect("a line is an object")
        .keys()
        .collect()
}

#[test]
fn a_table_has_a_line_per_cell_and_a_report() {
    let folder = tempdir().unwrap();
    let words = [
        "reproduce",
        "leiden2018/5.4",
        "--scale",
        "0.001",
        "--seeds",
        "2",
        "--out",
        "out",
    ];
    let (cells, status) = json(&words, folder.path());
    assert_eq!((cells.len(), status), (24, 0));
    for cell in &cells {
        for key in [
            "cell",
            "paper",
            "ours",
            "low",
            "high",
            "verdict",
            "live_gradient_share",
            "dead",
        ] {
            assert!(keys(cell).iter().any(|name| *name == key), "{key}: {cell}");
        }
    }
    let best = cells
        .iter()
        .find(|cell| cell["cell"] == "learning_rate=2e-5 target=150.0");
    assert_eq!(best.expect("the cell is there")["paper"], 97_955);
    let out = folder.path().join("out");
    for file in [
        "manifest.json",
        "slurm.sh",
        "report.html",
        "leiden2018/5.4/cells.jsonl",
        "leiden2018/5.4/cells.csv",
        "leiden2018/5.4/runs-1-of-1.jsonl",
    ] {
        assert!(out.join(file).is_file(), "{file}");
    }
    let again = json(&words, folder.path());
    assert_eq!(again, (cells, 0));
    std::fs::remove_file(out.join("report.html")).unwrap();
    let (report, status) = json(&["report", "out"], folder.path());
    assert_eq!((report.len(), status), (1, 0));
    assert_eq!(report[0]["cells"], 24);
    assert_eq!(report[0]["tables"][0]["table"], "leiden2018/5.4");
    assert!(out.join("report.html").is_file());
}

/// What somebody wrote into a folder of results, or has in a folder of another kind.
#[test]
fn folders_that_somebody_touched_are_refused() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("out");
    let words = [
        "reproduce",
        "leiden2018/5.3",
        "--scale",
        "0.001",
        "--out",
        "out",
    ];
    assert_eq!(json(&words, folder.path()).1, 0);
    let file = out.join("leiden2018/5.3/runs-1-of-1.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let mut sample: Value = serde_json::from_str(first).unwrap();
    sample["values"][0]["wins"] = Value::from(7_000_000);
    // Sealed lines may follow one without a seal, as older programs wrote it.
    sample.as_object_mut().unwrap().remove("seal").unwrap();
    std::fs::write(&file, format!("{sample}\n{rest}")).unwrap();
    for words in [&words[..], &["report", "out"]] {
        let ran = upstar(words, folder.path(), b"");
        assert_eq!(ran.status, 2, "{}", ran.stderr);
        let said = ["runs-1-of-1.jsonl, line 1: ", "7000000 games won of"];
        assert!(
            said.iter().all(|part| ran.stderr.contains(part)),
            "{}",
            ran.stderr
        );
    }
    let mine = folder.path().join("mine");
    std::fs::create_dir(&mine).unwrap();
    std::fs::write(mine.join("report.html"), "a page of mine").unwrap();
    let words = [
        "reproduce",
        "leiden2018/5.3",
        "--scale",
        "0.001",
        "--out",
        "mine",
    ];
    let ran = upstar(&words, folder.path(), b"");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .contains("mine holds report.html and no manifest.json"),
        "{}",
        ran.stderr
    );
    let files: Vec<_> = std::fs::read_dir(&mine).unwrap().collect();
    assert_eq!(files.len(), 1);
}

/// The cells of a table on a small scale, without the time that they took.
fn cells_of(table: &str, more: &[&str], folder: &Path) -> Vec<Value> {
    let words = ["reproduce", table, "--scale", "0.001"];
    let words: Vec<&str> = words.iter().chain(more).copied().collect();
    let (mut cells, status) = json(&words, folder);
    assert_eq!(status, 0, "{words:?}");
    cells
        .iter_mut()
        .for_each(|cell| cell["seconds"] = Value::Null);
    cells
}

#[test]
fn shards_together_are_the_whole() {
    let folder = tempdir().unwrap();
    let run = |more: &[&str]| cells_of("leiden2018/5.3", more, folder.path());
    let name = |cell: &Value| cell["cell"].to_string();
    let mut whole = run(&["--threads", "1"]);
    let mut shards = run(&["--shard", "1/2", "--out", "out"]);
    assert_eq!(shards.len(), 8);
    shards.extend(run(&["--shard", "2/2", "--out", "out"]));
    shards.sort_by_key(name);
    whole.sort_by_key(name);
    assert_eq!(shards, whole);
}

#[test]
fn a_cell_is_run_alone_and_is_the_same_as_in_its_table() {
    let folder = tempdir().unwrap();
    let run = |more: &[&str]| cells_of("leiden2018/5.4", more, folder.path());
    let name = "learning_rate=2e-5 target=150.0";
    let alone = run(&["--cell", name, "--out", "one"]);
    let whole = run(&[]);
    let same: Vec<Value> = whole
        .iter()
        .filter(|it| it["cell"] == name)
        .cloned()
        .collect();
    assert_eq!((alone.len(), &alone), (1, &same));
    // A word that several cells have is a row.
    let row = run(&["--cell", "target=150.0"]);
    let has_word = |cell: &&Value| cell["cell"].as_str().unwrap().ends_with("target=150.0");
    let expected: Vec<Value> = whole.iter().filter(has_word).cloned().collect();
    assert!(expected.len() > 1 && expected.len() < whole.len());
    assert_eq!(row, expected);
    let text = std::fs::read_to_string(folder.path().join("one/leiden2018/5.4/runs-1-of-1.jsonl"));
    assert_eq!(text.unwrap().lines().count(), 1, "only that run");
    for words in ["target=7", "target=15", ""] {
        refused(
            &["reproduce", "leiden2018/5.4", "--cell", words],
            &[
                "no cell has the words",
                "right: upstar reproduce leiden2018/5.4 --cell 'learning_rate=",
            ],
        );
    }
}

fn refused(words: &[&str], parts: &[&str]) {
    let ran = upstar(words, Path::new("."), b"");
    assert_eq!(ran.status, 2, "{words:?}: {}", ran.stderr);
    for part in parts {
        assert!(ran.stderr.contains(part), "{words:?}: {}", ran.stderr);
    }
}

#[test]
fn wrong_words_get_a_sentence() {
    refused(
        &["reproduce", "leiden2018/9.9"],
        &[
            "'leiden2018/9.9' is not a table",
            "cammel2015/1 2 3",
            "upstar reproduce",
        ],
    );
    refused(&["reproduce"], &["--list"]);
    for scale in ["0", "-1", "x", "nan", "1e9"] {
        refused(
            &["reproduce", "leiden2018/5.4", "--scale", scale],
            &[scale, "0.01"],
        );
    }
    for shard in ["3", "0/2", "3/2"] {
        refused(
            &["reproduce", "leiden2018/5.4", "--shard", shard],
            &[shard, "3/8"],
        );
    }
    refused(
        &["report", "nowhere"],
        &["there is no folder nowhere", "upstar report DIR"],
    );
}

#[test]
fn the_list_names_what_there_is() {
    let (tables, status) = json(&["reproduce", "--list"], Path::new("."));
    assert_eq!(status, 0);
    let find = |name: &str| tables.iter().find(|table| table["table"] == name);
    assert_eq!(find("leiden2018/5.4").unwrap()["cells"], 24);
    assert_eq!(find("cammel2015/10").unwrap()["cells"], 60);
    assert!(tables.len() >= 54);
}
