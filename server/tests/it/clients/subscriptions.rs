//! Subscriptions of a client, to a server and to one that breaks off.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use docent::client::{
    Client, ClientError, Event, Http, InProcess, Received, Subscribed, Transport, TransportError,
};
use docent::testing::TestServer;
use docent::{BoxFuture, Cx, Fault, RpcError, Service, Subscription, Topic};
use futures_util::{StreamExt as _, stream};
use raw_http::streams;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

#[derive(Debug, PartialEq, Eq, RpcError)]
enum WatchError {
    #[rpc(code = 7, message = "Not here")]
    NotHere,
}

#[derive(Deserialize, JsonSchema)]
struct Watch {
    after: Option<u32>,
}

pub(super) fn service(topic: &Topic<u32>) -> Service {
    let watch = async |cx: Cx<Topic<u32>>, watch: Watch| match watch.after {
        None => Ok(cx.state().follow()),
        Some(after) => cx
            .state()
            .resume(|number| *number == after)
            .ok_or_else(Fault::cannot_resume),
    };
    let count = async |_: Cx<Topic<u32>>, (): ()| {
        let items = [Ok(1), Ok(2), Err(WatchError::NotHere)];
        Ok::<_, WatchError>(stream::iter(items))
    };
    let never = async |_: Cx<Topic<u32>>, (): ()| {
        Err::<stream::Empty<Result<u32, WatchError>>, _>(WatchError::NotHere)
    };
    Service::builder("told", "urn:uuid:41544946-415a-495a-5645-454441534650")
        .state(topic.clone())
        .procedure(
            Subscription::new("watch", watch)
                .resume_by("after", |number| *number)
                .idempotent(),
        )
        .procedure(Subscription::new("count", count))
        .procedure(Subscription::new("never", never))
        .build()
        .expect("a service")
}

#[actix_web::test]
async fn items_come_with_their_cursors_and_to_drop_them_is_to_unsubscribe() {
    let topic = Topic::new(10);
    let service = service(&topic);
    let server = TestServer::start(&service).expect("a server");
    let client = Client::http(server.url("/rpc"));
    let mut items = client
        .subscribe::<u32, Fault>("watch", &())
        .await
        .expect("it subscribes");
    for number in [5, 6] {
        topic.publish(number).expect("JSON");
        let item = items.next().await.expect("an item").expect("no error");
        assert_eq!((item.value, item.missed), (number, 0));
        assert_eq!(item.cursor, Some(number.to_string()));
    }
    drop(items);
    while service.open_subscriptions() > 0 {
        sleep(Duration::from_millis(5)).await;
    }
}

#[actix_web::test]
async fn an_error_of_the_service_is_that_of_the_call_or_the_last_item() {
    let topic = Topic::new(10);
    let server = TestServer::start(service(&topic)).expect("a server");
    let client = Client::http(server.url("/rpc"));
    let refused = client.subscribe::<u32, WatchError>("never", &()).await;
    let error = refused.expect_err("it is refused");
    assert_eq!(error.declared(), Some(&WatchError::NotHere));
    let unknown = client.subscribe::<u32, Fault>("nothing", &()).await;
    assert!(matches!(unknown, Err(ClientError::Fault(fault)) if fault.code() == -32601));
    let too_old = client.subscribe::<u32, Fault>("watch", &[1]).await;
    assert!(matches!(too_old, Err(ClientError::Fault(fault)) if fault.code() == -32014));

    let items: Vec<_> = client
        .subscribe::<u32, WatchError>("count", &())
        .await
        .expect("it subscribes")
        .collect()
        .await;
    let [Ok(first), Ok(second), Err(last)] = &*items else {
        panic!("{items:?}");
    };
    assert_eq!((first.value, second.value), (1, 2));
    assert_eq!(last.declared(), Some(&WatchError::NotHere));

    let items: Vec<_> = client
        .subscribe::<String, WatchError>("count", &())
        .await
        .expect("it subscribes")
        .collect()
        .await;
    assert!(
        matches!(&*items, [Err(ClientError::Result(_))]),
        "{items:?}"
    );
}

