//! What a proof of Clobber says, bit by bit.
//!
//! # What is proved
//! A *sum* is a multiset of *pieces*, connected stones on which somebody can move, without pairs of a
//! piece and its negative. The *loser* is the side that the file says loses. The proof lists a set S
//! of sums in which the loser is to move, such that whatever the loser plays, the winner has a reply
//! after which the sum is in S again, or has no more than `leaf-stones` stones and is lost for the
//! loser by plain search. Every move takes away a stone, so play from a sum in S ends with the loser
//! unable to move.
//!
//! *Lemmas*, "piece A equals sum B", simplify every sum after every move, also in plain search. A
//! lemma holds if the second player wins A − B, whoever begins, by plain search that uses lemmas about
//! pieces with fewer stones only. That equal games may replace each other in sums, and that a piece
//! and its negative cancel, is all the theory there is.
//!
//! # Layout
//! The file has the [frame](crate::frame) of all proofs, with sections of nodes and of lemmas. The
//! header is text, one line each in this order:
//! ```text
//! game clobber
//! position xox|oxo
//! to-move x
//! winner o
//! first -
//! leaf-stones 8
//! ```
//! `first` is the winner's move if the winner begins.
//!
//! # Lemmas and nodes
//! A **piece** is coded as rows − 1 and columns − 1 (7 bits each) and its cells row by row: whether
//! there is a stone, then whether it is white, both in the context of the cells to the left, above,
//! and above to the right. On graphs a piece has one row with all vertices. A piece is in *normal
//! form*: its bounding box has no more rows than columns, and of its images under the symmetries of
//! the grid it is the first in the order of rows, columns, black cells, white cells, where cells are
//! a number with bit `row × columns + column`. Sums are sorted in this order.
//!
//! A **sum** is coded as its number of pieces (7 bits) and the pieces.
//!
//! A **lemma** is coded as piece A and sum B. Lemmas come in the order of A's stones, then of A; every
//! piece of B comes before A in this order, and B has no more stones than A. A lemma also stands for
//! its negative.
//!
//! A **node** is a member of S. A block keeps a stack of sums: a node is popped from it, or coded as
//! a sum if it is empty. Then, for each move of the loser (each different piece in order, each stone
//! in the order of cells, directions up, left, down, right, or in the order of vertices), unless the
//! sum after it is the same as after an earlier one: if the sum has no more than `leaf-stones`
//! stones, nothing is coded and search must find the winner's reply; otherwise the index of the
//! reply in the like list of the winner's moves, with as many bits as the last index has. If the
//! result has more than `leaf-stones` stones, a bit follows, in the context of its stones: 1 pushes
//! it on the stack, 0 says that it is listed somewhere in the file. What remains on the stack at the
//! end of the block is to be listed elsewhere, too.

use upstar_games::{Color, Rules, Setup, Variant};

use super::arena::Arena;
use super::piece::Piece;
use crate::coder::{Chance, Coder};
use crate::frame::{Block, Lines};
use crate::refusal::Refusal;

/// What a proof proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Clobber or cannibal Clobber.
    pub variant: Variant,
    /// The position.
    pub setup: Setup,
    /// Who moves first.
    pub to_move: Color,
    /// Who wins.
    pub winner: Color,
}

/// More stones than this cannot be left to plain search.
const MOST_LEAF_STONES: u32 = 64;

/// A claim and what else the header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) claim: Claim,
    /// The winner's first move, if the winner begins.
    pub(crate) first: Option<String>,
    pub(crate) leaf_stones: u32,
}

impl Header {
    pub(crate) fn block(&self) -> Block {
        let claim = &self.claim;
        let text = format!(
            "game {}\nposition {}\nto-move {}\nwinner {}\nfirst {}\nleaf-stones {}\n",
            claim.variant,
            claim.setup,
            claim.to_move,
            claim.winner,
            self.first.as_deref().unwrap_or("-"),
            self.leaf_stones,
        );
        Block::header(text)
    }

    pub(crate) fn read(block: &Block) -> Result<Self, Refusal> {
        let mut lines = Lines::of(block)?;
        let variant = lines.value("game")?;
        let setup: Setup = lines.value("position")?;
        let to_move = lines.color("to-move")?;
        let winner = lines.color("winner")?;
        let first = lines.text("first")?.to_owned();
        let leaf_stones = lines.value("leaf-stones")?;
        lines.end()?;
        if setup.sides() > 2 {
            return Err(Refusal::Malformed("position"));
        }
        if leaf_stones > MOST_LEAF_STONES {
            return Err(Refusal::Malformed("leaf-stones is more than 64"));
        }
        Ok(Self {
            claim: Claim {
                variant,
                setup,
                to_move,
                winner,
            },
            first: (first != "-").then_some(first),
            leaf_stones,
        })
    }
}

