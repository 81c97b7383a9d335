//! Players for games that do not have just two sides: Clobber with three to six colours, and solitaire.
//!
//! Every side has its own share of a result, so a search backs up a vector instead of a number (max^n: Luckhardt and
//! Irani, 1986; with random games: Sturtevant, 2008). Each side chooses what is best for its own entry.

use std::time::Instant;

use upstar_games::{AnyGame, GameResult, MAX_SIDES, Random, Rules, random_move};
use upstar_jobs::Budget;

use crate::agent::{Choice, Evaluation};
use crate::monte_carlo::Ties;
use crate::options::Limit;
use crate::simple::NOT_OVER;
use crate::spec::{AgentSpec, AgentSpecError};
use crate::uct::{FinalChoice, Mcts};

/// What each side has of a result, from 0 to 1.
type Shares = [f64; MAX_SIDES];

/// The most nodes of a tree; where it is full, random games begin at the leaves that there are.
const MOST_NODES: usize = 1 << 21;

/// Simulations between two looks at the clock.
const ROUND: u64 = 32;

/// A player of a game for one or several.
#[derive(Clone, Debug)]
pub(crate) enum SeveralAgent {
    Random,
    PickFirst,
    MonteCarlo(Limit, Ties),
    Mcts(Mcts),
}

impl SeveralAgent {
    /// The player that a specification names.
    pub(crate) fn new(spec: &AgentSpec, game: &AnyGame) -> Result<Self, AgentSpecError> {
        let variant = game.variant();
        Ok(match spec {
            AgentSpec::Random => Self::Random,
            AgentSpec::PickFirst => Self::PickFirst,
            AgentSpec::MonteCarlo(limit, ties) => Self::MonteCarlo(*limit, *ties),
            AgentSpec::Mcts(options) => {
                if options.exact > 0 || options.amaf > 0 || options.threads > 1 || options.reuse {
                    return Err(AgentSpecError(format!(
                        "in {variant} mcts has no options but each, c and final"
                    )));
                }
                Self::Mcts(options.clone())
            }
            other => {
                return Err(AgentSpecError(format!(
                    "{other} does not play {variant}, which does not have two sides; random, pick-first, mc and mcts do"
                )));
            }
        })
    }

    /// Chooses a move; the game must not be over.
    pub(crate) fn choose<R: Rules>(
        &self,
        rules: &R,
        position: &R::Position,
        budget: &Budget,
        random: &mut Random,
    ) -> Choice<R::Move> {
        match self {
            Self::Random => Choice::of(random_move(rules, position, random).expect(NOT_OVER)),
            Self::PickFirst => Choice::of(rules.moves(position).next().expect(NOT_OVER)),
            Self::MonteCarlo(limit, ties) => flat(rules, position, *limit, *ties, budget, random),
            Self::Mcts(options) => {
                let limit = match (options.limit, options.each) {
                    (Limit::Count(count), true) => {
                        Limit::Count(count.saturating_mul(rules.count_moves(position)))
                    }
                    (limit, _) => limit,
                };
                let mut tree = Tree::new(rules, position, options.c);
                let effort = within(limit, budget, |_| tree.simulate(random));
                tree.choice(options.final_choice, effort)
            }
        }
    }
}

/// Does a piece of work until the limit; at least once. Returns how often.
fn within(limit: Limit, budget: &Budget, mut work: impl FnMut(u64)) -> u64 {
    let begun = Instant::now();
    let mut done = 0;
    loop {
        work(done);
        done += 1;
        let counted = matches!(limit, Limit::Count(most) if done >= most);
        let timed = || matches!(limit, Limit::Time(time) if begun.elapsed() >= time);
        if counted || done % ROUND == 0 && (timed() || budget.is_over()) || budget.is_spent(done) {
            return done;
        }
    }
}

/// Equally many random games after each move, as flat Monte Carlo plays them.
fn flat<R: Rules>(
    rules: &R,
    position: &R::Position,
    limit: Limit,
    ties: Ties,
    budget: &Budget,
    random: &mut Random,
) -> Choice<R::Move> {
    let side = rules.side_to_move(position).index();
    let moves: Vec<R::Move> = rules.moves(position).collect();
    let mut sums = vec![0.0; moves.len()];
    let rounds = within(limit, budget, |_| {
        for (sum, &mv) in sums.iter_mut().zip(&moves) {
            let after = rules.play_unchecked(position, mv);
            *sum += playout(rules, &after, random)[side];
        }
    });
    let most = sums.iter().copied().fold(f64::MIN, f64::max);
    let best: Vec<usize> = (0..moves.len()).filter(|&at| sums[at] == most).collect();
    let best = match ties {
        Ties::First => best[0],
        Ties::Random => best[random.below(best.len() as u32) as usize],
    };
    Choice {
        mv: moves[best],
        evaluation: Some(Evaluation::Expected(2.0 * most / rounds as f64 - 1.0)),
        effort: rounds * moves.len() as u64,
        remark: None,
    }
}

