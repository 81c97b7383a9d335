//! What the engine thinks about while NBoard waits: exact near the end, by tree search before.

use std::time::{Duration, Instant};

use upstar_agents::uct::Uct;
use upstar_agents::{Agent, Evaluation, FinalChoice, Limit, Mcts, Resources, Turn, Word};
use upstar_games::othello::Move;
use upstar_games::{Cells, Game as _, Othello, Position, Random, Rules};
use upstar_jobs::Budget;
use upstar_solve::Outcome;
use upstar_solve::othello::Solver;
use upstar_solve::{Question, Unwatched};

use super::game::{self, Game};
use crate::refusal::Refusal;

/// How often a search tells what it knows.
const EVERY: Duration = Duration::from_secs(1);
/// The discs that stand for a won game where there is only a mean result. Proved scores may be higher.
const DISCS: f64 = 32.0;
/// The discs that stand for a result of which only the winner is proved.
const SOME: f64 = 1.0;

/// Somebody who thinks about positions, and remembers.
pub(super) struct Thinker {
    rules: Othello<u64>,
    resources: Resources,
    random: Random,
    /// The agent that was asked for; without one, depth decides.
    agent: Option<Box<dyn Agent<Othello<u64>>>>,
    solver: Option<Solver>,
    search: Option<Uct<Othello<u64>>>,
}

/// What is thought of a move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Thought {
    pub(super) mv: Move,
    /// In discs, for the side that moves.
    pub(super) eval: Option<f64>,
    /// How the game goes on, this move first.
    pub(super) line: Vec<Move>,
    /// `100%` for a proved score, `100%W` for a proved winner, or the depth that was asked for.
    pub(super) depth: String,
    /// The simulations or positions that went into this move.
    pub(super) effort: u64,
    /// The same for all moves together.
    pub(super) nodes: u64,
}

/// The simulations for a depth: about a tenth of a second for 20.
fn simulations(depth: u32) -> u64 {
    200 * u64::from(depth.max(1)).pow(2)
}

/// The empty cells from which on positions are solved.
fn exact_from(depth: u32) -> u32 {
    (10 + depth / 2).min(24)
}

impl Thinker {
    pub(super) fn new(
        rules: &Othello<u64>,
        word: Option<&Word>,
        resources: &Resources,
        seed: u64,
    ) -> Result<Self, Refusal> {
        let agent = word
            .map(|word| word.agent(rules, resources).map_err(Refusal::new))
            .transpose()?;
        Ok(Self {
            rules: rules.clone(),
            resources: resources.clone(),
            random: Random::new(seed),
            agent,
            solver: None,
            search: None,
        })
    }

    /// The move to play. The game must not be over.
    pub(super) fn choose(
        &mut self,
        game: &Game,
        depth: u32,
        budget: &Budget,
    ) -> Result<Thought, Refusal> {
        let mut moves = self.rules.moves(&game.position);
        if let (Some(only), None) = (moves.next(), moves.next()) {
            return Ok(Thought {
                mv: only,
                eval: None,
                line: vec![only],
                depth: depth.to_string(),
                effort: 0,
                nodes: 0,
            });
        }
        drop(moves);
        if let Some(agent) = &mut self.agent {
            let turn = Turn {
                start: &game.start,
                moves: &game.moves,
                position: &game.position,
                budget,
            };
            let choice = agent
                .choose(&turn, &mut self.random)
                .map_err(Refusal::new)?;
            return Ok(Thought {
                mv: choice.mv,
                eval: choice.evaluation.map(discs),
                line: vec![choice.mv],
                depth: depth.to_string(),
                effort: choice.effort,
                nodes: choice.effort,
            });
        }
        let mut best = self.hint(&game.position, 1, depth, budget, &mut |_| {})?;
        if best.is_empty() {
            // Interrupted before anything was proved; some move is wanted all the same.
            best = self.estimates(&game.position, 1, depth, budget, &mut |_| {})?;
        }
        best.into_iter()
            .next()
            .ok_or_else(|| Refusal::new("there is no move"))
    }

    /// The best moves, best first, none if there was no time; tells now and then what they seem to be.
    /// The game must not be over.
    pub(super) fn hint(
        &mut self,
        position: &Position<u64>,
        most: usize,
        depth: u32,
        budget: &Budget,
        tell: &mut dyn FnMut(&[Thought]),
    ) -> Result<Vec<Thought>, Refusal> {
        let empty = 64 - position.occupied().len();
        if empty <= exact_from(depth) {
            let exact = self.exact(position, most, budget)?;
            if !exact.is_empty() || budget.is_over() {
                return Ok(exact);
            }
        }
        self.estimates(position, most, depth, budget, tell)
    }

    /// The value of a position in discs for the side to move.
    pub(super) fn value(
        &mut self,
        position: &Position<u64>,
        depth: u32,
        budget: &Budget,
    ) -> Result<Option<f64>, Refusal> {
        if let Some(score) = self.rules.score(position) {
            return Ok(Some(f64::from(score)));
        }
        let best = self.hint(position, 1, depth, budget, &mut |_| {})?;
        Ok(best.first().and_then(|best| best.eval))
    }

