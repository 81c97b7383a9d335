//! The speed of the tree search that a network leads, with a network that takes no time: what `scripts/bench_python.py` compares
//! the Python package with. `cargo run --release -p upstar-agents --example puct`

use cpu_time::ThreadTime;
use upstar_agents::Resources;
use upstar_agents::puct::{Descent, Guidance, Puct};
use upstar_games::{AnyGame, Rules};

const SIMULATIONS: u32 = 50_000;
const BATCH: usize = 64;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let AnyGame::Clobber64(rules, start) = AnyGame::parse("clobber", "6x6")? else {
        unreachable!("a small board of Clobber")
    };
    let mut search = Puct::new(&rules, Guidance::default(), &Resources::default())?;
    let mut speeds = Vec::new();
    for _ in 0..5 {
        let begun = ThreadTime::now();
        search.begin(&start);
        let (mut made, mut leaves) = (0, Vec::new());
        while made < SIMULATIONS {
            while leaves.len() < BATCH && made < SIMULATIONS {
                match search.descend() {
                    Descent::Judge(leaf) => {
                        made += 1;
                        leaves.push(leaf);
                        if made == 1 {
                            break;
                        }
                    }
                    Descent::Known => made += 1,
                    Descent::Waiting | Descent::Proved => break,
                }
            }
            for leaf in leaves.drain(..) {
                let moves = rules.count_moves(&leaf.position) as usize;
                search.receive(&leaf, 0.0, &vec![1.0 / moves as f32; moves]);
            }
        }
        speeds.push(f64::from(SIMULATIONS) / begun.elapsed().as_secs_f64());
    }
    speeds.sort_by(f64::total_cmp);
    println!("{:.0} simulations a second", speeds[2]);
    Ok(())
}
