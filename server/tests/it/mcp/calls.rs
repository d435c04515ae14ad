//! Tools: how they are listed, and what their calls get.

use std::time::Duration;

use docent::{Cx, Fault, MemoryKeyStore, Procedure, ResultExt as _, Service, json as value};
use schemas::complete;
use serde_json::{Value, json};

use super::{
    ID, OLDER, body, call, library, older, result, send, send_newer, start, start_with, text,
};

fn listed(newer: bool) -> Value {
    let server = start();
    if newer {
        return result(&send_newer(&server, "tools/list", json!({})));
    }
    let message = older("tools/list", &json!({})).to_string();
    result(&send(&server, &message, &[("MCP-Protocol-Version", OLDER)]))
}

mod schemas {
    use serde_json::Value;

    /// Checks that all references of a schema lead to its own `$defs`.
    pub(super) fn complete(schema: &Value) {
        fn check(root: &Value, value: &Value) {
            if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
                let pointer = reference.strip_prefix('#').expect("a reference within");
                assert!(pointer.starts_with("/$defs/"), "{reference}");
                assert!(root.pointer(pointer).is_some(), "{reference} in {root}");
            }
            match value {
                Value::Object(members) => members.values().for_each(|value| check(root, value)),
                Value::Array(items) => items.iter().for_each(|item| check(root, item)),
                _ => {}
            }
        }
        check(schema, schema);
    }
}

#[test]
fn tools_are_the_procedures_that_were_chosen_with_complete_schemas() {
    let list = listed(false);
    let tools = list["tools"].as_array().expect("tools");
    let names: Vec<_> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(names, ["book_find", "add_up", "forget", "broken", "slow"]);
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object");
        complete(&tool["inputSchema"]);
        if let Some(output) = tool.get("outputSchema") {
            assert_eq!(output["type"], "object");
            complete(output);
        }
    }
    let find = &tools[0];
    assert_eq!(
        find["description"],
        "Finds books by words in their title.\n\nLonger words are better."
    );
    assert_eq!(find["annotations"], json!({"readOnlyHint": true}));
    let input = &find["inputSchema"];
    assert_eq!(input["required"], json!(["words"]));
    assert_eq!(input["additionalProperties"], false);
    assert_eq!(
        input["properties"]["words"]["description"],
        "Words to look for."
    );
    assert_eq!(input["properties"]["limit"]["default"], 3);
    assert_eq!(input["properties"]["limit"]["maximum"], 100);
    // The tree refers to itself.
    assert_eq!(
        input["$defs"]["TopicInput"]["properties"]["below"]["items"]["$ref"],
        "#/$defs/TopicInput"
    );
    assert_eq!(
        find["outputSchema"]["properties"]["title"]["type"],
        "string"
    );
}

#[test]
fn what_is_no_object_becomes_one() {
    let list = listed(false);
    let tools = list["tools"].as_array().expect("tools");
    let sum = &tools[1];
    assert_eq!(sum["annotations"], Value::Null);
    assert_eq!(sum["inputSchema"]["properties"]["values"]["type"], "array");
    assert_eq!(
        sum["outputSchema"]["properties"]["result"]["type"],
        "number"
    );
    assert_eq!(sum["outputSchema"]["required"], json!(["result"]));
    assert_eq!(tools[2].get("outputSchema"), None);
    assert_eq!(tools[2]["inputSchema"]["properties"], json!({}));

    let server = start();
    let summed = call(&server, "add_up", &json!({"values": [1, 2.5]}));
    assert_eq!(summed["structuredContent"], json!({"result": 3.5}));
    assert_eq!(text(&summed), json!({"result": 3.5}));
    assert_eq!(summed["isError"], false);
    let forgotten = call(&server, "forget", &Value::Null);
    assert_eq!(forgotten.get("structuredContent"), None);
    assert_eq!(text(&forgotten), Value::Null);
}

