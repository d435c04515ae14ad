//! JSON as `serde_json` sees it: a second opinion on what Docent's own scanner reads.
//!
//! `RawValue` checks the grammar and keeps the text. It takes any depth, numbers of any size and
//! halves of surrogate pairs, as RFC 8259 does. Where a value is needed and not its text, such
//! things have none that `serde_json` could give: then there is no second opinion, and whoever
//! asks has to say what is checked instead.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Whether bytes are one JSON value, in UTF-8, with nothing but white space around it.
///
/// # Errors
/// What `serde_json` has against them.
pub(crate) fn check(bytes: &[u8]) -> Result<&RawValue, serde_json::Error> {
    serde_json::from_slice(bytes)
}

/// How many brackets of a JSON text are open at once, at most.
pub(crate) fn depth(json: &[u8]) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                open += 1;
                most = most.max(open);
            }
            b']' | b'}' if !in_string => open = open.saturating_sub(1),
            _ => {}
        }
    }
    most
}

/// The elements, where a value is an array.
pub(crate) fn elements(value: &RawValue) -> Option<Vec<&RawValue>> {
    let is_array = value.get().starts_with('[');
    is_array.then(|| serde_json::from_str(value.get()).ok())?
}

/// The members, where a value is an object: all of them, in order.
pub(crate) fn members(value: &RawValue) -> Option<Members<'_>> {
    let is_object = value.get().starts_with('{');
    is_object.then(|| serde_json::from_str(value.get()).ok())?
}

/// The characters, where a value is a string that has any: half of a surrogate pair has none.
pub(crate) fn text(value: &RawValue) -> Option<String> {
    let is_string = value.get().starts_with('"');
    is_string.then(|| serde_json::from_str(value.get()).ok())?
}

/// The members of an object.
pub(crate) struct Members<'a>(Vec<Member<'a>>);

/// A name, where it is one, and a value.
pub(crate) type Member<'a> = (Option<String>, &'a RawValue);

impl<'a> Members<'a> {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Member<'a>> {
        self.0.iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// How often a name occurs.
    pub(crate) fn count(&self, name: &str) -> usize {
        self.named(name).count()
    }

    /// The value of a name, the last where there are several.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.named(name).last()
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &'a RawValue> {
        let named = move |member: &&Member<'a>| member.0.as_deref() == Some(name);
        self.0.iter().filter(named).map(|member| member.1)
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<&RawValue, &RawValue>()? {
                    members.push((text(name), value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(All)
    }
}
