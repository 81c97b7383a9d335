//! A run of AlphaZero: OpenSpiel's twelve graphs, and ours.

use upstar_arena::wilson;
use upstar_jobs::quantity::grouped;
use upstar_train::alphazero::{AlphaZeroConfig, Kept, Line, Statistics};

use super::chart::{Chart, Scale, drawn};
use super::detail::{Fact, RunDetail, RunSummary, spent};
use super::entry::{Entry, Reader};
use super::game_sets;
use super::progress::State;

/// 95 % of the normal distribution.
const SIGMAS: f64 = 1.96;

/// Shows the steps of a run.
pub(super) fn show(detail: &mut RunDetail, entry: &Entry, reader: &mut Reader, config: &str) {
    let lines = entry.lines(&mut reader.lines, "learner.jsonl", &mut detail.remarks);
    detail.left = time_left(&detail.run, lines);
    detail.games = game_sets::of_alphazero(&entry.path, lines.len() as u64);
    let config = AlphaZeroConfig::parse(config, upstar_runs::CONFIG).ok();
    let settings = config.as_ref().map(AlphaZeroConfig::settings);
    let levels = settings.as_ref().map_or(0, |settings| settings.eval_levels);
    let simulations: Vec<u64> = settings
        .iter()
        .flat_map(|settings| (0..levels).map(|level| settings.level_simulations(level)))
        .collect();
    detail.charts = charts(lines, &simulations);
    if let Some(last) = lines.last() {
        let games = grouped(last.total_trajectories);
        detail
            .facts
            .push(Fact::new("Self-play", format!("{games} games")));
        let positions = grouped(last.total_states);
        detail.facts.push(Fact::new("Positions", positions));
        detail
            .facts
            .push(Fact::new("Elapsed", spent(last.time_rel)));
    }
    if let Some(settings) = &settings {
        let network = format!("{} × {}", settings.nn_depth, settings.nn_width);
        detail.facts.push(Fact::new("Network", network));
        let search = format!("{} simulations", grouped(settings.max_simulations as u64));
        detail.facts.push(Fact::new("Search", search));
    }
    if let Some([own, random]) = lines.iter().rev().find_map(|line| line.kept) {
        for (kept, where_from) in [(own, "own games"), (random, "random games")] {
            if kept.decisions > 0 {
                let share = 100.0 * kept.kept as f64 / kept.decisions as f64;
                let name = format!("Right in {where_from}");
                let value = format!("{share:.1} % of {} decisions", grouped(kept.decisions));
                detail.facts.push(Fact::new(&name, value));
            }
        }
    }
}

/// What the last steps took, for each of those that are left.
fn time_left(run: &RunSummary, lines: &[Line]) -> Option<f64> {
    let share = run.share.filter(|&share| share > 0.0 && share < 1.0)?;
    let last = &lines[lines.len().saturating_sub(5)..];
    let seconds: f64 = last
        .iter()
        .map(|line| line.seconds.iter().sum::<f64>())
        .sum();
    let steps = lines.len() as f64 * (1.0 - share) / share;
    (run.state == State::Running && !last.is_empty()).then(|| steps * seconds / last.len() as f64)
}

/// What a line says about one thing.
type Reading<'a> = &'a dyn Fn(&Line) -> Option<f64>;

