//! Converts schemas from older drafts of JSON Schema, and from OpenAPI's dialect, to 2020-12.
//!
//! Everything after this speaks of 2020-12 only. A keyword that is read otherwise than its draft says, because authors
//! mean something else, causes a warning.

use super::fields::object_of;
use super::location::Location;
use docent_describe::json::{Json, Name, Object};
use docent_describe::openrpc::{CUT_REFERENCE, cut_description};
use docent_describe::schema::{Kinds, component_entered, constrains, kinds_about};

/// The dialects of JSON Schema that documents are written in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// 2020-12.
    Current,
    /// Draft-07, as OpenRPC says, and what authors mix with it from draft-04 on.
    Draft07,
    /// Any draft from draft-04 on.
    Any,
}

/// Converts a schema to 2020-12. Its subschemas stay unchanged.
pub(super) fn to_current(schema: Object, dialect: Dialect, at: &Location<'_>) -> Object {
    let mut schema = nullable(schema);
    // An identifier would change the base of references, and the model has no member for it.
    schema.shift_remove("$schema");
    for keyword in ["$id", "id"] {
        if schema.get(keyword).is_some_and(|id| id.as_str().is_some()) {
            schema.shift_remove(keyword);
            at.inside(keyword)
                .warn("schema identifiers are not followed; left out");
        }
    }
    restore_cut(&mut schema);
    if dialect == Dialect::Draft07 {
        warn_beside_reference(&schema, at);
    }
    lone_reference(&mut schema);
    positional_items(&mut schema);
    exclusive_bounds(&mut schema, at);
    dependencies(&mut schema, at);
    // OpenAPI's name for it, before it had 2020-12.
    if schema.get_str("format") == Some("byte") {
        schema.shift_remove("format");
        schema.or_insert_with("contentEncoding", || Json::from("base64"));
    }
    if let Some(example) = schema.get("example").cloned()
        && !schema.contains_key("examples")
    {
        let examples = Json::Array(vec![example]);
        schema.replace("example", "examples", examples);
    }
    if let Some(name @ Json::String(_)) = schema.get("required").cloned() {
        at.inside("required")
            .warn("should be an array of names; read as an array of this one");
        schema.insert("required", Json::Array(vec![name]));
    }
    schema
}

/// Returns where an object refers to, if it is a reference.
pub(super) fn reference_of(members: &Object) -> Option<&str> {
    members.get_str("$ref")
}

/// Takes the reference out of an object.
pub(super) fn take_reference(value: &mut Json) -> Option<String> {
    let members = value.as_object_mut()?;
    let reference = reference_of(members)?.to_owned();
    members.shift_remove("$ref");
    Some(reference)
}

/// Returns whether the target of a reference moves in the conversion to 2020-12.
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

/// Converts a Boolean `exclusiveMinimum`, which in draft-04 said whether `minimum` was exclusive.
fn exclusive_bounds(schema: &mut Object, at: &Location<'_>) {
    for (bound, exclusive) in [
        ("minimum", "exclusiveMinimum"),
        ("maximum", "exclusiveMaximum"),
    ] {
        if let Some(Json::Bool(is_exclusive)) = schema.get(exclusive).cloned() {
            schema.shift_remove(exclusive);
            match schema.get(bound).cloned() {
                Some(value) if is_exclusive => schema.replace(bound, exclusive, value),
                None if is_exclusive => at
                    .inside(exclusive)
                    .warn(format_args!("true without `{bound}`; left out")),
                _ => {}
            }
        }
    }
}

