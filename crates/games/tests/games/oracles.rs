//! The same games played twice: by the crate and letter by letter as the rules are told, in words of
//! 64 and of 128 bits, on a grid and on the graph of its cells, under rules that coincide.

use std::collections::BTreeSet;

use upstar_games::othello::{Reversi, ReversiPosition};
use upstar_games::{
    Board, Cell, Cells, Clobber, Color, Game, Graph, Grid, Othello, Random, Rules, Setup, clobber,
    perft, random_move,
};

/// Sizes that fill and overflow words, with long and short lines.
const SIZES: &str = "1x1 1x9 9x1 2x7 3x3 4x4 5x5 6x6 3x21 8x8 7x9 \
                     5x13 11x11 3x40 40x3 8x16 2x64 1x128";

fn sizes() -> impl Iterator<Item = Grid> {
    SIZES.split(' ').map(|size| size.parse().expect("a size"))
}

/// A board of this size with any share of stones of either colour, and holes every other time.
fn random_setup(size: Grid, random: &mut Random) -> (Grid, Setup) {
    let hole = if random.below(2) == 0 { 0.0 } else { 0.1 };
    let (empty, black) = (0.02 + 0.6 * random.unit(), 0.02 + 0.96 * random.unit());
    let holes = (0..size.len()).filter(|_| random.unit() < hole);
    let grid = size.with_holes(holes.map(Cell::new).fold(0, u128::with));
    let mut setup = Setup::new(grid);
    for cell in grid.cells().iter() {
        if random.unit() >= empty {
            setup.put(cell, Color::ALL[usize::from(random.unit() >= black)]);
        }
    }
    (grid, setup)
}

/// A board of letters that is walked cell by cell; the order of its moves is that of the crate.
#[derive(Clone)]
struct Letters(Vec<Vec<char>>);

/// The moves by name, each with the board that it leaves.
type Options = Vec<(String, String)>;

impl Letters {
    fn new(text: &str) -> Self {
        Self(text.split('|').map(|row| row.chars().collect()).collect())
    }

    fn text(&self) -> String {
        let rows: Vec<String> = self.0.iter().map(String::from_iter).collect();
        rows.join("|")
    }

    /// The letter at this place; beyond the edge is a hole.
    fn at(&self, row: i32, col: i32) -> char {
        let row = usize::try_from(row).ok().and_then(|row| self.0.get(row));
        let letter = row.and_then(|row| row.get(usize::try_from(col).ok()?));
        letter.copied().unwrap_or('#')
    }

    fn put(&mut self, row: i32, col: i32, letter: char) {
        self.0[row as usize][col as usize] = letter;
    }

    /// All places, row by row.
    fn places(&self) -> Vec<(i32, i32)> {
        let (rows, cols) = (self.0.len() as i32, self.0[0].len() as i32);
        let row = |row| (0..cols).map(move |col| (row, col));
        (0..rows).flat_map(row).collect()
    }

    fn clobber(&self, mover: char) -> Options {
        let mut options = Vec::new();
        for (row, col) in self.places() {
            for (down, right) in [(-1, 0), (0, -1), (1, 0), (0, 1)] {
                let (to_row, to_col) = (row + down, col + right);
                if self.at(row, col) == mover && self.at(to_row, to_col) == other(mover) {
                    let mut after = self.clone();
                    after.put(row, col, '.');
                    after.put(to_row, to_col, mover);
                    options.push((name(row, col) + &name(to_row, to_col), after.text()));
                }
            }
        }
        options
    }

    fn othello(&self, mover: char) -> Options {
        let options = self.placements(mover);
        if options.is_empty() && !self.placements(other(mover)).is_empty() {
            vec![("pass".to_owned(), self.text())]
        } else {
            options
        }
    }

    fn placements(&self, mover: char) -> Options {
        let mut options = Vec::new();
        for (row, col) in self.places() {
            if self.at(row, col) != '.' {
                continue;
            }
            let mut after = self.clone();
            after.put(row, col, mover);
            let mut turns = false;
            for down in -1..=1 {
                for right in -1..=1 {
                    let mut run = 1;
                    while self.at(row + run * down, col + run * right) == other(mover) {
                        run += 1;
                    }
                    if run > 1 && self.at(row + run * down, col + run * right) == mover {
                        turns = true;
                        for step in 1..run {
                            after.put(row + step * down, col + step * right, mover);
                        }
                    }
                }
            }
            if turns {
                options.push((name(row, col), after.text()));
            }
        }
        options
    }
}

