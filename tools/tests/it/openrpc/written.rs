//! Descriptions written as OpenRPC.

use docent_describe::json::{Json, Pointer};
use docent_describe::render::{OpenRpcOptions, OpenRpcVersion, openrpc};
use docent_describe::schema::Format;
use docent_describe::{Example, ParamDescription, ProcedureDescription, ServiceDescription};

use super::document;
use crate::faults::faults;
use crate::library::service;
use crate::read::reading;

#[test]
fn methods_of_1_2_always_have_a_result() {
    let rendered = openrpc(&service(), OpenRpcVersion::V1_2_6);
    let methods = rendered.get("methods").and_then(Json::as_array).unwrap();
    assert!(methods.iter().all(|method| method.get("result").is_some()));
    let rendered = openrpc(&service(), OpenRpcVersion::V1_3_2);
    let methods = rendered.get("methods").and_then(Json::as_array).unwrap();
    assert!(methods[4].get("result").is_none());
}

#[test]
fn a_circle_of_references_is_cut_where_it_closes() {
    let rendered = openrpc(&service(), OpenRpcVersion::V1_3_2);
    let cites = "/components/schemas/Book/properties/cites";
    assert_eq!(
        at(&rendered, &format!("{cites}/items")).to_string(),
        r##"{"description":"`Book` again; not repeated here.","x-ref":"#/components/schemas/Book"}"##
    );
    let mut options = OpenRpcOptions::default();
    options.keep_recursion = true;
    assert!(!openrpc(&service(), options).to_string().contains("x-ref"));
}

#[test]
fn only_what_closes_a_circle_is_cut() {
    let schemas = r##"{
        "A": {"properties": {"b": {"$ref": "#/components/schemas/B"}, "n": {"$ref": "#/components/schemas/A/properties/n2"}, "n2": {}}},
        "B": {"oneOf": [{"$ref": "#/components/schemas/A"}, {"type": "null"}], "not": {"$ref": "#/components/schemas/A"}},
        "C": {"allOf": [{"$ref": "#/components/schemas/B"}, {"$ref": "#/components/schemas/B"}]}
    }"##;
    let rest = format!(r#", "components": {{"schemas": {schemas}}}"#);
    let reading = reading(&document(
        r##"{"name": "m", "params": [], "result": {"name": "r", "schema": {"$ref": "#/components/schemas/A"}}}"##,
        &rest,
    ));
    let rendered = openrpc(&reading.description, OpenRpcVersion::V1_3_2);
    let schemas = rendered.get("components").unwrap().get("schemas").unwrap();
    let text = |name: &str| schemas.get(name).unwrap().to_string();
    assert!(!text("A").contains("x-ref") && !text("C").contains("x-ref"));
    assert_eq!(
        text("B"),
        r##"{"anyOf":[{"description":"`A` again; not repeated here.","x-ref":"#/components/schemas/A"},{"type":"null"}]}"##
    );
}