#[test]
fn the_newer_revision_says_for_how_long_a_list_holds() {
    let list = listed(true);
    assert_eq!(list["tools"], listed(false)["tools"]);
    assert_eq!(list["resultType"], "complete");
    assert_eq!(list["cacheScope"], "public");
    assert!(list["ttlMs"].as_u64().is_some());
    assert_eq!(listed(false).as_object().map(serde_json::Map::len), Some(1));
}

#[test]
fn a_result_comes_as_structure_and_as_text() {
    let server = start();
    let arguments = json!({"words": "\"é\u{1f40b}\\\n", "limit": 2, "topic": {"name": "sea"}});
    let found = call(&server, "book_find", &arguments);
    let expected = json!({
        "title": "\"é\u{1f40b}\\\n\"é\u{1f40b}\\\n",
        "topic": {"name": "sea", "below": []}
    });
    assert_eq!(found["structuredContent"], expected);
    assert_eq!(text(&found), expected);
    assert_eq!(found.get("resultType"), None);

    let params = json!({"name": "book_find", "arguments": {"words": "a"}});
    let found = result(&send_newer(&server, "tools/call", params));
    assert_eq!(found["resultType"], "complete");
    assert_eq!(found["structuredContent"]["title"], "aaa");
    assert_eq!(
        found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "library"
    );
}

#[test]
fn a_failed_call_tells_the_model_why() {
    let server = start();
    for (tool, arguments, code, data) in [
        (
            "book_find",
            json!({"words": "none"}),
            1404,
            json!({"book": 7}),
        ),
        (
            "book_find",
            json!({"words": "a", "limit": 1000}),
            -32602,
            json!({"parameter": "limit", "pointer": "", "reason": "expected an integer from 1 to 100, found 1000"}),
        ),
        (
            "book_find",
            json!({}),
            -32602,
            json!({"parameter": "words", "pointer": "", "reason": "this required parameter is missing"}),
        ),
    ] {
        let failed = call(&server, tool, &arguments);
        assert_eq!(failed["isError"], true, "{failed}");
        assert_eq!(failed.get("structuredContent"), None, "{failed}");
        let error = text(&failed);
        assert_eq!(error["code"], code, "{error}");
        assert_eq!(error["data"], data, "{error}");
    }
    let declared = call(&server, "book_find", &json!({"words": "none"}));
    assert_eq!(text(&declared)["retry"], false);
    let broken = text(&call(&server, "broken", &json!({})));
    assert_eq!(broken["code"], -32603);
    assert_eq!(broken["data"]["incident"].as_str().map(str::len), Some(16));
    let slow = text(&call(&server, "slow", &json!({})));
    assert_eq!(
        (slow["code"].as_i64(), slow["retry"].as_bool()),
        (Some(-32001), Some(true))
    );
}

#[test]
fn a_busy_service_asks_the_model_to_try_again() {
    let server = start_with(library().limits(|limits| limits.max_concurrent_calls = 0));
    let busy = text(&call(&server, "book_find", &json!({"words": "a"})));
    assert_eq!(
        (busy["code"].as_i64(), busy["retry"].as_bool()),
        (Some(-32002), Some(true))
    );
}

#[test]
fn a_call_that_is_none_is_an_error_of_the_protocol() {
    let server = start();
    for (params, message) in [
        (json!({"name": "book_fnd"}), "Unknown tool: book_fnd"),
        (json!({"name": "hidden"}), "Unknown tool: hidden"),
        (json!({"name": "sum"}), "Unknown tool: sum"),
        (
            json!({"name": "rpc.describe"}),
            "Unknown tool: rpc.describe",
        ),
        (json!({"name": ""}), "Unknown tool: "),
        (
            json!({"arguments": {}}),
            "Invalid params: missing field `name`",
        ),
        (
            json!({"name": 7}),
            "Invalid params: invalid type: integer `7`, expected a string",
        ),
        (
            json!({"name": "book_find", "arguments": []}),
            "Invalid params: arguments must be an object",
        ),
        (
            json!({"name": "book_find", "arguments": "x"}),
            "Invalid params: arguments must be an object",
        ),
    ] {
        let message_text = older("tools/call", &params).to_string();
        let response = send(&server, &message_text, &[("MCP-Protocol-Version", OLDER)]);
        let error = &body(&response)["error"];
        let said = error["message"].as_str().expect("a message");
        // The pointer into the parameters follows if it is known.
        let said = said.split(" at line ").next();
        assert_eq!(
            (error["code"].as_i64(), said),
            (Some(-32602), Some(message))
        );
        assert_eq!(response.status, 200);
    }
    let close = older("tools/call", &json!({"name": "book_fnd"})).to_string();
    let close = body(&send(&server, &close, &[]));
    assert_eq!(close["error"]["data"]["closest"], json!(["book_find"]));
    let unknown = send_newer(&server, "tools/call", json!({"name": "nope"}));
    assert_eq!(
        (unknown.status, body(&unknown)["error"]["code"].as_i64()),
        (200, Some(-32602))
    );
    let long = older("tools/call", &json!({"name": "n".repeat(100_000)})).to_string();
    assert!(send(&server, &long, &[]).body.len() < 1_000);
}

