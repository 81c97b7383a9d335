//! The value table: what every small component is worth, made once and kept in a file.
//!
//! The file is a header of 64-bit numbers, little-endian, and three sections with a checksum each: the
//! shapes, the values by their options, and for each shape the values of its colourings. It is mapped
//! into memory, and refused if a single bit has changed.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use upstar_cgt::Games;
use upstar_games::{Board, Color, Grid, Setup};
use upstar_runs::replace;

use super::bounds::{Bounds, Ruler};
use super::census::{Census, CensusError, census};
use super::digests;
use super::sample;
use super::shapes::{Place, Shapes};
use super::values::{Value, Values};
use crate::checksum::checksum;
use crate::memory::Mapped;
use upstar_jobs::{Budget, NoMemory, ThreadError, Unwatched, Watch};

const MAGIC: u64 = u64::from_le_bytes(*b"UPSTARVT");
/// Changes whenever the meaning of the file or the order of shapes and values does.
pub(crate) const VERSION: u64 = 2;
/// Magic, version, rows, stones, cannibal, and per section its length and checksum; at the end the checksum
/// of the header itself.
const HEADER: usize = 12;

/// Which components a table is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableKind {
    /// At most this many rows; as many as there are stones is not a limit.
    pub rows: usize,
    /// At most this many stones.
    pub stones: usize,
    /// Whether stones may take their own kind.
    pub cannibal: bool,
}

impl TableKind {
    /// The largest table that can be asked for: its entries still have 32-bit places.
    const MOST_STONES: usize = 11;

    /// The kind that serves boards with this many rows and stones best, in this much memory.
    #[must_use]
    pub fn serving(rows: usize, stones: usize, cannibal: bool, memory: usize) -> Self {
        let (rows, most) = match (rows, cannibal) {
            (1, false) => (1, 16),
            (2, false) => (2, 12),
            (_, false) => (usize::MAX, 10),
            (1, true) => (1, 10),
            (_, true) => (usize::MAX, 7),
        };
        // Small boards do not pay for large tables.
        let enough = match stones {
            _ if rows == 1 => most,
            0..=20 => 8,
            21..=24 => 9,
            _ => most,
        };
        // A stone more makes a table seven times as large, 180 MB for ten, and making it takes more.
        let affordable = match memory >> 20 {
            0..16 => 7,
            16..112 => 8,
            112..640 => 9,
            _ => most,
        };
        let affordable = if rows == 1 { most } else { affordable };
        let stones = most.min(enough).min(affordable);
        Self {
            rows: rows.min(stones),
            stones,
            cannibal,
        }
    }

    /// Whether such a table can be made.
    #[must_use]
    pub fn is_possible(self) -> bool {
        let most = match (self.rows, self.cannibal) {
            (1, false) => 20,
            (2, false) => Self::MOST_STONES + 1,
            (_, false) => Self::MOST_STONES,
            (1, true) => 12,
            (_, true) => 9,
        };
        (1..=most).contains(&self.stones) && self.rows >= 1
    }

    /// The name of its file.
    #[must_use]
    pub fn file_name(self) -> String {
        let game = if self.cannibal { "cannibal" } else { "clobber" };
        let rows = if self.rows >= self.stones {
            String::new()
        } else {
            format!("-rows{}", self.rows)
        };
        format!("{game}{rows}-{}.v{VERSION}.values", self.stones)
    }
}

impl TableKind {
    /// Whether a file is named as tables of this version are.
    pub(crate) fn is_file_name(path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.ends_with(&format!(".v{VERSION}.values")))
    }
}

impl fmt::Display for TableKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = if self.cannibal {
            "cannibal Clobber"
        } else {
            "Clobber"
        };
        write!(f, "{game} components of at most {} stones", self.stones)?;
        match self.rows {
            rows if rows >= self.stones => Ok(()),
            1 => write!(f, " in one row"),
            rows => write!(f, " in {rows} rows"),
        }
    }
}

