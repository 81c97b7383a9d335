//! The values of all small components, found once and for all: every colouring of every shape, from
//! small to large, each from the values of what its moves lead to.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use upstar_cgt::{Comparisons, Games, Value};
use upstar_jobs::{Budget, ThreadError, thread};

use super::shapes::{Shape, Shapes};

/// The values of all colourings of some shapes.
pub(crate) struct Census {
    /// All values, and those of their options.
    pub(crate) games: Games,
    /// For each shape the values of its colourings. Bit `i` of a colouring is set where the stone
    /// in cell `i` is Left's.
    pub(crate) entries: Vec<Value>,
}

/// How many pieces the shapes of one size are dealt out in: fixed, so that the values' numbers do not
/// depend on the number of threads.
const PIECES: usize = 64;

/// Finds the values of all colourings.
pub(crate) fn census(
    shapes: &Shapes,
    cannibal: bool,
    threads: usize,
    budget: &Budget,
    progress: &mut dyn FnMut(usize),
) -> Result<Census, CensusError> {
    let bases = shapes.bases();
    let mut games = Games::new();
    let mut entries = vec![Value::ZERO; bases[shapes.shapes.len()]];
    let mut first = 0;
    for size in 1..=shapes.largest() {
        let models: Vec<usize> = (first..shapes.shapes.len())
            .take_while(|&i| shapes.shapes[i].cells.len() == size)
            .collect();
        let (begin, end) = (first, first + models.len());
        first = end;
        let models: Vec<usize> = models
            .into_iter()
            .filter(|&i| shapes.shapes[i].model.0 == i)
            .collect();
        let known = Known {
            shapes,
            bases: &bases,
            entries: &entries,
            cannibal,
        };
        let work = |piece: usize| models.iter().skip(piece).step_by(PIECES).copied();

        // Sums of parts that nobody has met yet.
        let met = in_parallel(threads, |piece| {
            let mut sums: Vec<Vec<Value>> = Vec::new();
            let mut seen = HashMap::new();
            for shape in work(piece).take_while(|_| !budget.is_over()) {
                known.each_option(shape, &mut |_, _, parts| {
                    if parts.len() > 1 && !seen.contains_key(parts) {
                        seen.insert(parts.to_vec(), ());
                        sums.push(parts.to_vec());
                    }
                });
            }
            sums
        })?;
        let mut sums: HashMap<Vec<Value>, Value> = HashMap::new();
        for parts in met.into_iter().flatten() {
            if budget.is_over() {
                return Err(CensusError::Stopped);
            }
            let sum = parts
                .iter()
                .fold(Value::ZERO, |sum, &part| games.sum(sum, part));
            sums.insert(parts, sum);
        }

        // Each game by its options, once per piece of work.
        let met = in_parallel(threads, |piece| {
            let mut met = Met::default();
            for shape in work(piece).take_while(|_| !budget.is_over()) {
                met.add(&known, shape, &sums);
            }
            let mut comparisons = Comparisons::new();
            for [left, right] in &mut met.games {
                if budget.is_over() {
                    break;
                }
                games.simplify(&mut comparisons, left, right);
            }
            met
        })?;
        if budget.is_over() {
            return Err(CensusError::Stopped);
        }
        let mut found: Vec<(usize, Vec<Value>)> = Vec::new();
        for met in met {
            let values: Vec<Value> = met
                .games
                .iter()
                .map(|[left, right]| games.intern(left, right))
                .collect();
            for (shape, colourings) in met.colourings {
                found.push((
                    shape,
                    colourings
                        .iter()
                        .map(|&game| values[game as usize])
                        .collect(),
                ));
            }
        }
        for (shape, values) in found {
            let base = bases[shape];
            let all = (1 << size) - 1;
            for (colouring, &value) in values.iter().enumerate() {
                entries[base + colouring] = value;
                entries[base + all - colouring] = games.negative(value);
            }
        }
        for shape in begin..end {
            let (model, cells) = &shapes.shapes[shape].model;
            if *model == shape {
                continue;
            }
            for colouring in 0..1usize << size {
                let moved = |(i, &cell): (usize, &u8)| (colouring >> cell & 1) << i;
                let image: usize = cells.iter().enumerate().map(moved).sum();
                entries[bases[shape] + colouring] = entries[bases[*model] + image];
            }
        }
        progress(bases[end]);
    }
    Ok(Census { games, entries })
}

/// Why there are no values.
pub(crate) enum CensusError {
    /// The budget was spent.
    Stopped,
    /// No thread could be started.
    Thread(ThreadError),
}

impl From<ThreadError> for CensusError {
    fn from(error: ThreadError) -> Self {
        Self::Thread(error)
    }
}

/// What is known of smaller shapes.
struct Known<'a> {
    shapes: &'a Shapes,
    bases: &'a [usize],
    entries: &'a [Value],
    cannibal: bool,
}

