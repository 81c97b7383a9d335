//! `book`: opening books for the Othello engine: let them grow, learn from games, read, exchange with Edax.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand};
use serde::Serialize;
use upstar_agents::{BookError, Growth, GrowthError, OpeningBook};
use upstar_arena::import_bytes;
use upstar_games::othello::{Move, Opening};
use upstar_games::{AnyGame, Board, Color, Grid, Othello, Position, Rules, Start, Variant};
use upstar_jobs::quantity;

use crate::failure::{Done, Failure, shown};
use crate::input::{self, GameArguments};
use crate::output::{Output, check_writable, counted, grouped, write_file};
use crate::progress::Steps;
use crate::search::budget;
use crate::values;

/// What to do with it.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Let a book grow along the lines of best play, or begin one; can be stopped and repeated at any time
    Grow(Grow),
    /// Put the positions of games into a book, and search them
    Learn(Learn),
    /// Show what a book says of a position
    Show(Show),
    /// Write a book as text, as Edax exports its own
    Export(Export),
    /// Put the positions of a text that Edax has exported into a book
    Import(Import),
}

/// Which book is read.
#[derive(Args)]
struct Source {
    /// The file of the book, or 'default' for the one that comes with the program
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Which book is changed.
#[derive(Args)]
struct Target {
    /// The file of the book; a new one begins if it is not there
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The board of a new book, of at most 64 cells [default: 8x8]
    #[arg(long, value_name = "SIZE", value_parser = values::option(Grid::from_str, "--board 6x6"))]
    board: Option<Grid>,
}

/// How positions are searched.
#[derive(Args)]
struct Search {
    /// How many plies ahead, as in the levels of 'ab'; what was searched less is searched again
    #[arg(long, value_name = "N", default_value_t = Growth::default().level, value_parser = clap::value_parser!(u32).range(1..=40))]
    level: u32,
    /// How many threads search; the book is the same for any number [default: all cores]
    #[arg(long, value_name = "N", value_parser = quantity::threads)]
    threads: Option<usize>,
    /// Stop after this time; the same command goes on: 500ms, 60s, 5m, 2h
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    time_limit: Option<Duration>,
}

#[derive(Args)]
struct Grow {
    #[command(flatten)]
    target: Target,
    /// How many positions the book is to have
    #[arg(long, value_name = "N", default_value_t = Growth::default().positions, value_parser = values::whole::<usize>("number of positions", 1..=10_000_000, "--positions 1000"))]
    positions: usize,
    /// Positions with fewer empty cells stay out
    #[arg(long, value_name = "N", default_value_t = Growth::default().least_empties, value_parser = clap::value_parser!(u32).range(1..=60))]
    empties: u32,
    /// What a disc that a move gives away costs, in plies: more makes narrow, deep books
    #[arg(long, value_name = "F", default_value_t = Growth::default().loss, value_parser = loss)]
    loss: f64,
    #[command(flatten)]
    search: Search,
}

#[derive(Args)]
struct Learn {
    #[command(flatten)]
    target: Target,
    /// Files of games: records, GGF, transcripts, WTHOR (.wtb)
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// Positions with fewer empty cells stay out
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=60))]
    empties: u32,
    #[command(flatten)]
    search: Search,
}

#[derive(Args)]
struct Show {
    #[command(flatten)]
    source: Source,
    /// A position or a game (f5d6c3) [default: the start]
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// The side to move: x, o, black, white [default: x, or whose turn it is]
    #[arg(long, value_name = "STONE", value_parser = input::stone)]
    to_move: Option<char>,
}

#[derive(Args)]
struct Export {
    #[command(flatten)]
    source: Source,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Args)]
struct Import {
    #[command(flatten)]
    target: Target,
    /// The text, as Edax writes it with 'book export'
    #[arg(value_name = "TEXT")]
    text: PathBuf,
}

/// How far a growth is.
#[derive(Serialize)]
struct Progress {
    positions: usize,
    waiting: usize,
}

