//! `enum` and `const`: lists of allowed values.

use std::collections::HashSet;

use crate::json::{Cursor, Json};
use crate::schema::Kinds;

use super::key::Key;
use crate::brief::{abbreviate, list};

/// A list of values, one of which a value must be equal to.
#[derive(Debug)]
pub(super) struct Choices {
    /// The strings among the values, sorted. Most lists have only strings, and some have many.
    strings: Vec<Box<str>>,
    others: HashSet<Key<'static>>,
    /// The size of the largest other value, as the number of values that it consists of.
    largest: usize,
    kinds: Kinds,
    /// The first few values as they are written, for a message.
    phrase: Box<str>,
}

impl Choices {
    pub(super) fn new<'j>(values: impl Iterator<Item = &'j Json> + Clone) -> Self {
        let mut strings = Vec::new();
        let mut others = HashSet::new();
        let mut largest = 0;
        let mut kinds = Kinds::NONE;
        for value in values.clone() {
            kinds = kinds | Kinds::of(value);
            match value {
                Json::String(text) => strings.push(text.as_str().into()),
                other => {
                    largest = largest.max(size(other));
                    others.insert(other.into());
                }
            }
        }
        strings.sort_unstable();
        strings.dedup();
        Self {
            strings,
            others,
            largest,
            kinds,
            phrase: phrase(values.collect()).into(),
        }
    }

    /// Returns the kinds of the values.
    pub(super) fn kinds(&self) -> Kinds {
        self.kinds
    }

    /// Returns the values for a message: `one of "a", "b"`.
    pub(super) fn phrase(&self) -> &str {
        &self.phrase
    }

    /// Returns whether the value at a cursor is one of the list.
    pub(super) fn has(&self, mut cursor: Cursor<'_>) -> bool {
        if cursor.peek() == b'"' {
            self.has_string(&cursor.string().unescape())
        } else if self.others.is_empty() {
            false
        } else {
            // A value that is larger than all of them need not be read to its end.
            let key = Key::read_up_to(&mut cursor, self.largest);
            let others: &HashSet<Key<'_>> = &self.others;
            key.is_some_and(|key| others.contains(&key))
        }
    }

    fn has_string(&self, text: &str) -> bool {
        self.strings
            .binary_search_by(|choice| choice.as_ref().cmp(text))
            .is_ok()
    }
}

/// Returns the number of values that a value consists of, itself included.
fn size(value: &Json) -> usize {
    1 + match value {
        Json::Array(elements) => elements.iter().map(size).sum(),
        Json::Object(members) => members.values().map(size).sum(),
        _ => 0,
    }
}

/// Lists the values for a message, up to a readable number.
pub(super) fn phrase(values: Vec<&Json>) -> String {
    const SHOWN: usize = 10;
    let one_of = if values.len() > 1 { "one of " } else { "" };
    let values = values.into_iter().map(Json::to_string);
    let values = values.map(|value| abbreviate(&value).into_owned());
    format!("{one_of}{}", list(values, SHOWN, ", ", " and "))
}
