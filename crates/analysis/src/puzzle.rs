//! Puzzles: positions in which exactly one move keeps the win, proved by the solver.

use std::collections::HashSet;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use upstar_agents::puct::DEFAULT;
use upstar_agents::{
    AgentSpec, AgentSpecError, AlphaZero, AnyAgent, AnySearch, Fault, Limit, Mcts, Resources,
};
use upstar_games::{AnyGame, Cell, Cells, Random, Setup};
use upstar_jobs::{Budget, Pool, ThreadError, Unwatched};
use upstar_solve::{Outcome, Query, Settings, SolveError, Solver};

use crate::prover::{has_score, left};

/// A position with one right move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Puzzle {
    /// The game's word.
    pub game: String,
    /// The position.
    pub position: String,
    /// The side to move, which wins.
    pub to_move: char,
    /// The only move that wins.
    pub solution: String,
    /// How many legal moves there are.
    pub moves: usize,
    /// Stones (Clobber) or empty cells (Othello) that are left.
    pub left: u32,
    /// How many positions the solver searches to find out.
    pub nodes: u64,
    /// How many simulations the search of the shipped network needs to see it; null if they were not
    /// enough, or there is no network for the board.
    pub simulations: Option<u64>,
    /// From 1 (seen at a glance) to 5 (not seen by the network).
    pub level: u8,
}

/// Makes puzzles of one game on one board.
pub struct PuzzleMaker {
    /// The start of the games whose positions are taken.
    pub start: AnyGame,
    /// Positions with at least and at most so much left are taken.
    pub left: (u32, u32),
    /// Makes chance repeat.
    pub seed: u64,
    /// How many threads look for puzzles; they find the same ones.
    pub threads: usize,
    /// What agents share.
    pub resources: Resources,
}

