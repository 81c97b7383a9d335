//! A reviewed game as one page that needs nothing else.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use upstar_games::Color;

use super::{Reviewed, letter};

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}\
 table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd}\
 .proved{color:#a2560a;font-weight:600}.probable{color:#555;font-style:italic}\
 figure{margin:1rem 0}.boards{display:flex;flex-wrap:wrap;gap:1rem}.boards figure{width:15rem}.boards svg{width:100%;height:auto}\
 @media(prefers-color-scheme:dark){body{background:#15181c;color:#e6e6e6}th,td{border-color:#333}.proved{color:#f0a35e}.probable{color:#aaa}}";

pub(super) fn html(reviewed: &Reviewed) -> String {
    let review = &reviewed.review;
    let title = format!(
        "{} – {}",
        reviewed.name(Color::Black),
        reviewed.name(Color::White)
    );
    let page: Markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                p { (reviewed.winner_text()) }
                figure { (PreEscaped(review.svg())) }
                table {
                    tr { th { "side" } th { "chances kept" } th { "moves" } th { "proved mistakes" } th { "probable mistakes" } }
                    @for side in [Color::Black, Color::White] {
                        @let accuracy = review.accuracy(side);
                        tr {
                            td { (reviewed.name(side)) }
                            td { (format!("{:.0} %", 100.0 * accuracy.kept)) }
                            td { (accuracy.moves) }
                            td { (accuracy.proved) }
                            td { (accuracy.probable) }
                        }
                    }
                }
                h2 { "Mistakes" }
                @if review.mistakes().is_empty() { p { "None was found." } }
                table {
                    @for mistake in review.mistakes() {
                        @let proved = mistake.mistake.is_some_and(|mistake| mistake.proved);
                        tr {
                            td { (mistake.ply) ". " (letter(mistake.side)) " " (mistake.mv) }
                            td class=(if proved { "proved" } else { "probable" }) { (if proved { "proved" } else { "probable" }) }
                            td { (mistake.before.to_string()) " → " (mistake.after.to_string()) }
                            td { "better " (mistake.better.join(" ")) }
                        }
                    }
                }
                div.boards {
                    @for mistake in review.mistakes().into_iter().take(12) {
                        @if let Some(picture) = picture(reviewed, mistake.ply, mistake.better.first()) {
                            figure {
                                (PreEscaped(picture))
                                figcaption { "before move " (mistake.ply) ": better " (mistake.better.first().map_or("", String::as_str)) ", played " (mistake.mv) }
                            }
                        }
                    }
                }
                h2 { "Moves" }
                p {
                    @for mv in &review.moves { (mv.ply) ". " (mv.mv) " " }
                }
            }
        }
    };
    page.into_string()
}

/// The board before a move, with an arrow for the better one.
fn picture(reviewed: &Reviewed, ply: usize, better: Option<&String>) -> Option<String> {
    let positions = reviewed.game.positions().ok()?;
    positions.get(ply - 1)?.svg(better.map(String::as_str)).ok()
}
