//! The Othello engine as a player: from an opening book, then alpha-beta with the fitted evaluation, to a depth
//! or for a time, and to the end of the game where that is near. It plays on boards of at most 64 cells.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use upstar_games::othello::Move;
use upstar_games::{Board, Grid, Othello, Position, Random, Rules};
use upstar_jobs::Budget;
use upstar_solve::othello::{Effort, Midgame, winning_chance};

use crate::agent::{Agent, Choice, Evaluation, Fault, Turn};
use crate::opening_book::{BookMove, OpeningBook};
use crate::options::Limit;
use crate::playable::Playable;
use crate::simple::NOT_OVER;
use crate::spec::AgentSpecError;

/// How the engine plays.
#[derive(Clone, Debug, PartialEq)]
pub struct AlphaBeta {
    /// How many plies ahead, or how long for a move.
    pub limit: Limit,
    /// With at most so many empty cells it searches to the end without cuts; `None` for twice the plies, as
    /// the levels of other programs do, or as time allows.
    pub exact: Option<u32>,
    /// How many threads search together.
    pub threads: usize,
    /// The memory for what it has seen, in bytes.
    pub memory: usize,
    /// The opening book from which it plays.
    pub book: BookChoice,
}

/// Which opening book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BookChoice {
    /// The one that comes with the program, if it has one for the board.
    #[default]
    Shipped,
    /// No book.
    None,
    /// The one in this file.
    File(PathBuf),
}

impl BookChoice {
    /// The book, if there is one for this board.
    ///
    /// # Errors
    /// If its file cannot be read or is for another board.
    pub fn open(&self, grid: &Grid) -> Result<Option<Arc<OpeningBook>>, AgentSpecError> {
        let file = match self {
            Self::Shipped => return Ok(OpeningBook::shipped(*grid)),
            Self::None => return Ok(None),
            Self::File(file) => file,
        };
        let shown = file.display();
        let book = OpeningBook::read(file);
        let book = book.map_err(|error| AgentSpecError(format!("{shown}: {error}")))?;
        if book.grid() != *grid {
            let theirs = book.grid();
            let sentence = format!("{shown}: the book is for {theirs}, not for {grid}");
            return Err(AgentSpecError(sentence));
        }
        Ok(Some(Arc::new(book)))
    }
}

impl AlphaBeta {
    /// The most plies; where fewer are left they are all.
    pub const MOST_PLIES: u64 = 60;
    /// Twice the plies, but not more: searches without cuts take long from there on.
    const MOST_EXACT: u32 = 24;

    /// With defaults for all but the limit.
    #[must_use]
    pub fn new(limit: Limit) -> Self {
        Self {
            limit,
            exact: None,
            threads: 1,
            memory: 64 << 20,
            book: BookChoice::default(),
        }
    }

    /// Whether a search to this level is at least as good as what it would do itself.
    fn relies_on(&self, level: u32) -> bool {
        match self.limit {
            Limit::Count(plies) => plies <= level.into(),
            Limit::Time(_) => true,
        }
    }

    /// What to do with so many empty cells, one search after the other: each gives the next an order of moves
    /// and a guess.
    pub(crate) fn plan(&self, empties: u32) -> Vec<Effort> {
        let Limit::Count(depth) = self.limit else {
            return self.endless_plan(empties);
        };
        let (plies, ending) = (
            |most| self.plies(most),
            |levels| self.ending(empties, levels),
        );
        let depth = depth as u32;
        let exact = self.exact.unwrap_or((2 * depth).min(Self::MOST_EXACT));
        match empties {
            // Short enough to need no preparation.
            _ if empties <= exact && empties <= 12 => ending(&[Effort::SURE]).collect(),
            _ if empties <= exact => {
                let first = plies(depth.min(empties / 2));
                first.chain(ending(&[0, 2, Effort::SURE])).collect()
            }
            _ if depth == 1 => vec![self.effort(1, Effort::PLIES.level)],
            // The end without cuts is for `exact` alone.
            _ => plies(depth.min(empties)).collect(),
        }
    }

    /// The same where only the time limits.
    fn endless_plan(&self, empties: u32) -> Vec<Effort> {
        let near = (empties / 2).max(empties.saturating_sub(14));
        let levels: &[u8] = match self.exact {
            Some(exact) if empties > exact => &[0, 1, 2, 3, 4],
            _ => &[0, 1, 2, 3, 4, Effort::SURE],
        };
        let ending = self.ending(empties, levels);
        self.plies(near).chain(ending).collect()
    }

