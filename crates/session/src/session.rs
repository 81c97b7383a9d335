//! One board and what is done at it. What is quick is answered at once; jobs run on their own threads,
//! several at a time, and each can be cancelled at any moment.

use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use serde_json::Value;
use upstar_agents::{AgentSpec, Choice, Fault};
use upstar_games::{AnyGame, Board, Cell, Cells, Random, Setup, Side, excerpt};
use upstar_jobs::thread::STACK;
use upstar_jobs::{Budget, Unwatched};

use crate::event::{Body, Event, Found, Hello, Legal, Position, Solved, Stopped, Variations};
use crate::game_tree::GameTree;
use crate::host::Host;
use crate::refusal::Refusal;
use crate::request::{Command, Edit, Exact, Job, Opening, Refused, Request, right};
use crate::seat::{GameLine, Seat};
use crate::work::{Chance, Work, solve};

/// The most jobs of a session that run at a time.
pub const MOST_JOBS: usize = 16;

/// A board, its variations, and the jobs that think about them. A session that is dropped ends its jobs
/// first.
pub struct Session {
    host: Host,
    tree: Option<GameTree>,
    seat: Arc<Seat>,
    chance: Arc<Chance>,
    tell: Tell,
    running: Arc<Mutex<Vec<Running>>>,
    threads: Vec<JoinHandle<()>>,
    begun: u64,
}

/// Whoever hears the events of a session; called from any thread.
pub(crate) type Tell = Arc<dyn Fn(Event) + Send + Sync>;

/// A job that has not told its last event.
struct Running {
    number: u64,
    id: Value,
    budget: Budget,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The board.
impl Session {
    pub(crate) fn new(host: Host, seed: u64, tell: Tell) -> Self {
        Self {
            host,
            tree: None,
            seat: Arc::default(),
            chance: Arc::new(Chance::new(seed)),
            tell,
            running: Arc::default(),
            threads: Vec::new(),
            begun: 0,
        }
    }

    /// A new game begins at this position. Jobs that run go on with the old one.
    ///
    /// # Errors
    /// If the game does not have two sides that move in turn.
    pub fn open(&mut self, game: AnyGame) -> Result<(), Refusal> {
        if matches!(game, AnyGame::Solitaire(..) | AnyGame::Colors(..)) {
            let variant = game.variant();
            let sentence = format!("{variant} does not have two sides that move in turn");
            return Err(Refusal(sentence));
        }
        self.seat.begin_game(&game);
        self.tree = Some(GameTree::new(game));
        Ok(())
    }

    /// Goes to the position after these moves from this start. Where the game on the board began there too,
    /// it goes on: agents remember it. Otherwise a new game begins.
    ///
    /// # Errors
    /// If a move cannot be played, or the game does not have two sides that move in turn.
    pub fn follow(&mut self, start: &AnyGame, moves: &[String]) -> Result<(), Refusal> {
        if self.tree.as_ref().is_none_or(|tree| tree.start() != start) {
            self.open(start.clone())?;
        }
        let tree = self.tree.as_mut().expect("a game was opened");
        while tree.back() {}
        for (index, mv) in moves.iter().enumerate() {
            let numbered = |error| Refusal(format!("move {}: {error}", index + 1));
            tree.play(mv).map_err(numbered)?;
        }
        Ok(())
    }

    /// The game with its variations; `None` before the first one.
    #[must_use]
    pub fn tree(&self) -> Option<&GameTree> {
        self.tree.as_ref()
    }

    /// The same, to play and to go to other variations.
    pub fn tree_mut(&mut self) -> Option<&mut GameTree> {
        self.tree.as_mut()
    }

    /// What the session shares with others.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.host
    }
}

/// Answers that the caller waits for.
impl Session {
    /// Makes an agent for this board, so that it takes no time of its first move.
    ///
    /// # Errors
    /// If there is no such agent for this game, or no board.
    pub fn prepare(&self, agent: &AgentSpec) -> Result<(), Fault> {
        let tree = self.board().map_err(|Refusal(why)| Fault(why))?;
        self.seat.prepare(agent, tree.start(), &self.host)
    }

