//! What is seen of an analysis: a note at each cell, a headline and a list of the best moves. What is proved is
//! bold, a letter or a score with its sign; what is guessed is dim, a chance in per cent.

use anstyle::{AnsiColor, Style};
use upstar_analysis::{Analysis, Grade, GradedMove, Knowledge};
use upstar_games::Color;
use upstar_session::judgement;
use upstar_solve::Outcome;

use super::styled::{DIM, GUESSED, Line, Target, colored};
use crate::output::grouped;

/// The widest note.
pub(super) const WIDEST: usize = 3;

/// What is known of a move in at most so many characters.
pub(super) fn note(known: &Knowledge, room: usize) -> (String, Style) {
    let style = style_of(known);
    if let Some(outcome) = known.outcome {
        let letter = match outcome {
            Outcome::Win => "W",
            Outcome::Draw => "D",
            Outcome::Loss => "L",
        };
        let score = known.score().filter(|&score| score != 0);
        let score = score.map(|score| format!("{score:+}"));
        let score = score.filter(|score| room >= WIDEST && score.len() <= room);
        return (score.unwrap_or_else(|| letter.to_owned()), style);
    }
    let text = match (&known.estimate, room) {
        (None, _) => "?".to_owned(),
        // Only tenths have room.
        (Some(guess), 0 | 1) => ((10.0 * guess.win) as u32).min(9).to_string(),
        (Some(guess), 2) => percent(guess.win).to_string(),
        (Some(guess), _) => format!("{}%", percent(guess.win)),
    };
    (text, style)
}

/// A guess is never certain.
fn percent(win: f64) -> u32 {
    (100.0 * win).round().clamp(1.0, 99.0) as u32
}

fn style_of(known: &Knowledge) -> Style {
    match (known.outcome, known.grade()) {
        (Some(Outcome::Win), _) => colored(AnsiColor::Green),
        (Some(Outcome::Draw), _) => colored(AnsiColor::Yellow),
        (Some(Outcome::Loss), _) => colored(AnsiColor::Red),
        (None, Grade::Estimated | Grade::Bounded) => GUESSED,
        (None, _) => DIM,
    }
}

/// What is known of the position, and how surely.
pub(super) fn headline(known: &Knowledge, side: Color) -> Line {
    Line::of(style_of(known), headline_text(known, side))
}

/// After how much work what is known of the best moves, in at most so many lines.
pub(super) fn list(analysis: &Analysis, rows: usize) -> Vec<Line> {
    let mut lines = vec![Line::of(DIM, effort(analysis))];
    let moves = analysis.moves.iter().take(rows.saturating_sub(lines.len()));
    let moves: Vec<(&GradedMove, String)> =
        moves.map(|graded| (graded, short(&graded.known))).collect();
    let name = moves.iter().map(|(graded, _)| graded.mv.len()).max();
    let wide = moves.iter().map(|(_, short)| short.len()).max();
    let (name, wide) = (name.unwrap_or(0), wide.unwrap_or(0));
    for (index, (graded, short)) in moves.into_iter().enumerate() {
        let mark = if graded.known.is_proved() { '=' } else { '~' };
        let style = style_of(&graded.known);
        let mut line = Line::of(
            style,
            format!("{mark} {:<name$}  {short:<wide$}", graded.mv),
        );
        let rest = graded.line.iter().skip(1).map(String::as_str);
        line.add(DIM, format!("  {}", rest.collect::<Vec<_>>().join(" ")));
        lines.push(line.leading_to(Target::Graded(index)));
    }
    lines.truncate(rows);
    lines
}

fn headline_text(known: &Knowledge, side: Color) -> String {
    match (known.outcome, &known.estimate) {
        (None, Some(guess)) => {
            let discs = guess.discs.and(known.discs());
            let discs = discs.map_or(String::new(), |discs| format!("{discs:+.1}, "));
            format!("{side} about {discs}{}%, estimated", percent(guess.win))
        }
        (None, None) if known.grade() == Grade::Bounded => {
            format!("{} for {side}, bounded", short(known))
        }
        _ => judgement(known, side).unwrap_or_else(|| "nothing is known yet".to_owned()),
    }
}

