//! Reads Docent's own format and JSON-RPC 1.1.

use std::fmt::Write as _;
use std::time::Duration;

use docent_describe::json::Json;
use docent_describe::render::{FORMAT_SCHEMA, describe, system_describe};
use docent_describe::{Deprecation, ProcedureLimits, RateKey, RateLimit, TypeCode};
use docent_tools::read::{Format, ReadError, Reading, read};

use crate::library::service;

#[track_caller]
pub(crate) fn reading(text: &str) -> Reading {
    read(text.as_bytes()).unwrap()
}

pub(crate) fn warnings(reading: &Reading) -> Vec<String> {
    reading.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn what_was_rendered_reads_as_it_was() {
    let reading = reading(&describe(&service()).to_string());
    assert_eq!(reading.format, Format::Docent);
    assert_eq!(warnings(&reading), [""; 0]);
    assert_eq!(reading.description, service());
}

#[test]
fn an_answer_is_unwrapped() {
    let described = describe(&service());
    for response in [
        format!(r#"{{"jsonrpc": "2.0", "result": {described}, "id": 1}}"#),
        format!(r#"{{"version": "1.1", "result": {described}}}"#),
    ] {
        assert_eq!(reading(&response).description, service());
    }
    let reading =
        reading(r#"{"jsonrpc": "2.0", "result": {"sdversion": "2.0", "procs": 7}, "id": 1}"#);
    assert_eq!(
        warnings(&reading),
        [
            "/result: `name` is missing",
            "/result: `id` is missing",
            "/result/procs: should be an array and is a number; left out",
        ]
    );
}

#[test]
fn what_is_no_description_is_refused_with_the_reason() {
    let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    assert_eq!(read(b"a\xffb"), Err(ReadError::NotUtf8 { offset: 1 }));
    assert_eq!(error(b"{"), "not JSON: unexpected end of text at byte 1");
    assert_eq!(
        error(b"[]"),
        "not a service description: it is JSON of type array and not an object"
    );
    assert_eq!(
        error(br#"{"name": "x", "id": "urn:x"}"#),
        "not a service description: it has none of the members `sdversion`, `procs`, `openrpc`, \
         `methods` and `tools`"
    );
    assert!(error(br#"{"openapi": "3.1.0"}"#).contains("an OpenAPI document"));
    assert_eq!(
        error(br#"{"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}}"#),
        "not a service description: it is a JSON-RPC error, \"Method not found\""
    );
}

#[test]
fn what_is_known_and_not_read_is_named() {
    for (text, kind) in [
        (
            "# The API.\nopenrpc: 1.3.2\ninfo: {title: t}\n",
            "it is YAML; convert it to JSON",
        ),
        ("---\nopenapi: 3.1.0\n", "it is YAML; convert it to JSON"),
        (
            r#"{"id": "http://xbmc.org/jsonrpc/ServiceDescription.json", "methods": {"JSONRPC.Ping": {"type": "method"}},
                "notifications": {}, "types": {}, "version": "13.5.0"}"#,
            "it is Kodi's Introspect, whose format is not read",
        ),
        (
            r#"{"asyncapi": "3.0.0"}"#,
            "it is an AsyncAPI document, which does not describe JSON-RPC",
        ),
        (
            r#"{"SMDVersion": "2.0", "services": {}}"#,
            "it is a Service Mapping Description (SMD), which is not read",
        ),
        (
            r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {}}"#,
            "it is a JSON Schema, which has no procedures",
        ),
    ] {
        let error = read(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, format!("not a service description: {kind}"));
    }
    // Text that only mentions a member is not YAML.
    let error = read(b"{\"openrpc:\": ").unwrap_err().to_string();
    assert!(error.starts_with("not JSON"), "{error}");
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_document() {
    let text = format!("\u{feff}{}", describe(&service()));
    assert_eq!(reading(&text).description, service());
}

#[test]
fn unknown_members_become_warnings_and_marked_ones_are_kept() {
    let reading = reading(
        r#"{
            "sdversion": "2.0", "name": "s", "id": "urn:s", "$mine": 1, "yours": 2,
            "procs": [{
                "name": "p", "$mine": 3, "a/b": 4,
                "params": [{"name": "a", "type": "str", "required": true, "schema": {}, "x~y": 5}],
                "return": {"type": "nil", "schema": {"type": "null"}, "$more": 6},
                "errors": [{"code": 1, "message": "m", "$status": 404, "$x": 7, "y": 8}],
                "examples": [{"z": 9}],
                "deprecated": {"since": "1", "because": "x"}
            }],
            "components": {"schemas": {}, "links": {}}
        }"#,
    );
    assert_eq!(
        warnings(&reading),
        [
            "/components/links: unknown kind of component, left out",
            "/procs/0/params/0/x~0y: unknown member, kept as `$unknown-x~y`",
            "/procs/0/errors/0/y: unknown member, kept as `$unknown-y`",
            "/procs/0/examples/0/z: unknown member, kept as `$unknown-z`",
            "/procs/0/deprecated/because: unknown member, left out",
            "/procs/0/a~1b: unknown member, kept as `$unknown-a/b`",
            "/yours: unknown member, kept as `$unknown-yours`",
        ]
    );
    let service = reading.description;
    assert_eq!(service.extensions["$mine"], Json::from(1));
    let procedure = &service.procs[0];
    assert_eq!(procedure.extensions["$mine"], Json::from(3));
    let returns = procedure.returns.as_ref().unwrap();
    assert_eq!(returns.extensions["$more"], Json::from(6));
    assert_eq!(procedure.errors[0].status, Some(404));
    assert_eq!(procedure.errors[0].extensions["$x"], Json::from(7));
    let deprecated = procedure.deprecated.as_ref().unwrap();
    assert_eq!(deprecated.since.as_deref(), Some("1"));
}

#[test]
fn wrong_types_become_warnings() {
    let reading = reading(
        r#"{
            "sdversion": "3.1", "name": 1, "id": "urn:s", "summary": [], "securitySchemes": {"a": 1},
            "procs": [
                7, {"summary": "nameless"},
                {
                    "name": "p", "idempotent": "yes", "tags": ["a", 1], "deprecated": true,
                    "params": [
                        {"name": "a", "type": "text", "required": 1, "schema": 5},
                        {"type": "str"},
                        {"name": "b", "type": "nil", "schema": {"type": "string"}},
                        {"name": "c", "schema": {"type": "string", "minLength": -1, "allOf": []}}
                    ],
                    "errors": [{"message": "no code"}, {"code": 1.5}, {"code": 4, "$status": 99999}],
                    "examples": [
                        {"params": "x"}, {"error": {"code": 1}}, {"error": {"message": "m"}},
                        {"error": {"code": 1.5, "message": "m"}}
                    ],
                    "return": 3
                },
                {"name": "p"}
            ]
        }"#,
    );
    assert_eq!(
        warnings(&reading),
        [
            "/sdversion: unknown version \"3.1\"; read as version 2.0, as far as possible",
            "/name: should be a string and is a number; left out",
            "`name` is missing",
            "/summary: should be a string and is an array; left out",
            "/securitySchemes/a: should be an object and is a number; left out",
            "/procs/0: should be an object and is a number; left out",
            "/procs/1: a procedure without a name, left out",
            "/procs/2/idempotent: should be a boolean and is a string; left out",
            "/procs/2/tags/1: should be a string and is a number; left out",
            "/procs/2/params/0/type: unknown type \"text\", read as `any`",
            "/procs/2/params/0/schema: should be a schema, which is an object or a boolean and is \
             a number; left out",
            "/procs/2/params/0/required: should be a boolean and is a number; left out",
            "/procs/2/params/1: a parameter without a name, left out",
            "/procs/2/params/2/type: `nil` is for returns only; read as `any`",
            "/procs/2/params/3/schema/minLength: should be an integer from 0; left out",
            "/procs/2/params/3/schema/allOf: should be a non-empty array; left out",
            "/procs/2/return: should be an object and is a number; left out",
            "/procs/2/errors/0: an error without an integer `code`, left out",
            "/procs/2/errors/1: an error without an integer `code`, left out",
            "/procs/2/errors/2: `message` is missing",
            "/procs/2/errors/2/$status: should be an HTTP status and is a number; left out",
            "/procs/2/examples/0/params: should be an array or an object and is a string; left out",
            "/procs/2/examples/1/error: an error without an integer `code` and a `message`, left \
             out",
            "/procs/2/examples/2/error: an error without an integer `code` and a `message`, left \
             out",
            "/procs/2/examples/3/error: an error without an integer `code` and a `message`, left \
             out",
            "two procedures are named `p`; the first is the one that is called",
        ]
    );
    let procedure = &reading.description.procs[0];
    assert_eq!(procedure.deprecated, Some(Deprecation::default()));
    assert_eq!(procedure.params[2].type_code, TypeCode::Str);
}

#[test]
fn limits_are_read_from_both_formats_and_what_they_cannot_be_is_reported() {
    let own = reading(
        r#"{"sdversion": "2.0", "name": "s", "id": "urn:s", "procs": [
            {"name": "a", "params": [], "limits":
                {"concurrent": 8, "rate": {"calls": 100, "per": 0.5, "by": "caller"}}},
            {"name": "b", "params": [], "limits":
                {"concurrent": 0, "other": 1, "rate": {"calls": 2.5, "per": -1, "by": "day"}}},
            {"name": "c", "params": [], "limits": {"rate": {"per": 1e400, "calls": 1, "by": "peer"}}}
        ]}"#,
    );
    let mut expected = ProcedureLimits::default();
    expected.concurrent = Some(8);
    expected.rate = Some(RateLimit::new(
        100,
        Duration::from_millis(500),
        RateKey::Caller,
    ));
    let limits = |place: usize| own.description.procs[place].limits.as_ref();
    assert_eq!(limits(0), Some(&expected));
    assert_eq!((limits(1), limits(2)), (None, None));
    assert_eq!(
        warnings(&own),
        [
            "/procs/1/limits/concurrent: should be an integer of at least 1 and is a number; left out",
            "/procs/1/limits/rate/calls: should be an integer of at least 1 and is a number; left out",
            "/procs/1/limits/rate/per: should be a number of seconds above 0 and is a number; left out",
            "/procs/1/limits/rate/by: unknown word \"day\", left out",
            "/procs/1/limits/rate: a rate needs `calls`, `per` and `by`; left out",
            "/procs/1/limits/other: unknown member, left out",
            "/procs/2/limits/rate/per: should be a number of seconds above 0 and is a number; left out",
            "/procs/2/limits/rate: a rate needs `calls`, `per` and `by`; left out",
        ]
    );
    let openrpc = reading(
        r#"{"openrpc": "1.3.2", "info": {"title": "s", "version": "1"}, "methods": [
            {"name": "a", "params": [], "result": {"name": "r", "schema": {}}, "x-limits":
                {"concurrent": 8, "rate": {"calls": 100, "per": 0.5, "by": "caller"}}}
        ]}"#,
    );
    assert_eq!(openrpc.description.procs[0].limits, Some(expected));
}

#[test]
fn what_caches_and_keys_may_do_is_read_from_both_formats() {
    let promises = r#""maxAge": 0.5, "shared": true"#;
    let own = reading(&format!(
        r#"{{"sdversion": "2.0", "name": "s", "id": "urn:s", "procs": [
            {{"name": "a", "params": [], "cache": {{{promises}}}, "repeatable": {{"for": 60}},
              "unchecked": "why"}},
            {{"name": "b", "params": [], "cache": {{"maxAge": -1, "x": 1}}, "repeatable": {{"for": 0}}}}
        ]}}"#
    ));
    let openrpc = reading(&format!(
        r#"{{"openrpc": "1.3.2", "info": {{"title": "s", "version": "1"}}, "methods": [
            {{"name": "a", "params": [], "result": {{"name": "r", "schema": {{}}}},
              "x-cache": {{{promises}}}, "x-repeatable": {{"for": 60}}, "x-unchecked": "why"}}
        ]}}"#
    ));
    for read in [&own, &openrpc] {
        let procedure = &read.description.procs[0];
        let cache = procedure.cache.as_ref().unwrap();
        assert_eq!(
            (cache.max_age, cache.shared),
            (Duration::from_millis(500), true)
        );
        assert_eq!(procedure.repeatable, Some(Duration::from_secs(60)));
        assert_eq!(procedure.unchecked.as_deref(), Some("why"));
    }
    assert_eq!(own.description.procs[1].repeatable, None);
    assert_eq!(
        warnings(&own),
        [
            "/procs/1/cache/maxAge: should be a number of seconds from 0 and is a number; left out",
            "/procs/1/cache/x: unknown member, left out",
            "/procs/1/repeatable/for: should be a number of seconds above 0 and is a number; left out",
        ]
    );
}

