//! What a type asks for, and why it takes no value.

use std::cell::RefCell;
use std::fmt;

use serde::de::{Error, Visitor};

use crate::json::Json;

/// The kinds of data that a type asks for at a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::schema) enum Ask {
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

/// The types of keys that a map asks for, as far as they are no strings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::schema) enum KeyAsk {
    /// Integers, from the least to the greatest.
    Integer(i128, u128),
    Bool,
    Char,
    /// One of these variants.
    Enum(&'static [&'static str]),
}

/// The record of one attempt to decode a value. Places in the value are identified by their addresses.
#[derive(Default)]
pub(super) struct Log {
    pub(super) asks: RefCell<Vec<(*const Json, Ask)>>,
    pub(super) keys: RefCell<Vec<(*const Json, KeyAsk)>>,
    /// A place at which nothing can be decoded, whatever the type asks for.
    pub(super) broken: Option<*const Json>,
}

/// The reason for which a type does not take a value.
#[derive(Debug, Default, thiserror::Error)]
#[error("the value is not taken")]
pub(crate) struct Refusal {
    /// The member that is missing.
    pub(in crate::schema::trial) missing: Option<&'static str>,
    /// The member that is there twice, perhaps under two names.
    pub(in crate::schema::trial) duplicate: Option<&'static str>,
}

impl Error for Refusal {
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

pub(super) fn refused() -> Refusal {
    Refusal::default()
}

/// Hands a whole number to a visitor as `serde_json` does.
pub(super) fn visit_whole<'s, V: Visitor<'s>>(
    value: i128,
    visitor: V,
) -> Result<V::Value, Refusal> {
    if let Ok(value) = u64::try_from(value) {
        visitor.visit_u64(value)
    } else if let Ok(value) = i64::try_from(value) {
        visitor.visit_i64(value)
    } else {
        Err(refused())
    }
}
