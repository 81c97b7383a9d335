//! What somebody at a terminal does with a game: keys come in, the table changes, and what takes time
//! is asked for. It knows no terminal.
//!
//! Cells and commands are both letters. A letter that may begin a move waits for what follows it: after
//! a digit it was a cell, after a moment or any other key a command.

use upstar_agents::{Choice, Evaluation, Fault, Playable};
use upstar_arena::{Record, Thought};
use upstar_games::{Cell, Cells};
use upstar_solve::Outcome;

use super::layout::Layout;
use super::table::{Answer, Heading, Table, opinion_of};

/// A key that means something here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Up,
    Down,
    Left,
    Right,
    Enter,
    Escape,
    Backspace,
    Letter(char),
}

/// What the desk asks of whoever runs it.
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

/// A sentence for the person at the desk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) text: String,
    pub(super) tone: Tone,
}

/// A game and where its player is.
pub(super) struct Desk<G: Playable> {
    pub(super) table: Table<G>,
    pub(super) heading: Heading,
    /// Games that were left for a new one.
    records: Vec<Record>,
    pub(super) layout: Layout,
    pub(super) cursor: Cell,
    /// The stone that is to move.
    pub(super) chosen: Option<Cell>,
    pub(super) typed: String,
    pub(super) message: Message,
    /// What an analysis of this position has proved, for the side to move; nothing without one.
    judged: Option<Vec<(G::Move, Option<Outcome>)>>,
    pub(super) thinking: Option<Task>,
    /// What to do as soon as the thinking has ended that it makes useless.
    postponed: Option<char>,
}

const BUSY: &str = "wait for the answer, or press Esc to have it now";
const OVER: &str = "the game is over: n begins a new one, u takes back";
const COMMANDS: [char; 6] = ['u', 'h', 'a', 'n', 's', 'q'];
/// No move has a longer name.
const LONGEST: usize = 64;

impl<G: Playable> Desk<G> {
    pub(super) fn new(table: Table<G>, heading: Heading) -> Self {
        let layout = Layout::new(&table.game.setup(table.position()).board);
        let path = |mv| table.game.path(mv);
        let first = table.legal().into_iter().find_map(path);
        Self {
            cursor: first.map_or(layout.first(), |(from, _)| from),
            table,
            heading,
            records: Vec::new(),
            layout,
            chosen: None,
            typed: String::new(),
            message: Message::default(),
            judged: None,
            thinking: None,
            postponed: None,
        }
    }

    /// What has to be done before anybody presses a key.
    pub(super) fn next(&self) -> Option<Wish> {
        let program = self.thinking.is_none() && self.table.waits_for_program();
        program.then_some(Wish::Think(Task::Move))
    }

    /// Somebody presses a key.
    pub(super) fn press(&mut self, key: Key) -> Option<Wish> {
        if let Some(command) = self.waiting() {
            let is_cell = match key {
                Key::Letter(letter) => self.layout.names_begin(&format!("{command}{letter}")),
                Key::Backspace | Key::Escape => true,
                _ => false,
            };
            if !is_cell {
                self.typed.clear();
                let wish = self.command(command);
                if key == Key::Enter || wish.is_some() {
                    return wish;
                }
            }
        }
        match key {
            Key::Letter(letter) => return self.letter(letter),
            Key::Backspace => {
                self.typed.pop();
            }
            Key::Escape if self.thinking.is_some() => return Some(Wish::Stop),
            Key::Escape => self.clear(),
            Key::Up => self.go(-1, 0),
            Key::Down => self.go(1, 0),
            Key::Left => self.go(0, -1),
            Key::Right => self.go(0, 1),
            Key::Enter => self.enter(),
        }
        None
    }

    /// No key was pressed for a moment.
    pub(super) fn pause(&mut self) -> Option<Wish> {
        let command = self.waiting()?;
        self.typed.clear();
        self.command(command)
    }

    /// The command that the only letter typed may mean.
    pub(super) fn waiting(&self) -> Option<char> {
        let mut letters = self.typed.chars();
        let command = letters.next().filter(|letter| COMMANDS.contains(letter))?;
        letters.next().is_none().then_some(command)
    }

    /// Capital letters are commands at once.
    fn letter(&mut self, letter: char) -> Option<Wish> {
        let small = letter.to_ascii_lowercase();
        if self.typed.is_empty() && COMMANDS.contains(&small) {
            let may_be_a_cell = letter == small && self.layout.names_begin(&small.to_string());
            if !may_be_a_cell || self.thinking.is_some() {
                return self.command(small);
            }
        }
        if self.thinking.is_none() && self.typed.len() < LONGEST && !letter.is_control() {
            self.typed.push(letter);
        }
        None
    }

