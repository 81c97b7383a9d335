#![doc = include_str!("../README.md")]

mod event;
mod game_tree;
mod host;
mod live_game;
mod opponents;
mod refusal;
mod request;
mod seat;
mod session;
mod valued;
mod work;

pub use event::{
    Body, Chosen, Event, Found, Hello, JobResult, Judged, JudgedMove, Legal, Moves, Opinion,
    PROTOCOL, PolicyShare, Position, Progress, Solved, Stopped, VariationNode, Variations, Wrong,
};
pub use game_tree::{GameTree, NoSuchNode, Node, NodeId};
pub use host::Host;
pub use live_game::{Heading, LiveGame, MoveAnswer, PlayedMove, judgement, opinion};
pub use opponents::{Opponents, strong_agent};
pub use refusal::Refusal;
pub use request::{
    Analyse, COMMANDS, Choose, Command, Edit, Exact, Job, NetworkRequest, Opening, Refused,
    Request, ReviewRequest, Valuation, right,
};
pub use seat::GameLine;
pub use session::{MOST_JOBS, Session, side_letter};
pub use valued::{Detail, ThermographLine, Valued, ValuedComponent, Worthy};
