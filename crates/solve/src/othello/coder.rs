//! Small numbers in few bits: an adaptive binary range coder (Martin 1979, in the form of LZMA).
//!
//! Each number is told by yes-or-no questions, zero or not, its sign, then one larger or not; how
//! likely each answer is, is learned on the way, for each context that the caller tells apart.

/// How many contexts numbers can have.
pub(super) const CONTEXTS: usize = 16;
/// The largest size of a number that has a question of its own.
const LARGEST: usize = 24;

/// The chances of a no, of 2048.
#[derive(Clone)]
struct Chances {
    zero: [u16; CONTEXTS],
    sign: [u16; CONTEXTS],
    larger: [[u16; LARGEST]; CONTEXTS],
    /// The eight bits of a number beyond.
    plain: [u16; 256],
}

impl Chances {
    fn new() -> Self {
        const EVEN: u16 = 1024;
        Self {
            zero: [EVEN; CONTEXTS],
            sign: [EVEN; CONTEXTS],
            larger: [[EVEN; LARGEST]; CONTEXTS],
            plain: [EVEN; 256],
        }
    }

    /// Goes through the questions that tell a number; `ask` answers them, or says what the answer is.
    fn number(
        &mut self,
        context: usize,
        mut ask: impl FnMut(&mut u16, &dyn Fn(i8) -> bool) -> bool,
    ) -> i8 {
        if !ask(&mut self.zero[context], &|number| number != 0) {
            return 0;
        }
        let negative = ask(&mut self.sign[context], &|number| number < 0);
        let size = |number: i8| usize::from(number.unsigned_abs());
        let mut least = 1;
        while least <= LARGEST
            && ask(&mut self.larger[context][least - 1], &|number| {
                size(number) > least
            })
        {
            least += 1;
        }
        if least > LARGEST {
            let mut node = 1;
            for bit in (0..8).rev() {
                let set = ask(&mut self.plain[node], &|number| {
                    size(number) >> bit & 1 != 0
                });
                node = 2 * node + usize::from(set);
            }
            least = node & 255;
        }
        if negative {
            (least as i16).wrapping_neg() as i8
        } else {
            least as i8
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

    pub(super) fn put(&mut self, number: i8, context: usize) {
        let Self { chances, stream } = self;
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

    pub(super) fn get(&mut self, context: usize) -> i8 {
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
        for spread in [1, 3, 20, 256] {
            let mut number = |_| match random.below(2) {
                0 => 0,
                _ => (random.below(spread) as i32 - spread as i32 / 2) as i8,
            };
            let numbers: Vec<i8> = (0..20_000).map(&mut number).collect();
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
