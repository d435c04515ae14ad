//! Batches, notifications and GET: how many requests clients send, and which.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use docent::client::{Client, ClientError, Http, InProcess, Received, Transport, TransportError};
use docent::testing::TestServer;
use docent::{BoxFuture, Cx, Fault, Procedure, Service, code, procedures};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::services::{Library, LibraryClient, LibraryError, service};

/// Keeps what is sent.
struct Recording<T>(T, Arc<Mutex<Vec<Value>>>);

impl<T: Transport> Transport for Recording<T> {
    fn send(&self, request: Vec<u8>) -> BoxFuture<Result<Received, TransportError>> {
        let json = serde_json::from_slice(&request).expect("JSON");
        self.1.lock().expect("no panic").push(json);
        self.0.send(request)
    }
}

/// Takes what a client has sent.
type Sent = Box<dyn Fn() -> Vec<Value>>;

fn recorded(transport: impl Transport) -> (Client, Sent) {
    let sent = Arc::new(Mutex::new(Vec::new()));
    let client = Client::new(Recording(transport, Arc::clone(&sent)));
    let take = move || std::mem::take(&mut *sent.lock().expect("no panic"));
    (client, Box::new(take))
}

/// A client in process, and one over HTTP with its server.
fn clients() -> (TestServer, [(Client, Sent); 2]) {
    let service = service();
    let server = TestServer::start(&service).expect("a server");
    let over_http = Http::new(server.url("/rpc"));
    let clients = [recorded(InProcess::new(&service)), recorded(over_http)];
    (server, clients)
}

#[actix_web::test]
async fn calls_that_wait_at_the_same_time_are_one_batch() {
    let (_server, clients) = clients();
    for (client, sent) in clients {
        let (found, missing, exact) = client
            .batch(async |library: LibraryClient| {
                tokio::join!(
                    library.find(Some("whale"), 2),
                    library.fail("missing"),
                    library.exact(u64::MAX, i128::MIN, 0.5),
                )
            })
            .await;
        assert_eq!(found.expect("books").len(), 2);
        assert!(matches!(
            missing,
            Err(ClientError::Declared(LibraryError::NoSuchBook { .. }))
        ));
        assert_eq!(exact.expect("numbers"), (u64::MAX, i128::MIN, 0.5));
        let [Value::Array(batch)] = &sent()[..] else {
            panic!("not one batch");
        };
        let methods: Vec<_> = batch.iter().map(|call| &call["method"]).collect();
        assert_eq!(methods, ["book.find", "book.fail", "book.numbers"]);
    }
}

#[test]
fn a_batch_can_be_awaited_on_any_thread() {
    fn is_send<T: Send>(_: &T) {}
    let client = Client::from(InProcess::new(&service()));
    is_send(&client.batch(async |library: LibraryClient| library.find(None, 1).await));
    is_send(
        &client
            .notifying()
            .call::<(), Fault>("book.fail", &json!({"how": "x"})),
    );
}

#[actix_web::test]
async fn a_call_with_the_result_of_another_goes_into_the_next_batch() {
    let (client, sent) = recorded(InProcess::new(&service()));
    let titles = client
        .batch(async |library: LibraryClient| {
            let later = async {
                let first = library.find(None, 1).await.expect("a book");
                library.find(Some(&first[0].title), 1).await
            };
            let (later, _) = tokio::join!(later, library.find(None, 2));
            later.expect("a book")[0].title.clone()
        })
        .await;
    assert_eq!(titles, "nothing");
    let sent = sent();
    assert_eq!(sent.len(), 2);
    // A single call is no batch.
    assert_eq!(
        (sent[0].as_array().map(Vec::len), sent[1]["id"].as_u64()),
        (Some(2), Some(3))
    );
}

#[actix_web::test]
async fn what_is_not_awaited_in_a_batch_is_not_sent_and_what_comes_after_it_fails() {
    let (client, sent) = recorded(InProcess::new(&service()));
    let kept = client
        .batch(async |library: LibraryClient| {
            drop(library.find(None, 1));
            let hasty = tokio::time::timeout(Duration::ZERO, library.find(None, 3));
            let _ = tokio::join!(hasty, library.find(None, 2));
            library
        })
        .await;
    let methods: usize = sent()
        .iter()
        .map(|json| json.as_array().map_or(1, Vec::len))
        .sum();
    assert!((1..=2).contains(&methods), "{methods}");
    let error = kept.find(None, 1).await.expect_err("an error");
    assert_eq!(
        error.to_string(),
        "no response: the batch of this client is over"
    );
}

