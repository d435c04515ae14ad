//! Panics of every kind. Each fails its own call and nothing else.

use docent::{CallInfo, CallRecord, Cx, Fault, Guard, Observer, Procedure, Rejection, Service};

use crate::Server;
use crate::log::logged;

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("a secret")
    }
}

/// Panics halfway through serialisation.
struct Unwritable;

impl serde::Serialize for Unwritable {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;
        let mut items = serializer.serialize_seq(None)?;
        items.serialize_element("half")?;
        panic!("a secret")
    }
}

impl schemars::JsonSchema for Unwritable {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Unwritable".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "array"})
    }
}

struct Panicking;

impl Guard for Panicking {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        panic!("a secret")
    }

    fn covers(&self, procedure: &docent::describe::ProcedureDescription) -> bool {
        ["guarded", "rpc.describe"].contains(&&*procedure.name)
    }
}

impl Observer for Panicking {
    fn finished(&self, call: &CallRecord<'_>) {
        assert_ne!(call.procedure, "observed", "a secret");
    }
}

async fn before(_: Cx, (): ()) -> Result<i32, Fault> {
    panic!("a secret")
}

async fn after(_: Cx, (): ()) -> Result<i32, Fault> {
    tokio::task::yield_now().await;
    panic!("{} secret", "a")
}

async fn with_a_bomb(_: Cx, (): ()) -> Result<i32, Fault> {
    tokio::task::yield_now().await;
    std::panic::panic_any(Bomb)
}

fn service() -> Service {
    let sync = |name, panics: fn() -> i32| {
        Procedure::sync(name, move |_: Cx, (): ()| Ok::<_, Fault>(panics()))
    };
    let blocking = |name, panics: fn() -> i32| {
        Procedure::blocking(name, move |_: Cx, (): ()| Ok::<_, Fault>(panics()))
    };
    let procedures = vec![
        sync("fine", || 1),
        sync("observed", || 1),
        sync("guarded", || 1),
        Procedure::new("before", before),
        Procedure::new("after", after),
        sync("sync", || panic!("a secret")),
        blocking("blocking", || panic!("a secret")),
        sync("value", || std::panic::panic_any(17)),
        sync("sync_bomb", || std::panic::panic_any(Bomb)),
        blocking("blocking_bomb", || std::panic::panic_any(Bomb)),
        Procedure::new("async_bomb", with_a_bomb),
        Procedure::sync("unwritable", |_: Cx, (): ()| Ok::<_, Fault>(Unwritable)),
        Procedure::blocking("unwritable_blocking", |_: Cx, (): ()| {
            Ok::<_, Fault>(Unwritable)
        }),
    ];
    Service::builder("panicking", "urn:example:panicking")
        .procedures(procedures.into_iter().map(Procedure::idempotent))
        .guard(Panicking)
        .observer(Panicking)
        .build()
        .expect("a service")
}

const PANICKING: &[&str] = &[
    "guarded",
    "before",
    "after",
    "sync",
    "blocking",
    "value",
    "sync_bomb",
    "blocking_bomb",
    "async_bomb",
    "unwritable",
    "unwritable_blocking",
];

fn call(procedure: &str, id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","id":{id}}}"#)
}

#[test]
fn a_panic_of_any_kind_is_an_internal_error_under_the_calls_id() {
    let service = service();
    let server = Server::start(service.clone());
    // One connection, which stays open.
    let mut connection = server.connect();
    for procedure in PANICKING {
        let body = call(procedure, "\"its own\"");
        let request = crate::client::Request::post("/rpc", body.as_bytes());
        let response = crate::client::Response::exchange(&mut connection, &request);
        let expected = (200, "error -32603 #\"its own\"");
        assert_eq!(
            (response.status, &*response.brief()),
            expected,
            "{procedure}"
        );
        assert!(!response.text().contains("secret"), "{}", response.text());
        let response = server.get(&format!("/rpc/{procedure}"));
        assert_eq!(
            (response.status, response.code()),
            (500, Some(-32603)),
            "{procedure}"
        );
        assert!(!response.text().contains("secret"), "{}", response.text());
        let silent = format!(r#"{{"jsonrpc":"2.0","method":"{procedure}"}}"#);
        assert_eq!(server.post(silent).status, 204, "{procedure}");
    }
    assert_eq!(service.running_calls(), 0);
}

#[test]
fn a_panic_leaves_the_other_entries_of_its_batch_alone() {
    let service = service();
    let server = Server::start(service.clone());
    let (mut bodies, mut expected) = (Vec::new(), Vec::new());
    for (place, procedure) in PANICKING.iter().enumerate() {
        bodies.push(call(procedure, &place.to_string()));
        expected.push(format!("error -32603 #{place}"));
        bodies.push(call("fine", &format!("\"{place}\"")));
        expected.push(format!("1 #\"{place}\""));
    }
    let response = server.post(format!("[{}]", bodies.join(",")));
    assert_eq!(response.brief(), format!("[{}]", expected.join(", ")));
    assert_eq!(service.running_calls(), 0);
}

#[test]
fn an_observer_that_panics_costs_no_call_its_answer() {
    let server = Server::start(service());
    assert_eq!(server.call("observed"), "1 #1");
    let batch = [
        call("observed", "1"),
        call("fine", "2"),
        call("observed", "3"),
    ];
    let response = server.post(format!("[{}]", batch.join(",")));
    assert_eq!(response.brief(), "[1 #1, 1 #2, 1 #3]");
    assert_eq!(server.get("/rpc/observed").status, 200);
}

#[test]
fn a_guard_that_panics_lets_nobody_see_what_it_guards() {
    let server = Server::start(service());
    for target in ["/rpc", "/rpc/rpc.describe", "/docs/", "/docs/get"] {
        let response = server.get(target);
        assert_eq!(
            (response.status, response.code()),
            (500, Some(-32603)),
            "{target}"
        );
    }
}

#[test]
fn a_panic_is_logged_with_the_name_of_the_procedure() {
    for procedure in PANICKING.iter().chain(&["observed"]) {
        let (_, log) = logged(&service(), &call(procedure, "1"));
        let name = format!("procedure=\"{procedure}\"");
        let named = log
            .lines()
            .any(|line| line.contains(&name) && line.contains("panicked"));
        assert!(named, "{procedure}: {log}");
        let cause = if procedure.ends_with("bomb") || *procedure == "value" {
            "a panic value that is not a string"
        } else {
            "a secret"
        };
        assert!(log.contains(cause), "{procedure}: {log}");
    }
}
