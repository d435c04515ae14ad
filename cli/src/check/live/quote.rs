//! Shows values in sentences.

use docent_describe::json::{Json, shorten};

use crate::terminal::plain_json;

/// The maximum length of a value in a sentence.
const SHOWN: usize = 120;

/// Shortens a value for use in a sentence.
pub(super) fn value(value: &Json) -> String {
    let text = value.to_string();
    plain_json(&shorten(&text, SHOWN)).into_owned()
}