#[test]
fn what_is_read_can_be_rendered_again() {
    let reading = reading(
        r#"{
            "sdversion": "1.0", "name": "s", "id": "urn:s", "procs": [
                "", {"name": ""},
                {"name": "p", "params": ["", {"name": "a", "schema": {"items": [{}]}}],
                 "errors": [{"code": 1, "message": "", "$status": 1}]}
            ]
        }"#,
    );
    assert_eq!(
        warnings(&reading),
        [
            "/procs/0: a procedure without a name, left out",
            "/procs/1: a procedure without a name, left out",
            "/procs/2/params/0: a parameter without a name, left out",
            "/procs/2/params/1/schema/items: should be a schema, which is an object or a boolean \
             and is an array; left out",
            "/procs/2/errors/0/$status: should be an HTTP status and is a number; left out",
        ]
    );
    let described = describe(&reading.description);
    assert_eq!(crate::faults::faults(FORMAT_SCHEMA, &described), [""; 0]);
}

#[test]
fn references_are_made_to_lead_to_components() {
    let reading = reading(
        r##"{
            "sdversion": "2.0", "name": "s", "id": "urn:s", "$shapes": {"Round": {"type": "number"}},
            "procs": [{"name": "p", "params": [
                {"name": "a", "type": "any", "required": true, "schema": {"$ref": "#/$shapes/Round"}},
                {"name": "b", "type": "any", "required": true, "schema": {"$ref": "#/components/schemas/None"}},
                {"name": "c", "type": "any", "required": true, "schema": {"$ref": "other.json#/x"}}
            ]}]
        }"##,
    );
    assert_eq!(
        warnings(&reading),
        [
            "/procs/0/params/1/schema/$ref: `#/components/schemas/None` points to nothing in the \
             document",
            "/procs/0/params/2/schema/$ref: `other.json#/x` points outside the document and is \
             not followed",
        ]
    );
    let service = reading.description;
    assert_eq!(
        service.procs[0].params[0].schema.to_string(),
        r##"{"$ref":"#/components/schemas/Round"}"##
    );
    assert_eq!(
        service.components.schemas["Round"].to_string(),
        r#"{"type":"number"}"#
    );
}

