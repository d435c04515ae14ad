//! Calls with keys: each runs once, however often it is repeated.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use docent_core::carrier::{Incoming, Reply};
use docent_core::{
    Authentication, Authenticator, BoxFuture, CallInfo, Claim, Credentials, Cx, Extensions, Fault,
    Fields, Guard, Identity, KeptOutcome, KeyStore, KeyedCall, MemoryKeyStore, Procedure,
    Rejection, RpcError, Service, ServiceBuilder, procedure,
};
use futures_util::FutureExt;
use serde_json::Value;

use crate::{Tokio, assert_fine, assert_one, builder, plain};

const DAY: Duration = Duration::from_secs(86_400);

/// Counts the runs of handlers, and lets them go on.
struct Bank {
    runs: AtomicUsize,
    gate: tokio::sync::Semaphore,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Pay {
    to: String,
    amount: f64,
}

#[derive(Debug, RpcError)]
enum PayError {
    #[rpc(code = 1404, message = "Nobody")]
    Nobody {
        to: String,
    },
    #[rpc(code = 1503, message = "Later", retry = true)]
    Later,
    Internal(Fault),
}

fn pay(bank: &Bank, p: &Pay) -> Result<String, PayError> {
    let run = bank.runs.fetch_add(1, Ordering::SeqCst) + 1;
    match &*p.to {
        "nobody" => Err(PayError::Nobody { to: p.to.clone() }),
        "later" => Err(PayError::Later),
        "panic" => panic!("no such account"),
        "broken" => Err(PayError::Internal(Fault::internal("the ledger is gone"))),
        "refused" => Err(PayError::Internal(Fault::invalid_params("to", "closed"))),
        to => Ok(format!("{run}: {} to {to}", p.amount)),
    }
}

fn procedures() -> Vec<Procedure<Bank>> {
    let slow = |cx: Cx<Bank>, p: Pay| async move {
        let gate = cx.state().gate.acquire().await.expect("it stays open");
        gate.forget();
        pay(cx.state(), &p)
    };
    let keyed = [
        Procedure::sync("pay", |cx: Cx<Bank>, p: Pay| pay(cx.state(), &p)),
        Procedure::sync("refund", |cx: Cx<Bank>, p: Pay| pay(cx.state(), &p)),
        Procedure::blocking("pay_blocking", |cx: Cx<Bank>, p: Pay| pay(cx.state(), &p)),
        Procedure::new("pay_slowly", slow).timeout(Duration::from_millis(20)),
    ]
    .map(|procedure| procedure.repeatable(DAY).keys_without_caller());
    let plain = Procedure::sync("pay_once", |cx: Cx<Bank>, p: Pay| pay(cx.state(), &p));
    let idempotent = Procedure::sync("look", |cx: Cx<Bank>, p: Pay| pay(cx.state(), &p));
    let others = [plain, idempotent.idempotent()];
    keyed.into_iter().chain(others).collect()
}

fn bank() -> (Arc<Bank>, ServiceBuilder<Bank>) {
    let bank = Arc::new(Bank {
        runs: AtomicUsize::new(0),
        gate: tokio::sync::Semaphore::new(0),
    });
    let builder = builder().shared_state(Arc::clone(&bank));
    (bank, builder.procedures(procedures()))
}

fn service() -> (Arc<Bank>, Service) {
    let (bank, builder) = bank();
    let service = builder.build().expect("a service");
    (bank, service.with_runtime(Arc::new(Tokio)))
}

/// Returns a request with a key.
fn body(id: u32, procedure: &str, params: &str, key: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"{procedure}","params":{params},"id":{id},"x-idempotency-key":"{key}"}}"#
    )
}

