//! `review`: where games went wrong.

mod page;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use serde::Serialize;
use upstar_analysis::{Accuracy, PlayedGame, Review, ReviewError, ReviewLine, ReviewedMove};
use upstar_arena::othello::wthor;
use upstar_arena::{ImportedGame, import_bytes};
use upstar_games::{Color, Start, Variant, excerpt};
use upstar_jobs::quantity;

use crate::failure::{Done, Failure};
use crate::input;
use crate::output::{Output, check_ending, counted};
use crate::progress::Progress;
use crate::search::budget;
use crate::values;
use crate::verbs::analyse::{AnalysisArguments, refusal};

/// Which games, and how thoroughly.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file of records, GGF, transcripts or WTHOR (.wtb), the moves themselves, or - for standard input
    #[arg(value_name = "FILE|MOVES|-")]
    games: String,
    /// For pasted moves: the game
    #[arg(long, value_name = "GAME", default_value = "othello", value_parser = input::GameParser, hide_possible_values = true)]
    game: Variant,
    /// For pasted moves: where the game begins, a size or a position [default: 8x8]
    #[arg(long, value_name = "POSITION", default_value = "8x8", value_parser = values::option(Start::from_str, "--position 6x6"))]
    position: Start,
    /// How long to think about each position
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = quantity::duration)]
    time: Duration,
    /// Review only the game with this number, from 1
    #[arg(long, value_name = "N", value_parser = values::whole::<usize>("number of a game", 1..=u64::from(u32::MAX), "--only 3"))]
    only: Option<usize>,
    /// Draw the graph of the game into this file, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a page with graph, board and mistakes into this file
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    #[command(flatten)]
    analysis: AnalysisArguments,
}

/// A reviewed game, for `--json`.
#[derive(Serialize)]
struct NumberedLine {
    game: usize,
    black: String,
    white: String,
    winner: Option<String>,
    #[serde(flatten)]
    review: ReviewLine,
}

