//! Reports: runs and tables of papers as one HTML file that needs nothing else, made of the parts of the page.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;
use upstar_runs::Kind;

use crate::assets::{self, LIBRARIES};
use crate::bundle::bundle;
use crate::papers::Papers;
use crate::runs::{self, RunDetail, RunKind, RunRefusal};

/// The styles of a report, in their order.
const STYLES: [&str; 3] = ["style.css", "charts/charts.css", "runs/runs.css"];
/// The module that draws it.
const ENTRY: &str = "runs/report.js";

/// What a report shows.
#[derive(Debug, Serialize)]
pub struct Report {
    version: &'static str,
    made: String,
    /// Runs of one kind are laid over each other.
    runs: Vec<Vec<Arc<RunDetail>>>,
    papers: Vec<Arc<Papers>>,
}

impl Report {
    /// Of these runs, or files of records; those of the same kind that have curves are compared.
    ///
    /// # Errors
    /// If one is no run; the error names its place in the list.
    pub fn of(paths: &[PathBuf]) -> Result<Self, (usize, RunRefusal)> {
        let mut report = Self {
            version: env!("CARGO_PKG_VERSION"),
            made: Timestamp::now().strftime("%-d %B %Y").to_string(),
            runs: Vec::new(),
            papers: Vec::new(),
        };
        for (place, path) in paths.iter().enumerate() {
            report.add(path).map_err(|refusal| (place, refusal))?;
        }
        Ok(report)
    }

    fn add(&mut self, path: &Path) -> Result<(), RunRefusal> {
        let detail = runs::look(path)?;
        let kind = detail.run.kind;
        if kind == RunKind::Folder(Kind::Reproduce) {
            self.papers.push(runs::look_papers(path)?);
            return Ok(());
        }
        let is_like = |group: &&mut Vec<Arc<RunDetail>>| {
            let has_curves = |run: &RunDetail| !run.charts.is_empty();
            group[0].run.kind == kind && has_curves(&group[0]) && has_curves(&detail)
        };
        match self.runs.iter_mut().find(is_like) {
            Some(group) => group.push(detail),
            None => self.runs.push(vec![detail]),
        }
        Ok(())
    }

    /// The runs that it shows.
    pub fn runs(&self) -> impl Iterator<Item = &RunDetail> {
        self.runs.iter().flatten().map(AsRef::as_ref)
    }

    /// The tables that it shows.
    pub fn papers(&self) -> impl Iterator<Item = &Papers> {
        self.papers.iter().map(AsRef::as_ref)
    }

    /// The file.
    ///
    /// # Panics
    /// If the page inside this program is not whole.
    #[must_use]
    pub fn html(&self) -> String {
        let runs = self.runs().map(|run| run.run.name.as_str());
        let papers = self.papers().map(|papers| papers.name.as_str());
        let title = runs.chain(papers).collect::<Vec<_>>().join(", ");
        page(&title, ENTRY, self)
    }
}

/// A file with the styles of the page, the script of a module, and the data that the module draws.
pub(crate) fn page(title: &str, entry: &str, data: &impl Serialize) -> String {
    let script = bundle(entry, &assets::text).expect("the page is tested as a whole");
    let data = serde_json::to_string(data).expect("it is plain data");
    // Nothing in the data may end the element that it stands in.
    let data = data.replace('<', "\\u003c");
    let body = format!(
        "<div id=\"report\"><noscript>This report is drawn by a script in this file, and scripts are off.</noscript></div>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n\"use strict\"; // {LIBRARIES}\n{script}</script>"
    );
    whole(title, &body)
}

/// A file with the styles of the page around what is drawn already, as HTML.
#[must_use]
pub fn framed(title: &str, html: &str) -> String {
    let head = "<header class=\"report-head\"><b>Upstar</b></header>";
    whole(
        title,
        &format!("{head}\n<main class=\"report\">\n{html}\n</main>"),
    )
}

/// A file with the styles of the page and this body.
fn whole(title: &str, body: &str) -> String {
    let styles: String = STYLES
        .iter()
        .filter_map(|name| assets::text(name))
        .collect();
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\" data-theme=\"light\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title} · Upstar</title>\n<style>\n{styles}</style>\n\
         <script>if(matchMedia(\"(prefers-color-scheme: dark)\").matches&&!matchMedia(\"print\").matches)document.documentElement.dataset.theme=\"dark\";</script>\n\
         </head><body>\n{body}\n</body></html>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
