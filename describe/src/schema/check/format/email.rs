//! E-mail addresses (RFC 5321, section 4.1.2: `Mailbox`).

use super::host;

/// The maximum length of each half, in octets (section 4.5.3.1).
const LOCAL: usize = 64;
const DOMAIN: usize = 255;

pub(super) fn is_address(text: &str) -> bool {
    // A quoted local part may contain an `@`, but a domain may not.
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    is_local(local) && domain.len() <= DOMAIN && is_domain(domain)
}

fn is_local(local: &str) -> bool {
    if local.len() > LOCAL {
        return false;
    }
    match local.strip_prefix('"') {
        Some(rest) => rest.strip_suffix('"').is_some_and(is_quoted),
        None => local.split('.').all(is_atom),
    }
}

fn is_atom(atom: &str) -> bool {
    let is_text = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte);
    !atom.is_empty() && atom.bytes().all(is_text)
}

/// Returns whether a text may be between quotation marks: printable characters, some after a
/// backslash.
fn is_quoted(text: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let fits = match byte {
            b'\\' => bytes.next().is_some_and(|next| matches!(next, b' '..=b'~')),
            b'"' => false,
            other => matches!(other, b' '..=b'~'),
        };
        if !fits {
            return false;
        }
    }
    true
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
