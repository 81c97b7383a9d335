//! A run: a block of games at a time, each ending with a line of results and a checkpoint.

mod evaluation;
mod lessons;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use upstar_agents::{Agent, AgentSpec, Resources};
use upstar_arena::Book;
use upstar_games::{Color, Random};
use upstar_jobs::Budget;
use upstar_nets::deep::DeepNetwork;
use upstar_nets::{Adam, Network};
use upstar_runs::{Kind, Manifest};

use crate::config::{Config, Method, Teacher};
use crate::examples::{Example, solved};
use crate::folder::{
    CONFIG, Checkpoints as _, Checksums, RESULTS, RunError, RunFolder, State, checksum_of,
};
use crate::gather::Solvers;
use crate::learner::{Block, Seat};
use crate::recorded::Recorded;
use crate::student::{Learnable, Student};
use crate::training_set::TrainingSet;

/// Makes agents of specifications; an error is a sentence.
pub type Opponents<'a, G> = &'a mut dyn FnMut(&str) -> Result<Box<dyn Agent<G>>, String>;

/// The most positions of a board that brute force is asked to solve.
const MOST_EXAMPLES: usize = 3_000_000;

/// Examples between two looks at whether to go on.
const BUNDLE: usize = 256;

fn no_agent(key: &str, reason: &str) -> RunError {
    RunError {
        sentence: format!("{key}: {reason}"),
        example: Some(format!("{key} = \"random\"")),
    }
}

/// Learning under way.
pub struct Run<G: Learnable> {
    game: G,
    start: G::Position,
    /// Where games begin.
    book: Book<G>,
    /// Recorded games, which come first.
    recorded: Recorded<G::Position>,
    config: Config,
    folder: RunFolder,
    state: State,
    students: Vec<Student<G>>,
    /// The opponent; where there are several, they are for evaluations on several threads.
    agents: Vec<Box<dyn Agent<G>>>,
    /// Who is played in evaluations, if not the opponent.
    examiners: Vec<Box<dyn Agent<G>>>,
    examples: Vec<Example<G::Position>>,
    /// Results of best play for Black, if the error is asked for.
    results: Option<HashMap<G::Position, i32>>,
    /// What was seen so far, where the training set grows.
    training_set: TrainingSet<G::Position>,
    /// Made when they are first needed.
    solvers: Option<Solvers<G>>,
    threads: usize,
    /// What the solvers may use.
    resources: Resources,
    budget: Budget,
    /// Somebody said stop within a block, which is thrown away.
    stopped: bool,
    /// Nobody will resume it.
    fleeting: bool,
}

/// Copies of an agent for so many threads.
fn agents<G: Learnable>(
    opponents: Opponents<'_, G>,
    key: &str,
    spec: &str,
    threads: usize,
) -> Result<Vec<Box<dyn Agent<G>>>, RunError> {
    let first = opponents(spec).map_err(|reason| no_agent(key, &reason))?;
    // Those that need much memory, or another program, are there once.
    let heavy = ["solver", "engine", "az"];
    let copies = match heavy.iter().any(|name| spec.starts_with(name)) {
        true => 0,
        false => threads - 1,
    };
    let copies = (0..copies).map_while(|_| opponents(spec).ok());
    Ok([first].into_iter().chain(copies).collect())
}

/// The checksums of the networks that agents play with, and of recorded games.
fn files_of(config: &Config) -> Result<Checksums, RunError> {
    let words = [
        Some(&config.opponent.agent),
        config.evaluation_agent.as_ref(),
    ];
    let words = words.into_iter().flatten();
    let files = words.filter_map(|spec| Some(spec.parse::<AgentSpec>().ok()?.file()?.to_owned()));
    let files = files.chain(config.records.iter().map(PathBuf::from));
    let known = files.map(|file| Ok((file.display().to_string(), checksum_of(&file)?)));
    known.collect()
}

