//! The tables that the program knows: the files of `experiments/`, which are part of it.

use thiserror::Error;
use upstar_games::excerpt;

use crate::experiment::Experiment;

/// Names below `experiments/`, and what is in the files.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/experiments.rs"));

pub(crate) fn file(name: &str) -> Option<&'static str> {
    let found = FILES.iter().find(|(file, _)| *file == name);
    found.map(|(_, text)| *text)
}

/// All tables, as `paper/table`, papers in the order of their names and tables in their own.
#[must_use]
pub fn tables() -> Vec<String> {
    let mut names: Vec<String> = FILES
        .iter()
        .filter(|(name, _)| !name.starts_with("papers/"))
        .filter_map(|(name, _)| name.strip_suffix(".toml").map(str::to_owned))
        .collect();
    names.sort_by_key(|name| order(name));
    names
}

/// Numbers in a name count as numbers: 5.4 comes before 5.10.
fn order(name: &str) -> Vec<(String, u32)> {
    let parts = name.split(['/', '.', '-']);
    parts
        .map(|part| match part.parse() {
            Ok(number) => (String::new(), number),
            Err(_) => (part.to_owned(), 0),
        })
        .collect()
}

/// The papers.
#[must_use]
pub fn papers() -> Vec<String> {
    let mut papers: Vec<String> = tables()
        .iter()
        .filter_map(|name| name.split_once('/').map(|(paper, _)| paper.to_owned()))
        .collect();
    papers.dedup();
    papers
}

impl Experiment {
    /// The table of this name, `leiden2018/5.4`.
    ///
    /// # Errors
    /// If there is none; the error lists those that there are.
    pub fn find(name: &str) -> Result<Self, UnknownTable> {
        let known = tables().iter().any(|table| table == name);
        let text = file(&format!("{name}.toml")).filter(|_| known);
        let text = text.ok_or_else(|| UnknownTable(name.to_owned()))?;
        let (paper, table) = name
            .split_once('/')
            .expect("a table is in a paper's folder");
        Ok(Self::read(paper, table, text).unwrap_or_else(|error| panic!("{name}: {error}")))
    }
}

/// The tables of a name: one, or all of a paper.
///
/// # Errors
/// If there is neither a table nor a paper of this name.
pub fn find_all(name: &str) -> Result<Vec<Experiment>, UnknownTable> {
    if !papers().iter().any(|paper| paper == name) {
        return Experiment::find(name).map(|table| vec![table]);
    }
    let of_paper = |table: &&String| {
        table
            .split_once('/')
            .is_some_and(|(paper, _)| paper == name)
    };
    tables()
        .iter()
        .filter(of_paper)
        .map(|table| Experiment::find(table))
        .collect()
}

/// A name that no table has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{}' is not a table; there are {}", excerpt(.0), names())]
pub struct UnknownTable(String);

/// The names of all tables, by paper.
fn names() -> String {
    let names = tables();
    let of_paper = |paper: &String| {
        let tables = names
            .iter()
            .filter_map(|name| name.strip_prefix(paper.as_str())?.strip_prefix('/'));
        format!("{paper}/{}", tables.collect::<Vec<_>>().join(" "))
    };
    papers().iter().map(of_paper).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_can_be_read() {
        for name in tables() {
            let table = Experiment::find(&name).unwrap();
            assert!(table.runs().len() > 0, "{name}");
            assert_eq!(table.name(), name);
        }
    }

    #[test]
    fn tables_stand_in_their_order() {
        let names = tables();
        let place = |name: &str| names.iter().position(|other| other == name);
        assert!(place("leiden2018/5.4").unwrap() < place("leiden2018/5.10").unwrap());
        assert!(place("cammel2015/2").unwrap() < place("cammel2015/10").unwrap());
    }

    #[test]
    fn unknown_names_get_the_list() {
        let refused = Experiment::find("leiden2018/9.9").unwrap_err().to_string();
        assert!(refused.starts_with("'leiden2018/9.9' is not a table; there are "));
        assert!(refused.contains("leiden2018/5.1 5.2 5.3"), "{refused}");
        for wrong in [
            "",
            "leiden2018",
            "../Cargo",
            "leiden2018/",
            "papers/leiden2018/table-5.1",
        ] {
            assert!(Experiment::find(wrong).is_err(), "{wrong}");
        }
    }
}
