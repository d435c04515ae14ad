//! Timeouts: a call gets a response, however long its timeout is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use docent_core::{BoxFuture, CallRecord, Cx, Fault, Observer, Procedure, Runtime};
use futures_util::FutureExt;

use crate::{Tokio, builder, call, text};

/// Durations that cannot be added to an instant, and some that almost cannot.
const LONG: [Duration; 5] = [
    Duration::MAX,
    Duration::from_nanos(u64::MAX),
    Duration::from_secs(u64::MAX),
    Duration::from_secs(i64::MAX as u64),
    Duration::from_secs(i64::MAX as u64 - 1),
];

async fn waits(cx: Cx, (): ()) -> Result<bool, Fault> {
    tokio::task::yield_now().await;
    Ok(cx.deadline().is_some())
}

fn waiting(name: &str) -> Procedure {
    Procedure::new(name, waits).idempotent()
}

#[tokio::test]
async fn a_call_that_waits_is_answered_however_long_its_time_is() {
    for time in LONG {
        let limited = builder().limits(|limits| limits.timeout = time);
        let blocking = Procedure::blocking("blocking", |cx: Cx, (): ()| {
            Ok::<_, Fault>(cx.deadline().is_some())
        });
        let service = limited
            .procedure(waiting("service's"))
            .procedure(waiting("its_own").timeout(time))
            .procedure(blocking.timeout(time))
            .build()
            .expect("a service")
            .with_runtime(Arc::new(Tokio));
        for procedure in ["service's", "its_own", "blocking"] {
            let response = text(service.handle(call(procedure)).await);
            assert!(
                response.contains(r#""result":"#),
                "{time:?} {procedure}: {response}"
            );
            let batch = format!("[{0},{0}]", call(procedure));
            let response = text(service.handle(batch).await);
            assert_eq!(
                response.matches(r#""result":"#).count(),
                2,
                "{time:?}: {response}"
            );
        }
        let reply = service.query("its_own", "", None).await;
        assert_eq!(reply.error_code(), None, "{time:?}");
    }
}

/// A clock that goes backwards, and timers that fire at once.
struct Backwards(Instant, AtomicU64);

impl Runtime for Backwards {
    fn spawn(&self, _: BoxFuture<()>) {}

    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        work();
    }

    fn sleep(&self, _: Duration) -> BoxFuture<()> {
        Box::pin(std::future::ready(()))
    }

    fn now(&self) -> Instant {
        let minutes = self.1.fetch_add(1, Ordering::Relaxed);
        let passed = Duration::from_secs(60 * minutes);
        self.0.checked_sub(passed).unwrap_or(self.0)
    }
}

#[derive(Clone, Copy)]
struct Listening;

impl Observer for Listening {
    fn finished(&self, call: &CallRecord<'_>) {
        assert_eq!(call.duration, Some(Duration::ZERO));
    }
}

#[test]
fn a_clock_that_goes_backwards_breaks_nothing() {
    let clock = Backwards(
        Instant::now() + Duration::from_secs(100_000),
        AtomicU64::new(0),
    );
    let service = builder()
        .procedure(waiting("waits"))
        .observer(Listening)
        .build()
        .expect("a service")
        .with_runtime(Arc::new(clock));
    let response = text(
        service
            .handle(call("waits"))
            .now_or_never()
            .expect("an answer"),
    );
    assert!(response.contains("-32001"), "{response}");
}

/// A runtime that provides nothing.
struct Broken;

impl Runtime for Broken {
    fn spawn(&self, _: BoxFuture<()>) {
        panic!("no tasks")
    }

    fn spawn_blocking(&self, _: Box<dyn FnOnce() + Send>) {
        panic!("no threads")
    }

    fn sleep(&self, _: Duration) -> BoxFuture<()> {
        panic!("no timers")
    }

    fn now(&self) -> Instant {
        Instant::now()
    }
}

#[test]
fn a_runtime_that_panics_fails_the_call_that_needs_it_and_no_other() {
    for procedure in [
        waiting("needy"),
        Procedure::new("needy", waits),
        Procedure::blocking("needy", |_: Cx, (): ()| Ok::<_, Fault>(1)),
    ] {
        let fine = Procedure::sync("fine", |_: Cx, (): ()| Ok::<_, Fault>(1));
        let service = builder().procedure(procedure).procedure(fine).build();
        let service = service.expect("a service").with_runtime(Arc::new(Broken));
        let batch = format!("[{},{}]", call("needy"), call("fine"));
        let response = service.handle(batch).now_or_never().expect("an answer");
        let response = text(response);
        assert!(
            response.contains("-32603") && response.contains(r#""result":1"#),
            "{response}"
        );
        assert_eq!(service.running_calls(), 0);
    }
}