/// A game and what came of its review.
struct Reviewed {
    number: usize,
    game: PlayedGame,
    winner: Option<Color>,
    review: Review,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    for (option, file, ending) in [
        ("--svg", &arguments.svg, "svg"),
        ("--page", &arguments.page, "html"),
    ] {
        if let Some(file) = file {
            check_ending(option, file, ending)?;
        }
    }
    let mut games = arguments.read()?;
    if let Some(only) = arguments.only {
        if only > games.len() {
            let count = counted(games.len() as u64, "game");
            let sentence = format!("there is no game {only}: the file has {count}");
            return Err(Failure::input(sentence, "--only 1"));
        }
        games = vec![games.swap_remove(only - 1)];
    }
    if games.len() > 1 && (arguments.svg.is_some() || arguments.page.is_some()) {
        let sentence = format!(
            "--svg and --page show one game, and there are {}",
            games.len()
        );
        return Err(Failure::input(sentence, "--only 1"));
    }
    let analyser = arguments.analysis.analyser()?;
    let budget = budget(None);
    let plies: usize = games.iter().map(|(_, game, _)| game.moves.len()).sum();
    let progress = Progress::new(plies as u64, "reviewing");
    let mut reviewed = Vec::new();
    for (number, game, winner) in games {
        if budget.is_over() {
            break;
        }
        let review = Review::new(&game, &analyser, arguments.time, &budget, &progress);
        let review = review.map_err(|error| match error {
            ReviewError::Analysis(error) => refusal(error),
            ReviewError::Move(error) => Failure::input(
                format!("game {number}: {error}"),
                "upstar review f5d6c3d3c4",
            ),
        })?;
        let done = Reviewed {
            number,
            game,
            winner,
            review,
        };
        if output.is_json() {
            output.happened(&done.line())?;
        }
        reviewed.push(done);
    }
    progress.finish();
    for (file, contents) in [
        (&arguments.svg, reviewed.first().map(|one| one.review.svg())),
        (&arguments.page, reviewed.first().map(page::html)),
    ] {
        if let (Some(file), Some(contents)) = (file, contents) {
            let written = upstar_runs::write(file, contents.as_bytes());
            written.map_err(|error| Failure::file(file, &error))?;
        }
    }
    if !output.is_json() {
        let texts = reviewed.iter().map(Reviewed::text);
        let mut text = texts.collect::<Vec<_>>().join("\n\n");
        if reviewed.len() > 1 {
            text += "\n\n";
            text += &summary(&reviewed);
        }
        text.push('\n');
        output.verbatim(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}

type Numbered = (usize, PlayedGame, Option<Color>);

impl Arguments {
    fn read(&self) -> Result<Vec<Numbered>, Failure> {
        const MOST: u64 = 256 << 20;
        let path = Path::new(&self.games);
        let (bytes, name) = if self.games == "-" {
            let mut bytes = Vec::new();
            let read = std::io::stdin().take(MOST).read_to_end(&mut bytes);
            read.map_err(|error| Failure::input(error, "a file, or moves"))?;
            (bytes, "standard input".to_owned())
        } else if path.exists() {
            (input::read_file(path, MOST)?, crate::failure::shown(path))
        } else {
            (self.games.clone().into_bytes(), "the moves".to_owned())
        };
        let pasted = !path.exists() && self.games != "-";
        let names = wthor::names_beside(path).filter(|_| wthor::is_wthor(&bytes));
        let games = import_bytes(bytes, names.as_deref(), self.game, &self.position, pasted);
        let games = games.map_err(|error| match pasted {
            true => {
                let (words, game) = (excerpt(&self.games), self.game);
                let sentence = format!("'{words}' is neither a file nor moves of {game}: {error}");
                let moves = match game {
                    Variant::Othello(_) => error.right.to_owned(),
                    _ => format!("'{}' --game {game} --position 4x4", error.right),
                };
                let right = format!("upstar review games.jsonl, or upstar review {moves}");
                Failure::input(sentence, right)
            }
            false => Failure::input(format!("{name}: {error}"), error.right),
        })?;
        let played = |game: ImportedGame| {
            let played = PlayedGame {
                start: game.start,
                moves: game.moves,
                players: game.players,
            };
            (game.number, played, game.winner)
        };
        Ok(games.into_iter().map(played).collect())
    }
}

impl Reviewed {
    fn winner_text(&self) -> String {
        match self.winner {
            Some(side) => format!("{} wins", self.name(side)),
            None => "no winner is known".to_owned(),
        }
    }

    fn name(&self, side: Color) -> String {
        let name: String = self.game.players[side.index()]
            .chars()
            .filter(|it| !it.is_control())
            .collect();
        let letter = letter(side);
        match name == letter.to_string() {
            true => name,
            false => format!("{letter} ({name})"),
        }
    }

    fn text(&self) -> String {
        let mut lines = vec![format!("game {}: {}", self.number, self.winner_text())];
        lines.push(format!("  x {}", spark(&self.review)));
        for side in [Color::Black, Color::White] {
            let Accuracy {
                kept,
                moves,
                proved,
                probable,
            } = self.review.accuracy(side);
            let (name, kept) = (self.name(side), 100.0 * kept);
            let moves = counted(moves as u64, "move");
            lines.push(format!(
                "  {name}: kept {kept:.0} % of its chances in {moves}; mistakes: {proved} proved, {probable} probable"
            ));
        }
        for reviewed in self.review.mistakes() {
            lines.push(format!("  {}", mistake_text(reviewed)));
        }
        lines.join("\n")
    }

    fn line(&self) -> NumberedLine {
        let [black, white] = self.game.players.clone();
        NumberedLine {
            game: self.number,
            black,
            white,
            winner: self.winner.map(|side| letter(side).to_string()),
            review: ReviewLine::new(&self.review),
        }
    }
}

fn letter(side: Color) -> char {
    match side {
        Color::Black => 'x',
        Color::White => 'o',
    }
}

/// A mistake in words, with what would have been better.
fn mistake_text(reviewed: &ReviewedMove) -> String {
    let mistake = reviewed.mistake.expect("it is a mistake");
    let known = if mistake.proved {
        "proved  "
    } else {
        "probable"
    };
    let (ply, side, mv) = (reviewed.ply, letter(reviewed.side), &reviewed.mv);
    let lost = match mistake.discs {
        Some(discs) => format!("{discs:.0} discs"),
        None => format!("{:.0} % chance", 100.0 * mistake.chance),
    };
    let better = reviewed.better.iter().take(6).map(String::as_str);
    let better = better.collect::<Vec<_>>().join(" ");
    let (before, after) = (&reviewed.before, &reviewed.after);
    format!("{known} {ply:>3}. {side} {mv}: loses {lost} ({before} -> {after}); better {better}")
}

/// Black's chances as a row of blocks.
fn spark(review: &Review) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let curve = review.curve();
    let block = |known: &upstar_analysis::Knowledge| match known.win() {
        Some(win) => BLOCKS[(win * 7.0).round() as usize],
        None => '·',
    };
    curve.iter().map(block).collect()
}

/// Where each player loses its games.
fn summary(reviewed: &[Reviewed]) -> String {
    #[derive(Default)]
    struct Player {
        games: usize,
        lost: usize,
        kept: f64,
        mistakes: [usize; 2],
        /// Decisive mistakes by how much was left.
        decisive: Vec<(u32, bool, usize, usize)>,
    }
    let mut players: BTreeMap<String, Player> = BTreeMap::new();
    for one in reviewed {
        for side in [Color::Black, Color::White] {
            let player = players
                .entry(one.game.players[side.index()].clone())
                .or_default();
            let accuracy = one.review.accuracy(side);
            player.games += 1;
            player.kept += accuracy.kept;
            player.mistakes[0] += accuracy.proved;
            player.mistakes[1] += accuracy.probable;
            if one.winner.is_some_and(|winner| winner != side) {
                player.lost += 1;
                if let Some(decisive) = one.review.decisive(side) {
                    let proved = decisive.mistake.is_some_and(|mistake| mistake.proved);
                    let place = (decisive.left, proved, one.number, decisive.ply);
                    player.decisive.push(place);
                }
            }
        }
    }
    let mut lines = Vec::new();
    for (name, mut player) in players {
        let kept = 100.0 * player.kept / player.games as f64;
        let [proved, probable] = player.mistakes;
        let (games, lost) = (player.games, player.lost);
        lines.push(format!(
            "{name}: {games} games, {lost} lost; kept {kept:.0} % of its chances; mistakes: {proved} proved, {probable} probable"
        ));
        player.decisive.sort_unstable();
        for (left, proved, game, ply) in player.decisive.iter().rev() {
            let known = if *proved { "proved" } else { "probable" };
            lines.push(format!(
                "  lost game {game} by move {ply}, with {left} left ({known})"
            ));
        }
    }
    lines.join("\n")
}
