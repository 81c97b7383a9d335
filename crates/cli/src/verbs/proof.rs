//! `proof`: what a proof file says, for people and other programs; and a game against it.

mod play;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::{Value, json};
use upstar_proof::{AnyClaim, Entry, Line, ProofFile, Refusal, Summary};

use super::check::Verdict;
use crate::failure::{Done, Failure, shown};
use crate::output::{Output, counted, grouped};
use crate::progress::Share;
use crate::search::budget;

/// What to do with it.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Show what a proof claims, how large it is, and how many positions of each size it has
    Show(Which),
    /// Play against a proof: you are the side that it says loses
    Play(play::Arguments),
    /// Print all lemmas and positions with their replies, one to a line
    Dump(Which),
}

#[derive(Args)]
struct Which {
    /// The proof, as written by 'upstar solve … --proof FILE'
    file: PathBuf,
}

#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    claim: Value,
    first: Option<String>,
    /// Leaves have at most so many stones (Clobber) or empty cells (Othello).
    leaf: u32,
    nodes: u64,
    lemmas: u64,
    bytes: u64,
    sizes: Vec<Size>,
    #[serde(skip)]
    text: String,
}

#[derive(Serialize)]
struct Size {
    size: u32,
    nodes: u64,
    /// Those with replies of `x`, and of `o`.
    x: u64,
    o: u64,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    match &arguments.action {
        Action::Show(which) => show(&which.file, output),
        Action::Play(arguments) => play::run(arguments, output),
        Action::Dump(which) => dump(&which.file, output),
    }
}

/// Why a file cannot be read as a proof.
fn refused(file: &Path, refusal: Refusal) -> Failure {
    match refusal {
        Refusal::Io(error) => Failure::file(file, &error),
        Refusal::ManyNodes(_) | Refusal::ManyLemmas(_) => {
            Failure::input(format!("{}: {refusal}", shown(file)), "--memory 4G")
        }
        refusal => Failure::input(
            format!("{}: {refusal}", shown(file)),
            "upstar solve clobber 4x5 --proof 4x5.proof writes one",
        ),
    }
}

fn show(file: &Path, output: &Output) -> Done {
    let budget = budget(None);
    let bar = Share::new("reading");
    let summary =
        ProofFile::open(file, &budget, &bar).and_then(|mut opened| opened.summary(&budget, &bar));
    bar.finish();
    let summary = summary.map_err(|refusal| refused(file, refusal))?;
    output.print(&Shown::of(&summary), |shown| shown.text.clone())?;
    Ok(ExitCode::SUCCESS)
}

impl Shown {
    fn of(summary: &Summary) -> Self {
        let verdict = Verdict::claimed(&summary.claim, summary.first.clone());
        let size = |(&size, &[x, o]): (&u32, &[u64; 2])| Size {
            size,
            nodes: x + o,
            x,
            o,
        };
        let sizes: Vec<Size> = summary.sizes.iter().rev().map(size).collect();
        let nodes = sizes.iter().map(|size| size.nodes).sum();
        let unit = match summary.claim {
            AnyClaim::Clobber(_) => "stone",
            AnyClaim::Othello(_) => "empty cell",
        };
        let mut text = format!(
            "claim: {}\n{}, {}, {} bytes\nleft to search: positions of at most {}\n",
            verdict.sentence(),
            counted(nodes, "position"),
            counted(summary.lemmas, "lemma"),
            grouped(summary.bytes),
            counted(summary.leaf, unit),
        );
        for size in &sizes {
            let _ = writeln!(
                text,
                "{:>10} {unit}s {:>14}",
                size.size,
                grouped(size.nodes)
            );
        }
        text += "not checked; 'upstar check FILE' does that";
        Self {
            claim: verdict.claim_json(),
            first: summary.first.clone(),
            leaf: summary.leaf,
            nodes,
            lemmas: summary.lemmas,
            bytes: summary.bytes,
            sizes,
            text,
        }
    }
}

fn dump(file: &Path, output: &Output) -> Done {
    let budget = budget(None);
    let bar = Share::new("reading");
    let mut opened =
        ProofFile::open(file, &budget, &bar).map_err(|refusal| refused(file, refusal))?;
    let mut printed = Ok(());
    let mut each = |entry: Entry| {
        if printed.is_ok() {
            printed = output.print(&as_json(&entry), |_| as_text(&entry));
            if printed.is_err() {
                budget.cancel();
            }
        }
    };
    let read = opened.entries(&budget, &bar, &mut each);
    bar.finish();
    printed?;
    read.map_err(|refusal| refused(file, refusal))?;
    Ok(ExitCode::SUCCESS)
}

fn as_json(entry: &Entry) -> Value {
    match entry {
        Entry::Lemma { piece, equal } => json!({"lemma": piece, "equals": equal}),
        Entry::Node(node) => {
            let lines = node.lines.iter().map(|line| {
                let Line {
                    after,
                    replies,
                    leaf,
                } = line;
                json!({"after": after, "replies": replies, "leaf": leaf})
            });
            json!({
                "node": node.position,
                "to_move": node.to_move.to_string(),
                "replies_of": node.prover.to_string(),
                "lines": lines.collect::<Vec<_>>(),
            })
        }
    }
}

/// An entry in a line, or a node in several.
fn as_text(entry: &Entry) -> String {
    match entry {
        Entry::Lemma { piece, equal } => format!("lemma {piece} = {equal}"),
        Entry::Node(node) => {
            let mut text = format!("node {}, {} to move", node.position, node.to_move);
            for line in &node.lines {
                let after = line.after.iter().chain(&line.replies);
                let path: Vec<&str> = after.map(String::as_str).collect();
                let end = if line.leaf { " (leaf)" } else { "" };
                let _ = write!(text, "\n  {}{end}", path.join(" -> "));
            }
            text
        }
    }
}
