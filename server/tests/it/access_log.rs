//! The access log: one line for each call, whatever callers write.

use std::borrow::Cow;
use std::io::{self, Write};
use std::net::TcpStream;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use actix_web::App;
use actix_web::test::{TestRequest, call_service, init_service};
use docent::testing::TestServer;
use docent::{AccessLog, Bearer, Cx, Fault, Identity, Mount, Procedure, Routes, Server, Service};
use raw_http::Response;
use serde_json::Value;

use crate::traces::{Notebook, listen};
use crate::{ask_with, post};

/// The output of the log. Writes wait while it is closed.
#[derive(Clone, Default)]
pub(crate) struct Paper(Arc<Sheet>);

#[derive(Default)]
struct Sheet {
    state: Mutex<(Vec<u8>, bool)>,
    changed: Condvar,
}

impl Paper {
    fn close(&self, closed: bool) {
        let Sheet { state, changed } = &*self.0;
        state.lock().expect("no panic").1 = closed;
        changed.notify_all();
    }

    /// Waits for this number of lines. A server that stops does not wait for its threads, and the last
    /// of them lets the log end.
    pub(crate) fn wait_for(&self, lines: usize) {
        let Sheet { state, changed } = &*self.0;
        let state = state.lock().expect("no panic");
        let count = |written: &[u8]| written.split(|byte| *byte == b'\n').count() - 1;
        let _written = changed
            .wait_timeout_while(state, Duration::from_secs(10), |(written, _)| {
                count(written) < lines
            })
            .expect("no panic");
    }

    /// Returns what is written. That is every line once nobody has the log any more.
    pub(crate) fn text(&self) -> String {
        let (written, _) = &*self.0.state.lock().expect("no panic");
        String::from_utf8(written.clone()).expect("UTF-8")
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Sheet { state, changed } = &*self.0;
        let state = state.lock().expect("no panic");
        let mut state = changed
            .wait_while(state, |(_, closed)| *closed)
            .expect("no panic");
        state.0.extend_from_slice(bytes);
        changed.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct User(String);

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from(&self.0)
    }
}

fn service(log: AccessLog) -> Service {
    // The name is chosen by the caller.
    let user = |secret: String| async move {
        Ok::<_, String>(Some(User(format!(
            "{secret}\n\u{1b}[2J\"{}",
            "x".repeat(500)
        ))))
    };
    Service::builder("accessed", "urn:uuid:41544946-415a-495a-5645-454441534616")
        .version("2.1 \"beta\"")
        .authenticate(Bearer::new("accessed", user))
        .procedure(Procedure::sync("open", |_: Cx, (): ()| {
            Ok::<_, Fault>("open")
        }))
        .procedure(Procedure::sync("mine", |_: Cx<(), User>, (): ()| {
            Ok::<_, Fault>("mine")
        }))
        .observer(log)
        .build()
        .expect("a service")
}

fn call(procedure: &str) -> TestRequest {
    post(&format!(
        r#"{{"jsonrpc":"2.0","method":"{procedure}","params":[],"id":1}}"#
    ))
    .peer_addr("192.0.2.7:4711".parse().expect("an address"))
    .insert_header(("x-request-id", "order-17"))
    .insert_header(("authorization", "Bearer me"))
}

async fn serve(service: &Service, requests: Vec<TestRequest>) {
    let mount = Mount::new(service).expect("a mount");
    let app = init_service(App::new().service(mount)).await;
    for request in requests {
        call_service(&app, request.to_request()).await;
    }
}

#[actix_web::test]
async fn a_json_line_has_everything_that_is_known_of_a_call() {
    let paper = Paper::default();
    {
        let service = service(AccessLog::json(paper.clone()));
        let batch = r#"[{"jsonrpc":"2.0","method":"open","id":1},{"jsonrpc":"2.0","method":"no\nsuch","id":2}]"#;
        serve(
            &service,
            vec![call("open"), call("mine"), post(batch), post("nonsense")],
        )
        .await;
    }
    let text = paper.text();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let procedures: Vec<_> = lines.iter().map(|line| &line["procedure"]).collect();
    assert_eq!(
        procedures,
        ["open", "mine", "open", "unknown", "unknown"],
        "{text}"
    );
    let first = &lines[0];
    assert_eq!(first["id"], "order-17");
    assert_eq!(first["peer"], "192.0.2.7:4711");
    assert_eq!(first["caller"], Value::Null);
    assert_eq!(first["code"], Value::Null);
    assert_eq!(first["ending"], "answered");
    assert_eq!(first["version"], "2.1 \"beta\"");
    assert_eq!(first["request_bytes"], 2);
    assert_eq!(first["response_bytes"], 40);
    assert!(
        first["seconds"]
            .as_f64()
            .is_some_and(|seconds| seconds < 10.0)
    );
    let time = first["time"].as_str().expect("a time");
    assert!(
        time.len() == 24 && time.starts_with("20") && time.ends_with('Z'),
        "{time}"
    );
    let caller = lines[1]["caller"].as_str().expect("a caller");
    assert!(
        caller.starts_with("me\n\u{1b}[2J\"xxx") && caller.chars().count() <= 100,
        "{caller}"
    );
    assert_eq!(lines[2]["id"].as_str().map(str::len), Some(16));
    assert_eq!(
        (&lines[3]["code"], &lines[4]["code"]),
        (&(-32601).into(), &(-32700).into())
    );
}

