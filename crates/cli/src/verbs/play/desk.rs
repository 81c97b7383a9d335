//! What a user at a terminal does with a game: keys and clicks come in, the table changes, and what takes
//! time is asked for. It knows no terminal.

use std::time::Duration;

use upstar_analysis::{Analysis, GradedMove, Knowledge};
use upstar_arena::{Record, Thought};
use upstar_games::{AnyGame, Cell, Cells};
use upstar_session::{Heading, LiveGame, MoveAnswer, PlayedMove, judgement};
use upstar_solve::Outcome;

use super::keys::{Command, Key};
use super::layout::Layout;
use super::styled::Target;
use super::worth::Worth;
use crate::typed::NOTHING_TO_UNDO;

/// What the desk asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Leave.
    Quit,
    /// Think about this.
    Think(Task),
    /// End the thinking now.
    Stop,
    /// The agents change sides.
    Swap,
    /// The agents begin the game with this number.
    Renew(u64),
}

/// What takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Move,
    Hint,
    Analysis,
}

/// What kind of sentence it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tone {
    #[default]
    Plain,
    Proved,
    Estimated,
    Refused,
}

/// A sentence for the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) text: String,
    pub(super) tone: Tone,
}

/// A game and where its player is.
pub(super) struct Desk {
    pub(super) table: LiveGame,
    pub(super) heading: Heading,
    /// Games that were left for a new one.
    records: Vec<Record>,
    pub(super) layout: Layout,
    pub(super) cursor: Cell,
    /// The stone that is to move.
    pub(super) chosen: Option<Cell>,
    pub(super) typed: String,
    pub(super) message: Message,
    pub(super) thinking: Option<Task>,
    /// After how many moves the position is that is shown instead of the last one.
    pub(super) looking: Option<usize>,
    /// What is left to both sides of the time for the game.
    pub(super) clocks: [Option<Duration>; 2],
    /// What a position shown here or before is worth.
    pub(super) worth: Option<Worth>,
    /// Whether every position in which the user is to move is analysed.
    pub(super) analysing: bool,
    /// What is known of this position.
    pub(super) analysis: Option<Analysis>,
    /// Whether the analysis of this position has ended.
    analysed: bool,
    /// Whether the analysis at work is of another position, or not wanted any more.
    stale: bool,
    /// What to do as soon as the thinking has ended that it makes useless.
    postponed: Option<Command>,
    /// Whether the keys are shown instead of the board.
    pub(super) help: bool,
    /// Whether the user was asked about leaving an unfinished game.
    leaving: bool,
}

const BUSY: &str = "wait for the answer, or press Esc to have it now";
const OVER: &str = "the game is over: ^N begins a new one, ^Z takes back";
const UNFINISHED: &str = "the game is not finished: ^Q again leaves it";
const LOOKING: &str = "this was played already: ^Z plays on from here, Esc goes back to the game";
/// No move has a longer name.
const LONGEST: usize = 64;

impl Desk {
    pub(super) fn new(table: LiveGame, heading: Heading) -> Self {
        let layout = Layout::new(table.game().board());
        let first = table.legal().iter().find_map(|mv| table.path(mv));
        Self {
            cursor: first.map_or(layout.first(), |(from, _)| from),
            table,
            heading,
            records: Vec::new(),
            layout,
            chosen: None,
            typed: String::new(),
            message: Message::default(),
            thinking: None,
            looking: None,
            clocks: [None; 2],
            worth: None,
            analysing: false,
            analysis: None,
            analysed: false,
            stale: false,
            postponed: None,
            help: false,
            leaving: false,
        }
    }

    /// What has to be done before a key is pressed.
    pub(super) fn next(&self) -> Option<Wish> {
        if self.thinking.is_some() || self.table.is_over() {
            return None;
        }
        if self.table.waits_for_program() {
            return Some(Wish::Think(Task::Move));
        }
        let analyse = self.analysing && !self.analysed;
        analyse.then_some(Wish::Think(Task::Analysis))
    }

