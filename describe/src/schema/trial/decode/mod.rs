//! Decodes a type from a value, as the binding of parameters would, and notes what it asks for.

mod key;
mod log;
mod source;

use serde::de::DeserializeOwned;

use crate::json::Json;
use log::Log;
pub(in crate::schema) use log::{Ask, KeyAsk, Refusal};
use source::TrialValue;

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
        self.asks
            .iter()
            .filter(move |(at, _)| *at == place)
            .map(|(_, ask)| *ask)
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
