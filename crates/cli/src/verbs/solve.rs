//! `solve`: who wins a position with best play, with proof.

mod batch;
pub(crate) mod folder;
mod proof;
mod solitaire;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use upstar_games::{
    AnyGame, Cells, Clobber, Color, Game, Position, Variant, VariantError, with_game,
};
use upstar_solve::clobber::{Settings, ValueTables, Weights};
use upstar_solve::{Budget, Outcome, Verdict, classic};

use self::folder::Folder;
use crate::failure::{Done, Failure, shown};
use crate::input::{self, GameArguments};
use crate::output::{Output, grouped};
use crate::progress::SearchProgress;
use crate::search::{SearchArguments, value_tables};

/// What, where and how hard.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The game: clobber, othello, … ('upstar games' lists them)
    #[arg(value_name = "GAME", value_parser = input::GameParser, hide_possible_values = true)]
    game: Variant,
    /// A size (4x5), a position (xox|oxo), random:5x6,seed=7, graph:FILE, or - for standard input
    #[arg(
        value_name = "POSITION",
        allow_hyphen_values = true,
        required_unless_present = "batch"
    )]
    position: Option<String>,
    /// The side to move: x, o, black, white, … [default: x, or whose turn it is]
    #[arg(long, value_name = "STONE", value_parser = input::stone)]
    to_move: Option<char>,
    /// Play these moves first
    #[arg(long, value_name = "MOVE,…", value_delimiter = ',')]
    play: Vec<String>,
    /// Solve every line of a file: a position, then the side to move; # begins a comment
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "play"])]
    batch: Option<PathBuf>,
    /// How to search [default: the best for the game]
    #[arg(long, value_enum)]
    algorithm: Option<Algorithm>,
    #[command(flatten)]
    search: SearchArguments,
    /// Write a proof of the result into this file, for 'upstar check'
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    proof: Option<PathBuf>,
    /// Keep a long solve in this folder, so that 'upstar resume DIR' can go on with it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["batch", "learn"])]
    out: Option<PathBuf>,
    /// Go on learning which moves to try first; keep what was learned in this file
    #[arg(long, value_name = "FILE")]
    learn: Option<PathBuf>,
    /// Try moves in the order that was learned in this file [default: what comes with the program]
    #[arg(long, value_name = "FILE", conflicts_with = "learn")]
    weights: Option<PathBuf>,
}

/// The ways to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Algorithm {
    /// Clobber as a sum of components (the default for Clobber)
    Sums,
    /// Two functions, one for each side
    Minimax,
    /// One function for both sides
    Negamax,
    /// Negamax with a table of positions
    NegamaxTt,
    /// Iterative deepening
    Id,
    /// Iterative deepening with a table, as in the report on linear Clobber
    IdTt,
    /// Proof-number search
    Pns,
    /// Solitaire: the fewest stones, with proof
    Exact,
    /// Solitaire: one line, each move judged by itself
    Greedy,
}

impl Algorithm {
    /// The plain algorithm of this name.
    fn classic(self) -> Option<classic::Algorithm> {
        Some(match self {
            Self::Minimax => classic::Algorithm::Minimax,
            Self::Negamax => classic::Algorithm::Negamax,
            Self::NegamaxTt => classic::Algorithm::NegamaxTt,
            Self::Id => classic::Algorithm::Id,
            Self::IdTt => classic::Algorithm::IdTt,
            Self::Pns => classic::Algorithm::Pns,
            Self::Sums | Self::Exact | Self::Greedy => return None,
        })
    }
}

/// What was found.
#[derive(Serialize, Deserialize)]
struct Solved {
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    winner: Option<String>,
    score: Option<i32>,
    r#move: Option<String>,
    proved: bool,
    nodes: u64,
    seconds: f64,
    algorithm: Algorithm,
    /// Whether the move reaches more than a loss, which every move does.
    #[serde(skip)]
    is_good_move: bool,
}

impl Solved {
    fn new<G: Game>(
        game: &G,
        position: &G::Position,
        verdict: &Verdict<G::Move>,
        time: Duration,
        algorithm: Algorithm,
    ) -> Self {
        let mover = game.to_move(position);
        Self {
            position: None,
            winner: verdict.outcome.map(|outcome| winner(outcome, mover)),
            score: None,
            r#move: verdict.best.map(|mv| game.move_name(mv)),
            proved: verdict.outcome.is_some(),
            nodes: verdict.nodes,
            seconds: time.as_secs_f64(),
            algorithm,
            is_good_move: verdict.outcome > Some(Outcome::Loss),
        }
    }

