//! The tabs of browsers: each has one event stream, a session for its jobs, and an outbox that survives a
//! broken connection.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use serde::Serialize;
use tokio::sync::{Notify, mpsc};
use tokio_stream::wrappers::ReceiverStream;
use upstar_session::Session;

use crate::error::Refused;

/// The most tabs of all browsers together, and of one address.
const MOST_TABS: usize = 1024;
const MOST_OF_ADDRESS: usize = 512;
/// The events that an outbox keeps for a tab that does not read.
const OUTBOX: usize = 256;
/// A tab without a stream is given up after this time.
const PATIENCE: Duration = Duration::from_secs(20);
/// A comment is sent so often, so that a broken connection is noticed.
const HEARTBEAT: Duration = Duration::from_secs(15);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All tabs by their names.
#[derive(Default)]
pub(crate) struct Tabs(Mutex<HashMap<String, Arc<Tab>>>);

/// A tab of a browser.
pub(crate) struct Tab {
    pub(crate) name: String,
    address: IpAddr,
    outbox: Mutex<Outbox>,
    changed: Notify,
    streams: AtomicUsize,
    /// When the last stream ended, or the tab began.
    left: Mutex<Instant>,
    /// Made with the first job.
    pub(crate) session: Mutex<Option<Session>>,
}

#[derive(Default)]
struct Outbox {
    last: u64,
    events: VecDeque<Outgoing>,
}

struct Outgoing {
    number: u64,
    /// Progress of this job, which a later event about it replaces.
    progress_of: Option<String>,
    text: String,
}

impl Tabs {
    /// The tab of this name, new or not.
    pub(crate) fn open(&self, name: &str, address: IpAddr) -> Result<Arc<Tab>, Refused> {
        if name.len() != 32 || !name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Refused::input("a tab is named by 32 hexadecimal digits"));
        }
        let mut tabs = locked(&self.0);
        if let Some(tab) = tabs.get(name) {
            return Ok(Arc::clone(tab));
        }
        let of_address = tabs.values().filter(|tab| tab.address == address).count();
        if tabs.len() >= MOST_TABS || of_address >= MOST_OF_ADDRESS {
            return Err(Refused::crowded("too many tabs are open; close some"));
        }
        let tab = Arc::new(Tab {
            name: name.to_owned(),
            address,
            outbox: Mutex::default(),
            changed: Notify::new(),
            streams: AtomicUsize::new(0),
            left: Mutex::new(Instant::now()),
            session: Mutex::default(),
        });
        tabs.insert(name.to_owned(), Arc::clone(&tab));
        Ok(tab)
    }

    /// Takes away the tabs that nobody has looked at for a while.
    pub(crate) fn abandoned(&self) -> Vec<Arc<Tab>> {
        let mut tabs = locked(&self.0);
        let is_gone = |tab: &Arc<Tab>| {
            tab.streams.load(Ordering::Relaxed) == 0 && locked(&tab.left).elapsed() > PATIENCE
        };
        let names: Vec<String> = tabs
            .iter()
            .filter(|(_, tab)| is_gone(tab))
            .map(|(name, _)| name.clone())
            .collect();
        names.iter().filter_map(|name| tabs.remove(name)).collect()
    }

    /// All tabs, to tell them something.
    pub(crate) fn all(&self) -> Vec<Arc<Tab>> {
        locked(&self.0).values().cloned().collect()
    }
}

impl Tab {
    /// Tells the tab something.
    pub(crate) fn tell(&self, event: &str, object: &impl Serialize) {
        self.post(event, object, None);
    }

    /// Tells the tab about a job. What was told of its progress before and not sent yet is left out.
    pub(crate) fn tell_job(&self, job: &str, object: &impl Serialize, is_progress: bool) {
        self.forget_progress(job);
        self.post("job", object, is_progress.then(|| job.to_owned()));
    }

