//! The file: what a proof says, byte by byte.
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
//! The line `upstar-proof 1`, then blocks. Numbers have their lowest byte first.
//!
//! | bytes | of a block |
//! |---|---|
//! | 1 | kind: `H` header, `N` nodes, `L` lemmas, `T` trailer |
//! | 4 | count of nodes or lemmas, otherwise 0 |
//! | 4 | length of the content |
//! | … | content |
//! | 8 | checksum of all that |
//!
//! First the header, then all nodes, all lemmas, and the trailer, with which the file ends. The
//! trailer has the number of nodes, the number of lemmas and a checksum of the checksums before, 8
//! bytes each. The header is text, one line each in this order:
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
//! Their content is coded bit by bit by an adaptive range coder (that of LZMA: 11 bits of
//! probability, rate 5) which starts afresh with each block. A number of n bits is coded highest bit
//! first, each bit with the context of those before it.
//!
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

use std::io::{self, Read, Write};

use upstar_games::{Color, Rules, Setup, Variant};

use crate::arena::Arena;
use crate::coder::{Chance, Coder};
use crate::hash::checksum;
use crate::piece::Piece;
use crate::refusal::Refusal;

/// How a file begins; the number is the version.
pub(crate) const MAGIC: &[u8; 15] = b"upstar-proof 1\n";
/// The most nodes or lemmas of a block.
pub(crate) const MAX_COUNT: u32 = 1 << 14;
/// The longest content of a block; the text of every graph fits.
const MAX_LENGTH: u32 = 1 << 21;
/// The most sums that may wait on the stack of a block.
pub(crate) const MAX_STACK: usize = 1 << 12;

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Header,
    Nodes,
    Lemmas,
    Trailer,
}

impl Kind {
    const LETTERS: [(u8, Self); 4] = [
        (b'H', Self::Header),
        (b'N', Self::Nodes),
        (b'L', Self::Lemmas),
        (b'T', Self::Trailer),
    ];

    fn from_letter(letter: u8) -> Option<Self> {
        let known = Self::LETTERS.iter().find(|(known, _)| *known == letter);
        known.map(|&(_, kind)| kind)
    }

    const fn letter(self) -> u8 {
        Self::LETTERS[self as usize].0
    }
}

/// A block of the file.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) kind: Kind,
    pub(crate) count: u32,
    pub(crate) content: Vec<u8>,
}

impl Block {
    /// Bytes around the content.
    const FRAME: u64 = 17;

    /// The bytes it takes up in the file.
    pub(crate) fn bytes(&self) -> u64 {
        Self::FRAME + self.content.len() as u64
    }

    fn opening(&self) -> [u8; 9] {
        let mut opening = [0; 9];
        opening[0] = self.kind.letter();
        opening[1..5].copy_from_slice(&self.count.to_le_bytes());
        opening[5..].copy_from_slice(&(self.content.len() as u32).to_le_bytes());
        opening
    }

    pub(crate) fn checksum(&self) -> u64 {
        checksum(checksum(0, &self.opening()), &self.content)
    }

    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.opening())?;
        out.write_all(&self.content)?;
        out.write_all(&self.checksum().to_le_bytes())
    }

    /// Reads the next block and compares its checksum.
    pub(crate) fn read(input: &mut impl Read) -> Result<Self, Refusal> {
        let mut opening = [0; 9];
        fill(input, &mut opening)?;
        let [letter, count @ .., l0, l1, l2, l3] = opening;
        let kind = Kind::from_letter(letter).ok_or(Refusal::Malformed("a block of no kind"))?;
        let length = u32::from_le_bytes([l0, l1, l2, l3]);
        let count = u32::from_le_bytes(count);
        if length > MAX_LENGTH || count > MAX_COUNT {
            return Err(Refusal::Malformed("a block longer than any may be"));
        }
        let mut content = vec![0; length as usize];
        fill(input, &mut content)?;
        let block = Self {
            kind,
            count,
            content,
        };
        let mut sum = [0; 8];
        fill(input, &mut sum)?;
        if u64::from_le_bytes(sum) != block.checksum() {
            return Err(Refusal::Checksum);
        }
        Ok(block)
    }
}

fn fill(input: &mut impl Read, bytes: &mut [u8]) -> Result<(), Refusal> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Refusal::Truncated,
        _ => Refusal::Io(error),
    })
}

/// Reads the first line.
pub(crate) fn read_magic(input: &mut impl Read) -> Result<(), Refusal> {
    let mut magic = [0; MAGIC.len()];
    fill(input, &mut magic)?;
    match magic {
        _ if magic == *MAGIC => Ok(()),
        _ if magic[..13] == MAGIC[..13] => Err(Refusal::Version),
        _ => Err(Refusal::NoProof),
    }
}

/// What the last block says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trailer {
    pub(crate) nodes: u64,
    pub(crate) lemmas: u64,
    /// The checksum of all earlier blocks' checksums.
    pub(crate) whole: u64,
}

impl Trailer {
    /// Counts a block in.
    pub(crate) fn add(&mut self, block: &Block) {
        match block.kind {
            Kind::Nodes => self.nodes += u64::from(block.count),
            Kind::Lemmas => self.lemmas += u64::from(block.count),
            Kind::Header | Kind::Trailer => {}
        }
        self.whole = checksum(self.whole, &block.checksum().to_le_bytes());
    }

    pub(crate) fn block(&self) -> Block {
        let numbers = [self.nodes, self.lemmas, self.whole];
        Block {
            kind: Kind::Trailer,
            count: 0,
            content: numbers
                .iter()
                .flat_map(|number| number.to_le_bytes())
                .collect(),
        }
    }
}

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
        Block {
            kind: Kind::Header,
            count: 0,
            content: text.into_bytes(),
        }
    }

    pub(crate) fn read(block: &Block) -> Result<Self, Refusal> {
        let malformed = Refusal::Malformed;
        let text = std::str::from_utf8(&block.content).map_err(|_| malformed("the header"))?;
        let mut lines = text.split_terminator('\n');
        let mut value = |name: &'static str| {
            let line = lines.next().and_then(|line| line.strip_prefix(name));
            line.and_then(|rest| rest.strip_prefix(' '))
                .ok_or(malformed(name))
        };
        let color = |letter: &str| match letter {
            "x" => Ok(Color::Black),
            "o" => Ok(Color::White),
            _ => Err(malformed("a colour")),
        };
        let variant = value("game")?.parse().map_err(|_| malformed("game"))?;
        let setup: Setup = value("position")?
            .parse()
            .map_err(|_| malformed("position"))?;
        let to_move = color(value("to-move")?)?;
        let winner = color(value("winner")?)?;
        let first = value("first")?.to_owned();
        let leaf_stones = value("leaf-stones")?
            .parse()
            .map_err(|_| malformed("leaf-stones"))?;
        if lines.next().is_some() || !text.ends_with('\n') {
            return Err(malformed("the header"));
        }
        if setup.colors() > 2 {
            return Err(malformed("position"));
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
        let start = rules.position(&self.setup, self.to_move.index());
        let next = rules.play(&start, rules.move_named(first)?).ok()?;
        Some(rules.setup(&next))
    }

    /// All first moves by name.
    pub(crate) fn first_moves(&self) -> Vec<String> {
        let rules = self.rules();
        let start = rules.position(&self.setup, self.to_move.index());
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
