//! Small numbers in few bits: an adaptive binary range coder (Martin 1979, in the form of LZMA).
//!
//! Each number is told by yes-or-no questions: zero or not, its sign, how many bits it has, then its bits. How
//! likely each answer is, is learned on the way, for each context that the caller tells apart.

/// How many contexts numbers can have.
pub(super) const CONTEXTS: usize = 16;
/// The most bits of a number's size.
const BITS: usize = 15;

/// The chances of a no, of 2048.
#[derive(Clone)]
struct Chances {
    zero: [u16; CONTEXTS],
    sign: [u16; CONTEXTS],
    /// Whether the size has more bits than so many, plus one.
    longer: [[u16; BITS]; CONTEXTS],
    /// The bits below the highest one, by how many there are and the two that come first.
    lower: [[[u16; 4]; BITS]; BITS],
}

impl Chances {
    fn new() -> Self {
        const EVEN: u16 = 1024;
        Self {
            zero: [EVEN; CONTEXTS],
            sign: [EVEN; CONTEXTS],
            longer: [[EVEN; BITS]; CONTEXTS],
            lower: [[[EVEN; 4]; BITS]; BITS],
        }
    }

    /// Goes through the questions that tell a number; `ask` answers them, or says what the answer is.
    #[inline(always)]
    fn number(
        &mut self,
        context: usize,
        mut ask: impl FnMut(&mut u16, &dyn Fn(u16) -> bool) -> bool,
    ) -> i16 {
        // The size of the number, its sign in the highest bit.
        const SIGN: u16 = 1 << BITS;
        let size = |number: u16| number & !SIGN;
        if !ask(&mut self.zero[context], &|number| size(number) != 0) {
            return 0;
        }
        let negative = ask(&mut self.sign[context], &|number| number & SIGN != 0);
        let mut bits = 1;
        while bits < BITS
            && ask(&mut self.longer[context][bits - 1], &|number| {
                size(number) >> bits != 0
            })
        {
            bits += 1;
        }
        let mut found = 1u16;
        for bit in (0..bits - 1).rev() {
            let first = if bits - 1 - bit < 2 { found } else { 0 };
            let chance = &mut self.lower[bits - 1][bit][usize::from(first) & 3];
            let set = ask(chance, &|number| number >> bit & 1 != 0);
            found = found << 1 | u16::from(set);
        }
        if negative {
            -(found as i16)
        } else {
            found as i16
        }
    }
}

const TOP: u32 = 1 << 24;

/// After an answer its chance moves a little towards it.
fn learn(chance: &mut u16, yes: bool) {
    if yes {
        *chance -= *chance >> 5;
    } else {
        *chance += (2048 - *chance) >> 5;
    }
}

/// Writes numbers.
pub(super) struct Encoder {
    chances: Chances,
    stream: Stream,
}

impl Encoder {
    pub(super) fn new() -> Self {
        let stream = Stream {
            low: 0,
            range: u32::MAX,
            held: None,
            full: 0,
            bytes: Vec::new(),
        };
        Self {
            chances: Chances::new(),
            stream,
        }
    }

    /// Any number but the least.
    pub(super) fn put(&mut self, number: i16, context: usize) {
        let Self { chances, stream } = self;
        let number = number.unsigned_abs() | u16::from(number < 0) << BITS;
        chances.number(context, |chance, answer| {
            let yes = answer(number);
            stream.put(*chance, yes);
            learn(chance, yes);
            yes
        });
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        for _ in 0..6 {
            self.stream.shift();
        }
        self.stream.bytes
    }
}

/// The bytes of an [`Encoder`].
struct Stream {
    low: u64,
    range: u32,
    /// A byte that a carry may still reach, and how many of 255 follow it.
    held: Option<u8>,
    full: usize,
    bytes: Vec<u8>,
}

impl Stream {
    fn put(&mut self, chance: u16, yes: bool) {
        let bound = (self.range >> 11) * u32::from(chance);
        if yes {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        while self.range < TOP {
            self.range <<= 8;
            self.shift();
        }
    }

    fn shift(&mut self) {
        let carry = self.low >> 32 != 0;
        let byte = (self.low >> 24) as u8;
        if byte == 255 && !carry {
            self.full += 1;
        } else {
            let carried = u8::from(carry);
            self.bytes
                .extend(self.held.map(|held| held.wrapping_add(carried)));
            self.bytes
                .extend(std::iter::repeat_n(255u8.wrapping_add(carried), self.full));
            (self.held, self.full) = (Some(byte), 0);
        }
        self.low = (self.low & 0x00ff_ffff) << 8;
    }
}

/// Reads what an [`Encoder`] wrote; any bytes give some numbers.
pub(super) struct Decoder<'a> {
    chances: Chances,
    range: u32,
    code: u32,
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut bytes = bytes.iter();
        let code = (0..4).fold(0, |code, _| code << 8 | next(&mut bytes));
        Self {
            chances: Chances::new(),
            range: u32::MAX,
            code,
            bytes,
        }
    }

    pub(super) fn get(&mut self, context: usize) -> i16 {
        let Self {
            chances,
            range,
            code,
            bytes,
        } = self;
        chances.number(context, |chance, _| {
            let bound = (*range >> 11) * u32::from(*chance);
            let yes = *code >= bound;
            if yes {
                *code -= bound;
                *range -= bound;
            } else {
                *range = bound;
            }
            learn(chance, yes);
            while *range < TOP {
                *range <<= 8;
                *code = *code << 8 | next(bytes);
            }
            yes
        })
    }
}

fn next(bytes: &mut std::slice::Iter<'_, u8>) -> u32 {
    bytes.next().copied().unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use upstar_games::Random;

    use super::*;

    #[test]
    fn numbers_come_back() {
        let mut random = Random::new(8);
        for spread in [1, 3, 20, 256, 60_000] {
            let mut number = |_| match random.below(2) {
                0 => 0,
                _ => (random.below(spread) as i32 - spread as i32 / 2) as i16,
            };
            let numbers: Vec<i16> = (0..20_000).map(&mut number).collect();
            let mut encoder = Encoder::new();
            for (index, &number) in numbers.iter().enumerate() {
                encoder.put(number, index % CONTEXTS);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            for (index, &number) in numbers.iter().enumerate() {
                assert_eq!(decoder.get(index % CONTEXTS), number);
            }
        }
    }
}
