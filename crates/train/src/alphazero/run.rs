//! The loop: play, learn, test; a step at a time, in a folder from which it goes on.
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

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Instant, SystemTime};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use upstar_agents::Resources;
use upstar_agents::puct::Turns;
use upstar_games::Random;
use upstar_nets::deep::{DeepNetwork, Learner, Lessons, Settings as LearnerSettings};
use upstar_runs::{Kind, Manifest};

use super::actor::{Effort, Playground};
use super::config::{AlphaZeroConfig, Settings};
use super::evaluation::{Levels, Trial};
use super::field::{Field, Fielded, mean_length, with_field_type};
use super::log::{Cache, Evaluated, Kept, Line, Loss, Outcomes, Statistics};
use super::memory;
use super::record::Played;
use super::replay::{Batch, Replay};
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

/// The games of a step.
struct Gathered {
    games: Vec<Played>,
    /// How many games and positions are not from before the run was interrupted.
    played_now: [usize; 2],
    effort: Effort,
}

/// The positions of games.
fn positions_of(games: &[Played]) -> usize {
    games.iter().map(|played| played.plies.len()).sum()
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
        })
    }

    /// How many steps are done.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.state.step
    }

    /// Makes steps until the last, or until somebody stops it.
    ///
    /// # Errors
    /// If a file cannot be read or written; the run can be resumed then.
    pub fn go_on(&mut self, watcher: &dyn Watcher) -> Result<End, RunError> {
        let variant = self.config.variant().expect("it was read");
        let (grids, _) = self.config.turns();
        with_field_type!(variant, grids, |G| {
            let fields = grids.iter().map(|&grid| {
                G::field(variant, grid)
                    .ok_or_else(|| RunError::of(format!("{variant} has no start on {grid}")))
            });
            let fields: Vec<Field<G>> = fields.collect::<Result<_, _>>()?;
            self.run_on(&fields, watcher)
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
        self.folder.write(&name, &learner.to_bytes())?;
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

    fn run_on<G: Fielded>(
        &mut self,
        fields: &[Field<G>],
        watcher: &dyn Watcher,
    ) -> Result<End, RunError> {
        let path = self.folder.path(&Self::learner_name(self.state.step));
        let bytes = fs::read(&path).map_err(|error| RunError::io(&path, &error))?;
        let learner = Learner::from_bytes(&bytes);
        let mut learner =
            learner.map_err(|error| RunError::of(format!("{}: {error}", path.display())))?;
        // Whatever became of it, what is told to be the network is the network.
        self.folder.write(NETWORK, &learner.network().to_bytes())?;
        let mut replay = Replay::default();
        for &(step, _) in &self.state.recent {
            self.remember(&mut replay, fields, &self.games_of(step)?, step)?;
        }
        while self.settings.max_steps == 0 || self.state.step < self.settings.max_steps {
            if !self.step(fields, &mut learner, &mut replay, watcher)? {
                return Ok(End::Stopped);
            }
        }
        Ok(End::Finished)
    }

    /// The games of a step that are written down, in their order.
    fn games_of(&self, step: u64) -> Result<Vec<Played>, RunError> {
        let mut games: Vec<Played> = self.folder.lines(&Self::games_name(step))?;
        games.sort_by_key(|played| played.game);
        games.dedup_by_key(|played| played.game);
        Ok(games)
    }

    /// Puts games into the buffer, and says how many positions that has added.
    fn remember<G: Fielded>(
        &self,
        replay: &mut Replay,
        fields: &[Field<G>],
        games: &[Played],
        step: u64,
    ) -> Result<usize, RunError> {
        let mut added = 0;
        for played in games {
            added += replay.add(played, fields, &self.settings).ok_or_else(|| {
                let file = self.folder.path(&Self::games_name(step));
                RunError::of(format!(
                    "{}: game {} cannot have been played",
                    file.display(),
                    played.game
                ))
            })?;
        }
        Ok(added)
    }

    /// One step; `false` if it was stopped before its end.
    fn step<G: Fielded>(
        &mut self,
        fields: &[Field<G>],
        learner: &mut Learner,
        replay: &mut Replay,
        watcher: &dyn Watcher,
    ) -> Result<bool, RunError> {
        let begun = Instant::now();
        let step = self.state.step + 1;
        let network = learner.network();
        let Some(gathered) = self.play(fields, &network, step, watcher)? else {
            return Ok(false);
        };
        let games = &gathered.games;
        let played = begun.elapsed().as_secs_f64();
        let added = self.remember(replay, fields, games, step)?;
        let Some(loss) = self.learn(fields, learner, replay, step, watcher) else {
            return Ok(false);
        };
        if !loss.sum.is_finite() {
            return Err(RunError::of(format!(
                "the losses of step {step} are no numbers any more: the network has diverged; a smaller \
                 learning_rate helps"
            )));
        }
        let learned = begun.elapsed().as_secs_f64();
        let network = learner.network();
        let trial = Trial {
            fields,
            settings: &self.settings,
            network: &network,
            resources: &self.resources,
            seed: self.config.seed,
            step,
            stop: &|| watcher.stop(),
        };
        let refused = |error: upstar_agents::WordError| RunError::of(error.to_string());
        let against = trial.against_levels().map_err(refused)?;
        let tests =
            step.is_multiple_of(self.settings.checkpoint_freq) && self.settings.test_positions > 0;
        let kept = tests
            .then(|| trial.kept(games))
            .transpose()
            .map_err(refused)?;
        if watcher.stop() {
            return Ok(false);
        }
        let tested = begun.elapsed().as_secs_f64();
        for game in &against {
            self.state.levels.add(game, self.settings.evaluation_window);
            self.folder.append(EVALUATIONS, game)?;
        }
        let positions = positions_of(games);
        self.state.step = step;
        self.state.games += games.len() as u64;
        self.state.positions += positions as u64;
        self.state.positions_per_game = positions as f64 / games.len() as f64;
        self.state.seconds += tested;
        self.state.recent.push_back((step, added));
        let seconds = [played, learned - played, tested - learned];
        let line = self.line(fields, &gathered, loss, kept, seconds);
        self.folder.append(LOG, &line)?;
        // Steps before those that fill the buffer are not needed any more.
        let mut old = Vec::new();
        let held = |recent: &VecDeque<(u64, usize)>| {
            recent.iter().skip(1).map(|(_, count)| count).sum::<usize>()
        };
        while held(&self.state.recent) >= self.settings.replay_buffer_size {
            old.extend(self.state.recent.pop_front());
        }
        self.checkpoint(learner)?;
        for (step, _) in old {
            let _ = fs::remove_file(self.folder.path(&Self::games_name(step)));
        }
        watcher.step(&line);
        Ok(true)
    }

    /// The games of a step: those that are written down already, and the others; `None` if it was stopped.
    fn play<G: Fielded>(
        &self,
        fields: &[Field<G>],
        network: &DeepNetwork,
        step: u64,
        watcher: &dyn Watcher,
    ) -> Result<Option<Gathered>, RunError> {
        let wanted = self.settings.gathered_per_step() as f64 / self.state.positions_per_game;
        let wanted = (wanted.ceil() as u64).max(1);
        let indices = self.state.games..self.state.games + wanted;
        let done = self.games_of(step)?;
        if let Some(other) = done.iter().find(|played| !indices.contains(&played.game)) {
            return Err(RunError::of(format!(
                "{}: game {} is none of this step",
                self.folder.path(&Self::games_name(step)).display(),
                other.game
            )));
        }
        let missing: Vec<u64> = indices
            .filter(|index| {
                done.binary_search_by_key(index, |played| played.game)
                    .is_err()
            })
            .collect();
        let before = done.len() as u64;
        let log = self.folder.log(&Self::games_name(step))?;
        let finished = Mutex::new((Vec::new(), log, Ok(())));
        let (_, order) = self.config.turns();
        let ground = Playground {
            fields,
            order: &order,
            settings: &self.settings,
            network,
            resources: &self.resources,
            seed: self.config.seed,
            stop: &|| watcher.stop(),
        };
        let effort = ground.play(&missing, &|played| {
            let mut finished = finished.lock().expect("no thread panics");
            let (games, log, written) = &mut *finished;
            if written.is_ok() {
                *written = log.add(&played);
            }
            games.push(played);
            watcher.played(step, before + games.len() as u64, wanted);
            if games.len() % BUNDLE == 0 && written.is_ok() {
                *written = log.sync();
            }
        });
        let effort = effort.map_err(|error| RunError::of(error.to_string()))?;
        let (new, log, written) = finished.into_inner().expect("no thread panics");
        written.and_then(|()| log.sync())?;
        let played_now = [new.len(), positions_of(&new)];
        let mut games = done;
        games.extend(new);
        if (games.len() as u64) < wanted {
            return Ok(None);
        }
        games.sort_by_key(|played| played.game);
        Ok(Some(Gathered {
            games,
            played_now,
            effort,
        }))
    }

    /// Learns as many batches as the buffer holds; `None` if it was stopped.
    fn learn<G: Fielded>(
        &self,
        fields: &[Field<G>],
        learner: &mut Learner,
        replay: &Replay,
        step: u64,
        watcher: &dyn Watcher,
    ) -> Option<Loss> {
        let mut random = Random::for_game(self.config.seed ^ 0x006c_6561_726e, step);
        let design = self.config.design();
        let actions: Vec<usize> = fields
            .iter()
            .map(|field| design.actions(&field.grid))
            .collect();
        let turns: Vec<Turns> = fields
            .iter()
            .zip(&actions)
            .map(|(field, &count)| Turns::new(&field.grid, count))
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
                looks: &batch.looks,
                grid: &fields[batch.field].grid,
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

    fn line<G: Fielded>(
        &self,
        fields: &[Field<G>],
        gathered: &Gathered,
        loss: Loss,
        kept: Option<[Kept; 2]>,
        seconds: [f64; 3],
    ) -> Line {
        let Gathered {
            games,
            played_now: [games_now, positions_now],
            effort,
        } = gathered;
        let longest = fields
            .iter()
            .map(|field| field.game.plies_left(&field.start));
        let longest = longest.max().expect("there is a board") as usize;
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
