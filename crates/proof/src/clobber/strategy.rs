//! The winner's replies on the board, from a proof about sums that lemmas have simplified.
//!
//! Usually some move leads to a sum that is a node again, or a leaf. If the loser played in a piece
//! that the proof knows only by a simpler one, there may be none; then the board B and a node N of
//! equal value are played against each other. B − N is lost for whoever moves first, so the winner has
//! an answer in it. If that is on the board, it is the reply. If it is in −N, it is the negative of a
//! move of the loser in N, which the proof answers, and the next answer in B − N is looked for.

use std::collections::HashSet;
use std::io::{Read, Seek, SeekFrom};

use upstar_games::{AnyGame, Color};

use super::arena::Arena;
use super::format::Header;
use super::lemmas::Lemmas;
use super::piece::Piece;
use super::read::{Next, Reading, Visit, each_lemma, take_up};
use super::search::{Search, TooHard};
use super::sum::Sum;
use crate::check::Watched;
use crate::frame::{Block, Outline};
use crate::hash::Key;
use crate::refusal::Refusal;

/// The positions of a checked proof.
pub(crate) struct ClobberStrategy {
    arena: Arena,
    lemmas: Lemmas,
    key: Key,
    nodes: HashSet<u128, Key>,
    search: Search,
    effort: u64,
    loser: Color,
    leaf_stones: u32,
    /// The node, or leaf, that equals the board when the loser is to move.
    node: Option<Sum>,
}

impl ClobberStrategy {
    /// Takes up the nodes and lemmas of a file.
    pub(crate) fn read<R: Read + Seek>(
        reader: &mut R,
        outline: &Outline,
        effort: u64,
        watched: Watched<'_>,
    ) -> Result<Self, Refusal> {
        let header = Header::read(&outline.header)?;
        let claim = &header.claim;
        let arena = Arena::new(claim.variant, &claim.setup.board)
            .ok_or(Refusal::Malformed("no Clobber"))?;
        let key = Key::fresh();
        let mut lemmas = Lemmas::new(key);
        let [nodes, proved] = outline.sections;
        reader.seek(SeekFrom::Start(proved.at))?;
        each_lemma(reader, proved.blocks, &arena, |lemma| {
            take_up(&arena, &mut lemmas, &lemma);
            Ok(())
        })?;
        let reading = Reading {
            arena: &arena,
            lemmas: &lemmas,
            key,
            loser: claim.loser(),
            leaf_stones: header.leaf_stones,
        };
        let mut collected = Collected {
            key,
            nodes: HashSet::with_hasher(key),
        };
        reader.seek(SeekFrom::Start(nodes.at))?;
        for _ in 0..nodes.blocks {
            reading.block(&Block::read(reader)?, &mut collected)?;
            watched.report(collected.nodes.len() as u64, nodes.count)?;
        }
        let start = (claim.to_move == claim.loser()).then(|| arena.setup_pieces(&claim.setup));
        let node = start.map(|pieces| lemmas.simplified(&arena, &pieces));
        Ok(Self {
            lemmas,
            key,
            nodes: collected.nodes,
            search: Search::new(key, 20, watched.budget),
            effort,
            loser: claim.loser(),
            leaf_stones: header.leaf_stones,
            node,
            arena,
        })
    }

    /// The name of the reply, with which the winner still wins; `game` is the board before it.
    pub(crate) fn reply(
        &mut self,
        game: &AnyGame,
        options: &[(String, AnyGame)],
    ) -> Result<Option<String>, Refusal> {
        let too_hard = |TooHard| Refusal::TooHard(game.setup().to_string());
        for (name, next) in options {
            let sum = self.sum_of(next, &[]);
            if self.is_lost(&sum).map_err(too_hard)? {
                self.node = Some(sum);
                return Ok(Some(name.clone()));
            }
        }
        self.reply_by_difference(game, options).map_err(too_hard)
    }

    /// The sum of a board and more pieces, simplified.
    fn sum_of(&self, game: &AnyGame, more: &[Piece]) -> Sum {
        let mut pieces = self.arena.setup_pieces(&game.setup());
        pieces.extend_from_slice(more);
        self.lemmas.simplified(&self.arena, &pieces)
    }

    /// Whether the proof says that the loser, to move, loses this sum.
    fn is_lost(&mut self, sum: &Sum) -> Result<bool, TooHard> {
        if sum.len() > self.leaf_stones {
            return Ok(self.nodes.contains(&sum.hash(&self.key)));
        }
        self.loses(sum)
    }

    /// Whether the loser, to move, loses a sum by search.
    fn loses(&mut self, sum: &Sum) -> Result<bool, TooHard> {
        let Self { arena, lemmas, .. } = self;
        Ok(!self
            .search
            .wins(arena, lemmas, sum, self.loser, self.effort)?)
    }

    /// The negatives of a sum's pieces.
    fn negatives(&self, sum: &Sum) -> Vec<Piece> {
        let pieces = sum.pieces().iter();
        pieces.map(|piece| self.arena.negative(piece)).collect()
    }

    /// What a move of this side in a sum can lead to.
    fn after(&self, sum: &Sum, color: Color) -> Vec<Sum> {
        let mut steps = Vec::new();
        self.arena.steps(sum, color, &mut steps);
        let play = |&step: &_| self.arena.play(sum, color, step, &self.lemmas);
        steps.iter().map(play).collect()
    }

    /// An answer in the difference of the board and the node that equalled it.
    fn reply_by_difference(
        &mut self,
        game: &AnyGame,
        options: &[(String, AnyGame)],
    ) -> Result<Option<String>, TooHard> {
        while let Some(node) = self.node.take() {
            let negatives = self.negatives(&node);
            for (name, next) in options {
                let difference = self.sum_of(next, &negatives);
                if self.loses(&difference)? {
                    self.node = Some(node);
                    return Ok(Some(name.clone()));
                }
            }
            for challenged in self.after(&node, self.loser) {
                let difference = self.sum_of(game, &self.negatives(&challenged));
                if self.loses(&difference)? {
                    for answered in self.after(&challenged, !self.loser) {
                        if self.is_lost(&answered)? {
                            self.node = Some(answered);
                            break;
                        }
                    }
                    break;
                }
            }
        }
        Ok(None)
    }
}

/// The hashes of all nodes.
struct Collected {
    key: Key,
    nodes: HashSet<u128, Key>,
}

impl Visit for Collected {
    fn node(&mut self, node: &Sum) {
        self.nodes.insert(node.hash(&self.key));
    }

    fn line(&mut self, _: &Sum, _: Option<(&Sum, Next)>) -> Result<(), Refusal> {
        Ok(())
    }

    fn left_over(&mut self, _: &Sum) {}
}
