//! The puzzles that come with the program.

use axum::Json;
use upstar_analysis::Puzzle;

pub(crate) async fn list() -> Json<Vec<Puzzle>> {
    Json(Puzzle::shipped())
}
