//! Agents for the verbs that play: from words to players of one game.

use upstar_agents::{Agent, Playable, Resources, Word, WordError};
use upstar_arena::Players;
use upstar_games::excerpt;

use crate::failure::Failure;
use crate::search::value_tables;
use crate::usage;
use upstar_solve::{Settings, Solver};

/// Reads an agent's word.
pub(crate) fn word(text: &str) -> Result<Word, String> {
    text.parse().map_err(|error: WordError| {
        let sentence = error.to_string();
        if sentence.starts_with('\'') {
            sentence
        } else {
            format!("'{}': {sentence}", excerpt(text))
        }
    })
}

/// What agents of this program may use.
pub(crate) fn resources() -> Resources {
    Resources {
        solver: Solver::new(Settings {
            tables: value_tables(),
            ..Settings::default()
        }),
        ..Resources::default()
    }
}

/// Agents for one game and board.
pub(crate) struct Team<'a, G> {
    pub(crate) game: &'a G,
    pub(crate) words: &'a [Word],
    pub(crate) resources: &'a Resources,
}

impl<G: Playable> Team<'_, G> {
    /// Makes every agent once, so that what cannot be made is known before any game.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        for word in self.words {
            word.agent(self.game, self.resources)
                .map_err(|error| Failure::input(format!("{word}: {error}"), usage::example()))?;
        }
        Ok(())
    }
}

impl<G: Playable> Players<G> for Team<'_, G> {
    fn player(&self, which: usize) -> Result<Box<dyn Agent<G>>, String> {
        let made = self.words[which].agent(self.game, self.resources);
        made.map_err(|error| error.to_string())
    }

    fn plays_on(&self, which: usize) -> bool {
        match &self.words[which] {
            Word::Random | Word::PickFirst | Word::Greedy(_) => true,
            Word::MonteCarlo(..) | Word::Net(_) => true,
            Word::Mcts(options) => !options.reuse,
            Word::AlphaZero(_) | Word::Solver(_) | Word::Human | Word::Engine(_) => false,
        }
    }
}
