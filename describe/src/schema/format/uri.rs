//! URIs (RFC 3986, appendix A).

use std::sync::LazyLock;

use super::grammar::Grammar;
use super::host;

/// A URI after its scheme, or a relative reference: an authority or a path, with a query and a fragment.
static HIERARCHY: LazyLock<Grammar> = LazyLock::new(|| {
    // Characters that are allowed everywhere: unreserved ones, subdelimiters, and encoded ones.
    let plain = "[-0-9A-Za-z._~!$&'()*+,;=]";
    let char = format!("{plain}|%[0-9A-Fa-f]{{2}}");
    let literal = format!(r"\[(?:[vV][0-9A-Fa-f]+\.(?:{plain}|:)+|[0-9A-Fa-f:.]+)\]");
    let authority = format!("(?:(?:{char}|:)*@)?(?:(?:{char})*|{literal})(?::[0-9]*)?");
    let path = format!("(?:{char}|[/:@])*");
    let rest = format!("(?:{char}|[/?:@])*");
    // Two slashes begin an authority.
    let own_path = format!("/?(?:(?:{char}|[:@]){path})?");
    Grammar::new(format!(
        "^(?://{authority}(?:/{path})?|{own_path})(?:\\?{rest})?(?:#{rest})?$"
    ))
});

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

/// Returns whether a text follows the grammar. Brackets enclose an IPv6 address, or one of a future version.
fn is_hierarchy(text: &str) -> bool {
    let literal = text.split_once('[').and_then(|(_, it)| it.split_once(']'));
    let is_address = |(it, _): (&str, &str)| it.starts_with(['v', 'V']) || host::is_v6(it);
    HIERARCHY.admits(text) && literal.is_none_or(is_address)
}
