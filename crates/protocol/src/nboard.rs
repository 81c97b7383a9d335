//! The NBoard protocol, version 2 (Welty), as the engine of an Othello board: NBoard and its relatives.
//!
//! The board sends commands, one on a line; the engine says what it thinks whenever there is something
//! to say. Moves are a letter and a number, `F5`, with row 1 at the top, or `PA` for a pass.
//! Evaluations are discs for the side to move.
//!
//! ```text
//! > nboard 2
//! < set myname Upstar
//! > set depth 8
//! < set myname Upstar8
//! > set game (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)
//! > ping 1
//! < pong 1
//! > go
//! < status Upstar is thinking
//! < === D6/0.66/0.02
//! < nodestats 12800 0.02
//! < status
//! ```
//!
//! | command | what happens |
//! |---|---|
//! | `nboard 2` | `set myname Upstar` |
//! | `set depth N` | how hard to think from now on, 1 to 60: N plies ahead, as far as 2,000·N² positions take it, and exact results when at most 10 + N/2 cells (24 at most) are empty. The name becomes `UpstarN` |
//! | `set game GGF` | the position at the end of this game, on 8x8; what cannot be read leaves the old one, and a `status` says why |
//! | `set contempt NUMBER` | accepted; draws are draws |
//! | `move F5/EVAL/TIME` | one move further; evaluation and time may be left out. The two letters alone are read too |
//! | `go` | `=== MOVE/EVAL/TIME` with the seconds it took; the evaluation is left out where the move is the only one. The position stays |
//! | `hint N` | the N best moves: `search PV EVAL 0 DEPTH TEXT`, again and again while the search goes on. DEPTH is `100%` for a proved score, `100%W` for a proved winner, or N of `set depth` |
//! | `analyze` | the value of every position of the game, from its end to its beginning: `analysis MOVES EVAL` |
//! | `learn` | `learned`; the opening book stays as it is |
//! | `ping N` | whatever runs ends at once, with what it knows; then `pong N` |
//! | `quit` | the end |
//!
//! An evaluation is in discs: the engine's guess, or what is proved, ±1 if only the winner is. A tree search
//! (`mcts`, `az`), which does not think in discs, says 32 times its mean result. Other commands are left out, as the protocol wants it. A command
//! that changes the position or begins a search ends the one that runs.
//!
//! An agent's specification for [`NBoard::new`] makes `go` play that agent's moves; `hint` and `analyze` stay. If it
//! ponders, it thinks on after its move until the next command, provided that it remembers what it has seen.

mod game;
mod thinking;

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use upstar_agents::{AgentSpec, Resources};
use upstar_games::AnyGame;
use upstar_jobs::Budget;
use upstar_session::{GameTree, Host, Refusal, Session};

use self::thinking::{Thinker, Thought};
use crate::lines::{InputLine, next_line};

/// The depth before NBoard sets one.
const DEPTH: u32 = 12;
/// The depths that can be set.
const DEPTHS: std::ops::RangeInclusive<u32> = 1..=60;

/// An Othello engine that is asked by the NBoard protocol.
pub struct NBoard {
    host: Host,
    seed: u64,
    ponders: bool,
    thinker: Arc<Mutex<Thinker>>,
}

impl NBoard {
    /// An engine whose depth the board sets, or that plays like this agent.
    ///
    /// # Errors
    /// If there is no such agent.
    pub fn new(
        spec: Option<&AgentSpec>,
        resources: &Resources,
        seed: u64,
    ) -> Result<Self, Refusal> {
        let host = Host::new(resources.clone());
        let thinker = Thinker::new(host.clone(), spec, seed)?;
        Ok(Self {
            host,
            seed,
            ponders: false,
            thinker: Arc::new(Mutex::new(thinker)),
        })
    }

    /// Lets the agent think on after its moves, until the next command.
    #[must_use]
    pub fn pondering(self, ponders: bool) -> Self {
        Self { ponders, ..self }
    }

