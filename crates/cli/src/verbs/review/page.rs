//! A reviewed game as one page that needs nothing else.

use maud::{Markup, PreEscaped, html};
use upstar_games::Color;
use upstar_web::report::framed;

use super::{Reviewed, letter};

pub(super) fn html(reviewed: &Reviewed) -> String {
    let review = &reviewed.review;
    let title = format!(
        "{} – {}",
        reviewed.name(Color::Black),
        reviewed.name(Color::White)
    );
    let page: Markup = html! {
            section.panel.table.review {
              div.runhead {
                h1.title { (title) small { (reviewed.winner_text()) } }
                div.scroll { (PreEscaped(review.svg())) }
              }
                table.t.num {
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
            }
            section.panel.table {
                header { h2 { "Mistakes" } }
                @if review.mistakes().is_empty() { p.body { "None was found." } }
                table.t {
                    @for mistake in review.mistakes() {
                        @let proved = mistake.mistake.is_some_and(|mistake| mistake.proved);
                        tr {
                            td { (mistake.ply) ". " (letter(mistake.side)) " " (mistake.mv) }
                            td { span class=(if proved { "tag proved" } else { "tag est" }) { (if proved { "proved" } else { "probable" }) } }
                            td { (mistake.before.to_string()) " → " (mistake.after.to_string()) }
                            td { "better " (mistake.better.join(" ")) }
                        }
                    }
                }
                div.review-boards {
                    @for mistake in review.mistakes().into_iter().take(12) {
                        @if let Some(picture) = picture(reviewed, mistake.ply, mistake.better.first()) {
                            figure {
                                (PreEscaped(picture))
                                figcaption { "before move " (mistake.ply) ": better " (mistake.better.first().map_or("", String::as_str)) ", played " (mistake.mv) }
                            }
                        }
                    }
                }
            }
            section.panel.table {
                header { h2 { "Moves" } }
                p.body.mono {
                    @for mv in &review.moves { (mv.ply) ". " (mv.mv) " " }
                }
            }
    };
    framed(&title, &page.into_string())
}

/// The board before a move, with an arrow for the better one.
fn picture(reviewed: &Reviewed, ply: usize, better: Option<&String>) -> Option<String> {
    let positions = reviewed.game.positions().ok()?;
    positions.get(ply - 1)?.svg(better.map(String::as_str)).ok()
}
