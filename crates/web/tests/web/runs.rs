//! Runs, games and papers as the page gets them.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use upstar_runs::Kind;
use upstar_solve::run::{PROGRESS, SolveProgress};
use upstar_web::article::{Article, is_systematic};
use upstar_web::games::GameFilter;
use upstar_web::papers;
use upstar_web::report::Report;
use upstar_web::runs::{
    ParameterDetail, RunIndex, RunRefusal, State, TrialRung, TuningDetail, look, look_papers,
    progress,
};

use crate::client::Running;

/// A folder of this repository.
fn project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name)
}

/// A copy of a folder's files.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        if entry.path().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// Two records of a match.
const RECORDS: &str = r#"{"game":"clobber","position":"1x4","black":"a","white":"b","black_agent":"random","white_agent":"mc:5","seed":1,"index":0,"opening":[],"start":"xoxo","to_move":"x","moves":["a1b1","d1c1"],"thoughts":[],"winner":"o","score":null,"reason":"rules"}
{"game":"clobber","position":"1x4","black":"b","white":"a","black_agent":"mc:5","white_agent":"random","seed":1,"index":1,"opening":["a1b1"],"start":".xxo","to_move":"o","moves":["d1c1"],"thoughts":[],"winner":"o","score":null,"reason":"rules"}
"#;

#[test]
fn runs_are_found_and_known_by_identifiers_alone() {
    let folder = tempfile::tempdir().unwrap();
    copy(
        &project("results/alphazero/clobber-4x4-seed2"),
        &folder.path().join("deep/Az One"),
    );
    copy(&project("runs/5x7"), &folder.path().join("solve"));
    copy(&project("runs/5x7"), &folder.path().join(".hidden"));
    copy(&project("runs/5x7"), &folder.path().join("cache/run"));
    fs::write(folder.path().join("cache/CACHEDIR.TAG"), "").unwrap();
    fs::write(folder.path().join("match.jsonl"), RECORDS).unwrap();
    fs::write(folder.path().join("other.jsonl"), "{}\n").unwrap();
    let runs = RunIndex::new(vec![folder.path().to_owned()]);
    let list = runs.list();
    let mut names: Vec<_> = list
        .runs
        .iter()
        .map(|run| (run.name.as_str(), run.kind.name()))
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            ("deep/Az One", "alphazero"),
            ("match", "match"),
            ("solve", "solve")
        ]
    );
    assert!(!list.can_start);
    for run in &list.runs {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(run.id.chars().all(plain), "{}", run.id);
        assert_eq!(runs.detail(&run.id).unwrap().run.id, run.id);
        // Another start of the program knows it by the same name.
        let again = RunIndex::new(vec![folder.path().to_owned()]);
        assert!(again.detail(&run.id).is_ok());
    }
    for id in ["", "../solve", "solve", "/etc", "deep/Az One", "..%2f"] {
        assert_eq!(runs.detail(id).unwrap_err(), RunRefusal::Unknown, "{id}");
        assert_eq!(runs.network(id, "network"), None);
    }
    let id = &list.runs.iter().find(|run| run.name == "solve").unwrap().id;
    for name in ["../config", "config", "network/../../x", ""] {
        assert_eq!(runs.network(id, name), None, "{name}");
    }
    for refused in [
        runs.stop(id),
        runs.resume(id),
        runs.start("new", "").map(drop),
    ] {
        assert_eq!(refused, Err(RunRefusal::ReadOnly));
    }
}

