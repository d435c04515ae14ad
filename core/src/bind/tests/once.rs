//! Tests that parameters are decoded only once.

use std::cell::RefCell;

use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::json;

use super::{check, error_data, plan_with_checks};

thread_local! {
    static DECODED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// A number below ten that records when it is decoded.
#[derive(Debug)]
struct Noted;

impl<'de> Deserialize<'de> for Noted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        DECODED.with_borrow_mut(|decoded| decoded.push(number));
        if number < 10 {
            Ok(Self)
        } else {
            Err(D::Error::custom("too large for this type"))
        }
    }
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only decoded")]
struct Three {
    a: Noted,
    b: Noted,
    c: Noted,
}

/// Rejects a call of three parameters that must be even. Returns the `data` of the error, and the numbers that were
/// decoded, in order.
fn reject_three(text: &str) -> (serde_json::Value, Vec<u8>) {
    let even = || Some(check(r#"{"multipleOf": 2}"#));
    let plan = plan_with_checks(vec![("a", even()), ("b", even()), ("c", even())]);
    DECODED.take();
    (error_data::<Three>(&plan, text), DECODED.take())
}

#[test]
fn nothing_is_decoded_twice() {
    let (data, decoded) = reject_three("[2,1,4]");
    assert_eq!(
        data,
        json!({
            "parameter": "b", "position": 1, "pointer": "",
            "reason": "expected a number that is a multiple of 2, found 1",
        })
    );
    assert_eq!(decoded, [2, 1, 4]);
    let (data, decoded) = reject_three("[2,12,14]");
    assert_eq!(data["parameter"], "b");
    assert_eq!(data["reason"], "too large for this type");
    assert_eq!(data.get("others"), None);
    assert_eq!(decoded, [2, 12]);
}

#[test]
fn broken_rules_are_reported_in_the_order_of_the_plan() {
    let (data, decoded) = reject_three(r#"{"c":5,"a":1,"b":2}"#);
    assert_eq!(data["parameter"], "a");
    assert_eq!(data["others"][0]["parameter"], "c");
    assert_eq!(data["others"].as_array().map(Vec::len), Some(1));
    assert_eq!(decoded, [5, 1, 2]);
}

#[test]
fn a_broken_rule_is_reported_beside_a_value_that_its_type_refuses() {
    for text in [r#"{"b":12,"c":3,"a":2}"#, r#"{"a":2,"c":3,"b":12}"#] {
        let (data, _) = reject_three(text);
        assert_eq!(data["parameter"], "b");
        assert_eq!(data["reason"], "too large for this type");
        assert_eq!(data["others"][0]["parameter"], "c");
    }
}
