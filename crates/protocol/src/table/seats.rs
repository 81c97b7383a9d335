//! The table of one game whose types are known: its moves so far, and those who know it.

use std::time::Instant;

use upstar_agents::uct::Uct;
use upstar_agents::{Agent, Playable, Resources, Turn, Word, gtp_names};
use upstar_arena::Ending;
use upstar_games::{Board, Color, Grid, Setup};
use upstar_jobs::Budget;
use upstar_solve::{MoveAnswer, Outcome};

use super::{
    Analysis, Chosen, Demand, Judged, Limits, Notation, Setting, Solved, Statistics, Table,
    Unplayable,
};
use crate::count::Count;
use crate::refusal::Refusal;

/// A game in progress and those who know it.
pub(super) struct Seats<G: Playable> {
    game: G,
    grid: Option<Grid>,
    start: G::Position,
    position: G::Position,
    /// All moves since the start.
    moves: Vec<G::Move>,
    entries: Vec<Entry<G::Position>>,
    /// The last agent that was asked: it may remember something.
    agent: Option<(Word, Box<dyn Agent<G>>)>,
}

/// What happened on a turn.
struct Entry<P> {
    before: P,
    /// Whether the position changed.
    moved: bool,
    implied: bool,
}

impl<G: Playable> Seats<G> {
    pub(super) fn new(game: G, start: G::Position) -> Self {
        let board = game.setup(&start).board;
        let grid = match &board {
            Board::Grid(grid) if gtp_names::has_names(&board) => Some(*grid),
            _ => None,
        };
        Self {
            game,
            grid,
            start,
            position: start,
            moves: Vec::new(),
            entries: Vec::new(),
            agent: None,
        }
    }

    fn name(&self, mv: G::Move, notation: Notation) -> String {
        match (notation, &self.grid) {
            (Notation::Vertices, Some(grid)) => {
                gtp_names::move_name(&self.game, grid, mv).expect("the grid has names")
            }
            _ => self.game.move_name(mv),
        }
    }

    /// The result where the game is over.
    fn ended(&self, position: &G::Position) -> Option<Outcome> {
        let score = self.game.score(position)?;
        Some(match score {
            1.. => Outcome::Win,
            0 => Outcome::Draw,
            _ => Outcome::Loss,
        })
    }

    /// A score for the side to move as one for Black; Clobber has none.
    fn black_score(&self, position: &G::Position) -> Option<i32> {
        let ending = Ending::by_rules(&self.game, position)?;
        ending.score.filter(|_| G::HAS_DISCS)
    }

    /// What a search knows, best move first.
    fn read(&self, search: &Uct<G>) -> Analysis {
        let mut moves = search.moves();
        let rank = |proved: Option<Outcome>| match proved {
            Some(Outcome::Win) => 2,
            Some(Outcome::Loss) => 0,
            _ => 1,
        };
        // The sort is stable: what is equally good stays in the order of moves.
        moves.sort_by_key(|found| std::cmp::Reverse((rank(found.proved), found.visits)));
        let best = search.best().map(|best| best.mv);
        moves.sort_by_key(|found| Some(found.mv) != best);
        let told = moves.iter().map(|found| {
            let line = search.line(found.mv);
            let line = line.into_iter().map(|mv| self.game.move_name(mv));
            Statistics {
                line: line.collect(),
                name: self.game.move_name(found.mv),
                visits: found.visits,
                mean: found.mean,
                proved: found.proved,
            }
        });
        Analysis {
            simulations: search.simulations(),
            outcome: search.outcome(),
            moves: told.collect(),
        }
    }
}

impl<G: Playable> Table for Seats<G> {
    fn setup(&self) -> Setup {
        self.game.setup(&self.position)
    }

    fn to_move(&self) -> Color {
        self.game.to_move(&self.position)
    }

    fn has_passes(&self) -> bool {
        self.game.move_named("pass").is_some()
    }

    fn must_pass(&self) -> bool {
        let pass = self.game.move_named("pass");
        pass.is_some() && self.game.moves(&self.position).next() == pass
    }

    fn legal(&self, notation: Notation) -> Vec<String> {
        let moves = self.game.moves(&self.position);
        moves.map(|mv| self.name(mv, notation)).collect()
    }

    fn score(&self) -> Option<i32> {
        Ending::by_rules(&self.game, &self.position)?.score
    }

    fn plies_left(&self) -> u32 {
        self.game.plies_left(&self.position)
    }

    fn play(&mut self, name: &str, notation: Notation, implied: bool) -> Result<(), Unplayable> {
        let mv = match (notation, &self.grid) {
            (Notation::Vertices, Some(grid)) => gtp_names::move_named(&self.game, grid, name),
            _ => self.game.move_named(name),
        };
        let mv = mv.ok_or(Unplayable::NoMove)?;
        let next = self.game.play(&self.position, mv);
        let next = next.map_err(|_| Unplayable::Illegal)?;
        self.entries.push(Entry {
            before: self.position,
            moved: true,
            implied,
        });
        self.moves.push(mv);
        self.position = next;
        Ok(())
    }

    fn idle(&mut self) {
        self.entries.push(Entry {
            before: self.position,
            moved: false,
            implied: false,
        });
    }

