//! Values of positions: known values, brute force, and laws.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use upstar_cgt::{Games, Outcome, Value};
use upstar_games::clobber::{checkerboard, random_stones};
use upstar_games::{
    Board, Cells, Clobber, Color, Graph, Grid, Position, Random, Rules, Setup, Symmetry,
};
use upstar_jobs::Budget;
use upstar_solve::clobber::{PositionValue, ValueTables};
use upstar_solve::{Ledger, Unwatched, Watch};

fn value_in(setup: &Setup, cannibal: bool, budget: &Budget) -> PositionValue {
    PositionValue::of(
        setup,
        cannibal,
        &ValueTables::in_memory(),
        &Ledger::unlimited(),
        budget,
        &Unwatched,
    )
    .expect("memory and threads")
}

fn worth(setup: &Setup, cannibal: bool) -> PositionValue {
    let worth = value_in(setup, cannibal, &Budget::unlimited());
    assert!(worth.is_exact(), "{setup}");
    worth
}

fn name(worth: &PositionValue) -> String {
    let value = worth.value.expect("the value is known");
    worth.games.name(value).to_string()
}

/// A size stands for its start.
fn setup(text: &str) -> Setup {
    match text.parse::<Grid>() {
        Ok(grid) => checkerboard(grid),
        Err(_) => text.parse().unwrap(),
    }
}

fn check(text: &str, cannibal: bool, value: &str) {
    assert_eq!(name(&worth(&setup(text), cannibal)), value, "{text}");
}

/// The value by the rules alone: no components, no symmetry.
struct Plain {
    rules: Clobber<u128>,
    games: Games,
    known: HashMap<[u128; 2], Value>,
}

impl Plain {
    fn value(&mut self, setup: &Setup) -> Value {
        let stones = [setup.stones(Color::Black), setup.stones(Color::White)];
        if let Some(&value) = self.known.get(&stones) {
            return value;
        }
        let sides = [Color::Black, Color::White].map(|color| {
            let position = self.rules.position(setup, color).unwrap();
            let moves: Vec<_> = self.rules.moves(&position).collect();
            let after = |mv| self.rules.setup(&self.rules.play_unchecked(&position, mv));
            let followers: Vec<Setup> = moves.into_iter().map(after).collect();
            followers
                .iter()
                .map(|setup| self.value(setup))
                .collect::<Vec<_>>()
        });
        let value = self.games.canonical(&sides[0], &sides[1]);
        self.known.insert(stones, value);
        value
    }

    fn name(setup: &Setup, cannibal: bool) -> String {
        let board = setup.board.clone();
        let rules = if cannibal {
            Clobber::cannibal(board)
        } else {
            Clobber::new(board)
        };
        let mut plain = Self {
            rules,
            games: Games::new(),
            known: HashMap::new(),
        };
        let value = plain.value(setup);
        plain.games.name(value).to_string()
    }
}

/// Whether the side to move wins, by looking at everything.
fn wins(
    rules: &Clobber<u64>,
    position: &Position<u64>,
    memo: &mut HashMap<Position<u64>, bool>,
) -> bool {
    if let Some(&win) = memo.get(position) {
        return win;
    }
    let mut moves = rules.moves(position);
    let win = moves.any(|mv| !wins(rules, &rules.play_unchecked(position, mv), memo));
    memo.insert(*position, win);
    win
}

#[test]
fn known_values_come_out() {
    let table = include_str!("../data/clobber-values.csv");
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut checked = 0;
    for row in rows {
        let (text, value) = row.split_once(',').unwrap();
        check(text, false, value.trim_matches('"'));
        checked += 1;
    }
    assert!(checked > 25);
}

/// Believed for all n; by others checked to 28.
#[test]
fn copies_of_xxo_are_worth_half_as_many_ups() {
    for n in (1..=20).chain([30, 42]) {
        let text = "xxo".repeat(n);
        let value = match n.div_ceil(2) {
            1 => "↑".to_owned(),
            ups => format!("{ups}·↑"),
        };
        check(&text, false, &value);
    }
}

#[test]
fn larger_boards_come_out() {
    check("4x4", false, "*");
    check("2x9", false, "0");
    check("3x5", false, "*");
}

