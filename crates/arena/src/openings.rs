//! Where the games of a run begin: after random plies, or from a list.

use std::collections::HashSet;

use upstar_games::{Board, Game, Random, Rules, Setup, Side, excerpt, random_move};

/// How the games of a run begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Openings {
    /// All at the start position.
    #[default]
    None,
    /// After this many random plies, others in each round as far as there are others. Where games would
    /// be over by then there are fewer.
    Random(u32),
    /// The lines of this text in their order, again and again: each is a position with the side to
    /// move, `xox|oxo o`, or moves from the start position, `a1a2 b3b2` or `f5d6c3`. Empty lines
    /// and what follows a `#` (after a blank) are left out.
    Listed(String),
}

/// The most plies that can be asked for; no game here is longer.
pub const MOST_PLIES: u32 = 256;

/// Where one game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening<P, M> {
    /// The position before the moves.
    pub start: P,
    /// Moves that are made for the players.
    pub moves: Vec<M>,
}

/// An opening of this game.
pub type OpeningOf<G> = Opening<<G as Rules>::Position, <G as Rules>::Move>;

impl<P: Copy, M: Copy> Opening<P, M> {
    /// The position after the moves, which must be legal.
    pub fn end<G: Game<Position = P, Move = M>>(&self, game: &G) -> P {
        let play = |at, &mv| game.play_unchecked(&at, mv);
        self.moves.iter().fold(self.start, play)
    }
}

/// The openings of a run for one game and board.
pub struct Book<G: Game> {
    start: G::Position,
    choices: Choices<G>,
}

enum Choices<G: Game> {
    Start,
    Drawn {
        seed: u64,
        /// Those of the first rounds; later ones take the first that they draw, of this length.
        draws: Vec<Draw>,
        plies: u16,
    },
    Listed(Vec<OpeningOf<G>>),
}

/// Which of the random openings of a round is taken.
#[derive(Clone, Copy)]
struct Draw {
    plies: u16,
    attempt: u16,
}

/// How often a round draws before it takes what others have, or a shorter one.
const ATTEMPTS: u16 = 32;

/// After so many rounds that found nothing new, openings may repeat.
const MOST_MISSES: u32 = 64;

/// So many rounds differ; those after them may repeat an opening.
const MOST_DIFFERENT: u64 = 1 << 20;

impl<G: Game> Book<G> {
    /// The openings of this many rounds.
    ///
    /// # Errors
    /// If a listed opening is none.
    pub fn new(
        game: &G,
        start: &G::Position,
        openings: &Openings,
        seed: u64,
        rounds: u64,
    ) -> Result<Self, OpeningError> {
        let choices = match openings {
            Openings::None | Openings::Random(0) => Choices::Start,
            Openings::Random(plies) => {
                // A stream of its own, so that players and openings never draw the same numbers.
                let seed = Random::new(seed).bits();
                let (draws, plies) = draws(game, start, *plies, seed, rounds.min(MOST_DIFFERENT));
                Choices::Drawn { seed, draws, plies }
            }
            Openings::Listed(text) => Choices::Listed(listed(game, start, text)?),
        };
        Ok(Self {
            start: *start,
            choices,
        })
    }

    /// The opening of a round of the game that the book was made for.
    ///
    /// # Panics
    /// If the game is another.
    #[must_use]
    pub fn opening(&self, game: &G, round: u64) -> OpeningOf<G> {
        match &self.choices {
            Choices::Start => Opening {
                start: self.start,
                moves: Vec::new(),
            },
            Choices::Drawn { seed, draws, plies } => {
                let draw = draws.get(round as usize).copied().unwrap_or_else(|| {
                    let mut plies = *plies;
                    draw(game, &self.start, &mut plies, *seed, round, |_| true)
                });
                let mut random = generator(*seed, round, draw.attempt);
                let drawn = draw_moves(game, &self.start, draw.plies, &mut random);
                let (moves, _) = drawn.expect("it was drawn before");
                Opening {
                    start: self.start,
                    moves,
                }
            }
            Choices::Listed(openings) => openings[(round % openings.len() as u64) as usize].clone(),
        }
    }
}

fn generator(seed: u64, round: u64, attempt: u16) -> Random {
    let round = Random::for_game(seed, round).bits();
    Random::for_game(round, attempt.into())
}

/// Random plies, and where they lead; nothing if the game is over by then.
fn draw_moves<G: Game>(
    game: &G,
    start: &G::Position,
    plies: u16,
    random: &mut Random,
) -> Option<(Vec<G::Move>, G::Position)> {
    let mut moves = Vec::with_capacity(plies.into());
    let mut position = *start;
    for _ in 0..plies {
        let mv = random_move(game, &position, random)?;
        position = game.play_unchecked(&position, mv);
        moves.push(mv);
    }
    (plies == 0 || !game.is_over(&position)).then_some((moves, position))
}

