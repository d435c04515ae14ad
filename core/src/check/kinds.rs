//! The kinds of values.

use std::ops::{BitAnd, BitOr};

use docent_describe::json::{Cursor, Decimal, Json};

/// A set of kinds of values. Numbers are two kinds, since JSON Schema's `integer` is about the
/// value: `42.0` is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const NONE: Self = Self(0);
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(1 << 1);
    pub(super) const INTEGER: Self = Self(1 << 2);
    pub(super) const FRACTION: Self = Self(1 << 3);
    pub(super) const STRING: Self = Self(1 << 4);
    pub(super) const ARRAY: Self = Self(1 << 5);
    pub(super) const OBJECT: Self = Self(1 << 6);
    pub(super) const NUMBER: Self = Self(Self::INTEGER.0 | Self::FRACTION.0);
    pub(super) const ALL: Self = Self(0x7f);

    /// The kinds that a word of `type` stands for.
    pub(super) fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => return None,
        })
    }

    /// The kind of a value.
    pub(super) fn of(value: &Json) -> Self {
        match value {
            Json::Null => Self::NULL,
            Json::Bool(_) => Self::BOOLEAN,
            Json::Number(text) => Self::of_number(text),
            Json::String(_) => Self::STRING,
            Json::Array(_) => Self::ARRAY,
            Json::Object(_) => Self::OBJECT,
        }
    }

    /// The kind of a number.
    pub(super) fn of_number(text: &str) -> Self {
        let plain = !text.contains(['.', 'e', 'E']);
        if plain || Decimal::new(text).is_integer() {
            Self::INTEGER
        } else {
            Self::FRACTION
        }
    }

    /// The kind of the value at a cursor.
    #[inline]
    pub(super) fn at(cursor: &Cursor<'_>) -> Self {
        match cursor.peek() {
            b'"' => Self::STRING,
            b'{' => Self::OBJECT,
            b'[' => Self::ARRAY,
            b't' | b'f' => Self::BOOLEAN,
            b'n' => Self::NULL,
            _ => Self::of_number({ *cursor }.value()),
        }
    }

    /// Whether the two sets have a kind in common.
    #[inline]
    pub(super) fn meet(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The kinds that are not in `other`.
    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether all kinds of this set are in `other`.
    pub(super) fn within(self, other: Self) -> bool {
        self.without(other) == Self::NONE
    }
}

impl BitAnd for Kinds {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Kinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
