//! The step under way: what is in memory of it, the games that it needs, and what the network learns from them.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use upstar_agents::puct::Symmetries;
use upstar_games::Random;
use upstar_jobs::{Budget, Watch};
use upstar_nets::deep::{Learner, Lessons};
use upstar_runs::Log;

use super::{AlphaZeroRun, NETWORK, StepPlan};
use crate::alphazero::actor::Effort;
use crate::alphazero::field::{Field, fields, with_field_type};
use crate::alphazero::log::Loss;
use crate::alphazero::record::Played;
use crate::alphazero::replay::{Batch, Replay};
use crate::alphazero::self_play::SelfPlayContext;
use crate::folder::RunError;

/// After so many games the disk is waited for: after each would be too often.
const BUNDLE: usize = 32;

/// What is in memory while a step is under way.
pub(super) struct Current {
    pub(super) learner: Learner,
    /// Before this step's learning, the network that plays its games.
    pub(super) player: SelfPlayContext,
    pub(super) replay: Replay,
    /// The games of this step by their numbers.
    pub(super) games: BTreeMap<u64, Played>,
    pub(super) log: Log,
    /// What this process did for the step.
    pub(super) spent: Spent,
    pub(super) learned: Option<Learned>,
}

/// What games cost that were played by this process.
#[derive(Default)]
pub(super) struct Spent {
    /// Games and positions.
    pub(super) played: [usize; 2],
    pub(super) effort: Effort,
    pub(super) seconds: f64,
}

/// What learning a step came to.
pub(super) struct Learned {
    pub(super) loss: Loss,
    /// How many positions were added to the replay buffer.
    pub(super) added: usize,
    pub(super) seconds: f64,
}

impl AlphaZeroRun {
    /// The step under way, as the folder has it.
    pub(super) fn current(&mut self) -> Result<&mut Current, RunError> {
        if self.current.is_none() {
            self.current = Some(self.read_current()?);
        }
        Ok(self.current.as_mut().expect("it was just read"))
    }

    pub(super) fn read_current(&self) -> Result<Current, RunError> {
        let path = self.folder.path(&Self::learner_name(self.state.step));
        let bytes = fs::read(&path).map_err(|error| RunError::io(&path, &error))?;
        let learner = Learner::from_bytes(&bytes);
        let learner =
            learner.map_err(|error| RunError::of(format!("{}: {error}", path.display())))?;
        let network = learner.network();
        // Whatever became of it, what is told to be the network is the network.
        self.folder.write(NETWORK, network.to_bytes())?;
        let mut replay = Replay::default();
        for &(step, _) in &self.state.recent {
            self.remember(&mut replay, &self.games_of(step)?, step)?;
        }
        let (step, indices) = (self.state.step + 1, self.indices());
        let mut games = BTreeMap::new();
        for played in self.games_of(step)? {
            if !indices.contains(&played.game) {
                return Err(RunError::of(format!(
                    "{}: game {} is not one of this step",
                    self.folder.path(&Self::games_name(step)).display(),
                    played.game
                )));
            }
            games.insert(played.game, played);
        }
        let (config, resources) = (self.config.clone(), self.resources.clone());
        Ok(Current {
            player: SelfPlayContext::new(config, network, resources),
            learner,
            replay,
            games,
            log: self.folder.log(&Self::games_name(step))?,
            spent: Spent::default(),
            learned: None,
        })
    }

    /// The games of a step that are written down, in their order.
    pub(super) fn games_of(&self, step: u64) -> Result<Vec<Played>, RunError> {
        let mut games: Vec<Played> = self.folder.lines(&Self::games_name(step))?;
        games.sort_by_key(|played| played.game);
        games.dedup_by_key(|played| played.game);
        Ok(games)
    }