#[test]
fn a_run_that_grows_is_followed_without_its_lock() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    copy(&project("results/alphazero/clobber-4x4-seed2"), &run);
    let log = run.join("learner.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&log, lines[..2].join("\n") + "\n").unwrap();
    let runs = RunIndex::new(vec![folder.path().to_owned()]);
    let id = runs.list().runs[0].id.clone();
    let points = || {
        let detail = runs.detail(&id).unwrap();
        let chart = detail
            .charts
            .iter()
            .find(|chart| chart.title == "Policy loss");
        (
            chart.unwrap().lines[0].points.len(),
            detail.run.progress.clone(),
        )
    };
    assert_eq!(points(), (2, "2 of 70 steps".to_owned()));
    assert!(runs.changed().is_empty() && runs.changed().is_empty());
    let mut file = fs::OpenOptions::new().append(true).open(&log).unwrap();
    writeln!(file, "{}", lines[2]).unwrap();
    // A line that is being written does not count yet.
    write!(file, "{}", &lines[3][..40]).unwrap();
    assert_eq!(runs.changed(), std::slice::from_ref(&id));
    assert!(runs.changed().is_empty());
    assert_eq!(points().0, 3);
    let held = upstar_runs::lock::hold(&run.join("lock")).unwrap().unwrap();
    assert_eq!(runs.list().runs[0].state, State::Running);
    assert_eq!(points().0, 3);
    drop(held);
    assert_eq!(runs.list().runs[0].state, State::Interrupted);
    let games = runs.games(
        &id,
        &GameFilter {
            set: "tests-1".into(),
            ..GameFilter::default()
        },
    );
    assert!(
        games
            .unwrap()
            .games
            .iter()
            .all(|game| game.black == "network" || game.white == "network")
    );
}

#[test]
fn records_have_a_table_and_games_to_replay() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("match.jsonl"), RECORDS).unwrap();
    let runs = RunIndex::new(vec![folder.path().to_owned()]);
    let id = runs.list().runs[0].id.clone();
    let standings = runs.detail(&id).unwrap().standings.clone().unwrap();
    assert_eq!((standings.games, standings.white_wins), (2, 2));
    assert_eq!(standings.players[0].wins, 1);
    let found = |filter: GameFilter| runs.games(&id, &filter).unwrap();
    let all = found(GameFilter::default());
    assert_eq!((all.total, all.games.len()), (2, 2));
    // The moves of an opening are moves of the game, from where it began.
    let second = &all.games[1];
    assert_eq!(
        (second.position.as_str(), second.to_move, second.opening),
        ("xoxo", 'x', 1)
    );
    assert_eq!(second.moves, ["a1b1", "d1c1"]);
    let of = |player: &str, winner: &str| GameFilter {
        player: player.to_owned(),
        winner: winner.to_owned(),
        ..GameFilter::default()
    };
    assert_eq!(found(of("a", "")).total, 2);
    assert_eq!(found(of("nobody", "")).total, 0);
    assert_eq!(found(of("", "x")).total, 0);
    let page = found(GameFilter {
        from: 1,
        count: Some(1),
        ..GameFilter::default()
    });
    assert_eq!((page.total, page.games[0].index), (2, 1));
    let unknown = GameFilter {
        set: "../games".into(),
        ..GameFilter::default()
    };
    assert!(matches!(
        runs.games(&id, &unknown),
        Err(RunRefusal::Input(_))
    ));
}

/// A program in a folder that does what this shell script says.
#[cfg(unix)]
fn program(folder: &Path, script: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let program = folder.join("program");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    program
}

/// Begins a run where it is told to, says what it was called with, and works until its standard input ends.
#[cfg(unix)]
const WORKS: &str = r#"echo "$@" > "$(dirname "$0")/called"
if [ "$2" = --out ]; then mkdir -p "$3"; cp "$5" "$3/config.toml"; fi
test "$UPSTAR_STOP_AT_EOF" = 1 && cat > /dev/null
echo stopped > "$(dirname "$0")/stopped"
exit 1"#;

#[cfg(unix)]
fn wait_for(file: &Path) -> String {
    loop {
        let text = fs::read_to_string(file).unwrap_or_default();
        if !text.is_empty() {
            return text;
        }
        std::thread::yield_now();
    }
}

