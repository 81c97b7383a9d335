//! Whether two machines compute the same numbers to the last bit.

use std::sync::LazyLock;

use upstar_games::{AnyGame, Random, Rules, Variant};
use upstar_machine::Isa;
use upstar_nets::deep::{Acting, DeepNetwork, Design, Evaluator, Model, Planes};
use upstar_runs::checksum;

static FINGERPRINT: LazyLock<String> = LazyLock::new(|| fingerprint_on(Isa::best()));

/// A text that is equal on two machines if exponentials, logarithms, hyperbolic tangents and powers of the system
/// library, and what a network says of positions, are the same there, as far as some thousand samples can tell.
#[must_use]
pub fn fingerprint() -> &'static str {
    &FINGERPRINT
}

/// The same if networks were computed with this instruction set: `tests/same_bits.rs` says which are equal.
#[must_use]
pub fn fingerprint_on(isa: Isa) -> String {
    let mut bytes = Vec::new();
    let random = &mut Random::new(1);
    for _ in 0..4096 {
        let number = 40.0 * random.unit() - 20.0;
        let positive = number.abs() + 1e-9;
        let doubles = [
            number.exp(),
            positive.ln(),
            number.tanh(),
            positive.powf(random.unit()),
            positive.sqrt(),
        ];
        for double in doubles {
            bytes.extend(double.to_le_bytes());
        }
        let (number, positive) = (number as f32, positive as f32);
        let singles = [
            number.exp(),
            positive.ln(),
            number.tanh(),
            positive.powf(0.3),
        ];
        for single in singles {
            bytes.extend(single.to_le_bytes());
        }
    }
    let design = Design {
        game: Variant::Clobber,
        board: None,
        model: Model::Resnet,
        planes: Planes::Free,
        width: 16,
        depth: 2,
    };
    let network = DeepNetwork::random(design, random).expect("there is such a network");
    let game = AnyGame::parse("clobber", "5x6").expect("a size");
    let AnyGame::Clobber64(rules, mut position) = game else {
        unreachable!("a small board of Clobber")
    };
    let upstar_games::Board::Grid(grid) = rules.board() else {
        unreachable!("a size")
    };
    let evaluator = Evaluator::new(&network, grid).expect("it plays every size");
    let mut evaluator = evaluator.on(isa);
    let (mut policy, mut value) = (vec![0.0; evaluator.actions()], [0.0]);
    while let Some(mv) = rules.moves(&position).next() {
        evaluator.evaluate(&[rules.observe(&position)], &mut policy, &mut value);
        for number in policy.iter().chain(&value) {
            bytes.extend(number.to_le_bytes());
        }
        position = rules.play_unchecked(&position, mv);
    }
    checksum(&bytes)
}