/// The example of section 10.3, with its braces balanced: no `sdversion`, a type that is not
/// listed, a procedure without parameters.
const DEMO: &str = r#"{
    "name": "DemoService",
    "id": "urn:uuid:41544946-415a-495a-5645-454441534646",
    "summary": "A simple demonstration service.",
    "help": "http://www.example.com/service/index.html",
    "address": "http://www.example.com/service",
    "procs": [
        {
            "name": "sum",
            "summary": "Sums two numbers.",
            "help": "http://www.example.com/service/sum.html",
            "params": [{"name": "a", "type": "num"}, {"name": "b", "type": "num"}],
            "return": {"type": "num"}
        },
        {
            "name": "time",
            "summary": "Returns the current date and time in ISO 8601 format.",
            "help": "http://www.example.com/service/time.html",
            "return": {"type": "string"}
        }
    ]
}"#;

#[test]
fn the_example_of_the_1_1_draft_is_read() {
    let reading = reading(DEMO);
    assert_eq!(reading.format, Format::JsonRpc11);
    assert_eq!(
        warnings(&reading),
        [
            "/sdversion: missing; read as a description of JSON-RPC 1.1",
            "/procs/1/return/type: unknown type \"string\", read as `any`",
        ]
    );
    let service = reading.description;
    assert_eq!(service.name, "DemoService");
    let sum = service.procedure("sum").unwrap();
    assert_eq!(sum.params[0].type_code, TypeCode::Num);
    assert_eq!(sum.params[0].schema.to_string(), r#"{"type":"number"}"#);
    assert_eq!(
        service
            .procedure("time")
            .unwrap()
            .returns
            .as_ref()
            .unwrap()
            .type_code,
        TypeCode::Any
    );
}

#[test]
fn everything_that_1_1_lets_be_a_string_or_null_may_be() {
    let reading = reading(
        r#"{
            "sdversion": "1.0", "name": "s", "id": "urn:s", "version": null,
            "procs": [
                "bare",
                {"name": "p", "params": ["a", {"name": "b"}, {"name": "c", "type": null}], "return": "bit"},
                {"name": "q", "params": null, "return": null},
                {"name": "r", "return": {"name": "out", "type": "nil"}}
            ]
        }"#,
    );
    assert_eq!(warnings(&reading), [""; 0]);
    let [bare, p, q, r] = &reading.description.procs[..] else {
        panic!("four procedures");
    };
    assert_eq!((bare.name.as_str(), &bare.returns), ("bare", &None));
    assert_eq!(p.params.len(), 3);
    assert!(
        p.params
            .iter()
            .all(|param| param.type_code == TypeCode::Any)
    );
    assert_eq!(p.returns.as_ref().unwrap().type_code, TypeCode::Bit);
    assert!(q.params.is_empty() && q.returns.is_none());
    assert_eq!(r.returns.as_ref().unwrap().type_code, TypeCode::Nil);
}

