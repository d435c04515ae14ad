//! Subscriptions as streams of events (Server-Sent Events), as a host sends them.

use std::io::Read;
use std::time::{Duration, Instant};

use docent::{
    Bearer, Cx, Fault, Identity, Limits, Procedure, Routes, Service, Subscription, Topic,
};
use futures_util::stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::client::{Request, Response, Server};

const EVENTS: (&str, &str) = ("Accept", "text/event-stream");

struct User;

impl Identity for User {
    fn id(&self) -> std::borrow::Cow<'_, str> {
        "ada".into()
    }
}

#[derive(Deserialize, JsonSchema)]
struct Watch {
    /// The last number that you know.
    after: Option<u32>,
}

/// A list that is JSON already.
#[derive(Serialize, JsonSchema)]
struct Spaced(#[schemars(with = "Vec<u32>")] Box<RawValue>);

/// Returns a service that tells of the numbers of a topic, of which it keeps the last four.
pub(crate) fn service(topic: &Topic<u32>, change: impl FnOnce(&mut Limits)) -> Service {
    let watch = async |cx: Cx<Topic<u32>>, watch: Watch| match watch.after {
        None => Ok(cx.state().follow()),
        Some(after) => cx
            .state()
            .resume(|number| *number == after)
            .ok_or_else(Fault::cannot_resume),
    };
    let live = async |cx: Cx<Topic<u32>>, (): ()| Ok::<_, Fault>(cx.state().follow());
    let count =
        async |_: Cx<Topic<u32>>, (): ()| Ok::<_, Fault>(stream::iter([1, 2].map(Ok::<_, Fault>)));
    let fail = async |_: Cx<Topic<u32>>, (): ()| {
        let items = stream::iter([Ok(1), Err(Fault::new(7, "Broken"))]);
        Ok::<_, Fault>(items)
    };
    let refused = async |_: Cx<Topic<u32>>, (): ()| {
        Err::<stream::Empty<Result<u32, Fault>>, _>(Fault::new(8, "Not now"))
    };
    let spaced = async |_: Cx<Topic<u32>>, (): ()| {
        let json = "[1,\r\n2]".to_owned();
        let item = Spaced(RawValue::from_string(json).expect("JSON"));
        Ok::<_, Fault>(stream::iter([Ok::<_, Fault>(item)]))
    };
    let guarded =
        async |_: Cx<Topic<u32>, User>, (): ()| Ok::<_, Fault>(stream::iter([Ok::<_, Fault>(1)]));
    Service::builder("told", "urn:uuid:41544946-415a-495a-5645-454441534648")
        .state(topic.clone())
        .authenticate(Bearer::new("told", async |token: String| {
            Ok::<_, Fault>((token == "right").then_some(User))
        }))
        .limits(change)
        .procedure(
            Subscription::new("watch", watch)
                .resume_by("after", |number| *number)
                .idempotent(),
        )
        .procedure(Subscription::new("live", live).idempotent())
        .procedure(Subscription::new("count", count).idempotent())
        .procedure(
            Subscription::new("untold", count)
                .notified_as("told")
                .ends_untold(),
        )
        .procedure(Subscription::new("fail", fail).error(7, "Broken"))
        .procedure(Subscription::new("refused", refused).error(8, "Not now"))
        .procedure(Subscription::new("spaced", spaced))
        .procedure(Subscription::new("guarded", guarded).idempotent())
        .procedure(
            Procedure::sync("plain", |_: Cx<Topic<u32>>, (): ()| Ok::<_, Fault>("plain"))
                .idempotent(),
        )
        .build()
        .expect("a service")
}

fn topic() -> Topic<u32> {
    Topic::new(4)
}

pub(crate) fn publish(topic: &Topic<u32>, numbers: impl IntoIterator<Item = u32>) {
    for number in numbers {
        topic.publish(number).expect("JSON");
    }
}

/// An event as a browser reads it.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Event {
    pub(crate) id: Option<String>,
    pub(crate) retry: Option<u64>,
    pub(crate) data: Value,
}

/// A stream of events, of which the head has been read.
pub(crate) struct Events<C> {
    pub(crate) connection: C,
    pub(crate) head: String,
    text: String,
}

