//! Players for a game named at run time: moves are texts here, and every type is known behind one call per
//! move.

use std::any::Any;

use upstar_games::{AnyGame, Random, Rules, with_game, with_rules};
use upstar_jobs::Budget;

use crate::agent::{Agent, Choice, Fault, Turn};
use crate::playable::Playable;
use crate::resources::Resources;
use crate::several::SeveralAgent;
use crate::spec::{AgentSpec, AgentSpecError};

/// A player of one game on one board.
///
/// ```
/// use upstar_agents::{AnyAgent, Resources};
/// use upstar_games::{AnyGame, Random};
/// use upstar_jobs::Budget;
///
/// let game = AnyGame::parse("othello", "4x4")?;
/// let mut agent = AnyAgent::new(&"solver".parse()?, &game, &Resources::default())?;
/// let moves = ["b1".to_owned(), "a1".to_owned()];
/// let choice = agent.choose(&game, &moves, &Budget::unlimited(), &mut Random::new(1))?;
/// assert!(game.play_all(&moves)?.play(&choice.mv).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AnyAgent {
    home: AnyGame,
    agent: Box<dyn NamedAgent>,
}

impl AnyAgent {
    /// The agent that a specification names, for this game on this board.
    ///
    /// # Errors
    /// If there is no such agent for this game, or not enough memory for it.
    pub fn new(
        spec: &AgentSpec,
        game: &AnyGame,
        resources: &Resources,
    ) -> Result<Self, AgentSpecError> {
        let agent: Box<dyn NamedAgent> = with_game!(
            game,
            |rules, _start| Box::new(TypedAgent {
                rules: rules.clone(),
                agent: spec.agent(rules, resources)?,
            }),
            Box::new(AgentOfSeveral(SeveralAgent::new(spec, game)?))
        );
        Ok(Self {
            home: game.clone(),
            agent,
        })
    }

    /// Whether it plays this game on this board, at any position.
    #[must_use]
    pub fn plays(&self, game: &AnyGame) -> bool {
        same_rules(&self.home, game)
    }

    /// A new game begins: see [`Agent::begin_game`].
    ///
    /// # Errors
    /// If the agent cannot begin anew.
    pub fn begin_game(&mut self) -> Result<(), Fault> {
        self.agent.begin_game()
    }

    /// Chooses a move after these moves from this start; the game must not be over. The move is the
    /// agent's own, and an agent from outside may be wrong about what is legal.
    ///
    /// # Errors
    /// If the agent cannot go on or gives up, if it was made for another game or board, or if one of
    /// the moves cannot be played.
    pub fn choose(
        &mut self,
        start: &AnyGame,
        moves: &[String],
        budget: &Budget,
        random: &mut Random,
    ) -> Result<Choice<String>, Fault> {
        if !self.plays(start) {
            return Err(not_its_own());
        }
        self.agent.choose(start, moves, budget, random)
    }

    /// Thinks about the position after these moves while the other side is to move: see [`Agent::ponder`].
    ///
    /// # Errors
    /// If it was made for another game or board, or if one of the moves cannot be played.
    pub fn ponder(
        &mut self,
        start: &AnyGame,
        moves: &[String],
        budget: &Budget,
    ) -> Result<(), Fault> {
        if !self.plays(start) {
            return Err(not_its_own());
        }
        self.agent.ponder(start, moves, budget)
    }
}

fn not_its_own() -> Fault {
    Fault("the agent was made for another game or board".to_owned())
}

/// The same game on the same board.
pub(crate) fn same_rules(a: &AnyGame, b: &AnyGame) -> bool {
    a.variant() == b.variant() && a.board() == b.board()
}

pub(crate) fn not_for_two(game: &AnyGame) -> AgentSpecError {
    AgentSpecError(format!(
        "{} does not have two sides that move in turn",
        game.variant()
    ))
}

/// The position of a game whose type is known by now.
pub(crate) fn position<G: Playable>(game: &AnyGame) -> Option<G::Position> {
    with_game!(
        game,
        |_rules, start| (start as &dyn Any).downcast_ref().copied(),
        None
    )
}

trait NamedAgent: Send {
    fn begin_game(&mut self) -> Result<(), Fault>;

    fn choose(
        &mut self,
        start: &AnyGame,
        moves: &[String],
        budget: &Budget,
        random: &mut Random,
    ) -> Result<Choice<String>, Fault>;

    fn ponder(&mut self, start: &AnyGame, moves: &[String], budget: &Budget) -> Result<(), Fault>;
}

/// A player of a game for one or for several.
struct AgentOfSeveral(SeveralAgent);

