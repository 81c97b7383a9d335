//! Who guesses: a midgame search, a network with its search, or plain tree search.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use upstar_agents::puct::DEFAULT;
use upstar_agents::{
    AgentSpec, AlphaZero, AnySearch, BookChoice, Limit, Mcts, OpeningBook, Resources, SearchedMove,
};
use upstar_games::{AnyGame, Board, Cells, Othello, Position, Random, Rules};
use upstar_jobs::{Budget, MemoryLease};
use upstar_solve::othello::{Effort, Midgame, winning_chance};
use upstar_solve::{Outcome, SolveError};

use crate::error::AnalysisError;

/// What an estimator thinks of a move, for the side that plays it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Opinion {
    pub(crate) mv: String,
    /// From 0 to 1.
    pub(crate) win: f64,
    pub(crate) discs: Option<f64>,
    pub(crate) work: u64,
    pub(crate) line: Vec<String>,
    /// A result that follows from finished games.
    pub(crate) proved: Option<Outcome>,
    /// The higher, the earlier the move would be played.
    pub(crate) rank: f64,
}

pub(crate) trait Estimator: Send {
    /// The agent text of who guesses.
    fn name(&self) -> &'static str;

    /// A quick look at every move.
    fn first(&mut self) -> Vec<Opinion>;

    /// Thinks on with at most so many threads, until the budget is spent at the latest; false if there is
    /// nothing more to think about.
    fn improve(&mut self, budget: &Budget, random: &mut Random, threads: usize) -> bool;

    /// Whether its opinions are good enough that the prover may have most of the time before it is done.
    fn is_settled(&self) -> bool {
        true
    }

    /// Whether work that is interrupted has to begin again.
    fn begins_again(&self) -> bool {
        false
    }

    /// What it thinks now.
    fn opinions(&mut self) -> Vec<Opinion>;

    /// All simulations or positions so far.
    fn work(&mut self) -> u64;
}

/// The bytes of an estimator's table or tree, at most, where nothing else is said, and at least.
const MEMORY: usize = 32 << 20;
const LEAST_MEMORY: usize = 1 << 20;
/// So many simulations are made before others look at the result.
const SIMULATIONS: u64 = 256;
/// How long to wait for memory before asking again.
const PAUSE: Duration = Duration::from_millis(20);

/// How much an estimator may do.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) simulations: Option<u64>,
    pub(crate) plies: u32,
    pub(crate) multi: usize,
}

/// The estimator for a position, of this agent or the best that the program has, with the memory that it does
/// not lease itself.
pub(crate) fn estimator(
    game: &AnyGame,
    agent: Option<&AgentSpec>,
    limits: Limits,
    resources: &Resources,
) -> Result<(Box<dyn Estimator>, Option<MemoryLease>), AnalysisError> {
    // Agents say in a sentence that there is no memory; whoever waits for it has to know.
    let least = resources.ledger().memory(LEAST_MEMORY);
    drop(least.map_err(SolveError::from)?);
    let simulations = limits.simulations;
    let most = |limit: Limit| match limit {
        Limit::Count(count) => simulations.unwrap_or(count),
        Limit::Time(_) => simulations.unwrap_or(u64::MAX),
    };
    let tree = |options: &Mcts, first| -> Result<Box<dyn Estimator>, AnalysisError> {
        Ok(Box::new(Tree {
            search: AnySearch::plain(game, options, resources)?,
            most: most(options.limit),
            first,
        }))
    };
    let network = |options: &AlphaZero| -> Result<Box<dyn Estimator>, AnalysisError> {
        Ok(Box::new(Network {
            search: AnySearch::led(game, options, resources)?,
            first: Vec::new(),
            most: most(options.limit),
            name: match options.file == std::path::Path::new(DEFAULT) {
                true => "az:default",
                false => "az",
            },
        }))
    };
    match agent {
        Some(AgentSpec::Mcts(options)) => return Ok((tree(options, false)?, None)),
        Some(AgentSpec::AlphaZero(options)) => return Ok((network(options)?, None)),
        Some(AgentSpec::AlphaBeta(_)) if matches!(game, AnyGame::Othello64(..)) => {}
        // An analysis has the same plan: a prover and the network side by side.
        Some(AgentSpec::Best(_)) => {}
        Some(other) => return Err(AnalysisError::NotWatchable(other.to_string())),
        None => {}
    }
    if let AnyGame::Othello64(rules, start) = game
        && (Midgame::is_fitted(rules) || agent.is_some())
    {
        let lease = resources.ledger().up_to(MEMORY, LEAST_MEMORY);
        let lease = lease.map_err(SolveError::from)?;
        if let Ok(midgame) = Midgame::new(rules, lease.bytes()) {
            let mut plies = Plies::new(rules, start, midgame, limits);
            if let Some(book) = opening_book(rules, agent)? {
                plies.consult(&book);
            }
            return Ok((Box::new(plies), Some(lease)));
        }
    }
    let usual = AlphaZero {
        limit: Limit::Count(u64::MAX),
        ..AlphaZero::new(DEFAULT.into())
    };
    let found = network(&usual).or_else(|error| match error {
        // There is none for this game or board.
        AnalysisError::Agent(_) => {
            let options = Mcts {
                memory: MEMORY,
                ..Mcts::new(Limit::Count(u64::MAX))
            };
            tree(&options, true)
        }
        error => Err(error),
    });
    Ok((found?, None))
}

