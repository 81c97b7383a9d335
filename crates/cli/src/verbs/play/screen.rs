//! The terminal: keys in, lines out, and somebody who thinks in the background. Whatever happens, the
//! terminal is left as it was found.

use std::io::{self, Write};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{
    self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{execute, queue};
use upstar_agents::{Choice, Fault, Playable};
use upstar_arena::Record;
use upstar_jobs::Budget;
use upstar_solve::Outcome;

use super::desk::{Desk, Key, Task, Wish};
use super::drawing::draw;
use super::programs::Programs;
use super::table::Answer;
use crate::board_text;
use crate::failure::Failure;
use crate::interrupt;

/// How long an analysis goes on.
const ANALYSIS: Duration = Duration::from_secs(10);
/// How long a letter that may begin a move waits for what follows.
const MOMENT: Duration = Duration::from_millis(600);
/// How often the screen is drawn while somebody thinks.
const FRAME: Duration = Duration::from_millis(100);
/// How long to wait for a key when nothing else can happen.
const IDLE: Duration = Duration::from_secs(60);

/// Plays until the person leaves, and returns the records of all games.
pub(super) fn play<G: Playable>(
    mut desk: Desk<G>,
    programs: Programs<G>,
) -> Result<Vec<Record>, Failure> {
    let screen = Screen::open()?;
    let mut room = Room {
        programs: Some(programs),
        thought: None,
    };
    loop {
        if let Some(wish) = desk.next() {
            room.grant(&mut desk, wish);
        }
        screen.show(&desk, room.elapsed())?;
        let patience = match (&room.thought, desk.waiting()) {
            (Some(_), _) => FRAME,
            (None, Some(_)) => MOMENT,
            (None, None) => IDLE,
        };
        let wish = if event::poll(patience)? {
            match event::read()? {
                Event::Key(key) if is_interrupt(key) => Some(Wish::Quit),
                Event::Key(key) => key_of(key).and_then(|key| desk.press(key)),
                _ => None,
            }
        } else {
            desk.pause()
        };
        let left = wish.is_some_and(|wish| room.grant(&mut desk, wish));
        let after = room.listen(&mut desk);
        if left || after.is_some_and(|wish| room.grant(&mut desk, wish)) {
            break;
        }
    }
    room.stop();
    drop(screen);
    // What was on the screen is gone with it; the last board stays.
    let table = &desk.table;
    let board = board_text::draw(&table.game, table.position());
    writeln!(anstream::stdout(), "{board}")?;
    Ok(desk.records())
}

/// The programs, or somebody who thinks with them.
struct Room<G: Playable> {
    programs: Option<Programs<G>>,
    thought: Option<Running<G>>,
}

/// Work in the background.
struct Running<G: Playable> {
    thread: JoinHandle<(Programs<G>, Found<G>)>,
    stop: Arc<AtomicBool>,
    begun: Instant,
    proved: Receiver<(G::Move, Outcome)>,
}

/// What comes of it.
enum Found<G: Playable> {
    Move(Answer<G::Move>),
    Hint(Result<Choice<G::Move>, Fault>),
    Analysis(Option<String>),
}

impl<G: Playable> Room<G> {
    /// Does what the desk asks for; true if that is to leave.
    fn grant(&mut self, desk: &mut Desk<G>, wish: Wish) -> bool {
        match (wish, &mut self.programs) {
            (Wish::Quit, _) => return true,
            (Wish::Stop, _) => self.stop(),
            (Wish::Think(task), _) => self.think(desk, task),
            (Wish::Swap, Some(programs)) => programs.swap(),
            (Wish::Renew(index), Some(programs)) => programs.renew(index),
            (Wish::Swap | Wish::Renew(_), None) => unreachable!("nobody thinks then"),
        }
        false
    }

    fn think(&mut self, desk: &mut Desk<G>, task: Task) {
        let Some(mut programs) = self.programs.take() else {
            return;
        };
        let budget = Budget::unlimited();
        let stop = budget.stop_flag();
        let (tell, proved) = mpsc::channel();
        let asked = desk.table.question();
        desk.thinking = Some(task);
        let thread = thread::spawn(move || {
            let result = match task {
                Task::Move => Found::Move(programs.choose(&asked, &budget)),
                Task::Hint => Found::Hint(programs.hint(&asked, &budget)),
                Task::Analysis => {
                    let budget = budget.with_time(ANALYSIS);
                    // Nobody may be there any more to hear it.
                    let mut told = |mv, outcome| {
                        let _ = tell.send((mv, outcome));
                    };
                    let judged = programs.judge(&asked.position, &budget, &mut told);
                    Found::Analysis(judged.err().map(|error| error.to_string()))
                }
            };
            (programs, result)
        });
        self.thought = Some(Running {
            thread,
            stop,
            begun: Instant::now(),
            proved,
        });
    }

    /// Tells the desk what was found meanwhile.
    fn listen(&mut self, desk: &mut Desk<G>) -> Option<Wish> {
        let running = self.thought.take_if(|running| {
            for (mv, outcome) in running.proved.try_iter() {
                desk.proved(mv, outcome);
            }
            running.thread.is_finished()
        })?;
        // What was told between the last look and the end.
        for (mv, outcome) in running.proved.try_iter() {
            desk.proved(mv, outcome);
        }
        let (programs, result) = match running.thread.join() {
            Ok(done) => done,
            Err(panicked) => panic::resume_unwind(panicked),
        };
        self.programs = Some(programs);
        match result {
            Found::Move(answer) => desk.moved(answer),
            Found::Hint(hint) => desk.hinted(hint),
            Found::Analysis(failure) => desk.analysed(failure),
        }
    }

    fn stop(&self) {
        if let Some(running) = &self.thought {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    fn elapsed(&self) -> Duration {
        let begun = self.thought.as_ref().map(|running| running.begun);
        begun.map_or(Duration::ZERO, |begun| begun.elapsed())
    }
}

/// The terminal while it is ours.
struct Screen {
    colors: bool,
}

impl Screen {
    fn open() -> io::Result<Self> {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            restore();
            before(panicked);
        }));
        // Ctrl-C is a key here; this is for a signal from elsewhere.
        interrupt::listen(|| {
            restore();
            std::process::exit(130);
        });
        terminal::enable_raw_mode()?;
        let screen = Self {
            colors: anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never,
        };
        execute!(io::stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }

    fn show<G: Playable>(&self, desk: &Desk<G>, elapsed: Duration) -> io::Result<()> {
        let (width, height) = terminal::size()?;
        let (width, height) = (usize::from(width), usize::from(height));
        let mut out = io::stdout().lock();
        queue!(out, BeginSynchronizedUpdate)?;
        let lines = draw(desk, (width, height), elapsed);
        for (row, line) in (0u16..).zip(lines.iter().take(height)) {
            let text = line.painted(width, self.colors);
            queue!(out, MoveTo(0, row), Clear(ClearType::CurrentLine))?;
            write!(out, "{text}")?;
        }
        if lines.len() < height {
            queue!(
                out,
                MoveTo(0, lines.len() as u16),
                Clear(ClearType::FromCursorDown)
            )?;
        }
        queue!(out, EndSynchronizedUpdate)?;
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back. Where that fails there is nobody to tell.
fn restore() {
    let _ = execute!(io::stdout(), Show, LeaveAlternateScreen);
    let _ = terminal::disable_raw_mode();
}

fn is_interrupt(key: KeyEvent) -> bool {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    control && matches!(key.code, KeyCode::Char('c' | 'd'))
}

fn key_of(key: KeyEvent) -> Option<Key> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    Some(match key.code {
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Enter | KeyCode::Char(' ') => Key::Enter,
        KeyCode::Esc => Key::Escape,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Char(letter) if !key.modifiers.contains(KeyModifiers::CONTROL) => {
            Key::Letter(letter)
        }
        _ => return None,
    })
}
