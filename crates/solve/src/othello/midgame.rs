//! What a position seems to be worth, long before it can be solved: principal-variation search to a
//! depth, with the fitted evaluation at its leaves. It guesses, and proves nothing.

use std::sync::Arc;

use upstar_games::othello::Move;
use upstar_games::{Board, Cell, Color, Grid, Othello, Position, Rules};
use upstar_jobs::Budget;
use upstar_machine::{Isa, Kernel, Machine};

use super::discs::Discs;
use super::patterns::{DISC, Evaluation};
use super::search::{Child, Children};
use super::space::Space;
use super::table::{NONE, key};
use super::weights;
use crate::key::Key;

/// Above every score.
const INFINITE: i32 = i32::MAX / 2;
/// With fewer plies to go moves are tried as they come.
const SORTED: u32 = 2;
/// From so many plies on results are remembered.
const REMEMBERED: u32 = 2;

/// Searches positions of one board. What it has seen it remembers from one to the next.
pub struct Midgame {
    space: Space,
    evaluation: Arc<Evaluation>,
    table: Vec<[Entry; 2]>,
    isa: Isa,
    nodes: u64,
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

/// What is remembered of a position.
#[derive(Clone, Copy, Default)]
struct Entry {
    check: u64,
    score: i32,
    depth: u8,
    bound: Bound,
    best: u8,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Bound {
    #[default]
    Nothing,
    AtLeast,
    AtMost,
    Exactly,
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
        Self::of_grid(&grid, memory)
    }

    fn of_grid(grid: &Grid, memory: usize) -> Option<Self> {
        let places = (memory / size_of::<[Entry; 2]>()).max(1 << 10);
        let places = 1 << places.ilog2();
        Some(Self {
            evaluation: weights::shipped(grid)?,
            space: Space::new(grid, false),
            table: vec![[Entry::default(); 2]; places],
            isa: Isa::best(),
            nodes: 0,
        })
    }

    /// How many positions were looked at so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What a position seems to be worth after so many plies; `None` if the budget is spent first.
    pub fn estimate(
        &mut self,
        position: &Position<u64>,
        depth: u32,
        budget: &Budget,
    ) -> Option<Estimate> {
        let discs = Discs {
            own: position.own,
            opponent: position.opponent,
        };
        let isa = self.isa;
        let mut search = Search {
            space: &self.space,
            evaluation: &self.evaluation,
            table: &mut self.table,
            budget,
            nodes: self.nodes,
            stopped: budget.is_over(),
        };
        let score = isa.run(Best {
            search: &mut search,
            discs,
            depth,
            alpha: -INFINITE,
            beta: INFINITE,
        });
        let (stopped, nodes) = (search.stopped, search.nodes);
        self.nodes = nodes;
        if stopped {
            return None;
        }
        let most = f64::from(self.space.size);
        Some(Estimate {
            discs: (f64::from(score) / f64::from(DISC)).clamp(-most, most),
            depth,
            line: isa.run(Line {
                midgame: self,
                discs,
                depth,
            }),
        })
    }

    fn get(&self, discs: Discs) -> Option<Entry> {
        find(&self.table, key(discs.own, discs.opponent))
    }
}

fn place(places: usize, key: Key) -> usize {
    key as usize & (places - 1)
}

fn find(table: &[[Entry; 2]], key: Key) -> Option<Entry> {
    let check = (key >> 64) as u64;
    let entries = &table[place(table.len(), key)];
    let matches = |entry: &&Entry| entry.check == check && entry.bound != Bound::Nothing;
    entries.iter().find(matches).copied()
}

struct Search<'a> {
    space: &'a Space,
    evaluation: &'a Evaluation,
    table: &'a mut [[Entry; 2]],
    budget: &'a Budget,
    nodes: u64,
    /// The budget is spent, and what is returned means nothing.
    stopped: bool,
}

impl Search<'_> {
    /// Remembers: what was searched deepest in the first place, anything else in the second.
    fn put(&mut self, key: Key, entry: Entry) {
        let index = place(self.table.len(), key);
        let entries = &mut self.table[index];
        let old = entries[0];
        let same = old.check == entry.check;
        if same || entry.depth >= old.depth || old.bound == Bound::Nothing {
            if !same {
                entries[1] = old;
            }
            entries[0] = entry;
        } else {
            entries[1] = entry;
        }
    }
}

/// The best score of the side to move: exact inside the window, otherwise a bound.
struct Best<'s, 'a> {
    search: &'s mut Search<'a>,
    discs: Discs,
    depth: u32,
    alpha: i32,
    beta: i32,
}

