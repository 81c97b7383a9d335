//! t
use upstar_games::*;
use upstar_solve::clobber::*;
fn main() { 
    let cannibal = std::env::var("CANNIBAL").is_ok();
    let limit: u64 = std::env::var("LIMIT").map_or(10, |l| l.parse().unwrap());
    for text in std::env::args().skip(1) {
    let setup: Setup = match text.parse::<Grid>() { Ok(g) => upstar_games::clobber::checkerboard(g), _ => text.parse().unwrap() };
    let t = std::time::Instant::now();
    let mut w = Worth::of(&setup, cannibal, &ValueTables::in_memory(), &upstar_solve::Budget::unlimited().with_time(std::time::Duration::from_secs(limit)));
    let e = t.elapsed();
    println!("{text}: {:?} {:?} exact {}", w.value.map(|v| w.games.name(v).cut(60).to_string()), w.outcome, w.is_exact());
    if let Some(v) = w.value { let a = w.games.atomic_weight(v); println!("aw {:?} temp {:?}", a.map(|a| w.games.name(a).cut(50).to_string()), w.games.temperature(v).map(|t| t.to_string())); }
    println!("{e:?} {:?} {}", t.elapsed(), std::fs::read_to_string("/proc/self/status").unwrap().lines().find(|l| l.starts_with("VmHWM")).unwrap());
    }
}