#[cfg(unix)]
#[test]
fn a_run_is_resumed_and_stopped_from_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path(), WORKS);
    let root = folder.path().join("runs");
    copy(&project("runs/5x7"), &root.join("solve"));
    let runs = RunIndex::new(vec![root.clone()]).with_program(program, 2);
    let id = runs.list().runs[0].id.clone();
    assert!(matches!(runs.stop(&id), Err(RunRefusal::Input(_))));
    // It says that it works as a real run does.
    let held = upstar_runs::lock::hold(&root.join("solve/lock"));
    drop(held.unwrap().unwrap());
    runs.resume(&id).unwrap();
    assert!(runs.detail(&id).unwrap().ours);
    let again = runs.resume(&id).unwrap_err().to_string();
    assert_eq!(again, "the run is under way already");
    assert_eq!(
        wait_for(&folder.path().join("called")).trim(),
        format!("resume -- {}", root.join("solve").display())
    );
    runs.stop(&id).unwrap();
    while runs.detail(&id).unwrap().ours {
        std::thread::yield_now();
    }
    wait_for(&folder.path().join("stopped"));
    for (name, config, why) in [
        ("../x", "", "a run's name has"),
        ("Big", "", "a run's name has"),
        ("x", "a =", "no TOML"),
        ("x", "a = 1", "not that of a training"),
        (
            "x",
            "players = ['net:/etc/passwd']",
            "names /etc/passwd, which is not below",
        ),
        (
            "x",
            "players = []\nopenings = '../x'",
            "names ../x, which is not below",
        ),
        ("x", "players = ['engine:\"ls\"']", "runs a command"),
    ] {
        let refused = runs.start(name, config).unwrap_err().to_string();
        assert!(refused.contains(why), "{name}: {refused}");
    }
    assert_eq!(
        fs::read_dir(&root).unwrap().count(),
        1,
        "a refusal leaves nothing behind"
    );
    runs.start("new", "players = []").unwrap();
    assert!(root.join("new/config.toml").is_file());
}

#[cfg(unix)]
#[test]
fn a_start_that_fails_says_why_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let script =
        "mkdir \"$3\"; echo \"error: players is empty\" >&2; echo \"  right: two\" >&2; exit 2";
    let program = program(folder.path(), script);
    let root = folder.path().join("runs");
    fs::create_dir(&root).unwrap();
    let runs = RunIndex::new(vec![root.clone()]).with_program(program, 2);
    let refused = runs.start("new", "players = []").unwrap_err();
    assert_eq!(refused, RunRefusal::Input("players is empty".to_owned()));
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
    // The name is free again.
    let again = runs.start("new", "players = []").unwrap_err();
    assert_eq!(again, refused);
}

#[cfg(unix)]
#[test]
fn only_so_many_runs_are_under_way_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path(), WORKS);
    let root = folder.path().join("runs");
    fs::create_dir(&root).unwrap();
    let runs = RunIndex::new(vec![root.clone()]).with_program(program, 2);
    let first = runs.start("one", "players = []").unwrap();
    runs.start("two", "players = []").unwrap();
    let refused = runs.start("three", "players = []").unwrap_err();
    assert!(matches!(refused, RunRefusal::Crowded(_)), "{refused}");
    assert!(refused.to_string().contains("stop one first"), "{refused}");
    assert!(!root.join("three.toml").exists());
    runs.stop(&first).unwrap();
    while runs.detail(&first).unwrap().ours {
        std::thread::yield_now();
    }
    runs.start("three", "players = []").unwrap();
}

/// The lines that a solve writes on its way become curves, also of a session that was killed.
#[test]
fn a_solve_is_watched_while_it_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("solve");
    copy(&project("runs/5x7"), &run);
    let line = |session: u64, seconds: f64, nodes: u64, refuted: usize| SolveProgress {
        session,
        seconds,
        nodes,
        decided: nodes / 100,
        first_moves_refuted: Some(refuted),
        first_moves: Some(60),
        fill: 0.25,
        memory: 1 << 30,
        left: (refuted > 0).then_some(90.0),
    };
    let mut log = upstar_runs::Log::append(&run.join(PROGRESS)).unwrap();
    let runs = RunIndex::new(vec![folder.path().to_owned()]);
    let id = runs.list().runs[0].id.clone();
    let before = runs.detail(&id).unwrap().solve.clone().unwrap();
    let held = upstar_runs::lock::hold(&run.join("lock")).unwrap().unwrap();
    let mut points = Vec::new();
    for (session, seconds, nodes, refuted) in [
        (90, 2.0, 1000, 0),
        (90, 4.0, 3000, 1),
        (91, 2.0, 500, 1),
        (91, 4.0, 700, 2),
    ] {
        log.add(&line(session, seconds, nodes, refuted)).unwrap();
        let detail = runs.detail(&id).unwrap();
        let chart = detail.charts.iter().find(|it| it.title == "Searched");
        points.push(chart.unwrap().lines[0].points.clone());
    }
    // The curve grows; a session begins where the killed one ended.
    assert_eq!(
        points.iter().map(Vec::len).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
    let searched: Vec<u64> = points[3].iter().map(|point| point[1] as u64).collect();
    let from = |nodes: u64| before.nodes + nodes;
    // Sessions of older programs have no lines, and come first.
    assert_eq!(searched, [from(1000), from(3000), from(3500), from(3700)]);
    let detail = runs.detail(&id).unwrap();
    let solve = detail.solve.as_ref().unwrap();
    assert_eq!(solve.nodes, from(3700));
    assert!((solve.seconds - before.seconds - 8.0).abs() < 1e-6);
    assert_eq!((solve.refuted, solve.first_moves), (Some(2), Some(60)));
    assert_eq!(detail.left, Some(90.0));
    assert!(
        detail.run.progress.contains("2 of 60 first moves"),
        "{}",
        detail.run.progress
    );
    drop(held);
    assert_eq!(runs.detail(&id).unwrap().left, None, "nobody works on it");
    let report = Report::of(&[run]).unwrap().html();
    assert!(report.contains("Subproblems decided"));
}

