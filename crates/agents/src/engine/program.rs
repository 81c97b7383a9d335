//! Another program that runs and answers commands in time, or is ended.
//!
//! On Unix it has a process group of its own, with all that it starts, and a keeper: a shell that waits for
//! this program to end, however that happens, and then ends the group. So nothing is left behind by an
//! engine that hangs.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use upstar_games::excerpt;
use upstar_jobs::Budget;

/// Longer lines come in pieces of so many bytes.
const PIECE: u64 = 1 << 14;
/// So many pieces may wait to be read; a program that writes without end has to wait.
const WAITING: usize = 16;
/// The longest answer, in bytes and in lines.
const LONGEST_ANSWER: usize = 1 << 20;
const MOST_LINES: usize = 10_000;
/// How often somebody who says stop is heard while a program thinks.
const GLANCE: Duration = Duration::from_millis(20);
/// How much later than the budget ends an answer may come: whether that was too late is for the game's
/// clock to say.
const GRACE: Duration = Duration::from_millis(50);
/// How long a program may take to end when it is told to.
const FAREWELL: Duration = Duration::from_millis(200);

/// A running program that answers commands.
pub(super) struct Program {
    child: Child,
    #[cfg(unix)]
    keeper: Option<Child>,
    input: Option<ChildStdin>,
    /// None at the end only.
    lines: Option<Receiver<String>>,
    reader: JoinHandle<()>,
}

impl Program {
    pub(super) fn start(name: &str, arguments: &[String]) -> std::io::Result<Self> {
        let mut command = Command::new(name);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("the output is piped");
        let (sender, lines) = sync_channel(WAITING);
        let reader = std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                let read = (&mut output).take(PIECE).read_until(b'\n', &mut line);
                let text = String::from_utf8_lossy(&line).into_owned();
                if !read.is_ok_and(|count| count > 0) || sender.send(text).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            #[cfg(unix)]
            keeper: keeper(child.id()),
            child,
            input,
            lines: Some(lines),
            reader,
        })
    }

    /// Sends a command and reads its answer: `= text` or `? text`, up to an empty line.
    pub(super) fn ask(
        &mut self,
        command: &str,
        patience: Duration,
        budget: &Budget,
    ) -> Result<Result<String, String>, String> {
        let wait = Wait::new(patience, budget);
        let ended = || "has ended".to_owned();
        let input = self.input.as_mut().ok_or_else(ended)?;
        let sent = writeln!(input, "{command}").and_then(|()| input.flush());
        sent.map_err(|_| ended())?;
        let lines = self.lines.as_ref().ok_or_else(ended)?;
        let (mut answer, mut count) = (String::new(), 0);
        loop {
            let line = wait.line(lines)?;
            let line = line.trim_end();
            match (answer.is_empty(), line.is_empty()) {
                // Empty lines before an answer mean nothing.
                (true, true) => {}
                (true, false) if !line.starts_with(['=', '?']) => {
                    return Err(format!("said '{}', which is not an answer,", excerpt(line)));
                }
                (false, true) => break,
                _ if answer.len() + line.len() >= LONGEST_ANSWER || count == MOST_LINES => {
                    return Err("answered without end".to_owned());
                }
                _ => {
                    count += 1;
                    answer.push_str(line);
                    answer.push('\n');
                }
            }
        }
        let (sign, text) = answer.split_at(1);
        let text = text.trim().to_owned();
        Ok(if sign == "=" { Ok(text) } else { Err(text) })
    }
}

/// How long an answer may take.
struct Wait<'a> {
    until: Option<Instant>,
    patience: Duration,
    budget: &'a Budget,
}

impl<'a> Wait<'a> {
    fn new(patience: Duration, budget: &'a Budget) -> Self {
        let game = budget.time_left().map(|left| left + GRACE);
        let wait = game.map_or(patience, |game| game.min(patience));
        Self {
            until: Instant::now().checked_add(wait),
            patience,
            budget,
        }
    }

    /// The next line, if it comes in time.
    fn line(&self, lines: &Receiver<String>) -> Result<String, String> {
        loop {
            // The clock comes first: there may always be another line.
            let left = match self.until {
                Some(until) => until.saturating_duration_since(Instant::now()),
                None => GLANCE,
            };
            if left.is_zero() && self.budget.is_over() || self.budget.is_stopped() {
                return Err("has not answered in the time of the game".to_owned());
            }
            if left.is_zero() {
                let seconds = self.patience.as_secs_f64();
                return Err(format!("has not answered for {seconds} seconds"));
            }
            match lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err("has ended".to_owned()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Drop for Program {
    /// Lets the program end by itself for a moment, then ends it with all that it has started.
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            let _ = writeln!(input, "quit");
        }
        // Nobody listens any more: a program that still writes does not have to wait.
        self.lines = None;
        let until = Instant::now() + FAREWELL;
        // What it has started may still hold its output.
        while Instant::now() < until {
            let ended = matches!(self.child.try_wait(), Ok(Some(_)) | Err(_));
            if ended && self.reader.is_finished() {
                #[cfg(unix)]
                dismiss(self.keeper.take());
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        #[cfg(unix)]
        end_group(self.keeper.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A shell that ends a process group, at once when it is told anything, and a second after its input has ended:
/// programs that see the end of their own input have that long to go by themselves.
#[cfg(unix)]
fn keeper(group: u32) -> Option<Child> {
    use std::os::unix::process::CommandExt;

    let script = format!("read -r now; [ \"$now\" ] || sleep 1; kill -s KILL -- -{group}");
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // Ctrl-C is not meant for it.
        .process_group(0);
    // Without one the program itself is still ended, if not all that it has started.
    command.spawn().ok()
}

/// Ends a keeper whose group has ended by itself.
#[cfg(unix)]
fn dismiss(keeper: Option<Child>) {
    if let Some(mut keeper) = keeper {
        let _ = keeper.kill();
        let _ = keeper.wait();
    }
}

/// Has a keeper end its group.
#[cfg(unix)]
fn end_group(keeper: Option<Child>) {
    if let Some(mut keeper) = keeper {
        if let Some(mut input) = keeper.stdin.take() {
            let _ = writeln!(input, "now");
        }
        let _ = keeper.wait();
    }
}
