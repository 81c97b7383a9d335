//! `check`: whether a proof file proves what it claims, by code that knows only the rules.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use serde::Serialize;
use upstar_proof::{AnyClaim, CheckOptions, Checked, Refusal, check_file};

use crate::failure::{Done, Failure, shown};
use crate::output::{Output, counted, grouped};
use crate::progress::Share;
use crate::search::{CheckArguments, budget};

/// Which file, and how hard to try.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The proof, as written by 'upstar solve … --proof FILE'
    file: PathBuf,
    #[command(flatten)]
    effort: CheckArguments,
}

/// What a proof claims, and what came of checking it.
#[derive(Default, Serialize)]
pub struct Verdict {
    accepted: Option<bool>,
    winner: Option<String>,
    /// Othello: discs of `x` less those of `o`, if that is what was proved.
    score: Option<i32>,
    /// Othello: the score is at least the first and at most the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<(Option<i32>, Option<i32>)>,
    /// Othello: whether cells that stay empty count for the winner.
    #[serde(skip_serializing_if = "Option::is_none")]
    empties_to_winner: Option<bool>,
    game: Option<String>,
    position: Option<String>,
    to_move: Option<char>,
    r#move: Option<String>,
    nodes: u64,
    lemmas: u64,
    leaves: u64,
    positions: u64,
    passes: u64,
    bytes: u64,
    seconds: f64,
    reason: Option<String>,
}

impl Verdict {
    /// What a checked proof proves.
    #[must_use]
    pub fn accepted(checked: Checked, seconds: f64) -> Self {
        Self {
            accepted: Some(true),
            r#move: checked.first,
            nodes: checked.nodes,
            lemmas: checked.lemmas,
            leaves: checked.leaves,
            positions: checked.positions,
            passes: checked.passes,
            bytes: checked.bytes,
            seconds,
            ..Self::of(&checked.claim)
        }
    }

    /// What was proved.
    fn of(claim: &AnyClaim) -> Self {
        match claim {
            AnyClaim::Clobber(claim) => Self {
                winner: Some(claim.winner.to_string()),
                game: Some(claim.variant.to_string()),
                position: Some(claim.setup.to_string()),
                to_move: Some(claim.to_move.letter()),
                ..Self::default()
            },
            AnyClaim::Othello(claim) => {
                let bounds = (claim.at_least, claim.at_most);
                Self {
                    winner: claim.winner().map(str::to_owned),
                    score: claim.at_least.filter(|_| bounds.0 == bounds.1),
                    bounds: Some(bounds),
                    empties_to_winner: Some(claim.empties_to_winner),
                    game: Some("othello".to_owned()),
                    position: Some(claim.setup.to_string()),
                    to_move: Some(claim.to_move.letter()),
                    ..Self::default()
                }
            }
        }
    }

    /// What a proof claims, and the move it begins with.
    pub(super) fn claimed(claim: &AnyClaim, first: Option<String>) -> Self {
        Self {
            r#move: first,
            ..Self::of(claim)
        }
    }

    /// The claim alone, as a JSON object.
    pub(super) fn claim_json(&self) -> serde_json::Value {
        let mut claim = serde_json::json!({
            "game": self.game,
            "position": self.position,
            "to_move": self.to_move,
            "winner": self.winner,
            "score": self.score,
        });
        if let Some(bounds) = self.bounds {
            claim["bounds"] = serde_json::json!(bounds);
            claim["empties_to_winner"] = serde_json::json!(self.empties_to_winner);
        }
        claim
    }

    /// The same in words.
    pub(super) fn sentence(&self) -> String {
        let place = format!(
            "{} {} with {} to move",
            self.game.as_deref().unwrap_or_default(),
            self.position.as_deref().unwrap_or_default(),
            self.to_move.unwrap_or_default(),
        );
        let result = match (self.winner.as_deref(), self.score, self.bounds) {
            (Some("draw"), ..) => format!("{place} is a draw"),
            (Some(winner), Some(score), _) => {
                format!(
                    "{winner} wins {place} by {}",
                    counted(score.unsigned_abs(), "disc")
                )
            }
            (Some(winner), None, _) => format!("{winner} wins {place}"),
            (None, _, bounds) => {
                let (least, most) = bounds.unwrap_or_default();
                let least = least.map(|least| format!("at least {least}"));
                let most = most.map(|most| format!("at most {most}"));
                let both: Vec<String> = least.into_iter().chain(most).collect();
                format!("the score of {place} is {}", both.join(" and "))
            }
        };
        let counted = match self.empties_to_winner {
            Some(true) => ", empty cells counted for the winner",
            _ => "",
        };
        let first = self.r#move.as_ref();
        let first = first.map_or(String::new(), |mv| format!(", beginning with {mv}"));
        format!("{result}{first}{counted}")
    }
}

/// What a check may use.
pub(super) fn check_options(effort: &CheckArguments) -> CheckOptions {
    // Each thread's search takes this much; nodes and lemmas share the rest.
    const SEARCH: usize = 16 << 20;
    let searches = effort.threads * SEARCH;
    CheckOptions {
        memory: (effort.memory.saturating_sub(searches) as u64 / 2).max(1 << 20),
        threads: effort.threads,
        ..CheckOptions::default()
    }
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let begun = Instant::now();
    let budget = budget(arguments.effort.time_limit);
    let options = check_options(&arguments.effort);
    let bar = Share::new("checking");
    let checked = check_file(&arguments.file, &options, &budget, &bar);
    bar.finish();
    let seconds = begun.elapsed().as_secs_f64();
    let stopped = matches!(checked, Err(Refusal::Stopped));
    let verdict = match checked {
        Ok(checked) => Verdict::accepted(checked, seconds),
        Err(refusal @ Refusal::Thread(_)) => return Err(Failure::input(refusal, "--threads 1")),
        Err(Refusal::Io(error)) => return Err(Failure::file(&arguments.file, &error)),
        Err(refusal) => Verdict {
            accepted: if stopped { None } else { Some(false) },
            seconds,
            reason: Some(refusal.to_string()),
            ..Verdict::default()
        },
    };
    output.print(&verdict, |verdict| match &verdict.reason {
        None => {
            let searched = match verdict.bounds {
                None => counted(verdict.lemmas, "lemma"),
                Some(_) => format!("{} searched", counted(verdict.leaves, "ending")),
            };
            format!(
                "accepted: {}\n{} with all replies, {searched}, {} bytes, {seconds:.1} s",
                verdict.sentence(),
                counted(verdict.nodes, "position"),
                grouped(verdict.bytes),
            )
        }
        Some(reason) => {
            let verdict = if stopped { "?" } else { "refused:" };
            format!("{verdict} {}: {reason}", shown(&arguments.file))
        }
    })?;
    Ok(ExitCode::from(u8::from(verdict.accepted != Some(true))))
}
