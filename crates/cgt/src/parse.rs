//! Reading values in any of the notations that [`Name`](crate::Name) writes, and sums of them.
//!
//! By recursive descent. Hostile text meets limits on length, nesting, numbers and work, never a panic.

use crate::{Dyadic, Games, NumberUpStar, Value};

impl Games {
    /// Reads a value such as `↑*`, `{0,^*|0,v*}`, `2·↑ + ±1`, `-3/4*2`, or any name.
    ///
    /// ```text
    /// sum   = ["-"] term { ("+" | "-") term }
    /// term  = "{" [sum {"," sum}] "|" [sum {"," sum}] "}" | "(" sum ")"
    ///       | ("±" | "+-" | "tiny" | "⧾_" | "miny" | "⧿_") term | count "·" term
    ///       | [number] [[count "·"] arrow [count]] ["*" [nimber]]
    /// ```
    ///
    /// A minus at the beginning of a sum belongs to the number after it: `-1↑` is −1 + ↑, as names
    /// have it; but `-↑` is ↓, and `0-1↑` subtracts the whole term 1↑. `2·↑*` is 2·↑ + ∗.
    pub fn parse(&mut self, text: &str) -> Result<Value, ParseError> {
        let read = self.within_comparisons(MAX_COMPARISONS, |games| {
            let mut reader = Reader::new(games, text)?;
            let value = reader.sum()?;
            reader.end()?;
            Ok(value)
        });
        read.unwrap_or(Err(ParseError::TOO_MUCH_WORK))
    }

    /// Reads a game written by its options, `{0,*|^}`, and keeps them as they are given, Left's first; of
    /// any other value the canonical options.
    ///
    /// # Errors
    /// If the text is not a value that can be read.
    pub fn parse_options(&mut self, text: &str) -> Result<[Vec<Value>; 2], ParseError> {
        let given = self.within_comparisons(MAX_COMPARISONS, |games| {
            let mut reader = Reader::new(games, text)?;
            reader.skip_blanks();
            if !reader.eat(OPEN) {
                return Ok(None);
            }
            let left = reader.options()?;
            reader.need(BAR, "'|' or ','")?;
            let right = reader.options()?;
            reader.need(CLOSE, "'}' or ','")?;
            Ok(reader.rest.is_empty().then_some([left, right]))
        });
        if let Some(options) = given.unwrap_or(Err(ParseError::TOO_MUCH_WORK))? {
            return Ok(options);
        }
        let value = self.parse(text)?;
        Ok([self.left(value).to_vec(), self.right(value).to_vec()])
    }
}

/// The longest text, in bytes.
pub const MAX_TEXT: usize = 100_000;
/// The deepest nesting of braces, parentheses and prefixes.
pub const MAX_NESTING: usize = 200;
/// The greatest integer, and the greatest integer part of a fraction.
pub const MAX_INTEGER: i64 = 1000;
/// The greatest n of n·↑, or of n·G.
pub const MAX_UPS: i64 = 1000;
/// The greatest n of a nimber ∗n.
pub const MAX_NIMBER: i64 = 127;
/// How many sums of followers a text may make necessary.
const MAX_SUMS: usize = 50_000;
/// How many comparisons of values a text may make necessary.
pub(crate) const MAX_COMPARISONS: u64 = 1 << 26;
/// How many values a text may add to the arena.
const MAX_MADE: usize = 100_000;

const OPEN: &[&str] = &["{", r"\{"];
const CLOSE: &[&str] = &["}", r"\}"];
const BAR: &[&str] = &["|", r"\mid"];
const STAR: &[&str] = &["*", "∗", r"\ast"];
const UP: &[&str] = &["↑", "^", r"\uparrow"];
const DOWN: &[&str] = &["↓", "v", r"\downarrow"];
const TIMES: &[&str] = &["·", ".", r"\cdot"];
const PLUS_MINUS: &[&str] = &["±", "+-", r"\pm"];
const TINY: &[&str] = &["⧾_", "⧾", "tiny", r"\mathrm{tiny}"];
const MINY: &[&str] = &["⧿_", "⧿", "miny", r"\mathrm{miny}"];
const MINUS: &[&str] = &["-", "−"];

