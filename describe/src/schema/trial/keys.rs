//! The keys that a map takes: a schema that is made from a map mostly does not say.
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
        let takes = |key: &str| {
            visited.case.describes(key) || trial.is_taken(&visited.with_key(key, &value))
        };
        let tried = visited.with_key("key", &value);
        let hint = attempt(&tried, trial.decode).key_hint_at(visited.pointer);
        let edit = match hint {
            Some(KeyHint::Integer { least, greatest }) if has_pattern => {
                let below = least.unsigned_abs();
                Some(Edit::Pattern(pattern_of_range(below, greatest, takes("0"))))
            }
            _ if has_pattern => None,
            hint => schema_of_names(hint, &takes).map(Edit::Names),
        };
        if let Some(edit) = edit
            && !edit.is_made(objects)
        {
            trial.edits.add(layer.node, edit);
        }
    }
}

/// Returns the schema of names that are more than strings.
fn schema_of_names(hint: Option<KeyHint>, takes: &dyn Fn(&str) -> bool) -> Option<Json> {
    match hint {
        Some(KeyHint::Bool) => return Some(listing(&["true", "false"])),
        Some(KeyHint::Char) => {
            return Some(typed([
                ("minLength", Json::from(1)),
                ("maxLength", Json::from(1)),
            ]));
        }
        Some(KeyHint::Enum(variants)) => {
            let mut names = variants.to_vec();
            names.retain(|name| takes(name));
            return Some(listing(&names));
        }
        Some(KeyHint::Integer { .. }) => return None,
        None => {}
    }
    if ["a", "", "0"].into_iter().any(takes) {
        return None;
    }
    let formats = Format::all().filter(|format| format.examples.iter().all(|text| takes(text)));
    match *formats.map(|format| format.name).collect::<Vec<_>>() {
        [only] => Some(typed([("format", Json::from(only))])),
        ["ipv4", "ipv6"] => Some(typed([("anyOf", ip_versions())])),
        _ => None,
    }
}

/// Returns the schema of these names.
fn listing(names: &[&str]) -> Json {
    typed([("enum", names.iter().copied().collect())])
}

/// Returns the schema of strings with these keywords.
fn typed<const N: usize>(keywords: [(&str, Json); N]) -> Json {
    let mut schema = Object::from([("type", Json::from("string"))]);
    schema.extend(keywords);
    Json::Object(schema)
}
