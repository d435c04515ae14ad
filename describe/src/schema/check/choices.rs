//! `enum` and `const`: lists of allowed values.

use std::collections::{BTreeSet, HashSet};

use crate::brief::{abbreviate, list};
use crate::json::{Cursor, Json};
use crate::schema::kinds::Kinds;

/// A list of values, one of which a value must be equal to.
#[derive(Debug)]
pub(super) struct Choices {
    /// The strings among the values. Most lists have only strings, and some have many.
    strings: BTreeSet<Box<str>>,
    others: HashSet<Json>,
    pub(super) kinds: Kinds,
    /// The first few values as they are written, for a message: `one of "a", "b"`.
    pub(super) phrase: Box<str>,
}

impl Choices {
    pub(super) fn new(values: &[&Json]) -> Self {
        let strings = values.iter().filter_map(|value| value.as_str());
        let others = values.iter().filter(|value| value.as_str().is_none());
        Self {
            strings: strings.map(Into::into).collect(),
            others: others.map(|value| (*value).clone()).collect(),
            kinds: Kinds::any(values.iter().map(|value| Kinds::of(value))),
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
    const SHOWN: usize = 10;
    let one_of = if values.len() > 1 { "one of " } else { "" };
    let values = values.map(|value| abbreviate(&value).into_owned());
    format!("{one_of}{}", list(values, SHOWN, ", ", " and "))
}
