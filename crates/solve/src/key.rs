//! Names of positions: sums of well mixed words.

/// A position's key. Equal positions have equal keys, and others practically never do: the key of a
/// sum is the sum of its components' keys, each as good as random.
pub(crate) type Key = u128;

/// Arbitrary odd constants: the fractional parts of square roots.
const C: [u64; 8] = [
    0x6a09_e667_f3bc_c909,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];

/// Both halves of a product, folded into one.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

/// A number that looks random, made of two words.
#[inline(always)]
pub(crate) fn mix(a: u64, b: u64) -> Key {
    let x = fold(a ^ C[0], b ^ C[1]);
    let y = fold(a.rotate_left(32) ^ C[2], b ^ C[3]);
    let high = fold(x ^ C[4], y.wrapping_add(C[5]));
    let low = fold(y ^ C[6], x.wrapping_add(C[7]));
    Key::from(high) << 64 | Key::from(low)
}
