//! The tree: an arena of blocks, one for the children of each node that was visited twice.
//!
//! A block is a header, an entry of four words per child (visits, points, link, move), and two arrays that
//! selection reads eight children at a time (value, width). These are kept up to date when visits and
//! results are counted, so that selection needs no division and no root.

use std::collections::TryReserveError;

use upstar_solve::Outcome;

use super::amaf::Amaf;

/// Eight words: one load of a vector.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Chunk([u32; 8]);

impl Chunk {
    const ZERO: Self = Self([0; 8]);
    /// The values of children that cannot be selected.
    const NEVER: Self = Self([f32::NEG_INFINITY.to_bits(); 8]);
}

/// Where the words of a header are: the number of children, of those tried, of those proved to lose and to
/// draw, and the room for children in eighths.
const CHILDREN: usize = 0;
const TRIED: usize = 1;
const LOST: usize = 2;
const DRAWN: usize = 3;
const EIGHTHS: usize = 4;

/// Where the words of an entry are.
const VISITS: usize = 0;
const POINTS: usize = 1;
const LINK: usize = 2;
const CODE: usize = 3;

/// So many low bits of a score give way to a child's place in selection.
const PLACE_BITS: u32 = 8;

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
        if link == 0 {
            Self::Nothing
        } else if link < Self::FIRST_KNOWN {
            Self::Block(link as usize)
        } else {
            Self::Known(match link - Self::FIRST_KNOWN {
                0 => Outcome::Loss,
                1 => Outcome::Draw,
                _ => Outcome::Win,
            })
        }
    }

    #[inline(always)]
    fn link(self) -> u32 {
        match self {
            Self::Nothing => 0,
            Self::Block(place) => place as u32,
            Self::Known(outcome) => Self::FIRST_KNOWN + points(outcome),
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
    match outcome {
        Outcome::Loss => 0,
        Outcome::Draw => 1,
        Outcome::Win => 2,
    }
}

/// An arena of blocks that never exceeds its memory.
pub(super) struct Tree {
    chunks: Vec<Chunk>,
    /// Another arena, into which what is kept is copied.
    spare: Vec<Chunk>,
    /// The most chunks.
    most: usize,
    /// The place of the root's block; place 0 stands for no block.
    root: usize,
    /// Blocks that were left for larger ones, by their eighths.
    free: [Vec<u32>; 9],
    /// With results of all moves as first, if that is wanted.
    pub(super) amaf: Option<Amaf>,
    /// How often the root was visited.
    pub(super) visits: u32,
    /// The proved result for the side to move at the root.
    pub(super) outcome: Option<Outcome>,
}

impl Tree {
    /// A tree of at most this many bytes.
    ///
    /// # Errors
    /// If the system has not so much to give. It is asked once, and gives it only as it is used.
    pub(super) fn new(memory: usize, amaf: u32) -> Result<Self, TryReserveError> {
        // A link has fewer bits than memory may have.
        let most = (memory / size_of::<Chunk>()).min(Below::FIRST_KNOWN as usize);
        let mut chunks = Vec::new();
        chunks.try_reserve_exact(most)?;
        Ok(Self {
            chunks,
            spare: Vec::new(),
            most,
            root: 0,
            free: Default::default(),
            amaf: (amaf > 0).then(|| Amaf::new(amaf)),
            visits: 0,
            outcome: None,
        })
    }

    /// Forgets everything and begins with a root of so many children.
    pub(super) fn clear(&mut self, children: usize) {
        self.chunks.clear();
        self.free.iter_mut().for_each(Vec::clear);
        let root = 1 + self.size(children.div_ceil(8));
        self.chunks.reserve_exact(self.most.max(root));
        self.chunks.push(Chunk::ZERO);
        self.visits = 0;
        self.outcome = None;
        self.root = self.append(children, children.div_ceil(8));
    }

    /// The root's block.
    #[inline(always)]
    pub(super) fn root(&self) -> usize {
        self.root
    }

    /// How many bytes are in use.
    pub(super) fn bytes(&self) -> usize {
        self.chunks.len() * size_of::<Chunk>()
    }

    /// How many chunks a block with so much room has.
    #[inline(always)]
    fn size(&self, eighths: usize) -> usize {
        1 + eighths * if self.amaf.is_some() { 8 } else { 6 }
    }

    /// A new block for so many children, with room for at least one and at most `8 * eighths`; none if the
    /// memory is full.
    #[inline(always)]
    pub(super) fn open(&mut self, children: usize, eighths: usize) -> Option<usize> {
        if let Some(free) = self.free.get_mut(eighths)
            && let Some(block) = free.pop()
        {
            self.reset(block as usize, children, eighths);
            return Some(block as usize);
        }
        if self.chunks.len() + self.size(eighths) > self.most {
            return None;
        }
        Some(self.append(children, eighths))
    }

    #[inline(always)]
    fn append(&mut self, children: usize, eighths: usize) -> usize {
        let block = self.chunks.len();
        self.chunks.resize(block + self.size(eighths), Chunk::ZERO);
        let values = block + 1 + 4 * eighths;
        self.chunks[values..][..eighths].fill(Chunk::NEVER);
        let header = &mut self.chunks[block].0;
        header[CHILDREN] = children as u32;
        header[EIGHTHS] = eighths as u32;
        block
    }

    fn reset(&mut self, block: usize, children: usize, eighths: usize) {
        let size = self.size(eighths);
        self.chunks[block..][..size].fill(Chunk::ZERO);
        self.chunks[block + 1 + 4 * eighths..][..eighths].fill(Chunk::NEVER);
        let header = &mut self.chunks[block].0;
        header[CHILDREN] = children as u32;
        header[EIGHTHS] = eighths as u32;
    }

    /// The same block with twice the room, at another place; none if the memory is full. `above` is the
    /// child that it is below of, none for the root.
    #[inline(never)]
    pub(super) fn widen(&mut self, block: usize, above: Option<(usize, usize)>) -> Option<usize> {
        let old = self.eighths(block);
        let children = self.children(block);
        let new = (2 * old).min(children.div_ceil(8));
        let wide = self.open(children, new)?;
        let mut header = self.chunks[block];
        header.0[EIGHTHS] = new as u32;
        self.chunks[wide] = header;
        let copy = |from: usize, to: usize, count: usize| (from..from + count, to);
        let entries = copy(block + 1, wide + 1, 4 * old);
        let values = copy(block + 1 + 4 * old, wide + 1 + 4 * new, old);
        let widths = copy(block + 1 + 5 * old, wide + 1 + 5 * new, old);
        for (from, to) in [entries, values, widths] {
            self.chunks.copy_within(from, to);
        }
        match above {
            Some((block, child)) => self.link(block, child, Below::Block(wide)),
            None => self.root = wide,
        }
        self.free[old].push(block as u32);
        Some(wide)
    }

    /// Lists the moves of a block that has room for all.
    #[inline(always)]
    pub(super) fn list(&mut self, block: usize, codes: &[u16]) {
        for (child, &code) in codes.iter().enumerate() {
            self.words_mut(block, child)[CODE] = code.into();
        }
        if let Some(amaf) = self.amaf {
            // All can be selected at once, by the results of all moves as first.
            self.chunks[block].0[TRIED] = codes.len() as u32;
            for child in 0..codes.len() {
                let (value, width) = amaf.fresh();
                self.rate(block, child, value, width);
            }
        }
    }

    /// How many children a block has.
    #[inline(always)]
    pub(super) fn children(&self, block: usize) -> usize {
        self.chunks[block].0[CHILDREN] as usize
    }

    /// How many of them were tried.
    #[inline(always)]
    pub(super) fn tried(&self, block: usize) -> usize {
        self.chunks[block].0[TRIED] as usize
    }

    /// How much room for children it has.
    #[inline(always)]
    fn eighths(&self, block: usize) -> usize {
        self.chunks[block].0[EIGHTHS] as usize
    }

    /// Whether there is room for one child more.
    #[inline(always)]
    pub(super) fn has_room(&self, block: usize) -> bool {
        self.tried(block) < 8 * self.eighths(block)
    }

    /// The moves that were tried, as a set of codes below 64, if they were added by [`Tree::add`].
    #[inline(always)]
    pub(super) fn tried_set(&self, block: usize) -> u64 {
        let header = &self.chunks[block].0;
        u64::from(header[6]) | u64::from(header[7]) << 32
    }

    /// Adds a child with this move, whose code is below 64.
    #[inline(always)]
    pub(super) fn add(&mut self, block: usize, code: u32) -> usize {
        let set = self.tried_set(block) | 1 << (code & 63);
        let header = &mut self.chunks[block].0;
        (header[6], header[7]) = (set as u32, (set >> 32) as u32);
        let child = header[TRIED] as usize;
        header[TRIED] += 1;
        self.words_mut(block, child)[CODE] = code;
        child
    }

    /// A listed child that was never tried, each equally likely: it changes places with the first of
    /// them. `draw` gives a number below another. None if all were tried.
    #[inline(always)]
    pub(super) fn untried(&mut self, block: usize, draw: impl FnOnce(u32) -> u32) -> Option<usize> {
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

    /// The children that were tried.
    pub(super) fn entries(&self, block: usize) -> impl Iterator<Item = Entry> {
        (0..self.tried(block)).map(move |child| self.entry(block, child))
    }

    /// Says what is below a child.
    #[inline(always)]
    pub(super) fn link(&mut self, block: usize, child: usize, below: Below) {
        self.words_mut(block, child)[LINK] = below.link();
    }

    /// The child with the highest value + scale · width, as far as 16 bits tell; the last of equal ones.
    #[inline(always)]
    pub(super) fn select(&self, block: usize, scale: f32) -> usize {
        let eighths = self.eighths(block);
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

    /// Counts a visit of a child whose result is not known yet, and returns what was there before.
    #[inline(always)]
    pub(super) fn enter(&mut self, block: usize, child: usize) -> Entry {
        let entry = self.entry(block, child);
        let visits = entry.visits + 1;
        self.words_mut(block, child)[VISITS] = visits;
        let eighths = self.eighths(block);
        let widths = block + 1 + 5 * eighths + child / 8;
        self.chunks[widths].0[child % 8] = width(visits).to_bits();
        entry
    }

    /// Counts the points of a visit.
    #[inline(always)]
    pub(super) fn count(&mut self, block: usize, child: usize, more: u32) {
        let words = self.words_mut(block, child);
        words[POINTS] += more;
        let [visits, points, ..] = *words;
        let value = match &self.amaf {
            None => points as f32 / (2 * visits) as f32,
            Some(amaf) => {
                let [all_visits, all_points] = self.all_moves(block, child);
                amaf.value(visits, points, all_visits, all_points)
            }
        };
        let eighths = self.eighths(block);
        let values = block + 1 + 4 * eighths + child / 8;
        self.chunks[values].0[child % 8] = value.to_bits();
    }

    /// Sets what selection sees of a child.
    #[inline(always)]
    fn rate(&mut self, block: usize, child: usize, value: f32, width: f32) {
        let eighths = self.eighths(block);
        let values = block + 1 + 4 * eighths + child / 8;
        self.chunks[values].0[child % 8] = value.to_bits();
        self.chunks[values + eighths].0[child % 8] = width.to_bits();
    }

    /// Sets what selection sees of a child whose result is proved: no more than that.
    pub(super) fn settle(&mut self, block: usize, child: usize, outcome: Outcome) {
        let value = match outcome {
            Outcome::Loss => f32::NEG_INFINITY,
            Outcome::Draw => 0.5,
            Outcome::Win => 1.0,
        };
        self.rate(block, child, value, 0.0);
    }

    /// Notes that a child's result is proved. Returns what that proves for the side to move in the block.
    #[inline(never)]
    pub(super) fn prove(
        &mut self,
        block: usize,
        child: usize,
        outcome: Outcome,
    ) -> Option<Outcome> {
        self.link(block, child, Below::Known(outcome));
        self.settle(block, child, outcome);
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

    /// The results of a child's move wherever it was played: visits and points.
    #[inline(always)]
    fn all_moves(&self, block: usize, child: usize) -> [u32; 2] {
        let eighths = self.eighths(block);
        let chunk = &self.chunks[block + 1 + 6 * eighths + child / 4].0;
        chunk.as_chunks().0[child % 4]
    }

    /// Counts a result of a child's move that was played now or later.
    pub(super) fn count_as_first(&mut self, block: usize, child: usize, points: u32) {
        let [all_visits, all_points] = self.all_moves(block, child);
        let (all_visits, all_points) = (all_visits + 1, all_points + points);
        let eighths = self.eighths(block);
        let chunk = &mut self.chunks[block + 1 + 6 * eighths + child / 4].0;
        chunk.as_chunks_mut().0[child % 4] = [all_visits, all_points];
        let entry = self.entry(block, child);
        if let (Some(amaf), Below::Nothing | Below::Block(_)) = (&self.amaf, entry.below) {
            let value = amaf.value(entry.visits, entry.points, all_visits, all_points);
            self.rate(block, child, value, width(entry.visits.max(1)));
        }
    }

    /// Makes the block at this place the root and forgets the rest.
    pub(super) fn keep(&mut self, block: usize, visits: u32) {
        let old = std::mem::replace(&mut self.chunks, std::mem::take(&mut self.spare));
        self.free.iter_mut().for_each(Vec::clear);
        self.chunks.clear();
        self.chunks.reserve_exact(old.capacity());
        self.chunks.push(Chunk::ZERO);
        self.visits = visits;
        self.outcome = None;
        self.root = self.copy(&old, block);
        // The links of a block that was copied still lead into the old arena.
        let mut next = self.root;
        while next < self.chunks.len() {
            for child in 0..self.tried(next) {
                if let Below::Block(place) = self.entry(next, child).below {
                    let copied = self.copy(&old, place);
                    self.link(next, child, Below::Block(copied));
                }
            }
            next += self.size(self.eighths(next));
        }
        self.spare = old;
    }

    fn copy(&mut self, old: &[Chunk], block: usize) -> usize {
        let place = self.chunks.len();
        let size = self.size(old[block].0[EIGHTHS] as usize);
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
