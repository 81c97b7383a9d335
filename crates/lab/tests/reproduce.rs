//! Tables run again on a small scale: on any number of threads and shards, interrupted and resumed.

use std::fs;
use std::path::Path;

use serde_json::Value;
use upstar_agents::Resources;
use upstar_jobs::Budget;
use upstar_lab::{Experiment, Folder, Plan, Problem, Progress, Shard, find_all};

fn plan(names: &[&str], scale: f64) -> Plan {
    let tables = names
        .iter()
        .map(|name| Experiment::find(name).unwrap_or_else(|error| panic!("{error}")));
    Plan {
        tables: tables.collect(),
        cells: Vec::new(),
        scale,
        seeds: 1,
        shard: Shard::WHOLE,
        threads: 2,
        resources: Resources::default(),
    }
}

fn run(plan: &Plan, path: &Path) -> bool {
    let folder = Folder::open(path, plan.scale, plan.shard).unwrap();
    let complete = plan
        .run(&folder, &Budget::unlimited(), &mut |_| {})
        .unwrap_or_else(|problem| panic!("{problem}"));
    folder.gather().unwrap();
    complete
}

/// The cells of a table in a folder, without the time that they took.
fn cells(path: &Path, table: &str) -> Vec<Value> {
    let text = fs::read_to_string(path.join(table).join("cells.jsonl")).unwrap();
    let cells = text.lines().map(|line| {
        let mut cell: Value = serde_json::from_str(line).unwrap();
        cell["seconds"] = Value::Null;
        cell
    });
    cells.collect()
}

/// The share of games won that is printed, and ours.
fn shares(cell: &Value, games: f64) -> (f64, f64) {
    let share = |key: &str| cell[key].as_f64().unwrap() / games;
    (share("paper"), share("ours"))
}

/// Table 5.1 of leiden2018: what is certain comes out exactly, the rest nearly.
#[test]
fn random_and_pick_first_play_as_printed() {
    let folder = tempfile::tempdir().unwrap();
    assert!(run(&plan(&["leiden2018/5.1"], 0.05), folder.path()));
    let cells = cells(folder.path(), "leiden2018/5.1");
    assert_eq!(cells.len(), 32);
    let differing = cells.iter().filter(|cell| cell["verdict"] != "agrees");
    assert!(differing.count() <= 2, "{cells:?}");
    for cell in &cells {
        let (printed, ours) = shares(cell, 100_000.0);
        assert!((printed - ours).abs() < 0.03, "{cell}");
        let certain = printed == 0.0 || printed == 1.0;
        assert!(!certain || printed == ours, "{cell}");
    }
}

/// One table of each procedure, as small as possible: there is a number for every cell.
#[test]
fn every_procedure_has_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "leiden2018/5.3",
        "leiden2018/5.4",
        "leiden2018/5.7",
        "leiden2018/5.17",
        "etoeharnowo2017/B.4",
        "etoeharnowo2017/5.3",
        "etoeharnowo2017/5.4",
        "etoeharnowo2017/5.5",
        "etoeharnowo2017/figure-5.2",
        "cammel2015/2",
        "cammel2015/7",
        "cammel2015/9",
        "cammel2015/10",
        "cammel2015/16",
        "cammel2015/19",
        "cammel2015/figure-16",
        "cammel2015/figure-17",
        "cammel2015/section-4.6",
        "linear-solver/chart-2",
        "jans2021/claims",
    ];
    let plan = plan(&names, 0.0005);
    assert!(run(&plan, folder.path()));
    for table in &plan.tables {
        let cells = cells(folder.path(), &table.name());
        assert_eq!(cells.len(), table.cells().count(), "{}", table.name());
        let open = cells.iter().filter(|cell| cell["ours"].is_null()).count();
        // Long rows of stones take more positions than a two-thousandth of what is allowed.
        assert!(
            open == 0 || table.paper == "linear-solver",
            "{}",
            table.name()
        );
    }
    // What is only looked at is the same, and nothing is written by it.
    let (scale, tables) = Folder::look(folder.path()).unwrap();
    assert_eq!((scale, tables.len()), (0.0005, plan.tables.len()));
    assert!(!folder.path().join("report.html").exists());
}

#[test]
fn exact_results_agree() {
    let folder = tempfile::tempdir().unwrap();
    assert!(run(&plan(&["cammel2015/1"], 0.0005), folder.path()));
    let cells = cells(folder.path(), "cammel2015/1");
    let verdict = |verdict: &str| {
        cells
            .iter()
            .filter(|cell| cell["verdict"] == verdict)
            .count()
    };
    assert!(verdict("agrees") >= 25, "{cells:?}");
    assert_eq!(verdict("differs"), 0, "{cells:?}");
}

