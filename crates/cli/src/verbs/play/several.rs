//! Solitaire and games of several colours by lines: people and programs at any of the seats.

use std::process::ExitCode;

use serde::Serialize;
use upstar_agents::{AgentSpec, AnyAgent};
use upstar_games::{AnyGame, Random, Side, Variant};
use upstar_jobs::Budget;

use super::lines::typed;
use super::{Arguments, UNFINISHED};
use crate::board_text;
use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::players;
use crate::search::budget;
use crate::typed::{Line, NOTHING_TO_UNDO};

const EXAMPLE: &str =
    "upstar play clobber:colors=3 4x4 --black human --white mcts:1s --seat t=mcts:1000";

/// Who plays a colour where nothing is said, people aside.
const OPPONENT: &str = "mcts:1s";

/// What is said in between.
#[derive(Serialize)]
struct Said<'a> {
    message: &'a str,
}

/// The game as it was played.
#[derive(Serialize)]
struct Record {
    game: String,
    start: String,
    agents: Vec<String>,
    moves: Vec<String>,
    winner: Option<char>,
    result: Option<String>,
    seed: u64,
}

pub(super) fn run(arguments: &Arguments, start: &AnyGame, output: &Output) -> Done {
    if arguments.records.is_some() || !arguments.time.is_none() {
        let sentence = "--records and --time are for games of two";
        return Err(Failure::input(sentence, EXAMPLE));
    }
    let specs = seats(arguments, start)?;
    let resources = players::resources();
    let agents = specs.iter().map(|spec| match spec {
        AgentSpec::Human => Ok(None),
        spec => AnyAgent::new(spec, start, &resources).map(Some),
    });
    let agents: Result<Vec<Option<AnyAgent>>, _> = agents.collect();
    let mut agents = agents.map_err(|error| Failure::input(error, EXAMPLE))?;
    let by_hand = specs.contains(&AgentSpec::Human);
    let budget = match by_hand {
        true => Budget::unlimited(),
        false => budget(None),
    };
    let input = by_hand.then(|| typed(&budget));
    let mut generators: Vec<Random> = (0..specs.len() as u64)
        .map(|seat| Random::for_game(arguments.seed.seed, seat))
        .collect();
    let say = |message: &str| -> Result<(), Failure> {
        Ok(output.print(&Said { message }, |said| said.message.to_owned())?)
    };
    let show = |game: &AnyGame| match output.is_json() {
        true => Ok(()),
        false => say(&board_text::draw_game(game)),
    };
    let (mut now, mut moves) = (start.clone(), Vec::<String>::new());
    show(&now)?;
    while !now.is_over() && !budget.is_over() {
        let seat = now.side_to_move().index() % specs.len();
        let mv = match (&mut agents[seat], &input) {
            (Some(agent), _) => {
                let chosen = agent.choose(start, &moves, &budget, &mut generators[seat]);
                if budget.is_over() {
                    break;
                }
                let mv = chosen.map_err(|fault| Failure::input(fault, EXAMPLE))?.mv;
                if !output.is_json() {
                    say(&format!("{} plays {mv}", now.side_to_move()))?;
                }
                mv
            }
            (None, Some(input)) => match input.recv().unwrap_or(Ok(Line::End))? {
                Line::End => break,
                Line::Words(words) if words == "quit" => break,
                Line::Words(words) if words.is_empty() => continue,
                Line::Words(words) if words == "moves" => {
                    say(&now.legal().join(" "))?;
                    continue;
                }
                Line::Words(words) if words == "undo" => {
                    let back = moves.len() - back_to_a_person(start, &moves, &specs);
                    if back == 0 {
                        say(NOTHING_TO_UNDO)?;
                        continue;
                    }
                    moves.truncate(moves.len() - back);
                    now = start.play_all(&moves).expect("they were played");
                    show(&now)?;
                    continue;
                }
                line => {
                    let words = match line {
                        Line::Words(words) => words,
                        _ => String::new(),
                    };
                    match now.legal_move(&words) {
                        Ok(mv) => mv,
                        Err(error) => {
                            let legal = now.legal().into_iter().next().unwrap_or_default();
                            say(&format!(
                                "{error}; {legal} is legal; moves lists all, undo takes back, quit leaves"
                            ))?;
                            continue;
                        }
                    }
                }
            },
            (None, None) => unreachable!("a person sits where no agent does"),
        };
        now = now
            .play(&mv)
            .map_err(|error| Failure::input(error, EXAMPLE))?;
        moves.push(mv);
        show(&now)?;
    }
    if output.is_json() {
        let record = Record {
            game: start.variant().to_string(),
            start: start.to_string(),
            agents: specs.iter().map(ToString::to_string).collect(),
            moves,
            winner: now
                .result()
                .and_then(upstar_games::GameResult::winner)
                .map(Side::letter),
            result: now.result().map(|result| result.to_string()),
            seed: arguments.seed.seed,
        };
        output.print(&record, |_| String::new())?;
    } else if !now.is_over() {
        say(UNFINISHED)?;
    }
    Ok(ExitCode::from(u8::from(!now.is_over())))
}

/// Who plays each colour; one player alone in solitaire.
fn seats(arguments: &Arguments, start: &AnyGame) -> Result<Vec<AgentSpec>, Failure> {
    let count = match start.variant() {
        Variant::Solitaire => 1,
        variant => variant.sides(),
    };
    let mut seats: Vec<Option<AgentSpec>> = vec![None; count];
    for (seat, given) in [&arguments.black, &arguments.white].into_iter().enumerate() {
        if let Some(spec) = given {
            let place = seats.get_mut(seat);
            *place.ok_or_else(|| Failure::input("solitaire has one player", EXAMPLE))? =
                Some(spec.clone());
        }
    }
    for text in &arguments.seat {
        let wrong = |why: String| Failure::input(format!("--seat {text}: {why}"), EXAMPLE);
        let (side, spec) = text
            .split_once('=')
            .ok_or_else(|| wrong("it is not COLOUR=AGENT".to_owned()))?;
        let mut letters = side.chars();
        let side = match (letters.next(), letters.next()) {
            (Some(letter), None) => Side::from_letter(letter),
            _ => None,
        };
        let place = side.and_then(|side| seats.get_mut(side.index()));
        let place = place.ok_or_else(|| wrong("the game has no such colour".to_owned()))?;
        *place = Some(players::spec(spec).map_err(wrong)?);
    }
    let named = seats.iter().any(Option::is_some);
    let seats = seats.into_iter().enumerate().map(|(seat, spec)| {
        let default = match seat == 0 && !named {
            true => AgentSpec::Human,
            false => OPPONENT.parse().expect("it is an agent"),
        };
        spec.unwrap_or(default)
    });
    Ok(seats.collect())
}

/// How many moves are left when those since a person's last turn are taken back.
fn back_to_a_person(start: &AnyGame, moves: &[String], specs: &[AgentSpec]) -> usize {
    let is_person = |plies: usize| {
        let game = start.play_all(&moves[..plies]).expect("they were played");
        specs[game.side_to_move().index() % specs.len()] == AgentSpec::Human
    };
    let earlier = (0..moves.len()).rev().find(|&plies| is_person(plies));
    earlier.unwrap_or(moves.len())
}
