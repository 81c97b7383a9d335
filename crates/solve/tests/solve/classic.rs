//! The classic solvers against known outcomes, each other, and a plain search with a hash map; and
//! that they keep their budgets.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use upstar_games::{AnyGame, Game, Random, with_game};
use upstar_jobs::Budget;
use upstar_solve::classic::{Algorithm, solve};
use upstar_solve::{Answer, Outcome};

const MEGABYTE: usize = 1 << 20;

fn open(game: &str, start: &str, to_move: char) -> AnyGame {
    let variant = game.parse().expect("the name of a game");
    let start = start.parse().expect("a position");
    AnyGame::open(variant, &start, Some(to_move)).expect("a game")
}

/// What one algorithm says; a move is given by its name.
fn ask(algorithm: Algorithm, game: &AnyGame, memory: usize, budget: &Budget) -> Answer {
    with_game!(
        game,
        |game, start| {
            solve(algorithm, game, start, memory, budget)
                .expect("memory")
                .named(game)
        },
        panic!("a game for two")
    )
}

/// The outcome, from a search that has nothing in common with those that are tested but its idea.
fn truth<G: Game>(
    game: &G,
    position: &G::Position,
    known: &mut HashMap<G::Position, Outcome>,
) -> Outcome {
    if let Some(&outcome) = known.get(position) {
        return outcome;
    }
    let outcome = match game.score(position) {
        Some(score) if score > 0 => Outcome::Win,
        Some(0) => Outcome::Draw,
        Some(_) => Outcome::Loss,
        None => game
            .moves(position)
            .map(|mv| truth(game, &game.play_unchecked(position, mv), known).reversed())
            .max()
            .expect("a game that is not over has moves"),
    };
    known.insert(*position, outcome);
    outcome
}

/// All algorithms, with much memory and with hardly any, find the true outcome and a move that
/// reaches it.
fn check_position<G: Game>(game: &G, position: &G::Position) -> Outcome {
    let mut known = HashMap::new();
    let outcome = truth(game, position, &mut known);
    let shown = || {
        format!(
            "{} {}",
            game.setup(position),
            game.side_to_move(position).letter()
        )
    };
    let mut nodes = HashMap::new();
    for algorithm in Algorithm::ALL {
        for memory in [0, 1000, MEGABYTE] {
            let verdict =
                solve(algorithm, game, position, memory, &Budget::unlimited()).expect("memory");
            let case = || format!("{algorithm} in {memory} bytes: {}", shown());
            assert_eq!(verdict.outcome, Some(outcome), "{}", case());
            match verdict.best {
                None => assert!(game.is_over(position), "{}", case()),
                Some(best) => {
                    let next = game.play(position, best).expect("a legal move");
                    assert_eq!(
                        known.get(&next).copied(),
                        Some(outcome.reversed()),
                        "{}",
                        case()
                    );
                }
            }
            nodes.insert(algorithm, verdict.nodes);
        }
    }
    let nodes = |algorithm| nodes[&algorithm];
    assert_eq!(
        nodes(Algorithm::Negamax),
        nodes(Algorithm::Minimax),
        "two functions visit what one does: {}",
        shown()
    );
    assert!(
        nodes(Algorithm::NegamaxTt) <= nodes(Algorithm::Negamax),
        "a table saves nodes: {}",
        shown()
    );
    outcome
}

fn check(game: &str, start: &str, to_move: char) -> Outcome {
    let game = open(game, start, to_move);
    with_game!(
        &game,
        |game, start| check_position(game, start),
        panic!("a game for two")
    )
}

/// Stones drawn from these letters.
fn stones(letters: &[u8], cells: usize, random: &mut Random) -> String {
    let letter = |_| letters[random.below(letters.len() as u32) as usize] as char;
    (0..cells).map(letter).collect()
}

fn either_side(random: &mut Random) -> char {
    ['x', 'o'][random.below(2) as usize]
}

fn below(bound: usize, random: &mut Random) -> usize {
    random.below(bound as u32) as usize
}

/// Clobber: Albert, Grossman, Nowakowski and Wolfe 2005 and later computations.
#[test]
fn clobber_on_small_boards() {
    let won = ["2x2", "2x4", "2x5", "3x3"];
    let lost = ["2x3", "2x6", "3x4"];
    for side in ['x', 'o'] {
        for start in won {
            assert_eq!(check("clobber", start, side), Outcome::Win, "{start}");
        }
        for start in lost {
            assert_eq!(check("clobber", start, side), Outcome::Loss, "{start}");
        }
    }
}

/// `id`, which remembers nothing, would take long here.
#[test]
fn clobber_4x4() {
    let game = open("clobber", "4x4", 'x');
    let budget = Budget::unlimited().with_nodes(1_000_000);
    for algorithm in Algorithm::ALL {
        let verdict = ask(algorithm, &game, MEGABYTE, &budget);
        let expected = (algorithm != Algorithm::Id).then_some(Outcome::Win);
        assert_eq!(verdict.outcome, expected, "{algorithm}");
    }
}

/// Of the boards xo, xoxo, … the first player loses the third only.
#[test]
fn alternating_rows() {
    for n in 1..=8 {
        let lost = n == 3;
        let expected = if lost { Outcome::Loss } else { Outcome::Win };
        assert_eq!(check("clobber", &"xo".repeat(n), 'x'), expected, "(xo)^{n}");
    }
}

#[test]
fn random_rows() {
    let mut random = Random::new(1);
    for _ in 0..150 {
        let cells = 1 + below(14, &mut random);
        let start = stones(b"xxxooo.", cells, &mut random);
        check("clobber", &start, either_side(&mut random));
    }
}

