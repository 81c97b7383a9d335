//! Self-play: each thread plays many games at a time, and their positions are judged in one batch.
//!
//! A game has its own generator, and what the network thinks of a position depends on nothing else:
//! so it does not matter how many threads share the games, nor which games are played together.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use upstar_agents::puct::{Answer, CachedEvaluator, Descent, Guidance, Leaf, Puct, Ticket};
use upstar_agents::uct::MoveStatistics;
use upstar_agents::{AgentSpecError, Prover, Resources, judged_moves};
use upstar_games::{Random, random_move};
use upstar_jobs::{Budget, Pool};
use upstar_nets::deep::DeepNetwork;
use upstar_solve::Outcome;

use super::field::{Field, TrainingGame};
use super::record::{Inside, Played, Ply, result_for_black};
use super::settings::Settings;
use crate::folder::RunError;

/// What playing has cost.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    /// Moves that were played.
    pub moves: u64,
    /// Simulations for them.
    pub simulations: u64,
    /// Positions that searches asked for.
    pub requests: u64,
    /// Positions that networks judged.
    pub judged: u64,
    /// How many positions each batch had.
    pub batches: Vec<u32>,
    /// Time in networks, summed over threads.
    pub judging: Duration,
    /// Time of all threads.
    pub working: Duration,
    /// CachedEvaluator that are remembered at the end, and could be.
    pub remembered: (usize, usize),
}

impl Effort {
    fn add(&mut self, other: Self) {
        self.moves += other.moves;
        self.simulations += other.simulations;
        self.requests += other.requests;
        self.judged += other.judged;
        self.batches.extend(other.batches);
        self.judging += other.judging;
        self.working += other.working;
        self.remembered.0 += other.remembered.0;
        self.remembered.1 += other.remembered.1;
    }
}

/// The memory of a solver for targets.
const JUDGE_MEMORY: usize = 64 << 20;
/// After so many moves of a position whose moves are all solved the result is learned.
const SIBLINGS: usize = 4;
/// How many opinions each thread remembers on each board.
const MEMORY: usize = 1 << 16;

/// Everything that games of self-play share.
pub struct Playground<'a, G: TrainingGame> {
    /// The boards.
    pub fields: &'a [Field<G>],
    /// On which of them games are played, in turn.
    pub order: &'a [usize],
    /// How to play.
    pub settings: &'a Settings,
    /// The network.
    pub network: &'a DeepNetwork,
    /// Solvers' tables.
    pub resources: &'a Resources,
    /// The run's seed.
    pub seed: u64,
    /// What ends it early.
    pub budget: &'a Budget,
}

