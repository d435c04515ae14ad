//! `docent check --wire` on connections: WebSockets and the lines of commands, whose servers keep and break rules.

#[cfg(unix)]
use std::thread;

use docent::testing::TestServer;
use docent::{Cx, Fault, Procedure, Routes, Service, Subscription};
use docent_describe::json::Json;
use futures_util::stream;
use tokio_websockets::Message;

use crate::service::start_sockets;
#[cfg(unix)]
use crate::support::Folder;
use crate::support::{Ran, run};
use crate::wire::{check_with_ping, rpc, rules};

/// A description by which a server says that it follows Docent's contract.
const DESCRIPTION: &str = r#"{"sdversion": "2.0", "name": "told", "id": "urn:told", "procs": [
    {"name": "watch", "params": [], "subscription": {"item": {"type": "any", "schema": {}}}}]}"#;

fn check(url: &str) -> Ran {
    check_with_ping(["--max-time", "10", url])
}

/// Returns the messages with which a connection answers one. Without any, it is lost.
fn answers(lie: &str, message: &Message, ids: &mut Vec<Json>) -> Option<Vec<Message>> {
    if message.is_ping() && lie == "ping" {
        return None;
    }
    let Some(text) = message.as_text() else {
        let code = tokio_websockets::CloseCode::UNSUPPORTED_DATA;
        let is_refused = message.is_binary() && lie != "binary";
        return Some(
            is_refused
                .then(|| Message::close(Some(code), ""))
                .into_iter()
                .collect(),
        );
    };
    let json: Json = text.parse().unwrap_or_default();
    let id = json.get("id").cloned().unwrap_or_default();
    let result = |result: &str| {
        let text = format!(r#"{{"jsonrpc":"2.0","result":{result},"id":{id}}}"#);
        Some(vec![Message::text(text)])
    };
    match json.get_str("method") {
        Some("rpc.describe") if lie != "foreign" => return result(DESCRIPTION),
        Some("rpc.unsubscribe") => {
            return result(if lie == "unsubscribe" {
                "true"
            } else {
                "false"
            });
        }
        _ => {}
    }
    let is_known = ids.contains(&id);
    ids.push(id.clone());
    if lie == "same" && is_known && id == Json::from(7) {
        return Some(Vec::new());
    }
    let mut responses: Vec<Json> = rpc(text, &|response| response).into_iter().collect();
    if lie == "batch"
        && let Some(parts) = responses.first().and_then(Json::as_array)
    {
        responses = parts.to_vec();
    }
    let mut messages: Vec<Message> = responses
        .iter()
        .map(|response| Message::text(response.to_string()))
        .collect();
    match lie {
        "notification" if messages.is_empty() => {
            messages.push(Message::text(r#"{"jsonrpc":"2.0","result":1,"id":null}"#));
        }
        "parse" if text == "{" => messages.push(Message::close(None, "")),
        _ => {}
    }
    Some(messages)
}

/// Starts a server that breaks rules in this way, and returns its URL.
fn start(lie: &'static str) -> String {
    let port = start_sockets(move || {
        let mut ids = Vec::new();
        move |message: &Message| answers(lie, message, &mut ids)
    });
    format!("ws://127.0.0.1:{port}/rpc")
}

#[track_caller]
fn assert_has(found: &[String], rules: &[&str]) {
    for rule in rules {
        assert!(found.iter().any(|name| name == rule), "{rule}: {found:?}");
    }
}

#[test]
fn a_server_that_knows_json_rpc_alone_keeps_every_rule_of_a_websocket_that_is_its_own() {
    let ran = check(&start("foreign"));
    assert_eq!(rules(&ran.stdout, "broken"), [""; 0], "{}", ran.stdout);
    let has_to_keep = [
        "parse-error",
        "notification",
        "same-id",
        "batch-one-message",
        "ping",
        "not-utf8",
    ];
    assert_has(&rules(&ran.stdout, "kept"), &has_to_keep);
    let of_docent = [
        "open-after-parse-error",
        "unsubscribe-unknown",
        "not-utf8-code",
        "binary",
    ];
    assert_has(&rules(&ran.stdout, "not tried"), &of_docent);
}

#[test]
fn each_broken_rule_of_a_websocket_is_found() {
    for (lie, expected) in [
        ("honest", &[][..]),
        ("same", &["same-id"]),
        ("ping", &["ping"]),
        ("binary", &["binary"]),
        ("parse", &["open-after-parse-error"]),
        ("unsubscribe", &["unsubscribe-unknown"]),
    ] {
        let ran = check(&start(lie));
        assert_eq!(
            rules(&ran.stdout, "broken"),
            expected,
            "{lie}: {}",
            ran.stdout
        );
    }
    for (lie, rule) in [
        ("batch", "batch-one-message"),
        ("notification", "notification"),
    ] {
        let broken = rules(&check(&start(lie)).stdout, "broken");
        assert!(broken.contains(&rule.to_owned()), "{lie}: {broken:?}");
    }
}

#[test]
fn a_service_of_docent_keeps_every_rule_of_a_websocket() {
    let watch = async |_: Cx, (): ()| Ok::<_, Fault>(stream::pending::<Result<u32, Fault>>());
    let service = Service::builder("clock", "urn:uuid:0f4a1d8e-2b0c-4a49-9a5e-8f0f5b7f4a12")
        .protocols(|protocols| protocols.v1_1 = true)
        .procedure(Procedure::sync("now", |_: Cx, (): ()| Ok::<_, Fault>(7)).idempotent())
        .procedure(Subscription::new("watch", watch))
        .build()
        .expect("sound");
    let server = TestServer::start(Routes::new(service).websocket()).expect("a server");
    let url = format!("ws://{}/rpc", server.address());
    let ran = run(["check", "--wire", &url]);
    let summary = ran.stdout.lines().last().expect("a summary");
    assert!(
        summary.ends_with(": 47 kept, 0 broken, 0 not tried"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.code, 0);
}

#[test]
fn a_websocket_that_is_refused_tries_no_rule() {
    let server = crate::service::Server::start(|_| crate::service::Response::new(401, ""));
    let ran = run(["check", "--wire", &server.url("/").replace("http", "ws")]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stderr.contains("no rule was tried"), "{}", ran.stderr);
}

/// A server in the language of the shell, which has no methods. `$1` is what is wrong with it.
#[cfg(unix)]
const LINES: &str = r#"
cr=$(printf '\r')
answer() { printf '{"jsonrpc":"2.0",%s,"id":%s}\n' "$1" "$2"; }
while IFS= read -r line || { [ -n "$line" ] && [ "$1" != last ]; }; do
  [ "$1" = crlf ] || line=${line%"$cr"}
  id=${line##*'"id":'}; id=${id%\}*}
  case $1,$line in
    empty,) answer '"error":{"code":-32700,"message":"?"}' null;;
    *,*rpc.describe*) answer '"result":{"sdversion":"2.0","name":"l","id":"urn:l","procs":[]}' "$id";;
    crlf,*"$cr") ;;
    escaped,*'\n'*) answer '"error":{"code":-32601,"message":"?"}' "$(printf '%b' "$id")";;
    *,*'"id":'*) answer '"error":{"code":-32601,"message":"?"}' "$id";;
    *,) ;;
    *) answer '"error":{"code":-32700,"message":"?"}' null;;
  esac
done
"#;

#[cfg(unix)]
#[test]
fn each_broken_rule_of_lines_is_found() {
    let folder = Folder::new();
    let script = folder.write("server", LINES);
    let lies = [
        ("honest", None),
        ("crlf", Some("lines-crlf")),
        ("escaped", Some("lines-escaped")),
        ("empty", Some("lines-empty")),
        ("last", Some("lines-last")),
    ];
    // Most of the time, they wait for answers that do not come.
    thread::scope(|scope| {
        for (lie, expected) in lies {
            let url = format!("exec:sh '{script}' {lie}");
            scope.spawn(move || {
                let ran = check(&url);
                let mut broken = rules(&ran.stdout, "broken");
                broken.retain(|rule| rule.starts_with("lines-"));
                let expected: Vec<&str> = expected.into_iter().collect();
                assert_eq!(broken, expected, "{lie}: {}{}", ran.stdout, ran.stderr);
            });
        }
    });
}
