//! WebSockets over streams in memory, by a clock that the tests advance.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use docent_core::{
    Authentication, Authenticator, Credentials, Cx, Fault, Identity, Procedure, Rejection,
    RequestId, Service, ServiceBuilder, Subscription,
};
use futures_util::{SinkExt as _, StreamExt as _, stream};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::task::JoinHandle;
use tokio::time::{Instant, pause, sleep, timeout};
use tokio_websockets::{ClientBuilder, Message, WebSocketStream};

use crate::pieces::Body;
use crate::request::{ListenerInfo, Request, RequestTarget};
use crate::response::Response;
use crate::tests::ArrivedBody;
use crate::{Endpoint, HttpOptions};

/// A key that a client may send, and the value that proves that it was understood (RFC 6455, section 1.3).
const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";
const ACCEPT: &str = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

/// The bytes that a stream in memory takes before its other end reads.
const STREAM_BYTES: usize = 16 << 10;

/// The time after which a test fails, on a clock that runs on when nothing else happens.
const TEST_TIMEOUT: Duration = Duration::from_secs(300);

struct Guest {
    valid_until: Option<SystemTime>,
}

impl Identity for Guest {
    fn id(&self) -> Cow<'_, str> {
        "guest".into()
    }

    fn valid_until(&self) -> Option<SystemTime> {
        self.valid_until
    }
}

/// Knows the token `right`, and the token `brief`, which ends after 5 s. Counts how often it is asked.
struct Tokens(Arc<AtomicUsize>);

impl Authenticator for Tokens {
    type Identity = Guest;

    fn authenticate(&self, credentials: Credentials<'_>) -> Authentication<Guest> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let valid_until = match credentials.of_scheme("Bearer") {
            None => return Authentication::ready(None),
            Some(b"right") => None,
            Some(b"brief") => SystemTime::now().checked_add(Duration::from_secs(5)),
            Some(_) => return Authentication::rejected(Rejection::unauthorized("Bearer")),
        };
        Authentication::ready(Some(Guest { valid_until }))
    }

    fn challenge(&self) -> Cow<'static, str> {
        "Bearer".into()
    }
}

/// A service and what its handlers and its authenticator have done.
struct Stage {
    endpoint: Endpoint,
    asked: Arc<AtomicUsize>,
    produced: Arc<AtomicUsize>,
}

impl Stage {
    fn new() -> Self {
        Self::with(|builder| builder, |_| {})
    }

    fn with(
        build: impl FnOnce(ServiceBuilder) -> ServiceBuilder,
        options: impl FnOnce(&mut HttpOptions),
    ) -> Self {
        let asked = Arc::<AtomicUsize>::default();
        let produced = Arc::<AtomicUsize>::default();
        let counted = Arc::clone(&produced);
        let flood = Subscription::new("flood", move |_: Cx, (): ()| {
            let counted = Arc::clone(&counted);
            let items = stream::repeat_with(move || {
                counted.fetch_add(1, Ordering::Relaxed);
                Ok::<_, Fault>("x".repeat(1_000))
            });
            async { Ok::<_, Fault>(items) }
        });
        let builder = Service::builder("streams", "urn:uuid:41544946-415a-495a-5645-454441534648")
            .authenticate(Tokens(Arc::clone(&asked)))
            .procedure(Procedure::sync("now", |_: Cx, (): ()| Ok::<_, Fault>(12)))
            .procedure(Procedure::sync("guest", |_: Cx<(), Guest>, (): ()| {
                Ok::<_, Fault>("welcome")
            }))
            .procedure(Procedure::sync("large", |_: Cx, (): ()| {
                Ok::<_, Fault>("x".repeat(100_000))
            }))
            .procedure(Procedure::new("slow", |_: Cx, (): ()| async {
                sleep(Duration::from_secs(3)).await;
                Ok::<_, Fault>("done")
            }))
            .procedure(Subscription::new("watch", async |_: Cx, (): ()| {
                Ok::<_, Fault>(stream::iter([Ok::<_, Fault>(1)]).chain(stream::pending()))
            }))
            .procedure(flood);
        let service = build(builder).build().expect("a service");
        let mut endpoint = Endpoint::new(&service.with_runtime(Arc::new(crate::TokioRuntime)));
        let mut changed = HttpOptions::default();
        options(&mut changed);
        endpoint.set_options(changed);
        endpoint.has_websocket = true;
        Self {
            endpoint,
            asked,
            produced,
        }
    }

