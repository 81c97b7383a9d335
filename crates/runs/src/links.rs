//! Symbolic links in a run's folder: those that lead out of it are refused, so that a run from elsewhere
//! reads and writes in its own folder only.

use std::fs;
use std::io;
use std::path::Path;

use crate::error::FolderError;

/// Looks at everything in a folder and the folders in it.
///
/// # Errors
/// If a symbolic link leads out of the folder or nowhere, or the folder cannot be read.
pub fn check_links(folder: &Path) -> Result<(), FolderError> {
    let failed = |error: io::Error| FolderError::io(folder, &error);
    let root = fs::canonicalize(folder).map_err(failed)?;
    check_below(folder, &root)
}

fn check_below(folder: &Path, root: &Path) -> Result<(), FolderError> {
    let failed = |error: io::Error| FolderError::io(folder, &error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(failed)?);
        if kind.is_dir() {
            check_below(&path, root)?;
        } else if !kind.is_file() && !kind.is_symlink() {
            // Reading a pipe may wait for ever.
            return Err(failed(io::Error::other(format!(
                "{} is not a file",
                path.display()
            ))));
        } else if kind.is_symlink() {
            let target = fs::canonicalize(&path).ok();
            if !target.is_some_and(|target| target.starts_with(root)) {
                return Err(FolderError::LeadsOut {
                    target: fs::read_link(&path).unwrap_or_default(),
                    link: path,
                });
            }
        }
    }
    Ok(())
}
