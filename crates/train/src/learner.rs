//! Games, and what is learned from them.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use upstar_agents::{Agent, Fault, Prover, Turn};
use upstar_arena::{Book, Opening};
use upstar_games::{Color, Random, random_move};
use upstar_jobs::Budget;
use upstar_nets::Record;

use crate::config::{Config, Positions};
use crate::examples::Example;
use crate::gather::black_score;
use crate::recorded::RecordedGame;
use crate::student::{Learnable, Student};
use crate::training_set::TrainingSet;

/// What happened in a block of games. Wins and losses are the network's where it has one colour, and
/// Black's where networks have both.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// `training` or `evaluation`.
    pub phase: String,
    /// The games of the run so far.
    pub games: u64,
    /// Games of this block.
    pub played: u64,
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
    /// The share of games won.
    pub win_rate: f64,
    /// Black's share of games won.
    pub black_win_rate: f64,
    /// The network's share of games won as Black, if it played against an agent as Black.
    #[serde(default)]
    pub win_rate_as_x: Option<f64>,
    /// The same as White.
    #[serde(default)]
    pub win_rate_as_o: Option<f64>,
    /// The share of learned positions with a gradient that is not zero; nothing in an evaluation.
    pub live_gradient_share: Option<f64>,
    /// The share of choices between several moves in which the network valued them differently.
    pub opinion_share: Option<f64>,
    /// Whether the network has no opinion at all.
    pub dead: bool,
    /// Whether its weights have grown beyond all numbers.
    #[serde(default)]
    pub exploded: bool,
    /// With examples, and in passes: the mean distance between output and target. With
    /// `exact_error`, that between output and the result of best play, of positions that the network
    /// chose.
    pub error: Option<f64>,
    /// The share of the network's moves, random ones not counted, that are as good as any: they keep the
    /// result of best play. With examples, in an evaluation, over all positions; else over those of the
    /// games that are solved.
    #[serde(default)]
    pub perfect_share: Option<f64>,
    /// In games that are learned one by one, the slow way: how many different positions they ended in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endings: Option<u64>,
    /// In an evaluation with exact results: the share of the network's moves that keep the result of
    /// best play, in solved positions that were not lost already.
    #[serde(default)]
    pub kept_share: Option<f64>,
    /// Where time is limited: for how many seconds the run has learned so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learning_seconds: Option<f64>,
    #[serde(skip)]
    pub(crate) black_wins: u64,
    /// Games against an agent, and wins, with each colour.
    #[serde(skip)]
    pub(crate) as_color: [(u64, u64); 2],
    /// Positions that the network chose whose results are known, and how far off it was together.
    #[serde(skip)]
    pub(crate) known: (u64, f64),
    #[serde(skip)]
    pub(crate) choices: u64,
    #[serde(skip)]
    pub(crate) opinions: u64,
    /// Moves in solved positions that were not lost, and those that kept the result.
    #[serde(skip)]
    pub(crate) solved: (u64, u64),
    /// Moves of the network in solved positions, and those that are as good as any.
    #[serde(skip)]
    pub(crate) perfect: (u64, u64),
}

impl Block {
    /// Whether nothing more will come of this network: it is dead, or exploded.
    #[must_use]
    pub fn is_useless(&self) -> bool {
        self.dead || self.exploded
    }

