//! Outputs and gradients of large networks as the library burn computed them once.
//!
//! `make oracles` compares with burn itself; the file is written by `make recordings`.

use std::collections::BTreeMap;

use crate::course::{assert_near, cases, digest, ours};

/// The norm and some numbers of each case under their names.
type Recorded = BTreeMap<String, BTreeMap<String, (f32, Vec<f32>)>>;

#[test]
fn outputs_and_gradients_are_those_that_burn_computed() {
    let file = include_str!("../data/burn.json");
    let file: serde_json::Value = serde_json::from_str(file).unwrap();
    assert!(file["library"].as_str().unwrap().starts_with("burn "));
    let recorded: Recorded = serde_json::from_value(file["cases"].clone()).unwrap();
    let cases = cases();
    assert_eq!(recorded.len(), cases.len());
    for case in cases {
        let theirs = &recorded[&case.name];
        let ours = ours(&case);
        assert_eq!(ours.len(), theirs.len(), "{}", case.name);
        for (name, numbers) in ours {
            let what = format!("{} {name}", case.name);
            let (norm, some) = digest(&numbers);
            let (their_norm, their_some) = &theirs[&name];
            assert_near(&what, &[norm], &[*their_norm]);
            assert_near(&what, &some, their_some);
        }
    }
}