#[actix_web::test]
async fn a_batch_that_is_refused_or_not_answered_fails_each_of_its_calls() {
    let limited = Service::builder("limited", "urn:uuid:5f0c9a52-7a2e-4a41-8a51-0a0d64a10b11")
        .procedure(Procedure::sync("one", |_: Cx, (): ()| Ok::<_, Fault>(1)))
        .limits(|limits| limits.max_batch_entries = 2)
        .build()
        .expect("a service");
    let client = Client::from(InProcess::new(&limited));
    let outcomes = client
        .batch(async |client: Client| {
            let call = || client.call::<u8, Fault>("one", &());
            tokio::join!(call(), call(), call())
        })
        .await;
    for outcome in [outcomes.0, outcomes.1, outcomes.2] {
        let error = outcome.expect_err("too many");
        assert_eq!(
            error.fault().expect("a fault").code(),
            code::BATCH_TOO_LARGE
        );
    }
    // A port on which nothing listens.
    let port =
        std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let client = Client::http(format!("http://{}/rpc", port.expect("a port")));
    let (one, two) = client
        .batch(async |client: Client| {
            let call = || client.call::<u8, Fault>("one", &());
            tokio::join!(call(), call())
        })
        .await;
    for outcome in [one, two] {
        let error = outcome.expect_err("no connection");
        assert!(
            matches!(&error, ClientError::Transport(TransportError::Connect(_))),
            "{error:?}"
        );
        assert!(error.to_string().contains("refused"), "{error}");
    }
}

#[actix_web::test]
async fn a_response_that_is_missing_in_a_batch_is_missed_by_its_call_alone() {
    struct Forgetful;

    impl Transport for Forgetful {
        fn send(&self, _: Vec<u8>) -> BoxFuture<Result<Received, TransportError>> {
            let body = r#"[{"jsonrpc":"2.0","result":2,"id":2}]"#;
            Box::pin(std::future::ready(Ok(Received::new(body))))
        }
    }

    let (one, two) = Client::new(Forgetful)
        .batch(async |client: Client| {
            let call = || client.call::<u8, Fault>("one", &());
            tokio::join!(call(), call())
        })
        .await;
    assert!(matches!(one, Err(ClientError::Malformed(_))), "{one:?}");
    assert_eq!(two.expect("a result"), 2);
}

#[actix_web::test]
async fn a_notification_is_run_and_has_no_outcome() {
    let (_server, clients) = clients();
    for (client, sent) in clients {
        let library = LibraryClient::from(client.notifying());
        library.fail("missing").await.expect("no outcome");
        let error = library.find(None, 1).await.expect_err("a result");
        assert_eq!(
            error.to_string(),
            "no response: a notification has no result, but this procedure returns one"
        );
        let params = json!({"how": "missing"});
        let expected = json!({"jsonrpc": "2.0", "method": "book.fail", "params": params});
        assert_eq!(sent(), [expected]);
        // In a batch, too.
        let notified = client.notifying();
        let (one, two) = notified
            .batch(async |library: LibraryClient| {
                tokio::join!(library.fail("a"), library.fail("b"))
            })
            .await;
        one.and(two).expect("no outcome");
        assert_eq!(sent()[0].as_array().map(Vec::len), Some(2));
        let (mixed, found) = client
            .batch(async |client: Client| {
                let library = LibraryClient::from(client.clone());
                let notifying = LibraryClient::from(client.notifying());
                tokio::join!(notifying.fail("a"), library.find(None, 1))
            })
            .await;
        mixed.expect("no outcome");
        assert_eq!(found.expect("books").len(), 1);
        assert_eq!(sent()[0].as_array().map(Vec::len), Some(2));
    }
}

