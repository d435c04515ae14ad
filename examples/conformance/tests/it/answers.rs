//! Large answers to many callers at once: who reads gets all of it, others wait for room, and no write
//! looks as if it had not run.

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use docent::{Cx, Fault, HttpOptions, Procedure, Routes, Service};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::Semaphore;

use crate::carrier::{Carrier, Connection, Over};
use crate::client::{Request, Response};
use crate::process::eventually;
use crate::{Server, call_with};

/// Returns a text of a given size.
#[derive(Deserialize, JsonSchema)]
struct Size {
    /// The number of bytes of the text.
    bytes: usize,
}

/// The state that the procedures share with the test.
struct State {
    begun: AtomicUsize,
    gate: Semaphore,
}

impl State {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            begun: AtomicUsize::new(0),
            gate: Semaphore::new(0),
        })
    }

    /// Lets all calls go on that wait, and all later ones.
    fn open(&self) {
        self.gate.add_permits(1_000);
    }

    fn wait_until_begun(&self, calls: usize) {
        let begun = || (self.begun.load(Ordering::SeqCst) >= calls).then_some(());
        eventually("the calls have begun", begun);
    }
}

/// Returns a service whose `held…` procedures wait for the gate.
fn service(state: &Arc<State>) -> Service {
    let held = |cx: Cx<Arc<State>>, p: Size| async move {
        cx.state().begun.fetch_add(1, Ordering::SeqCst);
        let permit = cx.state().gate.acquire().await;
        drop(permit.map_err(Fault::internal)?);
        Ok::<_, Fault>("x".repeat(p.bytes))
    };
    let report = |_: Cx<Arc<State>>, p: Size| Ok::<_, Fault>("x".repeat(p.bytes));
    let fail = |_: Cx<Arc<State>>, (): ()| Err::<(), _>(Fault::new(7, "no"));
    Service::builder("answers", "urn:example:answers")
        .state(Arc::clone(state))
        .procedure(Procedure::sync("report", report).idempotent())
        .procedure(Procedure::new("held_report", held).idempotent())
        .procedure(
            Procedure::new("held_write", held)
                .repeatable(Duration::from_secs(60))
                .keys_without_caller(),
        )
        .procedure(Procedure::sync("fail", fail).errors_open())
        .build()
        .expect("a service")
}

fn begin(mut connection: Connection, request: &Request<'_>) -> Connection {
    connection.receive_little();
    connection.write_all(&request.bytes()).expect("it is sent");
    connection
}

fn with_bytes(procedure: &str, bytes: usize) -> String {
    call_with(procedure, &format!("[{bytes}]"))
}

/// Reads a piece every so often, until the end. Returns how much that was.
fn read_slowly(connection: &mut Connection, piece: u64, pause: Duration) -> usize {
    let mut all = Vec::new();
    while let Ok(1..) = connection.take(piece).read_to_end(&mut all) {
        thread::sleep(pause);
    }
    all.len()
}

#[test]
fn callers_who_all_read_at_once_get_all_of_their_answers_however_little_room_there_is() {
    const READERS: usize = 24;
    const SIZE: usize = 2_000_000;
    for &carrier in Carrier::ALL {
        let state = State::new();
        let server = Over::with_options(carrier, service(&state), |options| {
            options.max_buffered_bytes = 4 << 20;
        });
        let body = with_bytes("held_report", SIZE);
        let request = Request::post("/rpc", body.as_bytes());
        let begun = (0..READERS).map(|_| begin(server.connect(), &request));
        let mut begun: Vec<_> = begun.collect();
        state.wait_until_begun(READERS);
        state.open();
        thread::scope(|scope| {
            for connection in &mut begun {
                scope.spawn(|| {
                    let response = Response::read(connection, false);
                    assert_eq!(response.status, 200);
                    assert!(
                        response.body.ends_with(b"x\",\"id\":1}") && response.body.len() > SIZE
                    );
                });
            }
        });
    }
}

/// Checks an answer that found no room, of a call that has run.
#[track_caller]
fn assert_has_run(response: &serde_json::Value, id: u8) {
    let error = serde_json::json!({
        "code": -32004, "message": "Response too large", "data": {"ran": true},
    });
    assert_eq!((&response["error"], &response["id"]), (&error, &id.into()));
}

/// The bounds of the next test.
const ALL_ROOM: usize = 3_000_000;
const TOO_LONG: Duration = Duration::from_millis(1_500);

