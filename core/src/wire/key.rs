//! The key that a caller gives a call so that it can repeat it: its position in a message, and its
//! form.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use docent_describe::json::unescape;

use super::message::TextSpan;

/// The member of a 2.0 request that has the key.
pub(crate) const MEMBER_NAME: &str = "x-idempotency-key";

/// The field of the message that has the key: over HTTP, a header field.
pub(crate) const FIELD_NAME: &str = "Idempotency-Key";

/// The maximum number of characters of a key.
const MAX_LENGTH: usize = 255;

pub(crate) const REPEATED_REASON: &str = "x-idempotency-key must not be repeated";

pub(crate) const MALFORMED_REASON: &str =
    "x-idempotency-key must be a string of 1 to 255 visible ASCII characters";

/// Returns the key in a member's value.
pub(crate) fn read_member(value: &str) -> Option<Cow<'_, str>> {
    if !value.starts_with('"') {
        return None;
    }
    let key = unescape(value).ok()?;
    is_key(key.as_bytes()).then_some(key)
}

/// Returns the position at which the key begins; `None` if this value is not a valid key.
#[cold]
pub(crate) fn find_start(text: &str, span: &TextSpan) -> Option<NonZeroUsize> {
    read_member(&text[span.clone()])?;
    NonZeroUsize::new(span.start)
}

/// Returns the key in a field's value, which may be a quoted string (RFC 9651, section 3.3.3) without
/// escapes.
#[cfg(feature = "keys")]
pub(crate) fn read_field(value: &[u8]) -> Option<&str> {
    let mut key = str::from_utf8(value).ok()?;
    if let Some(quoted) = key.strip_prefix('"') {
        let unquoted = quoted.strip_suffix('"');
        key = unquoted.filter(|key| !key.contains(['"', '\\']))?;
    }
    is_key(key.as_bytes()).then_some(key)
}

fn is_key(bytes: &[u8]) -> bool {
    (1..=MAX_LENGTH).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic)
}

#[cfg(all(test, feature = "keys"))]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_string_of_visible_ascii_characters_and_neither_empty_nor_too_long() {
        let longest = "k".repeat(255);
        for key in ["k", "!~", "8e03978e-40d5-43dd-bc93-6894a57f9324", &longest] {
            assert_eq!(read_field(key.as_bytes()), Some(key));
            assert_eq!(read_member(&format!("\"{key}\"")).as_deref(), Some(key));
        }
        assert_eq!(read_member(r#""a\u0062\"""#).as_deref(), Some("ab\""));
        let too_long = "k".repeat(256);
        for text in ["", " ", "a b", "a\tb", "é", "\u{7f}", "a\0", &too_long] {
            assert_eq!(read_field(text.as_bytes()), None, "{text:?}");
            assert_eq!(read_member(&format!("\"{text}\"")), None, "{text:?}");
        }
        for value in ["null", "1", "true", "{}", "[\"k\"]", r#""\ud800""#] {
            assert_eq!(read_member(value), None, "{value}");
        }
        assert_eq!(read_field(&[b'a', 0xff]), None);
    }

    #[test]
    fn quotation_marks_around_the_key_of_a_field_are_not_part_of_it() {
        let longest = "k".repeat(255);
        for key in ["k", "!~", &longest] {
            assert_eq!(
                read_field(format!("'{key}'").replace('\'', "\"").as_bytes()),
                Some(key)
            );
        }
        assert_eq!(read_field(b"k\""), Some("k\""));
        for text in [
            "'", "''", "'k", "'k'l'", "'k\\'l'", "'k\\l'", "'k';a=1", "'a b'",
        ] {
            let text = text.replace('\'', "\"");
            assert_eq!(read_field(text.as_bytes()), None, "{text}");
        }
    }
}
