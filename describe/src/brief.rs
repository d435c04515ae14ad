//! How much of a text an error message shows, and how it lists things.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::json::{push_shortened, shorten_bytes, shorten_quoted};

/// How many characters of a caller's text a reason quotes.
pub const QUOTED: usize = 40;
/// How many bytes a reason has at most.
pub const REASON: usize = 300;
/// How many bytes of a schema a reason quotes.
const OF_SCHEMA: usize = 80;
/// How long a list gets, in bytes, unless its first item is longer: the reason also has to show what
/// was found.
const LIST: usize = 160;

/// A reason, shortened.
pub fn bounded(reason: String) -> String {
    if reason.len() <= REASON {
        return reason;
    }
    shorten_bytes(&reason, REASON).into_owned()
}

/// A text in quotation marks, as JSON writes it, shortened.
pub fn quote(text: &str) -> String {
    shorten_quoted(text, QUOTED)
}

/// Appends a text as [`quote`] returns it.
pub fn push_quote(out: &mut String, text: &str) {
    push_shortened(out, text, QUOTED);
}

/// An author's text, shortened.
pub fn abbreviate(text: &str) -> Cow<'_, str> {
    shorten_bytes(text, OF_SCHEMA)
}

/// A list for a sentence: `a, b or c`, or `a, b or 7 more`. `last` joins the last item to the others,
/// `more` the number of those that are not shown.
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
        if index == most || index > 0 && text.len() + item.len() > LIST {
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
