//! The terminal: keys and clicks in, lines out, and work in the background. Whatever happens, the terminal is
//! left as it was found.

use std::io::{self, Write};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use crossterm::terminal::{
    self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{execute, queue};
use upstar_analysis::{Analysis, GradedMove};
use upstar_arena::Record;
use upstar_games::Color;
use upstar_jobs::Budget;
use upstar_session::{MoveAnswer, Opponents};
use upstar_solve::Solver;

use super::UNFINISHED;
use super::desk::{Desk, Task, Wish};
use super::drawing::draw;
use super::glyphs::Glyphs;
use super::keys::{Input, input_of};
use super::styled::Line;
use super::worth::Worth;
use crate::board_text;
use crate::failure::Failure;
use crate::interrupt;

/// How long the analysis of a position goes on.
const ANALYSIS: Duration = Duration::from_secs(60);
/// How often the screen is drawn while there is work in the background.
const FRAME: Duration = Duration::from_millis(100);
/// How long to wait when nothing happens by itself.
const IDLE: Duration = Duration::from_secs(3600);

/// Plays until the user leaves or a signal ends it, and returns the records of all games, also where the
/// terminal fails.
pub(super) fn play(
    mut desk: Desk,
    programs: Opponents,
    solver: &Solver,
) -> (Vec<Record>, Result<(), Failure>) {
    let mut room = Room {
        programs: Some(programs),
        thought: None,
    };
    room.tell_time(&mut desk);
    let played = Screen::open().and_then(|mut screen| {
        let played = at_screen(&mut screen, &mut desk, &mut room, solver);
        room.stop();
        played
    });
    let played = played.and_then(|()| leave(&desk));
    (desk.records(), played.map_err(Failure::from))
}

fn at_screen(
    screen: &mut Screen,
    desk: &mut Desk,
    room: &mut Room,
    solver: &Solver,
) -> io::Result<()> {
    loop {
        if let Some(wish) = desk.next() {
            room.grant(desk, wish);
        }
        let known = desk.worth.as_ref();
        if known.is_none_or(|worth| worth.of != *desk.game()) {
            desk.worth = Some(Worth::of(desk.game(), solver));
        }
        screen.show(desk, room.elapsed())?;
        let patience = match &room.thought {
            Some(_) => FRAME,
            None => IDLE,
        };
        let wish = match screen.events.recv_timeout(patience) {
            Ok(Happening::Input(Input::Key(key))) => desk.press(key),
            Ok(Happening::Input(Input::Click { column, row })) => {
                let line = screen.shown.get(row);
                desk.click(line.and_then(|line| line.target(column)))
            }
            Ok(Happening::Input(Input::Resized)) | Err(RecvTimeoutError::Timeout) => None,
            Ok(Happening::Resumed) => {
                screen.spoilt = true;
                None
            }
            Ok(Happening::Failed(error)) => return Err(error),
            Ok(Happening::Ended) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        let left = wish.is_some_and(|wish| room.grant(desk, wish));
        let after = room.listen(desk);
        if left || after.is_some_and(|wish| room.grant(desk, wish)) {
            return Ok(());
        }
    }
}

/// What was on the screen is gone with it; the last board stays.
fn leave(desk: &Desk) -> io::Result<()> {
    let board = board_text::draw_game(desk.table.game());
    let mut out = anstream::stdout();
    writeln!(out, "{board}")?;
    match desk.table.result() {
        None => writeln!(out, "{UNFINISHED}"),
        // The drawing says how a game ended by the rules, and nothing of how else.
        Some(result) if !desk.table.game().is_over() => writeln!(out, "{result}"),
        Some(_) => Ok(()),
    }
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
        self.tell_time(desk);
        false
    }

    /// Tells the desk what is left of the clocks.
    fn tell_time(&self, desk: &mut Desk) {
        if let Some(programs) = &self.programs {
            desk.clocks = [Color::Black, Color::White].map(|side| programs.time_left(side));
        }
    }

    fn think(&mut self, desk: &mut Desk, task: Task) {
        self.tell_time(desk);
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
        self.tell_time(desk);
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
    glyphs: Glyphs,
    /// What is on it, for a window of this size.
    shown: Vec<Line>,
    size: (u16, u16),
    /// Whether something else may have been shown meanwhile.
    spoilt: bool,
    events: Receiver<Happening>,
}

/// What happens to a screen.
enum Happening {
    Input(Input),
    /// The program was suspended and goes on.
    Resumed,
    /// A signal asks for the end.
    Ended,
    /// The terminal cannot be read.
    Failed(io::Error),
}

/// Whether the terminal is ours, also for what hears signals.
static OURS: AtomicBool = AtomicBool::new(false);

impl Screen {
    fn open() -> io::Result<Self> {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            restore();
            before(panicked);
        }));
        let colors = anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
        let (tell, events) = mpsc::channel();
        let screen = Self {
            colors,
            glyphs: Glyphs::of_terminal(colors),
            shown: Vec::new(),
            size: (0, 0),
            spoilt: true,
            events,
        };
        let (end, resume) = (tell.clone(), tell.clone());
        let mut ended = false;
        // Ctrl-C is a key here; this is for a signal from elsewhere.
        interrupt::listen(move || {
            if std::mem::replace(&mut ended, true) || end.send(Happening::Ended).is_err() {
                restore();
                std::process::exit(130);
            }
        });
        interrupt::around_suspension(restore, move || {
            if OURS.load(Ordering::Relaxed) {
                // The shell may have changed the mode behind our back.
                restore();
                // What fails here fails again when the board is drawn.
                let _ = take();
                // Where nobody listens any more there is nothing to draw.
                let _ = resume.send(Happening::Resumed);
            }
        });
        OURS.store(true, Ordering::Relaxed);
        take()?;
        thread::spawn(move || read_events(&tell));
        Ok(screen)
    }

    /// Draws what has changed.
    fn show(&mut self, desk: &Desk, elapsed: Duration) -> io::Result<()> {
        let size = terminal::size()?;
        let (width, height) = (usize::from(size.0), usize::from(size.1));
        let mut lines = draw(desk, (width, height), self.glyphs, elapsed);
        lines.truncate(height);
        let spoilt = std::mem::take(&mut self.spoilt) || size != self.size;
        if !spoilt && lines == self.shown {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        queue!(out, BeginSynchronizedUpdate)?;
        if spoilt {
            self.shown.clear();
            self.size = size;
            queue!(out, Clear(ClearType::All))?;
        }
        let rows = lines.len().max(self.shown.len());
        for (row, number) in (0..rows).zip(0u16..) {
            let line = lines.get(row);
            if line != self.shown.get(row) {
                queue!(out, MoveTo(0, number), Clear(ClearType::CurrentLine))?;
                let text = line.map(|line| line.painted(width, self.colors));
                write!(out, "{}", text.unwrap_or_default())?;
            }
        }
        queue!(out, EndSynchronizedUpdate)?;
        self.shown = lines;
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        OURS.store(false, Ordering::Relaxed);
        restore();
    }
}

/// Tells what the user does until nobody listens any more. It has a thread of its own, because reading a
/// terminal that is gone need not end.
fn read_events(tell: &Sender<Happening>) {
    loop {
        let happening = match event::read() {
            Ok(event) => match input_of(&event) {
                Some(input) => Happening::Input(input),
                None => continue,
            },
            Err(error) => Happening::Failed(error),
        };
        let failed = matches!(happening, Happening::Failed(_));
        if tell.send(happening).is_err() || failed {
            break;
        }
    }
}

/// Makes the terminal ours.
fn take() -> io::Result<()> {
    terminal::enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture, Hide)
}

/// Gives the terminal back. Where that fails nothing can be shown.
fn restore() {
    let _ = execute!(
        io::stdout(),
        DisableMouseCapture,
        Show,
        LeaveAlternateScreen
    );
    let _ = terminal::disable_raw_mode();
}
