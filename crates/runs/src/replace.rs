//! Files that are there as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file that is there as a whole or not at all.
///
/// # Errors
/// If it cannot be written; then what was there before is still there.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    replace(path, |out| out.write_all(bytes.as_ref()))
}

/// Lets `write` write a file under another name, which then takes the place of the file of this path.
///
/// # Errors
/// What `write` says, or that the file cannot be made; then what was there before is still there.
pub fn replace<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, E> {
    let draft = Draft::beside(path);
    let mut out = BufWriter::with_capacity(1 << 16, File::create(&draft.0)?);
    let written = write(&mut out)?;
    out.into_inner().map_err(io::Error::from)?.sync_all()?;
    fs::rename(&draft.0, path)?;
    // Not every system can do this; the file is whole without it too.
    if let Ok(folder) = File::open(draft.0.parent().unwrap_or(Path::new(""))) {
        let _ = folder.sync_all();
    }
    Ok(written)
}

/// Whether a file of this path could be written, for work that writes it at its end. What is there stays.
///
/// # Errors
/// If it could not.
pub fn check_writable(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    File::create(&Draft::beside(path).0).map(drop)
}

/// The file's name until it is whole; removed when dropped, unless it has been renamed.
struct Draft(PathBuf);

impl Draft {
    /// A name that no other program and no other thread has: several may write the same file at the same
    /// time.
    fn beside(path: &Path) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.{number}.part", process::id()));
        Self(path.with_file_name(name))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Already gone when all went well.
        let _ = fs::remove_file(&self.0);
    }
}

/// Whether a file of this name is a draft: that of a killed program, unless it is being written.
#[must_use]
pub fn is_draft(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let before = name
        .strip_suffix(".part")
        .and_then(|name| name.rsplit_once('.'));
    before.is_some_and(|(_, number)| is_number(number))
}

/// Removes the drafts that killed programs have left in a folder, and in no other below it. No program may
/// write there meanwhile.
pub fn remove_drafts(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        if entry.file_name().to_str().is_some_and(is_draft) {
            // One that stays does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_or_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write(&path, "first").unwrap();
        let failed = replace(&path, |out| {
            out.write_all(b"half")?;
            Err::<(), _>(io::Error::other("no more"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "no more");
        assert_eq!(fs::read(&path).unwrap(), b"first");
        write(&path, "second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_path_that_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write(&folder.path().join("none/file"), "").is_err());
        assert!(write(folder.path(), "").is_err());
        assert!(check_writable(&folder.path().join("none/file")).is_err());
        assert!(check_writable(folder.path()).is_err());
        check_writable(&folder.path().join("file")).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(folder.path().is_dir());
    }

    #[test]
    fn threads_that_write_the_same_file_do_not_collide() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let texts: Vec<String> = (0..8).map(|n| n.to_string().repeat(50_000)).collect();
        std::thread::scope(|scope| {
            for text in &texts {
                let path = &path;
                scope.spawn(move || (0..10).for_each(|_| write(path, text).unwrap()));
            }
        });
        assert!(texts.contains(&fs::read_to_string(&path).unwrap()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn drafts_of_killed_programs_are_known_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let mine = ["state.json", "book.part", "a.1x.part", ".part"];
        for name in mine
            .iter()
            .chain(&["state.json.17.part", "state.json.17.3.part"])
        {
            fs::write(folder.path().join(name), "").unwrap();
        }
        remove_drafts(folder.path());
        let left = fs::read_dir(folder.path()).unwrap();
        let mut left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".part", "a.1x.part", "book.part", "state.json"]);
    }
}