    /// A key is pressed.
    pub(super) fn press(&mut self, key: Key) -> Option<Wish> {
        let asked = std::mem::take(&mut self.leaving);
        if std::mem::take(&mut self.help) && !matches!(key, Key::Command(_)) {
            return None;
        }
        match key {
            Key::Command(Command::Quit) if self.is_unfinished() && !asked => {
                self.leaving = true;
                self.say(Tone::Plain, UNFINISHED.to_owned());
                self.typed.clear();
            }
            Key::Command(command) => return self.command(command),
            Key::Letter(letter) => {
                if !self.is_busy() && self.typed.len() < LONGEST {
                    self.typed.push(letter);
                }
            }
            Key::Backspace => {
                self.typed.pop();
            }
            Key::Escape => {
                if self.looking.take().is_some() {
                    self.drop_begun();
                    return None;
                }
                let begun = self.chosen.is_some() || !self.typed.is_empty();
                self.drop_begun();
                if self.thinking.is_some() && !begun {
                    return Some(Wish::Stop);
                }
            }
            Key::Up => self.go(-1, 0),
            Key::Down => self.go(1, 0),
            Key::Left => self.go(0, -1),
            Key::Right => self.go(0, 1),
            Key::Enter => return self.enter(),
            Key::Back => self.look_at(self.plies_shown().saturating_sub(1)),
            Key::Forward => self.look_at(self.plies_shown() + 1),
            Key::First => self.look_at(0),
            Key::Last => self.look_at(usize::MAX),
        }
        None
    }

    /// Something is clicked at, or nothing that means anything.
    pub(super) fn click(&mut self, target: Option<Target>) -> Option<Wish> {
        self.leaving = false;
        if std::mem::take(&mut self.help) {
            return None;
        }
        match target? {
            Target::Cell(cell) => {
                self.typed.clear();
                self.cursor = cell;
                return self.enter();
            }
            Target::Ply(plies) => self.look_at(plies),
            Target::Graded(index) => {
                let mut moves = self.analysis.iter().flat_map(|analysis| &analysis.moves);
                if let Some(graded) = moves.nth(index).cloned() {
                    self.drop_begun();
                    self.suggest(&graded);
                }
            }
        }
        None
    }

    /// Shows the position after so many moves; the last one is the game itself.
    fn look_at(&mut self, plies: usize) {
        self.drop_begun();
        self.looking = (plies < self.table.moves().len()).then_some(plies);
        if self.looking.is_some() {
            self.say(Tone::Plain, LOOKING.to_owned());
        }
    }

    /// How many moves led to the position that is shown.
    pub(super) fn plies_shown(&self) -> usize {
        self.looking.unwrap_or_else(|| self.table.moves().len())
    }

    /// The position that is shown.
    pub(super) fn game(&self) -> &AnyGame {
        let looked_at = self.looking;
        let looked_at = looked_at.and_then(|plies| self.table.position_after(plies));
        looked_at.unwrap_or_else(|| self.table.game())
    }

    /// The move that led to it.
    pub(super) fn last_shown(&self) -> Option<PlayedMove> {
        let index = self.plies_shown().checked_sub(1)?;
        self.table.moves().into_iter().nth(index)
    }

    /// The analysis of the position that is shown.
    pub(super) fn shown_analysis(&self) -> Option<&Analysis> {
        self.analysis.as_ref().filter(|_| self.looking.is_none())
    }

    /// Whether moves were played and the game goes on.
    fn is_unfinished(&self) -> bool {
        !self.table.is_over() && !self.table.moves().is_empty()
    }

    /// Whether the user has to wait. An analysis goes on beside everything.
    fn is_busy(&self) -> bool {
        matches!(self.thinking, Some(Task::Move | Task::Hint))
    }

