//! Tree search led by a network, as in AlphaZero (Silver and others, 2018): go where
//! mean + c·prior·√N / (1 + n) is highest, let the network judge the first new position, and add its
//! value all the way up.
//!
//! A search does not call the network itself. [`Puct::descend`] gives out positions to be judged,
//! [`Puct::receive`] takes the answers, so that one batch can hold positions of many searches. On the way
//! there are *virtual losses*: a line that waits for its answer counts as lost, and the next descent
//! looks elsewhere. Finished games and what follows from them are proved results, as in [`Uct`](crate::uct).

mod agent;
mod cached_evaluator;
mod network_search;
mod noise;
mod shipped;
mod symmetries;
mod tree;

pub use agent::{AlphaZero, AlphaZeroAgent};
pub use cached_evaluator::{Answer, CachedEvaluator, Ticket};
pub use network_search::{LedSearch, NetworkSearch};
pub use noise::normal;
pub use shipped::{DEFAULT, shipped, shipped_for};
pub use symmetries::Symmetries;

use upstar_games::Random;
use upstar_jobs::Budget;
use upstar_solve::{Look, LookedMove, Outcome, Prover};

use crate::playable::Playable;
use crate::resources::Resources;
use crate::spec::AgentSpecError;
use crate::uct::MoveStatistics;
use noise::dirichlet;
use tree::{Edge, NOWHERE, Tree};

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guidance {
    /// How much to explore: the c of the formula, `uct_c` in OpenSpiel.
    pub c: f32,
    /// With at most so many stones (Clobber) or empty cells (Othello) left a position is solved instead of
    /// judged, unless that takes too long; 0 for never.
    pub exact: u32,
}

impl Default for Guidance {
    fn default() -> Self {
        Self { c: 1.5, exact: 0 }
    }
}

/// A search in one position at a time.
pub struct Puct<G: Playable> {
    game: G,
    guidance: Guidance,
    prover: Option<Box<dyn Prover<G>>>,
    /// Says at every new position what is known of it, if there is one: see [`Puct::look_with`].
    looker: Option<Box<dyn Prover<G>>>,
    /// How many results it had.
    proofs: u64,
    /// For the solver at the leaves.
    resources: Resources,
    root: Option<G::Position>,
    tree: Tree,
}

/// The memory of a tree that is done with, which the next search uses again: [`Puct::into_memory`].
#[derive(Default)]
pub struct TreeMemory(Tree);

impl TreeMemory {
    /// How many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.capacity()
    }
}

/// What a descent came to.
pub enum Descent<P> {
    /// A position for the network.
    Judge(Leaf<P>),
    /// A result was known, and is added already: a simulation without the network.
    Known,
    /// All that is left to look at waits for answers.
    Waiting,
    /// The result of the position is proved: there is nothing more to find out.
    Proved,
}

/// A position that waits for the network's answer.
#[derive(Clone, Debug)]
pub struct Leaf<P> {
    /// The position.
    pub position: P,
    node: u32,
    path: Vec<u32>,
    /// What a prover knows of its moves.
    looked: Option<Box<[LookedMove]>>,
}

/// A position inside the tree whose result is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Target<P> {
    /// The position.
    pub position: P,
    /// How often the search was there.
    pub visits: u32,
    /// About how many positions a proof takes.
    pub expected: f64,
}

/// A position inside the tree.
pub struct Inner<'a, M> {
    /// The moves that lead to it.
    pub line: &'a [M],
    /// What is known of its moves.
    pub moves: &'a [MoveStatistics<M>],
    /// The mean result for its side to move.
    pub mean: f32,
    /// The proved result for its side to move.
    pub outcome: Option<Outcome>,
}

/// The memory of a solver at the leaves; self-play has many searches.
const LEAF_MEMORY: usize = 2 << 20;
/// So many positions are looked at for an exact leaf at most.
const LEAF_NODES: u64 = 10_000;

/// A new position is solved at once if that takes about so many positions; a few times as many are tried.
/// Such a result costs a few judgements of a network, and nothing below it has to be looked at.
const LOOK_EXPECTED: f64 = 100.0;
const LOOK_NODES: u64 = 400;

/// The solver of one search, if leaves are solved.
fn leaf_prover<G: Playable>(
    game: &G,
    guidance: Guidance,
    resources: &Resources,
) -> Result<Option<Box<dyn Prover<G>>>, AgentSpecError> {
    match guidance.exact {
        0 => Ok(None),
        _ => game.prover(resources, LEAF_MEMORY).map(Some),
    }
}

impl<G: Playable> Puct<G> {
    /// A search with these options.
    ///
    /// # Errors
    /// If exact results are wanted and there is no room for a solver.
    pub fn new(
        game: &G,
        guidance: Guidance,
        resources: &Resources,
    ) -> Result<Self, AgentSpecError> {
        Ok(Self {
            game: game.clone(),
            guidance,
            prover: leaf_prover(game, guidance, resources)?,
            looker: None,
            proofs: 0,
            resources: resources.clone(),
            root: None,
            tree: Tree::default(),
        })
    }