    pub(crate) fn count(&mut self, black_score: i32, seats: [Seat; 2]) {
        let counted_for = counted_for(seats);
        let score = counted_for.sign() * black_score;
        self.played += 1;
        self.black_wins += u64::from(black_score > 0);
        if seats.contains(&Seat::Agent) {
            let (games, wins) = &mut self.as_color[counted_for.index()];
            *games += 1;
            *wins += u64::from(score > 0);
        }
        match score {
            1.. => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// Counts games without draws that were played the fast way.
    pub(crate) fn count_record(&mut self, record: &Record, color: Color) {
        self.played += record.games;
        self.wins += record.wins;
        self.losses += record.games - record.wins;
        self.black_wins += match color {
            Color::Black => record.wins,
            Color::White => record.games - record.wins,
        };
        self.as_color[color.index()] = (record.games, record.wins);
    }

    /// Counts choices of games that were played the fast way, with learning off.
    pub(crate) fn count_opinions(&mut self, record: &Record) {
        self.choices += record.positions;
        self.opinions += record.opinions;
    }

    /// Counts other games too.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.played += other.played;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.black_wins += other.black_wins;
        for ((games, wins), (more_games, more_wins)) in self.as_color.iter_mut().zip(other.as_color)
        {
            *games += more_games;
            *wins += more_wins;
        }
        self.known.0 += other.known.0;
        self.known.1 += other.known.1;
        self.choices += other.choices;
        self.opinions += other.opinions;
        self.solved.0 += other.solved.0;
        self.solved.1 += other.solved.1;
        self.perfect.0 += other.perfect.0;
        self.perfect.1 += other.perfect.1;
    }

    /// Compares the result of best play for the mover with what a move leaves of it: for the share of perfect
    /// moves, and for that of moves that keep a result which is not lost already.
    pub(crate) fn compare(&mut self, best: i32, played: i32, [perfect, exact]: [bool; 2]) {
        let kept = u64::from(played.signum() == best.signum());
        if perfect {
            self.perfect.0 += 1;
            self.perfect.1 += kept;
        }
        if exact && best >= 0 {
            self.solved.0 += 1;
            self.solved.1 += kept;
        }
    }

    /// Counts how far a value is from what best play gives.
    fn measure(&mut self, value: f32, target: f32) {
        self.known.0 += 1;
        self.known.1 += f64::from((value - target).abs());
    }

    pub(crate) fn finish(&mut self, presented: u64, live: u64, finite: bool) {
        let share = |part: u64, whole: u64| part as f64 / whole as f64;
        if self.played > 0 {
            self.win_rate = share(self.wins, self.played);
            self.black_win_rate = share(self.black_wins, self.played);
        }
        let [as_x, as_o] = self
            .as_color
            .map(|(games, wins)| (games > 0).then(|| share(wins, games)));
        (self.win_rate_as_x, self.win_rate_as_o) = (as_x, as_o);
        self.live_gradient_share = (presented > 0).then(|| share(live, presented));
        self.opinion_share = (self.choices > 0).then(|| share(self.opinions, self.choices));
        let (known, distance) = self.known;
        if known > 0 {
            self.error = Some(distance / known as f64);
        }
        let (solved, kept) = self.solved;
        self.kept_share = (solved > 0).then(|| share(kept, solved));
        let (looked_at, perfect) = self.perfect;
        if looked_at > 0 {
            self.perfect_share = Some(share(perfect, looked_at));
        }
        self.exploded = !finite;
        self.dead = finite && self.choices > 0 && self.opinions == 0;
    }
}

/// Who moves for a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seat {
    /// The student of this number.
    Student(usize),
    Agent,
}

/// A table with students and perhaps an agent.
pub(crate) struct Table<'a, G: Learnable> {
    pub(crate) game: &'a G,
    pub(crate) book: &'a Book<G>,
    pub(crate) config: &'a Config,
    pub(crate) students: &'a mut [Student<G>],
    pub(crate) agent: Option<&'a mut dyn Agent<G>>,
    /// Whoever looks at the network's moves.
    pub(crate) solver: Option<&'a mut dyn Prover<G>>,
    /// Results of best play for Black, if they are known and the error is asked for.
    pub(crate) results: Option<&'a HashMap<G::Position, i32>>,
    /// All positions learned so far, if the training set grows.
    pub(crate) training_set: Option<&'a mut TrainingSet<G::Position>>,
    /// Who says stop; the game is thrown away then.
    pub(crate) budget: &'a Budget,
}

/// A position that somebody moved to.
struct Played<P> {
    position: P,
    mover: Color,
}

