//! What a user types: a value, or two values with a comparison between them.

use std::cmp::Ordering;
use std::fmt;

use crate::parse::MAX_COMPARISONS;
use crate::{Games, ParseError, Value};

/// What a text came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A value.
    Value(Value),
    /// A comparison of two values.
    Comparison {
        /// The value on the left side.
        left: Value,
        /// What is said of them.
        operator: Operator,
        /// The value on the right side.
        right: Value,
        /// How they compare in truth; `None` if they are confused.
        order: Option<Ordering>,
    },
}

/// What may be said of two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `=`
    Equal,
    /// `<=`
    LessOrEqual,
    /// `>=`
    GreaterOrEqual,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<|`: not greater or equal.
    LessOrConfused,
    /// `|>`: not less or equal.
    GreaterOrConfused,
    /// `||`
    Confused,
}

impl Operator {
    /// All spellings, longer ones before those they begin with.
    const SPELLINGS: [(&str, Self); 15] = [
        ("<=", Self::LessOrEqual),
        ("≤", Self::LessOrEqual),
        (">=", Self::GreaterOrEqual),
        ("≥", Self::GreaterOrEqual),
        ("==", Self::Equal),
        ("=", Self::Equal),
        ("<|", Self::LessOrConfused),
        ("⧏", Self::LessOrConfused),
        ("|>", Self::GreaterOrConfused),
        ("⧐", Self::GreaterOrConfused),
        ("||", Self::Confused),
        ("∥", Self::Confused),
        ("<>", Self::Confused),
        ("<", Self::Less),
        (">", Self::Greater),
    ];

    /// Whether it is true of games that compare like this.
    #[must_use]
    pub fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            Self::Equal => order == Some(Ordering::Equal),
            Self::LessOrEqual => order.is_some_and(Ordering::is_le),
            Self::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
            Self::Less => order == Some(Ordering::Less),
            Self::Greater => order == Some(Ordering::Greater),
            Self::LessOrConfused => !order.is_some_and(Ordering::is_ge),
            Self::GreaterOrConfused => !order.is_some_and(Ordering::is_le),
            Self::Confused => order.is_none(),
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spelled = Self::SPELLINGS.iter().find(|(_, known)| known == self);
        f.write_str(spelled.map_or("", |(text, _)| text))
    }
}

impl Games {
    /// Reads a value as [`Games::parse`] does, or a comparison such as `^ > *`.
    ///
    /// ```
    /// # use upstar_cgt::{Expression, Games};
    /// let mut games = Games::new();
    /// let Expression::Comparison { operator, order, .. } = games.evaluate("{0|*} || *")? else {
    ///     panic!("it compares");
    /// };
    /// assert!(operator.holds(order));
    /// # Ok::<(), upstar_cgt::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is neither.
    pub fn evaluate(&mut self, text: &str) -> Result<Expression, ParseError> {
        let Some((at, spelling, operator)) = find_operator(text) else {
            return self.parse(text).map(Expression::Value);
        };
        let left = self.parse(&text[..at])?;
        let rest = &text[at + spelling.len()..];
        let before = text[..at + spelling.len()].chars().count();
        let right = self.parse(rest).map_err(|error| error.after(before))?;
        Ok(Expression::Comparison {
            left,
            operator,
            right,
            order: self
                .within_comparisons(MAX_COMPARISONS, |games| games.compare(left, right))
                .ok_or(ParseError::TOO_MUCH_WORK)?,
        })
    }
}

/// The first operator outside all braces and parentheses.
fn find_operator(text: &str) -> Option<(usize, &'static str, Operator)> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            _ if depth == 0 => {
                let here = &text[at..];
                let found = Operator::SPELLINGS
                    .iter()
                    .find(|(spelling, _)| here.starts_with(spelling));
                if let Some(&(spelling, operator)) = found {
                    return Some((at, spelling, operator));
                }
            }
            _ => {}
        }
    }
    None
}