/// Converts OpenAPI 3.0's `nullable` to a type.
fn nullable(mut schema: Object) -> Object {
    // A keyword of the same name with another value has another meaning.
    let Some(is_nullable) = schema.get("nullable").and_then(Json::as_bool) else {
        return schema;
    };
    schema.shift_remove("nullable");
    if !is_nullable {
        return schema;
    }
    let null = Json::from("null");
    let can_exclude_null = schema.keys().any(|keyword| excludes_null(keyword.as_str()));
    match schema.get_mut("type").filter(|_| !can_exclude_null) {
        Some(Json::Array(kinds)) => {
            if !kinds.contains(&null) {
                kinds.push(null);
            }
        }
        Some(kind) if *kind != null => *kind = Json::Array(vec![std::mem::take(kind), null]),
        Some(_) => {}
        None => {
            let alternatives = vec![Json::Object(schema), object_of("type", null)];
            return Object::from([("anyOf", Json::Array(alternatives))]);
        }
    }
    if let Some(Json::Array(values)) = schema.get_mut("enum")
        && !values.contains(&Json::Null)
    {
        values.push(Json::Null);
    }
    schema
}

/// Returns whether a keyword may refuse null that the type allows.
fn excludes_null(keyword: &str) -> bool {
    constrains(keyword) && kinds_about(keyword) == Kinds::ALL && !matches!(keyword, "type" | "enum")
}

/// Warns of the first keyword that asks something beside a reference: draft-07 ignores it, and most authors mean it.
fn warn_beside_reference(schema: &Object, at: &Location<'_>) {
    if reference_of(schema).is_none() {
        return;
    }
    for keyword in schema.keys().map(Name::as_str) {
        if constrains(keyword) && keyword != "$ref" {
            at.inside(keyword)
                .warn("draft-07 ignores it beside `$ref`; kept");
            return;
        }
    }
}

/// Restores a reference that Docent's own OpenRPC rendering has cut to break a cycle.
fn restore_cut(schema: &mut Object) {
    if let Some(Json::String(reference)) = schema.get(CUT_REFERENCE).cloned()
        && !schema.contains_key("$ref")
        && let Some(name) = component_entered(&reference)
    {
        if schema.get_str("description") == Some(&cut_description(&name)) {
            schema.shift_remove("description");
        }
        schema.replace(CUT_REFERENCE, "$ref", Json::from(reference.as_str()));
    }
}

/// Unwraps a `$ref` from an `allOf` of its own. Before 2019-09, keywords beside `$ref` were
/// ignored, so authors wrapped it.
fn lone_reference(schema: &mut Object) {
    if let Some([Json::Object(part)]) = schema.get("allOf").and_then(Json::as_array)
        && part.len() == 1
        && !schema.contains_key("$ref")
        && let Some(reference @ Json::String(_)) = part.get("$ref").cloned()
    {
        schema.replace("allOf", "$ref", reference);
    }
}

/// Converts an array in `items`, which is called `prefixItems` since 2020-12.
fn positional_items(schema: &mut Object) {
    let Some(Json::Array(items)) = schema.get("items").cloned() else {
        // Without such an array, `additionalItems` never had a meaning.
        schema.shift_remove("additionalItems");
        return;
    };
    if items.is_empty() {
        schema.shift_remove("items");
    } else {
        schema.replace("items", "prefixItems", Json::Array(items));
    }
    if let Some(rest) = schema.get("additionalItems").cloned() {
        schema.replace("additionalItems", "items", rest);
    }
}

/// Splits `dependencies`, which since 2019-09 is `dependentRequired` and `dependentSchemas`.
fn dependencies(schema: &mut Object, at: &Location<'_>) {
    let Some(Json::Object(dependencies)) = schema.get("dependencies").cloned() else {
        return;
    };
    let (names, schemas): (Object, Object) = dependencies
        .into_iter()
        .partition(|(_, value)| matches!(value, Json::Array(_)));
    schema.shift_remove("dependencies");
    for (keyword, more) in [("dependentRequired", names), ("dependentSchemas", schemas)] {
        if more.is_empty() {
            continue;
        }
        let known = schema.or_insert_with(keyword, || Json::Object(Object::new()));
        if let Json::Object(known) = known {
            for (name, value) in more {
                if known.contains_key(name.as_str()) {
                    at.inside("dependencies")
                        .inside(&name)
                        .warn(format_args!("also in `{keyword}`; left out"));
                } else {
                    known.insert(name, value);
                }
            }
        }
    }
}
