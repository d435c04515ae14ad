//! The keys that a map takes: a schema that is made from a map mostly does not say.

use super::Trial;
use super::decode::{KeyAsk, attempt};
use super::digits::pattern;
use super::edit::Edit;
use super::place::{Place, key_ask};
use crate::json::{Json, Object};
use crate::schema::format::Format;
use crate::schema::publish::ip_versions;

/// Finds out which names the open members at a place may have.
pub(super) fn learn<'t>(trial: &mut Trial<'t>, place: &Place<'_, 't>) {
    for (layer, objects) in place.case.objects() {
        let values = match (&objects.others, &objects.patterns[..]) {
            (Some(values), []) if !values.is_never => values,
            (Some(values), [(_, by_pattern)]) if values.is_never => by_pattern,
            _ => continue,
        };
        let has_pattern = !objects.patterns.is_empty();
        let Some(value) = trial.examples.smallest(place.case.views.view(&[values])) else {
            continue;
        };
        let takes =
            |key: &str| place.case.describes(key) || trial.is_taken(&place.with_key(key, &value));
        let tried = place.with_key("key", &value);
        let edit =
            match key_ask(&attempt(&tried, trial.decode), place.at, &tried) {
                Some(KeyAsk::Integer(least, greatest)) if has_pattern => Some(Edit::Pattern(
                    pattern(least.unsigned_abs(), greatest, takes("0")),
                )),
                _ if has_pattern => None,
                ask => names_of(ask, &takes).map(Edit::Names),
            };
        if let Some(edit) = edit.filter(|edit| !edit.is_made(objects)) {
            trial.edits.add(layer.node, edit);
        }
    }
}

/// Returns the schema of names that are more than strings.
fn names_of(ask: Option<KeyAsk>, takes: &dyn Fn(&str) -> bool) -> Option<Json> {
    match ask {
        Some(KeyAsk::Bool) => return Some(listing(&["true", "false"])),
        Some(KeyAsk::Char) => {
            return Some(typed([
                ("minLength", Json::from(1)),
                ("maxLength", Json::from(1)),
            ]));
        }
        Some(KeyAsk::Enum(variants)) => {
            let variants = variants.iter().copied().filter(|variant| takes(variant));
            return Some(listing(&variants.collect::<Vec<_>>()));
        }
        Some(KeyAsk::Integer(..)) => return None,
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

fn listing(names: &[&str]) -> Json {
    typed([("enum", names.iter().copied().collect())])
}

/// Returns the schema of strings with these keywords.
fn typed<const N: usize>(keywords: [(&str, Json); N]) -> Json {
    let mut schema = Object::from([("type", Json::from("string"))]);
    schema.extend(keywords);
    Json::Object(schema)
}
