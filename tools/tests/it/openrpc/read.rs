//! Reading of OpenRPC documents: which model they become, and with which warnings.

use docent_describe::TypeCode;
use docent_describe::json::Json;
use docent_tools::read::Format;

use super::{document, method};
use crate::read::{reading, warnings};

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
            r#"{"type": "string", "nullable": true, "const": "a"}"#,
            r#"{"anyOf":[{"type":"string","const":"a"},{"type":"null"}]}"#,
        ),
        (
            r#"{"type": "object", "nullable": true, "allOf": [{"required": ["a"]}]}"#,
            r#"{"anyOf":[{"type":"object","allOf":[{"required":["a"]}]},{"type":"null"}]}"#,
        ),
        (
            r#"{"dependentRequired": {"a": ["b"]}, "dependencies": {"b": ["c"]}}"#,
            r#"{"dependentRequired":{"a":["b"],"b":["c"]}}"#,
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
        (r#"{"id": "x"}"#, "{}"),
        (r#"{"exclusiveMinimum": true}"#, "{}"),
        (
            r#"{"dependentRequired": {"a": ["b"]}, "dependencies": {"a": ["c"]}}"#,
            r#"{"dependentRequired":{"a":["b"]}}"#,
        ),
        (
            r##"{"$ref": "#/components/schemas/A", "minimum": 1}"##,
            r##"{"$ref":"#/components/schemas/A","minimum":1}"##,
        ),
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
            "/openrpc: unknown version \"2.0.0\"; read as versions 1.0 to 1.4, as far as possible",
            "/info: `title` is missing; the service has no name",
            "/info/version: should be a string and is a number; left out",
            "/components/securitySchemes: unknown kind of component, left out",
            "/methods/0/params/0/schema: missing; read as anything",
            "/methods/0/paramStructure: unknown structure, read as `either`",
            "/methods/0/security: unknown member, kept as `$unknown-security`",
            "/methods/1: a method without a name, left out",
            "/jsonrpc: unknown member, kept as `$unknown-jsonrpc`",
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