    fn command(&mut self, command: Command) -> Option<Wish> {
        match command {
            Command::Quit | Command::Leave => return Some(Wish::Quit),
            Command::Help => self.help = true,
            Command::Analyse => return self.toggle_analysis(),
            Command::Undo | Command::New | Command::Swap if self.thinking.is_some() => {
                self.postponed = Some(command);
                return Some(Wish::Stop);
            }
            Command::Undo if self.looking.is_some() => {
                let kept = self.plies_shown();
                self.table.take_back(self.table.moves().len() - kept);
                return self.clear();
            }
            Command::Undo => match self.table.undo() {
                Some(_) => return self.clear(),
                None => self.refuse(NOTHING_TO_UNDO),
            },
            Command::Swap => {
                self.table.swap();
                self.clear();
                return Some(Wish::Swap);
            }
            Command::New => {
                if !self.table.moves().is_empty() {
                    self.records.push(self.table.record(&self.heading));
                    self.heading.index += 1;
                }
                self.table.renew();
                self.clear();
                return Some(Wish::Renew(self.heading.index));
            }
            Command::Hint if self.is_busy() => self.refuse(BUSY),
            Command::Hint if self.table.is_over() => self.refuse(OVER),
            Command::Hint => {
                self.looking = None;
                self.drop_begun();
                // An analysis knows already what a hint would find.
                let best = self.analysis.as_ref().and_then(|known| known.moves.first());
                match best.cloned() {
                    Some(best) => self.suggest(&best),
                    None if self.thinking.is_none() => return Some(Wish::Think(Task::Hint)),
                    None => self.refuse(BUSY),
                }
            }
        }
        None
    }

    /// Begins to analyse the user's positions, or ends it.
    fn toggle_analysis(&mut self) -> Option<Wish> {
        if self.table.is_over() {
            self.refuse(OVER);
            return None;
        }
        self.analysing = !self.analysing;
        self.message = Message::default();
        self.forget_analysis()
    }

    /// The analysis is not wanted any more.
    fn forget_analysis(&mut self) -> Option<Wish> {
        self.analysis = None;
        self.analysed = false;
        self.stale = self.thinking == Some(Task::Analysis);
        self.stale.then_some(Wish::Stop)
    }

    /// Moves the cursor to the next cell in this direction.
    fn go(&mut self, down: isize, right: isize) {
        self.cursor = self.layout.neighbour(self.cursor, down, right);
    }

    /// Plays what is typed, or chooses what is under the cursor.
    fn enter(&mut self) -> Option<Wish> {
        if self.looking.is_some() {
            self.refuse(LOOKING);
            return None;
        }
        if self.is_busy() || self.table.waits_for_program() {
            self.refuse(BUSY);
            return None;
        }
        if self.table.is_over() {
            self.refuse(OVER);
            return None;
        }
        if !self.typed.is_empty() {
            let name = std::mem::take(&mut self.typed);
            return match self.table.named(name.trim()) {
                Ok(mv) => self.make(&mv),
                Err(error) => {
                    self.refuse(&error.to_string());
                    None
                }
            };
        }
        let legal = self.table.legal();
        let path = |mv: &String| self.table.path(mv);
        if let [only] = &legal[..]
            && path(only).is_none()
        {
            return self.make(only);
        }
        let here = self.cursor;
        let from = self.chosen.unwrap_or(here);
        if let Some(mv) = legal.iter().find(|mv| path(mv) == Some((from, here))) {
            return self.make(mv);
        }
        let begins = |mv: &String| path(mv).is_some_and(|(from, _)| from == here);
        if self.chosen == Some(here) {
            self.chosen = None;
        } else if legal.iter().any(begins) {
            self.chosen = Some(here);
            self.message = Message::default();
        } else {
            let name = self.table.game().board().name(here);
            self.refuse(&match self.chosen {
                Some(_) => format!("the stone cannot go to {name}"),
                None => format!("there is no move at {name}"),
            });
        }
        None
    }

    /// Plays a move of the user; an analysis at work has to end.
    fn make(&mut self, mv: &str) -> Option<Wish> {
        self.table.play(mv, Thought::default());
        self.clear()
    }

    /// Forgets a move that was begun, and what was said.
    fn drop_begun(&mut self) {
        self.chosen = None;
        self.typed.clear();
        self.message = Message::default();
    }

    /// The position is another one.
    fn clear(&mut self) -> Option<Wish> {
        self.looking = None;
        self.drop_begun();
        self.forget_analysis()
    }

    fn say(&mut self, tone: Tone, text: String) {
        self.message = Message { text, tone };
    }

    pub(super) fn refuse(&mut self, sentence: &str) {
        self.say(Tone::Refused, sentence.to_owned());
    }

    /// Thinking has ended; what is left to do if its result is not wanted any more.
    fn ended(&mut self) -> Option<Command> {
        self.thinking = None;
        self.postponed.take()
    }