    /// The verdict in words.
    fn sentence(&self) -> String {
        let verdict = match self.winner.as_deref() {
            None => return "?".to_owned(),
            Some("draw") => "a draw".to_owned(),
            Some(winner) => format!("{winner} wins"),
        };
        match &self.r#move {
            Some(mv) if self.is_good_move => format!("{verdict} by {mv} (proved)"),
            _ => format!("{verdict} (proved)"),
        }
    }

    fn text(&self) -> String {
        let (nodes, seconds) = (grouped(self.nodes), self.seconds);
        let rate = grouped((self.nodes as f64 / seconds.max(1e-9)) as u64);
        format!(
            "{}\n{nodes} nodes in {seconds:.3} s ({rate} a second)",
            self.sentence()
        )
    }

    fn status(&self) -> ExitCode {
        ExitCode::from(u8::from(!self.proved))
    }
}

/// The letter of the winner, or `draw`.
pub(super) fn winner(outcome: Outcome, mover: Color) -> String {
    match outcome {
        Outcome::Win => mover.letter().into(),
        Outcome::Loss => (!mover).letter().into(),
        Outcome::Draw => "draw".to_owned(),
    }
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    if let Some(file) = &arguments.batch {
        return batch::run(arguments, file, output);
    }
    let Some(position) = &arguments.position else {
        return Err(Failure::input(
            "POSITION is missing",
            "upstar solve clobber 4x5",
        ));
    };
    let place = GameArguments::new(arguments.game, position, arguments.to_move, &arguments.play);
    let game = place.open()?;
    if let AnyGame::Solitaire(rules, start) = &game {
        let algorithm = arguments.algorithm.unwrap_or(Algorithm::Exact);
        if !matches!(algorithm, Algorithm::Exact | Algorithm::Greedy) {
            return Err(arguments.unsuitable(algorithm, "exact"));
        }
        arguments.only_for_sums(algorithm)?;
        // Without a limit many boards would never end.
        const PATIENCE: Duration = Duration::from_secs(10);
        let mut budget = arguments.search.budget();
        if arguments.search.time_limit.is_none() {
            budget = budget.with_time(PATIENCE);
        }
        return solitaire::reduce(rules, start, algorithm, &budget, output);
    }
    let budget = arguments.search.budget();
    let solved = solve(arguments, &value_tables(), &game, &budget)?;
    output.print(&solved, Solved::text)?;
    Ok(solved.status())
}

/// Solves one position.
fn solve(
    arguments: &Arguments,
    tables: &ValueTables,
    game: &AnyGame,
    budget: &Budget,
) -> Result<Solved, Failure> {
    let algorithm = arguments.algorithm.unwrap_or(match game {
        AnyGame::Clobber64(..) | AnyGame::Clobber128(..) => Algorithm::Sums,
        _ => Algorithm::NegamaxTt,
    });
    arguments.only_for_sums(algorithm)?;
    if let Some(plain) = algorithm.classic() {
        return with_game!(
            game,
            |rules, start| {
                let begun = Instant::now();
                let verdict =
                    classic::solve(plain, rules, start, arguments.search.memory(), budget);
                Ok(Solved::new(
                    rules,
                    start,
                    &verdict,
                    begun.elapsed(),
                    algorithm,
                ))
            },
            Err(arguments.not_for_two())
        );
    }
    match (algorithm, game) {
        (Algorithm::Sums, AnyGame::Clobber64(rules, start)) => {
            sums(arguments, tables, rules, start, budget)
        }
        (Algorithm::Sums, AnyGame::Clobber128(rules, start)) => {
            sums(arguments, tables, rules, start, budget)
        }
        _ => Err(arguments.unsuitable(algorithm, "negamax-tt")),
    }
}

