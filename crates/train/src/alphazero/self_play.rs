//! Games of self-play as a job: all that another machine needs is the configuration of the run, the file
//! of the network, and the numbers of the games.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use upstar_agents::Resources;
use upstar_jobs::{Budget, Job};
use upstar_nets::deep::DeepNetwork;
use upstar_runs::checksum;

use super::actor::{Effort, Playground};
use super::config::AlphaZeroConfig;
use super::field::{Field, with_field_type};
use super::record::Played;
use crate::folder::RunError;

/// Games of a step. They are played together, because the positions of many games are judged in one batch;
/// how they are divided among jobs changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SelfPlay {
    /// The checksum of the network's file.
    pub network: String,
    /// The numbers of the games in their run.
    pub games: Vec<u64>,
}

/// What all games of a step share.
pub struct SelfPlayContext {
    config: AlphaZeroConfig,
    network: DeepNetwork,
    checksum: String,
    resources: Resources,
}

impl SelfPlayContext {
    /// Self-play of a run with this network.
    #[must_use]
    pub fn new(config: AlphaZeroConfig, network: DeepNetwork, resources: Resources) -> Self {
        let checksum = checksum(&network.to_bytes());
        Self {
            config,
            network,
            checksum,
            resources,
        }
    }

    /// The checksum of the network's file.
    #[must_use]
    pub fn network(&self) -> &str {
        &self.checksum
    }

    /// Plays these games; each is handed over as it ends, in any order. Fewer if the budget is over first.
    ///
    /// # Errors
    /// If the network does not fit the boards, or there is no room for a solver or a thread.
    pub fn play(
        &self,
        games: &[u64],
        budget: &Budget,
        finished: &(dyn Fn(Played) + Sync),
    ) -> Result<Effort, RunError> {
        let variant = self.config.variant().expect("it was read");
        let (grids, order) = self.config.turns();
        let settings = self.config.settings();
        with_field_type!(variant, grids, |G| {
            let fields: Vec<Field<G>> =
                super::field::fields(variant, &grids, self.config.invert_colors)?;
            let ground = Playground {
                fields: &fields,
                order: &order,
                settings: &settings,
                network: &self.network,
                resources: &self.resources,
                seed: self.config.seed,
                budget,
            };
            ground.play(games, &|mut played| {
                played.network = Some(self.checksum.clone());
                finished(played);
            })
        })
    }
}

impl Job<SelfPlayContext> for SelfPlay {
    type Output = Vec<Played>;
    type Error = RunError;

    fn run(
        &self,
        context: &SelfPlayContext,
        budget: &Budget,
    ) -> Result<Option<Vec<Played>>, RunError> {
        if self.network != context.checksum {
            return Err(RunError::of(format!(
                "the job is for the network {}, and there is {}",
                self.network, context.checksum
            )));
        }
        let games = Mutex::new(Vec::new());
        context.play(&self.games, budget, &|played| {
            let mut games = games.lock().unwrap_or_else(PoisonError::into_inner);
            games.push(played);
        })?;
        let mut games = games.into_inner().unwrap_or_else(PoisonError::into_inner);
        games.sort_by_key(|played| played.game);
        Ok((games.len() == self.games.len()).then_some(games))
    }
}