    /// Sends a request for a WebSocket, with these fields beside or in place of the usual ones.
    async fn ask(&self, fields: &[(&str, &str)]) -> Response {
        let usual = [
            ("connection", "keep-alive, Upgrade"),
            ("upgrade", "WebSocket"),
            ("sec-websocket-version", "13"),
            ("sec-websocket-key", KEY),
        ];
        let kept = usual
            .into_iter()
            .filter(|(name, _)| fields.iter().all(|(other, _)| other != name));
        let request = Request {
            method: Method::GET,
            target: RequestTarget {
                path: "/rpc",
                mount: 1,
                ..RequestTarget::default()
            },
            peer: None,
            listener: ListenerInfo::default(),
            headers: kept.chain(fields.iter().copied()).collect(),
            can_upgrade: true,
            id: RequestId::new("7").expect("an ID"),
            forwarded: std::sync::Mutex::default(),
        };
        self.endpoint
            .respond(request, &mut ArrivedBody(Bytes::new()))
            .await
    }

    /// Opens a WebSocket, and returns the client's end of its stream.
    async fn open(&self, fields: &[(&str, &str)]) -> (DuplexStream, JoinHandle<()>) {
        let response = self.ask(fields).await;
        assert_eq!(response.status, StatusCode::SWITCHING_PROTOCOLS);
        let Body::WebSocket(websocket) = response.body else {
            panic!("no WebSocket");
        };
        let (client, server) = duplex(STREAM_BYTES);
        let serving = tokio::spawn(websocket.run(server, Bytes::new()));
        (client, serving)
    }

    async fn connect(&self, fields: &[(&str, &str)]) -> Client {
        let (stream, serving) = self.open(fields).await;
        Client {
            frames: ClientBuilder::new().take_over(stream),
            serving,
        }
    }
}

/// A client that answers pings.
struct Client {
    frames: WebSocketStream<DuplexStream>,
    serving: JoinHandle<()>,
}

impl Client {
    async fn send(&mut self, message: impl Into<String>) {
        let sent = self.frames.send(Message::text(message.into())).await;
        sent.expect("the server reads");
    }

    async fn call(&mut self, method: &str, id: u32) {
        let request = json!({"jsonrpc": "2.0", "method": method, "id": id});
        self.send(request.to_string()).await;
    }

    /// Returns the next text.
    async fn next(&mut self) -> Value {
        loop {
            let next = timeout(TEST_TIMEOUT, self.frames.next())
                .await
                .expect("in time");
            let message = next.expect("it is open").expect("a message");
            if let Some(text) = message.as_text() {
                return serde_json::from_str(text).expect("JSON");
            }
        }
    }

    async fn answer(&mut self, method: &str) -> Value {
        self.call(method, 1).await;
        self.next().await
    }

    /// Returns the code and the reason with which the server closes the connection, once it has done so.
    async fn end(mut self) -> (u16, String) {
        let mut said = None;
        while let Some(Ok(message)) = timeout(TEST_TIMEOUT, self.frames.next())
            .await
            .expect("in time")
        {
            if let Some((code, reason)) = message.as_close() {
                said = Some((code.into(), reason.to_owned()));
            }
        }
        drop(self.frames);
        self.serving.await.expect("no panic");
        said.expect("a reason")
    }
}

fn error_code(message: &Value) -> Option<i64> {
    message["error"]["code"].as_i64()
}

#[tokio::test]
async fn a_handshake_proves_that_it_was_understood() {
    let stage = Stage::new();
    let response = stage.ask(&[]).await;
    let field = |name| {
        response
            .fields
            .iter()
            .find(|(other, _)| *other == name)
            .map(|(_, value)| &**value)
    };
    assert_eq!(field(http::header::SEC_WEBSOCKET_ACCEPT), Some(ACCEPT));
    assert_eq!(field(http::header::UPGRADE), Some("websocket"));
    assert_eq!(field(http::header::SEC_WEBSOCKET_PROTOCOL), None);
}

