//! What another machine does: jobs, and nothing else.

use upstar_agents::{AgentSpec, AgentSpecError, Playable, Resources};
use upstar_arena::MatchGame;
use upstar_games::with_game;
use upstar_jobs::{Budget, Done, Job};
use upstar_nets::deep::DeepNetwork;
use upstar_runs::Kind;
use upstar_train::Learnable;
use upstar_train::alphazero::{AlphaZeroConfig, SelfPlay, SelfPlayContext};
use upstar_train::tune::{self, Base, Search, trained, trained_alphazero};

use crate::context::Context;
use crate::error::ClusterError;
use crate::fingerprint::fingerprint;
use crate::{AnyDone, AnyJob, line};

/// Does jobs of one run. It keeps nothing: a worker may end at any moment.
pub struct Worker {
    resources: Resources,
    craft: Craft,
}

enum Craft {
    SelfPlay(Box<SelfPlayContext>),
    Games,
    Trials(Box<Search>),
}

/// The configuration's name in messages.
const NAME: &str = "the run's configuration";

impl Worker {
    /// A worker for the jobs that go with this context.
    ///
    /// # Errors
    /// If the context is not whole, or this machine computes other numbers than the one that keeps the run.
    pub fn new(context: &Context, resources: Resources) -> Result<Self, ClusterError> {
        let head = &context.head;
        if head.fingerprint != fingerprint() {
            return Err(ClusterError::OtherNumbers {
                own: fingerprint().to_owned(),
                wanted: head.fingerprint.clone(),
            });
        }
        let craft = match head.kind {
            Kind::Alphazero => {
                let config = AlphaZeroConfig::parse(&head.config, NAME)?;
                let network = DeepNetwork::from_bytes(&context.network)
                    .map_err(|error| ClusterError::Context(error.to_string()))?;
                let play = SelfPlayContext::new(config, network, resources.clone());
                Craft::SelfPlay(Box::new(play))
            }
            Kind::Tournament => Craft::Games,
            Kind::Tune => Craft::Trials(Box::new(Search::parse(&head.config, NAME)?)),
            other => return Err(ClusterError::NotShared(other)),
        };
        Ok(Self { resources, craft })
    }

    /// Does a job and returns the line of its result; `None` if the budget ended it.
    ///
    /// # Errors
    /// If the line is not a job of this run, or the job fails.
    pub fn perform(&self, text: &str, budget: &Budget) -> Result<Option<String>, ClusterError> {
        let job = serde_json::from_str(text)
            .map_err(|error| ClusterError::Line("job", error.to_string()))?;
        let done = match (&self.craft, job) {
            (Craft::SelfPlay(context), AnyJob::SelfPlay(job)) => {
                let result = SelfPlay::run(&job, context, budget)?;
                result.map(|result| AnyDone::SelfPlay(Done { job, result }))
            }
            (Craft::Games, AnyJob::Game(job)) => {
                let result = MatchGame::run(&job, &self.resources, budget)?;
                result.map(|result| AnyDone::Game(Box::new(Done { job: *job, result })))
            }
            (Craft::Trials(search), AnyJob::Trial(job)) => {
                let result = self.trial(search, &job, budget)?;
                result.map(|result| AnyDone::Trial(Done { job, result }))
            }
            _ => return Err(ClusterError::OtherKind),
        };
        Ok(done.map(|done| line(&done)))
    }

    /// Trains from the beginning to the rung.
    fn trial(
        &self,
        search: &Search,
        trial: &tune::TrialJob,
        budget: &Budget,
    ) -> Result<Option<tune::Line>, ClusterError> {
        let unusable = |what: String| ClusterError::Context(what);
        let home = tempfile::tempdir().map_err(|error| unusable(error.to_string()))?;
        let folder = home.path().join("trial");
        let length = search.plan.rung(trial.job).length;
        let config = search.config(trial.job.trial, &trial.values);
        let resources = &self.resources;
        let score = match &search.base {
            Base::AlphaZero(_, examination) => {
                trained_alphazero(&folder, &config, length, examination, resources, budget)?
            }
            Base::Network(base, evaluation) => {
                let game = base.open().map_err(|error| unusable(error.to_string()))?;
                let games = (length, *evaluation);
                with_game!(
                    &game,
                    |rules, start| {
                        let mut agents = |word: &str| agent(rules, word, resources);
                        let (place, agents) = ((rules, start), &mut agents);
                        trained(&folder, &config, games, place, agents, resources, budget)?
                    },
                    return Err(unusable(format!(
                        "{} is not a game for two",
                        game.variant()
                    )))
                )
            }
        };
        Ok((!budget.is_over()).then(|| search.reached(trial, score)))
    }
}

fn agent<G: Playable + Learnable>(
    rules: &G,
    word: &str,
    resources: &Resources,
) -> Result<Box<dyn upstar_agents::Agent<G>>, String> {
    let told = |error: AgentSpecError| error.to_string();
    let spec: AgentSpec = word.parse().map_err(told)?;
    if matches!(spec, AgentSpec::Engine(..) | AgentSpec::Human) {
        return Err("jobs start no other programs and ask no people".to_owned());
    }
    spec.agent(rules, resources).map_err(told)
}
