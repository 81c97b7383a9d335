//! How strong a network is: games against MCTS of several levels, and moves that keep the result of best
//! play.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use upstar_agents::uct::Mcts;
use upstar_agents::{
    Agent, AgentSpecError, AlphaZero, AlphaZeroAgent, Limit, MctsAgent, Playable, Prover,
    Resources, Turn, judged_moves,
};
use upstar_arena::{Duel, TimeControl};
use upstar_games::{Color, Random};
use upstar_jobs::{Budget, Job, Pool, Schedule, Watch, job};
use upstar_nets::deep::DeepNetwork;

use super::field::{Field, TrainingGame};
use super::log::Kept;
use super::record::Played;
use super::settings::Settings;
use crate::folder::RunError;

/// The results of the last games against each level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Levels {
    /// Games in all.
    pub count: u64,
    /// For each level the last results for the network.
    pub windows: Vec<VecDeque<i32>>,
}

impl Levels {
    pub(super) fn new(levels: usize) -> Self {
        Self {
            count: 0,
            windows: vec![VecDeque::new(); levels],
        }
    }

    pub(super) fn add(&mut self, game: &LevelGame, window: usize) {
        self.count += 1;
        let results = &mut self.windows[game.level];
        results.push_back(game.result);
        if results.len() > window {
            results.pop_front();
        }
    }

    /// The mean of each level; 0 where nothing was played yet.
    #[must_use]
    pub(super) fn means(&self) -> Vec<f64> {
        let mean = |results: &VecDeque<i32>| {
            f64::from(results.iter().sum::<i32>()) / results.len().max(1) as f64
        };
        self.windows.iter().map(mean).collect()
    }
}

/// A game against MCTS, as a line of `evaluations.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelGame {
    /// The step after which it was played.
    pub step: u64,
    /// The board.
    pub board: String,
    /// The level.
    pub level: usize,
    /// The simulations of MCTS.
    pub simulations: u64,
    /// The colour of the network, `x` or `o`.
    pub network: char,
    /// The result for the network: 1, 0 or −1.
    pub result: i32,
    /// The moves.
    pub moves: Vec<String>,
}

/// A game against a level, by its number in the run; the highest levels come first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct LevelJob {
    level: Reverse<usize>,
    game: u64,
}

impl<G: TrainingGame> Job<Trial<'_, G>> for LevelJob {
    type Output = LevelGame;
    type Error = RunError;

    fn run(&self, trial: &Trial<'_, G>, _: &Budget) -> Result<Option<LevelGame>, RunError> {
        if trial.budget.is_over() {
            return Ok(None);
        }
        trial.against_level(self.level.0, self.game)
    }
}

/// The games of a step against all levels.
struct LevelGames<'a> {
    queue: VecDeque<LevelJob>,
    done: BTreeMap<LevelJob, LevelGame>,
    /// How many there are, and who is told of each.
    count: u64,
    watch: &'a dyn Watch,
    what: String,
}

impl<G: TrainingGame> Schedule<Trial<'_, G>> for LevelGames<'_> {
    type Job = LevelJob;

    fn next(&mut self) -> Option<LevelJob> {
        self.queue.pop_front()
    }

    fn accept(&mut self, job: &LevelJob, game: LevelGame) -> Result<bool, RunError> {
        let is_new = self.done.insert(job.clone(), game).is_none();
        let done = self.done.len() as u64;
        self.watch.pieces(&self.what, done, self.count);
        Ok(is_new)
    }
}

/// How the network of a run plays where it is tested: as in self-play, but without noise and chance.
fn tested(settings: &Settings) -> AlphaZero {
    let mut options = AlphaZero::new(std::path::PathBuf::new());
    options.limit = Limit::Count(settings.max_simulations.into());
    options.guidance.c = settings.uct_c;
    options.guidance.exact = settings.exact;
    options
}

/// Everything that tests share.
pub(super) struct Trial<'a, G: TrainingGame> {
    pub(super) fields: &'a [Field<G>],
    pub(super) settings: &'a Settings,
    pub(super) network: &'a DeepNetwork,
    pub(super) resources: &'a Resources,
    pub(super) seed: u64,
    pub(super) step: u64,
    pub(super) budget: &'a Budget,
    pub(super) watch: &'a dyn Watch,
}

/// A position in which the network is tested against the solver.
pub(super) struct TestPosition<G: TrainingGame> {
    /// Whether it is of a random game, not of the network's own.
    is_random: bool,
    /// The number of its board.
    field: usize,
    position: G::Position,
}

/// A position whose moves take more than so many nodes, each the same share, is not solved for a test.
const MOST_NODES: u64 = 4_000_000;
/// The memory of each solver.
const MEMORY: usize = 128 << 20;