    fn forget_progress(&self, job: &str) {
        let mut outbox = locked(&self.outbox);
        outbox
            .events
            .retain(|event| event.progress_of.as_deref() != Some(job));
    }

    fn post(&self, event: &str, object: &impl Serialize, progress_of: Option<String>) {
        let data = serde_json::to_string(object).expect("all keys are texts");
        let mut outbox = locked(&self.outbox);
        outbox.last += 1;
        let number = outbox.last;
        outbox.events.push_back(Outgoing {
            number,
            progress_of,
            text: format!("id: {number}\nevent: {event}\ndata: {data}\n\n"),
        });
        while outbox.events.len() > OUTBOX {
            outbox.events.pop_front();
        }
        drop(outbox);
        self.changed.notify_waiters();
    }

    /// What was told after the event with this number.
    fn since(&self, number: u64) -> Option<(u64, String)> {
        let outbox = locked(&self.outbox);
        let new = outbox.events.iter().filter(|event| event.number > number);
        let text: String = new.map(|event| event.text.as_str()).collect();
        (!text.is_empty()).then_some((outbox.last, text))
    }

    /// The stream of events after the one with this number, for as long as somebody reads.
    pub(crate) fn stream(self: &Arc<Self>, mut after: u64) -> Body {
        let (send, receive) = mpsc::channel::<Result<Bytes, std::convert::Infallible>>(1);
        let tab = Arc::clone(self);
        tab.streams.fetch_add(1, Ordering::Relaxed);
        tokio::spawn(async move {
            // The browser knows at once that the stream is there.
            let mut next = Some(": upstar\nretry: 1000\n\n".to_owned());
            loop {
                let changed = tab.changed.notified();
                if next.is_none()
                    && let Some((last, text)) = tab.since(after)
                {
                    (after, next) = (last, Some(text));
                }
                match next.take() {
                    Some(text) => {
                        if send.send(Ok(Bytes::from(text))).await.is_err() {
                            break;
                        }
                    }
                    None => tokio::select! {
                        () = changed => {}
                        () = tokio::time::sleep(HEARTBEAT) => next = Some(": still here\n\n".to_owned()),
                        () = send.closed() => break,
                    },
                }
            }
            *locked(&tab.left) = Instant::now();
            tab.streams.fetch_sub(1, Ordering::Relaxed);
        });
        Body::from_stream(ReceiverStream::new(receive))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::net::Ipv4Addr;

    fn tab() -> Arc<Tab> {
        let tabs = Tabs::default();
        tabs.open(&"0".repeat(32), Ipv4Addr::LOCALHOST.into())
            .unwrap()
    }

    #[test]
    fn old_progress_is_left_out_and_results_stay() {
        let tab = tab();
        for share in 0..10 {
            tab.tell_job("a", &json!({ "progress": share }), true);
        }
        tab.tell_job("b", &json!({ "progress": 0 }), true);
        tab.tell_job("a", &json!({ "winner": "x" }), false);
        let (last, text) = tab.since(0).unwrap();
        assert_eq!(text.matches("event: job").count(), 2, "{text}");
        assert!(text.contains("winner"), "{text}");
        assert_eq!(tab.since(last), None);
    }

    #[test]
    fn names_are_checked_and_tabs_are_counted() {
        let tabs = Tabs::default();
        for name in ["", "../../etc/passwd", &"g".repeat(32), &"a".repeat(33)] {
            assert!(
                tabs.open(name, Ipv4Addr::LOCALHOST.into()).is_err(),
                "{name}"
            );
        }
        let name = |number: usize| format!("{number:032x}");
        for number in 0..MOST_OF_ADDRESS {
            assert!(tabs.open(&name(number), Ipv4Addr::LOCALHOST.into()).is_ok());
        }
        let more = tabs.open(&name(MOST_OF_ADDRESS), Ipv4Addr::LOCALHOST.into());
        assert!(more.is_err());
        assert!(tabs.open(&name(0), Ipv4Addr::LOCALHOST.into()).is_ok());
    }
}
