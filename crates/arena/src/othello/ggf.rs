//! GGF, the Generic Game Format of the game server GGS (Buro), in which tournaments of programs are kept
//! and NBoard speaks:
//!
//! `(;GM[Othello]PB[a]PW[b]RE[+4.00]TY[8]BO[8 --…-- *]B[d3//1.50]W[pass];)`
//!
//! A move may carry an evaluation in discs and the seconds it took. Rows are counted from the top, as here.

use upstar_games::othello::Opening;
use upstar_games::othello::obf;
use upstar_games::{AnyGame, Color, Game, OpenError, Setup, Start, Variant, excerpt, with_game};

use super::{FormatError, check_othello, numbered, record_of, written};
use crate::record::{Reason, Record, Thought, Winner, micros};

/// Reads all games of a text; what stands between them is left out. Forced passes may be missing.
///
/// # Errors
/// If a game is not one of Othello, or its moves are not legal.
pub fn read(text: &str) -> Result<Vec<Record>, FormatError> {
    let mut records = Vec::new();
    let mut rest = Scanner { text, line: 1 };
    while let Some(begin) = rest.text.find("(;") {
        rest.skip(begin + 2);
        records.push(read_game(&mut rest)?);
    }
    Ok(numbered(records))
}

/// What is left of a text, and the line where it begins.
struct Scanner<'a> {
    text: &'a str,
    line: usize,
}

impl<'a> Scanner<'a> {
    /// Goes on by this many bytes, and returns them.
    fn skip(&mut self, bytes: usize) -> &'a str {
        let (skipped, rest) = self.text.split_at(bytes);
        self.line += skipped.bytes().filter(|&byte| byte == b'\n').count();
        self.text = rest;
        skipped
    }

    /// The next property `KEY[VALUE]` with its line; nothing at the game's end.
    fn property(&mut self) -> Result<Option<(usize, &'a str, &'a str)>, FormatError> {
        let blanks = self.text.len() - self.text.trim_start().len();
        self.skip(blanks);
        if self.text.starts_with(";)") {
            self.skip(2);
            return Ok(None);
        }
        let line = self.line;
        let open = self.text.find(|c: char| !c.is_ascii_alphabetic());
        let Some(open) = open.filter(|&at| at > 0 && self.text[at..].starts_with('[')) else {
            let found: String = self.text.chars().take(10).collect();
            let what = match found.as_str() {
                "" => "the game does not end with ;)".to_owned(),
                _ => format!("'{}' is not a property, like PB[name]", excerpt(&found)),
            };
            return Err(FormatError::at(line, what));
        };
        let key = self.skip(open);
        let close = self
            .text
            .find(']')
            .ok_or_else(|| FormatError::at(line, format!("{}[ has no end", excerpt(key))))?;
        let value = &self.skip(close + 1)[1..close];
        Ok(Some((line, key, value)))
    }
}

/// A move as it stands there.
struct Entry {
    line: usize,
    side: Color,
    name: String,
    discs: Option<f64>,
    seconds: f64,
}

fn read_game(text: &mut Scanner<'_>) -> Result<Record, FormatError> {
    let begun = text.line;
    let (mut board, mut result, mut players) = (None, None, [None, None]);
    let mut entries = Vec::new();
    while let Some((line, key, value)) = text.property()? {
        let value = value.trim();
        match key {
            "GM" if !value.eq_ignore_ascii_case("othello") => {
                let what = format!("it is a game of {}, not of Othello", excerpt(value));
                return Err(FormatError::at(line, what));
            }
            // On GGS the letter a stands for the game in which fewer discs win.
            "TY" if value.contains('a') => {
                let what = format!("type {} has other rules", excerpt(value));
                return Err(FormatError::at(line, what));
            }
            "PB" => players[0] = Some(value.to_owned()),
            "PW" => players[1] = Some(value.to_owned()),
            "RE" => result = Some((line, value)),
            "BO" => board = Some(read_board(line, value)?),
            "B" => entries.push(entry(line, Color::Black, value)),
            "W" => entries.push(entry(line, Color::White, value)),
            _ => {}
        }
    }
    let (setup, side) =
        board.ok_or_else(|| FormatError::at(begun, "the game has no board, like BO[8 --…-- *]"))?;
    let variant = Variant::Othello(Opening::DIAGONAL);
    let position = written(&setup, side);
    let any = AnyGame::open(variant, &Start::Given(setup), Some(side.letter()))
        .map_err(|error: OpenError| FormatError::at(begun, error))?;
    let mut record = with_game!(
        &any,
        |game, start| {
            let (moves, thoughts) = replay(game, start, &entries)?;
            let mut record = record_of(game, start, &moves, &variant.to_string(), &position);
            record.thoughts = thoughts;
            record
        },
        unreachable!("the variant is Othello")
    );
    record.seconds = micros(record.thoughts.iter().map(|thought| thought.seconds).sum());
    let [black, white] = players;
    record.black = black.unwrap_or(record.black);
    record.white = white.unwrap_or(record.white);
    if let Some((line, result)) = result {
        read_result(&mut record, line, result)?;
    }
    Ok(record)
}

