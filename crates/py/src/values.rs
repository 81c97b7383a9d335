//! Combinatorial values: of Clobber positions, and the algebra by itself.
//!
//! All values of a process live in one arena, so that any two can be added and compared.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use upstar_cgt::{Dyadic, Expression, Games};
use upstar_games::{AnyGame, Start, Variant};
use upstar_solve::SolveError;

use crate::failure::refused;
use crate::state::State;
use crate::work::{budget, resources, work};

static GAMES: LazyLock<Mutex<Games>> = LazyLock::new(|| Mutex::new(Games::new()));

/// The longest name that is written out.
const LONGEST: usize = 1 << 20;
/// The largest whole number that becomes a value, or a factor.
const MOST: i32 = 1000;
/// How many sums of followers incentives and reduced forms may take.
const BUDGET: usize = 50_000;

fn games() -> MutexGuard<'static, Games> {
    GAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The value of a short game.
///
/// >>> import upstar as up
/// >>> up.cgt("^*") + up.cgt("*2") > 0
/// True
/// >>> up.cgt("{3|1}").temperature
/// 1.0
#[pyclass(frozen, module = "upstar")]
pub(crate) struct Value {
    value: upstar_cgt::Value,
    components: Vec<(String, upstar_cgt::Value)>,
}

impl Value {
    fn of(value: upstar_cgt::Value) -> Self {
        Self {
            value,
            components: Vec::new(),
        }
    }

    fn all(values: &[upstar_cgt::Value]) -> Vec<Self> {
        values.iter().copied().map(Self::of).collect()
    }
}

fn too_large() -> PyErr {
    refused(format!("whole numbers beside values are at most {MOST}"))
}

/// A value, or a whole number in its place.
fn operand(other: &Bound<'_, PyAny>) -> PyResult<upstar_cgt::Value> {
    if let Ok(value) = other.cast::<Value>() {
        return Ok(value.get().value);
    }
    match other.extract::<i32>() {
        Ok(number) if (-MOST..=MOST).contains(&number) => Ok(games().integer(number)),
        Ok(_) => Err(too_large()),
        Err(_) => Err(PyTypeError::new_err(
            "values go with values and whole numbers",
        )),
    }
}

#[pymethods]
impl Value {
    /// The positions of the components with their values, if this is the value of a position.
    #[getter]
    fn components(&self) -> Vec<(String, Self)> {
        let parts = self.components.iter();
        parts
            .map(|(position, value)| (position.clone(), Self::of(*value)))
            .collect()
    }

    /// The name in plain letters: `^*`.
    #[getter]
    fn ascii(&self) -> String {
        games().name(self.value).ascii().cut(LONGEST).to_string()
    }

    /// The name for LaTeX's mathematics.
    #[getter]
    fn latex(&self) -> PyResult<String> {
        let name = games().name(self.value).latex().whole(LONGEST);
        name.ok_or_else(|| refused("the name is too long"))
    }

    /// The name for CGSuite.
    #[getter]
    fn cgsuite(&self) -> PyResult<String> {
        let name = games().name(self.value).cgsuite().whole(LONGEST);
        name.ok_or_else(|| refused("the name is too long"))
    }

    /// 'N', 'P', 'L' or 'R': who wins.
    #[getter]
    fn outcome(&self) -> String {
        games().outcome(self.value).to_string()
    }

    /// Left's canonical options.
    #[getter]
    fn left(&self) -> Vec<Self> {
        Self::all(games().left(self.value))
    }

    /// Right's canonical options.
    #[getter]
    fn right(&self) -> Vec<Self> {
        Self::all(games().right(self.value))
    }

    /// The mean; None if its numbers are out of range.
    #[getter]
    fn mean(&self) -> Option<f64> {
        games().mean(self.value).map(Dyadic::to_f64)
    }

    /// The temperature; None if its numbers are out of range.
    #[getter]
    fn temperature(&self) -> Option<f64> {
        games().temperature(self.value).map(Dyadic::to_f64)
    }