#[actix_web::test]
async fn a_notification_that_does_not_reach_the_service_fails() {
    let server = TestServer::start(service()).expect("a server");
    let elsewhere = Client::http(server.url("/elsewhere")).notifying();
    let error = elsewhere
        .call::<(), Fault>("sum", &[1, 2])
        .await
        .expect_err("a 404");
    assert!(
        matches!(&error, ClientError::Malformed(it) if it.received.status == Some(404)),
        "{error:?}"
    );
}

/// The way in which a procedure was called.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Call {
    with_get: bool,
    words: Option<String>,
    numbers: Option<Vec<u64>>,
    least: Option<i64>,
}

/// A service that says how it was called.
struct Reported;

#[procedures]
impl Reported {
    #[procedure(idempotent)]
    fn how(
        &self,
        cx: Cx,
        words: Option<String>,
        numbers: Option<Vec<u64>>,
        #[procedure(default = Some(7))] least: Option<i64>,
    ) -> Result<Call, Fault> {
        Ok(Call {
            with_get: is_get(&cx),
            words,
            numbers,
            least,
        })
    }

    #[procedure]
    fn write(&self, cx: Cx) -> Result<bool, Fault> {
        Ok(is_get(&cx))
    }
}

/// Returns whether a call came with GET: only a request with a body has a media type.
fn is_get(cx: &Cx) -> bool {
    cx.field("content-type").next().is_none()
}

#[actix_web::test]
async fn idempotent_procedures_are_called_with_get_if_a_url_says_the_same() {
    let service = Service::builder("told", "urn:uuid:5f0c9a52-7a2e-4a41-8a51-0a0d64a10b12")
        .procedures(Reported.procedures())
        .build()
        .expect("a service");
    let server = TestServer::start(&service).expect("a server");
    let reported = Reported::client(Http::new(server.url("/rpc")).use_get());
    assert!(!reported.write().await.expect("an answer"));
    let text = Some("a&b=ä %2F".to_owned());
    for (with_get, words, numbers, least) in [
        (true, None, None, Some(0)),
        (true, text.clone(), Some(vec![1, u64::MAX]), Some(i64::MIN)),
        (false, Some("17".to_owned()), None, Some(1)),
        (false, Some(String::new()), None, Some(1)),
        (false, None, Some(vec![1]), Some(1)),
        (false, None, Some(Vec::new()), Some(1)),
        // Null is not the default.
        (false, None, None, None),
        (false, Some("x".repeat(2_000)), None, Some(1)),
    ] {
        let call = Call {
            with_get,
            words,
            numbers,
            least,
        };
        let response = reported.how(call.words.as_deref(), call.numbers.clone(), least);
        assert_eq!(response.await.expect("an answer"), call);
    }
    let posting = Reported::client(server.url("/rpc"));
    let call = posting.how(None, None, Some(0)).await;
    assert!(!call.expect("an answer").with_get);
    let client = Client::from(Http::new(server.url("/rpc")).use_get());
    let by_position: Call = client
        .call_idempotent::<_, Fault>("how", &json!(["x"]))
        .await
        .expect("an answer");
    assert_eq!(
        (
            by_position.with_get,
            by_position.words.as_deref(),
            by_position.least
        ),
        (true, Some("x"), Some(7))
    );
    let error = client
        .call_idempotent::<Call, Fault>("how", &json!({"least": "x"}))
        .await
        .expect_err("not a number");
    assert_eq!(error.fault().expect("a fault").code(), code::INVALID_PARAMS);
    let error = client
        .call_idempotent::<bool, Fault>("write", &())
        .await
        .expect_err("not idempotent");
    assert_eq!(
        error.fault().expect("a fault").code(),
        code::NOT_CALLABLE_WITH_GET
    );
}

#[actix_web::test]
async fn a_library_with_get_works_as_with_post() {
    let server = TestServer::start(service()).expect("a server");
    let library = Library::client(Http::new(server.url("/rpc")).use_get());
    assert_eq!(
        library.find(None, 1).await.expect("books")[0].title,
        "nothing"
    );
    assert_eq!(
        library.find(Some("12"), 1).await.expect("books")[0].title,
        "12"
    );
    let error = library.find(Some("x"), 0).await.expect_err("too few");
    assert_eq!(error.fault().expect("a fault").code(), code::INVALID_PARAMS);
}
