//! Challenges in header fields (RFC 9110, section 11).
//!
//! All schemes share this grammar.

/// Returns the challenge of this authentication scheme.
pub(super) fn of_scheme(scheme: &str, realm: &str) -> String {
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
