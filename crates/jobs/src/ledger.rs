//! One ledger of memory and threads for a whole process: whatever is large is leased from it, and
//! comes back when the lease is dropped.
//!
//! Clients that share a ledger never exceed its limits together. A client that can do with less asks
//! for [`Ledger::up_to`] and gets a smaller share. Memory that is kept only in case it is wanted again is *spare*:
//! its holder gives it back when another client runs short.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// How much memory and how many threads may be in use. Clones share one account.
#[derive(Clone, Debug)]
pub struct Ledger(Arc<Account>);

struct Account {
    memory: usize,
    threads: usize,
    used: Mutex<Used>,
    keepers: Mutex<Vec<Weak<dyn KeepsSpare>>>,
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Account")
            .field("memory", &self.memory)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// A holder of leased memory that is not in use now.
pub trait KeepsSpare: Send + Sync {
    /// Gives a piece of it back; false if there is none.
    fn give_back(&self) -> bool;
}

#[derive(Debug, Default)]
struct Used {
    memory: usize,
    threads: usize,
}

impl Default for Ledger {
    fn default() -> Self {
        Self::unlimited()
    }
}

impl Ledger {
    /// A ledger of this many bytes and threads.
    #[must_use]
    pub fn new(memory: usize, threads: usize) -> Self {
        Self(Arc::new(Account {
            memory,
            threads,
            used: Mutex::default(),
            keepers: Mutex::default(),
        }))
    }

    /// A ledger that only counts.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(usize::MAX, usize::MAX)
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.0.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The limit of memory, in bytes.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.0.memory
    }

    /// The bytes that are not leased.
    #[must_use]
    pub fn free(&self) -> usize {
        self.0.memory - self.used().memory
    }

    /// Leases this many bytes.
    ///
    /// # Errors
    /// If fewer are free.
    pub fn memory(&self, bytes: usize) -> Result<MemoryLease, NoMemory> {
        self.up_to(bytes, bytes)
    }

    /// Leases as many of `most` bytes as are free, `least` at any rate.
    ///
    /// # Errors
    /// If fewer than `least` are free.
    pub fn up_to(&self, most: usize, least: usize) -> Result<MemoryLease, NoMemory> {
        loop {
            match self.try_up_to(most, least) {
                Err(_) if self.gives_back() => {}
                leased => return leased,
            }
        }
    }

    /// Remembers a holder of spare memory, for as long as it exists.
    pub fn add_keeper(&self, keeper: Weak<dyn KeepsSpare>) {
        let mut keepers = self.keepers();
        keepers.retain(|keeper| keeper.strong_count() > 0);
        keepers.push(keeper);
    }

    fn keepers(&self) -> MutexGuard<'_, Vec<Weak<dyn KeepsSpare>>> {
        (self.0.keepers.lock()).unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a holder has given spare memory back.
    fn gives_back(&self) -> bool {
        // They may want this list, or lease, while they do.
        let keepers: Vec<_> = self.keepers().iter().filter_map(Weak::upgrade).collect();
        keepers.iter().any(|keeper| keeper.give_back())
    }

    fn try_up_to(&self, most: usize, least: usize) -> Result<MemoryLease, NoMemory> {
        let mut used = self.used();
        let free = self.0.memory - used.memory;
        let bytes = most.min(free);
        if bytes < least {
            return Err(NoMemory {
                wanted: least,
                free,
                limit: self.0.memory,
            });
        }
        used.memory += bytes;
        Ok(MemoryLease {
            ledger: self.clone(),
            bytes,
        })
    }

    /// Leases as many of these threads as are free, one at any rate: a client never waits for others.
    #[must_use]
    pub fn threads(&self, most: usize) -> ThreadLease {
        let mut used = self.used();
        let free = self.0.threads.saturating_sub(used.threads);
        let threads = most.min(free).max(1);
        used.threads += threads;
        ThreadLease {
            ledger: self.clone(),
            threads,
        }
    }
}

/// Memory in use until this is dropped.
#[derive(Debug)]
pub struct MemoryLease {
    ledger: Ledger,
    bytes: usize,
}

