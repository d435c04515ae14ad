//! Schemas that are rejected.

use super::{Compiler, components, json};
use crate::schema::check::Unenforceable;

/// Returns the mistakes in a schema: each keyword with its pointer and reason.
fn mistakes(schema: &str) -> Vec<Unenforceable> {
    let components = components(
        r##"{
            "Fine":{"type":"string"},
            "Self":{"$ref":"#/components/schemas/Self"},
            "Round":{"anyOf":[{"$ref":"#/components/schemas/Trip"},{"type":"null"}]},
            "Trip":{"allOf":[{"$ref":"#/components/schemas/Round"}]},
            "Bad":{"properties":{"x":{"if":true}},"required":["x"]},
            "Uses bad/~%":{"items":{"$ref":"#/components/schemas/Bad"}}
        }"##,
    );
    let mut compiler = Compiler::new(&components);
    let schema = json(schema);
    let mistakes = compiler.compile(&schema).err().unwrap_or_default();
    // Compiling again finds the same mistakes.
    assert_eq!(
        compiler.compile(&schema).err().unwrap_or_default(),
        mistakes
    );
    mistakes
}

#[test]
fn assertions_that_are_not_enforced_are_refused() {
    for (keyword, value) in [
        ("if", "{}"),
        ("then", "{}"),
        ("else", "{}"),
        ("not", "{\"type\":\"null\"}"),
        ("not", "false"),
        ("contains", "{}"),
        ("minContains", "1"),
        ("maxContains", "1"),
        ("minProperties", "1"),
        ("maxProperties", "1"),
        ("dependentRequired", "{}"),
        ("dependentSchemas", "{}"),
        ("dependencies", "{}"),
        ("unevaluatedItems", "false"),
        ("additionalItems", "false"),
        ("contentSchema", "{}"),
        ("$dynamicRef", "\"#x\""),
        ("$recursiveRef", "\"#\""),
    ] {
        for (schema, pointer) in [
            (format!("{{\"{keyword}\":{value}}}"), ""),
            (
                format!("{{\"properties\":{{\"a/b\":{{\"{keyword}\":{value}}}}}}}"),
                "/properties/a~1b",
            ),
            (
                format!("{{\"anyOf\":[{{\"type\":\"null\"}},{{\"{keyword}\":{value}}}]}}"),
                "/anyOf/1",
            ),
        ] {
            let found = mistakes(&schema);
            assert_eq!(found.len(), 1, "{schema}");
            assert_eq!(found[0].keyword, keyword);
            assert_eq!(found[0].pointer.as_str(), pointer);
            assert!(found[0].reason.starts_with("is not enforced"), "{schema}");
        }
    }
}

#[test]
fn keywords_with_values_of_the_wrong_kind_are_refused() {
    for (keyword, value) in [
        ("type", "\"int\""),
        ("type", "5"),
        ("type", "[\"string\",null]"),
        ("enum", "\"a\""),
        ("enum", "[]"),
        ("minimum", "\"1\""),
        ("exclusiveMinimum", "true"),
        ("maximum", "null"),
        ("exclusiveMaximum", "false"),
        ("multipleOf", "0"),
        ("multipleOf", "-1"),
        ("multipleOf", "\"1\""),
        ("multipleOf", "1234567890123456789012345678901234567890123"),
        ("minLength", "\"x\""),
        ("minLength", "-1"),
        ("maxLength", "1.5"),
        ("minItems", "null"),
        ("maxItems", "[]"),
        ("uniqueItems", "1"),
        ("pattern", "1"),
        ("pattern", "\"(\""),
        ("pattern", "\"(?=a)\""),
        ("patternProperties", "{\"(\":true}"),
        ("patternProperties", "[]"),
        ("properties", "[]"),
        ("required", "\"a\""),
        ("required", "[1]"),
        ("prefixItems", "{}"),
        ("allOf", "{}"),
        ("allOf", "[]"),
        ("anyOf", "[]"),
        ("oneOf", "{}"),
        ("$ref", "1"),
    ] {
        let found = mistakes(&format!("{{\"{keyword}\":{value}}}"));
        assert_eq!(found.len(), 1, "{keyword} {value}");
        assert_eq!(found[0].keyword, keyword);
    }
    for schema in [
        "1",
        "null",
        "{\"items\":1}",
        "{\"items\":[{}]}",
        "{\"anyOf\":[null]}",
        "{\"properties\":{\"a\":[]}}",
    ] {
        let found = mistakes(schema);
        assert_eq!(found.len(), 1, "{schema}");
        assert_eq!(found[0].keyword, "schema");
    }
}