#[tokio::test]
async fn a_request_that_cannot_become_a_websocket_is_refused_with_the_reason() {
    let stage = Stage::with(
        |builder| builder,
        |options| options.cors_origins = vec!["https://listed.example".to_owned()],
    );
    let host = ("host", "own.example");
    for (fields, status, words) in [
        (vec![("origin", "https://evil.example")], 403, "origin"),
        (vec![("origin", "null")], 403, "origin"),
        (vec![("sec-websocket-version", "8")], 426, "must be 13"),
        (vec![("sec-websocket-key", "c2hvcnQ=")], 400, "16 bytes"),
        (vec![("sec-websocket-key", "")], 400, "16 bytes"),
        (
            vec![("sec-websocket-protocol", "graphql")],
            400,
            "offer none",
        ),
        (
            vec![("sec-websocket-protocol", "docent.bearer.")],
            400,
            "offer none",
        ),
        (vec![("authorization", "Bearer wrong")], 401, "-32007"),
        (
            vec![("sec-websocket-protocol", "docent.bearer.wrong")],
            401,
            "-32007",
        ),
    ] {
        let fields: Vec<_> = fields.into_iter().chain([host]).collect();
        let response = stage.ask(&fields).await;
        assert_eq!(response.status.as_u16(), status, "{fields:?}");
        let body = response.body.text();
        let text = str::from_utf8(&body).expect("text");
        assert!(text.contains(words), "{fields:?}: {text}");
    }
    for origin in [
        "http://own.example",
        "https://own.example",
        "https://listed.example",
    ] {
        let response = stage.ask(&[host, ("origin", origin)]).await;
        assert_eq!(response.status, StatusCode::SWITCHING_PROTOCOLS, "{origin}");
    }
    assert_eq!(stage.endpoint.service.open_streams(), 0);
}

#[tokio::test]
async fn a_token_comes_as_a_subprotocol_and_is_checked_once() {
    let stage = Stage::new();
    let offer = ("sec-websocket-protocol", "other, docent.bearer.right");
    let mut client = stage.connect(&[offer]).await;
    for _ in 0..3 {
        assert_eq!(client.answer("guest").await["result"], "welcome");
    }
    assert_eq!(stage.asked.load(Ordering::Relaxed), 1);
    let mut stranger = stage.connect(&[]).await;
    assert_eq!(stranger.answer("now").await["result"], 12);
    assert_eq!(error_code(&stranger.answer("guest").await), Some(-32007));
}

#[tokio::test]
async fn a_credential_that_ends_ends_subscriptions_and_later_calls() {
    let stage = Stage::new();
    let offer = ("sec-websocket-protocol", "docent.bearer.brief");
    // The end of a credential is a moment of the real clock, from which the test's clock takes only the distance.
    pause();
    let mut client = stage.connect(&[offer]).await;
    assert_eq!(client.answer("guest").await["result"], "welcome");
    assert_eq!(client.answer("watch").await["result"], "s1");
    assert_eq!(client.next().await["params"]["result"], 1);
    let begun = Instant::now();
    let end = client.next().await;
    assert_eq!(error_code(&end["params"]), Some(-32007));
    assert!(
        begun.elapsed() >= Duration::from_secs(4),
        "{:?}",
        begun.elapsed()
    );
}

#[tokio::test]
async fn calls_and_subscriptions_share_a_connection() {
    let stage = Stage::new();
    pause();
    let mut client = stage.connect(&[]).await;
    client.call("slow", 1).await;
    client.call("watch", 2).await;
    client.call("large", 3).await;
    client.send("no JSON").await;
    let mut messages = Vec::new();
    for _ in 0..5 {
        messages.push(client.next().await);
    }
    assert_eq!(messages[0]["result"], "s1");
    let place = |id: Value| messages.iter().position(|message| message["id"] == id);
    assert!(place(json!(3)).is_some() && place(Value::Null).is_some());
    assert_eq!(place(json!(1)), Some(4));
    assert_eq!(client.answer("now").await["result"], 12);
}

#[tokio::test]
async fn what_is_no_message_closes_the_connection_with_the_reason() {
    let limited =
        |builder: ServiceBuilder| builder.limits(|limits| limits.max_body_bytes = 100_000);
    let text = |text: String| Message::text(text);
    // The first bytes of a text whose last byte is missing.
    let invalid = Message::text(Bytes::from_static(b"\"\xc3\""));
    for (message, code, words) in [
        (Message::binary(&b"{}"[..]), 1003, "JSON in text"),
        (invalid, 1007, "utf8"),
        (
            text("x".repeat(100_001)),
            1009,
            "100000 bytes (max_body_bytes)",
        ),
    ] {
        let stage = Stage::with(limited, |_| {});
        let mut client = stage.connect(&[]).await;
        client.frames.send(message).await.expect("it is sent");
        let (closed, reason) = client.end().await;
        assert_eq!(closed, code);
        assert!(reason.contains(words), "{reason}");
        assert_eq!(stage.endpoint.service.open_streams(), 0);
    }
}

/// Returns a frame as a client sends it, with a mask of zeros.
fn frame(opcode: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).expect("a short frame");
    let head = [opcode, 0x80 | length, 0, 0, 0, 0];
    [&head, payload].concat()
}

