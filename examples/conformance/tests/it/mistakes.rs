//! Mistakes in parameters, and how the error tells a stranger what to fix.

use serde_json::{Value, json};

use crate::reply::Response;
use crate::{call_with, handle, service};

/// A mistake: the call, the parameter at fault, the place in it, and words that the reason
/// contains.
struct Mistake(
    &'static str,
    &'static str,
    Option<&'static str>,
    &'static str,
    &'static [&'static str],
);

const MISTAKES: &[Mistake] = &[
    // Missing.
    Mistake("subtract", "[]", Some("minuend"), "", &["required"]),
    Mistake("subtract", "{}", Some("minuend"), "", &["required"]),
    Mistake("subtract", "[42]", Some("subtrahend"), "", &["required"]),
    Mistake(
        "subtract",
        r#"{"minuend":42}"#,
        Some("subtrahend"),
        "",
        &["required"],
    ),
    Mistake(
        "subtract",
        r#"{"subtrahend":23}"#,
        Some("minuend"),
        "",
        &["required"],
    ),
    Mistake("optional", "[]", Some("a"), "", &["required"]),
    Mistake("optional", r#"{"b":1,"c":2}"#, Some("a"), "", &["required"]),
    Mistake("echo", "[]", Some("value"), "", &["required"]),
    // Unknown names.
    Mistake(
        "subtract",
        r#"{"minuend":42,"subtrahend":23,"extra":1}"#,
        Some("extra"),
        "",
        &["unknown parameter", "minuend", "subtrahend"],
    ),
    Mistake(
        "subtract",
        r#"{"minuend":42,"subtrahent":23}"#,
        Some("subtrahent"),
        "",
        &["subtrahend"],
    ),
    Mistake(
        "subtract",
        r#"{"Minuend":42,"subtrahend":23}"#,
        Some("Minuend"),
        "",
        &["minuend"],
    ),
    Mistake(
        "subtract",
        r#"{"0":42,"1":23}"#,
        Some("0"),
        "",
        &["unknown parameter"],
    ),
    Mistake(
        "optional",
        r#"{"a":1,"":2}"#,
        Some(""),
        "",
        &["unknown parameter"],
    ),
    Mistake("get_data", r#"{"a":1}"#, Some("a"), "", &["none"]),
    // Given twice.
    Mistake(
        "subtract",
        r#"{"minuend":42,"minuend":42,"subtrahend":23}"#,
        Some("minuend"),
        "",
        &["twice"],
    ),
    Mistake(
        "subtract",
        r#"{"minuend":42,"subtrahend":23,"\u006dinuend":1}"#,
        Some("minuend"),
        "",
        &["twice"],
    ),
    Mistake(
        "optional",
        r#"{"a":1,"c":null,"c":1}"#,
        Some("c"),
        "",
        &["twice"],
    ),
    // One too many.
    Mistake("subtract", "[42,23,1]", None, "", &["2", "3"]),
    Mistake("optional", "[1,2,3,4]", None, "", &["3", "4"]),
    Mistake("get_data", "[1]", None, "", &["1"]),
    Mistake("get_data", "[null]", None, "", &["1"]),
    // A list of any length has one name.
    Mistake(
        "sum",
        r#"{"0":1}"#,
        Some("0"),
        "",
        &["unknown parameter", "values"],
    ),
    Mistake(
        "sum",
        r#"{"values":[1,2],"more":[3]}"#,
        Some("more"),
        "",
        &["unknown parameter", "values"],
    ),
    Mistake(
        "sum",
        r#"{"values":null}"#,
        Some("values"),
        "",
        &["array", "null"],
    ),
    Mistake(
        "sum",
        r#"{"values":3}"#,
        Some("values"),
        "",
        &["array", "3"],
    ),
    // A value of the wrong type.
    Mistake(
        "subtract",
        "[\"42\",23]",
        Some("minuend"),
        "",
        &["number", "42"],
    ),
    Mistake(
        "subtract",
        r#"{"minuend":42,"subtrahend":"23"}"#,
        Some("subtrahend"),
        "",
        &["number", "23"],
    ),
    Mistake(
        "subtract",
        "[null,23]",
        Some("minuend"),
        "",
        &["number", "null"],
    ),
    Mistake(
        "subtract",
        "[42,true]",
        Some("subtrahend"),
        "",
        &["number", "true"],
    ),
    Mistake(
        "subtract",
        "[42,[23]]",
        Some("subtrahend"),
        "",
        &["number", "array"],
    ),
    Mistake(
        "subtract",
        "[42,{}]",
        Some("subtrahend"),
        "",
        &["number", "object"],
    ),
    Mistake("sum", "[1,\"x\",3]", Some("values"), "/1", &["number", "x"]),
    Mistake(
        "sum",
        "[1,2,null]",
        Some("values"),
        "/2",
        &["number", "null"],
    ),
    Mistake("optional", "[1,null]", Some("b"), "", &["integer", "null"]),
    Mistake("optional", "[1.5]", Some("a"), "", &["integer", "1.5"]),
    Mistake(
        "optional",
        r#"{"a":1,"c":"x"}"#,
        Some("c"),
        "",
        &["integer", "x"],
    ),
    Mistake(
        "optional",
        "[9223372036854775808]",
        Some("a"),
        "",
        &["9223372036854775807"],
    ),
    Mistake(
        "optional",
        "[1e400]",
        Some("a"),
        "",
        &["9223372036854775807"],
    ),
    Mistake("optional", "[1e-1]", Some("a"), "", &["integer"]),
    Mistake("sleep", "[-1]", Some("ms"), "", &["0"]),
    Mistake(
        "fail",
        "[1,\"\\ud800\"]",
        Some("message"),
        "",
        &["surrogate"],
    ),
    Mistake(
        "fail",
        "[1,\"a\\udc00b\"]",
        Some("message"),
        "",
        &["surrogate"],
    ),
    // A broken constraint.
    Mistake("constrained", "[0,\"ab\"]", Some("n"), "", &["1"]),
    Mistake("constrained", "[11,\"ab\"]", Some("n"), "", &["10"]),
    Mistake("constrained", "[1e2,\"ab\"]", Some("n"), "", &["10"]),
    Mistake(
        "constrained",
        r#"{"n":-5,"word":"ab"}"#,
        Some("n"),
        "",
        &["1"],
    ),
    Mistake(
        "constrained",
        "[1,\"a\"]",
        Some("word"),
        "",
        &["[A-Za-z]{2,5}"],
    ),
    Mistake(
        "constrained",
        "[1,\"abcdef\"]",
        Some("word"),
        "",
        &["[A-Za-z]{2,5}"],
    ),
    Mistake(
        "constrained",
        "[1,\"ab1\"]",
        Some("word"),
        "",
        &["[A-Za-z]{2,5}"],
    ),
    Mistake(
        "constrained",
        "[1,\"ab\\n\"]",
        Some("word"),
        "",
        &["[A-Za-z]{2,5}"],
    ),
    Mistake(
        "constrained",
        r#"{"n":1,"word":""}"#,
        Some("word"),
        "",
        &["[A-Za-z]{2,5}"],
    ),
    Mistake(
        "constrained",
        "[1,\"äö\"]",
        Some("word"),
        "",
        &["[A-Za-z]{2,5}"],
    ),
    Mistake("constrained", "[1.5,\"ab\"]", Some("n"), "", &["integer"]),
    // The procedures that describe the service.
    Mistake(
        "rpc.describe",
        r#"{"procs":["sum","nope"]}"#,
        Some("procs"),
        "/1",
        &["nope"],
    ),
    Mistake(
        "rpc.describe",
        r#"{"procs":[1]}"#,
        Some("procs"),
        "/0",
        &["string"],
    ),
    Mistake(
        "rpc.describe",
        r#"{"procs":"sum"}"#,
        Some("procs"),
        "",
        &["array"],
    ),
    Mistake(
        "rpc.describe",
        r#"{"names":[]}"#,
        Some("names"),
        "",
        &["procs"],
    ),
    Mistake("system.describe", "[1]", None, "", &["1"]),
];

#[test]
fn a_mistake_in_the_parameters_tells_a_stranger_what_to_change() {
    let service = service();
    let mut wrong = Vec::new();
    for Mistake(procedure, params, parameter, pointer, words) in MISTAKES {
        let answer = handle(&service, call_with(procedure, params).as_bytes()).expect("a response");
        let text = String::from_utf8(answer).expect("UTF-8");
        let response = Response::read(&text);
        let Err(error) = &response.outcome else {
            wrong.push(format!("{procedure} {params}: {text}"));
            continue;
        };
        let data = error.data.clone().unwrap_or_default();
        let reason = data["reason"].as_str().unwrap_or_default();
        // A pointer is present if a parameter is named.
        let place = parameter.map(|_| pointer);
        let fits = error.code == -32602
            && response.id == "1"
            && data.get("parameter").and_then(Value::as_str) == *parameter
            && data.get("pointer").and_then(Value::as_str) == place.copied()
            && words.iter().all(|word| reason.contains(word))
            && !reason.contains("at line");
        if !fits {
            wrong.push(format!("{procedure} {params}: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the problems of a call after the first: parameters, places in them, and reasons.
fn others(procedure: &str, params: &str) -> Value {
    let answer = handle(&service(), call_with(procedure, params).as_bytes()).expect("a response");
    let response = Response::read(std::str::from_utf8(&answer).expect("UTF-8"));
    response.error().data.clone().expect("data")["others"].take()
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    assert_eq!(
        others("subtract", r#"{"subtrahend":"x","minuent":1,"extra":2}"#),
        json!([
            {"parameter": "extra", "pointer": "",
                "reason": "unknown parameter: expected \"minuend\" or \"subtrahend\""},
            {"parameter": "minuend", "pointer": "",
                "reason": "this required parameter is missing"},
            {"parameter": "subtrahend", "pointer": "",
                "reason": "expected a number, found \"x\""},
        ])
    );
    assert_eq!(
        others("subtract", r#"["x",null,3]"#),
        json!([
            {"parameter": "minuend", "position": 0, "pointer": "",
                "reason": "expected a number, found \"x\""},
            {"parameter": "subtrahend", "position": 1, "pointer": "",
                "reason": "expected a number, found null"},
        ])
    );
    assert_eq!(others("subtract", r#"["x",1]"#), Value::Null);
}

#[test]
fn what_a_caller_wrote_is_quoted_in_short() {
    let long = "x".repeat(100_000);
    let service = service();
    for (procedure, params) in [
        ("subtract", format!("[\"{long}\",1]")),
        ("subtract", format!("{{\"{long}\":1}}")),
        ("constrained", format!("[1,\"{long}\"]")),
        ("optional", format!("[1{}]", "0".repeat(100_000))),
        ("rpc.describe", format!("[[\"{long}\"]]")),
        ("sum", format!("[{{\"{long}\":1}}]")),
    ] {
        let answer =
            handle(&service, call_with(procedure, &params).as_bytes()).expect("a response");
        let text = String::from_utf8_lossy(&answer);
        assert!(text.contains("-32602"), "{procedure}: {text:.200}");
        assert!(answer.len() < 2_000, "{procedure}: {} bytes", answer.len());
    }
}

#[test]
fn positions_are_told_where_a_value_was_given_by_position() {
    for (params, position) in [("[\"x\",1]", 0), ("[1,\"x\"]", 1), ("[1,2,3]", 2)] {
        let answer =
            handle(&service(), call_with("subtract", params).as_bytes()).expect("a response");
        let response = Response::read(std::str::from_utf8(&answer).expect("UTF-8"));
        let data = response.error().data.as_ref().expect("data");
        assert_eq!(data["position"], position, "{params}");
    }
}
