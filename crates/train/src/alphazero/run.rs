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
//! | `extensions.jsonl` | numbers of steps that were asked for later |
//! | `learner-*.bin` | weights and optimiser of the last step |
//! | `network.safetensors`, `network-*.safetensors` | the network of the last step, and those that are kept |
//! | `state.json` | how far the run is; written last |

mod checkpoint;
mod line;
mod step;

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use upstar_agents::Resources;
use upstar_games::{Grid, Rules, Variant};
use upstar_jobs::{Budget, Watch};
use upstar_nets::deep::{DeepNetwork, Learner};
use upstar_runs::{Kind, Manifest};

use self::checkpoint::State;
use self::step::{Current, Learned, Spent, positions_of};
use super::config::AlphaZeroConfig;
use super::evaluation::{Levels, Trial};
use super::field::{Field, fields, mean_length, with_field_type};
use super::log::Line;
use super::memory;
use super::record::Played;
use super::replay::Replay;
use super::self_play::SelfPlayContext;
use super::settings::Settings;
use super::summary::openspiel_config;
use crate::folder::{CONFIG, Checksums, RunError, RunFolder, STATE};

const LOG: &str = "learner.jsonl";
const EVALUATIONS: &str = "evaluations.jsonl";
const NETWORK: &str = "network.safetensors";
const EXTENSIONS: &str = "extensions.jsonl";

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
    /// Whether the last step had losses that are no numbers.
    diverged: bool,
}

/// A line of `extensions.jsonl`.
#[derive(Serialize, Deserialize)]
struct Extension {
    max_steps: u64,
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

/// How a call of [`AlphaZeroRun::go_on`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All steps are done, or the time for them is over.
    Finished,
    /// It was stopped, and can be resumed.
    Stopped,
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
        let text = AlphaZeroConfig::begun(text, name)?;
        let config = AlphaZeroConfig::parse(&text, name)?;
        memory::check(&config)?;
        let network = config.first_network()?;
        let manifest = Manifest::new(Kind::Alphazero).with_seed(config.seed);
        let folder = RunFolder::create(path, manifest, &text)?;
        Self::begin(folder, config, network, resources)
    }

    /// The run before its first step, with its first checkpoint.
    fn begin(
        folder: RunFolder,
        config: AlphaZeroConfig,
        network: DeepNetwork,
        resources: Resources,
    ) -> Result<Self, RunError> {
        let settings = config.settings();
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
            positions_per_game: mean_length(variant, &grids, config.invert_colors),
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
            diverged: false,
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
            let network = config.first_network()?;
            return Self::begin(folder, config, network, resources);
        }
        let mut settings = config.settings();
        if let Some(last) = folder.lines::<Extension>(EXTENSIONS)?.last() {
            settings.max_steps = last.max_steps;
        }
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
            diverged: false,
        })
    }

    /// Lets the run make more steps than its configuration says; later resumptions know it too.
    ///
    /// # Errors
    /// If it is not more, if the size of the learner's steps depends on the last one, or if it cannot be written.
    pub fn extend(&mut self, max_steps: u64) -> Result<(), RunError> {
        let now = self.settings.max_steps;
        let sentence = if let Some(seconds) = self.config.seconds
            && self.state.seconds >= seconds
        {
            format!("the {seconds} seconds of the run are over, so more steps would not begin")
        } else if now == 0 {
            "the run has no last step, so there is nothing to extend".to_owned()
        } else if self.settings.final_learning_rate != self.settings.learning_rate {
            "the learning rate falls until the last step, which cannot be put off".to_owned()
        } else if max_steps <= now {
            format!("{max_steps} steps are not more than the {now} that it has")
        } else {
            self.folder.append(EXTENSIONS, &Extension { max_steps })?;
            self.settings.max_steps = max_steps;
            return Ok(());
        };
        Err(RunError::of(sentence))
    }

    /// How many steps are done.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.state.step
    }

    /// Whether its last step made the network diverge.
    #[must_use]
    pub fn has_diverged(&self) -> bool {
        self.diverged
    }

    /// The network of the last step.
    pub(super) fn network(&mut self) -> Result<DeepNetwork, RunError> {
        Ok(self.current()?.learner.network())
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(super) fn resources(&self) -> &Resources {
        &self.resources
    }

    /// The game, its boards, each once, and whether colours are inverted.
    pub(super) fn boards(&self) -> (Variant, Vec<Grid>, bool) {
        let variant = self.config.variant().expect("it was read");
        (variant, self.config.turns().0, self.config.invert_colors)
    }

    /// Makes steps until the last, or until the budget is over: plays what is missing, learns, evaluates.
    /// `told` hears of each step.
    ///
    /// # Errors
    /// If a file cannot be read or written; the run can be resumed then.
    pub fn go_on(
        &mut self,
        budget: &Budget,
        watch: &dyn Watch,
        told: &mut dyn FnMut(&Line),
    ) -> Result<End, RunError> {
        self.go_until(u64::MAX, budget, watch, told)
    }

    /// The same, but ends after this step.
    ///
    /// # Errors
    /// If a file cannot be read or written; the run can be resumed then.
    pub fn go_until(
        &mut self,
        last: u64,
        budget: &Budget,
        watch: &dyn Watch,
        told: &mut dyn FnMut(&Line),
    ) -> Result<End, RunError> {
        // Whatever became of what was in memory, the folder is the state.
        self.current = None;
        while self.state.step < last
            && let Some(plan) = self.plan()?
        {
            let learned = self.play(&plan, budget, watch)? && self.learn(budget, watch)?;
            let line = match learned {
                true => self.evaluate(budget, watch)?,
                false => None,
            };
            let Some(line) = line else {
                self.current = None;
                return Ok(End::Stopped);
            };
            told(&line);
        }
        Ok(End::Finished)
    }

    /// Whether all steps are done, or the time for further ones is over.
    fn is_finished(&self) -> bool {
        let late = |seconds| self.state.seconds >= seconds;
        let is_last = self.settings.max_steps > 0 && self.state.step >= self.settings.max_steps;
        is_last || self.config.seconds.is_some_and(late)
    }

    /// The network and the games that the step under way still needs; `None` if the run is finished.
    ///
    /// # Errors
    /// If the folder is damaged.
    pub fn plan(&mut self) -> Result<Option<StepPlan>, RunError> {
        if self.is_finished() {
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
            let fields: Vec<Field<G>> = fields(variant, &grids, self.config.invert_colors)?;
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

    /// Learns from the games of the step, which must all be there; `false` if it was stopped. The step
    /// is written down when it was evaluated too: before that, an interrupted run learns again.
    ///
    /// # Errors
    /// If games are missing or cannot have been played, or the network has diverged.
    pub fn learn(&mut self, budget: &Budget, watch: &dyn Watch) -> Result<bool, RunError> {
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
        let (learner, replay) = (&mut current.learner, &current.replay);
        let Some(loss) = self.teach(learner, replay, step, budget, watch) else {
            return Ok(false);
        };
        if !loss.sum.is_finite() {
            self.diverged = true;
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
    pub fn evaluate(
        &mut self,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Option<Line>, RunError> {
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
            let fields: Vec<Field<G>> = fields(variant, &grids, self.config.invert_colors)?;
            let trial = Trial {
                fields: &fields,
                settings: &self.settings,
                network: &network,
                resources: &self.resources,
                seed: self.config.seed,
                step,
                budget,
                watch,
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
        if budget.is_over() {
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
        Ok(Some(line))
    }
}