    /// The atomic weight; None if the value is not all-small.
    #[getter]
    fn atomic_weight(&self) -> Option<Self> {
        games().atomic_weight(self.value).map(Self::of)
    }

    /// The reduced canonical form; None if that takes too long.
    #[getter]
    fn reduced(&self) -> Option<Self> {
        let mut games = games();
        let reduced = games.reduced_canonical_form(self.value, BUDGET);
        reduced.map(Self::of)
    }

    /// Left's incentives and Right's; None if that takes too long.
    #[getter]
    fn incentives(&self) -> Option<(Vec<Self>, Vec<Self>)> {
        let [left, right] = games().incentives(self.value, BUDGET)?;
        Some((Self::all(&left), Self::all(&right)))
    }

    /// The birthday of the canonical form.
    #[getter]
    fn birthday(&self) -> u32 {
        games().birthday(self.value)
    }

    /// How many different positions the canonical form has.
    #[getter]
    fn followers(&self) -> usize {
        games().followers(self.value).len()
    }

    /// Whether it is a number.
    #[getter]
    fn is_number(&self) -> bool {
        games().is_number(self.value)
    }

    /// Whether it is all-small.
    #[getter]
    fn is_all_small(&self) -> bool {
        games().is_all_small(self.value)
    }

    /// The thermograph; None if its numbers are out of range.
    #[getter]
    fn thermograph(&self) -> Option<Thermograph> {
        games().thermograph(self.value).map(Thermograph)
    }

    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let other = operand(other)?;
        Ok(Self::of(games().sum(self.value, other)))
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__add__(other)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let other = operand(other)?;
        Ok(Self::of(games().difference(self.value, other)))
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let other = operand(other)?;
        Ok(Self::of(games().difference(other, self.value)))
    }

    fn __neg__(&self) -> Self {
        Self::of(games().negative(self.value))
    }

    fn __mul__(&self, times: i32) -> PyResult<Self> {
        match (-MOST..=MOST).contains(&times) {
            true => Ok(Self::of(games().multiple(times, self.value))),
            false => Err(too_large()),
        }
    }

    fn __rmul__(&self, times: i32) -> PyResult<Self> {
        self.__mul__(times)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, compared: CompareOp) -> PyResult<bool> {
        // Numbers are compared as numbers, however large.
        if let (Ok(other), Some(own)) = (other.extract::<i64>(), games().to_number(self.value))
            && let Some(other) = Dyadic::new(other, 0)
        {
            return Ok(compared.matches(own.cmp(&other)));
        }
        let other = match (operand(other), compared) {
            (Ok(other), _) => other,
            (Err(_), CompareOp::Eq) => return Ok(false),
            (Err(_), CompareOp::Ne) => return Ok(true),
            (Err(error), _) => return Err(error),
        };
        let order = games().compare(self.value, other);
        Ok(match compared {
            CompareOp::Lt => order == Some(Ordering::Less),
            CompareOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            CompareOp::Eq => self.value == other,
            CompareOp::Ne => self.value != other,
            CompareOp::Gt => order == Some(Ordering::Greater),
            CompareOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        })
    }

    /// Whether neither is the greater one, and they are not equal.
    fn confused_with(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let other = operand(other)?;
        Ok(games().compare(self.value, other).is_none())
    }

    /// Equal things have equal hashes: whole numbers that of Python's.
    fn __hash__(&self) -> i64 {
        match games().to_integer(self.value) {
            Some(-1) => -2,
            Some(number) => number,
            None => self.value.index() as i64 + (1 << 40),
        }
    }

    fn __str__(&self) -> String {
        games().name(self.value).cut(LONGEST).to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Value {}>", games().name(self.value).cut(200))
    }

    fn _repr_latex_(&self) -> PyResult<String> {
        Ok(format!("${}$", self.latex()?))
    }

    /// Pickles are names.
    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String,))> {
        let read = py.import("upstar")?.getattr("cgt")?;
        Ok((read.unbind(), (self.ascii(),)))
    }
}

