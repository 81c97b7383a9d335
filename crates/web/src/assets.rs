//! The files of the page, which are inside the program.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use rust_embed::RustEmbed;

use crate::error::Refused;
use crate::gzip;

#[derive(RustEmbed)]
#[folder = "page/"]
pub(crate) struct Embedded;

/// A file, ready to be sent.
struct Asset {
    kind: &'static str,
    tag: String,
    plain: Vec<u8>,
    packed: Vec<u8>,
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
        if known.is_some_and(|tags| tags.contains(&asset.tag)) {
            return (StatusCode::NOT_MODIFIED, head).into_response();
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
        let packed = self.packed.get_or_init(|| {
            let names = Embedded::iter();
            let read = |name: &str| Some(Embedded::get(name)?.data.into_owned());
            let assets = names.filter_map(|name| {
                let asset = Asset::new(&name, read(&name)?);
                Some((name.into_owned(), Arc::new(asset)))
            });
            assets.collect()
        });
        packed.get(name).cloned()
    }
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
            packed: gzip::packed(&plain, Compression::best()),
            plain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a browser loads in all.
    #[test]
    fn the_page_is_small() {
        let names: Vec<_> = Embedded::iter().collect();
        assert!(names.iter().any(|name| name == "index.html"));
        let assets = Assets::new(None);
        let size = |name: &str| assets.asset(name).unwrap().packed.len();
        let all: usize = names.iter().map(|name| size(name)).sum();
        assert!(all < 150_000, "{all} bytes compressed");
    }
}
