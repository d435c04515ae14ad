//! Decoded values have passed their checks, however their types read them.

use docent_describe::json::Json;
use indexmap::IndexMap;
use proptest::prelude::*;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::{bind, error_data, plan_with_checks};
use docent_describe::schema::check::{Check, Compiler};

/// Returns the check of the constraints that decoding does not guarantee, for a schema with
/// components.
fn compiled(schema: &str) -> Check {
    let components: IndexMap<String, Json> = [
        (
            "Tree",
            r##"{"type": "object", "properties": {"a": {"type": "integer", "maximum": 3},
                "list": {"type": "array", "maxItems": 2, "items": {"$ref": "#/components/schemas/Tree"}}}}"##,
        ),
        ("Alias", r##"{"$ref": "#/components/schemas/Tree"}"##),
    ].map(|(name, schema)| (name.to_owned(), schema.parse().unwrap())).into_iter().collect();
    let schema: Json = schema.parse().unwrap();
    Compiler::new(&components).compile(&schema).unwrap()
}

const SCHEMAS: [&str; 9] = [
    r##"{"$ref": "#/components/schemas/Alias"}"##,
    r#"{"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}, "b": {"maxLength": 1}}}"#,
    r#"{"type": "object", "properties": {"a": {"minimum": 1}}, "additionalProperties": false}"#,
    r#"{"type": "object", "additionalProperties": {"type": "array", "minItems": 1, "items": {"maximum": 2}}}"#,
    r#"{"type": "array", "prefixItems": [{"minimum": 1}], "items": {"maxLength": 1}, "maxItems": 3}"#,
    r#"{"type": "array", "uniqueItems": true, "items": {"type": "object", "properties": {"a": {"maximum": 2}}}}"#,
    r#"{"type": "object", "properties": {"list": {"anyOf": [{"type": "array", "minItems": 2}, {"type": "string", "minLength": 1}]}}}"#,
    r#"{"type": "object", "patternProperties": {"^a": {"maximum": 2}}, "properties": {"b": {"minLength": 1}}}"#,
    r#"{"type": ["object", "array"], "properties": {"a": {"enum": [1, "x"]}}, "items": {"const": 2}, "allOf": [{"minItems": 1}]}"#,
];

/// Returns values in which the names and bounds of the schemas occur.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        (0..5).prop_map(Value::from),
        "x{0,2}".prop_map(Value::from),
        Just(Value::Null),
    ];
    let name = prop_oneof![Just("a"), Just("b"), Just("list"), Just("other")];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let members = prop::collection::vec((name.clone(), inner.clone()), 0..4);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            members.prop_map(|members| {
                let mut object = Map::new();
                for (name, value) in members {
                    object.insert(name.to_owned(), value);
                }
                Value::Object(object)
            }),
        ]
    })
}

#[derive(Debug, Deserialize)]
struct Any {
    #[expect(dead_code, reason = "only decoded")]
    value: Value,
}

#[derive(Debug, Deserialize)]
struct Raw {
    #[expect(dead_code, reason = "only decoded")]
    value: Box<RawValue>,
}

#[derive(Debug, Deserialize)]
struct Ignored {
    #[expect(dead_code, reason = "only decoded")]
    value: IgnoredAny,
}

#[derive(Debug, Deserialize)]
struct Lists {
    #[expect(dead_code, reason = "only decoded")]
    value: Lenient,
}

/// Reads one level of a container, and skips the elements that it cannot read.
#[derive(Debug)]
struct Lenient;

impl<'de> Deserialize<'de> for Lenient {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Lenient {
    type Value = Self;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("anything")
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self, A::Error> {
        // An element that cannot be read may be offered again.
        for _ in 0..8 {
            if let Ok(None) = elements.next_element::<Vec<Value>>() {
                break;
            }
        }
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        while members.next_key::<String>()?.is_some() {
            let _ = members.next_value::<Vec<Value>>();
        }
        Ok(self)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_decoded_has_passed_its_check(schema in 0..SCHEMAS.len(), value in value(), escaped in any::<bool>()) {
        let check = compiled(SCHEMAS[schema]);
        let mut text = value.to_string();
        if escaped {
            text = text.replace("\"a\"", "\"\\u0061\"").replace(':', " : ");
        }
        let fits = check.check(&text).is_ok();
        let plan = plan_with_checks(vec![("value", Some(check))]);
        let text = format!("{{\"value\":{text}}}");
        prop_assert_eq!(bind::<Any>(&plan, &text).is_ok(), fits, "{} {}", SCHEMAS[schema], text);
        prop_assert_eq!(bind::<Raw>(&plan, &text).is_ok(), fits, "{} {}", SCHEMAS[schema], text);
        prop_assert_eq!(bind::<Ignored>(&plan, &text).is_ok(), fits, "{} {}", SCHEMAS[schema], text);
        // It may fail by itself, but must never accept a value that does not fit.
        prop_assert!(fits || bind::<Lists>(&plan, &text).is_err(), "{} {}", SCHEMAS[schema], text);
    }
}

#[test]
fn members_that_are_given_twice_are_each_checked() {
    let check = compiled(SCHEMAS[1]);
    let plan = plan_with_checks(vec![("value", Some(check))]);
    for text in [
        r#"{"value":{"a":0,"a":1}}"#,
        r#"{"value":{"a":1,"a":0}}"#,
        r#"{"value":{"a":1,"\u0061":0}}"#,
    ] {
        let expected = json!({"parameter": "value", "pointer": "/a", "reason": "expected an integer of at least 1, found 0"});
        assert_eq!(error_data::<Raw>(&plan, text), expected, "{text}");
        let both = error_data::<Any>(&plan, text);
        assert_eq!(both["reason"], "the member \"a\" is given twice", "{text}");
        assert_eq!(both["others"], json!([expected]), "{text}");
    }
    assert!(bind::<Raw>(&plan, r#"{"value":{"a":1,"a":2}}"#).is_ok());
}

#[test]
fn a_property_whose_name_looks_like_an_escape_is_not_taken_for_another() {
    let check = compiled(r#"{"properties": {"\\u0061": {"maximum": 1}}}"#);
    let plan = plan_with_checks(vec![("value", Some(check))]);
    assert!(bind::<Any>(&plan, r#"{"value":{"\u0061":2}}"#).is_ok());
    assert!(bind::<Any>(&plan, r#"{"value":{"\\u0061":2}}"#).is_err());
}

#[test]
fn values_nested_too_deeply_for_a_check_are_refused_by_it() {
    let check = compiled(SCHEMAS[0]);
    let plan = plan_with_checks(vec![("value", Some(check))]);
    let nested = |depth: usize, a: u32| {
        let open = r#"{"list":["#.repeat(depth);
        let close = "]}".repeat(depth);
        format!(r#"{{"value":{open}{{"a":{a}}}{close}}}"#)
    };
    for depth in [10, 31, 32, 33, 64, 200] {
        assert!(bind::<Any>(&plan, &nested(depth, 3)).is_ok(), "{depth}");
        assert!(bind::<Any>(&plan, &nested(depth, 4)).is_err(), "{depth}");
    }
}
