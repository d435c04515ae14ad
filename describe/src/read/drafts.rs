//! From older drafts of JSON Schema, and from what OpenAPI adds to it, to 2020-12.

use super::place::Place;
use crate::json::{Json, Object};
use crate::openrpc::{CUT, cut_description};
use crate::schema::component_entered;

/// The same schema in the words of 2020-12. The schemas inside it are not touched.
pub(super) fn to_current(mut schema: Object, at: &Place<'_>) -> Object {
    // An identifier would change what references count from, and is nothing that the model has.
    schema.shift_remove("$schema");
    if schema.shift_remove("$id").is_some() {
        at.name("$id")
            .warn("schema identifiers are not followed; left out");
    }
    restore_cut(&mut schema);
    lone_reference(&mut schema);
    positional_items(&mut schema);
    exclusive_bounds(&mut schema);
    dependencies(&mut schema);
    if let Some(example) = schema.get("example").cloned()
        && !schema.contains_key("examples")
    {
        rename(
            &mut schema,
            "example",
            "examples",
            Json::Array(vec![example]),
        );
    }
    if let Some(Json::Bool(_)) = schema.get("required") {
        at.name("required").warn(
            "a boolean here has no meaning in JSON Schema (the parent lists what is required); \
             left out",
        );
        schema.shift_remove("required");
    }
    nullable(schema)
}

/// Whether what a reference leads to has another place in the words of 2020-12.
pub(super) fn moves(reference: &str) -> bool {
    let mut tokens = reference.split('/').skip(4).peekable();
    while let Some(token) = tokens.next() {
        let is_positional = token == "items"
            && tokens
                .peek()
                .is_some_and(|next| next.bytes().all(|byte| byte.is_ascii_digit()));
        if is_positional || token == "additionalItems" || token == "dependencies" {
            return true;
        }
    }
    false
}

/// Our own OpenRPC rendering cuts references that lead round in a circle, and says where they led.
fn restore_cut(schema: &mut Object) {
    if let Some(Json::String(reference)) = schema.get(CUT).cloned()
        && !schema.contains_key("$ref")
        && let Some(name) = component_entered(&reference)
    {
        let said = schema.get("description").and_then(Json::as_str);
        if said == Some(&cut_description(&name)) {
            schema.shift_remove("description");
        }
        rename(schema, CUT, "$ref", Json::from(reference.as_str()));
    }
}

/// Before 2019-09 nothing beside a `$ref` counted, so that one with company had to be wrapped.
fn lone_reference(schema: &mut Object) {
    if let Some([Json::Object(branch)]) = schema.get("allOf").and_then(Json::as_array)
        && branch.len() == 1
        && !schema.contains_key("$ref")
        && let Some(reference @ Json::String(_)) = branch.get("$ref").cloned()
    {
        rename(schema, "allOf", "$ref", reference);
    }
}

/// Before 2020-12 an array in `items` was what `prefixItems` is now.
fn positional_items(schema: &mut Object) {
    let Some(Json::Array(items)) = schema.get("items").cloned() else {
        // Without such an array `additionalItems` never had a meaning.
        schema.shift_remove("additionalItems");
        return;
    };
    if items.is_empty() {
        schema.shift_remove("items");
    } else {
        rename(schema, "items", "prefixItems", Json::Array(items));
    }
    if let Some(rest) = schema.get("additionalItems").cloned() {
        rename(schema, "additionalItems", "items", rest);
    }
}

/// In draft-04 `exclusiveMinimum` was a Boolean that said what kind of bound `minimum` was.
fn exclusive_bounds(schema: &mut Object) {
    for (bound, exclusive) in [
        ("minimum", "exclusiveMinimum"),
        ("maximum", "exclusiveMaximum"),
    ] {
        if let Some(Json::Bool(is_exclusive)) = schema.get(exclusive).cloned() {
            schema.shift_remove(exclusive);
            if let Some(value) = schema.get(bound).cloned().filter(|_| is_exclusive) {
                rename(schema, bound, exclusive, value);
            }
        }
    }
}

/// Before 2019-09 `dependencies` was both `dependentRequired` and `dependentSchemas`.
fn dependencies(schema: &mut Object) {
    let Some(Json::Object(dependencies)) = schema.get("dependencies").cloned() else {
        return;
    };
    let (names, schemas): (Object, Object) = dependencies
        .into_iter()
        .partition(|(_, value)| matches!(value, Json::Array(_)));
    schema.shift_remove("dependencies");
    for (keyword, value) in [("dependentRequired", names), ("dependentSchemas", schemas)] {
        if !value.is_empty() && !schema.contains_key(keyword) {
            schema.insert(keyword.to_owned(), Json::Object(value));
        }
    }
}

/// What OpenAPI 3.0 calls `nullable` is a type of its own here.
fn nullable(mut schema: Object) -> Object {
    match schema.shift_remove("nullable") {
        Some(Json::Bool(true)) => {}
        Some(Json::Bool(false)) | None => return schema,
        // Something else by that name.
        Some(other) => {
            schema.insert("nullable".to_owned(), other);
            return schema;
        }
    }
    let null = || Json::from("null");
    match schema.get_mut("type") {
        Some(Json::Array(words)) => {
            if !words.contains(&null()) {
                words.push(null());
            }
        }
        Some(word) if *word != null() => {
            *word = Json::Array(vec![std::mem::take(word), null()]);
        }
        Some(_) => {}
        None => {
            let null = [("type".to_owned(), null())].into_iter().collect();
            let branches = vec![Json::Object(schema), Json::Object(null)];
            return [("anyOf".to_owned(), Json::Array(branches))]
                .into_iter()
                .collect();
        }
    }
    if let Some(Json::Array(values)) = schema.get_mut("enum")
        && !values.contains(&Json::Null)
    {
        values.push(Json::Null);
    }
    schema
}

/// Puts a value under another keyword, in the same place.
fn rename(schema: &mut Object, from: &str, to: &str, value: Json) {
    let Some(place) = schema.get_index_of(from) else {
        return;
    };
    schema.shift_remove_index(place);
    schema.shift_remove(to);
    schema.shift_insert(place.min(schema.len()), to.to_owned(), value);
}
