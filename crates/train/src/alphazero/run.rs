//! The loop as a state machine over the run's folder: [`AlphaZeroRun::plan`] says which games a step
//! needs, [`AlphaZeroRun::accept`] takes them in any order, [`AlphaZeroRun::learn`] and
//! [`AlphaZeroRun::evaluate`] make the next network. [`AlphaZeroRun::go_on`] does all that here.
//!
//! | file | what is there |
//! |---|---|
//! | `config.toml`, `config.json` | what was asked for; all settings in OpenSpiel's keys |
//! | `learner.jsonl` | a line for each step |
//! | `evaluations.jsonl` | the games against MCTS |
//! | `games-*.jsonl` | the games of each step, as far back as the replay buffer goes |
//! | `learner-*.bin` | weights and optimiser of the last step |
//! | `network.safetensors`, `network-*.safetensors` | the network of the last step, and those that are kept |
//! | `state.json` | how far the run is; written last |

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use upstar_agents::Resources;
use upstar_agents::puct::Turns;
use upstar_games::{Random, Rules};
use upstar_nets::deep::{DeepNetwork, Learner, Lessons, Settings as LearnerSettings};
use upstar_runs::{Kind, Log, Manifest};

use super::actor::Effort;
use super::config::AlphaZeroConfig;
use super::evaluation::{Levels, Trial};
use super::field::{Field, fields, mean_length, with_field_type};
use super::log::{Cache, Evaluated, Kept, Line, Loss, Outcomes, Statistics};
use super::memory;
use super::record::Played;
use super::replay::{Batch, Replay};
use super::self_play::SelfPlayContext;
use super::settings::Settings;
use super::summary::{by_stage, histogram, openspiel_config};
use crate::folder::{CONFIG, Checksums, RunError, RunFolder, STATE};

const LOG: &str = "learner.jsonl";
const EVALUATIONS: &str = "evaluations.jsonl";
const NETWORK: &str = "network.safetensors";
/// After so many games the disk is waited for: after each would be too often.
const BUNDLE: usize = 32;

/// Somebody who sees what happens, and may end it.
pub trait Watcher: Sync {
    /// Whether to stop; the run can be resumed.
    fn stop(&self) -> bool;
    /// So many games of this step are played.
    fn played(&self, step: u64, games: u64, of: u64);
    /// So many batches of this step are learned.
    fn learned(&self, step: u64, batches: u64, of: u64);
    /// A step is done.
    fn step(&self, line: &Line);
}

/// A run of AlphaZero in its folder.
pub struct AlphaZeroRun {
    folder: RunFolder,
    config: AlphaZeroConfig,
    settings: Settings,
    resources: Resources,
    state: State,
    /// Of the games that fill the replay buffer, and of the last checkpoint.
    files: Checksums,
    /// The step under way; it is read from the folder when it is needed.
    current: Option<Current>,
}

/// What is in memory while a step is under way.
struct Current {
    learner: Learner,
    /// Before this step's learning, the network that plays its games.
    player: SelfPlayContext,
    replay: Replay,
    /// The games of this step by their numbers.
    games: BTreeMap<u64, Played>,
    log: Log,
    /// What this process did for the step.
    spent: Spent,
    learned: Option<Learned>,
}

/// What games cost that were played by this process.
#[derive(Default)]
struct Spent {
    /// Games and positions.
    played: [usize; 2],
    effort: Effort,
    seconds: f64,
}

/// What learning a step came to.
struct Learned {
    loss: Loss,
    /// How many positions were added to the replay buffer.
    added: usize,
    seconds: f64,
}

/// What a step still needs before the network can learn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepPlan {
    /// The step, from 1.
    pub step: u64,
    /// The checksum of the network that plays; its file is `network.safetensors`.
    pub network: String,
    /// How many games the step has.
    pub games: u64,
    /// The numbers of the games that are missing.
    pub missing: Vec<u64>,
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    step: u64,
    /// The games of all steps.
    games: u64,
    positions: u64,
    /// How many positions a game has, as it was in the last step.
    positions_per_game: f64,
    /// The steps whose games fill the replay buffer, and how many positions each has added to it.
    recent: VecDeque<(u64, usize)>,
    levels: Levels,
    /// Seconds of work on all steps.
    seconds: f64,
}

