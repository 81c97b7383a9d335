//! How many positions a second large networks judge: `deep [BATCH …]`, as in `deep 1 8 32 128`; and how
//! many they learn: `deep learn BATCH`.

use std::time::Instant;

use cpu_time::ThreadTime;
use upstar_games::{Clobber, Color, Grid, Random, Rules, Variant, clobber};
use upstar_machine::Isa;
use upstar_nets::deep::{Acting, DeepNetwork, Design, Evaluator, Model, Observation, Planes};

const NETWORKS: [(&str, usize, usize); 4] = [
    ("5x6", 64, 6),
    ("5x6", 128, 6),
    ("5x6", 32, 4),
    ("10x10", 64, 8),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [verb, batch] = words.as_slice()
        && verb == "learn"
    {
        return learning(batch.parse()?);
    }
    let batches: Result<Vec<usize>, _> = words.iter().map(|word| word.parse()).collect();
    let mut batches = batches?;
    if batches.is_empty() {
        batches = vec![1, 8, 32, 128];
    }
    for (board, width, depth) in NETWORKS {
        let grid: Grid = board.parse()?;
        for heads in [Some(grid), None] {
            let design = Design {
                game: Variant::Clobber,
                board: heads,
                model: Model::Resnet,
                planes: Planes::Free,
                width,
                depth,
            };
            let network = DeepNetwork::random(design, &mut Random::new(1))?;
            for isa in Isa::available() {
                let mut evaluator = Evaluator::new(&network, &grid)?.on(isa);
                let kind = if heads.is_some() {
                    "one board"
                } else {
                    "every size"
                };
                print!("{board} {width}x{depth}, {kind}, {isa:?}:");
                for &batch in &batches {
                    let observations = observations(grid, batch);
                    print!("  {batch}: {:.0}/s", speed(&mut evaluator, &observations));
                }
                println!();
            }
        }
    }
    Ok(())
}

/// Positions of a random game, again and again.
fn observations(grid: Grid, count: usize) -> Vec<Observation> {
    let game = Clobber::<u128>::new(grid);
    let start = game
        .position(&clobber::checkerboard(grid), Color::Black)
        .unwrap();
    let mut random = Random::new(7);
    let mut position = start;
    let mut observations = Vec::new();
    while observations.len() < count {
        observations.push(game.observe(&position));
        let moves: Vec<_> = game.moves(&position).collect();
        position = match moves.len() {
            0 => start,
            count => game.play_unchecked(&position, moves[random.below(count as u32) as usize]),
        };
    }
    observations
}

/// Positions per CPU second: the best of a few short measurements.
fn speed(evaluator: &mut Evaluator, observations: &[Observation]) -> f64 {
    let mut policy = vec![0.0; observations.len() * evaluator.actions()];
    let mut value = vec![0.0; observations.len()];
    let mut best: f64 = 0.0;
    for _ in 0..5 {
        let clock = ThreadTime::now();
        let mut count = 0;
        while clock.elapsed().as_secs_f64() < 0.1 {
            evaluator.evaluate(observations, &mut policy, &mut value);
            count += observations.len();
        }
        best = best.max(count as f64 / clock.elapsed().as_secs_f64());
    }
    best
}

/// Positions learned per second of the clock and of the processor.
fn learning(batch: usize) -> Result<(), Box<dyn std::error::Error>> {
    use upstar_nets::deep::{Learner, Lessons, Losses, Settings};
    for (board, width, depth) in [("5x6", 64, 6), ("5x6", 32, 4), ("4x4", 32, 4)] {
        let grid: Grid = board.parse()?;
        let design = Design {
            game: Variant::Clobber,
            board: None,
            model: Model::Resnet,
            planes: Planes::Free,
            width,
            depth,
        };
        let actions = design.actions(&grid);
        let network = DeepNetwork::random(design, &mut Random::new(1))?;
        let settings = Settings {
            learning_rate: 1e-3,
            weight_decay: 1e-4,
        };
        let mut learner = Learner::new(network, settings);
        let observations = observations(grid, batch);
        let lessons = Lessons {
            observations: &observations,
            grid: &grid,
            policy: &vec![1.0 / actions as f32; batch * actions],
            legal: &vec![1.0; batch * actions],
            value: &vec![0.5; batch],
        };
        let mut measure = |name: &str, step: fn(&mut Learner, &Lessons) -> Losses| {
            step(&mut learner, &lessons);
            let (clock, processor) = (Instant::now(), cpu_time::ProcessTime::now());
            let mut positions = 0;
            while clock.elapsed().as_secs_f64() < 4.0 {
                step(&mut learner, &lessons);
                positions += batch;
            }
            println!(
                "{board} {width}x{depth} {name}: {:.0}/s, {:.0} per CPU second",
                positions as f64 / clock.elapsed().as_secs_f64(),
                positions as f64 / processor.elapsed().as_secs_f64()
            );
        };
        measure("ours", Learner::step);
    }
    Ok(())
}
