//! Credentials and challenges in header fields (RFC 9110, section 11).
//!
//! All schemes share this grammar. Values are not interpreted here, and never logged.

use docent_core::Credentials;

/// Returns the credentials of this authentication scheme, if the request has them in its only
/// `Authorization` field.
pub(super) fn of_scheme<'a>(scheme: &str, credentials: &Credentials<'a>) -> Option<&'a [u8]> {
    let (name, rest) = credentials
        .only_field("authorization")?
        .split_at_checked(scheme.len())?;
    let rest = rest.strip_prefix(b" ")?;
    name.eq_ignore_ascii_case(scheme.as_bytes())
        .then(|| rest.trim_ascii())
}

/// Returns the challenge of this authentication scheme.
pub(super) fn challenge(scheme: &str, realm: &str) -> String {
    format!("{scheme} realm={}", quoted(realm))
}

/// Returns a quoted string (RFC 9110, section 5.6.4), without the characters that it cannot contain.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            quoted.push('\\');
        }
        if matches!(character, ' '..='~') {
            quoted.push(character);
        }
    }
    quoted + "\""
}
