//! Recorded games to learn from before a network plays its own (leiden2018, section 6.1): records of this program, GGF,
//! transcripts, files of WTHOR.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use upstar_arena::{ImportedGame, import_bytes};
use upstar_games::Color;

use crate::config::Config;
use crate::folder::RunError;
use crate::student::Learnable;

/// The longest file, in bytes.
const LONGEST: u64 = 256 << 20;

/// A game that somebody played.
pub(crate) struct RecordedGame<P> {
    /// The positions after its moves, with who moved there.
    pub(crate) path: Vec<(P, Color)>,
    /// The result for Black.
    pub(crate) black_score: i32,
}

/// The games that a run begins with.
pub(crate) struct Recorded<P> {
    games: Vec<RecordedGame<P>>,
    times: u64,
}

impl<P: Copy> Recorded<P> {
    /// Reads all files that a configuration names. Games without a result are left out.
    pub(crate) fn read<G: Learnable<Position = P>>(
        config: &Config,
        game: &G,
        start: &P,
    ) -> Result<Self, RunError> {
        let mut games = Vec::new();
        for name in &config.records {
            let wrong = |what: String| RunError {
                sentence: format!("records, {name}: {what}"),
                example: Some("records = [\"games.jsonl\", \"games.wtb\"]".to_owned()),
            };
            let before = games.len();
            let imported = import_file(config, Path::new(name)).map_err(wrong)?;
            for recorded in &imported {
                let replayed = replay(game, start, recorded);
                let replayed =
                    replayed.map_err(|what| wrong(format!("game {}: {what}", recorded.number)))?;
                games.extend(replayed);
            }
            if games.len() == before {
                return Err(wrong("it has no game with a result".to_owned()));
            }
        }
        Ok(Self {
            games,
            times: config.record_passes.into(),
        })
    }

    /// The recorded game that is this one of the run; `None` from the first that the network plays itself.
    pub(crate) fn game(&self, index: u64) -> Option<&RecordedGame<P>> {
        let count = self.games.len() as u64;
        (index < count * self.times).then(|| &self.games[(index % count) as usize])
    }
}

fn import_file(config: &Config, path: &Path) -> Result<Vec<ImportedGame>, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    let read = file.take(LONGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LONGEST {
        return Err(format!("the file is longer than {LONGEST} bytes"));
    }
    let (start, _) = config.start();
    let games = import_bytes(bytes, None, config.shape().game, &start, false);
    games.map_err(|error| error.to_string())
}

/// The positions of a game; `None` if nobody knows who won.
fn replay<G: Learnable>(
    game: &G,
    start: &G::Position,
    recorded: &ImportedGame,
) -> Result<Option<RecordedGame<G::Position>>, String> {
    let (variant, setup) = (recorded.start.variant(), recorded.start.setup());
    let board = game.setup(start).board;
    if !game.is_variant(variant) || setup.board != board {
        return Err(format!(
            "it is a game of {variant} on {}, not on the {board} of this training",
            setup.board
        ));
    }
    let side = recorded.start.side_to_move();
    let position = game.position(&setup, side);
    let mut position = position.map_err(|error| error.to_string())?;
    let mut path = Vec::with_capacity(recorded.moves.len());
    for name in &recorded.moves {
        let mover = game.to_move(&position);
        let mv = game.legal_move(&position, name);
        position = game.play_unchecked(&position, mv.map_err(|error| error.to_string())?);
        path.push((position, mover));
    }
    let black_score = match (game.black_score(&position), recorded.winner) {
        (Some(score), _) => score,
        (None, Some(winner)) => winner.sign(),
        (None, None) => return Ok(None),
    };
    Ok(Some(RecordedGame { path, black_score }))
}
