//! The store of value tables: what serves a board, kept in a folder between runs.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use upstar_games::Board;
use upstar_jobs::{Budget, Ledger, MemoryLease, Watch};

use super::value_table::{TableError, TableKind, ValueTable};

/// In this much memory a search does with a small table, which takes a tenth of a second to make.
const SMALL: usize = 64 << 20;

/// How often a client that waits for another's table looks at its own budget.
const BEAT: Duration = Duration::from_millis(2);

/// A folder of value tables. A table that is not there is made, and kept if that is possible; what was
/// opened once stays open. Clones share what was opened.
#[derive(Clone, Default)]
pub struct ValueTables {
    folder: Option<PathBuf>,
    ledger: Ledger,
    /// Each kind has a lock of its own: while one is made, the others can be had.
    slots: Arc<Mutex<HashMap<TableKind, Arc<Mutex<Slot>>>>>,
}

/// A table that was opened, and the memory that it takes.
type Slot = Option<(Arc<ValueTable>, MemoryLease)>;

/// A board for which a table is wanted.
#[derive(Clone, Copy)]
pub struct Need<'a> {
    /// The board.
    pub board: &'a Board,
    /// At most this many stones are on it.
    pub stones: usize,
    /// Whether stones may take their own kind.
    pub cannibal: bool,
    /// The most memory to use, in bytes.
    pub memory: usize,
    /// Whether a large table that is not there is worth minutes; otherwise a small one is made.
    pub patient: bool,
}

fn cache_folder() -> Option<PathBuf> {
    let folder = |name: &str| {
        std::env::var_os(name)
            .filter(|text| !text.is_empty())
            .map(PathBuf::from)
    };
    if let Some(ours) = folder("UPSTAR_CACHE") {
        return Some(ours);
    }
    let all = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Caches"))
    } else {
        folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")))
    };
    all.map(|all| all.join("upstar"))
}

impl ValueTables {
    /// The tables in this folder.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self {
            folder: Some(folder.to_owned()),
            ..Self::default()
        }
    }

    /// The tables in the user's own folder: `$UPSTAR_CACHE`, or a place of ours where this system keeps such
    /// things; without one as [`ValueTables::in_memory`].
    #[must_use]
    pub fn of_user() -> Self {
        match cache_folder() {
            Some(folder) => Self::in_folder(&folder),
            None => Self::in_memory(),
        }
    }

    /// No folder: every table is made anew.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// The same folder, whose tables are leased from this ledger.
    #[must_use]
    pub fn with_ledger(self, ledger: &Ledger) -> Self {
        Self {
            folder: self.folder,
            ledger: ledger.clone(),
            slots: Arc::default(),
        }
    }

    /// The file of a kind of tables.
    #[must_use]
    pub fn file(&self, kind: TableKind) -> Option<PathBuf> {
        self.folder
            .as_ref()
            .map(|folder| folder.join(kind.file_name()))
    }

    /// The table that serves a board: the one place where that is chosen.
    ///
    /// # Errors
    /// If there is a file that cannot be read or is damaged, or the budget is spent first.
    pub fn serving(
        &self,
        need: Need<'_>,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Arc<ValueTable>, TableError> {
        let Need {
            board,
            stones,
            cannibal,
            memory,
            patient,
        } = need;
        let Board::Grid(grid) = board else {
            return ValueTable::of_graph(board, cannibal, budget).map(Arc::new);
        };
        let rows = grid.rows().min(grid.cols());
        let kind = |memory| TableKind::serving(rows, stones, cannibal, memory);
        let mut chosen = kind(memory);
        if !self.is_open(chosen) {
            chosen = kind(memory.min(self.ledger.free()));
        }
        if !patient && !self.has(chosen) {
            chosen = kind(memory.min(self.ledger.free()).min(SMALL));
        }
        let threads = match patient {
            true => std::thread::available_parallelism().map_or(1, Into::into),
            false => 1,
        };
        self.open(chosen, threads, budget, watch)
    }

    /// The table of this kind; the watch is told how far it is made, if it has to be.
    ///
    /// # Errors
    /// If there is a file that cannot be read or is damaged, or the budget is spent first.
    pub fn open(
        &self,
        kind: TableKind,
        threads: usize,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Arc<ValueTable>, TableError> {
        let slot = self.slot(kind);
        let mut slot = waited(&slot, budget)?;
        if let Some((table, _)) = &*slot {
            return Ok(Arc::clone(table));
        }
        let table = match self.file(kind) {
            Some(file) if file.exists() => {
                let table = ValueTable::open(&file, kind)?;
                if !table.is_genuine() {
                    return Err(TableError::Changed(file));
                }
                table
            }
            file => {
                let table = ValueTable::make(kind, threads, budget, watch)?;
                // Where nothing can be written, the table serves for this time only.
                if let Some(file) = file
                    && file
                        .parent()
                        .is_some_and(|folder| fs::create_dir_all(folder).is_ok())
                {
                    let _ = table.save(&file);
                }
                table
            }
        };
        let lease = self.ledger.memory(table.bytes())?;
        let table = Arc::new(table);
        *slot = Some((Arc::clone(&table), lease));
        Ok(table)
    }

    fn slot(&self, kind: TableKind) -> Arc<Mutex<Slot>> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(slots.entry(kind).or_default())
    }

    /// Whether the table of this kind is open.
    fn is_open(&self, kind: TableKind) -> bool {
        let slot = self.slot(kind);
        slot.try_lock().is_ok_and(|slot| slot.is_some())
    }

    /// Whether the table of this kind need not be made.
    #[must_use]
    pub fn has(&self, kind: TableKind) -> bool {
        self.is_open(kind) || self.file(kind).is_some_and(|file| file.exists())
    }

    /// The files of this version's tables that are there.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let entries = self
            .folder
            .as_ref()
            .and_then(|folder| fs::read_dir(folder).ok());
        let files = entries
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()));
        let mut files: Vec<PathBuf> = files.filter(|file| TableKind::is_file_name(file)).collect();
        files.sort();
        files
    }
}

/// The slot, as soon as no other client is at work on it.
fn waited<'a>(slot: &'a Mutex<Slot>, budget: &Budget) -> Result<MutexGuard<'a, Slot>, TableError> {
    loop {
        match slot.try_lock() {
            Ok(slot) => return Ok(slot),
            Err(TryLockError::Poisoned(slot)) => return Ok(slot.into_inner()),
            Err(TryLockError::WouldBlock) if budget.is_over() => return Err(TableError::Stopped),
            Err(TryLockError::WouldBlock) => std::thread::sleep(BEAT),
        }
    }
}
