//! Lists the files below `experiments/`, so that they are part of the program.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let crate_folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where"));
    let folder = crate_folder.join("experiments");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    let mut text = String::from("&[\n");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.strip_prefix(&folder).expect("it is below the folder");
        let name = name.to_str().expect("names are plain").replace('\\', "/");
        let path = file.to_str().expect("names are plain");
        writeln!(text, "    ({name:?}, include_str!({path:?})),").expect("text takes it");
    }
    text += "]\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where"));
    fs::write(out.join("experiments.rs"), text)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            collect(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|ending| ending == "csv" || ending == "toml")
        {
            files.push(path);
        }
    }
    Ok(())
}
