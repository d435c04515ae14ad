//! Tells where a URL leads.

use url::{Host, Url};

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
