//! A training run to look at: how well the network did while it learned.

use std::fmt::Write;

use upstar_train::Block;

use super::svg::Lines;
use super::{begin, escape};

/// The name of a line, and what a block says about it.
type Reading = (&'static str, fn(&Block) -> Option<f64>);

/// Titles, what goes up, and the lines.
const CHARTS: [(&str, &str, &[Reading]); 3] = [
    (
        "Games won while learning",
        "share of games",
        &[
            ("all", |block| (block.played > 0).then_some(block.win_rate)),
            ("as x", |block| block.win_rate_as_x),
            ("as o", |block| block.win_rate_as_o),
        ],
    ),
    (
        "Distance between output and target",
        "mean error",
        &[("error", |block| block.error)],
    ),
    (
        "Signs of life",
        "share",
        &[
            ("gradients that are not zero", |block| {
                block.live_gradient_share
            }),
            ("choices with an opinion", |block| block.opinion_share),
        ],
    ),
];

/// The page of a run with this name: its blocks so far.
#[must_use]
pub fn learning_html(name: &str, blocks: &[Block]) -> String {
    let mut page = begin(&format!("Learning: {name}"));
    let learned: Vec<&Block> = blocks
        .iter()
        .filter(|block| block.phase == "training")
        .collect();
    let Some(last) = learned.last() else {
        return page + "<p>No block is learned yet.</p></body></html>\n";
    };
    let _ = writeln!(
        page,
        "<p>Upstar {}. {} games so far{}.</p>",
        env!("CARGO_PKG_VERSION"),
        last.games,
        if last.dead {
            "; the network is dead"
        } else {
            ""
        }
    );
    for block in blocks.iter().filter(|block| block.phase == "evaluation") {
        page += &evaluation(block);
    }
    for (title, up, readings) in CHARTS {
        let drawn = readings.iter().map(|(name, read)| {
            let points = learned
                .iter()
                .filter_map(|block| Some((block.games as f64, read(block)?)));
            ((*name).to_owned(), points.collect::<Vec<_>>())
        });
        let drawn: Vec<(String, Vec<(f64, f64)>)> =
            drawn.filter(|(_, points)| !points.is_empty()).collect();
        if !drawn.is_empty() {
            let chart = Lines {
                title,
                right: "games",
                up,
                lines: &drawn,
                logarithmic: false,
            };
            page += &chart.draw();
        }
    }
    page + "</body></html>\n"
}

/// What an evaluation with learning off came to.
fn evaluation(block: &Block) -> String {
    let shares = [
        ("won", (block.played > 0).then_some(block.win_rate)),
        ("won as x", block.win_rate_as_x),
        ("won as o", block.win_rate_as_o),
        ("best move", block.perfect_share),
        ("kept the result of best play", block.kept_share),
    ];
    let shares = shares
        .into_iter()
        .filter_map(|(what, share)| Some(format!("{what} {:.2} %", 100.0 * share?)));
    let shares = shares.collect::<Vec<_>>().join(", ");
    format!("<p>Evaluation: {}.</p>\n", escape(&shares))
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
            block
        };
        let blocks = [
            block("training", 100, 0.5),
            block("training", 200, 0.75),
            block("evaluation", 200, 0.8125),
        ];
        let page = learning_html("clobber <4x4>", &blocks);
        assert!(page.contains("Learning: clobber &lt;4x4&gt;"), "{page}");
        assert!(page.contains("Evaluation: won 81.25 %."), "{page}");
        assert_eq!(page.matches("<svg").count(), 2, "{page}");
        assert!(learning_html("", &[]).contains("No block"));
    }
}
