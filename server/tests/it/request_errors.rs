//! Requests that never become calls. Observers are told about each of them once.

use std::sync::{Arc, Mutex};

use actix_web::http::Method;
use actix_web::test::TestRequest;
use docent::{
    BearerToken, CallRecord, Cx, Ending, Fault, Observer, Procedure, Protocol, Routes, Service,
    ServiceBuilder,
};

use crate::{ask, ask_with, get, post};

/// A call as an observer sees it.
#[derive(Debug, Clone, PartialEq)]
struct ObservedCall {
    procedure: String,
    protocol: Protocol,
    code: Option<i64>,
}

fn observed(procedure: &str, protocol: Protocol, code: Option<i64>) -> ObservedCall {
    ObservedCall {
        procedure: procedure.to_owned(),
        protocol,
        code,
    }
}

#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<ObservedCall>>>);

impl Observer for Recorder {
    fn finished(&self, call: &CallRecord<'_>) {
        assert_eq!(call.ending, Ending::Answered);
        assert!(call.duration.is_some(), "the transport provides a clock");
        self.0
            .lock()
            .expect("no panic")
            .push(observed(call.procedure, call.protocol, call.code));
    }
}

fn builder() -> ServiceBuilder {
    let read = Procedure::sync("read", |_: Cx, (): ()| Ok::<_, Fault>(1));
    Service::builder("observed", "urn:uuid:0b7e4f8a-7a77-4b0e-9a3e-3f6f0a9d1c57")
        .procedure(read.idempotent())
}

/// Returns the status of the response, and the calls that an observer has seen meanwhile.
async fn asked(builder: ServiceBuilder, request: TestRequest) -> (u16, Vec<ObservedCall>) {
    let recorder = Recorder::default();
    let service = builder
        .observer(recorder.clone())
        .build()
        .expect("a service");
    let routes = Routes::new(service).options(|options| {
        options.decompress = true;
        options.allowed_hosts = Some(vec!["localhost".to_owned()]);
    });
    let response = ask_with(routes, request).await;
    let calls = recorder.0.lock().expect("no panic").clone();
    (response.status.as_u16(), calls)
}

fn at_home(request: TestRequest) -> TestRequest {
    request.insert_header(("host", "localhost"))
}

const CALL: &str = r#"{"jsonrpc":"2.0","method":"read","id":1}"#;

#[actix_web::test]
async fn a_missing_content_type_is_not_called_a_repeated_one() {
    let service = builder().build().expect("a service");
    for (types, reason) in [
        (&[][..], "Content-Type is missing: send application/json"),
        (
            &["application/json", "application/json"],
            "Content-Type must not be repeated: send application/json",
        ),
    ] {
        let mut request = TestRequest::post().uri("/rpc").set_payload(CALL);
        for media in types {
            request = request.append_header(("content-type", *media));
        }
        let response = ask(&service, request).await;
        assert_eq!(response.status.as_u16(), 415);
        assert!(response.body.contains(reason), "{}", response.body);
    }
}

#[actix_web::test]
async fn observers_are_notified_once_of_a_request_that_is_refused_before_it_is_a_call() {
    let large = "x".repeat(3 << 20);
    let other_type = post(CALL).insert_header(("content-type", "text/plain"));
    let no_gzip = post(CALL).insert_header(("content-encoding", "gzip"));
    for (request, status, code) in [
        (post(CALL).uri("/rpc/a/b"), 404, -32601),
        (get("/rpc/a/b"), 404, -32601),
        (get("/rpc/"), 404, -32601),
        (get("/rpc").method(Method::DELETE), 405, -32600),
        (get("/rpc/read").method(Method::PUT), 405, -32600),
        (other_type, 415, -32600),
        (no_gzip, 400, -32600),
        (post(&large), 413, -32003),
    ] {
        let call = observed("unknown", Protocol::V2_0, Some(code));
        assert_eq!(
            asked(builder(), at_home(request)).await,
            (status, vec![call])
        );
    }
    for request in [get("/rpc/read"), get("/rpc"), post(CALL)] {
        let away = request.insert_header(("host", "evil.example"));
        let call = observed("unknown", Protocol::V2_0, Some(-32600));
        assert_eq!(asked(builder(), away).await, (421, vec![call]));
    }
    for request in [get("/rpc/read"), post(CALL)] {
        let full = builder().limits(|limits| limits.max_concurrent_calls = 0);
        let call = observed("unknown", Protocol::V2_0, Some(-32002));
        assert_eq!(asked(full, at_home(request)).await, (503, vec![call]));
    }
    // Observers are notified of other requests as calls, or not at all.
    let read = observed("read", Protocol::V2_0, None);
    let unknown = observed("unknown", Protocol::V2_0, Some(-32601));
    for (request, status, calls) in [
        (get("/rpc").method(Method::OPTIONS), 204, vec![]),
        (get("/rpc"), 200, vec![]),
        (get("/rpc/read"), 200, vec![read]),
        (get("/rpc/nothing"), 404, vec![unknown]),
    ] {
        assert_eq!(asked(builder(), at_home(request)).await, (status, calls));
    }
}

#[actix_web::test]
async fn a_refused_get_is_answered_and_observed_in_the_version_of_get() {
    let own = || builder().protocols(|protocols| protocols.get = Protocol::V1_1);
    let away = |request: TestRequest| request.insert_header(("host", "evil.example"));
    for (request, status, code) in [
        (at_home(get("/rpc/a/b")), 404, -32601),
        (away(get("/rpc/read")), 421, -32600),
        (away(get("/rpc/read").method(Method::HEAD)), 421, -32600),
    ] {
        let call = observed("unknown", Protocol::V1_1, Some(code));
        assert_eq!(asked(own(), request).await, (status, vec![call]));
    }
    let routes = Routes::new(own().build().expect("a service"))
        .options(|options| options.allowed_hosts = Some(vec!["localhost".to_owned()]));
    for (request, member) in [
        (away(get("/rpc/read")), "version"),
        (away(post(CALL)), "jsonrpc"),
    ] {
        let response = ask_with(routes.clone(), request).await;
        assert_eq!(response.status, 421);
        assert!(response.json()[member].is_string(), "{}", response.body);
    }
}

#[actix_web::test]
async fn observers_are_notified_of_a_rejected_request_for_the_front_door() {
    let rejected = observed("rpc.describe", Protocol::V2_0, Some(-32007));
    for (token, status, calls) in [
        ("Bearer wrong", 401, vec![rejected]),
        ("Bearer s3cret", 200, vec![]),
    ] {
        let guarded = builder().guard(BearerToken::new("shop", "s3cret", |_| true));
        let request = get("/rpc").insert_header(("authorization", token));
        assert_eq!(asked(guarded, at_home(request)).await, (status, calls));
    }
}
