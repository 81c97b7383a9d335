//! Tournaments in their folders: threads, kills at any moment, and folders that do not fit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use upstar_agents::{Agent, PickFirst, RandomMover};
use upstar_arena::{Counts, Reason, Record, Standings, Tournament, TournamentError, Winner, log};
use upstar_games::{Random, with_game};
use upstar_jobs::Budget;

use crate::common::Dabbler;

const FILE: &str = r#"
game = "clobber"
position = ["3x4", "9x9 o"]
games = 5
openings = 2
seed = 3
threads = 2
anchor = "first"

[[players]]
name = "dabbler"
agent = "random"

[[players]]
name = "chance"
agent = "random"

[[players]]
name = "first"
agent = "pick-first"
"#;

struct Scene {
    folder: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("cup.toml"), FILE).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn begin(&self, name: &str) -> Result<Tournament, TournamentError> {
        Tournament::begin(&self.path(name), &self.path("cup.toml"))
    }

    fn refused(&self, name: &str) -> String {
        self.begin(name).unwrap_err().to_string()
    }
}

/// Plays all positions until so many games have ended.
fn play(mut tournament: Tournament, most: u64) -> Standings {
    let budget = Budget::unlimited();
    let stop = budget.stop_flag();
    for position in 0..tournament.config().positions.len() {
        let any = tournament.open(position).unwrap();
        with_game!(
            &any,
            |game, start| {
                let players = |which: usize| -> Result<Box<dyn Agent<_>>, String> {
                    Ok(match which {
                        0 => Box::new(Dabbler(game.clone())),
                        1 => Box::new(RandomMover(game.clone())),
                        _ => Box::new(PickFirst(game.clone())),
                    })
                };
                let mut watch = |finished: &upstar_arena::Finished<'_>| {
                    stop.fetch_or(finished.index + 1 >= most, Ordering::Relaxed);
                };
                tournament
                    .play(position, game, start, &players, &budget, &mut watch)
                    .unwrap();
            },
            unreachable!()
        );
    }
    tournament.finish().unwrap()
}

fn records(folder: &Path) -> Vec<Record> {
    let all = log::read(&folder.join("games.jsonl")).unwrap();
    all.map(|record| record.unwrap().timeless()).collect()
}

#[test]
fn a_tournament_has_all_its_games() {
    let scene = Scene::new();
    let table = play(scene.begin("run").unwrap(), u64::MAX);
    assert_eq!((table.games, table.of), (30, 30));
    assert_eq!(table.black_wins + table.white_wins + table.draws, 30);
    for (row, standing) in table.cross.iter().zip(&table.players) {
        assert_eq!(row.iter().map(Counts::games).sum::<u64>(), 20);
        assert_eq!((standing.games, standing.forfeits), (20, 0));
        assert_eq!(row.iter().map(Counts::points).sum::<f64>(), standing.points);
    }
    let ranks: Vec<usize> = table.players.iter().map(|player| player.rank).collect();
    assert_eq!(ranks, [1, 2, 3]);
    let anchor = table
        .players
        .iter()
        .find(|player| player.name == "first")
        .unwrap();
    assert_eq!(anchor.elo, Some(0.0));
    let records = records(&scene.path("run"));
    assert!(
        (0..30)
            .zip(&records)
            .all(|(index, record)| record.index == index)
    );
    assert!(
        records[15..]
            .iter()
            .all(|record| record.position == "9x9 o" && record.to_move == 'o')
    );
    for file in ["config.toml", "manifest.json", "table.json"] {
        assert!(scene.path("run").join(file).is_file(), "{file}");
    }
    let manifest = fs::read_to_string(scene.path("run/manifest.json")).unwrap();
    assert!(manifest.contains("\"seed\": 3") && manifest.contains("\"processors\""));
    let config = fs::read_to_string(scene.path("run/config.toml")).unwrap();
    assert_eq!(config, FILE);
}

