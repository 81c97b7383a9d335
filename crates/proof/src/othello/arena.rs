//! The board as a proof sees it: moves and flips are those of the rules, positions that turning and
//! mirroring carry into each other are one, and discs are counted in the end. All that a checker knows
//! of Othello is in this file.

use upstar_games::{Board, Cell, Cells, Color, Grid, Othello, Position, Rules, Setup, Symmetry};

use crate::hash::Key;

/// A board of at most 64 cells with the rules on it.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    rules: Othello<u64>,
    grid: Grid,
    cells: u64,
    empties_to_winner: bool,
    /// The symmetries but the identity.
    turns: Vec<Turn>,
}

/// A move of the side to move and the position after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reply {
    pub(crate) cell: Cell,
    pub(crate) after: Position<u64>,
    /// How many placements it leaves the other side.
    left: u32,
}

/// What the side to move can do.
pub(crate) enum Choice {
    /// Place a disc on one of these cells.
    Place(u64),
    /// Nothing but pass, which leads here.
    Pass(Position<u64>),
    /// Nothing, and neither can the other side. The side to move has this score.
    Over(i32),
}

impl Arena {
    /// The rules on this board; `None` if it is not a grid of at most 64 cells.
    pub(crate) fn new(board: &Board, empties_to_winner: bool) -> Option<Self> {
        let Board::Grid(grid) = board else {
            return None;
        };
        if grid.len() > u64::CAPACITY {
            return None;
        }
        let turns = Symmetry::all(grid).into_iter().skip(1);
        Some(Self {
            rules: Othello::new(*grid),
            grid: *grid,
            cells: u64::from_wide(grid.cells()),
            empties_to_winner,
            turns: turns.map(|symmetry| Turn::new(&symmetry, grid)).collect(),
        })
    }

    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The largest score there is.
    pub(crate) fn size(&self) -> i32 {
        self.cells.len() as i32
    }

    /// The position of a claim on this board.
    ///
    /// # Panics
    /// If the setup is not of this board or has stones of a third side.
    pub(crate) fn start(&self, setup: &Setup, to_move: Color) -> Position<u64> {
        let start = self.rules.position(setup, to_move);
        start.expect("a claim is checked when its arena is made")
    }

    pub(crate) fn text(&self, position: &Position<u64>) -> String {
        self.rules.setup(position).to_string()
    }

    pub(crate) fn empties(&self, position: &Position<u64>) -> u32 {
        (self.cells & !position.occupied()).len()
    }

    #[inline]
    pub(crate) fn choice(&self, position: &Position<u64>) -> Choice {
        let placements = self.rules.placements(position);
        if !placements.is_empty() {
            return Choice::Place(placements);
        }
        let passed = Position {
            own: position.opponent,
            opponent: position.own,
            to_move: !position.to_move,
        };
        if self.rules.placements(&passed).is_empty() {
            Choice::Over(self.count(position))
        } else {
            Choice::Pass(passed)
        }
    }

    /// Own discs less the other side's, and cells that stay empty as the claim says.
    fn count(&self, position: &Position<u64>) -> i32 {
        let difference = position.own.len() as i32 - position.opponent.len() as i32;
        if self.empties_to_winner {
            difference + difference.signum() * self.empties(position) as i32
        } else {
            difference
        }
    }

    /// The position after a disc is placed on this cell, which must be a placement.
    #[inline]
    pub(crate) fn after(&self, position: &Position<u64>, cell: Cell) -> Position<u64> {
        let turned = self.rules.turned(position, cell);
        Position {
            own: position.opponent & !turned,
            opponent: position.own | turned | u64::one(cell),
            to_move: !position.to_move,
        }
    }

    /// The moves on these placements, those that leave the other side fewest placements first, equals
    /// in the order of cells.
    pub(crate) fn replies(
        &self,
        position: &Position<u64>,
        placements: u64,
        replies: &mut Vec<Reply>,
    ) {
        replies.clear();
        replies.extend(placements.iter().map(|cell| {
            let after = self.after(position, cell);
            let left = self.rules.placements(&after).len();
            Reply { cell, after, left }
        }));
        replies.sort_by_key(|reply| reply.left);
    }

    /// Of all images of a position under the board's symmetries the one with the least own discs, then
    /// the least discs of the other side, as numbers with bit i for cell i.
    pub(crate) fn normal(&self, position: &Position<u64>) -> Position<u64> {
        self.turns.iter().fold(*position, |least, turn| {
            let own = turn.image(position.own);
            if own > least.own {
                return least;
            }
            let opponent = turn.image(position.opponent);
            if (own, opponent) < (least.own, least.opponent) {
                Position {
                    own,
                    opponent,
                    ..least
                }
            } else {
                least
            }
        })
    }

    /// The name of a first move after which the position is this one, turned or mirrored.
    pub(crate) fn move_between(&self, from: &Position<u64>, to: &Position<u64>) -> Option<String> {
        let leads_there = |mv: &_| {
            let after = self.rules.play_unchecked(from, *mv);
            self.normal(&after) == self.normal(to)
        };
        let found = self.rules.moves(from).find(leads_there);
        found.map(|mv| self.rules.move_name(mv))
    }
}

/// The hash of a position in normal form.
pub(crate) fn hash(key: &Key, position: &Position<u64>) -> u128 {
    let to_move = position.to_move.index() as u64;
    key.words([position.own, position.opponent, to_move].into_iter())
}

/// A symmetry, prepared: for each byte of a word where its cells go.
#[derive(Clone, Debug)]
struct Turn(Box<[[u64; 256]; 8]>);

impl Turn {
    fn new(symmetry: &Symmetry, grid: &Grid) -> Self {
        let all = u64::first_cells(grid.len());
        let mut bytes = Box::new([[0; 256]; 8]);
        for (byte, images) in bytes.iter_mut().enumerate() {
            for (set, image) in images.iter_mut().enumerate() {
                *image = symmetry.cells((set as u64) << (8 * byte) & all);
            }
        }
        Self(bytes)
    }

    fn image(&self, cells: u64) -> u64 {
        let bytes = cells.to_le_bytes().into_iter().zip(self.0.iter());
        bytes.fold(0, |image, (byte, images)| image | images[usize::from(byte)])
    }
}
