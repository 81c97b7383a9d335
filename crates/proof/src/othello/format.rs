//! What a proof of Othello says, bit by bit.
//!
//! # What is proved
//! A claim is that the score, discs of `x` less those of `o` at the end, is at least one number, or at
//! most another, or both. Each bound has a *prover*: `x` for the lower, `o` for the upper; the other
//! side is the *challenger*. A side that can place no disc passes; the game is over when neither can.
//!
//! For each bound the proof lists a set S of positions; the claimed one is among them, unless it is a
//! leaf. From a position in S, whatever the challenger places if it is to move, the prover's replies lead
//! to a position of S again at the challenger's next choice; or to the end of the game with the score
//! claimed; or to a *leaf*, a position with no more than `leaf-empties` empty cells in which plain search
//! of all lines finds that the prover gets the score claimed. Every placement fills a cell, so play from
//! the claimed position ends, and with the score claimed.
//!
//! Positions that a symmetry of the board carries into each other are one; the *normal form* is the
//! image with the least discs of the side to move, then the least of the other side, as numbers with
//! bit `row × columns + column`.
//!
//! # Layout
//! The file has the [frame](crate::frame) of all proofs, with a section `X` for the lower bound and a
//! section `O` for the upper. The header is text, one line each in this order:
//! ```text
//! game othello
//! position ....|.ox.|.xo.|....
//! to-move x
//! empties nobody
//! at-least -
//! at-most -1
//! leaf-empties 12
//! ```
//! `empties` says to whom cells count that are empty in the end, `nobody` or `winner`; a bound that is
//! not claimed is `-`.
//!
//! # Nodes
//! A **position** is coded as whether the prover is to move and its cells row by row, holes left out:
//! whether there is a disc, then whether it is white, both in the context of the cells to the left,
//! above, and above to the right.
//!
//! A **node** is a member of S in normal form. A block keeps a stack of positions: a node is popped from
//! it, or coded as a position if it is empty. If the challenger is to move and can place a disc, each
//! of its placements in the order of cells leads to a position; otherwise the node itself is the only
//! one. Each of them is followed:
//!
//! 1. With no more than `leaf-empties` empty cells, or if the game is over, that is all.
//! 2. If nothing can be placed, the turn passes.
//! 3. If the prover is to move, the index of its reply is coded with as many bits as the last index has,
//!    in the context of the number of replies. Replies are sorted by how many placements they leave the
//!    challenger, equals by their cells. After the reply all this begins again.
//! 4. If the challenger can place a disc, a bit is coded in the context of the empty cells: 1 pushes
//!    the position on the stack in its normal form, 0 says that it is listed somewhere in the section.
//!
//! What remains on the stack at the end of the block is to be listed elsewhere, too.

use upstar_games::{Cell, Cells, Color, Position, Setup, Variant};

use super::arena::Arena;
use crate::coder::{Chance, Coder};
use crate::frame::{Block, Kind, Lines};
use crate::refusal::Refusal;

/// What a proof proves of a score: discs of `x` less those of `o` at the end of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The position.
    pub setup: Setup,
    /// Who moves first.
    pub to_move: Color,
    /// Whether cells that stay empty count for the winner.
    pub empties_to_winner: bool,
    /// The score is at least this.
    pub at_least: Option<i32>,
    /// The score is at most this.
    pub at_most: Option<i32>,
}

impl Claim {
    /// The winner that follows: `x`, `o` or `draw`; `None` if the bounds do not tell.
    #[must_use]
    pub fn winner(&self) -> Option<&'static str> {
        match (self.at_least, self.at_most) {
            (Some(1..), _) => Some("x"),
            (_, Some(..0)) => Some("o"),
            (Some(0), Some(0)) => Some("draw"),
            _ => None,
        }
    }

    /// What the side that proves one of the bounds gets at least, if that is claimed.
    pub(crate) fn goal(&self, prover: Color) -> Option<i32> {
        match prover {
            Color::Black => self.at_least,
            Color::White => self.at_most.map(|most| -most),
        }
    }

    /// The board, if it is one to play on and something possible is claimed.
    pub(crate) fn arena(&self) -> Option<Arena> {
        let arena = Arena::new(&self.setup.board, self.empties_to_winner)?;
        let goals = [self.at_least, self.at_most];
        let possible = |goal: &i32| (-arena.size()..=arena.size()).contains(goal);
        let claims = goals.iter().flatten().count() > 0;
        let sensible = claims && goals.iter().flatten().all(possible) && self.setup.sides() <= 2;
        sensible.then_some(arena)
    }
}

/// The section of a side's strategy.
pub(crate) const fn kind(prover: Color) -> Kind {
    match prover {
        Color::Black => Kind::Black,
        Color::White => Kind::White,
    }
}