fn other(mover: char) -> char {
    if mover == 'x' { 'o' } else { 'x' }
}

fn name(row: i32, col: i32) -> String {
    let letter = |index: i32| char::from(b'a' + index as u8);
    match col / 26 {
        0 => format!("{}{}", letter(col), row + 1),
        high => format!("{}{}{}", letter(high - 1), letter(col % 26), row + 1),
    }
}

fn options<R: Rules>(rules: &R, position: &R::Position) -> Options {
    let option = |mv| {
        let after = rules.play_unchecked(position, mv);
        (rules.move_name(mv), rules.setup(&after).to_string())
    };
    rules.moves(position).map(option).collect()
}

/// Plays a random game and compares the options at every position.
fn check_options<G: Game>(
    game: &G,
    start: &G::Position,
    told: fn(&Letters, char) -> Options,
    random: &mut Random,
) -> G::Position {
    let mut position = *start;
    loop {
        let text = game.setup(&position).to_string();
        let mover = game.side_to_move(&position).letter();
        let expected = told(&Letters::new(&text), mover);
        assert_eq!(
            options(game, &position),
            expected,
            "{text}, {mover} to move"
        );
        let Some(mv) = random_move(game, &position, random) else {
            return position;
        };
        position = game.play_unchecked(&position, mv);
    }
}

fn check_told<B: Cells>(setup: &Setup, grid: Grid, random: &mut Random) {
    let to_move = Color::ALL[random.below(2) as usize];
    let clobber = Clobber::<B>::new(grid);
    let start = clobber.position(setup, to_move).unwrap();
    let end = check_options(&clobber, &start, Letters::clobber, random);
    assert_eq!(clobber.score(&end), Some(-1));

    let othello = Othello::<B>::new(grid);
    let end = check_options(&othello, &start, Letters::othello, random);
    let text = othello.setup(&end).to_string();
    let count = |letter| text.matches(letter).count() as i32;
    let mover = othello.side_to_move(&end).letter();
    assert_eq!(
        othello.score(&end),
        Some(count(mover) - count(other(mover)))
    );
}

#[test]
fn clobber_and_othello_are_played_as_the_rules_are_told() {
    let mut random = Random::new(1);
    for size in sizes() {
        for _ in 0..20 {
            let (grid, setup) = random_setup(size, &mut random);
            check_told::<u128>(&setup, grid, &mut random);
            if grid.len() <= 64 {
                check_told::<u64>(&setup, grid, &mut random);
            }
        }
    }
}

/// Plays a random game by both rules. The moves are the same in the same order, and so are the
/// boards.
fn check_same<R: Rules, S: Rules<Move = R::Move>>(
    (rules, start): (&R, R::Position),
    (others, other_start): (&S, S::Position),
    random: &mut Random,
) {
    let (mut position, mut other) = (start, other_start);
    loop {
        assert_eq!(rules.setup(&position), others.setup(&other));
        assert_eq!(rules.side_to_move(&position), others.side_to_move(&other));
        assert!(rules.moves(&position).eq(others.moves(&other)));
        assert_eq!(rules.plies_left(&position), others.plies_left(&other));
        let Some(mv) = random_move(rules, &position, random) else {
            break;
        };
        position = rules.play_unchecked(&position, mv);
        other = others.play_unchecked(&other, mv);
    }
}

/// A start of Reversi on the board of a setup, all cells empty.
fn reversi<B: Cells>(grid: Grid) -> Option<(Reversi<B>, ReversiPosition<B>)> {
    let rules = Reversi::new(grid)?;
    let start = rules.position(&Setup::new(grid), Color::Black).unwrap();
    Some((rules, start))
}

