//! The protocol version of a message, and bodies that are no messages at all.

use crate::{assert_outcomes, service};

#[test]
fn what_is_no_object_is_an_invalid_request() {
    let bodies = [
        "1", "-1.5e3", "\"text\"", "\"\"", "true", "false", "null", "{}", "[]", " { } ", "\t[\n]\r",
    ];
    let table = bodies.map(|body| (body, "error -32600 #null"));
    assert_outcomes(&service(), &table);
}

#[test]
fn an_object_without_jsonrpc_is_an_invalid_request_under_its_id() {
    assert_outcomes(
        &service(),
        &[
            (r#"{"id":1}"#, "error -32600 #1"),
            (r#"{"method":"sum","params":[1],"id":1}"#, "error -32600 #1"),
            (
                r#"{"method":"sum","params":[1],"id":null}"#,
                "error -32600 #null",
            ),
            (r#"{"method":"sum","params":[1]}"#, "error -32600 #null"),
            (
                r#"{"version":"1.0","method":"sum","id":"x"}"#,
                r#"error -32600 #"x""#,
            ),
            (
                r#"{"version":1.1,"method":"sum","id":7}"#,
                "error -32600 #7",
            ),
            (r#"{"result":1,"id":7}"#, "error -32600 #7"),
            (
                r#"{"JSONRPC":"2.0","method":"sum","id":7}"#,
                "error -32600 #7",
            ),
            (
                r#"{"jsonrpc ":"2.0","method":"sum","id":7}"#,
                "error -32600 #7",
            ),
        ],
    );
}

#[test]
fn jsonrpc_has_to_be_exactly_the_string_2_0() {
    let service = service();
    let wrong = [
        "2.0",
        "2",
        "\"2\"",
        "\"2.00\"",
        "\"1.0\"",
        "\"1.1\"",
        "\"3.0\"",
        "\" 2.0\"",
        "\"2.0 \"",
        "\"\"",
        "null",
        "true",
        "[]",
        "{}",
        "[\"2.0\"]",
        "\"\\ud800\"",
        "\"2,0\"",
        "\"2.0\\u0000\"",
    ];
    for version in wrong {
        let body = format!(r#"{{"jsonrpc":{version},"method":"sum","id":3}}"#);
        assert_outcomes(&service, &[(body, "error -32600 #3")]);
        let body = format!(r#"{{"jsonrpc":{version},"method":"sum"}}"#);
        assert_outcomes(&service, &[(body, "error -32600 #null")]);
    }
}

#[test]
fn the_members_of_a_request_may_stand_in_any_order() {
    let members = [
        r#""jsonrpc":"2.0""#,
        r#""method":"subtract""#,
        r#""params":[42,23]"#,
        r#""id":"one""#,
    ];
    let service = service();
    for a in 0..4 {
        for b in (0..4).filter(|b| *b != a) {
            for c in (0..4).filter(|c| *c != a && *c != b) {
                let order = [a, b, c, 6 - a - b - c];
                let body = format!("{{{}}}", order.map(|index| members[index]).join(","));
                assert_outcomes(&service, &[(body, "19 #\"one\"")]);
            }
        }
    }
}

#[test]
fn a_2_0_request_may_carry_members_of_other_versions_and_of_nobody() {
    assert_outcomes(
        &service(),
        &[
            (
                r#"{"jsonrpc":"2.0","version":"1.1","method":"sum","params":[1,2],"id":1}"#,
                "3 #1",
            ),
            (
                r#"{"version":null,"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1}"#,
                "3 #1",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1,"":{}}"#,
                "3 #1",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1,"x":1,"x":2}"#,
                "3 #1",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1,"ID":true}"#,
                "3 #1",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1,"\ud800":2}"#,
                "3 #1",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1,"result":3,"error":4}"#,
                "3 #1",
            ),
            (
                r#"{"x":{"id":9,"method":"count"},"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1}"#,
                "3 #1",
            ),
        ],
    );
}

#[test]
fn other_protocols_are_no_requests_inside_a_batch() {
    assert_outcomes(
        &service(),
        &[
            (
                r#"[{"version":"1.1","method":"sum","params":[1,2]}]"#,
                "[error -32600 #null]",
            ),
            (
                r#"[{"version":"1.1","method":"sum","params":[1,2],"id":4}]"#,
                "[error -32600 #4]",
            ),
            (
                r#"[{"method":"sum","params":[1,2],"id":4}]"#,
                "[error -32600 #4]",
            ),
            (r"[[]]", "[error -32600 #null]"),
            (
                r#"[[{"jsonrpc":"2.0","method":"sum","id":1}]]"#,
                "[error -32600 #null]",
            ),
        ],
    );
}
