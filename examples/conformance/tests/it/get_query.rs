//! GET: parameters in the query, and the status of every outcome.

use crate::client::Request;
use crate::{Server, service, service_with};

/// Targets below the mount, and their results.
const CALLS: &[(&str, &str)] = &[
    // By name, by position, and both mixed in any order.
    ("subtract?minuend=42&subtrahend=23", "19"),
    ("subtract?subtrahend=23&minuend=42", "19"),
    ("subtract?0=42&1=23", "19"),
    ("subtract?1=23&0=42", "19"),
    ("subtract?minuend=42&1=23", "19"),
    ("sum3?a=1&b=2&c=3", "6"),
    // The query is form-encoded.
    ("subtract?minuend=%34%32&subtrahend=23", "19"),
    ("subtract?%6dinuend=42&subtrahend=23", "19"),
    ("subtract?&minuend=42&&subtrahend=23&", "19"),
    ("echo?value=a+b", "\"a b\""),
    ("echo?value=a%20b", "\"a b\""),
    ("echo?value=a%2Bb", "\"a+b\""),
    ("echo?value=a%26b%3Dc", "\"a&b=c\""),
    ("echo?value=a=b", "\"a=b\""),
    ("echo?value=%C3%BC", "\"ü\""),
    ("echo?value=%F0%9F%98%80", "\"😀\""),
    ("echo?value=%22", "\"\\\"\""),
    ("constrained?n=3&word=three", r#"{"n":3,"word":"three"}"#),
    // Numbers follow JSON's grammar. Integers keep their value.
    ("optional?a=1", r#"{"a":1,"b":7,"c":null}"#),
    ("optional?a=-1", r#"{"a":-1,"b":7,"c":null}"#),
    ("optional?a=1.0", r#"{"a":1,"b":7,"c":null}"#),
    ("optional?a=4.2e1", r#"{"a":42,"b":7,"c":null}"#),
    (
        "optional?a=9223372036854775807",
        r#"{"a":9223372036854775807,"b":7,"c":null}"#,
    ),
    (
        "optional?a=-9223372036854775808",
        r#"{"a":-9223372036854775808,"b":7,"c":null}"#,
    ),
    ("subtract?minuend=0.5&subtrahend=0.25", "0.25"),
    // An empty text means "not supplied" where a parameter may be omitted.
    ("optional?a=1&b=", r#"{"a":1,"b":7,"c":null}"#),
    ("optional?a=1&b=2&c=", r#"{"a":1,"b":2,"c":null}"#),
    ("optional?a=1&c=3", r#"{"a":1,"b":7,"c":3}"#),
    ("optional?0=1&2=3", r#"{"a":1,"b":7,"c":3}"#),
    // Lists of any length.
    ("sum", "0"),
    ("sum?", "0"),
    ("sum?values=1", "1"),
    ("sum?values=1&values=2&values=4", "7"),
    ("sum?0=1&1=2&2=4", "7"),
    ("sum?2=4&0=1&1=2", "7"),
    // A value of any type: the first of integer, number, boolean, string that fits.
    ("echo?value=5", "5"),
    ("echo?value=-1.5", "-1.5"),
    ("echo?value=true", "true"),
    ("echo?value=false", "false"),
    ("echo?value=True", "\"True\""),
    ("echo?value=01", "\"01\""),
    ("echo?value=%2B1", "\"+1\""),
    ("echo?value=NaN", "\"NaN\""),
    ("echo?value=inf", "\"inf\""),
    ("echo?value=word", "\"word\""),
    ("get_data", r#"["hello",5]"#),
    ("get_data?", r#"["hello",5]"#),
    ("sleep?ms=0", "0"),
];

/// Targets below the mount with invalid parameters, and the parameter at fault.
const FAULTS: &[(&str, Option<&str>)] = &[
    ("subtract", Some("minuend")),
    ("subtract?minuend=42", Some("subtrahend")),
    ("subtract?0=42", Some("subtrahend")),
    ("subtract?minuend=42&subtrahend=", Some("subtrahend")),
    ("subtract?minuend=42&subtrahend=x", Some("subtrahend")),
    ("subtract?minuend=42&subtrahend=0x17", Some("subtrahend")),
    ("subtract?minuend=42&subtrahend=%2B23", Some("subtrahend")),
    ("subtract?minuend=42&subtrahend=023", Some("subtrahend")),
    ("subtract?minuend=42&subtrahend=23.", Some("subtrahend")),
    ("subtract?minuend=42&subtrahend=.5", Some("subtrahend")),
    ("subtract?minuend=42&subtrahend=NaN", Some("subtrahend")),
    ("subtract?minuend=42&subtrahend=inf", Some("subtrahend")),
    (
        "subtract?minuend=42&subtrahend=Infinity",
        Some("subtrahend"),
    ),
    ("subtract?minuend=42&subtrahend=%2023", Some("subtrahend")),
    ("subtract?minuend=42&subtrahend=23%0a", Some("subtrahend")),
    (
        "subtract?minuend=42&subtrahend=1&subtrahend=2",
        Some("subtrahend"),
    ),
    ("subtract?minuend=42&subtrahend=23&no=1", Some("no")),
    ("subtract?minuend=42&Subtrahend=23", Some("Subtrahend")),
    ("subtract?minuend=42&subtrahend=true", Some("subtrahend")),
    ("subtract?0=1&1=2&2=3", None),
    ("subtract?minuend=1&0=1&1=2", Some("minuend")),
    ("sum?0=1&2=3", None),
    ("sum?1=1", None),
    ("sum?values=x", Some("values")),
    ("sum?no=1", None),
    ("get_data?a=1", Some("a")),
    ("get_data?0=1", None),
    ("optional?a=1.5", Some("a")),
    ("optional?a=9223372036854775808", Some("a")),
    ("optional?a=", Some("a")),
    ("optional?a=1&b=x", Some("b")),
    ("optional?a=1&c=null", Some("c")),
    ("sleep?ms=-1", Some("ms")),
    ("sleep?ms=1e400", Some("ms")),
    ("constrained?n=0&word=word", Some("n")),
    ("constrained?n=11&word=word", Some("n")),
    ("constrained?n=3&word=w", Some("word")),
    ("constrained?n=3&word=w0rd", Some("word")),
    ("constrained?n=3&word=", Some("word")),
    ("echo?value=%ff", Some("value")),
    ("echo?value=%C3", Some("value")),
    ("echo?value=%ED%A0%80", Some("value")),
    ("echo?%ff=1", None),
];

#[test]
fn the_parameters_stand_in_the_query() {
    let server = Server::start(service());
    let mut wrong = Vec::new();
    for (target, expected) in CALLS {
        let response = server.get(&format!("/rpc/{target}"));
        let expected = format!("{expected} #null");
        if (response.status, &response.brief()) != (200, &expected) {
            wrong.push(format!("{target}: {} {}", response.status, response.text()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn parameters_that_do_not_fit_are_400_and_the_answer_says_which() {
    let server = Server::start(service());
    let mut wrong = Vec::new();
    for (target, parameter) in FAULTS {
        let response = server.get(&format!("/rpc/{target}"));
        let json = response.json();
        let data = &json["error"]["data"];
        let fits = response.status == 400
            && response.brief() == "error -32602 #null"
            && response.header("cache-control") == Some("no-store")
            && data["reason"]
                .as_str()
                .is_some_and(|reason| !reason.is_empty())
            && (parameter.is_none() || data["parameter"].as_str() == *parameter);
        if !fits {
            wrong.push(format!("{target}: {} {}", response.status, response.text()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_answer_to_get_carries_what_caches_need() {
    let server = Server::start(service());
    let response = server.get("/rpc/get_data");
    assert_eq!(response.status, 200);
    assert_eq!(response.header("cache-control"), Some("no-cache"));
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(
        response.text(),
        r#"{"jsonrpc":"2.0","result":["hello",5],"id":null}"#
    );
}

#[test]
fn errors_have_the_statuses_of_the_table() {
    let server = Server::start(service_with(|limits| {
        limits.timeout = std::time::Duration::from_millis(50);
        limits.max_response_bytes = 1_000;
    }));
    for (target, status, code) in [
        ("subtract", 400, -32602),
        ("nope", 404, -32601),
        ("count", 405, -32006),
        ("sleep?ms=3600000", 504, -32001),
        ("large?bytes=1000", 500, -32004),
        // Declared by the procedure, with its own status.
        ("sum?values=1e308&values=1e308", 422, 1001),
    ] {
        let response = server.get(&format!("/rpc/{target}"));
        assert_eq!(
            (response.status, response.code()),
            (status, Some(code)),
            "{target}"
        );
        assert_eq!(
            response.header("cache-control"),
            Some("no-store"),
            "{target}"
        );
        assert_eq!(response.json()["id"], serde_json::Value::Null, "{target}");
    }
}

#[test]
fn the_description_can_be_read_with_get() {
    let server = Server::start(service());
    let whole = server.get("/rpc/rpc.describe").json();
    assert_eq!(whole["result"], server.get("/rpc").json());
    let part = server.get("/rpc/rpc.describe?procs=sum&procs=count").json();
    let names: Vec<_> = part["result"]["procs"]
        .as_array()
        .expect("procedures")
        .iter()
        .map(|param| param["name"].clone())
        .collect();
    assert_eq!(names, ["sum", "count"]);
    let one = server.get("/rpc/rpc.describe?procs=sum").json();
    assert_eq!(one["result"]["procs"].as_array().map(Vec::len), Some(1));
    let unknown = server.send(&Request::new("GET", "/rpc/rpc.describe?procs=nope"));
    assert_eq!((unknown.status, unknown.code()), (400, Some(-32602)));
    assert!(unknown.text().contains("nope"));
}
