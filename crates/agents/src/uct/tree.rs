//! The tree: an arena of blocks, one for the children of each node that was visited twice.
//!
//! A block is a header, two arrays that selection reads eight children at a time (value, width), and an
//! entry of four words per child (visits, points, link, move). The two arrays are brought up to date when
//! a result is backed up, so that selection needs no division and no root.

use upstar_solve::Outcome;

use super::amaf::Amaf;

/// Eight words: one load of a vector.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Chunk([u32; 8]);

impl Chunk {
    const ZERO: Self = Self([0; 8]);
}

/// Where the words of an entry are.
const VISITS: usize = 0;
const POINTS: usize = 1;
const LINK: usize = 2;
const CODE: usize = 3;

/// Where the words of a header are.
const CHILDREN: usize = 0;
const TRIED: usize = 1;
const LOST: usize = 2;
const DRAWN: usize = 3;

/// So many low bits of a score give way to a child's place in selection.
const PLACE_BITS: u32 = 8;

/// The place of the root's block; place 0 stands for no block.
pub(super) const ROOT: usize = 1;

/// What is below an entry. Results are those of the side that moves into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Below {
    /// Nothing yet.
    Nothing,
    /// The block at this place.
    Block(usize),
    /// The result is known.
    Known(Outcome),
}

impl Below {
    const FIRST_KNOWN: u32 = u32::MAX - 2;

    #[inline(always)]
    fn read(link: u32) -> Self {
        match link {
            0 => Self::Nothing,
            u32::MAX => Self::Known(Outcome::Win),
            Self::FIRST_KNOWN => Self::Known(Outcome::Loss),
            link if link > Self::FIRST_KNOWN => Self::Known(Outcome::Draw),
            link => Self::Block(link as usize),
        }
    }

    #[inline(always)]
    fn link(self) -> u32 {
        match self {
            Self::Nothing => 0,
            Self::Block(place) => place as u32,
            Self::Known(Outcome::Loss) => Self::FIRST_KNOWN,
            Self::Known(Outcome::Draw) => Self::FIRST_KNOWN + 1,
            Self::Known(Outcome::Win) => u32::MAX,
        }
    }
}

/// A child as it is read: its move, how often it was visited, and the points of the side that moves
/// there, two for a win and one for a draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) code: u16,
    pub(super) visits: u32,
    pub(super) points: u32,
    pub(super) below: Below,
}

/// The points of a result.
#[inline(always)]
pub(super) fn points(outcome: Outcome) -> u32 {
    outcome as u32
}

/// An arena of blocks that never exceeds its memory.
pub(super) struct Tree {
    chunks: Vec<Chunk>,
    /// The most chunks.
    most: usize,
    /// With results of all moves as first, if that is wanted.
    pub(super) amaf: Option<Amaf>,
    /// How often the root was visited.
    pub(super) visits: u32,
    /// The proved result for the side to move at the root.
    pub(super) outcome: Option<Outcome>,
}

impl Tree {
    /// A tree of at most this many bytes.
    pub(super) fn new(memory: usize, amaf: u32) -> Self {
        let most = memory / size_of::<Chunk>();
        Self {
            chunks: Vec::new(),
            // A link has fewer bits than memory may have.
            most: most.min(Below::FIRST_KNOWN as usize),
            amaf: (amaf > 0).then(|| Amaf::new(amaf)),
            visits: 0,
            outcome: None,
        }
    }

    /// Forgets everything and begins with these moves at the root.
    pub(super) fn clear(&mut self, codes: &[u16]) {
        self.chunks.clear();
        // Room is asked for once; the system gives it only as it is used.
        self.chunks.reserve_exact(self.most.max(1 + self.size(codes.len())));
        self.chunks.push(Chunk::ZERO);
        self.visits = 0;
        self.outcome = None;
        self.append(codes);
    }

    /// How many bytes are in use.
    pub(super) fn bytes(&self) -> usize {
        self.chunks.len() * size_of::<Chunk>()
    }

    /// How many chunks the block of so many children has.
    #[inline(always)]
    fn size(&self, children: usize) -> usize {
        let eighths = children.div_ceil(8);
        1 + eighths * if self.amaf.is_some() { 8 } else { 6 }
    }

    /// A new block with these moves; none if there is no room left.
    #[inline(always)]
    pub(super) fn grow(&mut self, codes: &[u16]) -> Option<usize> {
        if self.chunks.len() + self.size(codes.len()) > self.most {
            return None;
        }
        Some(self.append(codes))
    }