/// A quick training has dropped the games of a step before somebody asks for them.
#[test]
fn games_that_are_not_kept_are_none_with_a_word() {
    let folder = tempfile::tempdir().unwrap();
    copy(
        &project("results/alphazero/clobber-4x4-seed2"),
        &folder.path().join("az"),
    );
    let runs = RunIndex::new(vec![folder.path().to_owned()]);
    let id = runs.list().runs[0].id.clone();
    let games = |set: &str| {
        let set = set.to_owned();
        let filter = GameFilter {
            set,
            ..GameFilter::default()
        };
        runs.games(&id, &filter)
    };
    let gone = games("step-999999").unwrap();
    assert_eq!((gone.total, gone.games.len()), (0, 0));
    let remark = gone.remark.unwrap();
    assert_eq!(remark, "The games of step 999999 are not kept.");
    for set in ["step-", "step-x", "../x", "games"] {
        assert!(games(set).is_err(), "{set}");
    }
}

#[cfg(unix)]
#[test]
fn names_that_a_terminal_would_obey_are_written_out() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("red\u{1b}[31m\nrun");
    copy(&project("runs/5x7"), &run);
    let runs = RunIndex::new(vec![folder.path().to_owned()]);
    let list = runs.list();
    let detail = runs.detail(&list.runs[0].id).unwrap();
    let resume = detail.resume.as_deref().unwrap();
    for text in [list.runs[0].name.as_str(), detail.command.as_str(), resume] {
        assert!(!text.contains(char::is_control), "{text:?}");
    }
    assert_eq!(list.runs[0].name, r"red\u{1b}[31m\nrun");
}

#[test]
fn a_report_is_one_file_that_needs_nothing_else() {
    let folders = ["clobber-4x4-seed2", "clobber-4x4-seed3"]
        .map(|name| project("results/alphazero").join(name));
    let report = Report::of(&folders).unwrap();
    let page = report.html();
    assert_eq!(report.runs().count(), 2);
    assert!(page.contains("clobber-4x4-seed2, clobber-4x4-seed3 · Upstar"));
    let elsewhere = [
        "src=", "@import ", "url(", "import {", "export {", "http://", "https://",
    ];
    for link in elsewhere {
        // The address of SVG's names is no request.
        let page = page.replace("http://www.w3.org/", "");
        assert!(!page.contains(link), "{link}");
    }
    let data = page
        .split("id=\"data\">")
        .nth(1)
        .unwrap()
        .split("</script>")
        .next()
        .unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(
        data["runs"][0].as_array().unwrap().len(),
        2,
        "they are laid over each other"
    );
    let (place, refusal) = Report::of(&[folders[0].clone(), project("docs")]).unwrap_err();
    assert_eq!((place, refusal), (1, RunRefusal::Unknown));
}

