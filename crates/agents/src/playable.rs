//! What agents need of a game beyond its rules: moves as small numbers, what greed counts, and a
//! solver.
//!
//! The games are listed one by one, so that agents are compiled here, once, and not again in every
//! crate that plays.

use std::path::Path;

use upstar_games::clobber::{self, EdgeBoard};
use upstar_games::othello::{self, Opening, Reversi, ReversiPosition};
use upstar_games::{
    Board, Cell, Cells, Clobber, Color, Game, Othello, Position, Random, Rules, Variant,
};
use upstar_jobs::Budget;
use upstar_solve::{Prover, Solvable};

use crate::agent::Agent;
use crate::alpha_beta::{AlphaBeta, AlphaBetaAgent};
use crate::best::{Best, BestAgent, BestEffort};
use crate::greedy::Greed;
use crate::net::NetAgent;
use crate::puct::{AlphaZero, LedSearch, NetworkSearch, shipped};
use crate::resources::Resources;
use crate::solver::SolverAgent;
use crate::spec::{AgentSpec, AgentSpecError};
use crate::uct::Uct;

/// A game that all agents play.
///
/// # Laws
/// * `decode(encode(mv))` is `mv`, and different moves have different codes.
/// * `left` never grows when a move is played.
pub trait Playable: Solvable {
    /// Whether a side may have more discs than the other through its own doing.
    const HAS_DISCS: bool;
    /// What a greedy player wants where nothing else is said.
    const USUAL_GREED: Greed;

    /// The move in sixteen bits, as the tree keeps it.
    fn encode(mv: Self::Move) -> u16;

    /// The move of a code.
    fn decode(code: u16) -> Self::Move;

    /// What the side that has just moved has gained, seen in the position after its move.
    fn gain(&self, after: &Self::Position, greed: Greed) -> i32;

    /// How much of the game is left: stones in Clobber, empty cells in Othello. Few make an exact
    /// solution cheap.
    fn left(&self, position: &Self::Position) -> u32;

    /// A solver for all positions of this game, with at most this much memory for its tables.
    ///
    /// # Errors
    /// If there is no room for it, or its tables cannot be read.
    fn prover(
        &self,
        resources: &Resources,
        memory: usize,
    ) -> Result<Box<dyn Prover<Self>>, AgentSpecError> {
        let board = self.playing_board();
        let prover = resources.solver.prover(self, &board, memory);
        prover.map_err(|error| AgentSpecError(error.to_string()))
    }

    /// The board that the game is played on.
    fn playing_board(&self) -> Board;

    /// A player with the network of a file.
    ///
    /// # Errors
    /// If it holds no network for this game and board.
    fn net_agent(&self, file: &Path) -> Result<Box<dyn Agent<Self>>, AgentSpecError>;

    /// The player `ab`.
    ///
    /// # Errors
    /// If it does not play this game, or there is no room for its table.
    fn alpha_beta(&self, _: &AlphaBeta) -> Result<Box<dyn Agent<Self>>, AgentSpecError> {
        let sentence = "ab plays Othello on boards of at most 64 cells; mcts:1s plays everything";
        Err(AgentSpecError(sentence.to_owned()))
    }

    /// The player `best`: here the solver as long as it can, then tree search.
    ///
    /// # Errors
    /// If there is no memory.
    fn best(
        &self,
        options: &Best,
        resources: &Resources,
    ) -> Result<Box<dyn Agent<Self>>, AgentSpecError> {
        let limit = Some(options.nodes_or_time());
        Ok(Box::new(SolverAgent::new(self, limit, resources)?))
    }

    /// A search that a network leads.
    ///
    /// # Errors
    /// If its file holds no network for this game and board, or there is no room for a solver.
    fn network_search(
        &self,
        options: &AlphaZero,
        resources: &Resources,
    ) -> Result<Box<dyn LedSearch<Self>>, AgentSpecError>;

    /// The agent that a specification names.
    ///
    /// # Errors
    /// If there is no such agent for this game, or not enough memory for it.
    fn agent(
        &self,
        spec: &AgentSpec,
        resources: &Resources,
    ) -> Result<Box<dyn Agent<Self>>, AgentSpecError>;

    /// What [`Uct::run`] does.
    fn simulate(
        search: &mut Uct<Self>,
        simulations: u64,
        budget: &Budget,
        random: &mut Random,
    ) -> u64;

    /// The name of the game.
    fn variant(&self) -> Variant;

    /// The game as sets of edges, if it can be played so: the fast way for a search.
    fn edges(&self) -> Option<EdgeBoard> {
        None
    }

