//! The address of a client whose request has passed through proxies.
//!
//! Anyone can write `X-Forwarded-For`, so it is believed only as far as each entry was added by a
//! proxy that the service trusts.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use ipnet::IpNet;

use crate::headers::Headers;

/// A trusted proxy, or a network of them
/// ([`HttpOptions::trusted_proxies`](crate::HttpOptions::trusted_proxies)): an address (`"192.0.2.1"`), a
/// network (`"10.0.0.0/8"`), or every peer on a Unix socket (`"unix:"`).
///
/// ```
/// use docent::TrustedProxy;
///
/// let proxy: TrustedProxy = "10.0.0.0/8".parse()?;
/// assert_ne!(proxy, "10.0.0.0/16".parse()?);
/// assert!("10.0.0.0/33".parse::<TrustedProxy>().is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedProxy(Option<IpNet>);

impl TrustedProxy {
    /// Returns whether a peer is this proxy. A peer on a Unix socket has no address.
    fn includes(&self, peer: Option<IpAddr>) -> bool {
        match (&self.0, peer) {
            (Some(network), Some(address)) => network.contains(&address.to_canonical()),
            (network, address) => network.is_none() && address.is_none(),
        }
    }
}

impl FromStr for TrustedProxy {
    type Err = io::Error;

    fn from_str(text: &str) -> io::Result<Self> {
        if text == "unix:" {
            return Ok(Self(None));
        }
        if let Ok(network) = text.parse() {
            return Ok(Self(Some(network)));
        }
        if let Ok(address) = text.parse::<IpAddr>() {
            return Ok(Self(Some(address.into())));
        }
        let form = "is not an IP address, a network such as \"10.0.0.0/8\", or \"unix:\"";
        let message = format!("{text:?} {form}");
        Err(io::Error::new(ErrorKind::InvalidInput, message))
    }
}

/// Returns whether a peer is one of these proxies.
pub(crate) fn is_trusted(peer: Option<IpAddr>, trusted: &[TrustedProxy]) -> bool {
    trusted.iter().any(|proxy| proxy.includes(peer))
}

/// Returns the address of the client: that of the peer, unless trusted proxies name another. The
/// client's address is the nearest that is not a trusted proxy's. The client itself may have written
/// the entries before it.
pub(crate) fn client_address(
    peer: Option<SocketAddr>,
    headers: &Headers,
    trusted: &[TrustedProxy],
) -> Option<IpAddr> {
    let mut client = peer.map(|peer| peer.ip().to_canonical());
    if !is_trusted(client, trusted) {
        return client;
    }
    let lines: Vec<&[u8]> = headers.get_all("x-forwarded-for").collect();
    let entries = lines
        .iter()
        .rev()
        .flat_map(|line| line.rsplit(|byte| *byte == b','));
    for entry in entries {
        // The entries before one that cannot be parsed are no more reliable than that one.
        let Some(address) = forwarded(entry) else {
            break;
        };
        client = Some(address);
        if !is_trusted(client, trusted) {
            break;
        }
    }
    client
}

/// Returns the address of an entry, which some proxies write with a port.
fn forwarded(entry: &[u8]) -> Option<IpAddr> {
    let entry = str::from_utf8(entry).ok()?.trim();
    let address: IpAddr = match entry.parse::<SocketAddr>() {
        Ok(with_port) => with_port.ip(),
        Err(_) => without_brackets(entry).parse().ok()?,
    };
    Some(address.to_canonical())
}

