//! Search led by a network, as a player.

use std::fmt;
use std::path::{Path, PathBuf};

use upstar_games::Random;
use upstar_jobs::Budget;
use upstar_nets::Network;
use upstar_nets::deep::{Acting, DeepNetwork};

use super::{Answer, CachedEvaluator, DEFAULT, Descent, Guidance, Leaf, Puct, Ticket, shipped};
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
    /// The file of the network, or [`DEFAULT`].
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

/// So many opinions of its network a player remembers.
const MEMORY: usize = 1 << 17;
/// The tree of one search takes no more than so many bytes; then the search ends.
const MOST_BYTES: usize = 1 << 30;

/// A player that searches before every move, and keeps its tree from one move to the next.
pub struct AlphaZeroAgent<G: Playable> {
    game: G,
    limit: Limit,
    batch: usize,
    opinions: CachedEvaluator,
    search: Puct<G>,
    trail: Trail<G>,
    leaves: Vec<(Leaf<G::Position>, Ticket)>,
}

impl<G: Playable + Acting> AlphaZeroAgent<G> {
    /// A player with these options, on the board of `position`.
    ///
    /// # Errors
    /// If the file holds no network, or one for another game or board.
    pub fn new(
        game: G,
        position: &G::Position,
        options: &AlphaZero,
        resources: &Resources,
    ) -> Result<Self, AgentSpecError> {
        let refused = |why: &dyn fmt::Display| {
            let file = options.file.display();
            AgentSpecError(format!("{file}: {why}"))
        };
        let network = if options.file == Path::new(DEFAULT) {
            shipped(&game).ok_or_else(|| {
                AgentSpecError("no network for this game comes with the program".to_owned())
            })?
        } else {
            DeepNetwork::load(&options.file).map_err(|error| {
                match Network::load(&options.file) {
                    Ok(_) => refused(&"this is a small network, with which net:FILE plays"),
                    Err(_) => refused(&error),
                }
            })?
        };
        Self::with_network(game, position, &network, options, resources)
            .map_err(|why| refused(&why))
    }

    /// The same with a network that is in memory already.
    ///
    /// # Errors
    /// If the network is for another game or board.
    pub fn with_network(
        game: G,
        position: &G::Position,
        network: &DeepNetwork,
        options: &AlphaZero,
        resources: &Resources,
    ) -> Result<Self, AgentSpecError> {
        Ok(Self {
            limit: options.limit,
            batch: options.batch,
            opinions: CachedEvaluator::new(network, &game, position, MEMORY)?,
            search: Puct::new(&game, options.guidance, resources)?,
            trail: Trail::new(),
            leaves: Vec::new(),
            game,
        })
    }

    /// Makes at most so many simulations, fewer if the budget is spent or the result is proved. Returns how
    /// many.
    fn run(&mut self, simulations: u64, budget: &Budget) -> u64 {
        let mut made = 0;
        loop {
            let enough = made > 0 && (made >= simulations || budget.is_over());
            if enough || self.search.bytes() > MOST_BYTES {
                return made;
            }
            while self.leaves.len() < self.batch && made < simulations {
                match self.search.descend() {
                    Descent::Judge(leaf) => {
                        made += 1;
                        match self.opinions.ask(&self.game, &leaf.position) {
                            Answer::Known(value, priors) => {
                                self.search.receive(&leaf, value, priors);
                            }
                            Answer::Later(ticket) => self.leaves.push((leaf, ticket)),
                        }
                    }
                    Descent::Known => made += 1,
                    Descent::Waiting | Descent::Proved => break,
                }
            }
            if self.leaves.is_empty() && self.search.outcome().is_some() {
                return made;
            }
            self.opinions.judge();
            for (leaf, ticket) in self.leaves.drain(..) {
                let (value, priors) = self.opinions.answer(ticket, &self.game, &leaf.position);
                self.search.receive(&leaf, value, priors);
            }
            self.opinions.forget_batch();
        }
    }
}

impl<G: Playable + Acting> Agent<G> for AlphaZeroAgent<G> {
    fn begin_game(&mut self) -> Result<(), Fault> {
        self.trail.forget();
        // What is remembered is known at once, and so the search takes another way.
        self.opinions.forget();
        self.search
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
        let kept = since.is_some_and(|moves| moves.iter().all(|&mv| self.search.advance(mv)));
        if !kept || self.search.position() != Some(turn.position) {
            self.search.begin(turn.position);
        }
        let mut budget = turn.budget.clone();
        let simulations = match self.limit {
            Limit::Count(simulations) => simulations,
            Limit::Time(time) => {
                budget = budget.within(time);
                u64::MAX
            }
        };
        let effort = self.run(simulations, &budget);
        self.trail.leave(turn);
        let best = self.search.best().expect(NOT_OVER);
        Ok(Choice {
            mv: best.mv,
            evaluation: Some(opinion(&best)),
            effort,
            remark: None,
        })
    }
}
