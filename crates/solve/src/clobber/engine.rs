//! A board made ready for search: where its cells lie in a word, and what its small components are
//! worth.

use std::io;
use std::sync::Arc;

use upstar_games::{Board, Cell, Cells, Grid};
use upstar_machine::Portable;

use super::anywhere::{Network, Plane};
use super::lookup::Lookup;
use super::model::Model;
use super::samples::Samples;
use super::search::{Search, Worker};
use super::shapes::Place;
use super::space::{Lattice, Space};
use super::sum::{Ground, Piece, Sum};
use super::technique::Technique;
use super::value_table::ValueTable;
use super::values::Value;
use crate::key::Key;
use crate::transposition_table::TranspositionTable;
use upstar_jobs::{Budget, Unwatched, Watch};

/// A search on one board, whatever word its cells lie in.
pub(crate) trait Engine: Send {
    /// Whether `mover` wins with these stones, and after how many nodes.
    fn wins(
        &mut self,
        stones: [u128; 2],
        mover: usize,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> (Option<bool>, u64);

    /// The key of these stones for this mover.
    fn key(&self, stones: [u128; 2], mover: usize) -> Key;

    /// A component that stands in a box of its own.
    fn large(&self, rows: usize, cols: usize, stones: [u128; 2]) -> Part;

    /// The index of one of these sums that the mover loses, if there is one and the budget lasts.
    fn first_lost(&mut self, sums: &[Vec<Part>], mover: usize, budget: &Budget) -> Option<usize>;

    /// The cells of components that change nothing: of those worth nothing, and of pairs of which one is the
    /// negative of the other.
    fn idle(&self, stones: [u128; 2]) -> u128;

    /// Whether the mover wins with these stones, if that is known without a search.
    fn known_result(&self, stones: [u128; 2], mover: usize) -> Option<bool>;

    /// What is known of a position and its moves without a search.
    fn look(&self, stones: [u128; 2], mover: usize, moves: &[[usize; 2]]) -> Sight;

    /// Another search with the same table of results.
    fn share(&self) -> Box<dyn Engine>;

    /// Searches with this many threads from now on, at least one and at most as many as were planned.
    fn use_threads(&mut self, threads: usize);

    /// The results found so far.
    fn table(&self) -> &TranspositionTable;

    /// From now on keeps what the first thread solves.
    fn collect(&mut self);

    /// What was kept since the last call.
    fn collected(&mut self) -> Samples;
}

/// What is known without a search.
pub(crate) struct Sight {
    /// Whether the mover wins.
    pub(crate) win: Option<bool>,
    /// About how many positions it takes to find out.
    pub(crate) expected: f64,
    /// For each move the key of what it leads to, and whether the side then to move wins; none where a proof is far
    /// away.
    pub(crate) moves: Vec<(Key, Option<bool>)>,
}

/// Where more positions than this are expected, moves are not looked at: nobody has searched what they lead to.
const MOST_EXPECTED: f64 = 1e9;

/// A component of a sum that need not stand on the board as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Small(Value),
    /// Left's stones and Right's, each somewhere on the board.
    Large([u128; 2]),
}

/// How to search.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) memory: usize,
    pub(crate) threads: usize,
    pub(crate) model: Arc<Model>,
    pub(crate) without: Option<Technique>,
}

/// Makes a board ready.
pub(crate) fn engine(
    board: &Board,
    values: Arc<ValueTable>,
    cannibal: bool,
    plan: &Plan,
) -> io::Result<Box<dyn Engine>> {
    let Board::Grid(grid) = board else {
        let bit = |&(_, vertex): &Place| Some(1u128 << vertex);
        let places = (0..board.len() as u8).collect();
        return ready(Network::new(board), bit, places, values, cannibal, plan);
    };
    // A tall board is searched as the wide one that it is when turned: values of long rows and what
    // was learned are about wide ones.
    let is_tall = grid.rows() > grid.cols();
    let wide = match is_tall {
        true => Grid::new(grid.cols(), grid.rows()).expect("a turned board is as large"),
        false => *grid,
    };
    let place = |cell: usize| match grid.row_and_col(Cell::new(cell)) {
        (row, col) if is_tall => (col, row),
        upright => upright,
    };
    let places: Vec<(usize, usize)> = (0..grid.len()).map(place).collect();
    match (wide.rows(), wide.cols()) {
        (1, 0..=64) => lattice::<64>(&wide, &places, values, cannibal, plan),
        (0..=2, 0..=32) => lattice::<32>(&wide, &places, values, cannibal, plan),
        (0..=8, 0..=8) => lattice::<8>(&wide, &places, values, cannibal, plan),
        (0..=4, 0..=16) => lattice::<16>(&wide, &places, values, cannibal, plan),
        (rows, cols) => {
            let bit = |&(row, col): &Place| {
                let (row, col) = (usize::from(row), usize::from(col));
                (row < rows && col < cols).then(|| 1u128 << (row * cols + col))
            };
            let word = |&(row, col): &(usize, usize)| (row * cols + col) as u8;
            let places = places.iter().map(word).collect();
            ready(Plane::new(&wide), bit, places, values, cannibal, plan)
        }
    }
}

