//! Notifications are executed and never answered, whatever happens.

use crate::client::{Request, Response};
use crate::{Server, assert_outcomes, outcome, reply, service};

const COUNT: &str = r#"{"jsonrpc":"2.0","method":"count","id":1}"#;

/// Valid requests without an id.
const NOTIFICATIONS: &[&str] = &[
    r#"{"jsonrpc":"2.0","method":"count"}"#,
    r#"{"jsonrpc":"2.0","method":"update","params":[1,2,3,4,5]}"#,
    r#"{"jsonrpc":"2.0","method":"foobar"}"#,
    r#"{"jsonrpc":"2.0","method":"\ud800"}"#,
    r#"{"jsonrpc":"2.0","method":"subtract","params":[1]}"#,
    r#"{"jsonrpc":"2.0","method":"subtract","params":{"no":1}}"#,
    r#"{"jsonrpc":"2.0","method":"panic"}"#,
    r#"{"jsonrpc":"2.0","method":"fail","params":[7,"told to"]}"#,
    r#"{"jsonrpc":"2.0","method":"large","params":[100000000000]}"#,
    r#"{"jsonrpc":"2.0","method":"rpc.describe"}"#,
    r#"{"jsonrpc":"2.0","method":"rpc.nothing"}"#,
];

#[test]
fn a_notification_is_never_answered() {
    let table: Vec<_> = NOTIFICATIONS
        .iter()
        .map(|body| (*body, "nothing"))
        .collect();
    assert_outcomes(&service(), &table);
    let batch = format!("[{}]", NOTIFICATIONS.join(","));
    assert_outcomes(&service(), &[(batch, "nothing")]);
}

#[test]
fn a_notification_is_executed() {
    let service = service();
    let notification = r#"{"jsonrpc":"2.0","method":"count"}"#;
    assert_eq!(outcome(&service, notification), "nothing");
    assert_eq!(
        outcome(&service, format!("[{notification},{notification}]")),
        "nothing"
    );
    assert_eq!(outcome(&service, COUNT), "4 #1");
}

#[test]
fn nothing_to_say_is_204_without_a_body_on_a_connection_that_goes_on() {
    let server = Server::start(service());
    let mut connection = server.connect();
    let batch = format!("[{}]", NOTIFICATIONS.join(","));
    for body in NOTIFICATIONS.iter().copied().chain([&*batch]) {
        let response = Response::exchange(&mut connection, &Request::post("/rpc", body.as_bytes()));
        assert_eq!((response.status, response.body.len()), (204, 0), "{body}");
        assert_eq!(response.header("content-type"), None, "{body}");
    }
    let response = Response::exchange(&mut connection, &Request::post("/rpc", COUNT.as_bytes()));
    assert_eq!(reply::brief(Some(&response.body)), "3 #1");
}

#[test]
fn the_204_is_sent_after_the_handlers_have_returned() {
    let server = Server::start(service());
    let slow = r#"{"jsonrpc":"2.0","method":"slow_count","params":[60]}"#;
    assert_eq!(server.post(slow).status, 204);
    assert_eq!(reply::brief(Some(&server.post(COUNT).body)), "2 #1");
    assert_eq!(server.post(format!("[{slow},{slow}]")).status, 204);
    assert_eq!(reply::brief(Some(&server.post(COUNT).body)), "5 #1");
}

#[test]
fn what_is_no_valid_request_is_answered_even_without_an_id() {
    assert_outcomes(
        &service(),
        &[
            (r#"{"jsonrpc":"2.0","method":1}"#, "error -32600 #null"),
            (
                r#"{"jsonrpc":"2.0","method":"sum","params":1}"#,
                "error -32600 #null",
            ),
            (r#"{"jsonrpc":"1.0","method":"sum"}"#, "error -32600 #null"),
            (
                r#"[{"jsonrpc":"2.0","method":"count"},{}]"#,
                "[error -32600 #null]",
            ),
        ],
    );
}
