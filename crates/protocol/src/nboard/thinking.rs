//! What the engine thinks about while NBoard waits: exact near the end, by tree search before.

use std::time::Duration;

use upstar_agents::{AgentSpec, AnyAgent, Evaluation};
use upstar_analysis::{Analyser, Analysis, GradedMove};
use upstar_games::{AnyGame, Cells, Color, Random};
use upstar_jobs::{Budget, Unwatched};
use upstar_session::{GameTree, Host, Refusal};
use upstar_solve::{Outcome, Query};

use super::game;

/// How often a search tells what it knows.
const EVERY: Duration = Duration::from_secs(1);
/// The discs that stand for a won game where there is only a mean result. Proved scores may be higher.
const DISCS: f64 = 32.0;
/// The discs that stand for a result of which only the winner is proved.
const SOME: f64 = 1.0;

/// What thinks about positions.
pub(super) struct Thinker {
    host: Host,
    random: Random,
    /// The agent that was asked for; without one, depth decides.
    agent: Option<AnyAgent>,
    spec: Option<AgentSpec>,
}

/// What is thought of a move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Thought {
    pub(super) mv: String,
    /// In discs, for the side that moves.
    pub(super) eval: Option<f64>,
    /// How the game goes on, this move first.
    pub(super) line: Vec<String>,
    /// `100%` for a proved score, `100%W` for a proved winner, or the depth that was asked for.
    pub(super) depth: String,
    /// The simulations or positions that went into this move.
    pub(super) effort: u64,
    /// The same for all moves together.
    pub(super) nodes: u64,
}

/// The midgame search looks at so many positions where a tree search makes one simulation.
const PLIES_EACH: u64 = 10;

/// The simulations for a depth: about a tenth of a second for 20.
fn simulations(depth: u32) -> u64 {
    200 * u64::from(depth.max(1)).pow(2)
}

/// The empty cells from which on positions are solved.
fn exact_from(depth: u32) -> u32 {
    (10 + depth / 2).min(24)
}

impl Thinker {
    pub(super) fn new(host: Host, spec: Option<&AgentSpec>, seed: u64) -> Result<Self, Refusal> {
        let agent = spec.map(|spec| AnyAgent::new(spec, &game::start(), host.resources()));
        let agent = agent.transpose().map_err(Refusal::new)?;
        Ok(Self {
            host,
            random: Random::new(seed),
            agent,
            spec: spec.cloned(),
        })
    }

    /// The move to play. The game must not be over.
    pub(super) fn choose(
        &mut self,
        tree: &GameTree,
        depth: u32,
        budget: &Budget,
    ) -> Result<Thought, Refusal> {
        let game = tree.game();
        if let [only] = &game.legal()[..] {
            return Ok(Thought {
                mv: only.clone(),
                eval: None,
                line: vec![only.clone()],
                depth: depth.to_string(),
                effort: 0,
                nodes: 0,
            });
        }
        if let Some(agent) = &mut self.agent {
            let choice = agent.choose(tree.start(), &tree.moves(), budget, &mut self.random);
            let choice = choice.map_err(Refusal::new)?;
            return Ok(Thought {
                eval: choice.evaluation.map(discs),
                line: vec![choice.mv.clone()],
                mv: choice.mv,
                depth: depth.to_string(),
                effort: choice.effort,
                nodes: choice.effort,
            });
        }
        let mut best = self.hint(game, 1, depth, budget, &mut |_| {})?;
        if best.is_empty() {
            // Interrupted before anything was proved; some move is wanted all the same.
            best = self.estimates(game, 1, depth, budget, &mut |_| {})?;
        }
        best.into_iter()
            .next()
            .ok_or_else(|| Refusal::new("there is no move"))
    }

    /// The agent thinks on where the other side is to move.
    pub(super) fn ponder(&mut self, tree: &GameTree, budget: &Budget) -> Result<(), Refusal> {
        match &mut self.agent {
            Some(agent) => {
                let pondered = agent.ponder(tree.start(), &tree.moves(), budget);
                pondered.map_err(Refusal::new)
            }
            None => Ok(()),
        }
    }

    /// The best moves, best first, none if there was no time; tells now and then what they seem to be.
    /// The game must not be over.
    pub(super) fn hint(
        &mut self,
        game: &AnyGame,
        most: usize,
        depth: u32,
        budget: &Budget,
        tell: &mut dyn FnMut(&[Thought]),
    ) -> Result<Vec<Thought>, Refusal> {
        let empty = 64 - game.setup().occupied().len();
        if empty <= exact_from(depth) {
            let exact = self.exact(game, most, budget)?;
            if !exact.is_empty() || budget.is_over() {
                return Ok(exact);
            }
        }
        self.estimates(game, most, depth, budget, tell)
    }

    /// The value of a position in discs for the side to move.
    pub(super) fn value(
        &mut self,
        game: &AnyGame,
        depth: u32,
        budget: &Budget,
    ) -> Result<Option<f64>, Refusal> {
        if let Some(score) = ended(game) {
            return Ok(Some(score));
        }
        let best = self.hint(game, 1, depth, budget, &mut |_| {})?;
        Ok(best.first().and_then(|best| best.eval))
    }