    /// A program's move has come.
    pub(super) fn moved(&mut self, answer: MoveAnswer) -> Option<Wish> {
        if let Some(command) = self.ended() {
            return self.command(command);
        }
        self.table.answered(answer);
        // Who looks at an earlier position goes on to do so.
        if self.looking.is_some() {
            self.forget_analysis();
            return None;
        }
        self.clear();
        let last = self.table.last_move();
        if let Some(text) = last.and_then(|played| played.thought.remark) {
            self.say(Tone::Plain, text);
        }
        None
    }

    /// A hint has come.
    pub(super) fn hinted(&mut self, hint: Result<GradedMove, String>) -> Option<Wish> {
        if let Some(command) = self.ended() {
            return self.command(command);
        }
        match hint {
            Ok(best) => self.suggest(&best),
            Err(failure) => self.refuse(&failure),
        }
        None
    }

    /// Shows a move, so that Enter plays it.
    fn suggest(&mut self, best: &GradedMove) {
        if let Some((from, to)) = self.table.path(&best.mv) {
            self.chosen = (from != to).then_some(from);
            self.cursor = to;
        }
        let tone = match best.known.outcome {
            Some(_) => Tone::Proved,
            None => Tone::Estimated,
        };
        let judged = judgement(&best.known, self.table.side());
        let judged = judged.map_or(String::new(), |judged| format!(": {judged}"));
        self.say(tone, format!("hint {}{judged} (Enter plays it)", best.mv));
    }

    /// The analysis at work knows this now.
    pub(super) fn graded(&mut self, analysis: Analysis) {
        if !self.stale {
            self.analysis = Some(analysis);
        }
    }

    /// The analysis has ended.
    pub(super) fn analysed(&mut self, result: Result<Analysis, String>) -> Option<Wish> {
        let stale = std::mem::take(&mut self.stale);
        if let Some(command) = self.ended() {
            return self.command(command);
        }
        match result {
            _ if stale => {}
            Ok(analysis) => {
                self.analysed = true;
                if self.message == Message::default() && self.looking.is_none() {
                    self.message = summary(&analysis);
                }
                self.analysis = Some(analysis);
            }
            Err(failure) => {
                self.analysing = false;
                self.clear();
                self.refuse(&failure);
            }
        }
        None
    }

    /// The records of all games, the last one included.
    pub(super) fn records(mut self) -> Vec<Record> {
        self.records.push(self.table.record(&self.heading));
        self.records
    }

    /// The cells where the chosen stone can go, or where a move can begin; none in a program's turn.
    pub(super) fn open_cells(&self) -> u128 {
        let mut cells = 0u128;
        if self.table.waits_for_program() || self.looking.is_some() {
            return cells;
        }
        for mv in self.table.legal() {
            let Some((from, to)) = self.table.path(&mv) else {
                continue;
            };
            match self.chosen {
                None => cells = cells.with(from),
                Some(chosen) if chosen == from => cells = cells.with(to),
                Some(_) => {}
            }
        }
        cells
    }

    /// What is known of the best move that begins at a cell, or of the chosen stone's move there.
    pub(super) fn note(&self, cell: Cell) -> Option<&Knowledge> {
        let here = |mv: &str| match (self.table.path(mv), self.chosen) {
            (Some((from, to)), Some(chosen)) => from == chosen && to == cell,
            (Some((from, _)), None) => from == cell,
            (None, _) => false,
        };
        // The moves of an analysis are sorted, the best first.
        let moves = self.shown_analysis().into_iter();
        let moves = moves.flat_map(|analysis| &analysis.moves);
        let mut moves = moves.filter(|graded| here(&graded.mv));
        moves.next().map(|graded| &graded.known)
    }
}

/// How many moves win, draw and lose, and of how many that is not proved.
fn summary(analysis: &Analysis) -> Message {
    let moves = &analysis.moves;
    let count = |what| {
        let moves = moves.iter().filter(|graded| graded.known.outcome == what);
        moves.count()
    };
    let words = [
        (Some(Outcome::Win), "win"),
        (Some(Outcome::Draw), "draw"),
        (Some(Outcome::Loss), "lose"),
        (None, "not proved"),
    ];
    let parts = words.map(|(what, word)| (count(what), word));
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let tone = match count(None) {
        0 => Tone::Proved,
        _ => Tone::Plain,
    };
    let text = format!("moves: {}", parts.join(", "));
    Message { text, tone }
}

#[cfg(test)]
mod tests;