impl MemoryLease {
    /// How many bytes it is.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Leases more, until it is this many bytes.
    ///
    /// # Errors
    /// If fewer are free; then it stays as it is.
    pub fn grow(&mut self, bytes: usize) -> Result<(), NoMemory> {
        let more = bytes.saturating_sub(self.bytes);
        let mut added = self.ledger.memory(more)?;
        self.bytes += std::mem::take(&mut added.bytes);
        Ok(())
    }

    /// Gives back what is more than this many bytes.
    pub fn shrink(&mut self, bytes: usize) {
        let less = self.bytes.saturating_sub(bytes);
        self.ledger.used().memory -= less;
        self.bytes -= less;
    }
}

impl Drop for MemoryLease {
    fn drop(&mut self) {
        self.ledger.used().memory -= self.bytes;
    }
}

/// Threads in use until this is dropped.
#[derive(Debug)]
pub struct ThreadLease {
    ledger: Ledger,
    threads: usize,
}

impl ThreadLease {
    /// How many threads it is.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }
}

impl Drop for ThreadLease {
    fn drop(&mut self) {
        self.ledger.used().threads -= self.threads;
    }
}

/// Too much memory is in use already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} MB of memory are needed and {} MB of the limit of {} MB are free",
    wanted.div_ceil(1 << 20), free >> 20, limit >> 20
)]
pub struct NoMemory {
    /// How many bytes were asked for.
    pub wanted: usize,
    /// How many there are.
    pub free: usize,
    /// The ledger's limit.
    pub limit: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_clients_never_exceed_the_limit_together() {
        let ledger = Ledger::new(100 << 20, 4);
        let first = ledger.memory(70 << 20).unwrap();
        let refused = ledger.memory(40 << 20).unwrap_err().to_string();
        let sentence = "40 MB of memory are needed and 30 MB of the limit of 100 MB are free";
        assert_eq!(refused, sentence);
        let second = ledger.clone().up_to(40 << 20, 1 << 20).unwrap();
        assert_eq!((second.bytes(), ledger.free()), (30 << 20, 0));
        drop(first);
        assert_eq!(ledger.free(), 70 << 20);
        let mut second = second;
        second.grow(60 << 20).unwrap();
        assert!(second.grow(101 << 20).is_err());
        second.grow(1 << 20).unwrap();
        assert_eq!((second.bytes(), ledger.free()), (60 << 20, 40 << 20));
        drop(second);
        assert_eq!(ledger.free(), ledger.limit());
    }

    #[test]
    fn threads_are_shared_and_everybody_gets_one() {
        let ledger = Ledger::new(0, 4);
        let first = ledger.threads(3);
        let (second, third) = (ledger.threads(3), ledger.threads(3));
        let all = [&first, &second, &third].map(ThreadLease::threads);
        assert_eq!(all, [3, 1, 1]);
        drop((first, second, third));
        assert_eq!(ledger.threads(9).threads(), 4);
    }

    #[test]
    fn spare_memory_comes_back_when_it_is_needed() {
        struct Shelf(Mutex<Vec<MemoryLease>>);
        impl KeepsSpare for Shelf {
            fn give_back(&self) -> bool {
                self.0.lock().unwrap().pop().is_some()
            }
        }
        let ledger = Ledger::new(100 << 20, 1);
        let kept = (0..5).map(|_| ledger.memory(20 << 20).unwrap()).collect();
        let shelf = Arc::new(Shelf(Mutex::new(kept)));
        let keeper: Weak<dyn KeepsSpare> = Arc::downgrade(&(Arc::clone(&shelf) as Arc<_>));
        ledger.add_keeper(keeper);
        assert_eq!(ledger.free(), 0);
        let lease = ledger.memory(30 << 20).unwrap();
        assert_eq!(shelf.0.lock().unwrap().len(), 3);
        assert!(ledger.memory(80 << 20).is_err());
        assert!(shelf.0.lock().unwrap().is_empty());
        drop(lease);
        assert_eq!(ledger.free(), 100 << 20);
    }
}
