//! One program at a time: a file that is held by the process that works in a folder or adds to a file.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

/// A process that is being started holds what its parent has open until it is a program of its own. Such a
/// moment is waited for.
const TRIES: u32 = 25;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// Takes hold of the file of this path, which is made if it is not there; `None` if another process has it.
/// The system lets go of it when the process ends, however that happens.
///
/// # Errors
/// If it cannot be opened.
pub fn hold(path: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    let file = options
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    Ok(hold_open(&file).then_some(file))
}

/// Takes hold of a file that is open; false if another process has it.
#[must_use]
pub fn hold_open(file: &File) -> bool {
    for tried in 1..=TRIES {
        match file.try_lock() {
            // Not every file system has locks; then no process is kept away.
            Ok(()) | Err(TryLockError::Error(_)) => return true,
            Err(TryLockError::WouldBlock) if tried == TRIES => break,
            Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN_TRIES),
        }
    }
    false
}

/// Whether another process, or another handle of this one, holds the file of this path.
#[must_use]
pub fn is_held(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}
