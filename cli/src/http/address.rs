//! Removes the parts of URLs that are not sent, and those that must not be shown.

use url::{Host, Url};

/// Returns a URL without the parts that are not sent as part of it.
pub(crate) fn bare(url: &Url) -> Url {
    let mut url = url.clone();
    // A URL with a host, as every http URL has, can lose its user name.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_fragment(None);
    url
}

/// Returns a URL without the parts that must not be shown or stored: user names, passwords, queries
/// (which may contain tokens) and fragments.
pub(crate) fn without_secrets(url: &Url) -> Url {
    let mut url = bare(url);
    url.set_query(None);
    url
}

/// Returns the URL of a procedure: the one segment after the service's address.
pub(crate) fn below(address: &Url, procedure: &str) -> Url {
    let mut url = address.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().push(procedure);
    }
    url
}

/// Returns whether a URL leads to this machine, so that requests do not leave it.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => {
            address.is_loopback() || address.to_ipv4_mapped().is_some_and(|it| it.is_loopback())
        }
        None => false,
    }
}

/// Returns a URL's origin for messages: scheme, host and port.
pub(super) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

#[cfg(test)]
mod tests {
    use super::{below, is_loopback};

    #[test]
    fn a_procedure_is_one_segment() {
        for (address, procedure, expected) in [
            (
                "http://a/rpc?key=x",
                "book.find",
                "http://a/rpc/book.find?key=x",
            ),
            (
                "http://a/",
                "a/b?c#d%e é",
                "http://a/a%2Fb%3Fc%23d%25e%20%C3%A9",
            ),
            ("http://a", "x", "http://a/x"),
        ] {
            let url = below(&address.parse().expect(address), procedure);
            assert_eq!(url.as_str(), expected);
        }
    }

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
}
