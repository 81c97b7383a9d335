//! Who may ask: the right Host and Origin, and the cookie that the printed address gave.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::Refused;
use crate::server::Server;

/// Everything comes from this server and nothing runs that it did not send.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The same for a page whose only script and styles stand in it and have these SHA-256 sums, in base64.
pub(crate) fn policy_of(script: &str, styles: &str) -> String {
    POLICY
        .replace(
            "script-src 'self'",
            &format!("script-src 'sha256-{script}'"),
        )
        .replace("style-src 'self'", &format!("style-src 'sha256-{styles}'"))
}

/// Headers of every answer.
const HEADERS: [(&str, &str); 5] = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("x-frame-options", "DENY"),
];

/// Lets a request through, or says why not.
pub(crate) async fn guard(
    State(server): State<Arc<Server>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match check(&server, &request) {
        Verdict::Allowed => next.run(request).await,
        Verdict::Welcome(cookie) => {
            let head = [(SET_COOKIE, cookie), (LOCATION, "/".to_owned())];
            (StatusCode::SEE_OTHER, head).into_response()
        }
        Verdict::Refused(refused) => refused.into_response(),
    };
    let headers = response.headers_mut();
    // The page itself says what may run in it.
    let policy = HeaderValue::from_static(POLICY);
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(policy);
    for (name, value) in HEADERS {
        let (name, value) = (
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
        headers.insert(name, value);
    }
    response
}

enum Verdict {
    Allowed,
    /// The printed address was opened: this cookie lets the browser in.
    Welcome(String),
    Refused(Refused),
}

fn check(server: &Server, request: &Request) -> Verdict {
    let headers = request.headers();
    let refused = |sentence: &str| Verdict::Refused(Refused::forbidden(sentence));
    let Some(host) = text(headers, HOST).filter(|host| is_known(host)) else {
        return refused("this server is asked by the address that it has printed");
    };
    if let Some(origin) = text(headers, ORIGIN)
        && origin != format!("http://{host}")
    {
        return refused("other sites may not ask this server");
    }
    match text(headers, HeaderName::from_static("sec-fetch-site")) {
        None | Some("same-origin" | "none") => {}
        // A link on another page may open this one, and nothing else.
        Some(_) if is_navigation(request) && request.uri().query().is_none() => {}
        Some(_) => return refused("other sites may not ask this server"),
    }
    let Some(token) = &server.token else {
        return Verdict::Allowed;
    };
    let name = server.cookie_name();
    let has_cookie = headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .any(|(key, value)| key == name && is_same(value, token));
    if has_cookie {
        return Verdict::Allowed;
    }
    let given = request.uri().query().and_then(|query| {
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(key, _)| *key == "token")
    });
    match given {
        Some((_, given)) if request.uri().path() == "/" && is_same(given, token) => {
            Verdict::Welcome(format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict"))
        }
        _ => refused("open the whole address that upstar serve has printed, with its token"),
    }
}

fn is_navigation(request: &Request) -> bool {
    let mode = text(request.headers(), HeaderName::from_static("sec-fetch-mode"));
    request.method() == Method::GET && request.uri().path() == "/" && mode == Some("navigate")
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Whether a Host is an address or this machine itself. Names can be made to lead here by others, addresses
/// cannot.
fn is_known(host: &str) -> bool {
    let is_port = |text: &str| text.parse::<u16>().is_ok();
    let rest = host.strip_prefix("localhost");
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port))
        || host.parse::<SocketAddr>().is_ok()
        || host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<IpAddr>()
            .is_ok()
}

/// Compares in a time that does not tell where two texts differ.
fn is_same(given: &str, token: &str) -> bool {
    let pairs = given.bytes().zip(token.bytes());
    given.len() == token.len() && pairs.fold(0, |bits, (a, b)| bits | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_others_are_refused() {
        for host in [
            "127.0.0.1:7878",
            "localhost:7878",
            "[::1]:7878",
            "192.168.1.5",
        ] {
            assert!(is_known(host), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example:80",
            "",
            "127.0.0.1.nip.io",
            "127.0.0.1:80.evil.example",
            "[::1]evil.example",
        ] {
            assert!(!is_known(host), "{host}");
        }
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(is_same("abc", "abc"));
        for other in ["", "ab", "abd", "abcd"] {
            assert!(!is_same(other, "abc"));
        }
    }
}
