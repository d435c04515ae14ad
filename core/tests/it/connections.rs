//! Connections: calls, subscriptions and their ends, without I/O.

mod callers;

use std::future::poll_fn;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use docent_core::__private::{ItemSource, SourceItem};
use docent_core::carrier::{Connection, Incoming, OutgoingMessage, ReplyBody};
use docent_core::{
    CallInfo, CallRecord, Cx, Ending, Extensions, Fault, Guard, Limits, Observer, Procedure,
    Rejection, Service, ServiceBuilder, Subscription,
};
use futures_util::stream;
use futures_util::task::noop_waker;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::{Tokio, builder};

/// The next value of a source, or its error.
type Yielded = Result<SourceItem, Fault>;

/// A call as an observer sees it.
#[derive(Debug, Clone, PartialEq)]
struct ObservedCall {
    procedure: String,
    ending: Ending,
    code: Option<i64>,
}

fn observed(procedure: &str, ending: Ending, code: Option<i64>) -> ObservedCall {
    ObservedCall {
        procedure: procedure.to_owned(),
        ending,
        code,
    }
}

fn item(value: &Value, cursor: Option<&str>) -> SourceItem {
    SourceItem::Value {
        json: value.to_string().into(),
        cursor: cursor.map(str::to_owned),
        missed: 0,
    }
}

fn value(value: impl Into<Value>) -> SourceItem {
    item(&value.into(), None)
}

/// The sources of the subscriptions that a test has opened, in their order, and the calls that its observer has seen.
#[derive(Clone, Default)]
struct Stage {
    sources: Arc<Mutex<Vec<UnboundedSender<Yielded>>>>,
    /// Counts how often sources were polled.
    polls: Arc<AtomicUsize>,
    gate: Arc<Option<Semaphore>>,
    observed: Arc<Mutex<Vec<ObservedCall>>>,
}

impl Observer for Stage {
    fn finished(&self, call: &CallRecord<'_>) {
        self.observed.lock().expect("no panic").push(observed(
            call.procedure,
            call.ending,
            call.code,
        ));
    }
}

impl Stage {
    fn source(&self) -> ItemSource {
        let (sender, mut receiver): (_, UnboundedReceiver<Yielded>) = unbounded_channel();
        self.sources.lock().expect("no panic").push(sender);
        let polls = Arc::clone(&self.polls);
        Box::pin(stream::poll_fn(move |cx| {
            polls.fetch_add(1, Ordering::Relaxed);
            receiver.poll_recv(cx)
        }))
    }

    /// Lets the source of a subscription yield something.
    fn yields(&self, source: usize, item: SourceItem) {
        self.send(source, Ok(item));
    }

    /// Lets the source of a subscription fail.
    fn fails(&self, source: usize, fault: Fault) {
        self.send(source, Err(fault));
    }

    fn send(&self, source: usize, yielded: Yielded) {
        let sources = self.sources.lock().expect("no panic");
        sources[source].send(yielded).expect("the source is there");
    }

    /// Ends the source of the last subscription.
    fn ends(&self) {
        self.sources.lock().expect("no panic").pop();
    }

    /// Returns whether the source of a subscription has been dropped.
    fn is_dropped(&self, source: usize) -> bool {
        self.sources.lock().expect("no panic")[source].is_closed()
    }

    fn take_observed(&self) -> Vec<ObservedCall> {
        std::mem::take(&mut *self.observed.lock().expect("no panic"))
    }

    /// Returns a service with calls that wait for a permit, and with subscriptions.
    fn builder(&self) -> ServiceBuilder {
        let wait = |name: &str| {
            let gate = Arc::clone(&self.gate);
            Procedure::new(name, move |_: Cx, (): ()| {
                let gate = Arc::clone(&gate);
                async move {
                    let gate = gate.as_ref().as_ref().expect("a stage with a gate");
                    gate.acquire().await.map_err(Fault::internal)?.forget();
                    Ok::<_, Fault>("waited")
                }
            })
        };
        let stage = self.clone();
        let watch = Procedure::subscription("watch", move |_: Cx, (): ()| {
            let source = stage.source();
            async { Ok::<_, Fault>(source) }
        });
        let never = Procedure::subscription("never", |_: Cx, (): ()| async {
            Err::<ItemSource, _>(Fault::new(7, "Told to"))
        });
        builder()
            .procedure(Procedure::sync("now", |_: Cx, (): ()| Ok::<_, Fault>(12)))
            .procedure(wait("read").idempotent())
            .procedure(wait("write"))
            .procedure(watch.error(8, "Broken"))
            .procedure(never.error(7, "Told to"))
            .observer(self.clone())
    }

    fn peer(&self, change: impl FnOnce(&mut Limits)) -> Peer {
        Peer::new(&self.builder().limits(change).build().expect("a service"))
    }
}