/// Returns the parameters of a payment.
fn to(name: &str) -> String {
    format!(r#"{{"to":"{name}","amount":5}}"#)
}

async fn exchange(service: &Service, body: impl Into<Vec<u8>>) -> Reply {
    service.exchange(Incoming::new(body.into())).await
}

async fn send(service: &Service, body: impl Into<Vec<u8>>) -> String {
    text(&exchange(service, body).await)
}

fn text(reply: &Reply) -> String {
    String::from_utf8(reply.body().unwrap_or_default().into_owned()).expect("UTF-8")
}

fn code(response: &str) -> i64 {
    let response: Value = serde_json::from_str(response).expect("JSON");
    response["error"]["code"].as_i64().unwrap_or_default()
}

fn runs(bank: &Bank) -> usize {
    bank.runs.load(Ordering::SeqCst)
}

/// Header fields, in the order of arrival.
struct Headers(Vec<(&'static str, Vec<u8>)>);

impl Fields for Headers {
    fn value(&self, name: &str, index: usize) -> Option<&[u8]> {
        self.0
            .iter()
            .filter(|(other, _)| other.eq_ignore_ascii_case(name))
            .map(|(_, value)| &**value)
            .nth(index)
    }
}

fn with(body: &str, fields: &[(&'static str, &str)]) -> Incoming {
    let fields = fields
        .iter()
        .map(|(name, value)| (*name, value.as_bytes().to_vec()));
    let mut extensions = Extensions::new();
    extensions.insert_fields(Headers(fields.collect()));
    Incoming::new(body.to_owned()).extensions(Arc::new(extensions))
}

#[tokio::test]
async fn a_repetition_gets_the_same_result_under_its_own_id_and_protocol_and_nothing_runs_again() {
    let (bank, service) = service();
    let first = exchange(&service, body(1, "pay", &to("ada"), "k")).await;
    assert_eq!(
        text(&first),
        r#"{"jsonrpc":"2.0","result":"1: 5 to ada","id":1}"#
    );
    assert!(!first.is_replayed());
    // By position, in another order, and with other white space and escapes.
    for params in [r#"["ada",5]"#, r#"{ "amount" :5, "t\u006f":"\u0061da"}"#] {
        let again = exchange(&service, body(2, "pay", params, "k")).await;
        assert_eq!(
            text(&again),
            r#"{"jsonrpc":"2.0","result":"1: 5 to ada","id":2}"#
        );
        assert!(again.is_replayed());
    }
    let old = format!(
        r#"{{"version":"1.1","method":"pay","params":{},"id":[3]}}"#,
        to("ada")
    );
    let again = service
        .exchange(with(&old, &[("Idempotency-Key", "k")]))
        .await;
    assert_eq!(
        text(&again),
        r#"{"version":"1.1","result":"1: 5 to ada","id":[3]}"#
    );
    assert_eq!(runs(&bank), 1);
    // Without a key, and with another, it is another call.
    let plain = format!(
        r#"{{"jsonrpc":"2.0","method":"pay","params":{},"id":4}}"#,
        to("ada")
    );
    assert!(send(&service, plain).await.contains("2: 5 to ada"));
    assert!(
        send(&service, body(5, "pay", &to("ada"), "K"))
            .await
            .contains("3: 5 to ada")
    );
}

#[tokio::test]
async fn a_notification_is_done_once_and_its_repetition_as_a_call_gets_the_result() {
    let (bank, service) = service();
    let silent = body(1, "pay", &to("ada"), "k").replace(r#""id":1,"#, "");
    for _ in 0..2 {
        assert_eq!(exchange(&service, silent.clone()).await.body(), None);
    }
    let response = send(&service, body(7, "pay", &to("ada"), "k")).await;
    assert_eq!(
        response,
        r#"{"jsonrpc":"2.0","result":"1: 5 to ada","id":7}"#
    );
    assert_eq!(runs(&bank), 1);
}

#[tokio::test]
async fn the_same_key_with_another_procedure_or_other_parameters_is_refused() {
    let (bank, service) = service();
    send(&service, body(1, "pay", &to("ada"), "k")).await;
    for (procedure, params) in [
        ("refund", to("ada")),
        ("pay", to("bob")),
        ("pay", r#"{"to":"ada","amount":5.0}"#.to_owned()),
    ] {
        let response = send(&service, body(2, procedure, &params, "k")).await;
        let expected =
            r#"{"jsonrpc":"2.0","error":{"code":-32010,"message":"Key used otherwise"},"id":2}"#;
        assert_eq!(response, expected, "{procedure} {params}");
    }
    assert_eq!(runs(&bank), 1);
}

#[tokio::test]
async fn errors_are_kept_unless_they_say_that_repeating_helps_or_nothing_ran() {
    let (bank, service) = service();
    for (at, (name, expected)) in [("nobody", 1404), ("broken", -32603), ("refused", -32602)]
        .into_iter()
        .enumerate()
    {
        let first = send(&service, body(1, "pay", &to(name), name)).await;
        let again = exchange(&service, body(1, "pay", &to(name), name)).await;
        assert_eq!(text(&again), first);
        assert!(again.is_replayed());
        assert_eq!((code(&first), runs(&bank)), (expected, at + 1));
    }
    for at in 1..3 {
        let response = send(&service, body(1, "pay", &to("later"), "later")).await;
        assert_eq!((code(&response), runs(&bank)), (1503, 3 + at));
    }
    // Parameters that are wrong leave the key free for right ones.
    for params in [
        "{}",
        r#"["ada"]"#,
        r#"{"to":"ada","amount":"5"}"#,
        "[1,2,3]",
    ] {
        let response = send(&service, body(1, "pay", params, "wrong")).await;
        assert_eq!(code(&response), -32602, "{params}");
    }
    let response = exchange(&service, body(1, "pay", &to("ada"), "wrong")).await;
    assert!(!response.is_replayed());
    assert_eq!((response.error_code(), runs(&bank)), (None, 6));
}

#[tokio::test]
async fn nobody_knows_what_a_handler_has_done_that_panics() {
    let (bank, service) = service();
    for procedure in ["pay", "pay_blocking"] {
        let before = runs(&bank);
        let first = send(&service, body(1, procedure, &to("panic"), procedure)).await;
        let again = exchange(&service, body(1, procedure, &to("panic"), procedure)).await;
        assert_eq!(text(&again), first);
        assert!(again.is_replayed());
        let response: Value = serde_json::from_str(&first).expect("JSON");
        assert_eq!(response["error"]["code"], -32603);
        assert_eq!(response["error"]["data"]["outcome"], "unknown");
        let incident = response["error"]["data"]["incident"]
            .as_str()
            .expect("an ID");
        assert_eq!(incident.len(), 16);
        assert_eq!(runs(&bank), before + 1);
    }
}

#[tokio::test]
async fn a_call_that_has_timed_out_goes_on_and_its_repetition_gets_the_true_outcome() {
    let (bank, service) = service();
    let request = body(1, "pay_slowly", &to("ada"), "k");
    assert_eq!(code(&send(&service, request.clone()).await), -32001);
    for _ in 0..2 {
        let response = send(&service, request.clone()).await;
        let expected =
            r#"{"jsonrpc":"2.0","error":{"code":-32009,"message":"Still running"},"id":1}"#;
        assert_eq!(response, expected);
    }
    assert_eq!(
        code(&send(&service, body(1, "pay_slowly", &to("bob"), "k")).await),
        -32010
    );
    bank.gate.add_permits(1);
    while runs(&bank) == 0 {
        tokio::task::yield_now().await;
    }
    tokio::time::sleep(Duration::from_millis(5)).await;
    let again = exchange(&service, request).await;
    assert_eq!(
        text(&again),
        r#"{"jsonrpc":"2.0","result":"1: 5 to ada","id":1}"#
    );
    assert!(again.is_replayed());
}

#[tokio::test]
async fn a_call_whose_caller_is_gone_goes_on_and_its_repetition_gets_the_outcome() {
    let (bank, service) = service();
    let request = body(1, "pay_slowly", &to("ada"), "k");
    let gone = exchange(&service, request.clone());
    assert!(gone.now_or_never().is_none());
    assert_eq!(code(&send(&service, request.clone()).await), -32009);
    bank.gate.add_permits(1);
    while runs(&bank) == 0 {
        tokio::task::yield_now().await;
    }
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert!(send(&service, request).await.contains("1: 5 to ada"));
}

#[tokio::test]
async fn without_a_runtime_a_call_that_is_dropped_halfway_has_an_unknown_outcome() {
    let (bank, builder) = bank();
    let service = builder.build().expect("a service");
    let request = body(1, "pay_slowly", &to("ada"), "k");
    assert!(exchange(&service, request.clone()).now_or_never().is_none());
    let response = send(&service, request).await;
    assert!(response.contains(r#""outcome":"unknown"#), "{response}");
    assert_eq!(runs(&bank), 0);
}

/// Runs nothing that blocks until it is told to.
#[derive(Default)]
struct Queueing(Mutex<Vec<Box<dyn FnOnce() + Send>>>);

impl docent_core::Runtime for Queueing {
    fn spawn(&self, task: BoxFuture<()>) {
        Tokio.spawn(task);
    }

    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        self.0.lock().expect("no panic").push(work);
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<()> {
        Tokio.sleep(duration)
    }

    fn now(&self) -> std::time::Instant {
        Tokio.now()
    }
}

#[tokio::test]
async fn a_call_that_times_out_before_it_starts_leaves_its_key_free() {
    let (bank, builder) = bank();
    let queue = Arc::new(Queueing::default());
    let limited = builder.limits(|limits| limits.timeout = Duration::from_millis(10));
    let service = limited
        .build()
        .expect("a service")
        .with_runtime(queue.clone());
    let request = body(1, "pay_blocking", &to("ada"), "k");
    for _ in 0..2 {
        let response = send(&service, request.clone()).await;
        assert!(
            response.contains(r#""data":{"started":false}"#),
            "{response}"
        );
    }
    for work in queue.0.lock().expect("no panic").drain(..) {
        work();
    }
    assert_eq!(runs(&bank), 0);
    let (response, ()) = tokio::join!(send(&service, request.clone()), async {
        let work = queue.0.lock().expect("no panic").pop().expect("it waits");
        work();
    });
    assert!(response.contains("1: 5 to ada"), "{response}");
    assert!(exchange(&service, request).await.is_replayed());
}

/// Takes its time to release a key.
struct SlowRelease(Arc<MemoryKeyStore>);

impl KeyStore for SlowRelease {
    fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
        self.0.claim(call)
    }

    fn keep(&self, call: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
        self.0.keep(call, outcome)
    }

    fn release(&self, call: &Arc<KeyedCall>) -> BoxFuture<()> {
        let store = Arc::clone(&self.0);
        let call = Arc::clone(call);
        Box::pin(async move {
            tokio::task::yield_now().await;
            store.release(&call).await;
        })
    }
}

#[tokio::test]
async fn a_call_that_times_out_while_its_key_is_released_leaves_the_key_free() {
    let (_, builder) = bank();
    let queue = Arc::new(Queueing::default());
    let service = builder
        .limits(|limits| limits.timeout = Duration::from_millis(10))
        .key_store(SlowRelease(Arc::default()))
        .build()
        .expect("a service")
        .with_runtime(queue.clone());
    let request = body(1, "pay_blocking", &to("ada"), "k");
    for _ in 0..2 {
        let mut response = Box::pin(send(&service, request.clone()));
        assert!((&mut response).now_or_never().is_none());
        // The thread notices first that the time is over, and then the caller does.
        std::thread::sleep(Duration::from_millis(15));
        queue.0.lock().expect("no panic").pop().expect("it waits")();
        tokio::time::sleep(Duration::from_millis(1)).await;
        let response = response.await;
        assert!(
            response.contains(r#""data":{"started":false}"#),
            "{response}"
        );
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn requests_of_a_batch_have_keys_of_their_own() {
    let (bank, service) = service();
    let batch = format!(
        "[{},{},{},{}]",
        body(1, "pay", &to("ada"), "k"),
        body(2, "pay", &to("ada"), "k"),
        body(3, "pay", &to("bob"), "k"),
        body(4, "pay", &to("bob"), "l"),
    );
    let response: Vec<Value> =
        serde_json::from_str(&send(&service, batch.clone()).await).expect("JSON");
    assert_eq!(response[0]["result"], "1: 5 to ada");
    assert_eq!(response[1]["result"], "1: 5 to ada");
    assert_eq!(response[2]["error"]["code"], -32010);
    assert_eq!(response[3]["result"], "2: 5 to bob");
    assert_eq!(runs(&bank), 2);

    let reply = service
        .exchange(with(&batch, &[("idempotency-key", "m")]))
        .await;
    let response: Value = serde_json::from_str(&text(&reply)).expect("JSON");
    assert_eq!(
        (&response["id"], &response["error"]["code"]),
        (&Value::Null, &(-32600).into())
    );
    assert_eq!(runs(&bank), 2);
}

#[tokio::test]
async fn keys_that_are_none_are_invalid_requests() {
    let (bank, service) = service();
    let long = "k".repeat(256);
    let keys = ["", "a b", "é", "\\u0000", "\\ud800", &long].map(|key| format!("\"{key}\""));
    let others = ["null", "1", "true", "[\"k\"]", "{}"].map(str::to_owned);
    for key in keys.iter().chain(&others) {
        let request = format!(
            r#"{{"jsonrpc":"2.0","method":"pay","params":{},"id":9,"x-idempotency-key":{key}}}"#,
            to("ada")
        );
        let response = send(&service, request).await;
        assert_eq!(code(&response), -32600, "{key}: {response}");
        assert!(
            response.contains("\"reason\":\"x-idempotency-key must be"),
            "{response}"
        );
        assert!(response.ends_with(r#""id":9}"#), "{response}");
    }
    let twice = body(9, "pay", &to("ada"), "k").replace('}', ",\"x-idempotency-key\":\"k\"}");
    let twice = twice.replacen(",\"x-idempotency-key\":\"k\"}", "}", 1);
    let response = send(&service, twice).await;
    assert!(response.contains("must not be repeated"), "{response}");
    assert_eq!(runs(&bank), 0);
    let longest = "k".repeat(255);
    for key in [&*longest, "!", "~", "\\u006b", "\\\"", "../../etc"] {
        let response = send(&service, body(9, "pay", &to("ada"), key)).await;
        assert_eq!(code(&response), 0, "{response}");
    }
}

#[tokio::test]
async fn the_field_and_the_member_say_the_same() {
    const FIELD: &str = "Idempotency-Key";
    let (bank, service) = service();
    let with_member = body(1, "pay", &to("ada"), "k");
    let plain = with_member.replace(r#","x-idempotency-key":"k""#, "");
    let refused = [
        with(&with_member, &[(FIELD, "l")]),
        with(&plain, &[(FIELD, "")]),
        with(&plain, &[(FIELD, "a b")]),
        with(&plain, &[(FIELD, "é")]),
        with(&plain, &[(FIELD, &"k".repeat(256))]),
        with(&plain, &[(FIELD, "k"), (FIELD, "k")]),
    ];
    for incoming in refused {
        let response = text(&service.exchange(incoming).await);
        assert_eq!(code(&response), -32600, "{response}");
        assert!(
            response.contains("\"reason\"") && response.ends_with("\"id\":1}"),
            "{response}"
        );
    }
    assert_eq!(runs(&bank), 0);
    for body in [&with_member, &plain, &with_member] {
        let reply = service.exchange(with(body, &[(FIELD, "k")])).await;
        assert!(text(&reply).contains("1: 5 to ada"));
    }
    // A notification is never answered, whatever came beside it.
    let notification = plain.replace(r#","id":1"#, "");
    let reply = service.exchange(with(&notification, &[(FIELD, "")])).await;
    assert_eq!((reply.body(), runs(&bank)), (None, 1));
}

#[tokio::test]
async fn a_key_is_for_repeatable_procedures_and_idempotent_ones_ignore_it() {
    let (bank, service) = service();
    let response = send(&service, body(1, "pay_once", &to("ada"), "k")).await;
    assert_eq!((code(&response), runs(&bank)), (-32600, 0));
    assert!(response.contains("not repeatable"), "{response}");
    let plain = format!(
        r#"{{"jsonrpc":"2.0","method":"pay_once","params":{},"id":1}}"#,
        to("ada")
    );
    let reply = service
        .exchange(with(&plain, &[("Idempotency-Key", "k")]))
        .await;
    assert_eq!((reply.error_code(), runs(&bank)), (Some(-32600), 0));
    let response = send(&service, body(1, "pay_twice", "{}", "k")).await;
    assert_eq!(code(&response), -32601);
    for run in 1..3 {
        let response = exchange(&service, body(1, "look", &to("ada"), "k")).await;
        assert!(text(&response).contains("to ada") && !response.is_replayed());
        assert_eq!(runs(&bank), run);
    }
    let response = send(&service, body(1, "rpc.describe", "{}", "k")).await;
    assert!(
        response.contains(r#""repeatable":{"for":86400}"#),
        "{response}"
    );
}

struct User(String);

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from(&self.0)
    }
}

/// Takes the name in `X-User`, at once or after a while.
struct Names {
    later: bool,
}

impl Authenticator for Names {
    type Identity = User;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<User> {
        let name = credentials.only_field("x-user");
        let name = name.map(|name| User(String::from_utf8_lossy(name).into_owned()));
        if self.later {
            return Authentication::pending(async {
                tokio::task::yield_now().await;
                Ok(name)
            });
        }
        Authentication::ready(name)
    }
}

#[tokio::test]
async fn a_key_belongs_to_its_caller() {
    for later in [false, true] {
        let count = Arc::new(AtomicUsize::new(0));
        let next = Arc::clone(&count);
        let mine = move |cx: Cx<(), User>, (): ()| {
            let run = next.fetch_add(1, Ordering::SeqCst);
            Ok::<_, Fault>(format!("{} {run}", cx.caller().0))
        };
        let service = builder()
            .authenticate(Names { later })
            .procedure(Procedure::sync("mine", mine).repeatable(DAY))
            .build()
            .expect("a service");
        let body = body(1, "mine", "[]", "k");
        for (name, expected) in [("ada", "ada 0"), ("bob", "bob 1"), ("ada", "ada 0")] {
            let reply = service.exchange(with(&body, &[("x-user", name)])).await;
            assert!(text(&reply).contains(expected), "{}", text(&reply));
        }
        let reply = service.exchange(with(&body, &[])).await;
        assert_eq!(reply.error_code(), Some(-32007));
        assert_eq!(count.load(Ordering::SeqCst), 2);
    }
}

/// Accepts calls until it is closed.
struct Door(Arc<AtomicUsize>);

impl Guard for Door {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        match self.0.load(Ordering::SeqCst) {
            0 => Ok(()),
            _ => Err(Rejection::forbidden()),
        }
    }
}

#[tokio::test]
async fn guards_decide_on_each_repetition() {
    let (bank, builder) = bank();
    let closed = Arc::new(AtomicUsize::new(0));
    let service = builder
        .guard(Door(Arc::clone(&closed)))
        .build()
        .expect("a service");
    let request = body(1, "pay", &to("ada"), "k");
    assert_eq!(exchange(&service, request.clone()).await.error_code(), None);
    closed.store(1, Ordering::SeqCst);
    assert_eq!(
        exchange(&service, request.clone()).await.error_code(),
        Some(-32007)
    );
    closed.store(0, Ordering::SeqCst);
    assert!(exchange(&service, request).await.is_replayed());
    assert_eq!(runs(&bank), 1);
}

#[tokio::test]
async fn a_full_store_refuses_new_keys_and_answers_old_ones() {
    let (bank, builder) = bank();
    let store = MemoryKeyStore::new().max_keys(2);
    let service = builder.key_store(store).build().expect("a service");
    for _ in 0..2 {
        assert!(
            send(&service, body(1, "pay", &to("ada"), "k"))
                .await
                .contains("1: 5 to ada")
        );
    }
    let response = send(&service, body(1, "pay", &to("ada"), "l")).await;
    assert_eq!((code(&response), runs(&bank)), (-32002, 1));
    let usage = service.key_usage().expect("it is known");
    assert_eq!((usage.held.keys, usage.limits.keys), (1, 2));
}

/// Returns a service with a store of 2,000 keys, whose callers are known if they give a name.
fn shared_store() -> (Arc<AtomicUsize>, Service) {
    let count = Arc::new(AtomicUsize::new(0));
    let runs = Arc::clone(&count);
    let pay = move |_: Cx<(), Option<User>>, p: Vec<u32>| {
        runs.fetch_add(1, Ordering::SeqCst);
        async move {
            tokio::task::yield_now().await;
            Ok::<_, Fault>(p)
        }
    };
    let service = builder()
        .authenticate(Names { later: false })
        .procedure(
            Procedure::new("pay", pay)
                .repeatable(DAY)
                .keys_without_caller(),
        )
        .key_store(MemoryKeyStore::new().max_keys(2_000))
        .build()
        .expect("a service");
    (count, service.with_runtime(Arc::new(Tokio)))
}

/// Sends a thousand calls with keys of their own in one batch. Returns the answers.
async fn thousand(service: &Service, caller: Option<&str>, name: &str) -> Vec<Value> {
    let calls: Vec<_> = (0..1_000)
        .map(|id| body(id, "pay", "[5]", &format!("{name}-{id}")))
        .collect();
    let batch = format!("[{}]", calls.join(","));
    let fields: Vec<_> = caller
        .into_iter()
        .map(|caller| ("x-user", caller))
        .collect();
    let reply = service.exchange(with(&batch, &fields)).await;
    serde_json::from_str(&text(&reply)).expect("JSON")
}

#[tokio::test]
async fn a_caller_gets_its_share_of_the_keys_and_leaves_the_rest_to_others() {
    let (runs, service) = shared_store();
    for (caller, share, reason) in [
        (
            Some("ada"),
            100,
            "this caller's share of the store of keys is full",
        ),
        (
            None,
            1_000,
            "the share of unknown callers in the store of keys is full",
        ),
    ] {
        let before = runs.load(Ordering::SeqCst);
        let (one, two) = tokio::join!(
            thousand(&service, caller, "one"),
            thousand(&service, caller, "two")
        );
        let (granted, refused): (Vec<_>, Vec<_>) = one
            .into_iter()
            .chain(two)
            .partition(|response| response.get("result").is_some());
        assert_eq!((granted.len(), refused.len()), (share, 2_000 - share));
        assert_eq!(runs.load(Ordering::SeqCst) - before, share);
        for response in &refused {
            let error = &response["error"];
            assert_eq!(error["code"], -32002, "{response}");
            assert_eq!(error["data"]["reason"], reason);
            let seconds = error["data"]["retryAfter"].as_u64().expect("a number");
            assert!((1..=86_400).contains(&seconds), "{response}");
        }
        let last = refused.last().expect("some");
        assert!(last["error"]["data"]["retryAfter"].as_u64() > Some(86_000));
        // The keys of this caller are still there.
        let id = &granted[0]["id"];
        let repetition = body(7, "pay", "[5]", &format!("one-{id}"));
        let fields = caller.map(|caller| ("x-user", caller));
        let repeated = service.exchange(with(&repetition, fields.as_slice())).await;
        assert!(repeated.is_replayed(), "{}", text(&repeated));
        let call_of_bob = body(8, "pay", "[5]", &format!("fresh-{share}"));
        let reply = service
            .exchange(with(&call_of_bob, &[("x-user", "bob")]))
            .await;
        assert!(!reply.is_replayed() && reply.error_code().is_none());
    }
    let usage = service.key_usage().expect("it is known");
    assert_eq!((usage.held.keys, usage.limits.keys), (1_102, 2_000));
}

#[tokio::test]
async fn what_many_callers_have_filled_is_the_store_and_a_caller_may_be_given_more() {
    let pay = |_: Cx<(), User>, p: Vec<u32>| Ok::<_, Fault>(p);
    let store = MemoryKeyStore::new().max_keys(3).max_keys_per_caller(2);
    let service = builder()
        .authenticate(Names { later: false })
        .procedure(Procedure::sync("pay", pay).repeatable(DAY))
        .key_store(store)
        .build()
        .expect("a service")
        .with_runtime(Arc::new(Tokio));
    for (caller, key, reason) in [
        ("ada", "a", None),
        ("ada", "b", None),
        (
            "ada",
            "c",
            Some("this caller's share of the store of keys is full"),
        ),
        ("bob", "a", None),
        ("bob", "b", Some("the store of keys is full")),
    ] {
        let call = with(&body(1, "pay", "[5]", key), &[("x-user", caller)]);
        let reply = service.exchange(call).await;
        let response: Value = serde_json::from_str(&text(&reply)).expect("JSON");
        let found = response["error"]["data"]["reason"].as_str();
        assert_eq!(found, reason, "{caller} {key}: {response}");
        assert_eq!(reply.retry_after().is_some(), reason.is_some());
    }
}

/// A store that fails.
struct Failing {
    claims: bool,
}

impl KeyStore for Failing {
    fn claim(&self, _: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
        let claim = if self.claims {
            Ok(Claim::Granted)
        } else {
            Err(Fault::internal("no connection"))
        };
        Box::pin(std::future::ready(claim))
    }

    fn keep(&self, _: &Arc<KeyedCall>, _: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
        Box::pin(std::future::ready(Err(Fault::internal("no connection"))))
    }

    fn release(&self, _: &Arc<KeyedCall>) -> BoxFuture<()> {
        Box::pin(std::future::ready(()))
    }
}

#[tokio::test]
async fn nothing_runs_without_a_claim_and_a_response_does_not_depend_on_keeping_it() {
    for (claims, expected) in [(false, -32603), (true, 0)] {
        let (bank, builder) = bank();
        let service = builder
            .key_store(Failing { claims })
            .build()
            .expect("a service");
        let response = send(&service, body(1, "pay", &to("ada"), "k")).await;
        assert_eq!((code(&response), runs(&bank)), (expected, claims.into()));
    }
}

#[tokio::test]
async fn a_service_that_extends_another_has_the_same_keys() {
    let (bank, v1) = service();
    let v2 = v1.extend().version("2.0").build().expect("a service");
    send(&v1, body(1, "pay", &to("ada"), "k")).await;
    assert!(
        exchange(&v2, body(1, "pay", &to("ada"), "k"))
            .await
            .is_replayed()
    );
    assert_eq!(runs(&bank), 1);
}

#[test]
fn a_repeatable_procedure_knows_whom_its_keys_belong_to() {
    let keyed = || plain("pay").repeatable(DAY);
    assert_one(
        builder().procedure(keyed()),
        Some("pay"),
        &["Cx<_, User>", "protect", "keys_without_caller"],
    );
    assert_fine(builder().procedure(keyed().keys_without_caller()));
    let optional = |_: Cx<(), Option<User>>, (): ()| Ok::<_, Fault>(());
    let optional = || Procedure::sync("pay", optional).repeatable(DAY);
    let known = || builder().authenticate(Names { later: false });
    assert_one(
        known().procedure(optional()),
        Some("pay"),
        &["whom a key belongs to"],
    );
    assert_fine(known().procedure(optional().keys_without_caller()));
    assert_fine(known().procedure(keyed()).protect(|_| true));
}

#[test]
fn a_repeatable_procedure_is_not_idempotent_and_remembers_for_some_time() {
    let keyed = |time| plain("pay").repeatable(time).keys_without_caller();
    assert_one(
        builder().procedure(keyed(DAY).idempotent()),
        Some("pay"),
        &["idempotent", "without a key"],
    );
    assert_one(
        builder().procedure(keyed(Duration::ZERO)),
        Some("pay"),
        &["longer than zero"],
    );
    assert_one(
        builder().procedure(plain("pay").keys_without_caller()),
        Some("pay"),
        &["`repeatable`"],
    );
}

/// Pays.
#[procedure(repeatable = "24h", keys_without_caller)]
fn transfer(amount: u32) -> Result<u32, Fault> {
    Ok(amount)
}

#[tokio::test]
async fn an_attribute_makes_a_procedure_repeatable() {
    let service = builder()
        .procedure(transfer::procedure())
        .build()
        .expect("a service");
    assert_eq!(service.description().procs[0].repeatable, Some(DAY));
    let request = body(1, "transfer", "[5]", "k");
    assert!(!exchange(&service, request.clone()).await.is_replayed());
    assert!(exchange(&service, request).await.is_replayed());
}

/// Notes the calls that claim a key, and what is kept for them.
#[derive(Clone, Default)]
struct Noting(Arc<Mutex<Vec<String>>>);

impl Noting {
    fn note(&self, what: &str, call: &KeyedCall) {
        let caller = call.caller().unwrap_or("-");
        let key = call.key();
        let procedure = call.procedure();
        let digits = call.fingerprint();
        assert!(digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        assert_eq!(call.keep_for(), DAY);
        let note = format!("{what} {key} of {caller} for {procedure}");
        self.0.lock().expect("no panic").push(note);
    }
}

impl KeyStore for Noting {
    fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
        self.note("claim", call);
        Box::pin(std::future::ready(Ok(Claim::Granted)))
    }

    fn keep(&self, call: &Arc<KeyedCall>, _: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
        self.note("keep", call);
        Box::pin(std::future::ready(Ok(())))
    }

    fn release(&self, call: &Arc<KeyedCall>) -> BoxFuture<()> {
        self.note("release", call);
        Box::pin(std::future::ready(()))
    }
}

#[tokio::test]
async fn a_store_gets_the_caller_and_the_procedure_of_a_key() {
    let store = Noting::default();
    let mine = |cx: Cx<(), User>, (): ()| Ok::<_, Fault>(cx.caller().0.clone());
    let service = builder()
        .authenticate(Names { later: false })
        .key_store(store.clone())
        .procedure(Procedure::sync("mine", mine).repeatable(DAY))
        .procedure(Procedure::sync("ours", mine).repeatable(DAY))
        .build()
        .expect("a service");
    for (procedure, key, name) in [("mine", "k1", "ada"), ("ours", "k2", "bob")] {
        service
            .exchange(with(&body(1, procedure, "[]", key), &[("x-user", name)]))
            .await;
    }
    let expected = [
        "claim k1 of ada for mine",
        "keep k1 of ada for mine",
        "claim k2 of bob for ours",
        "keep k2 of bob for ours",
    ];
    assert_eq!(*store.0.lock().expect("no panic"), expected);
}
