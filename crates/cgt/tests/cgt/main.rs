//! Tests of the crate as its users see it.
mod clobber;

#[test]
fn speed() {
    let mut games = upstar_cgt::Games::new();
    let mut known = std::collections::HashMap::new();
    let start = std::time::Instant::now();
    for length in 1..=14 {
        for row in clobber::rows(length) {
            clobber::row_value(&mut games, &mut known, &row);
        }
        println!("{length} {} {:?}", games.len(), start.elapsed());
    }
}
