//! Differences between the revisions that begin with `initialize`.

use serde_json::{Value, json};

use super::stdio::{exchange, with_id};
use super::{ALL, OLDER, body, library, older, result, send, send_newer, start, start_with, text};

const V: &str = "MCP-Protocol-Version";

/// Versions that a client asks for, the version that is agreed on, and whether tools then have structured
/// results.
const AGREED: &str = "
2024-11-05 | 2024-11-05 | no
2025-03-26 | 2025-03-26 | no
2025-06-18 | 2025-06-18 | yes
2025-11-25 | 2025-11-25 | yes
2026-07-28 | 2025-11-25 | yes
1900-01-01 | 2025-11-25 | yes
";

fn agreed() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    AGREED.trim().lines().map(|line| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let [asked, agreed, has_structure] = *cells else {
            panic!("{line}");
        };
        (asked, agreed, has_structure == "yes")
    })
}

fn initialize(version: &str) -> Value {
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
    older("initialize", &params)
}

fn call_find() -> Value {
    let params = json!({"name": "book_find", "arguments": {"words": "a", "limit": 1}});
    older("tools/call", &params)
}

/// Checks a list of tools, and the result of [`call_find`].
fn check(list: &Value, found: &Value, has_structure: bool, what: &str) {
    let tools = list["tools"].as_array().expect("tools");
    assert_eq!(tools.len(), 5, "{what}");
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{what}");
    }
    assert_eq!(
        tools[0].get("outputSchema").is_some(),
        has_structure,
        "{what}"
    );
    assert_eq!(text(found)["title"], "a", "{what}");
    assert_eq!(found["isError"], false, "{what}");
    assert_eq!(
        found.get("structuredContent").is_some(),
        has_structure,
        "{what}"
    );
}

#[test]
fn a_client_gets_its_revision_and_what_that_has() {
    let server = start();
    for (asked, agreed, has_structure) in agreed() {
        let introduced = result(&send(&server, &initialize(asked).to_string(), &[]));
        assert_eq!(introduced["protocolVersion"], agreed, "{asked}");
        assert_eq!(introduced["capabilities"], json!({"tools": {}}), "{asked}");
        let say = |message: Value| send(&server, &message.to_string(), &[(V, agreed)]);
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(say(ready).status, 202, "{asked}");
        assert_eq!(
            result(&say(older("ping", &json!({})))),
            json!({}),
            "{asked}"
        );
        let list = result(&say(older("tools/list", &json!({}))));
        check(&list, &result(&say(call_find())), has_structure, asked);
    }
    // Clients of 2025-03-26 name no version.
    let say = |message: Value| result(&send(&server, &message.to_string(), &[]));
    let list = say(older("tools/list", &json!({})));
    check(&list, &say(call_find()), false, "without a version");
}

#[actix_web::test]
async fn a_connection_keeps_the_revision_that_it_began_with() {
    for (asked, agreed, has_structure) in agreed() {
        let messages = [
            initialize(asked),
            older("tools/list", &json!({})),
            call_find(),
        ];
        let lines: Vec<_> = messages
            .into_iter()
            .zip(1..)
            .map(|(message, id)| with_id(message, id))
            .collect();
        let lines = exchange(library(), lines.join("\n")).await;
        assert_eq!(lines[0]["result"]["protocolVersion"], agreed, "{asked}");
        check(
            &lines[1]["result"],
            &lines[2]["result"],
            has_structure,
            asked,
        );
    }
}

