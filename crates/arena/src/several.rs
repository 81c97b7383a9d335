//! Games of one agent or of several: solitaire, and Clobber with three to six colours.
//!
//! There is no Elo of more than two players here; what counts is how often each agent made the last move, or how
//! many stones a solitaire player left.

use std::ops::ControlFlow;
use std::time::Instant;

use serde::Serialize;
use upstar_agents::{AgentSpec, AgentSpecError, AnyAgent, Fault, Resources};
use upstar_games::{AnyGame, GameResult, Random, Variant};
use upstar_jobs::{Budget, Pool, ThreadError};

use crate::interval::wilson;

/// Many games of the same agents.
pub struct SeveralMatch<'a> {
    /// Where each game begins.
    pub start: &'a AnyGame,
    /// An agent for each colour, in the order in which they move; one for solitaire.
    pub agents: &'a [AgentSpec],
    /// How many games.
    pub games: u64,
    /// Whether agents move on by one seat after each game.
    pub swap: bool,
    /// How many plies are random at the beginning of each game.
    pub random_plies: u32,
    /// The seed of all randomness.
    pub seed: u64,
    /// How many games at the same time; results do not depend on it.
    pub threads: usize,
    /// What the agents share.
    pub resources: &'a Resources,
}

/// What came of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeveralResult {
    /// The games that were played.
    pub games: u64,
    /// The agents, in the order in which they were named.
    pub agents: Vec<AgentResult>,
    /// Games in which nobody could move.
    pub unwon: u64,
    /// Solitaire: what was left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stones_left: Option<StonesLeft>,
    /// Whether all games were played.
    pub complete: bool,
    /// How long it took.
    pub seconds: f64,
}

/// What one agent has won.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentResult {
    /// Its specification.
    pub agent: String,
    /// Games won.
    pub wins: u64,
    /// Their share.
    pub share: f64,
    /// The share's 95 % interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// Games won with each colour.
    pub by_seat: Vec<u64>,
}

/// Stones that solitaire players left.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StonesLeft {
    /// On average.
    pub mean: f64,
    /// In the best game.
    pub fewest: u32,
    /// In the worst game.
    pub most: u32,
}

/// Why a match of several cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeveralError {
    /// There is an agent too many, or one is missing.
    #[error("{variant} has {seats}, and {agents} named")]
    Seats {
        /// The game.
        variant: Variant,
        /// How many agents it takes, in words.
        seats: String,
        /// How many were named, in words.
        agents: String,
    },
    /// An agent cannot be made.
    #[error(transparent)]
    Agent(#[from] AgentSpecError),
    /// An agent could not go on.
    #[error("game {game}: {fault}")]
    Fault {
        /// Which game.
        game: u64,
        /// Why.
        fault: Fault,
    },
    /// A thread cannot be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
}

/// The 97.5 % point of the normal distribution.
const SIGMAS: f64 = 1.96;

