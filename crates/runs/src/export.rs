//! The log of a run for other programs: flat rows of numbers and words, as CSV and as events of TensorBoard.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value};

use crate::folder::MANIFEST;
use crate::kind::Kind;
use crate::lines::{Lines, LogError};

/// A line of a log without nesting: `loss.sum`, `eval.results.0`.
pub type FlatRow = Map<String, Value>;

/// The log of a run that grows while it goes on, and the key that counts; `None` for kinds without one.
fn log_of(kind: Kind) -> Option<(&'static str, &'static str)> {
    match kind {
        Kind::Train => Some(("results.jsonl", "games")),
        Kind::Alphazero => Some(("learner.jsonl", "step")),
        Kind::Solve => Some(("progress.jsonl", "nodes")),
        Kind::Tune => Some(("trials.jsonl", "trial")),
        Kind::Tournament => Some(("games.jsonl", "index")),
        Kind::Reproduce | Kind::Fit => None,
    }
}

/// All lines of the log of the run in this folder, flat. Empty if it has none yet, or its kind keeps none.
///
/// # Errors
/// If the log is damaged, or cannot be read.
pub fn flat_rows(folder: &Path, kind: Kind) -> Result<Vec<FlatRow>, LogError> {
    let Some((name, _)) = log_of(kind) else {
        return Ok(Vec::new());
    };
    let file = folder.join(name);
    if !file.exists() {
        return Ok(Vec::new());
    }
    let rows = Lines::<Map<String, Value>>::of(&file)?.map(|line| {
        let mut row = FlatRow::new();
        for (key, value) in line? {
            flatten(&key, value, &mut row);
        }
        Ok(row)
    });
    rows.collect()
}

fn flatten(key: &str, value: Value, row: &mut FlatRow) {
    match value {
        Value::Object(inner) => {
            for (name, value) in inner {
                flatten(&format!("{key}.{name}"), value, row);
            }
        }
        Value::Array(inner) => {
            for (place, value) in inner.into_iter().enumerate() {
                flatten(&format!("{key}.{place}"), value, row);
            }
        }
        value => {
            row.insert(key.to_owned(), value);
        }
    }
}

/// Rows of several runs as comma-separated values, with the run's name in the first column.
///
/// # Panics
/// Never: the text is made in memory.
#[must_use]
pub fn csv(runs: &[(String, Vec<FlatRow>)]) -> String {
    let rows = || runs.iter().flat_map(|(_, rows)| rows);
    let columns: BTreeSet<&String> = rows().flat_map(Map::keys).collect();
    let mut text = ::csv::Writer::from_writer(Vec::new());
    let head = ["run"]
        .into_iter()
        .chain(columns.iter().map(|name| name.as_str()));
    text.write_record(head).expect("memory takes it");
    for (name, rows) in runs {
        for row in rows {
            let fields = columns.iter().map(|column| match row.get(*column) {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(word)) => word.clone(),
                Some(other) => other.to_string(),
            });
            let record = [name.clone()].into_iter().chain(fields);
            text.write_record(record).expect("memory takes it");
        }
    }
    String::from_utf8(text.into_inner().expect("memory takes it")).expect("fields are text")
}

/// A file of events as TensorBoard reads them: every number of every row, over the key that counts.
#[must_use]
pub fn tensorboard(kind: Kind, rows: &[FlatRow], begun: f64) -> Vec<u8> {
    let counter = log_of(kind).map(|(_, key)| key).unwrap_or_default();
    let mut file = Vec::new();
    add_record(
        &mut file,
        &event(begun, None, &[text_field(3, "brain.Event:2")]),
    );
    for (place, row) in rows.iter().enumerate() {
        let step = row.get(counter).and_then(Value::as_u64);
        let step = step.unwrap_or(place as u64);
        let numbers = row.iter().filter(|(key, _)| *key != counter);
        let numbers = numbers.filter_map(|(key, value)| {
            let number = match value {
                Value::Bool(is_so) => f64::from(u8::from(*is_so)),
                other => other.as_f64()?,
            };
            let mut value = text_field(1, &key.replace('.', "/"));
            // Field 2, four bytes.
            value.push(2 << 3 | 5);
            value.extend((number as f32).to_le_bytes());
            Some(bytes_field(1, &value))
        });
        let summary: Vec<u8> = numbers.flatten().collect();
        let event = event(
            begun + place as f64,
            Some(step),
            &[bytes_field(5, &summary)],
        );
        add_record(&mut file, &event);
    }
    file
}

