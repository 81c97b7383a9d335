//! The example configurations that come with the program.

/// Their names, as for `upstar train --example NAME`, and what is in the files.
const EXAMPLES: [(&str, &str); 15] = [
    (
        "alphazero-clobber",
        include_str!("../configurations/alphazero/clobber.toml"),
    ),
    (
        "alphazero-clobber-4x4",
        include_str!("../configurations/alphazero/clobber-4x4.toml"),
    ),
    (
        "alphazero-clobber-5x5",
        include_str!("../configurations/alphazero/clobber-5x5.toml"),
    ),
    (
        "alphazero-clobber-larger-boards",
        include_str!("../configurations/alphazero/clobber-larger-boards.toml"),
    ),
    (
        "alphazero-othello",
        include_str!("../configurations/alphazero/othello.toml"),
    ),
    (
        "clobber-4x4-convolution",
        include_str!("../configurations/clobber-4x4-convolution.toml"),
    ),
    (
        "clobber-4x4-leiden2018",
        include_str!("../configurations/clobber-4x4-leiden2018.toml"),
    ),
    (
        "clobber-4x4-modern",
        include_str!("../configurations/clobber-4x4-modern.toml"),
    ),
    (
        "clobber-6x6-modern",
        include_str!("../configurations/clobber-6x6-modern.toml"),
    ),
    (
        "othello-4x4-examples",
        include_str!("../configurations/othello-4x4-examples.toml"),
    ),
    (
        "othello-4x4-growing-set",
        include_str!("../configurations/othello-4x4-growing-set.toml"),
    ),
    (
        "othello-4x4-modern",
        include_str!("../configurations/othello-4x4-modern.toml"),
    ),
    (
        "othello-8x8-modern",
        include_str!("../configurations/othello-8x8-modern.toml"),
    ),
    (
        "tune-alphazero-clobber-4x4",
        include_str!("../configurations/tune-alphazero-clobber-4x4.toml"),
    ),
    (
        "tune-clobber-4x4",
        include_str!("../configurations/tune-clobber-4x4.toml"),
    ),
];

/// The names of all examples.
pub fn example_names() -> impl Iterator<Item = &'static str> {
    EXAMPLES.iter().map(|(name, _)| *name)
}

/// The example of this name.
#[must_use]
pub fn example(name: &str) -> Option<&'static str> {
    let found = EXAMPLES.iter().find(|(other, _)| *other == name);
    found.map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// A file that was forgotten here would not come with the program.
    #[test]
    fn every_configuration_is_an_example() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("configurations");
        let mut count = 0;
        for (prefix, folder) in [
            ("", folder.clone()),
            ("alphazero-", folder.join("alphazero")),
        ] {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_file() {
                    let stem = path.file_stem().unwrap().to_str().unwrap();
                    let text = fs::read_to_string(&path).unwrap();
                    assert_eq!(example(&format!("{prefix}{stem}")), Some(&*text));
                    count += 1;
                }
            }
        }
        assert_eq!(count, EXAMPLES.len());
    }
}