fn gated() -> Stage {
    Stage {
        gate: Arc::new(Some(Semaphore::new(0))),
        ..Stage::default()
    }
}

/// The other side of a connection. It reads everything at once, unless a test says otherwise.
struct Peer {
    connection: Connection,
    reads: bool,
}

impl Peer {
    fn new(service: &Service) -> Self {
        let service = service.with_runtime(Arc::new(Tokio));
        Self {
            connection: Connection::new(service, Extensions::new()),
            reads: true,
        }
    }

    /// Sends a message, and returns the messages that are ready.
    fn send(&mut self, message: &Value) -> Vec<Value> {
        self.connection.receive(message.to_string());
        self.ready()
    }

    fn call(&mut self, method: &str, params: impl Into<Value>, id: impl Into<Value>) -> Vec<Value> {
        let mut message = json!({"jsonrpc": "2.0", "method": method});
        message["params"] = params.into();
        message["id"] = id.into();
        self.send(&message)
    }

    fn next(&mut self) -> Poll<Option<OutgoingMessage>> {
        let waker = noop_waker();
        let polled = self.connection.poll(&mut Context::from_waker(&waker));
        if self.reads
            && let Poll::Ready(Some(message)) = &polled
        {
            self.connection.written(message.body_length());
        }
        polled
    }

    fn ready(&mut self) -> Vec<Value> {
        let mut messages = Vec::new();
        while let Poll::Ready(Some(message)) = self.next() {
            // A carrier writes nothing for an end that is not told.
            if message.body_length() > 0 {
                messages.push(read(message));
            }
        }
        messages
    }

    /// Writes all that waits, of which there was too much. Then the peer is heard before any source.
    fn write_all(&mut self) {
        self.connection.written(self.connection.waiting_bytes());
        assert!(self.connection.wants_message() && self.next().is_pending());
        assert!(self.connection.wants_message());
    }

    fn is_over(&mut self) -> bool {
        matches!(self.next(), Poll::Ready(None))
    }
}

fn read(message: OutgoingMessage) -> Value {
    let ReplyBody::Whole(body) = message.into_parts() else {
        panic!("no description was asked for");
    };
    serde_json::from_slice(&body).expect("JSON")
}

fn result(result: impl Into<Value>, id: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "result": result.into(), "id": id.into()})
}

/// Returns a message of the subscription `watch`.
fn reported(params: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "method": "watch", "params": params.into()})
}

fn code(message: &Value) -> &Value {
    &message["error"]["code"]
}

#[tokio::test]
async fn calls_are_answered_as_they_are_ready_and_two_with_one_id_are_both_answered() {
    let stage = gated();
    let mut peer = stage.peer(|_| {});
    assert!(peer.call("read", json!([]), 1).is_empty());
    assert!(peer.call("write", json!([]), 1).is_empty());
    assert_eq!(peer.call("now", json!([]), 2), [result(12, 2)]);
    stage.gate.as_ref().as_ref().expect("a gate").add_permits(2);
    assert_eq!(peer.ready(), [result("waited", 1), result("waited", 1)]);
}

#[tokio::test]
async fn calls_begin_in_the_order_of_their_arrival_with_the_extensions_of_their_connection() {
    let begun = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&begun);
    let begins = Procedure::new("begins", move |cx: Cx, numbers: Vec<u32>| {
        let peer = cx.extension::<&str>().copied();
        log.lock().expect("no panic").push((numbers[0], peer));
        async {
            std::future::pending::<()>().await;
            Ok::<_, Fault>(())
        }
    });
    let service = builder().procedure(begins).build().expect("a service");
    let mut extensions = Extensions::new();
    extensions.insert("a peer");
    let mut peer = Peer::new(&service);
    peer.connection = Connection::new(service, extensions);
    for n in 0..9 {
        let call = json!({"jsonrpc": "2.0", "method": "begins", "params": [n], "id": n});
        peer.connection.receive(call.to_string());
    }
    assert!(peer.ready().is_empty());
    let expected: Vec<_> = (0..9).map(|n| (n, Some("a peer"))).collect();
    assert_eq!(*begun.lock().expect("no panic"), expected);
}

#[tokio::test]
async fn a_subscription_that_a_guard_refuses_opens_no_source() {
    let stage = Stage::default();
    let service = stage.builder().guard(Closed("now")).build();
    let mut peer = Peer::new(&service.expect("a service"));
    assert_eq!(code(&peer.call("watch", json!([]), 1)[0]), -32007);
    assert!(stage.sources.lock().expect("no panic").is_empty());
    let refused = observed("watch", Ending::Answered, Some(-32007));
    assert_eq!(stage.take_observed(), [refused]);
}

