//! The URLs of services and proxies: which machine they lead to, and what of them may be shown.
//!
//! A URL on this machine needs neither a proxy nor encryption, in whatever spelling it is written.

use url::{Host, Url};

use super::credentials::basic;
use crate::failure::Failure;

/// Returns whether a URL leads to this machine, so that requests do not leave it.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => {
            let mapped = address.to_ipv4_mapped();
            address.is_loopback() || mapped.is_some_and(|address| address.is_loopback())
        }
        None => false,
    }
}

/// Returns a URL's origin for messages: scheme, host and port.
pub(super) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Parses the URL of a proxy.
pub(super) fn parse_proxy(text: &str) -> Result<Url, Failure> {
    let scheme = if text.contains("://") { "" } else { "http://" };
    // The text may contain a password, so the message does not quote it.
    let url = Url::parse(&format!("{scheme}{text}"))
        .map_err(|error| Failure::usage(format_args!("--proxy: not a URL: {error}")))?;
    // This masks the password from here on.
    basic(&url);
    match url.scheme() {
        "http" | "https" | "socks4" | "socks4a" | "socks5" | "socks5h" => Ok(url),
        other => Err(Failure::usage(format_args!(
            "--proxy: {other}:// is not supported; use http://, https://, socks4:// or socks5://"
        ))),
    }
}

/// Returns whether a URL is called over a WebSocket.
pub(crate) fn is_socket(url: &Url) -> bool {
    matches!(url.scheme(), "ws" | "wss")
}

#[cfg(test)]
mod tests {
    use super::{is_loopback, parse_proxy};

    #[test]
    fn loopback_is_recognised_in_each_spelling() {
        for (url, expected) in [
            ("http://localhost:1/", true),
            ("http://a.localhost/", true),
            ("http://127.3.4.5/", true),
            ("http://[::1]/", true),
            ("http://[::ffff:127.0.0.1]/", true),
            ("http://0x7f000001/", true),
            ("http://localhost.example/", false),
            ("http://10.0.0.1/", false),
            ("http://[::2]/", false),
        ] {
            assert_eq!(is_loopback(&url.parse().expect(url)), expected, "{url}");
        }
    }

    #[test]
    fn what_is_no_proxy_is_refused_without_its_password() {
        let refused = parse_proxy("ftp://me:swordfish@a").expect_err("no proxy");
        assert!(!refused.messages[0].contains("fish"));
        let bare = parse_proxy("proxy:3128").expect("a proxy");
        assert_eq!(bare.as_str(), "http://proxy:3128/");
    }
}
