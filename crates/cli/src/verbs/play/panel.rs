//! What is said of a game beside or below its board: who plays, the score, components and their values, the
//! evaluation with its grade, the analysis, and the moves so far.

use std::time::Duration;

use anstyle::{AnsiColor, Style};
use upstar_agents::AgentSpec;
use upstar_games::{Cells, Color, Variant};
use upstar_session::{PlayedMove, opinion};
use upstar_solve::clobber::parts;

use super::desk::{Desk, Task, Tone};
use super::glyphs::Glyphs;
use super::grades;
use super::lines::{discs, played};
use super::styled::{BOLD, DIM, GUESSED, Line, PLAIN, Target, colored, wrapped};

/// A panel that is narrower says nothing.
pub(super) const NARROWEST: usize = 30;
/// As many rows a panel beside a low board has, where the window does.
pub(super) const USUAL: usize = 16;

const SPINNER: [char; 4] = ['|', '/', '-', '\\'];
/// The most rows of the graded moves beside the list of those that were played.
const GRADED: usize = 10;

/// A game that is drawn, and how.
#[derive(Clone, Copy)]
pub(super) struct Panel<'a> {
    pub(super) desk: &'a Desk,
    pub(super) glyphs: Glyphs,
    /// How long the work in the background has taken.
    pub(super) elapsed: Duration,
    pub(super) width: usize,
}