#[test]
fn schemas_are_rendered_in_draft_07() {
    let convert = |schema: &str| {
        let mut service = ServiceDescription::default();
        let schema = schema.parse().unwrap();
        service.components.schemas.insert("S".into(), schema);
        let rendered = openrpc(&service, OpenRpcVersion::V1_3_2);
        let schemas = rendered.get("components").unwrap().get("schemas");
        schemas.unwrap().get("S").unwrap().to_string()
    };
    assert_eq!(
        convert(r#"{"prefixItems": [{}], "items": false}"#),
        r#"{"items":[{}],"additionalItems":false}"#
    );
    assert_eq!(
        convert(r##"{"$ref": "#/components/schemas/T", "description": "d", "allOf": [true]}"##),
        r##"{"description":"d","allOf":[{"$ref":"#/components/schemas/T"},{}]}"##
    );
    assert_eq!(
        convert(
            r#"{"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"prefixItems": [true]}}}"#
        ),
        r#"{"dependencies":{"a":["b"],"c":{"items":[{}]}}}"#
    );
    assert_eq!(
        convert(
            r#"{"contains": {}, "minContains": 0, "maxContains": 2, "unevaluatedProperties": false}"#
        ),
        "{}"
    );
    assert_eq!(
        convert(r##"{"$defs": {"x": {}}, "items": {"$ref": "#/components/schemas/S/$defs/x"}}"##),
        r##"{"definitions":{"x":{}},"items":{"$ref":"#/components/schemas/S/definitions/x"}}"##
    );
    assert_eq!(
        convert(r#"{"default": {"prefixItems": 1}, "maximum": 18446744073709551615}"#),
        r#"{"default":{"prefixItems":1},"maximum":18446744073709551615}"#
    );
}

/// Renders one schema as a parameter's, and checks that it reads back as it was.
#[track_caller]
fn converted(schema: &str) -> String {
    let mut service = ServiceDescription::default();
    service.enforced_formats = Format::all().map(|format| format.name.into()).collect();
    let mut procedure = ProcedureDescription::new("p");
    procedure.params = vec![ParamDescription::new("a", schema.parse().unwrap())];
    service.procs.push(procedure);
    let rendered = openrpc(&service, OpenRpcVersion::V1_2_6);
    let read = reading(&rendered.to_string()).description;
    assert_eq!(read, service);
    at(&rendered, "/methods/0/params/0/schema").to_string()
}

/// Returns the value in a document that a pointer leads to.
#[track_caller]
fn at<'d>(document: &'d Json, pointer: &str) -> &'d Json {
    Pointer::resolve(pointer, document).unwrap_or_else(|| panic!("{pointer}: {document}"))
}

#[test]
fn a_list_of_types_is_a_branch_for_each() {
    for (schema, expected) in [
        (
            r#"{"description": "d", "type": ["string", "null"], "maxLength": 3, "examples": ["a"]}"#,
            r#"{"description":"d","anyOf":[{"type":"string","maxLength":3},{"type":"null"}],"examples":["a"]}"#,
        ),
        (
            r#"{"type": ["integer", "string"], "minimum": 1, "pattern": "a"}"#,
            r#"{"anyOf":[{"type":"integer","minimum":1},{"type":"string","pattern":"a"}]}"#,
        ),
        (
            r#"{"type": ["string", "null"], "enum": ["a", "b", null]}"#,
            r#"{"anyOf":[{"type":"string","enum":["a","b"]},{"type":"null"}]}"#,
        ),
        // Null is not among the values.
        (
            r#"{"type": ["string", "null"], "enum": ["a"]}"#,
            r#"{"anyOf":[{"type":"string"},{"type":"null"}],"enum":["a"]}"#,
        ),
        (
            r#"{"items": {"type": ["array", "null"], "items": true}}"#,
            r#"{"items":{"anyOf":[{"type":"array","items":{}},{"type":"null"}]}}"#,
        ),
        (
            r#"{"type": ["string", "null"], "anyOf": [{"minLength": 1}, {"maxLength": 9}]}"#,
            r#"{"anyOf":[{"minLength":1},{"maxLength":9}],"allOf":[{"anyOf":[{"type":"string"},{"type":"null"}]}]}"#,
        ),
        (r#"{"type": ["string"]}"#, r#"{"type":"string"}"#),
        (
            r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#,
            r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#,
        ),
    ] {
        assert_eq!(converted(schema), expected);
    }
}

#[test]
fn schemas_are_objects_except_for_what_is_left_over() {
    for (schema, expected) in [
        (
            r#"{"type": "array", "items": true}"#,
            r#"{"type":"array","items":{}}"#,
        ),
        (
            r#"{"type": "array", "items": {}}"#,
            r#"{"type":"array","items":{}}"#,
        ),
        (
            r#"{"type": "array", "items": false}"#,
            r#"{"type":"array","items":{"not":{}}}"#,
        ),
        ("true", "{}"),
        ("{}", "{}"),
        ("false", r#"{"not":{}}"#),
        (
            r#"{"properties": {"a": true}, "additionalProperties": false}"#,
            r#"{"properties":{"a":{}},"additionalProperties":false}"#,
        ),
        (
            r#"{"prefixItems": [true], "items": false}"#,
            r#"{"items":[{}],"additionalItems":false}"#,
        ),
    ] {
        assert_eq!(converted(schema), expected);
    }
}

#[test]
fn formats_are_patterns_where_a_pattern_can_say_them() {
    for (format, good, bad) in [
        ("date", "2024-02-29", "2023-02-29"),
        ("time", "23:59:60.25Z", "24:00:00Z"),
        ("time", "12:30:59.25z", "12:30:60Z"),
        ("time", "15:59:59-08:00", "15:59:59-08:60"),
        (
            "date-time",
            "1990-12-31T23:59:59-08:00",
            "1990-12-31T23:59:59",
        ),
        ("date-time", "2020-01-01t00:00:00Z", "2020-01-01 00:00:00Z"),
        ("date-time", "2020-06-30T23:59:60Z", "2020-06-30T12:00:60Z"),
        ("date-time", "2020-12-31T23:59:60Z", "2020-12-30T23:59:60Z"),
        (
            "date-time",
            "2020-01-01T00:00:00+23:59",
            "2020-01-01T00:00:00+99:99",
        ),
        ("duration", "P1Y2M3DT4H5M6S", "1 day"),
        ("duration", "PT1H6S", "PT"),
        ("duration", "P2W", "-P2W"),
        ("duration", "P1M", "P1D1M"),
        ("uuid", "6d1f7a52-6d0c-4c9e-9a6d-3d6f2b1c0e55", "6d1f7a52"),
    ] {
        let schema = converted(&format!(r#"{{"type": "string", "format": "{format}"}}"#));
        assert!(!schema.contains("format"), "{schema}");
        let faults = |value: &str| faults(&schema, &Json::from(value)).len();
        assert_eq!(faults(good), 0, "{good}");
        assert_eq!(faults(bad), 1, "{bad}");
    }
    let kept = r#"{"type":"string","format":"email"}"#;
    assert_eq!(converted(kept), kept);
    converted(r#"{"type": "string", "format": "date", "pattern": "^2"}"#);
}

#[test]
fn what_draft_07_cannot_say_is_kept_beside_it() {
    for schema in [
        r#"{"type": "object", "unevaluatedProperties": false}"#,
        r#"{"contains": {"type": "string"}, "minContains": 2}"#,
        r#"{"allOf": [{"title": "t", "allOf": [{"not": {}}]}]}"#,
        r#"{"type": ["string", "null"], "enum": [null, "a"], "minimum": 1}"#,
    ] {
        converted(schema);
    }
}

#[test]
fn examples_are_complete_and_read_as_they_were() {
    let param = |name: &str, required: bool, default: Option<&str>| {
        let mut param = ParamDescription::new(name, "{}".parse().unwrap());
        param.required = required;
        param.default = default.map(|text| text.parse().unwrap());
        param
    };
    let example = |params: Option<&str>, result: bool| {
        let mut example = Example::default();
        example.params = params.map(|text| text.parse().unwrap());
        example.result = result.then(|| Json::from(1));
        example.error = (!result).then(|| r#"{"code": 1, "message": "m"}"#.parse().unwrap());
        example
    };
    let mut procedure = ProcedureDescription::new("p");
    procedure.params = vec![
        param("a", true, None),
        param("b", false, Some("2")),
        param("c", false, Some("null")),
        param("d", false, None),
    ];
    procedure.examples = vec![
        example(Some(r#"{"a": 1, "c": 3}"#), true),
        example(Some(r#"{"a": 5}"#), false),
        example(Some("[1]"), true),
        example(Some(r#"{"a": 1, "unknown": 4}"#), true),
        example(Some(r#"{"c": 1, "b": 4, "a": 2, "d": 9}"#), true),
        example(None, true),
    ];
    let mut service = ServiceDescription::default();
    service.procs = vec![procedure];
    let rendered = openrpc(&service, OpenRpcVersion::V1_3_2);
    let mut examples = Vec::new();
    for example in at(&rendered, "/methods/0/examples").as_array().unwrap() {
        let mut params = Vec::new();
        for param in at(example, "/params").as_array().unwrap() {
            let name = at(param, "/name").as_str().unwrap();
            params.push(format!("{name}={}", at(param, "/value")));
        }
        examples.push(params.join(" "));
    }
    assert_eq!(
        examples,
        ["a=1 b=2 c=3", "a=1 b=2 c=null", "a=2 b=4 c=1 d=9"]
    );
    assert_eq!(reading(&rendered.to_string()).description, service);
}

#[test]
fn a_default_counts_beside_a_reference_too() {
    let mut service = ServiceDescription::default();
    service
        .components
        .schemas
        .insert("T".into(), Json::from(true));
    let schema = r##"{"$ref": "#/components/schemas/T"}"##;
    let mut param = ParamDescription::new("a", schema.parse().unwrap());
    param.default = Some(Json::Null);
    let mut procedure = ProcedureDescription::new("p");
    procedure.params = vec![param];
    procedure.notification = true;
    service.procs.push(procedure);
    let rendered = openrpc(&service, OpenRpcVersion::V1_3_2).to_string();
    let schema = r##""schema":{"default":null,"allOf":[{"$ref":"#/components/schemas/T"}]}"##;
    assert!(rendered.contains(schema), "{rendered}");
    assert_eq!(reading(&rendered).description.procs, service.procs);
}

#[test]
fn servers_are_absolute_or_left_out() {
    let servers = |address: &str| {
        let mut service = ServiceDescription::default();
        service.address = Some(address.into());
        openrpc(&service, OpenRpcVersion::V1_3_2)
            .get("servers")
            .map(Json::to_string)
    };
    assert_eq!(
        servers("https://x.example/rpc").as_deref(),
        Some(r#"[{"name":"default","url":"https://x.example/rpc"}]"#)
    );
    assert_eq!(servers("/rpc"), None);
    assert_eq!(servers("rpc?a=b:c"), None);
}
