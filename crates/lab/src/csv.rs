//! Comma-separated values, as far as the papers' tables need them: quotes, and doubled quotes in them.

/// The fields of each line.
pub(crate) fn read(text: &str) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    let (mut line, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => line.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                line.push(std::mem::take(&mut field));
                lines.push(std::mem::take(&mut line));
            }
            '\r' if !quoted => {}
            letter => field.push(letter),
        }
    }
    if !field.is_empty() || !line.is_empty() {
        line.push(field);
        lines.push(line);
    }
    lines
}

/// One line of fields.
pub(crate) fn line(fields: &[String]) -> String {
    let quoted = |field: &String| {
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.clone()
        }
    };
    fields.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let fields = ["a", "", "b,c", "d \"e\" f", "two\nlines"].map(str::to_owned);
        assert_eq!(read(&line(&fields)), [fields.to_vec()]);
        assert_eq!(read("a,b\n1,\n"), [["a", "b"], ["1", ""]]);
        assert_eq!(read("a,b\n1,2"), [["a", "b"], ["1", "2"]]);
    }
}
