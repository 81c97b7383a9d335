//! `serve`: the page in the browser.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use serde::Serialize;
use upstar_agents::Resources;
use upstar_jobs::{Ledger, quantity};
use upstar_session::Host;
use upstar_solve::{Settings, Solver};
use upstar_web::{Options, Server};

use crate::failure::{Done, Failure, shown};
use crate::output::Output;
use crate::search::{budget, value_tables};

/// Where and for whom.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The port [default: 7878, or any that is free if that is taken]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// The address to listen on; 0.0.0.0 is reached from other machines
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Folders whose runs are shown [default: the current folder]
    #[arg(long, value_name = "DIR", num_args = 1..)]
    runs: Vec<PathBuf>,
    /// Read-only and without a token, with small limits: for a class or a poster
    #[arg(long)]
    public: bool,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// How many threads a search may use [default: all cores]
    #[arg(long, value_name = "N", value_parser = quantity::threads)]
    threads: Option<usize>,
    /// The most memory for searches of all tabs together: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = quantity::memory)]
    memory: usize,
    /// Serve the page from this folder, for work on the page itself
    #[arg(long, value_name = "DIR", hide = true)]
    page: Option<PathBuf>,
}

/// The port that is tried first.
const PORT: u16 = 7878;

#[derive(Serialize)]
struct Served {
    url: String,
}

/// Lets other programs go first: a browser that draws waits for nobody, and analyses take what is left. All threads
/// that are started later inherit this.
#[cfg(unix)]
fn make_way() {
    const STEPS: i32 = 10;
    // Where that cannot be had the page is only a little slower.
    let _ = rustix::process::nice(STEPS);
}

/// There is no such thing here.
#[cfg(not(unix))]
fn make_way() {}

pub(crate) fn run(arguments: &Arguments, output: &Output) -> Done {
    for folder in &arguments.runs {
        if !folder.is_dir() {
            let sentence = format!("there is no folder {}", shown(folder));
            return Err(Failure::input(sentence, "upstar serve --runs DIR"));
        }
    }
    make_way();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.unwrap_or(cores);
    let host = Host::new(Resources {
        solver: Solver::new(Settings {
            memory: arguments.memory / 2,
            threads,
            tables: value_tables(),
            ledger: Ledger::new(arguments.memory, threads),
            ..Settings::default()
        }),
        memory: arguments.memory / 8,
        ..Resources::default()
    });
    let options = |port| Options {
        address: SocketAddr::new(arguments.listen, port),
        public: arguments.public,
        runs: match arguments.runs.as_slice() {
            [] => vec![PathBuf::from(".")],
            folders => folders.to_vec(),
        },
        page: arguments.page.clone(),
        threads,
    };
    let bound = match arguments.port {
        Some(port) => Server::bind(options(port), host),
        None => {
            Server::bind(options(PORT), host.clone()).or_else(|_| Server::bind(options(0), host))
        }
    };
    let listening = bound.map_err(|error| Failure::input(error, "upstar serve --port 7879"))?;
    let served = Served {
        url: listening.url(),
    };
    output.print(&served, |served| format!("{}\nCtrl-C ends it", served.url))?;
    if !arguments.no_open {
        open(&served.url);
    }
    listening.serve(&budget(None));
    Ok(ExitCode::SUCCESS)
}

/// Opens an address in the user's browser, where there is one.
fn open(url: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else if std::env::var_os("DISPLAY").is_some() || std::env::var_os("WAYLAND_DISPLAY").is_some()
    {
        "xdg-open"
    } else {
        return;
    };
    // The address is printed too, so nothing is lost if this does not work.
    let _ = Command::new(program)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
}
