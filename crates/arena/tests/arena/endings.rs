//! How single games end: by the rules, the clock, an illegal move, a fault, or somebody who says stop.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use upstar_agents::{Agent, Choice, Fault, PickFirst, RandomMover, Turn};
use upstar_arena::{Duel, Match, PlayedGame, Reason, TimeControl, Winner, generators};
use upstar_games::{Clobber, Game, Random, Rules};
use upstar_jobs::Budget;

use crate::common::{Board, Dabbler, Sleeper, board, match_of, place};

type Move = <Clobber<u64> as Rules>::Move;

fn play(
    (game, start): &Board,
    time: &str,
    black: &mut dyn Agent<Clobber<u64>>,
    white: &mut dyn Agent<Clobber<u64>>,
) -> Option<PlayedGame<Move>> {
    let budget = Budget::unlimited();
    let duel = Duel {
        game,
        start,
        opening: &[],
        time: time.parse().unwrap(),
        budget: &budget,
        thoughts: true,
    };
    duel.play([black, white], generators(1, 0)).unwrap()
}

#[test]
fn a_game_ends_by_the_rules() {
    let board = board("4x4");
    let game = board.0.clone();
    let played = play(
        &board,
        "none",
        &mut PickFirst(game.clone()),
        &mut Dabbler(game),
    )
    .unwrap();
    assert_eq!(played.ending.reason, Reason::Rules);
    // Who moved last has won.
    let last = if played.moves.len() % 2 == 1 {
        Winner::Black
    } else {
        Winner::White
    };
    assert_eq!(played.ending.winner, last);
    assert_eq!(played.thoughts.len(), played.moves.len());
    assert_eq!(played.thoughts[1].effort, 3);
    assert!(played.thoughts[0].expected.is_none() && played.thoughts[1].expected.is_some());
}

#[test]
fn flags_fall() {
    let board = board("4x4");
    let game = board.0.clone();
    let slow = |ms| Sleeper(game.clone(), Duration::from_millis(ms));
    let fast = || RandomMover(game.clone());
    let ending = |time, black: &mut dyn Agent<_>, white: &mut dyn Agent<_>| {
        let ending = play(&board, time, black, white).unwrap().ending;
        (ending.winner, ending.reason)
    };
    let lost = |winner| (winner, Reason::Time);
    assert_eq!(
        ending("20ms/move", &mut slow(60), &mut fast()),
        lost(Winner::White)
    );
    assert_eq!(
        ending("20ms/move", &mut fast(), &mut slow(60)),
        lost(Winner::Black)
    );
    assert_eq!(
        ending("50ms", &mut fast(), &mut slow(30)),
        lost(Winner::Black)
    );
    // With an increment above what a move takes it can go on for ever.
    let (_, reason) = ending("200ms+300ms", &mut slow(5), &mut slow(5));
    assert_eq!(reason, Reason::Rules);
}

/// Thinks until its budget is spent.
struct Thinker(Clobber<u64>);

impl Agent<Clobber<u64>> for Thinker {
    fn choose(
        &mut self,
        turn: &Turn<'_, Clobber<u64>>,
        _: &mut Random,
    ) -> Result<Choice<Move>, Fault> {
        while !turn.budget.is_over() {
            std::thread::sleep(Duration::from_micros(100));
        }
        Ok(Choice::of(self.0.moves(turn.position).next().unwrap()))
    }
}

#[test]
fn who_heeds_the_budget_keeps_the_time() {
    let board = board("2x3");
    let thinker = || Thinker(board.0.clone());
    for time in ["400ms/move", "1s", "500ms+200ms"] {
        // On a busy machine a thread may wait for its turn too long, but not always.
        let keeps = |_| {
            let played = play(&board, time, &mut thinker(), &mut thinker()).unwrap();
            played.ending.reason == Reason::Rules
        };
        assert!((0..5).any(keeps), "{time}");
    }
}

/// Does something wrong in its second turn.
struct Wrong(Clobber<u64>, bool, usize);

