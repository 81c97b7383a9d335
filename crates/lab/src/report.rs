//! Results to look at: a CSV file, and one HTML page that needs nothing else.

mod alphazero;
mod charts;
mod learning;
mod svg;
mod tuning;

pub use alphazero::alphazero_html;
pub use learning::learning_html;
pub use tuning::tuning_html;

use std::fmt::Write;

use serde_json::Value;

use crate::cell::{Cell, Summary, Verdict};
use crate::experiment::Experiment;
use crate::sample::Sample;

/// The cells as comma-separated values.
#[must_use]
pub fn csv(cells: &[Cell]) -> String {
    let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    let count = |count: Option<usize>| count.map_or(String::new(), |count| count.to_string());
    let mut lines = ::csv::Writer::from_writer(Vec::new());
    let head = "table,cell,paper,ours,low,high,verdict,seeds,games,lowest,highest,live_gradient_share,dead,seconds";
    let written = lines.write_record(head.split(','));
    written.expect("a line is written to memory");
    for cell in cells {
        let written = lines.write_record([
            cell.table.clone(),
            cell.cell.clone(),
            plain(&cell.paper),
            plain(&cell.ours),
            number(cell.low),
            number(cell.high),
            cell.verdict.to_string(),
            cell.seeds.to_string(),
            cell.games.map_or(String::new(), |games| games.to_string()),
            number(cell.lowest),
            number(cell.highest),
            number(cell.live_gradient_share),
            count(cell.dead),
            format!("{:.3}", cell.seconds),
        ]);
        written.expect("a line is written to memory");
    }
    let lines = lines.into_inner().expect("memory takes it");
    String::from_utf8(lines).expect("fields are text")
}

/// A value without quotes; nothing for none.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