/// The opening book of the engine for this board: the agent's, or the one that comes with the program.
fn opening_book(
    rules: &Othello<u64>,
    agent: Option<&AgentSpec>,
) -> Result<Option<Arc<OpeningBook>>, AnalysisError> {
    let usual = BookChoice::default();
    let choice = match agent {
        Some(AgentSpec::AlphaBeta(options)) => &options.book,
        _ => &usual,
    };
    match rules.board() {
        Board::Grid(grid) => Ok(choice.open(grid)?),
        Board::Graph(_) => Ok(None),
    }
}

/// What a tree search knows of a move.
fn opinion(found: SearchedMove, rank: f64) -> Opinion {
    Opinion {
        mv: found.mv,
        win: f64::midpoint(found.mean, 1.0),
        discs: None,
        work: found.visits,
        line: found.line,
        proved: found.proved,
        rank,
    }
}

/// Plain tree search.
struct Tree {
    search: AnySearch,
    most: u64,
    /// Whether every move is to be tried a few times before anything is told.
    first: bool,
}

impl Estimator for Tree {
    fn name(&self) -> &'static str {
        "mcts"
    }

    fn first(&mut self) -> Vec<Opinion> {
        if self.first {
            let each = 16 * self.search.moves().len().max(8) as u64;
            let budget = Budget::unlimited().with_time(Duration::from_millis(50));
            let simulations = each.min(self.most);
            self.search.run(simulations, &budget, &mut Random::new(1));
        }
        self.opinions()
    }

    fn improve(&mut self, budget: &Budget, random: &mut Random, _: usize) -> bool {
        let rest = self.most.saturating_sub(self.search.simulations());
        if rest == 0 || self.search.outcome().is_some() {
            return false;
        }
        self.search.run(rest, budget, random) > 0
    }

    fn opinions(&mut self) -> Vec<Opinion> {
        let moves = self.search.moves();
        let count = moves.len();
        let ranked = moves.into_iter().enumerate();
        // Moves that were never tried have no estimate.
        ranked
            .map(|(index, found)| opinion(found, (count - index) as f64))
            .filter(|opinion| opinion.work > 0 || opinion.proved.is_some())
            .collect()
    }

    fn work(&mut self) -> u64 {
        self.search.simulations()
    }
}

/// A network and the search that it leads.
struct Network {
    search: AnySearch,
    first: Vec<Opinion>,
    most: u64,
    name: &'static str,
}

impl Estimator for Network {
    fn name(&self) -> &'static str {
        self.name
    }

    fn first(&mut self) -> Vec<Opinion> {
        let alone = |(mv, value): (String, f64)| Opinion {
            line: vec![mv.clone()],
            mv,
            win: f64::midpoint(value, 1.0),
            discs: None,
            work: 1,
            proved: None,
            rank: value - 1.0,
        };
        self.first = self
            .search
            .first_opinions()
            .into_iter()
            .map(alone)
            .collect();
        self.first.clone()
    }

    fn improve(&mut self, budget: &Budget, random: &mut Random, _: usize) -> bool {
        let rest = self.most.saturating_sub(self.search.simulations());
        if rest == 0 || self.search.outcome().is_some() {
            return false;
        }
        let made = self.search.run(rest.min(SIMULATIONS), budget, random);
        let waits = made == 0 && self.search.lacks_memory();
        if waits {
            thread::sleep(PAUSE);
        }
        made > 0 || waits
    }

    /// What was never visited is as good as the network alone thinks.
    fn opinions(&mut self) -> Vec<Opinion> {
        let mut opinions = self.first.clone();
        for found in self.search.moves() {
            let place = opinions.iter_mut().find(|opinion| opinion.mv == found.mv);
            if let Some(place) = place
                && (found.visits > 0 || found.proved.is_some())
            {
                let rank = found.visits as f64 + f64::midpoint(found.mean, 1.0) / 2.0;
                *place = opinion(found, rank);
            }
        }
        opinions
    }

    fn work(&mut self) -> u64 {
        self.search.simulations()
    }
}

