//! OpenSpiel beside our own benches: a Python that has its module measures the same work by its C++ code.

use std::process::Command;

/// What Python runs.
const SCRIPT: &str = include_str!("openspiel.py");

/// An OpenSpiel that is installed here.
pub(super) struct OpenSpiel {
    python: String,
    pub(super) version: String,
}

impl OpenSpiel {
    /// The one of this Python, if there is one.
    pub(super) fn of(python: &str) -> Option<Self> {
        let version = answer(python, &[]).ok()?;
        Some(Self {
            python: python.to_owned(),
            version,
        })
    }

    /// How many random games or simulations it makes a second where we run this bench; `None` if it has no such work.
    pub(super) fn measure(&self, bench: &str, seconds: f64) -> Option<Result<f64, String>> {
        let words: Vec<&str> = bench.split(' ').collect();
        let &[work @ ("playouts" | "mcts"), game, size] = words.as_slice() else {
            return None;
        };
        let seconds = seconds.to_string();
        let figure = answer(&self.python, &[work, game, size, &seconds]);
        Some(figure.and_then(|figure| figure.parse().map_err(|_| figure)))
    }
}

/// What the script prints, or what it complains about.
fn answer(python: &str, arguments: &[&str]) -> Result<String, String> {
    let done = Command::new(python)
        .args(["-c", SCRIPT])
        .args(arguments)
        .output()
        .map_err(|error| format!("{python}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    match done.status.success() {
        true => Ok(text(&done.stdout)),
        false => Err(text(&done.stderr)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_both_can_do_is_compared() {
        let peer = OpenSpiel {
            python: "no-such-python".to_owned(),
            version: String::new(),
        };
        assert!(peer.measure("mcts clobber 6x6", 1.0).is_some());
        assert!(peer.measure("mcts clobber 6x6 --threads 2", 1.0).is_none());
        assert!(peer.measure("solve clobber 5x5", 1.0).is_none());
        assert!(OpenSpiel::of("no-such-python").is_none());
    }
}
