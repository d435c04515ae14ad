//! The chain as clients of Ethereum see it, over a WebSocket.

use std::sync::Arc;
use std::time::Duration;

use chain::Chain;
use docent::Routes;
use docent::testing::{TestServer, assert_description_holds};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_websockets::{ClientBuilder, MaybeTlsStream, Message, WebSocketStream};

/// The time after which a test fails.
const PATIENCE: Duration = Duration::from_secs(20);

struct Client(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Client {
    async fn connect(server: &TestServer) -> Self {
        let url = format!("ws://{}/", server.address());
        let client = ClientBuilder::new().uri(&url).expect("a URL");
        let (client, _) = client.connect().await.expect("a WebSocket");
        Self(client)
    }

    async fn call(&mut self, method: &str, params: Value, id: u32) {
        let call = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let sent = self.0.send(Message::text(call.to_string())).await;
        sent.expect("it is sent");
    }

    /// Returns the next message, or `None` at the end.
    async fn next(&mut self) -> Option<Value> {
        let next = timeout(PATIENCE, self.0.next()).await.expect("in time");
        let message = next?.expect("a frame");
        let text = message.as_text()?;
        Some(serde_json::from_str(text).expect("JSON"))
    }

    async fn answer(&mut self, method: &str, params: Value, id: u32) -> Value {
        self.call(method, params, id).await;
        self.next().await.expect("an answer")
    }
}

#[tokio::test]
async fn a_subscription_has_the_names_that_clients_of_ethereum_know() {
    let chain = Arc::new(Chain::new());
    let service = chain::service(Arc::clone(&chain)).expect("a service");
    let server = TestServer::start(Routes::at("/", service).websocket()).expect("a server");
    let mut client = Client::connect(&server).await;
    let number = client.answer("eth_blockNumber", json!([]), 1).await;
    assert_eq!(number["result"], "0x0");
    let response = client.answer("eth_subscribe", json!(["newHeads"]), 2).await;
    let id = response["result"].clone();
    chain.add_block();
    let told = client.next().await.expect("a block");
    assert_eq!(told["method"], "eth_subscription");
    assert_eq!(told["params"]["subscription"], id);
    assert_eq!(told["params"]["result"]["number"], "0x1");
    let block = client
        .answer("eth_getBlockByNumber", json!(["0x1", false]), 3)
        .await;
    assert_eq!(block["result"], told["params"]["result"]);
    let left = client.answer("eth_unsubscribe", json!([id]), 4).await;
    assert_eq!(left, json!({"jsonrpc": "2.0", "result": true, "id": 4}));
    // The end of another subscription is not told, and the next thing is the end of the connection.
    client.answer("eth_subscribe", json!(["newHeads"]), 5).await;
    let stopping = tokio::task::spawn_blocking(move || drop(server));
    assert_eq!(client.next().await, None);
    drop(client);
    stopping.await.expect("it stops");
}

#[tokio::test]
async fn the_description_holds() {
    let service = chain::service(Arc::new(Chain::new())).expect("a service");
    assert_description_holds(&service);
}
