//! A service whose procedures return what has arrived, so that clients can be held to a table of odd values.
#![expect(
    clippy::option_option,
    reason = "left out, null and a text are three values"
)]

use std::fmt::Debug;

use docent::{BuildError, Bytes, Fault, Service, present, procedures};
use futures_util::{Stream, StreamExt as _, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A value that has arrived at a handler.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Arrived<T> {
    /// The value as Rust shows it.
    pub shown: String,
    /// The value, or null if it was left out.
    pub value: T,
}

impl<T: Debug> Arrived<T> {
    fn new(value: T) -> Self {
        Self {
            shown: format!("{value:?}"),
            value,
        }
    }
}

/// A text or null.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NullableText(pub Option<String>);

/// Numbers and a note.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Nested {
    /// The numbers.
    pub numbers: Vec<f64>,
    /// The note: left out, null, or a text.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub note: Option<Option<String>>,
}

/// A number that is counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Counted {
    /// The number.
    pub number: u32,
    /// Its digits.
    pub digits: Bytes,
}

/// The last number that is counted.
const LAST_NUMBER: u32 = 1_000;

/// The procedures, one for each type of parameter, and a subscription for clients that lose their connections.
#[derive(Debug)]
pub struct Values;

#[procedures]
impl Values {
    /// Takes a double.
    #[procedure(idempotent)]
    fn number(&self, value: f64) -> Result<Arrived<f64>, Fault> {
        Ok(Arrived::new(value))
    }

    /// Takes an integer of 32 bits.
    #[procedure(idempotent)]
    fn integer(&self, value: i32) -> Result<Arrived<i32>, Fault> {
        Ok(Arrived::new(value))
    }

    /// Takes an integer of 64 bits.
    #[procedure(idempotent)]
    fn signed(&self, value: i64) -> Result<Arrived<i64>, Fault> {
        Ok(Arrived::new(value))
    }

    /// Takes an integer of 64 bits that is not negative.
    #[procedure(idempotent)]
    fn unsigned(&self, value: u64) -> Result<Arrived<u64>, Fault> {
        Ok(Arrived::new(value))
    }

    /// Takes a text.
    #[procedure(idempotent)]
    fn text(&self, value: String) -> Result<Arrived<String>, Fault> {
        Ok(Arrived::new(value))
    }

    /// Takes a text or null.
    #[procedure(idempotent)]
    fn nullable(&self, value: NullableText) -> Result<Arrived<NullableText>, Fault> {
        Ok(Arrived::new(value))
    }

    /// Takes a text that may be left out. Null is the same.
    #[procedure(idempotent)]
    fn optional(&self, value: Option<String>) -> Result<Arrived<Option<String>>, Fault> {
        Ok(Arrived::new(value))
    }

    /// Takes a text that may be left out, and null, which is not the same.
    #[procedure(idempotent)]
    fn patched(&self, value: Option<Option<String>>) -> Result<Arrived<Option<String>>, Fault> {
        Ok(Arrived {
            shown: format!("{value:?}"),
            value: value.flatten(),
        })
    }

    /// Takes an integer that is 20 if it is left out.
    #[procedure(idempotent)]
    fn defaulted(&self, #[procedure(default = 20)] value: i64) -> Result<Arrived<i64>, Fault> {
        Ok(Arrived::new(value))
    }

    /// Takes an object.
    #[procedure(idempotent)]
    fn nested(&self, value: Nested) -> Result<Arrived<Nested>, Fault> {
        Ok(Arrived::new(value))
    }

    /// Takes bytes.
    #[procedure(idempotent)]
    fn binary(&self, value: Bytes) -> Result<Arrived<Bytes>, Fault> {
        Ok(Arrived::new(value))
    }

    /// Takes a list of bytes or null.
    #[procedure(idempotent)]
    fn binaries(&self, value: Vec<Option<Bytes>>) -> Result<Arrived<Vec<Option<Bytes>>>, Fault> {
        Ok(Arrived::new(value))
    }

    /// Takes any value.
    #[procedure(idempotent)]
    fn untyped(&self, value: Value) -> Result<Arrived<Value>, Fault> {
        Ok(Arrived::new(value))
    }

    /// Counts to 1,000.
    #[subscription(resume_by("after", |counted| counted.number))]
    fn count(
        &self,
        /// The last number that you know.
        after: Option<u32>,
    ) -> Result<impl Stream<Item = Result<Counted, Fault>> + use<>, Fault> {
        let first = after.map_or(1, |after| after.saturating_add(1));
        Ok(stream::iter(first..=LAST_NUMBER).map(|number| {
            Ok(Counted {
                number,
                digits: Bytes::from(number.to_string().into_bytes()),
            })
        }))
    }
}

/// Builds the service.
///
/// # Errors
/// Never: the procedures are always the same.
pub fn service() -> Result<Service, BuildError> {
    Service::builder("values", "urn:uuid:5b7f3d0a-6c39-4c3c-9f0e-0d9c6f6a2b12")
        .version("1.0")
        .documentation("Returns what has arrived.")
        .procedures(Values.procedures())
        .build()
}
