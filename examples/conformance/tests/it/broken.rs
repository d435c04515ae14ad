//! Bodies that are malformed in hundreds of ways. Each gets the response that the contract
//! requires, and the service keeps working.

use serde::de::IgnoredAny;

use crate::client::{Request, Response};
use crate::{Server, assert_outcomes, handle, outcome, reply, service};

pub(crate) const PARSE_ERROR: &str = "error -32700 #null";
pub(crate) const VALID: &str = r#"{"jsonrpc":"2.0","method":"echo","params":{"value":["a\u0062\n",-1.5e+3,true,false,null,{}]},"id":"x"}"#;

/// Returns a request with this text as its parameter.
pub(crate) fn echo(value: &[u8]) -> Vec<u8> {
    let mut body = br#"{"jsonrpc":"2.0","method":"echo","params":["#.to_vec();
    body.extend_from_slice(value);
    body.extend_from_slice(br#"],"id":1}"#);
    body
}

/// Texts that look like JSON values but are not.
const NO_VALUES: &[&[u8]] = &[
    b"01",
    b"00",
    b"-01",
    b"-",
    b"+1",
    b"1.",
    b".5",
    b"-.5",
    b"1.e1",
    b"1e",
    b"1e+",
    b"1E-",
    b"--1",
    b"1..2",
    b"0x10",
    b"1_000",
    b"1,",
    b",1",
    b"1 2",
    b"NaN",
    b"Infinity",
    b"-Infinity",
    b"inf",
    b"nan",
    b"1f",
    b"0b1",
    b"tru",
    b"True",
    b"TRUE",
    b"truex",
    b"fals",
    b"nul",
    b"Null",
    b"NULL",
    b"None",
    b"undefined",
    b"nil",
    b"'a'",
    b"`a`",
    b"a",
    b"\"",
    b"\"a",
    b"\"\\\"",
    b"\"\\a\"",
    b"\"\\x41\"",
    b"\"\\'\"",
    b"\"\\0\"",
    b"\"\\u\"",
    b"\"\\u1\"",
    b"\"\\u12\"",
    b"\"\\u123\"",
    b"\"\\u123g\"",
    b"\"\\U0041\"",
    b"\"\\u{41}\"",
    b"\"\\u+123\"",
    b"\"\\u 123\"",
    b"\"\\",
    b"\"\\\n\"",
    b"[",
    b"]",
    b"{",
    b"}",
    b"[1",
    b"[1,]",
    b"[,1]",
    b"[,]",
    b"[1 2]",
    b"[1}",
    b"{\"a\"}",
    b"{\"a\":}",
    b"{\"a\" 1}",
    b"{\"a\":1,}",
    b"{,}",
    b"{a:1}",
    b"{'a':1}",
    b"{1:1}",
    b"{\"a\":1 \"b\":2}",
    b"{\"a\"::1}",
    b"{\"a\":1]",
    b"{null:1}",
    b"{[]:1}",
    b"/* c */ 1",
    b"1 // c",
    b"# c",
    b"1;",
    b"(1)",
    b"<1>",
    b"\xef\xbb\xbf1",
    b"\0",
    b"1\0",
    b"\xc2\xa01",
    b"\xe3\x80\x801",
    b"\x0b1",
    b"\x0c1",
    b"\xe2\x80\xa81",
    b"\xd9\xa1",
];

#[test]
fn a_value_that_is_no_json_is_a_parse_error() {
    let table: Vec<_> = NO_VALUES
        .iter()
        .map(|value| (echo(value), PARSE_ERROR))
        .collect();
    assert_outcomes(&service(), &table);
    // The same texts as the whole body.
    let table: Vec<_> = NO_VALUES
        .iter()
        .map(|value| (*value, PARSE_ERROR))
        .collect();
    assert_outcomes(&service(), &table);
}

#[test]
fn every_truncation_of_a_valid_body_is_a_parse_error() {
    let service = service();
    for body in [VALID.to_owned(), format!("[{VALID},{VALID}]")] {
        for end in 0..body.len() {
            assert_outcomes(&service, &[(&body[..end], PARSE_ERROR)]);
            assert_outcomes(&service, &[(&body[end + 1..], PARSE_ERROR)]);
        }
    }
}

#[test]
fn nothing_may_follow_the_value() {
    let service = service();
    for junk in [
        "x", "1", "{}", "[]", ",", "]", "}", "\"\"", "null", "\0", ";", "//", VALID, "\n{}",
        "\u{feff}", "\u{1a}",
    ] {
        for valid in [VALID.to_owned(), format!("[{VALID}]"), "1".to_owned() + " "] {
            assert_outcomes(&service, &[(format!("{valid}{junk}"), PARSE_ERROR)]);
        }
    }
}

#[test]
fn nothing_is_a_parse_error() {
    assert_outcomes(
        &service(),
        &[
            ("", PARSE_ERROR),
            (" ", PARSE_ERROR),
            ("\r\n\t", PARSE_ERROR),
        ],
    );
}

/// Returns whether another parser accepts a text as JSON.
fn is_json(body: &[u8]) -> bool {
    std::str::from_utf8(body).is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok())
}

