//! Documents that are rendered again: each difference is told, and Docent reads none.

use docent_describe::ServiceDescription;
use docent_describe::json::{Json, Object, Pointer};
use docent_describe::openrpc::{X_ORIGIN_FORMAT, X_SCHEMA, X_SCHEMAS};
use docent_describe::render::{OpenRpcVersion, describe, openrpc};
use docent_describe::schema::all_keywords;
use docent_tools::compare::{Rule, compare};
use docent_tools::left_out::{NarrowFormat, left_out};

use super::document;
use crate::read::reading;

const VERSIONS: [OpenRpcVersion; 3] = [
    OpenRpcVersion::V1_2_6,
    OpenRpcVersion::V1_3_2,
    OpenRpcVersion::V1_4_1,
];

/// Returns a schema with this keyword.
fn schema_with(keyword: &str) -> &'static str {
    match keyword {
        "$schema" => r#"{"$schema": "https://json-schema.org/draft/2020-12/schema"}"#,
        "$id" => r#"{"$id": "urn:s"}"#,
        "$anchor" => r#"{"$anchor": "a"}"#,
        "$ref" => r##"{"$ref": "#/components/schemas/Node"}"##,
        "title" => r#"{"title": "T"}"#,
        "description" => r#"{"properties": {"a": {"description": "An a."}}}"#,
        "deprecated" => r#"{"properties": {"a": {"deprecated": true}}}"#,
        "readOnly" => r#"{"properties": {"a": {"readOnly": true}}}"#,
        "writeOnly" => r#"{"properties": {"a": {"writeOnly": true}}}"#,
        "type" => r#"{"type": ["string", "integer", "null"], "maximum": 3}"#,
        "format" => r#"{"type": "string", "format": "date"}"#,
        "enum" => r#"{"enum": ["a", null]}"#,
        "const" => r#"{"const": {"a": 1}}"#,
        "default" => r#"{"type": "integer", "default": 3}"#,
        "examples" => r#"{"type": "integer", "examples": [3]}"#,
        "minimum" => r#"{"type": "integer", "minimum": 3}"#,
        "exclusiveMinimum" => r#"{"type": "integer", "exclusiveMinimum": 3}"#,
        "maximum" => r#"{"type": "integer", "maximum": 3}"#,
        "exclusiveMaximum" => r#"{"type": "integer", "exclusiveMaximum": 3}"#,
        "multipleOf" => r#"{"type": "integer", "multipleOf": 3}"#,
        "minLength" => r#"{"type": "string", "minLength": 3}"#,
        "maxLength" => r#"{"type": "string", "maxLength": 3}"#,
        "pattern" => r#"{"type": "string", "pattern": "^a"}"#,
        "contentEncoding" => r#"{"type": "string", "contentEncoding": "base64"}"#,
        "contentMediaType" => r#"{"type": "string", "contentMediaType": "application/json"}"#,
        "contentSchema" => {
            r#"{"type": "string", "contentMediaType": "application/json", "contentSchema": {"type": "array"}}"#
        }
        "prefixItems" => {
            r#"{"type": "array", "prefixItems": [{"type": "string"}], "items": false}"#
        }
        "items" => r#"{"type": "array", "items": {"type": ["string", "null"]}}"#,
        "additionalItems" => {
            r#"{"type": "array", "items": [{"type": "string"}], "additionalItems": {"type": "integer"}}"#
        }
        "unevaluatedItems" => {
            r#"{"type": "array", "allOf": [{"prefixItems": [{"type": "string"}]}], "unevaluatedItems": false}"#
        }
        "contains" => r#"{"type": "array", "contains": {"const": 7}}"#,
        "minContains" => r#"{"type": "array", "contains": {"const": 7}, "minContains": 2}"#,
        "maxContains" => r#"{"type": "array", "contains": {"const": 7}, "maxContains": 3}"#,
        "minItems" => r#"{"type": "array", "minItems": 3}"#,
        "maxItems" => r#"{"type": "array", "maxItems": 3}"#,
        "uniqueItems" => r#"{"type": "array", "uniqueItems": true}"#,
        "properties" => r#"{"type": "object", "properties": {"a": {"type": "integer"}}}"#,
        "required" => r#"{"type": "object", "properties": {"a": true}, "required": ["a"]}"#,
        "patternProperties" => {
            r#"{"type": "object", "patternProperties": {"^a": {"type": "integer"}}}"#
        }
        "additionalProperties" => {
            r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#
        }
        "unevaluatedProperties" => {
            r#"{"type": "object", "allOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}"#
        }
        "propertyNames" => r#"{"type": "object", "propertyNames": {"maxLength": 3}}"#,
        "minProperties" => r#"{"type": "object", "minProperties": 3}"#,
        "maxProperties" => r#"{"type": "object", "maxProperties": 3}"#,
        "dependentRequired" => r#"{"type": "object", "dependentRequired": {"a": ["b"]}}"#,
        "dependentSchemas" => {
            r#"{"type": "object", "dependentSchemas": {"a": {"required": ["b"]}}}"#
        }
        "dependencies" => {
            r#"{"type": "object", "dependencies": {"a": ["b"], "c": {"required": ["d"]}}}"#
        }
        "allOf" => r#"{"allOf": [{"type": "integer"}, {"minimum": 3}]}"#,
        "anyOf" => r#"{"anyOf": [{"type": "integer"}, {"type": "string"}]}"#,
        "oneOf" => r#"{"oneOf": [{"type": "integer"}, {"type": "string"}]}"#,
        "not" => r#"{"not": {"type": "integer"}}"#,
        "if" | "then" | "else" => {
            r#"{"if": {"type": "integer"}, "then": {"minimum": 3}, "else": {"type": "string"}}"#
        }
        "$defs" => r#"{"$defs": {"x": {"type": "integer"}}}"#,
        "definitions" => r#"{"definitions": {"x": {"type": "integer"}}}"#,
        other => panic!(
            "add a schema with `{other}` to this table, in tools/tests/it/openrpc/rendered.rs"
        ),
    }
}

