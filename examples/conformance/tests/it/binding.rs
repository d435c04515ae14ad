//! Parameters by name and by position.

use crate::{assert_outcomes, call_with, service};

/// Calls with parameters that fit, and their results.
const FITTING: &[(&str, &str, &str)] = &[
    ("subtract", "[42,23]", "19"),
    ("subtract", r#"{"minuend":42,"subtrahend":23}"#, "19"),
    ("subtract", r#"{"subtrahend":23,"minuend":42}"#, "19"),
    (
        "subtract",
        r#"{"minuen\u0064":42,"\u0073ubtrahend":23}"#,
        "19",
    ),
    ("subtract", "[42.0,23]", "19"),
    ("subtract", "[4.2e1,2300e-2]", "19"),
    ("subtract", "[0.5,0.25]", "0.25"),
    ("sum", "[]", "0"),
    ("sum", "{}", "0"),
    ("sum", "[1]", "1"),
    ("sum", "[1,2,4]", "7"),
    ("sum", "[-1,1.5]", "0.5"),
    ("sum3", "[1,2,3]", "6"),
    ("sum3", r#"{"c":3,"b":2,"a":1}"#, "6"),
    ("get_data", "[]", r#"["hello",5]"#),
    ("get_data", "{}", r#"["hello",5]"#),
    ("echo", "[null]", "null"),
    ("echo", r#"{"value":null}"#, "null"),
    ("echo", "[1e400]", "1e400"),
    (
        "echo",
        "[12345678901234567890.10]",
        "12345678901234567890.10",
    ),
    ("echo", r#"["a\u0062"]"#, r#""a\u0062""#),
    ("echo", r#"["\ud800"]"#, r#""\ud800""#),
    ("echo", r#"[{"a":1,"a":2}]"#, r#"{"a":1,"a":2}"#),
    ("echo", r#"[{"a" : [ 1 ]}]"#, r#"{"a" : [ 1 ]}"#),
    ("optional", "[1]", r#"{"a":1,"b":7,"c":null}"#),
    ("optional", "[1,2]", r#"{"a":1,"b":2,"c":null}"#),
    ("optional", "[1,2,3]", r#"{"a":1,"b":2,"c":3}"#),
    ("optional", "[1,2,null]", r#"{"a":1,"b":2,"c":null}"#),
    ("optional", r#"{"a":1}"#, r#"{"a":1,"b":7,"c":null}"#),
    ("optional", r#"{"a":1,"c":3}"#, r#"{"a":1,"b":7,"c":3}"#),
    (
        "optional",
        r#"{"c":null,"b":2,"a":1}"#,
        r#"{"a":1,"b":2,"c":null}"#,
    ),
    ("optional", "[1.0,2e0,30e-1]", r#"{"a":1,"b":2,"c":3}"#),
    ("optional", "[-0]", r#"{"a":0,"b":7,"c":null}"#),
    ("optional", "[-0.0]", r#"{"a":0,"b":7,"c":null}"#),
    (
        "optional",
        "[9223372036854775807,-9223372036854775808]",
        r#"{"a":9223372036854775807,"b":-9223372036854775808,"c":null}"#,
    ),
    (
        "optional",
        "[9223372036854775807.0]",
        r#"{"a":9223372036854775807,"b":7,"c":null}"#,
    ),
    (
        "optional",
        "[92233720368547758.07e2]",
        r#"{"a":9223372036854775807,"b":7,"c":null}"#,
    ),
    ("constrained", "[1,\"ab\"]", r#"{"n":1,"word":"ab"}"#),
    (
        "constrained",
        "[10,\"Abcde\"]",
        r#"{"n":10,"word":"Abcde"}"#,
    ),
    (
        "constrained",
        "[1e1,\"\\u0061b\"]",
        r#"{"n":10,"word":"ab"}"#,
    ),
    (
        "constrained",
        r#"{"word":"ZZ","n":5}"#,
        r#"{"n":5,"word":"ZZ"}"#,
    ),
    ("update", "[1,\"x\",null,[],{}]", "null"),
];

#[test]
fn parameters_are_taken_by_name_and_by_position() {
    let service = service();
    for (procedure, params, result) in FITTING {
        assert_outcomes(
            &service,
            &[(call_with(procedure, params), format!("{result} #1"))],
        );
    }
}
