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

/// `value` takes a typed game too, and says what `cgt` says.
#[test]
fn typed_games_are_valued_as_they_are_calculated() {
    for text in ["{0|*}", "^ > *", "-1", "2.^ + +-1", "v*", "tiny(2)", "0"] {
        for form in [&[][..], &["--json"], &["--latex"]] {
            let ran = |verb| here(&[&[verb, text], form].concat());
            let (value, cgt) = (ran("value"), ran("cgt"));
            assert_eq!(value.status, cgt.status, "{text}: {}", value.stderr);
            assert_eq!(value.stdout, cgt.stdout, "{text}");
        }
    }
    let folder = tempdir().unwrap();
    let words = ["value", "{3|{1|-1}}", "--thermograph", "t.svg"];
    assert_eq!(upstar(&words, folder.path(), b"").status, 0);
    assert!(folder.path().join("t.svg").exists());
    for (words, sentence) in [
        (&["value", "{0|"][..], "'{0|' is not a game: expected"),
        (&["value", "{0|*}", "2x2"], "'{0|*}' and POSITION cannot be"),
        (&["value", "{0|*}", "--stones", "3"], "'{0|*}' and --stones"),
        (&["value", "clober"], "'clober' is not a game; there are"),
        (&["value", "clobber"], "POSITION is missing"),
        (&["value"], "GAME is missing"),
        (&["value", ""], "'' is not a game; there are"),
    ] {
        let ran = here(words);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{words:?}");
        let start = format!("error: {sentence}");
        assert!(ran.stderr.starts_with(&start), "{}", ran.stderr);
        assert!(ran.stderr.contains("\n  right: upstar "), "{}", ran.stderr);
    }
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
    in_cache(&["table", "build", "--stones", "4"], cache.path());
    let export = ["table", "export", "--stones", "4", "--csv"];
    let exported = in_cache(&export, cache.path()).stdout;
    assert_eq!(exported.lines().count(), 54);
}