/// Returns a document with a schema as a parameter's and a result's, inside another one, and as a shared one.
fn foreign(schema: &str) -> ServiceDescription {
    let text = document(
        &format!(
            r#"{{"name": "p", "params": [{{"name": "a", "required": true, "schema": {schema}}},
                {{"name": "b", "schema": {{"type": "array", "items": {schema}}}}}],
                "result": {{"name": "r", "schema": {schema}}}, "errors": [{{"code": 7, "message": "m", "data": {{"type": "array", "items": {schema}}}}}]}}"#
        ),
        &format!(
            r##", "components": {{"schemas": {{"S": {schema}, "Node": {{"type": "object", "properties": {{
                "next": {{"oneOf": [{{"$ref": "#/components/schemas/Node"}}, {{"type": "null"}}]}}}}}}}}}}"##
        ),
    );
    reading(&text).description
}

/// Returns the document as others read it, without what only Docent does.
fn as_others_read(document: &Json) -> Json {
    match document {
        Json::Array(elements) => elements.iter().map(as_others_read).collect(),
        Json::Object(members) => {
            let ours = [X_ORIGIN_FORMAT, X_SCHEMA, X_SCHEMAS, "x-ref"];
            let mut others = Object::new();
            for (name, value) in members {
                if !ours.contains(&name.as_str()) {
                    others.insert(name, as_others_read(value));
                }
            }
            Json::Object(others)
        }
        other => other.clone(),
    }
}

#[test]
fn a_document_that_was_rendered_again_says_the_same() {
    for keyword in all_keywords() {
        let service = foreign(schema_with(keyword));
        let documents = VERSIONS.map(|version| openrpc(&service, version));
        for document in documents.iter().chain([&describe(&service)]) {
            let again = reading(&document.to_string()).description;
            assert_eq!(again, service, "{keyword}");
            assert_eq!(compare(&service, &again), [], "{keyword}");
        }
    }
}

#[test]
fn other_readers_are_told_what_they_do_not_see() {
    for keyword in all_keywords() {
        let service = foreign(schema_with(keyword));
        let reported = left_out(&service, NarrowFormat::OpenRpc);
        for version in VERSIONS {
            let text = as_others_read(&openrpc(&service, version)).to_string();
            let seen = reading(&text).description;
            let changes = compare(&service, &seen);
            // A schema that accepts the same is no difference.
            for change in changes
                .iter()
                .filter(|change| change.rule != Rule::SchemaRewritten)
            {
                let is_reported = reported.keys().any(|name| {
                    name == keyword || name == "$ref" && change.to_string().contains("Node")
                });
                assert!(is_reported, "{keyword}: {change}; reported: {reported:?}");
            }
        }
    }
}

#[test]
fn a_format_that_nobody_says_is_checked_stays_an_annotation() {
    let mut service = foreign(schema_with("format"));
    for (enforced, expected) in [
        (&[][..], r#"{"type":"string","format":"date"}"#),
        (&["date"], r#"{"type":"string","pattern":"^"#),
    ] {
        service.enforced_formats = enforced.iter().map(ToString::to_string).collect();
        let rendered = openrpc(&service, OpenRpcVersion::V1_3_2);
        let schema = Pointer::resolve("/components/schemas/S", &rendered)
            .unwrap()
            .to_string();
        assert!(schema.starts_with(expected), "{schema}");
    }
}

#[test]
fn a_pattern_stands_beside_that_of_a_checked_format() {
    let schema =
        r#"{"type": "string", "format": "date", "pattern": "^2", "allOf": [{"minLength": 1}]}"#;
    let mut service = foreign(schema);
    service.enforced_formats = vec!["date".to_owned()];
    let rendered = openrpc(&service, OpenRpcVersion::V1_3_2).to_string();
    for part in [
        r#""allOf":[{"pattern":"^(?:"#,
        r#"{"minLength":1}],"pattern":"^2""#,
    ] {
        assert!(rendered.contains(part), "{rendered}");
    }
}
