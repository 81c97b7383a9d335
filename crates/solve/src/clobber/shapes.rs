//! Shapes of small components: all connected sets of cells up to a size, and how each falls apart
//! when a cell is taken out.

use std::collections::HashMap;

use upstar_games::{Board, Cell};

/// A cell of a shape: row and column on a grid, 0 and the vertex on a graph.
pub(crate) type Place = (u8, u8);

/// A connected set of cells, and its parts without each of them. Bit `i` of a colouring is the
/// colour of its cell `i`, in reading order.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// Its cells, in reading order; on a grid the box around them begins at (0, 0).
    pub(crate) cells: Vec<Place>,
    /// The neighbours of each cell, as bits.
    pub(crate) beside: Vec<u32>,
    /// For each cell the parts that are left without it.
    pub(crate) parts: Vec<Vec<Part>>,
    /// The first shape that is this one turned or mirrored, and for each of its cells the cell here.
    pub(crate) model: (usize, Vec<u8>),
}

/// A part of a shape: a smaller shape, and which of the cells are its cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) shape: usize,
    pub(crate) cells: u32,
}

/// All shapes of a kind, small ones first.
#[derive(Clone, Debug)]
pub(crate) struct Shapes {
    pub(crate) shapes: Vec<Shape>,
}

impl Shapes {
    /// The shapes of at most `stones` cells that fit into `rows` rows and as many columns as they need.
    pub(crate) fn of_grid(rows: usize, stones: usize) -> Self {
        let mut list = vec![vec![(0, 0)]];
        let mut last = list.clone();
        for _ in 1..stones {
            let mut next: Vec<Vec<Place>> = Vec::new();
            for shape in &last {
                grow(shape, rows, &mut next);
            }
            next.sort_unstable();
            next.dedup();
            list.extend_from_slice(&next);
            last = next;
        }
        let adjacent = |a: Place, b: Place| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1;
        Self::from_cells(&list, adjacent, corner, images)
    }

    /// The connected sets of a graph's vertices, up to a size at which there are not too many
    /// colourings of them.
    pub(crate) fn of_graph(board: &Board, colourings: usize) -> Self {
        let single = |cell: usize| vec![(0, cell as u8)];
        let mut list: Vec<Vec<Place>> = (0..board.len()).map(single).collect();
        let mut last = list.clone();
        let beside: Vec<Vec<Cell>> = (0..board.len())
            .map(|cell| board.neighbours(Cell::new(cell)))
            .collect();
        let mut total = 2 * last.len();
        'sizes: for stones in 2.. {
            let mut next: Vec<Vec<Place>> = Vec::new();
            for shape in &last {
                for &(_, vertex) in shape {
                    for other in &beside[usize::from(vertex)] {
                        let place = (0, other.index() as u8);
                        if let Err(at) = shape.binary_search(&place) {
                            let mut grown = shape.clone();
                            grown.insert(at, place);
                            next.push(grown);
                        }
                    }
                }
                // Each set is found at most once per vertex of it.
                if total + ((next.len() / stones) << stones) > colourings {
                    break 'sizes;
                }
            }
            next.sort_unstable();
            next.dedup();
            total += next.len() << stones;
            if next.is_empty() || total > colourings {
                break;
            }
            list.extend_from_slice(&next);
            last = next;
        }
        let adjacent =
            |a: Place, b: Place| beside[usize::from(a.1)].contains(&Cell::new(b.1.into()));
        Self::from_cells(&list, adjacent, |cells| cells, |_| Vec::new())
    }

    fn from_cells(
        list: &[Vec<Place>],
        adjacent: impl Fn(Place, Place) -> bool,
        corner: impl Fn(Vec<Place>) -> Vec<Place>,
        images: impl Fn(&[Place]) -> Vec<Vec<Place>>,
    ) -> Self {
        let index: HashMap<&[Place], usize> = list
            .iter()
            .enumerate()
            .map(|(i, cells)| (&cells[..], i))
            .collect();
        let shape = |(number, cells): (usize, &Vec<Place>)| {
            let beside: Vec<u32> = cells
                .iter()
                .map(|&a| {
                    let near = |(i, &b): (usize, &Place)| u32::from(adjacent(a, b)) << i;
                    cells.iter().enumerate().map(near).sum()
                })
                .collect();
            let parts = (0..cells.len())
                .map(|cell| {
                    let without = ((1u32 << cells.len()) - 1) & !(1 << cell);
                    split(&beside, without)
                        .map(|part| {
                            let kept = (0..cells.len()).filter(|i| part >> i & 1 != 0);
                            let kept = corner(kept.map(|i| cells[i]).collect());
                            Part {
                                shape: index[&kept[..]],
                                cells: part,
                            }
                        })
                        .collect()
                })
                .collect();
            // The first image in the list, and where it puts each of its cells.
            let same = (0..cells.len() as u8).collect();
            let model = images(cells)
                .into_iter()
                .filter_map(|image| {
                    let mut order: Vec<u8> = (0..cells.len() as u8).collect();
                    order.sort_unstable_by_key(|&i| image[usize::from(i)]);
                    let sorted: Vec<Place> = order.iter().map(|&i| image[usize::from(i)]).collect();
                    index.get(&sorted[..]).map(|&number| (number, order))
                })
                .min()
                .filter(|&(model, _)| model < number)
                .unwrap_or((number, same));
            Shape {
                cells: cells.clone(),
                beside,
                parts,
                model,
            }
        };
        let shapes = list.iter().enumerate().map(shape).collect();
        Self { shapes }
    }

    /// How many stones the largest shape has.
    pub(crate) fn largest(&self) -> usize {
        self.shapes.last().map_or(0, |shape| shape.cells.len())
    }

    /// For each shape where the values of its colourings begin, in a list of all; at the end its length.
    pub(crate) fn bases(&self) -> Vec<usize> {
        let mut bases = vec![0];
        for shape in &self.shapes {
            bases.push(bases[bases.len() - 1] + (1 << shape.cells.len()));
        }
        bases
    }
}

