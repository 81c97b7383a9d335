//! What a position seems to be worth, long before it can be solved: a selective search (`selective.rs`) to a
//! depth, with the fitted evaluation at its leaves, or to the end of the game. It guesses, and proves nothing.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use upstar_games::othello::Move;
use upstar_games::{Board, Cell, Color, Grid, Othello, Position, Rules};
use upstar_jobs::thread::{STACK, start};
use upstar_jobs::{Budget, Unwatched};
use upstar_machine::{Isa, Kernel, Machine};

use super::crew::Crew;
use super::discs::Discs;
use super::estimates::Estimates;
use super::line::Options;
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
    looked: u64,
    /// Between them lies the score of the last search, as far as it came.
    bounds: Mutex<(i32, i32)>,
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
    /// What is usual some plies ahead: cuts by one and a half standard deviations, by one thread.
    pub const PLIES: Self = Self {
        depth: 1,
        level: 1,
        threads: 1,
    };

    /// The usual with this depth.
    #[must_use]
    pub fn plies(depth: u32) -> Self {
        Self {
            depth,
            ..Self::PLIES
        }
    }
}

/// The chance to win that belongs to a lead of so many discs: the further the end of the game, the less a lead
/// means. A rough rule, not fitted.
#[must_use]
pub fn winning_chance(discs: f64, empties: u32) -> f64 {
    let scale = 1.0 + 0.11 * f64::from(empties);
    1.0 / (1.0 + (-discs / scale).exp())
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
    /// A search for this board with about so many bytes for its table: with the evaluation that the program
    /// brings along, or with a plain one where it brings none.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn new(game: &Othello<u64>, memory: usize) -> io::Result<Self> {
        let grid = grid(game);
        let fitted = weights::shipped(&grid).unwrap_or_else(|| weights::plain(&grid));
        Self::of(&grid, fitted, memory)
    }

    /// Whether the program brings an evaluation for this board along.
    #[must_use]
    pub fn is_fitted(game: &Othello<u64>) -> bool {
        weights::shipped(&grid(game)).is_some()
    }

    /// With what is fitted for this grid.
    pub(super) fn of(grid: &Grid, fitted: Fitted, memory: usize) -> io::Result<Self> {
        let space = Space::new(grid, false);
        let size = space.size;
        let Fitted {
            evaluation,
            probcut,
        } = fitted;
        Ok(Self {
            order: Order::hasty(Some(Arc::clone(&evaluation)), space.size),
            margins: Margins::new(&probcut),
            evaluation,
            space,
            estimates: Estimates::new(memory)?,
            table: Table::new(1 << 12)?,
            isa: Isa::best(),
            age: 0,
            nodes: 0,
            looked: 0,
            bounds: Mutex::new((-size, size)),
        })
    }

    /// How many cells are empty.
    pub(super) fn empties(&self, position: &Position<u64>) -> u32 {
        (self.space.board & !position.occupied()).count_ones()
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

    /// How many more were looked at only to order moves.
    #[must_use]
    pub fn looked(&self) -> u64 {
        self.looked
    }

    /// Bounds of the score that the last search had found when it ended, or was interrupted.
    #[must_use]
    pub fn last_bounds(&self) -> (f64, f64) {
        let (lower, upper) = *self.bounds.lock().unwrap_or_else(PoisonError::into_inner);
        (lower.into(), upper.into())
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
        let mut line = self.isa.run(Line {
            midgame: self,
            discs,
            depth: effort.depth,
        });
        if line.is_empty() && effort.depth > 0 {
            line.extend(self.first_of_line(discs, effort, score, budget)?);
        }
        Some(Estimate {
            discs: score.into(),
            depth: effort.depth,
            line,
        })
    }

    /// The score of a position in discs if that seems to be less than a ceiling; `Some(None)` if it seems to be as
    /// much or more, which takes less work to find out. `None` if the budget is spent first.
    pub fn estimate_below(
        &mut self,
        position: &Position<u64>,
        effort: Effort,
        ceiling: i32,
        budget: &Budget,
    ) -> Option<Option<i32>> {
        let discs = Discs {
            own: position.own,
            opponent: position.opponent,
        };
        let score = self.score_up_to(discs, effort, ceiling, ceiling, budget)?;
        Some((score < ceiling).then_some(score))
    }

    /// The best move where the search remembers none: one ply ahead, and in the last cells.
    fn first_of_line(
        &mut self,
        discs: Discs,
        effort: Effort,
        score: i32,
        budget: &Budget,
    ) -> Option<Option<Move>> {
        let effort = Effort {
            depth: effort.depth - 1,
            ..effort
        };
        let mut best = None;
        for (cell, next) in self.isa.run(Options(&self.space, discs)) {
            let reached = -self.score(next, effort, -score, budget)?;
            if best.is_none_or(|(most, _)| reached > most) {
                best = Some((reached, cell));
            }
        }
        Some(best.map(|(_, cell)| Move::Place(Cell::new(cell.into()))))
    }

    /// The score in discs.
    pub(super) fn score(
        &mut self,
        discs: Discs,
        effort: Effort,
        guess: i32,
        budget: &Budget,
    ) -> Option<i32> {
        self.score_up_to(discs, effort, guess, i32::MAX, budget)
    }

    /// The same; from `enough` on any score will do.
    fn score_up_to(
        &mut self,
        discs: Discs,
        effort: Effort,
        guess: i32,
        enough: i32,
        budget: &Budget,
    ) -> Option<i32> {
        self.age = self.age.wrapping_add(1);
        *self
            .bounds
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner) = (-self.space.size, self.space.size);
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
                looked: 0,
                reported: 0,
                stopped: budget.is_over(),
            };
            let score = self.converge(&mut search, discs, effort, guess, enough);
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
        self.looked += crew.looked();
        found.into_inner().expect("no thread panics")
    }

    /// Null windows from the guess on until the score lies between two bounds, or is enough.
    fn converge(
        &self,
        search: &mut Selective<'_>,
        discs: Discs,
        effort: Effort,
        guess: i32,
        enough: i32,
    ) -> Option<i32> {
        let size = self.space.size;
        if search.stopped {
            return None;
        }
        let features = self.evaluation.layout.features(discs);
        let empties = (self.space.board & !(discs.own | discs.opponent)).count_ones();
        // Most games end with a full board, and then the score is as odd as its size.
        let parity = (effort.depth >= empties && effort.level < SURE).then_some(size & 1);
        let other_parity = |score: i32| parity.map_or(0, |parity| (score & 1) ^ parity);
        let (mut lower, mut upper) = (-size, size);
        let mut alpha = guess - 1;
        let mut step = 0;
        while lower < upper && lower < enough {
            alpha = alpha.clamp(lower, upper - 1);
            // With a score of that parity in view, the question in the middle between two.
            alpha += parity.map_or(0, |_| 1 - other_parity(alpha));
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
                lower = lower.max(score + other_parity(score)).min(size);
            } else {
                upper = upper.min(score - other_parity(score)).max(-size);
            }
            self.keep_bounds(lower, upper);
            alpha = match rose {
                true if upper == size => lower + step,
                false if lower == -size => upper - 1 - step,
                true => lower,
                false => upper - 1,
            };
            step = (2 * step).clamp(1 + i32::from(parity.is_some()), 16);
        }
        // Cuts may say now this, now that.
        Some(if lower < enough { upper } else { lower })
    }

    fn keep_bounds(&self, lower: i32, upper: i32) {
        let mut bounds = self.bounds.lock().unwrap_or_else(PoisonError::into_inner);
        let (lower, upper) = (lower.max(bounds.0), upper.min(bounds.1));
        if lower <= upper {
            *bounds = (lower, upper);
        }
    }

    /// The move that seems best, if the position is remembered.
    fn best(&self, discs: Discs) -> u8 {
        let best = |discs, is_ending| {
            let guess = self.estimates.get(guess_key(discs, is_ending))?;
            Some(guess.moves[0]).filter(|&cell| cell != NONE)
        };
        let mirror = &self.space.mirror;
        let turned = || {
            let cell = best(mirror.normal(discs), true)?;
            mirror.origins(discs, cell).next()
        };
        let known = best(discs, true).or_else(turned);
        known.or_else(|| best(discs, false)).unwrap_or(NONE)
    }

    /// What it has guessed so far.
    pub(super) fn estimates(&self) -> &Estimates {
        &self.estimates
    }

    /// Counts cells that stay empty for the winner, or for nobody.
    pub(super) fn count_empties_to_winner(&mut self, to_winner: bool) {
        self.space.empties_to_winner = to_winner;
    }
}

