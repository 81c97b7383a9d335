//! Solitaire Clobber: the fewest stones.

use std::process::ExitCode;
use std::time::Instant;

use serde::Serialize;
use upstar_games::clobber::Solitaire;
use upstar_games::{Position, Rules};
use upstar_jobs::Budget;

use super::Algorithm;
use crate::failure::Done;
use crate::output::{Output, grouped};

#[derive(Serialize)]
struct Reduced {
    winner: Option<char>,
    score: u32,
    r#move: Option<String>,
    proved: bool,
    nodes: u64,
    seconds: f64,
    algorithm: Algorithm,
    line: Vec<String>,
    lower_bound: u32,
}

pub(super) fn reduce(
    rules: &Solitaire,
    start: &Position<u128>,
    algorithm: Algorithm,
    budget: &Budget,
    output: &Output,
) -> Done {
    let begun = Instant::now();
    let reduction = match algorithm {
        Algorithm::Greedy => rules.greedy(start),
        _ => rules.fewest(start, &mut |nodes| !budget.is_spent(nodes)),
    };
    let line: Vec<String> = reduction
        .line
        .iter()
        .map(|&mv| rules.move_name(mv))
        .collect();
    let reduced = Reduced {
        winner: None,
        score: reduction.stones_left,
        r#move: line.first().cloned(),
        proved: reduction.is_best(),
        nodes: reduction.nodes,
        seconds: begun.elapsed().as_secs_f64(),
        algorithm,
        line,
        lower_bound: reduction.lower_bound,
    };
    output.print(&reduced, |reduced| {
        let stones = match reduced.score {
            1 => "1 stone".to_owned(),
            stones => format!("{stones} stones"),
        };
        let verdict = if reduced.proved {
            format!("{stones} left; fewer are impossible (proved)")
        } else {
            format!("? {stones} left; {} not excluded", reduced.lower_bound)
        };
        let (nodes, seconds) = (grouped(reduced.nodes), reduced.seconds);
        let search = format!("positions looked at: {nodes} in {seconds:.3} s");
        let lines = [verdict, reduced.line.join(" "), search];
        lines
            .into_iter()
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join("\n")
    })?;
    Ok(ExitCode::from(u8::from(!reduced.proved)))
}
