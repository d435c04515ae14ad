//! Reading what servers of MCP list.

use docent_describe::json::Json;
use docent_describe::render::{INPUT_SCHEMA, describe, tools};
use docent_describe::{Origin, ParamDescription, ServiceDescription, TypeCode};
use docent_tools::read::{Format, Reading, read};

const SERVER: &str = r##"{
  "protocolVersion": "2025-11-25",
  "capabilities": {"tools": {}},
  "serverInfo": {"name": "shelf", "title": "The shelf", "version": "2.1",
    "websiteUrl": "https://shelf.example/"},
  "instructions": "Finds books.\n\nAsk before you lend.",
  "tools": [
    {
      "name": "find",
      "title": "Find books",
      "description": "Finds books by words.\n\nAt most 20.",
      "inputSchema": {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
          "words": {"type": "string", "description": "Words of the title."},
          "limit": {"type": "integer", "exclusiveMinimum": 0, "default": 20},
          "filter": {"$ref": "#/definitions/Filter"}
        },
        "required": ["words"],
        "additionalProperties": false,
        "definitions": {
          "Filter": {"type": "object", "properties": {"in": {"$ref": "#/definitions/Shelf"},
            "not": {"$ref": "#/definitions/Filter"}}},
          "Shelf": {"type": "string", "enum": ["a", "b"]}
        }
      },
      "outputSchema": {"type": "object", "properties": {"found": {"type": "array"}}},
      "annotations": {"readOnlyHint": true, "openWorldHint": false}
    },
    {
      "name": "lend",
      "title": "Lend a book",
      "inputSchema": {"type": "object", "properties": {"isbn": {"type": "string"}},
        "anyOf": [{"required": ["isbn"]}, {"required": ["title"]}]},
      "annotations": {"idempotentHint": true}
    }
  ],
  "resources": [{"uri": "shelf://a", "name": "a", "title": "Shelf A", "description": "All its\nbooks."}],
  "prompts": [{"name": "review", "title": "Reviews", "description": "A review.", "arguments": [{"name": "isbn", "required": true}]}]
}"##;

fn reading(text: &str) -> Reading {
    read(text.as_bytes()).expect("a list")
}

fn service() -> ServiceDescription {
    reading(SERVER).description
}

#[test]
fn a_tool_is_a_procedure_with_named_parameters() {
    let reading = reading(SERVER);
    assert_eq!(reading.format, Format::Mcp);
    let service = reading.description;
    assert_eq!(service.origin, Origin::Mcp);
    let find = service.procedure("find").expect("there");
    assert_eq!(find.summary.as_deref(), Some("Finds books by words."));
    assert_eq!(find.description.as_deref(), Some("At most 20."));
    assert!(find.idempotent && find.by_name_only && find.errors_open);
    assert_eq!(find.unchecked, None);
    let params = find.params.iter();
    let params: Vec<_> = params
        .map(|param| (param.name.as_str(), param.type_code, param.required))
        .collect();
    assert_eq!(
        params,
        [
            ("words", TypeCode::Str, true),
            ("limit", TypeCode::Num, false),
            ("filter", TypeCode::Obj, false)
        ]
    );
    assert_eq!(
        find.params[0].description.as_deref(),
        Some("Words of the title.")
    );
    assert_eq!(find.params[0].schema.to_string(), r#"{"type":"string"}"#);
    assert_eq!(find.params[1].default, Some(Json::Number("20".into())));
    let returns = find.returns.as_ref().expect("there");
    assert_eq!(returns.type_code, TypeCode::Obj);
}

#[test]
fn types_of_a_tool_are_shared_types() {
    let service = service();
    let find = service.procedure("find").expect("there");
    let filter = find.params[2].schema.to_string();
    assert_eq!(filter, r##"{"$ref":"#/components/schemas/Filter"}"##);
    let shared = &service.components.schemas;
    assert_eq!(shared.keys().collect::<Vec<_>>(), ["Filter", "Shelf"]);
    let filter = shared["Filter"].to_string();
    assert!(filter.contains("#/components/schemas/Shelf"), "{filter}");
    assert!(filter.contains("#/components/schemas/Filter"), "{filter}");
}

#[test]
fn only_a_tool_that_changes_nothing_is_idempotent() {
    let service = service();
    let lend = service.procedure("lend").expect("there");
    assert!(!lend.idempotent);
    assert_eq!(lend.summary.as_deref(), Some("Lend a book"));
    let hints = lend.extensions.get("$toolHints").expect("kept");
    assert_eq!(
        hints.to_string(),
        r#"{"idempotentHint":true,"title":"Lend a book"}"#
    );
}

#[test]
fn rules_about_all_arguments_are_kept() {
    let reading = reading(SERVER);
    assert_eq!(reading.warnings.len(), 0, "{:?}", reading.warnings);
    let lend = reading.description.procedure("lend").expect("there");
    let names: Vec<&str> = lend.params.iter().map(|param| &*param.name).collect();
    assert_eq!(names, ["isbn", "title"]);
    assert!(lend.params.iter().all(|param| !param.required));
    assert_eq!(
        lend.extensions[INPUT_SCHEMA].to_string(),
        r#"{"type":"object","properties":{"isbn":{"type":"string"}},"anyOf":[{"required":["isbn"]},{"required":["title"]}]}"#
    );
}

/// An `inputSchema`, and the parameters that it describes: required ones end with `!`, and those that are described
/// only together with others have no type.
const ROOTS: [(&str, &str); 9] = [
    (
        r##"{"$ref": "#/$defs/Q", "$defs": {"Q": {"type": "object", "properties": {"text": {"type": "string"}},
            "required": ["text"]}}}"##,
        "text!: string",
    ),
    (
        r#"{"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"required": ["a"]}]}"#,
        "a!: string",
    ),
    (
        r#"{"type": "object", "anyOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"properties": {"b": {"type": "string"}, "c": {}}, "required": ["b"]}]}"#,
        "a, b, c",
    ),
    (
        r#"{"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"],
            "oneOf": [{"required": ["x"]}, {"required": ["y"]}]}"#,
        "id!: integer, x, y",
    ),
    (
        r#"{"type": "object", "additionalProperties": {"type": "number"}}"#,
        "",
    ),
    (
        r#"{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "dependentRequired": {"a": ["b"]}}"#,
        "a: string, b: string",
    ),
    (
        r#"{"type": "object", "properties": {"a": {"type": "string"}}, "patternProperties": {"^x-": {}}, "minProperties": 1}"#,
        "a: string",
    ),
    (
        r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "if": {"properties": {"a": {"const": 1}}},
            "then": {"properties": {"b": {"type": "string"}}, "required": ["b"]}}"#,
        "a: integer, b",
    ),
    (
        r#"{"type": "object", "properties": {"a": {"type": "integer"}, "b": false}}"#,
        "a: integer",
    ),
];

