//! `docent call`: arguments, batches, notifications and errors, with a server that records the requests.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use crate::service::{Request, Response, Server};
use crate::support::{Folder, Ran, docent, run_with_input};

const DESK: &str = r#"{"sdversion": "2.0", "name": "desk", "id": "urn:desk", "address": "http://elsewhere.invalid/rpc",
  "procs": [
    {"name": "sum", "idempotent": true, "params": [
      {"name": "values", "type": "arr", "required": false, "variadic": true,
       "schema": {"type": "array", "items": {"type": "number"}}}],
     "return": {"type": "num", "schema": {"type": "number"}}},
    {"name": "find", "idempotent": true, "params": [
      {"name": "words", "type": "arr", "required": true, "schema": {"type": "array", "items": {"type": "string"}}},
      {"name": "limit", "type": "num", "required": false, "default": 20, "schema": {"type": "integer", "minimum": 1, "maximum": 100}},
      {"name": "at", "type": "obj", "required": false, "schema": {"type": "object"}},
      {"name": "shelf", "type": "str", "required": false, "schema": {"type": ["string", "null"]}}],
     "return": {"type": "any", "schema": true},
     "errors": [{"code": 7, "message": "No shelf", "$description": "There is no such shelf.\n\nMore."}]},
    {"name": "write", "params": [{"name": "text", "type": "str", "required": true, "schema": {"type": "string"}}],
     "return": {"type": "nil", "schema": {"type": "null"}}},
    {"name": "pay", "repeatable": {"for": 60}, "params": [],
     "return": {"type": "any", "schema": true}}]}"#;

/// A service that answers calls with their own parameters, or as `respond` says.
fn desk(respond: impl Fn(&Request) -> Option<Response> + Send + 'static) -> Server {
    Server::start(move |request| {
        if request.body.contains("\"rpc.describe\"") {
            return Response::of_service(request, "rpc.describe", DESK);
        }
        respond(request).unwrap_or_else(|| {
            let params = match request.body.split_once("\"params\":") {
                Some((_, rest)) => rest
                    .rsplit_once(",\"id\"")
                    .map_or(rest, |(params, _)| params),
                None => "null",
            };
            Response::new(
                200,
                format!("{{\"jsonrpc\":\"2.0\",\"result\":{params},\"id\":1}}"),
            )
        })
    })
}

fn call(server: &Server, arguments: &[&str]) -> Ran {
    let url = server.url("/rpc");
    let arguments = ["call", &url].into_iter().chain(arguments.iter().copied());
    docent(arguments).output().expect("it runs").into()
}

#[test]
fn arguments_are_converted_by_the_description_and_a_result_stands_alone() {
    let (server, folder) = (desk(|_| None), Folder::new());
    let file = folder.write("point.json", "{\"x\": 1e400}\n");
    let words = folder.write("words", "a b");
    let at = format!("at:=@{file}");
    let from_file = format!("words=@{words}");
    for (arguments, expected) in [
        (
            vec!["find", "words=moby", "limit=5"],
            r#"{"words":["moby"],"limit":5}"#,
        ),
        (vec!["find", "words=1", "words=2"], r#"{"words":["1","2"]}"#),
        (
            vec!["find", "words:=[\"a\"]", "limit:=5.0"],
            r#"{"words":["a"],"limit":5.0}"#,
        ),
        (
            vec!["find", "words=a", &at],
            r#"{"words":["a"],"at":{"x": 1e400}}"#,
        ),
        (vec!["find", &from_file], r#"{"words":["a b"]}"#),
        (
            vec!["find", "--", "moby", "5"],
            r#"{"words":["moby"],"limit":5}"#,
        ),
        (
            vec!["find", "limit=7", "--", ":=[\"a\"]"],
            r#"{"words":["a"],"limit":7}"#,
        ),
        (
            vec!["sum", "--", "1", "-2.50", "12345678901234567890123"],
            "[1,-2.50,12345678901234567890123]",
        ),
        (vec!["sum", "values=1", "values=2"], "[1,2]"),
        (
            vec!["find", "--params", "{\"words\": [\"a\"]}"],
            r#"{"words": ["a"]}"#,
        ),
    ] {
        let ran = call(&server, &arguments);
        assert_eq!(
            (ran.code, ran.stderr.as_str(), ran.stdout.trim_end()),
            (0, "", expected),
            "{arguments:?}"
        );
    }
    // Addresses in the description do not matter.
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.path.starts_with("/rpc"))
    );
}

