//! The programs at the table: the agents of both sides, one that gives hints, and a solver that judges
//! every move. All of them can be told to stop.

use std::time::Instant;

use upstar_agents::{Agent, Choice, Fault, Playable, Prover, Resources, Turn, Word, WordError};
use upstar_arena::{Clocks, TimeControl, generators};
use upstar_games::{Color, Random};
use upstar_jobs::Budget;
use upstar_solve::Outcome;

use super::table::{Answer, Question, Table};

/// All programs that have to do with a game.
pub(super) struct Programs<G: Playable> {
    game: G,
    resources: Resources,
    /// None where somebody plays by hand.
    agents: [Option<Box<dyn Agent<G>>>; 2],
    random: [Random; 2],
    seed: u64,
    adviser: Option<Box<dyn Agent<G>>>,
    prover: Option<Box<dyn Prover<G>>>,
    time: TimeControl,
    clocks: Clocks,
}

/// How long a hint takes.
const HINT: &str = "1s";
/// So many positions are tried for each move before any move gets more.
const FIRST: u64 = 1 << 12;

/// A strong opponent that takes about so long for a move: perfect where that is possible.
pub(super) fn strong<G: Playable>(game: &G, start: &G::Position, time: &str) -> Word {
    // With so much left the first moves are proved in this time, or else those soon after.
    let small = if G::HAS_DISCS { 20 } else { 30 };
    let word = if game.left(start) <= small {
        format!("solver:{time}")
    } else {
        format!("mcts:{time}")
    };
    word.parse().expect("it is a word")
}

impl<G: Playable> Programs<G> {
    /// The agents of a table.
    pub(super) fn new(
        table: &Table<G>,
        resources: &Resources,
        seed: u64,
        time: TimeControl,
    ) -> Result<Self, WordError> {
        let agent = |side: Color| match table.word(side) {
            Word::Human => Ok(None),
            word => word.agent(&table.game, resources).map(Some),
        };
        Ok(Self {
            game: table.game.clone(),
            resources: resources.clone(),
            agents: [agent(Color::Black)?, agent(Color::White)?],
            random: generators(seed, 0),
            seed,
            adviser: None,
            prover: None,
            time,
            clocks: Clocks::new(time),
        })
    }

    /// The game with this number begins.
    pub(super) fn renew(&mut self, index: u64) {
        self.random = generators(self.seed, index);
        self.clocks = Clocks::new(self.time);
    }

    /// The players change sides.
    pub(super) fn swap(&mut self) {
        self.agents.swap(0, 1);
    }

    /// Asks the agent whose turn it is.
    ///
    /// # Panics
    /// If it is nobody's.
    pub(super) fn choose(&mut self, asked: &Question<G>, budget: &Budget) -> Answer<G::Move> {
        let side = self.game.to_move(&asked.position);
        let plies_left = self.game.plies_left(&asked.position);
        let budget = match self.clocks.allotment(side, plies_left) {
            Some(time) => &budget.clone().with_time(time),
            None => budget,
        };
        let begun = Instant::now();
        let agent = self.agents[side.index()].as_mut();
        let agent = agent.expect("a program is asked only when it is its turn");
        let chosen = agent.choose(&turn(asked, budget), &mut self.random[side.index()]);
        let used = begun.elapsed();
        Answer {
            chosen,
            used,
            too_late: !self.clocks.spend(side, used),
        }
    }

    /// What a quick and strong agent would play. It has a generator of its own, so that hints change
    /// nothing in the game.
    pub(super) fn hint(
        &mut self,
        asked: &Question<G>,
        budget: &Budget,
    ) -> Result<Choice<G::Move>, Fault> {
        if self.adviser.is_none() {
            let word = strong(&self.game, &asked.start, HINT);
            let made = word.agent(&self.game, &self.resources);
            self.adviser = Some(made.map_err(|WordError(text)| Fault(text))?);
        }
        let adviser = self.adviser.as_mut().expect("it was just made");
        adviser.choose(&turn(asked, budget), &mut Random::new(self.seed))
    }