#[test]
fn random_grids_with_holes() {
    let mut random = Random::new(2);
    for _ in 0..150 {
        let (rows, cols) = [(2, 3), (3, 2), (3, 3), (2, 6), (3, 4), (4, 3)][below(6, &mut random)];
        let row = |_| stones(b"xxxxoooo.#", cols, &mut random);
        let start = (0..rows).map(row).collect::<Vec<_>>().join("|");
        check("clobber", &start, either_side(&mut random));
    }
}

/// Trees with a few more edges.
#[test]
fn random_graphs() {
    let mut random = Random::new(3);
    for _ in 0..60 {
        let vertices = 2 + below(8, &mut random);
        let names = |stone: (usize, char)| format!("v{}={}", stone.0, stone.1);
        let colors = stones(b"xo", vertices, &mut random);
        let mut words: Vec<String> = colors.chars().enumerate().map(names).collect();
        for to in 1..vertices {
            let from = below(to, &mut random);
            words.push(format!("v{from}-v{to}"));
            if from + 1 < to {
                words.push(format!("v{}-v{to}", to - 1));
            }
        }
        check("clobber", &words.join(","), either_side(&mut random));
    }
}

#[test]
fn random_cannibals() {
    let mut random = Random::new(4);
    for _ in 0..60 {
        let cells = 1 + below(9, &mut random);
        let start = stones(b"xxooo.", cells, &mut random);
        check("clobber:cannibal", &start, either_side(&mut random));
    }
}

/// Othello: exact results of small boards, known from several programs.
#[test]
fn small_othello() {
    for (start, outcome) in [
        ("2x2", Outcome::Draw),
        ("2x4", Outcome::Draw),
        ("2x6", Outcome::Draw),
        ("3x3", Outcome::Loss),
        ("3x4", Outcome::Win),
        ("4x4", Outcome::Loss),
    ] {
        assert_eq!(check("othello", start, 'x'), outcome, "{start}");
    }
    assert_eq!(check("othello:anti", "3x3", 'x'), Outcome::Win);
}

#[test]
fn random_othello_and_reversi() {
    let mut random = Random::new(5);
    let mut seen = BTreeMap::new();
    for _ in 0..60 {
        let discs: Vec<String> = (0..4).map(|_| stones(b"xxooo.", 4, &mut random)).collect();
        let start = discs.join("|");
        let outcome = check("othello", &start, either_side(&mut random));
        *seen.entry(outcome).or_insert(0) += 1;
        let start = stones(b"xo.", 3, &mut random) + "|xo.|" + &stones(b"xo", 3, &mut random);
        check("othello:reversi", &start, either_side(&mut random));
    }
    assert!(seen.len() == 3, "wins, draws and losses: {seen:?}");
}

#[test]
fn nodes_that_can_be_counted_by_hand() {
    let unlimited = Budget::unlimited();
    for algorithm in Algorithm::ALL {
        let over = ask(algorithm, &open("clobber", "xx.o", 'x'), 0, &unlimited);
        assert_eq!((over.nodes, over.best), (1, None), "{algorithm}");
        let one = ask(algorithm, &open("clobber", "xo", 'o'), 0, &unlimited);
        assert_eq!(
            (one.nodes, one.best.as_deref()),
            (2, Some("b1a1")),
            "{algorithm}"
        );
    }
}

#[test]
fn a_budget_of_nodes_is_kept_exactly() {
    let game = open("clobber", "xoxoxoxoxo", 'x');
    for algorithm in Algorithm::ALL {
        let ask = |nodes| {
            ask(
                algorithm,
                &game,
                MEGABYTE,
                &Budget::unlimited().with_nodes(nodes),
            )
        };
        let free = ask(u64::MAX);
        assert_eq!(ask(free.nodes), free, "{algorithm}");
        for nodes in [0, 1, 10, free.nodes - 1] {
            let spent = Answer {
                outcome: None,
                best: None,
                nodes,
                proved: false,
                ..free.clone()
            };
            assert_eq!(ask(nodes), spent, "{algorithm}");
        }
    }
}

#[test]
fn a_budget_of_time_is_kept() {
    let games = [
        open("clobber", "6x6", 'x'),
        open("clobber:cannibal", "8x16", 'o'),
        open("othello", "8x8", 'x'),
    ];
    for (algorithm, game) in Algorithm::ALL
        .into_iter()
        .flat_map(|algorithm| games.iter().map(move |game| (algorithm, game)))
    {
        let start = Instant::now();
        let budget = Budget::unlimited().with_time(Duration::from_millis(20));
        let verdict = ask(algorithm, game, 64 * MEGABYTE, &budget);
        assert_eq!(verdict.outcome, None, "{algorithm}");
        assert!(verdict.nodes > 0, "{algorithm}");
        assert!(start.elapsed() < Duration::from_secs(1), "{algorithm}");

        let stopped = Budget::unlimited();
        stopped.stop_flag().store(true, Ordering::Relaxed);
        assert_eq!(ask(algorithm, game, 0, &stopped).nodes, 0, "{algorithm}");
    }
}

/// The longest games on the largest boards, on half the stack that a thread usually has.
#[test]
fn the_stack_is_deep_enough() {
    let search = || {
        let budget = Budget::unlimited().with_nodes(20_000);
        for game in [
            open("clobber", "1x128", 'x'),
            open("clobber", "8x16", 'x'),
            open("clobber:cannibal", "8x16", 'x'),
            open("othello", "8x16", 'x'),
            open("othello:reversi", "8x16", 'x'),
        ] {
            for algorithm in Algorithm::ALL {
                ask(algorithm, &game, MEGABYTE, &budget);
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(MEGABYTE);
    thread
        .spawn(search)
        .expect("a thread")
        .join()
        .expect("no panic");
}
