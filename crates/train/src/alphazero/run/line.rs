//! What the log says about a step.

use std::time::SystemTime;

use jiff::Timestamp;

use super::AlphaZeroRun;
use super::step::Spent;
use crate::alphazero::log::{Cache, Evaluated, Kept, Line, Loss, Outcomes, Statistics};
use crate::alphazero::record::Played;
use crate::alphazero::summary::{by_stage, histogram};

impl AlphaZeroRun {
    /// The line of the step that was just done.
    pub(super) fn line(
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
