//! URIs (RFC 3986, appendix A).

use super::grammar::{HIERARCHY, follows};
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

/// Returns whether a text is an authority or a path, and then a query and a fragment. Brackets enclose an
/// IPv6 address, or one of a future version.
fn is_hierarchy(text: &str) -> bool {
    let literal = text.split_once('[').and_then(|(_, it)| it.split_once(']'));
    let is_address = |(it, _): (&str, &str)| it.starts_with(['v', 'V']) || host::is_v6(it);
    follows(HIERARCHY, text) && literal.is_none_or(is_address)
}
