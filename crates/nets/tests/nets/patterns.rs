//! Encoders that see patterns, against plain counting; learning from few inputs.

use std::collections::HashMap;

use upstar_games::{
    Clobber, Color, Game, Grid, Othello, Position, Random, Rules, Setup, Symmetry, clobber,
    othello, random_move,
};
use upstar_nets::{
    Activation, Adam, Encoder, Eyes, Initial, Judge, Network, Objective, Shape, Visible,
};

/// The inputs of a sparse encoder, each with its number.
struct Counter<'a, G: Visible> {
    game: &'a G,
    eyes: Eyes,
    encoder: Encoder,
    inputs: usize,
}

impl<'a, G: Visible> Counter<'a, G> {
    fn new(game: &'a G, start: &G::Position, encoder: Encoder) -> Self {
        let grid = game.grid(start).unwrap();
        Self {
            game,
            eyes: Eyes::new(grid, encoder),
            encoder,
            inputs: encoder.inputs(&grid),
        }
    }

    fn counts(&self, position: &G::Position, mover: Color) -> Vec<f32> {
        let mut inputs = vec![0.0; self.inputs];
        let view = self.game.view(position, mover, self.encoder);
        self.encoder.encode(&self.eyes, &view, &mut inputs);
        inputs
    }
}

/// All positions of some random games.
fn positions<G: Game>(game: &G, start: &G::Position, games: u64) -> Vec<G::Position> {
    let mut found = Vec::new();
    for index in 0..games {
        let (mut random, mut position) = (Random::for_game(5, index), *start);
        while let Some(mv) = random_move(game, &position, &mut random) {
            found.push(position);
            position = game.play_unchecked(&position, mv);
        }
        found.push(position);
    }
    found
}

fn clobber(size: &str) -> (Clobber<u64>, Position<u64>) {
    let grid: Grid = size.parse().unwrap();
    let game = Clobber::new(grid);
    let start = game
        .position(&clobber::checkerboard(grid), Color::Black)
        .unwrap();
    (game, start)
}

fn othello(size: &str) -> (Othello<u64>, Position<u64>) {
    let grid: Grid = size.parse().unwrap();
    let game = Othello::new(grid);
    let setup = othello::start(grid, othello::Opening::DIAGONAL).unwrap();
    let start = game.position(&setup, Color::Black).unwrap();
    (game, start)
}

/// A board as rows of letters: x for the mover, o for the opponent.
type Rows = Vec<Vec<char>>;

fn rows(position: &Position<u64>, grid: &Grid, mover: Color) -> Rows {
    let stones = position.stones();
    let letter = |row: usize, col: usize| {
        let has = |side: Color| stones[side.index()] >> grid.cell(row, col).index() & 1 == 1;
        match (has(mover), has(!mover)) {
            (true, _) => 'x',
            (_, true) => 'o',
            _ => '.',
        }
    };
    let row = |row: usize| (0..grid.cols()).map(|col| letter(row, col)).collect();
    (0..grid.rows()).map(row).collect()
}

fn images(rows: &Rows) -> Vec<Rows> {
    let mut found = vec![rows.clone()];
    for _ in 0..3 {
        let last = found.last().unwrap();
        let turned = (0..last[0].len())
            .map(|col| last.iter().rev().map(|row| row[col]).collect())
            .collect();
        found.push(turned);
    }
    for index in 0..4 {
        let mirrored = found[index]
            .iter()
            .map(|row| row.iter().rev().copied().collect());
        found.push(mirrored.collect());
    }
    found
}

fn standard(rows: &Rows) -> Rows {
    images(rows).into_iter().min().unwrap()
}