fn lattice<const STRIDE: u32>(
    grid: &Grid,
    places: &[(usize, usize)],
    values: Arc<ValueTable>,
    cannibal: bool,
    plan: &Plan,
) -> io::Result<Box<dyn Engine>> {
    let (rows, cols) = (grid.rows(), grid.cols());
    let bit = |&(row, col): &Place| {
        let fits = usize::from(row) < rows && usize::from(col) < cols;
        fits.then(|| 1u64 << (u32::from(row) * STRIDE + u32::from(col)))
    };
    let word = |&(row, col): &(usize, usize)| (row * STRIDE as usize + col) as u8;
    let places = places.iter().map(word).collect();
    ready(Lattice::<STRIDE>, bit, places, values, cannibal, plan)
}

/// Makes a board ready whose cells are these places of a word. `bit` is the place of a shape's cell, if
/// it is on the board.
fn ready<S: Space + 'static>(
    space: S,
    bit: impl Fn(&Place) -> Option<S::Set>,
    places: Vec<u8>,
    values: Arc<ValueTable>,
    cannibal: bool,
    plan: &Plan,
) -> io::Result<Box<dyn Engine>> {
    let set = |cells: &[Place]| -> Option<S::Set> {
        cells
            .iter()
            .try_fold(S::Set::EMPTY, |set, cell| Some(set | bit(cell)?))
    };
    // How many stones a component may have to be looked up.
    let most = match plan.without {
        Some(Technique::Values) => 5,
        _ => u32::MAX,
    };
    let ground = Ground {
        space,
        lookup: Lookup::new(values, set, most),
        cannibal,
        without: plan.without,
    };
    Ok(Box::new(Ready::new(ground, places, plan)?))
}

struct Ready<S: Space> {
    ground: Arc<Ground<S>>,
    table: Arc<TranspositionTable>,
    workers: Vec<Worker<S>>,
    /// How many of the workers search.
    threads: usize,
    /// For each cell of the board its place in the word.
    places: Vec<u8>,
}

impl<S: Space> Ready<S> {
    fn new(ground: Ground<S>, places: Vec<u8>, plan: &Plan) -> io::Result<Self> {
        let worker = |_| Worker::new(Arc::clone(&plan.model));
        Ok(Self {
            ground: Arc::new(ground),
            table: Arc::new(TranspositionTable::new(plan.memory)?),
            workers: (0..plan.threads.max(1)).map(worker).collect(),
            threads: plan.threads.max(1),
            places,
        })
    }

    fn place(&self, stones: u128) -> S::Set {
        let place = |cell: Cell| S::Set::one(Cell::new(self.places[cell.index()].into()));
        stones
            .iter()
            .fold(S::Set::EMPTY, |set, cell| set | place(cell))
    }
}

impl<S: Space> Ready<S> {
    /// The components of these stones.
    fn parts(&self, stones: [S::Set; 2]) -> Vec<(S::Set, Piece<S::Set>)> {
        let mut parts = Vec::new();
        let mut rest = stones[0] | stones[1];
        while let Some(cell) = rest.first() {
            let part = self.ground.space.fill(S::Set::one(cell), rest);
            rest &= !part;
            let piece = self
                .ground
                .piece::<Portable>(stones.map(|stones| stones & part));
            parts.push((part, piece));
        }
        parts
    }

    /// Whether the mover wins a sum, as far as that is known without a search.
    fn known(&self, sum: &Sum<S::Set>, mover: usize) -> Option<bool> {
        let values = self.ground.values();
        let only_values = sum.large.is_empty();
        let told = only_values.then(|| values.winner(sum.small.iter().copied(), mover, true));
        told.flatten().or_else(|| self.table.get(sum.keys[mover]))
    }
}

