//! What a network thinks of positions: asked in batches, and remembered.
//!
//! Positions that are turned or mirrored images of each other are judged once.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use upstar_games::Color;
use upstar_nets::deep::{Acting, DeepNetwork, Evaluator, Observation, Planes};

use super::Symmetries;
use crate::spec::AgentSpecError;

/// A network for one game on one board, with a memory.
pub struct CachedEvaluator {
    evaluator: Evaluator,
    turns: Symmetries,
    /// Whether it matters to the network which colour is to move.
    sees_color: bool,
    /// How many positions each half of the memory holds.
    capacity: usize,
    /// What was thought lately; when it is full it becomes the older half.
    young: FxHashMap<Key, Opinion>,
    old: FxHashMap<Key, Opinion>,
    /// The batch: positions to be judged, each once.
    asked: Vec<Asked>,
    places: FxHashMap<Key, usize>,
    looks: Vec<Observation>,
    logits: Vec<f32>,
    values: Vec<f32>,
    /// Likelihoods of all actions, of which an answer takes its own.
    dense: Vec<f32>,
    priors: Vec<f32>,
    /// How many positions were asked for, and for how many the network was.
    pub requests: u64,
    /// How many of them the network had to judge.
    pub judged: u64,
}

type Key = (u128, u128, bool);

struct Opinion {
    value: f32,
    /// Legal actions and how likely they are.
    policy: Box<[(u16, f32)]>,
}

struct Asked {
    key: Key,
    /// Legal actions of the position as it is judged.
    actions: Box<[u16]>,
    opinion: Option<Opinion>,
}

/// A question in the batch.
#[derive(Clone, Copy, Debug)]
pub struct Ticket {
    place: usize,
    turn: usize,
}

/// The answer to a question.
pub enum Answer<'a> {
    /// Known already: the value for the side to move, and how likely each move is.
    Known(f32, &'a [f32]),
    /// To be asked for after the batch was judged.
    Later(Ticket),
}

impl CachedEvaluator {
    /// The opinions of a network on the board of a position; so many of them are remembered.
    ///
    /// # Errors
    /// If the network is for another game or board.
    pub fn new<G: Acting>(
        network: &DeepNetwork,
        game: &G,
        position: &G::Position,
        memory: usize,
    ) -> Result<Self, AgentSpecError> {
        let variant = network.design().game;
        if !game.is_variant(variant) {
            return Err(AgentSpecError(format!("this network is for {variant}")));
        }
        let Some(grid) = game.grid(position) else {
            let sentence = "networks judge positions on grids, not on graphs";
            return Err(AgentSpecError(sentence.to_owned()));
        };
        let evaluator =
            Evaluator::new(network, &grid).map_err(|misfit| AgentSpecError(misfit.to_string()))?;
        let actions = evaluator.actions();
        Ok(Self {
            turns: Symmetries::new(&grid, actions),
            sees_color: network.design().planes != Planes::Free,
            evaluator,
            capacity: memory / 2,
            young: FxHashMap::default(),
            old: FxHashMap::default(),
            asked: Vec::new(),
            places: FxHashMap::default(),
            looks: Vec::new(),
            logits: Vec::new(),
            values: Vec::new(),
            dense: vec![0.0; actions],
            priors: Vec::new(),
            requests: 0,
            judged: 0,
        })
    }

    /// How many opinions are remembered.
    #[must_use]
    pub fn remembered(&self) -> usize {
        self.young.len() + self.old.len()
    }

