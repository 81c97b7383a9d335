//! Other programs as players: well-behaved ones and all others.

#![cfg(unix)]

use std::path::Path;
use std::time::{Duration, Instant};

use upstar_agents::gtp_names::Coordinates;
use upstar_agents::{Agent, AgentSpec, Choice, EngineSpec, Fault, Playable, Resources, Turn};
use upstar_games::{Clobber, Color, Othello, Position, Random, Rules, Setup, clobber, othello};
use upstar_jobs::Budget;

/// A program that answers each command by this shell case, with the line's words in `$1`, `$2`, ….
fn program(cases: &str) -> AgentSpec {
    let script = format!(
        "while read -r line; do set -- $line; case $1 in {cases} list_commands) printf '= play\\ngenmove\\n\\n';; quit) exit;; *) printf '=\\n\\n';; esac; done"
    );
    AgentSpec::Engine(EngineSpec::new(format!("sh -c \"{script}\"")))
}

fn resources() -> Resources {
    Resources {
        patience: Duration::from_millis(300),
        ..Resources::default()
    }
}

fn ask<G: Playable>(
    game: &G,
    start: &G::Position,
    moves: &[G::Move],
    spec: &AgentSpec,
) -> Result<Choice<G::Move>, Fault> {
    let mut agent = spec.agent(game, &resources()).unwrap();
    asked(&mut *agent, game, start, moves)
}

fn asked<G: Playable>(
    agent: &mut dyn Agent<G>,
    game: &G,
    start: &G::Position,
    moves: &[G::Move],
) -> Result<Choice<G::Move>, Fault> {
    let position = moves
        .iter()
        .fold(*start, |position, &mv| game.play(&position, mv).unwrap());
    let turn = Turn {
        start,
        moves,
        position: &position,
        budget: &Budget::unlimited(),
    };
    agent.choose(&turn, &mut Random::new(1))
}

fn square() -> (Clobber<u64>, Position<u64>) {
    let grid = "4x4".parse().unwrap();
    let game = Clobber::new(grid);
    let start = game
        .position(&clobber::checkerboard(grid), Color::Black)
        .unwrap();
    (game, start)
}

#[test]
fn a_program_plays_with_its_own_names() {
    let (game, start) = square();
    // Top-left onto its right neighbour.
    for answer in ["A4-B4", "a4b4"] {
        let spec = program(&format!("genmove) printf '= {answer}\\n\\n';;"));
        let choice = ask(&game, &start, &[], &spec).unwrap();
        assert_eq!(game.move_name(choice.mv), "a1b1");
    }
    let grid = "6x6".parse().unwrap();
    let game = Othello::<u64>::new(grid);
    let start = game
        .position(
            &othello::start(grid, othello::Opening::DIAGONAL).unwrap(),
            Color::Black,
        )
        .unwrap();
    let first = game.moves(&start).next().unwrap();
    let cell = game.path(first).unwrap().0;
    for coordinates in [None, Some(Coordinates::Own), Some(Coordinates::Go)] {
        let spoken = coordinates.unwrap_or(Coordinates::Own);
        let name = spoken.vertex(&grid, cell).unwrap();
        let AgentSpec::Engine(spec) = program(&format!("genmove) printf '= {name}\\n\\n';;"))
        else {
            unreachable!()
        };
        let spec = AgentSpec::Engine(EngineSpec {
            coordinates,
            ..spec
        });
        assert_eq!(ask(&game, &start, &[], &spec).unwrap().mv, first, "{spec}");
    }
}

/// The program notes all that it is told; what it notes is what the protocol asks for.
#[test]
fn a_program_is_told_everything_once() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let note = format!("echo $line >> {};", log.display());
    let (game, start) = square();
    let cases = |answer: &str| {
        format!(
            "play|boardsize|clear_board|upstar-game) {note} printf '=\\n\\n';; genmove) {note} printf '= {answer}\\n\\n';;"
        )
    };
    let named = |name: &str| game.move_named(name).unwrap();
    let mut agent = program(&cases("D1-D2")).agent(&game, &resources()).unwrap();
    asked(&mut *agent, &game, &start, &[named("a1b1"), named("c2c1")]).unwrap();
    let told = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(
        lines,
        [
            "boardsize 4",
            "clear_board",
            "play b A4-B4",
            "play w C3-C4",
            "genmove b"
        ]
    );
    // The next turn goes on, another start begins anew.
    let moves = ["a1b1", "c2c1", "d4d3", "a2a3"].map(named);
    let _ = asked(&mut *agent, &game, &start, &moves);
    let told = std::fs::read_to_string(&log).unwrap();
    assert!(
        told.ends_with("genmove b\nplay w A3-A2\ngenmove b\n"),
        "{told}"
    );
    let _ = asked(&mut *agent, &game, &start, &[]);
    let told = std::fs::read_to_string(&log).unwrap();
    assert!(
        told.ends_with("genmove b\nboardsize 4\nclear_board\ngenmove b\n"),
        "{told}"
    );

    // Who knows other games is told which.
    std::fs::remove_file(&log).unwrap();
    let setup: Setup = "xoo|x.o".parse().unwrap();
    let game = Clobber::<u64>::new(setup.board.clone());
    let start = game.position(&setup, Color::White).unwrap();
    let cases = format!(
        "list_commands) printf '= play\\nupstar-game\\n\\n';; {}",
        cases("B2-A2")
    );
    let choice = ask(&game, &start, &[], &program(&cases)).unwrap();
    assert_eq!(game.move_name(choice.mv), "b1a1");
    let told = std::fs::read_to_string(&log).unwrap();
    assert_eq!(told, "upstar-game clobber xoo|x.o o\ngenmove w\n");
}

