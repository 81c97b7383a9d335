//! `solve`: who wins a position with best play, with proof.

mod batch;
mod discs;
mod proof;
mod solitaire;
mod sums;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use upstar_games::{AnyGame, Color, Game, Rules, Variant, VariantError, with_game, with_rules};
use upstar_jobs::Budget;
use upstar_runs::FolderError;
use upstar_solve::clobber::ValueTables;
use upstar_solve::run::{Kept, Session, SolveConfig, SolveRun, SolveRunError};
use upstar_solve::{Outcome, Verdict, classic};

use crate::failure::{Done, Failure, shown, warn};
use crate::input::{self, GameArguments};
use crate::output::{Output, counted, grouped};
use crate::search::{
    Counting, LEAST_MEMORY, MOST_MEMORY, MOST_THREADS, SearchArguments, value_tables,
};

/// What, where and how hard.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The game: clobber, othello, … ('upstar games' lists them)
    #[arg(value_name = "GAME", value_parser = input::GameParser, hide_possible_values = true)]
    game: Variant,
    /// A size (4x5), a position (xox|oxo), random:5x6,seed=7, graph:FILE, or - for standard input;
    /// for Othello also a game on 8x8 (f5d6c3)
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
    /// Solve every line of a file: a position, then the side to move; # begins a comment. For Othello
    /// lines may be problems in OBF
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "play"])]
    batch: Option<PathBuf>,
    /// How to search [default: the best for the game]
    #[arg(long, value_enum)]
    algorithm: Option<Algorithm>,
    #[command(flatten)]
    search: SearchArguments,
    /// Othello: find out by how many discs, not only who wins
    #[arg(long)]
    exact: bool,
    /// Othello: cells that stay empty count for the winner, as in tournaments
    #[arg(long)]
    empties_to_winner: bool,
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
    /// Alpha-beta with a fitted order of moves (the default for Othello)
    AlphaBeta,
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
            Self::Sums | Self::AlphaBeta | Self::Exact | Self::Greedy => return None,
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
    /// Othello: what is proved of the score, at least and at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bounds: Option<(i32, i32)>,
    /// Othello: best play to the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    line: Vec<String>,
    /// The score that an OBF problem tells, for `x`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expected: Option<i32>,
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
            bounds: None,
            line: Vec::new(),
            expected: None,
            is_good_move: verdict.outcome > Some(Outcome::Loss),
        }
    }

    /// The verdict in words.
    fn sentence(&self) -> String {
        let verdict = match (self.winner.as_deref(), self.score) {
            (None, _) => return "?".to_owned(),
            (Some("draw"), None) if !self.proved => return "?".to_owned(),
            (Some(winner), None) if !self.proved => {
                return format!("? ({winner} wins, but by how many discs is open)");
            }
            (Some("draw"), _) => "a draw".to_owned(),
            (Some(winner), None) => format!("{winner} wins"),
            (Some(winner), Some(score)) => {
                let discs = score.abs();
                let noun = if discs == 1 { "disc" } else { "discs" };
                format!("{winner} wins with {discs} {noun} more")
            }
        };
        match &self.r#move {
            Some(mv) if self.is_good_move => format!("{verdict} by {mv} (proved)"),
            _ => format!("{verdict} (proved)"),
        }
    }

    fn text(&self) -> String {
        let (nodes, seconds) = (counted(self.nodes, "node"), self.seconds);
        let rate = grouped((self.nodes as f64 / seconds.max(1e-9)) as u64);
        let mut text = self.sentence();
        if let (false, Some((lower, upper))) = (self.proved, self.bounds) {
            text += &format!("\nthe score is between {lower} and {upper} (proved)");
        }
        if self.score.is_some() && !self.line.is_empty() {
            text += &format!("\nbest play: {}", self.line.join(" "));
        }
        format!("{text}\n{nodes} in {seconds:.3} s ({rate} a second)")
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
        arguments.check_options(algorithm)?;
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
    if let AnyGame::Colors(..) = game {
        return Err(arguments.not_for_two());
    }
    let is_othello = matches!(arguments.game, Variant::Othello(_) | Variant::Reversi);
    let algorithm = arguments.algorithm.unwrap_or(match game {
        AnyGame::Clobber64(..) | AnyGame::Clobber128(..) => Algorithm::Sums,
        _ => Algorithm::AlphaBeta,
    });
    arguments.check_options(algorithm)?;
    if let Some(plain) = algorithm.classic() {
        let memory = arguments.search.memory();
        return with_game!(
            game,
            |rules, start| {
                let begun = Instant::now();
                let verdict = classic::solve(plain, rules, start, memory, budget);
                let time = begun.elapsed();
                Ok(Solved::new(rules, start, &verdict, time, algorithm))
            },
            Err(arguments.not_for_two())
        );
    }
    if let Some(path) = &arguments.out {
        let run = SolveRun::create(path, arguments.config(game));
        let run = run.map_err(|error| refused(&error))?;
        return go_on(arguments, &run, game, budget);
    }
    match (algorithm, game) {
        (Algorithm::Sums, AnyGame::Clobber64(rules, start)) => {
            sums::solve(arguments, tables, rules, start, budget)
        }
        (Algorithm::Sums, AnyGame::Clobber128(rules, start)) => {
            sums::solve(arguments, tables, rules, start, budget)
        }
        (Algorithm::AlphaBeta, _) if is_othello => {
            let counting = arguments.counting();
            let proof = arguments.proof.as_deref();
            discs::solve(&arguments.search, &counting, game, proof, budget)
                .expect("this is Othello")
        }
        _ => Err(arguments.unsuitable(algorithm, if is_othello { "alpha-beta" } else { "sums" })),
    }
}

