//! Results that violate the published schema, and what the log says about them.

use docent::{CheckResults, Cx, Fault, Procedure, Service};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::log::logged;

#[derive(Serialize, JsonSchema)]
struct Readings {
    #[schemars(inner(range(max = 10)))]
    values: Vec<i32>,
}

const CALL: &str = r#"{"jsonrpc":"2.0","method":"read","id":1}"#;

/// Returns the response and the log of a service whose only result violates its schema.
fn outcome(check: CheckResults) -> (Value, String) {
    let read = |_: Cx, (): ()| {
        Ok::<_, Fault>(Readings {
            values: vec![7, 4711],
        })
    };
    let service = Service::builder("sensor", "urn:example:sensor")
        .procedure(Procedure::sync("read", read))
        .check_results(check)
        .build()
        .expect("a service");
    let (response, log) = logged(&service, CALL);
    let response = serde_json::from_slice(&response.expect("a response")).expect("JSON");
    (response, log)
}

#[test]
fn where_a_result_breaks_its_promise_stands_in_the_log_and_nowhere_else() {
    let (response, log) = outcome(CheckResults::Refuse);
    let incident = response["error"]["data"]["incident"]
        .as_str()
        .expect("an incident");
    assert!(!response.to_string().contains("values") && !response.to_string().contains("4711"));
    for words in [
        incident,
        "read",
        "the result does not match the description",
        "/values/1",
        "4711",
    ] {
        assert!(log.contains(words), "{words}: {log}");
    }
}

#[test]
fn a_result_that_is_only_logged_is_sent_as_it_is() {
    let (response, log) = outcome(CheckResults::Log);
    assert_eq!(response["result"]["values"][1], 4711);
    assert!(
        log.contains("ERROR") && log.contains("read") && log.contains("/values/1"),
        "{log}"
    );

    let (response, log) = outcome(CheckResults::Off);
    assert_eq!(response["result"]["values"][1], 4711);
    assert_eq!(log, "");
}
