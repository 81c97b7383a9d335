//! The perfect player, as far as its limit goes: what is proved it plays, and what is not it leaves to
//! tree search, and says so.

use std::time::{Duration, Instant};

use upstar_games::Random;
use upstar_jobs::Budget;
use upstar_solve::{Outcome, Prover, memory_for};

use crate::agent::{Agent, Choice, Evaluation, Fault, Turn};
use crate::options::Limit;
use crate::playable::Playable;
use crate::resources::Resources;
use crate::simple::NOT_OVER;
use crate::spec::AgentSpecError;
use crate::uct::{Mcts, Uct, opinion};

/// A player that proves the result before it moves. Its solver remembers what it has found from move to
/// move.
///
/// A won game is won, a drawn one drawn. In a lost one it plays what tree search likes best, to make
/// it hard for an opponent who does not see everything.
///
/// Where time is limited, by its own limit or by the game's clock, seven tenths of it at most go into the
/// proof, and what a proof does not need goes into tree search.
pub struct SolverAgent<G: Playable> {
    game: G,
    limit: Option<Limit>,
    /// For the prover: what it may use, and how much memory.
    resources: Resources,
    memory: usize,
    prover: Box<dyn Prover<G>>,
    /// Whether the prover has seen a position.
    asked: bool,
    search: Uct<G>,
}

/// So many positions are tried before anything else: most endings need fewer.
const FIRST: u64 = 1 << 14;
/// The simulations for a move without proof, or a lost one, where no time is given.
const SIMULATIONS: u64 = 10_000;
/// At which part of the time the first try to prove ends, then the first simulations, then the proof.
const FIRST_PROOF_ENDS: f64 = 0.25;
const FIRST_SIMULATIONS_END: f64 = 0.35;
const PROOF_ENDS: f64 = 0.7;
/// What is kept for the way of the answer, at most; a twentieth of short times.
const MOST_RESERVE: Duration = Duration::from_millis(5);

impl<G: Playable> SolverAgent<G> {
    /// A player with this limit for each move; without one it goes on to the end.
    ///
    /// # Errors
    /// If there is no room for the solver, or its tables cannot be read.
    pub fn new(
        game: &G,
        limit: Option<Limit>,
        resources: &Resources,
    ) -> Result<Self, AgentSpecError> {
        // Enough for the value table that resources usually allow.
        const LEAST: usize = 112 << 20;
        let options = Mcts {
            memory: 32 << 20,
            ..Mcts::new(Limit::Count(SIMULATIONS))
        };
        let enough = match limit {
            Some(Limit::Time(time)) => memory_for(time).max(LEAST),
            _ => usize::MAX,
        };
        let memory = resources.memory.min(enough);
        Ok(Self {
            game: game.clone(),
            limit,
            resources: resources.clone(),
            memory,
            prover: game.prover(resources, memory)?,
            asked: false,
            search: Uct::new(game, &options, resources)?,
        })
    }

    /// What tree search would play by now, after so many simulations.
    fn guess(&self, effort: u64) -> Choice<G::Move> {
        let best = self.search.best().expect(NOT_OVER);
        Choice {
            mv: best.mv,
            evaluation: Some(opinion(&best)),
            effort,
            remark: None,
        }
    }
}

/// The time for one move, from its beginning, and what ends it from outside.
struct Timing<'a> {
    begun: Instant,
    /// None if time does not matter.
    time: Option<Duration>,
    budget: &'a Budget,
}

impl<'a> Timing<'a> {
    fn new(limit: Option<Limit>, budget: &'a Budget) -> Self {
        let own = match limit {
            Some(Limit::Time(time)) => Some(time),
            _ => None,
        };
        let time = own.into_iter().chain(budget.time_left()).min();
        Self {
            begun: Instant::now(),
            time: time.map(|time| time - MOST_RESERVE.min(time / 20)),
            budget,
        }
    }

    /// The budget until this part of the time is over.
    fn until(&self, part: f64) -> Budget {
        match self.time {
            None => self.budget.clone(),
            Some(time) => {
                let left = time.mul_f64(part).saturating_sub(self.begun.elapsed());
                self.budget.within(left)
            }
        }
    }
}

impl<G: Playable> Agent<G> for SolverAgent<G> {
    /// A prover that remembers other positions proves more within its limit, and finds other good moves.
    fn begin_game(&mut self) -> Result<(), Fault> {
        let refused = |error: AgentSpecError| Fault(error.to_string());
        if std::mem::take(&mut self.asked) {
            let prover = self.game.prover(&self.resources, self.memory);
            self.prover = prover.map_err(refused)?;
        }
        self.search.forget().map_err(refused)
    }

    fn choose(
        &mut self,
        turn: &Turn<'_, G>,
        random: &mut Random,
    ) -> Result<Choice<G::Move>, Fault> {
        self.asked = true;
        let timing = Timing::new(self.limit, turn.budget);
        let most = match self.limit {
            Some(Limit::Count(most)) => most,
            _ => u64::MAX,
        };
        let budget = timing.until(FIRST_PROOF_ENDS);
        let mut verdict = self.prover.prove(turn.position, most.min(FIRST), &budget);
        let mut guess = None;
        if !matches!(verdict.outcome, Some(Outcome::Win | Outcome::Draw)) {
            // The guess comes before the long search: afterwards there may be no time.
            self.search.begin(turn.position);
            let budget = timing.until(FIRST_SIMULATIONS_END);
            guess = Some(self.search.run(SIMULATIONS, &budget, random));
        }
        if verdict.outcome.is_none() && most > verdict.nodes {
            let (first, budget) = (verdict.nodes, timing.until(PROOF_ENDS));
            if !budget.is_over() {
                verdict = self.prover.prove(turn.position, most - first, &budget);
                verdict.nodes += first;
            }
        }
        if verdict.outcome.is_none()
            && timing.time.is_some()
            && let Some(effort) = &mut guess
        {
            let budget = timing.until(1.0);
            if !budget.is_over() {
                *effort += self.search.run(u64::MAX, &budget, random);
            }
        }
        let guess = guess.map(|effort| self.guess(effort));
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
