//! Agents as text, the same in every verb, file and protocol: `random`, `mc:50`, `mcts:100ms,c=0.7`.
//!
//! What is written is the canonical specification: only options that differ from their defaults, in one order.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use upstar_games::excerpt;

use crate::agent::Agent;
use crate::alpha_beta::{AlphaBeta, BookChoice};
use crate::best::{Best, BestEffort};
use crate::engine::{Engine, EngineSpec};
use crate::greedy::{Greed, Greedy};
use crate::gtp_names::CoordinatesError;
use crate::monte_carlo::{MonteCarlo, Ties};
use crate::options::{Limit, Options, between, memory, memory_text, truth};
use crate::playable::Playable;
use crate::puct::{AlphaZero, AlphaZeroAgent, DEFAULT, Guidance};
use crate::resources::Resources;
use crate::simple::{PickFirst, RandomMover};
use crate::solver::SolverAgent;
use crate::uct::{FinalChoice, Mcts, MctsAgent};

/// Which agent, with all its options.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentSpec {
    /// `random`: any legal move.
    Random,
    /// `pick-first`: the first legal move.
    PickFirst,
    /// `greedy`, `greedy:discs`, `greedy:moves`: what looks best right after the move. Without a word
    /// of its own, discs in Othello and moves in Clobber.
    Greedy(Option<Greed>),
    /// `mc:50`, `mc:100ms`: flat Monte Carlo, so many playouts for each move.
    MonteCarlo(Limit, Ties),
    /// `mcts:1000`, `mcts:100ms,c=0.7`: Monte Carlo tree search.
    Mcts(Mcts),
    /// `solver`, `solver:1s`, `solver:1000000`: perfect as far as the limit goes.
    Solver(Option<Limit>),
    /// `net:FILE`: a network that judges the position after each move.
    Net(PathBuf),
    /// `az:FILE,sims=400`: tree search led by a network; `az:default` by the one that comes with the
    /// program.
    AlphaZero(AlphaZero),
    /// `ab:8`, `ab:1s`: alpha-beta with a fitted evaluation, for Othello.
    AlphaBeta(AlphaBeta),
    /// `best`, `best:200ms`: the strongest play that there is for the game and board.
    Best(Best),
    /// `human`: somebody at the keyboard.
    Human,
    /// `engine:"COMMAND"`, `engine:"COMMAND",coordinates=go`: another program, over GTP.
    Engine(EngineSpec),
}

/// Examples of all specifications, for an error about another text.
pub const AGENT_EXAMPLES: &str = "random, pick-first, greedy, mc:50, mc:100ms, mcts:1000, mcts:100ms,c=0.7, \
     solver, solver:1s, net:FILE, az:default, az:FILE,sims=400, ab:8, ab:1s, best, best:200ms, human, engine:\"COMMAND\"";

const MC_USAGE: &str = "playouts for each move or a time, and ties=first|random";
const MCTS_USAGE: &str = "simulations or a time, and each=true|false, c=0..100, final=mean|visits, solve=true|false, \
     reuse=true|false, exact=0..64, amaf=0..1000000, threads=1..256, memory=1M..1000G";
const SOLVER_USAGE: &str = "nothing, a time, or a number of positions";
const AZ_USAGE: &str = "the file of a network or default, and sims=1..1000000000000 or time=1s, c=0..100, exact=0..64, batch=1..1024";
const AB_USAGE: &str = "plies from 1 to 60 or a time, and exact=0..64, threads=1..256, memory=1M..1000G, book=none or the file of a book";
const BEST_USAGE: &str = "nothing or a time, or sims=1..1000000000000 and nodes=1..1000000000000, and threads=1..256, memory=1M..1000G";
const MOST_THREADS: usize = 256;
const MOST_BATCH: usize = 1024;
const MOST_AMAF: u32 = 1_000_000;

impl AgentSpec {
    /// The agent for a game.
    ///
    /// # Errors
    /// If there is no such agent for this game, or not enough memory for it.
    pub fn agent<G: Playable>(
        &self,
        game: &G,
        resources: &Resources,
    ) -> Result<Box<dyn Agent<G>>, AgentSpecError> {
        game.agent(self, resources)
    }

