//! Networks of leiden2018, chapter 5: a million games against Random, learning after each, and then
//! a hundred thousand without.

use std::ops::Range;

use upstar_agents::{Agent, AgentSpec, NetAgent};
use upstar_games::{Clobber, Color, Grid, Position, Random, Rules, Variant, clobber};
use upstar_nets::{Encoder, Initial, Lesson, Network, Plain, Record, Shape, VersusRandom};

use super::matches::{agent, play};
use super::{Lot, Problem};
use crate::sample::{Found, Measured};

/// Points of a learning curve.
const POINTS: u64 = 20;

/// Games between two looks at whether to go on.
const BUNDLE: u64 = 1024;

pub(super) fn run(lot: &Lot<'_>) -> Result<Found, Problem> {
    let mut student = Student::new(lot)?;
    let mut found = student.train(lot)?;
    let games = lot.scaled(lot.row().read("evaluation_games")?);
    let evaluated = student.evaluate(lot, student.trained..student.trained + games)?;
    found.values = vec![Measured::games(evaluated.wins, evaluated.games)];
    let exploded = !student.network().is_finite();
    found.exploded = Some(exploded);
    found.dead = Some(!exploded && evaluated.is_dead());
    Ok(found)
}

/// The trained network, Black as in its training, against another agent.
pub(super) fn run_then_match(lot: &Lot<'_>) -> Result<Found, Problem> {
    let mut student = Student::new(lot)?;
    let mut found = student.train(lot)?;
    let games = lot.scaled(lot.row().read("evaluation_games")?);
    let row = lot.row();
    let opponent: AgentSpec = row
        .filled(row.text("against")?)?
        .parse()
        .map_err(Problem::new)?;
    let network = student.network();
    let (game, start) = (student.game, student.start);
    let players = |which: usize| -> Result<Box<dyn Agent<_>>, String> {
        match which {
            0 => {
                let player = NetAgent::new(game.clone(), &start, network.clone());
                Ok(Box::new(player.map_err(|misfit| misfit.to_string())?))
            }
            _ => agent(&opponent, &game, lot.resources),
        }
    };
    let names = ["net", &opponent.to_string()];
    let result = play(lot, &game, &start, &players, names, games)?;
    found.values = vec![Measured::games(result.black_wins, result.games)];
    Ok(found)
}

/// The network, in the fast way to learn or in the plain one.
struct Student {
    game: Clobber<u64>,
    start: Position<u64>,
    learner: Learner,
    lesson: Lesson,
    games: u64,
    trained: u64,
}

enum Learner {
    Fast(Box<VersusRandom>),
    Plain(Box<Plain<Clobber<u64>>>),
}

impl Student {
    fn new(lot: &Lot<'_>) -> Result<Self, Problem> {
        let row = lot.row();
        let grid: Grid = row.board()?.parse().map_err(Problem::new)?;
        let activation = row
            .text("activation")?
            .replace('_', "-")
            .parse()
            .map_err(Problem::new)?;
        let shape = Shape {
            game: Variant::Clobber,
            grid,
            encoder: Encoder::Leiden2018,
            convolutions: Vec::new(),
            hidden: vec![row.read("hidden_nodes")?; row.read("hidden_layers")?],
            activation,
            output: activation,
        };
        let shape = shape.checked().map_err(Problem::new)?;
        let network = Network::new(shape, Initial::LEIDEN2018, &mut Random::new(lot.seed));
        let game = Clobber::<u64>::new(grid);
        let start = game.position(&clobber::checkerboard(grid), Color::Black);
        let start = start.map_err(Problem::new)?;
        let fast = VersusRandom::new(network.clone(), &game, &start, Color::Black);
        let learner = match fast {
            Some(fast) => Learner::Fast(Box::new(fast)),
            None => {
                let plain = Plain::new(network, game.clone(), start, Color::Black);
                Learner::Plain(Box::new(plain.map_err(Problem::new)?))
            }
        };
        Ok(Self {
            game,
            start,
            learner,
            lesson: Lesson {
                learning_rate: row.read("learning_rate")?,
                target: row.read("target")?,
                temporal_rate: row.read("temporal_rate")?,
                output_derivative: row.read_or("output_derivative", true)?,
                all_positions: false,
            },
            games: lot.scaled(row.read("training_games")?),
            trained: 0,
        })
    }

    /// All training games, a point of the curve at a time.
    fn train(&mut self, lot: &Lot<'_>) -> Result<Found, Problem> {
        let mut all = Record::default();
        let mut found = Found::default();
        for point in 1..=POINTS {
            let end = self.games * point / POINTS;
            if end == self.trained {
                continue;
            }
            let record = self.learn(lot, self.trained..end)?;
            self.trained = end;
            all.merge(&record);
            if lot.is_first {
                let share = (record.win_rate() * 1e4).round() / 1e4;
                found.curve.push((end, share));
            }
        }
        found.live_gradient_share = Some(all.live_gradient_share());
        Ok(found)
    }

    fn learn(&mut self, lot: &Lot<'_>, games: Range<u64>) -> Result<Record, Problem> {
        let lesson = &self.lesson;
        in_bundles(lot, games, |bundle| match &mut self.learner {
            Learner::Fast(fast) => fast.learn(lesson, lot.seed, bundle),
            Learner::Plain(plain) => plain.learn(lesson, lot.seed, bundle),
        })
    }

    fn evaluate(&mut self, lot: &Lot<'_>, games: Range<u64>) -> Result<Record, Problem> {
        in_bundles(lot, games, |bundle| match &mut self.learner {
            Learner::Fast(fast) => fast.evaluate(lot.seed, bundle),
            Learner::Plain(plain) => plain.evaluate(lot.seed, bundle),
        })
    }

    fn network(&mut self) -> Network {
        match &mut self.learner {
            Learner::Fast(fast) => fast.network().clone(),
            Learner::Plain(plain) => plain.network().clone(),
        }
    }
}

/// Plays these games, and asks now and then whether to go on.
fn in_bundles(
    lot: &Lot<'_>,
    games: Range<u64>,
    mut play: impl FnMut(Range<u64>) -> Record,
) -> Result<Record, Problem> {
    let (mut record, mut next) = (Record::default(), games.start);
    while next < games.end {
        lot.check()?;
        let bundle = next..games.end.min(next + BUNDLE);
        next = bundle.end;
        record.merge(&play(bundle));
    }
    Ok(record)
}
