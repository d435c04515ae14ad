//! Random schemas, from the simplest to compositions that few authors write, with values to try and a validator.

use docent_describe::json::{Json, Object};
use docent_describe::schema::{Examples, SchemaContext, SchemaViews, variations};
use indexmap::IndexMap;
use proptest::collection::{btree_map, vec};
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};

/// The maximum number of values of one schema.
const MAX_VALUES: usize = 120;

/// The prefix of references to shared schemas.
const SHARED: &str = "#/components/schemas/";

const NAMES: [&str; 4] = ["a", "b", "kind", "x1"];

/// Returns values that fit a schema, and values that fit it less.
pub(super) fn values(components: &IndexMap<String, Json>, schema: &Json) -> Vec<Json> {
    let views = SchemaViews::new(SchemaContext::new(components, Some(&[])));
    let view = views.view_of_schema(schema);
    let fitting = Examples::new(components).of_each_form(view);
    let others = [
        Json::Null,
        Json::from(1),
        Json::from("a"),
        Json::Array(Vec::new()),
        Json::Object(Object::new()),
    ];
    let mut values: Vec<Json> = fitting.iter().take(40).cloned().chain(others).collect();
    for value in fitting.iter().take(12) {
        values.extend(variations(view, value));
    }
    values.retain(is_exact);
    values.truncate(MAX_VALUES);
    values
}

/// Returns whether the independent validator reads a value as it is: it rounds integers of more than 64 bits.
fn is_exact(value: &Json) -> bool {
    let read: Value = value.to_string().parse().expect("JSON");
    Json::from(&read) == *value
}

/// Returns an independent validator of a schema beside shared schemas.
pub(super) fn validator(components: &Value, schema: &Value) -> jsonschema::Validator {
    let components = without_circles(components);
    let document = json!({"components": {"schemas": components}, "allOf": [schema]});
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .build(&document)
        .expect("a schema")
}

/// Returns schemas in which a base within its own alternatives is its members alone: the independent validator
/// cannot follow such a circle.
fn without_circles(components: &Value) -> Value {
    let mut all = components.clone();
    for (name, schema) in components.as_object().expect("schemas by name") {
        let base = format!("{SHARED}{name}");
        for branch in elements(&schema["oneOf"]) {
            let Some(child) = branch["$ref"]
                .as_str()
                .and_then(|reference| all.get_mut(reference.strip_prefix(SHARED)?))
            else {
                continue;
            };
            if let Some(extended) = child.get_mut("$ref").filter(|extended| **extended == base) {
                *extended = json!(format!("{base}Members"));
            }
            let parts = child.get_mut("allOf").and_then(Value::as_array_mut);
            for part in parts.into_iter().flatten() {
                if part.get("$ref") == Some(&json!(base)) {
                    part["$ref"] = json!(format!("{base}Members"));
                }
            }
        }
        let mut members = schema.clone();
        members.as_object_mut().map(|schema| schema.remove("oneOf"));
        all[format!("{name}Members")] = members;
    }
    all
}

/// Shared schemas that refer to themselves and to each other, and a schema that refers to them.
pub(super) fn documents() -> impl Strategy<Value = (Value, Value)> {
    let shared = (schema(), schema(), schema(), leaf(), leaf());
    (shared, schema()).prop_map(|((first, second, third, fourth, fifth), root)| {
        let node = json!({
            "type": "object",
            "properties": {
                "next": {"anyOf": [{"$ref": "#/components/schemas/Node"}, {"type": "null"}]},
                "a": first,
            },
            "required": ["a"],
        });
        let tree =
            json!({"type": ["array", "string"], "items": {"$ref": "#/components/schemas/Tree"}});
        let shelf = json!({"type": "object", "additionalProperties": third});
        // Each alternative extends the type that lists it.
        let pet = json!({
            "type": "object",
            "properties": {"kind": {"type": "string"}, "a": fourth},
            "required": ["kind"],
            "oneOf": [reference("Cat"), reference("Dog")],
        });
        let cat = json!({"allOf": [reference("Pet"), {"properties": {"kind": {"const": "cat"}, "b": fifth}}]});
        let dog = json!({"$ref": "#/components/schemas/Pet", "properties": {"kind": {"const": "dog"}}});
        let shared = json!({
            "Node": node, "Tree": tree, "Leaf": second, "Shelf": shelf, "Pet": pet, "Cat": cat, "Dog": dog,
        });
        (shared, root)
    })
}