    /// Obeys commands until `quit` or the end of the input; then whatever runs ends.
    ///
    /// # Errors
    /// If reading or writing fails.
    pub fn run(&self, mut input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
        let (lines, said) = mpsc::channel::<String>();
        let broken = Arc::new(AtomicBool::new(false));
        let voice = Voice {
            lines,
            broken: Arc::clone(&broken),
        };
        thread::scope(|scope| {
            let writer = thread::Builder::new().spawn_scoped(scope, move || {
                let mut output = output;
                let mut written = Ok(());
                // Until the conversation has ended, also if nothing can be written any more.
                for line in said {
                    if written.is_ok() {
                        written = write(&mut output, &line);
                        broken.store(written.is_err(), Ordering::Relaxed);
                    }
                }
                written
            })?;
            let (session, _) = self.host.session(self.seed);
            let mut conversation = Conversation {
                thinker: Arc::clone(&self.thinker),
                voice,
                session,
                depth: DEPTH,
                ponders: self.ponders,
            };
            let opened = conversation.session.open(game::start());
            opened.expect("Othello has two sides");
            let read = conversation.obey_all(&mut input);
            drop(conversation);
            let written = writer.join().expect("writing does not panic");
            written.and(read)
        })
    }
}

fn write(output: &mut impl Write, line: &str) -> io::Result<()> {
    output.write_all(format!("{line}\n").as_bytes())?;
    output.flush()
}

/// What says whole lines, from any thread.
#[derive(Clone)]
struct Voice {
    lines: Sender<String>,
    /// Whether a line could not be written.
    broken: Arc<AtomicBool>,
}

impl Voice {
    fn say(&self, line: &str) {
        // Where nobody listens any more nothing is said.
        let _ = self.lines.send(line.to_owned());
    }

    fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }
}

/// One conversation: a session, whose only job is what the board asked for last.
struct Conversation {
    thinker: Arc<Mutex<Thinker>>,
    voice: Voice,
    session: Session,
    depth: u32,
    ponders: bool,
}

impl Conversation {
    fn obey_all(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        while let Some(line) = next_line(input)? {
            let InputLine::Text(line) = line else {
                self.voice.say("status a line was too long to be read");
                continue;
            };
            if line.trim() == "quit" {
                break;
            }
            if let Err(Refusal(sentence)) = self.obey(line.trim()) {
                self.voice
                    .say(&format!("status {}", sentence.replace(['\r', '\n'], " ")));
            }
            if self.voice.is_broken() {
                break;
            }
        }
        Ok(())
    }