/// Othello by the midgame search: one ply deeper each time, then to the end of the game, with more and more
/// confidence. The best moves are searched as far as the position; the others, of which it is only known that
/// they seem no better, three plies less.
struct Plies {
    rules: Othello<u64>,
    start: Position<u64>,
    midgame: Midgame,
    moves: Vec<Searched>,
    limits: Limits,
    /// What to do, how much of it is done, and of the step at work how many moves.
    steps: Vec<Step>,
    step: usize,
    done: usize,
    empties: u32,
}

/// How far and how surely to search.
#[derive(Clone, Copy)]
struct Step {
    depth: u32,
    level: u8,
    is_ending: bool,
}

struct Searched {
    mv: String,
    next: Position<u64>,
    /// The last scores after an even and an odd number of plies. Whoever has moved last looks better than it
    /// is, so both are needed.
    scores: [Option<f64>; 2],
    depth: u32,
    line: Vec<String>,
    /// No more than this: the score of the best move.
    at_most: f64,
}

impl Searched {
    fn found(&mut self, discs: f64, depth: u32, is_ending: bool, line: Vec<String>) {
        match is_ending {
            true => self.scores = [Some(discs); 2],
            false => self.scores[depth as usize % 2] = Some(discs),
        }
        self.depth = depth;
        if !line.is_empty() {
            self.line = line;
        }
    }

    /// Keeps the last score between bounds of a better search that was interrupted.
    fn stay_within(&mut self, (low, high): (f64, f64)) {
        let discs = self.discs().clamp(low, high);
        self.scores = [Some(discs); 2];
    }

    /// What the move seems to be worth.
    fn discs(&self) -> f64 {
        let discs = match self.scores {
            [Some(even), Some(odd)] => f64::midpoint(even, odd),
            [even, odd] => even.or(odd).unwrap_or(0.0),
        };
        discs.min(self.at_most)
    }
}

/// How many plies less other moves are searched.
const LESS: u32 = 3;
/// The confidence of searches some plies ahead.
const PLIES_LEVEL: u8 = 1;
/// Other moves than the best wait until the position was searched to the end with this confidence.
const OTHERS: u8 = 2;

/// The plan for a position with so many empty cells: half of the way ply by ply, or to within 14 plies of the
/// end, then all of it.
fn steps(empties: u32, most: u32) -> Vec<Step> {
    let plies = (empties / 2).max(empties.saturating_sub(14)).min(most);
    let ahead = (3..=plies).map(|depth| Step {
        depth,
        level: PLIES_LEVEL,
        is_ending: false,
    });
    let endings = (0..Effort::SURE).filter(|_| most >= empties);
    let endings = endings.map(|level| Step {
        depth: empties,
        level,
        is_ending: true,
    });
    ahead.chain(endings).collect()
}

impl Plies {
    fn new(rules: &Othello<u64>, start: &Position<u64>, midgame: Midgame, limits: Limits) -> Self {
        let moves = rules.moves(start).map(|mv| Searched {
            mv: rules.move_name(mv),
            next: rules.play_unchecked(start, mv),
            scores: [None; 2],
            depth: 0,
            line: vec![rules.move_name(mv)],
            at_most: f64::INFINITY,
        });
        let cells = rules.setup(start).board.cells().len();
        let empties = cells - start.occupied().count_ones();
        Self {
            moves: moves.collect(),
            steps: steps(empties, limits.plies),
            empties,
            rules: rules.clone(),
            start: *start,
            midgame,
            limits,
            step: 0,
            done: 0,
        }
    }

    /// What the book says is as good as a search so far; the moves that it does not name are no better.
    fn consult(&mut self, book: &OpeningBook) {
        let known = book.moves(&self.start);
        let Some(best) = known.first() else { return };
        for searched in &mut self.moves {
            searched.at_most = best.discs.into();
        }
        for (index, found) in known.iter().enumerate() {
            let mv = self.rules.move_name(found.mv);
            let mut moves = self.moves.iter();
            let place = moves.position(|searched| searched.mv == mv);
            self.moves.swap(index, place.expect("the move is legal"));
            let next = self.moves[index].next;
            let line = std::iter::once(found.mv).chain(book.line(&next));
            let line = line.map(|mv| self.rules.move_name(mv)).collect();
            self.moves[index].found(found.discs.into(), found.level, true, line);
        }
        self.steps.retain(|step| step.depth > best.level);
    }

    /// Searches the position after a move; `depth` is counted there.
    fn search(&mut self, index: usize, effort: Effort, is_ending: bool, budget: &Budget) -> bool {
        let searched = &self.moves[index];
        let guess = searched.scores[0].map(|_| -searched.discs());
        let found = self.midgame.estimate(&searched.next, effort, guess, budget);
        let Some(found) = found else {
            return false;
        };
        let line = found.line.into_iter().map(|mv| self.rules.move_name(mv));
        let line = std::iter::once(searched.mv.clone()).chain(line).collect();
        self.moves[index].found(-found.discs, effort.depth + 1, is_ending, line);
        true
    }

