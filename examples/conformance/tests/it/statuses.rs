//! The HTTP statuses of the protocol's errors: the table on the page of errors is what a server answers.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use docent::{CallInfo, Cx, Fault, Guard, Procedure, Rejection, Routes, Service, Subscription};
use futures_util::stream;

use crate::Server;
use crate::client::{Request, Response};

/// A column of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Post,
    Get,
    NoCall,
}

use Column::{Get, NoCall, Post};

/// The columns, with the words before their statuses on the page in Markdown.
const COLUMNS: [(Column, &str); 3] = [
    (Post, "HTTP status with POST: "),
    (Get, "HTTP status with GET: "),
    (NoCall, "HTTP status without a call: "),
];

/// The statuses of errors, by code and column.
type Statuses = BTreeMap<(i64, Column), BTreeSet<u16>>;

/// Rejects calls of the procedures that are named for it.
struct Porter;

impl Guard for Porter {
    fn check(&self, call: &CallInfo<'_>) -> Result<(), Rejection> {
        match call.procedure.name.as_str() {
            "challenged" => Err(Rejection::unauthorized("Bearer")),
            "forbidden" => Err(Rejection::forbidden()),
            _ => Ok(()),
        }
    }
}

/// The procedures tell when they hold a call.
struct State(Sender<()>);

/// Returns a service with a procedure for each error of a call.
fn service(holds: Sender<()>, max_concurrent_calls: usize) -> Service {
    let quick = |_: Cx<State>, (): ()| Ok::<_, Fault>(1);
    let large = |_: Cx<State>, (): ()| Ok::<_, Fault>("x".repeat(5_000));
    let broken = |_: Cx<State>, (): ()| -> Result<(), Fault> { panic!("told to") };
    let hold = |cx: Cx<State>, _: Vec<String>| async move {
        cx.state().0.send(()).map_err(Fault::internal)?;
        std::future::pending::<Result<(), Fault>>().await
    };
    let hour = Duration::from_secs(3_600);
    let late = Procedure::new("late", hold).timeout(Duration::from_millis(1));
    let keyed = Procedure::new("keyed", hold).repeatable(hour);
    let watch =
        async |_: Cx<State>, (): ()| Ok::<_, Fault>(stream::pending::<Result<u32, Fault>>());
    let gone = async |_: Cx<State>, (): ()| {
        Err::<stream::Pending<Result<u32, Fault>>, _>(Fault::cannot_resume())
    };
    Service::builder("statuses", "urn:example:statuses")
        .state(State(holds))
        .guard(Porter)
        .limits(|limits| {
            limits.max_body_bytes = 2_000;
            limits.max_response_bytes = 4_000;
            limits.max_batch_entries = 2;
            limits.max_concurrent_calls = max_concurrent_calls;
            limits.max_streams = 1;
        })
        .procedures(
            ["quick", "challenged", "forbidden"]
                .map(|name| Procedure::sync(name, quick).idempotent()),
        )
        .procedures([
            Procedure::sync("large", large).idempotent(),
            Procedure::sync("broken", broken).idempotent(),
            Procedure::sync("rare", quick).idempotent().rate(1, hour),
            Procedure::new("alone", hold).idempotent().max_concurrent(1),
            Procedure::sync("write", quick),
            late.idempotent(),
            keyed.keys_without_caller(),
        ])
        .procedure(Subscription::new("watch", watch).idempotent())
        .procedure(Subscription::new("gone", gone).idempotent())
        .build()
        .expect("a service")
}

/// A server, and the statuses that it has answered.
struct Desk {
    server: Server,
    holds: Receiver<()>,
    measured: Statuses,
}

impl Desk {
    fn new(max_concurrent_calls: usize, change: impl FnOnce(Routes) -> Routes) -> Self {
        let (sender, holds) = channel();
        let routes = Routes::new(service(sender, max_concurrent_calls));
        Self {
            server: Server::start(change(routes)),
            holds,
            measured: Statuses::new(),
        }
    }

    /// Sends a request, and does not wait for the answer.
    fn send(&self, request: &[u8]) -> TcpStream {
        let mut connection = self.server.connect();
        // A server that rejects a head may not read all of it.
        let _ = connection.write_all(request);
        connection
    }

    fn hold(&self, request: &[u8]) -> TcpStream {
        let connection = self.send(request);
        self.holds
            .recv_timeout(Duration::from_secs(60))
            .expect("the call is held");
        connection
    }

    /// Notes the status of a response with this code.
    #[track_caller]
    fn measure(&mut self, column: Column, code: i64, request: &[u8]) {
        let response = Response::read(&mut self.send(request), false);
        let shown = String::from_utf8_lossy(&request[..request.len().min(300)]);
        assert_eq!(response.code(), Some(code), "{shown}");
        let statuses = self.measured.entry((code, column)).or_default();
        statuses.insert(response.status);
    }
}

/// Returns a call of a procedure.
fn call(procedure: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","params":{params},"id":1}}"#)
}

fn post(body: &str) -> Vec<u8> {
    Request::post("/rpc", body.as_bytes()).bytes()
}

fn get(target: &str) -> Vec<u8> {
    Request::new("GET", target).bytes()
}

fn post_for_events(body: &str, last_id: &str) -> Vec<u8> {
    Request::post("/rpc", body.as_bytes())
        .header("Accept", "text/event-stream")
        .header("Last-Event-ID", last_id)
        .bytes()
}

fn get_events(target: &str) -> Vec<u8> {
    Request::new("GET", target)
        .header("Accept", "text/event-stream")
        .bytes()
}

/// Returns a call with a key.
fn keyed(params: &str) -> Vec<u8> {
    let body = call("keyed", params);
    Request::post("/rpc", body.as_bytes())
        .header("Idempotency-Key", "k")
        .bytes()
}

