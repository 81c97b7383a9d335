//! The lemmas of a file: read, verified, taken up.

use std::io::Read;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::check::{Watched, in_parallel};
use crate::clobber::arena::Arena;
use crate::clobber::lemmas::Lemmas;
use crate::clobber::read::{Lemma, each_lemma, lemma_text, take_up};
use crate::clobber::search::Search;
use crate::refusal::Refusal;

/// Verifies lemmas, those with equally many stones at a time: they do not use each other.
pub(super) struct Verifier<'a, 'w> {
    pub(super) arena: &'a Arena,
    pub(super) lemmas: &'a mut Lemmas,
    pub(super) searches: &'a mut [Search],
    pub(super) effort: u64,
    pub(super) watched: Watched<'w>,
    pub(super) done: u64,
    pub(super) total: u64,
}

impl Verifier<'_, '_> {
    /// Reads the lemmas of these many blocks and takes up those that are true.
    pub(super) fn run(&mut self, reader: &mut impl Read, blocks: u64) -> Result<(), Refusal> {
        let mut batch: Vec<Lemma> = Vec::new();
        each_lemma(reader, blocks, self.arena, |lemma| {
            if batch
                .last()
                .is_some_and(|last| last.0.len() < lemma.0.len())
            {
                self.verify(&batch)?;
                batch.clear();
            }
            batch.push(lemma);
            Ok(())
        })?;
        self.verify(&batch)
    }

    fn verify(&mut self, batch: &[Lemma]) -> Result<(), Refusal> {
        /// Lemmas that a thread takes at a time.
        const SHARE: usize = 64;
        let shares: Vec<&[Lemma]> = batch.chunks(SHARE).collect();
        let next = AtomicUsize::new(0);
        let (arena, lemmas, effort) = (self.arena, &*self.lemmas, self.effort);
        let done = Mutex::new(&mut self.done);
        let (watched, total) = (self.watched, self.total);
        in_parallel(self.searches, shares.len(), |search| {
            let Some(share) = shares.get(next.fetch_add(1, Ordering::Relaxed)) else {
                return Ok(false);
            };
            for lemma in *share {
                let text = || lemma_text(arena, lemma);
                match search.equal(arena, lemmas, &lemma.0, &lemma.1, effort) {
                    Ok(true) => {}
                    Ok(false) => return Err(Refusal::FalseLemma(text())),
                    Err(_) => return Err(watched.too_hard(text())),
                }
            }
            let mut done = done.lock().expect("no thread has panicked");
            **done += share.len() as u64;
            watched.report(**done, total)?;
            Ok(true)
        })?;
        for lemma in batch {
            take_up(self.arena, self.lemmas, lemma);
        }
        Ok(())
    }
}