    /// What an agent plays here, which is legal but not played.
    ///
    /// # Errors
    /// If there is no such agent, it cannot go on or gives up, or there is nothing to play.
    pub fn choose(
        &self,
        agent: &AgentSpec,
        budget: &Budget,
        random: &mut Random,
    ) -> Result<Choice<String>, Fault> {
        let tree = self.board().map_err(|Refusal(why)| Fault(why))?;
        if tree.game().is_over() {
            return Err(Fault("the game is over".to_owned()));
        }
        self.seat
            .choose(agent, &GameLine::of(tree), &self.host, budget, random)
    }

    /// Who wins, with proof, as far as limits and budget go.
    ///
    /// # Errors
    /// If the solver has no answer: there is no board, no memory, or no table.
    pub fn solve(&self, exact: &Exact, budget: &Budget) -> Result<Solved, Refusal> {
        let game = self.board()?.game();
        solve(&self.host, game, exact, budget, &Unwatched)
    }

    fn board(&self) -> Result<&GameTree, Refusal> {
        self.tree.as_ref().ok_or_else(no_position)
    }
}

/// Requests.
impl Session {
    /// Carries out what a line of JSON asks for; breaks if that is the end of the session.
    pub fn request_text(&mut self, text: &str) -> ControlFlow<()> {
        match Request::read(text) {
            Ok(request) => self.request(&request),
            Err(refused) => self.refuse(refused),
        }
    }

    /// Tells that a request is not carried out, for whoever reads requests elsewhere.
    pub fn refuse(&self, refused: Refused) -> ControlFlow<()> {
        self.send(refused.into());
        ControlFlow::Continue(())
    }

    /// Carries out a request or begins to; breaks if that is the end of the session.
    pub fn request(&mut self, request: &Request) -> ControlFlow<()> {
        match self.carried_out(request) {
            Ok(Some(body)) => {
                let quit = matches!(body, Body::Quit { .. });
                let id = request.id.clone();
                self.send(Event { id, body });
                if quit {
                    return ControlFlow::Break(());
                }
            }
            Ok(None) => {}
            Err(refused) => self.send(refused.into()),
        }
        ControlFlow::Continue(())
    }

    /// What is answered at once; `None` if the answer was sent or is on its way.
    fn carried_out(&mut self, request: &Request) -> Result<Option<Body>, Refused> {
        let refused = |why| request.refused(why);
        let without = |why: Refusal| Refused {
            right: right("position"),
            ..request.refused(why)
        };
        let unknown = |error: crate::NoSuchNode| Refused {
            right: right("variations"),
            ..request.refused(Refusal::new(error))
        };
        match &request.command {
            Command::Hello => return Ok(Some(Body::Hello(Hello::new()))),
            Command::Ping => return Ok(Some(Body::Pong { pong: true })),
            Command::Quit => {
                self.end_jobs();
                return Ok(Some(Body::Quit { quit: true }));
            }
            Command::Cancel(target) => {
                self.cancel(&request.id, target.as_ref());
                return Ok(None);
            }
            Command::Position(opening) => {
                let tree = opened(opening).map_err(refused)?;
                self.open(tree.start().clone()).map_err(refused)?;
                self.tree = Some(tree);
            }
            Command::Job(job) => {
                let line = GameLine::of(self.board().map_err(without)?);
                self.begin(request, job, line)?;
                return Ok(None);
            }
            Command::Edit(edit) => {
                let game = edited(self.board().map_err(without)?.game(), edit);
                self.open(game.map_err(refused)?).map_err(refused)?;
            }
            _ => {}
        }
        let tree = self.tree.as_mut().ok_or_else(|| without(no_position()))?;
        match &request.command {
            Command::Legal => return Ok(Some(Body::Legal(Legal::of(tree.game())))),
            Command::Variations => return Ok(Some(Body::Variations(Variations::of(tree)))),
            Command::Play(mv) => {
                if let Err(error) = tree.play(mv) {
                    let mut refused = refused(Refusal::new(error));
                    // A move that could be played here, if there is one.
                    match tree.game().legal().into_iter().next() {
                        Some(legal) => refused.right["move"] = legal.into(),
                        None => refused.right = right("undo"),
                    }
                    return Err(refused);
                }
            }
            Command::Undo if !tree.back() => {
                return Err(refused(Refusal::new("there is no move to take back")));
            }
            Command::Redo if !tree.forward() => {
                return Err(refused(Refusal::new("there is no move to follow")));
            }
            Command::Go(node) => tree.go(*node).map_err(unknown)?,
            Command::Delete(node) => tree.delete(*node).map_err(unknown)?,
            Command::Promote(node) => tree.promote(*node).map_err(unknown)?,
            _ => {}
        }
        Ok(Some(Body::Position(Position::of(tree.game()))))
    }