/// The name under which TensorBoard finds such a file.
pub const EVENTS: &str = "events.out.tfevents.0.upstar";

/// When a run began, in seconds of the epoch, by the time of its manifest.
#[must_use]
pub fn begun(folder: &Path) -> f64 {
    let modified = folder
        .join(MANIFEST)
        .metadata()
        .and_then(|data| data.modified());
    let since = modified
        .ok()
        .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or(0.0, |since| since.as_secs_f64())
}

/// An `Event` in the encoding of protocol buffers: wall time, step, and what is said.
fn event(time: f64, step: Option<u64>, said: &[Vec<u8>]) -> Vec<u8> {
    let mut event = vec![1 << 3 | 1];
    event.extend(time.to_le_bytes());
    if let Some(step) = step {
        event.push(2 << 3);
        add_varint(&mut event, step);
    }
    event.extend(said.concat());
    event
}

fn text_field(number: u8, text: &str) -> Vec<u8> {
    bytes_field(number, text.as_bytes())
}

fn bytes_field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut field = vec![number << 3 | 2];
    add_varint(&mut field, bytes.len() as u64);
    field.extend(bytes);
    field
}

fn add_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// A record of TensorFlow: length, its checksum, the bytes, their checksum.
fn add_record(file: &mut Vec<u8>, bytes: &[u8]) {
    let length = (bytes.len() as u64).to_le_bytes();
    file.extend(length);
    file.extend(masked_crc32c(&length).to_le_bytes());
    file.extend(bytes);
    file.extend(masked_crc32c(bytes).to_le_bytes());
}

/// CRC-32C (Castagnoli), turned and shifted as TensorFlow does.
fn masked_crc32c(bytes: &[u8]) -> u32 {
    let mut crc = !0u32;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            let carry = 0x82F6_3B78 & (crc & 1).wrapping_neg();
            crc = crc >> 1 ^ carry;
        }
    }
    let crc = !crc;
    crc.rotate_right(15).wrapping_add(0xA282_EAD8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<FlatRow> {
        let line = serde_json::json!({
            "step": 3, "loss": {"sum": 0.5}, "eval": [1, null], "phase": "learning"
        });
        let mut row = FlatRow::new();
        for (key, value) in line.as_object().unwrap().clone() {
            flatten(&key, value, &mut row);
        }
        vec![row]
    }

    #[test]
    fn nested_keys_become_columns() {
        let text = csv(&[("a".to_owned(), rows()), ("b".to_owned(), rows())]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "run,eval.0,eval.1,loss.sum,phase,step");
        assert_eq!(lines[1..], ["a,1,,0.5,learning,3", "b,1,,0.5,learning,3"]);
    }

    /// The check value of CRC-32C is 0xE3069283; masks and layout are those of TensorFlow's record format.
    #[test]
    fn records_are_those_of_tensorflow() {
        let crc = 0xE306_9283_u32.rotate_right(15).wrapping_add(0xA282_EAD8);
        assert_eq!(masked_crc32c(b"123456789"), crc);
        let file = tensorboard(Kind::Alphazero, &rows(), 1.0);
        let mut rest = &file[..];
        let mut events = Vec::new();
        while !rest.is_empty() {
            let (length, after) = rest.split_at(8);
            assert_eq!(after[..4], masked_crc32c(length).to_le_bytes());
            let length = u64::from_le_bytes(length.try_into().unwrap()) as usize;
            let bytes = &after[4..4 + length];
            assert_eq!(
                after[4 + length..8 + length],
                masked_crc32c(bytes).to_le_bytes()
            );
            events.push(bytes.to_vec());
            rest = &after[8 + length..];
        }
        assert_eq!(events.len(), 2);
        let contains = |part: &[u8]| events[1].windows(part.len()).any(|window| window == part);
        assert!(contains(b"loss/sum") && contains(&0.5f32.to_le_bytes()) && contains(b"eval/0"));
        assert!(!contains(b"phase") && !contains(b"step"));
    }
}
