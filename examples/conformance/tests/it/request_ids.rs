//! Every response to a call, and to every request that never becomes one, has the ID of its request.

use std::collections::HashSet;
use std::io::Write;
use std::sync::{Arc, Mutex};

use docent::{CallRecord, Cx, Fault, Observer, Procedure, RequestId, Service};

use crate::Server;
use crate::client::{Request, Response};

/// Records the IDs of requests.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<Option<String>>>>);

impl Observer for Seen {
    fn finished(&self, call: &CallRecord<'_>) {
        let id = call.extension::<RequestId>().map(ToString::to_string);
        self.0.lock().expect("no panic").push(id);
    }
}

fn service(seen: &Seen) -> Service {
    let id = |cx: Cx, (): ()| Ok::<_, Fault>(cx.extension::<RequestId>().map(ToString::to_string));
    let fails = |_: Cx, (): ()| Err::<(), _>(Fault::internal("the disk is full"));
    Service::builder("identified", "urn:example:identified")
        .procedure(Procedure::sync("id", id).idempotent())
        .procedure(Procedure::sync("shared", id).idempotent().shared_cache())
        .procedure(Procedure::sync("fails", fails).idempotent())
        .observer(seen.clone())
        .build()
        .expect("a service")
}

#[track_caller]
fn id(response: &Response) -> String {
    let mut ids = response
        .headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("x-request-id"));
    let (_, id) = ids.next().expect("an ID");
    assert_eq!(ids.count(), 0);
    id.clone()
}

fn is_generated(id: &str) -> bool {
    id.len() == 16
        && id
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

const CALL: &str = r#"{"jsonrpc":"2.0","method":"id","id":1}"#;
const FAILS: &str = r#"{"jsonrpc":"2.0","method":"fails","id":1}"#;

#[test]
fn every_response_that_observers_hear_of_has_an_id_that_no_other_has() {
    let seen = Seen::default();
    let routes = docent::Routes::new(service(&seen)).metrics();
    let server = Server::serving(docent::Server::new(routes));
    let mut ids = HashSet::new();
    let plain = Request::new("POST", "/rpc").header("content-type", "text/plain");
    let requests = [
        Request::post("/rpc", CALL.as_bytes()),
        Request::post("/rpc", FAILS.as_bytes()),
        Request::post("/rpc", br#"{"jsonrpc":"2.0","method":"id"}"#),
        Request::post("/rpc", b"nonsense"),
        plain,
        Request::new("DELETE", "/rpc"),
        Request::new("HEAD", "/rpc/id"),
        Request::new("GET", "/rpc/nothing"),
        Request::new("GET", "/rpc/shared").header("if-none-match", "*"),
    ];
    let count = requests.len();
    for request in requests {
        let id = id(&server.send(&request));
        assert!(is_generated(&id), "{id}");
        ids.insert(id);
    }
    assert_eq!(ids.len(), count);
    assert_eq!(seen.0.lock().expect("no panic").len(), count);
    for target in [
        "/rpc",
        "/docs/",
        "/docs",
        "/",
        "/elsewhere",
        "/health",
        "/metrics",
    ] {
        let response = server.send(&Request::new("GET", target).header("X-Request-Id", "mine"));
        assert_eq!(response.header("x-request-id"), None, "{target}");
    }
    // Bytes that are no HTTP have one, too.
    let mut broken = server.connect();
    broken.write_all(b"nonsense\r\n\r\n").expect("it is sent");
    let refused = Response::read(&mut broken, false);
    assert_eq!(refused.status, 400);
    assert!(is_generated(&id(&refused)));
}

#[test]
fn a_well_formed_id_is_taken_over_and_any_other_replaced() {
    let seen = Seen::default();
    for server in [
        Server::start(service(&seen)),
        Server::in_an_app(service(&seen)),
    ] {
        let longest = "x".repeat(128);
        for given in ["a", "Order_17.2-b", &longest] {
            for target in ["/rpc/id", "/rpc/nobody", "/rpc/a/b"] {
                let request = Request::new("GET", target).header("X-Request-ID", given);
                assert_eq!(id(&server.send(&request)), given, "{target}");
            }
            let call = Request::post("/rpc", CALL.as_bytes()).header("x-request-id", given);
            let response = server.send(&call);
            assert_eq!(response.json()["result"], given);
            let last = seen.0.lock().expect("no panic").pop().expect("a call");
            assert_eq!(last.as_deref(), Some(given));
        }
        let too_long = "x".repeat(129);
        for given in ["", "two words", "semi;colon", "\"quoted\"", "é", &too_long] {
            let call = Request::post("/rpc", CALL.as_bytes()).header("x-request-id", given);
            let response = server.send(&call);
            assert!(is_generated(&id(&response)), "{given}");
            assert_eq!(response.json()["result"], id(&response));
        }
        let mut connection = server.connect();
        let twice =
            b"GET /rpc/id HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: a\r\nX-Request-Id: a\r\n\r\n";
        connection.write_all(twice).expect("it is sent");
        assert!(is_generated(&id(&Response::read(&mut connection, false))));
    }
}

#[test]
fn the_incident_of_an_error_is_the_generated_id_of_its_request() {
    let server = Server::start(service(&Seen::default()));
    let incident = |response: &Response| response.json()["error"]["data"]["incident"].clone();
    for request in [
        Request::post("/rpc", FAILS.as_bytes()),
        Request::new("GET", "/rpc/fails"),
    ] {
        let response = server.send(&request);
        assert_eq!(incident(&response), id(&response));
        let response = server.send(&request.header("x-request-id", "0123456789abcdef"));
        let incident = incident(&response);
        assert_eq!(id(&response), "0123456789abcdef");
        assert_ne!(incident, id(&response), "callers may repeat theirs");
        assert!(is_generated(incident.as_str().expect("an incident")));
    }
    let batch = format!("[{FAILS},{FAILS},{FAILS}]");
    let response = server.post(batch);
    let responses = response.json();
    let responses = responses.as_array().expect("a batch");
    let incidents: HashSet<_> = responses
        .iter()
        .map(|response| response["error"]["data"]["incident"].to_string())
        .collect();
    assert_eq!(incidents.len(), 3);
    assert!(incidents.contains(&format!("\"{}\"", id(&response))));
}

#[test]
fn an_id_changes_neither_bodies_nor_what_caches_see() {
    let server = Server::start(service(&Seen::default()));
    let with = |given: &str| {
        let request = Request::new("GET", "/rpc/rpc.describe").header("x-request-id", given);
        let response = server.send(&request);
        let fields = ["etag", "cache-control", "vary", "content-type"];
        let fields = fields.map(|name| response.header(name).map(str::to_owned));
        (response.status, fields, response.body.clone())
    };
    assert_eq!(with("one"), with("two"));
    let (_, [_, _, vary, _], _) = with("three");
    assert!(
        !vary
            .expect("Vary")
            .to_ascii_lowercase()
            .contains("x-request-id")
    );
}
