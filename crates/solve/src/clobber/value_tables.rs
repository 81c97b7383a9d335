//! The folder where value tables are kept between runs.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use upstar_games::Board;

use super::value_table::{Kind, TableError, ValueTable};

/// A folder of value tables. What is not there is made, and kept if that is possible; what was opened
/// once stays open.
#[derive(Clone, Default)]
pub struct ValueTables {
    folder: Option<PathBuf>,
    opened: Arc<Mutex<HashMap<Kind, Arc<ValueTable>>>>,
}

impl ValueTables {
    /// The tables in this folder.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self {
            folder: Some(folder.to_owned()),
            opened: Arc::default(),
        }
    }

    /// No folder: every table is made anew.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// The file of a kind of tables.
    #[must_use]
    pub fn file(&self, kind: Kind) -> Option<PathBuf> {
        self.folder
            .as_ref()
            .map(|folder| folder.join(kind.file_name()))
    }

    /// The table of this kind; `progress` is told how far it is made, if it has to be.
    ///
    /// # Errors
    /// If there is a file that cannot be read or is damaged.
    pub fn open(
        &self,
        kind: Kind,
        threads: usize,
        progress: &mut dyn FnMut(f64),
    ) -> Result<Arc<ValueTable>, TableError> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = opened.get(&kind) {
            return Ok(Arc::clone(table));
        }
        let table = match self.file(kind) {
            Some(file) if file.exists() => ValueTable::open(&file, kind)?,
            file => {
                let table = ValueTable::make(kind, threads, progress);
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
        let table = Arc::new(table);
        opened.insert(kind, Arc::clone(&table));
        Ok(table)
    }

    /// Whether the table of this kind need not be made.
    #[must_use]
    pub fn has(&self, kind: Kind) -> bool {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.contains_key(&kind) || self.file(kind).is_some_and(|file| file.exists())
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
        let mut files: Vec<PathBuf> = files.filter(|file| Kind::is_file_name(file)).collect();
        files.sort();
        files
    }

    /// The table that serves a board with this many stones best, within this much memory.
    ///
    /// # Errors
    /// If there is a file that cannot be read or is damaged.
    pub fn serving(
        &self,
        board: &Board,
        stones: usize,
        cannibal: bool,
        memory: usize,
        threads: usize,
        progress: &mut dyn FnMut(f64),
    ) -> Result<Arc<ValueTable>, TableError> {
        match board {
            Board::Graph(_) => Ok(Arc::new(ValueTable::of_graph(board, cannibal))),
            Board::Grid(grid) => {
                let kind = Kind::serving(grid.rows(), stones, cannibal, memory);
                self.open(kind, threads, progress)
            }
        }
    }
}
