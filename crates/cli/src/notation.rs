//! How values of games are written, wherever a verb names them.

use clap::Args;
use upstar_cgt::{Games, Value};

use crate::failure::Failure;
use crate::output::grouped;

/// How names of values are written.
#[derive(Args, Clone)]
pub(crate) struct NameOptions {
    #[command(flatten)]
    notation: Notation,
    /// The longest name to write; longer ones are cut with …, or refused for LaTeX and CGSuite
    /// [default: 60, in JSON 100000, for LaTeX and CGSuite 1000000]
    #[arg(long, value_name = "N")]
    name_length: Option<usize>,
}

#[derive(Args, Clone)]
#[group(multiple = false)]
struct Notation {
    /// Write names in ASCII: ^ for ↑, v for ↓
    #[arg(long)]
    ascii: bool,
    /// Write names for LaTeX
    #[arg(long)]
    latex: bool,
    /// Write names for CGSuite
    #[arg(long)]
    cgsuite: bool,
}

/// The most characters of a name that another program reads.
const LONGEST_WHOLE: usize = 1_000_000;

impl NameOptions {
    /// Names as LaTeX writes them.
    pub(crate) fn for_latex(&self) -> Self {
        Self {
            notation: Notation {
                ascii: false,
                latex: true,
                cgsuite: false,
            },
            name_length: self.name_length,
        }
    }

    /// The name of a value, of at most so many characters unless the user says otherwise. What another
    /// program is to read is whole or refused.
    pub(crate) fn write(
        &self,
        games: &Games,
        value: Value,
        longest: usize,
    ) -> Result<String, Failure> {
        let name = games.name(value);
        let name = match self.notation {
            Notation { ascii: true, .. } => name.ascii(),
            Notation { latex: true, .. } => name.latex(),
            Notation { cgsuite: true, .. } => name.cgsuite(),
            _ => name,
        };
        if !self.notation.latex && !self.notation.cgsuite {
            let longest = self.name_length.unwrap_or(longest);
            return Ok(name.cut(longest).to_string());
        }
        let longest = self.name_length.unwrap_or(LONGEST_WHOLE);
        name.whole(longest).ok_or_else(|| {
            let sentence = format!(
                "the name of the value has more than {} characters and would be cut",
                grouped(longest as u64)
            );
            Failure::input(sentence, "--name-length 10000000, or --ascii")
        })
    }
}