#[actix_web::test]
async fn a_text_line_is_one_line_whatever_a_caller_is_called() {
    let paper = Paper::default();
    {
        let service = service(AccessLog::text(paper.clone()));
        serve(&service, vec![call("mine"), call("open")]).await;
    }
    let text = paper.text();
    let [mine, open] = *text.lines().collect::<Vec<_>>() else {
        panic!("{text}");
    };
    let expected = r#" id=order-17 id_from=caller peer=192.0.2.7:4711 client=192.0.2.7 caller="me\n\u001b[2J\"xxx"#;
    assert!(mine.contains(expected) && mine.len() < 400, "{mine}");
    assert!(!mine.contains(char::is_control), "{mine}");
    assert!(
        open.contains(
            r#" caller=- procedure="open" version="2.1 \"beta\"" code=- ending=answered seconds=0."#
        ),
        "{open}"
    );
}

#[actix_web::test]
async fn lines_are_dropped_and_counted_while_the_writer_blocks() {
    const CALLS: usize = 10_000;
    let paper = Paper::default();
    paper.close(true);
    let log = AccessLog::text(paper.clone());
    let service = service(log.clone());
    let entry = r#"{"jsonrpc":"2.0","method":"open"}"#;
    let batch = format!("[{}]", vec![entry; 1_000].join(","));
    serve(&service, (0..CALLS / 1_000).map(|_| post(&batch)).collect()).await;
    let dropped = usize::try_from(log.dropped()).expect("few");
    assert!((1..CALLS).contains(&dropped), "{dropped}");
    paper.close(false);
    drop((service, log));
    let text = paper.text();
    let written = text
        .lines()
        .filter(|line| line.contains("procedure="))
        .count();
    assert_eq!(written + dropped, CALLS);
    let in_gaps: usize = text
        .lines()
        .filter_map(|line| line.split_once(" dropped="))
        .map(|(_, count)| count.parse::<usize>().expect("a number"))
        .sum();
    assert_eq!(in_gaps, dropped, "{dropped}");
}

#[actix_web::test]
async fn a_call_is_an_event_with_a_target_of_its_own() {
    let notebook = Notebook::default();
    let _listening = listen(&notebook);
    serve(&service(AccessLog::tracing()), vec![call("mine")]).await;
    let mut events = notebook.read(|written| written.events.clone());
    events.retain(|(event, _)| event.starts_with("message=call "));
    let [(event, _)] = &events[..] else {
        panic!("{events:?}");
    };
    for field in [
        r#"id="order-17""#,
        "peer=192.0.2.7:4711",
        r#"procedure="mine""#,
    ] {
        assert!(event.contains(field), "{event}");
    }
    assert!(
        event.contains(r"me\\n\\u001b[2J") && event.len() < 600,
        "{event}"
    );
}