/// What a random game brings to each side.
fn playout<R: Rules>(rules: &R, position: &R::Position, random: &mut Random) -> Shares {
    let mut position = *position;
    while let Some(mv) = random_move(rules, &position, random) {
        position = rules.play_unchecked(&position, mv);
    }
    shares(
        rules
            .result(&position)
            .expect("a game without moves is over"),
    )
}

/// The winner has everything. Solitaire is one player's game: the fewer stones are left, the more both colours have.
fn shares(result: GameResult) -> Shares {
    let mut shares = [0.0; MAX_SIDES];
    match result {
        GameResult::StonesLeft(stones) => shares = [1.0 / f64::from(stones.max(1)); MAX_SIDES],
        result => {
            if let Some(winner) = result.winner() {
                shares[winner.index()] = 1.0;
            }
        }
    }
    shares
}

/// A tree of positions with sums of shares.
struct Tree<'a, R: Rules> {
    rules: &'a R,
    c: f64,
    nodes: Vec<Node<R>>,
}

struct Node<R: Rules> {
    position: R::Position,
    /// The side that has moved here, whose share a parent looks at.
    mover: usize,
    mv: Option<R::Move>,
    visits: u64,
    sums: Shares,
    /// The places of its children; `None` until it is visited for the second time.
    children: Option<std::ops::Range<usize>>,
}

impl<'a, R: Rules> Tree<'a, R> {
    fn new(rules: &'a R, position: &R::Position, c: f64) -> Self {
        let mut tree = Self {
            rules,
            c,
            nodes: vec![Node {
                position: *position,
                mover: 0,
                mv: None,
                visits: 0,
                sums: [0.0; MAX_SIDES],
                children: None,
            }],
        };
        tree.expand(0);
        tree
    }

    fn expand(&mut self, at: usize) {
        let position = self.nodes[at].position;
        let mover = self.rules.side_to_move(&position).index();
        let first = self.nodes.len();
        let rules = self.rules;
        for mv in rules.moves(&position) {
            self.nodes.push(Node {
                position: rules.play_unchecked(&position, mv),
                mover,
                mv: Some(mv),
                visits: 0,
                sums: [0.0; MAX_SIDES],
                children: None,
            });
        }
        self.nodes[at].children = Some(first..self.nodes.len());
    }

    /// One walk down the tree, a random game, and its result for all nodes on the way.
    fn simulate(&mut self, random: &mut Random) {
        let (mut at, mut path) = (0, vec![0]);
        loop {
            let node = &self.nodes[at];
            if node.children.is_none() && node.visits > 0 && self.nodes.len() < MOST_NODES {
                self.expand(at);
            }
            match self.nodes[at].children.clone() {
                Some(children) if !children.is_empty() => {
                    at = self.select(at, children);
                    path.push(at);
                }
                _ => break,
            }
        }
        let shares = playout(self.rules, &self.nodes[at].position, random);
        for at in path {
            let node = &mut self.nodes[at];
            node.visits += 1;
            for (sum, share) in node.sums.iter_mut().zip(shares) {
                *sum += share;
            }
        }
    }

    /// The first child without a visit, or the one with the highest bound.
    fn select(&self, parent: usize, children: std::ops::Range<usize>) -> usize {
        let log = (self.nodes[parent].visits.max(1) as f64).ln();
        let bound = |node: &Node<R>| match node.visits {
            0 => f64::INFINITY,
            // As in games of two, whose results go from -1 to 1.
            visits => node.mean() + self.c * (log / (2 * visits) as f64).sqrt(),
        };
        let mut best = (children.start, f64::MIN);
        for at in children {
            let bound = bound(&self.nodes[at]);
            if bound > best.1 {
                best = (at, bound);
            }
        }
        best.0
    }

    fn choice(&self, by: FinalChoice, effort: u64) -> Choice<R::Move> {
        let children = self.nodes[0]
            .children
            .clone()
            .expect("the root is expanded");
        let worth = |node: &Node<R>| match by {
            FinalChoice::Mean if node.visits == 0 => f64::MIN,
            FinalChoice::Mean => node.mean(),
            FinalChoice::Visits => node.visits as f64,
        };
        let mut best = &self.nodes[children.start];
        for child in &self.nodes[children] {
            if worth(child) > worth(best) {
                best = child;
            }
        }
        Choice {
            mv: best.mv.expect("a child has a move"),
            evaluation: Some(Evaluation::Expected(2.0 * best.mean() - 1.0)),
            effort,
            remark: None,
        }
    }
}

