//! Threads with a stated stack, whose start may fail without a panic.

use std::thread::{Builder, Scope, ScopedJoinHandle};

/// The stack of a worker that needs nothing special.
pub const STACK: usize = 8 << 20;

/// Starts a thread of this scope with a stack of this many bytes.
///
/// # Errors
/// If the system starts no more threads.
pub fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    stack: usize,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>, ThreadError> {
    let started = Builder::new().stack_size(stack).spawn_scoped(scope, work);
    started.map_err(|error| ThreadError(error.to_string()))
}

/// A thread could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a thread cannot be started: {0}; try fewer threads")]
pub struct ThreadError(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_cannot_be_started_is_an_error() {
        std::thread::scope(|scope| {
            let refused = start(scope, usize::MAX / 4, || ()).unwrap_err().to_string();
            assert!(
                refused.starts_with("a thread cannot be started: "),
                "{refused}"
            );
            assert_eq!(start(scope, STACK, || 5).unwrap().join().unwrap(), 5);
        });
    }
}