/// Returns a POST with these lines of the head, before `Content-Length`.
fn with_head(head: &str) -> Vec<u8> {
    let body = call("quick", "[]");
    let length = body.len();
    format!("{head}Content-Length: {length}\r\n\r\n{body}").into_bytes()
}

/// Returns the statuses in the table on the page of errors.
fn published(server: &Server) -> Statuses {
    let page = server.get("/docs/errors.md");
    let mut statuses = Statuses::new();
    for line in page.text().lines() {
        let Some((code, rest)) = line
            .strip_prefix("- `-32")
            .and_then(|row| row.split_once('`'))
        else {
            continue;
        };
        let code = format!("-32{code}").parse().expect("a code");
        // These end streams, whose status is 200.
        if [-32013, -32015].contains(&code) {
            continue;
        }
        for (column, words) in COLUMNS {
            // A code without a status in a column does not name the column.
            let Some((_, numbers)) = rest.split_once(words) else {
                continue;
            };
            let numbers = numbers.split_once('.').map_or(numbers, |(cell, _)| cell);
            for number in numbers.split(", ").filter_map(|number| number.parse().ok()) {
                statuses.entry((code, column)).or_default().insert(number);
            }
        }
    }
    statuses
}

#[test]
fn the_statuses_on_the_page_are_those_that_a_server_answers_with() {
    let mut desk = Desk::new(100, |routes| routes.cors(["https://a.example"]));
    let _alone = desk.hold(&post(&call("alone", "[]")));
    let _keyed = desk.hold(&keyed("[]"));
    let large = call("quick", "[]") + &" ".repeat(2_000);
    let field = format!("X: {}\r\n", "x".repeat(140_000));
    let usual = "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    let requests = [
        (NoCall, -32700, post("{")),
        (NoCall, -32600, post(r#"{"jsonrpc":"2.0"}"#)),
        (
            NoCall,
            -32600,
            with_head(&usual.replace("Host: localhost\r\n", "")),
        ),
        (
            NoCall,
            -32600,
            with_head(&format!("{usual}Origin: https://b.example\r\n")),
        ),
        (
            NoCall,
            -32600,
            with_head(&usual.replace("POST /rpc", "PUT /rpc")),
        ),
        (
            NoCall,
            -32600,
            with_head(&usual.replace("application", "text")),
        ),
        (
            NoCall,
            -32600,
            with_head(&usual.replace("localhost", "b.example")),
        ),
        (NoCall, -32600, with_head(&format!("{usual}{field}"))),
        (Get, -32600, b"GET /rpc/quick HTTP/1.1\r\n\r\n".to_vec()),
        (Post, -32601, post(&call("nothing", "[]"))),
        (Get, -32601, get("/rpc/nothing")),
        (
            NoCall,
            -32601,
            with_head(&usual.replace("/rpc", "/rpc/a/b")),
        ),
        (NoCall, -32601, get("/rpc/a/b")),
        (Post, -32602, post(&call("quick", "[1]"))),
        (Get, -32602, get("/rpc/quick?a=1")),
        (Post, -32603, post(&call("broken", "[]"))),
        (Get, -32603, get("/rpc/broken")),
        (Post, -32001, post(&call("late", "[]"))),
        (Get, -32001, get("/rpc/late")),
        (Post, -32002, post(&call("alone", "[]"))),
        (Get, -32002, get("/rpc/alone")),
        (NoCall, -32003, post(&large)),
        (
            Get,
            -32003,
            get(&format!("/rpc/quick?a={}", "x".repeat(2_000))),
        ),
        (Post, -32004, post(&call("large", "[]"))),
        (Get, -32004, get("/rpc/large")),
        (NoCall, -32005, post("[1,2,3]")),
        (Get, -32006, get("/rpc/write")),
        (Post, -32007, post(&call("challenged", "[]"))),
        (Get, -32007, get("/rpc/challenged")),
        (Post, -32007, post(&call("forbidden", "[]"))),
        (Get, -32007, get("/rpc/forbidden")),
        (Post, -32008, post(&call("rare", "[]"))),
        (Get, -32008, get("/rpc/rare")),
        (Post, -32009, keyed("[]")),
        (Post, -32010, keyed("[\"other\"]")),
        (Post, -32011, post(&call("watch", "[]"))),
        (Get, -32011, get("/rpc/watch")),
        (Post, -32014, post_for_events(&call("gone", "[]"), "1")),
        (Post, -32014, post_for_events(&call("gone", "[]"), "-")),
        (Get, -32014, get_events("/rpc/gone")),
    ];
    assert_eq!(desk.server.call("rare"), "1 #1");
    for (column, code, request) in requests {
        desk.measure(column, code, &request);
    }
    let mut stream = desk.send(&get_events("/rpc/watch"));
    // It has begun.
    stream.read_exact(&mut [0]).expect("a stream");
    desk.measure(Post, -32012, &post_for_events(&call("watch", "[]"), "1"));
    desk.measure(Get, -32012, &get_events("/rpc/watch"));
    let impatient =
        |routes: Routes| routes.options(|options| options.body_timeout = Duration::ZERO);
    desk.server = Desk::new(100, impatient).server;
    let unfinished = format!("{usual}Content-Length: 9\r\n\r\n");
    desk.measure(NoCall, -32600, unfinished.as_bytes());
    desk.server = Desk::new(0, |routes| routes).server;
    for (column, request) in [
        (Post, post(&call("quick", "[]"))),
        (NoCall, post(&call("quick", "[]"))),
        (Get, get("/rpc/quick")),
    ] {
        desk.measure(column, -32002, &request);
    }
    assert_eq!(desk.measured, published(&desk.server));
}
