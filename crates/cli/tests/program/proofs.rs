//! Proof files: shown, dumped, played against, and checked by the other checker.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::tempdir;

use crate::run::{json, project, upstar};

/// Writes a proof into this folder.
fn prove(folder: &Path, words: &[&str], file: &str) {
    let words: Vec<&str> = ["solve"]
        .iter()
        .chain(words)
        .copied()
        .chain(["--proof", file])
        .collect();
    let ran = upstar(&words, folder, b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
}

#[test]
fn a_proof_is_shown_and_dumped() {
    let folder = tempdir().unwrap();
    prove(folder.path(), &["clobber", "4x5"], "4x5.proof");
    let (shown, status) = json(&["proof", "show", "4x5.proof"], folder.path());
    assert_eq!(status, 0);
    assert_eq!(shown[0]["winner"], "x");
    assert_eq!(shown[0]["first"], "c3c2");
    let (dumped, status) = json(&["proof", "dump", "4x5.proof"], folder.path());
    assert_eq!(status, 0);
    let count = |key: &str| dumped.iter().filter(|entry| !entry[key].is_null()).count();
    assert_eq!(shown[0]["nodes"], count("node"));
    assert_eq!(shown[0]["lemmas"], count("lemma"));
    let ran = upstar(&["proof", "show", "4x5.proof"], folder.path(), b"");
    assert!(
        ran.stdout.starts_with(
            "claim: x wins clobber xoxox|oxoxo|xoxox|oxoxo with x to move, beginning with c3c2\n"
        ),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("not checked"), "{}", ran.stdout);
}

#[test]
fn whoever_plays_against_a_proof_loses() {
    let folder = tempdir().unwrap();
    prove(folder.path(), &["clobber", "4x5"], "4x5.proof");
    prove(folder.path(), &["othello", "4x5", "--exact"], "o.proof");
    // Each line is the first legal move of some game; what is not legal is passed over with a word.
    let cells = ["a", "b", "c", "d", "e"];
    let mut moves = String::from("nonsense\n");
    for _ in 0..20 {
        for (index, col) in cells.iter().enumerate() {
            for row in 1..5 {
                for (to, near) in [(row - 1, index), (row + 1, index), (row, index + 1)] {
                    if let Some(near) = cells.get(near) {
                        moves += &format!("{col}{row}{near}{to}\n{near}{to}{col}{row}\n");
                    }
                }
            }
        }
    }
    let ran = upstar(
        &["proof", "play", "4x5.proof"],
        folder.path(),
        moves.as_bytes(),
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("x wins\n") || ran.stdout.trim_end().ends_with("x wins"),
        "{}",
        ran.stdout
    );
    for part in [
        "\nyou are o, the proof is x: it has an answer to each of your moves, so the result stands\ntype a move, or 'help'\n",
        "'nonsense' names no move on this board; ",
        " is legal here, 'moves' lists all, and 'help' says what else\n",
        "\nthe proof plays c3c2\n",
        "\nyou play ",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let cells: String = (0..20)
        .map(|cell| format!("{}{}\n", cells[cell % 5], cell / 5 + 1))
        .collect();
    let ran = upstar(
        &["proof", "play", "o.proof", "--json"],
        folder.path(),
        cells.repeat(20).as_bytes(),
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let last: serde_json::Value = serde_json::from_str(ran.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(last["over"], true, "{last}");
    assert!(
        last["result"].as_str().unwrap().starts_with("x wins"),
        "{last}"
    );
    // Input that ends leaves the game unfinished, with a word.
    let ran = upstar(&["proof", "play", "4x5.proof"], folder.path(), b"");
    assert_eq!(ran.status, 0);
    let last = ran.stdout.lines().last();
    assert_eq!(last, Some("the game is not over, the proof stands"));
}

#[test]
fn a_game_against_a_proof_answers_every_line() {
    let folder = tempdir().unwrap();
    prove(folder.path(), &["clobber", "2x3"], "2x3.proof");
    let input = b"a1a9\nmoves\nundo\n?\n";
    let ran = upstar(
        &["proof", "play", "2x3.proof", "--json"],
        folder.path(),
        input,
    );
    let lines = ran.stdout.lines();
    let lines: Vec<serde_json::Value> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    // The start, the proof's first move if it begins, and then an object for each line.
    let answers = &lines[lines.len() - 5..];
    let right = answers[0]["right"].as_str().unwrap();
    let error = "'a1a9' names no move on this board";
    assert_eq!(answers[0]["error"], error);
    assert_eq!(answers[1]["moves"][0], right);
    assert_eq!(answers[2]["message"], "there is nothing to take back");
    for (answer, part) in [(3, "undo    take back"), (4, "the game is not over")] {
        let message = answers[answer]["message"].as_str().unwrap();
        assert!(message.contains(part), "{message}");
    }
    // A move, the reply, and both taken back.
    let input = format!("{right}\nundo\nquit\n");
    let ran = upstar(
        &["proof", "play", "2x3.proof", "--json"],
        folder.path(),
        input.as_bytes(),
    );
    let lines = ran.stdout.lines();
    let lines: Vec<serde_json::Value> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let begins = lines.iter().position(|line| line["move"] == right).unwrap() - 1;
    assert_eq!(lines[begins + 3]["position"], lines[begins]["position"]);
    assert_eq!(lines[begins + 3]["to_move"], lines[begins]["to_move"]);
}

#[test]
fn a_text_is_not_called_a_proof_that_ends_too_early() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "xo\n").unwrap();
    for words in [
        &["check", "notes.txt"][..],
        &["proof", "show", "notes.txt"],
        &["proof", "dump", "notes.txt"],
        &["proof", "play", "notes.txt"],
    ] {
        let ran = upstar(words, folder.path(), b"");
        let said = ran.stdout + &ran.stderr;
        assert!(said.contains("this is not a proof"), "{words:?}: {said}");
        assert_ne!(ran.status, 0);
    }
}

/// What the checker in Python says about a file: its exit status and its words.
fn python(file: &Path) -> Option<(i32, String)> {
    let script = project().join("scripts/check_proof.py");
    let ran = Command::new("python3")
        .arg(script)
        .arg(file)
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    Some((
        ran.status.code()?,
        said + &String::from_utf8_lossy(&ran.stderr),
    ))
}

/// The checksum of the format, written once more.
fn checksum(start: u64, bytes: &[u8]) -> u64 {
    let mut state = start ^ bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        state = (state ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        state ^= state >> 32;
    }
    state
}

/// The blocks of a file: opening and content.
fn blocks(file: &[u8]) -> Vec<(u8, u32, Vec<u8>)> {
    let mut rest = &file[15..];
    let mut blocks = Vec::new();
    while !rest.is_empty() {
        let number = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().unwrap());
        let end = 9 + number(5) as usize;
        blocks.push((rest[0], number(1), rest[9..end].to_vec()));
        rest = &rest[end + 8..];
    }
    assert_eq!(blocks.pop().unwrap().0, b'T');
    blocks
}

/// A file of these blocks with right checksums and totals: a forgery that only the replies betray.
fn sealed(blocks: &[(u8, u32, Vec<u8>)]) -> Vec<u8> {
    let mut file = b"upstar-proof 1\n".to_vec();
    let (mut whole, mut counts) = (0, [0u64; 2]);
    let mut put = |kind: u8, count: u32, content: &[u8]| {
        let mut opening = vec![kind];
        opening.extend(count.to_le_bytes());
        opening.extend((content.len() as u32).to_le_bytes());
        let sum = checksum(checksum(0, &opening), content).to_le_bytes();
        file.extend([&opening[..], content, &sum].concat());
        sum
    };
    for (kind, count, content) in blocks {
        whole = checksum(whole, &put(*kind, *count, content));
        if *kind != b'H' {
            counts[usize::from(b"LO".contains(kind))] += u64::from(*count);
        }
    }
    let totals = [counts[0], counts[1], whole].map(u64::to_le_bytes).concat();
    put(b'T', 0, &totals);
    file
}

#[test]
fn the_checker_in_python_accepts_proofs_and_refuses_forged_ones() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("forged.proof");
    if python(&path).is_none() {
        eprintln!("skipped: there is no python3");
        return;
    }
    let verdict = |file: &[u8]| {
        fs::write(&path, file).unwrap();
        python(&path).unwrap()
    };
    prove(folder.path(), &["clobber", "4x5"], "4x5.proof");
    prove(folder.path(), &["othello", "4x5", "--exact"], "o.proof");
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let (clobber, othello) = (read("4x5.proof"), read("o.proof"));
    let (status, said) = verdict(&clobber);
    assert_eq!(status, 0, "{said}");
    assert!(said.starts_with("accepted: x wins clobber"), "{said}");
    assert_eq!(
        verdict(&sealed(&blocks(&clobber))).0,
        0,
        "sealing restores a file"
    );
    for file in [&clobber, &othello] {
        let honest = blocks(file);
        assert_eq!(sealed(&honest), *file);
        let refused = |file: &[u8], what: &str| {
            let (status, said) = verdict(file);
            assert!(
                status == 1 && said.starts_with("refused: "),
                "{what}: {said}"
            );
        };
        // Flipped bytes, a shorter file, a longer one, no proof at all.
        for place in (0..file.len()).step_by(file.len() / 8) {
            let mut flipped = file.clone();
            flipped[place] ^= 4;
            refused(&flipped, "a flipped bit");
        }
        refused(&file[..file.len() - 1], "a shorter file");
        refused(&[&file[..], b"\n"].concat(), "a longer file");
        refused(b"hello\n", "a text");
        // Another claim, with right checksums.
        let header = String::from_utf8(honest[0].2.clone()).unwrap();
        for (old, new) in [
            ("winner x", "winner o"),
            ("to-move x", "to-move o"),
            ("first c3c2", "first a1b1"),
            ("position xoxox|oxoxo", "position xoxox|oxox."),
            ("leaf-stones 12", "leaf-stones 11"),
            ("at-least 16", "at-least 17"),
            ("at-most 16", "at-most 15"),
            ("position .....|.ox..", "position x....|.ox.."),
        ] {
            if header.contains(old) {
                let mut forged = honest.clone();
                forged[0].2 = header.replace(old, new).into_bytes();
                refused(&sealed(&forged), new);
            }
        }
        // Replies that are removed or changed.
        for index in 1..honest.len() {
            let mut forged = honest.clone();
            if forged.remove(index).0 != b'L' {
                refused(&sealed(&forged), "a block less");
            }
            if honest[index].0 != b'L' {
                let mut forged = honest.clone();
                let middle = forged[index].2.len() / 2;
                forged[index].2[middle] ^= 0x55;
                refused(&sealed(&forged), "other replies");
            }
        }
    }
}