    /// The stones of the side to move and of the other, for games that can be played on edges.
    fn stones(_: &Self::Position) -> [u128; 2] {
        unreachable!("this game is not played on edges")
    }

    /// The edge that a move is played on, for such games.
    fn edge(_: &EdgeBoard, _: Self::Move) -> Option<u32> {
        None
    }
}

/// What is the same for all games, and compiled for each.
macro_rules! compiled_here {
    () => {
        fn agent(
            &self,
            spec: &AgentSpec,
            resources: &Resources,
        ) -> Result<Box<dyn Agent<Self>>, AgentSpecError> {
            spec.seat(self, resources)
        }

        fn simulate(
            search: &mut Uct<Self>,
            simulations: u64,
            budget: &Budget,
            random: &mut Random,
        ) -> u64 {
            search.simulate(simulations, budget, random)
        }
    };
}

/// A board without stones, which every network may look at.
fn empty_board<B: Cells>() -> Position<B> {
    Position {
        own: B::EMPTY,
        opponent: B::EMPTY,
        to_move: Color::Black,
    }
}

macro_rules! clobber {
    ($word:ty) => {
        impl Playable for Clobber<$word> {
            const HAS_DISCS: bool = false;
            const USUAL_GREED: Greed = Greed::Moves;

            compiled_here!();

            #[inline(always)]
            fn encode(mv: clobber::Move) -> u16 {
                (mv.from.index() << 8 | mv.to.index()) as u16
            }

            #[inline(always)]
            fn decode(code: u16) -> clobber::Move {
                clobber::Move {
                    from: Cell::new(usize::from(code >> 8)),
                    to: Cell::new(usize::from(code & 0xff)),
                }
            }

            fn gain(&self, after: &Position<$word>, greed: Greed) -> i32 {
                let moves = |position: &Position<$word>| self.count_moves(position) as i32;
                match greed {
                    Greed::Discs => after.opponent.len() as i32 - after.own.len() as i32,
                    Greed::Moves if self.is_cannibal() => moves(&turned(after)) - moves(after),
                    Greed::Moves => moves(after),
                }
            }

            fn left(&self, position: &Position<$word>) -> u32 {
                position.occupied().len()
            }

            fn playing_board(&self) -> Board {
                self.board().clone()
            }

            fn net_agent(&self, file: &Path) -> Result<Box<dyn Agent<Self>>, AgentSpecError> {
                let player = NetAgent::load(self.clone(), &empty_board(), file)?;
                Ok(Box::new(player))
            }

            fn network_search(
                &self,
                options: &AlphaZero,
                resources: &Resources,
            ) -> Result<Box<dyn LedSearch<Self>>, AgentSpecError> {
                let search = NetworkSearch::new(self, &empty_board(), options, resources)?;
                Ok(Box::new(search))
            }

            fn best(
                &self,
                options: &Best,
                resources: &Resources,
            ) -> Result<Box<dyn Agent<Self>>, AgentSpecError> {
                let has_network = matches!(self.board(), Board::Grid(_)) && shipped(self).is_some();
                if has_network {
                    return Ok(Box::new(BestAgent::new(self, options, resources)?));
                }
                let limit = Some(options.nodes_or_time());
                Ok(Box::new(SolverAgent::new(self, limit, resources)?))
            }

            fn variant(&self) -> Variant {
                if self.is_cannibal() {
                    Variant::Cannibal
                } else {
                    Variant::Clobber
                }
            }

            fn edges(&self) -> Option<EdgeBoard> {
                if self.is_cannibal() {
                    None
                } else {
                    EdgeBoard::new(self.board())
                }
            }

            fn stones(position: &Position<$word>) -> [u128; 2] {
                [position.own.into(), position.opponent.into()]
            }

            fn edge(board: &EdgeBoard, mv: clobber::Move) -> Option<u32> {
                board.edge(mv.from, mv.to)
            }
        }
    };
}

clobber!(u64);
clobber!(u128);

/// The same stones with the other side to move.
fn turned<B: Cells>(position: &Position<B>) -> Position<B> {
    Position {
        own: position.opponent,
        opponent: position.own,
        to_move: !position.to_move,
    }
}

const PASS: u16 = 0xff;

#[inline(always)]
fn encode_placement(mv: othello::Move) -> u16 {
    match mv {
        othello::Move::Place(cell) => cell.index() as u16,
        othello::Move::Pass => PASS,
    }
}

#[inline(always)]
fn decode_placement(code: u16) -> othello::Move {
    match code {
        PASS => othello::Move::Pass,
        cell => othello::Move::Place(Cell::new(cell.into())),
    }
}

