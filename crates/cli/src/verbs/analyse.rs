//! `analyse`: what is known of every move, better the longer one looks.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use upstar_agents::{AgentSpec, Resources};
use upstar_analysis::{Analyser, Analysis, AnalysisError, AnalysisLine, GradedMove, ProvedResults};
use upstar_games::AnyGame;
use upstar_jobs::{Ledger, quantity};
use upstar_solve::{Settings, Solver};

use crate::failure::{Done, Failure};
use crate::input::GameArguments;
use crate::output::{Output, grouped};
use crate::players;
use crate::search::{budget, refused, value_tables};
use crate::values::{self, SeedOption};

/// Where, how long, and who guesses.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    analysis: AnalysisArguments,
    /// How long to think; it ends sooner when every move is proved
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = quantity::duration)]
    time: Duration,
    /// Show only this many moves; in Othello as many are searched to the full depth [default: all, one
    /// of them to the full depth]
    #[arg(long, value_name = "K", value_parser = values::whole::<usize>("number of moves", 1..=1000, "--multi 3"))]
    multi: Option<usize>,
}

/// What every analysis may use.
#[derive(clap::Args)]
pub(crate) struct AnalysisArguments {
    /// Store what is proved in this file, and start from what it holds
    #[arg(long, value_name = "FILE")]
    proved: Option<PathBuf>,
    /// Who estimates, mcts:… or az:…, instead of the best estimator for the game
    #[arg(long, value_name = "AGENT", value_parser = values::option(players::spec, "--agent mcts:1000"))]
    agent: Option<AgentSpec>,
    /// The memory limit, tables included: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = quantity::memory)]
    memory: usize,
    /// How many threads the solver has [default: all cores]
    #[arg(long, value_name = "N", value_parser = quantity::threads)]
    threads: Option<usize>,
    #[command(flatten)]
    seed: SeedOption,
}

impl AnalysisArguments {
    /// The seed.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.seed
    }

    /// The analyser.
    pub(crate) fn analyser(&self) -> Result<Analyser, Failure> {
        let threads = self.threads.unwrap_or_else(values::all_cores);
        let ledger = Ledger::new(self.memory, threads);
        let solver = Solver::new(Settings {
            memory: self.memory / 2,
            threads,
            tables: value_tables().with_ledger(&ledger),
            ledger,
            ..Settings::default()
        });
        let proved = self.proved.as_deref().map(ProvedResults::open);
        let proved = proved
            .transpose()
            .map_err(|error| Failure::input(error, PROVED))?;
        Ok(Analyser {
            resources: Resources {
                solver,
                memory: self.memory / 2,
                ..Resources::default()
            },
            memory: self.memory / 2,
            agent: self.agent.clone(),
            seed: self.seed.seed,
            proved: proved.map(Arc::new),
            ..Analyser::default()
        })
    }
}

const PROVED: &str = "--proved FILE in a folder of yours";

/// A refusal, with a command that works.
pub(crate) fn refusal(error: AnalysisError) -> Failure {
    match error {
        AnalysisError::Solver(error) => refused(&error),
        AnalysisError::Agent(_) | AnalysisError::NotWatchable(_) => {
            Failure::input(error, "--agent mcts:1000")
        }
        AnalysisError::Thread(_) => Failure::input(error, "--threads 1"),
        AnalysisError::ProvedResults(_) => Failure::input(error, PROVED),
        AnalysisError::Over | AnalysisError::NotForTwo(_) => {
            Failure::input(error, "upstar analyse clobber 6x6 --time 5s")
        }
    }
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let game = arguments.game.open()?;
    let multi = arguments.multi.unwrap_or(usize::MAX);
    let analyser = Analyser {
        multi: arguments.multi.unwrap_or(1),
        ..arguments.analysis.analyser()?
    };
    let budget = budget(Some(arguments.time));
    let mut failed = None;
    let live = !output.is_json() && io::stderr().is_terminal();
    let mut tell = |analysis: &Analysis| {
        if output.is_json() {
            let line = AnalysisLine::new(analysis, &game, multi);
            if let Err(error) = output.happened(&line) {
                failed = Some(error);
                budget.cancel();
            }
        } else if live && let Some(best) = analysis.moves.first() {
            let seconds = analysis.time.as_secs_f64();
            eprint!("\r\x1b[K{seconds:.1} s  {} {}", best.mv, best.known);
            let _ = io::stderr().flush();
        }
    };
    let analysis = analyser.run(&game, &budget, &mut tell);
    if live {
        eprint!("\r\x1b[K");
    }
    if let Some(error) = failed {
        return Err(error.into());
    }
    let analysis = analysis.map_err(refusal)?;
    let line = AnalysisLine::new(&analysis, &game, multi);
    output.print(&line, |_| text(&analysis, &game, multi))?;
    Ok(ExitCode::SUCCESS)
}

/// The position in a sentence, then a line for each move: proved ones without a mark, others with `~`.
pub(crate) fn text(analysis: &Analysis, game: &AnyGame, multi: usize) -> String {
    let side = game.side_to_move().letter();
    let (nodes, work) = (grouped(analysis.nodes), grouped(analysis.work));
    let seconds = analysis.time.as_secs_f64();
    let mut text = vec![format!(
        "{side} to move: {}  ({nodes} positions solved, {work} looked at, {seconds:.1} s)",
        analysis.known
    )];
    let moves = &analysis.moves[..analysis.moves.len().min(multi)];
    let width = moves
        .iter()
        .map(|graded| graded.mv.len())
        .max()
        .unwrap_or(0);
    let known = |graded: &GradedMove| graded.known.to_string();
    let wide = moves
        .iter()
        .map(|graded| known(graded).len())
        .max()
        .unwrap_or(0);
    for graded in moves {
        let mark = if graded.known.is_proved() { '=' } else { '~' };
        let line = graded.line[1..].iter().take(8).map(String::as_str);
        let line = line.collect::<Vec<_>>().join(" ");
        let (mv, known) = (&graded.mv, known(graded));
        let row = format!("{mark} {mv:<width$}  {known:<wide$}  {line}");
        text.push(row.trim_end().to_owned());
    }
    let hidden = analysis.moves.len() - moves.len();
    if hidden > 0 {
        text.push(format!("{hidden} more"));
    }
    text.push("= proved, ~ estimated or bounded; results are those of the side to move".to_owned());
    text.join("\n")
}
