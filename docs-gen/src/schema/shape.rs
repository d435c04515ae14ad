//! The shape of a schema: the one thing that a reader would call its type.

use std::borrow::Cow;

use docent_describe::json::Json;

use super::layers::is_null;
use super::refs::component_name;

/// The shape of a schema, without null: see [`Outline::nullable`].
#[derive(Debug)]
pub(crate) enum Shape<'j> {
    /// Every value.
    Any,
    /// No value at all.
    Never,
    /// A shared schema.
    Ref(Cow<'j, str>),
    /// A reference that leads nowhere in this description.
    Lost(&'j str),
    /// `null`, `boolean`, `integer`, `number` or `string`, and nothing else.
    Scalar(&'j str),
    /// A list.
    Array(Option<&'j Json>),
    /// A list with a type for each position, and the type of the elements after them.
    Tuple(&'j [Json], Option<&'j Json>),
    /// An object whose keys are data.
    Map(&'j Json),
    /// An object with named members, or with any members.
    Object,
    /// One of these values.
    Enum(Vec<Value<'j>>),
    /// One of these schemas.
    Alternatives(Vec<&'j Json>),
    /// All of these schemas at once.
    All(&'j [Json]),
    /// One of several JSON types.
    Kinds(Vec<&'j str>),
}

/// An allowed value, and the schema that describes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value<'j> {
    pub(crate) value: &'j Json,
    pub(crate) about: Option<&'j Json>,
}

/// The outline of a schema: its shape, and whether null is allowed as well.
#[derive(Debug)]
pub(crate) struct Outline<'j> {
    pub(crate) shape: Shape<'j>,
    pub(crate) nullable: bool,
}

/// Finds the outline of a schema.
pub(crate) fn shape(schema: &Json) -> Outline<'_> {
    let plain = |shape| Outline {
        shape,
        nullable: false,
    };
    let Some(members) = schema.as_object() else {
        return plain(if schema.as_bool() == Some(false) {
            Shape::Never
        } else {
            Shape::Any
        });
    };
    if let Some(reference) = members.get("$ref").and_then(Json::as_str) {
        return plain(match component_name(schema) {
            Some(name) => Shape::Ref(name),
            None => Shape::Lost(reference),
        });
    }
    if let Some(value) = members.get("const") {
        return plain(Shape::Enum(vec![Value { value, about: None }]));
    }
    if let Some(values) = members.get("enum").and_then(Json::as_array) {
        let (nulls, others): (Vec<_>, Vec<_>) = values
            .iter()
            .map(|value| Value { value, about: None })
            .partition(|value| matches!(value.value, Json::Null));
        let nullable = !nulls.is_empty() && !others.is_empty();
        let shape = Shape::Enum(if nullable {
            others
        } else {
            values
                .iter()
                .map(|value| Value { value, about: None })
                .collect()
        });
        return Outline { shape, nullable };
    }
    if members
        .get("properties")
        .and_then(Json::as_object)
        .is_some_and(|own| !own.is_empty())
    {
        // Alternatives next to an object's own members add to it, and do not replace it.
        return by_type(schema);
    }
    for word in ["oneOf", "anyOf"] {
        if let Some(branches) = members
            .get(word)
            .and_then(Json::as_array)
            .filter(|branches| !branches.is_empty())
        {
            // Branches with only further constraints leave the type to the schema that contains them.
            if !members.contains_key("type") || !branches.iter().all(is_vague) {
                return alternatives(branches);
            }
        }
    }
    if let Some(branches) = members.get("allOf").and_then(Json::as_array)
        && !branches.iter().all(is_vague)
    {
        match branches {
            [only] => return shape(only),
            branches => return plain(Shape::All(branches)),
        }
    }
    by_type(schema)
}

/// Returns whether a schema has constraints but does not determine a type.
fn is_vague(schema: &Json) -> bool {
    const TYPES: [&str; 13] = [
        "type",
        "$ref",
        "const",
        "enum",
        "properties",
        "patternProperties",
        "additionalProperties",
        "required",
        "items",
        "prefixItems",
        "oneOf",
        "anyOf",
        "allOf",
    ];
    schema
        .as_object()
        .is_some_and(|members| !TYPES.iter().any(|word| members.contains_key(word)))
}

fn alternatives(branches: &[Json]) -> Outline<'_> {
    let others = || branches.iter().filter(|branch| !is_null(branch));
    let count = others().count();
    let nullable = count < branches.len() && count > 0;
    if let (Some(only), true, 1) = (others().next(), nullable, count) {
        return Outline {
            nullable,
            ..shape(only)
        };
    }
    // There may be hundreds of thousands, so a list is created only once the shape is known.
    let shape = if count == 0 {
        Shape::Scalar("null")
    } else if others().all(|branch| constant(branch).is_some()) {
        let mut values = Vec::with_capacity(count);
        values.extend(others().filter_map(constant));
        Shape::Enum(values)
    } else if let (Some(only), 1) = (others().next(), count) {
        return shape(only);
    } else {
        let mut alternatives = Vec::with_capacity(count);
        alternatives.extend(others());
        Shape::Alternatives(alternatives)
    };
    Outline { shape, nullable }
}

/// Returns the only value that an alternative accepts.
fn constant(branch: &Json) -> Option<Value<'_>> {
    let value = match branch.get("enum").and_then(Json::as_array) {
        Some([only]) => only,
        _ => branch.get("const")?,
    };
    Some(Value {
        value,
        about: Some(branch),
    })
}

/// Returns the outline of a schema by itself, without its alternatives and the branches of its
/// `allOf`.
pub(crate) fn by_type(schema: &Json) -> Outline<'_> {
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Json::String(kind)) => vec![kind],
        Some(Json::Array(kinds)) => kinds.iter().filter_map(Json::as_str).collect(),
        _ => {
            return Outline {
                shape: by_members(schema),
                nullable: false,
            };
        }
    };
    let others: Vec<&str> = kinds
        .iter()
        .copied()
        .filter(|&kind| kind != "null")
        .collect();
    let nullable = kinds.len() > others.len() && !others.is_empty();
    let shape = match others.as_slice() {
        [] if kinds.is_empty() => Shape::Any,
        [] => Shape::Scalar("null"),
        ["array"] => in_list(schema),
        ["object"] => object(schema),
        [only] => Shape::Scalar(only),
        _ => Shape::Kinds(others),
    };
    Outline { shape, nullable }
}

