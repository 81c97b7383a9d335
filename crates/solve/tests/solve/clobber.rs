//! The solver over sums against brute force and known results.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use upstar_games::clobber::{checkerboard, random_stones};
use upstar_games::{Board, Cells, Clobber, Color, Graph, Grid, Position, Random, Rules, Setup};
use upstar_solve::clobber::{
    Boards, Need, Recipe, Settings, Solver, TableError, TableKind, Technique, ValueTable,
    ValueTables, Weights, fit,
};
use upstar_solve::{Budget, Outcome, Unwatched};

fn need(board: &Board, stones: usize, cannibal: bool) -> Need<'_> {
    Need {
        board,
        stones,
        cannibal,
        memory: 1 << 20,
        patient: false,
    }
}

/// Who wins, by looking at everything.
fn brute<B: Cells>(
    rules: &Clobber<B>,
    position: &Position<B>,
    memo: &mut HashMap<Position<B>, bool>,
) -> bool {
    if let Some(&win) = memo.get(position) {
        return win;
    }
    let win = rules
        .moves(position)
        .any(|mv| !brute(rules, &rules.play_unchecked(position, mv), memo));
    memo.insert(*position, win);
    win
}

/// A value table of few stones, so that search has something to do on small boards.
fn small_table(rows: usize, cannibal: bool) -> Arc<ValueTable> {
    static TABLES: LazyLock<[Arc<ValueTable>; 4]> = LazyLock::new(|| {
        let table = |rows, stones, cannibal| {
            let kind = TableKind {
                rows,
                stones,
                cannibal,
            };
            Arc::new(ValueTable::make(kind, 1, &Budget::unlimited(), &Unwatched).unwrap())
        };
        [
            table(1, 5, false),
            table(2, 5, false),
            table(5, 5, false),
            table(4, 4, true),
        ]
    });
    let which = if cannibal { 3 } else { rows.min(3) - 1 };
    Arc::clone(&TABLES[which])
}

fn check<B: Cells>(
    rules: &Clobber<B>,
    setup: &Setup,
    values: &Arc<ValueTable>,
    settings: &Settings,
) {
    let mut memo = HashMap::new();
    let mut solver = Solver::new(rules, setup.board.len(), Arc::clone(values), settings).unwrap();
    for to_move in [Color::Black, Color::White] {
        let position = rules.position(setup, to_move).unwrap();
        let expected = brute(rules, &position, &mut memo);
        let verdict = solver.solve(&position, &Budget::unlimited(), &Unwatched);
        let outcome = if expected {
            Outcome::Win
        } else {
            Outcome::Loss
        };
        assert_eq!(verdict.outcome, Some(outcome), "{setup} {to_move}");
        let best = verdict.best.map(|mv| rules.play(&position, mv).unwrap());
        match best {
            Some(next) => assert!(
                !expected || !brute(rules, &next, &mut memo),
                "{setup} {to_move}"
            ),
            None => assert!(rules.is_over(&position)),
        }
    }
}

#[test]
fn random_positions_agree_with_brute_force() {
    let sizes = [
        (1, 9),
        (1, 16),
        (2, 5),
        (2, 8),
        (3, 3),
        (3, 5),
        (4, 4),
        (5, 3),
        (3, 6),
    ];
    let mut random = Random::new(3);
    for round in 0..150 {
        for (rows, cols) in sizes {
            let grid = Grid::new(rows, cols).unwrap();
            // Some cells are cut out, some empty.
            let holes = (0..grid.len())
                .filter(|_| random.below(12) == 0)
                .fold(0u128, |set, cell| set | 1 << cell);
            let grid = if round % 3 == 0 {
                grid.with_holes(holes)
            } else {
                grid
            };
            let setup = random_stones(grid, 2, [1.0, 0.9, 0.7][round % 3], &mut random);
            let settings = Settings {
                threads: 1 + round / 100,
                ..Settings::default()
            };
            let cannibal = round % 5 == 4 && grid.len() <= 12;
            let values = small_table(rows, cannibal);
            let rules = if cannibal {
                Clobber::<u64>::cannibal(grid)
            } else {
                Clobber::<u64>::new(grid)
            };
            check(&rules, &setup, &values, &settings);
        }
    }
}