/// Goes on with a run, from its beginning or wherever it is.
fn go_on(
    arguments: &Arguments,
    run: &SolveRun,
    game: &AnyGame,
    budget: &Budget,
) -> Result<Solved, Failure> {
    let (search, config) = (&arguments.search, run.config());
    let counting = Counting {
        exact: config.exact,
        empties_to_winner: config.empties_to_winner,
        weights: arguments.weights.clone(),
    };
    match game {
        AnyGame::Clobber64(rules, start) => {
            let settings = sums::settings(arguments)?;
            sums::go_on(run, search, &settings, rules, start, budget)
        }
        AnyGame::Clobber128(rules, start) => {
            let settings = sums::settings(arguments)?;
            sums::go_on(run, search, &settings, rules, start, budget)
        }
        AnyGame::Othello64(rules, start) => {
            discs::go_on(run, search, &counting, rules, start, budget)
        }
        _ => Err(Failure::input(
            "runs are for Clobber, and for Othello (not Reversi) on boards of at most 64 cells",
            "upstar solve clobber 6x6 --out DIR",
        )),
    }
}

/// Goes on with the run in this folder.
pub(super) fn resume(path: &Path, search: SearchArguments, output: &Output) -> Done {
    let run = SolveRun::open(path).map_err(|error| refused(&error))?;
    let config = run.config();
    let memory = LEAST_MEMORY..=MOST_MEMORY;
    if !(1..=MOST_THREADS).contains(&config.threads) || !memory.contains(&config.memory) {
        let sentence = "threads or memory in config.toml are out of range";
        return Err(Failure::input(sentence, FILE_AS_IT_WAS));
    }
    let finished = config.proof.as_ref().is_none_or(|file| file.exists());
    match run.result::<Solved>().map_err(|error| refused(&error))? {
        Kept::Answer(mut solved) if finished => {
            let winner = solved.winner.as_deref();
            solved.is_good_move =
                winner == Some("draw") || winner == Some(&config.to_move.to_string());
            output.print(&solved, Solved::text)?;
            return Ok(solved.status());
        }
        Kept::Untrusted(why) => warn(&format!("{why}; the search goes on from its journal")),
        Kept::Answer(_) | Kept::Nothing => {}
    }
    let game: Variant = config.game.parse().map_err(|error: VariantError| {
        Failure::input(format!("config.toml: {error}"), FILE_AS_IT_WAS)
    })?;
    let arguments = Arguments::of_run(game, config, search);
    let place = GameArguments::new(game, &config.position, Some(config.to_move), &[]);
    let budget = arguments.search.budget();
    let opened = place
        .open()
        .map_err(|failure| failure.at("config.toml").with_example(FILE_AS_IT_WAS))?;
    let solved = go_on(&arguments, &run, &opened, &budget)?;
    output.print(&solved, Solved::text)?;
    Ok(solved.status())
}

/// Writes down what came of a session: its share of the work, and the result if there is one. Returns the
/// result of the whole run.
fn keep(run: &SolveRun, mut solved: Solved, session: &Session) -> Result<Solved, Failure> {
    let kept = || -> Result<Solved, SolveRunError> {
        let (nodes, seconds) = run.spent()?;
        run.add(session)?;
        solved.nodes += nodes;
        solved.seconds += seconds;
        if solved.proved {
            run.finish(&solved)?;
        }
        Ok(solved)
    };
    kept().map_err(|error| refused(&error))
}

