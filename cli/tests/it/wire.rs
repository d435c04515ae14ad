//! `docent check --wire`: the rules of JSON-RPC, tried on servers that keep and break them.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::thread;

use docent_core::{Cx, Fault, Procedure, Service};
use docent_describe::json::Json;

use crate::service::{Answer, Missing, Server};
use crate::support::run;

/// Starts a service of Docent with a procedure that takes nothing.
fn sound() -> Server {
    let service = Service::builder("clock", "urn:uuid:0f4a1d8e-2b0c-4a49-9a5e-8f0f5b7f4a11")
        .protocols(|it| it.v1_1 = true)
        .procedure(Procedure::sync("now", |_: Cx, (): ()| Ok::<_, Fault>(7)).idempotent())
        .build()
        .expect("sound");
    Server::start(move |request| {
        let mut response = pin!(service.handle(request.body.clone()));
        // A procedure without waits is answered at once.
        let Poll::Ready(body) = response
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        else {
            return Answer::new(500, "");
        };
        let body = body.map(|body| String::from_utf8(body).expect("UTF-8"));
        Answer::new(
            if body.is_some() { 200 } else { 204 },
            body.unwrap_or_default(),
        )
    })
}

/// Returns the names of the rules with a verdict.
fn rules(report: &str, verdict: &str) -> Vec<String> {
    let report: Json = report.parse().expect("JSON");
    let rules = report.as_array().expect("an array").iter();
    let text = |it: &Json, name| it.get(name).and_then(Json::as_str).map(str::to_owned);
    let found = rules.filter(|it| text(it, "verdict").as_deref() == Some(verdict));
    found.map(|it| text(it, "rule").expect("a rule")).collect()
}

#[test]
fn a_service_of_docent_keeps_every_rule() {
    let server = sound();
    let ran = run(["check", "--wire", &server.url("/rpc")]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let summary = ran.stdout.lines().last().expect("a summary");
    assert!(
        summary.ends_with(" kept, 0 broken, 0 not tried"),
        "{summary}"
    );
    assert!(summary.contains(": 39 kept"), "{summary}");
}

#[test]
fn what_a_server_does_not_offer_is_not_tried() {
    let server = Server::start(|_| Answer::new(200, r#"{"jsonrpc":"2.0","result":1,"id":1}"#));
    let ran = run(["check", "--wire", "--json", &server.url("/")]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("rules broken"), "{}", ran.stderr);
    let not_tried = rules(&ran.stdout, "not tried");
    assert!(not_tried.contains(&"result".to_owned()), "{not_tried:?}");
    assert!(not_tried.contains(&"1.1-error".to_owned()), "{not_tried:?}");
    let named = run([
        "check",
        "--wire",
        "--json",
        "--only",
        "one",
        &server.url("/"),
    ]);
    assert!(rules(&named.stdout, "kept").contains(&"result".to_owned()));
}

#[test]
fn a_broken_rule_shows_what_was_sent_and_received() {
    let server = Server::start(|request| match &*request.body {
        "[]" => Answer::missing(Missing::Closes),
        "1" => Answer::new(500, "<h1>\u{1b}[31m Internal error</h1>"),
        _ => Answer::new(
            200,
            r#"{"jsonrpc":"2.0","error":{"code":-32601,"message":"?"},"id":1}"#,
        ),
    });
    let ran = run(["check", "--wire", &server.url("/")]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    for line in [
        "kept       method-not-found: ",
        "broken     scalar: A number is no request, and gets an invalid request, -32600. (4); the \
         response is not JSON",
        r#"    received "<h1>\u001b[31m Internal error</h1>""#,
        "broken     batch-empty: An empty batch gets a single invalid request. (6); ",
        r#"    sent "[]""#,
        r#"    received """#,
        "broken     notification: ",
    ] {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.stdout);
    }
}

#[test]
fn a_server_that_nobody_reaches_keeps_no_rule() {
    let ran = run(["check", "--wire", "http://127.0.0.1:1/rpc"]);
    assert_eq!((ran.code, &*ran.stdout), (3, ""), "{}", ran.stderr);
}

#[test]
fn a_server_that_a_request_ends_gets_a_verdict_on_what_came_before() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let serving = thread::spawn(move || {
        for _ in 0..12 {
            let (stream, _) = listener.accept().expect("a connection");
            let mut stream = BufReader::new(stream);
            let mut head = String::new();
            while stream.read_line(&mut head).is_ok_and(|read| read > 2) {}
            let body = r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"?"},"id":null}"#;
            let length = body.len();
            let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}");
            let _ = write!(stream.get_mut(), "{head}\r\n\r\n{body}");
        }
    });
    let ran = run(["check", "--wire", &format!("http://{address}/")]);
    serving.join().expect("served");
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    for line in [
        "kept       scalar: ",
        "not tried  result: ",
        "nothing accepts connections",
    ] {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.stdout);
    }
}

#[test]
fn a_server_that_lets_nobody_in_keeps_and_breaks_no_rule() {
    for status in [401, 404] {
        let server = Server::start(move |_| Answer::new(status, ""));
        let ran = run(["check", "--wire", "--json", &server.url("/")]);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        assert!(ran.stderr.contains("no rule was tried"), "{}", ran.stderr);
        assert_eq!(rules(&ran.stdout, "not tried").len(), 39);
    }
}