/// How a call of [`AlphaZeroRun::go_on`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All steps are done.
    Finished,
    /// It was stopped, and can be resumed.
    Stopped,
}

/// The positions of games.
fn positions_of<'a>(games: impl IntoIterator<Item = &'a Played>) -> usize {
    games.into_iter().map(|played| played.plies.len()).sum()
}

impl AlphaZeroRun {
    /// Begins a run in a new folder, or in an empty one.
    ///
    /// # Errors
    /// If the configuration is not right, or the folder cannot be made.
    pub fn create(
        path: &Path,
        text: &str,
        name: &str,
        resources: Resources,
    ) -> Result<Self, RunError> {
        let config = AlphaZeroConfig::parse(text, name)?;
        memory::check(&config)?;
        let manifest = Manifest::new(Kind::Alphazero).with_seed(config.seed);
        let folder = RunFolder::create(path, manifest, text)?;
        Self::begin(folder, config, resources)
    }

    /// The run before its first step, with its first checkpoint.
    fn begin(
        folder: RunFolder,
        config: AlphaZeroConfig,
        resources: Resources,
    ) -> Result<Self, RunError> {
        let settings = config.settings();
        let random = &mut Random::for_game(config.seed, u64::MAX);
        let network = DeepNetwork::random(config.design(), random);
        let network = network.map_err(|error| RunError::of(error.to_string()))?;
        let path = folder.path("").display().to_string();
        let json = openspiel_config(&config, &settings, path.trim_end_matches('/'));
        let json = serde_json::to_string_pretty(&json).expect("it is plain data");
        folder.write("config.json", json.as_bytes())?;
        let variant = config.variant().expect("it was read");
        let grids = config.grids().expect("it was read");
        let state = State {
            step: 0,
            games: 0,
            positions: 0,
            positions_per_game: mean_length(variant, &grids),
            recent: VecDeque::new(),
            levels: Levels::new(settings.eval_levels),
            seconds: 0.0,
        };
        let mut run = Self {
            folder,
            config,
            settings,
            resources,
            state,
            files: Checksums::new(),
            current: None,
        };
        let learner = Learner::new(network, run.learner_settings());
        run.checkpoint(&learner)?;
        Ok(run)
    }

    /// Goes on with the run in this folder.
    ///
    /// # Errors
    /// If there is none, or it is damaged, or another process works in it.
    pub fn resume(path: &Path, resources: Resources) -> Result<Self, RunError> {
        let folder = RunFolder::open(path)?;
        let text = folder.read_text(CONFIG)?;
        let config = AlphaZeroConfig::parse(&text, &path.join(CONFIG).display().to_string())?;
        folder.check_config(&text)?;
        memory::check(&config)?;
        // Killed before its first checkpoint was whole.
        if !folder.path(STATE).exists() && !folder.path(LOG).exists() {
            return Self::begin(folder, config, resources);
        }
        let settings = config.settings();
        let (state, files) = folder
            .state::<State>()?
            .ok_or_else(|| RunError::of(format!("{} is missing", path.join(STATE).display())))?;
        folder.cut(LOG, state.step)?;
        folder.lines::<Line>(LOG)?;
        folder.cut(EVALUATIONS, state.levels.count)?;
        Ok(Self {
            folder,
            config,
            settings,
            resources,
            state,
            files,
            current: None,
        })
    }

