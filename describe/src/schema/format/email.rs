//! E-mail addresses (RFC 5321, section 4.1.2: `Mailbox`).
//!
//! An address in this format has the form that mail servers exchange. It has no display name, and its mailbox need not
//! exist.

use std::sync::LazyLock;

use super::grammar::Grammar;
use super::host;

/// The part before the `@`, plain or between quotation marks.
static LOCAL_PART: LazyLock<Grammar> = LazyLock::new(|| {
    let atom = "[-!#-'*+/-9=?A-Z^-~]+";
    let quoted = r#""(?:[ !#-\[\]-~]|\\[ -~])*""#;
    Grammar::new(format!(r"^(?:{atom}(?:\.{atom})*|{quoted})$"))
});

/// The maximum length of the part before the `@`, in octets (section 4.5.3.1.1).
const MAX_LOCAL_PART: usize = 64;

/// The maximum length of the domain, in octets (section 4.5.3.1.2).
const MAX_DOMAIN: usize = 255;

/// Returns whether a text is a `Mailbox`.
pub(super) fn is_address(text: &str) -> bool {
    // A quoted local part may contain an `@`, but a domain may not.
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let is_short = local.len() <= MAX_LOCAL_PART && domain.len() <= MAX_DOMAIN;
    is_short && LOCAL_PART.admits(local) && is_domain(domain)
}

/// Returns whether a text is the name of a host, or an address of one in brackets.
fn is_domain(domain: &str) -> bool {
    let Some(literal) = domain.strip_prefix('[') else {
        return host::is_name(domain);
    };
    let Some(literal) = literal.strip_suffix(']') else {
        return false;
    };
    match literal.get(..5) {
        Some(tag) if tag.eq_ignore_ascii_case("IPv6:") => host::is_v6(&literal[5..]),
        _ => host::is_v4(literal),
    }
}