/// What a book holds.
#[derive(Serialize)]
struct Contents {
    file: String,
    board: String,
    positions: usize,
    /// Those that were not searched yet.
    waiting: usize,
    levels: Vec<Level>,
    /// Whether the work that was asked for is done; false if it was stopped before.
    #[serde(skip_serializing_if = "Option::is_none")]
    finished: Option<bool>,
}

/// How many positions were searched so far ahead.
#[derive(Serialize)]
struct Level {
    level: u32,
    positions: usize,
}

/// What a book says of a position.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    contents: Contents,
    position: String,
    to_move: String,
    moves: Vec<ShownMove>,
}

#[derive(Serialize)]
struct ShownMove {
    r#move: String,
    /// Discs of `x` less those of `o`.
    discs: i32,
    level: u32,
    /// Whether the position after it is in the book.
    in_book: bool,
    /// How the book goes on.
    pv: Vec<String>,
}

/// What was written into a file.
#[derive(Serialize)]
struct Written {
    positions: usize,
    file: String,
}

const EXAMPLE: &str = "upstar book grow my.book --positions 1000";
/// The longest file of games, in bytes.
const MOST: u64 = 256 << 20;

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    match &arguments.action {
        Action::Grow(arguments) => grow(arguments, output),
        Action::Learn(arguments) => learn(arguments, output),
        Action::Show(arguments) => show(arguments, output),
        Action::Export(arguments) => export(arguments, output),
        Action::Import(arguments) => import(arguments, output),
    }
}

fn grow(arguments: &Grow, output: &Output) -> Done {
    let book = arguments.target.open()?;
    let growth = Growth {
        level: arguments.search.level,
        positions: arguments.positions,
        least_empties: arguments.empties,
        loss: arguments.loss,
    };
    search(
        book,
        &arguments.target.file,
        &growth,
        &arguments.search,
        output,
    )
}

fn learn(arguments: &Learn, output: &Output) -> Done {
    let mut book = arguments.target.open()?;
    for file in &arguments.games {
        insert_games(&mut book, file, arguments.empties)?;
    }
    let growth = Growth {
        level: arguments.search.level,
        // The games bring all that are to come in.
        positions: 0,
        ..Growth::default()
    };
    search(
        book,
        &arguments.target.file,
        &growth,
        &arguments.search,
        output,
    )
}

/// Puts the first positions of all games of a file in.
fn insert_games(book: &mut OpeningBook, file: &Path, empties: u32) -> Result<(), Failure> {
    const RIGHT: &str =
        "records, GGF, transcripts or a .wtb file of games on the board of the book";
    let bytes = input::read_file(file, MOST)?;
    let start = Start::Size(book.grid());
    let games = import_bytes(
        bytes,
        None,
        Variant::Othello(Opening::DIAGONAL),
        &start,
        false,
    );
    let refused = |what: String| Failure::input(format!("{}: {what}", shown(file)), RIGHT);
    for game in games.map_err(|error| refused(error.to_string()))? {
        let number = game.number;
        let wrong = |what: String| refused(format!("game {number}: {what}"));
        let (rules, start) = on_board(book, &game.start).map_err(wrong)?;
        let named = game.moves.iter().map(|name| rules.move_named(name));
        let moves: Option<Vec<Move>> = named.collect();
        let moves = moves.ok_or_else(|| wrong("it has an unknown move".to_owned()))?;
        book.insert_game(start, &moves, empties);
    }
    Ok(())
}

/// The rules and the position of a game on the board of a book.
fn on_board<'a>(
    book: &OpeningBook,
    game: &'a AnyGame,
) -> Result<(&'a Othello<u64>, &'a Position<u64>), String> {
    let (variant, board) = (game.variant(), game.setup().board);
    match game {
        AnyGame::Othello64(rules, position) if *rules.board() == Board::Grid(book.grid()) => {
            Ok((rules, position))
        }
        _ => Err(format!(
            "it is {variant} on {board}, and the book is for Othello on {}",
            book.grid()
        )),
    }
}

