//! What a position seems to be worth, long before it can be solved: a selective search (`selective.rs`) to a
//! depth, with the fitted evaluation at its leaves, or to the end of the game. It guesses, and proves nothing.

use std::sync::Arc;
use std::sync::Mutex;

use upstar_games::othello::Move;
use upstar_games::{Board, Cell, Color, Grid, Othello, Position, Rules};
use upstar_jobs::thread::{STACK, start};
use upstar_jobs::{Budget, Unwatched};
use upstar_machine::{Isa, Kernel, Machine};

use super::crew::Crew;
use super::discs::Discs;
use super::estimates::Estimates;
use super::order::Order;
use super::patterns::Evaluation;
use super::selective::{Common, Margins, SURE, Seems, Selective, guess_key, in_discs};
use super::space::Space;
use super::table::{NONE, Table};
use super::weights::{self, Fitted};

/// Searches positions of one board. What it has seen it remembers from one to the next.
pub struct Midgame {
    space: Space,
    evaluation: Arc<Evaluation>,
    margins: Margins,
    order: Order,
    estimates: Estimates,
    /// What the exact search of the last cells asks for.
    table: Table,
    isa: Isa,
    age: u8,
    nodes: u64,
}

/// How far and how surely to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// How many plies ahead; the end of the game if there are not so many.
    pub depth: u32,
    /// How rarely a position may be cut wrongly: from 0 to [`Effort::SURE`], which cuts nothing.
    pub level: u8,
    /// How many threads search together.
    pub threads: usize,
}

impl Effort {
    /// The level without cuts.
    pub const SURE: u8 = SURE;

    /// With cuts that are right nine times of ten, by one thread.
    #[must_use]
    pub fn plies(depth: u32) -> Self {
        Self {
            depth,
            level: 1,
            threads: 1,
        }
    }
}

/// What a search thinks of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The expected score of the side to move, in discs.
    pub discs: f64,
    /// How many plies were searched.
    pub depth: u32,
    /// How both sides would play on, as far as the search remembers it.
    pub line: Vec<Move>,
}

impl Midgame {
    /// A search for this board with about so many bytes for its table; `None` if the program brings no
    /// evaluation for the board.
    #[must_use]
    pub fn new(game: &Othello<u64>, memory: usize) -> Option<Self> {
        let nobody = Position {
            own: 0,
            opponent: 0,
            to_move: Color::Black,
        };
        let Board::Grid(grid) = game.setup(&nobody).board else {
            unreachable!("Othello is played on grids")
        };
        Some(Self::of(&grid, weights::shipped(&grid)?, memory))
    }

    /// With what is fitted for this grid.
    pub(super) fn of(grid: &Grid, fitted: Fitted, memory: usize) -> Self {
        let space = Space::new(grid, false);
        let Fitted {
            evaluation,
            probcut,
        } = fitted;
        Self {
            order: Order::new(Some(Arc::clone(&evaluation)), space.size),
            margins: Margins::new(&probcut),
            evaluation,
            space,
            estimates: Estimates::new(memory).expect("memory for a table"),
            table: Table::new(1 << 12).expect("little memory"),
            isa: Isa::best(),
            age: 0,
            nodes: 0,
        }
    }

    /// Forgets what it has seen.
    pub fn forget(&mut self) {
        self.estimates.clear();
    }

    /// How many positions were looked at so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What a position seems to be worth after so many plies; `None` if the budget is spent first. The guess
    /// is where the search begins: the closer, the sooner it ends.
    pub fn estimate(
        &mut self,
        position: &Position<u64>,
        effort: Effort,
        guess: Option<f64>,
        budget: &Budget,
    ) -> Option<Estimate> {
        let discs = Discs {
            own: position.own,
            opponent: position.opponent,
        };
        let guess = match guess {
            Some(guess) => guess.round() as i32,
            None => self.isa.run(Static(self, discs)),
        };
        let score = self.score(discs, effort, guess, budget)?;
        Some(Estimate {
            discs: score.into(),
            depth: effort.depth,
            line: self.isa.run(Line {
                midgame: self,
                discs,
                depth: effort.depth,
            }),
        })
    }

