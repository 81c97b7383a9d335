//! Positions with made-up targets, and networks to be compared with those of another library. The
//! crate of `oracles/` uses this file too.

use upstar_games::{Color, Grid, Random};
use upstar_nets::deep::{
    DeepNetwork, Design, Evaluator, Gradient, Learner, Lessons, Model, Observation, Planes,
    Settings,
};

/// Weights as after some learning: norms that do something, and outputs that are not small.
pub(crate) fn lively(design: Design, seed: u64) -> DeepNetwork {
    let mut random = Random::new(seed);
    let mut network = DeepNetwork::random(design, &mut random).unwrap();
    let names: Vec<String> = network
        .tensors()
        .map(|(name, ..)| name.to_owned())
        .collect();
    for name in names {
        let mut between = |low: f32, high: f32| low + (high - low) * random.unit() as f32;
        let numbers = network.tensor_mut(&name).unwrap();
        for number in numbers {
            if name.ends_with("norm.weight") {
                *number = between(0.5, 1.2);
            } else if name.ends_with("variance") {
                *number = between(0.5, 2.0);
            } else if name.ends_with("bias") || name.ends_with("mean") {
                *number = between(-0.3, 0.3);
            } else if name.ends_with("output.weight") {
                *number *= 10.0;
            }
        }
    }
    network
}

pub(crate) fn observations(grid: &Grid, count: usize, random: &mut Random) -> Vec<Observation> {
    let wide = |random: &mut Random| u128::from(random.bits()) << 64 | u128::from(random.bits());
    (0..count)
        .map(|_| {
            let (stones, side) = (wide(random) | wide(random), wide(random));
            let to_move = [Color::Black, Color::White][random.below(2) as usize];
            Observation {
                own: stones & side & grid.cells(),
                opponent: stones & !side & grid.cells(),
                to_move,
            }
        })
        .collect()
}

pub(crate) fn evaluate(
    evaluator: &mut Evaluator,
    observations: &[Observation],
) -> (Vec<f32>, Vec<f32>) {
    let mut policy = vec![0.0; observations.len() * evaluator.actions()];
    let mut value = vec![0.0; observations.len()];
    evaluator.evaluate(observations, &mut policy, &mut value);
    (policy, value)
}

/// Positions with made-up targets, the same for the same seed.
pub(crate) struct Course {
    pub(crate) grid: Grid,
    pub(crate) observations: Vec<Observation>,
    pub(crate) policy: Vec<f32>,
    pub(crate) legal: Vec<f32>,
    pub(crate) value: Vec<f32>,
}

impl Course {
    pub(crate) fn new(design: &Design, size: &str, count: usize, seed: u64) -> Self {
        let grid: Grid = size.parse().unwrap();
        let random = &mut Random::new(seed);
        let observations = observations(&grid, count, random);
        let actions = design.actions(&grid);
        let (mut policy, mut legal) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let best = random.below(actions as u32) as usize;
            for action in 0..actions {
                let is_legal = action == best || random.below(3) == 0;
                legal.push(f32::from(u8::from(is_legal)));
                policy.push(f32::from(u8::from(action == best)));
            }
        }
        let value = (0..count).map(|_| random.below(2) as f32 * 2.0 - 1.0);
        Self {
            grid,
            value: value.collect(),
            observations,
            policy,
            legal,
        }
    }

    pub(crate) fn lessons(&self) -> Lessons<'_> {
        Lessons {
            observations: &self.observations,
            grid: &self.grid,
            policy: &self.policy,
            legal: &self.legal,
            value: &self.value,
        }
    }
}

/// A network and a batch, on which libraries should agree.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) network: DeepNetwork,
    pub(crate) course: Course,
}

/// Every model, all planes, and widths that do and do not fill whole vectors.
pub(crate) fn cases() -> Vec<Case> {
    let designs = [
        ("clobber", None, Model::Resnet, Planes::Free, 32, 2),
        ("clobber", None, Model::Conv, Planes::Free, 20, 3),
        ("othello", None, Model::Resnet, Planes::Free, 48, 1),
        (
            "clobber",
            Some("4x6"),
            Model::Resnet,
            Planes::Jans2021Second,
            16,
            2,
        ),
        (
            "clobber",
            Some("4x6"),
            Model::Conv,
            Planes::Jans2021First,
            40,
            1,
        ),
        ("othello", Some("4x6"), Model::Mlp, Planes::Free, 24, 2),
    ];
    let case = |(game, board, model, planes, width, depth): (&str, Option<&str>, _, _, _, _)| {
        let design = Design {
            game: game.parse().unwrap(),
            board: board.map(|board| board.parse().unwrap()),
            model,
            planes,
            width,
            depth,
        };
        let mut course = Course::new(&design, "4x6", 21, 3);
        // The last position has nothing to choose.
        let last = course.policy.len() - design.actions(&course.grid);
        course.policy[last..].fill(0.0);
        course.legal[last..].fill(0.0);
        let board = board.unwrap_or("every size");
        Case {
            name: format!("{game} {board} {model} {planes} {width}x{depth}"),
            network: lively(design, 5),
            course,
        }
    };
    designs.map(case).into()
}

/// Numbers by name: logits, values, losses, slopes of each tensor and statistics of the batch.
pub(crate) type Named = Vec<(String, Vec<f32>)>;

/// What our kernels make of a case.
pub(crate) fn ours(case: &Case) -> Named {
    let Case {
        network, course, ..
    } = case;
    let mut evaluator = Evaluator::new(network, &course.grid).unwrap();
    let outputs = evaluate(&mut evaluator, &course.observations);
    let settings = Settings {
        learning_rate: 1e-3,
        weight_decay: 0.0,
    };
    let gradient = Learner::new(network.clone(), settings).gradient(&course.lessons());
    named(network, outputs, &gradient)
}

/// Names for what was computed.
pub(crate) fn named(
    network: &DeepNetwork,
    (logits, values): (Vec<f32>, Vec<f32>),
    gradient: &Gradient,
) -> Named {
    let mut list = vec![
        ("logits".to_owned(), logits),
        ("values".to_owned(), values),
        ("losses".to_owned(), gradient.losses.to_vec()),
    ];
    let mut first = 0;
    for (name, _, numbers) in network.tensors() {
        let range = first..first + numbers.len();
        first = range.end;
        let statistics = gradient
            .statistics
            .iter()
            .find(|(place, _)| *place == range);
        let numbers = statistics.map_or(&gradient.slopes[range], |(_, numbers)| numbers);
        list.push((name.to_owned(), numbers.to_vec()));
    }
    list
}

/// Asserts that numbers differ by a small part of the greatest of them at most.
pub(crate) fn assert_near(what: &str, ours: &[f32], theirs: &[f32]) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    let size = theirs.iter().fold(1e-3, |most: f32, it| most.max(it.abs()));
    let pairs = ours.iter().zip(theirs);
    let apart = pairs.fold(0.0, |most: f32, (a, b)| most.max((a - b).abs()));
    assert!(apart <= 2e-4 * size, "{what}: {apart} of {size}");
}

/// What is recorded of numbers: the root of the sum of all squares, and up to 24 of them.
pub(crate) fn digest(numbers: &[f32]) -> (f32, Vec<f32>) {
    let squares: f64 = numbers.iter().map(|&it| f64::from(it).powi(2)).sum();
    // A prime step meets all rows, columns and channels.
    let places = (0..numbers.len().min(24)).map(|index| index * 7919 % numbers.len());
    let some = places.map(|place| numbers[place]).collect();
    (squares.sqrt() as f32, some)
}
