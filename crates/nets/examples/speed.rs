//! prototype
use upstar_games::*;
use upstar_nets::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let hidden: usize = args[2].parse().unwrap();
    let activation: Activation = args[3].parse().unwrap();
    let grid: Grid = args[1].parse().unwrap();
    let rate: f32 = args[4].parse().unwrap();
    let target: f32 = args[5].parse().unwrap();
    let games: u64 = args[6].parse().unwrap();
    let seeds: u64 = args[7].parse().unwrap();
    for seed in 0..seeds {
        let shape = Shape {
            game: Variant::Clobber,
            grid,
            encoder: Encoder::Leiden2018,
            hidden: vec![hidden],
            activation,
            output: activation,
        };
        let network = Network::new(shape, Initial::LEIDEN2018, &mut Random::new(seed));
        let game = Clobber::<u64>::new(grid);
        let start = game.position(&clobber::checkerboard(grid), 0);
        let mut versus = VersusRandom::new(network, &game, &start, Color::Black).unwrap();
        let lesson = Lesson {
            learning_rate: rate,
            target,
            temporal_rate: 0.0,
        };
        let t = cpu_time::ThreadTime::now();
        let record = versus.learn(&lesson, seed, 0..games);
        let s = t.elapsed().as_secs_f64();
        let e = versus.evaluate(seed, games..games + 100_000);
        println!(
            "{} games/s live {:.3} win {:.4} eval {:.4} dead {} positions {}",
            (games as f64 / s) as u64,
            record.live_gradient_share(),
            record.win_rate(),
            e.win_rate(),
            e.is_dead(),
            record.positions as f64 / games as f64
        );
    }
}