    /// How many steps are done.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.state.step
    }

    /// Makes steps until the last, or until somebody stops it: plays what is missing, learns,
    /// evaluates.
    ///
    /// # Errors
    /// If a file cannot be read or written; the run can be resumed then.
    pub fn go_on(&mut self, watcher: &dyn Watcher) -> Result<End, RunError> {
        // Whatever became of what was in memory, the folder is the state.
        self.current = None;
        while let Some(plan) = self.plan()? {
            if !self.play(&plan, watcher)?
                || !self.learn(watcher)?
                || self.evaluate(watcher)?.is_none()
            {
                self.current = None;
                return Ok(End::Stopped);
            }
        }
        Ok(End::Finished)
    }

    /// The network and the games that the step under way still needs; `None` if all steps are done.
    ///
    /// # Errors
    /// If the folder is damaged.
    pub fn plan(&mut self) -> Result<Option<StepPlan>, RunError> {
        if self.settings.max_steps > 0 && self.state.step >= self.settings.max_steps {
            return Ok(None);
        }
        let (step, indices) = (self.state.step + 1, self.indices());
        let current = self.current()?;
        let is_missing = |index: &u64| !current.games.contains_key(index);
        Ok(Some(StepPlan {
            step,
            network: current.player.network().to_owned(),
            games: indices.end - indices.start,
            missing: indices.filter(is_missing).collect(),
        }))
    }

    /// Takes games of the step under way, each a line of JSON, in any order; what is there already is
    /// dropped. Says how many were new.
    ///
    /// # Errors
    /// If a game is not of this step, was played by another network, or cannot have been played; or
    /// if it cannot be written down.
    pub fn accept<'a>(
        &mut self,
        lines: impl IntoIterator<Item = &'a str>,
    ) -> Result<u64, RunError> {
        let mut new = 0;
        for line in lines {
            let played: Played = serde_json::from_str(line)
                .map_err(|error| RunError::of(format!("a line is not a game: {error}")))?;
            new += u64::from(self.take(played)?);
        }
        self.current()?.log.sync()?;
        Ok(new)
    }

    /// Takes one game; `false` if it was there.
    fn take(&mut self, played: Played) -> Result<bool, RunError> {
        let (step, index) = (self.state.step + 1, played.game);
        if !self.indices().contains(&index) {
            return Err(RunError::of(format!(
                "game {index} is not one of step {step}"
            )));
        }
        self.check_played(&played)?;
        let current = self.current()?;
        let network = current.player.network();
        if played.network.as_deref() != Some(network) {
            return Err(RunError::of(format!(
                "game {index} was not played by the network of step {step}, {network}"
            )));
        }
        if current.learned.is_some() || current.games.contains_key(&index) {
            return Ok(false);
        }
        current.log.add(&played)?;
        current.games.insert(index, played);
        Ok(true)
    }

    /// Replays a game by the rules.
    fn check_played(&self, played: &Played) -> Result<(), RunError> {
        let variant = self.config.variant().expect("it was read");
        let (grids, _) = self.config.turns();
        let added = with_field_type!(variant, grids, |G| {
            let fields: Vec<Field<G>> = fields(variant, &grids)?;
            Replay::default().add(played, &fields, &self.settings)
        });
        let refused = || RunError::of(format!("game {} cannot have been played", played.game));
        added.map(|_| ()).ok_or_else(refused)
    }

    /// The numbers of the games of the step under way.
    fn indices(&self) -> Range<u64> {
        let wanted = self.settings.gathered_per_step() as f64 / self.state.positions_per_game;
        let wanted = (wanted.ceil() as u64).max(1);
        self.state.games..self.state.games + wanted
    }

    /// The step under way, as the folder has it.
    fn current(&mut self) -> Result<&mut Current, RunError> {
        if self.current.is_none() {
            self.current = Some(self.read_current()?);
        }
        Ok(self.current.as_mut().expect("it was just read"))
    }

    fn read_current(&self) -> Result<Current, RunError> {
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
                    "{}: game {} is none of this step",
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

    fn learner_settings(&self) -> LearnerSettings {
        LearnerSettings {
            learning_rate: self.settings.learning_rate,
            weight_decay: self.settings.weight_decay,
        }
    }

    fn learner_name(step: u64) -> String {
        format!("learner-{step:06}.bin")
    }

    fn games_name(step: u64) -> String {
        format!("games-{step:06}.jsonl")
    }

    /// Writes all that the run needs to go on from here.
    fn checkpoint(&mut self, learner: &Learner) -> Result<(), RunError> {
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

    /// The games of a step that are written down, in their order.
    fn games_of(&self, step: u64) -> Result<Vec<Played>, RunError> {
        let mut games: Vec<Played> = self.folder.lines(&Self::games_name(step))?;
        games.sort_by_key(|played| played.game);
        games.dedup_by_key(|played| played.game);
        Ok(games)
    }

    /// Puts games into the buffer, and says how many positions that has added.
    fn remember<'a>(
        &self,
        replay: &mut Replay,
        games: impl IntoIterator<Item = &'a Played>,
        step: u64,
    ) -> Result<usize, RunError> {
        let variant = self.config.variant().expect("it was read");
        let (grids, _) = self.config.turns();
        with_field_type!(variant, grids, |G| {
            let fields: Vec<Field<G>> = fields(variant, &grids)?;
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
    fn play(&mut self, plan: &StepPlan, watcher: &dyn Watcher) -> Result<bool, RunError> {
        let begun = Instant::now();
        let mut current = self.take_current()?;
        let before = current.games.len() as u64;
        let finished = Mutex::new((Vec::new(), &mut current.log, Ok(())));
        let stop = || watcher.stop();
        let effort = current.player.play(&plan.missing, &stop, &|played| {
            let mut finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
            let (games, log, written) = &mut *finished;
            if written.is_ok() {
                *written = log.add(&played);
            }
            games.push(played);
            watcher.played(plan.step, before + games.len() as u64, plan.games);
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
    fn take_current(&mut self) -> Result<Current, RunError> {
        self.current()?;
        Ok(self.current.take().expect("it was just read"))
    }

    /// Learns from the games of the step, which must all be there; `false` if it was stopped. The step
    /// is written down when it was evaluated too: before that, an interrupted run learns again.
    ///
    /// # Errors
    /// If games are missing or cannot have been played, or the network has diverged.
    pub fn learn(&mut self, watcher: &dyn Watcher) -> Result<bool, RunError> {
        let (begun, step, wanted) = (Instant::now(), self.state.step + 1, self.indices());
        let mut current = self.take_current()?;
        let missing = wanted.end - wanted.start - current.games.len() as u64;
        if missing > 0 {
            return Err(RunError::of(format!(
                "{missing} games of step {step} are missing"
            )));
        }
        if current.learned.is_some() {
            self.current = Some(current);
            return Ok(true);
        }
        let added = self.remember(&mut current.replay, current.games.values(), step)?;
        let Some(loss) = self.teach(&mut current.learner, &current.replay, step, watcher) else {
            return Ok(false);
        };
        if !loss.sum.is_finite() {
            return Err(RunError::of(format!(
                "the losses of step {step} are no numbers any more: the network has diverged; a smaller \
                 learning_rate helps"
            )));
        }
        current.learned = Some(Learned {
            loss,
            added,
            seconds: begun.elapsed().as_secs_f64(),
        });
        self.current = Some(current);
        Ok(true)
    }

    /// Tests the network that has learned, writes the step down and begins the next; `None` if it was
    /// stopped.
    ///
    /// # Errors
    /// If the network has not learned yet, or something cannot be written.
    pub fn evaluate(&mut self, watcher: &dyn Watcher) -> Result<Option<Line>, RunError> {
        let (begun, step) = (Instant::now(), self.state.step + 1);
        let current = self.take_current()?;
        let Some(learned) = &current.learned else {
            return Err(RunError::of(format!(
                "the network of step {step} has not learned yet"
            )));
        };
        let network = current.learner.network();
        let games: Vec<Played> = current.games.values().cloned().collect();
        let variant = self.config.variant().expect("it was read");
        let (grids, _) = self.config.turns();
        let (against, kept, longest) = with_field_type!(variant, grids, |G| {
            let fields: Vec<Field<G>> = fields(variant, &grids)?;
            let trial = Trial {
                fields: &fields,
                settings: &self.settings,
                network: &network,
                resources: &self.resources,
                seed: self.config.seed,
                step,
                stop: &|| watcher.stop(),
            };
            let against = trial.against_levels()?;
            let tests = step.is_multiple_of(self.settings.checkpoint_freq)
                && self.settings.test_positions > 0;
            let kept = tests.then(|| trial.kept(&games)).transpose()?;
            let longest = fields
                .iter()
                .map(|field| field.game.plies_left(&field.start));
            (against, kept, longest.max().expect("there is a board"))
        });
        if watcher.stop() {
            return Ok(None);
        }
        let evaluating = begun.elapsed().as_secs_f64();
        for game in &against {
            self.state.levels.add(game, self.settings.evaluation_window);
            self.folder.append(EVALUATIONS, game)?;
        }
        let positions = positions_of(&games);
        let seconds = [current.spent.seconds, learned.seconds, evaluating];
        self.state.step = step;
        self.state.games += games.len() as u64;
        self.state.positions += positions as u64;
        self.state.positions_per_game = positions as f64 / games.len() as f64;
        self.state.seconds += seconds.iter().sum::<f64>();
        self.state.recent.push_back((step, learned.added));
        let line = self.line(
            longest as usize,
            &games,
            &current.spent,
            learned.loss,
            kept,
            seconds,
        );
        self.folder.append(LOG, &line)?;
        // Steps before those that fill the buffer are not needed any more.
        let mut old = Vec::new();
        let held = |recent: &VecDeque<(u64, usize)>| {
            recent.iter().skip(1).map(|(_, count)| count).sum::<usize>()
        };
        while held(&self.state.recent) >= self.settings.replay_buffer_size {
            old.extend(self.state.recent.pop_front());
        }
        self.checkpoint(&current.learner)?;
        for (step, _) in old {
            let _ = fs::remove_file(self.folder.path(&Self::games_name(step)));
        }
        let (config, resources) = (self.config.clone(), self.resources.clone());
        self.current = Some(Current {
            player: SelfPlayContext::new(config, network, resources),
            learner: current.learner,
            replay: current.replay,
            games: BTreeMap::new(),
            log: self.folder.log(&Self::games_name(step + 1))?,
            spent: Spent::default(),
            learned: None,
        });
        watcher.step(&line);
        Ok(Some(line))
    }

    /// Learns as many batches as the buffer holds; `None` if it was stopped.
    fn teach(
        &self,
        learner: &mut Learner,
        replay: &Replay,
        step: u64,
        watcher: &dyn Watcher,
    ) -> Option<Loss> {
        let mut random = Random::for_game(self.config.seed ^ 0x006c_6561_726e, step);
        let design = self.config.design();
        let (grids, _) = self.config.turns();
        let actions: Vec<usize> = grids.iter().map(|grid| design.actions(grid)).collect();
        let turns: Vec<Turns> = grids
            .iter()
            .zip(&actions)
            .map(|(grid, &count)| Turns::new(grid, count))
            .collect();
        learner.set_rate(self.settings.rate(step));
        let batches = (replay.len() / self.settings.train_batch_size).max(1) as u64;
        let mut batch = Batch::default();
        let mut loss = Loss::default();
        for number in 0..batches {
            if watcher.stop() {
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
            watcher.learned(step, number + 1, batches);
        }
        loss.sum = loss.policy + loss.value + loss.l2reg;
        Some(loss)
    }

    fn line(
        &self,
        longest: usize,
        games: &[Played],
        spent: &Spent,
        loss: Loss,
        kept: Option<[Kept; 2]>,
        seconds: [f64; 3],
    ) -> Line {
        let Spent {
            played: [games_now, positions_now],
            effort,
            ..
        } = spent;
        let playing = seconds[0].max(1e-9);
        let lengths = || games.iter().map(|played| played.plies.len());
        let batches = || effort.batches.iter().map(|&size| size as usize);
        let (value_accuracy, value_prediction) = by_stage(games, self.settings.eval_levels);
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let time_abs = now.map_or(0.0, |since| since.as_secs_f64());
        Line {
            step: self.state.step,
            total_states: self.state.positions,
            states_per_s: *positions_now as f64 / playing,
            states_per_s_actor: *positions_now as f64 / playing / self.settings.actors as f64,
            total_trajectories: self.state.games,
            trajectories_per_s: *games_now as f64 / playing,
            queue_size: 0,
            game_length: Statistics::of(lengths().map(|length| length as f64)),
            game_length_hist: histogram(lengths(), longest),
            outcomes: Outcomes::of(games),
            value_accuracy,
            value_prediction,
            eval: Evaluated::of(&self.state.levels),
            batch_size: Statistics::of(batches().map(|size| size as f64)),
            batch_size_hist: histogram(batches(), self.settings.games_at_once),
            loss,
            cache: Cache::of(effort, playing),
            time_abs,
            time_rel: self.state.seconds,
            time_str: utc(time_abs as i64),
            time_outside_networks: 1.0
                - effort.judging.as_secs_f64() / effort.working.as_secs_f64().max(1e-9),
            seconds,
            kept,
        }
    }
}

/// A time as `2026-11-16 08:30:00 +0000`.
fn utc(seconds: i64) -> String {
    let time = Timestamp::from_second(seconds).unwrap_or_default();
    time.strftime("%Y-%m-%d %H:%M:%S +0000").to_string()
}