impl<C: Read> Events<C> {
    /// Reads the head of a response.
    pub(crate) fn new(mut connection: C) -> Self {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            connection.read_exact(&mut byte).expect("a head");
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).expect("UTF-8").to_ascii_lowercase();
        assert!(head.starts_with("http/1.1 200"), "{head}");
        Self {
            connection,
            head,
            text: String::new(),
        }
    }

    /// Reads a chunk of the body. Returns false at its end.
    fn read_chunk(&mut self) -> bool {
        let mut line = Vec::new();
        while !line.ends_with(b"\r\n") {
            let mut byte = [0];
            if self.connection.read_exact(&mut byte).is_err() {
                return false;
            }
            line.push(byte[0]);
        }
        let digits = str::from_utf8(&line).expect("UTF-8").trim();
        let size = usize::from_str_radix(digits, 16).expect("a size");
        let mut chunk = vec![0; size + 2];
        self.connection.read_exact(&mut chunk).expect("a chunk");
        chunk.truncate(size);
        self.text.push_str(str::from_utf8(&chunk).expect("UTF-8"));
        size > 0
    }

    /// Returns the next event, or `None` at the end.
    pub(crate) fn next(&mut self) -> Option<Event> {
        loop {
            while let Some((text, rest)) = self.text.split_once("\n\n") {
                let mut event = Event::default();
                let mut is_comment = true;
                for line in text.lines() {
                    let (name, value) = line.split_once(": ").unwrap_or((line, ""));
                    is_comment &= name == ":";
                    match name {
                        "id" => event.id = Some(value.to_owned()),
                        "retry" => event.retry = Some(value.parse().expect("a number")),
                        "data" => event.data = value.parse().expect("JSON"),
                        ":" => {}
                        other => panic!("a field of its own: {other}"),
                    }
                }
                self.text = rest.to_owned();
                if !is_comment {
                    return Some(event);
                }
            }
            if !self.read_chunk() {
                return None;
            }
        }
    }

    /// Returns the next events, of which each has an item: its cursor and the item.
    pub(crate) fn items(&mut self, count: usize) -> Vec<(Option<String>, Value)> {
        std::iter::from_fn(|| self.next())
            .take(count)
            .map(|event| (event.id, event.data["params"]["result"].clone()))
            .collect()
    }

    /// Reads the answer to the call of a subscription.
    fn answered(mut self, id: impl Into<Value>) -> Self {
        let response = self.next().expect("an answer");
        let data = json!({"jsonrpc": "2.0", "result": "s1", "id": id.into()});
        assert_eq!(
            response,
            Event {
                data,
                ..Event::default()
            }
        );
        self
    }
}

impl Server {
    /// Subscribes with POST.
    fn subscribe(&self, subscription: &str, params: &Value) -> Events<std::net::TcpStream> {
        let body = json!({"jsonrpc": "2.0", "method": subscription, "params": params, "id": 7});
        let body = body.to_string();
        let request = Request::post("/rpc", body.as_bytes()).header(EVENTS.0, EVENTS.1);
        self.events(&request).answered(7)
    }

    /// Subscribes with GET.
    fn follow(&self, target: &str, last_id: &str) -> Events<std::net::TcpStream> {
        let request = Request::new("GET", target)
            .header(EVENTS.0, EVENTS.1)
            .header("Last-Event-ID", last_id);
        self.events(&request).answered(Value::Null)
    }

    fn events(&self, request: &Request<'_>) -> Events<std::net::TcpStream> {
        let mut connection = self.connect();
        std::io::Write::write_all(&mut connection, &request.bytes()).expect("it is sent");
        Events::new(connection)
    }
}