fn charts(lines: &[Line], simulations: &[u64]) -> Vec<Chart> {
    let read = |of: Reading<'_>| -> Vec<(f64, Option<f64>)> {
        lines
            .iter()
            .map(|line| (line.step as f64, of(line)))
            .collect()
    };
    let chart = |title: &str, unit: &str, scale: Scale| Chart::new(title, unit, "step", scale);
    let one = |title: &str, unit: &str, scale: Scale, of: Reading<'_>| {
        chart(title, unit, scale).with("", read(of))
    };
    let kept = |which: usize, part: fn(&Kept) -> u64| {
        let bounds = move |line: &Line| {
            let kept = line.kept.as_ref()?[which];
            let (part, whole) = (part(&kept) as f64, kept.decisions as f64);
            let [low, high] = wilson(part, whole, SIGMAS);
            (kept.decisions > 0).then(|| [low, part / whole, high])
        };
        lines
            .iter()
            .map(move |line| (line.step as f64, bounds(line)))
    };
    let right = |title: &str, part: fn(&Kept) -> u64| {
        chart(title, "of decisions, 95 % band", Scale::Share)
            .with_band("own games", "95 %", kept(0, part))
            .with_band("random games", "95 %", kept(1, part))
    };
    let spread = |title: &str, unit: &str, of: fn(&Line) -> &Statistics| {
        let bounds = |line: &Line| {
            let found = of(line);
            let (low, high) = (found.avg - found.std_dev, found.avg + found.std_dev);
            Some([low.max(found.min), found.avg, high.min(found.max)])
        };
        let points = lines.iter().map(|line| (line.step as f64, bounds(line)));
        chart(title, unit, Scale::Linear).with_band("", "± 1 standard deviation", points)
    };
    let stages = |title: &str, unit: &str, scale: Scale, of: fn(&Line) -> &Vec<Statistics>| {
        let count = lines.last().map_or(0, |line| of(line).len());
        (0..count).fold(chart(title, unit, scale), |chart, stage| {
            let name = match stage {
                0 => "opening".to_owned(),
                stage if stage + 1 == count => "end".to_owned(),
                stage => format!("part {}", stage + 1),
            };
            chart.with(&name, read(&|line| Some(of(line).get(stage)?.avg)))
        })
    };
    let levels = lines.last().map_or(0, |line| line.eval.results.len());
    let returns = (0..levels).fold(
        chart("Return against MCTS", "mean, from −1 to 1", Scale::Linear),
        |chart, level| {
            let name = match simulations.get(level) {
                Some(&count) => format!("{} sims", grouped(count)),
                None => format!("level {level}"),
            };
            let of = |line: &Line| {
                let played = line.eval.games.get(level).is_some_and(|games| *games > 0);
                line.eval.results.get(level).copied().filter(|_| played)
            };
            chart.with(&name, read(&of))
        },
    );
    let outcome = |which: usize| {
        move |line: &Line| {
            let all: u64 = line.outcomes.counts.iter().sum();
            Some(line.outcomes.counts[which] as f64 / all.max(1) as f64)
        }
    };
    let mut charts = vec![
        one("Policy loss", "cross-entropy", Scale::Linear, &|line| {
            Some(line.loss.policy)
        }),
        one("Value loss", "squared error", Scale::Linear, &|line| {
            Some(line.loss.value)
        }),
        right("Right moves", |kept| kept.kept),
        right("Right moves, policy alone", |kept| kept.kept_by_policy),
        one(
            "Strength",
            "even with MCTS of so many simulations",
            Scale::Logarithmic,
            &|line| {
                let played = line.eval.games.iter().all(|games| *games > 0);
                even_with(&line.eval.results, simulations).filter(|_| played)
            },
        ),
        returns,
        stages(
            "Value accuracy",
            "by part of the game",
            Scale::Share,
            |line| &line.value_accuracy,
        ),
        stages(
            "Value, without its sign",
            "mean, by part of the game",
            Scale::Linear,
            |line| &line.value_prediction,
        ),
        chart("Outcomes", "of self-play", Scale::Share)
            .with("Black wins", read(&outcome(0)))
            .with("White wins", read(&outcome(1)))
            .with("draws", read(&outcome(2))),
        spread("Game length", "plies", |line| &line.game_length),
        one(
            "Self-play speed",
            "positions per second",
            Scale::Linear,
            &|line| Some(line.states_per_s),
        ),
        chart("Network", "positions per second", Scale::Linear)
            .with("asked for", read(&|line| Some(line.cache.requests_per_s)))
            .with("judged", read(&|line| Some(line.cache.misses_per_s))),
        chart("Cache", "of evaluations", Scale::Share)
            .with("hits", read(&|line| Some(line.cache.hit_rate)))
            .with("filled", read(&|line| Some(line.cache.usage))),
        spread("Batch", "positions judged at once", |line| &line.batch_size),
        chart("Time of a step", "seconds", Scale::Linear)
            .with("self-play", read(&|line| Some(line.seconds[0])))
            .with("learning", read(&|line| Some(line.seconds[1])))
            .with("tests", read(&|line| Some(line.seconds[2]))),
        chart("Loss", "all terms", Scale::Linear)
            .with("sum", read(&|line| Some(line.loss.sum)))
            .with("weights", read(&|line| Some(line.loss.l2reg))),
    ];
    if let Some(last) = lines.last() {
        let histogram = |counts: &[u64]| -> Vec<(f64, Option<f64>)> {
            let end = counts
                .iter()
                .rposition(|&count| count > 0)
                .map_or(0, |last| last + 2);
            let counts = counts.iter().take(end).enumerate();
            counts
                .map(|(place, &count)| (place as f64, Some(count as f64)))
                .collect()
        };
        charts.push(
            Chart::new("Game length, last step", "games", "plies", Scale::Linear)
                .with("", histogram(&last.game_length_hist)),
        );
    }
    drawn(charts)
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
