//! Guesses the address behind a mistyped one.

use docent_describe::SimilarNames;
use url::{Host, Url};

/// Returns the URL that a text without a scheme stands for, if it looks like one: `localhost:8080`,
/// `example.com/rpc`.
pub(super) fn url(text: &str) -> Option<Url> {
    let typed = text.split_once(':').filter(|(scheme, rest)| {
        matches!(*scheme, "http" | "https") && !rest.starts_with(|it: char| it.is_ascii_digit())
    });
    if let Some((scheme, rest)) = typed {
        let rest = rest.trim_start_matches('/');
        return Url::parse(&format!("{scheme}://{rest}")).ok();
    }
    let url = Url::parse(&format!("http://{text}")).ok()?;
    let (place, has_path) = match text.split_once('/') {
        Some((place, _)) => (place, true),
        None => (text, false),
    };
    match url.host()? {
        _ if place.is_empty() || place.starts_with('.') => None,
        // A public host.
        Host::Domain(name) if name.contains('.') && !place.contains(':') => {
            // `openrpc.json` is a file.
            let public = Url::parse(&format!("https://{text}")).ok();
            public.filter(|_| has_path)
        }
        // `docs/openrpc.json` is a file.
        Host::Domain(name) => {
            Some(url.clone()).filter(|_| name == "localhost" || place.contains(':'))
        }
        Host::Ipv4(_) => Some(url.clone()).filter(|_| place.split('.').count() == 4),
        Host::Ipv6(_) => Some(url),
    }
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
