//! A small network that learns: its curves and what the evaluation came to.

use upstar_train::{Block, Config, Teacher};

use super::chart::{Chart, Scale, drawn};
use super::detail::{Fact, RunDetail};
use super::entry::{Entry, Reader};

/// The share of games that the network won, or Black if it played both.
fn won(block: &Block) -> Option<f64> {
    (block.played > 0).then_some(block.win_rate)
}

/// Whether one side was the network's, in turn perhaps.
fn has_color(block: &Block) -> bool {
    block.win_rate_as_x.is_some() || block.win_rate_as_o.is_some()
}

/// Shows the blocks of a training.
pub(super) fn show(detail: &mut RunDetail, entry: &Entry, reader: &mut Reader, config: &str) {
    let blocks = entry.lines(&mut reader.blocks, "results.jsonl", &mut detail.remarks);
    let config = Config::parse(config, upstar_runs::CONFIG).ok();
    let are_examples = config
        .as_ref()
        .is_some_and(|config| config.teacher() == Teacher::Examples);
    let right = if are_examples { "examples" } else { "games" };
    let (learned, evaluated): (Vec<&Block>, Vec<&Block>) =
        blocks.iter().partition(|block| block.phase == "training");
    detail.charts = charts(&learned, right);
    if let Some(config) = &config {
        detail.facts.push(Fact::new("Teacher", teacher(config)));
    }
    let evaluation = evaluated.last().copied();
    if let Some(last) = evaluation.or(learned.last().copied()) {
        let when = match evaluation {
            Some(_) => "evaluation",
            None => "last block",
        };
        let whose = match has_color(last) {
            true => "Won",
            false => "Black won",
        };
        let shares = [
            (whose, won(last)),
            ("Won as x", last.win_rate_as_x),
            ("Won as o", last.win_rate_as_o),
            ("Perfect moves", last.perfect_share),
            ("Keeps the result of best play", last.kept_share),
        ];
        for (name, share) in shares {
            if let Some(share) = share {
                let value = format!("{:.2} % ({when})", 100.0 * share);
                detail.facts.push(Fact::new(name, value));
            }
        }
        if let Some(error) = last.error {
            let value = format!("{error:.4} ({when})");
            detail.facts.push(Fact::new("Mean error", value));
        }
        let fates = [
            (last.dead, "The network is dead: it values all moves alike."),
            (
                last.exploded,
                "The network has exploded: its weights are no numbers any more.",
            ),
        ];
        let fates = fates.into_iter().filter(|(is_so, _)| *is_so);
        detail
            .remarks
            .extend(fates.map(|(_, remark)| remark.to_owned()));
    }
}

fn teacher(config: &Config) -> String {
    match config.teacher() {
        Teacher::Agent(spec) => spec,
        Teacher::Examples => "examples".to_owned(),
        _ => "itself".to_owned(),
    }
}

fn charts(learned: &[&Block], right: &str) -> Vec<Chart> {
    let read = |of: fn(&Block) -> Option<f64>| {
        learned
            .iter()
            .map(move |block| (block.games as f64, of(block)))
    };
    let both = |block: &Block| block.win_rate_as_x.is_some() && block.win_rate_as_o.is_some();
    let has_both = learned.iter().any(|block| both(block));
    let mut won_chart = Chart::new(
        "Games won while learning",
        "of each block",
        right,
        Scale::Share,
    );
    if has_both || !learned.iter().any(|block| has_color(block)) {
        let name = if has_both { "all" } else { "Black" };
        won_chart = won_chart.with(name, read(won));
    }
    won_chart = won_chart
        .with("as x", read(|block| block.win_rate_as_x))
        .with("as o", read(|block| block.win_rate_as_o));
    drawn(vec![
        won_chart,
        Chart::new(
            "Error",
            "mean distance from the target",
            right,
            Scale::Linear,
        )
        .with("", read(|block| block.error)),
        Chart::new(
            "Perfect moves",
            "that keep the result of best play",
            right,
            Scale::Share,
        )
        .with("", read(|block| block.perfect_share)),
        Chart::new("Live gradients", "that are not zero", right, Scale::Share)
            .with("", read(|block| block.live_gradient_share)),
        Chart::new(
            "Opinion",
            "choices in which moves differ",
            right,
            Scale::Share,
        )
        .with("", read(|block| block.opinion_share)),
    ])
}