#[tokio::test]
async fn a_message_that_is_no_request_is_answered_as_over_post() {
    let mut peer = Stage::default().peer(|_| {});
    for message in ["{", "[]", "1", r#"{"jsonrpc":"2.0"}"#, "[1]"] {
        peer.connection.receive(message);
        let service = Stage::default().builder().build().expect("a service");
        let over_post = service
            .exchange(Incoming::new(message))
            .await
            .into_body()
            .expect("an answer");
        let expected: Value = serde_json::from_slice(&over_post).expect("JSON");
        assert_eq!(peer.ready(), [expected], "{message}");
    }
}

#[tokio::test]
async fn over_the_share_of_a_connection_nothing_runs_and_calls_are_answered_at_once() {
    let stage = gated();
    let mut peer = stage.peer(|limits| limits.max_connection_calls = 1);
    let notification = json!({"jsonrpc": "2.0", "method": "now"});
    assert!(peer.call("read", json!([]), 1).is_empty());
    let reason = "a connection may run 1 calls at once (max_connection_calls)";
    let data = json!({"limit": 1, "reason": reason});
    let error = json!({"code": -32002, "message": "Busy", "data": data});
    let busy = |id: Value| json!({"jsonrpc": "2.0", "error": error, "id": id});
    assert_eq!(peer.call("now", json!([]), 2), [busy(json!(2))]);
    assert_eq!(
        peer.send(&json!([notification, notification])),
        [busy(Value::Null)]
    );
    assert!(peer.send(&notification).is_empty());
    let refused = |procedure: &str| observed(procedure, Ending::Answered, Some(-32002));
    let reported = stage.take_observed();
    assert_eq!(
        reported,
        [refused("now"), refused("unknown"), refused("now")]
    );
    assert_eq!(code(&peer.call("nothing", json!([]), 3)[0]), -32601);
    assert_eq!(
        peer.call("rpc.unsubscribe", json!(["s1"]), 4),
        [result(false, 4)]
    );
    stage.gate.as_ref().as_ref().expect("a gate").add_permits(1);
    assert_eq!(peer.ready(), [result("waited", 1)]);
    assert_eq!(peer.call("now", json!([]), 5), [result(12, 5)]);
}

#[tokio::test]
async fn a_caller_that_leaves_drops_idempotent_calls_and_subscriptions_and_no_other_call() {
    let stage = gated();
    let mut peer = stage.peer(|_| {});
    peer.call("watch", json!([]), 1);
    for procedure in ["read", "write"] {
        peer.call(procedure, json!([]), 2);
    }
    drop(peer);
    assert!(stage.is_dropped(0));
    let cancelled = |procedure: &str| observed(procedure, Ending::Cancelled, None);
    let reported = stage.take_observed();
    assert!(
        reported.contains(&cancelled("read")) && reported.contains(&cancelled("watch")),
        "{reported:?}"
    );
    stage.gate.as_ref().as_ref().expect("a gate").add_permits(1);
    tokio::time::sleep(Duration::from_millis(1)).await;
    let ran = observed("write", Ending::Unanswered, None);
    assert_eq!(stage.take_observed(), [ran]);
}

#[tokio::test]
async fn a_subscription_is_answered_with_its_id_before_its_items_and_its_end() {
    let stage = Stage::default();
    let mut peer = stage.peer(|_| {});
    assert_eq!(peer.call("watch", json!([]), 1), [result("s1", 1)]);
    stage.yields(0, item(&json!({"loan": 18}), Some("18")));
    stage.yields(0, value(19));
    assert_eq!(
        peer.ready(),
        [
            reported(json!({"subscription": "s1", "result": {"loan": 18}, "cursor": "18"})),
            reported(json!({"subscription": "s1", "result": 19})),
        ]
    );
    stage.ends();
    assert_eq!(
        peer.ready(),
        [reported(json!({"subscription": "s1", "ended": true}))]
    );
    assert_eq!(peer.call("watch", json!([]), 2), [result("s2", 2)]);
}

#[tokio::test]
async fn an_item_that_is_ready_at_once_comes_after_the_answer() {
    let ready = Procedure::subscription("watch", |_: Cx, (): ()| async {
        let items: ItemSource = Box::pin(stream::iter([value(1), value(2)].map(Ok)));
        Ok::<_, Fault>(items)
    });
    let service = builder().procedure(ready).build().expect("a service");
    let mut peer = Peer::new(&service);
    assert_eq!(
        peer.call("watch", json!([]), 1),
        [
            result("s1", 1),
            reported(json!({"subscription": "s1", "result": 1})),
            reported(json!({"subscription": "s1", "result": 2})),
            reported(json!({"subscription": "s1", "ended": true})),
        ]
    );
}

#[tokio::test]
async fn an_error_before_the_source_is_the_answer_and_there_is_no_subscription() {
    let stage = Stage::default();
    let mut peer = stage.peer(|limits| limits.max_connection_subscriptions = 1);
    for _ in 0..3 {
        assert_eq!(code(&peer.call("never", json!([]), 1)[0]), 7);
        assert_eq!(code(&peer.call("watch", json!([1]), 1)[0]), -32602);
    }
    assert_eq!(peer.call("watch", json!([]), 2)[0]["id"], 2);
}

