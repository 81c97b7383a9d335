//! Random games of Clobber, by the kernel that is fastest on the board at hand.
//!
//! A move is an edge between adjacent stones of opposite colours, the same edges for both sides: the
//! game is over when none is left, and the parity of its length decides.

use crate::board::Board;
use crate::playout::Root;
use crate::playout::{Playout, Tally};
use crate::random::Random;
use upstar_machine::Isa;

use super::batch::Batch;
use super::edges::{self, Table, Tiny};
use super::words::{self, Layout};

/// What random games on one board need, made once.
#[derive(Clone, Debug)]
pub(super) struct Playouts {
    isa: Isa,
    choice: Choice,
}

/// The kernel for a board, with its tables.
#[derive(Clone, Debug)]
enum Choice {
    /// Grids of up to 64 edges, faster with a table, but not in a batch.
    Tiny(Layout<1>, Table<1>),
    /// Grids in one, two and three words of cells.
    Small(Layout<1>),
    Medium(Layout<2>),
    Large(Layout<3>),
    /// Other boards of up to 64, 128, 192 and 256 edges.
    One(Table<1>),
    Two(Table<2>),
    Three(Table<3>),
    Four(Table<4>),
}

impl Playouts {
    /// None if the board has more than 256 edges.
    pub(super) fn new(board: &Board) -> Option<Self> {
        let choice = match board {
            Board::Grid(grid) => Choice::on_grid(grid.rows(), grid.cols()),
            Board::Graph(_) => None,
        };
        let choice = choice.or_else(|| Choice::on_graph(board))?;
        let isa = Isa::best();
        Some(Self { isa, choice })
    }

    /// One random game. The score is 1 if the mover wins, else -1.
    pub(super) fn playout(&self, own: u128, opponent: u128, random: &mut Random) -> Playout {
        let root = Root {
            own,
            opponent,
            random,
        };
        match &self.choice {
            Choice::Tiny(layout, table) => self.isa.run_scalar(Tiny(layout, table, root)),
            Choice::Small(layout) => self.isa.run_scalar(words::Single(layout, root)),
            Choice::Medium(layout) => self.isa.run_scalar(words::Single(layout, root)),
            Choice::Large(layout) => self.isa.run_scalar(words::Single(layout, root)),
            Choice::One(table) => self.isa.run_scalar(edges::Single(table, root)),
            Choice::Two(table) => self.isa.run_scalar(edges::Single(table, root)),
            Choice::Three(table) => self.isa.run_scalar(edges::Single(table, root)),
            Choice::Four(table) => self.isa.run_scalar(edges::Single(table, root)),
        }
    }

    /// Many random games.
    pub(super) fn playouts(
        &self,
        own: u128,
        opponent: u128,
        games: u64,
        random: &mut Random,
    ) -> Tally {
        let root = Root {
            own,
            opponent,
            random,
        };
        match &self.choice {
            Choice::Tiny(layout, _) | Choice::Small(layout) => {
                self.isa.run(Batch(layout, root, games))
            }
            Choice::Medium(layout) => self.isa.run(Batch(layout, root, games)),
            Choice::Large(layout) => self.isa.run(Batch(layout, root, games)),
            _ => {
                let mut tally = Tally::default();
                for _ in 0..games {
                    tally.add(self.playout(own, opponent, root.random));
                }
                tally
            }
        }
    }
}

impl Choice {
    /// None if a row is longer than a word. Holes need no care: there are no stones.
    fn on_grid(rows: usize, cols: usize) -> Option<Self> {
        let small = Layout::new(rows, cols).map(|layout: Layout<1>| match layout.ends() {
            Some(ends) => Self::Tiny(layout, Table::new(&ends)),
            None => Self::Small(layout),
        });
        let medium = || Layout::new(rows, cols).map(Self::Medium);
        let large = || Layout::new(rows, cols).map(Self::Large);
        small.or_else(medium).or_else(large)
    }

    fn on_graph(board: &Board) -> Option<Self> {
        let ends = board.edges();
        match ends.len() {
            0..=64 => Some(Self::One(Table::new(&ends))),
            65..=128 => Some(Self::Two(Table::new(&ends))),
            129..=192 => Some(Self::Three(Table::new(&ends))),
            193..=256 => Some(Self::Four(Table::new(&ends))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clobber::{checkerboard, random_stones};
    use crate::color::Color;
    use crate::graph::Graph;
    use crate::setup::Setup;

    /// Grids for each kernel, and graphs for each: the same grids seen as graphs.
    fn choices() -> Vec<(Choice, Setup)> {
        let mut choices = Vec::new();
        for size in [
            "1x7", "6x6", "8x8", "7x9", "10x10", "11x11", "1x100", "2x63", "64x2", "8x16",
        ] {
            let setup = checkerboard(size.parse().unwrap());
            let playouts = Playouts::new(&setup.board).unwrap();
            choices.push((playouts.choice, setup.clone()));
            choices.push((Choice::on_graph(&setup.board).unwrap(), setup));
        }
        let holes = random_stones("5x13".parse().unwrap(), 2, 0.8, &mut Random::new(1));
        choices.push((Playouts::new(&holes.board).unwrap().choice, holes));
        choices
    }

    #[test]
    fn same_seed_same_games_on_every_machine() {
        for (choice, setup) in choices() {
            let (own, opponent) = (setup.stones(Color::Black), setup.stones(Color::White));
            let seen = Isa::available().into_iter().map(|isa| {
                let playouts = Playouts {
                    isa,
                    choice: choice.clone(),
                };
                let mut random = Random::new(9);
                let games: Vec<Playout> = (0..50)
                    .map(|_| playouts.playout(own, opponent, &mut random))
                    .collect();
                let tallies =
                    [0, 1, 3, 100].map(|n| playouts.playouts(own, opponent, n, &mut random));
                (games, tallies, random)
            });
            let seen: Vec<_> = seen.collect();
            assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{setup}");
        }
    }

    #[test]
    fn too_many_edges_are_left_to_the_plain_way() {
        let mut complete = Graph::new();
        for index in 0..24 {
            complete.add_vertex(&index.to_string()).unwrap();
            for other in 0..index {
                complete
                    .add_edge(&other.to_string(), &index.to_string())
                    .unwrap();
            }
        }
        assert!(complete.edges().len() > 256);
        assert!(Playouts::new(&complete.into()).is_none());
    }
}
