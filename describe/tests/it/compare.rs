//! Every rule of a comparison, by what it finds.

use std::collections::BTreeSet;

use docent_describe::ServiceDescription;
use docent_describe::compare::{Change, Document, Rule, Verdict, compare};
use docent_describe::json::{Json, Pointer};
use docent_describe::read::read;
use docent_describe::render::describe;

/// A rule, a service or procedure before and after, and where the change is.
type Row = (&'static str, &'static str, &'static str, &'static str);

fn service(members: &str) -> ServiceDescription {
    let text = format!(r#"{{"sdversion": "2.0", "name": "s", "id": "urn:s", {members}}}"#);
    let reading = read(text.as_bytes()).unwrap();
    // What is outside cannot be decided, which is what some rows are about.
    let mut warnings = reading.warnings.iter();
    assert!(
        warnings.all(|warning| warning.message.contains("outside")),
        "{text}"
    );
    reading.description
}

/// A service with one procedure, and a component that refers to itself.
fn procedure(members: &str) -> ServiceDescription {
    let comma = if members.is_empty() { "" } else { ", " };
    service(&format!(
        r##""procs": [{{"name": "p"{comma}{members}}}], "components": {{"schemas": {{
            "Node": {{"type": "object", "required": ["v"], "properties": {{
                "v": {{"type": "integer"}},
                "next": {{"anyOf": [{{"$ref": "#/components/schemas/Node"}}, {{"type": "null"}}]}}}}}}}}}}"##
    ))
}

