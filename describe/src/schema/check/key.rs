//! Values in a form in which equal ones are identical.
//!
//! JSON has many ways to write a value: `1`, `1.0` and `10e-1`, `"a"` and `"\u0061"`, the members
//! of an object in any order. `enum`, `const` and `uniqueItems` ask for equal values.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::json::{Cursor, Decimal, Json};

/// How many schemas may be open at once while a value is checked, and how deeply a value may be
/// nested that has to be compared as a whole.
///
/// Checking is recursive, so there has to be a limit; the wire's own limit is usually far lower.
pub(super) const MAX_DEPTH: u32 = 512;

/// A value, to be compared and hashed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key<'a> {
    /// `null`, `true` or `false`.
    Word(Cow<'a, str>),
    /// A whole number; every one that fits is here, however it was written.
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
    /// The value at the cursor, which moves past it. `None` where it is nested too deeply.
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Option<Self> {
        Self::read_up_to(cursor, usize::MAX)
    }

    /// The value at the cursor, where it is made of at most so many values, itself included; one
    /// that a member of the same name takes the place of counts.
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
