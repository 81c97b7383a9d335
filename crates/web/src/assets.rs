//! The files of the page, which are inside the program, as they are sent.
//!
//! A browser asks for one file and has everything: styles and scripts stand in it (see [`crate::page`]). From a folder
//! the modules are served one by one, as they are written.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use axum::body::{Body, Bytes};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
    VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use rust_embed::RustEmbed;

use crate::error::Refused;
use crate::gzip;
use crate::page::Page;

#[derive(RustEmbed)]
#[folder = "page/"]
struct Embedded;

/// The page itself.
pub(crate) const INDEX: &str = "index.html";
/// What stands above a script that has the libraries in it.
pub(crate) const LIBRARIES: &str = "with preact (MIT) and htm (Apache-2.0)";

/// The text of a file of the page.
pub(crate) fn text(name: &str) -> Option<String> {
    String::from_utf8(Embedded::get(name)?.data.into_owned()).ok()
}

/// A file, ready to be sent.
struct Asset {
    kind: &'static str,
    tag: String,
    /// The content security policy, where it is not that of all answers.
    policy: Option<HeaderValue>,
    plain: Bytes,
    packed: Bytes,
}

/// Where the files come from.
pub(crate) struct Assets {
    /// Read anew for each request, for work on the page.
    folder: Option<PathBuf>,
    packed: OnceLock<HashMap<String, Arc<Asset>>>,
}

impl Assets {
    /// The embedded files, or those of a folder.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self {
            folder,
            packed: OnceLock::new(),
        }
    }

    /// The file of this name, as the browser wants it.
    pub(crate) fn response(&self, name: &str, headers: &HeaderMap) -> Response {
        let Some(asset) = self.asset(name) else {
            return Refused::missing("there is no such page").into_response();
        };
        let known = headers.get(IF_NONE_MATCH);
        let known = known.and_then(|value| value.to_str().ok());
        let head = [
            (ETAG, asset.tag.as_str()),
            (CACHE_CONTROL, "no-cache"),
            (VARY, "Accept-Encoding"),
        ];
        let policy = asset.policy.clone();
        let head = (head, policy.map(|it| [(CONTENT_SECURITY_POLICY, it)]));
        if known.is_some_and(|tags| tags.contains(&asset.tag)) {
            return (StatusCode::NOT_MODIFIED, head, ()).into_response();
        }
        let kind = [(CONTENT_TYPE, asset.kind)];
        if gzip::is_accepted(headers) {
            let coding = [(CONTENT_ENCODING, "gzip")];
            return (head, kind, coding, Body::from(asset.packed.clone())).into_response();
        }
        (head, kind, Body::from(asset.plain.clone())).into_response()
    }

    fn asset(&self, name: &str) -> Option<Arc<Asset>> {
        if let Some(folder) = &self.folder {
            // A name is compared with what is there, and never becomes a path.
            let (_, path) = files(folder, "").into_iter().find(|(it, _)| it == name)?;
            return Some(Arc::new(Asset::new(name, std::fs::read(path).ok()?)));
        }
        self.packed.get_or_init(packed).get(name).cloned()
    }

    /// Gets the files ready before anybody asks.
    pub(crate) fn prepare(&self) {
        if self.folder.is_none() {
            self.packed.get_or_init(packed);
        }
    }
}

/// The embedded files that a browser asks for: modules and styles stand in the page itself.
fn packed() -> HashMap<String, Arc<Asset>> {
    let names = Embedded::iter().filter(|name| !name.ends_with(".js") && !name.ends_with(".css"));
    let asset = |name: &str| {
        if name == INDEX {
            let page = Page::of(&text(INDEX)?, LIBRARIES, &text);
            let page = page.expect("the page is tested as a whole");
            let policy = page.policy.parse().expect("a policy is plain text");
            let asset = Asset::new(INDEX, page.html.into_bytes());
            return Some(Asset {
                policy: Some(policy),
                ..asset
            });
        }
        Some(Asset::new(name, Embedded::get(name)?.data.into_owned()))
    };
    names
        .filter_map(|name| Some((name.to_string(), Arc::new(asset(&name)?))))
        .collect()
}

/// All files below a folder with their names relative to it.
fn files(folder: &Path, prefix: &str) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for entry in entries {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => found.extend(files(&entry.path(), &format!("{name}/"))),
            Ok(kind) if kind.is_file() => found.push((name, entry.path())),
            _ => {}
        }
    }
    found
}

impl Asset {
    fn new(name: &str, plain: Vec<u8>) -> Self {
        let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("png") => "image/png",
            Some("json") => "application/json",
            _ => "text/plain; charset=utf-8",
        };
        Self {
            kind,
            tag: format!("\"{:.32}\"", upstar_runs::checksum(&plain)),
            policy: None,
            packed: gzip::packed(&plain, Compression::best()).into(),
            plain: plain.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a browser loads in all.
    #[test]
    fn the_page_is_small() {
        let assets = packed();
        let page = &assets[INDEX];
        assert!(page.policy.is_some());
        let all: usize = assets.values().map(|asset| asset.packed.len()).sum();
        assert!(all < 150_000, "{all} bytes compressed");
    }
}
