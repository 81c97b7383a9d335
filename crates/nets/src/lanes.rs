//! Rows of numbers, in whole groups of sixteen that begin at cache lines, so that the compiler can
//! turn loops over them into the widest vectors.
//!
//! Every sum has a fixed order, and no multiplication is fused with an addition, so that a seed
//! gives the same weights on every machine, bit for bit. Element-wise loops are written over the
//! whole row: written as loops over groups, the compiler would pick them apart.

use std::ops::{Deref, DerefMut};

/// The numbers that are summed lane by lane: a cache line, and the widest vector of today's
/// processors.
pub(crate) const LANES: usize = 16;

/// The length of a row that holds so many numbers.
pub(crate) const fn padded(numbers: usize) -> usize {
    numbers.next_multiple_of(LANES)
}

/// Numbers that begin at a cache line.
#[derive(Debug)]
pub(crate) struct Aligned {
    buffer: Vec<f32>,
    first: usize,
    len: usize,
}

impl Aligned {
    /// So many zeros.
    pub(crate) fn zeros(len: usize) -> Self {
        let buffer = vec![0.0; len + LANES];
        let first = buffer.as_ptr().align_offset(64).min(LANES);
        Self { buffer, first, len }
    }
}

impl Clone for Aligned {
    fn clone(&self) -> Self {
        let mut copy = Self::zeros(self.len);
        copy.copy_from_slice(self);
        copy
    }
}

impl PartialEq for Aligned {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Deref for Aligned {
    type Target = [f32];

    #[inline(always)]
    fn deref(&self) -> &[f32] {
        &self.buffer[self.first..self.first + self.len]
    }
}

impl DerefMut for Aligned {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.buffer[self.first..self.first + self.len]
    }
}

/// The compiler handles 64 numbers of a long loop at a time, and what is left over slowly: shorter
/// rows are better handled a group at a time.
const LONG: usize = 64;

/// Changes a row, number by number, with the help of another; both are whole rows.
#[inline(always)]
pub(crate) fn update(row: &mut [f32], other: &[f32], change: impl Fn(f32, f32) -> f32) {
    let other = &other[..row.len()];
    if row.len() >= LONG {
        for i in 0..row.len() {
            row[i] = change(row[i], other[i]);
        }
        return;
    }
    let (row, _) = row.as_chunks_mut::<LANES>();
    let (other, _) = other.as_chunks::<LANES>();
    for i in 0..row.len() {
        let (mut numbers, others) = (row[i], other[i]);
        for lane in 0..LANES {
            numbers[lane] = change(numbers[lane], others[lane]);
        }
        row[i] = numbers;
    }
}

/// Adds `factor` times another row; both are whole rows.
#[inline(always)]
pub(crate) fn add_scaled(row: &mut [f32], factor: f32, other: &[f32]) {
    update(row, other, |number, other| number + factor * other);
}

/// The sum of `term` over two rows, lane by lane first.
#[inline(always)]
pub(crate) fn sum_of(a: &[f32], b: &[f32], term: impl Fn(f32, f32) -> f32) -> f32 {
    let (a, _) = a.as_chunks::<LANES>();
    let (b, _) = b.as_chunks::<LANES>();
    let b = &b[..a.len()];
    let mut sums = [0.0; LANES];
    for i in 0..a.len() {
        for lane in 0..LANES {
            sums[lane] += term(a[i][lane], b[i][lane]);
        }
    }
    let mut eight = [0.0; 8];
    for lane in 0..8 {
        eight[lane] = sums[lane] + sums[lane + 8];
    }
    let mut four = [0.0; 4];
    for lane in 0..4 {
        four[lane] = eight[lane] + eight[lane + 4];
    }
    (four[0] + four[2]) + (four[1] + four[3])
}

/// The sum of the products.
#[inline(always)]
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    sum_of(a, b, |a, b| a * b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_begin_at_cache_lines() {
        for len in [16, 48, 1600] {
            let mut row = Aligned::zeros(len);
            row[len - 1] = 1.0;
            for row in [row.clone(), row] {
                assert_eq!(row.as_ptr() as usize % 64, 0);
                assert_eq!((row.len(), row[len - 1]), (len, 1.0));
            }
        }
    }

    #[test]
    fn sums_are_sums() {
        let numbers: Vec<f32> = (0..48).map(|n| n as f32).collect();
        assert_eq!(dot(&numbers, &[1.0; 48]), (0..48).sum::<i32>() as f32);
        let mut row = vec![1.0; 48];
        add_scaled(&mut row, 2.0, &numbers);
        assert!(
            row.iter()
                .enumerate()
                .all(|(n, &x)| x == 1.0 + 2.0 * n as f32)
        );
    }
}
