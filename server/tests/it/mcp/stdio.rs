//! Tools over standard input and output.

use std::io;
use std::time::Duration;

use docent::mcp::serve_streams;
use docent::{Cx, Fault, Procedure, ServiceBuilder};
use serde_json::{Value, json};

use super::{library, newer, older, text};
use crate::streams::{Output, Raw, pipe};

/// Sends lines, and returns the lines that come back.
pub(super) async fn exchange(service: ServiceBuilder, input: impl Into<Vec<u8>>) -> Vec<Value> {
    let service = service.build().expect("a service");
    let input = io::Cursor::new(input.into());
    let output = Output::default();
    let served = tokio::time::timeout(
        Duration::from_secs(60),
        serve_streams(&service, input, output.clone()),
    );
    served.await.expect("an end").expect("streams");
    let mut lines = output.messages();
    // Responses come when they are there.
    lines.sort_by_key(|line| line["id"].as_i64());
    lines
}

pub(super) fn with_id(mut message: Value, id: i64) -> String {
    message["id"] = json!(id);
    message.to_string()
}

#[actix_web::test]
async fn messages_of_both_revisions_are_answered_line_by_line() {
    let call = json!({"name": "book_find", "arguments": {"words": "a\nb", "limit": 1}});
    let input = [
        with_id(
            older("initialize", &json!({"protocolVersion": "2025-11-25"})),
            1,
        ),
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
        String::new(),
        with_id(older("tools/list", &json!({})), 2),
        with_id(newer("server/discover", json!({})), 3),
        with_id(newer("tools/call", call.clone()), 4),
        with_id(older("tools/call", &call), 5),
    ];
    // The last line has no end.
    let lines = exchange(library(), input.join("\r\n")).await;
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0]["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(
        lines[1]["result"]["tools"].as_array().map(Vec::len),
        Some(5)
    );
    assert!(lines[2]["result"]["supportedVersions"].is_array());
    for (line, frame) in [(3, json!("complete")), (4, Value::Null)] {
        assert_eq!(text(&lines[line]["result"])["title"], "a\nb");
        assert_eq!(lines[line]["result"]["resultType"], frame);
    }
}

#[actix_web::test]
async fn what_is_no_message_is_refused_and_the_next_line_is_read() {
    let ping = with_id(older("ping", &json!({})), 9);
    let endless = "x".repeat(5_000);
    let mut input = Vec::new();
    for line in [
        &b"{"[..],
        b"[]",
        b"\xff",
        endless.as_bytes(),
        b"7",
        ping.as_bytes(),
    ] {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    let limited = library().limits(|limits| limits.max_body_bytes = 1_000);
    let lines = exchange(limited, input).await;
    let mut codes: Vec<_> = lines
        .iter()
        .map(|line| line["error"]["code"].as_i64())
        .collect();
    codes.sort_unstable();
    let expected = [
        None,
        Some(-32700),
        Some(-32700),
        Some(-32600),
        Some(-32600),
        Some(-32003),
    ];
    assert_eq!(codes, expected);
    assert_eq!(lines.iter().filter(|line| line["id"] == 9).count(), 1);
    assert!(
        lines
            .iter()
            .all(|line| line.get("id") != Some(&Value::Null))
    );
    // A version that is not supported is told, as it is over HTTP.
    let unknown = older(
        "tools/list",
        &json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "x"}}),
    );
    let lines = exchange(library(), unknown.to_string()).await;
    assert_eq!(lines[0]["error"]["code"], -32022);
}

#[actix_web::test]
async fn json_of_a_handler_with_line_breaks_stays_on_one_line() {
    let pretty =
        serde_json::value::RawValue::from_string("{\n  \"a\": 1\n}".to_owned()).expect("JSON");
    let service = library().procedure(
        Procedure::sync("pretty", move |_: Cx, (): ()| {
            Ok::<_, Fault>(Raw(pretty.clone()))
        })
        .tool(),
    );
    let lines = exchange(
        service,
        older("tools/call", &json!({"name": "pretty"})).to_string(),
    )
    .await;
    assert_eq!(lines.len(), 1);
    assert_eq!(
        lines[0]["result"]["structuredContent"]["result"],
        json!({"a": 1})
    );
}

#[actix_web::test]
async fn calls_run_at_the_same_time_and_a_cancelled_one_is_not_answered() {
    let wait = Procedure::new("wait", |_: Cx, (): ()| async {
        tokio::time::sleep(Duration::from_secs(600)).await;
        Ok::<_, Fault>(())
    });
    let service = library()
        .procedure(wait.idempotent().tool())
        .build()
        .expect("a service");
    let (input, reader) = pipe();
    let output = Output::default();
    let written = output.clone();
    let talk = async move {
        let say = |message: String| input.send(message + "\n").expect("a reader");
        say(with_id(older("tools/call", &json!({"name": "wait"})), 1));
        say(with_id(older("ping", &json!({})), 2));
        let is_answered = || !written.text().is_empty();
        while !is_answered() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        say(json!({
            "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}
        })
        .to_string());
    };
    let served = tokio::time::timeout(
        Duration::from_secs(60),
        futures_util::future::join(serve_streams(&service, reader, output.clone()), talk),
    );
    served.await.expect("an end").0.expect("streams");
    assert_eq!(
        output.text(),
        "{\"jsonrpc\":\"2.0\",\"result\":{},\"id\":2}\n"
    );
}
