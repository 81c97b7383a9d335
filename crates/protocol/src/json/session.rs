//! One conversation: requests are read on the caller's thread, and long work is done on another.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

use serde::Serialize;
use serde_json::Value;
use upstar_agents::Resources;
use upstar_games::{Random, excerpt};
use upstar_jobs::Budget;

use super::answer::{Answer, Hello, Last, Legal, Pong, Position, Quit, Stopped, Wrong};
use super::request::{Cancel, Nothing, Place, Play, Refused, Request, right};
use super::work::{Site, Work};
use crate::lines::{Line, next_line};
use crate::refusal::Refusal;
use crate::table::{self, Notation, Table, Unplayable};

pub(super) fn run(
    resources: &Resources,
    seed: u64,
    mut input: impl BufRead,
    output: impl Write + Send,
) -> io::Result<()> {
    let desk = Desk(Mutex::new(Papers {
        output,
        busy: None,
        failure: None,
    }));
    let room = Room {
        resources,
        inside: Mutex::new(Inside {
            table: None,
            random: Random::new(seed),
        }),
    };
    let read = thread::scope(|scope| {
        let mut session = Session {
            desk: &desk,
            room: &room,
            scope,
            running: None,
        };
        let read = session.answer_all(&mut input);
        session.stop();
        read
    });
    let papers = desk.0.into_inner().unwrap_or_else(PoisonError::into_inner);
    papers.failure.map_or(read, Err)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where answers go out, one whole line at a time.
pub(super) struct Desk<W>(Mutex<Papers<W>>);

pub(super) struct Papers<W> {
    output: W,
    /// The id of the long command that runs. It is taken away together with its last answer, so that
    /// whoever has read that answer may ask again.
    busy: Option<Value>,
    failure: Option<io::Error>,
}

impl<W: Write> Papers<W> {
    fn answer(&mut self, id: &Value, body: impl Serialize) {
        let answer = Answer { id, body };
        let mut line = serde_json::to_vec(&answer).expect("answers have keys that are texts");
        line.push(b'\n');
        let written = self
            .output
            .write_all(&line)
            .and_then(|()| self.output.flush());
        if let Err(error) = written {
            self.failure.get_or_insert(error);
        }
    }

    fn refuse(&mut self, refused: &Refused) {
        let Refused { id, why, right } = refused;
        let error = &why.0;
        self.answer(id, Wrong { error, right });
    }
}

impl<W: Write> Desk<W> {
    pub(super) fn answer(&self, id: &Value, body: impl Serialize) {
        locked(&self.0).answer(id, body);
    }
}

/// Where the game stands, used by one thread at a time.
struct Room<'a> {
    resources: &'a Resources,
    inside: Mutex<Inside>,
}

struct Inside {
    table: Option<Box<dyn Table>>,
    random: Random,
}

impl Inside {
    fn table(&mut self, request: &Request) -> Result<&mut dyn Table, Refused> {
        match &mut self.table {
            Some(table) => Ok(&mut **table),
            None => Err(Refused {
                right: right("position"),
                ..request.refused(Refusal::new("there is no position yet"))
            }),
        }
    }
}

struct Session<'scope, 'env, W> {
    desk: &'env Desk<W>,
    room: &'env Room<'env>,
    scope: &'scope Scope<'scope, 'env>,
    running: Option<Running<'scope>>,
}

struct Running<'scope> {
    stop: Arc<AtomicBool>,
    thread: ScopedJoinHandle<'scope, ()>,
}

