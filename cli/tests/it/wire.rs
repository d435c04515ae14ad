//! `docent check --wire`: the rules of JSON-RPC, tried on servers that keep and break them.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::thread;

use docent_core::{Cx, Fault, Procedure, Service};
use docent_describe::json::{Json, Object};

use crate::service::{Missing, Response, Server};
use crate::support::{Ran, run};

/// Starts a service of Docent with a procedure that takes nothing.
fn sound() -> Server {
    let service = Service::builder("clock", "urn:uuid:0f4a1d8e-2b0c-4a49-9a5e-8f0f5b7f4a11")
        .protocols(|protocols| protocols.v1_1 = true)
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
            return Response::new(500, "");
        };
        let body = body.map(|body| String::from_utf8(body).expect("UTF-8"));
        Response::new(
            if body.is_some() { 200 } else { 204 },
            body.unwrap_or_default(),
        )
    })
}

/// Returns the names of the rules with a verdict.
pub(crate) fn rules(report: &str, verdict: &str) -> Vec<String> {
    let report: Json = report.parse().expect("JSON");
    let mut names = Vec::new();
    for rule in report.as_array().expect("an array") {
        if rule.get_str("verdict") == Some(verdict) {
            names.push(rule.get_str("rule").expect("a rule").to_owned());
        }
    }
    names
}

