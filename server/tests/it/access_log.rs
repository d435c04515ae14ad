//! The access log: one line for each call, whatever callers write.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex};

use actix_web::App;
use actix_web::test::{TestRequest, call_service, init_service};
use docent_server::{AccessLog, Bearer, Cx, Fault, Identity, Mount, Procedure, Service};
use serde_json::Value;

use crate::post;
use crate::traces::{Notebook, listen};

/// What the log has written. Writes wait while it is closed.
#[derive(Clone, Default)]
struct Paper(Arc<Sheet>);

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

    fn text(&self) -> String {
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
    let app = init_service(App::new().service(Mount::new("/rpc", service))).await;
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
    let expected = r#" id=order-17 peer=192.0.2.7:4711 caller="me\n\u001b[2J\"xxx"#;
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
    let gaps = text.lines().filter_map(|line| line.split_once(" dropped="));
    let gaps = gaps.map(|(_, count)| count.parse::<usize>().expect("a number"));
    assert_eq!(gaps.sum::<usize>(), dropped, "{dropped}");
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
