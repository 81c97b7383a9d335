//! What stands near a cell: the diamond, that is the 13 cells within two steps.
//!
//! ```text
//!         9
//!     0   1   2
//! 10  3   4   5  11
//!     6   7   8
//!        12
//! ```
//!
//! A diamond has a number in base 3: 0 empty, 1 own, 2 the opponent's, and the picture shows each cell's
//! digit. The lowest nine digits are the number of the 3×3 window, the upper four are the tips.

use std::sync::LazyLock;

/// How many cells a diamond has.
pub(crate) const CELLS: usize = 13;
/// How many 3×3 windows there are.
pub(crate) const WINDOWS: usize = 19_683;
/// How many diamonds there are.
pub(crate) const DIAMONDS: usize = 81 * WINDOWS;

/// The digit of the middle.
pub(crate) const MIDDLE: usize = 4;
/// The digits in the order of the board: by rows from the top, and from the left.
const DIGITS: [usize; CELLS] = [9, 0, 1, 2, 10, 3, 4, 5, 11, 6, 7, 8, 12];

/// What a stone of one's own adds to the number, by digit.
pub(crate) const POWERS: [u32; CELLS] = {
    let mut powers = [1; CELLS];
    let mut digit = 1;
    while digit < CELLS {
        powers[digit] = 3 * powers[digit - 1];
        digit += 1;
    }
    powers
};

/// For the first seven cells in the order of the board, and for the last six, the number of a diamond
/// with one's own stones there.
const HALVES: [[u32; 128]; 2] = {
    let mut table = [[0; 128]; 2];
    let mut half = 0;
    while half < 2 {
        let mut bits = 0;
        while bits < 128 {
            let mut cell = 0;
            while cell < 7 {
                if bits >> cell & 1 != 0 && 7 * half + cell < CELLS {
                    table[half][bits] += POWERS[DIGITS[7 * half + cell]];
                }
                cell += 1;
            }
            bits += 1;
        }
        half += 1;
    }
    table
};

/// The number of the diamond with these own and these other stones, as bits in the order of the board.
#[inline(always)]
pub(crate) fn number(own: usize, opponent: usize) -> usize {
    let side = |bits: usize| HALVES[0][bits & 127] + HALVES[1][bits >> 7 & 127];
    (side(own) + 2 * side(opponent)) as usize
}

/// What one's own stone adds to the number, this many rows below and columns to the right of the middle.
pub(crate) const fn power(rows: i32, cols: i32) -> u32 {
    let steps = rows.abs() + cols.abs();
    if steps > 2 {
        return 0;
    }
    // Where the middle column's cell of each row is in the order of the board.
    let middle_of_row = [0, 2, 6, 10, 12][(rows + 2) as usize];
    POWERS[DIGITS[(middle_of_row + cols) as usize]]
}

/// For each digit of a diamond that is turned by a quarter, and of one that is mirrored, the digit that it comes from.
const TURNED: [usize; CELLS] = [6, 3, 0, 7, 4, 1, 8, 5, 2, 10, 12, 9, 11];
const MIRRORED: [usize; CELLS] = [2, 1, 0, 5, 4, 3, 8, 7, 6, 9, 11, 10, 12];

/// For each of the eight turned and mirrored images of a diamond what each of its digits adds to the image's number.
static IMAGES: LazyLock<[[u32; CELLS]; 8]> = LazyLock::new(|| {
    let mut from: [usize; CELLS] = std::array::from_fn(|digit| digit);
    let mut images = [[0; CELLS]; 8];
    for (image, powers) in images.iter_mut().enumerate() {
        for (digit, &origin) in from.iter().enumerate() {
            powers[origin] = POWERS[digit];
        }
        from = TURNED.map(|digit| from[digit]);
        if image == 3 {
            from = MIRRORED.map(|digit| from[digit]);
        }
    }
    images
});

/// The numbers of a diamond's turned and mirrored images, its own among them.
pub(crate) fn images(diamond: usize) -> [usize; 8] {
    let mut rest = diamond as u32;
    let digits: [u32; CELLS] = std::array::from_fn(|_| {
        let digit = rest % 3;
        rest /= 3;
        digit
    });
    IMAGES.map(|powers| {
        let parts = powers.iter().zip(digits);
        parts.map(|(power, digit)| power * digit).sum::<u32>() as usize
    })
}

/// What stands in the middle: 0, 1 or 2.
pub(crate) fn middle(diamond: usize) -> u32 {
    diamond as u32 / POWERS[MIDDLE] % 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use upstar_games::Random;

    /// The cells of a diamond by digit, as rows below and columns to the right of the middle.
    fn place(digit: usize) -> (i32, i32) {
        match digit {
            0..9 => (digit as i32 / 3 - 1, digit as i32 % 3 - 1),
            9 => (-2, 0),
            10 => (0, -2),
            11 => (0, 2),
            _ => (2, 0),
        }
    }

    #[test]
    fn each_cell_has_its_power() {
        for rows in -3..=3i32 {
            for cols in -3..=3i32 {
                let digit = (0..CELLS).find(|&digit| place(digit) == (rows, cols));
                let expected = digit.map_or(0, |digit| 3u32.pow(digit as u32));
                assert_eq!(power(rows, cols), expected, "{rows}, {cols}");
            }
        }
    }

    /// Images by moving each stone.
    #[test]
    fn images_are_those_of_the_stones() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            let diamond = random.below(DIAMONDS as u32) as usize;
            let stones: Vec<(i32, i32, u32)> = (0..CELLS)
                .map(|digit| {
                    let (row, col) = place(digit);
                    (row, col, diamond as u32 / 3u32.pow(digit as u32) % 3)
                })
                .collect();
            let mut expected = Vec::new();
            for turns in 0..8 {
                let moved = stones.iter().map(|&(mut row, mut col, stone)| {
                    for _ in 0..turns % 4 {
                        (row, col) = (col, -row);
                    }
                    if turns >= 4 {
                        col = -col;
                    }
                    power(row, col) * stone
                });
                expected.push(moved.sum::<u32>() as usize);
            }
            let mut found = images(diamond).to_vec();
            assert!(found.contains(&diamond));
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
            assert!(found.iter().all(|&image| middle(image) == middle(diamond)));
        }
    }
}
