//! The tree: nodes are positions, edges the moves between them, both in one arena each.

use upstar_solve::Outcome;

/// The child of a move that was not played yet.
pub(super) const NOWHERE: u32 = u32::MAX;
/// A move that was not tried is taken to be worse than the position by up to so much: the more of the
/// likely moves were tried, the less is hoped for from the others.
const RESERVE: f32 = 0.2;

pub(super) struct Tree {
    nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    /// How often the root was entered.
    pub(super) visits: u32,
    /// The sum of results for the side to move at the root, lines that wait counted as lost.
    pub(super) total: f32,
}

struct Node {
    first: u32,
    moves: u32,
    stage: Stage,
    /// For the side to move, if it is proved.
    outcome: Option<Outcome>,
    /// About how many positions a solver would search to prove it.
    expected: f32,
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// Not judged yet.
    New,
    /// To be judged.
    Waiting,
    /// Judged, with edges.
    Open,
}

/// A move, seen by the side that plays it.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) prior: f32,
    /// How often it was played, lines that wait included.
    pub(super) visits: u32,
    /// The sum of results, lines that wait counted as lost.
    total: f32,
    pub(super) child: u32,
    pub(super) code: u16,
    pub(super) proved: Option<Outcome>,
}

impl Edge {
    /// The mean result; 0 without visits.
    pub(super) fn mean(&self) -> f32 {
        match self.proved {
            Some(outcome) => outcome.sign() as f32,
            None => self.total / self.visits.max(1) as f32,
        }
    }
}

impl Default for Tree {
    fn default() -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            edges: Vec::new(),
            visits: 0,
            total: 0.0,
        };
        tree.clear();
        tree
    }
}

impl Tree {
    pub(super) const ROOT: u32 = 0;