/// Returns an address without the brackets that some proxies write around IPv6.
fn without_brackets(entry: &str) -> &str {
    entry
        .strip_prefix('[')
        .and_then(|entry| entry.strip_suffix(']'))
        .unwrap_or(entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, fields: &[&str], trusted: &[&str]) -> Option<String> {
        let peer =
            (peer != "unix").then(|| SocketAddr::new(peer.parse().expect("it parses"), 1234));
        let headers: Headers = fields
            .iter()
            .map(|value| ("X-Forwarded-For", *value))
            .collect();
        let trusted: Vec<TrustedProxy> = trusted
            .iter()
            .map(|proxy| proxy.parse().expect("it parses"))
            .collect();
        client_address(peer, &headers, &trusted).map(|address| address.to_string())
    }

    #[track_caller]
    fn check(peer: &str, fields: &[&str], trusted: &[&str], expected: &str) {
        let found = client(peer, fields, trusted);
        assert_eq!(found.as_deref().unwrap_or("none"), expected);
    }

    #[test]
    fn only_configured_proxies_are_believed() {
        check("192.0.2.1", &["198.51.100.1"], &[], "192.0.2.1");
        check(
            "192.0.2.1",
            &["198.51.100.1"],
            &["10.0.0.0/8", "unix:"],
            "192.0.2.1",
        );
        check("unix", &["198.51.100.1"], &[], "none");
        check("unix", &["198.51.100.1"], &["0.0.0.0/0"], "none");
        check("::ffff:192.0.2.1", &[], &[], "192.0.2.1");
    }

    #[test]
    fn a_trusted_proxy_says_whom_it_forwards_for_and_clients_cannot() {
        let trusted = &["10.0.0.0/8", "2001:db8::/32", "unix:"];
        check("10.1.2.3", &["198.51.100.1"], trusted, "198.51.100.1");
        check(
            "::ffff:10.1.2.3",
            &["198.51.100.1"],
            trusted,
            "198.51.100.1",
        );
        check("unix", &["198.51.100.1"], trusted, "198.51.100.1");
        // The entry that the client has sent comes first.
        check(
            "10.1.2.3",
            &["203.0.113.9, 198.51.100.1"],
            trusted,
            "198.51.100.1",
        );
        check(
            "10.1.2.3",
            &["203.0.113.9", "198.51.100.1"],
            trusted,
            "198.51.100.1",
        );
        // Two proxies.
        check(
            "10.1.2.3",
            &["9.9.9.9, 198.51.100.1, 10.7.7.7"],
            trusted,
            "198.51.100.1",
        );
        check(
            "2001:db8::5",
            &["2001:db9::1 ,2001:db8::6"],
            trusted,
            "2001:db9::1",
        );
        // Only proxies.
        check("10.1.2.3", &["10.0.0.9, 10.0.0.8"], trusted, "10.0.0.9");
        check("10.1.2.3", &[], trusted, "10.1.2.3");
    }

    #[test]
    fn what_cannot_be_read_ends_the_list() {
        let trusted = &["10.0.0.0/8"];
        for (field, expected) in [
            ("198.51.100.1:5678", "198.51.100.1"),
            ("[2001:db8::1]:5678", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("unknown", "10.1.2.3"),
            ("", "10.1.2.3"),
            ("198.51.100.1,", "10.1.2.3"),
            ("198.51.100.1, _hidden, 10.9.9.9", "10.9.9.9"),
        ] {
            check("10.1.2.3", &[field], trusted, expected);
        }
    }

    #[test]
    fn networks_end_where_their_prefix_says() {
        let includes = |proxy: &str, address: &str| {
            let proxy: TrustedProxy = proxy.parse().expect("it parses");
            proxy.includes(Some(address.parse().expect("it parses")))
        };
        for (proxy, inside, outside) in [
            ("192.0.2.1", "192.0.2.1", "192.0.2.2"),
            ("192.0.2.0/31", "192.0.2.1", "192.0.2.2"),
            ("10.0.0.0/8", "10.255.0.1", "11.0.0.0"),
            ("0.0.0.0/0", "255.0.0.1", "::1"),
            ("::/0", "ffff::1", "127.0.0.1"),
            ("2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::1"),
            ("::1", "::1", "::2"),
        ] {
            assert!(includes(proxy, inside), "{proxy} {inside}");
            assert!(!includes(proxy, outside), "{proxy} {outside}");
        }
        for text in [
            "",
            "unix",
            "10.0.0.0/33",
            "::/129",
            "10.0.0/8",
            "a/8",
            "10.0.0.0/",
            "::1/+1/",
        ] {
            assert!(text.parse::<TrustedProxy>().is_err(), "{text}");
        }
    }
}
