//! Clients over WebSockets, to a server and to those that do not keep to the protocol.

use std::future::pending;
use std::io::{Read as _, Write as _};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use docent::client::{Client, ClientError, Http, Items, TransportError, WebSocket};
use docent::testing::TestServer;
use docent::{Cx, Fault, Procedure, Routes, Server, Service, Subscription, Topic, code};
use futures_util::{SinkExt as _, StreamExt as _, stream};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::sync::{Notify, oneshot};
use tokio::time::sleep;
use tokio_websockets::{CloseCode, Message, ServerBuilder};

use super::services::{self, Library};
use super::subscriptions;

type Outcome<T> = Result<T, ClientError<Fault>>;

#[derive(Default)]
struct Desk {
    opened: Notify,
    notes: AtomicU32,
}

#[derive(Deserialize, JsonSchema)]
struct Count {
    after: Option<u32>,
}

/// A service with calls that wait for others, and subscriptions without end. It takes one connection at a time.
fn desk() -> Service {
    let wait = async |cx: Cx<Desk>, (): ()| {
        cx.state().opened.notified().await;
        Ok::<_, Fault>("open")
    };
    let open = |cx: Cx<Desk>, (): ()| {
        cx.state().opened.notify_one();
        Ok::<_, Fault>(())
    };
    let note = |cx: Cx<Desk>, (): ()| {
        cx.state().notes.fetch_add(1, Ordering::Relaxed);
        Ok::<_, Fault>(())
    };
    let notes = |cx: Cx<Desk>, (): ()| Ok::<_, Fault>(cx.state().notes.load(Ordering::Relaxed));
    let tick = async |_: Cx<Desk>, (): ()| Ok::<_, Fault>(stream::iter(0..).map(Ok::<u32, Fault>));
    let count = async |_: Cx<Desk>, count: Count| {
        let first = count.after.map_or(0, |after| after + 1);
        Ok::<_, Fault>(stream::iter(first..).map(Ok::<u32, Fault>))
    };
    Service::builder("desk", "urn:uuid:41544946-415a-495a-5645-454441534652")
        .state(Desk::default())
        .limits(|limits| limits.max_streams = 1)
        .procedure(Procedure::new("wait", wait).idempotent())
        .procedure(Procedure::sync("open", open))
        .procedure(Procedure::sync("note", note))
        .procedure(Procedure::sync("notes", notes))
        .procedure(Subscription::new("tick", tick))
        .procedure(Subscription::new("count", count).resume_by("after", |number| *number))
        .build()
        .expect("a service")
}

fn serve(service: &Service) -> TestServer {
    TestServer::start(Routes::new(service.clone()).websocket()).expect("a server")
}

fn url(server: &TestServer) -> String {
    format!("ws://{}/rpc", server.address())
}

async fn call<T: serde::de::DeserializeOwned + 'static>(client: &Client, name: &str) -> Outcome<T> {
    client.call::<T, Fault>(name, &()).await
}

async fn subscribe(client: &Client, name: &str) -> Items<u32, Fault> {
    let items = client.subscribe::<u32, Fault>(name, &()).await;
    items.expect("it subscribes")
}

async fn next(items: &mut Items<u32, Fault>) -> u32 {
    let item = items.next().await.expect("an item");
    item.expect("no error").value
}

#[actix_web::test]
async fn calls_share_a_connection_and_are_answered_when_they_are_ready() {
    let server = serve(&desk());
    let client = Client::http(url(&server));
    let (waited, opened) =
        tokio::join!(call::<String>(&client, "wait"), call::<()>(&client, "open"));
    opened.expect("a second call on the only connection");
    assert_eq!(waited.expect("a result"), "open");
    let unknown = call::<()>(&client, "nothing").await;
    assert!(matches!(unknown, Err(ClientError::Fault(fault)) if fault.code() == -32601));
}

