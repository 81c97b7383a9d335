//! Plain versions of clever things: brute force, and tree search as the textbooks print it.

use std::collections::HashMap;
use std::sync::LazyLock;

use upstar_agents::Resources;
use upstar_games::{AnyGame, Game, Random, plain_playout};
use upstar_solve::Outcome;

/// What all tests share, so that tables are made once.
pub(crate) fn resources() -> &'static Resources {
    static SHARED: LazyLock<Resources> = LazyLock::new(|| Resources {
        memory: 8 << 20,
        ..Resources::default()
    });
    &SHARED
}

/// A game at a start.
pub(crate) fn open(game: &str, start: &str) -> AnyGame {
    AnyGame::open(game.parse().unwrap(), &start.parse().unwrap(), None).unwrap()
}

/// The result of best play, by trying everything.
pub(crate) fn outcome<G: Game>(
    game: &G,
    position: &G::Position,
    known: &mut HashMap<G::Position, Outcome>,
) -> Outcome {
    if let Some(&outcome) = known.get(position) {
        return outcome;
    }
    let found = match game.score(position) {
        Some(1..) => Outcome::Win,
        Some(0) => Outcome::Draw,
        Some(_) => Outcome::Loss,
        None => {
            let after = |mv| outcome(game, &game.play_unchecked(position, mv), known).reversed();
            let moves: Vec<G::Move> = game.moves(position).collect();
            moves.into_iter().map(after).max().unwrap()
        }
    };
    known.insert(*position, found);
    found
}

/// A node of a plain tree.
struct Node<G: Game> {
    position: G::Position,
    mv: Option<G::Move>,
    untried: Vec<G::Move>,
    children: Vec<usize>,
    parent: usize,
    visits: f64,
    /// Points of the side that moved here, one for a win and a half for a draw.
    points: f64,
}

/// The move that UCT chooses after so many simulations, without proofs: selection by mean + c·√(2 ln N / n),
/// one new node a simulation, a random game, and the best mean in the end (etoeharnowo2017, figure 4.1).
pub(crate) fn plain_uct<G: Game>(
    game: &G,
    root: &G::Position,
    simulations: u64,
    c: f64,
    random: &mut Random,
) -> G::Move {
    let node = |position: G::Position, mv, parent| Node::<G> {
        position,
        mv,
        untried: game.moves(&position).collect(),
        children: Vec::new(),
        parent,
        visits: 0.0,
        points: 0.0,
    };
    let mut nodes = vec![node(*root, None, usize::MAX)];
    let best = |nodes: &[Node<G>], at: usize, c: f64| {
        let value = |&child: &usize| {
            let Node { visits, points, .. } = nodes[child];
            points / visits + c * (2.0 * nodes[at].visits.ln() / visits).sqrt()
        };
        let children = nodes[at].children.iter().copied();
        children.max_by(|a, b| value(a).total_cmp(&value(b)))
    };
    for _ in 0..simulations {
        let mut at = 0;
        while nodes[at].untried.is_empty()
            && let Some(child) = best(&nodes, at, c)
        {
            at = child;
        }
        if !nodes[at].untried.is_empty() {
            let drawn = random.below(nodes[at].untried.len() as u32) as usize;
            let mv = nodes[at].untried.swap_remove(drawn);
            let position = game.play_unchecked(&nodes[at].position, mv);
            nodes.push(node(position, Some(mv), at));
            let new = nodes.len() - 1;
            nodes[at].children.push(new);
            at = new;
        }
        // For the side that moved to this node.
        let score = plain_playout(game, &nodes[at].position, random).score;
        let mut points = match score {
            1.. => 0.0,
            0 => 0.5,
            _ => 1.0,
        };
        while at != usize::MAX {
            nodes[at].visits += 1.0;
            nodes[at].points += points;
            points = 1.0 - points;
            at = nodes[at].parent;
        }
    }
    let best = best(&nodes, 0, 0.0).expect("the game is not over");
    nodes[best].mv.expect("a child has a move")
}