/// What a session of a run spent.
fn session(solved: &Solved, threads: usize, memory: usize) -> Session {
    Session {
        seconds: solved.seconds,
        nodes: solved.nodes,
        threads,
        memory,
        first_moves_refuted: None,
        first_moves: None,
        proved: solved.proved,
    }
}

const FILE_AS_IT_WAS: &str = "the file as 'upstar solve --out DIR' wrote it";

/// A run's error as the user is told.
fn refused(error: &SolveRunError) -> Failure {
    let right = match error {
        SolveRunError::Folder(FolderError::Taken(path)) => {
            format!("upstar resume {}", shown(path))
        }
        SolveRunError::Folder(FolderError::NoRun(_)) => {
            "upstar resume DIR after solve, tournament, train or tune with --out DIR; \
             reproduce goes on by the same command"
                .to_owned()
        }
        SolveRunError::Folder(error) => error
            .advice()
            .unwrap_or_else(|| "a new folder for --out".to_owned()),
        SolveRunError::Config { .. } => FILE_AS_IT_WAS.to_owned(),
        SolveRunError::Journal { .. } => "a new folder for --out".to_owned(),
    };
    Failure::input(error, right)
}

impl Arguments {
    /// What a run was begun with.
    fn of_run(game: Variant, config: &SolveConfig, mut search: SearchArguments) -> Self {
        search.or(config.threads, config.memory);
        Self {
            game,
            position: Some(config.position.clone()),
            to_move: Some(config.to_move),
            play: Vec::new(),
            batch: None,
            algorithm: None,
            search,
            exact: config.exact,
            empties_to_winner: config.empties_to_winner,
            proof: config.proof.clone(),
            out: None,
            learn: None,
            weights: None,
        }
    }

    /// The configuration of a run that is about to begin.
    fn config(&self, game: &AnyGame) -> SolveConfig {
        let (position, to_move) = with_rules!(game, |rules, start| {
            (rules.setup(start).to_string(), rules.letter_to_move(start))
        });
        let game = match self.game {
            // The position says how it began.
            Variant::Othello(_) => "othello".to_owned(),
            other => other.to_string(),
        };
        SolveConfig {
            game,
            position,
            to_move,
            threads: self.search.threads(),
            memory: self.search.memory(),
            proof: self.proof.clone(),
            exact: self.exact,
            empties_to_winner: self.empties_to_winner,
        }
    }

    /// How Othello's discs are counted.
    fn counting(&self) -> Counting {
        Counting {
            exact: self.exact,
            empties_to_winner: self.empties_to_winner,
            weights: self.weights.clone(),
        }
    }

    /// Refuses options that this way to search does not have.
    fn check_options(&self, algorithm: Algorithm) -> Result<(), Failure> {
        use Algorithm::{AlphaBeta, Sums};
        let only = |given: bool, option: &str, by: &[Algorithm], whose: &str, right: &str| {
            if !given || by.contains(&algorithm) {
                return Ok(());
            }
            let sentence = format!("{option} is for {whose}");
            Err(Failure::input(sentence, format!("upstar solve {right}")))
        };
        let (clobber, othello) = (
            "Clobber and the algorithm sums",
            "Othello and the algorithm alpha-beta",
        );
        let both = "Clobber with the algorithm sums and Othello with alpha-beta";
        only(
            self.proof.is_some(),
            "--proof",
            &[Sums, AlphaBeta],
            both,
            "clobber 4x5 --proof FILE",
        )?;
        only(
            self.learn.is_some(),
            "--learn",
            &[Sums],
            clobber,
            "clobber 4x5 --learn FILE",
        )?;
        only(
            self.out.is_some(),
            "--out",
            &[Sums, AlphaBeta],
            both,
            "clobber 4x5 --out DIR",
        )?;
        if self.game == Variant::Reversi && self.weights.is_some() {
            let sentence =
                "--weights is for boards that the fast search knows, and not for Reversi";
            return Err(Failure::input(
                sentence,
                "upstar solve othello 5x5 --weights FILE",
            ));
        }
        only(
            self.weights.is_some(),
            "--weights",
            &[Sums, AlphaBeta],
            both,
            "clobber 4x5 --weights FILE",
        )?;
        only(
            self.exact,
            "--exact",
            &[AlphaBeta],
            othello,
            "othello 4x5 --exact",
        )?;
        only(
            self.empties_to_winner,
            "--empties-to-winner",
            &[AlphaBeta],
            othello,
            "othello 4x5 --exact --empties-to-winner",
        )
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
