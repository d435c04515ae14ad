//! Reasons, in words, why a message is not a request. Where the specification's examples give no reason,
//! there is none.

use docent_core::{Cx, Fault, Procedure, Service};
use serde_json::{Value, json};

use crate::builder;

fn service(v1_1: bool, v1_0: bool) -> Service {
    let service = builder()
        .procedure(Procedure::sync("sum", |_: Cx, addends: Vec<i64>| {
            Ok::<_, Fault>(addends.iter().sum::<i64>())
        }))
        .protocols(|protocols| {
            protocols.v1_1 = v1_1;
            protocols.v1_0 = v1_0;
        });
    service.build().expect("a service")
}

async fn answer(service: &Service, body: &str) -> Value {
    let response = service.handle(body.to_owned()).await.expect("an answer");
    serde_json::from_slice(&response).expect("JSON")
}

/// Checks that each body is rejected with this code, and with a reason that contains these words,
/// or with none.
async fn refused(service: &Service, code: i64, table: &[(&str, &str)]) {
    for (body, words) in table {
        let response = answer(service, body).await;
        let response = response.get(0).unwrap_or(&response);
        assert_eq!(response["error"]["code"], code, "{body}");
        let data = &response["error"]["data"];
        match *words {
            "" => assert_eq!(*data, Value::Null, "{body}"),
            words => {
                let reason = data["reason"].as_str().unwrap_or_default();
                assert!(
                    reason.contains(words),
                    "{words:?} is not in {reason:?}: {body}"
                );
                assert_eq!(*data, json!({"reason": reason}), "{body}");
            }
        }
    }
}

#[tokio::test]
async fn an_invalid_request_says_why_unless_the_specification_shows_it_bare() {
    let bare = [
        "1",
        "\"sum\"",
        "null",
        "[]",
        "[1]",
        "{}",
        r#"{"foo": "boo"}"#,
        r#"{"id": 1, "id": 2}"#,
        r#"{"params": [], "id": 1}"#,
        r#"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#,
        r#"{"jsonrpc": "2.0", "method": null, "id": {}}"#,
        r#"{"method": 1}"#,
        r#"[{"version": "1.1", "method": []}]"#,
    ]
    .map(|body| (body, ""));
    let service = service(true, false);
    refused(&service, -32600, &bare).await;
    refused(
        &service,
        -32600,
        &[
            (
                r#"{"method": "sum", "params": [1], "id": 1}"#,
                "jsonrpc is missing",
            ),
            (r#"{"method": "sum"}"#, "jsonrpc is missing"),
            (r#"[{"method": "sum", "id": 1}]"#, "jsonrpc is missing"),
            (
                r#"{"version": "1.0", "method": "sum"}"#,
                "version must be exactly \"1.1\"",
            ),
            (
                r#"{"version": 1.1, "method": "sum"}"#,
                "version must be exactly \"1.1\"",
            ),
            (r#"{"version": "1.2"}"#, "version must be exactly \"1.1\""),
            (
                r#"[{"version": "1.1", "method": "sum"}]"#,
                "JSON-RPC 1.1 has no batches",
            ),
            (r#"{"jsonrpc": "2.0"}"#, "method is missing"),
            (
                r#"{"jsonrpc": "2.0", "params": [], "id": 1}"#,
                "method is missing",
            ),
            (r#"{"jsonrpc": "2", "method": "sum"}"#, "exactly \"2.0\""),
            (r#"{"jsonrpc": 2.0, "method": 1}"#, "exactly \"2.0\""),
            (
                r#"{"jsonrpc": "2.0", "method": "sum", "id": {}}"#,
                "id must be",
            ),
            (
                r#"{"jsonrpc": "2.0", "method": "sum", "params": 1}"#,
                "params must be",
            ),
            (
                r#"{"jsonrpc": "2.0", "method": "sum", "id": 1, "id": 1}"#,
                "must not be repeated",
            ),
            (
                r#"{"method": "sum", "method": "sum"}"#,
                "must not be repeated",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_version_that_is_switched_off_is_named() {
    let only_2_0 = service(false, false);
    let body = r#"{"version": "1.1", "method": "sum", "id": 1}"#;
    refused(
        &only_2_0,
        -32600,
        &[(body, "this service does not support JSON-RPC 1.1")],
    )
    .await;
    let all = service(true, true);
    let body = r#"{"version": "1.0", "method": "sum", "params": [1], "id": 1}"#;
    assert_eq!(answer(&all, body).await["result"], 1);
}

#[tokio::test]
async fn a_parse_error_says_why_where_the_body_is_nested_too_deeply_and_only_there() {
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let object = format!("{}1{}", r#"{"a":"#.repeat(129), "}".repeat(129));
    let within = format!(
        r#"{{"jsonrpc": "2.0", "method": "sum", "params": {}}}"#,
        deep(128)
    );
    let reason = "at most 128 levels of brackets are allowed";
    let service = service(true, false);
    refused(
        &service,
        -32700,
        &[
            (&deep(129), reason),
            (&deep(100_000), reason),
            (&object, reason),
            (&within, reason),
            ("{", ""),
            ("", ""),
            (
                r#"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#,
                "",
            ),
            (&"[".repeat(128), ""),
        ],
    )
    .await;
    refused(&service, -32600, &[(&deep(128), "")]).await;
    let response: Value =
        serde_json::from_slice(&service.handle(&b"\"\xff\""[..]).await.expect("an answer"))
            .expect("JSON");
    assert_eq!(
        response["error"],
        json!({"code": -32700, "message": "Parse error"})
    );
}
