//! Large networks: the fast kernel against plain loops, files, actions, and learning.

use upstar_games::{Clobber, Color, Grid, Othello, Random, Rules, Variant, clobber, othello};
use upstar_machine::Isa;
use upstar_nets::FileError;
use upstar_nets::deep::{Acting, DeepNetwork, Design, Evaluator, Model, Observation, Planes};

use crate::course::{Course, evaluate, lively, observations};

fn design(game: &str, board: Option<&str>, model: Model, planes: Planes) -> Design {
    Design {
        game: game.parse().unwrap(),
        board: board.map(|board| board.parse().unwrap()),
        model,
        planes,
        width: 32,
        depth: 3,
    }
}

/// The greatest difference between the fast kernel and the plain loops.
fn difference(network: &DeepNetwork, grid: &Grid, count: usize) -> f32 {
    let observations = observations(grid, count, &mut Random::new(5));
    let plain: Vec<_> = observations
        .iter()
        .map(|observation| network.plain(grid, observation).unwrap())
        .collect();
    let mut most: f32 = 0.0;
    let both = [Evaluator::new, Evaluator::direct].map(|make| make(network, grid).unwrap());
    let all = Isa::available().into_iter();
    for mut evaluator in all.flat_map(|isa| both.clone().map(|it| it.on(isa))) {
        let (policy, value) = evaluate(&mut evaluator, &observations);
        for (index, (logits, expected)) in plain.iter().enumerate() {
            let actions = evaluator.actions();
            let found = &policy[index * actions..][..actions];
            assert_eq!(found.len(), logits.len());
            for (found, expected) in found.iter().zip(logits) {
                most = most.max((found - expected).abs());
            }
            most = most.max((value[index] - expected).abs());
        }
    }
    most
}

#[test]
fn the_kernel_agrees_with_plain_loops_on_every_size() {
    let sizes = [
        "3x3", "4x4", "5x5", "5x6", "7x3", "1x9", "8x8", "10x10", "2x11", "16x8",
    ];
    for size in sizes {
        for (game, model) in [("clobber", Model::Resnet), ("othello", Model::Conv)] {
            let network = lively(design(game, None, model, Planes::Free), 1);
            let grid: Grid = size.parse().unwrap();
            let difference = difference(&network, &grid, 2);
            assert!(difference < 1e-4, "{size} {model}: {difference}");
        }
    }
}

#[test]
fn the_kernel_agrees_with_plain_loops_for_every_model_and_all_planes() {
    for size in ["3x3", "5x6", "7x5"] {
        for model in Model::ALL {
            for planes in Planes::ALL {
                for game in ["clobber", "othello"] {
                    let network = lively(design(game, Some(size), model, planes), 2);
                    let difference = difference(&network, &size.parse().unwrap(), 3);
                    assert!(difference < 1e-4, "{size} {model} {planes}: {difference}");
                }
            }
        }
    }
}

#[test]
fn the_kernel_agrees_with_plain_loops_for_every_width() {
    let grid: Grid = "4x5".parse().unwrap();
    for width in [1, 5, 16, 17, 40, 96, 130] {
        for board in [None, Some(grid)] {
            let design = Design {
                board,
                width,
                depth: 1,
                ..design("clobber", None, Model::Resnet, Planes::Free)
            };
            let difference = difference(&lively(design, 3), &grid, 2);
            assert!(difference < 1e-4, "{width}: {difference}");
        }
    }
}

#[test]
fn a_deep_network_rounds_little() {
    let design = Design {
        width: 48,
        depth: 10,
        ..design("clobber", None, Model::Resnet, Planes::Free)
    };
    let difference = difference(&lively(design, 4), &"8x8".parse().unwrap(), 1);
    assert!(difference < 1e-4, "{difference}");
}

