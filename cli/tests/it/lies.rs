//! A service that does not keep to its description in one way at a time, and whether that is found.

mod get;
mod service;
mod several;

use std::sync::Mutex;
use std::thread;

use docent_describe::json::Json;

use crate::service::{Request, Response, Server};
use crate::support::{Folder, Ran, run, without_time};
use service::start;

fn check(server: &Server, more: &[&str]) -> Ran {
    let url = server.url("/rpc");
    let usual = [
        "check",
        &url,
        "--rate",
        "100000",
        "--seed",
        "7",
        "--max-calls",
        "900",
    ];
    run(usual.iter().chain(more))
}

#[test]
fn an_honest_service_passes() {
    let server = start("");
    let ran = check(&server, &["--unsafe"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert!(
        ran.stdout
            .contains("not tried: procedure `secret`: guarded"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("seed 7: the description holds"),
        "{}",
        ran.stdout
    );
    let ran = check(&server, &["--static"]);
    assert_eq!(ran.code, 0);
}

#[test]
fn each_lie_is_found() {
    let lies = [
        ("nested", "result-breaks-schema", "find"),
        ("member", "result-breaks-schema", "find"),
        ("enum", "result-breaks-schema", "find"),
        ("null-result", "result-breaks-schema", "find"),
        ("further", "result-breaks-schema", "find"),
        ("undeclared", "undeclared-error", "find"),
        ("no-data", "error-data", "find"),
        ("wrong-data", "error-data", "find"),
        ("error-message", "error-message", "find"),
        ("get-runs", "get-runs-writes", "put"),
        ("get-refused", "get-refused", "subtract"),
        ("get-differs", "get-differs", "subtract"),
        ("status", "get-status", "find"),
        ("default", "wrong-default", "find"),
        ("order", "order-of-positions", "subtract"),
        ("positions", "narrower-than-published", "subtract"),
        ("required", "narrower-than-published", "find"),
        ("bound-narrow", "narrower-than-published", "find"),
        ("bytes", "narrower-than-published", "find"),
        ("enum-narrow", "narrower-than-published", "find"),
        ("nested-narrow", "narrower-than-published", "find"),
        ("alias", "narrower-than-published", "find"),
        ("get-optional", "narrower-than-published", "find"),
        ("text", "text-for-boolean", "options"),
        ("fraction", "fraction-of-integer", "options"),
        ("unknown", "wider-than-published", "find"),
        ("bound-wide", "wider-than-published", "find"),
        ("short", "wider-than-published", "find"),
        ("format", "wider-than-published", "find"),
        ("null", "wider-than-published", "find"),
        ("twins", "wider-than-published", "find"),
        ("by-name", "wider-than-published", "options"),
        ("too-many", "wider-than-published", "subtract"),
        ("missing", "wider-than-published", "subtract"),
        ("age", "cache-control", "find"),
        ("new-age", "cache-control", "subtract"),
        ("stored-errors", "cache-control", "find"),
        ("etag", "etag", "find"),
        ("never-304", "not-modified", "find"),
        ("always-304", "not-modified", "find"),
        ("notification", "notification-answered", "subtract"),
        ("batch", "bad-batch", "subtract"),
        ("id", "bad-response", "subtract"),
        ("html", "not-json", "subtract"),
        ("panic", "internal-error", "options"),
        ("gone", "not-found", "options"),
    ];
    let missed = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for some in lies.chunks(12) {
            let missed = &missed;
            scope.spawn(move || {
                for (lie, rule, procedure) in some {
                    let ran = check(&start(lie), &["--unsafe"]);
                    let line = format!("{rule}: procedure `{procedure}`");
                    if ran.code != 1 || !ran.stdout.contains(&line) {
                        let missing = format!("{lie}: {}{}", ran.stdout, ran.stderr);
                        missed.lock().expect("sound").push(missing);
                    }
                }
            });
        }
    });
    let missed = missed.into_inner().expect("sound");
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn what_changes_something_is_called_only_if_asked_for() {
    let server = start("");
    assert_eq!(check(&server, &[]).code, 0);
    let requests = server.requests();
    let is_put =
        |request: &Request| request.body.contains("\"put\"") || request.path.contains("put");
    assert!(requests.len() > 50 && !requests.iter().any(is_put));
    assert!(
        !requests
            .iter()
            .any(|request| request.body.contains("\"secret\""))
    );
    let server = start("");
    let ran = run([
        "check",
        &server.url("/rpc"),
        "--max-calls",
        "20",
        "--rate",
        "1000",
    ]);
    assert!(ran.stdout.contains(": 20 calls of"), "{}", ran.stdout);
}

#[test]
fn what_is_accepted_with_a_reason_does_not_fail() {
    let folder = Folder::new();
    let list = folder.write(
        "allowed",
        "# known\n{\"rule\": \"internal-error\", \"procedure\": \"options\", \"reason\": \"Soon.\"}\n",
    );
    let ran = check(&start("panic"), &["--allow-list", &list]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(ran.stdout.contains("(allowed: Soon.)"), "{}", ran.stdout);
    let ran = check(&start(""), &["--allow-list", &list]);
    assert!(
        ran.stderr.contains("not needed in the allow-list: line 2"),
        "{}",
        ran.stderr
    );
    let ran = check(&start("panic"), &["--json"]);
    let json: Json = ran.stdout.parse().expect("JSON");
    let finding = &json.as_array().expect("reports")[0]
        .get("findings")
        .expect("findings");
    let finding = &finding.as_array().expect("findings")[0];
    assert_eq!(finding.get("rule"), Some(&Json::from("internal-error")));
    // It is as small as it can be.
    let call = finding
        .get("call")
        .and_then(|call| call.get("docent")?.as_str());
    assert!(
        call.is_some_and(|call| call.contains(r#"'{"level":9}'"#)),
        "{call:?}"
    );
}

#[test]
fn a_wrong_mark_costs_no_data() {
    let description = r#"{"sdversion": "2.0", "name": "members", "id": "urn:members", "procs": [
        {"name": "member.remove", "summary": "Removes one.", "idempotent": true, "params": [],
         "return": {"type": "nil", "schema": {"type": "null"}}},
        {"name": "settings.get", "summary": "Gets them.", "idempotent": true, "params": [],
         "return": {"type": "nil", "schema": {"type": "null"}}}]}"#;
    let respond = move |request: &Request| {
        let result = if request.body.contains("rpc.describe") {
            description
        } else {
            "null"
        };
        let body = format!(r#"{{"jsonrpc":"2.0","result":{result},"id":1}}"#);
        Response::new(200, body)
    };
    let is_removal = |request: &Request| {
        request.body.contains("member.remove") || request.path.contains("member.remove")
    };
    let server = Server::start(respond);
    let ran = check(&server, &[]);
    let said = "not tried: procedure `member.remove`: marked idempotent, but named like a change; \
                call with --unsafe";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
    let requests = server.requests();
    let is_get = |request: &Request| request.body.contains("settings.get");
    assert!(requests.iter().any(is_get) && !requests.iter().any(is_removal));

    let server = Server::start(respond);
    check(&server, &["--unsafe", "--only", "member.remove"]);
    assert!(server.requests().iter().any(is_removal));

    let server = Server::start(respond);
    check(&server, &["--wire"]);
    assert!(!server.requests().iter().any(is_removal));
}

#[test]
fn a_procedure_without_parameters_may_take_an_empty_list() {
    let folder = Folder::new();
    let document = folder.write(
        "ping.json",
        r#"{"openrpc": "1.3.2", "info": {"title": "t", "version": "1"}, "methods": [{"name": "ping",
            "summary": "s", "paramStructure": "by-name", "params": [],
            "result": {"name": "r", "description": "d", "schema": {"type": "boolean"}}}]}"#,
    );
    for refuses in [false, true] {
        let server = Server::start(move |request| {
            if request.method == "GET" {
                return Response::new(405, "");
            }
            let Some(id) = service::id_of(&request.body) else {
                return Response::new(204, "");
            };
            let outcome = if refuses && request.body.contains("[]") {
                r#""error":{"code":-32602,"message":"Invalid params"}"#
            } else {
                r#""result":true"#
            };
            let body = format!(r#"{{"jsonrpc":"2.0",{outcome},"id":{id}}}"#);
            Response::new(200, body)
        });
        let ran = run([
            "check",
            &document,
            "--address",
            &server.url("/rpc"),
            "--unsafe",
            "--rate",
            "100000",
            "--allow",
            "warnings",
        ]);
        let departures = ["wider-than-published", "narrower-than-published"];
        let found = departures.iter().any(|rule| ran.stdout.contains(rule));
        assert!(!found, "{}", ran.stdout);
    }
}

#[test]
fn a_service_that_lets_nobody_in_says_why() {
    let server = Server::start(|request| {
        let is_description = request.body.contains("rpc.describe");
        let description = r#"{"sdversion": "2.0", "name": "clock", "id": "urn:clock", "procs": [
            {"name": "now", "summary": "Tells the time.", "idempotent": true, "params": [],
             "return": {"type": "str", "description": "It.", "schema": {"type": "string"}}}]}"#;
        if is_description {
            let body = format!(r#"{{"jsonrpc":"2.0","result":{description},"id":1}}"#);
            return Response::new(200, body);
        }
        Response::new(403, "This network is not allowed.")
    });
    let ran = check(&server, &[]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let said =
        "the service does not let the caller in (HTTP 403 with \"This network is not allowed.\")";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);

    let server = Server::start(|_| Response::new(403, "This network is not allowed.\u{1b}[31m"));
    let ran = check(&server, &[]);
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    let said = "(HTTP 403 Forbidden: This network is not allowed.";
    assert!(
        ran.stderr.contains(said) && !ran.stderr.contains('\u{1b}'),
        "{}",
        ran.stderr
    );
}

/// Answers calls of a document whose parameters have a format that only the service knows.
fn refuses_made_texts(request: &Request) -> Response {
    let is_batch = request.body.starts_with('[');
    let id = match service::id_of(&request.body) {
        Some(id) => id,
        None if !request.body.starts_with('{') => "null",
        None => return Response::new(204, ""),
    };
    let is_known = request.body.contains("0123abcd");
    let outcome = if is_known {
        r#""result":"ok""#
    } else {
        r#""error":{"code":-32602,"message":"Invalid params","data":{"parameter":"a","pointer":"/id"}}"#
    };
    let response = |id: &str| format!(r#"{{"jsonrpc":"2.0",{outcome},"id":{id}}}"#);
    let body = if is_batch {
        format!("[{},{}]", response("\"first\""), response("2"))
    } else {
        response(id)
    };
    Response::new(200, body).with_header("Content-Type", "application/json")
}

#[test]
fn a_text_of_an_unknown_format_that_is_refused_is_not_tried_and_an_example_of_it_is_taken_first() {
    let folder = Folder::new();
    for (example, is_tried) in [("", false), (r#", "example": "0123abcd""#, true)] {
        let text = format!(r#"{{"type": "string", "format": "hex"{example}}}"#);
        let document = folder.write(
            "hex.json",
            &format!(
                r#"{{"openrpc": "1.3.2", "info": {{"title": "t", "version": "1"}}, "methods": [{{"name": "get", "summary": "s",
                "params": [{{"name": "a", "required": true, "description": "d", "schema": {{"type": "object",
                    "required": ["id"], "properties": {{"id": {text}}}}}}}],
                "result": {{"name": "r", "description": "d", "schema": {{"type": "string"}}}}}}]}}"#
            ),
        );
        let server = Server::start(refuses_made_texts);
        let ran = run([
            "check",
            &document,
            "--address",
            &server.url("/rpc"),
            "--unsafe",
            "--rate",
            "100000",
        ]);
        assert!(
            !ran.stdout.contains("narrower-than-published"),
            "{}",
            ran.stdout
        );
        let not_tried = "not tried: procedure `get`: no call gave a result, so its results were not checked; \
                         give it an example that succeeds";
        assert_eq!(ran.stdout.contains(not_tried), !is_tried, "{}", ran.stdout);
        let last = ran.stdout.lines().last().expect("a summary");
        assert_eq!(
            last.contains("1 not tried (give it an example that succeeds)"),
            !is_tried,
            "{last}"
        );
    }
}

#[test]
fn the_last_line_counts_what_was_not_tried_and_says_how_to_have_it_tried() {
    let ran = check(&start(""), &[]);
    let last = ran.stdout.lines().last().expect("a summary");
    for part in [
        "2 not tried (call with --unsafe, give credentials), seed 7: ",
        ": the description holds where it was tried",
    ] {
        assert!(last.contains(part), "{last}");
    }
    assert_ne!(without_time(last), last, "it says how long it took");
}