/// Why a table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, io::Error),
    /// It is not a value table.
    #[error("{} is not a value table", .0.display())]
    Foreign(PathBuf),
    /// It was made by another version.
    #[error("{} was made by another version of this program", .0.display())]
    Version(PathBuf),
    /// It was made for other components.
    #[error("{} is a table of other components than its name says", .0.display())]
    OtherKind(PathBuf),
    /// It is damaged.
    #[error("{} is damaged", .0.display())]
    Damaged(PathBuf),
    /// It is whole, but has values that are not those of its components.
    #[error("{} has wrong values: it was changed after it was made", .0.display())]
    Changed(PathBuf),
    /// The budget was spent before it was made.
    #[error("building the value table was interrupted")]
    Stopped,
    /// No thread could be started to make it.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// There is no memory for it.
    #[error(transparent)]
    Memory(#[from] NoMemory),
}

impl From<CensusError> for TableError {
    fn from(error: CensusError) -> Self {
        match error {
            CensusError::Stopped => Self::Stopped,
            CensusError::Thread(error) => Self::Thread(error),
        }
    }
}

/// What every small component is worth.
pub struct ValueTable {
    kind: TableKind,
    /// The graph that it is about, if it is not about grids.
    graph: Option<Board>,
    /// The checksums of its sections, if it was read from a file.
    digests: Option<[u64; 3]>,
    shapes: Vec<Vec<Place>>,
    pub(crate) values: Values,
    entries: Entries,
}

enum Entries {
    Made(Vec<u8>),
    Mapped(Mapped, usize),
}