#[test]
fn what_does_not_fit_is_not_sent() {
    let server = desk(|_| None);
    for (arguments, said) in [
        (
            vec!["find", "words=a", "limit=500"],
            "limit: expected an integer from 1 to 100, found 500",
        ),
        (vec!["find", "word=a"], "did you mean \"words\"?"),
        (vec!["find"], "words: this required parameter is missing"),
        (
            vec!["find", "words=a", "at=x"],
            "at: text cannot stand for this value: give JSON",
        ),
        (vec!["find", "words"], "write name=text or name:=json"),
        (vec!["find", "words:=[\"a\""], "not JSON"),
        (vec!["fnd", "words=a"], "did you mean find?"),
        (vec!["nothing"], "lists all"),
        (
            vec!["write", "text=a", "--get"],
            "does not mark it idempotent",
        ),
        (
            vec!["find", "words=a", "at:={}", "--get"],
            "cannot be sent by GET",
        ),
        (
            // In a query, nothing differs from null.
            vec!["find", "words=a", "shelf:=null", "--get"],
            "cannot be sent by GET",
        ),
    ] {
        let ran = call(&server, &arguments);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (2, ""),
            "{arguments:?}: {}",
            ran.stderr
        );
        assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
    }
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.body.contains("rpc.describe"))
    );
    let ran = call(&server, &["find", "words=a", "limit=500", "--no-check"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn an_error_goes_to_standard_error_in_words() {
    for (error, said) in [
        (
            r#"{"code":7,"message":"No shelf"}"#,
            "docent: error 7: No shelf\n  There is no such shelf.\n",
        ),
        (
            r#"{"code":-32602,"message":"Invalid params","data":{"parameter":"at","pointer":"/x","reason":"no","others":[{"position":2,"reason":"nor this"}]}}"#,
            "docent: error -32602: Invalid params\n  at/x: no\n  position 2: nor this\n",
        ),
        (
            r#"{"code":-32601,"message":"Method not found","data":{"closest":["a"]}}"#,
            "docent: error -32601: Method not found\n  did you mean a?\n",
        ),
        (
            r#"{"code":9,"message":"x\u001b[2J","data":{"a":"\u202e"}}"#,
            "docent: error 9: x[U+001B][2J\n  {\n    \"a\": \"[U+202E]\"\n  }\n",
        ),
    ] {
        let body = format!("{{\"jsonrpc\":\"2.0\",\"error\":{error},\"id\":1}}");
        let envelope = body.clone();
        let server = desk(move |_| Some(Response::new(200, body.as_str())));
        let ran = call(&server, &["find", "words=a"]);
        assert_eq!(
            (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
            (1, "", said)
        );
        let ran = call(&server, &["find", "words=a", "--envelope"]);
        assert_eq!((ran.code, ran.stdout.trim_end()), (1, envelope.as_str()));
    }
}

#[test]
fn get_sends_what_a_post_would() {
    let server = desk(|request| {
        Some(Response::new(
            200,
            format!(
                "{{\"jsonrpc\":\"2.0\",\"result\":\"{}\",\"id\":null}}",
                request.path
            ),
        ))
    });
    for (arguments, expected) in [
        (
            vec!["find", "--get", "words=a b&c", "words=é", "limit=5"],
            "/rpc/find?words=a+b%26c&words=%C3%A9&limit=5",
        ),
        (
            vec!["find", "--get", "--params", "[[\"a\"], 5]"],
            "/rpc/find?words=a&limit=5",
        ),
        (
            vec!["sum", "--get", "--", "1", "2.50"],
            "/rpc/sum?0=1&1=2.50",
        ),
        (vec!["sum", "--get"], "/rpc/sum"),
    ] {
        let ran = call(&server, &arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
        assert_eq!(ran.stdout.trim_end(), format!("\"{expected}\""));
    }
}

#[test]
fn a_notification_has_no_id_and_prints_nothing() {
    let server = desk(|_| Some(Response::new(204, "")));
    let ran = call(&server, &["write", "text=a", "--notify"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "", "")
    );
    assert_eq!(
        server.requests()[1].body,
        r#"{"jsonrpc":"2.0","method":"write","params":{"text":"a"}}"#
    );
}

#[test]
fn a_document_is_called_only_at_an_address_that_was_typed() {
    let (server, folder) = (desk(|_| None), Folder::new());
    let document = folder.write("desk.json", DESK);
    let mut command = docent(["call", &document, "sum"]);
    let ran: Ran = command.output().expect("it runs").into();
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr
            .contains("--address http://elsewhere.invalid/rpc"),
        "{}",
        ran.stderr
    );
    let url = server.url("/rpc");
    let mut command = docent([
        "call",
        &document,
        "sum",
        "--address",
        &url,
        "--token",
        "abcdefgh",
    ]);
    let ran: Ran = command.output().expect("it runs").into();
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        server.requests()[0].authorization.as_deref(),
        Some("Bearer abcdefgh")
    );
    // A document on a web server, too; and that server does not get the credentials.
    let web = Server::start(|request| match request.method.as_str() {
        "GET" if request.path == "/desk.json" => Response::new(200, DESK),
        _ => Response::new(404, ""),
    });
    let at = web.url("/desk.json");
    let mut command = docent(["call", &at, "sum"]);
    assert_eq!(Ran::from(command.output().expect("it runs")).code, 2);
    let mut command = docent(["call", &at, "sum", "--address", &url, "--token", "abcdefgh"]);
    let ran: Ran = command.output().expect("it runs").into();
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        web.requests()
            .iter()
            .all(|request| request.authorization.is_none())
    );
}

/// Answers each call of a batch with its parameters, but line 3 with an error.
fn of_batch(request: &Request) -> Response {
    let body = request.body.trim_start_matches('[').trim_end_matches(']');
    let calls = body.split("},{").map(|call| {
        let (_, id) = call.rsplit_once("\"id\":").expect("an id");
        let id = id.trim_end_matches('}');
        match id {
            "3" => format!("{{\"jsonrpc\":\"2.0\",\"error\":{{\"code\":7,\"message\":\"No shelf\"}},\"id\":{id}}}"),
            _ => format!("{{\"jsonrpc\":\"2.0\",\"result\":{id}.0,\"id\":{id}}}"),
        }
    });
    // In another order.
    let mut responses: Vec<_> = calls.collect();
    responses.reverse();
    Response::new(200, format!("[{}]", responses.join(",")))
}

#[test]
fn a_batch_prints_a_result_for_each_line_and_says_which_failed() {
    let (server, folder) = (desk(|request| Some(of_batch(request))), Folder::new());
    let mut lines: Vec<_> = (0..250)
        .map(|_| r#"{"method": "sum", "params": [1]}"#)
        .collect();
    lines[1] = "";
    let file = folder.write("calls", &lines.join("\n"));
    let ran = call(&server, &["--batch", &file]);
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.stderr,
        "line 3: error 7: No shelf\ndocent: 1 of 249 calls answered with an error\n"
    );
    let results: Vec<_> = ran.stdout.lines().collect();
    assert_eq!(
        (results.len(), results[0], results[1], results[247]),
        (248, "1.0", "4.0", "250.0")
    );
    let sizes: Vec<_> = server
        .requests()
        .iter()
        .filter(|request| !request.body.contains("rpc.describe"))
        .map(|request| request.body.matches("jsonrpc").count())
        .collect();
    assert_eq!(sizes, [100, 100, 49]);
    let ran = call(
        &server,
        &[
            "sum",
            "--batch",
            &folder.write("params", "[1]\n[2]\n"),
            "--envelope",
        ],
    );
    assert_eq!(
        ran.stdout,
        "{\"jsonrpc\":\"2.0\",\"result\":1.0,\"id\":1}\n{\"jsonrpc\":\"2.0\",\"result\":2.0,\"id\":2}\n"
    );
}

#[test]
fn a_batch_with_a_line_that_does_not_fit_is_not_sent() {
    let (server, folder) = (desk(|request| Some(of_batch(request))), Folder::new());
    let file = folder.write(
        "calls",
        "{\"method\":\"sum\"}\n{\"method\":\"find\",\"params\":{\"words\":1}}\nx\n",
    );
    let ran = call(&server, &["--batch", &file]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    let refused = "line 2: the parameters do not fit `find`, so nothing was sent\n  words: expected an \
                   array, found 1";
    assert!(ran.stderr.contains(refused), "{}", ran.stderr);
    assert!(ran.stderr.contains("line 3: not JSON"), "{}", ran.stderr);
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.body.contains("rpc.describe"))
    );
}