    /// The same, compiled for each game by [`Playable::agent`].
    pub(crate) fn seat<G: Playable>(
        &self,
        game: &G,
        resources: &Resources,
    ) -> Result<Box<dyn Agent<G>>, AgentSpecError> {
        Ok(match self {
            Self::Random => Box::new(RandomMover(game.clone())),
            Self::PickFirst => Box::new(PickFirst(game.clone())),
            Self::Greedy(greed) => Box::new(Greedy::new(game, *greed)?),
            Self::MonteCarlo(limit, ties) => Box::new(MonteCarlo::new(game, *limit, *ties)),
            Self::Mcts(options) => Box::new(MctsAgent::new(game, options, resources)?),
            Self::Solver(limit) => Box::new(SolverAgent::new(game, *limit, resources)?),
            Self::Net(file) => game.net_agent(file)?,
            Self::AlphaZero(options) => {
                Box::new(AlphaZeroAgent::new(game.clone(), options, resources)?)
            }
            Self::AlphaBeta(options) => game.alpha_beta(options)?,
            Self::Best(options) => game.best(options, resources)?,
            Self::Human => {
                let sentence = "a human can only play interactively, as in upstar play";
                return Err(AgentSpecError(sentence.to_owned()));
            }
            Self::Engine(spec) => Box::new(Engine::start(game, spec, resources)?),
        })
    }
}

impl AgentSpec {
    /// The file of the network or book that it plays with, if it needs one.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::AlphaBeta(AlphaBeta {
                book: BookChoice::File(file),
                ..
            }) => Some(file),
            Self::Net(file) => Some(file),
            Self::AlphaZero(options) if options.file != Path::new(DEFAULT) => Some(&options.file),
            _ => None,
        }
    }

    /// The checksum of that file as it is now; `None` as well if it cannot be read.
    #[must_use]
    pub fn network_checksum(&self) -> Option<String> {
        upstar_runs::checksum_of(self.file()?).ok()
    }
}

impl FromStr for AgentSpec {
    type Err = AgentSpecError;

    fn from_str(text: &str) -> Result<Self, AgentSpecError> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        match (name, rest) {
            ("random", None) => Ok(Self::Random),
            ("pick-first", None) => Ok(Self::PickFirst),
            ("human", None) => Ok(Self::Human),
            ("random" | "pick-first" | "human", Some(rest)) => {
                let shown = excerpt(rest);
                Err(AgentSpecError(format!(
                    "{name} takes no options, but '{shown}' is given"
                )))
            }
            ("greedy", rest) => match rest {
                None => Ok(Self::Greedy(None)),
                Some("discs") => Ok(Self::Greedy(Some(Greed::Discs))),
                Some("moves") => Ok(Self::Greedy(Some(Greed::Moves))),
                Some(rest) => Err(AgentSpecError(format!(
                    "'{}' is not a goal for greedy; it takes discs or moves, for example greedy:discs",
                    excerpt(rest)
                ))),
            },
            ("mc", rest) => monte_carlo(rest),
            ("mcts", rest) => mcts(rest),
            ("solver", rest) => solver(rest),
            ("net", Some(file)) if !file.is_empty() => Ok(Self::Net(PathBuf::from(file))),
            ("net", _) => Err(AgentSpecError(
                "net takes the file of a network, for example net:6x6.safetensors".to_owned(),
            )),
            ("az", rest) => alpha_zero(rest),
            ("ab", rest) => alpha_beta(rest),
            ("best", rest) => best(rest),
            ("engine", rest) => engine(rest.unwrap_or_default()),
            _ => Err(AgentSpecError(format!(
                "'{}' is not an agent; there are {AGENT_EXAMPLES}",
                excerpt(text)
            ))),
        }
    }
}

fn monte_carlo(rest: Option<&str>) -> Result<AgentSpec, AgentSpecError> {
    let (limit, mut options) = Options::read("mc", MC_USAGE, "mc:50,ties=random", rest)?;
    let limit = options.limit(limit)?;
    let ties = options.take("ties", |text| match text {
        "first" => Some(Ties::First),
        "random" => Some(Ties::Random),
        _ => None,
    })?;
    options.finish()?;
    Ok(AgentSpec::MonteCarlo(limit, ties.unwrap_or_default()))
}

