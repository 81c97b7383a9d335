//! The programs at a live game: the agents of both sides with their clocks, one that gives hints, and a
//! solver that judges every move. All of them can be told to stop.

use std::time::Instant;

use upstar_agents::{AgentSpec, AgentSpecError, AnyAgent, Choice, Fault, Playable, Resources};
use upstar_arena::{Clocks, TimeControl, generators};
use upstar_games::{AnyGame, Color, Random, with_game};
use upstar_jobs::{Budget, Unwatched};
use upstar_solve::{Outcome, Query, SolveError, Solver};

use crate::live_game::{LiveGame, MoveAnswer};
use crate::seat::GameLine;

/// All programs that have to do with a game.
pub struct Opponents {
    resources: Resources,
    /// `None` for a side that is played by hand.
    agents: [Option<AnyAgent>; 2],
    random: [Random; 2],
    seed: u64,
    adviser: Option<AnyAgent>,
    time: TimeControl,
    clocks: Clocks,
}

/// How long a hint takes.
const HINT: &str = "1s";
/// So many positions are tried for each move before any move gets more.
const FIRST: u64 = 1 << 12;

/// A strong agent that takes about so long for a move: perfect where that is possible.
///
/// # Panics
/// If the text is not a time.
#[must_use]
pub fn strong_agent(start: &AnyGame, time: &str) -> AgentSpec {
    fn is_small<G: Playable>(rules: &G, start: &G::Position) -> bool {
        // With so much left the first moves are proved in this time, or else those soon after.
        rules.left(start) <= if G::HAS_DISCS { 20 } else { 30 }
    }
    let small = with_game!(start, |rules, start| is_small(rules, start), false);
    let spec = if small {
        format!("solver:{time}")
    } else {
        format!("mcts:{time}")
    };
    spec.parse().expect("the time is one")
}

impl Opponents {
    /// The agents of a game.
    ///
    /// # Errors
    /// If one of them cannot be made.
    pub fn new(
        game: &LiveGame,
        resources: &Resources,
        seed: u64,
        time: TimeControl,
    ) -> Result<Self, AgentSpecError> {
        let agent = |side: Color| match game.player(side) {
            AgentSpec::Human => Ok(None),
            spec => AnyAgent::new(spec, game.start(), resources).map(Some),
        };
        Ok(Self {
            resources: resources.clone(),
            agents: [agent(Color::Black)?, agent(Color::White)?],
            random: generators(seed, 0),
            seed,
            adviser: None,
            time,
            clocks: Clocks::new(time),
        })
    }

    /// The game with this number begins: agents forget the last one.
    ///
    /// # Errors
    /// If an agent cannot begin anew.
    pub fn renew(&mut self, index: u64) -> Result<(), Fault> {
        self.random = generators(self.seed, index);
        self.clocks = Clocks::new(self.time);
        let mut agents = self.agents.iter_mut().flatten();
        agents.try_for_each(AnyAgent::begin_game)
    }

    /// The players change sides.
    pub fn swap(&mut self) {
        self.agents.swap(0, 1);
    }

    /// Asks the agent whose turn it is.
    ///
    /// # Panics
    /// If that side is played by hand.
    pub fn choose(&mut self, asked: &GameLine, budget: &Budget) -> MoveAnswer {
        let side = asked.game.side_to_move().color();
        let side = side.expect("the game is for two");
        let budget = match self.clocks.allotment(side, asked.game.plies_left()) {
            Some(time) => &budget.clone().with_time(time),
            None => budget,
        };
        let begun = Instant::now();
        let agent = self.agents[side.index()].as_mut();
        let agent = agent.expect("a program is asked only when it is its turn");
        let random = &mut self.random[side.index()];
        let chosen = agent.choose(&asked.start, &asked.moves, budget, random);
        let used = begun.elapsed();
        MoveAnswer {
            chosen,
            used,
            too_late: !self.clocks.spend(side, used),
        }
    }

    /// What a quick and strong agent would play. It has a generator of its own, so that hints change
    /// nothing in the game.
    ///
    /// # Errors
    /// If it cannot be made or cannot go on.
    pub fn hint(&mut self, asked: &GameLine, budget: &Budget) -> Result<Choice<String>, Fault> {
        if self.adviser.is_none() {
            let spec = strong_agent(&asked.start, HINT);
            let made = AnyAgent::new(&spec, &asked.start, &self.resources);
            self.adviser = Some(made.map_err(|error| Fault(error.to_string()))?);
        }
        let adviser = self.adviser.as_mut().expect("it was just made");
        let random = &mut Random::new(self.seed);
        adviser.choose(&asked.start, &asked.moves, budget, random)
    }

    /// Judges every move with the solver of the resources: see [`judge_moves`].
    ///
    /// # Errors
    /// As for [`judge_moves`].
    pub fn judge(
        &self,
        game: &AnyGame,
        budget: &Budget,
        told: &mut dyn FnMut(&str, Outcome),
    ) -> Result<(), SolveError> {
        judge_moves(
            &self.resources.solver,
            game,
            self.resources.memory,
            budget,
            told,
        )
    }
}

