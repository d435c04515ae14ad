//! Shortens and lists texts for error messages.
//!
//! Messages quote texts of callers and of schemas' authors. Without limits, a response would grow with the
//! request that it rejects.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::json::{shorten_bytes, shorten_quoted};

/// The maximum number of characters of a caller's text that a reason quotes.
pub const MAX_QUOTED_CHARS: usize = 40;
/// The maximum length of a reason, in bytes.
pub const MAX_REASON_BYTES: usize = 300;
/// The maximum number of bytes of a schema that a reason quotes.
const MAX_SCHEMA_BYTES: usize = 80;
/// The maximum length of a list, in bytes, unless its first item is longer: the reason must also
/// have room for the value that was found.
const MAX_LIST_BYTES: usize = 160;

/// Shortens a reason to [`MAX_REASON_BYTES`] bytes.
pub fn bounded(reason: String) -> String {
    if reason.len() <= MAX_REASON_BYTES {
        return reason;
    }
    shorten_bytes(&reason, MAX_REASON_BYTES).into_owned()
}

/// Returns a text in quotation marks, as JSON writes it, shortened.
pub fn quote(text: &str) -> String {
    shorten_quoted(text, MAX_QUOTED_CHARS)
}

/// Returns an author's text, shortened.
pub(crate) fn abbreviate(text: &str) -> Cow<'_, str> {
    shorten_bytes(text, MAX_SCHEMA_BYTES)
}

/// Returns a list of names for a sentence: `"a", "b" or "c"`.
pub fn choices<S: AsRef<str>>(names: &[S]) -> String {
    if names.is_empty() {
        return "nothing".to_owned();
    }
    list(
        names.iter().map(|name| quote(name.as_ref())),
        usize::MAX,
        " or ",
        " or ",
    )
}

/// Returns a list of at most `most` items for a sentence: `a, b or c`, or `a, b or 7 more`. `last` stands before the
/// last item, and `more` before the number of items that are left out.
pub fn list(
    items: impl ExactSizeIterator<Item = impl AsRef<str>>,
    most: usize,
    last: &str,
    more: &str,
) -> String {
    let count = items.len();
    let mut text = String::new();
    for (index, item) in items.enumerate() {
        let item = item.as_ref();
        if index == most || index > 0 && text.len() + item.len() > MAX_LIST_BYTES {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "{more}{} more", count - index);
            break;
        }
        text.push_str(match index {
            0 => "",
            _ if index + 1 == count => last,
            _ => ", ",
        });
        text.push_str(item);
    }
    text
}
