//! A training run to look at: how well the network did while it learned.

use std::fmt::Write;

use upstar_train::Block;

use super::svg::{Lines, Reading, Scale, gathered};
use super::{begin, escape};

/// A title, what goes up, and the lines with their names.
type Chart = (
    &'static str,
    &'static str,
    Scale,
    Vec<(String, Reading<'static, Block>)>,
);

fn reading(name: &str, read: fn(&Block) -> Option<f64>) -> (String, Reading<'static, Block>) {
    (name.to_owned(), Box::new(read))
}

/// The share of games that the network won, or Black if it played both.
fn won(block: &Block) -> Option<f64> {
    (block.played > 0).then_some(block.win_rate)
}

/// Whether one side was the network's, in turn perhaps.
fn has_color(block: &Block) -> bool {
    block.win_rate_as_x.is_some() || block.win_rate_as_o.is_some()
}

fn charts() -> Vec<Chart> {
    vec![
        (
            "Games won while learning",
            "share of games",
            Scale::Share,
            vec![
                reading("as x", |block| block.win_rate_as_x),
                reading("as o", |block| block.win_rate_as_o),
                reading("all", |block| won(block).filter(|_| has_color(block))),
                reading("Black", |block| won(block).filter(|_| !has_color(block))),
            ],
        ),
        (
            "Distance between output and target",
            "mean error",
            Scale::Linear,
            vec![reading("error", |block| block.error)],
        ),
        (
            "Signs of life",
            "share",
            Scale::Share,
            vec![
                reading("gradients that are not zero", |block| {
                    block.live_gradient_share
                }),
                reading("choices with an opinion", |block| block.opinion_share),
            ],
        ),
    ]
}

/// The page of a run with this name: its blocks so far, each of which learned from games, or from examples.
#[must_use]
pub fn learning_html(name: &str, blocks: &[Block], examples: bool) -> String {
    let mut page = begin(&format!("Learning: {name}"));
    let (learned, evaluated): (Vec<Block>, Vec<Block>) = blocks
        .iter()
        .cloned()
        .partition(|block| block.phase == "training");
    let last = evaluated.last().or_else(|| learned.last());
    let what = if examples { "examples" } else { "games" };
    let _ = writeln!(
        page,
        "<p>Upstar {}. {} {what} so far{}.</p>",
        env!("CARGO_PKG_VERSION"),
        last.map_or(0, |block| block.games),
        match last {
            Some(block) if block.dead => "; the network is dead",
            _ => "",
        }
    );
    for block in &evaluated {
        page += &evaluation(block);
    }
    for (title, up, scale, readings) in charts() {
        let mut lines = gathered(&learned, |block| block.games as f64, readings);
        // A network that has one colour has won all its games with it.
        lines.dedup_by(|line, before| line.1 == before.1);
        if !lines.is_empty() {
            let chart = Lines {
                title,
                right: what,
                up,
                lines: &lines,
                scale,
            };
            page += &chart.draw();
        }
    }
    page + "</body></html>\n"
}

/// What an evaluation with learning off came to.
fn evaluation(block: &Block) -> String {
    let whose = match has_color(block) {
        true => "won",
        false => "Black won",
    };
    let shares = [
        (whose, won(block)),
        ("won as x", block.win_rate_as_x),
        ("won as o", block.win_rate_as_o),
        ("best move", block.perfect_share),
        ("kept the result of best play", block.kept_share),
    ];
    let shares = shares
        .into_iter()
        .filter_map(|(what, share)| Some(format!("{what} {:.2} %", 100.0 * share?)));
    let error = block.error.map(|error| format!("mean error {error:.4}"));
    let found = error
        .into_iter()
        .chain(shares)
        .collect::<Vec<_>>()
        .join(", ");
    format!("<p>Evaluation: {}.</p>\n", escape(&found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_and_evaluation_are_shown() {
        let block = |phase: &str, games: u64, win_rate: f64| {
            let mut block = Block::default();
            (block.phase, block.games, block.played) = (phase.to_owned(), games, 100);
            (block.win_rate, block.live_gradient_share) = (win_rate, Some(1.0));
            block.win_rate_as_x = Some(win_rate);
            block
        };
        let blocks = [
            block("training", 100, 0.5),
            block("training", 200, 0.75),
            block("evaluation", 200, 0.8125),
        ];
        let page = learning_html("clobber <4x4>", &blocks, false);
        assert!(page.contains("Learning: clobber &lt;4x4&gt;"), "{page}");
        let found = "Evaluation: won 81.25 %, won as x 81.25 %.";
        assert!(page.contains(found), "{page}");
        assert_eq!(page.matches("<svg").count(), 2, "{page}");
        let page = learning_html("", &blocks[2..], true);
        assert!(page.contains("200 examples so far") && page.contains("Evaluation: won"));
        // Against itself the network has both colours.
        let mut both = block("evaluation", 200, 0.25);
        both.win_rate_as_x = None;
        assert!(learning_html("", &[both], false).contains("Evaluation: Black won 25.00 %."));
    }
}