    /// The score in discs.
    pub(super) fn score(
        &mut self,
        discs: Discs,
        effort: Effort,
        guess: i32,
        budget: &Budget,
    ) -> Option<i32> {
        self.age = self.age.wrapping_add(1);
        let crew = Crew::new(effort.threads, budget, &Unwatched);
        let found = Mutex::new(None);
        let work = || {
            let common = Common {
                space: &self.space,
                evaluation: &self.evaluation,
                margins: &self.margins,
                estimates: &self.estimates,
                order: &self.order,
                crew: &crew,
            };
            let mut search = Selective {
                common,
                root: discs,
                exact: None,
                table: &self.table,
                age: self.age,
                nodes: 0,
                reported: 0,
                stopped: budget.is_over(),
            };
            let score = self.converge(&mut search, discs, effort, guess);
            if score.is_some() {
                crew.finish();
                *found.lock().expect("no thread panics") = score;
            }
            search.report();
        };
        if effort.threads <= 1 {
            work();
        } else {
            // One works on this thread, so that the search goes on where the system starts no other.
            std::thread::scope(|scope| {
                for _ in 1..effort.threads {
                    let _ = start(scope, STACK, work);
                }
                work();
            });
        }
        self.nodes += crew.nodes();
        found.into_inner().expect("no thread panics")
    }

    /// Null windows from the guess on until the score lies between two bounds.
    fn converge(
        &self,
        search: &mut Selective<'_>,
        discs: Discs,
        effort: Effort,
        guess: i32,
    ) -> Option<i32> {
        let size = self.space.size;
        if search.stopped {
            return None;
        }
        let features = self.evaluation.layout.features(discs);
        let (mut lower, mut upper) = (-size, size);
        let mut alpha = (guess - 1).clamp(-size, size - 1);
        let mut step = 0;
        while lower < upper {
            let score = self.isa.run(Seems {
                search: &mut *search,
                discs,
                features: &features,
                depth: effort.depth,
                level: effort.level,
                alpha,
            });
            if search.stopped {
                return None;
            }
            let rose = score > alpha;
            if rose {
                lower = lower.max(score);
            } else {
                upper = upper.min(score);
            }
            alpha = match rose {
                // Cuts may say now this, now that.
                _ if lower >= upper => break,
                true if upper == size => lower + step,
                false if lower == -size => upper - 1 - step,
                true => lower,
                false => upper - 1,
            };
            alpha = alpha.clamp(lower, upper - 1);
            step = (2 * step).max(1).min(16);
        }
        Some(if lower == upper { lower } else { upper.max(-size) })
    }

    /// The move that seems best, if the position is remembered.
    fn best(&self, discs: Discs) -> u8 {
        let best = |is_ending| self.estimates.get(guess_key(discs, is_ending));
        let known = best(true).or_else(|| best(false));
        known.map_or(NONE, |guess| guess.moves[0])
    }
}

/// What a position seems to be worth at once, in discs.
struct Static<'a>(&'a Midgame, Discs);

impl Kernel for Static<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<M: Machine>(self) -> i32 {
        let Self(midgame, discs) = self;
        let space = &midgame.space;
        in_discs(midgame.evaluation.score_of::<M>(space, discs), space.size)
    }
}

/// The line of best play that the table remembers.
struct Line<'a> {
    midgame: &'a Midgame,
    discs: Discs,
    depth: u32,
}

impl Kernel for Line<'_> {
    type Output = Vec<Move>;

    #[inline(always)]
    fn run<M: Machine>(self) -> Vec<Move> {
        let Self {
            midgame,
            mut discs,
            depth,
        } = self;
        let space = &midgame.space;
        let mut line = Vec::new();
        while line.len() < depth as usize {
            let moves = space.placements::<M>(discs.own, discs.opponent);
            if moves == 0 {
                let passed = discs.passed();
                if space.placements::<M>(passed.own, passed.opponent) == 0 {
                    break;
                }
                line.push(Move::Pass);
                discs = passed;
                continue;
            }
            let best = midgame.best(discs);
            if best == NONE || moves >> best & 1 == 0 {
                break;
            }
            let turned = space.turned::<M>(discs.own, discs.opponent, best.into());
            discs = discs.after(best.into(), turned);
            line.push(Move::Place(Cell::new(best.into())));
        }
        line
    }
}
