//! URIs (RFC 3986, appendix A).
//!
//! Only the grammar is checked here, and nothing is normalised or resolved. A text that the grammar
//! refuses is no URI even where a browser would take it.

use std::sync::LazyLock;

use super::grammar::Grammar;
use super::host;

/// A URI after its scheme, or a relative reference: an authority or a path, with a query and a
/// fragment.
static HIERARCHICAL_PART: LazyLock<Grammar> = LazyLock::new(|| {
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
    is_uri(text) || !has_colon_in_first_segment(text) && is_hierarchy(text)
}

/// Returns whether there is a colon before the first slash, query and fragment. It would end a scheme.
fn has_colon_in_first_segment(text: &str) -> bool {
    text.find([':', '/', '?', '#'])
        .is_some_and(|first| text[first..].starts_with(':'))
}

/// Returns whether a text is a `scheme` (section 3.1).
fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// Returns whether a text follows the grammar. Brackets enclose an IPv6 address, or one of a future
/// version.
fn is_hierarchy(text: &str) -> bool {
    if !HIERARCHICAL_PART.admits(text) {
        return false;
    }
    let Some((_, bracketed)) = text.split_once('[') else {
        return true;
    };
    let Some((address, _)) = bracketed.split_once(']') else {
        return true;
    };
    address.starts_with(['v', 'V']) || host::is_v6(address)
}
