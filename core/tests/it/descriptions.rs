//! Descriptions in responses: all responses share the text.

use std::time::Duration;

use bytes::Bytes;
use docent_core::carrier::{Incoming, Reply, ReplyBody};
use docent_core::{Cx, Fault, Procedure, Service};
use futures_util::FutureExt;
use serde_json::{Value, json};

use crate::builder;

fn service(limit: usize) -> Service {
    let five = |_: Cx, (): ()| Ok::<_, Fault>(5);
    builder()
        .procedure(Procedure::sync("five", five))
        .limits(|limits| limits.max_response_bytes = limit)
        .build()
        .expect("a service")
}

fn post(service: &Service, body: &Value) -> Reply {
    let incoming = Incoming::new(body.to_string());
    let reply = service.exchange(incoming).now_or_never();
    reply.expect("nothing waits")
}

fn get(service: &Service, query: &str) -> Reply {
    let reply = service.query("rpc.describe", query, None).now_or_never();
    reply.expect("nothing waits")
}

fn parts(reply: Reply) -> [Bytes; 3] {
    match reply.into_parts() {
        Some(ReplyBody::Parts(parts)) => parts,
        other => panic!("not in parts: {other:?}"),
    }
}

fn call(id: u8) -> Value {
    json!({"jsonrpc": "2.0", "method": "rpc.describe", "id": id})
}

#[test]
fn all_responses_share_one_text() {
    let service = service(1 << 20);
    let rendered = service.rendered_description();
    for method in [
        "rpc.describe",
        "rpc.discover",
        "rpc.openapi",
        "system.describe",
    ] {
        let body = json!({"jsonrpc": "2.0", "method": method, "id": 7});
        let [first, second] = [(); 2].map(|()| parts(post(&service, &body)));
        assert_eq!(first[1].as_ptr(), second[1].as_ptr(), "{method}");
        assert_eq!(&first[0][..], br#"{"jsonrpc":"2.0","result":"#);
        assert_eq!(&first[2][..], br#","id":7}"#);
    }
    for reply in [get(&service, ""), post(&service, &call(1))] {
        let [_, text, _] = parts(reply);
        assert_eq!(text.as_ptr(), rendered.as_ptr());
    }
}

/// A carrier of another crate brings a name and parameters: no query, no key, and no notification.
#[test]
fn what_a_carrier_of_calls_cannot_do_is_not_described() {
    let five = |name| Procedure::sync(name, |_: Cx, (): ()| Ok::<_, Fault>(5));
    let service = builder()
        .public_url("https://example.com/rpc")
        .procedure(five("get").idempotent().cache_for(Duration::from_secs(60)))
        .procedure(
            five("add")
                .repeatable(Duration::from_secs(60))
                .keys_without_caller(),
        )
        .procedure(five("tell").notification())
        .build()
        .expect("a service");
    let same_but_calls = service.with_calls_only();
    let mut expected: Value = json(&service.rendered_description());
    for (index, member) in [(0, "cache"), (1, "repeatable"), (2, "notification")] {
        let procedure = expected["procs"][index].as_object_mut().expect("an object");
        procedure.remove(member).expect(member);
    }
    let described: Value = json(
        &post(&same_but_calls, &call(1))
            .into_body()
            .expect("a body")
            .into(),
    );
    assert_eq!(described["result"], expected);
    assert_eq!(described["result"]["procs"][0]["idempotent"], true);
    let [with_get, without_get] = [&service, &same_but_calls].map(|service| {
        let document: Value = json(&service.rendered_openapi());
        document["paths"]["/get"]["get"].is_object()
    });
    assert!(with_get && !without_get);
    let discovered: Value = json(&same_but_calls.rendered_openrpc(None));
    assert_eq!(discovered["methods"][0]["x-idempotent"], true);
    assert!(discovered["methods"][0]["x-cache"].is_null());
    // Another variant is described in the same way.
    let helped = same_but_calls.with_help("https://example.com/docs/", |_| None);
    let document: Value = json(&helped.rendered_openapi());
    assert!(document["paths"]["/get"]["get"].is_null());
}

fn json(bytes: &Bytes) -> Value {
    serde_json::from_slice(bytes).expect("JSON")
}

#[test]
fn a_response_in_parts_has_the_same_bytes_as_in_one_piece() {
    let service = service(1 << 20);
    let whole = post(&service, &call(1)).into_body().expect("a body");
    let seen = post(&service, &call(1));
    assert_eq!(seen.body().as_deref(), Some(&*whole));
    assert_eq!(parts(seen).concat(), whole);
    let response: Value = serde_json::from_slice(&whole).expect("JSON");
    let result: Value = serde_json::from_slice(&service.rendered_description()).expect("JSON");
    assert_eq!(
        response,
        json!({"jsonrpc": "2.0", "result": result, "id": 1})
    );
}

#[test]
fn a_description_for_one_caller_is_not_shared() {
    let service = service(1 << 20);
    let body = get(&service, "procs=five").into_parts();
    assert!(matches!(body, Some(ReplyBody::Whole(_))), "{body:?}");
}

#[test]
fn descriptions_stand_in_batches_and_notifications_send_none() {
    let service = service(1 << 20);
    let single = post(&service, &call(2)).into_body().expect("a body");
    let five = json!({"jsonrpc": "2.0", "method": "five", "id": 1});
    let batch = post(&service, &json!([five, call(2)]))
        .into_body()
        .expect("a body");
    let expected = [br#"[{"jsonrpc":"2.0","result":5,"id":1},"#, &*single, b"]"].concat();
    assert_eq!(batch, expected);

    let silent = json!({"jsonrpc": "2.0", "method": "rpc.describe"});
    assert_eq!(post(&service, &silent).into_body(), None);
}

#[test]
fn a_description_counts_toward_the_limit_of_a_response() {
    let length = post(&service(1 << 20), &call(1))
        .into_body()
        .map_or(0, |body| body.len());
    for (limit, code) in [
        (length, None),
        (length - 1, Some(-32004)),
        (64, Some(-32004)),
    ] {
        let service = service(limit);
        assert_eq!(post(&service, &call(1)).error_code(), code, "{limit}");
        let batch = json!([call(1), call(2)]);
        let batch: Value =
            serde_json::from_slice(&post(&service, &batch).into_body().expect("a body"))
                .expect("JSON");
        assert_eq!(batch[1]["error"]["code"], -32004, "{limit}");
    }
}
