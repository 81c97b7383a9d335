//! Players and tree searches for a game named at run time: moves are texts here, and every type is
//! known behind one call per move.

use std::any::Any;

use upstar_games::{AnyGame, Random, with_game};
use upstar_jobs::Budget;
use upstar_solve::Outcome;

use crate::agent::{Agent, Choice, Fault, Turn};
use crate::playable::Playable;
use crate::puct::{AlphaZero, LedSearch};
use crate::resources::Resources;
use crate::spec::{AgentSpec, AgentSpecError};
use crate::uct::{Mcts, MoveStatistics, Uct};

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
            return Err(not_for_two(game))
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
            let sentence = "the agent was made for another game or board";
            return Err(Fault(sentence.to_owned()));
        }
        self.agent.choose(start, moves, budget, random)
    }
}

/// A tree search that can be watched, for one game on one board: [`Uct`] with moves by name.
pub struct AnyUct {
    home: AnyGame,
    search: Box<dyn NamedSearch>,
}

/// What a tree search knows of a move, for the side that plays it.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchedMove {
    /// The move.
    pub mv: String,
    /// How many simulations began with it.
    pub visits: u64,
    /// Their mean result from −1 (lost) to 1 (won); 0 without visits.
    pub mean: f64,
    /// What it leads to, if that is proved.
    pub proved: Option<Outcome>,
    /// How the search thinks the game goes on, this move first.
    pub line: Vec<String>,
}

impl AnyUct {
    /// A search in this position, where the game must not be over. The limit of the options does not
    /// matter here.
    ///
    /// # Errors
    /// If the game does not have two sides, or there is no memory or no thread for the search.
    pub fn new(
        game: &AnyGame,
        options: &Mcts,
        resources: &Resources,
    ) -> Result<Self, AgentSpecError> {
        let search: Box<dyn NamedSearch> = with_game!(
            game,
            |rules, _start| Box::new(TypedSearch {
                rules: rules.clone(),
                search: Uct::new(rules, options, resources)?,
            }),
            return Err(not_for_two(game))
        );
        let mut search = Self {
            home: game.clone(),
            search,
        };
        search.begin(game);
        Ok(search)
    }

    /// Whether it searches this game on this board.
    #[must_use]
    pub fn searches(&self, game: &AnyGame) -> bool {
        same_rules(&self.home, game)
    }

    /// Begins anew in another position, where the game must not be over.
    ///
    /// # Panics
    /// If the search was made for another game or board.
    pub fn begin(&mut self, game: &AnyGame) {
        assert!(self.searches(game), "a search stays on its board");
        self.search.begin(game);
    }

    /// See [`Uct::run`].
    pub fn run(&mut self, simulations: u64, budget: &Budget, random: &mut Random) -> u64 {
        self.search.run(simulations, budget, random)
    }

    /// How many simulations the trees hold.
    #[must_use]
    pub fn simulations(&self) -> u64 {
        self.search.simulations()
    }

    /// The result of best play for the side to move, if that is proved.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.search.outcome()
    }

    /// What is known of every move: the one to play first, then proved wins, most visits, proved losses.
    #[must_use]
    pub fn moves(&self) -> Vec<SearchedMove> {
        self.search.moves()
    }
}

/// A search led by a network that can be watched, for one game on one board: [`LedSearch`] with moves by
/// name.
pub struct AnyNetworkSearch {
    home: AnyGame,
    search: Box<dyn NamedNetworkSearch>,
}

impl AnyNetworkSearch {
    /// A search in this position, where the game must not be over. The limit of the options does not
    /// matter here.
    ///
    /// # Errors
    /// If there is no network for this game and board, or no memory for the search.
    pub fn new(
        game: &AnyGame,
        options: &AlphaZero,
        resources: &Resources,
    ) -> Result<Self, AgentSpecError> {
        let search: Box<dyn NamedNetworkSearch> = with_game!(
            game,
            |rules, _start| Box::new(TypedNetworkSearch {
                rules: rules.clone(),
                search: rules.network_search(options, resources)?,
            }),
            return Err(not_for_two(game))
        );
        let mut search = Self {
            home: game.clone(),
            search,
        };
        search.begin(game);
        Ok(search)
    }