#[tokio::test]
async fn an_error_ends_the_subscription_with_a_code_that_it_may_have() {
    let stage = Stage::default();
    let mut peer = stage.peer(|_| {});
    let errors = [
        (Fault::new(8, "Broken"), 8),
        (Fault::new(9, "Undeclared"), -32603),
        (Fault::internal("no database"), -32603),
    ];
    for (source, (fault, expected)) in errors.into_iter().enumerate() {
        peer.call("watch", json!([]), 1);
        stage.yields(source, value(1));
        stage.fails(source, fault);
        stage.yields(source, value(2));
        let messages = peer.ready();
        assert_eq!(messages.len(), 2, "{messages:?}");
        let error = &messages[1]["params"]["error"];
        assert_eq!(error["code"], expected, "{messages:?}");
        assert_eq!(error["data"]["incident"].is_string(), expected == -32603);
        assert!(stage.is_dropped(source));
    }
}

#[tokio::test]
async fn a_panic_of_a_source_ends_its_subscription_and_no_other() {
    let panics = Procedure::subscription("panics", |_: Cx, (): ()| async {
        let items: ItemSource = Box::pin(stream::poll_fn(|_| panic!("planned")));
        Ok::<_, Fault>(items)
    });
    let stage = Stage::default();
    let service = stage
        .builder()
        .procedure(panics)
        .build()
        .expect("a service");
    let mut peer = Peer::new(&service);
    peer.call("watch", json!([]), 1);
    let messages = peer.call("panics", json!([]), 2);
    assert_eq!(messages[0], result("s2", 2));
    let error = &messages[1]["params"]["error"];
    assert!(error["code"] == -32603 && error["data"]["incident"].is_string());
    stage.yields(0, value(1));
    assert_eq!(
        peer.ready(),
        [reported(json!({"subscription": "s1", "result": 1}))]
    );
}

/// Panics when it is dropped.
struct Brittle;

impl Drop for Brittle {
    fn drop(&mut self) {
        panic!("planned");
    }
}

#[tokio::test]
async fn a_source_that_panics_when_it_is_dropped_ends_like_any_other() {
    let brittle = Procedure::subscription("brittle", |_: Cx, (): ()| async {
        let brittle = Brittle;
        let items: ItemSource = Box::pin(stream::poll_fn(move |_| {
            let _brittle = &brittle;
            Poll::Pending
        }));
        Ok::<_, Fault>(items)
    });
    let stage = Stage::default();
    let service = stage.builder().procedure(brittle);
    let service = service.build().expect("a service");
    let open = || {
        let mut peer = Peer::new(&service);
        assert_eq!(peer.call("brittle", json!([]), 1), [result("s1", 1)]);
        peer
    };
    let mut peer = open();
    let closed = peer.call("rpc.unsubscribe", json!(["s1"]), 2);
    assert_eq!(closed, [result(true, 2)]);
    let mut peer = open();
    peer.connection.stop();
    assert_eq!(peer.ready()[0]["params"]["error"]["code"], -32015);
    assert!(peer.is_over());
    let mut peer = open();
    peer.connection.end_input();
    assert!(peer.is_over());
    drop(open());
    assert_eq!(service.open_subscriptions(), 0);
    let mut calls = stage.take_observed();
    calls.retain(|call| call.procedure == "brittle");
    assert_eq!(calls.len(), 4);
}

#[tokio::test]
async fn once_an_unsubscribe_of_a_batch_is_taken_nothing_more_is_sent_whatever_else_the_batch_waits_for()
 {
    let stage = gated();
    let mut peer = stage.peer(|_| {});
    peer.call("watch", json!([]), 1);
    stage.yields(0, value(1));
    let call = |method: &str, params: Value, id: u32| json!({"jsonrpc": "2.0", "method": method, "params": params, "id": id});
    let batch = json!([
        call("read", json!([]), 2),
        call("rpc.unsubscribe", json!(["s1"]), 3)
    ]);
    assert!(peer.send(&batch).is_empty() && stage.is_dropped(0));
    stage.gate.as_ref().as_ref().expect("a gate").add_permits(1);
    let responses = json!([result("waited", 2), result(true, 3)]);
    assert_eq!(peer.ready(), [responses]);
}

#[tokio::test]
async fn nothing_follows_the_answer_to_an_unsubscribe() {
    let stage = Stage::default();
    let mut peer = stage.peer(|_| {});
    for (n, params) in [json!(["s1"]), json!({"subscription": "s2"})]
        .into_iter()
        .enumerate()
    {
        peer.call("watch", json!([]), 1);
        stage.yields(n, value(1));
        assert_eq!(
            peer.call("rpc.unsubscribe", params.clone(), 2),
            [result(true, 2)]
        );
        assert!(stage.is_dropped(n) && peer.ready().is_empty());
        assert_eq!(peer.call("rpc.unsubscribe", params, 3), [result(false, 3)]);
    }
    let wrong = peer.call("rpc.unsubscribe", json!([1]), 4);
    assert_eq!(code(&wrong[0]), -32602);
}