/// Why no puzzles are made.
#[derive(Debug, thiserror::Error)]
pub enum PuzzleError {
    /// The solver refused.
    #[error(transparent)]
    Solver(#[from] SolveError),
    /// The agent whose games are taken cannot be had.
    #[error(transparent)]
    Agent(#[from] AgentSpecError),
    /// It cannot go on.
    #[error(transparent)]
    Play(#[from] Fault),
    /// A thread cannot be had.
    #[error(transparent)]
    Thread(#[from] ThreadError),
}

/// Positions as they come up in games: some random plies, then a light tree search for both sides.
pub struct Sample<'a> {
    /// Where the games begin.
    pub start: &'a AnyGame,
    /// Games are played until so much is left.
    pub left: u32,
    /// Makes chance repeat.
    pub seed: u64,
}

impl Sample<'_> {
    /// The position of the game with this number, which may be over.
    ///
    /// # Errors
    /// If there is no memory for the search, or the game does not have two sides.
    pub fn position(
        &self,
        index: u64,
        resources: &Resources,
        budget: &Budget,
    ) -> Result<AnyGame, PuzzleError> {
        let mut random = Random::for_game(!self.seed, index);
        let options = Mcts::new(Limit::Count(PLAYED_BY));
        let mut agent = AnyAgent::new(&AgentSpec::Mcts(options), self.start, resources)?;
        let (mut game, mut moves) = (self.start.clone(), Vec::new());
        while left(&game) > self.left && !game.is_over() {
            let legal = game.legal();
            let mv = match (moves.len() as u32) < RANDOM_PLIES {
                true => legal[random.below(legal.len() as u32) as usize].clone(),
                false => agent.choose(self.start, &moves, budget, &mut random)?.mv,
            };
            game = game.play(&mv).expect("agents play legal moves");
            moves.push(mv);
        }
        Ok(game)
    }
}

/// Fewer legal moves are too easy a choice.
const LEAST_MOVES: usize = 4;
/// So many plies of a game are random, so that no two are alike.
const RANDOM_PLIES: u32 = 6;
/// The simulations of the agent that plays them on.
const PLAYED_BY: u64 = 60;
/// The memory of a solver, and the positions that it may search for each puzzle.
const MEMORY: usize = 64 << 20;
const MOST_NODES: u64 = 1 << 23;
/// The most simulations that the network gets.
const MOST_SIMULATIONS: u64 = 1 << 13;
/// Puzzles that differ in no more cells than this are the same to a player.
const ALIKE: u32 = 3;

impl PuzzleMaker {
    /// Makes so many puzzles, fewer if the budget is spent or a great many games hold no more. `told` hears of
    /// each, with the number of games played so far.
    ///
    /// # Errors
    /// If there is no memory, no thread, or no agent for the game.
    pub fn make(
        &self,
        count: usize,
        budget: &Budget,
        told: &mut dyn FnMut(&Puzzle, u64),
    ) -> Result<Vec<Puzzle>, PuzzleError> {
        let games = 2000 * count as u64;
        let mut made: Vec<Puzzle> = Vec::new();
        let mut seen = Seen::default();
        if count == 0 {
            return Ok(made);
        }
        Pool {
            jobs: games,
            threads: self.threads,
            budget,
        }
        .work(
            || (),
            |(), index, budget| {
                let stopped = budget.is_over();
                (!stopped)
                    .then(|| self.candidate(index, budget))
                    .transpose()
            },
            |_, _| Ok(()),
            |index, candidate: Option<Puzzle>| {
                if let Some(puzzle) = candidate
                    && seen.is_new(&puzzle)
                {
                    told(&puzzle, index + 1);
                    made.push(puzzle);
                }
                match made.len() < count {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            },
        )?;
        Ok(made)
    }

    /// The puzzle that the game with this number holds, if it holds one.
    fn candidate(&self, index: u64, budget: &Budget) -> Result<Option<Puzzle>, PuzzleError> {
        let (least, most) = self.left;
        let wanted = least + Random::for_game(self.seed, index).below(most - least + 1);
        let sample = Sample {
            start: &self.start,
            left: wanted,
            seed: self.seed,
        };
        let game = sample.position(index, &self.resources, budget)?;
        if game.is_over() || game.legal().len() < LEAST_MOVES {
            return Ok(None);
        }
        self.puzzle(&game, budget)
    }

    /// The position as a puzzle, if exactly one move wins.
    ///
    /// # Errors
    /// If the solver refuses.
    pub fn puzzle(&self, game: &AnyGame, budget: &Budget) -> Result<Option<Puzzle>, PuzzleError> {
        // A solver of its own: its work must not depend on what was solved before.
        let settings = self.resources.solver.settings();
        let solver = Solver::new(Settings {
            memory: MEMORY,
            threads: 1,
            patient: false,
            ..settings.clone()
        });
        let (query, limited) = (Query::winner(), budget.clone().with_nodes(MOST_NODES));
        let answer = solver.solve(game, &query, &limited, &Unwatched)?;
        let (Some(Outcome::Win), Some(solution)) = (answer.outcome, answer.best) else {
            return Ok(None);
        };
        for mv in game.legal() {
            let next = game.play(&mv).expect("the move is legal");
            let won = match next.result() {
                Some(result) => result.winner() == Some(game.side_to_move()),
                None => match solver.solve(&next, &query, &limited, &Unwatched)?.outcome {
                    Some(outcome) => outcome == Outcome::Loss,
                    None => return Ok(None),
                },
            };
            if won != (mv == solution) {
                return Ok(None);
            }
        }
        let simulations = self.simulations(game, &solution, budget);
        Ok(Some(Puzzle {
            game: game.variant().to_string(),
            position: game.setup().to_string(),
            to_move: game.side_to_move().letter(),
            moves: game.legal().len(),
            left: left(game),
            nodes: answer.nodes,
            level: level(simulations),
            simulations,
            solution,
        }))
    }

    /// How many simulations a search led by the shipped network needs before it would play the solution, and
    /// with twice as many still does.
    fn simulations(&self, game: &AnyGame, solution: &str, budget: &Budget) -> Option<u64> {
        let options = AlphaZero::new(DEFAULT.into());
        let mut search = AnySearch::led(game, &options, &self.resources).ok()?;
        // A network draws nothing.
        let random = &mut Random::new(self.seed);
        let mut seen = None;
        let mut simulations = 1;
        while simulations <= MOST_SIMULATIONS {
            let rest = simulations.saturating_sub(search.simulations());
            search.run(rest.max(1), budget, random);
            let best = search.best()?;
            match (best == solution, seen) {
                (false, _) => seen = None,
                (true, None) => seen = Some(simulations),
                (true, Some(_)) => return seen,
            }
            simulations *= 2;
        }
        None
    }
}

/// How hard a puzzle is for which the network needs so many simulations.
fn level(simulations: Option<u64>) -> u8 {
    match simulations {
        Some(..=2) => 1,
        Some(3..=32) => 2,
        Some(33..=256) => 3,
        Some(257..) => 4,
        None => 5,
    }
}

/// Puzzles met so far, to tell new ones from old ones.
#[derive(Default)]
pub struct Seen {
    texts: HashSet<String>,
    stones: Vec<[u128; 2]>,
}

impl Seen {
    /// Whether no puzzle seen before is nearly the same: turned, mirrored, with other stones where nothing can
    /// happen any more, or with a few other stones.
    ///
    /// # Panics
    /// If the position of the puzzle cannot be read.
    pub fn is_new(&mut self, puzzle: &Puzzle) -> bool {
        let game = puzzle.open().expect("puzzles hold legal positions");
        let live = match has_score(&game) {
            true => game.setup(),
            false => live(&game.setup()),
        };
        let to_move = game.side_to_move();
        let Ok(bare) = game.at(&live, to_move) else {
            return false;
        };
        let images = bare.symmetries();
        let text = |image: &AnyGame| format!("{} {}", image.setup(), to_move.letter());
        if images.iter().any(|image| self.texts.contains(&text(image))) {
            return false;
        }
        let sets = |setup: &Setup| {
            let mine = setup.stones(to_move);
            [mine, setup.occupied() & !mine]
        };
        let near = |image: &AnyGame| {
            let [mine, theirs] = sets(&image.setup());
            let far = |other: &[u128; 2]| {
                let different = (mine ^ other[0]) | (theirs ^ other[1]);
                different.count_ones() > ALIKE
            };
            !self.stones.iter().all(far)
        };
        if images.iter().any(near) {
            return false;
        }
        self.texts.insert(text(&bare));
        self.stones.push(sets(&live));
        true
    }
}

/// The stones of components in which something can still happen: both sides are there.
fn live(setup: &Setup) -> Setup {
    let board = &setup.board;
    let mut kept = Setup::new(board.clone());
    let mut rest = setup.occupied();
    while let Some(first) = rest.iter().next() {
        let (mut component, mut border) = (0u128.with(first), vec![first]);
        while let Some(cell) = border.pop() {
            for next in board.neighbours(cell) {
                if setup.occupied().contains(next) && !component.contains(next) {
                    component = component.with(next);
                    border.push(next);
                }
            }
        }
        rest &= !component;
        let cells: Vec<Cell> = component.iter().collect();
        let side = |cell: &Cell| setup.stone(*cell);
        if cells.iter().any(|cell| side(cell) != side(&cells[0])) {
            for cell in cells {
                kept.put(cell, side(&cell).expect("the cell is occupied"));
            }
        }
    }
    kept
}

impl Puzzle {
    /// Its position.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(&self) -> Result<AnyGame, String> {
        let variant = self.game.parse().map_err(|error| format!("{error}"))?;
        let start = self.position.parse();
        let start = start.map_err(|error: upstar_games::StartError| error.to_string())?;
        AnyGame::open(variant, &start, Some(self.to_move)).map_err(|error| error.to_string())
    }

    /// The puzzles that come with the program.
    ///
    /// # Panics
    /// Never: they are well formed.
    pub fn shipped() -> Vec<Self> {
        let lines = include_str!("../data/puzzles.jsonl").lines();
        let read = |line| serde_json::from_str(line).expect("shipped puzzles are well formed");
        lines.map(read).collect()
    }
}