/// The draws of the first rounds, and the length of openings that this board has.
fn draws<G: Game>(
    game: &G,
    start: &G::Position,
    plies: u32,
    seed: u64,
    rounds: u64,
) -> (Vec<Draw>, u16) {
    let mut plies = plies.min(game.plies_left(start)).min(MOST_PLIES) as u16;
    let mut seen = HashSet::new();
    let mut misses = 0;
    let draws = (0..rounds).map(|round| {
        let mut new = false;
        let taken = draw(game, start, &mut plies, seed, round, |position| {
            new = misses >= MOST_MISSES || seen.insert(position);
            new
        });
        misses += u32::from(!new);
        taken
    });
    (draws.collect(), plies)
}

/// The first opening of a round that is `good`, else the first that does not end the game. If all do, this board has
/// no openings so long, and shorter ones are drawn from now on.
fn draw<G: Game>(
    game: &G,
    start: &G::Position,
    plies: &mut u16,
    seed: u64,
    round: u64,
    mut good: impl FnMut(G::Position) -> bool,
) -> Draw {
    loop {
        let mut first = None;
        for attempt in 0..ATTEMPTS {
            let mut random = generator(seed, round, attempt);
            if let Some((_, position)) = draw_moves(game, start, *plies, &mut random) {
                let taken = Draw {
                    plies: *plies,
                    attempt,
                };
                if good(position) {
                    return taken;
                }
                first = first.or(Some(taken));
            }
        }
        match first {
            Some(first) => return first,
            // With no plies at all there is always one.
            None => *plies -= 1,
        }
    }
}

/// Reads a list of openings.
fn listed<G: Game>(
    game: &G,
    start: &G::Position,
    text: &str,
) -> Result<Vec<OpeningOf<G>>, OpeningError> {
    let mut openings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        // A hole is a '#' too, but no blank stands before it.
        let line = match line.find(" #").or(line.starts_with("# ").then_some(0)) {
            Some(comment) => &line[..comment],
            None => line,
        };
        let line = line.trim();
        if line.is_empty() || line == "#" {
            continue;
        }
        let opening = read_opening(game, start, line).map_err(|what| OpeningError {
            line: Some(number + 1),
            what,
        })?;
        openings.push(opening);
    }
    if openings.is_empty() {
        let what = "there are no openings in it; a line is like 'xox|oxo x' or 'a1a2 b3b2'";
        return Err(OpeningError {
            line: None,
            what: what.to_owned(),
        });
    }
    Ok(openings)
}

fn read_opening<G: Game>(
    game: &G,
    start: &G::Position,
    line: &str,
) -> Result<OpeningOf<G>, String> {
    let board = game.setup(start).board;
    // Positions of grids have no digits and those of graphs have '='; with moves it is the other way round.
    let is_position = match board {
        Board::Grid(_) => {
            !line.contains(|c: char| c.is_ascii_digit()) && !line.eq_ignore_ascii_case("pass")
        }
        Board::Graph(_) => line.contains('='),
    };
    let opening = if is_position {
        let (text, side) = line.rsplit_once([' ', '\t']).ok_or_else(|| {
            format!(
                "'{}' lacks the side to move, like 'xox|oxo x'",
                excerpt(line)
            )
        })?;
        let mut letters = side.chars();
        let named = letters.next().and_then(Side::from_letter);
        let (Some(side), None) = (named.and_then(Side::color), letters.next()) else {
            return Err(format!("'{}' is not a side to move: x or o", excerpt(side)));
        };
        let setup: Setup = text.trim().parse().map_err(|error| format!("{error}"))?;
        if setup.board != board {
            return Err("the position is on another board than the game".to_owned());
        }
        if setup.sides() > 2 {
            return Err("the position has more than two colours".to_owned());
        }
        Opening {
            start: game
                .position(&setup, side)
                .map_err(|error| error.to_string())?,
            moves: Vec::new(),
        }
    } else {
        Opening {
            start: *start,
            moves: read_moves(game, start, line)?,
        }
    };
    if game.is_over(&opening.end(game)) {
        return Err("the game is over after this opening".to_owned());
    }
    Ok(opening)
}

/// Moves with blanks or commas between them or with nothing at all; forced passes may be left out.
fn read_moves<G: Game>(game: &G, start: &G::Position, line: &str) -> Result<Vec<G::Move>, String> {
    let mut position = *start;
    let mut moves = Vec::new();
    for word in line.split([' ', '\t', ',']).filter(|word| !word.is_empty()) {
        let mut rest = word;
        while !rest.is_empty() {
            let mut legal: Vec<G::Move> = game.moves(&position).collect();
            let first = named(game, rest);
            // A move without a path is a pass.
            if let ([only], Some((mv, _))) = (&legal[..], first)
                && game.path(*only).is_none()
                && mv != *only
            {
                moves.push(*only);
                position = game.play_unchecked(&position, *only);
                legal = game.moves(&position).collect();
            }
            let (mv, length) =
                first.ok_or_else(|| format!("'{}' is not a move on this board", excerpt(rest)))?;
            if !legal.contains(&mv) {
                let name = excerpt(&rest[..length]);
                return Err(format!("move {}, {name}, is not legal", moves.len() + 1));
            }
            moves.push(mv);
            position = game.play_unchecked(&position, mv);
            rest = &rest[length..];
        }
    }
    Ok(moves)
}

