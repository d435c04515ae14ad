//! Connections whose messages are those of the Model Context Protocol.

use std::sync::Arc;
use std::task::{Context, Poll};

use docent_core::carrier::{Connection, RequestError};
use docent_core::{Cx, Extensions, Fault, Procedure, Service};
use futures_util::task::noop_waker;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::{Tokio, builder};

/// Returns a service with a tool that waits for a permit, and one that does not.
fn service(gate: &Arc<Semaphore>, max_calls: usize) -> Service {
    let gate = Arc::clone(gate);
    let wait = Procedure::new("wait", move |_: Cx, (): ()| {
        let gate = Arc::clone(&gate);
        async move {
            gate.acquire().await.map_err(Fault::internal)?.forget();
            Ok::<_, Fault>("waited")
        }
    });
    builder()
        .procedure(wait.idempotent().tool())
        .procedure(Procedure::sync("now", |_: Cx, (): ()| Ok::<_, Fault>(12)).tool())
        .limits(|limits| limits.max_connection_calls = max_calls)
        .build()
        .expect("a service")
        .with_runtime(Arc::new(Tokio))
}

fn connection(service: &Service) -> Connection {
    Connection::mcp(service.clone(), Extensions::new())
}

/// Sends a message, and returns the messages that are ready.
fn send(connection: &mut Connection, message: &Value) -> Vec<Value> {
    connection.receive(message.to_string());
    ready(connection)
}

fn ready(connection: &mut Connection) -> Vec<Value> {
    let waker = noop_waker();
    let mut messages = Vec::new();
    while let Poll::Ready(Some(message)) = connection.poll(&mut Context::from_waker(&waker)) {
        connection.written(message.body_length());
        messages.push(serde_json::from_slice(&message.into_body()).expect("JSON"));
    }
    messages
}

fn request(method: &str, params: &Value, id: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params, "id": id})
}

fn call(tool: &str, id: impl Into<Value>) -> Value {
    request("tools/call", &json!({"name": tool}), &id.into())
}

#[tokio::test]
async fn a_request_is_cancelled_by_its_id_while_it_is_being_answered() {
    let gate = Arc::new(Semaphore::new(0));
    let service = service(&gate, 64);
    let mut connection = connection(&service);
    let notification =
        |method: &str, params: Value| json!({"jsonrpc": "2.0", "method": method, "params": params});
    let cancelled = "notifications/cancelled";
    for id in [json!(7), json!("a"), json!("b"), json!("b")] {
        assert!(send(&mut connection, &call("wait", id)).is_empty());
    }
    let with_id = request(cancelled, &json!({"requestId": "a"}), &json!(9));
    assert_eq!(send(&mut connection, &with_id)[0]["error"]["code"], -32601);
    for message in [
        notification(cancelled, json!({})),
        notification(cancelled, json!({"requestId": "7"})),
        notification("notifications/initialized", json!({"requestId": "a"})),
    ] {
        assert!(send(&mut connection, &message).is_empty());
    }
    assert_eq!(service.running_calls(), 4);
    for (id, left) in [(r#""\u0061""#, 3), (r#""a""#, 3), (r#""b""#, 1)] {
        let id: Value = serde_json::from_str(id).expect("JSON");
        let message = notification(cancelled, json!({ "requestId": id }));
        assert!(send(&mut connection, &message).is_empty());
        assert_eq!(service.running_calls(), left);
    }
    gate.add_permits(1);
    let responses = ready(&mut connection);
    assert_eq!(responses.len(), 1);
    assert_eq!(responses[0]["id"], 7);
    // An id of a request that has been answered cancels nothing.
    assert!(
        send(
            &mut connection,
            &notification(cancelled, json!({"requestId": 7}))
        )
        .is_empty()
    );
    connection.end_input();
    let waker = noop_waker();
    let end = connection.poll(&mut Context::from_waker(&waker));
    assert!(matches!(end, Poll::Ready(None)), "{end:?}");
}

#[tokio::test]
async fn over_the_share_of_a_connection_no_tool_is_called() {
    let gate = Arc::new(Semaphore::new(0));
    let mut connection = connection(&service(&gate, 1));
    assert!(send(&mut connection, &call("wait", 1)).is_empty());
    let busy = send(&mut connection, &call("now", 2)).remove(0);
    let text = busy["result"]["content"][0]["text"]
        .as_str()
        .expect("a text");
    assert!(busy["result"]["isError"] == true && text.contains("max_connection_calls"));
    let list = send(
        &mut connection,
        &request("tools/list", &json!({}), &json!(3)),
    );
    assert_eq!(list[0]["error"]["code"], -32002);
    let ping = send(&mut connection, &request("ping", &json!({}), &json!(4)));
    assert_eq!(ping[0]["result"], json!({}));
    let older = request(
        "initialize",
        &json!({"protocolVersion": "2025-03-26"}),
        &json!(5),
    );
    assert_eq!(
        send(&mut connection, &older)[0]["result"]["protocolVersion"],
        "2025-03-26"
    );
    let batch = send(&mut connection, &json!([call("now", 6)]));
    assert_eq!(batch.len(), 1);
    assert_eq!(batch[0]["error"]["code"], -32002);
    gate.add_permits(1);
    assert_eq!(ready(&mut connection)[0]["id"], 1);
    let batch = send(&mut connection, &json!([call("now", 6)]));
    assert_eq!(batch[0][0]["id"], 6);
}

#[tokio::test]
async fn a_message_that_could_not_be_read_is_answered_without_an_id() {
    let gate = Arc::new(Semaphore::new(0));
    let service = service(&gate, 1);
    let too_large = || RequestError::TooLarge { limit: 10 };
    let mut of_mcp = connection(&service);
    of_mcp.receive_unreadable(too_large());
    let response = ready(&mut of_mcp).remove(0);
    assert_eq!(response["error"]["code"], -32003);
    assert_eq!(response.get("id"), None);
    let mut plain = Connection::new(service, Extensions::new());
    plain.receive_unreadable(too_large());
    let response = ready(&mut plain).remove(0);
    assert_eq!(response["error"]["code"], -32003);
    assert_eq!(response.get("id"), Some(&Value::Null));
}
