//! What an AlphaZero run keeps after each step, to go on from.

use std::collections::VecDeque;
use std::fs;

use serde::{Deserialize, Serialize};
use upstar_nets::deep::{Learner, Settings as LearnerSettings};

use super::{AlphaZeroRun, NETWORK};
use crate::alphazero::evaluation::Levels;
use crate::folder::{Checksums, RunError};

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) step: u64,
    /// The games of all steps.
    pub(super) games: u64,
    pub(super) positions: u64,
    /// How many positions a game has, as it was in the last step.
    pub(super) positions_per_game: f64,
    /// The steps whose games fill the replay buffer, and how many positions each has added to it.
    pub(super) recent: VecDeque<(u64, usize)>,
    pub(super) levels: Levels,
    /// Seconds of work on all steps.
    pub(super) seconds: f64,
}

impl AlphaZeroRun {
    pub(super) fn learner_settings(&self) -> LearnerSettings {
        LearnerSettings {
            learning_rate: self.settings.learning_rate,
            weight_decay: self.settings.weight_decay,
        }
    }

    pub(super) fn learner_name(step: u64) -> String {
        format!("learner-{step:06}.bin")
    }

    pub(super) fn games_name(step: u64) -> String {
        format!("games-{step:06}.jsonl")
    }

    /// Writes all that the run needs to go on from here.
    pub(super) fn checkpoint(&mut self, learner: &Learner) -> Result<(), RunError> {
        let step = self.state.step;
        let name = Self::learner_name(step);
        self.folder.write(&name, learner.to_bytes())?;
        let recent = self
            .state
            .recent
            .iter()
            .map(|&(step, _)| Self::games_name(step));
        let mut files = Checksums::new();
        for name in recent.chain([name]) {
            let known = self.files.remove(&name);
            let known = known.map_or_else(|| self.folder.checksum_of(&name), Ok)?;
            files.insert(name, known);
        }
        let network = learner.network().to_bytes();
        self.folder.write(NETWORK, &network)?;
        if step > 0 && step.is_multiple_of(self.settings.checkpoint_freq) {
            self.folder
                .write(&format!("network-{step:06}.safetensors"), &network)?;
        }
        self.folder.write_state(&self.state, files.clone())?;
        self.files = files;
        if step > 0 {
            // What stays behind does no harm.
            let _ = fs::remove_file(self.folder.path(&Self::learner_name(step - 1)));
        }
        Ok(())
    }
}