#[test]
fn every_printed_number_is_there_before_anything_was_run() {
    let printed = papers::printed();
    let table = |name: &str| {
        printed
            .tables
            .iter()
            .find(|table| table.table == name)
            .unwrap()
    };
    let first = &table("leiden2018/5.4").cells[0];
    assert_eq!(
        (&first.paper, first.verdict.as_str()),
        (&json!(35179.0), "waiting")
    );
    let grid = table("leiden2018/5.4").grid.as_ref().unwrap();
    assert_eq!(grid.rows.len() * grid.columns.len(), grid.fields.len());
}

#[test]
fn the_server_answers_about_runs_and_a_public_one_only_shows_them() {
    for public in [false, true] {
        let server = Running::start(public);
        let list = server.get("/api/runs");
        assert_eq!(list.status, 200, "{list:?}");
        assert_eq!(list.json()["can_start"], !public);
        for path in [
            "/api/runs/none",
            "/api/runs/..%2f..%2fetc",
            "/api/papers/..%2f",
            "/api/runs/none/games?set=../x",
        ] {
            assert_eq!(server.get(path).status, 404, "{path}");
        }
        assert_eq!(
            server.get("/api/papers/printed").json()["tables"][0]["printed"],
            true
        );
        // Without a folder there is nowhere to start a run either.
        let config = r#"{"name": "x", "config": "players = []"}"#;
        assert_eq!(server.post("/api/runs", config).status, 403);
        assert_eq!(
            server.post("/api/runs/none/stop", "{}").status,
            if public { 403 } else { 404 }
        );
        let job = json!({
            "tab": "0".repeat(32), "id": "a", "command": "choose", "game": "clobber", "position": "2x2", "agent": "run:x:../network",
        });
        assert_eq!(server.post("/api/jobs", &job.to_string()).status, 404);
    }
}

#[test]
fn a_reproduction_that_was_killed_is_not_finished() {
    let folder = tempfile::tempdir().unwrap();
    let table = "cammel2015/10";
    for part in [table, "cammel2015/10/errors-after"] {
        let from = project("results/papers").join(part);
        copy(&from, &folder.path().join(part));
    }
    let manifest = json!({"kind": "reproduce", "program": "upstar", "scale": 1.0});
    fs::write(folder.path().join("manifest.json"), manifest.to_string()).unwrap();
    let state = |asked: Value| {
        fs::write(folder.path().join("plan-1.json"), asked.to_string()).unwrap();
        progress(folder.path(), Kind::Reproduce)
    };
    let asked = |table: &str, reading: Option<&str>, seeds: u64| json!({"tables": [{"table": table, "reading": reading}], "cells": [], "seeds": seeds});
    assert_eq!(state(asked(table, None, 16)).state, State::Finished);
    // More seeds, another reading, another table.
    for (asked, words) in [
        (asked(table, None, 17), "96 of 102 runs"),
        (asked(table, Some("errors-after"), 17), "96 of 102 runs"),
        (asked("cammel2015/1", None, 1), "0 of 49 runs"),
    ] {
        let killed = state(asked);
        assert_eq!(killed.state, State::Interrupted);
        assert_eq!(killed.words, words);
    }
}

/// All numbers of the article's sentences are there, and each table that differs systematically has its sentence.
#[test]
fn the_article_is_made_of_the_results() {
    let folder = project("results/papers");
    let (_, results) = upstar_lab::Folder::look(&folder).unwrap();
    let article = Article::of(&folder, &results).unwrap();
    let html = article.html();
    for paper in upstar_lab::papers() {
        assert!(html.contains(&format!("\"name\":\"{paper}\"")), "{paper}");
    }
    for gap in [upstar_lab::NOT_RUN, "Nothing was ruled out yet"] {
        assert!(!html.contains(gap), "{gap}");
    }
    let systematic = results.iter().filter(|results| is_systematic(results));
    assert!(systematic.count() > 10);
}

