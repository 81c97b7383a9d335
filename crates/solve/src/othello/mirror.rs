//! One position for all that turning and mirroring make of it.

use upstar_games::{Cell, Cells, Grid, Symmetry};

use super::discs::Discs;

/// The symmetries of a board but the identity.
#[derive(Clone, Debug)]
pub(super) struct Mirror {
    maps: Vec<Map>,
}

#[derive(Clone, Debug)]
struct Map {
    symmetry: Symmetry,
    /// For each byte of a word where its cells go.
    bytes: Box<[[u64; 256]; 8]>,
}

impl Map {
    fn new(symmetry: Symmetry, cells: usize) -> Self {
        let mut bytes = Box::new([[0; 256]; 8]);
        for (byte, images) in bytes.iter_mut().enumerate() {
            for (set, image) in images.iter_mut().enumerate() {
                let set = (set as u64) << (8 * byte) & u64::first_cells(cells);
                *image = symmetry.cells(set);
            }
        }
        Self { symmetry, bytes }
    }

    #[inline(always)]
    fn image(&self, cells: u64) -> u64 {
        let bytes = cells.to_le_bytes().into_iter().zip(self.bytes.iter());
        bytes.fold(0, |image, (byte, images)| image | images[usize::from(byte)])
    }
}

impl Mirror {
    /// Of a grid of at most 64 cells.
    pub(super) fn new(grid: &Grid) -> Self {
        let symmetries = Symmetry::all(grid).into_iter().skip(1);
        Self {
            maps: symmetries
                .map(|symmetry| Map::new(symmetry, grid.len()))
                .collect(),
        }
    }

    /// The least of the images of a position.
    #[inline(never)]
    pub(super) fn normal(&self, discs: Discs) -> Discs {
        self.maps.iter().fold(discs, |least, map| {
            let own = map.image(discs.own);
            if own > least.own {
                return least;
            }
            let opponent = map.image(discs.opponent);
            if (own, opponent) < (least.own, least.opponent) {
                Discs { own, opponent }
            } else {
                least
            }
        })
    }

    /// The cells that a cell of a position's normal form can stand for in the position itself.
    pub(super) fn origins(&self, discs: Discs, cell: u8) -> impl Iterator<Item = u8> {
        let normal = self.normal(discs);
        let cell = Cell::new(cell.into());
        let same = (discs == normal).then_some(cell);
        let maps = self.maps.iter().filter(move |map| {
            map.image(discs.own) == normal.own && map.image(discs.opponent) == normal.opponent
        });
        let all = (0..64).map(Cell::new);
        let origin = move |map: &Map| {
            all.clone()
                .find(|&from| map.has(from) && map.symmetry.cell(from) == cell)
        };
        same.into_iter()
            .chain(maps.filter_map(origin))
            .map(|cell| cell.index() as u8)
    }
}

impl Map {
    fn has(&self, cell: Cell) -> bool {
        self.image(u64::one(cell)) != 0
    }
}

#[cfg(test)]
mod tests {
    use upstar_games::Random;

    use super::*;

    #[test]
    fn images_share_a_normal_form_and_cells_find_home() {
        let mut random = Random::new(6);
        for size in ["8x8", "5x7", "6x6", "1x9"] {
            let grid: Grid = size.parse().unwrap();
            let mirror = Mirror::new(&grid);
            for _ in 0..20 {
                let occupied = random.bits() & u64::from_wide(grid.cells());
                let own = random.bits() & occupied;
                let discs = Discs {
                    own,
                    opponent: occupied & !own,
                };
                let normal = mirror.normal(discs);
                for symmetry in Symmetry::all(&grid) {
                    let image = Discs {
                        own: symmetry.cells(discs.own),
                        opponent: symmetry.cells(discs.opponent),
                    };
                    assert_eq!(mirror.normal(image), normal, "{size}");
                }
                for cell in normal.own.iter() {
                    let origin = mirror.origins(discs, cell.index() as u8).next().unwrap();
                    assert!(discs.own.contains(Cell::new(origin.into())), "{size}");
                }
            }
        }
    }
}