#[tokio::test]
async fn an_unsubscribe_works_in_a_batch_and_as_a_notification() {
    let stage = Stage::default();
    let mut peer = stage.peer(|_| {});
    peer.call("watch", json!([]), 1);
    peer.call("watch", json!([]), 2);
    let close = |id: &str| json!({"jsonrpc": "2.0", "method": "rpc.unsubscribe", "params": [id]});
    assert!(peer.send(&close("s1")).is_empty());
    let mut entry = close("s2");
    entry["id"] = json!(3);
    assert_eq!(peer.send(&json!([entry])), [json!([result(true, 3)])]);
    assert!(stage.is_dropped(0) && stage.is_dropped(1));
}

#[tokio::test]
async fn with_no_bytes_that_may_wait_messages_go_one_at_a_time() {
    let stage = Stage::default();
    let mut peer = stage.peer(|limits| limits.max_waiting_bytes = 0);
    peer.reads = false;
    peer.call("watch", json!([]), 1);
    for n in 0..2 {
        stage.yields(0, value(n));
    }
    for n in 0..2 {
        assert!(!peer.connection.wants_message() && peer.ready().is_empty());
        peer.write_all();
        assert_eq!(
            peer.ready(),
            [reported(json!({"subscription": "s1", "result": n}))]
        );
    }
}

#[tokio::test]
async fn an_unsubscribe_knows_an_id_only_as_it_was_sent() {
    let stage = Stage::default();
    let mut peer = stage.peer(|_| {});
    peer.call("watch", json!([]), 1);
    for other in ["s01", "s+1", "S1", "1", "s", "", "s18446744073709551617"] {
        assert_eq!(
            peer.call("rpc.unsubscribe", json!([other]), 2),
            [result(false, 2)]
        );
    }
    assert_eq!(
        peer.call("rpc.unsubscribe", json!(["s1"]), 3),
        [result(true, 3)]
    );
}

#[tokio::test]
async fn an_unsubscribe_after_the_end_is_false_and_follows_it() {
    let stage = Stage::default();
    let mut peer = stage.peer(|_| {});
    peer.call("watch", json!([]), 1);
    stage.ends();
    assert_eq!(
        peer.ready(),
        [reported(json!({"subscription": "s1", "ended": true}))]
    );
    assert_eq!(
        peer.call("rpc.unsubscribe", json!(["s1"]), 2),
        [result(false, 2)]
    );
}

#[tokio::test]
async fn an_alias_ends_subscriptions_and_no_guard_covers_it() {
    let stage = Stage::default();
    let builder = stage.builder().unsubscribe_alias("stop_watching");
    let service = builder.guard(Closed("watch")).build().expect("a service");
    let mut peer = Peer::new(&service);
    peer.call("watch", json!([]), 1);
    let closed = peer.call("stop_watching", json!(["s1"]), 2);
    assert_eq!(closed, [result(true, 2)]);
    let again = peer.call("rpc.unsubscribe", json!(["s1"]), 3);
    assert_eq!(again, [result(false, 3)]);
    let taken = stage.builder().unsubscribe_alias("now").build();
    let mistake = taken.expect_err("a mistake").to_string();
    assert!(
        mistake.contains("has the name of this procedure"),
        "{mistake}"
    );
}

