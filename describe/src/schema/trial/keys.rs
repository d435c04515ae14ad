//! What the keys of a map may be: a schema that is made from a map mostly does not say.

use std::rc::Rc;

use super::Trial;
use super::digits::{INTEGERS, pattern};
use super::edit::Edit;
use super::place::Place;
use super::sample::{Sample, Value};
use super::sampler::Sampler;
use super::text;
use crate::json::{Json, Name, Object};
use crate::schema::form::Form;

/// Formats that keys may have, all distinct.
const FORMATS: [&str; 7] = ["uuid", "date-time", "date", "time", "ipv4", "ipv6", "uri"];

/// Finds out which names the open members at a place may have.
pub(super) fn learn<'j>(
    trial: &mut Trial<'_, 'j>,
    sample: &Rc<Sample<'j>>,
    form: &Rc<Form<'j>>,
    place: &Place,
    names: &[Name],
) {
    for &schema in &form.schemas {
        let values = match (
            schema.get("additionalProperties"),
            schema.get("patternProperties"),
        ) {
            (Some(values @ (Json::Object(_) | Json::Bool(true))), None) => values,
            (Some(Json::Bool(false)), Some(Json::Object(patterns))) if patterns.len() == 1 => {
                patterns.values().next().unwrap_or(&Json::Null)
            }
            _ => continue,
        };
        let Some(value) = Sampler::new(trial.definitions).simplest(values) else {
            continue;
        };
        let takes = |key: &str| {
            let with = sample.changed(place, &|at| {
                if let Value::Object(members) = &mut at.value {
                    // Keys of the sample itself may be what the type refuses.
                    members.retain(|(name, _)| form.property(name).is_some());
                    members.push((key.into(), Rc::clone(&value)));
                }
            });
            names
                .iter()
                .any(|name| *name == *key && form.property(name).is_some())
                || trial.is_taken(&with)
        };
        let edit = if schema.get("patternProperties").is_some() {
            integers(&takes).map(Edit::Pattern)
        } else {
            let choices = trial.choices(sample, place, &value);
            names_of(&takes, choices).map(Edit::Names)
        };
        if let Some(edit) = edit {
            trial.verdict.edits.add(schema, edit);
        }
    }
}

/// The schema of names that are more than strings.
fn names_of(takes: &dyn Fn(&str) -> bool, choices: &[&str]) -> Option<Json> {
    let all = |keys: &[&str]| keys.iter().all(|key| takes(key));
    let none = |keys: &[&str]| !keys.iter().any(|key| takes(key));
    if all(&["a", "ä b", ""]) {
        return None;
    }
    if all(&["true", "false"]) && none(&["a", "", "0", "True"]) {
        return Some(listing(&["true", "false"]));
    }
    if all(&["a", "ä", "0", " "]) && none(&["", "ab", "true"]) {
        let mut words = typed();
        words.insert("minLength".to_owned(), Json::from(1));
        words.insert("maxLength".to_owned(), Json::from(1));
        return Some(Json::Object(words));
    }
    let choices: Vec<&str> = choices
        .iter()
        .copied()
        .filter(|choice| takes(choice))
        .collect();
    if !choices.is_empty() && none(&["a b", "0", "\u{1}"]) {
        return Some(listing(&choices));
    }
    if !none(&["a", "", "0"]) {
        return None;
    }
    let formats = FORMATS.iter().filter(|format| {
        let texts = text::of_format(format);
        texts.iter().all(|text| takes(text))
    });
    let mut words = typed();
    match *formats.copied().collect::<Vec<_>>() {
        [only] => words.extend(formatted(only)),
        ["ipv4", "ipv6"] => {
            let versions = ["ipv4", "ipv6"].map(|version| Json::Object(formatted(version)));
            words.insert("anyOf".to_owned(), Json::Array(versions.to_vec()));
        }
        _ => return None,
    }
    Some(Json::Object(words))
}

fn formatted(format: &str) -> Object {
    [("format".to_owned(), Json::from(format))]
        .into_iter()
        .collect()
}

fn typed() -> Object {
    let mut words = Object::new();
    words.insert("type".to_owned(), Json::from("string"));
    words
}

fn listing(names: &[&str]) -> Json {
    let mut words = typed();
    let names = names.iter().map(|name| Json::from(*name)).collect();
    words.insert("enum".to_owned(), Json::Array(names));
    Json::Object(words)
}

/// The pattern of keys that are integers of some type.
fn integers(takes: &dyn Fn(&str) -> bool) -> Option<String> {
    let fits = |&&(least, greatest): &&(i128, u128)| {
        let beyond = greatest
            .checked_add(1)
            .is_none_or(|beyond| !takes(&beyond.to_string()));
        let below = least
            .checked_sub(1)
            .is_none_or(|below| !takes(&below.to_string()));
        takes(&greatest.to_string()) && (least == 0 || takes(&least.to_string())) && beyond && below
    };
    let (least, greatest) = INTEGERS.iter().find(fits)?;
    let zero = takes("0");
    Some(pattern(least.unsigned_abs(), *greatest, zero))
}