/// Returns the lines of a JSON log.
fn lines(paper: &Paper) -> Vec<Value> {
    let text = paper.text();
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn every_response_with_an_id_is_in_the_log_whatever_the_request_is() {
    let paper = Paper::default();
    let mut ids = Vec::new();
    {
        let server = Server::new(Routes::new(service(AccessLog::json(paper.clone()))).metrics());
        let server = TestServer::run(server.head_timeout(Duration::from_millis(50)));
        let server = server.expect("a server");
        let long = format!("GET /rpc HTTP/1.1\r\nX: {}", "x".repeat(200_000));
        let with_body = |length: usize, body: &str| {
            format!(
                "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                 Content-Length: {length}\r\n\r\n{body}"
            )
        };
        let get =
            |target: &str, host: &str| format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        for (status, request) in [
            (
                200,
                with_body(40, r#"{"jsonrpc":"2.0","method":"open","id":1}"#),
            ),
            (200, with_body(8, "nonsense")),
            (200, with_body(2, "[]")),
            (413, with_body(1 << 30, "")),
            (
                415,
                "POST /rpc HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned(),
            ),
            (404, get("/rpc/nobody", "localhost")),
            (404, get("/rpc/a/b", "localhost")),
            (421, get("/rpc", "evil.example")),
            (421, get("/docs/", "evil.example")),
            (
                405,
                "PUT /rpc HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned(),
            ),
            (400, "nonsense\r\n\r\n".to_owned()),
            (400, "GET /rpc HTTP/1.1\nHost: localhost\n\n".to_owned()),
            (400, get("/rpc", "a b")),
            (400, get("/rpc", "a\r\nHost: a")),
            (400, "\u{16}\u{3}\u{1}".to_owned()),
            (408, "GET /rpc".to_owned()),
            (431, long),
            (200, get("/rpc", "localhost")),
            (200, get("/health", "localhost")),
            (200, get("/metrics", "localhost")),
            (200, get("/docs/", "localhost")),
            (404, get("/nothing", "localhost")),
        ] {
            let mut connection = TcpStream::connect(server.address()).expect("a server");
            connection
                .write_all(request.as_bytes())
                .expect("it is sent");
            let response = Response::read(&mut connection, false);
            let shown = &request[..request.len().min(80)];
            assert_eq!(response.status, status, "{shown}");
            ids.extend(
                response
                    .only("x-request-id")
                    .map(|id| (id.to_owned(), shown.to_owned())),
            );
        }
    }
    assert_eq!(ids.len(), 16, "{ids:?}");
    paper.wait_for(ids.len());
    let lines = lines(&paper);
    for (id, request) in ids {
        let line = lines
            .iter()
            .find(|line| line["id"] == *id)
            .unwrap_or_else(|| panic!("{request}"));
        assert_eq!(line["id_from"], "server", "{request}");
        assert_eq!(line["client"], "127.0.0.1", "{request}");
        let peer = line["peer"].as_str().expect("a peer");
        assert!(peer.starts_with("127.0.0.1:"), "{request}");
    }
}

#[actix_web::test]
async fn a_line_says_who_chose_the_id_and_whom_a_trusted_proxy_forwards_for() {
    let paper = Paper::default();
    {
        let service = service(AccessLog::json(paper.clone()));
        let routes = Routes::new(service).options(|options| {
            options.trusted_proxies = vec!["192.0.2.7".parse().expect("an address")];
        });
        let forwarded =
            || call("open").insert_header(("x-forwarded-for", "203.0.113.9, 198.51.100.1"));
        let other = "192.0.2.8:4711".parse().expect("an address");
        for request in [
            forwarded(),
            forwarded().insert_header(("x-request-id", "two words")),
            forwarded().insert_header(("content-type", "text/plain")),
            forwarded().peer_addr(other),
        ] {
            ask_with(routes.clone(), request).await;
        }
    }
    let lines = lines(&paper);
    let seen: Vec<_> = lines
        .iter()
        .map(|line| [&line["id_from"], &line["client"]])
        .collect();
    assert_eq!(
        seen,
        [
            ["caller", "198.51.100.1"],
            ["server", "198.51.100.1"],
            ["caller", "198.51.100.1"],
            ["caller", "192.0.2.8"],
        ]
    );
    assert_eq!(lines[0]["peer"], "192.0.2.7:4711");
}

#[test]
fn many_at_once_each_have_one_line_and_no_id_twice() {
    let paper = Paper::default();
    let mut ids = Vec::new();
    {
        let server = TestServer::start(service(AccessLog::json(paper.clone())));
        let server = server.expect("a server");
        let address = server.address();
        let ask = move |request: &str| {
            let mut connection = TcpStream::connect(address).expect("a server");
            connection
                .write_all(request.as_bytes())
                .expect("it is sent");
            let response = Response::read(&mut connection, false);
            response.only("x-request-id").expect("an ID").to_owned()
        };
        let mut asking = Vec::new();
        for caller in 0..8 {
            asking.push(std::thread::spawn(move || {
                let requests = [
                    "GET /rpc/nobody HTTP/1.1\r\nHost: localhost\r\n\r\n",
                    "GET /rpc HTTP/1.1\r\nHost: evil.example\r\n\r\n",
                    "GET /rpc HTTP/1.1\nHost: localhost\n\n",
                    "GET /rpc HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                ];
                (0..20)
                    .map(|count| ask(requests[(caller + count) % requests.len()]))
                    .collect::<Vec<_>>()
            }));
        }
        for thread in asking {
            ids.extend(thread.join().expect("no panic"));
        }
    }
    paper.wait_for(ids.len());
    let lines = lines(&paper);
    let mut logged: Vec<_> = lines
        .iter()
        .map(|line| line["id"].as_str().expect("an ID"))
        .collect();
    ids.sort();
    logged.sort_unstable();
    assert_eq!(logged, ids);
    ids.dedup();
    assert_eq!(ids.len(), 160);
}