/// Refuses every call that it covers.
struct Closed(&'static str);

impl Guard for Closed {
    fn check(&self, call: &CallInfo<'_>) -> Result<(), Rejection> {
        if call.procedure.name == self.0 {
            return Ok(());
        }
        Err(Rejection::forbidden())
    }
}

#[tokio::test]
async fn an_unsubscribe_is_never_guarded_or_refused_for_load() {
    let stage = gated();
    let service = stage
        .builder()
        .guard(Closed("watch"))
        .limits(|limits| limits.max_concurrent_calls = 1)
        .build()
        .expect("a service");
    let mut peer = Peer::new(&service);
    assert_eq!(peer.call("watch", json!([]), 1), [result("s1", 1)]);
    assert_eq!(code(&peer.call("now", json!([]), 2)[0]), -32007);
    let _permit = service.carrier().occupy();
    assert_eq!(code(&peer.call("watch", json!([]), 3)[0]), -32002);
    assert_eq!(
        peer.call("rpc.unsubscribe", json!(["s1"]), 4),
        [result(true, 4)]
    );
}

#[tokio::test]
async fn a_subscription_is_a_request_of_its_own_with_an_id_and_without_a_key() {
    let stage = Stage::default();
    let service = stage
        .builder()
        .protocols(|protocols| protocols.v1_0 = true)
        .build()
        .expect("a service");
    let mut peer = Peer::new(&service);
    let request = json!({"jsonrpc": "2.0", "method": "watch", "id": 1});
    let mut keyed = request.clone();
    keyed["x-idempotency-key"] = json!("k");
    let v1_0 = json!({"method": "watch", "params": [], "id": 1});
    let v1_1 = json!({"version": "1.1", "method": "watch", "id": 1});
    for (message, pointer) in [
        (json!([request]), "/0/error"),
        (keyed, "/error"),
        (v1_0, "/error"),
        (v1_1, "/error/error"),
    ] {
        let response = peer.send(&message).remove(0);
        let error = response.pointer(pointer).expect("an error");
        assert_eq!(error["code"], -32600, "{message}");
        assert!(error["data"]["reason"].is_string());
    }
    assert!(
        peer.send(&json!({"jsonrpc": "2.0", "method": "watch"}))
            .is_empty()
    );
    assert!(stage.sources.lock().expect("no panic").is_empty());
    let invalid = observed("watch", Ending::Answered, Some(-32600));
    assert_eq!(stage.take_observed(), vec![invalid; 5]);
}

#[tokio::test]
async fn plain_http_cannot_carry_a_subscription_or_its_end() {
    let service = Stage::default().builder().build().expect("a service");
    for (method, params) in [("watch", "[]"), ("rpc.unsubscribe", "[\"s1\"]")] {
        let body = format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params},"id":1}}"#);
        let response: Value =
            serde_json::from_slice(&service.handle(body).await.expect("an answer")).expect("JSON");
        assert_eq!(response["error"]["code"], -32011);
        assert_eq!(response["error"]["data"], json!({"carriers": []}));
    }
}

#[tokio::test]
async fn a_service_without_subscriptions_has_nothing_to_unsubscribe_from() {
    let service = builder().build().expect("a service");
    let mut peer = Peer::new(&service);
    assert_eq!(
        code(&peer.call("rpc.unsubscribe", json!(["s1"]), 1)[0]),
        -32601
    );
}

#[tokio::test]
async fn the_numbers_of_subscriptions_are_limited_and_an_end_makes_room() {
    let stage = Stage::default();
    let service = stage.builder().limits(|limits| {
        limits.max_connection_subscriptions = 2;
        limits.max_subscriptions = 3;
    });
    let service = service.build().expect("a service");
    let mut one = Peer::new(&service);
    let mut other = Peer::new(&service);
    for _ in 0..2 {
        assert!(one.call("watch", json!([]), 1)[0]["result"].is_string());
    }
    let refused = one.call("watch", json!([]), 1).remove(0);
    let reason = "a connection may have 2 subscriptions (max_connection_subscriptions)";
    assert_eq!(code(&refused), -32012);
    assert_eq!(
        refused["error"]["data"],
        json!({"limit": 2, "reason": reason})
    );
    assert!(other.call("watch", json!([]), 1)[0]["result"].is_string());
    let refused = other.call("watch", json!([]), 1).remove(0);
    let reason = "the service may have 3 subscriptions (max_subscriptions)";
    assert_eq!(
        refused["error"]["data"],
        json!({"limit": 3, "reason": reason})
    );
    one.call("rpc.unsubscribe", json!(["s1"]), 2);
    assert!(other.call("watch", json!([]), 1)[0]["result"].is_string());
    drop(other);
    assert!(one.call("watch", json!([]), 1)[0]["result"].is_string());
}

#[tokio::test]
async fn an_answered_subscription_holds_no_permit_of_a_call() {
    let stage = Stage::default();
    let service = stage
        .builder()
        .limits(|limits| limits.max_concurrent_calls = 1)
        .build()
        .expect("a service");
    let mut peer = Peer::new(&service);
    for id in 0..3 {
        assert!(peer.call("watch", json!([]), id)[0]["result"].is_string());
    }
    assert_eq!(service.running_calls(), 0);
    drop(peer);
    assert_eq!(service.running_calls(), 0);
}

#[tokio::test]
async fn lost_items_are_reported_with_the_next_item_or_the_end() {
    let stage = Stage::default();
    let mut peer = stage.peer(|_| {});
    peer.call("watch", json!([]), 1);
    for yielded in [
        SourceItem::Missed(2),
        SourceItem::Missed(1),
        value(4),
        value(5),
        SourceItem::Missed(7),
    ] {
        stage.yields(0, yielded);
    }
    stage.ends();
    let mut messages = Vec::new();
    // A source that has lost something is polled again, so that a poll has a bound.
    for _ in 0..4 {
        messages.extend(peer.ready());
    }
    assert_eq!(
        messages,
        [
            reported(json!({"subscription": "s1", "result": 4, "missed": 3})),
            reported(json!({"subscription": "s1", "result": 5})),
            reported(json!({"subscription": "s1", "ended": true, "missed": 7})),
        ]
    );
}