impl<G: TrainingGame> Trial<'_, G> {
    /// Plays the games of this step against all levels; fewer if stopped.
    pub(super) fn against_levels(&self) -> Result<Vec<LevelGame>, RunError> {
        let each = self.settings.evaluators as u64;
        // The longest first, so that no thread is left alone with them.
        let jobs = (0..self.settings.eval_levels).rev().flat_map(|level| {
            let games = (self.step - 1) * each..self.step * each;
            games.map(move |game| LevelJob {
                level: Reverse(level),
                game,
            })
        });
        let queue: VecDeque<LevelJob> = jobs.collect();
        let mut games = LevelGames {
            count: queue.len() as u64,
            queue,
            done: BTreeMap::new(),
            watch: self.watch,
            what: format!("{}, games against MCTS", self.settings.step_name(self.step)),
        };
        job::run(&mut games, self, self.settings.actors, self.budget)?;
        Ok(games.done.into_values().collect())
    }

    /// One game; `None` if it was stopped.
    pub(super) fn against_level(
        &self,
        level: usize,
        number: u64,
    ) -> Result<Option<LevelGame>, RunError> {
        let refused = |error: AgentSpecError| RunError::of(error.to_string());
        let fields = self.fields.len() as u64;
        let Field {
            game, start, board, ..
        } = &self.fields[(number / 2 % fields) as usize];
        let color = [Color::Black, Color::White][(number % 2) as usize];
        let options = tested(self.settings);
        let (rules, resources) = (game.clone(), self.resources);
        let mut network =
            AlphaZeroAgent::with_network(rules, start, self.network, &options, resources)
                .map_err(refused)?;
        let simulations = self.settings.level_simulations(level);
        let mut mcts = Mcts::new(Limit::Count(simulations));
        // OpenSpiel adds c·√(ln N / n) to results from −1 to 1, we c·√(2 ln N / n) to results from 0 to 1.
        mcts.c = f64::from(self.settings.uct_c) / (2.0 * std::f64::consts::SQRT_2);
        let mut mcts = MctsAgent::new(game, &mcts, self.resources).map_err(refused)?;
        let seed = Random::for_game(self.seed ^ 0x6c65_7665_6c73, level as u64).bits();
        // The network draws nothing.
        let random = Random::for_game(seed, number);
        let duel = Duel {
            game,
            start,
            opening: &[],
            time: TimeControl::NONE,
            budget: self.budget,
            thoughts: false,
        };
        let agents: [&mut dyn Agent<G>; 2] = match color {
            Color::Black => [&mut network, &mut mcts],
            Color::White => [&mut mcts, &mut network],
        };
        let played = duel.play(agents, [random.clone(), random]);
        let played = played.map_err(|cannot| RunError::of(cannot.fault.to_string()))?;
        let Some(played) = played else {
            return Ok(None);
        };
        let Some(score) = played.ending.score else {
            let why = played.ending.text.unwrap_or_default();
            return Err(RunError::of(why));
        };
        Ok(Some(LevelGame {
            step: self.step,
            board: board.clone(),
            level,
            simulations,
            network: color.letter(),
            result: color.sign() * score.signum(),
            moves: played
                .moves
                .into_iter()
                .map(|mv| game.move_name(mv))
                .collect(),
        }))
    }

    /// How many moves keep the result of best play, in positions of these games and in as many of random
    /// ones: first own, then random.
    pub(super) fn kept(&self, own: &[Played]) -> Result<[Kept; 2], RunError> {
        let mut random = self.test_generator();
        let count = self.settings.test_positions;
        let mut positions = Vec::new();
        for _ in 0..count {
            let played = &own[random.below(own.len() as u32) as usize];
            let Some(field) = self
                .fields
                .iter()
                .position(|field| field.board == played.board)
            else {
                continue;
            };
            let Some(all) = played.positions(&self.fields[field]) else {
                continue;
            };
            positions.push(TestPosition {
                is_random: false,
                field,
                position: all[random.below(played.plies.len() as u32) as usize],
            });
        }
        positions.extend(self.drawn_positions(count, &mut random));
        self.kept_in_all(&positions)
    }

    /// Positions of random games, on all boards in turn.
    pub(super) fn random_positions(&self, count: usize) -> Vec<TestPosition<G>> {
        self.drawn_positions(count, &mut self.test_generator())
    }

    fn test_generator(&self) -> Random {
        Random::for_game(self.seed ^ 0x6b65_7074, self.step)
    }

    fn drawn_positions(&self, count: usize, random: &mut Random) -> Vec<TestPosition<G>> {
        let mut positions = Vec::new();
        for index in 0..count {
            let field = index % self.fields.len();
            let Field { game, start, .. } = &self.fields[field];
            let mut all = vec![*start];
            while let Some(mv) =
                upstar_games::random_move(game, all.last().expect("a start"), random)
            {
                let next = game.play_unchecked(all.last().expect("a start"), mv);
                all.push(next);
            }
            all.pop();
            if !all.is_empty() {
                positions.push(TestPosition {
                    is_random: true,
                    field,
                    position: all[random.below(all.len() as u32) as usize],
                });
            }
        }
        positions
    }

    /// How many moves keep the result in these positions: first those of own games, then the random ones.
    pub(super) fn kept_in_all(&self, positions: &[TestPosition<G>]) -> Result<[Kept; 2], RunError> {
        let size = positions.len().div_ceil(self.settings.actors).max(1);
        let shares: Vec<&[TestPosition<G>]> = positions.chunks(size).collect();
        let pool = Pool {
            threads: self.settings.actors,
            jobs: shares.len() as u64,
            budget: self.budget,
        };
        let (looked_at, all) = (AtomicU64::new(0), positions.len() as u64);
        let what = self.settings.step_name(self.step) + ", positions tested against the solver";
        let told = || {
            let done = 1 + looked_at.fetch_add(1, Ordering::Relaxed);
            self.watch.pieces(&what, done, all);
        };
        let found = pool.collect(
            || (),
            |(), number, _| {
                let found = self.kept_in(shares[number as usize], &told);
                let found = found.map(|found| (!self.budget.is_over()).then_some(found));
                found.map_err(|error| RunError::of(error.to_string()))
            },
        )?;
        let mut all = [Kept::default(); 2];
        for share in found {
            for (kept, more) in all.iter_mut().zip(share) {
                kept.add(more);
            }
        }
        Ok(all)
    }

    fn kept_in(
        &self,
        positions: &[TestPosition<G>],
        told: &impl Fn(),
    ) -> Result<[Kept; 2], AgentSpecError> {
        let mut all = [Kept::default(); 2];
        let mut workers: Vec<Option<Worker<G>>> = self.fields.iter().map(|_| None).collect();
        for test in positions {
            if self.budget.is_over() {
                break;
            }
            let (field, kind) = (&self.fields[test.field], usize::from(test.is_random));
            let worker = match &mut workers[test.field] {
                Some(worker) => worker,
                empty => empty.insert(Worker::new(self, field)?),
            };
            worker.look(field, &test.position, self.budget, &mut all[kind])?;
            told();
        }
        Ok(all)
    }
}

