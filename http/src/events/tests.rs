//! Streams of events without a host, by a clock that the tests advance.

use std::borrow::Cow;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use docent_core::{
    Authentication, Authenticator, Credentials, Cx, Fault, Identity, RequestId, Service,
    Subscription, Topic,
};
use futures_util::stream;
use http::{Method, StatusCode};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{pause, sleep};

use crate::pieces::Body;
use crate::request::{ListenerInfo, Request, RequestTarget};
use crate::tests::ArrivedBody;
use crate::{Endpoint, HttpOptions};

type Items = Result<Value, Fault>;

#[derive(Deserialize, JsonSchema)]
struct Watch {
    after: Option<u32>,
}

/// The source of the only subscription of a test.
struct Source(Mutex<Option<UnboundedReceiver<Items>>>);

struct Guest;

impl Identity for Guest {
    fn id(&self) -> Cow<'_, str> {
        "guest".into()
    }

    fn valid_until(&self) -> Option<SystemTime> {
        SystemTime::now().checked_add(Duration::from_secs(5))
    }
}

/// Takes every caller for a guest, whose credentials end after 5 s.
struct Everybody;

impl Authenticator for Everybody {
    type Identity = Guest;

    fn authenticate(&self, _: Credentials<'_>) -> Authentication<Guest> {
        Authentication::ready(Some(Guest))
    }
}

/// Returns the stream of the source, which gives items as the test sends them.
fn items(source: &Source) -> impl stream::Stream<Item = Items> + use<> {
    let mut receiver = source.0.lock().expect("no panic").take();
    stream::poll_fn(move |cx| receiver.as_mut().expect("one subscription").poll_recv(cx))
}

/// Returns a service with `watch`, and with `guests.watch` for callers whose credentials end.
fn endpoint() -> (Endpoint, UnboundedSender<Items>) {
    let (sender, receiver) = unbounded_channel();
    let service = Service::builder("told", "urn:uuid:41544946-415a-495a-5645-454441534647")
        .state(Source(Mutex::new(Some(receiver))))
        .authenticate(Everybody)
        .procedure(
            Subscription::new("watch", async |cx: Cx<Source>, (): ()| {
                Ok::<_, Fault>(items(cx.state()))
            })
            .idempotent(),
        )
        .procedure(
            Subscription::new("guests.watch", async |cx: Cx<Source, Guest>, (): ()| {
                Ok::<_, Fault>(items(cx.state()))
            })
            .idempotent(),
        )
        .build()
        .expect("a service");
    (Endpoint::new(&service), sender)
}

/// Returns the body of the response to a GET that accepts events.
async fn open(endpoint: &Endpoint, path: &str) -> Body {
    let request = Request {
        method: Method::GET,
        target: RequestTarget {
            path,
            mount: 1,
            ..RequestTarget::default()
        },
        peer: None,
        listener: ListenerInfo::default(),
        headers: [("accept", "text/event-stream")].into_iter().collect(),
        can_upgrade: false,
        id: RequestId::new("told").expect("an ID"),
        forwarded: Mutex::default(),
    };
    let response = endpoint
        .respond(request, &mut ArrivedBody(Bytes::new()))
        .await;
    assert_eq!(response.status, StatusCode::OK);
    response.body
}

/// Returns the next piece if it is ready: its text, or what kind of error has ended the body. `None` is its end.
fn next(body: &mut Body) -> Poll<Option<String>> {
    let mut cx = Context::from_waker(Waker::noop());
    body.poll_piece(&mut cx, usize::MAX).map(|piece| {
        Some(match piece? {
            Ok(piece) => String::from_utf8(piece.to_vec()).expect("UTF-8"),
            Err(error) => error.kind().to_string(),
        })
    })
}

fn ready(text: impl Into<String>) -> Poll<Option<String>> {
    Poll::Ready(Some(text.into()))
}

const ANSWER: &str = "data: {\"jsonrpc\":\"2.0\",\"result\":\"s1\",\"id\":null}\n\n";

/// Returns the event of an item.
fn item(result: &Value) -> String {
    format!(
        "data: {{\"jsonrpc\":\"2.0\",\"method\":\"watch\",\"params\":{{\"subscription\":\"s1\",\"result\":{result}}}}}\n\n"
    )
}

#[tokio::test]
async fn a_comment_follows_15_seconds_without_an_event() {
    pause();
    let (endpoint, sender) = endpoint();
    let mut body = open(&endpoint, "/rpc/watch").await;
    assert_eq!(body.length(), None);
    assert_eq!(next(&mut body), ready(ANSWER));
    assert_eq!(next(&mut body), Poll::Pending);
    sleep(Duration::from_secs(14)).await;
    assert_eq!(next(&mut body), Poll::Pending);
    sender.send(Ok(json!(1))).expect("it is read");
    assert_eq!(next(&mut body), ready(item(&json!(1))));
    assert_eq!(next(&mut body), Poll::Pending);
    sleep(Duration::from_secs(14)).await;
    assert_eq!(next(&mut body), Poll::Pending);
    sleep(Duration::from_millis(1_010)).await;
    assert_eq!(next(&mut body), ready(":\n\n"));
    assert_eq!(next(&mut body), Poll::Pending);
    sleep(Duration::from_millis(15_010)).await;
    assert_eq!(next(&mut body), ready(":\n\n"));
}