impl Known<'_> {
    /// Calls for each move in each colouring of the lower half with the colouring, the side that
    /// moves, and the values of what is left, sorted and without zeros.
    fn each_option(&self, shape: usize, call: &mut impl FnMut(usize, usize, &[Value])) {
        let Shape {
            cells,
            beside,
            parts,
            ..
        } = &self.shapes.shapes[shape];
        let mut left_over = Vec::new();
        for colouring in 0..1usize << (cells.len() - 1) {
            for from in 0..cells.len() {
                let color = colouring >> from & 1;
                for to in (0..cells.len()).filter(|to| beside[from] >> to & 1 != 0) {
                    if colouring >> to & 1 == color && !self.cannibal {
                        continue;
                    }
                    let after = colouring & !(1 << to) | color << to;
                    left_over.clear();
                    for part in &parts[from] {
                        let place = compress(after as u32, part.cells);
                        let value = self.entries[self.bases[part.shape] + place as usize];
                        if value != Value::ZERO {
                            left_over.push(value);
                        }
                    }
                    left_over.sort_unstable();
                    // Bit 1 is Left's stone.
                    call(colouring, 1 - color, &left_over);
                }
            }
        }
    }
}

/// Games by their options, and which colourings are which.
#[derive(Default)]
struct Met {
    games: Vec<[Vec<Value>; 2]>,
    index: HashMap<[Vec<Value>; 2], u32>,
    colourings: Vec<(usize, Vec<u32>)>,
}

impl Met {
    fn add(&mut self, known: &Known<'_>, shape: usize, sums: &HashMap<Vec<Value>, Value>) {
        let size = known.shapes.shapes[shape].cells.len();
        let mut options = vec![[const { Vec::new() }; 2]; 1 << (size - 1)];
        known.each_option(shape, &mut |colouring, side, parts| {
            let value = match parts {
                [] => Value::ZERO,
                [value] => *value,
                parts => sums[parts],
            };
            options[colouring][side].push(value);
        });
        let mut numbers = Vec::with_capacity(options.len());
        for mut options in options {
            for side in &mut options {
                side.sort_unstable();
                side.dedup();
            }
            let number = *self.index.entry(options).or_insert_with_key(|options| {
                self.games.push(options.clone());
                self.games.len() as u32 - 1
            });
            numbers.push(number);
        }
        self.colourings.push((shape, numbers));
    }
}

/// The bits of `word` at the places in `mask`, packed.
fn compress(word: u32, mut mask: u32) -> u32 {
    let (mut packed, mut place) = (0, 0);
    while mask != 0 {
        packed |= (word >> mask.trailing_zeros() & 1) << place;
        mask &= mask - 1;
        place += 1;
    }
    packed
}

/// Does all pieces of work, and returns their results in order.
fn in_parallel<T: Send>(
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>, ThreadError> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::new());
    let worker = || loop {
        let piece = next.fetch_add(1, Ordering::Relaxed);
        if piece >= PIECES {
            break;
        }
        let result = work(piece);
        results
            .lock()
            .expect("no worker panicked")
            .push((piece, result));
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            thread::start(scope, thread::STACK, worker)?;
        }
        Ok::<(), ThreadError>(())
    })?;
    let mut results = results.into_inner().expect("no worker panicked");
    results.sort_unstable_by_key(|&(piece, _)| piece);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::shapes::Place;
    use super::*;

    /// The eight images of coloured cells, each with its corner at (0, 0); the least stands for all.
    fn normal(cells: &[(Place, bool)]) -> Vec<(Place, bool)> {
        let image = |symmetry: u32| {
            let mut turned: Vec<(Place, bool)> = Vec::new();
            for &((row, col), colour) in cells {
                let row = if symmetry & 1 == 0 { row } else { 20 - row };
                let col = if symmetry & 2 == 0 { col } else { 20 - col };
                let place = if symmetry & 4 == 0 {
                    (row, col)
                } else {
                    (col, row)
                };
                turned.push((place, colour));
            }
            let top = turned.iter().map(|&((row, _), _)| row).min().unwrap();
            let left = turned.iter().map(|&((_, col), _)| col).min().unwrap();
            for ((row, col), _) in &mut turned {
                (*row, *col) = (*row - top, *col - left);
            }
            turned.sort_unstable();
            turned
        };
        (0..8).map(image).min().unwrap()
    }

    /// Components with both colours, up to symmetry, and the different values of those with eight
    /// stones, as other programs have counted them.
    #[test]
    fn there_are_as_many_components_and_values_as_others_count() {
        let shapes = Shapes::of_grid(8, 8);
        let census = census(&shapes, false, 2, &Budget::unlimited(), &mut |_| {});
        let Ok(census) = census else {
            panic!("there is no limit")
        };
        let bases = shapes.bases();
        let (mut components, mut values) = (HashSet::new(), HashSet::new());
        let mut counts = [0; 9];
        for (index, shape) in shapes.shapes.iter().enumerate() {
            let size = shape.cells.len();
            if shape.model.0 == index {
                for colouring in 1..(1 << size) - 1 {
                    let cell = |i: usize| (shape.cells[i], colouring >> i & 1 != 0);
                    let cells: Vec<_> = (0..size).map(cell).collect();
                    components.insert(normal(&cells));
                    if size == 8 {
                        values.insert(census.entries[bases[index] + colouring]);
                    }
                }
            }
            counts[size] = components.len();
        }
        assert_eq!(counts[4..], [53, 325, 2_103, 14_379, 101_778]);
        assert_eq!(values.len(), 1_889);
    }
}
