//! Any text is read or refused with one line, never with a panic; what is read is written so that
//! it is read again.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use proptest::collection::vec;
use proptest::prelude::*;
use upstar_games::{AnyGame, Grid, Rules, Setup, Start, Variant, with_rules};

/// Any text at all, any bytes, and texts that are nearly right.
fn texts() -> impl Strategy<Value = String> {
    let bytes = vec(any::<u8>(), 0..200);
    prop_oneof![
        any::<String>(),
        bytes.prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        "[xotsdpXOBWbw*.#|-]{0,40}",
        "[xo.#]{3}(\\|[xo.#]{3}){0,4}",
        "[a-c0-2=xo#, \r\n\t-]{0,60}",
        "([a-e]=[xo.],?){1,5}([a-e]-[a-e][, ]){0,5}",
        "[0-9]{0,3}[xX×][0-9]{0,22}",
        "random:[0-9]{1,2}x[0-9]{1,2}(,(seed|density|x)=[0-9.eE+-]{0,25}){0,3}",
        "(clobber|othello)?:?(colors=|anti|reversi)?[a-z=0-9+-]{0,3}",
        "[a-eA-Z]{0,3}[0-9]{0,3}-?[a-e]{0,3}[0-9]{0,21}",
        "([a-e][1-8]|pass|PASS)-?([a-e][1-8])?",
    ]
}

/// A refusal names the input and the limit in one line fit for a terminal.
fn check_refusal(error: &dyn Error) {
    let sentence = error.to_string();
    assert!(!sentence.is_empty() && sentence.chars().count() < 300);
    assert!(!sentence.contains(char::is_control), "{sentence:?}");
}

fn check<T: FromStr<Err: Error>>(text: &str) -> Option<T> {
    text.parse().inspect_err(|error| check_refusal(error)).ok()
}

fn check_both_ways<T: FromStr<Err: Error> + Display + Debug + PartialEq>(text: &str) {
    if let Some(read) = check::<T>(text) {
        assert_eq!(read.to_string().parse().ok(), Some(read));
    }
}

fn check_start(text: &str, to_move: Option<char>) {
    let Some(start) = check::<Start>(text) else {
        return;
    };
    for variant in Variant::ALL {
        match AnyGame::open(variant, &start, to_move) {
            Err(error) => check_refusal(&error),
            Ok(opened) => with_rules!(&opened, |rules, position| {
                assert_eq!(rules.is_over(position), rules.count_moves(position) == 0);
            }),
        }
    }
}

fn check_move<R: Rules>(rules: &R, position: &R::Position, name: &str) {
    let Some(mv) = rules.move_named(name) else {
        return;
    };
    assert_eq!(rules.move_named(&rules.move_name(mv)), Some(mv));
    if let Err(error) = rules.play(position, mv) {
        check_refusal(&error);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn sizes_variants_and_positions_are_read_again_or_refused(text in texts()) {
        check_both_ways::<Grid>(&text);
        check_both_ways::<Variant>(&text);
        check_both_ways::<Setup>(&text);
    }

    #[test]
    fn games_open_or_refuse_any_start(text in texts(), to_move: Option<char>) {
        check_start(&text, None);
        check_start(&text, Some('o'));
        check_start(&text, to_move);
    }

    #[test]
    fn moves_of_any_name_are_played_or_refused(name in texts()) {
        for (game, start) in [
            ("clobber", "4x5"),
            ("clobber", "x#o|..x"),
            ("clobber", "1x128"),
            ("clobber", "a=x,b=o,c=x,a1=o,a-b,b-c,a-a1"),
            ("clobber:cannibal", "9x9"),
            ("clobber:solitaire", "2x2"),
            ("clobber:colors=3", "3x3"),
            ("othello", "8x8"),
            ("othello", "11x11"),
            ("othello:reversi", "4x4"),
        ] {
            let opened = crate::common::open(game, start, None);
            with_rules!(&opened, |rules, position| check_move(rules, position, &name));
        }
    }
}

#[test]
fn huge_texts_are_refused() {
    for piece in ["x", "1", "|", "a=x,", "a-b,", "a", "\u{1f600}", "x|", " "] {
        let text = piece.repeat(200_000);
        assert!(check::<Grid>(&text).is_none());
        assert!(check::<Variant>(&text).is_none());
        assert!(check::<Setup>(&text).is_none());
        assert!(check::<Start>(&text).is_none());
        let opened = crate::common::open("clobber", "4x5", None);
        with_rules!(&opened, |rules, position| check_move(
            rules, position, &text
        ));
    }
}
