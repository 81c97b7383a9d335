//! Every command shown in the README and in the guides is executed and its output compared.
//!
//! Commands stand in `console` blocks, each after a `$`. Times and speeds differ from run to run and
//! are not compared.

use crate::run::{project, upstar};

struct Shown {
    line: usize,
    command: String,
    output: Vec<String>,
}

/// The commands of the program among all commands shown.
fn shown(text: &str) -> Vec<Shown> {
    let mut found = Vec::new();
    let mut console = false;
    let mut ours = false;
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            console = line == "```console";
            ours = false;
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| console) {
            let words = ["upstar ", "cargo run --release -- "];
            let arguments = words.iter().find_map(|word| command.strip_prefix(word));
            ours = arguments.is_some();
            // It runs until it is stopped.
            let arguments = arguments.filter(|arguments| *arguments != "serve");
            found.extend(arguments.map(|arguments| Shown {
                line: index + 1,
                command: arguments.to_owned(),
                output: Vec::new(),
            }));
        } else if console && ours {
            let last = found.last_mut().expect("a command came before its output");
            last.output.push(line.to_owned());
        }
    }
    found
}

/// Splits a command as a shell does, as far as the README needs it: blanks and single quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in command.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().expect("there is a word").push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The line with each number that a clock gave replaced: before ` s` and ` a second`, after
/// `"seconds":`, and all numbers of a benchmark.
fn without_times(line: &str, benchmark: bool) -> String {
    let (line, json_time) = match line.split_once("\"seconds\":") {
        Some((before, after)) => (
            before,
            after.trim_start_matches(|c: char| !",}".contains(c)),
        ),
        None => (line, ""),
    };
    let mut words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
    for index in 0..words.len() {
        let follow = words.get(index + 1..).unwrap_or_default();
        let timed = follow.starts_with(&["s"]) || follow.starts_with(&["a", "second)"]);
        let is_number = words[index]
            .trim_start_matches('(')
            .starts_with(|c: char| c.is_ascii_digit());
        if is_number && (timed || benchmark) {
            words[index] = "NUMBER";
        }
    }
    words.join(" ") + json_time
}

/// The pages whose commands are executed.
const PAGES: [&str; 3] = ["README.md", "docs/guide.md", "docs/positions.md"];

#[test]
fn the_readme_shows_what_the_program_prints() {
    let mut count = 0;
    for page in PAGES {
        let text = std::fs::read_to_string(project().join(page)).expect("the page is there");
        let commands = shown(&text);
        count += commands.len();
        check(page, commands);
    }
    assert!(count >= 20, "the pages show commands");
}

fn check(page: &str, commands: Vec<Shown>) {
    let folder = tempfile::tempdir().expect("a folder to run in");
    for Shown {
        line,
        command,
        output,
    } in commands
    {
        let words = words(&command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = upstar(&words, folder.path(), b"");
        let printed = if ran.status == 2 {
            &ran.stderr
        } else {
            &ran.stdout
        };
        let comparable = |line: &str| without_times(line, words.starts_with(&["bench"]));
        let printed: Vec<String> = printed.lines().map(comparable).collect();
        let expected: Vec<String> = output.iter().map(|line| comparable(line)).collect();
        assert_eq!(printed, expected, "{page}:{line}: upstar {command}");
    }
}