impl<G: TrainingGame> Playground<'_, G> {
    /// Plays these games, shared among threads. Each is handed over as it ends, in any order.
    ///
    /// # Errors
    /// If the network does not fit a board, or there is no room for a solver.
    pub fn play(
        &self,
        games: &[u64],
        finished: &(dyn Fn(Played) + Sync),
    ) -> Result<Effort, RunError> {
        let next = AtomicU64::new(0);
        let threads = self.settings.actors.min(games.len());
        let pool = Pool {
            threads,
            jobs: threads as u64,
            budget: &Budget::unlimited(),
        };
        // A job is not a game: a thread plays many at a time, and takes the next when one ends.
        let spent = pool.collect(
            || (),
            |(), _, _| -> Result<_, RunError> {
                let spent = self.play_share(games, &next, finished);
                spent
                    .map(Some)
                    .map_err(|error| RunError::of(error.to_string()))
            },
        )?;
        let mut effort = Effort::default();
        spent.into_iter().for_each(|spent| effort.add(spent));
        Ok(effort)
    }

    /// The board of a game.
    fn field_of(&self, game: u64) -> usize {
        self.order[(game % self.order.len() as u64) as usize]
    }

    fn play_share(
        &self,
        games: &[u64],
        next: &AtomicU64,
        finished: &(dyn Fn(Played) + Sync),
    ) -> Result<Effort, AgentSpecError> {
        let begun = Instant::now();
        let mut effort = Effort::default();
        let opinions = self.fields.iter();
        let opinions = opinions
            .map(|field| CachedEvaluator::new(self.network, &field.game, &field.start, MEMORY));
        let mut opinions: Vec<CachedEvaluator> = opinions.collect::<Result<_, _>>()?;
        let judge = |field: &Field<G>| match self.settings.most_left_to_judge() {
            0 => Ok(None),
            _ => field.game.prover(self.resources, JUDGE_MEMORY).map(Some),
        };
        let mut judges: Vec<Option<Box<dyn Prover<G>>>> =
            self.fields.iter().map(judge).collect::<Result<_, _>>()?;
        let take = || {
            let place = next.fetch_add(1, Ordering::Relaxed);
            games.get(usize::try_from(place).ok()?).copied()
        };
        let mut lanes = Vec::new();
        while lanes.len() < self.settings.games_at_once
            && let Some(game) = take()
        {
            lanes.push(Lane::begin(self, game)?);
        }
        let mut waiting: Vec<(usize, Leaf<G::Position>, Ticket)> = Vec::new();
        while !lanes.is_empty() && !self.budget.is_over() {
            let mut place = 0;
            while place < lanes.len() {
                let lane = &mut lanes[place];
                match lane.go_on(self, &mut opinions[lane.field], &mut effort) {
                    Some((leaf, ticket)) => {
                        waiting.push((place, leaf, ticket));
                        place += 1;
                    }
                    None => {
                        finished(lane.record(self, &mut judges[lane.field]));
                        match take() {
                            Some(game) => lane.restart(self, game)?,
                            None => {
                                // The last lane takes its place; it has not been looked at yet.
                                lanes.swap_remove(place);
                            }
                        }
                    }
                }
            }
            let judging = Instant::now();
            for opinions in &mut opinions {
                if opinions.waiting() > 0 {
                    effort.batches.push(opinions.waiting() as u32);
                    opinions.judge();
                }
            }
            effort.judging += judging.elapsed();
            for (place, leaf, ticket) in waiting.drain(..) {
                let lane = &mut lanes[place];
                lane.hear(self, &mut opinions[lane.field], &leaf, ticket);
            }
            opinions.iter_mut().for_each(CachedEvaluator::forget_batch);
        }
        for opinions in &opinions {
            effort.requests += opinions.requests;
            effort.judged += opinions.judged;
            effort.remembered.0 += opinions.remembered();
            effort.remembered.1 += MEMORY;
        }
        effort.working = begun.elapsed();
        Ok(effort)
    }
}

/// A game in progress.
struct Lane<G: TrainingGame> {
    index: u64,
    field: usize,
    random: Random,
    search: Puct<G>,
    position: G::Position,
    /// Whether this move gets a whole search.
    full: bool,
    /// Whether the root still has to get its noise.
    quiet: bool,
    opening: Vec<String>,
    plies: Vec<Ply>,
}

impl<G: TrainingGame> Lane<G> {
    fn begin(ground: &Playground<'_, G>, index: u64) -> Result<Self, AgentSpecError> {
        let field = ground.field_of(index);
        let guidance = Guidance {
            c: ground.settings.uct_c,
            exact: ground.settings.exact,
        };
        let Field { game, start, .. } = &ground.fields[field];
        let mut lane = Self {
            index,
            field,
            random: Random::for_game(ground.seed, index),
            search: Puct::new(game, guidance, ground.resources)?,
            position: *start,
            full: true,
            quiet: true,
            opening: Vec::new(),
            plies: Vec::new(),
        };
        lane.open(ground);
        Ok(lane)
    }

    fn restart(&mut self, ground: &Playground<'_, G>, index: u64) -> Result<(), AgentSpecError> {
        let field = ground.field_of(index);
        if field != self.field {
            *self = Self::begin(ground, index)?;
            return Ok(());
        }
        // A solver at the leaves remembers earlier games, and what it finds in time would depend on them.
        self.search.forget()?;
        self.index = index;
        self.random = Random::for_game(ground.seed, index);
        self.position = ground.fields[field].start;
        self.open(ground);
        Ok(())
    }

    /// Plays the random moves with which the game begins; they do not end it.
    fn open(&mut self, ground: &Playground<'_, G>) {
        let game = &ground.fields[self.field].game;
        self.opening.clear();
        self.plies.clear();
        for _ in 0..self.random.below(ground.settings.random_plies + 1) {
            let mv = random_move(game, &self.position, &mut self.random).expect("it is not over");
            let next = game.play_unchecked(&self.position, mv);
            if game.is_over(&next) {
                break;
            }
            self.opening.push(game.move_name(mv));
            self.position = next;
        }
        self.prepare(ground, None);
    }