fn try_without_room(carrier: Carrier) {
    let state = State::new();
    let server = Over::with_options(carrier, service(&state), |options| {
        options.max_buffered_bytes = ALL_ROOM + 100_000;
        options.write_timeout = TOO_LONG;
    });
    let post = |body: &str| begin(server.connect(), &Request::post("/rpc", body.as_bytes()));
    let large = with_bytes("held_write", 2_000_000);
    let write = Request::post("/rpc", large.as_bytes()).header("Idempotency-Key", "k");
    let mut writing = begin(server.connect(), &write);
    let mut reading = post(&with_bytes("held_report", 2_000_000));
    let failing = r#"{"jsonrpc":"2.0","method":"fail","id":2}"#;
    let mut batch = post(&format!("[{large},{failing}]"));
    state.wait_until_begun(3);
    // The body of one more call is on its way.
    let begun = Request::post("/rpc", large.as_bytes()).bytes();
    let (first, rest) = begun.split_at(begun.len() - 10);
    let mut arriving = server.connect();
    arriving.write_all(first).expect("it is sent");
    thread::scope(|scope| {
        let mut slow = post(&with_bytes("report", ALL_ROOM));
        slow.read_exact(&mut [0]).expect("the answer starts");
        let slow = scope.spawn(move || {
            // More than 1 MB in the time that it has for 256 KiB, and longer than others wait.
            read_slowly(&mut slow, 64 << 10, Duration::from_millis(80))
        });
        state.open();
        let get = |target| server.send(&Request::new("GET", target));
        eventually("there is no room", || {
            (get("/rpc/report?bytes=1").status == 503).then_some(())
        });
        let busy = server.post(with_bytes("report", 1));
        busy.assert_request_error(503, "before the body is read");
        assert_eq!(
            (busy.code(), busy.header("retry-after")),
            (Some(-32002), Some("1"))
        );
        arriving.write_all(rest).expect("it is sent");
        assert_eq!(
            Response::read(&mut arriving, false).brief(),
            "error -32002 #1"
        );
        assert_eq!((get("/health").status, get("/rpc").status), (200, 200));
        let written = Response::read(&mut writing, false);
        assert_eq!(written.status, 200);
        assert_has_run(&written.json(), 1);
        let read = Response::read(&mut reading, false);
        read.assert_request_error(503, "the call can be repeated");
        assert_eq!(
            (read.code(), read.header("retry-after")),
            (Some(-32002), Some("1"))
        );
        let batch = Response::read(&mut batch, false);
        assert_has_run(&batch.json()[0], 1);
        assert_eq!(batch.json()[1]["error"]["code"], 7);
        // Nothing was dropped to make room.
        assert!(slow.join().expect("no panic") > ALL_ROOM);
    });
    assert_eq!(state.begun.load(Ordering::SeqCst), 3);
    let repeated = server.send(&write);
    assert_eq!(repeated.header("idempotent-replayed"), Some("true"));
    assert!(repeated.body.len() > 2_000_000);
    assert_eq!(state.begun.load(Ordering::SeqCst), 3);
}

#[test]
fn an_answer_without_room_for_too_long_is_503_or_says_that_its_call_has_run_and_none_starts_meanwhile()
 {
    thread::scope(|scope| {
        for &carrier in Carrier::ALL {
            scope.spawn(move || try_without_room(carrier));
        }
    });
}

/// More than the system stores for a connection.
const STALLED: usize = 12_000_000;
const PATIENCE: Duration = Duration::from_millis(600);

fn few_bytes(options: &mut HttpOptions) {
    options.max_buffered_bytes = STALLED + 100_000;
    options.write_timeout = PATIENCE;
}

/// Checks that the answer to a caller who reads little is dropped, and that its room goes to the next.
fn stall(state: &State, connect: impl Fn() -> Connection, reads: bool) {
    let post = |procedure| {
        let body = with_bytes(procedure, STALLED);
        begin(connect(), &Request::post("/rpc", body.as_bytes()))
    };
    let mut next = post("held_report");
    state.wait_until_begun(1);
    let mut stalled = post("report");
    stalled.read_exact(&mut [0]).expect("the answer starts");
    // Bytes that the system stores may count as read, once.
    let asks = std::time::Instant::now() + PATIENCE.mul_f32(1.4);
    while std::time::Instant::now() < asks {
        if reads {
            stalled.read_exact(&mut [0; 1_000]).expect("it is there");
        }
        thread::sleep(Duration::from_millis(20));
    }
    state.open();
    let response = Response::read(&mut next, false);
    assert_eq!(response.status, 200);
    assert!(response.body.len() > STALLED);
    let rest = stalled.rest().len();
    assert!(rest < STALLED / 2 + STALLED / 4, "{rest}");
}

#[test]
fn a_caller_who_reads_nothing_or_too_little_is_dropped_and_its_room_goes_to_the_next() {
    thread::scope(|scope| {
        for reads in [false, true] {
            for &carrier in Carrier::ALL {
                scope.spawn(move || {
                    let state = State::new();
                    let server = Over::with_options(carrier, service(&state), few_bytes);
                    stall(&state, || server.connect(), reads);
                });
            }
            scope.spawn(move || {
                let state = State::new();
                let routes = Routes::new(service(&state)).options(few_bytes);
                let server = Server::mounted(routes);
                stall(&state, || Connection::tcp(server.address), reads);
            });
        }
    });
}
