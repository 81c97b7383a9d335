//! Logs: files of lines that are only ever added to.
//!
//! A line is handed to the system as a whole before the next one, so a killed program loses no finished
//! one; after [`Log::sync`] the machine may stop too.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::lines::{Lines, LogError};
use crate::{lock, replace, seal};

/// A file of lines that is open for more of them.
#[derive(Debug)]
pub struct Log {
    file: File,
    path: PathBuf,
    sealed: bool,
}

impl Log {
    /// A log in the folder of a run, whose lock keeps others away; made if it is not there. Its lines are
    /// sealed.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn append(path: &Path) -> Result<Self, LogError> {
        Self::open(path).map(Self::sealed)
    }

    fn open(path: &Path) -> Result<Self, LogError> {
        let mut options = OpenOptions::new();
        let opened = options.read(true).append(true).create(true).open(path);
        Ok(Self {
            file: opened.map_err(|error| failed(path, &error))?,
            path: path.to_owned(),
            sealed: false,
        })
    }

    /// Opens a log that stands alone, or begins it, and shows `seen` every line that it holds. No other
    /// program can add to it meanwhile. A last line that was cut off is removed, if it begins like those
    /// that this program writes.
    ///
    /// # Errors
    /// If the file cannot be read and written, another program adds to it, it is damaged, or `seen`
    /// objects.
    pub fn hold<T: DeserializeOwned>(
        path: &Path,
        beginning: &'static str,
        longest: u64,
        mut seen: impl FnMut(&T) -> Result<(), String>,
    ) -> Result<Self, LogError> {
        let mut log = Self::open(path)?;
        if !lock::hold_open(&log.file) {
            return Err(log.error("another program writes to it"));
        }
        let lines = Lines::new(BufReader::new(&log.file), path);
        let mut lines = lines.beginning_with(beginning).no_longer_than(longest);
        while let Some(object) = lines.next().transpose()? {
            seen(&object).map_err(|what| lines.error(what))?;
        }
        let (whole, open_end) = (lines.whole(), lines.open_end());
        log.mend(whole, open_end)?;
        Ok(log)
    }

    /// Drops a last line that was cut off. Unlike other reading this looks at no line.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn drop_unfinished(&mut self) -> Result<(), LogError> {
        let mut whole = || -> io::Result<u64> {
            let mut end = self.file.metadata()?.len();
            let mut byte = [0];
            while end > 0 {
                self.file.seek(SeekFrom::Start(end - 1))?;
                self.file.read_exact(&mut byte)?;
                if byte == *b"\n" {
                    break;
                }
                end -= 1;
            }
            Ok(end)
        };
        let whole = whole().map_err(|error| failed(&self.path, &error))?;
        self.mend(whole, false)
    }

    /// Drops what stands behind the whole lines, and ends the last of them.
    pub(crate) fn mend(&mut self, whole: u64, open_end: bool) -> Result<(), LogError> {
        let mut mended = || -> io::Result<()> {
            if self.file.metadata()?.len() > whole {
                self.file.set_len(whole)?;
            }
            match open_end {
                true => self.file.write_all(b"\n"),
                false => Ok(()),
            }
        };
        mended().map_err(|error| failed(&self.path, &error))
    }

    /// The same log, whose further lines carry a checksum each.
    #[must_use]
    pub fn sealed(self) -> Self {
        Self {
            sealed: true,
            ..self
        }
    }

    /// Adds a line. It is in the hands of the system when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    ///
    /// # Panics
    /// If it cannot be written as JSON.
    pub fn add(&mut self, what: &impl Serialize) -> Result<(), LogError> {
        let line = match self.sealed {
            true => seal::seal_line(what),
            false => serde_json::to_string(what).expect("it is plain data"),
        };
        let written = self.file.write_all((line + "\n").as_bytes());
        written.map_err(|error| failed(&self.path, &error))
    }

    /// Waits until all lines are on the disk.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn sync(&self) -> Result<(), LogError> {
        let synced = self.file.sync_data();
        synced.map_err(|error| failed(&self.path, &error))
    }

    /// Ends the log: lines stand in the order of their keys from now on, and those without one are dropped.
    /// At any moment the file is whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn sort<T: DeserializeOwned>(
        self,
        key: impl Fn(&T) -> Option<u64>,
    ) -> Result<(), LogError> {
        let failed = |error: io::Error| failed(&self.path, &error);
        let mut lines = Lines::<T, _>::new(BufReader::new(&self.file), &self.path);
        let rewound = lines.reader().seek(SeekFrom::Start(0));
        rewound.map_err(failed)?;
        let (mut places, mut begin) = (Vec::new(), 0);
        while let Some(object) = lines.next().transpose()? {
            if let Some(key) = key(&object) {
                places.push((key, begin, lines.whole() - begin));
            }
            begin = lines.whole();
        }
        let sorted = places.windows(2).all(|two| two[0].0 < two[1].0);
        if sorted && places.iter().map(|place| place.2).sum::<u64>() == begin {
            return self.file.sync_all().map_err(failed);
        }
        places.sort_unstable();
        let copied = replace(&self.path, |out| {
            for (_, place, length) in places {
                (&self.file).seek(SeekFrom::Start(place))?;
                io::copy(&mut (&self.file).take(length), out)?;
            }
            Ok(())
        });
        copied.map_err(failed)
    }

    fn error(&self, what: &str) -> LogError {
        LogError {
            path: self.path.clone(),
            line: None,
            what: what.to_owned(),
        }
    }
}

fn failed(path: &Path, error: &io::Error) -> LogError {
    LogError {
        path: path.to_owned(),
        line: None,
        what: error.to_string(),
    }
}