impl<G: Learnable> Table<'_, G> {
    /// Plays game `index` of the run, learns from it if it should, and returns the position it ended in.
    pub(crate) fn game(
        &mut self,
        index: u64,
        seats: [Seat; 2],
        learning: bool,
        block: &mut Block,
    ) -> Result<G::Position, Fault> {
        let mut random = Random::for_game(self.config.seed, index);
        let rate = self.config.rate(index);
        let lambda = self.config.learning.lambda.filter(|_| learning);
        let random_moves = if learning {
            self.config.random_moves(index)
        } else {
            0.0
        };
        self.students.iter_mut().for_each(Student::begin_game);
        if let Some(agent) = &mut self.agent {
            agent.begin_game()?;
        }
        let Opening { start, mut moves } = self.book.opening(self.game, self.config.round(index));
        let mut position = moves
            .iter()
            .fold(start, |at, &mv| self.game.play_unchecked(&at, mv));
        let mut played = Vec::new();
        let (mut said, mut chosen) = (None, Vec::new());
        let measured_after = learning && self.config.exact_error_after;
        while !self.game.is_over(&position) {
            let mover = self.game.to_move(&position);
            let seat = seats[mover.index()];
            let mv = match seat {
                Seat::Student(_)
                    if random_moves > 0.0 && random.unit() < f64::from(random_moves) =>
                {
                    if self.config.learning.after_random {
                        played.clear();
                    }
                    random_move(self.game, &position, &mut random)
                }
                Seat::Student(number) => {
                    let student = &mut self.students[number];
                    let best = student.judge.best(&student.network, self.game, &position);
                    best.map(|best| {
                        if self.game.count_moves(&position) > 1 {
                            block.choices += 1;
                            block.opinions += u64::from(best.lowest < best.highest);
                        }
                        said = Some((number, best.value));
                        best.mv
                    })
                }
                Seat::Agent => {
                    let agent = self.agent.as_mut().expect("there is an agent for its seat");
                    let turn = Turn {
                        start: &start,
                        moves: &moves,
                        position: &position,
                        budget: self.budget,
                    };
                    Some(agent.choose(&turn, &mut random)?.mv)
                }
            };
            let mv = mv.expect("the game is not over");
            let is_chosen = said.is_some();
            let before = position;
            position = self.game.play_unchecked(&position, mv);
            if let (Some((number, value)), Some(results)) = (said.take(), self.results) {
                let (student, score) = (&self.students[number], results[&position]);
                let target = student.target(score, mover, &self.config.learning);
                match measured_after {
                    true => chosen.push((number, position, mover, target)),
                    false => block.measure(value, target),
                }
            }
            if let Some(solver) = &mut self.solver
                && is_chosen
            {
                let left = self.game.left(&before);
                let is_perfect = left <= self.config.perfect_moves(!learning);
                let is_exact = !learning && left <= self.config.learning.exact;
                if is_perfect || is_exact {
                    let [best, played] = [before, position].map(|position| {
                        black_score(self.game, &mut **solver, &position, self.budget)
                    });
                    block.compare(
                        mover.sign() * best,
                        mover.sign() * played,
                        [is_perfect, is_exact],
                    );
                }
            }
            moves.push(mv);
            if let (Some(lambda), Seat::Student(number)) = (lambda, seat) {
                self.students[number].say(&position, mover, lambda, rate);
            }
            played.push(Played { position, mover });
        }
        let black_score = self.game.black_score(&position).expect("the game is over");
        block.count(black_score, seats);
        if lambda.is_some() {
            self.end(seats, black_score, rate);
        } else if learning {
            self.learn(&played, seats, black_score, rate, &mut random);
        }
        for (number, position, mover, target) in chosen {
            let student = &mut self.students[number];
            let trace = student
                .judge
                .look(&student.network, self.game, &position, mover);
            block.measure(trace.output(), target);
        }
        Ok(position)
    }

    /// Learns a recorded game as one that the network has played against itself, or two networks against each
    /// other, and returns the position it ended in.
    pub(crate) fn recorded(
        &mut self,
        index: u64,
        game: &RecordedGame<G::Position>,
        block: &mut Block,
    ) -> G::Position {
        let mut random = Random::for_game(self.config.seed, index);
        let (rate, last) = (self.config.rate(index), self.students.len() - 1);
        let seats = [Seat::Student(0), Seat::Student(last)];
        block.count(game.black_score, seats);
        if let Some(lambda) = self.config.learning.lambda {
            self.students.iter_mut().for_each(Student::begin_game);
            for (position, mover) in &game.path {
                let number = if *mover == Color::White { last } else { 0 };
                self.students[number].say(position, *mover, lambda, rate);
            }
            self.end(seats, game.black_score, rate);
        } else {
            let played = game.path.iter();
            let played = played.map(|&(position, mover)| Played { position, mover });
            let played: Vec<_> = played.collect();
            self.learn(&played, seats, game.black_score, rate, &mut random);
        }
        game.path.last().expect("only games with moves are read").0
    }

    fn end(&mut self, seats: [Seat; 2], black_score: i32, rate: f32) {
        for mover in [Color::Black, Color::White] {
            if let Seat::Student(number) = seats[mover.index()] {
                let student = &mut self.students[number];
                let target = student.target(black_score, mover, &self.config.learning);
                student.end_game(target, mover, rate);
            }
        }
    }

    /// First in, first out: the first position of the game is the first to change the weights.
    fn learn(
        &mut self,
        played: &[Played<G::Position>],
        seats: [Seat; 2],
        black_score: i32,
        rate: f32,
        random: &mut Random,
    ) {
        let learning = &self.config.learning;
        for (number, student) in self.students.iter_mut().enumerate() {
            let sees = |color: Color| seats[color.index()] == Seat::Student(number);
            // From whose side a position is learned: that of its mover, or, if all positions are
            // learned, that of the student's colour.
            let side = |played: &Played<G::Position>| match (sees(played.mover), learning.positions)
            {
                (true, _) => Some(played.mover),
                (false, Positions::All) if sees(!played.mover) => Some(!played.mover),
                (false, _) => None,
            };
            let seen = played.iter().filter_map(|played| {
                Some(Example {
                    position: played.position,
                    mover: side(played)?,
                    black_score,
                })
            });
            let seen: Vec<Example<G::Position>> = seen.collect();
            let seen = match &mut self.training_set {
                Some(set) => set.with(number, &seen),
                None => &seen,
            };
            let mut rate = rate;
            let count = match learning.presentations {
                0 => seen.len(),
                _ if seen.is_empty() => 0,
                presentations => presentations as usize,
            };
            for turn in 0..count {
                let example = match learning.presentations {
                    0 => &seen[turn],
                    _ => &seen[random.below(seen.len() as u32) as usize],
                };
                let target = student.target(example.black_score, example.mover, learning);
                student.learn(&example.position, example.mover, target, rate, random);
                student.step(learning.batch, rate, false);
                rate *= 1.0 + learning.temporal_rate;
            }
        }
    }
}

/// The agent's opponent, or Black where networks have both colours.
fn counted_for(seats: [Seat; 2]) -> Color {
    match seats {
        [Seat::Agent, Seat::Student(_)] => Color::White,
        _ => Color::Black,
    }
}
