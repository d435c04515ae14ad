//! Guesses the address behind a mistyped one.

use docent_describe::SimilarNames;
use url::{Host, Url};

/// Returns the URL that a text without a scheme stands for, if it looks like one: `localhost:8080`,
/// `example.com/rpc`.
pub(super) fn url(text: &str) -> Option<Url> {
    // `http:/example.com`, and `http:example.com`.
    for scheme in ["http", "https"] {
        let rest = text
            .strip_prefix(scheme)
            .and_then(|rest| rest.strip_prefix(':'));
        if let Some(rest) = rest.filter(|rest| !rest.starts_with(|it: char| it.is_ascii_digit())) {
            let rest = rest.trim_start_matches('/');
            return Url::parse(&format!("{scheme}://{rest}")).ok();
        }
    }
    let (place, path) = match text.find('/') {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let parsed = Url::parse(&format!("http://{text}")).ok()?;
    let host = parsed.host()?;
    let has_port = place
        .rsplit_once(':')
        .is_some_and(|(_, port)| !port.is_empty() && port.bytes().all(|it| it.is_ascii_digit()));
    let is_named = match &host {
        Host::Domain(name) => {
            // `docs/openrpc.json` and `openrpc.json` are files.
            *name == "localhost" || has_port || name.contains('.') && !path.is_empty()
        }
        Host::Ipv4(_) => place.split(':').next()?.split('.').count() == 4,
        Host::Ipv6(_) => true,
    };
    if !is_named || place.is_empty() || place.starts_with('.') {
        return None;
    }
    let is_public = match &host {
        Host::Domain(name) => name.contains('.') && !has_port,
        _ => false,
    };
    if is_public {
        return Url::parse(&format!("https://{text}")).ok();
    }
    Some(parsed)
}

/// Returns the scheme that is meant by a similar one.
pub(super) fn scheme(text: &str) -> Option<String> {
    let known = SimilarNames::new(["http", "https"]);
    known.closest(text, 1).first().map(ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::{scheme, url};

    #[test]
    fn an_address_without_a_scheme_is_recognised() {
        for (text, meant) in [
            ("localhost:8080/rpc", Some("http://localhost:8080/rpc")),
            ("localhost/rpc", Some("http://localhost/rpc")),
            ("127.0.0.1:80", Some("http://127.0.0.1/")),
            ("[::1]:8080/rpc", Some("http://[::1]:8080/rpc")),
            ("example.com/rpc", Some("https://example.com/rpc")),
            ("example.com:8080", Some("http://example.com:8080/")),
            ("service:8080/rpc", Some("http://service:8080/rpc")),
            ("http:/example.com/rpc", Some("http://example.com/rpc")),
            ("https:example.com", Some("https://example.com/")),
            ("http:8080/rpc", Some("http://http:8080/rpc")),
            ("openrpc.json", None),
            ("docs/openrpc.json", None),
            ("./a.b/c", None),
            ("../a.b/c", None),
            ("/etc/x", None),
            ("1", None),
            ("a:b", None),
            ("", None),
        ] {
            let found = url(text);
            assert_eq!(found.as_ref().map(url::Url::as_str), meant, "{text}");
        }
    }

    #[test]
    fn a_scheme_with_a_slip_is_recognised() {
        assert_eq!(scheme("htp").as_deref(), Some("http"));
        assert_eq!(scheme("htpps").as_deref(), Some("https"));
        assert_eq!(scheme("file"), None);
    }
}
