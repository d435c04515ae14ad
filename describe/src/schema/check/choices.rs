//! `enum` and `const`: lists of allowed values, which may be thousands.
//!
//! Values are equal if they mean the same JSON: `1.0` is `1`, and the order of members does not
//! matter.

use std::collections::{BTreeSet, HashSet};

use crate::brief::{abbreviate, list};
use crate::json::{Cursor, Json};
use crate::schema::kinds::Kinds;

/// The maximum number of values that a message lists.
const MAX_LISTED: usize = 10;

/// A list of values, one of which a value must be equal to.
#[derive(Debug)]
pub(super) struct Choices {
    /// The strings among the values. Most lists have only strings, and some have many.
    strings: BTreeSet<Box<str>>,
    /// The values other than strings.
    others: HashSet<Json>,
    /// The kinds of the values.
    pub(super) kinds: Kinds,
    /// The first few values as they are written, for a message: `one of "a", "b"`.
    pub(super) phrase: Box<str>,
}

impl Choices {
    /// Creates the list of these values, in the order in which messages list them.
    pub(super) fn new(values: &[&Json]) -> Self {
        let mut strings = BTreeSet::new();
        let mut others = HashSet::new();
        for value in values {
            match value {
                Json::String(text) => {
                    strings.insert(text.as_str().into());
                }
                other => {
                    others.insert((*other).clone());
                }
            }
        }
        Self {
            strings,
            others,
            kinds: Kinds::any(values.iter().map(|value| Kinds::of_value(value))),
            phrase: phrase(values.iter().map(ToString::to_string)).into(),
        }
    }

    /// Returns whether the value at a cursor is one of the list.
    pub(super) fn has(&self, mut cursor: Cursor<'_>) -> bool {
        match cursor.peek() {
            b'"' => self.strings.contains(&*cursor.string().unescape()),
            _ if self.others.is_empty() => false,
            // A value that is nested too deeply to be read is none of them.
            _ => cursor
                .value()
                .parse()
                .is_ok_and(|value| self.others.contains(&value)),
        }
    }
}

/// Lists the values for a message, up to a readable number.
pub(super) fn phrase(values: impl ExactSizeIterator<Item = String>) -> String {
    let one_of = if values.len() > 1 { "one of " } else { "" };
    let abbreviated = values.map(|value| abbreviate(&value).into_owned());
    format!("{one_of}{}", list(abbreviated, MAX_LISTED, ", ", " and "))
}
