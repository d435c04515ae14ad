//! Too many concurrent calls, and responses that are too large.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use docent::{Cx, Fault, Limits, Procedure, Service};
use tokio::sync::Semaphore;

use crate::client::{Request, Response};
use crate::reply::brief;
use crate::{Server, assert_outcomes, now, service_with};

/// Longer than anything here takes. A test that waits this long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A service that holds its calls until the test releases them.
struct Holding {
    service: Service,
    server: Server,
    entered: Receiver<()>,
    gate: Arc<Semaphore>,
}

struct State {
    entered: Sender<()>,
    gate: Arc<Semaphore>,
}

fn holding(change: impl FnOnce(&mut Limits)) -> Holding {
    let (sender, entered) = channel();
    let gate = Arc::new(Semaphore::new(0));
    let state = State {
        entered: sender,
        gate: Arc::clone(&gate),
    };
    let hold = |cx: Cx<State>, (): ()| async move {
        cx.state().entered.send(()).map_err(Fault::internal)?;
        cx.state()
            .gate
            .acquire()
            .await
            .map_err(Fault::internal)?
            .forget();
        Ok::<_, Fault>("held")
    };
    let service = Service::builder("holding", "urn:example:holding")
        .limits(change)
        .state(state)
        .procedure(Procedure::new("hold", hold).idempotent())
        .procedure(Procedure::sync("quick", |_: Cx<State>, (): ()| Ok::<_, Fault>(1)).idempotent())
        .build()
        .expect("a service");
    Holding {
        server: Server::start(service.clone()),
        service,
        entered,
        gate,
    }
}

impl Holding {
    fn wait_until_entered(&self) {
        self.entered.recv_timeout(PATIENCE).expect("a call is held");
    }

    /// Sends a body and does not wait for the response.
    fn begin(&self, body: &str) -> std::net::TcpStream {
        let mut connection = self.server.connect();
        let bytes = Request::post("/rpc", body.as_bytes()).bytes();
        std::io::Write::write_all(&mut connection, &bytes).expect("the request is sent");
        connection
    }
}

const HOLD: &str = r#"{"jsonrpc":"2.0","method":"hold","id":"h"}"#;