#[test]
fn large_boards_agree_with_brute_force() {
    let mut random = Random::new(5);
    for (rows, cols, density) in [
        (1, 100, 0.4),
        (9, 9, 0.35),
        (11, 11, 0.25),
        (3, 40, 0.2),
        (10, 6, 0.45),
        (5, 9, 0.5),
    ] {
        let grid = Grid::new(rows, cols).unwrap();
        for _ in 0..4 {
            // At most 22 stones, so that brute force comes to an end.
            let setup = random_stones(grid, 2, density, &mut random);
            let all = setup.occupied();
            let some = all.iter().take(22).fold(0, u128::with);
            let setup = Setup::of_two(
                grid,
                setup.stones(Color::Black) & some,
                setup.stones(Color::White) & some,
            );
            check(
                &Clobber::<u128>::new(grid),
                &setup,
                &small_table(rows, false),
                &Settings::default(),
            );
        }
    }
}

#[test]
fn graphs_agree_with_brute_force() {
    let mut random = Random::new(8);
    for round in 0..60 {
        let vertices = 6 + random.below(7) as usize;
        let mut text = String::new();
        for vertex in 0..vertices {
            text += &format!("v{vertex}={} ", ["x", "o"][random.below(2) as usize]);
        }
        text.push('\n');
        for a in 0..vertices {
            for b in 0..a {
                if random.below(4) == 0 {
                    text += &format!("v{b}-v{a} ");
                }
            }
        }
        let setup = Setup::from_graph_text(&text).unwrap();
        let tables = ValueTables::in_memory();
        let cannibal = round % 4 == 0;
        let values = tables
            .serving(
                need(&setup.board, vertices, cannibal),
                &Budget::unlimited(),
                &Unwatched,
            )
            .unwrap();
        let rules = if cannibal {
            Clobber::<u64>::cannibal(setup.board.clone())
        } else {
            Clobber::<u64>::new(setup.board.clone())
        };
        check(&rules, &setup, &values, &Settings::default());
    }
}

/// Outcomes from the literature: see the data file.
#[test]
fn known_outcomes_come_out() {
    let table = include_str!("../data/clobber-outcomes.csv");
    let values = |rows: usize| match rows {
        1 => TableKind {
            rows: 1,
            stones: 10,
            cannibal: false,
        },
        2 => TableKind {
            rows: 2,
            stones: 8,
            cannibal: false,
        },
        _ => TableKind {
            rows: 8,
            stones: 8,
            cannibal: false,
        },
    };
    let tables: Vec<Arc<ValueTable>> = (1..=3)
        .map(|rows| {
            let made = ValueTable::make(values(rows), 2, &Budget::unlimited(), &Unwatched);
            Arc::new(made.unwrap())
        })
        .collect();
    let mut solved = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [rows, cols, outcome] = fields[..3] else {
            panic!("{line}")
        };
        let (rows, cols): (usize, usize) = (rows.parse().unwrap(), cols.parse().unwrap());
        if rows * cols > 26 || rows == 1 && cols > 40 {
            continue;
        }
        let grid = Grid::new(rows, cols).unwrap();
        let rules = Clobber::<u64>::new(grid);
        let values = Arc::clone(&tables[rows.min(3) - 1]);
        for threads in [1, 2] {
            let settings = Settings {
                threads,
                ..Settings::default()
            };
            let mut solver =
                Solver::new(&rules, grid.len(), Arc::clone(&values), &settings).unwrap();
            let start = rules.position(&checkerboard(grid), Color::Black).unwrap();
            let verdict = solver.solve(&start, &Budget::unlimited(), &Unwatched);
            let expected = if outcome == "N" {
                Outcome::Win
            } else {
                Outcome::Loss
            };
            assert_eq!(
                verdict.outcome,
                Some(expected),
                "{rows}x{cols} with {threads} threads"
            );
        }
        solved += 1;
    }
    assert!(solved > 30, "only {solved} boards were small enough");
}