    #[inline(always)]
    fn append(&mut self, codes: &[u16]) -> usize {
        let block = self.chunks.len();
        let eighths = codes.len().div_ceil(8);
        let mut header = Chunk::ZERO;
        header.0[CHILDREN] = codes.len() as u32;
        self.chunks.push(header);
        for pair in codes.chunks(2) {
            let mut chunk = Chunk::ZERO;
            chunk.0[CODE] = pair[0].into();
            chunk.0[4 + CODE] = pair.get(1).copied().unwrap_or_default().into();
            self.chunks.push(chunk);
        }
        // No child can be selected before it was visited, and what is no child never.
        let values = block + 1 + 4 * eighths;
        self.chunks.resize(values, Chunk::ZERO);
        let never = Chunk([f32::NEG_INFINITY.to_bits(); 8]);
        self.chunks.resize(values + eighths, never);
        self.chunks.resize(block + self.size(codes.len()), Chunk::ZERO);
        if let Some(amaf) = self.amaf {
            // All can be selected at once, by the results of all moves as first.
            self.chunks[block].0[TRIED] = codes.len() as u32;
            for child in 0..codes.len() {
                let (value, width) = amaf.fresh();
                self.rate(block, child, value, width);
            }
        }
        block
    }

    /// How many children a block has.
    #[inline(always)]
    pub(super) fn children(&self, block: usize) -> usize {
        self.chunks[block].0[CHILDREN] as usize
    }

    #[inline(always)]
    fn words(&self, block: usize, child: usize) -> &[u32; 4] {
        let (fours, _) = self.chunks[block + 1 + child / 2].0.as_chunks::<4>();
        &fours[child % 2]
    }

    #[inline(always)]
    fn words_mut(&mut self, block: usize, child: usize) -> &mut [u32; 4] {
        let (fours, _) = self.chunks[block + 1 + child / 2].0.as_chunks_mut::<4>();
        &mut fours[child % 2]
    }

    /// A child.
    #[inline(always)]
    pub(super) fn entry(&self, block: usize, child: usize) -> Entry {
        let words = self.words(block, child);
        Entry {
            code: words[CODE] as u16,
            visits: words[VISITS],
            points: words[POINTS],
            below: Below::read(words[LINK]),
        }
    }

    /// Says what is below a child.
    #[inline(always)]
    pub(super) fn link(&mut self, block: usize, child: usize, below: Below) {
        self.words_mut(block, child)[LINK] = below.link();
    }

    /// A child that was never tried, each equally likely: it changes places with the first of them.
    /// `draw` gives a number below another. None if all were tried.
    #[inline(always)]
    pub(super) fn untried(
        &mut self,
        block: usize,
        draw: impl FnOnce(u32) -> u32,
    ) -> Option<usize> {
        let header = &mut self.chunks[block].0;
        let (children, tried) = (header[CHILDREN], header[TRIED]);
        if tried == children {
            return None;
        }
        header[TRIED] = tried + 1;
        let (next, drawn) = (tried as usize, (tried + draw(children - tried)) as usize);
        let code = self.words(block, drawn)[CODE];
        self.words_mut(block, drawn)[CODE] = self.words(block, next)[CODE];
        self.words_mut(block, next)[CODE] = code;
        Some(next)
    }

    /// The child with the highest value + scale · width, as far as 16 bits tell; the last of equal ones.
    #[inline(always)]
    pub(super) fn select(&self, block: usize, scale: f32) -> usize {
        let eighths = self.children(block).div_ceil(8);
        let arrays = &self.chunks[block + 1 + 4 * eighths..][..2 * eighths];
        let (values, widths) = arrays.split_at(eighths);
        if eighths > 1 << (PLACE_BITS - 3) {
            return select_among_many(values, widths, scale);
        }
        let mut best = [i32::MIN; 8];
        let mut places = [0, 1, 2, 3, 4, 5, 6, 7];
        for (value, width) in values.iter().zip(widths) {
            for lane in 0..8 {
                let score = f32::from_bits(value.0[lane]) + scale * f32::from_bits(width.0[lane]);
                // Floats from 0 up are ordered as integers are, and −∞ is below them: so one maximum finds
                // the best score with its place.
                let key = score.to_bits() as i32 & !((1 << PLACE_BITS) - 1) | places[lane];
                best[lane] = best[lane].max(key);
                places[lane] += 8;
            }
        }
        let best = best.into_iter().fold(i32::MIN, i32::max);
        best as usize & ((1 << PLACE_BITS) - 1)
    }

