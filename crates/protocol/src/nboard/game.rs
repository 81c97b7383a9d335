//! The game that NBoard shows, as its text says it: GGF, and moves in two letters.

use upstar_arena::othello::ggf;
use upstar_games::othello::transcript;
use upstar_games::{AnyGame, Grid, Rules, Variant, excerpt};
use upstar_session::{GameTree, Refusal};

/// The start position on 8x8.
pub(super) fn start() -> AnyGame {
    AnyGame::parse("othello", "8x8").expect("8x8 has a middle")
}

/// The first game of a text in GGF; forced passes may be left out.
pub(super) fn read(text: &str) -> Result<GameTree, Refusal> {
    let games = ggf::read(text).map_err(|error| Refusal(error.what))?;
    let Some(record) = games.first() else {
        let sentence = "there is none, like (;GM[Othello]BO[8 …]B[F5];)";
        return Err(Refusal::new(sentence));
    };
    let game = record.open().map_err(Refusal)?;
    let plain: Grid = "8x8".parse().expect("a size");
    if !matches!(game.variant(), Variant::Othello(_)) || *game.board() != plain.into() {
        let sentence = "only 8x8 is played, and it is on another board";
        return Err(Refusal::new(sentence));
    }
    let mut tree = GameTree::new(game);
    for name in &record.moves {
        play(&mut tree, name)?;
    }
    Ok(tree)
}

/// Plays a move as players write it, `F5/1.5/0.2` or `pa`; forced passes may be left out.
pub(super) fn play(tree: &mut GameTree, text: &str) -> Result<(), Refusal> {
    let name = text.split('/').next().unwrap_or_default().trim();
    let refused = || {
        Refusal(format!(
            "'{}' is not a legal move here",
            excerpt(text.trim())
        ))
    };
    let moves: Vec<String> = match tree.game() {
        AnyGame::Othello64(rules, position) => {
            let moves = transcript::read(rules, position, name).map_err(|_| refused())?;
            moves.into_iter().map(|mv| rules.move_name(mv)).collect()
        }
        _ => unreachable!("only 8x8 is played"),
    };
    if moves.is_empty() {
        return Err(refused());
    }
    for mv in moves {
        tree.play(&mv).map_err(|_| refused())?;
    }
    Ok(())
}

/// A move in two letters, as NBoard has it: `F5`, `PA`.
pub(super) fn name(mv: &str) -> String {
    match mv {
        "pass" => "PA".to_owned(),
        mv => mv.to_uppercase(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use upstar_games::Color;

    use super::*;

    const START: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

    fn read_game(text: &str) -> Result<GameTree, Refusal> {
        read(&format!("(;{text};)"))
    }

    #[test]
    fn a_game_is_read_with_its_moves() {
        let text = format!(
            "GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[a]PW[b]RE[?]TI[15:00]TY[8]{START}\
             B[F5]W[F6/-1.50]B[D3//0.2]W[C5/1/2]"
        );
        let tree = read_game(&text).unwrap();
        let names: Vec<String> = tree.moves().iter().map(|mv| name(mv)).collect();
        assert_eq!(names, ["F5", "F6", "D3", "C5"]);
        assert_eq!(*tree.start(), start());
        assert!(tree.game().side_to_move() == Color::Black);
    }

    #[test]
    fn passes_are_played_and_may_be_left_out() {
        let board = format!("BO[8 -*O{} *]", "-".repeat(61));
        let over = format!("BO[8 -{} *]", "*".repeat(63));
        assert!(read_game(&over).unwrap().moves().is_empty());
        assert!(read_game(&format!("{over}B[PA]")).is_err());
        assert!(read_game(&format!("{board}B[PA]")).is_err());
        let board = format!("BO[8 -*O{} O]", "-".repeat(61));
        assert_eq!(
            read_game(&format!("{board}W[A1]")).unwrap().moves().len(),
            1
        );
        let board = format!("BO[8 ------O*{} O]", "-".repeat(56));
        for moves in ["W[PA]B[F1]", "B[F1]"] {
            let tree = read_game(&format!("{board}{moves}")).unwrap();
            assert_eq!(tree.moves().len(), 2, "{moves}");
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let check = |text: &str, sentence: &str| {
            assert_eq!(read_game(text).unwrap_err().to_string(), sentence, "{text}");
        };
        let no_board = "the game has no board, like BO[8 --…-- *]";
        check("", no_board);
        check("GM[Othello]B[F5]", no_board);
        check(
            "BO[2 O**O *]",
            "only 8x8 is played, and it is on another board",
        );
        check(&format!("{START}B[A1]"), "move 1: a1 is not legal");
        for text in [
            "BO[8]",
            "BO[10 --- *]",
            "BO[8 ---------------------------O*------*O--------------------------- y]",
            "BO[8 ---------------------------O*------*O-------------------------#- *]",
            &format!("{START}B[]"),
            &format!("{START}B[é]"),
        ] {
            assert!(read_game(text).is_err(), "{text}");
        }
        let nothing = read("nonsense").unwrap_err();
        assert!(nothing.to_string().starts_with("there is none, like "));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<String>(), letters in "[]\\[BOW*-F58 PA/;(é]{0,90}") {
            let _ = read(&text);
            let _ = read_game(&letters);
            let _ = read_game(&format!("{START}{letters}"));
        }
    }
}
