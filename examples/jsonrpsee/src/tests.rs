//! Calls over both carriers of the server, as they are on the wire.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use jsonrpsee::server::{Server, ServerHandle};
use raw_http::{Request, Response};
use serde_json::{Value, json};
use soketto::handshake::{Client, ServerResponse};
use tokio::time::timeout;
use tokio_util::compat::{Compat, TokioAsyncReadCompatExt};

/// The limit on the time until a message arrives.
const MAX_WAIT: Duration = Duration::from_secs(10);

type Socket = Compat<tokio::net::TcpStream>;

/// Requests in order, and their outcomes.
const CALLS: [(&str, &str); 6] = [
    (
        r#""method":"temperature.last""#,
        r#""error":{"code":1404,"message":"Nothing measured yet"}"#,
    ),
    (
        r#""method":"temperature.record","params":{"celsius":21.5}"#,
        r#""result":null"#,
    ),
    (
        r#""method":"temperature.record","params":[-4]"#,
        r#""result":null"#,
    ),
    (
        r#""method":"temperature.last","params":[]"#,
        r#""result":-4.0"#,
    ),
    (
        r#""method":"temperature.record","params":[400]"#,
        r#""error":{"code":-32602,"message":"Invalid params","data":{"parameter":"celsius","position":0,"pointer":"","reason":"expected a number from -90 to 60, found 400"}}"#,
    ),
    (
        r#""method":"temperature.first""#,
        r#""error":{"code":-32601,"message":"Method not found"}"#,
    ),
];

async fn started() -> (SocketAddr, ServerHandle) {
    let server = Server::builder().build("127.0.0.1:0").await.unwrap();
    let address = server.local_addr().unwrap();
    (address, server.start(crate::module().unwrap()))
}

/// A connection of WebSocket.
struct Connection {
    sender: soketto::Sender<Socket>,
    receiver: soketto::Receiver<Socket>,
}

impl Connection {
    async fn open(address: SocketAddr) -> Self {
        let socket = tokio::net::TcpStream::connect(address).await.unwrap();
        let host = address.to_string();
        let mut client = Client::new(socket.compat(), &host, "/");
        let accepted = client.handshake().await.unwrap();
        assert!(matches!(accepted, ServerResponse::Accepted { .. }));
        let (sender, receiver) = client.into_builder().finish();
        Self { sender, receiver }
    }

    async fn send(&mut self, message: &str) {
        self.sender.send_text(message).await.unwrap();
        self.sender.flush().await.unwrap();
    }

    async fn receive(&mut self) -> String {
        let mut message = Vec::new();
        let received = self.receiver.receive_data(&mut message);
        timeout(MAX_WAIT, received).await.unwrap().unwrap();
        String::from_utf8(message).unwrap()
    }

    async fn call(&mut self, request: &str) -> String {
        self.send(request).await;
        self.receive().await
    }
}

/// Returns the response to a body over HTTP.
fn posted(address: SocketAddr, body: &str) -> String {
    let mut connection = TcpStream::connect(address).unwrap();
    let response = Response::exchange(&mut connection, &Request::post("/", body.as_bytes()));
    assert_eq!(response.status, 200);
    response.text().to_owned()
}

fn request(members: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":"a",{members}}}"#)
}

/// Returns a result over HTTP.
fn result(address: SocketAddr, method: &str) -> Value {
    let response = posted(address, &request(&format!(r#""method":"{method}""#)));
    let mut response: Value = serde_json::from_str(&response).unwrap();
    response["result"].take()
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_over_http_and_over_websocket_have_the_outcomes_of_the_service() {
    let (over_http, _http_server) = started().await;
    let (address, _server) = started().await;
    let mut connection = Connection::open(address).await;
    for (sent, received) in CALLS {
        let expected = format!(r#"{{"jsonrpc":"2.0","id":"a",{received}}}"#);
        assert_eq!(posted(over_http, &request(sent)), expected);
        assert_eq!(connection.call(&request(sent)).await, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_of_jsonrpsee_tells_what_a_procedure_changes() {
    let (address, _server) = started().await;
    let mut connection = Connection::open(address).await;
    let subscribed = connection
        .call(&request(r#""method":"temperature.watch""#))
        .await;
    let subscribed: Value = serde_json::from_str(&subscribed).unwrap();
    posted(address, &request(CALLS[1].0));
    let told: Value = serde_json::from_str(&connection.receive().await).unwrap();
    let params = json!({"subscription": subscribed["result"], "result": 21.5});
    assert_eq!(told["method"], "temperature.watch");
    assert_eq!(told["params"], params);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_descriptions_say_what_the_carrier_can_do() {
    let (address, _server) = started().await;
    let described = result(address, "rpc.describe");
    assert_eq!(described["procs"][0]["idempotent"], true);
    assert_eq!(described["procs"][0]["cache"], Value::Null);
    let discovered = result(address, "rpc.discover");
    let schema = include_str!("../../../describe/tests/it/openrpc.schema.json");
    let schema = serde_json::from_str(schema).unwrap();
    jsonschema::validate(&schema, &discovered).unwrap();
    let names: Vec<_> = discovered["methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|method| &method["name"])
        .collect();
    assert_eq!(names, ["temperature.last", "temperature.record"]);
    let paths = &result(address, "rpc.openapi")["paths"];
    assert!(paths["/temperature.last"]["post"].is_object());
    assert!(paths["/temperature.last"]["get"].is_null());
    assert_eq!(result(address, "system.describe")["sdversion"], "1.0");
}