    /// Proved scores of the best moves; as many as the budget allows.
    fn exact(&self, game: &AnyGame, most: usize, budget: &Budget) -> Result<Vec<Thought>, Refusal> {
        if most <= 1 {
            return Ok(self.solve(game, budget)?.into_iter().collect());
        }
        let mut thoughts = Vec::new();
        for mv in game.legal() {
            let next = game.play(&mv).map_err(Refusal::new)?;
            let after = match ended(&next) {
                Some(score) => Some(Thought {
                    mv: mv.clone(),
                    eval: Some(score),
                    line: Vec::new(),
                    depth: "100%".to_owned(),
                    effort: 0,
                    nodes: 0,
                }),
                None => self.solve(&next, budget)?,
            };
            thoughts.extend(after.map(|after| Thought {
                eval: after.eval.map(|eval| -eval),
                line: [std::slice::from_ref(&mv), &after.line[..]].concat(),
                mv,
                ..after
            }));
        }
        thoughts.sort_by(|a, b| b.eval.partial_cmp(&a.eval).expect("scores are numbers"));
        thoughts.truncate(most);
        Ok(thoughts)
    }

    /// The proved score of a position and the best move; `None` if the budget is spent first.
    fn solve(&self, game: &AnyGame, budget: &Budget) -> Result<Option<Thought>, Refusal> {
        let query = Query {
            memory: Some(self.host.resources().memory),
            ..Query::score()
        };
        let answer = self.host.solver().solve(game, &query, budget, &Unwatched);
        let answer = answer.map_err(Refusal::new)?;
        let score = answer.score.map(|score| answer.to_move.sign() * score);
        Ok(score.zip(answer.best).map(|(score, mv)| Thought {
            mv,
            eval: Some(f64::from(score)),
            line: answer.line,
            depth: "100%".to_owned(),
            effort: answer.nodes,
            nodes: answer.nodes,
        }))
    }

    fn estimates(
        &mut self,
        game: &AnyGame,
        most: usize,
        depth: u32,
        budget: &Budget,
        tell: &mut dyn FnMut(&[Thought]),
    ) -> Result<Vec<Thought>, Refusal> {
        // Only a search can be watched; other agents say nothing about moves that they do not choose.
        let agent = self.spec.clone();
        let agent =
            agent.filter(|spec| matches!(spec, AgentSpec::Mcts(_) | AgentSpec::AlphaZero(_)));
        let positions = match agent {
            Some(_) => simulations(depth),
            None => PLIES_EACH * simulations(depth),
        };
        let analyser = Analyser {
            resources: self.host.resources().clone(),
            agent,
            simulations: Some(positions),
            plies: depth.max(2),
            prove: false,
            multi: most,
            every: EVERY,
            seed: self.random.bits(),
            ..Analyser::default()
        };
        let mut told = |analysis: &Analysis| {
            // A first glance is not worth a line.
            if analysis.time >= EVERY {
                tell(&estimated(analysis, depth, most));
            }
        };
        let analysis = analyser.run(game, budget, &mut told);
        let analysis = analysis.map_err(Refusal::new)?;
        Ok(estimated(&analysis, depth, most))
    }
}

/// The result of a finished game in discs, for the side to move.
fn ended(game: &AnyGame) -> Option<f64> {
    let sign = match game.side_to_move() == Color::Black {
        true => Color::Black.sign(),
        false => Color::White.sign(),
    };
    Some(f64::from(sign * game.result()?.score()?))
}

/// What a search knows of the best moves, best first.
fn estimated(analysis: &Analysis, depth: u32, most: usize) -> Vec<Thought> {
    let thought = |graded: &GradedMove| {
        let (known, guess) = (&graded.known, graded.known.estimate.as_ref());
        let mean = known.win().map_or(0.0, |win| 2.0 * win - 1.0);
        let eval = known.discs().unwrap_or_else(|| {
            let proved = known.outcome.map(Evaluation::Proved);
            discs(proved.unwrap_or(Evaluation::Expected(mean)))
        });
        Thought {
            mv: graded.mv.clone(),
            eval: Some(eval),
            line: graded.line.clone(),
            depth: match (known.outcome, guess) {
                (Some(_), _) => "100%W".to_owned(),
                // The midgame search counts its plies, other searches their simulations.
                (None, Some(guess)) if guess.discs.is_some() => guess.work.to_string(),
                _ => depth.to_string(),
            },
            effort: guess.map_or(0, |guess| guess.work),
            nodes: analysis.work,
        }
    };
    analysis.moves.iter().map(thought).take(most).collect()
}

/// An evaluation in discs.
fn discs(evaluation: Evaluation) -> f64 {
    match evaluation {
        Evaluation::Proved(Outcome::Win) => SOME,
        Evaluation::Proved(Outcome::Draw) => 0.0,
        Evaluation::Proved(Outcome::Loss) => -SOME,
        Evaluation::Expected(mean) => DISCS * mean,
    }
}

impl Thought {
    /// The line in one word, `F5D6C3`.
    pub(super) fn pv(&self) -> String {
        self.line.iter().map(|mv| game::name(mv)).collect()
    }
}