    /// Whether it searches this game on this board.
    #[must_use]
    pub fn searches(&self, game: &AnyGame) -> bool {
        same_rules(&self.home, game)
    }

    /// Begins anew in another position, where the game must not be over.
    ///
    /// # Panics
    /// If the search was made for another game or board.
    pub fn begin(&mut self, game: &AnyGame) {
        assert!(self.searches(game), "a search stays on its board");
        self.search.begin(game);
    }

    /// What the network alone expects after each move: see [`LedSearch::first_opinions`].
    pub fn first_opinions(&mut self) -> Vec<(String, f64)> {
        self.search.first_opinions()
    }

    /// See [`LedSearch::run`].
    pub fn run(&mut self, simulations: u64, budget: &Budget) -> u64 {
        self.search.run(simulations, budget)
    }

    /// How many simulations the tree holds.
    #[must_use]
    pub fn simulations(&mut self) -> u64 {
        self.search.simulations()
    }

    /// The result of best play for the side to move, if that is proved.
    #[must_use]
    pub fn outcome(&mut self) -> Option<Outcome> {
        self.search.outcome()
    }

    /// What is known of every move, in the order of moves; none before the first simulation.
    #[must_use]
    pub fn moves(&mut self) -> Vec<SearchedMove> {
        self.search.moves()
    }

    /// The move to play; none before the first simulation.
    #[must_use]
    pub fn best(&mut self) -> Option<String> {
        self.search.best()
    }
}

/// The same game on the same board.
fn same_rules(a: &AnyGame, b: &AnyGame) -> bool {
    a.variant() == b.variant() && a.board() == b.board()
}

fn not_for_two(game: &AnyGame) -> AgentSpecError {
    AgentSpecError(format!(
        "{} does not have two sides that move in turn",
        game.variant()
    ))
}

/// The position of a game whose type is known by now.
fn position<G: Playable>(game: &AnyGame) -> Option<G::Position> {
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
}

struct TypedAgent<G: Playable> {
    rules: G,
    agent: Box<dyn Agent<G>>,
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
        let start = position::<G>(start).expect("the game is the agent's own");
        let mut now = start;
        let mut moves = Vec::with_capacity(names.len());
        for (index, name) in names.iter().enumerate() {
            let legal = self.rules.legal_move(&now, name);
            let mv = legal.map_err(|error| Fault(format!("move {}: {error}", index + 1)))?;
            now = self.rules.play_unchecked(&now, mv);
            moves.push(mv);
        }
        let turn = Turn {
            start: &start,
            moves: &moves,
            position: &now,
            budget,
        };
        let choice = self.agent.choose(&turn, random)?;
        Ok(Choice {
            mv: self.rules.move_name(choice.mv),
            evaluation: choice.evaluation,
            effort: choice.effort,
            remark: choice.remark,
        })
    }
}

trait NamedSearch: Send {
    fn begin(&mut self, game: &AnyGame);
    fn run(&mut self, simulations: u64, budget: &Budget, random: &mut Random) -> u64;
    fn simulations(&self) -> u64;
    fn outcome(&self) -> Option<Outcome>;
    fn moves(&self) -> Vec<SearchedMove>;
}

struct TypedSearch<G: Playable> {
    rules: G,
    search: Uct<G>,
}

impl<G: Playable> NamedSearch for TypedSearch<G> {
    fn begin(&mut self, game: &AnyGame) {
        let position = position::<G>(game).expect("the game is the search's own");
        self.search.begin(&position);
    }

    fn run(&mut self, simulations: u64, budget: &Budget, random: &mut Random) -> u64 {
        self.search.run(simulations, budget, random)
    }

