//! JSON as `serde_json` reads it: a second opinion on Docent's own scanner.
//!
//! `RawValue` checks the grammar and keeps the text. Like RFC 8259, it accepts any depth, numbers
//! of any size and lone surrogates. `serde_json` has no value for some of these. A check that needs
//! the value has no second opinion there, and must say what it checks instead.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Checks that bytes are one JSON value in UTF-8 with nothing but whitespace around it.
///
/// # Errors
/// Returns what `serde_json` rejects.
pub(crate) fn check(bytes: &[u8]) -> Result<&RawValue, serde_json::Error> {
    serde_json::from_slice(bytes)
}

/// Returns the largest number of brackets that are open at once.
pub(crate) fn depth(json: &[u8]) -> usize {
    let mut open: usize = 0;
    let mut max = 0;
    let mut in_string = false;
    let mut escaped = false;
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                open += 1;
                max = max.max(open);
            }
            b']' | b'}' if !in_string => open = open.saturating_sub(1),
            _ => {}
        }
    }
    max
}

/// Returns the elements of an array.
pub(crate) fn elements(value: &RawValue) -> Option<Vec<&RawValue>> {
    if !value.get().starts_with('[') {
        return None;
    }
    serde_json::from_str(value.get()).ok()
}

/// Returns all members of an object, in order.
pub(crate) fn members(value: &RawValue) -> Option<Members<'_>> {
    if !value.get().starts_with('{') {
        return None;
    }
    serde_json::from_str(value.get()).ok()
}

/// Returns the characters of a string. A lone surrogate has none.
pub(crate) fn text(value: &RawValue) -> Option<String> {
    if !value.get().starts_with('"') {
        return None;
    }
    serde_json::from_str(value.get()).ok()
}

/// Returns whether an object in a text, at any depth, has a member whose name begins like this. It reads
/// the text itself, because `serde_json` treats some names in its own way.
pub(crate) fn has_name(json: &str, beginning: &str) -> bool {
    let mut rest = json;
    while let Some((_, string)) = rest.split_once('"') {
        let (name, after) = characters(string);
        if name.starts_with(beginning) && after.trim_start().starts_with(':') {
            return true;
        }
        rest = after;
    }
    false
}

/// Returns the characters of a string, and the text after it. The string begins after its quotation mark.
fn characters(string: &str) -> (String, &str) {
    let mut read = String::new();
    let mut left = string.chars();
    while let Some(character) = left.next() {
        read.push(match character {
            '"' => break,
            '\\' => match left.next() {
                Some('u') => {
                    let digits: String = left.by_ref().take(4).collect();
                    let code = u32::from_str_radix(&digits, 16).ok();
                    code.and_then(char::from_u32).unwrap_or('\u{fffd}')
                }
                Some('b' | 'f' | 'n' | 'r' | 't') => ' ',
                Some(escaped) => escaped,
                None => break,
            },
            plain => plain,
        });
    }
    (read, left.as_str())
}

/// The members of an object.
pub(crate) struct Members<'a>(Vec<Member<'a>>);

/// A name and a value. The name is `None` if it has a lone surrogate.
pub(crate) type Member<'a> = (Option<String>, &'a RawValue);

impl<'a> Members<'a> {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Member<'a>> {
        self.0.iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns how often a name occurs.
    pub(crate) fn count(&self, name: &str) -> usize {
        self.named(name).count()
    }

    /// Returns the last value with this name.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.named(name).last()
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &'a RawValue> {
        self.0
            .iter()
            .filter(move |member| member.0.as_deref() == Some(name))
            .map(|member| member.1)
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<&RawValue, &RawValue>()? {
                    members.push((text(name), value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(All)
    }
}