#[tokio::test]
async fn an_item_over_the_limit_of_a_response_ends_its_subscription() {
    let stage = Stage::default();
    let mut peer = stage.peer(|limits| limits.max_response_bytes = 200);
    peer.call("watch", json!([]), 1);
    stage.yields(0, value("x".repeat(200)));
    stage.yields(0, value(1));
    let error = json!({"code": -32004, "message": "Response too large"});
    let end = reported(json!({"subscription": "s1", "error": error}));
    assert_eq!(peer.ready(), [end]);
}

#[tokio::test]
async fn while_too_much_waits_nothing_is_read_and_no_source_is_polled() {
    let stage = gated();
    let mut peer = stage.peer(|limits| limits.max_waiting_bytes = 500);
    peer.reads = false;
    peer.call("watch", json!([]), 1);
    peer.call("read", json!([]), 2);
    for n in 0..100 {
        stage.yields(0, value(n));
    }
    let first = peer.ready().len();
    assert!(peer.connection.waiting_bytes() >= 500 && peer.connection.waiting_bytes() < 600);
    assert!(!peer.connection.wants_message() && peer.ready().is_empty());
    let polls = stage.polls.load(Ordering::Relaxed);
    stage.gate.as_ref().as_ref().expect("a gate").add_permits(1);
    assert_eq!(peer.ready(), [result("waited", 2)], "a running call passes");
    assert_eq!(stage.polls.load(Ordering::Relaxed), polls);
    peer.write_all();
    let next = &peer.ready()[0];
    assert_eq!(
        *next,
        reported(json!({"subscription": "s1", "result": first}))
    );
}

#[tokio::test]
async fn a_call_polls_no_source_that_waits() {
    let stage = Stage::default();
    let mut peer = stage.peer(|_| ());
    for id in 0..10 {
        peer.call("watch", json!([]), id);
    }
    let polls = stage.polls.load(Ordering::Relaxed);
    assert_eq!(peer.call("now", json!([]), 10), [result(12, 10)]);
    assert_eq!(stage.polls.load(Ordering::Relaxed), polls);
}

#[tokio::test]
async fn a_source_wakes_the_task_that_polls_its_connection() {
    let stage = Stage::default();
    let mut peer = stage.peer(|_| ());
    for id in 0..10 {
        peer.call("watch", json!([]), id);
    }
    for number in 0..2 {
        let message = poll_fn(|cx| peer.connection.poll(cx));
        let (message, ()) = tokio::join!(message, async { stage.yields(3, value(number)) });
        let message = read(message.expect("an item"));
        assert_eq!(
            message,
            reported(json!({"subscription": "s4", "result": number}))
        );
    }
}

#[tokio::test]
async fn a_source_that_is_always_ready_stops_neither_calls_nor_other_sources() {
    let flood = Procedure::subscription("flood", |_: Cx, (): ()| async {
        let items: ItemSource = Box::pin(stream::repeat_with(|| Ok(value(0))));
        Ok::<_, Fault>(items)
    });
    let stage = Stage::default();
    let service = stage.builder().procedure(flood).build().expect("a service");
    let mut peer = Peer::new(&service);
    peer.call("watch", json!([]), 1);
    assert!(
        peer.call("flood", json!([]), 2).len() < 100,
        "the task gets a break"
    );
    stage.yields(0, value(7));
    let messages = peer.call("now", json!([]), 3);
    assert_eq!(messages[0], result(12, 3));
    let own = reported(json!({"subscription": "s1", "result": 7}));
    assert!(messages[1..4].contains(&own), "{messages:?}");
}

#[tokio::test]
async fn a_peer_can_unsubscribe_from_a_source_that_is_faster_than_it_reads() {
    for max_waiting_bytes in [0, 500, 20_000] {
        let flood = Procedure::subscription("flood", |_: Cx, (): ()| async {
            let items: ItemSource = Box::pin(stream::repeat_with(|| Ok(value("x".repeat(1_000)))));
            Ok::<_, Fault>(items)
        });
        let service = builder()
            .procedure(flood)
            .limits(|limits| limits.max_waiting_bytes = max_waiting_bytes);
        let mut peer = Peer::new(&service.build().expect("a service"));
        peer.reads = false;
        peer.call("flood", json!([]), 1);
        let mut has_asked = false;
        let mut messages = Vec::new();
        for _ in 0..1_000 {
            peer.connection.written(600);
            messages.extend(peer.ready());
            if peer.connection.wants_message() && !has_asked {
                has_asked = true;
                let unsubscribe = json!({"subscription": "s1"});
                messages.extend(peer.call("rpc.unsubscribe", unsubscribe, 2));
            }
        }
        assert!(
            messages.contains(&result(true, 2)),
            "{max_waiting_bytes} may wait"
        );
    }
}

