//! The members of a 2.0 request: their types, their spellings, and duplicates.

use crate::{assert_outcomes, outcome, service};

#[test]
fn method_has_to_be_a_string() {
    let service = service();
    for method in [
        "1",
        "null",
        "true",
        "[]",
        "{}",
        "[\"sum\"]",
        "{\"sum\":1}",
        "1e400",
    ] {
        let body = format!(r#"{{"jsonrpc":"2.0","method":{method},"params":[1],"id":1}}"#);
        assert_outcomes(&service, &[(body, "error -32600 #1")]);
        let body = format!(r#"{{"jsonrpc":"2.0","method":{method}}}"#);
        assert_outcomes(&service, &[(body, "error -32600 #null")]);
    }
    let without = [
        (r#"{"jsonrpc":"2.0"}"#, "error -32600 #null"),
        (r#"{"jsonrpc":"2.0","id":1}"#, "error -32600 #1"),
        (r#"{"jsonrpc":"2.0","params":[],"id":1}"#, "error -32600 #1"),
    ];
    assert_outcomes(&service, &without);
}

#[test]
fn a_name_that_no_procedure_has_is_not_found_whatever_its_params() {
    let service = service();
    let names = [
        "",
        " ",
        "Sum",
        "SUM",
        "sum ",
        " sum",
        "sum\\u0000",
        "sum/",
        "foobar",
        "rpc.",
        "rpc.nothing",
        "system.nothing",
        "RPC.describe",
        "\\ud800",
        "sum\\udfff",
        "\\ud800\\ud800",
        "\\udc00\\ud800",
        "süm",
        "💥",
    ];
    for name in names {
        for params in [
            "",
            r#","params":[1]"#,
            r#","params":{"no":1}"#,
            r#","params":null"#,
        ] {
            let body = format!(r#"{{"jsonrpc":"2.0","method":"{name}"{params},"id":5}}"#);
            assert_outcomes(&service, &[(body, "error -32601 #5")]);
        }
    }
}

#[test]
fn method_may_be_written_with_escapes() {
    assert_outcomes(
        &service(),
        &[
            (
                r#"{"jsonrpc":"2.0","method":"\u0073um","params":[1,2],"id":1}"#,
                "3 #1",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"\u0073\u0075\u006D","params":[1,2],"id":1}"#,
                "3 #1",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"get\u005Fdata","id":1}"#,
                r#"["hello",5] #1"#,
            ),
            (
                r#"{"\u006asonrpc":"\u0032.0","m\u0065thod":"sum","param\u0073":[1,2],"\u0069d":1}"#,
                "3 #1",
            ),
        ],
    );
}

#[test]
fn params_are_an_array_an_object_or_absent_and_null_is_absent() {
    let service = service();
    let taken = [
        (
            r#"{"jsonrpc":"2.0","method":"get_data","id":1}"#,
            r#"["hello",5] #1"#,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"get_data","params":null,"id":1}"#,
            r#"["hello",5] #1"#,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"get_data","params":[],"id":1}"#,
            r#"["hello",5] #1"#,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"get_data","params":{},"id":1}"#,
            r#"["hello",5] #1"#,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"sum","params":null,"id":1}"#,
            "0 #1",
        ),
        (
            r#"{"jsonrpc":"2.0","method":"subtract","params":null,"id":1}"#,
            "error -32602 #1",
        ),
        (
            r#"{"jsonrpc":"2.0","method":"sum","params" : [ 1 , 2 ] ,"id":1}"#,
            "3 #1",
        ),
    ];
    assert_outcomes(&service, &taken);
    for params in [
        "1", "0", "-0.0", "\"bar\"", "\"\"", "\"[1]\"", "true", "false", "1e400",
    ] {
        for method in ["sum", "get_data", "foobar"] {
            let body =
                format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params},"id":1}}"#);
            assert_outcomes(&service, &[(body, "error -32600 #1")]);
            let body = format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#);
            assert_outcomes(&service, &[(body, "error -32600 #null")]);
        }
    }
}

/// Returns different spellings of a name.
fn spellings(name: &str) -> Vec<String> {
    let code = u32::from(name.as_bytes()[0]);
    vec![
        name.to_owned(),
        format!("\\u{code:04x}{}", &name[1..]),
        format!("\\u{code:04X}{}", &name[1..]),
    ]
}

#[test]
fn a_member_given_twice_is_an_invalid_request_however_it_is_spelt() {
    let service = service();
    let members = [
        ("jsonrpc", "\"2.0\""),
        ("method", "\"count\""),
        ("params", "[]"),
        ("id", "1"),
        ("version", "\"1.1\""),
    ];
    for (name, value) in members {
        let expected = if name == "id" {
            "error -32600 #null"
        } else {
            "error -32600 #1"
        };
        for first in spellings(name) {
            for second in spellings(name) {
                let others = members
                    .iter()
                    .filter(|(other, _)| *other != name)
                    .map(|(other, value)| format!("\"{other}\":{value}"));
                let others: Vec<_> = others.collect();
                let twice = [
                    format!("\"{first}\":{value}"),
                    format!("\"{second}\":{value}"),
                ];
                for body in [
                    format!("{{{},{}}}", twice.join(","), others.join(",")),
                    format!("{{{},{}}}", others.join(","), twice.join(",")),
                    format!("{{{},{},{}}}", twice[0], others.join(","), twice[1]),
                ] {
                    assert_outcomes(&service, &[(body, expected)]);
                }
            }
        }
    }
    // None of them ran a procedure.
    assert_eq!(
        outcome(&service, r#"{"jsonrpc":"2.0","method":"count","id":1}"#),
        "1 #1"
    );
}

#[test]
fn a_member_given_twice_is_found_when_one_is_null_or_wrong() {
    assert_outcomes(
        &service(),
        &[
            (
                r#"{"jsonrpc":"2.0","method":"sum","params":null,"params":[1],"id":1}"#,
                "error -32600 #1",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"sum","params":[1],"params":null,"id":1}"#,
                "error -32600 #1",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"sum","id":null,"id":1}"#,
                "error -32600 #null",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"sum","id":1,"id":null}"#,
                "error -32600 #null",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"sum","id":1,"id":true}"#,
                "error -32600 #null",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"sum","method":"sum","id":1,"id":1}"#,
                "error -32600 #null",
            ),
            (
                r#"{"id":1,"id":1,"jsonrpc":"2.0","method":"sum","method":"sum"}"#,
                "error -32600 #null",
            ),
            (
                r#"{"jsonrpc":"1.0","jsonrpc":"2.0","method":"sum","id":1}"#,
                "error -32600 #1",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"sum","method":"sum"}"#,
                "error -32600 #null",
            ),
            (r#"{"method":"sum","id":1,"id":2}"#, "error -32600 #null"),
            (
                r#"[{"jsonrpc":"2.0","method":"sum","id":1,"id":2},{"jsonrpc":"2.0","method":"sum","id":3}]"#,
                "[error -32600 #null, 0 #3]",
            ),
        ],
    );
}

#[test]
fn an_answer_to_an_invalid_request_explains_itself_with_text() {
    let body = br#"{"jsonrpc":"2.0","method":"sum","params":"bar","id":1}"#;
    let answer = crate::handle(&service(), body).expect("a response");
    let text = String::from_utf8(answer).expect("UTF-8");
    let response = crate::reply::Response::read(&text);
    let data = response.error().data.as_ref().expect("data");
    assert!(
        data["reason"]
            .as_str()
            .is_some_and(|reason| reason.contains("params")),
        "{text}"
    );
}
