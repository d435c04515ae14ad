//! Writes schemas for readers who know less of JSON Schema, or expect parts of it elsewhere.
//!
//! A schema may be moved or simplified here, but it never accepts less than its original: a reader that relies on it must
//! not reject what the service accepts. The meaning of schemas is decided in [`schema`](crate::schema).

use crate::json::{Json, Object};
use crate::model::ProcedureDescription;
use crate::schema::keyword::{for_each_child_mut, is_of_other_members, redirect};
use crate::schema::{Kinds, kinds_about};

/// Returns a reference to another part of a document.
pub(super) fn reference(to: &str) -> Object {
    Object::new().with("$ref", to)
}

/// Returns whether a schema refers to another.
pub(super) fn is_reference(schema: &Json) -> bool {
    schema.get("$ref").is_some()
}

/// Returns a schema whose arrays have elements of these kinds only.
pub(super) fn with_elements(schema: Object, kinds: Kinds) -> Object {
    let elements = split_types(of_kinds(kinds));
    if schema.contains_key("items") || schema.contains_key("prefixItems") {
        return Object::new()
            .list("allOf", [schema])
            .with("items", elements);
    }
    schema.with("items", elements)
}

/// Returns the schema of the `params` of a call by name, without aliases. `change` changes references.
pub(super) fn named_params(
    procedure: &ProcedureDescription,
    change: impl Fn(&Json) -> Json,
) -> Object {
    let mut properties = Object::new();
    for param in &procedure.params {
        let schema = with_annotations(
            change(&param.schema),
            param.description.as_ref(),
            param.default.as_ref(),
        );
        properties.insert(&param.name, schema);
    }
    let required = procedure.params.iter().filter(|param| param.required);
    Object::new()
        .with("type", "object")
        .with("properties", properties)
        .list("required", required.map(|param| param.name.as_str()))
        .maybe(
            "additionalProperties",
            (!procedure.ignores_unknown).then_some(false),
        )
}

/// Returns a schema with a description and a default.
pub(super) fn with_annotations(
    schema: Json,
    description: Option<&String>,
    default: Option<&Json>,
) -> Json {
    match schema {
        Json::Bool(true) => Object::new(),
        Json::Object(members) => members,
        other => return other,
    }
    .text("description", description)
    .maybe("default", default)
    .into()
}

/// Returns a schema whose references lead elsewhere, where `target` returns another one.
pub(super) fn redirected(schema: &Json, target: impl Fn(&str) -> Option<String>) -> Json {
    let mut redirected = schema.clone();
    redirect(&mut redirected, &target);
    redirected
}

/// Changes a schema, which `keyword` holds, to one with the same meaning that generators of clients read. Several know
/// schemas only as objects. Some take the type null for the name of a class, unless it is an alternative, or write a
/// default of null into code as it is.
pub(super) fn widely_read(keyword: &str, schema: &mut Json) {
    for_each_child_mut(schema, &mut widely_read);
    match schema {
        // For other members, they expect a Boolean.
        Json::Bool(_) if is_of_other_members(keyword) => {}
        Json::Bool(true) => *schema = Object::new().into(),
        Json::Bool(false) => *schema = Object::new().with("not", Object::new()).into(),
        Json::Object(members) if !matches!(keyword, "anyOf" | "oneOf") => {
            if members.get("default") == Some(&Json::Null) {
                members.shift_remove("default");
            }
            if members.get_str("type") == Some("null") {
                members.shift_remove("type");
                members.insert("const", Json::Null);
            }
        }
        _ => {}
    }
}

/// Returns a schema of these kinds of values.
pub(super) fn of_kinds(kinds: Kinds) -> Object {
    if kinds == Kinds::ALL {
        return Object::new();
    }
    match *kinds.type_names().collect::<Vec<_>>() {
        [only] => Object::new().with("type", only),
        ref types => Object::new().list("type", types.iter().copied()),
    }
}

