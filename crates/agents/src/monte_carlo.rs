//! Flat Monte Carlo: the move that wins most of its random games (leiden2018, section 4.3).

use std::time::Instant;

use upstar_games::{Game, Random, Tally};

use crate::agent::{Agent, Choice, Evaluation, Fault, Turn};
use crate::options::Limit;
use crate::simple::NOT_OVER;

/// Which of several equally good moves is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The first in the order of moves.
    #[default]
    First,
    /// Any, each equally likely.
    Random,
}

/// Plays random games after each move, equally many, and the move with most points: 1 for a win and
/// ½ for a draw.
pub struct MonteCarlo<G> {
    game: G,
    limit: Limit,
    ties: Ties,
}

/// The random games for each move between two looks at the clock.
const ROUND: u64 = 256;

impl<G: Game + Clone> MonteCarlo<G> {
    /// A player with this limit; a number is that of the playouts for each move.
    pub fn new(game: &G, limit: Limit, ties: Ties) -> Self {
        Self {
            game: game.clone(),
            limit,
            ties,
        }
    }
}

impl<G: Game> Agent<G> for MonteCarlo<G> {
    fn choose(
        &mut self,
        turn: &Turn<'_, G>,
        random: &mut Random,
    ) -> Result<Choice<G::Move>, Fault> {
        let begun = Instant::now();
        let moves: Vec<G::Move> = self.game.moves(turn.position).collect();
        let after = moves
            .iter()
            .map(|&mv| self.game.play_unchecked(turn.position, mv));
        let after: Vec<G::Position> = after.collect();
        let mut tallies = vec![Tally::default(); moves.len()];
        let (mut each, mut effort) = (0, 0);
        // Whole rounds only, so that every move has equally many games; the first one always.
        loop {
            let round = match self.limit {
                Limit::Count(all) => ROUND.min(all - each),
                // Short at first, so that little time is exceeded.
                Limit::Time(_) => ROUND.min(8 + each),
            };
            let mut played = Vec::with_capacity(moves.len());
            for position in &after {
                played.push(self.game.playouts(position, round, random));
                effort += round;
                if each > 0 && self.is_over(begun, turn, effort) {
                    break;
                }
            }
            if played.len() < moves.len() {
                break;
            }
            for (tally, more) in tallies.iter_mut().zip(&played) {
                tally.merge(more);
            }
            each += round;
            if self.limit == Limit::Count(each) || self.is_over(begun, turn, effort) {
                break;
            }
        }
        // The other side is to move after a move, so its losses are wins.
        let points = |tally: &Tally| 2 * tally.losses + tally.draws;
        let most = tallies.iter().map(points).max().expect(NOT_OVER);
        let best: Vec<usize> = (0..moves.len())
            .filter(|&i| points(&tallies[i]) == most)
            .collect();
        let best = match self.ties {
            Ties::First => best[0],
            Ties::Random => best[random.below(best.len() as u32) as usize],
        };
        Ok(Choice {
            mv: moves[best],
            evaluation: Some(Evaluation::Expected(most as f64 / each as f64 - 1.0)),
            effort,
            remark: None,
        })
    }
}

impl<G: Game> MonteCarlo<G> {
    fn is_over(&self, begun: Instant, turn: &Turn<'_, G>, effort: u64) -> bool {
        let timed = matches!(self.limit, Limit::Time(time) if begun.elapsed() >= time);
        timed || turn.budget.is_over() || turn.budget.is_spent(effort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use upstar_games::{Clobber, Color, Rules, Setup, clobber};
    use upstar_jobs::Budget;

    fn choice(
        text: &str,
        limit: Limit,
        ties: Ties,
        budget: &Budget,
    ) -> (String, Choice<clobber::Move>) {
        let setup: Setup = text.parse().unwrap();
        let game = Clobber::<u64>::new(setup.board.clone());
        let position = game.position(&setup, Color::Black).unwrap();
        let turn = Turn {
            start: &position,
            moves: &[],
            position: &position,
            budget,
        };
        let mut agent = MonteCarlo::new(&game, limit, ties);
        let choice = agent.choose(&turn, &mut Random::new(5)).unwrap();
        (game.move_name(choice.mv), choice)
    }

    #[test]
    fn finds_the_winning_move_and_counts_playouts() {
        // One of the moves ends the game at once.
        let unlimited = Budget::unlimited();
        let (name, found) = choice("xo.ox", Limit::Count(100), Ties::First, &unlimited);
        assert_eq!(found.effort, 200);
        assert_eq!(found.evaluation, Some(Evaluation::Expected(-1.0)), "{name}");
        let (name, found) = choice("xxo", Limit::Count(100), Ties::First, &unlimited);
        assert_eq!((&name[..], found.effort), ("b1c1", 100));
        assert_eq!(found.evaluation, Some(Evaluation::Expected(1.0)));
    }

    #[test]
    fn ties_are_broken_as_asked() {
        let unlimited = Budget::unlimited();
        let name = |ties| choice("xo.xo.xo", Limit::Count(10), ties, &unlimited).0;
        assert_eq!(name(Ties::First), "a1b1");
        assert_ne!(name(Ties::Random), "a1b1");
    }

    #[test]
    fn time_and_budget_end_it() {
        let long = Limit::Time(Duration::from_millis(30));
        let begun = Instant::now();
        let unlimited = Budget::unlimited();
        let (_, found) = choice("xoxox|oxoxo|xoxox", long, Ties::First, &unlimited);
        assert!(begun.elapsed() < Duration::from_secs(5));
        assert_eq!(found.effort % 8, 0);
        let stopped = Budget::unlimited();
        stopped
            .stop_flag()
            .store(true, std::sync::atomic::Ordering::Relaxed);
        let (_, found) = choice("xoxox|oxoxo", Limit::Count(1 << 30), Ties::First, &stopped);
        assert_eq!(found.effort, 13 * ROUND);
    }
}
