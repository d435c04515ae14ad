//! Clients that disconnect: observers are told about each call once, with its outcome.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use docent_core::{CallRecord, Cx, Ending, Fault, Observer, Procedure, Service};
use futures_util::FutureExt;
use tokio::sync::Semaphore;

use crate::{Tokio, builder, call};

/// A call as an observer sees it.
#[derive(Debug, PartialEq)]
struct ObservedCall {
    procedure: String,
    ending: Ending,
    code: Option<i64>,
}

#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<ObservedCall>>>);

impl Observer for Recorder {
    fn finished(&self, call: &CallRecord<'_>) {
        if call.ending != Ending::Answered {
            assert_eq!(call.response_bytes, 0);
        }
        self.0
            .lock()
            .expect("no panic")
            .push(observed(call.procedure, call.ending, call.code));
    }
}

impl Recorder {
    fn take(&self) -> Vec<ObservedCall> {
        std::mem::take(&mut *self.0.lock().expect("no panic"))
    }
}

fn observed(procedure: &str, ending: Ending, code: Option<i64>) -> ObservedCall {
    ObservedCall {
        procedure: procedure.to_owned(),
        ending,
        code,
    }
}

/// Returns a service whose calls wait until the test releases them.
fn waiting() -> (Service, Arc<Semaphore>, Recorder) {
    let gate = Arc::new(Semaphore::new(0));
    let recorder = Recorder::default();
    let wait = |name: &str, code: Option<i64>| {
        let gate = Arc::clone(&gate);
        Procedure::new(name, move |_: Cx, (): ()| {
            let gate = Arc::clone(&gate);
            async move {
                gate.acquire().await.map_err(Fault::internal)?.forget();
                code.map_or(Ok(1), |code| Err(Fault::new(code, "Told to")))
            }
        })
        .error(7, "Told to")
    };
    let service = builder()
        .limits(|limits| {
            limits.timeout = Duration::from_secs(60);
            limits.max_batch_concurrency = 3;
        })
        .procedure(wait("read", None).idempotent())
        .procedure(wait("write", None))
        .procedure(wait("fails", Some(7)))
        .procedure(wait("brief", None).timeout(Duration::from_millis(5)))
        .procedure(Procedure::sync("quick", |_: Cx, (): ()| Ok::<_, Fault>(1)))
        .observer(recorder.clone())
        .build()
        .expect("a service")
        .with_runtime(Arc::new(Tokio));
    (service, gate, recorder)
}

/// Waits until no call is running.
async fn idle(service: &Service) {
    while service.running_calls() > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_call_whose_caller_leaves_is_reported_when_it_has_ended() {
    let (service, gate, recorder) = waiting();
    let read = |body: &str| Box::pin(service.handle(body.to_owned()));
    let mut response = read(&call("read"));
    assert!((&mut response).now_or_never().is_none());
    drop(response);
    assert_eq!(recorder.take(), [observed("read", Ending::Cancelled, None)]);

    let mut response = Box::pin(service.query("read", "", None));
    assert!((&mut response).now_or_never().is_none());
    drop(response);
    assert_eq!(recorder.take(), [observed("read", Ending::Cancelled, None)]);

    for (procedure, code) in [("write", None), ("fails", Some(7))] {
        for body in [
            call(procedure),
            format!(r#"{{"jsonrpc":"2.0","method":"{procedure}"}}"#),
        ] {
            let mut response = read(&body);
            assert!((&mut response).now_or_never().is_none());
            drop(response);
            assert_eq!(recorder.take(), []);
            gate.add_permits(1);
            idle(&service).await;
            assert_eq!(
                recorder.take(),
                [observed(procedure, Ending::Unanswered, code)]
            );
        }
    }
}

#[tokio::test]
async fn a_call_that_was_answered_is_not_reported_again_when_it_ends() {
    let (service, gate, recorder) = waiting();
    service.handle(call("brief")).await.expect("an answer");
    assert_eq!(
        recorder.take(),
        [observed("brief", Ending::Answered, Some(-32001))]
    );
    gate.add_permits(1);
    idle(&service).await;
    assert_eq!(recorder.take(), []);

    gate.add_permits(1);
    service.handle(call("write")).await.expect("an answer");
    assert_eq!(recorder.take(), [observed("write", Ending::Answered, None)]);
}

#[tokio::test]
async fn every_entry_of_a_batch_whose_caller_leaves_is_reported_once() {
    let (service, gate, recorder) = waiting();
    let entries = [
        "quick", "nobody", "read", "write", "fails", "quick", "read", "nobody",
    ];
    let calls = entries.map(call).join(",");
    let mut response = Box::pin(service.handle(format!("[{calls}]")));
    assert!((&mut response).now_or_never().is_none());
    assert_eq!(recorder.take(), [], "nothing is certain before the end");
    drop(response);
    let mut first = recorder.take();
    first.sort_by_key(|call| (format!("{:?}", call.ending), call.procedure.clone()));
    let expected = [
        observed("quick", Ending::Cancelled, None),
        observed("read", Ending::Cancelled, None),
        observed("read", Ending::Cancelled, None),
        observed("unknown", Ending::Cancelled, None),
        observed("quick", Ending::Unanswered, None),
        observed("unknown", Ending::Unanswered, Some(-32601)),
    ];
    assert_eq!(first, expected);
    gate.add_permits(2);
    idle(&service).await;
    let mut rest = recorder.take();
    rest.sort_by(|call, other| call.procedure.cmp(&other.procedure));
    let expected = [
        observed("fails", Ending::Unanswered, Some(7)),
        observed("write", Ending::Unanswered, None),
    ];
    assert_eq!(rest, expected);
}