/// Waits until a service has this many open subscriptions.
pub(crate) fn wait_for_subscriptions(service: &Service, count: usize) {
    let end = Instant::now() + Duration::from_secs(60);
    while service.open_subscriptions() != count {
        let open = service.open_subscriptions();
        assert!(Instant::now() < end, "{open} are open");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_stream_has_the_answer_and_then_each_item_with_its_cursor() {
    let topic = topic();
    let service = service(&topic, |_| {});
    let server = Server::start(&service);
    let mut events = server.subscribe("watch", &json!([]));
    for field in [
        "content-type: text/event-stream\r\n",
        "cache-control: no-store\r\n",
        "x-accel-buffering: no\r\n",
        "vary: accept\r\n",
        "transfer-encoding: chunked\r\n",
    ] {
        assert!(events.head.contains(field), "{}", events.head);
    }
    publish(&topic, [5]);
    let params = json!({"subscription": "s1", "result": 5, "cursor": "5"});
    let item = Event {
        id: Some("5".to_owned()),
        retry: None,
        data: json!({"jsonrpc": "2.0", "method": "watch", "params": params}),
    };
    assert_eq!(events.next(), Some(item));
    let own = Request::post(
        "/rpc/live",
        br#"{"jsonrpc":"2.0","method":"live","id":"a"}"#,
    )
    .header("Accept", "application/json;q=0.5, text/event-stream");
    let mut live = server.events(&own).answered("a");
    publish(&topic, [6]);
    assert_eq!(events.items(1), [(Some("6".to_owned()), json!(6))]);
    assert_eq!(live.items(1), [(None, json!(6))]);
}

#[test]
fn the_last_id_takes_the_place_of_the_resume_parameter() {
    let topic = topic();
    let service = service(&topic, |_| {});
    let server = Server::start(&service);
    publish(&topic, 1..=4);
    let three = [
        (Some("3".to_owned()), json!(3)),
        (Some("4".to_owned()), json!(4)),
    ];
    for target in ["/rpc/watch", "/rpc/watch?after=1", "/rpc/watch?0=1"] {
        assert_eq!(server.follow(target, "2").items(2), three, "{target}");
    }
    assert_eq!(server.follow("/rpc/watch?after=2", "").items(2), three);
    for params in ["[1]", "{\"after\":1}", "[]"] {
        let body = format!(r#"{{"jsonrpc":"2.0","method":"watch","params":{params},"id":1}}"#);
        let request = Request::post("/rpc", body.as_bytes())
            .header(EVENTS.0, EVENTS.1)
            .header("Last-Event-ID", "2");
        let mut events = server.events(&request).answered(1);
        assert_eq!(events.items(2), three, "{params}");
    }
    let request = Request::new("GET", "/rpc/watch").header(EVENTS.0, EVENTS.1);
    for (last_id, status, code) in [("0", 410, -32014), ("never", 400, -32602)] {
        let response = server.send(&request.clone().header("Last-Event-ID", last_id));
        assert_eq!((response.status, response.code()), (status, Some(code)));
        let vary = response.header("vary").expect("it varies");
        assert!(
            vary.contains("Accept,") || vary.ends_with("Accept"),
            "{vary}"
        );
    }
}

#[test]
fn a_last_id_that_is_not_utf_8_is_refused_and_does_not_begin_anew() {
    let server = Server::start(service(&topic(), |_| {}));
    let request = Request::new("GET", "/rpc/watch")
        .header(EVENTS.0, EVENTS.1)
        .header("Last-Event-ID", "~");
    let mut bytes = request.bytes();
    let last_id = bytes
        .iter_mut()
        .find(|byte| **byte == b'~')
        .expect("the field");
    *last_id = 0xff;
    let mut connection = server.connect();
    std::io::Write::write_all(&mut connection, &bytes).expect("it is sent");
    let response = Response::read(&mut connection, false);
    assert_eq!((response.status, response.code()), (400, Some(-32602)));
}

#[test]
fn a_key_in_a_header_field_is_refused_as_it_is_in_a_request() {
    let service = service(&topic(), |_| {});
    let server = Server::start(&service);
    let body = br#"{"jsonrpc":"2.0","method":"watch","id":1}"#;
    let request = Request::post("/rpc", body)
        .header(EVENTS.0, EVENTS.1)
        .header("Idempotency-Key", "k");
    assert_eq!(server.send(&request).brief(), "error -32600 #1");
    assert_eq!(service.open_subscriptions(), 0);
}

#[test]
fn the_last_event_tells_a_browser_whether_to_come_back() {
    let topic = topic();
    let service = service(&topic, |_| {});
    let server = Server::start(&service);
    let ended = |data: &Value| data["params"]["ended"] == true;
    let mut events = server.follow("/rpc/count", "");
    assert_eq!(events.items(2), [(None, json!(1)), (None, json!(2))]);
    let end = events.next().expect("an end");
    assert_eq!((end.id.as_deref(), ended(&end.data)), (Some("-"), true));
    assert_eq!(events.next(), None);

    let mut events = server.subscribe("fail", &json!([]));
    assert_eq!(events.items(1), [(None, json!(1))]);
    let end = events.next().expect("an end");
    assert_eq!(end.id.as_deref(), Some("-"));
    assert_eq!(end.data["params"]["error"]["code"], 7);

    let mut events = server.subscribe("untold", &json!([]));
    assert_eq!(events.next().expect("an item").data["method"], "told");
    assert_eq!(events.items(1), [(None, json!(2))]);
    let end = Event {
        id: Some("-".to_owned()),
        ..Event::default()
    };
    assert_eq!(events.next(), Some(end), "nothing is told");
    assert_eq!(events.next(), None);

    for target in ["/rpc/count", "/rpc/watch"] {
        let request = Request::new("GET", target)
            .header(EVENTS.0, EVENTS.1)
            .header("Last-Event-ID", "-");
        for request in [
            &request,
            &Request {
                method: "HEAD",
                ..request.clone()
            },
        ] {
            let response = server.send(request);
            assert_eq!((response.status, response.text()), (204, ""), "{target}");
            assert_eq!(response.header("content-type"), None, "{target}");
        }
    }
    let body = br#"{"jsonrpc":"2.0","method":"watch","id":1}"#;
    let request = Request::post("/rpc", body)
        .header(EVENTS.0, EVENTS.1)
        .header("Last-Event-ID", "-");
    let response = server.send(&request);
    assert_eq!((response.status, response.code()), (410, Some(-32014)));
}

#[test]
fn only_a_caller_that_names_events_gets_them_and_nothing_else_starts_a_source() {
    let topic = topic();
    let service = service(&topic, |_| {});
    let server = Server::start(&service);
    let body = br#"{"jsonrpc":"2.0","method":"watch","id":1}"#;
    for accept in ["*/*", "text/*", "text/event-stream;q=0", "application/json"] {
        for request in [
            Request::post("/rpc", body),
            Request::new("GET", "/rpc/watch"),
        ] {
            let response = server.send(&request.header("Accept", accept));
            assert_eq!(
                (response.status, response.code()),
                (406, Some(-32011)),
                "{accept}"
            );
            let carriers = &response.json()["error"]["data"]["carriers"];
            assert_eq!(*carriers, json!(["sse"]));
            assert!(
                response
                    .header("vary")
                    .expect("it varies")
                    .contains("Accept")
            );
        }
    }
    let unsubscribe = br#"{"jsonrpc":"2.0","method":"rpc.unsubscribe","params":["s1"],"id":1}"#;
    let response = server.send(&Request::post("/rpc", unsubscribe));
    assert_eq!(response.code(), Some(-32011));
    let carriers = &response.json()["error"]["data"]["carriers"];
    assert_eq!(*carriers, json!([]), "a response with events only closes");
    let head = Request::new("HEAD", "/rpc/watch");
    let plain = server.send(&head);
    assert_eq!(plain.status, 406);
    let response = server.send(&head.header(EVENTS.0, EVENTS.1));
    assert_eq!(response.status, 200);
    assert_eq!(response.header("content-type"), Some("text/event-stream"));
    let batch = Request::post("/rpc", br#"[{"jsonrpc":"2.0","method":"watch","id":1}]"#)
        .header(EVENTS.0, EVENTS.1);
    let response = server.send(&batch);
    assert_eq!(response.status, 200);
    assert!(response.text().contains("-32600"), "{}", response.text());
    let write = Request::new("GET", "/rpc/fail").header(EVENTS.0, EVENTS.1);
    assert_eq!(server.send(&write).code(), Some(-32006));
    assert_eq!(service.open_subscriptions(), 0);
}

#[test]
fn whatever_opens_no_subscription_is_answered_as_ever() {
    let topic = topic();
    let server = Server::start(service(&topic, |limits| limits.max_streams = 0));
    for (body, status, expected) in [
        (
            r#"{"jsonrpc":"2.0","method":"plain","id":1}"#,
            200,
            "\"plain\" #1",
        ),
        (r#"{"jsonrpc":"2.0","method":"plain"}"#, 204, "nothing"),
        (
            r#"{"jsonrpc":"2.0","method":"refused","id":1}"#,
            200,
            "error -32012 #1",
        ),
        (
            r#"{"jsonrpc":"2.0","method":"guarded","id":1}"#,
            401,
            "error -32007 #1",
        ),
        (r#"{"jsonrpc":"2.0","method":"watch"}"#, 204, "nothing"),
        (
            r#"{"jsonrpc":"2.0","method":"rpc.unsubscribe","params":["s1"],"id":1}"#,
            406,
            "error -32011 #1",
        ),
        (r#"{"method":"watch","id":1,"version":"1.1"}"#, 500, ""),
        ("{", 200, "error -32700 #null"),
    ] {
        let request = Request::post("/rpc", body.as_bytes()).header(EVENTS.0, EVENTS.1);
        let response = server.send(&request);
        assert_eq!(response.status, status, "{body}: {}", response.text());
        if !expected.is_empty() {
            assert_eq!(response.brief(), expected, "{body}");
        }
    }
    let get = |target| server.send(&Request::new("GET", target).header(EVENTS.0, EVENTS.1));
    assert_eq!(get("/rpc/plain").brief(), "\"plain\" #null");
    assert_eq!(get("/rpc/guarded").status, 401);
    let full = get("/rpc/watch");
    assert_eq!((full.status, full.code()), (503, Some(-32012)));
    let data = json!({
        "limit": 0,
        "reason": "the service may have 0 WebSockets and responses with events (max_streams)",
    });
    assert_eq!(full.json()["error"]["data"], data);
}

#[test]
fn an_error_before_the_source_is_an_ordinary_answer() {
    let topic = topic();
    let service = service(&topic, |_| {});
    let server = Server::start(&service);
    let body = br#"{"jsonrpc":"2.0","method":"refused","id":1}"#;
    let response = server.send(&Request::post("/rpc", body).header(EVENTS.0, EVENTS.1));
    assert_eq!(response.brief(), "error 8 #1");
    assert_eq!(response.header("content-type"), Some("application/json"));
}

#[test]
fn line_breaks_of_a_handlers_own_json_are_spaces() {
    let topic = topic();
    let service = service(&topic, |_| {});
    let server = Server::start(&service);
    let mut events = server.subscribe("spaced", &json!([]));
    assert_eq!(events.items(1), [(None, json!([1, 2]))]);
}

#[test]
fn a_caller_that_leaves_drops_the_source_and_others_go_on() {
    let topic = topic();
    let service = service(&topic, |_| {});
    let server = Server::start(&service);
    let mut stays = server.subscribe("watch", &json!([]));
    let leaves = server.follow("/rpc/watch", "");
    let resets = server.follow("/rpc/live", "");
    wait_for_subscriptions(&service, 3);
    drop(leaves);
    let linger = socket2::SockRef::from(&resets.connection).set_linger(Some(Duration::ZERO));
    linger.expect("it can be reset");
    drop(resets);
    wait_for_subscriptions(&service, 1);
    publish(&topic, [1]);
    assert_eq!(stays.items(1).len(), 1);
}

#[test]
fn a_reader_that_does_not_read_loses_its_stream_and_all_others_get_every_item() {
    let topic = Topic::new(10_000);
    let service = service(&topic, |_| {});
    let server = Server::start(&service);
    let mut others: Vec<_> = (0..20).map(|_| server.follow("/rpc/live", "")).collect();
    let silent = server.follow("/rpc/live", "");
    wait_for_subscriptions(&service, 21);
    let begun = Instant::now();
    let mut published = 0;
    // Until the buffers of the silent one are full, and its time is over.
    while service.open_subscriptions() > 20 && begun.elapsed() < Duration::from_secs(50) {
        publish(&topic, published..published + 500);
        published += 500;
        for other in &mut others {
            for number in published - 500..published {
                assert_eq!(other.items(1), [(None, json!(number))]);
            }
        }
    }
    assert_eq!(service.open_subscriptions(), 20, "after {published} items");
    assert!(
        begun.elapsed() > Duration::from_secs(9),
        "{:?}",
        begun.elapsed()
    );
    drop(silent);
}

#[test]
fn there_is_a_limit_of_streams_and_one_that_ends_makes_room() {
    let topic = topic();
    let service = service(&topic, |limits| limits.max_streams = 2);
    let server = Server::start(&service);
    let _first = server.follow("/rpc/watch", "");
    let second = server.follow("/rpc/watch", "");
    let request = Request::new("GET", "/rpc/watch").header(EVENTS.0, EVENTS.1);
    let response = server.send(&request);
    assert_eq!((response.status, response.code()), (503, Some(-32012)));
    assert_eq!(response.json()["error"]["data"]["limit"], 2);
    assert!(response.header("retry-after").is_some());
    drop(second);
    wait_for_subscriptions(&service, 1);
    server.follow("/rpc/watch", "");
}

#[test]
fn a_page_of_a_listed_origin_may_follow() {
    let topic = topic();
    let routes = Routes::new(service(&topic, |_| {})).cors(["https://a.example"]);
    let server = Server::start(routes);
    let request = Request::new("GET", "/rpc/watch").header(EVENTS.0, EVENTS.1);
    let events = server.events(&request.clone().header("Origin", "https://a.example"));
    let allow = "access-control-allow-origin: https://a.example\r\n";
    assert!(events.head.contains(allow), "{}", events.head);
    assert!(
        events.head.contains("vary: accept, origin\r\n"),
        "{}",
        events.head
    );
    let foreign = server.send(&request.header("Origin", "https://b.example"));
    assert_eq!(foreign.status, 403);
}