#[test]
fn one_call_too_many_is_503_before_its_body_is_read_and_the_next_is_answered_again() {
    let holding = holding(|limits| limits.max_concurrent_calls = 2);
    let mut held = [holding.begin(HOLD), holding.begin(HOLD)];
    holding.wait_until_entered();
    holding.wait_until_entered();
    for _ in 0..3 {
        let response = holding
            .server
            .post(r#"{"jsonrpc":"2.0","method":"quick","id":1}"#);
        response.assert_request_error(503, "one too many");
        assert_eq!(response.code(), Some(-32002));
        let seconds = response.header("retry-after").expect("when to come back");
        assert!(
            seconds.parse::<u32>().is_ok_and(|seconds| seconds > 0),
            "{seconds}"
        );
    }
    let response = holding.server.get("/rpc/quick");
    response.assert_request_error(503, "GET is a call too");
    assert_eq!(response.code(), Some(-32002));
    // A request that makes no call is answered.
    assert_eq!(holding.server.get("/health").status, 200);
    assert_eq!(holding.server.get("/rpc").status, 200);
    holding.gate.add_permits(2);
    for connection in &mut held {
        assert_eq!(Response::read(connection, false).brief(), "\"held\" #\"h\"");
    }
    assert_eq!(holding.server.call("quick"), "1 #1");
    assert_eq!(holding.server.get("/rpc/quick").status, 200);
}

#[test]
fn a_call_of_a_batch_that_is_one_too_many_is_busy_under_its_id() {
    let holding = holding(|limits| limits.max_concurrent_calls = 8);
    let service = &holding.service;
    let batch = HOLD.replace("\"h\"", "1") + "," + &HOLD.replace("\"h\"", "2");
    let batch = format!("[{batch}]");
    let mut held: Vec<_> = (0..8).map(|_| Box::pin(service.handle(HOLD))).collect();
    // Polling each once starts it.
    assert!(held.iter_mut().all(|held| now(held).is_none()));
    let response = now(&mut Box::pin(service.handle(batch))).expect("nothing to wait for");
    let expected = "[error -32002 #1, error -32002 #2]";
    assert_eq!(brief(response.as_deref()), expected);
    holding.gate.add_permits(8);
    for held in &mut held {
        let response = now(held).expect("the gate is open");
        assert_eq!(brief(response.as_deref()), "\"held\" #\"h\"");
    }
}

#[test]
fn a_batch_goes_on_with_one_call_at_a_time_while_half_of_the_places_are_taken() {
    let holding = holding(|limits| limits.max_concurrent_calls = 16);
    let service = &holding.service;
    let mut held: Vec<_> = (0..7).map(|_| Box::pin(service.handle(HOLD))).collect();
    assert!(held.iter_mut().all(|held| now(held).is_none()));
    let batch = format!("[{}]", [HOLD; 6].join(","));
    let mut batches: Vec<_> = (0..3)
        .map(|_| Box::pin(service.handle(batch.clone())))
        .collect();
    for (batch, running) in batches.iter_mut().zip([8, 9, 10]) {
        assert!(now(batch).is_none());
        assert_eq!(service.running_calls(), running);
    }
    // A batch runs more calls when there is room again, and never more than its quarter.
    drop(held);
    holding.gate.add_permits(1);
    assert!(now(&mut batches[0]).is_none());
    assert_eq!(service.running_calls(), 6);
}

#[test]
fn a_batch_that_fits_is_never_busy_with_itself() {
    let service = service_with(|limits| limits.max_concurrent_calls = 1);
    let call = r#"{"jsonrpc":"2.0","method":"sleep","params":[1],"id":1}"#;
    let batch = format!("[{}]", [call; 5].join(","));
    assert_outcomes(&service, &[(batch, "[1 #1, 1 #1, 1 #1, 1 #1, 1 #1]")]);
}

#[test]
fn a_batch_takes_a_quarter_of_the_calls_at_once_and_leaves_the_rest_to_others() {
    for (calls, taken) in [(1, 1), (8, 2), (1_024, 16)] {
        let holding = holding(|limits| limits.max_concurrent_calls = calls);
        let batch = format!("[{}]", [HOLD; 100].join(","));
        let mut batch = Box::pin(holding.service.handle(batch));
        assert!(now(&mut batch).is_none());
        assert_eq!(holding.service.running_calls(), taken, "of {calls}");
    }
}

#[test]
fn calls_that_failed_do_not_count_as_running() {
    let service = service_with(|limits| limits.max_concurrent_calls = 1);
    for _ in 0..3 {
        assert_outcomes(
            &service,
            &[
                (
                    r#"{"jsonrpc":"2.0","method":"panic","id":1}"#,
                    "error -32603 #1",
                ),
                (
                    r#"{"jsonrpc":"2.0","method":"fail","params":[1,""],"id":1}"#,
                    "error 1 #1",
                ),
                (
                    r#"{"jsonrpc":"2.0","method":"subtract","id":1}"#,
                    "error -32602 #1",
                ),
                (
                    r#"{"jsonrpc":"2.0","method":"large","params":[99999999],"id":1}"#,
                    "error -32004 #1",
                ),
                (r#"{"jsonrpc":"2.0","method":"update"}"#, "nothing"),
            ],
        );
    }
    assert_eq!(service.running_calls(), 0);
}

#[test]
fn a_response_may_be_as_large_as_the_limit_and_not_a_byte_larger() {
    let service = service_with(|limits| limits.max_response_bytes = 1_000);
    let frame = r#"{"jsonrpc":"2.0","result":"","id":1}"#.len();
    let large =
        |bytes: usize| format!(r#"{{"jsonrpc":"2.0","method":"large","params":[{bytes}],"id":1}}"#);
    let fits = 1_000 - frame;
    assert_outcomes(
        &service,
        &[
            (large(fits), format!("\"{}\" #1", "x".repeat(fits))),
            (large(fits + 1), "error -32004 #1".to_owned()),
            (large(usize::MAX >> 1), "error -32004 #1".to_owned()),
        ],
    );
}

#[test]
fn an_echo_that_would_be_too_large_fails_alone() {
    let service = service_with(|limits| limits.max_response_bytes = 100);
    let value = format!("\"{}\"", "é".repeat(60));
    let body = format!(r#"{{"jsonrpc":"2.0","method":"echo","params":[{value}],"id":1}}"#);
    assert_outcomes(&service, &[(body, "error -32004 #1")]);
    let body = r#"{"jsonrpc":"2.0","method":"echo","params":["é"],"id":1}"#;
    assert_outcomes(&service, &[(body, "\"é\" #1")]);
}

#[test]
fn a_fault_with_a_long_message_is_bounded_too() {
    let service = service_with(|limits| limits.max_response_bytes = 200);
    let message = "m".repeat(5_000);
    let body = format!(r#"{{"jsonrpc":"2.0","method":"fail","params":[5,"{message}"],"id":1}}"#);
    assert_outcomes(&service, &[(body, "error -32004 #1")]);
}
