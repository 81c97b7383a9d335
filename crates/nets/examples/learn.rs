//! Speed and strength of the network of leiden2018 against Random:
//! `learn BOARD HIDDEN ACTIVATION RATE TARGET GAMES SEEDS`, as in `learn 4x4 20 relu 2e-5 100 1000000 16`;
//! two hidden layers are `20+20`.

use cpu_time::ThreadTime;
use upstar_games::{Clobber, Color, Grid, Random, Rules, Variant, clobber};
use upstar_nets::{Encoder, Initial, Lesson, Network, Shape, VersusRandom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [board, hidden, activation, rate, target, games, seeds] = words.as_slice() else {
        return Err("there are seven words: 4x4 20 relu 2e-5 100 1000000 16".into());
    };
    let grid: Grid = board.parse()?;
    let (games, seeds): (u64, u64) = (games.parse()?, seeds.parse()?);
    let lesson = Lesson {
        learning_rate: rate.parse()?,
        target: target.parse()?,
        temporal_rate: 0.0,
        output_derivative: true,
        all_positions: false,
    };
    let shape = Shape {
        game: Variant::Clobber,
        grid,
        encoder: Encoder::Leiden2018,
        convolutions: Vec::new(),
        hidden: hidden
            .split('+')
            .map(str::parse)
            .collect::<Result<_, _>>()?,
        activation: activation.parse()?,
        output: activation.parse()?,
    };
    let shape = shape.checked()?;
    let game = Clobber::<u128>::new(grid);
    let start = game
        .position(&clobber::checkerboard(grid), Color::Black)
        .unwrap();
    for seed in 0..seeds {
        let network = Network::new(shape.clone(), Initial::LEIDEN2018, &mut Random::new(seed));
        let mut versus = VersusRandom::new(network, &game, &start, Color::Black)
            .ok_or("there is one hidden layer or two small ones, of relu or leaky-relu")?;
        let clock = ThreadTime::now();
        let learned = versus.learn(&lesson, seed, 0..games);
        let speed = games as f64 / clock.elapsed().as_secs_f64();
        let evaluated = versus.evaluate(seed, games..games + 100_000);
        println!(
            "{speed:.0} games/s, live gradients {:.3}, wins {:.4} in training, {:.4} after, dead {}",
            learned.live_gradient_share(),
            learned.win_rate(),
            evaluated.win_rate(),
            evaluated.is_dead()
        );
    }
    Ok(())
}