#[test]
fn results_have_the_limits_of_the_service() {
    let limited = || {
        library().limits(|limits| {
            limits.max_response_bytes = 2_000;
            limits.max_body_bytes = 4_000;
        })
    };
    let server = start_with(limited());
    let words = |length: usize| json!({"words": "w".repeat(length), "limit": 1});
    // Twice in the response: as structure and as text.
    assert_eq!(call(&server, "book_find", &words(800))["isError"], false);
    for length in [1_100, 3_000] {
        let large = text(&call(&server, "book_find", &words(length)));
        assert_eq!(large["code"], -32004);
    }
    let params = json!({"name": "book_find", "arguments": words(5_000)});
    let response = send(&server, &older("tools/call", &params).to_string(), &[]);
    assert_eq!(response.status, 413);
}

#[test]
fn a_large_argument_arrives_whole() {
    let server = start();
    let words = "w".repeat(1 << 20);
    let found = call(&server, "book_find", &json!({"words": words, "limit": 1}));
    assert_eq!(found["structuredContent"]["title"], words);
}

#[test]
fn an_alias_leaves_the_arguments_closed() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Words {
        words: String,
    }
    let echo = |_: Cx, p: Words| Ok::<_, Fault>(p.words);
    let search = Procedure::sync("search", echo).alias("words", "query");
    let server = start_with(library().procedure(search.tool()));
    let list = result(&send_newer(&server, "tools/list", json!({})));
    let tool = list["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .find(|tool| tool["name"] == "search")
        .expect("a tool");
    let input = &tool["inputSchema"];
    assert_eq!(input["additionalProperties"], false, "{input}");
    assert_eq!(input["required"], json!(["words"]));
    let called = call(&server, "search", &json!({"query": "whale"}));
    assert_eq!(called["structuredContent"]["result"], "whale");
}

#[test]
fn kinds_of_results_decide_how_they_are_sent() {
    #[derive(serde::Serialize, schemars::JsonSchema)]
    #[serde(tag = "kind")]
    #[expect(dead_code, reason = "it is described")]
    enum Shape {
        Circle { radius: f64 },
        Square { side: f64 },
    }
    let server = start_with(
        library()
            .procedure(
                Procedure::sync("shape", |_: Cx, (): ()| {
                    Ok::<_, Fault>(Shape::Circle { radius: 1.0 })
                })
                .tool(),
            )
            .procedure(
                Procedure::sync("maybe", |_: Cx, (): ()| Ok::<_, Fault>(None::<Shape>)).tool(),
            )
            .procedure(
                Procedure::sync("anything", |_: Cx, (): ()| Ok::<_, Fault>(value!({"a": 1})))
                    .tool(),
            ),
    );
    let list = result(&send_newer(&server, "tools/list", json!({})));
    let output = |name: &str| {
        let tool = list["tools"]
            .as_array()
            .expect("tools")
            .iter()
            .find(|tool| tool["name"] == name)
            .expect("a tool");
        complete(&tool["outputSchema"]);
        tool["outputSchema"].clone()
    };
    assert_eq!(output("shape")["type"], "object");
    assert!(output("shape")["anyOf"].is_array());
    let shape = call(&server, "shape", &json!({}));
    assert_eq!(
        shape["structuredContent"],
        json!({"kind": "Circle", "radius": 1.0})
    );
    assert!(output("maybe")["properties"]["result"].is_object());
    let maybe = call(&server, "maybe", &json!({}));
    assert_eq!(maybe["structuredContent"], json!({"result": null}));
    assert_eq!(output("anything")["properties"]["result"], json!({}));
    let anything = call(&server, "anything", &json!({}));
    assert_eq!(anything["structuredContent"], json!({"result": {"a": 1}}));
}