#[test]
fn one_byte_changed_left_out_or_added_is_answered_whatever_it_makes_of_the_body() {
    let service = service();
    let (mut parse_errors, mut others) = (0, 0);
    let mut check = |body: &[u8]| {
        let response = handle(&service, body);
        let brief = reply::brief(response.as_deref());
        let shown = String::from_utf8_lossy(body);
        if is_json(body) {
            others += 1;
            assert_ne!(brief, PARSE_ERROR, "{shown}");
        } else {
            parse_errors += 1;
            assert_eq!(brief, PARSE_ERROR, "{shown}");
        }
    };
    let valid = VALID.as_bytes();
    let bytes = b"\0\x1f \"\\/{}[]:,0-.eEtnu\x7f\x80\xc3\xff";
    for at in 0..valid.len() {
        check(&[&valid[..at], &valid[at + 1..]].concat());
        for byte in bytes {
            check(&[&valid[..at], &[*byte], &valid[at + 1..]].concat());
            check(&[&valid[..at], &[*byte], &valid[at..]].concat());
        }
    }
    assert!(
        parse_errors > 1_000 && others > 500,
        "{parse_errors} {others}"
    );
}

#[test]
fn broken_bodies_leave_a_connection_that_goes_on_working() {
    let server = Server::start(service());
    let mut connection = server.connect();
    let truncated = (0..VALID.len())
        .step_by(7)
        .map(|end| VALID.as_bytes()[..end].to_vec());
    for body in NO_VALUES.iter().map(|value| echo(value)).chain(truncated) {
        let response = Response::exchange(&mut connection, &Request::post("/rpc", &body));
        let shown = String::from_utf8_lossy(&body).into_owned();
        assert_eq!(response.status, 200, "{shown}");
        assert_eq!(
            response.header("content-type"),
            Some("application/json"),
            "{shown}"
        );
        assert_eq!(reply::brief(Some(&response.body)), PARSE_ERROR, "{shown}");
    }
    let response = Response::exchange(&mut connection, &Request::post("/rpc", &echo(b"1")));
    assert_eq!(reply::brief(Some(&response.body)), "1 #1");
}

#[test]
fn nothing_runs_when_a_later_part_of_the_body_is_broken() {
    let service = service();
    let count = r#"{"jsonrpc":"2.0","method":"count","id":1}"#;
    for body in [
        format!("[{count},{count}"),
        format!("{count}x"),
        format!("[{count},]"),
        format!("[{count} {count}]"),
    ] {
        assert_outcomes(&service, &[(body, PARSE_ERROR)]);
    }
    assert_eq!(outcome(&service, count), "1 #1");
}