/// The move that the text begins with, and how long its name is: the whole text, or up to a digit that
/// a letter follows.
fn named<G: Game>(game: &G, text: &str) -> Option<(G::Move, usize)> {
    let bytes = text.as_bytes();
    let ends = (1..bytes.len())
        .filter(|&end| bytes[end - 1].is_ascii_digit() && bytes[end].is_ascii_alphabetic());
    let lower = text.to_ascii_lowercase();
    let find = |end: usize| {
        let named = game
            .move_named(&text[..end])
            .or_else(|| game.move_named(&lower[..end]));
        Some((named?, end))
    };
    ends.chain([text.len()]).find_map(find)
}

/// What is wrong with a list of openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("openings{}: {what}", line.map_or(String::new(), |line| format!(", line {line}")))]
pub struct OpeningError {
    /// The line, from 1, if it is about one.
    pub line: Option<usize>,
    /// What is wrong.
    pub what: String,
}

#[cfg(test)]
mod tests {
    use upstar_games::{Clobber, Color, Othello, Position, clobber, othello};

    use super::*;

    fn clobber(size: &str) -> (Clobber<u64>, Position<u64>) {
        let grid = size.parse().unwrap();
        let game = Clobber::new(grid);
        let start = game
            .position(&clobber::checkerboard(grid), Color::Black)
            .unwrap();
        (game, start)
    }

    #[test]
    fn random_openings_differ_and_repeat_with_their_seed() {
        let (game, start) = clobber("5x5");
        let book = |seed| Book::new(&game, &start, &Openings::Random(4), seed, 300).unwrap();
        let (first, again, other) = (book(7), book(7), book(8));
        let mut seen = HashSet::new();
        for round in 0..300 {
            let opening = first.opening(&game, round);
            assert_eq!(opening, again.opening(&game, round));
            assert_eq!(opening.moves.len(), 4);
            assert!(seen.insert(opening.end(&game)));
        }
        assert!((0..300).any(|round| first.opening(&game, round) != other.opening(&game, round)));
    }

    #[test]
    fn no_opening_ends_the_game() {
        for (size, plies) in [("1x1", 5), ("1x2", 5), ("1x6", 3), ("2x3", 200), ("3x3", 6)] {
            let (game, start) = clobber(size);
            let book = Book::new(&game, &start, &Openings::Random(plies), 1, 100).unwrap();
            for round in 0..100 {
                let at = book.opening(&game, round).end(&game);
                assert!(!game.is_over(&at) || at == start, "{size}");
            }
        }
    }

    #[test]
    fn lists_are_read() {
        let (game, start) = clobber("2x3");
        let text = "# four\nxox|oxo o\n\na1a2, b1-c1 # moves\nA1A2\na1a2b1c1\n";
        let book = Book::new(&game, &start, &Openings::Listed(text.into()), 1, 4).unwrap();
        let shown = |round| {
            let at = book.opening(&game, round).end(&game);
            format!("{} {}", game.setup(&at), game.to_move(&at))
        };
        assert_eq!(shown(0), "xox|oxo o");
        assert_eq!(shown(1), "..o|xxo x");
        assert_eq!(shown(1), shown(3));
        assert_eq!(shown(2), ".ox|xxo o");
    }

    #[test]
    fn bad_lists_are_refused() {
        let (game, start) = clobber("2x3");
        let check = |text: &str, sentence: &str| {
            let error = Book::new(&game, &start, &Openings::Listed(text.into()), 1, 4).err();
            assert_eq!(error.unwrap().to_string(), sentence);
        };
        let nothing =
            "openings: there are no openings in it; a line is like 'xox|oxo x' or 'a1a2 b3b2'";
        check("# nothing\n", nothing);
        check(
            "a1a2\n\nxox|oxo",
            "openings, line 3: 'xox|oxo' lacks the side to move, like 'xox|oxo x'",
        );
        check(
            "xox|oxo t",
            "openings, line 1: 't' is not a side to move: x or o",
        );
        check(
            "xo|ox x",
            "openings, line 1: the position is on another board than the game",
        );
        check(
            "xxx|xxx o",
            "openings, line 1: the game is over after this opening",
        );
        check("a1a2 a1a2", "openings, line 1: move 2, a1a2, is not legal");
        check(
            "a1z9",
            "openings, line 1: 'a1z9' is not a move on this board",
        );
    }

    #[test]
    fn othello_games_are_read() {
        let grid = "8x8".parse().unwrap();
        let game = Othello::<u64>::new(grid);
        let setup = othello::start(grid, othello::Opening::DIAGONAL).unwrap();
        let start = game.position(&setup, Color::Black).unwrap();
        let text = "f5d6c3\nF5 D6 C3\n";
        let book = Book::new(&game, &start, &Openings::Listed(text.into()), 1, 4).unwrap();
        assert_eq!(book.opening(&game, 0).moves.len(), 3);
        assert_eq!(book.opening(&game, 0), book.opening(&game, 1));
    }
}
