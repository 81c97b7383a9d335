//! `bench analysis`: how soon an analysis says something of every move, how often its first move keeps the
//! result, and in Othello by how many discs its score is off. The exact solver judges.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use upstar_analysis::{Analyser, Analysis, Grade, Sample};
use upstar_games::{AnyGame, Color};
use upstar_jobs::{Budget, Unwatched, quantity};
use upstar_solve::{Outcome, Query};

use crate::failure::{Done, Failure};
use crate::input::GameArguments;
use crate::output::Output;
use crate::progress::Progress;
use crate::search::{budget, refused};
use crate::values;
use crate::verbs::analyse::{AnalysisArguments, refusal};

/// Which positions, and how long each.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// How many positions; 0 for the given one alone, which is not judged
    #[arg(long, value_name = "N", default_value = "0", value_parser = values::whole::<u64>("number of positions", 0..=100_000, "--positions 200"))]
    positions: u64,
    /// Stones (Clobber) or empty cells (Othello) that are left in them
    #[arg(long, value_name = "N", default_value = "16", value_parser = values::whole::<u32>("number of cells", 2..=128, "--left 26"))]
    left: u32,
    /// How long each analysis takes
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = quantity::duration)]
    time: Duration,
    /// Only list the positions, as 'upstar solve GAME --batch FILE' reads them
    #[arg(long)]
    list: bool,
    /// Exact results of positions, as 'upstar solve GAME --batch FILE --exact --json' prints them; these are not solved again
    #[arg(long, value_name = "FILE")]
    solved: Option<PathBuf>,
    #[command(flatten)]
    analysis: AnalysisArguments,
}

/// A position that was solved before.
#[derive(Deserialize)]
struct Solved {
    position: String,
    score: Option<i32>,
    #[serde(rename = "move")]
    best: Option<String>,
}

/// What was solved before, by position and side to move.
type Known = HashMap<String, Solved>;

fn known(file: Option<&Path>) -> Result<Known, Failure> {
    let Some(file) = file else {
        return Ok(Known::new());
    };
    let text = fs::read_to_string(file).map_err(|error| Failure::file(file, &error))?;
    let mut known = Known::new();
    for line in text.lines() {
        let solved: Solved =
            serde_json::from_str(line).map_err(|error| Failure::file(file, &error))?;
        if solved.score.is_some() {
            known.insert(solved.position.clone(), solved);
        }
    }
    Ok(known)
}

/// The position and the side to move, as batches have them.
fn named(game: &AnyGame) -> String {
    format!("{game} {}", game.side_to_move().letter())
}

#[derive(Default, Serialize)]
struct Figures {
    positions: u64,
    /// Seconds until something is known of every move, on average and at most.
    first_seconds: f64,
    longest_first_seconds: f64,
    /// Of the positions that were judged.
    kept_share: Option<f64>,
    mean_error: Option<f64>,
    proved_share: Option<f64>,
}

/// The exact result of a position for its side to move.
struct Exact {
    outcome: Option<Outcome>,
    /// Discs of `x` less those of `o`.
    score: Option<i32>,
    best: Option<String>,
}

impl Exact {
    fn of(solved: &Solved, game: &AnyGame) -> Self {
        let black = game.side_to_move().color() == Some(Color::Black);
        let own = |score: i32| if black { score } else { -score };
        Self {
            outcome: solved.score.map(own).map(Outcome::of_score),
            score: solved.score,
            best: solved.best.clone(),
        }
    }
}

