//! Binding by name and by position has the same result.

use proptest::prelude::*;
use serde_json::Value;

use crate::{handle, shared};

/// Draws JSON values of every kind, and numbers in every spelling.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => r"-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?",
        4 => (-20i64..20).prop_map(|number| number.to_string()),
        2 => r#""[A-Za-z0-9]{0,6}""#,
        1 => Just("\"\\ud800\"".to_owned()),
        1 => Just("null".to_owned()),
        1 => Just("true".to_owned()),
        1 => Just("[1,\"a\"]".to_owned()),
        1 => Just("{\"a\":{\"b\":[]}}".to_owned()),
    ]
}

/// Returns the response without what only one way of passing parameters adds.
fn answer(procedure: &str, params: &str) -> Value {
    let body = format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","params":{params},"id":1}}"#);
    let response = handle(shared(), body.as_bytes()).expect("a response");
    let text = String::from_utf8(response).expect("UTF-8");
    // An echo may repeat a lone surrogate, which not every parser accepts.
    let mut response: Value = serde_json::from_str(&text)
        .or_else(|_| serde_json::from_str(&text.replace("\\ud800", "?")))
        .expect("JSON");
    if let Some(data) = response
        .pointer_mut("/error/data")
        .and_then(Value::as_object_mut)
    {
        data.remove("position");
        if let Some(Value::Array(others)) = data.get_mut("others") {
            for other in others {
                other.as_object_mut().expect("a problem").remove("position");
            }
        }
    }
    response
}

/// Returns parameters by name, with the members in the order of these indices.
fn by_name(names: &[&str], values: &[String], order: &[usize]) -> String {
    let mut members = Vec::new();
    for &index in order {
        if index < values.len() {
            members.push(format!("\"{}\":{}", names[index], values[index]));
        }
    }
    format!("{{{}}}", members.join(","))
}

const PROCEDURES: &[(&str, &[&str])] = &[
    ("subtract", &["minuend", "subtrahend"]),
    ("sum3", &["a", "b", "c"]),
    ("echo", &["value"]),
    ("constrained", &["n", "word"]),
    ("optional", &["a", "b", "c"]),
    ("fail", &["code", "message"]),
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn values_by_name_and_by_position_come_to_the_same(
        procedure in 0..PROCEDURES.len(),
        values in prop::collection::vec(value(), 0..=3),
        order in Just(vec![0, 1, 2]).prop_shuffle(),
    ) {
        let (procedure, names) = PROCEDURES[procedure];
        let values = &values[..values.len().min(names.len())];
        let position = answer(procedure, &format!("[{}]", values.join(",")));
        let in_order = answer(procedure, &by_name(names, values, &[0, 1, 2]));
        prop_assert_eq!(&in_order, &position);
        let shuffled = answer(procedure, &by_name(names, values, &order));
        // If several values are wrong, they are reported in the order of the description.
        prop_assert_eq!(&shuffled, &position);
    }

    #[test]
    fn an_echo_is_the_text_that_was_given(value in value()) {
        for params in [format!("[{value}]"), format!("{{\"value\" : {value}\n}}")] {
            let body = format!(r#"{{"jsonrpc":"2.0","method":"echo","params":{params},"id":1}}"#);
            let response = handle(shared(), body.as_bytes()).expect("a response");
            let expected = format!(r#"{{"jsonrpc":"2.0","result":{value},"id":1}}"#);
            prop_assert_eq!(String::from_utf8(response).expect("UTF-8"), expected);
        }
    }
}