fn mcts(rest: Option<&str>) -> Result<AgentSpec, AgentSpecError> {
    let example = "mcts:1000,c=0.7,solve=true";
    let (limit, mut options) = Options::read("mcts", MCTS_USAGE, example, rest)?;
    let usual = Mcts::new(options.limit(limit)?);
    let final_choice = |text: &str| match text {
        "mean" => Some(FinalChoice::Mean),
        "visits" => Some(FinalChoice::Visits),
        _ => None,
    };
    let spec = Mcts {
        limit: usual.limit,
        each: options.take("each", truth)?.unwrap_or(usual.each),
        c: options.take("c", between(0.0, 100.0))?.unwrap_or(usual.c),
        final_choice: options
            .take("final", final_choice)?
            .unwrap_or(usual.final_choice),
        solve: options.take("solve", truth)?.unwrap_or(usual.solve),
        reuse: options.take("reuse", truth)?.unwrap_or(usual.reuse),
        exact: options
            .take("exact", between(0, 64))?
            .unwrap_or(usual.exact),
        amaf: options
            .take("amaf", between(0, MOST_AMAF))?
            .unwrap_or(usual.amaf),
        threads: options
            .take("threads", between(1, MOST_THREADS))?
            .unwrap_or(usual.threads),
        memory: options.take("memory", memory)?.unwrap_or(usual.memory),
    };
    options.finish()?;
    Ok(AgentSpec::Mcts(spec))
}

fn solver(rest: Option<&str>) -> Result<AgentSpec, AgentSpecError> {
    let (limit, options) = Options::read("solver", SOLVER_USAGE, "solver:1s", rest)?;
    let limit = limit.map(|text| options.limit(Some(text))).transpose()?;
    options.finish()?;
    Ok(AgentSpec::Solver(limit))
}

fn alpha_zero(rest: Option<&str>) -> Result<AgentSpec, AgentSpecError> {
    let (file, mut options) = Options::read("az", AZ_USAGE, "az:default,sims=400", rest)?;
    let file = match file {
        None => DEFAULT,
        Some("") => return Err(options.refused("there is no file")),
        Some(file) => file,
    };
    let usual = AlphaZero::new(PathBuf::from(file));
    let sims = options.take("sims", between(1, Limit::MOST))?;
    let time = options.take("time", |text| match text.parse() {
        Ok(limit @ Limit::Time(_)) => Some(limit),
        _ => None,
    })?;
    let limit = match (sims, time) {
        (Some(_), Some(_)) => {
            return Err(options.refused("both a number of simulations and a time are given"));
        }
        (Some(sims), None) => Limit::Count(sims),
        (None, time) => time.unwrap_or(usual.limit),
    };
    let spec = AlphaZero {
        limit,
        guidance: Guidance {
            c: options
                .take("c", between(0.0, 100.0))?
                .unwrap_or(usual.guidance.c),
            exact: options
                .take("exact", between(0, 64))?
                .unwrap_or(usual.guidance.exact),
        },
        batch: options
            .take("batch", between(1, MOST_BATCH))?
            .unwrap_or(usual.batch),
        ..usual
    };
    options.finish()?;
    Ok(AgentSpec::AlphaZero(spec))
}

fn alpha_beta(rest: Option<&str>) -> Result<AgentSpec, AgentSpecError> {
    let (limit, mut options) = Options::read("ab", AB_USAGE, "ab:8,exact=20", rest)?;
    let limit = options.limit(limit)?;
    if matches!(limit, Limit::Count(plies) if plies > AlphaBeta::MOST_PLIES) {
        return Err(options.refused(&format!("{limit} plies are too many")));
    }
    let usual = AlphaBeta::new(limit);
    let spec = AlphaBeta {
        exact: options.take("exact", between(0, 64))?,
        threads: options
            .take("threads", between(1, MOST_THREADS))?
            .unwrap_or(usual.threads),
        memory: options.take("memory", memory)?.unwrap_or(usual.memory),
        book: options.take("book", book)?.unwrap_or(usual.book),
        ..usual
    };
    options.finish()?;
    Ok(AgentSpec::AlphaBeta(spec))
}

fn book(text: &str) -> Option<BookChoice> {
    match text {
        "" => None,
        "default" => Some(BookChoice::Shipped),
        "none" => Some(BookChoice::None),
        file => Some(BookChoice::File(PathBuf::from(file))),
    }
}

