//! URIs (RFC 3986, appendix A).

use super::host;

/// Returns whether a text is a `URI`, which has a scheme.
pub fn is_uri(text: &str) -> bool {
    text.split_once(':')
        .is_some_and(|(scheme, rest)| is_scheme(scheme) && is_hierarchy(rest))
}

/// Returns whether a text starts with a scheme (section 3.1), whatever follows.
pub(crate) fn has_scheme(text: &str) -> bool {
    text.split_once(':')
        .is_some_and(|(scheme, _)| is_scheme(scheme))
}

/// Returns whether a text is a `URI-reference`: a URI, or relative to another URI.
pub(super) fn is_reference(text: &str) -> bool {
    // A colon in the first segment would end a scheme.
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    is_uri(text) || !first.contains(':') && is_hierarchy(text)
}

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// Returns whether a text is an authority or a path, and then a query and a fragment.
fn is_hierarchy(text: &str) -> bool {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (text, query) = text.split_once('?').unwrap_or((text, ""));
    let (authority, path) = match text.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", text),
    };
    is_authority(authority)
        && has_characters(path, b"/:@")
        && has_characters(query, b"/?:@")
        && has_characters(fragment, b"/?:@")
}

fn is_authority(authority: &str) -> bool {
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (host, port) = match host.strip_prefix('[') {
        Some(rest) => {
            let Some((literal, port)) = rest.split_once(']') else {
                return false;
            };
            if !is_literal(literal) || !port.is_empty() && !port.starts_with(':') {
                return false;
            }
            ("", port.strip_prefix(':').unwrap_or_default())
        }
        None => host.rsplit_once(':').unwrap_or((host, "")),
    };
    has_characters(user, b":")
        && has_characters(host, b"")
        && port.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a text may be in brackets: an IPv6 address, or one of a future version.
fn is_literal(literal: &str) -> bool {
    let future = literal.strip_prefix(['v', 'V']).and_then(|rest| {
        let (version, address) = rest.split_once('.')?;
        let is_version =
            !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_hexdigit());
        let plain = !address.contains('%') && has_characters(address, b":");
        Some(is_version && !address.is_empty() && plain)
    });
    future.unwrap_or_else(|| host::is_v6(literal))
}

/// Returns whether a text has only unreserved characters, subdelimiters, percent-encoded
/// characters, and those in `more`.
fn has_characters(text: &str, more: &[u8]) -> bool {
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = match first {
            b'%' => match tail {
                [a, b, tail @ ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => tail,
                _ => return false,
            },
            byte if byte.is_ascii_alphanumeric()
                || b"-._~!$&'()*+,;=".contains(byte)
                || more.contains(byte) =>
            {
                tail
            }
            _ => return false,
        };
    }
    true
}