    /// Ply by ply.
    fn plies(&self, most: u32) -> impl Iterator<Item = Effort> {
        (2..=most).map(|depth| self.effort(depth, Effort::PLIES.level))
    }

    /// To the end of the game.
    fn ending(&self, empties: u32, levels: &[u8]) -> impl Iterator<Item = Effort> {
        levels.iter().map(move |&level| self.effort(empties, level))
    }

    fn effort(&self, depth: u32, level: u8) -> Effort {
        Effort {
            depth,
            level,
            threads: self.threads,
        }
    }
}

/// The engine on one board. What it has seen it remembers from move to move.
pub struct AlphaBetaAgent {
    game: Othello<u64>,
    options: AlphaBeta,
    midgame: Midgame,
    book: Option<Arc<OpeningBook>>,
    asked: bool,
}

/// What is kept for the way of the answer, at most; a twentieth of short times.
const MOST_RESERVE: Duration = Duration::from_millis(5);
/// The next search takes some times as long as the last: it is not begun after this part of the time.
const LAST_BEGIN: f64 = 0.6;

impl AlphaBetaAgent {
    /// For a board of at most 64 cells.
    ///
    /// # Errors
    /// If there is no room for its table, or its book cannot be read or is for another board.
    pub fn new(game: &Othello<u64>, options: &AlphaBeta) -> Result<Self, AgentSpecError> {
        let midgame = Midgame::new(game, options.memory).map_err(|_| {
            let megabytes = options.memory >> 20;
            AgentSpecError(format!(
                "there is no room for a table of {megabytes} MB; less would be memory=16M"
            ))
        })?;
        let Board::Grid(grid) = game.board() else {
            unreachable!("Othello is played on grids")
        };
        Ok(Self {
            book: options.book.open(grid)?,
            game: game.clone(),
            options: options.clone(),
            midgame,
            asked: false,
        })
    }

    /// The best move by the book, if the book looked as far ahead as this agent does.
    fn book_move(&self, position: &Position<u64>) -> Option<BookMove> {
        let best = *self.book.as_ref()?.moves(position).first()?;
        self.options.relies_on(best.level).then_some(best)
    }

    fn opinion(discs: f64, empties: u32) -> Evaluation {
        Evaluation::Expected(2.0 * winning_chance(discs, empties) - 1.0)
    }
}

impl Agent<Othello<u64>> for AlphaBetaAgent {
    fn begin_game(&mut self) -> Result<(), Fault> {
        if std::mem::take(&mut self.asked) {
            self.midgame.forget();
        }
        Ok(())
    }

    fn choose(
        &mut self,
        turn: &Turn<'_, Othello<u64>>,
        _: &mut Random,
    ) -> Result<Choice<Move>, Fault> {
        let mut moves = self.game.moves(turn.position);
        let first = moves.next().expect(NOT_OVER);
        if moves.next().is_none() {
            return Ok(Choice::of(first));
        }
        drop(moves);
        let position: &Position<u64> = turn.position;
        let empties = self.game.left(position);
        if let Some(found) = self.book_move(position) {
            return Ok(Choice {
                mv: found.mv,
                evaluation: Some(Self::opinion(found.discs.into(), empties)),
                effort: 0,
                remark: Some(format!(
                    "from the opening book, searched {} plies ahead",
                    found.level
                )),
            });
        }
        self.asked = true;
        let begun = Instant::now();
        let own = self.options.limit.time();
        let time = own.into_iter().chain(turn.budget.time_left()).min();
        let time = time.map(|time| time - MOST_RESERVE.min(time / 20));
        let budget = time.map_or_else(|| turn.budget.clone(), |time| turn.budget.within(time));
        let before = self.midgame.nodes();
        // A move that is there in any case.
        let (mut guess, mut mv) = (None, first);
        let plan = self.options.plan(empties);
        for (index, effort) in std::iter::once(Effort::plies(1)).chain(plan).enumerate() {
            let late = time.is_some_and(|time| begun.elapsed() > time.mul_f64(LAST_BEGIN));
            if index > 0 && late {
                break;
            }
            let unlimited = Budget::unlimited();
            let budget = if index == 0 { &unlimited } else { &budget };
            let Some(found) = self.midgame.estimate(position, effort, guess, budget) else {
                break;
            };
            guess = Some(found.discs);
            mv = found.line.first().copied().unwrap_or(mv);
        }
        Ok(Choice {
            mv,
            evaluation: guess.map(|discs| Self::opinion(discs, empties)),
            effort: self.midgame.nodes() - before,
            remark: None,
        })
    }