/// All positions of the board, solved.
fn examples<G: Learnable>(
    config: &Config,
    game: &G,
    start: &G::Position,
    key: &str,
) -> Result<Vec<Example<G::Position>>, RunError> {
    let why = match solved(game, start, MOST_EXAMPLES) {
        Some(examples) if examples.is_empty() => "ends before the first move".to_owned(),
        Some(examples) => return Ok(examples),
        None => format!("has more than {MOST_EXAMPLES} positions, too many to solve them all"),
    };
    Err(RunError {
        sentence: format!("{key}: {} {} {why}", config.game, config.board),
        example: Some("board = \"4x4\"".to_owned()),
    })
}

impl<G: Learnable> Run<G> {
    /// Begins a run in a new folder. `config` is the text of the configuration, `file` its name in
    /// messages; `game` and `start` must be what it names.
    ///
    /// # Errors
    /// If the configuration or the folder is not good for it.
    pub fn create(
        folder: &Path,
        config: &str,
        file: &str,
        game: G,
        start: G::Position,
        opponents: Opponents<'_, G>,
    ) -> Result<Self, RunError> {
        let parsed = Config::parse(config, file)?;
        // All that can go wrong does so before there is a folder.
        let made = Self::new_networks(&parsed).and_then(|networks| {
            let folder = RunFolder::look(folder)?;
            Self::made(parsed, folder, game, start, networks, opponents)
        });
        let mut run = made.map_err(|error| error.in_file(file))?;
        let files = files_of(&run.config)?;
        let manifest = Manifest::new(Kind::Train).with_seed(run.config.seed);
        run.folder = RunFolder::create(folder, manifest.with_files(files), config)?;
        run.checkpoint(None)?;
        Ok(run)
    }