    /// Puts games into the buffer, and says how many positions that has added.
    pub(super) fn remember<'a>(
        &self,
        replay: &mut Replay,
        games: impl IntoIterator<Item = &'a Played>,
        step: u64,
    ) -> Result<usize, RunError> {
        let variant = self.config.variant().expect("it was read");
        let (grids, _) = self.config.turns();
        with_field_type!(variant, grids, |G| {
            let fields: Vec<Field<G>> = fields(variant, &grids, self.config.invert_colors)?;
            let mut added = 0;
            for played in games {
                added += replay.add(played, &fields, &self.settings).ok_or_else(|| {
                    let file = self.folder.path(&Self::games_name(step));
                    RunError::of(format!(
                        "{}: game {} cannot have been played",
                        file.display(),
                        played.game
                    ))
                })?;
            }
            Ok(added)
        })
    }

    /// Plays the missing games of a plan here; `false` if it was stopped.
    pub(super) fn play(
        &mut self,
        plan: &StepPlan,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<bool, RunError> {
        let begun = Instant::now();
        let mut current = self.take_current()?;
        let before = current.games.len() as u64;
        let finished = Mutex::new((Vec::new(), &mut current.log, Ok(())));
        let what = format!("{}, self-play games", self.settings.step_name(plan.step));
        let effort = current.player.play(&plan.missing, budget, &|played| {
            let mut finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
            let (games, log, written) = &mut *finished;
            if written.is_ok() {
                *written = log.add(&played);
            }
            games.push(played);
            watch.pieces(&what, before + games.len() as u64, plan.games);
            if games.len() % BUNDLE == 0 && written.is_ok() {
                *written = log.sync();
            }
        })?;
        let finished = finished.into_inner();
        let (new, log, written) = finished.unwrap_or_else(PoisonError::into_inner);
        written.and_then(|()| log.sync())?;
        current.spent = Spent {
            played: [new.len(), positions_of(&new)],
            effort,
            seconds: begun.elapsed().as_secs_f64(),
        };
        current
            .games
            .extend(new.into_iter().map(|played| (played.game, played)));
        let complete = current.games.len() as u64 == plan.games;
        self.current = Some(current);
        Ok(complete)
    }

    /// The step under way, to be put back when what is done with it succeeds: else it is read again.
    pub(super) fn take_current(&mut self) -> Result<Current, RunError> {
        self.current()?;
        Ok(self.current.take().expect("it was just read"))
    }

    /// Learns as many batches as the buffer holds; `None` if it was stopped.
    pub(super) fn teach(
        &self,
        learner: &mut Learner,
        replay: &Replay,
        step: u64,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Option<Loss> {
        let mut random = Random::for_game(self.config.seed ^ 0x006c_6561_726e, step);
        let design = self.config.design();
        let (grids, _) = self.config.turns();
        let actions: Vec<usize> = grids.iter().map(|grid| design.actions(grid)).collect();
        let turns: Vec<Symmetries> = grids
            .iter()
            .zip(&actions)
            .map(|(grid, &count)| Symmetries::new(grid, count))
            .collect();
        learner.set_rate(self.settings.rate(step));
        let batches = (replay.len() / self.settings.train_batch_size).max(1) as u64;
        let what = format!("{}, batches learned", self.settings.step_name(step));
        let mut batch = Batch::default();
        let mut loss = Loss::default();
        for number in 0..batches {
            if budget.is_over() {
                return None;
            }
            replay.draw(&self.settings, &turns, &actions, &mut random, &mut batch);
            let losses = learner.step(&Lessons {
                observations: &batch.looks,
                grid: &grids[batch.field],
                policy: &batch.policy,
                legal: &batch.legal,
                value: &batch.value,
            });
            loss.policy += f64::from(losses.policy) / batches as f64;
            loss.value += f64::from(losses.value) / batches as f64;
            loss.l2reg += f64::from(losses.l2) / batches as f64;
            watch.pieces(&what, number + 1, batches);
        }
        loss.sum = loss.policy + loss.value + loss.l2reg;
        Some(loss)
    }
}

/// The positions of games.
pub(super) fn positions_of<'a>(games: impl IntoIterator<Item = &'a Played>) -> usize {
    games.into_iter().map(|played| played.plies.len()).sum()
}
