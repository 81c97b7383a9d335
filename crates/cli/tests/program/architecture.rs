//! The crates use each other as ARCHITECTURE.md says and hold all their files, and others' crates
//! have the licences that deny.toml allows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::project;
use serde_json::Value;

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(project())
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON")
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// A crate's folder below `crates/`.
fn folder(package: &Value) -> Option<String> {
    let manifest = text(package, "manifest_path");
    let (before, _) = manifest
        .strip_suffix("/Cargo.toml")?
        .rsplit_once("/crates/")?;
    let crates = project().display().to_string();
    (before == crates).then(|| manifest[before.len() + 8..manifest.len() - 11].to_owned())
}

/// The rows `| name | what it is | what it uses |` of ARCHITECTURE.md.
fn table() -> BTreeMap<String, BTreeSet<String>> {
    let page = std::fs::read_to_string(project().join("ARCHITECTURE.md")).expect("the page exists");
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, _, uses] = cells[..] else {
            return None;
        };
        let name = name.strip_prefix("`crates/")?.strip_suffix('`')?;
        let uses = uses
            .split(' ')
            .map(|word| word.trim_matches('`').to_owned());
        Some((
            name.to_owned(),
            uses.filter(|word| word != "nothing").collect(),
        ))
    };
    page.lines().filter_map(row).collect()
}

#[test]
fn crates_use_each_other_as_written_down() {
    let metadata = metadata();
    let ours: BTreeMap<&str, String> = list(&metadata, "packages")
        .iter()
        .filter_map(|package| Some((text(package, "name"), folder(package)?)))
        .collect();
    let mut found = BTreeMap::new();
    for package in list(&metadata, "packages") {
        let Some(name) = ours.get(text(package, "name")) else {
            continue;
        };
        // Tests may use what they like.
        let built_in = |dependency: &&Value| dependency["kind"].is_null();
        let uses: BTreeSet<String> = list(package, "dependencies")
            .iter()
            .filter(built_in)
            .filter_map(|dependency| ours.get(text(dependency, "name")).cloned())
            .collect();
        found.insert(name.clone(), uses);
    }
    assert_eq!(
        found,
        table(),
        "left: the manifests, right: ARCHITECTURE.md"
    );
}

#[test]
fn the_games_need_few_other_crates() {
    let metadata = metadata();
    let games = list(&metadata, "packages")
        .iter()
        .find(|package| text(package, "name") == "upstar-games");
    let needed: Vec<&str> = list(games.expect("the crate exists"), "dependencies")
        .iter()
        .filter(|dependency| dependency["kind"].is_null() && dependency["optional"] == false)
        .map(|dependency| text(dependency, "name"))
        .collect();
    assert_eq!(needed, ["thiserror", "upstar-machine"]);
}

/// A package has only the files of its own folder.
#[test]
fn crates_include_only_files_of_their_own() {
    let mut found = 0;
    for entry in std::fs::read_dir(project().join("crates")).expect("there are crates") {
        let home = entry.expect("it can be read").path();
        for source in sources(&home) {
            let text = std::fs::read_to_string(&source).expect("source is text");
            // Split, so that this line is not found.
            for part in text.split(concat!("include", "_")).skip(1) {
                let (kind, rest) = part.split_once("!(\"").unwrap_or_default();
                if !["str", "bytes"].contains(&kind) {
                    continue;
                }
                let (name, _) = rest.split_once('"').expect("a name ends");
                let file = source.parent().expect("a file is in a folder").join(name);
                let file = file.canonicalize();
                let file =
                    file.unwrap_or_else(|error| panic!("{}: {name}: {error}", source.display()));
                let home = home.canonicalize().expect("it exists");
                assert!(file.starts_with(home), "{}: {name}", source.display());
                found += 1;
            }
        }
    }
    assert!(found > 10, "{found} files are included");
}

/// All files of Rust below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found
}

/// `MIT OR Apache-2.0`, `(MIT OR Apache-2.0) AND Unicode-3.0`: of each part one must be allowed.
fn is_allowed(licence: &str, allowed: &BTreeSet<&str>) -> bool {
    licence.replace('/', " OR ").split(" AND ").all(|part| {
        let part = part.replace(['(', ')'], "");
        part.split(" OR ").any(|name| allowed.contains(name.trim()))
    })
}

#[test]
fn dependencies_have_licences_that_we_allow() {
    let page = std::fs::read_to_string(project().join("deny.toml")).expect("deny.toml exists");
    let allowed = page
        .lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","));
    let allowed: BTreeSet<&str> = allowed.collect();
    assert!(allowed.contains("MIT"));
    let metadata = metadata();
    let shipped = shipped(&metadata);
    let refused: Vec<(&str, &str)> = list(&metadata, "packages")
        .iter()
        .filter(|package| shipped.contains(text(package, "id")))
        .map(|package| (text(package, "name"), text(package, "license")))
        .filter(|(_, licence)| !is_allowed(licence, &allowed))
        .collect();
    assert_eq!(refused, [], "crates whose licence deny.toml does not allow");
}

/// The packages that become part of the program: not those that only tests use.
fn shipped(metadata: &Value) -> BTreeSet<&str> {
    let nodes: BTreeMap<&str, &Value> = list(&metadata["resolve"], "nodes")
        .iter()
        .map(|node| (text(node, "id"), node))
        .collect();
    let members = list(metadata, "workspace_members").iter();
    let mut open: Vec<&str> = members.filter_map(Value::as_str).collect();
    let mut shipped = BTreeSet::new();
    while let Some(id) = open.pop() {
        if shipped.insert(id) {
            let built_in = |dependency: &&Value| {
                let mut kinds = list(dependency, "dep_kinds").iter();
                kinds.any(|kind| kind["kind"] != "dev")
            };
            let dependencies = list(nodes[id], "deps").iter().filter(built_in);
            open.extend(dependencies.map(|dependency| text(dependency, "pkg")));
        }
    }
    shipped
}
