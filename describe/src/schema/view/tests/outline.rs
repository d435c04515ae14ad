//! The outline of a value, and the order in which its rungs are tried.

use super::{components, json};
use crate::schema::{Kinds, Outline, SchemaContext, SchemaViews, View};

/// Returns the outline of a value in words.
fn outlined(view: &View<'_>) -> String {
    match view.outline() {
        Outline::Unknown => "unknown".to_owned(),
        Outline::Nothing => "nothing".to_owned(),
        Outline::Null => "null".to_owned(),
        Outline::Listed(values) => {
            let values: Vec<String> = values
                .iter()
                .map(|listed| listed.value.to_string())
                .collect();
            format!("listed {}", values.join(", "))
        }
        Outline::Alternatives(unions) => format!("{} unions", unions.len()),
        Outline::Object => "object".to_owned(),
        Outline::Array => "array".to_owned(),
        Outline::Scalar(kinds) => format!("scalar {}", names(kinds)),
        Outline::Mixed(kinds) => format!("mixed {}", names(kinds)),
    }
}

fn names(kinds: Kinds) -> String {
    kinds.type_names().collect::<Vec<_>>().join(", ")
}

/// Compares the outlines of several schemas with what is expected of them.
#[track_caller]
fn assert_outlines(expected: &[(&str, &str)]) {
    let components = components(&[]);
    for (schema, outline) in expected {
        let schema = json(schema);
        let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
        let view = views.view_of_schema(&schema);
        assert_eq!(outlined(view), *outline, "{schema}");
    }
}

#[test]
fn each_sort_of_value_has_its_outline() {
    assert_outlines(&[
        (r##"{"$ref": "#/components/schemas/Lost"}"##, "unknown"),
        (r#"{"type": "string", "minLength": "a"}"#, "unknown"),
        (
            r#"{"type": "integer", "minimum": 2, "maximum": 1}"#,
            "nothing",
        ),
        ("false", "nothing"),
        (r#"{"type": "null"}"#, "null"),
        (r#"{"const": null}"#, "null"),
        (r#"{"const": "a"}"#, r#"listed "a""#),
        (r#"{"enum": ["a", null, 1]}"#, r#"listed "a", 1"#),
        (r#"{"oneOf": [{"const": 1}, {"const": 2}]}"#, "listed 1, 2"),
        (
            r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#,
            "scalar string",
        ),
        (
            r#"{"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
            "1 unions",
        ),
        (r#"{"type": ["object", "null"]}"#, "object"),
        (
            r#"{"additionalProperties": {}, "type": "object"}"#,
            "object",
        ),
        (r#"{"type": "array"}"#, "array"),
        (r#"{"type": "number"}"#, "scalar number"),
        (r#"{"type": "integer"}"#, "scalar integer"),
        (r#"{"type": "boolean"}"#, "scalar boolean"),
        (r#"{"type": ["string", "array"]}"#, "mixed string, array"),
        ("true", "mixed boolean, number, string, array, object"),
    ]);
}

#[test]
fn what_cannot_be_read_comes_before_what_can_and_a_list_before_alternatives() {
    assert_outlines(&[
        (
            r##"{"$ref": "#/components/schemas/Lost", "enum": ["a", "b"]}"##,
            "unknown",
        ),
        (
            r##"{"$ref": "#/components/schemas/Lost", "type": "null"}"##,
            "unknown",
        ),
        (
            r#"{"enum": ["a"], "oneOf": [{"minLength": 1}, {"minLength": 2}]}"#,
            r#"listed "a""#,
        ),
        (r#"{"enum": ["a"], "type": "integer"}"#, "nothing"),
    ]);
}

#[test]
fn the_outline_for_fewer_kinds_has_only_these() {
    let components = components(&[]);
    let schema = json(r#"{"type": ["string", "object"]}"#);
    let views = SchemaViews::new(SchemaContext::new(&components, Some(&[])));
    let view = views.view_of_schema(&schema);
    assert!(matches!(view.outline_of(Kinds::OBJECT), Outline::Object));
    assert!(matches!(
        view.outline_of(Kinds::STRING),
        Outline::Scalar(Kinds::STRING)
    ));
    assert!(matches!(view.outline_of(Kinds::NONE), Outline::Nothing));
}
