//! One simulation after another: down the tree, a random game, and back up with its result and with
//! whatever it proves.

use upstar_games::{Kernel, Machine, Random, random_move};
use upstar_solve::Outcome;

use super::explore::Exploration;
use super::tree::{Below, ROOT, Tree, points};
use crate::playable::Playable;
use crate::prover::Prover;

/// What simulations need beside the tree, kept from one to the next so that none allocates.
pub(super) struct Workplace<G: Playable> {
    /// Blocks and children from the root to the leaf.
    path: Vec<(usize, usize)>,
    codes: Vec<u16>,
    /// For each move and side the last simulation in which it was played, for all moves as first.
    played: Vec<[u64; 2]>,
    simulation: u64,
    /// For exact results.
    prover: Option<Box<dyn Prover<G>>>,
}

impl<G: Playable> Workplace<G> {
    pub(super) fn new(amaf: bool, prover: Option<Box<dyn Prover<G>>>) -> Self {
        Self {
            path: Vec::with_capacity(512),
            codes: Vec::with_capacity(512),
            played: if amaf {
                vec![[0; 2]; 1 << 16]
            } else {
                Vec::new()
            },
            simulation: 0,
            prover,
        }
    }
}

/// So many simulations from one position.
pub(super) struct Simulations<'a, G: Playable> {
    pub(super) game: &'a G,
    pub(super) root: G::Position,
    pub(super) tree: &'a mut Tree,
    pub(super) exploration: &'a Exploration,
    pub(super) workplace: &'a mut Workplace<G>,
    pub(super) random: &'a mut Random,
    /// Whether results are proved.
    pub(super) solve: bool,
    /// With at most this much of the game left a leaf is solved; 0 for never.
    pub(super) exact: u32,
    pub(super) count: u64,
}

impl<G: Playable> Kernel for Simulations<'_, G> {
    /// How many were made: fewer if the root's result is proved.
    type Output = u64;

    #[inline(always)]
    fn run<M: Machine>(mut self) -> u64 {
        for made in 0..self.count {
            if self.tree.outcome.is_some() {
                return made;
            }
            self.simulate();
        }
        self.count
    }
}

impl<G: Playable> Simulations<'_, G> {
    #[inline(always)]
    fn simulate(&mut self) {
        let mut position = self.root;
        let (mut block, mut visits) = (ROOT, self.tree.visits);
        self.workplace.path.clear();
        self.workplace.simulation += 1;
        let leaf = loop {
            let random = &mut *self.random;
            let untried = self.tree.untried(block, |below| random.below(below));
            let child = match untried {
                Some(child) => child,
                None => self.tree.select(block, self.exploration.scale(visits)),
            };
            self.workplace.path.push((block, child));
            let entry = self.tree.entry(block, child);
            position = self.game.play_unchecked(&position, G::decode(entry.code));
            match entry.below {
                Below::Block(below) => block = below,
                Below::Known(outcome) => break (outcome, false),
                Below::Nothing if entry.visits == 0 => break self.judge(&position),
                Below::Nothing => {
                    let codes = &mut self.workplace.codes;
                    codes.clear();
                    // Measured: much faster than to extend by an iterator.
                    let moves = self.game.moves(&position);
                    moves.for_each(|mv| codes.push(G::encode(mv)));
                    match self.tree.grow(codes) {
                        Some(below) => {
                            self.tree.link(block, child, Below::Block(below));
                            block = below;
                        }
                        None => break self.judge(&position),
                    }
                }
            }
            visits = entry.visits;
        };
        self.back_up(leaf);
    }

    /// The result at a leaf for the side that moved there, and whether it is certain.
    #[inline(always)]
    fn judge(&mut self, position: &G::Position) -> (Outcome, bool) {
        if self.exact > 0
            && self.game.left(position) <= self.exact
            && let Some(prover) = &mut self.workplace.prover
        {
            return (prover.outcome(position).reversed(), true);
        }
        let (score, plies) = if self.tree.amaf.is_some() {
            self.recorded_playout(position)
        } else {
            let playout = self.game.playout(position, self.random);
            (playout.score, playout.plies)
        };
        let outcome = match score {
            1.. => Outcome::Loss,
            0 => Outcome::Draw,
            _ => Outcome::Win,
        };
        (outcome, plies == 0)
    }

    /// A random game whose moves are noted.
    #[inline(never)]
    fn recorded_playout(&mut self, position: &G::Position) -> (i32, u32) {
        let mut position = *position;
        let mut plies = 0;
        // The side to move at the root is 0.
        let mut side = self.workplace.path.len() % 2;
        while let Some(mv) = random_move(self.game, &position, self.random) {
            self.workplace.played[usize::from(G::encode(mv))][side] = self.workplace.simulation;
            position = self.game.play_unchecked(&position, mv);
            plies += 1;
            side = 1 - side;
        }
        let score = self.game.score(&position).expect("a game without moves is over");
        (if plies % 2 == 0 { score } else { -score }, plies)
    }

    #[inline(always)]
    fn back_up(&mut self, (outcome, certain): (Outcome, bool)) {
        let mut outcome = outcome;
        let mut won = points(outcome);
        let mut certain = certain;
        self.tree.visits += 1;
        let path = std::mem::take(&mut self.workplace.path);
        for (depth, &(block, child)) in path.iter().enumerate().rev() {
            self.tree.visit(block, child, won);
            if self.tree.amaf.is_some() {
                self.note_all_moves(block, child, depth, won);
            }
            if certain {
                if !self.solve {
                    self.tree.link(block, child, Below::Known(outcome));
                    certain = false;
                } else if let Some(proved) = self.tree.prove(block, child, outcome) {
                    outcome = proved.reversed();
                    // What is proved counts, whatever the random game said.
                    won = 2 - points(outcome);
                } else {
                    certain = false;
                }
            }
            won = 2 - won;
        }
        self.workplace.path = path;
        if certain {
            self.tree.outcome = Some(outcome.reversed());
        }
    }

    /// Counts the result for the other moves of a block that were played later by the same side.
    #[inline(never)]
    fn note_all_moves(&mut self, block: usize, child: usize, depth: usize, won: u32) {
        let side = depth % 2;
        let simulation = self.workplace.simulation;
        for other in 0..self.tree.children(block) {
            let code = usize::from(self.tree.entry(block, other).code);
            if other == child || self.workplace.played[code][side] == simulation {
                self.tree.visit_as_first(block, other, won);
            }
        }
        let code = usize::from(self.tree.entry(block, child).code);
        self.workplace.played[code][side] = simulation;
    }
}
