//! The terminal: keys in, lines out, and work in the background. Whatever happens, the terminal is left
//! as it was found.

use std::io::{self, Write};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event};
use crossterm::terminal::{
    self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{execute, queue};
use upstar_analysis::{Analysis, GradedMove};
use upstar_arena::Record;
use upstar_jobs::Budget;
use upstar_session::{MoveAnswer, Opponents};

use super::UNFINISHED;
use super::desk::{Desk, Task, Wish};
use super::drawing::draw;
use super::keys::key_of;
use crate::board_text;
use crate::failure::Failure;
use crate::interrupt;

/// How long the analysis of a position goes on.
const ANALYSIS: Duration = Duration::from_secs(60);
/// How often the screen is drawn while there is work in the background.
const FRAME: Duration = Duration::from_millis(100);
/// How long to wait for a key when nothing else can happen.
const IDLE: Duration = Duration::from_secs(60);

/// Plays until the user leaves, and returns the records of all games.
pub(super) fn play(mut desk: Desk, programs: Opponents) -> Result<Vec<Record>, Failure> {
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
        let patience = match &room.thought {
            Some(_) => FRAME,
            None => IDLE,
        };
        let wish = match event::poll(patience)? {
            true => match event::read()? {
                Event::Key(key) => key_of(key).and_then(|key| desk.press(key)),
                _ => None,
            },
            false => None,
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
    let board = board_text::draw_game(desk.table.game());
    let mut out = anstream::stdout();
    writeln!(out, "{board}")?;
    match desk.table.result() {
        None => writeln!(out, "{UNFINISHED}")?,
        // The drawing says how a game ended by the rules, and nothing of how else.
        Some(result) if !desk.table.game().is_over() => writeln!(out, "{result}")?,
        Some(_) => {}
    }
    Ok(desk.records())
}

/// The programs, or the work that has them.
struct Room {
    programs: Option<Opponents>,
    thought: Option<Running>,
}

/// Work in the background.
struct Running {
    thread: JoinHandle<(Opponents, Found)>,
    stop: Arc<AtomicBool>,
    begun: Instant,
    graded: Receiver<Analysis>,
}

/// What comes of it.
enum Found {
    Move(MoveAnswer),
    Hint(Result<GradedMove, String>),
    Analysis(Result<Analysis, String>),
}

impl Room {
    /// Does what the desk asks for; true if that is to leave.
    fn grant(&mut self, desk: &mut Desk, wish: Wish) -> bool {
        match (wish, &mut self.programs) {
            (Wish::Quit, _) => return true,
            (Wish::Stop, _) => self.stop(),
            (Wish::Think(task), _) => self.think(desk, task),
            (Wish::Swap, Some(programs)) => programs.swap(),
            (Wish::Renew(index), Some(programs)) => {
                if let Err(fault) = programs.renew(index) {
                    desk.refuse(&fault.to_string());
                }
            }
            (Wish::Swap | Wish::Renew(_), None) => unreachable!("nothing is thought about then"),
        }
        false
    }

    fn think(&mut self, desk: &mut Desk, task: Task) {
        let Some(mut programs) = self.programs.take() else {
            return;
        };
        let budget = Budget::unlimited();
        let stop = budget.stop_flag();
        let (tell, graded) = mpsc::channel();
        let asked = desk.table.line();
        desk.thinking = Some(task);
        let thread = thread::spawn(move || {
            let result = match task {
                Task::Move => Found::Move(programs.choose(&asked, &budget)),
                Task::Hint => {
                    let hint = programs.hint(&asked.game, &budget);
                    Found::Hint(hint.map_err(|error| error.to_string()))
                }
                Task::Analysis => {
                    let budget = budget.with_time(ANALYSIS);
                    // The screen may be gone.
                    let mut told = |analysis: &Analysis| {
                        let _ = tell.send(analysis.clone());
                    };
                    let analysis = programs.analyse(&asked.game, &budget, &mut told);
                    Found::Analysis(analysis.map_err(|error| error.to_string()))
                }
            };
            (programs, result)
        });
        self.thought = Some(Running {
            thread,
            stop,
            begun: Instant::now(),
            graded,
        });
    }

    /// Tells the desk what was found meanwhile.
    fn listen(&mut self, desk: &mut Desk) -> Option<Wish> {
        let running = self.thought.take_if(|running| {
            if let Some(analysis) = running.graded.try_iter().last() {
                desk.graded(analysis);
            }
            running.thread.is_finished()
        })?;
        let (programs, result) = match running.thread.join() {
            Ok(done) => done,
            Err(panicked) => panic::resume_unwind(panicked),
        };
        self.programs = Some(programs);
        match result {
            Found::Move(answer) => desk.moved(answer),
            Found::Hint(hint) => desk.hinted(hint),
            Found::Analysis(analysis) => desk.analysed(analysis),
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

    fn show(&self, desk: &Desk, elapsed: Duration) -> io::Result<()> {
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

/// Gives the terminal back. Where that fails nothing can be shown.
fn restore() {
    let _ = execute!(io::stdout(), Show, LeaveAlternateScreen);
    let _ = terminal::disable_raw_mode();
}
