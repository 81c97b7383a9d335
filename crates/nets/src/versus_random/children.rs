//! The moves of a position and what the network thinks of them, four at a time.

use super::board::Slots;
use crate::lanes::LANES;

/// How many children are judged together.
const TOGETHER: usize = 4;

/// The children of a position.
#[derive(Clone, Debug)]
pub(super) struct Children {
    len: usize,
    slots: Vec<u16>,
    /// For each slot of the board the first groups of the rows of the cells left and taken.
    rows: Vec<[u32; 2]>,
    /// What the hidden nodes add to their values, in sixteen sums, then in four.
    sums: Vec<Sums>,
    quarters: Vec<[f32; 4]>,
    values: Vec<f32>,
}

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Sums([f32; LANES]);

/// What judges them: see the fields of the same names in `Games`.
pub(super) struct Judge<'a> {
    pub(super) width: usize,
    pub(super) base: &'a [f32],
    pub(super) twice: &'a [f32],
    pub(super) minus: &'a [f32],
    pub(super) output: &'a [f32],
    pub(super) output_bias: f32,
    pub(super) leak: f32,
    pub(super) output_leak: f32,
}

impl Children {
    pub(super) fn new<const W: usize>(slots: &Slots<W>, width: usize) -> Self {
        let most = 64 * W;
        let row = |cell: u8| u32::from(cell) * (width / LANES) as u32;
        let rows = |slot: usize| [row(slots.edge(slot).from), row(slots.edge(slot).to)];
        Self {
            len: 0,
            slots: vec![0; most],
            rows: (0..most).map(rows).collect(),
            sums: vec![Sums([0.0; LANES]); most],
            quarters: vec![[0.0; 4]; most],
            values: vec![0.0; most],
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Lists these moves.
    #[inline(always)]
    pub(super) fn list<const W: usize>(&mut self, moves: &[u64; W]) {
        let mut len = 0;
        for word in 0..W {
            let mut moves = moves[word];
            while moves != 0 {
                self.slots[len] = (64 * word) as u16 + moves.trailing_zeros() as u16;
                moves &= moves - 1;
                len += 1;
            }
        }
        self.len = len;
    }

    /// The slot of the highest value, the first of them on equal values.
    #[inline(always)]
    pub(super) fn best(&mut self, judge: &Judge<'_>) -> usize {
        // What stands behind the last child is judged along with it, and not looked at.
        let rounded = self.len.next_multiple_of(TOGETHER);
        let slots = self.slots[..rounded].as_chunks::<TOGETHER>().0;
        let sums = self.sums[..rounded].as_chunks_mut::<TOGETHER>().0;
        for four in 0..slots.len() {
            let [a, b, c, d] = slots[four];
            let rows = &self.rows;
            let rows = [
                rows[usize::from(a)],
                rows[usize::from(b)],
                rows[usize::from(c)],
                rows[usize::from(d)],
            ];
            judge.four(rows, &mut sums[four]);
        }
        let sums = &self.sums[..self.len];
        for child in 0..sums.len() {
            // This index is checked each time, and so the compiler leaves the loop as it is, instead
            // of gathering numbers of several children.
            let quarters = &mut self.quarters[child];
            let sums = sums[child].0;
            let mut four = [0.0; 4];
            for lane in 0..4 {
                let halves = [
                    sums[lane] + sums[lane + 8],
                    sums[lane + 4] + sums[lane + 12],
                ];
                four[lane] = halves[0] + halves[1];
            }
            *quarters = four;
        }
        let values = &mut self.values[..self.len];
        let quarters = &self.quarters[..values.len()];
        let mut best = 0;
        for child in 0..values.len() {
            let [a, b, c, d] = quarters[child];
            let sum = ((a + c) + (b + d)) + judge.output_bias;
            let value = rectified(sum, judge.output_leak);
            values[child] = value;
            best = best.max(ordered(value, child));
        }
        self.slots[!(best as u32) as usize].into()
    }

    /// Whether they have different values.
    #[inline(always)]
    pub(super) fn differ(&self) -> bool {
        let values = &self.values[..self.len];
        values.iter().any(|value| *value != values[0])
    }
}

/// A number that is greater for a greater value, and for a lower index of the same value. What is
/// not a number comes last.
#[inline(always)]
fn ordered(value: f32, index: usize) -> u64 {
    // Both zeros are equal.
    let bits = (value + 0.0).to_bits();
    let sign = ((bits as i32) >> 31) as u32;
    let key = bits ^ (sign | 0x8000_0000);
    let key = if value.is_nan() { 0 } else { key };
    u64::from(key) << 32 | u64::from(!(index as u32))
}

impl Judge<'_> {
    /// What the hidden nodes add to the values of four children.
    #[inline(always)]
    fn four(&self, places: [[u32; 2]; TOGETHER], sums: &mut [Sums; TOGETHER]) {
        let groups = self.width / LANES;
        let base = &rows(self.base)[..groups];
        let output = &rows(self.output)[..groups];
        let (minus, twice) = (rows(self.minus), rows(self.twice));
        let [a, b, c, d] = places;
        let left_a = &minus[a[0] as usize..][..groups];
        let left_b = &minus[b[0] as usize..][..groups];
        let left_c = &minus[c[0] as usize..][..groups];
        let left_d = &minus[d[0] as usize..][..groups];
        let taken_a = &twice[a[1] as usize..][..groups];
        let taken_b = &twice[b[1] as usize..][..groups];
        let taken_c = &twice[c[1] as usize..][..groups];
        let taken_d = &twice[d[1] as usize..][..groups];
        let (mut sums_a, mut sums_b) = ([0.0; LANES], [0.0; LANES]);
        let (mut sums_c, mut sums_d) = ([0.0; LANES], [0.0; LANES]);
        for group in 0..groups {
            let (base, output, leak) = (&base[group], &output[group], self.leak);
            add(
                &mut sums_a,
                [base, output, &left_a[group], &taken_a[group]],
                leak,
            );
            add(
                &mut sums_b,
                [base, output, &left_b[group], &taken_b[group]],
                leak,
            );
            add(
                &mut sums_c,
                [base, output, &left_c[group], &taken_c[group]],
                leak,
            );
            add(
                &mut sums_d,
                [base, output, &left_d[group], &taken_d[group]],
                leak,
            );
        }
        sums[0].0 = sums_a;
        sums[1].0 = sums_b;
        sums[2].0 = sums_c;
        sums[3].0 = sums_d;
    }
}

#[inline(always)]
fn add(sums: &mut [f32; LANES], [base, output, left, taken]: [&[f32; LANES]; 4], leak: f32) {
    for lane in 0..LANES {
        let sum = (base[lane] + left[lane]) + taken[lane];
        sums[lane] += rectified(sum, leak) * output[lane];
    }
}

/// The value of a rectifier that is leaky by less than 1.
#[inline(always)]
pub(super) fn rectified(sum: f32, leak: f32) -> f32 {
    let leaked = leak * sum;
    if sum > leaked { sum } else { leaked }
}

#[inline(always)]
fn rows(numbers: &[f32]) -> &[[f32; LANES]] {
    numbers.as_chunks().0
}
