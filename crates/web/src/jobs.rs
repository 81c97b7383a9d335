//! What takes time is a job: a few run, others wait, tabs take turns, and quick ones go first.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};
use upstar_session::{Body, Command, Event, Host, Job, Request};

use crate::agents;
use crate::answers::HiddenPaths;
use crate::board::{Board, BoardText};
use crate::error::Refused;
use crate::runs::RunIndex;
use crate::tabs::Tab;

/// The most jobs that run, of all tabs and of one.
const MOST_RUNNING: usize = 8;
const MOST_OF_TAB: usize = 2;
/// The most jobs of a tab that wait.
const MOST_WAITING: usize = 8;
/// The longest id of a job.
const LONGEST_ID: usize = 64;

/// The most time of a job, by how it is limited.
#[derive(Clone, Copy)]
pub(crate) struct Caps {
    /// Of a proof, an analysis or a value.
    pub(crate) thinking: Duration,
    /// Of a review, for each position and in all.
    pub(crate) position: Duration,
    pub(crate) review: Duration,
    /// Of a move of an agent.
    pub(crate) choice: Duration,
}

impl Caps {
    pub(crate) const OWN: Self = Self {
        thinking: Duration::from_secs(600),
        position: Duration::from_secs(10),
        review: Duration::from_secs(600),
        choice: Duration::from_secs(60),
    };
    pub(crate) const PUBLIC: Self = Self {
        thinking: Duration::from_secs(10),
        position: Duration::from_millis(500),
        review: Duration::from_secs(30),
        choice: Duration::from_secs(2),
    };
}

/// All jobs of all tabs.
pub(crate) struct Jobs {
    host: Host,
    caps: Caps,
    /// `None` if paths may be told.
    hidden: Option<Arc<HiddenPaths>>,
    desk: Mutex<Desk>,
}

#[derive(Default)]
struct Desk {
    waiting: Vec<Waiting>,
    running: Vec<Running>,
    /// Counts the jobs that were begun.
    begun: u64,
    /// When each tab that has jobs began its last one.
    turns: Vec<(Arc<Tab>, u64)>,
}

struct Waiting {
    tab: Arc<Tab>,
    id: String,
    job: Job,
    board: Board,
}

struct Running {
    tab: Arc<Tab>,
    id: String,
    /// It ends soon, and keeps no other job of its tab from beginning.
    cancelled: bool,
}

/// Whether two are the same tab. Names do not tell: that of a tab that was given up may be taken again.
fn is_same(one: &Tab, other: &Tab) -> bool {
    std::ptr::eq(one, other)
}

/// How busy the server is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Load {
    pub(crate) jobs: usize,
    pub(crate) waiting: usize,
}

/// A job as a request names it.
#[derive(serde::Deserialize)]
pub(crate) struct JobRequest {
    pub(crate) tab: String,
    id: String,
    command: String,
    #[serde(flatten)]
    board: BoardText,
    #[serde(flatten)]
    arguments: Map<String, Value>,
    /// The agent of a run's network, which a request may name but not describe.
    #[serde(skip)]
    network: Option<String>,
}

impl JobRequest {
    /// Finds the network of a run where the agent is `run:RUN:NETWORK`. A file itself never comes from a request.
    pub(crate) fn resolve(&mut self, runs: &RunIndex) -> Result<(), Refused> {
        let agent = self.arguments.get("agent").and_then(Value::as_str);
        let Some(name) = agent.and_then(|agent| agent.strip_prefix("run:")) else {
            return Ok(());
        };
        let found = runs.agent(name);
        self.network = Some(found.ok_or_else(|| Refused::missing("there is no such network"))?);
        self.arguments.remove("agent");
        Ok(())
    }

    /// The job, if requests may ask for it.
    fn read(mut self, caps: Caps) -> Result<(String, Job, Board), Refused> {
        if self.id.is_empty() || self.id.len() > LONGEST_ID {
            let sentence = format!("the id of a job has 1 to {LONGEST_ID} characters");
            return Err(Refused::input(sentence));
        }
        for key in ["tab", "game", "position", "to_move", "moves"] {
            self.arguments.remove(key);
        }
        if let Some(Value::String(agent)) = self.arguments.get("agent") {
            // Before anything is made of it.
            agents::allowed(agent)?;
        }
        if let Some(agent) = self.network {
            self.arguments.insert("agent".into(), agent.into());
        }
        self.arguments.insert("command".into(), self.command.into());
        let text = Value::Object(self.arguments).to_string();
        let request = Request::read(&text).map_err(|refused| Refused::input(refused.why))?;
        let Command::Job(job) = request.command else {
            let sentence = "jobs are solve, moves, value, analyse, review, network and choose";
            return Err(Refused::input(sentence));
        };
        let board = self.board.open()?;
        Ok((self.id, capped(job, caps, board.moves.len()), board))
    }
}

/// The longest name of a value that a page is told.
const LONGEST_NAME: usize = 10_000;