impl ValueTable {
    /// Makes a table; the watch is told how much of it is done.
    ///
    /// # Errors
    /// If the budget is spent first, or a thread cannot be started.
    pub fn make(
        kind: TableKind,
        threads: usize,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Self, TableError> {
        let shapes = Shapes::of_grid(kind.rows, kind.stones);
        Self::of_shapes(&shapes, kind, threads, budget, watch)
    }

    /// The table of a graph's connected sets, as far as there are not too many.
    ///
    /// # Errors
    /// If the budget is spent first, or a thread cannot be started.
    pub fn of_graph(board: &Board, cannibal: bool, budget: &Budget) -> Result<Self, TableError> {
        const COLOURINGS: usize = 1 << 17;
        let shapes = Shapes::of_graph(board, COLOURINGS);
        let stones = shapes.largest();
        let kind = TableKind {
            rows: stones,
            stones,
            cannibal,
        };
        let made = Self::of_shapes(&shapes, kind, 1, budget, &Unwatched)?;
        Ok(Self {
            graph: Some(board.clone()),
            ..made
        })
    }

    fn of_shapes(
        shapes: &Shapes,
        kind: TableKind,
        threads: usize,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Self, TableError> {
        let all = shapes.bases()[shapes.shapes.len()] as f64;
        let mut progress = |done| watch.progress(done as f64 / all);
        let Census { mut games, entries } =
            census(shapes, kind.cannibal, threads, budget, &mut progress)?;
        let number = |value: &upstar_cgt::Value| Value(value.index() as u32);
        let mut values = Values::default();
        let ruler = Ruler::new(&mut games);
        for value in games.values() {
            let bounds = ruler.bounds(&mut games, value);
            let left: Vec<Value> = games.left(value).iter().map(number).collect();
            let right: Vec<Value> = games.right(value).iter().map(number).collect();
            values.push(number(&games.negative(value)), bounds, &left, &right);
        }
        let entries = entries
            .iter()
            .flat_map(|value| number(value).0.to_le_bytes());
        Ok(Self {
            graph: None,
            digests: None,
            kind,
            shapes: shapes
                .shapes
                .iter()
                .map(|shape| shape.cells.clone())
                .collect(),
            values,
            entries: Entries::Made(entries.collect()),
        })
    }

    /// Whether this table has the value of every component of at most `kind().stones` stones that can
    /// come about on this board.
    #[must_use]
    pub fn serves(&self, board: &Board, cannibal: bool) -> bool {
        let covers = match (board, &self.graph) {
            (Board::Grid(grid), None) => {
                let rows = grid.rows().min(grid.cols());
                self.kind.rows >= rows.min(self.kind.stones)
            }
            (Board::Graph(_), Some(graph)) => graph == board,
            _ => false,
        };
        covers && self.kind.cannibal == cannibal
    }

    /// Whether its values are those of its components. Tables that solvers choose are compared with
    /// known checksums; of others some entries are found again from the rules.
    pub(crate) fn is_genuine(&self) -> bool {
        match digests::known(self.kind) {
            Some(known) => self.digests == Some(known),
            None => sample::is_right(self),
        }
    }

    /// Which components it is about.
    #[must_use]
    pub fn kind(&self) -> TableKind {
        self.kind
    }

    /// How many bytes of memory it takes, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        const PER_VALUE: usize = 100;
        self.entries().len() + self.values.len() * PER_VALUE
    }

    /// How many different values it has, options of values included.
    #[must_use]
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// How many coloured components it has, counted as they stand on a board.
    #[must_use]
    pub fn component_count(&self) -> usize {
        self.entries().len() / 4
    }

    /// The shapes with the places of their first colourings.
    pub(crate) fn shapes(&self) -> impl Iterator<Item = (&[Place], usize)> {
        let place = |place: &mut usize, cells: &[Place]| {
            let here = *place;
            *place += 1 << cells.len();
            here
        };
        self.shapes
            .iter()
            .scan(0, move |next, cells| Some((&cells[..], place(next, cells))))
    }

    #[inline(always)]
    fn entries(&self) -> &[u8] {
        match &self.entries {
            Entries::Made(bytes) => bytes,
            Entries::Mapped(map, begin) => &map.bytes()[*begin..],
        }
    }

    /// The value at a place.
    #[inline(always)]
    pub(crate) fn value(&self, place: usize) -> Value {
        let bytes = &self.entries()[4 * place..][..4];
        Value(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }

    /// The values as games, to name and to compare them. Their numbers are the same.
    #[must_use]
    pub fn games(&self) -> Games {
        let mut games = Games::new();
        let mut made = Vec::with_capacity(self.values.len());
        for value in (0..self.values.len()).map(|i| Value(i as u32)) {
            let game = |option: &Value| made[option.0 as usize];
            let side = |mover| {
                self.values
                    .options(mover, value)
                    .iter()
                    .map(game)
                    .collect::<Vec<_>>()
            };
            let (left, right) = (side(0), side(1));
            made.push(games.intern(&left, &right));
        }
        games
    }

    /// All components as they stand on a board, one-coloured ones too, each with the place of its value
    /// among [`ValueTable::games`]; nothing if the table is about a graph.
    pub fn components(&self) -> impl Iterator<Item = (Setup, usize)> + '_ {
        let shapes = self.shapes().filter(|_| self.graph.is_none());
        shapes.flat_map(move |(cells, base)| {
            (0..1usize << cells.len()).map(move |colouring| {
                let size = |of: fn(&Place) -> u8| cells.iter().map(of).max().unwrap_or(0);
                let (rows, cols) = (size(|cell| cell.0) + 1, size(|cell| cell.1) + 1);
                let grid = Grid::new(rows.into(), cols.into());
                let grid = grid.expect("a shape fits on a board");
                let mut setup = Setup::new(Board::Grid(grid));
                for (index, &(row, col)) in cells.iter().enumerate() {
                    let color = Color::ALL[usize::from(colouring >> index & 1 == 0)];
                    setup.put(grid.cell(row.into(), col.into()), color);
                }
                (setup, self.value(base + colouring).0 as usize)
            })
        })
    }

    /// Whether both tables say the same of the same components.
    #[must_use]
    pub fn same_as(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.shapes == other.shapes
            && self.entries() == other.entries()
            && self.values == other.values
    }

    /// Writes the file: under another name first, so that a file of this name is always whole.
    ///
    /// # Errors
    /// If that fails.
    pub fn save(&self, path: &Path) -> Result<(), TableError> {
        let failed = |error| TableError::Io(path.to_owned(), error);
        let mut shapes = Vec::new();
        for cells in &self.shapes {
            shapes.push(cells.len() as u8);
            shapes.extend(cells.iter().flat_map(|&(row, col)| [row, col]));
        }
        let mut values = Vec::new();
        for value in (0..self.values.len()).map(|i| Value(i as u32)) {
            values.extend(self.values.negative(value).0.to_le_bytes());
            values.extend(self.values.bounds(value).to_bytes());
            for mover in [0, 1] {
                let options = self.values.options(mover, value);
                values.extend((options.len() as u32).to_le_bytes());
                values.extend(options.iter().flat_map(|option| option.0.to_le_bytes()));
            }
        }
        let sections = [&shapes[..], &values, self.entries()];
        let kind = self.kind;
        let mut header = vec![
            MAGIC,
            VERSION,
            kind.rows as u64,
            kind.stones as u64,
            kind.cannibal.into(),
        ];
        header.extend(sections.iter().flat_map(|s| [s.len() as u64, checksum(s)]));
        let mut header: Vec<u8> = header.into_iter().flat_map(u64::to_le_bytes).collect();
        header.extend(checksum(&header).to_le_bytes());
        debug_assert_eq!(header.len(), 8 * HEADER);

        let written = replace(path, |out| {
            out.write_all(&header)?;
            sections
                .iter()
                .try_for_each(|section| out.write_all(section))
        });
        written.map_err(failed)
    }

    /// Opens a file and checks every bit of it.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is not a table of this kind.
    pub fn open(path: &Path, kind: TableKind) -> Result<Self, TableError> {
        let table = Self::open_any(path)?;
        if table.kind == kind {
            Ok(table)
        } else {
            Err(TableError::OtherKind(path.to_owned()))
        }
    }

    /// Opens a file of whatever kind it is.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn open_any(path: &Path) -> Result<Self, TableError> {
        let damaged = || TableError::Damaged(path.to_owned());
        let io = |error| TableError::Io(path.to_owned(), error);
        let map = Mapped::open(path).map_err(io)?;
        let bytes = map.bytes();
        let Some(header) = bytes.first_chunk::<{ 8 * HEADER }>() else {
            return Err(TableError::Foreign(path.to_owned()));
        };
        let number =
            |i: usize| u64::from_le_bytes(header[8 * i..][..8].try_into().expect("eight bytes"));
        if number(0) != MAGIC {
            return Err(TableError::Foreign(path.to_owned()));
        }
        if number(1) != VERSION {
            return Err(TableError::Version(path.to_owned()));
        }
        if checksum(&header[..8 * (HEADER - 1)]) != number(HEADER - 1) {
            return Err(damaged());
        }
        let kind = TableKind {
            rows: number(2) as usize,
            stones: number(3) as usize,
            cannibal: number(4) != 0,
        };
        let mut rest = &bytes[8 * HEADER..];
        let mut section = |i: usize| {
            let length = usize::try_from(number(5 + 2 * i)).ok()?;
            let (section, more) = rest.split_at_checked(length)?;
            rest = more;
            (checksum(section) == number(6 + 2 * i)).then_some(section)
        };
        let shapes = section(0).and_then(read_shapes).ok_or_else(damaged)?;
        let values = section(1).and_then(read_values).ok_or_else(damaged)?;
        let entries = section(2).ok_or_else(damaged)?;
        let colourings: usize = shapes.iter().map(|cells| 1 << cells.len()).sum();
        let begin = bytes.len() - rest.len() - entries.len();
        if entries.len() != 4 * colourings || !rest.is_empty() {
            return Err(damaged());
        }
        if (entries.as_chunks::<4>().0.iter())
            .any(|&entry| u32::from_le_bytes(entry) as usize >= values.len())
        {
            return Err(damaged());
        }
        Ok(Self {
            graph: None,
            digests: Some([6, 8, 10].map(number)),
            kind,
            shapes,
            values,
            entries: Entries::Mapped(map, begin),
        })
    }
}

