//! `grade`: how many of an agent's moves keep the result of best play.

use std::process::ExitCode;

use upstar_agents::{AgentSpec, Playable};
use upstar_arena::{Contestant, Grade, Grading, MOST_PLIES, Marks, Mistake, Place, Team};
use upstar_games::with_game;

use crate::failure::{Done, Failure};
use crate::input::GameArguments;
use crate::output::{Output, counted, grouped};
use crate::players;
use crate::progress::Progress;
use crate::search::budget;
use crate::values;

/// Who is graded, and on how many positions.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The agent: random, mc:50, mcts:1000, net:FILE, az:default, …
    #[arg(value_name = "AGENT", value_parser = players::spec)]
    agent: AgentSpec,
    /// How many positions from its games against itself, and as many from random games
    #[arg(long, value_name = "N", default_value_t = 200, allow_negative_numbers = true, value_parser = values::whole::<u64>("number of positions", 1..=1_000_000, "--positions 200"))]
    positions: u64,
    /// How many random plies its own games begin with
    #[arg(long, value_name = "K", default_value_t = 4, allow_negative_numbers = true, value_parser = values::whole::<u32>("number of plies", 0..=MOST_PLIES as u64, "--openings 4"))]
    openings: u32,
    /// Skip positions that the solver cannot judge within this many nodes
    #[arg(long, value_name = "N", default_value_t = 4_000_000, allow_negative_numbers = true, value_parser = values::whole::<u64>("number of positions", 1..=1_000_000_000_000, "--nodes 4000000"))]
    nodes: u64,
    #[command(flatten)]
    seed: values::SeedOption,
    #[command(flatten)]
    threads: values::ThreadsOption,
    /// List the moves that throw away a result (JSON always has them)
    #[arg(long)]
    mistakes: bool,
}

const RIGHT: &str = "upstar grade clobber 5x5 mcts:1000";

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let opened = arguments.game.open()?;
    let grade = with_game!(&opened, |game, start| grade(arguments, game, start)?, {
        let sentence = format!("{} is not a game for two agents", arguments.game.game);
        return Err(Failure::input(sentence, RIGHT));
    });
    output.print(&grade, |grade| text(arguments, grade))?;
    let told = grade.complete && grade.kept_share.is_some();
    Ok(ExitCode::from(u8::from(!told)))
}

fn grade<G: Playable>(
    arguments: &Arguments,
    game: &G,
    start: &G::Position,
) -> Result<Grade, Failure> {
    if game.is_over(start) {
        return Err(Failure::input("the game is over in this position", RIGHT));
    }
    let specs = [arguments.agent.clone()];
    let resources = players::resources();
    let team = Team {
        game,
        specs: &specs,
        resources: &resources,
    };
    players::check(&team)?;
    let name = arguments.agent.to_string();
    let grading = Grading {
        player: Contestant::new(name.clone(), name),
        positions: arguments.positions,
        plies: arguments.openings,
        nodes: arguments.nodes,
        seed: arguments.seed.seed,
        threads: arguments.threads.number(),
    };
    let position = arguments.game.written(game, start);
    let place = Place {
        game,
        start,
        variant: arguments.game.game,
        position: &position,
    };
    let bar = Progress::new(2 * arguments.positions, "positions");
    let graded = grading.run(&place, &team, &resources, &budget(None), &bar);
    bar.finish();
    graded.map_err(|error| Failure::input(&error, RIGHT))
}

fn text(arguments: &Arguments, grade: &Grade) -> String {
    let mut lines = vec![format!("{}:", arguments.agent)];
    for (what, marks) in [
        ("its own games", &grade.own_games),
        ("random games", &grade.random_games),
    ] {
        lines.push(format!("{what}: {}", marks_text(marks)));
    }
    if let (Some(share), Some(low), Some(high)) =
        (grade.kept_share, grade.kept_low, grade.kept_high)
    {
        lines.push(format!(
            "{:.2} % of its moves in solved positions keep the result of best play, from {:.2} to {:.2} % (95 %)",
            100.0 * share,
            100.0 * low,
            100.0 * high
        ));
    } else if grade.complete {
        lines.push("no position was solved; --nodes lets the solver look at more".to_owned());
    }
    if arguments.mistakes {
        lines.extend(grade.mistakes.iter().map(mistake_text));
    }
    if !grade.complete {
        lines.push("stopped before the end".to_owned());
    }
    lines.push(format!(
        "in {:.3} s (seed {})",
        grade.seconds, arguments.seed.seed
    ));
    lines.join("\n")
}

fn marks_text(marks: &Marks) -> String {
    let mut text = format!(
        "{} of {} solved, a result could be thrown away in {}",
        grouped(marks.solved),
        counted(marks.positions, "position"),
        grouped(marks.decisions),
    );
    if marks.decisions > 0 {
        let share = 100.0 * marks.kept as f64 / marks.decisions as f64;
        text += &format!("; it kept {} ({share:.1} %)", grouped(marks.kept));
    }
    text
}

fn mistake_text(mistake: &Mistake) -> String {
    let Mistake {
        position,
        to_move,
        mv,
        best,
        left,
        better,
    } = mistake;
    let better = better.join(" ");
    format!("{position} {to_move}: {mv} makes a {left} of a {best}, better {better}")
}
