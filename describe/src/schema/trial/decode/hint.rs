//! The hints that a type gives when it decodes a value, and the reasons for which it takes none.
//!
//! serde calls it a hint when a type says which kind of data it expects. The record of the hints
//! shows more of a type than whether it takes a value.

use std::cell::RefCell;
use std::fmt;

use serde::de::{Error, Visitor};

use crate::json::Json;

/// The kind of data that a type expects of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::schema) enum Hint {
    /// Anything: the type decides itself, or buffers the value to read it again.
    Any,
    /// Nothing of it.
    Ignored,
    /// Bytes, which are taken from strings and from arrays.
    Bytes,
    /// Members of any names.
    Map,
    /// Members with these names, aliases included, as they are declared.
    Struct(&'static [&'static str]),
    /// One of these variants.
    Enum(&'static [&'static str]),
    /// Nothing: `()` or a unit struct.
    Unit,
    /// A sequence of any length.
    Seq,
    /// A sequence of a fixed length.
    Tuple,
    /// A value or nothing.
    Option,
    /// True or false.
    Bool,
    /// A string.
    Text,
    /// A number of the type that a `format` names.
    Number(&'static str),
}

/// The type of keys that a map expects, if they are no strings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::schema) enum KeyHint {
    /// Integers, from the least to the greatest.
    Integer(i128, u128),
    Bool,
    Char,
    /// One of these variants.
    Enum(&'static [&'static str]),
}

/// A hint, and the address of the value that it is about.
pub(in crate::schema) struct RecordedHint<H> {
    /// The address of the value in the sample.
    pub(in crate::schema::trial) address: *const Json,
    /// The hint.
    pub(in crate::schema::trial) hint: H,
}

/// The record of one attempt to decode a value.
#[derive(Default)]
pub(super) struct HintLog {
    /// The hints about values, in order.
    pub(super) hints: RefCell<Vec<RecordedHint<Hint>>>,
    /// The hints about the names of members, by the addresses of the objects.
    pub(super) key_hints: RefCell<Vec<RecordedHint<KeyHint>>>,
    /// The address of a value that fails to decode, whatever the type expects.
    pub(super) broken: Option<*const Json>,
}

/// The reason for which a type does not take a value.
#[derive(Debug, Default, thiserror::Error)]
#[error("the value is not taken")]
pub(crate) struct DecodeError {
    /// The member that is missing.
    pub(in crate::schema::trial) missing: Option<&'static str>,
    /// The member that is there twice, perhaps under two names.
    pub(in crate::schema::trial) duplicate: Option<&'static str>,
}

impl Error for DecodeError {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::default()
    }

    fn missing_field(name: &'static str) -> Self {
        Self {
            missing: Some(name),
            ..Self::default()
        }
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self {
            duplicate: Some(name),
            ..Self::default()
        }
    }
}

/// Returns the reason for a value that does not fit the hint.
pub(super) fn undecodable() -> DecodeError {
    DecodeError::default()
}

/// Hands a whole number to a visitor as `serde_json` does.
pub(super) fn visit_whole<'s, V: Visitor<'s>>(
    value: i128,
    visitor: V,
) -> Result<V::Value, DecodeError> {
    if let Ok(value) = u64::try_from(value) {
        visitor.visit_u64(value)
    } else if let Ok(value) = i64::try_from(value) {
        visitor.visit_i64(value)
    } else {
        Err(undecodable())
    }
}