#[test]
fn a_position_is_judged_alike_alone_and_in_every_batch() {
    for (model, board) in [(Model::Resnet, None), (Model::Mlp, Some("5x6"))] {
        let grid: Grid = "5x6".parse().unwrap();
        let network = lively(design("clobber", board, model, Planes::Free), 1);
        let observations = observations(&grid, 67, &mut Random::new(8));
        let mut evaluator = Evaluator::new(&network, &grid).unwrap();
        let (policy, value) = evaluate(&mut evaluator, &observations);
        for size in [1, 2, 3, 7, 16, 33] {
            let actions = evaluator.actions();
            let batches = observations.chunks(size).zip(policy.chunks(size * actions));
            for ((observations, policy), value) in batches.zip(value.chunks(size)) {
                let (found, values) = evaluate(&mut evaluator, observations);
                assert_eq!((&*found, &*values), (policy, value), "{model} {size}");
            }
        }
    }
}

#[test]
fn planes_show_what_they_say() {
    let grid: Grid = "2x2".parse().unwrap();
    let observation = |to_move| Observation {
        own: 0b0001,
        opponent: 0b0110,
        to_move,
    };
    // With own stones and the opponent's exchanged, and the turn: the same board for both sides.
    let other = Observation {
        own: 0b0110,
        opponent: 0b0001,
        to_move: Color::White,
    };
    let says = |planes, observation: &Observation| {
        let network = lively(design("clobber", Some("2x2"), Model::Mlp, planes), 6);
        network.plain(&grid, observation).unwrap()
    };
    let (black, white) = (observation(Color::Black), observation(Color::White));
    for planes in [
        Planes::Jans2021First,
        Planes::Jans2021Second,
        Planes::ByColor,
    ] {
        assert_ne!(says(planes, &black), says(planes, &white));
    }
    assert_eq!(says(Planes::Free, &black), says(Planes::Free, &white));
    assert_eq!(
        says(Planes::Jans2021First, &black),
        says(Planes::Jans2021First, &other),
        "the first planes do not show whose turn it is"
    );
    for planes in [Planes::Jans2021Second, Planes::ByColor] {
        assert_ne!(says(planes, &black), says(planes, &other));
    }
    assert_eq!(
        says(Planes::Jans2021Second, &black),
        says(Planes::ByColor, &black),
        "colours are inverted when White moves only"
    );
    assert_ne!(
        says(Planes::Jans2021Second, &white),
        says(Planes::ByColor, &white)
    );
}

#[test]
fn every_move_is_an_action_of_its_own() {
    let grid: Grid = "5x6".parse().unwrap();
    let game = Clobber::<u64>::new(grid);
    let start = game
        .position(&clobber::checkerboard(grid), Color::Black)
        .unwrap();
    let names = |name: &str| game.action(game.move_named(name).unwrap());
    assert_eq!(names("b2b1"), Some((6 + 1) * 4));
    assert_eq!(names("b2a2"), Some((6 + 1) * 4 + 1));
    assert_eq!(names("b2b3"), Some((6 + 1) * 4 + 2));
    assert_eq!(names("b2c2"), Some((6 + 1) * 4 + 3));
    // In the order of moves.
    let actions: Vec<_> = game.moves(&start).map(|mv| game.action(mv)).collect();
    assert!(actions.is_sorted_by(|a, b| a < b));
    for size in ["1x5", "5x1"] {
        let grid: Grid = size.parse().unwrap();
        let game = Clobber::<u128>::new(grid);
        let start = game
            .position(&clobber::checkerboard(grid), Color::Black)
            .unwrap();
        let actions: Vec<_> = game.moves(&start).map(|mv| game.action(mv)).collect();
        assert!(actions.is_sorted_by(|a, b| a < b), "{size}: {actions:?}");
    }
    let game = Othello::<u64>::new("6x6".parse().unwrap());
    assert_eq!(game.action(game.move_named("c2").unwrap()), Some(6 + 2));
    assert_eq!(game.action(othello::Move::Pass), None);
}