#[test]
fn outcomes_agree_with_brute_force() {
    let mut random = Random::new(17);
    for (rows, cols) in [(1, 14), (2, 7), (3, 5), (4, 4), (5, 3), (2, 9), (4, 5)] {
        for round in 0..12 {
            let grid = Grid::new(rows, cols).unwrap();
            let holes = grid.cells().iter().filter(|_| random.below(9) == 0);
            let holes = holes.fold(0u128, Cells::with);
            let grid = if round % 2 == 0 {
                grid.with_holes(holes)
            } else {
                grid
            };
            let density = if grid.len() > 16 { 0.7 } else { 0.9 };
            let setup = random_stones(grid, 2, density, &mut random);
            let cannibal = round % 4 == 3 && grid.len() < 16;
            let rules = if cannibal {
                Clobber::cannibal(grid)
            } else {
                Clobber::new(grid)
            };
            let mut memo = HashMap::new();
            let mut first =
                |color| wins(&rules, &rules.position(&setup, color).unwrap(), &mut memo);
            let expected = match (first(Color::Black), first(Color::White)) {
                (true, true) => Outcome::N,
                (true, false) => Outcome::L,
                (false, true) => Outcome::R,
                (false, false) => Outcome::P,
            };
            let worth = worth(&setup, cannibal);
            assert_eq!(worth.outcome, Some(expected), "{setup}");
            assert_eq!(
                worth.games.outcome(worth.value.unwrap()),
                expected,
                "{setup}"
            );
        }
    }
}

#[test]
fn sums_of_components_are_the_value_of_the_whole() {
    let mut random = Random::new(23);
    let mut several = 0;
    for (rows, cols, cannibal) in [
        (1, 13, false),
        (3, 6, false),
        (5, 4, false),
        (1, 9, true),
        (3, 4, true),
        (9, 8, false),
    ] {
        let grid = Grid::new(rows, cols).unwrap();
        for _ in 0..20 {
            let density = if grid.len() > 60 { 0.2 } else { 0.6 };
            let setup = random_stones(grid, 2, density, &mut random);
            let stones = setup.occupied();
            if stones.len() > 13 || cannibal && stones.len() > 8 {
                continue;
            }
            let mut worth = worth(&setup, cannibal);
            assert_eq!(name(&worth), Plain::name(&setup, cannibal), "{setup}");
            let values: Vec<Value> = worth.components.iter().map(|c| c.value.unwrap()).collect();
            several += usize::from(values.len() > 1);
            let sum = values
                .iter()
                .fold(Value::ZERO, |sum, &value| worth.games.sum(sum, value));
            assert_eq!(worth.value, Some(sum), "{setup}");
            for component in &worth.components {
                let alone = worth.games.name(component.value.unwrap()).to_string();
                assert_eq!(
                    alone,
                    Plain::name(&component.setup, cannibal),
                    "{}",
                    component.setup
                );
            }
        }
    }
    assert!(
        several > 20,
        "only {several} positions had several components"
    );
}

#[test]
fn turned_copies_are_equal_and_colours_exchanged_negate() {
    let mut random = Random::new(31);
    for (rows, cols) in [(4, 4), (3, 5), (1, 15), (3, 9), (9, 3)] {
        let grid = Grid::new(rows, cols).unwrap();
        for _ in 0..5 {
            let setup = random_stones(grid, 2, 0.6, &mut random);
            let (black, white) = (setup.stones(Color::Black), setup.stones(Color::White));
            let expected = name(&worth(&setup, false));
            for symmetry in Symmetry::all(&grid) {
                let turned = Setup::of_two(grid, symmetry.cells(black), symmetry.cells(white));
                assert_eq!(name(&worth(&turned, false)), expected, "{setup}");
            }
            let exchanged = worth(&Setup::of_two(grid, white, black), false);
            let negative = exchanged.games.negative(exchanged.value.unwrap());
            assert_eq!(
                exchanged.games.name(negative).to_string(),
                expected,
                "{setup}"
            );
        }
    }
}

#[test]
fn cannibals_are_not_all_small() {
    check("xx", true, "1");
    check("xx", false, "0");
    check("ooo", true, "-2");
    check("xx.oo", true, "0");
    check("x", true, "0");
    let mut hot = worth(&setup("xx"), true);
    assert_eq!(hot.games.atomic_weight(hot.value.unwrap()), None);
}