    fn simulations(&self) -> u64 {
        self.search.simulations()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.search.outcome()
    }

    fn moves(&self) -> Vec<SearchedMove> {
        let rank = |proved: Option<Outcome>| match proved {
            Some(Outcome::Win) => 2,
            Some(Outcome::Loss) => 0,
            _ => 1,
        };
        let mut moves = self.search.moves();
        // The sort is stable: equally good moves stay in the order of moves.
        moves.sort_by_key(|found| std::cmp::Reverse((rank(found.proved), found.visits)));
        let best = self.search.best().map(|best| best.mv);
        moves.sort_by_key(|found| Some(found.mv) != best);
        let line =
            |found: MoveStatistics<G::Move>| named(&self.rules, found, self.search.line(found.mv));
        moves.into_iter().map(line).collect()
    }
}

trait NamedNetworkSearch: Send {
    fn begin(&mut self, game: &AnyGame);
    fn first_opinions(&mut self) -> Vec<(String, f64)>;
    fn run(&mut self, simulations: u64, budget: &Budget) -> u64;
    fn simulations(&mut self) -> u64;
    fn outcome(&mut self) -> Option<Outcome>;
    fn moves(&mut self) -> Vec<SearchedMove>;
    fn best(&mut self) -> Option<String>;
}

struct TypedNetworkSearch<G: Playable> {
    rules: G,
    search: Box<dyn LedSearch<G>>,
}

impl<G: Playable> NamedNetworkSearch for TypedNetworkSearch<G> {
    fn begin(&mut self, game: &AnyGame) {
        let position = position::<G>(game).expect("the game is the search's own");
        self.search.tree().begin(&position);
    }

    fn first_opinions(&mut self) -> Vec<(String, f64)> {
        let position = *self.search.tree().position().expect("a search was begun");
        let found = self.search.first_opinions(&position).into_iter();
        found
            .map(|(mv, value)| (self.rules.move_name(mv), value))
            .collect()
    }

    fn run(&mut self, simulations: u64, budget: &Budget) -> u64 {
        self.search.run(simulations, budget)
    }

    fn simulations(&mut self) -> u64 {
        self.search.tree().visits().into()
    }

    fn outcome(&mut self) -> Option<Outcome> {
        self.search.tree().outcome()
    }

    fn moves(&mut self) -> Vec<SearchedMove> {
        let (rules, tree) = (&self.rules, self.search.tree());
        let named = |found: MoveStatistics<G::Move>| {
            let line = tree.line(found.mv).into_iter();
            named(rules, found, line.collect())
        };
        tree.moves().into_iter().map(named).collect()
    }

    fn best(&mut self) -> Option<String> {
        let best = self.search.tree().best()?;
        Some(self.rules.move_name(best.mv))
    }
}

/// The same with names for moves.
fn named<G: Playable>(
    rules: &G,
    found: MoveStatistics<G::Move>,
    line: Vec<G::Move>,
) -> SearchedMove {
    SearchedMove {
        mv: rules.move_name(found.mv),
        visits: found.visits,
        mean: found.mean,
        proved: found.proved,
        line: line.into_iter().map(|mv| rules.move_name(mv)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Limit;

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
        ] {
            let start = game(name, size);
            for spec in ["random", "greedy", "mc:3", "mcts:20,reuse=true", "solver"] {
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
        assert!(AnyAgent::new(&AgentSpec::Random, &solitaire, &resources).is_err());
    }

    #[test]
    fn a_search_tells_its_moves_best_first() {
        let options = Mcts::new(Limit::Count(1));
        let mut search =
            AnyUct::new(&game("clobber", "xoo"), &options, &Resources::default()).unwrap();
        search.run(10, &Budget::unlimited(), &mut Random::new(1));
        assert_eq!(search.outcome(), Some(Outcome::Loss));
        let moves = search.moves();
        assert_eq!(moves[0].line, ["a1b1"]);
        assert_eq!(moves[0].proved, Some(Outcome::Loss));
    }
}