#[test]
fn bad_programs_are_faults() {
    let (game, start) = square();
    let check = |cases: &str, parts: &[&str]| {
        let begun = Instant::now();
        let fault = ask(&game, &start, &[], &program(cases))
            .unwrap_err()
            .to_string();
        for part in parts.iter().chain(&["engine 'sh -c"]) {
            assert!(fault.contains(part), "{cases}: {fault}");
        }
        assert!(begun.elapsed() < Duration::from_secs(10));
    };
    check(
        "genmove) sleep 30;;",
        &["has not answered for 0.3 seconds", "genmove b"],
    );
    check("genmove) exit;;", &["has ended", "genmove b"]);
    check("list_commands) exit;;", &["has ended"]);
    check(
        "genmove) printf '= A1-B2\\n\\n';;",
        &["played A1-B2, which is not legal"],
    );
    check("genmove) printf '= A1-A1\\n\\n';;", &["A1-A1"]);
    check(
        "genmove) printf '= pass\\n\\n';;",
        &["'pass', which is not a move"],
    );
    check("genmove) printf '=\\n\\n';;", &["answered ''"]);
    check(
        "genmove) printf '? too hard\\n\\n';;",
        &["refused the command 'genmove b'", "too hard"],
    );
    check(
        "genmove) printf 'A1-B1\\n\\n';;",
        &["said 'A1-B1', which is not an answer"],
    );
    check("genmove) printf '= A1';;", &["has not answered"]);
    check("genmove) while :; do echo '= x'; done;;", &["without end"]);
    // Not even a new line at the end of it, and nothing but new lines.
    check(
        "genmove) printf '= '; exec tr '\\0' x < /dev/zero;;",
        &["answered without end"],
    );
    check(
        "genmove) exec tr '\\0' '\\n' < /dev/zero;;",
        &["has not answered for 0.3 seconds"],
    );
    check(
        "boardsize) printf '? unacceptable size\\n\\n';;",
        &["boardsize 4", "unacceptable size"],
    );
}

#[test]
fn a_program_without_other_games_begins_at_the_usual_start() {
    let setup: Setup = "xo.x|oxox|xoxo|oxox".parse().unwrap();
    let game = Clobber::<u64>::new(setup.board.clone());
    let fault = ask(
        &game,
        &game.position(&setup, Color::Black).unwrap(),
        &[],
        &program(""),
    );
    assert!(fault.unwrap_err().to_string().contains("upstar-game"));
    let grid = "2x26".parse().unwrap();
    let game = Clobber::<u64>::new(grid);
    let start = game
        .position(&clobber::checkerboard(grid), Color::Black)
        .unwrap();
    let fault = ask(&game, &start, &[], &program(""));
    assert!(
        fault
            .unwrap_err()
            .to_string()
            .contains("at most 25 columns")
    );
}

#[test]
fn a_program_that_is_not_there_is_refused() {
    let (game, _) = square();
    for (command, part) in [
        (
            "no-such-program-anywhere --gtp",
            "'no-such-program-anywhere' cannot be started",
        ),
        ("it's", "not closed"),
    ] {
        let spec = AgentSpec::Engine(EngineSpec::new(command));
        let sentence = spec.agent(&game, &resources()).err().unwrap().to_string();
        assert!(sentence.contains(part), "{sentence}");
    }
}

#[test]
fn to_resign_is_no_fault() {
    let (game, start) = square();
    let given_up = |cases: &str| ask(&game, &start, &[], &program(cases)).unwrap_err();
    assert!(given_up("genmove) printf '= resign\\n\\n';;").is_resignation());
    assert!(given_up("genmove) printf '= RESIGN\\n\\n';;").is_resignation());
    assert!(!given_up("genmove) printf '? resign\\n\\n';;").is_resignation());
}