impl Agent<Clobber<u64>> for Wrong {
    fn choose(
        &mut self,
        turn: &Turn<'_, Clobber<u64>>,
        _: &mut Random,
    ) -> Result<Choice<Move>, Fault> {
        self.2 += 1;
        match (self.2, self.1) {
            (1, _) => Ok(Choice::of(self.0.moves(turn.position).next().unwrap())),
            (_, true) => Err(Fault("the engine has left".to_owned())),
            (_, false) => Ok(Choice::of(self.0.move_named("a1d4").unwrap())),
        }
    }
}

#[test]
fn wrong_moves_and_faults_lose() {
    let board = board("4x4");
    let game = &board.0;
    let random = || RandomMover(game.clone());
    let ending = play(
        &board,
        "none",
        &mut Wrong(game.clone(), false, 0),
        &mut random(),
    );
    let ending = ending.unwrap().ending;
    assert_eq!(
        (ending.winner, ending.reason),
        (Winner::White, Reason::Illegal)
    );
    assert_eq!(ending.text.as_deref(), Some("a1d4 is not legal here"));
    let ending = play(
        &board,
        "none",
        &mut random(),
        &mut Wrong(game.clone(), true, 0),
    );
    let ending = ending.unwrap().ending;
    assert_eq!(
        (ending.winner, ending.reason),
        (Winner::Black, Reason::Fault)
    );
    assert_eq!(ending.text.as_deref(), Some("the engine has left"));
}

/// A player who gives up at once.
struct Quitter;

impl<G: Game> Agent<G> for Quitter {
    fn choose(&mut self, _: &Turn<'_, G>, _: &mut Random) -> Result<Choice<G::Move>, Fault> {
        Err(Fault::resignation())
    }
}

#[test]
fn whoever_gives_up_has_resigned() {
    let board = board("4x4");
    let mut random = RandomMover(board.0.clone());
    let played = play(&board, "none", &mut random, &mut Quitter).unwrap();
    assert_eq!(played.moves.len(), 1);
    let ending = played.ending;
    assert_eq!(
        (ending.winner, ending.reason, ending.text),
        (Winner::Black, Reason::Resigned, None)
    );
}

#[test]
fn after_a_fault_the_next_game_has_a_new_agent() {
    let board = board("4x4");
    let (game, _) = &board;
    let place = place(&board, "4x4");
    let made = AtomicUsize::new(0);
    let players = |which: usize| -> Result<Box<dyn Agent<_>>, String> {
        Ok(if which == 0 {
            made.fetch_add(1, Ordering::Relaxed);
            Box::new(Wrong(game.clone(), true, 0))
        } else {
            Box::new(RandomMover(game.clone()))
        })
    };
    let result = match_of(["wrong", "random"], 6);
    let result = result
        .play(&place, &players, &Budget::unlimited(), None, &mut |_| {})
        .unwrap();
    assert_eq!(made.load(Ordering::Relaxed), 6);
    assert_eq!(
        (result.a_forfeits, result.b_forfeits, result.b_wins),
        (6, 0, 6)
    );
    assert_eq!((result.elo, result.elo_low), (None, None));
    assert!(result.elo_high.is_some());
}

#[test]
fn somebody_says_stop() {
    let board = board("8x8");
    let (game, _) = &board;
    let place = place(&board, "8x8");
    let budget = Budget::unlimited();
    let stop = budget.stop_flag();
    let players =
        |_: usize| -> Result<Box<dyn Agent<_>>, String> { Ok(Box::new(Thinker(game.clone()))) };
    let endless = Match {
        threads: 2,
        time: TimeControl::default(),
        ..match_of(["thinker", "thinker"], 10)
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            stop.store(true, Ordering::Relaxed);
        });
        let result = endless
            .play(&place, &players, &budget, None, &mut |_| {})
            .unwrap();
        assert_eq!((result.games, result.complete), (0, false));
        assert_eq!(result.elo, None);
    });
}

#[test]
fn an_agent_that_cannot_be_made_ends_the_match() {
    let board = board("4x4");
    let place = place(&board, "4x4");
    let players =
        |_: usize| -> Result<Box<dyn Agent<Clobber<u64>>>, String> { Err("no memory".to_owned()) };
    let error = match_of(["big", "random"], 10)
        .play(&place, &players, &Budget::unlimited(), None, &mut |_| {})
        .unwrap_err();
    assert_eq!(error.to_string(), "player big: no memory");
}
