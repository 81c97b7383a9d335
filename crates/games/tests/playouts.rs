//! Random play is uniform: the results and lengths of many games against exact probabilities, against
//! play by the rules alone, and against published figures. All seeds are fixed.

mod common;

use std::collections::{BTreeMap, HashMap};

use common::{open, table};
use upstar_games::{
    AnyGame, Clobber, Color, Game, Grid, Othello, Playout, Position, Random, Rules, Tally, plain,
    with_game,
};

/// A deviation of this many standard errors is none of chance: 1 in 150,000.
const LIMIT: f64 = 4.5;

/// How often a game ends with this score for the side to move first, after this many plies.
type Distribution = BTreeMap<(i32, u32), f64>;

/// The exact distribution under uniform play.
fn exact<G: Game>(
    game: &G,
    position: &G::Position,
    known: &mut HashMap<G::Position, Distribution>,
) -> Distribution {
    if let Some(found) = known.get(position) {
        return found.clone();
    }
    let mut found = Distribution::new();
    if let Some(score) = game.score(position) {
        found.insert((score, 0), 1.0);
    }
    let share = 1.0 / game.count_moves(position) as f64;
    for mv in game.moves(position) {
        let after = game.play_unchecked(position, mv);
        for ((score, plies), probability) in exact(game, &after, known) {
            *found.entry((-score, plies + 1)).or_default() += share * probability;
        }
    }
    known.insert(*position, found.clone());
    found
}