/// Returns a schema without the null that it allows beside other values. A query leaves the parameter out instead.
pub(super) fn without_null(schema: &Json) -> Json {
    let mut schema = schema.clone();
    let Json::Object(members) = &mut schema else {
        return schema;
    };
    let is_only_keyword = members.len() == 1;
    for keyword in ["type", "enum", "anyOf", "oneOf"] {
        let Some(Json::Array(values)) = members.get_mut(keyword) else {
            continue;
        };
        values.retain(|value| match keyword {
            "type" => !is_null_type(value),
            "enum" => *value != Json::Null,
            _ => !value.get("type").is_some_and(is_null_type),
        });
        if is_only_keyword
            && keyword != "enum"
            && let [only @ Json::Object(_)] = &**values
        {
            return only.clone();
        }
    }
    schema
}

/// Returns whether this is the type null, as `type` names it.
fn is_null_type(value: &Json) -> bool {
    value.as_str() == Some("null")
}

/// Replaces a list of types by an alternative for each type, with the keywords that apply to it. A schema
/// with one type or none is not changed.
///
/// Code generators invent a name for each type of a list and forget to define it, and JSON Schema's
/// authors advise against such lists.
pub(super) fn split_types(mut schema: Object) -> Object {
    let Some(Json::Array(types)) = schema.get("type") else {
        return schema;
    };
    if types.len() < 2 || schema.contains_key("anyOf") {
        return without_list(schema);
    }
    let types: Vec<String> = types
        .iter()
        .filter_map(Json::as_str)
        .map(str::to_owned)
        .collect();
    let values = values_by_type(&schema, &types);
    let mut alternatives = Vec::with_capacity(types.len());
    for (index, name) in types.iter().enumerate() {
        let own = schema
            .iter()
            .filter(|(keyword, _)| is_about(keyword.as_str(), name));
        let mut alternative = Object::new().with("type", name.as_str()).with_new(own);
        if let Some(values) = &values
            && name != "null"
        {
            alternative.insert("enum", values[index].clone().into());
        }
        alternatives.push(alternative);
    }
    schema.retain(|keyword, _| !types.iter().any(|name| is_about(keyword.as_str(), name)));
    if values.is_some() {
        schema.shift_remove("enum");
    }
    schema.replace("type", "anyOf", alternatives.into_iter().collect());
    schema
}

/// Rewrites a list of types that cannot be split: a single type, or a list beside other
/// alternatives.
fn without_list(mut schema: Object) -> Object {
    let Some(Json::Array(mut types)) = schema.shift_remove("type") else {
        return schema;
    };
    if types.len() == 1 {
        schema.insert("type", types.swap_remove(0));
    } else if !types.is_empty() {
        let alternatives = types
            .into_iter()
            .map(|name| Object::new().with("type", name));
        let union = Object::new().list("anyOf", alternatives).into();
        if let Json::Array(all) = schema.or_insert_with("allOf", || Json::Array(Vec::new())) {
            all.push(union);
        }
    }
    schema
}

/// Returns whether a keyword constrains values of this type and of few others.
fn is_about(keyword: &str, type_name: &str) -> bool {
    // These depend on the other keywords of the schema, too.
    if keyword.starts_with("unevaluated") {
        return false;
    }
    let kinds = Kinds::from_type_name(type_name).unwrap_or_default();
    let about = kinds_about(keyword);
    about != Kinds::ALL && about.meet(kinds)
}

/// Returns the values of `enum` by type, if they are sorted by type and every type has some.
fn values_by_type(schema: &Object, types: &[String]) -> Option<Vec<Vec<Json>>> {
    let values = schema.get("enum")?.as_array()?;
    let mut by_type = Vec::with_capacity(types.len());
    for name in types {
        let kinds = Kinds::from_type_name(name).unwrap_or_default();
        let own: Vec<Json> = values
            .iter()
            .filter(|value| Kinds::of_value(value).within(kinds))
            .cloned()
            .collect();
        if own.is_empty() {
            return None;
        }
        by_type.push(own);
    }
    (by_type.concat() == values).then_some(by_type)
}
