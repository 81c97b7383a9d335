//! What prover and estimator have found so far, for both to add to and the caller to read.

use std::cmp::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

use upstar_games::AnyGame;
use upstar_solve::Outcome;

use crate::analyser::GradedMove;
use crate::estimator::Opinion;
use crate::knowledge::{Estimate, Grade, Knowledge};
use crate::proved_results::normal_form;

/// The moves of one position.
pub(crate) struct State {
    inner: Mutex<Inner>,
}

struct Inner {
    root: Knowledge,
    moves: Vec<GradedMove>,
    /// Positions that the solver has searched.
    nodes: u64,
    /// Simulations or positions of the estimator.
    work: u64,
}

/// All that is known at a moment.
pub(crate) struct Snapshot {
    pub(crate) known: Knowledge,
    pub(crate) moves: Vec<GradedMove>,
    pub(crate) nodes: u64,
    pub(crate) work: u64,
}

impl State {
    pub(crate) fn new(game: &AnyGame) -> Self {
        let mut classes: Vec<(String, char)> = Vec::new();
        let moves = game.legal().into_iter().map(|mv| {
            let next = game.play(&mv).expect("the move is legal");
            let class = normal_form(&next);
            let known = classes.iter().position(|other| *other == class);
            let class = known.unwrap_or_else(|| {
                classes.push(class);
                classes.len() - 1
            });
            GradedMove {
                line: vec![mv.clone()],
                mv,
                known: Knowledge::default(),
                rank: 0.0,
                class,
            }
        });
        Self {
            inner: Mutex::new(Inner {
                root: Knowledge::default(),
                moves: moves.collect(),
                nodes: 0,
                work: 0,
            }),
        }
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something is proved about the position.
    pub(crate) fn prove_root(&self, known: &Knowledge) {
        let mut inner = self.locked();
        inner.root.learn(known);
        inner.conclude();
    }

    /// Something is proved about a move, with a line that shows it.
    pub(crate) fn prove_move(&self, mv: &str, known: &Knowledge, line: Vec<String>) {
        let mut inner = self.locked();
        let Some(graded) = inner.moves.iter_mut().find(|graded| graded.mv == mv) else {
            return;
        };
        if line.len() > 1 {
            graded.line = line;
        }
        let class = graded.class;
        for graded in inner.of_class(class) {
            graded.known.learn(known);
        }
        inner.conclude();
    }

    /// What the estimator thinks of the moves now.
    pub(crate) fn opine(&self, opinions: Vec<Opinion>, by: &'static str, work: u64) {
        let mut inner = self.locked();
        inner.work = work;
        // Of moves that are the same but for a turn or a mirror the one that was looked at most tells.
        let mut most: Vec<Option<u64>> = Vec::new();
        for opinion in opinions {
            let moves = &mut inner.moves;
            let Some(graded) = moves.iter_mut().find(|graded| graded.mv == opinion.mv) else {
                continue;
            };
            if !graded.known.is_proved() && opinion.line.len() > 1 {
                graded.line = opinion.line;
            }
            let class = graded.class;
            most.resize(most.len().max(class + 1), None);
            if most[class].is_some_and(|work| work >= opinion.work) {
                continue;
            }
            most[class] = Some(opinion.work);
            for graded in inner.of_class(class) {
                if let Some(outcome) = opinion.proved {
                    graded.known.learn(&Knowledge::of_outcome(outcome));
                }
                graded.known.estimate = Some(Estimate {
                    win: opinion.win,
                    discs: opinion.discs,
                    by,
                    work: opinion.work,
                });
                graded.rank = opinion.rank;
            }
        }
        inner.conclude();
    }

    pub(crate) fn add_nodes(&self, nodes: u64) {
        self.locked().nodes += nodes;
    }

    /// Moves that are not proved, the most promising first.
    pub(crate) fn open_moves(&self) -> Vec<String> {
        let inner = self.locked();
        let mut open: Vec<&GradedMove> = inner.moves.iter().collect();
        open.retain(|graded| !graded.known.is_proved());
        let scored = have_scores(&inner.moves);
        open.sort_by(|a, b| better(a, b, scored));
        open.iter().map(|graded| graded.mv.clone()).collect()
    }

    /// Whether nothing is left to find out about a move.
    pub(crate) fn is_move_proved(&self, mv: &str) -> bool {
        let inner = self.locked();
        let mut moves = inner.moves.iter();
        moves.any(|graded| graded.mv == mv && graded.known.is_proved())
    }

    /// Whether nothing is left to find out.
    pub(crate) fn is_proved(&self) -> bool {
        let inner = self.locked();
        inner.moves.iter().all(|graded| graded.known.is_proved())
    }

    pub(crate) fn root(&self) -> Knowledge {
        self.locked().root.clone()
    }

    /// All that is known, the best move first.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let inner = self.locked();
        let mut moves = inner.moves.clone();
        // The sort is stable: equally good moves stay in the order of moves.
        let scored = have_scores(&moves);
        moves.sort_by(|a, b| better(a, b, scored));
        let mut known = inner.root.clone();
        if let Some(best) = moves.first() {
            known.estimate.clone_from(&best.known.estimate);
        }
        Snapshot {
            known,
            moves,
            nodes: inner.nodes,
            work: inner.work,
        }
    }
}

