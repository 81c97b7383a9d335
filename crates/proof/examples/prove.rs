//! Proves a position by plain search and checks the proof: `prove 4x4 FILE [LEAF] [LEMMA] [THREADS]`;
//! with `-` for the position it checks the proof that is there.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use upstar_games::{Color, Start, Variant, clobber};
use upstar_jobs::{Budget, Unwatched};
use upstar_proof::clobber::{Arena, Plain, WriteOptions, write_file};
use upstar_proof::{CheckOptions, check_file};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [position, path, numbers @ ..] = &words[..] else {
        return Err("prove POSITION FILE [LEAF-STONES] [LEMMA-STONES] [THREADS]".into());
    };
    let number = |index: usize| numbers.get(index).map_or(Ok(8), |word| word.parse());
    let path = Path::new(path);
    if position != "-" {
        prove(position, path, number(0)?, number(1)?)?;
    }

    let options = CheckOptions {
        threads: numbers.get(2).map_or(Ok(1), |word| word.parse())?,
        ..CheckOptions::default()
    };
    let start = Instant::now();
    let checked = check_file(path, &options, &Budget::unlimited(), &Unwatched)?;
    let nodes = checked.nodes.max(1) as f64;
    println!(
        "{} nodes, {} lemmas, {} leaves, {} positions searched, {} passes, {} bytes",
        checked.nodes,
        checked.lemmas,
        checked.leaves,
        checked.positions,
        checked.passes,
        checked.bytes,
    );
    println!(
        "{:.2?}, {:.1} bytes per node",
        start.elapsed(),
        checked.bytes as f64 / nodes,
    );
    Ok(())
}

fn prove(
    position: &str,
    path: &Path,
    leaf_stones: u32,
    lemma_stones: u32,
) -> Result<(), Box<dyn Error>> {
    let setup = match position.parse()? {
        Start::Size(grid) => clobber::checkerboard(grid),
        Start::Given(setup) => setup,
        Start::Random { .. } => return Err("a position, not a random one".into()),
    };
    let arena = Arena::new(Variant::Clobber, &setup.board).expect("Clobber has an arena");
    let mut oracle = Plain::new(arena);
    let start = Instant::now();
    let claim = oracle.claim(Variant::Clobber, setup, Color::Black);
    println!("{} wins, {:.2?}", claim.winner, start.elapsed());

    let options = WriteOptions {
        leaf_stones,
        lemma_stones,
        ..WriteOptions::default()
    };
    let start = Instant::now();
    let written = write_file(
        path,
        &claim,
        &mut oracle,
        &options,
        &Budget::unlimited(),
        &Unwatched,
    )?;
    println!("{written:?}, {:.2?}", start.elapsed());
    Ok(())
}
