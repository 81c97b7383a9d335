//! The perfect player, as far as its limit goes: what is proved it plays, and what is not it leaves to
//! tree search, and says so.

use std::time::{Duration, Instant};

use upstar_games::Random;
use upstar_solve::{Budget, Outcome, Verdict};

use crate::agent::{Agent, Choice, Evaluation, Fault, Turn};
use crate::options::Limit;
use crate::playable::Playable;
use crate::prover::Prover;
use crate::resources::Resources;
use crate::simple::NOT_OVER;
use crate::uct::{Mcts, Uct, opinion};
use crate::word::WordError;

/// A player that proves the result before it moves. Its solver remembers what it has found from move to
/// move.
///
/// A won game is won, a drawn one drawn. In a lost one it plays what tree search likes best, to make
/// it hard for an opponent who does not see everything.
pub struct SolverAgent<G: Playable> {
    limit: Option<Limit>,
    prover: Box<dyn Prover<G>>,
    search: Uct<G>,
}

/// So many positions are tried before anything else: most endings need fewer.
const FIRST: u64 = 1 << 14;
/// The first slice of a search that has a time.
const SLICE: u64 = 128;
/// The simulations for a move without proof, or a lost one.
const SIMULATIONS: u64 = 10_000;

impl<G: Playable> SolverAgent<G> {
    /// A player with this limit for each move; without one it goes on to the end.
    ///
    /// # Errors
    /// If there is no room for the solver, or its tables cannot be read.
    pub fn new(game: &G, limit: Option<Limit>, resources: &Resources) -> Result<Self, WordError> {
        let options = Mcts {
            memory: 32 << 20,
            ..Mcts::new(Limit::Count(SIMULATIONS))
        };
        Ok(Self {
            limit,
            prover: game.prover(resources, resources.memory)?,
            search: Uct::new(game, &options, resources)?,
        })
    }

    /// Proves the position with at most so many nodes and until this time.
    fn prove(
        &mut self,
        position: &G::Position,
        most: u64,
        deadline: Option<Instant>,
        budget: &Budget,
    ) -> Verdict<G::Move> {
        // Without a time of its own there is nothing to look at in between.
        let Some(deadline) = deadline else {
            return self.prover.prove(position, most, budget);
        };
        // The budget has a clock that is not ours to set, so the search goes on in slices. What one slice
        // has found the solver's table tells the next.
        let begun = Instant::now();
        let (mut spent, mut slice) = (0, SLICE);
        loop {
            let mut verdict = self.prover.prove(position, slice.min(most - spent), budget);
            spent += verdict.nodes.max(1);
            verdict.nodes = spent;
            let now = Instant::now();
            if verdict.outcome.is_some() || now >= deadline || spent >= most || budget.is_over() {
                return verdict;
            }
            // Twice as many as so far, but not for longer than there is time.
            let each = (now - begun).as_secs_f64() / spent as f64;
            let left = (deadline - now).as_secs_f64() / each;
            slice = (2 * spent).min(left as u64).max(SLICE);
        }
    }

    /// What tree search would play, in the time that is left.
    fn guess(
        &mut self,
        turn: &Turn<'_, G>,
        deadline: Option<Instant>,
        random: &mut Random,
    ) -> Choice<G::Move> {
        self.search.begin(turn.position);
        let effort = self
            .search
            .run_until(SIMULATIONS, deadline, turn.budget, random);
        let best = self.search.best().expect(NOT_OVER);
        Choice {
            mv: best.mv,
            evaluation: Some(opinion(&best)),
            effort,
            remark: None,
        }
    }
}

impl<G: Playable> Agent<G> for SolverAgent<G> {
    fn choose(
        &mut self,
        turn: &Turn<'_, G>,
        random: &mut Random,
    ) -> Result<Choice<G::Move>, Fault> {
        let begun = Instant::now();
        let (most, time) = match self.limit {
            None => (u64::MAX, None),
            Some(Limit::Count(most)) => (most, None),
            Some(Limit::Time(time)) => (u64::MAX, Some(time)),
        };
        let at = |time: Duration| begun.checked_add(time);
        let deadline = time.and_then(at);
        let mut verdict = self.prove(turn.position, most.min(FIRST), deadline, turn.budget);
        let mut guess = None;
        if !matches!(verdict.outcome, Some(Outcome::Win | Outcome::Draw)) {
            // The guess comes before the long search: afterwards there may be no time.
            let tenth = time.and_then(|time| at(time / 10));
            guess = Some(self.guess(turn, tenth, random));
        }
        if verdict.outcome.is_none() {
            let first = verdict.nodes;
            if most > first {
                verdict = self.prove(turn.position, most - first, deadline, turn.budget);
                verdict.nodes += first;
            }
        }
        let guessed = guess.as_ref().map_or(0, |guess| guess.effort);
        let effort = verdict.nodes + guessed;
        let choice = match (verdict.outcome, guess) {
            (Some(outcome), None) => Choice {
                mv: verdict.best.expect(NOT_OVER),
                evaluation: Some(Evaluation::Proved(outcome)),
                effort,
                remark: None,
            },
            (Some(Outcome::Loss), Some(guess)) => Choice {
                evaluation: Some(Evaluation::Proved(Outcome::Loss)),
                effort,
                ..guess
            },
            (Some(outcome), Some(_)) => Choice {
                mv: verdict.best.expect(NOT_OVER),
                evaluation: Some(Evaluation::Proved(outcome)),
                effort,
                remark: None,
            },
            (None, Some(guess)) => Choice {
                effort,
                remark: Some(format!(
                    "not proved after {} positions; the move is that of {} simulations",
                    verdict.nodes, guess.effort
                )),
                ..guess
            },
            (None, None) => unreachable!("what is not proved is guessed"),
        };
        Ok(choice)
    }
}
