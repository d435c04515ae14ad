//! Non-idempotent procedures run to their end once they have started.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use docent::TokioRuntime;

use crate::carrier::{Carrier, Over};
use crate::client::Request;
use crate::interruption::{Event, PATIENCE, call, hang_up, short, watched};
use crate::{Server, now, service_with};

#[test]
fn a_procedure_that_is_not_idempotent_runs_to_its_end_after_its_time_is_over() {
    let watched = watched(short);
    let server = Server::start(watched.service.clone());
    assert_eq!(server.post(call("write")).brief(), "error -32001 #\"w\"");
    assert_eq!(watched.next(), Event::Started);
    // It still counts as running.
    assert_eq!(watched.service.running_calls(), 1);
    watched.gate.add_permits(1);
    assert_eq!(watched.next(), Event::Ended { cancelled: true });
}

#[test]
fn a_procedure_that_is_not_idempotent_runs_to_its_end_when_its_caller_hangs_up() {
    let body = call("write");
    let batch = format!("[{body}]");
    let notification = r#"{"jsonrpc":"2.0","method":"write"}"#;
    for &carrier in Carrier::ALL {
        let watched = watched(|limits| limits.timeout = PATIENCE);
        let server = Over::start(carrier, watched.service.clone());
        for body in [&*body, &*batch, notification] {
            hang_up(&server, &watched, &Request::post("/rpc", body.as_bytes()));
            // Nothing shows when the server has noticed, so the handler may or may not see it.
            watched.gate.add_permits(1);
            assert!(matches!(watched.next(), Event::Ended { .. }), "{body}");
        }
    }
}

#[test]
fn a_started_write_outlives_the_future_that_answers_it() {
    let watched = watched(|limits| limits.timeout = PATIENCE);
    let service = watched.service.with_runtime(Arc::new(TokioRuntime));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let mut write = Box::pin(service.handle(call("write")));
        assert!(now(&mut write).is_none());
        let mut read = Box::pin(service.handle(call("read")));
        assert!(now(&mut read).is_none());
        assert_eq!(
            [watched.next(), watched.next()],
            [Event::Started, Event::Started]
        );
        drop(write);
        drop(read);
        assert_eq!(watched.next(), Event::Dropped);
        watched.gate.add_permits(1);
        while service.running_calls() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(watched.next(), Event::Ended { cancelled: true });
    });
}

/// Counts until an earlier call that no client waits for has counted too.
fn assert_counts(server: &Server, others: u64) {
    let started = std::time::Instant::now();
    for own in 1.. {
        let response = server.call("count");
        if response == format!("{} #1", own + others) {
            return;
        }
        assert_eq!(response, format!("{own} #1"));
        assert!(
            started.elapsed() < PATIENCE,
            "the started calls never count"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn slow_count_counts_after_its_time_is_over() {
    let server = Server::start(service_with(short));
    let response = server.post(r#"{"jsonrpc":"2.0","method":"slow_count","params":[120],"id":1}"#);
    assert_eq!(response.brief(), "error -32001 #1");
    assert_counts(&server, 1);
}

#[test]
fn slow_count_counts_after_its_caller_has_gone() {
    let service = service_with(|_| {});
    let server = Server::start(service.clone());
    let body = br#"{"jsonrpc":"2.0","method":"slow_count","params":[120],"id":1}"#;
    let mut connection = server.connect();
    connection
        .write_all(&Request::post("/rpc", body).bytes())
        .expect("the request is sent");
    while service.running_calls() == 0 {
        std::thread::yield_now();
    }
    drop(connection);
    assert_counts(&server, 1);
}
