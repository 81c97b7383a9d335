//! Gradients against differences, and learning of small functions.

use upstar_games::{Random, Variant};
use upstar_nets::{Activation, Adam, Encoder, Initial, Network, Shape};

fn shape(hidden: &[usize], activation: &str, output: &str) -> Shape {
    Shape {
        game: Variant::Clobber,
        grid: "2x3".parse().unwrap(),
        encoder: Encoder::Leiden2018,
        convolutions: Vec::new(),
        hidden: hidden.to_vec(),
        activation: activation.parse().unwrap(),
        output: output.parse().unwrap(),
    }
}

/// A step of backpropagation lowers the squared error as the gradient says: by the rate times the
/// square of the gradient's length, which is twice what the change of the output times the error is.
#[test]
fn steps_follow_the_gradient() {
    let mut random = Random::new(3);
    for activation in ["relu", "leaky-relu", "sigmoid:2", "tanh", "linear"] {
        for hidden in [&[5][..], &[20], &[7, 6], &[17, 18, 3]] {
            let mut network = Network::new(
                shape(hidden, activation, "tanh"),
                "uniform:-0.7,0.7".parse().unwrap(),
                &mut random,
            );
            let mut trace = network.trace();
            let inputs: Vec<f32> = (0..6).map(|_| random.below(3) as f32 - 1.0).collect();
            trace.inputs.copy_from_slice(&inputs);
            let before = f64::from(network.forward(&mut trace));
            let old = network.to_bytes();
            let target = 0.9;
            let rate = 1e-2;
            assert!(network.learn(&mut trace, target, rate));
            // The squared length of the change, from the file's numbers.
            let numbers = |bytes: &[u8]| -> Vec<f32> {
                let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize + 8;
                let numbers = bytes[header..].as_chunks().0.iter();
                numbers.map(|bytes| f32::from_le_bytes(*bytes)).collect()
            };
            let new = network.to_bytes();
            let changes = numbers(&new).into_iter().zip(numbers(&old));
            let squared: f64 = changes.map(|(a, b)| f64::from(a - b).powi(2)).sum();
            trace.inputs.copy_from_slice(&inputs);
            let after = f64::from(network.forward(&mut trace));
            // The output's change is gradient · step = step² / (rate · error).
            let expected = squared / (f64::from(rate) * (f64::from(target) - before));
            let change = after - before;
            assert!(
                (change / expected - 1.0).abs() < 0.15,
                "{activation} {hidden:?}: {change} instead of {expected}"
            );
        }
    }
}

#[test]
fn both_ways_of_learning_learn_exclusive_or() {
    let examples = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
    let error = |network: &Network| -> f32 {
        let mut trace = network.trace();
        let errors = examples.iter().map(|&(a, b)| {
            trace.inputs[..2].copy_from_slice(&[a, b]);
            (network.forward(&mut trace) + a * b).abs()
        });
        errors.fold(0.0, f32::max)
    };
    let new = || {
        let shape = shape(&[8], "tanh", "tanh");
        Network::new(shape, Initial::Scaled, &mut Random::new(1))
    };
    let (mut plain, mut modern) = (new(), new());
    let mut adam = Adam::new(&modern, 0.02);
    let mut trace = plain.trace();
    for _ in 0..1500 {
        for &(a, b) in &examples {
            trace.inputs[..2].copy_from_slice(&[a, b]);
            plain.forward(&mut trace);
            plain.learn(&mut trace, -a * b, 0.1);
            modern.forward(&mut trace);
            adam.add(&mut modern, &mut trace, -a * b);
        }
        adam.step(&mut modern);
    }
    assert!(error(&new()) > 0.5);
    assert!(error(&plain) < 0.2, "{}", error(&plain));
    assert!(error(&modern) < 0.2, "{}", error(&modern));
}

#[test]
fn a_rectified_output_below_zero_learns_nothing() {
    let shape = shape(&[4], "relu", "relu");
    let mut network = Network::new(shape, "uniform:-1,-1".parse().unwrap(), &mut Random::new(1));
    let before = network.clone();
    let mut trace = network.trace();
    assert_eq!(network.forward(&mut trace), 0.0);
    assert!(!network.learn(&mut trace, 1.0, 0.1));
    assert_eq!(network, before);
}

#[test]
fn adam_goes_on_where_it_was() {
    let mut network = Network::new(
        shape(&[4], "relu", "linear"),
        Initial::Scaled,
        &mut Random::new(2),
    );
    let mut adam = Adam::new(&network, 0.01);
    let mut trace = network.trace();
    trace.inputs.fill(1.0);
    let learn = |network: &mut Network, adam: &mut Adam, trace: &mut _| {
        network.forward(trace);
        adam.add(network, trace, 3.0);
        adam.step(network);
    };
    learn(&mut network, &mut adam, &mut trace);
    let (mut copy, state) = (network.clone(), adam.state());
    let mut again = Adam::new(&copy, 0.01).with_state(&state).unwrap();
    assert!(Adam::new(&copy, 0.01).with_state(&state[1..]).is_none());
    learn(&mut network, &mut adam, &mut trace);
    learn(&mut copy, &mut again, &mut trace);
    assert_eq!((network, adam), (copy, again));
}

#[test]
fn shapes_have_limits() {
    assert!(shape(&[], "relu", "relu").checked().is_err());
    assert!(shape(&[0], "relu", "relu").checked().is_err());
    assert!(shape(&[5000], "relu", "relu").checked().is_err());
    assert!(shape(&[1; 9], "relu", "relu").checked().is_err());
    assert!(shape(&[20, 20], "relu", "relu").checked().is_ok());
    assert_eq!(Activation::Relu.leak(), Some(0.0));
}