#[tokio::test]
async fn items_that_are_ready_together_are_one_piece_and_a_large_one_comes_in_small_pieces() {
    let (endpoint, sender) = endpoint();
    let mut body = open(&endpoint, "/rpc/watch").await;
    for number in [1, 2] {
        sender.send(Ok(json!(number))).expect("it is read");
    }
    let expected = format!("{ANSWER}{}{}", item(&json!(1)), item(&json!(2)));
    assert_eq!(next(&mut body), ready(expected));
    let large = json!("x".repeat(100_000));
    sender.send(Ok(large.clone())).expect("it is read");
    let mut pieces = Vec::new();
    while let Poll::Ready(piece) = next(&mut body) {
        pieces.push(piece.expect("it goes on"));
    }
    assert!(pieces.iter().all(|piece| piece.len() <= 32 << 10));
    assert_eq!(pieces.concat(), item(&large));
}

#[tokio::test]
async fn a_reader_that_takes_nothing_for_10_seconds_loses_its_subscription() {
    pause();
    let (endpoint, sender) = endpoint();
    let mut body = open(&endpoint, "/rpc/watch").await;
    assert_eq!(next(&mut body), ready(ANSWER));
    assert_eq!(next(&mut body), Poll::Pending);
    // Who waits for items is not slow.
    sleep(Duration::from_secs(60)).await;
    assert_eq!(endpoint.service.open_subscriptions(), 1);
    sender.send(Ok(json!(1))).expect("it is read");
    assert_eq!(next(&mut body), ready(item(&json!(1))));
    sleep(Duration::from_secs(9)).await;
    assert_eq!(endpoint.service.open_subscriptions(), 1);
    sleep(Duration::from_secs(11)).await;
    assert_eq!(endpoint.service.open_subscriptions(), 0);
    assert!(sender.is_closed());
    assert_eq!(next(&mut body), ready("timed out"));
}

#[tokio::test]
async fn a_carrier_that_never_asks_for_the_answer_loses_the_subscription() {
    pause();
    let (endpoint, sender) = endpoint();
    let _body = open(&endpoint, "/rpc/watch").await;
    assert_eq!(endpoint.service.open_subscriptions(), 1);
    sleep(Duration::from_secs(21)).await;
    assert_eq!(endpoint.service.open_subscriptions(), 0);
    assert!(sender.is_closed());
}

#[tokio::test]
async fn an_untold_end_keeps_the_cursor_of_who_fell_behind() {
    let topic = Topic::new(1);
    let watch = async |cx: Cx<Topic<u32>>, watch: Watch| match watch.after {
        None => Ok(cx.state().follow::<Fault>()),
        Some(_) => Err(Fault::cannot_resume()),
    };
    let service = Service::builder("untold", "urn:uuid:41544946-415a-495a-5645-454441534652")
        .state(topic.clone())
        .procedure(
            Subscription::new("watch", watch)
                .resume_by("after", |number| *number)
                .ends_untold()
                .idempotent(),
        )
        .build()
        .expect("a service");
    let mut body = open(&Endpoint::new(&service), "/rpc/watch").await;
    assert_eq!(next(&mut body), ready(ANSWER));
    for number in [1, 2] {
        topic.publish(number).expect("JSON");
    }
    assert_eq!(next(&mut body), ready("\n"), "no id, and nothing is told");
    assert_eq!(next(&mut body), Poll::Ready(None));
}

#[tokio::test]
async fn a_subscription_ends_with_the_credentials_of_its_caller() {
    pause();
    let (endpoint, sender) = endpoint();
    let mut body = open(&endpoint, "/rpc/guests.watch").await;
    assert_eq!(next(&mut body), ready(ANSWER));
    sender.send(Ok(json!(1))).expect("it is read");
    assert!(next(&mut body).is_ready());
    assert!(next(&mut body).is_pending());
    sleep(Duration::from_secs(6)).await;
    sender.send(Ok(json!(2))).expect("it is read");
    let end = json!({
        "jsonrpc": "2.0",
        "method": "guests.watch",
        "params": {"subscription": "s1", "error": {"code": -32007, "message": "Refused"}},
    });
    let Poll::Ready(Some(event)) = next(&mut body) else {
        panic!("it has ended");
    };
    let event = event.strip_prefix("id: -\ndata: ").expect("the last event");
    assert_eq!(event.parse::<Value>().expect("JSON"), end);
    assert_eq!(next(&mut body), Poll::Ready(None));
    assert_eq!(endpoint.service.open_subscriptions(), 0);
}

#[tokio::test]
async fn a_large_item_waits_for_room_among_all_that_is_stored_for_callers() {
    pause();
    let (mut endpoint, sender) = endpoint();
    endpoint.set_options(HttpOptions {
        max_buffered_bytes: 150_000,
        ..HttpOptions::default()
    });
    let taken = endpoint.traffic.try_take(100_000);
    let mut body = open(&endpoint, "/rpc/watch").await;
    assert_eq!(next(&mut body), ready(ANSWER));
    sender
        .send(Ok(json!("x".repeat(100_000))))
        .expect("it is read");
    assert_eq!(next(&mut body), Poll::Pending);
    // The response lives meanwhile.
    sleep(Duration::from_millis(15_010)).await;
    assert_eq!(next(&mut body), ready(":\n\n"));
    assert_eq!(next(&mut body), Poll::Pending);
    drop(taken);
    assert!(next(&mut body).is_ready());
}
