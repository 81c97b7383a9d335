//! The Go Text Protocol, version 2 (Farnebäck, 2002), for Clobber, Othello and their variants.
//!
//! A referee sends one command on a line and gets one answer: `=` and a result, or `?` and a sentence,
//! and then an empty line. A number before the command comes back behind the `=` or `?`. What follows
//! `#` is a comment, empty lines have no answer. Answers come in the order of the commands; one that
//! takes long is not interrupted, so think about the agent's limit or give a clock.
//!
//! ```
//! use upstar_agents::Resources;
//! use upstar_protocol::Gtp;
//!
//! let mut gtp = Gtp::new(
//!     "clobber".parse()?,
//!     &"2x2".parse()?,
//!     None,
//!     None,
//!     "solver".parse()?,
//!     Resources::default(),
//!     1,
//! )?;
//! let mut answers = Vec::new();
//! gtp.run(&b"1 genmove b\n2 genmove w\n3 final_score\n"[..], &mut answers)?;
//! let answers = String::from_utf8(answers)?;
//! assert!(answers.starts_with("=1 A2-"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A session, with the empty lines after the answers left out:
//!
//! ```text
//! > boardsize 3 4
//! < =
//! > showboard
//! < =
//! <    A B C D
//! <  3 x o x o 3
//! <  2 o x o x 2
//! <  1 x o x o 1
//! <    A B C D
//! < black (x) to move
//! > 7 play b A3-A2
//! < =7
//! > 8 play w A3-A2
//! < ?8 illegal move
//! > upstar-game othello 4x4 o
//! < =
//! > upstar-moves
//! < = C1 D2 A3 B4
//! > play w C1
//! < =
//! > upstar-solve
//! < = winner black score B+8 move D1 nodes 1050
//! > upstar-coordinates go
//! < =
//! > undo
//! < =
//! > upstar-moves
//! < = C4 D3 A2 B1
//! > quit
//! < =
//! ```
//!
//! # Names
//!
//! *Cells* are named as players of the game expect. **In Othello and Reversi `A1` is top-left**, as everywhere
//! in this program. **In Clobber names are those of Go**: columns are letters from the left, without I, and row 1
//! is at the bottom, so that on a board of four rows the cell that is `a1` elsewhere is `A4` here. The option
//! `--coordinates go` or `--coordinates own` of `upstar gtp`, or the command `upstar-coordinates`, chooses one of
//! them for all games. Letters may be large or small. With Go's names boards have at most 25 columns. Graphs
//! are not played.
//!
//! *Moves.* In Othello a cell, or `pass`. In Clobber the cell of the stone that moves and the cell of the
//! stone that it takes, with a hyphen: `A1-B1` (`A1B1` is read too).
//!
//! *Sides* are `b`, `black`, `w`, `white`. Black has the stones `x`, White `o`.
//!
//! # Turns, passes, the end
//!
//! Sides move in turn; a move out of turn is an illegal move. One thing is more lenient: if the side to
//! move can only pass, as happens in Othello, that pass may be left out. `undo` then takes both back.
//!
//! Who cannot move in Clobber has lost, and `genmove` answers `resign`. In Othello a side without a
//! placement answers `pass`. When the game is over both sides pass, as in Go, for as long as anybody
//! asks: `genmove` answers `pass` and `play b pass` is accepted.
//!
//! # Commands
//!
//! | command | answer |
//! |---|---|
//! | `protocol_version`, `name`, `version` | `2`, `Upstar`, the program's version |
//! | `known_command NAME`, `list_commands` | `true` or `false`; all names, one on each line |
//! | `quit` | nothing, and the session ends |
//! | `boardsize N` | the start position on a square board. `boardsize ROWS COLS` (an extension) sets any other. If the board has this size already, its start position stays the one that was given |
//! | `clear_board` | back to the start position; clocks are wound up |
//! | `komi NUMBER` | accepted, and without meaning |
//! | `play COLOR MOVE` | nothing, or `illegal move` |
//! | `genmove COLOR` | a move, which is played, or `resign` |
//! | `reg_genmove COLOR` | a move, which is not played; asked twice, it is the same unless the agent's limit is a time |
//! | `undo` | nothing, or `cannot undo` |
//! | `showboard` | the board; below it, whose turn it is or the result |
//! | `time_settings MAIN BYO STONES` | nothing. Seconds for the game, then BYO seconds for every STONES moves. `0 0 0` and STONES 0 with a BYO mean no clock |
//! | `time_left COLOR SECONDS STONES` | nothing; sets a side's clock, STONES 0 is main time |
//! | `upstar-time MILLISECONDS` | nothing. The time for the next `genmove`, whatever the clocks say: for referees whose moves take less than the seconds of `time_left` |
//! | `final_score` | `B+8`, `W+1`, `0` in Othello: the difference of discs. In Clobber `B+1` or `W+1`. Before the end: `cannot score` |
//! | `upstar-game GAME POSITION [SIDE]` | another game or start position, with SIDE to move, as on the command line: `upstar-game clobber xox.\|oxox o`, `upstar-game othello 6x6`, `upstar-game clobber random:5x6,seed=7`. Rows go from the top. Only in this command `#` is a hole and no comment |
//! | `upstar-coordinates go\|own` | nothing; cells are named like that from now on |
//! | `upstar-moves` | the legal moves, with blanks between them; nothing when the game is over |
//! | `upstar-solve [SECONDS]` | who wins, proved: `winner black move A4-A3 nodes 12`, in Othello also `score B+4`. `winner draw`, or `winner unknown` if 10 or so many SECONDS are not enough |
//!
//! # Clocks
//!
//! With a clock, an agent's own limit still holds, but it thinks no longer than its share of the time
//! that is left: of main time, what is left divided by somewhat more than half of the moves that may
//! follow; of byo-yomi, the time divided by the stones. Without `time_left` the server runs the clocks
//! of the moves that it makes itself. With `--ponder` an agent that remembers what it has seen (`ab`, `az`, `best`,
//! `mcts` with `reuse=true`) thinks on after its move, until the next command. The agent is made when a board is set, on nobody's clock: where that
//! fails, `boardsize` or `upstar-game` says why, and the old board stays.

