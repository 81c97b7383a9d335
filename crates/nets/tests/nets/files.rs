//! Files: written, read again, refused.

use upstar_games::{Random, Variant};
use upstar_nets::{Activation, Encoder, FileError, Initial, Network, Shape};

fn network() -> Network {
    let shape = Shape {
        game: Variant::Clobber,
        grid: "4x5".parse().unwrap(),
        encoder: Encoder::Etoeharnowo2017,
        convolutions: Vec::new(),
        hidden: vec![9, 17],
        activation: Activation::Sigmoid { beta: 2.0 },
        output: Activation::Tanh,
    };
    Network::new(shape, Initial::Scaled, &mut Random::new(8))
}

#[test]
fn what_is_written_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.safetensors");
    let network = network();
    network.save(&path).unwrap();
    assert_eq!(Network::load(&path).unwrap(), network);
    assert_eq!(std::fs::read(&path).unwrap(), network.to_bytes());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(network.is_finite());
    assert_eq!(network.parameters(), 22 * 9 + 10 * 17 + 18);
}

/// Every byte that can be read at all counts.
#[test]
fn damage_is_refused() {
    let network = network();
    let bytes = network.to_bytes();
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        match Network::from_bytes(&damaged) {
            Err(error) => assert!(error.to_string().len() > 10),
            // A name in the header may be spelled otherwise only if it is not looked at.
            Ok(read) => assert_eq!(read, network, "byte {place}"),
        }
    }
    for len in [0, 7, 8, 100, bytes.len() - 1] {
        assert!(Network::from_bytes(&bytes[..len]).is_err());
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(Network::from_bytes(&longer).is_err());
}

#[test]
fn what_is_foreign_is_refused() {
    let foreign = |bytes: &[u8]| matches!(Network::from_bytes(bytes), Err(FileError::Foreign));
    assert!(foreign(b""));
    assert!(foreign(b"no network at all, just some text"));
    assert!(foreign(b"\x02\0\0\0\0\0\0\0{}"));
    let text = String::from_utf8_lossy(&network().to_bytes()).into_owned();
    assert!(text.contains(r#"\"format\":1"#));
    let newer = network().to_bytes();
    let place = newer
        .windows(12)
        .position(|window| window == br#"\"format\":1"#)
        .unwrap()
        + 11;
    let mut newer = newer;
    newer[place] = b'7';
    let error = Network::from_bytes(&newer).unwrap_err();
    assert_eq!(
        error.to_string(),
        "this network has format 7, and this program reads format 1"
    );
}
