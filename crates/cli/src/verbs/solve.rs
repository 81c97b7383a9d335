//! `solve`: who wins a position with best play, with proof.

mod batch;
mod proof;
pub(super) mod run;
mod solitaire;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use upstar_games::{AnyGame, Rules, Variant, with_game, with_rules};
use upstar_jobs::Budget;
use upstar_solve::clobber::Weights;
use upstar_solve::run::SolveConfig;
use upstar_solve::{
    Answer, Outcome, Query, Question, Settings, SolveError, Solver, classic, othello,
};

use crate::failure::{Done, Failure, shown};
use crate::input::{self, GameArguments};
use crate::output::{Output, counted, grouped};
use crate::progress::SearchProgress;
use crate::search::{SearchArguments, refused};

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
    /// Keep a long solve in this folder, so that 'upstar resume DIR' can continue it
    #[arg(long, value_name = "DIR", conflicts_with = "batch")]
    out: Option<PathBuf>,
    /// Try moves in the order that 'upstar fit' wrote into this file [default: what comes with the program]
    #[arg(long, value_name = "FILE")]
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
    /// The algorithm as the solver knows it.
    fn known(self) -> Option<upstar_solve::Algorithm> {
        use upstar_solve::Algorithm as Known;
        Some(match self {
            Self::Sums => Known::Sums,
            Self::AlphaBeta => Known::AlphaBeta,
            Self::Minimax => Known::Classic(classic::Algorithm::Minimax),
            Self::Negamax => Known::Classic(classic::Algorithm::Negamax),
            Self::NegamaxTt => Known::Classic(classic::Algorithm::NegamaxTt),
            Self::Id => Known::Classic(classic::Algorithm::Id),
            Self::IdTt => Known::Classic(classic::Algorithm::IdTt),
            Self::Pns => Known::Classic(classic::Algorithm::Pns),
            Self::Exact | Self::Greedy => return None,
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
    fn new(answer: Answer, game: &AnyGame, time: Duration, algorithm: Algorithm) -> Self {
        let size = with_rules!(game, |rules, start| rules.setup(start).board.cells());
        let size = size.count_ones() as i32;
        Self {
            position: None,
            winner: answer.winner().map(str::to_owned),
            score: answer.score,
            proved: answer.proved,
            nodes: answer.nodes,
            seconds: time.as_secs_f64(),
            algorithm,
            // That a score is not larger than the board is not news.
            bounds: answer
                .bounds
                .filter(|&(lower, upper)| lower > -size || upper < size),
            line: match algorithm {
                Algorithm::AlphaBeta => answer.line,
                _ => Vec::new(),
            },
            expected: None,
            is_good_move: answer.outcome > Some(Outcome::Loss),
            r#move: answer.best,
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
    let solver = Solver::new(arguments.settings()?);
    let solved = solve(arguments, &solver, &game, &budget)?;
    output.print(&solved, Solved::text)?;
    Ok(solved.status())
}

/// Solves one position.
fn solve(
    arguments: &Arguments,
    solver: &Solver,
    game: &AnyGame,
    budget: &Budget,
) -> Result<Solved, Failure> {
    let own = with_game!(
        game,
        |rules, _start| own_algorithm(rules),
        return Err(arguments.not_for_two())
    );
    let algorithm = arguments.algorithm.unwrap_or(own);
    arguments.check_options(algorithm)?;
    let is_own = matches!(algorithm, Algorithm::Sums | Algorithm::AlphaBeta);
    let Some(known) = algorithm.known().filter(|_| !is_own || algorithm == own) else {
        let right = match own {
            Algorithm::Sums => "sums",
            _ => "alpha-beta",
        };
        return Err(arguments.unsuitable(algorithm, right));
    };
    if is_own && let Some(path) = &arguments.out {
        return run::begin(path, arguments, solver, game, budget);
    }
    let query = Query {
        algorithm: Some(known),
        ..arguments.query()
    };
    let proof = arguments.proof.as_deref();
    let fast = matches!(
        game,
        AnyGame::Clobber64(..) | AnyGame::Clobber128(..) | AnyGame::Othello64(..)
    );
    if proof.is_some() && !fast {
        return Err(Failure::input(
            "--proof is for Othello (not Reversi) on boards of at most 64 cells",
            "upstar solve othello 4x5 --proof FILE",
        ));
    }
    let refused = |error: SolveError| arguments.refused(&error);
    let progress = SearchProgress::default();
    prepare(solver, game, &query, budget, &progress).map_err(refused)?;
    let begun = Instant::now();
    let answer = progress.during(|| solver.solve(game, &query, budget, &progress));
    let solved = Solved::new(answer.map_err(refused)?, game, begun.elapsed(), algorithm);
    if let (Some(file), true) = (proof, solved.proved) {
        proof::write(solver, game, &query, file, budget)?;
    }
    Ok(solved)
}

/// The best algorithm of a game.
fn own_algorithm<G: upstar_solve::Solvable>(_: &G) -> Algorithm {
    match G::ALGORITHM {
        upstar_solve::Algorithm::Sums => Algorithm::Sums,
        _ => Algorithm::AlphaBeta,
    }
}

/// Makes the board ready. If the budget is spent meanwhile, the search says so.
pub(super) fn prepare(
    solver: &Solver,
    game: &AnyGame,
    query: &Query,
    budget: &Budget,
    progress: &SearchProgress,
) -> Result<(), SolveError> {
    use upstar_solve::clobber::TableError::Stopped;
    match progress.during(|| solver.prepare(game, query, budget, progress)) {
        Err(SolveError::Table(Stopped)) => Ok(()),
        prepared => prepared,
    }
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
            weights: None,
        }
    }

    /// The configuration of a run that is about to begin.
    fn config(&self, game: &AnyGame) -> SolveConfig {
        let (position, to_move) = (game.to_string(), game.side_to_move().letter());
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

    /// What is asked.
    fn query(&self) -> Query {
        Query {
            question: match self.exact {
                true => Question::Score,
                false => Question::Winner,
            },
            empties_to_winner: self.empties_to_winner,
            ..Query::default()
        }
    }

    /// How to search, with what was learned before.
    fn settings(&self) -> Result<Settings, Failure> {
        let mut settings = self.search.settings();
        let Some(file) = &self.weights else {
            return Ok(settings);
        };
        if matches!(self.game, Variant::Othello(_) | Variant::Reversi) {
            let bytes = input::read_file(file, 64 << 20)?;
            let weights = othello::weights::read(&bytes).ok_or_else(|| {
                let file = shown(file);
                let sentence = format!("{file} is not a file of Othello's weights, or is damaged");
                Failure::input(sentence, "--weights with a file that 'upstar fit' wrote")
            })?;
            settings.othello_weights = Some(weights.into());
        } else {
            let bytes = input::read_file(file, 4 << 20)?;
            let weights = Weights::from_bytes(&bytes).ok_or_else(|| {
                let sentence = format!("{} is not a file of weights, or is damaged", shown(file));
                Failure::input(sentence, "--weights with a file that 'upstar fit' wrote")
            })?;
            settings.clobber_weights = Some(weights);
        }
        Ok(settings)
    }

    /// A refusal of the solver.
    fn refused(&self, error: &SolveError) -> Failure {
        match (error, &self.weights) {
            (SolveError::OtherWeights, Some(file)) => Failure::input(
                format!("{} has no weights for this board", shown(file)),
                "upstar fit othello --boards 5x5 --out FILE",
            ),
            _ => refused(error),
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
        let othello = "Othello and the algorithm alpha-beta";
        let both = "Clobber with the algorithm sums and Othello with alpha-beta";
        only(
            self.proof.is_some(),
            "--proof",
            &[Sums, AlphaBeta],
            both,
            "clobber 4x5 --proof FILE",
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
        let sentence = format!("{name} is not a way to solve {}", self.game);
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
        let sentence = format!("{} does not have two sides", self.game);
        Failure::input(sentence, "upstar solve clobber 4x5")
    }
}
