//! Clobber as a sum of components.

mod anywhere;
mod bounds;
mod census;
mod engine;
mod expand;
mod journal;
mod learn;
mod lookup;
mod model;
mod play;
mod proving;
mod search;
mod shapes;
mod solver;
mod space;
mod sum;
mod value_table;
mod value_tables;
mod values;
mod weights;
mod worth;

pub use journal::{Journal, JournalError, Result};
pub use search::{Unwatched, Watch};
pub use solver::{Settings, Solver};
pub use value_table::{Kind, TableError, ValueTable};
pub use value_tables::ValueTables;
pub use weights::Weights;
pub use worth::{Component, Worth};

/// Trial.
pub fn trial(rows: usize, cols: usize, stones: usize, bytes: usize, weights: Option<&str>) {
    use std::sync::Arc;
    let begun = std::time::Instant::now();
    let kind = Kind { rows: if rows <= 2 { rows } else { stones }, stones, cannibal: false };
    let path = std::path::PathBuf::from("/tmp/tables").join(kind.file_name());
    std::fs::create_dir_all("/tmp/tables").unwrap();
    let table = ValueTable::open(&path, kind).unwrap_or_else(|e| {
        println!("{e}");
        let t = ValueTable::make(kind, 2, &mut |f| println!("{f:.3}"));
        t.save(&path).unwrap();
        t
    });
    println!("values {} {:?}", table.value_count(), begun.elapsed());
    let mut weights_now = vec![[0; 2]; model::WEIGHTS];
    let mut learn = true;
    if let Some(file) = weights {
        if let Ok(bytes) = std::fs::read(file) {
            weights_now = bytes.chunks(8).map(|c| [i32::from_le_bytes(c[..4].try_into().unwrap()), i32::from_le_bytes(c[4..].try_into().unwrap())]).collect();
            learn = std::env::var("LEARN").is_ok();
        }
    }
    let threads = std::env::var("THREADS").map_or(1, |t| t.parse().unwrap());
    let plan = engine::Plan { memory: bytes, threads, weights: weights_now, learn };
    let grid = upstar_games::Grid::new(rows, cols).unwrap();
    let mut engine = engine::engine(&grid.into(), Arc::new(table), false, &plan).unwrap();
    let setup = upstar_games::clobber::checkerboard(grid);
    let cpu = || std::fs::read_to_string("/proc/self/stat").unwrap().rsplit(')').next().unwrap().split_whitespace().skip(11).take(2).map(|t| t.parse::<f64>().unwrap()).sum::<f64>() / 100.0;
    let c0 = cpu();
    let begun = std::time::Instant::now();
    let (win, nodes) = engine.wins([setup.stones(0), setup.stones(1)], 0, &crate::Budget::unlimited(), &Unwatched);
    let t = begun.elapsed().as_secs_f64();
    let c = cpu() - c0;
    println!("{rows}x{cols} {:?} nodes {} {:.2}s cpu {:.2} {:.0}/cpus fill {:.3}", win, nodes, t, c, nodes as f64 / c, engine.table().fill());
    if let Some(learned) = engine.learned() && let Some(file) = weights {
        let bytes: Vec<u8> = learned.iter().flat_map(|w| [w[0].to_le_bytes(), w[1].to_le_bytes()].concat()).collect();
        std::fs::write(file, bytes).unwrap();
    }
}
