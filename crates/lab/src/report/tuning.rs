//! A search for parameters to look at: what was best, what mattered, and a picture for each parameter.

use std::fmt::Write;

use upstar_train::tune::{Line, Range, Report, Tune};

use super::svg::open;
use super::{begin, escape};

const WIDTH: usize = 320;
const HEIGHT: usize = 200;
const MARGIN: f64 = 36.0;
/// Of the first rung, then of the next ones.
const COLORS: [&str; 6] = [
    "#b8c4d6", "#7f9cc4", "#4a78b5", "#1f5597", "#0b3a75", "#061f47",
];

/// The page of a search, and of what it has found so far.
#[must_use]
pub fn tuning_html(tune: &Tune, report: &Report) -> String {
    let (search, lines) = (tune.search(), tune.lines());
    let base = &search.base;
    let mut page = begin(&format!("Parameters for {} {}", base.game, base.board));
    let _ = writeln!(
        page,
        "<p>{} of {} rungs, {} trials, {} games learned, {} networks died.</p>",
        report.rungs, report.of, report.trials, report.games, report.dead
    );
    if let Some(best) = &report.best {
        let _ = writeln!(
            page,
            "<p>Best: trial {}, score {:.4} after {} games.</p>",
            best.trial,
            best.score.unwrap_or(f64::NAN),
            best.games
        );
    }
    let _ = writeln!(
        page,
        "<h2>What mattered</h2>\n<table><tr><th class=\"name\">parameter</th><th>variance explained</th>\
         <th>as much by chance</th><th>rank correlation</th><th>best</th><th class=\"name\">best fifth by first scores</th></tr>"
    );
    for parameter in &report.parameters {
        let correlation = parameter.correlation;
        let _ = writeln!(
            page,
            "<tr><td class=\"name\">{}</td><td>{:.0} %</td><td>{:.3}</td><td>{}</td><td>{}</td>\
             <td class=\"name\">{}</td></tr>",
            escape(&parameter.key),
            100.0 * parameter.explained,
            parameter.chance,
            correlation.map_or("–".to_owned(), |c| format!("{c:+.2}")),
            escape(&parameter.best_text()),
            escape(&parameter.good_text())
        );
    }
    page += "</table>\n<h2>Scores</h2>\n<p>A dot is a rung that a trial reached: the darker, the more \
             games. Dead networks are on the axis.</p>\n";
    for parameter in &report.parameters {
        let mut ranges = search.space.0.iter();
        if let Some((key, range)) = ranges.find(|(key, _)| *key == parameter.key) {
            page += &scatter(key, range, search.plan.trials(), lines);
        }
    }
    page + "</body></html>\n"
}

/// The scores of all rungs over the values of this key.
fn scatter(key: &str, range: &Range, trials: usize, lines: &[Line]) -> String {
    let (width, height) = (WIDTH as f64, HEIGHT as f64);
    let scores = lines.iter().filter_map(|line| line.score);
    let (low, high) = scores.fold((f64::MAX, f64::MIN), |(low, high), score| {
        (low.min(score), high.max(score))
    });
    let (low, high) = match low < high {
        true => (low, high),
        false => (low.min(0.0), high.max(1.0)),
    };
    let (left, right) = range.ends();
    let x = |place: f64| MARGIN + (place - left) / (right - left) * (width - 2.0 * MARGIN);
    // The lowest score is above the axis, where the dead are.
    let y = |score: f64| {
        let share = (score - low) / (high - low);
        height - 1.3 * MARGIN - share * (height - 2.2 * MARGIN)
    };
    let (bottom, end) = (height - MARGIN, width - MARGIN);
    let mut svg = open(WIDTH, HEIGHT);
    let _ = write!(
        svg,
        "<text x=\"4\" y=\"16\" font-weight=\"bold\">{}</text>\
         <path d=\"M{MARGIN} {top}V{bottom}H{end}\" fill=\"none\" stroke=\"#888\"/>",
        escape(key),
        top = 0.7 * MARGIN
    );
    for score in [low, high] {
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{score:.3}</text>",
            MARGIN - 3.0,
            y(score) + 3.0
        );
    }
    for (place, label) in range.marks() {
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(place),
            bottom + 14.0,
            escape(&label)
        );
    }
    // The longer runs are drawn last, on top of the others.
    let mut order: Vec<&Line> = lines.iter().collect();
    order.sort_by_key(|line| (line.games, line.trial));
    let mut lengths: Vec<u64> = order.iter().map(|line| line.games).collect();
    lengths.dedup();
    for line in order {
        let level = lengths.iter().position(|&games| games == line.games);
        let shade = level.unwrap_or(0) * (COLORS.len() - 1) / (lengths.len() - 1).max(1);
        let place = range.place(&line.values[key]);
        // Choices stand beside each other: apart from chance, by their number.
        let aside = match range {
            Range::Choices(_) => (line.trial * 7 % trials) as f64 / trials as f64 * 16.0 - 8.0,
            _ => 0.0,
        };
        let score = line.score.map_or(bottom, y);
        let told = line
            .score
            .map_or("dead".to_owned(), |score| format!("{score:.4}"));
        let _ = write!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{score:.1}\" r=\"3\" fill=\"{}\"><title>trial {}, {} games: {told}</title></circle>",
            x(place) + aside,
            COLORS[shade],
            line.trial,
            line.games
        );
    }
    svg + "</svg>\n"
}
