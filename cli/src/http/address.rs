//! Removes the parts of URLs that are not sent, and those that must not be shown.

use std::fmt;

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

/// Returns a URL without what must not be shown or stored: user names, passwords, queries (which
/// may contain tokens) and fragments.
pub(crate) fn without_secrets(url: &Url) -> Url {
    let mut url = bare(url);
    url.set_query(None);
    url
}

/// Returns whether a URL leads to this machine, so that nobody else sees what is sent.
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

/// Writes a URL's origin: scheme, host and port.
pub(super) struct Origin<'u>(pub(super) &'u Url);

impl fmt::Display for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.origin().ascii_serialization())
    }
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

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