/// The keys of a type in the page's file of types.
fn keys(name: &str) -> BTreeSet<String> {
    let types = include_str!("../../page/runs/types.js");
    let end = types
        .find(&format!("}} {name}\n"))
        .or_else(|| types.find(&format!("}} {name} */")));
    let end = end.unwrap_or_else(|| panic!("there is no type {name}"));
    let begin = types[..end].rfind("@typedef {").unwrap() + "@typedef {".len();
    let (mut keys, mut depth, mut word) = (BTreeSet::new(), 0, String::new());
    for c in types[begin..end].chars() {
        match c {
            '{' | '<' | '[' | '(' => depth += 1,
            '}' | '>' | ']' | ')' => depth -= 1,
            ':' if depth == 1 && !word.is_empty() => {
                keys.insert(std::mem::take(&mut word));
            }
            c if c.is_ascii_alphanumeric() || c == '_' => word.push(c),
            '?' => {}
            _ => word.clear(),
        }
    }
    if types[begin..end].starts_with("RunSummary &") {
        keys.extend(self::keys("RunSummary"));
    }
    keys
}

fn check(name: &str, value: &Value) {
    let ours: BTreeSet<String> = value.as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys(name), ours, "{name}");
}

#[test]
fn the_page_knows_the_types_that_the_server_tells() {
    let value = |what: &dyn erased::Told| what.value();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.jsonl");
    fs::write(&file, RECORDS).unwrap();
    let runs = RunIndex::new(vec![folder.path().to_owned()]);
    let list = value(&runs.list());
    check("RunList", &list);
    check("RunSummary", &list["runs"][0]);
    let alphazero = value(&*look(&project("results/alphazero/clobber-4x4-seed2")).unwrap());
    check("RunDetail", &alphazero);
    check("Fact", &alphazero["facts"][0]);
    check("Setting", &alphazero["settings"][0]);
    check("Chart", &alphazero["charts"][0]);
    check("ChartLine", &alphazero["charts"][0]["lines"][0]);
    check("GameSet", &alphazero["games"][0]);
    let trained = value(&*look(&project("results/alphazero/clobber-4x4")).unwrap());
    check("NetworkFile", &trained["networks"][0]);
    let solve = value(&*look(&project("runs/5x7")).unwrap());
    check("SolveDetail", &solve["solve"]);
    let sessions = solve["solve"]["sessions"].as_array().unwrap();
    check("SolveSession", &sessions[0]);
    let played = value(&*look(&file).unwrap());
    check("Standings", &played["standings"]);
    check("Standing", &played["standings"]["players"][0]);
    check("Counts", &played["standings"]["cross"][0][1]);
    let games = value(
        &runs
            .games(&runs.list().runs[0].id, &GameFilter::default())
            .unwrap(),
    );
    check("GamePage", &games);
    check("GameRow", &games["games"][0]);
    let papers = look_papers(&project("results/papers")).unwrap();
    let table = &papers.tables[0];
    let cell = table.cells.iter().find(|cell| cell.seeds > 1).unwrap();
    let samples = papers.samples(&table.table, &cell.name).unwrap();
    assert_eq!(samples.samples.len(), cell.seeds);
    check("PaperSamples", &value(&samples));
    check("PaperSample", &value(&samples)["samples"][0]);
    let papers = value(&*papers);
    check("Papers", &papers);
    check("Summary", &papers["summary"]);
    check("PaperTable", &papers["tables"][0]);
    check("PaperCell", &papers["tables"][0]["cells"][0]);
    let tables = papers["tables"].as_array().unwrap();
    let grid = tables
        .iter()
        .find(|table| !table["grid"].is_null())
        .unwrap();
    check("PaperGrid", &grid["grid"]);
    let tuning = value(&TuningDetail {
        parameters: vec![ParameterDetail {
            key: String::new(),
            explained: 0.0,
            chance: 0.0,
            correlation: None,
            best: String::new(),
            good: String::new(),
            logarithmic: false,
            choices: Vec::new(),
        }],
        best: None,
        score: None,
        unit: "games",
        rungs: vec![TrialRung {
            trial: 0,
            learned: 0,
            score: None,
            places: Vec::new(),
            values: Vec::new(),
        }],
    });
    check("TuningDetail", &tuning);
    check("ParameterDetail", &tuning["parameters"][0]);
    check("TrialRung", &tuning["rungs"][0]);
}

mod erased {
    use serde_json::Value;

    /// Anything that can be told.
    pub(super) trait Told {
        fn value(&self) -> Value;
    }

    impl<T: serde::Serialize> Told for T {
        fn value(&self) -> Value {
            serde_json::to_value(self).expect("it is plain data")
        }
    }
}