/// The deviation of a chi-square sum from its mean in standard errors, by the cube root of Wilson
/// and Hilferty (1931).
fn deviation(chi_square: f64, freedom: f64) -> f64 {
    let spread = 2.0 / (9.0 * freedom);
    ((chi_square / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

/// Observed numbers against expected ones of the same sum. Classes too rare for the test are taken
/// together.
fn check_fit(classes: impl IntoIterator<Item = (u64, f64)>, what: &str) {
    let (mut chi_square, mut freedom) = (0.0, -1.0);
    let mut count = |observed: f64, expected: f64| {
        chi_square += (observed - expected).powi(2) / expected;
        freedom += 1.0;
    };
    let mut rare = (0.0, 0.0);
    for (observed, expected) in classes {
        if expected < 10.0 {
            rare = (rare.0 + observed as f64, rare.1 + expected);
        } else {
            count(observed as f64, expected);
        }
    }
    if rare.1 >= 1.0 {
        count(rare.0, rare.1);
    }
    if freedom > 0.0 {
        let found = deviation(chi_square, freedom);
        assert!(found < LIMIT, "{what}: {found:.1} standard errors");
    }
}

/// Two samples of the same number of games, by one of their properties.
fn check_alike<K: Ord>(first: &[Playout], second: &[Playout], key: fn(&Playout) -> K, what: &str) {
    let mut classes: BTreeMap<K, [f64; 2]> = BTreeMap::new();
    for (index, sample) in [first, second].into_iter().enumerate() {
        for playout in sample {
            classes.entry(key(playout)).or_default()[index] += 1.0;
        }
    }
    let mut chi_square = 0.0;
    let mut freedom = -1.0;
    let mut rare = [0.0; 2];
    let mut count = |[a, b]: [f64; 2]| {
        chi_square += (a - b).powi(2) / (a + b);
        freedom += 1.0;
    };
    for &[a, b] in classes.values() {
        if a + b < 20.0 {
            rare = [rare[0] + a, rare[1] + b];
        } else {
            count([a, b]);
        }
    }
    if rare[0] + rare[1] >= 10.0 {
        count(rare);
    }
    let found = deviation(chi_square, freedom);
    assert!(found < LIMIT, "{what}: {found:.1} standard errors");
}

/// A mean of so many games against an exact one.
fn check_mean(found: f64, expected: f64, variance: f64, games: f64, what: &str) {
    let error = (variance / games).sqrt();
    let off = (found - expected).abs();
    assert!(
        off <= LIMIT * error + 1e-9,
        "{what}: {found} instead of {expected}, with a standard error of {error}"
    );
}

const GAMES: u64 = 200_000;

fn check_single<G: Game>(game: &G, start: &G::Position, exact: &Distribution, what: &str) {
    let mut random = Random::new(1);
    let mut found: BTreeMap<(i32, u32), u64> = BTreeMap::new();
    for _ in 0..GAMES {
        let Playout { score, plies } = game.playout(start, &mut random);
        *found.entry((score, plies)).or_default() += 1;
    }
    let impossible = found.keys().find(|end| !exact.contains_key(end));
    assert_eq!(impossible, None, "{what}: score and length");
    let classes = exact.iter().map(|(end, probability)| {
        let observed = found.get(end).copied().unwrap_or(0);
        (observed, probability * GAMES as f64)
    });
    check_fit(classes, what);
}

fn check_batch<G: Game>(game: &G, start: &G::Position, exact: &Distribution, what: &str) {
    let tally = game.playouts(start, GAMES, &mut Random::new(2));
    assert_eq!(tally.games(), GAMES, "{what}");
    let share = |wanted: fn(i32) -> bool| -> f64 {
        let ends = exact.iter().filter(|((score, _), _)| wanted(*score));
        ends.map(|(_, probability)| probability).sum()
    };
    let expected = [|score| score > 0, |score| score == 0, |score| score < 0].map(share);
    let found = [tally.wins, tally.draws, tally.losses];
    for (&found, expected) in found.iter().zip(expected) {
        let variance = expected * (1.0 - expected);
        let found = found as f64 / GAMES as f64;
        check_mean(found, expected, variance, GAMES as f64, what);
    }
    let moment = |power: i32| -> f64 {
        let plies = |plies: u32| f64::from(plies).powi(power);
        exact.iter().map(|(end, share)| share * plies(end.1)).sum()
    };
    let (mean, square) = (moment(1), moment(2));
    let variance = (square - mean * mean).max(0.0);
    let found = tally.plies as f64 / GAMES as f64;
    check_mean(found, mean, variance, GAMES as f64, what);
}

fn check_exact<G: Game>(game: &G, start: &G::Position, what: &str) {
    let exact = exact(game, start, &mut HashMap::new());
    check_single(game, start, &exact, &format!("{what}, game by game"));
    check_batch(game, start, &exact, &format!("{what}, many games"));
}

fn check(game: &str, start: &str, to_move: Option<char>) {
    with_game!(
        &open(game, start, to_move),
        |rules, position| check_exact(rules, position, &format!("{game} {start}")),
        unreachable!("{game} is no game for two")
    );
}

#[test]
fn clobber_on_grids_is_uniform() {
    check("clobber", "1x9", None);
    check("clobber", "3x3", Some('o'));
    check("clobber", "3x4", None);
    check("clobber", "xxoo|.oxx|xo.o", None);
    check("clobber", "xo#x|oxo.|x#xo", Some('o'));
}

/// One stone alone among many, and cells on both sides of the 64th.
#[test]
fn clobber_on_large_boards_is_uniform() {
    let row = ".".repeat(59) + "xoxxoxoox" + &".".repeat(60);
    check("clobber", &row, None);
    let empty = ".".repeat(9);
    let rows = [
        "x.......o",
        &empty,
        &empty,
        &empty,
        &empty,
        &empty,
        "..xoxx...",
        "...ooxo..",
        "xo.....xo",
    ];
    check("clobber", &rows.join("|"), Some('o'));
}

#[test]
fn clobber_on_graphs_is_uniform() {
    let ring = "a=x,b=o,c=x,d=o,e=x,a-b,b-c,c-d,d-e,a-e";
    check("clobber", ring, None);
    let star = "a=x,b=o,c=o,d=o,e=o,f=o,g=o,h=x,a-b,a-c,a-d,a-e,a-f,a-g,g-h";
    check("clobber", star, Some('o'));
    let petersen = "a=x,b=o,c=x,d=o,e=x,f=o,g=x,h=o,i=x,j=o,a-b,b-c,c-d,d-e,a-e,\
                    a-f,b-g,c-h,d-i,e-j,f-h,h-j,g-j,g-i,f-i";
    check("clobber", petersen, None);
}

#[test]
fn cannibal_clobber_is_uniform() {
    check("clobber:cannibal", "xxo.xo", None);
    check("clobber:cannibal", "2x4", Some('o'));
    check(
        "clobber:cannibal",
        "a=x,b=x,c=o,d=o,a-b,b-c,c-d,a-d,a-c",
        None,
    );
}

#[test]
fn othello_is_uniform() {
    check("othello", "3x4", None);
    check("othello", "random:4x4,seed=1,density=0.5", None);
    check("othello:anti", "random:5x5,seed=2,density=0.7", None);
    check("othello", "random:6x6,seed=3,density=0.8", None);
    check("othello", "random:8x8,seed=4,density=0.9", None);
    check("othello", "random:8x8,seed=5,density=0.9", None);
    check("othello", "random:7x9,seed=6,density=0.88", None);
    check("othello", "random:3x21,seed=7,density=0.9", None);
}

/// Passes, holes, a single row, more than 64 cells.
#[test]
fn othello_on_odd_boards_is_uniform() {
    check("othello", "ooooo.|oxxxx.|oooooo|......", Some('o'));
    check("othello", ".xo#.|#.ox.|oxxo.|.#.x.", Some('x'));
    check("othello", ".xxo.oox.o", None);
    check("othello", "random:8x9,seed=8,density=0.9", None);
}

#[test]
fn reversi_is_uniform() {
    check("othello:reversi", "3x3", None);
    check("othello:reversi", "random:4x4,seed=3,density=0.6", None);
    check("othello:reversi", "random:8x9,seed=4,density=0.92", None);
}

#[test]
fn wide_words_on_small_boards_are_uniform() {
    let grid: Grid = "3x3".parse().unwrap();
    let clobber = upstar_games::clobber::checkerboard(grid);
    let start = Position::<u128>::from_setup(&clobber, Color::Black);
    check_exact(&Clobber::<u128>::new(grid), &start, "Clobber 3x3, wide");
    let AnyGame::Othello64(narrow, start) = open("othello", "random:4x4,seed=1,density=0.5", None)
    else {
        unreachable!("Othello on 16 cells");
    };
    let setup = narrow.setup(&start);
    let start = Position::<u128>::from_setup(&setup, narrow.to_move(&start));
    let wide = Othello::<u128>::new("4x4".parse().unwrap());
    check_exact(&wide, &start, "Othello 4x4, wide");
}

/// `playout` against the rules alone, on boards too large for exact probabilities.
fn check_plain<G: Game>(game: &G, start: &G::Position, games: usize, what: &str) {
    let mut random = Random::new(3);
    let fast: Vec<Playout> = (0..games)
        .map(|_| game.playout(start, &mut random))
        .collect();
    let slow: Vec<Playout> = (0..games)
        .map(|_| plain(game, start, &mut random))
        .collect();
    check_alike(&fast, &slow, |playout| playout.plies, what);
    check_alike(&fast, &slow, |playout| playout.score, what);
}

#[test]
fn lengths_and_scores_are_those_of_play_by_the_rules_alone() {
    for (game, start, games) in [
        ("clobber", "4x4", 200_000),
        ("clobber", "8x8", 20_000),
        ("clobber", "random:9x13,seed=1,density=0.8", 10_000),
        ("clobber:cannibal", "6x6", 10_000),
        ("othello", "4x4", 50_000),
        ("othello", "6x6", 20_000),
        ("othello:anti", "5x9", 20_000),
        ("othello:parallel", "8x8", 20_000),
        ("othello", "9x9", 5_000),
        ("othello:reversi", "6x6", 10_000),
    ] {
        with_game!(
            &open(game, start, None),
            |rules, position| check_plain(rules, position, games, &format!("{game} {start}")),
            unreachable!("{game} is no game for two")
        );
    }
}

/// Percent of games won, lost and drawn by the side to move, and the mean number of plies.
fn figures(tally: &Tally) -> [f64; 4] {
    let percent = |games: u64| 100.0 * games as f64 / tally.games() as f64;
    let plies = tally.plies as f64 / tally.games() as f64;
    [
        percent(tally.wins),
        percent(tally.losses),
        percent(tally.draws),
        plies,
    ]
}

#[test]
fn figures_are_those_published() {
    let games = 10_000;
    for [game, position, printed @ .., uncertainty] in
        table::<7>(include_str!("data/random-play.csv"))
    {
        let tally = with_game!(
            &open(game, position, None),
            |rules, start| rules.playouts(start, games, &mut Random::new(4)),
            unreachable!("{game} is no game for two")
        );
        let uncertainty: f64 = uncertainty.parse().expect("a number");
        for (index, (found, printed)) in figures(&tally).into_iter().zip(printed).enumerate() {
            let Ok(printed) = printed.parse::<f64>() else {
                assert!(printed.is_empty(), "{printed} is no number");
                continue;
            };
            // Lengths vary by less than four plies from game to game.
            let variance = if index < 3 {
                printed * (100.0 - printed)
            } else {
                16.0
            };
            let limit = uncertainty + LIMIT * (variance / games as f64).sqrt();
            assert!(
                (found - printed).abs() <= limit,
                "{game} {position}: {found} instead of {printed}"
            );
        }
    }
}

/// All kinds of boards and rules, at their starts.
const BOARDS: [(&str, &str); 10] = [
    ("clobber", "1x1"),
    ("clobber", "4x5"),
    ("clobber", "xo#x|oxo.|x#xo"),
    ("clobber", "8x16"),
    ("clobber", "a=x,b=o,c=o,d=x,a-b,a-c,a-d,b-c,b-d,c-d"),
    ("clobber:cannibal", "3x3"),
    ("othello", "4x4"),
    ("othello", "8x8"),
    ("othello", "9x9"),
    ("othello:reversi", "5x5"),
];

fn check_counts<G: Game>(game: &G, start: &G::Position) {
    let mut random = Random::new(5);
    assert_eq!(game.playouts(start, 0, &mut random), Tally::default());
    for games in 1..70 {
        let tally = game.playouts(start, games, &mut random);
        assert_eq!(tally.games(), games);
        assert!(tally.plies <= games * u64::from(game.plies_left(start)));
    }
}

#[test]
fn as_many_games_are_played_as_were_asked_for() {
    for (game, start) in BOARDS {
        with_game!(
            &open(game, start, None),
            |rules, position| check_counts(rules, position),
            unreachable!("{game} is no game for two")
        );
    }
}

fn check_seeds<G: Game>(game: &G, start: &G::Position) {
    let run = |seed| {
        let mut random = Random::new(seed);
        let singles: Vec<Playout> = (0..50).map(|_| game.playout(start, &mut random)).collect();
        let tally = game.playouts(start, 500, &mut random);
        (singles, tally, game.playouts(start, 500, &mut random))
    };
    assert_eq!(run(6), run(6));
    let (singles, first, second) = run(6);
    if game.count_moves(start) > 1 {
        assert_ne!(singles, run(7).0, "another seed, the same games");
        assert_ne!(first, second, "the generator stands still");
    }
}

#[test]
fn the_same_seed_plays_the_same_games() {
    for (game, start) in BOARDS {
        with_game!(
            &open(game, start, None),
            |rules, position| check_seeds(rules, position),
            unreachable!("{game} is no game for two")
        );
    }
}

/// Who moves last wins, so the length tells the winner.
#[test]
fn the_length_of_clobber_tells_the_winner() {
    for (game, start) in BOARDS
        .iter()
        .filter(|(game, _)| game.starts_with("clobber"))
    {
        let mut random = Random::new(8);
        let opened = open(game, start, None);
        for _ in 0..200 {
            let Playout { score, plies } = with_game!(
                &opened,
                |rules, position| rules.playout(position, &mut random),
                unreachable!("{game} is no game for two")
            );
            assert_eq!(score, if plies % 2 == 1 { 1 } else { -1 });
        }
    }
}

#[test]
fn a_finished_game_is_over_at_once() {
    for (game, start, score) in [
        ("clobber", "x", -1),
        ("clobber", ".", -1),
        ("clobber", "#", -1),
        ("clobber", "xx.o|x#oo", -1),
        ("clobber", "a=x,b=x,a-b", -1),
        ("clobber:cannibal", "x.o|.x.", -1),
        ("othello", "xx|ox", 2),
        ("othello", "xxo|oo.|...", -1),
        ("othello", "....|....", 0),
        (
            "othello",
            "oo......|........|........|........|........|........|........|........",
            -2,
        ),
        ("othello:reversi", "oxo|xox|oxx", 1),
    ] {
        with_game!(
            &open(game, start, Some('x')),
            |rules, position| {
                let mut random = Random::new(9);
                let playout = rules.playout(position, &mut random);
                assert_eq!(playout, Playout { score, plies: 0 }, "{game} {start}");
                let mut expected = Tally::default();
                (0..100).for_each(|_| expected.add(playout));
                let tally = rules.playouts(position, 100, &mut random);
                assert_eq!(tally, expected, "{game} {start}");
            },
            unreachable!("{game} is no game for two")
        );
    }
}
