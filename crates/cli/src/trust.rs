//! What a configuration that may be a stranger's wants from this machine: commands to run, and files
//! outside its folder to write. It is shown, and needs a yes.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Component, Path, PathBuf};

use upstar_runs::CONFIG;

use crate::failure::{Failure, shown};

/// Whether a configuration is trusted.
#[derive(clap::Args)]
pub(crate) struct TrustArguments {
    /// Run the commands and write the files outside the folder that the configuration names, without asking
    #[arg(long)]
    trust: bool,
}

/// Something that needs a yes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Demand {
    /// An agent that is a command.
    Command(String),
    /// A file that is written.
    Write(PathBuf),
}

impl Demand {
    fn sentence(&self) -> String {
        match self {
            Self::Command(word) => format!("runs the command {word:?}"),
            Self::Write(path) => format!("writes {path:?}, which is outside the folder"),
        }
    }
}

impl TrustArguments {
    /// Asks whether what a configuration wants may be done, if that is not said already.
    pub(crate) fn check_file(&self, text: &str, file: &Path) -> Result<(), Failure> {
        self.ask(&commands(text), file)
    }

    /// The same for all configurations in the folder of a run.
    pub(crate) fn check_folder(&self, folder: &Path) -> Result<(), Failure> {
        let mut demands = Vec::new();
        gather(folder, folder, &mut demands);
        self.ask(&demands, folder)
    }

    fn ask(&self, demands: &[Demand], place: &Path) -> Result<(), Failure> {
        if self.trust || demands.is_empty() {
            return Ok(());
        }
        let wanted: Vec<String> = demands.iter().map(Demand::sentence).collect();
        let wanted = wanted.join(", ");
        if io::stdin().is_terminal() && io::stderr().is_terminal() && is_allowed(place, &wanted)? {
            return Ok(());
        }
        Err(Failure::input(
            format!("{} {wanted}, which needs your permission", shown(place)),
            "the same command with --trust, if you trust where it comes from",
        ))
    }
}

fn is_allowed(place: &Path, wanted: &str) -> Result<bool, Failure> {
    let mut answer = String::new();
    write!(io::stderr(), "{} {wanted}. Go on? [y/N] ", shown(place))?;
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// What all configurations below a folder want; symbolic links are not followed.
fn gather(folder: &Path, root: &Path, demands: &mut Vec<Demand>) {
    let text = fs::read_to_string(folder.join(CONFIG)).unwrap_or_default();
    let written = written_outside(&text, root);
    for demand in commands(&text).into_iter().chain(written) {
        if !demands.contains(&demand) {
            demands.push(demand);
        }
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            gather(&entry.path(), root, demands);
        }
    }
}

/// The agents of a configuration that are commands, wherever they stand.
fn commands(text: &str) -> Vec<Demand> {
    fn walk(value: &toml::Value, found: &mut Vec<Demand>) {
        match value {
            toml::Value::String(word) if word.contains("engine:") => {
                found.push(Demand::Command(word.clone()));
            }
            toml::Value::Array(values) => values.iter().for_each(|value| walk(value, found)),
            toml::Value::Table(table) => table.values().for_each(|value| walk(value, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    if let Ok(config) = toml::from_str::<toml::Table>(text) {
        walk(&toml::Value::Table(config), &mut found);
    }
    found.dedup();
    found
}

/// The proof that a solve writes, if that is not in its folder.
fn written_outside(text: &str, folder: &Path) -> Option<Demand> {
    let config: toml::Table = toml::from_str(text).ok()?;
    let proof = Path::new(config.get("proof")?.as_str()?);
    (!is_inside(proof, folder)).then(|| Demand::Write(proof.to_owned()))
}

/// Whether a path is below a folder, by its name: links that lead out are refused elsewhere.
fn is_inside(path: &Path, folder: &Path) -> bool {
    let absolute = |path: &Path| std::path::absolute(path).ok();
    let (Some(path), Some(folder)) = (absolute(path), absolute(folder)) else {
        return false;
    };
    let is_plain = |part: Component<'_>| !matches!(part, Component::ParentDir);
    path.components().all(is_plain) && path.starts_with(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_wherever_they_stand() {
        let text = "a = 'random'\n[[players]]\nagent = 'engine:\"rm x\"'\n[space]\nopponent.agent = ['mc:2', ' engine:\"ls\"']\n";
        let words = commands(text);
        assert_eq!(words.len(), 2, "{words:?}");
        assert!(commands("agent = 'mcts:100'").is_empty());
    }

    #[test]
    fn files_outside_the_folder_are_noticed() {
        let folder = Path::new("runs/mine");
        for (path, outside) in [
            ("runs/mine/proof", false),
            ("/etc/passwd", true),
            ("proof", true),
            ("runs/mine/../../proof", true),
            ("runs/mine2/proof", true),
        ] {
            let found = written_outside(&format!("proof = {path:?}"), folder);
            assert_eq!(found.is_some(), outside, "{path}");
        }
        assert_eq!(written_outside("game = 'clobber'", folder), None);
    }
}
