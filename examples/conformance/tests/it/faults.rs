//! Each call fails alone: handlers that panic, return what cannot be serialised, or return
//! undeclared errors.

use std::collections::BTreeMap;

use docent::{Cx, Fault, Procedure, Service};

use crate::{Server, assert_outcomes, handle, outcome, reply};

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

async fn panic_later(_: Cx, (): ()) -> Result<i32, Fault> {
    panic!("later")
}

fn awkward() -> Service {
    Service::builder("awkward", "urn:example:awkward")
        .procedure(Procedure::sync("fine", |_: Cx, (): ()| {
            Ok::<_, Fault>("fine")
        }))
        .procedure(Procedure::new("panic_async", panic_later))
        .procedure(Procedure::sync(
            "panic_sync",
            |_: Cx, (): ()| -> Result<i32, Fault> { panic!("at once") },
        ))
        .procedure(Procedure::blocking(
            "panic_blocking",
            |_: Cx, (): ()| -> Result<i32, Fault> { panic!("on a thread") },
        ))
        .procedure(Procedure::sync(
            "panic_with_a_value",
            |_: Cx, (): ()| -> Result<i32, Fault> { std::panic::panic_any(vec![1]) },
        ))
        .procedure(Procedure::new(
            "panic_on_drop",
            |_: Cx, (): ()| async move {
                let _bomb = Bomb;
                tokio::task::yield_now().await;
                Ok::<_, Fault>(1)
            },
        ))
        .procedure(Procedure::sync("unserialisable", |_: Cx, (): ()| {
            Ok::<_, Fault>(BTreeMap::from([(Key(vec![1]), 2)]))
        }))
        .procedure(Procedure::sync("undeclared", |_: Cx, (): ()| {
            Err::<(), _>(Fault::new(77, "a secret"))
        }))
        .procedure(
            Procedure::sync("declared", |_: Cx, (): ()| {
                Err::<(), _>(Fault::new(77, "no secret"))
            })
            .error(77, "Declared"),
        )
        .procedure(Procedure::sync("pretender", |_: Cx, (): ()| {
            Err::<(), _>(Fault::new(-32601, "a secret"))
        }))
        .procedure(Procedure::sync("internal", |_: Cx, (): ()| {
            Err::<(), _>(Fault::internal("a secret"))
        }))
        .procedure(Procedure::sync("picky", |_: Cx, (): ()| {
            Err::<(), _>(Fault::invalid_params("word", "is taken"))
        }))
        .build()
        .expect("a service")
}

/// A key that JSON cannot represent.
#[derive(PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
struct Key(Vec<i32>);

impl schemars::JsonSchema for Key {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Key".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string"})
    }
}

const FATES: &[(&str, &str)] = &[
    ("fine", "\"fine\" #1"),
    ("panic_async", "error -32603 #1"),
    ("panic_sync", "error -32603 #1"),
    ("panic_blocking", "error -32603 #1"),
    ("panic_with_a_value", "error -32603 #1"),
    ("panic_on_drop", "error -32603 #1"),
    ("unserialisable", "error -32603 #1"),
    ("undeclared", "error -32603 #1"),
    ("declared", "error 77 #1"),
    ("pretender", "error -32603 #1"),
    ("internal", "error -32603 #1"),
    ("picky", "error -32602 #1"),
];

fn call(procedure: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","id":1}}"#)
}

#[test]
fn a_handler_fails_its_own_call_and_nothing_of_the_cause_is_sent() {
    let service = awkward();
    let server = Server::start(service.clone());
    for (procedure, expected) in FATES {
        assert_outcomes(&service, &[(call(procedure), expected)]);
        let answer = server.post(call(procedure));
        assert_eq!(
            (answer.status, &*answer.brief()),
            (200, *expected),
            "{procedure}"
        );
        for secret in [
            "a secret",
            "later",
            "at once",
            "on a thread",
            "dropped",
            "key must be",
        ] {
            assert!(!answer.text().contains(secret), "{}", answer.text());
        }
    }
    assert_eq!(service.running_calls(), 0);
}

#[test]
fn each_call_of_a_batch_has_its_own_fate() {
    let service = awkward();
    let calls: Vec<_> = FATES.iter().map(|(procedure, _)| call(procedure)).collect();
    let expected: Vec<_> = FATES.iter().map(|(_, expected)| *expected).collect();
    let body = format!("[{}]", calls.join(","));
    assert_eq!(
        outcome(&service, &body),
        format!("[{}]", expected.join(", "))
    );
    assert_eq!(
        Server::start(service).post(body).brief(),
        format!("[{}]", expected.join(", "))
    );
}

#[test]
fn an_invalid_params_of_the_handlers_own_names_the_parameter() {
    let answer = handle(&awkward(), call("picky").as_bytes()).expect("a response");
    let response = reply::Response::read(std::str::from_utf8(&answer).expect("UTF-8"));
    let data = response.error().data.as_ref().expect("data");
    assert_eq!(
        (data["parameter"].as_str(), data["reason"].as_str()),
        (Some("word"), Some("is taken"))
    );
}
