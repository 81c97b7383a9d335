//! JSON lines: the whole program as a server for other programs, protocol version 1.
//!
//! A request is one object on a line, with a `command` and an `id`, any value, which comes back with
//! every answer to it. Moves, positions, games and agents are written as on the command line of
//! `upstar`, and answers have the same keys as there. Every answer is one object on one line.
//!
//! Requests are read while a command runs. The long commands are `solve`, `moves`, `value`, `analyse`, `review`, `network` and
//! `choose`. Up to 16 of them run at a time, each on the position that was current when it began, so the board
//! may be changed meanwhile. All of them tell how far they are every half a second. The end of the input ends
//! whatever runs, and the session. Empty lines have no answer.
//!
//! In these examples `>` is what is sent and `<` what comes back.
//!
//! # Who is there
//!
//! ```text
//! > {"id":1,"command":"hello"}
//! < {"id":1,"name":"Upstar","version":"0.1.0","protocol":1,"games":["clobber","clobber:cannibal","othello","othello:anti","othello:parallel","othello:middle=upper-right","othello:reversi"],"agents":["random","pick-first","greedy","mc:50","mc:100ms","mcts:1000","mcts:100ms,c=0.7","solver","solver:1s","net:FILE","az:default","az:FILE,sims=400","ab:8","ab:1s","best","best:200ms","engine:\"COMMAND\""]}
//! > {"id":2,"command":"ping"}
//! < {"id":2,"pong":true}
//! ```
//!
//! The agents are examples of their specifications.
//!
//! # A game
//!
//! `position` sets a `game` at a `position` (a size, rows joined by bars, `random:5x6,seed=7`, or a graph
//! `a=x,b=o,a-b`), with `to_move` (`x`, `o`, `black`, `white`) and after some `moves` if they are given.
//! `play` makes a `move`, `undo` takes one back. All three tell the new position; when the game is over
//! there is also the `winner`, and in Othello the `score`, discs of `x` less those of `o`.
//!
//! ```text
//! > {"id":3,"command":"position","game":"clobber","position":"2x3"}
//! < {"id":3,"position":"xox|oxo","to_move":"x","legal":["a1a2","a1b1","c1b1","c1c2","b2b1","b2a2","b2c2"],"over":false}
//! > {"id":4,"command":"play","move":"c1c2"}
//! < {"id":4,"position":"xo.|oxx","to_move":"o","legal":["b1a1","b1b2","a2a1","a2b2"],"over":false}
//! > {"id":5,"command":"undo"}
//! < {"id":5,"position":"xox|oxo","to_move":"x","legal":["a1a2","a1b1","c1b1","c1c2","b2b1","b2a2","b2c2"],"over":false}
//! > {"id":6,"command":"position","game":"othello","position":"2x2","to_move":"white","moves":[]}
//! < {"id":6,"position":"ox|xo","to_move":"o","legal":[],"over":true,"winner":"draw","score":0}
//! > {"id":7,"command":"position","game":"clobber","position":"xo.xo","to_move":"o","moves":["b1a1"]}
//! < {"id":7,"position":"o..xo","to_move":"x","legal":["d1e1"],"over":false}
//! > {"id":8,"command":"legal"}
//! < {"id":8,"moves":["d1e1"],"over":false}
//! ```
//!
//! # Variations
//!
//! Moves that were taken back are not lost. `redo` follows them again, and another move at the same place begins a
//! variation. `variations` lists all positions, each before those that follow it and the main line first. `go` goes
//! to one of these nodes, `promote` makes the line to it the main one, and `delete` removes it with all that
//! follows. `edit` puts stones on cells (`"."` for none) and begins a new game there.
//!
//! ```text
//! > {"id":101,"command":"position","game":"clobber","position":"xoxo"}
//! < {"id":101,"position":"xoxo","to_move":"x","legal":["a1b1","c1b1","c1d1"],"over":false}
//! > {"id":102,"command":"play","move":"c1d1"}
//! < {"id":102,"position":"xo.x","to_move":"o","legal":["b1a1"],"over":false}
//! > {"id":103,"command":"undo"}
//! < {"id":103,"position":"xoxo","to_move":"x","legal":["a1b1","c1b1","c1d1"],"over":false}
//! > {"id":104,"command":"play","move":"a1b1"}
//! < {"id":104,"position":".xxo","to_move":"o","legal":["d1c1"],"over":false}
//! > {"id":105,"command":"promote","node":2}
//! < {"id":105,"position":".xxo","to_move":"o","legal":["d1c1"],"over":false}
//! > {"id":106,"command":"variations"}
//! < {"id":106,"current":2,"nodes":[{"node":0,"parent":null,"move":null},{"node":2,"parent":0,"move":"a1b1"},{"node":1,"parent":0,"move":"c1d1"}]}
//! > {"id":107,"command":"go","node":1}
//! < {"id":107,"position":"xo.x","to_move":"o","legal":["b1a1"],"over":false}
//! > {"id":108,"command":"delete","node":1}
//! < {"id":108,"position":"xoxo","to_move":"x","legal":["a1b1","c1b1","c1d1"],"over":false}
//! > {"id":109,"command":"edit","cells":{"a1":".","c1":"o"},"to_move":"o"}
//! < {"id":109,"position":".ooo","to_move":"o","legal":[],"over":true,"winner":"x"}
//! > {"id":110,"command":"go","node":1}
//! < {"id":110,"error":"there is no variation 1","right":{"command":"variations","id":1}}
//! ```
//!
//! # Exact results
//!
//! `solve` tells the `winner` (`x`, `o`, `draw`, or null), a `move` that reaches it, and in Othello with
//! `"exact":true` the `score`. It goes on until that is proved, or until `time_limit` (seconds, or a text
//! like `"500ms"`), `nodes`, or `cancel`; `memory` (bytes, or `"512M"`) is for its tables. Every half a
//! second it tells how far it is. `moves` takes the same and gives the result of every move; there
//! `exact` is true unless said otherwise.
//!
//! ```text
//! > {"id":9,"command":"position","game":"clobber","position":"3x4"}
//! < {"id":9,"position":"xoxo|oxox|xoxo","to_move":"x","legal":["a1a2","a1b1","c1b1","c1c2","c1d1","b2b1","b2a2","b2b3","b2c2","d2d1","d2c2","d2d3","a3a2","a3b3","c3c2","c3b3","c3d3"],"over":false}
//! > {"id":10,"command":"solve","time_limit":"10s"}
//! < {"id":10,"winner":"o","score":null,"move":"a1a2","proved":true,"nodes":55,"seconds":0.001,"algorithm":"sums"}
//! > {"id":11,"command":"position","game":"othello","position":"4x4"}
//! < {"id":11,"position":"....|.ox.|.xo.|....","to_move":"x","legal":["b1","a2","d3","c4"],"over":false}
//! > {"id":12,"command":"solve","exact":true,"memory":"64M"}
//! < {"id":12,"winner":"o","score":-8,"move":"d3","proved":true,"nodes":1891,"seconds":0.001,"algorithm":"alpha-beta","line":["d3","d4","c4","d2","a1","b4","d1","a3","a4","a2"]}
//! > {"id":13,"command":"moves"}
//! < {"id":13,"moves":[{"move":"b1","winner":"o","score":-8,"proved":true},{"move":"a2","winner":"o","score":-8,"proved":true},{"move":"d3","winner":"o","score":-8,"proved":true},{"move":"c4","winner":"o","score":-8,"proved":true}],"proved":true,"nodes":6062,"seconds":0.002}
//! ```
//!
//! # Values
//!
//! `value` finds the combinatorial values of a Clobber position, of its components and of their sum, within
//! `time_limit`, or until it is cancelled. What was not found is null. `name_length` cuts long names. With
//! `"detail":true` each value also has its `canonical` form, its name for LaTeX and CGSuite and its `thermograph`, and each
//! component the numbers of its `cells`, counted row by row from 0.
//!
//! ```text
//! > {"id":111,"command":"position","game":"clobber","position":"xo.xxo"}
//! < {"id":111,"position":"xo.xxo","to_move":"x","legal":["a1b1","e1f1"],"over":false}
//! > {"id":112,"command":"value","time_limit":"10s"}
//! < {"id":112,"value":"↑*","atomic_weight":"1","temperature":0.0,"outcome":"N","components":[{"position":"xo","value":"*","atomic_weight":"0","temperature":0.0},{"position":"xxo","value":"↑","atomic_weight":"1","temperature":0.0}],"proved":true,"seconds":0.001}
//! ```
//!
//! # A network alone
//!
//! `network` tells what the network that comes with the program says of the position without any search: `value` is how likely
//! the side to move wins, `policy` how likely each move is to be played. `agent`, `az:FILE`, names another network.
//!
//! ```text
//! > {"id":113,"command":"position","game":"clobber","position":"xo.xo"}
//! < …
//! > {"id":114,"command":"network"}
//! < {"id":114,"by":"az:default","value":…
//! ```
//!
//! # Cancelling
//!
//! `cancel` ends the long commands that run: at once they give what they know, with `"cancelled":true`. With
//! `"target"`, the id of a request, only that one is ended. The answer to `cancel` itself comes first and tells
//! which request was ended: its id, a list of ids if there were several, or null.
//!
//! ```text
//! > {"id":14,"command":"position","game":"clobber","position":"10x10"}
//! < …
//! > {"id":15,"command":"solve"}
//! < {"id":15,"progress":{"nodes":900000,"seconds":0.5}}
//! > {"id":16,"command":"undo"}
//! < {"id":16,"error":"there is no move to take back","right":{"command":"undo","id":1}}
//! > {"id":17,"command":"cancel"}
//! < {"id":17,"stopped":15}
//! < {"id":15,"winner":null,"score":null,"move":null,"proved":false,"nodes":1000000,"seconds":0.6,"algorithm":"sums","cancelled":true}
//! > {"id":18,"command":"cancel","target":15}
//! < {"id":18,"stopped":null}
//! ```
//!
//! # Graded analysis
//!
//! `analyse` tells every half a second, or `every` so often (at least 0.1 s), what is known of each move, best first: its
//! `grade` is `proved`, `bounded` (Othello: the score lies between `at_least` and `at_most`), `estimated` or `unknown`.
//! `proved` is `win`, `loss`, `draw` or null for the side to move, `winner` and `score` as in `moves`; `win` is the estimated
//! chance of the side to move, `discs` the estimated score, `by` says who estimates and `work` after how many
//! simulations or plies; `pv` is how the game may go on. It ends after so much `time` or when every move is proved; otherwise it
//! goes on until it is cancelled. `multi` limits the number of moves. With an `agent`, `mcts:…` or `az:…`, or a number of
//! `simulations`, that search is watched alone, without the solver.
//!
//! ```text
//! > {"id":19,"command":"position","game":"clobber","position":"xo.xo|ox.ox"}
//! < …
//! > {"id":20,"command":"analyse","agent":"mcts:100,c=0.7","simulations":2000,"every":"1s"}
//! < {"id":20,"move":…}]}
//! > {"id":21,"command":"position","game":"clobber","position":"xoo"}
//! < {"id":21,"position":"xoo","to_move":"x","legal":["a1b1"],"over":false}
//! > {"id":22,"command":"analyse"}
//! < {"id":22,"move":"a1b1","grade":"proved","proved":"loss","winner":"o",…
//! ```
//!
//! While it runs, lines are like `{"id":20,"progress":{"move":…,"moves":[…]}}`.
//!
//! `review` finds the mistakes of the game that led to this position, with `time` for each of its positions: `accuracy` of
//! Black and White, all `moves` with what was known before and after them, what would have been `better`, whether it was a
//! `mistake` (`proved`, `probable` or null), and the numbers of the `mistakes`, the worst first.
//!
//! # A move by any agent
//!
//! `choose` asks the `agent`, any specification but `human`, for a move, which is not played; `time` ends it whatever the
//! agent's own limit is. Its `evaluation` is what
//! is `proved`, or the mean result `expected`, for the side to move; there may be a `remark`. `seed` makes
//! chance repeat; without it the session's own generator goes on. `analyse` takes it too.
//!
//! ```text
//! > {"id":23,"command":"choose","agent":"solver"}
//! < {"id":23,"move":"a1b1","evaluation":{"proved":"loss"},"effort":3,"seconds":0.001}
//! > {"id":24,"command":"choose","agent":"random","seed":7}
//! < {"id":24,"move":"a1b1","evaluation":null,"effort":0,"seconds":0.001}
//! ```
//!
//! # Mistakes
//!
//! An `error` is a sentence; `right` is a request as it should be.
//!
//! ```text
//! > {"id":25,"command":"play","move":"b1a1"}
//! < {"id":25,"error":"b1a1 is not legal here","right":{"command":"play","id":1,"move":"a1b1"}}
//! > {"id":26,"command":"sove"}
//! < {"id":26,"error":"'sove' is not a command; there are hello, ping, position, edit, legal, play, undo, redo, variations, go, delete, promote, solve, moves, value, analyse, review, network, choose, cancel, quit","right":{"command":"hello","id":1}}
//! > {"id":27,"command":"solve","time":3}
//! < {"id":27,"error":"unknown field `time`, expected one of `time_limit`, `nodes`, `memory`, `exact`","right":{"command":"solve","exact":true,"id":1,"memory":"512M","time_limit":"10s"}}
//! > play a1b1
//! < {"id":null,"error":"the line is not a JSON object","right":{"command":"hello","id":1}}
//! ```
//!
//! # The end
//!
//! ```text
//! > {"id":28,"command":"quit"}
//! < {"id":28,"quit":true}
//! ```