    fn undo(&mut self) -> bool {
        let Some(mut last) = self.entries.pop() else {
            return false;
        };
        loop {
            self.position = last.before;
            if last.moved {
                self.moves.pop();
            }
            match self.entries.pop_if(|entry| entry.implied) {
                Some(implied) => last = implied,
                None => return true,
            }
        }
    }

    fn reset(&mut self) {
        self.position = self.start;
        self.moves.clear();
        self.entries.clear();
    }

    fn seat(&mut self, word: &Word, resources: &Resources) -> Result<(), Refusal> {
        if !matches!(&self.agent, Some((same, _)) if same == word) {
            // The old one goes first: two may need more memory than there is.
            self.agent = None;
            let agent = word.agent(&self.game, resources).map_err(Refusal::new)?;
            self.agent = Some((word.clone(), agent));
        }
        Ok(())
    }

    fn choose(
        &mut self,
        word: &Word,
        notation: Notation,
        setting: Setting<'_>,
    ) -> Result<Chosen, Refusal> {
        self.seat(word, setting.resources)?;
        let (_, mut agent) = self.agent.take().expect("it has just been seated");
        let turn = Turn {
            start: &self.start,
            moves: &self.moves,
            position: &self.position,
            budget: setting.budget,
        };
        // An agent at fault does not come back.
        let choice = agent.choose(&turn, setting.random).map_err(Refusal::new)?;
        if self.game.play(&self.position, choice.mv).is_err() {
            let name = self.game.move_name(choice.mv);
            return Err(Refusal(format!("{word} chose {name}, which is not legal")));
        }
        self.agent = Some((word.clone(), agent));
        Ok(Chosen {
            name: self.name(choice.mv, notation),
            evaluation: choice.evaluation,
            effort: choice.effort,
            remark: choice.remark,
        })
    }

    fn solve(
        &mut self,
        demand: Demand,
        notation: Notation,
        budget: &Budget,
        count: &Count,
        resources: &Resources,
    ) -> Result<Solved, Refusal> {
        let position = self.position;
        let mover = self.to_move();
        if let Some(outcome) = self.ended(&position) {
            return Ok(Solved {
                winner: Some(winner(outcome, mover)),
                score: self.black_score(&position),
                best: None,
                nodes: 0,
                algorithm: G::ALGORITHM.to_string(),
                line: Vec::new(),
            });
        }
        let solver = &resources.solver;
        let answer = solver.solve_typed(&self.game, &position, &demand.query(), budget, count);
        let answer = answer.map_err(Refusal::new)?;
        let names = |mv: &G::Move| self.name(*mv, notation);
        Ok(Solved {
            winner: answer.outcome.map(|outcome| winner(outcome, mover)),
            score: answer.score,
            best: answer.best.as_ref().map(names),
            nodes: answer.nodes,
            algorithm: answer.algorithm.to_string(),
            line: answer.line.iter().map(names).collect(),
        })
    }

    fn judge(
        &mut self,
        demand: Demand,
        budget: &Budget,
        count: &Count,
        resources: &Resources,
    ) -> Result<Vec<Judged>, Refusal> {
        let (solver, query) = (&resources.solver, demand.query());
        let moves = solver.moves_typed(&self.game, &self.position, &query, budget, count);
        let judge = |judged: MoveAnswer<G::Move>| {
            let next = self.game.play_unchecked(&self.position, judged.mv);
            let outcome = judged.answer.outcome;
            let score = self.black_score(&next).or(judged.answer.score);
            let mover = self.game.to_move(&next);
            Judged {
                name: self.game.move_name(judged.mv),
                winner: outcome.map(|outcome| winner(outcome, mover)),
                score,
            }
        };
        let moves = moves.map_err(Refusal::new)?;
        Ok(moves.into_iter().map(judge).collect())
    }

    fn analyse(
        &mut self,
        limits: &Limits,
        setting: Setting<'_>,
        tell: &mut dyn FnMut(Analysis),
    ) -> Result<Analysis, Refusal> {
        let search = Uct::new(&self.game, &limits.options, setting.resources);
        let mut search = search.map_err(Refusal::new)?;
        search.begin(&self.position);
        let mut told = Instant::now();
        loop {
            let rest = limits.simulations.saturating_sub(search.simulations());
            let mut wait = limits.every.saturating_sub(told.elapsed());
            if let Some(deadline) = limits.deadline {
                wait = wait.min(deadline.saturating_duration_since(Instant::now()));
            }
            // Until it is time to tell something; the stop flag is the same.
            let slice = setting.budget.clone().with_time(wait);
            let made = search.run(rest, &slice, setting.random);
            let done = made == 0 || made == rest || search.outcome().is_some();
            let late = limits
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline);
            if done || late || setting.budget.is_over() {
                break;
            }
            if told.elapsed() >= limits.every {
                tell(self.read(&search));
                told = Instant::now();
            }
        }
        Ok(self.read(&search))
    }
}

/// Who has won by this outcome for this side; `None` for a draw.
fn winner(outcome: Outcome, mover: Color) -> Option<Color> {
    match outcome {
        Outcome::Win => Some(mover),
        Outcome::Draw => None,
        Outcome::Loss => Some(!mover),
    }
}
