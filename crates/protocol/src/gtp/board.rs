//! The board of a conversation: setting it, moves of the referee, taking them back.

use upstar_agents::gtp_names::{self, Coordinates};
use upstar_games::{AnyGame, Board, Color, Grid, Start, Variant};
use upstar_session::{GameTree, Refusal, side_letter};

use super::words::refused;
use super::{Answer, Gtp};

impl Gtp {
    pub(super) fn tree(&self) -> &GameTree {
        self.session.tree().expect("a board was set")
    }

    pub(super) fn game(&self) -> &AnyGame {
        self.tree().game()
    }

    pub(super) fn coordinates(&self) -> Coordinates {
        let usual = || Coordinates::usual(self.game().variant());
        self.coordinates.unwrap_or_else(usual)
    }

    /// A move as the referee reads it.
    pub(super) fn written(&self, mv: &str) -> String {
        let name = self.coordinates().write(&self.grid, mv);
        name.expect("the grid has names")
    }

    pub(super) fn resize(&mut self, rows: &str, cols: &str) -> Answer {
        let unacceptable = || Refusal::new("unacceptable size");
        let number = |text: &str| text.parse::<usize>().map_err(|_| unacceptable());
        let (rows, cols) = (number(rows)?, number(cols)?);
        if (rows, cols) == (self.grid.rows(), self.grid.cols()) {
            return self.clear();
        }
        let grid = Grid::new(rows, cols).map_err(|_| unacceptable())?;
        let game = AnyGame::open(self.game().variant(), &Start::Size(grid), None);
        let game = game.map_err(|_| unacceptable())?;
        named_grid(&game, self.coordinates).map_err(|_| unacceptable())?;
        let why = |Refusal(why)| Refusal(format!("unacceptable size: {why}"));
        self.set_board(game).map_err(why)
    }

    /// Goes back to the start position. An agent that was at fault is made again.
    pub(super) fn clear(&mut self) -> Answer {
        self.set_board(self.tree().start().clone())
    }

    pub(super) fn begin(&mut self, game: &str, position: &str, to_move: Option<&str>) -> Answer {
        let variant = game.parse().map_err(Refusal::new)?;
        let start = position.parse().map_err(Refusal::new)?;
        let to_move = to_move.map(side_letter).transpose()?;
        let game = AnyGame::open(variant, &start, to_move).map_err(Refusal::new)?;
        self.set_board(game)
    }

    /// Begins a game; where that fails, the old board stays.
    fn set_board(&mut self, game: AnyGame) -> Answer {
        let grid = named_grid(&game, self.coordinates)?;
        let old = self.tree().clone();
        self.session.open(game)?;
        if let Err(fault) = self.session.prepare(&self.spec) {
            *self.session.tree_mut().expect("a board was set") = old;
            return Err(Refusal::new(fault));
        }
        self.grid = grid;
        self.history.clear();
        self.clocks.wind_up();
        Ok(String::new())
    }

    /// Plays a move of this program.
    pub(super) fn make(&mut self, mv: &str) -> bool {
        let tree = self.session.tree_mut().expect("a board was set");
        tree.play(mv).is_ok()
    }

    pub(super) fn take_back(&mut self, plies: u8) {
        let tree = self.session.tree_mut().expect("a board was set");
        for _ in 0..plies {
            tree.back();
        }
    }

    pub(super) fn undo(&mut self) -> Answer {
        let Some(plies) = self.history.pop() else {
            return refused("cannot undo");
        };
        self.take_back(plies);
        Ok(String::new())
    }

    /// Makes it this side's turn, if it is or only a pass is between; says how many passes that took.
    pub(super) fn turn_to(&mut self, color: Color) -> Result<u8, Refusal> {
        if self.game().side_to_move() == color {
            return Ok(0);
        }
        if self.game().must_pass() && self.make("pass") {
            return Ok(1);
        }
        refused("illegal move: it is the other side's turn")
    }

    /// Whether sides pass that cannot move.
    pub(super) fn has_passes(&self) -> bool {
        matches!(
            self.game().variant(),
            Variant::Othello(_) | Variant::Reversi
        )
    }

    pub(super) fn play(&mut self, color: Color, name: &str) -> Answer {
        let is_over = self.game().is_over();
        if is_over && self.has_passes() && name.eq_ignore_ascii_case("pass") {
            self.history.push(0);
            return Ok(String::new());
        }
        let illegal = || Refusal::new("illegal move");
        if is_over {
            return Err(illegal());
        }
        let passes = self.turn_to(color).map_err(|_| illegal())?;
        let mv = self.coordinates().read(&self.grid, name);
        if !mv.is_some_and(|mv| self.make(&mv)) {
            self.take_back(passes);
            return Err(illegal());
        }
        self.history.push(passes + 1);
        Ok(String::new())
    }
}

/// The grid of a game, if its cells have names.
pub(super) fn named_grid(
    game: &AnyGame,
    coordinates: Option<Coordinates>,
) -> Result<Grid, Refusal> {
    let coordinates = coordinates.unwrap_or_else(|| Coordinates::usual(game.variant()));
    match game.board() {
        Board::Graph(_) => refused("cells of a graph have no names in GTP"),
        board @ Board::Grid(grid) if !coordinates.has_names(board) => Err(Refusal(format!(
            "{grid} has more than the {} columns that have names in GTP",
            gtp_names::MOST_COLUMNS
        ))),
        Board::Grid(grid) => Ok(*grid),
    }
}
