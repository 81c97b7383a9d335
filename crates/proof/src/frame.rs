//! The frame of every proof file, whatever the game: blocks with checksums.
//!
//! The line `upstar-proof 1`, then blocks. Numbers have their lowest byte first.
//!
//! | bytes | of a block |
//! |---|---|
//! | 1 | kind: `H` header; `N` nodes and `L` lemmas of Clobber; `X` and `O` nodes of Othello; `T` trailer |
//! | 4 | count of nodes or lemmas, otherwise 0 |
//! | 4 | length of the content |
//! | … | content |
//! | 8 | checksum of all that |
//!
//! First the header, text whose first line names the game. Then two sections, either of which may
//! have no block: all `N`, then all `L`, or all `X`, then all `O`. Last the trailer, with which the
//! file ends: the counts of the first section, of the second, and a checksum of the checksums before,
//! 8 bytes each.
//!
//! The content of sections is coded bit by bit by an adaptive range coder (that of LZMA: 11 bits of
//! probability, rate 5) which starts afresh with each block. A number of n bits is coded highest bit
//! first, each bit with the context of those before it. What the bits mean is said for each game:
//! [Clobber](crate::clobber::format), [Othello](crate::othello::format).

use std::io::{self, Read, Seek, SeekFrom, Write};

use upstar_games::{Color, Variant};

use crate::hash::checksum;
use crate::refusal::Refusal;

/// How a file begins; the number is the version.
pub(crate) const MAGIC: &[u8; 15] = b"upstar-proof 1\n";
/// The most nodes or lemmas of a block.
pub(crate) const MAX_COUNT: u32 = 1 << 14;
/// The longest content of a block; the text of every graph fits.
const MAX_LENGTH: u32 = 1 << 21;
/// The most nodes that may wait on the stack of a block.
pub(crate) const MAX_STACK: usize = 1 << 12;

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Header,
    /// Clobber's nodes.
    Nodes,
    /// Clobber's lemmas.
    Lemmas,
    /// Othello's nodes of Black's strategy.
    Black,
    /// Othello's nodes of White's strategy.
    White,
    Trailer,
}

impl Kind {
    const LETTERS: [(u8, Self); 6] = [
        (b'H', Self::Header),
        (b'N', Self::Nodes),
        (b'L', Self::Lemmas),
        (b'X', Self::Black),
        (b'O', Self::White),
        (b'T', Self::Trailer),
    ];

    fn from_letter(letter: u8) -> Option<Self> {
        let known = Self::LETTERS.iter().find(|(known, _)| *known == letter);
        known.map(|&(_, kind)| kind)
    }

    const fn letter(self) -> u8 {
        Self::LETTERS[self as usize].0
    }

    /// Which section it belongs to.
    const fn section(self) -> Option<usize> {
        match self {
            Self::Nodes | Self::Black => Some(0),
            Self::Lemmas | Self::White => Some(1),
            Self::Header | Self::Trailer => None,
        }
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

    /// The header with this text.
    pub(crate) fn header(text: String) -> Self {
        Self {
            kind: Kind::Header,
            count: 0,
            content: text.into_bytes(),
        }
    }

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

/// Reads the first line. What begins otherwise is not a proof, however short it is.
pub(crate) fn read_magic(input: &mut impl Read) -> Result<(), Refusal> {
    let mut magic = Vec::new();
    let length = MAGIC.len() as u64;
    input.take(length).read_to_end(&mut magic)?;
    match &magic[..] {
        magic if magic == MAGIC => Ok(()),
        [] => Err(Refusal::NoProof),
        begun if MAGIC.starts_with(begun) => Err(Refusal::Truncated),
        other if other.starts_with(&MAGIC[..13]) => Err(Refusal::Version),
        _ => Err(Refusal::NoProof),
    }
}

/// What the last block says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trailer {
    /// How much each section has.
    pub(crate) counts: [u64; 2],
    /// The checksum of all earlier blocks' checksums.
    pub(crate) whole: u64,
}

impl Trailer {
    /// Counts a block in.
    pub(crate) fn add(&mut self, block: &Block) {
        if let Some(section) = block.kind.section() {
            self.counts[section] += u64::from(block.count);
        }
        self.whole = checksum(self.whole, &block.checksum().to_le_bytes());
    }