/// A player and somebody who knows better.
struct Worker<G: Playable> {
    player: AlphaZeroAgent<G>,
    instinct: AlphaZeroAgent<G>,
    solver: Box<dyn Prover<G>>,
}

impl<G: TrainingGame> Worker<G> {
    fn new(trial: &Trial<'_, G>, field: &Field<G>) -> Result<Self, AgentSpecError> {
        let player = |options: &AlphaZero| {
            AlphaZeroAgent::with_network(
                field.game.clone(),
                &field.start,
                trial.network,
                options,
                trial.resources,
            )
        };
        let options = tested(trial.settings);
        let mut instinct = options.clone();
        instinct.limit = Limit::Count(1);
        instinct.guidance.exact = 0;
        Ok(Self {
            player: player(&options)?,
            instinct: player(&instinct)?,
            solver: field.game.prover(trial.resources, MEMORY)?,
        })
    }

    fn look(
        &mut self,
        field: &Field<G>,
        position: &G::Position,
        budget: &Budget,
        kept: &mut Kept,
    ) -> Result<(), AgentSpecError> {
        kept.positions += 1;
        let solver = &mut *self.solver;
        let Some(results) = judged_moves(&field.game, solver, position, MOST_NODES, budget) else {
            kept.unsolved += u64::from(!budget.is_over());
            return Ok(());
        };
        if !results.is_decision() {
            return Ok(());
        }
        kept.decisions += 1;
        let turn = Turn {
            start: position,
            moves: &[],
            position,
            budget,
        };
        let keeps = |agent: &mut AlphaZeroAgent<G>| -> Result<u64, AgentSpecError> {
            let choice = agent
                .choose(&turn, &mut Random::new(0))
                .map_err(|fault| AgentSpecError(fault.to_string()))?;
            Ok(u64::from(results.keeps(choice.mv)))
        };
        kept.kept += keeps(&mut self.player)?;
        kept.kept_by_policy += keeps(&mut self.instinct)?;
        Ok(())
    }
}