mod board;
mod clock;
mod drawing;
mod thinking;
mod words;

use std::io::{self, BufRead, Write};
use std::time::Duration;

use upstar_agents::gtp_names::Coordinates;
use upstar_agents::{AgentSpec, Resources};
use upstar_games::{AnyGame, Grid, Random, Start, Variant};
use upstar_session::{Host, Refusal, Session};

use self::board::named_grid;
use self::clock::Clocks;
use self::words::{color_named, difference, milliseconds, number, refused, right, score, seconds};
use crate::lines::{InputLine, LONGEST, next_line};

const COMMANDS: [&str; 22] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "showboard",
    "time_settings",
    "time_left",
    "final_score",
    "upstar-game",
    "upstar-coordinates",
    "upstar-moves",
    "upstar-solve",
    "upstar-time",
];

/// How long `upstar-solve` searches where nothing else is said.
const PATIENCE: Duration = Duration::from_secs(10);

/// A player that is asked by GTP.
pub struct Gtp {
    session: Session,
    grid: Grid,
    /// Those that were chosen for all games; without them each game has its own.
    coordinates: Option<Coordinates>,
    spec: AgentSpec,
    seed: u64,
    random: Random,
    clocks: Clocks,
    /// The time for the next move, if the referee has said it.
    allotted: Option<Duration>,
    /// How many plies each command has made that can be undone: none for a pass after the end, two with
    /// a pass that was left out.
    history: Vec<u8>,
    /// Whether the agent thinks on between its move and the next command.
    ponders: bool,
}

/// What one command led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The whole answer with its frame.
    pub text: String,
    /// Whether the session is over.
    pub quit: bool,
}

type Answer = Result<String, Refusal>;

impl Gtp {
    /// A player of this game from this start; `to_move` is the letter of the side that begins. Without
    /// `coordinates` each game has those that its players expect.
    ///
    /// # Errors
    /// If the game is not for two, cannot begin there, its cells have no names in this protocol, or there
    /// is no such agent for it.
    pub fn new(
        variant: Variant,
        start: &Start,
        to_move: Option<char>,
        coordinates: Option<Coordinates>,
        spec: AgentSpec,
        resources: Resources,
        seed: u64,
    ) -> Result<Self, Refusal> {
        let game = AnyGame::open(variant, start, to_move).map_err(Refusal::new)?;
        let grid = named_grid(&game, coordinates)?;
        // Nothing is asked that would send events.
        let (mut session, _) = Host::new(resources).session(seed);
        session.open(game)?;
        session.prepare(&spec).map_err(Refusal::new)?;
        Ok(Self {
            session,
            grid,
            coordinates,
            spec,
            seed,
            random: Random::new(seed),
            clocks: Clocks::default(),
            allotted: None,
            history: Vec::new(),
            ponders: false,
        })
    }

    /// Lets the agent think on after its moves, until the next command.
    #[must_use]
    pub fn pondering(self, ponders: bool) -> Self {
        Self { ponders, ..self }
    }

