//! Names of values: `0`, `-3/4`, `*2`, `2·↑*`, `1↓`, `±1`, `⧾_2`, otherwise `{*|↓}` with names inside.
//!
//! Four notations, all of which [`Games::parse`](crate::Games::parse) reads; CGSuite's follows the grammar
//! `Cgsuite.g` in github.com/aaron-siegel/cgsuite. Options are written by birthday, named families first, then in an
//! order that depends on their forms alone, so that equal values have equal names in all arenas.

use std::fmt::{self, Write};

use crate::{Games, NumberUpStar, Value};

/// A value's name, to be displayed; made by [`Games::name`].
#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    games: &'a Games,
    value: Value,
    notation: &'static Notation,
    max_chars: usize,
}

impl Games {
    /// The name of a value, in Unicode.
    ///
    /// Names of deep values are enormous; [`Name::cut`] bounds them.
    ///
    /// ```
    /// # use upstar_cgt::Games;
    /// let mut games = Games::new();
    /// let value = games.parse("{2·↑* , {2|0} | ↓}")?;
    /// assert_eq!(games.name(value).to_string(), "{2·↑*,{2|0}|↓}");
    /// assert_eq!(games.name(value).ascii().to_string(), "{2.^*,{2|0}|v}");
    /// assert_eq!(games.name(value).cgsuite().to_string(), "{^2*,{2|0}|v}");
    /// assert_eq!(games.name(value).cut(6).to_string(), "{2·↑*…");
    /// let name = r"\{2\cdot\uparrow\ast,\{2\mid0\}\mid\downarrow\}";
    /// assert_eq!(games.name(value).latex().to_string(), name);
    /// # Ok::<(), upstar_cgt::ParseError>(())
    /// ```
    pub fn name(&self, value: Value) -> Name<'_> {
        Name {
            games: self,
            value,
            notation: &UNICODE,
            max_chars: usize::MAX,
        }
    }
}

impl Name<'_> {
    /// In ASCII: `^` for ↑, `v` for ↓, `3.^*` for 3·↑*, `+-1` for ±1, `tiny(2)` for ⧾_2.
    #[must_use]
    pub fn ascii(self) -> Self {
        Name {
            notation: &ASCII,
            ..self
        }
    }

    /// In LaTeX's mathematical mode: `\uparrow`, `\{\ast\mid\downarrow\}`.
    #[must_use]
    pub fn latex(self) -> Self {
        Name {
            notation: &LATEX,
            ..self
        }
    }

    /// In the input language of CGSuite: `^3*` for 3·↑*, `1+^` for 1↑; tinies and minies by their options.
    #[must_use]
    pub fn cgsuite(self) -> Self {
        Name {
            notation: &CGSUITE,
            ..self
        }
    }

    /// The whole name, if it has at most so many characters: for what another program reads, which a
    /// cut would break.
    #[must_use]
    pub fn whole(self, max_chars: usize) -> Option<String> {
        let mut text = Bounded {
            text: String::new(),
            room: max_chars,
        };
        let written = self.notation.write(self.games, self.value, &mut text);
        written.is_ok().then_some(text.text)
    }

    /// At most so many characters; a longer name ends in an ellipsis, within the bound, and takes no
    /// longer to write. For people: a cut may fall inside a command of LaTeX, see [`Name::whole`].
    #[must_use]
    pub fn cut(self, max_chars: usize) -> Self {
        Name { max_chars, ..self }
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.max_chars == usize::MAX {
            return self.notation.write(self.games, self.value, f);
        }
        // One character more than allowed tells whether anything has to go.
        let mut text = Bounded {
            text: String::new(),
            room: self.max_chars.saturating_add(1),
        };
        let whole = self
            .notation
            .write(self.games, self.value, &mut text)
            .is_ok();
        if whole && text.room > 0 {
            return f.write_str(&text.text);
        }
        let ellipsis = self.notation.ellipsis.chars().count();
        let kept = self.max_chars.saturating_sub(ellipsis);
        let kept: String = text.text.chars().take(kept).collect();
        write!(f, "{kept}{}", self.notation.ellipsis)
    }
}

