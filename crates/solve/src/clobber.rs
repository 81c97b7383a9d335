//! Clobber as a sum of components.

mod census;
mod expand;
mod lookup;
mod model;
mod search;
mod shapes;
mod space;
mod sum;
mod values;

/// Trial.
pub fn trial(rows: usize, cols: usize, stones: usize, bytes: usize, learn: Option<&str>) {
    if rows <= 8 && cols <= 8 {
        trial_in::<8>(rows, cols, stones, bytes, learn);
    } else if rows <= 4 && cols <= 16 {
        trial_in::<16>(rows, cols, stones, bytes, learn);
    } else if rows <= 2 && cols <= 32 {
        trial_in::<32>(rows, cols, stones, bytes, learn);
    } else {
        trial_in::<64>(rows, cols, stones, bytes, learn);
    }
}

fn trial_in<const STRIDE: u32>(rows: usize, cols: usize, stones: usize, bytes: usize, weights: Option<&str>) {
    let begun = std::time::Instant::now();
    let family = shapes::Shapes::of_grid(if rows <= 2 {rows} else {stones}, stones);
    println!("shapes {} {:?}", family.shapes.len(), begun.elapsed());
    let census = census::census(&family, false, 2, &mut |n| println!("{n} {:?}", begun.elapsed()));
    let values = values::Values::new(&census.games);
    println!("values {} {:?}", values.len(), begun.elapsed());
    let space = space::Lattice::<STRIDE>;
    let bases = family.bases();
    let fits: Vec<(u64, u32)> = family
        .shapes
        .iter()
        .zip(&bases)
        .filter(|(s, _)| s.cells.iter().all(|c| usize::from(c.0) < rows && usize::from(c.1) < cols))
        .map(|(s, &b)| {
            (s.cells.iter().map(|c| 1u64 << (u32::from(c.0) * STRIDE + u32::from(c.1))).sum(), b as u32)
        })
        .collect();
    let entries = census.entries.iter().map(|v| values::Value(v.index() as u32)).collect();
    let lookup = lookup::Lookup::new(&fits, entries, stones as u32);
    let ground = sum::Ground { space, lookup, cannibal: false };
    let table = crate::table::Table::new(bytes).unwrap();
    let budget = crate::Budget::unlimited();
    let mut stones = [0u64; 2];
    for r in 0..rows {
        for c in 0..cols {
            stones[(r + c) % 2] |= 1 << (r * STRIDE as usize + c);
        }
    }
    let sum = ground.sum::<upstar_games::Portable>(stones, &values);
    let begun = std::time::Instant::now();
    let mut model = model::Model::new();
    let mut learn = true;
    if let Some(file) = weights {
        if let Ok(bytes) = std::fs::read(file) {
            let w = bytes.chunks(8).map(|c| [f32::from_le_bytes(c[..4].try_into().unwrap()), f32::from_le_bytes(c[4..].try_into().unwrap())]).collect();
            model.set_weights(w);
            learn = std::env::var("LEARN").is_ok();
        }
    }
    let mut search = search::Search {
        ground: &ground,
        values: &values,
        table: &table,
        isa: upstar_games::Isa::best(),
        model,
        learn,
        budget: &budget,
        nodes: 0,
        first_hits: [0; 2],
        lists: Vec::new(),
    };
    let win = search.wins(&sum, 0, 0);
    let t = begun.elapsed().as_secs_f64();
    println!("{rows}x{cols} {:?} nodes {} {:.2}s {:.0}/s first {:?} fill {:.3}", win, search.nodes, t, search.nodes as f64 / t, search.first_hits, table.fill());
    if learn && let Some(file) = weights {
        let bytes: Vec<u8> = search.model.weights().iter().flat_map(|w| [w[0].to_le_bytes(), w[1].to_le_bytes()].concat()).collect();
        std::fs::write(file, bytes).unwrap();
    }
}