/// The shapes of a position as text, the plain way: components by walking, squares cut out.
fn plain_shapes(board: &Rows) -> Vec<Rows> {
    let (height, width) = (board.len(), board[0].len());
    let mut seen = vec![vec![false; width]; height];
    let mut shapes = Vec::new();
    for row in 0..height {
        for col in 0..width {
            if board[row][col] == '.' || seen[row][col] {
                continue;
            }
            let (mut component, mut open) = (Vec::new(), vec![(row, col)]);
            seen[row][col] = true;
            while let Some((row, col)) = open.pop() {
                component.push((row, col));
                let beside = [
                    (row.wrapping_sub(1), col),
                    (row + 1, col),
                    (row, col.wrapping_sub(1)),
                    (row, col + 1),
                ];
                for (row, col) in beside {
                    if row < height && col < width && board[row][col] != '.' && !seen[row][col] {
                        seen[row][col] = true;
                        open.push((row, col));
                    }
                }
            }
            let has = |letter| {
                component
                    .iter()
                    .any(|&(row, col)| board[row][col] == letter)
            };
            if !has('x') || !has('o') {
                continue;
            }
            if component.len() <= 6 {
                let top = component.iter().map(|cell| cell.0).min().unwrap();
                let left = component.iter().map(|cell| cell.1).min().unwrap();
                let mut shape = vec![vec!['.'; 6]; 6];
                for &(row, col) in &component {
                    shape[row - top][col - left] = board[row][col];
                }
                shapes.push(small_standard(&shape));
                continue;
            }
            for &(row, col) in &component {
                let mut square = vec![vec!['.'; 3]; 3];
                for (y, line) in square.iter_mut().enumerate() {
                    for (x, letter) in line.iter_mut().enumerate() {
                        let (row, col) = ((row + y).wrapping_sub(1), (col + x).wrapping_sub(1));
                        if row < height && col < width {
                            *letter = board[row][col];
                        }
                    }
                }
                for (y, x) in [(0, 0), (0, 2), (2, 0), (2, 2)] {
                    if square[y][1] == '.' && square[1][x] == '.' {
                        square[y][x] = '.';
                    }
                }
                shapes.push(standard(&square));
            }
        }
    }
    shapes
}

/// The lowest image of a small component, moved to the upper left corner.
fn small_standard(shape: &Rows) -> Rows {
    let moved = |rows: Rows| {
        let stones = (0..36).filter(|&cell| rows[cell / 6][cell % 6] != '.');
        let top = stones.clone().map(|cell| cell / 6).min().unwrap();
        let left = stones.map(|cell| cell % 6).min().unwrap();
        let letter = |row: usize, col: usize| {
            let line = rows.get(row + top);
            let letter = line.and_then(|line| line.get(col + left));
            letter.copied().unwrap_or('.')
        };
        let row = |row: usize| (0..6).map(|col| letter(row, col)).collect();
        (0..6).map(row).collect::<Rows>()
    };
    images(shape).into_iter().map(moved).min().unwrap()
}

/// Each shape has its input, and each input as many as there are shapes of its kind. Small components
/// with the same neighbourhoods share an input, so shapes are told apart by their inputs only one way.
#[test]
fn shapes_are_counted() {
    for size in ["4x4", "6x6", "3x7", "1x9"] {
        let (game, start) = clobber(size);
        let grid = game.grid(&start).unwrap();
        let counter = Counter::new(&game, &start, Encoder::Shapes);
        let mut inputs_of: HashMap<Rows, usize> = HashMap::new();
        for position in positions(&game, &start, 30) {
            for mover in [Color::Black, Color::White] {
                let inputs = counter.counts(&position, mover);
                let shapes = plain_shapes(&rows(&position, &grid, mover));
                let total: f32 = inputs.iter().sum();
                assert_eq!(total, shapes.len() as f32, "{size} {position:?}");
                // A position with a single shape tells that shape's input.
                if let [shape] = &shapes[..] {
                    let input = inputs.iter().position(|&count| count == 1.0).unwrap();
                    assert_eq!(*inputs_of.entry(shape.clone()).or_insert(input), input);
                }
                let mut expected: HashMap<usize, f32> = HashMap::new();
                let known: Option<Vec<usize>> = shapes
                    .iter()
                    .map(|shape| inputs_of.get(shape).copied())
                    .collect();
                if let Some(known) = known {
                    known
                        .iter()
                        .for_each(|&input| *expected.entry(input).or_default() += 1.0);
                    for (input, &count) in inputs.iter().enumerate() {
                        assert_eq!(count, expected.get(&input).copied().unwrap_or(0.0));
                    }
                }
            }
        }
        assert!(inputs_of.len() > 3, "{size}");
    }
}