#[test]
fn a_tool_has_the_parameters_that_its_whole_input_schema_describes() {
    for (root, expected) in ROOTS {
        let text = format!(r#"{{"tools": [{{"name": "t", "inputSchema": {root}}}]}}"#);
        let service = reading(&text).description;
        let tool = &service.procs[0];
        let params: Vec<String> = tool.params.iter().map(said).collect();
        assert_eq!(params.join(", "), expected, "{root}");
        assert!(tool.extensions.contains_key(INPUT_SCHEMA), "{root}");
        // Nothing is lost on the way to a description and to other tools.
        let written = describe(&service).to_string();
        assert_eq!(reading(&written).description, service, "{root}");
        let listed = tools(&service, |procedure| Some(&procedure.name), true);
        let again = reading(&format!("{{\"tools\": {listed}}}")).description;
        assert_eq!(again.procs[0].params, tool.params, "{root}");
    }
}

#[test]
fn what_an_input_schema_says_of_all_parameters_together_is_kept() {
    for (own, description) in [
        ("", "All of it."),
        (r#""description": "Does it.","#, "All of it."),
        (
            r#""description": "Does it.\n\nTwice.","#,
            "Twice.\n\nAll of it.",
        ),
        (r#""description": "Does it.\n\nAll of it.","#, "All of it."),
    ] {
        let text = format!(
            r#"{{"tools": [{{"name": "t", {own} "inputSchema": {{"type": "object", "properties": {{"a": {{}}}},
                "description": "All of it."}}}}]}}"#
        );
        let service = reading(&text).description;
        assert_eq!(
            service.procs[0].description.as_deref(),
            Some(description),
            "{own}"
        );
    }
}

fn said(param: &ParamDescription) -> String {
    let mark = if param.required { "!" } else { "" };
    match param.schema.get("type").and_then(Json::as_str) {
        Some(kind) => format!("{}{mark}: {kind}", param.name),
        None => format!("{}{mark}", param.name),
    }
}

#[test]
fn a_server_tells_its_name_instructions_resources_and_prompts() {
    let service = service();
    assert_eq!(service.name, "The shelf");
    assert_eq!(service.version.as_deref(), Some("2.1"));
    assert_eq!(service.help.as_deref(), Some("https://shelf.example/"));
    assert_eq!(service.summary.as_deref(), Some("Finds books."));
    let description = service.description.expect("there");
    for part in [
        "Ask before you lend.",
        "## Resources\n\n- `shelf://a` Shelf A: All its books.",
        "## Prompts\n\n- `review` Reviews: A review.",
    ] {
        assert!(description.contains(part), "{description}");
    }
}

#[test]
fn a_bare_response_to_tools_list_is_read() {
    let reading = reading(
        r#"{"jsonrpc": "2.0", "id": 2, "result": {"tools": [{"name": "now", "inputSchema": {"type": "object"}}]}}"#,
    );
    assert_eq!(reading.format, Format::Mcp);
    assert_eq!(reading.warnings, []);
    assert_eq!(reading.description.procs[0].name, "now");
}

#[test]
fn malformed_lists_are_read_as_far_as_possible() {
    let reading = reading(
        r##"{"serverInfo": 1, "instructions": [], "resources": 7, "prompts": [{}],
        "tools": [1, {"name": ""}, {"name": "a", "inputSchema": 3, "outputSchema": [],
        "annotations": 4}, {"name": "b", "inputSchema": {"properties": {"x": {"$ref": "#/$defs/No"}, "y": true},
        "required": "x"}}, {"name": "b"}]}"##,
    );
    let procs = &reading.description.procs;
    let names: Vec<&str> = procs.iter().map(|procedure| &*procedure.name).collect();
    assert_eq!(names, ["a", "b", "b"]);
    assert!(reading.warnings.len() >= 9, "{:?}", reading.warnings);
}

#[test]
fn a_description_of_tools_is_written_and_read_again() {
    let service = service();
    let written = describe(&service).to_string();
    assert_eq!(reading(&written).description, service);
}

#[test]
fn tools_that_are_rendered_read_as_the_procedures_that_they_were() {
    let service = service();
    let listed = tools(&service, |procedure| Some(&procedure.name), true);
    let text = format!("{{\"tools\": {listed}}}");
    let again = reading(&text).description;
    for (procedure, again) in service.procs.iter().zip(&again.procs) {
        assert_eq!(again.name, procedure.name);
        assert_eq!(again.summary, procedure.summary);
        assert_eq!(again.idempotent, procedure.idempotent);
        assert_eq!(again.params, procedure.params);
        assert_eq!(again.extensions, procedure.extensions);
    }
}
