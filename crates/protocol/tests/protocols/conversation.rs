//! A server that runs on another thread, and the two ends of its pipes.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Nobody waits longer for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Somebody who talks to a server.
pub(crate) struct Conversation {
    requests: Option<Sender<String>>,
    answers: Receiver<String>,
    server: Option<JoinHandle<io::Result<()>>>,
}

/// The server's end of the input.
pub(crate) struct Requests {
    lines: Receiver<String>,
    rest: Vec<u8>,
}

/// The server's end of the output.
pub(crate) struct Answers {
    lines: Sender<String>,
    begun: Vec<u8>,
}

impl Conversation {
    /// Starts a server that is this function.
    pub(crate) fn with(
        serve: impl FnOnce(BufReader<Requests>, Answers) -> io::Result<()> + Send + 'static,
    ) -> Self {
        let (requests, lines) = mpsc::channel();
        let input = BufReader::new(Requests {
            lines,
            rest: Vec::new(),
        });
        let (lines, answers) = mpsc::channel();
        let output = Answers {
            lines,
            begun: Vec::new(),
        };
        Self {
            requests: Some(requests),
            answers,
            server: Some(thread::spawn(move || serve(input, output))),
        }
    }

    pub(crate) fn send(&self, line: &str) {
        let requests = self.requests.as_ref().expect("the input is open");
        // A server that has ended does not listen, which the next answer will show.
        let _ = requests.send(format!("{line}\n"));
    }

    /// The next line of the answer.
    pub(crate) fn line(&self) -> String {
        let line = self.answers.recv_timeout(PATIENCE);
        line.expect("the server answers in time")
    }

    /// The next line that this holds for.
    pub(crate) fn line_with(&self, wanted: impl Fn(&str) -> bool) -> String {
        std::iter::repeat_with(|| self.line())
            .find(|line| wanted(line))
            .expect("lines never end")
    }

    /// Closes the input, waits for the server to end, and gives what it still had to say.
    pub(crate) fn end(mut self) -> Vec<String> {
        self.requests = None;
        let server = self.server.take().expect("it was started");
        server.join().expect("no panic").expect("pipes work");
        self.answers.try_iter().collect()
    }
}

impl Read for Requests {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            match self.lines.recv() {
                Ok(line) => self.rest = line.into_bytes(),
                Err(_) => return Ok(0),
            }
        }
        let count = buffer.len().min(self.rest.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Only what was flushed can be read.
    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8(std::mem::take(&mut self.begun)).expect("UTF-8");
        assert!(text.ends_with('\n'), "a line is not whole: {text}");
        for line in text.lines() {
            let _ = self.lines.send(line.to_owned());
        }
        Ok(())
    }
}

/// The examples in a manual: what is sent, and the lines that come back.
pub(crate) fn examples(source: &str) -> Vec<(String, Vec<String>)> {
    let mut examples: Vec<(String, Vec<String>)> = Vec::new();
    for line in source.lines() {
        if let Some(sent) = line.strip_prefix("//! > ") {
            examples.push((sent.to_owned(), Vec::new()));
        } else if let Some(answer) = line.strip_prefix("//! <") {
            let (_, answers) = examples.last_mut().expect("somebody asked");
            answers.push(answer.strip_prefix(' ').unwrap_or(answer).to_owned());
        }
    }
    assert!(!examples.is_empty());
    examples
}

/// The same text without numbers, for times and the like.
pub(crate) fn without_numbers(text: &str) -> String {
    let letters = text
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c });
    let mut text: String = letters.filter(|&c| c != '-').collect();
    while text.contains("00") {
        text = text.replace("00", "0");
    }
    text
}
