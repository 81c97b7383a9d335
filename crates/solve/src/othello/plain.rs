//! The plain way, for rules that the fast search does not know: Reversi, and boards of more than 64
//! cells. Alpha-beta with a table of bounds, moves with fewest replies first.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io::ErrorKind;

use upstar_games::othello::Move;
use upstar_games::{Cells, Game};

use super::{Question, answer};
use crate::answer::Answer;
use crate::error::SolveError;
use upstar_jobs::Budget;

/// Solves positions of any game with Othello's moves. Its memory is taken once; each search begins with an
/// empty table.
pub struct Solver<G: Game> {
    game: G,
    empties_to_winner: bool,
    table: Vec<Option<Known<G::Position>>>,
}

/// The most entries that a search uses.
const MOST: usize = 4 << 20;

impl<G: Game<Move = Move> + Clone> Solver<G> {
    /// A solver with this many bytes for its table, one entry at least. Where `empties_to_winner`, cells
    /// that stay empty count for the winner.
    ///
    /// # Errors
    /// If the system has no room for the table.
    pub fn new(game: &G, empties_to_winner: bool, memory: usize) -> Result<Self, SolveError> {
        let entries = (memory / size_of::<Option<Known<G::Position>>>()).clamp(1, MOST);
        let mut table = Vec::new();
        let refused = |_| SolveError::NoRoom(memory, ErrorKind::OutOfMemory.into());
        table.try_reserve_exact(entries).map_err(refused)?;
        Ok(Self {
            game: game.clone(),
            empties_to_winner,
            table,
        })
    }

    /// Solves a position with at most this much of its memory; however little it is, the answer stays
    /// right.
    pub fn solve(
        &mut self,
        position: &G::Position,
        question: Question,
        memory: usize,
        budget: &Budget,
    ) -> Answer<Move> {
        // No more places than positions that a search of this size may meet.
        let places = 4usize << (self.game.plies_left(position) / 2).min(20);
        let entries = memory / size_of::<Option<Known<G::Position>>>();
        let entries = entries.min(places).clamp(1, self.table.capacity());
        self.table.clear();
        self.table.resize(entries, None);
        let search = Search {
            game: &self.game,
            empties_to_winner: self.empties_to_winner,
            budget,
            nodes: 0,
            hasher: BuildHasherDefault::new(),
            table: &mut self.table,
        };
        search.solve(position, question)
    }
}

struct Search<'a, G: Game> {
    game: &'a G,
    empties_to_winner: bool,
    budget: &'a Budget,
    nodes: u64,
    hasher: BuildHasherDefault<DefaultHasher>,
    table: &'a mut [Option<Known<G::Position>>],
}

/// A position and the bounds of its score.
#[derive(Clone, Copy)]
struct Known<P> {
    position: P,
    lower: i16,
    upper: i16,
}

impl<G: Game<Move = Move>> Search<'_, G> {
    fn solve(mut self, position: &G::Position, question: Question) -> Answer<Move> {
        let size = self.game.setup(position).board.cells().len() as i32;
        // Both windows of the first question meet the same table, so the second costs little.
        let windows: &[(i32, i32)] = match question {
            Question::Winner => &[(-1, 0), (0, 1)],
            Question::Score => &[(-size, size)],
        };
        let (mut lower, mut upper) = (-size, size);
        for &(alpha, beta) in windows {
            let Some(score) = self.score(position, alpha, beta) else {
                let proved = (lower, upper);
                return answer(
                    question,
                    self.game.to_move(position),
                    proved,
                    Vec::new(),
                    self.nodes,
                );
            };
            if score > alpha {
                lower = lower.max(score.min(beta));
            }
            if score < beta {
                upper = upper.min(score.max(alpha));
            }
            if upper < 0 {
                break;
            }
        }
        // What the side to move keeps, as in `line.rs`.
        let keep = match question {
            Question::Score => lower,
            Question::Winner if lower > 0 => 1,
            Question::Winner if upper < 0 => -size,
            Question::Winner => 0,
        };
        let line = best_play(&mut self, position, keep, question, size);
        answer(
            question,
            self.game.to_move(position),
            (lower, upper),
            line,
            self.nodes,
        )
    }

    /// The score for the side to move once the game is over.
    fn final_score(&self, position: &G::Position) -> Option<i32> {
        let score = self.game.score(position)?;
        if !self.empties_to_winner {
            return Some(score);
        }
        let setup = self.game.setup(position);
        let discs = setup.occupied();
        let empty = (setup.board.cells() & !discs).len() as i32;
        Some(score + score.signum() * empty)
    }

    /// The score, or a bound beyond the window on its side; `None` if the budget is spent.
    fn score(&mut self, position: &G::Position, alpha: i32, beta: i32) -> Option<i32> {
        if self.budget.is_spent(self.nodes) {
            return None;
        }
        self.nodes += 1;
        if let Some(score) = self.final_score(position) {
            return Some(score);
        }
        let place = self.hasher.hash_one(position) as usize % self.table.len();
        let known = self.table[place].filter(|known| known.position == *position);
        let (low, high) = known.map_or((i16::MIN, i16::MAX), |known| (known.lower, known.upper));
        let (low, high) = (i32::from(low), i32::from(high));
        if low >= beta || low == high {
            return Some(low);
        }
        if high <= alpha {
            return Some(high);
        }
        let mut best = i32::MIN;
        let mut reached = alpha.max(low);
        for (_, next) in self.children(position) {
            let score = -self.score(&next, -beta.min(high), -reached)?;
            best = best.max(score);
            reached = reached.max(best);
            if reached >= beta.min(high) {
                break;
            }
        }
        let (mut lower, mut upper) = (low, high);
        if best > alpha {
            lower = lower.max(best);
        }
        if best < beta {
            upper = upper.min(best);
        }
        // A score above the old upper bound cannot be; equal to it, it is exact.
        if best == high {
            lower = best;
        }
        let (lower, upper) = (lower as i16, upper as i16);
        self.table[place] = Some(Known {
            position: *position,
            lower,
            upper,
        });
        Some(best)
    }

    /// Moves and what they lead to, fewest replies first.
    fn children(&self, position: &G::Position) -> Vec<(Move, G::Position)> {
        let next = |mv| (mv, self.game.play_unchecked(position, mv));
        let mut children: Vec<_> = self.game.moves(position).map(next).collect();
        if children.len() > 1 {
            children.sort_by_cached_key(|(_, next)| self.game.count_moves(next));
        }
        children
    }
}

fn best_play<G: Game<Move = Move>>(
    search: &mut Search<'_, G>,
    root: &G::Position,
    mut keep: i32,
    question: Question,
    size: i32,
) -> Vec<Move> {
    let mut line = Vec::new();
    let mut position = *root;
    loop {
        let children = search.children(&position);
        let mut chosen = None;
        for (index, &(mv, next)) in children.iter().enumerate() {
            let keeps = index + 1 == children.len() || keep == -size || {
                let Some(score) = search.score(&next, -keep, -keep + 1) else {
                    return line;
                };
                score <= -keep
            };
            if keeps {
                chosen = Some((mv, next));
                break;
            }
        }
        let Some((mv, next)) = chosen else {
            return line;
        };
        line.push(mv);
        position = next;
        keep = match question {
            Question::Score => -keep,
            Question::Winner if keep == 1 => -size,
            Question::Winner if keep == 0 => 0,
            Question::Winner => 1,
        };
    }
}
