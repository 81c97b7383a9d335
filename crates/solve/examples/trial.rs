//! trial
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n = |i: usize| a[i].parse::<usize>().unwrap();
    upstar_solve::clobber::trial(n(1), n(2), n(3), n(4) << 20, a.get(5).map(|s| s.as_str()));
}