#[actix_web::test]
async fn a_transport_of_whole_responses_carries_no_subscription() {
    let client = Client::from(InProcess::new(&service(&Topic::new(10))));
    let refused = client.subscribe::<u32, Fault>("watch", &()).await;
    let error = refused.expect_err("it is refused");
    let expected = "no response: this transport carries no subscriptions";
    assert_eq!(error.to_string(), expected);
}

const STREAM: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
const BAD_GATEWAY: &str = "HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 4\r\n\
                           connection: close\r\n\r\noops";
const ANSWER: &str = "retry: 10\ndata: {\"jsonrpc\":\"2.0\",\"result\":\"s1\",\"id\":1}\n\n";
const GOING_AWAY: &str = "retry: 10\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"watch\",\"params\":\
                          {\"subscription\":\"s1\",\"error\":{\"code\":-32015,\"message\":\"Going away\"}}}\n\n";
const END: &str = "id: -\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"watch\",\"params\":\
                   {\"subscription\":\"s1\",\"ended\":true}}\n\n";

fn item(number: u32) -> String {
    format!(
        "id: {number}\ndata: {{\"jsonrpc\":\"2.0\",\"method\":\"watch\",\"params\":{{\"subscription\":\
         \"s1\",\"result\":{number},\"cursor\":\"{number}\"}}}}\n\n"
    )
}

fn without_cursor(number: u32) -> String {
    format!(
        "data: {{\"jsonrpc\":\"2.0\",\"method\":\"watch\",\"params\":{{\"subscription\":\"s1\",\"result\":{number}}}}}\n\n"
    )
}

/// A server that answers one connection after the other with these bytes, and breaks each off. It returns the `Last-Event-ID`
/// of each request.
fn breaking_off(responses: Vec<String>) -> (String, JoinHandle<Vec<Option<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let thread = std::thread::spawn(move || {
        let answer = |response: String| {
            let (mut connection, _) = listener.accept().expect("a client");
            let last_id = read_last_id(&mut connection);
            connection.write_all(response.as_bytes()).expect("it reads");
            last_id
        };
        responses.into_iter().map(answer).collect()
    });
    (format!("http://{address}/rpc"), thread)
}

fn read_last_id(connection: &mut TcpStream) -> Option<String> {
    let mut request = Vec::new();
    while !request.ends_with(b"}") {
        let mut byte = [0];
        connection.read_exact(&mut byte).expect("a request");
        request.push(byte[0]);
    }
    let request = String::from_utf8(request).expect("UTF-8");
    request
        .lines()
        .find_map(|line| line.strip_prefix("last-event-id: ").map(str::to_owned))
}

/// Returns the values of the items, and the error that was the last.
async fn follow(url: String) -> (Vec<u32>, Option<ClientError<Fault>>) {
    let client = Client::from(Http::new(url).timeout(Duration::from_secs(20)));
    let mut items = client
        .subscribe::<u32, Fault>("watch", &())
        .await
        .expect("it subscribes");
    let mut values = Vec::new();
    while let Some(item) = items.next().await {
        match item {
            Ok(item) => values.push(item.value),
            Err(error) => return (values, Some(error)),
        }
    }
    (values, None)
}

#[actix_web::test]
async fn a_lost_connection_is_made_again_after_the_last_item() {
    let (url, server) = breaking_off(vec![
        format!("{STREAM}{ANSWER}{}", item(1)),
        // It is lost within an event.
        format!("{STREAM}{ANSWER}{}{}", item(2), &item(3)[..20]),
        BAD_GATEWAY.to_owned(),
        format!("{STREAM}{ANSWER}{}{GOING_AWAY}", item(3)),
        format!("{STREAM}{ANSWER}{}{END}", item(4)),
    ]);
    let (values, error) = follow(url).await;
    assert_eq!(values, [1, 2, 3, 4]);
    assert!(error.is_none(), "{error:?}");
    let cursors = server.join().expect("no panic");
    let expected = [None, Some("1"), Some("2"), Some("2"), Some("3")];
    assert_eq!(cursors, expected.map(|cursor| cursor.map(str::to_owned)));
}

