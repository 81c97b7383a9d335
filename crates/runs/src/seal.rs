//! JSON objects behind their own checksum, and lines before theirs.
//!
//! Whichever bit is changed, what comes out is the same object or none.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::checksum::checksum;

/// What stands before the checksum of a file, and behind it.
const BEGIN: &str = "{\"checksum\":\"";
const END: &str = "\",";

/// Why a text cannot be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// There is no checksum.
    Unsealed,
    /// It is another one's, or the object is not of the right kind.
    Damaged,
}

/// An object with a checksum before it.
pub(crate) fn seal(object: &impl Serialize) -> String {
    let text = serde_json::to_string(object).expect("it is plain data");
    let text = text.strip_prefix('{').expect("it is an object");
    format!("{BEGIN}{}{END}{text}", checksum(text.as_bytes()))
}

/// The object of a text that [`seal`] has made.
pub(crate) fn unseal<T: DeserializeOwned>(text: &str) -> Result<T, Broken> {
    let rest = text.strip_prefix(BEGIN).ok_or(Broken::Unsealed)?;
    let (known, rest) = rest.split_once(END).ok_or(Broken::Damaged)?;
    if known != checksum(rest.as_bytes()) {
        return Err(Broken::Damaged);
    }
    serde_json::from_str(&format!("{{{rest}")).map_err(|_| Broken::Damaged)
}

/// What stands before the checksum of a line, and behind it.
const LINE_BEGIN: &str = ",\"seal\":\"";
const LINE_END: &str = "\"}";

/// An object as a line with a checksum at its end.
pub(crate) fn seal_line(object: &impl Serialize) -> String {
    let text = serde_json::to_string(object).expect("it is plain data");
    let text = text.strip_suffix('}').expect("it is an object");
    format!("{text}{LINE_BEGIN}{}{LINE_END}", checksum(text.as_bytes()))
}

/// What a line says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineSeal {
    /// It has no checksum.
    None,
    /// It has its own.
    Whole,
    /// It has that of another line.
    Broken,
}

/// Looks at the checksum of a line.
pub(crate) fn line_seal(line: &[u8]) -> LineSeal {
    let parts = || -> Option<(&[u8], &[u8])> {
        let rest = line.trim_ascii().strip_suffix(LINE_END.as_bytes())?;
        let (rest, known) = rest.split_at_checked(rest.len().checked_sub(16)?)?;
        Some((rest.strip_suffix(LINE_BEGIN.as_bytes())?, known))
    };
    match parts() {
        None => LineSeal::None,
        Some((text, known)) if known == checksum(text).as_bytes() => LineSeal::Whole,
        Some(_) => LineSeal::Broken,
    }
}

/// The seals of a log, line by line: those of older programs have none, and behind a sealed line there are only
/// sealed ones.
#[derive(Debug, Default)]
pub(crate) struct Seals {
    begun: bool,
}

impl Seals {
    /// What is wrong with the next line's seal.
    pub(crate) fn check(&mut self, line: &[u8]) -> Result<(), &'static str> {
        match line_seal(line) {
            LineSeal::Whole => self.begun = true,
            LineSeal::Broken => return Err("it is damaged: its seal is broken"),
            LineSeal::None if self.begun => return Err("it is damaged: its seal is missing"),
            LineSeal::None => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_changed_bit_never_gives_another_object() {
        let object = BTreeMap::from([("nodes", 12_345_u64), ("won", 1)]);
        let sealed = seal(&object).into_bytes();
        let line = seal_line(&object).into_bytes();
        assert_eq!(line_seal(&line), LineSeal::Whole);
        let mut noticed = 0;
        for bit in 0..8 * sealed.len() {
            let mut changed = sealed.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let text = String::from_utf8_lossy(&changed);
            assert!(unseal::<BTreeMap<String, u64>>(&text).is_err());
        }
        for bit in 0..8 * line.len() {
            let mut changed = line.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let read = serde_json::from_slice::<BTreeMap<String, serde_json::Value>>(&changed);
            match read {
                Ok(read) if line_seal(&changed) != LineSeal::Broken => {
                    assert_eq!((&read["nodes"], &read["won"]), (&12_345.into(), &1.into()));
                }
                _ => noticed += 1,
            }
        }
        assert!(noticed > 7 * line.len());
    }
}