impl NamedAgent for AgentOfSeveral {
    fn begin_game(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(
        &mut self,
        start: &AnyGame,
        names: &[String],
        budget: &Budget,
        random: &mut Random,
    ) -> Result<Choice<String>, Fault> {
        let now = start.play_all(names);
        let now = now.map_err(|error| Fault(error.to_string()))?;
        let choice = with_rules!(&now, |rules, position| {
            let choice = self.0.choose(rules, position, budget, random);
            Choice {
                mv: rules.move_name(choice.mv),
                evaluation: choice.evaluation,
                effort: choice.effort,
                remark: choice.remark,
            }
        });
        Ok(choice)
    }

    fn ponder(&mut self, _: &AnyGame, _: &[String], _: &Budget) -> Result<(), Fault> {
        Ok(())
    }
}

struct TypedAgent<G: Playable> {
    rules: G,
    agent: Box<dyn Agent<G>>,
}

/// A game so far, read from the names of its moves.
struct Played<G: Playable> {
    start: G::Position,
    moves: Vec<G::Move>,
    now: G::Position,
}

impl<G: Playable> Played<G> {
    fn read(rules: &G, start: &AnyGame, names: &[String]) -> Result<Self, Fault> {
        let start = position::<G>(start).expect("the game is the agent's own");
        let mut now = start;
        let mut moves = Vec::with_capacity(names.len());
        for (index, name) in names.iter().enumerate() {
            let legal = rules.legal_move(&now, name);
            let mv = legal.map_err(|error| Fault(format!("move {}: {error}", index + 1)))?;
            now = rules.play_unchecked(&now, mv);
            moves.push(mv);
        }
        Ok(Self { start, moves, now })
    }

    fn turn<'a>(&'a self, budget: &'a Budget) -> Turn<'a, G> {
        Turn {
            start: &self.start,
            moves: &self.moves,
            position: &self.now,
            budget,
        }
    }
}

impl<G: Playable> NamedAgent for TypedAgent<G> {
    fn begin_game(&mut self) -> Result<(), Fault> {
        self.agent.begin_game()
    }

    fn choose(
        &mut self,
        start: &AnyGame,
        names: &[String],
        budget: &Budget,
        random: &mut Random,
    ) -> Result<Choice<String>, Fault> {
        let played = Played::read(&self.rules, start, names)?;
        let choice = self.agent.choose(&played.turn(budget), random)?;
        Ok(Choice {
            mv: self.rules.move_name(choice.mv),
            evaluation: choice.evaluation,
            effort: choice.effort,
            remark: choice.remark,
        })
    }

    fn ponder(&mut self, start: &AnyGame, names: &[String], budget: &Budget) -> Result<(), Fault> {
        let played = Played::read(&self.rules, start, names)?;
        self.agent.ponder(&played.turn(budget));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str, position: &str) -> AnyGame {
        AnyGame::parse(name, position).unwrap()
    }

    #[test]
    fn every_agent_plays_a_game_by_names() {
        let resources = Resources::default();
        for (name, size) in [
            ("clobber", "3x4"),
            ("othello", "4x4"),
            ("othello:reversi", "4x4"),
            ("clobber:colors=4", "3x4"),
            ("clobber:solitaire", "3x4"),
        ] {
            let start = game(name, size);
            let specs: &[&str] = match start.variant().is_for_two() {
                true => &["random", "greedy", "mc:3", "mcts:20,reuse=true", "solver"],
                false => &["random", "pick-first", "mc:3", "mcts:20"],
            };
            for spec in specs {
                let mut agent = AnyAgent::new(&spec.parse().unwrap(), &start, &resources).unwrap();
                agent.begin_game().unwrap();
                let (mut now, mut moves) = (start.clone(), Vec::new());
                let mut random = Random::new(3);
                while !now.is_over() {
                    let choice = agent.choose(&start, &moves, &Budget::unlimited(), &mut random);
                    let mv = choice.unwrap().mv;
                    now = now.play(&mv).unwrap();
                    moves.push(mv);
                }
            }
        }
    }

    #[test]
    fn another_board_and_a_wrong_move_are_faults() {
        let home = game("clobber", "3x4");
        let resources = Resources::default();
        let mut agent = AnyAgent::new(&AgentSpec::Random, &home, &resources).unwrap();
        let mut ask = |start: &AnyGame, moves: &[&str]| {
            let moves: Vec<String> = moves.iter().map(|&mv| mv.to_owned()).collect();
            let choice = agent.choose(start, &moves, &Budget::unlimited(), &mut Random::new(1));
            choice.unwrap_err().to_string()
        };
        let other = "the agent was made for another game or board";
        assert_eq!(ask(&game("clobber", "4x3"), &[]), other);
        assert_eq!(ask(&game("clobber:cannibal", "3x4"), &[]), other);
        assert_eq!(
            ask(&home, &["a1b1", "a1b1"]),
            "move 2: a1b1 is not legal here"
        );
        let solitaire = game("clobber:solitaire", "3x3");
        let solver = "solver".parse().unwrap();
        assert!(AnyAgent::new(&solver, &solitaire, &resources).is_err());
    }
}
