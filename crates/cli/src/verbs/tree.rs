//! `tree`: how large the game tree under a position is, and the part of it that best play needs.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use serde::Serialize;
use upstar_games::{Game, with_game};
use upstar_solve::tree::{self, Drawing, MOST_DRAWN, TreeError};

use crate::failure::{Done, Failure};
use crate::input::GameArguments;
use crate::output::{Output, check_ending, counted, grouped, write_file};
use crate::search::SearchArguments;

/// Which tree, and what of it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    search: SearchArguments,
    /// Draw the tree into this file; lines of the optimal tree are bold
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw only this many plies
    #[arg(long, value_name = "N", requires = "svg")]
    plies: Option<u32>,
    /// Draw only the optimal tree
    #[arg(long, requires = "svg")]
    optimal: bool,
    /// Only count, without looking for the optimal tree, which takes more time and memory
    #[arg(long, conflicts_with = "svg")]
    count: bool,
}

/// Numbers above 2⁶⁴ are rare but exist: JSON has them in full, as integers.
#[derive(Serialize)]
struct Counted {
    nodes: u128,
    passes: u128,
    leaves: u128,
    x_wins: u128,
    o_wins: u128,
    draws: u128,
    plies: Vec<Ply>,
    winner: Option<String>,
    optimal_nodes: Option<u128>,
    optimal_length: Option<u32>,
    optimal_path: Option<Vec<String>>,
    seconds: f64,
}

#[derive(Serialize)]
struct Ply {
    ply: usize,
    nodes: u128,
    positions: u64,
    passes: u128,
    leaves: u128,
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    if let Some(file) = &arguments.svg {
        check_ending("--svg", file, "svg")?;
    }
    let game = arguments.game.open()?;
    with_game!(
        &game,
        |rules, start| look(arguments, rules, start, output),
        {
            let game = arguments.game.game;
            let sentence = format!("{game} has no tree of two sides that move in turn");
            Err(Failure::input(sentence, "upstar tree othello 4x4"))
        }
    )
}

fn look<G: Game>(arguments: &Arguments, game: &G, start: &G::Position, output: &Output) -> Done {
    let (search, budget) = (&arguments.search, arguments.search.budget());
    let lease = search.settings().ledger.memory(search.memory());
    let lease = &lease.map_err(|error| Failure::input(error, "--memory 1G"))?;
    let begun = Instant::now();
    let counted = match tree::count(game, start, lease, &budget) {
        Err(TreeError::Spent) => return unfinished(output),
        other => other.map_err(|error| refused(error, arguments))?,
    };
    let optimal = if arguments.count {
        None
    } else {
        match tree::optimal(game, start, lease, &budget) {
            Err(TreeError::Spent) => return unfinished(output),
            other => Some(other.map_err(|error| refused(error, arguments))?),
        }
    };
    let seconds = begun.elapsed().as_secs_f64();
    let best = optimal.as_ref().map_or(u128::MAX, |best| best.nodes);
    let drawn = if arguments.optimal {
        best
    } else {
        counted.nodes
    };
    if arguments.svg.is_some() && arguments.plies.is_none() && drawn > MOST_DRAWN as u128 {
        return Err(refused(TreeError::TooLarge, arguments));
    }
    if let Some(file) = &arguments.svg {
        let drawing = Drawing {
            plies: arguments.plies,
            optimal: arguments.optimal,
        };
        let picture = tree::draw(game, start, drawing, lease, &budget);
        let picture = picture.map_err(|error| refused(error, arguments))?;
        write_file(file, picture)?;
    }
    let plies = counted.plies.iter().enumerate().map(|(ply, row)| Ply {
        ply,
        nodes: row.nodes,
        positions: row.positions,
        passes: row.passes,
        leaves: row.leaves,
    });
    let mover = game.to_move(start);
    let path = |moves: &Vec<G::Move>| moves.iter().map(|&mv| game.move_name(mv)).collect();
    let counted = Counted {
        nodes: counted.nodes,
        passes: counted.passes,
        leaves: counted.leaves,
        x_wins: counted.x_wins,
        o_wins: counted.o_wins,
        draws: counted.draws,
        plies: plies.collect(),
        winner: optimal
            .as_ref()
            .map(|best| best.outcome.winner(mover).to_owned()),
        optimal_nodes: optimal.as_ref().map(|best| best.nodes),
        optimal_length: optimal.as_ref().map(|best| best.length),
        optimal_path: optimal.as_ref().map(|best| path(&best.path)),
        seconds,
    };
    output.print(&counted, Counted::text)?;
    Ok(ExitCode::SUCCESS)
}

/// Says that time was up.
fn unfinished(output: &Output) -> Done {
    #[derive(Serialize)]
    struct Unfinished {
        nodes: Option<u64>,
    }
    output.print(&Unfinished { nodes: None }, |_| "?".to_owned())?;
    Ok(ExitCode::FAILURE)
}

fn refused(error: TreeError, arguments: &Arguments) -> Failure {
    let right = match error {
        TreeError::TooLarge => "upstar tree othello 4x4 --svg tree.svg --plies 3",
        TreeError::Memory(_) if !arguments.count => "--count, or more --memory",
        _ => "upstar tree othello 4x4",
    };
    Failure::input(error, right)
}

impl Counted {
    fn text(&self) -> String {
        let width = grouped(self.nodes).len().max("nodes".len());
        let mut text = format!(
            "ply  {:>width$}  {:>width$}  {:>width$}  {:>width$}\n",
            "nodes", "positions", "passes", "leaves"
        );
        for row in &self.plies {
            text += &format!(
                "{:>3}  {:>width$}  {:>width$}  {:>width$}  {:>width$}\n",
                row.ply,
                grouped(row.nodes),
                grouped(row.positions),
                grouped(row.passes),
                grouped(row.leaves)
            );
        }
        text += &format!(
            "{}, {} of them by a pass; {}: x wins {}, o wins {}, draws {}",
            counted(self.nodes, "node"),
            grouped(self.passes),
            match self.leaves {
                1 => "1 leaf".to_owned(),
                leaves => format!("{} leaves", grouped(leaves)),
            },
            grouped(self.x_wins),
            grouped(self.o_wins),
            grouped(self.draws)
        );
        if let (Some(nodes), Some(length), Some(path), Some(winner)) = (
            self.optimal_nodes,
            self.optimal_length,
            &self.optimal_path,
            self.winner.as_deref(),
        ) {
            let verdict = match winner {
                "draw" => "a draw".to_owned(),
                winner => format!("{winner} wins"),
            };
            let saved = grouped(self.nodes - nodes);
            text += &format!(
                "\noptimal tree: {}, {saved} fewer; {verdict} (proved)\nshortest optimal path: {}: {}",
                counted(nodes, "node"),
                counted(length, "move"),
                path.join(" ")
            );
        }
        text
    }
}
