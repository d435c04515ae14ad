//! Random schemas and values, also checked by another implementation of JSON Schema.

use std::borrow::Cow;
use std::cell::RefCell;

use docent_core::{CheckResults, Cx, Fault, Procedure, Service};
use jsonschema::Validator;
use proptest::prelude::*;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

use crate::zoo::ID;

/// The current meaning of [`Drawn`]. A type has one schema for the whole run of a program, but this one
/// changes its schema in each case.
#[derive(Default)]
struct Case {
    root: Value,
    a: Value,
    b: Value,
    /// Validators of the whole schema and of the part that Rust types check when they are decoded.
    validators: Option<[Validator; 2]>,
}

thread_local! {
    static CASE: RefCell<Case> = RefCell::default();
}

/// A value that follows a random schema, as far as decoding checks it.
#[derive(Serialize)]
#[serde(transparent)]
struct Drawn(Value);

impl<'de> Deserialize<'de> for Drawn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        // Use the whole schema: the decoded part alone may make two alternatives the same, and a
        // value must match exactly one.
        let fits = |case: &Case| {
            case.validators
                .iter()
                .flatten()
                .any(|validator| validator.is_valid(&value))
        };
        if CASE.with_borrow(fits) {
            Ok(Self(value))
        } else {
            Err(serde::de::Error::custom("another structure is expected"))
        }
    }
}

/// The types that schemas refer to, and the random type itself.
macro_rules! drawn {
    ($($type:ident: $schema:ident, $inline:literal;)*) => {$(
        impl JsonSchema for $type {
            fn inline_schema() -> bool {
                $inline
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                let mut schema = CASE.with_borrow(|case| case.$schema.clone());
                refer(&mut schema, generator);
                schema.try_into().expect("a schema")
            }
        }
    )*};
}

struct A;
struct B;

drawn! {
    Drawn: root, true;
    A: a, false;
    B: b, false;
}

/// Points references at the schemas in the generator, or writes those schemas in their place if the generator does.
fn refer(schema: &mut Value, generator: &mut SchemaGenerator) {
    match schema {
        Value::Object(words) => {
            words.values_mut().for_each(|value| refer(value, generator));
            let Some(Value::String(name)) = words.remove("$ref") else {
                return;
            };
            let shared = match &*name {
                "#/components/schemas/A" => generator.subschema_for::<A>(),
                _ => generator.subschema_for::<B>(),
            };
            if let Some(reference) = shared.get("$ref") {
                words.insert("$ref".to_owned(), reference.clone());
            } else if words.is_empty() {
                *schema = shared.to_value();
            } else {
                let parts = words.entry("allOf").or_insert_with(|| json!([]));
                parts
                    .as_array_mut()
                    .expect("a list")
                    .push(shared.to_value());
            }
        }
        Value::Array(schemas) => schemas
            .iter_mut()
            .for_each(|schema| refer(schema, generator)),
        _ => {}
    }
}

#[derive(Deserialize, JsonSchema)]
struct Takes<T> {
    v: T,
}

/// Returns a service with one procedure that accepts a random type, and one that returns whatever
/// it receives as that type.
fn service(unchecked: Option<&str>) -> Result<Service, String> {
    let mut takes = Procedure::sync("takes", |_: Cx, _: Takes<Drawn>| Ok::<_, Fault>(()));
    let gives = Procedure::sync("gives", |_: Cx, given: Takes<Value>| {
        Ok::<_, Fault>(Drawn(given.v))
    });
    if let Some(reason) = unchecked {
        takes = takes.unchecked(reason);
    }
    Service::builder("drawn", ID)
        .procedure(takes)
        .procedure(gives)
        .check_results(CheckResults::Refuse)
        .build()
        .map_err(|error| error.to_string())
}

/// Returns whether a mistake is one that random schemas may well contain.
fn is_unsatisfiable(mistake: &str) -> bool {
    [
        "refers directly to itself",
        "no value matches",
        "exclude every number",
        "has no value",
    ]
    .iter()
    .any(|known| mistake.contains(known))
}

