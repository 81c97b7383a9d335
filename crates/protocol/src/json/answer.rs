//! What is answered: one structure for each kind of object, its fields in the order in which they are
//! written.

use serde::Serialize;
use serde_json::Value;
use upstar_agents::{Evaluation, WORDS};
use upstar_games::{Color, Variant};
use upstar_solve::Outcome;

use super::PROTOCOL;
use crate::table::{self, Analysis, Chosen, Judged, Notation, Table};

/// An object with the id of its request.
#[derive(Serialize)]
pub(super) struct Answer<'a, T> {
    pub(super) id: &'a Value,
    #[serde(flatten)]
    pub(super) body: T,
}

#[derive(Serialize)]
pub(super) struct Hello {
    name: &'static str,
    version: &'static str,
    protocol: u32,
    games: Vec<String>,
    agents: Vec<&'static str>,
}

impl Hello {
    pub(super) fn new() -> Self {
        let for_two = |game: &Variant| !matches!(game, Variant::Solitaire | Variant::Colors(_));
        let games = Variant::ALL.iter().filter(|game| for_two(game));
        Self {
            name: "Upstar",
            version: env!("CARGO_PKG_VERSION"),
            protocol: PROTOCOL,
            games: games.map(Variant::to_string).collect(),
            agents: WORDS.split(", ").filter(|&word| word != "human").collect(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Pong {
    pub(super) pong: bool,
}

#[derive(Serialize)]
pub(super) struct Quit {
    pub(super) quit: bool,
}

#[derive(Serialize)]
pub(super) struct Stopped<'a> {
    pub(super) stopped: Option<&'a Value>,
}

#[derive(Serialize)]
pub(super) struct Wrong<'a> {
    pub(super) error: &'a str,
    pub(super) right: &'a Value,
}

#[derive(Serialize)]
pub(super) struct Position {
    position: String,
    to_move: char,
    legal: Vec<String>,
    over: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
}

impl Position {
    pub(super) fn of(table: &dyn Table) -> Self {
        let score = table.score();
        let winner = |score| match score {
            1.. => Some(Color::Black),
            0 => None,
            _ => Some(Color::White),
        };
        Self {
            position: table.setup().to_string(),
            to_move: table.to_move().letter(),
            legal: table.legal(Notation::Own),
            over: score.is_some(),
            winner: score.map(|score| letter(winner(score))),
            score: score.filter(|_| table.has_passes()),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Legal {
    moves: Vec<String>,
    over: bool,
}

impl Legal {
    pub(super) fn of(table: &dyn Table) -> Self {
        let moves = table.legal(Notation::Own);
        let over = moves.is_empty();
        Self { moves, over }
    }
}

#[derive(Serialize)]
pub(super) struct Progress<T> {
    pub(super) progress: T,
}

/// How far a solver is.
#[derive(Serialize)]
pub(super) struct Nodes {
    pub(super) nodes: u64,
    pub(super) seconds: f64,
}

#[derive(Serialize)]
pub(super) struct Solved {
    winner: Option<String>,
    score: Option<i32>,
    r#move: Option<String>,
    proved: bool,
    nodes: u64,
    seconds: f64,
    algorithm: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    line: Vec<String>,
}

impl Solved {
    pub(super) fn of(solved: table::Solved, seconds: f64) -> Self {
        let proved = solved.winner.is_some();
        Self {
            winner: solved.winner.map(letter),
            score: solved.score,
            r#move: solved.best.filter(|_| proved),
            proved,
            nodes: solved.nodes,
            seconds,
            algorithm: solved.algorithm,
            // Moves of a line without a score are arbitrary for one side.
            line: if solved.score.is_some() {
                solved.line
            } else {
                Vec::new()
            },
        }
    }
}

#[derive(Serialize)]
pub(super) struct Moves {
    moves: Vec<JudgedMove>,
    proved: bool,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct JudgedMove {
    r#move: String,
    winner: Option<String>,
    score: Option<i32>,
    proved: bool,
}

impl Moves {
    pub(super) fn of(judged: Vec<Judged>, nodes: u64, seconds: f64) -> Self {
        let told = |judged: Judged| JudgedMove {
            r#move: judged.name,
            proved: judged.winner.is_some(),
            winner: judged.winner.map(letter),
            score: judged.score,
        };
        let moves: Vec<JudgedMove> = judged.into_iter().map(told).collect();
        Self {
            proved: moves.iter().all(|judged| judged.proved),
            moves,
            nodes,
            seconds,
        }
    }
}

/// What a tree search knows while it runs.
#[derive(Serialize)]
pub(super) struct Simulations {
    simulations: u64,
    seconds: f64,
    moves: Vec<Statistics>,
}

/// What it knows in the end.
#[derive(Serialize)]
pub(super) struct Analysed {
    r#move: Option<String>,
    proved: Option<&'static str>,
    #[serde(flatten)]
    simulations: Simulations,
}

#[derive(Serialize)]
struct Statistics {
    r#move: String,
    visits: u64,
    mean: f64,
    proved: Option<&'static str>,
    pv: Vec<String>,
}

impl Simulations {
    pub(super) fn of(analysis: Analysis, seconds: f64) -> Self {
        let told = |found: table::Statistics| Statistics {
            r#move: found.name,
            visits: found.visits,
            mean: rounded(found.mean, 1e4),
            proved: found.proved.map(outcome),
            pv: found.line,
        };
        Self {
            simulations: analysis.simulations,
            seconds,
            moves: analysis.moves.into_iter().map(told).collect(),
        }
    }
}

impl Analysed {
    pub(super) fn of(analysis: Analysis, seconds: f64) -> Self {
        Self {
            r#move: analysis.moves.first().map(|best| best.name.clone()),
            proved: analysis.outcome.map(outcome),
            simulations: Simulations::of(analysis, seconds),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Choice {
    r#move: String,
    evaluation: Option<Opinion>,
    effort: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    remark: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Opinion {
    Proved(&'static str),
    Expected(f64),
}

impl Choice {
    pub(super) fn of(chosen: Chosen, seconds: f64) -> Self {
        let opinion = |evaluation| match evaluation {
            Evaluation::Proved(found) => Opinion::Proved(outcome(found)),
            Evaluation::Expected(mean) => Opinion::Expected(rounded(mean, 1e4)),
        };
        Self {
            r#move: chosen.name,
            evaluation: chosen.evaluation.map(opinion),
            effort: chosen.effort,
            seconds,
            remark: chosen.remark,
        }
    }
}

/// What a long command has found in the end.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Told {
    Solved(Solved),
    Moves(Moves),
    Analysed(Analysed),
    Choice(Choice),
}

/// The last answer of a long command.
#[derive(Serialize)]
pub(super) struct Last {
    #[serde(flatten)]
    pub(super) body: Told,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) cancelled: bool,
}

fn letter(winner: Option<Color>) -> String {
    winner.map_or("draw".to_owned(), |color| color.letter().into())
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}

/// A number with few digits.
pub(super) fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}
