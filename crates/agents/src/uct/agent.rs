//! Monte Carlo tree search as a player.

use upstar_games::Random;

use super::{Mcts, MoveStatistics, Uct};
use crate::agent::{Agent, Choice, Evaluation, Fault, Turn};
use crate::options::Limit;
use crate::playable::Playable;
use crate::resources::Resources;
use crate::simple::NOT_OVER;
use crate::spec::AgentSpecError;
use crate::trail::Trail;

/// A player that searches before every move.
pub struct MctsAgent<G: Playable> {
    game: G,
    options: Mcts,
    search: Uct<G>,
    trail: Trail<G>,
}

/// Visits are counted with 32 bits.
const MOST_PONDERED: u64 = 1 << 30;

impl<G: Playable> MctsAgent<G> {
    /// A player with these options.
    ///
    /// # Errors
    /// If exact results are wanted and there is no room for a solver.
    pub fn new(game: &G, options: &Mcts, resources: &Resources) -> Result<Self, AgentSpecError> {
        Ok(Self {
            game: game.clone(),
            options: options.clone(),
            search: Uct::new(game, options, resources)?,
            trail: Trail::new(),
        })
    }

    /// The search as the last choice left it.
    #[must_use]
    pub fn search(&self) -> &Uct<G> {
        &self.search
    }

    /// Brings the tree to this turn's position, with what it knows of it if that is wanted.
    fn follow(&mut self, turn: &Turn<'_, G>) {
        let since = self.trail.since(turn);
        let kept = since.is_some_and(|moves| moves.iter().all(|&mv| self.search.advance(mv)));
        if !kept || self.search.position() != Some(turn.position) {
            self.search.begin(turn.position);
        }
    }
}

impl<G: Playable> Agent<G> for MctsAgent<G> {
    fn begin_game(&mut self) -> Result<(), Fault> {
        self.trail.forget();
        self.search
            .forget()
            .map_err(|error| Fault(error.to_string()))
    }

    /// A forced move is played at once.
    fn choose(
        &mut self,
        turn: &Turn<'_, G>,
        random: &mut Random,
    ) -> Result<Choice<G::Move>, Fault> {
        let mut moves = self.game.moves(turn.position);
        if let (Some(only), None) = (moves.next(), moves.next()) {
            return Ok(Choice::of(only));
        }
        drop(moves);
        self.follow(turn);
        let mut budget = turn.budget.clone();
        let simulations = match self.options.limit {
            Limit::Count(simulations) if self.options.each => {
                let moves = self.game.count_moves(turn.position);
                simulations.saturating_mul(moves)
            }
            Limit::Count(simulations) => simulations,
            Limit::Time(time) => {
                budget = budget.within(time);
                u64::MAX
            }
        };
        let effort = self.search.run(simulations, &budget, random);
        if self.options.reuse {
            self.trail.leave(turn);
        }
        let best = self.search.best().expect(NOT_OVER);
        Ok(Choice {
            mv: best.mv,
            evaluation: Some(opinion(&best)),
            effort,
            remark: None,
        })
    }

    /// With `reuse=true`, until its memory is full.
    fn ponder(&mut self, turn: &Turn<'_, G>) {
        if self.options.reuse {
            self.follow(turn);
            let mut random = Random::new(turn.moves.len() as u64);
            self.search.run(MOST_PONDERED, turn.budget, &mut random);
            self.trail.leave(turn);
        }
    }
}

/// What a search thinks of a move.
pub(crate) fn opinion<M>(found: &MoveStatistics<M>) -> Evaluation {
    match found.proved {
        Some(outcome) => Evaluation::Proved(outcome),
        None => Evaluation::Expected(found.mean),
    }
}
