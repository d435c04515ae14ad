//! The calls of a batch run concurrently, up to a limit. These tests check that without measuring
//! time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use docent::{Cx, Fault, Procedure, Service};
use tokio::sync::Barrier;

use crate::{Server, outcome};

fn call(procedure: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","id":1}}"#)
}

#[test]
fn calls_of_one_batch_run_at_the_same_time() {
    // No call passes the barrier alone, so the batch ends only if all of its calls run at the same
    // time.
    let service = Service::builder("meeting", "urn:example:meeting")
        .limits(|limits| limits.timeout = Duration::from_secs(30))
        .state(Barrier::new(4))
        .procedure(Procedure::new(
            "meet",
            |cx: Cx<Barrier>, (): ()| async move {
                cx.state().wait().await;
                Ok::<_, Fault>("met")
            },
        ))
        .build()
        .expect("a service");
    let batch = format!("[{}]", vec![call("meet"); 8].join(","));
    let met = ["\"met\" #1"; 8].join(", ");
    assert_eq!(
        Server::start(service).post(batch).brief(),
        format!("[{met}]")
    );
}

/// Counts how many calls are running, and how many ran at most.
#[derive(Default)]
struct Crowd {
    now: AtomicUsize,
    most: AtomicUsize,
}

#[test]
fn no_more_calls_of_one_batch_run_at_the_same_time_than_allowed() {
    let crowd = Arc::new(Crowd::default());
    let service = Service::builder("crowd", "urn:example:crowd")
        .limits(|limits| limits.max_batch_concurrency = 5)
        .shared_state(Arc::clone(&crowd))
        .procedure(Procedure::new("join", |cx: Cx<Crowd>, (): ()| async move {
            let now = cx.state().now.fetch_add(1, Ordering::SeqCst) + 1;
            cx.state().most.fetch_max(now, Ordering::SeqCst);
            for _ in 0..3 {
                tokio::task::yield_now().await;
            }
            cx.state().now.fetch_sub(1, Ordering::SeqCst);
            Ok::<_, Fault>(0)
        }))
        .build()
        .expect("a service");
    let batch = format!("[{}]", vec![call("join"); 40].join(","));
    assert_eq!(
        outcome(&service, batch),
        format!("[{}]", vec!["0 #1"; 40].join(", "))
    );
    assert_eq!(crowd.most.load(Ordering::SeqCst), 5);
}