    fn ponder(&mut self, turn: &Turn<'_, Othello<u64>>) {
        self.asked = true;
        let mut guess = None;
        for effort in self.options.endless_plan(self.game.left(turn.position)) {
            let found = self
                .midgame
                .estimate(turn.position, effort, guess, turn.budget);
            let Some(found) = found else { break };
            guess = Some(found.discs);
        }
    }
}

#[cfg(test)]
mod tests {
    use upstar_games::othello::{Opening, start};
    use upstar_games::{Color, Game, Grid};

    use super::*;

    fn played(game: &Othello<u64>, grid: Grid, agents: [&mut AlphaBetaAgent; 2]) -> Vec<Move> {
        let mut position = game
            .position(&start(grid, Opening::DIAGONAL).unwrap(), Color::Black)
            .unwrap();
        let (begin, mut moves) = (position, Vec::new());
        let [black, white] = agents;
        while game.score(&position).is_none() {
            let agent = match position.to_move {
                Color::Black => &mut *black,
                Color::White => &mut *white,
            };
            let turn = Turn {
                start: &begin,
                moves: &moves,
                position: &position,
                budget: &Budget::unlimited(),
            };
            let choice = agent.choose(&turn, &mut Random::new(1)).unwrap();
            assert!(game.moves(&position).any(|legal| legal == choice.mv));
            position = game.play_unchecked(&position, choice.mv);
            moves.push(choice.mv);
        }
        moves
    }

    #[test]
    fn it_plays_whole_games_on_any_board_and_forgets_them() {
        for size in ["8x8", "6x6", "4x4", "5x4", "2x9", "3x3"] {
            let grid: Grid = size.parse().unwrap();
            let game = Othello::<u64>::new(grid);
            let agent = |plies| {
                let options = AlphaBeta {
                    memory: 1 << 20,
                    ..AlphaBeta::new(Limit::Count(plies))
                };
                AlphaBetaAgent::new(&game, &options).unwrap()
            };
            let (mut one, mut three) = (agent(1), agent(3));
            let first = played(&game, grid, [&mut one, &mut three]);
            for agent in [&mut one, &mut three] {
                agent.begin_game().unwrap();
            }
            assert_eq!(played(&game, grid, [&mut one, &mut three]), first, "{size}");
        }
    }

    #[test]
    fn without_time_it_still_moves() {
        let grid: Grid = "8x8".parse().unwrap();
        let game = Othello::<u64>::new(grid);
        let position = game.position(&start(grid, Opening::DIAGONAL).unwrap(), Color::Black);
        let position = position.unwrap();
        let limit = Limit::Time(Duration::from_secs(3600));
        let mut agent = AlphaBetaAgent::new(&game, &AlphaBeta::new(limit)).unwrap();
        let turn = Turn {
            start: &position,
            moves: &[],
            position: &position,
            budget: &Budget::unlimited().with_time(Duration::ZERO),
        };
        let choice = agent.choose(&turn, &mut Random::new(1)).unwrap();
        assert!(game.moves(&position).any(|legal| legal == choice.mv));
        // What it thinks is a guess, however deep it looked.
        assert!(matches!(choice.evaluation, Some(Evaluation::Expected(_))));
    }

    #[test]
    fn the_plan_ends_where_the_options_say() {
        let options = |text: &str| match text.parse() {
            Ok(crate::AgentSpec::AlphaBeta(options)) => options,
            other => panic!("{text}: {other:?}"),
        };
        let last = |text: &str, empties: u32| {
            let last = options(text).plan(empties).pop().unwrap();
            (last.depth, last.level == Effort::SURE)
        };
        assert_eq!(last("ab:8", 40), (8, false));
        assert_eq!(last("ab:8", 16), (16, true));
        assert_eq!(last("ab:8,exact=10", 16), (8, false));
        assert_eq!(last("ab:8,exact=20", 20), (20, true));
        assert_eq!(last("ab:1s", 30), (30, true));
        assert_eq!(last("ab:1s,exact=20", 30), (30, false));
    }
}
