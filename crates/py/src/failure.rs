//! What goes wrong is one exception, with the sentence that the program would print.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(
    upstar,
    UpstarError,
    PyValueError,
    "What cannot be done, and why."
);

/// The exception of an error.
pub(crate) fn refused(error: impl Display) -> PyErr {
    UpstarError::new_err(error.to_string())
}