    /// Brings the search to the position, which this move led to.
    fn prepare(&mut self, ground: &Playground<'_, G>, played: Option<G::Move>) {
        let settings = ground.settings;
        self.full =
            settings.full_search_share >= 1.0 || self.random.unit() < settings.full_search_share;
        self.quiet = self.full && settings.policy_epsilon > 0.0;
        let kept = played.is_some_and(|mv| self.search.advance(mv));
        if !kept {
            self.search.begin(&self.position);
        } else {
            self.make_noise(ground);
        }
    }

    fn make_noise(&mut self, ground: &Playground<'_, G>) {
        let Settings {
            policy_alpha,
            policy_epsilon,
            ..
        } = *ground.settings;
        if std::mem::take(&mut self.quiet) {
            self.search
                .add_noise(policy_alpha, policy_epsilon, &mut self.random);
        }
    }

    /// Plays on until the network is needed; `None` when the game is over.
    fn go_on(
        &mut self,
        ground: &Playground<'_, G>,
        opinions: &mut CachedEvaluator,
        effort: &mut Effort,
    ) -> Option<(Leaf<G::Position>, Ticket)> {
        let game = &ground.fields[self.field].game;
        let wanted = if self.full {
            ground.settings.max_simulations
        } else {
            ground.settings.fast_simulations
        };
        loop {
            if game.is_over(&self.position) {
                return None;
            }
            if self.search.visits() > wanted || self.search.outcome().is_some() {
                self.play(ground);
                effort.moves += 1;
                continue;
            }
            effort.simulations += 1;
            match self.search.descend() {
                Descent::Judge(leaf) => match opinions.ask(game, &leaf.position) {
                    Answer::Known(value, priors) => {
                        self.search.receive(&leaf, value, priors);
                        self.make_noise(ground);
                    }
                    Answer::Later(ticket) => return Some((leaf, ticket)),
                },
                Descent::Known => {}
                Descent::Waiting | Descent::Proved => {
                    unreachable!("one line at a time, and no result yet")
                }
            }
        }
    }

    /// Takes the network's answer.
    fn hear(
        &mut self,
        ground: &Playground<'_, G>,
        opinions: &mut CachedEvaluator,
        leaf: &Leaf<G::Position>,
        ticket: Ticket,
    ) {
        let game = &ground.fields[self.field].game;
        let (value, priors) = opinions.answer(ticket, game, &leaf.position);
        self.search.receive(leaf, value, priors);
        self.make_noise(ground);
    }

    /// Plays a move and writes down what was thought.
    fn play(&mut self, ground: &Playground<'_, G>) {
        let settings = ground.settings;
        let game = &ground.fields[self.field].game;
        let moves = self.search.moves();
        let outcome = self.search.outcome();
        let policy = if self.full {
            policy(&moves, outcome)
        } else {
            Vec::new()
        };
        let mv = if self.plies.len() < settings.temperature_drop {
            drawn(&moves, settings.temperature, &mut self.random)
        } else {
            self.search.best().expect("there are moves").mv
        };
        let inside = match settings.tree_targets {
            0 => Vec::new(),
            least => self.inside(ground, least),
        };
        self.plies.push(Ply {
            mv: game.move_name(mv),
            value: outcome.map_or(self.search.mean(), |outcome| outcome.sign() as f32),
            policy,
            exact: None,
            inside,
        });
        self.position = game.play_unchecked(&self.position, mv);
        self.prepare(ground, Some(mv));
    }

    fn inside(&self, ground: &Playground<'_, G>, least: u32) -> Vec<Inside> {
        let game = &ground.fields[self.field].game;
        let mut found = Vec::new();
        self.search.visit_inside(least, &mut |inner| {
            found.push(Inside {
                line: inner.line.iter().map(|&mv| game.move_name(mv)).collect(),
                value: inner
                    .outcome
                    .map_or(inner.mean, |outcome| outcome.sign() as f32),
                policy: policy(inner.moves, inner.outcome),
            });
        });
        found
    }

