//! Runs of the crate `train`, one after the other, and what their blocks of games say.
//!
//! The row's `stages` names them, each a configuration `stage_NAME` in which `{column}` stands for a
//! column's value; each begins with the network of the one before. `window` says what is measured in
//! the last: `blocks`, as many as the run has rows; `first-last` or `last`, blocks of `set_games`; or
//! `match`, games of the network against another agent with learning off.

use std::path::{Path, PathBuf};

use upstar_agents::{Agent, Playable, Word};
use upstar_games::{Clobber, Color, Grid, Rules, Variant, clobber};
use upstar_nets::Network;
use upstar_train::{Block, Config, Learnable, Run};

use super::matches::{agent, play};
use super::player::NetworkPlayer;
use super::{Lot, Problem};
use crate::sample::{Found, Measured};

/// The most points of a learning curve.
const POINTS: usize = 50;

pub(super) fn run(lot: &Lot<'_>) -> Result<Found, Problem> {
    let row = lot.row();
    let grid: Grid = row.board()?.parse().map_err(Problem::new)?;
    match row.text("game")?.parse().map_err(Problem::new)? {
        Variant::Clobber => {
            let game = Clobber::<u64>::new(grid);
            let start = game.position(&clobber::checkerboard(grid), 0);
            run_on(lot, &game, &start)
        }
        Variant::Othello(_) => {
            let (game, start) = row.othello()?;
            run_on(lot, &game, &start)
        }
        other => Err(Problem::new(format!("there is no training for {other}"))),
    }
}

fn run_on<G: Learnable + Playable>(
    lot: &Lot<'_>,
    game: &G,
    start: &G::Position,
) -> Result<Found, Problem> {
    let folder = tempfile::tempdir().map_err(Problem::new)?;
    let row = lot.row();
    if row.text("stages")? == "not-yet" {
        let values = vec![Measured::Nothing(()); lot.rows.len() * lot.table.measures.len()];
        return Ok(Found::values(values));
    }
    let names: Vec<&str> = row.text("stages")?.split_whitespace().collect();
    let mut before: Option<Trained> = None;
    for (number, name) in names.iter().enumerate() {
        let template = row.filled(row.text(&format!("stage_{name}"))?)?;
        let mut config = Config::parse(&template, name).map_err(Problem::new)?;
        let blocks = match row.get("window") {
            Some("blocks") if number + 1 == names.len() => Some(lot.rows.len() as u64),
            _ => None,
        };
        config.games = match config.games {
            0 => 0,
            // However small the scale is, there is a game for each block.
            games => lot.scaled(games).max(blocks.unwrap_or(1)),
        };
        // A seed of a TOML file has 63 bits.
        config.seed = (lot.seed >> 1).wrapping_add(number as u64);
        config.network.start = before.map(|trained| trained.file.display().to_string());
        config.block = match blocks {
            Some(blocks) => config.games.div_ceil(blocks),
            None if number + 1 < names.len() => config.games,
            None => row.read_or("set_games", config.block)?.min(config.games),
        }
        .max(1);
        let path = folder.path().join(number.to_string());
        before = Some(train(lot, &path, &config, game, start)?);
    }
    let trained = before.ok_or_else(|| Problem::new("there is no stage"))?;
    let mut found = Found {
        live_gradient_share: trained.live_gradient_share(),
        dead: trained.blocks.last().map(|block| block.dead),
        ..Found::default()
    };
    if lot.is_first {
        found.curve = trained.curve();
    }
    found.values = match row.get("window") {
        Some("match") => vec![match_after(lot, game, start, &trained.network)?],
        window => trained.values(lot, window.unwrap_or("last")),
    };
    Ok(found)
}

/// A stage that is done.
struct Trained {
    blocks: Vec<Block>,
    network: Network,
    file: PathBuf,
}

fn train<G: Learnable + Playable>(
    lot: &Lot<'_>,
    path: &Path,
    config: &Config,
    game: &G,
    start: &G::Position,
) -> Result<Trained, Problem> {
    let text = toml::to_string(config).map_err(Problem::new)?;
    let mut opponents = |word: &str| -> Result<Box<dyn Agent<G>>, String> {
        let word: Word = word
            .parse()
            .map_err(|error: upstar_agents::WordError| error.to_string())?;
        agent(&word, game)
    };
    let mut run = Run::create(path, &text, "stage", game.clone(), *start, &mut opponents)
        .map_err(Problem::new)?;
    let mut blocks = Vec::new();
    while let Some(block) = run.step().map_err(Problem::new)? {
        lot.check()?;
        blocks.push(block);
    }
    let network = run.networks().next().expect("there is a network").clone();
    Ok(Trained {
        blocks,
        network,
        file: run.network_files().swap_remove(0),
    })
}

impl Trained {
    fn live_gradient_share(&self) -> Option<f64> {
        let shares = self
            .blocks
            .iter()
            .filter_map(|block| block.live_gradient_share);
        let (sum, count) = shares.fold((0.0, 0), |(sum, count), share| (sum + share, count + 1));
        (count > 0).then(|| sum / f64::from(count))
    }

    /// The share of games won, in at most so many points.
    fn curve(&self) -> Vec<(u64, f64)> {
        let together = self.blocks.len().div_ceil(POINTS).max(1);
        let points = self.blocks.chunks(together).filter_map(|blocks| {
            let played: u64 = blocks.iter().map(|block| block.played).sum();
            let wins: u64 = blocks.iter().map(|block| block.wins).sum();
            let share = wins as f64 / played.max(1) as f64;
            Some((blocks.last()?.games, (share * 1e4).round() / 1e4))
        });
        points.collect()
    }

    /// A value for each row and measure.
    fn values(&self, lot: &Lot<'_>, window: &str) -> Vec<Measured> {
        let mut values = Vec::new();
        for row in 0..lot.rows.len() {
            for (place, measure) in lot.table.measures.iter().enumerate() {
                let block = match window {
                    "blocks" => self.blocks.get(row),
                    "first-last" if place == 0 => self.blocks.first(),
                    _ => self.blocks.last(),
                };
                values.push(block.map_or(Measured::Nothing(()), |block| {
                    counted(block, &measure.column)
                }));
            }
        }
        values
    }
}

/// What a column counts in a block.
fn counted(block: &Block, column: &str) -> Measured {
    let wins = if column.starts_with("black_win") {
        (block.black_win_rate * block.played as f64).round() as u64
    } else if column.starts_with("draw") {
        block.draws
    } else {
        block.wins
    };
    Measured::games(wins, block.played)
}

/// Games of a network that does not learn any more.
fn match_after<G: Learnable + Playable>(
    lot: &Lot<'_>,
    game: &G,
    start: &G::Position,
    network: &Network,
) -> Result<Measured, Problem> {
    let row = lot.row();
    let games = lot.scaled(row.read("evaluation_games")?);
    let text = row.filled(row.text("against")?)?;
    let opponent: Word = text.parse().map_err(Problem::new)?;
    let color = match row.text("nn_colour")? {
        "white" => Color::White,
        _ => Color::Black,
    };
    let players = |which: usize| -> Result<Box<dyn Agent<G>>, String> {
        if which == color.index() {
            Ok(Box::new(NetworkPlayer::new(game, start, network)?))
        } else {
            agent(&opponent, game)
        }
    };
    let names = match color {
        Color::Black => ["net", &text],
        Color::White => [&text, "net"],
    };
    let result = play(lot, game, start, &players, names, games)?;
    Ok(Measured::games(result.black_wins, result.games))
}