/// A pass is not a move to be proud of.
fn placements<G: Game<Move = othello::Move>>(game: &G, position: &G::Position) -> i32 {
    let placed = |mv: &othello::Move| *mv != othello::Move::Pass;
    game.moves(position).filter(placed).count() as i32
}

macro_rules! othello_like {
    ($nothing:expr) => {
        const HAS_DISCS: bool = true;
        const USUAL_GREED: Greed = Greed::Discs;

        compiled_here!();

        #[inline(always)]
        fn encode(mv: othello::Move) -> u16 {
            encode_placement(mv)
        }

        #[inline(always)]
        fn decode(code: u16) -> othello::Move {
            decode_placement(code)
        }

        fn playing_board(&self) -> Board {
            self.setup(&$nothing).board
        }
    };
}

macro_rules! othello {
    ($word:ty $(, $more:item)*) => {
        impl Playable for Othello<$word> {
            othello_like!(empty_board::<$word>());

            fn gain(&self, after: &Position<$word>, greed: Greed) -> i32 {
                match greed {
                    Greed::Discs => after.opponent.len() as i32 - after.own.len() as i32,
                    Greed::Moves => placements(self, &turned(after)) - placements(self, after),
                }
            }

            fn left(&self, position: &Position<$word>) -> u32 {
                self.plies_left(position) / 2
            }

            fn net_agent(&self, file: &Path) -> Result<Box<dyn Agent<Self>>, AgentSpecError> {
                let player = NetAgent::load(self.clone(), &empty_board(), file)?;
                Ok(Box::new(player))
            }

            fn network_search(
                &self,
                options: &AlphaZero,
                resources: &Resources,
            ) -> Result<Box<dyn LedSearch<Self>>, AgentSpecError> {
                let search = NetworkSearch::new(self, &empty_board(), options, resources)?;
                Ok(Box::new(search))
            }

            fn variant(&self) -> Variant {
                Variant::Othello(Opening::DIAGONAL)
            }

            $($more)*
        }
    };
}

othello!(
    u64,
    fn alpha_beta(&self, options: &AlphaBeta) -> Result<Box<dyn Agent<Self>>, AgentSpecError> {
        Ok(Box::new(AlphaBetaAgent::new(self, options)?))
    },
    fn best(
        &self,
        options: &Best,
        resources: &Resources,
    ) -> Result<Box<dyn Agent<Self>>, AgentSpecError> {
        /// Boards of at most this many cells are solved from the first moves on.
        const SMALL: u32 = 24;
        if self.playing_board().cells().len() <= SMALL {
            let limit = Some(options.nodes_or_time());
            return Ok(Box::new(SolverAgent::new(self, limit, resources)?));
        }
        let usual = AlphaBeta::new(options.plies_or_time());
        // With threads games would not repeat.
        let threads = match options.effort {
            BestEffort::Time(_) => options.threads,
            BestEffort::Work { .. } => 1,
        };
        self.alpha_beta(&AlphaBeta { threads, ..usual })
    }
);
othello!(u128);

fn no_network() -> AgentSpecError {
    AgentSpecError("networks play Clobber and Othello, not Reversi".to_owned())
}

macro_rules! reversi {
    ($word:ty) => {
        impl Playable for Reversi<$word> {
            othello_like!(ReversiPosition {
                discs: empty_board::<$word>(),
                own_hand: 0,
                opponent_hand: 0,
            });

            fn gain(&self, after: &ReversiPosition<$word>, greed: Greed) -> i32 {
                let discs = &after.discs;
                match greed {
                    Greed::Discs => discs.opponent.len() as i32 - discs.own.len() as i32,
                    Greed::Moves => {
                        let other = ReversiPosition {
                            discs: turned(discs),
                            own_hand: after.opponent_hand,
                            opponent_hand: after.own_hand,
                        };
                        placements(self, &other) - placements(self, after)
                    }
                }
            }

            fn left(&self, position: &ReversiPosition<$word>) -> u32 {
                self.plies_left(position) / 2
            }

            fn net_agent(&self, _: &Path) -> Result<Box<dyn Agent<Self>>, AgentSpecError> {
                Err(no_network())
            }

            fn network_search(
                &self,
                _: &AlphaZero,
                _: &Resources,
            ) -> Result<Box<dyn LedSearch<Self>>, AgentSpecError> {
                Err(no_network())
            }

            fn variant(&self) -> Variant {
                Variant::Reversi
            }
        }
    };
}

reversi!(u64);
reversi!(u128);
