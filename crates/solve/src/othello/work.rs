//! How much work a proof seems to take.
//!
//! To prove that a move wins, every reply to it needs an answer that wins, one for each: so the work is
//! the sum over the replies of the least over the answers. Some plies ahead that sum is taken; there
//! the work is guessed by how much the other side has to choose from and how surely it seems to lose.
//! Of several moves that win, this finds the one that is cheap to prove; it proves nothing itself.

use upstar_machine::{Kernel, Machine};

use super::discs::Discs;
use super::patterns::{DISC, Evaluation, Features};
use super::space::Space;

/// As good as hopeless: an answer is not said to take more work.
pub(super) const MOST: u64 = 1 << 40;
/// Logarithms of work count these parts of a doubling.
const DOUBLING: i32 = 16;
/// What a proof grows by with each move of the other side, and with each empty cell beside the discs
/// of the side that wins. These and the next two began as regressions on the work that searches of 6×6
/// and 5×8 took, and were then chosen by trial on the same boards.
const MOBILITY: i32 = 12;
const POTENTIAL: i32 = 2;
/// What it shrinks by with each disc of the winner's margin, as a natural logarithm.
const MARGIN: f64 = 0.04;
/// The logarithm of the odds that a disc of margin is worth: what fails has to be paid for too.
const ODDS: f64 = 0.3;
/// The largest margin that is told from larger ones, in the units of the evaluation.
const MARGINS: i32 = 128 * DISC;
/// The least logarithm, and how many there are from there on.
const LEAST: i32 = -6 * DOUBLING;
const POWERS: i32 = 40 * DOUBLING;

/// Tables for guesses.
pub(super) struct Work {
    /// The logarithm of what a margin makes of the work, by margin from −[`MARGINS`] on.
    margins: Vec<i32>,
    /// The least of them.
    surest: i32,
    /// The work by logarithm, from [`LEAST`] on.
    powers: Vec<u64>,
}

impl Work {
    pub(super) fn new() -> Self {
        let of_margin = |margin: i32| {
            let discs = f64::from(margin) / f64::from(DISC);
            let log = (-ODDS * discs).exp().ln_1p() - MARGIN * discs;
            (log / std::f64::consts::LN_2 * f64::from(DOUBLING)).round() as i32
        };
        let margins: Vec<i32> = (-MARGINS..MARGINS).map(of_margin).collect();
        let power = |log: i32| (f64::from(log) / f64::from(DOUBLING)).exp2().round() as u64;
        Self {
            surest: *margins.iter().min().expect("there are margins"),
            margins,
            powers: (0..POWERS).map(power).collect(),
        }
    }

    #[inline(always)]
    fn power(&self, log: i32) -> u64 {
        self.powers[(log - LEAST).clamp(0, POWERS - 1) as usize]
    }

    #[inline(always)]
    fn of_margin(&self, margin: i32) -> i32 {
        self.margins[(margin + MARGINS).clamp(0, 2 * MARGINS - 1) as usize]
    }
}

/// What is to be proved: that the side that has moved gets more than `alpha`.
#[derive(Clone, Copy)]
pub(super) struct Goal<'a> {
    pub(super) space: &'a Space,
    pub(super) evaluation: &'a Evaluation,
    pub(super) work: &'a Work,
    pub(super) alpha: i32,
}

/// The work to prove the goal where its opponent is to move, looking an even number of plies ahead, two
/// at least; if it is not below `enough`, anything from there on.
pub(super) struct Replies<'a, 'n> {
    pub(super) goal: Goal<'a>,
    pub(super) discs: Discs,
    pub(super) features: &'a Features,
    pub(super) plies: u32,
    pub(super) enough: u64,
    /// Counts the positions that are looked at.
    pub(super) looked: &'n mut u64,
}

impl Kernel for Replies<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<M: Machine>(self) -> u64 {
        let Self {
            goal,
            discs,
            features,
            plies,
            enough,
            looked,
        } = self;
        *looked += 1;
        let space = goal.space;
        let mut moves = space.placements::<M>(discs.own, discs.opponent);
        if moves == 0 {
            return answers::<M>(goal, discs.passed(), &features.passed(), plies, looked);
        }
        let mut sum = 0;
        while moves != 0 && sum < enough {
            let cell = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let turned = space.turned::<M>(discs.own, discs.opponent, cell);
            let next = goal.evaluation.layout.after(features, cell, turned);
            sum += answers::<M>(goal, discs.after(cell, turned), &next, plies, looked);
        }
        sum
    }
}

/// The same where the side to move wants to prove the goal. Looking more than two plies ahead, only the
/// two answers that seem cheapest at once are followed.
#[inline(always)]
fn answers<M: Machine>(
    goal: Goal<'_>,
    discs: Discs,
    features: &Features,
    plies: u32,
    looked: &mut u64,
) -> u64 {
    *looked += 1;
    let space = goal.space;
    let mut moves = space.placements::<M>(discs.own, discs.opponent);
    if moves == 0 {
        let passed = discs.passed();
        if space.placements::<M>(passed.own, passed.opponent) == 0 {
            let wins = space.final_score(discs) > goal.alpha;
            return if wins { 1 } else { MOST };
        }
        return further::<M>(goal, passed, &features.passed(), plies - 2, MOST, looked).min(MOST);
    }
    let (mut best, mut second) = ((MOST, None), (MOST, None));
    while moves != 0 {
        let cell = moves.trailing_zeros() as usize;
        moves &= moves - 1;
        let turned = space.turned::<M>(discs.own, discs.opponent, cell);
        let next = discs.after(cell, turned);
        let enough = if plies == 2 { best.0 } else { second.0 };
        *looked += 1;
        let work = at_once::<M>(goal, next, enough, || {
            goal.evaluation.layout.after(features, cell, turned)
        });
        if work < best.0 {
            (best, second) = ((work, Some((next, cell, turned))), best);
        } else if work < second.0 {
            second = (work, Some((next, cell, turned)));
        }
    }
    if plies == 2 {
        return best.0;
    }
    let mut least = MOST;
    for (next, cell, turned) in [best.1, second.1].into_iter().flatten() {
        let features = goal.evaluation.layout.after(features, cell, turned);
        least = least.min(further::<M>(
            goal,
            next,
            &features,
            plies - 2,
            least,
            looked,
        ));
    }
    least
}

