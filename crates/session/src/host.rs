//! What the sessions of a process share: one solver, the resources of agents, one ledger.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use upstar_agents::Resources;
use upstar_jobs::Ledger;
use upstar_solve::Solver;

use crate::event::Event;
use crate::session::Session;

/// The place of any number of sessions. Clones are the same place.
#[derive(Clone, Default)]
pub struct Host(Arc<Resources>);

impl Host {
    /// A host with these resources. The ledger of their solver limits all sessions together.
    #[must_use]
    pub fn new(resources: Resources) -> Self {
        Self(Arc::new(resources))
    }

    /// A new session, whose chance comes from this seed, and the events that it will send.
    #[must_use]
    pub fn session(&self, seed: u64) -> (Session, Receiver<Event>) {
        let (send, events) = mpsc::channel();
        // Where nobody listens any more nothing is told.
        let tell = move |event| drop(send.send(event));
        (self.session_told(seed, tell), events)
    }

    /// The same, but every event is told at once to this function, from any thread.
    #[must_use]
    pub fn session_told(&self, seed: u64, tell: impl Fn(Event) + Send + Sync + 'static) -> Session {
        Session::new(self.clone(), seed, Arc::new(tell))
    }

    /// What agents may use.
    #[must_use]
    pub fn resources(&self) -> &Resources {
        &self.0
    }

    /// The one solver.
    #[must_use]
    pub fn solver(&self) -> &Solver {
        &self.0.solver
    }

    /// The memory and threads that all sessions have together.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.solver().settings().ledger
    }
}