/// Derives the shape of a schema without `type` from its other members.
fn by_members(schema: &Json) -> Shape<'_> {
    let has = |names: &[&str]| names.iter().any(|name| schema.get(name).is_some());
    if has(&[
        "properties",
        "additionalProperties",
        "patternProperties",
        "required",
    ]) {
        object(schema)
    } else if has(&["items", "prefixItems"]) {
        in_list(schema)
    } else {
        Shape::Any
    }
}

/// Returns the shape of a list, according to its elements.
pub(crate) fn in_list(schema: &Json) -> Shape<'_> {
    let items = schema.get("items");
    // Before 2020-12, `items` held the positions of a tuple.
    let places = schema
        .get("prefixItems")
        .or(items.filter(|items| items.as_array().is_some()));
    match places.and_then(Json::as_array) {
        Some(places) => {
            let rest =
                items.filter(|items| items.as_object().is_some_and(|members| !members.is_empty()));
            Shape::Tuple(places, rest)
        }
        None => Shape::Array(items.filter(|items| items.as_bool().is_none())),
    }
}

fn object(schema: &Json) -> Shape<'_> {
    let named = ["properties", "patternProperties"].iter().any(|name| {
        schema
            .get(name)
            .and_then(Json::as_object)
            .is_some_and(|members| !members.is_empty())
    });
    match schema.get("additionalProperties") {
        Some(values @ Json::Object(_)) if !named => Shape::Map(values),
        _ => Shape::Object,
    }
}
