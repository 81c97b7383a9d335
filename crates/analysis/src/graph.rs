//! The graph of a reviewed game: Black's chances after every move, solid where they are proved, hatched
//! where they are estimated; mistakes are marked.

use std::fmt::Write as _;

use upstar_games::Color;

use crate::knowledge::Knowledge;
use crate::review::Review;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 46.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 34.0;

/// What one point shows.
struct Point {
    /// From 0 (White wins) to 1 (Black wins).
    height: f64,
    proved: bool,
}

impl Review {
    /// What is known of every position for Black, from the first to the last.
    #[must_use]
    pub fn curve(&self) -> Vec<Knowledge> {
        let mut curve: Vec<Knowledge> = self
            .moves
            .iter()
            .map(|reviewed| match reviewed.side {
                Color::Black => reviewed.before.clone(),
                Color::White => reviewed.before.reversed(),
            })
            .collect();
        curve.push(self.last.clone());
        curve
    }

    /// The graph as a picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let points: Vec<Option<Point>> = self.curve().iter().map(point).collect();
        let steps = points.len().saturating_sub(1).max(1) as f64;
        let x = |index: usize| LEFT + index as f64 * (WIDTH - LEFT - 8.0) / steps;
        let y = |height: f64| TOP + (1.0 - height) * (HEIGHT - TOP - BOTTOM);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"system-ui, sans-serif\" font-size=\"11\">\
             <defs><pattern id=\"estimated\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
             <line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke=\"#7a93b8\" stroke-width=\"2\"/></pattern></defs>\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>"
        );
        for (height, label) in [(1.0, "x wins"), (0.5, "even"), (0.0, "o wins")] {
            let (at, text) = (y(height), y(height) + 4.0);
            let _ = write!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.1}\" y=\"{text:.1}\" text-anchor=\"end\" fill=\"#555\">{label}</text>",
                LEFT - 6.0
            );
        }
        for (index, two) in points.windows(2).enumerate() {
            let [Some(from), Some(to)] = two else {
                continue;
            };
            let (fill, stroke, dash) = match from.proved && to.proved {
                true => ("#2f5d9b", "#1d3f6e", ""),
                false => ("url(#estimated)", "#2f5d9b", " stroke-dasharray=\"4 3\""),
            };
            let (left, right, base) = (x(index), x(index + 1), y(0.5));
            let (begin, end) = (y(from.height), y(to.height));
            let _ = write!(
                svg,
                "<path d=\"M{left:.1} {base:.1}L{left:.1} {begin:.1}L{right:.1} {end:.1}L{right:.1} {base:.1}Z\" fill=\"{fill}\" fill-opacity=\"0.55\"/>\
                 <path d=\"M{left:.1} {begin:.1}L{right:.1} {end:.1}\" stroke=\"{stroke}\" stroke-width=\"2\" fill=\"none\"{dash}/>"
            );
        }
        for reviewed in &self.moves {
            let (Some(mistake), Some(Some(after))) = (reviewed.mistake, points.get(reviewed.ply))
            else {
                continue;
            };
            let (cx, cy) = (x(reviewed.ply), y(after.height));
            let fill = if mistake.proved { "#d9730d" } else { "#fff" };
            let known = if mistake.proved { "proved" } else { "probable" };
            let (ply, mv) = (reviewed.ply, &reviewed.mv);
            let _ = write!(
                svg,
                "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"5\" fill=\"{fill}\" stroke=\"#d9730d\" stroke-width=\"2\">\
                 <title>{ply}. {mv}: a {known} mistake</title></circle>"
            );
        }
        let every = match points.len() {
            ..=20 => 2,
            21..=50 => 5,
            _ => 10,
        };
        for index in (0..points.len()).step_by(every) {
            let _ = write!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#555\">{index}</text>",
                x(index),
                HEIGHT - BOTTOM + 16.0
            );
        }
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#555\">move · solid: proved, hatched: estimated</text></svg>",
            (LEFT + WIDTH) / 2.0,
            HEIGHT - 4.0
        );
        svg
    }
}

fn point(known: &Knowledge) -> Option<Point> {
    Some(Point {
        height: known.win()?,
        proved: known.outcome.is_some(),
    })
}
