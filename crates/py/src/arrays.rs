//! Positions and random games in bulk, as NumPy arrays.

use std::str::FromStr;

use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use upstar_games::{AnyGame, Game as _, Random, Rules, Side, Tally, with_game, with_rules};
use upstar_jobs::quantity::MOST_THREADS;
use upstar_jobs::{Budget, Pool, ThreadError};

use crate::actions::Numbering;
use crate::failure::refused;
use crate::game::rows_and_cols;
use crate::state::State;
use crate::work::work;

/// How a position becomes three planes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// As OpenSpiel shows it, for the player to move: own stones, the opponent's, empty cells; in Othello
    /// the empty cells first.
    OpenSpiel,
    /// Black's stones, White's, empty cells.
    Jans2021First,
    /// Stones of the side to move, the opponent's, ones if Black is to move.
    Jans2021Second,
    /// Black's stones, White's, ones if Black is to move.
    ByColor,
    /// Stones of the side to move, the opponent's, ones: what networks for every size see.
    Free,
}

impl FromStr for Encoding {
    type Err = PyErr;

    fn from_str(name: &str) -> PyResult<Self> {
        match name {
            "openspiel" => Ok(Self::OpenSpiel),
            "jans2021-first" => Ok(Self::Jans2021First),
            "jans2021-second" => Ok(Self::Jans2021Second),
            "by-color" => Ok(Self::ByColor),
            "free" => Ok(Self::Free),
            _ => Err(refused(format!(
                "'{name}' are no planes; there are openspiel, jans2021-first, jans2021-second, by-color and free"
            ))),
        }
    }
}

/// What the planes show of.
pub(crate) struct Seen {
    /// The stones of Black and of White.
    pub(crate) stones: [u128; 2],
    /// Who looks.
    pub(crate) player: usize,
}

impl Seen {
    /// What the side to move sees.
    pub(crate) fn of<R: Rules>(rules: &R, position: &R::Position) -> Self {
        let setup = rules.setup(position);
        Self {
            stones: [0, 1].map(|side| setup.stones(Side::ALL[side])),
            player: rules.side_to_move(position).index(),
        }
    }

    /// Writes the three planes.
    pub(crate) fn write(&self, encoding: Encoding, is_othello: bool, planes: &mut [f32]) {
        let cells = planes.len() / 3;
        let [black, white] = self.stones;
        let full = u128::MAX >> (128 - cells);
        let empty = full & !(black | white);
        let is_black = self.player == 0;
        let [own, other] = if is_black {
            [black, white]
        } else {
            [white, black]
        };
        let shown = match encoding {
            Encoding::OpenSpiel if is_othello => [empty, own, other],
            Encoding::OpenSpiel => [own, other, empty],
            Encoding::Jans2021First => [black, white, empty],
            Encoding::Jans2021Second => [own, other, if is_black { full } else { 0 }],
            Encoding::ByColor => [black, white, if is_black { full } else { 0 }],
            Encoding::Free => [own, other, full],
        };
        for (plane, bits) in planes.chunks_exact_mut(cells).zip(shown) {
            let mut eights = plane.chunks_exact_mut(8);
            let mut bytes = bits.to_le_bytes().into_iter().map(usize::from);
            for (eight, byte) in eights.by_ref().zip(bytes.by_ref()) {
                eight.copy_from_slice(&EIGHTS[byte]);
            }
            let rest = eights.into_remainder();
            rest.copy_from_slice(&EIGHTS[bytes.next().unwrap_or(0)][..rest.len()]);
        }
    }
}

/// The bits of each byte as numbers, the lowest first.
static EIGHTS: [[f32; 8]; 256] = {
    let mut table = [[0.0; 8]; 256];
    let mut place = 0;
    while place < 8 * 256 {
        table[place / 8][place % 8] = ((place / 8) >> (place % 8) & 1) as f32;
        place += 1;
    }
    table
};

/// The planes of one position, flat.
pub(crate) fn observation(game: &AnyGame, encoding: Encoding, player: usize) -> PyResult<Vec<f32>> {
    if !game.variant().is_for_two() {
        return Err(refused("planes show games of two sides that move in turn"));
    }
    if player > 1 {
        return Err(refused(format!("there is no player {player}")));
    }
    let (rows, cols) = rows_and_cols(game)?;
    let mut planes = vec![0.0; 3 * rows * cols];
    let seen = with_rules!(game, |rules, position| Seen::of(rules, position));
    let is_othello = Numbering::of(game).is_othello;
    Seen { player, ..seen }.write(encoding, is_othello, &mut planes);
    Ok(planes)
}

/// Planes and masks of positions, row after row: what a network is shown.
pub(crate) struct Encoded {
    pub(crate) planes: Vec<f32>,
    pub(crate) mask: Vec<bool>,
}

/// The planes of positions of one board, seen by the side to move, and which actions are legal.
pub(crate) fn encoded<'a>(
    positions: impl ExactSizeIterator<Item = &'a AnyGame>,
    encoding: Encoding,
) -> PyResult<Encoded> {
    let mut positions = positions.peekable();
    let Some(first) = positions.peek().copied() else {
        return Err(refused("there are no positions"));
    };
    if !first.variant().is_for_two() {
        return Err(refused("planes show games of two sides that move in turn"));
    }
    let (rows, cols) = rows_and_cols(first)?;
    let numbering = Numbering::of(first);
    let (size, actions) = (3 * rows * cols, numbering.count());
    let mut planes = vec![0.0; size * positions.len()];
    let mut mask = vec![false; actions * positions.len()];
    let places = planes
        .chunks_exact_mut(size)
        .zip(mask.chunks_exact_mut(actions));
    for (game, (planes, mask)) in positions.zip(places) {
        if game.board() != first.board() || game.variant() != first.variant() {
            return Err(refused("the positions are of different games or boards"));
        }
        with_rules!(game, |rules, position| {
            Seen::of(rules, position).write(encoding, numbering.is_othello, planes);
            for mv in rules.moves(position) {
                mask[numbering.number(rules.path(mv))] = true;
            }
        });
    }
    Ok(Encoded { planes, mask })
}

