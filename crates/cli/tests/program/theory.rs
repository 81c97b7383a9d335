//! What theorists ask for: the calculator, values of many positions, and output for other programs.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::tempdir;
use upstar_cgt::Games;

use crate::run::{Ran, json, upstar};

fn here(words: &[&str]) -> Ran {
    upstar(words, Path::new("."), b"")
}

#[test]
fn games_are_calculated() {
    let ran = here(&["cgt", "{0|*}"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for line in [
        "value              ↑",
        "outcome            L, Left wins, whoever begins",
        "Right's options    *",
        "atomic weight      1",
        "reduced            0",
    ] {
        assert!(
            ran.stdout.lines().any(|found| found == line),
            "{}",
            ran.stdout
        );
    }
    let ran = here(&["cgt", "{^,v|^}", "--reductions"]);
    assert!(
        ran.stdout.contains("Left's ↓: dominated by ↑"),
        "{}",
        ran.stdout
    );
    let (objects, status) = json(&["cgt", "{1|-1} + ^"], Path::new("."));
    assert_eq!(status, 0);
    assert_eq!(objects[0]["temperature"], "1");
    assert_eq!(objects[0]["reduced"], "±1");
    for (text, status, answer) in [
        ("^ > 0", 0, "true: ↑ > 0\n"),
        ("^ <= *", 1, "false: ↑ || *\n"),
        ("-1 < 0", 0, "true: -1 < 0\n"),
    ] {
        let ran = here(&["cgt", text]);
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (status, answer),
            "{text}"
        );
    }
    let ran = here(&["cgt", "{0|"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("right: upstar cgt"), "{}", ran.stderr);
}

#[test]
fn ranges_and_files_are_valued_line_by_line() {
    let (objects, status) = json(&["value", "clobber", "2x1..2x4"], Path::new("."));
    assert_eq!(status, 0);
    let values: Vec<&str> = objects
        .iter()
        .map(|o| o["value"].as_str().unwrap())
        .collect();
    assert_eq!(values, ["*", "*", "0", "*"]);
    assert_eq!(objects[3]["position"], "2x4");

    let folder = tempdir().unwrap();
    fs::write(
        folder.path().join("list"),
        "# values\nxxo\n\nnonsense\nxo.xo\n",
    )
    .unwrap();
    let ran = upstar(
        &["value", "clobber", "--batch", "list", "--csv"],
        folder.path(),
        b"",
    );
    assert_eq!(ran.status, 2);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "position,outcome,value,atomic_weight,temperature,birthday,followers"
    );
    assert_eq!(lines[1], "xxo,L,↑,1,0,2,3");
    assert_eq!(lines[2], "xo.xo,P,0,0,-1,0,1");
    assert!(ran.stderr.contains("list line 4"), "{}", ran.stderr);
    for bad in ["2x3..2x1", "2x1..3x2"] {
        let ran = here(&["value", "clobber", bad]);
        assert_eq!(ran.status, 2, "{bad}");
        assert!(ran.stderr.contains("right: upstar value"), "{}", ran.stderr);
    }
}

/// Up to four stones there are 53 components in which somebody can move, up to symmetry.
#[test]
fn all_components_of_some_size_are_listed() {
    let folder = tempdir().unwrap();
    let count = |stones: &str| {
        let (objects, status) = json(&["value", "clobber", "--stones", stones], folder.path());
        assert_eq!(status, 0);
        objects.len()
    };
    assert_eq!(count("2") + count("3") + count("4"), 53);
    let cache = tempdir().unwrap();
    let table = |action: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_upstar"))
            .args(["table", action, "--stones", "4"])
            .args(if action == "export" {
                &["--csv"][..]
            } else {
                &[]
            })
            .env("UPSTAR_CACHE", cache.path())
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    table("build");
    assert_eq!(table("export").lines().count(), 54);
}

/// `value clobber 2x5 --latex` used to break inside a command.
#[test]
fn latex_and_cgsuite_are_never_cut() {
    let mut games = Games::new();
    for notation in ["--latex", "--cgsuite"] {
        let ran = here(&["value", "clobber", "2x5", notation]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let sum = ran
            .stdout
            .lines()
            .find(|line| line.starts_with("sum"))
            .unwrap();
        let value = sum.split_whitespace().nth(1).unwrap();
        assert!(games.parse(value).is_ok(), "{value}");
        let words = ["value", "clobber", "2x5", notation, "--name-length", "20"];
        let ran = here(&words);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
        assert!(
            ran.stderr.contains("more than 20 characters"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn tables_of_latex_compile() {
    let folder = tempdir().unwrap();
    let mut text = String::from("\\documentclass{article}\n\\begin{document}\n");
    for words in [
        &["value", "clobber", "2x1..2x4", "--tabular"][..],
        &["value", "clobber", "--stones", "3", "--tabular"],
        &["value", "clobber:cannibal", "x#o|xxo", "--tabular"],
    ] {
        let ran = here(words);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let count = |what: &str| ran.stdout.matches(what).count();
        assert_eq!(count("{"), count("}"), "{}", ran.stdout);
        assert!(ran.stdout.starts_with("\\begin{tabular}"), "{}", ran.stdout);
        assert!(ran.stdout.ends_with("\\end{tabular}\n"), "{}", ran.stdout);
        text += &ran.stdout;
        text += "\n";
    }
    let ran = here(&[
        "cgt",
        "{{2|^*}|-1/2,{0|tiny(1)}} + v*2",
        "--latex",
        "--json",
    ]);
    let printed: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    text += &format!(
        "${}$\n\\end{{document}}\n",
        printed["value"].as_str().unwrap()
    );
    fs::write(folder.path().join("values.tex"), text).unwrap();
    for (program, words) in [
        (
            "pdflatex",
            &["-interaction=nonstopmode", "-halt-on-error", "values.tex"][..],
        ),
        ("tectonic", &["values.tex"]),
    ] {
        let ran = Command::new(program)
            .args(words)
            .current_dir(folder.path())
            .output();
        if let Ok(ran) = ran {
            let said = String::from_utf8_lossy(&ran.stdout);
            assert!(ran.status.success(), "{program}: {said}");
            return;
        }
    }
    eprintln!("skipped: there is neither pdflatex nor tectonic");
}

/// A file called .png used to get SVG.
#[test]
fn a_picture_that_is_not_called_svg_is_refused() {
    let folder = tempdir().unwrap();
    for words in [
        &["value", "clobber", "2x2", "--thermograph", "t.png"][..],
        &["cgt", "{1|-1}", "--thermograph", "t.png"],
    ] {
        let ran = upstar(words, folder.path(), b"");
        assert_eq!(ran.status, 2);
        assert!(
            ran.stderr.contains("right: --thermograph t.svg"),
            "{}",
            ran.stderr
        );
        assert!(!folder.path().join("t.png").exists());
    }
    let ran = upstar(
        &["cgt", "{3|{1|-1}}", "--thermograph", "t.svg"],
        folder.path(),
        b"",
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(folder.path().join("t.svg").exists());
}