fn best(rest: Option<&str>) -> Result<AgentSpec, AgentSpecError> {
    let (time, mut options) = Options::read("best", BEST_USAGE, "best:1s,threads=2", rest)?;
    let usual = Best::default();
    let time = match time.map(|text| options.limit(Some(text))).transpose()? {
        Some(Limit::Count(_)) => return Err(options.refused("a number alone is not a limit")),
        time => time.and_then(Limit::time),
    };
    let [simulations, nodes] =
        ["sims", "nodes"].map(|name| options.take(name, between(1, Limit::MOST)));
    let (simulations, nodes) = (simulations?, nodes?);
    let threads = options.take("threads", between(1, MOST_THREADS))?;
    let effort = match (time, simulations.or(nodes)) {
        (Some(_), Some(_)) => {
            return Err(options.refused("a time and numbers cannot be used together"));
        }
        (None, Some(_)) if threads.is_some() => {
            return Err(options.refused("threads and numbers cannot be used together"));
        }
        (None, Some(_)) => BestEffort::Work {
            simulations: simulations.unwrap_or(Best::SIMULATIONS),
            nodes: nodes.unwrap_or(Best::NODES),
        },
        (time, None) => time.map_or(usual.effort, BestEffort::Time),
    };
    let spec = Best {
        effort,
        threads: threads.unwrap_or(usual.threads),
        memory: options.take("memory", memory)?.unwrap_or(usual.memory),
    };
    options.finish()?;
    Ok(AgentSpec::Best(spec))
}

/// A command, bare or in double quotes; within quotes `\"` is a quote and `\\` a backslash. Options
/// follow the closing quote.
fn engine(text: &str) -> Result<AgentSpec, AgentSpecError> {
    let refused = |what: &str| {
        let shown = excerpt(text);
        AgentSpecError(format!(
            "{what} in '{shown}'; engine takes a command, for example engine:\"upstar gtp\""
        ))
    };
    let mut coordinates = None;
    let command = match text.strip_prefix('"') {
        None => text.to_owned(),
        Some(quoted) => {
            let mut command = String::new();
            let mut letters = quoted.chars();
            loop {
                match letters.next() {
                    Some('\\') => command.extend(letters.next()),
                    Some('"') => break,
                    Some(letter) => command.push(letter),
                    None => return Err(refused("a quote is not closed")),
                }
            }
            if let Some(name) = letters.as_str().strip_prefix(",coordinates=") {
                let read = name.parse();
                coordinates =
                    Some(read.map_err(|error: CoordinatesError| refused(&error.to_string()))?);
            } else if !letters.as_str().is_empty() {
                return Err(refused(
                    "only ,coordinates=go or ,coordinates=own may follow the closing quote",
                ));
            }
            command
        }
    };
    if command.trim().is_empty() {
        return Err(refused("there is no command"));
    }
    Ok(AgentSpec::Engine(EngineSpec {
        command,
        coordinates,
    }))
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => write!(f, "random"),
            Self::PickFirst => write!(f, "pick-first"),
            Self::Greedy(None) => write!(f, "greedy"),
            Self::Greedy(Some(Greed::Discs)) => write!(f, "greedy:discs"),
            Self::Greedy(Some(Greed::Moves)) => write!(f, "greedy:moves"),
            Self::MonteCarlo(limit, Ties::First) => write!(f, "mc:{limit}"),
            Self::MonteCarlo(limit, Ties::Random) => write!(f, "mc:{limit},ties=random"),
            Self::Mcts(options) => options.fmt(f),
            Self::Solver(None) => write!(f, "solver"),
            Self::Solver(Some(limit)) => write!(f, "solver:{limit}"),
            Self::Net(file) => write!(f, "net:{}", file.display()),
            Self::AlphaZero(options) => options.fmt(f),
            Self::AlphaBeta(options) => options.fmt(f),
            Self::Best(options) => options.fmt(f),
            Self::Human => write!(f, "human"),
            Self::Engine(spec) => {
                let escaped = spec.command.replace('\\', "\\\\").replace('"', "\\\"");
                write!(f, "engine:\"{escaped}\"")?;
                match spec.coordinates {
                    Some(coordinates) => write!(f, ",coordinates={coordinates}"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl fmt::Display for Mcts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::new(self.limit);
        write!(f, "mcts:{}", self.limit)?;
        let mut option = |differs: bool, name: &str, value: &dyn fmt::Display| {
            if differs {
                write!(f, ",{name}={value}")
            } else {
                Ok(())
            }
        };
        option(self.each != usual.each, "each", &self.each)?;
        option(self.c != usual.c, "c", &self.c)?;
        let choice = match self.final_choice {
            FinalChoice::Mean => "mean",
            FinalChoice::Visits => "visits",
        };
        option(self.final_choice != usual.final_choice, "final", &choice)?;
        option(self.solve != usual.solve, "solve", &self.solve)?;
        option(self.reuse != usual.reuse, "reuse", &self.reuse)?;
        option(self.exact != usual.exact, "exact", &self.exact)?;
        option(self.amaf != usual.amaf, "amaf", &self.amaf)?;
        option(self.threads != usual.threads, "threads", &self.threads)?;
        let memory = memory_text(self.memory);
        option(self.memory != usual.memory, "memory", &memory)
    }
}

impl fmt::Display for AlphaBeta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::new(self.limit);
        write!(f, "ab:{}", self.limit)?;
        if let Some(exact) = self.exact {
            write!(f, ",exact={exact}")?;
        }
        if self.threads != usual.threads {
            write!(f, ",threads={}", self.threads)?;
        }
        if self.memory != usual.memory {
            write!(f, ",memory={}", memory_text(self.memory))?;
        }
        match &self.book {
            BookChoice::Shipped => Ok(()),
            BookChoice::None => write!(f, ",book=none"),
            BookChoice::File(file) => write!(f, ",book={}", file.display()),
        }
    }
}