fn read_shapes(mut bytes: &[u8]) -> Option<Vec<Vec<Place>>> {
    let mut shapes = Vec::new();
    while let Some((&size, rest)) = bytes.split_first() {
        let (cells, rest) = rest.split_at_checked(2 * usize::from(size))?;
        shapes.push(
            cells
                .chunks_exact(2)
                .map(|cell| (cell[0], cell[1]))
                .collect(),
        );
        bytes = rest;
    }
    Some(shapes)
}

fn read_values(bytes: &[u8]) -> Option<Values> {
    let words = bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
    let mut words = words.map(Value).collect::<Vec<_>>().into_iter();
    let mut values = Values::default();
    while let Some(negative) = words.next() {
        let bounds = Bounds::from_bytes(words.next()?.0.to_le_bytes());
        let mut side = || {
            let count = words.next()?.0 as usize;
            let options: Vec<Value> = words.by_ref().take(count).collect();
            let known = |option: &Value| (option.0 as usize) < values.len();
            (options.len() == count && options.iter().all(known)).then_some(options)
        };
        let (left, right) = (side()?, side()?);
        values.push(negative, bounds, &left, &right);
    }
    let known = |value: Value| (values.negative(value).0 as usize) < values.len();
    let all = (0..values.len()).all(|index| known(Value(index as u32)));
    (all && values.len() > 0).then_some(values)
}
