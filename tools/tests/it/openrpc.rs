//! OpenRPC in both directions. Each document here has a trait that was found in a real one.

mod read;
mod rendered;
mod sent;
mod written;

use docent_describe::json::Json;
use docent_describe::render::{OpenRpcVersion, describe, openrpc};
use docent_describe::{Deprecation, ProcedureDescription};
use docent_tools::read::Format;

use crate::library::service;
use crate::read::{reading, warnings};

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
    let mut since = Deprecation::default();
    since.since = Some("2".into());
    assert_eq!(method.deprecated, Some(since));
    assert_eq!(service.extensions["$x-top"], Json::from(1));
    let again = self::reading(&openrpc(&service, OpenRpcVersion::V1_3_2).to_string());
    assert_eq!(again.description, service);
    let described = self::reading(&describe(&service).to_string());
    assert_eq!(described.description, service);
}