const FRAGMENT: u8 = 0x00;
const FIRST_FRAGMENT: u8 = 0x01;
const PING: u8 = 0x89;

#[tokio::test]
async fn fragments_without_end_are_a_message_that_is_too_large() {
    let limited = |builder: ServiceBuilder| builder.limits(|limits| limits.max_body_bytes = 1_000);
    let stage = Stage::with(limited, |_| {});
    let (mut stream, serving) = stage.open(&[]).await;
    let mut bytes = frame(FIRST_FRAGMENT, &[b'1'; 100]);
    for _ in 0..12 {
        bytes.extend(frame(FRAGMENT, &[b'1'; 100]));
    }
    stream.write_all(&bytes).await.expect("it is read");
    let mut said = Vec::new();
    stream.read_to_end(&mut said).await.expect("an end");
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(said.contains("max_body_bytes"), "{said}");
    drop(stream);
    serving.await.expect("no panic");
}

#[tokio::test]
async fn a_message_has_the_time_of_a_body_to_arrive() {
    let stage = Stage::new();
    pause();
    let (mut stream, serving) = stage.open(&[]).await;
    let begun = Instant::now();
    let fragment = frame(FIRST_FRAGMENT, b"1");
    stream.write_all(&fragment).await.expect("it is read");
    let mut said = Vec::new();
    stream.read_to_end(&mut said).await.expect("an end");
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(said.contains("body_timeout"), "{said}");
    let seconds = HttpOptions::default().body_timeout.as_secs();
    assert_eq!(begun.elapsed().as_secs(), seconds);
    drop(stream);
    serving.await.expect("no panic");
}

#[tokio::test]
async fn a_message_without_room_closes_the_connection() {
    let small = |options: &mut HttpOptions| options.max_buffered_bytes = 100_000;
    let stage = Stage::with(|builder| builder, small);
    let mut client = stage.connect(&[]).await;
    // The message has to arrive in parts, or it needs no room.
    client.send("x".repeat(1_000_000)).await;
    let (code, reason) = client.end().await;
    assert_eq!(code, 1013);
    assert!(reason.contains("max_buffered_bytes"), "{reason}");
    assert_eq!(stage.endpoint.traffic.free(), 100_000);
}

#[tokio::test]
async fn a_large_message_takes_no_other_with_it() {
    let stage = Stage::new();
    let mut client = stage.connect(&[]).await;
    let padding = " ".repeat(200_000);
    let call = |id: u32, padding: &str| {
        let call = json!({"jsonrpc": "2.0", "method": "now", "id": id});
        Message::text(format!("{padding}{call}"))
    };
    for id in 0..10 {
        let large = call(2 * id, &padding);
        client.frames.feed(large).await.expect("it is sent");
        let small = call(2 * id + 1, "");
        client.frames.send(small).await.expect("it is sent");
        assert_eq!(client.next().await["id"], 2 * id);
        assert_eq!(client.next().await["id"], 2 * id + 1);
    }
}

#[tokio::test]
async fn a_large_answer_waits_for_room_and_gives_it_back() {
    let small = |options: &mut HttpOptions| options.max_buffered_bytes = 150_000;
    let stage = Stage::with(|builder| builder, small);
    let mut client = stage.connect(&[]).await;
    for id in 0..4 {
        client.call("large", id).await;
    }
    for id in 0..4 {
        let answer = client.next().await;
        assert_eq!(answer["id"], id);
        let has_result = answer["result"]
            .as_str()
            .is_some_and(|text| text.len() == 100_000);
        assert!(
            has_result || error_code(&answer) == Some(-32002),
            "{answer}"
        );
    }
    assert_eq!(client.answer("now").await["result"], 12);
    assert_eq!(stage.endpoint.traffic.free(), 150_000);
}

#[tokio::test]
async fn a_peer_that_gives_no_sign_of_life_is_closed_after_a_minute() {
    let stage = Stage::new();
    pause();
    let begun = Instant::now();
    let (mut silent, serving) = stage.open(&[]).await;
    let mut said = Vec::new();
    silent.read_to_end(&mut said).await.expect("an end");
    assert_eq!(begun.elapsed().as_secs(), 60);
    // Two pings, and the end.
    assert!(said.starts_with(&[PING, 0, PING, 0]), "{said:?}");
    assert!(String::from_utf8_lossy(&said).contains("60 s"));
    drop(silent);
    serving.await.expect("no panic");
    // One that answers pings stays.
    let mut lively = stage.connect(&[]).await;
    let waiting = timeout(Duration::from_secs(600), async {
        while lively.frames.next().await.is_some() {}
    });
    assert!(waiting.await.is_err());
    assert_eq!(lively.answer("now").await["result"], 12);
}