#[test]
fn results_do_not_depend_on_threads_or_shards() {
    let (table, scale) = ("leiden2018/5.4", 0.0005);
    let [whole, threaded, sharded] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let mut plan = plan(&[table, "cammel2015/15"], scale);
    (plan.seeds, plan.threads) = (3, 1);
    assert!(run(&plan, whole.path()));
    plan.threads = 4;
    assert!(run(&plan, threaded.path()));
    for index in 1..=3 {
        plan.shard = Shard { index, count: 3 };
        assert!(run(&plan, sharded.path()));
    }
    for table in [table, "cammel2015/15"] {
        let expected = cells(whole.path(), table);
        assert_eq!(cells(threaded.path(), table), expected);
        assert_eq!(cells(sharded.path(), table), expected);
    }
    assert_eq!(cells(whole.path(), table)[0]["seeds"], 3);
}

#[test]
fn a_run_that_was_stopped_goes_on() {
    let table = "leiden2018/5.4";
    let [whole, stopped] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let mut plan = plan(&[table], 0.0005);
    (plan.seeds, plan.threads) = (2, 1);
    assert!(run(&plan, whole.path()));
    let mut sessions = 0;
    loop {
        sessions += 1;
        let budget = Budget::unlimited();
        let folder = Folder::open(stopped.path(), plan.scale, plan.shard).unwrap();
        let (mut done, stop) = (0, budget.stop_flag());
        let mut fresh = 0;
        let complete = plan
            .run(&folder, &budget, &mut |progress| {
                if matches!(progress, Progress::Done(_)) {
                    done += 1;
                    fresh += 1;
                    if fresh > 10 * sessions {
                        stop.store(true, std::sync::atomic::Ordering::Relaxed);
                    }
                }
            })
            .unwrap();
        folder.gather().unwrap();
        drop(folder);
        // As if it had been killed while it wrote a line.
        let file = stopped.path().join(table).join("runs-1-of-1.jsonl");
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text + "{\"table\":\"leiden20").unwrap();
        let unfinished = Folder::unfinished(stopped.path());
        assert_eq!(unfinished.is_empty(), complete, "{unfinished:?}");
        if complete {
            break;
        }
        assert_eq!(unfinished[0].runs, plan.len());
        assert!((1..plan.len()).contains(&unfinished[0].done));
    }
    assert!(sessions > 1);
    assert!(run(&plan, stopped.path()));
    assert_eq!(cells(stopped.path(), table), cells(whole.path(), table));
}

/// The rule of `Reading::earns_default`, with the results that are in the repository.
#[test]
fn default_readings_are_those_that_results_speak_for() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/papers");
    let (_, results) = Folder::look(&folder).unwrap();
    let mut defaults = 0;
    for table in &results {
        for reading in table.table.readings() {
            let name = (table.table.name(), &reading.name);
            assert_eq!(reading.earns_default(&results), reading.default, "{name:?}");
            defaults += u32::from(reading.default);
        }
    }
    assert!(defaults > 0);
    let table = results.iter().find(|it| it.table.name() == "cammel2015/10");
    let table = table.expect("it was run");
    let reading = table.table.reading().expect("its default was run");
    assert_eq!(reading.name, "errors-after");
    assert_eq!(table.cells[0].reading.as_deref(), Some("errors-after"));
    assert!(table.readings.iter().any(|it| it.reading.name == "plain"));
}

/// Results that were written by somebody else: the file and the line are named.
#[test]
fn lines_that_cannot_be_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(&["leiden2018/5.3"], 0.0001);
    assert!(run(&plan, folder.path()));
    let file = folder.path().join("leiden2018/5.3/runs-1-of-1.jsonl");
    let sealed = fs::read_to_string(&file).unwrap();
    // A digit that could be another one is noticed.
    let place = sealed.find("\"seconds\":").unwrap() + "\"seconds\":".len();
    let other = if sealed[place..].starts_with('1') {
        "2"
    } else {
        "1"
    };
    let changed = format!("{}{other}{}", &sealed[..place], &sealed[place + 1..]);
    fs::write(&file, changed).unwrap();
    let said = Folder::report(folder.path()).expect_err("a changed digit");
    assert!(said.to_string().contains("its seal is broken"), "{said}");
    // As older programs wrote them, and as somebody who wants to be believed would.
    let unsealed = |line: &str| line.split(",\"seal\":").next().unwrap().to_owned() + "}\n";
    let text: String = sealed.lines().map(unsealed).collect();
    assert!(text != sealed);
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let refused = |change: &dyn Fn(&mut Value), part: &str| {
        let mut line = last.clone();
        change(&mut line);
        fs::write(&file, format!("{text}{line}\n")).unwrap();
        let said = Folder::report(folder.path()).expect_err(part).to_string();
        let place = format!("runs-1-of-1.jsonl, line {}: ", text.lines().count() + 1);
        assert!(said.contains(&place) && said.contains(part), "{said}");
    };
    let games = last["values"][0]["games"].as_u64().unwrap();
    refused(
        &|line| line["values"][0]["wins"] = (games + 1).into(),
        "games won of",
    );
    refused(
        &|line| line["values"][0]["games"] = (games + 1).into(),
        "there twice and differs",
    );
    refused(
        &|line| line["scale"] = 0.5.into(),
        "--scale 0.5, not with 0.0001",
    );
    refused(
        &|line| line["version"] = "0".into(),
        "another version of this experiment",
    );
    refused(&|line| line["run"] = 99.into(), "no such run");
    // The same line again does no harm, however long it took.
    let mut again = last.clone();
    again["seconds"] = 99.0.into();
    fs::write(&file, format!("{text}{again}\n")).unwrap();
    let tables = Folder::report(folder.path()).unwrap();
    assert_eq!(tables[0].cells.len(), 16);
}