impl SeveralMatch<'_> {
    /// How many agents the game takes.
    fn seats(&self) -> usize {
        match self.start.variant() {
            Variant::Solitaire => 1,
            variant => variant.sides(),
        }
    }

    /// Plays the games; `told` hears of each that is done.
    ///
    /// # Errors
    /// If there are not as many agents as colours, one of them does not play this game, or cannot go on.
    pub fn play(
        &self,
        budget: &Budget,
        told: &mut dyn FnMut(),
    ) -> Result<SeveralResult, SeveralError> {
        let (seats, begun) = (self.seats(), Instant::now());
        if self.agents.len() != seats {
            let counted = |count: usize, one: &str, many: &str| match count {
                1 => format!("1 {one}"),
                count => format!("{count} {many}"),
            };
            return Err(SeveralError::Seats {
                variant: self.start.variant(),
                seats: counted(seats, "player", "players"),
                agents: counted(self.agents.len(), "agent is", "agents are"),
            });
        }
        // What cannot be made is said before the first game.
        self.team()?;
        let pool = Pool {
            threads: self.threads,
            jobs: self.games,
            budget,
        };
        let mut wins = vec![vec![0; seats]; seats];
        let (mut games, mut unwon, mut left) = (0, 0, Vec::new());
        let complete = pool.work(
            || self.team(),
            |team, index, budget| match team {
                Ok(team) => self.game(team, index, budget),
                Err(error) => Err(error.clone().into()),
            },
            |_, _: &GameResult| Ok(()),
            |index, result| {
                told();
                games += 1;
                match result {
                    GameResult::StonesLeft(stones) => left.push(stones),
                    result => match result.winner() {
                        Some(side) => {
                            let seat = side.index();
                            wins[self.agent_at(seat, index)][seat] += 1;
                        }
                        None => unwon += 1,
                    },
                }
                ControlFlow::Continue(())
            },
        )?;
        let agents = self.agents.iter().zip(wins).map(|(spec, by_seat)| {
            let wins: u64 = by_seat.iter().sum();
            let [low, high] = wilson(wins as f64, games as f64, SIGMAS);
            AgentResult {
                agent: spec.to_string(),
                wins,
                share: wins as f64 / games.max(1) as f64,
                low,
                high,
                by_seat,
            }
        });
        Ok(SeveralResult {
            games,
            agents: agents.collect(),
            unwon,
            stones_left: stones_left(&left),
            complete,
            seconds: begun.elapsed().as_secs_f64(),
        })
    }

    fn team(&self) -> Result<Vec<AnyAgent>, AgentSpecError> {
        let agents = self.agents.iter();
        agents
            .map(|spec| AnyAgent::new(spec, self.start, self.resources))
            .collect()
    }

    /// Which agent has this seat in a game.
    fn agent_at(&self, seat: usize, game: u64) -> usize {
        match self.swap {
            true => (seat + (game % self.agents.len() as u64) as usize) % self.agents.len(),
            false => seat,
        }
    }

    /// Plays one game; `None` if somebody says stop.
    fn game(
        &self,
        team: &mut [AnyAgent],
        index: u64,
        budget: &Budget,
    ) -> Result<Option<GameResult>, SeveralError> {
        let fault = |fault: Fault| SeveralError::Fault { game: index, fault };
        let mut random = Random::for_game(self.seed, index);
        let mut generators: Vec<Random> = team.iter().map(|_| Random::new(random.bits())).collect();
        for agent in team.iter_mut() {
            agent.begin_game().map_err(fault)?;
        }
        let (mut now, mut moves) = (self.start.clone(), Vec::new());
        while !now.is_over() {
            if budget.is_stopped() {
                return Ok(None);
            }
            let mv = if moves.len() < self.random_plies as usize {
                let legal = now.legal();
                legal[random.below(legal.len() as u32) as usize].clone()
            } else {
                let seat = now.side_to_move().index() % self.agents.len();
                let agent = self.agent_at(seat, index);
                let choice = team[agent].choose(self.start, &moves, budget, &mut generators[agent]);
                choice.map_err(fault)?.mv
            };
            now = now
                .play(&mv)
                .map_err(|error| fault(Fault(error.to_string())))?;
            moves.push(mv);
        }
        Ok(now.result())
    }
}

fn stones_left(left: &[u32]) -> Option<StonesLeft> {
    let (&fewest, &most) = (left.iter().min()?, left.iter().max()?);
    let sum: f64 = left.iter().copied().map(f64::from).sum();
    Some(StonesLeft {
        mean: sum / left.len() as f64,
        fewest,
        most,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(game: &str, size: &str, agents: &[&str], threads: usize) -> SeveralResult {
        let start = AnyGame::parse(game, size).unwrap();
        let agents: Vec<AgentSpec> = agents.iter().map(|spec| spec.parse().unwrap()).collect();
        let several = SeveralMatch {
            start: &start,
            agents: &agents,
            games: 60,
            swap: true,
            random_plies: 1,
            seed: 3,
            threads,
            resources: &Resources::default(),
        };
        let mut told = 0;
        let result = several.play(&Budget::unlimited(), &mut || told += 1);
        assert_eq!(told, 60);
        result.unwrap()
    }

    #[test]
    fn thinking_wins_among_three_whatever_the_threads() {
        let agents = ["random", "mcts:200", "random"];
        let one = played("clobber:colors=3", "4x4", &agents, 1);
        let mut two = played("clobber:colors=3", "4x4", &agents, 2);
        two.seconds = one.seconds;
        assert_eq!(one, two);
        let wins: Vec<u64> = one.agents.iter().map(|agent| agent.wins).collect();
        assert!(wins[1] > wins[0] + wins[2], "{wins:?}");
        assert_eq!(wins.iter().sum::<u64>() + one.unwon, 60);
        assert!(one.agents[1].by_seat.iter().all(|&wins| wins > 0));
    }

    #[test]
    fn solitaire_players_leave_stones() {
        let thinking = played("clobber:solitaire", "4x4", &["mcts:200"], 2);
        let random = played("clobber:solitaire", "4x4", &["random"], 2);
        let mean = |result: &SeveralResult| result.stones_left.clone().unwrap().mean;
        assert!(mean(&thinking) < mean(&random));
    }

    #[test]
    fn every_colour_needs_an_agent() {
        let start = AnyGame::parse("clobber:colors=3", "3x3").unwrap();
        let agents = ["random".parse().unwrap()];
        let several = SeveralMatch {
            start: &start,
            agents: &agents,
            games: 1,
            swap: false,
            random_plies: 0,
            seed: 1,
            threads: 1,
            resources: &Resources::default(),
        };
        let refused = several.play(&Budget::unlimited(), &mut || {}).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "clobber:colors=3 has 3 players, and 1 agent is named"
        );
    }
}
