//! Puzzles checked by proofs: for every move of a puzzle a proof of its result is written and then accepted
//! by a checker that knows only the rules, so that neither the solver nor the puzzle has to be believed.

use std::ops::ControlFlow;
use std::path::Path;

use upstar_games::{AnyGame, Color, Side};
use upstar_jobs::{Budget, Pool, Unwatched};
use upstar_proof::AnyClaim;
use upstar_solve::{Query, SolveError, Solver};

use crate::puzzle::{Puzzle, PuzzleError};

/// Checks puzzles.
pub struct PuzzleCheck<'a> {
    /// Finds what the proofs prove. Its settings say how much memory each check may take.
    pub solver: Solver,
    /// The proofs are written into this folder, one file for each move.
    pub folder: &'a Path,
    /// Whether the proofs stay there.
    pub keep: bool,
    /// How many puzzles are checked at a time.
    pub threads: usize,
}

/// What came of checking a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedPuzzle {
    /// What is wrong with it, if anything.
    pub fault: Option<PuzzleFault>,
    /// Proofs that were written and accepted.
    pub proofs: usize,
    /// Moves that end the game, whose result the rules tell.
    pub ended: usize,
    /// The size of all proofs.
    pub bytes: u64,
}

/// Why a puzzle is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleFault {
    /// The position cannot be read.
    #[error("{0}")]
    Position(String),
    /// The solution is not a move.
    #[error("{0} is not a legal move")]
    Illegal(String),
    /// The solution does not win.
    #[error("{0} does not win")]
    DoesNotWin(String),
    /// There is another move that wins.
    #[error("{0} wins too")]
    WinsToo(String),
}

impl PuzzleCheck<'_> {
    /// Checks all puzzles and tells of each, in their order. True if none was left out because the budget was
    /// spent.
    ///
    /// # Errors
    /// If a proof cannot be written or is not accepted, or there is no memory or no thread.
    pub fn check(
        &self,
        puzzles: &[Puzzle],
        budget: &Budget,
        told: &mut dyn FnMut(&Puzzle, CheckedPuzzle),
    ) -> Result<bool, PuzzleError> {
        let pool = Pool {
            jobs: puzzles.len() as u64,
            threads: self.threads,
            budget,
        };
        pool.work(
            || (),
            |(), index, budget| match self.check_one(index, &puzzles[index as usize], budget) {
                Err(_) if budget.is_over() => Ok(None),
                checked => checked.map(Some).map_err(PuzzleError::from),
            },
            |_, _| Ok(()),
            |index, checked| {
                told(&puzzles[index as usize], checked);
                ControlFlow::Continue(())
            },
        )
    }

    /// Checks the puzzle with this number.
    fn check_one(
        &self,
        index: u64,
        puzzle: &Puzzle,
        budget: &Budget,
    ) -> Result<CheckedPuzzle, SolveError> {
        let mut checked = CheckedPuzzle {
            fault: None,
            proofs: 0,
            ended: 0,
            bytes: 0,
        };
        let (game, solution) = match opened(puzzle) {
            Ok(opened) => opened,
            Err(fault) => {
                checked.fault = Some(fault);
                return Ok(checked);
            }
        };
        for mv in game.legal() {
            let next = game.play(&mv).expect("the move is legal");
            let winner = match next.result() {
                Some(result) => {
                    checked.ended += 1;
                    result.winner()
                }
                None => {
                    let file = self.folder.join(format!("{:03}-{mv}.proof", index + 1));
                    let proved =
                        self.solver
                            .prove(&next, &Query::winner(), &file, budget, &Unwatched);
                    if !self.keep {
                        // Left behind it would do no harm.
                        let _ = std::fs::remove_file(&file);
                    }
                    let (written, accepted) = proved?;
                    checked.proofs += 1;
                    checked.bytes += written.bytes;
                    winner(&accepted.claim, &next)
                }
            };
            let wins = winner == Some(game.side_to_move());
            if wins != (mv == solution) {
                checked.fault.get_or_insert(match wins {
                    true => PuzzleFault::WinsToo(mv),
                    false => PuzzleFault::DoesNotWin(mv),
                });
            }
        }
        Ok(checked)
    }
}

/// The position of a puzzle, and its solution as the game writes it.
fn opened(puzzle: &Puzzle) -> Result<(AnyGame, String), PuzzleFault> {
    let game = puzzle.open().map_err(PuzzleFault::Position)?;
    match game.legal_move(&puzzle.solution) {
        Ok(solution) => Ok((game, solution)),
        Err(_) => Err(PuzzleFault::Illegal(puzzle.solution.clone())),
    }
}

/// Who wins by a claim that was accepted; nobody in a draw.
///
/// # Panics
/// If the claim is about another position, or leaves open who wins.
fn winner(claim: &AnyClaim, game: &AnyGame) -> Option<Side> {
    let (setup, to_move) = match claim {
        AnyClaim::Clobber(claim) => (&claim.setup, claim.to_move),
        AnyClaim::Othello(claim) => (&claim.setup, claim.to_move),
    };
    let same = *setup == game.setup() && game.side_to_move() == to_move;
    assert!(same, "the proof is about the position it was asked for");
    let winner = match claim {
        AnyClaim::Clobber(claim) => Some(claim.winner),
        AnyClaim::Othello(claim) => match (claim.at_least, claim.at_most) {
            (Some(1..), _) => Some(Color::Black),
            (_, Some(..0)) => Some(Color::White),
            (Some(0), Some(0)) => None,
            _ => panic!("the proof says who wins"),
        },
    };
    winner.map(Side::from)
}