/// Searches what waits in a book, lets it grow, and keeps it in its file all the while.
fn search(
    mut book: OpeningBook,
    file: &Path,
    growth: &Growth,
    search: &Search,
    output: &Output,
) -> Done {
    check_writable(file)?;
    let budget = budget(search.time_limit);
    let threads = search.threads.unwrap_or_else(values::all_cores);
    let aim = growth.positions.max(book.len()) as u64;
    let steps = Steps::new(aim, (book.len() - book.unsearched()) as u64);
    let mut told = |book: &OpeningBook, waiting: usize| -> io::Result<()> {
        book.write(file)?;
        let positions = book.len();
        let message = format!(" positions, {waiting} of this round wait");
        steps.at(positions.saturating_sub(waiting) as u64, message);
        output.happened(&Progress { positions, waiting })
    };
    let grown = book.grow(growth, threads, &budget, &mut told);
    steps.finish();
    let finished = grown.map_err(|error| match error {
        GrowthError::Thread(error) => Failure::input(error, "--threads 1"),
        GrowthError::Io(error) => Failure::file(file, &error),
    })?;
    let written = book.write(file);
    written.map_err(|error| Failure::file(file, &error))?;
    let contents = Contents {
        finished: Some(finished),
        ..Contents::new(&book, file)
    };
    output.print(&contents, |contents| match finished {
        true => contents.text(),
        false => contents.text() + "\nstopped; the same command goes on",
    })?;
    Ok(ExitCode::SUCCESS)
}

fn show(arguments: &Show, output: &Output) -> Done {
    let book = arguments.source.open()?;
    let variant = Variant::Othello(Opening::DIAGONAL);
    let position = match &arguments.position {
        Some(text) => text.clone(),
        None => book.grid().to_string(),
    };
    let game = GameArguments::new(variant, &position, arguments.to_move, &[]).open()?;
    let found = on_board(&book, &game);
    let (rules, position) =
        found.map_err(|what| Failure::input(what, "upstar book show default f5d6"))?;
    let sign = match position.to_move {
        Color::Black => 1,
        Color::White => -1,
    };
    let moves = book.moves(position).into_iter().map(|found| {
        let next = rules.play_unchecked(position, found.mv);
        let line = std::iter::once(found.mv).chain(book.line(&next));
        ShownMove {
            r#move: rules.move_name(found.mv),
            discs: sign * found.discs,
            level: found.level,
            in_book: found.stays,
            pv: line.map(|mv| rules.move_name(mv)).collect(),
        }
    });
    let shown = Shown {
        contents: Contents::new(&book, &arguments.source.file),
        position: rules.setup(position).to_string(),
        to_move: game.side_to_move().letter().to_string(),
        moves: moves.collect(),
    };
    output.print(&shown, Shown::text)?;
    Ok(ExitCode::SUCCESS)
}

fn export(arguments: &Export, output: &Output) -> Done {
    let book = arguments.source.open()?;
    if book.grid().len() != 64 {
        let sentence = format!("Edax knows 8x8 only, and the book is for {}", book.grid());
        return Err(Failure::input(sentence, "upstar book export default"));
    }
    let text = book.to_edax();
    let Some(file) = &arguments.out else {
        output.verbatim(&text)?;
        return Ok(ExitCode::SUCCESS);
    };
    write_file(file, text)?;
    let written = Written {
        positions: book.len(),
        file: shown(file),
    };
    output.print(&written, |written| {
        let positions = counted(written.positions as u64, "position");
        format!("{positions} in {}", written.file)
    })?;
    Ok(ExitCode::SUCCESS)
}

fn import(arguments: &Import, output: &Output) -> Done {
    let mut book = arguments.target.open()?;
    let text = input::read_file(&arguments.text, MOST)?;
    let refused = |what: &dyn std::fmt::Display| {
        let right = "a text that Edax has written with 'book export'";
        Failure::input(format!("{}: {what}", shown(&arguments.text)), right)
    };
    let text = String::from_utf8(text).map_err(|_| refused(&"it is not UTF-8"))?;
    let inserted = book.insert_edax(&text);
    inserted.map_err(|error| refused(&error))?;
    let file = &arguments.target.file;
    let written = book.write(file);
    written.map_err(|error| Failure::file(file, &error))?;
    output.print(&Contents::new(&book, file), Contents::text)?;
    Ok(ExitCode::SUCCESS)
}