    /// The same search with the memory of an earlier one.
    #[must_use]
    pub fn with_memory(mut self, memory: TreeMemory) -> Self {
        self.tree = memory.0;
        self.tree.clear();
        self
    }

    /// Ends the search and keeps the memory of its tree.
    #[must_use]
    pub fn into_memory(self) -> TreeMemory {
        TreeMemory(self.tree)
    }

    /// Forgets every position searched so far, so that the next search is that of a new [`Puct`].
    ///
    /// # Errors
    /// If there is no room for a new solver at the leaves.
    pub fn forget(&mut self) -> Result<(), AgentSpecError> {
        if self.root.take().is_some() {
            self.prover = leaf_prover(&self.game, self.guidance, &self.resources)?;
        }
        Ok(())
    }

    /// Asks this prover about every new position from now on: what it knows is a result, what it thinks can be
    /// left out of a position is left out, moves that lead to the same are one, and cheap results are proved.
    pub fn look_with(&mut self, prover: Option<Box<dyn Prover<G>>>) {
        self.looker = prover;
        self.proofs = 0;
    }

    /// How many results the prover of [`Puct::look_with`] had.
    #[must_use]
    pub fn proofs(&self) -> u64 {
        self.proofs
    }

    /// Takes over what the prover of [`Puct::look_with`] has come to know, because it shares its results with
    /// others, of positions that were visited at least so often; what was hoped of moves that are refuted is
    /// forgotten. No answer may be outstanding.
    pub fn refresh(&mut self, least: u32) {
        if let (Some(looker), Some(root)) = (self.looker.take(), self.root) {
            self.refresh_below(&*looker, Tree::ROOT, &root, &mut Vec::new(), least);
            self.looker = Some(looker);
        }
    }

    fn refresh_below(
        &mut self,
        looker: &dyn Prover<G>,
        node: u32,
        position: &G::Position,
        path: &mut Vec<u32>,
        least: u32,
    ) {
        for edge in self.tree.range(node) {
            if self.tree.outcome(node).is_some() {
                return;
            }
            let &Edge {
                code,
                child,
                visits,
                proved,
                ..
            } = &self.tree.edges[edge];
            if proved.is_some() || child == NOWHERE || visits < least {
                continue;
            }
            let next = self.game.play_unchecked(position, G::decode(code));
            path.push(edge as u32);
            match looker.known(&next) {
                Some(outcome) => {
                    self.proofs += 1;
                    self.tree.prove(child, path, outcome);
                }
                None => self.refresh_below(looker, child, &next, path, least),
            }
            path.pop();
        }
        // The visits of the root's own moves say which of them was hardest to refute.
        if node != Tree::ROOT && self.tree.outcome(node).is_none() {
            for edge in self.tree.range(node) {
                let Edge { visits, proved, .. } = self.tree.edges[edge];
                if proved == Some(Outcome::Loss) && visits > 0 {
                    self.tree.discount(path, edge as u32);
                }
            }
        }
    }

    /// The positions whose results are wanted: those visited at least so often that are not proved, the root
    /// first.
    #[must_use]
    pub fn targets(&self, least: u32) -> Vec<Target<G::Position>> {
        let mut targets = Vec::new();
        if let Some(root) = self.root
            && self.outcome().is_none()
        {
            let visits = self.tree.visits;
            self.targets_below(Tree::ROOT, &root, visits, least, &mut targets);
        }
        targets
    }

    fn targets_below(
        &self,
        node: u32,
        position: &G::Position,
        visits: u32,
        least: u32,
        targets: &mut Vec<Target<G::Position>>,
    ) {
        targets.push(Target {
            position: *position,
            visits,
            expected: self.tree.expected(node).into(),
        });
        for edge in self.tree.edges_of(node) {
            if edge.proved.is_none() && edge.child != NOWHERE && edge.visits >= least {
                let next = self.game.play_unchecked(position, G::decode(edge.code));
                self.targets_below(edge.child, &next, edge.visits, least, targets);
            }
        }
    }

    /// Begins anew in this position, where the game must not be over.
    pub fn begin(&mut self, position: &G::Position) {
        self.root = Some(*position);
        self.tree.clear();
    }

    /// Goes on in the position after this move with what is known of it; says whether anything is. If not,
    /// the search has to begin anew. No answer may be outstanding.
    pub fn advance(&mut self, mv: G::Move) -> bool {
        let Some(root) = self.root.take() else {
            return false;
        };
        let code = G::encode(mv);
        if !self.tree.keep(code) {
            return false;
        }
        self.root = Some(self.game.play_unchecked(&root, mv));
        true
    }

