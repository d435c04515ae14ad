//! Decodes a type from a value, as the binding of parameters would, and records its hints.
//!
//! Binding itself is in the core crate and reads text. This is a second, small deserializer on
//! purpose: a trial decodes samples that are never written, and may make one part of them
//! undecodable.

mod hint;
mod key;
mod source;

use serde::de::DeserializeOwned;

use crate::json::Json;
use hint::HintLog;
pub(in crate::schema) use hint::{DecodeError, Hint, KeyHint, RecordedHint};
use source::TrialValue;

/// The outcome of one attempt to decode a value.
pub(in crate::schema) struct Attempt {
    /// The hints of the type, in order.
    pub(super) hints: Vec<RecordedHint<Hint>>,
    /// Its hints about the names of members.
    pub(super) key_hints: Vec<RecordedHint<KeyHint>>,
    /// The reason for which the type does not take the value, if it does not.
    pub(super) outcome: Result<(), DecodeError>,
}

impl Attempt {
    /// Returns the first hint of the type.
    pub(in crate::schema) fn first_hint(&self) -> Hint {
        self.hints
            .first()
            .map_or(Hint::Any, |recorded| recorded.hint)
    }

    /// Returns the first member that the type misses.
    pub(in crate::schema) fn missing(&self) -> Option<&'static str> {
        self.outcome.as_ref().err()?.missing
    }

    /// Returns the hints about the value at an address.
    pub(super) fn hints_at(&self, address: *const Json) -> impl Iterator<Item = Hint> {
        self.hints
            .iter()
            .filter(move |recorded| recorded.address == address)
            .map(|recorded| recorded.hint)
    }
}

/// Decodes a value.
pub(in crate::schema) fn attempt(value: &Json, decode: Decode) -> Attempt {
    let log = HintLog::default();
    let outcome = decode(TrialValue::new(value, &log));
    Attempt {
        hints: log.hints.take(),
        key_hints: log.key_hints.take(),
        outcome,
    }
}

/// Returns whether a type takes a value, even if nothing can be decoded at the `broken` address.
pub(super) fn is_taken(value: &Json, broken: Option<*const Json>, decode: Decode) -> bool {
    let log = HintLog {
        broken,
        ..HintLog::default()
    };
    decode(TrialValue::new(value, &log)).is_ok()
}

/// Decodes a type from a value. A function pointer, so that what uses it is compiled once and not
/// once a type.
pub(crate) type Decode = for<'s> fn(TrialValue<'s>) -> Result<(), DecodeError>;

/// Decodes a `P`.
pub(crate) fn decode<P: DeserializeOwned>(source: TrialValue<'_>) -> Result<(), DecodeError> {
    P::deserialize(source).map(drop)
}
