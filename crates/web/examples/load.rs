//! Puts a load on a server that runs on this machine, and says how quickly it still answers:
//!
//! ```text
//! upstar serve --public --no-open --port 7878 &
//! cargo run --release -p upstar-web --example load -- 7878 --tabs 200 --rate 20 --seconds 300 --hostile
//! ```
//!
//! Every tab has an open event stream. Analyses are begun at a fixed rate, tab after tab, of random Clobber positions,
//! each with a time of 100 ms. Five cheap requests a second are timed. With `--hostile` there are also 10,000
//! connections that stop in the middle of a request, bodies of a gigabyte, and slow senders.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

struct Load {
    server: SocketAddr,
    tabs: u64,
    rate: u64,
    time: Duration,
    hostile: bool,
}

#[derive(Default)]
struct Count {
    begun: AtomicU64,
    refused: AtomicU64,
    failed: AtomicU64,
    results: AtomicU64,
    errors: AtomicU64,
    broken_streams: AtomicU64,
}

fn main() -> ExitCode {
    let Some(load) = Load::read() else {
        eprintln!("load PORT [--tabs N] [--rate N] [--seconds N] [--hostile]");
        return ExitCode::from(2);
    };
    connections();
    let runtime = tokio::runtime::Runtime::new().expect("the system gives threads");
    runtime.block_on(run(Arc::new(load)));
    ExitCode::SUCCESS
}

impl Load {
    fn read() -> Option<Self> {
        let mut words = std::env::args().skip(1);
        let port: u16 = words.next()?.parse().ok()?;
        let mut load = Self {
            server: (Ipv4Addr::LOCALHOST, port).into(),
            tabs: 200,
            rate: 20,
            time: Duration::from_secs(60),
            hostile: false,
        };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--tabs" => load.tabs = words.next()?.parse().ok()?,
                "--rate" => load.rate = words.next()?.parse().ok()?,
                "--seconds" => load.time = Duration::from_secs(words.next()?.parse().ok()?),
                "--hostile" => load.hostile = true,
                _ => return None,
            }
        }
        Some(load)
    }

    fn head(&self, line: &str, length: usize) -> String {
        let server = self.server;
        format!(
            "{line} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
        )
    }

    /// The status of a request.
    async fn ask(&self, line: &str, body: &str) -> Option<u16> {
        let mut stream = TcpStream::connect(self.server).await.ok()?;
        let text = self.head(line, body.len()) + body;
        stream.write_all(text.as_bytes()).await.ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.ok()?;
        std::str::from_utf8(answer.get(9..12)?).ok()?.parse().ok()
    }
}

