//! A grade: how many of an agent's moves keep the result of best play, by the exact solver.
//!
//! Positions are of two kinds: those of games of the agent against itself after random plies, in which it is its own
//! moves that count, and as many of random games, one of each. Those that take too long to solve are left out.

use std::ops::ControlFlow;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use upstar_agents::{Agent, Playable, Prover, Resources, Turn, judged_moves};
use upstar_games::{Random, random_move};
use upstar_jobs::{Budget, Pool, Watch};

use crate::clock::TimeControl;
use crate::elo::SIGMAS;
use crate::game::{Duel, generators};
use crate::interval::wilson;
use crate::openings::{Book, Openings};
use crate::record::{Proved, Reason};
use crate::runner::{Contestant, Place, Players, RunError};

/// The memory of each thread's solver.
const MEMORY: usize = 128 << 20;

/// How an agent is graded.
#[derive(Clone, Debug)]
pub struct Grading {
    /// Its name and specification. Players make it as number 0.
    pub player: Contestant,
    /// How many positions of each kind.
    pub positions: u64,
    /// Random plies before the games against itself.
    pub plies: u32,
    /// The most positions that a solver may look at for one of these.
    pub nodes: u64,
    /// The seed of all randomness.
    pub seed: u64,
    /// How many positions are solved at the same time; the grade is the same for any number.
    pub threads: usize,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grade {
    /// The game.
    pub game: String,
    /// Where all games begin.
    pub position: String,
    /// The agent.
    pub agent: String,
    /// The seed of all randomness.
    pub seed: u64,
    /// In games against itself.
    pub own_games: Marks,
    /// In random games.
    pub random_games: Marks,
    /// Of all moves in solved positions, the share that keeps the result of best play.
    pub kept_share: Option<f64>,
    /// Its 95 % interval.
    pub kept_low: Option<f64>,
    /// Its 95 % interval.
    pub kept_high: Option<f64>,
    /// The moves that do not.
    pub mistakes: Vec<Mistake>,
    /// How long it took.
    pub seconds: f64,
    /// Whether all positions were looked at; false if somebody said stop.
    pub complete: bool,
}

/// Moves of one kind of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// All positions.
    pub positions: u64,
    /// Those that were solved.
    pub solved: u64,
    /// Those of them in which a result could be thrown away.
    pub decisions: u64,
    /// Decisions that kept the result.
    pub kept: u64,
}

impl Marks {
    /// Both together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            solved: self.solved + other.solved,
            decisions: self.decisions + other.decisions,
            kept: self.kept + other.kept,
        }
    }

    /// Moves that threw a result away.
    #[must_use]
    pub fn mistakes(&self) -> u64 {
        self.decisions - self.kept
    }
}

/// A move that threw a result away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mistake {
    /// The position.
    pub position: String,
    /// The side to move, `x` or `o`.
    pub to_move: char,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The result of best play for this side.
    pub best: Proved,
    /// The one that is left after the move.
    pub left: Proved,
    /// The moves that keep the result.
    pub better: Vec<String>,
}

/// What is found in one position.
struct Marked {
    marks: Marks,
    mistake: Option<Mistake>,
}

/// What a thread has for itself.
type Solver<G> = Option<Box<dyn Prover<G>>>;

impl Grading {
    /// Grades the agent; the watch is told of each position.
    ///
    /// # Errors
    /// If the agent or a solver cannot be made, or the agent cannot go on.
    pub fn run<G: Playable, P: Players<G>>(
        &self,
        place: &Place<'_, G>,
        players: &P,
        resources: &Resources,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Grade, RunError> {
        let begun = Instant::now();
        let mut mistakes = Vec::new();
        let openings = Openings::Random(self.plies);
        let test = Test {
            grading: self,
            place,
            book: Book::new(place.game, place.start, &openings, self.seed, 0)?,
            players,
            resources,
        };
        let (own_games, complete_own) =
            test.all(budget, &mut mistakes, (watch, 0), |game, budget| {
                test.own_game(game, budget)
            })?;
        let (random_games, complete_random) = test.all(
            budget,
            &mut mistakes,
            (watch, own_games.positions),
            |game, budget| test.random_game(game, budget),
        )?;
        let all = own_games.with(random_games);
        let right = (all.solved - all.mistakes()) as f64;
        let solved = (all.solved > 0).then_some(all.solved as f64);
        let interval = solved.map(|solved| wilson(right, solved, SIGMAS));
        Ok(Grade {
            game: place.variant.to_string(),
            position: place.position.to_owned(),
            agent: self.player.agent.clone(),
            seed: self.seed,
            own_games,
            random_games,
            kept_share: solved.map(|solved| right / solved),
            kept_low: interval.map(|[low, _]| low),
            kept_high: interval.map(|[_, high]| high),
            mistakes,
            seconds: begun.elapsed().as_secs_f64(),
            complete: complete_own && complete_random,
        })
    }
}

/// What all threads share.
struct Test<'a, G: Playable, P> {
    grading: &'a Grading,
    place: &'a Place<'a, G>,
    /// The openings of its games against itself.
    book: Book<G>,
    players: &'a P,
    resources: &'a Resources,
}

