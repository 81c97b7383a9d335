//! `cgt`: a calculator of games. A value and all that theory says of it, or a comparison of two.

use std::cmp::Ordering;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use upstar_cgt::{Dyadic, Expression, Fate, Games, ParseError, Value};
use upstar_games::excerpt;

use crate::failure::{Done, Failure};
use crate::notation::NameOptions;
use crate::output::{Output, check_ending};
use crate::verbs::value::write_thermograph;

/// What to calculate, and how to write it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A game, '{0|*}', '^*', '2.^ + +-1', '3.{0|v*}', or a comparison of two: <= >= = < > <| |> ||
    #[arg(value_name = "EXPRESSION", allow_hyphen_values = true)]
    expression: String,
    #[command(flatten)]
    names: NameOptions,
    /// Say which options are dominated or reverse, and what replaces them
    #[arg(long)]
    reductions: bool,
    /// Draw the thermograph into this SVG file
    #[arg(long, value_name = "FILE")]
    thermograph: Option<PathBuf>,
}

/// How many sums of followers incentives and reduced forms may take.
const BUDGET: usize = 50_000;

const EXAMPLE: &str = "upstar cgt '{0|*}', or upstar cgt '^ > *'";

#[derive(Serialize)]
struct Calculated {
    value: String,
    outcome: String,
    left: Vec<String>,
    right: Vec<String>,
    birthday: u32,
    /// How many different positions the canonical form has.
    followers: usize,
    all_small: bool,
    #[serde(serialize_with = "as_text")]
    mean: Option<Dyadic>,
    #[serde(serialize_with = "as_text")]
    temperature: Option<Dyadic>,
    atomic_weight: Option<String>,
    reduced: Option<String>,
    incentives: Option<[Vec<String>; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reductions: Option<[Vec<Reduction>; 2]>,
}

#[derive(Serialize)]
struct Reduction {
    option: String,
    fate: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instead: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Compared {
    left: String,
    operator: String,
    right: String,
    holds: bool,
    relation: &'static str,
}

fn as_text<S: serde::Serializer>(number: &Option<Dyadic>, out: S) -> Result<S::Ok, S::Error> {
    number.map(|number| number.to_string()).serialize(out)
}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    let Arguments {
        expression,
        names,
        reductions,
        thermograph,
    } = arguments;
    calculate(
        expression,
        names,
        *reductions,
        thermograph.as_deref(),
        output,
    )
}

/// Calculates, and says all that there is to say.
pub(crate) fn calculate(
    expression: &str,
    names: &NameOptions,
    reductions: bool,
    thermograph: Option<&Path>,
    output: &Output,
) -> Done {
    if let Some(file) = thermograph {
        check_ending("--thermograph", file, "svg")?;
    }
    let mut games = Games::new();
    let refused = |error: ParseError| {
        let text = excerpt(expression);
        Failure::input(format!("'{text}' is not a game: {error}"), EXAMPLE)
    };
    let longest = if output.is_json() { 100_000 } else { 1000 };
    let name = |games: &Games, value: Value| names.write(games, value, longest);
    let all = |games: &Games, values: &[Value]| -> Result<Vec<String>, Failure> {
        values.iter().map(|&value| name(games, value)).collect()
    };
    let value = match games.evaluate(expression).map_err(refused)? {
        Expression::Value(value) => value,
        Expression::Comparison {
            left,
            operator,
            right,
            order,
        } => {
            let holds = operator.holds(order);
            let compared = Compared {
                left: name(&games, left)?,
                operator: operator.to_string(),
                right: name(&games, right)?,
                holds,
                relation: match order {
                    Some(Ordering::Less) => "<",
                    Some(Ordering::Equal) => "=",
                    Some(Ordering::Greater) => ">",
                    None => "||",
                },
            };
            output.print(&compared, |compared| {
                let Compared {
                    left,
                    right,
                    relation,
                    ..
                } = compared;
                let word = if holds { "true" } else { "false" };
                format!("{word}: {left} {relation} {right}")
            })?;
            return Ok(ExitCode::from(u8::from(!holds)));
        }
    };
    let reductions = match reductions {
        false => None,
        true => {
            let [left, right] = games.parse_options(expression).map_err(refused)?;
            let mut sides = Vec::new();
            for fates in games.reductions(&left, &right) {
                let described = fates.iter().map(|(option, fate)| {
                    let (fate, by, instead) = match fate {
                        Fate::Kept => ("kept", None, None),
                        Fate::Dominated(by) => ("dominated", Some(*by), None),
                        Fate::Reversible { through, instead } => {
                            ("reversible", Some(*through), Some(instead))
                        }
                    };
                    Ok(Reduction {
                        option: name(&games, *option)?,
                        fate,
                        by: by.map(|by| name(&games, by)).transpose()?,
                        instead: instead.map(|instead| all(&games, instead)).transpose()?,
                    })
                });
                sides.push(described.collect::<Result<Vec<_>, Failure>>()?);
            }
            let right = sides.pop().unwrap_or_default();
            Some([sides.pop().unwrap_or_default(), right])
        }
    };
    let weight = games.atomic_weight(value);
    let reduced = games.reduced_canonical_form(value, BUDGET);
    let incentives = games.incentives(value, BUDGET);
    let calculated = Calculated {
        value: name(&games, value)?,
        outcome: games.outcome(value).to_string(),
        left: all(&games, games.left(value))?,
        right: all(&games, games.right(value))?,
        birthday: games.birthday(value),
        followers: games.followers(value).len(),
        all_small: games.is_all_small(value),
        mean: games.mean(value),
        temperature: games.temperature(value),
        atomic_weight: weight.map(|weight| name(&games, weight)).transpose()?,
        reduced: reduced.map(|reduced| name(&games, reduced)).transpose()?,
        incentives: match incentives {
            Some([left, right]) => Some([all(&games, &left)?, all(&games, &right)?]),
            None => None,
        },
        reductions,
    };
    output.print(&calculated, Calculated::text)?;
    if let Some(file) = thermograph {
        write_thermograph(&games, Some(value), file, EXAMPLE)?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Calculated {
    fn text(&self) -> String {
        let list = |values: &[String]| match values {
            [] => "none".to_owned(),
            values => values.join(", "),
        };
        let number =
            |number: Option<Dyadic>| number.map_or("?".to_owned(), |number| number.to_string());
        let weight = match (&self.atomic_weight, self.all_small) {
            (Some(weight), _) => weight.clone(),
            (None, true) => "?".to_owned(),
            (None, false) => "none, it is not all-small".to_owned(),
        };
        let [left, right] = match &self.incentives {
            Some(sides) => [list(&sides[0]), list(&sides[1])],
            None => ["?".to_owned(), "?".to_owned()],
        };
        let outcome = match self.outcome.as_str() {
            "N" => "N, the player who begins wins",
            "P" => "P, the player who begins loses",
            "L" => "L, Left wins, whoever begins",
            _ => "R, Right wins, whoever begins",
        };
        let mut text = format!(
            "value              {}\n\
             outcome            {outcome}\n\
             Left's options     {}\n\
             Right's options    {}\n\
             birthday           {}\n\
             followers          {}\n\
             mean               {}\n\
             temperature        {}\n\
             atomic weight      {weight}\n\
             reduced            {}\n\
             Left's incentives  {left}\n\
             Right's incentives {right}",
            self.value,
            list(&self.left),
            list(&self.right),
            self.birthday,
            self.followers,
            number(self.mean),
            number(self.temperature),
            self.reduced.as_deref().unwrap_or("?"),
        );
        for (side, reductions) in ["Left", "Right"]
            .iter()
            .zip(self.reductions.iter().flatten())
        {
            for reduction in reductions {
                let _ = write!(text, "\n{side}'s {}: {}", reduction.option, reduction.fate);
                if let Some(by) = &reduction.by {
                    let word = if reduction.instead.is_some() {
                        "through"
                    } else {
                        "by"
                    };
                    let _ = write!(text, " {word} {by}");
                }
                if let Some(instead) = &reduction.instead {
                    let _ = write!(text, ", replaced by {}", list(instead));
                }
            }
        }
        text
    }
}
