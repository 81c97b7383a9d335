//! The whole program, from Python.

use std::ffi::OsString;
use std::process::ExitCode;

use pyo3::prelude::*;

/// Does what a command line of `upstar` says, without the program's name, and returns its status. It takes over
/// signals and standard output: only for a process that does nothing else.
#[pyfunction]
#[pyo3(signature = (*words))]
pub(crate) fn program(py: Python<'_>, words: Vec<OsString>) -> u8 {
    let words = std::iter::once(OsString::from("upstar")).chain(words);
    let status = py.detach(|| upstar::run(words));
    let is_it = |number: &u8| status == ExitCode::from(*number);
    (0..=u8::MAX).find(is_it).unwrap_or(1)
}