#[actix_web::test]
async fn a_batch_and_a_notification_are_messages_like_any_other() {
    let server = serve(&desk());
    let client = Client::http(url(&server));
    call::<()>(&client.notifying(), "note")
        .await
        .expect("it is sent");
    let (noted, notes) = client
        .batch(async |client: Client| {
            tokio::join!(call::<()>(&client, "note"), call::<u32>(&client, "notes"))
        })
        .await;
    noted.expect("a result");
    notes.expect("a result");
    assert_eq!(call::<u32>(&client, "notes").await.expect("a number"), 2);
    // Without a call there is no response.
    let notifying = client.notifying();
    let (first, second) = notifying
        .batch(async |client: Client| {
            tokio::join!(call::<()>(&client, "note"), call::<()>(&client, "note"))
        })
        .await;
    first.and(second).expect("they are sent");
    assert_eq!(call::<u32>(&client, "notes").await.expect("a number"), 4);
}

#[actix_web::test]
async fn typed_clients_call_over_a_websocket_with_their_token() {
    let server = serve(&services::service());
    let http = || Http::new(url(&server));
    let ada = Library::client(http().bearer("token-of-ada").header("X-Tag", "1"));
    let name = ada.whoami().await.expect("a name");
    assert_eq!(name.as_deref(), Some("ada"));

    let wrong = Library::client(http().bearer("wrong"));
    for _ in 0..2 {
        let error = wrong.whoami().await.expect_err("an error");
        assert_eq!(error.fault().map(Fault::code), Some(code::REFUSED));
    }
    let elsewhere = Client::new(WebSocket::new(server.url("/elsewhere")));
    let error = call::<()>(&elsewhere, "sum").await.expect_err("no service");
    assert!(error.to_string().contains("HTTP 404"), "{error}");
}

#[actix_web::test]
async fn a_subscription_goes_on_beside_calls_and_dropping_it_unsubscribes() {
    let topic = Topic::new(10);
    let service = subscriptions::service(&topic);
    let server = serve(&service);
    let client = Client::http(url(&server));
    let mut first = subscribe(&client, "watch").await;
    let mut second = subscribe(&client, "watch").await;
    for number in [5, 6] {
        topic.publish(number).expect("JSON");
        let refused = call::<()>(&client, "nothing").await;
        assert!(matches!(refused, Err(ClientError::Fault(_))));
        let item = first.next().await.expect("an item").expect("no error");
        assert_eq!(
            (item.value, item.cursor),
            (number, Some(number.to_string()))
        );
    }
    drop(first);
    while service.open_subscriptions() > 1 {
        sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(next(&mut second).await, 5);

    // An error of the service is that of the call, or the last item.
    let refused = client.subscribe::<u32, Fault>("never", &()).await;
    assert!(matches!(refused, Err(ClientError::Fault(fault)) if fault.code() == 7));
    let items: Vec<_> = subscribe(&client, "count").await.collect().await;
    assert!(matches!(&*items, [Ok(_), Ok(_), Err(ClientError::Fault(fault))] if fault.code() == 7));
}

#[actix_web::test]
async fn a_reader_that_is_behind_loses_its_subscription_and_holds_up_nobody() {
    let service = desk();
    let server = serve(&service);
    let client = Client::http(url(&server));
    let items = subscribe(&client, "tick").await;
    // The service tells items as fast as they are taken, until it is told to end.
    while service.open_subscriptions() > 0 {
        call::<u32>(&client, "notes").await.expect("a number");
    }
    let items: Vec<_> = items.collect().await;
    let (last, items) = items.split_last().expect("items");
    assert_eq!(items.len(), 1_024);
    for (expected, item) in items.iter().enumerate() {
        let item = item.as_ref().expect("no error");
        assert_eq!(usize::try_from(item.value), Ok(expected));
    }
    let text = last.as_ref().expect_err("it is behind").to_string();
    let expected =
        "no response: the connection broke: 1024 items of the subscription wait to be read";
    assert_eq!(text, expected);
}

#[actix_web::test]
async fn a_reader_that_is_behind_comes_back_where_items_have_cursors() {
    let service = desk();
    let server = serve(&service);
    let client = Client::http(url(&server));
    let mut items = subscribe(&client, "count").await;
    while service.open_subscriptions() > 0 {
        call::<u32>(&client, "notes").await.expect("a number");
    }
    for number in 0..1_500 {
        assert_eq!(next(&mut items).await, number);
    }
}

#[actix_web::test]
async fn a_subscription_comes_back_to_a_server_that_was_started_again() {
    let topic = Topic::new(10);
    let service = subscriptions::service(&topic);
    let server = serve(&service);
    let address = server.address();
    let client = Client::http(url(&server));
    let mut items = subscribe(&client, "watch").await;
    topic.publish(1).expect("JSON");
    topic.publish(2).expect("JSON");
    assert_eq!(next(&mut items).await, 1);
    drop(server);
    topic.publish(3).expect("JSON");
    let restarted = Server::new(Routes::new(service).websocket())
        .workers(1)
        .bind(address)
        .expect("the same port");
    actix_web::rt::spawn(restarted.run());
    for number in [2, 3] {
        assert_eq!(next(&mut items).await, number);
    }
    topic.publish(4).expect("JSON");
    assert_eq!(next(&mut items).await, 4);
}

/// Starts a server whose connections each read one request, and answer it with the next of these messages. Then they are
/// closed, unless more may come. `ID` stands for the id of the request.
async fn answering(responses: Vec<Vec<Message>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        for messages in responses {
            let (stream, _) = listener.accept().await.expect("a client");
            let accepted = ServerBuilder::new().accept(stream).await;
            let (_, mut socket) = accepted.expect("a handshake");
            let request: serde_json::Value = serde_json::from_str(
                socket
                    .next()
                    .await
                    .expect("a request")
                    .expect("a message")
                    .as_text()
                    .expect("a text"),
            )
            .expect("JSON");
            for message in messages {
                let message = match message.as_text() {
                    Some(text) => Message::text(text.replace("ID", &request["id"].to_string())),
                    None => message,
                };
                socket.send(message).await.expect("it is sent");
            }
        }
    });
    format!("ws://{address}/rpc")
}