/// Why a text is not a value that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}{}", self.place())]
pub struct ParseError {
    /// How many characters precede the place.
    at: usize,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Problem {
    #[error("expected {0} but found {1:?}")]
    Expected(&'static str, char),
    #[error("expected {0} but the text ends")]
    Ended(&'static str),
    #[error("the text is longer than {MAX_TEXT} bytes")]
    TooLong,
    #[error("nested more than {MAX_NESTING} deep")]
    TooDeep,
    #[error("{0} is greater than {1}")]
    TooGreat(&'static str, i64),
    #[error("the denominator is not a power of two up to 2^62")]
    NotDyadic,
    #[error("the sum has too many followers")]
    SumTooLarge,
    #[error("more than {MAX_MADE} new values")]
    TooManyValues,
    #[error("the value takes too long to simplify")]
    TooMuchWork,
}

impl ParseError {
    pub(crate) const TOO_MUCH_WORK: Self = Self {
        at: 0,
        problem: Problem::TooMuchWork,
    };

    /// How many characters of the text precede the place of the error.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The same error in a longer text, with so many characters before.
    pub(crate) fn after(self, before: usize) -> Self {
        Self {
            at: self.at + before,
            ..self
        }
    }

    /// Where it is, in words.
    fn place(&self) -> String {
        match self.problem {
            Problem::TooLong | Problem::TooMuchWork => String::new(),
            _ => format!(" at character {}", self.at + 1),
        }
    }
}

/// What is still to be read, without blanks in front, and where the values go.
struct Reader<'a> {
    games: &'a mut Games,
    text: &'a str,
    rest: &'a str,
    nesting: usize,
    sums: usize,
    max_len: usize,
}

impl<'a> Reader<'a> {
    fn new(games: &'a mut Games, text: &'a str) -> Result<Self, ParseError> {
        if text.len() > MAX_TEXT {
            return Err(ParseError {
                at: 0,
                problem: Problem::TooLong,
            });
        }
        let max_len = games.len() + MAX_MADE;
        Ok(Self {
            games,
            text,
            rest: text,
            nesting: 0,
            sums: MAX_SUMS,
            max_len,
        })
    }

    /// That nothing is left.
    fn end(&self) -> Result<(), ParseError> {
        match self.rest {
            "" => Ok(()),
            _ => Err(self.expected("the end or an operator")),
        }
    }

    fn sum(&mut self) -> Result<Value, ParseError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.problem(Problem::TooDeep));
        }
        self.skip_blanks();
        let mut sum = self.signed_term()?;
        loop {
            let term = if self.eat(MINUS) {
                let term = self.term()?;
                self.games.negative(term)
            } else if self.eat(&["+"]) {
                self.signed_term()?
            } else if self.sees(PLUS_MINUS) {
                self.term()?
            } else {
                self.nesting -= 1;
                return Ok(sum);
            };
            sum = self.add(sum, term)?;
        }
    }

    fn signed_term(&mut self) -> Result<Value, ParseError> {
        if !self.eat(MINUS) {
            self.term()
        } else if self.sees_digit() {
            self.number_up_star(true)
        } else {
            let term = self.term()?;
            Ok(self.games.negative(term))
        }
    }

    fn term(&mut self) -> Result<Value, ParseError> {
        if self.eat(OPEN) {
            let left = self.options()?;
            self.need(BAR, "'|' or ','")?;
            let right = self.options()?;
            self.need(CLOSE, "'}' or ','")?;
            let value = self.games.try_canonical(&left, &right);
            return value.ok_or(ParseError::TOO_MUCH_WORK);
        }
        if self.eat(&["("]) {
            let value = self.sum()?;
            self.need(&[")"], "')'")?;
            return Ok(value);
        }
        if self.eat(PLUS_MINUS) {
            let x = self.nested_term()?;
            return Ok(self.games.plus_minus(x));
        }
        if self.eat(TINY) {
            let x = self.nested_term()?;
            return Ok(self.games.tiny(x));
        }
        if self.eat(MINY) {
            let x = self.nested_term()?;
            return Ok(self.games.miny(x));
        }
        self.number_up_star(false)
    }