    /// About how many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        // Moves of a position, as they come on the average.
        const MOVES: usize = 24;
        let each = size_of::<(Key, Opinion)>() + MOVES * size_of::<(u16, f32)>();
        self.remembered() * each
    }

    /// Forgets all that was thought.
    pub fn forget(&mut self) {
        self.young.clear();
        self.old.clear();
    }

    /// How many positions wait to be judged.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.asked.len()
    }

    /// Asks for a position in which the game goes on.
    pub fn ask<G: Acting>(&mut self, game: &G, position: &G::Position) -> Answer<'_> {
        self.requests += 1;
        let (look, turn) = self.turns.standard(&game.observe(position));
        let color = self.sees_color && look.to_move == Color::White;
        let key = (look.own, look.opponent, color);
        if let Entry::Vacant(vacant) = self.young.entry(key)
            && let Some(opinion) = self.old.remove(&key)
        {
            vacant.insert(opinion);
        }
        if let Some(opinion) = self.young.get(&key) {
            let value = opinion.value;
            likelihoods(
                game,
                position,
                &self.turns,
                turn,
                opinion,
                &mut self.dense,
                &mut self.priors,
            );
            return Answer::Known(value, &self.priors);
        }
        let place = *self.places.entry(key).or_insert_with(|| {
            let actions = game.moves(position).filter_map(|mv| game.action(mv));
            let actions = actions.map(|action| self.turns.action(turn, action) as u16);
            let mut actions: Box<[u16]> = actions.collect();
            // In an order that does not depend on who asked first: sums are rounded.
            actions.sort_unstable();
            self.asked.push(Asked {
                key,
                actions,
                opinion: None,
            });
            self.looks.push(look);
            self.asked.len() - 1
        });
        Answer::Later(Ticket { place, turn })
    }

    /// Judges the batch. Its tickets are good until [`Self::forget_batch`].
    pub fn judge(&mut self) {
        let (count, actions) = (self.looks.len(), self.dense.len());
        self.judged += count as u64;
        self.logits.resize(count * actions, 0.0);
        self.values.resize(count, 0.0);
        self.evaluator
            .evaluate(&self.looks, &mut self.logits, &mut self.values);
        for (place, asked) in self.asked.iter_mut().enumerate() {
            let logits = &self.logits[place * actions..][..actions];
            asked.opinion = Some(Opinion {
                value: self.values[place],
                policy: softmax(&asked.actions, logits),
            });
        }
    }

    /// The answer to a question of the batch, after it was judged.
    ///
    /// # Panics
    /// If it was not.
    pub fn answer<G: Acting>(
        &mut self,
        ticket: Ticket,
        game: &G,
        position: &G::Position,
    ) -> (f32, &[f32]) {
        let opinion = self.asked[ticket.place]
            .opinion
            .as_ref()
            .expect("the batch was judged");
        likelihoods(
            game,
            position,
            &self.turns,
            ticket.turn,
            opinion,
            &mut self.dense,
            &mut self.priors,
        );
        (opinion.value, &self.priors)
    }

    /// Begins a new batch; what was judged is remembered.
    pub fn forget_batch(&mut self) {
        self.places.clear();
        self.looks.clear();
        for asked in self.asked.drain(..) {
            let Some(opinion) = asked.opinion else {
                continue;
            };
            if self.young.len() >= self.capacity {
                self.old = std::mem::take(&mut self.young);
            }
            if self.capacity > 0 {
                self.young.insert(asked.key, opinion);
            }
        }
    }
}

/// The likelihoods of the legal moves, in their order, from those of the turned position.
fn likelihoods<G: Acting>(
    game: &G,
    position: &G::Position,
    turns: &Symmetries,
    turn: usize,
    opinion: &Opinion,
    dense: &mut [f32],
    priors: &mut Vec<f32>,
) {
    for &(action, likelihood) in &opinion.policy {
        dense[usize::from(action)] = likelihood;
    }
    // A pass is the only move where there is one.
    let likelihood = |mv| {
        game.action(mv)
            .map_or(1.0, |action| dense[turns.action(turn, action)])
    };
    priors.clear();
    priors.extend(game.moves(position).map(likelihood));
}

fn softmax(actions: &[u16], logits: &[f32]) -> Box<[(u16, f32)]> {
    let logit = |&action: &u16| logits[usize::from(action)];
    let most = actions.iter().map(logit).fold(f32::NEG_INFINITY, f32::max);
    let mut policy: Box<[(u16, f32)]> = actions
        .iter()
        .map(|action| (*action, (logit(action) - most).exp()))
        .collect();
    let sum: f32 = policy.iter().map(|(_, part)| part).sum();
    policy.iter_mut().for_each(|(_, part)| *part /= sum);
    policy
}