impl<'scope, 'env, W: Write + Send> Session<'scope, 'env, W> {
    fn answer_all(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        while let Some(line) = next_line(input)? {
            let request = match line {
                Line::Text(line) if line.trim().is_empty() => continue,
                Line::Text(line) => Request::read(&line),
                Line::TooLong => Err(Request::too_long()),
            };
            let quit = match request {
                Ok(request) => self.serve(&request).unwrap_or_else(|refused| {
                    locked(&self.desk.0).refuse(&refused);
                    false
                }),
                Err(refused) => {
                    locked(&self.desk.0).refuse(&refused);
                    false
                }
            };
            if quit || locked(&self.desk.0).failure.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Answers a request or begins to; whether the session is over.
    fn serve(&mut self, request: &Request) -> Result<bool, Refused> {
        let id = &request.id;
        let command = &request.command[..];
        if matches!(command, "hello" | "ping" | "legal" | "undo" | "quit") {
            request
                .arguments::<Nothing>()
                .map_err(|why| request.refused(why))?;
        }
        match command {
            "ping" => self.desk.answer(id, Pong { pong: true }),
            "cancel" => {
                let cancel = request.arguments().map_err(|why| request.refused(why))?;
                self.cancel(id, &cancel);
            }
            "quit" => {
                self.stop();
                self.desk.answer(id, Quit { quit: true });
                return Ok(true);
            }
            _ => {
                if let Some(busy) = &locked(&self.desk.0).busy {
                    return Err(Refused {
                        id: id.clone(),
                        why: Refusal(format!("request {busy} is running")),
                        right: right("cancel"),
                    });
                }
                match command {
                    "hello" => self.desk.answer(id, Hello::new()),
                    "solve" | "moves" | "analyse" | "choose" => self.begin(request)?,
                    _ => self.change(request)?,
                }
            }
        }
        Ok(false)
    }

    fn cancel(&mut self, id: &Value, cancel: &Cancel) {
        let mut papers = locked(&self.desk.0);
        let busy = papers.busy.clone();
        let meant = busy.filter(|busy| cancel.target.as_ref().is_none_or(|id| id == busy));
        papers.answer(
            id,
            Stopped {
                stopped: meant.as_ref(),
            },
        );
        if let (Some(_), Some(running)) = (meant, &self.running) {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Ends whatever runs, and waits for its last answer.
    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.store(true, Ordering::Relaxed);
            running.thread.join().expect("work does not panic");
        }
    }

    /// What is answered at once: the position and what changes it.
    fn change(&mut self, request: &Request) -> Result<(), Refused> {
        let mut inside = locked(&self.room.inside);
        if request.command == "position" {
            let table = place(request).map_err(|why| request.refused(why))?;
            inside.table = Some(table);
        }
        let table = inside.table(request)?;
        match &request.command[..] {
            "play" => play(request, table)?,
            "undo" if !table.undo() => {
                return Err(request.refused(Refusal::new("there is no move to take back")));
            }
            "legal" => {
                self.desk.answer(&request.id, Legal::of(table));
                return Ok(());
            }
            _ => {}
        }
        self.desk.answer(&request.id, Position::of(table));
        Ok(())
    }

    /// Begins one of the long commands.
    fn begin(&mut self, request: &Request) -> Result<(), Refused> {
        let work = Work::read(request).map_err(|why| request.refused(why))?;
        let over = locked(&self.room.inside).table(request)?.score().is_some();
        if over && work.needs_a_move() {
            return Err(Refused {
                right: right("undo"),
                ..request.refused(Refusal::new("the game is over"))
            });
        }
        // The last one has said its last word.
        self.stop();
        let budget = Budget::unlimited();
        let stop = budget.stop_flag();
        locked(&self.desk.0).busy = Some(request.id.clone());
        let (desk, room, id) = (self.desk, self.room, request.id.clone());
        let example = right(&request.command);
        let thread = self.scope.spawn(move || {
            let told = {
                let Inside { table, random } = &mut *locked(&room.inside);
                let table = table.as_mut().expect("work begins at a table");
                let site = Site {
                    desk,
                    id: &id,
                    resources: room.resources,
                    budget: &budget,
                };
                work.run(&site, &mut **table, random)
            };
            let mut papers = locked(&desk.0);
            match told {
                Ok(body) => {
                    let cancelled = budget.stop_flag().load(Ordering::Relaxed);
                    papers.answer(&id, Last { body, cancelled });
                }
                Err(why) => papers.refuse(&Refused {
                    id,
                    why,
                    right: example,
                }),
            }
            papers.busy = None;
        });
        self.running = Some(Running { stop, thread });
        Ok(())
    }
}

fn play(request: &Request, table: &mut dyn Table) -> Result<(), Refused> {
    let Play { r#move } = request.arguments().map_err(|why| request.refused(why))?;
    played(table, &r#move).map_err(|why| {
        let mut refused = request.refused(why);
        // A move that could be played here, if there is one.
        match table.legal(Notation::Own).into_iter().next() {
            Some(legal) => refused.right["move"] = legal.into(),
            None => refused.right = right("undo"),
        }
        refused
    })
}

/// A table as a request wants it.
fn place(request: &Request) -> Result<Box<dyn Table>, Refusal> {
    let place: Place = request.arguments()?;
    let variant = place.game.parse().map_err(Refusal::new)?;
    let start = place.position.parse().map_err(Refusal::new)?;
    let to_move = place.to_move.as_deref().map(table::side).transpose()?;
    let mut table = table::open(variant, &start, to_move)?;
    for (index, name) in place.moves.iter().enumerate() {
        let numbered = |Refusal(why)| Refusal(format!("move {}: {why}", index + 1));
        played(&mut *table, name).map_err(numbered)?;
    }
    Ok(table)
}

fn played(table: &mut dyn Table, name: &str) -> Result<(), Refusal> {
    table.play(name, Notation::Own, false).map_err(|why| {
        let shown = excerpt(name);
        Refusal(match why {
            Unplayable::NoMove => format!("'{shown}' names no move on this board"),
            Unplayable::Illegal => format!("{shown} is not legal here"),
        })
    })
}
