//! Random play is uniform: the results and lengths of many games against exact probabilities, against
//! play by the rules alone, and against published figures. All seeds are fixed.

use std::collections::{BTreeMap, HashMap};

use crate::common::{open, table};
use upstar_games::clobber::checkerboard;
use upstar_games::{
    AnyGame, Clobber, Color, Game, Grid, Othello, Playout, Random, Rules, Tally, plain_playout,
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

/// A sum of squared deviations, each in units of its standard error, and how many there are that
/// do not follow from the others.
#[derive(Default)]
struct Fit {
    chi_square: f64,
    freedom: f64,
}

impl Fit {
    /// Numbers of games against those expected, with the same sum.
    fn expect(&mut self, classes: impl IntoIterator<Item = (f64, f64)>) {
        self.classes(classes, |_, expected| expected);
    }

    /// Numbers of games of two samples of the same size.
    fn compare(&mut self, classes: impl IntoIterator<Item = (f64, f64)>) {
        self.classes(classes, |first, second| first + second);
    }

    /// Classes too rare for the test are taken together.
    fn classes(
        &mut self,
        classes: impl IntoIterator<Item = (f64, f64)>,
        variance: fn(f64, f64) -> f64,
    ) {
        let (frequent, rare): (Vec<_>, Vec<_>) = classes
            .into_iter()
            .partition(|&(a, b)| variance(a, b) >= 10.0);
        let sum = |sum: (f64, f64), class: (f64, f64)| (sum.0 + class.0, sum.1 + class.1);
        let rest = rare.into_iter().reduce(sum);
        let rest = rest.filter(|&(a, b)| variance(a, b) >= 1.0);
        let tested: Vec<(f64, f64)> = frequent.into_iter().chain(rest).collect();
        let squares = tested
            .iter()
            .map(|&(a, b)| (a - b).powi(2) / variance(a, b));
        self.chi_square += squares.sum::<f64>();
        self.freedom += tested.len().saturating_sub(1) as f64;
    }

    /// The mean of so many numbers against the one expected.
    fn mean(&mut self, found: f64, expected: f64, variance: f64, games: f64) {
        if variance > 1e-9 {
            self.chi_square += (found - expected).powi(2) * games / variance;
            self.freedom += 1.0;
        } else {
            assert!((found - expected).abs() < 1e-9);
        }
    }

    /// The deviation of the sum from its mean in standard errors, by the cube root of Wilson and
    /// Hilferty (1931).
    fn check(&self, what: &str) {
        if self.freedom == 0.0 {
            return;
        }
        let spread = 2.0 / (9.0 * self.freedom);
        let root = (self.chi_square / self.freedom).cbrt();
        let deviation = (root - (1.0 - spread)) / spread.sqrt();
        assert!(
            deviation < LIMIT,
            "{what}: {deviation:.1} standard errors off"
        );
    }
}

/// Random games against the exact distribution: scores with lengths of single games, results and
/// mean lengths of many.
#[derive(Default)]
struct Fits {
    single: Fit,
    results: Fit,
    lengths: Fit,
}

impl Fits {
    fn play<G: Game>(&mut self, game: &G, start: &G::Position, games: u32) {
        let exact = exact(game, start, &mut HashMap::new());
        let mut random = Random::new(1);
        self.play_single(|| game.playout(start, &mut random), &exact, games);
        let tally = game.playouts(start, games.into(), &mut random);
        self.add_tally(&tally, &exact, f64::from(games));
    }

    fn play_single(
        &mut self,
        mut playout: impl FnMut() -> Playout,
        exact: &Distribution,
        games: u32,
    ) {
        let mut found = Distribution::new();
        for _ in 0..games {
            let Playout { score, plies } = playout();
            *found.entry((score, plies)).or_default() += 1.0;
        }
        let impossible = found.keys().find(|end| !exact.contains_key(end));
        assert_eq!(impossible, None, "a score and a length");
        self.single.expect(exact.iter().map(|(end, share)| {
            let found = found.get(end).copied().unwrap_or(0.0);
            (found, share * f64::from(games))
        }));
    }

    fn add_tally(&mut self, tally: &Tally, exact: &Distribution, games: f64) {
        let expected = |wanted: fn(i32) -> bool| -> f64 {
            let ends = exact.iter().filter(|((score, _), _)| wanted(*score));
            ends.map(|(_, share)| share * games).sum()
        };
        self.results.expect([
            (tally.wins as f64, expected(|score| score > 0)),
            (tally.draws as f64, expected(|score| score == 0)),
            (tally.losses as f64, expected(|score| score < 0)),
        ]);
        let moment = |power: i32| -> f64 {
            let ends = exact.iter().map(|((_, plies), share)| (*plies, share));
            ends.map(|(plies, share)| share * f64::from(plies).powi(power))
                .sum()
        };
        let mean = moment(1);
        let variance = moment(2) - mean * mean;
        self.lengths
            .mean(tally.plies as f64 / games, mean, variance, games);
    }

    fn check(&self, what: &str) {
        assert!(self.single.freedom > 0.0, "{what}: there is but one end");
        self.single.check(&format!("single games of {what}"));
        self.results.check(&format!("results of {what}"));
        self.lengths.check(&format!("lengths of {what}"));
    }
}

fn check_exact<G: Game>(game: &G, start: &G::Position, what: &str) {
    let mut fits = Fits::default();
    fits.play(game, start, 200_000);
    fits.check(what);
}

/// Runs an expression with the rules and the first position of a game for two.
macro_rules! with_opened {
    ($game:expr, $start:expr, $to_move:expr, |$rules:ident, $position:ident| $body:expr) => {
        with_game!(
            &open($game, $start, $to_move),
            |$rules, $position| $body,
            unreachable!("{} is not a game for two", $game)
        )
    };
}

fn check(game: &str, start: &str, to_move: Option<char>) {
    with_opened!(game, start, to_move, |rules, position| {
        check_exact(rules, position, &format!("{game} {start}"));
    });
}

#[test]
fn clobber_on_grids_is_uniform() {
    check("clobber", "1x9", None);
    check("clobber", "3x3", Some('o'));
    check("clobber", "3x4", None);
    check("clobber", "xxoo|.oxx|xo.o", None);
    check("clobber", "xo#x|oxo.|x#xo", Some('o'));
}

/// Few stones among many empty cells, on both sides of the 64th.
#[test]
fn clobber_on_large_boards_is_uniform() {
    let row = ".".repeat(59) + "xoxxoxoox" + &".".repeat(60);
    check("clobber", &row, None);
    let empty = ".........|".repeat(5);
    let rows = format!("x.......o|{empty}..xoxx...|...ooxo..|xo.....xo");
    check("clobber", &rows, Some('o'));
}

/// The Petersen graph: two rings of five, each vertex of the one joined to one of the other.
const PETERSEN: &str = "a=x,b=o,c=x,d=o,e=x,f=o,g=x,h=o,i=x,j=o,\
                        a-b,b-c,c-d,d-e,a-e,a-f,b-g,c-h,d-i,e-j,f-h,h-j,g-j,g-i,f-i";

#[test]
fn clobber_on_graphs_is_uniform() {
    let ring = "a=x,b=o,c=x,d=o,e=x,a-b,b-c,c-d,d-e,a-e";
    check("clobber", ring, None);
    let star = "a=x,b=o,c=o,d=o,e=o,f=o,g=o,h=x,a-b,a-c,a-d,a-e,a-f,a-g,g-h";
    check("clobber", star, Some('o'));
    check("clobber", PETERSEN, None);
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
    check("othello", "random:7x9,seed=6,density=0.88", None);
    check("othello", "random:3x20,seed=1,density=0.6", None);
}

/// Passes, holes, a single row, more than 64 cells.
#[test]
fn othello_on_odd_boards_is_uniform() {
    check("othello", "ooooo.|oxxxx.|oooooo|......", Some('o'));
    check("othello", ".xo#.|#.ox.|oxxo.|.#.x.", Some('x'));
    check("othello", ".xo.ox.oxxo.xo.", None);
    check("othello", "random:8x9,seed=8,density=0.9", None);
}

#[test]
fn reversi_is_uniform() {
    check("othello:reversi", "3x3", None);
    check("othello:reversi", "random:4x4,seed=4,density=0.5", None);
    check("othello:reversi", "random:8x9,seed=4,density=0.92", None);
}

#[test]
fn wide_words_on_small_boards_are_uniform() {
    let grid: Grid = "3x3".parse().unwrap();
    let clobber = Clobber::<u128>::new(grid);
    let start = clobber.position(&checkerboard(grid), Color::Black).unwrap();
    check_exact(&clobber, &start, "Clobber 3x3, wide");
    let AnyGame::Othello64(narrow, start) = open("othello", "random:4x4,seed=1,density=0.5", None)
    else {
        unreachable!("Othello on 16 cells");
    };
    let setup = narrow.setup(&start);
    let wide = Othello::<u128>::new("4x4".parse().unwrap());
    let start = wide.position(&setup, narrow.to_move(&start)).unwrap();
    check_exact(&wide, &start, "Othello 4x4, wide");
}

/// Few games from each of many positions.
fn check_everywhere(game: &str, size: &str, density: f64) {
    let mut fits = Fits::default();
    for seed in 0..100 {
        let start = format!("random:{size},seed={seed},density={density}");
        with_opened!(game, &start, None, |rules, position| {
            fits.play(rules, position, 2_000);
        });
    }
    fits.check(&format!("{game} at random positions of {size}"));
}

#[test]
fn play_from_random_positions_is_uniform() {
    check_everywhere("clobber", "3x4", 0.9);
    check_everywhere("clobber", "2x8", 0.7);
    check_everywhere("clobber", "7x10", 0.3);
    check_everywhere("clobber:cannibal", "2x4", 0.8);
    check_everywhere("othello", "4x5", 0.7);
    check_everywhere("othello", "8x8", 0.93);
    check_everywhere("othello:reversi", "4x4", 0.6);
}

/// `playout` against the rules alone, on boards too large for exact probabilities.
fn check_plain<G: Game>(game: &G, start: &G::Position, games: u32, what: &str) {
    let mut random = Random::new(3);
    let [mut plies, mut scores] = <[BTreeMap<i32, (f64, f64)>; 2]>::default();
    for _ in 0..games {
        let fast = game.playout(start, &mut random);
        let slow = plain_playout(game, start, &mut random);
        plies.entry(fast.plies as i32).or_default().0 += 1.0;
        plies.entry(slow.plies as i32).or_default().1 += 1.0;
        scores.entry(fast.score).or_default().0 += 1.0;
        scores.entry(slow.score).or_default().1 += 1.0;
    }
    for (classes, property) in [(plies, "lengths"), (scores, "scores")] {
        let mut fit = Fit::default();
        fit.compare(classes.into_values());
        fit.check(&format!("{property} of {what}"));
    }
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
        with_opened!(game, start, None, |rules, position| {
            check_plain(rules, position, games, &format!("{game} {start}"));
        });
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
    let games = 20_000;
    for [game, position, printed @ .., uncertainty] in
        table::<7>(include_str!("../data/random-play.csv"))
    {
        let tally = with_opened!(game, position, None, |rules, start| {
            rules.playouts(start, games, &mut Random::new(4))
        });
        let uncertainty: f64 = uncertainty.parse().expect("a number");
        for (index, (found, printed)) in figures(&tally).into_iter().zip(printed).enumerate() {
            let Ok(printed) = printed.parse::<f64>() else {
                assert!(printed.is_empty(), "{printed} is not a number");
                continue;
            };
            let variance = if index < 3 {
                printed * (100.0 - printed)
            } else {
                // So it is within a few percent on all of these boards.
                printed / 6.0
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
    ("clobber", PETERSEN),
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
        with_opened!(game, start, None, |rules, position| {
            check_counts(rules, position);
        });
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
        with_opened!(game, start, None, |rules, position| {
            check_seeds(rules, position);
        });
    }
}

/// Who moves last wins, so the length tells the winner.
#[test]
fn the_length_of_clobber_tells_the_winner() {
    for (game, start) in BOARDS {
        if game.starts_with("clobber") {
            with_opened!(game, start, None, |rules, position| {
                let mut random = Random::new(8);
                for _ in 0..200 {
                    let Playout { score, plies } = rules.playout(position, &mut random);
                    assert_eq!(score, if plies % 2 == 1 { 1 } else { -1 });
                }
            });
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
        ("othello", "xxo|xxo|xx.", 4),
        ("othello", "....|....", 0),
        ("othello", "oo......|........|........", -2),
        ("othello:reversi", "oxo|xox|oxx", 1),
    ] {
        with_opened!(game, start, Some('x'), |rules, position| {
            let mut random = Random::new(9);
            let playout = rules.playout(position, &mut random);
            assert_eq!(playout, Playout { score, plies: 0 }, "{game} {start}");
            let mut expected = Tally::default();
            (0..100).for_each(|_| expected.add(playout));
            let tally = rules.playouts(position, 100, &mut random);
            assert_eq!(tally, expected, "{game} {start}");
        });
    }
}