    fn command(&mut self, command: char) -> Option<Wish> {
        match command {
            'q' => return Some(Wish::Quit),
            'u' | 'n' | 's' if self.thinking.is_some() => {
                self.postponed = Some(command);
                return Some(Wish::Stop);
            }
            _ if self.thinking.is_some() => self.refuse(BUSY),
            'u' => match self.table.undo() {
                Ok(_) => self.clear(),
                Err(sentence) => self.refuse(&sentence),
            },
            's' => {
                self.table.swap();
                self.clear();
                return Some(Wish::Swap);
            }
            'n' => {
                if !self.table.plies().is_empty() {
                    self.records.push(self.table.record(&self.heading));
                    self.heading.index += 1;
                }
                self.table.renew();
                self.clear();
                return Some(Wish::Renew(self.heading.index));
            }
            _ if self.table.is_over() => self.refuse(OVER),
            'h' => {
                self.clear();
                return Some(Wish::Think(Task::Hint));
            }
            'a' => {
                self.clear();
                let legal = self.table.legal();
                self.judged = Some(legal.into_iter().map(|mv| (mv, None)).collect());
                return Some(Wish::Think(Task::Analysis));
            }
            _ => {}
        }
        None
    }

    /// Moves the cursor to the next cell in this direction.
    fn go(&mut self, down: isize, right: isize) {
        self.cursor = self.layout.neighbour(self.cursor, down, right);
    }

    /// Plays what is typed, or chooses what is under the cursor.
    fn enter(&mut self) {
        if self.thinking.is_some() || self.table.waits_for_program() {
            return self.refuse(BUSY);
        }
        if self.table.is_over() {
            return self.refuse(OVER);
        }
        if !self.typed.is_empty() {
            let name = std::mem::take(&mut self.typed);
            return match self.table.named(name.trim()) {
                Ok(mv) => self.make(mv),
                Err(sentence) => self.refuse(&sentence),
            };
        }
        let legal = self.table.legal();
        let path = |mv: G::Move| self.table.game.path(mv);
        if let [only] = legal[..]
            && path(only).is_none()
        {
            return self.make(only);
        }
        let here = self.cursor;
        let from = self.chosen.unwrap_or(here);
        if let Some(&mv) = legal.iter().find(|&&mv| path(mv) == Some((from, here))) {
            return self.make(mv);
        }
        let begins = |mv: &G::Move| path(*mv).is_some_and(|(from, _)| from == here);
        if self.chosen == Some(here) {
            self.chosen = None;
        } else if legal.iter().any(begins) {
            self.chosen = Some(here);
            self.message = Message::default();
        } else {
            let setup = self.table.game.setup(self.table.position());
            let name = setup.board.name(here);
            self.refuse(&match self.chosen {
                Some(_) => format!("the stone cannot go to {name}"),
                None => format!("there is no move at {name}"),
            });
        }
    }

    fn make(&mut self, mv: G::Move) {
        self.table.play(mv, Thought::default());
        self.clear();
    }

    /// Forgets what was begun and what was said.
    fn clear(&mut self) {
        self.chosen = None;
        self.judged = None;
        self.typed.clear();
        self.message = Message::default();
    }

    fn say(&mut self, tone: Tone, text: String) {
        self.message = Message { text, tone };
    }

    fn refuse(&mut self, sentence: &str) {
        self.say(Tone::Refused, sentence.to_owned());
    }

    /// Thinking has ended; what is left to do if its result is not wanted any more.
    fn ended(&mut self) -> Option<char> {
        self.thinking = None;
        self.postponed.take()
    }

    /// A program's move has come.
    pub(super) fn moved(&mut self, answer: Answer<G::Move>) -> Option<Wish> {
        if let Some(command) = self.ended() {
            return self.command(command);
        }
        self.table.answered(answer);
        self.clear();
        let last = self.table.plies().last();
        if let Some(text) = last.and_then(|ply| ply.thought.remark.clone()) {
            self.say(Tone::Plain, text);
        }
        None
    }

    /// A hint has come.
    pub(super) fn hinted(&mut self, hint: Result<Choice<G::Move>, Fault>) -> Option<Wish> {
        if let Some(command) = self.ended() {
            return self.command(command);
        }
        let choice = match hint {
            Ok(choice) => choice,
            Err(fault) => {
                self.refuse(&fault.to_string());
                return None;
            }
        };
        if let Some((from, to)) = self.table.game.path(choice.mv) {
            self.chosen = (from != to).then_some(from);
            self.cursor = to;
        }
        let tone = match choice.evaluation {
            Some(Evaluation::Proved(_)) => Tone::Proved,
            _ => Tone::Estimated,
        };
        let name = self.table.game.move_name(choice.mv);
        let opinion = opinion_of(&choice, self.table.side());
        let opinion = opinion.map_or(String::new(), |opinion| format!(": {opinion}"));
        self.say(tone, format!("hint {name}{opinion} (Enter plays it)"));
        None
    }