/// `8 --…-- *`: the size, the discs with or without blanks, the side to move.
fn read_board(line: usize, value: &str) -> Result<(Setup, Color), FormatError> {
    let refused = |what: &dyn std::fmt::Display| {
        FormatError::at(line, format!("BO[{}]: {what}", excerpt(value)))
    };
    let (size, discs) = value
        .split_once(char::is_whitespace)
        .ok_or_else(|| refused(&"a size, discs and the side to move are there"))?;
    let number: u8 = size
        .parse()
        .map_err(|_| refused(&"the size is a number, like 8"))?;
    // The board of OBF is the same but for its size. What would begin a comment there is no disc.
    if discs.contains(['%', ';', '#']) {
        return Err(refused(&"discs are * and O, - is empty"));
    }
    let problem = obf::parse(&format!("{number}x{number} {discs}"));
    let problem = problem.map_err(|error| refused(&error))?;
    let problem = problem.ok_or_else(|| refused(&"there are no discs"))?;
    Ok((problem.setup, problem.to_move))
}

/// `d3`, `d3/-1.2/0.50`, `pa`.
fn entry(line: usize, side: Color, value: &str) -> Entry {
    let mut fields = value.split('/').map(str::trim);
    let name = fields.next().unwrap_or_default().to_ascii_lowercase();
    let mut number = || {
        let number = fields.next()?.parse::<f64>().ok()?;
        number.is_finite().then(|| micros(number))
    };
    let (discs, seconds) = (number(), number());
    Entry {
        line,
        side,
        name: match name.as_str() {
            "pa" | "ps" => "pass".to_owned(),
            _ => name,
        },
        discs,
        seconds: seconds.unwrap_or(0.0),
    }
}

/// A game's moves, and a thought for each.
type Line<M> = (Vec<M>, Vec<Thought>);

fn replay<G: Game>(
    game: &G,
    start: &G::Position,
    entries: &[Entry],
) -> Result<Line<G::Move>, FormatError> {
    let mut position = *start;
    let (mut moves, mut thoughts) = (Vec::new(), Vec::new());
    for entry in entries {
        let must_pass = |position: &G::Position| {
            let first = game.moves(position).next();
            first.filter(|&mv| game.path(mv).is_none())
        };
        if entry.side != game.to_move(&position)
            && let Some(pass) = must_pass(&position)
        {
            moves.push(pass);
            thoughts.push(Thought::default());
            position = game.play_unchecked(&position, pass);
        }
        let number = moves.len() + 1;
        let refused = |what: String| FormatError::at(entry.line, format!("move {number}: {what}"));
        let name = &entry.name;
        let mv = game
            .move_named(name)
            .ok_or_else(|| refused(format!("'{}' is not a move on this board", excerpt(name))))?;
        if entry.side != game.to_move(&position) {
            return Err(refused(format!("{name} is not of the side to move")));
        }
        position = game
            .play(&position, mv)
            .map_err(|_| refused(format!("{name} is not legal")))?;
        moves.push(mv);
        thoughts.push(Thought {
            discs: entry.discs,
            seconds: entry.seconds,
            ..Thought::default()
        });
    }
    Ok((moves, thoughts))
}

/// `+12.00`, `-64.00:t`, `?`: the result for Black and how it came about, for games that the moves do not
/// bring to an end.
fn read_result(record: &mut Record, line: usize, value: &str) -> Result<(), FormatError> {
    let (number, flag) = value.split_once(':').unwrap_or((value, ""));
    if number.is_empty() || number.starts_with('?') || record.reason == Reason::Rules {
        return Ok(());
    }
    let number = number
        .trim()
        .parse::<f64>()
        .ok()
        .filter(|number| number.abs() <= 1000.0);
    let score = number.ok_or_else(|| {
        FormatError::at(
            line,
            format!("RE[{}] is not a result, like +12.00", excerpt(value)),
        )
    })?;
    record.winner = Some(Winner::of_score(
        score.partial_cmp(&0.0).map_or(0, |order| order as i32),
    ));
    record.reason = match (flag.trim(), record.winner) {
        // Whoever resigns or is too late has lost.
        (_, Some(Winner::Draw)) => Reason::Agreed,
        ("r", _) => Reason::Resigned,
        ("t", _) => Reason::Time,
        _ => Reason::Agreed,
    };
    record.score = (record.reason == Reason::Agreed).then_some(score.round() as i32);
    Ok(())
}

