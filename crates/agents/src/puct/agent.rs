//! Search led by a network, as a player.

use std::fmt;
use std::path::PathBuf;

use upstar_games::Random;
use upstar_nets::deep::{Acting, DeepNetwork};

use super::{Guidance, LedSearch, NetworkSearch};
use crate::agent::{Agent, Choice, Fault, Turn};
use crate::options::Limit;
use crate::playable::Playable;
use crate::resources::Resources;
use crate::simple::NOT_OVER;
use crate::spec::AgentSpecError;
use crate::trail::Trail;
use crate::uct::opinion;

/// A player of the kind of AlphaZero: which network, and how it searches.
#[derive(Clone, Debug, PartialEq)]
pub struct AlphaZero {
    /// The file of the network, or [`DEFAULT`](super::DEFAULT).
    pub file: PathBuf,
    /// How much to think about one move; a number is that of the simulations.
    pub limit: Limit,
    /// How to search.
    pub guidance: Guidance,
    /// How many positions are judged at a time.
    pub batch: usize,
}

impl AlphaZero {
    /// The simulations where nothing else is said.
    pub const SIMULATIONS: u64 = 200;
    /// The batch where nothing else is said: larger ones are faster, and the search sees less.
    pub const BATCH: usize = 8;

    /// The usual way to search with the network of this file.
    #[must_use]
    pub fn new(file: PathBuf) -> Self {
        Self {
            file,
            limit: Limit::Count(Self::SIMULATIONS),
            guidance: Guidance::default(),
            batch: Self::BATCH,
        }
    }
}

impl fmt::Display for AlphaZero {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::new(self.file.clone());
        write!(f, "az:{}", self.file.display())?;
        match self.limit {
            limit if limit == usual.limit => {}
            Limit::Count(count) => write!(f, ",sims={count}")?,
            Limit::Time(_) => write!(f, ",time={}", self.limit)?,
        }
        let mut option = |differs: bool, name: &str, value: &dyn fmt::Display| {
            if differs {
                write!(f, ",{name}={value}")
            } else {
                Ok(())
            }
        };
        option(self.guidance.c != usual.guidance.c, "c", &self.guidance.c)?;
        let exact = self.guidance.exact;
        option(exact != usual.guidance.exact, "exact", &exact)?;
        option(self.batch != usual.batch, "batch", &self.batch)
    }
}

/// A player that searches before every move, and keeps its tree from one move to the next.
pub struct AlphaZeroAgent<G: Playable> {
    game: G,
    limit: Limit,
    network: Box<dyn LedSearch<G>>,
    trail: Trail<G>,
}

impl<G: Playable> AlphaZeroAgent<G> {
    /// A player with these options.
    ///
    /// # Errors
    /// If the file holds no network, or one for another game or board.
    pub fn new(
        game: G,
        options: &AlphaZero,
        resources: &Resources,
    ) -> Result<Self, AgentSpecError> {
        let network = game.network_search(options, resources)?;
        Ok(Self::of(game, options, network))
    }

    /// The same with a network that is in memory already, on the board of `position`.
    ///
    /// # Errors
    /// If the network is for another game or board.
    pub fn with_network(
        game: G,
        position: &G::Position,
        network: &DeepNetwork,
        options: &AlphaZero,
        resources: &Resources,
    ) -> Result<Self, AgentSpecError>
    where
        G: Acting,
    {
        let network = NetworkSearch::with_network(&game, position, network, options, resources)?;
        Ok(Self::of(game, options, Box::new(network)))
    }

    fn of(game: G, options: &AlphaZero, network: Box<dyn LedSearch<G>>) -> Self {
        Self {
            limit: options.limit,
            network,
            trail: Trail::new(),
            game,
        }
    }
}

impl<G: Playable> Agent<G> for AlphaZeroAgent<G> {
    fn begin_game(&mut self) -> Result<(), Fault> {
        self.trail.forget();
        self.network
            .forget()
            .map_err(|error| Fault(error.to_string()))
    }

    /// A forced move is played at once.
    fn choose(&mut self, turn: &Turn<'_, G>, _: &mut Random) -> Result<Choice<G::Move>, Fault> {
        let mut moves = self.game.moves(turn.position);
        if let (Some(only), None) = (moves.next(), moves.next()) {
            return Ok(Choice::of(only));
        }
        drop(moves);
        let since = self.trail.since(turn);
        self.network.tree().follow(turn.position, since);
        let mut budget = turn.budget.clone();
        let simulations = match self.limit {
            Limit::Count(simulations) => simulations,
            Limit::Time(time) => {
                budget = budget.within(time);
                u64::MAX
            }
        };
        let effort = self.network.run(simulations, &budget);
        self.trail.leave(turn);
        let best = self.network.tree().best().expect(NOT_OVER);
        Ok(Choice {
            mv: best.mv,
            evaluation: Some(opinion(&best)),
            effort,
            remark: None,
        })
    }

    /// Until its memory is full.
    fn ponder(&mut self, turn: &Turn<'_, G>) {
        let since = self.trail.since(turn);
        self.network.tree().follow(turn.position, since);
        self.network.run(u64::MAX, turn.budget);
        self.trail.leave(turn);
    }
}