/// Proves the result of every move for the side that makes it, easy ones first, until all are proved or
/// the budget is spent. Each is told as soon as it is known.
///
/// # Errors
/// If the game does not have two sides, there is no memory, or a value table cannot be used.
pub fn judge_moves(
    solver: &Solver,
    game: &AnyGame,
    memory: usize,
    budget: &Budget,
    told: &mut dyn FnMut(&str, Outcome),
) -> Result<(), SolveError> {
    let query = Query {
        memory: Some(memory),
        ..Query::winner()
    };
    let mover = game.side_to_move();
    let mut open = game.legal();
    let mut nodes = FIRST;
    while !open.is_empty() && !budget.is_over() {
        let mut still_open = Vec::new();
        for mv in open {
            let next = game.play(&mv).expect("the move is legal");
            let outcome = match next.result() {
                Some(result) => Some(match result.winner() {
                    Some(side) if side == mover => Outcome::Win,
                    Some(_) => Outcome::Loss,
                    None => Outcome::Draw,
                }),
                None if budget.is_over() => None,
                None => {
                    let limited = budget.clone().with_nodes(nodes);
                    let answer = solver.solve(&next, &query, &limited, &Unwatched)?;
                    answer.outcome.map(Outcome::reversed)
                }
            };
            match outcome {
                Some(outcome) => told(&mv, outcome),
                None => still_open.push(mv),
            }
        }
        open = still_open;
        nodes = nodes.saturating_mul(4);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use upstar_solve::Algorithm;
    use upstar_solve::classic;

    fn live(game: &str, position: &str, black: &str, white: &str) -> LiveGame {
        let seats = [black, white].map(|spec| spec.parse().unwrap());
        LiveGame::new(AnyGame::parse(game, position).unwrap(), seats)
    }

    fn opponents(game: &LiveGame, time: TimeControl) -> Opponents {
        Opponents::new(game, &Resources::default(), 1, time).unwrap()
    }

    /// All moves with their results.
    fn judged(game: &LiveGame, budget: &Budget) -> Vec<(String, Outcome)> {
        let mut found = Vec::new();
        let mut told = |mv: &str, outcome| found.push((mv.to_owned(), outcome));
        let judged = opponents(game, TimeControl::NONE).judge(game.game(), budget, &mut told);
        judged.unwrap();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }

    fn plainly(game: &LiveGame) -> Vec<(String, Outcome)> {
        let query = Query {
            algorithm: Some(Algorithm::Classic(classic::Algorithm::Negamax)),
            ..Query::winner()
        };
        let outcome = |mv: String| {
            let next = game.game().play(&mv).unwrap();
            let answer = Solver::default().solve(&next, &query, &Budget::unlimited(), &Unwatched);
            (mv, answer.unwrap().outcome.unwrap().reversed())
        };
        let mut all: Vec<_> = game.legal().into_iter().map(outcome).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }

    #[test]
    fn every_move_is_judged_as_negamax_does() {
        for position in ["xoxo", "3x3", "2x5", "xo.ox|oxxo."] {
            let game = live("clobber", position, "human", "human");
            let found = judged(&game, &Budget::unlimited());
            assert_eq!(found, plainly(&game), "{position}");
        }
        let game = live("othello", "xxo.|ooxo|xoo.|xo..", "human", "human");
        assert_eq!(judged(&game, &Budget::unlimited()), plainly(&game));
    }

    #[test]
    fn who_is_told_to_stop_moves_now_and_proves_nothing() {
        let budget = Budget::unlimited();
        budget.cancel();
        let mut game = live("clobber", "8x8", "mcts:1000000000", "solver");
        assert_eq!(judged(&game, &budget), []);
        for _ in 0..2 {
            let answer = opponents(&game, TimeControl::NONE).choose(&game.line(), &budget);
            game.answered(answer);
        }
        assert_eq!(game.moves().len(), 2);
    }

    #[test]
    fn the_clock_of_a_program_runs() {
        let game = live("clobber", "8x8", "mcts:100", "human");
        let mut programs = opponents(&game, "1h".parse().unwrap());
        let share = |programs: &Opponents, side| programs.clocks.allotment(side, 40);
        let full = share(&programs, Color::Black);
        let answer = programs.choose(&game.line(), &Budget::unlimited());
        assert!(answer.chosen.is_ok() && !answer.too_late);
        assert!(share(&programs, Color::Black) < full);
        assert_eq!(share(&programs, Color::White), full);
        programs.renew(1).unwrap();
        assert_eq!(share(&programs, Color::Black), full);
        let mut programs = opponents(&game, "1ms".parse().unwrap());
        while !programs.choose(&game.line(), &Budget::unlimited()).too_late {}
    }

    #[test]
    fn hints_win() {
        let game = live("clobber", "xoxo", "human", "human");
        let mut programs = opponents(&game, TimeControl::NONE);
        let hint = programs.hint(&game.line(), &Budget::unlimited());
        assert_ne!(hint.unwrap().mv, "c1d1", "the only move that loses");
    }
}