#[tokio::test]
async fn a_peer_that_reads_nothing_slows_its_sources_and_is_left_after_10_s() {
    let stage = Stage::new();
    pause();
    let mut client = stage.connect(&[]).await;
    let begun = Instant::now();
    client.call("flood", 1).await;
    client.serving.await.expect("no panic");
    let seconds = begun.elapsed().as_secs();
    assert_eq!(seconds, 10);
    // A mebibyte waits, and what the stream takes.
    let produced = stage.produced.load(Ordering::Relaxed);
    assert!((900..1_200).contains(&produced), "{produced}");
    assert_eq!(stage.endpoint.service.open_streams(), 0);
    assert_eq!(stage.endpoint.service.open_subscriptions(), 0);
}

#[tokio::test]
async fn pings_whose_answers_are_not_read_do_not_fill_the_memory() {
    let waiting = 10_000;
    let limited =
        |builder: ServiceBuilder| builder.limits(|limits| limits.max_waiting_bytes = waiting);
    let stage = Stage::with(limited, |_| {});
    pause();
    let (mut stream, serving) = stage.open(&[]).await;
    let ping = frame(PING, &[b'x'; 125]);
    let mut sent = 0;
    loop {
        let rest = &ping[sent % ping.len()..];
        let Ok(written) = timeout(Duration::from_secs(1), stream.write(rest)).await else {
            break;
        };
        sent += written.expect("it is open");
        // Both directions of the stream, what waits, and what was read ahead.
        assert!(sent < 4 * STREAM_BYTES, "{sent}");
    }
    assert!(sent > 2 * STREAM_BYTES, "{sent}");
    serving.await.expect("no panic");
}

#[tokio::test]
async fn a_shutdown_ends_subscriptions_answers_calls_and_closes() {
    let stage = Stage::new();
    pause();
    let mut client = stage.connect(&[]).await;
    assert_eq!(client.answer("watch").await["result"], "s1");
    client.next().await;
    client.call("slow", 2).await;
    // A later call is not taken.
    sleep(Duration::from_millis(1)).await;
    stage.endpoint.shutdown.begin();
    assert_eq!(error_code(&client.next().await["params"]), Some(-32015));
    client.call("now", 3).await;
    assert_eq!(client.next().await["id"], 2);
    let (code, reason) = client.end().await;
    assert_eq!((code, &*reason), (1001, "the server stops"));
    assert!(stage.endpoint.is_idle());
    assert_eq!(stage.ask(&[]).await.status, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn a_shutdown_does_not_wait_for_a_peer_that_reads_nothing() {
    let stage = Stage::new();
    pause();
    let mut client = stage.connect(&[]).await;
    client.call("flood", 1).await;
    sleep(Duration::from_secs(1)).await;
    let begun = Instant::now();
    stage.endpoint.shutdown.begin();
    client.serving.await.expect("no panic");
    assert!(begun.elapsed() <= Duration::from_secs(1));
}

#[tokio::test]
async fn over_the_limit_of_streams_a_handshake_is_refused_until_another_one_leaves() {
    let limited = |builder: ServiceBuilder| builder.limits(|limits| limits.max_streams = 1);
    let stage = Stage::with(limited, |_| {});
    pause();
    for way in ["closes", "vanishes", "is silent", "is wrong"] {
        let client = stage.connect(&[]).await;
        let refused = stage.ask(&[]).await;
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
        let error: Value = serde_json::from_slice(&refused.body.text()).expect("JSON");
        assert_eq!(error_code(&error), Some(-32002));
        assert_eq!(error["error"]["data"]["limit"], 1);
        let Client { frames, serving } = client;
        let mut frames = Some(frames);
        match way {
            "closes" => frames
                .as_mut()
                .expect("it is open")
                .close()
                .await
                .expect("closed"),
            "vanishes" => frames = None,
            "is silent" => {}
            _ => {
                let binary = Message::binary(&b"{}"[..]);
                let frames = frames.as_mut().expect("it is open");
                frames.send(binary).await.expect("it is sent");
            }
        }
        timeout(TEST_TIMEOUT, serving)
            .await
            .expect("in time")
            .expect("no panic");
        assert_eq!(stage.endpoint.service.open_streams(), 0, "{way}");
        drop(frames);
    }
}
