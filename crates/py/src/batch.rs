//! A batch of leaves on its way to the user's network and back.
//!
//! The moves of a leaf are listed once: for the mask, for the priors, and for the tree.

use std::borrow::Cow;
use std::sync::LazyLock;

use numpy::{PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use upstar_agents::Playable;
use upstar_agents::puct::Leaf;
use upstar_games::AnyGame;
use upstar_machine::{Isa, Kernel, Machine};
use upstar_nets::{Visible, exp};

use crate::actions::Numbering;
use crate::arrays::{Encoding, Seen};
use crate::failure::refused;
use crate::game::rows_and_cols;
use crate::puct::Search;

/// Positions that a network is to judge.
#[pyclass(frozen, module = "upstar")]
pub(crate) struct Batch {
    /// What the network sees: float32 (positions, 3, rows, columns).
    #[pyo3(get)]
    planes: Py<PyArray4<f32>>,
    /// Which actions are legal: bool (positions, actions).
    #[pyo3(get)]
    mask: Py<PyArray2<bool>>,
    len: usize,
}

#[pymethods]
impl Batch {
    fn __len__(&self) -> usize {
        self.len
    }
}

/// The instruction set of the softmax.
static ISA: LazyLock<Isa> = LazyLock::new(Isa::best);

/// The number of a move that did not occur yet.
const UNKNOWN: u16 = u16::MAX;

/// The leaves of a batch, each with its search and its moves.
pub(crate) struct Leaves<'a, G: Playable> {
    rules: &'a G,
    numbering: Numbering<'a>,
    encoding: Encoding,
    rows_and_cols: (usize, usize),
    leaves: Vec<(usize, Leaf<G::Position>)>,
    /// The moves of all leaves, by [`Playable::encode`] and by number, and where those of each end.
    moves: Vec<(u16, u16)>,
    ends: Vec<usize>,
    /// The number of a move by its code, or [`UNKNOWN`].
    known: Vec<u16>,
    /// How likely the moves are, those of each leaf padded, and where they end.
    priors: Vec<f32>,
    padded: Vec<usize>,
}

impl<'a, G: Playable + Visible> Leaves<'a, G> {
    pub(crate) fn new(rules: &'a G, game: &'a AnyGame, encoding: Encoding) -> PyResult<Self> {
        Ok(Self {
            rules,
            numbering: Numbering::of(game),
            encoding,
            rows_and_cols: rows_and_cols(game)?,
            leaves: Vec::new(),
            moves: Vec::new(),
            ends: Vec::new(),
            known: Vec::new(),
            priors: Vec::new(),
            padded: Vec::new(),
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.leaves.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.leaves.is_empty()
    }

    /// Adds a leaf of the search with this index.
    pub(crate) fn push(&mut self, search: usize, leaf: Leaf<G::Position>) {
        for mv in self.rules.moves(&leaf.position) {
            let code = G::encode(mv);
            let known = self.known.get(usize::from(code)).copied();
            let number = known.filter(|&number| number != UNKNOWN);
            let number = number.unwrap_or_else(|| {
                learn(
                    &mut self.known,
                    code,
                    self.numbering.number(self.rules.path(mv)),
                )
            });
            self.moves.push((code, number));
        }
        self.ends.push(self.moves.len());
        self.leaves.push((search, leaf));
    }

    /// Has the leaves judged by the user's network.
    pub(crate) fn judge<'py>(
        &self,
        py: Python<'py>,
        evaluate: &Py<PyAny>,
    ) -> PyResult<Answer<'py>> {
        let (count, actions) = (self.len(), self.numbering.count());
        let batch = self.arrays(py)?;
        let wrong = || {
            refused(format!(
                "evaluate returns logits and values as float32 arrays of shapes ({count}, {actions}) and ({count},)"
            ))
        };
        let judged = evaluate.bind(py).call1((batch,))?;
        let judged = judged.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>();
        let (logits, values) = judged.map_err(|_| wrong())?;
        let answer = Answer {
            logits: logits.extract().map_err(|_| wrong())?,
            values: values.extract().map_err(|_| wrong())?,
        };
        let shapes = (answer.logits.as_array().dim(), answer.values.len()?);
        match shapes == ((count, actions), count) {
            true => Ok(answer),
            false => Err(wrong()),
        }
    }

    fn arrays(&self, py: Python<'_>) -> PyResult<Batch> {
        let (count, actions) = (self.len(), self.numbering.count());
        let (rows, cols) = self.rows_and_cols;
        let planes = PyArray4::zeros(py, [count, 3, rows, cols], false);
        let mask = PyArray2::zeros(py, [count, actions], false);
        self.fill(
            planes.readwrite().as_slice_mut()?,
            mask.readwrite().as_slice_mut()?,
        );
        Ok(Batch {
            planes: planes.unbind(),
            mask: mask.unbind(),
            len: count,
        })
    }

    /// Writes what the network sees; the mask must be empty.
    fn fill(&self, planes: &mut [f32], mask: &mut [bool]) {
        let (rows, cols) = self.rows_and_cols;
        let planes = planes.chunks_exact_mut(3 * rows * cols);
        let masks = mask.chunks_exact_mut(self.numbering.count());
        let mut first = 0;
        for (((_, leaf), &end), (planes, mask)) in
            self.leaves.iter().zip(&self.ends).zip(planes.zip(masks))
        {
            let (stones, to_move) = self.rules.stones(&leaf.position);
            let player = to_move.index();
            Seen { stones, player }.write(self.encoding, self.numbering.is_othello, planes);
            for &(_, number) in &self.moves[first..end] {
                mask[usize::from(number)] = true;
            }
            first = end;
        }
    }