/// Batches by the only revision that has them, and the error codes and results that are answered: an ID
/// with a code, or with nothing.
const BATCHES: &str = r#"
two calls | [{"jsonrpc":"2.0","method":"ping","id":1},{"jsonrpc":"2.0","method":"tools/list","id":"b"}] | 200 | 1, "b"
a notification among them | [{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","method":"ping","id":1}] | 200 | 1
notifications alone | [{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","method":"notifications/cancelled"}] | 202 |
an error | [{"jsonrpc":"2.0","method":"nope","id":1},{"jsonrpc":"2.0","method":"ping","id":2}] | 200 | 1 -32601, 2
no request | [7,{"jsonrpc":"2.0","method":"ping","id":null}] | 200 | null -32600, null -32600
an unknown tool | [{"jsonrpc":"2.0","method":"tools/call","params":{"name":"nope"},"id":1}] | 200 | 1 -32602
too many | [1,2,3,4] | 400 | null -32005
none | [] | 400 | null -32600
"#;

#[test]
fn a_batch_is_answered_in_order_where_the_revision_has_batches() {
    let server = start_with(library().limits(|limits| limits.max_batch_entries = 3));
    for line in BATCHES.trim().lines() {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let [what, batch, status, expected] = *cells else {
            panic!("{line}");
        };
        for fields in [&[][..], &[(V, "2025-03-26")]] {
            let response = send(&server, batch, fields);
            let responses = match body(&response) {
                Value::Array(responses) => responses,
                Value::Null => Vec::new(),
                one => vec![one],
            };
            let responses: Vec<_> = responses
                .iter()
                .map(|response| {
                    let code = response["error"]["code"].as_i64();
                    let code = code.map_or(String::new(), |code| format!(" {code}"));
                    format!("{}{code}", response["id"])
                })
                .collect();
            assert_eq!(
                (response.status.to_string(), responses.join(", ")),
                (status.to_owned(), expected.to_owned()),
                "{what}"
            );
        }
        for version in ["2024-11-05", "2025-06-18", OLDER] {
            let response = send(&server, batch, &[(V, version)]);
            assert_eq!(response.status, 400, "{what}: {version}");
        }
    }
}

#[test]
fn a_batch_has_the_limits_of_batches() {
    let ping = r#"{"jsonrpc":"2.0","method":"ping","id":1}"#;
    let find = call_find().to_string();
    let full = start_with(library().limits(|limits| limits.max_response_bytes = 300));
    let responses = body(&send(&full, &format!("[{find},{find},{find}]"), &[]));
    let last = &responses[2];
    assert_eq!(
        (&last["error"]["code"], &last["id"]),
        (&json!(-32004), &json!(1)),
        "{responses}"
    );
    assert_eq!(responses[0]["result"]["isError"], false, "{responses}");

    let none = std::time::Duration::ZERO;
    let late = start_with(library().limits(|limits| limits.batch_timeout = Some(none)));
    let responses = body(&send(&late, &format!("[{ping}]"), &[]));
    assert_eq!(responses[0]["error"]["code"], -32001, "{responses}");
    assert_eq!(responses[0]["error"]["data"], json!({"started": false}));

    let server = start();
    let keyed = send(&server, &format!("[{ping}]"), &[("Idempotency-Key", "k")]);
    assert_eq!(
        (keyed.status, body(&keyed)["error"]["code"].as_i64()),
        (400, Some(-32600))
    );
}

#[actix_web::test]
async fn a_connection_takes_batches_where_its_revision_has_them() {
    let batch = r#"[{"jsonrpc":"2.0","method":"ping","id":7}]"#;
    for version in &ALL[1..] {
        let begin = with_id(initialize(version), 1);
        let lines = exchange(library(), format!("{begin}\n{batch}")).await;
        let has_batches = *version == "2025-03-26";
        let answered = lines.iter().any(|line| line[0]["id"] == 7);
        let refused = lines.iter().any(|line| line["error"]["code"] == -32600);
        assert_eq!(
            (answered, refused),
            (has_batches, !has_batches),
            "{lines:?}"
        );
    }
}

#[test]
fn instructions_are_those_that_the_author_wrote_for_models() {
    let service = library()
        .instructions("Find first.")
        .build()
        .expect("a service");
    let next = service.extend().version("2").build().expect("a service");
    for service in [service, next] {
        let server = docent::testing::TestServer::start(service).expect("a server");
        let introduced = result(&send(&server, &initialize(OLDER).to_string(), &[]));
        let discovered = result(&send_newer(&server, "server/discover", json!({})));
        for said in [introduced, discovered] {
            assert_eq!(said["instructions"], "Find first.", "{said}");
        }
    }
}
