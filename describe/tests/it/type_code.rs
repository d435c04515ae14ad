use docent_describe::TypeCode::{self, Any, Arr, Bit, Nil, Num, Obj, Str};
use docent_describe::json::Json;
use docent_describe::schema::type_code;
use indexmap::IndexMap;

#[track_caller]
fn check(schema: &str, expected: TypeCode) {
    let components: IndexMap<String, Json> = [
        ("Name", r#"{"type": "string"}"#),
        ("Self", r##"{"$ref": "#/components/schemas/Self"}"##),
        (
            "Tree",
            r##"{"anyOf": [{"$ref": "#/components/schemas/Tree"}, {"type": "object"}]}"##,
        ),
        ("odd name/", r#"{"type": "array"}"#),
    ]
    .into_iter()
    .map(|(name, text)| (name.to_owned(), text.parse().unwrap()))
    .collect();
    assert_eq!(type_code(&schema.parse().unwrap(), &components), expected);
}

#[test]
fn a_single_type_has_its_word() {
    check(r#"{"type": "boolean"}"#, Bit);
    check(r#"{"type": "integer"}"#, Num);
    check(r#"{"type": "number"}"#, Num);
    check(r#"{"type": "string"}"#, Str);
    check(r#"{"type": "array"}"#, Arr);
    check(r#"{"type": "object"}"#, Obj);
    check(r#"{"type": "null"}"#, Nil);
}

#[test]
fn a_nullable_type_is_its_other_branch() {
    check(r#"{"type": ["string", "null"]}"#, Str);
    check(
        r##"{"anyOf": [{"$ref": "#/components/schemas/Name"}, {"type": "null"}]}"##,
        Str,
    );
    check(r#"{"enum": ["a", null]}"#, Str);
}

#[test]
fn constants_count_by_their_values() {
    check(r#"{"enum": ["a", "b"]}"#, Str);
    check(r#"{"enum": ["a", 1]}"#, Any);
    check(r#"{"const": 1}"#, Num);
    check(r#"{"const": null}"#, Nil);
    check(r#"{"enum": ["a", 5], "minimum": 10}"#, Str);
    check(
        r#"{"anyOf": [{"enum": ["a", 5], "minimum": 10}, {"type": "null"}]}"#,
        Str,
    );
}

#[test]
fn mixtures_and_open_schemas_are_any() {
    check("true", Any);
    check("false", Any);
    check("{}", Any);
    check(r#"{"type": ["string", "number"]}"#, Any);
    check(r#"{"type": ["integer", "number"]}"#, Num);
    check(r#"{"oneOf": [{"type": "string"}, {"type": "array"}]}"#, Any);
    check(r#"{"oneOf": [{"type": "string"}, {}]}"#, Any);
}

#[test]
fn branches_that_agree_keep_their_word() {
    check(
        r#"{"oneOf": [{"type": "string", "enum": ["a"]}, {"const": "b"}]}"#,
        Str,
    );
    check(r#"{"allOf": [{}, {"type": "array"}]}"#, Arr);
}

#[test]
fn references_are_followed_and_cycles_end() {
    check(r##"{"$ref": "#/components/schemas/Name"}"##, Str);
    check(r##"{"$ref": "#/components/schemas/odd%20name~1"}"##, Arr);
    check(r##"{"$ref": "#/components/schemas/Tree"}"##, Obj);
    check(r##"{"$ref": "#/components/schemas/Self"}"##, Any);
    check(r##"{"$ref": "#/components/schemas/Nobody"}"##, Any);
    check(r#"{"$ref": "https://example.com/schema.json"}"#, Any);
}