/// The board of a game.
pub(super) fn grid(game: &Othello<u64>) -> Grid {
    let nobody = Position {
        own: 0,
        opponent: 0,
        to_move: Color::Black,
    };
    let Board::Grid(grid) = game.setup(&nobody).board else {
        unreachable!("Othello is played on grids")
    };
    grid
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

#[cfg(test)]
mod tests {
    use upstar_games::othello::{Opening, start};
    use upstar_games::{Game, Random, random_move};

    use super::super::selfplay::discs_of;
    use super::*;

    struct Seen<'a>(&'a Midgame, Discs);
    impl Kernel for Seen<'_> {
        type Output = i32;
        #[inline(always)]
        fn run<M: Machine>(self) -> i32 {
            let Self(midgame, discs) = self;
            midgame.evaluation.score_of::<M>(&midgame.space, discs)
        }
    }

    /// By the rules and the definition: all lines, the evaluation in whole discs at their ends.
    fn plainly(midgame: &Midgame, game: &Othello<u64>, at: &Position<u64>, depth: u32) -> i32 {
        if let Some(score) = game.score(at) {
            return score;
        }
        let scores = game.moves(at).map(|mv| {
            let next = game.play_unchecked(at, mv);
            let is_ending = depth >= midgame.empties(at);
            if depth == 1 && mv != Move::Pass && !is_ending {
                let seen = Isa::best().run(Seen(midgame, discs_of(&next)));
                return in_discs(-seen, midgame.space.size);
            }
            let depth = if mv == Move::Pass { depth } else { depth - 1 };
            -plainly(midgame, game, &next, depth)
        });
        scores.max().expect("the game is not over")
    }

    fn positions(size: &str, empties: u32) -> (Othello<u64>, Vec<Position<u64>>) {
        let grid: Grid = size.parse().unwrap();
        let game = Othello::<u64>::new(grid);
        let setup = start(grid, Opening::DIAGONAL).unwrap();
        let mut random = Random::new(9);
        let position = |_| {
            let mut position = game.position(&setup, Color::Black).unwrap();
            while grid.len() as u32 - position.occupied().count_ones() > empties
                && let Some(mv) = random_move(&game, &position, &mut random)
            {
                position = game.play_unchecked(&position, mv);
            }
            position
        };
        let positions = (0..6).map(position).collect();
        (game, positions)
    }

    /// A full board has an even score, and a search that ends has one score left.
    #[test]
    fn endings_with_cuts_are_even_and_bounded() {
        let (game, positions) = positions("8x8", 13);
        let mut midgame = Midgame::new(&game, 1 << 20).unwrap();
        for position in positions {
            let empties = midgame.empties(&position);
            for level in 0..Effort::SURE {
                let effort = Effort {
                    level,
                    ..Effort::plies(empties)
                };
                let budget = Budget::unlimited();
                let found = midgame.estimate(&position, effort, None, &budget).unwrap();
                assert_eq!(found.discs % 2.0, 0.0, "level {level}");
                let (low, high) = midgame.last_bounds();
                assert!((low..=high).contains(&found.discs) && high - low <= 2.0);
            }
            let effort = Effort::plies(empties);
            let spent = Budget::unlimited();
            spent.cancel();
            assert!(midgame.estimate(&position, effort, None, &spent).is_none());
            assert_eq!(midgame.last_bounds(), (-64.0, 64.0));
        }
    }

    #[test]
    fn without_cuts_it_finds_what_all_lines_give() {
        for (size, empties) in [("8x8", 40), ("8x8", 12), ("6x6", 8), ("5x5", 9), ("4x4", 7)] {
            let (game, positions) = positions(size, empties);
            for position in positions {
                let mut midgame = Midgame::new(&game, 1 << 20).unwrap();
                for depth in 1..=4 {
                    for threads in [1, 2] {
                        let effort = Effort {
                            depth,
                            level: Effort::SURE,
                            threads,
                        };
                        let budget = Budget::unlimited();
                        let found = midgame.estimate(&position, effort, None, &budget).unwrap();
                        let plain = plainly(&midgame, &game, &position, depth);
                        let shown = game.setup(&position);
                        assert_eq!(found.discs, f64::from(plain), "{shown}, {depth} plies");
                        let mut now = position;
                        for &mv in &found.line {
                            assert!(game.moves(&now).any(|legal| legal == mv));
                            now = game.play_unchecked(&now, mv);
                        }
                        assert_eq!(found.line.is_empty(), game.score(&position).is_some());
                    }
                }
            }
        }
    }

    #[test]
    fn cuts_change_scores_little() {
        let (game, positions) = positions("8x8", 16);
        let (mut off, mut searched) = (0.0, [0, 0]);
        for position in positions {
            let mut scores = Vec::new();
            for (index, level) in [2, Effort::SURE].into_iter().enumerate() {
                let mut midgame = Midgame::new(&game, 1 << 22).unwrap();
                let effort = Effort {
                    level,
                    ..Effort::plies(16)
                };
                let found = midgame.estimate(&position, effort, None, &Budget::unlimited());
                scores.push(found.unwrap().discs);
                searched[index] += midgame.nodes();
            }
            off += (scores[0] - scores[1]).abs();
        }
        assert!(off / 6.0 < 3.0, "{off}");
        assert!(searched[0] < searched[1], "{searched:?}");
    }

    #[test]
    fn a_spent_budget_gives_no_estimate() {
        let (game, positions) = positions("8x8", 50);
        let budget = Budget::unlimited();
        budget.cancel();
        let mut midgame = Midgame::new(&game, 1 << 20).unwrap();
        let effort = Effort::plies(30);
        assert_eq!(midgame.estimate(&positions[0], effort, None, &budget), None);
    }

    #[test]
    fn what_is_forgotten_changes_nothing() {
        let (game, positions) = positions("8x8", 30);
        let mut midgame = Midgame::new(&game, 1 << 16).unwrap();
        let estimate = |midgame: &mut Midgame, position| {
            midgame.forget();
            let before = midgame.nodes();
            let found = midgame.estimate(position, Effort::plies(7), None, &Budget::unlimited());
            (found, midgame.nodes() - before)
        };
        let first = estimate(&mut midgame, &positions[0]);
        estimate(&mut midgame, &positions[1]);
        assert_eq!(estimate(&mut midgame, &positions[0]), first);
    }
}