/// Why a specification names no agent, or none for this game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AgentSpecError(pub String);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, canonical: &str) {
        let spec: AgentSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), canonical);
        assert_eq!(canonical.parse(), Ok(spec));
    }

    #[test]
    fn words_are_written_in_one_way() {
        for spec in [
            "random",
            "pick-first",
            "greedy",
            "greedy:moves",
            "mc:50",
            "mc:100ms,ties=random",
            "mcts:1000",
            "mcts:2s,each=true,c=0.7,final=visits,reuse=true,exact=12,amaf=300,threads=2,memory=64M",
            "solver",
            "solver:1s",
            "solver:1000000",
            "az:default",
            "az:6x6.safetensors",
            "az:6x6.safetensors,sims=400,c=2,exact=12,batch=1",
            "az:6x6.safetensors,time=2s",
            "az:/a=b/6x6.safetensors,sims=400",
            "az:./a=b",
            "ab:8",
            "ab:1s,exact=20,threads=2,memory=128M",
            "ab:8,book=none",
            "ab:8,book=books/a=b.book",
            "best",
            "best:200ms,threads=1,memory=128M",
            "best:sims=10,nodes=2000",
            "human",
            "engine:\"my engine --level 3\"",
            "engine:\"edax\",coordinates=go",
        ] {
            check(spec, spec);
        }
        check("mc:1.5s,ties=first", "mc:1500ms");
        check("mcts:60000ms,threads=1,c=1", "mcts:60s,c=1");
        check("mcts:10,memory=0.5G", "mcts:10,memory=512M");
        check("az:a,exact=0,sims=200", "az:a");
        check("ab:8,memory=64M,threads=1", "ab:8");
        check("best:1s,threads=2", "best");
        check("best:nodes=9", "best:sims=400,nodes=9");
        check("best:sims=9", "best:sims=9,nodes=200000");
        check("az", "az:default");
        check("az:sims=400", "az:default,sims=400");
        check("engine:gnugo --mode gtp", "engine:\"gnugo --mode gtp\"");
    }

    fn refused(text: &str, parts: &[&str]) {
        let sentence = text.parse::<AgentSpec>().unwrap_err().to_string();
        for part in parts {
            assert!(sentence.contains(part), "{text}: {sentence}");
        }
    }

    #[test]
    fn refusals_say_what_would_be_right() {
        refused(
            "alphabeta",
            &["'alphabeta' is not an agent", AGENT_EXAMPLES],
        );
        refused("", &["'' is not an agent"]);
        refused("ab", &["ab:8,exact=20"]);
        refused("ab:61", &["61 plies are too many", "plies from 1 to 60"]);
        refused("ab:8,depth=3", &["depth", "exact=0..64"]);
        refused(
            "best:100",
            &["a number alone is not a limit", "best:1s,threads=2"],
        );
        refused("best:soon", &["'soon'", "best:1s,threads=2"]);
        refused("best:", &["'' is not a limit"]);
        refused("best:1s,sims=9", &["cannot be used together"]);
        refused("best:sims=9,threads=2", &["cannot be used together"]);
        refused(
            "best:sims=0",
            &["'0' is not a valid value of the option sims"],
        );
        refused(
            "best:1s,exact=3",
            &["there is no option 'exact'", "memory=1M"],
        );
        refused("Random", &["'Random' is not an agent"]);
        refused("random:3", &["random takes no options", "'3'"]);
        refused("greedy:stones", &["greedy:discs"]);
        refused("mc", &["mc needs a limit", "mc:50,ties=random"]);
        for limit in [
            "0",
            "-5",
            "0ms",
            "-1s",
            "1e300s",
            "99999999999999999999",
            "25h",
            "x",
            "1000000000001",
        ] {
            refused(
                &format!("mcts:{limit}"),
                &[limit, "from 1 to 1000000000000", "24h", "100ms"],
            );
        }
        refused("mcts:NaNs", &["is not a limit"]);
        refused(
            "mcts:100,c=-1",
            &[
                "'-1' is not a valid value of the option c",
                "c=0..100",
                "mcts:1000,c=0.7",
            ],
        );
        refused("mcts:100,c=NaN", &["'NaN' is not a valid value"]);
        refused("mcts:100,C=1", &["there is no option 'C'", "amaf="]);
        refused("mcts:100,threads=0", &["threads=1..256"]);
        refused("mcts:100,memory=1", &["memory=1M..1000G"]);
        refused("mcts:100,solve=yes", &["solve=true|false"]);
        refused("mcts:100,c=1,c=1", &["'c' is given twice"]);
        refused("mcts:c=1", &["mcts needs a limit"]);
        refused("mcts:100,200", &["'200' is not an option"]);
        refused("solver:soon", &["'soon'", "solver:1s"]);
        refused("solver:1s,threads=2", &["there is no option 'threads'"]);
        refused("az:", &["there is no file", "az:default,sims=400"]);
        refused(
            "az:a,sims=0",
            &["'0' is not a valid value of the option sims"],
        );
        refused("az:a,sims=9,time=1s", &["both"]);
        refused(
            "az:a,time=9",
            &["'9' is not a valid value of the option time"],
        );
        refused("engine", &["no command", "engine:\"upstar gtp\""]);
        refused("engine:\"x", &["not closed"]);
        refused("engine:\"x\" y", &["may follow the closing quote"]);
        refused(&"m".repeat(5000), &["…"]);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".{0,40}") {
            if let Ok(spec) = text.parse::<AgentSpec>() {
                prop_assert_eq!(spec.to_string().parse(), Ok(spec));
            }
        }

        #[test]
        fn what_is_written_is_read(
            count in 1..Limit::MOST, millis in 1..86_400_000u64, timed: bool,
            c in 0.0..100.0f64, flags: [bool; 4], exact in 0..=64u32, amaf in 0..=MOST_AMAF,
            threads in 1..=MOST_THREADS, kilobytes in 1024..1_000_000usize, command in "\\PC{1,20}",
        ) {
            let limit = if timed {
                Limit::Time(std::time::Duration::from_millis(millis))
            } else {
                Limit::Count(count)
            };
            let [solve, reuse, visits, each] = flags;
            let mcts = Mcts {
                limit, each, c, solve, reuse, exact, amaf, threads, memory: kilobytes << 10,
                final_choice: if visits { FinalChoice::Visits } else { FinalChoice::Mean },
            };
            let ties = if solve { Ties::First } else { Ties::Random };
            for spec in [AgentSpec::Mcts(mcts), AgentSpec::MonteCarlo(limit, ties), AgentSpec::Solver(Some(limit))] {
                prop_assert_eq!(spec.to_string().parse(), Ok(spec));
            }
            if !command.trim().is_empty() {
                let spec = AgentSpec::Engine(EngineSpec::new(command));
                prop_assert_eq!(spec.to_string().parse(), Ok(spec));
            }
        }
    }
}
