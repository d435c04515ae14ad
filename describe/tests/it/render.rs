//! Renderings of the model.

use docent_describe::json::{Json, Object};
use docent_describe::render::{
    DescriptionText, FORMAT_SCHEMA, OpenRpcOptions, OpenRpcText, OpenRpcVersion,
    SYSTEM_DESCRIBE_SCHEMA, describe, openrpc, system_describe, tools,
};
use docent_describe::{
    Origin, ParamDescription, ProcedureDescription, ReturnDescription, ServiceDescription, TypeCode,
};

use crate::faults::faults;
use crate::library::service;

#[test]
fn what_is_described_follows_the_published_schemas() {
    assert_eq!(faults(FORMAT_SCHEMA, &describe(&service())), [""; 0]);
    assert_eq!(
        faults(SYSTEM_DESCRIBE_SCHEMA, &system_describe(&service())),
        [""; 0]
    );
    let empty = ServiceDescription::default();
    assert_eq!(faults(FORMAT_SCHEMA, &describe(&empty)), [""; 0]);
    assert_eq!(
        faults(SYSTEM_DESCRIBE_SCHEMA, &system_describe(&empty)),
        [""; 0]
    );
}

#[test]
fn the_published_schema_refuses_what_the_format_does_not_define() {
    let base = r#"{"sdversion": "2.0", "name": "", "id": "", "procs": []"#;
    for (rest, is_fine) in [
        ("}", true),
        (r#", "$mine": 1}"#, true),
        (r#", "mine": 1}"#, false),
        (r#", "procs": [{"name": "a"}]}"#, false),
        (r#", "procs": [{"name": "a", "params": []}]}"#, true),
        (
            r#", "procs": [{"name": "a", "params": [], "$x": {}}]}"#,
            true,
        ),
        (
            r#", "procs": [{"name": "a", "params": [], "x": {}}]}"#,
            false,
        ),
        (
            r#", "procs": [{"name": "a", "params": [{"name": "b", "type": "nil", "required": true, "schema": {}}]}]}"#,
            false,
        ),
        (
            r#", "procs": [{"name": "a", "params": [{"name": "b", "type": "any", "required": true, "schema": {"type": "int"}}]}]}"#,
            false,
        ),
        (
            r#", "procs": [{"name": "a", "params": [], "return": {"type": "nil", "schema": true}}]}"#,
            true,
        ),
    ] {
        let document: Json = format!("{base}{rest}").parse().unwrap();
        let faults = faults(FORMAT_SCHEMA, &document);
        assert_eq!(faults.is_empty(), is_fine, "{document}: {faults:?}");
    }
}

#[test]
fn members_that_have_nothing_to_say_are_left_out() {
    let mut service = ServiceDescription::new("s", "urn:x");
    service.procs.push(ProcedureDescription::new("p"));
    assert_eq!(
        describe(&service).to_string(),
        r#"{"sdversion":"2.0","name":"s","id":"urn:x","procs":[{"name":"p","params":[]}]}"#
    );
    assert_eq!(
        system_describe(&service).to_string(),
        r#"{"sdversion":"1.0","name":"s","id":"urn:x","procs":[{"name":"p"}]}"#
    );
}

#[test]
fn extensions_cannot_say_what_the_format_says() {
    let extensions: Object = [
        ("name", "other"),
        ("unmarked", "x"),
        ("$originFormat", "mine"),
        ("$mine", "x"),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), Json::from(value)))
    .collect();
    let mut service = ServiceDescription::default();
    let mut procedure = ProcedureDescription::new("p");
    procedure.by_name_only = true;
    procedure.extensions = extensions.clone();
    service.procs.push(procedure);
    service.origin = Origin::OpenRpc;
    service.extensions = extensions;
    assert_eq!(
        describe(&service).to_string(),
        r#"{"sdversion":"2.0","name":"","id":"","$originFormat":"openrpc","procs":[{"name":"p","params":[],"byNameOnly":true,"$originFormat":"mine","$mine":"x"}],"$mine":"x"}"#
    );
}

#[test]
fn strict_1_1_gets_only_what_it_allows() {
    let version = |version: &str| {
        let mut service = ServiceDescription::default();
        service.version = Some(version.into());
        let described = system_describe(&service);
        described
            .get("version")
            .and_then(Json::as_str)
            .map(str::to_owned)
    };
    assert_eq!(version("1.4").as_deref(), Some("1.4"));
    assert_eq!(version("10.20.30-beta+5").as_deref(), Some("10.20"));
    for none in ["", "2024", "v1.2", "1.", ".5", "1.x", "one"] {
        assert_eq!(version(none), None, "{none}");
    }
    let mut service = ServiceDescription::default();
    let mut procedure = ProcedureDescription::default();
    let mut param = ParamDescription::default();
    param.type_code = TypeCode::Nil;
    procedure.params = vec![param];
    let mut returns = ReturnDescription::default();
    returns.type_code = TypeCode::Nil;
    procedure.returns = Some(returns);
    service.procs.push(procedure);
    assert_eq!(
        system_describe(&service).get("procs").unwrap().to_string(),
        r#"[{"name":"","params":[{"name":"","type":"any"}],"return":{"type":"nil"}}]"#
    );
}

#[test]
fn the_whole_is_the_part_with_every_name() {
    let service = service();
    let names: Vec<&str> = service.procs.iter().rev().map(|p| &*p.name).collect();
    assert_eq!(service.excerpt(&names), service);
}

#[test]
fn the_text_of_a_description_is_the_description() {
    let text = serde_json::to_string_pretty(&DescriptionText(&service())).unwrap();
    assert_eq!(text, format!("{:#}", describe(&service())));
}

#[test]
fn a_part_has_the_procedures_asked_for_and_the_components_these_need() {
    let service = service();
    let parts = |names: &[&str]| -> (Vec<String>, Vec<String>) {
        let part = describe(&service.excerpt(names));
        assert_eq!(faults(FORMAT_SCHEMA, &part), [""; 0]);
        assert_eq!(part.get("$region"), Some(&Json::from("north")));
        let procs = part.get("procs").and_then(Json::as_array).unwrap();
        let schemas = part.get("components").and_then(|all| all.get("schemas"));
        (
            procs
                .iter()
                .map(|p| p.get("name").unwrap().as_str().unwrap().to_owned())
                .collect(),
            schemas
                .and_then(Json::as_object)
                .map(|all| all.keys().map(ToString::to_string).collect())
                .unwrap_or_default(),
        )
    };
    let (procs, schemas) = parts(&["book.lend"]);
    assert_eq!(
        (procs.as_slice(), schemas.as_slice()),
        (&["book.lend".to_owned()][..], &["Party".to_owned()][..])
    );
    // A book needs its binding, which the procedure itself does not name.
    assert_eq!(
        parts(&["book.add"]).1,
        ["Binding", "Book", "BookInput", "NoShelf"]
    );
    assert_eq!(parts(&["sum", "sum"]), (vec!["sum".to_owned()], vec![]));
    assert_eq!(parts(&["subtract"]), (vec![], vec![]));
    assert_eq!(parts(&[]), (vec![], vec![]));
}

const VERSIONS: [OpenRpcVersion; 3] = [
    OpenRpcVersion::V1_2_6,
    OpenRpcVersion::V1_3_2,
    OpenRpcVersion::V1_4_1,
];

#[test]
fn the_text_of_an_openrpc_document_is_the_document() {
    for service in [&service(), &ServiceDescription::default()] {
        for version in VERSIONS {
            let options = OpenRpcOptions::from(version);
            let text = OpenRpcText { service, options }.to_string();
            assert_eq!(text, openrpc(service, options).to_string());
        }
    }
}

#[test]
fn an_openrpc_document_has_no_member_that_openrpc_refuses() {
    for version in VERSIONS {
        let document = openrpc(&service(), version);
        let schema = include_str!("openrpc.schema.json");
        assert_eq!(faults(schema, &document), [""; 0]);
    }
}

#[test]
fn a_rendering_is_read_back_as_it_was_built() {
    let mut service = service();
    // A default goes into a schema that has one, into one that refers to another, and into `true`.
    for (place, schema) in [
        r#"{"default":1,"minimum":0}"#,
        r##"{"$ref":"#/components/schemas/Book"}"##,
        "true",
    ]
    .into_iter()
    .enumerate()
    {
        let mut procedure = service.procs[0].clone();
        procedure.name = format!("added.{place}");
        let mut param = ParamDescription::new("value", schema.parse().expect("JSON"));
        param.default = Some(Json::from(7));
        procedure.params = vec![param];
        service.procs.push(procedure);
    }
    for built in [
        describe(&service),
        openrpc(&service, OpenRpcOptions::default()),
        system_describe(&service),
    ] {
        for text in [built.to_string(), format!("{built:#}")] {
            let read: Json = text.parse().expect("JSON");
            assert_eq!(format!("{read:#}"), format!("{built:#}"));
        }
    }
}

/// Returns the outline of a tool's result with this schema.
fn outline(schema: &str) -> String {
    let mut service = ServiceDescription::default();
    let mut procedure = ProcedureDescription::new("p");
    procedure.returns = Some(ReturnDescription::new(schema.parse().unwrap()));
    service.procs = vec![procedure];
    let base = r#"{"type": "object", "properties": {"id": {"type": "integer", "minimum": 1}}, "required": ["id"]}"#;
    let schemas = &mut service.components.schemas;
    schemas.insert("Base".into(), base.parse().unwrap());
    let listed = tools(&service, |_| Some("p"), true);
    match listed.as_array().unwrap()[0].get("outputSchema") {
        Some(schema) => schema.to_string(),
        None => String::new(),
    }
}

#[test]
fn the_outline_of_a_result_says_what_it_may_have() {
    let base = r##"{"$ref": "#/components/schemas/Base"}"##;
    for (schema, expected) in [
        (
            r#"{"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}, "required": ["a"], "additionalProperties": false}"#.to_owned(),
            r#"{"type":"object","properties":{"a":{"type":"string"}}}"#,
        ),
        (
            r#"{"type": "object", "additionalProperties": {"type": ["integer", "null"]}}"#.to_owned(),
            r#"{"type":"object","additionalProperties":{"anyOf":[{"type":"integer"},{"type":"null"}]}}"#,
        ),
        (
            format!(r#"{{"allOf": [{base}, {{"properties": {{"b": {{"enum": ["x", null]}}}}}}]}}"#),
            r#"{"type":"object","properties":{"id":{"type":"integer"},"b":{"anyOf":[{"type":"string","enum":["x"]},{"type":"null"}]}}}"#,
        ),
        (
            format!(r#"{{"type": "object", "properties": {{"t": {{"const": 1}}}}, "oneOf": [{base}, {{"properties": {{"c": {{}}}}}}]}}"#),
            r#"{"type":"object","properties":{"t":{"type":"integer","enum":[1]}},"anyOf":[{"type":"object","properties":{"id":{"type":"integer"}}},{"properties":{"c":{}}}]}"#,
        ),
        (
            format!(r#"{{"type": "array", "prefixItems": [{{"type": "string"}}], "items": {{"anyOf": [{base}, {{"type": "null"}}]}}}}"#),
            r#"{"type":"object","properties":{"result":{"type":"array","prefixItems":[{"type":"string"}],"items":{"anyOf":[{"type":"object","properties":{"id":{"type":"integer"}}},{"type":"null"}]}}},"required":["result"]}"#,
        ),
        (r#"{"type": "null"}"#.to_owned(), ""),
    ] {
        assert_eq!(outline(&schema), expected, "{schema}");
    }
}
