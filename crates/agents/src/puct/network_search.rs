//! A network and the search that it leads, together: simulations in batches, to be watched or to play.

use std::fmt;
use std::path::Path;

use upstar_jobs::{Budget, MemoryLease};
use upstar_nets::Network;
use upstar_nets::deep::{Acting, DeepNetwork};

use super::{AlphaZero, Answer, CachedEvaluator, DEFAULT, Descent, Leaf, Puct, Ticket, shipped};
use crate::playable::Playable;
use crate::resources::Resources;
use crate::spec::AgentSpecError;

/// How many opinions of its network a search remembers.
const MEMORY: usize = 1 << 17;
/// The most bytes that the tree of a search takes; then the search ends.
const MOST_BYTES: usize = 1 << 30;
/// The bytes that a search leases before it begins, if there are as many, and at least.
const FIRST_BYTES: usize = 32 << 20;
const LEAST_BYTES: usize = 1 << 20;

/// What players and those who watch need of a search that a network leads.
pub trait LedSearch<G: Playable>: Send {
    /// Makes at most this many simulations, fewer if the budget is spent or the result is proved. Returns how
    /// many.
    fn run(&mut self, simulations: u64, budget: &Budget) -> u64;

    /// What the network alone expects after each move, for the side that plays it, from −1 to 1: in the
    /// order of moves.
    fn first_opinions(&mut self, position: &G::Position) -> Vec<(G::Move, f64)>;

    /// What the network alone says of a position where the game is not over: the result that it expects for the
    /// side to move, from −1 to 1, and how likely it thinks each move, in the order of moves.
    fn judgement(&mut self, position: &G::Position) -> (f64, Vec<(G::Move, f64)>);

    /// Whether the search goes on as soon as others give memory back.
    fn lacks_memory(&self) -> bool;

    /// Forgets every position and opinion.
    ///
    /// # Errors
    /// If there is no room for a new solver at the leaves.
    fn forget(&mut self) -> Result<(), AgentSpecError>;

    /// The tree.
    fn tree(&mut self) -> &mut Puct<G>;
}

/// A search in one position at a time, with its network.
pub struct NetworkSearch<G: Playable> {
    game: G,
    batch: usize,
    opinions: CachedEvaluator,
    search: Puct<G>,
    leaves: Vec<(Leaf<G::Position>, Ticket)>,
    /// What tree and opinions take; it grows with them.
    lease: MemoryLease,
}

impl<G: Playable + Acting> NetworkSearch<G> {
    /// A search with these options, whose limit does not matter, on the board of `position`.
    ///
    /// # Errors
    /// If the file holds no network, or one for another game or board.
    pub fn new(
        game: &G,
        position: &G::Position,
        options: &AlphaZero,
        resources: &Resources,
    ) -> Result<Self, AgentSpecError> {
        let refused = |why: &dyn fmt::Display| {
            let file = options.file.display();
            AgentSpecError(format!("{file}: {why}"))
        };
        let network = if options.file == Path::new(DEFAULT) {
            shipped(game).ok_or_else(|| {
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
    /// If the network is for another game or board, or there is no memory.
    pub fn with_network(
        game: &G,
        position: &G::Position,
        network: &DeepNetwork,
        options: &AlphaZero,
        resources: &Resources,
    ) -> Result<Self, AgentSpecError> {
        let lease = resources.ledger().up_to(FIRST_BYTES, LEAST_BYTES);
        Ok(Self {
            lease: lease.map_err(|error| AgentSpecError(error.to_string()))?,
            batch: options.batch,
            opinions: CachedEvaluator::new(network, game, position, MEMORY)?,
            search: Puct::new(game, options.guidance, resources)?,
            leaves: Vec::new(),
            game: game.clone(),
        })
    }

    /// The bytes that another batch may take.
    fn wanted(&self) -> usize {
        // What is full doubles.
        2 * (self.search.bytes() + self.opinions.bytes())
    }

    /// Whether there is memory for another batch.
    fn has_room(&mut self) -> bool {
        let wanted = self.wanted();
        let leased = wanted <= self.lease.bytes() || self.lease.grow(wanted).is_ok();
        leased && self.search.bytes() <= MOST_BYTES
    }
}

impl<G: Playable + Acting> LedSearch<G> for NetworkSearch<G> {
    fn run(&mut self, simulations: u64, budget: &Budget) -> u64 {
        let mut made = 0;
        loop {
            let enough = made > 0 && (made >= simulations || budget.is_over());
            // A search that has just begun looks at something in any case.
            if enough || self.search.visits() > 0 && !self.has_room() {
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

    fn first_opinions(&mut self, position: &G::Position) -> Vec<(G::Move, f64)> {
        let mut found = Vec::new();
        let mut later = Vec::new();
        for mv in self.game.moves(position) {
            let next = self.game.play_unchecked(position, mv);
            if let Some(score) = self.game.score(&next) {
                found.push((mv, -f64::from(score.signum())));
                continue;
            }
            match self.opinions.ask(&self.game, &next) {
                Answer::Known(value, _) => found.push((mv, -f64::from(value))),
                Answer::Later(ticket) => {
                    later.push((found.len(), ticket, next));
                    found.push((mv, 0.0));
                }
            }
        }
        self.opinions.judge();
        for (index, ticket, next) in later {
            let (value, _) = self.opinions.answer(ticket, &self.game, &next);
            found[index].1 = -f64::from(value);
        }
        self.opinions.forget_batch();
        found
    }

    fn judgement(&mut self, position: &G::Position) -> (f64, Vec<(G::Move, f64)>) {
        let ticket = match self.opinions.ask(&self.game, position) {
            Answer::Known(value, priors) => {
                let moves = self.game.moves(position);
                let shares = priors.iter().map(|&prior| f64::from(prior));
                return (f64::from(value), moves.zip(shares).collect());
            }
            Answer::Later(ticket) => ticket,
        };
        self.opinions.judge();
        let (value, priors) = self.opinions.answer(ticket, &self.game, position);
        let moves = self.game.moves(position);
        let shares = priors.iter().map(|&prior| f64::from(prior));
        let judged = (f64::from(value), moves.zip(shares).collect());
        self.opinions.forget_batch();
        judged
    }

    fn lacks_memory(&self) -> bool {
        self.wanted() > self.lease.bytes() && self.search.bytes() <= MOST_BYTES
    }

    fn forget(&mut self) -> Result<(), AgentSpecError> {
        // What is remembered is known at once, and so the search takes another way.
        self.opinions.forget();
        self.search.forget()
    }

    fn tree(&mut self) -> &mut Puct<G> {
        &mut self.search
    }
}