use std::io::{self, BufRead, Write};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::Value;
use upstar_agents::Resources;
pub use upstar_session::PROTOCOL;
use upstar_session::{Event, Host, Refusal, Refused, right};

use crate::lines::{InputLine, LONGEST, next_line};

/// A server of JSON lines: a session whose requests are lines of the input and whose events are lines of
/// the output.
pub struct JsonLines {
    host: Host,
    seed: u64,
}

impl JsonLines {
    /// A server with these resources, whose chance comes from this seed.
    #[must_use]
    pub fn new(resources: Resources, seed: u64) -> Self {
        Self {
            host: Host::new(resources),
            seed,
        }
    }

    /// Answers requests until `quit` or the end of the input; then whatever runs ends.
    ///
    /// # Errors
    /// If reading or writing fails.
    pub fn run(&self, mut input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
        let (mut session, events) = self.host.session(self.seed);
        let (broken, failure) = (AtomicBool::new(false), Mutex::new(None));
        let read = thread::scope(|scope| {
            let writer = thread::Builder::new().spawn_scoped(scope, || {
                let mut output = output;
                // Until the session has ended, also if nothing can be written any more.
                for event in events {
                    if let Err(error) = write(&mut output, &event)
                        && !broken.swap(true, Ordering::Relaxed)
                    {
                        *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    }
                }
            });
            writer?;
            while let Some(line) = next_line(&mut input)? {
                let flow = match line {
                    InputLine::Text(line) if line.trim().is_empty() => continue,
                    InputLine::Text(line) => session.request_text(&line),
                    InputLine::TooLong => session.refuse(Refused {
                        id: Value::Null,
                        why: Refusal(format!("a line is longer than {LONGEST} bytes")),
                        right: right("hello"),
                    }),
                };
                if flow.is_break() || broken.load(Ordering::Relaxed) {
                    break;
                }
            }
            drop(session);
            Ok(())
        });
        let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        failure.map_or(read, Err)
    }
}

fn write(output: &mut impl Write, event: &Event) -> io::Result<()> {
    let line = event.to_json() + "\n";
    output.write_all(line.as_bytes())?;
    output.flush()
}
