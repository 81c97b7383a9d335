//! What a session tells: one structure for each kind of JSON object, its fields in the order in which
//! they are written.

use serde::Serialize;
use serde_json::Value;
use upstar_agents::{AGENT_EXAMPLES, Evaluation};
use upstar_analysis::{AnalysisLine, ReviewLine};
use upstar_games::{AnyGame, GameResult, Variant};
use upstar_solve::{Answer, MoveAnswer, Outcome};

use crate::game_tree::{GameTree, NodeId};
use crate::request::Refused;
use crate::valued::Valued;

/// The version of requests and events; it grows when old ones change their meaning.
pub const PROTOCOL: u32 = 1;

/// Something that a session tells.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// The id of the request that it is about.
    pub id: Value,
    /// What is told.
    #[serde(flatten)]
    pub body: Body,
}

/// What is told.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each is described at its type")]
pub enum Body {
    Error(Wrong),
    Hello(Hello),
    Pong {
        pong: bool,
    },
    Position(Position),
    Legal(Legal),
    Variations(Variations),
    /// How far a job is.
    Progress {
        progress: Progress,
    },
    Found(Found),
    Stopped(Stopped),
    Quit {
        quit: bool,
    },
}

impl Event {
    /// Whether this is the last event about its request.
    #[must_use]
    pub fn is_last(&self) -> bool {
        !matches!(self.body, Body::Progress { .. })
    }

    /// One line of JSON, without its end.
    ///
    /// # Panics
    /// Never: all keys are texts.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("all keys are texts")
    }
}

impl From<Refused> for Event {
    fn from(refused: Refused) -> Self {
        Self {
            id: refused.id,
            body: Body::Error(Wrong {
                error: refused.why.0,
                right: refused.right,
            }),
        }
    }
}

/// A request was not carried out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wrong {
    /// Why not.
    pub error: String,
    /// A request as it should be.
    pub right: Value,
}

/// Who is there.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it all")]
pub struct Hello {
    pub name: &'static str,
    pub version: &'static str,
    pub protocol: u32,
    pub games: Vec<String>,
    pub agents: Vec<&'static str>,
}

impl Hello {
    pub(crate) fn new() -> Self {
        let for_two = |game: &Variant| !matches!(game, Variant::Solitaire | Variant::Colors(_));
        let games = Variant::ALL.iter().filter(|game| for_two(game));
        Self {
            name: "Upstar",
            version: env!("CARGO_PKG_VERSION"),
            protocol: PROTOCOL,
            games: games.map(Variant::to_string).collect(),
            agents: AGENT_EXAMPLES
                .split(", ")
                .filter(|&spec| spec != "human")
                .collect(),
        }
    }
}

/// The current position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Position {
    /// The position text.
    pub position: String,
    /// The side to move, `x` or `o`.
    pub to_move: char,
    /// The legal moves.
    pub legal: Vec<String>,
    /// Whether the game is over.
    pub over: bool,
    /// Who has won: `x`, `o` or `draw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    /// Discs of `x` less those of `o`, at the end of Othello.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
}

impl Position {
    /// The position of a game.
    #[must_use]
    pub fn of(game: &AnyGame) -> Self {
        let result = game.result();
        Self {
            position: game.to_string(),
            to_move: game.side_to_move().letter(),
            legal: game.legal(),
            over: result.is_some(),
            winner: result.map(winner),
            score: result.and_then(GameResult::score),
        }
    }
}

/// The legal moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it all")]
pub struct Legal {
    pub moves: Vec<String>,
    pub over: bool,
}

impl Legal {
    pub(crate) fn of(game: &AnyGame) -> Self {
        let moves = game.legal();
        let over = moves.is_empty();
        Self { moves, over }
    }
}

/// All variations: each position before those that follow it, the main line first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variations {
    /// The current position.
    pub current: NodeId,
    /// All positions.
    pub nodes: Vec<VariationNode>,
}

/// A position of the variations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariationNode {
    /// Its number.
    pub node: NodeId,
    /// The number of the position before it.
    pub parent: Option<NodeId>,
    /// The move that led to it.
    pub r#move: Option<String>,
}

impl Variations {
    pub(crate) fn of(tree: &GameTree) -> Self {
        let node = |id: NodeId| VariationNode {
            node: id,
            parent: tree.parent(id),
            r#move: tree.node(id).and_then(|node| node.mv.clone()),
        };
        Self {
            current: tree.current(),
            nodes: tree.all().into_iter().map(node).collect(),
        }
    }
}

/// How far a job is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Progress {
    Nodes {
        nodes: u64,
        seconds: f64,
    },
    Seconds {
        seconds: f64,
    },
    Analysis(AnalysisLine),
    Review {
        done: usize,
        of: usize,
        seconds: f64,
    },
}

/// What a job has found in the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// What it is.
    #[serde(flatten)]
    pub result: JobResult,
    /// Whether the job was cancelled.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cancelled: bool,
}

/// The result of a job.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each is described at its type")]
pub enum JobResult {
    Solved(Solved),
    Moves(Moves),
    Valued(Valued),
    Analysed(AnalysisLine),
    Reviewed(ReviewLine),
    Judged(Judged),
    Chosen(Chosen),
}

