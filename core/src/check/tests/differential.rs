//! Random schemas and values, judged by another implementation of JSON Schema as well.

use docent_describe::json::Json;
use indexmap::IndexMap;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::check::Compiler;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn another_implementation_comes_to_the_same_verdicts(
        root in schema(),
        a in schema(),
        b in schema(),
        values in proptest::collection::vec(value(), 24),
    ) {
        let components: IndexMap<String, Json> = [("A", &a), ("B", &b)]
            .into_iter()
            .map(|(name, schema)| (name.to_owned(), schema.into()))
            .collect();
        let mut compiler = Compiler::new(&components);
        let schema = Json::from(&root);
        let full = match compiler.compile_full(&schema) {
            Ok(check) => check,
            Err(mistakes) => {
                // Only what random schemas may well be: unsatisfiable.
                for mistake in mistakes {
                    let reason = mistake.reason;
                    prop_assert!(UNSATISFIABLE.iter().any(|known| reason.contains(known)), "{reason}");
                }
                return Ok(());
            }
        };
        let decoded = compiler.compile(&schema).unwrap();
        let oracle = validator(&root, &a, &b);
        let structure = validator(&structure_of(&root), &structure_of(&a), &structure_of(&b));
        for value in values {
            let text = value.to_string();
            let verdict = full.check(&text);
            prop_assert_eq!(verdict.is_ok(), oracle.is_valid(&value), "{} {:?}", text, verdict);
            // The lesser check refuses nothing that satisfies the schema, and what it and serde let
            // through satisfies all of it.
            let decoded = decoded.as_ref().is_none_or(|check| check.check(&text).is_ok());
            prop_assert!(decoded || verdict.is_err(), "{}", text);
            let accepted = decoded && structure.is_valid(&value);
            prop_assert!(!accepted || verdict.is_ok(), "{} {:?}", text, verdict);
        }
    }
}

const UNSATISFIABLE: [&str; 4] = [
    "refers directly to itself",
    "no value matches",
    "exclude every number",
    "has no value",
];

fn validator(root: &Value, a: &Value, b: &Value) -> jsonschema::Validator {
    let root = json!({"allOf": [root], "components": {"schemas": {"A": a, "B": b}}});
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .build(&root)
        .unwrap()
}

/// A schema without what serde does not check.
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

/// A value from a world small enough for schemas to fit.
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

/// One schema with the words of two.
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

/// Some of the words of a schema, which is an object.
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

/// What Rust's enums look like: tagged internally or externally, with strings among them.
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