#[test]
fn a_batch_stops_where_a_request_fails_and_names_the_first_line_without_an_answer() {
    let folder = Folder::new();
    let server = desk(|request| {
        Some(
            if request.body.contains("\"id\":101,") || request.body.contains("\"id\":101}") {
                Response::new(502, "<h1>Bad Gateway</h1>")
            } else {
                of_batch(request)
            },
        )
    });
    let lines = "{\"method\": \"sum\"}\n".repeat(250);
    let ran = call(&server, &["--batch", &folder.write("calls", &lines)]);
    assert_eq!(ran.code, 3);
    assert_eq!(ran.stdout.lines().count(), 99);
    assert!(ran.stderr.contains("HTTP 502"), "{}", ran.stderr);
    assert!(
        ran.stderr
            .contains("line 101 is the first that was not answered"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_service_of_1_1_is_called_in_its_own_words() {
    let text = crate::support::data_text("clock.1.1.json");
    let server = Server::start(move |request| {
        if !request.body.contains("\"version\":\"1.1\"") {
            return Response::new(
                500,
                r#"{"version":"1.1","error":{"name":"JSONRPCError","code":422,"message":"No version"}}"#,
            );
        }
        if request.body.contains("system.describe") {
            return Response::new(
                200,
                format!("{{\"version\":\"1.1\",\"result\":{text},\"id\":1}}"),
            );
        }
        Response::new(
            500,
            r#"{"version":"1.1","error":{"name":"JSONRPCError","code":500,"message":"Late","error":{"code":7,"data":{"by":1e400}}},"id":1}"#,
        )
    });
    let ran = call(&server, &["now"]);
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.stderr,
        "docent: error 500: Late\n  {\n    \"by\": 1e400\n  }\n"
    );
}

#[test]
fn params_come_from_standard_input() {
    let server = desk(|_| None);
    let ran = run_with_input(
        &["call", &server.url("/rpc"), "find", "--params", "-"],
        b" {\"words\": [\"a\"]}\n",
    );
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "{\"words\": [\"a\"]}\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_connection_that_breaks_is_a_failure_of_the_network() {
    let folder = Folder::new();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("bound");
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 10_000]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
        }
    });
    let document = folder.write("desk.json", DESK);
    let url = format!("http://{address}/");
    let mut command = docent(["call", &document, "sum", "--address", &url]);
    let ran: Ran = command.output().expect("it runs").into();
    assert_eq!(ran.code, 3, "{}", ran.stderr);
}