    fn send(&self, event: Event) {
        (self.tell)(event);
    }
}

/// Jobs.
impl Session {
    /// Whether a job runs.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        !locked(&self.running).is_empty()
    }

    /// Cancels all jobs and waits for their last events.
    pub fn end_jobs(&mut self) {
        for running in &*locked(&self.running) {
            running.budget.cancel();
        }
        for thread in self.threads.drain(..) {
            thread.join().expect("jobs do not panic");
        }
    }

    /// Cancels the jobs with this id, or all; says which before they have told their last events.
    fn cancel(&self, id: &Value, target: Option<&Value>) {
        let running = locked(&self.running);
        let meant = |job: &&Running| target.is_none_or(|target| job.id == *target);
        let meant: Vec<&Running> = running.iter().filter(meant).collect();
        let ids = meant.iter().map(|job| job.id.clone()).collect();
        self.send(Event {
            id: id.clone(),
            body: Body::Stopped(Stopped::of(ids)),
        });
        for job in meant {
            job.budget.cancel();
        }
    }

    fn begin(&mut self, request: &Request, job: &Job, line: GameLine) -> Result<(), Refused> {
        if line.game.is_over() && matches!(job, Job::Analyse(_) | Job::Choose(_) | Job::Network(_))
        {
            return Err(Refused {
                right: right("undo"),
                ..request.refused(Refusal::new("the game is over"))
            });
        }
        let work = Work {
            id: request.id.clone(),
            job: job.clone(),
            line,
            host: self.host.clone(),
            seat: Arc::clone(&self.seat),
            chance: Arc::clone(&self.chance),
            budget: Budget::unlimited(),
            tell: Arc::clone(&self.tell),
        };
        let example = right(request.command.name());
        let begun = self.start(request.id.clone(), work.budget.clone(), move || {
            Some(match work.run() {
                Ok(result) => Event {
                    id: work.id.clone(),
                    body: Body::Found(Found {
                        result,
                        cancelled: work.budget.is_stopped(),
                    }),
                },
                Err(why) => Event::from(Refused {
                    id: work.id.clone(),
                    why,
                    right: example,
                }),
            })
        });
        begun.map_err(|why| Refused {
            right: right("cancel"),
            ..request.refused(why)
        })
    }

    /// Begins a job of a protocol, which tells what it finds in its own way and ends soon after its budget
    /// is cancelled: by a request, by [`Session::end_jobs`], or because the session ends.
    ///
    /// # Errors
    /// If too many jobs run, or there is no thread.
    pub fn work(&mut self, work: impl FnOnce(&Budget) + Send + 'static) -> Result<(), Refusal> {
        let budget = Budget::unlimited();
        self.start(Value::Null, budget.clone(), move || {
            work(&budget);
            None
        })
    }

    /// An agent thinks about the position, where the other side is to move, until [`Session::end_jobs`]. It
    /// plays its next move from what it found.
    ///
    /// # Errors
    /// If there is no board, too many jobs run, or there is no thread.
    pub fn ponder(&mut self, agent: &AgentSpec) -> Result<(), Refusal> {
        let line = GameLine::of(self.board()?);
        let (seat, host, agent) = (Arc::clone(&self.seat), self.host.clone(), agent.clone());
        self.work(move |budget| {
            // An agent at fault does not come back, and the next one says what is wrong.
            let _ = seat.ponder(&agent, &line, &host, budget);
        })
    }

    /// Starts a job on a thread of its own, which sends the event that comes of it.
    fn start(
        &mut self,
        id: Value,
        budget: Budget,
        work: impl FnOnce() -> Option<Event> + Send + 'static,
    ) -> Result<(), Refusal> {
        self.threads.retain(|thread| !thread.is_finished());
        if locked(&self.running).len() >= MOST_JOBS {
            return Err(Refusal(format!("{MOST_JOBS} requests are running")));
        }
        self.begun += 1;
        let number = self.begun;
        locked(&self.running).push(Running {
            number,
            id: id.clone(),
            budget,
        });
        let (running, tell) = (Arc::clone(&self.running), Arc::clone(&self.tell));
        let thread = thread::Builder::new().stack_size(STACK).spawn(move || {
            // Whoever waits for a job hears of its end, even if it ends by a mistake of ours.
            let event = panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
                Some(Event::from(Refused {
                    id,
                    why: Refusal::new(
                        "the program failed at this job; its standard error says where",
                    ),
                    right: right("hello"),
                }))
            });
            // Both at once: who has read the last event knows that the job has ended.
            let mut running = locked(&running);
            running.retain(|job| job.number != number);
            if let Some(event) = event {
                tell(event);
            }
        });
        match thread {
            Ok(thread) => {
                self.threads.push(thread);
                Ok(())
            }
            Err(error) => {
                locked(&self.running).retain(|job| job.number != number);
                Err(Refusal(format!("a thread cannot be started: {error}")))
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        for running in &*locked(&self.running) {
            running.budget.cancel();
        }
        for thread in self.threads.drain(..) {
            // What it had to say is lost with it.
            let _ = thread.join();
        }
    }
}

