//! The keys and the mouse of the terminal board. Letters and digits type moves, so commands are other keys.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// What a user does at the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Key(Key),
    /// A click at this place of the window, counted from 0.
    Click {
        column: usize,
        row: usize,
    },
    /// The window has another size.
    Resized,
}

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
    /// The positions of the game: one back, one forward, the first and the last one.
    Back,
    Forward,
    First,
    Last,
    /// Part of a move.
    Letter(char),
    Command(Command),
}

/// What a user can ask for beside moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Analyse,
    Hint,
    Undo,
    New,
    Swap,
    Help,
    Quit,
    /// Leaves without a question.
    Leave,
}

/// Every key and what it does, for the help on the screen and of the command.
pub(super) const KEYS: &str = "\
letters, digits  type a move: a1b1, d3 or pass; Enter plays it
arrows, Enter    choose a stone and where it goes; a click does it too
Backspace        erase a letter
Esc              forget what is begun; end the thinking now
Tab              analyse every move; Tab again ends it
!                hint
PgUp, PgDn       look at earlier positions, as the wheel and clicks in the list of moves do; Esc goes back
Home, End        look at the first position, and at the last one
^Z               undo: back to your last turn, or to the position that is looked at
^N               new game
^S               swap sides
^Q               quit
?                show the keys
Shift+drag       select text, in most terminals";

/// The keys at the bottom of the screen, for windows of different width.
pub(super) const FOOTERS: [&str; 3] = [
    "click or type a move  Tab analyse  ! hint  ^Z undo  PgUp back  ^Q quit  ? keys",
    "Tab analyse  ! hint  ^Z undo  ^Q quit  ? keys",
    "? keys  ^Q quit",
];

/// What an event of the terminal means.
pub(super) fn input_of(event: &Event) -> Option<Input> {
    match event {
        Event::Key(key) => key_of(*key).map(Input::Key),
        Event::Mouse(mouse) => pointed(*mouse),
        Event::Resize(..) => Some(Input::Resized),
        _ => None,
    }
}

/// What the mouse does.
fn pointed(mouse: MouseEvent) -> Option<Input> {
    Some(match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => Input::Click {
            column: mouse.column.into(),
            row: mouse.row.into(),
        },
        MouseEventKind::ScrollUp => Input::Key(Key::Back),
        MouseEventKind::ScrollDown => Input::Key(Key::Forward),
        _ => return None,
    })
}

/// What a key of the terminal means.
fn key_of(key: KeyEvent) -> Option<Key> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Enter | KeyCode::Char(' ') => Key::Enter,
        KeyCode::Esc => Key::Escape,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::PageUp => Key::Back,
        KeyCode::PageDown => Key::Forward,
        KeyCode::Home => Key::First,
        KeyCode::End => Key::Last,
        KeyCode::Tab => Key::Command(Command::Analyse),
        KeyCode::F(1) => Key::Command(Command::Help),
        // What was typed before the board was there.
        KeyCode::Char('j') if control => Key::Enter,
        KeyCode::Char(letter) if control => Key::Command(match letter.to_ascii_lowercase() {
            'z' => Command::Undo,
            'n' => Command::New,
            's' => Command::Swap,
            'q' | 'd' => Command::Quit,
            'c' => Command::Leave,
            _ => return None,
        }),
        KeyCode::Char('!') => Key::Command(Command::Hint),
        KeyCode::Char('?') => Key::Command(Command::Help),
        KeyCode::Char(letter) if !letter.is_control() => Key::Letter(letter),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_digits_only_type_moves() {
        for letter in ('a'..='z').chain('A'..='Z').chain('0'..='9') {
            let event = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE);
            assert_eq!(key_of(event), Some(Key::Letter(letter)));
        }
    }

    #[test]
    fn the_mouse_clicks_and_turns_its_wheel() {
        let mouse = |kind| {
            let (column, row, modifiers) = (7, 2, KeyModifiers::NONE);
            input_of(&Event::Mouse(MouseEvent {
                kind,
                column,
                row,
                modifiers,
            }))
        };
        for (kind, input) in [
            (
                MouseEventKind::Down(MouseButton::Left),
                Some(Input::Click { column: 7, row: 2 }),
            ),
            (MouseEventKind::ScrollUp, Some(Input::Key(Key::Back))),
            (MouseEventKind::ScrollDown, Some(Input::Key(Key::Forward))),
            // A click is one thing, not two, and the way of the mouse is none.
            (MouseEventKind::Up(MouseButton::Left), None),
            (MouseEventKind::Moved, None),
            (MouseEventKind::Drag(MouseButton::Left), None),
        ] {
            assert_eq!(mouse(kind), input, "{kind:?}");
        }
    }

    #[test]
    fn commands_have_keys_of_their_own() {
        let pressed = |code, modifiers| key_of(KeyEvent::new(code, modifiers));
        let control = |letter| pressed(KeyCode::Char(letter), KeyModifiers::CONTROL);
        let plain = |letter| pressed(KeyCode::Char(letter), KeyModifiers::NONE);
        for (key, command) in [
            (
                pressed(KeyCode::Tab, KeyModifiers::NONE),
                Some(Command::Analyse),
            ),
            (plain('!'), Some(Command::Hint)),
            (plain('?'), Some(Command::Help)),
            (control('z'), Some(Command::Undo)),
            (control('n'), Some(Command::New)),
            (control('s'), Some(Command::Swap)),
            (control('q'), Some(Command::Quit)),
            (control('c'), Some(Command::Leave)),
            (control('a'), None),
        ] {
            assert_eq!(key, command.map(Key::Command));
        }
    }
}