/// Builds the service again if the type is recursive. Some recursive types take so long to decode
/// that they need a waiver, and are checked all the same. A schema that no value matches is waived
/// too, and is then not checked at all.
fn again_if_recursive(mistakes: String) -> Result<Service, String> {
    if mistakes.contains("contains itself through") && !is_unsatisfiable(&mistakes) {
        service(Some("values are small"))
    } else {
        Err(mistakes)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn another_implementation_gives_the_same_verdicts(
        root in schema(),
        a in schema(),
        b in schema(),
        values in proptest::collection::vec(value(), 24),
    ) {
        compare(root, a, b, values)?;
    }
}

/// Compares the verdicts of the service on values of a type with those of the other implementation.
fn compare(root: Value, a: Value, b: Value, values: Vec<Value>) -> Result<(), TestCaseError> {
    let oracle = validator(&root, &a, &b);
    let structure = validator(&structure_of(&root), &structure_of(&a), &structure_of(&b));
    let allowed: Vec<bool> = values.iter().map(|value| oracle.is_valid(value)).collect();
    CASE.set(Case {
        root,
        a,
        b,
        validators: Some([oracle, structure]),
    });
    let service = match service(None).or_else(again_if_recursive) {
        Ok(service) => service,
        Err(mistakes) => {
            // The other implementation divides doubles, and so takes some large numbers for
            // multiples that are not.
            let is_great = ["1e300", "12345678901234567890"]
                .iter()
                .any(|mistake| mistakes.contains(mistake));
            prop_assert!(is_great || is_unsatisfiable(&mistakes), "{mistakes}");
            return Ok(());
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    for (value, allowed) in values.into_iter().zip(allowed) {
        let call = |procedure: &str| {
            let body =
                json!({"jsonrpc": "2.0", "id": 1, "method": procedure, "params": {"v": value}});
            let response = runtime
                .block_on(service.handle(body.to_string()))
                .expect("a response");
            serde_json::from_slice::<Value>(&response).expect("JSON")
        };
        for (procedure, code) in [("takes", -32602), ("gives", -32603)] {
            let response = call(procedure);
            let expected = if allowed { Value::Null } else { json!(code) };
            prop_assert_eq!(
                &response["error"]["code"],
                &expected,
                "{} {} {}",
                procedure,
                value,
                response
            );
        }
    }
    Ok(())
}

#[test]
fn a_constant_without_a_type_says_nothing_of_objects() {
    let root = json!({"allOf": [{"properties": {}}, {"$ref": "#/components/schemas/B"}]});
    let object = json!({"properties": {"b": {}}, "additionalProperties": false});
    let values = vec![json!({"b": 1}), json!({"c": 1}), json!("b"), json!({})];
    for other in [json!({"const": "b"}), json!({"enum": ["b", 1]})] {
        let b = json!({"anyOf": [object, other]});
        compare(root.clone(), json!({}), b, values.clone()).expect("the same verdicts");
    }
}

fn validator(root: &Value, a: &Value, b: &Value) -> Validator {
    let root = json!({"allOf": [root], "components": {"schemas": {"A": a, "B": b}}});
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .build(&root)
        .expect("a schema")
}

/// Returns a schema without the keywords that serde does not check.
fn structure_of(schema: &Value) -> Value {
    const BEYOND: [&str; 11] = [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "minItems",
        "maxItems",
        "uniqueItems",
    ];
    match schema {
        Value::Object(words) => words
            .iter()
            .filter(|(word, _)| !BEYOND.contains(&word.as_str()))
            .map(|(word, value)| match word.as_str() {
                "enum" | "const" => (word.clone(), value.clone()),
                _ => (word.clone(), structure_of(value)),
            })
            .collect::<Map<String, Value>>()
            .into(),
        Value::Array(schemas) => schemas.iter().map(structure_of).collect(),
        other => other.clone(),
    }
}

/// Draws a value from a set small enough that schemas often match.
fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            1 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            2 => members(inner, 0..4),
        ]
    })
}

fn scalar() -> impl Strategy<Value = Value> + Clone {
    prop_oneof![
        4 => (-2i64..5).prop_map(Value::from),
        2 => (-4i32..10).prop_map(|halves| Value::from(f64::from(halves) / 2.0)),
        3 => string().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ]
}

fn string() -> impl Strategy<Value = &'static str> + Clone {
    prop::sample::select(vec!["", "a", "b", "ab", "é😀", "a\nb", "\"", "ba"])
}

fn members(
    inner: impl Strategy<Value = Value>,
    size: std::ops::Range<usize>,
) -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec!["a", "b", "ab", "kind"]);
    proptest::collection::btree_map(name, inner, size).prop_map(|members| {
        members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect::<Map<_, _>>()
            .into()
    })
}

fn schema() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 24, 3, |inner| {
        prop_oneof![
            2 => array(inner.clone()),
            4 => object(inner.clone()),
            2 => alternatives(inner.clone()),
            2 => enumeration(inner.clone()),
            1 => (inner.clone(), inner).prop_map(|(a, b)| merged(a, b)),
        ]
    })
}

