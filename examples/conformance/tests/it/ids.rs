//! Ids of every type are returned byte for byte.

use proptest::prelude::*;

use crate::client::{Request, Response};
use crate::{Server, assert_outcomes, outcome, reply, service, shared};

/// Ids that a careless server changes.
const IDS: &[&str] = &[
    "null",
    "0",
    "-0",
    "-0.0",
    "1",
    "-1",
    "1.0",
    "1.50",
    "1e2",
    "1E+2",
    "1e-2",
    "1e400",
    "-1e400",
    "1e-400",
    "12345678901234567890",
    "-9223372036854775809",
    "18446744073709551616",
    "0.1000000000000000055511151231257827",
    "123456789012345678901234567890123456789012345678901234567890",
    "\"\"",
    "\"1\"",
    "\"null\"",
    "\" \"",
    "\"a\\u0062\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"\\udc00\\ud800\"",
    "\"\\ud83d\\ude00\"",
    "\"\\/\"",
    "\"/\"",
    "\"\\\"\\\\\\b\\f\\n\\r\\t\"",
    "\"\u{7f}\"",
    "\"\u{2028}\"",
    "\"é\"",
    "\"e\u{301}\"",
    "\"😀\"",
    "\"\u{feff}\"",
    "\"\u{fffd}\"",
    "\"</script>\"",
    "\"}\"",
    "\"]\"",
    "\",\\\"id\\\":2\"",
];

#[test]
fn an_id_comes_back_byte_for_byte_with_a_result_and_with_every_error() {
    let service = service();
    for id in IDS {
        let table = [
            (
                format!(r#"{{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":{id}}}"#),
                format!("19 #{id}"),
            ),
            (
                format!(r#"{{"id" : {id} ,"jsonrpc":"2.0","method":"get_data"}}"#),
                format!(r#"["hello",5] #{id}"#),
            ),
            (
                format!(r#"{{"jsonrpc":"2.0","method":"foobar","id":{id}}}"#),
                format!("error -32601 #{id}"),
            ),
            (
                format!(r#"{{"jsonrpc":"2.0","method":"subtract","id":{id}}}"#),
                format!("error -32602 #{id}"),
            ),
            (
                format!(r#"{{"jsonrpc":"2.0","method":1,"id":{id}}}"#),
                format!("error -32600 #{id}"),
            ),
            (
                format!(r#"{{"jsonrpc":"2.0","method":"panic","id":{id}}}"#),
                format!("error -32603 #{id}"),
            ),
            (
                format!(r#"[{{"jsonrpc":"2.0","method":"sum","id":{id}}}]"#),
                format!("[0 #{id}]"),
            ),
        ];
        assert_outcomes(&service, &table);
    }
}

#[test]
fn ids_of_a_batch_need_not_differ() {
    let one = r#"{"jsonrpc":"2.0","method":"sum","params":[1],"id":1}"#;
    assert_eq!(
        outcome(&service(), format!("[{one},{one}]")),
        "[1 #1, 1 #1]"
    );
}

#[test]
fn any_other_kind_of_id_is_an_invalid_request_without_an_id() {
    let service = service();
    for id in ["true", "false", "[]", "{}", "[1]", "{\"id\":1}", "[null]"] {
        for rest in [
            r#""method":"count""#,
            r#""method":"foobar""#,
            r#""method":1"#,
        ] {
            let body = format!(r#"{{"jsonrpc":"2.0",{rest},"id":{id}}}"#);
            assert_outcomes(&service, &[(body, "error -32600 #null")]);
        }
    }
    assert_eq!(
        outcome(&service, r#"{"jsonrpc":"2.0","method":"count","id":1}"#),
        "1 #1"
    );
}

#[test]
fn a_null_id_is_a_call_and_is_answered() {
    assert_outcomes(
        &service(),
        &[
            (r#"{"jsonrpc":"2.0","method":"count","id":null}"#, "1 #null"),
            (
                r#"{"jsonrpc":"2.0","method":"foobar","id":null}"#,
                "error -32601 #null",
            ),
            (
                r#"[{"jsonrpc":"2.0","method":"count","id":null}]"#,
                "[2 #null]",
            ),
        ],
    );
}

#[test]
fn ids_come_back_over_http_too() {
    let server = Server::start(service());
    let mut connection = server.connect();
    for id in IDS {
        let body = format!(r#"{{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":{id}}}"#);
        let response = Response::exchange(&mut connection, &Request::post("/rpc", body.as_bytes()));
        assert_eq!(response.status, 200);
        assert_eq!(reply::brief(Some(&response.body)), format!("19 #{id}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_number_is_an_id(id in r"-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,5})?") {
        let body = format!(r#"{{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":{id}}}"#);
        prop_assert_eq!(outcome(shared(), body), format!("19 #{id}"));
    }

    #[test]
    fn any_string_is_an_id(
        id in r#""([^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}){0,40}""#,
    ) {
        let body = format!(r#"{{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":{id}}}"#);
        prop_assert_eq!(outcome(shared(), body), format!("19 #{id}"));
    }
}
