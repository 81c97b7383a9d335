//! Pictures of small trees, as in figures 8, 10 and 13 of the thesis: a board for each node, the root
//! on top, moves beside the lines, results under the leaves.

use std::fmt::Write;

use upstar_games::{Game, svg};

use super::TreeError;
use super::optimal::Walk;
use crate::answer::Outcome;
use upstar_jobs::{Budget, MemoryLease};

/// The most nodes that a picture shows.
pub const MOST_DRAWN: usize = 2000;

/// The share of a board's own size that it has in a tree.
const SCALE: f64 = 0.5;
/// Room between boards, across and down.
const GAP: (f64, f64) = (20.0, 56.0);

/// Room for a result under a leaf.
const CAPTION: f64 = 100.0;

/// What of a tree is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Only this many plies; all of them if `None`.
    pub plies: Option<u32>,
    /// Only the optimal tree. Otherwise all of it, and lines of the optimal tree are bold.
    pub optimal: bool,
}

/// A node with its place.
struct Node {
    board: String,
    caption: Option<String>,
    ply: usize,
    /// Where the middle of its board is, across.
    middle: f64,
    /// Its parent, the name of the move, and whether best play knows it.
    parent: Option<(usize, String, bool)>,
}

/// The tree under a position as the text of an SVG picture. Results are told by whose win they are with
/// best play; finding them takes at most the memory of this lease.
///
/// # Errors
/// If the tree is too large for a picture, or budget or memory do not suffice.
pub fn draw<G: Game>(
    game: &G,
    root: &G::Position,
    drawing: Drawing,
    lease: &MemoryLease,
    budget: &Budget,
) -> Result<String, TreeError> {
    let mut plan = Plan {
        game,
        walk: Walk::new(game, lease.bytes(), budget),
        drawing,
        nodes: Vec::new(),
        width: 0.0,
        right: 0.0,
    };
    let (width, height) = size_of(&svg::draw(&game.setup(root), None));
    plan.width = width.max(CAPTION);
    plan.add(root, 0, None)?;
    Ok(plan.picture(width, height))
}

struct Plan<'a, G: Game> {
    game: &'a G,
    walk: Walk<'a, G>,
    drawing: Drawing,
    nodes: Vec<Node>,
    /// The width of a leaf.
    width: f64,
    /// Where the next leaf goes.
    right: f64,
}

impl<G: Game> Plan<'_, G> {
    /// Places a subtree; the middle of its root.
    fn add(
        &mut self,
        position: &G::Position,
        ply: usize,
        parent: Option<(usize, String, bool)>,
    ) -> Result<f64, TreeError> {
        if self.nodes.len() == MOST_DRAWN {
            return Err(TreeError::TooLarge);
        }
        let index = self.nodes.len();
        let cut = self.drawing.plies.is_some_and(|plies| ply as u32 >= plies);
        let kept = self.walk.kept(position)?;
        let children: Vec<_> = match (cut, self.drawing.optimal) {
            (true, _) => Vec::new(),
            (false, true) => kept.clone(),
            (false, false) => {
                let next = |mv| (mv, self.game.play_unchecked(position, mv));
                self.game.moves(position).map(next).collect()
            }
        };
        let caption = if children.is_empty() {
            Some(self.caption(position)?)
        } else {
            None
        };
        self.nodes.push(Node {
            board: svg::draw(&self.game.setup(position), None),
            caption,
            ply,
            middle: 0.0,
            parent,
        });
        let mut middles = Vec::new();
        for (mv, next) in children {
            let best = kept.contains(&(mv, next));
            let edge = (index, self.game.move_name(mv), best);
            middles.push(self.add(&next, ply + 1, Some(edge))?);
        }
        let middle = match (middles.first(), middles.last()) {
            (Some(first), Some(last)) => (first + last) / 2.0,
            _ => {
                self.right += self.width + GAP.0;
                self.right - self.width / 2.0
            }
        };
        self.nodes[index].middle = middle;
        Ok(middle)
    }

    /// The result, of the game if it is over and of best play otherwise.
    fn caption(&mut self, position: &G::Position) -> Result<String, TreeError> {
        if let Some(result) = self.game.result(position) {
            return Ok(result.to_string());
        }
        let mover = self.game.to_move(position);
        Ok(match self.walk.look(position)?.outcome {
            Outcome::Win => format!("{mover} will win"),
            Outcome::Draw => "will be a draw".to_owned(),
            Outcome::Loss => format!("{} will win", !mover),
        })
    }

    fn picture(&self, width: f64, height: f64) -> String {
        let plies = self.nodes.iter().map(|node| node.ply).max().unwrap_or(0);
        let top = |ply: usize| GAP.0 + ply as f64 * (height + GAP.1);
        let (right, bottom) = (self.right + GAP.0, top(plies) + height + GAP.0 + 14.0);
        let mut text = String::new();
        let head =
            r#"<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="12""#;
        let _ = writeln!(
            text,
            r#"{head} viewBox="0 0 {right:.0} {bottom:.0}" width="{right:.0}" height="{bottom:.0}">"#
        );
        let _ = writeln!(
            text,
            r##"<rect width="100%" height="100%" fill="#fdfcf8"/>"##
        );
        let mut names = String::new();
        for node in &self.nodes {
            let Some((parent, name, best)) = &node.parent else {
                continue;
            };
            let (x1, y1) = (self.nodes[*parent].middle, top(node.ply - 1) + height);
            let (x2, y2) = (node.middle, top(node.ply));
            let stroke = if *best { 2.5 } else { 1.0 };
            let _ = writeln!(
                text,
                r##"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="#8a744a" stroke-width="{stroke}"/>"##
            );
            // On the side from which the line does not come, and above lines that pass by.
            let (x, anchor) = match x1 > x2 {
                true => (x2 - 4.0, "end"),
                false => (x2 + 4.0, "start"),
            };
            let y = y2 - 6.0;
            let _ = writeln!(
                names,
                r##"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" fill="#1b1b1b" stroke="#fdfcf8" stroke-width="3" paint-order="stroke">{name}</text>"##
            );
        }
        text += &names;
        for node in &self.nodes {
            let (x, y) = (node.middle - width / 2.0, top(node.ply));
            let board = node.board.trim_end();
            let _ = writeln!(
                text,
                r#"<g transform="translate({x:.1} {y:.1}) scale({SCALE})">{board}</g>"#
            );
            if let Some(caption) = &node.caption {
                let (x, y) = (node.middle, y + height + 14.0);
                let _ = writeln!(
                    text,
                    r##"<text x="{x:.1}" y="{y:.1}" text-anchor="middle" fill="#555">{caption}</text>"##
                );
            }
        }
        text.push_str("</svg>\n");
        text
    }
}

/// The size that a board has in a tree, from its picture.
fn size_of(picture: &str) -> (f64, f64) {
    let attribute = |name: &str| {
        let value = picture.split(&format!(" {name}=\"")).nth(1)?;
        value.split('"').next()?.parse::<f64>().ok()
    };
    let read = |name| attribute(name).expect("a picture says how large it is");
    (read("width") * SCALE, read("height") * SCALE)
}
