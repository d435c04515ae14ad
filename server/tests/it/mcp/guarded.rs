//! Guards, observers and origins: for tools as for any other call.

use std::sync::{Arc, Mutex};

use docent::carrier::Incoming;
use docent::describe::ProcedureDescription;
use docent::testing::TestServer;
use docent::{BearerToken, CallRecord, Ending, Observer, Routes};
use serde_json::{Value, json};

use super::{OLDER, body, library, older, send, start_with, text};

const VERSION: (&str, &str) = ("MCP-Protocol-Version", OLDER);
const TOKEN: (&str, &str) = ("Authorization", "Bearer s3cret");

fn token(covers: fn(&ProcedureDescription) -> bool) -> BearerToken {
    BearerToken::new("library", "s3cret", covers)
}

fn message(method: &str) -> String {
    let params = json!({"name": "forget", "protocolVersion": OLDER});
    older(method, &params).to_string()
}

#[test]
fn a_guard_that_rejects_a_call_answers_as_http_does() {
    let server = start_with(library().guard(token(|procedure| procedure.name == "forget")));
    let refused = send(&server, &message("tools/call"), &[VERSION]);
    assert_eq!(refused.status, 401);
    let challenge = refused.header("www-authenticate").expect("a challenge");
    assert!(
        challenge.starts_with("Bearer realm=\"library\""),
        "{challenge}"
    );
    let error = body(&refused);
    assert_eq!(
        (error["error"]["code"].as_i64(), error["id"].as_i64()),
        (Some(-32007), Some(1))
    );
    let accepted = send(&server, &message("tools/call"), &[VERSION, TOKEN]);
    assert_eq!(accepted.status, 200);
    assert_eq!(body(&accepted)["result"]["isError"], false);
}

#[test]
fn the_introduction_of_a_service_is_behind_the_guard_of_its_description() {
    let server = start_with(library().guard(token(|procedure| procedure.name == "rpc.describe")));
    let refused = send(&server, &message("tools/list"), &[VERSION]);
    assert_eq!(refused.status, 401);
    assert!(refused.header("www-authenticate").is_some());
    assert_eq!(
        send(&server, &message("tools/list"), &[VERSION, TOKEN]).status,
        200
    );

    let discover = |fields: &[(&str, &str)]| {
        let newer = super::newer("server/discover", json!({})).to_string();
        let head = [
            ("MCP-Protocol-Version", super::NEWER),
            ("Mcp-Method", "server/discover"),
        ];
        send(&server, &newer, &[&head[..], fields].concat())
    };
    assert_eq!(discover(&[]).status, 401);
    let discovered = body(&discover(&[TOKEN]));
    assert_eq!(discovered["result"]["cacheScope"], "private");

    // The first message of the older revision carries no secrets.
    let introduced = send(&server, &message("initialize"), &[]);
    assert_eq!(introduced.status, 200);
    assert_eq!(body(&introduced)["result"].get("instructions"), None);
    // Names of tools are not to be guessed either.
    let unknown = older("tools/call", &json!({"name": "forgt"})).to_string();
    let refused = send(&server, &unknown, &[]);
    assert_eq!(refused.status, 401);
    assert_eq!(
        body(&refused)["error"],
        json!({"code": -32007, "message": "Refused"})
    );
    let known = send(&server, &unknown, &[TOKEN]);
    let error = &body(&known)["error"];
    assert_eq!(error["message"], "Unknown tool: forgt");
    assert_eq!(error.get("data"), None);
}

