//! Depth-first proof-number search, df-pn (Nagai 2002; proof numbers: Allis 1994): go where the
//! proof, or the refutation, seems to need the fewest further positions.
//!
//! It answers yes-or-no questions only, so draws need two: can the side to move win? If not, can it
//! draw? The second is asked only if a drawn game was seen on the way to the first answer.
//!
//! The numbers of all moves along the current line are kept outside the table (a few kilobytes), so
//! the search ends however small the table is: see [`PATIENCE`].

use upstar_games::{Color, Game};

use super::table::Table;
use super::walk::{Halt, Proof, Walk};
use crate::answer::Outcome;

/// How often the search goes down a move before the numbers of that move may no longer fall. The
/// count begins anew whenever the search comes back to the position.
///
/// With a table that forgets, numbers could otherwise go up and down forever. Each time the search
/// comes up again, the move is settled or one of its numbers has reached a limit above what it was.
/// Numbers that never fall, and cannot exceed the number of lines of play, do so only finitely often.
/// A table of useful size hardly ever comes to this.
const PATIENCE: u32 = 16;

/// Solves the position with a table of this many bytes.
pub(super) fn solve<G: Game>(
    walk: &mut Walk<'_, G>,
    position: &G::Position,
    memory: usize,
) -> Result<Proof<G::Move>, Halt> {
    let first_move = walk.game.moves(position).next();
    let mut draws = false;
    for aim in [Outcome::Win, Outcome::Draw] {
        if aim == Outcome::Draw && !draws {
            break;
        }
        let mut question = Question {
            aim,
            attacker: walk.game.to_move(position),
            table: Table::new(memory)?,
            draws: false,
            walk,
        };
        let (numbers, best) = question.search(position, 0, Numbers::UNLIMITED)?;
        if numbers == Numbers::YES {
            let outcome = aim;
            return Ok(Proof { outcome, best });
        }
        draws = question.draws;
    }
    Ok(Proof {
        outcome: Outcome::Loss,
        best: first_move,
    })
}

/// How many positions at least must be settled to show that the side to move has its way, `phi`, and
/// that it has not, `delta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    phi: u32,
    delta: u32,
}

const INFINITE: u32 = u32::MAX;

impl Numbers {
    const YES: Self = Self {
        phi: 0,
        delta: INFINITE,
    };
    const NO: Self = Self {
        phi: INFINITE,
        delta: 0,
    };
    const UNKNOWN: Self = Self { phi: 1, delta: 1 };
    const UNLIMITED: Self = Self {
        phi: INFINITE,
        delta: INFINITE,
    };

    fn is_settled(self) -> bool {
        self == Self::YES || self == Self::NO
    }

    fn reaches(self, limits: Self) -> bool {
        self.phi >= limits.phi || self.delta >= limits.delta
    }

    fn at_least(self, other: Self) -> Self {
        Self {
            phi: self.phi.max(other.phi),
            delta: self.delta.max(other.delta),
        }
    }
}

/// A move of the position that is being searched.
struct Child<G: Game> {
    mv: G::Move,
    position: G::Position,
    /// As seen by the opponent, who is to move there.
    numbers: Numbers,
    visits: u32,
}

/// Can `attacker` reach `aim` or better?
struct Question<'s, 'a, G: Game> {
    walk: &'s mut Walk<'a, G>,
    table: Table<G::Position, Numbers>,
    attacker: Color,
    aim: Outcome,
    /// Whether a drawn game was seen.
    draws: bool,
}

impl<G: Game> Question<'_, '_, G> {
    /// Searches until one of the numbers reaches its limit; gives them and, if the answer is yes, the
    /// move that shows it, unless the table knew.
    fn search(
        &mut self,
        position: &G::Position,
        ply: u32,
        limits: Numbers,
    ) -> Result<(Numbers, Option<G::Move>), Halt> {
        self.walk.visit()?;
        if let Some(&numbers) = self.table.find(position)
            && numbers.is_settled()
        {
            return Ok((numbers, None));
        }
        let mut children = self.children(position);
        if children.is_empty() {
            let numbers = self.settle(position);
            self.table.store(position, ply, numbers)?;
            return Ok((numbers, None));
        }
        loop {
            let numbers = combined(&children);
            if numbers.reaches(limits) {
                self.table.store(position, ply, numbers)?;
                let refuted = children.iter().find(|child| child.numbers.delta == 0);
                return Ok((numbers, refuted.map(|child| child.mv)));
            }
            let (child, second) = easiest(&mut children);
            let limits = Numbers {
                phi: child
                    .numbers
                    .phi
                    .saturating_add(limits.delta - numbers.delta),
                // A quarter more than the next best move needs, so that the search does not jump
                // between two moves at every step (Pawlewicz and Lew 2007).
                delta: limits.phi.min(second.saturating_add(second / 4 + 1)),
            };
            let (found, _) = self.search(&child.position, ply + 1, limits)?;
            child.visits += 1;
            child.numbers = if found.is_settled() || child.visits < PATIENCE {
                found
            } else {
                found.at_least(child.numbers)
            };
        }
    }

    /// The moves with what the table knows of them.
    fn children(&self, position: &G::Position) -> Vec<Child<G>> {
        let game = self.walk.game;
        let child = |mv| {
            let position = game.play_unchecked(position, mv);
            let known = self.table.find(&position).copied();
            Child {
                mv,
                position,
                numbers: known.unwrap_or(Numbers::UNKNOWN),
                visits: 0,
            }
        };
        game.moves(position).map(child).collect()
    }

    /// The answer for the side to move once the game is over.
    fn settle(&mut self, position: &G::Position) -> Numbers {
        let outcome = self.walk.result(position);
        self.draws |= outcome == Outcome::Draw;
        let has_its_way = if self.walk.game.to_move(position) == self.attacker {
            outcome >= self.aim
        } else {
            outcome.reversed() < self.aim
        };
        if has_its_way {
            Numbers::YES
        } else {
            Numbers::NO
        }
    }
}

/// To have its way a side needs one move that the opponent cannot answer; not to have it, all must
/// fail.
fn combined<G: Game>(children: &[Child<G>]) -> Numbers {
    let mut numbers = Numbers::NO;
    for Child { numbers: child, .. } in children {
        if *child == Numbers::NO {
            return Numbers::YES;
        }
        numbers.phi = numbers.phi.min(child.delta);
        // However large, a sum is not a proof.
        numbers.delta = numbers.delta.saturating_add(child.phi).min(INFINITE - 1);
    }
    numbers
}

/// The move that the opponent can answer least, and the delta of the next one.
fn easiest<G: Game>(children: &mut [Child<G>]) -> (&mut Child<G>, u32) {
    let mut second = INFINITE;
    let mut best = 0;
    for index in 1..children.len() {
        let delta = children[index].numbers.delta;
        let least = children[best].numbers.delta;
        if delta < least {
            (best, second) = (index, least);
        } else {
            second = second.min(delta);
        }
    }
    (&mut children[best], second)
}