    /// The whole position: it finds the best move with least work. False if the budget was spent first.
    fn search_all(&mut self, step: Step, effort: Effort, budget: &Budget) -> bool {
        let guess = self
            .moves
            .iter()
            .map(Searched::discs)
            .max_by(f64::total_cmp);
        let found = self.midgame.estimate(&self.start, effort, guess, budget);
        let Some(found) = found else {
            if step.is_ending {
                self.moves[0].stay_within(self.midgame.last_bounds());
            }
            return false;
        };
        let best = found.line.first().map(|&mv| self.rules.move_name(mv));
        let place = self
            .moves
            .iter()
            .position(|searched| Some(&searched.mv) == best.as_ref());
        self.moves.swap(0, place.unwrap_or(0));
        let line = found.line.iter().map(|&mv| self.rules.move_name(mv));
        let first = &mut self.moves[0];
        first.at_most = f64::INFINITY;
        first.found(found.discs, step.depth, step.is_ending, line.collect());
        let most = first.discs();
        for searched in &mut self.moves[1..] {
            searched.at_most = most;
        }
        self.moves[1..].sort_by(|a, b| b.discs().total_cmp(&a.discs()));
        true
    }
}

impl Estimator for Plies {
    fn name(&self) -> &'static str {
        "ab"
    }

    fn first(&mut self) -> Vec<Opinion> {
        for index in 0..self.moves.len() {
            // What the book names was searched further.
            if self.moves[index].depth > 0 {
                continue;
            }
            for depth in [0, 1] {
                self.search(index, Effort::plies(depth), false, &Budget::unlimited());
            }
        }
        self.opinions()
    }

    fn improve(&mut self, budget: &Budget, _: &mut Random, threads: usize) -> bool {
        let most = self.limits.simulations.unwrap_or(u64::MAX);
        let Some(&step) = self.steps.get(self.step) else {
            return false;
        };
        if self.midgame.nodes() >= most || self.moves.is_empty() {
            return false;
        }
        let effort = Effort {
            depth: step.depth,
            level: step.level,
            threads,
        };
        if self.done == 0 {
            self.done = usize::from(self.search_all(step, effort, budget));
            // The score matters more than that of the other moves.
            if step.is_ending && step.level < OTHERS && self.limits.multi <= 1 && self.done > 0 {
                (self.step, self.done) = (self.step + 1, 0);
            }
            return true;
        }
        while self.done < self.moves.len() {
            let is_full = self.done < self.limits.multi.max(1);
            let depth = match is_full {
                true => step.depth - 1,
                false if step.is_ending => (step.depth / 2).max(1),
                false => step.depth.saturating_sub(1 + LESS).max(1),
            };
            let effort = Effort { depth, ..effort };
            let is_ending = is_full && step.is_ending;
            let is_new = is_ending || self.moves[self.done].depth <= depth;
            if is_new && !self.search(self.done, effort, is_ending, budget) {
                return true;
            }
            self.done += 1;
        }
        self.step += 1;
        self.done = 0;
        self.step < self.steps.len()
    }

    fn begins_again(&self) -> bool {
        true
    }

    /// The prover waits until it is done.
    fn is_settled(&self) -> bool {
        false
    }

    fn opinions(&mut self) -> Vec<Opinion> {
        let count = self.moves.len();
        let opinion = |(index, searched): (usize, &Searched)| Opinion {
            mv: searched.mv.clone(),
            win: winning_chance(searched.discs(), self.empties),
            discs: Some(searched.discs()),
            work: searched.depth.into(),
            line: searched.line.clone(),
            proved: None,
            // Among equal scores the move that the whole search chose is first.
            rank: (count - index) as f64,
        };
        self.moves.iter().enumerate().map(opinion).collect()
    }

    fn work(&mut self) -> u64 {
        self.midgame.nodes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interrupted_searches_correct_the_last_score() {
        let searched = |even, odd| Searched {
            mv: "d3".to_owned(),
            next: Position {
                own: 0,
                opponent: 0,
                to_move: upstar_games::Color::Black,
            },
            scores: [even, odd],
            depth: 12,
            line: Vec::new(),
            at_most: f64::INFINITY,
        };
        for (bounds, discs) in [
            ((-64.0, 64.0), 5.0),
            ((8.0, 64.0), 8.0),
            ((-64.0, 2.0), 2.0),
            ((4.0, 6.0), 5.0),
        ] {
            let mut searched = searched(Some(4.0), Some(6.0));
            searched.stay_within(bounds);
            assert_eq!(searched.discs(), discs);
        }
    }
}
