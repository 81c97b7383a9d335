//! Jobs that can be done anywhere, and one place that accepts their results.
//!
//! A [`Job`] is plain data with all that decides its result: a game by its index, a trial, a cell of a
//! table. Whoever runs it gets the same result, so that a job may be sent to another machine as a line
//! of JSON ([`perform`]) and its result may arrive in any order, or twice. A [`Schedule`] says
//! which jobs are ready and accepts results; [`run`] is the runner on the threads of this machine.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::budget::Budget;
use crate::pool::{PAUSE, StopOnPanic};
use crate::quantity::MOST_THREADS;
use crate::thread::{STACK, ThreadError, start};

/// A piece of work with its own generator. `C` is what all jobs of a run share: rules, networks,
/// settings. Equal jobs have equal results.
pub trait Job<C: ?Sized>: Clone + Ord + Serialize + DeserializeOwned + Send {
    /// What comes of it.
    type Output: Serialize + DeserializeOwned + Send;
    /// Why nothing comes of it.
    type Error: From<ThreadError> + Send;

    /// Does the work; `None` if the budget ended it.
    ///
    /// # Errors
    /// If it cannot be done.
    fn run(&self, context: &C, budget: &Budget) -> Result<Option<Self::Output>, Self::Error>;
}

/// Where jobs come from and results go. What becomes of the results must not depend on their order.
pub trait Schedule<C: ?Sized> {
    /// The jobs.
    type Job: Job<C>;

    /// A job that is ready and was not handed out by this call before; `None` if there is none now.
    /// More may be ready when a result has been accepted.
    fn next(&mut self) -> Option<Self::Job>;

    /// Takes a result; `false` if there was one of the same job already.
    ///
    /// # Errors
    /// If the result is not one of such a job, or cannot be written down.
    fn accept(
        &mut self,
        job: &Self::Job,
        output: <Self::Job as Job<C>>::Output,
    ) -> Result<bool, <Self::Job as Job<C>>::Error>;
}

/// A job with its result, as a line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done<J, T> {
    /// The job.
    pub job: J,
    /// What came of it.
    pub result: T,
}

