//! The lemmas of a file: read, verified, taken up.

use std::io::Read;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::check::{Watched, in_parallel};
use crate::clobber::arena::Arena;
use crate::clobber::format::Model;
use crate::clobber::lemmas::Lemmas;
use crate::clobber::piece::Piece;
use crate::clobber::search::Search;
use crate::clobber::sum::Sum;
use crate::coder::Decoder;
use crate::frame::Block;
use crate::refusal::Refusal;

/// A lemma as read: a piece and what it is said to equal.
type Lemma = (Piece, Vec<Piece>);

fn lemma_text(arena: &Arena, (piece, equal): &Lemma) -> String {
    format!("{piece} = {}", Sum::new(arena, equal.clone()))
}

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
        for _ in 0..blocks {
            let block = Block::read(reader)?;
            let mut decoder = Decoder::new(&block.content);
            let mut model = Model::new();
            for _ in 0..block.count {
                let lemma = self.next(&mut decoder, &mut model)?;
                if let Some(last) = batch.last() {
                    if last.0.rank() >= lemma.0.rank() {
                        return Err(Refusal::LemmaOrder(lemma_text(self.arena, &lemma)));
                    }
                    if last.0.len() < lemma.0.len() {
                        self.verify(&batch)?;
                        batch.clear();
                    }
                }
                batch.push(lemma);
            }
            if !decoder.is_at_end() {
                return Err(Refusal::Malformed("the length of a block of lemmas"));
            }
        }
        self.verify(&batch)
    }

    /// Reads a lemma and compares its form: what replaces a piece has no more stones and comes before.
    fn next(&self, decoder: &mut Decoder<'_>, model: &mut Model) -> Result<Lemma, Refusal> {
        let malformed = || Refusal::Malformed("a lemma");
        let piece = model
            .piece(decoder, self.arena, None)
            .ok_or_else(malformed)?;
        let equal = model.sum(decoder, self.arena, &[]).ok_or_else(malformed)?;
        if !decoder.is_sound() {
            return Err(malformed());
        }
        let stones: u32 = equal.iter().map(Piece::len).sum();
        let before = equal.iter().all(|part| part.rank() < piece.rank());
        let lemma = (piece, equal);
        if !before || stones > piece.len() {
            return Err(Refusal::LemmaOrder(lemma_text(self.arena, &lemma)));
        }
        Ok(lemma)
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
        for (piece, equal) in batch {
            let mut parts = Vec::new();
            self.lemmas.push_simplified(equal, &mut parts);
            let equal = Sum::new(self.arena, parts);
            self.lemmas.insert(self.arena, *piece, equal.pieces());
        }
        Ok(())
    }
}
