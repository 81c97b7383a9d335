//! What a Clobber position is worth, as events tell it.

use serde::Serialize;
use upstar_cgt::{Dyadic, Games, Value, Wall};
use upstar_games::{AnyGame, Cells, Variant};
use upstar_solve::clobber::{PositionValue, parts};

/// What a Clobber position is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Valued {
    /// The sum of all components.
    #[serde(flatten)]
    pub sum: Worthy,
    /// `N`, `P`, `L` or `R`.
    pub outcome: Option<String>,
    /// The components in which a move can be made.
    pub components: Vec<ValuedComponent>,
    /// Whether all values were found.
    pub proved: bool,
    /// How long that took.
    pub seconds: f64,
}

/// A component and its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValuedComponent {
    /// The component alone.
    pub position: String,
    /// Its value.
    #[serde(flatten)]
    pub worth: Worthy,
    /// The numbers of its cells on the whole board, where details are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<Vec<usize>>,
}

/// A value by name; all are null if it was not found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Worthy {
    /// The name of the value.
    pub value: Option<String>,
    /// Null too if the value is not all-small.
    pub atomic_weight: Option<String>,
    /// The temperature.
    pub temperature: Option<f64>,
    /// More about it, where that is asked for.
    #[serde(flatten)]
    pub detail: Option<Detail>,
}

/// What a page shows of a value beside its name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Detail {
    /// The canonical form: its options by name.
    pub canonical: String,
    /// The name for LaTeX; null if it is too long.
    pub latex: Option<String>,
    /// The name for CGSuite; null if it is too long.
    pub cgsuite: Option<String>,
    /// Null if its numbers are out of range.
    pub thermograph: Option<ThermographLine>,
}

/// A thermograph by its corners.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ThermographLine {
    /// Corners of Left's wall as value and temperature, from temperature −1 upwards.
    pub left: Vec<[f64; 2]>,
    /// The same of Right's.
    pub right: Vec<[f64; 2]>,
    /// The mean value, where the mast stands.
    pub mast: f64,
    /// Where the walls meet.
    pub temperature: f64,
}

impl Valued {
    /// Nothing was found out.
    pub(crate) fn open(seconds: f64) -> Self {
        Self {
            sum: Worthy::default(),
            outcome: None,
            components: Vec::new(),
            proved: false,
            seconds,
        }
    }

    /// The value of this game's position, with names of at most so many characters.
    pub(crate) fn of(
        game: &AnyGame,
        mut worth: PositionValue,
        name_length: usize,
        detail: bool,
        seconds: f64,
    ) -> Self {
        let cells = detail.then(|| parts(&game.setup(), game.variant() == Variant::Cannibal));
        let games = &mut worth.games;
        let mut described = |value: Option<Value>| {
            value.map_or_else(Worthy::default, |value| {
                let mut worthy = Worthy::of(games, value, name_length);
                worthy.detail = detail.then(|| Detail::of(games, value, name_length));
                worthy
            })
        };
        let components = worth.components.iter().enumerate();
        let components = components.map(|(index, component)| ValuedComponent {
            position: component.setup.to_string(),
            worth: described(component.value),
            cells: cells
                .as_ref()
                .map(|cells| cells[index].iter().map(upstar_games::Cell::index).collect()),
        });
        Self {
            components: components.collect(),
            sum: described(worth.value),
            outcome: worth.outcome.map(|outcome| outcome.to_string()),
            proved: worth.is_exact(),
            seconds,
        }
    }
}

impl Worthy {
    fn of(games: &mut Games, value: Value, name_length: usize) -> Self {
        let name = |games: &Games, value| games.name(value).cut(name_length).to_string();
        let weight = games.atomic_weight(value);
        Self {
            value: Some(name(games, value)),
            atomic_weight: weight.map(|weight| name(games, weight)),
            temperature: games.temperature(value).map(Dyadic::to_f64),
            detail: None,
        }
    }
}

impl Detail {
    fn of(games: &Games, value: Value, name_length: usize) -> Self {
        let names = |values: &[Value]| {
            let names = values
                .iter()
                .map(|&value| games.name(value).cut(name_length).to_string());
            names.collect::<Vec<_>>().join(", ")
        };
        let (left, right) = (names(games.left(value)), names(games.right(value)));
        let mut canonical = format!("{{{left} | {right}}}");
        if let Some((end, _)) = canonical.char_indices().nth(name_length) {
            canonical.truncate(end);
            canonical.push('…');
        }
        Self {
            canonical,
            latex: games.name(value).latex().whole(name_length),
            cgsuite: games.name(value).cgsuite().whole(name_length),
            thermograph: games.thermograph(value).map(|found| ThermographLine {
                left: corners(found.left()),
                right: corners(found.right()),
                mast: found.mean().to_f64(),
                temperature: found.temperature().to_f64(),
            }),
        }
    }
}

fn corners(wall: &Wall) -> Vec<[f64; 2]> {
    let corner = |(temperature, value): (Dyadic, Dyadic)| [value.to_f64(), temperature.to_f64()];
    wall.corners().map(corner).collect()
}