/// Who wins.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Solved {
    /// `x`, `o` or `draw`, if that is proved.
    pub winner: Option<String>,
    /// Discs of `x` less those of `o`, if that was asked for and is proved.
    pub score: Option<i32>,
    /// A move that reaches the result.
    pub r#move: Option<String>,
    /// Whether the winner is proved.
    pub proved: bool,
    /// How many positions were searched.
    pub nodes: u64,
    /// How long that took.
    pub seconds: f64,
    /// How it was found.
    pub algorithm: String,
    /// Best play to the end, where the score is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
}

impl Solved {
    pub(crate) fn of(answer: Answer, seconds: f64) -> Self {
        let winner = answer.winner().map(str::to_owned);
        let proved = winner.is_some();
        Self {
            winner,
            score: answer.score,
            r#move: answer.best.filter(|_| proved),
            proved,
            nodes: answer.nodes,
            seconds,
            algorithm: answer.algorithm.to_string(),
            // Moves of a line without a score are arbitrary for one side.
            line: match answer.score {
                Some(_) => answer.line,
                None => Vec::new(),
            },
        }
    }

    /// Nothing was found out.
    pub(crate) fn open(algorithm: String, seconds: f64) -> Self {
        Self {
            winner: None,
            score: None,
            r#move: None,
            proved: false,
            nodes: 0,
            seconds,
            algorithm,
            line: Vec::new(),
        }
    }

    /// What the rules say where the game is over.
    pub(crate) fn ended(result: GameResult, algorithm: String, seconds: f64) -> Self {
        Self {
            winner: Some(winner(result)),
            score: result.score(),
            r#move: None,
            proved: true,
            nodes: 0,
            seconds,
            algorithm,
            line: Vec::new(),
        }
    }
}

/// The exact result of every move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moves {
    /// In the order of moves.
    pub moves: Vec<JudgedMove>,
    /// Whether all are proved.
    pub proved: bool,
    /// How many positions were searched.
    pub nodes: u64,
    /// How long that took.
    pub seconds: f64,
}

/// The exact result of a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it all")]
pub struct JudgedMove {
    pub r#move: String,
    pub winner: Option<String>,
    pub score: Option<i32>,
    pub proved: bool,
}

impl Moves {
    pub(crate) fn of(game: &AnyGame, judged: Vec<MoveAnswer>, nodes: u64, seconds: f64) -> Self {
        let told = |judged: MoveAnswer| {
            let after = game.play(&judged.mv).ok();
            let ended = after.and_then(|after| after.result()?.score());
            let winner = judged.answer.winner().map(str::to_owned);
            JudgedMove {
                r#move: judged.mv,
                proved: winner.is_some(),
                winner,
                score: ended.or(judged.answer.score),
            }
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

/// What a network alone says of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// Which network.
    pub by: String,
    /// How likely the side to move wins, from 0 to 1.
    pub value: f64,
    /// How likely each move is to be played, in the order of moves.
    pub policy: Vec<PolicyShare>,
}

/// The share of a move in a network's policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it all")]
pub struct PolicyShare {
    pub r#move: String,
    pub share: f64,
}

impl Judged {
    pub(crate) fn of(by: String, value: f64, policy: Vec<(String, f64)>) -> Self {
        let share = |(r#move, share)| PolicyShare {
            r#move,
            share: rounded(share, 1e6),
        };
        Self {
            by,
            value: rounded((1.0 + value) / 2.0, 1e4),
            policy: policy.into_iter().map(share).collect(),
        }
    }
}

/// The move of an agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chosen {
    /// The move.
    pub r#move: String,
    /// What it leads to, for the side to move.
    pub evaluation: Option<Opinion>,
    /// How many playouts, simulations or positions it took.
    pub effort: u64,
    /// How long that took.
    pub seconds: f64,
    /// What a user should know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// What an agent thinks of its move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Opinion {
    /// `win`, `draw` or `loss`, with proof.
    Proved(&'static str),
    /// The mean result to be expected, from −1 to 1.
    Expected(f64),
}

impl Chosen {
    pub(crate) fn of(choice: upstar_agents::Choice<String>, seconds: f64) -> Self {
        let opinion = |evaluation| match evaluation {
            Evaluation::Proved(found) => Opinion::Proved(outcome(found)),
            Evaluation::Expected(mean) => Opinion::Expected(rounded(mean, 1e4)),
        };
        Self {
            r#move: choice.mv,
            evaluation: choice.evaluation.map(opinion),
            effort: choice.effort,
            seconds,
            remark: choice.remark,
        }
    }
}

/// Which jobs a `cancel` has ended: the id of the only one, a list of several, or null.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the name says it all")]
pub struct Stopped {
    pub stopped: Value,
}

impl Stopped {
    pub(crate) fn of(mut ids: Vec<Value>) -> Self {
        let stopped = match ids.len() {
            0 | 1 => ids.pop().unwrap_or_default(),
            _ => Value::Array(ids),
        };
        Self { stopped }
    }
}

fn winner(result: GameResult) -> String {
    let winner = result.winner();
    winner.map_or("draw".to_owned(), |side| side.letter().into())
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}

/// A number with few digits.
pub(crate) fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}
