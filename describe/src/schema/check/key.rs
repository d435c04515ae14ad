//! Values in a form in which equal values are identical.
//!
//! JSON has many ways to write a value: `1`, `1.0` and `10e-1`, `"a"` and `"\u0061"`, the members
//! of an object in any order. `enum`, `const` and `uniqueItems` compare values, not texts.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::json::{Cursor, Decimal, Json};

/// The maximum number of nested schemas in a check, and the maximum depth of a value that is
/// compared as a whole.
///
/// Checking is recursive, so there must be a limit. The limit on the wire is usually far lower.
pub(super) const MAX_DEPTH: u32 = 512;

/// A value that can be compared and hashed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key<'a> {
    /// `null`, `true` or `false`.
    Word(Cow<'a, str>),
    /// An integer that fits, however it is written.
    Integer(i64),
    /// Any other number.
    Number(Decimal),
    /// A string.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Key<'a>>),
    /// An object. If a name is repeated, the last value counts.
    Object(BTreeMap<Cow<'a, str>, Key<'a>>),
}

impl<'a> Key<'a> {
    /// Reads the value at the cursor and moves past it. Returns `None` if it is nested too deeply.
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Option<Self> {
        Self::read_up_to(cursor, usize::MAX)
    }

    /// Reads the value at the cursor, or returns `None` if it consists of more than this many
    /// values, itself included. Values that a later member with the same name replaces are counted.
    pub(super) fn read_up_to(cursor: &mut Cursor<'a>, mut values: usize) -> Option<Self> {
        Self::read_within(cursor, MAX_DEPTH, &mut values)
    }

    fn read_within(
        cursor: &mut Cursor<'a>,
        depth_left: u32,
        values_left: &mut usize,
    ) -> Option<Self> {
        *values_left = values_left.checked_sub(1)?;
        Some(match cursor.peek() {
            b'"' => Self::String(cursor.string().unescape()),
            b'-' | b'0'..=b'9' => match cursor.plain_i64() {
                Some(value) => Self::Integer(value),
                None => Self::number(cursor.value()),
            },
            b'[' => {
                let depth_left = depth_left.checked_sub(1)?;
                let mut elements = Vec::new();
                cursor.step();
                while cursor.next_element() {
                    elements.push(Self::read_within(cursor, depth_left, values_left)?);
                }
                Self::Array(elements)
            }
            b'{' => {
                let depth_left = depth_left.checked_sub(1)?;
                let mut members = BTreeMap::new();
                cursor.step();
                while let Some(name) = cursor.next_member() {
                    let value = Self::read_within(cursor, depth_left, values_left)?;
                    members.insert(name.unescape(), value);
                }
                Self::Object(members)
            }
            _ => Self::Word(cursor.value().into()),
        })
    }

    fn number(text: &str) -> Self {
        let value = Decimal::new(text);
        match value.to_i128().and_then(|value| value.try_into().ok()) {
            Some(value) => Self::Integer(value),
            None => Self::Number(value),
        }
    }
}

impl From<&Json> for Key<'static> {
    fn from(value: &Json) -> Self {
        match value {
            Json::Null => Self::Word("null".into()),
            Json::Bool(true) => Self::Word("true".into()),
            Json::Bool(false) => Self::Word("false".into()),
            Json::Number(text) => Self::number(text),
            Json::String(text) => Self::String(text.clone().into()),
            Json::Array(elements) => Self::Array(elements.iter().map(Self::from).collect()),
            Json::Object(members) => Self::Object(
                members
                    .iter()
                    .map(|(name, value)| (name.to_string().into(), value.into()))
                    .collect(),
            ),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;

    fn key(text: &str) -> Key<'_> {
        Key::read(&mut Cursor::new(text)).unwrap()
    }

    #[test]
    fn equal_values_have_the_same_key_however_they_are_written() {
        for (a, b) in [
            ("1", "1.0"),
            ("-0", "0"),
            ("10e-1", "1"),
            ("12345678901234567890.0", "1234567890123456789e1"),
            ("1e400", "10e399"),
            ("\"a\"", "\"\\u0061\""),
            ("[1, {\"a\":1,\"b\":2}]", "[1.0,{\"b\":2,\"a\":1e0}]"),
            ("{\"a\":1,\"a\":2}", "{\"a\":2}"),
        ] {
            assert_eq!(key(a), key(b), "{a} {b}");
            let tree: Json = a.parse().unwrap();
            assert_eq!(Key::from(&tree), key(b), "{a} {b}");
        }
    }

    #[test]
    fn different_values_have_different_keys() {
        for (a, b) in [
            ("1", "\"1\""),
            ("null", "\"null\""),
            ("[]", "{}"),
            ("[[],[]]", "[[[]]]"),
            ("12345678901234567890", "12345678901234567891"),
            ("0.1", "0.10000000000000000001"),
        ] {
            assert_ne!(key(a), key(b), "{a} {b}");
        }
    }
}