    fn obey(&mut self, line: &str) -> Result<(), Refusal> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "nboard" => self.voice.say("set myname Upstar"),
            "set" => {
                let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                self.set(name, value.trim())?;
            }
            "move" => self.play(rest)?,
            "go" => self.go()?,
            "hint" => self.hint(rest.parse().unwrap_or(1))?,
            "analyze" | "analyse" => self.analyze()?,
            "learn" => self.voice.say("learned"),
            "ping" => {
                self.interrupt();
                self.voice.say(format!("pong {rest}").trim_end());
            }
            _ if is_move(line) => self.play(line)?,
            _ => {}
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        match name {
            "depth" => {
                let depth = value.parse().ok();
                let depth: Option<u64> = depth.filter(|&depth| depth > 0);
                let refused = || Refusal::new("the depth is not a number from 1 to 60");
                let depth = depth.ok_or_else(refused)?.min((*DEPTHS.end()).into());
                self.depth = depth as u32;
                self.voice.say(&format!("set myname Upstar{}", self.depth));
            }
            "game" => {
                self.interrupt();
                let why = |Refusal(why)| Refusal(format!("the game cannot be read: {why}"));
                let tree = game::read(value).map_err(why)?;
                self.session.open(tree.start().clone())?;
                let board = self.session.tree_mut().expect("a game was opened");
                *board = tree;
            }
            _ => {}
        }
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), Refusal> {
        self.interrupt();
        game::play(self.session.tree_mut().expect("a game was opened"), text)
    }

    /// The game.
    fn tree(&self) -> &GameTree {
        self.session.tree().expect("a game was opened")
    }

    /// Ends the search that runs, if any; afterwards it says nothing more.
    fn interrupt(&mut self) {
        self.session.end_jobs();
    }

    /// Thinks in the background.
    fn think(
        &mut self,
        work: impl FnOnce(&mut Thinker, &Voice, &Budget) -> Result<(), Refusal> + Send + 'static,
    ) -> Result<(), Refusal> {
        self.interrupt();
        let (thinker, voice) = (Arc::clone(&self.thinker), self.voice.clone());
        self.session.work(move |budget| {
            voice.say("status Upstar is thinking");
            let mut thinker = thinker.lock().unwrap_or_else(PoisonError::into_inner);
            match work(&mut thinker, &voice, budget) {
                Ok(()) => voice.say("status"),
                Err(Refusal(why)) => {
                    voice.say(&format!("status {}", why.replace(['\r', '\n'], " ")));
                }
            }
        })
    }

    fn go(&mut self) -> Result<(), Refusal> {
        if self.tree().game().is_over() {
            self.interrupt();
            self.voice.say("=== PA");
            return Ok(());
        }
        let (mut tree, depth, ponders) = (self.tree().clone(), self.depth, self.ponders);
        self.think(move |thinker, voice, budget| {
            let begun = Instant::now();
            let thought = thinker.choose(&tree, depth, budget)?;
            let seconds = begun.elapsed().as_secs_f64();
            let eval = thought
                .eval
                .map_or(String::new(), |eval| format!("{eval:.2}"));
            let name = game::name(&thought.mv);
            voice.say(&format!("=== {name}/{eval}/{seconds:.2}"));
            voice.say(&format!("nodestats {} {seconds:.2}", thought.nodes));
            if ponders && tree.play(&thought.mv).is_ok() && !tree.game().is_over() {
                voice.say("status Upstar thinks on");
                thinker.ponder(&tree, budget)?;
            }
            Ok(())
        })
    }

    fn hint(&mut self, most: usize) -> Result<(), Refusal> {
        if self.tree().game().is_over() {
            self.interrupt();
            self.voice.say("status the game is over");
            return Ok(());
        }
        let (game, depth) = (self.tree().game().clone(), self.depth);
        self.think(move |thinker, voice, budget| {
            let say = |thoughts: &[Thought]| {
                for thought in thoughts {
                    let eval = thought.eval.unwrap_or_default();
                    let (pv, depth) = (thought.pv(), &thought.depth);
                    let effort = thought.effort;
                    voice.say(&format!("search {pv} {eval:.2} 0 {depth} {effort} nodes"));
                }
            };
            let most = most.clamp(1, 64);
            let thoughts = thinker.hint(&game, most, depth, budget, &mut |found| say(found))?;
            say(&thoughts);
            Ok(())
        })
    }

    fn analyze(&mut self) -> Result<(), Refusal> {
        let (tree, depth) = (self.tree().clone(), self.depth);
        self.think(move |thinker, voice, budget| {
            let played = tree.line().into_iter().filter_map(|id| tree.node(id));
            let positions: Vec<&AnyGame> = std::iter::once(tree.start())
                .chain(played.map(|node| &node.game))
                .collect();
            for (made, position) in positions.iter().enumerate().rev() {
                let value = thinker.value(position, depth, budget)?;
                if budget.is_over() {
                    break;
                }
                if let Some(value) = value {
                    voice.say(&format!("analysis {made} {value:.2}"));
                }
            }
            Ok(())
        })
    }
}

/// Whether a line is a move alone, as the first version of the protocol had it.
fn is_move(line: &str) -> bool {
    let name = line.split('/').next().unwrap_or_default();
    match *name.as_bytes() {
        [column, row] => {
            column.is_ascii_alphabetic() && row.is_ascii_digit() || name.eq_ignore_ascii_case("pa")
        }
        _ => false,
    }
}
