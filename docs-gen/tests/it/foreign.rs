//! Services that Docent does not serve: their pages must not say what only holds for Docent's.

use docent_describe::render::{OpenRpcVersion, describe, openrpc};
use docent_describe::{Origin, ServiceDescription};
use docent_docs_gen::Site;
use docent_tools::read::read;

use crate::library::library;
use crate::pages::{check, site, text};

/// Returns a document that declares codes of Docent with another meaning.
const WEATHER: &str = r#"{
    "openrpc": "1.3.2",
    "info": {"title": "Weather", "version": "1"},
    "methods": [{
        "name": "forecast", "summary": "Forecasts.", "deprecated": true, "x-idempotent": true,
        "params": [], "result": {"name": "r", "schema": {"type": "string"}},
        "errors": [
            {"code": -32005, "message": "Service is busy"},
            {"code": -32602, "message": "No such town"},
            {"code": -32001, "message": "Key expired"}
        ],
        "x-security": ["key"],
        "x-errors": [
            {"code": -32005, "message": "Service is busy", "$status": 409},
            {"code": -32602, "message": "No such town"},
            {"code": -32001, "message": "Key expired", "retry": false}
        ]
    }]
}"#;

/// Words that only hold for Docent's services.
const OF_DOCENT: [&str; 14] = [
    "smaller batches",
    "too many calls",
    "ran out of time",
    "the same order",
    "succeeds or fails independently",
    "only trailing ones",
    "data says which one and why",
    "failed unexpectedly",
    "may already have had an effect",
    "-32007",
    "returns no other errors",
    "GET",
    "HTTP status",
    "Still works",
];

fn description(document: &str) -> ServiceDescription {
    read(document.as_bytes())
        .expect("a description")
        .description
}

/// Returns every text that a reader may see.
fn everything(site: &Site) -> Vec<(String, String)> {
    let paths = site.paths().filter(|path| {
        let readable = [".html", ".md", ".txt"]
            .iter()
            .any(|end| path.ends_with(end));
        readable && !path.starts_with("assets/")
    });
    paths
        .map(|path| (path.to_owned(), text(site, path)))
        .collect()
}

#[test]
fn nothing_is_said_of_a_foreign_service_but_what_its_description_says() {
    let site = site(description(WEATHER));
    check(&site);
    for (path, page) in everything(&site) {
        for words in OF_DOCENT {
            assert!(!page.contains(words), "{path}: {words}");
        }
    }
    let page = text(&site, "forecast.html");
    let said = page.matches("Retry? </span>").count();
    assert_eq!(said, 1, "as declared");
    assert!(page.contains("Service is busy") && page.contains("Key expired"));
    assert!(page.contains("<a class=\"mark idempotent\""));
}

#[test]
fn the_five_codes_of_the_specification_are_explained_in_its_words() {
    let site = site(description(WEATHER));
    for (path, page) in everything(&site) {
        if matches!(path.as_str(), "errors.html" | "errors.md") {
            for words in [
                "Invalid JSON was received by the server.",
                "The JSON sent is not a valid Request object.",
                "The method does not exist / is not available.",
                "Invalid method parameter(s).",
                "Internal JSON-RPC error.",
            ] {
                assert!(page.contains(words), "{path}: {words}");
            }
            let (_, protocol) = page.split_once("JSON-RPC 2.0 defines").expect("there");
            assert!(!protocol.contains("Retry?"), "{path}");
        }
    }
}

#[test]
fn a_docent_service_is_known_by_its_openrpc_document_too() {
    let document = openrpc(&library(), OpenRpcVersion::V1_3_2).to_string();
    let again = description(&document);
    assert_eq!(again.origin, Origin::Docent);
    let site = site(again);
    assert!(text(&site, "errors.html").contains("smaller batches"));
    assert!(text(&site, "index.html").contains("the same order"));
}

#[test]
fn a_description_that_was_converted_remembers_what_it_was() {
    let converted = describe(&description(WEATHER)).to_string();
    let again = description(&converted);
    assert_eq!(again.origin, Origin::OpenRpc);
    let errors = text(&site(again), "errors.html");
    assert!(!errors.contains("smaller batches"));
}

#[test]
fn json_rpc_1_1_has_get_and_nothing_else_of_docents() {
    let document = r#"{
        "sdversion": "1.0", "name": "Clock", "id": "urn:clock",
        "procs": [{"name": "now", "idempotent": true, "return": "str"}]
    }"#;
    let site = site(description(document));
    check(&site);
    assert!(text(&site, "now.html").contains("class=\"mark get\""));
    for (path, page) in everything(&site) {
        for words in OF_DOCENT.into_iter().filter(|words| *words != "GET") {
            assert!(!page.contains(words), "{path}: {words}");
        }
    }
}
