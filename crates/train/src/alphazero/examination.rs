//! A test of its own that compares networks of different runs: the same positions, or games of the same
//! kind, with the same number of simulations for all of them.

use upstar_jobs::{Budget, Unwatched};

use super::evaluation::Trial;
use super::field::{Field, fields, with_field_type};
use super::run::AlphaZeroRun;
use crate::folder::RunError;

/// How networks are examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Examination {
    /// What is measured.
    pub measure: Measure,
    /// The simulations of a move.
    pub simulations: u32,
    /// What positions and opponents depend on.
    pub seed: u64,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The share of decisions in so many positions of random games that keep the result of best play.
    Kept {
        /// The positions; in some there is nothing to decide.
        positions: usize,
    },
    /// The share of points in games against MCTS with proved results, a draw being half a point.
    Mcts {
        /// The games, half of them with each colour.
        games: u64,
        /// The level: so many simulations times 10^(n/2).
        level: usize,
    },
}

impl AlphaZeroRun {
    /// Examines the network of the last step, on one thread: a number from 0 to 1. `None` if it was stopped,
    /// or if there was nothing to decide in any position.
    ///
    /// # Errors
    /// If the folder is damaged, or there is no room for a solver.
    pub fn examine(
        &mut self,
        examination: &Examination,
        budget: &Budget,
    ) -> Result<Option<f64>, RunError> {
        let network = self.network()?;
        let mut settings = self.settings().clone();
        settings.max_simulations = examination.simulations;
        settings.actors = 1;
        let (variant, grids, inverted) = self.boards();
        with_field_type!(variant, grids, |G| {
            let fields: Vec<Field<G>> = fields(variant, &grids, inverted)?;
            let trial = Trial {
                fields: &fields,
                settings: &settings,
                network: &network,
                resources: self.resources(),
                seed: examination.seed,
                step: 0,
                budget,
                watch: &Unwatched,
            };
            let share = match examination.measure {
                Measure::Kept { positions } => {
                    let [_, kept] = trial.kept_in_all(&trial.random_positions(positions))?;
                    (kept.decisions > 0).then(|| kept.kept as f64 / kept.decisions as f64)
                }
                Measure::Mcts { games, level } => {
                    let mut points = 0.0;
                    for game in 0..games {
                        let Some(played) = trial.against_level(level, game)? else {
                            return Ok(None);
                        };
                        points += f64::from(played.result + 1) / 2.0;
                    }
                    Some(points / games as f64)
                }
            };
            Ok(share.filter(|_| !budget.is_over()))
        })
    }
}