/// Solves a Clobber position as a sum of components.
fn sums<B: Cells>(
    arguments: &Arguments,
    tables: &ValueTables,
    rules: &Clobber<B>,
    start: &Position<B>,
    budget: &Budget,
) -> Result<Solved, Failure> {
    let mut settings = arguments.search.settings();
    arguments.learning(&mut settings)?;
    if let Some(path) = &arguments.out {
        let proof = arguments.proof.as_deref();
        let config = folder::config(rules, start, &settings, proof);
        let folder = Folder::create(path, &config)?;
        return folder.solve(&arguments.search, &settings, rules, start, proof, budget);
    }
    let mut solver = arguments.search.solver(tables, rules, start, &settings)?;
    let begun = Instant::now();
    let progress = SearchProgress::default();
    let verdict = progress.during(|| solver.solve(start, budget, &progress));
    if let (Some(file), Some(weights)) = (&arguments.learn, solver.learned()) {
        std::fs::write(file, weights.to_bytes()).map_err(|error| Failure::file(file, &error))?;
    }
    let solved = Solved::new(rules, start, &verdict, begun.elapsed(), Algorithm::Sums);
    if let (Some(file), Some(outcome)) = (&arguments.proof, verdict.outcome) {
        proof::write(&mut solver, start, outcome, file, budget)?;
    }
    Ok(solved)
}

/// Goes on with a run.
pub(super) fn resume(
    folder: &Folder,
    config: &folder::Config,
    search: &SearchArguments,
    output: &Output,
) -> Done {
    let refused = |why: &dyn std::fmt::Display| {
        Failure::input(
            format!("config.toml: {why}"),
            "the file as 'upstar solve --out DIR' wrote it",
        )
    };
    let finished = config.proof.as_ref().is_none_or(|file| file.exists());
    if finished && let Some(solved) = folder.result() {
        output.print(&solved, Solved::text)?;
        return Ok(solved.status());
    }
    let game: Variant = config
        .game
        .parse()
        .map_err(|error: VariantError| refused(&error))?;
    let place = GameArguments::new(game, &config.position, Some(config.to_move), &[]);
    let game = place.open()?;
    let settings = search.settings();
    let budget = search.budget();
    let proof = config.proof.as_deref();
    let solved = match &game {
        AnyGame::Clobber64(rules, start) => {
            folder.solve(search, &settings, rules, start, proof, &budget)?
        }
        AnyGame::Clobber128(rules, start) => {
            folder.solve(search, &settings, rules, start, proof, &budget)?
        }
        _ => return Err(refused(&"only runs of Clobber can be resumed")),
    };
    output.print(&solved, Solved::text)?;
    Ok(solved.status())
}

impl Arguments {
    /// Takes over what was learned before.
    fn learning(&self, settings: &mut Settings) -> Result<(), Failure> {
        settings.learn = self.learn.is_some();
        let file = match (&self.learn, &self.weights) {
            (Some(file), _) if file.exists() => file,
            (None, Some(file)) => file,
            _ => return Ok(()),
        };
        let bytes = input::read_file(file, 1 << 20)?;
        let weights = Weights::from_bytes(&bytes).ok_or_else(|| {
            let sentence = format!("{} holds no weights, or is damaged", shown(file));
            Failure::input(sentence, "--learn with the name of a new file")
        })?;
        settings.weights = Some(weights);
        Ok(())
    }

    /// Refuses what only the search over sums can do.
    fn only_for_sums(&self, algorithm: Algorithm) -> Result<(), Failure> {
        let given = [
            ("--proof", self.proof.is_some()),
            ("--out", self.out.is_some()),
            ("--learn", self.learn.is_some()),
            ("--weights", self.weights.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) if algorithm != Algorithm::Sums => Err(Failure::input(
                format!("{option} is for Clobber and the algorithm sums"),
                format!("upstar solve clobber 4x5 {option} FILE"),
            )),
            _ => Ok(()),
        }
    }

    fn unsuitable(&self, algorithm: Algorithm, right: &str) -> Failure {
        let name = algorithm
            .to_possible_value()
            .map_or(String::new(), |value| value.get_name().to_owned());
        let sentence = format!("{name} is no way to solve {}", self.game);
        Failure::input(
            sentence,
            format!(
                "upstar solve {} {} --algorithm {right}",
                self.game,
                self.game.example()
            ),
        )
    }

    fn not_for_two(&self) -> Failure {
        let sentence = format!("{} has no two sides, one of which could win", self.game);
        Failure::input(sentence, "upstar solve clobber 4x5")
    }
}