#[test]
fn schemas_that_no_value_fits_are_refused() {
    for schema in [
        r#"{"minimum":2,"maximum":1}"#,
        r#"{"exclusiveMinimum":1,"maximum":1.0}"#,
        r#"{"minLength":2,"maxLength":1}"#,
        r#"{"minItems":2,"maxItems":1}"#,
        r#"{"type":"integer","enum":["a"]}"#,
        r#"{"type":"integer","const":1.5}"#,
        r#"{"enum":["a"],"const":"b"}"#,
    ] {
        assert_eq!(mistakes(schema).len(), 1, "{schema}");
    }
}

#[test]
fn references_lead_to_components() {
    assert_eq!(mistake_of_reference("#/components/schemas/Fine"), None);
    for target in [
        "#",
        "#/$defs/Fine",
        "other.json#/components/schemas/Fine",
        "Fine",
    ] {
        assert_eq!(
            mistake_of_reference(target).unwrap(),
            format!("`$ref` points to `{target}`; only `#/components/schemas/…` is followed")
        );
    }
    assert_eq!(
        mistake_of_reference("#/components/schemas/Nobody").unwrap(),
        "`$ref` points to `Nobody`, which is not a component"
    );
    assert_eq!(
        mistake_of_reference("#/components/schemas/Fine/properties/x").unwrap(),
        "`$ref` points into a component: `#/components/schemas/Fine/properties/x`"
    );
    for name in ["Self", "Round", "Trip"] {
        let mistake = mistake_of_reference(&format!("#/components/schemas/{name}")).unwrap();
        assert!(mistake.contains("refers directly to itself"), "{mistake}");
    }
}

/// Returns the first mistake in a reference.
fn mistake_of_reference(target: &str) -> Option<String> {
    mistakes(&format!("{{\"$ref\":\"{target}\"}}"))
        .first()
        .map(ToString::to_string)
}

#[test]
fn mistakes_in_components_are_reported_to_all_that_use_them() {
    let found = mistakes(r##"{"items":{"$ref":"#/components/schemas/Uses%20bad~1~0%25"}}"##);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].to_string(),
        "`if` at /components/schemas/Bad/properties/x is not enforced"
    );
    assert_eq!(mistakes(r##"{"$ref":"#/components/schemas/Fine"}"##), []);
}

#[test]
fn all_mistakes_are_collected() {
    let found = mistakes(
        r##"{
            "if":true,
            "properties":{
                "a":{"pattern":"[","minLength":-1},
                "b":{"$ref":"#/components/schemas/Bad"},
                "c":{"oneOf":[{"type":"null"},{"minimum":"0"}]}
            }
        }"##,
    );
    let keywords: Vec<&str> = found
        .iter()
        .map(|mistake| mistake.keyword.as_str())
        .collect();
    assert_eq!(keywords, ["if", "minLength", "pattern", "minimum", "if"]);
}

#[test]
fn annotations_are_not_assertions() {
    let found = mistakes(
        r#"{
            "$schema":"x","$id":"y","$anchor":"z","$comment":"c","$defs":{"a":{"if":true}},
            "title":"t","description":"d","default":1,"examples":[2],"deprecated":true,
            "readOnly":true,"writeOnly":true,"format":"email","contentEncoding":"base64",
            "contentMediaType":"text/plain","x-anything":{"if":true},"unheardOf":{"not":{}}
        }"#,
    );
    assert_eq!(found, []);
}