#[test]
fn threads_and_kills_change_nothing() {
    let scene = Scene::new();
    let undisturbed = play(scene.begin("run").unwrap(), u64::MAX);
    let all = records(&scene.path("run"));
    let mut single = scene.begin("single").unwrap();
    single.set_threads(1);
    assert_eq!(play(single, u64::MAX), undisturbed);
    assert_eq!(records(&scene.path("single")), all);

    // A killed program leaves a record that ends anywhere, also within a line, and in the order in
    // which games ended.
    let file = scene.path("run/games.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let mut random = Random::new(1);
    for _ in 0..25 {
        for place in (1..lines.len()).rev() {
            lines.swap(place, random.below(place as u32 + 1) as usize);
        }
        let shuffled = lines.join("\n") + "\n";
        let cut = random.below(shuffled.len() as u32 + 1) as usize;
        fs::write(&file, &shuffled.as_bytes()[..cut]).unwrap();
        let tournament = Tournament::resume(&scene.path("run")).unwrap();
        let kept = tournament.played();
        assert!(kept <= 30);
        assert_eq!(play(tournament, u64::MAX), undisturbed, "{cut}");
        assert_eq!(records(&scene.path("run")), all, "{cut}");
    }
}

#[test]
fn a_stopped_tournament_goes_on() {
    let scene = Scene::new();
    // So many games that a stop comes before the end also where the processor is busy.
    let file = FILE.replace("games = 5", "games = 500");
    fs::write(scene.path("cup.toml"), file).unwrap();
    let undisturbed = play(scene.begin("run").unwrap(), u64::MAX);
    let mut games = Vec::new();
    for _ in 0..100 {
        // The hook sees games of earlier sessions first, so each session gets a little further.
        let most = games.last().map_or(4, |games| games + 400);
        let table = play(scene.begin("stopped").unwrap(), most);
        games.push(table.games);
        assert_eq!(table.of, 3000);
        if table.games == 3000 {
            assert_eq!(table, undisturbed);
            break;
        }
    }
    assert_eq!(games.last(), Some(&3000));
    assert!(games.len() > 1, "{games:?}");
    assert!(games.is_sorted());
}

/// What another process does until it is killed.
#[test]
#[ignore = "a part of killed_programs_lose_no_finished_game"]
fn victim() {
    if let Some(folder) = std::env::var_os("ARENA_VICTIM") {
        play(Tournament::resume(Path::new(&folder)).unwrap(), u64::MAX);
    }
}

#[test]
fn killed_programs_lose_no_finished_game() {
    let scene = Scene::new();
    let file = FILE.replace("games = 5", "games = 300");
    fs::write(scene.path("cup.toml"), file).unwrap();
    let undisturbed = play(scene.begin("run").unwrap(), u64::MAX);
    let folder = scene.path("killed");
    drop(scene.begin("killed").unwrap());
    let mut random = Random::new(2);
    let mut kept = vec![0];
    while kept.len() < 6 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tournaments::victim", "--ignored"])
            .env("ARENA_VICTIM", &folder)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(random.below(60).into()));
        child.kill().unwrap();
        child.wait().unwrap();
        let tournament = Tournament::resume(&folder).unwrap();
        kept.push(tournament.played());
        assert!(kept.is_sorted(), "{kept:?}");
    }
    assert_eq!(
        play(Tournament::resume(&folder).unwrap(), u64::MAX),
        undisturbed
    );
    assert_eq!(records(&folder), records(&scene.path("run")));
}

#[test]
fn two_programs_do_not_meet_in_one_folder() {
    let scene = Scene::new();
    let first = scene.begin("run").unwrap();
    let refused = scene.refused("run");
    assert!(
        refused.starts_with("another process works in "),
        "{refused}"
    );
    drop(first);
    assert!(scene.begin("run").is_ok());
}