/// The game as a line. GGF knows boards of equal sides only, and has no word for an illegal move or a
/// fault: such games count as resigned.
///
/// # Errors
/// If the game is not Othello on such a board.
pub fn write(record: &Record) -> Result<String, FormatError> {
    check_othello(record)?;
    let (start, to_move) = record.before_opening().map_err(FormatError::of_record)?;
    let rows: Vec<&str> = start.split('|').collect();
    let size = rows.len();
    if rows
        .iter()
        .any(|row| row.len() != size || row.contains('#'))
    {
        let what = format!(
            "GGF knows square boards without holes, and not {}",
            excerpt(&start)
        );
        return Err(FormatError::of_record(what));
    }
    let name = |name: &str| {
        let plain = |c: char| if c == ']' || c.is_control() { ')' } else { c };
        name.chars().map(plain).collect::<String>()
    };
    let disc = |c: char| match c {
        'x' => '*',
        'o' => 'O',
        _ => '-',
    };
    let board: Vec<String> = rows
        .iter()
        .map(|row| row.chars().map(disc).collect())
        .collect();
    let mut text = format!(
        "(;GM[Othello]PC[upstar]PB[{}]PW[{}]RE[{}]TY[{size}]BO[{size} {} {}]",
        name(&record.black),
        name(&record.white),
        written_result(record, size),
        board.join(" "),
        disc(to_move),
    );
    let mut black = to_move == Color::Black.letter();
    for (number, mv) in record.opening.iter().chain(&record.moves).enumerate() {
        let own = number.checked_sub(record.opening.len());
        let thought = own.and_then(|number| record.thoughts.get(number));
        let discs = thought.and_then(|thought| thought.discs);
        let seconds = thought
            .map(|thought| thought.seconds)
            .filter(|&seconds| seconds > 0.0);
        let fields = match (discs, seconds) {
            (None, None) => String::new(),
            (Some(discs), None) => format!("/{discs}"),
            (None, Some(seconds)) => format!("//{seconds}"),
            (Some(discs), Some(seconds)) => format!("/{discs}/{seconds}"),
        };
        let side = if black { 'B' } else { 'W' };
        text += &format!("{side}[{mv}{fields}]");
        black = !black;
    }
    Ok(text + ";)\n")
}