    /// Goes on with the run in this folder.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn resume(
        path: &Path,
        game: G,
        start: G::Position,
        opponents: Opponents<'_, G>,
    ) -> Result<Self, RunError> {
        let folder = RunFolder::open(path)?;
        let text = folder.read_text(CONFIG)?;
        folder.check_config(&text)?;
        let config = Config::parse(&text, &folder.path(CONFIG).display().to_string())?;
        folder.check_files(&files_of(&config)?)?;
        let Some((state, _)) = folder.state::<State>()? else {
            folder.check_fresh()?;
            let networks = Self::new_networks(&config)?;
            let run = Self::made(config, folder, game, start, networks, opponents)?;
            run.checkpoint(None)?;
            return Ok(run);
        };
        folder.cut(RESULTS, state.lines)?;
        let numbers = 0..Self::count(&config);
        let networks = numbers.map(|number| folder.network(state.games, number));
        let networks = networks.collect::<Result<Vec<Network>, RunError>>()?;
        let mut run = Self::made(config, folder, game, start, networks, opponents)?;
        run.state = state;
        if run.config.learning.growing_set {
            run.training_set = TrainingSet::read(&run.game, &run.folder, state.examples)?;
        }
        for (number, student) in run.students.iter_mut().enumerate() {
            if run.config.learning.method == Method::Adam {
                let numbers = run.folder.adam(state.games, number)?;
                let adam = Student::<G>::adam(&student.network, &run.config.learning);
                let sentence =
                    || RunError::of("the state of adam does not fit the network".to_owned());
                student.adam = Some(adam.with_state(&numbers).ok_or_else(sentence)?);
            }
        }
        Ok(run)
    }

    fn count(config: &Config) -> usize {
        if config.teacher() == Teacher::Network {
            2
        } else {
            1
        }
    }

    fn new_networks(config: &Config) -> Result<Vec<Network>, RunError> {
        let (shape, graph) = (config.shape(), config.graph());
        let started = |key: &str, file: &Option<String>| -> Result<Option<Network>, RunError> {
            let Some(file) = file else {
                return Ok(None);
            };
            let network = Network::load(Path::new(file)).map_err(|error| {
                let reason = match DeepNetwork::load(Path::new(file)) {
                    Ok(_) => "this is a large network, and not of this kind".to_owned(),
                    Err(_) => error.to_string(),
                };
                RunError::of(format!("{key}, {file}: {reason}"))
            })?;
            if *network.shape() == shape && network.graph() != graph.as_ref() {
                return Err(RunError::of(format!(
                    "{key}: {file} is a network for another graph"
                )));
            }
            if *network.shape() != shape {
                return Err(RunError {
                    sentence: format!(
                        "{key}: {file} is a network {}, and the configuration asks for one {shape}",
                        network.shape()
                    ),
                    example: Some(format!(
                        "{key} = \"network.safetensors\", made by the same sections"
                    )),
                });
            }
            Ok(Some(network))
        };
        let first = started("network.start", &config.network.start)?;
        let second = started("network.start_o", &config.network.start_o)?;
        let networks = (0..Self::count(config)).map(|number| {
            let own = if number == 1 { second.as_ref() } else { None };
            own.or(first.as_ref()).cloned().unwrap_or_else(|| {
                let seed = config.seed.wrapping_add(number as u64);
                let mut random = Random::new(seed);
                let network = Network::new(shape.clone(), config.network.initial, &mut random);
                match &graph {
                    Some(graph) => network.for_graph(graph.clone()),
                    None => network,
                }
            })
        });
        Ok(networks.collect())
    }

    fn made(
        config: Config,
        folder: RunFolder,
        game: G,
        start: G::Position,
        networks: Vec<Network>,
        opponents: Opponents<'_, G>,
    ) -> Result<Self, RunError> {
        // Openings may repeat: what is learned at one may be another thing each time.
        let book = Book::new(&game, &start, &config.openings.openings(), config.seed, 0)
            .map_err(|error| RunError::of(error.to_string()))?;
        let recorded = Recorded::read(&config, &game, &start)?;
        let students = networks
            .into_iter()
            .map(|network| Student::new(network, &game, &start, &config.learning));
        let students = students
            .collect::<Result<Vec<Student<G>>, _>>()
            .map_err(|error| RunError::of(error.to_string()))?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let teacher = config.teacher();
        // Only evaluations need several.
        let copies = match (config.evaluation, &config.evaluation_agent) {
            (0, _) => [1, 1],
            (_, None) => [threads, 1],
            (_, Some(_)) => [1, threads],
        };
        let opponent = match &teacher {
            Teacher::Agent(spec) => agents(opponents, "opponent.agent", spec, copies[0])?,
            _ => Vec::new(),
        };
        let examiners = match &config.evaluation_agent {
            Some(spec) => agents(opponents, "evaluation_agent", spec, copies[1])?,
            None => Vec::new(),
        };
        let examples = match teacher {
            Teacher::Examples => examples(&config, &game, &start, "opponent.agent")?,
            _ => Vec::new(),
        };
        let results = match config.exact_error {
            true => {
                let examples = self::examples(&config, &game, &start, "exact_error")?.into_iter();
                let known = examples.map(|example| (example.position, example.black_score));
                Some(known.collect())
            }
            false => None,
        };
        Ok(Self {
            game,
            start,
            book,
            recorded,
            config,
            folder,
            state: State {
                games: 0,
                evaluated: false,
                lines: 0,
                examples: 0,
                micros: 0,
            },
            students,
            agents: opponent,
            examiners,
            examples,
            results,
            training_set: TrainingSet::default(),
            solvers: None,
            threads,
            resources: Resources::default(),
            budget: Budget::unlimited(),
            stopped: false,
            fleeting: false,
        })
    }

    /// The same run with so many threads for games, one at least; without it, as many as the machine
    /// has. What is learned does not depend on them.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self.solvers = None;
        self
    }

    /// The same run, whose solvers take memory, threads and value tables from these resources. What is
    /// learned does not depend on them.
    #[must_use]
    pub fn with_resources(mut self, resources: &Resources) -> Self {
        self.resources = resources.clone();
        self.solvers = None;
        self
    }

    /// The same run, which somebody can stop through this budget, in the middle of a block too: what
    /// was learned of that block is thrown away, and the run goes on from before it.
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// The same run without results and checkpoints on the way: only the networks are written, when it is
    /// done. For those who do not resume it, and have blocks so short that they would wait for the disk.
    #[must_use]
    pub fn without_checkpoints(mut self) -> Self {
        self.fleeting = true;
        self
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The games learned so far.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.state.games
    }

    /// Whether all games are learned, or the time for it is over.
    #[must_use]
    pub fn is_learned(&self) -> bool {
        let late = self.time_left().is_some_and(|left| left.is_zero());
        self.state.games >= self.config.games || late
    }

    /// How long it may go on learning, where that is limited.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        let limit = Duration::from_secs_f64(self.config.seconds?);
        Some(limit.saturating_sub(Duration::from_micros(self.state.micros)))
    }

    /// The networks as they are now: one, or one for each colour.
    pub fn networks(&self) -> impl Iterator<Item = &Network> {
        self.students.iter().map(|student| &student.network)
    }

    /// All lines of results so far.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn results(&self) -> Result<Vec<Block>, RunError> {
        Ok(self.folder.lines(RESULTS)?)
    }

    /// Where the networks go when the run is done.
    #[must_use]
    pub fn network_files(&self) -> Vec<PathBuf> {
        match self.students.len() {
            1 => vec![self.folder.path("network.safetensors")],
            _ => ["x", "o"]
                .map(|color| self.folder.path(&format!("network-{color}.safetensors")))
                .to_vec(),
        }
    }

    /// Whether somebody stopped it in the middle of a block.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Learns the next block; after the last one, evaluates. `None` when the run is done, or was
    /// stopped.
    ///
    /// # Errors
    /// If an agent cannot go on or a file cannot be written.
    pub fn step(&mut self) -> Result<Option<Block>, RunError> {
        let evaluating = self.is_learned();
        if self.stopped {
            return Ok(None);
        }
        if evaluating && (self.state.evaluated || self.config.evaluation == 0) {
            return self.finish().map(|()| None);
        }
        let before = self.state;
        let block = if evaluating {
            self.evaluate(self.config.evaluation)?
        } else {
            self.training()?
        };
        let Some(block) = block else {
            self.stopped = true;
            return Ok(None);
        };
        self.state.evaluated = evaluating;
        if self.fleeting {
            return Ok(Some(block));
        }
        self.folder.append(RESULTS, &block)?;
        self.state.lines += 1;
        if self.config.learning.growing_set {
            self.state.examples = self.training_set.log(&self.game, &self.folder)?;
        }
        let keep = self.config.snapshot > 0 && before.games.is_multiple_of(self.config.snapshot);
        self.checkpoint(Some((before, keep)))?;
        Ok(Some(block))
    }

    fn finish(&self) -> Result<(), RunError> {
        for (student, path) in self.students.iter().zip(self.network_files()) {
            student
                .network
                .save(&path)
                .map_err(|error| RunError::io(&path, &error))?;
        }
        Ok(())
    }

    fn checkpoint(&self, before: Option<(State, bool)>) -> Result<(), RunError> {
        let students = self.students.iter();
        let parts =
            students.map(|student| (&student.network, student.adam.as_ref().map(Adam::state)));
        self.folder
            .checkpoint(self.state, before, &parts.collect::<Vec<_>>())
    }

    /// Blocks end where snapshots are due.
    fn block_end(&self) -> u64 {
        let games = self.state.games;
        let next = |every: u64| (games / every + 1) * every;
        let snapshot = match self.config.snapshot {
            0 => u64::MAX,
            every => next(every),
        };
        next(self.config.block).min(snapshot).min(self.config.games)
    }

    fn close(&self, block: &mut Block) {
        let presented = self.students.iter().map(|student| student.presented).sum();
        let live = self.students.iter().map(|student| student.live).sum();
        let finite = self
            .students
            .iter()
            .all(|student| student.network.is_finite());
        block.finish(presented, live, finite);
    }
}

/// Who has which colour in this game of the run.
fn seats(teacher: &Teacher, color: Option<Color>, index: u64) -> [Seat; 2] {
    let both = Color::ALL[(index % 2) as usize];
    match (teacher, color.unwrap_or(both)) {
        (Teacher::Itself, _) => [Seat::Student(0); 2],
        (Teacher::Network, _) => [Seat::Student(0), Seat::Student(1)],
        (_, Color::Black) => [Seat::Student(0), Seat::Agent],
        (_, Color::White) => [Seat::Agent, Seat::Student(0)],
    }
}