#[test]
fn folders_that_do_not_fit_are_refused() {
    let scene = Scene::new();
    let refused = Tournament::resume(&scene.path("nowhere"))
        .unwrap_err()
        .to_string();
    assert!(refused.ends_with("nowhere: it holds no tournament: there is no config.toml"));
    assert!(!scene.path("nowhere").exists());

    play(scene.begin("run").unwrap(), u64::MAX);
    fs::write(scene.path("cup.toml"), FILE.replace("seed = 3", "seed = 4")).unwrap();
    let refused = scene.refused("run");
    assert!(refused.contains("it holds another tournament: its config.toml differs from "));
    // The number of threads is no other tournament.
    fs::write(
        scene.path("cup.toml"),
        FILE.replace("threads = 2", "threads = 1"),
    )
    .unwrap();
    assert!(scene.begin("run").is_ok());

    // Records of other games.
    let config = scene.path("run/config.toml");
    fs::write(&config, FILE.replace("seed = 3", "seed = 4")).unwrap();
    let refused = Tournament::resume(&scene.path("run"))
        .unwrap_err()
        .to_string();
    assert!(
        refused.contains("games.jsonl, line 1: it belongs to another run"),
        "{refused}"
    );
    fs::write(&config, FILE.replace("games = 5", "games = 1")).unwrap();
    assert!(Tournament::resume(&scene.path("run")).is_err());
    fs::remove_file(&config).unwrap();
    assert!(
        scene
            .refused("run")
            .ends_with("it holds games, but no config.toml that says of what")
    );
}

/// What is in the record counts, so it must be what was played.
#[test]
fn forged_games_are_refused_and_stay() {
    let scene = Scene::new();
    play(scene.begin("run").unwrap(), u64::MAX);
    let file = scene.path("run/games.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let third = text.lines().nth(2).unwrap();
    let forge = |change: &dyn Fn(&mut Record), sentence: &str| {
        let mut record: Record = serde_json::from_str(third).unwrap();
        change(&mut record);
        let forged = text.replace(third, &serde_json::to_string(&record).unwrap());
        fs::write(&file, &forged).unwrap();
        let refused = Tournament::resume(&scene.path("run")).unwrap_err();
        assert!(
            refused.to_string().contains("games.jsonl, line 3: ")
                && refused.to_string().contains(sentence),
            "{refused}"
        );
        assert_eq!(scene.refused("run"), refused.to_string());
        assert_eq!(fs::read_to_string(&file).unwrap(), forged);
    };
    let flip = |record: &mut Record| {
        record.winner = match record.winner {
            Some(Winner::Black) => Some(Winner::White),
            _ => Some(Winner::Black),
        };
    };
    forge(&flip, "won, but by its moves ");
    forge(
        &|record| record.moves[0] = "a1a2".into(),
        "move 1, 'a1a2', is not legal",
    );
    forge(
        &|record| {
            record.moves.pop();
            record.thoughts.pop();
        },
        "it says that the game is over, but after its moves it is not",
    );
    forge(
        &|record| {
            record.moves.clear();
            record.thoughts.clear();
            (record.reason, record.winner) = (Reason::Unfinished, None);
        },
        "game 2 is not finished",
    );
    forge(&|record| drop(record.opening.pop()), "opening: move 1, '");
    fs::write(&file, &text).unwrap();
    assert_eq!(Tournament::resume(&scene.path("run")).unwrap().played(), 30);
}

#[test]
fn openings_are_kept_with_the_run() {
    let scene = Scene::new();
    let file = FILE
        .replace("openings = 2", "openings = \"book.txt\"")
        .replace("[\"3x4\", \"9x9 o\"]", "\"3x4\"");
    fs::write(scene.path("cup.toml"), file).unwrap();
    assert!(scene.refused("run").contains("openings: 'book.txt': "));
    assert!(!scene.path("run").exists());
    fs::write(scene.path("book.txt"), "a1a2\nxoxo|oxox|xoxo o\n").unwrap();
    let table = play(scene.begin("run").unwrap(), 7);
    assert!(table.games >= 7);
    fs::remove_file(scene.path("book.txt")).unwrap();
    let table = play(Tournament::resume(&scene.path("run")).unwrap(), u64::MAX);
    assert_eq!(table.games, 15);
    let records = records(&scene.path("run"));
    assert_eq!(records[0].opening, ["a1a2"]);
    assert_eq!((records[6].opening.len(), records[6].to_move), (0, 'o'));
    // Another book makes another tournament.
    fs::write(scene.path("book.txt"), "a1b1\n").unwrap();
    assert!(scene.refused("run").contains("another tournament"));
}