#[inline(always)]
fn further<M: Machine>(
    goal: Goal<'_>,
    discs: Discs,
    features: &Features,
    plies: u32,
    enough: u64,
    looked: &mut u64,
) -> u64 {
    if plies == 0 {
        return at_once::<M>(goal, discs, enough, || *features);
    }
    M::call(Replies {
        goal,
        discs,
        features,
        plies,
        enough,
        looked,
    })
}

/// The same as [`Replies`] without looking ahead.
#[inline(always)]
fn at_once<M: Machine>(
    goal: Goal<'_>,
    discs: Discs,
    enough: u64,
    features: impl FnOnce() -> Features,
) -> u64 {
    let Goal {
        space,
        evaluation,
        work,
        alpha,
    } = goal;
    let moves = space.placements::<M>(discs.own, discs.opponent);
    let empty = space.board & !(discs.own | discs.opponent);
    let potential = space.beside::<M>(discs.opponent) & empty;
    let choice = MOBILITY * moves.count_ones() as i32 + POTENTIAL * potential.count_ones() as i32;
    let least = work.power(choice + work.surest);
    if least >= enough {
        return least;
    }
    let margin = -evaluation.score::<M>(space, discs, &features()) - DISC * alpha;
    work.power(choice + work.of_margin(margin))
}

#[cfg(test)]
mod tests {
    use upstar_games::othello::{Opening, start};
    use upstar_games::{Color, Grid, Othello, Position, Random, Rules, random_move};
    use upstar_machine::Isa;

    use super::super::weights::shipped;
    use super::*;

    struct AtOnce<'a>(Goal<'a>, Discs);
    impl Kernel for AtOnce<'_> {
        type Output = u64;
        #[inline(always)]
        fn run<M: Machine>(self) -> u64 {
            let Self(goal, discs) = self;
            at_once::<M>(goal, discs, MOST, || goal.evaluation.layout.features(discs))
        }
    }

    fn discs(position: &Position<u64>) -> Discs {
        Discs {
            own: position.own,
            opponent: position.opponent,
        }
    }

    /// By the rules of the game and the definition.
    fn plainly(goal: Goal<'_>, game: &Othello<u64>, position: &Position<u64>, plies: u32) -> u64 {
        if plies == 0 {
            return Isa::best().run(AtOnce(goal, discs(position)));
        }
        let next = |position: &Position<u64>| -> Vec<Position<u64>> {
            let moves = game.moves(position);
            moves.map(|mv| game.play_unchecked(position, mv)).collect()
        };
        let over = |winner: Discs| {
            let wins = goal.space.final_score(winner) > goal.alpha;
            if wins { 1 } else { MOST }
        };
        let replies = next(position);
        if replies.is_empty() {
            return over(discs(position).passed());
        }
        let replies = replies.into_iter().map(|reply| {
            let mut answers = next(&reply);
            if answers.is_empty() {
                return over(discs(&reply));
            }
            answers.sort_by_key(|answer| plainly(goal, game, answer, 0));
            let followed = if plies == 2 { answers.len() } else { 2 };
            let answers = answers.iter().take(followed);
            let works = answers.map(|answer| plainly(goal, game, answer, plies - 2));
            works.min().expect("there is an answer").min(MOST)
        });
        replies.sum()
    }

    #[test]
    fn work_is_the_sum_over_replies_of_the_least_over_answers() {
        let mut random = Random::new(5);
        let mut cut = 0;
        for size in ["6x6", "5x8", "8x8"] {
            let grid: Grid = size.parse().unwrap();
            let (space, evaluation) =
                (Space::new(&grid, false), shipped(&grid).unwrap().evaluation);
            let (game, work) = (Othello::<u64>::new(grid), Work::new());
            for round in 0..40 {
                let mut position = game
                    .position(&start(grid, Opening::DIAGONAL).unwrap(), Color::Black)
                    .unwrap();
                for _ in 0..8 + round % 20 {
                    let mv = random_move(&game, &position, &mut random).unwrap();
                    position = game.play_unchecked(&position, mv);
                }
                let goal = Goal {
                    space: &space,
                    evaluation: &evaluation,
                    work: &work,
                    alpha: round - 20,
                };
                for plies in [2, 4] {
                    let expected = plainly(goal, &game, &position, plies);
                    for isa in Isa::available() {
                        let ask = |enough: u64| {
                            isa.run(Replies {
                                goal,
                                discs: discs(&position),
                                features: &evaluation.layout.features(discs(&position)),
                                plies,
                                enough,
                                looked: &mut 0,
                            })
                        };
                        assert_eq!(ask(u64::MAX), expected, "{}", game.setup(&position));
                        assert!(ask(expected / 2) >= expected / 2);
                        cut += u32::from(ask(expected / 2) < expected);
                    }
                }
            }
        }
        assert!(cut > 100, "{cut}");
    }
}