/// Returns one schema with the keywords of both.
fn merged(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Object(mut words), Value::Object(more)) => {
            words.extend(more);
            Value::Object(words)
        }
        (a, _) => a,
    }
}

fn leaf() -> impl Strategy<Value = Value> + Clone {
    let kinds = prop::sample::subsequence(
        vec![
            "null", "boolean", "integer", "number", "string", "array", "object",
        ],
        1..3,
    );
    prop_oneof![
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(json!({})),
        2 => kinds.prop_map(|kinds| json!({"type": kinds})),
        4 => number(),
        4 => text(),
        2 => proptest::collection::vec(scalar(), 1..4).prop_map(|values| json!({"enum": values})),
        1 => scalar().prop_map(|value| json!({"const": value})),
        2 => prop::sample::select(vec!["A", "B"])
            .prop_map(|name| json!({"$ref": format!("#/components/schemas/{name}")})),
    ]
}

/// Draws some of the keywords of a schema, which is an object.
fn some_of(words: &Value) -> impl Strategy<Value = Value> + Clone + use<> {
    let words: Vec<(String, Value)> = words.as_object().cloned().into_iter().flatten().collect();
    let count = words.len();
    prop::sample::subsequence(words, 0..=count)
        .prop_map(|words| words.into_iter().collect::<Map<_, _>>().into())
}

fn number() -> impl Strategy<Value = Value> + Clone {
    (
        -2i32..3,
        0i32..4,
        prop::sample::select(vec![1.0, 2.0, 0.5, 1.5]),
    )
        .prop_flat_map(|(low, size, step)| {
            let low = f64::from(low) / 2.0;
            some_of(&json!({
                "type": "number", "minimum": low, "maximum": low + f64::from(size),
                "exclusiveMinimum": low - 0.5, "exclusiveMaximum": low + f64::from(size) + 0.5,
                "multipleOf": step,
            }))
        })
}

fn text() -> impl Strategy<Value = Value> + Clone {
    let pattern = prop::sample::select(vec!["^a", "b$", "^[ab]*$", "."]);
    (0..3, 0..2, pattern).prop_flat_map(|(low, size, pattern)| {
        some_of(&json!({
            "type": "string", "minLength": low, "maxLength": low + size, "pattern": pattern,
        }))
    })
}

fn array(inner: impl Strategy<Value = Value> + Clone) -> impl Strategy<Value = Value> {
    let prefix = proptest::collection::vec(inner.clone(), 1..3);
    (inner, prefix, 0..2, 0..3, any::<bool>()).prop_flat_map(
        |(items, prefix, low, size, unique)| {
            some_of(&json!({
                "type": "array", "items": items, "prefixItems": prefix, "minItems": low,
                "maxItems": low + size, "uniqueItems": unique,
            }))
        },
    )
}

fn object(inner: impl Strategy<Value = Value> + Clone) -> impl Strategy<Value = Value> {
    let required = prop::sample::subsequence(vec!["a", "b"], 0..2);
    (members(inner.clone(), 1..3), inner.clone(), inner, required).prop_flat_map(
        |(properties, additional, pattern, required)| {
            some_of(&json!({
                "type": "object", "properties": properties, "required": required,
                "additionalProperties": additional, "patternProperties": {"^a": pattern},
            }))
        },
    )
}

fn alternatives(inner: impl Strategy<Value = Value> + Clone) -> impl Strategy<Value = Value> {
    let keyword = prop::sample::select(vec!["anyOf", "oneOf", "allOf"]);
    (keyword, proptest::collection::vec(inner, 1..4))
        .prop_map(|(keyword, schemas)| json!({keyword: schemas}))
}

/// Draws schemas of Rust enums: tagged internally or externally, some with strings.
fn enumeration(inner: impl Strategy<Value = Value> + Clone) -> impl Strategy<Value = Value> {
    let keyword = prop::sample::select(vec!["anyOf", "oneOf"]);
    (keyword, any::<bool>(), inner.clone(), inner).prop_map(|(keyword, internal, a, b)| {
        let variant = |name: &str, inner: &Value| {
            if internal {
                json!({
                    "type": "object", "required": ["kind"],
                    "properties": {"kind": {"const": name}, "b": inner},
                })
            } else {
                json!({
                    "type": "object", "required": [name], "additionalProperties": false,
                    "properties": {name: inner},
                })
            }
        };
        json!({keyword: [
            variant("a", &a),
            variant("b", &b),
            {"type": "string", "enum": ["a"]},
            {"description": "documented", "const": "b"},
        ]})
    })
}