/// Does the jobs of a schedule, each worker one at a time, until none is ready any more, the budget is
/// over, or one fails; what is under way then is still accepted.
///
/// # Errors
/// The first of a job or of the schedule, or that a thread cannot be started.
///
/// # Panics
/// If a job does.
pub fn run<C: Sync + ?Sized, S: Schedule<C>>(
    schedule: &mut S,
    context: &C,
    threads: usize,
    budget: &Budget,
) -> Result<(), <S::Job as Job<C>>::Error> {
    let inner = Budget::unlimited();
    let stop = inner.stop_flag();
    let (jobs, queue) = mpsc::channel::<S::Job>();
    let queue = Mutex::new(queue);
    let (sender, results) = mpsc::channel();
    let threads = threads.clamp(1, MOST_THREADS);
    let broken = AtomicBool::new(false);
    thread::scope(|scope| {
        // Dropped when this closure ends, however that is: then the workers end too.
        let jobs = jobs;
        for _ in 0..threads {
            let (sender, queue, inner, broken) = (sender.clone(), &queue, &inner, &broken);
            let work = move || {
                let _guard = StopOnPanic(broken);
                let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok(job) = next() {
                    let output = job.run(context, inner);
                    if sender.send((job, output)).is_err() {
                        break;
                    }
                }
            };
            start(scope, STACK, work)?;
        }
        let (mut under_way, mut ended) = (0, Ok(()));
        loop {
            while under_way < threads && ended.is_ok() && !inner.is_stopped() {
                let Some(job) = schedule.next() else { break };
                under_way += 1;
                jobs.send(job).expect("a worker waits");
            }
            if under_way == 0 {
                return ended;
            }
            let (job, output) = match results.recv_timeout(PAUSE) {
                Ok(done) => done,
                Err(RecvTimeoutError::Timeout) => {
                    let broken = broken.load(Ordering::Relaxed);
                    if broken || budget.is_over() {
                        stop.store(true, Ordering::Relaxed);
                    }
                    if broken {
                        // A worker has panicked, and the scope tells.
                        return ended;
                    }
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return ended,
            };
            under_way -= 1;
            if budget.is_over() {
                stop.store(true, Ordering::Relaxed);
            }
            let accepted = output.and_then(|output| match output {
                Some(output) => schedule.accept(&job, output).map(|_| ()),
                None => Ok(()),
            });
            if ended.is_ok() {
                ended = accepted;
            }
        }
    })
}

/// Does the job of a line of JSON and returns the line of its result ([`Done`]); `None` if the budget
/// ended it. This is all that a worker on another machine has to do.
///
/// # Errors
/// If the line is not such a job, or the job fails.
pub fn perform<C: ?Sized, J: Job<C>>(
    line: &str,
    context: &C,
    budget: &Budget,
) -> Result<Option<String>, PerformError<J::Error>> {
    let job: J =
        serde_json::from_str(line).map_err(|error| PerformError::Line(error.to_string()))?;
    let result = job.run(context, budget).map_err(PerformError::Job)?;
    Ok(result.map(|result| {
        let done = Done { job, result };
        serde_json::to_string(&done).expect("jobs and results are plain data")
    }))
}

/// Why a line has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PerformError<E> {
    /// The line is not a job.
    #[error("the line is not a job: {0}")]
    Line(String),
    /// The job failed.
    #[error("{0}")]
    Job(E),
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    struct Square(u64);

    #[derive(Clone, Debug, PartialEq)]
    struct Failure(String);

    impl From<ThreadError> for Failure {
        fn from(error: ThreadError) -> Self {
            Self(error.to_string())
        }
    }

    /// The context is the number at which jobs fail.
    impl Job<u64> for Square {
        type Output = u64;
        type Error = Failure;

        fn run(&self, fails_at: &u64, _: &Budget) -> Result<Option<u64>, Failure> {
            match self.0 {
                number if number >= *fails_at => Err(Failure("too large".to_owned())),
                number => Ok(Some(number * number)),
            }
        }
    }

    /// Squares of squares become ready when the squares are known.
    #[derive(Default)]
    struct Squares {
        handed_out: u64,
        known: BTreeMap<u64, u64>,
        next: Vec<u64>,
    }

    impl Schedule<u64> for Squares {
        type Job = Square;

        fn next(&mut self) -> Option<Square> {
            if self.handed_out < 20 {
                self.handed_out += 1;
                return Some(Square(self.handed_out - 1));
            }
            self.next.pop().map(Square)
        }

        fn accept(&mut self, job: &Square, square: u64) -> Result<bool, Failure> {
            let is_new = self.known.insert(job.0, square).is_none();
            if is_new && (20..400).contains(&square) {
                self.next.push(square);
            }
            Ok(is_new)
        }
    }

    #[test]
    fn jobs_that_become_ready_are_done_too() {
        let mut first = None;
        for threads in [1, 2, 5] {
            let mut squares = Squares::default();
            run(&mut squares, &u64::MAX, threads, &Budget::unlimited()).unwrap();
            assert_eq!(squares.known[&361], 361 * 361);
            let known = squares.known;
            assert_eq!(first.get_or_insert_with(|| known.clone()), &known);
        }
    }

    #[test]
    fn a_failure_or_a_stop_ends_the_work() {
        let mut squares = Squares::default();
        let ended = run(&mut squares, &100, 3, &Budget::unlimited());
        assert_eq!(ended, Err(Failure("too large".to_owned())));
        let budget = Budget::unlimited();
        budget.stop_flag().store(true, Ordering::Relaxed);
        let mut squares = Squares::default();
        run(&mut squares, &u64::MAX, 2, &budget).unwrap();
        assert!(squares.known.len() < 20);
    }

    #[test]
    fn results_are_accepted_in_any_order_and_once() {
        let lines: Vec<String> = (0..20)
            .rev()
            .map(|number| {
                let line = serde_json::to_string(&Square(number)).unwrap();
                let budget = Budget::unlimited();
                let done = perform::<u64, Square>(&line, &u64::MAX, &budget);
                done.unwrap().unwrap()
            })
            .collect();
        let mut squares = Squares::default();
        for (round, expected) in [(0, true), (1, false)] {
            for line in &lines {
                let done: Done<Square, u64> = serde_json::from_str(line).unwrap();
                let accepted = squares.accept(&done.job, done.result);
                assert_eq!(accepted, Ok(expected), "{round} {line}");
            }
        }
        let wrong = perform::<u64, Square>("{}", &0, &Budget::unlimited());
        assert!(matches!(wrong, Err(PerformError::Line(_))));
    }
}