    /// Proves the result of every move for the side that makes it, easy ones first, until all are
    /// proved or the budget is spent. Each is told as soon as it is known.
    pub(super) fn judge(
        &mut self,
        position: &G::Position,
        budget: &Budget,
        told: &mut dyn FnMut(G::Move, Outcome),
    ) -> Result<(), WordError> {
        if self.prover.is_none() {
            self.prover = Some(self.game.prover(&self.resources, self.resources.memory)?);
        }
        let prover = self.prover.as_mut().expect("it was just made");
        let mut open: Vec<G::Move> = self.game.moves(position).collect();
        let mut nodes = FIRST;
        while !open.is_empty() && !budget.is_over() {
            open.retain(|&mv| {
                let next = self.game.play_unchecked(position, mv);
                let outcome = match self.game.score(&next) {
                    Some(1..) => Some(Outcome::Win),
                    Some(0) => Some(Outcome::Draw),
                    Some(_) => Some(Outcome::Loss),
                    None if budget.is_over() => None,
                    None => prover.prove(&next, nodes, budget).outcome,
                };
                if let Some(outcome) = outcome {
                    told(mv, outcome.reversed());
                }
                outcome.is_none()
            });
            nodes = nodes.saturating_mul(4);
        }
        Ok(())
    }
}

fn turn<'a, G: Playable>(asked: &'a Question<G>, budget: &'a Budget) -> Turn<'a, G> {
    Turn {
        start: &asked.start,
        moves: &asked.moves,
        position: &asked.position,
        budget,
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::{clobber, othello};
    use super::*;
    use std::sync::atomic::Ordering;
    use upstar_games::Rules;
    use upstar_solve::classic::{self, Algorithm};

    fn programs<G: Playable>(table: &Table<G>) -> Programs<G> {
        Programs::new(table, &Resources::default(), 1, TimeControl::NONE).unwrap()
    }

    /// All moves with their results.
    fn judged<G: Playable>(table: &Table<G>, budget: &Budget) -> Vec<(String, Outcome)> {
        let mut found = Vec::new();
        let mut told = |mv, outcome| found.push((table.game.move_name(mv), outcome));
        let judged = programs(table).judge(table.position(), budget, &mut told);
        judged.unwrap();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }

    fn plainly<G: Playable>(table: &Table<G>) -> Vec<(String, Outcome)> {
        let outcome = |mv: G::Move| {
            let next = table.game.play_unchecked(table.position(), mv);
            let budget = Budget::unlimited();
            let verdict = classic::solve(Algorithm::Negamax, &table.game, &next, 0, &budget);
            let name = table.game.move_name(mv);
            (name, verdict.outcome.unwrap().reversed())
        };
        let mut all: Vec<_> = table.legal().into_iter().map(outcome).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }

    #[test]
    fn every_move_is_judged_as_negamax_does() {
        for position in ["xoxo", "3x3", "2x5", "xo.ox|oxxo."] {
            let table = clobber(position, "human", "human");
            let found = judged(&table, &Budget::unlimited());
            assert_eq!(found, plainly(&table), "{position}");
        }
        let table = othello("xxo.|ooxo|xoo.|xo..", "human", "human");
        assert_eq!(judged(&table, &Budget::unlimited()), plainly(&table));
    }

    #[test]
    fn who_is_told_to_stop_moves_now_and_proves_nothing() {
        let budget = Budget::unlimited();
        budget.stop_flag().store(true, Ordering::Relaxed);
        let mut table = clobber("8x8", "mcts:1000000000", "solver");
        assert_eq!(judged(&table, &budget), []);
        for _ in 0..2 {
            let answer = programs(&table).choose(&table.question(), &budget);
            table.answered(answer);
        }
        assert_eq!(table.plies().len(), 2);
    }

    #[test]
    fn the_clock_of_a_program_runs() {
        let table = clobber("8x8", "mcts:100", "human");
        let seated = |time: &str| {
            let time = time.parse().unwrap();
            Programs::new(&table, &Resources::default(), 1, time).unwrap()
        };
        let mut programs = seated("1h");
        let share = |programs: &Programs<_>, side| programs.clocks.allotment(side, 40);
        let full = share(&programs, Color::Black);
        let answer = programs.choose(&table.question(), &Budget::unlimited());
        assert!(answer.chosen.is_ok() && !answer.too_late);
        assert!(share(&programs, Color::Black) < full);
        assert_eq!(share(&programs, Color::White), full);
        programs.renew(1);
        assert_eq!(share(&programs, Color::Black), full);
        let mut programs = seated("1ms");
        while !programs
            .choose(&table.question(), &Budget::unlimited())
            .too_late
        {}
    }

    #[test]
    fn hints_win() {
        let table = clobber("xoxo", "human", "human");
        let hint = programs(&table).hint(&table.question(), &Budget::unlimited());
        let name = table.game.move_name(hint.unwrap().mv);
        assert_ne!(name, "c1d1", "the only move that loses");
    }
}
