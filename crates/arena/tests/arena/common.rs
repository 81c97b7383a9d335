//! Boards and players of the tests.

use std::thread;
use std::time::Duration;

use upstar_agents::{Agent, Choice, Evaluation, Fault, PickFirst, RandomMover, Turn};
use upstar_arena::{Contestant, Match, Openings, Place, Players, TimeControl};
use upstar_games::{Clobber, Color, Game, Position, Random, Rules, Variant, clobber, random_move};

pub(crate) type Board = (Clobber<u64>, Position<u64>);

pub(crate) fn board(size: &str) -> Board {
    let grid = size.parse().unwrap();
    let game = Clobber::new(grid);
    let start = game
        .position(&clobber::checkerboard(grid), Color::Black)
        .unwrap();
    (game, start)
}

/// The position where games on this board begin.
pub(crate) fn text((game, start): &Board) -> String {
    game.setup(start).to_string()
}

/// Where matches on this board are played; its position as text, or its size.
pub(crate) fn place<'a>((game, start): &'a Board, position: &'a str) -> Place<'a, Clobber<u64>> {
    Place {
        game,
        start,
        variant: Variant::Clobber,
        position,
    }
}

/// A player who knows its game: plays at random, but now and then the move that leaves the fewest
/// moves, and says what it thinks of it.
pub(crate) struct Dabbler<G>(pub(crate) G);

impl<G: Game> Agent<G> for Dabbler<G> {
    fn choose(
        &mut self,
        turn: &Turn<'_, G>,
        random: &mut Random,
    ) -> Result<Choice<G::Move>, Fault> {
        let game = &self.0;
        let moves = game.moves(turn.position);
        let best =
            moves.min_by_key(|&mv| game.count_moves(&game.play_unchecked(turn.position, mv)));
        let any = random_move(game, turn.position, random);
        let mv = if random.below(2) == 0 { any } else { best };
        Ok(Choice {
            evaluation: Some(Evaluation::Expected(random.unit() * 2.0 - 1.0)),
            effort: 3,
            ..Choice::of(mv.unwrap())
        })
    }
}

/// A player who needs this long for a move.
pub(crate) struct Sleeper<G>(pub(crate) G, pub(crate) Duration);

impl<G: Game> Agent<G> for Sleeper<G> {
    fn choose(
        &mut self,
        turn: &Turn<'_, G>,
        random: &mut Random,
    ) -> Result<Choice<G::Move>, Fault> {
        thread::sleep(self.1);
        let mv = random_move(&self.0, turn.position, random);
        Ok(Choice::of(mv.unwrap()))
    }
}

/// Players of these words, for the tests' boards.
pub(crate) struct Words<'a>(pub(crate) &'a Clobber<u64>, pub(crate) Vec<&'static str>);

impl Players<Clobber<u64>> for Words<'_> {
    fn player(&self, which: usize) -> Result<Box<dyn Agent<Clobber<u64>>>, String> {
        let game = self.0.clone();
        Ok(match self.1[which] {
            "random" => Box::new(RandomMover(game)),
            "pick-first" => Box::new(PickFirst(game)),
            "dabbler" => Box::new(Dabbler(game)),
            other => return Err(format!("there is no {other}")),
        })
    }
}

/// A match of these words.
pub(crate) fn match_of(specs: [&str; 2], games: u64) -> Match {
    Match {
        players: Contestant::two(specs[0], specs[1]),
        games,
        swap: true,
        openings: Openings::None,
        sprt: None,
        seed: 7,
        threads: 1,
        time: TimeControl::NONE,
    }
}
