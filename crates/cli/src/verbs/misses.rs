//! `misses`: positions of a solved board whose moves networks sort wrongly, by their patterns (cammel2015, 4.6).

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use maud::{PreEscaped, html};
use upstar_lab::{Misses, MissesQuery, Pattern, Problem};
use upstar_web::report::framed;

use crate::failure::{Done, Failure};
use crate::output::{Output, check_ending, counted, grouped, write_file};
use crate::search::budget;
use crate::values;

/// Which networks, and what to show.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The inputs of the networks: 17 (cells), 22 (with comparisons) or 24 (with corners)
    #[arg(long, value_name = "N", default_value_t = 22, value_parser = inputs)]
    inputs: u32,
    /// The hidden neurons of each network; what all of them miss is shown
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "6", value_parser = values::whole::<usize>("number of hidden neurons", 1..=1000, "--hidden 4,6,8"))]
    hidden: Vec<usize>,
    /// The examples that each network learns from
    #[arg(long, value_name = "N", default_value_t = 10_000_000, allow_negative_numbers = true, value_parser = values::whole::<u64>("number of examples", 1..=1_000_000_000_000, "--examples 1000000"))]
    examples: u64,
    #[command(flatten)]
    seed: values::SeedOption,
    /// How many positions to show, the most frequent first (JSON always has all)
    #[arg(long, value_name = "N", default_value_t = 6, allow_negative_numbers = true, value_parser = values::whole::<usize>("number of positions", 0..=1_000_000, "--show 6"))]
    show: usize,
    /// Write a page with pictures of these positions
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

const RIGHT: &str = "upstar misses --hidden 4,6,8";
/// The most patterns that are listed (JSON and page have all).
const MOST_PATTERNS: usize = 16;

fn inputs(text: &str) -> Result<u32, String> {
    let number = text.parse().ok();
    number
        .filter(|number| [17, 22, 24].contains(number))
        .ok_or_else(|| {
            let text = upstar_games::excerpt(text);
            format!("'{text}' is not 17, 22 or 24, like --inputs 22")
        })
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    if let Some(page) = &arguments.page {
        check_ending("--page", page, "html")?;
    }
    let query = MissesQuery {
        inputs: arguments.inputs,
        hidden: arguments.hidden.clone(),
        examples: arguments.examples,
        seed: arguments.seed.seed,
    };
    let misses = Misses::find(&query, &budget(None));
    let misses = misses.map_err(|problem: Problem| Failure::input(problem, RIGHT))?;
    if let Some(page) = &arguments.page {
        write_file(page, page_of(&misses, arguments.show))?;
    }
    output.print(&misses, |misses| text(misses, arguments))?;
    Ok(ExitCode::SUCCESS)
}

fn percent(part: u32, whole: u32) -> String {
    format!("{:.1} %", 100.0 * f64::from(part) / f64::from(whole.max(1)))
}

/// What the thesis says of misses, beside what was found.
fn summary(misses: &Misses) -> Vec<String> {
    let [first, second, neither] = Pattern::NAMES.map(|name| misses.of_pattern(name));
    let share = |part: u32| percent(part, misses.misses);
    vec![
        format!(
            "{} of {} with several moves are missed ({})",
            grouped(u64::from(misses.misses)),
            counted(u64::from(misses.nodes), "node"),
            percent(misses.misses, misses.nodes)
        ),
        format!(
            "patterns of the thesis: first {}, second {}, neither {}",
            share(first),
            share(second),
            share(neither)
        ),
        format!(
            "between a corner and another cell: {}",
            share(misses.corner_choices)
        ),
    ]
}

fn text(misses: &Misses, arguments: &Arguments) -> String {
    let mut text = summary(misses).join("\n");
    let _ = write!(
        text,
        "\n\n{:<9}{:<9}{:<10}{:<8}{:<9}{:>8}{:>10}{:>14}",
        "corners", "stones", "takeable", "moves", "to move", "misses", "of misses", "missed of all"
    );
    for pattern in misses.patterns.iter().take(MOST_PATTERNS) {
        let _ = write!(
            text,
            "\n{:<9}{:<9}{:<10}{:<8}{:<9}{:>8}{:>10}{:>14}",
            pattern.corners.name(),
            pattern.stones.name(),
            pattern.takeable.name(),
            pattern.moves.name(),
            pattern.to_move,
            pattern.misses,
            percent(pattern.misses, misses.misses),
            percent(pattern.misses, pattern.nodes),
        );
        if pattern.pattern != "neither" {
            let _ = write!(text, "  {} pattern", pattern.pattern);
        }
    }
    let more = misses.patterns.len().saturating_sub(MOST_PATTERNS) as u64;
    if more > 0 {
        let _ = write!(text, "\nand {} with fewer misses", counted(more, "pattern"));
    }
    for position in misses.positions.iter().take(arguments.show) {
        let loses = match position.consequential {
            true => "which throws the result away",
            false => "which keeps the result",
        };
        let _ = write!(
            text,
            "\n\n{}\n{} to move, {}, {} pattern: best {}; rated best {}, {loses}",
            position.position.replace('|', "\n"),
            position.to_move,
            counted(u64::from(position.nodes), "node"),
            position.pattern,
            position.best.join(" "),
            position.chosen,
        );
    }
    text
}

fn page_of(misses: &Misses, show: usize) -> String {
    let page = html! {
        section.panel.table {
            div.runhead { h1.title { "Misses on 4x4" } }
            div.body { @for line in summary(misses) { p { (line) } } }
            table.t.num {
                tr { th { "corners" } th { "stones" } th { "takeable" } th { "moves" } th { "to move" } th { "pattern" } th { "misses" } th { "of misses" } th { "missed of all" } }
                @for pattern in &misses.patterns {
                    tr {
                        td { (pattern.corners.name()) } td { (pattern.stones.name()) } td { (pattern.takeable.name()) }
                        td { (pattern.moves.name()) } td { (pattern.to_move) } td { (pattern.pattern) } td { (pattern.misses) }
                        td { (percent(pattern.misses, misses.misses)) } td { (percent(pattern.misses, pattern.nodes)) }
                    }
                }
            }
        }
        @for name in Pattern::NAMES {
            @let positions = misses.positions.iter().filter(|position| position.pattern == name);
            section.panel.table {
                header { h2 { "Pattern: " (name) } }
                div.review-boards {
                    @for position in positions.take(show) {
                        figure {
                            (PreEscaped(&position.picture))
                            figcaption { (position.to_move) " to move, " (counted(u64::from(position.nodes), "node")) ": best " (position.best.join(" ")) ", rated best " (position.chosen) }
                        }
                    }
                }
            }
        }
    };
    framed("Misses on 4x4", &page.into_string())
}
