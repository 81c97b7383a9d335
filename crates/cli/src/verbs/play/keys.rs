//! The keys of the terminal board. Letters and digits type moves, so commands are other keys.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

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
arrows, Enter    choose a stone and where it goes
Backspace        erase a letter
Esc              forget what is begun; end the thinking now
Tab              analyse every move; Tab again ends it
!                hint
^Z               undo: back to your last turn
^N               new game
^S               swap sides
^Q               quit
?                show the keys";

/// The keys at the bottom of the screen, for windows of different width.
pub(super) const FOOTERS: [&str; 3] = [
    "arrows+Enter or type a move  Tab analyse  ! hint  ^Z undo  ^Q quit  ? keys",
    "Tab analyse  ! hint  ^Z undo  ^Q quit  ? keys",
    "? keys  ^Q quit",
];

/// What a key of the terminal means.
pub(super) fn key_of(key: KeyEvent) -> Option<Key> {
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
        KeyCode::Tab => Key::Command(Command::Analyse),
        KeyCode::F(1) => Key::Command(Command::Help),
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