/// How the parts of a name are written.
#[derive(Debug)]
struct Notation {
    up: &'static str,
    down: &'static str,
    star: &'static str,
    /// Between a number of ups and the arrow; `None` if the number follows the arrow.
    times: Option<&'static str>,
    /// Whether a number and an arrow or a star may stand side by side.
    juxtaposes: bool,
    plus_minus: &'static str,
    /// Before what a tiny or miny is made of; `None` if they are written by their options.
    tiny: Option<[&'static str; 2]>,
    open: &'static str,
    bar: &'static str,
    close: &'static str,
    ellipsis: &'static str,
}

const UNICODE: Notation = Notation {
    up: "↑",
    down: "↓",
    star: "*",
    times: Some("·"),
    juxtaposes: true,
    plus_minus: "±",
    tiny: Some(["⧾_", "⧿_"]),
    open: "{",
    bar: "|",
    close: "}",
    ellipsis: "…",
};

const ASCII: Notation = Notation {
    up: "^",
    down: "v",
    times: Some("."),
    plus_minus: "+-",
    tiny: Some(["tiny", "miny"]),
    ellipsis: "...",
    ..UNICODE
};

const CGSUITE: Notation = Notation {
    times: None,
    juxtaposes: false,
    tiny: None,
    ..ASCII
};

const LATEX: Notation = Notation {
    up: r"\uparrow",
    down: r"\downarrow",
    star: r"\ast",
    times: Some(r"\cdot"),
    juxtaposes: true,
    plus_minus: r"\pm",
    tiny: Some([r"\mathrm{tiny}", r"\mathrm{miny}"]),
    open: r"\{",
    bar: r"\mid",
    close: r"\}",
    ellipsis: r"\ldots",
};

impl Notation {
    fn write(&self, games: &Games, value: Value, out: &mut dyn Write) -> fmt::Result {
        if let Some(name) = games.to_number_up_star(value) {
            return self.write_number_up_star(name, out);
        }
        if let Some(x) = games.to_plus_minus(value)
            && games.to_number_up_star(x).is_some()
        {
            return self.write_applied(games, self.plus_minus, x, games.is_number(x), out);
        }
        if let Some([tiny, miny]) = self.tiny {
            for (prefix, x) in [(tiny, games.to_tiny(value)), (miny, games.to_miny(value))] {
                if let Some(x) = x {
                    let bare = prefix.ends_with('_') && games.to_integer(x).is_some();
                    return self.write_applied(games, prefix, x, bare, out);
                }
            }
        }
        out.write_str(self.open)?;
        self.write_options(games, games.left(value), out)?;
        out.write_str(self.bar)?;
        self.write_options(games, games.right(value), out)?;
        out.write_str(self.close)
    }

    fn write_options(&self, games: &Games, options: &[Value], out: &mut dyn Write) -> fmt::Result {
        let mut options = options.to_vec();
        options.sort_by_cached_key(|&option| reading_order(games, option));
        for (place, &option) in options.iter().enumerate() {
            if place > 0 {
                out.write_str(",")?;
            }
            self.write(games, option, out)?;
        }
        Ok(())
    }

    /// A prefix and what it is applied to, bare or in parentheses: `⧾_2`, `⧾_(1/2)`.
    fn write_applied(
        &self,
        games: &Games,
        prefix: &str,
        x: Value,
        bare: bool,
        out: &mut dyn Write,
    ) -> fmt::Result {
        out.write_str(prefix)?;
        if bare {
            return self.write(games, x, out);
        }
        out.write_str("(")?;
        self.write(games, x, out)?;
        out.write_str(")")
    }

    fn write_number_up_star(&self, name: NumberUpStar, out: &mut dyn Write) -> fmt::Result {
        let NumberUpStar { number, ups, star } = name;
        let has_number = number.numerator() != 0;
        if has_number || (ups == 0 && star == 0) {
            write!(out, "{number}")?;
        }
        let count = ups.unsigned_abs();
        let starts_with_digit = count > 1 && self.times.is_some();
        if has_number && (ups != 0 || star != 0) && (starts_with_digit || !self.juxtaposes) {
            out.write_str("+")?;
        }
        if ups != 0 {
            let arrow = if ups > 0 { self.up } else { self.down };
            match self.times {
                Some(times) if count > 1 => write!(out, "{count}{times}{arrow}")?,
                None if count > 1 => write!(out, "{arrow}{count}")?,
                _ => out.write_str(arrow)?,
            }
        }
        match star {
            0 => Ok(()),
            1 => out.write_str(self.star),
            _ => write!(out, "{}{star}", self.star),
        }
    }
}

/// What options are sorted by: birthday, whether they belong to a family and where in it, then form. G
/// and −G come next to each other.
fn reading_order(games: &Games, value: Value) -> impl Ord + use<> {
    let family = games
        .to_number_up_star(value)
        .map(|name| (name.ups.unsigned_abs(), name.star));
    let (signature, negative) = (
        games.signature(value),
        games.signature(games.negative(value)),
    );
    (
        games.birthday(value),
        family.is_none(),
        family,
        signature.min(negative),
        signature,
    )
}

/// A text that takes no more than so many characters.
struct Bounded {
    text: String,
    room: usize,
}

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for char in text.chars() {
            self.room = self.room.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(char);
        }
        Ok(())
    }
}
