//! Calls that time out, and calls whose caller disconnects.

use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use docent::{Cx, Fault, Limits, Procedure, Service};
use tokio::sync::Semaphore;

use crate::carrier::{Carrier, Over};
use crate::client::Request;
use crate::{Server, reply};

/// Longer than anything here takes. A test that waits this long has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// An event in the life of a handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Started,
    Dropped,
    Ended { cancelled: bool },
}

struct State {
    events: Sender<Event>,
    gate: Arc<Semaphore>,
}

pub(crate) struct Watched {
    pub(crate) service: Service,
    events: Receiver<Event>,
    pub(crate) gate: Arc<Semaphore>,
}

/// Reports if a handler is dropped before its end.
struct Guard(Option<Sender<Event>>);

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(events) = self.0.take() {
            let _ = events.send(Event::Dropped);
        }
    }
}

/// Waits for the gate, and reports what happens to it.
async fn wait(cx: Cx<State>, (): ()) -> Result<&'static str, Fault> {
    let events = cx.state().events.clone();
    events.send(Event::Started).map_err(Fault::internal)?;
    let mut guard = Guard(Some(events.clone()));
    cx.state()
        .gate
        .acquire()
        .await
        .map_err(Fault::internal)?
        .forget();
    guard.0 = None;
    let cancelled = cx.is_cancelled();
    events
        .send(Event::Ended { cancelled })
        .map_err(Fault::internal)?;
    Ok("waited")
}

pub(crate) fn watched(change: impl FnOnce(&mut Limits)) -> Watched {
    let (sender, events) = channel();
    let gate = Arc::new(Semaphore::new(0));
    let state = State {
        events: sender,
        gate: Arc::clone(&gate),
    };
    let service = Service::builder("watched", "urn:example:watched")
        .limits(change)
        .state(state)
        .procedure(Procedure::new("read", wait).idempotent())
        .procedure(Procedure::new("write", wait))
        .procedure(
            Procedure::new("brief", wait)
                .idempotent()
                .timeout(Duration::from_millis(20)),
        )
        .build()
        .expect("a service");
    Watched {
        service,
        events,
        gate,
    }
}

impl Watched {
    pub(crate) fn next(&self) -> Event {
        self.events
            .recv_timeout(PATIENCE)
            .expect("something happens")
    }
}

pub(crate) fn call(procedure: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","id":"w"}}"#)
}

pub(crate) fn short(limits: &mut Limits) {
    limits.timeout = Duration::from_millis(40);
}

#[test]
fn an_idempotent_procedure_whose_time_is_over_is_dropped() {
    let watched = watched(short);
    let server = Server::start(watched.service.clone());
    assert_eq!(server.post(call("read")).brief(), "error -32001 #\"w\"");
    assert_eq!(
        [watched.next(), watched.next()],
        [Event::Started, Event::Dropped]
    );
    let response = server.get("/rpc/read");
    assert_eq!((response.status, response.code()), (504, Some(-32001)));
    assert_eq!(
        [watched.next(), watched.next()],
        [Event::Started, Event::Dropped]
    );
}

#[test]
fn a_procedure_may_have_a_time_of_its_own() {
    let watched = watched(|limits| limits.timeout = PATIENCE);
    let server = Server::start(watched.service.clone());
    assert_eq!(server.post(call("brief")).brief(), "error -32001 #\"w\"");
    assert_eq!(
        [watched.next(), watched.next()],
        [Event::Started, Event::Dropped]
    );
}

#[test]
fn a_call_whose_time_is_over_fails_alone_in_its_batch() {
    let watched = watched(|limits| limits.timeout = PATIENCE);
    let server = Server::start(watched.service.clone());
    watched.gate.add_permits(1);
    let batch = format!(
        "[{},{}]",
        call("read"),
        r#"{"jsonrpc":"2.0","method":"nope","id":1}"#
    );
    assert_eq!(
        server.post(batch).brief(),
        "[\"waited\" #\"w\", error -32601 #1]"
    );
    let batch = format!(
        "[{},{}]",
        call("brief"),
        r#"{"jsonrpc":"2.0","method":"nope","id":1}"#
    );
    assert_eq!(
        server.post(batch).brief(),
        "[error -32001 #\"w\", error -32601 #1]"
    );
}

#[test]
fn a_notification_whose_time_is_over_is_still_not_answered() {
    let watched = watched(short);
    let server = Server::start(watched.service.clone());
    let response = server.post(r#"{"jsonrpc":"2.0","method":"read"}"#);
    assert_eq!((response.status, response.body.len()), (204, 0));
    assert_eq!(
        [watched.next(), watched.next()],
        [Event::Started, Event::Dropped]
    );
}

/// Calls, waits until the handler has started, and hangs up.
pub(crate) fn hang_up(server: &Over, watched: &Watched, request: &Request<'_>) {
    let mut connection = server.connect();
    connection
        .write_all(&request.bytes())
        .expect("the request is sent");
    assert_eq!(watched.next(), Event::Started);
    drop(connection);
}

#[test]
fn an_idempotent_procedure_is_dropped_when_its_caller_hangs_up() {
    let body = call("read");
    let batch = format!("[{body}]");
    for &carrier in Carrier::ALL {
        let watched = watched(|limits| limits.timeout = PATIENCE);
        let server = Over::start(carrier, watched.service.clone());
        for request in [
            Request::post("/rpc", body.as_bytes()),
            Request::post("/rpc", batch.as_bytes()),
            Request::new("GET", "/rpc/read"),
        ] {
            hang_up(&server, &watched, &request);
            assert_eq!(watched.next(), Event::Dropped);
        }
    }
}

#[test]
fn without_a_runtime_there_is_no_time_and_a_call_takes_what_it_takes() {
    let watched = watched(short);
    watched.gate.add_permits(1);
    let response = crate::handle(&watched.service, call("read").as_bytes());
    assert_eq!(reply::brief(response.as_deref()), "\"waited\" #\"w\"");
}
