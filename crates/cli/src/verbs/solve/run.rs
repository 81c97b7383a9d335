//! Long solves in a folder, begun by `solve --out` and continued by `resume`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use upstar_games::{AnyGame, Variant, VariantError};
use upstar_jobs::Budget;
use upstar_jobs::quantity::{LEAST_MEMORY, MOST_MEMORY, MOST_THREADS};
use upstar_runs::FolderError;
use upstar_solve::Solver;
use upstar_solve::run::{Kept, SolveRun, SolveRunError, SolveSession};

use super::{Algorithm, Arguments, Solved, proof};
use crate::failure::{Done, Failure, shown, warn};
use crate::input::GameArguments;
use crate::output::Output;
use crate::progress::SearchProgress;
use crate::search::SearchArguments;

const FILE_AS_IT_WAS: &str = "the file as 'upstar solve --out DIR' wrote it";

/// Begins a run in a new folder.
pub(super) fn begin(
    path: &Path,
    arguments: &Arguments,
    solver: &Solver,
    game: &AnyGame,
    budget: &Budget,
) -> Result<Solved, Failure> {
    let run = SolveRun::create(path, arguments.config(game));
    let run = run.map_err(|error| refused(arguments, &error))?;
    search(&run, arguments, solver, game, budget)
}

/// Continues the run in this folder. `proof` is where a proof goes, if not where the run was told to write it.
pub(crate) fn resume(
    path: &Path,
    search_arguments: SearchArguments,
    proof: Option<PathBuf>,
    output: &Output,
) -> Done {
    let run = SolveRun::open(path).map_err(|error| folder_refused(&error))?;
    let config = run.config();
    let memory = LEAST_MEMORY..=MOST_MEMORY;
    if !(1..=MOST_THREADS).contains(&config.threads) || !memory.contains(&config.memory) {
        let sentence = "threads or memory in config.toml are out of range";
        return Err(Failure::input(sentence, FILE_AS_IT_WAS));
    }
    let finished = match &proof {
        Some(_) => false,
        None => config.proof.as_ref().is_none_or(|file| file.exists()),
    };
    let kept = run.result::<Solved>();
    match kept.map_err(|error| folder_refused(&error))? {
        Kept::Answer(mut solved) if finished => {
            let winner = solved.winner.as_deref();
            solved.is_good_move =
                winner == Some("draw") || winner == Some(&config.to_move.to_string());
            output.print(&solved, Solved::text)?;
            return Ok(solved.status());
        }
        Kept::Untrusted(why) => warn(&format!("{why}; the search continues from its journal")),
        Kept::Answer(_) | Kept::Nothing => {}
    }
    let game: Variant = config.game.parse().map_err(|error: VariantError| {
        Failure::input(format!("config.toml: {error}"), FILE_AS_IT_WAS)
    })?;
    let mut arguments = Arguments::of_run(game, config, search_arguments);
    arguments.proof = proof.or(arguments.proof);
    let place = GameArguments::new(game, &config.position, Some(config.to_move), &[]);
    let budget = arguments.search.budget();
    let opened = place
        .open()
        .map_err(|failure| failure.at("config.toml").with_example(FILE_AS_IT_WAS))?;
    let solver = Solver::new(arguments.settings()?);
    let solved = search(&run, &arguments, &solver, &opened, &budget)?;
    output.print(&solved, Solved::text)?;
    Ok(solved.status())
}

/// Searches from where the run stands, and writes down what came of it. The result is that of the whole run.
fn search(
    run: &SolveRun,
    arguments: &Arguments,
    solver: &Solver,
    game: &AnyGame,
    budget: &Budget,
) -> Result<Solved, Failure> {
    let algorithm = match game {
        AnyGame::Clobber64(..) | AnyGame::Clobber128(..) => Algorithm::Sums,
        _ => Algorithm::AlphaBeta,
    };
    let query = arguments.query();
    let progress = SearchProgress::default();
    let prepared = super::prepare(solver, game, &query, budget, &progress);
    prepared.map_err(|error| arguments.refused(&error))?;
    let begun = Instant::now();
    let answer = progress.during(|| run.solve(solver, game, &query, budget, &progress));
    let answer = answer.map_err(|error| refused(arguments, &error))?;
    let mut solved = Solved::new(answer, game, begun.elapsed(), algorithm);
    let first_moves = match algorithm {
        Algorithm::Sums => Some(progress.first_moves_refuted()),
        _ => None,
    };
    let session = SolveSession {
        session: run.session(),
        seconds: solved.seconds,
        nodes: solved.nodes,
        threads: arguments.search.threads(),
        memory: arguments.search.memory(),
        first_moves_refuted: first_moves.map(|(refuted, _)| refuted),
        first_moves: first_moves.map(|(_, of)| of),
        proved: solved.proved,
    };
    let mut keep = || -> Result<(), SolveRunError> {
        let (nodes, seconds) = run.spent()?;
        run.add(&session)?;
        solved.nodes += nodes;
        solved.seconds += seconds;
        if solved.proved {
            run.finish(&solved)?;
        }
        Ok(())
    };
    keep().map_err(|error| refused(arguments, &error))?;
    if let (Some(file), true) = (&arguments.proof, solved.proved) {
        proof::write(solver, game, &query, file, budget)?;
    }
    Ok(solved)
}

/// What the user is told of a run that cannot go on.
fn refused(arguments: &Arguments, error: &SolveRunError) -> Failure {
    match error {
        SolveRunError::Solve(error) => arguments.refused(error),
        SolveRunError::Unsuitable => Failure::input(error, "upstar solve clobber 6x6 --out DIR"),
        error => folder_refused(error),
    }
}

/// What the user is told of a folder that cannot be used.
fn folder_refused(error: &SolveRunError) -> Failure {
    let right = match error {
        SolveRunError::Folder(FolderError::Taken(path)) => {
            format!("upstar resume {}", shown(path))
        }
        SolveRunError::Folder(FolderError::NoRun(_)) => {
            "upstar resume DIR after solve, tournament, train or tune with --out DIR; \
             reproduce continues by the same command"
                .to_owned()
        }
        SolveRunError::Folder(error) => error
            .advice()
            .unwrap_or_else(|| "a new folder for --out".to_owned()),
        SolveRunError::Config { .. } => FILE_AS_IT_WAS.to_owned(),
        _ => "a new folder for --out".to_owned(),
    };
    Failure::input(error, right)
}
