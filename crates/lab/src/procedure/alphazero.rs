//! Runs of AlphaZero, and what the lines of their logs say (jans2021).
//!
//! The row's `config` is the file of such a run, in which `{column}` stands for a column's value. What is measured is
//! what the log says of the row's `step`, or of the last if it has none. The scale shortens the replay buffer, and
//! so the games of each step.

use upstar_solve::Unwatched;
use upstar_train::alphazero::{AlphaZeroRun, End, Line};

use super::{Lot, Problem};
use crate::row::Row;
use crate::sample::{Found, Measured};

/// The shortest replay buffer, so that there is a batch of either preset.
const SHORTEST: u64 = 256;
/// The fewest positions of a test, so that there is a decision among them.
const FEWEST: u64 = 50;

pub(super) fn run(lot: &Lot<'_>) -> Result<Found, Problem> {
    let folder = tempfile::tempdir().map_err(Problem::new)?;
    let path = folder.path().join("run");
    let resources = lot.resources.clone();
    let text = config(lot)?;
    let run = AlphaZeroRun::create(&path, &text, "config", resources);
    let mut run = run.map_err(Problem::new)?;
    let mut log = Vec::new();
    let mut told = |line: &Line| log.push(line.clone());
    let end = run.go_on(lot.budget, &Unwatched, &mut told);
    if end.map_err(Problem::new)? == End::Stopped {
        return Err(Problem::Stopped);
    }
    let mut values = Vec::new();
    for row in &lot.rows {
        let line = line_of(row, &log)?;
        for measure in &lot.table.measures {
            values.push(line.map_or(Ok(Measured::Nothing(())), |line| {
                measured(line, &measure.column)
            })?);
        }
    }
    Ok(Found::values(values))
}

/// The row's configuration, with the seed of this run and one thread: runs are shared among threads already.
fn config(lot: &Lot<'_>) -> Result<String, Problem> {
    let row = lot.row();
    let text = row.filled(row.text("config")?)?;
    let mut config: toml::Table = toml::from_str(&text).map_err(Problem::new)?;
    // A seed of a TOML file has 63 bits.
    let seed = (lot.seed >> 1) as i64;
    config.insert("seed".to_owned(), seed.into());
    let settings = config.get_mut("alphazero").and_then(|it| it.as_table_mut());
    let settings = settings.ok_or_else(|| Problem::new("there is no [alphazero] in config"))?;
    settings.insert("actors".to_owned(), 1.into());
    // All levels, as the samples of earlier versions have them.
    settings.entry("eval_levels").or_insert(7.into());
    for (key, least) in [("replay_buffer_size", SHORTEST), ("test_positions", FEWEST)] {
        let number = settings.get(key).and_then(toml::Value::as_integer);
        let number = number.ok_or_else(|| Problem::new(format!("config has no {key}")))?;
        let scaled = lot.scaled(number.unsigned_abs()).max(least);
        settings.insert(key.to_owned(), (scaled as i64).into());
    }
    toml::to_string(&config).map_err(Problem::new)
}

fn line_of<'a>(row: &Row, log: &'a [Line]) -> Result<Option<&'a Line>, Problem> {
    match row.get("step") {
        Some(_) => {
            let step: u64 = row.read("step")?;
            Ok(log.iter().find(|line| line.step == step))
        }
        None => Ok(log.last()),
    }
}

fn measured(line: &Line, column: &str) -> Result<Measured, Problem> {
    if let Some(level) = column.strip_prefix("return_level_") {
        let level: usize = level.parse().map_err(Problem::new)?;
        let mean = line.eval.results.get(level);
        return Ok(mean.map_or(Measured::Nothing(()), |&mean| Measured::Number(mean)));
    }
    let kept = |of: fn(&upstar_train::alphazero::Kept) -> u64| {
        // Own games are others in every run; random ones are of the same kind.
        let [_, random] = line.kept.as_ref()?;
        (random.decisions > 0).then(|| Measured::games(of(random), random.decisions))
    };
    let loss = |loss: f64| Some(Measured::Number(loss));
    let value = match column {
        "kept_percent" => kept(|kept| kept.kept),
        "kept_by_policy_percent" => kept(|kept| kept.kept_by_policy),
        "loss_sum" => loss(line.loss.sum),
        "loss_policy" => loss(line.loss.policy),
        "loss_value" => loss(line.loss.value),
        "loss_l2reg" => loss(line.loss.l2reg),
        other => return Err(Problem::new(format!("there is no measure '{other}'"))),
    };
    Ok(value.unwrap_or(Measured::Nothing(())))
}