/// Arrays of planes (positions, planes, rows, columns) and of masks (positions, actions).
pub(crate) type Arrays<'py> = (Bound<'py, PyArray4<f32>>, Bound<'py, PyArray2<bool>>);

impl Encoded {
    /// The same as NumPy arrays, without copying.
    pub(crate) fn arrays<'py>(self, py: Python<'py>, game: &AnyGame) -> PyResult<Arrays<'py>> {
        let ((rows, cols), actions) = (rows_and_cols(game)?, Numbering::of(game).count());
        let count = self.mask.len() / actions;
        let planes = PyArray1::from_vec(py, self.planes).reshape([count, 3, rows, cols])?;
        let mask = PyArray1::from_vec(py, self.mask).reshape([count, actions])?;
        Ok((planes, mask))
    }
}

/// Positions of one board as arrays: planes of float32 (positions, 3, rows, columns), seen by the side to move,
/// and a mask of legal actions (positions, actions).
///
/// The planes are `openspiel`, `jans2021-first`, `jans2021-second`, `by-color` or `free`.
///
/// >>> import upstar as up
/// >>> planes, mask = up.encode([up.Game("clobber", "5x6").start()])
/// >>> planes.shape, mask.shape, int(mask.sum())
/// ((1, 3, 5, 6), (1, 120), 49)
#[pyfunction]
#[pyo3(signature = (positions, planes="openspiel"))]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    positions: Vec<PyRef<'_, State>>,
    planes: &str,
) -> PyResult<Arrays<'py>> {
    let encoded = encoded(positions.iter().map(|state| &state.now), planes.parse()?)?;
    encoded.arrays(py, &positions[0].now)
}

/// So many random games are a job.
const BUNDLE: u64 = 1 << 14;

/// Plays bundles of random games on threads, in their order.
fn in_bundles<T: Send>(
    py: Python<'_>,
    games: u64,
    threads: usize,
    play: impl Fn(std::ops::Range<u64>) -> T + Sync,
) -> PyResult<Vec<T>> {
    let budget = Budget::unlimited();
    work(py, &budget, None, |_| {
        let pool = Pool {
            threads: threads.clamp(1, MOST_THREADS),
            jobs: games.div_ceil(BUNDLE),
            budget: &budget,
        };
        let one = |(): &mut (), bundle: u64, _: &Budget| {
            let first = bundle * BUNDLE;
            Ok::<_, ThreadError>(Some(play(first..games.min(first + BUNDLE))))
        };
        pool.collect(|| (), one).map_err(refused)
    })
}

/// Plays random games from a position to the end; an array of int8 with the result of each for player 0 (x): 1
/// won, 0 drawn, -1 lost. A seed gives the same games for any number of threads.
#[pyfunction]
#[pyo3(signature = (state, games, *, seed=1, threads=1))]
pub(crate) fn playouts<'py>(
    py: Python<'py>,
    state: PyRef<'_, State>,
    games: u64,
    seed: u64,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let game = two_sides(&state)?;
    drop(state);
    let sign = [1, -1][game.side_to_move().index()];
    let results = in_bundles(py, games, threads, |games| {
        let random = &mut Random::for_game(seed, games.start / BUNDLE);
        with_game!(
            &game,
            |rules, start| games
                .map(|_| (sign * rules.playout(start, random).score.signum()) as i8)
                .collect::<Vec<i8>>(),
            unreachable!("it has two sides")
        )
    })?;
    Ok(PyArray1::from_vec(py, results.concat()))
}

/// Plays random games from a position and counts: `games`, `wins`, `draws` and `losses` of player 0 (x), `plies`.
/// Four times as fast as `playouts`.
#[pyfunction]
#[pyo3(signature = (state, games, *, seed=1, threads=1))]
pub(crate) fn tally<'py>(
    py: Python<'py>,
    state: PyRef<'_, State>,
    games: u64,
    seed: u64,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let game = two_sides(&state)?;
    drop(state);
    let tallies = in_bundles(py, games, threads, |games| {
        let random = &mut Random::for_game(seed, games.start / BUNDLE);
        with_game!(
            &game,
            |rules, start| rules.playouts(start, games.end - games.start, random),
            unreachable!("it has two sides")
        )
    })?;
    let mut all = Tally::default();
    for tally in &tallies {
        all.merge(tally);
    }
    let [wins, losses] = match game.side_to_move().index() {
        0 => [all.wins, all.losses],
        _ => [all.losses, all.wins],
    };
    let counted = PyDict::new(py);
    counted.set_item("games", all.games())?;
    counted.set_item("wins", wins)?;
    counted.set_item("draws", all.draws)?;
    counted.set_item("losses", losses)?;
    counted.set_item("plies", all.plies)?;
    Ok(counted)
}

fn two_sides(state: &State) -> PyResult<AnyGame> {
    match state.now.variant().is_for_two() {
        true => Ok(state.now.clone()),
        false => Err(refused(
            "the game does not have two sides that move in turn",
        )),
    }
}
