//! JSON, one level deep: members and elements as they were written.

use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::Breach;

/// The members of an object, in their order and with their text; a name that is there twice is a
/// breach.
pub(super) fn members(text: &str) -> Result<Vec<(String, &str)>, Breach> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let members = reader.deserialize_map(Members).map_err(Breach::new)?;
    reader.end().map_err(Breach::new)?;
    for (at, (name, _)) in members.iter().enumerate() {
        if members[..at].iter().any(|(before, _)| before == name) {
            return Err(Breach::new(format_args!("the member {name:?} twice")));
        }
    }
    let members = members.into_iter();
    Ok(members.map(|(name, value)| (name, value.get())).collect())
}

/// The elements of an array, with their text.
pub(super) fn elements(text: &str) -> Result<Vec<&str>, Breach> {
    let elements: Vec<&RawValue> = serde_json::from_str(text).map_err(Breach::new)?;
    Ok(elements.into_iter().map(RawValue::get).collect())
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}
