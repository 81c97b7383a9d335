//! Pages of documentation some parts of which are made by the program.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::failure::Failure;
use crate::output::write_file;

/// Writes parts into a file: a part NAME takes the place of what stands between the comments `<!-- NAME -->` and
/// `<!-- /NAME -->`, or is added with them at the end.
pub(crate) fn replace_parts(file: &Path, parts: &[(&str, String)]) -> Result<(), Failure> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::file(file, &error)),
    };
    let text = parts.iter().fold(text, |text, (name, part)| {
        let [begin, end] = [format!("<!-- {name} -->"), format!("<!-- /{name} -->")];
        let part = format!("{begin}\n{part}{end}");
        match (text.find(&begin), text.find(&end)) {
            (Some(from), Some(to)) if from < to => {
                format!("{}{part}{}", &text[..from], &text[to + end.len()..])
            }
            _ => format!("{text}{part}\n\n"),
        }
    });
    write_file(file, text)
}