/// What a program that knows these commands is told of this time for its first move.
fn told_of_time(commands: &str, budget: &Budget) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let spec = program(&format!(
        "list_commands) printf '= {commands}\\n\\n';; genmove) printf '= A4-B4\\n\\n';; *time*) echo $line >> {}; printf '? whatever\\n\\n';;",
        log.display()
    ));
    let (game, start) = square();
    let turn = Turn {
        start: &start,
        moves: &[],
        position: &start,
        budget,
    };
    let mut agent = spec.agent(&game, &resources()).unwrap();
    agent.choose(&turn, &mut Random::new(1)).unwrap();
    let told = std::fs::read_to_string(&log).unwrap_or_default();
    told.lines().map(str::to_owned).collect()
}

#[test]
fn programs_are_told_the_time() {
    let all = "upstar-time\\ntime_left\\ntime_settings";
    let usual = "time_left\\ntime_settings\\nplay";
    let nothing: [&str; 0] = [];
    assert_eq!(told_of_time(all, &Budget::unlimited()), nothing);
    let minutes = Budget::unlimited().with_time(Duration::from_millis(100_900));
    assert_eq!(told_of_time("play", &minutes), nothing);
    assert_eq!(
        told_of_time(usual, &minutes),
        ["time_settings 0 100 1", "time_left b 100 1"]
    );
    let short = Budget::unlimited().with_time(Duration::from_millis(900));
    assert_eq!(told_of_time("time_left", &short), ["time_left b 1 1"]);
    let told = told_of_time(all, &minutes);
    let [told] = &told[..] else {
        panic!("{told:?}");
    };
    let (name, time) = told.split_once(' ').unwrap();
    assert_eq!(name, "upstar-time");
    assert!((90_000..100_890).contains(&time.parse::<u32>().unwrap()));
}

/// No clock runs while a program gets ready.
#[test]
fn programs_start_before_the_game() {
    let (game, start) = square();
    let AgentSpec::Engine(ready) = program("genmove) printf '= A4-B4\\n\\n';;") else {
        unreachable!()
    };
    let slow = ready.command.replacen("while", "sleep 1; while", 1);
    let spec = AgentSpec::Engine(EngineSpec::new(slow));
    let patient = Resources {
        patience: Duration::from_secs(20),
        ..Resources::default()
    };
    let mut agent = spec.agent(&game, &patient).unwrap();
    let turn = Turn {
        start: &start,
        moves: &[],
        position: &start,
        budget: &Budget::unlimited().with_time(Duration::from_millis(800)),
    };
    agent.choose(&turn, &mut Random::new(1)).unwrap();
}

/// An answer that comes too late is not taken for that to another command.
#[test]
fn after_silence_a_program_is_not_asked_again() {
    let (game, start) = square();
    let spec = program("genmove) sleep 0.5; printf '= A4-B4\\n\\n';;");
    let mut agent = spec.agent(&game, &resources()).unwrap();
    let fault = asked(&mut *agent, &game, &start, &[]).unwrap_err();
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(asked(&mut *agent, &game, &start, &[]), Err(fault));
}

/// A program that hangs, and has started another one; both write their numbers into this folder.
fn hanging(folder: &Path) -> AgentSpec {
    let folder = folder.display();
    AgentSpec::Engine(EngineSpec::new(format!(
        "sh -c 'sleep 1000 & echo $! > {folder}/child; echo $$ > {folder}/program; exec sleep 1000'"
    )))
}

/// Whether one of them still runs. Who has ended but was not asked for by anybody does not.
fn hangs(folder: &Path) -> bool {
    ["child", "program"].iter().any(|name| {
        let pid = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        let state = std::process::Command::new("ps")
            .args(["-o", "stat=", "-p", pid.trim()])
            .output();
        let state = String::from_utf8(state.unwrap().stdout).unwrap();
        !state.trim().is_empty() && !state.starts_with('Z')
    })
}

#[test]
fn programs_do_not_outlive_their_agents() {
    let folder = tempfile::tempdir().unwrap();
    let (game, start) = square();
    let _ = ask(&game, &start, &[], &hanging(folder.path())).unwrap_err();
    let begun = Instant::now();
    while hangs(folder.path()) {
        assert!(begun.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Nor do they outlive a process that is killed; the process is this test in another role.
#[test]
fn programs_do_not_outlive_a_process_that_is_killed() {
    const FOLDER: &str = "UPSTAR_TEST_HANGING_ENGINE";
    if let Some(folder) = std::env::var_os(FOLDER) {
        let (game, _) = square();
        let _agent = hanging(folder.as_ref()).agent(&game, &resources()).unwrap();
        std::process::abort();
    }
    let folder = tempfile::tempdir().unwrap();
    let this = std::env::current_exe().unwrap();
    let name = "engines::programs_do_not_outlive_a_process_that_is_killed";
    let killed = std::process::Command::new(this)
        .args(["--exact", name])
        .env(FOLDER, folder.path())
        .output();
    assert!(!killed.unwrap().status.success());
    let begun = Instant::now();
    while hangs(folder.path()) {
        assert!(begun.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(50));
    }
}