/// Names an outcome as `raw_http::streams` does.
fn named(outcome: &Result<(), ClientError<Fault>>) -> String {
    match outcome {
        Ok(()) => "over".to_owned(),
        Err(ClientError::Fault(fault)) => format!("error {}", fault.code()),
        Err(ClientError::Malformed(_) | ClientError::Result(_)) => "malformed".to_owned(),
        Err(ClientError::Transport(TransportError::TooLarge(_))) => "too large".to_owned(),
        Err(ClientError::Transport(
            TransportError::Interrupted(_) | TransportError::Connect(_),
        )) => "lost".to_owned(),
        Err(other) => other.to_string(),
    }
}

#[actix_web::test]
async fn streams_that_break_off_are_followed_as_by_all_clients() {
    let address = streams::start();
    let table: Value = serde_json::from_str(streams::CASES).expect("a table");
    let cases = table["cases"].as_array().expect("a list");
    for (position, case) in cases.iter().enumerate() {
        if case["slow"] == true {
            continue;
        }
        let url = format!("http://{address}/{position}/rust");
        let http = Http::new(&url).timeout(Duration::from_secs(300));
        let client = Client::from(http.max_response_bytes(1_000_000));
        let mut found = Vec::new();
        let mut outcome = Ok(());
        match client.subscribe::<Value, Fault>("watch", &()).await {
            Ok(mut items) => {
                while let Some(item) = items.next().await {
                    match item {
                        Ok(item) => found.push(json!([item.value, item.cursor, item.missed])),
                        Err(error) => outcome = Err(error),
                    }
                }
            }
            Err(error) => outcome = Err(error),
        }
        let name = &case["name"];
        assert_eq!(Value::Array(found), case["items"], "{name}");
        assert_eq!(named(&outcome), case["outcome"], "{name}");
        let visits: Value =
            serde_json::from_slice(&Http::new(&url).fetch(&url).await.expect("an answer").body)
                .expect("JSON");
        assert_eq!(visits["cursors"], case["cursors"], "{name}");
    }
}

#[actix_web::test]
async fn without_a_cursor_a_lost_connection_is_the_last_item() {
    let (url, server) = breaking_off(vec![format!("{STREAM}{ANSWER}{}", without_cursor(1))]);
    let (values, error) = follow(url).await;
    assert_eq!(values, [1]);
    let error = error.expect("it is lost");
    assert!(
        matches!(
            error,
            ClientError::Transport(TransportError::Interrupted(_))
        ),
        "{error}"
    );
    server.join().expect("no panic");
}

/// Returns an event as a transport gives it.
fn event(text: &str) -> Event {
    let mut event = Event::default();
    for line in text.lines() {
        match line.split_once(": ") {
            Some(("data", data)) => data.clone_into(&mut event.data),
            Some(("id", id)) => event.id = Some(id.to_owned()),
            _ => {}
        }
    }
    event
}

/// A service that stops after its first item, and says that it is back after 4 s. It notes when it is asked.
struct Stops(Arc<Mutex<Vec<Instant>>>);

impl Transport for Stops {
    fn send(&self, _: Vec<u8>) -> BoxFuture<Result<Received, TransportError>> {
        unreachable!("nothing is called")
    }

    fn subscribe(
        &self,
        _: Vec<u8>,
        cursor: Option<&str>,
    ) -> Option<BoxFuture<Result<Subscribed, TransportError>>> {
        self.0.lock().expect("no panic").push(Instant::now());
        let mut events = match cursor {
            None => vec![event(ANSWER), event(&item(1)), event(GOING_AWAY)],
            Some(_) => vec![event(ANSWER), event(END)],
        };
        for event in &mut events {
            event.retry = Some(Duration::from_secs(4));
        }
        let body = stream::iter(events.into_iter().map(Ok)).boxed();
        Some(Box::pin(async { Ok(Subscribed::Events(body)) }))
    }
}

#[tokio::test]
async fn a_client_resumes_at_a_service_that_shut_down_no_earlier_than_the_service_has_set() {
    tokio::time::pause();
    let asked = Arc::default();
    let client = Client::new(Stops(Arc::clone(&asked)));
    let items = client.subscribe::<u32, Fault>("watch", &()).await;
    assert_eq!(items.expect("it subscribes").count().await, 1);
    let asked = asked.lock().expect("no panic");
    assert_eq!((asked[1] - asked[0]).as_secs(), 4);
}
