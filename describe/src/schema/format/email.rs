//! E-mail addresses (RFC 5321, section 4.1.2: `Mailbox`).

use std::sync::LazyLock;

use super::grammar::Grammar;
use super::host;

/// The part before the `@`, plain or between quotation marks.
static LOCAL_PART: LazyLock<Grammar> = LazyLock::new(|| {
    let atom = "[-!#-'*+/-9=?A-Z^-~]+";
    let quoted = r#""(?:[ !#-\[\]-~]|\\[ -~])*""#;
    Grammar::new(format!(r"^(?:{atom}(?:\.{atom})*|{quoted})$"))
});

/// The maximum length of each half, in octets (section 4.5.3.1).
const LOCAL: usize = 64;
const DOMAIN: usize = 255;

pub(super) fn is_address(text: &str) -> bool {
    // A quoted local part may contain an `@`, but a domain may not.
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let fits = local.len() <= LOCAL && domain.len() <= DOMAIN;
    fits && LOCAL_PART.admits(local) && is_domain(domain)
}

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
