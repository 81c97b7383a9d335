//! A proof as a player: whatever the other side plays, here is the reply that keeps what was proved.

use std::io::{Read, Seek};

use upstar_games::{AnyGame, Color, Side, Start, Variant};
use upstar_jobs::{Budget, Watch};

use crate::check::{AnyClaim, CheckOptions, Checked, Watched, check};
use crate::clobber::ClobberStrategy;
use crate::file::ProofFile;
use crate::othello::OthelloStrategy;
use crate::refusal::Refusal;

/// The replies of a proof that has been checked.
pub struct Strategy {
    checked: Checked,
    prover: Color,
    replies: Replies,
}

enum Replies {
    Clobber(Box<ClobberStrategy>),
    Othello(Box<OthelloStrategy>),
}

impl Strategy {
    /// Checks a proof and takes up its positions, those of `prover` if there are two strategies.
    ///
    /// # Errors
    /// If the proof is not accepted, does not fit into the memory allowed, or has no strategy of this
    /// side.
    pub fn read<R: Read + Seek + Send>(
        mut reader: R,
        prover: Option<Color>,
        options: &CheckOptions,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Self, Refusal> {
        let checked = check(&mut reader, options, budget, watch)?;
        let possible = provers(&checked.claim);
        let prover = prover.unwrap_or(possible[0]);
        if !possible.contains(&prover) {
            return Err(Refusal::NoStrategy(prover));
        }
        /// Bytes that a position takes up in a set that has just grown.
        const BYTES: u64 = 48;
        if checked.nodes.saturating_mul(BYTES) > options.memory {
            return Err(Refusal::ManyNodes(checked.nodes));
        }
        let mut file = ProofFile::new(reader, budget, watch)?;
        let (reader, outline) = file.parts();
        let watched = Watched { budget, watch };
        let replies = match &checked.claim {
            AnyClaim::Clobber(_) => Replies::Clobber(Box::new(ClobberStrategy::read(
                reader,
                outline,
                options.effort,
                watched,
            )?)),
            AnyClaim::Othello(_) => Replies::Othello(Box::new(OthelloStrategy::read(
                reader,
                outline,
                prover,
                options.effort,
                watched,
            )?)),
        };
        Ok(Self {
            checked,
            prover,
            replies,
        })
    }

    /// What was proved.
    #[must_use]
    pub fn checked(&self) -> &Checked {
        &self.checked
    }

    /// The side that replies.
    #[must_use]
    pub fn prover(&self) -> Color {
        self.prover
    }

    /// The claimed position.
    #[must_use]
    pub fn start(&self) -> AnyGame {
        let (variant, setup, to_move) = match &self.checked.claim {
            AnyClaim::Clobber(claim) => (claim.variant, &claim.setup, claim.to_move),
            AnyClaim::Othello(claim) => {
                let variant: Variant = "othello".parse().expect("a game");
                (variant, &claim.setup, claim.to_move)
            }
        };
        let start = Start::Given(setup.clone());
        AnyGame::open(variant, &start, Some(to_move.letter())).expect("a checked claim is a game")
    }

    /// The prover's reply in this position, which must have been reached from the start by these
    /// replies and whatever the other side played.
    ///
    /// # Errors
    /// If the position was reached otherwise, or a search exceeds its limit.
    pub fn reply(&mut self, game: &AnyGame) -> Result<String, Refusal> {
        let legal = game.legal();
        if let [only] = &legal[..]
            && game.must_pass()
        {
            return Ok(only.clone());
        }
        let after = |name: &String| {
            let next = game.play(name).expect("a legal move");
            (name.clone(), next)
        };
        let options: Vec<(String, AnyGame)> = legal.iter().map(after).collect();
        let found = match &mut self.replies {
            Replies::Clobber(strategy) => strategy.reply(game, &options),
            Replies::Othello(strategy) => strategy.reply(&options),
        };
        found?.ok_or(Refusal::Missing(1))
    }
}

/// The sides whose strategies a proof of this claim has.
fn provers(claim: &AnyClaim) -> Vec<Color> {
    match claim {
        AnyClaim::Clobber(claim) => vec![claim.winner],
        AnyClaim::Othello(claim) => {
            let sides = [Color::Black, Color::White].into_iter();
            let mut sides: Vec<Color> = sides.filter(|&side| claim.goal(side).is_some()).collect();
            // Where both have one the winner replies; in a draw the side that does not begin.
            let wins = |side| claim.goal(side).is_some_and(|goal| goal > 0);
            sides.sort_by_key(|&side| (!wins(side), side == claim.to_move));
            sides
        }
    }
}

/// The colour of the side to move.
pub(crate) fn color(game: &AnyGame) -> Color {
    let side: Side = game.side_to_move();
    match side.letter() {
        'x' => Color::Black,
        _ => Color::White,
    }
}