/// Runs a command that keeps its value tables here.
fn in_cache(words: &[&str], cache: &Path) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_upstar"))
        .args(words)
        .env("UPSTAR_CACHE", cache)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran {
        status: output.status.code().unwrap(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
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

/// What LaTeX is to read: tabulars as they are, names in mathematical mode.
#[test]
fn everything_for_latex_compiles() {
    let folder = tempdir().unwrap();
    let mut text = String::from("\\documentclass{article}\n\\begin{document}\n");
    let cache = tempdir().unwrap();
    // A file may be called anything.
    let file = folder.path().join("a_b%c&d$e#f{g~h^i.txt");
    fs::write(&file, "a=x b=o c=x\na-b b-c\n").unwrap();
    let graph = format!("graph:{}", file.display());
    let table = ["table", "build", "--stones", "4"];
    assert_eq!(in_cache(&table, cache.path()).status, 0);
    for words in [
        &["value", "clobber", "2x1..2x5", "--tabular"][..],
        &["value", "clobber", "--stones", "3", "--tabular"],
        &["value", "clobber", "xxo.xo", "--tabular"],
        &["value", "clobber:cannibal", "x#o|xxo", "--tabular"],
        &["value", "clobber", &graph, "--tabular"],
        &["value", "clobber:cannibal", "1x1..1x7", "--tabular"],
        &["value", "clobber:cannibal", "--stones", "3", "--tabular"],
        &["table", "export", "--stones", "4", "--tabular"],
    ] {
        let ran = in_cache(words, cache.path());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(ran.stdout.starts_with("\\begin{tabular}"), "{}", ran.stdout);
        assert!(ran.stdout.ends_with("\\end{tabular}\n"), "{}", ran.stdout);
        // A page each, for they are longer than one.
        text += &ran.stdout;
        text += "\n\\clearpage\n";
    }
    for words in GAMES_FOR_PROGRAMS {
        for name in names_printed(words, "--latex") {
            text += &format!("${name}$\\par\n");
        }
    }
    text += "\\end{document}\n";
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

#[test]
fn everything_for_cgsuite_is_read_back() {
    let mut games = Games::new();
    for words in GAMES_FOR_PROGRAMS {
        let [plain, cgsuite] = ["--ascii", "--cgsuite"].map(|form| names_printed(words, form));
        assert!(!plain.is_empty());
        assert_eq!(plain.len(), cgsuite.len(), "{words:?}");
        for (plain, cgsuite) in plain.iter().zip(&cgsuite) {
            let mut read = |text: &str| games.parse(text).map_err(|error| error.to_string());
            assert_eq!(read(plain), read(cgsuite), "{words:?}: {cgsuite}");
            assert!(read(cgsuite).is_ok(), "{words:?}: {cgsuite}");
        }
    }
}

/// Commands whose values have every kind of name: numbers, ups, nimbers, switches, tinies, options in options.
const GAMES_FOR_PROGRAMS: [&[&str]; 12] = [
    &["value", "clobber", "2x5"],
    &["value", "clobber", "xxo.xo"],
    &["value", "clobber", "1x1..1x9"],
    &["value", "clobber", "--stones", "5"],
    &["value", "clobber:cannibal", "--stones", "4"],
    &["value", "clobber:cannibal", "xoxox.xoxox"],
    &["cgt", "{{2|^*}|-1/2,{0|tiny(1)}} + v*2"],
    &["cgt", "{4|{2|-1}} + {3|0}"],
    &["cgt", "{^,v|^}", "--reductions"],
    &["cgt", "-3/4 + 2.v*"],
    &["cgt", "miny({1|0})"],
    &["cgt", "+-(2.^) + *3"],
];

/// All names that a command prints, as JSON, in this notation.
fn names_printed(words: &[&str], notation: &str) -> Vec<String> {
    const KEYS: [&str; 9] = [
        "value",
        "left",
        "right",
        "atomic_weight",
        "reduced",
        "incentives",
        "option",
        "by",
        "instead",
    ];
    fn collect(printed: &serde_json::Value, is_name: bool, names: &mut Vec<String>) {
        match printed {
            serde_json::Value::String(name) if is_name => names.push(name.clone()),
            serde_json::Value::Array(all) => {
                all.iter().for_each(|item| collect(item, is_name, names));
            }
            serde_json::Value::Object(object) => {
                for (key, item) in object {
                    collect(item, KEYS.contains(&key.as_str()), names);
                }
            }
            _ => {}
        }
    }
    let (objects, status) = json(&[words, &[notation]].concat(), Path::new("."));
    assert_eq!(status, 0, "{words:?}");
    let mut names = Vec::new();
    for object in &objects {
        collect(object, false, &mut names);
    }
    names
}

/// A file called .png used to get SVG.
#[test]
fn a_picture_that_is_not_called_svg_is_refused() {
    let folder = tempdir().unwrap();
    for words in [
        &["value", "clobber", "2x2", "--thermograph", "t.png"][..],
        &["cgt", "{1|-1}", "--thermograph", "t.png"],
        &["review", "f5d6", "--time", "1ms", "--svg", "t.png"],
        &["show", "clobber", "2x2", "--svg", "t.png"],
        &["tree", "clobber", "2x2", "--svg", "t.png"],
        &["review", "f5d6", "--time", "1ms", "--page", "t.png"],
    ] {
        let ran = upstar(words, folder.path(), b"");
        assert_eq!(ran.status, 2);
        let option = words[words.len() - 2];
        let ending = if option == "--page" { "html" } else { "svg" };
        let sentence = format!("t.png does not end in .{ending}, and {option} writes ");
        assert!(ran.stderr.contains(&sentence), "{}", ran.stderr);
        let right = format!("right: {option} t.{ending}");
        assert!(ran.stderr.contains(&right), "{}", ran.stderr);
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
