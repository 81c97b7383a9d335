//! The laws of `Rules` and `Game`, and those of Clobber and Othello, along random games of every
//! variant on boards of all sizes and shapes.

use std::collections::{BTreeSet, HashSet};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use upstar_games::{
    AnyGame, Board, Cell, Cells, Clobber, Color, Game, Grid, Othello, Position, Random, Rules,
    Setup, Side, Symmetry, Variant, clobber, othello, perft, random_move, with_game, with_rules,
};

/// A game as a user asks for it, and the seed of the moves.
#[derive(Clone, Debug)]
struct Case {
    variant: Variant,
    start: String,
    to_move: Option<char>,
    seed: u64,
}

impl Case {
    fn open(&self) -> AnyGame {
        crate::common::open(&self.variant.to_string(), &self.start, self.to_move)
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn all_variants() -> Vec<Variant> {
    let more = [2, 4, 5, 6].map(Variant::Colors);
    Variant::ALL.into_iter().chain(more).collect()
}

fn clobbers() -> Vec<Variant> {
    let mut variants = all_variants();
    variants.retain(|variant| variant.to_string().starts_with("clobber"));
    variants
}

fn othellos() -> Vec<Variant> {
    let mut variants = all_variants();
    variants.retain(|variant| variant.to_string().starts_with("othello"));
    variants
}

/// Rows and columns, at least so many of each: small boards, boards of any shape, and those that
/// just fill a word.
fn sizes(least: usize) -> impl Strategy<Value = (usize, usize)> {
    let any_shape = (least..=128 / least)
        .prop_flat_map(move |rows| (Just(rows), least..=(128 / rows).max(least)));
    let full = [(8, 8), (4, 16), (32, 2), (8, 16), (16, 8), (64, 2), (2, 64)];
    prop_oneof![
        4 => (least..=5, least..=6),
        2 => any_shape,
        1 => select(full.to_vec()),
    ]
}

fn letters(colors: usize, others: &str) -> Vec<char> {
    let stones = Side::ALL[..colors].iter().map(|side| side.letter());
    stones.chain(others.chars()).collect()
}

/// Any stones and holes on a grid.
fn grids(colors: usize, least: usize) -> impl Strategy<Value = String> {
    sizes(least).prop_flat_map(move |(rows, cols)| {
        let row = vec(select(letters(colors, ".#")), cols).prop_map(String::from_iter);
        vec(row, rows).prop_map(|rows| rows.join("|"))
    })
}

/// Any stones on any graph.
fn graphs(colors: usize) -> impl Strategy<Value = String> {
    let orders = prop_oneof![4 => 1..=12usize, 1 => 60..=128usize];
    orders.prop_flat_map(move |order| {
        let stones = vec(select(letters(colors, ".")), order);
        let pairs = vec((0..order, 0..order), 0..=2 * order);
        (stones, pairs).prop_map(|(stones, pairs)| {
            let vertices = stones.iter().enumerate();
            let vertices = vertices.map(|(index, stone)| format!("v{index}={stone}"));
            let pairs = pairs.iter().map(|&(a, b)| (a.min(b), a.max(b)));
            let edges: BTreeSet<(usize, usize)> = pairs.filter(|(a, b)| a != b).collect();
            let edges = edges.iter().map(|(a, b)| format!("v{a}-v{b}"));
            vertices.chain(edges).collect::<Vec<_>>().join(",")
        })
    })
}

fn starts(variant: Variant) -> BoxedStrategy<String> {
    let (own, given, on_graphs) = match variant {
        Variant::Othello(_) => (2, 1, false),
        Variant::Reversi => (2, 2, false),
        _ => (1, 1, true),
    };
    let by_size = sizes(own).prop_map(|(rows, cols)| format!("{rows}x{cols}"));
    let random =
        (sizes(own), any::<u64>(), 0.0..=1.0f64).prop_map(|((rows, cols), seed, density)| {
            format!("random:{rows}x{cols},seed={seed},density={density}")
        });
    let colors = variant.sides();
    let on_grids = prop_oneof![by_size, random, grids(colors, given)];
    if on_graphs {
        prop_oneof![3 => on_grids, 1 => graphs(colors)].boxed()
    } else {
        on_grids.boxed()
    }
}

/// A start of one of these variants, any side to move.
fn cases(variants: Vec<Variant>) -> impl Strategy<Value = Case> {
    select(variants).prop_flat_map(|variant| {
        let sides = letters(variant.sides(), "");
        let to_move = proptest::option::of(select(sides));
        (starts(variant), to_move, any::<u64>()).prop_map(move |(start, to_move, seed)| Case {
            variant,
            start,
            to_move,
            seed,
        })
    })
}

/// A random game: its positions, and the moves between them.
fn random_game<R: Rules>(
    rules: &R,
    start: &R::Position,
    seed: u64,
) -> (Vec<R::Position>, Vec<R::Move>) {
    let mut random = Random::new(seed);
    let mut positions = vec![*start];
    let mut moves = Vec::new();
    while let Some(mv) = random_move(rules, positions.last().unwrap(), &mut random) {
        assert!(moves.len() < 1000, "the game does not end");
        positions.push(rules.play_unchecked(positions.last().unwrap(), mv));
        moves.push(mv);
    }
    (positions, moves)
}

/// Everything that could be taken for a move on a board, and a little more.
trait Conceivable: Sized {
    fn all(cells: usize) -> Vec<Self>;
}

impl Conceivable for clobber::Move {
    fn all(cells: usize) -> Vec<Self> {
        let all = || (0..cells).map(Cell::new);
        let onto = |from| all().map(move |to| Self { from, to });
        all().flat_map(onto).collect()
    }
}

impl Conceivable for othello::Move {
    fn all(cells: usize) -> Vec<Self> {
        let places = (0..cells).map(Cell::new).map(Self::Place);
        places.chain([Self::Pass]).collect()
    }
}

fn check_moves<R: Rules>(rules: &R, start: &R::Position, seed: u64) {
    for position in random_game(rules, start, seed).0 {
        let moves: Vec<R::Move> = rules.moves(&position).collect();
        let distinct: HashSet<R::Move> = moves.iter().copied().collect();
        assert_eq!(distinct.len(), moves.len(), "a move twice in {moves:?}");
        assert_eq!(rules.count_moves(&position), moves.len() as u64);
        assert_eq!(rules.is_over(&position), moves.is_empty());
    }
}

/// On small boards at every position, on larger ones at one of them.
fn check_play<R: Rules<Move: Conceivable>>(rules: &R, start: &R::Position, seed: u64) {
    let (mut positions, _) = random_game(rules, start, seed);
    let cells = rules.setup(start).board.len();
    if cells > 12 {
        let drawn = Random::new(seed).below(positions.len() as u32);
        positions = vec![positions[drawn as usize]];
    }
    let conceivable = R::Move::all((cells + 1).min(128));
    for position in positions {
        let moves: HashSet<R::Move> = rules.moves(&position).collect();
        for &mv in &conceivable {
            let after = moves
                .contains(&mv)
                .then(|| rules.play_unchecked(&position, mv));
            assert_eq!(rules.play(&position, mv).ok(), after, "{mv:?}");
        }
        assert!(moves.iter().all(|mv| conceivable.contains(mv)));
    }
}

fn check_end<R: Rules>(rules: &R, start: &R::Position, seed: u64) {
    let (positions, moves) = random_game(rules, start, seed);
    for (ply, position) in positions.iter().enumerate() {
        let (played, bound) = (moves.len() - ply, rules.plies_left(position));
        assert!(
            played as u64 <= u64::from(bound),
            "{played} plies, not {bound}"
        );
    }
}

fn check_names<R: Rules>(rules: &R, start: &R::Position, seed: u64) {
    let cells = rules.setup(start).board.cells();
    for position in random_game(rules, start, seed).0 {
        for mv in rules.moves(&position) {
            let name = rules.move_name(mv);
            assert_eq!(rules.move_named(&name), Some(mv), "{name}");
            match rules.path(mv) {
                Some((from, to)) => assert!(cells.contains(from) && cells.contains(to), "{name}"),
                None => assert_eq!(name, "pass"),
            }
        }
    }
}

/// What people see of a position: the board, the side to move, the moves.
fn seen<R: Rules>(rules: &R, position: &R::Position) -> (Setup, char, Vec<String>) {
    let moves = rules.moves(position).map(|mv| rules.move_name(mv));
    (
        rules.setup(position),
        rules.side_to_move(position).letter(),
        moves.collect(),
    )
}

fn check_texts<R: Rules>(rules: &R, start: &R::Position, case: &Case) {
    for position in random_game(rules, start, case.seed).0 {
        let mut written = seen(rules, &position);
        let again = Case {
            start: written.0.to_string(),
            to_move: Some(written.1),
            ..case.clone()
        };
        let mut read = with_rules!(&again.open(), |rules, start| seen(rules, start));
        if case.variant == Variant::Reversi {
            // The text does not say how many discs the sides have in hand.
            read.2.clear();
            written.2.clear();
        }
        assert_eq!(read, written);
    }
}

fn check_sides<G: Game>(game: &G, start: &G::Position, seed: u64) {
    let (positions, _) = random_game(game, start, seed);
    let mut side = game.to_move(start);
    for position in positions {
        assert_eq!(game.to_move(&position), side);
        assert_eq!(game.side_to_move(&position), side);
        assert_eq!(game.score(&position).is_some(), game.is_over(&position));
        side = !side;
    }
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn moves_are_distinct_and_none_are_left_at_the_end(case in cases(all_variants())) {
        with_rules!(&case.open(), |rules, start| check_moves(rules, start, case.seed));
    }

    #[test]
    fn play_accepts_exactly_the_moves(case in cases(all_variants())) {
        with_rules!(&case.open(), |rules, start| check_play(rules, start, case.seed));
    }

    #[test]
    fn play_ends_within_plies_left(case in cases(all_variants())) {
        with_rules!(&case.open(), |rules, start| check_end(rules, start, case.seed));
    }

    #[test]
    fn names_of_moves_are_read_back(case in cases(all_variants())) {
        with_rules!(&case.open(), |rules, start| check_names(rules, start, case.seed));
    }

    #[test]
    fn positions_are_read_back(case in cases(all_variants())) {
        with_rules!(&case.open(), |rules, start| check_texts(rules, start, &case));
    }

    #[test]
    fn sides_alternate_and_the_score_is_known_at_the_end(case in cases(all_variants())) {
        with_game!(&case.open(), |game, start| check_sides(game, start, case.seed), ());
    }
}

/// How many stones of each colour there are.
fn stones(setup: &Setup) -> [u32; 6] {
    Side::ALL.map(|side| setup.stones(side).len())
}

fn check_stones_go<R: Rules>(rules: &R, start: &R::Position, seed: u64) {
    let (positions, _) = random_game(rules, start, seed);
    for pair in positions.windows(2) {
        let [before, after] = [0, 1].map(|index| stones(&rules.setup(&pair[index])));
        assert_eq!(after.iter().sum::<u32>() + 1, before.iter().sum());
        assert!(
            after
                .iter()
                .zip(before)
                .all(|(&after, before)| after <= before)
        );
    }
}

/// A placement adds a disc and turns others, except that the first four of Reversi turn none.
fn check_discs<R: Rules>(rules: &R, start: &R::Position, case: &Case) {
    let (positions, moves) = random_game(rules, start, case.seed);
    let Board::Grid(grid) = rules.setup(start).board else {
        unreachable!("Othello is played on grids");
    };
    let centre = othello::central_square(&grid, othello::Middle::UpperLeft).map_or(0, |cells| {
        let cells = cells
            .into_iter()
            .filter(|&cell| grid.cells().contains(cell));
        cells.fold(0u128, Cells::with)
    });
    for (pair, &mv) in positions.windows(2).zip(&moves) {
        let [before, after] = [0, 1].map(|index| rules.setup(&pair[index]));
        let mover = rules.side_to_move(&pair[0]).color().unwrap();
        let own = |setup: &Setup| setup.stones(mover).len();
        let opponent = |setup: &Setup| setup.stones(!mover).len();
        let opening = centre & !(before.occupied()) != 0;
        if rules.path(mv).is_none() {
            assert_eq!(after, before, "a pass changes nothing");
        } else if case.variant == Variant::Reversi && opening {
            assert_eq!(own(&after), own(&before) + 1);
            assert_eq!(opponent(&after), opponent(&before));
        } else {
            let turned = opponent(&before) - opponent(&after);
            assert!(turned >= 1);
            assert_eq!(own(&after), own(&before) + 1 + turned);
        }
    }
}

/// From an empty board no side of Reversi places more than its half of the discs.
fn check_halves<R: Rules>(rules: &R, start: &R::Position, seed: u64) {
    let (positions, moves) = random_game(rules, start, seed);
    let cells = rules.setup(start).board.len();
    let mut placed = [0; 2];
    for (position, &mv) in positions.iter().zip(&moves) {
        let mover = rules.side_to_move(position);
        placed[mover.index()] += usize::from(rules.path(mv).is_some());
    }
    assert!(placed[0] <= cells.div_ceil(2) && placed[1] <= cells / 2);
}

/// Both sides move along the same edges.
fn check_edges<B: Cells>(game: &Clobber<B>, start: &Position<B>, seed: u64) {
    for position in random_game(game, start, seed).0 {
        let exchanged = Position {
            own: position.opponent,
            opponent: position.own,
            to_move: !position.to_move,
        };
        assert_eq!(game.count_moves(&position), game.count_moves(&exchanged));
    }
}

/// The moves of cannibals onto the other side's stones are those of Clobber, in its order.
fn check_cannibals<B: Cells>(cannibal: &Clobber<B>, start: &Position<B>, seed: u64) {
    let game = Clobber::<B>::new(cannibal.board().clone());
    for position in random_game(cannibal, start, seed).0 {
        let onto_others = cannibal
            .moves(&position)
            .filter(|mv| position.opponent.contains(mv.to));
        assert!(onto_others.eq(game.moves(&position)));
    }
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn each_move_of_clobber_takes_one_stone(case in cases(clobbers())) {
        with_rules!(&case.open(), |rules, start| check_stones_go(rules, start, case.seed));
    }

    #[test]
    fn sides_of_clobber_have_equally_many_moves(case in cases(vec![Variant::Clobber])) {
        match &case.open() {
            AnyGame::Clobber64(game, start) => check_edges(game, start, case.seed),
            AnyGame::Clobber128(game, start) => check_edges(game, start, case.seed),
            other => unreachable!("{other:?} is not Clobber"),
        }
    }

    #[test]
    fn cannibals_have_the_moves_of_clobber_too(case in cases(vec![Variant::Cannibal])) {
        match &case.open() {
            AnyGame::Clobber64(game, start) => check_cannibals(game, start, case.seed),
            AnyGame::Clobber128(game, start) => check_cannibals(game, start, case.seed),
            other => unreachable!("{other:?} is not Clobber"),
        }
    }

    #[test]
    fn each_placement_adds_a_disc_and_turns_others(case in cases(othellos())) {
        with_rules!(&case.open(), |rules, start| check_discs(rules, start, &case));
    }

    #[test]
    fn sides_of_reversi_place_at_most_their_half((rows, cols) in sizes(2), seed: u64) {
        let opened = crate::common::open("othello:reversi", &format!("{rows}x{cols}"), None);
        with_rules!(&opened, |rules, start| check_halves(rules, start, seed));
    }
}

/// Turning the board and then playing is playing and then turning the board.
fn check_symmetry<B: Cells, R: Rules<Position = Position<B>>>(
    rules: &R,
    start: &Position<B>,
    symmetry: &Symmetry,
    under: impl Fn(R::Move, &Symmetry) -> R::Move,
    seed: u64,
) {
    for position in random_game(rules, start, seed).0 {
        let image = position.under(symmetry);
        let moves: HashSet<R::Move> = rules.moves(&image).collect();
        assert_eq!(moves.len() as u64, rules.count_moves(&position));
        for mv in rules.moves(&position) {
            let turned = under(mv, symmetry);
            assert!(moves.contains(&turned), "{mv:?} has no image");
            let after = rules.play_unchecked(&position, mv).under(symmetry);
            assert_eq!(rules.play_unchecked(&image, turned), after, "{mv:?}");
        }
    }
    let lines = perft(rules, start, 2);
    assert_eq!(perft(rules, &start.under(symmetry), 2), lines);
}

fn check_symmetries<B: Cells>(setup: &Setup, grid: Grid, seed: u64) {
    let clobber = Clobber::<B>::new(grid);
    let start = clobber.position(setup, Color::Black).unwrap();
    let cannibal = Clobber::<B>::cannibal(grid);
    let othello = Othello::<B>::new(grid);
    for symmetry in &Symmetry::all(&grid) {
        let under = clobber::Move::under;
        check_symmetry(&clobber, &start, symmetry, under, seed);
        check_symmetry(&cannibal, &start, symmetry, under, seed);
        check_symmetry(&othello, &start, symmetry, othello::Move::under, seed);
    }
}

/// Holes that all symmetries of the whole grid keep, beginning with a few at random.
fn symmetric_holes(grid: Grid, random: &mut Random) -> u128 {
    let holes = (0..grid.len()).filter(|_| random.below(20) == 0);
    let holes = holes.fold(0u128, |set, index| set.with(Cell::new(index)));
    let images = Symmetry::all(&grid).into_iter();
    images.fold(0, |all, symmetry| all | symmetry.cells(holes))
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn rules_commute_with_symmetries((rows, cols) in sizes(1), seed: u64) {
        let mut random = Random::new(seed);
        let whole = Grid::new(rows, cols).unwrap();
        let grid = whole.with_holes(symmetric_holes(whole, &mut random));
        prop_assert_eq!(Symmetry::all(&grid).len(), Symmetry::all(&whole).len());
        let density = random.unit();
        let setup = clobber::random_stones(grid, 2, density, &mut random);
        check_symmetries::<u128>(&setup, grid, seed);
        if grid.len() <= 64 {
            check_symmetries::<u64>(&setup, grid, seed);
        }
    }
}

#[test]
fn symmetries_keep_neighbours() {
    for text in ["1x1", "1x9", "4x4", "3x7", "8x16", "11x11"] {
        let grid: Grid = text.parse().unwrap();
        let edges = |image: &dyn Fn(Cell) -> Cell| -> BTreeSet<(Cell, Cell)> {
            let edges = Board::from(grid).edges().into_iter();
            let images = edges.map(|(a, b)| (image(a), image(b)));
            images.map(|(a, b)| (a.min(b), a.max(b))).collect()
        };
        for symmetry in Symmetry::all(&grid) {
            assert_eq!(edges(&|cell| symmetry.cell(cell)), edges(&|cell| cell));
        }
    }
}