    /// Takes the network's answers into the trees. Then the batch is empty.
    pub(crate) fn answer(
        &mut self,
        judged: Judged<'_>,
        searches: &mut [Search<G>],
    ) -> PyResult<()> {
        let wrong = || refused("evaluate returned numbers that are not finite");
        if !judged.values.iter().all(|value| value.is_finite()) {
            return Err(wrong());
        }
        self.priors.clear();
        self.padded.clear();
        let mut first = 0;
        for (logits, &end) in judged
            .logits
            .chunks_exact(self.numbering.count())
            .zip(&self.ends)
        {
            let moves = self.moves[first..end].iter();
            self.priors
                .extend(moves.map(|&(_, number)| logits[usize::from(number)]));
            let padded = self.priors.len().next_multiple_of(LANES);
            self.priors.resize(padded, f32::NEG_INFINITY);
            self.padded.push(padded);
            first = end;
        }
        let softmax = Softmax {
            numbers: &mut self.priors,
            ends: &self.padded,
        };
        if !ISA.run(softmax) {
            return Err(wrong());
        }
        let (mut first, mut place) = (0, 0);
        let ends = self.ends.iter().zip(&self.padded);
        for (((search, leaf), (&end, &padded)), value) in
            self.leaves.iter().zip(ends).zip(judged.values)
        {
            let moves = &self.moves[first..end];
            let priors = self.priors[place..].iter().copied();
            let moves = moves.iter().map(|&(code, _)| code).zip(priors);
            searches[*search]
                .tree
                .receive_listed(leaf, value.clamp(-1.0, 1.0), moves);
            (first, place) = (end, padded);
        }
        self.leaves.clear();
        self.moves.clear();
        self.ends.clear();
        Ok(())
    }
}

/// Writes the number of a move down by its code.
#[cold]
fn learn(known: &mut Vec<u16>, code: u16, number: usize) -> u16 {
    let (place, number) = (usize::from(code), number as u16);
    known.resize(known.len().max(place + 1), UNKNOWN);
    known[place] = number;
    number
}

/// Logits and values as the network returned them.
pub(crate) struct Answer<'py> {
    logits: PyReadonlyArray2<'py, f32>,
    values: PyReadonlyArray1<'py, f32>,
}

/// The same, row by row.
#[derive(Clone, Copy)]
pub(crate) struct Judged<'a> {
    logits: &'a [f32],
    values: &'a [f32],
}

impl Answer<'_> {
    /// Shows the numbers, copied only if they do not lie in their order.
    pub(crate) fn in_slices<T>(&self, show: impl FnOnce(Judged<'_>) -> T) -> T {
        let copied =
            |numbers: &mut dyn Iterator<Item = &f32>| Cow::Owned(numbers.copied().collect());
        let logits = self.logits.as_slice().map_or_else(
            |_| copied(&mut self.logits.as_array().iter()),
            Cow::Borrowed,
        );
        let values = self.values.as_slice().map_or_else(
            |_| copied(&mut self.values.as_array().iter()),
            Cow::Borrowed,
        );
        show(Judged {
            logits: &logits,
            values: &values,
        })
    }
}

/// The moves of a leaf are padded to a multiple of so many, which are handled together.
const LANES: usize = 16;

/// Logits so far below the greatest count as equal: less would be slow, and adds nothing.
const LEAST: f32 = -60.0;

/// Turns logits into likelihoods, leaf by leaf, in place; `false` if one is not finite.
///
/// Each leaf has its numbers up to a place in `ends`, padded by negative infinities, which add nothing. Rounded the same
/// with every instruction set.
struct Softmax<'a> {
    numbers: &'a mut [f32],
    ends: &'a [usize],
}

impl Kernel for Softmax<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<M: Machine>(self) -> bool {
        let (mut rest, mut first) = (self.numbers, 0);
        let mut is_finite = true;
        for &end in self.ends {
            let (numbers, after) = rest.split_at_mut(end - first);
            (rest, first) = (after, end);
            let greater = |a: f32, b: f32| if b > a { b } else { a };
            let most = in_lanes(numbers, f32::NEG_INFINITY, greater);
            numbers
                .iter_mut()
                .for_each(|number| *number = exp(greater(*number - most, LEAST)));
            let sum = in_lanes(numbers, 0.0, |a, b| a + b);
            let factor = 1.0 / sum;
            numbers.iter_mut().for_each(|number| *number *= factor);
            is_finite &= sum.is_finite();
        }
        is_finite
    }
}

#[inline(always)]
fn in_lanes(numbers: &[f32], start: f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [start; LANES];
    for some in numbers.chunks_exact(LANES) {
        for (lane, &number) in lanes.iter_mut().zip(some) {
            *lane = join(*lane, number);
        }
    }
    let mut half = LANES / 2;
    while half > 0 {
        for place in 0..half {
            lanes[place] = join(lanes[place], lanes[place + half]);
        }
        half /= 2;
    }
    lanes[0]
}
