//! Header fields of the contract and of handlers: a handler cannot add a field that a response has without it.

use std::collections::BTreeSet;
use std::time::Duration;

use docent::{Cx, Fault, Procedure, Routes, Service};

use crate::Server;
use crate::client::Request;

/// The origin of a page that may call.
const PAGE: (&str, &str) = ("Origin", "https://page.example");

/// Returns routes with which a response has the most fields.
pub(crate) fn routes() -> Routes {
    Routes::new(service()).cors([PAGE.1])
}

fn service() -> Service {
    let accepts = |cx: Cx, names: Vec<String>| {
        let is_accepted = |name: &&String| cx.add_field(name, "theirs").is_ok();
        Ok::<_, Fault>(
            names
                .iter()
                .filter(is_accepted)
                .cloned()
                .collect::<Vec<_>>(),
        )
    };
    let read = |_: Cx, (): ()| Ok::<_, Fault>("x".repeat(5_000));
    let fail = |_: Cx, (): ()| Err::<(), _>(Fault::new(7, "No"));
    let decline = |_: Cx, (): ()| Err::<(), _>(Fault::invalid_params("a", "no"));
    let minute = Duration::from_secs(60);
    let write = Procedure::sync("write", read).repeatable(minute);
    Service::builder("fields", "urn:example:fields")
        .procedures([
            Procedure::sync("accepts", accepts),
            Procedure::sync("read", read).idempotent(),
            Procedure::sync("shared", read)
                .idempotent()
                .shared_cache()
                .cache_for(minute),
            Procedure::sync("versioned", read)
                .idempotent()
                .etag_by(|_: Cx, (): ()| 1),
            Procedure::sync("fail", fail).idempotent().error(7, "No"),
            Procedure::sync("decline", decline).idempotent(),
            write.keys_without_caller(),
        ])
        .build()
        .expect("a service")
}

/// Returns the names of all fields that a server sends with calls whose handlers run.
fn sent(server: &Server) -> BTreeSet<String> {
    let call = |name: &str| format!(r#"{{"jsonrpc":"2.0","method":"{name}","id":1}}"#);
    let fields: [&[(&str, &str)]; 6] = [
        &[],
        &[PAGE],
        &[("Accept-Encoding", "gzip"), PAGE],
        &[("If-None-Match", "*"), ("Cookie", "a=1")],
        &[("Idempotency-Key", "k"), ("Authorization", "Bearer a")],
        &[("Accept", "text/html"), ("X-Request-Id", "mine")],
    ];
    let mut names = BTreeSet::new();
    let mut send = |request: &Request<'_>| {
        for fields in fields {
            let mut request = request.clone();
            request.headers.extend(fields);
            let response = server.send(&request);
            names.extend(response.headers.iter().map(|(name, _)| name.clone()));
        }
    };
    for procedure in ["read", "shared", "versioned", "fail", "decline"] {
        let target = format!("/rpc/{procedure}");
        send(&Request::new("GET", &target));
        send(&Request::new("HEAD", &target));
        let [notification, v1_1] = [
            call(procedure).replace(r#","id":1"#, ""),
            call(procedure).replace(r#""jsonrpc":"2.0""#, r#""version":"1.1""#),
        ];
        for body in [
            call(procedure),
            format!("[{}]", call(procedure)),
            notification,
            v1_1,
        ] {
            send(&Request::post("/rpc", body.as_bytes()));
        }
    }
    let write = call("write");
    send(&Request::post("/rpc", write.as_bytes()));
    send(&Request::post("/rpc/write", write.as_bytes()));
    names
}

/// Checks that handlers can add none of the fields that a server sends.
pub(crate) fn assert_handlers_add_no_field_of(server: &Server) {
    let names: Vec<_> = sent(server).into_iter().collect();
    for expected in [
        "etag",
        "vary",
        "cache-control",
        "access-control-allow-origin",
    ] {
        assert!(names.iter().any(|name| name == expected), "{names:?}");
    }
    let others = ["Allow", "WWW-Authenticate", "Content-Type", "X-Shelf"];
    let all: Vec<_> = names.iter().map(String::as_str).chain(others).collect();
    let params = serde_json::to_string(&all).expect("JSON");
    let response = server.post(crate::call_with("accepts", &params));
    assert_eq!(response.json()["result"], serde_json::json!(["X-Shelf"]));
    assert_eq!(response.header("x-shelf"), Some("theirs"));
}

#[test]
fn a_handler_cannot_add_a_field_that_a_response_has_without_it() {
    let server = Server::start(routes());
    assert_handlers_add_no_field_of(&server);
}
