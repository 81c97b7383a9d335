//! Work shared by threads, whose results come back in their order.
//!
//! Each result is shown twice: when it is there, so that it can be written down at once, and when
//! all before it are there too, so that what is made of it does not depend on the threads.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::budget::Budget;
use crate::quantity::MOST_THREADS;
use crate::thread::{STACK, ThreadError, start};

/// So far may threads run ahead of the first result that is missing.
const WINDOW: u64 = 1 << 14;

/// How often somebody who says stop is listened to.
pub(crate) const PAUSE: Duration = Duration::from_millis(20);

/// Workers for jobs that are numbered from 0.
pub struct Pool<'a> {
    /// How many threads work, one at least.
    pub threads: usize,
    /// How many jobs there are.
    pub jobs: u64,
    /// What ends it all early.
    pub budget: &'a Budget,
}

impl Pool<'_> {
    /// Does all jobs, each worker with a state of its own, until an error or until `in_order` breaks off. A job
    /// that returns nothing was stopped. True if every job is done or `in_order` had enough.
    ///
    /// # Errors
    /// The first of a job or of `at_once`, or that a thread cannot be started.
    ///
    /// # Panics
    /// If a job does.
    pub fn work<W, T: Send, E: Send + From<ThreadError>>(
        &self,
        worker: impl Fn() -> W + Sync,
        job: impl Fn(&mut W, u64, &Budget) -> Result<Option<T>, E> + Sync,
        mut at_once: impl FnMut(u64, &T) -> Result<(), E>,
        mut in_order: impl FnMut(u64, T) -> ControlFlow<()>,
    ) -> Result<bool, E> {
        let inner = Budget::unlimited();
        let stop = inner.stop_flag();
        let next = AtomicU64::new(0);
        let horizon = AtomicU64::new(WINDOW);
        let (sender, receiver) = mpsc::sync_channel(1024);
        thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, MOST_THREADS) {
                let (sender, inner, stop) = (sender.clone(), inner.clone(), &*stop);
                let (next, horizon, new_state, job) = (&next, &horizon, &worker, &job);
                let worker = move || {
                    let _guard = StopOnPanic(stop);
                    let mut state = new_state();
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.jobs {
                            break;
                        }
                        while number >= horizon.load(Ordering::Relaxed) && !inner.is_over() {
                            thread::sleep(Duration::from_micros(200));
                        }
                        if inner.is_over() {
                            break;
                        }
                        let done = job(&mut state, number, &inner).transpose();
                        if let Some(done) = done
                            && sender.send((number, done)).is_err()
                        {
                            break;
                        }
                    }
                };
                let started = start(scope, STACK, worker);
                started.inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut delivered = 0;
            let mut ended = Ok(());
            let mut enough = false;
            loop {
                if self.budget.is_over() {
                    stop.store(true, Ordering::Relaxed);
                }
                let (number, done) = match receiver.recv_timeout(PAUSE) {
                    Ok(done) => done,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                let shown = done.and_then(|done| at_once(number, &done).map(|()| done));
                match shown {
                    Ok(done) => waiting.insert(number, done),
                    Err(error) => {
                        ended = Err(error);
                        stop.store(true, Ordering::Relaxed);
                        break;
                    }
                };
                while let Some(done) = waiting.remove(&delivered) {
                    if enough {
                        break;
                    }
                    if in_order(delivered, done).is_break() {
                        enough = true;
                        stop.store(true, Ordering::Relaxed);
                    }
                    delivered += 1;
                }
                horizon.store(delivered + WINDOW, Ordering::Relaxed);
            }
            // A worker that still wants to send finds the channel closed and ends.
            drop(receiver);
            ended.map(|()| enough || delivered == self.jobs)
        })
    }

    /// Does all jobs and returns their results in order, fewer if the budget ended it: what many
    /// callers need of [`Self::work`].
    ///
    /// # Errors
    /// As [`Self::work`].
    ///
    /// # Panics
    /// If a job does.
    pub fn collect<W, T: Send, E: Send + From<ThreadError>>(
        &self,
        worker: impl Fn() -> W + Sync,
        job: impl Fn(&mut W, u64, &Budget) -> Result<Option<T>, E> + Sync,
    ) -> Result<Vec<T>, E> {
        let mut all = Vec::new();
        self.work(
            worker,
            job,
            |_, _| Ok(()),
            |_, result| {
                all.push(result);
                ControlFlow::Continue(())
            },
        )?;
        Ok(all)
    }
}

/// Ends the others when one worker breaks down, so that its panic is heard.
pub(crate) struct StopOnPanic<'a>(pub(crate) &'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Broken;

    impl From<ThreadError> for Broken {
        fn from(_: ThreadError) -> Self {
            Self
        }
    }

    fn pool(threads: usize, jobs: u64, budget: &Budget) -> Pool<'_> {
        Pool {
            threads,
            jobs,
            budget,
        }
    }

    #[test]
    fn results_come_in_order() {
        let budget = Budget::unlimited();
        for threads in [1, 2, 5] {
            let (mut seen, mut at_once) = (Vec::new(), 0);
            let done: Result<bool, ThreadError> = pool(threads, 40_000, &budget).work(
                || 0u64,
                |count, number, _| {
                    *count += 1;
                    if number.is_multiple_of(9999) {
                        thread::sleep(Duration::from_millis(5));
                    }
                    Ok(Some(number * 2))
                },
                |_, _| {
                    at_once += 1;
                    Ok(())
                },
                |number, double| {
                    assert_eq!(double, number * 2);
                    seen.push(number);
                    ControlFlow::Continue(())
                },
            );
            assert_eq!(done, Ok(true));
            assert_eq!(at_once, 40_000);
            assert!(seen.into_iter().eq(0..40_000));
        }
    }

    #[test]
    fn errors_and_stops_end_the_work() {
        let budget = Budget::unlimited();
        let work = |fails: bool, enough: u64| {
            let mut last = 0;
            let done = pool(3, u64::MAX, &budget).work(
                || (),
                |(), number, _| match number {
                    50.. if fails => Err(Broken),
                    _ => Ok(Some(())),
                },
                |_, ()| Ok(()),
                |number, ()| {
                    last = number;
                    if number == enough {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                },
            );
            (done, last)
        };
        assert_eq!(work(true, 1000).0, Err(Broken));
        assert_eq!(work(false, 777), (Ok(true), 777));
        budget.stop_flag().store(true, Ordering::Relaxed);
        assert_eq!(work(false, u64::MAX).0, Ok(false));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_heard() {
        let budget = Budget::unlimited();
        let _: Result<bool, ThreadError> = pool(2, u64::MAX, &budget).work(
            || (),
            |(), number, _| {
                assert_ne!(number, 1000);
                Ok(Some(()))
            },
            |_, ()| Ok(()),
            |_, ()| ControlFlow::Continue(()),
        );
    }
}