async fn run(load: Arc<Load>) {
    let count = Arc::new(Count::default());
    for tab in 0..load.tabs {
        tokio::spawn(watch(Arc::clone(&load), tab, Arc::clone(&count)));
    }
    if load.hostile {
        tokio::spawn(half_open(Arc::clone(&load)));
        tokio::spawn(huge_bodies(Arc::clone(&load)));
    }
    sleep(Duration::from_secs(2)).await;
    tokio::spawn(analyse(Arc::clone(&load), Arc::clone(&count)));
    let (mut times, mut lost) = (Vec::new(), 0);
    let mut beat = interval(Duration::from_millis(200));
    let begun = Instant::now();
    while begun.elapsed() < load.time {
        beat.tick().await;
        let asked = Instant::now();
        let body = r#"{"game":"clobber","position":"6x6","moves":["a1b1"]}"#;
        match load.ask("POST /api/position", body).await {
            Some(200) => times.push(asked.elapsed()),
            _ => lost += 1,
        }
    }
    times.sort();
    let share = |share: f64| {
        let place = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
        times
            .get(place)
            .map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    let told = |number: &AtomicU64| number.load(Ordering::Relaxed);
    println!(
        "{} tabs, {} analyses a second, {} s, hostile: {}",
        load.tabs,
        load.rate,
        load.time.as_secs(),
        load.hostile
    );
    println!(
        "analyses: {} begun, {} refused, {} failed, {} results, {} errors; streams broken: {}",
        told(&count.begun),
        told(&count.refused),
        told(&count.failed),
        told(&count.results),
        told(&count.errors),
        told(&count.broken_streams)
    );
    println!(
        "cheap requests: {} answered, {lost} lost; median {:.1} ms, 99 % {:.1} ms, slowest {:.1} ms",
        times.len(),
        share(0.5),
        share(0.99),
        share(1.0)
    );
}

fn name(tab: u64) -> String {
    format!("{tab:032x}")
}

/// Reads the events of a tab for ever.
async fn watch(load: Arc<Load>, tab: u64, count: Arc<Count>) {
    loop {
        if let Ok(mut stream) = TcpStream::connect(load.server).await {
            let line = format!("GET /api/events?tab={}", name(tab));
            let _ = stream.write_all(load.head(&line, 0).as_bytes()).await;
            let mut buffer = vec![0; 64 << 10];
            while let Ok(read @ 1..) = stream.read(&mut buffer).await {
                let text = String::from_utf8_lossy(&buffer[..read]);
                let results = text.matches("\"grade\"").count().min(1)
                    * usize::from(!text.contains("\"progress\""));
                count.results.fetch_add(results as u64, Ordering::Relaxed);
                let errors = text.matches("\"error\"").count();
                count.errors.fetch_add(errors as u64, Ordering::Relaxed);
            }
        }
        count.broken_streams.fetch_add(1, Ordering::Relaxed);
        sleep(Duration::from_secs(1)).await;
    }
}

/// Begins analyses at the rate, tab after tab.
async fn analyse(load: Arc<Load>, count: Arc<Count>) {
    let mut beat = interval(Duration::from_secs(1) / load.rate.max(1) as u32);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for number in 0_u64.. {
        beat.tick().await;
        let (load, count) = (Arc::clone(&load), Arc::clone(&count));
        tokio::spawn(async move {
            let tab = name(number % load.tabs);
            let body = format!(
                r#"{{"tab":"{tab}","id":"{number}","command":"analyse","time":"100ms","game":"clobber","position":"random:6x6,seed={number},density=0.7"}}"#
            );
            let counted = match load.ask("POST /api/jobs", &body).await {
                Some(202) => &count.begun,
                Some(429) => &count.refused,
                _ => &count.failed,
            };
            counted.fetch_add(1, Ordering::Relaxed);
        });
    }
}

/// Ten thousand connections that never finish their request, made again as the server closes them.
async fn half_open(load: Arc<Load>) {
    let mut held = Vec::new();
    loop {
        while held.len() < 10_000 {
            let Ok(Ok(mut stream)) =
                timeout(Duration::from_secs(5), TcpStream::connect(load.server)).await
            else {
                break;
            };
            let _ = stream
                .write_all(b"POST /api/position HTTP/1.1\r\nHost: 127")
                .await;
            held.push(stream);
        }
        sleep(Duration::from_secs(5)).await;
        // One letter more each, as slow senders do; those that were closed go.
        let mut alive = Vec::with_capacity(held.len());
        for mut stream in held {
            if stream.write_all(b".").await.is_ok() {
                alive.push(stream);
            }
        }
        held = alive;
    }
}

/// Bodies of a gigabyte, four at a time.
async fn huge_bodies(load: Arc<Load>) {
    let piece = vec![b'x'; 64 << 10];
    let send = async |load: &Load| {
        let Ok(mut stream) = TcpStream::connect(load.server).await else {
            return;
        };
        let head = load.head("POST /api/position", 1_000_000_000);
        let _ = stream.write_all(head.as_bytes()).await;
        for _ in 0..16_000 {
            if stream.write_all(&piece).await.is_err() {
                break;
            }
        }
    };
    loop {
        tokio::join!(send(&load), send(&load), send(&load), send(&load));
        sleep(Duration::from_millis(500)).await;
    }
}

/// As many open connections as the system allows.
#[cfg(unix)]
fn connections() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
}

#[cfg(not(unix))]
fn connections() {}
