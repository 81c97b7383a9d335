//! The table of values: made, shown, verified, and refused when it is damaged.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::tempdir;

fn upstar(cache: &Path, words: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_upstar"))
        .args(words)
        .env("UPSTAR_CACHE", cache)
        .output()
        .expect("upstar runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (
        output.status.code().expect("it exits"),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn a_table_is_built_shown_and_verified() {
    let cache = tempdir().unwrap();
    let small = |action: &'static str| ["table", action, "--stones", "6"];
    let (status, ..) = upstar(cache.path(), &small("info"));
    assert_eq!(status, 2);
    for (action, word) in [
        ("build", "built"),
        ("info", "whole"),
        ("verify", "verified"),
    ] {
        let (status, out, err) = upstar(cache.path(), &small(action));
        assert_eq!(status, 0, "{err}");
        assert!(
            out.starts_with(&format!(
                "{word}: Clobber components of at most 6 stones\n16,202 components"
            )),
            "{out}"
        );
    }
}

#[test]
fn a_damaged_table_is_refused() {
    let cache = tempdir().unwrap();
    let solve = ["solve", "clobber", "3x4"];
    let (status, ..) = upstar(cache.path(), &solve);
    assert_eq!(status, 0);
    let file = fs::read_dir(cache.path())
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let whole = fs::read(&file).unwrap();
    for place in (0..whole.len()).step_by(whole.len() / 50) {
        let mut damaged = whole.clone();
        damaged[place] ^= 1;
        fs::write(&file, &damaged).unwrap();
        let (status, out, err) = upstar(cache.path(), &solve);
        assert_eq!((status, out.as_str()), (2, ""), "byte {place}: {err}");
        assert!(err.contains("right: upstar table build"), "{err}");
    }
    for bytes in [&whole[..whole.len() - 1], &whole[..40], b""] {
        fs::write(&file, bytes).unwrap();
        let (status, ..) = upstar(cache.path(), &solve);
        assert_eq!(status, 2);
    }
    fs::write(&file, &whole).unwrap();
    assert_eq!(upstar(cache.path(), &solve).0, 0);
}

#[test]
fn a_folder_that_cannot_be_written_is_no_reason_to_fail() {
    let cache = tempdir().unwrap();
    let file = cache.path().join("file");
    fs::write(&file, "").unwrap();
    let (status, out, err) = upstar(&file.join("below"), &["solve", "clobber", "3x4"]);
    assert_eq!(status, 0, "{err}");
    assert!(out.starts_with("o wins (proved)"));
}