impl<R: Rules> Node<R> {
    /// The mean share of the side that has moved here.
    fn mean(&self) -> f64 {
        self.sums[self.mover] / self.visits.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use upstar_games::with_rules;

    use super::*;

    fn chosen(game: &str, position: &str, spec: &str) -> String {
        let game = AnyGame::parse(game, position).unwrap();
        let agent = SeveralAgent::new(&spec.parse().unwrap(), &game).unwrap();
        with_rules!(&game, |rules, start| {
            let choice = agent.choose(rules, start, &Budget::unlimited(), &mut Random::new(4));
            rules.move_name(choice.mv)
        })
    }

    /// The last move wins, and x has it only by taking o at once: after a1b1 nobody else can move.
    #[test]
    fn searches_see_a_win_in_one() {
        for spec in ["mc:50", "mcts:500", "mcts:50,each=true,final=visits"] {
            assert_eq!(
                chosen("clobber:colors=3", "xo.|..t", spec),
                "a1b1",
                "{spec}"
            );
        }
    }

    /// With many simulations the tree finds what trying everything finds: the move after which x wins if each side
    /// plays for itself.
    #[test]
    fn many_simulations_find_the_best_line_of_selfish_players() {
        /// The shares of play in which each side takes the first of its best moves, and whether that is the only one.
        fn best<R: Rules>(rules: &R, position: &R::Position) -> (Shares, bool) {
            let side = rules.side_to_move(position).index();
            let mut found: Option<Shares> = None;
            let mut unique = true;
            for mv in rules.moves(position) {
                let (shares, sure) = best(rules, &rules.play_unchecked(position, mv));
                match &found {
                    Some(other) if other[side] > shares[side] => {}
                    Some(other) if other[side] == shares[side] => {
                        unique &= *other == shares && sure;
                    }
                    _ => (found, unique) = (Some(shares), sure),
                }
            }
            let over = || shares(rules.result(position).expect("it is over"));
            (found.unwrap_or_else(over), unique)
        }
        let mut compared = 0;
        for text in ["xot|tox", "xo|tx|ot", "xotx", "xtox|oxt.", "tox|oxt"] {
            let game = AnyGame::parse("clobber:colors=3", text).unwrap();
            let AnyGame::Colors(rules, start) = &game else {
                panic!("it has three colours")
            };
            let (expected, unique) = best(rules, start);
            if !unique {
                continue;
            }
            let side = rules.side_to_move(start).index();
            let name = chosen("clobber:colors=3", text, "mcts:20000,final=visits");
            let mv = rules.legal_move(start, &name).unwrap();
            let (after, _) = best(rules, &rules.play_unchecked(start, mv));
            assert_eq!(after[side], expected[side], "{text}: {name}");
            compared += 1;
        }
        assert!(compared > 0);
    }

    #[test]
    fn solitaire_is_played_down_to_few_stones() {
        let start = AnyGame::parse("clobber:solitaire", "4x4").unwrap();
        let left = |spec: &str, seed: u64| {
            let agent = SeveralAgent::new(&spec.parse().unwrap(), &start).unwrap();
            let AnyGame::Solitaire(rules, position) = &start else {
                panic!("it is solitaire")
            };
            let (mut position, mut random) = (*position, Random::new(seed));
            while !rules.is_over(&position) {
                let choice = agent.choose(rules, &position, &Budget::unlimited(), &mut random);
                position = rules.play_unchecked(&position, choice.mv);
            }
            match rules.result(&position) {
                Some(GameResult::StonesLeft(stones)) => stones,
                other => panic!("{other:?}"),
            }
        };
        let sum = |spec: &str| (1..=8).map(|seed| left(spec, seed)).sum::<u32>();
        assert!(sum("mcts:500") < sum("mc:5"));
        assert!(sum("mc:5") < sum("random"));
    }

    #[test]
    fn others_are_refused_with_those_that_play() {
        let game = AnyGame::parse("clobber:colors=3", "3x3").unwrap();
        for spec in ["solver", "az:default", "mcts:10,exact=5"] {
            let refused = SeveralAgent::new(&spec.parse().unwrap(), &game).unwrap_err();
            assert!(refused.to_string().contains("mcts"), "{refused}");
        }
    }
}