#[test]
fn patterns_do_not_depend_on_where_they_stand() {
    let (game, start) = clobber("5x5");
    let counter = Counter::new(&game, &start, Encoder::Shapes);
    let symmetries = Symmetry::all(&"5x5".parse().unwrap());
    for position in positions(&game, &start, 10) {
        let seen = counter.counts(&position, Color::Black);
        for symmetry in &symmetries {
            let turned = position.under(symmetry);
            assert_eq!(counter.counts(&turned, Color::Black), seen);
        }
    }
    let seen = |text: &str| {
        let setup: Setup = text.parse().unwrap();
        let position: Position<u64> = game.position(&setup, Color::Black).unwrap();
        counter.counts(&position, Color::White)
    };
    // Moved, bent where the rules do not see it, and beside stones that never move.
    let expected = seen("xoo..|.....|.....|.....|.....");
    assert_eq!(expected.iter().sum::<f32>(), 1.0);
    assert_eq!(seen(".....|.....|..x..|..o..|..o.."), expected);
    assert_eq!(seen(".....|.....|..xo.|...o.|....."), expected);
    assert_eq!(seen("xx...|x....|..xo.|...o.|o...."), expected);
    assert_ne!(seen("xox..|.....|.....|.....|....."), expected);
    for size in ["8x8", "4x4", "5x6"] {
        let (game, start) = othello(size);
        let counter = Counter::new(&game, &start, Encoder::Lines);
        let symmetries = Symmetry::all(&size.parse().unwrap());
        for position in positions(&game, &start, 4) {
            let seen = counter.counts(&position, Color::White);
            for symmetry in &symmetries {
                let turned = position.under(symmetry);
                assert_eq!(counter.counts(&turned, Color::White), seen);
            }
        }
    }
}

/// Every line and corner of the usual board shows one pattern, and different edges different ones.
#[test]
fn lines_are_counted() {
    let (game, start) = othello("8x8");
    let counter = Counter::new(&game, &start, Encoder::Lines);
    for position in positions(&game, &start, 5) {
        let inputs = counter.counts(&position, Color::Black);
        assert_eq!(inputs.iter().sum::<f32>(), 42.0);
    }
    let mut seen = std::collections::HashSet::new();
    // All boards with stones on the upper edge only: a board and its mirror image are the same.
    for code in 0..3usize.pow(8) {
        let digit = |place: usize| code / 3usize.pow(place as u32) % 3;
        let cells = |wanted| (0..8).filter(move |&place| digit(place) == wanted);
        let set = |wanted| cells(wanted).fold(0u64, |set, place| set | 1 << place);
        let position = Position {
            own: set(1),
            opponent: set(2),
            to_move: Color::White,
        };
        if code % 7 == 0 {
            let inputs = counter.counts(&position, Color::Black);
            let there: Vec<usize> = (0..inputs.len()).filter(|&n| inputs[n] > 0.0).collect();
            seen.insert(there);
        }
    }
    let edges = (0..3usize.pow(8)).filter(|code| code % 7 == 0).map(|code| {
        let digits: Vec<usize> = (0..8).map(|n| code / 3usize.pow(n) % 3).collect();
        let mirrored: Vec<usize> = digits.iter().rev().copied().collect();
        digits.min(mirrored)
    });
    let different: std::collections::HashSet<Vec<usize>> = edges.collect();
    assert_eq!(seen.len(), different.len());
}

/// A network that is given the same numbers as a long row says and learns the same.
#[test]
fn sparse_learning_is_dense_learning() {
    let (game, start) = othello("4x4");
    let counter = Counter::new(&game, &start, Encoder::Lines);
    let mut sparse = lines_network(3);
    let mut dense = sparse.clone();
    let mut judge = Judge::new(&sparse, &game, &start).unwrap();
    let mut row = dense.trace();
    let close = |a: f32, b: f32| (a - b).abs() < 1e-5;
    for (index, position) in positions(&game, &start, 5).iter().enumerate() {
        let target = [1.0, -1.0][index % 2];
        row.inputs = counter.counts(position, Color::Black);
        let trace = judge.look(&sparse, &game, position, Color::Black);
        assert!(trace.inputs.is_empty() && trace.rows.len() == 4 + 4 + 2 * 3 + 4);
        assert!(close(trace.output(), dense.forward(&mut row)));
        assert!(sparse.learn(trace, target, 0.01) && dense.learn(&mut row, target, 0.01));
        for input in 0..counter.inputs {
            let pairs = sparse
                .input_weights(input)
                .iter()
                .zip(dense.input_weights(input));
            assert!(pairs.into_iter().all(|(&a, &b)| close(a, b)), "{input}");
        }
    }
}