/// Returns a reference to a shared schema.
fn reference(name: &str) -> Value {
    json!({"$ref": format!("{SHARED}{name}")})
}

fn schema() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            4 => object(inner.clone()),
            3 => array(inner.clone()),
            2 => union(inner.clone()),
            1 => nullable(inner.clone()),
            1 => tagged(inner.clone()),
            2 => all_of(inner.clone()),
            1 => condition(inner.clone()),
            1 => closed(inner.clone()),
            // Any two at once: alternatives beside members, conditions beside a type.
            2 => (object(inner.clone()), prop_oneof![union(inner.clone()), condition(inner.clone()), all_of(inner.clone())])
                .prop_map(|(one, other)| merged(one, other)),
            1 => (leaf(), inner).prop_map(|(one, other)| merged(one, other)),
        ]
    })
}

/// Returns a schema with the keywords of both, and the first one's where both have one.
fn merged(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Object(one), Value::Object(mut other)) => {
            other.extend(one);
            Value::Object(other)
        }
        (one, _) => one,
    }
}

fn scalar() -> impl Strategy<Value = Value> {
    select(vec![
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(3),
        json!(0.5),
        json!(""),
        json!("a"),
        json!("ab"),
        json!("x1"),
    ])
}

fn pattern() -> impl Strategy<Value = &'static str> {
    select(vec!["^a", "^x", "^[a-z]+$", "1"])
}

/// Returns the elements of a value, or none if it is no array.
fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns a schema with those keywords that have a value.
fn keywords<const N: usize>(keywords: [(&str, Option<Value>); N]) -> Value {
    let mut schema = Map::new();
    for (keyword, value) in keywords {
        if let Some(value) = value {
            schema.insert(keyword.to_owned(), value);
        }
    }
    Value::Object(schema)
}

/// Returns whether a schema says its type, as most do.
fn is_typed() -> impl Strategy<Value = bool> {
    any::<u8>().prop_map(|byte| byte > 40)
}

/// A number of characters, elements or members, if there is a limit.
fn count(percent: f64) -> impl Strategy<Value = Option<Value>> {
    weighted(percent, (0..4).prop_map(|number| json!(number)))
}

fn leaf() -> impl Strategy<Value = Value> {
    let types = select(vec![
        "null", "boolean", "integer", "number", "string", "object", "array",
    ]);
    let several = subsequence(
        vec!["null", "boolean", "integer", "string", "array", "object"],
        1..4,
    );
    let bound = || weighted(0.3, (-1..5).prop_map(|number| json!(number)));
    let numbers = (
        select(vec!["integer", "number"]),
        [bound(), bound()],
        bound(),
        count(0.15),
    );
    let numbers = numbers.prop_map(|(kind, [least, most], above, by)| {
        keywords([
            ("type", Some(json!(kind))),
            ("minimum", least),
            ("maximum", most),
            ("exclusiveMinimum", above),
            ("multipleOf", by.filter(|by| *by != json!(0))),
        ])
    });
    let strings = (count(0.3), count(0.3), weighted(0.3, pattern()));
    let strings = strings.prop_map(|(least, most, pattern)| {
        keywords([
            ("type", Some(json!("string"))),
            ("minLength", least),
            ("maxLength", most),
            ("pattern", pattern.map(Value::from)),
        ])
    });
    prop_oneof![
        1 => width(),
        2 => types.prop_map(|kind| json!({"type": kind})),
        2 => several.prop_map(|kinds| json!({"type": kinds})),
        3 => numbers,
        3 => strings,
        2 => vec(scalar(), 1..4).prop_map(|values| json!({"enum": values})),
        1 => scalar().prop_map(|value| json!({"const": value})),
        1 => select(vec![json!(true), json!({}), json!(false)]),
        4 => select(vec!["Node", "Tree", "Leaf", "Shelf", "Pet", "Cat"]).prop_map(reference),
        1 => Just(json!({"type": "array", "items": reference("Shelf")})),
    ]
}

