//! The game on a board with all its variations: a tree of positions, one of which is the current one.
//! Going back loses nothing.

use std::fmt;

use serde::{Deserialize, Serialize};
use upstar_arena::Thought;
use upstar_games::{AnyGame, PlayError};

/// A tree of positions with a current one.
///
/// ```
/// use upstar_games::AnyGame;
/// use upstar_session::GameTree;
///
/// let mut tree = GameTree::new(AnyGame::parse("clobber", "xoxo")?);
/// let first = tree.play("a1b1")?;
/// tree.back();
/// tree.play("c1d1")?;
/// tree.go(first)?;
/// assert_eq!(tree.moves(), ["a1b1"]);
/// assert_eq!(tree.children(tree.root()).len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameTree {
    /// `None` for nodes that were deleted; numbers are not used again.
    nodes: Vec<Option<Node>>,
    current: NodeId,
}

/// The number of a node, which stays the same for as long as the node is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(usize);

/// A position of the tree, and how it came about.
#[derive(Clone, Debug)]
pub struct Node {
    /// The position.
    pub game: AnyGame,
    /// The move that led to it; `None` at the root.
    pub mv: Option<String>,
    /// What the player of that move thought of it.
    pub thought: Option<Thought>,
    parent: Option<NodeId>,
    /// The main line first.
    children: Vec<NodeId>,
    /// The child that was last gone to.
    followed: Option<NodeId>,
}

const ROOT: NodeId = NodeId(0);

impl GameTree {
    /// A tree with this position only.
    #[must_use]
    pub fn new(game: AnyGame) -> Self {
        let root = Node {
            game,
            mv: None,
            thought: None,
            parent: None,
            children: Vec::new(),
            followed: None,
        };
        Self {
            nodes: vec![Some(root)],
            current: ROOT,
        }
    }

    /// The first position.
    #[must_use]
    pub fn root(&self) -> NodeId {
        ROOT
    }

    /// Where the tree stands.
    #[must_use]
    pub fn current(&self) -> NodeId {
        self.current
    }

    /// The current position.
    #[must_use]
    pub fn game(&self) -> &AnyGame {
        &self.at(self.current).game
    }

    /// The first position.
    #[must_use]
    pub fn start(&self) -> &AnyGame {
        &self.at(ROOT).game
    }

    /// A node, if it is there.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0)?.as_ref()
    }

    /// The continuations of a node, the main line first; none of a node that is not there.
    #[must_use]
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        self.node(id).map_or(&[], |node| &node.children)
    }

    /// The node before this one.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id)?.parent
    }

    /// The nodes from the first after the root to the current one.
    #[must_use]
    pub fn line(&self) -> Vec<NodeId> {
        let parents = std::iter::successors(Some(self.current), |&id| self.at(id).parent);
        let mut line: Vec<NodeId> = parents.filter(|&id| id != ROOT).collect();
        line.reverse();
        line
    }

    /// The moves that led to the current position.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        let line = self.line().into_iter();
        line.filter_map(|id| self.at(id).mv.clone()).collect()
    }

    /// All nodes, each before its continuations, the main line first.
    #[must_use]
    pub fn all(&self) -> Vec<NodeId> {
        let (mut all, mut waiting) = (Vec::new(), vec![ROOT]);
        while let Some(id) = waiting.pop() {
            all.push(id);
            waiting.extend(self.children(id).iter().rev());
        }
        all
    }

    fn at(&self, id: NodeId) -> &Node {
        self.node(id).expect("the node is in the tree")
    }

    fn at_mut(&mut self, id: NodeId) -> &mut Node {
        let node = self.nodes[id.0].as_mut();
        node.expect("the node is in the tree")
    }
}

/// Moving about.
impl GameTree {
    /// Plays a move: goes to the continuation that there is, or adds one behind the others.
    ///
    /// # Errors
    /// If the text does not name a legal move.
    pub fn play(&mut self, mv: &str) -> Result<NodeId, PlayError> {
        let mv = self.game().legal_move(mv)?;
        let known = |&&id: &&NodeId| self.at(id).mv.as_ref() == Some(&mv);
        let id = match self.children(self.current).iter().find(known) {
            Some(&id) => id,
            None => {
                let game = self.game().play(&mv)?;
                let id = NodeId(self.nodes.len());
                self.nodes.push(Some(Node {
                    game,
                    mv: Some(mv),
                    thought: None,
                    parent: Some(self.current),
                    children: Vec::new(),
                    followed: None,
                }));
                let current = self.current;
                self.at_mut(current).children.push(id);
                id
            }
        };
        self.step_to(id);
        Ok(id)
    }

    /// Notes what the player of the last move thought of it.
    pub fn note(&mut self, thought: Thought) {
        let current = self.current;
        self.at_mut(current).thought = Some(thought);
    }

    /// Goes back a move; false at the root.
    pub fn back(&mut self) -> bool {
        let Some(parent) = self.parent(self.current) else {
            return false;
        };
        self.current = parent;
        true
    }

    /// Goes to the continuation that was last gone to, or else the main one; false at the end of a line.
    pub fn forward(&mut self) -> bool {
        let node = self.at(self.current);
        let Some(next) = node.followed.or(node.children.first().copied()) else {
            return false;
        };
        self.step_to(next);
        true
    }

    /// Goes to the variation so many places further down the list of alternatives, or up for a negative
    /// number; false if there is none.
    pub fn sibling(&mut self, places: isize) -> bool {
        let Some(parent) = self.parent(self.current) else {
            return false;
        };
        let children = self.children(parent);
        let here = children.iter().position(|&id| id == self.current);
        let there = here.and_then(|here| here.checked_add_signed(places));
        let Some(&id) = there.and_then(|there| children.get(there)) else {
            return false;
        };
        self.step_to(id);
        true
    }