impl Panel<'_> {
    /// All of it, in so many rows.
    pub(super) fn beside(self, rows: usize) -> Vec<Line> {
        let mut lines = self.seats();
        lines.push(Line::default());
        let (style, text) = self.turn();
        lines.extend(wrapped(style, &text, self.width));
        lines.extend(self.score());
        // The list of moves says which was the last one.
        lines.extend(self.evaluation().or_else(|| self.opinion()));
        lines.push(Line::default());
        lines.extend(self.lists(rows.saturating_sub(lines.len())));
        lines.truncate(rows);
        lines
    }

    /// What does not stand below the board anyway, in so many rows.
    pub(super) fn below(self, rows: usize) -> Vec<Line> {
        let mut lines = self.score();
        lines.extend(self.evaluation());
        lines.extend(self.lists(rows.saturating_sub(lines.len())));
        lines.truncate(rows);
        lines
    }

    /// Who plays each side, and the time that programs have or have taken.
    fn seats(self) -> Vec<Line> {
        let mut lines = Vec::new();
        for side in [Color::Black, Color::White] {
            let mut line = seat(side, self.desk.table.player(side), self.glyphs);
            if let Some(clock) = self.clock(side) {
                let clock = format!("  {clock}");
                if line.width() + clock.len() > self.width {
                    lines.push(std::mem::take(&mut line));
                }
                line.add(DIM, clock);
            }
            lines.push(line);
        }
        lines
    }

    /// The time that is left to a program, or that it has taken.
    fn clock(self, side: Color) -> Option<String> {
        let desk = self.desk;
        if desk.table.is_human(side) {
            return None;
        }
        let thinks = desk.thinking == Some(Task::Move) && desk.table.side() == side;
        let now = if thinks { self.elapsed } else { Duration::ZERO };
        if let Some(left) = desk.clocks[side.index()] {
            let seconds = left.saturating_sub(now).as_secs();
            return Some(format!("{}:{:02} left", seconds / 60, seconds % 60));
        }
        let moves = desk.table.moves().into_iter();
        let own = moves.filter(|played| played.side == side);
        let used: f64 = own.map(|played| played.thought.seconds).sum();
        Some(format!("{:.1} s used", used + now.as_secs_f64()))
    }

    /// Whose turn it is, who thinks, how the game ended, or which position of it is shown.
    pub(super) fn turn(self) -> (Style, String) {
        let table = &self.desk.table;
        let side = table.side();
        if let Some(task) = self.desk.thinking {
            let seconds = self.elapsed.as_secs_f64();
            let spinner = SPINNER[(self.elapsed.as_millis() / 100) as usize % SPINNER.len()];
            let what = match task {
                Task::Move => format!("{side} thinks"),
                Task::Hint => "looking for a hint".to_owned(),
                Task::Analysis => "analysing".to_owned(),
            };
            let end = match task {
                Task::Move => "Esc: move now",
                Task::Hint | Task::Analysis => "Esc: enough",
            };
            return (PLAIN, format!("{spinner} {what}, {seconds:.1} s   {end}"));
        }
        if let Some(plies) = self.desk.looking {
            let all = table.moves().len();
            return (BOLD, format!("after move {plies} of {all}"));
        }
        if let Some(result) = table.result() {
            return (BOLD, result);
        }
        let two = *table.players() == [AgentSpec::Human, AgentSpec::Human];
        let whose = if two { "to move" } else { "it is your move" };
        let mut text = format!("{side}: {whose}");
        if let [only] = &table.legal()[..]
            && table.path(only).is_none()
        {
            text += ": there is nothing but a pass, Enter plays it";
        }
        (BOLD, text)
    }

    /// The last move and what its player thinks of it.
    pub(super) fn last(self) -> Option<Line> {
        let last = self.desk.last_shown()?;
        let tone = match (last.thought.proved, last.thought.expected) {
            (Some(_), _) => Tone::Proved,
            (None, Some(_)) => Tone::Estimated,
            (None, None) => Tone::Plain,
        };
        Some(Line::of(style_of(tone), played(&last)))
    }

    /// Discs or stones, components and their values.
    fn score(self) -> Vec<Line> {
        let desk = self.desk;
        let game = desk.game();
        let setup = game.setup();
        let mut lines = Vec::new();
        match discs(game) {
            Some(discs) => {
                let stones = setup.stones(Color::Black) | setup.stones(Color::White);
                let empty = setup.board.cells().len() - stones.len();
                lines.push(Line::of(PLAIN, format!("discs {discs}, {empty} empty")));
            }
            None => {
                let stones = |side: Color| setup.stones(side).len();
                let [black, white] = [stones(Color::Black), stones(Color::White)];
                let parts = parts(&setup, game.variant() == Variant::Cannibal).len();
                lines.push(Line::of(
                    PLAIN,
                    format!("stones x {black}, o {white}; components {parts}"),
                ));
            }
        }
        let worth = desk.worth.as_ref().filter(|worth| worth.of == *game);
        if let Some([names, ascii]) = worth.and_then(|worth| worth.values.as_ref()) {
            let values = match self.glyphs {
                Glyphs::Discs => names,
                Glyphs::Letters => ascii,
            };
            let text = format!("value {values}");
            lines.extend(wrapped(PLAIN, &text, self.width).into_iter().take(2));
        }
        lines
    }

    /// Who is winning by the analysis, or by exact values.
    fn evaluation(self) -> Option<Line> {
        let desk = self.desk;
        if let Some(analysis) = desk.shown_analysis() {
            return Some(grades::headline(&analysis.known, desk.table.side()));
        }
        let game = desk.game();
        let worth = desk.worth.as_ref().filter(|worth| worth.of == *game);
        let winner = worth.and_then(|worth| worth.winner)?;
        let text = format!("{winner} wins, proved by values");
        Some(Line::of(colored(AnsiColor::Green), text))
    }

    /// What the last program to move thinks of the game.
    fn opinion(self) -> Option<Line> {
        let moves = self.desk.table.moves();
        let shown = moves.into_iter().take(self.desk.plies_shown());
        let told = |played: PlayedMove| {
            let opinion = opinion(&played.thought, played.side)?;
            Some(match played.thought.proved {
                Some(_) => Line::of(style_of(Tone::Proved), opinion),
                None => Line::of(GUESSED, format!("{opinion}, estimated")),
            })
        };
        shown.rev().take(2).find_map(told)
    }

    /// The graded moves and those that were played, in so many rows.
    fn lists(self, rows: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        if let Some(analysis) = self.desk.shown_analysis() {
            let history = match self.desk.table.moves().len() {
                0 => 0,
                _ => rows.min(3),
            };
            lines = grades::list(analysis, (rows - history).min(GRADED));
            lines.push(Line::default());
        }
        let left = rows.saturating_sub(lines.len());
        lines.extend(self.history(left));
        lines
    }

    /// The moves so far in two columns, those of Black on the left. The latest are shown, or those around the
    /// one that is looked at.
    fn history(self, rows: usize) -> Vec<Line> {
        let moves = self.desk.table.moves();
        if moves.is_empty() || rows == 0 {
            return Vec::new();
        }
        let shown = self.desk.plies_shown();
        let name = moves.iter().map(|played| played.mv.len()).max();
        let name = name.unwrap_or(0);
        let mut pairs: Vec<[Option<(usize, &PlayedMove)>; 2]> = Vec::new();
        for (index, played) in moves.iter().enumerate() {
            let column = played.side.index();
            match pairs.last_mut() {
                // A pass is a move too, so the sides take turns; a position may begin with White.
                Some(pair) if column == 1 && pair[1].is_none() => pair[1] = Some((index, played)),
                _ => {
                    let mut pair = [None, None];
                    pair[column] = Some((index, played));
                    pairs.push(pair);
                }
            }
        }
        let is_here = |pair: &[Option<(usize, &PlayedMove)>; 2]| {
            let plies = pair.iter().flatten().map(|(index, _)| index + 1);
            plies.max().is_some_and(|ply| ply >= shown)
        };
        let here = pairs.iter().position(is_here).unwrap_or(0);
        let end = (here + 1).max(rows).min(pairs.len());
        let begin = end.saturating_sub(rows);
        let digits = pairs.len().to_string().len();
        let line = |(number, pair): (usize, &[Option<(usize, &PlayedMove)>; 2])| {
            let mut line = Line::of(DIM, format!("{:>digits$}.", number + 1));
            for half in pair {
                let Some((index, played)) = half else {
                    line.add(DIM, format!("  {:<name$}", "-"));
                    continue;
                };
                let (mark, style) = match index + 1 == shown {
                    true => ('>', BOLD),
                    false => (' ', PLAIN),
                };
                let text = format!(" {mark}{:<name$}", played.mv);
                line.append(Line::of(style, text).leading_to(Target::Ply(index + 1)));
            }
            line
        };
        let pairs = pairs.iter().enumerate().take(end).skip(begin);
        pairs.map(line).collect()
    }
}

/// A side, its disc and who plays it.
pub(super) fn seat(side: Color, player: &AgentSpec, glyphs: Glyphs) -> Line {
    let mut line = Line::of(stone_style(side), side.to_string());
    if glyphs == Glyphs::Discs {
        line.add(stone_style(side), format!(" {}", glyphs.stone(side)));
    }
    line.add(PLAIN, format!(" {player}"));
    line
}

pub(super) fn stone_style(side: Color) -> Style {
    colored(match side {
        Color::Black => AnsiColor::Cyan,
        Color::White => AnsiColor::Yellow,
    })
}

pub(super) fn style_of(tone: Tone) -> Style {
    match tone {
        Tone::Plain => PLAIN,
        Tone::Proved => colored(AnsiColor::Green),
        Tone::Estimated => GUESSED,
        Tone::Refused => PLAIN.fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red))),
    }
}
