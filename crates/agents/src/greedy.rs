//! Plays what looks best right after the move, and looks no further.

use upstar_games::Random;

use crate::agent::{Agent, Choice, Fault, Turn};
use crate::playable::Playable;
use crate::simple::NOT_OVER;
use crate::spec::AgentSpecError;

/// What a greedy player wants to have after its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Greed {
    /// The most discs, less the opponent's.
    Discs,
    /// The most moves, less the opponent's. In Clobber both sides always have equally many: there it is
    /// simply the most moves.
    Moves,
}

/// Plays the move after which it has most of something; the first of several equal ones.
pub struct Greedy<G> {
    game: G,
    greed: Greed,
}

impl<G: Playable> Greedy<G> {
    /// A player with this wish, or the game's usual one: discs in Othello, moves in Clobber.
    ///
    /// # Errors
    /// If the wish makes no sense in this game.
    pub fn new(game: &G, greed: Option<Greed>) -> Result<Self, AgentSpecError> {
        let greed = greed.unwrap_or(G::USUAL_GREED);
        if greed == Greed::Discs && !G::HAS_DISCS {
            let sentence = "every move of Clobber takes one stone, so nobody can be greedy for discs; try greedy:moves";
            return Err(AgentSpecError(sentence.to_owned()));
        }
        Ok(Self {
            game: game.clone(),
            greed,
        })
    }
}

impl<G: Playable> Agent<G> for Greedy<G> {
    fn choose(&mut self, turn: &Turn<'_, G>, _: &mut Random) -> Result<Choice<G::Move>, Fault> {
        let mut best = None;
        let mut effort = 0;
        for mv in self.game.moves(turn.position) {
            let after = self.game.play_unchecked(turn.position, mv);
            let gain = self.game.gain(&after, self.greed);
            effort += 1;
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, mv));
            }
        }
        let (_, mv) = best.expect(NOT_OVER);
        Ok(Choice {
            effort,
            ..Choice::of(mv)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upstar_games::othello::{Opening, start};
    use upstar_games::{Clobber, Color, Game, Othello, Position, Rules, Setup, random_move};
    use upstar_jobs::Budget;

    fn chosen<G: Playable>(game: &G, position: &G::Position, greed: Option<Greed>) -> G::Move {
        let budget = Budget::unlimited();
        let turn = Turn {
            start: position,
            moves: &[],
            position,
            budget: &budget,
        };
        let mut agent = Greedy::new(game, greed).unwrap();
        agent.choose(&turn, &mut Random::new(1)).unwrap().mv
    }

    /// The discs of a side, counted on the board as people see it.
    fn discs(game: &Othello<u64>, position: &Position<u64>, color: Color) -> i32 {
        game.setup(position).stones(color).count_ones() as i32
    }

    #[test]
    fn takes_most_discs_in_othello() {
        let grid = "6x6".parse().unwrap();
        let game = Othello::<u64>::new(grid);
        let mut position = game
            .position(&start(grid, Opening::DIAGONAL).unwrap(), Color::Black)
            .unwrap();
        let mut random = Random::new(3);
        while !game.is_over(&position) {
            let mover = game.to_move(&position);
            let have = |mv| {
                let after = game.play_unchecked(&position, mv);
                discs(&game, &after, mover) - discs(&game, &after, !mover)
            };
            let mv = chosen(&game, &position, None);
            let most = game.moves(&position).map(have).max();
            assert_eq!(Some(have(mv)), most);
            let other = random_move(&game, &position, &mut random).unwrap();
            position = game.play_unchecked(&position, other);
        }
    }

    #[test]
    fn keeps_most_moves_in_clobber() {
        let setup: Setup = "xox|oxo".parse().unwrap();
        let game = Clobber::<u64>::new(setup.board.clone());
        let position = game.position(&setup, Color::Black).unwrap();
        let left = |mv| game.count_moves(&game.play_unchecked(&position, mv));
        let mv = chosen(&game, &position, None);
        assert_eq!(Some(left(mv)), game.moves(&position).map(left).max());
        assert!(Greedy::new(&game, Some(Greed::Discs)).is_err());
    }
}
