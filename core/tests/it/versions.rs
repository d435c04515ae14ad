//! A service that is made from another one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use docent_core::{
    CallInfo, CallRecord, Cx, Fault, Guard, Observer, Procedure, Rejection, Service, code,
};
use serde_json::{Value, json};

use crate::{assert_one, builder, mistakes, plain};

struct Locked;

impl Guard for Locked {
    fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
        match attempt.field("key").next() {
            Some(b"yes") => Ok(()),
            _ => Err(Rejection::forbidden()),
        }
    }
}

#[derive(Clone, Default)]
struct Counted(Arc<AtomicU64>);

impl Observer for Counted {
    fn finished(&self, _: &CallRecord<'_>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "handlers are called so"
)]
fn next(cx: Cx<AtomicU64>, (): ()) -> Result<u64, Fault> {
    Ok(cx.state().fetch_add(1, Ordering::Relaxed))
}

fn v1(counted: &Counted) -> Service {
    builder()
        .version("1.0")
        .documentation("Counts.")
        .public_url("https://example.com/v1")
        .limits(|limits| limits.max_batch_entries = 2)
        .procedure(plain("old"))
        .state(AtomicU64::new(7))
        .procedure(Procedure::sync("next", next))
        .guard(Locked)
        .observer(counted.clone())
        .build()
        .unwrap_or_else(|error| panic!("{error}"))
}

async fn call(service: &Service, procedure: &str) -> Result<Value, Option<i64>> {
    let call = service.request(procedure, &()).field("Key", "yes");
    call.call().await.map_err(|error| error.code())
}

#[tokio::test]
async fn a_version_adds_replaces_and_removes_procedures() {
    let counted = Counted::default();
    let v1 = v1(&counted);
    let v2 = v1
        .extend()
        .version("2.0")
        .remove("old")
        .procedure(plain("new"))
        .build()
        .expect("a service");
    let v3 = Service::extend(&v2)
        .version("3.0")
        .replace(Procedure::sync("next", |_: Cx, (): ()| {
            Ok::<_, Fault>("soon")
        }))
        .build()
        .expect("a service");

    let names = |service: &Service| {
        service
            .description()
            .procs
            .iter()
            .map(|procedure| procedure.name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&v1), ["old", "next"]);
    assert_eq!(names(&v2), ["next", "new"]);
    assert_eq!(names(&v3), ["next", "new"]);
    assert_eq!(v3.description().version.as_deref(), Some("3.0"));
    assert_eq!(v3.description().summary.as_deref(), Some("Counts."));
    assert_eq!(v3.description().id, v1.description().id);
    assert_eq!(v2.description().address, None);

    // State is shared, and so is what stands around calls.
    assert_eq!(call(&v1, "next").await, Ok(json!(7)));
    assert_eq!(call(&v2, "next").await, Ok(json!(8)));
    assert_eq!(call(&v3, "next").await, Ok(json!("soon")));
    assert_eq!(call(&v2, "old").await, Err(Some(code::METHOD_NOT_FOUND)));
    assert_eq!(counted.0.load(Ordering::Relaxed), 4);
    let refused = v2.call::<Value>("new", &()).await.expect_err("an error");
    assert_eq!(refused.code(), Some(code::REFUSED));
    assert_eq!(v3.limits().max_batch_entries, 2);
    assert!(v3.is_guarded("new"));
}

#[test]
fn a_version_needs_a_number_of_its_own_and_procedures_that_exist() {
    let v1 = v1(&Counted::default());
    assert_one(v1.extend(), None, &["needs a version of its own"]);
    assert_one(
        v1.extend().version("2").remove("older"),
        Some("older"),
        &["no procedure with this name to replace or remove"],
    );
    assert_one(
        v1.extend().version("2").replace(plain("newer")),
        Some("newer"),
        &["no procedure with this name"],
    );
    let twice = mistakes(v1.extend().version("2").procedure(plain("old")));
    assert!(
        twice[0]
            .text()
            .contains("another procedure has the same name"),
        "{twice:?}"
    );
}

#[test]
fn a_handler_can_be_tested_alone() {
    let cx = Cx::for_tests(AtomicU64::new(3));
    assert_eq!(cx.procedure().name, "test");
    assert!(!cx.is_cancelled() && !cx.is_notification());
    assert_eq!(cx.deadline(), None);
    assert_eq!(next(cx.clone(), ()).expect("a number"), 3);
    assert_eq!(next(cx, ()).expect("a number"), 4);
    let shared = Arc::new(AtomicU64::new(1));
    assert_eq!(
        next(Cx::for_tests(Arc::clone(&shared)), ()).expect("a number"),
        1
    );
    assert_eq!(shared.load(Ordering::Relaxed), 2);
}