#[test]
fn designs_beyond_the_limits_are_refused() {
    let good = design("clobber", None, Model::Resnet, Planes::Free);
    assert_eq!(good.check(), Ok(()));
    let holes = "3x3".parse::<Grid>().unwrap().with_holes(1);
    let wrong = [
        Design {
            width: 0,
            ..good.clone()
        },
        Design {
            depth: 65,
            ..good.clone()
        },
        Design {
            width: 1024,
            depth: 64,
            ..good.clone()
        },
        Design {
            model: Model::Mlp,
            ..good.clone()
        },
        Design {
            planes: Planes::Jans2021Second,
            ..good.clone()
        },
        Design {
            game: Variant::Reversi,
            ..good.clone()
        },
        Design {
            board: Some(holes),
            ..good.clone()
        },
    ];
    for design in wrong {
        let sentence = design.check().unwrap_err().to_string();
        assert!(sentence.len() > 20, "{sentence}");
        assert!(DeepNetwork::random(design, &mut Random::new(1)).is_err());
    }
    assert!("resnet".parse::<Model>().is_ok() && "Resnet".parse::<Model>().is_err());
    assert_eq!("jans2021-second".parse(), Ok(Planes::Jans2021Second));
}

#[test]
fn a_network_refuses_boards_that_it_is_not_for() {
    let fixed = lively(design("othello", Some("6x6"), Model::Conv, Planes::Free), 1);
    let other: Grid = "6x7".parse().unwrap();
    let misfit = Evaluator::new(&fixed, &other).err().unwrap().to_string();
    assert_eq!(misfit, "this network is for othello 6x6, not for 6x7");
    let holes = "6x6".parse::<Grid>().unwrap().with_holes(1);
    assert!(Evaluator::new(&fixed, &holes).is_err());
    let free = lively(design("clobber", None, Model::Conv, Planes::Free), 1);
    assert!(Evaluator::new(&free, &holes).is_ok());
}

#[test]
fn files_are_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("network.safetensors");
    for board in [None, Some("4x4")] {
        let network = lively(design("clobber", board, Model::Resnet, Planes::Free), 1);
        network.save(&path).unwrap();
        assert_eq!(DeepNetwork::load(&path).unwrap(), network);
        assert_eq!(network.to_bytes(), std::fs::read(&path).unwrap());
    }
}

#[test]
fn damaged_files_are_refused() {
    let design = Design {
        width: 4,
        depth: 1,
        ..design("clobber", Some("3x3"), Model::Resnet, Planes::Free)
    };
    let network = lively(design, 1);
    let bytes = network.to_bytes();
    for len in (0..bytes.len()).step_by(97) {
        assert!(DeepNetwork::from_bytes(&bytes[..len]).is_err(), "{len}");
    }
    for place in (0..bytes.len()).step_by(13) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        // A flipped bit in the header may be harmless: a space more, the same number.
        if let Ok(read) = DeepNetwork::from_bytes(&damaged) {
            assert_eq!(read, network, "{place}");
        }
    }
    assert!(matches!(
        DeepNetwork::from_bytes(b"no network"),
        Err(FileError::Foreign)
    ));
    let text = String::from_utf8_lossy(&bytes).into_owned();
    assert!(text.contains("conv.weight"));
    let version = bytes
        .windows(12)
        .position(|it| it == b"\\\"format\\\":1")
        .unwrap();
    let mut newer = bytes;
    newer[version + 11] = b'7';
    assert!(matches!(
        DeepNetwork::from_bytes(&newer),
        Err(FileError::Version(7))
    ));
}

mod learning {
    use upstar_nets::deep::{Learner, Settings};

    use super::*;

    const SETTINGS: Settings = Settings {
        learning_rate: 4e-3,
        weight_decay: 1e-4,
    };

    fn small(board: Option<&str>, model: Model, planes: Planes) -> Design {
        Design {
            width: 16,
            depth: 2,
            ..design("clobber", board, model, planes)
        }
    }

