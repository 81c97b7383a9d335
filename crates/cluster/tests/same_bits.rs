//! Which machines compute the same bits.
//!
//! Networks are computed by the instruction set that a processor has. AVX2 and AVX-512 round alike; the portable path
//! rounds products and sums separately, and differs in the last bits. Exponentials, logarithms, hyperbolic tangents and
//! powers come from the system library, whatever the instruction set. So a run's workers have vectors like its
//! keeper's, and its library; others are refused.

use std::fs;

use upstar_agents::Resources;
use upstar_cluster::{Context, Coordinator, Worker, fingerprint, fingerprint_on};
use upstar_games::{AnyGame, Board, Random, Rules, Variant};
use upstar_machine::{Isa, Kernel, Machine};
use upstar_nets::deep::{Acting, DeepNetwork, Design, Evaluator, Model, Planes};

/// Functions of numbers as kernels call them.
struct Functions<'a>(&'a [f64]);

impl Kernel for Functions<'_> {
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<M: Machine>(self) -> Vec<u64> {
        let functions = |&number: &f64| {
            let positive = number.abs() + 1e-9;
            let single = number as f32;
            [
                number.exp().to_bits(),
                positive.ln().to_bits(),
                number.tanh().to_bits(),
                positive.powf(0.3).to_bits(),
                u64::from(single.exp().to_bits()),
                u64::from(single.abs().ln().to_bits()),
                u64::from(single.tanh().to_bits()),
                u64::from(single.abs().powf(0.3).to_bits()),
                // Ours, which networks of the small kind use.
                u64::from(upstar_nets::exp(single).to_bits()),
            ]
        };
        self.0.iter().flat_map(functions).collect()
    }
}

#[test]
fn functions_are_the_same_with_every_instruction_set() {
    let random = &mut Random::new(3);
    let numbers: Vec<f64> = (0..20_000).map(|_| 60.0 * random.unit() - 30.0).collect();
    let portable = Isa::available()[0].run(Functions(&numbers));
    for isa in Isa::available() {
        assert!(isa.run(Functions(&numbers)) == portable, "{}", isa.name());
    }
}

/// What a network says of the positions of a game, bit by bit.
fn outputs(isa: Isa, model: Model, game: &str) -> Vec<u32> {
    let design = Design {
        game: Variant::Clobber,
        board: match model {
            Model::Resnet => None,
            _ => Some(game.parse().unwrap()),
        },
        model,
        planes: match model {
            Model::Resnet => Planes::Free,
            _ => Planes::Jans2021Second,
        },
        width: 16,
        depth: 2,
    };
    let network = DeepNetwork::random(design, &mut Random::new(9)).unwrap();
    let AnyGame::Clobber64(rules, mut position) = AnyGame::parse("clobber", game).unwrap() else {
        unreachable!("a small board")
    };
    let Board::Grid(grid) = rules.board() else {
        unreachable!("a size")
    };
    let mut evaluator = Evaluator::new(&network, grid).unwrap().on(isa);
    let (mut policy, mut value) = (vec![0.0; evaluator.actions()], [0.0]);
    let mut bits = Vec::new();
    while let Some(mv) = rules.moves(&position).last() {
        evaluator.evaluate(&[rules.observe(&position)], &mut policy, &mut value);
        bits.extend(policy.iter().chain(&value).map(|number| number.to_bits()));
        position = rules.play_unchecked(&position, mv);
    }
    bits
}

#[test]
fn networks_are_the_same_with_all_vectors_and_close_without() {
    for (model, game) in [
        (Model::Resnet, "6x6"),
        (Model::Conv, "4x5"),
        (Model::Mlp, "4x4"),
    ] {
        let [portable, vectors @ ..] = &*Isa::available() else {
            unreachable!("the portable path is always there")
        };
        let plain = outputs(*portable, model, game);
        for isa in vectors {
            let said = outputs(*isa, model, game);
            assert!(said == outputs(vectors[0], model, game), "{}", isa.name());
            for (said, plain) in said.iter().zip(&plain) {
                let (said, plain) = (f32::from_bits(*said), f32::from_bits(*plain));
                assert!(
                    (said - plain).abs() < 1e-4 * (1.0 + plain.abs()),
                    "{}",
                    isa.name()
                );
            }
        }
    }
}

#[test]
fn a_machine_with_other_bits_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("cup.toml");
    let cup = "game = \"clobber\"\nposition = \"3x4\"\ngames = 2\n[[players]]\nagent = \"mc:5\"\n[[players]]\nagent = \"random\"\n";
    fs::write(&file, cup).unwrap();
    let run = Coordinator::create(&home.path().join("cup"), &file, Resources::default()).unwrap();
    let context = run.context().unwrap().to_bytes();
    let text = String::from_utf8(context).unwrap();
    for isa in Isa::available() {
        // As if the run were kept by a machine that has no more than this.
        let keeper = fingerprint_on(isa);
        let context = text.replace(fingerprint(), &keeper);
        let context = Context::from_bytes(context.as_bytes()).unwrap();
        let refusal = Worker::new(&context, Resources::default()).err();
        match keeper == fingerprint() {
            true => assert!(refusal.is_none(), "{}", isa.name()),
            false => assert_eq!(
                refusal.unwrap().to_string(),
                format!(
                    "this machine computes other last bits than the one that keeps the run ({} against {keeper}): its \
                     results would not be those of the run; use machines with the same kind of processor and system library",
                    fingerprint()
                )
            ),
        }
    }
    let vectors: Vec<String> = Isa::available()[1..]
        .iter()
        .copied()
        .map(fingerprint_on)
        .collect();
    assert!(vectors.iter().all(|one| one == fingerprint()));
}