    /// Proved scores of the best moves; as many as the budget allows.
    fn exact(
        &mut self,
        position: &Position<u64>,
        most: usize,
        budget: &Budget,
    ) -> Result<Vec<Thought>, Refusal> {
        let moves: Vec<Move> = self.rules.moves(position).collect();
        let mut thoughts = Vec::new();
        if most <= 1 {
            let solved = self.solve(position, budget)?;
            thoughts.extend(solved.filter(|thought| moves.contains(&thought.mv)));
            return Ok(thoughts);
        }
        for mv in moves {
            let next = self.rules.play_unchecked(position, mv);
            let after = match self.rules.score(&next) {
                Some(score) => Some(Thought {
                    mv,
                    eval: Some(f64::from(score)),
                    line: Vec::new(),
                    depth: "100%".to_owned(),
                    effort: 0,
                    nodes: 0,
                }),
                None => self.solve(&next, budget)?,
            };
            thoughts.extend(after.map(|after| Thought {
                mv,
                eval: after.eval.map(|eval| -eval),
                line: [&[mv], &after.line[..]].concat(),
                ..after
            }));
        }
        thoughts.sort_by(|a, b| b.eval.partial_cmp(&a.eval).expect("scores are numbers"));
        thoughts.truncate(most);
        Ok(thoughts)
    }

    /// The proved score of a position and the best move; `None` if the budget is spent first.
    fn solve(
        &mut self,
        position: &Position<u64>,
        budget: &Budget,
    ) -> Result<Option<Thought>, Refusal> {
        let memory = self.resources.memory;
        let solver = match &mut self.solver {
            Some(solver) => solver,
            none => {
                let room = |error| {
                    let megabytes = memory >> 20;
                    Refusal(format!("there is no room for {megabytes} MB: {error}"))
                };
                none.insert(Solver::new(&self.rules, memory, 1).map_err(room)?)
            }
        };
        let solved = solver.solve(position, Question::Score, budget, &Unwatched);
        let score = solved.score.map(|score| position.to_move.sign() * score);
        Ok(score.zip(solved.best).map(|(score, mv)| Thought {
            mv,
            eval: Some(f64::from(score)),
            line: solved.line,
            depth: "100%".to_owned(),
            effort: solved.nodes,
            nodes: solved.nodes,
        }))
    }

    fn estimates(
        &mut self,
        position: &Position<u64>,
        most: usize,
        depth: u32,
        budget: &Budget,
        tell: &mut dyn FnMut(&[Thought]),
    ) -> Result<Vec<Thought>, Refusal> {
        let search = match &mut self.search {
            Some(search) => search,
            none => {
                let options = Mcts {
                    final_choice: FinalChoice::Visits,
                    ..Mcts::new(Limit::Count(1))
                };
                let search = Uct::new(&self.rules, &options, &self.resources);
                none.insert(search.map_err(Refusal::new)?)
            }
        };
        search.begin(position);
        let all = simulations(depth);
        let mut told = Instant::now();
        loop {
            let rest = all.saturating_sub(search.simulations());
            let slice = budget
                .clone()
                .with_time(EVERY.saturating_sub(told.elapsed()));
            let made = search.run(rest, &slice, &mut self.random);
            if made == 0 || made == rest || budget.is_over() || search.outcome().is_some() {
                break;
            }
            if told.elapsed() >= EVERY {
                tell(&estimated(search, depth, most));
                told = Instant::now();
            }
        }
        Ok(estimated(search, depth, most))
    }
}

/// What a search knows of the best moves.
fn estimated(search: &Uct<Othello<u64>>, depth: u32, most: usize) -> Vec<Thought> {
    let best = search.best().map(|best| best.mv);
    let mut moves = search.moves();
    moves.sort_by_key(|found| (Some(found.mv) != best, std::cmp::Reverse(found.visits)));
    let thought = |found: &upstar_agents::uct::MoveStatistics<Move>| Thought {
        mv: found.mv,
        eval: Some(discs(match found.proved {
            Some(outcome) => Evaluation::Proved(outcome),
            None => Evaluation::Expected(found.mean),
        })),
        line: search.line(found.mv),
        depth: match found.proved {
            Some(_) => "100%W".to_owned(),
            None => depth.to_string(),
        },
        effort: found.visits,
        nodes: search.simulations(),
    };
    let tried = moves
        .iter()
        .filter(|found| found.visits > 0 || found.proved.is_some() || Some(found.mv) == best);
    tried.map(thought).take(most).collect()
}

/// An evaluation in discs.
fn discs(evaluation: Evaluation) -> f64 {
    match evaluation {
        Evaluation::Proved(Outcome::Win) => SOME,
        Evaluation::Proved(Outcome::Draw) => 0.0,
        Evaluation::Proved(Outcome::Loss) => -SOME,
        Evaluation::Expected(mean) => DISCS * mean,
    }
}

impl Thought {
    /// The line in one word, `F5D6C3`.
    pub(super) fn pv(&self, rules: &Othello<u64>) -> String {
        self.line.iter().map(|&mv| game::name(rules, mv)).collect()
    }
}