#[test]
fn graphs_are_worth_the_same_as_grids() {
    let mut random = Random::new(41);
    for (rows, cols) in [(1, 8), (3, 4), (2, 5)] {
        let grid = Grid::new(rows, cols).unwrap();
        let board = Board::from(grid);
        let mut graph = Graph::new();
        for cell in grid.cells().iter() {
            graph.add_vertex(&grid.name(cell)).unwrap();
        }
        for (a, b) in board.edges() {
            graph.add_edge(&board.name(a), &board.name(b)).unwrap();
        }
        for cannibal in [false, true] {
            let setup = random_stones(grid, 2, 0.85, &mut random);
            let network = Setup::of_two(
                graph.clone(),
                setup.stones(Color::Black),
                setup.stones(Color::White),
            );
            let (plain, network) = (worth(&setup, cannibal), worth(&network, cannibal));
            assert_eq!(name(&plain), name(&network), "{setup}");
            assert_eq!(plain.components.len(), network.components.len(), "{setup}");
        }
    }
}

#[test]
fn search_recognises_what_is_too_large_to_value() {
    let worth = worth(&setup("3x8"), false);
    assert_eq!(
        (name(&worth).as_str(), worth.outcome),
        ("0", Some(Outcome::P))
    );
    assert_eq!(worth.components[0].value, worth.value);
}

#[test]
fn budgets_are_kept_and_what_is_known_is_told() {
    let large = "xxoxoxo.xxo|oxoxoxo....|xoxoxox....|oxoxoxo.xo.|xoxoxox....|oxoxoxo....";
    let time = Duration::from_millis(300);
    let begun = Instant::now();
    let worth = value_in(&setup(large), false, &Budget::unlimited().with_time(time));
    assert!(begun.elapsed() < 2 * time, "{:?}", begun.elapsed());
    assert!(!worth.is_exact() && worth.value.is_none());
    let names = worth.components.iter().map(|component| {
        let text = component.setup.to_string();
        let value = component
            .value
            .map(|value| worth.games.name(value).to_string());
        (text.len(), value)
    });
    let names: Vec<_> = names.collect();
    assert_eq!(
        names,
        [
            (47, None),
            (3, Some("↑".to_owned())),
            (2, Some("*".to_owned()))
        ]
    );

    let stopped = Budget::unlimited();
    stopped.stop_flag().store(true, Ordering::Relaxed);
    assert_eq!(value_in(&setup("6x6"), false, &stopped).outcome, None);
}

/// Run by [`a_value_leaves_no_threads_behind`] in a process of its own, where no other test has threads.
#[test]
#[ignore = "a part of another test"]
#[cfg(target_os = "linux")]
fn threads_after_a_value() {
    let threads = || std::fs::read_dir("/proc/self/task").unwrap().count();
    let before = threads();
    for text in ["xo", "6x7", "xxo.ox|oxox.x"] {
        // Long enough for both threads to begin.
        let budget = Budget::unlimited().with_time(Duration::from_millis(900));
        value_in(&setup(text), false, &budget);
        // A thread that has ended may still be leaving.
        let ended = Instant::now();
        while threads() > before && ended.elapsed() < Duration::from_secs(2) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(threads(), before, "{text}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_value_leaves_no_threads_behind() {
    let program = std::env::current_exe().unwrap();
    let arguments = [
        "--exact",
        "position_values::threads_after_a_value",
        "--ignored",
    ];
    let done = std::process::Command::new(program).args(arguments).output();
    let done = done.unwrap();
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
fn a_watch_hears_how_many_components_are_valued() {
    struct Shares(Mutex<Vec<f64>>);
    impl Watch for Shares {
        fn progress(&self, share: f64) {
            self.0.lock().unwrap().push(share);
        }
    }
    let shares = Shares(Mutex::default());
    let budget = Budget::unlimited().with_time(Duration::from_secs(1));
    let (tables, ledger) = (ValueTables::in_memory(), Ledger::unlimited());
    let large = setup("6x6");
    PositionValue::of(&large, false, &tables, &ledger, &budget, &shares).unwrap();
    let shares = shares.0.into_inner().unwrap();
    assert!(!shares.is_empty() && shares.is_sorted());
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
}