    /// Counts a visit with these points, without proof.
    #[inline(always)]
    pub(super) fn visit(&mut self, block: usize, child: usize, points: u32) {
        let words = self.words_mut(block, child);
        words[VISITS] += 1;
        words[POINTS] += points;
        let [visits, points, ..] = *words;
        if let Some(amaf) = &self.amaf {
            let [all_visits, all_points] = self.all_moves(block, child);
            let value = amaf.value(visits, points, all_visits, all_points);
            self.rate(block, child, value, width(visits));
        } else {
            let value = points as f32 / (2 * visits) as f32;
            self.rate(block, child, value, width(visits));
        }
    }

    /// Sets what selection sees of a child.
    #[inline(always)]
    fn rate(&mut self, block: usize, child: usize, value: f32, width: f32) {
        let eighths = self.children(block).div_ceil(8);
        let values = block + 1 + 4 * eighths + child / 8;
        self.chunks[values].0[child % 8] = value.to_bits();
        self.chunks[values + eighths].0[child % 8] = width.to_bits();
    }

    /// The results of a child's move wherever it was played: visits and points.
    #[inline(always)]
    fn all_moves(&self, block: usize, child: usize) -> [u32; 2] {
        let eighths = self.children(block).div_ceil(8);
        let (twos, _) = self.chunks[block + 1 + 6 * eighths + child / 4].0.as_chunks();
        twos[child % 4]
    }

    /// Counts a result of a child's move that was played later.
    pub(super) fn visit_as_first(&mut self, block: usize, child: usize, points: u32) {
        let eighths = self.children(block).div_ceil(8);
        let chunk = &mut self.chunks[block + 1 + 6 * eighths + child / 4].0;
        let (twos, _) = chunk.as_chunks_mut::<2>();
        let [all_visits, all_points] = &mut twos[child % 4];
        *all_visits += 1;
        *all_points += points;
        let [all_visits, all_points] = twos[child % 4];
        let entry = self.entry(block, child);
        if let Below::Known(_) = entry.below {
            return;
        }
        let amaf = self.amaf.as_ref().expect("results of all moves are kept");
        let value = amaf.value(entry.visits, entry.points, all_visits, all_points);
        self.rate(block, child, value, width(entry.visits.max(1)));
    }

    /// Notes that a child's result is proved. Returns what that proves for the side to move in the block.
    #[inline(always)]
    pub(super) fn prove(&mut self, block: usize, child: usize, outcome: Outcome) -> Option<Outcome> {
        self.link(block, child, Below::Known(outcome));
        let value = match outcome {
            Outcome::Loss => f32::NEG_INFINITY,
            Outcome::Draw => 0.5,
            Outcome::Win => 1.0,
        };
        self.rate(block, child, value, 0.0);
        let header = &mut self.chunks[block].0;
        match outcome {
            Outcome::Win => return Some(Outcome::Win),
            Outcome::Draw => header[DRAWN] += 1,
            Outcome::Loss => header[LOST] += 1,
        }
        if header[LOST] + header[DRAWN] < header[CHILDREN] {
            None
        } else if header[DRAWN] > 0 {
            Some(Outcome::Draw)
        } else {
            Some(Outcome::Loss)
        }
    }

    /// Makes the block at this place the root and forgets the rest.
    pub(super) fn keep(&mut self, block: usize, visits: u32) {
        let old = std::mem::take(&mut self.chunks);
        self.chunks.reserve_exact(self.most);
        self.chunks.push(Chunk::ZERO);
        self.visits = visits;
        self.outcome = None;
        // Blocks that were copied, whose links still lead into the old arena.
        let mut next = self.copy(&old, block);
        while next < self.chunks.len() {
            let children = self.children(next);
            for child in 0..children {
                if let Below::Block(place) = self.entry(next, child).below {
                    let copied = self.copy(&old, place);
                    self.link(next, child, Below::Block(copied));
                }
            }
            next += self.size(children);
        }
    }

    fn copy(&mut self, old: &[Chunk], block: usize) -> usize {
        let place = self.chunks.len();
        let size = self.size(old[block].0[CHILDREN] as usize);
        self.chunks.extend_from_slice(&old[block..][..size]);
        place
    }
}

/// The same among more children than places have bits for.
#[cold]
fn select_among_many(values: &[Chunk], widths: &[Chunk], scale: f32) -> usize {
    let scores = values
        .iter()
        .zip(widths)
        .flat_map(|(value, width)| value.0.into_iter().zip(width.0))
        .map(|(value, width)| f32::from_bits(value) + scale * f32::from_bits(width));
    let best = scores.enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
    best.map_or(0, |(place, _)| place)
}

/// How far a child's value may be wrong: 1/√visits.
#[inline(always)]
fn width(visits: u32) -> f32 {
    1.0 / (visits as f32).sqrt()
}