#[test]
fn a_key_without_room_gets_the_reason_and_the_time_to_wait() {
    let pay = Procedure::sync("pay", |_: Cx, (): ()| Ok::<_, Fault>("paid"));
    let builder = Service::builder("bank", ID)
        .procedure(
            pay.repeatable(Duration::from_secs(60))
                .keys_without_caller()
                .tool(),
        )
        .key_store(MemoryKeyStore::new().max_keys(2));
    let server = start_with(builder);
    let call = older("tools/call", &json!({"name": "pay", "arguments": {}})).to_string();
    let pay = |key| {
        let fields = [("MCP-Protocol-Version", OLDER), ("Idempotency-Key", key)];
        result(&send(&server, &call, &fields))
    };
    assert_eq!(pay("first")["isError"], false);
    let refused = pay("second");
    assert_eq!(refused["isError"], true, "{refused}");
    let error = text(&refused);
    assert_eq!(
        (&error["code"], &error["retry"]),
        (&json!(-32002), &json!(true))
    );
    let reason = "the share of unknown callers in the store of keys is full";
    assert_eq!(error["data"]["reason"], reason);
    let seconds = error["data"]["retryAfter"].as_u64().expect("whole seconds");
    assert!((30..=60).contains(&seconds), "{error}");
}

#[test]
fn a_key_in_the_meta_of_a_call_is_its_key() {
    let runs = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&runs);
    let pay = Procedure::sync("pay", move |_: Cx, (): ()| {
        let before = counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        Ok::<_, Fault>(before)
    })
    .repeatable(Duration::from_secs(60));
    let server = start_with(library().procedure(pay.keys_without_caller().tool()));
    let call = |meta: &str, member: &str| {
        let body = format!(
            r#"{{"jsonrpc":"2.0","method":"tools/call","params":{{"name":"pay","_meta":{meta}}},"id":1{member}}}"#
        );
        super::body(&send(&server, &body, &[("MCP-Protocol-Version", OLDER)]))
    };
    let key = r#"{"x-idempotency-key":"k"}"#;
    for (meta, member) in [(key, ""), (key, ""), ("{}", r#","x-idempotency-key":"k""#)] {
        let response = call(meta, member);
        assert_eq!(
            response["result"]["structuredContent"]["result"], 0,
            "{response}"
        );
    }
    for (meta, member) in [
        (r#"{"x-idempotency-key":"k","x-idempotency-key":"k"}"#, ""),
        (key, r#","x-idempotency-key":"k""#),
        (r#"{"x-idempotency-key":"a b"}"#, ""),
        (r#"{"x-idempotency-key":1}"#, ""),
    ] {
        let response = call(meta, member);
        assert_eq!(response["error"]["code"], -32600, "{response}");
    }
    assert_eq!(runs.load(std::sync::atomic::Ordering::SeqCst), 1);
}

#[test]
fn fields_that_a_handler_adds_are_dropped() {
    let enter = |cx: Cx, (): ()| {
        cx.add_field("X-Shelf", "7").internal()?;
        assert!(cx.add_field("ETag", "\"7\"").is_err());
        Ok::<_, Fault>("in")
    };
    let enter = Procedure::sync("enter", enter).tool();
    let server = start_with(Service::builder("doors", ID).procedure(enter));
    let response = send_newer(
        &server,
        "tools/call",
        value!({"name": "enter", "arguments": {}}),
    );
    assert_eq!(response.header("x-shelf"), None);
    assert_eq!(result(&response)["structuredContent"]["result"], "in");
}