fn written_result(record: &Record, size: usize) -> String {
    let all = (size * size) as i32;
    let score = match (record.score, record.winner) {
        (Some(score), _) => score,
        (None, Some(Winner::Black)) => all,
        (None, Some(Winner::White)) => -all,
        (None, Some(Winner::Draw)) => 0,
        (None, None) => return "?".to_owned(),
    };
    let flag = match record.reason {
        Reason::Rules => "",
        Reason::Time => ":t",
        Reason::Agreed | Reason::Unfinished => ":s",
        Reason::Illegal | Reason::Fault | Reason::Resigned => ":r",
    };
    format!("{score:+}.00{flag}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use upstar_games::{Grid, Othello, Random, Rules, othello, random_move};

    use super::*;

    const BOARD: &str =
        "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";

    fn games(text: &str) -> Vec<Record> {
        read(text).unwrap()
    }

    #[test]
    fn a_game_of_the_server_is_read() {
        let text = format!(
            "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]\nPB[Saio1200]PW[Saio3000]RB[2197.01]RW[2199.72]\n\
             TI[05:00//02:00]TY[8]RE[-64.00:r]BO[{BOARD}]B[d3//0.01]W[C3/-0.5/0.02]B[c4];)\n"
        );
        let record = &games(&text)[0];
        assert_eq!(
            (record.black.as_str(), record.white.as_str()),
            ("Saio1200", "Saio3000")
        );
        assert_eq!(record.moves, ["d3", "c3", "c4"]);
        assert_eq!(
            (record.winner, record.reason),
            (Some(Winner::White), Reason::Resigned)
        );
        assert_eq!(
            (record.thoughts[1].discs, record.thoughts[1].seconds),
            (Some(-0.5), 0.02)
        );
        assert_eq!(record.score, None);
    }

    /// A game of random players.
    fn random_game(size: usize, seed: u64, plies: usize) -> Record {
        let grid = Grid::new(size, size).unwrap();
        let game = Othello::<u128>::new(grid);
        let start = game
            .position(
                &othello::start(grid, Opening::DIAGONAL).unwrap(),
                Color::Black,
            )
            .unwrap();
        let mut random = Random::new(seed);
        let (mut position, mut moves) = (start, vec![]);
        while moves.len() < plies
            && let Some(mv) = random_move(&game, &position, &mut random)
        {
            position = game.play_unchecked(&position, mv);
            moves.push(mv);
        }
        record_of(&game, &start, &moves, "othello", &grid.to_string())
    }

    #[test]
    fn missing_passes_are_put_in() {
        let mut passes = 0;
        for seed in 0..50 {
            let mut record = random_game(4, seed, 100);
            let text = write(&record).unwrap();
            let short = text.replace("B[pass]", "").replace("W[pass]", "");
            passes += usize::from(short != text);
            record.thoughts = record.moves.iter().map(|_| Thought::default()).collect();
            assert_eq!(games(&short), [record]);
        }
        assert!(passes > 10, "{passes}");
    }

    #[test]
    fn bad_games_are_named_by_their_line() {
        let check = |text: &str, sentence: &str| {
            assert_eq!(read(text).unwrap_err().to_string(), sentence);
        };
        let game = |rest: &str| format!("\n(;GM[Othello]\nBO[{BOARD}]{rest}");
        check(
            "(;GM[Amazons];)",
            "line 1: it is a game of Amazons, not of Othello",
        );
        check("(;GM[Othello]TY[8a];)", "line 1: type 8a has other rules");
        check(
            "(;GM[Othello];)",
            "line 1: the game has no board, like BO[8 --…-- *]",
        );
        check(&game("B[d3]"), "line 3: the game does not end with ;)");
        check(
            &game("B[d3]\n\n12;)"),
            "line 5: '12;)' is not a property, like PB[name]",
        );
        check(&game("\nB[d3"), "line 4: B[ has no end");
        check(&game("B[a1];)"), "line 3: move 1: a1 is not legal");
        check(
            &game("B[z9];)"),
            "line 3: move 1: 'z9' is not a move on this board",
        );
        check(
            &game("W[d3];)"),
            "line 3: move 1: d3 is not of the side to move",
        );
        check(
            &game("RE[x]B[d3];)"),
            "line 3: RE[x] is not a result, like +12.00",
        );
        check(
            "(;BO[8 -- *];)",
            "line 1: BO[8 -- *]: a problem on 8x8 has 65 letters, the last of them for the side to move; there are 3",
        );
        check(
            "(;BO[200 -- *];)",
            "line 1: BO[200 -- *]: '200x200' is not a size ROWSxCOLS",
        );
        assert_eq!(read("nothing at all"), Ok(vec![]));
    }

    #[test]
    fn only_square_boards_are_written() {
        let mut record = games(&format!("(;BO[{BOARD}];)"))[0].clone();
        assert!(write(&record).unwrap().contains("RE[?]"));
        record.start = "xo.|ox.".into();
        assert!(write(&record).is_err());
        record.game = "clobber".into();
        assert!(
            write(&record)
                .unwrap_err()
                .to_string()
                .contains("for Othello")
        );
    }

    proptest! {
        /// Games of random players, whole or cut off, are written and read as they were.
        #[test]
        fn games_are_read_as_they_were_written(
            seed in any::<u64>(), size in 2usize..=11, plies in 0usize..150, time in any::<bool>()
        ) {
            let mut record = random_game(size, seed, plies);
            let mut random = Random::new(seed);
            record.black = "mcts:100,c=0.7".to_owned();
            record.thoughts = record.moves.iter().map(|_| Thought {
                discs: (random.below(3) == 0).then(|| f64::from(random.below(64)) / 4.0 - 8.0),
                seconds: f64::from(random.below(3)) / 100.0,
                ..Thought::default()
            }).collect();
            record.seconds = micros(record.thoughts.iter().map(|thought| thought.seconds).sum());
            if time && record.winner.is_none() {
                record.winner = Some(Winner::White);
                record.reason = Reason::Time;
            }
            prop_assert_eq!(&read(&write(&record).unwrap()).unwrap(), &[record]);
        }

        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = read(&text);
            let _ = read(&format!("(;{text};)"));
        }

        #[test]
        fn nearly_right_texts_are_read_or_refused(
            text in "(GM\\[Othello\\])?BO\\[[24] [*O -]{0,18} [*O]\\](B\\[[a-d][1-4]\\]|W\\[pass\\]|RE\\[[+-]?[0-9]{0,2}:?[rts]?\\]){0,3};?\\)?"
        ) {
            let _ = read(&format!("(;{text}"));
        }
    }
}