/// Numbers between the ends of an integer type, each of which may be missing, or be the integer beside it.
fn width() -> impl Strategy<Value = Value> {
    let ends: Vec<[i128; 2]> = vec![
        [i8::MIN.into(), i8::MAX.into()],
        [i16::MIN.into(), i16::MAX.into()],
        [i32::MIN.into(), i32::MAX.into()],
        [i64::MIN.into(), i64::MAX.into()],
        [0, u8::MAX.into()],
        [0, u16::MAX.into()],
        [0, u32::MAX.into()],
        [0, u64::MAX.into()],
    ];
    let end = || select(vec![Some(0), Some(1), Some(-1), None]);
    let kinds = vec![
        json!("integer"),
        json!("number"),
        json!(["integer", "string"]),
    ];
    (select(kinds), select(ends), end(), end()).prop_map(|(kind, [least, most], below, above)| {
        keywords([
            ("type", Some(kind)),
            ("minimum", below.and_then(|step| integer(least + step))),
            ("maximum", above.and_then(|step| integer(most + step))),
        ])
    })
}

/// Returns an integer, if it has at most 64 bits.
fn integer(number: i128) -> Option<Value> {
    if let Ok(signed) = i64::try_from(number) {
        return Some(signed.into());
    }
    Some(u64::try_from(number).ok()?.into())
}

/// The schemas of parts of a value.
type Inner = BoxedStrategy<Value>;

fn object(inner: Inner) -> impl Strategy<Value = Value> {
    let members = (
        weighted(0.85, btree_map(select(&NAMES[..]), inner.clone(), 0..4)),
        weighted(0.5, subsequence(vec!["a", "b", "kind", "ghost"], 1..3)),
    );
    let others = (
        weighted(0.35, prop_oneof![Just(json!(false)), inner.clone()]),
        weighted(0.15, (pattern(), inner)),
        weighted(0.1, pattern()),
    );
    let counts = (
        count(0.08),
        count(0.08),
        is_typed(),
        weighted(0.05, Just(json!({"a": ["b"]}))),
    );
    (members, others, counts).prop_map(
        |((properties, required), (others, by_pattern, names), (least, most, typed, dependent))| {
            keywords([
                ("type", typed.then(|| json!("object"))),
                ("properties", properties.map(|properties| json!(properties))),
                ("required", required.map(|names| json!(names))),
                ("additionalProperties", others),
                (
                    "patternProperties",
                    by_pattern.map(|(pattern, schema)| json!({pattern: schema})),
                ),
                (
                    "propertyNames",
                    names.map(|pattern| json!({"pattern": pattern})),
                ),
                ("minProperties", least),
                ("maxProperties", most),
                ("dependentRequired", dependent),
            ])
        },
    )
}

fn array(inner: Inner) -> impl Strategy<Value = Value> {
    let elements = (
        weighted(
            0.75,
            prop_oneof![1 => Just(json!(false)), 6 => inner.clone()],
        ),
        weighted(0.25, vec(inner.clone(), 1..3)),
        weighted(0.12, inner),
    );
    let counts = (
        count(0.2),
        count(0.2),
        weighted(0.15, Just(json!(true))),
        is_typed(),
    );
    (elements, counts).prop_map(
        |((items, places, contains), (least, most, unique, typed))| {
            keywords([
                ("type", typed.then(|| json!("array"))),
                ("items", items),
                ("prefixItems", places.map(Value::from)),
                ("contains", contains),
                ("minItems", least),
                ("maxItems", most),
                ("uniqueItems", unique),
            ])
        },
    )
}