/// Adam learns with either objective, and inputs that were not there rest.
#[test]
fn adam_leaves_absent_inputs_alone() {
    let (game, start) = othello("4x4");
    // Its output weights have both signs: were all positive, rectifiers could not lower the output.
    let before = lines_network(0);
    let mut judge = Judge::new(&before, &game, &start).unwrap();
    for objective in [Objective::Squared, Objective::CrossEntropy] {
        let mut network = before.clone();
        let mut adam = Adam::new(&network, 0.01);
        adam.objective = objective;
        for _ in 0..100 {
            let trace = judge.look(&network, &game, &start, Color::White);
            assert!(adam.add(&mut network, trace, -1.0));
            adam.step(&mut network);
        }
        let trace = judge.look(&network, &game, &start, Color::White);
        assert!(trace.output() < -0.9, "{objective:?}: {}", trace.output());
        for input in 0..network.shape().inputs() {
            let same = network.input_weights(input) == before.input_weights(input);
            assert_eq!(same, !trace.rows.contains(&(input as u32)), "{input}");
        }
        let state = adam.state();
        let again = Adam::new(&network, 0.01).with_state(&state).unwrap();
        assert_eq!(again.state(), state);
    }
}

/// Adam by hand, with gradients from plain backpropagation of a copy.
#[test]
fn sparse_adam_is_plain_adam() {
    let (game, start) = othello("4x4");
    for seed in 0..4 {
        let mut network = lines_network(seed);
        let mut judge = Judge::new(&network, &game, &start).unwrap();
        let mut adam = Adam::new(&network, 0.01);
        let mut plain = numbers(&network);
        let (inputs, nodes) = (network.shape().inputs(), network.shape().hidden[0]);
        let (mut mean, mut square) = (vec![0.0; plain.len()], vec![0.0; plain.len()]);
        for step in 1..=6 {
            // A power of two, so that it can be divided away without loss.
            const LARGE: f32 = 1024.0;
            let mut copy = network.clone();
            let trace = judge.look(&copy, &game, &start, Color::White);
            copy.learn(trace, -1.0, LARGE);
            let present: Vec<u32> = trace.rows.clone();
            let pairs = numbers(&copy).into_iter().zip(numbers(&network));
            let gradient: Vec<f64> = pairs
                .map(|(new, old)| (new - old) / f64::from(LARGE))
                .collect();
            for (place, slope) in gradient.into_iter().enumerate() {
                let input = place / nodes;
                if input < inputs && !present.contains(&(input as u32)) {
                    continue;
                }
                mean[place] = 0.9 * mean[place] + 0.1 * slope;
                square[place] = 0.999 * square[place] + 0.001 * slope * slope;
                let corrected = mean[place] / (1.0 - 0.9f64.powi(step));
                let size = (square[place] / (1.0 - 0.999f64.powi(step))).sqrt() + 1e-8;
                plain[place] += 0.01 * corrected / size;
            }
            let trace = judge.look(&network, &game, &start, Color::White);
            assert!(adam.add(&mut network, trace, -1.0));
            adam.step(&mut network);
            for (place, (ours, plain)) in numbers(&network).iter().zip(&plain).enumerate() {
                assert!(
                    (ours - plain).abs() < 1e-4,
                    "seed {seed} step {step} weight {place}: {ours} {plain}"
                );
            }
        }
    }
}

/// All weights, from the file's numbers: layer by layer, the first one first.
fn numbers(network: &Network) -> Vec<f64> {
    let bytes = network.to_bytes();
    let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize + 8;
    let numbers = bytes[header..].as_chunks().0.iter();
    numbers
        .map(|bytes| f64::from(f32::from_le_bytes(*bytes)))
        .collect()
}

fn lines_network(seed: u64) -> Network {
    let shape = Shape {
        game: "othello".parse().unwrap(),
        grid: "4x4".parse().unwrap(),
        encoder: Encoder::Lines,
        convolutions: Vec::new(),
        hidden: vec![9, 4],
        activation: Activation::LEAKY_RELU,
        output: Activation::Tanh,
    };
    Network::new(shape, Initial::Scaled, &mut Random::new(seed))
}
