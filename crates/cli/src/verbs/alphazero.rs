//! Runs of AlphaZero, for `train` and `resume`: a network that learns from games against itself.

use std::path::Path;
use std::process::ExitCode;

use super::train::refused;
use crate::failure::Done;
use crate::output::{Output, counted};

/// The section that tells such a configuration from others.
const SECTION: &str = "alphazero";

/// Whether a configuration is that of such a run, or should be: nothing else has several boards, and a text with
/// mistakes is judged by its looks.
pub(super) fn is_meant(text: &str) -> bool {
    match toml::from_str::<toml::Table>(text) {
        Ok(config) => config.contains_key(SECTION) || config.contains_key("boards"),
        Err(_) => text.contains("[alphazero"),
    }
}

mod learning {
    use std::path::PathBuf;
    use std::time::Instant;

    use serde::Serialize;
    use upstar_train::alphazero::{AlphaZeroRun, End, Line};

    use super::{Done, ExitCode, Output, Path, counted, refused};
    use crate::failure::in_full;
    use crate::output::grouped;
    use crate::players;
    use crate::progress::Steps;
    use crate::search::budget;

    pub(in super::super) fn run(text: &str, name: &str, folder: &Path, output: &Output) -> Done {
        let run = AlphaZeroRun::create(folder, text, name, players::resources());
        go_on(run.map_err(|error| refused(&error))?, folder, output)
    }

    pub(in super::super) fn resume(folder: &Path, max_steps: Option<u64>, output: &Output) -> Done {
        let run = AlphaZeroRun::resume(folder, players::resources());
        let mut run = run.map_err(|error| refused(&error))?;
        if let Some(steps) = max_steps {
            run.extend(steps).map_err(|error| refused(&error))?;
        }
        go_on(run, folder, output)
    }

    /// What a run has come to.
    #[derive(Serialize)]
    struct Summary {
        finished: bool,
        steps: u64,
        seconds: f64,
        network: PathBuf,
        folder: PathBuf,
    }

    /// A step in words.
    fn described(line: &Line) -> String {
        let mut text = format!(
            "step {}: {} positions a second, loss {:.3} + {:.3}",
            line.step,
            grouped(line.states_per_s as u64),
            line.loss.policy,
            line.loss.value
        );
        let played = line.eval.games.iter().any(|games| *games > 0);
        let returns = line.eval.results.iter().filter(|_| played);
        let returns: Vec<String> = returns.map(|mean| format!("{mean:+.2}")).collect();
        if !returns.is_empty() {
            text += &format!(", against MCTS {}", returns.join(" "));
        }
        if let Some([own, random]) = line.kept
            && own.decisions + random.decisions > 0
        {
            let share = (own.kept + random.kept) as f64 / (own.decisions + random.decisions) as f64;
            text += &format!(", keeps results in {:.1} % of decisions", 100.0 * share);
        }
        text
    }

    fn go_on(mut run: AlphaZeroRun, folder: &Path, output: &Output) -> Done {
        let begun = Instant::now();
        let budget = budget(None);
        let steps = Steps::new(1, 0);
        let end = run.go_on(&budget, &steps, &mut |line| {
            // What cannot be shown is in the log.
            let _ = output.happened(line);
            steps.line(&described(line));
        });
        steps.finish();
        let finished = end.map_err(|error| refused(&error))? == End::Finished;
        let summary = Summary {
            finished,
            steps: run.steps(),
            seconds: begun.elapsed().as_secs_f64(),
            network: folder.join("network.safetensors"),
            folder: folder.to_owned(),
        };
        output.print(&summary, |summary| {
            let mut lines = vec![
                format!(
                    "{} in {:.0} s",
                    counted(summary.steps, "step"),
                    summary.seconds
                ),
                format!("network in {}", in_full(&summary.network)),
            ];
            if !summary.finished {
                lines.push(format!(
                    "goes on with upstar resume {}",
                    in_full(&summary.folder)
                ));
            }
            lines.join("\n")
        })?;
        Ok(ExitCode::from(u8::from(!finished)))
    }
}

pub(super) use learning::{resume, run};