/// The job with the time that it may take, on a board after so many moves.
fn capped(mut job: Job, caps: Caps, moves: usize) -> Job {
    let limit = |time: &mut Option<Duration>, most: Duration| {
        *time = Some(time.unwrap_or(most).min(most));
    };
    match &mut job {
        Job::Solve(exact) | Job::Moves(exact) => limit(&mut exact.time_limit, caps.thinking),
        Job::Value(value) => {
            limit(&mut value.time_limit, caps.thinking);
            let name_length = value.name_length.unwrap_or(LONGEST_NAME);
            value.name_length = Some(name_length.min(LONGEST_NAME));
        }
        Job::Analyse(analyse) => limit(&mut analyse.time, caps.thinking),
        Job::Review(review) => {
            let share = caps.review / (moves as u32 + 1);
            limit(&mut review.time, caps.position.min(share));
        }
        Job::Network(_) => {}
        Job::Choose(choose) => limit(&mut choose.time, caps.choice),
    }
    job
}

fn is_quick(job: &Job) -> bool {
    matches!(job, Job::Choose(_) | Job::Value(_) | Job::Network(_))
}

impl Jobs {
    pub(crate) fn new(host: Host, caps: Caps, hidden: Option<Arc<HiddenPaths>>) -> Self {
        Self {
            host,
            caps,
            hidden,
            desk: Mutex::default(),
        }
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn load(&self) -> Load {
        let desk = self.desk();
        Load {
            jobs: desk.running.len(),
            waiting: desk.waiting.len(),
        }
    }

    /// Takes a job on: it runs now or later, and tells its tab.
    pub(crate) fn take(
        self: &Arc<Self>,
        tab: &Arc<Tab>,
        request: JobRequest,
    ) -> Result<(), Refused> {
        let (id, job, board) = request.read(self.caps)?;
        let mut desk = self.desk();
        let waiting = desk.waiting.iter().filter(|it| is_same(&it.tab, tab));
        let running = desk.running.iter().filter(|it| is_same(&it.tab, tab));
        let mut ids = waiting
            .clone()
            .map(|it| &it.id)
            .chain(running.map(|it| &it.id));
        if ids.any(|other| *other == id) {
            return Err(Refused::input("a job with this id is under way"));
        }
        if waiting.count() >= MOST_WAITING {
            let sentence = format!("{MOST_WAITING} jobs of this tab are waiting");
            return Err(Refused::crowded(sentence));
        }
        tab.tell_job(&id, &json!({ "id": id, "state": "waiting" }), true);
        desk.waiting.push(Waiting {
            tab: Arc::clone(tab),
            id,
            job,
            board,
        });
        drop(desk);
        self.pump();
        Ok(())
    }

    /// Ends a job; what it knows is still told.
    pub(crate) fn cancel(self: &Arc<Self>, tab: &Tab, id: &str) {
        let mut desk = self.desk();
        let is_meant = |job: &Waiting| is_same(&job.tab, tab) && job.id == id;
        if let Some(place) = desk.waiting.iter().position(is_meant) {
            desk.waiting.remove(place);
            drop(desk);
            tab.tell_job(id, &json!({ "id": id, "cancelled": true }), false);
            return;
        }
        for job in &mut desk.running {
            job.cancelled |= is_same(&job.tab, tab) && job.id == id;
        }
        drop(desk);
        cancel(tab, Some(id));
        self.pump();
    }

    /// Tells all jobs of a tab to end.
    pub(crate) fn cancel_all(&self, tab: &Tab) {
        let mut desk = self.desk();
        desk.waiting.retain(|job| !is_same(&job.tab, tab));
        for job in &mut desk.running {
            job.cancelled |= is_same(&job.tab, tab);
        }
        drop(desk);
        cancel(tab, None);
    }

    /// Ends all jobs of a tab that is gone, and its session. May take a while.
    pub(crate) fn give_up(&self, tab: &Tab) {
        self.desk().waiting.retain(|job| !is_same(&job.tab, tab));
        // Threads of the session may tell something until they have ended.
        let session = tab
            .session
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        drop(session);
        let mut desk = self.desk();
        desk.running.retain(|job| !is_same(&job.tab, tab));
        desk.turns.retain(|(other, _)| !is_same(other, tab));
    }

    /// Begins whatever may run now.
    fn pump(self: &Arc<Self>) {
        loop {
            // In a `while let` the desk would stay locked while the job begins.
            let Some(next) = self.desk().next() else {
                break;
            };
            let (tab, id) = (Arc::clone(&next.tab), next.id.clone());
            tab.tell_job(&id, &json!({ "id": id, "state": "running" }), true);
            if let Err(error) = self.begin(next) {
                self.tell_error(&tab, &id, &error);
                self.desk().ended(&tab, &id);
            }
        }
    }

    fn begin(self: &Arc<Self>, waiting: Waiting) -> Result<(), String> {
        let mut session = waiting
            .tab
            .session
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let session = session.get_or_insert_with(|| {
            let (jobs, tab) = (Arc::downgrade(self), Arc::downgrade(&waiting.tab));
            let tell = move |event: Event| {
                if let (Some(jobs), Some(tab)) = (jobs.upgrade(), tab.upgrade()) {
                    jobs.told(&tab, &event);
                }
            };
            self.host.session_told(seed(&waiting.tab.name), tell)
        });
        let followed = session.follow(waiting.board.start(), &waiting.board.moves);
        followed.map_err(|refusal| refusal.to_string())?;
        let _ = session.request(&Request {
            id: Value::String(waiting.id),
            command: Command::Job(waiting.job),
        });
        Ok(())
    }

    fn tell_error(&self, tab: &Tab, id: &str, error: &str) {
        let error = match &self.hidden {
            Some(paths) => paths.names_only(error),
            None => error.to_owned(),
        };
        tab.tell_job(id, &json!({ "id": id, "error": error }), false);
    }

    /// A session has told something about a job.
    fn told(self: &Arc<Self>, tab: &Arc<Tab>, event: &Event) {
        if matches!(event.body, Body::Stopped(_)) {
            return;
        }
        let Some(id) = event.id.as_str() else { return };
        match &event.body {
            Body::Error(wrong) => {
                self.tell_error(tab, id, &wrong.error);
            }
            _ => tab.tell_job(id, event, !event.is_last()),
        }
        if event.is_last() {
            self.desk().ended(tab, id);
            // Not here: the session may be the one that is asked.
            let jobs = Arc::clone(self);
            std::thread::spawn(move || jobs.pump());
        }
    }
}

fn cancel(tab: &Tab, id: Option<&str>) {
    let mut session = tab.session.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(session) = session.as_mut() {
        let _ = session.request(&Request {
            id: Value::Null,
            command: Command::Cancel(id.map(|id| Value::String(id.to_owned()))),
        });
    }
}

/// Chance that differs from tab to tab and repeats in one.
fn seed(name: &str) -> u64 {
    u64::from_str_radix(&name[..16], 16).unwrap_or(1)
}

impl Desk {
    /// The job to begin now: quick ones first, then the tab that has waited longest for its turn.
    fn next(&mut self) -> Option<Waiting> {
        if self.running.len() >= MOST_RUNNING {
            return None;
        }
        let of_tab = |tab: &Tab, cancelled: bool| {
            let jobs = self.running.iter().filter(|it| it.cancelled == cancelled);
            jobs.filter(|it| is_same(&it.tab, tab)).count()
        };
        // Jobs that are being cancelled end soon; a tab may have as many of them as of others.
        let running = |tab: &Tab| of_tab(tab, false);
        let may_begin = |tab: &Tab| running(tab) < MOST_OF_TAB && of_tab(tab, true) < MOST_OF_TAB;
        let turn = |tab: &Tab| {
            let turn = self.turns.iter().find(|(other, _)| is_same(other, tab));
            turn.map_or(0, |&(_, turn)| turn)
        };
        let places = self.waiting.iter().enumerate();
        let free = places.filter(|(_, job)| may_begin(&job.tab));
        let (place, _) = free.min_by_key(|(place, job)| {
            let tab = &job.tab;
            (!is_quick(&job.job), running(tab), turn(tab), *place)
        })?;
        let job = self.waiting.remove(place);
        self.begun += 1;
        self.turns.retain(|(other, _)| !is_same(other, &job.tab));
        self.turns.push((Arc::clone(&job.tab), self.begun));
        self.running.push(Running {
            tab: Arc::clone(&job.tab),
            id: job.id.clone(),
            cancelled: false,
        });
        Some(job)
    }