#[test]
fn the_checker_in_c_accepts_proofs_and_refuses_forged_ones() {
    let folder = tempdir().unwrap();
    let checker = folder.path().join("check_proof");
    let compiled = Command::new("cc")
        .args(["-O2", "-pthread", "-o"])
        .arg(&checker)
        .arg(project().join("scripts/check_proof.c"))
        .output();
    let Ok(compiled) = compiled else {
        eprintln!("skipped: there is no cc");
        return;
    };
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{said}");
    let verdict = |file: &[u8]| {
        let path = folder.path().join("forged.proof");
        fs::write(&path, file).unwrap();
        let ran = Command::new(&checker)
            .args(["--threads", "2"])
            .arg(path)
            .output()
            .unwrap();
        let said = [ran.stdout, ran.stderr].concat();
        (
            ran.status.code(),
            String::from_utf8_lossy(&said).into_owned(),
        )
    };
    let refused = |file: &[u8], why: &str| {
        let (status, said) = verdict(file);
        let expected = format!("refused: {why}");
        assert!(status == Some(1) && said.starts_with(&expected), "{said}");
    };

    // Boards of one row, of more rows than columns, and of either rules; a position with nothing but white stones left.
    for (game, board, claim) in [
        ("clobber", "1x20", "x wins"),
        ("clobber", "7x3", "x wins"),
        ("clobber:cannibal", "4x4", "x wins"),
        ("clobber:cannibal", "oooo|oooo|oxoo|oooo", "o wins"),
    ] {
        prove(folder.path(), &[game, board], "board.proof");
        let (status, said) = verdict(&fs::read(folder.path().join("board.proof")).unwrap());
        assert_eq!(status, Some(0), "{board}: {said}");
        let expected = format!("accepted: {claim} {game} ");
        assert!(said.starts_with(&expected), "{board}: {said}");
    }

    prove(folder.path(), &["clobber", "4x5"], "4x5.proof");
    let file = fs::read(folder.path().join("4x5.proof")).unwrap();
    let (status, said) = verdict(&file);
    let expected = "accepted: x wins clobber xoxox|oxoxo|xoxox|oxoxo with x to move by c3c2 (";
    assert!(status == Some(0) && said.starts_with(expected), "{said}");

    for place in (0..file.len()).step_by(file.len() / 8) {
        let mut flipped = file.clone();
        flipped[place] ^= 4;
        refused(&flipped, "");
    }
    refused(&file[..file.len() - 1], "the proof ends too early");
    refused(&[&file[..], b"\n"].concat(), "the order of blocks");
    refused(b"hello\n", "this is not a proof");
    let honest = blocks(&file);
    for (old, new, why) in [
        ("winner x", "winner o", "the first move is not possible"),
        ("to-move x", "to-move o", "the first move is not possible"),
        ("first c3c2", "first a1b1", "the proof has gaps"),
        ("xoxox|oxoxo\n", "xoxox|oxoxo|xoxox\n", "the proof has gaps"),
        ("leaf-stones 12", "leaf-stones 012", "the header"),
        ("game clobber\n", "game othello\n", "this checker knows"),
        (
            "position xoxox",
            "position a=x,b=o,a-b",
            "this checker knows",
        ),
    ] {
        let header = String::from_utf8(honest[0].2.clone()).unwrap();
        assert!(header.contains(old));
        let mut forged = honest.clone();
        forged[0].2 = header.replace(old, new).into_bytes();
        refused(&sealed(&forged), why);
    }
    for index in 1..honest.len() {
        let mut forged = honest.clone();
        let middle = forged[index].2.len() / 2;
        forged[index].2[middle] ^= 0x55;
        refused(&sealed(&forged), "");
    }
    let nothing: Vec<_> = honest
        .iter()
        .filter(|(kind, ..)| *kind != b'N')
        .cloned()
        .collect();
    refused(&sealed(&nothing), "the proof has gaps");

    let (status, said) = {
        let ran = Command::new(&checker)
            .arg("missing.proof")
            .output()
            .unwrap();
        (
            ran.status.code(),
            String::from_utf8_lossy(&ran.stderr).into_owned(),
        )
    };
    assert!(
        status == Some(2) && said.starts_with("error: missing.proof: "),
        "{said}"
    );
}