const STYLE: &str = "
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;margin:.6rem 0}td,th{border:1px solid #ccc;padding:.15rem .5rem;text-align:right}
th{background:#f3f3f3}td.name,th.name,td.why{text-align:left}
.agrees{background:#d9f0d9}.differs{background:#f7d4d0}.doubtful{background:#fbeec4}.open{background:#eee}.unprinted{background:#e3e8f3}
.bar{display:flex;height:1rem;max-width:30rem;margin:.4rem 0}.bar span{display:block}
svg{max-width:100%;height:auto;margin:.4rem 1rem .4rem 0}details{margin:.4rem 0}small{color:#666}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}td,th{border-color:#444}th{background:#2a2a2a}
.agrees{background:#1f4a1f}.differs{background:#5c2320}.doubtful{background:#54470f}.open{background:#333}.unprinted{background:#2b3344}svg{background:#fff}}
";

/// The beginning of a page, up to its heading.
fn begin(heading: &str) -> String {
    let heading = escape(heading);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <title>Upstar: {heading}</title><style>{STYLE}</style></head><body>\n<h1>{heading}</h1>\n"
    )
}

/// The page. Each table comes with its cells and samples.
#[must_use]
pub fn html(tables: &[(Experiment, Vec<Cell>, Vec<Sample>)], scale: f64) -> String {
    let all: Vec<&Cell> = tables.iter().flat_map(|(_, cells, _)| cells).collect();
    let mut page = begin("The papers' tables, again");
    let share = if scale == 1.0 {
        "all games of the papers".to_owned()
    } else {
        format!("{} % of the papers' games", 100.0 * scale)
    };
    let version = env!("CARGO_PKG_VERSION");
    let _ = writeln!(
        page,
        "<p>Upstar {version}, {share}. An interval says where the printed number should be with a \
         probability of 99 %, so about one cell in a hundred differs by chance: for matches it counts \
         the games of both sides as samples, for trainings it is where one more run would end, given \
         the seeds, and at least what each of our own networks could score in other games.</p>"
    );
    page += &summary_of(&Summary::of(all.iter().copied()));
    page += "<table><tr><th class=\"name\">table</th><th class=\"name\">about</th><th>cells</th>\
             <th>agree</th><th>differ</th><th>doubtful</th><th>open</th><th>not printed</th></tr>\n";
    for (table, cells, _) in tables {
        let Summary {
            cells,
            agree,
            differ,
            doubtful,
            open,
            unprinted,
        } = Summary::of(cells);
        let (name, title) = (escape(&table.name()), escape(&table.title));
        let _ = writeln!(
            page,
            "<tr><td class=\"name\"><a href=\"#{name}\">{name}</a></td><td class=\"name\">{title}</td>\
             <td>{cells}</td><td>{agree}</td><td>{differ}</td><td>{doubtful}</td><td>{open}</td>\
             <td>{unprinted}</td></tr>"
        );
    }
    page += "</table>\n";
    for (table, cells, samples) in tables {
        page += &section(table, cells, samples);
    }
    page + "</body></html>\n"
}

fn summary_of(summary: &Summary) -> String {
    let parts = [
        (summary.agree, "agrees", "agree"),
        (summary.differ, "differs", "differ"),
        (summary.doubtful, "doubtful", "doubtful in the paper"),
        (summary.open, "open", "open"),
        (summary.unprinted, "unprinted", "not printed in the paper"),
    ];
    let whole = summary.cells.max(1) as f64;
    let mut text = "<div class=\"bar\">".to_owned();
    for (count, class, _) in parts {
        let width = 100.0 * count as f64 / whole;
        let _ = write!(
            text,
            "<span class=\"{class}\" style=\"width:{width:.2}%\"></span>"
        );
    }
    // What a paper does not print is worth a word only where that happens.
    let worth = |(count, class, _): &&(usize, &str, &str)| *count > 0 || *class != "unprinted";
    let words: Vec<String> = parts
        .iter()
        .filter(worth)
        .map(|(count, class, word)| format!("<span class=\"{class}\">{count} {word}</span>"))
        .collect();
    let _ = writeln!(
        text,
        "</div><p>{} cells: {}</p>",
        summary.cells,
        words.join(", ")
    );
    text
}

fn section(table: &Experiment, cells: &[Cell], samples: &[Sample]) -> String {
    let name = escape(&table.name());
    let mut text = format!("<h2 id=\"{name}\">{name}: {}</h2>\n", escape(&table.title));
    for remark in &table.remarks {
        let _ = writeln!(text, "<p><small>{}</small></p>", escape(remark));
    }
    text += &match table.has_numbers() {
        true => summary_of(&Summary::of(cells)),
        false => "<p>The paper prints no numbers here, so there is no verdict.</p>\n".to_owned(),
    };
    text += &charts::heat_maps(table, cells);
    text += &charts::learning_curves(table, samples);
    text += &charts::lines(table, cells);
    text += "<details open><summary>cells</summary>\n<table><tr><th class=\"name\">cell</th><th>paper</th>\
             <th>ours</th><th>low</th><th>high</th><th>seeds</th><th>live</th><th>dead</th>\
             <th class=\"name\">verdict</th></tr>\n";
    let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    for cell in cells {
        let dead = cell.dead.map_or(String::new(), |dead| dead.to_string());
        let _ = writeln!(
            text,
            "<tr><td class=\"name\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td>{}</td><td>{dead}</td><td class=\"why {}\">{}</td></tr>",
            escape(&cell.cell),
            escape(&plain(&cell.paper)),
            escape(&plain(&cell.ours)),
            number(cell.low),
            number(cell.high),
            cell.seeds,
            number(cell.live_gradient_share),
            class(&cell.verdict),
            escape(&cell.verdict.to_string()),
        );
    }
    text + "</table></details>\n"
}

fn class(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees => "agrees",
        Verdict::Differs => "differs",
        Verdict::Doubtful(_) => "doubtful",
        Verdict::Open(_) => "open",
        Verdict::Unprinted => "unprinted",
    }
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