/// Adds all shapes with one cell more.
fn grow(shape: &[Place], rows: usize, grown: &mut Vec<Vec<Place>>) {
    for &(row, col) in shape {
        let (row, col) = (i16::from(row), i16::from(col));
        for (r, c) in [
            (row - 1, col),
            (row + 1, col),
            (row, col - 1),
            (row, col + 1),
        ] {
            let shifted = |&(row, col): &Place| (row + u8::from(r < 0), col + u8::from(c < 0));
            let mut cells: Vec<Place> = shape.iter().map(shifted).collect();
            let new = (r.max(0) as u8, c.max(0) as u8);
            if cells.contains(&new) {
                continue;
            }
            cells.push(new);
            cells.sort_unstable();
            if cells.iter().all(|&(row, _)| usize::from(row) < rows) {
                grown.push(cells);
            }
        }
    }
}

/// The shape moved so that the box around it begins at (0, 0).
fn corner(mut cells: Vec<Place>) -> Vec<Place> {
    let row = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
    let col = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
    for cell in &mut cells {
        *cell = (cell.0 - row, cell.1 - col);
    }
    cells
}

/// The turned and mirrored images, cell by cell.
fn images(cells: &[Place]) -> Vec<Vec<Place>> {
    let rows = cells.iter().map(|cell| cell.0).max().unwrap_or(0);
    let cols = cells.iter().map(|cell| cell.1).max().unwrap_or(0);
    let flips = [(false, false), (true, false), (false, true), (true, true)];
    let image = |(turn, (flip_rows, flip_cols)): (bool, (bool, bool))| {
        let place = |&(row, col): &Place| {
            let row = if flip_rows { rows - row } else { row };
            let col = if flip_cols { cols - col } else { col };
            if turn { (col, row) } else { (row, col) }
        };
        cells.iter().map(place).collect()
    };
    let turns = [false, true].into_iter();
    turns
        .flat_map(|turn| flips.map(|flip| (turn, flip)))
        .map(image)
        .collect()
}

/// The connected parts of a set of cells.
fn split(beside: &[u32], mut rest: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let mut part = 1 << rest.trailing_zeros();
        loop {
            let near = |i: &usize| part >> i & 1 != 0;
            let reach = (0..beside.len())
                .filter(near)
                .fold(part, |set, i| set | beside[i] & rest);
            if reach == part {
                rest &= !part;
                return Some(part);
            }
            part = reach;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_shapes_as_fixed_polyominoes() {
        // OEIS A001168.
        let shapes = Shapes::of_grid(7, 7).shapes;
        let of_size = |size| {
            shapes
                .iter()
                .filter(|shape| shape.cells.len() == size)
                .count()
        };
        assert_eq!(
            (1..=7).map(of_size).collect::<Vec<_>>(),
            [1, 2, 6, 19, 63, 216, 760]
        );
        // OEIS A000105: free polyominoes are their own models.
        let models = shapes
            .iter()
            .enumerate()
            .filter(|(i, shape)| shape.model.0 == *i);
        assert_eq!(models.count(), 1 + 1 + 2 + 5 + 12 + 35 + 108);
    }
}
