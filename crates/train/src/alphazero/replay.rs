//! The replay buffer: positions of the last games, and batches drawn from it.

use std::collections::VecDeque;

use upstar_agents::puct::Symmetries;
use upstar_games::Random;
use upstar_nets::deep::Observation;

use super::field::{Field, TrainingGame};
use super::record::{Played, is_target};
use super::settings::Settings;

/// A position to learn.
#[derive(Clone, Debug, PartialEq)]
struct Sample {
    /// Which board.
    field: usize,
    look: Observation,
    /// The legal actions.
    actions: Box<[u16]>,
    /// How likely each should be; empty if that is not to be learned.
    policy: Box<[f32]>,
    /// The result for the side to move.
    value: f32,
}

/// The last positions, oldest first.
#[derive(Debug, Default)]
pub(super) struct Replay {
    samples: VecDeque<Sample>,
}

/// Positions of one board, as numbers to learn from.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) field: usize,
    pub(super) looks: Vec<Observation>,
    pub(super) policy: Vec<f32>,
    pub(super) legal: Vec<f32>,
    pub(super) value: Vec<f32>,
}

impl Replay {
    pub(super) fn len(&self) -> usize {
        self.samples.len()
    }

    /// Adds the positions of a game, and drops the oldest if there are too many. Says how many it has added; `None` if
    /// the game cannot have been played.
    pub(super) fn add<G: TrainingGame>(
        &mut self,
        played: &Played,
        fields: &[Field<G>],
        settings: &Settings,
    ) -> Option<usize> {
        let place = fields
            .iter()
            .position(|field| field.board == played.board)?;
        let field = &fields[place];
        let game = &field.game;
        let before = self.samples.len();
        for (position, ply) in played.lessons(field)?.iter().zip(&played.plies) {
            let result = game.to_move(position).sign() * played.black;
            let value = ply.exact.unwrap_or(result) as f32;
            self.add_position(game, place, position, &ply.policy, value);
            for inside in &ply.inside {
                let mut position = *position;
                for name in &inside.line {
                    position = game.play(&position, game.move_named(name)?).ok()?;
                }
                if !is_target(&inside.policy, inside.value) {
                    return None;
                }
                self.add_position(game, place, &position, &inside.policy, inside.value);
            }
        }
        let added = self.samples.len() - before;
        while self.samples.len() > settings.replay_buffer_size {
            self.samples.pop_front();
        }
        Some(added)
    }

    fn add_position<G: TrainingGame>(
        &mut self,
        game: &G,
        field: usize,
        position: &G::Position,
        policy: &[f32],
        value: f32,
    ) {
        let actions = game.moves(position).filter_map(|mv| game.action(mv));
        let actions: Box<[u16]> = actions.map(|action| action as u16).collect();
        // A pass is forced: there is nothing to learn about it.
        let policy = if actions.len() == policy.len() {
            policy.into()
        } else {
            Box::default()
        };
        if actions.is_empty() {
            return;
        }
        self.samples.push_back(Sample {
            field,
            look: game.observe(position),
            actions,
            policy,
            value,
        });
    }

    /// Draws a batch; all its positions are of one board, which is drawn as often as its positions are
    /// there.
    pub(super) fn draw(
        &self,
        settings: &Settings,
        turns: &[Symmetries],
        action_counts: &[usize],
        random: &mut Random,
        batch: &mut Batch,
    ) {
        let any =
            |random: &mut Random| &self.samples[random.below(self.samples.len() as u32) as usize];
        let field = any(random).field;
        let (actions, size) = (action_counts[field], settings.train_batch_size);
        batch.field = field;
        batch.looks.clear();
        batch.value.clear();
        batch.policy.clear();
        batch.legal.clear();
        batch.policy.resize(size * actions, 0.0);
        batch.legal.resize(size * actions, 0.0);
        for place in 0..size {
            let sample = loop {
                let sample = any(random);
                if sample.field == field {
                    break sample;
                }
            };
            let turns = &turns[field];
            let turn = match settings.symmetry {
                true => random.below(turns.count() as u32) as usize,
                false => 0,
            };
            batch.looks.push(turns.look(turn, &sample.look));
            batch.value.push(sample.value);
            let row = place * actions;
            for (index, &action) in sample.actions.iter().enumerate() {
                let action = turns.action(turn, action.into());
                batch.legal[row + action] = 1.0;
                if let Some(&likely) = sample.policy.get(index) {
                    batch.policy[row + action] = likely;
                }
            }
        }
    }
}
