//! OpenRPC in both directions. Each document here has a trait that was found in a real one.

use docent_describe::json::Json;
use docent_describe::read::Format;
use docent_describe::render::{OpenRpcOptions, OpenRpcVersion, describe, openrpc};
use docent_describe::{
    Deprecation, Example, ParamDescription, ProcedureDescription, ServiceDescription, TypeCode,
};

use crate::library::service;
use crate::read::{reading, warnings};
use crate::render::faults;

/// Returns a document with one or more methods.
fn document(methods: &str, rest: &str) -> String {
    format!(
        r#"{{"openrpc": "1.3.2", "info": {{"title": "s", "version": "1"}}, "methods": [{methods}]{rest}}}"#
    )
}

/// Returns the only method of a document that is read without a warning.
#[track_caller]
fn method(method: &str, rest: &str) -> ProcedureDescription {
    let reading = reading(&document(method, rest));
    assert_eq!(warnings(&reading), [""; 0]);
    reading.description.procs.into_iter().next().unwrap()
}

#[test]
fn what_was_rendered_reads_as_it_was() {
    for version in [
        OpenRpcVersion::V1_2_6,
        OpenRpcVersion::V1_3_2,
        OpenRpcVersion::V1_4_1,
    ] {
        let reading = reading(&openrpc(&service(), version).to_string());
        assert_eq!(reading.format, Format::OpenRpc);
        assert_eq!(warnings(&reading), [""; 0]);
        assert_eq!(reading.description, service());
    }
}

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
    let book = rendered
        .get("components")
        .unwrap()
        .get("schemas")
        .unwrap()
        .get("Book")
        .unwrap();
    let cites = book.get("properties").unwrap().get("cites").unwrap();
    assert_eq!(
        cites.get("items").unwrap().to_string(),
        r##"{"description":"`Book` again; not repeated here.","x-ref":"#/components/schemas/Book"}"##
    );
    let options = OpenRpcOptions {
        keep_recursion: true,
        ..OpenRpcOptions::default()
    };
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
    service.procs.push(ProcedureDescription {
        name: "p".into(),
        params: vec![ParamDescription {
            name: "a".into(),
            schema: schema.parse().unwrap(),
            ..ParamDescription::default()
        }],
        ..ProcedureDescription::default()
    });
    let rendered = openrpc(&service, OpenRpcVersion::V1_2_6);
    let read = reading(&rendered.to_string()).description;
    assert_eq!(read, service);
    let method = &rendered.get("methods").unwrap().as_array().unwrap()[0];
    let param = &method.get("params").unwrap().as_array().unwrap()[0];
    param.get("schema").unwrap().to_string()
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
        ("time", "12:30:60.25Z", "24:00:00Z"),
        (
            "date-time",
            "1990-12-31T23:59:60-08:00",
            "1990-12-31T23:59:59",
        ),
        ("duration", "P1Y2M3DT4H5M6S", "1 day"),
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
    let param = |name: &str, required: bool, default: Option<&str>| ParamDescription {
        name: name.into(),
        required,
        default: default.map(|text| text.parse().unwrap()),
        schema: "{}".parse().unwrap(),
        ..ParamDescription::default()
    };
    let example = |params: Option<&str>, result: bool| Example {
        params: params.map(|text| text.parse().unwrap()),
        result: result.then(|| Json::from(1)),
        error: (!result).then(|| r#"{"code": 1, "message": "m"}"#.parse().unwrap()),
        ..Example::default()
    };
    let service = ServiceDescription {
        procs: vec![ProcedureDescription {
            name: "p".into(),
            params: vec![
                param("a", true, None),
                param("b", false, Some("2")),
                param("c", false, Some("null")),
                param("d", false, None),
            ],
            examples: vec![
                example(Some(r#"{"a": 1, "c": 3}"#), true),
                example(Some(r#"{"a": 5}"#), false),
                example(Some("[1]"), true),
                example(Some(r#"{"a": 1, "unknown": 4}"#), true),
                example(Some(r#"{"c": 1, "b": 4, "a": 2, "d": 9}"#), true),
                example(None, true),
            ],
            ..ProcedureDescription::default()
        }],
        ..ServiceDescription::default()
    };
    let rendered = openrpc(&service, OpenRpcVersion::V1_3_2);
    let method = &rendered.get("methods").unwrap().as_array().unwrap()[0];
    let examples = method.get("examples").unwrap().as_array().unwrap();
    let text = |param: &Json| {
        let name = param.get("name").and_then(Json::as_str).unwrap();
        format!("{name}={}", param.get("value").unwrap())
    };
    let given = examples.iter().map(|example| {
        let params = example.get("params").unwrap().as_array().unwrap();
        params.iter().map(text).collect::<Vec<_>>().join(" ")
    });
    let given: Vec<String> = given.collect();
    assert_eq!(given, ["a=1 b=2 c=3", "a=1 b=2 c=null", "a=2 b=4 c=1 d=9"]);
    assert_eq!(reading(&rendered.to_string()).description, service);
}

#[test]
fn a_default_counts_beside_a_reference_too() {
    let mut service = ServiceDescription::default();
    service
        .components
        .schemas
        .insert("T".into(), Json::from(true));
    service.procs.push(ProcedureDescription {
        name: "p".into(),
        params: vec![ParamDescription {
            name: "a".into(),
            default: Some(Json::Null),
            schema: r##"{"$ref": "#/components/schemas/T"}"##.parse().unwrap(),
            ..ParamDescription::default()
        }],
        notification: true,
        ..ProcedureDescription::default()
    });
    let rendered = openrpc(&service, OpenRpcVersion::V1_3_2).to_string();
    let schema = r##""schema":{"default":null,"allOf":[{"$ref":"#/components/schemas/T"}]}"##;
    assert!(rendered.contains(schema), "{rendered}");
    assert_eq!(reading(&rendered).description.procs, service.procs);
}

#[test]
fn servers_are_absolute_or_left_out() {
    let servers = |address: &str| {
        let service = ServiceDescription {
            address: Some(address.into()),
            ..ServiceDescription::default()
        };
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

#[test]
fn the_first_server_is_the_address_with_its_variables_filled_in() {
    let reading = reading(&document(
        "",
        r#", "servers": [
            {"name": "main", "url": "http://${user}.x.example:{port}/", "variables": {
                "user": {"default": "demo"}, "port": {"default": "443"}}},
            {"url": "http://test.example"}
        ]"#,
    ));
    assert_eq!(warnings(&reading), [""; 0]);
    let service = reading.description;
    assert_eq!(
        service.address.as_deref(),
        Some("http://demo.x.example:443/")
    );
    assert_eq!(service.id, "http://demo.x.example:443/");
    let kept = service.extensions["$servers"].as_array().unwrap().len();
    assert_eq!(kept, 2);
}

#[test]
fn content_descriptors_are_followed_with_what_stands_beside_them() {
    let method = method(
        r##"{
            "name": "m",
            "params": [{"$ref": "#/components/contentDescriptors/Page", "required": true}],
            "result": {"$ref": "#/components/contentDescriptors/Page"},
            "errors": [{"$ref": "#/components/errors/Gone"}],
            "tags": [{"$ref": "#/components/tags/Books"}, {"name": "new"}, "plain"],
            "links": [{"$ref": "#/components/links/Next"}],
            "examples": [{"$ref": "#/components/examplePairings/One"}]
        }"##,
        r##", "components": {
            "contentDescriptors": {"Page": {
                "name": "page", "summary": "Which.", "description": "Counted from one.",
                "schema": {"type": "integer", "default": 1}
            }},
            "errors": {"Gone": {"code": 410, "message": "Gone"}},
            "tags": {"Books": {"name": "books", "description": "All about books."}},
            "links": {"Next": {"name": "next", "method": "m"}},
            "examples": {"Two": {"name": "page", "value": 2}},
            "examplePairings": {"One": {
                "name": "one", "params": [{"$ref": "#/components/examples/Two"}],
                "result": {"name": "r", "value": 3}
            }}
        }"##,
    );
    let page = &method.params[0];
    assert!(page.required);
    assert_eq!(page.default, Some(Json::from(1)));
    assert_eq!(
        page.description.as_deref(),
        Some("Which.\n\nCounted from one.")
    );
    assert_eq!(page.schema.to_string(), r#"{"type":"integer"}"#);
    assert_eq!(method.returns.as_ref().unwrap().type_code, TypeCode::Num);
    assert_eq!(method.errors[0].code, 410);
    assert_eq!(method.tags, ["books", "new", "plain"]);
    assert_eq!(
        method.extensions["$links"].to_string(),
        r#"[{"name":"next","method":"m"}]"#
    );
    let example = &method.examples[0];
    assert_eq!(example.summary.as_deref(), Some("one"));
    assert_eq!(example.params, Some(r#"{"page": 2}"#.parse().unwrap()));
    assert_eq!(example.result, Some(Json::from(3)));
}

#[test]
fn references_into_other_parts_of_the_document_become_components() {
    let text = document(
        r##"{
            "name": "m",
            "params": [
                {"name": "a", "schema": {"$ref": "#/x-types/Thing"}},
                {"name": "b", "schema": {"$ref": "#/components/contentDescriptors/Count/schema"}},
                {"name": "c", "schema": {"$ref": "#/definitions/Local", "definitions": {"Local": {"type": "boolean"}}}},
                {"name": "d", "schema": {"$ref": "#/components/schemas/Deep/properties/x"}},
                {"name": "e", "schema": {"$ref": "#/components/schemas/Pair/items/0"}}
            ],
            "result": {"name": "r", "schema": {"$ref": "#/x-types/Node"}}
        }"##,
        r##", "x-types": {
            "Thing": {"type": "string"},
            "Node": {"properties": {"next": {"$ref": "#/x-types/Node"}}}
        }, "components": {
            "schemas": {"Thing": {"type": "number"}, "Deep": {"properties": {"x": {"type": "array"}}},
                "Pair": {"items": [{"type": "object"}]}},
            "contentDescriptors": {"Count": {"name": "count", "schema": {"type": "integer"}}}
        }"##,
    );
    let reading = reading(&text);
    assert_eq!(warnings(&reading), [""; 0]);
    let service = reading.description;
    let params: Vec<String> = service.procs[0]
        .params
        .iter()
        .map(|param| {
            let reference = param.schema.get("$ref").unwrap().as_str().unwrap();
            format!(
                "{} {}",
                reference.replace("#/components/schemas/", ""),
                param.type_code
            )
        })
        .collect();
    // The document already has a component named `Thing`.
    assert_eq!(
        params,
        [
            "Thing2 str",
            "Count num",
            "Local bit",
            "Deep/properties/x arr",
            "Pair2 obj"
        ]
    );
    assert_eq!(
        service.components.schemas["Node"].to_string(),
        r##"{"properties":{"next":{"$ref":"#/components/schemas/Node"}}}"##
    );
}

#[test]
fn references_that_cannot_be_followed_are_reported() {
    let reading = reading(&document(
        r##"{
            "name": "m",
            "params": [
                {"$ref": "other.json#/page"},
                {"$ref": "#/components/contentDescriptors/None"},
                {"$ref": "#/x-loop"},
                {"name": "a", "schema": {"$ref": "https://example.com/s.json"}}
            ],
            "result": null
        }"##,
        r##", "x-loop": {"$ref": "#/x-loop"}"##,
    ));
    assert_eq!(
        warnings(&reading),
        [
            "/methods/0/params/0: `other.json#/page` points outside the document and is not \
             followed; left out",
            "/methods/0/params/1: `#/components/contentDescriptors/None` points to nothing in the \
             document; left out",
            "/methods/0/params/2: a reference to itself, left out",
            "/methods/0/params/3/schema/$ref: `https://example.com/s.json` points outside the \
             document and is not followed",
        ]
    );
    assert_eq!(reading.description.procs[0].params.len(), 1);
}

#[test]
fn schemas_of_older_drafts_and_of_openapi_are_brought_up_to_date() {
    let read = |schema: &str| {
        let reading = reading(&document(
            &format!(r#"{{"name": "m", "params": [{{"name": "a", "schema": {schema}}}]}}"#),
            "",
        ));
        (
            reading.description.procs[0].params[0].schema.to_string(),
            warnings(&reading).len(),
        )
    };
    for (old, new) in [
        (
            r#"{"items": [{}, true], "additionalItems": false}"#,
            r#"{"prefixItems":[{},true],"items":false}"#,
        ),
        (
            r#"{"items": {}, "additionalItems": false}"#,
            r#"{"items":{}}"#,
        ),
        (
            r#"{"minimum": 1, "exclusiveMinimum": true, "maximum": 2, "exclusiveMaximum": false}"#,
            r#"{"exclusiveMinimum":1,"maximum":2}"#,
        ),
        (
            r#"{"dependencies": {"a": ["b"], "c": {"items": [{}]}}}"#,
            r#"{"dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"prefixItems":[{}]}}}"#,
        ),
        (
            r#"{"type": "string", "nullable": true, "enum": ["a"], "example": "a"}"#,
            r#"{"type":["string","null"],"enum":["a",null],"examples":["a"]}"#,
        ),
        (
            r#"{"format": "x", "nullable": true}"#,
            r#"{"anyOf":[{"format":"x"},{"type":"null"}]}"#,
        ),
        (
            r#"{"$schema": "http://json-schema.org/draft-07/schema#"}"#,
            "{}",
        ),
        (
            r##"{"allOf": [{"$ref": "#/x"}], "title": "t"}"##,
            r##"{"$ref":"#/x","title":"t"}"##,
        ),
    ] {
        let (schema, count) = read(old);
        assert_eq!(schema, new);
        assert_eq!(count, usize::from(new.contains("#/x")), "{old}");
    }
    for (odd, kept) in [
        (r#"{"type": "int", "title": "t"}"#, r#"{"title":"t"}"#),
        (r#"{"type": ["string", "int"]}"#, "{}"),
        (r#"{"required": true}"#, "{}"),
        (r#"{"required": "a"}"#, r#"{"required":["a"]}"#),
        (r#"{"$id": "x", "pattern": 1}"#, "{}"),
        (r#"{"properties": {"a": 1}}"#, r#"{"properties":{"a":{}}}"#),
    ] {
        let (schema, count) = read(odd);
        assert_eq!(schema, kept);
        assert!(count > 0, "{odd}");
    }
}

#[test]
fn a_missing_summary_is_the_first_paragraph_of_the_description() {
    let method = method(
        r#"{"name": "m", "description": "Adds\ntwo.\n\nSlowly.", "params": [], "externalDocs": {"url": "https://x.example"}}"#,
        "",
    );
    assert_eq!(method.summary.as_deref(), Some("Adds two."));
    assert_eq!(method.description.as_deref(), Some("Slowly."));
    assert_eq!(method.help.as_deref(), Some("https://x.example"));
}

#[test]
fn a_method_without_a_result_is_a_notification_since_1_3() {
    let text = |version: &str| {
        format!(
            r#"{{"openrpc": "{version}", "info": {{"title": "", "version": ""}}, "methods": [{{"name": "m", "params": [], "result": null}}]}}"#
        )
    };
    for (version, expected) in [
        ("1.0.0-rc1", false),
        ("1.2.6", false),
        ("1.3.0", true),
        ("1.4.1", true),
    ] {
        let reading = reading(&text(version));
        assert_eq!(warnings(&reading), [""; 0]);
        let method = &reading.description.procs[0];
        assert_eq!((method.notification, &method.returns), (expected, &None));
    }
}

#[test]
fn what_an_errors_data_is_may_be_a_schema_or_an_example() {
    let data = |data: &str| {
        let method = method(
            &format!(
                r#"{{"name": "m", "params": [], "errors": [{{"code": 1, "message": "", "data": {data}}}]}}"#
            ),
            r#", "components": {"schemas": {"X": {}}}"#,
        );
        method.errors[0].data.as_ref().unwrap().to_string()
    };
    assert_eq!(data(r#"{"type": "string"}"#), r#"{"type":"string"}"#);
    assert_eq!(
        data(r##"{"$ref": "#/components/schemas/X", "title": "t"}"##),
        r##"{"$ref":"#/components/schemas/X","title":"t"}"##
    );
    assert_eq!(data(r#""too late""#), r#"{"examples":["too late"]}"#);
    assert_eq!(
        data(r#"{"title": 1, "reason": "r"}"#),
        r#"{"examples":[{"title":1,"reason":"r"}]}"#
    );
}

#[test]
fn examples_are_by_name_where_their_names_are_the_parameters() {
    let params = |structure: &str, given: &str| {
        let method = method(
            &format!(
                r#"{{"name": "m", "paramStructure": "{structure}",
                    "params": [{{"name": "a", "schema": {{}}}}, {{"name": "b", "schema": {{}}}}],
                    "examples": [{{"name": "Example 1", "params": {given}, "result": {{"name": "r", "value": null}}}}]}}"#
            ),
            "",
        );
        assert_eq!(method.examples[0].summary, None);
        assert_eq!(method.examples[0].result, Some(Json::Null));
        (
            method.examples[0].params.as_ref().unwrap().to_string(),
            method.by_name_only,
            method.extensions.contains_key("$paramStructure"),
        )
    };
    assert_eq!(
        params("by-name", r#"[{"name": "b", "value": 1}]"#),
        (r#"{"b":1}"#.to_owned(), true, false)
    );
    assert_eq!(
        params("by-position", r#"[{"name": "first", "value": 1}]"#),
        ("[1]".to_owned(), false, true)
    );
    assert_eq!(
        params(
            "either",
            r#"[{"name": "a", "value": 1}, {"name": "a", "value": 2}]"#
        ),
        ("[1,2]".to_owned(), false, false)
    );
    assert_eq!(
        params("either", r#"{"a": 1}"#),
        (r#"{"a":1}"#.to_owned(), false, false)
    );
}

#[test]
fn extensions_go_both_ways() {
    let text = document(
        r#"{"name": "m", "params": [], "x-rate": 5, "x-$mine": 6, "x-idempotent": true, "x-security": ["card"],
            "result": {"name": "answer", "schema": {}, "x-unit": "m"}, "deprecated": true,
            "x-deprecation": {"since": "2"}}"#,
        r#", "x-top": 1, "x-security-schemes": {"card": {}}"#,
    );
    let reading = reading(&text);
    assert_eq!(warnings(&reading), [""; 0]);
    let service = reading.description;
    let method = &service.procs[0];
    assert_eq!(method.extensions["$x-rate"], Json::from(5));
    assert_eq!(method.extensions["$mine"], Json::from(6));
    assert!(method.idempotent);
    let since = Deprecation {
        since: Some("2".into()),
        ..Deprecation::default()
    };
    assert_eq!(method.deprecated, Some(since));
    assert_eq!(service.extensions["$x-top"], Json::from(1));
    let again = self::reading(&openrpc(&service, OpenRpcVersion::V1_3_2).to_string());
    assert_eq!(again.description, service);
    let described = self::reading(&describe(&service).to_string());
    assert_eq!(described.description, service);
}

#[test]
fn members_of_other_formats_become_warnings() {
    let reading = reading(
        r#"{"openrpc": "2.0.0", "jsonrpc": "2.0", "info": {"version": 1}, "methods": [
            {"name": "m", "params": [{"name": "a"}, {"name": "b", "required": true, "schema": {}}],
             "paramStructure": "any", "security": []},
            {"params": []}
        ], "components": {"securitySchemes": {"a": {}}, "headers": {}}}"#,
    );
    assert_eq!(
        warnings(&reading),
        [
            "/openrpc: unknown version \"2.0.0\"; read as far as possible",
            "/info: `title` is missing; the service has no name",
            "/info/version: should be a string and is a number; left out",
            "/components/securitySchemes: unknown kind of component, left out",
            "/methods/0/params/0/schema: missing; read as anything",
            "/methods/0/paramStructure: unknown structure, read as `either`",
            "/methods/0: the required parameter `b` follows the optional `a`",
            "/methods/0/security: unknown member, left out",
            "/methods/1: a method without a name, left out",
            "/jsonrpc: unknown member, left out",
        ]
    );
}

#[test]
fn a_document_without_its_version_is_read_with_a_warning() {
    let reading = reading(r#"{"info": {"title": "s"}, "methods": []}"#);
    assert_eq!(reading.format, Format::OpenRpc);
    assert_eq!(
        warnings(&reading),
        ["/openrpc: missing; read as OpenRPC 1.3"]
    );
}