fn union(inner: Inner) -> impl Strategy<Value = Value> {
    let null = weighted(0.2, Just(json!({"type": "null"})));
    let branches = (select(vec!["oneOf", "anyOf"]), vec(inner, 1..4), null);
    branches.prop_map(|(keyword, mut branches, null)| {
        branches.extend(null);
        // A page says "or null", which is wrong of a `oneOf` with two alternatives that take null:
        // it refuses null. Authors hardly write such schemas, so they become `anyOf`.
        let nullable = branches.iter().filter(|branch| may_be_null(branch)).count();
        let has_null = branches.contains(&json!({"type": "null"}))
            || branches.contains(&json!({"const": null}));
        if nullable > 1 && has_null {
            return json!({"anyOf": branches});
        }
        json!({keyword: branches})
    })
}

/// Returns whether a schema may accept null. Of the shared schemas, only the leaf may.
fn may_be_null(schema: &Value) -> bool {
    for keyword in ["type", "enum", "const"] {
        let has_null = match schema.get(keyword) {
            None => true,
            Some(Value::Array(listed)) => listed
                .iter()
                .any(|value| value.is_null() || value == "null"),
            Some(value) => value.is_null() || value == "null",
        };
        if !has_null {
            return false;
        }
    }
    match schema.get("$ref").and_then(Value::as_str) {
        Some(reference) => reference.ends_with("Leaf"),
        None => true,
    }
}

fn nullable(inner: Inner) -> impl Strategy<Value = Value> {
    inner.prop_map(|schema| json!({"anyOf": [schema, {"type": "null"}]}))
}

/// Alternatives that a constant tells apart, whose tag may be optional.
fn tagged(inner: Inner) -> impl Strategy<Value = Value> {
    let keyword = select(vec!["oneOf", "anyOf"]);
    (keyword, inner.clone(), inner, any::<bool>()).prop_map(|(keyword, one, other, is_required)| {
        let branch = |tag: &str, member: Value| {
            let properties = json!({"kind": {"const": tag}, "b": member});
            let required = if is_required {
                vec!["kind"]
            } else {
                Vec::new()
            };
            json!({"type": "object", "properties": properties, "required": required})
        };
        json!({keyword: [branch("a", one), branch("x1", other)]})
    })
}

fn all_of(inner: Inner) -> impl Strategy<Value = Value> {
    vec(inner, 1..3).prop_map(|schemas| json!({"allOf": schemas}))
}

/// Objects without other members, whose conditions speak of some.
fn closed(inner: Inner) -> impl Strategy<Value = Value> {
    let closing = select(vec!["additionalProperties", "unevaluatedProperties"]);
    let part = object(inner.clone());
    let parts = (
        leaf(),
        part,
        weighted(0.5, object(inner.clone())),
        any::<bool>(),
    );
    let members = btree_map(select(&NAMES[..]), inner, 0..3);
    (closing, members, parts).prop_map(|(closing, members, (if_, then, else_, depends))| {
        let mut schema = if depends {
            json!({"dependentSchemas": {"a": then}})
        } else {
            json!({"if": {"properties": {"a": if_}}, "then": then})
        };
        schema["type"] = json!("object");
        schema["properties"] = json!(members);
        schema[closing] = json!(false);
        if let (Some(else_), false) = (else_, depends) {
            schema["else"] = else_;
        }
        schema
    })
}

fn condition(inner: Inner) -> impl Strategy<Value = Value> {
    let three = (leaf(), inner.clone(), weighted(0.5, inner.clone()));
    prop_oneof![
        leaf().prop_map(|schema| json!({"not": schema})),
        three.prop_map(|(if_, then, else_)| keywords([
            ("if", Some(if_)),
            ("then", Some(then)),
            ("else", else_)
        ])),
        inner.prop_map(|schema| json!({"dependentSchemas": {"a": schema}})),
    ]
}