impl<S: Space + 'static> Engine for Ready<S> {
    fn wins(
        &mut self,
        stones: [u128; 2],
        mover: usize,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> (Option<bool>, u64) {
        let sum = self.ground.sum(stones.map(|stones| self.place(stones)));
        let search = Search::new(&self.ground, &self.table, budget, self.threads, watch);
        search.wins(&sum, mover, &mut self.workers[..self.threads])
    }

    fn key(&self, stones: [u128; 2], mover: usize) -> Key {
        self.ground
            .sum(stones.map(|stones| self.place(stones)))
            .keys[mover]
    }

    fn large(&self, rows: usize, cols: usize, stones: [u128; 2]) -> Part {
        Part::Large(stones.map(|set| self.ground.space.embed(rows, cols, set).into()))
    }

    fn first_lost(&mut self, sums: &[Vec<Part>], mover: usize, budget: &Budget) -> Option<usize> {
        let whole = |parts: &Vec<Part>| {
            let mut sum = Sum::zero();
            for part in parts {
                let piece = match *part {
                    Part::Small(Value::ZERO) => Piece::Zero,
                    Part::Small(value) => Piece::Small(value),
                    Part::Large(stones) => {
                        self.ground.piece::<Portable>(stones.map(S::Set::from_wide))
                    }
                };
                self.ground.add(&mut sum, &piece);
            }
            sum
        };
        let sums: Vec<Sum<S::Set>> = sums.iter().map(whole).collect();
        let known = |sum: &Sum<S::Set>| self.known(sum, mover);
        let known: Vec<Option<bool>> = sums.iter().map(known).collect();
        if let Some(lost) = known.iter().position(|&win| win == Some(false)) {
            return Some(lost);
        }
        let mut open: Vec<usize> = (0..sums.len()).filter(|&i| known[i].is_none()).collect();
        open.sort_by_cached_key(|&i| self.workers[0].rank(&self.ground, &sums[i], mover));
        open.into_iter().find(|&i| {
            let search = Search::new(&self.ground, &self.table, budget, self.threads, &Unwatched);
            let workers = &mut self.workers[..self.threads];
            search.wins(&sums[i], mover, workers).0 == Some(false)
        })
    }

    fn idle(&self, stones: [u128; 2]) -> u128 {
        let mut idle = S::Set::EMPTY;
        let mut others: Vec<(S::Set, [Key; 2])> = Vec::new();
        for (part, piece) in self.parts(stones.map(|stones| self.place(stones))) {
            let keys = match &piece {
                Piece::Zero => {
                    idle |= part;
                    continue;
                }
                Piece::Small(value) => self.ground.values().keys(*value),
                Piece::Large(component) => component.keys,
            };
            let negative = [keys[1], keys[0]];
            match others.iter().position(|&(_, other)| other == negative) {
                Some(place) => idle |= part | others.swap_remove(place).0,
                None => others.push((part, keys)),
            }
        }
        let is_idle = |cell: Cell| idle.contains(Cell::new(self.places[cell.index()].into()));
        let stones = stones[0] | stones[1];
        stones
            .iter()
            .filter(|&cell| is_idle(cell))
            .fold(0, u128::with)
    }

    fn known_result(&self, stones: [u128; 2], mover: usize) -> Option<bool> {
        let sum = self.ground.sum(stones.map(|stones| self.place(stones)));
        self.known(&sum, mover)
    }

    fn look(&self, stones: [u128; 2], mover: usize, moves: &[[usize; 2]]) -> Sight {
        let stones = stones.map(|stones| self.place(stones));
        let parts = self.parts(stones);
        let sum = |without: usize| {
            let mut sum = Sum::zero();
            let others = parts.iter().enumerate();
            for (_, (_, piece)) in others.filter(|&(place, _)| place != without) {
                self.ground.add(&mut sum, piece);
            }
            sum
        };
        // What stays beside the component of a move, made when it is needed.
        let mut beside: Vec<Option<Sum<S::Set>>> = vec![None; parts.len()];
        let other = 1 - mover;
        let after = |&[from, to]: &[usize; 2]| {
            let cell = |cell: usize| Cell::new(self.places[cell].into());
            let (from, to) = (cell(from), cell(to));
            let place = parts.iter().position(|(part, _)| part.contains(from));
            let place = place.expect("a stone moves");
            let mut child = beside[place].get_or_insert_with(|| sum(place)).clone();
            let mut part = stones.map(|stones| stones & parts[place].0);
            part[other] &= !S::Set::one(to);
            // In cannibal Clobber the stone may have been one's own.
            part[mover] = (part[mover] | S::Set::one(to)) & !S::Set::one(from);
            for (_, piece) in self.parts(part) {
                self.ground.add(&mut child, &piece);
            }
            (child.keys[other], self.known(&child, other))
        };
        let whole = sum(usize::MAX);
        let expected = self.workers[0].expected(&self.ground, &whole, mover);
        let moves = match expected <= MOST_EXPECTED {
            true => moves.iter().map(after).collect(),
            false => Vec::new(),
        };
        Sight {
            win: self.known(&whole, mover),
            expected,
            moves,
        }
    }

    fn share(&self) -> Box<dyn Engine> {
        Box::new(Self {
            ground: Arc::clone(&self.ground),
            table: Arc::clone(&self.table),
            workers: vec![self.workers[0].alike()],
            threads: 1,
            places: self.places.clone(),
        })
    }

    fn use_threads(&mut self, threads: usize) {
        self.threads = threads.clamp(1, self.workers.len());
    }

    fn table(&self) -> &TranspositionTable {
        &self.table
    }

    fn collect(&mut self) {
        self.workers[0].samples = Some(Samples::default());
    }

    fn collected(&mut self) -> Samples {
        let samples = self.workers[0].samples.as_mut();
        samples.map(std::mem::take).unwrap_or_default()
    }
}