#[actix_web::test]
async fn without_header_fields_guarded_procedures_are_no_tools() {
    let service = library()
        .guard(token(|procedure| procedure.name == "forget"))
        .build()
        .expect("a service");
    let say = async |message: Value| {
        let reply = service.mcp(Incoming::new(message.to_string()), None).await;
        let body = reply.reply.into_body().expect("a response");
        serde_json::from_slice::<Value>(&body).expect("JSON")
    };
    for message in [
        older("tools/list", &json!({})),
        super::newer("tools/list", json!({})),
    ] {
        let list = say(message).await;
        let tools = list["result"]["tools"].as_array().expect("tools");
        assert!(tools.iter().all(|tool| tool["name"] != "forget"), "{list}");
        assert_eq!(tools.len(), 4);
    }
    let called = say(older("tools/call", &json!({"name": "forget"}))).await;
    assert_eq!(called["error"]["message"], "Unknown tool: forget");
    let close = say(older("tools/call", &json!({"name": "forgett"}))).await;
    assert_eq!(close["error"].get("data"), None);
}

#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<Record>>>);

type Record = (String, Option<i64>, Ending);

impl Observer for Seen {
    fn finished(&self, call: &CallRecord<'_>) {
        let record = (call.procedure.to_owned(), call.code, call.ending);
        self.0.lock().expect("no panic").push(record);
    }
}

#[test]
fn observers_see_calls_of_tools_as_calls_of_procedures() {
    let seen = Seen::default();
    let server = start_with(library().observer(seen.clone()));
    let call = |tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        send(
            &server,
            &older("tools/call", &params).to_string(),
            &[VERSION],
        )
    };
    call("add_up", json!({"values": [1]}));
    call("book_find", json!({"words": "none"}));
    call("book_find", json!({"limit": "x"}));
    call("nope", json!({}));
    send(&server, &message("tools/list"), &[VERSION]);
    send(&server, &message("ping"), &[VERSION]);
    send(&server, "[]", &[VERSION]);
    let expected = [
        ("sum", None),
        ("book.find", Some(1404)),
        ("book.find", Some(-32602)),
        ("unknown", Some(-32602)),
        ("rpc.describe", None),
        ("unknown", Some(-32600)),
    ]
    .map(|(name, code)| (name.to_owned(), code, Ending::Answered));
    assert_eq!(*seen.0.lock().expect("no panic"), expected);
}

#[test]
fn pages_of_unknown_origins_are_turned_away_before_the_body_is_read() {
    let service = library()
        .public_url("https://example.com/rpc")
        .build()
        .expect("a service");
    let routes = Routes::new(service).options(|options| {
        options.mcp_origins = vec!["http://localhost:6274".to_owned()];
    });
    let server = TestServer::start(routes).expect("a server");
    let own = format!("http://{}", server.address());
    for (origin, status) in [
        ("https://example.com", 200),
        ("https://EXAMPLE.com:443", 200),
        ("http://localhost:6274", 200),
        ("http://example.com", 403),
        ("https://example.com:8443", 403),
        ("https://example.com.evil.example", 403),
        ("https://example.com/", 403),
        ("http://localhost", 403),
        ("null", 403),
        ("", 403),
        // `Host` proves nothing.
        (&own, 403),
    ] {
        let response = send(&server, &message("ping"), &[VERSION, ("Origin", origin)]);
        assert_eq!(response.status, status, "{origin}");
        assert_eq!(body(&response).get("id").is_some(), status == 200);
    }
    // The body never arrives, and the answer does not wait for it.
    let mut connection = std::net::TcpStream::connect(server.address()).expect("a server");
    let head = "POST /mcp HTTP/1.1\r\nHost: example.com\r\nOrigin: https://evil.example\r\n\
                Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n";
    std::io::Write::write_all(&mut connection, head.as_bytes()).expect("a connection");
    let timeout = Some(std::time::Duration::from_secs(20));
    connection.set_read_timeout(timeout).expect("a timeout");
    assert_eq!(raw_http::Response::read(&mut connection, false).status, 403);
}

#[test]
fn the_limits_of_a_call_hold_for_tools() {
    let server = start_with(library().limits(|limits| limits.timeout = std::time::Duration::ZERO));
    let called = body(&send(&server, &message("tools/call"), &[VERSION]));
    // A handler that does not wait is not interrupted.
    assert_eq!(text(&called["result"]), Value::Null);
}
