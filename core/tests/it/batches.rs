//! Batches: their timeout, and the limit on the sum of their responses.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use docent_core::{
    BoxFuture, CallRecord, Cx, Ending, Fault, Limits, Observer, Procedure, Runtime, Service,
};
use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Tokio, builder};

/// A clock in seconds that handlers advance, and that counts how often it is read.
#[derive(Clone)]
struct Clock {
    start: Instant,
    seconds: Arc<AtomicU64>,
    readings: Arc<AtomicUsize>,
}

impl Clock {
    fn new() -> Self {
        Self {
            start: Instant::now(),
            seconds: Arc::default(),
            readings: Arc::default(),
        }
    }
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
        self.readings.fetch_add(1, Ordering::Relaxed);
        self.start + Duration::from_secs(self.seconds.load(Ordering::Relaxed))
    }
}

/// A call as an observer sees it.
struct ObservedCall {
    procedure: String,
    code: Option<i64>,
    is_notification: bool,
    response_bytes: usize,
}

#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<ObservedCall>>>);

impl Observer for Recorder {
    fn finished(&self, call: &CallRecord<'_>) {
        assert_eq!(call.ending, Ending::Answered);
        self.0.lock().expect("no panic").push(ObservedCall {
            procedure: call.procedure.to_owned(),
            code: call.code,
            is_notification: call.notification,
            response_bytes: call.response_bytes,
        });
    }
}

impl Recorder {
    fn calls(&self) -> MutexGuard<'_, Vec<ObservedCall>> {
        self.0.lock().expect("no panic")
    }

    fn codes(&self) -> Vec<Option<i64>> {
        self.calls().iter().map(|call| call.code).collect()
    }
}

#[derive(Deserialize, JsonSchema)]
struct Seconds {
    seconds: u64,
}

/// Returns a service whose calls take as long as requested, and a count of the calls that have run.
fn timed(change: impl FnOnce(&mut Limits)) -> (Service, Arc<AtomicUsize>, Recorder) {
    let clock = Clock::new();
    let runs = Arc::<AtomicUsize>::default();
    let recorder = Recorder::default();
    let time = Arc::clone(&clock.seconds);
    let count = Arc::clone(&runs);
    let take = Procedure::sync("take", move |_: Cx, p: Seconds| {
        time.fetch_add(p.seconds, Ordering::Relaxed);
        Ok::<_, Fault>(count.fetch_add(1, Ordering::Relaxed) + 1)
    });
    // A procedure's own timeout does not affect that of its batch.
    let service = builder()
        .limits(change)
        .procedure(take.timeout(Duration::from_secs(1)))
        .build()
        .expect("a service")
        .with_runtime(Arc::new(clock))
        .with_observer(recorder.clone());
    (service, runs, recorder)
}