impl Inner {
    /// Moves that lead to the same position, turned or mirrored.
    fn of_class(&mut self, class: usize) -> impl Iterator<Item = &mut GradedMove> {
        let moves = self.moves.iter_mut();
        moves.filter(move |graded| graded.class == class)
    }

    /// What follows for the position from its moves, and for the moves from their position.
    fn conclude(&mut self) {
        let best = |of: fn(&Knowledge) -> Option<i32>| {
            let bounds = self.moves.iter().map(|graded| of(&graded.known));
            bounds.fold((None, true), |(most, all), bound| {
                (most.max(bound), all && bound.is_some())
            })
        };
        let (at_least, _) = best(|known| known.at_least);
        let (at_most, all) = best(|known| known.at_most);
        self.root.bound(at_least, at_most.filter(|_| all));
        let outcomes = || self.moves.iter().map(|graded| graded.known.outcome);
        let all: Option<Vec<Outcome>> = outcomes().collect();
        let best = match all {
            _ if outcomes().any(|it| it == Some(Outcome::Win)) => Some(Outcome::Win),
            Some(all) => all.into_iter().max(),
            None => None,
        };
        self.root.outcome = self.root.outcome.or(best);
        // No move is better than its position.
        for graded in &mut self.moves {
            graded.known.bound(None, self.root.at_most);
            if self.root.outcome == Some(Outcome::Loss) {
                graded.known.outcome = Some(Outcome::Loss);
            }
        }
    }
}

/// Whether every move has a score, by which they can be compared.
fn have_scores(moves: &[GradedMove]) -> bool {
    moves.iter().all(|graded| graded.known.discs().is_some())
}

/// Which of two moves comes first: proved wins, then what promises most, proved losses last.
fn better(a: &GradedMove, b: &GradedMove, scored: bool) -> Ordering {
    let class = |graded: &GradedMove| match graded.known.outcome {
        Some(Outcome::Win) => 2,
        Some(Outcome::Loss) => 0,
        _ => 1,
    };
    let sure = |graded: &GradedMove| match graded.known.grade() {
        Grade::Proved => 1,
        _ => 0,
    };
    let by_discs = match (a.known.discs(), b.known.discs()) {
        (Some(a), Some(b)) if scored => b.total_cmp(&a),
        _ => Ordering::Equal,
    };
    let by_class = class(b).cmp(&class(a));
    let by_rank = b.rank.total_cmp(&a.rank);
    by_class
        .then(by_discs)
        .then(sure(b).cmp(&sure(a)))
        .then(by_rank)
}