/// A thermograph, drawn in notebooks.
#[pyclass(frozen, module = "upstar")]
pub(crate) struct Thermograph(upstar_cgt::Thermograph);

#[pymethods]
impl Thermograph {
    /// Corners of Left's wall as (temperature, value).
    #[getter]
    fn left(&self) -> Vec<(f64, f64)> {
        corners(self.0.left())
    }

    /// Corners of Right's wall as (temperature, value).
    #[getter]
    fn right(&self) -> Vec<(f64, f64)> {
        corners(self.0.right())
    }

    /// The mean value, where the mast stands.
    #[getter]
    fn mean(&self) -> f64 {
        self.0.mean().to_f64()
    }

    /// Where the walls meet.
    #[getter]
    fn temperature(&self) -> f64 {
        self.0.temperature().to_f64()
    }

    /// A picture.
    fn svg(&self) -> String {
        self.0.svg()
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __repr__(&self) -> String {
        format!(
            "<Thermograph: mean {}, temperature {}>",
            self.0.mean(),
            self.0.temperature()
        )
    }
}

fn corners(wall: &upstar_cgt::Wall) -> Vec<(f64, f64)> {
    let corner = |(temperature, value): (Dyadic, Dyadic)| (temperature.to_f64(), value.to_f64());
    wall.corners().map(corner).collect()
}

/// Reads a value: `^*`, `{0|*}`, `2.^ + +-1`.
#[pyfunction]
pub(crate) fn cgt(expression: &str) -> PyResult<Value> {
    match games().evaluate(expression).map_err(refused)? {
        Expression::Value(value) => Ok(Value::of(value)),
        Expression::Comparison { .. } => Err(refused(
            "that is a comparison; compare values with Python's operators",
        )),
    }
}

/// The value of a Clobber position: a text, or a state.
///
/// >>> import upstar as up
/// >>> str(up.value("xxo.xo"))
/// '↑*'
#[pyfunction]
#[pyo3(signature = (position, *, game="clobber", time_limit=None, progress=None))]
pub(crate) fn value(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    game: &str,
    time_limit: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Value> {
    let any = match position.cast::<State>() {
        Ok(state) => state.get().now.clone(),
        Err(_) => {
            let variant: Variant = game.parse().map_err(refused)?;
            let start: Start = position.extract::<&str>()?.parse().map_err(refused)?;
            AnyGame::open(variant, &start, None).map_err(refused)?
        }
    };
    let budget = budget(time_limit, None)?;
    let found = work(py, &budget, progress.as_ref(), |watch| {
        let found = resources().solver.value(&any, &budget, watch);
        found.map_err(|error: SolveError| refused(error))
    })?;
    let open = || refused("the time is over before the value is known");
    let mut copied = HashMap::new();
    let mut arena = games();
    let mut components = Vec::new();
    for component in &found.components {
        let value = copy(
            &found.games,
            component.value.ok_or_else(open)?,
            &mut arena,
            &mut copied,
        );
        components.push((component.setup.to_string(), value));
    }
    let value = copy(
        &found.games,
        found.value.ok_or_else(open)?,
        &mut arena,
        &mut copied,
    );
    Ok(Value { value, components })
}

/// The same value in another arena.
fn copy(
    from: &Games,
    value: upstar_cgt::Value,
    to: &mut Games,
    copied: &mut HashMap<upstar_cgt::Value, upstar_cgt::Value>,
) -> upstar_cgt::Value {
    let mut followers = from.followers(value);
    followers.push(value);
    // Options are born before what they are options of.
    followers.sort_by_key(|&follower| from.birthday(follower));
    for follower in followers {
        if !copied.contains_key(&follower) {
            let options = |values: &[upstar_cgt::Value]| -> Vec<_> {
                values.iter().map(|value| copied[value]).collect()
            };
            let (left, right) = (options(from.left(follower)), options(from.right(follower)));
            copied.insert(follower, to.canonical(&left, &right));
        }
    }
    copied[&value]
}