impl Claim {
    /// The side that is said to lose.
    pub(crate) fn loser(&self) -> Color {
        !self.winner
    }

    /// The position after this first move, if it is legal.
    pub(crate) fn after(&self, first: &str) -> Option<Setup> {
        let rules = self.rules();
        let start = rules.position(&self.setup, self.to_move).ok()?;
        let next = rules.play(&start, rules.move_named(first)?).ok()?;
        Some(rules.setup(&next))
    }

    /// All first moves by name.
    pub(crate) fn first_moves(&self) -> Vec<String> {
        let rules = self.rules();
        let start = rules.position(&self.setup, self.to_move);
        let start = start.expect("a claim has stones of two sides");
        let moves = rules.moves(&start);
        moves.map(|mv| rules.move_name(mv)).collect()
    }

    fn rules(&self) -> upstar_games::Clobber<u128> {
        let board = self.setup.board.clone();
        match self.variant {
            Variant::Cannibal => upstar_games::Clobber::cannibal(board),
            _ => upstar_games::Clobber::new(board),
        }
    }
}

/// The contexts of a block's bits.
#[derive(Debug)]
pub(crate) struct Model {
    /// Replies, by the width of the number.
    replies: Vec<Vec<Chance>>,
    /// Whether a sum is new, by its stones.
    new: [Chance; 128],
    pieces: [Chance; 128],
    rows: [Chance; 128],
    cols: [Chance; 128],
    /// Whether there is a stone, and whether it is white, by three neighbours.
    cells: [[Chance; 2]; 27],
}

impl Model {
    pub(crate) fn new() -> Self {
        let even = Chance::default();
        Self {
            replies: vec![Vec::new(); 16],
            new: [even; 128],
            pieces: [even; 128],
            rows: [even; 128],
            cols: [even; 128],
            cells: [[even; 2]; 27],
        }
    }

    /// Codes which of `count` moves is the reply; what is read may be out of range.
    pub(crate) fn reply(&mut self, coder: &mut impl Coder, count: usize, reply: usize) -> usize {
        let width = (count - 1).checked_ilog2().map_or(0, |last| last + 1);
        let tree = &mut self.replies[width as usize];
        tree.resize(1 << width, Chance::default());
        coder.number(tree, reply)
    }

    /// Codes whether a sum of this many stones goes on the stack.
    pub(crate) fn new_sum(&mut self, coder: &mut impl Coder, stones: u32, new: bool) -> bool {
        coder.bit(&mut self.new[stones.min(127) as usize], new)
    }

    /// Codes a sum of pieces; what is read is `None` if it is not made of pieces in normal form.
    pub(crate) fn sum(
        &mut self,
        coder: &mut impl Coder,
        arena: &Arena,
        sum: &[Piece],
    ) -> Option<Vec<Piece>> {
        let count = coder.number(&mut self.pieces, sum.len());
        let one = |index: usize| self.piece(coder, arena, sum.get(index));
        (0..count).map(one).collect()
    }

    /// Codes a piece; what is read is `None` if it is not in normal form.
    pub(crate) fn piece(
        &mut self,
        coder: &mut impl Coder,
        arena: &Arena,
        piece: Option<&Piece>,
    ) -> Option<Piece> {
        let known = piece.copied();
        let shape = known.map_or((1, 1), |piece| (piece.rows(), piece.cols()));
        let rows = coder.number(&mut self.rows, shape.0 - 1) + 1;
        let cols = coder.number(&mut self.cols, shape.1 - 1) + 1;
        if !arena.has_room(rows, cols) {
            return None;
        }
        let (black, white) = known.map_or((0, 0), |piece| {
            (piece.cells(Color::Black), piece.cells(Color::White))
        });
        let mut letters = [0u8; 128];
        let mut read = [0u128; 2];
        for cell in 0..rows * cols {
            let col = cell % cols;
            let letter = |there: bool, back: usize| match there {
                true => usize::from(letters[cell - back]),
                false => 0,
            };
            let left = letter(col > 0, 1);
            let above = letter(cell >= cols, cols);
            let beyond = letter(cell >= cols && col + 1 < cols, cols.saturating_sub(1));
            let [stone, color] = &mut self.cells[(left * 3 + above) * 3 + beyond];
            if coder.bit(stone, (black | white) >> cell & 1 == 1) {
                let is_white = coder.bit(color, white >> cell & 1 == 1);
                letters[cell] = 1 + u8::from(is_white);
                read[usize::from(is_white)] |= 1 << cell;
            }
        }
        let placed = Piece::placed(rows as u8, cols as u8, read[0], read[1]);
        (arena.pieces(rows, cols, read[0], read[1]) == [placed]).then_some(placed)
    }
}