impl Source {
    fn open(&self) -> Result<Arc<OpeningBook>, Failure> {
        if self.file == Path::new("default") {
            let grid = "8x8".parse().expect("a size");
            return Ok(OpeningBook::shipped(grid).expect("there is one for 8x8"));
        }
        read(&self.file).map(Arc::new)
    }
}

impl Target {
    fn open(&self) -> Result<OpeningBook, Failure> {
        if !self.file.exists() {
            let usual = || "8x8".parse().expect("a size");
            let board = self.board.unwrap_or_else(usual);
            if board.len() > 64 {
                let sentence = format!("{board} has more than 64 cells");
                return Err(Failure::input(sentence, "--board 8x8"));
            }
            return Ok(OpeningBook::new(board));
        }
        let book = read(&self.file)?;
        match self.board {
            Some(board) if board != book.grid() => {
                let (file, grid) = (shown(&self.file), book.grid());
                let sentence = format!("{file} is for {grid}, not for {board}");
                Err(Failure::input(sentence, EXAMPLE))
            }
            _ => Ok(book),
        }
    }
}

fn read(file: &Path) -> Result<OpeningBook, Failure> {
    OpeningBook::read(file).map_err(|error| match error {
        BookError::Io(error) => Failure::file(file, &error),
        BookError::NotABook => Failure::input(format!("{}: {error}", shown(file)), EXAMPLE),
    })
}

impl Contents {
    fn new(book: &OpeningBook, file: &Path) -> Self {
        let levels: BTreeMap<u32, usize> = book.levels();
        let level = |(level, positions)| Level { level, positions };
        Self {
            file: shown(file),
            board: book.grid().to_string(),
            positions: book.len(),
            waiting: book.unsearched(),
            levels: levels.into_iter().map(level).collect(),
            finished: None,
        }
    }

    /// `my.book: 1,000 positions of 8x8, searched 14 plies ahead`.
    fn text(&self) -> String {
        let levels: Vec<String> = match self.levels.as_slice() {
            [one] => vec![format!("searched {} plies ahead", one.level)],
            several => several
                .iter()
                .map(|one| {
                    let positions = grouped(one.positions as u64);
                    format!("{positions} searched {} plies ahead", one.level)
                })
                .collect(),
        };
        let waiting = match self.waiting {
            0 => String::new(),
            waiting => format!(", {} not searched yet", grouped(waiting as u64)),
        };
        let positions = counted(self.positions as u64, "position");
        let (file, board, levels) = (&self.file, &self.board, levels.join(", "));
        let comma = if levels.is_empty() { "" } else { ", " };
        format!("{file}: {positions} of {board}{comma}{levels}{waiting}")
    }
}

impl Shown {
    fn text(&self) -> String {
        let mut lines = vec![self.contents.text()];
        if self.moves.is_empty() {
            lines.push(format!(
                "{} to move: the book does not know this position",
                self.to_move
            ));
            return lines.join("\n");
        }
        lines.push(format!("{} to move", self.to_move));
        for found in &self.moves {
            // People look at a move from the side that plays it.
            let discs = if self.to_move == "x" {
                found.discs
            } else {
                -found.discs
            };
            let (mv, level) = (&found.r#move, found.level);
            let line = found.pv[1..].iter().take(12);
            let line: Vec<&str> = line.map(String::as_str).collect();
            let row = format!("~ {mv}  {discs:+} ({level} plies)  {}", line.join(" "));
            lines.push(row.trim_end().to_owned());
        }
        lines.push("~ estimated by search; discs are those of the side to move".to_owned());
        lines.join("\n")
    }
}

fn loss(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    let number = number.filter(|number| (0.0..=100.0).contains(number));
    number.ok_or_else(|| {
        format!(
            "'{}' is not a number from 0 to 100",
            upstar_games::excerpt(text)
        )
    })
}