/// One analysis.
struct Measured {
    first: Duration,
    analysis: Analysis,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Done {
    let start = arguments.game.open()?;
    let stop = budget(None);
    if arguments.positions == 0 {
        let measured = measure(arguments, &start, &stop)?;
        let seconds = measured.first.as_secs_f64();
        let figures = Figures {
            positions: 1,
            first_seconds: seconds,
            longest_first_seconds: seconds,
            ..Figures::default()
        };
        return told(&figures, output);
    }
    let sample = Sample {
        start: &start,
        left: arguments.left,
        seed: arguments.analysis.seed(),
    };
    let mut figures = Figures::default();
    let (mut kept, mut error, mut scores, mut proved) = (0, 0.0, 0, 0);
    let known = known(arguments.solved.as_deref())?;
    let progress = Progress::new(arguments.positions, "analysing");
    let analyser = arguments.analysis.analyser()?;
    for index in 0..20 * arguments.positions {
        if figures.positions == arguments.positions || stop.is_over() {
            break;
        }
        let position = sample.position(index, &analyser.resources, &Budget::unlimited());
        let right = "upstar bench analysis clobber 6x6 --positions 20 --left 26";
        let position = position.map_err(|error| Failure::input(error, right))?;
        if position.is_over() {
            continue;
        }
        if arguments.list {
            figures.positions += 1;
            output.verbatim(&format!("{}\n", named(&position)))?;
            continue;
        }
        let Measured { first, analysis } = measure(arguments, &position, &stop)?;
        figures.positions += 1;
        figures.first_seconds += first.as_secs_f64();
        let longest = figures.longest_first_seconds;
        figures.longest_first_seconds = longest.max(first.as_secs_f64());
        proved += u64::from(analysis.known.is_proved());
        // A solver that knows nothing of the analysis.
        let solver = arguments.analysis.analyser()?.resources.solver;
        let best = &analysis.moves[0].mv;
        let next = position.play(best).expect("the move is legal");
        let solve = |game: &AnyGame| match game.result() {
            Some(_) => Ok(None),
            None => solver
                .solve(game, &Query::score(), &stop, &Unwatched)
                .map(Some),
        };
        let here = match known.get(&named(&position)) {
            Some(solved) => Exact::of(solved, &position),
            None => {
                let here = solve(&position).map_err(|error| refused(&error))?;
                let Some(here) = here else { continue };
                Exact {
                    outcome: here.outcome,
                    score: here.score,
                    best: here.best.filter(|_| here.proved),
                }
            }
        };
        let result = match next.result() {
            Some(result) => result
                .winner()
                .map(|winner| match winner == position.side_to_move() {
                    true => Outcome::Win,
                    false => Outcome::Loss,
                })
                .or(Some(Outcome::Draw)),
            // The solver's own move needs no second proof.
            None if here.best.as_ref() == Some(best) => here.outcome,
            None => {
                let there = solve(&next).map_err(|error| refused(&error))?;
                there.and_then(|there| there.outcome.map(Outcome::reversed))
            }
        };
        kept += u64::from(result >= here.outcome);
        if let (Some(exact), Some(discs)) = (here.score, analysis.known.discs()) {
            let black = position.side_to_move().color() == Some(Color::Black);
            let exact = f64::from(if black { exact } else { -exact });
            error += (exact - discs).abs();
            scores += 1;
        }
        progress.step();
    }
    progress.finish();
    if arguments.list {
        return Ok(ExitCode::SUCCESS);
    }
    let count = figures.positions.max(1) as f64;
    figures.first_seconds /= count;
    figures.kept_share = Some(kept as f64 / count);
    figures.proved_share = Some(proved as f64 / count);
    figures.mean_error = (scores > 0).then(|| error / f64::from(scores));
    told(&figures, output)
}

fn told(figures: &Figures, output: &Output) -> Done {
    output.print(figures, |figures| {
        let Figures {
            positions,
            first_seconds: first,
            longest_first_seconds: longest,
            kept_share,
            mean_error,
            proved_share,
        } = figures;
        let mut text = format!(
            "{positions} analysed; something is known of every move after {first:.3} s, at most {longest:.3} s"
        );
        if let (Some(kept), Some(proved)) = (kept_share, proved_share) {
            let (kept, proved) = (100.0 * kept, 100.0 * proved);
            text += &format!("\nthe first move keeps the result in {kept:.1} %; {proved:.0} % proved");
        }
        if let Some(error) = mean_error {
            text += &format!("\nscores are off by {error:.2} discs on average");
        }
        text
    })?;
    Ok(ExitCode::SUCCESS)
}

/// An analysis by an analyser that has met no position before, and when it first knew something of all moves.
fn measure(arguments: &Arguments, game: &AnyGame, stop: &Budget) -> Result<Measured, Failure> {
    let analyser = Analyser {
        every: Duration::from_millis(10),
        ..arguments.analysis.analyser()?
    };
    let mut first = None;
    let budget = stop.within(arguments.time);
    let analysis = analyser.run(game, &budget, &mut |analysis| {
        let known = |grade| grade > Grade::Unknown;
        if analysis
            .moves
            .iter()
            .all(|graded| known(graded.known.grade()))
        {
            first.get_or_insert(analysis.time);
        }
    });
    let analysis = analysis.map_err(refusal)?;
    Ok(Measured {
        first: first.unwrap_or(analysis.time),
        analysis,
    })
}
