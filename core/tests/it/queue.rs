//! Blocking calls that wait for a thread either run to completion or do not start.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use docent_core::{BoxFuture, Cx, Fault, Procedure, Runtime, Service};
use futures_util::FutureExt;

use crate::{builder, call, text};

type Work = Box<dyn FnOnce() + Send>;

/// A runtime without threads. The test decides when queued work runs and when time passes.
#[derive(Clone)]
struct Slow {
    queue: Arc<Mutex<VecDeque<Work>>>,
    tasks: Arc<Mutex<Vec<BoxFuture<()>>>>,
    start: Instant,
    seconds: Arc<AtomicUsize>,
}

impl Slow {
    fn new() -> Self {
        Self {
            queue: Arc::default(),
            tasks: Arc::default(),
            start: Instant::now(),
            seconds: Arc::default(),
        }
    }

    /// Runs everything in the queue.
    fn take_turns(&self) {
        loop {
            let work = self.queue.lock().expect("no panic").pop_front();
            match work {
                Some(work) => work(),
                None => break,
            }
        }
        let mut tasks = self.tasks.lock().expect("no panic");
        tasks.retain_mut(|task| task.now_or_never().is_none());
    }

    fn pass(&self, seconds: usize) {
        self.seconds.fetch_add(seconds, Ordering::Relaxed);
    }
}

impl Runtime for Slow {
    fn spawn(&self, task: BoxFuture<()>) {
        self.tasks.lock().expect("no panic").push(task);
    }

    fn spawn_blocking(&self, work: Work) {
        self.queue.lock().expect("no panic").push_back(work);
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<()> {
        let clock = self.clone();
        let end = self.now() + duration;
        Box::pin(std::future::poll_fn(move |_| {
            if clock.now() >= end {
                std::task::Poll::Ready(())
            } else {
                std::task::Poll::Pending
            }
        }))
    }

    fn now(&self) -> Instant {
        self.start + Duration::from_secs(self.seconds.load(Ordering::Relaxed) as u64)
    }
}

/// Returns a service with two procedures that count their runs, with a timeout of 10 s.
fn counting() -> (Service, Slow, Arc<AtomicUsize>) {
    let runtime = Slow::new();
    let runs = Arc::<AtomicUsize>::default();
    let counting = |name| {
        let runs = Arc::clone(&runs);
        Procedure::blocking(name, move |_: Cx, (): ()| {
            Ok::<_, Fault>(runs.fetch_add(1, Ordering::Relaxed))
        })
    };
    let service = builder()
        .limits(|limits| limits.timeout = Duration::from_secs(10))
        .procedure(counting("read").idempotent())
        .procedure(counting("write"))
        .build()
        .expect("a service")
        .with_runtime(Arc::new(runtime.clone()));
    (service, runtime, runs)
}

const NEVER_BEGAN: &str = r#"{"jsonrpc":"2.0","error":{"code":-32001,"message":"Timed out","data":{"started":false}},"id":1}"#;

#[test]
fn a_call_whose_time_is_over_before_it_began_never_runs_and_frees_its_place_at_once() {
    for procedure in ["read", "write"] {
        let (service, runtime, runs) = counting();
        let mut response = Box::pin(service.handle(call(procedure)));
        assert!((&mut response).now_or_never().is_none());
        assert_eq!(service.running_calls(), 1);
        runtime.pass(10);
        let response = text(response.now_or_never().expect("an answer"));
        assert_eq!(response, NEVER_BEGAN, "{procedure}");
        assert_eq!(service.running_calls(), 0, "{procedure}");
        runtime.take_turns();
        assert_eq!(runs.load(Ordering::Relaxed), 0, "{procedure}");
    }
}

#[test]
fn a_thread_that_is_free_too_late_does_not_begin() {
    for procedure in ["read", "write"] {
        let (service, runtime, runs) = counting();
        let mut response = Box::pin(service.handle(call(procedure)));
        assert!((&mut response).now_or_never().is_none());
        runtime.pass(10);
        runtime.take_turns();
        assert_eq!(runs.load(Ordering::Relaxed), 0, "{procedure}");
        let response = text(response.now_or_never().expect("an answer"));
        assert_eq!(response, NEVER_BEGAN, "{procedure}");
    }
}

#[test]
fn a_call_that_has_begun_is_not_reported_as_never_begun() {
    let (service, runtime, runs) = counting();
    let mut response = Box::pin(service.handle(call("write")));
    assert!((&mut response).now_or_never().is_none());
    runtime.take_turns();
    runtime.pass(10);
    let response = text(response.now_or_never().expect("an answer"));
    assert_eq!(response, r#"{"jsonrpc":"2.0","result":0,"id":1}"#);
    assert_eq!(runs.load(Ordering::Relaxed), 1);
}

#[test]
fn an_idempotent_call_whose_caller_left_before_it_began_never_runs() {
    let (service, runtime, runs) = counting();
    for _ in 0..60 {
        let mut response = Box::pin(service.handle(call("read")));
        assert!((&mut response).now_or_never().is_none());
    }
    assert_eq!(service.running_calls(), 0);
    runtime.take_turns();
    assert_eq!(runs.load(Ordering::Relaxed), 0);
}

#[test]
fn a_write_whose_caller_left_runs_if_its_turn_comes_in_time_and_otherwise_never() {
    for (seconds, expected) in [(9, 1), (10, 0)] {
        let (service, runtime, runs) = counting();
        let mut response = Box::pin(service.handle(call("write")));
        assert!((&mut response).now_or_never().is_none());
        drop(response);
        runtime.pass(seconds);
        runtime.take_turns();
        assert_eq!(runs.load(Ordering::Relaxed), expected, "after {seconds} s");
        assert_eq!(service.running_calls(), 0);
    }
}

/// A runtime that has shut down and drops everything it receives.
struct Gone;

impl Runtime for Gone {
    fn spawn(&self, _: BoxFuture<()>) {}

    fn spawn_blocking(&self, _: Work) {}

    fn sleep(&self, _: Duration) -> BoxFuture<()> {
        Box::pin(std::future::pending())
    }

    fn now(&self) -> Instant {
        Instant::now()
    }
}

#[test]
fn a_call_that_the_runtime_loses_is_an_internal_error() {
    let (service, _, runs) = counting();
    let service = service.with_runtime(Arc::new(Gone));
    for procedure in ["read", "write"] {
        let response = service.handle(call(procedure)).now_or_never();
        let response = text(response.expect("an answer"));
        assert!(
            response.contains(r#""code":-32603,"message":"Internal error""#),
            "{response}"
        );
    }
    assert_eq!(
        (runs.load(Ordering::Relaxed), service.running_calls()),
        (0, 0)
    );
}