#[test]
fn node_counts_repeat() {
    let grid = Grid::new(4, 5).unwrap();
    let rules = Clobber::<u64>::new(grid);
    let values = small_table(4, false);
    let start = rules.position(&checkerboard(grid), Color::Black).unwrap();
    let nodes = || {
        let mut solver =
            Solver::new(&rules, 20, Arc::clone(&values), &Settings::default()).unwrap();
        let verdict = solver.solve(&start, &Budget::unlimited(), &Unwatched);
        assert_eq!(verdict.outcome, Some(Outcome::Win));
        verdict.nodes
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn the_same_weights_are_fitted_by_any_number_of_threads() {
    let recipe = Recipe {
        rounds: 2,
        searches: 40,
        nodes: 2_000,
        ..Recipe::default()
    };
    let fitted = |threads| {
        let mut rounds = Vec::new();
        let weights = fit(
            Boards::Larger,
            &recipe,
            &ValueTables::in_memory(),
            64 << 20,
            threads,
            &Budget::unlimited(),
            &mut |round| rounds.push(round),
        );
        (weights.unwrap().to_bytes(), rounds)
    };
    let (bytes, rounds) = fitted(1);
    assert_eq!(fitted(2), (bytes.clone(), rounds.clone()));

    // Even so little is much better than nothing.
    let grid = Grid::new(4, 5).unwrap();
    let rules = Clobber::<u64>::new(grid);
    let start = rules.position(&checkerboard(grid), Color::Black).unwrap();
    let nodes = |weights| {
        let settings = Settings {
            weights: Some(weights),
            ..Settings::default()
        };
        let mut solver = Solver::new(&rules, 20, small_table(4, false), &settings).unwrap();
        let (win, nodes) = solver.wins(&start, &Budget::unlimited(), &Unwatched);
        assert_eq!(win, Some(true));
        nodes
    };
    let weights = Weights::from_bytes(&bytes).expect("weights");
    assert!(2 * nodes(weights) < nodes(Weights::none()));
}

#[test]
fn a_fit_that_is_stopped_has_no_weights() {
    let budget = Budget::unlimited();
    budget.cancel();
    let fitted = fit(
        Boards::Larger,
        &Recipe::default(),
        &ValueTables::in_memory(),
        64 << 20,
        1,
        &budget,
        &mut |_| {},
    );
    assert!(fitted.is_err());
}

#[test]
fn budgets_are_kept() {
    let grid = Grid::new(6, 6).unwrap();
    let rules = Clobber::<u64>::new(grid);
    let values = small_table(6, false);
    let start = rules.position(&checkerboard(grid), Color::Black).unwrap();
    for threads in [1, 2] {
        let settings = Settings {
            threads,
            memory: 1 << 24,
            ..Settings::default()
        };
        let mut solver = Solver::new(&rules, 36, Arc::clone(&values), &settings).unwrap();
        let budget = Budget::unlimited().with_nodes(5_000);
        let verdict = solver.solve(&start, &budget, &Unwatched);
        assert_eq!(verdict.outcome, None);
        assert!((5_000..8_000).contains(&verdict.nodes), "{}", verdict.nodes);
        let begun = std::time::Instant::now();
        let time = std::time::Duration::from_millis(200);
        let verdict = solver.solve(&start, &Budget::unlimited().with_time(time), &Unwatched);
        assert_eq!((verdict.outcome, verdict.best), (None, None));
        assert!(begun.elapsed() < 2 * time);
    }
}

#[test]
fn grid_and_graph_agree() {
    let grid = Grid::new(3, 4).unwrap();
    let as_graph = |grid: Grid| {
        let board = Board::from(grid);
        let mut text = String::new();
        for (a, b) in board.edges() {
            text += &format!("{}-{} ", board.name(a), board.name(b));
        }
        text
    };
    let mut random = Random::new(11);
    for _ in 0..30 {
        let setup = random_stones(grid, 2, 0.95, &mut random);
        let mut text = as_graph(grid);
        for cell in grid.cells().iter() {
            let stone = if setup.stones(Color::Black).contains(cell) {
                'x'
            } else if setup.stones(Color::White).contains(cell) {
                'o'
            } else {
                '.'
            };
            text += &format!("\n{}={stone}", grid.name(cell));
        }
        let on_graph = Setup::from_graph_text(&text).unwrap();
        let graph: &Graph = match &on_graph.board {
            Board::Graph(graph) => graph,
            Board::Grid(_) => unreachable!("it is a graph"),
        };
        let tables = ValueTables::in_memory();
        let network = Clobber::<u64>::new(graph.clone());
        let values = tables
            .serving(
                need(&on_graph.board, 12, false),
                &Budget::unlimited(),
                &Unwatched,
            )
            .unwrap();
        let mut solver = Solver::new(&network, 12, values, &Settings::default()).unwrap();
        let rules = Clobber::<u64>::new(grid);
        let mut plain =
            Solver::new(&rules, 12, small_table(3, false), &Settings::default()).unwrap();
        for to_move in [Color::Black, Color::White] {
            let a = solver.solve(
                &network.position(&on_graph, to_move).unwrap(),
                &Budget::unlimited(),
                &Unwatched,
            );
            let b = plain.solve(
                &rules.position(&setup, to_move).unwrap(),
                &Budget::unlimited(),
                &Unwatched,
            );
            assert_eq!(a.outcome, b.outcome, "{setup}");
        }
    }
}

/// Cannibal Clobber comes without learned weights; there moves with few replies are tried first.
#[test]
fn an_order_helps_cannibals_too() {
    let grid = Grid::new(3, 6).unwrap();
    let rules = Clobber::<u64>::cannibal(grid);
    let start = rules.position(&checkerboard(grid), Color::Black).unwrap();
    let nodes = |without| {
        let settings = Settings {
            without,
            ..Settings::default()
        };
        let values = small_table(3, true);
        let mut solver = Solver::new(&rules, grid.len(), values, &settings).unwrap();
        let (win, nodes) = solver.wins(&start, &Budget::unlimited(), &Unwatched);
        assert_eq!(win, Some(true));
        nodes
    };
    assert!(2 * nodes(None) < nodes(Some(Technique::Order)));
}

/// A table for other rules, other rows or another graph has no values for this game, and a search that
/// took it would prove what is false.
#[test]
fn a_table_for_other_rules_or_boards_is_refused() {
    let graph = |text: &str| Setup::from_graph_text(text).unwrap().board;
    let (path, star) = (
        graph("a=x,b=o,c=x,a-b,b-c"),
        graph("a=x,b=o,c=x,d=o,a-b,a-c,a-d"),
    );
    let grid: Grid = "4x4".parse().unwrap();
    let of_graph =
        |board: &Board| Arc::new(ValueTable::of_graph(board, false, &Budget::unlimited()).unwrap());
    let accepts = |board: &Board, cannibal: bool, values: &Arc<ValueTable>| {
        let rules = match cannibal {
            true => Clobber::<u64>::cannibal(board.clone()),
            false => Clobber::<u64>::new(board.clone()),
        };
        Solver::new(&rules, 16, Arc::clone(values), &Settings::default()).is_ok()
    };
    let grid = Board::Grid(grid);
    let row: Board = Board::Grid("7x1".parse().unwrap());
    assert!(accepts(&grid, false, &small_table(4, false)));
    assert!(accepts(&row, false, &small_table(1, false)));
    assert!(accepts(&path, false, &of_graph(&path)));
    assert!(!accepts(&grid, true, &small_table(4, false)));
    assert!(!accepts(&grid, false, &small_table(4, true)));
    assert!(!accepts(&grid, false, &small_table(1, false)));
    assert!(!accepts(&grid, false, &small_table(2, false)));
    assert!(!accepts(&grid, false, &of_graph(&path)));
    assert!(!accepts(&path, false, &small_table(4, false)));
    assert!(!accepts(&path, false, &of_graph(&star)));
    assert!(!accepts(&path, true, &of_graph(&path)));
}

/// A tall board is the wide one turned.
#[test]
fn a_tall_board_costs_what_the_wide_one_costs() {
    let tables = ValueTables::in_memory();
    for (wide, tall) in [
        ("1x24", "24x1"),
        ("2x9", "9x2"),
        ("4x5", "5x4"),
        ("3x6", "6x3"),
    ] {
        let ask = |size: &str| {
            let grid: Grid = size.parse().unwrap();
            let rules = Clobber::<u64>::new(grid);
            let setup = checkerboard(grid);
            let board = Board::Grid(grid);
            let need = need(&board, grid.len(), false);
            let values = tables
                .serving(need, &Budget::unlimited(), &Unwatched)
                .unwrap();
            let mut solver = Solver::new(&rules, grid.len(), values, &Settings::default()).unwrap();
            let start = rules.position(&setup, Color::Black).unwrap();
            let answer = solver.solve(&start, &Budget::unlimited(), &Unwatched);
            if let Some(best) = answer.best {
                let next = rules.play(&start, best).expect("the move is legal");
                let after = solver.solve(&next, &Budget::unlimited(), &Unwatched);
                assert_eq!(
                    after.outcome,
                    answer.outcome.map(Outcome::reversed),
                    "{size}"
                );
            }
            (
                answer.outcome,
                solver.wins(&start, &Budget::unlimited(), &Unwatched).0,
                answer.nodes,
            )
        };
        assert_eq!(ask(wide), ask(tall), "{tall}");
    }
}

/// Making a table ends with its budget, and a table of another kind can be had meanwhile.
#[test]
fn a_table_in_the_making_can_be_stopped_and_is_not_in_the_way() {
    let tables = ValueTables::in_memory();
    let budget = Budget::unlimited();
    let kind = |stones| TableKind {
        rows: stones,
        stones,
        cannibal: false,
    };
    std::thread::scope(|scope| {
        let large = scope.spawn(|| tables.open(kind(11), 1, &budget, &Unwatched));
        std::thread::sleep(std::time::Duration::from_millis(200));
        let small = tables.open(kind(4), 1, &Budget::unlimited(), &Unwatched);
        assert!(small.is_ok() && !large.is_finished());
        let time = std::time::Duration::from_millis(20);
        let waiting = tables.open(
            kind(11),
            1,
            &Budget::unlimited().with_time(time),
            &Unwatched,
        );
        assert!(matches!(waiting, Err(TableError::Stopped)));
        budget.cancel();
        let stopped = large.join().expect("no panic");
        assert!(matches!(stopped, Err(TableError::Stopped)));
    });
}

/// A table that was changed and sealed again is whole, and wrong.
#[test]
fn a_table_that_was_changed_and_sealed_again_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    for (rows, stones) in [(7, 7), (3, 6)] {
        let kind = TableKind {
            rows,
            stones,
            cannibal: false,
        };
        let open = || {
            let tables = ValueTables::in_folder(folder.path());
            tables.open(kind, 1, &Budget::unlimited(), &Unwatched)
        };
        open().unwrap();
        assert!(open().is_ok());
        let file = ValueTables::in_folder(folder.path()).file(kind).unwrap();
        let right = std::fs::read(&file).unwrap();
        // Every entry becomes 0, or one that is out of range.
        for (entry, expected) in [(0u32, "wrong values"), (u32::MAX, "damaged")] {
            let mut bytes = right.clone();
            reseal(&mut bytes, entry);
            std::fs::write(&file, &bytes).unwrap();
            let refused = open().err().expect("it is wrong").to_string();
            assert!(refused.contains(expected), "{refused}");
        }
    }
}

/// Sets all entries of a value table and seals it as its maker would.
fn reseal(bytes: &mut [u8], entry: u32) {
    fn checksum(bytes: &[u8]) -> u64 {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let step = |sum: u64, word: u64| (sum ^ word).wrapping_mul(ODD).rotate_left(29);
        let mut lanes = [1, 2, 3, 4];
        let mut stripes = bytes.chunks_exact(32);
        for stripe in &mut stripes {
            for (lane, word) in lanes.iter_mut().zip(stripe.chunks_exact(8)) {
                *lane = step(*lane, u64::from_le_bytes(word.try_into().unwrap()));
            }
        }
        let tail = stripes.remainder().iter().map(|&byte| u64::from(byte));
        let ends = lanes.into_iter().chain(tail).chain([bytes.len() as u64]);
        ends.fold(0, step)
    }
    let number =
        |bytes: &[u8], i: usize| u64::from_le_bytes(bytes[8 * i..][..8].try_into().unwrap());
    let length = number(bytes, 9) as usize;
    let begin = bytes.len() - length;
    for word in bytes[begin..].chunks_exact_mut(4) {
        word.copy_from_slice(&entry.to_le_bytes());
    }
    let sum = checksum(&bytes[begin..]);
    bytes[80..88].copy_from_slice(&sum.to_le_bytes());
    let sum = checksum(&bytes[..88]);
    bytes[88..96].copy_from_slice(&sum.to_le_bytes());
}

/// What is said without a search is what brute force says, and leaving components out changes no winner.
#[test]
fn a_look_tells_the_truth() {
    let mut random = Random::new(11);
    let (mut known, mut left_out, mut merged) = (0, 0, 0);
    for (size, cannibal) in [("3x4", false), ("2x6", false), ("3x3", true)] {
        let grid: Grid = size.parse().unwrap();
        let rules = match cannibal {
            true => Clobber::<u64>::cannibal(grid),
            false => Clobber::<u64>::new(grid),
        };
        let table = small_table(grid.rows(), cannibal);
        let settings = Settings {
            memory: 1 << 20,
            ..Settings::default()
        };
        let mut solver = Solver::new(&rules, grid.len(), table, &settings).unwrap();
        let looker = solver.share();
        let mut memo = HashMap::new();
        for number in 0..400 {
            let setup = random_stones(grid, 2, 0.8, &mut random);
            let position = rules.position(&setup, Color::Black).unwrap();
            if rules.is_over(&position) {
                continue;
            }
            // Half of them after a search, whose results the other solver knows.
            if number % 2 == 0 {
                let (win, _) = solver.wins(&position, &Budget::unlimited(), &Unwatched);
                let found = win.map(|win| if win { Outcome::Win } else { Outcome::Loss });
                assert_eq!(looker.look(&position).outcome, found, "{setup}");
            }
            let look = looker.look(&position);
            let win = brute(&rules, &position, &mut memo);
            assert_eq!(brute(&rules, &look.position, &mut memo), win, "{setup}");
            let outcome = |win: bool| if win { Outcome::Win } else { Outcome::Loss };
            if let Some(found) = look.outcome {
                assert_eq!(found, outcome(win), "{setup}");
            }
            left_out += usize::from(look.position != position);
            let moves: Vec<_> = rules.moves(&look.position).collect();
            assert_eq!(moves.len(), look.moves.len());
            let results: Vec<bool> = moves
                .iter()
                .map(|&mv| !brute(&rules, &rules.play_unchecked(&position, mv), &mut memo))
                .collect();
            for (place, looked) in look.moves.iter().enumerate() {
                assert!(looked.same_as <= place);
                assert_eq!(results[looked.same_as], results[place], "{setup}");
                merged += usize::from(looked.same_as != place);
                if let Some(found) = looked.outcome {
                    assert_eq!(found, outcome(results[place]), "{setup}");
                    known += 1;
                }
            }
        }
    }
    assert!(
        known > 1000 && left_out > 50 && merged > 50,
        "{known} {left_out} {merged}"
    );
}