/// Boards have no more cells.
const MOST_LEAF_EMPTIES: u32 = 64;

/// A claim and what else the header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) claim: Claim,
    pub(crate) leaf_empties: u32,
}

impl Header {
    pub(crate) fn block(&self) -> Block {
        let claim = &self.claim;
        let bound = |bound: Option<i32>| bound.map_or("-".to_owned(), |number| number.to_string());
        let text = format!(
            "game othello\nposition {}\nto-move {}\nempties {}\nat-least {}\nat-most {}\nleaf-empties {}\n",
            claim.setup,
            claim.to_move,
            if claim.empties_to_winner {
                "winner"
            } else {
                "nobody"
            },
            bound(claim.at_least),
            bound(claim.at_most),
            self.leaf_empties,
        );
        Block::header(text)
    }

    pub(crate) fn read(block: &Block) -> Result<Self, Refusal> {
        let mut lines = Lines::of(block)?;
        let bound = |name: &'static str, text: &str| match text {
            "-" => Ok(None),
            number => number
                .parse()
                .map(Some)
                .map_err(|_| Refusal::Malformed(name)),
        };
        if lines.value::<Variant>("game")?.to_string() != "othello" {
            return Err(Refusal::Malformed("game"));
        }
        let header = Self {
            claim: Claim {
                setup: lines.value("position")?,
                to_move: lines.color("to-move")?,
                empties_to_winner: match lines.text("empties")? {
                    "winner" => true,
                    "nobody" => false,
                    _ => return Err(Refusal::Malformed("empties")),
                },
                at_least: bound("at-least", lines.text("at-least")?)?,
                at_most: bound("at-most", lines.text("at-most")?)?,
            },
            leaf_empties: lines.value("leaf-empties")?,
        };
        lines.end()?;
        if header.leaf_empties > MOST_LEAF_EMPTIES {
            return Err(Refusal::Malformed("leaf-empties is more than 64"));
        }
        Ok(header)
    }
}

/// The contexts of a block's bits.
#[derive(Debug)]
pub(crate) struct Model {
    /// Replies, by their number.
    replies: Vec<Vec<Chance>>,
    /// Whether a position is new, by its empty cells.
    new: [Chance; 65],
    to_move: Chance,
    /// Whether there is a disc, and whether it is white, by three neighbours.
    cells: [[Chance; 2]; 27],
}

impl Model {
    pub(crate) fn new() -> Self {
        let even = Chance::default();
        Self {
            replies: vec![Vec::new(); 65],
            new: [even; 65],
            to_move: even,
            cells: [[even; 2]; 27],
        }
    }

    /// Codes which of `count` moves is the reply; what is read may be out of range.
    pub(crate) fn reply(&mut self, coder: &mut impl Coder, count: usize, reply: usize) -> usize {
        let tree = &mut self.replies[count];
        tree.resize(count.next_power_of_two(), Chance::default());
        coder.number(tree, reply)
    }

    /// Codes whether a position with so many empty cells goes on the stack.
    pub(crate) fn is_new(&mut self, coder: &mut impl Coder, empties: u32, new: bool) -> bool {
        coder.bit(&mut self.new[empties as usize], new)
    }

    /// Codes a position; what is read has discs on cells of the board only.
    pub(crate) fn position(
        &mut self,
        coder: &mut impl Coder,
        arena: &Arena,
        prover: Color,
        known: Option<&Position<u64>>,
    ) -> Position<u64> {
        let to_move = known.map_or(prover, |position| position.to_move);
        let to_move = match coder.bit(&mut self.to_move, to_move == prover) {
            true => prover,
            false => !prover,
        };
        let [black, white] = known.map_or([0, 0], Position::stones);
        let grid = arena.grid();
        let mut letters = [0usize; 64];
        let mut stones = [0u64; 2];
        for cell in grid.cells().iter() {
            let (row, col) = grid.row_and_col(cell);
            let letter = |there: bool, up: usize, col: usize| match there {
                true => letters[(row - up) * grid.cols() + col],
                false => 0,
            };
            let left = letter(col > 0, 0, col.wrapping_sub(1));
            let above = letter(row > 0, 1, col);
            let beyond = letter(row > 0 && col + 1 < grid.cols(), 1, col + 1);
            let [disc, color] = &mut self.cells[(left * 3 + above) * 3 + beyond];
            if coder.bit(disc, (black | white).contains(cell)) {
                let is_white = usize::from(coder.bit(color, white.contains(cell)));
                letters[cell.index()] = 1 + is_white;
                stones[is_white] |= u64::one(Cell::new(cell.index()));
            }
        }
        let [own, opponent] = match to_move {
            Color::Black => stones,
            Color::White => [stones[1], stones[0]],
        };
        Position {
            own,
            opponent,
            to_move,
        }
    }
}
