//! Timeouts of batches and of calls that wait in long queues, over HTTP.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use docent::{Cx, Fault, Procedure, Routes, Service, TokioRuntime};
use serde_json::{Value, json};

use crate::carrier::{Carrier, Over};
use crate::interruption::PATIENCE;
use crate::log::logged;
use crate::{Server, service_with};

/// Returns the largest possible batch of calls that sleep.
fn sleeping(calls: usize, ms: u64) -> String {
    let call = |id| format!(r#"{{"jsonrpc":"2.0","method":"sleep","params":[{ms}],"id":{id}}}"#);
    format!("[{}]", (0..calls).map(call).collect::<Vec<_>>().join(","))
}

#[test]
fn batches_of_sleeping_calls_keep_nobody_out_and_are_over_in_time() {
    // A timeout of 30 s and calls that sleep for 2 s, sixty times as fast.
    let service = service_with(|limits| {
        limits.max_concurrent_calls = 64;
        limits.timeout = Duration::from_millis(500);
    });
    let server = Arc::new(Server::start(service.clone()));
    let started = Instant::now();
    let batches: Vec<_> = (0..4)
        .map(|_| {
            let server = Arc::clone(&server);
            thread::spawn(move || server.post(sleeping(1_000, 33)))
        })
        .collect();
    while service.running_calls() < 16 {
        assert!(started.elapsed() < PATIENCE, "the batches never start");
        thread::yield_now();
    }
    let mut others = 0;
    while others < 2 || started.elapsed() < Duration::from_millis(400) {
        let response = server.call("count");
        assert!(!response.contains("error"), "{response}");
        // Half of the permits, one call for each batch, and what two workers start at the same
        // moment.
        assert!(service.running_calls() <= 32 + 4 + 15);
        others += 1;
    }
    for batch in batches {
        let responses = batch.join().expect("no panic").json();
        let responses = responses.as_array().expect("an array");
        assert_eq!(responses.len(), 1_000);
        let late = responses
            .iter()
            .skip_while(|response| response["result"] == 33);
        let late: Vec<&Value> = late.collect();
        // In 500 ms, a batch has time for 15 rounds of 33 ms, with at most sixteen calls each.
        assert!(late.len() >= 1_000 - 16 * 16, "{}", late.len());
        for response in &late {
            let expected =
                json!({"code": -32001, "message": "Timed out", "data": {"started": false}});
            assert_eq!(response["error"], expected);
        }
    }
}

#[test]
fn a_notification_that_never_began_is_in_the_log() {
    let service = service_with(|limits| {
        limits.batch_timeout = Some(Duration::from_millis(20));
        limits.max_batch_concurrency = 1;
    });
    let service = service.with_runtime(Arc::new(TokioRuntime));
    let body = r#"[
        {"jsonrpc":"2.0","method":"sleep","params":[40],"id":1},
        {"jsonrpc":"2.0","method":"count"},
        {"jsonrpc":"2.0","method":"count","id":2}
    ]"#;
    let (response, log) = logged(&service, body);
    assert_eq!(
        crate::reply::brief(response.as_deref()),
        "[40 #1, error -32001 #2]"
    );
    let lines: Vec<_> = log.lines().collect();
    assert_eq!(lines.len(), 1, "{log}");
    let said = ["WARN", "timed out", r#"procedure="count""#];
    assert!(said.iter().all(|said| lines[0].contains(said)), "{log}");
    let count = r#"{"jsonrpc":"2.0","method":"count","id":1}"#;
    assert_eq!(crate::outcome(&service, count), "1 #1");
}

#[test]
fn callers_who_hang_up_do_not_hold_up_those_who_wait() {
    for &carrier in Carrier::ALL {
        hang_up_while_others_wait(carrier);
    }
}

fn hang_up_while_others_wait(carrier: Carrier) {
    let runs = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&runs);
    let service = Service::builder("queue", "urn:example:queue")
        .procedure(
            Procedure::blocking("slow", move |_: Cx, (): ()| {
                count.fetch_add(1, Ordering::SeqCst);
                thread::sleep(Duration::from_millis(100));
                Ok::<_, Fault>(1)
            })
            .idempotent(),
        )
        .build()
        .expect("a service");
    let server = docent::Server::new(service.clone()).blocking_threads(1);
    let server = Over::serving(carrier, server);
    let body = r#"{"jsonrpc":"2.0","method":"slow","id":1}"#;
    // Handshakes take a while, so all connections are there before the first call.
    let mut connections: Vec<_> = (0..60).map(|_| server.connect()).collect();
    let request = crate::client::Request::post("/rpc", body.as_bytes()).bytes();
    for connection in &mut connections {
        std::io::Write::write_all(connection, &request).expect("the request is sent");
    }
    let started = Instant::now();
    while service.running_calls() < 60 {
        assert!(started.elapsed() < PATIENCE, "the calls never run");
        thread::yield_now();
    }
    drop(connections);
    let started = Instant::now();
    while service.running_calls() > 2 {
        assert!(
            started.elapsed() < PATIENCE,
            "their permits are not released"
        );
        thread::yield_now();
    }
    assert_eq!(server.post(body).brief(), "1 #1");
    // Those that had a thread, and the last one.
    assert!(runs.load(Ordering::SeqCst) < 20, "{runs:?}");
}

#[test]
fn times_without_end_end_nothing() {
    let service = service_with(|limits| {
        limits.timeout = Duration::MAX;
        limits.batch_timeout = Some(Duration::MAX);
    });
    let routes = Routes::new(service).options(|options| {
        for time in [
            &mut options.body_timeout,
            &mut options.drain_time,
            &mut options.write_timeout,
            &mut options.retry_after,
        ] {
            *time = Duration::MAX;
        }
    });
    let server = docent::Server::new(routes)
        .head_timeout(Duration::MAX)
        .keep_alive(Duration::MAX)
        .shutdown_deadline(Duration::MAX);
    let server = Server::serving(server);
    let sleep = r#"{"jsonrpc":"2.0","method":"sleep","params":[5],"id":1}"#;
    let mut connection = server.connect();
    for body in [sleep.to_owned(), format!("[{sleep},{sleep}]")] {
        let request = crate::client::Request::post("/rpc", body.as_bytes());
        let response = crate::client::Response::exchange(&mut connection, &request);
        assert!(response.brief().contains("5 #1"), "{}", response.brief());
    }
    assert_eq!(server.get("/rpc/sleep?ms=5").json()["result"], 5);
    // One request that takes longer than a tick of the timer, and one whose body is rejected and
    // drained.
    let unread = crate::client::Request::post("/rpc", b"{}").header("Content-Type", "text/plain");
    assert_eq!(server.send(&unread).status, 415);
}
