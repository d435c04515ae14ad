//! Decodes a type from a value, as the binding of parameters would, and notes what it asks for.

mod access;
mod key;
mod source;

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeOwned, Error, Visitor};

use crate::json::Json;
use source::TrialValue;

/// The kinds of data that a type asks for at a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyAsk {
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
    asks: RefCell<Vec<(*const Json, Ask)>>,
    keys: RefCell<Vec<(*const Json, KeyAsk)>>,
    /// A place at which nothing can be decoded, whatever the type asks for.
    broken: Option<*const Json>,
}

/// The outcome of one attempt to decode a value.
pub(in crate::schema) struct Attempt {
    /// The data that the type asked for, in order.
    pub(super) asks: Vec<(*const Json, Ask)>,
    pub(super) keys: Vec<(*const Json, KeyAsk)>,
    pub(super) outcome: Result<(), Refusal>,
}

impl Attempt {
    /// Returns the data that the type asked for first.
    pub(in crate::schema) fn first_ask(&self) -> Ask {
        self.asks.first().map_or(Ask::Any, |(_, ask)| *ask)
    }

    /// Returns the first member that the type misses.
    pub(in crate::schema) fn missing(&self) -> Option<&'static str> {
        self.outcome.as_ref().err()?.missing
    }

    /// Returns the data that the type asked for at a place.
    pub(super) fn asks_at(&self, place: *const Json) -> impl Iterator<Item = Ask> {
        let here = self.asks.iter().filter(move |(at, _)| *at == place);
        here.map(|(_, ask)| *ask)
    }
}

/// Decodes a value.
pub(in crate::schema) fn attempt(value: &Json, decode: Decode) -> Attempt {
    let log = Log::default();
    let outcome = decode(TrialValue::new(value, &log));
    Attempt {
        asks: log.asks.take(),
        keys: log.keys.take(),
        outcome,
    }
}

/// Returns whether a type takes a value, even if nothing can be decoded at the `broken` place.
pub(super) fn is_taken(value: &Json, broken: Option<*const Json>, decode: Decode) -> bool {
    let log = Log {
        broken,
        ..Log::default()
    };
    decode(TrialValue::new(value, &log)).is_ok()
}

/// Decodes a type from a value. A function pointer, so that what uses it is compiled once and not
/// once a type.
pub(crate) type Decode = for<'s> fn(TrialValue<'s>) -> Result<(), Refusal>;

/// Decodes a `P`.
pub(crate) fn decode<P: DeserializeOwned>(source: TrialValue<'_>) -> Result<(), Refusal> {
    P::deserialize(source).map(drop)
}

/// The reason for which a type does not take a value.
#[derive(Debug, Default)]
pub(crate) struct Refusal {
    /// The member that is missing.
    missing: Option<&'static str>,
    /// The member that is there twice, perhaps under two names.
    pub(super) duplicate: Option<&'static str>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value is not taken")
    }
}

impl std::error::Error for Refusal {}

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

fn refused() -> Refusal {
    Refusal::default()
}

/// Hands a whole number to a visitor as `serde_json` does.
fn visit_whole<'s, V: Visitor<'s>>(value: i128, visitor: V) -> Result<V::Value, Refusal> {
    if let Ok(value) = u64::try_from(value) {
        visitor.visit_u64(value)
    } else if let Ok(value) = i64::try_from(value) {
        visitor.visit_i64(value)
    } else {
        Err(refused())
    }
}
