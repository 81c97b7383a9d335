//! A log that is read while another process adds to it: only what is new is read.
//!
//! The reader holds no lock. A last line without its end is left for later. A log may become shorter when a run
//! is resumed from an earlier checkpoint; then the line read last is not where it was, and all is read anew.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use upstar_runs::LONGEST_LINE;

/// What is known of a log so far.
#[derive(Debug)]
pub(crate) struct Tail<T> {
    path: PathBuf,
    items: Vec<T>,
    /// The end of the lines read.
    end: u64,
    /// The line read last, with its end.
    last: Vec<u8>,
    fault: Option<String>,
}

/// A line and the place where it begins.
pub(crate) struct Placed<'a> {
    pub(crate) line: &'a [u8],
    pub(crate) begin: u64,
}

impl<T> Tail<T> {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            path,
            items: Vec::new(),
            end: 0,
            last: Vec::new(),
            fault: None,
        }
    }

    /// All lines read so far.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// What is wrong with the log, in a sentence; lines behind the fault are not read.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Reads what is new. A log that is not there is empty.
    pub(crate) fn refresh(&mut self, mut parse: impl FnMut(Placed<'_>) -> Result<T, String>) {
        let read = self.read(&mut parse);
        match read {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.forget(),
            Err(error) => self.fault = Some(self.sentence(&error.to_string())),
        }
    }

    fn read(&mut self, parse: &mut dyn FnMut(Placed<'_>) -> Result<T, String>) -> io::Result<()> {
        let mut file = File::open(&self.path)?;
        if !self.is_continued(&mut file)? {
            self.forget();
        }
        if self.fault.is_some() {
            return Ok(());
        }
        file.seek(SeekFrom::Start(self.end))?;
        let mut reader = BufReader::new(file);
        loop {
            let mut line = Vec::new();
            let read = (&mut reader)
                .take(LONGEST_LINE)
                .read_until(b'\n', &mut line)? as u64;
            if !line.ends_with(b"\n") {
                if read == LONGEST_LINE {
                    self.fault = Some(self.sentence("a line is too long"));
                }
                return Ok(());
            }
            if !line.trim_ascii().is_empty() {
                let placed = Placed {
                    line: &line,
                    begin: self.end,
                };
                match parse(placed) {
                    Ok(item) => self.items.push(item),
                    Err(what) => {
                        self.fault = Some(self.sentence(&what));
                        return Ok(());
                    }
                }
            }
            self.end += read;
            self.last = line;
        }
    }

    /// Whether the file still has the line read last in its place.
    fn is_continued(&self, file: &mut File) -> io::Result<bool> {
        if self.end == 0 {
            return Ok(true);
        }
        let begin = self.end - self.last.len() as u64;
        let mut there = vec![0; self.last.len()];
        file.seek(SeekFrom::Start(begin))?;
        match file.read_exact(&mut there) {
            Ok(()) => Ok(there == self.last),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn forget(&mut self) {
        self.items.clear();
        self.last.clear();
        (self.end, self.fault) = (0, None);
    }

    fn sentence(&self, what: &str) -> String {
        let name = self.path.file_name().unwrap_or_default().display();
        format!(
            "{name} cannot be read to its end: line {}: {what}",
            self.items.len() + 1
        )
    }
}

impl<T: DeserializeOwned> Tail<T> {
    /// Reads what is new, a JSON object for each line.
    pub(crate) fn refresh_json(&mut self) {
        self.refresh(|placed| {
            serde_json::from_slice(placed.line).map_err(|error| error.to_string())
        });
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    #[test]
    fn only_whole_lines_count_and_a_log_that_was_cut_is_read_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let mut tail = Tail::<u64>::new(path.clone());
        let mut seen = |now: &[u64]| {
            tail.refresh_json();
            assert_eq!((tail.items(), tail.fault()), (now, None));
        };
        seen(&[]);
        fs::write(&path, "1\n2\n3").unwrap();
        seen(&[1, 2]);
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"4\n\n5\n").unwrap();
        seen(&[1, 2, 34, 5]);
        fs::write(&path, "1\n").unwrap();
        seen(&[1]);
        // As long as before, but another run's.
        fs::write(&path, "7\n").unwrap();
        seen(&[7]);
        fs::remove_file(&path).unwrap();
        seen(&[]);
        fs::write(&path, "7\n{\n8\n").unwrap();
        tail.refresh_json();
        assert_eq!(tail.items(), [7]);
        let fault = tail.fault().unwrap();
        assert!(
            fault.starts_with("log.jsonl cannot be read to its end: line 2:"),
            "{fault}"
        );
    }
}