/// A parameter with this schema.
fn param(schema: &str) -> String {
    format!(r#""params": [{{"name": "a", "required": true, "schema": {schema}}}]"#)
}

/// A result with this schema.
fn returns(schema: &str) -> String {
    format!(r#""params": [], "return": {{"schema": {schema}}}"#)
}

/// An error with data of this schema.
fn data(schema: &str) -> String {
    format!(r#""params": [], "errors": [{{"code": 7, "message": "m", "data": {schema}}}]"#)
}

/// Checks that the rule is found, at its place, and that nothing worse is.
fn check(rows: &[Row], wrap: impl Fn(&str) -> ServiceDescription) {
    for (name, old, new, place) in rows {
        let (old, new) = (wrap(old), wrap(new));
        let changes = compare(&old, &new);
        let told = format!("{name}: {changes:#?}");
        let rule = Rule::from_name(name).expect(name);
        let found = changes
            .iter()
            .find(|change| change.rule == rule)
            .expect(&told);
        assert_eq!(found.pointer.as_str(), *place, "{told}");
        let worst = changes.iter().map(Change::verdict).max();
        assert_eq!(worst, Some(rule.verdict()), "{told}");
        for change in &changes {
            let service = match change.document {
                Document::Old => &old,
                Document::New => &new,
            };
            let document = describe(service);
            let value = Pointer::resolve(change.pointer.as_str(), &document);
            assert!(value.is_some(), "{} leads nowhere: {told}", change.pointer);
            assert!(change.message.ends_with('.'), "{told}");
        }
        assert_eq!(compare(&old, &old), [], "{name}");
        assert_eq!(compare(&new, &new), [], "{name}");
    }
}

const PROCEDURES: &[Row] = &[
    (
        "procedure-removed",
        r#""procs": [{"name": "p"}, {"name": "q"}]"#,
        r#""procs": [{"name": "p"}]"#,
        "/procs/1",
    ),
    (
        "procedure-removed",
        r#""procs": [{"name": "p"}]"#,
        r#""procs": [{"name": "P"}]"#,
        "/procs/0",
    ),
    (
        "procedure-added",
        r#""procs": [{"name": "p"}]"#,
        r#""procs": [{"name": "q"}, {"name": "p"}]"#,
        "/procs/0",
    ),
];

const SWITCHES: &[Row] = &[
    (
        "idempotency-withdrawn",
        r#""idempotent": true"#,
        "",
        "/procs/0",
    ),
    (
        "idempotency-granted",
        "",
        r#""idempotent": true"#,
        "/procs/0/idempotent",
    ),
    (
        "notification-on",
        "",
        r#""notification": true"#,
        "/procs/0/notification",
    ),
    (
        "notification-off",
        r#""notification": true"#,
        "",
        "/procs/0",
    ),
    (
        "deprecated",
        "",
        r#""deprecated": {"since": "2"}"#,
        "/procs/0/deprecated",
    ),
    (
        "undeprecated",
        r#""deprecated": {"since": "2"}"#,
        "",
        "/procs/0",
    ),
    (
        "unchecked",
        "",
        r#""unchecked": "why""#,
        "/procs/0/unchecked",
    ),
    ("checked", r#""unchecked": "why""#, "", "/procs/0/unchecked"),
    (
        "by-position-only",
        "",
        r#""$paramStructure": "by-position""#,
        "/procs/0/$paramStructure",
    ),
    (
        "by-position-only-lifted",
        r#""$paramStructure": "by-position""#,
        "",
        "/procs/0",
    ),
];

const PARAMS: &[Row] = &[
    (
        "param-removed",
        r#""params": [{"name": "a"}, {"name": "b"}]"#,
        r#""params": [{"name": "a"}]"#,
        "/procs/0/params/1",
    ),
    (
        "param-removed",
        r#""params": [{"name": "a"}]"#,
        r#""params": [{"name": "b"}]"#,
        "/procs/0/params/0",
    ),
    (
        "param-renamed",
        r#""params": [{"name": "a"}]"#,
        r#""params": [{"name": "b", "aliases": [{"name": "a"}]}]"#,
        "/procs/0/params/0",
    ),
    (
        "param-alias-removed",
        r#""params": [{"name": "a", "aliases": [{"name": "b"}]}]"#,
        r#""params": [{"name": "a"}]"#,
        "/procs/0/params/0/aliases",
    ),
    (
        "param-alias-added",
        r#""params": [{"name": "a"}]"#,
        r#""params": [{"name": "a", "aliases": [{"name": "b"}]}]"#,
        "/procs/0/params/0/aliases",
    ),
    (
        "deprecated",
        r#""params": [{"name": "a", "aliases": [{"name": "b"}]}]"#,
        r#""params": [{"name": "a", "aliases": [{"name": "b", "deprecated": true}]}]"#,
        "/procs/0/params/0/aliases",
    ),
    (
        "param-required",
        r#""params": [{"name": "a"}]"#,
        r#""params": [{"name": "a", "required": true}]"#,
        "/procs/0/params/0",
    ),
    (
        "param-optional",
        r#""params": [{"name": "a", "required": true}]"#,
        r#""params": [{"name": "a"}]"#,
        "/procs/0/params/0",
    ),
    (
        "required-param-added",
        r#""params": []"#,
        r#""params": [{"name": "a", "required": true}]"#,
        "/procs/0/params/0",
    ),
    (
        "param-added",
        r#""params": [{"name": "a"}]"#,
        r#""params": [{"name": "a"}, {"name": "b"}]"#,
        "/procs/0/params/1",
    ),
    (
        "default-changed",
        r#""params": [{"name": "a", "default": 1}]"#,
        r#""params": [{"name": "a", "default": 2}]"#,
        "/procs/0/params/0",
    ),
    (
        "default-changed",
        r#""params": [{"name": "a", "default": 1}]"#,
        r#""params": [{"name": "a"}]"#,
        "/procs/0/params/0",
    ),
    (
        "deprecated",
        r#""params": [{"name": "a"}]"#,
        r#""params": [{"name": "a", "deprecated": true}]"#,
        "/procs/0/params/0/deprecated",
    ),
    (
        "undeprecated",
        r#""params": [{"name": "a", "deprecated": true}]"#,
        r#""params": [{"name": "a"}]"#,
        "/procs/0/params/0",
    ),
    (
        "words-changed",
        r#""params": [{"name": "a"}]"#,
        r#""params": [{"name": "a", "description": "An a."}]"#,
        "/procs/0/params/0",
    ),
    (
        "type-word-changed",
        r#""params": [{"name": "a", "type": "num", "schema": {}}]"#,
        r#""params": [{"name": "a", "type": "str", "schema": {}}]"#,
        "/procs/0/params/0/type",
    ),
];

const POSITIONS: &[Row] = &[
    (
        "param-moved",
        r#""params": [{"name": "a"}, {"name": "b"}]"#,
        r#""params": [{"name": "b"}, {"name": "a"}]"#,
        "/procs/0/params/1",
    ),
    (
        "param-moved",
        r#""params": [{"name": "a"}, {"name": "b"}]"#,
        r#""params": [{"name": "b"}, {"name": "c", "aliases": [{"name": "a"}]}]"#,
        "/procs/0/params/1",
    ),
    (
        "param-inserted",
        r#""params": [{"name": "a"}]"#,
        r#""params": [{"name": "b"}, {"name": "a"}]"#,
        "/procs/0/params/0",
    ),
    (
        "param-added",
        r#""params": [{"name": "a"}], "byNameOnly": true"#,
        r#""params": [{"name": "b"}, {"name": "a"}], "byNameOnly": true"#,
        "/procs/0/params/0",
    ),
    (
        "by-name-only",
        r#""params": [{"name": "a"}]"#,
        r#""params": [{"name": "a"}], "byNameOnly": true"#,
        "/procs/0/byNameOnly",
    ),
    (
        "by-name-only-lifted",
        r#""params": [{"name": "a"}], "byNameOnly": true"#,
        r#""params": [{"name": "a"}]"#,
        "/procs/0",
    ),
    (
        "param-variadic-changed",
        r#""params": [{"name": "a", "type": "arr"}]"#,
        r#""params": [{"name": "a", "type": "arr", "variadic": true}]"#,
        "/procs/0/params/0",
    ),
];

const PARAM_SCHEMAS: &[Row] = &[
    (
        "param-narrowed",
        r#"{"type": "integer"}"#,
        r#"{"type": "integer", "maximum": 9}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "param-narrowed",
        r#"{"type": "number"}"#,
        r#"{"type": "integer"}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "param-narrowed",
        r#"{"type": ["string", "null"]}"#,
        r#"{"type": "string"}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "param-narrowed",
        r#"{"type": "string"}"#,
        r#"{"type": "string", "pattern": "^a"}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "param-narrowed",
        r#"{"type": "object"}"#,
        r#"{"type": "object", "additionalProperties": false}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "param-narrowed",
        r#"{"enum": ["x", "y"]}"#,
        r#"{"enum": ["x"]}"#,
        "/procs/0/params/0/schema/enum",
    ),
    (
        "param-narrowed",
        r#"{"type": "array"}"#,
        r#"{"type": "array", "uniqueItems": true}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "param-narrowed",
        r#"{"type": "number", "multipleOf": 0.1}"#,
        r#"{"type": "number", "multipleOf": 0.3}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "param-narrowed",
        r#"{"items": {"properties": {"m": {"maxLength": 9}}}}"#,
        r#"{"items": {"properties": {"m": {"maxLength": 8}}}}"#,
        "/procs/0/params/0/schema/items/properties/m",
    ),
    (
        "param-narrowed",
        r#"{"type": "object", "properties": {"m": {}}}"#,
        r#"{"type": "object", "properties": {"m": {}}, "required": ["m"]}"#,
        "/procs/0/params/0/schema/required",
    ),
    (
        "param-narrowed",
        r#"{"anyOf": [{"type": "string"}, {"type": "integer"}]}"#,
        r#"{"type": "string"}"#,
        "/procs/0/params/0/schema/anyOf/1",
    ),
    (
        "param-narrowed",
        r#"{"not": {"type": "integer"}}"#,
        r#"{"not": {"type": "number"}}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "param-widened",
        r#"{"type": "integer", "maximum": 9}"#,
        r#"{"type": "integer"}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "param-widened",
        r#"{"type": "integer"}"#,
        r#"{"type": ["integer", "null"]}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "param-widened",
        r#"{"enum": ["x"]}"#,
        r#"{"enum": ["x", "y"]}"#,
        "/procs/0/params/0/schema/enum",
    ),
    (
        "param-widened",
        r#"{"const": 1}"#,
        r#"{"type": "integer"}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "param-undecided",
        r#"{"$ref": "https://example.com/a"}"#,
        r#"{"$ref": "https://example.com/b"}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "param-undecided",
        r#"{"type": "string", "not": {"pattern": "(a+)+$"}}"#,
        r#"{"type": "string", "not": {"pattern": "(a+)+b*$"}}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "pattern-changed",
        r#"{"type": "string", "pattern": "^a"}"#,
        r#"{"type": "string", "pattern": "^b"}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "format-changed",
        r#"{"type": "string", "format": "date"}"#,
        r#"{"type": "string", "format": "time"}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "param-member-added",
        r#"{"type": "object", "properties": {}}"#,
        r#"{"type": "object", "properties": {"m": {"type": "string"}}}"#,
        "/procs/0/params/0/schema/properties/m",
    ),
    (
        "param-widened",
        r#"{"type": "object", "properties": {}, "additionalProperties": false}"#,
        r#"{"type": "object", "properties": {"m": {"type": "string"}}, "additionalProperties": false}"#,
        "/procs/0/params/0/schema/properties/m",
    ),
    (
        "param-member-ignored",
        r#"{"type": "object", "properties": {"m": {"type": "string"}}}"#,
        r#"{"type": "object", "properties": {}}"#,
        "/procs/0/params/0/schema/properties/m",
    ),
    (
        "default-changed",
        r#"{"properties": {"m": {"default": 1}}}"#,
        r#"{"properties": {"m": {"default": 2}}}"#,
        "/procs/0/params/0/schema/properties/m",
    ),
    (
        "keyword-changed",
        r#"{"type": "string", "codec": "a"}"#,
        r#"{"type": "string", "codec": "b"}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "schema-rewritten",
        r#"{"enum": [true, false]}"#,
        r#"{"type": "boolean"}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "schema-rewritten",
        r#"{"type": "integer", "minimum": 1}"#,
        r#"{"type": "integer", "exclusiveMinimum": 0}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "words-changed",
        r#"{"type": "string"}"#,
        r#"{"type": "string", "title": "T"}"#,
        "/procs/0/params/0/schema",
    ),
    (
        "deprecated",
        r#"{"properties": {"m": {}}}"#,
        r#"{"properties": {"m": {"deprecated": true}}}"#,
        "/procs/0/params/0/schema/properties/m",
    ),
];

const RETURNS: &[Row] = &[
    (
        "return-widened",
        r#"{"type": "integer"}"#,
        r#"{"type": "number"}"#,
        "/procs/0/return/schema",
    ),
    (
        "return-widened",
        r#"{"type": "integer", "maximum": 9}"#,
        r#"{"type": "integer"}"#,
        "/procs/0/return/schema",
    ),
    (
        "return-widened",
        r#"{"type": "string"}"#,
        r#"{"type": "integer"}"#,
        "/procs/0/return/schema",
    ),
    (
        "return-widened",
        r#"{"type": "string"}"#,
        r#"{"anyOf": [{"type": "string"}, {"type": "object"}]}"#,
        "/procs/0/return/schema/anyOf/1",
    ),
    (
        "return-nullable",
        r#"{"type": "string"}"#,
        r#"{"type": ["string", "null"]}"#,
        "/procs/0/return/schema",
    ),
    (
        "return-nullable",
        r#"{"type": "string"}"#,
        r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#,
        "/procs/0/return/schema",
    ),
    (
        "return-nullable",
        r#"{"properties": {"m": {"enum": ["x"]}}}"#,
        r#"{"properties": {"m": {"enum": ["x", null]}}}"#,
        "/procs/0/return/schema/properties/m/enum",
    ),
    (
        "return-member-removed",
        r#"{"type": "object", "properties": {"m": {}}, "required": ["m"]}"#,
        r#"{"type": "object", "properties": {"m": {}}}"#,
        "/procs/0/return/schema",
    ),
    (
        "return-member-removed",
        r#"{"type": "object", "properties": {"m": {}}, "required": ["m"]}"#,
        r#"{"type": "object"}"#,
        "/procs/0/return/schema/properties/m",
    ),
    (
        "return-member-dropped",
        r#"{"type": "object", "properties": {"m": {"type": "string"}}}"#,
        r#"{"type": "object"}"#,
        "/procs/0/return/schema/properties/m",
    ),
    (
        "return-member-added",
        r#"{"type": "object"}"#,
        r#"{"type": "object", "properties": {"m": {}}, "required": ["m"]}"#,
        "/procs/0/return/schema/properties/m",
    ),
    (
        "return-value-added",
        r#"{"enum": ["x"]}"#,
        r#"{"enum": ["x", "y"]}"#,
        "/procs/0/return/schema/enum",
    ),
    (
        "return-value-added",
        r#"{"oneOf": [{"const": "x"}]}"#,
        r#"{"oneOf": [{"const": "x"}, {"const": "y"}]}"#,
        "/procs/0/return/schema/oneOf/1",
    ),
    (
        "return-opened",
        r#"{"type": "object", "additionalProperties": false}"#,
        r#"{"type": "object"}"#,
        "/procs/0/return/schema",
    ),
    (
        "return-opened",
        r#"{"type": "object", "additionalProperties": false}"#,
        r#"{"type": "object", "properties": {"m": {}}, "additionalProperties": false}"#,
        "/procs/0/return/schema/properties/m",
    ),
    (
        "return-undecided",
        r#"{"$ref": "https://example.com/a"}"#,
        r#"{"$ref": "https://example.com/b"}"#,
        "/procs/0/return/schema",
    ),
    (
        "return-narrowed",
        r#"{"type": ["string", "null"]}"#,
        r#"{"type": "string"}"#,
        "/procs/0/return/schema",
    ),
    (
        "pattern-changed",
        r#"{"type": "string", "pattern": "^a"}"#,
        r#"{"type": "string", "pattern": "^b"}"#,
        "/procs/0/return/schema",
    ),
    (
        "format-changed",
        r#"{"type": "string", "format": "date"}"#,
        r#"{"type": "string"}"#,
        "/procs/0/return/schema",
    ),
    (
        "words-changed",
        r#"{"default": 1}"#,
        r#"{"default": 2}"#,
        "/procs/0/return/schema",
    ),
];

const RESULTS: &[Row] = &[
    (
        "return-removed",
        r#""return": {"type": "str"}"#,
        "",
        "/procs/0/return",
    ),
    (
        "return-described",
        "",
        r#""return": {"type": "str"}"#,
        "/procs/0/return",
    ),
];

const ERRORS: &[Row] = &[
    (
        "error-added",
        "",
        r#""errors": [{"code": 7, "message": "m"}]"#,
        "/procs/0/errors/0",
    ),
    (
        "error-removed",
        r#""errors": [{"code": 7, "message": "m"}]"#,
        "",
        "/procs/0/errors/0",
    ),
    (
        "error-described",
        r#""errorsOpen": true"#,
        r#""errorsOpen": true, "errors": [{"code": 7, "message": "m"}]"#,
        "/procs/0/errors/0",
    ),
    (
        "errors-opened",
        "",
        r#""errorsOpen": true"#,
        "/procs/0/errorsOpen",
    ),
    ("errors-closed", r#""errorsOpen": true"#, "", "/procs/0"),
    (
        "error-status-changed",
        r#""errors": [{"code": 7, "message": "m"}]"#,
        r#""errors": [{"code": 7, "message": "m", "$status": 404}]"#,
        "/procs/0/errors/0",
    ),
    (
        "retry-withdrawn",
        r#""errors": [{"code": 7, "message": "m", "retry": true}]"#,
        r#""errors": [{"code": 7, "message": "m"}]"#,
        "/procs/0/errors/0",
    ),
    (
        "retry-granted",
        r#""errors": [{"code": 7, "message": "m"}]"#,
        r#""errors": [{"code": 7, "message": "m", "retry": true}]"#,
        "/procs/0/errors/0",
    ),
    (
        "error-data-removed",
        r#""errors": [{"code": 7, "message": "m", "data": {}}]"#,
        r#""errors": [{"code": 7, "message": "m"}]"#,
        "/procs/0/errors/0/data",
    ),
    (
        "error-data-added",
        r#""errors": [{"code": 7, "message": "m"}]"#,
        r#""errors": [{"code": 7, "message": "m", "data": {}}]"#,
        "/procs/0/errors/0/data",
    ),
    (
        "words-changed",
        r#""errors": [{"code": 7, "message": "m"}, {"code": 7, "message": "n"}]"#,
        r#""errors": [{"code": 7, "message": "n"}, {"code": 7, "message": "o"}]"#,
        "/procs/0/errors/1",
    ),
];

const ERROR_DATA: &[Row] = &[
    (
        "error-data-widened",
        r#"{"type": "integer"}"#,
        r#"{"type": "number"}"#,
        "/procs/0/errors/0/data",
    ),
    (
        "error-data-narrowed",
        r#"{"type": "number"}"#,
        r#"{"type": "integer"}"#,
        "/procs/0/errors/0/data",
    ),
    (
        "error-data-undecided",
        r#"{"$ref": "https://example.com/a"}"#,
        r#"{"$ref": "https://example.com/b"}"#,
        "/procs/0/errors/0/data",
    ),
    (
        "error-data-grown",
        r#"{"enum": ["x"]}"#,
        r#"{"enum": ["x", "y"]}"#,
        "/procs/0/errors/0/data/enum",
    ),
];

const ACCESS: &[Row] = &[
    (
        "credential-required",
        "",
        r#""guarded": true, "security": ["key"]"#,
        "/procs/0/security/0",
    ),
    (
        "credential-required",
        r#""guarded": true, "security": ["key"]"#,
        r#""guarded": true, "security": ["key", "other"]"#,
        "/procs/0/security/1",
    ),
    (
        "credential-dropped",
        r#""guarded": true, "security": ["key", "other"]"#,
        r#""guarded": true, "security": ["key"]"#,
        "/procs/0/security/1",
    ),
    (
        "credential-named",
        r#""guarded": true"#,
        r#""guarded": true, "security": ["key"]"#,
        "/procs/0/security/0",
    ),
    (
        "scope-required",
        r#""guarded": true, "security": [{"key": ["read"]}]"#,
        r#""guarded": true, "security": [{"key": ["read", "write"]}]"#,
        "/procs/0/security/0",
    ),
    (
        "scope-dropped",
        r#""guarded": true, "security": [{"key": ["read", "write"]}]"#,
        r#""guarded": true, "security": [{"key": ["read"]}]"#,
        "/procs/0/security/0",
    ),
    ("guard-added", "", r#""guarded": true"#, "/procs/0/guarded"),
    ("guard-removed", r#""guarded": true"#, "", "/procs/0"),
];

const PROMISES: &[Row] = &[
    (
        "limit-lowered",
        "",
        r#""limits": {"concurrent": 8}"#,
        "/procs/0/limits/concurrent",
    ),
    (
        "limit-lowered",
        r#""limits": {"rate": {"calls": 9, "per": 60, "by": "peer"}}"#,
        r#""limits": {"rate": {"calls": 8, "per": 60, "by": "peer"}}"#,
        "/procs/0/limits/rate",
    ),
    (
        "limit-raised",
        r#""limits": {"concurrent": 8, "rate": {"calls": 9, "per": 60, "by": "peer"}}"#,
        r#""limits": {"concurrent": 9, "rate": {"calls": 9, "per": 60, "by": "peer"}}"#,
        "/procs/0/limits/concurrent",
    ),
    (
        "limit-changed",
        r#""limits": {"rate": {"calls": 9, "per": 60, "by": "peer"}}"#,
        r#""limits": {"rate": {"calls": 9, "per": 60, "by": "caller"}}"#,
        "/procs/0/limits/rate",
    ),
    (
        "limit-changed",
        r#""limits": {"rate": {"calls": 9, "per": 60, "by": "peer"}}"#,
        r#""limits": {"rate": {"calls": 10, "per": 61, "by": "peer"}}"#,
        "/procs/0/limits/rate",
    ),
    (
        "cache-age-raised",
        "",
        r#""cache": {"maxAge": 60}"#,
        "/procs/0/cache",
    ),
    (
        "cache-age-raised",
        r#""cache": {"maxAge": 60}"#,
        r#""cache": {"maxAge": 60.5}"#,
        "/procs/0/cache",
    ),
    (
        "cache-age-lowered",
        r#""cache": {"maxAge": 60}"#,
        "",
        "/procs/0/cache",
    ),
    (
        "cache-shared",
        r#""cache": {"maxAge": 60, "shared": false}"#,
        r#""cache": {"maxAge": 60, "shared": true}"#,
        "/procs/0/cache",
    ),
    (
        "cache-unshared",
        r#""cache": {"maxAge": 60, "shared": true}"#,
        r#""cache": {"maxAge": 60, "shared": false}"#,
        "/procs/0/cache",
    ),
    (
        "repeatable-withdrawn",
        r#""repeatable": {"for": 60}"#,
        "",
        "/procs/0/repeatable",
    ),
    (
        "repeatable-shortened",
        r#""repeatable": {"for": 60}"#,
        r#""repeatable": {"for": 59}"#,
        "/procs/0/repeatable",
    ),
    (
        "repeatable-granted",
        r#""repeatable": {"for": 60}"#,
        r#""repeatable": {"for": 61}"#,
        "/procs/0/repeatable",
    ),
    (
        "repeatable-granted",
        "",
        r#""repeatable": {"for": 61}"#,
        "/procs/0/repeatable",
    ),
];

const SERVICE: &[Row] = &[
    (
        "version-changed",
        r#""version": "1", "procs": []"#,
        r#""version": "2", "procs": []"#,
        "/version",
    ),
    (
        "address-changed",
        r#""address": "http://a/", "procs": []"#,
        r#""address": "http://b/", "procs": []"#,
        "/address",
    ),
    (
        "address-added",
        r#""procs": []"#,
        r#""address": "http://b/", "procs": []"#,
        "/address",
    ),
    (
        "words-changed",
        r#""procs": []"#,
        r#""summary": "A service.", "procs": []"#,
        "",
    ),
    (
        "format-enforced",
        r#""procs": []"#,
        r#""enforcedFormats": ["date"], "procs": []"#,
        "/enforcedFormats/0",
    ),
    (
        "format-not-enforced",
        r#""enforcedFormats": ["date"], "procs": []"#,
        r#""procs": []"#,
        "/enforcedFormats/0",
    ),
    (
        "scheme-added",
        r#""procs": []"#,
        r#""securitySchemes": {"key": {"type": "http"}}, "procs": []"#,
        "/securitySchemes/key",
    ),
    (
        "scheme-removed",
        r#""securitySchemes": {"key": {"type": "http"}}, "procs": []"#,
        r#""procs": []"#,
        "/securitySchemes/key",
    ),
    (
        "scheme-changed",
        r#""securitySchemes": {"key": {"type": "http"}}, "procs": []"#,
        r#""securitySchemes": {"key": {"type": "http", "bearerFormat": "JWT"}}, "procs": []"#,
        "/securitySchemes/key",
    ),
    (
        "scheme-replaced",
        r#""securitySchemes": {"key": {"type": "http"}}, "procs": [{"name": "p", "security": ["key"]}]"#,
        r#""securitySchemes": {"key": {"type": "apiKey"}}, "procs": [{"name": "p", "security": ["key"]}]"#,
        "/securitySchemes/key",
    ),
    (
        "component-added",
        r#""procs": []"#,
        r#""procs": [], "components": {"schemas": {"A": {}}}"#,
        "/components/schemas/A",
    ),
    (
        "component-removed",
        r#""procs": [], "components": {"schemas": {"A": {}}}"#,
        r#""procs": []"#,
        "/components/schemas/A",
    ),
    (
        "component-renamed",
        r#""procs": [], "components": {"schemas": {"A": {}}}"#,
        r#""procs": [], "components": {"schemas": {"B": {}}}"#,
        "/components/schemas/B",
    ),
];

const WORDS: &[Row] = &[
    ("words-changed", "", r#""summary": "Does it.""#, "/procs/0"),
    (
        "examples-changed",
        r#""examples": [{"params": [], "result": 1}]"#,
        r#""examples": [{"params": [], "result": 2}]"#,
        "/procs/0/examples",
    ),
];

#[test]
fn procedures_come_and_go() {
    check(PROCEDURES, service);
}

#[test]
fn what_a_procedure_is_changes() {
    check(SWITCHES, procedure);
}

#[test]
fn parameters_come_go_and_change_their_names() {
    check(PARAMS, procedure);
}

#[test]
fn positions_change() {
    check(POSITIONS, procedure);
}

#[test]
fn a_parameter_that_accepts_less_breaks_callers() {
    check(PARAM_SCHEMAS, |schema| procedure(&param(schema)));
}

#[test]
fn a_result_that_can_be_more_breaks_callers() {
    check(RETURNS, |schema| procedure(&returns(schema)));
}

#[test]
fn results_come_and_go() {
    check(RESULTS, procedure);
}

#[test]
fn errors_come_and_go() {
    check(ERRORS, procedure);
}

#[test]
fn the_data_of_an_error_is_judged_as_a_result_is() {
    check(ERROR_DATA, |schema| procedure(&data(schema)));
}

#[test]
fn access_changes() {
    check(ACCESS, procedure);
}

#[test]
fn promises_change() {
    check(PROMISES, procedure);
}

#[test]
fn what_is_said_of_the_service_changes() {
    check(SERVICE, service);
}

#[test]
fn the_identity_of_a_service_changes() {
    let mut old = service(r#""procs": []"#);
    let new = old.clone();
    old.id = "urn:other".to_owned();
    old.name = "other".to_owned();
    let rules: Vec<Rule> = compare(&old, &new)
        .iter()
        .map(|change| change.rule)
        .collect();
    assert_eq!(rules, [Rule::ServiceRenamed, Rule::ServiceIdChanged]);
}

#[test]
fn words_change() {
    check(WORDS, procedure);
}

#[test]
fn every_rule_has_a_test() {
    let tables = [
        PROCEDURES,
        SWITCHES,
        PARAMS,
        POSITIONS,
        PARAM_SCHEMAS,
        RETURNS,
        RESULTS,
        ERRORS,
        ERROR_DATA,
        ACCESS,
        PROMISES,
        SERVICE,
        WORDS,
    ];
    let tested: BTreeSet<&str> = tables
        .iter()
        .flat_map(|rows| rows.iter())
        .map(|(name, ..)| *name)
        .chain(["service-renamed", "service-id-changed"])
        .collect();
    let all: BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.as_str()).collect();
    assert_eq!(
        all.difference(&tested).collect::<Vec<_>>(),
        Vec::<&&str>::new()
    );
    assert_eq!(all.len(), Rule::ALL.len());
    for rule in Rule::ALL {
        let name = rule.as_str();
        assert_eq!(Rule::from_name(name), Some(*rule));
        assert!(
            name.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        );
        assert!(rule.meaning().ends_with('.'), "{name}");
    }
}

#[test]
fn what_stands_beside_a_reference_is_compared_too() {
    let beside = |words: &str| {
        let node = format!(r##"{{"$ref": "#/components/schemas/Node"{words}}}"##);
        procedure(&param(&format!(
            r#"{{"type": "object", "properties": {{"n": {node}}}}}"#
        )))
    };
    for (words, rule) in [
        (r#", "default": {"v": 1}"#, Rule::DefaultChanged),
        (r#", "deprecated": true"#, Rule::Deprecated),
        (r#", "description": "A node.""#, Rule::WordsChanged),
    ] {
        let changes = compare(&beside(""), &beside(words));
        let rules: Vec<Rule> = changes.iter().map(|change| change.rule).collect();
        assert_eq!(rules, [rule]);
        assert_eq!(
            changes[0].pointer.as_str(),
            "/procs/0/params/0/schema/properties/n"
        );
    }
}

#[test]
fn the_guide_lists_every_rule() {
    let page = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../server/guide/compatibility.md"
    );
    let page = std::fs::read_to_string(page).unwrap();
    let rows: Vec<&str> = page
        .lines()
        .filter(|line| line.contains("`describe: compare::"))
        .collect();
    assert_eq!(rows.len(), Rule::ALL.len());
    for (rule, row) in Rule::ALL.iter().zip(rows) {
        let (verdict, meaning) = (rule.verdict(), rule.meaning());
        let expected = format!("| `{rule}` | {verdict} | {meaning} | `describe: ");
        assert!(row.starts_with(&expected), "{row}\n{expected}");
    }
}

#[test]
fn changes_of_a_shared_type_are_found_where_they_are_and_in_both_directions() {
    let node = |bound: &str| {
        service(&format!(
            r##""procs": [{{"name": "p",
                "params": [{{"name": "n", "required": true, "schema": {{"$ref": "#/components/schemas/Node"}}}}],
                "return": {{"schema": {{"type": "array", "items": {{"$ref": "#/components/schemas/Node"}}}}}}}}],
            "components": {{"schemas": {{"Node": {{"type": "object", "required": ["v"], "properties": {{
                "v": {{"type": "integer"{bound}}},
                "next": {{"anyOf": [{{"$ref": "#/components/schemas/Node"}}, {{"type": "null"}}]}}}}}}}}}}"##
        ))
    };
    let changes = compare(&node(r#", "maximum": 9"#), &node(r#", "maximum": 8"#));
    let told: Vec<String> = changes.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "param-narrowed: p: The parameter `n`, `v`: it takes at most 8, was at most 9; `9` was accepted and is rejected now.",
            "return-narrowed: p: The result, `[].v`: it takes at most 8, was at most 9.",
        ]
    );
    let place = "/components/schemas/Node/properties/v";
    assert!(
        changes
            .iter()
            .all(|change| change.pointer.as_str() == place)
    );
}

#[test]
fn a_format_that_is_checked_from_now_on_breaks_callers_who_use_it() {
    let dated = |formats: &str| {
        service(&format!(
            r#""enforcedFormats": [{formats}], "procs": [{{"name": "p", {}}}]"#,
            param(r#"{"type": "string", "format": "date"}"#)
        ))
    };
    let changes = compare(&dated(""), &dated(r#""date""#));
    let rules: Vec<Rule> = changes.iter().map(|change| change.rule).collect();
    assert_eq!(rules, [Rule::FormatEnforced, Rule::ParamNarrowed]);
}

#[test]
fn recursive_types_that_differ_come_to_an_end() {
    let recursive = |inner: &str| {
        service(&format!(
            r##""procs": [{{"name": "p", "return": {{"schema": {{"$ref": "#/components/schemas/A"}}}}}}],
            "components": {{"schemas": {{
                "A": {{"type": "object", "properties": {{"b": {{"$ref": "#/components/schemas/B"}}}}}},
                "B": {{"anyOf": [{{"$ref": "#/components/schemas/A"}}, {inner}]}},
                "Loop": {{"$ref": "#/components/schemas/Loop"}}}}}}"##
        ))
    };
    let changes = compare(
        &recursive(r#"{"type": "string"}"#),
        &recursive(r#"{"type": "null"}"#),
    );
    assert!(!changes.is_empty(), "{changes:?}");
    let looped = recursive(r##"{"$ref": "#/components/schemas/Loop"}"##);
    let changes = compare(&recursive(r#"{"type": "string"}"#), &looped);
    let worst = changes.iter().map(Change::verdict).max();
    assert!(worst >= Some(Verdict::Risky), "{changes:#?}");
}

#[test]
fn a_document_that_says_the_same_with_other_names_is_safe() {
    let named = |name: &str| {
        service(&format!(
            r##""procs": [{{"name": "p", "params": [{{"name": "n", "required": true,
                "schema": {{"$ref": "#/components/schemas/{name}"}}}}]}}],
            "components": {{"schemas": {{"{name}": {{"type": "array",
                "items": {{"$ref": "#/components/schemas/{name}"}}}}}}}}"##
        ))
    };
    let changes = compare(&named("A"), &named("B"));
    assert!(
        changes
            .iter()
            .all(|change| change.verdict() == Verdict::Safe),
        "{changes:#?}"
    );
    assert_eq!(changes.len(), 2, "{changes:#?}");
}

#[test]
fn numbers_are_compared_without_loss() {
    let most = |bound: &str| {
        procedure(&param(&format!(
            r#"{{"type": "integer", "maximum": {bound}}}"#
        )))
    };
    let changes = compare(&most("18446744073709551615"), &most("18446744073709551614"));
    assert_eq!(changes[0].rule, Rule::ParamNarrowed);
    assert!(
        changes[0]
            .message
            .contains("`18446744073709551615` was accepted"),
        "{changes:?}"
    );
    assert_eq!(compare(&most("1e3"), &most("1000.0")), []);
    let huge = compare(&most("1e400"), &most("1e401"));
    assert_eq!(huge[0].rule, Rule::ParamWidened);
    let json: Json = "1".parse().unwrap();
    assert_eq!(json, Json::from(1));
}
