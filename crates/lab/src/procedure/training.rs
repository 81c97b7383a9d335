//! Runs of the crate `train`, one after the other, and what their blocks of games say.
//!
//! The row's `stages` names them, each a configuration `stage_NAME` in which `{column}` stands for a
//! column's value; each begins with the network of the one before. If in the last two networks meet,
//! each has gone through those before with its own colour, which is the column `side`; a column
//! `NAME_x` or `NAME_o` then stands in for `NAME`. `window` says what is measured in the last:
//! `blocks`, as many as the run has rows; `first-last` or `last`, blocks of `set_games`; or `match`,
//! games of the network against another agent with learning off.

use std::path::{Path, PathBuf};

use upstar_agents::{Agent, AgentSpec, NetAgent, Playable};
use upstar_games::{Clobber, Color, Grid, Rules, Variant, clobber};
use upstar_nets::Network;
use upstar_train::{Block, Config, Learnable, Run, Teacher, with_changes};

use super::matches::{agent, play};
use super::{Lot, Problem};
use crate::row::Row;
use crate::sample::{Found, Measured};

/// The most points of a learning curve.
const POINTS: usize = 50;

pub(super) fn run(lot: &Lot<'_>) -> Result<Found, Problem> {
    let row = lot.row();
    let grid: Grid = row.board()?.parse().map_err(Problem::new)?;
    match row.text("game")?.parse().map_err(Problem::new)? {
        Variant::Clobber => {
            let game = Clobber::<u64>::new(grid);
            let start = game.position(&clobber::checkerboard(grid), Color::Black);
            let start = start.map_err(Problem::new)?;
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
    let names: Vec<&str> = row.text("stages")?.split_whitespace().collect();
    let (last, earlier) = names
        .split_last()
        .ok_or_else(|| Problem::new("there is no stage"))?;
    let stage = Stage {
        lot,
        folder: folder.path(),
        game,
        start,
    };
    let meet = stage.config(row, last)?.teacher() == Teacher::Network;
    let before: Vec<PathBuf> = if meet && !earlier.is_empty() {
        let sides = ["x", "o"].into_iter().enumerate();
        let networks =
            sides.map(|(place, side)| stage.all(&on_side(row, side), earlier, 1000 * place as u64));
        let networks = networks.collect::<Result<Vec<Option<Trained>>, Problem>>()?;
        networks
            .into_iter()
            .flatten()
            .flat_map(|trained| trained.files)
            .collect()
    } else {
        let trained = stage.all(row, earlier, 0)?;
        // Of two networks that met before, Black's goes on.
        trained
            .into_iter()
            .flat_map(|trained| trained.files.into_iter().take(1))
            .collect()
    };
    let mut config = stage.config(row, last)?;
    let blocks = match row.get("window") {
        Some("blocks") => Some(lot.rows.len() as u64),
        _ => None,
    };
    config.games = match config.games {
        0 => 0,
        // However small the scale is, there is a game for each block.
        games => lot.scaled(games).max(blocks.unwrap_or(1)),
    };
    config.block = match blocks {
        Some(blocks) => config.games.div_ceil(blocks),
        None => row.read_or("set_games", config.block)?.min(config.games),
    };
    let trained = stage.train(config, earlier.len() as u64, &before)?;
    let mut found = Found {
        live_gradient_share: trained.live_gradient_share(),
        dead: trained.blocks.last().map(|block| block.dead),
        exploded: trained.blocks.last().map(|block| block.exploded),
        ..Found::default()
    };
    if lot.is_first {
        found.curve = trained.curve();
    }
    found.values = match row.get("window") {
        Some("match") => vec![match_after(lot, game, start, &trained.networks)?],
        window => trained.values(lot, window.unwrap_or("last")),
    };
    Ok(found)
}

/// The networks after all stages of the row.
pub(super) fn networks<G: Learnable + Playable>(
    lot: &Lot<'_>,
    game: &G,
    start: &G::Position,
) -> Result<Vec<Network>, Problem> {
    let folder = tempfile::tempdir().map_err(Problem::new)?;
    let row = lot.row();
    let stage = Stage {
        lot,
        folder: folder.path(),
        game,
        start,
    };
    let names: Vec<&str> = row.text("stages")?.split_whitespace().collect();
    let trained = stage.all(row, &names, 0)?;
    Ok(trained.map_or(Vec::new(), |trained| trained.networks))
}

/// The row with what its columns say of one side.
fn on_side(row: &Row, side: &str) -> Row {
    let ending = format!("_{side}");
    let own = row.0.iter().filter_map(|(column, value)| {
        let column = column.strip_suffix(&ending)?;
        Some((column.to_owned(), value.clone()))
    });
    let own: Vec<(String, String)> = own.collect();
    let mut row = row.clone();
    row.0.extend(own);
    row.0.insert("side".to_owned(), side.to_owned());
    row
}

/// Where stages take place.
struct Stage<'a, G: Learnable> {
    lot: &'a Lot<'a>,
    folder: &'a Path,
    game: &'a G,
    start: &'a G::Position,
}

/// A stage that is done.
struct Trained {
    blocks: Vec<Block>,
    networks: Vec<Network>,
    files: Vec<PathBuf>,
}

impl<G: Learnable + Playable> Stage<'_, G> {
    /// The configuration of a stage as the row fills it.
    fn config(&self, row: &Row, name: &str) -> Result<Config, Problem> {
        let mut text = row.filled(row.text(&format!("stage_{name}"))?)?;
        if let Some(reading) = self.lot.table.reading() {
            let changes = reading.set.iter();
            let changes = changes.map(|(key, value)| format!("{key}={value}"));
            text = with_changes(&text, changes).map_err(Problem::new)?;
        }
        Config::parse(&text, name).map_err(Problem::new)
    }

    /// Stages one after the other, each as one block; their seeds begin with this one.
    fn all(&self, row: &Row, names: &[&str], seed: u64) -> Result<Option<Trained>, Problem> {
        let mut before: Option<Trained> = None;
        for (number, name) in names.iter().enumerate() {
            let mut config = self.config(row, name)?;
            if config.games > 0 {
                config.games = self.lot.scaled(config.games);
            }
            config.block = config.games;
            let files = before.map_or(Vec::new(), |trained| trained.files);
            let first = &files[..files.len().min(1)];
            before = Some(self.train(config, seed + number as u64, first)?);
        }
        Ok(before)
    }

    /// Trains from the networks of these files, or from new ones.
    fn train(&self, mut config: Config, seed: u64, before: &[PathBuf]) -> Result<Trained, Problem> {
        // A seed of a TOML file has 63 bits.
        config.seed = (self.lot.seed >> 1).wrapping_add(seed);
        config.block = config.block.max(1);
        let mut files = before.iter().map(|file| file.display().to_string());
        (config.network.start, config.network.start_o) = (files.next(), files.next());
        let text = toml::to_string(&config).map_err(Problem::new)?;
        let mut opponents = |spec: &str| -> Result<Box<dyn Agent<G>>, String> {
            let spec: AgentSpec = spec
                .parse()
                .map_err(|error: upstar_agents::AgentSpecError| error.to_string())?;
            agent(&spec, self.game, self.lot.resources)
        };
        let path = self.folder.join(seed.to_string());
        let (game, start) = (self.game.clone(), *self.start);
        let run = Run::create(&path, &text, "stage", game, start, &mut opponents);
        // Runs are shared among threads already.
        let run = run.map_err(Problem::new)?.with_threads(1);
        let run = run.with_resources(self.lot.resources);
        let run = run.without_checkpoints();
        let mut run = run.with_budget(self.lot.budget.clone());
        let mut blocks = Vec::new();
        while let Some(block) = run.step().map_err(Problem::new)? {
            self.lot.check()?;
            blocks.push(block);
        }
        self.lot.check()?;
        Ok(Trained {
            blocks,
            networks: run.networks().cloned().collect(),
            files: run.network_files(),
        })
    }
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
    let number = |number: Option<f64>| number.map_or(Measured::Nothing(()), Measured::Number);
    match column {
        "average_error" => return number(block.error),
        "different_endings" => return number(block.endings.map(|endings| endings as f64)),
        _ => {}
    }
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
    networks: &[Network],
) -> Result<Measured, Problem> {
    let row = lot.row();
    let games = lot.scaled(row.read("evaluation_games")?);
    let text = row.filled(row.text("against")?)?;
    let opponent: AgentSpec = text.parse().map_err(Problem::new)?;
    let color = match row.text("nn_colour")? {
        "white" => Color::White,
        _ => Color::Black,
    };
    let network = networks.get(color.index()).unwrap_or(&networks[0]);
    let players = |which: usize| -> Result<Box<dyn Agent<G>>, String> {
        if which == color.index() {
            let player = NetAgent::new(game.clone(), start, network.clone());
            Ok(Box::new(player.map_err(|misfit| misfit.to_string())?))
        } else {
            agent(&opponent, game, lot.resources)
        }
    };
    let names = match color {
        Color::Black => ["net", &text],
        Color::White => [&text, "net"],
    };
    let result = play(lot, game, start, &players, names, games)?;
    Ok(Measured::games(result.black_wins, result.games))
}