    fn nested_term(&mut self) -> Result<Value, ParseError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.problem(Problem::TooDeep));
        }
        let value = self.term()?;
        self.nesting -= 1;
        Ok(value)
    }

    fn options(&mut self) -> Result<Vec<Value>, ParseError> {
        let mut options = Vec::new();
        if self.sees(BAR) || self.sees(CLOSE) {
            return Ok(options);
        }
        loop {
            options.push(self.sum()?);
            if !self.eat(&[","]) {
                return Ok(options);
            }
        }
    }

    /// `1/2`, `*2`, `↑*`, `2·↑*`, `1↓*2`; the sign is that of the number or the count in front.
    fn number_up_star(&mut self, negative: bool) -> Result<Value, ParseError> {
        let mut name = NumberUpStar {
            number: Dyadic::ZERO,
            ups: 0,
            star: 0,
        };
        let mut count = 1;
        if self.sees_digit() {
            let (numerator, exponent) = self.fraction()?;
            let sign = if negative { -1 } else { 1 };
            if exponent == 0 && self.eat(TIMES) {
                count = sign * numerator;
                if !self.sees(UP) && !self.sees(DOWN) {
                    return self.copies(count);
                }
            } else {
                let number = Dyadic::new(sign * numerator, exponent);
                name.number = number.ok_or_else(|| self.problem(Problem::NotDyadic))?;
                if name.number.abs() > Dyadic::from(MAX_INTEGER as i32) {
                    return Err(self.problem(Problem::TooGreat("the number", MAX_INTEGER)));
                }
            }
        } else if !self.sees(UP) && !self.sees(DOWN) && !self.sees(STAR) {
            return Err(self.expected("a value"));
        }
        let (up, down) = (self.sees(UP), self.sees(DOWN));
        if up || down {
            let arrows = self.arrows(if up { UP } else { DOWN })?;
            let ups = count.checked_mul(arrows).filter(|ups| ups.abs() <= MAX_UPS);
            let ups = ups
                .ok_or_else(|| self.problem(Problem::TooGreat("the number of arrows", MAX_UPS)))?;
            name.ups = if up { ups as i32 } else { -ups as i32 };
        }
        if self.eat(STAR) {
            name.star = 1;
            if self.sees_digit() {
                name.star = self.integer("the nimber", MAX_NIMBER)? as u32;
            }
        }
        if self.games.len() > self.max_len {
            return Err(self.problem(Problem::TooManyValues));
        }
        let value = self.games.number_up_star(name);
        value.ok_or_else(|| self.problem(Problem::TooGreat("the number", MAX_INTEGER)))
    }

    /// The game in `3·{0|↓*}`; a number would look like a decimal fraction.
    fn copies(&mut self, count: i64) -> Result<Value, ParseError> {
        if self.sees_digit() {
            return Err(self.expected("a game other than a number"));
        }
        if count.abs() > MAX_UPS {
            return Err(self.problem(Problem::TooGreat("the number of copies", MAX_UPS)));
        }
        let copy = self.nested_term()?;
        let mut sum = Value::ZERO;
        for _ in 0..count.abs() {
            sum = self.add(sum, copy)?;
        }
        Ok(if count < 0 {
            self.games.negative(sum)
        } else {
            sum
        })
    }

    /// `↑`, `↑↑`, `↑2`.
    fn arrows(&mut self, arrow: &[&str]) -> Result<i64, ParseError> {
        let mut arrows = 0;
        while self.eat(arrow) {
            arrows += 1;
        }
        if arrows == 1 && self.sees_digit() {
            return self.integer("the number of arrows", MAX_UPS);
        }
        Ok(arrows)
    }

    /// A numerator, and the e of a denominator 2ᵉ.
    fn fraction(&mut self) -> Result<(i64, u32), ParseError> {
        let numerator = self.integer("the number", i64::MAX)?;
        if !self.eat(&["/"]) {
            return Ok((numerator, 0));
        }
        if !self.sees_digit() {
            return Err(self.expected("a denominator"));
        }
        let denominator = self.integer("the denominator", i64::MAX)?;
        if denominator.count_ones() != 1 {
            return Err(self.problem(Problem::NotDyadic));
        }
        Ok((numerator, denominator.trailing_zeros()))
    }

    fn integer(&mut self, what: &'static str, limit: i64) -> Result<i64, ParseError> {
        let digits = self.rest.len()
            - self
                .rest
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .len();
        let (digits, rest) = self.rest.split_at(digits);
        let Some(number) = digits.parse().ok().filter(|&number: &i64| number <= limit) else {
            return Err(self.problem(Problem::TooGreat(what, limit)));
        };
        self.rest = rest;
        self.skip_blanks();
        Ok(number)
    }

    fn add(&mut self, a: Value, b: Value) -> Result<Value, ParseError> {
        let sum = self.games.sum_within(a, b, &mut self.sums);
        sum.ok_or_else(|| self.problem(Problem::SumTooLarge))
    }

    fn sees(&self, tokens: &[&str]) -> bool {
        tokens.iter().any(|token| self.rest.starts_with(token))
    }

    fn sees_digit(&self) -> bool {
        self.rest.starts_with(|c: char| c.is_ascii_digit())
    }

    fn eat(&mut self, tokens: &[&str]) -> bool {
        let Some(rest) = tokens
            .iter()
            .find_map(|token| self.rest.strip_prefix(token))
        else {
            return false;
        };
        self.rest = rest;
        self.skip_blanks();
        true
    }

    fn need(&mut self, tokens: &[&str], what: &'static str) -> Result<(), ParseError> {
        if self.eat(tokens) {
            Ok(())
        } else {
            Err(self.expected(what))
        }
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn expected(&self, what: &'static str) -> ParseError {
        self.problem(match self.rest.chars().next() {
            Some(found) => Problem::Expected(what, found),
            None => Problem::Ended(what),
        })
    }

    fn problem(&self, problem: Problem) -> ParseError {
        let before = &self.text[..self.text.len() - self.rest.len()];
        ParseError {
            at: before.chars().count(),
            problem,
        }
    }
}