    /// Only a new root is left.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.visits = 0;
        self.total = 0.0;
        self.add_node();
    }

    fn add_node(&mut self) -> u32 {
        self.nodes.push(Node {
            first: 0,
            moves: 0,
            stage: Stage::New,
            outcome: None,
            expected: f32::INFINITY,
        });
        (self.nodes.len() - 1) as u32
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.edges.len() * size_of::<Edge>()
    }

    /// How many bytes are set aside for it.
    pub(super) fn capacity(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.edges.capacity() * size_of::<Edge>()
    }

    pub(super) fn is_new(&self, node: u32) -> bool {
        self.nodes[node as usize].stage == Stage::New
    }

    pub(super) fn is_waiting(&self, node: u32) -> bool {
        self.nodes[node as usize].stage == Stage::Waiting
    }

    pub(super) fn wait(&mut self, node: u32) {
        self.nodes[node as usize].stage = Stage::Waiting;
    }

    pub(super) fn outcome(&self, node: u32) -> Option<Outcome> {
        self.nodes[node as usize].outcome
    }

    /// What a proof of a node would take.
    pub(super) fn expected(&self, node: u32) -> f32 {
        self.nodes[node as usize].expected
    }

    pub(super) fn expect(&mut self, node: u32, positions: f64) {
        self.nodes[node as usize].expected = positions as f32;
    }

    pub(super) fn range(&self, node: u32) -> std::ops::Range<usize> {
        let node = &self.nodes[node as usize];
        node.first as usize..(node.first + node.moves) as usize
    }

    pub(super) fn edges_of(&self, node: u32) -> &[Edge] {
        &self.edges[self.range(node)]
    }

    pub(super) fn edges_of_mut(&mut self, node: u32) -> &mut [Edge] {
        let range = self.range(node);
        &mut self.edges[range]
    }

    /// Gives a node its moves, as codes and priors, and what is proved of them.
    pub(super) fn open(
        &mut self,
        node: u32,
        moves: impl Iterator<Item = (u16, f32, Option<Outcome>)>,
    ) {
        let first = self.edges.len();
        self.edges.extend(moves.map(|(code, prior, proved)| Edge {
            prior,
            visits: 0,
            total: 0.0,
            child: NOWHERE,
            code,
            proved,
        }));
        let node = &mut self.nodes[node as usize];
        node.first = first as u32;
        node.moves = (self.edges.len() - first) as u32;
        node.stage = Stage::Open;
    }

    /// A new node behind an edge.
    pub(super) fn grow(&mut self, edge: u32) -> u32 {
        let node = self.add_node();
        self.edges[edge as usize].child = node;
        node
    }

    /// The move to look at next in an open node that was reached over this edge, the root over none.
    pub(super) fn select(&self, node: u32, over: Option<u32>, c: f32) -> u32 {
        let (visits, mean) = match over {
            None => (self.visits, self.total / self.visits.max(1) as f32),
            Some(edge) => {
                let edge = &self.edges[edge as usize];
                (edge.visits, -edge.total / edge.visits.max(1) as f32)
            }
        };
        let edges = self.edges_of(node);
        let tried = edges.iter().filter(|edge| edge.visits > 0);
        let tried: f32 = tried.map(|edge| edge.prior).sum();
        let untried = mean - RESERVE * tried.sqrt();
        let explore = c * (visits as f32).sqrt();
        let mut best = (f32::NEG_INFINITY, 0);
        for (index, edge) in edges.iter().enumerate() {
            if edge.proved == Some(Outcome::Loss) {
                continue;
            }
            let hope = if edge.visits > 0 {
                edge.mean()
            } else {
                untried
            };
            let score = hope + explore * edge.prior / (1 + edge.visits) as f32;
            if score > best.0 {
                best = (score, index);
            }
        }
        self.nodes[node as usize].first + best.1 as u32
    }

    /// A descent begins.
    pub(super) fn enter(&mut self) {
        self.visits += 1;
        self.total -= 1.0;
    }

    /// A descent goes over an edge: a loss until its result is known.
    pub(super) fn pass(&mut self, edge: u32) {
        let edge = &mut self.edges[edge as usize];
        edge.visits += 1;
        edge.total -= 1.0;
    }

    /// A descent came to nothing.
    pub(super) fn leave(&mut self, path: &[u32]) {
        self.visits -= 1;
        self.total += 1.0;
        for &edge in path {
            let edge = &mut self.edges[edge as usize];
            edge.visits -= 1;
            edge.total += 1.0;
        }
    }

    /// Adds the result of a descent, seen by the side that played the last move of its path (for an empty
    /// one, by the side that is not to move), in place of the losses.
    pub(super) fn back_up(&mut self, path: &[u32], result: f32) {
        let mut result = result;
        for &edge in path.iter().rev() {
            self.edges[edge as usize].total += 1.0 + result;
            result = -result;
        }
        // Now it is seen by the side that is not to move at the root.
        self.total += 1.0 - result;
    }

    /// What follows for a node from its moves.
    pub(super) fn conclusion(&self, node: u32) -> Option<Outcome> {
        let proved = || self.edges_of(node).iter().map(|edge| edge.proved);
        if proved().any(|it| it == Some(Outcome::Win)) {
            return Some(Outcome::Win);
        }
        proved().collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// The result of a node at the end of a path is proved: it follows what can be concluded.
    pub(super) fn prove(&mut self, node: u32, path: &[u32], outcome: Outcome) {
        self.nodes[node as usize].outcome = Some(outcome);
        let mut outcome = outcome;
        for (depth, &edge) in path.iter().enumerate().rev() {
            self.edges[edge as usize].proved = Some(outcome.reversed());
            let above = match depth {
                0 => Self::ROOT,
                _ => self.edges[path[depth - 1] as usize].child,
            };
            let edges = self.edges_of(above);
            let known = if outcome == Outcome::Loss {
                Some(Outcome::Win)
            } else {
                let proved = edges.iter().map(|edge| edge.proved);
                proved
                    .collect::<Option<Vec<_>>>()
                    .and_then(|all| all.into_iter().max())
            };
            let Some(known) = known else {
                return;
            };
            self.nodes[above as usize].outcome = Some(known);
            outcome = known;
        }
    }

    /// Forgets the visits of a refuted move at the end of this path: its side will not play it, so they say
    /// nothing of the positions before. No line may be waiting.
    pub(super) fn discount(&mut self, path: &[u32], refuted: u32) {
        let edge = &mut self.edges[refuted as usize];
        let (visits, mut total) = (edge.visits, edge.total);
        (edge.visits, edge.total) = (0, 0.0);
        for &edge in path.iter().rev() {
            total = -total;
            let edge = &mut self.edges[edge as usize];
            edge.visits -= visits;
            edge.total -= total;
        }
        self.visits -= visits;
        self.total -= total;
    }

    /// Keeps only what is below a move of the root; says whether there is anything.
    pub(super) fn keep(&mut self, code: u16) -> bool {
        let Some(&kept) = self
            .edges_of(Self::ROOT)
            .iter()
            .find(|edge| edge.code == code)
        else {
            return false;
        };
        if kept.child == NOWHERE || self.nodes[kept.child as usize].stage != Stage::Open {
            return false;
        }
        let mut tree = Self {
            visits: kept.visits,
            total: -kept.total,
            ..Self::default()
        };
        // Old and new places of nodes whose edges are still to be copied.
        let mut open = vec![(kept.child, Self::ROOT)];
        while let Some((old, new)) = open.pop() {
            let Node {
                stage,
                outcome,
                expected,
                ..
            } = self.nodes[old as usize];
            let first = tree.edges.len();
            tree.edges.extend_from_slice(self.edges_of(old));
            for place in first..tree.edges.len() {
                let child = tree.edges[place].child;
                if child != NOWHERE {
                    let node = tree.grow(place as u32);
                    open.push((child, node));
                }
            }
            tree.nodes[new as usize] = Node {
                first: first as u32,
                moves: (tree.edges.len() - first) as u32,
                stage,
                outcome,
                expected,
            };
        }
        *self = tree;
        true
    }
}