/// How much both have worked.
fn effort(analysis: &Analysis) -> String {
    let mut parts = Vec::new();
    let guesses = analysis.moves.iter();
    let mut by = guesses.filter_map(|graded| Some(graded.known.estimate.as_ref()?.by));
    if let Some(by) = by.next() {
        parts.push(format!("{by} {}", grouped(analysis.work)));
    }
    if analysis.nodes > 0 {
        parts.push(format!("solver {}", grouped(analysis.nodes)));
    }
    parts.push(format!("{:.1} s", analysis.time.as_secs_f64()));
    parts.join(", ")
}

/// What is known of a move in a few words.
fn short(known: &Knowledge) -> String {
    match (known.grade(), &known.estimate) {
        (Grade::Proved, _) => known.to_string(),
        (Grade::Bounded, _) => match (known.at_least, known.at_most) {
            (Some(low), Some(high)) => format!("{low:+} to {high:+}"),
            (Some(low), None) => format!("{low:+} or more"),
            (None, Some(high)) => format!("{high:+} or less"),
            (None, None) => "?".to_owned(),
        },
        (_, Some(guess)) => match guess.discs {
            Some(discs) => format!("{discs:+.1} {:>2}%", percent(guess.win)),
            None => format!("{:>2}%", percent(guess.win)),
        },
        (_, None) => "?".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{analysis, clobber, estimated, proved};
    use super::super::panel::NARROWEST;
    use super::*;

    #[test]
    fn proofs_and_guesses_never_look_alike() {
        let guesses = [0.0, 0.004, 0.62, 1.0].map(estimated);
        let outcomes = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(proved);
        let scores = [-12, 0, 6, 64].map(Knowledge::of_score);
        for room in 1..=WIDEST {
            for guess in &guesses {
                let (guessed, dim) = note(guess, room);
                assert!(guessed.len() <= room && guessed != "?", "{guessed}");
                assert!(guessed.starts_with(|letter: char| letter.is_ascii_digit()));
                for known in outcomes.iter().chain(&scores) {
                    let (text, style) = note(known, room);
                    assert!(text.len() <= room, "{text}");
                    assert!(text.starts_with(['W', 'D', 'L', '+', '-']), "{text}");
                    assert_ne!(style, dim);
                }
            }
        }
        let notes = [
            &guesses[0],
            &guesses[2],
            &guesses[3],
            &scores[0],
            &scores[1],
        ];
        let notes = notes.map(|known| note(known, 3).0);
        assert_eq!(notes, ["1%", "62%", "99%", "-12", "D"]);
        assert_eq!(note(&Knowledge::default(), 3).0, "?");
    }

    #[test]
    fn the_best_moves_are_listed() {
        let table = clobber("xoxo", "human", "human");
        let known = [
            ("a1b1", proved(Outcome::Win)),
            ("c1b1", estimated(0.62)),
            ("c1d1", proved(Outcome::Loss)),
        ];
        let mut known = analysis(&table, &known);
        known.known = proved(Outcome::Win);
        (known.nodes, known.work) = (1234, 800);
        known.moves[0].line = ["a1b1", "d1c1", "b1c1"].map(str::to_owned).to_vec();
        let lines = list(&known, 10);
        let lines: Vec<String> = lines.iter().map(Line::plain).collect();
        let expected = [
            "mcts 800, solver 1,234, 0.0 s",
            "= a1b1  wins   d1c1 b1c1",
            "~ c1b1  62%",
            "= c1d1  loses",
        ];
        assert_eq!(lines, expected);
        assert_eq!(list(&known, 3).len(), 3);
        let first = |known| headline(&known, Color::Black).plain();
        assert_eq!(first(proved(Outcome::Win)), "x wins, proved");
        let mut bounded = Knowledge::default();
        bounded.bound(Some(-2), Some(4));
        assert_eq!(first(bounded), "-2 to +4 for x, bounded");
        let mut guess = estimated(0.62);
        guess.estimate.as_mut().unwrap().discs = Some(-12.34);
        assert_eq!(first(guess.clone()), "x about -12.3, 62%, estimated");
        assert!(first(guess).len() <= NARROWEST);
    }

    #[test]
    fn scores_and_bounds_in_few_words() {
        let mut known = Knowledge::default();
        known.bound(Some(2), None);
        assert_eq!(short(&known), "+2 or more");
        known.bound(None, Some(6));
        assert_eq!(short(&known), "+2 to +6");
        assert_eq!(note(&known, 3).0, "W");
        assert_eq!(short(&Knowledge::of_score(-4)), "loses -4");
        let mut guess = estimated(0.07);
        guess.estimate.as_mut().unwrap().discs = Some(-3.24);
        assert_eq!(short(&guess), "-3.2  7%");
    }
}
