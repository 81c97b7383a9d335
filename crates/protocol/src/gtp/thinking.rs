//! What the referee waits for: moves of the agent, and proved results.

use std::time::{Duration, Instant};

use upstar_agents::Fault;
use upstar_games::{Color, Random, excerpt};
use upstar_jobs::Budget;
use upstar_session::{Exact, Refusal};

use super::words::difference;
use super::{Answer, Gtp};

impl Gtp {
    pub(super) fn generate(&mut self, color: Color) -> Answer {
        if self.game().is_over() {
            if !self.has_passes() {
                return Ok("resign".to_owned());
            }
            self.history.push(0);
            return Ok("pass".to_owned());
        }
        let passes = self.turn_to(color)?;
        let begun = Instant::now();
        let mut budget = Budget::unlimited();
        let share = || self.clocks.share(color, self.game().plies_left());
        if let Some(time) = self.allotted.or_else(share) {
            budget = budget.with_time(time);
        }
        self.allotted = None;
        let chosen = self.session.choose(&self.spec, &budget, &mut self.random);
        self.clocks.spend(color, begun.elapsed());
        match chosen {
            Ok(choice) if self.make(&choice.mv) => {
                self.history.push(passes + 1);
                if self.ponders && !self.game().is_over() {
                    // The move is made, whatever comes of this.
                    let _ = self.session.ponder(&self.spec);
                }
                Ok(self.written(&choice.mv))
            }
            Ok(choice) => Err(Refusal(format!("{} is not legal", excerpt(&choice.mv)))),
            Err(fault) => {
                self.take_back(passes);
                resigned(&fault)
            }
        }
    }

    pub(super) fn suggest(&mut self, color: Color) -> Answer {
        if self.game().is_over() {
            let nothing = if self.has_passes() { "pass" } else { "resign" };
            return Ok(nothing.to_owned());
        }
        let passes = self.turn_to(color)?;
        let mut random = Random::new(self.seed);
        let chosen = self
            .session
            .choose(&self.spec, &Budget::unlimited(), &mut random);
        let answer = match chosen {
            Ok(choice) => Ok(self.written(&choice.mv)),
            Err(fault) => resigned(&fault),
        };
        self.take_back(passes);
        answer
    }

    pub(super) fn solve(&mut self, time: Duration) -> Answer {
        let exact = Exact {
            exact: Some(true),
            ..Exact::default()
        };
        let budget = Budget::unlimited().with_time(time);
        let solved = self.session.solve(&exact, &budget)?;
        let winner = match solved.winner.as_deref() {
            None => "unknown",
            Some("x") => "black",
            Some("o") => "white",
            Some(draw) => draw,
        };
        let mut text = format!("winner {winner}");
        if let Some(score) = solved.score {
            text += &format!(" score {}", difference(score));
        }
        if let Some(best) = &solved.r#move {
            text += &format!(" move {}", self.written(best));
        }
        text += &format!(" nodes {}", solved.nodes);
        Ok(text)
    }
}

/// An engine behind this one may give up; all else is a refusal.
fn resigned(fault: &Fault) -> Answer {
    match fault.is_resignation() {
        true => Ok("resign".to_owned()),
        false => Err(Refusal::new(fault)),
    }
}
