//! A run of AlphaZero to look at: the twelve graphs of OpenSpiel's analysis, and ours.

use std::fmt::Write;

use upstar_train::alphazero::{Kept, Line, Statistics};

use super::begin;
use super::svg::{self, Lines, Scale, gathered};

/// What a line of the log says about one thing.
type Reading<'a> = svg::Reading<'a, Line>;
/// A title, what goes up, and the lines with their names.
type Chart<'a> = (
    &'static str,
    &'static str,
    Scale,
    Vec<(String, Reading<'a>)>,
);

/// The page of a run with this name: its lines, and the simulations of the levels that it played against.
#[must_use]
pub fn alphazero_html(name: &str, lines: &[Line], simulations: &[u64]) -> String {
    let mut page = begin(&format!("AlphaZero: {name}"));
    let Some(last) = lines.last() else {
        return page + "<p>No step is done yet.</p></body></html>\n";
    };
    let time = match last.time_rel {
        600.0.. => format!("{:.0} minutes", last.time_rel / 60.0),
        seconds => format!("{seconds:.0} seconds"),
    };
    let _ = writeln!(
        page,
        "<p>Upstar {}. {} steps in {time}: {} games, {} positions, {:.0} positions a second in the last \
         step.</p>",
        env!("CARGO_PKG_VERSION"),
        last.step,
        last.total_trajectories,
        last.total_states,
        last.states_per_s
    );
    if let Some(kept) = lines.iter().rev().find_map(|line| line.kept) {
        let [own, random] = kept.map(|kept| match kept.decisions {
            0 => "there were none".to_owned(),
            decisions => format!(
                "it was kept in {:.1} %",
                100.0 * share(kept.kept, decisions)
            ),
        });
        let _ = writeln!(
            page,
            "<p>Decisions in which the result of best play can be thrown away: in positions of the player's own \
             games {own}, in positions of random games {random}.</p>"
        );
    }
    let levels = last.eval.results.len();
    let stages = last.value_accuracy.len();
    let charts: Vec<Chart<'_>> = vec![
        (
            "Moves that keep the result of best play",
            "share of decisions",
            Scale::Share,
            vec![
                reading("own games", |line| kept_share(line, 0, |kept| kept.kept)),
                reading("random games", |line| kept_share(line, 1, |kept| kept.kept)),
                reading("own games, policy alone", |line| {
                    kept_share(line, 0, |kept| kept.kept_by_policy)
                }),
                reading("random games, policy alone", |line| {
                    kept_share(line, 1, |kept| kept.kept_by_policy)
                }),
            ],
        ),
        (
            "Strength: even with MCTS of so many simulations, within those it plays",
            "simulations",
            Scale::Logarithmic,
            vec![reading("simulations", |line| {
                let played = line.eval.games.iter().all(|games| *games > 0);
                even_with(&line.eval.results, simulations).filter(|_| played)
            })],
        ),
        (
            "Evaluation returns against MCTS+Solver",
            "mean return",
            Scale::Linear,
            (0..levels)
                .map(|level| {
                    let name = match simulations.get(level) {
                        Some(count) => format!("level {level}: {count} simulations"),
                        None => format!("level {level}"),
                    };
                    let read = move |line: &Line| {
                        let played = line.eval.games.get(level).is_some_and(|games| *games > 0);
                        line.eval.results.get(level).copied().filter(|_| played)
                    };
                    (name, Box::new(read) as Reading<'_>)
                })
                .collect(),
        ),
        (
            "Training loss",
            "loss",
            Scale::Linear,
            vec![
                reading("sum", |line| Some(line.loss.sum)),
                reading("policy", |line| Some(line.loss.policy)),
                reading("value", |line| Some(line.loss.value)),
                reading("l2reg", |line| Some(line.loss.l2reg)),
            ],
        ),
        (
            "Value prediction accuracy by stage of the game",
            "share",
            Scale::Share,
            (0..stages)
                .map(|stage| {
                    let read =
                        move |line: &Line| line.value_accuracy.get(stage).map(|found| found.avg);
                    (format!("stage {stage}"), Box::new(read) as Reading<'_>)
                })
                .collect(),
        ),
        (
            "Absolute value prediction by stage of the game",
            "mean",
            Scale::Linear,
            (0..stages)
                .map(|stage| {
                    let read =
                        move |line: &Line| line.value_prediction.get(stage).map(|found| found.avg);
                    (format!("stage {stage}"), Box::new(read) as Reading<'_>)
                })
                .collect(),
        ),
        (
            "Positions of self-play per second",
            "per second",
            Scale::Linear,
            vec![
                reading("all threads", |line| Some(line.states_per_s)),
                reading("each thread", |line| Some(line.states_per_s_actor)),
            ],
        ),
        (
            "Positions asked for per second",
            "per second",
            Scale::Linear,
            vec![
                reading("asked for", |line| Some(line.cache.requests_per_s)),
                reading("judged", |line| Some(line.cache.misses_per_s)),
            ],
        ),
        (
            "Cache usage and hit rate",
            "share",
            Scale::Share,
            vec![
                reading("usage", |line| Some(line.cache.usage)),
                reading("hit rate", |line| Some(line.cache.hit_rate)),
            ],
        ),
        (
            "Outcomes",
            "share of games",
            Scale::Share,
            vec![
                reading("Black wins", |line| Some(outcome_share(line, 0))),
                reading("White wins", |line| Some(outcome_share(line, 1))),
                reading("draws", |line| Some(outcome_share(line, 2))),
            ],
        ),
        (
            "Inference batch size",
            "positions",
            Scale::Linear,
            spread(|line| &line.batch_size),
        ),
        (
            "Game length",
            "plies",
            Scale::Linear,
            spread(|line| &line.game_length),
        ),
    ];
    for (title, up, scale, readings) in charts {
        let drawn = gathered(lines, |line| line.step as f64, readings);
        if !drawn.is_empty() {
            page += &chart(title, "step", up, &drawn, scale);
        }
    }
    for (title, right, counts) in [
        (
            "Inference batch size in the last step",
            "positions",
            &last.batch_size_hist,
        ),
        (
            "Game length in the last step",
            "plies",
            &last.game_length_hist,
        ),
    ] {
        let points = counts
            .iter()
            .enumerate()
            .map(|(place, &count)| (place as f64, count as f64));
        page += &chart(
            title,
            right,
            "how often",
            &[(String::new(), points.collect())],
            Scale::Linear,
        );
    }
    page + "</body></html>\n"
}

fn chart(
    title: &str,
    right: &str,
    up: &str,
    lines: &[(String, Vec<(f64, f64)>)],
    scale: Scale,
) -> String {
    Lines {
        title,
        right,
        up,
        lines,
        scale,
    }
    .draw()
}

fn reading<'a>(name: &str, read: impl Fn(&Line) -> Option<f64> + 'a) -> (String, Reading<'a>) {
    (name.to_owned(), Box::new(read))
}

fn spread<'a>(of: fn(&Line) -> &Statistics) -> Vec<(String, Reading<'a>)> {
    vec![
        reading("mean", move |line| Some(of(line).avg)),
        reading("standard deviation", move |line| Some(of(line).std_dev)),
        reading("least", move |line| Some(of(line).min)),
        reading("most", move |line| Some(of(line).max)),
    ]
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn kept_share(line: &Line, kind: usize, part: fn(&Kept) -> u64) -> Option<f64> {
    let kept = &line.kept.as_ref()?[kind];
    (kept.decisions > 0).then(|| share(part(kept), kept.decisions))
}

fn outcome_share(line: &Line, which: usize) -> f64 {
    share(
        line.outcomes.counts[which],
        line.outcomes.counts.iter().sum(),
    )
}

/// The simulations above which returns are negative: the network is as strong as that.
fn even_with(returns: &[f64], simulations: &[u64]) -> Option<f64> {
    let first = *simulations.first()? as f64;
    let mut before: Option<(f64, f64)> = None;
    for (&mean, &count) in returns.iter().zip(simulations) {
        let here = (mean, (count as f64).log10());
        if mean < 0.0 {
            return Some(match before {
                None => first,
                Some((above, low)) => 10f64.powf(low + (here.1 - low) * above / (above - mean)),
            });
        }
        before = Some(here);
    }
    before.map(|(_, power)| 10f64.powf(power))
}

#[cfg(test)]
mod tests {
    use super::even_with;

    #[test]
    fn strength_is_where_returns_change_sign() {
        let counts = [10, 100, 1000];
        assert_eq!(even_with(&[-0.5, -1.0, -1.0], &counts), Some(10.0));
        assert_eq!(even_with(&[1.0, 0.0, -1.0], &counts), Some(100.0));
        let between = even_with(&[1.0, 0.5, -0.5], &counts).unwrap();
        assert!((between - 316.2).abs() < 1.0, "{between}");
        assert_eq!(even_with(&[1.0, 1.0, 0.5], &counts), Some(1000.0));
        assert_eq!(even_with(&[0.0, 0.0, 0.0], &counts), Some(1000.0));
        assert_eq!(even_with(&[], &[]), None);
    }
}
