//! Sets of kinds of values, as `type` names them.
//!
//! This knows nothing of schemas but the names in `type`. `accepted.rs` finds the kinds that a schema accepts.

use std::ops::{BitAnd, BitOr};

use crate::json::{Cursor, Decimal, Json};

/// A set of kinds of values. Numbers are two kinds, because JSON Schema's `integer` is about the
/// value: `42.0` is one.
///
/// ```
/// use docent_describe::schema::Kinds;
///
/// let kinds = Kinds::INTEGER | Kinds::NULL;
/// assert!(kinds.meet(Kinds::NUMBER));
/// assert!(!kinds.within(Kinds::NUMBER));
/// assert_eq!(kinds.type_names().collect::<Vec<_>>(), ["integer", "null"]);
///
/// assert_eq!(Kinds::of_value(&"42.0".parse()?), Kinds::INTEGER);
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Kinds(u8);

/// The kinds of values that a schema accepts, as far as they follow from the schema alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AcceptedKinds {
    /// The kinds of which some values may be accepted. It may contain too many, but never too few.
    pub some: Kinds,
    /// The kinds of which all values are accepted. It may contain too few, but never too many.
    pub all: Kinds,
}

impl Kinds {
    /// No kinds.
    pub const NONE: Self = Self(0);
    /// Null.
    pub const NULL: Self = Self(1);
    /// True and false.
    pub const BOOLEAN: Self = Self(1 << 1);
    /// Whole numbers.
    pub const INTEGER: Self = Self(1 << 2);
    /// Other numbers.
    pub const FRACTION: Self = Self(1 << 3);
    /// Strings.
    pub const STRING: Self = Self(1 << 4);
    /// Arrays.
    pub const ARRAY: Self = Self(1 << 5);
    /// Objects.
    pub const OBJECT: Self = Self(1 << 6);
    /// All numbers.
    pub const NUMBER: Self = Self(Self::INTEGER.0 | Self::FRACTION.0);
    /// The kinds that can be written as text.
    pub const SCALARS: Self = Self(Self::BOOLEAN.0 | Self::NUMBER.0 | Self::STRING.0);
    /// All values.
    pub const ALL: Self = Self(0x7f);

    /// Returns the kinds that the value of `type` names, or `None` if it is malformed.
    pub(super) fn of_type(value: &Json) -> Option<Self> {
        let mut kinds = Self::NONE;
        for name in value.as_array().unwrap_or(std::slice::from_ref(value)) {
            kinds = kinds | Self::from_type_name(name.as_str()?)?;
        }
        Some(kinds)
    }

    /// The names in `type`, with the kinds that they stand for.
    const KINDS_BY_NAME: [(&'static str, Self); 7] = [
        ("boolean", Self::BOOLEAN),
        ("number", Self::NUMBER),
        ("integer", Self::INTEGER),
        ("string", Self::STRING),
        ("array", Self::ARRAY),
        ("object", Self::OBJECT),
        ("null", Self::NULL),
    ];

    /// Returns the kinds for a name in `type`, or `None` if JSON Schema has no such name.
    pub fn from_type_name(name: &str) -> Option<Self> {
        Self::KINDS_BY_NAME
            .into_iter()
            .find(|(type_name, _)| *type_name == name)
            .map(|(_, kinds)| kinds)
    }

    /// Returns the kind of a value.
    pub fn of_value(value: &Json) -> Self {
        match value {
            Json::Null => Self::NULL,
            Json::Bool(_) => Self::BOOLEAN,
            Json::Number(text) => Self::of_number(text),
            Json::String(_) => Self::STRING,
            Json::Array(_) => Self::ARRAY,
            Json::Object(_) => Self::OBJECT,
        }
    }

    /// Returns the kind of a number.
    pub(crate) fn of_number(text: &str) -> Self {
        let is_plain = !text.contains(['.', 'e', 'E']);
        if is_plain || Decimal::new(text).is_integer() {
            Self::INTEGER
        } else {
            Self::FRACTION
        }
    }

    /// Returns the kind of the value at a cursor.
    #[inline]
    pub(crate) fn at(cursor: &Cursor<'_>) -> Self {
        match cursor.peek() {
            b'"' => Self::STRING,
            b'{' => Self::OBJECT,
            b'[' => Self::ARRAY,
            b't' | b'f' => Self::BOOLEAN,
            b'n' => Self::NULL,
            _ => {
                let mut number = *cursor;
                Self::of_number(number.value())
            }
        }
    }

    /// Returns whether the value at a cursor is of one of these kinds.
    #[inline]
    pub fn has(self, cursor: &Cursor<'_>) -> bool {
        // It takes time to find out whether a number is an integer, and rarely matters.
        let is_number = matches!(cursor.peek(), b'-' | b'0'..=b'9');
        is_number && Self::NUMBER.within(self) || self.meet(Self::at(cursor))
    }

    /// Returns the names in `type` for these kinds.
    pub fn type_names(self) -> impl Iterator<Item = &'static str> {
        // An integer is a number.
        let numbers = if self.meet(Self::FRACTION) {
            Self::NUMBER
        } else {
            self & Self::NUMBER
        };
        Self::KINDS_BY_NAME
            .into_iter()
            .filter(move |(_, kinds)| match *kinds & Self::NUMBER {
                Self::NONE => self.meet(*kinds),
                _ => *kinds == numbers,
            })
            .map(|(name, _)| name)
    }

    /// Returns the kinds that are in any of some sets.
    pub fn any(sets: impl Iterator<Item = Self>) -> Self {
        sets.fold(Self::NONE, BitOr::bitor)
    }

    /// Returns whether the two sets have a kind in common.
    #[inline]
    pub fn meet(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the kinds that are not in `other`.
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns whether all kinds of this set are in `other`.
    pub fn within(self, other: Self) -> bool {
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
