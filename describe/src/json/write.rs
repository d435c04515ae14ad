//! Writes [`Json`] as text.
//!
//! `serde_json` lays out the text. A number is written as a `RawValue`, because `serde_json` leaves only the digits of
//! these as they are.

use std::fmt;

use serde::ser::{Error, Serialize, Serializer};
use serde_json::value::RawValue;

use super::value::Json;

impl Serialize for Json {
    /// Serialises the value. Numbers keep their text if the serializer is `serde_json`'s.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(text) => serde_json::from_str::<&RawValue>(text)
                .map_err(S::Error::custom)?
                .serialize(serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(elements) => serializer.collect_seq(elements),
            Self::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name.as_str(), value)))
            }
        }
    }
}

impl fmt::Display for Json {
    /// Writes the value as JSON text on one line, or with `{:#}` indented by two spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if f.alternate() {
            serde_json::to_string_pretty(self)
        } else {
            serde_json::to_string(self)
        };
        f.write_str(&text.map_err(|_| fmt::Error)?)
    }
}
