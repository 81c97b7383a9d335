use std::time::{Duration, Instant};
use upstar_games::*;
use upstar_solve::classic::{Algorithm, solve};
use upstar_solve::*;

#[test]
#[ignore]
fn counts() {
    let mut cases: Vec<String> = (4..=12).map(|n| "xo".repeat(n)).collect();
    cases.extend(["3x4","2x6","4x4","3x5","2x8"].map(String::from));
    let mem: usize = std::env::var("MEM").ok().map_or(1<<28, |m| m.parse().unwrap());
    for text in cases {
        let AnyGame::Clobber64(game, start) = AnyGame::open(Variant::Clobber, &text.parse().unwrap(), None).unwrap() else {panic!()};
        print!("{text:26}");
        for a in Algorithm::ALL {
            let t = Instant::now();
            let v = solve(a, &game, &start, mem, &Budget::unlimited().with_time(Duration::from_secs(5)));
            let o = match v.outcome { None => "?", Some(Outcome::Win) => "W", Some(Outcome::Loss)=>"L", _=>"D"};
            print!(" {a} {o} {} {:.2}s |", v.nodes, t.elapsed().as_secs_f64());
        }
        println!();
    }
}
