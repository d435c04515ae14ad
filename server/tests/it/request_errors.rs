//! Requests that never become calls. Observers are told about each of them once.

use std::sync::{Arc, Mutex};

use actix_web::http::Method;
use actix_web::test::TestRequest;
use docent::{
    BearerToken, CallRecord, Cx, Ending, Fault, Observer, Procedure, Protocol, Routes, Service,
    ServiceBuilder,
};

use crate::{ask, ask_with, get, post};

/// A call as observers saw it: the procedure, the protocol version and the code.
type Heard = (String, Protocol, Option<i64>);

#[derive(Clone, Default)]
struct Ear(Arc<Mutex<Vec<Heard>>>);

impl Observer for Ear {
    fn finished(&self, call: &CallRecord<'_>) {
        assert_eq!(call.ending, Ending::Answered);
        assert!(call.duration.is_some(), "the transport provides a clock");
        let heard = (call.procedure.to_owned(), call.protocol, call.code);
        self.0.lock().expect("no panic").push(heard);
    }
}

fn builder() -> ServiceBuilder {
    let read = Procedure::sync("read", |_: Cx, (): ()| Ok::<_, Fault>(1));
    Service::builder("heard", "urn:uuid:0b7e4f8a-7a77-4b0e-9a3e-3f6f0a9d1c57")
        .procedure(read.idempotent())
}

/// Returns the status of the response, and what observers were told meanwhile.
async fn asked(builder: ServiceBuilder, request: TestRequest) -> (u16, Vec<Heard>) {
    let ear = Ear::default();
    let service = builder.observer(ear.clone()).build().expect("a service");
    let routes = Routes::new(service).options(|options| {
        options.decompress = true;
        options.allowed_hosts = Some(vec!["localhost".to_owned()]);
    });
    let answer = ask_with(routes, request).await;
    let heard = ear.0.lock().expect("no panic").clone();
    (answer.status.as_u16(), heard)
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
        let answer = ask(&service, request).await;
        assert_eq!(answer.status.as_u16(), 415);
        assert!(answer.body.contains(reason), "{}", answer.body);
    }
}

#[actix_web::test]
async fn observers_hear_once_of_what_is_refused_before_it_is_a_call() {
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
        let heard = [("unknown".to_owned(), Protocol::V2_0, Some(code))];
        let expected = (status, heard.to_vec());
        assert_eq!(asked(builder(), at_home(request)).await, expected);
    }
    for request in [get("/rpc/read"), get("/rpc"), post(CALL)] {
        let away = request.insert_header(("host", "evil.example"));
        let heard = [("unknown".to_owned(), Protocol::V2_0, Some(-32600))];
        assert_eq!(asked(builder(), away).await, (421, heard.to_vec()));
    }
    for request in [get("/rpc/read"), post(CALL)] {
        let full = builder().limits(|limits| limits.max_concurrent_calls = 0);
        let heard = [("unknown".to_owned(), Protocol::V2_0, Some(-32002))];
        assert_eq!(asked(full, at_home(request)).await, (503, heard.to_vec()));
    }
    // Observers are told about other requests as calls, or not at all.
    for (request, status, heard) in [
        (get("/rpc").method(Method::OPTIONS), 204, None),
        (get("/rpc"), 200, None),
        (get("/rpc/read"), 200, Some(("read", None))),
        (get("/rpc/nothing"), 404, Some(("unknown", Some(-32601)))),
    ] {
        let heard = heard.map(|(name, code)| (name.to_owned(), Protocol::V2_0, code));
        let expected = (status, heard.into_iter().collect());
        assert_eq!(asked(builder(), at_home(request)).await, expected);
    }
}

#[actix_web::test]
async fn a_get_that_is_refused_is_answered_and_heard_of_in_the_version_of_get() {
    let own = || builder().protocols(|protocols| protocols.get = Protocol::V1_1);
    let away = |request: TestRequest| request.insert_header(("host", "evil.example"));
    for (request, status, code) in [
        (at_home(get("/rpc/a/b")), 404, -32601),
        (away(get("/rpc/read")), 421, -32600),
        (away(get("/rpc/read").method(Method::HEAD)), 421, -32600),
    ] {
        let heard = [("unknown".to_owned(), Protocol::V1_1, Some(code))];
        assert_eq!(asked(own(), request).await, (status, heard.to_vec()));
    }
    let routes = Routes::new(own().build().expect("a service"))
        .options(|options| options.allowed_hosts = Some(vec!["localhost".to_owned()]));
    for (request, member) in [
        (away(get("/rpc/read")), "version"),
        (away(post(CALL)), "jsonrpc"),
    ] {
        let answer = ask_with(routes.clone(), request).await;
        assert_eq!(answer.status, 421);
        assert!(answer.json()[member].is_string(), "{}", answer.body);
    }
}

#[actix_web::test]
async fn observers_hear_of_those_who_are_not_let_in_to_the_front_door() {
    let guarded = || builder().guard(BearerToken::new("shop", "s3cret", |_| true));
    for token in ["Bearer wrong", "Bearer s3cret"] {
        let request = get("/rpc").insert_header(("authorization", token));
        let (status, heard) = asked(guarded(), at_home(request)).await;
        let refused = ("rpc.describe".to_owned(), Protocol::V2_0, Some(-32007));
        match status {
            401 => assert_eq!(heard, [refused]),
            _ => assert_eq!((status, heard), (200, Vec::new())),
        }
    }
}