    /// Goes on in this position, which is reached by these moves from the last one, with what is known of it;
    /// begins anew where nothing is.
    pub(crate) fn follow(&mut self, position: &G::Position, since: Option<&[G::Move]>) {
        let kept = since.is_some_and(|moves| moves.iter().all(|&mv| self.advance(mv)));
        if !kept || self.position() != Some(position) {
            self.begin(position);
        }
    }

    /// The position that is searched.
    #[must_use]
    pub fn position(&self) -> Option<&G::Position> {
        self.root.as_ref()
    }

    /// How often the position was visited, lines that wait for their answers included.
    #[must_use]
    pub fn visits(&self) -> u32 {
        self.tree.visits
    }

    /// How many bytes the tree takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// The mean result for the side to move, from −1 to 1; 0 without visits.
    #[must_use]
    pub fn mean(&self) -> f32 {
        self.tree.total / self.tree.visits.max(1) as f32
    }

    /// The result of best play for the side to move, if that is proved.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.tree.outcome(Tree::ROOT)
    }

    /// Goes down to a position that nobody has judged yet.
    ///
    /// # Panics
    /// If no search was begun.
    pub fn descend(&mut self) -> Descent<G::Position> {
        let mut position = self.root.expect("a search was begun");
        if self.outcome().is_some() {
            return Descent::Proved;
        }
        let mut path = Vec::new();
        let mut node = Tree::ROOT;
        self.tree.enter();
        loop {
            if self.tree.is_new(node) {
                let (position, looked) = match self.look(&position) {
                    None => (position, None),
                    Some(look) if look.moves.is_empty() && node == Tree::ROOT => (position, None),
                    Some(look) => {
                        // The root needs its moves in any case.
                        if let Some(outcome) = look.outcome.filter(|_| node != Tree::ROOT) {
                            self.proofs += 1;
                            self.tree.back_up(&path, -(outcome.sign() as f32));
                            self.tree.prove(node, &path, outcome);
                            return Descent::Known;
                        }
                        self.tree.expect(node, look.expected);
                        let looked = (!look.moves.is_empty()).then(|| look.moves.into());
                        (look.position, looked)
                    }
                };
                self.tree.wait(node);
                return Descent::Judge(Leaf {
                    position,
                    node,
                    path,
                    looked,
                });
            }
            if self.tree.is_waiting(node) {
                self.tree.leave(&path);
                return Descent::Waiting;
            }
            let edge = self
                .tree
                .select(node, path.last().copied(), self.guidance.c);
            self.tree.pass(edge);
            path.push(edge);
            if let Some(outcome) = self.tree.edges[edge as usize].proved {
                self.tree.back_up(&path, outcome.sign() as f32);
                return Descent::Known;
            }
            let mv = G::decode(self.tree.edges[edge as usize].code);
            position = self.game.play_unchecked(&position, mv);
            node = self.tree.edges[edge as usize].child;
            if node == NOWHERE {
                node = self.tree.grow(edge);
                if let Some(outcome) = self.result(&position) {
                    self.tree.back_up(&path, -(outcome.sign() as f32));
                    self.tree.prove(node, &path, outcome);
                    return Descent::Known;
                }
            }
        }
    }

    /// What the prover says of a new position, with its result if that is cheap.
    fn look(&mut self, position: &G::Position) -> Option<Look<G::Position>> {
        let looker = self.looker.as_mut()?;
        let mut look = looker.look(position)?;
        if look.outcome.is_none() && look.expected <= LOOK_EXPECTED {
            look.outcome = looker.outcome(&look.position, LOOK_NODES, &Budget::unlimited());
        }
        Some(look)
    }

    /// The result for the side to move, if the game is over or can be solved here.
    fn result(&mut self, position: &G::Position) -> Option<Outcome> {
        if let Some(score) = self.game.score(position) {
            return Some(Outcome::of_score(score));
        }
        let prover = self.prover.as_mut()?;
        if self.game.left(position) > self.guidance.exact {
            return None;
        }
        prover.outcome(position, LEAF_NODES, &Budget::unlimited())
    }

    /// Takes the answer for a leaf: what the network expects for its side to move, and how likely it
    /// thinks each legal move, in the order of moves.
    pub fn receive(&mut self, leaf: &Leaf<G::Position>, value: f32, priors: &[f32]) {
        let moves = self.game.moves(&leaf.position).map(G::encode);
        let Some(looked) = &leaf.looked else {
            let moves = moves.zip(priors).map(|(code, &prior)| (code, prior, None));
            self.tree.open(leaf.node, moves);
            self.tree.back_up(&leaf.path, -value);
            return;
        };
        // Moves that lead to the same are one, and what is known to lose needs no prior.
        let mut merged = vec![0.0; priors.len()];
        for (look, prior) in looked.iter().zip(priors) {
            if look.outcome != Some(Outcome::Loss) {
                merged[look.same_as] += prior;
            }
        }
        let all: f32 = merged.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        let ones = looked.iter().enumerate().zip(moves);
        let ones = ones.filter(|((place, look), _)| look.same_as == *place);
        let listed = ones.map(|((place, look), code)| (code, merged[place] / all, look.outcome));
        self.tree.open(leaf.node, listed);
        self.tree.back_up(&leaf.path, -value);
        if let Some(outcome) = self.tree.conclusion(leaf.node) {
            self.tree.prove(leaf.node, &leaf.path, outcome);
        }
    }

    /// [`Puct::receive`] for those who have listed the moves already: by [`Playable::encode`], in their order, each
    /// with how likely it is.
    pub fn receive_listed(
        &mut self,
        leaf: &Leaf<G::Position>,
        value: f32,
        moves: impl Iterator<Item = (u16, f32)>,
    ) {
        let moves = moves.map(|(code, prior)| (code, prior, None));
        self.tree.open(leaf.node, moves);
        self.tree.back_up(&leaf.path, -value);
    }

    /// How the search thinks the game goes on after a move, that move first.
    #[must_use]
    pub fn line(&self, mv: G::Move) -> Vec<G::Move> {
        let mut line = vec![mv];
        let first = G::encode(mv);
        let edges = self.tree.edges_of(Tree::ROOT);
        let mut edge = edges.iter().find(|edge| edge.code == first);
        while let Some(child) = edge
            .map(|edge| edge.child)
            .filter(|&child| child != NOWHERE)
        {
            let visited = self.tree.edges_of(child).iter();
            let rank = |edge: &&Edge| (edge.proved != Some(Outcome::Loss), edge.visits);
            edge = visited.filter(|edge| edge.visits > 0).max_by_key(rank);
            line.extend(edge.map(|edge| G::decode(edge.code)));
        }
        line
    }

    /// Mixes noise into the priors of the root's moves, so that all are tried now and then: Dirichlet noise
    /// with this parameter, and this share of it. The root must have been judged.
    pub fn add_noise(&mut self, alpha: f64, share: f32, random: &mut Random) {
        let edges = self.tree.edges_of_mut(Tree::ROOT);
        let noise = dirichlet(alpha, edges.len(), random);
        for (edge, noise) in edges.iter_mut().zip(noise) {
            edge.prior += share * (noise as f32 - edge.prior);
        }
    }

    /// What is known of each move, in the order of moves: none before the root is judged.
    #[must_use]
    pub fn moves(&self) -> Vec<MoveStatistics<G::Move>> {
        self.moves_of(Tree::ROOT)
    }

    fn moves_of(&self, node: u32) -> Vec<MoveStatistics<G::Move>> {
        self.tree
            .edges_of(node)
            .iter()
            .map(statistics::<G>)
            .collect()
    }

    /// Shows all positions inside the tree that were visited at least so often, the root left out.
    pub fn visit_inside(&self, least: u32, show: &mut dyn FnMut(Inner<'_, G::Move>)) {
        let mut line = Vec::new();
        self.visit_below(Tree::ROOT, least, &mut line, show);
    }

    fn visit_below(
        &self,
        node: u32,
        least: u32,
        line: &mut Vec<G::Move>,
        show: &mut dyn FnMut(Inner<'_, G::Move>),
    ) {
        for edge in self.tree.edges_of(node) {
            if edge.visits < least || edge.child == NOWHERE {
                continue;
            }
            line.push(G::decode(edge.code));
            let moves = self.moves_of(edge.child);
            if !moves.is_empty() {
                show(Inner {
                    line,
                    moves: &moves,
                    mean: -edge.mean(),
                    outcome: self.tree.outcome(edge.child),
                });
                self.visit_below(edge.child, least, line, show);
            }
            line.pop();
        }
    }

    /// The move to play: a proved win, else the most visited of those not proved to lose; where all lose,
    /// the one that was hardest to refute. Among equals the likeliest.
    #[must_use]
    pub fn best(&self) -> Option<MoveStatistics<G::Move>> {
        let rank = |edge: &Edge| {
            let class = match edge.proved {
                Some(Outcome::Win) => 2,
                Some(Outcome::Loss) => 0,
                _ => 1,
            };
            (class, edge.visits, edge.prior)
        };
        let better = |a, b| if rank(b) > rank(a) { b } else { a };
        let best = self.tree.edges_of(Tree::ROOT).iter().reduce(better)?;
        Some(statistics::<G>(best))
    }
}

fn statistics<G: Playable>(edge: &Edge) -> MoveStatistics<G::Move> {
    MoveStatistics {
        mv: G::decode(edge.code),
        visits: u64::from(edge.visits),
        mean: f64::from(edge.mean()),
        proved: edge.proved,
    }
}
