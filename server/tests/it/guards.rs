//! Guards run before every handler, for every kind of call, and for the description.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use docent::{
    BearerToken, CallInfo, CallRecord, Cx, Fault, Guard, Observer, Procedure, Rejection, Service,
    json,
};

use crate::{ask, get, post};

pub(crate) const ID: &str = "urn:uuid:0b7e4f8a-7a77-4b0e-9a3e-3f6f0a9d1c55";

/// Counts how often the guarded handler has run.
pub(crate) type Runs = Arc<AtomicUsize>;

pub(crate) fn procedures(runs: &Runs) -> [Procedure; 2] {
    let read = Arc::clone(runs);
    let write = Arc::clone(runs);
    [
        Procedure::sync("read", move |_: Cx, (): ()| {
            Ok::<_, Fault>(read.fetch_add(1, Ordering::SeqCst))
        })
        .idempotent(),
        Procedure::sync("write", move |_: Cx, (): ()| {
            Ok::<_, Fault>(write.fetch_add(1, Ordering::SeqCst))
        }),
    ]
}

fn guarded(runs: &Runs) -> Service {
    Service::builder("guarded", ID)
        .procedures(procedures(runs))
        .guard(BearerToken::new("shop", "s3cret", |procedure| {
            procedure.name == "write"
        }))
        .build()
        .expect("a service")
}

pub(crate) const WRITE: &str = r#"{"jsonrpc":"2.0","method":"write","id":1}"#;

#[actix_web::test]
async fn a_call_without_the_token_is_refused_with_a_challenge_and_does_not_run() {
    let runs = Runs::default();
    let service = guarded(&runs);
    for credential in [
        None,
        Some("Basic s3cret"),
        Some("Bearer wrong"),
        Some("Bearer s3cret2"),
    ] {
        let request = match credential {
            Some(credential) => post(WRITE).insert_header(("authorization", credential)),
            None => post(WRITE),
        };
        let response = ask(&service, request).await;
        assert_eq!(response.status, 401, "{credential:?}");
        let challenge = response.header("www-authenticate").expect("a challenge");
        assert!(
            challenge.starts_with("Bearer realm=\"shop\""),
            "{challenge}"
        );
        assert_eq!(response.json()["error"]["code"], -32007);
        assert_eq!(response.json()["id"], 1);
    }
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

#[actix_web::test]
async fn a_call_with_the_token_runs() {
    let runs = Runs::default();
    let service = guarded(&runs);
    for credential in ["Bearer s3cret", "bearer s3cret"] {
        let response = ask(
            &service,
            post(WRITE).insert_header(("authorization", credential)),
        )
        .await;
        assert_eq!(response.status, 200);
        assert!(response.json()["error"].is_null());
    }
    assert_eq!(runs.load(Ordering::SeqCst), 2);
}

#[actix_web::test]
async fn an_entry_of_a_batch_is_refused_alone() {
    let runs = Runs::default();
    let batch = format!(r#"[{WRITE},{{"jsonrpc":"2.0","method":"read","id":2}}]"#);
    let response = ask(&guarded(&runs), post(&batch)).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.json()[0]["error"]["code"], -32007);
    assert_eq!(response.json()[1]["result"], 0);
}

#[actix_web::test]
async fn a_refused_notification_does_not_run_and_gets_no_answer() {
    let runs = Runs::default();
    let response = ask(
        &guarded(&runs),
        post(r#"{"jsonrpc":"2.0","method":"write"}"#),
    )
    .await;
    assert_eq!(
        (response.status.as_u16(), response.body.as_str()),
        (204, "")
    );
    assert_eq!(response.header("www-authenticate"), None);
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

#[actix_web::test]
async fn the_description_says_what_a_caller_must_bring() {
    let description: serde_json::Value =
        serde_json::from_slice(&guarded(&Runs::default()).rendered_description()).expect("JSON");
    assert_eq!(
        description["securitySchemes"],
        json!({"bearer": {"type": "http", "scheme": "bearer"}})
    );
    assert_eq!(description["procs"][0]["guarded"], json!(null));
    assert_eq!(description["procs"][1]["guarded"], json!(true));
    assert_eq!(description["procs"][0]["security"], json!(null));
    assert_eq!(description["procs"][1]["security"], json!(["bearer"]));
}

/// Rejects calls with its own code, or panics.
struct Odd;

impl Guard for Odd {
    fn check(&self, attempt: &CallInfo<'_>) -> Result<(), Rejection> {
        assert_ne!(attempt.procedure.name, "write", "a panic for writes");
        Err(Rejection::forbidden().with_fault(Fault::new(7, "Closed on Sundays")))
    }

    fn declare(&self, errors: &mut docent::ErrorList) {
        let _ = errors.add(7, "Closed on Sundays");
    }
}

#[actix_web::test]
async fn a_guard_may_choose_its_code_and_its_panic_is_a_fault_of_that_call_alone() {
    let runs = Runs::default();
    let service = Service::builder("odd", ID)
        .procedures(procedures(&runs))
        .guard(Odd)
        .build();
    let service = service.expect("a service");
    let refused = ask(&service, get("/rpc/read")).await;
    assert_eq!(refused.status, 403);
    assert_eq!(refused.json()["error"]["code"], 7);
    assert_eq!(service.description().procs[0].errors[0].code, 7);
    let panicked = ask(&service, post(WRITE)).await;
    assert_eq!(panicked.json()["error"]["code"], -32603);
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

/// A call as an observer sees it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ObservedCall {
    procedure: String,
    code: Option<i64>,
    is_notification: bool,
}

#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<ObservedCall>>>);

impl Observer for Recorder {
    fn finished(&self, call: &CallRecord<'_>) {
        assert!(call.duration.is_some(), "the transport provides a clock");
        self.0.lock().expect("no panic").push(ObservedCall {
            procedure: call.procedure.to_owned(),
            code: call.code,
            is_notification: call.notification,
        });
    }
}

#[actix_web::test]
async fn an_observer_hears_of_every_call_by_registered_names_only() {
    let recorder = Recorder::default();
    let service = Service::builder("observed", ID)
        .procedures(procedures(&Runs::default()))
        .observer(recorder.clone())
        .build()
        .expect("a service");
    let batch = r#"[{"jsonrpc":"2.0","method":"read","id":1},{"jsonrpc":"2.0","method":"<evil>","id":2},
        {"jsonrpc":"2.0","method":"write"},3]"#;
    ask(&service, post(batch)).await;
    ask(&service, get("/rpc/read?nothing=1")).await;
    ask(&service, get("/rpc/%3Cevil%3E")).await;
    ask(&service, get("/rpc/write")).await;
    ask(&service, post("{")).await;
    ask(&service, post("[]")).await;
    let mut calls = recorder.0.lock().expect("no panic").clone();
    calls.sort();
    let mut expected = [
        ("read", None, false),
        ("read", Some(-32602), false),
        ("unknown", Some(-32601), false),
        ("unknown", Some(-32600), false),
        ("unknown", Some(-32600), false),
        ("unknown", Some(-32601), false),
        ("unknown", Some(-32700), false),
        ("write", Some(-32006), false),
        ("write", None, true),
    ]
    .map(|(procedure, code, is_notification)| ObservedCall {
        procedure: procedure.to_owned(),
        code,
        is_notification,
    });
    expected.sort();
    assert_eq!(calls, expected);
}