#[tokio::test]
async fn after_the_end_of_the_input_calls_are_answered_and_subscriptions_dropped() {
    let stage = gated();
    let mut peer = stage.peer(|_| {});
    peer.call("watch", json!([]), 1);
    peer.call("read", json!([]), 2);
    peer.connection.end_input();
    assert!(stage.is_dropped(0) && !peer.connection.wants_message() && !peer.is_over());
    stage.gate.as_ref().as_ref().expect("a gate").add_permits(1);
    assert_eq!(peer.ready(), [result("waited", 2)]);
    assert!(peer.is_over());
}

#[tokio::test]
async fn a_server_that_stops_ends_subscriptions_and_answers_running_calls() {
    let stage = gated();
    let mut peer = stage.peer(|_| {});
    peer.call("watch", json!([]), 1);
    peer.call("write", json!([]), 2);
    peer.connection.stop();
    assert!(stage.is_dropped(0) && !peer.connection.wants_message());
    let error = json!({"code": -32015, "message": "Going away"});
    let end = reported(json!({"subscription": "s1", "error": error}));
    assert_eq!(peer.ready(), [end]);
    assert!(!peer.is_over());
    stage.gate.as_ref().as_ref().expect("a gate").add_permits(1);
    assert_eq!(peer.ready(), [result("waited", 2)]);
    assert!(peer.is_over());
}

#[tokio::test]
async fn the_ends_that_a_shutdown_sends_wait_for_room_as_items_do() {
    let stage = Stage::default();
    let mut peer = stage.peer(|limits| limits.max_waiting_bytes = 100);
    peer.reads = false;
    peer.call("watch", json!([]), 1);
    stage.yields(0, value("x".repeat(100)));
    assert_eq!(peer.ready().len(), 1);
    peer.connection.stop();
    assert!(peer.ready().is_empty() && stage.is_dropped(0) && !peer.is_over());
    peer.connection.written(peer.connection.waiting_bytes());
    assert_eq!(peer.ready()[0]["params"]["error"]["code"], -32015);
    assert!(peer.is_over());
}

#[tokio::test]
async fn an_untold_end_sends_nothing_and_makes_an_unsubscribe_false() {
    let untold = Subscription::new("untold", |_: Cx, (): ()| async {
        Ok::<_, Fault>(stream::iter([Ok::<_, Fault>(1)]))
    });
    let service = builder().procedure(untold.ends_untold()).build();
    let mut peer = Peer::new(&service.expect("a service"));
    let messages = peer.call("untold", json!([]), 1);
    assert_eq!(messages.len(), 2, "{messages:?}");
    let closed = peer.call("rpc.unsubscribe", json!(["s1"]), 2);
    assert_eq!(closed, [result(false, 2)]);
    peer.connection.end_input();
    assert!(peer.is_over());
}

#[tokio::test]
async fn observers_are_notified_of_a_subscription_once_when_it_ends() {
    let stage = Stage::default();
    let mut peer = stage.peer(|_| {});
    for id in 1..5 {
        peer.call("watch", json!([]), id);
    }
    assert_eq!(stage.take_observed(), []);
    stage.fails(0, Fault::new(8, "Broken"));
    peer.ready();
    peer.call("rpc.unsubscribe", json!(["s2"]), 5);
    stage.ends();
    peer.ready();
    drop(peer);
    assert_eq!(
        stage.take_observed(),
        [
            observed("watch", Ending::Answered, Some(8)),
            observed("rpc.unsubscribe", Ending::Answered, None),
            observed("watch", Ending::Answered, None),
            observed("watch", Ending::Answered, None),
            observed("watch", Ending::Cancelled, None),
        ]
    );
}

#[tokio::test]
async fn until_its_response_a_subscription_has_the_time_of_a_call_and_is_not_finished_without_its_caller()
 {
    let stage = gated();
    let slow = |name: &str| {
        let stage = stage.clone();
        Procedure::subscription(name, move |_: Cx, (): ()| {
            let stage = stage.clone();
            async move {
                let gate = stage.gate.as_ref().as_ref().expect("a gate");
                gate.acquire().await.map_err(Fault::internal)?.forget();
                Ok::<_, Fault>(stage.source())
            }
        })
    };
    let service = builder()
        .procedure(slow("brief").timeout(Duration::from_millis(1)))
        .procedure(slow("slow"))
        .build()
        .expect("a service");
    let mut peer = Peer::new(&service);
    let mut messages = peer.call("brief", json!([]), 1);
    while messages.is_empty() {
        tokio::time::sleep(Duration::from_millis(1)).await;
        messages = peer.ready();
    }
    assert_eq!(code(&messages[0]), -32001);
    assert!(peer.call("slow", json!([]), 2).is_empty());
    assert_eq!(service.running_calls(), 1);
    drop(peer);
    assert_eq!(service.running_calls(), 0);
    assert!(stage.sources.lock().expect("no panic").is_empty());
}
