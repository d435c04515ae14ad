//! Hosts: names (RFC 1123, section 2.1) and addresses (RFC 2673, section 3.2; RFC 4291, section
//! 2.2).
//!
//! Nothing is looked up. E-mail addresses and URIs contain hosts too, and are checked with these functions.

use std::net::{Ipv4Addr, Ipv6Addr};

/// The maximum length of a name, in characters.
const MAX_NAME: usize = 253;

/// The maximum length of a label, which is a name's part between dots, in characters.
const MAX_LABEL: usize = 63;

/// Returns whether a text is an IPv4 address.
pub(super) fn is_v4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

/// Returns whether a text is an IPv6 address, without a zone.
pub(super) fn is_v6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

/// Returns whether a text consists of letters, digits and hyphens between dots. A label that is
/// marked as Punycode (RFC 5890) must be valid.
pub(super) fn is_name(text: &str) -> bool {
    text.len() <= MAX_NAME && text.split('.').all(is_label)
}

/// Returns whether a text is one part of a name: letters, digits and hyphens, but no hyphen at an
/// end.
fn is_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    let is_plain = (1..=MAX_LABEL).contains(&bytes.len())
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-');
    is_plain && (bytes.get(2..4) != Some(b"--") || is_punycode(label))
}

/// Returns whether a label whose third and fourth characters are hyphens is valid Punycode. Such
/// labels are reserved, and `xn` is the only prefix in use.
fn is_punycode(label: &str) -> bool {
    label
        .get(..2)
        .is_some_and(|prefix| prefix.eq_ignore_ascii_case("xn"))
        && url::Host::parse(label).is_ok()
}