    fn designs() -> [Design; 4] {
        [
            small(None, Model::Resnet, Planes::Free),
            small(Some("3x4"), Model::Resnet, Planes::Jans2021Second),
            small(Some("3x4"), Model::Conv, Planes::Jans2021First),
            small(Some("3x4"), Model::Mlp, Planes::Free),
        ]
    }

    fn learner(design: &Design) -> Learner {
        let network = DeepNetwork::random(design.clone(), &mut Random::new(1)).unwrap();
        Learner::new(network, SETTINGS)
    }

    #[test]
    fn threads_do_not_matter() {
        for design in designs() {
            let course = Course::new(&design, "3x4", 75, 6);
            let taught = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                pool.build().unwrap().install(|| {
                    let mut learner = learner(&design);
                    learner.step(&course.lessons());
                    learner.step(&course.lessons());
                    learner.to_bytes()
                })
            };
            assert!(taught(1) == taught(3), "{design:?}");
        }
    }

    #[test]
    fn sixty_four_positions_are_learned_by_heart() {
        for design in designs() {
            let course = Course::new(&design, "3x4", 64, 4);
            let mut learner = learner(&design);
            let first = learner.step(&course.lessons());
            assert!((first.value - 1.0).abs() < 0.2, "{first:?}");
            for _ in 0..100 {
                learner.step(&course.lessons());
            }
            let last = learner.step(&course.lessons());
            assert!(last.policy < 0.1 * first.policy, "{design:?}: {last:?}");
            assert!(last.value < 0.1, "{design:?}: {last:?}");
            assert!(last.l2 > 0.0);
        }
    }

    #[test]
    fn the_policy_loss_counts_legal_actions_only() {
        let design = small(None, Model::Resnet, Planes::Free);
        let mut course = Course::new(&design, "3x3", 8, 5);
        let mut learner = learner(&design);
        let share = |course: &Course| {
            let legal: f32 = course.legal.iter().sum();
            legal / course.observations.len() as f32
        };
        // At first all legal actions are about equally likely.
        let losses = learner.clone().step(&course.lessons());
        assert!(
            (losses.policy - share(&course).ln()).abs() < 0.3,
            "{losses:?}"
        );
        // Nothing to choose: no loss, and nothing that is not a number.
        course.policy.fill(0.0);
        course.legal.fill(0.0);
        let losses = learner.step(&course.lessons());
        assert_eq!(losses.policy, 0.0);
        let network = learner.network();
        let mut numbers = network.tensors().flat_map(|(_, _, numbers)| numbers);
        assert!(numbers.all(|number| number.is_finite()));
    }

    #[test]
    fn a_learner_goes_on_where_it_was() {
        for design in designs() {
            let course = Course::new(&design, "3x4", 24, 6);
            let mut learner = learner(&design);
            for _ in 0..5 {
                learner.step(&course.lessons());
            }
            let bytes = learner.to_bytes();
            let mut other = Learner::from_bytes(&bytes).unwrap();
            assert_eq!(other, learner);
            for _ in 0..5 {
                assert_eq!(
                    other.step(&course.lessons()),
                    learner.step(&course.lessons())
                );
            }
            assert_eq!(other, learner);
            assert_eq!(other.steps(), 10);
            let mut damaged = bytes;
            let place = damaged.len() - 5;
            damaged[place] ^= 4;
            assert!(Learner::from_bytes(&damaged).is_err());
        }
    }

    #[test]
    fn one_network_learns_on_several_sizes() {
        let design = small(None, Model::Resnet, Planes::Free);
        let mut learner = learner(&design);
        let courses = ["3x3", "2x6", "5x3"].map(|size| Course::new(&design, size, 16, 7));
        let mut losses = [0.0; 3];
        for round in 0..30 {
            for (course, loss) in courses.iter().zip(&mut losses) {
                let found = learner.step(&course.lessons());
                if round == 0 {
                    *loss = found.policy;
                } else if round == 29 {
                    assert!(found.policy < 0.7 * *loss, "{found:?} {loss}");
                }
            }
        }
    }
}