    /// Answers commands until `quit` or the end of the input.
    ///
    /// # Errors
    /// If reading or writing fails.
    pub fn run(&mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        while let Some(line) = next_line(&mut input)? {
            let response = match line {
                InputLine::Text(line) => self.respond(&line),
                InputLine::TooLong => Some(Response {
                    text: format!("? a line is longer than {LONGEST} bytes\n\n"),
                    quit: false,
                }),
            };
            if let Some(response) = response {
                output.write_all(response.text.as_bytes())?;
                output.flush()?;
                if response.quit {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Answers one line; a line without a command has no answer.
    pub fn respond(&mut self, line: &str) -> Option<Response> {
        // The protocol's own rules: tabs are blanks, and there are no other control characters.
        let line: String = line
            .replace('\t', " ")
            .chars()
            .filter(|letter| !letter.is_control())
            .collect();
        let holes = line
            .split_whitespace()
            .take(2)
            .any(|word| word == "upstar-game");
        let line = match line.split_once('#') {
            Some((before, _)) if !holes => before,
            _ => &line[..],
        };
        let mut words = line.split_whitespace().peekable();
        let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
        let id = words.next_if(is_number).unwrap_or_default();
        let command = match words.next() {
            Some(command) => command,
            None if id.is_empty() => return None,
            None => "",
        };
        let arguments: Vec<&str> = words.collect();
        // Whatever the agent ponders it knows by now.
        self.session.end_jobs();
        let (sign, text) = match self.obey(command, &arguments) {
            Ok(text) => ('=', text),
            // What another program said may have several lines.
            Err(Refusal(sentence)) => ('?', sentence.replace(['\r', '\n'], " ")),
        };
        let blank = if text.is_empty() || text.starts_with('\n') {
            ""
        } else {
            " "
        };
        Some(Response {
            text: format!("{sign}{id}{blank}{text}\n\n"),
            quit: command == "quit",
        })
    }

    fn obey(&mut self, command: &str, arguments: &[&str]) -> Answer {
        let done = Ok(String::new());
        match (command, arguments) {
            ("protocol_version", _) => Ok("2".to_owned()),
            ("name", _) => Ok("Upstar".to_owned()),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            ("known_command", [name, ..]) => Ok(COMMANDS.contains(name).to_string()),
            ("known_command", []) => Ok("false".to_owned()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("quit", _) => done,
            ("boardsize", [size]) => self.resize(size, size),
            ("boardsize", [rows, cols]) => self.resize(rows, cols),
            ("clear_board", _) => self.clear(),
            ("komi", [number]) if number.parse::<f64>().is_ok() => done,
            ("play", [color, name]) => self.play(color_named(color)?, name),
            ("genmove", [color]) => self.generate(color_named(color)?),
            ("reg_genmove", [color]) => self.suggest(color_named(color)?),
            ("undo", _) => self.undo(),
            ("showboard", _) => Ok(drawing::board(self.game(), &self.grid, self.coordinates())),
            ("time_settings", [main, byo, stones]) => {
                let (main, byo, stones) = (seconds(main)?, seconds(byo)?, number(stones)?);
                self.clocks.set(main, byo, stones);
                done
            }
            ("time_left", [color, time, stones]) => {
                let color = color_named(color)?;
                self.clocks.correct(color, seconds(time)?, number(stones)?);
                done
            }
            ("final_score", _) => match self.game().result().map(score) {
                Some(score) => Ok(difference(score)),
                None => refused("cannot score"),
            },
            ("upstar-game", [game, position]) => self.begin(game, position, None),
            ("upstar-game", [game, position, side]) => self.begin(game, position, Some(side)),
            ("upstar-time", [time]) => {
                self.allotted = Some(milliseconds(time)?);
                done
            }
            ("upstar-coordinates", [name]) => {
                let coordinates = Some(name.parse().map_err(Refusal::new)?);
                self.grid = named_grid(self.game(), coordinates)?;
                self.coordinates = coordinates;
                done
            }
            ("upstar-moves", _) => {
                let legal = self.game().legal().into_iter();
                Ok(legal
                    .map(|mv| self.written(&mv))
                    .collect::<Vec<_>>()
                    .join(" "))
            }
            ("upstar-solve", []) => self.solve(PATIENCE),
            ("upstar-solve", [time]) => self.solve(seconds(time)?),
            (known, _) if COMMANDS.contains(&known) => {
                Err(Refusal(format!("syntax error: right is {}", right(known))))
            }
            _ => refused("unknown command"),
        }
    }
}
