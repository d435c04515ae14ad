//! Messages, header fields and statuses: what each revision of the specification requires.

use serde_json::{Value, json};

use super::{ALL, NEWER, OLDER, body, newer, older, result, send, send_newer, start};

/// The header field with the revision of a message.
const VERSION: &str = "MCP-Protocol-Version";

/// Each row has a promise, a message, its header fields, and the status and the error code of the response. A message that begins with `older` or `newer` is a
/// request of that revision: a method and parameters. `V`, `M` and `N` are the fields
/// `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name`.
const TABLE: &str = r#"
initialize needs no header field | older initialize {"protocolVersion": "2024-11-05"} | | 200
initialize without a version | older initialize {} | | 200 -32602
initialize is older | newer initialize {"protocolVersion": "2025-11-25"} | V=2026-07-28 M=initialize | 404 -32601
the older revision without a header field | older tools/list {} | | 200
the older revision with it | older tools/list {} | V=2025-11-25 | 200
ping is of the older revision | older ping {} | V=2025-11-25 | 200
ping is not of the newer one | newer ping {} | V=2026-07-28 M=ping | 404 -32601
discovery is of the newer revision | newer server/discover {} | V=2026-07-28 M=server/discover | 200
discovery is not of the older one | older server/discover {} | V=2025-11-25 | 200 -32601
an unknown method, older | older prompts/list {} | V=2025-11-25 | 200 -32601
an unknown method, newer | newer prompts/list {} | V=2026-07-28 M=prompts/list | 404 -32601
a procedure is no method | older book.find {} | V=2025-11-25 | 200 -32601
the newer revision | newer tools/list {} | V=2026-07-28 M=tools/list | 200
field names in any case | newer tools/list {} | mcp-protocol-version=2026-07-28 MCP-METHOD=tools/list | 200
no version in the head | newer tools/list {} | M=tools/list | 400 -32020
another version in the head | newer tools/list {} | V=2025-11-25 M=tools/list | 400 -32020
no method in the head | newer tools/list {} | V=2026-07-28 | 400 -32020
another method in the head | newer tools/list {} | V=2026-07-28 M=tools/call | 400 -32020
a method in another case | newer tools/list {} | V=2026-07-28 M=Tools/List | 400 -32020
no name in the head | newer tools/call {"name": "forget"} | V=2026-07-28 M=tools/call | 400 -32020
another name in the head | newer tools/call {"name": "forget"} | V=2026-07-28 M=tools/call N=sum | 400 -32020
the name in the head | newer tools/call {"name": "forget"} | V=2026-07-28 M=tools/call N=forget | 200
an encoded name | newer tools/call {"name": "forget"} | V=2026-07-28 M=tools/call N==?base64?Zm9yZ2V0?= | 200
another encoded name | newer tools/call {"name": "forget"} | V=2026-07-28 M=tools/call N==?base64?c3Vt?= | 400 -32020
an unknown version, older | older tools/list {} | V=1900-01-01 | 400 -32022
an unknown version, newer | older tools/list {"_meta": {"io.modelcontextprotocol/protocolVersion": "2030-01-01"}} | V=2030-01-01 | 400 -32022
no _meta | older tools/list {} | V=2026-07-28 M=tools/list | 400 -32602
_meta without capabilities | older tools/list {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}} | V=2026-07-28 M=tools/list | 400 -32602
capabilities that are no object | older tools/list {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": 1}} | V=2026-07-28 M=tools/list | 400 -32602
a version that is no string | older tools/list {"_meta": {"io.modelcontextprotocol/protocolVersion": 1}} | V=2026-07-28 M=tools/list | 400 -32602
_meta that is no object | older tools/list {"_meta": []} | V=2025-11-25 | 400 -32602
a cursor | older tools/list {"cursor": "x"} | V=2025-11-25 | 200 -32602
no cursor | older tools/list {"cursor": null} | V=2025-11-25 | 200
an empty array | [] | V=2025-11-25 | 400 -32600
an array | [{"jsonrpc": "2.0", "method": "ping", "id": 1}] | V=2025-11-25 | 400 -32600
an array of two | [{"jsonrpc": "2.0", "method": "ping", "id": 1}, {"jsonrpc": "2.0", "method": "ping", "id": 2}] | V=2025-06-18 | 400 -32600
no JSON | { | | 400 -32700
nothing | | | 400 -32700
a scalar | 7 | | 400 -32600
a response | {"jsonrpc": "2.0", "result": {}, "id": 1} | V=2025-11-25 | 400 -32600
JSON-RPC 1.1 | {"version": "1.1", "method": "ping"} | | 400 -32600
no jsonrpc | {"method": "ping", "id": 1} | | 400 -32600
id null | {"jsonrpc": "2.0", "method": "ping", "id": null} | | 400 -32600
two methods | {"jsonrpc": "2.0", "method": "ping", "method": "tools/list", "id": 1} | | 400 -32600
params that are an array | {"jsonrpc": "2.0", "method": "ping", "params": [], "id": 1} | | 400 -32602
a notification with an id | older notifications/initialized {} | V=2025-11-25 | 200 -32601
"#;

/// Returns the message that a cell stands for.
fn message(cell: &str) -> String {
    let words: Vec<_> = cell.splitn(3, ' ').collect();
    match *words {
        ["older", method, params] => older(method, &parse(params)).to_string(),
        ["newer", method, params] => newer(method, parse(params)).to_string(),
        _ => cell.to_owned(),
    }
}

fn parse(params: &str) -> Value {
    serde_json::from_str(params).expect("parameters")
}

/// Returns the header fields that a cell stands for.
fn fields(cell: &str) -> Vec<(&str, &str)> {
    cell.split_whitespace()
        .filter_map(|field| field.split_once('='))
        .map(|(name, value)| match name {
            "V" => (VERSION, value),
            "M" => ("Mcp-Method", value),
            "N" => ("Mcp-Name", value),
            name => (name, value),
        })
        .collect()
}

#[test]
fn each_message_gets_the_status_and_the_code_of_its_revision() {
    let server = start();
    for line in TABLE.trim().lines() {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let [promise, request, head, expected] = *cells else {
            panic!("{line}");
        };
        let response = send(&server, &message(request), &fields(head));
        let body = body(&response);
        let outcome = match body["error"]["code"].as_i64() {
            Some(code) => format!("{} {code}", response.status),
            None => response.status.to_string(),
        };
        assert_eq!(outcome, expected, "{promise}: {body}");
        let media_type = response.header("content-type");
        assert_eq!(media_type, Some("application/json"), "{promise}");
        // A response to a message without an `id` has none either: null is no `id` of this protocol.
        assert_ne!(body.get("id"), Some(&Value::Null), "{promise}: {body}");
    }
    let deep = send(&server, &"[".repeat(100_000), &[]);
    assert_eq!(
        (deep.status, body(&deep)["error"]["code"].as_i64()),
        (400, Some(-32700))
    );
}

#[test]
fn a_notification_is_accepted_without_a_body_and_changes_nothing() {
    let server = start();
    for (method, fields) in [
        ("notifications/initialized", vec![]),
        ("notifications/initialized", vec![(VERSION, OLDER)]),
        ("notifications/cancelled", vec![(VERSION, OLDER)]),
        ("notifications/of/ours", vec![(VERSION, NEWER)]),
        ("tools/call", vec![(VERSION, OLDER)]),
    ] {
        let message = json!({"jsonrpc": "2.0", "method": method}).to_string();
        let response = send(&server, &message, &fields);
        assert_eq!(
            (response.status, &*response.body),
            (202, &b""[..]),
            "{method}"
        );
        assert_eq!(response.header("content-type"), None);
    }
    let unsupported = r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#;
    assert_eq!(
        send(&server, unsupported, &[(VERSION, "1900-01-01")]).status,
        400
    );
}

#[test]
fn ids_come_back_as_they_were_written() {
    let server = start();
    for id in ["1.0", "-1", "12345678901234567890", r#""a\u0062""#, r#""""#] {
        let message = format!(r#"{{"jsonrpc":"2.0","method":"ping","id":{id}}}"#);
        let response = send(&server, &message, &[(VERSION, OLDER)]);
        let text = String::from_utf8(response.body).expect("UTF-8");
        assert!(text.ends_with(&format!(",\"id\":{id}}}")), "{text}");
    }
}

#[test]
fn members_that_decide_must_not_be_repeated() {
    let server = start();
    for params in [
        r#"{"name":"forget","name":"book_find"}"#,
        r#"{"name":"book_find","arguments":{"words":"a"},"arguments":{}}"#,
        r#"{"name":"forget","n\u0061me":"book_find"}"#,
        r#"{"name":"forget","_meta":{},"_meta":{}}"#,
        r#"{"name":"forget","_meta":{"io.modelcontextprotocol/protocolVersion":"a","io.modelcontextprotocol/protocolVersion":"b"}}"#,
    ] {
        let message =
            format!(r#"{{"jsonrpc":"2.0","method":"tools/call","params":{params},"id":1}}"#);
        let response = send(&server, &message, &[(VERSION, OLDER)]);
        assert_eq!(body(&response)["error"]["code"], -32602, "{params}");
    }
}

#[test]
fn a_service_introduces_itself_by_each_revision() {
    let server = start();
    let params = json!({"protocolVersion": OLDER, "capabilities": {}});
    let introduced = result(&send(
        &server,
        &older("initialize", &params).to_string(),
        &[],
    ));
    assert_eq!(introduced["protocolVersion"], OLDER);
    assert_eq!(
        introduced["serverInfo"],
        json!({"name": "library", "version": "1.4"})
    );
    assert_eq!(introduced["capabilities"], json!({"tools": {}}));
    // The rest of the documentation is for people.
    assert_eq!(introduced["instructions"], "Lends books.");

    let discovered = result(&send_newer(&server, "server/discover", json!({})));
    assert_eq!(discovered["supportedVersions"], json!(ALL));
    assert_eq!(discovered["resultType"], "complete");
    assert_eq!(discovered["cacheScope"], "public");
    assert!(discovered["ttlMs"].as_u64().is_some());
    let server_info = &discovered["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(*server_info, json!({"name": "library", "version": "1.4"}));
}

#[test]
fn the_error_for_a_version_lists_those_that_there_are() {
    let server = start();
    let message = older("tools/list", &json!({})).to_string();
    let response = send(&server, &message, &[(VERSION, "1900-01-01")]);
    assert_eq!(
        body(&response)["error"]["data"],
        json!({"supported": ALL, "requested": "1900-01-01"})
    );
}
