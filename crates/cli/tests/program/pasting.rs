//! What `show` prints can be given back: pasted into standard input, or as words of a command.

use std::path::Path;

use crate::run::upstar;

#[test]
fn what_is_shown_can_be_pasted() {
    for (game, position) in [
        ("clobber", "4x5"),
        ("clobber", "1x30"),
        ("clobber", "128x1"),
        ("clobber", "random:5x6,density=0.7"),
        ("clobber", "x#o|.#x"),
        ("clobber", "xx"),
        ("clobber", "a=x,b=o,c=x,d=.,a-b,b-c,c-d,d-a"),
        ("clobber:cannibal", "xxo.xo"),
        ("clobber:solitaire", "4x4"),
        ("clobber:colors=6", "5x7"),
        ("othello", "random:6x6,seed=3,density=0.7"),
        ("othello", "random:8x8,seed=4,density=1"),
        ("othello:reversi", "6x6"),
    ] {
        for to_move in ["x", "o"] {
            let words = ["show", game, position, "--to-move", to_move];
            let shown = upstar(&words, Path::new("."), b"");
            assert_eq!(shown.status, 0, "{words:?}: {}", shown.stderr);
            let pasted = upstar(
                &["show", game, "-"],
                Path::new("."),
                shown.stdout.as_bytes(),
            );
            let over = shown.stdout.contains("over: ");
            assert!(
                over || pasted.stdout == shown.stdout,
                "{words:?}: {}",
                pasted.stderr
            );
            let last = shown.stdout.lines().last().unwrap().split(' ');
            let again = upstar(
                &["show", game].into_iter().chain(last).collect::<Vec<_>>(),
                Path::new("."),
                b"",
            );
            assert_eq!(again.stdout, shown.stdout, "{words:?}: {}", again.stderr);
        }
    }
}
