//! Compressed answers, for those who accept them.

use std::io::Write;

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_ENCODING;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Whether the client takes gzip.
pub(crate) fn is_accepted(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).iter();
    let mut codings = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    codings.any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let quality = quality.trim().strip_prefix("q=");
        let is_refused = quality.is_some_and(|it| it.trim().parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

/// The bytes, compressed.
pub(crate) fn packed(plain: &[u8], level: Compression) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), level);
    let packed = packer.write_all(plain).and_then(|()| packer.finish());
    packed.expect("memory does not fail to be written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_say_whether_they_take_it() {
        for (text, accepted) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("gzip; q=0.0, br", false),
            ("identity", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, text.parse().unwrap())]);
            assert_eq!(is_accepted(&headers), accepted, "{text}");
        }
    }
}
