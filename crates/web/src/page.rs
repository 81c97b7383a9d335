//! The page as one file: `index.html` with the styles and the script of all modules in it.
//!
//! A browser asks once and can draw; seventy modules one by one take it longer than everything else together. What may
//! run is said by the checksums of the script and the styles, so nothing else does.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::bundle::bundle;
use crate::guard::policy_of;

/// The page, and the content security policy that belongs to it.
pub(crate) struct Page {
    pub(crate) html: String,
    pub(crate) policy: String,
}

impl Page {
    /// Of the page that names its styles and its one module, and the files that it names.
    ///
    /// # Errors
    /// If a file is not there, or has something in it that cannot stand in a page.
    pub(crate) fn of(
        index: &str,
        note: &str,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, String> {
        let (mut styles, mut script) = (String::from("\n"), String::new());
        let mut lines = Vec::new();
        for line in index.lines() {
            if let Some(name) = between(line, "<link rel=\"stylesheet\" href=\"", "\">") {
                styles += &read(name).ok_or_else(|| format!("there are no styles {name}"))?;
            } else if let Some(name) = between(line, "<script type=\"module\" src=\"", "\">") {
                let modules = bundle(name, read)?;
                write!(script, "\n\"use strict\"; // {note}\n{modules}").expect("a text grows");
            } else {
                lines.push(line);
            }
        }
        for (name, text) in [("script", &script), ("style", &styles)] {
            if text.contains(&format!("</{name}")) || text.contains("<!--") {
                return Err(format!("something would end the element {name}"));
            }
        }
        let html = lines
            .join("\n")
            .replace("</head>", &format!("<style>{styles}</style>\n</head>"))
            .replace("</body>", &format!("<script>{script}</script>\n</body>"));
        let policy = policy_of(&sum(&script), &sum(&styles));
        Ok(Self { html, policy })
    }
}

/// What stands between two texts, if a line has them.
fn between<'a>(line: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(before)?;
    Some(rest.split_once(after)?.0)
}

/// The SHA-256 sum in base64.
fn sum(text: &str) -> String {
    base64(&Sha256::digest(text.as_bytes()))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |bytes: &[u8]| {
        let byte = |place: usize| u32::from(bytes.get(place).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let digit = |place: usize| match place <= bytes.len() {
            true => char::from(DIGITS[(bits >> (18 - 6 * place) & 63) as usize]),
            false => '=',
        };
        [0, 1, 2, 3].map(digit)
    };
    bytes.chunks(3).flat_map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_and_modules_stand_in_the_page() {
        let index = "<head>\n<link rel=\"stylesheet\" href=\"a.css\">\n<link rel=\"stylesheet\" href=\"b.css\">\n\
                     <script type=\"module\" src=\"main.js\"></script>\n</head>\n<body>\n</body>";
        let read = |name: &str| match name {
            "a.css" | "b.css" => Some(format!("/* {name} */\n")),
            "main.js" => Some("console.log(1);".to_owned()),
            "bad.js" => Some("const text = \"</script>\";".to_owned()),
            _ => None,
        };
        let page = Page::of(index, "note", &read).unwrap();
        let script = "\n\"use strict\"; // note\nconst m0 = (() => {\nconsole.log(1);\nreturn {  };\n})();\n";
        let expected = format!(
            "<head>\n<style>\n/* a.css */\n/* b.css */\n</style>\n</head>\n<body>\n<script>{script}</script>\n</body>"
        );
        assert_eq!(page.html, expected);
        let allowed = format!("script-src 'sha256-{}'", sum(script));
        assert!(page.policy.contains(&allowed), "{}", page.policy);
        let allowed = format!("style-src 'sha256-{}'", sum("\n/* a.css */\n/* b.css */\n"));
        assert!(page.policy.contains(&allowed), "{}", page.policy);
        let bad = index.replace("main.js", "bad.js");
        assert!(Page::of(&bad, "note", &read).is_err());
        let missing = index.replace("a.css", "c.css");
        assert!(Page::of(&missing, "note", &read).is_err());
    }

    /// The examples of RFC 4648, and the known sum of nothing.
    #[test]
    fn sums_are_written_in_base64() {
        for (text, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(text.as_bytes()), expected);
        }
        assert_eq!(sum(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }
}
