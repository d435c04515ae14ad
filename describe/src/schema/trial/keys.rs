//! The keys that a map takes, which a schema that is made from a map mostly does not describe.
//!
//! ```text
//! HashMap<u8, T>        "patternProperties": {"^(0|[1-9][0-9]{0,1}|1[0-9]{2}|…)$": …}
//! HashMap<Colour, T>    "propertyNames": {"type": "string", "enum": ["red", "blue"]}
//! HashMap<Uuid, T>      "propertyNames": {"type": "string", "format": "uuid"}
//! ```
//!
//! A type may ask for the keys as integers, characters or variants, which its hints show. One that
//! reads them as strings and refuses some is tried with the examples of all formats.

use super::Trial;
use super::decode::attempt;
use super::digits::pattern_of_range;
use super::edit::Edit;
use super::visit::VisitedValue;
use crate::json::de::KeyHint;
use crate::json::{Json, Object};
use crate::schema::format::Format;
use crate::schema::publish::ip_versions;

/// Finds out which names the open members of an object may have, and narrows its schema to them.
pub(super) fn narrow_names<'t>(trial: &mut Trial<'t>, visited: &VisitedValue<'_, 't>) {
    for (layer, objects) in visited.case.objects() {
        let values = match (&objects.others, &objects.patterns[..]) {
            (Some(values), []) if !values.is_never => values,
            (Some(values), [(_, by_pattern)]) if values.is_never => by_pattern,
            _ => continue,
        };
        let has_pattern = !objects.patterns.is_empty();
        let Some(value) = trial.examples.smallest(visited.case.views.view(&[values])) else {
            continue;
        };
        let keys = TriedKeys {
            trial,
            visited,
            value: &value,
        };
        let edit = match keys.hint() {
            Some(KeyHint::Integer { least, greatest }) if has_pattern => {
                let has_zero = keys.takes("0");
                let pattern = pattern_of_range(least.unsigned_abs(), greatest, has_zero);
                Some(Edit::Pattern(pattern))
            }
            _ if has_pattern => None,
            hint => schema_of_names(hint, &keys).map(Edit::Names),
        };
        if let Some(edit) = edit
            && !edit.is_made(objects)
        {
            trial.edits.add(layer.node, edit);
        }
    }
}

/// The keys of a map, tried with a value that the map takes.
struct TriedKeys<'a, 'v, 't> {
    trial: &'a Trial<'t>,
    visited: &'a VisitedValue<'v, 't>,
    value: &'a Json,
}

impl TriedKeys<'_, '_, '_> {
    /// Returns the type of keys that the map expects, if they are no strings.
    fn hint(&self) -> Option<KeyHint> {
        attempt(&self.visited.with_key("key", self.value), self.trial.decode)
            .key_hint_at(self.visited.pointer)
    }

    /// Returns whether the map takes a key.
    fn takes(&self, key: &str) -> bool {
        self.visited.case.describes(key)
            || self.trial.is_taken(&self.visited.with_key(key, self.value))
    }
}

/// Returns the schema of names that are more than strings.
fn schema_of_names(hint: Option<KeyHint>, keys: &TriedKeys<'_, '_, '_>) -> Option<Json> {
    match hint {
        Some(KeyHint::Bool) => return Some(enum_schema(&["true", "false"])),
        Some(KeyHint::Char) => {
            return Some(string_schema([
                ("minLength", Json::from(1)),
                ("maxLength", Json::from(1)),
            ]));
        }
        Some(KeyHint::Enum(variants)) => {
            let mut names = variants.to_vec();
            names.retain(|name| keys.takes(name));
            return Some(enum_schema(&names));
        }
        Some(KeyHint::Integer { .. }) => return None,
        None => {}
    }
    if ["a", "", "0"].into_iter().any(|key| keys.takes(key)) {
        return None;
    }
    let mut formats = Vec::new();
    for format in Format::all() {
        if format.examples.iter().all(|text| keys.takes(text)) {
            formats.push(format.name);
        }
    }
    match formats[..] {
        [only] => Some(string_schema([("format", Json::from(only))])),
        ["ipv4", "ipv6"] => Some(string_schema([("anyOf", ip_versions())])),
        _ => None,
    }
}

/// Returns the schema of these names.
fn enum_schema(names: &[&str]) -> Json {
    string_schema([("enum", names.iter().copied().collect())])
}

/// Returns the schema of strings with these keywords.
fn string_schema<const N: usize>(keywords: [(&str, Json); N]) -> Json {
    let mut schema = Object::from([("type", Json::from("string"))]);
    schema.extend(keywords);
    Json::Object(schema)
}