fn no_position() -> Refusal {
    Refusal::new("there is no position yet")
}

/// A game as a request wants it, with its moves.
fn opened(opening: &Opening) -> Result<GameTree, Refusal> {
    let variant = opening.game.parse().map_err(Refusal::new)?;
    let start = opening.position.parse().map_err(Refusal::new)?;
    let to_move = opening.to_move.as_deref().map(side_letter).transpose()?;
    let game = AnyGame::open(variant, &start, to_move).map_err(Refusal::new)?;
    let mut tree = GameTree::new(game);
    for (index, mv) in opening.moves.iter().enumerate() {
        let numbered = |error| Refusal(format!("move {}: {error}", index + 1));
        tree.play(mv).map_err(numbered)?;
    }
    Ok(tree)
}

/// The same game with other stones on some cells.
fn edited(game: &AnyGame, edit: &Edit) -> Result<AnyGame, Refusal> {
    let old = game.setup();
    let board: &Board = &old.board;
    let mut stones: Vec<(Cell, Option<Side>)> = board
        .cells()
        .iter()
        .map(|cell| (cell, old.stone(cell)))
        .collect();
    for (name, text) in &edit.cells {
        let cell = board.cell_named(name);
        let cell = cell.ok_or_else(|| Refusal(format!("'{}' is not a cell", excerpt(name))))?;
        let stone = match &text[..] {
            "." | "" => None,
            text => Some(side_of(text)?),
        };
        let place = stones.iter_mut().find(|(other, _)| *other == cell);
        place.expect("cells with names are on the board").1 = stone;
    }
    let mut setup = Setup::new(board.clone());
    for (cell, stone) in stones {
        if let Some(side) = stone {
            setup.put(cell, side);
        }
    }
    let to_move = match edit.to_move.as_deref() {
        Some(text) => side_of(text)?,
        None => game.side_to_move(),
    };
    game.at(&setup, to_move).map_err(Refusal::new)
}

/// The letter of the side that a word or a letter names.
pub fn side_letter(text: &str) -> Result<char, Refusal> {
    let mut letters = text.chars();
    match (text, letters.next(), letters.next()) {
        ("black", ..) => Ok('x'),
        ("white", ..) => Ok('o'),
        (_, Some(letter), None) => Ok(letter),
        _ => Err(not_a_side(text)),
    }
}

fn side_of(text: &str) -> Result<Side, Refusal> {
    let side = Side::from_letter(side_letter(text)?);
    side.ok_or_else(|| not_a_side(text))
}

fn not_a_side(text: &str) -> Refusal {
    let shown = excerpt(text);
    Refusal(format!("'{shown}' is not a side: x, o, black or white"))
}