    /// The game, with exact targets if there is a judge.
    fn record(
        &mut self,
        ground: &Playground<'_, G>,
        judge: &mut Option<Box<dyn Prover<G>>>,
    ) -> Played {
        let field = &ground.fields[self.field];
        let mut played = Played {
            game: self.index,
            board: field.board.clone(),
            opening: std::mem::take(&mut self.opening),
            plies: std::mem::take(&mut self.plies),
            black: result_for_black(&field.game, &self.position).expect("the game is over"),
            network: None,
        };
        if let Some(judge) = judge {
            let positions = played.positions(field).expect("it was played");
            // Without a limit results do not depend on what the solver has seen before.
            for (ply, position) in played.plies.iter_mut().zip(&positions) {
                let left = field.game.left(position);
                if left <= ground.settings.exact_targets {
                    let outcome = judge.outcome(position, u64::MAX, &Budget::unlimited());
                    ply.exact = outcome.map(Outcome::sign);
                }
                if left <= ground.settings.exact_moves && !ply.policy.is_empty() {
                    let game = &field.game;
                    let unlimited = Budget::unlimited();
                    let judged = judged_moves(game, &mut **judge, position, u64::MAX, &unlimited);
                    if let Some(judged) = judged {
                        let keeps = game.moves(position).map(|mv| judged.keeps(mv));
                        keep_only(&mut ply.policy, keeps);
                        let mut moves = judged.into_moves();
                        while moves.len() > SIBLINGS {
                            moves.swap_remove(self.random.below(moves.len() as u32) as usize);
                        }
                        ply.inside
                            .extend(moves.into_iter().map(|(mv, outcome)| Inside {
                                line: vec![game.move_name(mv)],
                                value: -outcome.sign() as f32,
                                policy: Vec::new(),
                            }));
                    }
                }
            }
        }
        played
    }
}

/// How likely each move should be: as often as it was visited. Where a win is proved only winning moves
/// count, and moves that were proved to lose do not, unless all do.
fn policy<M>(moves: &[MoveStatistics<M>], outcome: Option<Outcome>) -> Vec<f32> {
    let weight = |found: &MoveStatistics<M>| match (outcome, found.proved) {
        (Some(Outcome::Win), proved) => {
            if proved == Some(Outcome::Win) {
                1.0 + found.visits as f32
            } else {
                0.0
            }
        }
        (Some(Outcome::Loss), _) => 1.0,
        (_, Some(Outcome::Loss)) => 0.0,
        _ => found.visits as f32,
    };
    let weights: Vec<f32> = moves.iter().map(weight).collect();
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 {
        weights.into_iter().map(|weight| weight / sum).collect()
    } else {
        Vec::new()
    }
}

/// Leaves these moves as likely among each other as they were, or all the same if none had been likely.
fn keep_only(policy: &mut [f32], keeps: impl Iterator<Item = bool>) {
    const LEAST: f32 = 1e-6;
    for (share, keeps) in policy.iter_mut().zip(keeps) {
        *share = if keeps { *share + LEAST } else { 0.0 };
    }
    let sum: f32 = policy.iter().sum();
    policy.iter_mut().for_each(|share| *share /= sum);
}

/// A move drawn with the power 1 / temperature of its visits.
fn drawn<M: Copy>(moves: &[MoveStatistics<M>], temperature: f64, random: &mut Random) -> M {
    let all_lose = moves
        .iter()
        .all(|found| found.proved == Some(Outcome::Loss));
    let wins = moves.iter().any(|found| found.proved == Some(Outcome::Win));
    let weight = |found: &MoveStatistics<M>| match found.proved {
        Some(Outcome::Win) => 1.0,
        _ if wins => 0.0,
        Some(Outcome::Loss) if !all_lose => 0.0,
        _ => (found.visits as f64).powf(1.0 / temperature),
    };
    let weights: Vec<f64> = moves.iter().map(weight).collect();
    let mut left = random.unit() * weights.iter().sum::<f64>();
    for (found, weight) in moves.iter().zip(&weights) {
        left -= weight;
        if left < 0.0 {
            return found.mv;
        }
    }
    moves
        .iter()
        .max_by_key(|found| found.visits)
        .expect("there are moves")
        .mv
}
