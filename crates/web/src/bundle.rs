//! The page's modules as one script: one answer of the server instead of seventy, or no server at all.
//!
//! Each module becomes a function that is called once; what it imports are constants, and what it exports is what the
//! function returns. This knows the few forms that the page's modules use, and refuses others.

use std::collections::BTreeMap;

/// One script of a module and all that it imports. `read` gives the text of a file by its name.
///
/// # Errors
/// If a module is not there, imports itself by way of others, or uses a form of import or export that is not known
/// here.
pub(crate) fn bundle(entry: &str, read: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut bundle = Bundle {
        read,
        numbers: BTreeMap::new(),
        open: Vec::new(),
        script: String::new(),
    };
    bundle.add(entry)?;
    Ok(bundle.script)
}

struct Bundle<'a> {
    read: &'a dyn Fn(&str) -> Option<String>,
    /// The number of each module that was begun.
    numbers: BTreeMap<String, usize>,
    /// The modules that were begun and are not added yet.
    open: Vec<String>,
    script: String,
}

impl Bundle<'_> {
    /// Adds a module behind those that it imports; returns its number.
    fn add(&mut self, name: &str) -> Result<usize, String> {
        if self.open.iter().any(|open| open == name) {
            return Err(format!("{name} imports itself by way of others"));
        }
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        let number = self.numbers.len();
        self.numbers.insert(name.to_owned(), number);
        self.open.push(name.to_owned());
        let text = (self.read)(name).ok_or_else(|| format!("there is no module {name}"))?;
        let (mut body, mut exports) = (String::new(), Vec::new());
        for line in without_comments(&text) {
            let line = match line.strip_prefix("import ") {
                Some(import) => self.import(name, import)?,
                None => {
                    let line = self.import_later(name, line)?;
                    exported(name, &line, &mut exports)?
                }
            };
            body += &line;
            body.push('\n');
        }
        self.open.pop();
        let exports = exports.join(", ");
        self.script +=
            &format!("const m{number} = (() => {{\n{body}return {{ {exports} }};\n}})();\n");
        Ok(number)
    }

    /// `{ a, b as c } from "./d.js";` as constants.
    fn import(&mut self, name: &str, import: &str) -> Result<String, String> {
        let unknown = || format!("{name}: an import of an unknown form: {import}");
        let (names, from) = import.split_once(" from ").ok_or_else(unknown)?;
        let path = from.trim_end().trim_end_matches(';').trim_matches('"');
        let number = self.add(&resolved(name, path).ok_or_else(unknown)?)?;
        Ok(format!(
            "const {} = m{number};",
            names.replace(" as ", ": ")
        ))
    }

    /// A line in which `import("./a.js")`, if it is there, is a promise of what is in the script already.
    fn import_later(&mut self, name: &str, line: &str) -> Result<String, String> {
        const BEGIN: &str = "() => import(\"";
        let Some((before, rest)) = line.split_once(BEGIN) else {
            return Ok(line.to_owned());
        };
        let unknown = || format!("{name}: an import of an unknown form: {line}");
        let (path, after) = rest.split_once("\")").ok_or_else(unknown)?;
        let number = self.add(&resolved(name, path).ok_or_else(unknown)?)?;
        Ok(format!("{before}() => Promise.resolve(m{number}){after}"))
    }
}

/// The lines of a module but for those that are comments.
fn without_comments(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter(move |line| {
        let line = line.trim();
        let begins = line.starts_with("/**") || line.starts_with("/*");
        let was_inside = inside;
        inside = (inside || begins) && !line.contains("*/");
        let is_comment = was_inside || begins && (inside || line.ends_with("*/"));
        !is_comment && !line.starts_with("//")
    })
}

/// A line without its `export`; what it exports is added.
fn exported(name: &str, line: &str, exports: &mut Vec<String>) -> Result<String, String> {
    // The libraries' way, at the end of one long line: export{a as b,c}
    if let Some((before, list)) = line.rsplit_once("export{") {
        let list = list.trim_end().trim_end_matches(';').trim_end_matches('}');
        let pair = |item: &str| match item.split_once(" as ") {
            Some((own, other)) => format!("{}: {}", other.trim(), own.trim()),
            None => item.trim().to_owned(),
        };
        exports.extend(list.split(',').map(pair));
        return Ok(before.to_owned());
    }
    let Some(rest) = line.strip_prefix("export ") else {
        return Ok(line.to_owned());
    };
    let declared = ["async function ", "function ", "const ", "class "];
    let after = declared.iter().find_map(|word| rest.strip_prefix(word));
    let after = after.ok_or_else(|| format!("{name}: an export of an unknown form: {line}"))?;
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let end = after.find(|c| !is_letter(c)).unwrap_or(after.len());
    exports.push(after[..end].to_owned());
    Ok(rest.to_owned())
}

/// The name of a module that another names by a path relative to its own.
fn resolved(from: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_become_one_script_in_their_order() {
        let files = [
            (
                "a/main.js",
                "import { one, two as zwei } from \"../b.js\";\nconsole.log(one, zwei());",
            ),
            (
                "b.js",
                "import { x } from \"./lib.js\";\nexport const one = x;\nexport function two() {}\nconst own = 1;",
            ),
            (
                "lib.js",
                "// What it is.\n/**\n * import nothing\n */\nvar a=1,b=2;export{a as x,b}",
            ),
        ];
        let read = |name: &str| {
            let found = files.iter().find(|(file, _)| *file == name);
            found.map(|(_, text)| (*text).to_owned())
        };
        let script = bundle("a/main.js", &read).unwrap();
        let expected = "const m2 = (() => {\nvar a=1,b=2;\nreturn { x: a, b };\n})();\n\
                        const m1 = (() => {\nconst { x } = m2;\nconst one = x;\nfunction two() {}\nconst own = 1;\nreturn { one, two };\n})();\n\
                        const m0 = (() => {\nconst { one, two: zwei } = m1;\nconsole.log(one, zwei());\nreturn {  };\n})();\n";
        assert_eq!(script, expected);
        assert_eq!(
            bundle("none.js", &read),
            Err("there is no module none.js".to_owned())
        );
        let later = |name: &str| match name {
            "main.js" => Some("const rooms = { a: () => import(\"./a.js\"), };".to_owned()),
            "a.js" => Some("export const a = 1;".to_owned()),
            "one.js" => Some("import { two } from \"./two.js\";".to_owned()),
            "two.js" => Some("import { one } from \"./one.js\";".to_owned()),
            _ => None,
        };
        let script = bundle("main.js", &later).unwrap();
        assert!(
            script.ends_with(
                "const rooms = { a: () => Promise.resolve(m1), };\nreturn {  };\n})();\n"
            )
        );
        assert!(bundle("one.js", &later).unwrap_err().contains("itself"));
        let odd = |name: &str| (name == "odd.js").then(|| "export default 1;".to_owned());
        assert!(bundle("odd.js", &odd).unwrap_err().contains("unknown form"));
    }
}