#[test]
fn a_call_has_the_key_that_it_is_given_or_a_new_one_that_is_shown() {
    let server = desk(|_| None);
    let key_of_last = || {
        let requests = server.requests();
        let last = requests.last().expect("a request");
        last.header("idempotency-key").map(str::to_owned)
    };
    let ran = call(&server, &["pay", "--idempotency-key", "k!~"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(key_of_last().as_deref(), Some("k!~"));
    let mut keys = Vec::new();
    for _ in 0..2 {
        let ran = call(&server, &["pay", "--idempotency-key", "auto"]);
        let key = key_of_last().expect("a key");
        assert!(ran.stderr.contains(&key), "{}", ran.stderr);
        keys.push(key);
    }
    assert_ne!(keys[0], keys[1]);
    assert_eq!(call(&server, &["pay"]).code, 0);
    assert_eq!(key_of_last(), None);
    let ran = call(&server, &["pay", "--notify", "--idempotency-key", "n"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(key_of_last().as_deref(), Some("n"));
}

#[test]
fn a_key_that_cannot_be_used_is_not_sent() {
    let server = desk(|_| None);
    let long = "k".repeat(256);
    for key in ["", "a b", "\u{e9}", &long] {
        let ran = call(&server, &["pay", "--idempotency-key", key]);
        assert_eq!(ran.code, 2, "{key}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("1 to 255 visible ASCII"),
            "{}",
            ran.stderr
        );
    }
    let ran = call(&server, &["write", "text=a", "--idempotency-key", "k"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("not say that it is repeatable"),
        "{}",
        ran.stderr
    );
    let arguments = ["find", "words=a", "--get", "--idempotency-key", "k"];
    assert_eq!(call(&server, &arguments).code, 2);
    let keyed = |request: &Request| request.header("idempotency-key").is_some();
    assert!(!server.requests().iter().any(keyed));
}

#[test]
fn a_call_follows_a_redirect_at_its_origin_and_none_to_another() {
    let other =
        Server::start(|_| Response::new(200, r#"{"jsonrpc":"2.0","result":"stolen","id":1}"#));
    let url = other.url("/rpc");
    for status in [301, 302, 303, 307, 308] {
        let elsewhere = url.clone();
        let server = desk(move |_| Some(Response::redirect(status, elsewhere.as_str())));
        for arguments in [
            &["write", "text=secret"][..],
            &["write", "text=secret", "--notify"],
        ] {
            let ran = call(&server, arguments);
            assert_eq!(ran.code, 3, "{}", ran.stderr);
            let both = format!(
                "a redirect from http://127.0.0.1:{} to http://127.0.0.1:{}",
                server.port, other.port
            );
            assert!(ran.stderr.contains(&both), "{}", ran.stderr);
        }
    }
    assert!(other.requests().is_empty());
    let server = desk(|request| {
        let is_moved = request.path == "/rpc/moved";
        (!is_moved).then(|| Response::redirect(307, "/rpc/moved"))
    });
    let ran = call(&server, &["write", "text=secret"]);
    assert_eq!(
        (ran.code, &*ran.stdout),
        (0, "{\"text\":\"secret\"}\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn without_a_procedure_the_procedures_are_listed() {
    let ran = call(&desk(|_| None), &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stdout, "sum\nfind\nwrite\npay\n");
}

#[test]
fn without_parameters_a_line_shows_what_is_required() {
    let ran = call(&desk(|_| None), &["find"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr
            .contains("such as: docent call http://127.0.0.1:"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("/rpc find 'words:=["), "{}", ran.stderr);
    let ran = call(&desk(|_| None), &["write"]);
    assert!(ran.stderr.contains("/rpc write 'text="), "{}", ran.stderr);
}

#[test]
fn a_dry_run_prints_a_line_of_curl_and_sends_nothing() {
    let server = desk(|_| None);
    let url = server.url("/rpc");
    for (arguments, line) in [
        (
            vec!["write", "text=it's", "--dry-run"],
            format!(
                "curl -sS -g -H 'Content-Type: application/json' --data-binary \
                 '{{\"jsonrpc\":\"2.0\",\"method\":\"write\",\"params\":{{\"text\":\"it'\\''s\"}},\"id\":1}}' {url}\n"
            ),
        ),
        (
            vec!["find", "words=a", "--get", "--dry-run"],
            format!("curl -sS -g '{url}/find?words=a'\n"),
        ),
        (
            vec![
                "pay",
                "--idempotency-key",
                "k",
                "--dry-run",
                "-H",
                "X-Key: secret",
            ],
            format!(
                "curl -sS -g -H 'x-key: ***' -H 'idempotency-key: k' -H 'Content-Type: application/json' \
                 --data-binary '{{\"jsonrpc\":\"2.0\",\"method\":\"pay\",\"id\":1}}' {url}\n"
            ),
        ),
    ] {
        let ran = call(&server, &arguments);
        assert_eq!((ran.code, ran.stdout), (0, line), "{}", ran.stderr);
    }
    let sent = server.requests();
    assert!(
        sent.iter()
            .all(|request| request.body.contains("rpc.describe"))
    );
}

#[test]
fn a_pointer_picks_a_part_of_the_result_as_it_is_written() {
    let server = desk(|_| {
        Some(Response::new(
            200,
            r#"{"jsonrpc":"2.0","result":{"a":[1.0,{"b/c":"x"}]},"id":1}"#,
        ))
    });
    for (pointer, part) in [
        ("/a/0", "1.0\n"),
        ("/a/1/b~1c", "\"x\"\n"),
        ("", "{\"a\":[1.0,{\"b/c\":\"x\"}]}\n"),
    ] {
        let ran = call(&server, &["sum", "--pointer", pointer]);
        assert_eq!((ran.code, &*ran.stdout), (0, part), "{}", ran.stderr);
    }
    let ran = call(&server, &["sum", "--pointer", "/b"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("the result has nothing at /b"),
        "{}",
        ran.stderr
    );
    let sent = server.requests().len();
    let ran = call(&server, &["sum", "--pointer", "a/1"]);
    assert_eq!((ran.code, server.requests().len()), (2, sent));
    assert!(
        ran.stderr.contains("a pointer begins with /"),
        "{}",
        ran.stderr
    );
}

/// A service with a key in one header field, or in two.
fn keyed(schemes: &'static str) -> Server {
    Server::start(move |request| {
        let text = format!(
            r#"{{"sdversion": "2.0", "name": "desk", "id": "urn:desk", "securitySchemes": {{{schemes}}},
              "procs": [{{"name": "open", "idempotent": true, "params": [], "return": {{"type": "any", "schema": true}}}}]}}"#
        );
        if request.body.contains("\"rpc.describe\"") {
            return Response::of_service(request, "rpc.describe", &text);
        }
        Response::new(200, r#"{"jsonrpc":"2.0","result":null,"id":1}"#)
    })
}

#[test]
fn an_api_key_goes_into_the_field_that_the_description_names() {
    const KEY: &str = r#""key": {"type": "apiKey", "in": "header", "name": "X-Key"}"#;
    let server = keyed(KEY);
    let folder = Folder::new();
    let file = folder.write("key", "s3cret-key\n");
    let key = |server: &Server| {
        let requests = server.requests();
        let call = requests
            .iter()
            .rev()
            .find(|request| request.body.contains("\"open\""));
        call.and_then(|request| request.header("x-key").map(str::to_owned))
    };
    for options in [
        ["--api-key", "s3cret-key"],
        ["--api-key-file", &file],
        ["-H", "X-Key: s3cret-key"],
    ] {
        let ran = call(&server, &[&["open"], &options[..]].concat());
        assert_eq!(ran.code, 0, "{options:?}: {}", ran.stderr);
        assert_eq!(key(&server).as_deref(), Some("s3cret-key"), "{options:?}");
    }
    let url = server.url("/rpc");
    let ran: Ran = docent(["check", &url, "--max-calls", "1", "-v"])
        .env("DOCENT_API_KEY", "other-key")
        .output()
        .expect("it runs")
        .into();
    assert!(!ran.stderr.contains("other-key"), "{}", ran.stderr);
    assert_eq!(key(&server).as_deref(), Some("other-key"), "{}", ran.stderr);
    let ran = call(&server, &["open", "--dry-run", "--api-key", "s3cret-key"]);
    assert!(ran.stdout.contains("-H 'x-key: ***'"), "{}", ran.stdout);
    for (schemes, said) in [
        ("", "names no header field"),
        (
            r#""key": {"type": "apiKey", "in": "header", "name": "X-Key"}, "pin": {"type": "apiKey", "in": "header", "name": "X-Pin"}"#,
            "several header fields; send each with -H: x-key, x-pin",
        ),
    ] {
        let ran = call(&keyed(schemes), &["open", "--api-key", "s3cret-key"]);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}

#[test]
fn codes_of_docent_are_explained_with_the_credentials_that_are_needed() {
    const GUARDED: &str = r#"{"sdversion": "2.0", "name": "desk", "id": "urn:desk",
      "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}, "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "pin": {"type": "apiKey", "in": "header", "name": "X-Pin"}, "digest": {"type": "http", "scheme": "Digest"}},
      "procs": [{"name": "open", "guarded": true, "security": [{"oneOf": [{"token": ["clerk"]}, "pin", "digest"]}, "key"], "params": [], "return": {"type": "any", "schema": true}}]}"#;
    for (code, data, said) in [
        (
            -32007,
            "",
            "needs a bearer token: --token-file or DOCENT_TOKEN (with clerk) or the header field X-Pin: DOCENT_API_KEY or -H 'X-Pin: …' or the header field Authorization: -H 'Authorization: Digest …', and the header field X-Key: DOCENT_API_KEY or -H 'X-Key: …'",
        ),
        (
            -32001,
            r#","data":{"started":false}"#,
            "it never ran: repeat the call",
        ),
        (-32001, "", "it may have had an effect"),
    ] {
        let server = Server::start(move |request| {
            if request.body.contains("\"rpc.describe\"") {
                return Response::of_service(request, "rpc.describe", GUARDED);
            }
            Response::new(
                200,
                format!(
                    r#"{{"jsonrpc":"2.0","error":{{"code":{code},"message":"No"{data}}},"id":1}}"#
                ),
            )
        });
        let ran = call(&server, &["open"]);
        assert_eq!(ran.code, 1);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}

/// A service with a subscription, with something that it sends, and with a procedure that ignores what it does not
/// know.
const EVENTS: &str = r#"{"sdversion": "2.0", "name": "events", "id": "urn:events",
  "carriers": [{"name": "http"}, {"name": "websocket"}], "procs": [
    {"name": "watch", "params": [], "subscription": {"item": {"type": "num", "schema": {"type": "integer"}}}},
    {"name": "closes", "direction": "server", "notification": true, "params": []},
    {"name": "find", "ignoresUnknown": true, "params": [
      {"name": "words", "type": "str", "required": true, "schema": {"type": "string"}}],
     "return": {"type": "any", "schema": true}}]}"#;

fn events() -> Server {
    Server::start(|request| {
        if request.body.contains("\"rpc.describe\"") {
            return Response::of_service(request, "rpc.describe", EVENTS);
        }
        Response::new(
            200,
            r#"{"jsonrpc":"2.0","result":"done","id":1}"#.to_owned(),
        )
    })
}

#[test]
fn what_no_single_request_calls_is_refused_with_the_reason_and_the_cure() {
    let server = events();
    let ran = call(&server, &["closes"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    for said in [
        "`closes` is sent by the service and cannot be called",
        "(the service has http, websocket)",
        "docent describe",
    ] {
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    let ran = call(&server, &["watch", "--no-check"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "\"done\"\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn parameters_that_the_service_ignores_are_not_refused() {
    let server = events();
    for arguments in [
        &["find", "words=a", "wrods=b"][..],
        &["find", "--params", r#"{"words": "a", "wrods": 5}"#],
    ] {
        let ran = call(&server, arguments);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    let ran = call(&server, &["find", "words=a", "wrods=b"]);
    assert_eq!(
        ran.stderr,
        "docent: `find` has no parameter `wrods`, and ignores it\n"
    );
    let ran = call(
        &server,
        &["find", "--params", r#"{"words": 5, "wrods": 5}"#],
    );
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("words"), "{}", ran.stderr);
}