impl<G: Playable, P: Players<G>> Test<'_, G, P> {
    /// All positions of one kind, each game giving one or more. The watch is told of those before too.
    fn all(
        &self,
        budget: &Budget,
        mistakes: &mut Vec<Mistake>,
        (watch, before): (&dyn Watch, u64),
        game: impl Fn(u64, &Budget) -> Result<Option<Vec<Marked>>, RunError> + Sync,
    ) -> Result<(Marks, bool), RunError> {
        let most = self.grading.positions;
        let pool = Pool {
            threads: self.grading.threads,
            jobs: most,
            budget,
        };
        let mut marks = Marks::default();
        let complete = pool.work(
            || (),
            |(), number, budget| game(number, budget),
            |_, _| Ok(()),
            |_, found: Vec<Marked>| {
                for marked in found {
                    marks = marks.with(marked.marks);
                    mistakes.extend(marked.mistake);
                    watch.pieces("positions", before + marks.positions, 2 * most);
                    if marks.positions == most {
                        return ControlFlow::Break(());
                    }
                }
                ControlFlow::Continue(())
            },
        )?;
        Ok((marks, complete))
    }

    /// All positions of a game of the agent against itself.
    fn own_game(&self, index: u64, budget: &Budget) -> Result<Option<Vec<Marked>>, RunError> {
        let game = self.place.game;
        let opening = self.book.opening(self.place.game, index);
        let duel = Duel {
            game,
            start: &opening.start,
            opening: &opening.moves,
            time: TimeControl::NONE,
            budget,
            thoughts: false,
        };
        let (mut black, mut white) = (self.agent()?, self.agent()?);
        let random = generators(self.grading.seed, index);
        let played = duel.play([&mut *black, &mut *white], random);
        let played = played.map_err(|cannot| self.fault(cannot.fault.to_string()))?;
        let Some(played) = played else {
            return Ok(None);
        };
        if let (Reason::Fault | Reason::Illegal, Some(what)) =
            (played.ending.reason, played.ending.text)
        {
            return Err(self.fault(what));
        }
        // What a solver remembers of other games would change what it finds within its limit.
        let mut solver = None;
        let mut position = opening.end(game);
        let mut all = Vec::new();
        for mv in played.moves {
            let marked = self.mark(&mut solver, &position, budget, |_| Ok(mv))?;
            let Some(marked) = marked else {
                return Ok(None);
            };
            all.push(marked);
            position = game.play_unchecked(&position, mv);
        }
        Ok(Some(all))
    }

    /// One position of a random game.
    fn random_game(&self, index: u64, budget: &Budget) -> Result<Option<Vec<Marked>>, RunError> {
        let Place { game, start, .. } = self.place;
        // A stream of its own, so that openings and these games never draw the same numbers.
        let seed = Random::new(!self.grading.seed).bits();
        let mut random = Random::for_game(seed, index);
        let mut positions = vec![**start];
        let mut position = **start;
        while let Some(mv) = random_move(*game, &position, &mut random) {
            position = game.play_unchecked(&position, mv);
            positions.push(position);
        }
        // The game is over in the last one.
        let drawn = random.below((positions.len() - 1).max(1) as u32);
        let position = &positions[drawn as usize];
        let marked = self.mark(&mut None, position, budget, |position| {
            let turn = Turn {
                start: position,
                moves: &[],
                position,
                budget,
            };
            let choice = self.agent()?.choose(&turn, &mut random);
            let mv = choice.map_err(|fault| self.fault(fault.to_string()))?.mv;
            if game.play(position, mv).is_err() {
                let name = game.move_name(mv);
                return Err(self.fault(format!("{name} is not legal here")));
            }
            Ok(mv)
        })?;
        Ok(marked.map(|marked| vec![marked]))
    }

    /// Compares a move with all others, if it matters; nothing comes of it if somebody says stop.
    fn mark(
        &self,
        solver: &mut Solver<G>,
        position: &G::Position,
        budget: &Budget,
        choose: impl FnOnce(&G::Position) -> Result<G::Move, RunError>,
    ) -> Result<Option<Marked>, RunError> {
        let game = self.place.game;
        let solver = match solver {
            Some(solver) => solver,
            none => {
                let made = game.prover(self.resources, MEMORY);
                none.insert(made.map_err(|error| self.fault(error.to_string()))?)
            }
        };
        let nodes = self.grading.nodes;
        let results = judged_moves(game, &mut **solver, position, nodes, budget);
        if budget.is_over() {
            return Ok(None);
        }
        let mut marked = Marked {
            marks: Marks {
                positions: 1,
                ..Marks::default()
            },
            mistake: None,
        };
        let Some(results) = results else {
            return Ok(Some(marked));
        };
        marked.marks.solved = 1;
        if !results.is_decision() {
            return Ok(Some(marked));
        }
        marked.marks.decisions = 1;
        let mv = choose(position)?;
        if budget.is_over() {
            return Ok(None);
        }
        if results.keeps(mv) {
            marked.marks.kept = 1;
        } else if let (Some(best), Some(left)) = (results.best(), results.after(mv)) {
            marked.mistake = Some(Mistake {
                position: game.setup(position).to_string(),
                to_move: game.to_move(position).letter(),
                mv: game.move_name(mv),
                best: best.into(),
                left: left.into(),
                better: results.keeping().map(|mv| game.move_name(mv)).collect(),
            });
        }
        Ok(Some(marked))
    }

    fn agent(&self) -> Result<Box<dyn Agent<G>>, RunError> {
        self.players.player(0).map_err(|what| self.fault(what))
    }

    fn fault(&self, what: String) -> RunError {
        RunError::Player {
            name: self.grading.player.name.clone(),
            what,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use upstar_agents::AgentSpec;
    use upstar_games::{Clobber, Color, Rules, Side, Variant, clobber};

    use super::*;

    /// How many positions were told, each time.
    #[derive(Default)]
    struct Seen(Mutex<Vec<u64>>);

    impl Watch for Seen {
        fn pieces(&self, what: &str, done: u64, of: u64) {
            assert_eq!((what, of), ("positions", 120));
            self.0.lock().unwrap().push(done);
        }
    }

    fn grade(spec: &str, threads: usize) -> Grade {
        let grid = "4x4".parse().unwrap();
        let game = Clobber::<u64>::new(grid);
        let start = game
            .position(&clobber::checkerboard(grid), Color::Black)
            .unwrap();
        let resources = Resources::default();
        let spec: AgentSpec = spec.parse().unwrap();
        let players = |_| {
            let made = spec.agent(&game, &resources);
            made.map_err(|error| error.to_string())
        };
        let place = Place {
            game: &game,
            start: &start,
            variant: Variant::Clobber,
            position: "4x4",
        };
        let [player, _] = Contestant::two("it", "nobody");
        let grading = Grading {
            player,
            positions: 60,
            plies: 2,
            nodes: 1_000_000,
            seed: 5,
            threads,
        };
        let seen = Seen::default();
        let budget = Budget::unlimited();
        let grade = grading.run(&place, &players, &resources, &budget, &seen);
        let seen = seen.0.into_inner().unwrap();
        assert_eq!(seen, (1..=120).collect::<Vec<u64>>());
        grade.unwrap()
    }

    #[test]
    fn perfect_play_makes_no_mistake() {
        let grade = grade("solver", 1);
        assert!(grade.complete);
        for marks in [grade.own_games, grade.random_games] {
            assert_eq!((marks.positions, marks.solved), (60, 60));
            assert!(marks.decisions > 5, "{marks:?}");
            assert_eq!(marks.kept, marks.decisions);
        }
        assert_eq!(grade.kept_share, Some(1.0));
        assert!(grade.mistakes.is_empty());
    }

    #[test]
    fn mistakes_are_mistakes_by_a_search_of_the_whole_tree() {
        fn wins(game: &Clobber<u64>, position: &<Clobber<u64> as Rules>::Position) -> bool {
            game.moves(position)
                .any(|mv| !wins(game, &game.play_unchecked(position, mv)))
        }
        let grade = grade("random", 1);
        assert!(grade.mistakes.len() > 5);
        let wrong = grade.own_games.with(grade.random_games).mistakes();
        assert_eq!(wrong, grade.mistakes.len() as u64);
        for mistake in &grade.mistakes {
            let setup: upstar_games::Setup = mistake.position.parse().unwrap();
            if mistake.position.matches(['x', 'o']).count() > 10 {
                continue;
            }
            let game = Clobber::<u64>::new(setup.board.clone());
            let side = Side::from_letter(mistake.to_move).unwrap();
            let position = game.position(&setup, side).unwrap();
            let after = |name: &String| {
                let mv = game.move_named(name).unwrap();
                game.play(&position, mv).unwrap()
            };
            assert!(wins(&game, &after(&mistake.mv)));
            assert_eq!((mistake.best, mistake.left), (Proved::Win, Proved::Loss));
            assert!(mistake.better.iter().all(|name| !wins(&game, &after(name))));
        }
    }

    #[test]
    fn threads_do_not_matter() {
        let once = |threads| Grade {
            seconds: 0.0,
            ..grade("mcts:50", threads)
        };
        assert_eq!(once(1), once(3));
    }
}
