//! Checks of subscriptions: a service that keeps to its description except in one way, and whether that is found.

use std::thread;

use docent_describe::json::Json;
use tokio_websockets::Message;

use crate::service::{Response, Server, start_sockets};
use crate::support::{Ran, run, without_time};

const DESCRIPTION: &str = r#"{"sdversion": "2.0", "name": "told", "id": "urn:told", "procs": [
    {"name": "watch", "summary": "Tells of numbers.",
     "params": [{"name": "after", "type": "num", "required": false, "description": "The last one.",
       "schema": {"type": "integer"}}],
     "errors": [{"code": 7, "message": "Broken"}],
     "examples": [{"params": {"after": 0}, "items": [1, 2]}],
     "subscription": {"resume": "after",
       "item": {"type": "num", "description": "A number.", "schema": {"type": "integer", "minimum": 1}}}}]}"#;

/// The last number of which the service tells.
const LAST: i64 = 5;

/// Returns the messages after the call of a subscription: the answer, the items, and the end.
fn messages(lie: &str, after: Option<i64>, id: &str) -> Vec<String> {
    let told = |members: &str| {
        let method = if lie == "renamed" { "seen" } else { "watch" };
        let is_item = members.contains("result");
        let id = if lie == "another" && is_item {
            "s9"
        } else {
            id
        };
        format!(
            r#"{{"jsonrpc":"2.0","method":"{method}","params":{{"subscription":"{id}"{members}}}}}"#
        )
    };
    let item = |number: i64| match lie {
        "wrong" if number == 3 => told(r#","result":"three","cursor":"3""#),
        "bare" => told(&format!(r#","result":{number}"#)),
        _ => told(&format!(r#","result":{number},"cursor":"{number}""#)),
    };
    let is_resumed = after.is_some_and(|after| after > 0);
    let after = after.unwrap_or(0);
    let first = match lie {
        "repeats" if is_resumed => after,
        "skips" if is_resumed => after + 2,
        "forgets" if is_resumed => LAST + 1,
        _ => after + 1,
    };
    let response = match lie {
        "number" => r#"{"jsonrpc":"2.0","result":7,"id":1}"#.to_owned(),
        _ => format!(r#"{{"jsonrpc":"2.0","result":"{id}","id":1}}"#),
    };
    let mut messages = vec![response];
    messages.extend((first..=LAST).map(item));
    match lie {
        "early" => messages.swap(0, 1),
        "twice" => messages.push(item(LAST)),
        "empty" => messages.push(told("")),
        _ => {}
    }
    messages.extend(match lie {
        "open" | "late" | "closes" | "refuses" => None,
        "undeclared" => Some(told(r#","error":{"code":9,"message":"?"}"#)),
        "declared" => Some(told(r#","error":{"code":7,"message":"Broken"}"#)),
        "fails" => Some(told(
            r#","error":{"code":-32603,"message":"Internal error"}"#,
        )),
        _ => Some(told(r#","ended":true"#)),
    });
    messages
}

/// Returns the messages with which a connection answers one.
fn answers(lie: &str, request: &str, subscriptions: &mut usize) -> Vec<String> {
    let request: Json = request.parse().expect("JSON");
    let id = request.get("id").expect("an id");
    let respond = |result: &str| {
        vec![format!(
            r#"{{"jsonrpc":"2.0","result":{result},"id":{id}}}"#
        )]
    };
    let params = request.get("params");
    match request.get_str("method") {
        Some("rpc.describe") => respond(DESCRIPTION),
        Some("rpc.unsubscribe") => match lie {
            "refuses" => respond("null"),
            "open" => respond("true"),
            "late" => {
                let late = r#"{"jsonrpc":"2.0","method":"watch","params":{"subscription":"s1","result":6,"cursor":"6"}}"#;
                [respond("true"), vec![late.to_owned()]].concat()
            }
            _ => respond("false"),
        },
        _ => {
            if lie != "same" {
                *subscriptions += 1;
            }
            let after = params.and_then(|params| params.get("after")?.as_i64());
            messages(lie, after, &format!("s{subscriptions}"))
        }
    }
}

/// Checks a service that lies in this way over a WebSocket.
fn check_socket(lie: &'static str) -> Ran {
    let port = start_sockets(move || {
        let mut subscriptions = 0;
        move |message: &Message| {
            let Some(text) = message.as_text() else {
                return Some(Vec::new());
            };
            let responses = answers(lie, text, &mut subscriptions);
            let mut messages: Vec<Message> = responses.into_iter().map(Message::text).collect();
            if lie == "closes" && messages.len() > 1 {
                messages.push(Message::close(None, ""));
            }
            Some(messages)
        }
    });
    check(&format!("ws://127.0.0.1:{port}/rpc"))
}

/// Checks a service that lies in this way over HTTP.
fn check_events(lie: &'static str) -> Ran {
    let server = Server::start(move |request| {
        if request.body.contains("rpc.describe") {
            return Response::of_service(request, "rpc.describe", DESCRIPTION);
        }
        let body: Json = request.body.parse().expect("JSON");
        let given = body
            .get("params")
            .and_then(|params| params.get("after")?.as_i64());
        let resumed = request
            .header("last-event-id")
            .map(|id| id.parse().expect("a number"));
        let mut text = String::new();
        for message in messages(lie, resumed.or(given), "s1") {
            let json: Json = message.parse().expect("JSON");
            let cursor = json
                .get("params")
                .and_then(|params| params.get_str("cursor"));
            let cursor = if lie == "unmarked" { Some("0") } else { cursor };
            if let Some(cursor) = cursor {
                text.extend(["id: ", cursor, "\n"]);
            }
            text.extend(["data: ", &message, "\n\n"]);
        }
        Response::new(200, text).with_header("Content-Type", "text/event-stream")
    });
    check(&server.url("/rpc"))
}

fn check(url: &str) -> Ran {
    run([
        "check",
        url,
        "--seed",
        "7",
        "--max-time",
        "10",
        "--rate",
        "100000",
    ])
}

/// Runs checks side by side, and tells those that miss a rule, or find another one.
fn each(check: fn(&'static str) -> Ran, lies: &[(&'static str, &str)]) {
    thread::scope(|scope| {
        let checks = lies.iter().map(|(lie, rule)| {
            scope.spawn(move || {
                let ran = check(lie);
                let found: Vec<&str> = ran
                    .stdout
                    .lines()
                    .filter_map(|line| line.split_once("/rpc: ")?.1.split_once(": procedure `"))
                    .map(|(rule, _)| rule)
                    .filter(|rule| *rule != "not tried")
                    .collect();
                let is_found = found.contains(rule) && found.iter().all(|found| found == rule);
                (!is_found || ran.code != 1).then(|| format!("{lie}: {}{}", ran.stdout, ran.stderr))
            })
        });
        let checks: Vec<_> = checks.collect();
        let missed = checks
            .into_iter()
            .filter_map(|check| check.join().expect("it ran"));
        let missed: Vec<String> = missed.collect();
        assert!(missed.is_empty(), "{}", missed.join("\n"));
    });
}

#[track_caller]
fn holds(ran: &Ran) {
    assert_eq!((ran.code, &*ran.stderr), (0, ""), "{}", ran.stdout);
    let tried = " of 1 procedure, 0 not tried, seed 7: the description holds";
    assert!(without_time(&ran.stdout).contains(tried), "{}", ran.stdout);
}

#[test]
fn an_honest_subscription_passes() {
    holds(&check_events(""));
    holds(&check_events("declared"));
    holds(&check_socket(""));
    holds(&check_socket("open"));
}

#[test]
fn each_lie_of_a_connection_is_found() {
    each(
        check_socket,
        &[
            ("early", "item-before-answer"),
            ("number", "subscription-id"),
            ("same", "subscription-id"),
            ("another", "bad-item"),
            ("renamed", "bad-item"),
            ("empty", "bad-item"),
            ("wrong", "item-breaks-schema"),
            ("bare", "bad-cursor"),
            ("repeats", "item-repeated"),
            ("twice", "item-repeated"),
            ("skips", "item-skipped"),
            ("forgets", "item-skipped"),
            ("undeclared", "undeclared-error"),
            ("fails", "internal-error"),
            ("late", "item-after-end"),
            ("refuses", "unsubscribe"),
            ("closes", "connection-closed"),
        ],
    );
}

#[test]
fn each_lie_of_a_stream_of_events_is_found() {
    each(
        check_events,
        &[
            ("early", "item-before-answer"),
            ("wrong", "item-breaks-schema"),
            ("bare", "bad-cursor"),
            ("unmarked", "bad-cursor"),
            ("repeats", "item-repeated"),
            ("skips", "item-skipped"),
            ("forgets", "item-skipped"),
            ("open", "connection-closed"),
        ],
    );
}

#[test]
fn a_finding_shows_the_call_that_repeats_it() {
    let ran = check_events("skips");
    for call in [
        "docent call --items 10 --no-check --params '{\"after\":3}' http://",
        "curl -sS -g -N -H 'Accept: text/event-stream' -H 'Content-Type: application/json' --data-binary ",
    ] {
        assert!(ran.stdout.contains(call), "{}", ran.stdout);
    }
}
