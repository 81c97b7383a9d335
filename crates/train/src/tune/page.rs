//! The report as one page that needs nothing else: the tables, and a picture for each parameter.

use std::fmt::Write;

use super::report::shown;
use super::{Line, Range, Report, Search};

const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 200.0;
const MARGIN: f64 = 36.0;
/// Of the first rung, then of the next ones.
const COLORS: [&str; 6] = [
    "#b8c4d6", "#7f9cc4", "#4a78b5", "#1f5597", "#0b3a75", "#061f47",
];

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;\
padding:0 1rem;color:#222;background:#fff}table{border-collapse:collapse}\
td,th{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #ddd}\
td:first-child,th:first-child,td:last-child,th:last-child{text-align:left}\
figure{display:inline-block;margin:1rem 1rem 0 0}figcaption{font-weight:600}svg text{font-size:10px;fill:#555}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}td,th{border-color:#444}svg{background:#fff}}";

pub(super) fn html(search: &Search, lines: &[Line], report: &Report) -> String {
    let title = format!(
        "Parameters for {} {}",
        escaped(&search.base.game),
        escaped(&search.base.board)
    );
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    let add = &mut page;
    // Writing to a string cannot fail.
    let _ = writeln!(
        add,
        "<p>{} of {} rungs, {} trials, {} games learned, {} networks died.</p>",
        report.rungs, report.of, report.trials, report.games, report.dead
    );
    if let Some(best) = &report.best {
        let _ = writeln!(
            add,
            "<p>Best: trial {}, score {:.4} after {} games.</p>",
            best.trial,
            best.score.unwrap_or(f64::NAN),
            best.games
        );
    }
    let _ = writeln!(
        add,
        "<h2>What mattered</h2>\n<table><tr><th>parameter</th><th>variance explained</th>\
         <th>as much by chance</th><th>rank correlation</th><th>best</th><th>best fifth by first scores</th></tr>"
    );
    for parameter in &report.parameters {
        let correlation = parameter.correlation;
        let _ = writeln!(
            add,
            "<tr><td>{}</td><td>{:.0} %</td><td>{:.3}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(&parameter.key),
            100.0 * parameter.explained,
            parameter.chance,
            correlation.map_or("–".to_owned(), |c| format!("{c:+.2}")),
            escaped(&parameter.best.as_ref().map_or(String::new(), shown)),
            escaped(&parameter.good_text())
        );
    }
    page += "</table>\n<h2>Scores</h2>\n<p>A dot is a rung that a trial reached: the darker, the more \
             games. Dead networks are on the axis.</p>\n";
    for parameter in &report.parameters {
        let ranges = search.space.0.iter();
        let range = ranges.filter(|(key, _)| *key == parameter.key);
        for (key, range) in range {
            let _ = writeln!(
                page,
                "<figure><figcaption>{}</figcaption>{}</figure>",
                escaped(key),
                scatter(key, range, search, lines)
            );
        }
    }
    page + "</body></html>\n"
}

fn scatter(key: &str, range: &Range, search: &Search, lines: &[Line]) -> String {
    let scores = lines.iter().filter_map(|line| line.score);
    let (low, high) = scores.fold((f64::MAX, f64::MIN), |(low, high), score| {
        (low.min(score), high.max(score))
    });
    let (low, high) = if low < high {
        (low, high)
    } else {
        (low.min(0.0), high.max(1.0))
    };
    let (left, right) = range.ends();
    let x = |place: f64| MARGIN + (place - left) / (right - left) * (WIDTH - 2.0 * MARGIN);
    // The lowest score is above the axis, where the dead are.
    let y = |score: f64| {
        let share = (score - low) / (high - low);
        HEIGHT - 1.3 * MARGIN - share * (HEIGHT - 1.9 * MARGIN)
    };
    let (bottom, end) = (HEIGHT - MARGIN, WIDTH - MARGIN);
    let mut svg = format!(
        "<svg width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\
         <path d=\"M{MARGIN} {top}V{bottom}H{end}\" fill=\"none\" stroke=\"#999\"/>",
        top = 0.4 * MARGIN
    );
    for score in [low, high] {
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{score:.3}</text>",
            MARGIN - 3.0,
            y(score) + 3.0
        );
    }
    for (place, label) in marks(range) {
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(place),
            bottom + 14.0,
            escaped(&label)
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
            Range::Choices(_) => {
                (line.trial * 7 % search.plan.trials().max(1)) as f64
                    / search.plan.trials().max(1) as f64
                    * 16.0
                    - 8.0
            }
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
    svg + "</svg>"
}

/// What is written below the axis.
fn marks(range: &Range) -> Vec<(f64, String)> {
    match range {
        Range::Choices(values) => {
            let mark = |value| {
                let label: String = shown(value).chars().take(12).collect();
                (range.place(value), label)
            };
            values.iter().map(mark).collect()
        }
        Range::LogUniform(low, high) => vec![
            (low.ln(), format!("{low:e}")),
            (
                (low * high).sqrt().ln(),
                format!("{:.1e}", (low * high).sqrt()),
            ),
            (high.ln(), format!("{high:e}")),
        ],
        Range::Uniform(low, high) => vec![(*low, low.to_string()), (*high, high.to_string())],
        Range::Integers(low, high) => {
            vec![
                (*low as f64, low.to_string()),
                (*high as f64, high.to_string()),
            ]
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
