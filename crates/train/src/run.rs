//! A run: a block of games at a time, each ending with a line of results and a checkpoint.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use upstar_agents::Agent;
use upstar_games::{Color, Random};
use upstar_nets::{Adam, Network};

use crate::config::{Config, Method, Teacher};
use crate::examples::{Example, solved};
use crate::folder::{CONFIG, Folder, RunError, State};
use crate::gather::{Solvers, gather};
use crate::learner::{Block, Seat, Table};
use crate::student::{Learnable, Student};

/// Makes agents of words; an error is a sentence.
pub type Opponents<'a, G> = &'a mut dyn FnMut(&str) -> Result<Box<dyn Agent<G>>, String>;

/// The most positions of a board that is learned from examples.
const MOST_EXAMPLES: usize = 20_000_000;

/// After a block of the fast way, the games in which opinions are counted: none that is learned from.
const OPINION_GAMES: std::ops::Range<u64> = 1 << 62..(1 << 62) + 16;

/// The games of an evaluation whose moves are compared with exact results: enough to tell.
const LOOKED_AT: u64 = 2000;

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
    config: Config,
    folder: Folder,
    state: State,
    students: Vec<Student<G>>,
    agent: Option<Box<dyn Agent<G>>>,
    /// Who is played in evaluations, if not the opponent.
    examiner: Option<Box<dyn Agent<G>>>,
    examples: Vec<Example<G::Position>>,
    /// Made when they are first needed.
    solvers: Option<Solvers<G>>,
    threads: usize,
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
        let networks = Self::new_networks(&parsed)?;
        let mut run = Self::made(
            parsed,
            Folder::named(folder),
            game,
            start,
            networks,
            opponents,
        )?;
        run.folder = Folder::create(folder, config, run.config.seed)?;
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
        let folder = Folder::open(path)?;
        let text = folder.read_text(CONFIG)?;
        let config = Config::parse(&text, &folder.path(CONFIG).display().to_string())?;
        let Some(state) = folder.state()? else {
            let networks = Self::new_networks(&config)?;
            let run = Self::made(config, folder, game, start, networks, opponents)?;
            run.checkpoint(None)?;
            return Ok(run);
        };
        folder.cut(state.lines)?;
        let numbers = 0..Self::count(&config);
        let networks = numbers.map(|number| folder.network(state.games, number));
        let networks = networks.collect::<Result<Vec<Network>, RunError>>()?;
        let mut run = Self::made(config, folder, game, start, networks, opponents)?;
        run.state = state;
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
        let shape = config.shape();
        let started = match &config.network.start {
            None => None,
            Some(file) => {
                let network = Network::load(Path::new(file))
                    .map_err(|error| RunError::of(format!("network.start, {file}: {error}")))?;
                if *network.shape() != shape {
                    return Err(RunError::of(format!(
                        "network.start, {file}: this network has another shape than the configuration says"
                    )));
                }
                Some(network)
            }
        };
        let networks = (0..Self::count(config)).map(|number| match &started {
            Some(network) => network.clone(),
            None => {
                let seed = config.seed.wrapping_add(number as u64);
                Network::new(
                    shape.clone(),
                    config.network.initial,
                    &mut Random::new(seed),
                )
            }
        });
        Ok(networks.collect())
    }

    fn made(
        config: Config,
        folder: Folder,
        game: G,
        start: G::Position,
        networks: Vec<Network>,
        opponents: Opponents<'_, G>,
    ) -> Result<Self, RunError> {
        let students = networks
            .into_iter()
            .map(|network| Student::new(network, &game, &start, &config.learning));
        let students = students
            .collect::<Result<Vec<Student<G>>, _>>()
            .map_err(|error| RunError::of(error.to_string()))?;
        let teacher = config.teacher();
        let agent = match &teacher {
            Teacher::Agent(word) => {
                Some(opponents(word).map_err(|reason| no_agent("opponent.agent", &reason))?)
            }
            _ => None,
        };
        let examiner = match &config.evaluation_agent {
            Some(word) => {
                let wrong = |reason: String| no_agent("evaluation_agent", &reason);
                Some(opponents(word).map_err(wrong)?)
            }
            None => None,
        };
        let examples = if teacher == Teacher::Examples {
            solved(&game, &start, MOST_EXAMPLES).ok_or_else(|| {
                RunError::of(format!(
                    "opponent.agent: {} {} has more than {MOST_EXAMPLES} positions, too many for examples",
                    config.game, config.board
                ))
            })?
        } else {
            Vec::new()
        };
        Ok(Self {
            game,
            start,
            config,
            folder,
            state: State {
                games: 0,
                evaluated: false,
                lines: 0,
            },
            students,
            agent,
            examiner,
            examples,
            solvers: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
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

    /// Whether all games are learned.
    #[must_use]
    pub fn is_learned(&self) -> bool {
        self.state.games >= self.config.games
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
        self.folder.results()
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

    /// Learns the next block; after the last one, evaluates. `None` when the run is done.
    ///
    /// # Errors
    /// If an agent cannot go on or a file cannot be written.
    pub fn step(&mut self) -> Result<Option<Block>, RunError> {
        let evaluating = self.is_learned();
        if evaluating && (self.state.evaluated || self.config.evaluation == 0) {
            return self.finish().map(|()| None);
        }
        let before = self.state;
        let block = if evaluating {
            self.state.evaluated = true;
            self.evaluate(self.config.evaluation)?
        } else {
            self.training()?
        };
        self.folder.add(&block)?;
        self.state.lines += 1;
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

    fn training(&mut self) -> Result<Block, RunError> {
        let (first, end) = (self.state.games, self.block_end());
        let mut block = Block {
            phase: "training".to_owned(),
            games: end,
            ..Block::default()
        };
        for student in &mut self.students {
            (student.presented, student.live) = (0, 0);
        }
        if self.config.teacher() == Teacher::Examples {
            self.present(first, end, &mut block);
        } else if self.config.learning.passes > 0 {
            self.learn_in_passes(first, end, &mut block)?;
        } else {
            self.play(first, end, true, &mut block)?;
        }
        let rate = self.config.rate(end);
        for student in &mut self.students {
            student.step(self.config.learning.batch, rate, true);
        }
        self.state.games = end;
        self.close(&mut block);
        Ok(block)
    }

    /// Plays so many games with learning off; the run stays as it is.
    ///
    /// # Errors
    /// If an agent cannot go on.
    pub fn evaluate(&mut self, games: u64) -> Result<Block, RunError> {
        let (first, end) = (self.config.games, self.config.games + games);
        let mut block = Block {
            phase: "evaluation".to_owned(),
            games: self.state.games,
            ..Block::default()
        };
        for student in &mut self.students {
            (student.presented, student.live) = (0, 0);
        }
        let examples = self.config.teacher() == Teacher::Examples;
        if examples {
            block.error = Some(self.error());
            block.perfect_share = Some(self.perfect_share());
        }
        if !examples || self.examiner.is_some() {
            self.play(first, end, false, &mut block)?;
        }
        self.close(&mut block);
        Ok(block)
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

    /// Plays the games of a block with the network as it is, then learns their positions.
    fn learn_in_passes(&mut self, first: u64, end: u64, block: &mut Block) -> Result<(), RunError> {
        if self.solvers.is_none() {
            self.solvers = Some(Solvers::new(&self.game, self.threads)?);
        }
        let solvers = self.solvers.as_mut().expect("they were just made");
        let (student, learning) = (&mut self.students[0], &self.config.learning);
        let mut examples = gather(
            &self.game,
            &self.start,
            &self.config,
            (&student.network, &student.judge),
            solvers,
            first..end,
            block,
        );
        let mut random = Random::for_game(!self.config.seed, first);
        let presentations = examples.len() * learning.passes as usize;
        let (mut error, mut presented) = (0.0, 0);
        for _ in 0..learning.passes {
            for place in (1..examples.len()).rev() {
                examples.swap(place, random.below(place as u32 + 1) as usize);
            }
            for example in &examples {
                let done = (end - first) as usize * presented / presentations;
                let rate = self.config.rate(first + done as u64);
                let target = student.target(example.black_score, example.mover, learning);
                let output =
                    student.learn(&example.position, example.mover, target, rate, &mut random);
                student.step(learning.batch, rate, false);
                error += f64::from((output - target).abs());
                presented += 1;
            }
        }
        block.error = Some(error / presentations.max(1) as f64);
        Ok(())
    }

    fn play(
        &mut self,
        first: u64,
        end: u64,
        learning: bool,
        block: &mut Block,
    ) -> Result<(), RunError> {
        if let Some((lesson, color)) = self.config.plain_lesson()
            && let student = &mut self.students[0]
            && let Some(mut versus) = self
                .game
                .versus_random(&student.network, &self.start, color)
        {
            let record = if learning {
                versus.learn(&lesson, self.config.seed, first..end)
            } else {
                versus.evaluate(self.config.seed, first..end)
            };
            block.count_record(&record, color);
            if learning {
                (student.presented, student.live) = (record.positions, record.live);
                // Choices are counted only while nothing is learned; a few games tell enough.
                block.count_opinions(&versus.evaluate(self.config.seed, OPINION_GAMES));
            } else {
                block.count_opinions(&record);
            }
            student.network = versus.into_network();
            return Ok(());
        }
        let teacher = self.config.teacher();
        let color = self.config.color().unwrap_or_default();
        let examiner = self.examiner.as_mut().filter(|_| !learning);
        let examined = examiner.is_some();
        let looks = !learning && self.config.learning.exact > 0;
        if looks && self.solvers.is_none() {
            self.solvers = Some(Solvers::new(&self.game, self.threads)?);
        }
        let mut table = Table {
            game: &self.game,
            start: &self.start,
            config: &self.config,
            students: &mut self.students,
            agent: match examiner.or(self.agent.as_mut()) {
                Some(agent) => Some(&mut **agent),
                None => None,
            },
            solvers: self.solvers.as_mut().filter(|_| looks),
        };
        for index in first..end {
            if index - first == LOOKED_AT {
                table.solvers = None;
            }
            let seats = match &teacher {
                Teacher::Itself if !examined => [Seat::Student(0); 2],
                Teacher::Network => [Seat::Student(0), Seat::Student(1)],
                _ => {
                    let both = Color::from_index((index % 2) as usize);
                    match color.unwrap_or(both) {
                        Color::Black => [Seat::Student(0), Seat::Agent],
                        Color::White => [Seat::Agent, Seat::Student(0)],
                    }
                }
            };
            let played = table.game(index, seats, learning, block);
            played.map_err(|fault| RunError::of(format!("game {index}: {fault}")))?;
        }
        Ok(())
    }

    /// Presents examples drawn at random.
    fn present(&mut self, first: u64, end: u64, block: &mut Block) {
        let student = &mut self.students[0];
        let learning = &self.config.learning;
        let mut error = 0.0;
        for index in first..end {
            let mut random = Random::for_game(self.config.seed, index);
            let example = &self.examples[random.below(self.examples.len() as u32) as usize];
            let target = student.target(example.black_score, example.mover, learning);
            let rate = self.config.rate(index);
            student.learn(&example.position, example.mover, target, rate, &mut random);
            student.step(learning.batch, rate, false);
            let trace = student.judge.look(
                &student.network,
                &self.game,
                &example.position,
                example.mover,
            );
            error += f64::from((trace.output() - target).abs());
        }
        block.error = Some(error / (end - first).max(1) as f64);
    }

    /// The share of positions in which the network's move is as good as any (cammel2015, section 4.5).
    fn perfect_share(&mut self) -> f64 {
        let scores: HashMap<G::Position, i32> = self
            .examples
            .iter()
            .map(|example| (example.position, example.black_score.signum()))
            .collect();
        let student = &mut self.students[0];
        let positions = self.examples.iter().map(|example| &example.position);
        let (mut choices, mut perfect) = (0u64, 0u64);
        for position in positions.chain([&self.start]) {
            let best = student.judge.best(&student.network, &self.game, position);
            let Some(best) = best else {
                continue;
            };
            let sign = match self.game.to_move(position) {
                Color::Black => 1,
                Color::White => -1,
            };
            let score = |mv| sign * scores[&self.game.play_unchecked(position, mv)];
            let highest = self.game.moves(position).map(score).max();
            choices += 1;
            perfect += u64::from(highest == Some(score(best.mv)));
        }
        perfect as f64 / choices.max(1) as f64
    }

    /// The mean distance between output and target over all examples (cammel2015, section 4.4).
    fn error(&mut self) -> f64 {
        let student = &mut self.students[0];
        let mut error = 0.0;
        for example in &self.examples {
            let target = student.target(example.black_score, example.mover, &self.config.learning);
            let trace = student.judge.look(
                &student.network,
                &self.game,
                &example.position,
                example.mover,
            );
            error += f64::from((trace.output() - target).abs());
        }
        error / self.examples.len().max(1) as f64
    }
}