/// Checks the rules with calls of `ping`, which needs no parameters.
pub(crate) fn check_with_ping<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Ran {
    let fixed = ["check", "--wire", "--json", "--only", "ping"];
    run(fixed.into_iter().chain(arguments))
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
    let server = Server::start(|_| Response::new(200, r#"{"jsonrpc":"2.0","result":1,"id":1}"#));
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
        "[]" => Response::missing(Missing::Closes),
        "1" => Response::new(500, "<h1>\u{1b}[31m Internal error</h1>"),
        _ => Response::new(
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
        let server = Server::start(move |_| Response::new(status, ""));
        let ran = run(["check", "--wire", "--json", &server.url("/")]);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        assert!(ran.stderr.contains("no rule was tried"), "{}", ran.stderr);
        assert_eq!(rules(&ran.stdout, "not tried").len(), 39);
    }
}

/// Answers as JSON-RPC 2.0 says, for a method `ping`, and changes each response.
pub(crate) fn rpc(body: &str, change: &dyn Fn(Object) -> Object) -> Option<Json> {
    let error = |code: i64, id: Json| {
        let error = Object::new().with("code", code).with("message", "?");
        Some(
            change(
                Object::new()
                    .with("jsonrpc", "2.0")
                    .with("error", error)
                    .with("id", id),
            )
            .into(),
        )
    };
    let one = |request: &Json| -> Option<Json> {
        let id = request.get("id").cloned();
        let method = request.get("method").and_then(Json::as_str);
        let is_id = matches!(
            id,
            None | Some(Json::Null | Json::Number(_) | Json::String(_))
        );
        let is_2_0 = request.get("jsonrpc") == Some(&Json::from("2.0"));
        let has_params = matches!(
            request.get("params"),
            None | Some(Json::Array(_) | Json::Object(_))
        );
        match (method, id) {
            (Some(method), id) if is_id && is_2_0 => match (id?, method) {
                (id, _) if !has_params => error(-32602, id),
                (id, "ping") => {
                    let response = Object::new().with("jsonrpc", "2.0").with("result", 1);
                    Some(change(response.with("id", id)).into())
                }
                (id, _) => error(-32601, id),
            },
            _ => error(-32600, Json::Null),
        }
    };
    match body.parse::<Json>() {
        Err(_) => error(-32700, Json::Null),
        Ok(Json::Array(requests)) if requests.is_empty() => error(-32600, Json::Null),
        Ok(Json::Array(requests)) => {
            let responses: Vec<Json> = requests.iter().filter_map(one).collect();
            (!responses.is_empty()).then(|| Json::Array(responses))
        }
        Ok(request) => one(&request),
    }
}

/// Returns a response with a code of its own in the place of another.
fn with_code(mut response: Object, usual: i64, own: i64) -> Object {
    let error = response.get_mut("error").and_then(Json::as_object_mut);
    if let Some(error) = error
        && error.get("code") == Some(&Json::from(usual))
    {
        error.insert("code", Json::from(own));
    }
    response
}

#[test]
fn what_a_server_does_otherwise_in_each_response_breaks_the_rule_about_it() {
    type Change = fn(Object) -> Object;
    let servers: [(Change, &[&str]); 8] = [
        (|response| response, &[]),
        (
            |response| with_code(response, -32601, 1),
            &["method-not-found"],
        ),
        (
            |response| with_code(response, -32600, -32000),
            &["method-missing"],
        ),
        (|response| with_code(response, -32700, -1), &["parse-error"]),
        (
            |response| with_code(with_code(response, -32601, 404), -32600, 400),
            &["method-missing", "method-not-found"],
        ),
        // The version is not said.
        (
            |mut response| {
                response.shift_remove("jsonrpc");
                response
            },
            &["method-not-found"],
        ),
        // Each response has both members.
        (
            |mut response| {
                for member in ["result", "error"] {
                    response.or_insert_with(member, || Json::Null);
                }
                response
            },
            &["method-not-found"],
        ),
        // Ids that are numbers come back as texts.
        (
            |mut response| {
                let id = response
                    .get("id")
                    .filter(|id| matches!(id, Json::Number(_)));
                if let Some(id) = id.map(Json::to_string) {
                    response.insert("id", Json::from(id));
                }
                response
            },
            &["id-zero", "id-negative", "id-large"],
        ),
    ];
    for (change, expected) in servers {
        let server = Server::start(move |request| match rpc(&request.body, &change) {
            Some(response) => Response::new(200, response.to_string()),
            None => Response::new(204, ""),
        });
        let ran = check_with_ping([&*server.url("/")]);
        assert_eq!(rules(&ran.stdout, "broken"), expected, "{}", ran.stdout);
    }
}

#[test]
fn an_address_without_json_rpc_tries_no_rule() {
    for (status, body) in [
        (401, "no"),
        (403, "no"),
        (404, "no"),
        (404, r#"{"error":"not found"}"#),
        (405, ""),
        (409, "no"),
        (410, "no"),
        (421, "no"),
        (200, "<!doctype html><title>Welcome</title>"),
        (500, "<h1>Internal error</h1>"),
    ] {
        let server = Server::start(move |_| Response::new(status, body));
        let ran = run(["check", "--wire", &server.url("/")]);
        assert_eq!(ran.code, 1, "{status} {body}: {}", ran.stdout);
        let said = ran.stderr.contains("no rule was tried");
        assert!(
            said && ran
                .stdout
                .contains(&format!("HTTP {status} is inconclusive")),
            "{}{}",
            ran.stdout,
            ran.stderr
        );
    }
}

#[test]
fn a_page_for_unknown_methods_breaks_the_rule_about_them_and_leaves_others_untried() {
    let server = Server::start(|request| match rpc(&request.body, &|response| response) {
        _ if request.body.contains("no.such.") => Response::new(200, "<h1>No such method</h1>"),
        Some(response) => Response::new(200, response.to_string()),
        None => Response::new(204, ""),
    });
    let ran = check_with_ping([&*server.url("/")]);
    assert_eq!(rules(&ran.stdout, "broken"), ["method-not-found"]);
    let untried = rules(&ran.stdout, "not tried");
    for rule in ["id-string", "notification", "batch", "result-in-batch"] {
        assert!(untried.contains(&rule.to_owned()), "{rule}: {}", ran.stdout);
    }
    let kept = rules(&ran.stdout, "kept");
    assert!(kept.contains(&"result".to_owned()) && kept.contains(&"parse-error".to_owned()));
}

#[test]
fn a_gateway_that_answers_one_request_leaves_its_rule_untried() {
    let server = Server::start(|request| match rpc(&request.body, &|response| response) {
        _ if request.body == "[]" => Response::new(404, "Not found"),
        Some(response) => Response::new(200, response.to_string()),
        None => Response::new(204, ""),
    });
    let ran = check_with_ping([&*server.url("/")]);
    assert_eq!(
        (ran.code, rules(&ran.stdout, "broken")),
        (0, Vec::new()),
        "{}",
        ran.stdout
    );
    assert!(rules(&ran.stdout, "not tried").contains(&"batch-empty".to_owned()));
}
