//! OpenAPI documents.

use docent_describe::json::{Json, Name, Object, Pointer};
use docent_describe::render::{OpenApiOptions, OpenApiText, openapi};
use docent_describe::{
    Credential, Deprecation, ErrorDescription, Origin, ParamDescription, ProcedureDescription,
    ReturnDescription, ServiceDescription, SubscriptionDescription, code,
};

use crate::faults::faults;
use crate::library;

/// Returns the options of a service that is served at this path.
fn mounted<'m>(mount: impl Into<Option<&'m str>>) -> OpenApiOptions<'m> {
    let mut options = OpenApiOptions::default();
    options.mount = mount.into();
    options
}

fn json(text: &str) -> Json {
    text.parse().expect("JSON")
}

/// Returns a service with one idempotent procedure, `p`, with these parameters: the name, the schema
/// and whether it is required.
fn service(params: &[(&str, &str, bool)]) -> ServiceDescription {
    let params = params.iter().map(|(name, schema, required)| {
        let mut param = ParamDescription::new((*name).to_owned(), json(schema));
        param.required = *required;
        param
    });
    let mut procedure = ProcedureDescription::new("p");
    procedure.idempotent = true;
    procedure.params = params.collect();
    let mut service = ServiceDescription::default();
    service.name = "s".into();
    service.procs = vec![procedure];
    let schemas = &mut service.components.schemas;
    schemas.insert("Size".into(), json(r#"{"type": "integer", "minimum": 1}"#));
    schemas.insert("Box".into(), json(r#"{"type": "object"}"#));
    service
}

#[track_caller]
fn at(document: &Json, pointer: &str) -> Json {
    let found = Pointer::resolve(pointer, document);
    found
        .unwrap_or_else(|| panic!("{pointer} in {document}"))
        .clone()
}

#[test]
fn a_document_follows_the_published_schema_of_open_api() {
    let mut foreign = library::service();
    foreign.origin = Origin::OpenRpc;
    for service in [library::service(), ServiceDescription::default(), foreign] {
        for options in [mounted("/rpc"), OpenApiOptions::default()] {
            let document = openapi(&service, options);
            let schema = include_str!("openapi.schema.json");
            assert_eq!(faults(schema, &document), [""; 0], "{document}");
        }
    }
}

#[test]
fn every_reference_leads_somewhere() {
    fn visit(value: &Json, document: &Json) {
        if let Some(Json::String(target)) = value.get("$ref") {
            let pointer = target.strip_prefix('#').expect("a local reference");
            assert!(Pointer::resolve(pointer, document).is_some(), "{target}");
        }
        match value {
            Json::Object(members) => {
                for member in members.values() {
                    visit(member, document);
                }
            }
            Json::Array(elements) => {
                for element in elements {
                    visit(element, document);
                }
            }
            _ => {}
        }
    }
    let document = openapi(&library::service(), mounted("/rpc"));
    visit(&document, &document);
}

#[test]
fn get_is_described_where_a_query_can_carry_every_required_parameter() {
    for (schema, can) in [
        (r#"{"type": "string"}"#, true),
        (r#"{"type": ["integer", "null"]}"#, true),
        (r#"{"type": "array", "items": {"type": "string"}}"#, true),
        (r##"{"$ref": "#/components/schemas/Size"}"##, true),
        ("true", true),
        (r##"{"$ref": "#/components/schemas/Box"}"##, false),
        (r#"{"type": "array", "items": {"type": "object"}}"#, false),
        (r#"{"type": "null"}"#, false),
        (
            r#"{"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]}"#,
            true,
        ),
        (
            r##"{"type": "array", "prefixItems": [{"$ref": "#/components/schemas/Box"}], "maxItems": 1}"##,
            false,
        ),
        (
            r#"{"type": "array", "prefixItems": [{"type": "string"}, {"type": "object"}], "minItems": 2}"#,
            false,
        ),
        (
            r#"{"type": "array", "prefixItems": [{"type": "string"}, {"type": "object"}], "minItems": 1}"#,
            true,
        ),
        (r#"{"enum": [[1], {"a": 1}]}"#, false),
        (r##"{"$ref": "#/components/schemas/Lost"}"##, false),
    ] {
        let document = openapi(&service(&[("a", schema, true)]), mounted("/rpc"));
        let path = at(&document, "/paths/~1rpc~1p");
        assert_eq!(path.get("get").is_some(), can, "{schema}");
        assert!(path.get("post").is_some(), "{schema}");
        // An optional one is left out instead.
        let document = openapi(&service(&[("a", schema, false)]), mounted("/rpc"));
        let get = at(&document, "/paths/~1rpc~1p/get");
        assert_eq!(get.get("parameters").is_some(), can, "{schema}");
    }
    let mut writing = service(&[]);
    writing.procs[0].idempotent = false;
    let methods = at(&openapi(&writing, mounted("/rpc")), "/paths/~1rpc~1p");
    assert!(methods.get("get").is_none());
    let mut without = mounted("/rpc");
    without.omit_get = true;
    let methods = at(&openapi(&service(&[]), without), "/paths/~1rpc~1p");
    assert!(methods.get("get").is_none());
}

#[test]
fn empty_text_in_a_query_is_allowed_where_it_means_that_nothing_is_supplied() {
    for (schema, required, can) in [
        (r#"{"type": "integer"}"#, false, true),
        (r#"{"type": "integer"}"#, true, false),
        (r#"{"type": ["integer", "null"]}"#, true, true),
        (
            r#"{"type": "array", "items": {"type": "string"}}"#,
            false,
            true,
        ),
        (r#"{"enum": ["a", "b"]}"#, false, true),
        (r#"{"enum": ["a", ""]}"#, false, false),
        (r#"{"type": "string"}"#, false, false),
        (r#"{"type": ["string", "integer"]}"#, false, false),
        (
            r#"{"type": ["integer", "null"], "not": {"type": "null"}}"#,
            true,
            false,
        ),
    ] {
        let document = openapi(&service(&[("a", schema, required)]), mounted("/rpc"));
        let param = at(&document, "/paths/~1rpc~1p/get/parameters/0");
        let allows_empty = param.get("allowEmptyValue") == Some(&Json::Bool(true));
        assert_eq!(allows_empty, can, "{schema}");
    }
}

#[test]
fn a_post_is_a_call_with_an_id_and_a_batch_gets_an_array() {
    let document = openapi(&service(&[]), mounted("/rpc"));
    let post = |rest: &str| at(&document, &format!("/paths/~1rpc~1p/post/{rest}"));
    let required = post("requestBody/content/application~1json/schema/required");
    assert_eq!(required.to_string(), r#"["jsonrpc","method","id"]"#);
    let responses = post("responses/200/content/application~1json/schema/oneOf");
    let batch = r##"{"$ref":"#/components/schemas/JsonRpcBatchResponse"}"##;
    assert!(responses.to_string().contains(batch), "{responses}");
}

#[test]
fn a_query_has_the_values_that_text_can_stand_for() {
    for (schema, expected) in [
        (
            r#"{"type": ["integer", "null"], "enum": [1, null]}"#,
            r#"{"type": "integer", "enum": [1]}"#,
        ),
        (
            r##"{"anyOf": [{"$ref": "#/components/schemas/Size"}, {"type": "null"}]}"##,
            r##"{"$ref": "#/components/schemas/Size"}"##,
        ),
        (
            "true",
            r#"{"anyOf": [{"type": "boolean"}, {"type": "number"}, {"type": "string"}, {
                "type": "array", "items": {"anyOf": [{"type": "boolean"}, {"type": "number"}, {"type": "string"}]}, "minItems": 1
            }]}"#,
        ),
        (
            r#"{"anyOf": [{"type": "string"}, {"type": "object"}]}"#,
            r#"{"allOf": [{"anyOf": [{"type": "string"}, {"type": "object"}]}], "type": "string"}"#,
        ),
        (
            r#"{"type": "array", "items": {"type": ["string", "null"]}}"#,
            r#"{"allOf": [{"type": "array", "items": {"type": ["string", "null"]}}], "items": {"type": "string"}, "minItems": 1}"#,
        ),
    ] {
        let document = openapi(&service(&[("a", schema, true)]), mounted("/rpc"));
        let found = at(&document, "/paths/~1rpc~1p/get/parameters/0/schema");
        assert_eq!(found, json(expected), "{schema}: {found}");
    }
}

#[test]
fn schemas_are_such_that_generators_read_them() {
    let tuple = r#"{"type": "array", "prefixItems": [true], "items": false, "maxItems": 1}"#;
    let record =
        r#"{"properties": {"a": true, "b": {"type": "null"}}, "additionalProperties": false}"#;
    let nullable = r#"{"anyOf": [{"type": "integer"}, {"type": "null"}]}"#;
    let documented = r#"{"description": "A cover", "oneOf": [
        {"type": "string", "const": "hard", "description": "Boards and cloth."},
        {"type": "string", "enum": ["soft", "none"]},
        {"type": "string", "const": "glued", "title": "Paper", "deprecated": true}
    ]}"#;
    let mixed =
        r#"{"oneOf": [{"type": "string", "const": "hard"}, {"type": "integer", "const": 1}]}"#;
    let open =
        r#"{"oneOf": [{"type": "string", "const": "hard"}, {"type": "string", "minLength": 9}]}"#;
    let twice =
        r#"{"oneOf": [{"type": "string", "const": "a"}, {"type": "string", "const": "a"}]}"#;
    for (schema, expected) in [
        ("true", "{}"),
        (r#"{"type": "null"}"#, r#"{"const": null}"#),
        (
            tuple,
            r#"{"type": "array", "prefixItems": [{}], "items": {"not": {}}, "maxItems": 1}"#,
        ),
        (
            record,
            r#"{"properties": {"a": {}, "b": {"const": null}}, "additionalProperties": false}"#,
        ),
        (nullable, nullable),
        (
            documented,
            r#"{
                "description": "A cover", "type": "string", "enum": ["hard", "soft", "none", "glued"],
                "x-enum-descriptions": ["Boards and cloth.", "", "", "Deprecated. Paper"]
            }"#,
        ),
        (
            r#"{"anyOf": [{"type": "integer", "const": 1}, {"type": "integer", "const": 2}]}"#,
            r#"{"type": "integer", "enum": [1, 2]}"#,
        ),
        (mixed, mixed),
        (open, open),
        (twice, twice),
        (
            r#"{"type": ["integer", "null"], "default": null}"#,
            r#"{"type": ["integer", "null"]}"#,
        ),
    ] {
        let mut service = service(&[]);
        service.procs[0].returns = Some(ReturnDescription::new(json(schema)));
        let document = openapi(&service, mounted("/rpc"));
        let get = "/paths/~1rpc~1p/get/responses/200/content/application~1json/schema";
        let found = at(&document, &format!("{get}/properties/result"));
        assert_eq!(found, json(expected), "{schema}: {found}");
        let title = at(&document, &format!("{get}/title"));
        assert_eq!(title.as_str(), Some("p result"));
    }
}

/// openapi-generator makes an enum of `oneOf` in Rust, but of `anyOf` one struct that holds only what all alternatives
/// have: an error of a procedure could not be read, and an id had no value.
#[test]
fn alternatives_that_exclude_each_other_say_so() {
    let error = |code| ErrorDescription::new(code, "Gone");
    let post = "/paths/~1rpc~1p/post/responses/200/content/application~1json/schema";
    let get = "/paths/~1rpc~1p/get/responses/500/content/application~1json/schema";
    let none = ServiceDescription::default();
    let id = at(
        &openapi(&none, mounted("/rpc")),
        "/components/schemas/JsonRpcId",
    );
    assert_eq!(
        id.get("oneOf").and_then(Json::as_array).map(<[Json]>::len),
        Some(3)
    );
    for (codes, is_open, union) in [
        (&[1, 2][..], false, "oneOf"),
        // Any code fits the last alternative.
        (&[1, 2], true, "anyOf"),
        (&[1, 1], false, "anyOf"),
        (&[1, code::BUSY], false, "anyOf"),
    ] {
        let mut service = service(&[]);
        service.procs[0].errors = codes.iter().copied().map(error).collect();
        service.procs[0].errors_open = is_open;
        let document = openapi(&service, mounted("/rpc"));
        for schema in [&format!("{post}/oneOf/1"), get] {
            let error = at(&document, &format!("{schema}/properties/error"));
            let alternatives = error.get(union).and_then(Json::as_array);
            assert_eq!(
                alternatives.map(<[Json]>::len),
                Some(3),
                "{codes:?} {error}"
            );
        }
    }
}

#[test]
fn types_of_generated_clients_have_names() {
    let mut service = service(&[]);
    service.procs[0].errors = vec![ErrorDescription::new(7, "No such book")];
    let document = openapi(&service, mounted("/rpc"));
    let post = "/paths/~1rpc~1p/post/responses/200/content/application~1json/schema";
    let get = "/paths/~1rpc~1p/get/responses/500/content/application~1json/schema";
    for (schema, title) in [
        (post, "p response"),
        (&format!("{post}/oneOf/0"), "p result"),
        (&format!("{post}/oneOf/1"), "p error"),
        (&format!("{post}/oneOf/1/properties/error"), "p error kind"),
        (
            &format!("{post}/oneOf/1/properties/error/oneOf/0"),
            "No such book 7",
        ),
        (get, "p error 500"),
        (&format!("{get}/properties/error"), "p error 500 kind"),
    ] {
        let found = at(&document, &format!("{schema}/title"));
        assert_eq!(found.as_str(), Some(title));
    }
}

#[test]
fn tools_that_make_up_a_call_find_values_that_work() {
    let mut service = service(&[("a", r#"{"type": "integer"}"#, false)]);
    service.procs[0].params[0].default = Some(json("7"));
    let path = at(&openapi(&service, mounted("/rpc")), "/paths/~1rpc~1p");
    let example = at(&path, "/get/parameters/0/example");
    assert_eq!(example, json("7"));
    let body = "/post/requestBody/content/application~1json/schema/properties";
    for (member, value) in [("jsonrpc", "2.0"), ("method", "p")] {
        let default = at(&path, &format!("{body}/{member}/default"));
        assert_eq!(default.as_str(), Some(value));
    }
}

#[test]
fn tags_are_listed_once_with_their_descriptions() {
    let mut service = service(&[]);
    service.procs[0].tags = vec!["b".into(), "a".into()];
    let mut procedure = ProcedureDescription::new("q");
    procedure.tags = vec!["a".into()];
    service.procs.push(procedure);
    let texts = json(r#"{"a": "All about a."}"#);
    service.extensions.insert("$tags", texts);
    let expected = r#"[{"name": "b"}, {"name": "a", "description": "All about a."}]"#;
    let document = openapi(&service, mounted("/rpc"));
    assert_eq!(at(&document, "/tags"), json(expected));
}

#[test]
fn errors_have_the_statuses_of_get() {
    let mut service = service(&[]);
    let error = |code, message: &str, status| {
        let mut error = ErrorDescription::new(code, message);
        error.status = status;
        error
    };
    let errors = [error(1, "Gone", Some(410)), error(2, "Broken", None)];
    service.procs[0].errors = errors.to_vec();
    let document = openapi(&service, mounted("/rpc"));
    let responses = at(&document, "/paths/~1rpc~1p/get/responses");
    let statuses: Vec<&str> = responses
        .as_object()
        .unwrap()
        .keys()
        .map(Name::as_str)
        .collect();
    let expected = [
        "200", "304", "400", "410", "414", "421", "500", "503", "504",
    ];
    assert_eq!(statuses, expected);
    let code = "/content/application~1json/schema/properties/error/oneOf/0/properties/code/const";
    assert_eq!(at(&responses, &format!("/410{code}")), json("1"));
    assert_eq!(at(&responses, &format!("/500{code}")), json("2"));
    let responses = at(&document, "/paths/~1rpc~1p/post/responses");
    let statuses: Vec<&str> = responses
        .as_object()
        .unwrap()
        .keys()
        .map(Name::as_str)
        .collect();
    let expected = ["200", "204", "400", "408", "413", "415", "421", "503"];
    assert_eq!(statuses, expected);
    service.procs[0].guarded = true;
    let responses = at(&openapi(&service, mounted("/rpc")), "/paths/~1rpc~1p");
    for (method, status) in [
        ("get", 401),
        ("get", 403),
        ("get", 429),
        ("post", 401),
        ("post", 403),
    ] {
        at(&responses, &format!("/{method}/responses/{status}"));
    }
}

#[test]
fn names_are_those_that_open_api_allows() {
    let mut service = service(&[("a", r##"{"$ref": "#/components/schemas/A~1B/x"}"##, true)]);
    for name in ["A/B", "A_B", "JsonRpcError"] {
        service
            .components
            .schemas
            .insert(name.into(), json(r#"{"x": {"type": "string"}}"#));
    }
    let clash = ["p_get", "a b/{c}"].map(|name| {
        let mut procedure = ProcedureDescription::new(name);
        procedure.idempotent = true;
        procedure
    });
    service.procs.extend(clash);
    let document = openapi(&service, mounted("/rpc"));
    let reference = "/paths/~1rpc~1p/get/parameters/0/schema/$ref";
    assert_eq!(
        at(&document, reference).as_str(),
        Some("#/components/schemas/A_B_/x")
    );
    at(&document, "/components/schemas/A_B_/x");
    at(&document, "/components/schemas/JsonRpcError_/x");
    at(
        &document,
        "/components/schemas/JsonRpcError/properties/code",
    );
    let id = |path: &str| at(&document, &format!("/paths/{path}/operationId"));
    assert_eq!(id("~1rpc~1p/get").as_str(), Some("p_get_"));
    assert_eq!(id("~1rpc~1p_get/post").as_str(), Some("p_get"));
    assert_eq!(id("~1rpc~1a%20b%2F%7Bc%7D/post").as_str(), Some("a b/{c}"));
}

#[test]
fn addresses_begin_at_the_server() {
    for (address, mount, server, path) in [
        (None, Some("/rpc"), "/", "/rpc/p"),
        (None, Some("/"), "/", "/p"),
        (None, None, "/", "/p"),
        (
            Some("https://a.example/x/rpc"),
            Some("/rpc"),
            "https://a.example/x",
            "/rpc/p",
        ),
        (
            Some("https://a.example/books"),
            Some("/rpc"),
            "https://a.example/books",
            "/p",
        ),
        (
            Some("https://a.example/rpc/"),
            None,
            "https://a.example/rpc",
            "/p",
        ),
    ] {
        let mut service = service(&[]);
        service.address = address.map(str::to_owned);
        let document = openapi(&service, mounted(mount));
        assert_eq!(at(&document, "/servers/0/url").as_str(), Some(server));
        let paths = at(&document, "/paths");
        assert!(paths.get(path).is_some(), "{address:?} {mount:?}: {paths}");
    }
    let mut elsewhere = OpenApiOptions::default();
    elsewhere.address = Some("../rpc");
    let server = at(&openapi(&service(&[]), elsewhere), "/servers/0/url");
    assert_eq!(server.as_str(), Some("../rpc"));
}

#[test]
fn an_operation_says_what_the_procedure_does() {
    let mut service = service(&[]);
    let bearer = Object::from([("type", json(r#""http""#)), ("scheme", json(r#""bearer""#))]);
    service.security_schemes.insert("bearer", bearer.into());
    let procedure = &mut service.procs[0];
    let mut deprecation = Deprecation::default();
    deprecation.instead = Some("q".into());
    procedure.deprecated = Some(deprecation);
    procedure.summary = Some("Does it.".into());
    procedure.tags = vec!["t".into()];
    let mut clerk = Credential::new("bearer");
    clerk.scopes = vec!["clerk".into()];
    procedure.security.push(clerk.into());
    procedure.repeatable = Some(std::time::Duration::from_secs(5));
    let document = openapi(&service, mounted("/rpc"));
    let summary = |method: &str| at(&document, &format!("/paths/~1rpc~1p/{method}/summary"));
    assert_eq!(summary("post").as_str(), Some("p"));
    assert_eq!(summary("get").as_str(), Some("p (GET)"));
    let post = at(&document, "/paths/~1rpc~1p/post");
    assert_eq!(at(&post, "/security"), json(r#"[{"bearer": ["clerk"]}]"#));
    assert_eq!(at(&post, "/deprecated"), Json::Bool(true));
    assert_eq!(
        at(&post, "/description").as_str(),
        Some("Does it.\n\nDeprecated. Use q instead.")
    );
    let reference = at(&post, "/parameters/0/$ref");
    let pointer = reference
        .as_str()
        .and_then(|reference| reference.strip_prefix('#'))
        .expect("a reference");
    assert_eq!(
        at(&document, pointer).get("name").and_then(Json::as_str),
        Some("Idempotency-Key")
    );
    assert_eq!(at(&post, "/tags"), json(r#"["t"]"#));
    at(&document, "/components/securitySchemes/bearer/scheme");
    // Others may be called without credentials.
    service.procs[0].security.clear();
    let post = at(&openapi(&service, mounted("/rpc")), "/paths/~1rpc~1p/post");
    assert_eq!(at(&post, "/security"), json("[]"));
}

#[test]
fn the_errors_of_the_protocol_are_those_of_the_table() {
    let document = openapi(&ServiceDescription::default(), mounted("/rpc"));
    let error = at(&document, "/components/schemas/JsonRpcProtocolError");
    let codes = at(&error, "/properties/code/enum");
    let codes: Vec<Option<i64>> = codes.as_array().unwrap().iter().map(Json::as_i64).collect();
    let known = code::PROTOCOL_ERRORS.iter();
    let known: Vec<Option<i64>> = known.map(|error| Some(error.code)).collect();
    assert_eq!(codes, known);
    let description = at(&error, "/description");
    for error in code::PROTOCOL_ERRORS {
        let line = format!("- `{}`: {}", error.code, error.message);
        assert!(description.as_str().unwrap().contains(&line), "{line}");
    }
}

#[test]
fn the_responses_have_every_status_that_an_error_of_the_protocol_has() {
    let mut call = ProcedureDescription::new("call");
    call.idempotent = true;
    call.guarded = true;
    let mut watch = call.clone();
    watch.name = "watch".into();
    watch.subscription = Some(SubscriptionDescription::default());
    let mut service = ServiceDescription::default();
    service.procs = vec![call, watch];
    let document = openapi(&service, mounted("/rpc"));
    let has = |procedure: &str, method: &str, status: u16| {
        let pointer = format!("/paths/~1rpc~1{procedure}/{method}/responses");
        at(&document, &pointer).get(&status.to_string()).is_some()
    };
    for error in code::PROTOCOL_ERRORS {
        let is_of_subscriptions =
            [code::NEEDS_A_CONNECTION, code::CANNOT_RESUME].contains(&error.code);
        // The document names only procedures that exist, and GET only of those that it can call.
        if [code::METHOD_NOT_FOUND, code::NOT_CALLABLE_WITH_GET].contains(&error.code) {
            continue;
        }
        for (method, status) in [("get", error.get_status), ("post", error.post_status)] {
            let Some(status) = status else {
                continue;
            };
            assert!(
                has("watch", method, status) && has("call", method, status) != is_of_subscriptions,
                "render/openapi/responses.rs lacks a response to {method} with {status}, of {}",
                error.message
            );
        }
    }
}

#[test]
fn a_subscription_responds_with_events_whose_messages_are_described() {
    let document = openapi(&library::service(), mounted("/rpc"));
    for method in ["get", "post"] {
        let operation = at(&document, &format!("/paths/~1rpc~1loan.watch/{method}"));
        let events = at(&operation, "/responses/200/content/text~1event-stream");
        let [id, item, end] =
            ["0", "1", "2"].map(|index| at(&events, &format!("/schema/oneOf/{index}")));
        assert_eq!(at(&id, "/properties/result/type"), json(r#""string""#));
        assert_eq!(
            at(&item, "/properties/method/const"),
            json(r#""loan_made""#)
        );
        let params = at(&item, "/properties/params/properties");
        assert_eq!(
            at(&params, "/result/$ref"),
            json(r##""#/components/schemas/Loan""##)
        );
        assert!(params.get("cursor").is_some() && params.get("missed").is_some());
        let error = at(&end, "/properties/params/properties/error").to_string();
        assert!(error.contains("1410"), "{error}");
        let example = at(&events, "/examples/example1/value");
        let schema = at(&events, "/schema").as_object().unwrap().clone();
        let schema = schema.with("components", at(&document, "/components"));
        let no_faults = [""; 0];
        assert_eq!(faults(&Json::from(schema).to_string(), &example), no_faults);
        assert_eq!(at(&operation, "/x-subscription/resume"), json(r#""after""#));
        let cursor = at(&operation, "/parameters").to_string();
        assert!(
            cursor.contains("#/components/parameters/LastEventId"),
            "{cursor}"
        );
    }
    // Only a POST tells an error before the first event with the status 200.
    let responses = at(&document, "/paths/~1rpc~1loan.watch/get/responses");
    assert!(
        at(&responses, "/200/content")
            .get("application/json")
            .is_none()
    );
    let refusal = at(
        &document,
        "/paths/~1rpc~1loan.watch/post/responses/200/content/application~1json/schema/oneOf",
    );
    // That to a batch.
    assert_eq!(
        at(&refusal, "/1/$ref"),
        json(r##""#/components/schemas/JsonRpcBatchResponse""##)
    );
    assert!(responses.get("204").is_some() && responses.get("304").is_none());
}

#[test]
fn events_of_a_subscription_have_only_what_it_can_tell() {
    let mut service = service(&[]);
    let mut subscription = SubscriptionDescription::default();
    subscription.ends_untold = true;
    service.procs[0].subscription = Some(subscription);
    let document = openapi(&service, mounted("/rpc"));
    let post = at(&document, "/paths/~1rpc~1p/post");
    let messages = at(
        &post,
        "/responses/200/content/text~1event-stream/schema/oneOf",
    );
    assert_eq!(messages.as_array().unwrap().len(), 2, "{messages}");
    let params = at(&messages, "/1/properties/params/properties");
    assert!(params.get("cursor").is_none() && params.get("missed").is_none());
    assert!(post.get("parameters").is_none());
}

#[test]
fn the_text_of_a_document_is_the_document() {
    let service = library::service();
    let options = mounted("/rpc");
    for service in [&service, &ServiceDescription::default()] {
        let text = OpenApiText { service, options }.to_string();
        assert_eq!(text, openapi(service, options).to_string());
    }
}
