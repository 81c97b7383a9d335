//! The game that NBoard shows: where it begins and what was played.

use upstar_arena::othello::ggf;
use upstar_games::othello::transcript;
use upstar_games::othello::{self, Move};
use upstar_games::{AnyGame, Othello, Position, Rules, excerpt};

use crate::refusal::Refusal;

/// A game on 8x8.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Game {
    pub(super) start: Position<u64>,
    pub(super) moves: Vec<Move>,
    pub(super) position: Position<u64>,
}

impl Game {
    /// A game that begins here.
    pub(super) fn at(start: Position<u64>) -> Self {
        Self {
            start,
            moves: Vec::new(),
            position: start,
        }
    }

    /// The first game of a text in GGF; forced passes may be left out.
    pub(super) fn read(rules: &Othello<u64>, text: &str) -> Result<Self, Refusal> {
        let games = ggf::read(text).map_err(|error| Refusal(error.what))?;
        let Some(record) = games.first() else {
            return Err(Refusal::new(
                "there is none, like (;GM[Othello]BO[8 …]B[F5];)",
            ));
        };
        let start = match record.open().map_err(Refusal)? {
            AnyGame::Othello64(its, start)
                if its.setup(&start).board == rules.setup(&start).board =>
            {
                start
            }
            _ => {
                return Err(Refusal::new(
                    "only 8x8 is played, and it is on another board",
                ));
            }
        };
        let mut game = Self::at(start);
        for name in &record.moves {
            game.play(rules, name)?;
        }
        Ok(game)
    }

    /// Plays a move as players write it, `F5/1.5/0.2` or `pa`; forced passes may be left out.
    pub(super) fn play(&mut self, rules: &Othello<u64>, text: &str) -> Result<(), Refusal> {
        let name = text.split('/').next().unwrap_or_default().trim();
        let refused = || Refusal(format!("'{}' is no legal move here", excerpt(text.trim())));
        let moves = transcript::read(rules, &self.position, name).map_err(|_| refused())?;
        if moves.is_empty() {
            return Err(refused());
        }
        for mv in moves {
            self.position = rules.play_unchecked(&self.position, mv);
            self.moves.push(mv);
        }
        Ok(())
    }
}

/// A move in two letters, as NBoard has it: `F5`, `PA`.
pub(super) fn name(rules: &Othello<u64>, mv: Move) -> String {
    match mv {
        othello::Move::Pass => "PA".to_owned(),
        mv => rules.move_name(mv).to_uppercase(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use upstar_games::Color;

    use super::*;

    const START: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

    fn rules() -> Othello<u64> {
        Othello::new("8x8".parse().unwrap())
    }

    fn read(text: &str) -> Result<Game, Refusal> {
        Game::read(&rules(), &format!("(;{text};)"))
    }

    #[test]
    fn a_game_is_read_with_its_moves() {
        let rules = rules();
        let text = format!(
            "GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[a]PW[b]RE[?]TI[15:00]TY[8]{START}\
             B[F5]W[F6/-1.50]B[D3//0.2]W[C5/1/2]"
        );
        let game = read(&text).unwrap();
        let names = game.moves.iter().map(|&mv| name(&rules, mv));
        assert_eq!(names.collect::<Vec<_>>(), ["F5", "F6", "D3", "C5"]);
        let grid = "8x8".parse().unwrap();
        let start = othello::start(grid, othello::Opening::Diagonal).unwrap();
        assert_eq!(game.start, rules.position(&start, Color::Black).unwrap());
        assert_eq!(game.position.to_move, Color::Black);
    }

    #[test]
    fn passes_are_played_and_may_be_left_out() {
        let board = format!("BO[8 -*O{} *]", "-".repeat(61));
        let over = format!("BO[8 -{} *]", "*".repeat(63));
        assert!(read(&over).unwrap().moves.is_empty());
        assert!(read(&format!("{over}B[PA]")).is_err());
        assert!(read(&format!("{board}B[PA]")).is_err());
        let board = format!("BO[8 -*O{} O]", "-".repeat(61));
        assert_eq!(read(&format!("{board}W[A1]")).unwrap().moves.len(), 1);
        let board = format!("BO[8 ------O*{} O]", "-".repeat(56));
        for moves in ["W[PA]B[F1]", "B[F1]"] {
            let game = read(&format!("{board}{moves}")).unwrap();
            assert_eq!(game.moves.len(), 2, "{moves}");
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let check = |text: &str, sentence: &str| {
            assert_eq!(read(text).unwrap_err().to_string(), sentence, "{text}");
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
            assert!(read(text).is_err(), "{text}");
        }
        let nothing = Game::read(&rules(), "nonsense").unwrap_err();
        assert!(nothing.to_string().starts_with("there is none, like "));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<String>(), letters in "[]\\[BOW*-F58 PA/;(é]{0,90}") {
            let _ = Game::read(&rules(), &text);
            let _ = read(&letters);
            let _ = read(&format!("{START}{letters}"));
        }
    }
}