    /// One move of the analysis is proved.
    pub(super) fn proved(&mut self, mv: G::Move, outcome: Outcome) {
        for (judged, known) in self.judged.iter_mut().flatten() {
            if *judged == mv {
                *known = Some(outcome);
            }
        }
    }

    /// The analysis has ended.
    pub(super) fn analysed(&mut self, failure: Option<String>) -> Option<Wish> {
        if let Some(command) = self.ended() {
            return self.command(command);
        }
        if let Some(failure) = failure {
            self.clear();
            self.refuse(&failure);
            return None;
        }
        let moves = self.judged.as_deref().unwrap_or_default();
        let count = |what| moves.iter().filter(|(_, known)| *known == what).count();
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
        let tone = if count(None) > 0 {
            Tone::Plain
        } else {
            Tone::Proved
        };
        self.say(tone, format!("moves: {}", parts.join(", ")));
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
        if self.table.waits_for_program() {
            return cells;
        }
        for mv in self.table.legal() {
            let Some((from, to)) = self.table.game.path(mv) else {
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

    /// What the analysis says of a cell: the best that a move there is proved to bring, or that this is
    /// not proved. A win is a win, whatever the other moves are.
    pub(super) fn note(&self, cell: Cell) -> Option<Option<Outcome>> {
        let here = |mv: G::Move| match (self.table.game.path(mv), self.chosen) {
            (Some((from, to)), Some(chosen)) => from == chosen && to == cell,
            (Some((from, _)), None) => from == cell,
            (None, _) => false,
        };
        let judged = self.judged.iter().flatten();
        let judged = judged.filter(|(mv, _)| here(*mv));
        let known: Vec<Option<Outcome>> = judged.map(|(_, known)| *known).collect();
        if known.contains(&Some(Outcome::Win)) {
            return Some(Some(Outcome::Win));
        }
        // Nothing is known of the best move while one of them is open.
        known
            .into_iter()
            .reduce(|a, b| a.zip(b).map(|(a, b)| a.max(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::{clobber, heading, othello};
    use super::*;
    use std::time::Duration;
    use upstar_games::Rules;

    /// Presses keys: `^` `v` `<` `>` are arrows, `!` is Enter, `~` Escape, `_` a moment without a key.
    fn press<G: Playable>(desk: &mut Desk<G>, keys: &str) -> Vec<Wish> {
        let pressed = |letter: char| match letter {
            '^' => desk.press(Key::Up),
            'v' => desk.press(Key::Down),
            '<' => desk.press(Key::Left),
            '>' => desk.press(Key::Right),
            '!' => desk.press(Key::Enter),
            '~' => desk.press(Key::Escape),
            '_' => desk.pause(),
            letter => desk.press(Key::Letter(letter)),
        };
        keys.chars().filter_map(pressed).collect()
    }

    fn moves<G: Playable>(desk: &Desk<G>) -> Vec<String> {
        let plies = desk.table.plies().iter();
        plies.map(|ply| desk.table.game.move_name(ply.mv)).collect()
    }

    fn answer<G: Playable>(desk: &Desk<G>, name: &str) -> Answer<G::Move> {
        let mv = desk.table.game.move_named(name).unwrap();
        Answer {
            chosen: Ok(Choice::of(mv)),
            used: Duration::from_millis(100),
            too_late: false,
        }
    }

    #[test]
    fn stones_are_chosen_and_moved() {
        let mut desk = Desk::new(clobber("3x3", "human", "human"), heading());
        press(&mut desk, "!>!");
        assert_eq!(moves(&desk), ["a1b1"]);
        // Chosen, left again, another one chosen, a cell it cannot reach.
        press(&mut desk, "vv!!");
        assert_eq!(desk.chosen, None);
        press(&mut desk, "!^^!");
        assert_eq!(desk.message.text, "the stone cannot go to b1");
        press(&mut desk, "vv>!");
        assert_eq!(moves(&desk), ["a1b1", "b3c3"]);
        let mut desk = Desk::new(othello("4x4", "human", "human"), heading());
        press(&mut desk, "!");
        assert_eq!(moves(&desk), ["b1"]);
        press(&mut desk, "!");
        assert_eq!(desk.message.text, "there is no move at b1");
    }

    #[test]
    fn names_and_commands_are_told_apart() {
        let mut desk = Desk::new(clobber("3x3", "human", "human"), heading());
        // a1 is a cell, so the letter waits.
        assert_eq!(press(&mut desk, "a"), []);
        assert_eq!(press(&mut desk, "1b1!"), []);
        assert_eq!(moves(&desk), ["a1b1"]);
        assert_eq!(press(&mut desk, "a_"), [Wish::Think(Task::Analysis)]);
        assert_eq!(press(&mut desk, "A"), [Wish::Think(Task::Analysis)]);
        assert_eq!(press(&mut desk, "a!"), [Wish::Think(Task::Analysis)]);
        assert_eq!(press(&mut desk, "a~"), []);
        // There is no column h or q.
        assert_eq!(press(&mut desk, "h"), [Wish::Think(Task::Hint)]);
        assert_eq!(press(&mut desk, "q"), [Wish::Quit]);
        press(&mut desk, "zz!");
        assert_eq!(desk.message.text, "'zz' names no move on this board");
        assert_eq!(desk.message.tone, Tone::Refused);
    }

    #[test]
    fn programs_are_asked_in_turn_and_can_be_interrupted() {
        let mut desk = Desk::new(clobber("3x3", "human", "random"), heading());
        assert_eq!(desk.next(), None);
        press(&mut desk, "a1b1!");
        assert_eq!(desk.next(), Some(Wish::Think(Task::Move)));
        desk.thinking = Some(Task::Move);
        assert_eq!(desk.next(), None);
        press(&mut desk, "c3b3!");
        assert_eq!((moves(&desk).len(), desk.message.text.as_str()), (1, BUSY));
        assert_eq!(press(&mut desk, "~"), [Wish::Stop]);
        let reply = answer(&desk, "c2c1");
        assert_eq!(desk.moved(reply), None);
        assert_eq!(moves(&desk), ["a1b1", "c2c1"]);
        // What was thought is not wanted any more.
        press(&mut desk, "b1c1!");
        desk.thinking = Some(Task::Move);
        assert_eq!(press(&mut desk, "u"), [Wish::Stop]);
        let reply = answer(&desk, "a2a3");
        assert_eq!(desk.moved(reply), None);
        assert_eq!(moves(&desk), ["a1b1", "c2c1"]);
        press(&mut desk, "u");
        assert!(moves(&desk).is_empty());
        press(&mut desk, "u");
        assert_eq!(desk.message.text, "there is nothing to take back");
    }

    #[test]
    fn sides_are_swapped_and_games_begin_anew() {
        let mut desk = Desk::new(clobber("1x4", "human", "random"), heading());
        assert_eq!(press(&mut desk, "s"), [Wish::Swap]);
        assert_eq!(desk.next(), Some(Wish::Think(Task::Move)));
        let reply = answer(&desk, "c1d1");
        desk.moved(reply);
        assert_eq!(press(&mut desk, "n"), [Wish::Renew(1)]);
        // Nothing was played in this one.
        assert_eq!(press(&mut desk, "n"), [Wish::Renew(1)]);
        let records = desk.records();
        let indices: Vec<u64> = records.iter().map(|record| record.index).collect();
        assert_eq!(indices, [0, 1]);
        assert_eq!(records[0].moves, ["c1d1"]);
    }

    #[test]
    fn an_analysis_says_what_is_proved_and_what_is_not() {
        let mut desk = Desk::new(clobber("xoxo", "human", "random"), heading());
        press(&mut desk, "A");
        let named = |desk: &Desk<_>, name| desk.table.named(name).unwrap();
        let cell = |name: &str| {
            let table = clobber("xoxo", "human", "random");
            table.game.board().cell_named(name).unwrap()
        };
        let (a1b1, c1d1) = (named(&desk, "a1b1"), named(&desk, "c1d1"));
        desk.proved(a1b1, Outcome::Win);
        desk.proved(c1d1, Outcome::Loss);
        assert_eq!(desk.note(cell("a1")), Some(Some(Outcome::Win)));
        // c1b1 is open, so the best of c1 is not known.
        assert_eq!(desk.note(cell("c1")), Some(None));
        assert_eq!(desk.note(cell("b1")), None);
        desk.analysed(None);
        assert_eq!(desk.message.text, "moves: 1 win, 1 lose, 1 not proved");
        press(&mut desk, ">>!");
        assert_eq!(desk.note(cell("d1")), Some(Some(Outcome::Loss)));
        assert_eq!(desk.note(cell("b1")), Some(None));
        // Another position knows nothing of it.
        press(&mut desk, "<!");
        assert_eq!(desk.note(cell("d1")), None);
    }

    #[test]
    fn a_pass_needs_no_cell() {
        // Black has no move, and White has one that ends the game.
        let mut desk = Desk::new(othello("ox..|....|....|....", "human", "human"), heading());
        press(&mut desk, "!c1!");
        assert_eq!(moves(&desk), ["pass", "c1"]);
        assert!(desk.table.is_over());
        press(&mut desk, "!");
        assert_eq!(desk.message.text, OVER);
    }
}
