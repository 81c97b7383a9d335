//! What the tests of runs begin with: boards, opponents, and runs on them.

use std::path::Path;

use upstar_agents::{Agent, Choice, Fault, PickFirst, RandomMover, Turn};
use upstar_games::{Clobber, Color, Grid, Othello, Position, Random, Rules, clobber, othello};
use upstar_train::{Learnable, Run, RunError};

pub(crate) fn clobber(size: &str) -> (Clobber<u64>, Position<u64>) {
    let grid: Grid = size.parse().unwrap();
    let game = Clobber::new(grid);
    let start = game
        .position(&clobber::checkerboard(grid), Color::Black)
        .unwrap();
    (game, start)
}

pub(crate) fn othello(size: &str) -> (Othello<u64>, Position<u64>) {
    let grid: Grid = size.parse().unwrap();
    let game = Othello::new(grid);
    let start = game
        .position(
            &othello::start(grid, othello::Opening::DIAGONAL).unwrap(),
            Color::Black,
        )
        .unwrap();
    (game, start)
}

/// Remembers what it should forget: it plays the move whose number is that of its turns so far.
struct Counter<G>(G, usize);

impl<G: Learnable> Agent<G> for Counter<G> {
    fn begin_game(&mut self) -> Result<(), Fault> {
        self.1 = 0;
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_, G>, _: &mut Random) -> Result<Choice<G::Move>, Fault> {
        let moves: Vec<G::Move> = self.0.moves(turn.position).collect();
        self.1 += 1;
        Ok(Choice::of(moves[self.1 % moves.len()]))
    }
}

pub(crate) fn agent<G: Learnable>(game: &G, spec: &str) -> Result<Box<dyn Agent<G>>, String> {
    match spec {
        "random" => Ok(Box::new(RandomMover(game.clone()))),
        "pick-first" => Ok(Box::new(PickFirst(game.clone()))),
        "counter" => Ok(Box::new(Counter(game.clone(), 0))),
        _ => Err(format!("'{spec}' is not an agent")),
    }
}

pub(crate) fn create<G: Learnable>(
    folder: &Path,
    config: &str,
    (game, start): (G, G::Position),
) -> Result<Run<G>, RunError> {
    let opponents = game.clone();
    Run::create(folder, config, "test.toml", game, start, &mut |spec| {
        agent(&opponents, spec)
    })
}

pub(crate) fn resume<G: Learnable>(
    folder: &Path,
    (game, start): (G, G::Position),
) -> Result<Run<G>, RunError> {
    let opponents = game.clone();
    Run::resume(folder, game, start, &mut |spec| agent(&opponents, spec))
}
