//! One simulation after another: down the tree, a random game, and back up with its result and with
//! whatever it proves.

use upstar_games::{Random, random_move};
use upstar_jobs::Budget;
use upstar_machine::{Kernel, Machine};
use upstar_solve::{Outcome, Prover};

use super::descent::{Descent, Untried};
use super::explore::Exploration;
use super::tree::{Below, Tree, points};
use crate::playable::Playable;

/// What simulations need beside the tree, kept from one to the next so that none allocates.
pub(super) struct Workplace<G: Playable> {
    /// Blocks and children from the root to the leaf.
    path: Vec<(u32, u32)>,
    codes: Vec<u16>,
    /// For each move and side the last simulation in which it was played, for all moves as first.
    played: Vec<[u64; 2]>,
    simulation: u64,
    /// For exact results.
    pub(super) prover: Option<Box<dyn Prover<G>>>,
}

impl<G: Playable> Workplace<G> {
    pub(super) fn new(amaf: bool, prover: Option<Box<dyn Prover<G>>>) -> Self {
        let codes = if amaf { 1 << 16 } else { 0 };
        Self {
            path: Vec::with_capacity(512),
            codes: Vec::with_capacity(512),
            played: vec![[0; 2]; codes],
            simulation: 0,
            prover,
        }
    }
}

/// A leaf that takes the solver more positions than this is played out after all.
const LEAF_POSITIONS: u64 = 5000;

/// So many simulations from one position.
pub(super) struct Simulations<'a, G: Playable, D: Descent<G>> {
    pub(super) game: &'a G,
    pub(super) descent: &'a D,
    pub(super) root: D::State,
    pub(super) tree: &'a mut Tree,
    pub(super) exploration: &'a Exploration,
    pub(super) workplace: &'a mut Workplace<G>,
    pub(super) random: &'a mut Random,
    /// Whether results are proved.
    pub(super) solve: bool,
    /// With at most this much of the game left a leaf is solved; 0 for never.
    pub(super) exact: u32,
    /// What may be spent on solving leaves.
    pub(super) budget: &'a Budget,
    pub(super) count: u64,
}

impl<G: Playable, D: Descent<G>> Kernel for Simulations<'_, G, D> {
    /// How many were made: fewer if the root's result is proved, or if leaves are solved and the budget is
    /// spent on that.
    type Output = u64;

    #[inline(always)]
    fn run<M: Machine>(mut self) -> u64 {
        for made in 0..self.count {
            if self.tree.outcome.is_some() {
                return made;
            }
            self.simulate::<M>();
            // A random game is short, but a solution may take as long as all the others.
            if self.exact > 0 && self.budget.is_over() {
                return made + 1;
            }
        }
        self.count
    }
}

impl<G: Playable, D: Descent<G>> Simulations<'_, G, D> {
    #[inline(always)]
    fn simulate<M: Machine>(&mut self) {
        let mut state = self.root;
        let (mut block, mut visits) = (self.tree.root(), self.tree.visits);
        self.workplace.path.clear();
        self.workplace.simulation += 1;
        loop {
            let untried = self
                .descent
                .untried::<M>(self.tree, block, &state, self.random);
            let child = match untried {
                Untried::Child(child) => child,
                Untried::Nothing => self.tree.select(block, self.exploration.scale(visits)),
                Untried::NoRoom => {
                    let above = self.workplace.path.last();
                    let above = above.map(|&(block, child)| (block as usize, child as usize));
                    if let Some(wide) = self.tree.widen(block, above) {
                        block = wide;
                        continue;
                    }
                    self.tree.select(block, self.exploration.scale(visits))
                }
            };
            self.workplace.path.push((block as u32, child as u32));
            let entry = self.tree.enter(block, child);
            state = self.descent.play(&state, entry.code);
            visits = entry.visits;
            let below = match entry.below {
                Below::Block(below) => Some(below),
                Below::Known(outcome) => {
                    self.back_up(outcome, false);
                    if self.solve {
                        self.tree.settle(block, child, outcome);
                    }
                    return;
                }
                Below::Nothing if visits == 0 => None,
                Below::Nothing => {
                    let codes = &mut self.workplace.codes;
                    let below = self.descent.open(self.tree, &state, codes);
                    if let Some(below) = below {
                        self.tree.link(block, child, Below::Block(below));
                    }
                    below
                }
            };
            match below {
                Some(below) => block = below,
                None => break,
            }
        }
        let (outcome, certain) = self.judge(&state);
        self.back_up(outcome, certain);
    }

    /// The result at a leaf for the side that moved there, and whether it is certain.
    #[inline(always)]
    fn judge(&mut self, state: &D::State) -> (Outcome, bool) {
        if self.exact > 0
            && let (Some(position), Some(prover)) = (D::position(state), &mut self.workplace.prover)
            && self.game.left(position) <= self.exact
            && let Some(outcome) = prover.outcome(position, LEAF_POSITIONS, self.budget)
        {
            return (outcome.reversed(), true);
        }
        let (score, plies) = match (&self.tree.amaf, D::position(state)) {
            (Some(_), Some(position)) => self.recorded_playout(position),
            _ => {
                let playout = self.descent.playout(state, self.random);
                (playout.score, playout.plies)
            }
        };
        // Seen by the side that moved here.
        (Outcome::of_score(-score), plies == 0)
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
        let score = self.game.score(&position);
        let score = score.expect("a game without moves is over");
        (if plies % 2 == 0 { score } else { -score }, plies)
    }

    /// Counts a result for all moves on the way.
    #[inline(always)]
    fn back_up(&mut self, outcome: Outcome, certain: bool) {
        self.tree.visits += 1;
        if certain || self.tree.amaf.is_some() {
            return self.back_up_all(outcome, certain);
        }
        // From the root down: it is needed first when the next simulation begins.
        let mut won = points(outcome);
        if self.workplace.path.len().is_multiple_of(2) {
            won = 2 - won;
        }
        for &(block, child) in &self.workplace.path {
            self.tree.count(block as usize, child as usize, won);
            won = 2 - won;
        }
    }

    /// The same with results of all moves as first, and with what is proved.
    #[inline(never)]
    fn back_up_all(&mut self, mut outcome: Outcome, mut certain: bool) {
        let mut won = points(outcome);
        for depth in (0..self.workplace.path.len()).rev() {
            let (block, child) = self.workplace.path[depth];
            let (block, child) = (block as usize, child as usize);
            self.tree.count(block, child, won);
            if self.tree.amaf.is_some() {
                self.note_all_moves(block, child, depth, won);
            }
            if certain && !self.solve {
                self.tree.link(block, child, Below::Known(outcome));
                certain = false;
            } else if certain {
                match self.tree.prove(block, child, outcome) {
                    Some(proved) => {
                        // What is proved counts from here on, whatever the random game said.
                        outcome = proved.reversed();
                        won = points(proved);
                    }
                    None => certain = false,
                }
            }
            won = 2 - won;
        }
        if certain {
            self.tree.outcome = Some(outcome.reversed());
        }
    }

    /// Counts the result for all moves of a block that were played now or later by the same side.
    fn note_all_moves(&mut self, block: usize, child: usize, depth: usize, won: u32) {
        let side = depth % 2;
        let simulation = self.workplace.simulation;
        let code = |tree: &Tree, child| usize::from(tree.entry(block, child).code);
        self.workplace.played[code(self.tree, child)][side] = simulation;
        for other in 0..self.tree.children(block) {
            if self.workplace.played[code(self.tree, other)][side] == simulation {
                self.tree.count_as_first(block, other, won);
            }
        }
    }
}
