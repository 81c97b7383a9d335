//! Games as jobs: played anywhere, in any order, twice, their records are those of the match.

use std::fs;
use std::path::Path;

use upstar_agents::{AgentSpec, Resources};
use upstar_arena::{Match, MatchGame, Openings, Place, Record, RunError, Team, Tournament};
use upstar_games::{AnyGame, with_game};
use upstar_jobs::job::{self, Done};
use upstar_jobs::{Budget, Job, Schedule};

/// A record without the time that it took.
fn timeless(mut record: Record) -> Record {
    record.seconds = 0.0;
    for thought in &mut record.thoughts {
        thought.seconds = 0.0;
    }
    record
}

fn settings() -> Match {
    Match {
        games: 8,
        openings: Openings::Random(2),
        seed: 5,
        ..Match::between("mcts:30,exact=20,reuse=true", "mc:3")
    }
}

/// The records of the file, in the order of their games.
fn records(file: &Path) -> Vec<Record> {
    let records = upstar_arena::log::read(file).unwrap();
    let records: Result<Vec<Record>, _> = records.collect();
    let mut records: Vec<Record> = records.unwrap().into_iter().map(timeless).collect();
    records.sort_by_key(|record| record.index);
    records
}

/// The records of the match on the threads of this machine.
fn ordinary(of: &Match, any: &AnyGame) -> Vec<Record> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let specs: Vec<AgentSpec> = of
        .players
        .iter()
        .map(|player| player.agent.parse().unwrap())
        .collect();
    with_game!(
        any,
        |game, start| {
            let (resources, position) = (Resources::default(), any.to_string());
            let team = Team {
                game,
                specs: &specs,
                resources: &resources,
            };
            let place = Place {
                game,
                start,
                variant: any.variant(),
                position: &position,
            };
            let played = of.play(
                &place,
                &team,
                &Budget::unlimited(),
                Some(&file),
                &mut |_| {},
            );
            assert!(played.unwrap().complete);
        },
        unreachable!("the game is for two")
    );
    records(&file)
}

/// The lines of results of these jobs, played one by one as on another machine.
fn performed<'a>(jobs: impl Iterator<Item = &'a MatchGame>) -> Vec<String> {
    let perform = |game: &MatchGame| {
        let line = serde_json::to_string(game).unwrap();
        let (resources, budget) = (Resources::default(), Budget::unlimited());
        let done = job::perform::<Resources, MatchGame>(&line, &resources, &budget);
        done.unwrap().unwrap()
    };
    jobs.map(perform).collect()
}

#[test]
fn games_played_elsewhere_in_any_order_and_twice_are_those_of_the_match() {
    for (game, position) in [("clobber", "4x5"), ("othello", "4x4")] {
        let any = AnyGame::parse(game, position).unwrap();
        let of = settings();
        let mut games = of.jobs(&any).unwrap();
        let mut lines = performed(games.missing());
        lines.reverse();
        for expected in [true, false] {
            for line in &lines {
                let done: Done<MatchGame, Record> = serde_json::from_str(line).unwrap();
                assert_eq!(games.accept(&done.job, done.result), Ok(expected));
            }
        }
        assert_eq!(games.missing().count(), 0);
        let accepted: Vec<Record> = games.records().cloned().map(timeless).collect();
        assert_eq!(accepted, ordinary(&of, &any), "{game}");
    }
}

#[test]
fn threads_of_this_machine_play_the_same_games() {
    let any = AnyGame::parse("clobber", "4x5").unwrap();
    let of = settings();
    let mut games = of.jobs(&any).unwrap();
    job::run(&mut games, &Resources::default(), 2, &Budget::unlimited()).unwrap();
    let played: Vec<Record> = games.records().cloned().map(timeless).collect();
    assert_eq!(played, ordinary(&of, &any));
}

#[test]
fn records_of_other_games_are_refused() {
    let any = AnyGame::parse("clobber", "4x4").unwrap();
    let of = Match {
        games: 2,
        ..Match::between("random", "greedy")
    };
    let mut games = of.jobs(&any).unwrap();
    let jobs: Vec<MatchGame> = games.missing().cloned().collect();
    let record = jobs[0].run(&Resources::default(), &Budget::unlimited());
    let record = record.unwrap().unwrap();
    assert!(games.accept(&jobs[1], record.clone()).is_err());
    let mut false_winner = record.clone();
    false_winner.winner = Some(record.winner.unwrap().side().map_or_else(
        || unreachable!("Clobber has no draws"),
        |side| (!side).into(),
    ));
    assert!(games.accept(&jobs[0], false_winner).is_err());
    let stranger = MatchGame {
        seed: 99,
        ..jobs[0].clone()
    };
    assert!(games.accept(&stranger, record.clone()).is_err());
    assert_eq!(games.accept(&jobs[0], record), Ok(true));
}

#[test]
fn a_job_starts_no_programs() {
    let any = AnyGame::parse("clobber", "4x4").unwrap();
    let of = Match {
        games: 1,
        ..Match::between("random", "engine:\"touch intruder\"")
    };
    let games = of.jobs(&any).unwrap();
    let job = games.missing().next().unwrap();
    let refused = job.run(&Resources::default(), &Budget::unlimited());
    assert!(matches!(refused, Err(RunError::Player { .. })));
}

#[test]
fn a_tournament_accepts_games_played_elsewhere() {
    const CONFIG: &str = r#"
        game = "clobber"
        position = ["3x4", "4x4"]
        games = 2
        seed = 3
        players = [{ agent = "random" }, { agent = "greedy" }, { agent = "mc:3" }]
    "#;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tournament.toml");
    fs::write(&file, CONFIG).unwrap();
    let [here, elsewhere] = ["here", "elsewhere"].map(|name| folder.path().join(name));
    let mut tournament = Tournament::begin(&elsewhere, &file).unwrap();
    let jobs = tournament.jobs().unwrap();
    assert_eq!(jobs.len() as u64, tournament.games());
    let lines = performed(jobs.iter().rev());
    for expected in [true, false] {
        for line in &lines {
            let done: Done<MatchGame, Record> = serde_json::from_str(line).unwrap();
            assert_eq!(tournament.accept(&done.job, &done.result), Ok(expected));
        }
    }
    assert!(tournament.jobs().unwrap().is_empty());
    let table = tournament.finish().unwrap();

    let mut tournament = Tournament::begin(&here, &file).unwrap();
    let specs: Vec<AgentSpec> = ["random", "greedy", "mc:3"]
        .map(|spec| spec.parse().unwrap())
        .into();
    for position in 0..2 {
        let any = tournament.open(position).unwrap();
        with_game!(
            &any,
            |game, start| {
                let team = Team {
                    game,
                    specs: &specs,
                    resources: &Resources::default(),
                };
                let budget = Budget::unlimited();
                let played = tournament.play(position, game, start, &team, &budget, &mut |_| {});
                assert_eq!(played, Ok(true));
            },
            unreachable!("the game is for two")
        );
    }
    assert_eq!(tournament.finish().unwrap(), table);
    let [here, elsewhere] = [here, elsewhere].map(|folder| records(&folder.join("games.jsonl")));
    assert_eq!(here, elsewhere);
}
