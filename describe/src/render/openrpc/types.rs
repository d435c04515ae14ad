//! Splits lists of types into branches of `anyOf`.
//!
//! Code generators invent a name for each type of a list and forget to define it, and JSON Schema's
//! authors advise against such lists.

use crate::json::{Json, Object};
use crate::schema::Kinds;
use crate::schema::keyword::kinds_about;

/// Replaces a list of types by a branch for each type, with the keywords that apply to it. A schema
/// with one type or none is not changed.
pub(crate) fn split(mut schema: Object) -> Object {
    let Some(Json::Array(types)) = schema.get("type") else {
        return schema;
    };
    if types.len() < 2 || schema.contains_key("anyOf") {
        return other_form(schema);
    }
    let types = types.clone();
    let words = || types.iter().filter_map(Json::as_str);
    let values = values_by_type(&schema, &types);
    let mut branches = Vec::with_capacity(types.len());
    for word in words() {
        let own = schema.iter().filter(|(keyword, _)| is_about(keyword, word));
        let mut branch = Object::new().with("type", word).with_new(own);
        match values.as_ref().and_then(|values| values.get(word)) {
            Some(Json::Array(values)) if word != "null" => {
                branch.insert("enum", Json::Array(values.clone()));
            }
            _ => {}
        }
        branches.push(Json::Object(branch));
    }
    schema.retain(|keyword, _| !words().any(|word| is_about(keyword, word)));
    if values.is_some() {
        schema.shift_remove("enum");
    }
    crate::openrpc::rename(&mut schema, "type", "anyOf", Json::Array(branches));
    schema
}

/// Rewrites a list of types that cannot be split: a single type, or a list beside other
/// alternatives.
fn other_form(mut schema: Object) -> Object {
    let Some(Json::Array(mut types)) = schema.shift_remove("type") else {
        return schema;
    };
    if types.len() == 1 {
        schema.insert("type", types.swap_remove(0));
    } else if !types.is_empty() {
        let branches = types
            .into_iter()
            .map(|word| Object::new().with("type", word));
        let alternatives = Object::new().list("anyOf", branches).into();
        let all = schema.or_insert_with("allOf", || Json::Array(Vec::new()));
        if let Json::Array(all) = all {
            all.push(alternatives);
        }
    }
    schema
}

/// Returns whether a keyword constrains values of this type and of few others.
fn is_about(keyword: &str, word: &str) -> bool {
    let (about, kinds) = (kinds_about(keyword), Kinds::of_word(word));
    about
        .zip(kinds)
        .is_some_and(|(about, kinds)| about.meet(kinds))
}

/// Returns the values of `enum` by type, if they are sorted by type and every type has some.
fn values_by_type(schema: &Object, types: &[Json]) -> Option<Object> {
    let Some(Json::Array(values)) = schema.get("enum") else {
        return None;
    };
    let mut sorted = Object::new();
    let mut in_order = Vec::with_capacity(values.len());
    for word in types.iter().filter_map(Json::as_str) {
        let own: Vec<Json> = values
            .iter()
            .filter(|value| has_type(value, word))
            .cloned()
            .collect();
        if own.is_empty() {
            return None;
        }
        in_order.extend(own.iter().cloned());
        sorted.insert(word, Json::Array(own));
    }
    (in_order == *values).then_some(sorted)
}

fn has_type(value: &Json, word: &str) -> bool {
    Kinds::of_word(word).is_some_and(|kinds| Kinds::of(value).within(kinds))
}
