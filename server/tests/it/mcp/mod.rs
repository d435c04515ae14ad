//! The Model Context Protocol over HTTP and over standard input and output.

mod calls;
mod guarded;
mod hints;
mod messages;
mod places;
mod revisions;
mod stdio;

use std::net::TcpStream;
use std::time::Duration;

use docent::testing::TestServer;
use docent::{Cx, Fault, Procedure, RpcError, Service, ServiceBuilder};
use raw_http::{Request, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const ID: &str = "urn:uuid:0b7e4f8a-7a77-4b0e-9a3e-3f6f0a9d1c60";
const OLDER: &str = "2025-11-25";
const NEWER: &str = "2026-07-28";
/// The supported revisions, newest first.
const ALL: [&str; 5] = [NEWER, OLDER, "2025-06-18", "2025-03-26", "2024-11-05"];

/// Finds books by words in their title.
///
/// Longer words are better.
#[derive(Deserialize, JsonSchema)]
struct Find {
    /// Words to look for.
    #[schemars(length(min = 1))]
    words: String,
    /// The maximum number of books to return.
    #[serde(default = "few")]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
    /// The subject of the books.
    #[serde(default)]
    topic: Option<Topic>,
}

fn few() -> u32 {
    3
}

/// A tree of topics.
#[derive(Clone, Deserialize, Serialize, JsonSchema)]
struct Topic {
    name: String,
    #[serde(default)]
    below: Vec<Topic>,
}

/// A book.
#[derive(Serialize, JsonSchema)]
struct Book {
    title: String,
    topic: Option<Topic>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Missing {
    book: u32,
}

#[derive(Debug, RpcError)]
enum FindError {
    /// There is no such book.
    #[rpc(code = 1404, message = "No such book", retry = false)]
    NoSuchBook(Missing),
}

fn find(_: Cx, find: Find) -> Result<Book, FindError> {
    match &*find.words {
        "none" => Err(FindError::NoSuchBook(Missing { book: 7 })),
        words => Ok(Book {
            title: words.repeat(find.limit as usize),
            topic: find.topic,
        }),
    }
}

/// A service with tools of every kind.
fn library() -> ServiceBuilder {
    Service::builder("library", ID)
        .version("1.4")
        .documentation("Lends books.\n\nTo *members*.")
        .procedure(Procedure::sync("book.find", find).idempotent().tool())
        .procedure(
            Procedure::sync("sum", |_: Cx, values: Vec<f64>| {
                Ok::<_, Fault>(values.iter().sum::<f64>())
            })
            .tool_named("add_up"),
        )
        .procedure(Procedure::sync("forget", |_: Cx, (): ()| Ok::<_, Fault>(())).tool())
        .procedure(
            Procedure::sync("broken", |_: Cx, (): ()| -> Result<(), Fault> {
                panic!("on purpose")
            })
            .tool(),
        )
        .procedure(
            Procedure::new("slow", |_: Cx, (): ()| async {
                tokio::time::sleep(Duration::from_secs(60)).await;
                Ok::<_, Fault>(())
            })
            .idempotent()
            .timeout(Duration::from_millis(50))
            .tool(),
        )
        .procedure(Procedure::sync(
            "hidden",
            |_: Cx, (): ()| Ok::<_, Fault>(()),
        ))
}

fn start() -> TestServer {
    start_with(library())
}

fn start_with(builder: ServiceBuilder) -> TestServer {
    let service = builder.build().expect("a service");
    TestServer::start(service).expect("a server")
}

/// A request of the older revision.
fn older(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params, "id": 1})
}

/// A request of the newer revision.
fn newer(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": NEWER,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    older(method, &params)
}

/// Sends a body with these header fields.
fn send(server: &TestServer, body: &str, fields: &[(&str, &str)]) -> Response {
    let mut request = Request::post("/mcp", body.as_bytes());
    for (name, value) in fields {
        request = request.header(name, value);
    }
    let mut connection = TcpStream::connect(server.address()).expect("a server");
    Response::exchange(&mut connection, &request)
}

/// Sends a request of the newer revision with the header fields that it needs.
fn send_newer(server: &TestServer, method: &str, params: Value) -> Response {
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    let body = newer(method, params).to_string();
    let fields = [
        ("MCP-Protocol-Version", NEWER),
        ("Mcp-Method", method),
        ("Mcp-Name", &*name),
    ];
    send(server, &body, &fields)
}

/// Calls a tool by the older revision, and returns its result.
fn call(server: &TestServer, tool: &str, arguments: &Value) -> Value {
    let body = older("tools/call", &json!({"name": tool, "arguments": arguments})).to_string();
    let response = send(server, &body, &[("MCP-Protocol-Version", OLDER)]);
    assert_eq!(response.status, 200);
    result(&response)
}

fn result(response: &Response) -> Value {
    let mut body = body(response);
    assert_eq!(body["error"], Value::Null, "{body}");
    body["result"].take()
}

fn body(response: &Response) -> Value {
    serde_json::from_slice(&response.body).unwrap_or_default()
}

/// The text of a result, as JSON.
fn text(result: &Value) -> Value {
    let content = result["content"].as_array().expect("content");
    let [block] = &**content else {
        panic!("{result}");
    };
    assert_eq!(block["type"], "text");
    serde_json::from_str(block["text"].as_str().expect("a text")).expect("JSON")
}