    fn ended(&mut self, tab: &Tab, id: &str) {
        self.running
            .retain(|job| !is_same(&job.tab, tab) || job.id != id);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use upstar_agents::Resources;

    use super::*;
    use crate::tabs::Tabs;

    /// A tab that is given up late must not take the jobs of a new one that has its name with it.
    #[test]
    fn a_new_tab_of_an_old_name_keeps_its_jobs() {
        let name = "0".repeat(32);
        let open = |tabs: &Tabs| tabs.open(&name, Ipv4Addr::LOCALHOST.into()).unwrap();
        let (old, new) = (open(&Tabs::default()), open(&Tabs::default()));
        let host = Host::new(Resources::default());
        let jobs = Arc::new(Jobs::new(host, Caps::OWN, None));
        let request = |id: &str| -> JobRequest {
            let body = json!({"tab": name, "id": id, "command": "solve", "game": "clobber", "position": "8x8"});
            serde_json::from_value(body).unwrap()
        };
        for id in ["1", "2", "3"] {
            jobs.take(&new, request(id)).unwrap();
        }
        jobs.give_up(&old);
        assert_eq!((jobs.load().jobs, jobs.load().waiting), (2, 1));
        jobs.give_up(&new);
        assert_eq!((jobs.load().jobs, jobs.load().waiting), (0, 0));
    }
}
