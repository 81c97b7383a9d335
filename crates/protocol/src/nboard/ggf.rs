//! Games of Othello in GGF, the Generic Game Format, as far as NBoard needs it: where a game begins and
//! what was played.
//!
//! `(;GM[Othello]…BO[8 ---…--- *]B[F5//1.5]W[D6]B[PA];)`: `BO` has the size, the board row by row from
//! the top and the side to move; `B` and `W` are moves, perhaps with an evaluation and a time behind
//! slashes. All other fields are left out.

use upstar_games::othello::{self, Move};
use upstar_games::{Color, Othello, Position, Rules, Setup, excerpt};
use upstar_solve::othello::transcript;

use crate::refusal::Refusal;

/// A game that was read.
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

/// Reads a game on 8x8.
pub(super) fn read(rules: &Othello<u64>, text: &str) -> Result<Game, Refusal> {
    let mut game: Option<Game> = None;
    let mut rest = text;
    while let Some((name, value, after)) = field(rest) {
        rest = after;
        match (name, &mut game) {
            ("BO", None) => game = Some(Game::at(board(rules, value)?)),
            ("B" | "W", None) => {
                return Err(Refusal::new("there is a move before the board BO[…]"));
            }
            ("B" | "W", Some(game)) => game.play(rules, value)?,
            _ => {}
        }
    }
    game.ok_or_else(|| Refusal::new("there is no board BO[…]"))
}

/// The first field: its name, its value, and what follows.
fn field(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('[')?;
    let (value, rest) = rest.split_once(']')?;
    let begin = before.rfind(|letter: char| !letter.is_ascii_alphanumeric());
    let name = begin.map_or(before, |place| &before[place..]);
    Some((
        name.trim_start_matches(|letter: char| !letter.is_ascii_alphanumeric()),
        value,
        rest,
    ))
}

fn board(rules: &Othello<u64>, text: &str) -> Result<Position<u64>, Refusal> {
    let refused = |what: &str| Refusal(format!("{what} in BO[{}]", excerpt(text)));
    let mut words = text.split_whitespace();
    if words.next() != Some("8") {
        return Err(refused("only 8x8 is played, but there is another size"));
    }
    let letters: Vec<char> = words.flat_map(str::chars).collect();
    let Some((cells, [mover])) = letters.split_at_checked(64) else {
        return Err(refused("there are not 64 cells and a side to move"));
    };
    let to_move = match mover {
        '*' => Color::Black,
        'O' => Color::White,
        _ => return Err(refused("the side to move is neither * nor O")),
    };
    if !cells.iter().all(|letter| "*O-".contains(*letter)) {
        return Err(refused("there is a cell other than *, O and -"));
    }
    let rows: Vec<String> = cells.chunks(8).map(|row| row.iter().collect()).collect();
    let setup: Setup = rows.join("|").parse().map_err(Refusal::new)?;
    Ok(rules.position(&setup, to_move.index()))
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

    use super::*;

    const START: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

    fn rules() -> Othello<u64> {
        Othello::new("8x8".parse().unwrap())
    }

    #[test]
    fn a_game_is_read_with_its_moves() {
        let rules = rules();
        let text = format!(
            "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[a]PW[b]RE[?]TI[15:00]TY[8]{START}\
             B[F5]W[F6/-1.50]B[D3//0.2]W[C5/1/2];)"
        );
        let game = read(&rules, &text).unwrap();
        let names = game.moves.iter().map(|&mv| name(&rules, mv));
        assert_eq!(names.collect::<Vec<_>>(), ["F5", "F6", "D3", "C5"]);
        let grid = "8x8".parse().unwrap();
        let start = othello::start(grid, othello::Opening::Diagonal).unwrap();
        assert_eq!(game.start, rules.position(&start, 0));
        assert_eq!(game.position.to_move, Color::Black);
    }

    #[test]
    fn passes_are_played_and_may_be_left_out() {
        let rules = rules();
        let board = format!("BO[8 -*O{} *]", "-".repeat(61));
        let over = format!("BO[8 -{} *]", "*".repeat(63));
        assert!(read(&rules, &over).unwrap().moves.is_empty());
        assert!(read(&rules, &format!("{over}B[PA]")).is_err());
        assert!(read(&rules, &format!("{board}B[PA]")).is_err());
        let board = format!("BO[8 -*O{} O]", "-".repeat(61));
        let game = read(&rules, &format!("{board}W[A1]")).unwrap();
        assert_eq!(game.moves.len(), 1);
        let board = format!("BO[8 ------O*{} O]", "-".repeat(56));
        for moves in ["W[PA]B[F1]", "B[F1]"] {
            let game = read(&rules, &format!("{board}{moves}")).unwrap();
            assert_eq!(game.moves.len(), 2, "{moves}");
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let rules = rules();
        for text in [
            "",
            "(;GM[Othello];)",
            "B[F5]",
            "BO[8]",
            "BO[10 --- *]",
            "BO[8 ---------------------------O*------*O--------------------------- x]",
            "BO[8 ---------------------------O*------*O-------------------------#- *]",
            &format!("{START}B[A1]"),
            &format!("{START}B[]"),
            &format!("{START}B[é]"),
        ] {
            assert!(read(&rules, text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<String>(), letters in "[]\\[BOW*-F58 PA/;(é]{0,90}") {
            let rules = rules();
            let _ = read(&rules, &text);
            let _ = read(&rules, &letters);
            let _ = read(&rules, &format!("{START}{letters}"));
        }
    }
}