    pub(crate) fn block(&self) -> Block {
        let numbers = [self.counts[0], self.counts[1], self.whole];
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

/// The lines `name value` of a header, in a fixed order.
pub(crate) struct Lines<'a> {
    lines: std::str::SplitTerminator<'a, char>,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(header: &'a Block) -> Result<Self, Refusal> {
        let text = std::str::from_utf8(&header.content).ok();
        let text = text.filter(|text| header.kind == Kind::Header && text.ends_with('\n'));
        let lines = text
            .ok_or(Refusal::Malformed("the header"))?
            .split_terminator('\n');
        Ok(Self { lines })
    }

    /// The text after this name, which the next line must begin with.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<&'a str, Refusal> {
        let line = self.lines.next().and_then(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.strip_prefix(' '))
            .ok_or(Refusal::Malformed(name))
    }

    /// The same as a value.
    pub(crate) fn value<T: std::str::FromStr>(&mut self, name: &'static str) -> Result<T, Refusal> {
        let parsed = self.text(name)?.parse();
        parsed.map_err(|_| Refusal::Malformed(name))
    }

    /// The same as a side.
    pub(crate) fn color(&mut self, name: &'static str) -> Result<Color, Refusal> {
        match self.text(name)? {
            "x" => Ok(Color::Black),
            "o" => Ok(Color::White),
            _ => Err(Refusal::Malformed(name)),
        }
    }

    /// That there are no more lines.
    pub(crate) fn end(mut self) -> Result<(), Refusal> {
        match self.lines.next() {
            None => Ok(()),
            Some(_) => Err(Refusal::Malformed("the header")),
        }
    }
}

/// Blocks of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Section {
    pub(crate) at: u64,
    pub(crate) blocks: u64,
    /// The nodes or lemmas of all of them.
    pub(crate) count: u64,
}

/// A file whose checksums are right.
pub(crate) struct Outline {
    pub(crate) game: Variant,
    pub(crate) header: Block,
    pub(crate) sections: [Section; 2],
    pub(crate) bytes: u64,
}

impl Outline {
    /// Reads the whole file once; `passed` is told how many of how many bytes.
    pub(crate) fn read<R: Read + Seek>(
        reader: &mut R,
        mut passed: impl FnMut(u64, u64) -> Result<(), Refusal>,
    ) -> Result<Self, Refusal> {
        let total = reader.seek(SeekFrom::End(0))?;
        reader.seek(SeekFrom::Start(0))?;
        read_magic(reader)?;
        let mut totals = Trailer::default();
        let header = Block::read(reader)?;
        if header.kind != Kind::Header {
            return Err(Refusal::Malformed("no header"));
        }
        let game = Lines::of(&header)?.value("game")?;
        let kinds = match game {
            Variant::Othello(_) => [Kind::Black, Kind::White],
            _ => [Kind::Nodes, Kind::Lemmas],
        };
        totals.add(&header);
        let mut at = MAGIC.len() as u64 + header.bytes();
        let mut sections = [Section {
            at,
            ..Section::default()
        }; 2];
        loop {
            let block = Block::read(reader)?;
            at += block.bytes();
            match block.kind {
                kind if kind == kinds[0] && sections[1].blocks == 0 => {
                    sections[0].blocks += 1;
                    sections[1].at = at;
                }
                kind if kind == kinds[1] => sections[1].blocks += 1,
                Kind::Trailer if totals.block().content == block.content => break,
                Kind::Trailer => return Err(Refusal::Malformed("totals")),
                _ => return Err(Refusal::Malformed("the order of blocks")),
            }
            totals.add(&block);
            passed(at, total)?;
        }
        if at != total {
            return Err(Refusal::Malformed("something after the end"));
        }
        for (section, count) in sections.iter_mut().zip(totals.counts) {
            section.count = count;
        }
        Ok(Self {
            game,
            header,
            sections,
            bytes: total,
        })
    }
}

/// Files taken apart and put together again.
#[cfg(test)]
pub(crate) mod testing {
    use super::{Block, Kind, MAGIC, Trailer};

    /// The blocks of a file without its trailer.
    pub(crate) fn blocks(file: &[u8]) -> Vec<Block> {
        let mut input = &file[MAGIC.len()..];
        let mut blocks = Vec::new();
        while !input.is_empty() {
            blocks.push(Block::read(&mut input).unwrap());
        }
        assert_eq!(blocks.pop().unwrap().kind, Kind::Trailer);
        blocks
    }

    /// A file of these blocks with right checksums and totals.
    pub(crate) fn sealed(blocks: &[Block]) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        let mut totals = Trailer::default();
        for block in blocks {
            block.write(&mut file).unwrap();
            totals.add(block);
        }
        totals.block().write(&mut file).unwrap();
        file
    }
}