impl Kernel for Best<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<M: Machine>(self) -> i32 {
        let Self {
            search,
            discs,
            depth,
            mut alpha,
            beta,
        } = self;
        let (space, evaluation) = (search.space, search.evaluation);
        let empties = (space.board & !(discs.own | discs.opponent)).count_ones();
        search.nodes += 1;
        if search.nodes.is_multiple_of(1024) {
            search.stopped |= search.budget.is_over();
        }
        if search.stopped {
            return alpha;
        }
        if depth == 0 {
            return evaluation.score::<M>(discs, empties);
        }
        let moves = space.placements::<M>(discs.own, discs.opponent);
        if moves == 0 {
            let passed = discs.passed();
            if space.placements::<M>(passed.own, passed.opponent) == 0 {
                return DISC * space.final_score(discs);
            }
            return -M::call(Best {
                search,
                discs: passed,
                depth,
                alpha: -beta,
                beta: -alpha,
            });
        }
        let key = key(discs.own, discs.opponent);
        let mut known = NONE;
        if depth >= REMEMBERED
            && let Some(entry) = find(search.table, key)
        {
            known = entry.best;
            let deep = u32::from(entry.depth) >= depth;
            let decides = match entry.bound {
                Bound::Exactly => true,
                Bound::AtLeast => entry.score >= beta,
                Bound::AtMost => entry.score <= alpha,
                Bound::Nothing => false,
            };
            if deep && decides {
                return entry.score;
            }
        }
        let mut children = children::<M>(search, discs, moves, depth, known);
        let (low, mut best, mut cell) = (alpha, -INFINITE, NONE);
        for first in 0..children.len() {
            let rest = &children[first..];
            let pick = (0..rest.len()).max_by_key(|&at| (rest[at].rank, std::cmp::Reverse(at)));
            children.swap(first, first + pick.expect("there is a child"));
            let child = &children[first];
            let (next, depth) = (child.discs, depth - 1);
            let mut searched = |alpha: i32, beta: i32| {
                -M::call(Best {
                    search,
                    discs: next,
                    depth,
                    alpha: -beta,
                    beta: -alpha,
                })
            };
            let mut score = if first == 0 || depth == 0 {
                searched(alpha, beta)
            } else {
                searched(alpha, alpha + 1)
            };
            if first > 0 && score > alpha && score < beta {
                score = searched(alpha, beta);
            }
            if search.stopped {
                return alpha;
            }
            if score > best {
                (best, cell) = (score, child.cell);
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        if depth >= REMEMBERED {
            let bound = match best {
                _ if best >= beta => Bound::AtLeast,
                _ if best <= low => Bound::AtMost,
                _ => Bound::Exactly,
            };
            let entry = Entry {
                check: (key >> 64) as u64,
                score: best,
                depth: depth as u8,
                bound,
                best: cell,
            };
            search.put(key, entry);
        }
        best
    }
}

/// The moves with their ranks, the one that is known to be good highest.
#[inline(always)]
fn children<M: Machine>(
    search: &Search<'_>,
    discs: Discs,
    mut moves: u64,
    depth: u32,
    known: u8,
) -> Children {
    let space = search.space;
    let empties = (space.board & !(discs.own | discs.opponent)).count_ones();
    let mut children = Children::new();
    while moves != 0 {
        let cell = moves.trailing_zeros() as u8;
        moves &= moves - 1;
        let turned = space.turned::<M>(discs.own, discs.opponent, cell.into());
        let next = discs.after(cell.into(), turned);
        let rank = if cell == known {
            i32::MAX
        } else if depth < SORTED {
            0
        } else {
            let replies = space.placements::<M>(next.own, next.opponent);
            let mobility = (replies.count_ones() + (replies & space.corners).count_ones()) as i32;
            let seen = search.evaluation.score::<M>(next, empties - 1);
            -8 * seen / DISC - 16 * mobility
        };
        children.push(Child {
            discs: next,
            cell,
            key: 0,
            rank,
        });
    }
    children
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
            let best = midgame.get(discs).map_or(NONE, |entry| entry.best);
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
    use upstar_games::{Game, Random};

    use super::super::order::Judge;
    use super::*;

    fn random_position(game: &Othello<u64>, grid: Grid, empties: u32, seed: u64) -> Position<u64> {
        let mut random = Random::new(seed);
        loop {
            let start =
                upstar_games::othello::start(grid, upstar_games::othello::Opening::Diagonal);
            let mut position = game.position(&start.unwrap(), Color::Black).unwrap();
            while game.score(&position).is_none() {
                let empty = (grid.rows() * grid.cols()) as u32 - position.occupied().count_ones();
                if empty == empties {
                    return position;
                }
                let moves: Vec<Move> = game.moves(&position).collect();
                let mv = moves[random.below(moves.len() as u32) as usize];
                position = game.play_unchecked(&position, mv);
            }
        }
    }

    #[test]
    fn it_finds_what_plain_alpha_beta_finds() {
        for (size, empties) in [("8x8", 40), ("8x8", 18), ("6x6", 12)] {
            let grid: Grid = size.parse().unwrap();
            let game = Othello::<u64>::new(grid);
            for seed in 0..4 {
                let position = random_position(&game, grid, empties, seed);
                let mut midgame = Midgame::new(&game, 1 << 20).unwrap();
                for depth in 1..=5 {
                    let estimate = midgame.estimate(&position, depth, &Budget::unlimited());
                    let (alpha, beta) = (-i32::MAX, i32::MAX);
                    let discs = Discs {
                        own: position.own,
                        opponent: position.opponent,
                    };
                    let plain = midgame.isa.run(Judge {
                        space: &midgame.space,
                        evaluation: &midgame.evaluation,
                        discs,
                        depth,
                        alpha,
                        beta,
                    });
                    let most = f64::from(midgame.space.size);
                    let plain = (f64::from(plain) / f64::from(DISC)).clamp(-most, most);
                    let found = estimate.unwrap();
                    assert_eq!(found.discs, plain, "{size}, {empties} empty, {depth} plies");
                    let mut now = position;
                    for &mv in &found.line {
                        assert!(game.moves(&now).any(|legal| legal == mv));
                        now = game.play_unchecked(&now, mv);
                    }
                }
            }
        }
    }

    #[test]
    fn a_spent_budget_gives_no_estimate() {
        let grid: Grid = "8x8".parse().unwrap();
        let game = Othello::<u64>::new(grid);
        let position = random_position(&game, grid, 50, 1);
        let budget = Budget::unlimited();
        budget.cancel();
        let mut midgame = Midgame::new(&game, 1 << 20).unwrap();
        assert_eq!(midgame.estimate(&position, 30, &budget), None);
        assert!(Midgame::new(&Othello::<u64>::new("2x9".parse().unwrap()), 1 << 20).is_none());
    }
}
