//! Events for observers, with a clock that only handlers advance.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use docent_core::{BoxFuture, CallRecord, Cx, Fault, Observer, Procedure, Runtime};
use futures_util::FutureExt;

use crate::builder;

/// A clock that advances only in handlers.
struct Clock {
    start: Instant,
    seconds: Arc<AtomicU64>,
}

impl Runtime for Clock {
    fn spawn(&self, _: BoxFuture<()>) {}

    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        work();
    }

    fn sleep(&self, _: Duration) -> BoxFuture<()> {
        Box::pin(std::future::pending())
    }

    fn now(&self) -> Instant {
        self.start + Duration::from_secs(self.seconds.load(Ordering::Relaxed))
    }
}

/// A call as an observer sees it.
#[derive(Debug, PartialEq)]
struct ObservedCall {
    procedure: String,
    duration: Option<Duration>,
}

#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<ObservedCall>>>);

impl Observer for Recorder {
    fn finished(&self, call: &CallRecord<'_>) {
        self.0.lock().expect("no panic").push(ObservedCall {
            procedure: call.procedure.to_owned(),
            duration: call.duration,
        });
    }
}

#[test]
fn a_call_takes_the_time_of_its_handler_however_it_is_made() {
    let seconds = Arc::new(AtomicU64::new(0));
    let handler = Arc::clone(&seconds);
    let recorder = Recorder::default();
    let service = builder()
        .procedure(
            Procedure::sync("slow", move |_: Cx, (): ()| {
                handler.fetch_add(7, Ordering::Relaxed);
                Ok::<_, Fault>(())
            })
            .idempotent(),
        )
        .build()
        .expect("a service")
        .with_runtime(Arc::new(Clock {
            start: Instant::now(),
            seconds,
        }))
        .with_observer(recorder.clone());

    let body = r#"{"jsonrpc":"2.0","method":"slow","id":1}"#;
    service.handle(body).now_or_never().expect("an answer");
    let batch = format!("[{body}]");
    service.handle(batch).now_or_never().expect("an answer");
    let query = service.query("slow", "", None).now_or_never();
    assert_eq!(query.expect("an answer").error_code(), None);
    service.handle("{").now_or_never().expect("an answer");

    let expected = [("slow", 7), ("slow", 7), ("slow", 7), ("unknown", 0)];
    assert_eq!(
        *recorder.0.lock().expect("no panic"),
        expected.map(|(procedure, seconds)| ObservedCall {
            procedure: procedure.to_owned(),
            duration: Some(Duration::from_secs(seconds)),
        })
    );
}
