//! A solved position: what was asked, what was found, and the proof's size and checksum.

use std::fs;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::tempdir;
use upstar_games::{AnyGame, Variant, VariantError};
use upstar_jobs::Budget;
use upstar_solve::{Query, Question, SolveError, Solver};

use crate::failure::Failure;
use crate::input::GameArguments;
use crate::output::{counted, grouped};
use crate::progress::SearchProgress;
use crate::search::{SearchArguments, refused};
use crate::verbs::solve::prepare;

/// A line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) game: String,
    /// A size, or a position as text.
    pub(super) position: String,
    /// What the position is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) to_move: char,
    /// `x`, `o` or `draw`; null in solitaire.
    pub(super) winner: Option<String>,
    /// Othello: discs of `x` less those of `o`, if that was asked; solitaire: the fewest stones.
    pub(super) score: Option<i32>,
    /// A move that reaches the result, if the side to move can do more than lose.
    pub(super) r#move: Option<String>,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
    pub(super) threads: usize,
    pub(super) memory: usize,
    /// Its proof, which the checker accepted; null where there are no proof files.
    pub(super) proof: Option<Proof>,
    /// How else the result was confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) confirmed: Option<String>,
}

/// What is known of a proof file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Proof {
    pub(super) positions: u64,
    /// Clobber: lemmas.
    pub(super) lemmas: u64,
    /// Endings that the checker searched.
    pub(super) leaves: u64,
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

impl Row {
    /// A position of which nothing is known yet.
    pub(super) fn asked(
        game: Variant,
        position: &str,
        to_move: Option<char>,
        name: Option<&str>,
    ) -> Self {
        Self {
            game: game.to_string(),
            position: position.to_owned(),
            name: name.map(str::to_owned),
            to_move: to_move.unwrap_or('x'),
            winner: None,
            score: None,
            r#move: None,
            nodes: 0,
            seconds: 0.0,
            threads: 0,
            memory: 0,
            proof: None,
            confirmed: None,
        }
    }

    /// Whether both are about the same question.
    pub(super) fn is_about(&self, other: &Self) -> bool {
        let question = |row: &Self| (row.game.clone(), row.position.clone(), row.to_move);
        question(self) == question(other)
    }

    /// Whether both say the same. Winning moves may differ.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        (&self.winner, self.score) == (&other.winner, other.score)
    }

    /// The game at the position.
    pub(super) fn open(&self) -> Result<AnyGame, Failure> {
        let game: Variant =
            (self.game.parse()).map_err(|error: VariantError| Failure::input(error, "clobber"))?;
        GameArguments::new(game, &self.position, Some(self.to_move), &[]).open()
    }

    /// Solves the position again.
    pub(super) fn again(&self, search: &SearchArguments) -> Result<Option<Self>, Failure> {
        self.solve(self.score.is_some(), search)
    }

    /// Solves the position, writes a proof where there are proofs of the game, and has it checked; `None` if the
    /// limits are too narrow.
    pub(super) fn solve(
        &self,
        exact: bool,
        search: &SearchArguments,
    ) -> Result<Option<Self>, Failure> {
        let game = self.open()?;
        let budget = search.budget();
        let begun = Instant::now();
        let found = |seconds: f64, nodes: u64| Self {
            winner: None,
            score: None,
            r#move: None,
            nodes,
            seconds,
            threads: search.threads(),
            memory: search.memory(),
            proof: None,
            ..self.clone()
        };
        if let AnyGame::Solitaire(rules, start) = &game {
            let fewest = rules.fewest(start, &mut |nodes| !budget.is_spent(nodes));
            return Ok(fewest.is_best().then(|| Self {
                score: Some(fewest.stones_left as i32),
                ..found(begun.elapsed().as_secs_f64(), fewest.nodes)
            }));
        }
        let query = Query {
            question: if exact {
                Question::Score
            } else {
                Question::Winner
            },
            ..Query::default()
        };
        let solver = Solver::new(search.settings());
        let progress = SearchProgress::default();
        prepare(&solver, &game, &query, &budget, &progress).map_err(|error| refused(&error))?;
        let begun = Instant::now();
        let answer = progress.during(|| solver.solve(&game, &query, &budget, &progress));
        let answer = answer.map_err(|error| refused(&error))?;
        let seconds = begun.elapsed().as_secs_f64();
        if !answer.proved {
            return Ok(None);
        }
        let winner = answer.winner().map(str::to_owned);
        let loses = winner
            .as_deref()
            .is_some_and(|winner| winner != "draw" && winner != self.to_move.to_string());
        Ok(Some(Self {
            score: answer.score.filter(|_| exact),
            r#move: answer.best.clone().filter(|_| !loses),
            proof: self.prove(&solver, &game, &query, &budget)?,
            winner,
            ..found(seconds, answer.nodes)
        }))
    }

    /// Writes a proof into a file that goes away, and has it checked.
    fn prove(
        &self,
        solver: &Solver,
        game: &AnyGame,
        query: &Query,
        budget: &Budget,
    ) -> Result<Option<Proof>, Failure> {
        let failed = |error: &dyn std::fmt::Display| {
            let sentence = format!("no proof of {}: {error}", self.place());
            Failure::input(
                sentence,
                "room for temporary files, and no short --time-limit",
            )
        };
        let folder = tempdir().map_err(|error| failed(&error))?;
        let file = folder.path().join("proof");
        let progress = SearchProgress::default();
        let proved = progress.during(|| solver.prove(game, query, &file, budget, &progress));
        let (_, checked) = match proved {
            Err(SolveError::NoProofs) => return Ok(None),
            other => other.map_err(|error| failed(&error))?,
        };
        let bytes = fs::read(&file).map_err(|error| failed(&error))?;
        let sum = Sha256::digest(&bytes);
        Ok(Some(Proof {
            positions: checked.nodes,
            lemmas: checked.lemmas,
            leaves: checked.leaves,
            bytes: checked.bytes,
            sha256: sum.iter().map(|byte| format!("{byte:02x}")).collect(),
        }))
    }

    /// The game and the position in words.
    pub(super) fn place(&self) -> String {
        let position = self.name.as_ref().unwrap_or(&self.position);
        format!("{} {position}", self.game)
    }

    /// The result in words.
    pub(super) fn result(&self) -> String {
        let by = self
            .r#move
            .as_ref()
            .map_or(String::new(), |mv| format!(" by {mv}"));
        match (self.winner.as_deref(), self.score) {
            (None, Some(stones)) => format!("{} left at least", counted(stones as u64, "stone")),
            (Some("draw"), _) => "a draw".to_owned(),
            (Some(winner), Some(score)) => format!("{winner} wins{by} ({score:+})"),
            (Some(winner), None) => format!("{winner} wins{by}"),
            (None, None) => "open".to_owned(),
        }
    }

    pub(super) fn sentence(&self) -> String {
        let to_move = match self.to_move {
            'x' => "",
            _ => " with o to move",
        };
        let proof = self.proof.as_ref();
        let proof = proof.map_or(String::new(), |proof| {
            format!(", proof of {} bytes", grouped(proof.bytes))
        });
        let nodes = counted(self.nodes, "node");
        format!(
            "{}{to_move}: {} ({nodes}{proof})",
            self.place(),
            self.result()
        )
    }
}