#[test]
fn words_of_64_and_128_bits_play_the_same_games() {
    let mut random = Random::new(2);
    for size in sizes().filter(|size| size.len() <= 64) {
        for _ in 0..20 {
            let (grid, setup) = random_setup(size, &mut random);
            let (clobber, wide_clobber) = (Clobber::<u64>::new(grid), Clobber::<u128>::new(grid));
            let narrow = clobber.position(&setup, Color::Black).unwrap();
            let wide = wide_clobber.position(&setup, Color::Black).unwrap();
            check_same((&clobber, narrow), (&wide_clobber, wide), &mut random);
            check_same(
                (&Clobber::<u64>::cannibal(grid), narrow),
                (&Clobber::<u128>::cannibal(grid), wide),
                &mut random,
            );
            check_same(
                (&Othello::<u64>::new(grid), narrow),
                (&Othello::<u128>::new(grid), wide),
                &mut random,
            );
            if let Some((narrow, start)) = reversi::<u64>(grid) {
                let (wide, wide_start) = reversi::<u128>(grid).expect("the same board");
                check_same((&narrow, start), (&wide, wide_start), &mut random);
            }
        }
    }
}

#[test]
fn solitaire_and_two_colours_are_played_like_clobber() {
    let mut random = Random::new(3);
    for size in sizes() {
        for _ in 0..10 {
            let (grid, setup) = random_setup(size, &mut random);
            let game = Clobber::<u128>::new(grid);
            let start = game.position(&setup, Color::Black).unwrap();
            let solitaire = clobber::Solitaire::new(grid);
            check_same((&game, start), (&solitaire, start), &mut random);
            let two = clobber::Colors::new(grid, 2);
            let two_start = two.position(&setup, Color::Black).unwrap();
            check_same((&game, start), (&two, two_start), &mut random);
        }
    }
}

/// The cells of a grid as vertices, which keep their names and stones. Holes are left out.
fn as_graph(setup: &Setup) -> Setup {
    let board = &setup.board;
    let cells = || board.cells().iter();
    let mut graph = Graph::new();
    for cell in cells() {
        graph.add_vertex(&board.name(cell)).expect("a new vertex");
    }
    for (a, b) in board.edges() {
        let edge = graph.add_edge(&board.name(a), &board.name(b));
        edge.expect("a new edge");
    }
    let mut written = Setup::new(graph);
    for (vertex, cell) in cells().enumerate() {
        if let Some(color) = setup.stone(cell) {
            written.put(Cell::new(vertex), color);
        }
    }
    written
}

/// Plays a random game on both boards by the names of the moves, whose order differs.
fn check_graph(grid: &Clobber<u128>, graph: &Clobber<u128>, setup: &Setup, random: &mut Random) {
    let mut on_grid = grid.position(setup, Color::Black).unwrap();
    let mut on_graph = graph.position(&as_graph(setup), Color::Black).unwrap();
    let depth = if setup.board.len() <= 16 { 4 } else { 2 };
    assert_eq!(perft(graph, &on_graph, depth), perft(grid, &on_grid, depth));
    loop {
        assert_eq!(as_graph(&grid.setup(&on_grid)), graph.setup(&on_graph));
        let cells = |mv: clobber::Move| (mv.from, mv.to);
        let listed: BTreeSet<_> = grid.moves(&on_grid).map(cells).collect();
        let named = graph.moves(&on_graph).map(|mv| {
            let name = graph.move_name(mv);
            cells(grid.move_named(&name).expect("a move of the grid"))
        });
        assert_eq!(named.collect::<BTreeSet<_>>(), listed);
        assert_eq!(graph.count_moves(&on_graph), listed.len() as u64);
        let Some(mv) = random_move(graph, &on_graph, random) else {
            break;
        };
        let same = grid.move_named(&graph.move_name(mv)).expect("a move");
        on_graph = graph.play_unchecked(&on_graph, mv);
        on_grid = grid.play_unchecked(&on_grid, same);
    }
}

#[test]
fn a_grid_and_its_graph_are_the_same_board() {
    let mut random = Random::new(4);
    for size in sizes() {
        for _ in 0..5 {
            let (grid, setup) = random_setup(size, &mut random);
            let graph = as_graph(&setup).board;
            for new in [Clobber::new, Clobber::cannibal] {
                check_graph(
                    &new(Board::from(grid)),
                    &new(graph.clone()),
                    &setup,
                    &mut random,
                );
            }
        }
    }
}