#[test]
fn strict_1_1_reads_as_far_as_it_goes() {
    let reading = reading(&system_describe(&service()).to_string());
    assert_eq!(reading.format, Format::JsonRpc11);
    assert_eq!(warnings(&reading), [""; 0]);
    let again = system_describe(&reading.description);
    assert_eq!(again, system_describe(&service()));
}

/// Runs on a stack as large as that of a server's threads.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn a_document_cannot_exhaust_the_stack() {
    on_a_small_stack(|| {
        let depth = 500;
        let deep = r#"{"not":"#.repeat(depth) + "{}" + &"}".repeat(depth);
        let text = format!(
            r#"{{"openrpc": "1.3.2", "info": {{"title": "", "version": ""}}, "methods": [
                {{"name": "a", "params": [{{"name": "p", "schema": {deep}}}]}}]}}"#
        );
        let reading = reading(&text);
        describe(&reading.description).to_string();
        docent_describe::render::openrpc(
            &reading.description,
            docent_describe::render::OpenRpcVersion::V1_3_2,
        );
    });
}

#[test]
fn a_chain_of_references_cannot_exhaust_the_stack() {
    on_a_small_stack(|| {
        let mut chain = String::new();
        for number in 0..20_000 {
            let next = number + 1;
            write!(chain, r##""L{number}": {{"$ref": "#/x-chain/L{next}"}},"##).unwrap();
        }
        let text = format!(
            r##"{{"openrpc": "1.3.2", "info": {{"title": "", "version": ""}}, "methods": [
                {{"name": "a", "params": [{{"name": "p", "schema": {{"$ref": "#/x-chain/L0"}}}}]}}],
                "x-chain": {{{chain} "L20000": {{"type": "string"}}}}}}"##
        );
        let reading = reading(&text);
        assert_eq!(reading.description.components.schemas.len(), 20_001);
        docent_describe::render::openrpc(
            &reading.description,
            docent_describe::render::OpenRpcVersion::V1_3_2,
        );
    });
}
