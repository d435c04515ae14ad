//! The service's descriptions.

use std::collections::HashMap;

use docent::carrier::{Incoming, McpHeaders};
use docent::describe::render::{FORMAT_SCHEMA, SYSTEM_DESCRIBE_SCHEMA};
use docent::testing::assert_description_holds;
use golden::assert_golden;
use library::api;
use serde_json::{Value, json};

use crate::database::new_store;
use crate::http::{Served, token};

const IDEMPOTENT: [&str; 8] = [
    "book.find",
    "book.get",
    "author.list",
    "author.get",
    "loan.list",
    "loan.watch",
    "member.get",
    "stats",
];

fn faults(schema: &str, document: &Value) -> Vec<String> {
    let schema = serde_json::from_str(schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    validator
        .iter_errors(document)
        .map(|error| error.to_string())
        .collect()
}

#[test]
fn the_descriptions_are_valid_in_their_formats() {
    let served = Served::new();
    let client = served.client();
    let own = client.call("rpc.describe", &json!({}));
    assert_eq!(faults(FORMAT_SCHEMA, &own), [""; 0]);
    let strict = client.call("system.describe", &json!([]));
    assert_eq!(faults(SYSTEM_DESCRIBE_SCHEMA, &strict), [""; 0]);
    for procedure in own["procs"].as_array().unwrap() {
        let part = client.call("rpc.describe", &json!({"procs": [procedure["name"]]}));
        assert_eq!(faults(FORMAT_SCHEMA, &part), [""; 0]);
        assert_eq!(part["procs"], json!([procedure]));
    }
    assert_eq!(client.get("rpc.describe").json()["result"], own);
    assert_eq!(client.send("GET", "/rpc", "").json(), own);
}

#[test]
fn a_list_of_tools_is_short_enough_for_every_conversation() {
    let folder = tempfile::tempdir().unwrap();
    let service = api::service(new_store(folder.path()), &token(), None).unwrap();
    for version in ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] {
        let params = json!({"_meta": {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        }});
        let message = json!({"jsonrpc": "2.0", "method": "tools/list", "params": params, "id": 1});
        let headers = McpHeaders {
            version: Some(version.to_owned()),
            method: Some("tools/list".to_owned()),
            name: None,
        };
        let list = service.mcp(Incoming::new(message.to_string()), Some(headers));
        let list = actix_web::rt::System::new().block_on(list).reply;
        let list = list.into_body().unwrap();
        assert!(list.len() <= 12_000, "{version}: {} bytes", list.len());
        let list: Value = serde_json::from_slice(&list).unwrap();
        let tools = list["result"]["tools"].as_array().unwrap();
        assert_eq!(tools.len(), 7);
        let has_schemas = version >= "2025-06-18";
        assert!(
            tools
                .iter()
                .all(|tool| tool.get("outputSchema").is_some() == has_schemas)
        );
    }
}

#[test]
fn the_description_is_true() {
    let folder = tempfile::tempdir().unwrap();
    assert_description_holds(&api::service(new_store(folder.path()), &token(), None).unwrap());
}

#[test]
fn the_description_is_the_one_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let service = api::service(new_store(folder.path()), &token(), None).unwrap();
    let described = docent::describe::render::describe(service.description());
    assert_golden(
        "tests/golden/library.describe.json",
        &format!("{described:#}\n"),
    );
}

#[test]
fn the_service_has_no_warnings_and_says_where_it_is_only_when_told() {
    let folder = tempfile::tempdir().unwrap();
    let url = "https://library.example/rpc";
    let service = api::service(new_store(folder.path()), &token(), None).unwrap();
    assert_eq!(service.warnings(), [""; 0]);
    assert_eq!(service.description().address, None);
    let service = api::service(new_store(folder.path()), &token(), Some(url)).unwrap();
    assert_eq!(service.description().address.as_deref(), Some(url));
    let error =
        api::service(new_store(folder.path()), &token(), Some("library.example")).unwrap_err();
    assert!(error.to_string().contains("library.example"), "{error}");
}

#[test]
fn every_procedure_is_documented_tagged_and_idempotent_where_it_only_looks() {
    let folder = tempfile::tempdir().unwrap();
    let service = api::service(new_store(folder.path()), &token(), None).unwrap();
    let mut idempotent = Vec::new();
    for procedure in &service.description().procs {
        let name = &*procedure.name;
        let summary = procedure.summary.as_deref().unwrap_or_default();
        assert!(
            summary.ends_with('.') && !summary.contains(". "),
            "{name}: {summary}"
        );
        assert_eq!(procedure.tags.len(), 1, "{name}");
        for param in &procedure.params {
            assert!(param.description.is_some(), "{name}.{}", param.name);
        }
        if procedure.idempotent {
            idempotent.push(name);
        }
    }
    assert_eq!(idempotent.len(), IDEMPOTENT.len());
    assert!(IDEMPOTENT.iter().all(|name| idempotent.contains(name)));
}

#[test]
fn a_code_means_the_same_wherever_it_is_declared() {
    let folder = tempfile::tempdir().unwrap();
    let service = api::service(new_store(folder.path()), &token(), None).unwrap();
    let mut meanings = HashMap::new();
    for procedure in &service.description().procs {
        assert!(!procedure.errors_open);
        for error in &procedure.errors {
            assert!(
                error.description.is_some() && error.data.is_some(),
                "{error:?}"
            );
            assert!(
                error
                    .status
                    .is_some_and(|status| (400..600).contains(&status))
            );
            let first = *meanings.entry(error.code).or_insert(error);
            assert_eq!(first, error, "{}", procedure.name);
        }
    }
    let count = |name: &str| {
        let procedure = service.description().procedure(name).unwrap();
        procedure.errors.len()
    };
    // Its own errors, and the busy database.
    assert_eq!(count("book.find"), 1);
    assert_eq!(count("book.get"), 2);
    assert_eq!(count("loan.start"), 6);
}