/// A reading changes what it names and nothing else, and its results stand beside the ordinary ones.
#[test]
fn a_table_is_run_under_another_reading() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(&["cammel2015/10"], 0.05);
    plan.cells = vec!["hidden_neurons=4 used_examples=100".to_owned()];
    assert!(run(&plan, folder.path()));
    let table = &plan.tables[0];
    assert!(table.under("no-such-reading").is_none());
    let under = table.under("errors-after").unwrap();
    assert_ne!(under.version(0), table.version(0));
    plan.tables = vec![under];
    assert!(run(&plan, folder.path()));
    let (_, results) = Folder::look(folder.path()).unwrap();
    let [results] = &results[..] else {
        panic!("there is one table");
    };
    let [under] = &results.readings[..] else {
        panic!("it was run under one reading");
    };
    assert_eq!(under.reading.name, "errors-after");
    assert_eq!(under.cells.len(), results.cells.len());
    let mean = |cells: &[upstar_lab::Cell]| {
        let ours = cells.iter().map(|cell| cell.ours.as_f64().unwrap());
        ours.sum::<f64>() / cells.len() as f64
    };
    assert_ne!(mean(&under.cells), mean(&results.cells));
}

/// Every key and column that a reading sets is known to the procedure: each runs.
#[test]
fn every_reading_can_be_run() {
    let folder = tempfile::tempdir().unwrap();
    for table in ["cammel2015/13", "cammel2015/18", "leiden2018/5.4"] {
        let table = Experiment::find(table).unwrap();
        for reading in table.readings() {
            let mut plan = plan(&[&table.name()], 0.001);
            let first = table.cell_name(table.cells().next().unwrap());
            plan.cells = vec![first];
            plan.tables = vec![table.under(&reading.name).unwrap()];
            assert!(run(&plan, folder.path()), "{}", reading.name);
        }
    }
}

#[test]
fn folders_of_others_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let open = |path: &Path| Folder::open(path, 1.0, Shard::WHOLE).map(|_| ());
    let [notes, run, shards] = ["notes", "run", "shards"].map(|name| folder.path().join(name));
    for path in [&notes, &run, &shards] {
        fs::create_dir(path).unwrap();
    }
    fs::write(notes.join("report.html"), "mine").unwrap();
    let refused = open(&notes).unwrap_err().to_string();
    assert!(
        refused.contains("holds report.html and no manifest.json"),
        "{refused}"
    );
    assert_eq!(fs::read_dir(&notes).unwrap().count(), 1);
    fs::write(
        run.join("manifest.json"),
        "{\"program\":\"upstar\",\"seed\":1}",
    )
    .unwrap();
    let refused = open(&run).unwrap_err().to_string();
    assert!(refused.contains("is not that of results"), "{refused}");
    // What another shard begins with.
    fs::write(shards.join("shard-2-of-2.lock"), "").unwrap();
    fs::write(shards.join("manifest.part"), "").unwrap();
    assert!(open(&shards).is_ok());
}

#[test]
fn folders_that_are_not_right_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(&["leiden2018/5.3"], 0.0001);
    assert!(run(&plan, folder.path()));
    let refused = Folder::open(folder.path(), 0.5, Shard::WHOLE).unwrap_err();
    assert!(refused.to_string().contains("--scale 0.0001"), "{refused}");
    let held = Folder::open(folder.path(), plan.scale, Shard::WHOLE).unwrap();
    let refused = Folder::open(folder.path(), plan.scale, Shard::WHOLE).unwrap_err();
    assert!(refused.to_string().contains("shard 1/1"), "{refused}");
    let file = folder.path().join("leiden2018/5.3/runs-1-of-1.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("nonsense\n{text}")).unwrap();
    plan.seeds = 2;
    let problem = plan
        .run(&held, &Budget::unlimited(), &mut |_| {})
        .unwrap_err();
    let Problem::Sentence(sentence) = problem else {
        panic!("{problem}")
    };
    assert!(sentence.contains("line 1: it is damaged"), "{sentence}");
    assert!(Folder::report(&folder.path().join("nowhere")).is_err());
}

#[test]
fn all_tables_of_the_papers_are_there() {
    let names = |paper: &str| -> Vec<String> {
        find_all(paper)
            .unwrap()
            .iter()
            .map(|table| table.table.clone())
            .collect()
    };
    let leiden: Vec<String> = (1..=17).map(|number| format!("5.{number}")).collect();
    assert!(leiden.iter().all(|name| names("leiden2018").contains(name)));
    let cammel: Vec<String> = (1..=25).map(|number| number.to_string()).collect();
    assert!(cammel.iter().all(|name| names("cammel2015").contains(name)));
    let etoeharnowo = (1..=5).flat_map(|number| [format!("5.{number}"), format!("B.{number}")]);
    let there = names("etoeharnowo2017");
    assert!(etoeharnowo.into_iter().all(|name| there.contains(&name)));
}
