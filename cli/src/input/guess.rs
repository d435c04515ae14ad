//! Guesses the address behind a mistyped one, for the message that suggests it.
//!
//! A guess is only suggested, never requested: a wrong one could receive credentials that were meant for another host.

use url::Url;

/// Returns the URL that a text without `://` stands for, if it looks like one: `localhost/rpc`,
/// `example.com:8080`.
pub(super) fn url(text: &str) -> Option<Url> {
    let typed = text.split_once(':').filter(|(scheme, rest)| {
        matches!(*scheme, "http" | "https")
            && !rest.starts_with(|first: char| first.is_ascii_digit())
    });
    let (scheme, after_scheme) = typed.unwrap_or(("http", text));
    let rest = after_scheme.trim_start_matches('/');
    let host = rest.split('/').next().unwrap_or_default();
    // `openrpc.json` and `docs/openrpc.json` are files.
    if typed.is_none() && host != "localhost" && !host.contains(':') {
        return None;
    }
    Url::parse(&format!("{scheme}://{rest}")).ok()
}

#[cfg(test)]
mod tests {
    use super::url;

    #[test]
    fn an_address_without_a_scheme_is_recognised() {
        for (text, meant) in [
            ("localhost:8080/rpc", Some("http://localhost:8080/rpc")),
            ("localhost/rpc", Some("http://localhost/rpc")),
            ("127.0.0.1:80", Some("http://127.0.0.1/")),
            ("[::1]:8080/rpc", Some("http://[::1]:8080/rpc")),
            ("example.com/rpc", None),
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
}