    /// Goes to a node.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn go(&mut self, id: NodeId) -> Result<(), NoSuchNode> {
        self.known(id)?;
        self.current = id;
        // Forward leads along this line from everywhere on it.
        for id in self.line() {
            self.step_to(id);
        }
        Ok(())
    }

    fn step_to(&mut self, id: NodeId) {
        if let Some(parent) = self.parent(id) {
            self.at_mut(parent).followed = Some(id);
        }
        self.current = id;
    }

    fn known(&self, id: NodeId) -> Result<(), NoSuchNode> {
        self.node(id).map(|_| ()).ok_or(NoSuchNode(id))
    }
}

/// Changing the variations.
impl GameTree {
    /// Deletes a node with all that follows it. If the current position is among them, the one before
    /// the node becomes current. The root stays.
    ///
    /// # Errors
    /// If there is no such node, or it is the root.
    pub fn delete(&mut self, id: NodeId) -> Result<(), NoSuchNode> {
        let parent = self.parent(id).ok_or(NoSuchNode(id))?;
        let node = self.at_mut(parent);
        node.children.retain(|&child| child != id);
        node.followed.take_if(|followed| *followed == id);
        let mut gone = vec![id];
        while let Some(id) = gone.pop() {
            if id == self.current {
                self.current = parent;
            }
            let node = self.nodes[id.0].take();
            gone.extend(node.into_iter().flat_map(|node| node.children));
        }
        Ok(())
    }

    /// Makes the line to this node the main one.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn promote(&mut self, id: NodeId) -> Result<(), NoSuchNode> {
        self.known(id)?;
        let mut child = id;
        while let Some(parent) = self.parent(child) {
            let children = &mut self.at_mut(parent).children;
            let place = children.iter().position(|&other| other == child);
            children[..=place.expect("a child of its parent")].rotate_right(1);
            child = parent;
        }
        Ok(())
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A number that is not that of a node, or of the root where that cannot be meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no variation {0}")]
pub struct NoSuchNode(pub NodeId);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tree() -> GameTree {
        GameTree::new(AnyGame::parse("clobber", "3x4").unwrap())
    }

    #[test]
    fn going_back_loses_nothing() {
        let mut tree = tree();
        let a = tree.play("a1b1").unwrap();
        let b = tree.play("d1c1").unwrap();
        assert!(tree.back() && tree.back() && !tree.back());
        assert_eq!(tree.game(), tree.start());
        assert!(tree.forward() && tree.forward() && !tree.forward());
        assert_eq!(tree.current(), b);
        tree.go(a).unwrap();
        // The same move leads to the same node.
        assert_eq!(tree.play("d1c1"), Ok(b));
        assert_eq!(tree.moves(), ["a1b1", "d1c1"]);
        assert_eq!(tree.all().len(), 3);
    }

    #[test]
    fn alternatives_are_listed_and_walked_through() {
        let mut tree = tree();
        let moves = ["a1b1", "a1a2", "c1b1"];
        let ids = moves.map(|mv| {
            tree.go(tree.root()).unwrap();
            tree.play(mv).unwrap()
        });
        assert_eq!(tree.children(tree.root()), ids);
        assert!(!tree.sibling(1) && tree.sibling(-2));
        assert_eq!(tree.moves(), ["a1b1"]);
        tree.promote(ids[2]).unwrap();
        assert_eq!(tree.children(tree.root()), [ids[2], ids[0], ids[1]]);
        // Forward goes where one has been, not to the main line.
        assert!(tree.back() && tree.forward());
        assert_eq!(tree.current(), ids[0]);
    }

    #[test]
    fn deleting_takes_all_that_follows() {
        let mut tree = tree();
        let a = tree.play("a1b1").unwrap();
        let b = tree.play("d1c1").unwrap();
        tree.back();
        let c = tree.play("b3b2").unwrap();
        tree.go(b).unwrap();
        assert_eq!(tree.delete(a), Ok(()));
        assert_eq!(tree.current(), tree.root());
        for gone in [a, b, c] {
            assert!(tree.node(gone).is_none());
            assert_eq!(tree.go(gone), Err(NoSuchNode(gone)));
        }
        assert_eq!(tree.delete(tree.root()), Err(NoSuchNode(tree.root())));
        assert!(!tree.forward());
        assert_ne!(tree.play("a1b1"), Ok(a), "numbers are not used again");
    }

    proptest! {
        /// Whatever is done, the tree stays a tree and its current line can be played.
        #[test]
        fn any_walk_keeps_the_tree_whole(steps in prop::collection::vec((0..7u8, 0..12usize), 0..80)) {
            let mut tree = tree();
            for (what, which) in steps {
                let all = tree.all();
                let any = all[which % all.len()];
                match what {
                    0 | 1 => {
                        let legal = tree.game().legal();
                        if let Some(mv) = legal.get(which % legal.len().max(1)) {
                            tree.play(mv).unwrap();
                        }
                    }
                    2 => { tree.back(); }
                    3 => { tree.forward(); }
                    4 => tree.go(any).unwrap(),
                    5 => tree.promote(any).unwrap(),
                    _ => { let _ = tree.delete(any); }
                }
                let played = tree.start().play_all(tree.moves()).unwrap();
                prop_assert_eq!(&played, tree.game());
                for id in tree.all() {
                    for &child in tree.children(id) {
                        prop_assert_eq!(tree.parent(child), Some(id));
                    }
                }
                prop_assert!(tree.all().contains(&tree.current()));
            }
        }
    }
}
