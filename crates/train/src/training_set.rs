//! A training set that grows (cammel2015, section 5.1): the positions of all games so far, from which examples
//! are drawn after each game.

use serde::{Deserialize, Serialize};
use upstar_games::{Color, Setup};

use crate::examples::Example;
use crate::folder::{RunError, RunFolder};
use crate::student::Learnable;

/// The log of it in the folder of a run.
const FILE: &str = "training-set.jsonl";

/// What each student has seen so far.
#[derive(Clone, Debug)]
pub(crate) struct TrainingSet<P> {
    of_students: [Vec<Example<P>>; 2],
    /// How many of them are in the log.
    logged: [usize; 2],
}

impl<P> Default for TrainingSet<P> {
    fn default() -> Self {
        Self {
            of_students: [Vec::new(), Vec::new()],
            logged: [0; 2],
        }
    }
}

/// A line of the log.
#[derive(Serialize, Deserialize)]
struct Line {
    student: usize,
    position: String,
    black_to_move: bool,
    black_moved: bool,
    black_score: i32,
}

impl<P: Copy> TrainingSet<P> {
    /// All examples of a student, these included.
    pub(crate) fn with(&mut self, student: usize, examples: &[Example<P>]) -> &[Example<P>] {
        self.of_students[student].extend_from_slice(examples);
        &self.of_students[student]
    }

    /// Adds what is new to the log, and returns how many lines it has.
    pub(crate) fn log<G: Learnable<Position = P>>(
        &mut self,
        game: &G,
        folder: &RunFolder,
    ) -> Result<u64, RunError> {
        let mut log = folder.log(FILE)?;
        for (student, examples) in self.of_students.iter().enumerate() {
            for example in &examples[self.logged[student]..] {
                let line = Line {
                    student,
                    position: game.setup(&example.position).to_string(),
                    black_to_move: game.to_move(&example.position) == Color::Black,
                    black_moved: example.mover == Color::Black,
                    black_score: example.black_score,
                };
                log.add(&line)?;
            }
            self.logged[student] = examples.len();
        }
        log.sync()?;
        Ok(self.logged.iter().map(|&lines| lines as u64).sum())
    }

    /// The first lines of the log in a folder; the others are cut off.
    pub(crate) fn read<G: Learnable<Position = P>>(
        game: &G,
        folder: &RunFolder,
        lines: u64,
    ) -> Result<Self, RunError> {
        let mut set = Self::default();
        folder.cut(FILE, lines)?;
        for line in folder.lines::<Line>(FILE)? {
            let wrong = |why: String| RunError::of(format!("{FILE}: {why}"));
            let setup: Setup = line
                .position
                .parse()
                .map_err(|error| wrong(format!("{error}")))?;
            let position = game
                .position(&setup, side(line.black_to_move))
                .map_err(|error| wrong(format!("{error}")))?;
            let of_student = set.of_students.get_mut(line.student);
            let of_student = of_student.ok_or_else(|| wrong("there are two students".into()))?;
            of_student.push(Example {
                position,
                mover: side(line.black_moved),
                black_score: line.black_score,
            });
        }
        set.logged = [0, 1].map(|student| set.of_students[student].len());
        Ok(set)
    }
}

fn side(black: bool) -> Color {
    match black {
        true => Color::Black,
        false => Color::White,
    }
}