fn take(seconds: u64, id: Option<u32>) -> String {
    let id = id.map(|id| format!(r#","id":{id}"#)).unwrap_or_default();
    format!(r#"{{"jsonrpc":"2.0","method":"take","params":[{seconds}]{id}}}"#)
}

/// Returns the responses to a batch, which must not wait for anything.
#[track_caller]
fn answers(service: &Service, entries: &[String]) -> Vec<Value> {
    let body = format!("[{}]", entries.join(","));
    let response = service.handle(body).now_or_never().expect("an answer");
    response.map_or_else(Vec::new, |response| {
        serde_json::from_slice(&response).expect("JSON")
    })
}

fn never_began(id: u32) -> Value {
    let error = json!({"code": -32001, "message": "Timed out", "data": {"started": false}});
    json!({"jsonrpc": "2.0", "error": error, "id": id})
}

#[test]
fn what_has_not_begun_when_the_time_of_a_batch_is_over_never_runs() {
    let (service, runs, recorder) =
        timed(|limits| limits.batch_timeout = Some(Duration::from_secs(10)));
    let entries = [
        take(4, Some(1)),
        take(5, None),
        take(30, Some(2)),
        take(0, Some(3)),
        take(0, None),
        r#"{"jsonrpc":"2.0","method":"nobody","id":4}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":7,"id":5}"#.to_owned(),
        take(0, Some(6)),
    ];
    let responses = answers(&service, &entries);
    assert_eq!(responses.len(), 6);
    assert_eq!([&responses[0]["result"], &responses[1]["result"]], [1, 3]);
    assert_eq!(
        [&responses[2], &responses[5]],
        [&never_began(3), &never_began(6)]
    );
    // Detecting these errors takes no time.
    assert_eq!(responses[3]["error"]["code"], -32601);
    assert_eq!(responses[4]["error"]["code"], -32600);
    assert_eq!(runs.load(Ordering::Relaxed), 3);
    let calls = recorder.calls();
    let observed: Vec<_> = calls
        .iter()
        .map(|call| (&*call.procedure, call.code))
        .collect();
    assert_eq!(
        observed,
        [
            ("take", None),
            ("take", None),
            ("take", None),
            ("take", Some(-32001)),
            ("take", Some(-32001)),
            ("unknown", Some(-32601)),
            ("unknown", Some(-32600)),
            ("take", Some(-32001)),
        ]
    );
}

#[test]
fn calls_that_do_not_wait_share_readings_of_the_clock() {
    let clock = Clock::new();
    let service = builder()
        .procedure(Procedure::sync("one", |_: Cx, (): ()| Ok::<_, Fault>(1)))
        .build()
        .expect("a service")
        .with_runtime(Arc::new(clock.clone()));
    let entry = |id| format!(r#"{{"jsonrpc":"2.0","method":"one","id":{id}}}"#);
    let entries: Vec<_> = (0..100).map(entry).collect();
    assert_eq!(answers(&service, &entries).len(), 100);
    // One for the batch, and one for each eight of its calls.
    assert_eq!(
        clock.readings.load(Ordering::Relaxed),
        1 + 100_usize.div_ceil(8)
    );
}

#[tokio::test]
async fn answers_stand_in_the_order_of_their_entries_whichever_comes_first() {
    let wait = |_: Cx, p: Seconds| async move {
        if p.seconds > 0 {
            tokio::time::sleep(Duration::from_millis(p.seconds)).await;
        }
        Ok::<_, Fault>(p.seconds)
    };
    let service = builder()
        .procedure(Procedure::new("wait", wait).idempotent())
        .build()
        .expect("a service")
        .with_runtime(Arc::new(Tokio));
    let times = [0, 0, 40, 0, 20, 0, 0];
    let call =
        |ms: &u64| format!(r#"{{"jsonrpc":"2.0","method":"wait","params":[{ms}],"id":{ms}}}"#);
    let body = format!("[{}]", times.each_ref().map(call).join(","));
    for service in [service.clone(), service.with_observer(Recorder::default())] {
        let response = service.handle(body.clone()).await.expect("an answer");
        let responses: Vec<Value> = serde_json::from_slice(&response).expect("JSON");
        let results: Vec<Option<u64>> = responses
            .iter()
            .map(|response| response["result"].as_u64())
            .collect();
        assert_eq!(results, times.map(Some), "{responses:?}");
    }
}

#[test]
fn a_batch_of_notifications_whose_time_is_over_says_nothing() {
    let (service, runs, recorder) = timed(|limits| limits.timeout = Duration::from_secs(10));
    assert!(answers(&service, &[take(10, None), take(0, None), take(0, None)]).is_empty());
    assert_eq!(runs.load(Ordering::Relaxed), 1);
    assert_eq!(recorder.codes(), [None, Some(-32001), Some(-32001)]);
    assert!(recorder.calls().iter().all(|call| call.is_notification));
}

#[test]
fn a_batch_has_the_time_of_the_service_and_not_that_of_a_procedure() {
    let (service, runs, _) = timed(|limits| limits.timeout = Duration::from_secs(60));
    let entries: Vec<_> = (0..20).map(|id| take(4, Some(id))).collect();
    let codes: Vec<_> = answers(&service, &entries)
        .iter()
        .map(|response| response["error"]["code"].as_i64())
        .collect();
    assert_eq!(codes[..15], [None; 15]);
    assert_eq!(codes[15..], [Some(-32001); 5]);
    assert_eq!(runs.load(Ordering::Relaxed), 15);
}

#[test]
fn the_time_of_a_batch_may_be_longer_than_a_clock_can_say() {
    let (service, runs, _) = timed(|limits| limits.batch_timeout = Some(Duration::MAX));
    let entries: Vec<_> = (0..9).map(|id| take(1_000_000, Some(id))).collect();
    let responses = answers(&service, &entries);
    assert!(responses.iter().all(|response| response["error"].is_null()));
    assert_eq!(runs.load(Ordering::Relaxed), 9);
}

#[tokio::test]
async fn what_has_begun_has_its_own_time() {
    let sleep = |_: Cx, p: Seconds| async move {
        tokio::time::sleep(Duration::from_millis(p.seconds)).await;
        Ok::<_, Fault>(p.seconds)
    };
    let service = builder()
        .limits(|limits| {
            limits.batch_timeout = Some(Duration::from_millis(30));
            limits.max_batch_concurrency = 2;
        })
        .procedure(Procedure::new("sleep", sleep).idempotent())
        .build()
        .expect("a service")
        .with_runtime(Arc::new(Tokio));
    let call = |ms| format!(r#"{{"jsonrpc":"2.0","method":"sleep","params":[{ms}],"id":{ms}}}"#);
    let body = format!("[{},{},{},{}]", call(120), call(60), call(1), call(2));
    let response = service.handle(body).await.expect("an answer");
    let responses: Vec<Value> = serde_json::from_slice(&response).expect("JSON");
    assert_eq!(
        [&responses[0]["result"], &responses[1]["result"]],
        [120, 60]
    );
    assert_eq!(responses[2..], [never_began(1), never_began(2)]);
}

#[derive(Deserialize, JsonSchema)]
struct Size {
    bytes: usize,
}

/// Returns a service whose results and errors are as large as requested.
fn large(limit: usize) -> (Service, Recorder) {
    let recorder = Recorder::default();
    let service = builder()
        .limits(|limits| limits.max_response_bytes = limit)
        .procedure(Procedure::sync("result", |_: Cx, p: Size| {
            Ok::<_, Fault>("r".repeat(p.bytes))
        }))
        .procedure(
            Procedure::sync("message", |_: Cx, p: Size| {
                Err::<(), _>(Fault::new(1, "m".repeat(p.bytes)))
            })
            .error(1, "Message"),
        )
        .procedure(
            Procedure::sync("data", |_: Cx, p: Size| {
                Err::<(), _>(Fault::new(2, "Data").with_data(&"d".repeat(p.bytes)))
            })
            .error_with_data::<String>(2, "Data"),
        )
        .procedure(Procedure::sync("refused", |_: Cx, p: Size| {
            Err::<(), _>(Fault::invalid_params("bytes", "p".repeat(p.bytes)))
        }))
        .protocols(|protocols| protocols.v1_0 = true)
        .observer(recorder.clone())
        .build()
        .expect("a service");
    (service, recorder)
}

fn sized(procedure: &str, bytes: usize, id: usize) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","params":[{bytes}],"id":{id}}}"#)
}

#[test]
fn messages_and_data_of_errors_count_for_the_sum_of_a_batch() {
    for procedure in ["message", "data", "refused", "result"] {
        for bytes in [100, 500, 900, 1_100, 5_000] {
            let (service, recorder) = large(20_000);
            let entries: Vec<_> = (0..300).map(|id| sized(procedure, bytes, id)).collect();
            let body = format!("[{}]", entries.join(","));
            let response = service.handle(body).now_or_never().expect("an answer");
            let response = response.expect("an answer");
            // Beyond the limit, every response is as short as possible.
            let floor = r#"{"jsonrpc":"2.0","error":{"code":-32004,"message":"Response too large"},"id":000},"#;
            assert!(
                response.len() <= 20_000 + 300 * floor.len(),
                "{procedure} {bytes}: {}",
                response.len()
            );
            let responses: Vec<Value> = serde_json::from_slice(&response).expect("JSON");
            let codes: Vec<_> = responses
                .iter()
                .map(|response| response["error"]["code"].as_i64())
                .collect();
            let replaced = codes
                .iter()
                .position(|code| *code == Some(-32004))
                .expect("one");
            assert!(
                codes[replaced..].iter().all(|code| *code == Some(-32004)),
                "{codes:?}"
            );
            let kept: usize = responses[..replaced]
                .iter()
                .map(|response| response.to_string().len() + 1)
                .sum();
            assert!(
                kept < 20_000 && kept + bytes + 150 > 20_000,
                "{procedure} {bytes}: {kept}"
            );
            assert_eq!(recorder.codes(), codes);
        }
    }
}

#[test]
fn what_a_limit_replaced_is_not_reported_as_a_result() {
    let (service, recorder) = large(1_000);
    let entries: Vec<_> = (0..4).map(|id| sized("result", 400, id)).collect();
    let responses = answers(&service, &entries);
    assert_eq!(responses[3]["error"]["code"], -32004);
    assert_eq!(recorder.codes(), [None, None, Some(-32004), Some(-32004)]);
    let observed: usize = recorder
        .calls()
        .iter()
        .map(|call| call.response_bytes)
        .sum();
    let sent: usize = responses
        .iter()
        .map(|response| response.to_string().len())
        .sum();
    assert_eq!(observed, sent);
}

#[test]
fn messages_and_data_count_in_every_version() {
    let (service, _) = large(2_000);
    for frame in [r#""jsonrpc":"2.0""#, r#""version":"1.1""#, r#""_":0"#] {
        for procedure in ["message", "data", "refused", "result"] {
            let ask = |bytes: usize| {
                let body =
                    format!(r#"{{{frame},"method":"{procedure}","params":[{bytes}],"id":1}}"#);
                let response = service.handle(body).now_or_never().expect("an answer");
                let response = String::from_utf8(response.expect("an answer")).expect("UTF-8");
                assert!(response.len() <= 2_000);
                response.contains("-32004")
            };
            assert!(!ask(700) && ask(2_000), "{frame} {procedure}");
        }
    }
}