fn text(text: &str) -> Message {
    Message::text(text.to_owned())
}

const SEVEN: &str = r#"{"jsonrpc":"2.0","result":7,"id":ID}"#;

#[actix_web::test]
async fn calls_fail_with_their_connection_and_the_next_one_makes_another() {
    let url = answering(vec![vec![], vec![text(SEVEN)]]).await;
    let client = Client::http(url);
    let (first, second) = tokio::join!(call::<u8>(&client, "a"), call::<u8>(&client, "b"));
    for outcome in [first, second] {
        let interrupted = outcome.expect_err("it is lost");
        assert!(
            matches!(
                interrupted,
                ClientError::Transport(TransportError::Interrupted(_))
            ),
            "{interrupted}"
        );
    }
    assert_eq!(call::<u8>(&client, "a").await.expect("a result"), 7);
}

#[actix_web::test]
async fn a_call_that_is_safe_to_repeat_is_repeated_on_a_new_connection() {
    let url = answering(vec![vec![], vec![text(SEVEN)]]).await;
    let client = Client::http(url).repeats(1, Duration::from_secs(30));
    let outcome = client.call_idempotent::<u8, Fault>("a", &()).await;
    assert_eq!(outcome.expect("a result"), 7);
}

#[actix_web::test]
async fn messages_that_belong_to_no_call_are_ignored() {
    let url = answering(vec![vec![
        text(r#"{"jsonrpc":"2.0","result":8,"id":"ID"}"#),
        text(r#"{"jsonrpc":"2.0","result":8,"id":70}"#),
        text(r#"[{"jsonrpc":"2.0","result":8,"id":71}]"#),
        text(r#"{"jsonrpc":"2.0","method":"watch","params":{"subscription":"s1","result":8}}"#),
        text(r#"{"jsonrpc":"2.0","method":"told","params":[8]}"#),
        Message::ping("8"),
        text(SEVEN),
    ]])
    .await;
    let outcome = call::<u8>(&Client::http(url), "a").await;
    assert_eq!(outcome.expect("a result"), 7);
}

#[actix_web::test]
async fn an_error_without_an_id_is_for_the_call_that_waits() {
    let error = r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}"#;
    let url = answering(vec![vec![text(error)]]).await;
    let outcome = call::<u8>(&Client::http(url), "a").await;
    assert!(matches!(outcome, Err(ClientError::Fault(fault)) if fault.code() == -32700));
}

#[actix_web::test]
async fn what_is_no_message_ends_the_connection_with_its_reason() {
    let close = Message::close(Some(CloseCode::POLICY_VIOLATION), "not here");
    let responses = vec![
        (
            text("garbage"),
            "the service has sent what is no message of JSON-RPC",
        ),
        (
            text("7"),
            "the service has sent what is no message of JSON-RPC",
        ),
        (Message::binary("{}"), "the service has sent a binary frame"),
        (close, "the service has closed it: 1008 not here"),
    ];
    for (message, reason) in responses {
        let url = answering(vec![vec![message]]).await;
        let error = call::<u8>(&Client::http(url), "a")
            .await
            .expect_err("an error");
        let expected = format!("no response: the connection broke: {reason}");
        assert_eq!(error.to_string(), expected);
    }
    let url = answering(vec![vec![text(&"x".repeat(70_000))]]).await;
    let client = Client::from(Http::new(url).max_response_bytes(1_000));
    let error = call::<u8>(&client, "a").await.expect_err("an error");
    assert!(
        matches!(
            error,
            ClientError::Transport(TransportError::Interrupted(_))
        ),
        "{error}"
    );
}

#[actix_web::test]
async fn without_a_cursor_a_lost_connection_is_the_last_item() {
    let url = answering(vec![vec![
        text(r#"{"jsonrpc":"2.0","result":"s1","id":ID}"#),
        text(r#"{"jsonrpc":"2.0","method":"watch","params":{"subscription":"s1","result":1}}"#),
    ]])
    .await;
    let items: Vec<_> = subscribe(&Client::http(url), "watch").await.collect().await;
    let [
        Ok(item),
        Err(ClientError::Transport(TransportError::Interrupted(_))),
    ] = &*items
    else {
        panic!("{items:?}");
    };
    assert_eq!(item.value, 1);
}

#[actix_web::test]
async fn a_service_without_room_is_asked_again_when_a_subscription_comes_back() {
    let url = answering(vec![
        vec![
            text(r#"{"jsonrpc":"2.0","result":"s1","id":ID}"#),
            text(
                r#"{"method":"watch","params":{"subscription":"s1","result":1,"cursor":"1"}}"#,
            ),
            text(
                r#"{"method":"watch","params":{"subscription":"s1","error":{"code":-32015,"message":"Going away"}}}"#,
            ),
        ],
        vec![text(
            r#"{"jsonrpc":"2.0","error":{"code":-32002,"message":"Busy"},"id":ID}"#,
        )],
        vec![text(
            r#"{"jsonrpc":"2.0","error":{"code":-32014,"message":"Cannot resume"},"id":ID}"#,
        )],
    ])
    .await;
    let items: Vec<_> = subscribe(&Client::http(url), "watch").await.collect().await;
    let [Ok(item), Err(ClientError::Fault(fault))] = &*items else {
        panic!("{items:?}");
    };
    assert_eq!((item.value, fault.code()), (1, -32014));
}

#[tokio::test]
async fn a_service_that_has_fallen_silent_is_left_after_a_minute() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let (heard, asked) = oneshot::channel();
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.expect("a client");
        let accepted = ServerBuilder::new().accept(stream).await;
        let (_, mut socket) = accepted.expect("a handshake");
        let _ = socket.next().await;
        heard.send(()).expect("the test waits");
        // Pings are answered only by those who read.
        pending::<()>().await;
    });
    let http = Http::new(format!("ws://{address}/rpc")).timeout(Duration::from_secs(3_600));
    let client = Client::from(http);
    let called = tokio::spawn(async move { call::<u8>(&client, "a").await });
    asked.await.expect("a call");
    tokio::time::pause();
    let error = called.await.expect("no panic").expect_err("no answer");
    assert_eq!(
        error.to_string(),
        "no response: the connection broke: nothing came for 60s"
    );
}

#[actix_web::test]
async fn a_server_that_does_not_prove_that_it_speaks_websocket_is_refused() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        let (mut connection, _) = listener.accept().expect("a client");
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            connection.read_exact(&mut byte).expect("a request");
            request.push(byte[0]);
        }
        let response = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
        connection
            .write_all(response.as_bytes())
            .expect("it is sent");
        let _ = connection.read(&mut [0]);
    });
    let error = call::<u8>(&Client::http(format!("ws://{address}/rpc")), "a").await;
    let text = error.expect_err("an error").to_string();
    let expected =
        "no response: cannot connect: the server has not proved that it speaks WebSocket";
    assert_eq!(text, expected);
}
