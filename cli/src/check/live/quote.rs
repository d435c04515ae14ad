//! Shows values in sentences.

use docent_describe::json::{Json, shorten};

use crate::terminal::plain_json;

/// How much of a value is shown.
const SHOWN: usize = 120;

/// A value in a sentence.
pub(super) fn value(value: &Json) -> String {
    let text = value.to_string();
    plain_json(&shorten(&text, SHOWN)).into_owned()
}
